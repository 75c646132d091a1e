//! A key as people read it: parts side by side, and no two keys alike.

use crate::model::key::{Key, Part};
use crate::model::visible::visible;

/// Between the parts of a hierarchical key.
pub const BETWEEN: &str = " / ";
const NOT_REPORTED: &str = "(no key reported)";
const EMPTY: &str = "(empty key)";
pub(super) const NO_VALUE: &str = "no value";
const NOT_KEPT: &str = "key not kept, hash ";

/// Visible text of a key's JSON list: texts stand bare unless they would read as something else.
pub fn key_text(json: Option<&str>) -> String {
    let Some(json) = json else {
        return NOT_REPORTED.to_owned();
    };
    let Some(key) = Key::from_canonical(json) else {
        return visible(json).into_owned();
    };
    if key.parts().is_empty() {
        return EMPTY.to_owned();
    }
    let parts: Vec<String> = key.parts().iter().map(part_text).collect();
    parts.join(BETWEEN)
}

/// Visible text of one part, which reads as nothing else.
pub fn part_text(part: &Part) -> String {
    match part {
        Part::Undefined => NO_VALUE.to_owned(),
        Part::Null => "null".to_owned(),
        Part::Bool(value) => value.to_string(),
        Part::Number(number) => number.text().to_owned(),
        Part::Text(text) if is_plain(text) => visible(text).into_owned(),
        Part::Text(text) => {
            let escaped = text.replace('\\', "\\\\").replace('"', "\\\"");
            format!("\"{}\"", visible(&escaped))
        }
        // Of a trial's key only a hash is kept where its text is not.
        Part::Other(json) => match json.strip_prefix("{\"hash\":\"") {
            Some(hash) => {
                let start: String = hash.chars().take(8).collect();
                format!("{NOT_KEPT}{}…", visible(&start))
            }
            None => visible(json).into_owned(),
        },
    }
}

/// Whether a text reads as a text and as one part.
fn is_plain(text: &str) -> bool {
    let reads_as_value =
        matches!(text, "" | "null" | "true" | "false" | NO_VALUE | NOT_REPORTED | EMPTY);
    let reads_as_number = text.parse::<f64>().is_ok();
    let starts_like_other = text.starts_with(['"', '[', '{']) || text.starts_with(NOT_KEPT);
    let splits = text.contains(BETWEEN) || text.starts_with("/ ") || text.ends_with(" /");
    !(reads_as_value || reads_as_number || starts_like_other || splits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn values_of_different_types_never_look_alike() {
        let keys = [
            (r#"["tenant-0001"]"#, "tenant-0001"),
            (r"[42]", "42"),
            (r#"["42"]"#, "\"42\""),
            (r"[null]", "null"),
            (r#"["null"]"#, "\"null\""),
            (r"[{}]", "no value"),
            (r#"["no value"]"#, "\"no value\""),
            (r#"[""]"#, "\"\""),
            (r"[]", "(empty key)"),
            (r#"["plant-4",7,true]"#, "plant-4 / 7 / true"),
            (r#"["a / b"]"#, "\"a / b\""),
            (r#"["/site/oslo"]"#, "/site/oslo"),
            (r#"["2026-06-22"]"#, "2026-06-22"),
            (r"[1e5]", "1e5"),
            (r#"["1e5"]"#, "\"1e5\""),
            (r#"["\u001b[2J"]"#, "␛[2J"),
            (r#"[{"hash":"4074a9ca17cb2bb0"}]"#, "key not kept, hash 4074a9ca…"),
        ];
        for (json, shown) in keys {
            assert_eq!(key_text(Some(json)), shown, "{json}");
        }
        assert_eq!(key_text(None), "(no key reported)");
    }

    fn part() -> impl Strategy<Value = Part> {
        prop_oneof![
            Just(Part::Null),
            Just(Part::Undefined),
            any::<bool>().prop_map(Part::Bool),
            "[ab/ \"\\\\,0-9.-]{0,6}".prop_map(|t| Part::Text(t.into())),
            "(null|true|no value|\\(empty key\\)|[\\[{]a|\u{202e}x)"
                .prop_map(|t| Part::Text(t.into())),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(10_000))]
        #[test]
        fn different_keys_look_different(
            a in prop::collection::vec(part(), 0..4),
            b in prop::collection::vec(part(), 0..4),
        ) {
            let (a, b) = (Key::from(a), Key::from(b));
            let shown = |k: &Key| key_text(Some(&k.json()));
            prop_assert_eq!(a == b, shown(&a) == shown(&b), "{:?} {:?}", a, b);
        }
    }
}
