//! Every format over names that would like to be something else, and what each holds.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use proptest::prelude::*;
use serde_json::{Value, json};

use super::testing::{HOSTILE, key_json, report};
use super::*;
use crate::analysis::diagnosis::Phrase;
use crate::analysis::mask::Masker;
use crate::analysis::rules::Rule;

fn written(name: &str, report: &HeatReport) -> String {
    let mut out = Vec::new();
    (format(name).unwrap().write)(report, Style::default(), &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

/// Elements that a page holds, by the names that follow `<`.
fn elements(page: &str) -> Vec<&str> {
    let starts = page.split('<').skip(1);
    let name = |rest: &str| {
        rest.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '/' | '!')))
            .unwrap_or(rest.len())
    };
    let mut all: Vec<&str> = starts.map(|rest| &rest[..name(rest)]).collect();
    all.sort_unstable();
    all.dedup();
    all
}

#[test]
fn no_format_lets_a_name_act() {
    let harmless = report("orders");
    for format in FORMATS {
        let plain = written(format.name, &harmless);
        for name in HOSTILE {
            let text = written(format.name, &report(name));
            let odd = text.chars().find(|c| {
                (c.is_control() && *c != '\n')
                    || matches!(c, '\u{200b}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
            });
            assert_eq!(odd, None, "{} {name:?}: {text}", format.name);
            if matches!(format.name, "html" | "svg") {
                // Not one element more than without it.
                assert_eq!(elements(&text), elements(&plain), "{name:?}: {text}");
            }
            if format.name == "md" {
                assert!(!text.contains("<script") && !text.contains("<img"), "{text}");
                assert_eq!(text.matches("\n```").count(), 2, "{text}");
            }
        }
    }
}

#[test]
fn a_price_shows_money_a_month_and_without_one_there_is_none() {
    let mut report = report("orders");
    for container in &mut report.containers {
        for row in container.verdicts.iter_mut().flat_map(|v| &mut v.verdict.remedies) {
            row.ru_per_second = Some(10_000.0);
        }
    }
    for format in ["text", "md", "html", "json"] {
        let text = written(format, &report);
        let words = ["a month", "per_month\":5", "currency"];
        assert!(!words.iter().any(|word| text.contains(word)), "{text}");
    }
    report.price = Some(Price { per_100_ru_hour: 0.008, currency: "EUR<script>".to_owned() });
    for format in ["text", "md", "html"] {
        let text = written(format, &report);
        assert!(text.contains("584 EUR") && text.contains("a month"), "{text}");
        assert!(format == "text" || !text.contains("<script"), "{text}");
    }
    let value: Value = serde_json::from_str(&written("json", &report)).unwrap();
    let row = &value["containers"][0]["verdicts"][0]["what_if"][0];
    assert_eq!(row["money_per_month"], json!(584));
    assert_eq!(row["currency"], json!("EUR<script>"));
}

#[test]
fn pages_load_nothing_and_run_nothing() {
    for name in ["html", "svg"] {
        let page = written(name, &report("orders"));
        for word in ["<script", "href", "src=", "@import", "<foreignObject", "<link", "<iframe"] {
            assert!(!page.contains(word), "{word} in {name}: {page}");
        }
        let addresses = page.matches("http").count();
        let own = page.matches("xmlns=\"http://www.w3.org/2000/svg\"").count();
        let policy = page.matches("http-equiv").count();
        assert_eq!(addresses, own + policy, "{page}");
        assert!(page.split("url(").skip(1).all(|rest| rest.starts_with('#')));
    }
    let page = written("html", &report("orders"));
    assert!(page.contains("content=\"default-src 'none'; style-src 'unsafe-inline'\""));
}

#[test]
fn less_than_one_429_a_second_is_a_count_in_the_map() {
    let mut rare = report("orders");
    let map = rare.containers[0].map.as_mut().unwrap();
    map.rows[0].throttled[2..4].fill(0.02);
    assert!(written("svg", &rare).contains("throttled (429), up to 6 requests in 5 min<"));
}

#[test]
fn the_map_is_drawn_with_its_read_outs() {
    let svg = written("svg", &report("orders"));
    for read_out in [
        "partition orders, 2026-06-22 02:01 to 02:04 UTC: 120 % at most, at 2026-06-22 02:03",
        "partitions 0 and 1, 2026-06-22 02:02 to 02:04 UTC: no value",
        "throttled (429), up to 12.5/s in a cell",
        "partitions and shows the highest of them",
        ">p99 120 %<",
        ">from 70 %<",
        ">02:03<",
        ">UTC<",
        "<title>HOT KEY · partition 3 at 100 % · orders 98 % of its RU · in orders / orders / orders</title>",
    ] {
        assert!(svg.contains(read_out), "{read_out}: {svg}");
    }
    // Runs of one colour are one rectangle: 94 % | 100 % to 120 % | 75 %.
    assert_eq!(svg.matches("fill=\"#a50f15\"><title>").count(), 1);
    assert_eq!(svg.matches("class=\"throttled\"").count(), 1);
}

#[test]
fn scripts_get_schema_2() {
    let value: Value = serde_json::from_str(&written("json", &report("orders"))).unwrap();
    assert_eq!((&value["schema"], &value["view"]), (&json!(2), &json!("heat")));
    assert_eq!(value["as_of"], "2026-06-22T02:05:00Z");
    let container = &value["containers"][0];
    let verdict = &container["verdicts"][0];
    assert_eq!((&verdict["rule"], &verdict["key"]), (&json!("HOT KEY"), &json!(["orders"])));
    assert_eq!(verdict["answers"]["split"]["says"], "helps, not enough");
    assert_eq!(verdict["answers_v1"]["split"]["says"], "partly");
    assert_eq!(verdict["what_if"][0]["refused_share"], Value::Null);
    let [hot, unknown] = [&container["partitions"][0], &container["partitions"][1]];
    assert_eq!(hot["refused_share"], json!(0.177_029));
    assert_eq!(hot["highest_at"], "2026-06-22T02:03:00Z");
    for absent in
        ["ru", "requests", "refused", "p99", "size_kib", "gaps", "saturated_s", "forbidden"]
    {
        assert_eq!(unknown[absent], Value::Null, "{absent}");
    }
    let rows = &container["map"]["rows"];
    assert_eq!(rows[1]["values"], json!([0.24, 0.24, null, null, 0.07]));
    assert_eq!(rows[0]["refused_per_second"], json!([null, 0, 12.5, 12.5, null]));
}

#[test]
fn keys_come_with_their_place_and_any_name_stays_exact() {
    let value: Value = serde_json::from_str(&written("json", &report("orders"))).unwrap();
    assert_eq!(value["thresholds"], json!({"hot": 0.85}));
    let keys = &value["containers"][0]["keys"][0]["keys"];
    assert_eq!(keys[0]["share_of_ceiling"], json!(0.9));
    assert_eq!((&keys[0]["belongs_to"], &keys[0]["agrees"]), (&json!("4"), &json!(false)));
    assert_eq!((&keys[1]["key"], &keys[1]["is"]), (&Value::Null, &json!("not_reported")));
    for name in HOSTILE {
        let value: Value = serde_json::from_str(&written("json", &report(name))).unwrap();
        assert_eq!(value["containers"][0]["container"], name);
        assert_eq!(value["containers"][0]["verdicts"][0]["key"], json!([name]));
    }
}

#[test]
fn tables_come_back_as_they_went() {
    for name in ["orders", "a,b;\"c\"", "n\u{f6}rd"] {
        let text = written("csv", &report(name));
        let mut reader = ::csv::Reader::from_reader(text.as_bytes());
        let heads = reader.headers().unwrap().clone();
        let at = |head: &str| heads.iter().position(|h| h == head).unwrap();
        let rows: Vec<_> = reader.records().map(Result::unwrap).collect();
        assert_eq!(rows.len(), 2);
        assert_eq!((&rows[0][at("container")], &rows[0][at("partition")]), (name, name));
        assert_eq!(rows[0][at("p99")].parse::<f64>(), Ok(1.2));
        assert_eq!(&rows[0][at("key")], &*key_json(name));
        assert_eq!(&rows[1][at("partition")], "undefined");
        for absent in ["p99", "ru", "refused", "size_kib", "gaps", "key", "key_share"] {
            assert_eq!(&rows[1][at(absent)], "", "{absent}");
        }
    }
}

#[test]
fn no_cell_of_the_table_runs() {
    for name in HOSTILE {
        let text = written("csv", &report(name));
        let mut reader = ::csv::Reader::from_reader(text.as_bytes());
        for row in reader.records().map(Result::unwrap) {
            assert_eq!(row.len(), 26);
            let runs = |cell: &str| cell.starts_with(['=', '+', '-', '@', '\t', '\r']);
            assert!(!row.iter().any(runs), "{row:?}");
        }
    }
}

#[test]
fn nothing_of_a_name_is_left_once_it_is_masked() {
    const NAME: &str = "zephyrine";
    let mut masked = report(NAME);
    // Regions and names of partitions stay.
    let container = &mut masked.containers[0];
    for track in &mut container.tracks {
        track.region = None;
    }
    let map = container.map.as_mut().unwrap();
    (map.track.region, map.rows[0].partitions) = (None, vec!["3".to_owned()]);
    let row = &mut container.partitions[0];
    row.named = RangeName::Range("3".to_owned());
    (row.guid, row.max_exclusive, row.status) = (None, None, None);
    row.parents.clear();
    (container.keys[0].partition, container.keys[0].region) = ("3".to_owned(), None);
    let verdict = &mut container.verdicts[0];
    (verdict.partition, verdict.verdict.region) = (None, None);
    masked.mask(&Masker::new(b"salt"));
    for format in FORMATS {
        let text = written(format.name, &masked);
        assert!(!text.contains(NAME), "{}: {text}", format.name);
        assert!(text.contains("container-"), "{}: {text}", format.name);
    }
    let text = written("text", &masked);
    assert!(text.contains("24,000 RU/s") && text.contains("key-"), "{text}");
}

#[test]
fn people_read_the_story() {
    let text = written("text", &report("orders"));
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("HOT KEY · partition 3 at 100 % · orders 98 %"), "{text}");
    for part in [
        "    remedy              throttled     RU/s  takes          verdict\n",
        "    now, of RU, orders    unknown  unknown\n",
        "    scale up              unknown   48,000  at once        unknown\n",
        "    10 suffixes               0 %  unknown  new container  fixes\n",
        "orders ▇███▆    120 %",
        "         !!",
        "0, 1   ▂▂··▁     24 %",
        "= scale up: 48,000 RU/s orders",
        "= 10 suffixes: the key with 10 suffixes (orders.1 to orders.10)",
        "      az cosmosdb show --name orders",
        "belongs to partition 4 (computed from its hash): the log differs",
        "… 2 more partitions",
        "… 10 more; --top N shows more",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    // Text to run stays in one line.
    let wide = lines.iter().filter(|l| !l.starts_with("      az "));
    assert!(wide.into_iter().all(|l| l.chars().count() <= 80), "{text}");
}

#[test]
fn what_is_no_load_has_its_remedies_with_reasons() {
    let mut found = report("orders");
    let verdict = &mut found.containers[0].verdicts[0].verdict;
    verdict.remedies.clear();
    verdict.answers.new_key.why = "each of ten parts is 30 % of the limit in a year".to_owned();
    for (format, part) in [
        (
            "text",
            "    change key         fixes              each of ten parts is 30 % of the limit\n                                          in a year\n",
        ),
        ("md", "| split | helps, not enough | one key stays whole orders |"),
        ("html", "<td><bdi>change key</bdi></td><td class=\"good\"><bdi>fixes</bdi></td>"),
    ] {
        let text = written(format, &found);
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn a_page_is_named_by_its_worst_finding_and_shows_the_best_remedy_first() {
    let mut found = report("orders");
    let verdict = &mut found.containers[0].verdicts[0].verdict;
    verdict.headline = verdict.headline.clone().and("  429s: 2/s  since ≤02:00 (36 min)");
    for (rule, title) in [
        (Rule::HotKey, "hot key orders since ≤02:00"),
        (Rule::KeyOverLimit, "key orders over 20 GB since ≤02:00"),
        (Rule::HotPartition, "hot partition since ≤02:00"),
        (Rule::UnevenRuShares, "uneven RU shares since ≤02:00"),
    ] {
        found.containers[0].verdicts[0].verdict.rule = rule;
        let page = written("html", &found);
        let title = format!("orders/orders/orders: {title} (22 Jun 2026)");
        for element in [format!("<title>{title}<"), format!("<h1><bdi>{title}<")] {
            assert!(page.contains(&element), "{element}: {page}");
        }
        let row = |remedy: &str| page.find(&format!("<bdi>{remedy}")).unwrap();
        assert!(row("now, of RU") < row("10 suffixes"), "{page}");
        assert!(row("10 suffixes") < row("scale up"), "{page}");
    }
    found.containers[0].verdicts.clear();
    let page = written("html", &found);
    let title = "<title>orders/orders/orders: physical partitions (22 Jun 2026)<";
    assert!(page.contains(title), "{page}");
}

#[test]
fn a_report_of_nothing_is_written_too() {
    let mut empty = report("orders");
    empty.containers.clear();
    empty.as_of = None;
    for format in FORMATS {
        let text = written(format.name, &empty);
        assert!(!text.is_empty(), "{}", format.name);
    }
    let mut bare = report("orders");
    let container = &mut bare.containers[0];
    (container.map, container.span) = (None, None);
    (container.sources, container.tracks) = (Sources::default(), Vec::new());
    (container.keys, container.verdicts) = (Vec::new(), Vec::new());
    for format in FORMATS {
        written(format.name, &bare);
    }
    assert!(written("svg", &bare).contains("1 container without a map"));
    assert!(format("pdf").is_none());
}

proptest! {
    #[test]
    fn any_name_stays_text(name in any::<String>()) {
        let made = report(&name);
        let harmless = report("orders");
        for format in ["html", "svg"] {
            let page = written(format, &made);
            let plain = written(format, &harmless);
            prop_assert_eq!(elements(&page), elements(&plain));
        }
        let value: Result<Value, _> = serde_json::from_str(&written("json", &made));
        prop_assert!(value.is_ok());
        for format in FORMATS {
            let text = written(format.name, &made);
            prop_assert!(!text.chars().any(|c| c.is_control() && c != '\n'), "{}", text);
        }
    }
}

#[test]
fn large_numbers_break_no_column() {
    let mut large = report("orders");
    let container = &mut large.containers[0];
    let row = &mut container.partitions[0];
    (row.ru, row.requests, row.throttled) = (Some(9.3e15), Some(9.3e15), Some(4.1e12));
    container.keys[0].keys[0].load.peak_ru_per_second = 1.2e12;
    let text = written("text", &large);
    let table = |head: &str| -> Vec<usize> {
        let lines = text.lines().skip_while(|l| !l.trim_start().starts_with(head));
        let rows = lines.take_while(|l| !l.contains('…') && !l.is_empty());
        let rows = rows.filter(|l| !l.contains("belongs to"));
        rows.map(|l| l.chars().count()).collect()
    };
    for head in ["partition  ", "key  "] {
        let widths = table(head);
        assert!(widths.len() > 2, "{text}");
        assert!(widths.iter().all(|w| *w == widths[0]), "{head}: {text}");
    }
}

#[test]
fn a_step_stands_once_in_a_report() {
    let mut twice = report("orders");
    let again = twice.containers[0].clone();
    twice.containers.push(again);
    for (format, code) in [("text", "      az"), ("md", "     ```sh\n     az"), ("html", "<bdi>az")]
    {
        let text = written(format, &twice);
        assert_eq!(text.matches(code).count(), 1, "{format}: {text}");
        assert!(text.contains("1 more step, which stands above already"));
    }
}

#[test]
fn commands_hold_the_names_of_the_container() {
    let mut named = report("orders");
    let step =
        Phrase::plain("az x --name <account> -d <database> -c <container> -g <resource-group>");
    named.containers[0].verdicts[0].verdict.steps = vec![step];
    let command = "az x --name orders -d orders -c orders -g orders";
    for format in ["text", "md", "json"] {
        let text = written(format, &named);
        assert!(text.contains(command), "{format}: {text}");
    }
}

#[test]
fn a_picture_names_files_without_their_folders() {
    let mut found = report("orders");
    found.notes[0].source = Some("/home/somebody/logs/a.csv".to_owned());
    let svg = written("svg", &found);
    assert!(svg.contains("a.csv") && !svg.contains("somebody"), "{svg}");
}
