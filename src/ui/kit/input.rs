//! What a person does at the terminal, free of any terminal library: chords, pastes, the pointer, the window.

use std::fmt;

/// The size of the window in cells.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Size {
    pub width: u16,
    pub height: u16,
}

impl Size {
    /// No window is larger; a terminal that claims more would cost memory by the gigabyte.
    pub const LARGEST: Self = Self { width: 1000, height: 500 };

    pub fn clamped(width: u16, height: u16) -> Self {
        Self { width: width.min(Self::LARGEST.width), height: height.min(Self::LARGEST.height) }
    }
}

/// One thing a person did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InputEvent {
    Key(Chord),
    /// Text from the clipboard; it never runs as commands.
    Paste(String),
    Pointer(Pointer),
    Resized(Size),
    /// Back from Ctrl-Z: everything has to be drawn anew.
    Resumed,
}

/// What the mouse did, and where.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pointer {
    pub column: u16,
    pub row: u16,
    pub did: MouseAct,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MouseAct {
    Click,
    WheelUp,
    WheelDown,
    /// The wheel with Ctrl held.
    ZoomIn,
    ZoomOut,
    /// Moved with the button held.
    Drag,
    /// The button was let go.
    Release,
}

/// A key with what is held beside it. Shift is part of a printed character.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Chord {
    pub code: Code,
    pub modifier: Modifier,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Code {
    Char(char),
    Enter,
    Esc,
    Tab,
    BackTab,
    Backspace,
    Delete,
    Insert,
    Up,
    Down,
    Left,
    Right,
    Home,
    End,
    PageUp,
    PageDown,
    F(u8),
}

/// The keys held beside another one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Modifier {
    #[default]
    Nothing,
    Ctrl,
    Alt,
    Shift,
    CtrlAlt,
}

/// Names of keys as `keys.toml` writes them.
const NAMES: &[(&str, Code)] = &[
    ("enter", Code::Enter),
    ("esc", Code::Esc),
    ("tab", Code::Tab),
    ("shift-tab", Code::BackTab),
    ("backspace", Code::Backspace),
    ("delete", Code::Delete),
    ("insert", Code::Insert),
    ("up", Code::Up),
    ("down", Code::Down),
    ("left", Code::Left),
    ("right", Code::Right),
    ("home", Code::Home),
    ("end", Code::End),
    ("page-up", Code::PageUp),
    ("page-down", Code::PageDown),
    ("space", Code::Char(' ')),
];

const HELD: &[(&str, Modifier)] = &[
    ("ctrl-alt-", Modifier::CtrlAlt),
    ("ctrl-", Modifier::Ctrl),
    ("alt-", Modifier::Alt),
    ("shift-", Modifier::Shift),
];

/// Function keys that keyboards have.
const LAST_F: u8 = 24;

impl Chord {
    pub const fn new(code: Code, held: Modifier) -> Self {
        Self { code, modifier: held }
    }

    pub const fn plain(code: Code) -> Self {
        Self::new(code, Modifier::Nothing)
    }

    /// The form of `keys.toml`: `j`, `G`, `ctrl-r`, `shift-tab`, `space`, `page-down`, `f1`.
    pub fn parse(text: &str) -> Option<Self> {
        if let Some(code) = code(text) {
            return Some(Self::plain(code));
        }
        let (held, rest) =
            HELD.iter().find_map(|(prefix, held)| Some((*held, text.strip_prefix(prefix)?)))?;
        Some(Self::new(code(rest)?, held))
    }

    /// The character this chord types into a line, if it types one.
    pub fn typed(self) -> Option<char> {
        match (self.code, self.modifier) {
            (Code::Char(c), Modifier::Nothing | Modifier::Shift) => Some(c),
            _ => None,
        }
    }
}

fn code(text: &str) -> Option<Code> {
    if let Some((_, code)) = NAMES.iter().find(|(name, _)| *name == text) {
        return Some(*code);
    }
    let mut characters = text.chars();
    match (characters.next(), characters.next()) {
        // A blank is written `space`: in a file it could not be seen.
        (Some(' '), None) | (None, _) => None,
        (Some(c), None) => Some(Code::Char(c)),
        (Some('f'), Some(_)) => {
            let number: u8 = text.get(1..)?.parse().ok()?;
            (1..=LAST_F).contains(&number).then_some(Code::F(number))
        }
        _ => None,
    }
}

impl fmt::Display for Chord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((prefix, _)) = HELD.iter().find(|(_, held)| *held == self.modifier) {
            f.write_str(prefix)?;
        }
        if let Some((name, _)) = NAMES.iter().find(|(_, code)| *code == self.code) {
            return f.write_str(name);
        }
        match self.code {
            Code::Char(c) => write!(f, "{c}"),
            Code::F(number) => write!(f, "f{number}"),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        let mut chords = vec![Chord::plain(Code::F(12)), Chord::plain(Code::Char('G'))];
        for (_, code) in NAMES {
            chords.push(Chord::plain(*code));
        }
        for (_, held) in HELD {
            chords.push(Chord::new(Code::Char('x'), *held));
            chords.push(Chord::new(Code::Left, *held));
        }
        for chord in chords {
            assert_eq!(Chord::parse(&chord.to_string()), Some(chord), "{chord}");
        }
    }

    #[test]
    fn what_is_no_chord_is_refused() {
        for text in ["", " ", "ctrl-", "f0", "f25", "fx", "jj", "hyper-x", "Enter"] {
            assert_eq!(Chord::parse(text), None, "{text}");
        }
        assert_eq!(Chord::parse("-"), Some(Chord::plain(Code::Char('-'))));
        assert_eq!(Chord::parse("f"), Some(Chord::plain(Code::Char('f'))));
    }

    #[test]
    fn only_plain_characters_are_typed() {
        assert_eq!(Chord::plain(Code::Char('ü')).typed(), Some('ü'));
        assert_eq!(Chord::new(Code::Char('u'), Modifier::Ctrl).typed(), None);
        assert_eq!(Chord::plain(Code::Tab).typed(), None);
    }
}
