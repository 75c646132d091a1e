//! Random filters: their text reads back, and what is called narrower is.

use proptest::prelude::*;

use super::*;

fn comparison() -> impl Strategy<Value = String> {
    let number = prop_oneof!["[0-9]{1,3}", "[0-9]{1,3}\\.[0-9]{1,3}"];
    let op = prop::sample::select(vec!["<", "<=", ">", ">=", "=", "!="]);
    let same = prop::sample::select(vec!["=", "!="]);
    let unit = prop::sample::select(value::UNITS.map(|u| u.0).to_vec());
    let period = prop::sample::select(value::PERIODS.map(|p| p.0).to_vec());
    let word = "(\"[a-z <>!()]{1,5}(\\\\\\\\)?\"|[a-z0-9][a-z0-9\"]{0,5}x)";
    prop_oneof![
        (op.clone(), number.clone(), unit.clone()).prop_map(|(o, n, u)| format!("size{o}{n}{u}")),
        op.clone().prop_map(|o| format!("size{o}0")),
        op.clone().prop_map(|o| format!("share{o}0.7")),
        (op.clone(), number.clone()).prop_map(|(o, n)| format!("share {o} {n} %")),
        (op.clone(), number.clone(), unit, period)
            .prop_map(|(o, n, u, p)| format!("growth{o}-{n}{u}/{p}")),
        (op.clone(), 0..9999).prop_map(|(o, n)| format!("date{o}{n}d")),
        (op.clone(), 1..=12, 1..=28).prop_map(|(o, m, d)| format!("date{o}2026-{m:02}-{d:02}")),
        (same.clone(), prop::sample::select(vec!["over", "never", "unknown"]))
            .prop_map(|(o, w)| format!("date{o}{w}")),
        (same.clone(), prop::sample::select(vec!["over", "full", "nearly", "filling", "fine"]))
            .prop_map(|(o, w)| format!("mark{o}{w}")),
        (op.clone(), number).prop_map(|(o, n)| format!("ru{o}{n}")),
        (op, 0..99).prop_map(|(o, n)| format!("samples{o}{n}")),
        (same, prop::sample::select(vec!["partition", "region"]), word)
            .prop_map(|(o, f, w)| format!("{f}{o}{w}")),
    ]
}

fn expression() -> impl Strategy<Value = String> {
    let text = prop_oneof![
        "[a-cA1ä%~/-][a-cA1ä%~!/\"-]{0,3}x",
        "\"[a-c <>=!()%]{0,4}\"",
        prop::sample::select(vec![
            "\"or\"", "\"not\"", "\"GiB\"", "gib/x", "%", "d", "full", "size"
        ])
        .prop_map(str::to_owned),
    ];
    let leaf = prop_oneof![text, comparison()];
    leaf.prop_recursive(4, 24, 3, |inner| {
        prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("{a} {b}")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("{a} or {b}")),
            inner.clone().prop_map(|a| format!("not ({a})")),
            inner.clone().prop_map(|a| format!("! {a}")),
            inner.prop_map(|a| format!("({a})")),
        ]
    })
}

fn row() -> impl Strategy<Value = Key> {
    let limit_date = prop_oneof![
        Just(LimitDay::Over),
        Just(LimitDay::Never),
        Just(LimitDay::Unknown),
        (TODAY - 10..TODAY + 400).prop_map(LimitDay::Day),
    ];
    let maybe = |range: std::ops::Range<i32>| prop::option::of(range.prop_map(f64::from));
    let facts = (maybe(-9..9), limit_date, maybe(0..200), 0_u64..9);
    let names = (prop::option::of("[0-3x]"), prop::option::of("[a-c]x"));
    ("[a-cA-C1äÄ]{0,5}x?", 0.0..30.0_f64, facts, names).prop_map(
        |(text, gib, (growth, limit_date, ru, samples), (partition, region))| Key {
            growth,
            limit_date,
            ru,
            partition,
            region,
            samples,
            ..key(&text, gib)
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]
    #[test]
    fn the_text_of_a_filter_is_that_filter(text in expression()) {
        if let ParsedFilter::Complete(filter) = parse(&text, basis()) {
            let shown = filter.to_string();
            let again = parse(&shown, basis());
            prop_assert_eq!(again, ParsedFilter::Complete(filter), "{} -> {}", text, shown);
        } else {
            // Only a number joined to the unit-like text behind it is no longer what was generated.
            let lower = text.to_lowercase();
            let is_joined = value::UNITS.iter().any(|(unit, ..)| lower.contains(&format!("{unit}/").to_lowercase()));
            prop_assert!(is_joined, "{}: {:?}", text, parse(&text, basis()));
        }
    }

    #[test]
    fn a_narrower_filter_passes_no_other_rows(
        a in expression(), b in expression(), rows in prop::collection::vec(row(), 20),
    ) {
        let both = (parse(&a, basis()), parse(&b, basis()));
        if let (ParsedFilter::Complete(a), ParsedFilter::Complete(b)) = both {
            let joined = parse(&format!("({a}) ({b})"), basis());
            if let ParsedFilter::Complete(joined) = &joined && !a.is_empty() && !b.is_empty() {
                prop_assert_eq!(rows.iter().filter(|r| joined.passes(*r)).count(),
                    rows.iter().filter(|r| a.passes(*r) && b.passes(*r)).count());
            }
            for row in &rows {
                if a.extends(&b) && a.passes(row) {
                    prop_assert!(b.passes(row), "{} / {} / {:?}", a, b, row);
                }
            }
        }
    }

    #[test]
    fn nothing_typed_stops_it(text in "[ ()\"!<>=a-z0-9.%/ä-]{0,24}", cursor in 0_usize..30) {
        complete(&text, cursor);
        match parse(&text, basis()) {
            ParsedFilter::Complete(filter) => { filter.passes(&giant()); }
            ParsedFilter::Incomplete(e) | ParsedFilter::Wrong(e) => prop_assert!(e.column <= text.chars().count()),
        }
    }
}
