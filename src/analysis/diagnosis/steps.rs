//! What to do next, as text to read or to run; names of accounts and containers are placeholders, so that nothing leaks.

use super::Phrase;
use super::next_steps::StepTime;
use crate::analysis::candidate::{Candidate, Level};
use crate::model::query_text::shell_word;
use crate::model::throughput::ThroughputMode;
use crate::model::units::rounded_text;

/// Switches on the logs that name keys and what was refused.
pub const LOGS_ON: &str = r#"az monitor diagnostic-settings create --name partition-load --resource "$(az cosmosdb show --resource-group '<resource-group>' --name '<account>' --query id --output tsv)" --workspace '<workspace-id>' --export-to-resource-specific true --logs '[{"category":"PartitionKeyRUConsumption","enabled":true},{"category":"DataPlaneRequests","enabled":true},{"category":"QueryRuntimeStatistics","enabled":true},{"category":"PartitionKeyStatistics","enabled":true}]' (logs that name keys, operations and 429s; az monitor log-analytics workspace list shows the workspaces)"#;
const LOGS_ON_PORTAL: &str = "or in the portal: the account, Monitoring, Diagnostic settings, Add diagnostic setting. Categories: PartitionKeyRUConsumption, DataPlaneRequests, QueryRuntimeStatistics and PartitionKeyStatistics. Send them to a Log Analytics workspace, table type resource specific";
const LOGS_COST: &str = "logs are billed by the GB ingested, one record for each request. After the incident, switch all off but PartitionKeyStatistics (az monitor diagnostic-settings delete --name partition-load --resource '<account>' --resource-group '<resource-group>' --resource-type Microsoft.DocumentDB/databaseAccounts). The totals DataPlaneRequests5M (preview) cost about 95 % less than DataPlaneRequests and show 429s by partition, too. PartitionKeyStatistics writes few records";
/// What the metric of each partition's RU/s shows.
pub const RU_PERCENT: &str = "RU % of each partition, the highest second of each minute";
/// Metrics need no setting at all.
const NORMALIZED_RU: &str = r#"az monitor metrics list --resource "$(az cosmosdb show --resource-group '<resource-group>' --name '<account>' --query id --output tsv)" --metric NormalizedRUConsumption --aggregation Maximum --interval PT1M --offset 1h --filter "DatabaseName eq '<database>' and CollectionName eq '<container>' and PartitionKeyRangeId eq '*'" --top 1000 --output json"#;
pub const USAGES: &str = "az rest --method get --url \"https://management.azure.com$(az cosmosdb show --resource-group '<resource-group>' --name '<account>' --query id --output tsv)/databases/<database-rid>/collections/<container-rid>/partitions/usages?api-version=2024-11-15&\\$filter=name.value eq 'Partition Storage'\" (sizes, and which GUID of the request log is which range; az cosmosdb sql container show has the rids)";
pub const BURST: &str = "az cosmosdb update --resource-group '<resource-group>' --name '<account>' --enable-burst-capacity true (serves short peaks; not guaranteed)";
pub const LIMIT: &str = "limit the client: fewer parallel requests. After a 429 it waits as long as x-ms-retry-after-ms says. A throughput bucket (preview) limits it, too, but its 429s stay. Register it in the subscription first, then tag requests by the SDK";
/// How the step begins that names the key to limit.
pub const LIMIT_KEY: &str = "limit <key> to";
/// Requests that the RU log writes without a key.
pub const KEYLESS: &str = "queries, or Go ReadMany before azcosmos v1.6.0-beta.3";
/// How the log comes to name the keys of requests that it writes without one.
pub const KEYLESS_FIX: &str = "if Go clients call ReadManyItems: from azcosmos v1.6.0-beta.3 on, the log has the key of items that share one. Queries across partitions have none";
/// Gives every partition the same again.
pub const REDISTRIBUTE_EVENLY: &str = "if the load is even: az cosmosdb sql container redistribute-partition-throughput --resource-group '<resource-group>' --account-name '<account>' --database-name '<database>' --name '<container>' --evenly-distribute (preview extension cosmosdb-preview)";
pub const TRY_KEYS: &str =
    "find keys on real documents: 4 then a on the screen, or cosmoscope trial DOCUMENTS --suggest";
pub const COPY: &str = "a container's key cannot be changed: create a container with the new key. Copy the documents (container copy job, offline or online), then switch the application over";
/// Stands in a command for a name that no input reports.
pub const RESOURCE_GROUP: &str = "<resource-group>";
/// The path of a value that documents do not have yet.
pub const NEW_PROPERTY: &str = "/<new-property>";
const NEW_CONTAINER: &str = "az cosmosdb sql container create --resource-group '<resource-group>' --account-name '<account>' --database-name '<database>' --name '<new-container>' --partition-key-path";
const COPY_JOB: &str = "az cosmosdb copy create --resource-group '<resource-group>' --job-name change-key --src-account '<account>' --dest-account '<account>' --src-nosql database='<database>' container='<container>' --dest-nosql database='<database>' container='<new-container>' (preview extension cosmosdb-preview)";

/// Of a value that documents do not have: a copy job copies them as they are.
const COPY_AND_WRITE: &str = "copy with Spark or a change feed reader, which writes <new-property>";
const SWITCH: &str = "switch the application over to <new-container>";

/// What is said of the step before it.
pub(super) const NOTES: [&str; 2] = ["or in the portal", "logs are billed"];

/// What a step is called: a command by what is said of it, else by its first words.
pub(super) fn title(step: &str) -> String {
    match command(step) {
        None => step.to_owned(),
        Some((command, "")) => command.split(" --").next().unwrap_or(command).to_owned(),
        Some((_, about)) => about.split(';').next().unwrap_or(about).to_owned(),
    }
}

/// When a step helps, by how it begins; what only shows more is a check.
const TIMES: [(&str, StepTime); 14] = [
    ("limit the client", StepTime::Client),
    ("open with the log", StepTime::Now),
    ("delete documents", StepTime::Tonight),
    ("open a support ticket", StepTime::Tonight),
    ("if the load is even", StepTime::Now),
    ("raise the", StepTime::Now),
    ("name the partition key", StepTime::Tonight),
    ("find out which writer", StepTime::Tonight),
    ("documents keep", StepTime::Tonight),
    ("if the query cannot", StepTime::Later),
    ("find keys", StepTime::Later),
    ("a container's key", StepTime::Later),
    ("they could be merged", StepTime::Later),
    ("after the split", StepTime::Later),
];

pub(super) fn time(step: &str) -> StepTime {
    let known = TIMES.iter().find(|(begin, _)| step.starts_with(begin));
    known.map_or(StepTime::Check, |(_, time)| *time)
}

/// How text to run begins.
const COMMANDS: [&str; 3] = ["az ", "cosmoscope ", "New-Az"];

/// The command that a step is, and what is said of it in brackets behind it; None of a sentence.
pub fn command(step: &str) -> Option<(&str, &str)> {
    let is_command = COMMANDS.iter().any(|begin| step.starts_with(begin));
    let inner = step.strip_suffix(')').and_then(|t| t.rsplit_once(" ("));
    is_command.then_some(inner.unwrap_or((step, "")))
}

/// A step in which the key stands that it is about.
pub(super) fn about_key(step: &str, key: Option<&str>) -> Phrase {
    match step.split_once("<key>") {
        Some((before, after)) => Phrase::plain(before).key(key.map(Into::into)).and(after),
        None => Phrase::plain(step),
    }
}

/// Fewer requests, of one key where it is known.
pub(super) fn limit_client(key: Option<&str>) -> Phrase {
    let whose = key.map_or("client", |_| "client of <key>");
    about_key(&LIMIT.replacen("client", whose, 1), key)
}

/// A container with this key and the way to it.
pub fn to_key(key: &Candidate) -> Vec<String> {
    let mut values = None;
    let level = |level: &Level| {
        if let Some(path) = level.path() {
            return path.to_string();
        }
        values.get_or_insert_with(|| level.to_string());
        NEW_PROPERTY.to_owned()
    };
    let levels: Vec<String> = key.levels.iter().map(level).collect();
    to_container(&levels, values.as_deref())
}

/// A container of these levels and the way to it; `values` are those of its new property.
pub(super) fn to_container(levels: &[String], values: Option<&str>) -> Vec<String> {
    let create = match levels {
        [level] => format!("{NEW_CONTAINER} {}", shell_word(level)),
        levels => of_levels(levels),
    };
    let [copy, switch] = match values {
        None => [COPY_JOB.to_owned(), SWITCH.to_owned()],
        // As in the plan of a trial: to write it into stored documents would load the container that is throttled.
        Some(values) => [
            format!("{COPY_AND_WRITE}: {values}"),
            format!("{SWITCH}, which writes <new-property> from then on"),
        ],
    };
    vec![create, copy, switch]
}

fn of_levels(levels: &[String]) -> String {
    let quoted = |level: &String| format!("'{}'", level.replace('\'', "''"));
    let paths: Vec<String> = levels.iter().map(quoted).collect();
    let paths = paths.join(",");
    format!(
        "New-AzCosmosDBSqlContainer -ResourceGroupName '<resource-group>' -AccountName '<account>' -DatabaseName '<database>' -Name '<new-container>' -PartitionKeyKind MultiHash -PartitionKeyVersion 2 -PartitionKeyPath {paths} (PowerShell)"
    )
}

/// The resource id of an account, looked up by the shell; `group` and `account` are words of it already.
pub fn resource(group: &str, account: &str) -> String {
    format!(
        "\"$(az cosmosdb show --resource-group {group} --name {account} --query id --output tsv)\""
    )
}

/// Everything that is missing to see load.
pub fn switch_on() -> Vec<Phrase> {
    let metric = std::iter::once(Phrase::plain(normalized_ru()));
    metric.chain(switch_on_logs()).chain([Phrase::plain(USAGES)]).collect()
}

fn normalized_ru() -> String {
    format!("{NORMALIZED_RU} ({RU_PERCENT}; kept for 93 days without any setting)")
}

/// What tells the RU/s of partitions, so that known load can be judged.
pub fn to_judge() -> Vec<Phrase> {
    let words = "open with the log an input that has RU/s: the container's throughput settings (az cosmosdb sql container throughput show). Or the metrics PhysicalPartitionThroughputInfo and NormalizedRUConsumption";
    [words.to_owned(), normalized_ru()].map(Phrase::plain).to_vec()
}

/// Fewer requests now, what tells the RU/s of partitions, and all else that is missing to see load.
pub(super) fn limit_and_judge(key: Option<&str>) -> Vec<Phrase> {
    let others = switch_on().into_iter().skip(1);
    let all = std::iter::once(limit_client(key)).chain(to_judge());
    all.chain(others).collect()
}

/// Only the logs.
pub fn switch_on_logs() -> Vec<Phrase> {
    [LOGS_ON, LOGS_ON_PORTAL, LOGS_COST].map(Phrase::plain).to_vec()
}

/// Sets the RU/s of the container.
pub fn set_ru(ru_per_second: f64, mode: ThroughputMode) -> String {
    let [step, _] = mode.sold();
    let ru = rounded_text((ru_per_second / step).ceil() * step);
    let option = match mode {
        ThroughputMode::Manual => "--throughput",
        ThroughputMode::AutoscaleOrShared => "--max-throughput",
    };
    format!(
        "az cosmosdb sql container throughput update --resource-group '<resource-group>' --account-name '<account>' --database-name '<database>' --name '<container>' {option} {ru}"
    )
}

/// Moves RU/s to partitions, such as `3=8000`, from others, by their ids.
pub fn redistribute(targets: &[String], sources: &[&str]) -> String {
    let sources: Vec<_> = sources.iter().map(|source| shell_word(source)).collect();
    let targets: Vec<_> = targets.iter().map(|target| shell_word(target)).collect();
    let [target, source] = [targets, sources].map(|words| words.join(" "));
    format!(
        "az cosmosdb sql container redistribute-partition-throughput --resource-group '<resource-group>' --account-name '<account>' --database-name '<database>' --name '<container>' --target-partition-info {target} --source-partition-info {source} (preview extension cosmosdb-preview; 10,000 RU/s a partition at most; afterwards watch the load for a week)"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_to_fill_in_is_one_word_of_the_shell() {
        let key = |levels: &[&str]| {
            let levels: Vec<String> = levels.iter().map(|level| (*level).to_owned()).collect();
            to_container(&levels, None)
        };
        let fixed = [LOGS_ON, LOGS_COST, NORMALIZED_RU, USAGES, BURST, COPY_JOB].map(str::to_owned);
        let made = [
            set_ru(400.0, ThroughputMode::Manual),
            redistribute(&["<hot-partition>=6000".to_owned()], &["<coldest-partition>"]),
            REDISTRIBUTE_EVENLY.to_owned(),
            key(&["/t"]).swap_remove(0),
            key(&["/t", "/u"]).swap_remove(0),
        ];
        for text in fixed.into_iter().chain(made) {
            // Every second piece stands between quotes: outside of them a shell reads `<` as a redirection.
            let outside: String = text.split('\'').step_by(2).collect();
            assert!(
                text.contains('<') && !outside.contains(" <") && !outside.contains("=<"),
                "{text}"
            );
        }
    }
}
