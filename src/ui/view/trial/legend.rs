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
            "beside a path: nothing in its form speaks against it as a key",
        ),
        (
            mark_sign(Mark::Warn, theme),
            "beside a path: think first; beside a key's partitions: uneven, the fullest beyond 1.25 times the mean",
        ),
        (
            Span::styled(signs.cross, theme.alarm),
            "beside a path: no key, for the reasons told with it",
        ),
        (
            mark_sign(Mark::Alarm, theme),
            "beside a key's partitions: very uneven, the fullest beyond twice the mean",
        ),
        (
            mark_sign(Mark::Full, theme),
            "behind the load of a partition: asked for more than it is given, requests are refused with 429",
        ),
        (
            Span::styled("S", theme.text),
            "the fullest or busiest physical partition against the mean: 1 is even, 1/S of the RU/s can be used",
        ),
        (
            Span::styled("1 to 9", theme.dim),
            "what a sample leaves open: the truth lies there in 95 of 100 samples",
        ),
    ]
}
