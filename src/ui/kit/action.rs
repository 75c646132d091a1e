//! Everything a person can ask for, in one table: names for the palette and the key table, words for the help.

/// A request by name; a key, a click and the palette all lead here.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Action {
    // moving
    NextRow,
    PreviousRow,
    NextPage,
    PreviousPage,
    NextHalfPage,
    PreviousHalfPage,
    FirstRow,
    LastRow,
    NextPane,
    PreviousPane,
    ScrollLeft,
    ScrollRight,
    // going
    Enter,
    Back,
    ShowStart,
    ShowOverview,
    ShowKeys,
    ShowHeat,
    ShowTrial,
    ShowForecast,
    ShowLesson,
    TryKey,
    WhatNow,
    // looking
    Filter,
    ClearFilter,
    SortNext,
    SortPrevious,
    SortReverse,
    Mark,
    MarkAll,
    ClearMarks,
    ToggleTree,
    Expand,
    Collapse,
    Zoom,
    Freeze,
    Evidence,
    // looking at a map of time
    Earlier,
    Later,
    PanEarlier,
    PanLater,
    ZoomIn,
    ZoomOut,
    ZoomAll,
    Brush,
    NextMeasure,
    PreviousMeasure,
    NextRegion,
    NextOrder,
    ToggleRelative,
    Darker,
    Brighter,
    ToggleDense,
    Pin,
    CopyCell,
    NextChart,
    Locate,
    // trying keys
    NextKey,
    PreviousKey,
    RemoveKey,
    ChooseKey,
    MorePartitions,
    FewerPartitions,
    MoreRu,
    LessRu,
    Assume,
    ExpectedSize,
    DemandRu,
    NextWeight,
    GrowthADay,
    KeptDays,
    AsItIs,
    NextPanel,
    PreviousPanel,
    Browse,
    Suggest,
    LeastSuffix,
    Plan,
    Relative,
    Explain,
    Documents,
    Queries,
    DatedBy,
    // what comes next
    NextDial,
    PreviousDial,
    DialUp,
    DialDown,
    SetDial,
    ResetDials,
    OneContainer,
    OtherKey,
    NextPicture,
    PlayTime,
    NextFrame,
    PreviousFrame,
    NextHappening,
    PreviousHappening,
    Faster,
    Slower,
    // a lesson
    NextStep,
    PreviousStep,
    LessonStep,
    Reveal,
    PlayLapse,
    HandOut,
    // replaying
    PreviousMoment,
    NextMoment,
    PreviousEvent,
    NextEvent,
    Play,
    LiveEdge,
    Speed,
    // taking away
    Copy,
    CopyExact,
    CopyQuery,
    Export,
    // the whole
    Open,
    Compare,
    Connect,
    Scenarios,
    Refresh,
    DateOrder,
    StopLoading,
    Mask,
    NextTheme,
    Palette,
    Help,
    Sources,
    Workload,
    Design,
    Redraw,
    Suspend,
    Quit,
    Leave,
    // lines that are typed
    Accept,
    Cancel,
    Complete,
    CompleteBack,
    Left,
    Right,
    WordLeft,
    WordRight,
    LineStart,
    LineEnd,
    DeleteBack,
    DeleteForward,
    DeleteWord,
    DeleteLine,
    DeleteToEnd,
}

/// Where keys mean what: a chord is looked up in the innermost of these first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Context {
    /// Everywhere but in a line that is typed.
    Global,
    /// Wherever rows are chosen.
    List,
    /// The list of keys of a container.
    Keys,
    /// The map of load over time.
    Heat,
    /// Keys side by side, tried on documents.
    Trial,
    /// The limits that come next.
    Forecast,
    /// While a lesson guides.
    Lesson,
    /// Wherever a recording is shown.
    Replay,
    /// A line that is typed: filter, palette, file name.
    Prompt,
}

impl Context {
    pub const ALL: [Self; 9] = [
        Self::Global,
        Self::List,
        Self::Keys,
        Self::Heat,
        Self::Trial,
        Self::Forecast,
        Self::Lesson,
        Self::Replay,
        Self::Prompt,
    ];

    /// Its name, and its heading.
    fn words(self) -> [&'static str; 2] {
        match self {
            Self::Global => ["global", "Everywhere"],
            Self::List => ["list", "In a list"],
            Self::Keys => ["keys", "Among keys"],
            Self::Heat => ["heat", "In the heat map"],
            Self::Trial => ["trial", "Trying keys"],
            Self::Forecast => ["forecast", "In the forecast"],
            Self::Lesson => ["lesson", "In a lesson"],
            Self::Replay => ["replay", "In a recording"],
            Self::Prompt => ["prompt", "While typing"],
        }
    }

    /// The table's name in `keys.toml`.
    pub fn name(self) -> &'static str {
        self.words()[0]
    }

    /// The heading in the help.
    pub fn title(self) -> &'static str {
        self.words()[1]
    }
}

/// What is told of an action.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ActionWords {
    pub action: Action,
    /// For `keys.toml` and the palette.
    pub name: &'static str,
    /// One or two words for the footer.
    pub hint: &'static str,
    /// A sentence for the help.
    pub help: &'static str,
    pub context: Context,
    /// Whether something may follow its name.
    pub takes_more: bool,
}

impl ActionWords {
    const fn taking(self) -> Self {
        Self { takes_more: true, ..self }
    }
}

const fn about(
    action: Action,
    context: Context,
    name: &'static str,
    hint: &'static str,
    help: &'static str,
) -> ActionWords {
    ActionWords { action, name, hint, help, context, takes_more: false }
}

use Context::{Forecast, Global, Heat, Keys, Lesson, List, Prompt, Replay, Trial};

/// Every action, in the order of the help.
#[rustfmt::skip]
pub const ACTIONS: &[ActionWords] = &[
    about(Action::Help, Global, "help", "help", "What every key does, and what the screen shows"),
    about(Action::Palette, Global, "commands", "commands", "Run any command by its name, with completion"),
    about(Action::ShowStart, Global, "start", "start", "The start screen: recent files, scenarios, ways in"),
    about(Action::ShowOverview, Global, "overview", "overview", "All containers, the worst first"),
    about(Action::ShowKeys, Global, "keys", "keys", "The logical partitions of the chosen container"),
    about(Action::ShowHeat, Global, "heat", "heat", "Load over time by physical partition, the verdict, and the keys behind it"),
    about(Action::ShowTrial, Global, "trial", "trial", "Keys side by side, each tried on documents of the container"),
    about(Action::ShowForecast, Global, "forecast", "forecast", "Which key or physical partition reaches which limit when, and what changes that"),
    about(Action::ShowLesson, Global, "lesson", "lesson", "Lessons on these screens; takes a name or a file after its name").taking(),
    about(Action::TryKey, Global, "try", "try a key", "Type another key and see what it would do; takes the key after its name").taking(),
    about(Action::WhatNow, Global, "what-now", "what now", "What to do now: remedies with their commands, queries, the incident note"),
    about(Action::Back, Global, "back", "back", "One step back, or close what is open"),
    about(Action::Open, Global, "open", "open file", "Open files or folders by their paths").taking(),
    about(Action::Compare, Global, "compare", "compare", "What changed since another export of the same account (diff): its path after the name").taking(),
    about(Action::Scenarios, Global, "scenario", "scenario", "Open a built-in scenario by name").taking(),
    about(Action::Connect, Global, "connect", "connect", "How to look at an account"),
    about(Action::Refresh, Global, "refresh", "refresh", "Read the same inputs again; what is shown stays until then"),
    about(Action::DateOrder, Global, "date-order", "date order", "Read dates such as 3/4/2026 day first (dmy) or month first (mdy), as given after its name").taking(),
    about(Action::StopLoading, Global, "stop", "stop", "Stop reading and keep what is there"),
    about(Action::Workload, Global, "workload", "workload", "What the application does: reads and writes, operations, queries, programs"),
    about(Action::Design, Global, "design", "design", "Design a container that does not exist yet: a form with its figures; takes a file or a template after its name").taking(),
    about(Action::Sources, Global, "sources", "sources", "What was read, what was left out and why"),
    about(Action::Mask, Global, "mask", "mask", "Replace names and keys by invented ones, everywhere, for sharing the screen"),
    about(Action::Freeze, Global, "freeze", "freeze", "Hold what is shown while data goes on arriving"),
    about(Action::NextTheme, Global, "theme", "theme", "The next colours: dark, light, colour-blind").taking(),
    about(Action::Redraw, Global, "redraw", "redraw", "Draw the whole screen again"),
    about(Action::Suspend, Global, "suspend", "suspend", "Back to the shell; fg returns"),
    about(Action::Quit, Global, "quit", "quit", "Close a popup, else leave"),
    about(Action::Leave, Global, "leave", "leave", "Leave at once"),
    about(Action::NextRow, List, "next-row", "down", "Down one row"),
    about(Action::PreviousRow, List, "previous-row", "up", "Up one row"),
    about(Action::NextPage, List, "next-page", "page down", "Down one page"),
    about(Action::PreviousPage, List, "previous-page", "page up", "Up one page"),
    about(Action::NextHalfPage, List, "next-half-page", "half down", "Down half a page"),
    about(Action::PreviousHalfPage, List, "previous-half-page", "half up", "Up half a page"),
    about(Action::FirstRow, List, "first-row", "first", "To the first row"),
    about(Action::LastRow, List, "last-row", "last", "To the last row"),
    about(Action::Enter, List, "enter", "open", "Into the chosen row"),
    about(Action::NextPane, List, "next-pane", "pane", "To the next pane"),
    about(Action::PreviousPane, List, "previous-pane", "pane back", "To the previous pane"),
    about(Action::Filter, List, "filter", "filter", "Show only rows that match a text or an expression such as size>14GiB").taking(),
    about(Action::ClearFilter, List, "clear-filter", "all rows", "Show all rows again"),
    about(Action::SortNext, List, "sort", "sort", "Sort by the next column").taking(),
    about(Action::SortPrevious, List, "sort-back", "sort back", "Sort by the previous column"),
    about(Action::SortReverse, List, "sort-reverse", "reverse", "The other way round"),
    about(Action::Zoom, List, "zoom", "zoom", "Give the whole screen to this pane, and back"),
    about(Action::Evidence, List, "evidence", "evidence", "Where each number of the chosen row comes from"),
    about(Action::Copy, List, "copy", "copy", "Copy the chosen or marked rows to the clipboard of the terminal"),
    about(Action::CopyQuery, List, "copy-query", "copy query", "Copy the query that gives the chosen number again"),
    about(Action::Export, List, "export", "export", "Write what is shown to a file: text, CSV, JSON or Markdown by its ending; :export! FILE replaces one").taking(),
    about(Action::Mark, Keys, "mark", "mark", "Mark or unmark the chosen key, and go on"),
    about(Action::MarkAll, Keys, "mark-all", "mark all", "Mark every key that the filter shows"),
    about(Action::ClearMarks, Keys, "clear-marks", "unmark", "Take all marks away"),
    about(Action::ToggleTree, Keys, "tree", "tree", "Hierarchical keys level by level, or as a list"),
    about(Action::Expand, Keys, "expand", "expand", "Show what lies under this prefix"),
    about(Action::Collapse, Keys, "collapse", "collapse", "Hide what lies under this prefix"),
    about(Action::ScrollLeft, Keys, "scroll-left", "left", "The columns to the left"),
    about(Action::ScrollRight, Keys, "scroll-right", "right", "The columns to the right"),
    about(Action::CopyExact, Keys, "copy-exact", "copy exact", "Copy the key's exact value, whatever is in it"),
    about(Action::Earlier, Heat, "earlier", "earlier", "One cell back in time, or one partition back in hash order"),
    about(Action::Later, Heat, "later", "later", "One cell on in time, or one partition on in hash order"),
    about(Action::PanEarlier, Heat, "pan-earlier", "pan back", "Half a map back in time"),
    about(Action::PanLater, Heat, "pan-later", "pan on", "Half a map on in time"),
    about(Action::ZoomIn, Heat, "zoom-in", "closer", "Half as much time around the cursor, from the finest data there is"),
    about(Action::ZoomOut, Heat, "zoom-out", "wider", "Twice as much time around the cursor"),
    about(Action::ZoomAll, Heat, "zoom-all", "all time", "All the time that the track covers"),
    about(Action::Brush, Heat, "brush", "brush", "Begin to choose a span of time, or end it and zoom to it; a drag of the mouse does the same"),
    about(Action::NextMeasure, Heat, "measure", "measure", "The next measure: share of RU/s, RU/s, 429, requests, storage"),
    about(Action::PreviousMeasure, Heat, "measure-back", "measure back", "The measure before"),
    about(Action::NextRegion, Heat, "region", "region", "The next region; a share of RU/s is never summed over regions"),
    about(Action::NextOrder, Heat, "order", "order", "Partitions hottest first, by id, by hash range, by size"),
    about(Action::ToggleRelative, Heat, "relative", "relative", "Colours relative to the highest value, or against the real ceiling"),
    about(Action::Darker, Heat, "darker", "darker", "Less brightness below 70 %"),
    about(Action::Brighter, Heat, "brighter", "brighter", "More brightness below 70 %"),
    about(Action::ToggleDense, Heat, "dense", "dense", "All partitions at once, several merged in a row that shows the highest"),
    about(Action::Pin, Heat, "pin", "pin", "Keep this cell's value and show the difference to the cursor"),
    about(Action::CopyCell, Heat, "copy-cell", "copy cell", "Copy the value under the cursor; copy in the map gives the incident note, among the keys the key"),
    about(Action::Locate, Heat, "locate", "locate", "Where values of the key lie in the strip of hash ranges, also values that no input has").taking(),
    about(Action::NextChart, Heat, "chart", "chart", "The map of time, storage against 50 GB, or the strip of hash ranges"),
    about(Action::NextKey, Trial, "next-key", "next key", "To the next key, round and round"),
    about(Action::PreviousKey, Trial, "previous-key", "previous key", "To the key before"),
    about(Action::RemoveKey, Trial, "remove-key", "remove", "Take the chosen key out; the current one stays"),
    about(Action::ChooseKey, Trial, "choose-key", "decide", "Decide for this key, or no more: an export to .toml keeps the decision"),
    about(Action::NextPanel, Trial, "panel", "panel", "The next panel: partitions, requests, reasons, sizes, figures, paths"),
    about(Action::PreviousPanel, Trial, "panel-back", "panel back", "The panel before"),
    about(Action::Explain, Trial, "explain", "explain", "The formula and the numbers of every figure of the chosen key"),
    about(Action::Suggest, Trial, "suggest", "suggest", "Look for better keys over all paths and the queries; the best stand with the others"),
    about(Action::LeastSuffix, Trial, "suffix", "suffix", "The least number of suffixes that keeps the chosen key small: buckets of /id, or of the path after its name").taking(),
    about(Action::Plan, Trial, "plan", "plan", "What moving to the chosen key takes: routes, steps, RU; :plan bicep shows code for it, :plan FILE writes it").taking(),
    about(Action::Browse, Trial, "paths", "paths", "What stands at each path of the documents; Enter tries one as a key"),
    about(Action::Relative, Trial, "scale", "scale", "Bars of partitions against their limit, or against the fullest"),
    about(Action::MorePartitions, Trial, "partitions", "partitions", "One physical partition more, or the number after its name").taking(),
    about(Action::FewerPartitions, Trial, "fewer-partitions", "fewer", "One physical partition less"),
    about(Action::MoreRu, Trial, "ru", "more RU/s", "More RU/s provisioned, or the number after its name").taking(),
    about(Action::LessRu, Trial, "less-ru", "less RU/s", "Less RU/s provisioned"),
    about(Action::Assume, Trial, "assumptions", "assumptions", "Set the fields of the header one by one: Enter sets one, Tab goes to the next"),
    about(Action::ExpectedSize, Trial, "size", "size", "Expected size of the container with its indexes, as the size after its name").taking(),
    about(Action::DemandRu, Trial, "load", "load", "Demand on the container in RU/s, as the number after its name").taking(),
    about(Action::NextWeight, Trial, "weight", "weight", "RU of a key by its documents, its bytes, or the RU that logs name for it"),
    about(Action::GrowthADay, Trial, "growth", "growth", "What is written in a day, as the size after its name").taking(),
    about(Action::KeptDays, Trial, "kept", "kept", "Days after which documents are deleted: the number after its name").taking(),
    about(Action::AsItIs, Trial, "as-it-is", "as it is", "Partitions and RU/s as the inputs report them"),
    about(Action::Documents, Trial, "documents", "documents", "Read documents from files: the paths after its name").taking(),
    about(Action::Queries, Trial, "queries", "queries", "Read queries from a file: the path after its name").taking(),
    about(Action::DatedBy, Trial, "time", "time", "The property with the time a document was written, after its name").taking(),
    about(Action::NextDial, Forecast, "next-dial", "dial", "To the next dial"),
    about(Action::PreviousDial, Forecast, "previous-dial", "dial back", "To the dial before"),
    about(Action::DialUp, Forecast, "dial-up", "more", "Turn the chosen dial up: growth, load, retention, RU/s, partitions, one key, time ahead"),
    about(Action::DialDown, Forecast, "dial-down", "less", "Turn the chosen dial down"),
    about(Action::SetDial, Forecast, "dial", "set dial", "Set a dial by its name: growth 3, load 10%, kept 30, ru 60000, partitions 12, key 40%, ahead 24").taking(),
    about(Action::ResetDials, Forecast, "reset-dials", "reset", "All dials as the inputs report them"),
    about(Action::OneContainer, Forecast, "one-container", "container", "Limits of this container only, or of all"),
    about(Action::NextPicture, Forecast, "picture", "picture", "The chosen limit over time, the partitions of its container, or these in time"),
    about(Action::PlayTime, Forecast, "play-time", "play", "Play the partitions of the container in time, or stop: they fill, throttle and split"),
    about(Action::OtherKey, Forecast, "other-key", "other key", "Play the next of the keys that were tried (4) in a new container, next to today's; then today's alone"),
    about(Action::NextFrame, Forecast, "next-frame", "frame", "One frame on in time"),
    about(Action::PreviousFrame, Forecast, "previous-frame", "frame back", "One frame back in time"),
    about(Action::NextHappening, Forecast, "next-happening", "next event", "To the next thing that happens: 429s, a split, a key at 20 GB"),
    about(Action::PreviousHappening, Forecast, "previous-happening", "event before", "To the thing that happened before"),
    about(Action::Faster, Forecast, "faster", "faster", "More frames a second"),
    about(Action::Slower, Forecast, "slower", "slower", "Fewer frames a second"),
    about(Action::NextMoment, Replay, "next-moment", "later", "The next moment at which anything changed"),
    about(Action::NextStep, Lesson, "next-step", "next", "The next step of the lesson"),
    about(Action::PreviousStep, Lesson, "previous-step", "back", "The step before"),
    about(Action::Reveal, Lesson, "reveal", "answer", "Show the answer and what is hidden until then, or hide it again"),
    about(Action::PlayLapse, Lesson, "play-lapse", "play", "Play the time-lapse of the step, or pause it"),
    about(Action::HandOut, Lesson, "hand-out", "hand-out", "Write the lesson with its pictures to an HTML, Markdown or text file").taking(),
    about(Action::LessonStep, Lesson, "step", "step", "To a step by its number, after its name").taking(),
    about(Action::PreviousMoment, Replay, "previous-moment", "earlier", "The moment before at which anything changed"),
    about(Action::NextEvent, Replay, "next-event", "next event", "The next thing that happened: a split, a key over a mark, no answer"),
    about(Action::PreviousEvent, Replay, "previous-event", "event before", "The thing that happened before"),
    about(Action::Play, Replay, "play", "play", "Let the recording go on by itself, or stop it"),
    about(Action::LiveEdge, Replay, "live-edge", "end", "The end of the recording: what was known last"),
    about(Action::Speed, Replay, "speed", "speed", "How many times faster than it was recorded, after its name").taking(),
    about(Action::Accept, Prompt, "accept", "accept", "Take what is typed"),
    about(Action::Cancel, Prompt, "cancel", "cancel", "Leave it as it was"),
    about(Action::Complete, Prompt, "complete", "complete", "Complete what is typed, or choose the next"),
    about(Action::CompleteBack, Prompt, "complete-back", "previous", "Choose the previous"),
    about(Action::Left, Prompt, "left", "left", "Left one character"),
    about(Action::Right, Prompt, "right", "right", "Right one character"),
    about(Action::WordLeft, Prompt, "word-left", "word left", "Left one word"),
    about(Action::WordRight, Prompt, "word-right", "word right", "Right one word"),
    about(Action::LineStart, Prompt, "line-start", "start", "To the start of the line"),
    about(Action::LineEnd, Prompt, "line-end", "end", "To the end of the line"),
    about(Action::DeleteBack, Prompt, "delete-back", "delete", "Delete the character before"),
    about(Action::DeleteForward, Prompt, "delete-forward", "delete", "Delete the character under the cursor"),
    about(Action::DeleteWord, Prompt, "delete-word", "delete word", "Delete the word before"),
    about(Action::DeleteLine, Prompt, "delete-line", "delete line", "Delete everything before"),
    about(Action::DeleteToEnd, Prompt, "delete-to-end", "delete rest", "Delete everything after"),
];

impl Action {
    pub fn named(name: &str) -> Option<&'static ActionWords> {
        ACTIONS.iter().find(|about| about.name == name)
    }

    /// What is told of it.
    pub fn about(self) -> Option<&'static ActionWords> {
        ACTIONS.iter().find(|about| about.action == self)
    }

    /// Whether it is about rows of a view: nothing to do while something lies over them.
    pub fn is_of_rows(self) -> bool {
        let context = self.about().map(|about| about.context);
        matches!(context, Some(List | Keys | Heat | Trial | Forecast))
    }

    /// The row to which a movement leads, which may lie behind the last one; none of other actions.
    pub fn moved(self, from: usize, rows: usize, height: usize) -> Option<usize> {
        let page = height.max(1);
        let half = page.div_ceil(2);
        Some(match self {
            Self::NextRow => from.saturating_add(1),
            Self::PreviousRow => from.saturating_sub(1),
            Self::NextPage => from.saturating_add(page),
            Self::PreviousPage => from.saturating_sub(page),
            Self::NextHalfPage => from.saturating_add(half),
            Self::PreviousHalfPage => from.saturating_sub(half),
            Self::FirstRow => 0,
            Self::LastRow => rows,
            _ => return None,
        })
    }

    pub fn hint(self) -> &'static str {
        self.about().map_or("", |about| about.hint)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_name_and_action_stands_once() {
        let names: BTreeSet<&str> = ACTIONS.iter().map(|a| a.name).collect();
        let actions: BTreeSet<Action> = ACTIONS.iter().map(|a| a.action).collect();
        assert_eq!((names.len(), actions.len()), (ACTIONS.len(), ACTIONS.len()));
        for about in ACTIONS {
            assert!(!about.help.is_empty() && !about.help.ends_with('.'), "{}", about.name);
            assert!(
                about.name.chars().all(|c| c.is_ascii_lowercase() || c == '-'),
                "{}",
                about.name
            );
            assert_eq!(Action::named(about.name), Some(about));
        }
    }
}
