//! Filters that say what they mean, read back what they write, and tell the column of a slip.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

use super::*;
use crate::analysis::grammar::Completion;

mod random;

#[derive(Clone, Debug)]
struct Key {
    text: String,
    gib: f64,
    growth: Option<f64>,
    limit_date: LimitDay,
    ru: Option<f64>,
    partition: Option<String>,
    region: Option<String>,
    samples: u64,
}

impl FilterRow for Key {
    fn text(&self) -> Cow<'_, str> {
        (&*self.text).into()
    }
    fn size_kib(&self) -> f64 {
        self.gib * 1_048_576.0
    }
    fn share(&self) -> f64 {
        self.gib / 20.0
    }
    fn growth_kib_per_day(&self) -> Option<f64> {
        self.growth
    }
    fn limit_date(&self) -> LimitDay {
        self.limit_date
    }
    fn ru(&self) -> Option<f64> {
        self.ru
    }
    fn partition(&self) -> Option<&str> {
        self.partition.as_deref()
    }
    fn region(&self) -> Option<&str> {
        self.region.as_deref()
    }
    fn samples(&self) -> u64 {
        self.samples
    }
}

/// 2026-06-22.
const TODAY: i32 = 20_626;

fn key(text: &str, gib: f64) -> Key {
    Key {
        text: text.to_owned(),
        gib,
        growth: None,
        limit_date: LimitDay::Unknown,
        ru: None,
        partition: None,
        region: None,
        samples: 1,
    }
}

fn giant() -> Key {
    Key {
        growth: Some(1_048_576.0 / 7.0),
        limit_date: LimitDay::Day(TODAY + 9),
        ru: Some(250.0),
        partition: Some("3".to_owned()),
        region: Some("West Europe".to_owned()),
        samples: 8,
        ..key("Contoso / tenant-0001", 18.0)
    }
}

fn basis() -> FilterBasis {
    FilterBasis { as_of_day: Some(TODAY), ..FilterBasis::default() }
}

#[track_caller]
fn filter(text: &str) -> Filter {
    match parse(text, basis()) {
        ParsedFilter::Complete(filter) => filter,
        other => panic!("{text}: {other:?}"),
    }
}

#[track_caller]
fn assert_passes(row: &Key, texts: &[&str]) {
    for text in texts {
        assert!(filter(text).passes(row), "{text} should pass");
    }
}

#[track_caller]
fn assert_fails(row: &Key, texts: &[&str]) {
    for text in texts {
        assert!(!filter(text).passes(row), "{text} should fail");
    }
}

#[test]
fn every_comparison_looks_at_its_value() {
    let row = giant();
    assert_passes(
        &row,
        &[
            "",
            "  ",
            "contoso",
            "Contoso",
            "\"so / te\"",
            "contoso tenant",
            "x or contoso",
            "not x",
            "!x",
            "!!contoso",
            "(x or contoso) tenant",
            "contoso and tenant",
            "size>14GiB",
            "size > 14 GiB",
            "size>=18gb",
            "size=18GiB",
            "SIZE<19GiB",
            "size!=0",
            "share>=70%",
            "share>=0.9",
            "share=90 %",
            "share<1",
            "growth>0",
            "growth>=1GiB/week",
            "growth<5GiB/month",
            "date<30d",
            "date<2w",
            "date<2026-12-01",
            "date=2026-07-01",
            "date!=never",
            "date!=unknown",
            "ru>100",
            "ru==250",
            "partition=3",
            "partition!=4",
            "region=\"West Europe\"",
            "region=westeurope",
            "samples>=5",
            "mark=nearly",
            "mark!=full",
            "not mark=fine",
        ],
    );
    assert_fails(
        &row,
        &[
            "CONTOSO",
            "contoso x",
            "not contoso",
            "size>18GiB",
            "size<1TiB size<1MB",
            "growth>1GiB/week",
            "growth<-1KiB/day",
            "date>9d",
            "date=over",
            "date=never",
            "ru<=100",
            "partition=33",
            "region=east",
            "samples<8",
            "mark=over",
            "mark=filling",
        ],
    );
}

#[test]
fn what_is_not_known_passes_no_comparison() {
    let row = key("a", f64::NAN);
    for name in ["growth", "ru"] {
        for op in ["<", "<=", ">", ">=", "=", "!="] {
            assert_fails(&row, &[&format!("{name}{op}0")]);
        }
    }
    assert_fails(
        &row,
        &[
            "size<1GiB",
            "size!=0",
            "share<1",
            "mark=fine",
            "mark!=full",
            "date<30d",
            "date>30d",
            "date!=never",
            "partition!=3",
            "region!=x",
        ],
    );
    assert_passes(&row, &["date=unknown", "not growth=0", "not date=never"]);
}

#[test]
fn over_comes_before_every_day_and_never_after() {
    let over = Key { limit_date: LimitDay::Over, ..key("a", 21.6) };
    assert_passes(&over, &["date<0d", "date=over", "mark=over", "mark=full", "date!=never"]);
    assert_fails(&over, &["date>0d", "date=2026-07-01"]);
    let never = Key { limit_date: LimitDay::Never, ..key("a", 1.0) };
    assert_passes(&never, &["date>2026-12-01", "date=never", "date!=over"]);
    assert_fails(&never, &["date<9999-12-31", "date=unknown"]);
    let undated = parse("date<30d", FilterBasis::default());
    let ParsedFilter::Complete(undated) = undated else { panic!("{undated:?}") };
    assert!(!undated.passes(&giant()));
}

#[test]
fn gigabytes_can_be_decimal() {
    let decimal = FilterBasis { has_decimal_gb: true, ..basis() };
    let row = key("a", 19.1);
    let passes = |text| match parse(text, decimal) {
        ParsedFilter::Complete(filter) => filter.passes(&row),
        other => panic!("{other:?}"),
    };
    assert!(passes("size>20GB") && !passes("size>20GiB"));
    assert_fails(&row, &["size>20GB"]);
}

#[test]
fn text_of_a_filter_is_canonical() {
    for (typed, shown) in [
        ("  a   b ", "a b"),
        ("a and (b c)", "a b c"),
        ("(a) or (b or c)", "a or b or c"),
        ("a(b or c)", "a (b or c)"),
        ("a b or c", "a b or c"),
        ("!(!a)", "a"),
        ("not (a or b)", "not (a or b)"),
        ("!size > 14 gib", "not size>14GiB"),
        ("Share==70 %", "share=70%"),
        ("growth<-1.50mb / WEEK".replace(" / ", "/").as_str(), "growth<-1.5MB/week"),
        ("date=NEVER", "date=never"),
        ("date<2026-12-01", "date<2026-12-01"),
        ("date<030d", "date<30d"),
        ("region=\"West Europe\"", "region=\"West Europe\""),
        ("\"or\" \"x\" \"\" \"a\\\"\\\\b\"", "\"or\" x \"\" \"a\\\"\\\\b\""),
        ("size>0 \"gib\"", "size>0 \"gib\""),
        ("or=x".replace("or=x", "abc~").as_str(), "abc~"),
        ("over full wow! a\"b", "over full \"wow!\" \"a\\\"b\""),
    ] {
        assert_eq!(filter(typed).to_string(), shown, "{typed}");
        assert_eq!(filter(shown), filter(typed), "{typed}");
    }
}

#[test]
fn what_may_yet_become_a_filter_is_incomplete() {
    for (text, column) in [
        ("size>", 5),
        ("size> ", 6),
        ("size!", 5),
        ("size>14", 7),
        ("size>14.", 8),
        ("size>14G", 7),
        ("size>14 Gi", 8),
        ("contoso size>14", 15),
        ("growth>-", 8),
        ("growth>1GiB", 11),
        ("growth>1GiB/", 12),
        ("growth>1GiB/we", 12),
        ("share>=70", 9),
        ("date<", 5),
        ("date<3", 6),
        ("date<2026-1", 11),
        ("date=nev", 5),
        ("mark=", 5),
        ("mark=fil", 5),
        ("ru>", 3),
        ("samples>=", 9),
        ("partition=", 10),
        ("region=\"West", 12),
        ("\"a", 2),
        ("\"a\\\"", 4),
        ("(a or b", 7),
        ("(", 1),
        ("a or", 4),
        ("a not", 5),
        ("!", 1),
        ("or", 0),
        ("a and ", 6),
        ("ä size>", 7),
    ] {
        match parse(text, basis()) {
            ParsedFilter::Incomplete(expected) => assert_eq!(expected.column, column, "{text}"),
            other => panic!("{text}: {other:?}"),
        }
    }
}

#[test]
fn a_slip_is_told_with_its_column() {
    for (text, column, what) in [
        ("sise>14GiB", 0, "one of size, share"),
        ("a tenant = 5", 2, "one of size, share"),
        ("> 5", 0, "one of size, share"),
        ("size>x", 5, "a size such as 14GiB"),
        ("size>-1GiB", 5, "a size such as 14GiB"),
        ("size>14.x", 8, "a digit after the point"),
        ("size>14G a", 7, "a unit such as GiB"),
        ("size>14 a", 8, "a unit such as GiB"),
        ("size>14GiBs", 7, "a unit such as GiB"),
        ("size>14%", 7, "a unit such as GiB"),
        ("size>14GiB/week", 10, "a blank after the value"),
        ("growth>1GiB a", 11, "/day, /week or /month"),
        ("growth>1GiB/year", 12, "one of day, week, month"),
        ("share>=70 a", 7, "a share such as 70% or 0.7"),
        ("date<never", 4, "= or != before never"),
        ("date<30 d", 7, "d, w or the rest of a date"),
        ("date<2026-02-30", 5, "a date such as 2026-12-01"),
        ("date<2026-12-011", 5, "a date such as 2026-12-01"),
        ("date<26-12-01", 5, "a date such as 2026-12-01"),
        ("date=soon", 5, "one of over, never, unknown"),
        ("date<99999999999d", 5, "a smaller number"),
        ("mark>full", 4, "= or != after mark"),
        ("mark=red", 5, "one of over, full"),
        ("partition<3", 9, "= or != after partition"),
        ("samples>=5.5", 10, "a blank after the value"),
        ("region=\"\"", 7, "a region such as"),
        ("a ) b", 2, "( before this )"),
        ("()", 1, "a text or a comparison"),
        ("or a", 0, "a text or a comparison before or"),
        ("a or or b", 5, "a text or a comparison before or"),
        ("äöü sise>1", 4, "one of size, share"),
    ] {
        match parse(text, basis()) {
            ParsedFilter::Wrong(expected) => {
                assert_eq!(expected.column, column, "{text}: {expected}");
                assert!(expected.what.starts_with(what), "{text}: {expected}");
            }
            other => panic!("{text}: {other:?}"),
        }
    }
    let ParsedFilter::Wrong(expected) = parse("size>x", basis()) else { panic!() };
    assert_eq!(expected.to_string(), "column 6: expected a size such as 14GiB");
}

#[test]
fn size_and_depth_are_bounded() {
    let deep = format!("{}a{}", "(".repeat(33), ")".repeat(33));
    assert!(matches!(parse(&deep, basis()), ParsedFilter::Wrong(e) if e.column == 32));
    let many = "a ".repeat(257);
    assert!(matches!(parse(&many, basis()), ParsedFilter::Wrong(e) if e.column == 512));
    assert_eq!(filter(&format!("{}a", "!".repeat(100_001))).to_string(), "not a");
    let digits = "9".repeat(400);
    assert!(matches!(parse(&format!("ru>{digits}"), basis()), ParsedFilter::Wrong(_)));
}

#[test]
fn narrower_is_only_what_provably_is() {
    for (narrow, wide) in [
        ("tenant-1", "tenant"),
        ("Tenant", "ten"),
        ("a b", "a"),
        ("a", ""),
        ("a", "a or b"),
        ("a (b or c)", "b or c"),
        ("a", "not b or a"),
        ("size>5GiB", "size>4GiB"),
        ("size>=5GiB", "size>4GiB"),
        ("size=5GiB", "size<6GiB"),
        ("not size>4GiB", "not size>5GiB"),
        ("date<20d", "date<30d"),
        ("date=never", "date=never"),
        ("samples>4", "samples!=4"),
        ("region=westeurope", "region=\"West Europe\""),
        ("partition=3", "partition!=4"),
        ("not a", "not ab"),
        ("size>5120MiB x", "size>=5GiB"),
    ] {
        assert!(filter(narrow).extends(&filter(wide)), "{narrow} in {wide}");
    }
    for (narrow, wide) in [
        ("tenant", "tenant-1"),
        ("ten", "Ten"),
        ("a or b", "a"),
        ("", "a"),
        ("not ab", "not a"),
        ("size>=5GiB", "size>5GiB"),
        ("size<5GiB", "size>4GiB"),
        ("size>5GiB", "share>5%"),
        ("date=over", "date<30d"),
        ("partition!=3", "partition=4"),
    ] {
        assert!(!filter(narrow).extends(&filter(wide)), "{narrow} in {wide}");
    }
}

#[test]
fn completions_replace_what_was_begun() {
    let offered = |text: &str| -> Vec<String> {
        let cursor = text.chars().count();
        let apply = |c: Completion| {
            let start: String = text.chars().take(c.replaces.start).collect();
            assert_eq!(c.replaces.end, cursor);
            assert!(!c.meaning.is_empty(), "{c:?}");
            format!("{start}{}", c.text)
        };
        complete(text, cursor).into_iter().map(apply).collect()
    };
    assert_eq!(offered("s"), ["size", "share", "samples"]);
    assert_eq!(offered("ä (GR"), ["ä (growth"]);
    assert_eq!(offered("!ma"), ["!mark"]);
    assert_eq!(offered("a o"), ["a or"]);
    assert_eq!(offered("mark"), ["mark=", "mark!="]);
    assert_eq!(offered("mark=fi"), ["mark=filling", "mark=fine"]);
    assert_eq!(offered("size > 14G"), ["size > 14GiB", "size > 14GB"]);
    assert_eq!(
        offered("growth>1GiB/"),
        ["growth>1GiB/day", "growth>1GiB/week", "growth>1GiB/month"]
    );
    assert_eq!(offered("growth>-2m").len(), 6);
    assert_eq!(offered("share>70"), ["share>70%"]);
    assert_eq!(offered("date<3"), ["date<3d", "date<3w"]);
    assert_eq!(offered("date=n"), ["date=never"]);
    assert_eq!(offered("").len(), FIELD_COUNT);
    for text in ["date<n", "\"si", "region=\"si", "sise>1", "\"a\"", "size>"] {
        assert_eq!(offered(text), [""; 0], "{text}");
    }
    assert_eq!(complete("si x", 2).first().unwrap().replaces, 0..2);
}

const FIELD_COUNT: usize = value::Field::ALL.len();

#[test]
fn help_names_every_field_and_its_examples_are_filters() {
    for name in value::Field::ALL.map(value::Field::name) {
        assert!(HELP.iter().any(|h| h.name == name), "{name}");
    }
    for help in HELP {
        assert_eq!(filter(help.example).to_string(), help.example);
    }
}
