//! The values that a document's fields are made of: drawn by chance, or always the same for the same owner.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::document_spec::{Case, Code, Draw, List, Member, Origin, Share, Values};
use super::random::Random;

/// As in vehicle identification numbers: no I, O and Q, which look like digits.
const CODE_LETTERS: &[u8; 33] = b"ABCDEFGHJKLMNPRSTUVWXYZ0123456789";

impl Draw {
    /// Finds what its patterns name; to be called once before values are drawn.
    pub fn bind(&mut self, names: &[String], lists: &BTreeMap<String, List>) -> Result<(), String> {
        match &mut self.from {
            Origin::Text(text) => text.bind(names),
            Origin::Values(Values { of, weights, by }) => {
                if weights.is_empty() {
                    weights.resize(of.len(), 1.0);
                }
                if weights.len() != of.len() || of.is_empty() {
                    return Err(format!("the weights of {} do not fit", self.name));
                }
                *weights = running_sums(weights.iter().copied());
                by.iter_mut().try_for_each(|by| by.bind(names))
            }
            Origin::Number(_) | Origin::Sequence(_) | Origin::Owner(_) => Ok(()),
            Origin::Code(code) => code.by.bind(names),
            Origin::Case(case) => case.of.bind(names),
            Origin::Member(Member { of, list }) | Origin::Group(Member { of, list }) => {
                of.bind(names)?;
                list.bind(names)
            }
            Origin::Share(share) => {
                if let Some(name) = share.each.keys().find(|name| !lists.contains_key(*name)) {
                    return Err(format!("there is no list {name}"));
                }
                share.of.bind(names)
            }
        }
    }

    /// Empty where a list has no such group or member.
    pub fn draw(
        &self,
        number: u64,
        values: &[String],
        lists: &BTreeMap<String, List>,
        random: &mut Random,
    ) -> String {
        let drawn = match &self.from {
            Origin::Text(pattern) => Some(pattern.fill(values)),
            Origin::Values(Values { of, weights, by }) => {
                let share = match by {
                    Some(by) => Random::new(fingerprint(&by.fill(values)), 0).share(),
                    None => random.share(),
                };
                of.get(chosen(weights, share)).cloned()
            }
            Origin::Number(bounds) => {
                let [low, high] = bounds.map(u64::from);
                Some((low + random.below(high.saturating_sub(low) + 1)).to_string())
            }
            Origin::Sequence(sequence) => Some(sequence.nth(number).to_string()),
            Origin::Code(Code { by, letters }) => Some(code(&by.fill(values), *letters)),
            Origin::Case(Case { of, is }) => is.get(&of.fill(values)).cloned(),
            Origin::Member(Member { of, list }) => {
                lists.get(&list.fill(values)).and_then(|list| list.member(&of.fill(values), random))
            }
            Origin::Group(Member { of, list }) => {
                lists.get(&list.fill(values)).and_then(|list| list.group(&of.fill(values)))
            }
            Origin::Share(Share { of, each }) => {
                let group = of.fill(values);
                let count = |name| lists.get(name).map_or(0, |list| list.count(&group));
                let weights = each.iter().map(|(name, each)| each * f64::from(count(name)));
                let place = chosen(&running_sums(weights), random.share());
                each.keys().nth(place).cloned()
            }
            Origin::Owner(owner) => Some(owner.draw(values, random)),
        };
        drawn.unwrap_or_default()
    }
}

impl List {
    fn place(&self, group: &str) -> Option<usize> {
        if self.names.is_empty() {
            group.parse::<usize>().ok()?.checked_sub(1)
        } else {
            self.names.iter().position(|name| name == group)
        }
    }

    fn count(&self, group: &str) -> u32 {
        let count = self.place(group).and_then(|place| self.counts.get(place).copied());
        count.unwrap_or_default()
    }

    fn member(&self, group: &str, random: &mut Random) -> Option<String> {
        let place = self.place(group)?;
        let count = u64::from(*self.counts.get(place)?);
        let before: u64 = self.counts.iter().take(place).copied().map(u64::from).sum();
        (count > 0).then(|| (before + 1 + random.below(count)).to_string())
    }

    fn group(&self, member: &str) -> Option<String> {
        let member: u64 = member.parse().ok()?;
        let mut up_to = 0;
        let place = self.counts.iter().position(|count| {
            up_to += u64::from(*count);
            member <= up_to
        })?;
        if self.names.is_empty() {
            Some((place + 1).to_string())
        } else {
            self.names.get(place).cloned()
        }
    }
}

/// Steps around a circle of numbers: a step that shares no divisor with the circle meets each once.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(from = "u64")]
pub(super) struct Sequence {
    count: u64,
    step: u64,
}

impl From<u64> for Sequence {
    fn from(count: u64) -> Self {
        let count = count.max(1);
        // Near the golden section neighbours come to lie far apart.
        let mut step = count / 1000 * 618 + 1;
        while common_divisor(step, count) > 1 {
            step += 1;
        }
        Self { count, step }
    }
}

impl Sequence {
    fn nth(&self, number: u64) -> u64 {
        let product = u128::from(number) * u128::from(self.step) % u128::from(self.count);
        u64::try_from(product).unwrap_or_default() + 1
    }
}

fn common_divisor(mut a: u64, mut b: u64) -> u64 {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}

pub(super) fn running_sums(weights: impl Iterator<Item = f64>) -> Vec<f64> {
    let add = |sum: &mut f64, weight: f64| {
        *sum += weight;
        Some(*sum)
    };
    weights.scan(0.0, add).collect()
}

/// The place whose part of the whole holds this share.
pub(super) fn chosen(up_to: &[f64], share: f64) -> usize {
    let whole = up_to.last().copied().unwrap_or_default();
    let place = up_to.partition_point(|sum| *sum <= share * whole);
    place.min(up_to.len().saturating_sub(1))
}

/// FNV-1a with 64 bits.
fn fingerprint(text: &str) -> u64 {
    text.bytes().fold(0xCBF2_9CE4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3)
    })
}

fn code(owner: &str, letters: u32) -> String {
    let mut random = Random::new(fingerprint(owner), 1);
    let letter = |_| random.pick(CODE_LETTERS);
    (0..letters).map(letter).collect()
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn a_sequence_meets_every_number_once() {
        for count in [1, 2, 3, 10, 999, 1000, 30_030] {
            let sequence = Sequence::from(count);
            let seen: BTreeSet<u64> = (0..count).map(|n| sequence.nth(n)).collect();
            assert_eq!(seen, (1..=count).collect());
        }
    }

    #[test]
    fn members_and_groups_agree() {
        let list = List { names: Vec::new(), counts: vec![2, 0, 3] };
        let mut random = Random::new(1, 1);
        for _ in 0..50 {
            for group in ["1", "3"] {
                let member = list.member(group, &mut random).unwrap();
                assert_eq!(list.group(&member).as_deref(), Some(group));
            }
        }
        assert_eq!(list.member("2", &mut random), None);
        assert_eq!(list.member("4", &mut random), None);
        assert_eq!(list.group("6"), None);
        assert_eq!(list.count("3"), 3);
    }

    #[test]
    fn a_share_falls_on_what_has_weight() {
        let up_to = running_sums([1.0, 0.0, 3.0].into_iter());
        assert_eq!(chosen(&up_to, 0.0), 0);
        assert_eq!(chosen(&up_to, 0.249), 0);
        assert_eq!(chosen(&up_to, 0.25), 2);
        assert_eq!(chosen(&up_to, 0.999_999), 2);
        assert_eq!(chosen(&[], 0.5), 0);
    }

    #[test]
    fn a_code_belongs_to_its_owner() {
        assert_eq!(code("car-1", 17), code("car-1", 17));
        assert_ne!(code("car-1", 17), code("car-2", 17));
        assert_eq!(code("car-1", 17).len(), 17);
    }
}
