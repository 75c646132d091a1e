//! A drawn screen outside the terminal: as text, as text with its styles in words, and as SVG.

#[cfg(test)]
mod styled;
mod svg;

#[cfg(test)]
pub use styled::styled;
pub use svg::svg;

use ratatui::buffer::{Buffer, CellWidth};
use ratatui::style::Style;

use super::text::harmless;

/// One sign of a row and the columns it takes.
pub struct PictureCell {
    pub x: u16,
    pub columns: u16,
    pub symbol: String,
    pub style: Style,
}

/// The rows as a terminal shows them, without blanks at their ends.
pub fn plain(buffer: &Buffer) -> String {
    let mut out = String::new();
    for row in rows(buffer) {
        let line: String = row.iter().map(|piece| piece.symbol.as_str()).collect();
        out.push_str(line.trim_end_matches(' '));
        out.push('\n');
    }
    out
}

/// The signs of each row.
pub fn rows(buffer: &Buffer) -> impl Iterator<Item = Vec<PictureCell>> {
    let area = buffer.area;
    (area.top()..area.bottom()).map(move |y| {
        let mut row = Vec::with_capacity(area.width.into());
        let mut x = area.left();
        while x < area.right() {
            let Some(cell) = buffer.cell((x, y)) else {
                break;
            };
            let symbol = harmless(cell.symbol()).into_owned();
            // A code takes more room than the cell had: the picture keeps its columns.
            let columns = if symbol == cell.symbol() {
                cell.cell_width().clamp(1, area.right() - x)
            } else {
                1
            };
            let style = cell.style();
            row.push(PictureCell { x: x - area.left(), columns, symbol, style });
            x += columns;
        }
        row
    })
}

#[cfg(test)]
mod tests;
