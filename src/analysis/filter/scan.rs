//! Reads the pieces of a filter's text from left to right and remembers where it stands.

use super::value::Op;

/// Whether what follows could still mend a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stop {
    Incomplete,
    Wrong,
}

/// Why reading stopped, and at which byte.
#[derive(Debug)]
pub(super) struct Halt {
    pub stop: Stop,
    pub at: usize,
    pub what: String,
}

/// A place in a filter's text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scan<'a> {
    text: &'a str,
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

    /// A word of a text: up to a blank, a parenthesis or an operator.
    pub fn word(&mut self) -> &'a str {
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
    pub fn value_word(&mut self) -> &'a str {
        self.take_while(|c| !is_edge(c))
    }

    /// Takes `word` if it stands here as a whole word.
    pub fn keyword(&mut self, word: &str) -> bool {
        let mut ahead = *self;
        let found = ahead.word() == word && !ahead.at_operator();
        if found {
            *self = ahead;
        }
        found
    }

    pub fn operator(&mut self) -> Option<Op> {
        // Longer ones first; `==` is what programmers type.
        let found = [
            ("<=", Op::AtMost),
            (">=", Op::AtLeast),
            ("!=", Op::Unequal),
            ("==", Op::Equal),
            ("<", Op::Below),
            (">", Op::Above),
            ("=", Op::Equal),
        ];
        let (_, op) = found.into_iter().find(|(token, _)| self.take(token))?;
        Some(op)
    }

    /// Whether an operator follows, perhaps after blanks.
    pub fn at_operator(&self) -> bool {
        let mut ahead = *self;
        ahead.skip_blanks();
        ahead.operator().is_some()
    }

    /// The text in quotes that start here.
    pub fn quoted(&mut self) -> Result<String, Halt> {
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
    pub fn at_edge(&self) -> bool {
        self.rest().chars().next().is_none_or(is_edge)
    }

    /// Something else should stand here: at the end it may still come.
    pub fn missing(&self, what: impl Into<String>) -> Halt {
        let stop = if self.is_done() {
            Stop::Incomplete
        } else {
            Stop::Wrong
        };
        Halt {
            stop,
            at: self.at,
            what: what.into(),
        }
    }

    /// `word`, which began at `at` and ended here, should be one of `words`: at the end it may become it.
    pub fn unknown<'w>(
        &self,
        at: usize,
        words: impl IntoIterator<Item = &'w str>,
        what: impl Into<String>,
    ) -> Halt {
        let begun = self.text.get(at..self.at).unwrap_or_default();
        let may_become = self.is_done() && words.into_iter().any(|w| starts(w, begun));
        Halt {
            stop: if may_become {
                Stop::Incomplete
            } else {
                Stop::Wrong
            },
            at,
            what: what.into(),
        }
    }
}

pub(super) fn wrong(at: usize, what: impl Into<String>) -> Halt {
    Halt {
        stop: Stop::Wrong,
        at,
        what: what.into(),
    }
}

/// Whether a word starts so, whatever the letter case.
pub(super) fn starts(word: &str, begun: &str) -> bool {
    word.get(..begun.len())
        .is_some_and(|start| start.eq_ignore_ascii_case(begun))
}

/// Whether a character ends every bare word.
pub(super) fn is_edge(c: char) -> bool {
    c.is_whitespace() || matches!(c, '(' | ')')
}
