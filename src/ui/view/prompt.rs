//! A line that is typed, drawn in place of the status line, with its offers above it.
//!
//! ```text
//! │ sort              s      Sort by the next column            │
//! │ sort-back         S      Sort by the previous column        │
//! : so▏
//! ```
//!
//! A label before the line says what it is for: `try key: /tenantId▏`, `size = 3.66 MiB▏`.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Span;

use crate::ui::kit::glyphs::Glyphs;
use crate::ui::kit::text;

use crate::model::visible::display_width;
use crate::ui::kit::line::Prompt;
use crate::ui::kit::theme::Theme;

/// Offers drawn at a time.
const OFFERS_SHOWN: usize = 10;
/// Columns of a label; names in it may come from a file.
const LONGEST_LABEL: usize = 24;

/// The label as it is drawn, and the columns of it and of the blank after it.
fn label(line: &Prompt, glyphs: Glyphs) -> (String, u16) {
    let label = text::shorten(&line.label, LONGEST_LABEL, glyphs);
    let columns = u16::try_from(display_width(&label) + 1).unwrap_or(u16::MAX);
    (label, columns)
}

/// The part of the line that is drawn: its text, made visible, from a character on that keeps the cursor in sight.
fn window(line: &Prompt, width: usize, glyphs: Glyphs) -> (String, usize) {
    let shown: Vec<String> = line
        .text()
        .chars()
        .map(|c| match c {
            // Alone it would be shown as a sign of its own, as at the end of a name.
            ' ' => " ".to_owned(),
            c => glyphs.outside(c.encode_utf8(&mut [0; 4])).into_owned(),
        })
        .collect();
    let before = |from: usize| -> usize {
        let span = shown.get(from..line.cursor()).unwrap_or_default();
        span.iter().map(|s| display_width(s)).sum()
    };
    let mut first = 0;
    while first < line.cursor() && before(first) >= width.max(1) {
        first += 1;
    }
    let text: String = shown.get(first..).unwrap_or_default().concat();
    (text, before(first))
}

/// The cell of the cursor.
pub fn cursor(line: &Prompt, area: Rect, glyphs: Glyphs) -> (u16, u16) {
    let (_, lead) = label(line, glyphs);
    let (_, column) = window(line, usize::from(area.width.saturating_sub(lead)), glyphs);
    let column = u16::try_from(column).unwrap_or(u16::MAX);
    let x = area.x.saturating_add(lead).saturating_add(column);
    (x.min(area.right().saturating_sub(1)), area.y)
}

/// The line; behind it what is wrong with it, else `note`.
pub fn draw_line(theme: &Theme, line: &Prompt, note: &str, area: Rect, buffer: &mut Buffer) {
    let (label, lead) = label(line, theme.glyphs);
    let (text, _) = window(line, usize::from(area.width.saturating_sub(lead)), theme.glyphs);
    let style = if line.is_untouched { theme.selected } else { theme.input };
    let mut spans =
        vec![Span::styled(label, theme.key_hint), Span::raw(" "), Span::styled(text, style)];
    match &line.problem {
        Some((_, problem)) => {
            let problem = format!("   {}", theme.glyphs.sentence(problem));
            spans.push(Span::styled(problem, theme.warning));
        }
        None => spans.push(Span::styled(note, theme.hint)),
    }
    text::left(buffer, area, &spans, theme);
}

/// The rows that offers take, above the line.
fn offers_area(line: &Prompt, body: Rect) -> Rect {
    let rows = line.offers.len().min(OFFERS_SHOWN);
    let rows = u16::try_from(rows).unwrap_or(0).min(body.height);
    Rect { y: body.bottom().saturating_sub(rows), height: rows, ..body }
}

/// The first offer drawn: the chosen one stays in sight.
fn first_offer(line: &Prompt, rows: usize) -> usize {
    let chosen = line.chosen.unwrap_or(0);
    (chosen + 1).saturating_sub(rows.max(1))
}

pub fn draw_offers(theme: &Theme, line: &Prompt, body: Rect, buffer: &mut Buffer) {
    let area = offers_area(line, body);
    let first = first_offer(line, usize::from(area.height));
    let names = line.offers.iter().map(|o| display_width(&o.shown)).max();
    let width = names.unwrap_or(0).min(usize::from(area.width) * 2 / 3);
    text::clear(buffer, area);
    let shown = line.offers.iter().enumerate().skip(first);
    for ((at, offer), y) in shown.zip(area.y..area.bottom()) {
        let style = if line.chosen == Some(at) { theme.selected } else { theme.text };
        let name = text::shorten(&offer.shown, width, theme.glyphs);
        let pad = " ".repeat(width.saturating_sub(display_width(&name)));
        let spans = [
            Span::styled(format!("  {name}{pad}  "), style),
            Span::styled(theme.glyphs.sentence(&offer.help).into_owned(), theme.dim),
        ];
        let row = Rect { y, height: 1, ..area };
        text::left(buffer, row, &spans, theme);
    }
}

/// The offer under a cell.
pub fn hit(line: &Prompt, body: Rect, column: u16, row: u16) -> Option<usize> {
    let area = offers_area(line, body);
    if !area.contains((column, row).into()) {
        return None;
    }
    let at = first_offer(line, usize::from(area.height)) + usize::from(row - area.y);
    (at < line.offers.len()).then_some(at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::kit::line::PromptPurpose;
    use crate::ui::view::testing::{assert_stays_inside, lines, theme};

    #[test]
    fn blanks_are_blank_and_the_cursor_stands_behind_what_is_shown() {
        let mut line = Prompt::new(PromptPurpose::Filter, " a  \u{e9}");
        line.insert(' ');
        assert_eq!(window(&line, 40, Glyphs::Unicode), (" a  é ".into(), 6));
        assert_eq!(window(&line, 40, Glyphs::Ascii), (" a  \\u{e9} ".into(), 11));
        assert_eq!(window(&line, 3, Glyphs::Unicode), ("é ".into(), 2));
    }

    #[test]
    fn a_label_says_what_the_line_is_for_and_the_cursor_stands_behind_it() {
        let long = "a\u{1b}".repeat(900);
        for (line, shown, at) in [
            (Prompt::new(PromptPurpose::Filter, "D"), "/ D", 3),
            (Prompt::new(PromptPurpose::Key, "/id"), "try key: /id", 12),
            (Prompt::new(PromptPurpose::ResourceGroup(3), ""), "resource group: ", 16),
            (Prompt::of_value("size", "size", "3.66 MiB"), "size = 3.66 MiB", 15),
            (Prompt::of_value(&long, "", "1"), "", 26),
        ] {
            let area = Rect::new(0, 0, 40, 1);
            let mut buffer = Buffer::empty(area);
            draw_line(&theme(), &line, "  (note)", area, &mut buffer);
            let drawn = lines(&buffer).concat();
            assert!(drawn.starts_with(shown) && drawn.contains("(note)"), "{drawn}");
            assert_eq!(cursor(&line, area, Glyphs::Unicode).0, at, "{drawn}");
            assert_stays_inside(|buffer, area| draw_line(&theme(), &line, "", area, buffer));
        }
    }
}
