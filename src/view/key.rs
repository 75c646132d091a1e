//! A partition key on the screen: its text as everywhere, its codes and separators set off.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Span;

use super::text;
use super::theme::Theme;
use crate::model::key::{Key, Part};
use crate::report::key_text::{BETWEEN, key_text, part_text};

/// Draws a key from the left edge, shortened in its middle where it is too long; returns the columns it took.
pub fn key(
    buffer: &mut Buffer,
    area: Rect,
    json: Option<&str>,
    style: Style,
    theme: &Theme,
) -> u16 {
    let width = area.intersection(buffer.area).width;
    let spans = key_spans(json, width.into(), style, theme);
    text::left(buffer, area, &spans, theme)
}

/// The text of a key in at most `width_columns`.
pub fn key_spans(
    json: Option<&str>,
    width_columns: usize,
    style: Style,
    theme: &Theme,
) -> Vec<Span<'static>> {
    let pieces = pieces(json, style, theme);
    let full: String = pieces.iter().map(|(text, _)| text.as_str()).collect();
    let short = text::shorten(&full, width_columns, theme.glyphs);
    if short == full {
        return between(&pieces, 0, full.len(), theme);
    }
    let ellipsis = theme.glyphs.ellipsis();
    let Some((head, tail)) = ends_of_cut(&full, &short, ellipsis) else {
        return vec![Span::styled(short, theme.dim)];
    };
    let mut spans = between(&pieces, 0, head, theme);
    spans.push(Span::styled(ellipsis, theme.dim));
    spans.extend(between(&pieces, full.len() - tail, full.len(), theme));
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
        let style = if parsed.is_some() || json.is_none() {
            theme.dim
        } else {
            style
        };
        return vec![shown(&key_text(json), style)];
    }
    let mut pieces = Vec::with_capacity(parts.len() * 2);
    for part in parts {
        if !pieces.is_empty() {
            pieces.push(shown(BETWEEN, theme.dim));
        }
        let style = if *part == Part::Undefined {
            theme.dim
        } else {
            style
        };
        pieces.push(shown(&part_text(part), style));
    }
    pieces
}

/// The bytes that a cut left of the start and of the end.
fn ends_of_cut(full: &str, short: &str, ellipsis: &str) -> Option<(usize, usize)> {
    short.match_indices(ellipsis).find_map(|(at, found)| {
        let (head, rest) = short.split_at_checked(at)?;
        let tail = rest.strip_prefix(found)?;
        let is_cut = full.starts_with(head) && full.ends_with(tail);
        is_cut.then_some((head.len(), tail.len()))
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::view::testing::{assert_stays_inside, theme, theme_ascii};

    fn pairs(json: &str, width: usize, theme: &Theme) -> Vec<(String, &'static str)> {
        let spans = key_spans(Some(json), width, Style::new(), theme);
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
        pairs
            .iter()
            .map(|(text, role)| ((*text).to_owned(), *role))
            .collect()
    }

    #[test]
    fn codes_and_separators_stand_out() {
        let theme = theme();
        let spans = pairs(r#"["a\u001b","b / c",{}]"#, 80, &theme);
        let expected = [
            ("a", ""),
            ("␛", "code"),
            (" / ", "dim"),
            ("\"b / c\"", ""),
            (" / ", "dim"),
            ("no value", "dim"),
        ];
        assert_eq!(spans, all(&expected));
        let spans = key_spans(None, 80, Style::new(), &theme);
        assert_eq!(spans, [Span::styled("(no key reported)", theme.dim)]);
    }

    #[test]
    fn a_cut_key_keeps_its_ends_and_their_styles() {
        let json = "[\"tenant-0001\",\"\u{202e}europe\"]";
        let expected = [("tena", ""), ("…", "dim"), ("rope", "")];
        assert_eq!(pairs(json, 9, &theme()), all(&expected));
        let expected = [
            ("tenant-0001", ""),
            (" / ", "dim"),
            ("…", "dim"),
            ("europe", ""),
        ];
        assert_eq!(pairs(json, 27, &theme()), all(&expected));
        let expected = [("ten", ""), ("...", "dim"), ("ope", "")];
        assert_eq!(pairs(json, 9, &theme_ascii()), all(&expected));
    }

    #[test]
    fn nothing_is_drawn_outside() {
        let keys = [
            None,
            Some("[]"),
            Some("nonsense\u{1b}"),
            Some("[\"東京\u{202e}\",1]"),
        ];
        for theme in [theme(), theme_ascii()] {
            for json in keys {
                assert_stays_inside(|buffer, area| {
                    key(buffer, area, json, Style::new(), &theme);
                });
            }
        }
    }

    proptest! {
        #[test]
        fn spans_are_the_text_of_the_key(
            parts in prop::collection::vec("[a/ é東\u{1b}\u{202e}…\"]{0,8}", 0..4),
            width in 0_usize..40,
        ) {
            let parts: Vec<Part> = parts.into_iter().map(|text| Part::Text(text.into())).collect();
            let json = Key::from(parts).json();
            for theme in [theme(), theme_ascii()] {
                let join = |spans: Vec<Span>| spans.iter().map(|s| s.content.to_string()).collect::<String>();
                let whole = join(key_spans(Some(&json), usize::MAX, Style::new(), &theme));
                let expected = key_text(Some(&json));
                prop_assert_eq!(&whole, &theme.glyphs.shown(&expected));
                let short = join(key_spans(Some(&json), width, Style::new(), &theme));
                prop_assert_eq!(&short, &text::shorten(&whole, width, theme.glyphs));
                prop_assert!(text::width(&short, theme.glyphs) <= width);
            }
        }
    }
}
