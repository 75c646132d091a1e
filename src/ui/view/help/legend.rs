//! What colours, marks and signs mean.

use ratatui::style::Style;
use ratatui::text::Span;

use super::Table;
use crate::analysis::ceiling::Mark;
use crate::ui::kit::theme::Theme;
use crate::ui::view::{heat, trial};

/// Marks with what they ask for.
const MARKS: [(Mark, &str, &str); 4] = [
    (Mark::Below, " 45 %", "below 70 % of what one logical partition may hold"),
    (Mark::Warn, " 75 %", "from 70 % on: plan another key now"),
    (Mark::Alarm, " 95 %", "from 90 % on: little time is left, a migration takes weeks"),
    (Mark::Full, "108 %", "from 100 % on: writes that make it larger get 403 (sub-status 1014)"),
];
const SAMPLE_CELLS: usize = 4;

pub(super) fn write(table: &mut Table<'_>) {
    let theme = table.theme;
    let signs = theme.glyphs.signs();
    table.heading("Colours and signs");
    for (mark, share, meaning) in MARKS {
        let cells = signs.bar_full.repeat(SAMPLE_CELLS);
        let first = vec![
            Span::styled(cells, theme.fill(mark)),
            Span::raw(" "),
            Span::styled(share, theme.mark(mark)),
        ];
        table.row(first, meaning, "");
    }
    let rows = [
        (signs.bar_mark, theme.bar_mark, "in a bar: where 70 % and 90 % are"),
        (signs.bar_over, theme.full, "at the end of a bar: more than the whole"),
        ("● ○ ·", theme.text, "a verdict: an alarm, a warning, a note"),
        (signs.cursor, theme.accent, "the chosen row"),
        (signs.marked, theme.marked_row, "a marked row"),
        (signs.unknown, theme.dim, "not known, which is not zero"),
        (
            "±",
            theme.text,
            "a date or a rate with its doubt: sizes come in steps of 1 % of a physical partition",
        ),
        ("␛", theme.code, "a character that could act on the terminal, shown as its code"),
        (
            "…#3f9a…",
            theme.dim,
            "a shortened key that would look like another one, with a hash of the whole key",
        ),
        ("12 d", theme.stale, "old data: it stays, and says how old it is"),
    ];
    for (sign, style, meaning) in rows.into_iter().chain(of_heat(theme)) {
        let sign = theme.glyphs.sentence(sign).into_owned();
        table.row(vec![Span::styled(sign, style)], meaning, "");
    }
    for (sign, meaning) in trial::legend::rows(theme) {
        table.row(vec![sign], meaning, "");
    }
    table.row(
        vec![Span::styled("at least", theme.text)],
        "statistics list only large keys: other keys are smaller and not reported, a sum is at least this much",
        "",
    );
}

/// Signs of the heat map.
fn of_heat(theme: &Theme) -> [(&'static str, Style, &'static str); 8] {
    let signs = theme.glyphs.signs();
    [
        (
            heat::OVER_SIGN,
            theme.heat_full,
            "in the heat map: at or over what the partition can give",
        ),
        (
            heat::REFUSED_SIGN,
            theme.alarm,
            "in the heat map: requests were throttled (429); ≤ the most in a cell",
        ),
        (heat::GAP_SIGN, theme.bar_track, "in the heat map: no data, which is not zero"),
        (
            "▌",
            theme.heat_full,
            "in the heat map: two cells of time share a column, or two partitions a row",
        ),
        (
            signs.marked,
            theme.accent,
            "in the heat map: the cell under the cursor, in the chosen row",
        ),
        (signs.down, theme.accent, "above the heat map: its column"),
        (signs.dot, theme.accent, "in the heat map: the pinned cell"),
        ("≠", theme.warning, "the hash of the key belongs to another partition than the log names"),
    ]
}
