//! What was probably meant where a name is not known.

/// Letters that may differ between what was typed and what is known; of short names fewer, at most half.
const FARTHEST: usize = 2;

/// Letters of a beginning by which a name is known.
const BEGINNING: usize = 5;

/// The known name nearest to the typed one: equal but for upper and lower case, at most two letters away, or one that begins
/// like it but for one letter.
pub fn nearest<'a>(typed: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let typed = typed.to_lowercase();
    let letters = typed.trim_start_matches('/').chars().count();
    let farthest = FARTHEST.min(letters / 2);
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

/// Letters to insert, remove or replace until one text is the other (Levenshtein), and until it is the beginning of it.
fn edit_distances(one: &str, other: &str) -> [usize; 2] {
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
    let beginning = row.iter().copied().min();
    [row.last().copied(), beginning].map(Option::unwrap_or_default)
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
            ("/tennant", Some("/tenantId")),
            ("f", None),
            ("", None),
            ("region", None),
        ] {
            assert_eq!(nearest(typed, known), near, "{typed}");
        }
    }
}
