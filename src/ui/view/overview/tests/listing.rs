//! What the list and its pane show, the keys that are found below it, and the comparison over it.

use super::*;
use crate::analysis::diff::diff;
use crate::analysis::summary::SummaryOptions;
use crate::analysis::testing::report;
use crate::ui::kit::masking::Mask;
use crate::ui::kit::msg::Generation;
use crate::work::compare::Comparison;
use crate::work::salt::Salt;
use crate::work::shared::Shared;

/// So many containers, each with a key that grows.
fn containers(count: u32) -> App {
    let log = Log::new("many.csv");
    for n in 0..count {
        let name = format!("container-{n:04}");
        let sizes = [0.9, 1.0].map(|part| GIB * part * f64::from(n % 19 + 1));
        log.weeks(["acc", "db", &name], r#"["tenant-7"]"#, "", &sizes);
    }
    app_showing(log.capture())
}

#[test]
fn a_container_takes_one_line_and_18_fit_a_small_window_40_a_large_one() {
    let mut app = containers(60);
    for (width, height, least) in [(80, 24, 18), (200, 60, 40)] {
        resize(&mut app, width, height);
        let lines = screen(&app);
        let shown = lines.iter().filter(|line| line.contains("container-00"));
        let in_list = shown.filter(|line| !line.starts_with('│')).count();
        assert!(in_list >= least, "{width}x{height}: {in_list}\n{}", lines.join("\n"));
    }
}

#[test]
fn a_large_window_is_filled() {
    let apps =
        vec![app_with("night"), app_with("tenants"), app_showing(northpier()), containers(60)];
    for mut app in apps {
        resize(&mut app, 200, 60);
        let lines = screen(&app);
        let is_blank = |line: &&String| line.chars().all(|c| " │".contains(c));
        let rows: Vec<bool> = lines.iter().map(|line| is_blank(&line)).collect();
        let runs = rows.chunk_by(|a, b| a == b).filter(|run| run[0]);
        let blank = runs.map(<[bool]>::len).max().unwrap_or(0);
        assert!(blank * 5 <= lines.len(), "{blank}\n{}", lines.join("\n"));
    }
}

#[test]
fn the_pane_has_the_card_the_keys_and_the_load_over_time() {
    let mut app = app_with("night");
    for (width, height) in [(80, 24), (100, 30), (200, 60)] {
        resize(&mut app, width, height);
        let text = text_of(&app);
        for expected in ["since 23:24", "10 suffixes", "contoso", "up to 20 GB"] {
            assert!(text.contains(expected), "{width}x{height} {expected}\n{text}");
        }
    }
    let text = text_of(&app);
    for expected in ["Load over time: RU %", "p0 100 %", "429", "KEY NEAR 20 GB"] {
        assert!(text.contains(expected), "{expected}\n{text}");
    }
}

#[test]
fn names_of_findings_that_do_not_fit_are_told_of() {
    let mut app = app_with("suffix");
    for (width, height, is_cut) in [(60, 20, true), (80, 24, false)] {
        resize(&mut app, width, height);
        let text = text_of(&app);
        let line = text.lines().find(|line| line.contains("+ 3 more: "));
        let line = line.unwrap_or_default().trim_end_matches(['│', '█', ' ']);
        assert!(line.contains("NEAR 20 GB, ") && line.ends_with(", …") == is_cut, "{text}");
    }
}

#[test]
fn since_and_the_date_of_a_limit_stand_in_a_small_window() {
    for (scenario, expected) in [
        ("users", "blue 61 %  429s: 24/s  since ≤23:55"),
        ("food", "p1 at 100 %  Beef Products 86 %  429s: 500/s  since ≤23:00"),
        ("fanout", "429s: 60,000/s  since ≤"),
        ("car", "model-1  403s: 28/s  since ≤23:55  1 more by 2026-09-05"),
        ("plants", "PLANT-1  403s: 203/s  since ≤23:55  14 more by 2026-07-05"),
        ("events", "70 % of 20 GB  20 GB on 2026-09-16"),
    ] {
        let app = app_with(scenario);
        let text = text_of(&app);
        assert!(text.contains(expected), "{expected}\n{text}");
    }
}

#[test]
fn what_is_typed_finds_keys_in_all_containers() {
    let mut app = app_showing(northpier());
    press(&mut app, "/");
    let mut effects = Vec::new();
    for letter in "tenant-0002".chars() {
        effects = press(&mut app, &letter.to_string());
    }
    assert!(text_of(&app).contains("keys are being searched"));
    let asked = effects.iter().find_map(|effect| match effect {
        Effect::FindKeys(generation, search) => Some((*generation, search)),
        _ => None,
    });
    let (generation, search) = asked.unwrap();
    assert!(search.answer(&|| false).is_none());
    let hits = search.answer(&|| true).unwrap();
    assert!(hits.total == 1 && hits.hits.len() as u64 == hits.total, "{hits:?}");
    let msg =
        |generation| Msg::KeysFound(generation, Shared::new(search.answer(&|| true).unwrap()));
    update(&mut app, msg(Generation(u64::MAX)));
    assert!(!text_of(&app).contains("shop ▸ orders ▸"));
    update(&mut app, msg(generation));
    press(&mut app, "enter");
    assert!(text_of(&app).contains("0 of 3 containers, 1 key with \"tenant-0002\""));
    resize(&mut app, 160, 45);
    let text = text_of(&app);
    let expected = ["shop ▸ orders ▸", "tenant-0002", "% = size /"];
    assert!(expected.iter().all(|e| text.contains(e)), "{text}");
    // The pane is of the key, not of what is wrong with its container.
    assert!(!text.contains("fixes:"), "{text}");
    let effects = press(&mut app, "enter");
    assert_eq!(app.cx.view, ViewId::Keys);
    let asks = |effect: &Effect| matches!(effect, Effect::Arrange(_, ask) if ask.follow.iter().any(|key| key.contains("tenant-0002")));
    assert!(effects.iter().any(asks), "{effects:?}");
    press(&mut app, "1 esc");
    assert_eq!(names(&app).len(), 3);
}

#[test]
fn a_comparison_masks_the_name_of_its_file() {
    let mut app = app_showing(northpier());
    app.cx.mask = Mask::on(&Salt(b"a salt of at least sixteen bytes".to_vec()));
    type_in(&mut app, ":compare last-week");
    let effects = press(&mut app, "enter");
    let asked = effects.iter().find_map(|effect| match effect {
        Effect::Compare(generation, _) => Some(*generation),
        _ => None,
    });
    let export = |container| {
        let log = Log::new("a.csv");
        log.reading(container, r#"["a"]"#, "", None, 5.0 * GIB);
        report(&log.capture(), SummaryOptions::default())
    };
    let compared = Comparison {
        with: "secret.csv".to_owned(),
        newest: [None, None],
        changes: diff(&export(ORDERS), &export(CARTS)),
    };
    let answer = Msg::Compared(asked.unwrap(), Ok(Shared::new(compared)));
    update(&mut app, answer);
    let text = text_of(&app);
    assert!(
        text.contains("with file-") && !text.contains("secret") && !text.contains("northpier"),
        "{text}"
    );
    assert!(text.contains("No container is in both: nothing"), "{text}");
    assert!(!text.contains("not listed before"), "{text}");
}

#[test]
fn another_export_is_compared_on_the_screen() {
    let export = |gib: f64, key: &str, at: i64| {
        let log = Log::new("a.csv");
        log.reading(ORDERS, r#"["a"]"#, "", Some(seconds(at)), gib * GIB);
        log.reading(CARTS, key, "", None, 5.0 * GIB);
        report(&log.capture(), SummaryOptions::default())
    };
    let before = export(13.0, r#"["b"]"#, NEWEST - WEEK);
    let changes = diff(&before, &export(18.5, r#"["c"]"#, NEWEST));
    let mut app = app_showing(northpier());
    type_in(&mut app, ":compare last-week");
    let effects = press(&mut app, "enter");
    let asked = effects.iter().find_map(|effect| match effect {
        Effect::Compare(generation, ask) => Some((*generation, ask.paths.clone())),
        _ => None,
    });
    let (generation, paths) = asked.unwrap();
    assert_eq!(paths, [std::path::PathBuf::from("last-week")]);
    let compared = Comparison {
        with: "old.csv".to_owned(),
        newest: [Some(seconds(NEWEST - WEEK)), Some(seconds(NEWEST))],
        changes,
    };
    update(&mut app, Msg::Compared(generation, Ok(Shared::new(compared))));
    let text = text_of(&app);
    for expected in [
        "with old.csv: 2026-06-15 → 2026-06-22: 1 grew over a mark",
        "not listed before",
        "Statistics list only large keys. A key no longer reported may still be there",
        "+5.50",
        "18.50",
        "+5.50 2026-06-23",
        "Esc closes",
    ] {
        assert!(text.contains(expected), "{expected}\n{text}");
    }
    assert!(!text.contains('…'), "{text}");
    let first = |app: &App| screen(app)[4].clone();
    assert!(first(&app).contains("grew over 90 %"));
    type_in(&mut app, ":sort delta");
    press(&mut app, "enter R");
    // What only one of the two lists has no Δ, and stands last either way.
    assert!(first(&app).contains("grew over 90 %"), "{}", first(&app));
    type_in(&mut app, "/carts");
    press(&mut app, "enter");
    assert!(!text_of(&app).contains("+5.50"));
    let copied = copied(&press(&mut app, "y"));
    assert!(copied.contains("shop ▸ carts ▸ c: not listed before, – → 5.00 GiB"), "{copied}");
    press(&mut app, "esc");
    assert!(text_of(&app).contains("3 containers"));
}

#[test]
fn a_comparison_within_one_day_has_times_and_says_what_is_within_the_error() {
    let export = |more: f64| {
        let log = Log::new("a.csv");
        log.reading(ORDERS, r#"["a"]"#, "", None, (17.9 + more) * GIB);
        log.reading(CARTS, r#"["b"]"#, "", None, (5.0 + more) * GIB);
        report(&log.capture(), SummaryOptions::default())
    };
    let mut app = app_showing(northpier());
    type_in(&mut app, ":compare today");
    let effects = press(&mut app, "enter");
    let asked = effects.iter().find_map(|effect| match effect {
        Effect::Compare(generation, _) => Some(*generation),
        _ => None,
    });
    let compared = Comparison {
        with: "today.csv".to_owned(),
        newest: [Some(seconds(NEWEST - 7200)), Some(seconds(NEWEST))],
        changes: diff(&export(0.0), &export(0.2)),
    };
    let answer = Msg::Compared(asked.unwrap(), Ok(Shared::new(compared)));
    update(&mut app, answer);
    resize(&mut app, 100, 30);
    let text = text_of(&app);
    for expected in [
        "with today.csv: 2026-06-22 00:10 → 2026-06-22 02:10: 1 over a mark within the error, 1",
        "before   after   Δ GiB     Δ %",
        "over 90 % ±0.50    orders    a",
        "same within ±0.50  carts     b",
        " 5.00    5.20   +0.20  +4.0 %",
    ] {
        assert!(text.contains(expected), "{expected}\n{text}");
    }
    assert!(!text.contains("grew"), "{text}");
}

#[test]
fn a_filter_that_is_wrong_in_part_says_which_part() {
    let mut app = app_showing(northpier());
    press(&mut app, "/");
    type_in(&mut app, "size>14GiB shrae>7");
    let lines = screen(&app);
    let sentence = "No container has that in its name. Keys are not searched: shrae>7: expected";
    assert!(lines.join("\n").contains(sentence), "{lines:#?}");
    assert!(lines[22].contains("shrae>7: expected one of"), "{lines:#?}");
}

/// A growth of 0 is known, too.
#[test]
fn growth_is_only_missing_where_no_key_has_one() {
    for (samples, is_missing) in [(1, true), (5, false)] {
        let log = Log::new("rests.csv");
        log.weeks(ORDERS, r#"["rests"]"#, "", &vec![8.0 * GIB; samples]);
        let app = app_showing(log.capture());
        let missing = super::super::missing::missing(app.cx.data.as_ref().unwrap()).join(" ");
        assert_eq!(missing.contains("no growth"), is_missing, "{missing}");
    }
}

#[test]
fn a_container_without_an_account_says_so_beside_those_that_have_one() {
    let log = Log::new("rests.csv");
    for name in [ORDERS, ["", "shop", "orders"]] {
        log.reading(name, r#"["a"]"#, "", None, 8.0 * GIB);
    }
    let mut found = names(&app_showing(log.capture()));
    found.sort();
    let expected = ["account unknown ▸ shop ▸ orders", "northpier-prod ▸ shop ▸ orders"];
    assert_eq!(found, expected);
}
