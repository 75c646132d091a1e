//! Names held once: accounts, containers, regions, ranges and operations as small numbers.

use std::collections::HashMap;
use std::sync::Arc;

use super::visible::needs_code;

/// What a name takes besides its text: its places in the list and in the map, and the counts of its owners.
const NAME_BYTES: usize = 112;

/// A list of distinct texts; a number stands for a text as long as the list lives.
#[derive(Clone, Debug, Default)]
pub struct Names {
    by_number: Vec<Arc<str>>,
    by_text: HashMap<Arc<str>, u32>,
    text_bytes: usize,
}

impl Names {
    /// The number of a text, new or known. None once `limit` texts are held.
    pub fn number(&mut self, text: &str, limit: usize) -> Option<u32> {
        if let Some(n) = self.by_text.get(text) {
            return Some(*n);
        }
        if self.by_number.len() >= limit {
            return None;
        }
        let number = u32::try_from(self.by_number.len()).ok()?;
        self.text_bytes += text.len();
        let shared: Arc<str> = text.into();
        self.by_number.push(Arc::clone(&shared));
        self.by_text.insert(shared, number);
        Some(number)
    }

    pub fn find(&self, text: &str) -> Option<u32> {
        self.by_text.get(text).copied()
    }

    pub fn text(&self, number: u32) -> &str {
        self.by_number.get(number as usize).map_or("", |t| t)
    }

    pub fn len(&self) -> usize {
        self.by_number.len()
    }

    pub fn is_empty(&self) -> bool {
        self.by_number.is_empty()
    }

    pub fn bytes(&self) -> usize {
        self.text_bytes + self.len() * NAME_BYTES
    }
}

/// Which container a record speaks of, as far as the record says. Accounts compare without letter case.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct ContainerName {
    pub account: Option<Arc<str>>,
    pub database: Option<Arc<str>>,
    pub container: Option<Arc<str>>,
    /// The resource id of the container inside the account; two inputs that share it speak of the same container.
    pub rid: Option<Arc<str>>,
}

impl ContainerName {
    pub fn new(account: Option<&str>, database: Option<&str>, container: Option<&str>) -> Self {
        Self {
            account: account.map(Arc::from),
            database: database.map(Arc::from),
            container: container.map(Arc::from),
            rid: None,
        }
    }

    /// Account, database and container.
    pub fn parts(&self) -> [Option<&str>; 3] {
        [self.account.as_deref(), self.database.as_deref(), self.container.as_deref()]
    }

    /// Equal for records of one container whatever the letter case of the account.
    #[must_use]
    pub fn identity(&self) -> Self {
        Self { account: self.account.as_ref().map(|a| a.to_lowercase().into()), ..self.clone() }
    }

    /// Whether database and container are known; the account may not be.
    pub fn is_full(&self) -> bool {
        self.database.is_some() && self.container.is_some()
    }

    /// Account, database and container, each only where the service accepts that name: commands and code hold no other.
    pub fn service_names(&self) -> [Option<&str>; 3] {
        [
            self.account.as_deref().filter(|name| is_account(name)),
            self.database.as_deref().filter(|name| is_resource(name)),
            self.container.as_deref().filter(|name| is_resource(name)),
        ]
    }

    /// What `--container` takes for it.
    pub fn option_text(&self) -> Option<String> {
        let container = self.container.as_deref()?;
        let database = self.database.as_deref();
        let account = self.account.as_deref().filter(|_| database.is_some());
        let parts = account.into_iter().chain(database).chain([container]);
        Some(parts.collect::<Vec<_>>().join("/"))
    }

    /// `account / database / container`, with what is not known said so.
    pub fn title(&self) -> String {
        let known = [&self.account, &self.database].into_iter().flatten().map(|name| &**name);
        let container = self.container.as_deref().unwrap_or("unknown container");
        known.chain([container]).collect::<Vec<_>>().join(" / ")
    }
}

/// `8-4-4-4-12` hexadecimal digits.
pub fn is_guid(text: &str) -> bool {
    let parts = || text.split('-');
    parts().map(str::len).eq([8, 4, 4, 4, 12])
        && parts().all(|part| part.bytes().all(|b| b.is_ascii_hexdigit()))
}

/// Whether an account can have this name, in any letter case: a host that begins with it stays the service's own.
pub fn is_account(name: &str) -> bool {
    let is_one = |c: char| c.is_ascii_alphanumeric() || c == '-';
    (3..=44).contains(&name.len())
        && name.chars().all(is_one)
        && !name.starts_with('-')
        && !name.ends_with('-')
        && !name.get(..4).is_some_and(|begin| begin.eq_ignore_ascii_case("xn--"))
        // A number alone is an address in disguise.
        && name.chars().any(|c| c.is_ascii_alphabetic())
}

/// Whether a resource such as a database can have this name, and a command takes it as one: not as a path, an option or a file.
pub fn is_resource(name: &str) -> bool {
    let is_one = |c: char| !"/\\#?".contains(c) && !needs_code(c);
    (1..=255).contains(&name.chars().count())
        && name.chars().all(is_one)
        && !name.starts_with(['-', '@'])
        && !matches!(name, "." | "..")
}

/// Bytes beyond which a call costs less than it saves.
const FEW_WORDS: usize = 64;

/// Equality without a call: names and keys are a few words long. The last word overlaps the one before it.
pub fn is_same(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    if a.len() > FEW_WORDS {
        return a == b;
    }
    let words = (a.last_chunk::<8>(), b.last_chunk::<8>());
    if let (Some(a_last), Some(b_last)) = words {
        let (a_words, _) = a.as_chunks::<8>();
        let (b_words, _) = b.as_chunks::<8>();
        return a_last == b_last && a_words.iter().zip(b_words).all(|(a, b)| a == b);
    }
    match (a.first_chunk::<4>(), b.first_chunk::<4>()) {
        (Some(a_first), Some(b_first)) => {
            a_first == b_first && a.last_chunk::<4>() == b.last_chunk::<4>()
        }
        _ => a == b,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equality_by_words_is_equality() {
        let text = b"cosmos-prod-005/orders/carts";
        for from in 0..text.len() {
            for to in from..text.len() {
                let part = text[from..to].to_vec();
                assert!(is_same(&part, &text[from..to]));
                for at in 0..part.len() {
                    let mut other = part.clone();
                    other[at] ^= 1;
                    assert!(!is_same(&part, &other));
                }
            }
        }
        assert!(!is_same(b"a", b"ab") && is_same(b"", b""));
    }

    #[test]
    fn names_of_the_service_lead_to_no_other_host_path_option_or_file() {
        let long = "a".repeat(44);
        for name in ["contoso", "Contoso-1", "1a2", &long] {
            assert!(is_account(name), "{name}");
        }
        for name in [
            "",
            "ab",
            "a.b",
            "evil.example/",
            "x@evil:1",
            "a#b",
            "-abc",
            "abc-",
            "xn--abc",
            "XN--abc",
            "127",
        ] {
            assert!(!is_account(name), "{name}");
        }
        assert!(!is_account(&(long + "a")));
        for name in ["orders", "Orders 2", "it's", "[a]", "d\u{fc}", "a.b"] {
            assert!(is_resource(name), "{name}");
        }
        for name in ["", "a/b", "a\\b", "a?b", "a#b", "..", "--help", "@secrets", "a\nb", "a\0b"] {
            assert!(!is_resource(name), "{name}");
        }
    }

    #[test]
    fn a_text_keeps_its_number_and_the_limit_holds() {
        let mut names = Names::default();
        assert_eq!(names.number("a", 2), Some(0));
        assert_eq!(names.number("b", 2), Some(1));
        assert_eq!(names.number("a", 2), Some(0));
        assert_eq!(names.number("c", 2), None);
        assert_eq!(names.text(1), "b");
        assert_eq!(names.text(9), "");
    }

    #[test]
    fn accounts_compare_without_case_but_containers_do_not() {
        let a = ContainerName::new(Some("NORTH"), Some("d"), Some("c"));
        let b = ContainerName::new(Some("north"), Some("d"), Some("c"));
        let c = ContainerName::new(Some("north"), Some("d"), Some("C"));
        assert_eq!(a.identity(), b.identity());
        assert_ne!(b.identity(), c.identity());
        assert_eq!(ContainerName::default().title(), "unknown container");
    }
}
