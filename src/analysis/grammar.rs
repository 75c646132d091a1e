//! What the two languages that are typed share: a place in a text, why reading it stopped, and what fits at the cursor.

use std::fmt;
use std::ops::Range;

/// What a text is in its language.
#[derive(Clone, PartialEq, Debug)]
pub enum Parsed<T> {
    Complete(T),
    /// More letters can complete it: whoever shows the result keeps the last one.
    Incomplete(SyntaxError),
    /// Nothing typed after it can mend it.
    Wrong(SyntaxError),
}

/// Where a text stops being understood, and what should stand there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SyntaxError {
    /// Characters before it.
    pub column: usize,
    /// Without "expected"; may quote what was typed, so it is not yet visible.
    pub what: String,
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "column {}: expected {}", self.column + 1, self.what)
    }
}

impl<T> Parsed<T> {
    pub(super) fn of(text: &str, read: Result<T, Halt>) -> Self {
        let halt = match read {
            Ok(read) => return Self::Complete(read),
            Err(halt) => halt,
        };
        let before = text.get(..halt.at).unwrap_or(text);
        let expected = SyntaxError { column: before.chars().count(), what: halt.what };
        let is_incomplete = halt.is_begun || halt.at >= text.len();
        if is_incomplete { Self::Incomplete(expected) } else { Self::Wrong(expected) }
    }
}

/// Why reading stopped, and at which byte; at the end of the text more letters may mend it.
#[derive(Debug)]
pub(super) struct Halt {
    pub at: usize,
    pub what: String,
    /// What stands there may become what is expected.
    pub is_begun: bool,
}

pub(super) fn halt(at: usize, what: impl Into<String>) -> Halt {
    Halt { at, what: what.into(), is_begun: false }
}

/// A place in a text that is read from left to right.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scan<'a> {
    pub text: &'a str,
    pub at: usize,
}

impl<'a> Scan<'a> {
    pub fn new(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    pub fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    pub fn is_done(&self) -> bool {
        self.at >= self.text.len()
    }

    pub fn next(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub fn skip_blanks(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    pub fn take(&mut self, token: &str) -> bool {
        let found = self.rest().starts_with(token);
        if found {
            self.at += token.len();
        }
        found
    }

    /// Takes as long as characters fit.
    pub fn take_while(&mut self, fits: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let len = rest.find(|c| !fits(c)).unwrap_or(rest.len());
        self.at += len;
        rest.get(..len).unwrap_or_default()
    }

    pub fn digits(&mut self) -> &'a str {
        self.take_while(|c| c.is_ascii_digit())
    }
}

/// Writes items with a text between them.
pub(super) fn separated(
    f: &mut fmt::Formatter<'_>,
    items: &[impl fmt::Display],
    between: &str,
) -> fmt::Result {
    for (i, item) in items.iter().enumerate() {
        if i > 0 {
            f.write_str(between)?;
        }
        item.fmt(f)?;
    }
    Ok(())
}

words! {
    /// How a value stands to another; longer signs first, so that `<=` is not read as `<` and `=`.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub(super) enum Op {
        AtMost = "<=",
        AtLeast = ">=",
        Unequal = "!=",
        Below = "<",
        Above = ">",
        Equal = "=",
    }
    fn text, ALL
}

/// Whether a word starts so, whatever the letter case.
pub(super) fn starts(word: &str, begun: &str) -> bool {
    word.get(..begun.len()).is_some_and(|start| start.eq_ignore_ascii_case(begun))
}

/// A text that can take the place of what stands at the cursor.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Completion {
    /// Characters of the typed text that it replaces.
    pub replaces: Range<usize>,
    pub text: String,
    pub meaning: &'static str,
}

/// A line of the help on a language.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Help {
    pub name: &'static str,
    pub example: &'static str,
    pub meaning: &'static str,
}

/// A piece of the grammar in each row: its name, an example, what it means.
macro_rules! help {
    ($($name:literal, $example:literal, $meaning:literal;)*) => {
        [$($crate::analysis::grammar::Help { name: $name, example: $example, meaning: $meaning }),*]
    };
}
pub(super) use help;

pub(super) fn meaning(help: &[Help], name: &str) -> &'static str {
    let found = help.iter().find(|line| line.name == name);
    found.map_or("", |line| line.meaning)
}

/// Bytes of what was begun that stay, the text that replaces the others, and what it means.
pub(super) type Offer = (usize, String, &'static str);

/// What fits at the cursor, which stands behind that many characters. `offers` is given the text before the cursor, and
/// gives the byte at which the piece at the cursor begins.
pub(super) fn completions(
    text: &str,
    cursor: usize,
    offers: impl FnOnce(&str) -> Option<(usize, Vec<Offer>)>,
) -> Vec<Completion> {
    let end = text.char_indices().nth(cursor).map_or(text.len(), |c| c.0);
    let before = text.get(..end).unwrap_or(text);
    let Some((start, offers)) = offers(before) else { return Vec::new() };
    let chars = |end: usize| before.get(..end).unwrap_or(before).chars().count();
    let offers = offers.into_iter().map(|(kept, text, meaning)| Completion {
        replaces: chars(start.saturating_add(kept))..chars(before.len()),
        text,
        meaning,
    });
    offers.collect()
}
