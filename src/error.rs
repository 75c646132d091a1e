//! What can go wrong in a way that the person at the terminal can act on.

use std::path::{Path, PathBuf};

use crate::model::near;
use crate::model::visible::visible;

/// Exit codes of every command, as scripts depend on them.
pub mod exit {
    pub const DONE: u8 = 0;
    pub const FINDING: u8 = 1;
    pub const REFUSED: u8 = 2;
    /// A live account cannot be reached, signed in to or read.
    pub const UNREACHABLE: u8 = 3;
    pub const PARTIAL: u8 = 4;
    pub const INTERNAL: u8 = 70;
    pub const INTERRUPTED: u8 = 130;
}

/// Refused inputs that an error names.
const NAMED_REFUSALS: usize = 5;

/// Every failure a command can end with.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// `what` is one sentence, already made visible.
    #[error("{what}")]
    Input { what: String, next: Option<String> },
    #[error("{what}")]
    Usage { what: String, next: Option<String> },
    /// What cannot be used, each with its reason, both already made visible.
    #[error("{}", listed(refused))]
    Refused { refused: Vec<(String, String)>, next: Option<String> },
    /// What a live account answered instead of data: both sentences are already made visible and hold no secret.
    #[error("{what}")]
    Live { what: String, next: Option<String> },
    #[error("{} exists", shown(path))]
    Exists { path: PathBuf },
    #[error("{} is a folder, a link or a device, not a file", shown(path))]
    NotAFile { path: PathBuf },
    #[error("there is no folder {}", shown(path))]
    NoFolder { path: PathBuf },
    #[error("cannot write {}", shown(path))]
    Write { path: PathBuf, source: std::io::Error },
    /// Standard output went away (a closed pipe is no error; anything else is).
    #[error("standard output cannot be written")]
    Output { source: std::io::Error },
    #[error("stopped by Ctrl-C; nothing was written")]
    Interrupted,
    #[error("stopped by Ctrl-C; what was written is not whole")]
    CutShort,
}

/// A wrong use, and what to do instead.
pub fn usage(what: impl Into<String>, next: impl Into<String>) -> Error {
    Error::Usage { what: what.into(), next: Some(next.into()) }
}

impl Error {
    pub fn input(what: impl Into<String>) -> Self {
        Self::Input { what: what.into(), next: None }
    }

    pub fn usage(what: impl Into<String>) -> Self {
        Self::Usage { what: what.into(), next: None }
    }

    /// Data that cannot be used, and what to do about it.
    pub fn unusable(what: impl Into<String>, next: impl Into<String>) -> Self {
        Self::Input { what: what.into(), next: Some(next.into()) }
    }

    /// What an account answered instead of data, and what to do about it.
    pub fn live(what: impl Into<String>, next: impl Into<String>) -> Self {
        Self::Live { what: what.into(), next: Some(next.into()) }
    }

    /// One thing that was named and cannot be used.
    pub fn refused(shown: impl Into<String>, why: impl Into<String>, next: &str) -> Self {
        Self::Refused { refused: vec![(shown.into(), why.into())], next: Some(next.to_owned()) }
    }

    /// A name that is not known, with the one that was probably meant; `next` is made of the list of those that are.
    pub fn unknown(
        what: &str,
        name: &str,
        known: &[&str],
        next: impl FnOnce(&str) -> String,
    ) -> Self {
        let what = format!("{what} {}", visible(name));
        Self::Usage {
            what: near::unknown(&what, name, known.iter().copied()),
            next: Some(next(&known.join(", "))),
        }
    }

    /// What to do about it, in a sentence.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Input { next, .. }
            | Self::Usage { next, .. }
            | Self::Refused { next, .. }
            | Self::Live { next, .. } => next.clone(),
            Self::Exists { .. } => Some("--force overwrites it".to_owned()),
            Self::NotAFile { .. } | Self::NoFolder { .. } | Self::Write { .. } => {
                Some("choose another place with -o".to_owned())
            }
            Self::Output { .. } => Some("-o FILE writes to a file instead".to_owned()),
            Self::Interrupted | Self::CutShort => None,
        }
    }

    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Output { source } if source.kind() == std::io::ErrorKind::BrokenPipe => {
                exit::DONE
            }
            Self::Interrupted | Self::CutShort => exit::INTERRUPTED,
            Self::Live { .. } => exit::UNREACHABLE,
            Self::Input { .. }
            | Self::Usage { .. }
            | Self::Refused { .. }
            | Self::Exists { .. }
            | Self::NotAFile { .. }
            | Self::NoFolder { .. }
            | Self::Write { .. }
            | Self::Output { .. } => exit::REFUSED,
        }
    }
}

fn shown(path: &Path) -> String {
    visible(&path.to_string_lossy()).into_owned()
}

/// One sentence for one, a short list for several.
fn listed(refused: &[(String, String)]) -> String {
    let named = refused.iter().take(NAMED_REFUSALS);
    let mut lines: Vec<String> = named.map(|(shown, why)| format!("{shown}: {why}")).collect();
    let more = refused.len().saturating_sub(NAMED_REFUSALS);
    if more > 0 {
        let files = if more == 1 { "file" } else { "files" };
        lines.push(format!("and {more} more {files}"));
    }
    lines.join("\n  ")
}
