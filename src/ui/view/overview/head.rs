//! The line above the list: how many containers, how bad, and which key reaches 20 GB next.

use ratatui::text::Span;

use super::OverviewState;
use super::detail::Line;
use super::sorting::ORDERS;
use crate::model::units::{count_text, counted};
use crate::report::limit_date_text;
use crate::ui::kit::cx::Cx;
use crate::ui::kit::text;

/// The shared part of the names is the first thing on the screen, not the only one.
const MOST_COMMON_COLUMNS: usize = 28;
const MOST_KEY_COLUMNS: usize = 24;
const BETWEEN: &str = " · ";

/// A part of the line; of parts that do not fit those with the highest number are left out.
struct Part {
    need: u8,
    spans: Line,
}

pub(super) fn head(state: &OverviewState, cx: &Cx, width: usize) -> Line {
    let theme = &cx.theme;
    let sum = &state.totals;
    let mut parts: Vec<Part> = Vec::new();
    let mut say = |need: u8, text: String, style| {
        let spans = vec![Span::styled(text, style)];
        parts.push(Part { need, spans });
    };
    if !state.common.is_empty() {
        let name = text::shorten(&state.common, MOST_COMMON_COLUMNS, theme.glyphs);
        say(5, name, theme.accent);
    }
    let mut style = theme.title;
    let mut containers = counted(sum.containers, "container", "containers");
    if !state.filter.is_empty() {
        let filter = theme.glyphs.outside(&state.filter);
        let shown = count_text(state.order.len() as u64);
        let keys = match (state.search.total(), state.search.hits().len() as u64) {
            (0, _) => String::new(),
            (total, all) if total == all => format!(", {}", counted(total, "key", "keys")),
            (total, first) => {
                format!(", {} keys (the {} largest shown)", count_text(total), count_text(first))
            }
        };
        containers = format!("{shown} of {containers}{keys} with \"{filter}\"");
        style = theme.found;
    }
    say(0, containers.clone(), style);
    let containers = text::width(&containers, theme.glyphs);
    let keys = match sum.keys_total {
        0 => "no sizes of keys".to_owned(),
        n => counted(n, "key", "keys"),
    };
    say(7, keys, theme.text);
    let counts = sum.marks.passed().filter(|_| !cx.veil.is_drawn());
    let mut room = width.saturating_sub(containers);
    // The worst of them has its room before the next date has all of its words.
    for (need, (n, mark)) in std::iter::once(2).chain(std::iter::repeat(6)).zip(counts) {
        let chip = format!("{} {}", count_text(n), mark.label());
        if need == 2 {
            room = room.saturating_sub(text::width(&chip, theme.glyphs) + BETWEEN.chars().count());
        }
        say(need, chip, theme.mark(mark));
    }
    let next = next_date(state, cx, room.saturating_sub(BETWEEN.chars().count()));
    if let Some(next) = next.filter(|_| !cx.veil.is_drawn()) {
        say(3, next, theme.text);
    }
    let by = state.sort.by;
    let is_seen = |column| state.drawn.placed.iter().any(|at| at.id == column);
    if !is_seen(by.column()) {
        say(4, format!("sorted by {}", ORDERS.name(by)), theme.dim);
    }
    for provisioned in &state.provisioned {
        say(8, provisioned.clone(), theme.dim);
    }
    fitting(parts, cx, width)
}

/// `next key reaches 20 GB: readings dev-010, 2026-11-29 ±3 d`.
///
/// Where there is no room for all of it, without the container, then without the ± of the date.
fn next_date(state: &OverviewState, cx: &Cx, room: usize) -> Option<String> {
    let as_of = cx.data.as_ref().and_then(|data| data.report.as_of);
    let dated = state.rows.iter().filter_map(|row| {
        let key = row.next.as_ref()?;
        Some((key.limit_date.date()?, row, key))
    });
    let (at, row, key) = dated.min_by_key(|dated| dated.0)?;
    let name = cx.mask.key_text(key.key.as_deref());
    let name = text::shorten(&name, MOST_KEY_COLUMNS, cx.theme.glyphs);
    let date = limit_date_text(&key.limit_date, as_of);
    let day = date.split(" ±").next().unwrap_or(&date);
    let passed = if cx.now.is_some_and(|now| at < now) { " (passed)" } else { "" };
    let limit = cx.ceiling.name();
    let forms = [
        format!("next key reaches {limit}: {} {name}, {date}{passed}", row.name),
        format!("next key reaches {limit}: {name}, {date}{passed}"),
        format!("next reaches {limit}: {name}, {day}{passed}"),
    ];
    let fits = |form: &String| text::width(form, cx.theme.glyphs) <= room;
    forms.into_iter().find(fits)
}

/// The parts that fit, in their order.
fn fitting(parts: Vec<Part>, cx: &Cx, width: usize) -> Line {
    let columns = |part: &Part| -> usize {
        let spans = part.spans.iter();
        let used = spans.map(|span| text::width(&span.content, cx.theme.glyphs));
        used.sum::<usize>() + BETWEEN.chars().count()
    };
    let mut room = width + BETWEEN.chars().count();
    let mut by_need: Vec<(usize, &Part)> = parts.iter().enumerate().collect();
    by_need.sort_by_key(|(at, part)| (part.need, *at));
    let mut is_kept = vec![false; parts.len()];
    for (at, part) in by_need {
        if part.need == 0 || columns(part) <= room {
            is_kept[at] = true;
            room = room.saturating_sub(columns(part));
        }
    }
    let mut line = Line::new();
    let kept = parts.into_iter().zip(is_kept).filter(|(_, kept)| *kept);
    for (part, _) in kept {
        if !line.is_empty() {
            line.push(Span::styled(BETWEEN, cx.theme.dim));
        }
        line.extend(part.spans);
    }
    line
}
