//! Whose documents are: values drawn by their shares, and the largest of them.

use std::collections::BTreeMap;

use super::super::document_spec::{Draw, Origin};
use super::super::random::Random;
use crate::model::design::{Design, PropertyValues, ValueShares};

/// Before values of properties: their share of all documents.
const SHARE: &str = "share of ";

/// A value of a property, drawn by the shares that values have.
#[derive(Clone, Debug)]
pub(in crate::source::scenario) struct OwnerDraw {
    shares: ValueShares,
    stem: String,
    /// Where the value of the property above stands; its share is before it.
    above: Option<usize>,
    /// Where its own rank and share stand, of a text.
    of: Option<usize>,
}

impl OwnerDraw {
    /// Its rank and share, and then its text.
    pub fn draw(&self, values: &[String], random: &mut Random) -> String {
        let at = |place: usize| values.get(place).map_or("", String::as_str);
        if let Some(of) = self.of {
            let rank = at(of).split(' ').next().and_then(|rank| rank.parse().ok());
            return text(&self.shares, &self.stem, rank.unwrap_or(1), self.above.map(at));
        }
        let Some(above) = self.above else {
            let rank = self.shares.rank(random.share());
            return format!("{rank} {}", self.shares.share(rank));
        };
        let share = at(above.saturating_sub(1)).split(' ').nth(1);
        let share = share.and_then(|share| share.parse().ok()).unwrap_or(1.0);
        let values = self.shares.children(share);
        let rank = self.shares.curve.rank(random.share(), values);
        format!("{rank} {}", share * self.shares.curve.share(rank, values))
    }
}

/// `contoso`, `tenant-17`, `contoso-user-3`
fn text(shares: &ValueShares, stem: &str, rank: u64, above: Option<&str>) -> String {
    let at = usize::try_from(rank.saturating_sub(1)).unwrap_or(usize::MAX);
    match (shares.giants.get(at), above) {
        (Some((name, _)), _) => name.clone(),
        (None, Some(above)) => format!("{above}-{stem}-{rank}"),
        (None, None) => format!("{stem}-{rank}"),
    }
}

pub(super) fn stem(name: &str) -> &str {
    let short = name.strip_suffix("Id").filter(|short| !short.is_empty());
    short.unwrap_or(name)
}

/// Two draws for each property that has owners: rank and share, and the text.
pub(super) fn draws(design: &Design) -> Vec<Draw> {
    let mut draws: Vec<Draw> = Vec::new();
    for property in &design.properties {
        let PropertyValues::Drawn(shares) = &property.values else {
            continue;
        };
        let above = shares.within.and_then(|at| design.properties.get(at));
        let above = above.and_then(|above| draws.iter().position(|d| d.name == above.name));
        let of = draws.len();
        let mut push = |name: String, of: Option<usize>| {
            let owner = OwnerDraw {
                shares: shares.clone(),
                stem: stem(&property.name).to_owned(),
                above,
                of,
            };
            let from = Origin::Owner(Box::new(owner));
            draws.push(Draw { name, from });
        };
        push(format!("{SHARE}{}", property.name), None);
        push(property.name.clone(), Some(of));
    }
    draws
}

#[derive(Clone)]
pub(super) struct Owner {
    pub key: Vec<String>,
    /// Text and share of the values that are known.
    known: BTreeMap<usize, (String, f64)>,
    pub share: f64,
}

/// The largest values of the key, as many as are listed; none where each document has its own.
pub(super) fn owners(design: &Design, most: usize) -> Vec<Owner> {
    let mut found = vec![Owner { key: Vec::new(), known: BTreeMap::new(), share: 1.0 }];
    for path in &design.key {
        let Some(at) = path.top_name().and_then(|name| design.place(name)) else {
            return Vec::new();
        };
        if design.shares(at).is_some() {
            found = expanded(design, at, found, most);
        }
        for owner in &mut found {
            let text = owner.known.get(&at).map(|(text, _)| text.clone());
            owner.key.push(text.unwrap_or_else(|| "{period}".to_owned()));
        }
    }
    found
}

fn expanded(design: &Design, at: usize, owners: Vec<Owner>, most: usize) -> Vec<Owner> {
    let Some((shares, property)) = design.shares(at).zip(design.properties.get(at)) else {
        return owners;
    };
    let is_known = |owner: &Owner, at: usize| owner.known.contains_key(&at);
    let owners = match shares.within {
        Some(above) if owners.iter().any(|owner| !is_known(owner, above)) => {
            expanded(design, above, owners, most)
        }
        _ => owners,
    };
    let mut all: Vec<Owner> = Vec::new();
    // Of equal shares the first stay, as a stable order keeps them.
    let keep_largest = |all: &mut Vec<Owner>| {
        all.sort_by(|a, b| b.share.total_cmp(&a.share));
        all.truncate(most);
    };
    let mut least = f64::NEG_INFINITY;
    for owner in owners {
        if is_known(&owner, at) {
            all.push(owner);
            continue;
        }
        let above = shares.within.and_then(|above| owner.known.get(&above)).cloned();
        let of = above.as_ref().map(|(_, share)| shares.children(*share));
        let values = of.unwrap_or(shares.distinct);
        for rank in 1..=values.min(most as u64) {
            let part = match &above {
                Some(_) => shares.curve.share(rank, values),
                None => shares.share(rank),
            };
            if owner.share * part <= least {
                continue;
            }
            let mut next = owner.clone();
            let text =
                text(shares, stem(&property.name), rank, above.as_ref().map(|a| a.0.as_str()));
            let of_all = part * above.as_ref().map_or(1.0, |(_, share)| *share);
            next.known.insert(at, (text, of_all));
            next.share *= part;
            all.push(next);
        }
        if all.len() > 2 * most {
            keep_largest(&mut all);
            least = all.last().map_or(least, |owner| owner.share);
        }
    }
    keep_largest(&mut all);
    all
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;
    use crate::source::scenario::design_of;

    /// Of 500 tenants with up to a thousand documents each.
    #[test]
    fn the_largest_of_all_pairs_are_listed() {
        let design = design_of("rag").unwrap();
        let shares = |name| design.shares(design.place(name).unwrap()).unwrap();
        let (tenants, documents) = (shares("tenantId"), shares("documentId"));
        let of_tenant = |tenant| {
            let share = tenants.share(tenant);
            let values = documents.children(share);
            (1..=values.min(1_000)).map(move |rank| share * documents.curve.share(rank, values))
        };
        let mut expected: Vec<f64> = (1..=tenants.distinct).flat_map(of_tenant).collect();
        expected.sort_by(|a, b| b.total_cmp(a));
        let found = owners(&design, 1_000);
        assert_eq!(found.len(), 1_000);
        assert!(found.iter().all(|owner| owner.key.len() == 2));
        for (owner, share) in found.iter().zip(expected) {
            assert!((owner.share - share).abs() <= share * 1e-12, "{:?}: {share}", owner.key);
        }
    }
}
