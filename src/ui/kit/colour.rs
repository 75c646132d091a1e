//! Colours as a theme file writes them, and the nearest that a terminal can show.

use ratatui::style::{Color, Modifier, Style};
use serde::{Deserialize, Deserializer};

/// What the terminal can show.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Colours {
    TrueColour,
    Indexed256,
    Basic16,
    /// Bold, dim, underlined and reversed only.
    None,
}

/// The background a theme is made for; it is never painted, for the terminal's own one stays.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Paper {
    Dark,
    Light,
}

/// A colour as `"#rrggbb"`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rgb {
    pub red: u8,
    pub green: u8,
    pub blue: u8,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Emphasis {
    Bold,
    Dim,
    Italic,
    Underlined,
    Reversed,
}

/// One role in a theme file; what is left out stays as the terminal has it.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Look {
    fg: Option<Rgb>,
    bg: Option<Rgb>,
    #[serde(default)]
    modifiers: Vec<Emphasis>,
}

impl Look {
    /// The style at a depth; `bare` is all that is left without colour.
    pub fn style(&self, colours: Colours, paper: Paper, bare: Modifier) -> Style {
        let mut style = Style::new();
        if colours == Colours::None {
            return style.add_modifier(bare);
        }
        for emphasis in &self.modifiers {
            style = style.add_modifier(match emphasis {
                Emphasis::Bold => Modifier::BOLD,
                Emphasis::Dim => Modifier::DIM,
                Emphasis::Italic => Modifier::ITALIC,
                Emphasis::Underlined => Modifier::UNDERLINED,
                Emphasis::Reversed => Modifier::REVERSED,
            });
        }
        let at_depth = |rgb: Rgb| match colours {
            Colours::TrueColour => Color::Rgb(rgb.red, rgb.green, rgb.blue),
            Colours::Indexed256 => Color::Indexed(rgb.nearest_256()),
            Colours::Basic16 | Colours::None => rgb.nearest_16(),
        };
        style.fg = self.fg.map(at_depth);
        style.bg = self.bg.map(at_depth);
        match (colours, paper) {
            // Sixteen colours have no shade that is only a little off the paper: the row is turned over instead.
            (Colours::Basic16, paper) if style.bg == Some(paper.basic()) => {
                style.bg = None;
                style.add_modifier(Modifier::REVERSED)
            }
            (Colours::Basic16, Paper::Light) => Self::on_white(style, bare),
            _ => style,
        }
    }

    /// White carries four of the sixteen as terminals come with them, and is carried by the same.
    fn on_white(mut style: Style, bare: Modifier) -> Style {
        let dark = |colour: Color| match colour {
            Color::Black => Some(Color::Black),
            Color::Red | Color::LightRed => Some(Color::Red),
            Color::Blue | Color::LightBlue => Some(Color::Blue),
            Color::Magenta | Color::LightMagenta => Some(Color::Magenta),
            _ => None,
        };
        if style.fg == Some(Color::White) {
            style.bg = style.bg.map(|bg| dark(bg).unwrap_or(Color::Black));
        } else if let (Some(ink), None) = (style.fg, style.bg) {
            style.fg = dark(ink);
            if style.fg.is_none() {
                style = style.add_modifier(bare);
            }
        }
        style
    }
}

impl Paper {
    fn basic(self) -> Color {
        match self {
            Self::Dark => Color::Black,
            Self::Light => Color::White,
        }
    }
}

/// The steps of each channel in the 256 colours' cube.
const CUBE: [u8; 6] = [0, 95, 135, 175, 215, 255];
/// The first colour of the cube, after the sixteen that every user sets as they like.
const CUBE_FIRST: u8 = 16;
const GRAY_FIRST: u8 = 232;
const GRAYS: u8 = 24;
/// Less colourful than this is a shade of gray.
const GRAY_CHROMA: i32 = 40;
/// From this brightness on a colour is one of the bright eight.
const BRIGHT: i32 = 150;

impl Rgb {
    pub fn nearest_256(self) -> u8 {
        let step = |channel: u8| {
            (0u8..).zip(CUBE).min_by_key(|(_, value)| value.abs_diff(channel)).unwrap_or_default()
        };
        let [(r, red), (g, green), (b, blue)] = [self.red, self.green, self.blue].map(step);
        let cube = (CUBE_FIRST + 36 * r + 6 * g + b, self.distance(Self { red, green, blue }));
        let grays = (0..GRAYS).map(|step| {
            let value = 8 + 10 * step;
            (GRAY_FIRST + step, self.distance(Self::gray(value)))
        });
        let nearest = std::iter::once(cube).chain(grays).min_by_key(|(_, far)| *far);
        nearest.map_or(cube.0, |(index, _)| index)
    }

    /// By hue rather than by distance: the sixteen differ from terminal to terminal, their hues do not.
    fn nearest_16(self) -> Color {
        let [red, green, blue] = [self.red, self.green, self.blue].map(i32::from);
        let high = red.max(green).max(blue);
        let chroma = high - red.min(green).min(blue);
        if chroma < GRAY_CHROMA {
            return match high {
                ..=63 => Color::Black,
                64..=144 => Color::DarkGray,
                145..=224 => Color::Gray,
                _ => Color::White,
            };
        }
        let sixth = |difference: i32, from: i32| from + 60 * difference / chroma;
        let hue = if high == red {
            sixth(green - blue, 0).rem_euclid(360)
        } else if high == green {
            sixth(blue - red, 120)
        } else {
            sixth(red - green, 240)
        };
        let bright = high >= BRIGHT;
        match (hue, bright) {
            (20..70, true) => Color::LightYellow,
            (20..70, false) => Color::Yellow,
            (70..160, true) => Color::LightGreen,
            (70..160, false) => Color::Green,
            (160..195, true) => Color::LightCyan,
            (160..195, false) => Color::Cyan,
            (195..260, true) => Color::LightBlue,
            (195..260, false) => Color::Blue,
            (260..330, true) => Color::LightMagenta,
            (260..330, false) => Color::Magenta,
            (_, true) => Color::LightRed,
            (_, false) => Color::Red,
        }
    }

    fn gray(value: u8) -> Self {
        Self { red: value, green: value, blue: value }
    }

    fn distance(self, other: Self) -> u32 {
        [(self.red, other.red), (self.green, other.green), (self.blue, other.blue)]
            .map(|(a, b)| u32::from(a.abs_diff(b)).pow(2))
            .iter()
            .sum()
    }

    fn from_text(text: &str) -> Option<Self> {
        let digits = text.strip_prefix('#').filter(|rest| rest.len() == 6)?;
        let channel = |at: usize| u8::from_str_radix(digits.get(at..at + 2)?, 16).ok();
        Some(Self { red: channel(0)?, green: channel(2)?, blue: channel(4)? })
    }
}

impl<'de> Deserialize<'de> for Rgb {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::from_text(&text).ok_or_else(|| {
            serde::de::Error::custom(format!("`{text}` is no colour: expected `#rrggbb`"))
        })
    }
}

/// What a colour looks like where nobody chose otherwise; none for the terminal's own.
pub fn rgb_of(colour: Color) -> Option<Rgb> {
    let rgb = |red, green, blue| Some(Rgb { red, green, blue });
    match colour {
        Color::Reset => None,
        Color::Black => rgb(0, 0, 0),
        Color::Red => rgb(170, 0, 0),
        Color::Green => rgb(0, 128, 0),
        Color::Yellow => rgb(150, 100, 0),
        Color::Blue => rgb(30, 60, 200),
        Color::Magenta => rgb(150, 0, 150),
        Color::Cyan => rgb(0, 128, 128),
        Color::Gray => rgb(190, 190, 190),
        Color::DarkGray => rgb(120, 120, 120),
        Color::LightRed => rgb(255, 95, 95),
        Color::LightGreen => rgb(95, 215, 95),
        Color::LightYellow => rgb(255, 215, 95),
        Color::LightBlue => rgb(110, 160, 255),
        Color::LightMagenta => rgb(255, 120, 255),
        Color::LightCyan => rgb(95, 215, 215),
        Color::White => rgb(255, 255, 255),
        Color::Rgb(red, green, blue) => rgb(red, green, blue),
        Color::Indexed(index) => indexed(index),
    }
}

fn indexed(index: u8) -> Option<Rgb> {
    const BASIC: [Color; 16] = [
        Color::Black,
        Color::Red,
        Color::Green,
        Color::Yellow,
        Color::Blue,
        Color::Magenta,
        Color::Cyan,
        Color::Gray,
        Color::DarkGray,
        Color::LightRed,
        Color::LightGreen,
        Color::LightYellow,
        Color::LightBlue,
        Color::LightMagenta,
        Color::LightCyan,
        Color::White,
    ];
    if index >= GRAY_FIRST {
        return Some(Rgb::gray(8 + 10 * (index - GRAY_FIRST)));
    }
    let Some(cube) = index.checked_sub(CUBE_FIRST) else {
        return BASIC.get(usize::from(index)).and_then(|colour| rgb_of(*colour));
    };
    let channel = |step: u8| CUBE.get(usize::from(step % 6)).copied();
    Some(Rgb { red: channel(cube / 36)?, green: channel(cube / 6)?, blue: channel(cube)? })
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_of_256_is_itself_where_it_is_there() {
        for index in CUBE_FIRST..=255 {
            let rgb = indexed(index).unwrap();
            assert_eq!(indexed(rgb.nearest_256()), Some(rgb), "{index}");
        }
        let near = Rgb::from_text("#fe8802").unwrap().nearest_256();
        assert_eq!(near, 208);
        assert_eq!(Rgb::from_text("#303030").unwrap().nearest_256(), 236);
    }

    #[test]
    fn sixteen_colours_keep_the_hue() {
        for (text, colour) in [
            ("#ff5f5f", Color::LightRed),
            ("#870000", Color::Red),
            ("#ffaf00", Color::LightYellow),
            ("#5f5f00", Color::Yellow),
            ("#5fd75f", Color::LightGreen),
            ("#5fafff", Color::LightBlue),
            ("#005f87", Color::Blue),
            ("#5fd7d7", Color::LightCyan),
            ("#af00af", Color::LightMagenta),
            ("#1c1c1c", Color::Black),
            ("#ffffff", Color::White),
            ("#8a8a8a", Color::DarkGray),
        ] {
            assert_eq!(Rgb::from_text(text).unwrap().nearest_16(), colour, "{text}");
        }
    }

    #[test]
    fn only_six_digits_are_a_colour() {
        for text in ["", "#fff", "ffffff", "#gggggg", "#ffffff0", "#ffé00", "red"] {
            assert_eq!(Rgb::from_text(text), None, "{text}");
        }
    }
}
