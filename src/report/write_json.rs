//! JSON documents as values of serde: texts, numbers and moments exact and harmless, line breaks where they stand.

use std::io::{self, Write};

use serde::{Serialize, Serializer};
use serde_json::ser::{CharEscape, Formatter};

use crate::analysis::rows::{Note, UNKNOWN_CONTAINER};
use crate::model::key::{KeyDefinition, KeyKind, KeyVersion};
use crate::model::names::ContainerName;
use crate::model::time::Stamp;
use crate::model::visible::json_escape_into;

/// JSON that is written already; inside another value it stands as it is.
pub(super) struct Json {
    out: Vec<u8>,
    formatter: Harmless,
}

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_bytes(&self.out)
    }
}

/// A key's JSON text, whose numbers keep the form in which they were found.
pub(super) struct VerbatimKey<'a>(&'a str);

impl Serialize for VerbatimKey<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_bytes(self.0.as_bytes())
    }
}

/// Null where there is none.
pub(super) fn as_found(json: Option<&str>) -> VerbatimKey<'_> {
    VerbatimKey(json.unwrap_or("null"))
}

/// A single value.
pub(super) fn single(value: &(impl Serialize + ?Sized)) -> Json {
    let mut json = of(Vec::new());
    json.push(value);
    json
}

/// An empty object.
pub(super) fn object() -> Json {
    let mut out = Vec::with_capacity(512);
    out.extend_from_slice(b"{}");
    of(out)
}

fn of(out: Vec<u8>) -> Json {
    let formatter = Harmless::default();
    Json { out, formatter }
}

/// Each value on a line of its own.
pub(super) fn lines(values: impl IntoIterator<Item = impl Serialize>) -> Json {
    broken(b"\n", values)
}

/// The first value on the line of the bracket.
pub(super) fn broken(first: &[u8], values: impl IntoIterator<Item = impl Serialize>) -> Json {
    let mut json = of(b"[".to_vec());
    for (at, value) in values.into_iter().enumerate() {
        json.out.extend(if at > 0 { b",\n" } else { first });
        json.push(&value);
    }
    json.out.push(b']');
    json
}

/// Values side by side.
pub(super) fn list<T>(values: &[T], json: impl Fn(&T) -> Json) -> Vec<Json> {
    values.iter().map(json).collect()
}

/// An object whose long list is never held as a whole: the head, the list on lines of its own, then the tail.
pub(super) fn stream(
    head: Json,
    name: &'static str,
    values: impl Iterator<Item = impl Serialize>,
    tail: &Json,
    to: &mut dyn Write,
) -> io::Result<()> {
    let mut json = of(head.open(name));
    for (at, value) in values.enumerate() {
        json.out.extend(if at > 0 { b",\n" as &[u8] } else { b"\n" });
        json.push(&value);
        to.write_all(&json.out)?;
        json.out.clear();
    }
    json.out.extend(tail.close());
    to.write_all(&json.out)
}

impl Json {
    /// With one more field; blanks before the name stand before the field.
    pub fn with(mut self, name: &'static str, value: impl Serialize) -> Self {
        let out = &mut self.out;
        out.pop();
        if out.len() > 1 {
            out.push(b',');
        }
        let plain = name.trim_ascii_start();
        out.extend(name.bytes().take(name.len() - plain.len()));
        out.push(b'"');
        out.extend_from_slice(plain.as_bytes());
        out.extend_from_slice(b"\":");
        self.push(&value);
        self.out.push(b'}');
        self
    }

    /// The field only where it is known.
    pub fn with_known(self, name: &'static str, value: Option<impl Serialize>) -> Self {
        match value {
            Some(value) => self.with(name, value),
            None => self,
        }
    }

    pub fn with_all<T: Serialize>(
        self,
        fields: impl IntoIterator<Item = (&'static str, T)>,
    ) -> Self {
        let with = |json: Self, (name, value)| json.with(name, value);
        fields.into_iter().fold(self, with)
    }

    pub fn names(self, name: &ContainerName) -> Self {
        let container = name.container.as_deref().unwrap_or(UNKNOWN_CONTAINER);
        self.with("account", name.account.as_deref())
            .with("database", name.database.as_deref())
            .with("container", container)
    }

    pub fn definition(self, definition: Option<&KeyDefinition>) -> Self {
        let kind = definition.map(|d| match d.kind {
            KeyKind::Hash => "Hash",
            KeyKind::MultiHash => "MultiHash",
        });
        let version = definition.map(|d| match d.version {
            KeyVersion::V1 => 1,
            KeyVersion::V2 => 2,
        });
        self.with("key_paths", definition.map(|d| &d.paths))
            .with("key_kind", kind)
            .with("key_version", version)
    }

    /// The fields of an object by their names.
    pub fn fields(&self) -> serde_json::Map<String, serde_json::Value> {
        serde_json::from_slice(&self.out).unwrap_or_default()
    }

    pub fn notes(self, name: &'static str, notes: &[Note]) -> Self {
        let notes: Vec<String> = notes.iter().map(Note::sentence).collect();
        self.with(name, notes)
    }

    /// The object up to the first value of a list.
    pub fn open(self, name: &'static str) -> Vec<u8> {
        let mut out = self.with(name, [0_u8; 0]).out;
        out.truncate(out.len().saturating_sub(2));
        out
    }

    /// The end of such a list, and the object's further fields.
    pub fn close(&self) -> Vec<u8> {
        let rest = self.out.get(1..).unwrap_or_default();
        let between: &[u8] = if rest == b"}" { b"]" } else { b"]," };
        [between, rest].concat()
    }

    /// As a whole document.
    pub fn write(mut self, to: &mut dyn Write) -> io::Result<()> {
        self.out.push(b'\n');
        to.write_all(&self.out)
    }

    fn push(&mut self, value: &(impl Serialize + ?Sized)) {
        let (start, formatter) = (self.out.len(), &mut self.formatter);
        let mut serializer = serde_json::Serializer::with_formatter(&mut self.out, formatter);
        if value.serialize(&mut serializer).is_err() {
            self.out.truncate(start);
            self.out.extend(b"null");
        }
    }
}

/// Texts that act on no terminal, and numbers as people write them.
#[derive(Default)]
struct Harmless {
    /// Of the text on its way: which marks are harmless depends on what stands before them.
    text: String,
}

impl Formatter for &mut Harmless {
    fn begin_string<W: ?Sized + Write>(&mut self, _: &mut W) -> io::Result<()> {
        self.text.clear();
        Ok(())
    }

    fn write_string_fragment<W: ?Sized + Write>(&mut self, _: &mut W, s: &str) -> io::Result<()> {
        self.text.push_str(s);
        Ok(())
    }

    fn write_char_escape<W: ?Sized + Write>(&mut self, _: &mut W, c: CharEscape) -> io::Result<()> {
        self.text.push(match c {
            CharEscape::Quote => '"',
            CharEscape::ReverseSolidus => '\\',
            CharEscape::Solidus => '/',
            CharEscape::Backspace => '\u{8}',
            CharEscape::FormFeed => '\u{c}',
            CharEscape::LineFeed => '\n',
            CharEscape::CarriageReturn => '\r',
            CharEscape::Tab => '\t',
            CharEscape::AsciiControl(byte) => char::from(byte),
        });
        Ok(())
    }

    fn end_string<W: ?Sized + Write>(&mut self, writer: &mut W) -> io::Result<()> {
        let is_plain = |b: u8| matches!(b, b' '..=b'~') && !matches!(b, b'"' | b'\\');
        if !self.text.bytes().all(is_plain) {
            let text = std::mem::take(&mut self.text);
            json_escape_into(&text, &mut self.text);
        }
        writer.write_all(b"\"")?;
        writer.write_all(self.text.as_bytes())?;
        writer.write_all(b"\"")
    }

    /// Zero has no sign in a report.
    fn write_f64<W: ?Sized + Write>(&mut self, writer: &mut W, value: f64) -> io::Result<()> {
        write!(writer, "{}", value + 0.0)
    }

    /// Only [`Json`] is bytes.
    fn write_byte_array<W: ?Sized + Write>(&mut self, to: &mut W, json: &[u8]) -> io::Result<()> {
        to.write_all(json)
    }
}

pub(super) fn moment(second: Option<i64>) -> Option<String> {
    second.and_then(Stamp::from_seconds).map(Stamp::rfc3339)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(value: impl Serialize) -> String {
        String::from_utf8_lossy(&single(&value).out).into_owned()
    }

    #[test]
    fn numbers_are_json_numbers() {
        let all = [22_650_880.0, 1.080_078_125, -0.0, 0.1, 1e21, f64::NAN, f64::INFINITY];
        let texts = all.map(written);
        let expected =
            ["22650880", "1.080078125", "0", "0.1", "1000000000000000000000", "null", "null"];
        assert_eq!(texts, expected);
    }

    #[test]
    fn a_text_is_escaped_as_a_whole() {
        for text in ["a\"b\\c\n\t\u{1b}\u{202e}", "\"\u{301}", "x\u{301}\"\u{301}"] {
            let mut wanted = String::new();
            json_escape_into(text, &mut wanted);
            assert_eq!(written(text), format!("\"{wanted}\""));
        }
    }

    #[test]
    fn what_is_written_already_stands_as_it_is() {
        let inner = object().with("k", as_found(Some("[1e5]"))).with("\nn", Some(2));
        let whole = object().with("a", lines([inner, object()])).with_known("b", None::<u8>);
        assert_eq!(written(whole), "{\"a\":[\n{\"k\":[1e5],\n\"n\":2},\n{}]}");
        let mut out = Vec::new();
        let tail = object().with("\nz", ["x"]);
        assert!(stream(object().with("s", 1), "l", [7, 8].iter(), &tail, &mut out).is_ok());
        assert_eq!(String::from_utf8_lossy(&out), "{\"s\":1,\"l\":[\n7,\n8],\n\"z\":[\"x\"]}");
    }
}
