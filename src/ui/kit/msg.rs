//! What reaches the screens from outside, and what they ask for in return. Both are plain values that can be compared.

use std::path::PathBuf;

use super::action::Action;
use super::input::InputEvent;
use super::line::Prompt;
use super::text::harmless;
use crate::analysis::logged_workload::LoggedWorkload;
use crate::analysis::simulate::TimeLapse;
use crate::model::lesson::Lesson;
use crate::model::time::Stamp;
use crate::model::units::count_text;
use crate::report::trial::search::SearchResults;
use crate::source::live::plan::Urgency;
use crate::source::live::target::Target;
use crate::source::times::DateOrder;
use crate::work::arrange::{Arranged, Ask};
use crate::work::branch::{Branch, Grown};
use crate::work::compare::{CompareAsk, Comparison};
use crate::work::data::{Dataset, Origin};
use crate::work::export::Export;
use crate::work::fault::{WorkFault, WorkProgress};
use crate::work::find_keys::{KeyHits, KeySearch};
use crate::work::forecast::{ForecastAnswer, ForecastAsk};
use crate::work::paths::PathOffer;
use crate::work::queries::WorkloadAsk;
use crate::work::salt::Salt;
use crate::work::sample::Meter;
use crate::work::search::SearchAsk;
use crate::work::shared::Shared;
use crate::work::simulate::SimulateAsk;
use crate::work::trial::{
    AsItIs, LookAsk, SampleAsk, TrialOutcome, TrialRefusal, TrialSample, TryAsk,
};
use crate::work::write::WrittenFile;

/// Which request of its kind an answer belongs to; answers to older ones are dropped.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Generation(pub u64);

/// A view, by name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ViewId {
    #[default]
    Start,
    Overview,
    Keys,
    Heat,
    Trial,
    Forecast,
    Lesson,
}

/// A fact that reaches the screens.
#[derive(Clone, PartialEq, Debug)]
pub enum Msg {
    Did(InputEvent),
    /// The time, told with whatever else arrives.
    Clock(Stamp),
    Progressed(Generation, WorkProgress),
    /// What is known so far of inputs that are still being read.
    Glimpsed(Generation, Shared<Dataset>),
    Loaded(Generation, Shared<Dataset>),
    LoadFailed(Generation, WorkFault),
    /// Another moment of a recording, or why it cannot be shown.
    Rewound(Generation, Result<Shared<Dataset>, WorkFault>),
    /// What was waited for.
    Due(Generation),
    Arranged(Generation, Shared<Arranged>),
    Grown(Generation, Shared<Grown>),
    /// Keys of all containers.
    KeysFound(Generation, Shared<KeyHits>),
    /// The limits that come next.
    Forecast(Generation, Shared<ForecastAnswer>),
    /// A container in time.
    Simulated(Generation, Shared<TimeLapse>),
    /// What changed since another export, or why it cannot be compared.
    Compared(Generation, Result<Shared<Comparison>, WorkFault>),
    /// None where no requests of the container are logged.
    WorkloadFound(Generation, Option<Shared<LoggedWorkload>>),
    /// A file of a design as it is written, with its name, or why it is no design.
    DesignRead(Generation, Result<(String, String), WorkFault>),
    /// A lesson, or why it is none.
    LessonRead(Generation, Result<Shared<Lesson>, WorkFault>),
    /// Documents for trials are there, or why not.
    Sampled(Generation, Result<Shared<TrialSample>, WorkFault>),
    /// One of the keys that were to be tried.
    Tried(Generation, Shared<TrialOutcome>),
    Unreported(Generation, TrialRefusal),
    /// What inputs tell of a container.
    LookedAt(Generation, Result<Shared<AsItIs>, WorkFault>),
    /// How far a sample of documents of an account is.
    Metered(Generation, Meter),
    /// What the account that is open has charged so far, in RU.
    Charged(f64),
    Found(Generation, Shared<SearchResults>),
    Exported(Generation, Result<WrittenFile, WorkFault>),
    /// The text that the clipboard of the terminal was given.
    Copied(Result<String, WorkFault>),
    PathsListed(Generation, Vec<PathOffer>),
    RecentRead(Vec<PathBuf>),
    SaltRead(Result<Salt, WorkFault>),
    /// Something that is told in the status line only.
    Reported(WorkFault),
}

/// A text for the clipboard.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Clipboard {
    /// Whatever came from outside breaks none of the lines, acts on nothing and hides nowhere.
    Lines(Vec<String>),
    /// One value as it is, because that was asked for.
    Exact(String),
}

impl Clipboard {
    pub fn into_text(self) -> String {
        match self {
            Self::Lines(lines) => lines.join("\n"),
            Self::Exact(value) => value,
        }
    }
}

/// Columns in which copied text is shown.
const COPIED: usize = 60;

/// What was copied: the beginning of its first line, and how many lines there are.
pub fn copied_text(text: &str) -> String {
    let first = text.lines().next().unwrap_or_default();
    let shown = harmless(first.trim());
    let mut characters = shown.chars();
    let begin: String = characters.by_ref().take(COPIED).collect();
    let cut = if characters.next().is_some() { "…" } else { "" };
    match text.lines().count() as u64 {
        lines @ 2.. => format!("copied {} lines: {begin}{cut}", count_text(lines)),
        _ => format!("copied: {begin}{cut}"),
    }
}

/// Of a text whose lines are known to be its own.
impl From<String> for Clipboard {
    fn from(text: String) -> Self {
        Self::Lines(text.split('\n').map(str::to_owned).collect())
    }
}

/// A place to go to: a container in a view, there a key by its canonical text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Destination {
    pub view: ViewId,
    pub container: u32,
    pub key: Option<Box<str>>,
}

/// What a view wants done on the screen by `ui::app`, which does it at once.
#[derive(Clone, PartialEq, Debug)]
pub enum OnScreen {
    /// In the status line.
    Say(String),
    Fail(WorkFault),
    /// A text over the view, with its title.
    Read(&'static str, Vec<String>),
    /// The same of a report, whose lists have hanging lines.
    ReadReport(&'static str, Vec<String>),
    /// Keys that were found, to choose among.
    Propose(Shared<SearchResults>),
    /// A line that begins to be typed.
    Type(Box<Prompt>),
    /// The question of what a sample of documents may cost.
    AskForSample,
    Go(Destination),
    Open(Origin),
    /// A lesson by its name.
    Learn(String),
    Do(Action),
}

/// What is to be done: on the screen, or outside by whoever runs the screens.
#[derive(Clone, PartialEq, Debug)]
pub enum Effect {
    OnScreen(OnScreen),
    /// Answered by `Progressed`, `Glimpsed` and at last `Loaded` or `LoadFailed`; a new one stops the one before.
    Load(Generation, Origin),
    /// The same of an account that may be open already: only what is due is asked.
    Visit(Generation, Box<Target>, Urgency),
    /// The account reads this container, by database and name, before all others from now on.
    ReadFirst(Option<(String, String)>),
    /// Answered by `Due` after so many milliseconds; a new one takes the place of the one before.
    Wait(Generation, u64),
    /// A moment of the recording that is open, counted from the first; answered by `Rewound`; a new one stops the one before.
    Rewind(Generation, PathBuf, usize),
    /// Answered by `Due`, as the next frame of what is played; independent of `Wait`.
    WaitForFrame(Generation, u64),
    StopLoading,
    /// From here on files are read with day or month first where their dates do not show it.
    ReadDates(DateOrder),
    /// Answered by `Arranged`; a new one stops the one before.
    Arrange(Generation, Ask),
    /// Answered by `KeysFound`; a new one stops the one before.
    FindKeys(Generation, KeySearch),
    /// Answered by `Forecast`; a new one stops the one before.
    Forecast(Generation, ForecastAsk),
    /// Answered by `Simulated`; a new one stops the one before.
    Simulate(Generation, SimulateAsk),
    /// Answered by `Compared`; a new one stops the one before.
    Compare(Generation, CompareAsk),
    /// Answered by `WorkloadFound`; a new one stops the one before.
    Workload(Generation, WorkloadAsk),
    /// Answered by `DesignRead`; a new one stops the one before.
    ReadDesign(Generation, PathBuf),
    /// By its name or its file; answered by `LessonRead`; a new one stops the one before.
    ReadLesson(Generation, String),
    /// Answered by `Grown`; a new one stops the one before.
    Grow(Generation, Branch),
    /// Documents for trials; answered by `Progressed` or `Metered` and at last `Sampled`; a new one stops the one before.
    Sample(Generation, SampleAsk),
    StopSampling,
    /// Answered by `TrialOutcome` or `Untold`, once for each key; a new one stops the one before.
    Try(Generation, TryAsk),
    /// Answered by `LookedAt`; a new one stops the one before.
    LookAt(Generation, LookAsk),
    /// Keys, suffixes, or the way to a key; answered by `Progressed` and at last `Found`; a new one stops the one before.
    Search(Generation, SearchAsk),
    StopSearch,
    /// Answered by `Exported`.
    Export(Generation, Export),
    /// To the clipboard of the terminal; answered by `Copied`.
    Copy(Clipboard),
    /// Answered by `PathsListed`.
    ListPaths(Generation, String),
    ReadRecent,
    Remember(Vec<PathBuf>),
    ReadSalt,
    /// Every cell is to be sent anew with the next frame.
    Redraw,
    Suspend,
    Quit,
}

impl Effect {
    #[must_use]
    pub fn say(what: impl Into<String>) -> Vec<Self> {
        OnScreen::Say(what.into()).alone()
    }

    #[must_use]
    pub fn fail(what: impl Into<String>, next: Option<&str>) -> Vec<Self> {
        OnScreen::Fail(WorkFault::new(what, next)).alone()
    }
}

impl OnScreen {
    /// As all that is wanted.
    #[must_use]
    pub fn alone(self) -> Vec<Effect> {
        vec![Effect::OnScreen(self)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_copied_is_said_by_its_beginning() {
        assert_eq!(copied_text("tenant-0002"), "copied: tenant-0002");
        let long = copied_text(&"x".repeat(70));
        assert_eq!(long, format!("copied: {}…", "x".repeat(60)));
        assert_eq!(copied_text("a\u{1b}\nb\n"), "copied 2 lines: a␛");
        assert_eq!(copied_text("  HOT KEY  a  "), "copied: HOT KEY  a");
    }
}
