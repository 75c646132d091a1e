//! Characters that would make a text look like another one: parts that a font joins, and letters of one script that stand
//! where those of another are meant.
//!
//! What is left of a word is one script, has at least one letter that Latin does not have (or is ASCII), and is composed:
//! no two of such words look alike but by the letters of one script, which differ in every font.

use icu_normalizer::ComposingNormalizerBorrowed;

/// Letters of Greek and Cyrillic that look like ASCII.
const LIKE_ASCII: &str = "\u{391}\u{392}\u{395}\u{396}\u{397}\u{399}\u{39a}\u{39c}\u{39d}\u{39f}\u{3a1}\u{3a4}\u{3a5}\u{3a7}\
    \u{3b9}\u{3ba}\u{3bd}\u{3bf}\u{3c1}\u{3c5}\u{3c7}\u{3f2}\u{3f3}\u{3f9}\
    \u{405}\u{406}\u{408}\u{410}\u{412}\u{415}\u{41a}\u{41c}\u{41d}\u{41e}\u{420}\u{421}\u{422}\u{423}\u{425}\
    \u{430}\u{435}\u{43e}\u{440}\u{441}\u{443}\u{445}\u{455}\u{456}\u{458}\u{475}\u{4ae}\u{4af}\u{4bb}\u{4c0}\u{4cf}\u{501}\
    \u{51b}\u{51c}\u{51d}";

const LATIN: &str = "Latin";

/// The name of a script whose letters are taken for those of another one. None of a character that ends a word, and of letters
/// that look like none of these.
pub fn script(character: char) -> Option<&'static str> {
    match character {
        'a'..='z' | 'A'..='Z' | '\u{c0}'..='\u{24f}' => Some(LATIN),
        '\u{370}'..='\u{3ff}' | '\u{1f00}'..='\u{1fff}' => Some("Greek"),
        '\u{400}'..='\u{52f}' => Some("Cyrillic"),
        _ => None,
    }
}

/// For each character whether it is to be shown as its code; empty where none is, as in nearly all texts.
pub(super) fn doubtful(text: &str) -> Vec<bool> {
    if text.is_ascii() {
        return Vec::new();
    }
    let nfc = ComposingNormalizerBorrowed::new_nfc();
    let is_composed = nfc.is_normalized(text);
    let has_others = text.chars().any(|c| script(c).is_some_and(|s| s != LATIN));
    if is_composed && !has_others {
        return Vec::new();
    }
    let characters: Vec<char> = text.chars().collect();
    let mut found = Vec::with_capacity(characters.len());
    for run in characters.chunk_by(|a, b| script(*a).is_some() == script(*b).is_some()) {
        let is_disguised = is_disguised(run);
        found.extend(run.iter().map(|c| is_disguised && !c.is_ascii()));
    }
    if !is_composed {
        let mut before = None;
        for (mark, character) in found.iter_mut().zip(&characters) {
            // A mark that its base would take up, and a character that is another one when composed.
            let with_base: String = before.into_iter().chain([character]).collect();
            let is_another =
                || !nfc.is_normalized(&character.to_string()) || !nfc.is_normalized(&with_base);
            *mark |= !character.is_ascii() && is_another();
            before = Some(character);
        }
    }
    if found.contains(&true) { found } else { Vec::new() }
}

/// A word of several scripts, or one of another script that could be read as ASCII.
fn is_disguised(word: &[char]) -> bool {
    let mut scripts = word.iter().filter_map(|c| script(*c));
    let Some(first) = scripts.next() else {
        return false;
    };
    let is_mixed = scripts.any(|script| script != first);
    let reads_as_ascii = || word.iter().all(|c| LIKE_ASCII.contains(*c));
    is_mixed || (first != LATIN && reads_as_ascii())
}
