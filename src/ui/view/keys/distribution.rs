//! The pane with how sizes are spread over the keys of the container.
//!
//! ```text
//! 1,204,332 keys, 212.40 GiB of the container's 300.00 GiB
//! half        of keys: at most 12 KiB
//! 99 %        of keys: at most 1.20 GiB
//! largest     21.60 GiB, 7.2 %
//! top 10      64.00 GiB, 21.3 %
//!
//!       to 1 MiB ██████████ 1,200,000
//! 1 to 2 MiB     ▏                 12
//! ```
//!
//! Below it, where there is room, the first keys of the list over time.

use ratatui::buffer::Buffer;

use super::detail::chart_rows;
use super::layout::{Frames, KeysAreas, KeysPane, with_marker};
use super::lines::{LineRole, PaneLine, fact, wrapped};
use super::window::key_shown;
use crate::analysis::ceiling::{Ceiling, Mark};
use crate::analysis::distribution::{Distribution, SizeBucket};
use crate::analysis::skew::WholeOf;
use crate::model::units::{count_text, kib_text, percent_text, real};
use crate::ui::kit::cx::Cx;
use crate::ui::kit::glyphs::Glyphs;
use crate::ui::kit::masking::Mask;
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
    height: u16,
    names: u64,
    glyphs: Glyphs,
}

pub fn settle(state: &mut KeysState, cx: &Cx, areas: &KeysAreas) {
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
        height: room.height,
        names: state.names,
        glyphs: cx.theme.glyphs,
    };
    let held = &mut state.distribution;
    held.settle(made.clone(), usize::from(room.height), || {
        let mut lines = lines(&of, ceiling, usize::from(room.width));
        lines.extend(first_keys(&made, lines.len(), &cx.mask));
        lines
    });
}

/// Columns of a small chart with the gap behind it, and the rows from which on there are any.
const SMALL_WIDTH: u16 = 42;
const SMALL_HEIGHT: usize = 8;
const SMALL_MOST: usize = 20;

/// The first keys of the list over time, side by side on one scale, where the distribution leaves room for them.
fn first_keys(made: &DistributionInputs, taken: usize, mask: &Mask) -> Vec<PaneLine> {
    let rows = usize::from(made.height).saturating_sub(taken + 2);
    if rows < SMALL_HEIGHT {
        return Vec::new();
    }
    let data = &made.list.data;
    let (glyphs, ceiling) = (made.glyphs, data.report.ceiling);
    let width = usize::from(SMALL_WIDTH);
    let size = (width - 2, rows.min(SMALL_MOST));
    let ids = (0..usize::from(made.width / SMALL_WIDTH)).filter_map(|place| made.list.id(place));
    let charts = ids.filter_map(|id| {
        let (key, series) = data.lookups.key_row(&data.capture, id)?;
        let mut samples = series.samples.to_vec();
        samples.sort_by_key(|sample| sample.when.order());
        let chart = chart_rows(ceiling, &samples, &key.limit_date, size, glyphs);
        let name = text::shorten(&key_shown(&key, mask), width - 2, glyphs);
        let name = vec![(LineRole::Outside, name)];
        (!chart.is_empty()).then(|| std::iter::once(name).chain(chart).collect())
    });
    let charts: Vec<Vec<Vec<(LineRole, String)>>> = charts.collect();
    if charts.is_empty() {
        return Vec::new();
    }
    let row = |at: usize| {
        let pieces = charts.iter().filter_map(|chart| chart.get(at)).flat_map(|pieces| {
            let used: usize = pieces.iter().map(|p| text::width(&p.1, glyphs)).sum();
            let gap = " ".repeat(width.saturating_sub(used));
            let gap = std::iter::once((LineRole::Dim, gap));
            pieces.iter().cloned().chain(gap)
        });
        PaneLine::Pieces(pieces.collect())
    };
    let rows = (0..=size.1).map(row);
    std::iter::once(PaneLine::blank()).chain(rows).collect()
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
        WholeOf::Container => {
            format!("{count} {keys}, {sum} of the container's {}", kib_text(skew.total_kib))
        }
        WholeOf::ReportedKeys => {
            format!("{count} {keys} reported, {sum}; container size unknown")
        }
    };
    let sentence = |text: &str| -> Vec<PaneLine> {
        let lines = wrapped(text, width).into_iter();
        lines.map(|line| PaneLine::of(LineRole::Text, line)).collect()
    };
    let mut lines = sentence(&whole);
    let mut say = |label: &str, kib: f64, text: String| {
        let mark = Mark::of(ceiling.share(kib));
        lines.extend(fact(label, LineRole::Mark(mark), &text, width));
    };
    if let Some(quantiles) = &of.quantiles {
        for (label, kib) in
            [("half", quantiles.p50_kib), ("90 %", quantiles.p90_kib), ("99 %", quantiles.p99_kib)]
        {
            say(label, kib, format!("of keys: at most {}", kib_text(kib)));
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
    lines.extend(sentence(&of.evenness()));
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
    let widest = |texts: &[String]| texts.iter().map(String::len).max().unwrap_or_default();
    let labels: Vec<String> = buckets.iter().map(label).collect();
    let counts: Vec<String> = buckets.iter().map(|b| count_text(b.keys)).collect();
    let (left, right) = (widest(&labels), widest(&counts));
    let most = buckets.iter().map(|b| b.keys).max().unwrap_or_default();
    let lines = buckets.iter().zip(labels.iter().zip(&counts));
    let lines = lines.map(|(bucket, (label, count))| PaneLine::Bucket {
        label: format!("{label:>left$}"),
        part: real(bucket.keys) / real(most.max(1)),
        mark: Mark::of(ceiling.share(bucket.from_kib)),
        count: format!("{count:>right$}"),
    });
    lines.collect()
}

pub fn draw(state: &KeysState, cx: &Cx, areas: &KeysAreas, buffer: &mut Buffer) {
    if areas.distribution.is_empty() {
        return;
    }
    let theme = &cx.theme;
    let inner = areas.text(areas.distribution);
    if areas.frames == Frames::Drawn {
        let focus = if state.pane == KeysPane::Distribution { Focus::Here } else { Focus::Away };
        let panel = Panel::new("distribution").focus(focus);
        panel.draw(buffer, areas.distribution, theme);
    }
    let (first, total) = state.distribution.extent();
    if total == 0 {
        text::paragraph(buffer, inner, "No sizes are reported.", theme.dim, theme);
    }
    state.distribution.draw(inner, buffer, theme);
    let side = with_marker(inner);
    scroll(buffer, side, first, total, theme);
}
