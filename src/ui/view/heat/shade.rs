//! How a value looks: a ground against the real ceiling, or a sign where there is no colour.

use ratatui::style::{Color, Style};

use crate::analysis::ceiling::{MARK_ALARM, MARK_FULL, MARK_WARN};
use crate::model::units::{ratio_text, real, tenths_text, whole_u64, whole_usize};
use crate::ui::kit::colour::{Rgb, rgb_of};
use crate::ui::kit::glyphs::Glyphs;
use crate::ui::kit::theme::{Colours, Theme};

/// Powers by which shares below 70 % become brightness, from the darkest to the brightest.
const POWERS: [f64; 9] = [4.0, 2.8, 2.0, 1.4, 1.0, 0.7, 0.5, 0.35, 0.25];
const PLAIN_POWER: i8 = 4;
/// Steps of ground below 70 %.
const STEPS: usize = 32;

/// What colours are relative to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ShadeScale {
    /// What a partition can give.
    #[default]
    Absolute,
    /// The highest value.
    Relative,
}

/// Whether partitions have rows of their own.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Density {
    #[default]
    Rows,
    Merged,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Look {
    pub scale: ShadeScale,
    /// Steps away from the plain brightness.
    pub brightness: i8,
    pub density: Density,
}

impl Look {
    pub fn turn_scale(&mut self) {
        self.scale = match self.scale {
            ShadeScale::Absolute => ShadeScale::Relative,
            ShadeScale::Relative => ShadeScale::Absolute,
        };
    }

    pub fn turn_brightness(&mut self, by: i8) {
        let wanted = self.brightness.saturating_add(by);
        self.brightness = wanted.clamp(-PLAIN_POWER, PLAIN_POWER);
    }

    pub fn turn_density(&mut self) {
        self.density = match self.density {
            Density::Rows => Density::Merged,
            Density::Merged => Density::Rows,
        };
    }

    fn power(self) -> f64 {
        let at = usize::try_from(PLAIN_POWER.saturating_add(self.brightness)).unwrap_or_default();
        POWERS.get(at).copied().unwrap_or(1.0)
    }

    /// Shown in the legend: 1 is plain, more is brighter.
    pub fn brightness_text(self) -> String {
        let times = 1.0 / self.power();
        if times >= 1.0 { tenths_text(times) } else { ratio_text(times) }
    }
}

/// How cells of the map are told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CellStyle {
    /// Two grounds in a cell of the screen.
    Halves,
    /// One ground in a cell of the screen.
    Grounds,
    Signs,
}

pub fn means(theme: &Theme) -> CellStyle {
    match (theme.colours, theme.glyphs) {
        (Colours::None, _) => CellStyle::Signs,
        (_, Glyphs::Ascii) => CellStyle::Grounds,
        (_, Glyphs::Unicode) => CellStyle::Halves,
    }
}

/// Every ground of a map, made once a frame.
#[derive(Clone, Debug)]
pub struct Palette {
    low: Vec<Style>,
    warn: Style,
    alarm: Style,
    full: Style,
    scale: ShadeScale,
    power: f64,
}

impl Palette {
    /// `scale` is what the legend says, which may be relative where no ceiling is known.
    pub fn of(theme: &Theme, look: Look, scale: ShadeScale) -> Self {
        let highest = match scale {
            ShadeScale::Absolute => theme.heat_below,
            ShadeScale::Relative => theme.heat_relative,
        };
        let power = look.power();
        let low = (0..STEPS).map(|step| {
            let part = real(step as u64) / real(STEPS as u64 - 1);
            between(theme, theme.heat_low, highest, part.powf(power))
        });
        Self {
            low: low.collect(),
            warn: theme.heat_warn,
            alarm: theme.heat_alarm,
            full: theme.heat_full,
            scale,
            power,
        }
    }

    /// The ground of a part of what counts as all, and the ink of marks on it.
    pub fn background(&self, part: f64) -> Style {
        let of_low = match self.scale {
            ShadeScale::Relative => part,
            ShadeScale::Absolute if part >= MARK_FULL => return self.full,
            ShadeScale::Absolute if part >= MARK_ALARM => return self.alarm,
            ShadeScale::Absolute if part >= MARK_WARN => return self.warn,
            ShadeScale::Absolute => part / MARK_WARN,
        };
        let last = self.low.len().saturating_sub(1);
        let at = whole_usize((of_low.clamp(0.0, 1.0) * real(last as u64)).round());
        self.low.get(at).copied().unwrap_or_default()
    }

    /// The sign of a part where there is no colour.
    pub fn sign(&self, part: f64, glyphs: Glyphs) -> &'static str {
        let [none, low, warn, alarm, full] = ramp(glyphs);
        let marks = match self.scale {
            ShadeScale::Absolute => [MARK_WARN, MARK_ALARM, MARK_FULL],
            ShadeScale::Relative => [0.25, 0.5, 0.75],
        };
        let [warn_at, alarm_at, full_at] = marks;
        let part = match self.scale {
            ShadeScale::Absolute => part,
            ShadeScale::Relative => part.clamp(0.0, 1.0).powf(self.power),
        };
        match part {
            p if p >= full_at => full,
            p if p >= alarm_at => alarm,
            p if p >= warn_at => warn,
            p if p > 0.0 => low,
            _ => none,
        }
    }
}

/// Nothing, and then four steps.
pub fn ramp(glyphs: Glyphs) -> [&'static str; 5] {
    match glyphs {
        Glyphs::Unicode => [" ", "░", "▒", "▓", "█"],
        Glyphs::Ascii => [" ", ".", ":", "+", "#"],
    }
}

/// Where nothing is told, which is not zero.
pub fn gap(glyphs: Glyphs) -> &'static str {
    match glyphs {
        Glyphs::Unicode => "·",
        Glyphs::Ascii => "-",
    }
}

/// At or over what a partition can give, on a coloured ground.
pub fn over(glyphs: Glyphs) -> &'static str {
    glyphs.signs().alarm
}

/// Requests were refused with 429.
pub const THROTTLED: &str = "!";

fn between(theme: &Theme, low: Style, high: Style, part: f64) -> Style {
    let nearer = if part < 0.5 { low } else { high };
    let ends = low.bg.and_then(rgb_of).zip(high.bg.and_then(rgb_of));
    let (Some((from, to)), Colours::TrueColour | Colours::Indexed256) = (ends, theme.colours)
    else {
        return nearer;
    };
    let mix = |from: u8, to: u8| {
        let value = f64::from(from) + (f64::from(to) - f64::from(from)) * part;
        u8::try_from(whole_u64(value.round().clamp(0.0, 255.0))).unwrap_or(u8::MAX)
    };
    let rgb = Rgb {
        red: mix(from.red, to.red),
        green: mix(from.green, to.green),
        blue: mix(from.blue, to.blue),
    };
    let background = match theme.colours {
        Colours::TrueColour => Color::Rgb(rgb.red, rgb.green, rgb.blue),
        _ => Color::Indexed(rgb.nearest_256()),
    };
    nearer.bg(background)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::view::testing::{theme, theme_ascii};

    #[test]
    fn colours_tell_the_real_ceiling_and_brightness_only_what_is_below() {
        let theme = theme();
        let mut look = Look::default();
        let plain = Palette::of(&theme, look, ShadeScale::Absolute);
        look.turn_brightness(2);
        let bright = Palette::of(&theme, look, ShadeScale::Absolute);
        for part in [0.7, 0.899, 0.9, 1.0, 5.0, f64::INFINITY] {
            assert_eq!(plain.background(part), bright.background(part), "{part}");
        }
        assert_eq!(plain.background(1.0).bg, theme.heat_full.bg);
        assert_eq!(plain.background(0.95).bg, theme.heat_alarm.bg);
        assert_eq!(plain.background(0.0).bg, theme.heat_low.bg);
        assert_eq!(plain.background(f64::NAN), plain.background(0.0));
        assert_ne!(plain.background(0.2), bright.background(0.2));
        assert_eq!(look.brightness_text(), "2.0");
        for _ in 0..9 {
            look.turn_brightness(-1);
        }
        assert_eq!(look.brightness_text(), "0.25");
    }

    #[test]
    fn relative_colours_never_look_like_a_ceiling() {
        let theme = theme();
        let relative = Palette::of(&theme, Look::default(), ShadeScale::Relative);
        let loud = [theme.heat_warn, theme.heat_alarm, theme.heat_full].map(|style| style.bg);
        for step in 0..=20 {
            let background = relative.background(f64::from(step) / 20.0);
            assert!(!loud.contains(&background.bg));
        }
    }

    #[test]
    fn signs_tell_the_same_without_colour() {
        let theme = theme_ascii();
        let palette = Palette::of(&theme, Look::default(), ShadeScale::Absolute);
        let signs = [0.0, 0.01, 0.69, 0.7, 0.9, 1.0, 3.0].map(|p| palette.sign(p, Glyphs::Ascii));
        assert_eq!(signs, [" ", ".", ".", ":", "+", "#", "#"]);
        assert_eq!(palette.sign(f64::NAN, Glyphs::Unicode), " ");
        assert_eq!(means(&theme), CellStyle::Signs);
        let all: std::collections::HashSet<&str> = ramp(Glyphs::Ascii)
            .into_iter()
            .chain([gap(Glyphs::Ascii), over(Glyphs::Ascii), THROTTLED])
            .collect();
        assert_eq!(all.len(), 8);
    }
}
