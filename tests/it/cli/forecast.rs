//! `forecast`: what reaches which limit when.

use super::{Place, STANDARD, formats_name_the_date, sample};

/// The first limit with a date of each scenario.
const NEXT: [(&str, &str); 15] = [
    ("night", "key contoso in contoso / shop / orders reaches 20 GB on 2026-09-19 ±17 d."),
    ("tenants", "key A in contoso / service / tickets reaches 20 GB on 2026-07-05 ±5 d."),
    (
        "food",
        "key Vegetable and Vegetable Products in contoso / nutrition / foods reaches 20 GB on 2029-12 ±11 mo.",
    ),
    (
        "car",
        "partition 18 in contoso / fleet / by-device-and-month reaches 50 GB not before 2026-07.",
    ),
    ("plants", "partition 2 in contoso / telemetry / by-plant reaches 50 GB on 2026-07-01 ±1 d."),
    ("events", "partition 9 in contoso / analytics / events reaches 50 GB not before 2026-07."),
    ("customers", "No limit has a date."),
    ("suffix", "No further limit has a date."),
    (
        "users",
        "key blue in contoso / social / by-favorite-color reaches 20 GB on 2026-09-09 ±21 d.",
    ),
    ("fanout", "partition 5 in contoso / fleet / with-key reaches 50 GB not before 2026-09."),
    ("orders", "partition 0 in design / design / orders reaches 50 GB on 2027-01-31 ±1 d."),
    ("iot", "partition 10 in design / design / telemetry reaches 50 GB on 2027-01-31 ±1 d."),
    ("saas", "partition 0 in design / design / records reaches 50 GB on 2027-02-04 ±1 d."),
    ("rag", "partition 3 in design / design / chunks reaches 50 GB on 2027-02-01 ±1 d."),
    (
        "event-sourcing",
        "partition 21 in design / design / events reaches 50 GB on 2027-01-31 ±1 d.",
    ),
];

#[test]
fn each_scenario_has_its_first_limit() {
    let place = Place::new();
    for (name, next) in NEXT {
        let args = ["forecast", "--scenario", name];
        let text = place.run(&args).ends_with(0).text();
        let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(flat.contains(next), "{name}: {text}");
        assert_eq!(text, place.run(&args).text(), "{name}");
    }
}

#[test]
fn files_are_read_and_every_format_is_written() {
    formats_name_the_date("forecast", &[]);
}

#[test]
fn what_cannot_be_is_2_with_what_to_give() {
    let place = Place::new();
    let path = sample(STANDARD);
    for (option, value, hint) in [
        ("--growth-factor", "fast", "hint: give a number such as 2 or 0.5"),
        ("--retention", "soon", "30d"),
        ("--ru", "0", "hint: give RU/s from 1 to 1,000,000"),
        ("--ru", "1e308", "hint: give RU/s from 1 to 1,000,000"),
        ("--tenant-share", "300%", "from 0.1% to 100%"),
        ("--container", "nowhere", "they hold"),
    ] {
        let refused = place.run(&["forecast", &path, option, value]).ends_with(2);
        assert!(refused.err.contains(hint), "{}", refused.err);
    }
    // What has no effect is refused, and not passed over.
    for (base, more) in [
        ("--import 500GB", "--growth-factor 2"),
        ("--import 500GB", "--retention 30d"),
        ("--import 500GB", "--partitions 5"),
        ("--import 500GB", "--tenant-share 40%"),
        ("--import 500GB", "--load-growth 10%"),
        ("--import 500GB", "--top 5"),
        ("--scenario night", "--time-zone UTC"),
        ("--scenario night", "--date-order dmy"),
        ("--scenario night --alerts kql", "--hours 5"),
        ("--scenario night --alerts kql", "--item 2KB"),
        ("--scenario night --alerts kql", "--tenant-share 40%"),
    ] {
        let args = ["forecast", base, more].join(" ");
        let args: Vec<&str> = args.split(' ').collect();
        let refused = place.run(&args).ends_with(2);
        assert!(refused.out.is_empty(), "{args:?}");
    }
    let refused = place.run(&["forecast", "--scenario", "nigth"]).ends_with(2);
    assert!(refused.err.contains("Did you mean night?"), "{}", refused.err);
}

#[test]
fn a_load_is_planned_with_and_without_a_container() {
    let place = Place::new();
    let run = |args: &str, format| {
        let all = ["forecast", "--import", "500GB", "--format", format];
        let more = args.split(' ').filter(|arg| !arg.is_empty());
        let args: Vec<&str> = all.into_iter().chain(more).collect();
        place.run(&args).ends_with(0).text()
    };
    for (args, expected) in [
        (
            "--as-of 2026-06-22 --by 2026-06-22T12:00Z",
            "121,400 RU/s hold 12 h; 21 partitions at the end.",
        ),
        (
            "--hours 12 --ru 60000 --first-level-values 5",
            "No RU/s hold 12 h: 5 values of the first level can use 50,000 RU/s at most",
        ),
        ("--scenario night --hours 12", "missed by"),
    ] {
        for format in ["text", "md", "html"] {
            let text = run(args, format);
            let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(flat.contains(expected), "{args} {text}");
        }
        let json: serde_json::Value = serde_json::from_str(&run(args, "json")).unwrap();
        let load = &json["load"];
        assert_eq!(load["items"], 524_288_000, "{load}");
        let is_held = !load["holds_deadline"].is_null();
        assert_ne!(is_held, !load["why_none_holds_it"].is_null());
    }
    // Limits first, then a table of its own.
    let both = run("--scenario night --hours 12", "csv");
    assert!(both.starts_with("account,") && both.contains("\n\naccount,"), "{both}");
    let csv = run("", "csv");
    let row = "\n,,new container,choice,60000,10,0,24.2726,,600\n";
    assert!(csv.contains(row), "{csv}");
    for (args, hint) in [
        ("500GB --by 2020-01-01", "give --hours 12"),
        ("500GB --hours 1e-300", "from 0.1 to 8,760 hours"),
        ("500GB --item 3MB", "give a size such as 1KB"),
        ("much", "give a size such as"),
        ("500GB --scenario car", "name it with --container"),
    ] {
        let args: Vec<&str> = args.split(' ').collect();
        let refused = place.run(&[&["forecast", "--import"], &args[..]].concat());
        let refused = refused.ends_with(2);
        assert!(refused.err.contains(hint), "{}", refused.err);
    }
}

#[test]
fn alerts_are_printed_and_masked() {
    let place = Place::new();
    let path = sample(STANDARD);
    for (language, part) in [
        ("kql", "| where SizeKb >= 16777216"),
        ("az", "az monitor metrics alert create"),
        ("prometheus", "cosmoscope_limit_share{"),
    ] {
        let args = ["forecast", &path, "--alerts", language];
        let text = place.run(&args).ends_with(0).text();
        assert!(text.contains(part) && text.contains("tenant-0001"), "{text}");
        let masked = place.run(&[&args[..], &["--mask"]].concat());
        let masked = masked.ends_with(0).text();
        assert!(!masked.contains("tenant-0001") && !masked.contains("northpier"));
    }
}
