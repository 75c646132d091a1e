//! Text for queries and shells: what comes from logs stands in it as a literal that nothing can end.

use super::visible::{needs_code, push_json_code, visible};

/// JSON or SQL with codes for what acts on a terminal; such characters stand in its texts only. Lines stay.
pub fn coded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if needs_code(c) && c != '\n' {
            push_json_code(c, &mut out);
        } else {
            out.push(c);
        }
    }
    out
}

/// A string literal of the Kusto query language in double quotes. Whatever does not show as itself is its code.
pub fn literal(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => {
                out.push('\\');
                out.push(c);
            }
            c if c.is_control() || needs_code(c) => push_json_code(c, &mut out),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// Columns with the account, the database and the container of a record: in the tables of its own, and in the shared one.
pub const OWN_COLUMNS: [&str; 3] = ["AccountName", "DatabaseName", "CollectionName"];
pub const SHARED_COLUMNS: [&str; 3] = ["Resource", "databaseName_s", "collectionName_s"];

/// Conditions that leave the records of one container, as far as it is named: account, database and container.
pub fn container_filters<T: AsRef<str>>(
    name: [Option<T>; 3],
    columns: [&'static str; 3],
) -> impl Iterator<Item = String> {
    let parts = name.into_iter().zip(columns).zip(["=~", "==", "=="]);
    parts.filter_map(|((part, column), operator)| {
        Some(format!("where {column} {operator} {}", literal(part?.as_ref())))
    })
}

/// One word of a POSIX shell in single quotes, as it is. Only where characters act or hide are they their codes: no shell could
/// take them, and the word is not what it was.
pub fn shell_word(text: &str) -> String {
    let text = if text.contains(needs_code) { visible(text) } else { text.into() };
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// A string of a filter for metrics.
pub fn odata(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn quotes_are_doubled_escaped_or_closed() {
        assert_eq!(literal(r#"a"b\c"#), r#""a\"b\\c""#);
        assert_eq!(literal("a\nb"), r#""a\u000ab""#);
        assert_eq!(shell_word("it's"), r"'it'\''s'");
        assert_eq!(shell_word("a\nb"), format!("'{}'", visible("a\nb")));
        assert_eq!(odata("it's"), "'it''s'");
    }

    proptest! {
        #[test]
        fn nothing_ends_a_word_or_a_line(text in "(?s)(['\"\\\\$`;\n\r\u{2028}\u{1b}]|.){0,30}") {
            let word = shell_word(&text);
            prop_assert!(!word.chars().any(char::is_control));
            // Without the closed, escaped and reopened quotes no quote is left inside.
            let inside = word.replace(r"'\''", "");
            let inside = inside.strip_prefix('\'').and_then(|w| w.strip_suffix('\''));
            prop_assert_eq!(inside.map(|w| w.contains('\'')), Some(false));
            let quoted = literal(&text);
            prop_assert!(!quoted.chars().any(|c| c.is_control() || needs_code(c)));
        }
    }
}
