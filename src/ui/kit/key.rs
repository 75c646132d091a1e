//! A partition key on the screen: its text as everywhere, its codes and separators set off.

use ratatui::style::Style;
use ratatui::text::Span;

use super::text;
use super::theme::Theme;
use crate::model::key::{Key, Part};
use crate::model::visible::distinct_cells;
use crate::report::key_text::{BETWEEN, key_text, part_text};

/// The texts of the keys of one column, each in at most so many columns; no two different keys look alike.
pub fn column<'a>(
    keys: impl IntoIterator<Item = (Option<&'a str>, u16)>,
    style: Style,
    theme: &Theme,
) -> Vec<Vec<Span<'static>>> {
    let keys = keys.into_iter();
    let (keys, widths): (Vec<_>, Vec<_>) =
        keys.map(|(json, width)| (pieces(json, style, theme), width)).unzip();
    let texts: Vec<String> = keys.iter().map(|pieces| whole(pieces)).collect();
    let cells = distinct_cells(&texts, |at, text, hash| {
        let width = widths.get(at).copied().unwrap_or_default();
        text::shorten_marked(text, width.into(), hash, theme.glyphs)
    });
    let cells = cells.into_iter().zip(&keys);
    cells.map(|(short, pieces)| cut_spans(pieces, &short, theme)).collect()
}

fn whole(pieces: &[(String, Style)]) -> String {
    pieces.iter().map(|(text, _)| text.as_str()).collect()
}

/// The spans of a key's pieces, cut to this text.
fn cut_spans(pieces: &[(String, Style)], short: &str, theme: &Theme) -> Vec<Span<'static>> {
    let full = whole(pieces);
    if short == full {
        return between(pieces, 0, full.len(), theme);
    }
    let head = common_len(short.chars(), full.chars());
    let cut = short.get(head..).unwrap_or_default();
    let tail = common_len(cut.chars().rev(), full.chars().rev());
    let sign = cut.get(..cut.len() - tail).unwrap_or_default();
    let mut spans = between(pieces, 0, head, theme);
    spans.push(Span::styled(sign.to_owned(), theme.dim));
    spans.extend(between(pieces, full.len() - tail, full.len(), theme));
    spans
}

/// The spans of the bytes from `from` to `to` of all pieces in a row.
fn between(
    pieces: &[(String, Style)],
    from: usize,
    to: usize,
    theme: &Theme,
) -> Vec<Span<'static>> {
    let mut spans = Vec::new();
    let mut at = 0;
    for (piece, style) in pieces {
        let inside = |byte: usize| byte.saturating_sub(at).min(piece.len());
        let part = piece.get(inside(from)..inside(to)).unwrap_or_default();
        spans.extend(text::coded(part, *style, theme));
        at += piece.len();
    }
    spans
}

/// Parts and separators, each with its style, in the signs of the terminal.
fn pieces(json: Option<&str>, style: Style, theme: &Theme) -> Vec<(String, Style)> {
    let shown = |text: &str, style| (theme.glyphs.shown(text).into_owned(), style);
    let parsed = json.and_then(Key::from_canonical);
    let parts = parsed.as_ref().map(Key::parts).unwrap_or_default();
    if parts.is_empty() {
        // Not reported, empty, or no key at all: said in words.
        let style = if parsed.is_some() || json.is_none() { theme.dim } else { style };
        return vec![shown(&key_text(json), style)];
    }
    let mut pieces = Vec::with_capacity(parts.len() * 2);
    for part in parts {
        if !pieces.is_empty() {
            pieces.push(shown(BETWEEN, theme.dim));
        }
        let style = if *part == Part::Undefined { theme.dim } else { style };
        pieces.push(shown(&part_text(part), style));
    }
    pieces
}

/// The bytes that two texts begin with alike.
fn common_len(a: impl Iterator<Item = char>, b: impl Iterator<Item = char>) -> usize {
    let alike = a.zip(b).take_while(|(a, b)| a == b);
    alike.map(|(character, _)| character.len_utf8()).sum()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::ui::view::testing::{theme, theme_ascii};

    fn spans(json: Option<&str>, width: u16, theme: &Theme) -> Vec<Span<'static>> {
        column([(json, width)], Style::new(), theme).remove(0)
    }

    fn pairs(json: &str, width: u16, theme: &Theme) -> Vec<(String, &'static str)> {
        let spans = spans(Some(json), width, theme);
        let role = |style: Style| match style {
            _ if style == theme.code => "code",
            _ if style == theme.dim => "dim",
            _ if style == Style::new() => "",
            _ => "other",
        };
        let pair = |span: &Span| (span.content.to_string(), role(span.style));
        spans.iter().map(pair).collect()
    }

    fn all(pairs: &[(&str, &'static str)]) -> Vec<(String, &'static str)> {
        pairs.iter().map(|(text, role)| ((*text).to_owned(), *role)).collect()
    }

    #[test]
    fn codes_and_separators_stand_out() {
        let theme = theme();
        let found = pairs(r#"["a\u001b","b / c",{}]"#, 80, &theme);
        let expected = [
            ("a", ""),
            ("␛", "code"),
            (" / ", "dim"),
            ("\"b / c\"", ""),
            (" / ", "dim"),
            ("no value", "dim"),
        ];
        assert_eq!(found, all(&expected));
        assert_eq!(spans(None, 80, &theme), [Span::styled("(no key reported)", theme.dim)]);
    }

    #[test]
    fn a_cut_key_keeps_its_ends_and_their_styles() {
        let json = "[\"tenant-0001\",\"\u{202e}europe\"]";
        let expected = [("tena", ""), ("…", "dim"), ("rope", "")];
        assert_eq!(pairs(json, 9, &theme()), all(&expected));
        let expected = [("tenant-0001", ""), (" / ", "dim"), ("…", "dim"), ("europe", "")];
        assert_eq!(pairs(json, 27, &theme()), all(&expected));
        let expected = [("ten", ""), ("...", "dim"), ("ope", "")];
        assert_eq!(pairs(json, 9, &theme_ascii()), all(&expected));
    }

    #[test]
    fn keys_that_differ_where_they_are_cut_never_look_alike() {
        let theme = theme();
        let keys = [r#"["plant-1","a","device"]"#, r#"["plant-1","b","device"]"#];
        let joined = |width| {
            let cells = column(keys.map(|json| (Some(json), width)), Style::new(), &theme);
            let join =
                |spans: Vec<Span>| spans.iter().map(|s| s.content.to_string()).collect::<String>();
            cells.into_iter().map(join).collect::<Vec<_>>()
        };
        assert_eq!(joined(20), ["plant-1 / a / device", "plant-1 / b / device"]);
        assert_eq!(joined(15), ["plan…#f3b2…vice", "plan…#9d67…vice"]);
    }

    proptest! {
        #[test]
        fn spans_are_the_text_of_the_key(
            parts in prop::collection::vec("[a/ é東\u{1b}\u{202e}…\"]{0,8}", 0..4),
            width in 0_u16..40,
        ) {
            let parts: Vec<Part> = parts.into_iter().map(|text| Part::Text(text.into())).collect();
            let json = Key::from(parts).json();
            for theme in [theme(), theme_ascii()] {
                let join = |spans: Vec<Span>| spans.iter().map(|s| s.content.to_string()).collect::<String>();
                let whole = join(spans(Some(&json), u16::MAX, &theme));
                let expected = key_text(Some(&json));
                prop_assert_eq!(&whole, &theme.glyphs.shown(&expected));
                let short = join(spans(Some(&json), width, &theme));
                prop_assert_eq!(&short, &text::shorten(&whole, width.into(), theme.glyphs));
                prop_assert!(text::width(&short, theme.glyphs) <= width.into());
            }
        }
    }
}
