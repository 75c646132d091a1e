//! What is shown reads back, and nothing shown is dangerous: over all characters and over random text.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::HashSet;

use proptest::prelude::*;

use super::*;

fn every_char() -> impl Iterator<Item = char> {
    '\0'..=char::MAX
}

/// The classes no display may contain, from their ranges in the Unicode standard.
fn is_dangerous(character: char) -> bool {
    matches!(u32::from(character),
        0..=0x1f | 0x7f..=0xa0 | 0xad | 0x34f | 0x600..=0x605 | 0x61c | 0x6dd | 0x70f | 0x115f..=0x1160 | 0x1680
        | 0x17b4..=0x17b5 | 0x180b..=0x180f | 0x2000..=0x200f | 0x2028..=0x202f | 0x205f..=0x206f | 0x2800 | 0x3000
        | 0x3164 | 0xd800..=0xf8ff | 0xfdd0..=0xfdef | 0xfe00..=0xfe0f | 0xfeff | 0xffa0 | 0xfff0..=0xffff
        | 0x1d173..=0x1d17a | 0x1fffe..=0x1ffff | 0x2fffe..=0x2ffff | 0x3fffe..=0x10_ffff)
}

fn is_safe(shown: &str) -> bool {
    shown.bytes().all(|byte| matches!(byte, b' '..=b'~')) || !shown.chars().any(is_dangerous)
}

/// Every character that `is_wanted`, many at a time, each with `before` in front of it.
fn every_text(before: char, is_wanted: impl Fn(char) -> bool) -> Vec<String> {
    let wanted: Vec<char> = every_char().filter(|c| is_wanted(*c)).collect();
    let of = |some: &[char]| some.iter().flat_map(|c| [before, *c]).collect();
    wanted.chunks(1000).map(of).collect()
}

/// What reads back to the original is no other text's code, so no two characters are shown alike.
#[track_caller]
fn reads_back(text: &str) -> String {
    let shown = visible(text).into_owned();
    assert_eq!(unvisible(&shown).as_deref(), Some(text));
    assert!(is_safe(&shown), "{text:?}");
    shown
}

#[test]
fn every_character_after_a_letter_reads_back() {
    let mut count = 0;
    // Some letters are codes in a word with others only.
    let is_itself = |c: char| {
        let text = format!("x{c}x");
        !needs_code(c) && visible(&text) == text
    };
    for text in every_text('x', is_itself) {
        // Nothing of it is a code: not one that needs none.
        assert_eq!(reads_back(&format!("{text}x")), format!("{text}x"));
        count += text.chars().count() / 2;
    }
    for text in every_text('x', |c| !is_itself(c)) {
        let shown = reads_back(&format!("{text}x"));
        let is_picture = |c: char| ('\u{2400}'..='\u{2421}').contains(&c);
        let raw =
            shown.chars().find(|c| !c.is_ascii_graphic() && needs_code(*c) && !is_picture(*c));
        assert_eq!(raw, None, "{text:?}");
        count += text.chars().count() / 2;
    }
    assert_eq!(count, 0x11_0000 - 0x800);
    // Text that is plain throughout takes a shorter way, and the end of a text is a place of its own.
    for character in '\0'..='\u{2fff}' {
        let text = String::from_iter(['x', character]);
        let is_same = reads_back(&text) == text;
        let is_code = !is_itself(character) || character == ' ';
        assert_eq!(is_code, !is_same, "{character:?}");
    }
}

#[test]
fn every_character_alone_reads_back() {
    // What needs a code in any place gets the same one alone as after a letter; behind a code, a character is as alone
    // as at the start of a text.
    for text in every_text('\0', |c| !needs_code(c)) {
        let shown = reads_back(&text);
        assert!(shown.chars().all(|c| display_width(c.encode_utf8(&mut [0; 4])) > 0));
    }
    for character in ('\0'..='\u{2fff}').filter(|c| !needs_code(*c)) {
        let shown = reads_back(&character.to_string());
        assert!(display_width(&shown) > 0, "{character:?}");
    }
}

#[test]
fn dangerous_characters_need_codes_and_letters_do_not() {
    for character in every_char().filter(|character| is_dangerous(*character)) {
        assert!(needs_code(character), "{character:?}");
    }
    for character in "azAZ09~!é߀рвטلไกहกあア東京한ﾊﾟ🍕👨🇩Ａ１−€".chars()
    {
        assert!(!needs_code(character), "{character:?}");
    }
    for unassigned in ['\u{378}', '\u{2fe0}', '\u{1ffff}', '\u{40000}', '\u{e000}', '\u{10ffff}'] {
        assert!(needs_code(unassigned), "{unassigned:?}");
    }
}

#[test]
fn codes_are_short() {
    for (text, shown) in [
        ("tenant-0001", "tenant-0001"),
        ("clear\u{1b}[2J", "clear␛[2J"),
        ("\0\u{7f}\r\n", "␀␡␍␊"),
        ("␛", r"\u{241b}"),
        ("user\u{202e}txt", r"user\u{202e}txt"),
        ("\u{9b}2J", r"\u{9b}2J"),
        (r"C:\Windows\x", r"C:\Windows\x"),
        (r"\u{202e}", r"\u{5c}u{202e}"),
        (r"\\u{", r"\\u{5c}u{"),
        (" a b  c ", "␠a b ␠c␠"),
        (" ", "␠"),
        ("", ""),
        ("\u{301}start", r"\u{301}start"),
        ("cafe\u{301}", r"cafe\u{301}"),
        ("cafq\u{301}", "cafq\u{301}"),
        ("a \u{301}", r"a \u{301}"),
        ("\u{1b}\u{301}", r"␛\u{301}"),
        ("👍🏽", r"👍\u{1f3fd}"),
    ] {
        assert_eq!(visible(text), shown);
    }
    assert!(matches!(visible("tenant 1"), Cow::Borrowed(_)));
}

#[test]
fn a_base_carries_at_most_eight_marks() {
    let shown =
        visible("q\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}x\u{301}")
            .into_owned();
    assert_eq!(shown, format!("q{}{}x\u{301}", "\u{301}".repeat(8), r"\u{301}".repeat(2)));
}

#[test]
fn what_visible_never_writes_is_refused() {
    for text in [
        r"\u{41}",
        r"\u{110000}",
        r"\u{202E}",
        r"\u{0202e}",
        r"\u{",
        "a  b",
        " a",
        "\u{1b}",
        "a␠b",
        r"\u{d800}",
    ] {
        assert_eq!(unvisible(text), None, "{text:?}");
    }
}

/// Keys that look alike, or like nothing, unless shown with care.
const LOOK_ALIKES: [&str; 77] = [
    "user\u{202e}txt.exe",
    "a\u{2066}b\u{2069}c",
    "rtl \u{5e9}\u{5dc}\u{5d5}\u{5dd} mixed 123",
    "\u{645}\u{631}\u{62d}\u{628}\u{627}",
    "x\u{200b}y",
    "x\u{200c}y",
    "x\u{200d}y",
    "x\u{2060}y",
    "x\u{feff}y",
    "x\u{ad}y",
    "xy",
    "tag\u{e0041}\u{e0042}",
    "tag",
    "\u{301}start",
    "caf\u{e9}",
    "cafe\u{301}",
    "paypal",
    "p\u{430}ypal",
    "ID-1",
    "\u{ff29}\u{ff24}-1",
    "\u{6771}\u{4eac}\u{90fd}\u{65b0}\u{5bbf}\u{533a}",
    "\u{ff8a}\u{ff9f}\u{ff9d}",
    "\u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467}",
    "\u{1f468}\u{1f469}\u{1f467}",
    "\u{1f1e9}\u{1f1ea}",
    "\u{2764}\u{fe0f}",
    "\u{2764}",
    "\u{3164}",
    "\u{115f}",
    "\u{2800}",
    "\u{a0}",
    " ",
    "  ",
    "trail ",
    "trail",
    "\u{2028}line",
    "\u{2029}para",
    "\u{fffd}",
    "\u{fdd0}",
    "\u{10ffff}",
    "\u{fff9}note\u{fffb}",
    "\u{34f}join",
    "\u{180e}mong",
    "\u{1d173}music",
    "clear\u{1b}[2J\u{1b}[Hscreen",
    "red\u{1b}[31;1mtext",
    "title\u{1b}]0;pwned\u{7}",
    "clip\u{1b}]52;c;cm0gLXJmIH4=\u{7}",
    "link\u{1b}]8;;http://127.0.0.1/\u{1b}\\click\u{1b}]8;;\u{1b}\\",
    "dcs\u{1b}P$q\"p\u{1b}\\",
    "ask\u{1b}[6n\u{1b}[c",
    "alt\u{1b}[?1049l\u{1b}[?25l",
    "reset\u{1b}c",
    "c1\u{9b}2J\u{9d}0;x\u{9c}",
    "bell\u{7}",
    "back\u{8}\u{8}\u{8}over",
    "safe\u{d}EVIL",
    "two\u{a}lines",
    "crlf\u{d}\u{a}row",
    "tab\u{9}here",
    "nul\u{0}inside",
    "del\u{7f}",
    "open\u{1b}]",
    "end\u{1b}",
    "vt\u{b}ff\u{c}",
    "notify\u{1b}]9;hi\u{7}\u{1b}]777;notify;a;b\u{7}",
    "image\u{1b}_Gf=100;AAAA\u{1b}\\",
    "paste\u{1b}[201~",
    "clear[2J[Hscreen",
    "nulinside",
    "EVIL",
    "",
    "start",
    "paste[201~",
    "a",
    "del",
    "bell",
];

#[test]
fn keys_that_look_alike_are_shown_apart() {
    let shown: HashSet<String> =
        LOOK_ALIKES.iter().map(|key| visible(key).trim().to_owned()).collect();
    assert_eq!(shown.len(), LOOK_ALIKES.len());
}

/// Pairs that a font draws alike: at least one of each shows what it is made of.
#[test]
fn letters_of_other_scripts_and_marks_apart_from_their_letter_are_codes() {
    for (text, shown) in [
        ("caf\u{e9}", "caf\u{e9}"),
        ("cafe\u{301}", r"cafe\u{301}"),
        ("K", "K"),
        ("\u{212a}", r"\u{212a}"),
        ("a", "a"),
        ("\u{430}", r"\u{430}"),
        ("p\u{430}ypal", r"p\u{430}ypal"),
        ("\u{430}-1", r"\u{430}-1"),
        // Words of one script stay.
        ("Москва", "Москва"),
        ("user-имя-42", "user-имя-42"),
        ("Αθήνα", "Αθήνα"),
        ("Übergröße", "Übergröße"),
        ("東京都", "東京都"),
        ("नमस्ते", "नमस्ते"),
        ("한국어", "한국어"),
        // But not with a letter of another one in them, nor as letters that are put together.
        ("Mосква", r"M\u{43e}\u{441}\u{43a}\u{432}\u{430}"),
        ("\u{1112}\u{1161}\u{11ab}", "\u{1112}\\u{1161}\\u{11ab}"),
    ] {
        assert_eq!(visible(text), shown, "{text:?}");
        assert_eq!(unvisible(shown).as_deref(), Some(text));
        let mut json = String::new();
        json_escape_into(text, &mut json);
        let value: String = serde_json::from_str(&format!("\"{json}\"")).unwrap();
        assert_eq!(value, text);
        assert_eq!(json == text, shown == text, "{json}");
    }
}

#[test]
fn shortening_keeps_both_ends_and_whole_codes() {
    assert_eq!(shorten("tenant-0001", 11), "tenant-0001");
    assert_eq!(shorten("tenant-0001", 10), "tena…-0001");
    assert_eq!(shorten("tenant-0001", 2), "…1");
    assert_eq!(shorten("tenant-0001", 1), "…");
    assert_eq!(shorten("tenant-0001", 0), "");
    assert_eq!(shorten(r"abc\u{202e}def", 8), "abc…def");
    assert_eq!(shorten(r"abcdefgh\u{202e}", 15), r"abcdef…\u{202e}");
    assert_eq!(shorten(r"abcdefgh\u{202e}", 9), r"…\u{202e}");
    assert_eq!(shorten("ae\u{301}bcde\u{301}", 5), "ae\u{301}…de\u{301}");
    assert_eq!(shorten("東京都新宿区", 6), "東…区");
    let long = |end: &str| visible(&format!("{}{end}", "x".repeat(2040))).into_owned();
    for width in 2..200 {
        assert_ne!(shorten(&long("-a"), width), shorten(&long("-b"), width));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_reads_back(text in any::<String>()) {
        let shown = visible(&text);
        prop_assert!(!shown.chars().any(is_dangerous));
        prop_assert_eq!(unvisible(&shown), Some(text.clone()));
    }

    #[test]
    fn nearly_coded_text_reads_back(text in "([\\\\u{}␛␠ 25c\u{1b}\u{301}\u{202e}]){0,16}") {
        prop_assert_eq!(unvisible(&visible(&text)), Some(text.clone()));
        if let Some(original) = unvisible(&text) {
            prop_assert_eq!(visible(&original), text);
        }
    }

    #[test]
    fn json_bodies_are_exact(text in any::<String>()) {
        let mut body = String::new();
        json_escape_into(&text, &mut body);
        prop_assert!(!body.chars().any(needs_code));
        prop_assert_eq!(serde_json::from_str::<String>(&format!("\"{body}\"")).unwrap(), text);
    }

    #[test]
    fn shortened_text_fits(text in "(\u{1b}|\u{202e}|e\u{301}|東|[a-z ]){0,40}", width in 0_usize..60) {
        let shown = visible(&text);
        let short = shorten(&shown, width);
        prop_assert!(display_width(&short) <= width);
        if short != shown && width > 0 {
            let (head, tail) = short.split_once('…').unwrap();
            prop_assert!(shown.starts_with(head) && shown.ends_with(tail));
            // A cut inside a code would leave one of its ends without the other.
            prop_assert_eq!(head.matches('{').count(), head.matches('}').count());
            prop_assert_eq!(tail.matches('{').count(), tail.matches('}').count());
            prop_assert_ne!(tail.chars().next(), Some('\u{301}'));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_two_texts_of_a_column_look_alike(
        ends in ("[a-z東]{0,30}", "[a-z東]{0,30}"),
        middles in prop::collection::vec("(\u{1b}|\u{202e}|[…#0-9a-f]){0,20}", 1..20),
        width in 12_usize..60,
    ) {
        let (head, tail) = &ends;
        let mut texts: Vec<String> = middles.iter().map(|middle| visible(&format!("{head}{middle}{tail}")).into_owned()).collect();
        // Short keys that look like cells of long ones.
        texts.extend(shorten_column(&texts, width));
        let cells = shorten_column(&texts, width);
        for (cell, text) in cells.iter().zip(&texts) {
            prop_assert!(display_width(cell) <= width);
            prop_assert!(display_width(text) > width || cell == text);
            for (other_cell, other) in cells.iter().zip(&texts) {
                prop_assert_eq!(cell == other_cell, text == other, "{} {}", text, other);
            }
        }
    }
}

#[test]
fn a_hash_stands_only_where_texts_would_look_alike() {
    let texts = ["tenant-000-of-0001", "tenant-001-of-0001", "tenant-0001-of-three", "tenant-6"];
    let expected = ["te…#af17…001", "te…#08e2…001", "tenan…-three", "tenant-6"];
    assert_eq!(shorten_column(&texts, 12), expected);
    // One alone needs none, nor does the same text twice, as of another region.
    assert_eq!(shorten_column(&[texts[0]; 2], 12), ["tenan…f-0001"; 2]);
    // These have four digits in common.
    let texts = ["tenant-one-of-0001", "tenant-two-of-0001"];
    assert_eq!(shorten_column(&texts, 12), ["te…#e299d…01", "te…#c56e9…01"]);
}
