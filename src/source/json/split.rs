//! Takes JSON documents of any size apart in bounded memory: elements of record lists one by one, and what stands around them.

use std::io::Read;

use super::fault::{AGAIN, DocumentFault, Ending, JsonError};
use super::scan::{MAX_DEPTH, Scanner, Token};
use super::window::{Extent, Window};
use crate::source::tally::quoted;

/// The longest record that is read; longer ones are passed over. A record of a log has about 500 bytes.
pub const MAX_RECORD_BYTES: usize = 1024 * 1024;
/// How much is read without meeting one record: a packed file may unfold without end.
pub const MAX_QUIET_BYTES: u64 = 64 * 1024 * 1024;
/// The part of a name that matters; no known name comes near it.
const MAX_NAME_BYTES: usize = 256;

/// Lists whose elements are handed on one by one, names in lower case.
const LISTS: [&str; 13] = [
    "columns",
    "data",
    "metadatavalues",
    "partitionkeyranges",
    "physicalpartitionstorageinfo",
    "physicalpartitionstorageinfocollection",
    "physicalpartitionthroughputinfo",
    "records",
    "rows",
    "statistics",
    "tables",
    "timeseries",
    "value",
];

/// What a document consists of. Inside lists a path has `[]`, names are in lower case: `tables[].rows[]`.
/// Each object of a list at the top, and each of several at the top, is a document of its own with the path empty.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum JsonEvent<'a> {
    /// An object begins that is taken apart.
    Open,
    Close,
    ListOpen,
    ListClose,
    /// An element of a list, checked. With an empty path: a whole document, or an element of the list at the top.
    Item(&'a str),
    /// A member of an object, checked, that is no object and no known list.
    Value(&'a str),
    /// Passed over because of its length.
    TooLong,
    /// Passed over because of what is inside.
    Bad(JsonError),
}

/// Where an event happened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ListPlace<'a> {
    pub path: &'a str,
    /// The last name on the way, as it is spelled.
    pub name: &'a str,
    pub line: u64,
}

/// Takes apart all documents that `reader` holds. `keep_going` is asked once every MiB.
pub fn split(
    reader: &mut dyn Read,
    keep_going: &dyn Fn() -> bool,
    sink: &mut dyn FnMut(ListPlace<'_>, JsonEvent<'_>),
) -> Result<(), DocumentFault> {
    let window = Window::new(reader, keep_going);
    let mut splitter =
        Splitter { window, levels: Vec::new(), path: String::new(), name: String::new(), sink };
    splitter.run().map_err(|why| splitter.window.fault(why))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A list at the top.
    Root,
    Object,
    List(Elements),
}

/// What is done with the objects of a list.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Elements {
    HandOn,
    TakeApart,
    /// Taken apart if they hold series of points.
    Judge,
}

#[derive(Clone, Copy)]
struct Level {
    kind: Kind,
    /// Length of the path outside.
    outside: usize,
    empty: bool,
    /// Known lists that were there already, a bit for each.
    lists: u16,
}

/// What a checked piece is to its surroundings.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Item,
    Value,
}

struct Splitter<'r, 's> {
    window: Window<'r>,
    levels: Vec<Level>,
    path: String,
    name: String,
    sink: &'s mut dyn FnMut(ListPlace<'_>, JsonEvent<'_>),
}

impl Splitter<'_, '_> {
    fn run(&mut self) -> Result<(), Ending> {
        self.window.begin()?;
        loop {
            match self.levels.last().copied() {
                None => match self.window.peek()? {
                    None => return Ok(()),
                    Some(b'[') => self.open(Kind::Root, 0)?,
                    Some(b'{') => self.judge(Kind::Root)?,
                    Some(byte) => self.hand_on(byte, Role::Value)?,
                },
                Some(Level { kind: Kind::Object, outside, empty, .. }) => {
                    self.member(outside, empty)?;
                }
                Some(Level { kind, outside, empty, .. }) => self.element(kind, outside, empty)?,
            }
        }
    }

    fn emit(&mut self, event: JsonEvent<'_>) {
        let line = self.window.line();
        self.emit_at(line, event);
    }

    fn emit_at(&mut self, line: u64, event: JsonEvent<'_>) {
        (self.sink)(ListPlace { path: &self.path, name: &self.name, line }, event);
    }

    fn open(&mut self, kind: Kind, outside: usize) -> Result<(), Ending> {
        if self.levels.len() >= MAX_DEPTH as usize {
            return Err(Ending::Json(JsonError::TooDeep));
        }
        self.emit(if kind == Kind::Object { JsonEvent::Open } else { JsonEvent::ListOpen });
        self.window.pass(1);
        self.levels.push(Level { kind, outside, empty: true, lists: 0 });
        if matches!(kind, Kind::List(_)) {
            self.path.push_str("[]");
        }
        Ok(())
    }

    fn close(&mut self, kind: Kind, outside: usize) {
        if matches!(kind, Kind::List(_)) {
            self.path.truncate(self.path.len() - 2);
        }
        self.emit(if kind == Kind::Object { JsonEvent::Close } else { JsonEvent::ListClose });
        self.levels.pop();
        self.path.truncate(outside);
    }

    /// Goes to the next entry of the innermost level; None if the level ended.
    fn next_entry(
        &mut self,
        kind: Kind,
        outside: usize,
        empty: bool,
    ) -> Result<Option<u8>, Ending> {
        let end = if kind == Kind::Object { b'}' } else { b']' };
        let byte = self.window.entry(end, empty)?;
        if byte.is_none() {
            self.close(kind, outside);
        } else if let Some(level) = self.levels.last_mut() {
            level.empty = false;
        }
        Ok(byte)
    }

    fn element(&mut self, kind: Kind, outside: usize, empty: bool) -> Result<(), Ending> {
        match (self.next_entry(kind, outside, empty)?, kind) {
            (None, _) => Ok(()),
            (Some(b'{'), Kind::List(Elements::TakeApart)) => {
                self.open(Kind::Object, self.path.len())
            }
            (Some(b'{'), Kind::List(Elements::Judge) | Kind::Root) => self.judge(kind),
            (Some(byte), _) => self.hand_on(byte, Role::Item),
        }
    }

    fn member(&mut self, outside: usize, empty: bool) -> Result<(), Ending> {
        let Some(byte) = self.next_entry(Kind::Object, outside, empty)? else {
            return Ok(());
        };
        if byte != b'"' {
            return Err(unexpected(byte));
        }
        let before = self.path.len();
        self.read_name()?;
        self.window.expect(b':')?;
        match self.window.next()? {
            b'{' => return self.open(Kind::Object, before),
            b'[' => {
                if let Some(elements) = self.listed(before)? {
                    return self.open(Kind::List(elements), before);
                }
                self.hand_on(b'[', Role::Value)?;
            }
            byte => self.hand_on(byte, Role::Value)?,
        }
        self.path.truncate(before);
        Ok(())
    }

    /// Reads the name of a member and puts it on the path.
    fn read_name(&mut self) -> Result<(), Ending> {
        self.name.clear();
        match self.window.extent()? {
            Extent::Whole(length) => {
                let raw = self.window.ahead().get(..length).unwrap_or_default();
                match Scanner::new(raw).and_then(|mut s| s.next_token()) {
                    Ok(Some(Token::String(text))) => text.push_to(&mut self.name),
                    Ok(_) => {}
                    Err(fault) => {
                        self.window.pass(fault.offset);
                        return Err(Ending::Json(fault.why));
                    }
                }
                self.window.pass(length);
            }
            Extent::Long => self.window.pass_long()?,
        }
        while self.name.len() > MAX_NAME_BYTES {
            self.name.pop();
        }
        if !self.path.is_empty() {
            self.path.push('.');
        }
        // A name must not look like a path.
        let plain = !self.name.is_empty() && !self.name.contains(['.', '[', ']']);
        self.path.push_str(&if plain { self.name.to_lowercase() } else { "?".to_owned() });
        Ok(())
    }

    /// How the list at the end of the path is read, if it is a known one.
    fn listed(&mut self, before: usize) -> Result<Option<Elements>, Ending> {
        let name = self.path.get(before..).unwrap_or_default();
        let name = name.trim_start_matches('.');
        let Some(place) = LISTS.iter().position(|list| *list == name) else {
            return Ok(None);
        };
        let elements = match name {
            "value" => Elements::Judge,
            "tables" | "timeseries" => Elements::TakeApart,
            _ => Elements::HandOn,
        };
        if let Some(level) = self.levels.last_mut() {
            let before = level.lists;
            level.lists |= 1 << place;
            if level.lists == before {
                return Err(twice(&self.name));
            }
        }
        Ok(Some(elements))
    }

    /// Takes an object apart if it holds lists of records, else hands it on whole.
    fn judge(&mut self, kind: Kind) -> Result<(), Ending> {
        let wanted = if kind == Kind::Root { ListKind::AnyList } else { ListKind::Series };
        let length = match self.window.extent()? {
            Extent::Whole(length) => Some(length),
            Extent::Long => None,
        };
        let held = self.window.ahead();
        // Of a long object only the beginning is held, which may end inside a character.
        let text = valid_part(held.get(..length.unwrap_or(held.len())).unwrap_or_default());
        let (checked, holds) = (text.len(), holds_lists(&mut Scanner::of(text), wanted));
        match (holds, length) {
            (Ok(true), _) => self.open(Kind::Object, self.path.len()),
            (_, None) => self.pass_long(),
            (Ok(false), Some(length)) if length == checked => {
                self.emit_item(length);
                Ok(())
            }
            // Finds the fault again, and what follows from it.
            (_, Some(length)) => self.hand_on_held(length, Role::Item),
        }
    }

    /// Hands on an element that was checked.
    fn emit_item(&mut self, length: usize) {
        let line = self.window.line();
        let text = valid_part(self.window.ahead().get(..length).unwrap_or_default());
        (self.sink)(ListPlace { path: &self.path, name: &self.name, line }, JsonEvent::Item(text));
        self.window.pass(length);
        self.window.saw_record();
    }

    fn pass_long(&mut self) -> Result<(), Ending> {
        let line = self.window.line();
        self.window.pass_long()?;
        self.emit_at(line, JsonEvent::TooLong);
        Ok(())
    }

    /// Hands on the value that begins with `byte`.
    fn hand_on(&mut self, byte: u8, role: Role) -> Result<(), Ending> {
        if matches!(byte, b']' | b'}' | b',' | b':') {
            return Err(unexpected(byte));
        }
        match self.window.extent()? {
            Extent::Whole(length) => self.hand_on_held(length, role),
            Extent::Long => self.pass_long(),
        }
    }

    fn hand_on_held(&mut self, length: usize, role: Role) -> Result<(), Ending> {
        let line = self.window.line();
        let place = ListPlace { path: &self.path, name: &self.name, line };
        let raw = self.window.ahead().get(..length).unwrap_or_default();
        match checked(raw) {
            Ok(text) => (self.sink)(
                place,
                if role == Role::Item { JsonEvent::Item(text) } else { JsonEvent::Value(text) },
            ),
            Err(fault) if fault.why.stays_inside() => (self.sink)(place, JsonEvent::Bad(fault.why)),
            Err(fault) => {
                self.window.pass(fault.offset);
                return Err(Ending::Json(fault.why));
            }
        }
        self.window.pass(length);
        if role == Role::Item {
            self.window.saw_record();
        }
        Ok(())
    }
}

fn checked(raw: &[u8]) -> Result<&str, super::fault::JsonFault> {
    Scanner::new(raw)?.finish()?;
    Ok(std::str::from_utf8(raw).unwrap_or_default())
}

fn valid_part(bytes: &[u8]) -> &str {
    match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(e) => bytes
            .get(..e.valid_up_to())
            .and_then(|valid| std::str::from_utf8(valid).ok())
            .unwrap_or_default(),
    }
}

/// Nobody can know which of the two is right, and what was read of the first cannot be taken back.
fn twice(name: &str) -> Ending {
    Ending::Refused {
        what: format!("the list {} is there twice in one object", quoted(name)),
        next: Some(AGAIN.to_owned()),
    }
}

fn unexpected(byte: u8) -> Ending {
    Ending::Json(JsonError::Unexpected(byte))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ListKind {
    AnyList,
    Series,
}

/// Whether an object is one that is taken apart, by its names and what they hold. Stops at the first that says so.
fn holds_lists(
    scanner: &mut Scanner<'_>,
    wanted: ListKind,
) -> Result<bool, super::fault::JsonFault> {
    let mut scratch = String::new();
    let mut in_properties = false;
    while let Some(token) = scanner.next_token()? {
        let Token::Key(name) = token else { continue };
        let depth = scanner.depth();
        if depth > 2 || (depth == 2 && !in_properties) {
            continue;
        }
        scratch.clear();
        name.push_to(&mut scratch);
        scratch.make_ascii_lowercase();
        let mut ahead = scanner.clone();
        let value = ahead.next_token();
        let list = matches!(value, Ok(Some(Token::ArrayStart)));
        let object = matches!(value, Ok(Some(Token::ObjectStart)));
        let holds = match (wanted, depth, scratch.as_str()) {
            // The last is what only an offer has.
            (ListKind::AnyList, 1, "records" | "offerresourceid") => true,
            (ListKind::AnyList, 1, "resource" | "error" | "partitionkey")
            | (ListKind::AnyList, 2, "resource") => object,
            (ListKind::Series, 1, "timeseries")
            | (
                ListKind::AnyList,
                1,
                "tables" | "value" | "statistics" | "partitionkeyranges" | "offers",
            )
            | (
                ListKind::AnyList,
                _,
                "physicalpartitionthroughputinfo" | "physicalpartitionstorageinfocollection",
            ) => list,
            _ => false,
        };
        if holds {
            return Ok(true);
        }
        if depth == 1 {
            in_properties = scratch == "properties";
        }
    }
    Ok(false)
}
