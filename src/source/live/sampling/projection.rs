//! The queries of a sample: whole documents, or only some of their properties in the shape that they have in a document.

use std::collections::BTreeMap;

use crate::model::path::Path;

/// Whole documents: what they weigh is only seen in them.
pub(super) const WHOLE: &str = "SELECT * FROM c";

/// The service gives it to every document, and no two have the same.
pub(super) const RESOURCE_ID: &str = "_rid";

/// Properties by their names, as deep as the paths go.
#[derive(Default)]
struct Tree(BTreeMap<String, Tree>);

/// `SELECT VALUE {"a": {"b": c.a.b}} FROM c`: a property that a document does not have is left out of the answer. The
/// resource id tells documents that come twice.
pub(super) fn narrow(paths: &[Path]) -> String {
    let mut tree = Tree::default();
    tree.0.entry(RESOURCE_ID.to_owned()).or_default();
    for path in paths {
        let mut at = &mut tree;
        for name in path.names() {
            at = at.0.entry(name.to_owned()).or_default();
        }
    }
    let mut query = "SELECT VALUE ".to_owned();
    push(&tree, "c", &mut query);
    query.push_str(" FROM c");
    query
}

fn push(tree: &Tree, from: &str, query: &mut String) {
    if tree.0.is_empty() {
        query.push_str(from);
        return;
    }
    query.push('{');
    for (at, (name, below)) in tree.0.iter().enumerate() {
        if at > 0 {
            query.push_str(", ");
        }
        let quoted = quoted(name);
        query.push_str(&quoted);
        query.push_str(": ");
        push(below, &member(from, name), query);
    }
    query.push('}');
}

/// Words of the query language, which stand for no property behind a dot.
#[rustfmt::skip]
const RESERVED: [&str; 48] = [
    "all", "and", "array", "as", "asc", "between", "by", "case", "cross", "desc", "distinct", "else", "end", "escape", "exists",
    "false", "for", "from", "group", "having", "in", "inner", "insert", "into", "join", "left", "like", "limit", "not", "null",
    "offset", "or", "order", "outer", "over", "rank", "right", "select", "set", "then", "top", "true", "udf", "undefined",
    "update", "value", "when", "where",
];

/// Whether a name may stand behind a dot: every gateway, and the emulator, groups by such a property.
fn is_plain(name: &str) -> bool {
    let mut letters = name.chars();
    let first = letters.next();
    let lower = name.to_ascii_lowercase();
    first.is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && letters.all(|c| c.is_ascii_alphanumeric() || c == '_')
        && !RESERVED.contains(&lower.as_str())
}

/// A property of a document in a query.
pub(in crate::source::live) fn property(path: &Path) -> String {
    let names = path.names();
    names.fold("c".to_owned(), |from, name| member(&from, name))
}

fn member(of: &str, name: &str) -> String {
    if is_plain(name) { format!("{of}.{name}") } else { format!("{of}[{}]", quoted(name)) }
}

/// A name between quotes: texts of queries are escaped as those of JSON.
fn quoted(name: &str) -> String {
    serde_json::Value::from(name).to_string()
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;

    #[test]
    fn paths_keep_their_shape() {
        let paths = ["/id", "/ship/city", "/ship/zip", "/a b"].map(|p| Path::parse(p).unwrap());
        assert_eq!(
            narrow(&paths),
            r#"SELECT VALUE {"_rid": c._rid, "a b": c["a b"], "id": c.id, "ship": {"city": c.ship.city, "zip": c.ship.zip}} FROM c"#
        );
    }

    #[test]
    fn a_name_cannot_leave_its_quotes() {
        let path: Path = ["x\"] , c[\"y\\"].into_iter().collect();
        assert_eq!(property(&path), r#"c["x\"] , c[\"y\\"]"#);
    }
}
