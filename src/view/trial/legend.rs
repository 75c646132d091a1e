//! What the signs of the trial view mean, for the help.

use ratatui::style::Style;

use crate::view::theme::Theme;

/// Sign, style and meaning, each sign in Unicode.
pub fn rows(theme: &Theme) -> [(&'static str, Style, &'static str); 7] {
    let signs = theme.glyphs.signs();
    [
        (
            signs.tick,
            theme.good,
            "beside a path: nothing in its form speaks against it as a key",
        ),
        (
            "△",
            theme.warn,
            "beside a path: think first; beside a map: uneven, the fullest partition beyond 1.25 times the mean",
        ),
        (
            signs.cross,
            theme.alarm,
            "beside a path: no key, for the reasons below the list",
        ),
        (
            "▲",
            theme.alarm,
            "beside a map: very uneven, the fullest partition beyond twice the mean",
        ),
        (
            "■",
            theme.alarm,
            "behind a bar of load: asked for more than it is given, requests are refused with 429",
        ),
        (
            "S",
            theme.text,
            "the fullest or busiest physical partition against the mean: 1 is even, 1/S of the RU/s can be used",
        ),
        (
            "1 to 9",
            theme.dim,
            "what a sample leaves open: the truth lies there in 95 of 100 samples",
        ),
    ]
}
