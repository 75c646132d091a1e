//! Failures in the words of the status line, and how far work has come.

use crate::error::Error;
use crate::source::answers::Trouble;
use crate::source::input;

/// How far reading has come.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct WorkProgress {
    pub done_bytes: u64,
    pub total_bytes: u64,
    pub rows: u64,
    /// What is being read, already made visible.
    pub what: String,
}

impl WorkProgress {
    /// Of the bytes, in whole percent; None where it is unknown how many there are.
    pub fn percent(&self) -> Option<u64> {
        let done = self.done_bytes.min(self.total_bytes).saturating_mul(100);
        done.checked_div(self.total_bytes)
    }
}

/// A failure in words: what happened and what to do, both already made visible.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WorkFault {
    pub what: String,
    pub next: Option<String>,
    /// It may be over a moment later, without anybody doing anything here.
    pub is_passing: bool,
}

impl WorkFault {
    pub fn new(what: impl Into<String>, next: Option<&str>) -> Self {
        Self { what: what.into(), next: next.map(str::to_owned), is_passing: false }
    }
}

impl From<&Trouble> for WorkFault {
    fn from(trouble: &Trouble) -> Self {
        let is_passing = trouble.obstacle.is_passing();
        Self { what: trouble.what.clone(), next: trouble.next.clone(), is_passing }
    }
}

/// A failure as the status line tells it: one line, and hints for whoever sits at the screen.
pub fn fault(e: &Error) -> WorkFault {
    let what = e.to_string().replace("\n  ", "; ");
    let next = match e {
        Error::Exists { .. } => {
            Some("choose another name, or replace it with :export! FILE".to_owned())
        }
        Error::NotAFile { .. } | Error::NoFolder { .. } => Some("choose another name".to_owned()),
        Error::Write { source, .. } => Some(input::reason(source)),
        Error::Interrupted => return WorkFault::new("reading was stopped", None),
        e => e.hint(),
    };
    WorkFault { is_passing: false, what, next }
}
