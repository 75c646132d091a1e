//! `:locate VALUE…`: where values of the key lie, below the strip of hash ranges; also those that no input has.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Span;

use super::strip::column;
use super::{Chart, HeatPane, HeatState};
use crate::analysis::locate::{LocateRanges, Located, LocatedKey};
use crate::model::key::Key;
use crate::model::units::{kib_text, percent_text};
use crate::model::visible::visible;
use crate::report::key_text::key_text;
use crate::ui::kit::cx::Cx;
use crate::ui::kit::line::Prompt;
use crate::ui::kit::msg::{Effect, OnScreen};
use crate::ui::kit::text;

/// More have no rows.
const MOST_VALUES: usize = 20;

/// Begins to type the values.
pub fn open() -> Vec<Effect> {
    OnScreen::Type(Box::new(Prompt::of_value("locate", "locate", ""))).alone()
}

/// Shows the strip with these values; none takes them away.
pub fn locate(state: &mut HeatState, cx: &Cx, typed: &str) -> Vec<Effect> {
    super::choosing::begin(state, cx);
    let ranges = state.container.and_then(|number| {
        let data = cx.data.as_ref()?;
        LocateRanges::of(&data.capture, number)
    });
    if ranges.is_none() {
        return Effect::fail(
            "the key or the hash ranges of this container are not known",
            Some("open a container read and its partition key ranges, too"),
        );
    }
    let values = pieces(typed);
    let dropped = values.len().saturating_sub(MOST_VALUES);
    let values = values.iter().take(MOST_VALUES);
    state.located = values.filter_map(|value| Key::from_cell(value)).collect();
    state.chart = Chart::Ranges;
    state.pane = HeatPane::Map;
    if dropped > 0 {
        return Effect::say(format!("the first {MOST_VALUES} values are shown; {dropped} are not"));
    }
    Effect::say("Esc takes the values away")
}

/// Words; a text in quotes and a list are one.
pub fn pieces(text: &str) -> Vec<String> {
    let (mut found, mut piece) = (Vec::new(), String::new());
    let (mut is_quoted, mut depth) = (false, 0_u32);
    for letter in text.chars() {
        match letter {
            '"' => is_quoted = !is_quoted,
            '[' if !is_quoted => depth += 1,
            ']' if !is_quoted => depth = depth.saturating_sub(1),
            _ => {}
        }
        if letter.is_whitespace() && !is_quoted && depth == 0 {
            found.push(std::mem::take(&mut piece));
        } else {
            piece.push(letter);
        }
    }
    found.push(piece);
    found.retain(|piece| !piece.is_empty());
    let bare = |piece: &String| {
        let inner = piece.strip_prefix('"')?.strip_suffix('"')?;
        Some(inner.to_owned())
    };
    let found = found.into_iter();
    found.map(|piece| bare(&piece).unwrap_or(piece)).collect()
}

pub fn located(state: &HeatState, cx: &Cx, container: u32) -> Option<Located> {
    let data = cx.data.as_ref().filter(|_| !state.located.is_empty())?;
    let ranges = LocateRanges::of(&data.capture, container)?;
    let found = Located::of(ranges, state.located.clone());
    let mut found = found.with_sizes(&data.capture, container, &data.lookups);
    if let Some(masker) = cx.mask.shared() {
        found.mask(&masker);
    }
    Some(found)
}

/// Rows below the strip: their places, one for each, one for what they share.
pub fn rows(located: Option<&Located>) -> usize {
    located.map_or(0, |found| found.keys.len() + 1 + found.notes.len())
}

/// ```text
///         1          2                         3
/// 1 Andrew · partition 0 · 3.20 GiB · at 12 % of all hashes · 1F8E…
/// ```
pub fn draw(located: &Located, cx: &Cx, area: Rect, buffer: &mut Buffer) {
    let theme = &cx.theme;
    let places = text::row(area, 0);
    for (number, key) in (1..).zip(&located.keys) {
        let Some(position) = key.position else {
            continue;
        };
        let at = column(position, places.width).min(places.width.saturating_sub(1));
        let sign = format!("{number}");
        let room = text::column(places, at, 2).intersection(places);
        text::left(buffer, room, &[Span::styled(sign, theme.alarm)], theme);
    }
    let notes = located.notes.iter().map(|note| (note.sentence(), theme.dim));
    let values = (1..).zip(&located.keys);
    let values = values.map(|(number, key)| (sentence(number, key), theme.text));
    for ((words, style), index) in values.chain(notes).zip(1..area.height) {
        let words = theme.glyphs.sentence(&words).into_owned();
        let row = text::row(area, index);
        text::left(buffer, row, &[Span::styled(words, style)], theme);
    }
}

fn sentence(number: usize, found: &LocatedKey) -> String {
    let name = key_text(Some(&found.key.json()));
    let partitions = visible(&found.partitions.join(", ")).into_owned();
    let place = match found.partitions.len() {
        0 => "nowhere".to_owned(),
        1 => format!("partition {partitions}"),
        several => format!("{several} partitions: {partitions}"),
    };
    let position = found.position.map(|at| format!("at {} of all hashes", percent_text(at)));
    let hash = found.epk.as_ref().map(ToString::to_string);
    let stored = found.stored_kib.map(kib_text);
    let more = [stored, position, hash].into_iter().flatten();
    let parts: Vec<String> = [format!("{number} {name}"), place].into_iter().chain(more).collect();
    parts.join(" · ")
}

/// Takes the values away; false where there are none.
pub fn step_back(state: &mut HeatState) -> bool {
    let is_shown = state.chart == Chart::Ranges && !state.located.is_empty();
    if is_shown {
        state.located.clear();
    }
    is_shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_lists_and_quoted_texts_are_values() {
        let found = pieces(r#"Andrew  ["a b", 2] [42] "two words" x"#);
        assert_eq!(found, ["Andrew", r#"["a b", 2]"#, "[42]", "two words", "x"]);
    }
}
