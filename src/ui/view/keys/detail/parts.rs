//! The parts of a key with their types, and the characters in it that may deceive.

use super::DetailInputs;
use crate::analysis::detail::{CodePoint, PartDetail};
use crate::model::key::Key;
use crate::model::units::count_text;
use crate::model::visible::{script, unvisible, visible};
use crate::report::key_text::key_text;
use crate::ui::view::keys::lines::{LineRole, PaneLine, fact};

/// Parts that are listed: a key has three at most, a hostile cell any number.
const MAX_PARTS: usize = 16;

pub fn lines(of: &DetailInputs<'_>) -> Vec<PaneLine> {
    let container = of.data.capture.container(of.container);
    let definition = container.and_then(|c| c.definition.as_ref());
    let paths = definition.map_or(&[][..], |d| d.paths.as_slice());
    let masked = masked_parts(of);
    let mut lines = Vec::new();
    for (index, part) in of.key.parts.iter().enumerate().take(MAX_PARTS) {
        let path = paths.get(index).map(|path| visible(path).into_owned());
        let named = path.unwrap_or_else(|| format!("part {}", index + 1));
        let text = match &masked {
            Some(texts) => texts.get(index).cloned().unwrap_or_default(),
            None => part.text.clone(),
        };
        let words = format!("{named}: {}{} {text}", part.type_name, length(of, part));
        let label = if index == 0 { "parts" } else { "" };
        lines.extend(fact(label, LineRole::Outside, &words, of.width));
        if !of.mask.is_on() {
            lines.extend(unusual(part, of.width));
        }
    }
    let more = of.key.parts.len().saturating_sub(MAX_PARTS);
    if more > 0 {
        let words = format!("and {} more", count_text(more as u64));
        lines.extend(fact("", LineRole::Text, &words, of.width));
    }
    if of.mask.is_on() {
        let words = "lengths, code points and hash would tell the key, so they are hidden while names are masked";
        lines.extend(fact("masked", LineRole::Dim, words, of.width));
    }
    lines
}

/// The invented text of each part, as it stands in the invented key.
fn masked_parts(of: &DetailInputs<'_>) -> Option<Vec<String>> {
    if !of.mask.is_on() {
        return None;
    }
    let key = Key::from_canonical(&of.mask.key(of.key.json.as_deref()?))?;
    let parts = key.parts().iter();
    let text =
        |part: &crate::model::key::Part| key_text(Some(&Key::from(vec![part.clone()]).json()));
    Some(parts.map(text).collect())
}

/// How long a string is: two that look alike may differ in that.
fn length(of: &DetailInputs<'_>, part: &PartDetail) -> String {
    if part.type_name != "string" || of.mask.is_on() {
        return String::new();
    }
    let bytes = count_text(part.bytes as u64);
    if part.bytes == part.characters {
        format!(" of {bytes}")
    } else {
        let characters = count_text(part.characters as u64);
        format!(" of {characters} in {bytes} bytes")
    }
}

/// Characters that do not speak for themselves, with their places, and letters of scripts that look alike.
fn unusual(part: &PartDetail, width: usize) -> Vec<PaneLine> {
    let mut lines = Vec::new();
    let found = &part.code_points;
    let runs = found.chunk_by(|a, b| a.character == b.character);
    let mut words: Vec<String> = runs.filter_map(run_words).collect();
    if part.more_code_points > 0 {
        words.push(format!("{} more", count_text(part.more_code_points as u64)));
    }
    if !words.is_empty() {
        lines.extend(fact("", LineRole::Dim, &words.join("; "), width));
    }
    if let Some(words) = mixed(found, part) {
        lines.extend(fact("", LineRole::Text, &words, width));
    }
    lines
}

/// `U+202E right-to-left override at 3`.
fn run_words(run: &[CodePoint]) -> Option<String> {
    let (first, last) = (run.first()?, run.last()?);
    let words = first.words();
    Some(if run.len() == 1 {
        format!("{words} at {}", first.place)
    } else {
        format!("{words}, {} from {} to {}", run.len(), first.place, last.place)
    })
}

/// Letters of these scripts look alike.
fn mixed(found: &[CodePoint], part: &PartDetail) -> Option<String> {
    let script = |c: char| match c {
        '\u{ff21}'..='\u{ff5a}' => Some("full-width"),
        c => script(c),
    };
    if !found.iter().any(|point| script(point.character).is_some()) {
        return None;
    }
    let original = unvisible(&part.text);
    let text = original.as_deref().unwrap_or(&part.text);
    let mut scripts: Vec<&str> = text.chars().filter_map(script).collect();
    scripts.sort_unstable();
    scripts.dedup();
    (scripts.len() > 1).then(|| {
        format!("letters of several scripts ({}): it may look like another key", scripts.join(", "))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::key::Part;

    fn words(text: &str) -> Vec<String> {
        let part = PartDetail::of(&Part::Text(text.into()));
        let runs = part.code_points.chunk_by(|a, b| a.character == b.character);
        runs.filter_map(run_words).chain(mixed(&part.code_points, &part)).collect()
    }

    #[test]
    fn what_deceives_is_named_by_its_code_and_place() {
        assert_eq!(words("tenant-0001"), [""; 0]);
        assert_eq!(
            words("a\u{202e}\u{200b}\u{200b}"),
            ["U+202E right-to-left override at 2", "U+200B zero width space, 2 from 3 to 4"]
        );
        assert_eq!(words("東 tower").len(), 1);
        assert!(words("p\u{430}ypal")[1].contains("(Cyrillic, Latin)"));
    }
}
