//! Picking members and elements out of small JSON values that were already checked.

use super::fault::JsonFault;
use super::scan::{Scanner, Token};

/// One member of an object: its name in lower case, its value as it stands.
pub type Member<'a> = (String, &'a str);

/// The members of an object; None where the value is something else.
pub fn members(raw: &str) -> Result<Option<Vec<Member<'_>>>, JsonFault> {
    members_of(&mut Scanner::of(raw), str::to_lowercase)
}

/// The same of an object that comes next, each name as `named` gives it.
pub fn members_of<'a>(
    scanner: &mut Scanner<'a>,
    named: fn(&str) -> String,
) -> Result<Option<Vec<Member<'a>>>, JsonFault> {
    if scanner.next_token()? != Some(Token::ObjectStart) {
        return Ok(None);
    }
    let mut found = Vec::new();
    let mut scratch = String::new();
    while let Some(Token::Key(name)) = scanner.next_token()? {
        let name = named(name.read(&mut scratch));
        found.push((name, scanner.skip_value()?));
    }
    Ok(Some(found))
}

/// The elements of a list; None where the value is something else.
pub fn elements(raw: &str) -> Result<Option<Vec<&str>>, JsonFault> {
    let mut scanner = Scanner::of(raw);
    if scanner.next_token()? != Some(Token::ArrayStart) {
        return Ok(None);
    }
    let mut found = Vec::new();
    while let Some(raw) = scanner.next_raw()? {
        found.push(raw);
    }
    Ok(Some(found))
}

/// The value of a member by its name in lower case; null counts as absent.
pub fn member<'a>(members: &[Member<'a>], name: &str) -> Option<&'a str> {
    members.iter().find(|(n, v)| n == name && *v != "null").map(|(_, v)| *v)
}

/// The value of a member of an object, by its name in lower case.
pub fn field<'a>(raw: &'a str, name: &str) -> Option<&'a str> {
    member(&members(raw).ok()??, name)
}

/// The elements of the list that is a member of an object, by its name in lower case.
pub fn list<'a>(raw: &'a str, name: &str) -> Option<Vec<&'a str>> {
    elements(field(raw, name)?).ok()?
}

/// A name that is there twice with different values, and these.
pub fn twice<'m, N: AsRef<str> + 'm, V: AsRef<str> + 'm>(
    members: impl IntoIterator<Item = &'m (N, V)>,
) -> Option<[&'m str; 3]> {
    let members = members.into_iter();
    let mut sorted: Vec<(&str, &str)> = members.map(|(n, v)| (n.as_ref(), v.as_ref())).collect();
    sorted.sort_unstable();
    sorted.windows(2).find_map(|pair| match *pair {
        [(name, value), (again, other)] if name == again && value != other => {
            Some([name, value, other])
        }
        _ => None,
    })
}

/// Such a name in any object inside a value.
pub fn twice_within(raw: &str) -> Option<String> {
    let inside: Vec<&str> = match members(raw) {
        Ok(Some(members)) => {
            if let Some([name, ..]) = twice(&members) {
                return Some(name.to_owned());
            }
            members.into_iter().map(|(_, value)| value).collect()
        }
        _ => elements(raw).ok()??,
    };
    let mut inside = inside.into_iter().filter(|raw| raw.starts_with(['{', '[']));
    inside.find_map(twice_within)
}

/// A string's text, or a number or truth value as it stands.
pub fn text(raw: &str) -> Option<String> {
    let mut scratch = String::new();
    match Scanner::of(raw).next_token() {
        Ok(Some(Token::String(text))) => Some(text.read(&mut scratch).to_owned()),
        Ok(Some(Token::Number(_) | Token::True | Token::False)) => Some(raw.trim().to_owned()),
        _ => None,
    }
}

/// A finite number, also one written as text; zero has no sign.
pub fn number(raw: &str) -> Option<f64> {
    // Nearly all are digits and perhaps a point.
    if raw.bytes().all(|b| b.is_ascii_digit() || b == b'.') {
        return raw.parse().ok().filter(|n: &f64| n.is_finite());
    }
    let text = text(raw)?;
    let Ok(Some(Token::Number(digits))) = Scanner::of(text.trim()).next_token() else {
        return None;
    };
    digits
        .parse()
        .ok()
        .filter(|n: &f64| n.is_finite() && digits.len() == text.trim().len())
        .map(|n| n + 0.0)
}

/// The value without the blanks between its tokens; the tokens as they stand.
pub fn compact(raw: &str) -> String {
    if !raw.bytes().any(|b| b.is_ascii_whitespace()) {
        return raw.to_owned();
    }
    let mut out = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(quote) = rest.find('"') {
        let (outside, from) = rest.split_at(quote);
        out.extend(outside.chars().filter(|c| !c.is_ascii_whitespace()));
        let mut escaped = false;
        let end = from.bytes().skip(1).position(|b| {
            let ends = b == b'"' && !escaped;
            escaped = b == b'\\' && !escaped;
            ends
        });
        let (text, after) = from.split_at(end.map_or(from.len(), |n| n + 2));
        out.push_str(text);
        rest = after;
    }
    out.extend(rest.chars().filter(|c| !c.is_ascii_whitespace()));
    out
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;

    #[test]
    fn members_are_found_whatever_their_case_and_order() {
        let all = members("{ \"Id\" : \"0\", \"sizeInKB\":[1,{}], \"x\":null }").unwrap().unwrap();
        assert_eq!(member(&all, "id"), Some("\"0\""));
        assert_eq!(member(&all, "sizeinkb"), Some("[1,{}]"));
        assert_eq!(member(&all, "x"), None);
        assert_eq!(members("[1]").unwrap(), None);
        assert_eq!(elements("[ 1, [2] ,\"\\n\"]").unwrap().unwrap(), ["1", "[2]", "\"\\n\""]);
    }

    #[test]
    fn only_blanks_between_tokens_go() {
        assert_eq!(
            compact("[ \"a b\\\\\" ,\n 9007199254740993, \"\\\" \" , { } ]"),
            "[\"a b\\\\\",9007199254740993,\"\\\" \",{}]"
        );
    }

    #[test]
    fn numbers_are_finite_or_absent() {
        assert_eq!(number("\"400\""), Some(400.0));
        assert_eq!(number("26819627.0"), Some(26_819_627.0));
        assert_eq!(number("0"), Some(0.0));
        assert_eq!(number("12.5"), Some(12.5));
        for zero in ["-0", "-0.0", "\"-0\"", "-0e3"] {
            assert_eq!(number(zero).map(f64::to_bits), Some(0), "{zero}");
        }
        for no in [
            "",
            ".",
            "1.2.3",
            "1e400",
            "\"NaN\"",
            "\"\"",
            "true",
            "null",
            "\"12 KB\"",
            "\"inf\"",
            "{}",
        ] {
            assert_eq!(number(no), None, "{no}");
        }
    }
}
