//! Reads the pieces of a key expression.

use super::super::grammar::{Halt, Scan, halt};
use crate::model::key::leading_string;
use crate::model::path::Path;

impl<'a> Scan<'a> {
    /// Takes a sign, perhaps after blanks; without it nothing moves but past the blanks.
    pub(super) fn sign(&mut self, sign: char) -> bool {
        self.skip_blanks();
        let found = self.next() == Some(sign);
        if found {
            self.at += sign.len_utf8();
        }
        found
    }

    /// A name of letters, digits and what stands inside names of properties; perhaps empty.
    pub(super) fn name(&mut self) -> &'a str {
        self.take_while(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'))
    }

    pub(super) fn path(&mut self) -> Result<Path, Halt> {
        let (path, length) =
            Path::leading(self.rest()).map_err(|fault| halt(self.at + fault.at, fault.what))?;
        self.at += length;
        Ok(path)
    }

    /// The text in quotes that starts here.
    pub(super) fn json_text(&mut self) -> Result<String, Halt> {
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
