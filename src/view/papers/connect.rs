//! How to look at an account: what a connection will need, and how to export what it would read.

use super::State;
use crate::app::App;
use crate::app::action::Action;

/// Words in capitals stand for what is one's own.
const STEPS: &[&str] = &[
    "Without any diagnostic setting: one container",
    "  Its definition, its partitions and its largest keys, in one file:",
    "  az cosmosdb sql container show --resource-group GROUP --account-name ACCOUNT --database-name DATABASE --name CONTAINER > DATABASE.CONTAINER.json",
    "  az cosmosdb sql container throughput show --resource-group GROUP --account-name ACCOUNT --database-name DATABASE --name CONTAINER > DATABASE.CONTAINER.throughput.json",
    "",
    "From the logs: all containers, growth and the date of the wall",
    "  In the portal: your account, Diagnostic settings, switch on PartitionKeyStatistics (sizes) and PartitionKeyRUConsumption (request units), send them to a Log Analytics workspace. Rows come from then on, not before.",
    "  Then: your account, Logs, run the query, Export, CSV (all columns):",
    "  CDBPartitionKeyStatistics | where TimeGenerated > ago(30d)",
    "  or from a shell:",
    "  az monitor log-analytics query --workspace WORKSPACE-ID --analytics-query \"CDBPartitionKeyStatistics | where TimeGenerated > ago(30d)\" -o json > sizes.json",
    "  az monitor log-analytics query --workspace WORKSPACE-ID --analytics-query \"CDBPartitionKeyRUConsumption | where TimeGenerated > ago(1h)\" -o json > ru.json",
    "",
    "From an archive",
    "  Folders insights-logs-partitionkeystatistics and insights-logs-partitionkeyruconsumption of the storage account, as they are.",
];

/// How to look at an account.
pub fn connect(app: &App) -> State {
    let open = app.keymap.shown(Action::Open);
    let open = open.map_or_else(|| ":open".to_owned(), |key| format!("{key} or :open"));
    let mut lines = vec![
        "This version opens exports of an account, not the account itself".to_owned(),
        "  What an export holds and what an account says give the same screens. Below is how to get one; everything is read only, and nothing on this screen runs a command.".to_owned(),
        String::new(),
    ];
    lines.extend(STEPS.iter().map(|line| (*line).to_owned()));
    lines.extend([
        String::new(),
        "Then".to_owned(),
        format!("  {open} FILE… opens them, several files and whole folders at once. What a file is, is told from its content, never from its name."),
        String::new(),
        "How an account will be opened, once this program can".to_owned(),
        "  Sign-in is Microsoft Entra ID, as az login does it. A key or connection string will be taken from the environment or from a file only, never from the command line.".to_owned(),
        "  It needs to read, nothing else: the role Cosmos DB Built-in Data Reader; Monitoring Reader for metrics; Log Analytics Reader for logs.".to_owned(),
        "  It will say what a scan costs in RU before it starts, and stay at 1 % of the provisioned RU/s.".to_owned(),
    ]);
    State::new("connect to an account", lines)
}
