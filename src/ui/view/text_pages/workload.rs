//! What the application does with a container, as the report says it.

use super::TextPageState;
use crate::analysis::logged_workload::LoggedWorkload;
use crate::report::Style;
use crate::report::workload::{self, WorkloadReport};
use crate::ui::kit::masking::Mask;

/// What a page has room for in the smallest window: tables are not broken then.
const COLUMNS: usize = 74;

pub fn workload(found: &LoggedWorkload, mask: &Mask) -> TextPageState {
    let mut shown = found.clone();
    if let Some(masker) = mask.shared() {
        shown.mask(&masker);
    }
    let report = WorkloadReport {
        containers: vec![shown],
        ..WorkloadReport::default()
    };
    let style = Style {
        width: COLUMNS,
        ..Style::default()
    };
    let text = workload::text(&report, style);
    TextPageState::new("workload", text.lines().map(str::to_owned).collect())
}
