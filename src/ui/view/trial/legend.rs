//! What the signs of the trial view mean, for the help.

use ratatui::text::Span;

use crate::analysis::ceiling::Mark;
use crate::ui::kit::sign::mark_sign;
use crate::ui::kit::theme::Theme;

/// Each sign with its meaning.
pub fn rows(theme: &Theme) -> [(Span<'static>, &'static str); 7] {
    let signs = theme.glyphs.signs();
    [
        (
            Span::styled(signs.tick, theme.good),
            "with a path: nothing in its form speaks against it as a key",
        ),
        (
            mark_sign(Mark::Warn, theme),
            "with a path: caution; with the partitions of a key: imbalance over 1.25",
        ),
        (
            Span::styled(signs.cross, theme.alarm),
            "with a path: cannot be a key, for the reasons next to it",
        ),
        (mark_sign(Mark::Alarm, theme), "with the partitions of a key: imbalance over 2"),
        (
            Span::styled("!", theme.alarm),
            "429, behind the load of a partition: demand over its RU/s, requests are throttled (429)",
        ),
        (
            Span::styled("~", theme.text),
            "assumed or estimated: a click, or the key for assumptions, sets the value",
        ),
        (Span::styled("1 to 9", theme.dim), "what a sample leaves open, with 95 %"),
    ]
}
