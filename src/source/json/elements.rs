//! The elements of a list of documents one by one, in bounded memory: of a list at the top, or of an answer's `Documents`.

use std::io::Read;

use super::fault::{DocumentFault, Ending, JsonError};
use super::scan::{Scanner, Token};
use super::window::{Extent, Window};

/// The list of a query's answer, as the service names it.
const LIST: &str = "Documents";
/// What else such an answer holds.
const SYSTEM_FIELDS: [&str; 2] = ["_rid", "_count"];

/// Where the list begins in an answer, however long its other values are.
const HEAD_BYTES: usize = 4_096;

/// An element by its brackets alone; what is inside is for whoever takes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Element<'a> {
    Raw(&'a [u8]),
    /// Passed over because of its length.
    TooLong,
}

/// Hands on every element with its line. Objects that stand one after the other at the top are elements too.
pub fn elements(
    reader: &mut dyn Read,
    keep_going: &dyn Fn() -> bool,
    sink: &mut dyn FnMut(u64, Element<'_>),
) -> Result<(), DocumentFault> {
    let window = Window::new(reader, keep_going);
    let mut elements = Elements { window, sink };
    elements.run().map_err(|why| elements.window.fault(why))
}

/// Whether the text that an object begins with is that of a query's answer.
pub fn is_answer(text: &str) -> bool {
    let mut scanner = Scanner::of(text);
    if !matches!(scanner.next_token(), Ok(Some(Token::ObjectStart))) {
        return false;
    }
    while let Ok(Some(Token::Key(name))) = scanner.next_token() {
        if name.raw() == LIST {
            return matches!(scanner.next_token(), Ok(Some(Token::ArrayStart)));
        }
        if !SYSTEM_FIELDS.contains(&name.raw()) || scanner.skip_value().is_err() {
            return false;
        }
    }
    false
}

struct Elements<'r, 's> {
    window: Window<'r>,
    sink: &'s mut dyn FnMut(u64, Element<'_>),
}

impl Elements<'_, '_> {
    fn run(&mut self) -> Result<(), Ending> {
        self.window.begin()?;
        while let Some(byte) = self.window.peek()? {
            match byte {
                b'[' => self.list()?,
                b'{' => {
                    self.window.extent()?;
                    let held = self.window.ahead();
                    let start = held.get(..HEAD_BYTES).unwrap_or(held);
                    if is_answer(&String::from_utf8_lossy(start)) {
                        self.answer()?;
                    } else {
                        self.element(byte)?;
                    }
                }
                byte => self.element(byte)?,
            }
        }
        Ok(())
    }

    fn list(&mut self) -> Result<(), Ending> {
        self.window.pass(1);
        let mut is_first = true;
        while let Some(byte) = self.window.entry(b']', is_first)? {
            is_first = false;
            self.element(byte)?;
        }
        Ok(())
    }

    fn answer(&mut self) -> Result<(), Ending> {
        self.window.pass(1);
        let mut is_first = true;
        while self.window.entry(b'}', is_first)?.is_some() {
            is_first = false;
            let Extent::Whole(length) = self.window.extent()? else {
                return Err(Ending::Json(JsonError::Unexpected(b'"')));
            };
            let is_list = self.window.ahead().get(1..length.max(2) - 1) == Some(LIST.as_bytes());
            self.window.pass(length);
            self.window.expect(b':')?;
            if self.window.next()? == b'[' && is_list {
                self.list()?;
            } else {
                self.window.pass_long()?;
            }
        }
        Ok(())
    }

    fn element(&mut self, byte: u8) -> Result<(), Ending> {
        if matches!(byte, b']' | b'}' | b',' | b':') {
            return Err(Ending::Json(JsonError::Unexpected(byte)));
        }
        let line = self.window.line();
        match self.window.extent()? {
            Extent::Whole(length) => {
                let raw = self.window.ahead().get(..length).unwrap_or_default();
                (self.sink)(line, Element::Raw(raw));
                self.window.pass(length);
                self.window.saw_record();
            }
            Extent::Long => {
                self.window.pass_long()?;
                (self.sink)(line, Element::TooLong);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> (Vec<(u64, String)>, Option<String>) {
        let mut found = Vec::new();
        let mut reader = text.as_bytes();
        let ended = elements(&mut reader, &|| true, &mut |line, element| {
            found.push(match element {
                Element::Raw(raw) => (line, String::from_utf8_lossy(raw).into_owned()),
                Element::TooLong => (line, "too long".to_owned()),
            });
        });
        (found, ended.err().map(|e| e.to_string()))
    }

    fn texts(text: &str) -> Vec<String> {
        let (found, fault) = all(text);
        assert_eq!(fault, None, "{text}");
        found.into_iter().map(|(_, t)| t).collect()
    }

    #[test]
    fn elements_of_lists_answers_and_of_the_top() {
        assert_eq!(texts("[]"), [""; 0]);
        assert_eq!(texts("[{\"a\":1},\n 2 ,[3]]"), ["{\"a\":1}", "2", "[3]"]);
        assert_eq!(
            texts("{\"_rid\":\"x\",\"Documents\":[{\"a\":[]},{}],\"_count\":2}"),
            ["{\"a\":[]}", "{}"]
        );
        assert_eq!(texts("{\n\"id\":1}\n{\"Documents\":7}"), ["{\n\"id\":1}", "{\"Documents\":7}"]);
        assert_eq!(texts("{\"id\":1,\"Documents\":[1]}").len(), 1);
    }

    #[test]
    fn what_is_no_list_of_values_is_a_fault_behind_the_good_ones() {
        for text in ["[{},]", "[{} {}]", "[,]", "[{}", "[{}}", "{\"Documents\":[{}],}"] {
            let (found, fault) = all(text);
            assert!(found.len() <= 2 && fault.is_some(), "{text}: {found:?}");
        }
        let long = format!("[{{}},\n\"{}\",\n{{}}]", "x".repeat(1 << 21));
        let (found, fault) = all(&long);
        assert_eq!(fault, None);
        assert_eq!(found[1], (2, "too long".to_owned()));
        assert_eq!(found[2].0, 3);
    }
}
