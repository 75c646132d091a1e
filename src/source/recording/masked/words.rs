//! Words of the service itself, by their form and by the columns and dimensions that hold them.

use serde_json::Value;

use crate::source::columns::{Field, field_of};

/// Names of Azure's things: longer ones are somebody's.
const MAX_WORD_CHARS: usize = 64;

/// A word of the service itself by its form: letters, digits and a few marks.
pub(super) fn is_word(text: &str) -> bool {
    !text.is_empty()
        && text.len() <= MAX_WORD_CHARS
        && text
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.' | b'$' | b'@'))
}

/// Digits alone could be part of a GUID, and letters of a name that a number may have.
pub(super) fn is_number(text: &str) -> bool {
    text.parse::<f64>().is_ok()
        && text.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'-'))
}

/// The name of a dimension of a metric: `{"name":{"value":"statuscode"},"value":"200"}`.
pub(super) fn dimension(name: &Value) -> Option<&'static str> {
    let name = match name {
        Value::Object(members) => members.get("value")?.as_str()?,
        Value::String(name) => name,
        _ => return None,
    };
    let name = name.to_lowercase();
    DIMENSIONS.iter().find(|known| **known == name).copied()
}

const DIMENSIONS: [&str; 12] = [
    "databasename",
    "collectionname",
    "region",
    "partitionkeyrangeid",
    "physicalpartitionid",
    "statuscode",
    "status",
    "operationtype",
    "apitype",
    "capacitytype",
    "prioritylevel",
    "throughputbucket",
];

pub(super) fn column(column: &Value) -> Option<Field> {
    field_of(column.get("name")?.as_str()?)
}

/// The member name whose rules hold for the cells of a column.
pub(super) fn member_of(field: Field) -> &'static str {
    match field {
        Field::Key => "partitionkey",
        Field::Database => "databasename",
        Field::Container => "collectionname",
        Field::Account | Field::Resource => "accountname",
        Field::Region => "region",
        Field::Range => "partitionkeyrangeid",
        Field::Partition => "partitionid",
        Field::Operation | Field::OperationType | Field::ResourceType => "operationtype",
        Field::Status => "statuscode",
        Field::Category | Field::Table => "category",
        _ => "",
    }
}
