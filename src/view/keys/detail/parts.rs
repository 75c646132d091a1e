//! The parts of a key with their types, and the characters in it that may deceive.

use std::collections::BTreeMap;

use super::{Of, hidden, key_of};
use crate::model::key::Part;
use crate::model::units::count_text;
use crate::model::visible::{needs_code, visible};
use crate::report::key_text::key_text;
use crate::view::keys::lines::{Line, Role, fact};

/// Unusual characters that are listed; text in another script has as many as letters.
const MAX_LISTED: usize = 12;
/// Parts that are listed: a key has three at most, a hostile cell any number.
const MAX_PARTS: usize = 16;

pub fn lines(of: &Of<'_>) -> Vec<Line> {
    let Some(key) = key_of(of) else {
        let what = "the log names no key for these records";
        return fact("key", Role::Text, what, of.width);
    };
    let mut lines = Vec::new();
    let container = of.list.data.capture.container(of.list.container);
    let definition = container.and_then(|c| c.definition.as_ref());
    let paths = definition.map_or(&[][..], |d| d.paths.as_slice());
    for (index, part) in key.parts().iter().enumerate().take(MAX_PARTS) {
        let path = paths.get(index).map(|path| visible(path).into_owned());
        let named = path.unwrap_or_else(|| format!("part {}", index + 1));
        let only = crate::model::key::Key::from(vec![part.clone()]);
        let value = key_text(Some(&of.mask.key(&only.json())));
        let size = match part {
            Part::Text(text) if !of.mask.is_on() => format!(", {} bytes", text.len()),
            _ => String::new(),
        };
        let words = format!("{named} is {}{size}: {value}", kind(part));
        lines.extend(fact(
            if index == 0 { "parts" } else { "" },
            Role::Outside,
            &words,
            of.width,
        ));
    }
    if key.parts().len() > MAX_PARTS {
        let more = count_text((key.parts().len() - MAX_PARTS) as u64);
        lines.extend(fact("", Role::Text, &format!("and {more} more"), of.width));
    }
    if of.mask.is_on() {
        lines.extend(hidden(of.width));
        return lines;
    }
    let texts = key.parts().iter().filter_map(|part| match part {
        Part::Text(text) | Part::Other(text) => Some(&**text),
        _ => None,
    });
    let text: String = texts.collect();
    for (index, words) in unusual(&text).into_iter().enumerate() {
        let label = if index == 0 { "characters" } else { "" };
        lines.extend(fact(label, Role::Outside, &words, of.width));
    }
    if let Some(words) = mixed(&text) {
        lines.extend(fact("beware", Role::Text, &words, of.width));
    }
    lines
}

fn kind(part: &Part) -> &'static str {
    match part {
        Part::Undefined => "no value",
        Part::Null => "null",
        Part::Bool(_) => "true or false",
        Part::Number(_) => "a number",
        Part::Text(_) => "a text",
        Part::Other(_) => "an object or list",
    }
}

/// Every character outside ASCII, and every one that acts or cannot be seen: `U+202E \u{202e}, 2 times`.
fn unusual(text: &str) -> Vec<String> {
    let mut counts: BTreeMap<(bool, char), u64> = BTreeMap::new();
    for c in text.chars() {
        if needs_code(c) || !c.is_ascii() {
            // Those that cannot be seen come first.
            *counts.entry((!needs_code(c), c)).or_default() += 1;
        }
    }
    let more = counts.len().saturating_sub(MAX_LISTED);
    let listed = counts.into_iter().take(MAX_LISTED);
    let mut lines: Vec<String> = listed
        .map(|((_, c), count)| {
            let shown = visible(c.encode_utf8(&mut [0; 4])).into_owned();
            let times = if count == 1 {
                String::new()
            } else {
                format!(", {} times", count_text(count))
            };
            format!("U+{:04X} {shown}{times}", u32::from(c))
        })
        .collect();
    if more > 0 {
        lines.push(format!("and {} others", count_text(more as u64)));
    }
    lines
}

/// Letters of these scripts look alike.
fn mixed(text: &str) -> Option<String> {
    let script = |c: char| match c {
        'a'..='z' | 'A'..='Z' | '\u{c0}'..='\u{24f}' => Some("Latin"),
        '\u{370}'..='\u{3ff}' => Some("Greek"),
        '\u{400}'..='\u{52f}' => Some("Cyrillic"),
        '\u{ff21}'..='\u{ff5a}' => Some("full-width"),
        _ => None,
    };
    let mut found: Vec<&str> = text.chars().filter_map(script).collect();
    found.sort_unstable();
    found.dedup();
    (found.len() > 1).then(|| {
        format!(
            "letters of several scripts ({}): it may look like another key",
            found.join(", ")
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_deceives_is_named_by_its_code() {
        assert_eq!(unusual("tenant-0001"), [""; 0]);
        assert_eq!(
            unusual("a\u{202e}é\u{1b}é"),
            ["U+001B ␛", "U+202E \\u{202e}", "U+00E9 é, 2 times"]
        );
        let many: String = ('\u{4e00}'..='\u{4e40}').collect();
        assert_eq!(
            unusual(&many).last().map(String::as_str),
            Some("and 53 others")
        );
        assert_eq!(mixed("paypal"), None);
        assert_eq!(mixed("東京 tower"), None);
        assert!(mixed("p\u{430}ypal").is_some_and(|w| w.contains("Cyrillic, Latin")));
    }
}
