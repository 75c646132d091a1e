//! Recordings: everything a live account was asked and what came back, in a file that only grows and can be read again.
//!
//! One JSON value a line. The first says what the file is; each line after it holds one [`Observation`](super::answers::Observation), or
//! that a round of questions has ended, or why no more was recorded:
//!
//! ```text
//! {"cosmoscope":"recording","format":1,"product":"0.1.0","endpoint":"https://…","started":"2026-06-22T02:10:41.41Z","masked":false}
//! {"at":"2026-06-22T02:10:41.5Z","asked":{"kind":"ranges","database":"shop","container":"orders"},"ru":1.0,"body":{…}}
//! {"at":"2026-06-22T02:10:42Z","asked":{"kind":"offer"},"trouble":{"obstacle":"forbidden","what":"…","next":"…"}}
//! {"at":"2026-06-22T02:10:43Z","round":1}
//! {"at":"2026-06-22T04:10:43Z","ended":"…"}
//! ```
//!
//! A line is written by one call, so that whatever ends the program leaves at most the last line torn; it is then left out
//! and said. Bodies stand as they came, but for line breaks between tokens, which become blanks; an answer that is no JSON
//! stands as `"text"`. Another session of the same account may be added to the end, and begins with a first line of its own.

mod expand;
mod line;
mod masked;
mod read;
mod story;
mod write;

pub use expand::{begins, expand, whole};
pub use line::{FORMAT, MAX_LINE_BYTES, RecordingHeader};
pub use masked::{MaskedRole, RecordingMask};
pub use read::{Moment, Recording, is_recording};
pub use story::{Marked, Story, StoryMark, account};
pub use write::{Existing, MAX_BYTES, Recorder, RecordingOptions, Scrub};

#[cfg(test)]
mod tests;
