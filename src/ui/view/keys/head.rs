//! The lines above the table: whose keys these are, how many of them are shown and in which order; and what is said
//! where there is none.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Span;

use super::tree::ListShape;
use crate::analysis::arrange::Direction;
use crate::analysis::ceiling::{Mark, MarkCounts};
use crate::model::key::{Key, KeyKind};
use crate::model::units::{count_text, kib_text};
use crate::model::visible::visible;
use crate::ui::kit::action::Action;
use crate::ui::kit::cx::Cx;
use crate::ui::kit::text;
use crate::ui::view::keys::KeysState;
use crate::ui::view::no_container;
use crate::work::data::{Arranged, Dataset, Stage};
use crate::work::shared::Shared;

/// What the report tells of the container that is shown: looked for among all containers once.
#[derive(Clone, PartialEq, Debug)]
pub struct ContainerFigures {
    data: Shared<Dataset>,
    container: u32,
    keys_total: u64,
    marks: MarkCounts,
    /// Of the keys, where the definition or a key tells it.
    parts: Option<usize>,
}

/// How many parts the keys have.
pub fn parts(state: &KeysState) -> usize {
    state
        .figures
        .as_ref()
        .and_then(|told| told.parts)
        .unwrap_or(1)
}

pub fn settle(state: &mut KeysState, cx: &Cx) {
    let (Some(data), Some(container)) = (cx.data.clone(), state.container) else {
        state.figures = None;
        return;
    };
    let is_it = |told: &ContainerFigures| {
        told.container == container && told.data == data && told.parts.is_some()
    };
    if state.figures.as_ref().is_some_and(is_it) {
        return;
    }
    let held = data.capture.container(container);
    let name = held.map(|c| c.name.identity());
    let definition = held.and_then(|c| c.definition.as_ref());
    let parts = definition.map(|definition| definition.paths.len());
    let parts = parts.or_else(|| parts_of_first(state));
    let mut rows = data.report.containers.iter();
    let rows = rows.find(|rows| Some(rows.name.identity()) == name);
    let (keys_total, marks) = rows.map(|rows| (rows.keys_total, rows.marks)).unzip();
    state.figures = Some(ContainerFigures {
        keys_total: keys_total.unwrap_or_default(),
        marks: marks.unwrap_or_default(),
        parts,
        data,
        container,
    });
}

/// Where no definition is among the inputs, the first key tells how many parts each has.
fn parts_of_first(state: &KeysState) -> Option<usize> {
    let list = state.list.as_ref()?;
    let view = list.data.capture.sizes.view(list.id(0)?)?;
    let key = Key::from_canonical(view.canonical())?;
    Some(key.parts().len())
}

/// ```text
/// account ▸ shop ▸ orders   2 full   5 nearly full   hierarchical key /tenantId, /userId
/// 12 of 1,204,332 keys · filter size>14GiB · sort growth ↓ · 3 marked, 41.20 GiB
/// ```
pub fn draw(state: &KeysState, cx: &Cx, area: Rect, buffer: &mut Buffer) {
    let lines = [title(state, cx), shown(state, cx)];
    let skipped = lines.len().saturating_sub(usize::from(area.height));
    for (spans, index) in lines.iter().skip(skipped).zip(0..area.height) {
        text::left(buffer, text::row(area, index), spans, &cx.theme);
    }
}

fn title(state: &KeysState, cx: &Cx) -> Vec<Span<'static>> {
    let theme = &cx.theme;
    let signs = theme.glyphs.signs();
    let Some(container) = (|| {
        let data = cx.data.as_ref()?;
        data.capture.container(state.container?)
    })() else {
        return Vec::new();
    };
    let name = cx.mask.container(&container.name);
    let unknown = crate::analysis::rows::UNKNOWN_CONTAINER;
    let parts = [
        name.account.as_deref(),
        name.database.as_deref(),
        Some(name.container.as_deref().unwrap_or(unknown)),
    ];
    let mut spans = Vec::new();
    for part in parts.into_iter().flatten() {
        if !spans.is_empty() {
            spans.push(Span::styled(format!(" {} ", signs.path), theme.dim));
        }
        spans.extend(text::coded(&visible(part), theme.accent, theme));
    }
    let marks = state.figures.as_ref().map(|told| told.marks);
    for (count, mark, words) in marks.iter().flat_map(|marks| {
        [
            (marks.full, Mark::Full, "full"),
            (
                marks.alarm - marks.full.min(marks.alarm),
                Mark::Alarm,
                "nearly full",
            ),
            (
                marks.warn - marks.alarm.min(marks.warn),
                Mark::Warn,
                "filling",
            ),
        ]
    }) {
        if count > 0 {
            let words = format!("{} {words}", count_text(count));
            spans.push(Span::raw("   "));
            spans.push(Span::styled(words, theme.mark(mark)));
        }
    }
    if let Some(definition) = &container.definition {
        let kind = match definition.kind {
            KeyKind::Hash => "key",
            KeyKind::MultiHash => "hierarchical key",
        };
        let paths: Vec<String> = definition
            .paths
            .iter()
            .map(|path| visible(path).into_owned())
            .collect();
        spans.push(Span::styled(format!("   {kind} "), theme.dim));
        spans.push(Span::styled(paths.join(", "), theme.text));
    }
    spans
}

fn shown(state: &KeysState, cx: &Cx) -> Vec<Span<'static>> {
    let theme = &cx.theme;
    let signs = theme.glyphs.signs();
    let mut facts: Vec<(String, _)> = Vec::new();
    if let (Some(data), Some(list)) = (&cx.data, &state.list) {
        facts.push((
            counted(state, data, list.len(), list.len_unfiltered()),
            theme.text,
        ));
        if !list.filter.is_empty() {
            // It may hold a part of a name, which no masking knows.
            let filter = if cx.mask.is_on() {
                "filter not shown while masked".to_owned()
            } else {
                format!("filter {}", visible(&list.filter.to_string()))
            };
            facts.push((filter, theme.found));
        }
        let arrow = match list.sort.direction {
            Direction::Ascending => signs.up,
            Direction::Descending => signs.down,
        };
        let order = match state.shape {
            ListShape::List => format!("sort {} {arrow}", list.sort.by.label()),
            ListShape::Tree => "level by level, largest first".to_owned(),
        };
        facts.push((order, theme.text));
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
        facts.push(("arranging".to_owned(), theme.dim));
    }
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
    let total = state.figures.as_ref().map_or(0, |told| told.keys_total);
    // Statistics list the largest keys only: a number of keys is never that of the container.
    let keys = |n: u64| if n == 1 { "key listed" } else { "keys listed" };
    let of_all = |words: &str| {
        let largest = format!("the {} largest {words}", count_text(held));
        if shown == held {
            largest
        } else {
            format!("{} of {largest}", count_text(shown))
        }
    };
    match &data.stage {
        Stage::Reading { keys_so_far } => {
            of_all(&format!("of {} so far", count_text(*keys_so_far)))
        }
        Stage::Stopped { keys_so_far } => of_all(&format!(
            "of {} when reading was stopped",
            count_text(*keys_so_far)
        )),
        Stage::Largest { .. } if held < total => {
            of_all(&format!("of {} keys listed", count_text(total)))
        }
        Stage::Whole | Stage::Largest { .. } if shown == held => {
            format!("{} {}", count_text(held), keys(held))
        }
        Stage::Whole | Stage::Largest { .. } => {
            format!(
                "{} of {} {}",
                count_text(shown),
                count_text(held),
                keys(held)
            )
        }
    }
}

/// Why there is no row, and what to do about it; None where there are rows or the answer is on its way.
pub fn emptiness(state: &KeysState, cx: &Cx) -> Option<String> {
    let data = cx.data.as_ref()?;
    if data.capture.containers.is_empty() {
        return Some(no_container(cx));
    }
    if let Some(list) = state.list.as_ref().filter(|list| list.len_unfiltered() > 0) {
        let clear = cx.keymap.shown(Action::ClearFilter).unwrap_or_default();
        let back = cx.keymap.shown(Action::Back).unwrap_or_default();
        let held = count_text(list.len_unfiltered() as u64);
        return list.is_empty().then(|| {
            format!(
                "None of the {held} keys passes the filter. {clear} or {back} shows all of them again."
            )
        });
    }
    if state.list.is_none() && state.generation.is_some() {
        return Some("Arranging the keys.".to_owned());
    }
    if data.capture.sizes.is_empty() {
        return Some(
            "No key sizes in these inputs. They come from the diagnostic log PartitionKeyStatistics: switch it on for the \
             account, export the table CDBPartitionKeyStatistics, and open it together with these files."
                .to_owned(),
        );
    }
    Some(
        "No key of this container was reported. The service lists large keys only: the largest of each physical \
         partition, and none that is small. Absence is not zero."
            .to_owned(),
    )
}
