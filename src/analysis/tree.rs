//! Hierarchical keys level by level: the parts that follow a prefix, largest first, with totals of what lies under them.

use std::collections::HashMap;

use crate::model::key::Key;

use super::prefix::{Follows, part_end};
use super::skew::Total;

/// Parts of one level that are kept; nobody scrolls further, and totals count the others, too.
pub const MAX_NODES: usize = 10_000;

/// The first parts of hierarchical keys.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Prefix {
    /// Canonical JSON list without its closing bracket: what every key under it starts with.
    text: Box<str>,
}

impl Prefix {
    /// Canonical JSON list of the prefix; the key itself where the prefix is all of it.
    pub fn canonical(&self) -> String {
        format!("{}]", self.text)
    }

    /// The same, harmless.
    #[cfg(test)]
    pub fn json(&self) -> String {
        let canonical = self.canonical();
        Key::from_canonical(&canonical).map_or(canonical, |key| key.json())
    }

    /// Whether it begins with all parts of the other one, and has more.
    pub fn is_under(&self, other: &Self) -> bool {
        other.next_part(&self.text).is_some()
    }

    /// Where the part after the prefix begins.
    fn next_part(&self, canonical: &str) -> Option<usize> {
        let rest = canonical.strip_prefix(&*self.text)?;
        rest.starts_with(',').then_some(self.text.len() + 1)
    }
}

/// One part that follows the prefix of its level.
#[derive(Clone, PartialEq, Debug)]
pub struct Node {
    pub prefix: Prefix,
    /// Its part alone, as a harmless JSON list of one.
    pub part: Box<str>,
    /// At least this much: smaller keys are not reported.
    pub kib: f64,
    /// Reported keys under it; 1 where it is a key itself.
    pub keys: u64,
    pub largest_kib: f64,
    /// Whether it is a key of its own with none reported under it: there is no level below.
    pub whole_key: bool,
}

/// Several nodes told of in one line.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Rest {
    pub nodes: u64,
    pub keys: u64,
    pub kib: f64,
}

/// One level of the tree.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct TreeLevel {
    /// Largest first, ties by the prefix's text.
    pub nodes: Vec<Node>,
    /// What lies beyond [`MAX_NODES`], each smaller than or as large as the last node.
    pub smaller: Rest,
    /// Records under no prefix that name no key; they are in no node and in no total.
    pub unnamed: Rest,
}

/// What was reported of one part.
#[derive(Clone, Copy, Default)]
struct Sum {
    under: Total,
    under_keys: u64,
    /// The part ends a key whose size was reported as such: of an upper level it is the total of what lies under it.
    own_kib: f64,
    own_keys: u64,
    largest_kib: f64,
}

impl Sum {
    fn add(&mut self, kib: f64, follows: Follows) {
        match follows {
            Follows::Part => {
                self.under.add(kib);
                self.under_keys += 1;
                self.largest_kib = self.largest_kib.max(kib);
            }
            Follows::Nothing => {
                self.own_kib = self.own_kib.max(kib);
                self.own_keys += 1;
            }
        }
    }

    /// The reported total of a part and the keys under it tell of the same bytes: the larger one holds.
    fn node(&self, text: &str, from: usize) -> Node {
        let part = format!("[{}]", text.get(from..).unwrap_or_default());
        let whole_key = self.under_keys == 0;
        Node {
            prefix: Prefix { text: text.into() },
            part: Key::from_canonical(&part).map_or(part, |key| key.json()).into(),
            kib: self.kib(),
            keys: self.keys(),
            largest_kib: if whole_key { self.own_kib } else { self.largest_kib },
            whole_key,
        }
    }

    fn kib(&self) -> f64 {
        self.own_kib.max(self.under.value())
    }

    fn keys(&self) -> u64 {
        if self.under_keys == 0 { self.own_keys } else { self.under_keys }
    }
}

/// The parts that follow `under` in these keys, or their first parts. Keys are canonical texts with their sizes.
pub fn level<'a>(keys: impl Iterator<Item = (&'a str, f64)>, under: Option<&Prefix>) -> TreeLevel {
    level_of(keys, under, MAX_NODES)
}

fn level_of<'a>(
    keys: impl Iterator<Item = (&'a str, f64)>,
    under: Option<&Prefix>,
    limit: usize,
) -> TreeLevel {
    // Borrowed from the keys, of which there are at least as many: the map lives only in here.
    let mut sums: HashMap<&'a str, Sum> = HashMap::new();
    let mut unnamed = (0_u64, Total::default());
    let from = under.map_or(1, |prefix| prefix.text.len() + 1);
    for (canonical, kib) in keys {
        let start = under.map_or(Some(from), |prefix| prefix.next_part(canonical));
        let Some(start) = start else { continue };
        let part = part_end(canonical, start);
        let Some((end, text)) = part.and_then(|end| Some((end, canonical.get(..end.at)?))) else {
            unnamed.0 += 1;
            unnamed.1.add(kib);
            continue;
        };
        sums.entry(text).or_default().add(kib, end.follows);
    }
    let mut out = TreeLevel {
        unnamed: Rest { nodes: 0, keys: unnamed.0, kib: unnamed.1.value() },
        ..TreeLevel::default()
    };
    let mut all: Vec<(&str, Sum)> = sums.into_iter().collect();
    let order = |(a_text, a): &(&str, Sum), (b_text, b): &(&str, Sum)| {
        b.kib().total_cmp(&a.kib()).then_with(|| a_text.cmp(b_text))
    };
    if all.len() > limit {
        all.select_nth_unstable_by(limit, order);
        let mut smaller = Total::default();
        for (_, sum) in all.iter().skip(limit) {
            smaller.add(sum.kib());
            out.smaller.nodes += 1;
            out.smaller.keys += sum.keys();
        }
        out.smaller.kib = smaller.value();
        all.truncate(limit);
    }
    all.sort_unstable_by(order);
    out.nodes = all.into_iter().map(|(text, sum)| sum.node(text, from)).collect();
    out
}

#[cfg(test)]
#[expect(
    clippy::unwrap_used,
    clippy::float_cmp,
    reason = "a test may panic, and these sums are exact"
)]
mod tests {
    use super::*;
    use crate::model::key::Part;
    use proptest::prelude::*;

    const KEYS: [(&str, f64); 6] = [
        (r#"["plant-1","dev-1","a"]"#, 5.0),
        (r#"["plant-1","dev-2","b,]"]"#, 6.0),
        (r#"["plant-1","dev-1","c"]"#, 7.0),
        (r#"["plant-2",null]"#, 30.0),
        (r#"["alone"]"#, 99.0),
        ("", 3.0),
    ];

    fn shown(level: &TreeLevel) -> Vec<(&str, f64, u64, f64, bool)> {
        let row = |n: &'_ Node| (n.kib, n.keys, n.largest_kib, n.whole_key);
        let nodes = level.nodes.iter();
        nodes
            .map(|n| {
                let (kib, keys, largest, whole) = row(n);
                (&*n.part, kib, keys, largest, whole)
            })
            .collect()
    }

    fn totals(level: &TreeLevel) -> (f64, u64) {
        let of = |(kib, keys): (f64, u64), n: &Node| (kib + n.kib, keys + n.keys);
        level.nodes.iter().fold((level.smaller.kib, level.smaller.keys), of)
    }

    #[test]
    fn levels_open_one_by_one() {
        let first = level(KEYS.into_iter(), None);
        let expected = [
            (r#"["alone"]"#, 99.0, 1, 99.0, true),
            (r#"["plant-2"]"#, 30.0, 1, 30.0, false),
            (r#"["plant-1"]"#, 18.0, 3, 7.0, false),
        ];
        assert_eq!(shown(&first), expected);
        assert_eq!(totals(&first), (147.0, 5));
        assert_eq!((first.unnamed.keys, first.unnamed.kib), (1, 3.0));
        let plant = &first.nodes.last().unwrap().prefix;
        assert_eq!(plant.canonical(), r#"["plant-1"]"#);
        let second = level(KEYS.into_iter(), Some(plant));
        let expected =
            [(r#"["dev-1"]"#, 12.0, 2, 7.0, false), (r#"["dev-2"]"#, 6.0, 1, 6.0, false)];
        assert_eq!(shown(&second), expected);
        let device = &second.nodes.last().unwrap().prefix;
        let third = level(KEYS.into_iter(), Some(device));
        assert_eq!(shown(&third), [(r#"["b,]"]"#, 6.0, 1, 6.0, true)]);
        assert_eq!(third.nodes[0].prefix.json(), KEYS[1].0);
        assert_eq!(level(KEYS.into_iter(), Some(&third.nodes[0].prefix)), TreeLevel::default());
    }

    #[test]
    fn a_reported_total_and_the_keys_under_it_are_not_added() {
        let keys = [(r#"["a"]"#, 10.0), (r#"["a",1]"#, 4.0), (r#"["a",2]"#, 3.0)];
        let found = level(keys.into_iter(), None);
        assert_eq!(shown(&found), [(r#"["a"]"#, 10.0, 2, 4.0, false)]);
        let keys = [(r#"["a"]"#, 5.0), (r#"["a",1]"#, 4.0), (r#"["a",2]"#, 3.0)];
        assert_eq!(totals(&level(keys.into_iter(), None)).0, 7.0);
    }

    #[test]
    fn a_prefix_is_made_of_whole_parts() {
        let keys = [
            (r#"["ab","x"]"#, 1.0),
            (r#"["a","x"]"#, 2.0),
            (r#"[1,"x"]"#, 3.0),
            (r#"[12,"x"]"#, 4.0),
        ];
        let first = level(keys.into_iter(), None);
        for node in &first.nodes {
            assert_eq!(totals(&level(keys.into_iter(), Some(&node.prefix))).1, 1, "{node:?}");
        }
    }

    #[test]
    fn dangerous_parts_are_written_as_codes() {
        let key = "[\"a\u{202e}b\",{}]";
        let first = level([(key, 1.0)].into_iter(), None);
        assert_eq!(&*first.nodes[0].part, "[\"a\\u202eb\"]");
        let second = level([(key, 1.0)].into_iter(), Some(&first.nodes[0].prefix));
        assert_eq!(totals(&second).1, 1);
    }

    #[test]
    fn what_lies_beyond_the_limit_is_counted() {
        let keys: Vec<String> = (0..9).map(|i| format!("[{},1]", i % 8)).collect();
        let keys = || keys.iter().map(|k| (k.as_str(), 2.0));
        let found = level_of(keys(), None, 3);
        let parts: Vec<&str> = found.nodes.iter().map(|n| &*n.part).collect();
        assert_eq!(parts, ["[0]", "[1]", "[2]"]);
        assert_eq!(found.smaller, Rest { nodes: 5, keys: 5, kib: 10.0 });
        assert_eq!(totals(&found), (18.0, 9));
    }

    fn part() -> impl Strategy<Value = Part> {
        prop_oneof![
            Just(Part::Undefined),
            Just(Part::Null),
            any::<bool>().prop_map(Part::Bool),
            "[ab,\\[\\]{}\"\\\\é]{0,3}".prop_map(|t| Part::Text(t.into())),
        ]
    }

    proptest! {
        #[test]
        fn a_level_is_what_the_parts_say(
            rows in prop::collection::vec((prop::collection::vec(part(), 1..4), 0_u32..50), 0..30),
            levels in 0_usize..3,
            limit in 1_usize..6,
        ) {
            let keys: Vec<(Key, f64)> = rows.into_iter().map(|(p, kib)| (Key::from(p), f64::from(kib))).collect();
            let texts: Vec<(String, f64)> = keys.iter().map(|(k, kib)| (k.canonical(), *kib)).collect();
            let prefix = keys.first().map(|(k, _)| k.parts()).and_then(|p| p.get(..levels)).filter(|p| !p.is_empty());
            let under = prefix.map(|p| {
                let canonical = Key::from(p.to_vec()).canonical();
                Prefix { text: canonical.strip_suffix(']').unwrap().into() }
            });
            let found = level_of(texts.iter().map(|(t, kib)| (t.as_str(), *kib)), under.as_ref(), limit);
            let depth = prefix.map_or(0, <[Part]>::len);
            let mut naive: HashMap<String, (f64, f64, u64, u64)> = HashMap::new();
            for (key, kib) in &keys {
                let parts = key.parts();
                if parts.len() <= depth || parts.get(..depth) != Some(prefix.unwrap_or_default()) {
                    continue;
                }
                let head = Key::from(parts[..=depth].to_vec()).canonical();
                let sum = naive.entry(head).or_default();
                if parts.len() > depth + 1 {
                    sum.0 += kib;
                    sum.2 += 1;
                } else {
                    sum.1 = sum.1.max(*kib);
                    sum.3 += 1;
                }
            }
            let mut expected: Vec<(String, f64, u64)> = naive.into_iter()
                .map(|(head, s)| (head, s.0.max(s.1), if s.2 > 0 { s.2 } else { s.3 })).collect();
            expected.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.trim_end_matches(']').cmp(b.0.trim_end_matches(']'))));
            let kib: f64 = expected.iter().map(|e| e.1).sum();
            let others = expected.len().saturating_sub(limit) as u64;
            prop_assert_eq!(found.smaller.nodes, others);
            let shown: Vec<(f64, u64)> = found.nodes.iter().map(|n| (n.kib, n.keys)).collect();
            let first: Vec<(f64, u64)> = expected.iter().take(limit).map(|e| (e.1, e.2)).collect();
            prop_assert_eq!(shown.iter().map(|s| s.0).collect::<Vec<_>>(), first.iter().map(|s| s.0).collect::<Vec<_>>());
            prop_assert_eq!(totals(&found).0, kib);
            let heads: HashMap<String, (f64, u64)> = expected.into_iter().map(|(h, k, n)| (h, (k, n))).collect();
            for node in &found.nodes {
                prop_assert_eq!(heads.get(&node.prefix.canonical()), Some(&(node.kib, node.keys)));
            }
        }
    }
}
