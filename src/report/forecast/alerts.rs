//! Alerts as text to copy: rules of log queries, commands and gauges. Nothing of it is run.

use std::io::{self, Write};

use crate::analysis::diagnosis::steps;
use crate::analysis::forecast::{Forecast, LimitKind, LimitSubject, NextLimit};
use crate::analysis::rows::name_order;
use crate::model::names::{ContainerName, is_resource};
use crate::model::query_text::{OWN_COLUMNS, container_filters, literal, shell_word};
use crate::model::units::{
    PHYSICAL_CEILING_KIB, percent_text, real_seconds, rounded_text, six_digits,
};
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
    forecast.limits.iter().filter(move |limit| !is_assumed(limit))
}

/// The listed limits of each container, in the order of their names.
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
        let (who, what) = (subject(limit), limit.kind.word());
        let (share, date) = (percent_text(limit.share()), when(forecast, limit));
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
    let share = percent_text(FIRES_AT);
    let most = rounded_text(forecast.ceiling.kib() * FIRES_AT);
    begin(forecast, "//", to)?;
    for (name, limits) in by_container(forecast) {
        heading(forecast, (name, &limits), "//", to)?;
        let limit = limit_name(forecast.ceiling);
        let about = format!("keys from {share} of {limit} on; once a day");
        let sum = "summarize SizeKb = max(SizeKb) by PartitionKey";
        let rule = [sum.to_owned(), format!("where SizeKb >= {most}")];
        query(to, &about, "CDBPartitionKeyStatistics", name, rule)?;
        for (kind, column) in
            [(LimitKind::KeyRu, "PartitionKey"), (LimitKind::PartitionRu, "PartitionKeyRangeId")]
        {
            let tests: Vec<String> = limits.iter().filter_map(|l| busy(l, kind)).collect();
            if tests.is_empty() {
                continue;
            }
            let about = format!("{column} from {share} of its RU/s on, by second; once a day");
            let sum =
                format!("summarize RU = sum(RequestCharge) by {column}, bin(TimeGenerated, 1s)");
            let rule = [sum, format!("where {}", tests.join(" or "))];
            query(to, &about, "CDBPartitionKeyRUConsumption", name, rule)?;
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
    table: &str,
    name: &ContainerName,
    rule: [String; 2],
) -> io::Result<()> {
    let first = [table, "where TimeGenerated > ago(1d)"].map(str::to_owned);
    let lines = first.into_iter().chain(container_filters(name.parts(), OWN_COLUMNS));
    let lines: Vec<String> = lines.chain(rule).collect();
    writeln!(to, "// {about}\n{}\n", lines.join("\n| "))
}

/// The end of the name of its rule, the metric, its limit, and how long and often it is looked at.
const METRICS: [(&str, &str, f64, [&str; 2]); 2] = [
    ("ru", "NormalizedRUConsumption", 100.0, ["5m", "1m"]),
    ("size", "PhysicalPartitionSizeInfo", PHYSICAL_CEILING_KIB * 1024.0, ["1h", "15m"]),
];

/// Commands of metric alerts: RU % and size, each physical partition by itself.
pub fn az(forecast: &Forecast, _: Style, to: &mut dyn Write) -> io::Result<()> {
    begin(forecast, "#", to)?;
    for (name, limits) in by_container(forecast) {
        heading(forecast, (name, &limits), "#", to)?;
        let group = name.account.as_deref().and_then(|of| forecast.resource_groups.get(of));
        let group = group.map(String::as_str).filter(|group| is_resource(group));
        let group = shell_word(group.unwrap_or(steps::RESOURCE_GROUP));
        let [account, database, container] = name.service_names();
        let account = shell_word(account.unwrap_or("<account>"));
        let scope = steps::resource(&group, &account);
        let database = condition_value(database, "<database>");
        let container = condition_value(container, "<container>");
        for (what, metric, whole, [window, every]) in METRICS {
            let least = rounded_text(whole * FIRES_AT);
            let condition = shell_word(&format!(
                "max {metric} >= {least} where DatabaseName includes {database} and CollectionName includes {container} and PhysicalPartitionId includes *"
            ));
            let rule = rule_name(&format!("cosmoscope-{what}-{database}-{container}"));
            writeln!(
                to,
                "az monitor metrics alert create --name '{rule}' --resource-group {group} --scopes {scope} --condition {condition} --window-size {window} --evaluation-frequency {every}"
            )?;
        }
        writeln!(to, "# sizes of keys are in logs only: --alerts kql\n")?;
    }
    Ok(())
}

/// A value that the conditions of the command can hold: others are left to be filled in.
fn condition_value(name: Option<&str>, placeholder: &str) -> String {
    const WORDS: &str = "and or where with of since dynamic includes excludes";
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.~%".contains(c);
    let is_word = |name: &str| WORDS.split(' ').any(|word| name.eq_ignore_ascii_case(word));
    let fits = |name: &&str| !name.is_empty() && name.chars().all(is_plain) && !is_word(name);
    name.filter(fits).unwrap_or(placeholder).to_owned()
}

/// What the name of a rule may hold.
fn rule_name(value: &str) -> String {
    let allowed = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    value.chars().filter(|c| allowed(*c)).collect()
}

/// A text file of gauges.
pub fn prometheus(forecast: &Forecast, _: Style, to: &mut dyn Write) -> io::Result<()> {
    let share = |limit: &NextLimit| Some(six_digits(limit.share()));
    gauge(forecast, "share", "Size or RU/s as a part of its limit", share, to)?;
    let second = |limit: &NextLimit| Some(real_seconds(limit.date.date()?.seconds()));
    let help = "When the limit is reached, since 1970";
    gauge(forecast, "timestamp_seconds", help, second, to)
}

fn gauge(
    forecast: &Forecast,
    name: &str,
    help: &str,
    value: impl Fn(&NextLimit) -> Option<f64>,
    to: &mut dyn Write,
) -> io::Result<()> {
    let name = format!("cosmoscope_limit_{name}");
    writeln!(to, "# HELP {name} {help}.\n# TYPE {name} gauge")?;
    for limit in measured(forecast) {
        if let Some(value) = value(limit) {
            writeln!(to, "{name}{{{}}} {value}", labels(limit))?;
        }
    }
    Ok(())
}

fn labels(limit: &NextLimit) -> String {
    let name = &limit.name;
    let (key, partition) = subject_json(limit);
    let labels = [
        ("account", name.account.as_deref()),
        ("database", name.database.as_deref()),
        ("container", name.container.as_deref()),
        ("limit", Some(limit.kind.word())),
        ("key", key),
        ("partition", partition),
    ];
    let label = |(label, value): (&str, Option<&str>)| {
        let value = visible(value?).replace('\\', r"\\").replace('"', r#"\""#);
        Some(format!("{label}=\"{value}\""))
    };
    let labels: Vec<String> = labels.into_iter().filter_map(label).collect();
    labels.join(",")
}

#[cfg(test)]
mod tests;
