//! The pane with how sizes are spread over the keys of the container.
//!
//! ```text
//! 1,204,332 keys, 212.40 GiB of the container's 300.00 GiB
//! half        at most 12 KiB
//! 99 %        at most 1.20 GiB
//! largest     21.60 GiB, 7.2 %
//! top 10      64.00 GiB, 21.3 %
//!
//!       to 1 MiB ██████████ 1,200,000
//! 1 to 2 MiB     ▏                 12
//! ```

use ratatui::buffer::Buffer;

use super::layout::{Frames, KeysAreas, KeysPane};
use super::lines::{LineRole, PaneLine, fact, wrapped};
use crate::analysis::ceiling::{Ceiling, Mark};
use crate::analysis::distribution::{Distribution, SizeBucket};
use crate::analysis::skew::WholeOf;
use crate::model::units::{count_text, kib_text, percent_text};
use crate::ui::kit::cx::Cx;
use crate::ui::kit::panel::{Focus, Panel};
use crate::ui::kit::sign::scroll;
use crate::ui::kit::text;
use crate::ui::view::keys::KeysState;
use crate::work::data::Arranged;
use crate::work::shared::Shared;

/// What the lines are of.
#[derive(Clone, PartialEq, Debug)]
pub struct DistributionInputs {
    list: Shared<Arranged>,
    width: u16,
}

pub fn settle(state: &mut KeysState, areas: &KeysAreas) {
    let room = areas.text(areas.distribution);
    let Some(list) = state.list.clone().filter(|_| !room.is_empty()) else {
        state.distribution.clear();
        return;
    };
    let of = list.distribution.clone();
    let ceiling = list.data.report.ceiling;
    let made = DistributionInputs {
        list,
        width: room.width,
    };
    let held = &mut state.distribution;
    held.settle(made, usize::from(room.height), || {
        lines(&of, ceiling, usize::from(room.width))
    });
}

fn lines(of: &Distribution, ceiling: Ceiling, width: usize) -> Vec<PaneLine> {
    if of.keys == 0 {
        return Vec::new();
    }
    let skew = &of.skew;
    let keys = if of.keys == 1 { "key" } else { "keys" };
    let count = count_text(of.keys);
    let sum = kib_text(skew.reported_kib);
    let whole = match skew.whole_of {
        WholeOf::Container => format!(
            "{count} {keys}, {sum} of the container's {}",
            kib_text(skew.total_kib)
        ),
        WholeOf::ReportedKeys => {
            format!("{count} {keys} reported, {sum}; the container's own size is not known")
        }
    };
    let sentence = |text: &str| -> Vec<PaneLine> {
        let lines = wrapped(text, width).into_iter();
        lines
            .map(|line| PaneLine::of(LineRole::Text, line))
            .collect()
    };
    let mut lines = sentence(&whole);
    let mut say = |label: &str, kib: f64, text: String| {
        let mark = Mark::of(ceiling.share(kib));
        lines.extend(fact(label, LineRole::Mark(mark), &text, width));
    };
    if let Some(quantiles) = &of.quantiles {
        for (label, kib) in [
            ("half", quantiles.p50_kib),
            ("90 %", quantiles.p90_kib),
            ("99 %", quantiles.p99_kib),
        ] {
            say(label, kib, format!("at most {}", kib_text(kib)));
        }
    }
    let whole = skew.whole_of.words();
    let largest = match skew.largest_share {
        Some(share) => format!("{}, {} {whole}", kib_text(of.max_kib), percent_text(share)),
        None => kib_text(of.max_kib),
    };
    say("largest", of.max_kib, largest);
    for top in of.tops.iter().filter(|top| top.keys > 1) {
        let label = format!("top {}", count_text(top.keys));
        let text = format!("{}, {} {whole}", kib_text(top.kib), percent_text(top.share));
        say(&label, 0.0, text);
    }
    let evenness = match of.evenness() {
        Some(words) => format!("The data is {words}."),
        None => "How uneven the data is cannot be told: the service lists large keys only, and the container's own size \
                 is not among the inputs."
            .to_owned(),
    };
    lines.extend(sentence(&evenness));
    lines.push(PaneLine::blank());
    lines.extend(histogram(&of.histogram, ceiling));
    lines
}

fn histogram(buckets: &[SizeBucket], ceiling: Ceiling) -> Vec<PaneLine> {
    let label = |bucket: &SizeBucket| {
        if bucket.from_kib > 0.0 {
            format!("from {}", kib_text(bucket.from_kib))
        } else {
            "below 1 KiB".to_owned()
        }
    };
    let columns = |texts: &mut dyn Iterator<Item = String>| {
        let widest = texts.map(|text| text.len()).max().unwrap_or_default();
        u16::try_from(widest).unwrap_or(u16::MAX)
    };
    let label_columns = columns(&mut buckets.iter().map(label));
    let count_columns = columns(&mut buckets.iter().map(|b| count_text(b.keys)));
    let most = buckets.iter().map(|b| b.keys).max().unwrap_or_default();
    let lines = buckets.iter().map(|bucket| PaneLine::Bucket {
        label: label(bucket),
        label_columns,
        part: part_of(bucket.keys, most),
        mark: Mark::of(ceiling.share(bucket.from_kib)),
        count: count_text(bucket.keys),
        count_columns,
    });
    lines.collect()
}

fn part_of(count: u64, most: u64) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "a bar has few cells")]
    let part = count as f64 / most.max(1) as f64;
    part
}

pub fn draw(state: &KeysState, cx: &Cx, areas: &KeysAreas, buffer: &mut Buffer) {
    if areas.distribution.is_empty() {
        return;
    }
    let theme = &cx.theme;
    let inner = areas.text(areas.distribution);
    if areas.frames == Frames::Drawn {
        let focus = if state.pane == KeysPane::Distribution {
            Focus::Here
        } else {
            Focus::Away
        };
        let panel = Panel::new("distribution").focus(focus);
        panel.draw(buffer, areas.distribution, theme);
    }
    let (first, total) = state.distribution.extent();
    if total == 0 {
        text::paragraph(buffer, inner, "No sizes to spread.", theme.dim, theme);
    }
    state.distribution.draw(inner, buffer, theme);
    let side = areas.text_and_marker(areas.distribution);
    scroll(buffer, side, first, total, theme);
}
