//! Everything a person can ask for, in one table: names for the palette and the key table, words for the help.

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

/// Makes the actions, their contexts and [`ACTIONS`] of one table: by context the name, the hint and the help.
macro_rules! actions {
    ($($(#[$doc:meta])* $context:ident $table:literal $title:literal {
        $($action:ident $name:literal $hint:literal $help:literal $($more:ident)?;)*
    })*) => {
        /// A request by name; a key, a click and the palette all lead here.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Action {
            $($($action,)*)*
        }

        /// Where keys mean what: a chord is looked up in the innermost of these first.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Context {
            $($(#[$doc])* $context,)*
        }

        impl Context {
            pub const ALL: &'static [Self] = &[$(Self::$context,)*];

            /// The table's name in `keys.toml`.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$context => $table,)*
                }
            }

            /// The heading in the help.
            pub fn title(self) -> &'static str {
                match self {
                    $(Self::$context => $title,)*
                }
            }
        }

        /// Every action, in the order of the help and of [`Action`].
        pub const ACTIONS: &[ActionWords] = &[$($(ActionWords {
            action: Action::$action,
            name: $name,
            hint: $hint,
            help: $help,
            context: Context::$context,
            takes_more: stringify!($($more)?).len() > 0,
        },)*)*];
    };
}

actions! {
    /// Everywhere but in a line that is typed.
    Global "global" "Everywhere" {
        Help "help" "help" "What every key does, and what the screen shows";
        Palette "commands" "commands" "Run any command by its name, with completion";
        ShowStart "start" "start" "The start screen: recent files, scenarios, ways in";
        ShowOverview "overview" "overview" "All containers, the worst first";
        ShowKeys "keys" "keys" "The logical partitions of the chosen container";
        ShowHeat "heat" "heat" "Load over time by physical partition, the verdict, and the keys behind it";
        ShowTrial "trial" "trial" "Keys side by side, each tried on documents of the container";
        ShowForecast "forecast" "forecast" "Which key or physical partition reaches which limit when, and what changes that";
        ShowLesson "lesson" "lesson" "Lessons on these screens; takes a name or a file after its name" takes_more;
        TryKey "try" "try a key" "Type another key and see what it would do; takes the key after its name" takes_more;
        WhatNow "what-now" "what now" "What to do now: remedies with their commands, queries, the incident note";
        Back "back" "back" "One step back, or close what is open";
        Open "open" "open file" "Open files or folders by their paths" takes_more;
        Compare "compare" "compare" "What changed since another export of the same account (diff): its path after the name" takes_more;
        Scenarios "scenario" "scenario" "Open a built-in scenario by name" takes_more;
        Connect "connect" "connect" "How to look at an account";
        Refresh "refresh" "refresh" "Read the same inputs again; what is shown stays until then";
        DateOrder "date-order" "date order" "Read dates such as 3/4/2026 day first (dmy) or month first (mdy), as given after its name" takes_more;
        StopLoading "stop" "stop" "Stop reading and keep what is there";
        Workload "workload" "workload" "What the application does: reads and writes, operations, queries, programs";
        Design "design" "design" "Design a container that does not exist yet: a form with its figures; takes a file or a template after its name" takes_more;
        Sources "sources" "sources" "What was read, what was left out and why";
        Mask "mask" "mask" "Replace names and keys by invented ones, everywhere, for sharing the screen";
        Freeze "freeze" "freeze" "Hold what is shown while data goes on arriving";
        NextTheme "theme" "theme" "The next colours: dark, light, colour-blind" takes_more;
        Redraw "redraw" "redraw" "Draw the whole screen again";
        Suspend "suspend" "suspend" "Back to the shell; fg returns";
        Quit "quit" "quit" "Close a popup, else leave";
        Leave "leave" "leave" "Leave at once";
    }
    /// Wherever rows are chosen.
    List "list" "In a list" {
        NextRow "next-row" "down" "Down one row";
        PreviousRow "previous-row" "up" "Up one row";
        NextPage "next-page" "page down" "Down one page";
        PreviousPage "previous-page" "page up" "Up one page";
        NextHalfPage "next-half-page" "half down" "Down half a page";
        PreviousHalfPage "previous-half-page" "half up" "Up half a page";
        FirstRow "first-row" "first" "To the first row";
        LastRow "last-row" "last" "To the last row";
        Enter "enter" "open" "Into the chosen row";
        NextPane "next-pane" "pane" "To the next pane";
        PreviousPane "previous-pane" "pane back" "To the previous pane";
        Filter "filter" "filter" "Show only rows that match a text or an expression such as size>14GiB" takes_more;
        ClearFilter "clear-filter" "all rows" "Show all rows again";
        SortNext "sort" "sort" "Sort by the next column" takes_more;
        SortPrevious "sort-back" "sort back" "Sort by the previous column";
        SortReverse "sort-reverse" "reverse" "The other way round";
        Zoom "zoom" "zoom" "Give the whole screen to this pane, and back";
        Evidence "evidence" "evidence" "Where each number of the chosen row comes from";
        Copy "copy" "copy" "Copy the chosen or marked rows to the clipboard of the terminal";
        CopyQuery "copy-query" "copy query" "Copy the query that gives the chosen number again";
        Export "export" "export" "Write what is shown to a file: text, CSV, JSON or Markdown by its ending; :export! FILE replaces one" takes_more;
    }
    /// The list of keys of a container.
    Keys "keys" "Among keys" {
        Mark "mark" "mark" "Mark or unmark the chosen key, and go on";
        MarkAll "mark-all" "mark all" "Mark every key that the filter shows";
        ClearMarks "clear-marks" "unmark" "Take all marks away";
        ToggleTree "tree" "tree" "Hierarchical keys level by level, or as a list";
        Expand "expand" "expand" "Show what lies under this prefix";
        Collapse "collapse" "collapse" "Hide what lies under this prefix";
        ScrollLeft "scroll-left" "left" "The columns to the left";
        ScrollRight "scroll-right" "right" "The columns to the right";
        CopyExact "copy-exact" "copy exact" "Copy the key's exact value, whatever is in it";
    }
    /// The map of load over time.
    Heat "heat" "In the heat map" {
        Earlier "earlier" "earlier" "One cell back in time, or one partition back in hash order";
        Later "later" "later" "One cell on in time, or one partition on in hash order";
        PanEarlier "pan-earlier" "pan back" "Half a map back in time";
        PanLater "pan-later" "pan on" "Half a map on in time";
        ZoomIn "zoom-in" "closer" "Half as much time around the cursor, from the finest data there is";
        ZoomOut "zoom-out" "wider" "Twice as much time around the cursor";
        ZoomAll "zoom-all" "all time" "All the time that the track covers";
        Brush "brush" "brush" "Begin to choose a span of time, or end it and zoom to it; a drag of the mouse does the same";
        NextMeasure "measure" "measure" "The next measure: share of RU/s, RU/s, 429, requests, storage";
        PreviousMeasure "measure-back" "measure back" "The measure before";
        NextRegion "region" "region" "The next region; a share of RU/s is never summed over regions";
        NextOrder "order" "order" "Partitions hottest first, by id, by hash range, by size";
        ToggleRelative "relative" "relative" "Colours relative to the highest value, or against the real ceiling";
        Darker "darker" "darker" "Less brightness below 70 %";
        Brighter "brighter" "brighter" "More brightness below 70 %";
        ToggleDense "dense" "dense" "All partitions at once, several merged in a row that shows the highest";
        Pin "pin" "pin" "Keep this cell's value and show the difference to the cursor";
        CopyCell "copy-cell" "copy cell" "Copy the value under the cursor; copy in the map gives the incident note, among the keys the key";
        Locate "locate" "locate" "Where values of the key lie in the strip of hash ranges, also values that no input has" takes_more;
        NextChart "chart" "chart" "The map of time, storage against 50 GB, or the strip of hash ranges";
    }
    /// Keys side by side, tried on documents.
    Trial "trial" "Trying keys" {
        NextKey "next-key" "next key" "To the next key, round and round";
        PreviousKey "previous-key" "previous key" "To the key before";
        RemoveKey "remove-key" "remove" "Take the chosen key out; the current one stays";
        ChooseKey "choose-key" "decide" "Decide for this key, or no more: an export to .toml keeps the decision";
        NextPanel "panel" "panel" "The next panel: partitions, requests, reasons, sizes, figures, paths";
        PreviousPanel "panel-back" "panel back" "The panel before";
        Explain "explain" "explain" "The formula and the numbers of every figure of the chosen key";
        Suggest "suggest" "suggest" "Look for better keys over all paths and the queries; the best stand with the others";
        LeastSuffix "suffix" "suffix" "The least number of suffixes that keeps the chosen key small: buckets of /id, or of the path after its name" takes_more;
        Plan "plan" "plan" "What moving to the chosen key takes: routes, steps, RU; :plan bicep shows code for it, :plan FILE writes it" takes_more;
        Browse "paths" "paths" "What stands at each path of the documents; Enter tries one as a key";
        Relative "scale" "scale" "Bars of partitions against their limit, or against the fullest";
        MorePartitions "partitions" "partitions" "One physical partition more, or the number after its name" takes_more;
        FewerPartitions "fewer-partitions" "fewer" "One physical partition less";
        MoreRu "ru" "more RU/s" "More RU/s provisioned, or the number after its name" takes_more;
        LessRu "less-ru" "less RU/s" "Less RU/s provisioned";
        Assume "assumptions" "assumptions" "Set the fields of the header one by one: Enter sets one, Tab goes to the next";
        ExpectedSize "size" "size" "Expected size of the container with its indexes, as the size after its name" takes_more;
        DemandRu "load" "load" "Demand on the container in RU/s, as the number after its name" takes_more;
        NextWeight "weight" "weight" "RU of a key by its documents, its bytes, or the RU that logs name for it";
        GrowthADay "growth" "growth" "What is written in a day, as the size after its name" takes_more;
        KeptDays "kept" "kept" "Days after which documents are deleted: the number after its name" takes_more;
        AsItIs "as-it-is" "as it is" "Partitions and RU/s as the inputs report them";
        Documents "documents" "documents" "Read documents from files: the paths after its name" takes_more;
        Queries "queries" "queries" "Read queries from a file: the path after its name" takes_more;
        DatedBy "time" "time" "The property with the time a document was written, after its name" takes_more;
    }
    /// The limits that come next.
    Forecast "forecast" "In the forecast" {
        NextDial "next-dial" "dial" "To the next dial";
        PreviousDial "previous-dial" "dial back" "To the dial before";
        DialUp "dial-up" "more" "KeyTurn the chosen dial up: growth, load, retention, RU/s, partitions, one key, time ahead";
        DialDown "dial-down" "less" "KeyTurn the chosen dial down";
        SetDial "dial" "set dial" "Set a dial by its name: growth 3, load 10%, kept 30, ru 60000, partitions 12, key 40%, ahead 24" takes_more;
        ResetDials "reset-dials" "reset" "All dials as the inputs report them";
        OneContainer "one-container" "container" "Limits of this container only, or of all";
        NextPicture "picture" "picture" "The chosen limit over time, the partitions of its container, or these in time";
        PlayTime "play-time" "play" "Play the partitions of the container in time, or stop: they fill, throttle and split";
        OtherKey "other-key" "other key" "Play the next of the keys that were tried (4) in a new container, next to today's; then today's alone";
        NextFrame "next-frame" "frame" "One frame on in time";
        PreviousFrame "previous-frame" "frame back" "One frame back in time";
        NextHappening "next-happening" "next event" "To the next thing that happens: 429s, a split, a key at 20 GB";
        PreviousHappening "previous-happening" "event before" "To the thing that happened before";
        Faster "faster" "faster" "More frames a second";
        Slower "slower" "slower" "Fewer frames a second";
    }
    /// While a lesson guides.
    Lesson "lesson" "In a lesson" {
        NextStep "next-step" "next" "The next step of the lesson";
        PreviousStep "previous-step" "back" "The step before";
        Reveal "reveal" "answer" "Show the answer and what is hidden until then, or hide it again";
        PlayLapse "play-lapse" "play" "Play the time-lapse of the step, or pause it";
        HandOut "hand-out" "hand-out" "Write the lesson with its pictures to an HTML, Markdown or text file" takes_more;
        LessonStep "step" "step" "To a step by its number, after its name" takes_more;
    }
    /// Wherever a recording is shown.
    Replay "replay" "In a recording" {
        NextMoment "next-moment" "later" "The next moment at which anything changed";
        PreviousMoment "previous-moment" "earlier" "The moment before at which anything changed";
        NextEvent "next-event" "next event" "The next thing that happened: a split, a key over a mark, no answer";
        PreviousEvent "previous-event" "event before" "The thing that happened before";
        Play "play" "play" "Let the recording go on by itself, or stop it";
        LiveEdge "live-edge" "end" "The end of the recording: what was known last";
        Speed "speed" "speed" "How many times faster than it was recorded, after its name" takes_more;
    }
    /// A line that is typed: filter, palette, file name.
    Prompt "prompt" "While typing" {
        Accept "accept" "accept" "Take what is typed";
        Cancel "cancel" "cancel" "Leave it as it was";
        Complete "complete" "complete" "Complete what is typed, or choose the next";
        CompleteBack "complete-back" "previous" "Choose the previous";
        Left "left" "left" "Left one character";
        Right "right" "right" "Right one character";
        WordLeft "word-left" "word left" "Left one word";
        WordRight "word-right" "word right" "Right one word";
        LineStart "line-start" "start" "To the start of the line";
        LineEnd "line-end" "end" "To the end of the line";
        DeleteBack "delete-back" "delete" "Delete the character before";
        DeleteForward "delete-forward" "delete" "Delete the character under the cursor";
        DeleteWord "delete-word" "delete word" "Delete the word before";
        DeleteLine "delete-line" "delete line" "Delete everything before";
        DeleteToEnd "delete-to-end" "delete rest" "Delete everything after";
    }
}

impl Action {
    pub fn named(name: &str) -> Option<&'static ActionWords> {
        ACTIONS.iter().find(|about| about.name == name)
    }

    /// What is told of it.
    pub fn about(self) -> &'static ActionWords {
        &ACTIONS[self as usize]
    }

    /// Whether it is about rows of a view: nothing to do while something lies over them.
    pub fn is_of_rows(self) -> bool {
        use Context::{Forecast, Heat, Keys, List, Trial};
        matches!(self.about().context, List | Keys | Heat | Trial | Forecast)
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
        self.about().hint
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
