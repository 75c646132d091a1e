//! The theme files are complete, legible on the paper they are made for, and tell every state apart at every depth.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::HashSet;

use ratatui::style::Color;

use super::*;
use crate::ui::kit::colour::{Rgb, rgb_of};

const DEPTHS: [Colours; 4] =
    [Colours::TrueColour, Colours::Indexed256, Colours::Basic16, Colours::None];
const MARKS: [Mark; 4] = [Mark::Below, Mark::Warn, Mark::Alarm, Mark::Full];
/// Lines and tracks, which carry no words.
const NO_TEXT: [&str; 2] = ["border", "bar_track"];

fn theme(name: &str, colours: Colours) -> Theme {
    Theme::named(name, colours, Glyphs::Unicode).unwrap()
}

fn every_theme() -> impl Iterator<Item = (&'static str, Theme)> {
    THEMES.iter().flat_map(|(name, _)| DEPTHS.map(|depth| (*name, theme(name, depth))))
}

#[test]
fn every_theme_reads_at_every_depth() {
    assert_eq!(every_theme().count(), THEMES.len() * DEPTHS.len());
    assert_eq!(Theme::named("none such", Colours::None, Glyphs::Ascii), None);
}

#[test]
fn a_theme_file_has_every_role_and_nothing_else() {
    let (_, text) = THEMES[0];
    let parse = |text: &str| Theme::parse(text, Colours::TrueColour, Glyphs::Unicode);
    for (role, _) in theme("dark", Colours::TrueColour).roles() {
        let start = format!("{role} =");
        let without: Vec<&str> = text.lines().filter(|l| !l.starts_with(&start)).collect();
        let wrong = parse(&without.join("\n")).unwrap_err();
        assert!(wrong.contains(role), "{role}: {wrong}");
    }
    assert!(parse(&format!("{text}\nglow = {{}}\n")).is_err());
    let typo = text.replace("modifiers = [\"italic\"]", "modifier = [\"italic\"]");
    assert!(parse(&typo).is_err_and(|wrong| wrong.contains("modifier")));
    let red = text.replace("#ff8787", "red\\u001b");
    assert!(parse(&red).is_err_and(|wrong| wrong.contains("`red␛` is no colour")));
}

fn luminance(rgb: Rgb) -> f64 {
    let linear = |channel: u8| {
        let value = f64::from(channel) / 255.0;
        if value <= 0.040_45 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * linear(rgb.red) + 0.7152 * linear(rgb.green) + 0.0722 * linear(rgb.blue)
}

/// As the Web Content Accessibility Guidelines reckon it.
fn contrast(a: Rgb, b: Rgb) -> f64 {
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

/// The sixteen colours as xterm comes with them: its green, cyan and yellow are the lightest of all terminals.
fn xterm(colour: Color) -> Option<Rgb> {
    let (red, green, blue) = match colour {
        Color::Red => (205, 0, 0),
        Color::Green => (0, 205, 0),
        Color::Yellow => (205, 205, 0),
        Color::Blue => (0, 0, 238),
        Color::Magenta => (205, 0, 205),
        Color::Cyan => (0, 205, 205),
        Color::Gray => (229, 229, 229),
        Color::DarkGray => (127, 127, 127),
        Color::LightRed => (255, 0, 0),
        Color::LightGreen => (0, 255, 0),
        Color::LightYellow => (255, 255, 0),
        Color::LightBlue => (92, 92, 255),
        Color::LightMagenta => (255, 0, 255),
        Color::LightCyan => (0, 255, 255),
        other => return rgb_of(other),
    };
    Some(Rgb { red, green, blue })
}

#[test]
fn every_text_is_legible_on_white_in_sixteen_colours() {
    let white = Rgb { red: 255, green: 255, blue: 255 };
    let (_, theme) = every_theme()
        .find(|(_, theme)| (theme.colours, theme.paper) == (Colours::Basic16, Paper::Light))
        .unwrap();
    for (role, style) in theme.roles() {
        let ink = style.fg.and_then(xterm).or(rgb_of(Color::Black)).unwrap();
        let ground = style.bg.and_then(xterm).unwrap_or(white);
        let own = contrast(ink, ground);
        assert!(own >= 4.5, "{role}: {own:.2} {style:?}");
    }
}

#[test]
fn every_text_is_legible_on_its_paper_and_under_the_cursor() {
    let rgb = |colour: Option<Color>| colour.and_then(rgb_of);
    for (name, theme) in every_theme() {
        // The sixteen colours are the user's own: those of a dark paper are the bright ones.
        if !matches!(theme.colours, Colours::TrueColour | Colours::Indexed256) {
            continue;
        }
        let (ink, paper) = match theme.paper {
            Paper::Dark => (rgb_of(Color::White).unwrap(), rgb_of(Color::Black).unwrap()),
            Paper::Light => (rgb_of(Color::Black).unwrap(), rgb_of(Color::White).unwrap()),
        };
        let cursor = rgb(theme.cursor_row.bg).unwrap();
        for (role, style) in theme.roles() {
            let ink = rgb(style.fg).unwrap_or(ink);
            let own = contrast(ink, rgb(style.bg).unwrap_or(paper));
            let least = if NO_TEXT.contains(&role) { 3.0 } else { 4.5 };
            assert!(own >= least, "{name} {role}: {own:.2}");
            let under = contrast(ink, rgb(style.bg).unwrap_or(cursor));
            let least = if NO_TEXT.contains(&role) { 1.8 } else { 4.5 };
            assert!(under >= least, "{name} {role} under the cursor: {under:.2}");
        }
    }
}

/// Grounds between the named ones carry the ink of the nearer end.
#[test]
fn every_ground_of_the_heat_map_carries_its_ink() {
    let rgb = |colour: Option<Color>| colour.and_then(rgb_of).unwrap();
    for (name, _) in THEMES {
        let theme = theme(name, Colours::TrueColour);
        for high in [theme.heat_below, theme.heat_relative] {
            let ends = [theme.heat_low, high].map(|style| rgb(style.bg));
            for step in 0..=20_u16 {
                let part = |from: u8, to: u8| {
                    let sum = u16::from(from) * (20 - step) + u16::from(to) * step;
                    u8::try_from(sum / 20).unwrap()
                };
                let background = Rgb {
                    red: part(ends[0].red, ends[1].red),
                    green: part(ends[0].green, ends[1].green),
                    blue: part(ends[0].blue, ends[1].blue),
                };
                let inks = [theme.heat_low, high].map(|style| contrast(rgb(style.fg), background));
                let best = inks[0].max(inks[1]);
                assert!(best >= 4.5, "{name} {step}: {best:.2}");
            }
        }
    }
}

#[test]
fn the_marks_differ_at_every_depth() {
    for (name, theme) in every_theme() {
        let styles: HashSet<_> = MARKS.map(|mark| theme.mark(mark)).into_iter().collect();
        assert_eq!(styles.len(), MARKS.len(), "{name} {:?}", theme.colours);
    }
}

#[test]
fn what_must_be_seen_is_never_plain() {
    for (name, theme) in every_theme() {
        let loud = [
            theme.selected,
            theme.cursor_row,
            theme.marked_row,
            theme.error,
            theme.alarm,
            theme.full,
            theme.code,
            theme.banner,
        ];
        assert!(loud.iter().all(|style| *style != Style::new()), "{name} {:?}", theme.colours);
        assert_ne!(theme.border, theme.border_focused);
        let paper = theme.paper;
        let hidden = match paper {
            Paper::Dark => Color::Black,
            Paper::Light => Color::White,
        };
        for (role, style) in theme.roles() {
            let sits_on_paper = style.bg.is_none() && !style.add_modifier.contains(REVERSED);
            assert!(
                !(sits_on_paper && style.fg == Some(hidden)),
                "{name} {role} {:?}",
                theme.colours
            );
        }
    }
}

#[test]
fn without_colour_there_is_none() {
    for (_, theme) in every_theme().filter(|(_, theme)| theme.colours == Colours::None) {
        for (role, style) in theme.roles() {
            assert_eq!((style.fg, style.bg), (None, None), "{role}");
        }
        assert!(theme.selected.add_modifier.contains(REVERSED));
    }
}

#[test]
fn the_colour_blind_ramp_has_neither_red_nor_green() {
    let theme = theme("colour-blind", Colours::TrueColour);
    for mark in MARKS {
        let Rgb { red, green, blue } = theme.fill(mark).fg.and_then(rgb_of).unwrap();
        let is_blue = blue > red && blue > green;
        let is_orange =
            red > blue && green > blue && red > green && u16::from(green) * 2 >= red.into();
        assert!(is_blue || is_orange, "{mark:?}");
    }
}

#[test]
fn a_full_bar_is_filled_with_the_colour_of_its_mark() {
    let dark = theme("dark", Colours::TrueColour);
    assert_eq!(dark.fill(Mark::Full).fg, dark.full.bg);
    assert_eq!(dark.fill(Mark::Warn).fg, dark.warn.fg);
    assert_eq!(theme("dark", Colours::None).fill(Mark::Full), Style::new());
}
