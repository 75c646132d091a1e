//! Alerts as text to copy: rules of log queries, commands and gauges. Nothing of it is run.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Write};

use crate::analysis::diagnosis::queries::container_filters;
use crate::analysis::diagnosis::steps;
use crate::analysis::forecast::{Forecast, LimitKind, LimitSubject, NextLimit};
use crate::analysis::rows::name_order;
use crate::model::names::ContainerName;
use crate::model::query_text::{literal, shell_word};
use crate::model::units::{PHYSICAL_CEILING_KIB, percent_text, rounded_text, six_digits};
use crate::model::visible::visible;
use crate::report::Style;
use crate::report::layout::{limit_name, title};

use super::{subject, subject_json, when};

/// Of a limit: where an alert fires.
const FIRES_AT: f64 = 0.8;
/// Limits that are named above the alerts of a container.
const NAMED: usize = 5;
const INVENTED: &str = "names are invented: put the real ones in before running";

/// What is only assumed needs no alert.
fn measured(forecast: &Forecast) -> impl Iterator<Item = &NextLimit> {
    let is_assumed = |limit: &&NextLimit| matches!(limit.subject, LimitSubject::OneKey { .. });
    forecast
        .limits
        .iter()
        .filter(move |limit| !is_assumed(limit))
}

/// The limits of each container, in the order of their names.
fn by_container(forecast: &Forecast) -> Vec<(&ContainerName, Vec<&NextLimit>)> {
    let mut groups: Vec<(&ContainerName, Vec<&NextLimit>)> = Vec::new();
    for limit in measured(forecast) {
        match groups.iter_mut().find(|(name, _)| **name == limit.name) {
            Some((_, limits)) => limits.push(limit),
            None => groups.push((&limit.name, vec![limit])),
        }
    }
    groups.sort_by(|a, b| name_order(a.0, b.0));
    groups
}

/// `// shop / orders` and a line for each of its first limits.
fn heading(
    forecast: &Forecast,
    (name, limits): (&ContainerName, &[&NextLimit]),
    sign: &str,
    to: &mut dyn Write,
) -> io::Result<()> {
    writeln!(to, "{sign} {}", title(name))?;
    for limit in limits.iter().take(NAMED) {
        let (who, share, date) = (
            subject(limit),
            percent_text(limit.share()),
            when(forecast, limit),
        );
        let what = limit.kind.word();
        writeln!(to, "{sign}   {who}: {what} at {share}; limit {date}")?;
    }
    match limits.len().saturating_sub(NAMED) {
        0 => Ok(()),
        more => writeln!(to, "{sign}   and {more} more"),
    }
}

fn begin(forecast: &Forecast, sign: &str, to: &mut dyn Write) -> io::Result<()> {
    if forecast.is_masked {
        writeln!(to, "{sign} {INVENTED}")?;
    }
    if forecast.limits.is_empty() {
        writeln!(to, "{sign} no limit is listed")?;
    }
    Ok(())
}

/// Queries of log alert rules: a rule fires where its query has a row.
pub fn kql(forecast: &Forecast, _: Style, to: &mut dyn Write) -> io::Result<()> {
    begin(forecast, "//", to)?;
    for (name, limits) in by_container(forecast) {
        heading(forecast, (name, &limits), "//", to)?;
        let most = rounded_text(forecast.ceiling.kib() * FIRES_AT);
        let share = percent_text(FIRES_AT);
        let limit = limit_name(forecast.ceiling);
        let rule = [
            "summarize SizeKb = max(SizeKb) by PartitionKey".to_owned(),
            format!("where SizeKb >= {most}"),
        ];
        let about = format!("keys from {share} of {limit} on; once a day");
        query(to, &about, ("CDBPartitionKeyStatistics", "1d"), name, rule)?;
        for (kind, column, who) in [
            (LimitKind::KeyRu, "PartitionKey", "keys"),
            (LimitKind::PartitionRu, "PartitionKeyRangeId", "partitions"),
        ] {
            let tests: Vec<String> = limits.iter().filter_map(|l| busy(l, kind)).collect();
            if !tests.is_empty() {
                let sum = format!(
                    "summarize RU = sum(RequestCharge) by {column}, bin(TimeGenerated, 1s)"
                );
                let rule = [sum, format!("where {}", tests.join(" or "))];
                let about = format!("{who} from {share} of their RU/s on, by second; every 5 min");
                query(
                    to,
                    &about,
                    ("CDBPartitionKeyRUConsumption", "5m"),
                    name,
                    rule,
                )?;
            }
        }
    }
    Ok(())
}

/// The test of a row: any key, or this partition, whose RU/s may be others than those of the next.
fn busy(limit: &NextLimit, kind: LimitKind) -> Option<String> {
    let fires = rounded_text(limit.limit * FIRES_AT);
    match &limit.subject {
        _ if limit.kind != kind => None,
        LimitSubject::Key(_) => Some(format!("RU >= {fires}")),
        LimitSubject::Partition(id) => {
            let id = literal(id);
            Some(format!("(PartitionKeyRangeId == {id} and RU >= {fires})"))
        }
        LimitSubject::OneKey { .. } => None,
    }
}

fn query(
    to: &mut dyn Write,
    about: &str,
    (table, back): (&str, &str),
    name: &ContainerName,
    rule: [String; 2],
) -> io::Result<()> {
    let of_time = format!("where TimeGenerated > ago({back})");
    let lines = [table.to_owned(), of_time].into_iter();
    let lines: Vec<String> = lines.chain(container_filters(name)).chain(rule).collect();
    writeln!(to, "// {about}\n{}\n", lines.join("\n| "))
}

/// Commands of metric alerts: RU % and size, each physical partition by itself.
pub fn az(forecast: &Forecast, _: Style, to: &mut dyn Write) -> io::Result<()> {
    begin(forecast, "#", to)?;
    for (name, limits) in by_container(forecast) {
        heading(forecast, (name, &limits), "#", to)?;
        let share = percent_text(FIRES_AT);
        let bytes = rounded_text(PHYSICAL_CEILING_KIB * 1024.0 * FIRES_AT);
        let percent = rounded_text(FIRES_AT * 100.0);
        for (what, of, metric, least, times) in [
            (
                "ru",
                "its RU/s",
                "NormalizedRUConsumption",
                &percent,
                ["5m", "1m"],
            ),
            (
                "size",
                "50 GB",
                "PhysicalPartitionSizeInfo",
                &bytes,
                ["1h", "15m"],
            ),
        ] {
            let account = name.account.as_deref();
            let group = account.and_then(|account| forecast.resource_groups.get(account));
            let group = group.map_or("<resource-group>".to_owned(), |group| shell_word(group));
            let account = account.map_or("<account>".to_owned(), shell_word);
            let [database, container] = [
                (&name.database, "<database>"),
                (&name.container, "<container>"),
            ]
            .map(|(name, placeholder)| condition_value(name.as_deref(), placeholder));
            let condition = format!(
                "max {metric} >= {least} where DatabaseName includes {database} and CollectionName includes {container} and PhysicalPartitionId includes *"
            );
            let rule = format!(
                "cosmoscope-{what}-{}-{}",
                rule_name(&database),
                rule_name(&container)
            );
            let [window, every] = times;
            writeln!(
                to,
                "az monitor metrics alert create --name {} --resource-group {group} --scopes {} --condition {} --window-size {window} --evaluation-frequency {every} --description {}",
                shell_word(&rule),
                steps::resource(&group, &account),
                shell_word(&condition),
                shell_word(&format!("a physical partition is at {share} of {of}")),
            )?;
        }
        if limits.iter().any(|limit| limit.kind == LimitKind::KeySize) {
            writeln!(to, "# sizes of keys are in logs only: --alerts kql")?;
        }
        writeln!(to)?;
    }
    Ok(())
}

/// A value that the conditions of the command can hold: others are left to be filled in.
fn condition_value(name: Option<&str>, placeholder: &str) -> String {
    const WORDS: [&str; 10] = [
        "and",
        "or",
        "where",
        "with",
        "of",
        "since",
        "dynamic",
        "includes",
        "excludes",
        "skipmetricvalidation",
    ];
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.~%".contains(c);
    let fits = |name: &&str| {
        !name.is_empty()
            && name.chars().all(is_plain)
            && !WORDS.iter().any(|word| name.eq_ignore_ascii_case(word))
    };
    name.filter(fits).unwrap_or(placeholder).to_owned()
}

/// What the name of a rule may hold.
fn rule_name(value: &str) -> String {
    let allowed = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    value.chars().filter(|c| allowed(*c)).collect()
}

/// A text file of gauges.
pub fn prometheus(forecast: &Forecast, _: Style, to: &mut dyn Write) -> io::Result<()> {
    let mut shares = String::new();
    let mut dates = String::new();
    for limit in measured(forecast) {
        let labels = labels(limit);
        let share = six_digits(limit.share());
        let _ = writeln!(shares, "cosmoscope_limit_share{{{labels}}} {share}");
        if let Some(at) = limit.date.date() {
            let second = at.seconds();
            let _ = writeln!(
                dates,
                "cosmoscope_limit_timestamp_seconds{{{labels}}} {second}"
            );
        }
    }
    for (gauge, help, rows) in [
        (
            "cosmoscope_limit_share",
            "Size or RU/s as a part of its limit.",
            shares,
        ),
        (
            "cosmoscope_limit_timestamp_seconds",
            "When the limit is reached, in seconds since 1970.",
            dates,
        ),
    ] {
        write!(to, "# HELP {gauge} {help}\n# TYPE {gauge} gauge\n{rows}")?;
    }
    Ok(())
}

fn labels(limit: &NextLimit) -> String {
    let name = &limit.name;
    let (key, partition) = subject_json(limit);
    let labels: BTreeMap<&str, &str> = [
        ("account", name.account.as_deref()),
        ("container", name.container.as_deref()),
        ("database", name.database.as_deref()),
        ("key", key),
        ("limit", Some(limit.kind.word())),
        ("partition", partition),
    ]
    .into_iter()
    .filter_map(|(label, value)| Some((label, value?)))
    .collect();
    let label = |(label, value): (&str, &str)| {
        let value = visible(value).replace('\\', r"\\").replace('"', r#"\""#);
        format!("{label}=\"{value}\"")
    };
    let labels: Vec<String> = labels.into_iter().map(label).collect();
    labels.join(",")
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;
    use crate::analysis::ceiling::Ceiling;
    use crate::analysis::growth::LimitDate;
    use crate::analysis::mask::Masker;
    use crate::model::time::Stamp;

    fn forecast(names: [&str; 3], key: &str) -> Forecast {
        let at = Stamp::from_seconds(1_782_864_000).unwrap();
        let limit = |subject, kind, now, limit, date| NextLimit {
            name: ContainerName::new(Some(names[0]), Some(names[1]), Some(names[2])),
            subject,
            kind,
            now,
            limit,
            growth: None,
            container: 0,
            key_id: None,
            date,
            levels_off_kib: None,
            largest_key: None,
        };
        let date = LimitDate::Date {
            at,
            earliest: at,
            latest: None,
        };
        let key = LimitSubject::Key(Some(key.into()));
        let partition = LimitSubject::Partition("1".to_owned());
        Forecast {
            ceiling: Ceiling::BINARY,
            limits: vec![
                limit(key, LimitKind::KeySize, 18.0, 20.0, date),
                limit(
                    partition,
                    LimitKind::PartitionRu,
                    4_900.0,
                    5_000.0,
                    LimitDate::Unknown,
                ),
            ],
            resource_groups: BTreeMap::from([(names[0].to_owned(), "rg'1".to_owned())]),
            ..Forecast::default()
        }
    }

    fn written(write: super::super::ForecastWriter, forecast: &Forecast) -> String {
        let mut out = Vec::new();
        write(forecast, Style::default(), &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn each_language_has_its_rules() {
        let plain = forecast(["contoso", "shop", "orders"], r#"["a"]"#);
        let rules = written(kql, &plain);
        for line in [
            "// contoso / shop / orders\n",
            "CDBPartitionKeyStatistics\n| where TimeGenerated > ago(1d)\n| where AccountName =~ \"contoso\"\n| where DatabaseName == \"shop\"\n| where CollectionName == \"orders\"\n| summarize SizeKb = max(SizeKb) by PartitionKey\n| where SizeKb >= 16777216\n",
            "| where (PartitionKeyRangeId == \"1\" and RU >= 4000)\n",
        ] {
            assert!(rules.contains(line), "{line}\n{rules}");
        }
        let commands = written(az, &plain);
        for part in [
            "az monitor metrics alert create --name 'cosmoscope-ru-shop-orders' --resource-group 'rg'\\''1' --scopes \"$(az cosmosdb show --resource-group 'rg'\\''1' --name 'contoso' ",
            "'max NormalizedRUConsumption >= 80 where DatabaseName includes shop and CollectionName includes orders and PhysicalPartitionId includes *'",
            "'max PhysicalPartitionSizeInfo >= 42949672960 where ",
        ] {
            assert!(commands.contains(part), "{part}\n{commands}");
        }
        let gauges = written(prometheus, &plain);
        let labels = r#"{account="contoso",container="orders",database="shop",key="[\"a\"]",limit="key-size"}"#;
        for line in [
            format!("cosmoscope_limit_share{labels} 0.9\n"),
            format!("cosmoscope_limit_timestamp_seconds{labels} 1782864000\n"),
            "limit=\"partition-ru\",partition=\"1\"} 0.98\n".to_owned(),
        ] {
            assert!(gauges.contains(&line), "{line}\n{gauges}");
        }
        assert_eq!(gauges.lines().filter(|l| l.contains("} 17")).count(), 1);
    }

    #[test]
    fn hostile_names_end_no_text_and_no_line() {
        let bad = "x\"'\\\n`$(rm)`\u{1b}[2J\u{202e} or *";
        let hostile = forecast([bad, bad, bad], &format!("[{}]", serde_json::json!(bad)));
        let plain = forecast(["contoso", "shop", "orders"], r#"["a"]"#);
        for write in [kql as super::super::ForecastWriter, az, prometheus] {
            let (text, usual) = (written(write, &hostile), written(write, &plain));
            assert_eq!(text.lines().count(), usual.lines().count(), "{text}");
            let acts = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
            assert!(!text.contains(acts), "{text:?}");
        }
        let rules = written(kql, &hostile);
        let literal = literal(bad);
        assert!(
            rules.contains(&format!("| where DatabaseName == {literal}\n")),
            "{rules}"
        );
        let commands = written(az, &hostile);
        let condition =
            "DatabaseName includes <database> and CollectionName includes <container> and";
        assert!(commands.contains(condition), "{commands}");
        // Each label ends where its value does.
        let gauges = written(prometheus, &hostile);
        for line in gauges.lines().filter(|line| !line.starts_with('#')) {
            let unescaped = line.replace(r"\\", "").replace(r#"\""#, "");
            let quotes = unescaped.matches('"').count();
            assert_eq!(quotes, 2 * unescaped.matches("=\"").count(), "{line}");
        }
    }

    #[test]
    fn invented_names_are_said_to_be_so() {
        let mut masked = forecast(["contoso", "shop", "orders"], r#"["tenant"]"#);
        masked.mask(&Masker::new(b"salt"));
        for write in [kql as super::super::ForecastWriter, az, prometheus] {
            let text = written(write, &masked);
            for name in ["contoso", "shop", "orders", "tenant", "rg'"] {
                assert!(!text.contains(name), "{name}\n{text}");
            }
        }
        assert!(written(az, &masked).starts_with("# names are invented"));
    }
}
