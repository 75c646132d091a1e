//! What each kind of thing on the screen looks like: one style per role, from a theme file, for the colours there are.

use ratatui::style::{Modifier, Style};
use serde::Deserialize;

use super::colour::Look;
use super::glyphs::Glyphs;
use crate::analysis::ceiling::Mark;
use crate::analysis::findings::Severity;
use crate::model::visible::visible;

pub use super::colour::{Colours, Paper};

/// The built-in themes: name and text.
pub const THEMES: [(&str, &str); 3] = [
    ("dark", include_str!("../../../assets/themes/dark.toml")),
    ("light", include_str!("../../../assets/themes/light.toml")),
    ("colour-blind", include_str!("../../../assets/themes/colour-blind.toml")),
];

const PLAIN: Modifier = Modifier::empty();
const BOLD: Modifier = Modifier::BOLD;
const DIM: Modifier = Modifier::DIM;
const UNDERLINED: Modifier = Modifier::UNDERLINED;
const REVERSED: Modifier = Modifier::REVERSED;

/// Writes the roles once: as the fields of [`Theme`], as the lines of a theme file, and as the list of both.
macro_rules! roles {
    ($($(#[$doc:meta])* $role:ident: $bare:expr,)*) => {
        /// A style for every role; `glyphs` and `colours` say what the terminal can show.
        #[derive(Clone, PartialEq, Debug)]
        pub struct Theme {
            pub glyphs: Glyphs,
            pub colours: Colours,
            pub paper: Paper,
            $($(#[$doc])* pub $role: Style,)*
        }

        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct File {
            paper: Paper,
            $($role: Look,)*
        }

        impl Theme {
            fn of(file: &File, colours: Colours, glyphs: Glyphs) -> Self {
                Self {
                    glyphs,
                    colours,
                    paper: file.paper,
                    $($role: file.$role.style(colours, file.paper, $bare),)*
                }
            }

            /// Every role by its name, as the theme files write it.
            pub fn roles(&self) -> Vec<(&'static str, Style)> {
                vec![$((stringify!($role), self.$role)),*]
            }
        }
    };
}

// Beside each role stands what it looks like without any colour.
roles! {
    /// Everything without a role of its own: the terminal's own foreground.
    text: PLAIN,
    /// What is there but says little: units, separators, cut marks.
    dim: DIM,
    /// Headings of panels and columns.
    title: BOLD,
    /// Names that matter: the account, the open container.
    accent: BOLD,
    /// The chosen entry of a list, menu or row of tabs.
    selected: REVERSED,
    /// Laid over the whole row the cursor is on; it brings a background only, so that the cells keep their colours.
    cursor_row: REVERSED,
    /// The sign and the key of a marked row.
    marked_row: BOLD.union(UNDERLINED),
    /// What a filter found inside a text.
    found: UNDERLINED,
    border: DIM,
    border_focused: BOLD,
    /// The key of a key hint.
    key_hint: BOLD,
    /// What the key does.
    hint: PLAIN,
    /// The status line.
    status: PLAIN,
    /// The text typed into a prompt.
    input: PLAIN,
    /// Something that went well.
    good: PLAIN,
    /// Something to know that is no failure.
    warning: BOLD,
    /// Something that failed.
    error: BOLD.union(REVERSED),
    /// A share below every mark.
    below: PLAIN,
    /// A share from 70 % on.
    warn: BOLD,
    /// A share from 90 % on.
    alarm: BOLD.union(UNDERLINED),
    /// A share from 100 % on.
    full: BOLD.union(REVERSED),
    /// The empty part of a bar, and the gaps of a sparkline.
    bar_track: DIM,
    /// The marks at 70 % and 90 % inside a bar.
    bar_mark: PLAIN,
    sparkline: PLAIN,
    /// A character that is shown as its code.
    code: UNDERLINED,
    /// What was true once: old data.
    stale: DIM,
    /// A short word in a box: `masked`, `sampled`.
    badge: REVERSED,
    /// A cell of the heat map where nothing happens; below 70 % the ground goes on to `heat_below`.
    heat_low: PLAIN,
    heat_below: PLAIN,
    /// From 70 %, 90 % and 100 % on of what a partition can give.
    heat_warn: PLAIN,
    heat_alarm: BOLD,
    heat_full: BOLD.union(REVERSED),
    /// The highest of a map whose colours tell no ceiling.
    heat_relative: PLAIN,
    /// A line that stays until its reason is gone.
    banner: REVERSED.union(BOLD),
}

impl Theme {
    /// A sentence of this weight.
    pub fn severity(&self, severity: Severity) -> Style {
        match severity {
            Severity::Alarm => self.alarm,
            Severity::Warn => self.warn,
            Severity::Note => self.text,
        }
    }

    /// A built-in theme; none if there is none of that name.
    pub fn named(name: &str, colours: Colours, glyphs: Glyphs) -> Option<Self> {
        let (_, text) = THEMES.iter().find(|(known, _)| *known == name)?;
        Self::parse(text, colours, glyphs).ok()
    }

    /// Reads a theme file: every role must be there and nothing else; an error says what is wrong.
    pub fn parse(text: &str, colours: Colours, glyphs: Glyphs) -> Result<Self, String> {
        let file: File = toml::from_str(text).map_err(|e| visible(e.message()).into_owned())?;
        Ok(Self::of(&file, colours, glyphs))
    }

    /// The style of a text about a share of the ceiling.
    pub fn mark(&self, mark: Mark) -> Style {
        match mark {
            Mark::Below => self.below,
            Mark::Warn => self.warn,
            Mark::Alarm => self.alarm,
            Mark::Full => self.full,
        }
    }

    /// The style of the filled cells of a bar: the mark's own colour as ink, for a block on a coloured ground would
    /// look like its opposite.
    pub fn fill(&self, mark: Mark) -> Style {
        let style = self.mark(mark);
        let ink =
            if style.add_modifier.contains(REVERSED) { style.fg } else { style.bg.or(style.fg) };
        let fill = Style::new();
        ink.map_or(fill, |colour| fill.fg(colour))
    }
}

/// The theme that comes next in the round.
pub fn name_after(name: &str) -> &'static str {
    let at = THEMES.iter().position(|(known, _)| *known == name);
    let next = at.map_or(0, |at| at + 1);
    THEMES.iter().cycle().nth(next).map_or("", |(name, _)| name)
}

#[cfg(test)]
mod tests;
