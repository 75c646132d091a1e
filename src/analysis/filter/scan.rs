//! Reads the pieces of a filter's text.

use super::super::grammar::{Halt, Op, Scan, halt, starts};

impl<'a> Scan<'a> {
    /// A word of a text: up to a blank, a parenthesis or an operator.
    pub(super) fn word(&mut self) -> &'a str {
        let rest = self.rest();
        let ends = |(at, c): &(usize, char)| {
            let starts_unequal = || rest.get(*at..).is_some_and(|r| r.starts_with("!="));
            is_edge(*c) || matches!(c, '<' | '>' | '=') || (*c == '!' && starts_unequal())
        };
        let end = rest.char_indices().find(ends);
        let len = end.map_or(rest.len(), |(at, _)| at);
        self.at += len;
        rest.get(..len).unwrap_or_default()
    }

    /// A word of a value: up to a blank or a parenthesis.
    pub(super) fn value_word(&mut self) -> &'a str {
        self.take_while(|c| !is_edge(c))
    }

    /// Takes `word` if it stands here as a whole word.
    pub(super) fn keyword(&mut self, word: &str) -> bool {
        let mut ahead = *self;
        let found = ahead.word() == word && !ahead.at_operator();
        if found {
            *self = ahead;
        }
        found
    }

    pub(super) fn operator(&mut self) -> Option<Op> {
        // `==` is what programmers type.
        if self.take("==") {
            return Some(Op::Equal);
        }
        Op::ALL.into_iter().find(|op| self.take(op.text()))
    }

    /// Whether an operator follows, perhaps after blanks.
    pub(super) fn at_operator(&self) -> bool {
        let mut ahead = *self;
        ahead.skip_blanks();
        ahead.operator().is_some()
    }

    /// The text in quotes that start here.
    pub(super) fn quoted(&mut self) -> Result<String, Halt> {
        self.take("\"");
        let mut out = String::new();
        let rest = self.rest();
        let mut characters = rest.char_indices().peekable();
        while let Some((at, c)) = characters.next() {
            match c {
                '"' => {
                    self.at += at + 1;
                    return Ok(out);
                }
                '\\' => {
                    let escaped = characters.next_if(|(_, c)| matches!(c, '"' | '\\'));
                    out.push(escaped.map_or(c, |(_, c)| c));
                }
                _ => out.push(c),
            }
        }
        self.at = self.text.len();
        Err(self.missing("the closing \""))
    }

    /// Whether a value ends here.
    pub(super) fn at_edge(&self) -> bool {
        self.next().is_none_or(is_edge)
    }

    /// Something else should stand here: at the end it may still come.
    pub(super) fn missing(&self, what: impl Into<String>) -> Halt {
        halt(self.at, what)
    }

    /// `word`, which began at `at` and ended here, should be one of `words`: at the end it may become it.
    pub(super) fn unknown<'w>(
        &self,
        at: usize,
        words: impl IntoIterator<Item = &'w str>,
        what: impl Into<String>,
    ) -> Halt {
        let begun = self.text.get(at..self.at).unwrap_or_default();
        Halt {
            is_begun: self.is_done() && words.into_iter().any(|w| starts(w, begun)),
            ..halt(at, what)
        }
    }
}

/// Whether a character ends every bare word.
pub(super) fn is_edge(c: char) -> bool {
    c.is_whitespace() || matches!(c, '(' | ')')
}
