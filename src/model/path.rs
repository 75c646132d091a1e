//! Where a property stands in a document: its names from the outside in, written `/a/b` or `/"plant name"/x`.

use std::fmt;

use super::key_text::leading_string;
use super::visible::json_escape_into;

/// A property of a document.
///
/// Its text reads back as the same path. A name that is not only letters, digits and a few signs is written as a JSON
/// string, in which nothing acts on a terminal or is invisible.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Path(pub Vec<Box<str>>);

/// Where a text stops being a path, and what should stand there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PathFault {
    /// Bytes before it.
    pub at: usize,
    /// Without "expected".
    pub what: &'static str,
}

/// Where a name without quotes ends.
#[derive(Clone, Copy)]
enum Ends {
    /// At the next slash: nothing else can follow, so a definition's `/plant name` is one name.
    AtSlash,
    /// At whatever may follow a path in an expression, too.
    AtSign,
}

impl Path {
    /// Reads a whole text, as it stands in a container's definition or in a list of paths.
    pub fn parse(text: &str) -> Result<Self, PathFault> {
        let (path, length) = read(text, Ends::AtSlash)?;
        if length == text.len() {
            Ok(path)
        } else {
            Err(PathFault { at: length, what: "/ or the end" })
        }
    }

    /// Reads the path that a text begins with and says how many bytes it takes.
    pub fn leading(text: &str) -> Result<(Self, usize), PathFault> {
        read(text, Ends::AtSign)
    }

    /// The property's names from the outside in.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(AsRef::as_ref)
    }

    /// The name of a property of the document itself; none for one inside another.
    pub fn top_name(&self) -> Option<&str> {
        match self.0.as_slice() {
            [name] => Some(name),
            _ => None,
        }
    }
}

impl<S: Into<Box<str>>> FromIterator<S> for Path {
    fn from_iter<I: IntoIterator<Item = S>>(names: I) -> Self {
        Self(names.into_iter().map(Into::into).collect())
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for name in &self.0 {
            let mut escaped = String::with_capacity(name.len());
            json_escape_into(name, &mut escaped);
            if !name.is_empty() && *escaped == **name && name.chars().all(is_plain) {
                write!(f, "/{name}")?;
            } else {
                write!(f, "/\"{escaped}\"")?;
            }
        }
        Ok(())
    }
}

fn read(text: &str, ends: Ends) -> Result<(Path, usize), PathFault> {
    let mut names = Vec::new();
    let mut at = 0;
    loop {
        let rest = text.get(at..).unwrap_or_default();
        let Some(after) = rest.strip_prefix('/') else {
            break;
        };
        at += 1;
        if after.starts_with('"') {
            let (name, length) = leading_string(after).map_err(|stopped| PathFault {
                at: at + stopped,
                what: if at + stopped >= text.len() {
                    "the closing \""
                } else {
                    "a name in quotes as JSON writes it"
                },
            })?;
            names.push(name.into_boxed_str());
            at += length;
        } else {
            let length = after.find(|c| ends.ends(c)).unwrap_or(after.len());
            let name = after.get(..length).filter(|name| !name.is_empty());
            let Some(name) = name else {
                let what = "the name of a property after the /";
                return Err(PathFault { at, what });
            };
            names.push(name.into());
            at += length;
        }
    }
    if names.is_empty() {
        let what = "a path such as /tenantId";
        return Err(PathFault { at, what });
    }
    Ok((Path(names), at))
}

impl Ends {
    fn ends(self, c: char) -> bool {
        match self {
            Self::AtSlash => c == '/',
            Self::AtSign => {
                c.is_whitespace() || matches!(c, '/' | '+' | '>' | ',' | '(' | ')' | '"')
            }
        }
    }
}

/// Whether a character needs no quotes; what the service's own path patterns use (`*`, `?`, `[`) gets them.
fn is_plain(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '$' | '@' | '#' | ':')
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn path(names: &[&str]) -> Path {
        names.iter().copied().collect()
    }

    #[test]
    fn names_are_read_from_the_outside_in() {
        for (text, names) in [
            ("/tenantId", &["tenantId"][..]),
            ("/device-data/type", &["device-data", "type"]),
            ("/\"plant name\"/x", &["plant name", "x"]),
            (r#"/"a\"b\\c\/d\u00e9""#, &["a\"b\\c/dé"]),
            ("/a.b/$v/ÄÖ", &["a.b", "$v", "ÄÖ"]),
            ("/\"\"/\"/\"", &["", "/"]),
        ] {
            assert_eq!(Path::parse(text), Ok(path(names)), "{text}");
            assert_eq!(Path::leading(text), Ok((path(names), text.len())), "{text}");
        }
        assert_eq!(Path::parse("/plant name"), Ok(path(&["plant name"])));
    }

    #[test]
    fn a_path_ends_where_an_expression_goes_on() {
        for rest in [" + x", "+x", ">", ")", ", 4", "\u{a0}", "\""] {
            let text = format!("/a/b{rest}");
            assert_eq!(Path::leading(&text), Ok((path(&["a", "b"]), 4)), "{text}");
        }
        assert_eq!(Path::leading("/\"a b\"x"), Ok((path(&["a b"]), 6)));
    }

    #[test]
    fn a_fault_says_where_it_is() {
        for (text, at, what) in [
            ("", 0, "a path such as /tenantId"),
            ("tenantId", 0, "a path such as /tenantId"),
            ("/", 1, "the name of a property after the /"),
            ("/a/", 3, "the name of a property after the /"),
            ("//a", 1, "the name of a property after the /"),
            ("/\"a", 3, "the closing \""),
            ("/\"a\u{1}\"", 3, "a name in quotes as JSON writes it"),
            ("/\"a\"x", 4, "/ or the end"),
        ] {
            assert_eq!(Path::parse(text), Err(PathFault { at, what }), "{text:?}");
        }
    }

    #[test]
    fn quotes_stand_only_where_they_are_needed() {
        assert_eq!(path(&["a.b", "ÄÖ-1", "_ts"]).to_string(), "/a.b/ÄÖ-1/_ts");
        assert_eq!(path(&["", "a b", "c*", "d\"e"]).to_string(), r#"/""/"a b"/"c*"/"d\"e""#);
        assert_eq!(path(&["a\u{202e}b"]).to_string(), "/\"a\\u202eb\"");
    }

    #[test]
    fn only_a_single_name_is_at_the_top() {
        assert_eq!(path(&["_ts"]).top_name(), Some("_ts"));
        assert_eq!(path(&["a", "_ts"]).top_name(), None);
        assert_eq!(path(&["a", "b"]).names().collect::<Vec<_>>(), ["a", "b"]);
    }

    proptest! {
        #[test]
        fn its_text_reads_back(names in prop::collection::vec("\\PC{0,6}|[ab/\"\\\\ .+>(,é\u{1}\u{202e}]{0,6}", 1..5)) {
            let path: Path = names.into_iter().collect();
            let text = path.to_string();
            prop_assert_eq!(Path::parse(&text).unwrap(), path.clone());
            prop_assert_eq!(Path::leading(&format!("{text} + 1")).unwrap(), (path, text.len()));
        }

        #[test]
        fn no_text_stops_it(text in "[/\"\\\\a bu0d8,()é]{0,16}|\\PC{0,16}") {
            for read in [Path::parse(&text).map(|_| ()), Path::leading(&text).map(|_| ())] {
                if let Err(fault) = read {
                    prop_assert!(text.is_char_boundary(fault.at), "{:?}", fault);
                }
            }
        }
    }
}
