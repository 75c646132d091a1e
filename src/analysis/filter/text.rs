//! Looks for a text in keys: letter case counts only where a capital letter was typed.

use std::borrow::Cow;

use memchr::{memchr, memchr2};

use super::scan::is_edge;
use crate::model::short_text::{self, LANES};

/// What was typed, and the fastest way to look for it.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Needle {
    text: Box<str>,
    search: Search,
}

/// Which case a letter of a key may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Case {
    /// As typed: a capital was, or no character has two cases.
    Typed,
    Any,
}

#[derive(Clone, PartialEq, Debug)]
enum Search {
    /// As it was typed, byte by byte.
    Exact,
    /// ASCII characters: the places where both rare ones stand are looked at.
    Ascii(Box<Ascii>),
    /// Each character lower-cased.
    Unicode,
}

const KELVIN: char = '\u{212a}';
const DOTTED_I: char = '\u{130}';
/// Frequent bytes of keys, most frequent first: ids are digits and hexadecimal letters.
const FREQUENT: &[u8] = b"0123456789-eatdcbfnoirs_luhmpgv.wy";
/// Places looked at in one step.
const STEP: usize = LANES;
const ONES: u128 = u128::from_le_bytes([1; STEP]);
const CASE_BIT: u8 = 0x20;

#[derive(Clone, Copy, PartialEq, Debug)]
struct Ascii {
    case: Case,
    rare: [Rare; 2],
    /// The first bytes of the needle, and what joins the two cases of each.
    head: u128,
    fold: u128,
}

/// A byte of a needle and where it stands, ready to be looked for in either case at sixteen places at once.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Rare {
    at: usize,
    /// The byte sixteen times.
    bytes: u128,
    /// What joins the two cases of a letter, sixteen times; nothing of another byte.
    fold: u128,
}

impl Rare {
    fn new(at: usize, byte: u8, case: Case) -> Self {
        Self { at, bytes: ONES * u128::from(byte), fold: ONES * u128::from(fold(byte, case)) }
    }

    /// For each place from `start` on a byte that is zero where this one stands; None at the end of the key.
    #[inline]
    fn differing(&self, hay: &[u8], start: usize) -> Option<u128> {
        let bytes = hay.get(start + self.at..)?.first_chunk()?;
        Some(self.differing_from(*bytes))
    }

    #[inline]
    fn differing_from(&self, bytes: [u8; STEP]) -> u128 {
        (u128::from_le_bytes(bytes) | self.fold) ^ self.bytes
    }
}

/// What joins the two cases of a letter; nothing of another byte.
fn fold(byte: u8, case: Case) -> u8 {
    let is_joined = case == Case::Any && byte.is_ascii_lowercase();
    if is_joined { CASE_BIT } else { 0 }
}

/// The high bit of each byte that is zero. A sum of seven bits each never carries into its neighbour.
#[inline]
fn zeros(bytes: u128) -> u128 {
    const LOW: u128 = ONES * 0x7f;
    !(((bytes & LOW) + LOW) | bytes | LOW)
}

impl Needle {
    pub fn new(text: &str) -> Self {
        let is_typed = !is_any_case(text) || text.chars().all(|c| c.to_uppercase().eq([c]));
        let case = if is_typed { Case::Typed } else { Case::Any };
        let search = match (text.as_bytes(), case) {
            (bytes @ [_, ..], _) if text.is_ascii() => {
                Search::Ascii(Box::new(Ascii::new(bytes, case)))
            }
            (_, Case::Typed) => Search::Exact,
            (_, Case::Any) => Search::Unicode,
        };
        Self { text: text.into(), search }
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether every text that holds this needle holds `wider`, too.
    pub fn implies(&self, wider: &Self) -> bool {
        if is_any_case(&wider.text) {
            holds_lowered(&self.text, &wider.text.chars())
        } else {
            !is_any_case(&self.text) && self.text.contains(&*wider.text)
        }
    }

    /// Whether an ASCII needle is held by help of a letter beyond ASCII that is lower-cased into it: the Kelvin sign
    /// or the dotted capital I.
    fn is_in_foreign(&self, hay: &str) -> bool {
        !hay.is_ascii()
            && memchr2(b'k', b'i', self.text.as_bytes()).is_some()
            && hay.contains([KELVIN, DOTTED_I])
            && holds_lowered(hay, &self.text.chars())
    }

    pub fn is_in(&self, hay: &str) -> bool {
        match &self.search {
            Search::Exact => hay.contains(&*self.text),
            Search::Ascii(ascii) => {
                ascii.is_in(hay.as_bytes(), self.text.as_bytes())
                    || ascii.case == Case::Any && self.is_in_foreign(hay)
            }
            // No ASCII letter is lower-cased to one beyond ASCII.
            Search::Unicode => !hay.is_ascii() && holds_lowered(hay, &self.text.chars()),
        }
    }
}

fn rarest(needle: &[u8], case: Case) -> [Rare; 2] {
    let rank = |byte: u8| memchr(byte, FREQUENT).unwrap_or(FREQUENT.len());
    let mut best = [(0, 0), (0, 0)];
    for (at, byte) in needle.iter().enumerate() {
        // Of a byte that stands twice, the second place tells little.
        let worth = if needle.iter().take(at).any(|b| b == byte) { 0 } else { 1 + rank(*byte) };
        best = match best {
            [first, _] if worth > first.1 => [(at, worth), first],
            [first, second] if worth > second.1 || at == 1 => [first, (at, worth)],
            held => held,
        };
    }
    best.map(|(at, _)| Rare::new(at, needle.get(at).copied().unwrap_or_default(), case))
}

impl Ascii {
    fn new(needle: &[u8], case: Case) -> Self {
        let head = short_text::first(needle, 0);
        Self {
            case,
            rare: rarest(needle, case),
            head: u128::from_le_bytes(head),
            fold: u128::from_le_bytes(head.map(|byte| fold(byte, case))),
        }
    }

    /// Whether a piece of a key, as long as the needle, is the needle.
    #[inline]
    fn is_it(&self, found: &[u8], needle: &[u8]) -> bool {
        let head = u128::from_le_bytes(short_text::first(found, 0));
        if (head | self.fold) != self.head {
            return false;
        }
        needle.len() <= STEP
            || match self.case {
                Case::Typed => found == needle,
                Case::Any => found.eq_ignore_ascii_case(needle),
            }
    }

    #[inline]
    fn is_in(&self, hay: &[u8], needle: &[u8]) -> bool {
        let Some(last) = hay.len().checked_sub(needle.len()) else { return false };
        let [first, second] = &self.rare;
        let any_here = |from: usize, mut places: u128| {
            while places != 0 {
                let start = from + places.trailing_zeros() as usize / 8;
                let found = hay.get(start..start + needle.len());
                if found.is_some_and(|found| self.is_it(found, needle)) {
                    return true;
                }
                places &= places - 1;
            }
            false
        };
        if last < STEP {
            let tail = |rare: &Rare| short_text::first(hay.get(rare.at..).unwrap_or_default(), 0);
            let differing = first.differing_from(tail(first)) | second.differing_from(tail(second));
            return any_here(0, zeros(differing));
        }
        let mut start = 0;
        while start <= last {
            // The last step goes back over places already seen, so that it stays inside the key.
            let from = start.min(last + 1 - STEP);
            let differing = first.differing(hay, from).zip(second.differing(hay, from));
            if differing.is_some_and(|(first, second)| any_here(from, zeros(first | second))) {
                return true;
            }
            start += STEP;
        }
        false
    }
}

fn holds_lowered(hay: &str, needle: &(impl Iterator<Item = char> + Clone)) -> bool {
    let mut rest = hay.chars();
    loop {
        let mut here = rest.clone().map(lower_char);
        if needle.clone().all(|c| here.next() == Some(c)) {
            return true;
        }
        if rest.next().is_none() {
            return false;
        }
    }
}

/// Unicode's simple lower case: one character for one. Only the dotted capital I has a longer form, which begins with i.
fn lower_char(c: char) -> char {
    if c.is_ascii() {
        return c.to_ascii_lowercase();
    }
    c.to_lowercase().next().unwrap_or(c)
}

/// Whether a typed text asks for either case.
fn is_any_case(text: &str) -> bool {
    text.chars().all(|c| lower_char(c) == c)
}

/// A text as a filter writes it: bare unless that would read as something else.
pub(super) fn quoted_if_needed(text: &str) -> Cow<'_, str> {
    let is_special = |c: char| is_edge(c) || matches!(c, '<' | '>' | '=' | '!' | '"' | '\\');
    let is_keyword = matches!(text, "" | "or" | "and" | "not");
    if is_keyword || text.contains(is_special) {
        return quoted(text).into();
    }
    text.into()
}

pub(super) fn quoted(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{escaped}\"")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn holds(needle: &str, hay: &str) -> bool {
        Needle::new(needle).is_in(hay)
    }

    #[test]
    fn capitals_count_only_where_one_was_typed() {
        for (needle, hay, expected) in [
            ("contoso", "CONTOSO-1", true),
            ("Contoso", "contoso-1", false),
            ("Contoso", "x Contoso-1", true),
            ("0001", "tenant-0001", true),
            ("tenant-0001", "TENANT-0001", true),
            ("z", "", false),
            ("", "", true),
            ("längd", "LÄNGD", true),
            ("Längd", "längd", false),
            ("東京", "x東京y", true),
            ("å", "\u{212b}", true),
            ("kelvin", "\u{212a}ELVIN", true),
            ("istanbul", "\u{130}STANBUL", true),
            ("ä", "a", false),
            ("aab", "aaab", true),
        ] {
            assert_eq!(holds(needle, hay), expected, "{needle} in {hay}");
        }
    }

    proptest! {
        #[test]
        fn found_is_what_lower_case_holds(
            needle in "[abkiä\u{e5}東1-]{0,4}",
            hay in "[abkiABKIäÄ\u{212b}\u{212a}\u{130}東1-]{0,12}",
        ) {
            let lowered: String = hay.chars().map(lower_char).collect();
            prop_assert_eq!(holds(&needle, &hay), lowered.contains(&needle));
        }

        #[test]
        fn exact_is_exact(needle in "[aAbB]{0,3}", hay in "[aAbB]{0,10}") {
            let expected = if needle.contains(['A', 'B']) {
                hay.contains(&needle)
            } else {
                hay.to_lowercase().contains(&needle)
            };
            prop_assert_eq!(holds(&needle, &hay), expected);
        }

        #[test]
        fn what_a_needle_implies_holds_everywhere(
            a in "[aAbä]{0,3}", b in "[aAbä]{0,3}", hay in "[aAbBäÄ]{0,8}",
        ) {
            let (a, b) = (Needle::new(&a), Needle::new(&b));
            if a.implies(&b) && a.is_in(&hay) {
                prop_assert!(b.is_in(&hay), "{:?} {:?}", a, b);
            }
        }
    }
}
