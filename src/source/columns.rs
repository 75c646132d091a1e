//! Which column or property of a log means what, whatever its table, suffix and letter case.

use super::times::iso;
use crate::model::key::canonicalise;

/// What a cell of a log can tell.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(u8)]
pub enum Field {
    Time,
    Account,
    /// The account's name in capitals, in the older shared table.
    Resource,
    ResourceId,
    Provider,
    Database,
    Container,
    Key,
    Size,
    Region,
    Category,
    /// The table's name; names the log kind in the newer tables.
    Table,
    Range,
    /// The GUID of a physical partition.
    Partition,
    Charge,
    Operation,
    OperationType,
    /// What a request is on: a document, or something that describes a container.
    ResourceType,
    Status,
    /// Says of a 429 what throttled the request.
    SubStatus,
    Bucket,
    Priority,
    Duration,
    /// Requests that one record of a five-minute total stands for.
    Count,
    /// Seconds that a record stands for which a service summed up.
    Span,
    /// How many keys a record of the rest stands for; none for a record of one key.
    OtherKeys,
    Activity,
    UserAgent,
    /// How a request signed in.
    TokenType,
    QueryText,
    /// JSON text that holds what found no column of its own.
    Additional,
}

const FIELDS: usize = Field::Additional as usize + 1;

/// Lower-case names without suffix; within one field the order does not matter, the first filled cell counts.
const NAMES: [(&str, Field); 42] = [
    ("time", Field::Time),
    ("timegenerated", Field::Time),
    ("accountname", Field::Account),
    ("resource", Field::Resource),
    ("resourceid", Field::ResourceId),
    ("_resourceid", Field::ResourceId),
    ("resourceprovider", Field::Provider),
    ("databasename", Field::Database),
    ("collectionname", Field::Container),
    ("partitionkey", Field::Key),
    ("sizekb", Field::Size),
    ("regionname", Field::Region),
    ("category", Field::Category),
    ("type", Field::Table),
    ("partitionkeyrangeid", Field::Range),
    ("partitionid", Field::Partition),
    ("requestcharge", Field::Charge),
    ("totalrequestcharge", Field::Charge),
    ("operationname", Field::Operation),
    ("operationtype", Field::OperationType),
    ("requestresourcetype", Field::ResourceType),
    ("statuscode", Field::Status),
    ("substatuscode", Field::SubStatus),
    ("substatus", Field::SubStatus),
    ("throughputbucket", Field::Bucket),
    ("prioritylevel", Field::Priority),
    ("duration", Field::Duration),
    ("durationms", Field::Duration),
    ("totaldurationms", Field::Duration),
    ("requestcount", Field::Count),
    ("samplecount", Field::Count),
    ("spanseconds", Field::Span),
    ("otherkeys", Field::OtherKeys),
    ("activityid", Field::Activity),
    ("useragent", Field::UserAgent),
    ("authtokentype", Field::TokenType),
    ("querytext", Field::QueryText),
    ("additionalfields", Field::Additional),
    // What people call these columns in queries of their own.
    ("sizeinkb", Field::Size),
    ("containername", Field::Container),
    ("account", Field::Account),
    ("region", Field::Region),
];

/// The meaning of a column name; `[UTC]`-like endings, type suffixes and letter case do not matter.
pub fn field_of(name: &str) -> Option<Field> {
    let name = name.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
    let name = match (name.find('['), name.ends_with(']')) {
        (Some(at), true) if at > 0 => name.get(..at).unwrap_or(name).trim_end(),
        _ => name,
    };
    if name.len() > 40 {
        return None;
    }
    let lower = name.to_ascii_lowercase();
    let bare =
        ["_s", "_d", "_g", "_b", "_t"].iter().find_map(|s| lower.strip_suffix(s)).unwrap_or(&lower);
    NAMES.iter().find(|(known, _)| *known == bare).map(|(_, field)| *field)
}

/// Whether these are the columns of a request log, which a query may have left without the partition.
pub fn is_request_log(has: impl Fn(Field) -> bool) -> bool {
    let names_requests = || has(Field::Operation) && (has(Field::Charge) || has(Field::Container));
    has(Field::Status) && (has(Field::Partition) || names_requests())
}

/// The `[…]` ending of a time column's header, which tells its zone.
pub fn zone_label(name: &str) -> Option<&str> {
    let name = name.trim();
    let at = name.find('[')?;
    name.get(at + 1..)?.strip_suffix(']').map(str::trim)
}

/// Two different cells of one meaning.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Conflict<'a> {
    pub field: Field,
    pub first: &'a [u8],
    pub second: &'a [u8],
}

impl Field {
    /// What there are two of, where the field decides whose the record is or what it says.
    pub fn plural(self) -> Option<&'static str> {
        Some(match self {
            Self::Size => "sizes",
            Self::Key => "partition keys",
            Self::Account => "accounts",
            Self::Database => "databases",
            Self::Container => "containers",
            Self::Region => "regions",
            Self::Time => "times",
            _ => return None,
        })
    }

    /// Whether two different texts say the same.
    pub fn is_same(self, one: &str, two: &str) -> bool {
        match self {
            Self::Account | Self::Region => {
                let letters = |text: &str| text.replace(' ', "").to_ascii_lowercase();
                letters(one) == letters(two)
            }
            Self::Key => canonical(one) == canonical(two),
            Self::Time => {
                let moment = iso(one.as_bytes());
                moment.is_some() && moment == iso(two.as_bytes())
            }
            _ => false,
        }
    }
}

fn canonical(key: &str) -> Vec<u8> {
    let mut text = Vec::new();
    canonicalise(key.as_bytes(), &mut text);
    text
}

/// One record of a log: the cells that mean something, the first filled one of each kind. They are UTF-8, which whoever
/// puts one knows, and bytes because most that is done with them needs no more.
#[derive(Clone, Copy, Debug)]
pub struct LogRow<'a> {
    cells: [Option<&'a [u8]>; FIELDS],
    /// Two different cells of one meaning: nobody can know which is right.
    pub twice: Option<Conflict<'a>>,
}

impl Default for LogRow<'_> {
    fn default() -> Self {
        Self { cells: [None; FIELDS], twice: None }
    }
}

impl<'a> LogRow<'a> {
    /// Adds a cell; an empty one only says that the column exists.
    #[inline]
    pub fn put(&mut self, field: Field, cell: &'a [u8]) {
        let Some(held) = self.cells.get_mut(field as usize) else {
            return;
        };
        match *held {
            Some(first) if !first.is_empty() => self.compare(field, first, cell),
            _ => *held = Some(cell),
        }
    }

    #[cold]
    fn compare(&mut self, field: Field, first: &'a [u8], second: &'a [u8]) {
        if second.is_empty() || first == second || self.twice.is_some() {
            return;
        }
        let is_reported = field.plural().is_some() && !field.is_same(text(first), text(second));
        self.twice = is_reported.then_some(Conflict { field, first, second });
    }

    /// The same with every cell empty that is this word.
    #[must_use]
    pub fn without(mut self, word: &str) -> Self {
        for cell in &mut self.cells {
            *cell = cell.map(|cell| if cell == word.as_bytes() { b"" } else { cell });
        }
        self
    }

    /// The cell, where the column exists.
    pub fn cell(&self, field: Field) -> Option<&'a [u8]> {
        self.cells.get(field as usize).copied().flatten()
    }

    /// The cell, where it holds something.
    pub fn filled(&self, field: Field) -> Option<&'a [u8]> {
        self.cell(field).filter(|c| !c.is_empty())
    }

    /// The cell, where it holds something.
    pub fn text(&self, field: Field) -> Option<&'a str> {
        self.filled(field).map(text)
    }
}

/// A cell as text.
pub fn text(cell: &[u8]) -> &str {
    std::str::from_utf8(cell).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_meaning_under_many_names() {
        for name in ["SizeKb", "sizeKb_d", "sizeKb_s", "SIZEKB", " sizekb "] {
            assert_eq!(field_of(name), Some(Field::Size), "{name}");
        }
        for name in
            ["TimeGenerated [UTC]", "TimeGenerated [Local Time]", "\u{feff}TimeGenerated", "time"]
        {
            assert_eq!(field_of(name), Some(Field::Time), "{name}");
        }
        assert_eq!(field_of("partitionId_g"), Some(Field::Partition));
        assert_eq!(field_of("_ResourceId"), Some(Field::ResourceId));
        for name in ["SizeKb (old)", "partition key", "", "__proto__", "[UTC]"] {
            assert_eq!(field_of(name), None, "{name}");
        }
        assert_eq!(zone_label("TimeGenerated [Local Time]"), Some("Local Time"));
        assert_eq!(zone_label("TimeGenerated"), None);
    }

    #[test]
    fn the_filled_twin_counts_and_two_values_are_told() {
        let mut row = LogRow::default();
        row.put(Field::Database, b"");
        row.put(Field::Database, b"shop");
        row.put(Field::Size, b"5");
        row.put(Field::Size, b"5");
        assert_eq!((row.text(Field::Database), row.twice), (Some("shop"), None));
        row.put(Field::Size, b"6");
        let twice = Conflict { field: Field::Size, first: b"5", second: b"6" };
        assert_eq!(row.twice, Some(twice));
    }

    #[test]
    fn two_spellings_of_one_value_are_one() {
        let twice = |field, first: &'static str, second: &'static str| {
            let mut row = LogRow::default();
            row.put(field, first.as_bytes());
            row.put(field, second.as_bytes());
            row.twice.is_some()
        };
        assert!(!twice(Field::Account, "CONTOSO", "contoso"));
        assert!(!twice(Field::Region, "West Europe", "westeurope"));
        assert!(!twice(Field::Key, "[\"a\", 1]", "[\"a\",1.0]"));
        assert!(!twice(Field::Time, "2026-06-22T02:10:41Z", "2026-06-22T02:10:41.000Z"));
        assert!(!twice(Field::Duration, "5", "6"));
        assert!(twice(Field::Key, "[\"a\"]", "[\"b\"]"));
        assert!(twice(Field::Container, "orders", "Orders"));
        assert!(twice(Field::Database, "a", "b"));
        assert!(twice(Field::Region, "West Europe", "North Europe"));
        assert!(twice(Field::Time, "2026-06-22T02:10:41Z", "2026-06-22T02:10:42Z"));
    }
}
