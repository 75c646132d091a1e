//! How to look at an account: how it is opened itself, and how to export what it would tell.

use super::TextPageState;
use crate::ui::kit::action::Action;
use crate::ui::kit::cx::Cx;

/// An account itself is opened by a command, which can ask for a key before the screens stand.
const LIVE: &[&str] = &[
    "The account itself, read and only read",
    "  cosmoscope connect ACCOUNT        signed in as az login left it; or --auth for identities of servers and keys",
    "  cosmoscope doctor ACCOUNT         what would be seen from here, and which role is missing for the rest",
    "  Roles: Cosmos DB Built-in Data Reader; Monitoring Reader for metrics; Log Analytics Reader for logs (--workspace).",
    "  A key or connection string comes from COSMOSCOPE_KEY, AZURE_COSMOS_CONNECTION_STRING, --key-file or a prompt, never from the command line.",
    "  Opening it costs a few RU of the account's own budget; a sample of documents says what it would cost before it starts, and stays at 1 % of the RU/s.",
    "",
];

/// Words in capitals stand for what is one's own.
const STEPS: &[&str] = &[
    "Without any diagnostic setting: one container",
    "  Its definition, its partitions and its largest keys, in one file:",
    "  az cosmosdb sql container show --resource-group GROUP --account-name ACCOUNT --database-name DATABASE --name CONTAINER > DATABASE.CONTAINER.json",
    "  az cosmosdb sql container throughput show --resource-group GROUP --account-name ACCOUNT --database-name DATABASE --name CONTAINER > DATABASE.CONTAINER.throughput.json",
    "",
    "From the logs: all containers, growth and the date of 20 GB",
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
pub fn connect(cx: &Cx) -> TextPageState {
    let open = cx.keymap.shown(Action::Open);
    let open = open.map_or_else(|| ":open".to_owned(), |key| format!("{key} or :open"));
    let mut lines: Vec<String> = LIVE.iter().map(|line| (*line).to_owned()).collect();
    lines.extend(STEPS.iter().map(|line| (*line).to_owned()));
    lines.extend([
        String::new(),
        "Then".to_owned(),
        format!("  {open} FILE… opens them, several files and whole folders at once. A file is recognised by its content, never from its name."),
    ]);
    TextPageState::new("connect to an account", lines)
}
