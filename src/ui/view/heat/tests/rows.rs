//! Rows of several lines: what each line says, and which row lies under the pointer.

use super::pointing::PointerTarget;
use super::*;

#[test]
fn every_line_of_a_row_belongs_to_it() {
    let mut app = burning();
    resize(&mut app, 120, 40);
    let areas = areas(&app.views.heat, app.cx.body());
    assert!(areas.lines > 1, "{areas:?}");
    let column = areas.map.x + 1;
    for line in 0..areas.lines * 4 {
        let spot = pointing::spot_at(&app.views.heat, app.cx.body(), column, areas.map.y + line);
        let row = usize::from(line / areas.lines);
        assert_eq!(spot, Some(PointerTarget::Map { row, cell: None }), "{line}");
    }
    // The cursor moves by rows, not by lines.
    press(&mut app, "g j");
    assert_eq!(app.views.heat.cursor.chosen, 1);
    press(&mut app, "G");
    assert_eq!((app.views.heat.cursor.chosen, app.views.heat.cursor.first), (3, 0));
}

#[test]
fn what_was_throttled_hides_no_level() {
    for size in [(80, 24), (120, 40)] {
        let mut app = refusing(&[""]);
        app.cx.theme = theme_ascii();
        resize(&mut app, size.0, size.1);
        press(&mut app, "g o l l l");
        let areas = areas(&app.views.heat, app.cx.body());
        assert!(areas.lines > 1, "{areas:?}");
        let lines = screen(&app);
        let at = |line: u16| lines.get(usize::from(areas.map.y + line)).unwrap();
        let level = at(areas.lines);
        let throttled = at(areas.lines * 2 - 1);
        assert!(level.contains('1') && level.contains("...."), "{level}");
        assert!(!level.contains('!'), "{level}");
        assert!(throttled.contains("! 1/s"), "{throttled}");
        assert!(throttled.contains("[!") && throttled.contains("!]"), "{throttled}");
        if areas.lines > 2 {
            let digits = at(areas.lines * 2 - 2);
            assert!(digits.contains('5'), "{digits}");
        }
    }
}

#[test]
fn few_steps_fill_the_whole_width() {
    let app = refusing(&[""]);
    let map = &app.views.heat.map;
    assert_eq!(map.width(), usize::from(map.columns.cells));
    assert_eq!(map.under(0), 0..1);
    assert_eq!(map.under(map.width() - 1), 9..10);
    assert!(map.ticks.len() > 1, "{:?}", map.ticks);
}

#[test]
fn keys_have_their_ru_below_the_columns_of_the_map() {
    for (width, height) in [(80, 24), (100, 30), (200, 60)] {
        let mut app = app_with("night");
        resize(&mut app, width, height);
        press(&mut app, "3");
        let state = &app.views.heat;
        let cells = state.map.columns.cells(areas(state, app.cx.body()).map);
        let lines = screen(&app);
        let key = lines.iter().position(|line| line.starts_with("▶ contoso"));
        let key = lines.get(key.unwrap()).unwrap();
        let drawn: Vec<char> = key.chars().collect();
        assert_eq!(drawn.get(usize::from(cells.right()) - 1), Some(&'█'), "{key}");
        assert!(key.contains("12,7"), "{key}");
        let text = lines.join("\n");
        assert!(text.contains("20 GB on") && text.contains("2026-09-19"), "{text}");
        let blank = lines.iter().filter(|line| line.trim().is_empty()).count();
        assert!(blank * 5 <= lines.len(), "{blank} blank rows\n{text}");
    }
}

/// The shares of the verdict and of the list are of other times, and rates are of their own: each says of which.
#[test]
fn rates_and_shares_say_of_which_time_they_are() {
    for ((width, height), wanted) in [
        (
            (80, 24),
            [
                "  429s, 5 min ",
                "  289/s ",
                "(1 h)",
                "  since 23:24 (36 min): contoso 93 % of RU",
                "429s: 58/s (mean 23:20–23:25)\n",
            ],
        ),
        (
            (100, 30),
            [
                "  ! 429s, 5 min ",
                "  289/s ",
                "(1 h)",
                "  since 23:24 ",
                "429s: 58/s (mean 23:20–23:25)  West Europe\n",
            ],
        ),
        (
            (200, 60),
            [
                "  ! 429s, mean of 5 min ",
                "[ 58/s ][289/s ]",
                "(1 h)",
                "  since 23:24 ",
                "hash range 00 to 0FFFFF…\n",
            ],
        ),
    ] {
        let mut app = app_with("night");
        resize(&mut app, width, height);
        press(&mut app, "3");
        let lines = screen(&app);
        let lines = lines.iter().map(|line| line.trim_end());
        let text = lines.collect::<Vec<_>>().join("\n");
        for wanted in wanted {
            assert!(text.contains(wanted), "{wanted}\n{text}");
        }
        assert!(text.contains("↓23:24"), "{text}");
        // The order is that of the shares, not of the peaks.
        assert!(text.contains(" of RU↓ "), "{text}");
        let below = text.lines().find(|line| line.starts_with("  since 23:24"));
        assert!(below.is_some_and(|line| line.contains("93 %")), "{text}");
        assert!(!text.contains("[█"), "{text}");
        let cut = text.lines().skip(1).find(|line| line.ends_with(" W…"));
        assert_eq!(cut, None);
    }
}

#[test]
fn even_load_that_is_throttled_names_cross_partition_queries() {
    let mut app = app_with("fanout");
    press(&mut app, "3");
    let line = readout::line(&app.views.heat);
    assert!(line.contains("cause: cross-partition queries"), "{line}");
    let text = screen(&app).join("\n");
    assert!(text.contains("partition 0  429s: ") && text.contains("▶ (no key)"), "{text}");
}

#[test]
fn partitions_without_any_value_share_a_line_until_one_is_chosen() {
    let builder = metrics(3, 10, |_, _| Some(50.0));
    let name = ContainerName::new(Some("northpier"), Some("shop"), Some("orders"));
    let container = builder.container(&name).unwrap();
    builder.load(|load| {
        for partition in ["undefined", "0000a001-0000-4000-8000-00000000a001"] {
            load.add_request(&RequestRecord {
                container,
                region: 0,
                partition,
                operation: "Create",
                status: 200,
                span_s: 300,
                at: Stamp::from_seconds(START),
                requests: 900,
                ru: 10.0,
                duration_ms: 1.0,
                mark: None,
            });
        }
    });
    let mut app = shown(builder.finish());
    let told = |app: &App| {
        let scope = app.views.heat.scope.as_ref().unwrap();
        let lines = screen(app);
        let line = lines.iter().find(|line| line.contains(" without value"));
        let line = line.map_or("", |line| line.trim()).to_owned();
        (scope.rows.len(), line)
    };
    let all = "the header counts no GUIDs · 2 without value: 0000a001, undefined";
    assert_eq!(told(&app), (3, all.to_owned()));
    // Each has a size or none, and is still there when it was chosen there.
    press(&mut app, "c G");
    let uncounted = "the header counts no GUIDs";
    assert_eq!(told(&app), (5, String::new()));
    let text = screen(&app).join("\n");
    assert!(text.contains(uncounted), "{text}");
    press(&mut app, "c c");
    let one = format!("{uncounted} · 1 without value: 0000a001");
    assert_eq!(told(&app), (4, one));
}

#[test]
fn more_partitions_than_rows_have_the_room_and_a_line_that_says_so() {
    let mut app = app_with("plants");
    press(&mut app, "1 j 3");
    for (width, height, least) in [(80, 24, 8), (100, 30, 14), (200, 60, 30)] {
        resize(&mut app, width, height);
        for keys in ["g", "G"] {
            press(&mut app, keys);
            let seen = app.views.heat.map.rows.len();
            assert!(seen >= least, "{width}x{height}: {seen}");
            let text = screen(&app).join("\n");
            let line = format!("  {} more rows, scroll to see them", 71 - seen);
            assert!(text.contains(&line), "{line}\n{text}");
        }
    }
    // Merged they are all seen.
    press(&mut app, "d");
    assert!(!screen(&app).join("\n").contains("more rows"));
}
