//! The line of a verdict in the columns there are: who, since when and the date of a limit are left out last.

use super::cx::Cx;
use super::glyphs::Glyphs;
use super::text;
use crate::analysis::diagnosis::Verdict;
use crate::analysis::diagnosis::card::{GAP, LIMITS};
use crate::model::names::is_guid;
use crate::model::time::Stamp;

/// What ends a part of a line without a date.
const BETWEEN_PARTS: [&str; 5] = [GAP, " · ", ", ", ": ", " and "];
const SINCE: &str = "since ";
/// What is left of a part behind the first, by what is left out: the least needed first.
const LEAST_NEEDED: [fn(&str) -> &str; 9] = [
    |part| unless(part.ends_with("iB") || part.ends_with("iB reported"), part),
    |part| unless(part.contains(" more near "), before(", ", " more", part)),
    |part| unless(part.contains(" partitions at "), part),
    |part| before(" (", ")", part),
    |part| unless(part.contains(" more by "), part),
    |part| {
        let whole = part.strip_suffix(" of requests");
        whole.or_else(|| part.strip_suffix(" of all requests")).unwrap_or(part)
    },
    |part| unless(part.starts_with("429s: "), part),
    |part| unless(part.starts_with("403s: "), part),
    |part| unless(!is_dated(part), part),
];
/// Columns of a shortened key while no more than so many parts are left out; then the fewest.
const SHORT_KEY: usize = 20;
const BEFORE_RATES: usize = 6;
const SHORTEST_KEY: usize = 8;

/// A verdict behind the name of its rule, in at most so many columns.
pub fn fitted(cx: &Cx, verdict: &Verdict, room: usize) -> String {
    let glyphs = cx.theme.glyphs;
    let with_keys = |columns| {
        let key = |json: Option<&str>| text::shorten(&cx.mask.key_text(json), columns, glyphs);
        dated(cx, verdict.since, verdict.headline.text(key))
    };
    longest(with_keys, room, glyphs)
}

/// As every screen has it: `since ≤23:55` where it may have begun before, with the day before the clock where that was a
/// day ago or more.
pub fn dated(cx: &Cx, since: Option<Stamp>, words: String) -> String {
    let Some((before, after)) = words.split_once(&[GAP, SINCE].concat()) else {
        return words;
    };
    let clock = after.trim_start_matches('≤');
    let since = since.zip(cx.now);
    let is_old = |(since, now): &(Stamp, Stamp)| now.days_since(*since) >= 1.0;
    let day = since.filter(is_old).map(|(since, _)| since.day_text(cx.year));
    let day = day.as_deref().and_then(|day| day.rsplit_once(' '));
    let day = day.filter(|(_, at)| clock.starts_with(at));
    let day = day.map_or_else(String::new, |(day, _)| format!("{day} "));
    let least = after.strip_suffix(clock).unwrap_or_default();
    format!("{before}{GAP}{SINCE}{least}{day}{clock}")
}

fn unless(is_left_out: bool, part: &str) -> &str {
    if is_left_out { "" } else { part }
}

/// `blue 61 %` of `blue 61 %, 2 more`; `since 23:24` of `since 23:24 (36 min)`.
fn before<'p>(starts: &str, ends: &str, part: &'p str) -> &'p str {
    let rest = part.strip_suffix(ends).and_then(|p| p.rsplit_once(starts));
    rest.map_or(part, |(rest, _)| rest)
}

fn is_dated(part: &str) -> bool {
    let is_limit = LIMITS.iter().any(|limit| part.starts_with(limit));
    part.starts_with(SINCE) || is_limit || part.contains(" at its end on ")
}

/// `with_keys` writes the line with its keys in at most so many columns.
fn longest(with_keys: impl Fn(usize) -> String, room: usize, glyphs: Glyphs) -> String {
    let fits = |words: &String| text::width(words, glyphs) <= room;
    let whole = with_keys(usize::MAX);
    if fits(&whole) {
        return whole;
    }
    let all = LEAST_NEEDED.len() - usize::from(!whole.split(GAP).any(is_dated));
    let tries = (0..=BEFORE_RATES).map(|left_out| (SHORT_KEY, left_out));
    let tries = tries.chain((BEFORE_RATES..=all).map(|left_out| (SHORTEST_KEY, left_out)));
    for (least, left_out) in tries {
        let of = |columns| without(&with_keys(columns), left_out);
        if fits(&of(least)) || fits(&of(room)) {
            let mut lines = (least..=room).rev().map(of);
            return lines.find(fits).unwrap_or_default();
        }
    }
    whole_parts(without(&whole, 0), room, glyphs)
}

/// Without the least needed parts, and with the starts of GUIDs in place of them; `p3` of `partition 3` before a rate goes.
fn without(words: &str, left_out: usize) -> String {
    let mut words = short_guids(&words.replace(" more full by ", " more by "));
    if left_out >= BEFORE_RATES {
        words = words.replace(" of partition ", " of p");
        words = words.strip_prefix("partition ").map_or(words.clone(), |rest| format!("p{rest}"));
    }
    let mut parts = words.split(GAP);
    let first = parts.next().unwrap_or_default();
    let cuts = &LEAST_NEEDED[..left_out];
    let rest = parts.map(|part| cuts.iter().fold(part, |part, cut| cut(part)));
    let rest = rest.filter(|part| !part.is_empty());
    let parts: Vec<&str> = std::iter::once(first).chain(rest).collect();
    parts.join(GAP)
}

/// With the starts of GUIDs in place of them.
fn short_guids(words: &str) -> String {
    let short = |word: &str| {
        let guid = Some(word).filter(|word| is_guid(word));
        guid.map_or_else(|| word.to_owned(), text::guid_start)
    };
    words.split(' ').map(short).collect::<Vec<_>>().join(" ")
}

/// As many parts of a line as fit, each whole.
pub fn whole_parts(mut words: String, room: usize, glyphs: Glyphs) -> String {
    while text::width(&words, glyphs) > room {
        let ends = BETWEEN_PARTS.iter().filter_map(|sign| words.rfind(sign));
        let Some(end) = ends.max().filter(|end| *end > 0) else {
            break;
        };
        let value = words.split_off(end);
        // A label says nothing without its value: `429s` of `429s: 288/s`.
        let label = words.rfind(GAP).filter(|at| {
            let label = words.get(at + GAP.len()..).unwrap_or_default();
            *at > 0 && value.starts_with(": ") && !label.contains(' ')
        });
        words.truncate(label.unwrap_or(end));
        // Half of what stands in brackets is no part.
        let open = words.rfind(" (");
        let is_half = |open: &usize| words.get(*open..).is_some_and(|part| !part.contains(')'));
        if let Some(open) = open.filter(is_half) {
            words.truncate(open);
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    const GUID: &str = "5b1f7c52-7d7e-4d5c-9f3f-0d3c7c5d1a2b";
    const LEVELS: &str = "Contoso / gateway / always-on";
    const RANGE: &str = "partition 3 at 100 %  KEY 61 %, 2 more  429s: 24/s  since ≤23:55";
    const FAN_OUT: &str =
        "queries without the key  10 partitions at 100 %  429s: 60,000/s  since ≤23:55";
    const FULL: &str = "KEY  20.0 GiB  403s: 60,750  since ≤23:55  14 more full by 2026-07-05";
    const OVER: &str = "KEY  19.8 GiB reported  403s: 8,342  since 2026-05-12 10:05 (3 d)";
    const NEAR: &str = "KEY  70 % of 20 GB  20 GB on 2026-09-16  14.0 GiB  1 more near 20 GB";
    const HOT: &str = "KEY  93 % of partition 0  429s: 289/s  since 22 Jun 23:24 (36 min)";

    /// A line, its key, the columns, and what stands in them.
    const FITTED: [(&str, &str, usize, &str); 17] = [
        (RANGE, "blue", 80, "partition 3 at 100 %  blue 61 %, 2 more  429s: 24/s  since ≤23:55"),
        (RANGE, "blue", 62, "partition 3 at 100 %  blue 61 %  429s: 24/s  since ≤23:55"),
        (RANGE, "blue", 50, "p3 at 100 %  blue 61 %  429s: 24/s  since ≤23:55"),
        (RANGE, "blue", 40, "p3 at 100 %  blue 61 %  since ≤23:55"),
        (
            RANGE,
            LEVELS,
            71,
            "p3 at 100 %  Contoso / gat…y / always-on 61 %  429s: 24/s  since ≤23:55",
        ),
        (FAN_OUT, "", 64, "queries without the key  429s: 60,000/s  since ≤23:55"),
        (FULL, "PLANT-1", 60, "PLANT-1  403s: 60,750  since ≤23:55  14 more by 2026-07-05"),
        (FULL, "PLANT-1", 50, "PLANT-1  403s: 60,750  since ≤23:55"),
        (OVER, "model-1", 60, "model-1  403s: 8,342  since 2026-05-12 10:05 (3 d)"),
        (OVER, GUID, 60, "5b1f7c52  403s: 8,342  since 2026-05-12 10:05 (3 d)"),
        (NEAR, LEVELS, 65, "Contoso / gateway / always-on  70 % of 20 GB  20 GB on 2026-09-16"),
        (NEAR, LEVELS, 56, "Contoso /… always-on  70 % of 20 GB  20 GB on 2026-09-16"),
        (NEAR, LEVELS, 30, "Cont…s-on  20 GB on 2026-09-16"),
        (HOT, "contoso", 66, "contoso  93 % of partition 0  429s: 289/s  since 22 Jun 23:24"),
        (HOT, "contoso", 58, "contoso  93 % of p0  429s: 289/s  since 22 Jun 23:24"),
        (HOT, "contoso", 40, "contoso  93 % of p0  since 22 Jun 23:24"),
        (HOT, "contoso", 30, "contoso  since 22 Jun 23:24"),
    ];

    #[test]
    fn who_since_when_and_the_date_of_a_limit_stay() {
        for (line, key, room, expected) in FITTED {
            let shorten = |columns| text::shorten(key, columns, Glyphs::Unicode);
            let with_keys = |columns| line.replace("KEY", &shorten(columns));
            let found = longest(with_keys, room, Glyphs::Unicode);
            assert_eq!(found, expected, "{room}");
        }
    }

    #[test]
    fn what_does_not_fit_is_left_out_in_whole_parts() {
        let cases = [
            ("  p1 at 100 %  429s: 500/s", 40, "  p1 at 100 %  429s: 500/s"),
            ("  p1 at 100 %  429s: 500/s", 24, "  p1 at 100 %"),
            ("p3 at 29 % (p99, 5 min); no 429s", 24, "p3 at 29 %"),
            ("next: name the key, nothing fixes it", 30, "next: name the key"),
            ("one split  it has two halves: 1 of 2", 34, "one split  it has two halves"),
        ];
        for (words, room, expected) in cases {
            let found = whole_parts(words.to_owned(), room, Glyphs::Unicode);
            assert_eq!(found, expected, "{words}");
        }
    }

    #[test]
    fn a_long_headline_has_the_start_of_a_guid() {
        let words = "  partition 0000a003-0000-4000-8000-00000000a003 throttles 18 %";
        assert_eq!(short_guids(words), "  partition 0000a003 throttles 18 %");
        let other = "  partition 3  contoso-0001-4000-8000-00000000a003 x";
        assert_eq!(short_guids(other), other);
    }
}
