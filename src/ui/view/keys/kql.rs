//! The Log Analytics query for the size of one key again, or of all keys of some size.
//!
//! What stands in it comes from logs that anyone who can write a document has a hand in. Every text is a string literal
//! in which nothing can end the literal, the line or the comment around it.

use crate::model::names::ContainerName;
use crate::model::query_text::{OWN_COLUMNS, SHARED_COLUMNS, container_filters, literal};

/// A query for the table of its own; the older table's form follows as a comment. `key_json` is None where the log names
/// no key.
pub fn size_of_key(name: &ContainerName, key_json: Option<&str>) -> String {
    let key_in = |column: &str| match key_json {
        // Logs may spell one value in several ways, with escapes or blanks: the values are compared, not the texts.
        Some(json) => {
            format!("tostring(parse_json({column})) == tostring(parse_json({}))", literal(json))
        }
        None => format!("isempty({column})"),
    };
    query(
        name,
        ["PartitionKey", "partitionKey_s"].map(key_in),
        ["RegionName, SizeKb", "regionName_s, sizeKb_d"],
        ["TimeGenerated"; 2],
    )
}

/// The same for all keys of some size, operators and KB, with the names by which its result is read.
pub fn keys_of_size(name: &ContainerName, sizes: &[(&str, f64)]) -> String {
    let columns = ["SizeKb", "sizeKb_d"];
    let conditions = columns.map(|column| {
        let each = sizes.iter();
        let each = each.map(|(operator, kb)| format!("{column} {operator} {kb}"));
        each.collect::<Vec<_>>().join(" and ")
    });
    let shown = [
        "AccountName, DatabaseName, CollectionName, RegionName, PartitionKey, SizeKb",
        "Resource, databaseName_s, collectionName_s, regionName_s, partitionKey_s, sizeKb_d",
    ];
    query(name, conditions, shown, columns)
}

/// Conditions, columns and the one that orders, each for the table of its own and for the older one.
fn query(name: &ContainerName, conditions: [String; 2], shown: [&str; 2], by: [&str; 2]) -> String {
    let mut own = vec!["CDBPartitionKeyStatistics".to_owned()];
    let mut older = vec![
        "AzureDiagnostics".to_owned(),
        "| where Category == \"PartitionKeyStatistics\"".to_owned(),
    ];
    for (lines, columns) in [(&mut own, OWN_COLUMNS), (&mut older, SHARED_COLUMNS)] {
        lines.extend(container_filters(name.parts(), columns).map(|line| format!("| {line}")));
    }
    let tables = [&mut own, &mut older].into_iter();
    for (((lines, condition), shown), by) in tables.zip(conditions).zip(shown).zip(by) {
        lines.push(format!("| where {condition}"));
        lines.push(format!("| project TimeGenerated, {shown}"));
        lines.push(format!("| order by {by} desc"));
    }
    let mut lines = own;
    lines.push(
        "// The same where diagnostic settings write to the table AzureDiagnostics:".to_owned(),
    );
    lines.extend(older.into_iter().map(|line| format!("// {line}")));
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::model::visible::needs_code;

    fn name(container: &str) -> ContainerName {
        ContainerName::new(Some("northpier-prod"), Some("shop"), Some(container))
    }

    #[test]
    fn both_tables_are_asked_for_one_key() {
        let query = size_of_key(&name("orders"), Some(r#"["tenant-0001",42]"#));
        let expected = r#"CDBPartitionKeyStatistics
| where AccountName =~ "northpier-prod"
| where DatabaseName == "shop"
| where CollectionName == "orders"
| where tostring(parse_json(PartitionKey)) == tostring(parse_json("[\"tenant-0001\",42]"))
| project TimeGenerated, RegionName, SizeKb
| order by TimeGenerated desc
// The same where diagnostic settings write to the table AzureDiagnostics:
// AzureDiagnostics
// | where Category == "PartitionKeyStatistics"
// | where Resource =~ "northpier-prod"
// | where databaseName_s == "shop"
// | where collectionName_s == "orders"
// | where tostring(parse_json(partitionKey_s)) == tostring(parse_json("[\"tenant-0001\",42]"))
// | project TimeGenerated, regionName_s, sizeKb_d
// | order by TimeGenerated desc
"#;
        assert_eq!(query, expected);
        let all = keys_of_size(&name("orders"), &[(">", 8_388_608.0), ("<=", 9e6)]);
        for line in [
            "\n| where SizeKb > 8388608 and SizeKb <= 9000000\n",
            "\n| project TimeGenerated, AccountName, DatabaseName, CollectionName, RegionName, PartitionKey, SizeKb\n| order by SizeKb desc\n",
            "\n// | where sizeKb_d > 8388608 and sizeKb_d <= 9000000\n",
        ] {
            assert!(all.contains(line), "{all}");
        }
        let unnamed = size_of_key(&ContainerName::default(), None);
        assert!(unnamed.contains("| where isempty(PartitionKey)\n"));
        assert!(!unnamed.contains("AccountName"));
    }

    /// What a reader of the language takes a literal for, and what stands behind it.
    fn read(text: &str) -> Option<(String, &str)> {
        let mut units: Vec<u16> = Vec::new();
        let mut rest = text.strip_prefix('"')?;
        loop {
            let c = rest.chars().next()?;
            let after = rest.get(c.len_utf8()..)?;
            match c {
                '"' => return Some((String::from_utf16(&units).ok()?, after)),
                '\\' => {
                    let escaped = after.chars().next()?;
                    if escaped == 'u' {
                        units.push(u16::from_str_radix(after.get(1..5)?, 16).ok()?);
                        rest = after.get(5..)?;
                    } else {
                        units.extend_from_slice(escaped.encode_utf16(&mut [0; 2]));
                        rest = after.get(escaped.len_utf8()..)?;
                    }
                }
                c => {
                    units.extend_from_slice(c.encode_utf16(&mut [0; 2]));
                    rest = after;
                }
            }
        }
    }

    proptest! {
        #[test]
        fn nothing_breaks_out_of_a_literal(
            text in "(?s)([\"\\\\'|;/\n\r\u{2028}\u{2029}\u{85}\u{202e}\u{1b}]|.){0,40}"
        ) {
            let literal = literal(&text);
            prop_assert_eq!(read(&literal), Some((text.clone(), "")));
            let query = size_of_key(&name(&text), Some(&text));
            prop_assert_eq!(query.lines().count(), 16);
            let known = |line: &str| line.starts_with("CDB") || line.starts_with("| ") || line.starts_with("// ");
            prop_assert!(query.split('\n').filter(|l| !l.is_empty()).all(known));
            prop_assert!(!query.contains(|c: char| c != '\n' && (c.is_control() || needs_code(c))));
        }
    }
}
