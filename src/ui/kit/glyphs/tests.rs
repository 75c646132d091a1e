//! Both tables hold one column per sign, and nothing two texts differ in is lost in ASCII.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use proptest::prelude::*;

use super::*;
use crate::model::visible::display_width;

/// Every sign as the tables' debug text quotes it.
fn signs(glyphs: Glyphs) -> Vec<String> {
    let text = format!("{:?}", glyphs.signs()).replace("\\\\", "\\");
    let quoted = text.split('"').skip(1).step_by(2);
    quoted.map(str::to_owned).collect()
}

/// The original of a text in ASCII, as a person reads its codes.
fn read_back(ascii: &str) -> String {
    let mut out = String::new();
    let mut rest = ascii;
    while let Some(character) = rest.chars().next() {
        let code = rest.strip_prefix("\\u{").and_then(|after| after.split_once('}')).and_then(
            |(digits, after)| {
                let character = char::from_u32(u32::from_str_radix(digits, 16).ok()?)?;
                Some((character, after))
            },
        );
        let (original, after) = code.unwrap_or((character, &rest[character.len_utf8()..]));
        out.push(original);
        rest = after;
    }
    out
}

#[test]
fn every_sign_takes_one_column() {
    for glyphs in [Glyphs::Unicode, Glyphs::Ascii] {
        let signs = signs(glyphs);
        assert!(signs.len() > 50, "{}", signs.len());
        // In ASCII a blank parts the mark of the order from its heading.
        let alone = |sign: &String| display_width(sign.trim_start_matches(' ')).max(1);
        assert!(signs.iter().all(|sign| alone(sign) == 1), "{signs:?}");
    }
    assert!(signs(Glyphs::Ascii).concat().is_ascii());
}

#[test]
fn every_sign_has_a_spelling_in_ascii() {
    for sign in signs(Glyphs::Unicode) {
        let ascii = Glyphs::Ascii.sentence(&sign).into_owned();
        assert!(ascii.is_ascii() && !ascii.contains("\\u"), "{sign} {ascii}");
    }
}

#[test]
fn sentences_are_spelled_and_names_are_coded() {
    let own = |text| Glyphs::Ascii.sentence(text).into_owned();
    assert_eq!(own("11 Dec ±6 d · ≥ 70 % – é…"), r"11 Dec +-6 d - >= 70 % - \u{e9}...");
    assert_eq!(Glyphs::Unicode.sentence("±6 d"), "±6 d");
    let outside = |text| Glyphs::Ascii.outside(text).into_owned();
    assert_eq!(outside("café"), r"caf\u{e9}");
    assert_eq!(outside("a\u{1b}[2J "), r"a\u{1b}[2J\u{20}");
    assert_eq!(outside(r"caf\u{e9}"), r"caf\u{5c}u{e9}");
    assert_eq!(outside("\u{202e}"), r"\u{202e}");
    assert_eq!(Glyphs::Unicode.outside("a\u{1b}é"), "a␛é");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]
    #[test]
    fn every_text_reads_back(text in prop_oneof![
        any::<String>(),
        "[a\\\\u{}é\u{301}\u{202e}␛␠\u{1b}\u{7f} e9]{0,12}",
    ]) {
        let ascii = Glyphs::Ascii.outside(&text).into_owned();
        prop_assert!(ascii.bytes().all(|byte| matches!(byte, b' '..=b'~')));
        prop_assert_eq!(read_back(&ascii), text);
    }
}

#[test]
fn reading_back_sees_codes() {
    assert_eq!(read_back(r"\u{5c}u{e9}"), r"\u{e9}");
    assert_eq!(char::from_u32(0x1b).unwrap().to_string(), read_back(r"\u{1b}"));
}
