//! The import's inner loop: most cells already are canonical, which one scan of their bytes proves.

use super::key::Key;

/// More digits than this need rounding to be compared with the double's own shortest text.
const EXACT_DIGITS: usize = 15;

/// What [`canonicalise`] found in a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeyForm {
    /// The canonical bytes say everything there is to show.
    Plain,
    /// A number was written in other than its canonical text: the key's JSON list with numbers as found.
    Respelled(Box<str>),
    /// The cell is empty; nothing was appended.
    NotReported,
}

/// Appends the canonical identity text of a log cell's key, which is UTF-8, to `out`.
pub fn canonicalise(cell: &[u8], out: &mut Vec<u8>) -> KeyForm {
    if cell.is_empty() {
        return KeyForm::NotReported;
    }
    if is_canonical(cell) {
        out.extend_from_slice(cell);
        return KeyForm::Plain;
    }
    let Some(key) = std::str::from_utf8(cell).ok().and_then(Key::from_cell) else {
        return KeyForm::NotReported;
    };
    out.extend_from_slice(key.canonical().as_bytes());
    if key.has_respelled_number() { KeyForm::Respelled(key.json().into()) } else { KeyForm::Plain }
}

/// Whether a cell surely is in canonical form; a rare canonical cell may be sent the long way.
fn is_canonical(cell: &[u8]) -> bool {
    if is_one_plain_string(cell) {
        return true;
    }
    let Some(mut rest) = cell.strip_prefix(b"[") else {
        return false;
    };
    if rest == b"]" {
        return true;
    }
    loop {
        match skip_part(rest) {
            Some([b',', more @ ..]) => rest = more,
            Some([b']']) => return true,
            _ => return false,
        }
    }
}

/// Most keys are one text, most texts have nothing special: where something special stands is not asked.
fn is_one_plain_string(cell: &[u8]) -> bool {
    let inside = cell.strip_prefix(b"[\"").and_then(|cell| cell.strip_suffix(b"\"]"));
    let inside = inside.unwrap_or_default();
    inside.last_chunk().is_some_and(|last| {
        let words = inside.as_chunks().0.iter();
        words.fold(special_bytes(*last), |any, word| any | special_bytes(*word)) == 0
    })
}

fn skip_part(bytes: &[u8]) -> Option<&[u8]> {
    match bytes.first()? {
        b'"' => skip_string(bytes.get(1..)?),
        b'{' => bytes.strip_prefix(b"{}"),
        b't' => bytes.strip_prefix(b"true"),
        b'f' => bytes.strip_prefix(b"false"),
        b'n' => bytes.strip_prefix(b"null"),
        _ => skip_number(bytes),
    }
}

/// What follows a string's closing quote, if only `\"` and `\\` were escaped.
fn skip_string(mut rest: &[u8]) -> Option<&[u8]> {
    loop {
        let mut at = 0;
        let special = loop {
            let Some(word) = rest.get(at..).and_then(<[u8]>::first_chunk) else {
                // What is left of less than a word.
                let is_special = |byte: &u8| matches!(byte, b'"' | b'\\' | 0..0x20);
                break at + rest.get(at..)?.iter().position(is_special)?;
            };
            let special = special_bytes(*word);
            if special != 0 {
                break at + (special.trailing_zeros() / 8) as usize;
            }
            at += 8;
        };
        rest = match rest.get(special..)? {
            [b'"', after @ ..] => return Some(after),
            [b'\\', b'"' | b'\\', after @ ..] => after,
            _ => return None,
        };
    }
}

/// The high bit of every one of eight bytes that is a quote, a backslash or a control.
///
/// Borrows between bytes can only report a byte too many above a true hit, never miss one: the lowest bit is right.
fn special_bytes(word: [u8; 8]) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGHS: u64 = 0x8080_8080_8080_8080;
    let word = u64::from_le_bytes(word);
    let quote = word ^ (ONES * u64::from(b'"'));
    let backslash = word ^ (ONES * u64::from(b'\\'));
    let below = |word: u64, limit: u64| word.wrapping_sub(ONES * limit) & !word & HIGHS;
    below(word, 0x20) | below(quote, 1) | below(backslash, 1)
}

/// What follows a number of few enough digits that its text is evidently the shortest of its double.
fn skip_number(bytes: &[u8]) -> Option<&[u8]> {
    let unsigned = bytes.strip_prefix(b"-").unwrap_or(bytes);
    let (whole, rest) = split_digits(unsigned);
    let signed = unsigned.len() != bytes.len();
    if whole.is_empty() || (whole.first() == Some(&b'0') && whole.len() > 1) {
        return None;
    }
    let (fraction, rest) = match rest.split_first() {
        Some((b'.', after)) => match split_digits(after) {
            // A last zero is never canonical, and a first one after `0.` might need an exponent.
            ([.., b'0'] | [], _) => return None,
            ([b'0', ..], _) if whole == b"0" => return None,
            split => split,
        },
        _ if signed && whole == b"0" => return None,
        _ => (&[][..], rest),
    };
    let exact = whole.len() + fraction.len() <= EXACT_DIGITS;
    (exact && !matches!(rest.first(), Some(b'e' | b'E' | b'.'))).then_some(rest)
}

fn split_digits(bytes: &[u8]) -> (&[u8], &[u8]) {
    let count = bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
    bytes.split_at_checked(count).unwrap_or((bytes, &[]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_cells_take_the_short_way() {
        for cell in [
            r#"["tenant-0001"]"#,
            r#"["a","b","c"]"#,
            "[100123]",
            "[-7,0,12.5,-0.5]",
            "[]",
            r#"["quote \" and backslash \\","",null,true,false,{}]"#,
            r#"["東京都新宿区-東京都新宿区"]"#,
            r#"["0123456\"","01234567","012345\\\\"]"#,
        ] {
            assert!(is_canonical(cell.as_bytes()), "{cell}");
        }
    }

    #[test]
    fn other_spellings_take_the_long_way() {
        for cell in [
            "",
            "[",
            "tenant",
            r#"["a" ]"#,
            r#" ["a"]"#,
            r#"["a"],"#,
            r#"["a",]"#,
            r#"["\u0041"]"#,
            r#"["a\/b"]"#,
            "[\"0123456789abc\td\"]",
            "[\"tab\t\"]",
            r#"["open"#,
            r#"["open\"#,
            "[42.0]",
            "[-0]",
            "[-0.0]",
            "[007]",
            "[1e3]",
            "[0.0000001]",
            "[9007199254740993]",
            "[1.]",
            "[-]",
            r#"[{"a":1}]"#,
            "[[]]",
            "[nul]",
        ] {
            assert!(!is_canonical(cell.as_bytes()), "{cell}");
        }
    }

    #[test]
    fn eight_bytes_at_once_agree_with_one_by_one() {
        for at in 0..8 {
            for byte in 0..=u8::MAX {
                for filler in [b'a', b' ', b'!', b'#', 0x7f, 0x80, 0xff] {
                    let mut word = [filler; 8];
                    if let Some(slot) = word.get_mut(at) {
                        *slot = byte;
                    }
                    let first = word.iter().position(|byte| matches!(byte, b'"' | b'\\' | 0..0x20));
                    let special = special_bytes(word);
                    let found = (special != 0).then(|| special.trailing_zeros() as usize / 8);
                    assert_eq!(found, first, "{word:?}");
                }
            }
        }
    }
}
