//! A value over time towards its limit: what was, and between which ends it may go on.

use super::glyphs::Glyphs;
use super::text;
use crate::model::units::{as_number, whole_usize};

/// Above the limit, or above what is now where that is more, so much is shown at most.
const HIGHEST: f64 = 1.25;
/// Room above the highest value.
const ABOVE: f64 = 1.04;
const EIGHTHS: usize = 8;

/// One column, as shares of the limit.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum FanColumn {
    Past(f64),
    Ahead { low: f64, likely: f64, high: f64 },
}

/// What a piece of the picture is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FanPart {
    Frame,
    Limit,
    Past,
    Likely,
    Between,
}

/// A line of the picture, in pieces.
pub type FanLine = Vec<(FanPart, String)>;

/// The rows of the picture, the highest first, and below them the axis with its names: each begins at its column.
///
/// ```text
/// 20 GB │╌╌╌╌╌╌╌╌╌░░░••••
///       │      ░░••••░░░░
///       │▂▄▆█••••░░
///     0 └────────────────
///        05-24  now 09-19
/// ```
pub fn fan(
    columns: &[FanColumn],
    rows: usize,
    limit: &str,
    names: &[(usize, String)],
    glyphs: Glyphs,
) -> Vec<FanLine> {
    let rows = rows.saturating_sub(2);
    if columns.is_empty() || rows == 0 {
        return Vec::new();
    }
    let value = |column: &FanColumn| match column {
        FanColumn::Past(share) => *share,
        FanColumn::Ahead { likely, .. } => *likely,
    };
    let is_past = |column: &&FanColumn| matches!(column, FanColumn::Past(_));
    let known = columns.iter().filter(is_past).chain(columns.first());
    let known = known.map(value).fold(1.0, f64::max);
    let highest = columns.iter().map(value).fold(known, f64::max);
    let top = highest.min(known * HIGHEST) * ABOVE;
    let eighths = |share: f64| whole_usize((share / top * as_number(rows * EIGHTHS)).round());
    let row_of = |share: f64| eighths(share).saturating_sub(1) / EIGHTHS;
    let limit_row = row_of(1.0);
    let axis = text::width(limit, glyphs);
    let signs = glyphs.signs();
    let mut lines = Vec::with_capacity(rows + 2);
    for row in (0..rows).rev() {
        let is_limit = row == limit_row;
        let name = if is_limit { limit } else { "" };
        let mut line = vec![(FanPart::Frame, format!("{name:>axis$} {}", signs.frame.vertical))];
        for column in columns {
            let (part, sign) = match *column {
                FanColumn::Past(share) => {
                    let filled = eighths(share).max(1).saturating_sub(row * EIGHTHS);
                    let sign = filled.min(EIGHTHS).checked_sub(1);
                    sign.and_then(|at| signs.spark.get(at))
                        .map_or_else(|| empty(is_limit, glyphs), |sign| (FanPart::Past, *sign))
                }
                FanColumn::Ahead { likely, .. } if row_of(likely) == row && likely <= top => {
                    (FanPart::Likely, dot(glyphs))
                }
                FanColumn::Ahead { low, high, .. }
                    if (row_of(low)..=row_of(high)).contains(&row) =>
                {
                    (FanPart::Between, between(glyphs))
                }
                FanColumn::Ahead { .. } => empty(is_limit, glyphs),
            };
            push(&mut line, part, sign);
        }
        lines.push(line);
    }
    let under = signs.frame.horizontal.repeat(columns.len());
    let zero = format!("{:>axis$} {}{under}", 0, signs.frame.bottom_left);
    let mut below = " ".repeat(axis + 2);
    for (column, name) in names {
        // The last one ends where the picture does.
        let at = axis + 2 + (*column).min(columns.len().saturating_sub(name.chars().count()));
        let taken = below.chars().count();
        if at > taken || below.trim().is_empty() {
            below.push_str(&" ".repeat(at - taken));
            below.push_str(name);
        }
    }
    lines.extend([zero, below].map(|text| vec![(FanPart::Frame, text)]));
    lines
}

fn push(line: &mut FanLine, part: FanPart, sign: &str) {
    match line.last_mut() {
        Some((held, text)) if *held == part => text.push_str(sign),
        _ => line.push((part, sign.to_owned())),
    }
}

fn empty(is_limit: bool, glyphs: Glyphs) -> (FanPart, &'static str) {
    match (is_limit, glyphs) {
        (false, _) => (FanPart::Frame, " "),
        (true, Glyphs::Unicode) => (FanPart::Limit, "╌"),
        (true, Glyphs::Ascii) => (FanPart::Limit, "-"),
    }
}

fn dot(glyphs: Glyphs) -> &'static str {
    match glyphs {
        Glyphs::Unicode => "•",
        Glyphs::Ascii => "o",
    }
}

fn between(glyphs: Glyphs) -> &'static str {
    match glyphs {
        Glyphs::Unicode => "░",
        Glyphs::Ascii => ".",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(columns: &[FanColumn], rows: usize, glyphs: Glyphs) -> Vec<String> {
        let names = [(0, "05-24".to_owned()), (7, "now".to_owned()), (99, "09-19".to_owned())];
        let lines = fan(columns, rows, "20 GB", &names, glyphs);
        let text = |line: &FanLine| line.iter().map(|(_, text)| text.as_str()).collect();
        lines.iter().map(text).collect()
    }

    fn columns() -> Vec<FanColumn> {
        let past = [0.2, 0.3, 0.4, 0.5].map(FanColumn::Past);
        let ahead = (1..=12).map(|n| FanColumn::Ahead {
            low: 0.5 + 0.03 * f64::from(n),
            likely: 0.5 + 0.05 * f64::from(n),
            high: 0.5 + 0.08 * f64::from(n),
        });
        past.into_iter().chain(ahead).collect()
    }

    #[test]
    fn a_fan_opens_towards_the_limit() {
        assert_eq!(
            drawn(&columns(), 7, Glyphs::Unicode),
            [
                "20 GB │╌╌╌╌╌╌╌╌╌░░░••••",
                "      │      ░░••••░░░░",
                "      │   ▁••••░░      ",
                "      │ ▂▆█            ",
                "      │▇███            ",
                "    0 └────────────────",
                "       05-24  now 09-19",
            ]
            .map(str::to_owned)
        );
    }

    #[test]
    fn what_is_far_above_the_limit_leaves_the_picture() {
        let far = [FanColumn::Past(0.5), FanColumn::Ahead { low: 9.0, likely: 9.5, high: 12.0 }];
        let lines = drawn(&far, 5, Glyphs::Ascii);
        assert!(lines.iter().all(|line| !line.contains('o')), "{lines:?}");
        assert!(drawn(&[], 9, Glyphs::Unicode).is_empty());
        assert!(drawn(&far, 2, Glyphs::Unicode).is_empty());
    }
}
