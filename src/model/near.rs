//! What was probably meant where a name is not known.

use std::iter::{once, repeat};

/// Slips between what was typed and what is known; in short names fewer, in less than half of the letters.
const FARTHEST: usize = 2;

/// Letters of a beginning by which a name is known.
const BEGINNING: usize = 5;

/// The known name nearest to the typed one: equal but for upper and lower case, at most two slips away, or one that begins
/// like it but for one slip.
pub fn nearest<'a>(typed: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let typed = typed.to_lowercase();
    let letters = typed.trim_start_matches('/').chars().count();
    let farthest = FARTHEST.min(letters.saturating_sub(1) / 2);
    let distances = known.into_iter().filter_map(|name| {
        let [whole, beginning] = edit_distances(&typed, &name.to_lowercase());
        let is_begun = beginning <= 1 && letters >= BEGINNING;
        (whole <= farthest || is_begun).then_some((whole, name))
    });
    distances.min_by_key(|(distance, _)| *distance).map(|(_, name)| name)
}

/// The question for a hint.
pub fn question<'a>(typed: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    nearest(typed, known).map(|name| format!("Did you mean {name}?"))
}

/// That something is not known, with the question where a known name is near.
pub fn unknown<'a>(what: &str, typed: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    match question(typed, known) {
        Some(question) => format!("{what}. {question}"),
        None => what.to_owned(),
    }
}

/// Slips until one text is the other, and until it is the beginning of it: a letter inserted, removed or replaced, or two
/// neighbours swapped (optimal string alignment).
fn edit_distances(one: &str, other: &str) -> [usize; 2] {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    let (mut earlier, mut before) = (Vec::new(), None);
    for (line, letter) in one.chars().enumerate() {
        let mut diagonal = line;
        let mut left = line + 1;
        let mut next = vec![left];
        let swaps = once(None).chain(other.iter().zip(&earlier).map(Some)).chain(repeat(None));
        for ((expected, above), swap) in other.iter().zip(row.iter().skip(1)).zip(swaps) {
            let replaced = diagonal + usize::from(*expected != letter);
            left = replaced.min(above + 1).min(left + 1);
            if let Some((neighbour, slips)) = swap
                && (*neighbour, Some(*expected)) == (letter, before)
            {
                left = left.min(slips + 1);
            }
            diagonal = *above;
            next.push(left);
        }
        earlier = std::mem::replace(&mut row, next);
        before = Some(letter);
    }
    let beginning = row.iter().copied().min();
    [row.last().copied(), beginning].map(Option::unwrap_or_default)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn a_name_is_near_by_at_most_two_slips_in_less_than_half_of_it() {
        let known = ["night", "tenants", "food", "/tenantId", "hot", "open", "home"];
        for (typed, near) in [
            ("nigth", Some("night")),
            ("NIGHT", Some("night")),
            ("tenant", Some("tenants")),
            ("/tenatId", Some("/tenantId")),
            ("foo", Some("food")),
            ("/TENANTID", Some("/tenantId")),
            ("/tennant", Some("/tenantId")),
            ("hto", Some("hot")),
            ("opn", Some("open")),
            ("nigt", Some("night")),
            ("gnihtt", None),
            ("/nope", None),
            ("f", None),
            ("", None),
            ("region", None),
        ] {
            assert_eq!(nearest(typed, known), near, "{typed}");
        }
    }
}
