//! A report for people at a terminal.
//!
//! ```text
//! The fullest of 27 keys is tenant-0002 in … : 108.0 % of the 20 GB limit, as of …
//!
//! account / database / container
//!   key /tenantId · 10 keys · 2 at 70 % or more · …
//!   key                      70% 90%       %      GiB  GiB/week wall
//!   tenant-0002 ████████████████████ 108.0 %    21.60     +0.75 over the limit
//! notes
//! ```

use std::fmt::Write as _;
use std::io::{self, Write};

use crate::analysis::ceiling::Mark;
use crate::analysis::rows::{ContainerRows, KeyRow, Report, SizeOf};
use crate::model::units::{count_text, kib_text, percent_text};
use crate::model::visible::{display_width, shorten};

use super::key_text::key_text;
use super::layout::{
    BAR_CELLS, bar, facts, gib, gib_a_week, headline, keys_text, left, push_notes, right, sentence,
    skew_text, spread_text, title, wall_text, wrap,
};
use super::{Colour, Style};

/// Columns of a row beside the key: indent, bar, percent, size, growth, wall, and the blanks between them.
const BESIDE_KEY: usize = 2 + 1 + BAR_CELLS + 1 + PERCENT + 1 + SIZE + 1 + GROWTH + 1 + WALL;
const PERCENT: usize = 8;
const SIZE: usize = 8;
const GROWTH: usize = 9;
const WALL: usize = 15;
/// A key column narrower than this tells nothing; the line then runs over the edge.
const NARROWEST_KEY: usize = 10;
/// Prefixes of each level that are worth a line.
const PREFIXES_SHOWN: usize = 3;
/// Containers told of in a line each.
const OTHERS_SHOWN: usize = 20;
const INDENT: &str = "  ";

pub fn write(report: &Report, style: Style, to: &mut dyn Write) -> io::Result<()> {
    to.write_all(wrap(&headline(report), style.width, "", "").as_bytes())?;
    let key_columns = key_columns(report, style.width);
    let (shown, others): (Vec<_>, Vec<_>) = report.containers.iter().partition(|c| is_shown(c));
    for container in shown {
        let mut out = String::from("\n");
        push_head(container, style, &mut out);
        if !container.keys.is_empty() {
            push_columns(key_columns, &mut out);
        }
        for row in &container.keys {
            push_row(row, report, key_columns, style, &mut out);
        }
        push_foot(container, style.width, &mut out);
        to.write_all(out.as_bytes())?;
    }
    let mut out = String::new();
    push_others(&others, style.width, &mut out);
    out.push('\n');
    push_notes(&report.notes, style.width, &mut out);
    for step in next_steps(report) {
        out.push_str(&wrap(&step, style.width, "> ", INDENT));
    }
    to.write_all(out.as_bytes())
}

fn key_columns(report: &Report, width: usize) -> usize {
    let rows = report.containers.iter().flat_map(|c| &c.keys);
    let longest = rows.map(|r| display_width(&row_key(r))).max().unwrap_or(0);
    let room = width.saturating_sub(BESIDE_KEY);
    longest.min(room).max(NARROWEST_KEY)
}

pub(super) fn row_key(row: &KeyRow) -> String {
    let key = key_text(row.key.as_deref());
    match row.size_of {
        SizeOf::Key => key,
        SizeOf::Prefix => format!("at least: {key}"),
    }
}

fn push_head(container: &ContainerRows, style: Style, out: &mut String) {
    let title = shorten(&title(&container.name), style.width.max(NARROWEST_KEY));
    match style.colour {
        Colour::Off => out.push_str(&title),
        Colour::On => {
            let _ = write!(out, "\x1b[1m{title}\x1b[0m");
        }
    }
    out.push('\n');
    out.push_str(&wrap(&facts(container), style.width, INDENT, INDENT));
    if let Some(skew) = skew_text(container) {
        out.push_str(&wrap(&skew, style.width, INDENT, INDENT));
    }
    if let Some(spread) = spread_text(container) {
        out.push_str(&wrap(&spread, style.width, INDENT, INDENT));
    }
}

fn push_columns(key_columns: usize, out: &mut String) {
    let line = format!(
        "{INDENT}{} {:>18}   {:>PERCENT$} {:>SIZE$} {:>GROWTH$} wall\n",
        left("key", key_columns),
        "70% 90%",
        "%",
        "GiB",
        "GiB/week",
    );
    out.push_str(&line);
}

fn push_row(row: &KeyRow, report: &Report, key_columns: usize, style: Style, out: &mut String) {
    let (width, colour) = (style.width, style.colour);
    let paint = |text: String| match (colour, Mark::of(row.share)) {
        (Colour::Off, _) | (Colour::On, Mark::Below) => text,
        (Colour::On, Mark::Warn) => format!("\x1b[33m{text}\x1b[0m"),
        (Colour::On, Mark::Alarm) => format!("\x1b[31m{text}\x1b[0m"),
        (Colour::On, Mark::Full) => format!("\x1b[1;31m{text}\x1b[0m"),
    };
    let key = row_key(row);
    let mut beside = key.as_str();
    if display_width(&key) > key_columns {
        // Cut to the column, keys of several levels would look alike.
        let _ = writeln!(
            out,
            "{INDENT}{}",
            shorten(&key, width.saturating_sub(INDENT.len()).max(NARROWEST_KEY))
        );
        beside = "";
    }
    let _ = writeln!(
        out,
        "{INDENT}{} {} {} {} {} {}",
        left(beside, key_columns),
        paint(bar(row.share)),
        paint(right(&percent_text(row.share), PERCENT)),
        right(&gib(row.size_kib), SIZE),
        right(&gib_a_week(row.growth.as_ref()), GROWTH),
        wall_text(&row.wall, report.as_of),
    );
}

fn push_foot(container: &ContainerRows, width: usize, out: &mut String) {
    let hidden = container
        .keys_total
        .saturating_sub(container.keys.len() as u64);
    if hidden > 0 {
        let more = if container.keys.is_empty() {
            ""
        } else {
            "more "
        };
        let keys = if hidden == 1 { "key" } else { "keys" };
        let _ = writeln!(
            out,
            "{INDENT}… {} {more}{keys} reported, not shown",
            count_text(hidden)
        );
    }
    let mut shown = [0_usize; 2];
    for prefix in &container.prefixes {
        let Some(count) = prefix
            .levels
            .checked_sub(1)
            .and_then(|level| shown.get_mut(level))
        else {
            continue;
        };
        *count += 1;
        if *count <= PREFIXES_SHOWN {
            let size = kib_text(prefix.kib);
            let text = format!(
                "{} / …: at least {size} in {}",
                key_text(Some(&prefix.key)),
                keys_text(prefix.keys)
            );
            out.push_str(&wrap(&text, width, INDENT, "    "));
        }
    }
    for note in &container.notes {
        out.push_str(&wrap(&sentence(note), width, INDENT, INDENT));
    }
}

/// A container none of whose keys is among the largest takes a line, unless it has no keys at all to be told of.
fn is_shown(container: &ContainerRows) -> bool {
    !container.keys.is_empty() || container.keys_total == 0
}

fn push_others(others: &[&ContainerRows], width: usize, out: &mut String) {
    if !others.is_empty() {
        out.push_str("\nwithout a key among those shown\n");
    }
    for container in others.iter().take(OTHERS_SHOWN) {
        let size = kib_text(container.largest_kib);
        let keys = format!("{} listed", keys_text(container.keys_total));
        let line = format!("{}: {keys}, the largest {size}", title(&container.name));
        out.push_str(&wrap(&line, width, INDENT, "    "));
    }
    if let Some(more) = others.len().checked_sub(OTHERS_SHOWN).filter(|n| *n > 0) {
        let _ = writeln!(out, "{INDENT}… {more} more containers");
    }
}

fn next_steps(report: &Report) -> Vec<String> {
    let mut steps = Vec::new();
    if report.keys_shown() < report.keys_total() {
        steps.push("--top N shows more keys; --format json and csv hold all of them".to_owned());
    }
    if report.keys_total() > 0 {
        steps.push("cosmoscope check PATH… ends with code 1 when a key nears the limit; diff A B tells what changed".to_owned());
    }
    steps
}

#[cfg(test)]
mod tests;
