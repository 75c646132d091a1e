//! Lines stay inside their room, whatever is in them.

use proptest::prelude::*;
use ratatui::style::{Color, Modifier};

use super::*;
use crate::ui::view::testing::{assert_stays_inside, lines, theme, theme_ascii};

const HOSTILE: [&str; 12] = [
    "",
    "tenant-0001",
    "東京都",
    "cafe\u{301}",
    "ﾊﾟﾊﾟ",
    "a\u{1b}[2J",
    "\u{202e}evil",
    "🇩🇪👍",
    "क्षि",
    "\u{301}alone",
    "z\u{301}\u{302}\u{303}\u{304}\u{305}\u{306}\u{307}\u{308}\u{309}\u{30a}",
    r"\u{202e} and 東",
];

fn drawn(width: u16, draw: impl FnOnce(&mut Buffer, Rect)) -> String {
    let area = Rect::new(0, 0, width, 1);
    let mut buffer = Buffer::empty(area);
    draw(&mut buffer, area);
    lines(&buffer).concat()
}

/// All that the short way takes must be what the long way makes of it, two and two.
#[test]
fn simple_characters_stay_apart_and_take_one_column() {
    let simple: Vec<char> = ('\0'..='\u{1ffff}').filter(|c| is_simple(*c)).collect();
    assert!(simple.len() > 250);
    for first in &simple {
        assert!(!is_raw(*first), "{first}");
        for second in &simple {
            let pair = format!("{first}{second}");
            let span = Span::raw(pair.as_str());
            let clusters = span.styled_graphemes(Style::new());
            let widths: Vec<u16> = clusters.map(|g| g.symbol.cell_width()).collect();
            assert_eq!(widths, [1, 1], "{pair}");
        }
    }
}

#[test]
fn lines_are_aligned_and_cut() {
    let theme = theme();
    let spans = [Span::raw("one "), Span::raw("two")];
    let of = |f: fn(&mut Buffer, Rect, &[Span], &Theme) -> u16, width| {
        drawn(width, |buffer, area| {
            f(buffer, area, &spans, &theme);
        })
    };
    assert_eq!(of(left, 9), "one two  ");
    assert_eq!(of(right, 9), "  one two");
    assert_eq!(of(left, 6), "one t…");
    assert_eq!(of(right, 4), "one…");
    assert_eq!(of(left, 1), "…");
    let both = |width| {
        drawn(width, |buffer, area| {
            ends(buffer, area, &spans, &[Span::raw("end")], &theme);
        })
    };
    assert_eq!(both(12), "one two  end");
    assert_eq!(both(10), "one …  end");
    assert_eq!(both(5), "one …");
}

#[test]
fn the_middle_goes_first_and_codes_stay_whole() {
    let short = |text, width| shorten(text, width, Glyphs::Unicode);
    assert_eq!(short("tenant-0001-europe", 9), "tena…rope");
    assert_eq!(short("東京都東京都", 8), "東…京都");
    assert_eq!(short("ab", 0), "");
    let ascii = |text, width| shorten(text, width, Glyphs::Ascii);
    assert_eq!(ascii("tenant-0001-europe", 9), "ten...ope");
    assert_eq!(ascii("tenant-0001-europe", 2), "..");
    let cut = drawn(12, |buffer, area| {
        left(buffer, area, &[Span::raw(r"abcd\u{202e}x")], &theme());
    });
    assert_eq!(cut, "abcd…       ");
}

#[test]
fn a_sentence_is_broken_at_blanks() {
    let area = Rect::new(0, 0, 9, 2);
    let mut buffer = Buffer::empty(area);
    let rows = paragraph(&mut buffer, area, "one two three four", Style::new(), &theme());
    assert_eq!(rows, 2);
    assert_eq!(lines(&buffer), ["one two  ", "three fo…"]);
}

#[test]
fn what_stands_behind_hostile_text_keeps_its_column() {
    for theme in [theme(), theme_ascii()] {
        for name in HOSTILE {
            let area = Rect::new(0, 0, 30, 1);
            let mut buffer = Buffer::empty(area);
            let name = visible(name);
            middle(&mut buffer, column(area, 0, 8), &name, Style::new(), &theme);
            left(&mut buffer, column(area, 9, 3), &[Span::raw("|")], &theme);
            right(&mut buffer, column(area, 12, 6), &[Span::raw("42|")], &theme);
            // A terminal moves on by the width of what it was given.
            let mut x = 0;
            let mut bars = Vec::new();
            while let Some(cell) = buffer.cell((x, 0)) {
                if cell.symbol() == "|" {
                    bars.push(x);
                }
                x += cell.cell_width();
            }
            assert_eq!(bars, [9, 17], "{name}");
        }
    }
}

#[test]
fn half_a_wide_character_is_none() {
    let area = Rect::new(0, 0, 6, 1);
    let mut buffer = Buffer::empty(area);
    left(&mut buffer, area, &[Span::raw("東京都")], &theme());
    left(&mut buffer, column(area, 1, 2), &[Span::raw("xy")], &theme());
    assert_eq!(lines(&buffer), [" xy 都"]);
    clear(&mut buffer, column(area, 0, 5));
    assert_eq!(lines(&buffer), ["      "]);
}

#[test]
fn codes_stand_out() {
    let theme = theme();
    let base = Style::new().fg(Color::Blue).add_modifier(Modifier::BOLD);
    let spans = coded(r"a␛b\u{202e}\u{zz}", base, &theme);
    let texts: Vec<&str> = spans.iter().map(|span| &*span.content).collect();
    assert_eq!(texts, ["a", "␛", "b", r"\u{202e}", r"\u{zz}"]);
    assert_eq!(spans[1].style, base.patch(theme.code));
    assert_eq!(spans[4].style, base);
}

#[test]
fn nothing_is_drawn_outside() {
    for theme in [theme(), theme_ascii()] {
        for name in HOSTILE {
            let spans = [Span::raw(name), Span::raw("and more than fits into a small area")];
            assert_stays_inside(|buffer, area| {
                left(buffer, area, &spans, &theme);
                right(buffer, area, &spans, &theme);
                middle(buffer, area, name, Style::new(), &theme);
                ends(buffer, area, &spans, &spans, &theme);
                paragraph(buffer, area, name, Style::new(), &theme);
                clear(buffer, area);
                left(buffer, area, &spans, &theme);
            });
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn no_text_acts_or_takes_more_than_its_room(
        text in prop_oneof![any::<String>(), "[東🇩ﾊﾟ\u{301}a\u{1b}\u{202e}\\\\u{}e]{0,20}"],
        room in 0_u16..24,
    ) {
        for theme in [theme(), theme_ascii()] {
            let shown = visible(&text);
            let short = shorten(&shown, room.into(), theme.glyphs);
            prop_assert!(width(&short, theme.glyphs) <= room.into());
            let area = Rect::new(0, 0, room, 1);
            let mut buffer = Buffer::empty(area);
            // Raw on purpose.
            left(&mut buffer, area, &[Span::raw(&*text)], &theme);
            for cell in &buffer.content {
                let is_harmless = !cell.symbol().contains(is_raw);
                prop_assert!(is_harmless, "{:?}", cell.symbol());
                prop_assert!(theme.glyphs == Glyphs::Unicode || cell.symbol().is_ascii());
            }
            prop_assert_eq!(lines(&buffer).iter().map(|l| columns(l)).sum::<usize>(), usize::from(room));
        }
    }
}
