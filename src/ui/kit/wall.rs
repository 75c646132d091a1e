//! The date of the wall in the room of a column: its doubt gives way before the date does.

use super::glyphs::Glyphs;
use super::text;

/// `2026-07-01 ±31d`.
pub const COLUMNS: u16 = 15;
/// `±` takes three columns there.
const COLUMNS_ASCII: u16 = 17;

/// The width at which every date is shown with its doubt.
pub fn columns(glyphs: Glyphs) -> u16 {
    match glyphs {
        Glyphs::Unicode => COLUMNS,
        Glyphs::Ascii => COLUMNS_ASCII,
    }
}

/// The text of a wall without its doubt where there is no room for that.
pub fn fitting(wall: &str, columns: usize, glyphs: Glyphs) -> &str {
    if text::width(wall, glyphs) <= columns {
        return wall;
    }
    wall.split_once(" ±").map_or(wall, |(date, _)| date)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_is_never_cut() {
        let wall = "2026-07-01 ±31d";
        for glyphs in [Glyphs::Unicode, Glyphs::Ascii] {
            let all = usize::from(columns(glyphs));
            assert_eq!(fitting(wall, all, glyphs), wall);
            assert_eq!(fitting(wall, all - 1, glyphs), "2026-07-01");
            assert_eq!(fitting("over the limit", 14, glyphs), "over the limit");
        }
    }
}
