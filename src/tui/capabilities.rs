//! What the terminal can show, told from the environment: colours, signs, and whether its paper is dark or light.

use crate::config;
use crate::ui::kit::glyphs::Glyphs;
use crate::ui::kit::theme::{Colours, Paper};

/// The variables that tell of the terminal. An empty one counts as none.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Surroundings {
    pub no_color: Option<String>,
    pub accessible: Option<String>,
    pub colorterm: Option<String>,
    pub term: Option<String>,
    pub term_program: Option<String>,
    pub lc_all: Option<String>,
    pub lc_ctype: Option<String>,
    pub lang: Option<String>,
    pub colorfgbg: Option<String>,
}

impl Surroundings {
    /// As they are now; the one place that reads them.
    #[expect(clippy::disallowed_methods, reason = "the terminal's wishes are in the environment")]
    pub fn read() -> Self {
        let value = |name| std::env::var(name).ok().filter(|value: &String| !value.is_empty());
        Self {
            no_color: value("NO_COLOR"),
            accessible: value("ACCESSIBLE"),
            colorterm: value("COLORTERM"),
            term: value("TERM"),
            term_program: value("TERM_PROGRAM"),
            lc_all: value("LC_ALL"),
            lc_ctype: value("LC_CTYPE"),
            lang: value("LANG"),
            colorfgbg: value("COLORFGBG"),
        }
    }
}

/// Terminals that show every colour and say so by their name only.
const TRUE_TERMS: &[&str] = &["kitty", "alacritty", "foot", "wezterm", "ghostty", "contour"];
const TRUE_PROGRAMS: &[&str] = &["iTerm.app", "WezTerm", "vscode", "ghostty", "Hyper", "rio"];
/// Terminals of one colour.
const BARE_TERMS: &[&str] = &["dumb", "vt52", "vt100", "vt102", "vt220", "vt320", "xterm-mono"];

/// The colours to draw with: as the settings say, else as the terminal is known to show.
pub fn colours(s: &Surroundings, wanted_by: config::ColourSetting) -> Colours {
    match wanted_by {
        config::ColourSetting::Auto if s.no_color.is_some() => Colours::None,
        config::ColourSetting::Auto => depth(s),
        config::ColourSetting::True => Colours::TrueColour,
        config::ColourSetting::Indexed256 => Colours::Indexed256,
        config::ColourSetting::Basic16 => Colours::Basic16,
        config::ColourSetting::None => Colours::None,
    }
}

fn depth(s: &Surroundings) -> Colours {
    let Some(term) = s.term.as_deref() else {
        // Consoles of Windows set no TERM and have shown every colour for years.
        return if cfg!(windows) { Colours::TrueColour } else { Colours::Basic16 };
    };
    if BARE_TERMS.contains(&term) {
        return Colours::None;
    }
    let program = s.term_program.as_deref().unwrap_or_default();
    let says_true = matches!(s.colorterm.as_deref(), Some("truecolor" | "24bit"));
    // GNU screen hands COLORTERM on from the terminal around it and shows 256 colours.
    let hands_on = term.starts_with("screen") && program != "tmux";
    let known_true = term.ends_with("-direct")
        || TRUE_TERMS.iter().any(|name| term.contains(name))
        || TRUE_PROGRAMS.contains(&program);
    if (says_true && !hands_on) || known_true {
        Colours::TrueColour
    } else if term.contains("256color") || program == "Apple_Terminal" {
        Colours::Indexed256
    } else {
        Colours::Basic16
    }
}

/// Unicode only where the locale says UTF-8: elsewhere its bytes would be shown one by one.
pub fn glyphs(s: &Surroundings) -> Glyphs {
    let locale = s.lc_all.as_ref().or(s.lc_ctype.as_ref()).or(s.lang.as_ref());
    let is_utf8 = locale.map_or(cfg!(windows), |locale| {
        let locale = locale.to_ascii_lowercase();
        locale.contains("utf-8") || locale.contains("utf8")
    });
    if is_utf8 { Glyphs::Unicode } else { Glyphs::Ascii }
}

/// The paper, where the terminal tells it: `foreground;background` as numbers of the 16 colours.
pub fn paper(s: &Surroundings) -> Option<Paper> {
    let background = s.colorfgbg.as_deref()?.rsplit(';').next()?;
    match background.parse().ok()? {
        7 | 9..=15 => Some(Paper::Light),
        0..=8 => Some(Paper::Dark),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terminal(term: &str) -> Surroundings {
        Surroundings { term: Some(term.to_owned()), ..Surroundings::default() }
    }

    #[test]
    fn the_depth_is_what_the_terminal_shows() {
        let auto = |s: &Surroundings| colours(s, config::ColourSetting::Auto);
        for (term, expected) in [
            ("xterm", Colours::Basic16),
            ("linux", Colours::Basic16),
            ("xterm-256color", Colours::Indexed256),
            ("tmux-256color", Colours::Indexed256),
            ("xterm-kitty", Colours::TrueColour),
            ("xterm-direct", Colours::TrueColour),
            ("vt100", Colours::None),
        ] {
            assert_eq!(auto(&terminal(term)), expected, "{term}");
        }
        let says_true = |term: &str, program: Option<&str>| Surroundings {
            colorterm: Some("truecolor".to_owned()),
            term_program: program.map(str::to_owned),
            ..terminal(term)
        };
        assert_eq!(auto(&says_true("xterm", None)), Colours::TrueColour);
        assert_eq!(auto(&says_true("screen.xterm-256color", None)), Colours::Indexed256);
        assert_eq!(auto(&says_true("screen-256color", Some("tmux"))), Colours::TrueColour);
    }

    #[test]
    fn the_settings_win_over_no_color_and_no_color_over_the_terminal() {
        let mut s = terminal("xterm-kitty");
        s.no_color = Some("1".to_owned());
        assert_eq!(colours(&s, config::ColourSetting::Auto), Colours::None);
        assert_eq!(colours(&s, config::ColourSetting::Basic16), Colours::Basic16);
        s.no_color = None;
        assert_eq!(colours(&s, config::ColourSetting::None), Colours::None);
    }

    #[test]
    fn signs_follow_the_first_locale_that_is_set() {
        let locale = |all: &str, ctype: &str, lang: &str| {
            let some = |text: &str| Some(text.to_owned()).filter(|t| !t.is_empty());
            glyphs(&Surroundings {
                lc_all: some(all),
                lc_ctype: some(ctype),
                lang: some(lang),
                ..Surroundings::default()
            })
        };
        assert_eq!(locale("", "", "de_DE.UTF-8"), Glyphs::Unicode);
        assert_eq!(locale("", "C.utf8", "C"), Glyphs::Unicode);
        assert_eq!(locale("C", "C.UTF-8", "C.UTF-8"), Glyphs::Ascii);
        assert_eq!(locale("", "", "de_DE@euro"), Glyphs::Ascii);
    }

    #[test]
    fn the_paper_is_the_last_number() {
        let told = |text: &str| {
            paper(&Surroundings { colorfgbg: Some(text.to_owned()), ..Surroundings::default() })
        };
        assert_eq!(told("15;0"), Some(Paper::Dark));
        assert_eq!(told("0;default;15"), Some(Paper::Light));
        assert_eq!(told("0;7"), Some(Paper::Light));
        assert_eq!(told("7;8"), Some(Paper::Dark));
        for unknown in ["", ";", "0;default", "0;16", "0;-1"] {
            assert_eq!(told(unknown), None, "{unknown}");
        }
    }
}
