//! A line that is typed: filter, command, file name; with offers that complete it.

use tui_input::{Input as Editor, InputRequest};

use super::action::Action;
use super::msg::Generation;
use crate::analysis::grammar::Completion;
use crate::model::visible::visible;

/// What a typed line is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PromptPurpose {
    /// Narrows the rows of the view while it is typed.
    Filter,
    /// Any action by its name, with what it takes.
    Command,
    /// A key to be tried, tried while it is typed.
    Key,
    /// Of the chosen setting of a design.
    Value,
    /// For the commands of a step of what now, counted from 0.
    ResourceGroup(usize),
}

impl PromptPurpose {
    /// What stands before the text, unless the prompt has a label of its own.
    fn label(self) -> &'static str {
        match self {
            Self::Filter => "/",
            Self::Command => ":",
            Self::Key => "try key:",
            Self::Value => "=",
            Self::ResourceGroup(_) => "resource group:",
        }
    }
}

/// A way to go on with what is typed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Offer {
    /// The whole line if it is taken.
    pub line: String,
    /// As it is shown, already made visible.
    pub shown: String,
    pub help: String,
}

impl Offer {
    /// What completion found at the cursor of a text.
    pub fn of(text: &str, found: impl IntoIterator<Item = Completion>) -> Vec<Self> {
        let offer = |found: Completion| {
            let before = text.chars().take(found.replaces.start);
            let after = text.chars().skip(found.replaces.end);
            Self {
                line: before.chain(found.text.chars()).chain(after).collect(),
                shown: visible(found.text.trim_matches(' ')).into_owned(),
                help: found.meaning.to_owned(),
            }
        };
        found.into_iter().take(MAX_OFFERS).map(offer).collect()
    }
}

/// How a line can go on, and what is wrong with it at which character.
pub type Offers = (Vec<Offer>, Option<(usize, String)>);

/// Whether a text is taken while it is still typed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Typing {
    GoesOn,
    Over,
}

/// Offers held at a time: more than a screen shows, few enough to make anew with every letter.
pub const MAX_OFFERS: usize = 200;
/// Characters of a line; a paste may be large.
const MAX_CHARACTERS: usize = 4096;

#[derive(Clone, Debug)]
pub struct Prompt {
    pub purpose: PromptPurpose,
    /// What the text is for; it stands before the text.
    pub label: String,
    /// The command that takes the text as its value; empty where the text is all there is.
    command: String,
    editor: Editor,
    pub offers: Vec<Offer>,
    pub chosen: Option<usize>,
    /// What is wrong with what is typed, and at which character.
    pub problem: Option<(usize, String)>,
    /// The text when the line was opened, to go back to.
    pub before: String,
    /// The newest question for file names.
    pub generation: Generation,
    /// The first character that is typed replaces a value in which nothing was done yet.
    pub is_untouched: bool,
}

impl PartialEq for Prompt {
    fn eq(&self, other: &Self) -> bool {
        self.purpose == other.purpose
            && self.label == other.label
            && self.text() == other.text()
            && self.cursor() == other.cursor()
            && self.offers == other.offers
            && self.chosen == other.chosen
    }
}

/// What a key did to a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LineChange {
    Text,
    Cursor,
    Nothing,
}

impl Prompt {
    pub fn new(purpose: PromptPurpose, text: &str) -> Self {
        Self {
            purpose,
            label: purpose.label().to_owned(),
            command: String::new(),
            editor: Editor::new(text.to_owned()),
            offers: Vec::new(),
            chosen: None,
            problem: None,
            before: text.to_owned(),
            generation: Generation::default(),
            is_untouched: false,
        }
    }

    /// The value of what is named; a command takes it, such as `size`, else the form of a design.
    pub fn of_value(name: &str, command: &str, value: &str) -> Self {
        let (purpose, command) = match command {
            "" => (PromptPurpose::Value, String::new()),
            name => (PromptPurpose::Command, format!("{name} ")),
        };
        Self {
            label: format!("{name} ="),
            command,
            is_untouched: true,
            ..Self::new(purpose, value)
        }
    }

    pub fn text(&self) -> &str {
        self.editor.value()
    }

    /// The text as a whole command.
    pub fn command_line(&self) -> String {
        format!("{}{}", self.command, self.text())
    }

    /// Takes offers; of those that complete a whole command it keeps the value.
    pub fn offer(&mut self, found: Offers) {
        let (mut offers, problem) = found;
        for offer in &mut offers {
            offer.line = offer.line.replacen(&self.command, "", 1);
        }
        (self.offers, self.problem, self.chosen) = (offers, problem, None);
    }

    /// The cursor's place in characters.
    pub fn cursor(&self) -> usize {
        self.editor.cursor()
    }

    pub fn insert(&mut self, c: char) -> LineChange {
        if c.is_control() || self.text().chars().count() >= MAX_CHARACTERS {
            return LineChange::Nothing;
        }
        if std::mem::take(&mut self.is_untouched) {
            self.editor = Editor::default();
        }
        self.editor.handle(InputRequest::InsertChar(c));
        self.chosen = None;
        LineChange::Text
    }

    /// Pasted text is one line: what would end it or act becomes a blank.
    pub fn paste(&mut self, text: &str) -> LineChange {
        let mut edited = LineChange::Nothing;
        let text = text.trim_end_matches(['\r', '\n']);
        for c in text.chars().take(MAX_CHARACTERS) {
            let c = if c.is_control() { ' ' } else { c };
            if self.insert(c) == LineChange::Text {
                edited = LineChange::Text;
            }
        }
        edited
    }

    /// Takes the offer after or before the chosen one.
    pub fn choose(&mut self, step: isize) {
        let count = isize::try_from(self.offers.len()).unwrap_or(isize::MAX);
        if count == 0 {
            return;
        }
        self.is_untouched = false;
        let next = match self.chosen {
            None if step > 0 => 0,
            None => count - 1,
            Some(at) => (isize::try_from(at).unwrap_or(0) + step).rem_euclid(count),
        };
        self.chosen = usize::try_from(next).ok();
        if let Some(offer) = self.chosen.and_then(|at| self.offers.get(at)) {
            self.editor = Editor::new(offer.line.clone());
        }
    }

    pub fn act(&mut self, action: Action) -> LineChange {
        let request = match action {
            Action::Left => InputRequest::GoToPrevChar,
            Action::Right => InputRequest::GoToNextChar,
            Action::WordLeft => InputRequest::GoToPrevWord,
            Action::WordRight => InputRequest::GoToNextWord,
            Action::LineStart => InputRequest::GoToStart,
            Action::LineEnd => InputRequest::GoToEnd,
            Action::DeleteBack => InputRequest::DeletePrevChar,
            Action::DeleteForward => InputRequest::DeleteNextChar,
            Action::DeleteWord => InputRequest::DeletePrevWord,
            Action::DeleteLine => InputRequest::DeleteFromStart,
            Action::DeleteToEnd => InputRequest::DeleteTillEnd,
            _ => return LineChange::Nothing,
        };
        self.is_untouched = false;
        match self.editor.handle(request) {
            Some(changed) if changed.value => {
                self.chosen = None;
                LineChange::Text
            }
            Some(_) => LineChange::Cursor,
            None => LineChange::Nothing,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_paste_stays_one_line_and_acts_on_nothing() {
        let mut line = Prompt::new(PromptPurpose::Filter, "a");
        assert_eq!(line.paste("b\u{1b}[2J\nc\r\n"), LineChange::Text);
        assert_eq!(line.text(), "ab [2J c");
        line.paste(&"x".repeat(100_000));
        assert_eq!(line.text().chars().count(), MAX_CHARACTERS);
        assert_eq!(line.insert('y'), LineChange::Nothing);
    }

    #[test]
    fn a_value_hides_its_command_and_is_replaced_by_what_is_typed() {
        let mut line = Prompt::of_value("demand", "load", "525");
        assert_eq!((line.text(), &*line.command_line()), ("525", "load 525"));
        assert_eq!((line.purpose, &*line.label), (PromptPurpose::Command, "demand ="));
        let offer = Offer { line: "load 9".into(), shown: "9".into(), help: String::new() };
        line.offer((vec![offer], None));
        line.choose(1);
        assert_eq!(line.command_line(), "load 9");
        let mut line = Prompt::of_value("starts", "", "2027-01-01");
        line.paste("2028");
        assert_eq!((line.purpose, &*line.command_line()), (PromptPurpose::Value, "2028"));
    }

    #[test]
    fn offers_turn_round_and_typing_leaves_them() {
        let mut line = Prompt::new(PromptPurpose::Command, "so");
        line.choose(1);
        assert_eq!(line.text(), "so");
        let offer = |text: &str| Offer {
            line: text.to_owned(),
            shown: text.to_owned(),
            help: String::new(),
        };
        line.offers = vec![offer("sort"), offer("sources")];
        line.choose(1);
        line.choose(1);
        assert_eq!(line.text(), "sources");
        line.choose(1);
        assert_eq!((line.text(), line.chosen), ("sort", Some(0)));
        line.choose(-1);
        assert_eq!(line.text(), "sources");
        line.insert('x');
        assert_eq!((line.text(), line.chosen), ("sourcesx", None));
    }

    #[test]
    fn the_line_is_edited_as_in_a_shell() {
        let mut line = Prompt::new(PromptPurpose::Command, "open some file");
        assert_eq!(line.act(Action::DeleteWord), LineChange::Text);
        assert_eq!(line.text(), "open some ");
        assert_eq!(line.act(Action::LineStart), LineChange::Cursor);
        assert_eq!(line.act(Action::Quit), LineChange::Nothing);
        line.act(Action::DeleteToEnd);
        assert_eq!(line.text(), "");
    }
}
