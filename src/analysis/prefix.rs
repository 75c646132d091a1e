//! Totals of the upper levels of hierarchical keys: the sum of the full keys reported under them, so "at least".

use std::collections::HashMap;

use memchr::memchr2;

use crate::model::key::Key;

use super::skew::Total;

/// Prefixes told apart per container; beyond it the totals are left out, since which ones fit would be chance.
const MAX_PREFIXES: usize = 200_000;
/// Prefixes of each level that a report carries.
const SHOWN: usize = 10;

/// One prefix with what was reported under it.
#[derive(Clone, PartialEq, Debug)]
pub struct PrefixTotal {
    /// Compact JSON list of the first levels, harmless.
    pub key: Box<str>,
    pub levels: usize,
    /// At least this much: smaller keys are not reported.
    pub kib: f64,
    pub keys: u64,
}

/// Collects prefix totals from full keys.
#[derive(Clone, Debug, Default)]
pub struct PrefixTotals {
    sums: HashMap<Box<str>, (usize, Total, u64)>,
    overflowed: bool,
}

impl PrefixTotals {
    /// Takes a key's canonical text; a key of one part has no prefixes.
    pub fn add(&mut self, canonical: &str, kib: f64) {
        if self.overflowed {
            return;
        }
        let ends = part_ends(canonical);
        for (levels, end) in (1..).zip(ends) {
            let Some(prefix) = end.and_then(|end| canonical.get(..end)) else { return };
            if let Some((_, total, keys)) = self.sums.get_mut(prefix) {
                total.add(kib);
                *keys += 1;
                continue;
            }
            if self.sums.len() >= MAX_PREFIXES {
                *self = Self { sums: HashMap::new(), overflowed: true };
                return;
            }
            let mut total = Total::default();
            total.add(kib);
            self.sums.insert(prefix.into(), (levels, total, 1));
        }
    }

    /// Whether there were more prefixes than are told apart.
    pub fn overflowed(&self) -> bool {
        self.overflowed
    }

    /// The largest of each level, upper level first.
    pub fn finish(self) -> Vec<PrefixTotal> {
        let mut all: Vec<PrefixTotal> = self
            .sums
            .into_iter()
            .map(|(prefix, (levels, total, keys))| PrefixTotal {
                key: format!("{prefix}]").into(),
                levels,
                kib: total.value(),
                keys,
            })
            .collect();
        all.sort_by(|a, b| {
            let by_level = a.levels.cmp(&b.levels);
            by_level.then(b.kib.total_cmp(&a.kib)).then_with(|| a.key.cmp(&b.key))
        });
        let of_levels = all.chunk_by(|a, b| a.levels == b.levels);
        let shown = of_levels.flat_map(|level| level.iter().take(SHOWN));
        let mut shown: Vec<PrefixTotal> = shown.cloned().collect();
        for prefix in &mut shown {
            if let Some(key) = Key::from_canonical(&prefix.key) {
                prefix.key = key.json().into();
            }
        }
        shown
    }
}

/// Where the first and the second part of a JSON list end, if another part follows.
fn part_ends(list: &str) -> [Option<usize>; 2] {
    let first = part_end(list, 1).filter(|end| end.follows == Follows::Part);
    let second = first.and_then(|end| part_end(list, end.at + 1));
    let second = second.filter(|end| end.follows == Follows::Part);
    [first, second].map(|end| end.map(|end| end.at))
}

/// What comes after a part of a JSON list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Follows {
    Part,
    Nothing,
}

/// Where a part ends: at its comma or at the closing bracket.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PartEnd {
    pub at: usize,
    pub follows: Follows,
}

/// The end of the part that begins at `from`; None where there is none. Commas and brackets inside it are its own.
pub(super) fn part_end(list: &str, from: usize) -> Option<PartEnd> {
    let bytes = list.as_bytes();
    let end = |at: usize, follows| (at > from).then_some(PartEnd { at, follows });
    let mut depth = 0_u32;
    let mut at = from;
    loop {
        match bytes.get(at)? {
            b'"' => at = text_end(bytes, at + 1)?,
            b'[' | b'{' => depth += 1,
            b']' if depth == 0 => return end(at, Follows::Nothing),
            b']' | b'}' => depth = depth.saturating_sub(1),
            b',' if depth == 0 => return end(at, Follows::Part),
            _ => {}
        }
        at += 1;
    }
}

/// The closing quote of a text that began before `at`.
fn text_end(bytes: &[u8], mut at: usize) -> Option<usize> {
    loop {
        at += memchr2(b'"', b'\\', bytes.get(at..)?)?;
        match bytes.get(at)? {
            b'"' => return Some(at),
            // Whatever is escaped is no end.
            _ => at += 2,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn totals(keys: &[(&str, f64)]) -> Vec<(String, usize, f64, u64)> {
        let mut sums = PrefixTotals::default();
        for (key, kib) in keys {
            sums.add(key, *kib);
        }
        let found = sums.finish().into_iter();
        found.map(|p| (p.key.into(), p.levels, p.kib, p.keys)).collect()
    }

    #[test]
    fn levels_add_up_and_keys_of_one_part_have_none() {
        let found = totals(&[
            (r#"["plant-1","dev-1","a"]"#, 5.0),
            (r#"["plant-1","dev-2","b"]"#, 6.0),
            (r#"["plant-1","dev-1","c"]"#, 7.0),
            (r#"["plant-2",null]"#, 30.0),
            (r#"["alone"]"#, 99.0),
        ]);
        let expected = [
            (r#"["plant-2"]"#, 1, 30.0, 1),
            (r#"["plant-1"]"#, 1, 18.0, 3),
            (r#"["plant-1","dev-1"]"#, 2, 12.0, 2),
            (r#"["plant-1","dev-2"]"#, 2, 6.0, 1),
        ];
        assert_eq!(found, expected.map(|(k, l, s, n)| (k.to_owned(), l, s, n)));
    }

    #[test]
    fn commas_and_brackets_inside_parts_do_not_split() {
        let found = totals(&[(r#"["a\",\"b,[",{},"x"]"#, 1.0), (r#"[{"a":[1,2]},"x"]"#, 2.0)]);
        let prefixes: Vec<&str> = found.iter().map(|p| p.0.as_str()).collect();
        assert_eq!(prefixes, [r#"[{"a":[1,2]}]"#, r#"["a\",\"b,["]"#, r#"["a\",\"b,[",{}]"#]);
    }

    #[test]
    fn too_many_prefixes_are_none_rather_than_some_by_chance() {
        let mut sums = PrefixTotals::default();
        for i in 0..=MAX_PREFIXES {
            sums.add(&format!("[{i},1]"), 1.0);
        }
        assert!(sums.overflowed());
        assert_eq!(sums.finish(), []);
    }
}
