//! The lines above the table: how many keys are shown, how many near or pass the limit, and in which order; and what is
//! said where there is none. Whose keys these are stands in the header of the program.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Span;

use super::by_ru;
use super::table::ListedBy;
use super::tree::ListShape;
use crate::analysis::arrange::Direction;
use crate::analysis::ceiling::MarkCounts;
use crate::analysis::diagnosis::Verdict;
use crate::analysis::findings::Severity;
use crate::analysis::heat::RangeName;
use crate::analysis::rows::{Note, OTHER_KEYS};
use crate::analysis::rules::Rule;
use crate::model::units::{self, count_text, kib_text, percent_text};
use crate::model::visible::visible;
use crate::ui::kit::action::Action;
use crate::ui::kit::cx::Cx;
use crate::ui::kit::{card, text};
use crate::ui::view::keys::KeysState;
use crate::ui::view::no_container;
use crate::ui::view::overview::trends::HeatStrips;
use crate::work::data::{Arranged, Dataset, Stage};
use crate::work::shared::Shared;

/// What separates the parts of a line.
const BETWEEN: &str = " · ";

/// What the report shows of the container: looked for among all containers once.
#[derive(Clone, PartialEq, Debug)]
pub struct ContainerFigures {
    data: Shared<Dataset>,
    container: u32,
    keys_total: u64,
    marks: MarkCounts,
    /// Only the largest keys are reported.
    other_keys: bool,
    /// The share of the logged RU without a key, where there is any.
    keyless: Option<f64>,
}

/// Lines above the table.
pub fn lines(state: &KeysState) -> u16 {
    let found = state.figures.iter().flat_map(findings).count();
    1 + u16::try_from(found).unwrap_or(0)
}

/// What the list leaves out, to be said below it.
pub fn other_keys(state: &KeysState) -> Option<String> {
    let list = state.list.as_ref()?;
    if state.listed_by() == ListedBy::Ru {
        let heat = list.data.heat.container(list.container)?;
        let at = state.figures.iter().flat_map(findings);
        let at = at.filter_map(|verdict| heat.partitions.get(verdict.partition? as usize));
        let mut named = at.map(|at| &at.named);
        let words = if named.any(|name| matches!(name, RangeName::Guid(_))) {
            by_ru::NO_GUIDS
        } else {
            by_ru::NO_SIZES
        };
        return Some(words.to_owned());
    }
    let figures = state.figures.as_ref()?;
    let is_whole = list.filter.is_empty() && !list.is_empty();
    let others = (is_whole && figures.other_keys).then(|| OTHER_KEYS.to_owned());
    let keyless = figures.keyless.map(percent_text);
    let keyless = keyless.map(|share| format!("no key in the RU log: {share} of RU"));
    let parts: Vec<String> = keyless.into_iter().chain(others).collect();
    (!parts.is_empty()).then(|| parts.join(BETWEEN))
}

/// What the banner says of the container: the worst that is wrong, then its largest keys and that it has too few keys.
fn findings(figures: &ContainerFigures) -> impl Iterator<Item = &Verdict> {
    let found = figures.data.diagnoses.container(figures.container);
    let verdicts = found.into_iter().flat_map(|found| &found.verdicts);
    let numbered = verdicts.enumerate().filter(|(place, verdict)| {
        let is_worst = *place == 0 && verdict.severity > Severity::Note;
        let is_of_key = verdict.is_of_size() || verdict.rule == Rule::HotKey;
        let is_near = is_of_key && verdict.severity > Severity::Note;
        is_worst || is_near || verdict.rule == Rule::LowCardinality
    });
    numbered.map(|(_, verdict)| verdict)
}

pub fn settle(state: &mut KeysState, cx: &Cx) {
    let (Some(data), Some(container)) = (cx.data.clone(), state.container) else {
        state.figures = None;
        return;
    };
    let is_it = |figures: &ContainerFigures| figures.container == container && figures.data == data;
    if state.figures.as_ref().is_some_and(is_it) {
        return;
    }
    let held = data.capture.container(container);
    let name = held.map(|c| c.name.identity());
    let mut rows = data.report.containers.iter();
    let rows = rows.find(|rows| Some(rows.name.identity()) == name);
    let is_other = |note: &Note| note.text.starts_with(OTHER_KEYS);
    let other_keys = rows.is_some_and(|rows| rows.notes.iter().any(is_other));
    let (keys_total, marks) = rows.map(|rows| (rows.keys_total, rows.marks)).unzip();
    let ru = &data.lookups.ru;
    let keyless = ru.of_key(&data.capture.load, container, "");
    let keyless = keyless.zip(ru.of_container(container));
    let keyless = keyless.filter(|(ru, whole)| *ru > 0.0 && *whole > 0.0);
    state.figures = Some(ContainerFigures {
        keyless: keyless.map(|(ru, whole)| ru / whole),
        keys_total: keys_total.unwrap_or_default(),
        marks: marks.unwrap_or_default(),
        other_keys,
        data,
        container,
    });
}

/// ```text
/// 12 of the 1,204,332 largest keys listed · filter size>14GiB · sort growth ↓ · 3 marked, 41.2 GiB · 2 keys ≥90 %
/// ● KEY OVER 20 GB  tenant-0002  108 % of 20 GB
/// ○ LOW-CARDINALITY  4 keys for 5 partitions  behave like 2.4
/// ```
pub fn draw(state: &KeysState, cx: &Cx, area: Rect, buffer: &mut Buffer) {
    let theme = &cx.theme;
    let mut lines = vec![shown(state, cx)];
    let shown = state.figures.iter().filter(|_| !cx.veil.is_drawn());
    let found = shown.flat_map(findings);
    lines.extend(found.map(|verdict| {
        let row = card::headline_row(cx, verdict, area.width.into());
        card::spans(&row, theme)
    }));
    for (spans, index) in lines.iter().zip(0..area.height) {
        text::left(buffer, text::row(area, index), spans, &cx.theme);
    }
}

fn shown(state: &KeysState, cx: &Cx) -> Vec<Span<'static>> {
    let theme = &cx.theme;
    let signs = theme.glyphs.signs();
    let mut facts: Vec<(String, _)> = Vec::new();
    if let (Some(data), Some(list)) = (&cx.data, &state.list) {
        let counted = match state.listed_by() {
            ListedBy::Size => counted(state, data, list.len(), list.len_unfiltered()),
            ListedBy::Ru => counted_by_ru(state.by_ru.len(), state.by_ru.all()),
        };
        facts.push((counted, theme.text));
        if !list.filter.is_empty() {
            // It may hold a part of a name, which no masking knows.
            let filter = if cx.mask.is_on() {
                "filter not shown while masked".to_owned()
            } else {
                format!("filter {}", visible(&list.filter.to_string()))
            };
            facts.push((filter, theme.found));
        }
        let sort = state.possible(list.sort);
        let arrow = match sort.direction {
            Direction::Ascending => signs.up,
            Direction::Descending => signs.down,
        };
        let order = match state.shape {
            ListShape::List => format!("sort {} {arrow}", sort.by.label()),
            ListShape::Tree => "level by level, largest first".to_owned(),
        };
        facts.extend((keys_in_all(state) > 0).then_some((order, theme.text)));
    }
    if !state.marks.is_empty() {
        let marked = count_text(state.marks.len() as u64);
        let sum = kib_text(state.marks.sum_kib());
        facts.push((format!("{marked} marked, {sum}"), theme.marked_row));
    }
    // Filters are answered so soon that saying so at each letter would only flicker.
    let is_old = |list: &Shared<Arranged>| {
        list.sort != state.sort || cx.data.as_ref().is_some_and(|data| *data != list.data)
    };
    if state.generation.is_some() && state.list.as_ref().is_some_and(is_old) {
        facts.push(("sorting".to_owned(), theme.dim));
    }
    let marks = state.figures.iter().flat_map(|f| f.marks.passed());
    facts.extend(marks.map(|(count, mark)| {
        let keys = units::counted(count, "key", "keys");
        (format!("{keys} {}", mark.label()), theme.mark(mark))
    }));
    let mut spans = Vec::new();
    for (words, style) in facts {
        if !spans.is_empty() {
            spans.push(Span::styled(format!(" {} ", signs.between), theme.dim));
        }
        spans.push(Span::styled(words, style));
    }
    spans
}

/// How many keys are shown of how many, and whether more are still to come.
fn counted(state: &KeysState, data: &Dataset, shown: usize, held: usize) -> String {
    let (shown, held) = (shown as u64, held as u64);
    let total = state.figures.as_ref().map_or(0, |figures| figures.keys_total);
    // Statistics list the largest keys only: a number of keys is never that of the container.
    let keys = |n: u64| if n == 1 { "key listed" } else { "keys listed" };
    let of_all = |words: &str| {
        let largest = format!("the {} largest {words}", count_text(held));
        if shown == held { largest } else { format!("{} of {largest}", count_text(shown)) }
    };
    match &data.stage {
        Stage::Reading { keys_so_far } => {
            of_all(&format!("of {} so far", count_text(*keys_so_far)))
        }
        Stage::Stopped { keys_so_far } => {
            of_all(&format!("of {} when reading was stopped", count_text(*keys_so_far)))
        }
        Stage::Largest { .. } if held < total => {
            of_all(&format!("of {} keys listed", count_text(total)))
        }
        _ if held == 0 => "no keys reported".to_owned(),
        Stage::Whole | Stage::Largest { .. } if shown == held => {
            format!("{} {}", count_text(held), keys(held))
        }
        Stage::Whole | Stage::Largest { .. } => {
            format!("{} of {} {}", count_text(shown), count_text(held), keys(held))
        }
    }
}

fn counted_by_ru(shown: usize, all: usize) -> String {
    let (shown, all) = (shown as u64, all as u64);
    let keys = units::counted(all, "key", "keys");
    if shown == all {
        format!("{keys} in the RU log")
    } else {
        format!("{} of {keys} in the RU log", count_text(shown))
    }
}

/// Keys of the container, shown or not.
fn keys_in_all(state: &KeysState) -> usize {
    match state.listed_by() {
        ListedBy::Size => state.list.as_ref().map_or(0, |list| list.len_unfiltered()),
        ListedBy::Ru => state.by_ru.all(),
    }
}

/// In place of rows: why there is none, then the load of the partitions.
pub fn draw_emptiness(state: &KeysState, cx: &Cx, words: &str, room: Rect, buffer: &mut Buffer) {
    let mut used = 0;
    for line in words.lines() {
        let rest = text::rows(room, used, room.height);
        used += text::paragraph(buffer, rest, line, cx.theme.text, &cx.theme);
    }
    if keys_in_all(state) == 0 {
        draw_load(state, cx, text::rows(room, used + 1, room.height), buffer);
    }
}

/// The load of the partitions, where nothing else takes the room.
pub fn draw_load(state: &KeysState, cx: &Cx, rest: Rect, buffer: &mut Buffer) {
    let strips = (state.container).and_then(|at| HeatStrips::of(cx, at)).map(HeatStrips::alone);
    let lines = strips.map(|strips| strips.lines(cx, rest.width.into(), rest.height.into()));
    for (line, index) in lines.iter().flatten().zip(0..rest.height) {
        text::left(buffer, text::row(rest, index), line, &cx.theme);
    }
}

/// Why there is no row, and what to do about it; None where there are rows or the answer is on its way.
pub fn emptiness(state: &KeysState, cx: &Cx) -> Option<String> {
    let data = cx.data.as_ref()?;
    if data.capture.containers.is_empty() {
        return Some(no_container(cx));
    }
    let held = keys_in_all(state);
    if held > 0 {
        let clear = cx.keymap.shown(Action::ClearFilter).unwrap_or_default();
        let back = cx.keymap.shown(Action::Back).unwrap_or_default();
        let held = count_text(held as u64);
        let is_empty = state.shape == ListShape::List && state.rows() == 0;
        return is_empty.then(|| {
            format!("None of the {held} keys passes the filter. {clear} or {back} shows all keys.")
        });
    }
    if state.list.is_none() && state.generation.is_some() {
        return Some("Sorting the keys.".to_owned());
    }
    let query = cx.keymap.shown(Action::CopyQuery).unwrap_or_default();
    let steps = cx.keymap.shown(Action::WhatNow).unwrap_or_default();
    let mut rows = data.overview.rows.iter();
    let row = rows.find(|row| Some(row.number) == state.container && row.size_kib > 0.0);
    let size = row.map_or_else(|| "unknown".to_owned(), |row| kib_text(row.size_kib));
    if data.capture.sizes.is_empty() {
        return Some(format!(
            "Unknown: the keys, their sizes and their RU. No input lists a key.\n\
             Size of the container: {size}.\n\
             Sizes: {query} copies the query of CDBPartitionKeyStatistics. Save its result as keys.csv and open it with \
             these files: cosmoscope open keys.csv FILES\n\
             RU by key: export CDBPartitionKeyRUConsumption; {steps} has the command that switches both logs on."
        ));
    }
    Some(
        "No key of this container was reported. The service lists large keys only: the largest of each physical \
         partition, and none that is small. Absence is not zero."
            .to_owned(),
    )
}

#[cfg(test)]
mod tests {
    use crate::ui::app::testing::app_with;
    use crate::ui::view::keys::tests::pressed;
    use crate::ui::view::testing::screen;

    /// What the RU log has no key for is in no row: the line below the list has its share.
    #[test]
    fn requests_without_a_key_are_counted_below_the_list() {
        for (scenario, share) in [("fanout", "100 %"), ("customers", "10 %")] {
            let mut app = app_with(scenario);
            pressed(&mut app, "2");
            let lines = screen(&app).join("\n");
            let words = format!("no key in the RU log: {share} of RU");
            assert!(lines.contains(&words), "{scenario}: {lines}");
        }
        let mut app = app_with("tenants");
        pressed(&mut app, "2");
        assert!(!screen(&app).join("\n").contains("no key in the RU log"));
    }

    #[test]
    fn the_banner_is_the_worst_finding_the_largest_key_and_low_cardinality() {
        let cases: [(_, &[&str]); 3] = [
            (
                "tenants",
                &["● HOT KEY  D", "● KEY NEAR 20 GB  A", "○ LOW-CARDINALITY  6 active keys"],
            ),
            ("users", &["● HOT RANGE", "○ KEY NEAR 20 GB", "○ LOW-CARDINALITY  8 active keys"]),
            ("customers", &[]),
        ];
        for (scenario, expected) in cases {
            let mut app = app_with(scenario);
            pressed(&mut app, "2");
            let lines = screen(&app);
            for (line, words) in lines[2..].iter().zip(expected) {
                assert!(line.starts_with(words), "{scenario}: {line}");
            }
            let after = &lines[2 + expected.len()];
            assert!(!after.contains("CARDINALITY"), "{scenario}: {after}");
        }
    }
}
