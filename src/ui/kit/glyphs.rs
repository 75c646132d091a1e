//! The signs the screens are drawn with, in Unicode or, for a terminal that shows no more, in ASCII alone.

use std::borrow::Cow;

use crate::model::visible::visible;

/// Which signs the terminal can show.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Glyphs {
    Unicode,
    Ascii,
}

/// The lines around a panel.
#[derive(PartialEq, Eq, Debug)]
pub struct Frame {
    pub top_left: &'static str,
    pub top_right: &'static str,
    pub bottom_left: &'static str,
    pub bottom_right: &'static str,
    pub horizontal: &'static str,
    pub vertical: &'static str,
}

impl Frame {
    /// Its corners from left to right, the upper ones first, then its lines.
    const fn drawn(
        [top_left, top_right, bottom_left, bottom_right, horizontal, vertical]: [&'static str; 6],
    ) -> Self {
        Self { top_left, top_right, bottom_left, bottom_right, horizontal, vertical }
    }
}

/// Every sign, each one column wide.
#[derive(PartialEq, Eq, Debug)]
pub struct Signs {
    pub frame: Frame,
    /// Also told by its lines, not by colour alone.
    pub frame_focused: Frame,
    pub bar_full: &'static str,
    /// One to seven eighths of a cell.
    pub bar_part: [&'static str; 7],
    pub bar_track: &'static str,
    pub bar_mark: &'static str,
    /// The end of a bar that would go on.
    pub bar_over: &'static str,
    /// From the lowest to the highest value.
    pub spark: [&'static str; 8],
    /// Where a series has no value.
    pub spark_gap: &'static str,
    pub progress_done: &'static str,
    pub progress_left: &'static str,
    pub scroll_thumb: &'static str,
    /// The row the cursor is on.
    pub cursor: &'static str,
    pub marked: &'static str,
    /// A finding, an open thing, something that stands out.
    pub dot: &'static str,
    pub tick: &'static str,
    pub cross: &'static str,
    pub alarm: &'static str,
    /// Between the parts of a path: account ▸ database.
    pub path: &'static str,
    /// Between facts in a row.
    pub between: &'static str,
    /// A value that is not known.
    pub unknown: &'static str,
    pub up: &'static str,
    pub down: &'static str,
    /// Behind the heading of the column by which rows are sorted; a letter stands apart.
    pub sorted_up: &'static str,
    pub sorted_down: &'static str,
    pub left: &'static str,
    pub right: &'static str,
    /// Before a node of a tree that can be opened.
    pub closed: &'static str,
    pub open: &'static str,
}

static UNICODE: Signs = Signs {
    frame: Frame::drawn(["┌", "┐", "└", "┘", "─", "│"]),
    frame_focused: Frame::drawn(["┏", "┓", "┗", "┛", "━", "┃"]),
    bar_full: "█",
    bar_part: ["▏", "▎", "▍", "▌", "▋", "▊", "▉"],
    bar_track: "░",
    bar_mark: "│",
    bar_over: "▶",
    spark: ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"],
    spark_gap: "·",
    progress_done: "━",
    progress_left: "─",
    scroll_thumb: "█",
    cursor: "▶",
    marked: "◆",
    dot: "●",
    tick: "✓",
    cross: "✗",
    alarm: "▲",
    path: "▸",
    between: "·",
    unknown: "–",
    up: "↑",
    down: "↓",
    sorted_up: "↑",
    sorted_down: "↓",
    left: "←",
    right: "→",
    closed: "▸",
    open: "▾",
};

static ASCII: Signs = Signs {
    frame: Frame::drawn(["+", "+", "+", "+", "-", "|"]),
    frame_focused: Frame::drawn(["#", "#", "#", "#", "=", "|"]),
    bar_full: "#",
    bar_part: [":", ":", ":", "=", "=", "=", "="],
    bar_track: ".",
    bar_mark: "|",
    bar_over: ">",
    spark: ["_", ".", ":", "-", "=", "+", "*", "#"],
    spark_gap: " ",
    progress_done: "#",
    progress_left: "-",
    scroll_thumb: "#",
    cursor: ">",
    marked: "*",
    dot: "o",
    tick: "v",
    cross: "x",
    alarm: "^",
    path: ">",
    between: "-",
    unknown: "-",
    up: "^",
    down: "v",
    sorted_up: " ^",
    sorted_down: " v",
    left: "<",
    right: ">",
    closed: "+",
    open: "-",
};

/// How the product's own sentences and signs are spelled in ASCII.
const SPELLED: &[(&str, &str)] = &[
    ("…", "..."),
    ("–—−┌┐└┘", "-"),
    ("─━", "-"),
    ("│┃├", "|"),
    ("┏┓┗┛◆", "*"),
    ("█▉▊▋▇", "#"),
    ("▌▍▆▅▄", "="),
    ("▎▏▁▂▃", "_"),
    ("░○", "."),
    ("·", "-"),
    ("±", "+-"),
    ("≥", ">="),
    ("≤", "<="),
    ("×✗", "x"),
    ("≠", "!="),
    ("≈", "~"),
    ("“”", "\""),
    ("‘’", "'"),
    ("∞", "inf"),
    ("▶▸", ">"),
    ("→", "->"),
    ("←", "<"),
    ("↑▲", "^"),
    ("↓▾✓", "v"),
    ("●◐◓◑◒", "o"),
    ("‼", "!!"),
];

impl Glyphs {
    pub fn signs(self) -> &'static Signs {
        match self {
            Self::Unicode => &UNICODE,
            Self::Ascii => &ASCII,
        }
    }

    /// What stands for the part that was cut out of a text.
    pub fn ellipsis(self) -> &'static str {
        match self {
            Self::Unicode => "…",
            Self::Ascii => "...",
        }
    }

    /// Raw text from outside, fit for this terminal; different texts stay different.
    pub fn outside(self, raw: &str) -> Cow<'_, str> {
        match visible(raw) {
            Cow::Borrowed(shown) => self.shown(shown),
            Cow::Owned(shown) => Cow::Owned(self.shown(&shown).into_owned()),
        }
    }

    /// Text from outside that is visible already; in ASCII every other character is its code, `\u{e9}`, and a
    /// picture of a control the code of that control, so that different texts stay different.
    pub fn shown(self, shown: &str) -> Cow<'_, str> {
        if self == Self::Unicode || shown.is_ascii() {
            return shown.into();
        }
        let mut out = String::with_capacity(shown.len() * 3);
        for character in shown.chars() {
            if character.is_ascii() {
                out.push(character);
            } else {
                out.extend(pictured(character).escape_unicode());
            }
        }
        out.into()
    }

    /// The product's own sentence, fit for this terminal. A name quoted in it may lose what tells it from another.
    pub fn sentence(self, sentence: &str) -> Cow<'_, str> {
        if self == Self::Unicode || sentence.is_ascii() {
            return sentence.into();
        }
        let mut out = String::with_capacity(sentence.len() + 8);
        for character in sentence.chars() {
            match spelled(character) {
                Some(ascii) => out.push_str(ascii),
                None => out.push_str(&self.shown(character.encode_utf8(&mut [0; 4]))),
            }
        }
        out.into()
    }
}

/// The character that a picture in visible text stands for.
fn pictured(character: char) -> char {
    match character {
        '\u{2400}'..='\u{241f}' => char::from_u32(u32::from(character) - 0x2400),
        '\u{2420}' => Some(' '),
        '\u{2421}' => Some('\u{7f}'),
        _ => None,
    }
    .unwrap_or(character)
}

fn spelled(character: char) -> Option<&'static str> {
    let mut rows = SPELLED.iter();
    rows.find_map(|(signs, ascii)| signs.contains(character).then_some(*ascii))
}

#[cfg(test)]
mod tests;
