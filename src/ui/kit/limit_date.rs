//! The date on which a key reaches 20 GB in the room of a column: its doubt gives way before the date does.

use super::glyphs::Glyphs;
use super::text;

/// `2026-07 ± unknown`.
pub const COLUMNS: u16 = 17;
/// `±` is `+-` there.
const COLUMNS_ASCII: u16 = 18;

/// The width at which every date is shown with its doubt.
pub fn columns(glyphs: Glyphs) -> u16 {
    match glyphs {
        Glyphs::Unicode => COLUMNS,
        Glyphs::Ascii => COLUMNS_ASCII,
    }
}

/// The text of such a date without its doubt where there is no room for that; of `over the limit` the first word.
pub fn fitting(date: &str, columns: usize, glyphs: Glyphs) -> &str {
    if text::width(date, glyphs) <= columns {
        return date;
    }
    let short = date.split_once(" ±").or(date.split_once(" the "));
    short.map_or(date, |(short, _)| short)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_is_never_cut() {
        let date = "2026-07 ± unknown";
        for glyphs in [Glyphs::Unicode, Glyphs::Ascii] {
            let all = usize::from(columns(glyphs));
            assert_eq!(fitting(date, all, glyphs), date);
            assert_eq!(fitting(date, all - 1, glyphs), "2026-07");
            assert_eq!(fitting("over the limit", 14, glyphs), "over the limit");
            assert_eq!(fitting("over the limit", 11, glyphs), "over");
        }
    }
}
