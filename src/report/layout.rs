//! Pieces of text that people read: bars, padded columns, wrapped sentences, sizes in GiB and dates with their doubt.

use crate::analysis::ceiling::{Ceiling, MARK_ALARM, MARK_WARN};
use crate::analysis::growth::{Growth, LimitDate};
use crate::analysis::rows::{ContainerRows, KeyRow, Note, Report, UNKNOWN_CONTAINER};
use crate::model::key::{KeyDefinition, KeyKind};
use crate::model::names::ContainerName;
use crate::model::time::Stamp;
use crate::model::units::{
    KIB_PER_GIB, count_text, counted, huge_text, kib_text, percent_text, ratio_text,
};
use crate::model::visible::{display_width, shorten, shorten_column, unvisible, visible};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::key_text::{NO_VALUE, key_text};

pub use crate::analysis::growth::{limit_date_text, limit_date_words};

pub(super) const BAR_CELLS: usize = 20;
/// A twentieth of the ceiling each; the marks stand where their share begins.
const CELLS: f64 = 20.0;
const DAYS_PER_WEEK: f64 = 7.0;
/// Rows that are told apart at a time: a list may be longer than memory allows to shorten at once.
const ROWS_TOGETHER: usize = 1000;
/// A key in a sentence: longer than any GUID with a name before it.
const KEY_COLUMNS: usize = 60;

/// What a number is never torn from at the end of a line.
const UNITS: [&str; 14] =
    ["%", "B", "KiB", "MiB", "GiB", "TiB", "GB", "KB", "UTC", "RU/s", "key", "keys", "day", "days"];

/// Twenty cells, full from the ceiling on. Marks at 70 % and 90 % stay to be seen until they are reached.
pub(super) fn bar(share: f64) -> String {
    // Shares such as 0.7 lie a hair below their cell.
    let filled = share * CELLS + 1e-9;
    let mut out = String::with_capacity(BAR_CELLS * 3);
    let mut cell = 0.0;
    while cell < CELLS {
        let is_mark = [MARK_WARN, MARK_ALARM].iter().any(|mark| (mark * CELLS - cell).abs() < 0.5);
        out.push(if cell + 1.0 <= filled {
            '█'
        } else if is_mark {
            '│'
        } else {
            '░'
        });
        cell += 1.0;
    }
    out
}

/// Pads already visible text to the left edge of a column.
pub fn left(shown: &str, columns: usize) -> String {
    let missing = columns.saturating_sub(display_width(shown));
    format!("{shown}{}", " ".repeat(missing))
}

pub(super) fn right(shown: &str, columns: usize) -> String {
    let missing = columns.saturating_sub(display_width(shown));
    format!("{}{shown}", " ".repeat(missing))
}

/// Breaks already visible text at blanks; every line starts with its indent, the first with `first`.
pub fn wrap(shown: &str, width: usize, first: &str, further: &str) -> String {
    let mut out = String::from(first);
    let mut used = display_width(first);
    let mut is_start = true;
    for word in unbreakable(shown) {
        let columns = display_width(word);
        if !is_start && used + 1 + columns > width {
            // Padding inside a line is not to trail at its end.
            out.truncate(out.trim_end_matches(' ').len());
            out.push('\n');
            out.push_str(further);
            used = display_width(further);
            is_start = true;
        }
        if !is_start {
            out.push(' ');
            used += 1;
        }
        out.push_str(word);
        used += columns;
        is_start = false;
    }
    out.push('\n');
    out
}

/// The pieces of a sentence between its breakable blanks: a number stays with its unit.
fn unbreakable(shown: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(shown);
    std::iter::from_fn(move || {
        let text = rest?;
        let mut blanks = text.match_indices(' ').map(|(at, _)| at);
        let end = blanks.find(|at| {
            let (before, after) = text.split_at(*at);
            !is_number_with_unit(before, after.get(1..).unwrap_or_default())
        });
        let (piece, further) = match end {
            Some(at) => {
                let (piece, further) = text.split_at(at);
                (piece, further.strip_prefix(' '))
            }
            None => (text, None),
        };
        rest = further;
        Some(piece)
    })
}

fn is_number_with_unit(before: &str, after: &str) -> bool {
    let ends_in_digit = before.ends_with(|c: char| c.is_ascii_digit());
    let word = after.split(' ').next().unwrap_or_default();
    let unit = word.trim_matches(|c: char| matches!(c, '(' | ')' | ',' | ';' | '.' | ':'));
    ends_in_digit && UNITS.contains(&unit)
}

/// `21.60`, to stand under a heading that says GiB.
pub fn gib(kib: f64) -> String {
    let gib = kib / KIB_PER_GIB;
    if gib.abs() >= 1e5 {
        huge_text(gib)
    } else if gib > 0.0 && gib < 0.005 {
        "<0.01".to_owned()
    } else {
        ratio_text(gib)
    }
}

/// `+1.50` GiB a week; a dash where no rate is known.
pub fn gib_a_week(growth: Option<&Growth>) -> String {
    let Some(growth) = growth else {
        return "–".to_owned();
    };
    let gib = growth.kib_per_day * DAYS_PER_WEEK / KIB_PER_GIB;
    let sign = if gib < 0.0 { "-" } else { "+" };
    match gib.abs() {
        huge if huge >= 1e4 => format!("{sign}{}", huge_text(huge)),
        none if none < 0.005 => "0.00".to_owned(),
        gib => format!("{sign}{}", ratio_text(gib)),
    }
}

/// When a key reaches the limit, with the state in words: of a key that names a month or day, that it ends before.
pub fn limit_sentence(
    limit_date: &LimitDate,
    is_growth_known: bool,
    period_end: Option<Stamp>,
) -> String {
    match (limit_date, period_end) {
        (LimitDate::Over, _) => "full: writes that grow this key fail with 403".to_owned(),
        (LimitDate::Date { at, earliest, latest }, _) => {
            let latest = latest.map_or_else(|| "unknown".to_owned(), Stamp::date_text);
            let (at, earliest) = (at.date_text(), earliest.date_text());
            format!("{at} at this growth; earliest {earliest}, latest {latest}")
        }
        (LimitDate::Never, Some(end)) => {
            format!("never: the month or day in the key ends on {}", end.date_text())
        }
        (LimitDate::Never, None) => "never: it does not grow".to_owned(),
        (LimitDate::Unknown, _) if is_growth_known => {
            "unknown: the error of the sizes hides the growth, or the date is too far ahead"
                .to_owned()
        }
        (LimitDate::Unknown, _) => "unknown: the growth is unknown".to_owned(),
    }
}

/// What the shares are of: the limit by its name, or the number that was given.
pub fn limit_name(ceiling: Ceiling) -> String {
    format!("the {} limit", ceiling.name())
}

/// `account / database / container`, visible.
pub(super) fn title(name: &ContainerName) -> String {
    let known = [&name.account, &name.database].into_iter().flatten();
    let mut parts: Vec<String> = known.map(|n| visible(n).into_owned()).collect();
    parts.push(visible(name.container.as_deref().unwrap_or(UNKNOWN_CONTAINER)).into_owned());
    parts.join(" / ")
}

/// The first name, and how many others there are.
pub(super) fn first_of(names: &[String]) -> String {
    let first = names.first().cloned().unwrap_or_default();
    match names.iter().collect::<BTreeSet<_>>().len() {
        0 | 1 => first,
        all => format!("{first} and {} more", count_text(all as u64 - 1)),
    }
}

/// The title of a page: `contoso/shop/orders: hot key contoso since 23:24 (28 Jun 2026)`, visible.
pub(super) fn page_title<'n>(
    names: impl IntoIterator<Item = &'n ContainerName>,
    finding: &str,
    at: Option<Stamp>,
) -> String {
    let places = names.into_iter().map(|name| title(name).replace(" / ", "/"));
    let place = first_of(&places.collect::<Vec<_>>());
    let date = at.map_or_else(String::new, |at| format!(" ({})", at.long_date_text()));
    let gap = if place.is_empty() { "" } else { ": " };
    format!("{place}{gap}{finding}{date}")
}

/// Whether keys without an account may be those of a container that is named with it.
pub(super) fn may_be(unknown: &ContainerName, known: &ContainerName) -> bool {
    unknown.account.is_none()
        && unknown.container.is_some()
        && known.account.is_some()
        && unknown.database == known.database
        && unknown.container == known.container
}

/// The container with an account that one without may be.
pub(super) fn twin<'r>(report: &'r Report, of: &ContainerRows) -> Option<&'r ContainerRows> {
    let mut others = report.containers.iter();
    (of.name.account.is_none()).then(|| others.find(|c| may_be(&of.name, &c.name)))?
}

/// The largest key, and its container with the account where another one may be the same.
fn largest_key(report: &Report) -> Option<(&ContainerRows, &KeyRow)> {
    let (container, key) = report.keys().into_iter().next()?;
    let known = twin(report, container);
    let known = known.filter(|c| c.keys.iter().any(|row| row.key == key.key));
    Some((known.unwrap_or(container), key))
}

/// The largest key in its container.
pub(super) fn report_title(report: &Report) -> String {
    let Some((container, row)) = largest_key(report) else {
        let first = report.containers.first().map(|container| &container.name);
        return page_title(first, "key sizes", report.as_of);
    };
    let (key, share) = (key_in_sentence(row.key.as_deref()), percent_text(row.share));
    let finding = format!("key {key} at {share} of {}", limit_name(report.ceiling));
    page_title([&container.name], &finding, report.as_of)
}

/// The sentence that everything else explains, visible.
pub(super) fn headline(report: &Report) -> String {
    let limit = limit_name(report.ceiling);
    let Some((container, worst)) = largest_key(report) else {
        return if report.keys_total() > 0 {
            format!("{} reported; none is shown.", keys_text(report.keys_total()))
        } else if report.has_load {
            "No key sizes in these inputs; --view heat shows what else they hold.".to_owned()
        } else {
            "No key sizes and no load in these inputs; cosmoscope inspect shows what they hold."
                .to_owned()
        };
    };
    // Of a container and its twin, the longer list.
    let total = |of: fn(&ContainerRows) -> u64| -> u64 {
        let own = |c| of(c).saturating_sub(twin(report, c).map_or(0, of));
        report.containers.iter().map(own).sum()
    };
    let (warn, full) = (total(|c| c.marks.warn), total(|c| c.marks.full));
    let stand = counted(warn, "key is", "keys are");
    let standing = match (full, warn) {
        (0, 0) => "No key is at 70 % or more.".to_owned(),
        (0, _) => format!("{stand} at 70 % or more, none full."),
        _ => format!("{stand} at 70 % or more, {} full.", count_text(full)),
    };
    let among = match total(|c| c.keys_total) {
        1 => "the only key reported".to_owned(),
        several => format!("the largest of {} listed", keys_text(several)),
    };
    format!(
        "{} of {limit}: {} in {}, {among}{}. {standing}",
        percent_text(worst.share),
        key_in_sentence(worst.key.as_deref()),
        title(&container.name),
        when(worst.sampled_at, report.as_of),
    )
}

/// When the size was measured, and the moment from which limit dates are counted where that is on another day.
fn when(sampled_at: Option<Stamp>, as_of: Option<Stamp>) -> String {
    let measured = sampled_at.map(|at| format!(", as of {} UTC", at.minute_text()));
    let counted = as_of
        .filter(|at| sampled_at.is_none_or(|own| own.date_text() != at.date_text()))
        .map(|at| format!("; time is counted from {} UTC", at.minute_text()));
    [measured, counted].into_iter().flatten().collect()
}

/// A key may be 2,048 bytes long; in a sentence its ends are enough, and two words stand in brackets.
pub(super) fn key_in_sentence(json: Option<&str>) -> String {
    match key_text(json) {
        text if text == NO_VALUE => format!("({text})"),
        text => shorten(&text, KEY_COLUMNS),
    }
}

/// The visible names of rows in so many columns, made as they are read; different ones do not look alike.
pub(super) fn shortened<T>(
    rows: &[T],
    columns: usize,
    name_of: impl Fn(&T) -> String,
) -> impl Iterator<Item = String> {
    rows.chunks(ROWS_TOGETHER).flat_map(move |rows| {
        let names: Vec<String> = rows.iter().map(&name_of).collect();
        shorten_column(&names, columns)
    })
}

pub(super) fn keys_text(keys: u64) -> String {
    counted(keys, "key", "keys")
}

/// Where nothing is known.
pub(super) const NONE: &str = "–";

pub(super) fn optional<T>(value: Option<T>, text: impl FnOnce(T) -> String) -> String {
    value.map_or_else(|| NONE.to_owned(), text)
}

/// `key /tenantId · 10 keys · 70 %: 3 · 90 %: 2 · 100 %: 1`, visible.
pub(super) fn facts(container: &ContainerRows) -> String {
    let mut facts = Vec::new();
    if let Some(definition) = &container.definition {
        let kind = match definition.kind {
            KeyKind::Hash => "key",
            KeyKind::MultiHash => "hierarchical key",
        };
        facts.push(format!("{kind} {}", paths_text(definition)));
    }
    // Statistics list the largest keys only.
    facts.push(format!("{} listed", keys_text(container.keys_total)));
    let marks = container.marks;
    for (name, count) in
        [("at 70 % or more", marks.warn), ("at 90 % or more", marks.alarm), ("full", marks.full)]
    {
        if count > 0 {
            facts.push(format!("{} {name}", count_text(count)));
        }
    }
    facts.join(" · ")
}

/// Visible.
pub(super) fn paths_text(definition: &KeyDefinition) -> String {
    let paths = definition.paths.iter().map(|path| visible(path));
    paths.collect::<Vec<_>>().join(", ")
}

/// How uneven the container is, as far as it can be told.
pub(super) fn skew_text(container: &ContainerRows) -> Option<String> {
    if container.keys_total == 0 {
        // Of a container whose keys nobody reported, nothing is known to be small.
        return None;
    }
    let skew = &container.skew;
    let share = skew.largest_share?;
    let whole = skew.whole_of.words();
    let mut text =
        format!("largest key: {} {whole} ({})", percent_text(share), kib_text(skew.total_kib));
    if let Some(evenness) = skew.evenness_text() {
        let _ = write!(text, " · {evenness}");
    }
    Some(text)
}

/// `sizes of the reported keys: p50 1.00 GiB · … · largest 21.60 GiB`; of one key there is nothing more to say.
pub(super) fn spread_text(container: &ContainerRows) -> Option<String> {
    let distribution = container.distribution.as_ref()?;
    let quantiles = distribution.quantiles.filter(|_| distribution.keys > 1)?;
    Some(format!(
        "sizes of the reported keys: p50 {} · p90 {} · p99 {} · largest {}",
        kib_text(quantiles.p50_kib),
        kib_text(quantiles.p90_kib),
        kib_text(quantiles.p99_kib),
        kib_text(distribution.max_kib)
    ))
}

/// Notes of importers quote values that were made visible already; a code must not be coded twice.
pub(super) fn sentence(note: &Note) -> String {
    visible_once(&note.sentence()).into_owned()
}

/// The first note about an assumed date order, with the number of further ones. Reports show it next to the verdict.
pub(super) fn date_doubt(notes: &[Note]) -> Option<String> {
    let mut doubts = notes.iter().filter(|note| note.is_about_dates());
    let first = sentence(doubts.next()?);
    Some(match doubts.count() {
        0 => first,
        more => format!("{first} ({more} more in the notes)"),
    })
}

/// Notes that are still read; a folder of many files has one or two for each.
const NOTES_SHOWN: usize = 20;

/// The notes of a report, each a point of a list, and how many are left out.
pub(super) fn push_notes(notes: &[Note], width: usize, out: &mut String) {
    for note in notes.iter().take(NOTES_SHOWN) {
        out.push_str(&wrap(&sentence(note), width, "· ", "  "));
    }
    let more = notes.len().saturating_sub(NOTES_SHOWN);
    if more > 0 {
        let _ = writeln!(out, "· … {more} more notes; --format json holds all of them");
    }
}

/// Text fit for display that may have been made so already.
pub fn visible_once(text: &str) -> Cow<'_, str> {
    if unvisible(text).is_some() { text.into() } else { visible(text) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_page_is_named_by_container_finding_and_date() {
        let name = |container| ContainerName::new(Some("contoso"), Some("shop"), Some(container));
        let (orders, carts) = (name("orders"), name("carts"));
        let at = Stamp::from_seconds(1_782_687_600);
        let cases: [(&[&ContainerName], _, _); 4] = [
            (&[&orders], at, "contoso/shop/orders: hot key a (28 Jun 2026)"),
            (&[&orders, &carts, &orders], None, "contoso/shop/orders and 1 more: hot key a"),
            (&[], at, "hot key a (28 Jun 2026)"),
            (&[], None, "hot key a"),
        ];
        for (names, at, title) in cases {
            assert_eq!(page_title(names.iter().copied(), "hot key a", at), title);
        }
    }

    #[test]
    fn a_code_is_not_coded_twice() {
        let shown = visible("a\u{1b} \u{202e}").into_owned();
        assert_ne!(visible(&shown), shown);
        assert_eq!(visible_once("a\u{1b} \u{202e}"), shown);
        assert_eq!(visible_once(&shown), shown);
    }

    #[test]
    fn bars_fill_by_twentieths_and_keep_their_marks() {
        assert_eq!(bar(0.0), "░░░░░░░░░░░░░░│░░░│░");
        assert_eq!(bar(0.699), "█████████████░│░░░│░");
        assert_eq!(bar(0.7), "██████████████│░░░│░");
        assert_eq!(bar(0.9), "██████████████████│░");
        assert_eq!(bar(0.999), "███████████████████░");
        for share in [1.0, 1.05, 50.0, f64::INFINITY] {
            assert_eq!(bar(share), "█".repeat(20));
        }
        assert_eq!(bar(f64::NAN), bar(0.0));
    }

    #[test]
    fn sizes_fit_their_column() {
        let kib = [22_650_880.0, 735.0, 0.0, 1e300].map(gib);
        assert_eq!(kib, ["21.60", "<0.01", "0.00", "9.5e293"]);
    }

    #[test]
    fn sentences_wrap_at_blanks() {
        assert_eq!(wrap("one two three", 9, "- ", "  "), "- one two\n  three\n");
        assert_eq!(wrap("unbreakable", 5, "", ""), "unbreakable\n");
    }

    #[test]
    fn a_number_is_not_torn_from_its_unit() {
        let lines = |width| wrap("1 at 100 % or more, (21.60 GiB), 5 rows", width, "", "");
        assert_eq!(lines(8), "1 at\n100 % or\nmore,\n(21.60 GiB),\n5 rows\n");
        assert_eq!(lines(80).matches('\n').count(), 1);
        assert_eq!(wrap("a  5 % ", 3, "", ""), "a\n5 %\n\n");
    }

    proptest! {
        #[test]
        fn every_share_gives_twenty_cells(share in any::<f64>()) {
            prop_assert_eq!(bar(share).chars().count(), BAR_CELLS);
        }
    }
}
