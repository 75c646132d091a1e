//! What was probably meant where a name is not known.

/// Letters that may differ between what was typed and what is known; of short names fewer, at most half.
const FARTHEST: usize = 2;

/// The known name nearest to the typed one: equal but for upper and lower case, or at most two letters away.
pub fn nearest<'a>(typed: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let typed = typed.to_lowercase();
    let farthest = FARTHEST.min(typed.trim_start_matches('/').chars().count() / 2);
    let letters = typed.chars().count();
    let distances = known.into_iter().filter_map(|name| {
        if letters.abs_diff(name.chars().count()) > farthest {
            return None;
        }
        let distance = edit_distance(&typed, &name.to_lowercase());
        (distance <= farthest).then_some((distance, name))
    });
    distances
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
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

/// Letters to insert, remove or replace until one text is the other (Levenshtein).
fn edit_distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (line, letter) in one.chars().enumerate() {
        let mut diagonal = line;
        let mut left = line + 1;
        let mut next = vec![left];
        for (expected, above) in other.iter().zip(row.iter().skip(1)) {
            let replaced = diagonal + usize::from(*expected != letter);
            left = replaced.min(above + 1).min(left + 1);
            diagonal = *above;
            next.push(left);
        }
        row = next;
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn a_name_is_near_by_at_most_two_letters() {
        let known = ["night", "tenants", "food", "/tenantId"];
        for (typed, near) in [
            ("nigth", Some("night")),
            ("NIGHT", Some("night")),
            ("tenant", Some("tenants")),
            ("/tenatId", Some("/tenantId")),
            ("foo", Some("food")),
            ("/TENANTID", Some("/tenantId")),
            ("f", None),
            ("", None),
            ("region", None),
        ] {
            assert_eq!(nearest(typed, known), near, "{typed}");
        }
    }
}
