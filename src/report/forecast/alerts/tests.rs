//! Alerts in three languages, of plain, hostile and masked names.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use super::*;
use crate::analysis::ceiling::Ceiling;
use crate::analysis::growth::LimitDate;
use crate::analysis::mask::Masker;
use crate::model::time::Stamp;

type AlertWriter = fn(&Forecast, Style, &mut dyn Write) -> io::Result<()>;

const WRITERS: [AlertWriter; 3] = [kql, az, prometheus];

fn forecast(name: &str, key: &str) -> Forecast {
    let at = Stamp::from_seconds(1_782_864_000).unwrap();
    let size = NextLimit {
        name: ContainerName::new(Some(name), Some(name), Some(name)),
        subject: LimitSubject::Key(Some(key.into())),
        kind: LimitKind::KeySize,
        now: 18.0,
        limit: 20.0,
        growth: None,
        container: 0,
        key_id: None,
        date: LimitDate::Date { at, earliest: at, latest: None },
        levels_off_kib: None,
        largest_key: None,
        is_slowed: false,
        hidden_share: None,
    };
    let busy = NextLimit {
        subject: LimitSubject::Partition("1".to_owned()),
        kind: LimitKind::PartitionRu,
        now: 4_900.0,
        limit: 5_000.0,
        date: LimitDate::Unknown,
        ..size.clone()
    };
    let groups = [(name.to_owned(), "rg'1".to_owned())];
    Forecast {
        ceiling: Ceiling::BINARY,
        limits: vec![size, busy],
        resource_groups: groups.into(),
        ..Forecast::default()
    }
}

fn written(write: AlertWriter, forecast: &Forecast) -> String {
    let mut out = Vec::new();
    write(forecast, Style::default(), &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

#[test]
fn each_language_has_its_rules() {
    let all = WRITERS.map(|write| written(write, &forecast("orders", r#"["a"]"#)));
    for part in [
        "CDBPartitionKeyStatistics\n| where TimeGenerated > ago(1d)\n| where AccountName =~ \"orders\"\n| where DatabaseName == \"orders\"\n| where CollectionName == \"orders\"\n| summarize SizeKb = max(SizeKb) by PartitionKey\n| where SizeKb >= 16777216\n",
        "| where (PartitionKeyRangeId == \"1\" and RU >= 4000)\n",
        "az monitor metrics alert create --name 'cosmoscope-ru-orders-orders' --resource-group 'rg'\\''1' --scopes \"$(az cosmosdb show --resource-group 'rg'\\''1' --name 'orders' ",
        "'max NormalizedRUConsumption >= 80 where DatabaseName includes orders and CollectionName includes orders and PhysicalPartitionId includes *'",
        "'max PhysicalPartitionSizeInfo >= 42949672960 where ",
        "cosmoscope_limit_share{account=\"orders\",database=\"orders\",container=\"orders\",limit=\"key-size\",key=\"[\\\"a\\\"]\"} 0.9\n",
        "limit=\"partition-ru\",partition=\"1\"} 0.98\n# HELP cosmoscope_limit_timestamp_seconds ",
        "key=\"[\\\"a\\\"]\"} 1782864000\n",
    ] {
        assert!(all.concat().contains(part), "{part}\n{}", all.concat());
    }
}

#[test]
fn what_is_to_be_filled_in_is_one_word_of_the_shell() {
    let mut unnamed = forecast("orders", r#"["a"]"#);
    unnamed.resource_groups.clear();
    unnamed.limits.iter_mut().for_each(|limit| limit.name.account = None);
    let commands = written(az, &unnamed);
    // Every second piece stands between quotes: outside of them a shell reads `<` as a redirection.
    let outside: String = commands.split('\'').step_by(2).collect();
    assert!(commands.contains("<resource-group>") && commands.contains("<account>"), "{commands}");
    assert!(!outside.contains('<'), "{commands}");
}

#[test]
fn hostile_names_end_no_text_and_no_line() {
    let bad = "x\"'\\\n`$(rm)`\u{1b}[2J\u{202e} or *";
    let hostile = forecast(bad, &format!("[{}]", serde_json::json!(bad)));
    let plain = forecast("orders", r#"["a"]"#);
    let [rules, commands, gauges] = WRITERS.map(|write| {
        let text = written(write, &hostile);
        assert_eq!(text.lines().count(), written(write, &plain).lines().count());
        let acts = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
        assert!(!text.contains(acts), "{text:?}");
        text
    });
    let literal = literal(bad);
    assert!(rules.contains(&format!("| where DatabaseName == {literal}\n")));
    let condition =
        "where DatabaseName includes <database> and CollectionName includes <container> and";
    assert!(commands.contains(condition), "{commands}");
    assert!(commands.contains(" --name '<account>' --query"), "{commands}");
    // Each label ends where its value does.
    for line in gauges.lines().filter(|line| !line.starts_with('#')) {
        let unescaped = line.replace(r"\\", "").replace(r#"\""#, "");
        let labels = unescaped.matches("=\"").count();
        assert_eq!(unescaped.matches('"').count(), 2 * labels, "{line}");
    }
}

#[test]
fn invented_names_are_said_to_be_so() {
    let mut masked = forecast("orders", r#"["tenant"]"#);
    masked.mask(&Masker::new(b"salt"));
    let all = WRITERS.map(|write| written(write, &masked)).concat();
    for name in ["orders", "tenant", "rg'"] {
        assert!(!all.contains(name), "{name}\n{all}");
    }
    assert!(written(az, &masked).starts_with("# names are invented"));
}
