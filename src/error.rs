//! What can go wrong in a way that the person at the terminal can act on.

use std::path::PathBuf;

/// Exit codes of every command, as scripts depend on them.
pub mod exit {
    pub const DONE: u8 = 0;
    pub const FINDING: u8 = 1;
    pub const REFUSED: u8 = 2;
    pub const PARTIAL: u8 = 4;
    pub const INTERNAL: u8 = 70;
    pub const INTERRUPTED: u8 = 130;
}

/// Every failure a command can end with.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// `what` is one sentence, already made visible.
    #[error("{what}")]
    Input { what: String, next: Option<String> },
    #[error("{what}")]
    Usage { what: String, next: Option<String> },
    #[error("{} exists", crate::model::visible::visible(&path.to_string_lossy()))]
    Exists { path: PathBuf },
    #[error("cannot write {}", crate::model::visible::visible(&path.to_string_lossy()))]
    Write {
        path: PathBuf,
        source: std::io::Error,
    },
    /// Standard output went away (a closed pipe is no error; anything else is).
    #[error("cannot write the output")]
    Output { source: std::io::Error },
    #[error("stopped by Ctrl-C; nothing was written")]
    Interrupted,
}

impl Error {
    pub fn input(what: impl Into<String>) -> Self {
        Self::Input {
            what: what.into(),
            next: None,
        }
    }

    pub fn usage(what: impl Into<String>) -> Self {
        Self::Usage {
            what: what.into(),
            next: None,
        }
    }

    /// What to do about it, in a sentence.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Input { next, .. } | Self::Usage { next, .. } => next.clone(),
            Self::Exists { .. } => Some("--force overwrites it".to_owned()),
            Self::Write { .. } => Some("choose another place with -o".to_owned()),
            Self::Output { .. } | Self::Interrupted => None,
        }
    }

    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Input { .. } | Self::Usage { .. } | Self::Exists { .. } | Self::Write { .. } => {
                exit::REFUSED
            }
            Self::Output { source } if source.kind() == std::io::ErrorKind::BrokenPipe => {
                exit::DONE
            }
            Self::Output { .. } => exit::INTERNAL,
            Self::Interrupted => exit::INTERRUPTED,
        }
    }
}
