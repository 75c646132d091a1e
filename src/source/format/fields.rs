//! Single members of a document, kept until it ends, since their order is free.

use crate::model::capture::RowFault;
use crate::model::names::ContainerName;
use crate::source::json::fault::JsonError;
use crate::source::json::read;
use crate::source::tally::{Fault, quoted};

/// A container read has about forty; a document of more is of no known kind.
const MAX_FIELDS: usize = 2000;
/// The longest known is a resource id.
const MAX_FIELD_BYTES: usize = 16 * 1024;

/// Members of a document that are no records, by path.
#[derive(Debug, Default)]
pub(super) struct Fields(Vec<(String, String)>);

impl Fields {
    pub(super) fn push(&mut self, path: &str, raw: &str) {
        if self.0.len() < MAX_FIELDS && raw.len() <= MAX_FIELD_BYTES && raw != "null" {
            self.0.push((path.to_owned(), raw.to_owned()));
        }
    }

    /// The value of that path; none if it is there twice with different values.
    pub(super) fn raw(&self, path: &str) -> Option<&str> {
        let mut found = self.0.iter().filter(|(p, _)| p == path).map(|(_, raw)| raw.as_str());
        let first = found.next()?;
        found.all(|other| other == first).then_some(first)
    }

    /// Whether the path is there twice with different values.
    pub(super) fn is_twice(&self, path: &str) -> bool {
        self.raw(path).is_none() && self.0.iter().any(|(p, _)| p == path)
    }

    /// A name outside lists that is there twice with different values, if there is one.
    pub(super) fn twice(&self) -> Option<&str> {
        let outside = self.0.iter().filter(|(p, _)| !p.contains(['[', '?']));
        let [path, ..] = read::twice(outside)?;
        path.rsplit('.').next()
    }

    pub(super) fn text(&self, path: &str) -> Option<String> {
        self.raw(path).and_then(read::text)
    }

    pub(super) fn number(&self, path: &str) -> Option<f64> {
        self.raw(path).and_then(read::number)
    }

    pub(super) fn any_below(&self, path: &str) -> bool {
        self.0.iter().any(|(p, _)| p.strip_prefix(path).is_some_and(|rest| rest.starts_with('.')))
    }
}

/// What is said of a name that stands twice in one object.
pub(super) fn twice(name: &str) -> String {
    format!("{} is there twice with different values", quoted(name))
}

/// The fault of a record with something inside that cannot be read.
pub(super) fn bad_record(why: JsonError) -> Fault {
    let fault = match why {
        JsonError::InvalidUtf8 | JsonError::LoneSurrogate => RowFault::InvalidUnicode,
        _ => RowFault::BrokenJson,
    };
    (fault, why.to_string())
}

/// The container that a resource id of Azure names, as far as it does; accounts in lower case.
pub(super) fn named_by_resource_id(id: &str) -> ContainerName {
    let mut name = ContainerName::default();
    let segments: Vec<&str> = id.split('/').collect();
    for pair in segments.windows(2) {
        let [kind, value] = pair else { continue };
        match kind.to_ascii_lowercase().as_str() {
            "databaseaccounts" => name.account = Some(value.to_lowercase().into()),
            "sqldatabases" | "mongodbdatabases" | "gremlindatabases" | "cassandrakeyspaces" => {
                name.database = Some((*value).into());
            }
            "containers" | "collections" | "graphs" | "tables" => {
                name.container = Some((*value).into());
            }
            _ => {}
        }
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_resource_id_names_what_it_names() {
        let id = "/subscriptions/1/resourceGroups/rg/providers/Microsoft.DocumentDB/databaseAccounts/NORTH/sqlDatabases/shop/containers/Orders/throughputSettings/default";
        assert_eq!(
            named_by_resource_id(id),
            ContainerName::new(Some("north"), Some("shop"), Some("Orders"))
        );
        assert_eq!(named_by_resource_id("orders"), ContainerName::default());
    }
}
