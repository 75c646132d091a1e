//! What is wrong with a piece of JSON or a whole document, and where.

use std::fmt;

/// Why bytes are not acceptable JSON.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum JsonError {
    /// The text ends inside a value.
    CutShort,
    /// More than `MAX_DEPTH` levels.
    TooDeep,
    /// A bare control byte inside a text.
    ControlByte,
    /// Half of a surrogate pair as `\u` escape.
    LoneSurrogate,
    InvalidUtf8,
    BadEscape,
    BadNumber,
    /// A byte that cannot stand here.
    Unexpected(u8),
    /// Something after the end of the value.
    TextAfter,
    /// A name stands twice in one object, with two values.
    Twice,
}

impl JsonError {
    /// Faults of one record that leave the structure around it readable.
    pub fn stays_inside(self) -> bool {
        matches!(self, Self::TooDeep | Self::ControlByte | Self::LoneSurrogate | Self::InvalidUtf8)
    }
}

impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::CutShort => f.write_str("it ends inside a value"),
            Self::TooDeep => {
                write!(f, "it is nested deeper than {} levels", super::scan::MAX_DEPTH)
            }
            Self::ControlByte => f.write_str("a bare control byte inside a text"),
            Self::LoneSurrogate => f.write_str("half of a character pair"),
            Self::InvalidUtf8 => f.write_str("bytes that are not UTF-8"),
            Self::BadEscape => f.write_str("an escape that JSON does not know"),
            Self::BadNumber => f.write_str("a number that JSON does not allow"),
            Self::Unexpected(byte) if byte.is_ascii_graphic() => {
                write!(f, "an unexpected \"{}\"", char::from(*byte))
            }
            Self::Unexpected(byte) => write!(f, "an unexpected byte {byte:#04x}"),
            Self::TextAfter => f.write_str("text after the end of the value"),
            Self::Twice => f.write_str("a name is given twice, with two values"),
        }
    }
}

/// A fault in one JSON value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct JsonFault {
    /// In bytes from the start of the value.
    pub offset: usize,
    pub why: JsonError,
}

/// Why reading a whole document ended early.
#[derive(Debug)]
pub enum Ending {
    Json(JsonError),
    /// `MAX_QUIET_BYTES` went by without one record.
    NoRecord,
    /// The caller no longer wants it.
    Stopped,
    Io(std::io::Error),
    /// Readable, but nothing that can be taken; a sentence already made visible.
    Refused {
        what: String,
        next: Option<String>,
    },
}

/// What to do about a document that is not what it should be.
pub const AGAIN: &str = "download or export it again; nothing of it was used";

/// A document that cannot be read on, with the place. Line and column count from 1; the column counts bytes.
#[derive(Debug)]
pub struct DocumentFault {
    pub line: u64,
    pub column: u64,
    pub why: Ending,
}

impl fmt::Display for DocumentFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.why {
            Ending::Json(why) => {
                write!(f, "not valid JSON: {why} at line {}, column {}", self.line, self.column)
            }
            Ending::NoRecord => write!(
                f,
                "no record in the last {} MiB before line {}",
                super::split::MAX_QUIET_BYTES >> 20,
                self.line
            ),
            Ending::Stopped => f.write_str("stopped"),
            Ending::Io(error) => write!(f, "cannot be read on after line {}: {error}", self.line),
            Ending::Refused { what, .. } => f.write_str(what),
        }
    }
}
