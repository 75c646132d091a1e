//! What was probably meant where a name is not known.

use strsim::osa_distance;

/// Slips between what was typed and what is known; in short names fewer, in less than half of the letters.
const FARTHEST: usize = 2;

/// Letters of a beginning by which a name is known.
const BEGINNING: usize = 5;

/// The known name nearest to the typed one: equal but for upper and lower case, at most two slips away, or one that begins
/// like it but for one slip.
pub fn nearest<'a>(typed: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let typed = typed.to_lowercase();
    let length = typed.chars().count();
    let letters = typed.trim_start_matches('/').chars().count();
    let farthest = FARTHEST.min(letters.saturating_sub(1) / 2);
    let distances = known.into_iter().filter_map(|name| {
        let lower = name.to_lowercase();
        let whole = osa_distance(&typed, &lower);
        // One slip makes a text longer or shorter by one at most.
        let begins = |length| {
            let beginning: String = lower.chars().take(length).collect();
            osa_distance(&typed, &beginning) <= 1
        };
        let is_begun = letters >= BEGINNING && (length - 1..=length + 1).any(begins);
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
