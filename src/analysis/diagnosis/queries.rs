//! Queries and commands that give the numbers of a verdict again.

use crate::analysis::heat::{ContainerHeat, RangeName};
use crate::model::capture::Container;
use crate::model::query_text::{literal, odata, shell_word};
use crate::model::time::Stamp;

use super::Verdict;
use super::note::{NameForm, Naming};
use super::steps;
use super::text::json_of;
use crate::analysis::rules::Rule;

/// Without a beginning the last hour before the newest load is asked for.
const HOUR_S: f64 = 3600.0;

/// One number's way back.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NumberQuery {
    /// What it gives.
    pub what: &'static str,
    pub language: Language,
    pub text: String,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    /// The Kusto query language, for a Log Analytics workspace.
    Kql,
    /// A command line.
    Shell,
}

/// All of them as one text: Kusto throughout, commands as comments.
pub fn text(
    verdict: &Verdict,
    heat: &ContainerHeat,
    container: &Container,
    naming: &Naming<'_>,
) -> String {
    let mut lines = Vec::new();
    if naming.names == NameForm::Invented {
        lines.push("// names are invented: put the real ones in before running".to_owned());
    }
    for query in queries(verdict, heat, container, naming) {
        lines.push(format!("// {}", query.what));
        let comment = match query.language {
            Language::Kql => "",
            Language::Shell => "// ",
        };
        lines.extend(query.text.lines().map(|line| format!("{comment}{line}")));
        lines.push(String::new());
    }
    lines.join("\n")
}

/// In the order of the evidence.
pub fn queries(
    verdict: &Verdict,
    heat: &ContainerHeat,
    container: &Container,
    naming: &Naming<'_>,
) -> Vec<NumberQuery> {
    let ask = Ask {
        verdict,
        heat,
        container,
        naming,
    };
    match verdict.rule {
        Rule::KeyOverLimit | Rule::KeyNearLimit => vec![ask.size_of_key(), ask.full()],
        Rule::PartitionFilling => {
            vec![ask.metric("PhysicalPartitionSizeInfo", "PhysicalPartitionId")]
        }
        Rule::UnevenRuShares | Rule::PaidNotUsable => vec![
            ask.metric("PhysicalPartitionThroughputInfo", "PhysicalPartitionId"),
            ask.normalized(),
        ],
        Rule::NullKey => vec![ask.size_of_key(), ask.ru_by_key()],
        Rule::LowCardinality => vec![ask.active_keys()],
        Rule::FanOut => vec![ask.normalized(), ask.throttled(), ask.by_operation()],
        Rule::MergeCandidates => vec![
            ask.metric("PhysicalPartitionSizeInfo", "PhysicalPartitionId"),
            ask.metric("PhysicalPartitionThroughputInfo", "PhysicalPartitionId"),
        ],
        Rule::OverProvisioned | Rule::ManualOrAutoscale => vec![ask.normalized()],
        Rule::Healthy | Rule::NotEnoughData | Rule::Idle => vec![ask.normalized(), ask.throttled()],
        _ => vec![
            ask.normalized(),
            ask.ru_by_key(),
            ask.throttled(),
            ask.totals(),
        ],
    }
}

struct Ask<'a> {
    verdict: &'a Verdict,
    heat: &'a ContainerHeat,
    container: &'a Container,
    naming: &'a Naming<'a>,
}

impl Ask<'_> {
    /// `[from, to)` of the load; None where nothing has a time.
    fn window(&self) -> Option<(Stamp, Stamp)> {
        let to = self.verdict.as_of?;
        let from = self.verdict.since.filter(|since| *since < to);
        Some((from.or_else(|| to.plus_seconds(-HOUR_S))?, to))
    }

    fn kql(&self, what: &'static str, table: &str, rest: &[String]) -> NumberQuery {
        let mut lines = vec![table.to_owned()];
        if let Some((from, to)) = self.window() {
            lines.push(format!(
                "| where TimeGenerated >= datetime({}) and TimeGenerated < datetime({})",
                from.rfc3339(),
                to.rfc3339()
            ));
        }
        let name = self.naming.container;
        for (part, column, operator) in [
            (&name.account, "AccountName", "=~"),
            (&name.database, "DatabaseName", "=="),
            (&name.container, "CollectionName", "=="),
        ] {
            if let Some(part) = part {
                lines.push(format!("| where {column} {operator} {}", literal(part)));
            }
        }
        if let Some(region) = &self.verdict.region {
            lines.push(format!("| where RegionName == {}", literal(region)));
        }
        lines.extend(rest.iter().map(|line| format!("| {line}")));
        NumberQuery {
            what,
            language: Language::Kql,
            text: lines.join("\n"),
        }
    }

    /// The range id of the partition of the verdict.
    fn range(&self) -> Option<&str> {
        let partition = self.heat.partitions.get(self.verdict.partition? as usize)?;
        match &partition.named {
            RangeName::Range(id) => Some(id),
            RangeName::Guid(_) | RangeName::Undefined | RangeName::NotReported => None,
        }
    }

    fn ru_by_key(&self) -> NumberQuery {
        let mut rest = Vec::new();
        if let Some(range) = self.range() {
            rest.push(format!("where PartitionKeyRangeId == {}", literal(range)));
        }
        rest.push("summarize RU = sum(RequestCharge), Records = count() by PartitionKey, bin(TimeGenerated, 1s)".to_owned());
        rest.push("order by RU desc".to_owned());
        self.kql(
            "RU by key and second",
            "CDBPartitionKeyRUConsumption",
            &rest,
        )
    }

    fn throttled(&self) -> NumberQuery {
        let mut rest = vec![
            "summarize Requests = count(), Throttled = countif(StatusCode == 429), RU = sum(RequestCharge) by PartitionId".to_owned(),
            "extend ThrottledShare = todouble(Throttled) / Requests".to_owned(),
            "order by Throttled desc".to_owned(),
        ];
        rest.extend(self.guid());
        self.kql(
            "throttled requests (429), by partition",
            "CDBDataPlaneRequests",
            &rest,
        )
    }

    fn totals(&self) -> NumberQuery {
        let rest = [
            "summarize Requests = sum(RequestCount), Throttled = sumif(RequestCount, StatusCode == 429), RU = sum(TotalRequestCharge) by PartitionId".to_owned(),
            "extend ThrottledShare = todouble(Throttled) / Requests".to_owned(),
        ];
        self.kql(
            "the same from totals of five minutes",
            "CDBDataPlaneRequests5M",
            &rest,
        )
    }

    /// Request logs name partitions by GUID.
    fn guid(&self) -> Option<String> {
        let known = self
            .heat
            .partitions
            .get(self.verdict.partition? as usize)?
            .known?;
        let guid = self.container.partitions.get(known)?.guid.as_deref()?;
        let is_reported = self.naming.names == NameForm::Real;
        is_reported.then(|| format!("extend IsIt = PartitionId == {}", literal(guid)))
    }

    fn by_operation(&self) -> NumberQuery {
        let rest = [
            "where StatusCode < 400".to_owned(),
            "summarize Requests = count(), RUEach = avg(RequestCharge) by OperationName, PartitionId".to_owned(),
            "order by Requests desc".to_owned(),
        ];
        self.kql(
            "RU of a request, by operation and partition",
            "CDBDataPlaneRequests",
            &rest,
        )
    }

    fn full(&self) -> NumberQuery {
        let rest = [
            "where StatusCode == 403".to_owned(),
            "summarize Requests = count() by OperationName, PartitionId".to_owned(),
        ];
        self.kql("requests answered with 403", "CDBDataPlaneRequests", &rest)
    }

    fn active_keys(&self) -> NumberQuery {
        let rest = [
            "summarize Keys = dcount(PartitionKey), RU = sum(RequestCharge) by bin(TimeGenerated, 1s)".to_owned(),
            "order by TimeGenerated asc".to_owned(),
        ];
        self.kql(
            "keys active in each second",
            "CDBPartitionKeyRUConsumption",
            &rest,
        )
    }

    /// Sizes are read rarely: no time is asked for.
    fn size_of_key(&self) -> NumberQuery {
        let name = self.naming.container;
        let mut lines = vec!["CDBPartitionKeyStatistics".to_owned()];
        for (part, column, operator) in [
            (&name.account, "AccountName", "=~"),
            (&name.database, "DatabaseName", "=="),
            (&name.container, "CollectionName", "=="),
        ] {
            if let Some(part) = part {
                lines.push(format!("| where {column} {operator} {}", literal(part)));
            }
        }
        if let Some(json) = self.verdict.key.as_deref().and_then(json_of) {
            // Logs may spell one value in several ways: the values are compared, not the texts.
            let json = literal(&(self.naming.json)(&json));
            lines.push(format!(
                "| where tostring(parse_json(PartitionKey)) == tostring(parse_json({json}))"
            ));
        }
        lines.push("| project TimeGenerated, RegionName, PartitionKey, SizeKb".to_owned());
        lines.push("| order by TimeGenerated desc".to_owned());
        NumberQuery {
            what: "size of the key",
            language: Language::Kql,
            text: lines.join("\n"),
        }
    }

    fn normalized(&self) -> NumberQuery {
        self.metric("NormalizedRUConsumption", "PartitionKeyRangeId")
    }

    /// A metric is no log: Azure Monitor is asked for it.
    fn metric(&self, metric: &'static str, dimension: &str) -> NumberQuery {
        let name = self.naming.container;
        let account = name
            .account
            .as_deref()
            .map_or("<account>".to_owned(), shell_word);
        let mut filter = Vec::new();
        for (part, column) in [
            (&name.database, "DatabaseName"),
            (&name.container, "CollectionName"),
        ] {
            if let Some(part) = part {
                filter.push(format!("{column} eq {}", odata(part)));
            }
        }
        filter.push(format!("{dimension} eq '*'"));
        let time = self.window().map_or_else(
            || "--offset 1h".to_owned(),
            |(from, to)| {
                format!(
                    "--start-time {} --end-time {}",
                    from.rfc3339(),
                    to.rfc3339()
                )
            },
        );
        NumberQuery {
            what: match metric {
                "NormalizedRUConsumption" => {
                    "share of RU/s by partition, the highest second of each minute"
                }
                "PhysicalPartitionSizeInfo" => "size by physical partition",
                _ => "RU/s by physical partition",
            },
            language: Language::Shell,
            text: format!(
                "az monitor metrics list --resource {} --metric {metric} --aggregation Maximum --interval {} {time} --filter {} --top 1000 --output json",
                steps::resource(&account),
                if metric == "NormalizedRUConsumption" {
                    "PT1M"
                } else {
                    "PT5M"
                },
                shell_word(&filter.join(" and ")),
            ),
        }
    }
}

#[cfg(test)]
mod tests;
