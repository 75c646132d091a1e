//! A drawn screen as one SVG file: no script, nothing from elsewhere, and every sign in its column.

use std::fmt::Write as _;

use ratatui::buffer::Buffer;
use ratatui::style::{Color, Modifier, Style};

use super::{PictureCell, harmless, rows};
use crate::report::escape;
use crate::ui::kit::colour::{Paper, Rgb, rgb_of};

/// A cell in the units of the picture, so that an eighth of it is a whole number either way.
const CELL_WIDTH: u32 = 8;
const CELL_HEIGHT: u32 = 16;
const FONT_SIZE: &str = "13.3";
/// From the top of a cell to the line its letters stand on.
const BASELINE: u32 = 12;
const MARGIN: u32 = 8;
const FONTS: &str = "ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace";

/// What stands for the terminal's own two colours.
#[derive(Clone, Copy)]
struct Shades {
    ink: Rgb,
    background: Rgb,
}

/// A screen as SVG on the paper that its theme is made for; the title is read out where pictures are not seen.
pub fn svg(buffer: &Buffer, title: &str, paper: Paper) -> String {
    let width = u32::from(buffer.area.width) * CELL_WIDTH + 2 * MARGIN;
    let height = u32::from(buffer.area.height) * CELL_HEIGHT + 2 * MARGIN;
    let shades = Shades::of(paper);
    let mut out = String::new();
    let _ = writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" role=\"img\" font-family=\"{FONTS}\" font-size=\"{FONT_SIZE}\" \
         fill=\"{}\" xml:space=\"preserve\">",
        hex(shades.ink)
    );
    let _ = writeln!(out, "<title>{}</title>", escape(&harmless(title)));
    let _ = writeln!(
        out,
        "<rect width=\"{width}\" height=\"{height}\" rx=\"6\" fill=\"{}\"/>",
        hex(shades.background)
    );
    for (index, row) in (0..).zip(rows(buffer)) {
        let top = MARGIN + index * CELL_HEIGHT;
        push_grounds(&mut out, top, &row, shades);
        push_signs(&mut out, top, &row, shades);
    }
    out.push_str("</svg>\n");
    out
}

/// The grounds of a row come before its signs, so that none covers a letter that leans over its edge.
fn push_grounds(out: &mut String, top: u32, row: &[PictureCell], shades: Shades) {
    let background = |piece: &PictureCell| shades.seen(piece.style).1;
    for run in row.chunk_by(|a, b| background(a) == background(b)) {
        let colour = run.first().map(background);
        if let Some(colour) = colour.filter(|colour| *colour != shades.background) {
            let cells = [0, 0, columns(run) * CELL_WIDTH, CELL_HEIGHT];
            let manner = format!(" fill=\"{}\"", hex(colour));
            push_rect(out, (left_of(run), top), cells, &manner);
        }
    }
}

fn push_signs(out: &mut String, top: u32, row: &[PictureCell], shades: Shades) {
    let is_text = |piece: &PictureCell| piece.columns == 1 && shape(&piece.symbol).is_none();
    let belong = |a: &PictureCell, b: &PictureCell| {
        a.style == b.style
            && (is_text(a) && is_text(b) || a.symbol == b.symbol && shape(&a.symbol).is_some())
    };
    for run in row.chunk_by(belong) {
        let Some(first) = run.first() else {
            continue;
        };
        let manner = manner(first.style, shades);
        match shape(&first.symbol) {
            Some(parts) => push_shape(out, top, run, &parts, &manner),
            None => push_text(out, top, run, &manner),
        }
    }
}

/// One element for each stretch of text between two blanks or more: browsers join blanks, whatever `xml:space` says, and
/// would stretch the letters over the columns.
fn push_text(out: &mut String, top: u32, run: &[PictureCell], manner: &str) {
    let is_lined = run.iter().any(|piece| has(piece.style, Modifier::UNDERLINED));
    let is_blank = |piece: &PictureCell| piece.symbol == " " && !is_lined;
    let mut rest = run;
    while let Some(start) = rest.iter().position(|piece| !is_blank(piece)) {
        let stretch = rest.split_at(start).1;
        let gap = stretch.windows(2).position(|pair| pair.iter().all(is_blank));
        let end = stretch.len() - usize::from(stretch.last().is_some_and(is_blank));
        let (words, after) = stretch.split_at(gap.unwrap_or(end));
        let text: String = words.iter().map(|piece| piece.symbol.as_str()).collect();
        let _ = writeln!(
            out,
            "<text x=\"{}\" y=\"{}\" textLength=\"{}\" lengthAdjust=\"spacingAndGlyphs\"{manner}>{}</text>",
            left_of(words),
            top + BASELINE,
            columns(words) * CELL_WIDTH,
            // The line under an underlined gap goes on.
            escape(&text).replace("  ", " \u{a0}")
        );
        rest = after;
    }
}

/// Draws what fonts leave gaps in; a shape from edge to edge is drawn once for its whole run.
fn push_shape(out: &mut String, top: u32, run: &[PictureCell], parts: &[[u32; 4]], manner: &str) {
    let is_through = parts.iter().all(|[x, _, width, _]| *x == 0 && *width == CELL_WIDTH);
    let shade = match run.first().map(|piece| piece.symbol.as_str()) {
        Some("░") => " fill-opacity=\"0.3\"",
        _ => "",
    };
    let manner = format!("{manner}{shade}");
    let stretched = if is_through { columns(run) } else { 1 };
    let starts = run.iter().take(if is_through { 1 } else { run.len() });
    for piece in starts {
        for [x, y, width, height] in parts {
            let at = (left_of(std::slice::from_ref(piece)), top);
            push_rect(out, at, [*x, *y, width * stretched, *height], &manner);
        }
    }
}

fn push_rect(out: &mut String, (left, top): (u32, u32), part: [u32; 4], manner: &str) {
    let [x, y, width, height] = part;
    let (x, y) = (left + x, top + y);
    let _ =
        writeln!(out, "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"{manner}/>");
}

#[cfg(test)]
pub(super) fn is_drawn(symbol: &str) -> bool {
    shape(symbol).is_some()
}

/// Blocks and lines as rectangles inside a cell: x, y, width, height.
fn shape(symbol: &str) -> Option<Vec<[u32; 4]>> {
    const WIDE: [&str; 8] = ["▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"];
    const HIGH: [&str; 7] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇"];
    if symbol.is_ascii() {
        return None;
    }
    let place = |signs: &[&str]| signs.iter().position(|sign| *sign == symbol);
    let eighths = |signs: &[&str]| u32::try_from(place(signs)? + 1).ok();
    if let Some(width) = eighths(&WIDE) {
        return Some(vec![[0, 0, width, CELL_HEIGHT]]);
    }
    if let Some(height) = eighths(&HIGH).map(|eighths| eighths * 2) {
        return Some(vec![[0, CELL_HEIGHT - height, CELL_WIDTH, height]]);
    }
    let across = |from: u32, to: u32| [from, 8, to - from, 1];
    let down = |from: u32, to: u32| [4, from, 1, to - from];
    let across_heavy = |from: u32, to: u32| [from, 7, to - from, 2];
    let down_heavy = |from: u32, to: u32| [3, from, 2, to - from];
    let parts = match symbol {
        "░" => vec![[0, 0, CELL_WIDTH, CELL_HEIGHT]],
        "─" => vec![across(0, 8)],
        "│" => vec![down(0, 16)],
        "┌" => vec![across(4, 8), down(8, 16)],
        "┐" => vec![across(0, 5), down(8, 16)],
        "└" => vec![across(4, 8), down(0, 9)],
        "┘" => vec![across(0, 5), down(0, 9)],
        "├" => vec![across(4, 8), down(0, 16)],
        "━" => vec![across_heavy(0, 8)],
        "┃" => vec![down_heavy(0, 16)],
        "┏" => vec![across_heavy(3, 8), down_heavy(7, 16)],
        "┓" => vec![across_heavy(0, 5), down_heavy(7, 16)],
        "┗" => vec![across_heavy(3, 8), down_heavy(0, 9)],
        "┛" => vec![across_heavy(0, 5), down_heavy(0, 9)],
        _ => return None,
    };
    Some(parts)
}

/// How a sign is drawn, as attributes; what the whole picture has is left out.
fn manner(style: Style, shades: Shades) -> String {
    let mut manner = String::new();
    let (colour, _) = shades.seen(style);
    if colour != shades.ink {
        let _ = write!(manner, " fill=\"{}\"", hex(colour));
    }
    for (modifier, attribute) in [
        (Modifier::BOLD, " font-weight=\"bold\""),
        (Modifier::DIM, " opacity=\"0.65\""),
        (Modifier::ITALIC, " font-style=\"italic\""),
        (Modifier::UNDERLINED, " text-decoration=\"underline\""),
    ] {
        if has(style, modifier) {
            manner.push_str(attribute);
        }
    }
    manner
}

impl Shades {
    fn of(paper: Paper) -> Self {
        let gray = |value| Rgb { red: value, green: value, blue: value };
        match paper {
            Paper::Dark => Self { ink: gray(0xe4), background: gray(0x12) },
            Paper::Light => Self { ink: gray(0x1c), background: gray(0xff) },
        }
    }

    /// The colours in front and behind.
    fn seen(self, style: Style) -> (Rgb, Rgb) {
        let of = |colour: Option<Color>, own| colour.and_then(rgb_of).unwrap_or(own);
        let (front, back) = (of(style.fg, self.ink), of(style.bg, self.background));
        if has(style, Modifier::REVERSED) { (back, front) } else { (front, back) }
    }
}

fn has(style: Style, modifier: Modifier) -> bool {
    style.add_modifier.contains(modifier)
}

fn columns(run: &[PictureCell]) -> u32 {
    run.iter().map(|piece| u32::from(piece.columns)).sum()
}

fn left_of(run: &[PictureCell]) -> u32 {
    let x = run.first().map_or(0, |piece| piece.x);
    MARGIN + u32::from(x) * CELL_WIDTH
}

fn hex(Rgb { red, green, blue }: Rgb) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}
