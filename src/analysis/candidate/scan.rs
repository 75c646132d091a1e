//! Reads the pieces of a key expression from left to right and remembers where it stands.

use crate::model::key::leading_string;
use crate::model::path::Path;

/// Why reading stopped, and at which byte; at the end of the text more letters may mend it.
#[derive(Debug)]
pub(super) struct Halt {
    pub at: usize,
    pub what: String,
    /// What stands there may become what is expected.
    pub is_begun: bool,
}

pub(super) fn halt(at: usize, what: impl Into<String>) -> Halt {
    Halt {
        at,
        what: what.into(),
        is_begun: false,
    }
}

/// A place in an expression's text.
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

    pub fn next(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub fn skip_blanks(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    /// Takes a sign, perhaps after blanks; without it nothing moves but past the blanks.
    pub fn sign(&mut self, sign: char) -> bool {
        self.skip_blanks();
        let found = self.next() == Some(sign);
        if found {
            self.at += sign.len_utf8();
        }
        found
    }

    /// A name of letters, digits and what stands inside names of properties; perhaps empty.
    pub fn word(&mut self) -> &'a str {
        self.take_while(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'))
    }

    pub fn digits(&mut self) -> &'a str {
        self.take_while(|c| c.is_ascii_digit())
    }

    fn take_while(&mut self, fits: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let len = rest.find(|c| !fits(c)).unwrap_or(rest.len());
        self.at += len;
        rest.get(..len).unwrap_or_default()
    }

    pub fn path(&mut self) -> Result<Path, Halt> {
        let (path, length) =
            Path::leading(self.rest()).map_err(|fault| halt(self.at + fault.at, fault.what))?;
        self.at += length;
        Ok(path)
    }

    /// The text in quotes that starts here.
    pub fn quoted(&mut self) -> Result<String, Halt> {
        match leading_string(self.rest()) {
            Ok((text, length)) => {
                self.at += length;
                Ok(text)
            }
            Err(at) if at >= self.rest().len() => Err(halt(self.text.len(), "the closing \"")),
            Err(at) => Err(halt(self.at + at, "a text in quotes as JSON writes it")),
        }
    }
}
