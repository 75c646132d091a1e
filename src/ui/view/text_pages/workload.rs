//! What the application does with a container, as the report says it.

use super::{TextPageState, columns};
use crate::analysis::billing::Price;
use crate::analysis::logged_workload::LoggedWorkload;
use crate::report::Style;
use crate::report::workload::{self, WorkloadReport};
use crate::ui::kit::cx::Cx;

pub fn workload(found: &LoggedWorkload, price: Option<Price>, cx: &Cx) -> TextPageState {
    let mut shown = found.clone();
    if let Some(masker) = cx.mask.shared() {
        shown.mask(&masker);
    }
    let report = WorkloadReport { containers: vec![shown], price, ..WorkloadReport::default() };
    let style = Style { width: columns(cx.body()).into(), ..Style::default() };
    let text = workload::text(&report, style);
    TextPageState::report("workload", text.lines().map(str::to_owned).collect())
}
