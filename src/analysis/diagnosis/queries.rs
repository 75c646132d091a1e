//! Queries and commands that give the numbers of a verdict again.

use crate::analysis::heat::{ContainerHeat, RangeName};
use crate::model::capture::Container;
use crate::model::names::is_resource;
use crate::model::query_text::{OWN_COLUMNS, container_filters, literal, odata, shell_word};
use crate::model::time::{HOUR_S, Stamp};

use super::Verdict;
use super::note::{NameForm, Naming};
use super::steps;
use super::text::json_of;
use crate::analysis::rules::Rule;

/// How the query begins that finds the client.
pub const WHO: &str = "who sends it: ";

/// One number's way back.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NumberQuery {
    /// What it gives.
    pub what: &'static str,
    /// Kusto for a Log Analytics workspace, or a command.
    pub text: String,
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
        let comment = ["", "// "][usize::from(steps::command(&query.text).is_some())];
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
    let ask = Ask { verdict, heat, container, naming };
    match verdict.rule {
        Rule::KeyOverLimit | Rule::KeyNearLimit => vec![ask.size_of_key(), ask.fixed(FULL)],
        Rule::PartitionFilling => vec![ask.metric(SIZES)],
        Rule::UnevenRuShares | Rule::PaidNotUsable => vec![ask.metric(RU), ask.metric(SHARES)],
        Rule::NullKey => vec![ask.size_of_key(), ask.ru_by_key(), ask.by_client()],
        Rule::LowCardinality => vec![ask.fixed(ACTIVE_KEYS)],
        Rule::FanOut => vec![ask.by_client(), ask.metric(SHARES), ask.fixed(THROTTLED)],
        Rule::MergeCandidates => vec![ask.metric(SIZES), ask.metric(RU)],
        Rule::OverProvisioned | Rule::ManualOrAutoscale => vec![ask.metric(SHARES)],
        Rule::Healthy | Rule::NotEnoughData | Rule::Idle => {
            vec![ask.metric(SHARES), ask.fixed(THROTTLED)]
        }
        _ => vec![
            ask.metric(SHARES),
            ask.ru_by_key(),
            ask.by_client(),
            ask.fixed(THROTTLED),
            ask.fixed(TOTALS),
        ],
    }
}

/// What it gives of requests, or of queries, and the column that is of these alone.
const CLIENT: [(&str, &str); 2] = [
    ("who sends it: RU by client and operation", "PartitionId"),
    ("who sends it: RU by client and query (log QueryRuntimeStatistics)", "QueryText"),
];

/// What it gives, the name of the metric, the dimension of partitions, and how long a step is.
type MetricQuery = [&'static str; 4];

const SHARES: MetricQuery =
    [steps::RU_PERCENT, "NormalizedRUConsumption", "PartitionKeyRangeId", "PT1M"];
const SIZES: MetricQuery =
    ["size by physical partition", "PhysicalPartitionSizeInfo", "PhysicalPartitionId", "PT5M"];
const RU: MetricQuery = [
    "RU/s by physical partition",
    "PhysicalPartitionThroughputInfo",
    "PhysicalPartitionId",
    "PT5M",
];

/// What it gives, of which table, and the rest.
type FixedQuery = (&'static str, &'static str, &'static [&'static str]);

const TOTALS: FixedQuery = (
    "the same from totals of five minutes",
    "CDBDataPlaneRequests5M",
    &[
        "summarize Requests = sum(RequestCount), Throttled = sumif(RequestCount, StatusCode == 429), RU = sum(TotalRequestCharge) by PartitionId",
        "extend ThrottledShare = todouble(Throttled) / Requests",
    ],
);
const THROTTLED: FixedQuery = (
    "throttled requests (429), by partition",
    "CDBDataPlaneRequests",
    &[
        "summarize Requests = count(), Throttled = countif(StatusCode == 429), RU = sum(RequestCharge) by PartitionId",
        "extend ThrottledShare = todouble(Throttled) / Requests",
        "order by Throttled desc",
    ],
);
const FULL: FixedQuery = (
    "requests answered with 403",
    "CDBDataPlaneRequests",
    &["where StatusCode == 403", "summarize Requests = count() by OperationName, PartitionId"],
);
const ACTIVE_KEYS: FixedQuery = (
    "keys active in each second",
    "CDBPartitionKeyRUConsumption",
    &[
        "summarize Keys = dcount(PartitionKey), RU = sum(RequestCharge) by bin(TimeGenerated, 1s)",
        "order by TimeGenerated asc",
    ],
);

impl NumberQuery {
    /// The first line names the table.
    fn kql(what: &'static str, lines: &[String]) -> Self {
        Self { what, text: lines.join("\n| ") }
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

    fn kql(
        &self,
        what: &'static str,
        table: &str,
        rest: impl IntoIterator<Item = String>,
    ) -> NumberQuery {
        let mut lines = vec![table.to_owned()];
        lines.extend(self.of_time());
        lines.extend(container_filters(self.naming.container.parts(), OWN_COLUMNS));
        let region = self.verdict.region.as_deref().map(literal);
        lines.extend(region.map(|region| format!("where RegionName == {region}")));
        lines.extend(rest);
        NumberQuery::kql(what, &lines)
    }

    fn of_time(&self) -> Option<String> {
        let (from, to) = self.window()?;
        let [from, to] = [from, to].map(Stamp::rfc3339);
        Some(format!("where TimeGenerated >= datetime({from}) and TimeGenerated < datetime({to})"))
    }

    /// The range id of the partition of the verdict.
    fn range(&self) -> Option<&str> {
        let partition = self.heat.partitions.get(self.verdict.partition? as usize)?;
        RangeName::range(&partition.named)
    }

    fn ru_by_key(&self) -> NumberQuery {
        let range = self.range().map(literal);
        let range = range.map(|range| format!("where PartitionKeyRangeId == {range}"));
        let sums = "summarize RU = sum(RequestCharge), Records = count() by PartitionKey, bin(TimeGenerated, 1s)";
        let rest = [sums.to_owned(), "order by RU desc".to_owned()];
        let table = "CDBPartitionKeyRUConsumption";
        self.kql("RU by key and second", table, range.into_iter().chain(rest))
    }

    /// Request logs name the client, and the query log the text, which may not be there.
    fn by_client(&self) -> NumberQuery {
        let is_query = self.verdict.rule == Rule::FanOut;
        let (what, by) = CLIENT[usize::from(is_query)];
        let of_time = self.of_time().map_or(String::new(), |t| format!("{t} | "));
        let texts = format!(
            "join kind=leftouter (union isfuzzy=true (datatable(TimeGenerated: datetime, ActivityId: string, QueryText: string)[]), CDBQueryRuntimeStatistics | {of_time}distinct ActivityId, QueryText) on ActivityId"
        );
        let sums = format!(
            "summarize RU = sum(RequestCharge), Requests = count(), Throttled = countif(StatusCode == 429), RUEach = avgif(RequestCharge, StatusCode < 400) by UserAgent, ClientIpAddress, OperationName, {by}"
        );
        let rest = is_query.then_some(texts).into_iter();
        let rest = rest.chain([sums, "top 20 by RU desc".to_owned()]);
        self.kql(what, "CDBDataPlaneRequests", rest.chain(self.guid()))
    }

    fn fixed(&self, (what, table, rest): FixedQuery) -> NumberQuery {
        let is_by_partition = rest.iter().any(|line| line.ends_with("by PartitionId"));
        let rest = rest.iter().copied().map(str::to_owned);
        let guid = self.guid().filter(|_| is_by_partition);
        self.kql(what, table, rest.chain(guid))
    }

    /// Request logs name partitions by GUID.
    fn guid(&self) -> Option<String> {
        let known = self.heat.partitions.get(self.verdict.partition? as usize)?.known?;
        let guid = self.container.partitions.get(known)?.guid.as_deref()?;
        let is_reported = self.naming.names == NameForm::Real;
        is_reported.then(|| format!("extend IsThisPartition = PartitionId == {}", literal(guid)))
    }

    /// Sizes are read rarely: no time is asked for.
    fn size_of_key(&self) -> NumberQuery {
        let mut lines = vec!["CDBPartitionKeyStatistics".to_owned()];
        lines.extend(container_filters(self.naming.container.parts(), OWN_COLUMNS));
        if let Some(json) = self.verdict.key.as_deref().and_then(json_of) {
            // Logs may spell one value in several ways: the values are compared, not the texts.
            let json = literal(&(self.naming.json)(&json));
            lines.push(format!(
                "where tostring(parse_json(PartitionKey)) == tostring(parse_json({json}))"
            ));
        }
        lines.push("project TimeGenerated, RegionName, PartitionKey, SizeKb".to_owned());
        lines.push("order by TimeGenerated desc".to_owned());
        NumberQuery::kql("size of the key", &lines)
    }

    /// A metric is no log: Azure Monitor is asked for it.
    fn metric(&self, [what, metric, dimension, step]: MetricQuery) -> NumberQuery {
        let name = self.naming.container;
        let [account, ..] = name.service_names();
        let account = shell_word(account.unwrap_or("<account>"));
        let group = self.naming.group.filter(|group| is_resource(group));
        let group = shell_word(group.unwrap_or(steps::RESOURCE_GROUP));
        let parts = name.parts().into_iter().zip(OWN_COLUMNS).skip(1);
        let parts =
            parts.filter_map(|(part, column)| Some(format!("{column} eq {}", odata(part?))));
        let mut filter: Vec<String> = parts.collect();
        filter.push(format!("{dimension} eq '*'"));
        let time = self.window().map_or_else(
            || "--offset 1h".to_owned(),
            |(from, to)| format!("--start-time {} --end-time {}", from.rfc3339(), to.rfc3339()),
        );
        NumberQuery {
            what,
            text: format!(
                "az monitor metrics list --resource {} --metric {metric} --aggregation Maximum --interval {step} {time} --filter {} --top 1000 --output json",
                steps::resource(&group, &account),
                shell_word(&filter.join(" and ")),
            ),
        }
    }
}

#[cfg(test)]
mod tests;
