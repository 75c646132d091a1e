//! A drawn screen as text with its styles in words: what tests compare. Integration tests include this file, too.

use std::fmt::Write as _;

use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Style};

use super::rows;

/// The rows in bars, under each its runs of styles, and what the styles are at the end.
///
/// ```text
/// |┌ keys ─┐|
///  a2 b4 a3
///
/// . plain
/// a fg #5fd7ff bold
/// b fg #ffffff bold
/// ```
pub fn styled(buffer: &Buffer) -> String {
    let mut out = String::new();
    let mut known = vec![Cell::EMPTY.style()];
    for row in rows(buffer) {
        let line: String = row.iter().map(|piece| piece.symbol.as_str()).collect();
        let _ = writeln!(out, "|{line}|");
        let mut runs: Vec<(usize, u16)> = Vec::new();
        for piece in row {
            let found = known.iter().position(|style| *style == piece.style);
            let id = found.unwrap_or_else(|| {
                known.push(piece.style);
                known.len() - 1
            });
            match runs.last_mut() {
                Some((last, columns)) if *last == id => *columns += piece.columns,
                _ => runs.push((id, piece.columns)),
            }
        }
        if runs.iter().any(|(id, _)| *id > 0) {
            for (id, columns) in runs {
                let _ = write!(out, " {}{columns}", id_text(id));
            }
            out.push('\n');
        }
    }
    out.push('\n');
    for (id, style) in known.iter().enumerate() {
        let _ = writeln!(out, "{} {}", id_text(id), style_text(*style));
    }
    out
}

/// `.`, `a` to `z`, then `aa` and so on.
pub(super) fn id_text(id: usize) -> String {
    let Some(mut left) = id.checked_sub(1) else {
        return ".".to_owned();
    };
    let mut letters = Vec::new();
    loop {
        let letter = u8::try_from(left % 26).unwrap_or_default();
        letters.push(char::from(b'a' + letter));
        let Some(next) = (left / 26).checked_sub(1) else {
            break;
        };
        left = next;
    }
    letters.iter().rev().collect()
}

fn style_text(style: Style) -> String {
    let mut words = Vec::new();
    for (name, colour) in [("fg", style.fg), ("bg", style.bg)] {
        match colour {
            None | Some(Color::Reset) => {}
            Some(colour) => words.push(format!("{name} {}", colour_text(colour))),
        }
    }
    let names = style.add_modifier.iter_names();
    words.extend(names.map(|(name, _)| name.to_lowercase()));
    if words.is_empty() {
        words.push("plain".to_owned());
    }
    words.join(" ")
}

fn colour_text(colour: Color) -> String {
    match colour {
        Color::Rgb(red, green, blue) => format!("#{red:02x}{green:02x}{blue:02x}"),
        other => other.to_string().to_lowercase(),
    }
}
