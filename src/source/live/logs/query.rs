//! The queries that Log Analytics is asked: it sums up, and what comes back has the columns of its own tables.
//!
//! What came to pass is told by the service's own limits: an answer beyond them comes with an error beside it, which the
//! importers note. The bounds here keep a common answer far below them.

use crate::model::query_text::{OWN_COLUMNS, container_filters, literal};
use crate::source::answers::{Inquiry, Kind};
use crate::source::load_records::{DATA_RESOURCES, EXECUTES};

/// Keys with a size, the largest first; the log holds three of each physical partition.
const MAX_SIZED_KEYS: usize = 5000;
/// Keys whose size is told for each day, which is what growth is made of.
const MAX_GROWING_KEYS: usize = 200;
/// Keys whose RU are told by name; the others are told together.
const MAX_RU_KEYS: usize = 100;
/// Times that an answer tells of, each for every key, partition and operation.
const MAX_STEPS: u64 = 60;
/// The widths that load is kept in.
const WIDTHS_S: [u64; 5] = [10, 60, 300, 900, 3600];

/// Where an account's logs lie: in tables of their own, or in the one that all services share.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Tables {
    Own,
    Shared,
}

/// A kind of log: a row for each.
#[derive(Debug)]
pub(super) struct Log {
    pub kind: Kind,
    /// As a diagnostic setting names it.
    pub category: &'static str,
    /// The columns of the shared table and their names in the tables of their own.
    shared: &'static [Column],
    /// The rest of a query, by the width of its steps.
    summary: fn(u64) -> String,
}

pub(super) static LOGS: [Log; 3] = [
    Log {
        kind: Kind::LoggedSizes,
        category: "PartitionKeyStatistics",
        shared: &[KEY, Column::number("SizeKb", "sizeKb")],
        summary: sizes,
    },
    Log {
        kind: Kind::LoggedRu,
        category: "PartitionKeyRUConsumption",
        shared: &[
            KEY,
            Column::text("PartitionKeyRangeId", "partitionKeyRangeId", &["partitionKeyRangeId_s"]),
            OPERATION,
            CHARGE,
        ],
        summary: ru,
    },
    Log {
        kind: Kind::LoggedRequests,
        category: "DataPlaneRequests",
        shared: &[
            Column::text("PartitionId", "partitionId", &["partitionId_g", "partitionId_s"]),
            Column::text("StatusCode", "statusCode", &["statusCode_s"]),
            Column::text("RequestResourceType", "requestResourceType", &["requestResourceType_s"]),
            OPERATION,
            CHARGE,
            Column::number("DurationMs", "duration"),
        ],
        summary: requests,
    },
];

/// A column of the shared table: it may have several names, or lie in the column for what found none.
#[derive(PartialEq, Eq, Debug)]
struct Column {
    name: &'static str,
    further: &'static str,
    /// None for a number, whose column is called by its type.
    texts: Option<&'static [&'static str]>,
}

impl Column {
    const fn text(
        name: &'static str,
        further: &'static str,
        texts: &'static [&'static str],
    ) -> Self {
        Self { name, further, texts: Some(texts) }
    }

    const fn number(name: &'static str, further: &'static str) -> Self {
        Self { name, further, texts: None }
    }

    /// `Name = coalesce(…)` of whatever the table has.
    fn kql(&self) -> String {
        let Self { name, further, .. } = self;
        let Some(texts) = self.texts else {
            return format!(
                "{name} = coalesce(column_ifexists(\"{further}_d\", real(null)), \
                 todouble(column_ifexists(\"{further}_s\", \"\")), todouble(Further.{further}))"
            );
        };
        let mut all: Vec<String> =
            texts.iter().map(|c| format!("column_ifexists(\"{c}\", \"\")")).collect();
        all.push(format!("tostring(Further.{further})"));
        format!("{name} = coalesce({})", all.join(", "))
    }
}

const NAMES: [Column; 3] = [
    Column::text(
        "DatabaseName",
        "databaseName",
        &["databaseName_s", "DatabaseName_s", "databasename_s"],
    ),
    Column::text("CollectionName", "collectionName", &["collectionName_s", "collectionname_s"]),
    Column::text("RegionName", "regionName", &["regionName_s", "RegionName_s", "regionname_s"]),
];
const KEY: Column =
    Column::text("PartitionKey", "partitionKey", &["partitionKey_s", "partitionkey_s"]);
const OPERATION: Column = Column::text("Operation", "operationType", &["operationType_s"]);
const CHARGE: Column = Column::number("RequestCharge", "requestCharge");

/// The width of a step so that a time of that length has not more than `MAX_STEPS`.
pub(super) fn step_s(last_s: u64) -> u64 {
    let fits = |width: &u64| last_s.div_ceil(*width) <= MAX_STEPS;
    WIDTHS_S.into_iter().find(fits).unwrap_or(3600)
}

/// The text of a query. The time it looks at is said beside it.
pub(super) fn text(
    log: &Log,
    tables: Tables,
    account: &str,
    inquiry: &Inquiry,
    step_s: u64,
) -> String {
    let records = records(log, tables, account, inquiry);
    format!("let logged = {records};\n{}", (log.summary)(step_s))
}

/// The records meant, under the names of the tables of their own.
fn records(log: &Log, tables: Tables, account: &str, inquiry: &Inquiry) -> String {
    let category = log.category;
    let has_operation = log.shared.contains(&OPERATION);
    let mut text = match tables {
        Tables::Own => {
            let mut text = format!("CDB{category}");
            if has_operation {
                text.push_str("\n| extend Operation = OperationName");
            }
            text
        }
        Tables::Shared => {
            let names = NAMES.iter().chain(log.shared);
            let columns: Vec<String> = names.map(Column::kql).collect();
            format!(
                "AzureDiagnostics\n\
                 | where ResourceProvider =~ \"MICROSOFT.DOCUMENTDB\" and Category == \"{category}\"\n\
                 | extend Further = parse_json(tostring(column_ifexists(\"AdditionalFields\", \"\")))\n\
                 | project TimeGenerated, AccountName = tolower(Resource), OperationName, {}",
                columns.join(", ")
            ) + if has_operation {
                "\n| extend Operation = coalesce(Operation, OperationName)"
            } else {
                ""
            }
        }
    };
    let name = [Some(account), inquiry.database.as_deref(), inquiry.container.as_deref()];
    for filter in container_filters(name, OWN_COLUMNS) {
        text.push_str("\n| ");
        text.push_str(&filter);
    }
    text
}

const CONTAINER: &str = "AccountName, DatabaseName, CollectionName, RegionName";

/// The newest size of each key, and of the largest keys one of each day.
fn sizes(_: u64) -> String {
    format!(
        "let ranked = logged\n\
         | summarize Largest = max(SizeKb) by DatabaseName, CollectionName, PartitionKey\n\
         | top {MAX_SIZED_KEYS} by Largest desc\n\
         | serialize Rank = row_number();\n\
         logged\n\
         | join kind=inner (ranked) on DatabaseName, CollectionName, PartitionKey\n\
         | extend Day = iff(Rank <= {MAX_GROWING_KEYS}, startofday(TimeGenerated), datetime(null))\n\
         | summarize arg_max(TimeGenerated, SizeKb) by {CONTAINER}, PartitionKey, Day\n\
         | project TimeGenerated, {CONTAINER}, PartitionKey, SizeKb, Type = \"CDBPartitionKeyStatistics\""
    )
}

/// RU by step, key, partition and operation; keys beyond the busiest together.
fn ru(step_s: u64) -> String {
    format!(
        "let ranked = logged\n\
         | where isnotempty(PartitionKey)\n\
         | summarize Total = sum(RequestCharge) by DatabaseName, CollectionName, PartitionKey\n\
         | top {MAX_RU_KEYS} by Total desc\n\
         | project DatabaseName, CollectionName, PartitionKey, IsNamed = true;\n\
         logged\n\
         | join kind=leftouter (ranked) on DatabaseName, CollectionName, PartitionKey\n\
         | extend IsOther = isnotempty(PartitionKey) and isnull(IsNamed)\n\
         | summarize RequestCharge = sum(RequestCharge), RequestCount = count(), OtherKeys = dcountif(PartitionKey, IsOther)\n    \
         by TimeGenerated = bin(TimeGenerated, {step_s}s), {CONTAINER}, PartitionKeyRangeId, OperationName = Operation, IsOther, PartitionKey = iff(IsOther, \"\", PartitionKey)\n\
         | project TimeGenerated, {CONTAINER}, PartitionKeyRangeId, PartitionKey, OperationName, RequestCharge, RequestCount, OtherKeys, SpanSeconds = {step_s}, Type = \"CDBPartitionKeyRUConsumption\""
    )
}

/// Requests to data by step, status, partition and operation.
fn requests(step_s: u64) -> String {
    let data = DATA_RESOURCES.map(literal).join(", ");
    format!(
        "logged\n\
         | where isempty(RequestResourceType) or RequestResourceType in~ ({data}) or Operation startswith_cs \"{EXECUTES}\"\n\
         | summarize RequestCount = count(), TotalRequestCharge = sum(RequestCharge), TotalDurationMs = sum(DurationMs)\n    \
         by TimeGenerated = bin(TimeGenerated, {step_s}s), {CONTAINER}, PartitionId, OperationName = Operation, StatusCode = toint(StatusCode)\n\
         | project TimeGenerated, {CONTAINER}, PartitionId, OperationName, StatusCode, RequestCount, TotalRequestCharge, TotalDurationMs, SpanSeconds = {step_s}, Type = \"CDBDataPlaneRequests\""
    )
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn inquiry(database: &str, container: &str) -> Inquiry {
        Inquiry::container(Kind::LoggedRu, database, container)
    }

    #[test]
    fn the_service_sums_up_and_the_bounds_stand_in_the_query() {
        let text = text(&LOGS[1], Tables::Own, "northpier-prod", &inquiry("shop", "orders"), 60);
        for part in [
            "let logged = CDBPartitionKeyRUConsumption\n",
            "| where AccountName =~ \"northpier-prod\"",
            "| where DatabaseName == \"shop\"",
            "| where CollectionName == \"orders\"",
            "| top 100 by Total desc",
            "bin(TimeGenerated, 60s)",
            "SpanSeconds = 60",
        ] {
            assert!(text.contains(part), "{part} in\n{text}");
        }
        assert!(text.ends_with("Type = \"CDBPartitionKeyRUConsumption\""));
    }

    #[test]
    fn the_shared_table_gives_the_same_columns() {
        for log in &LOGS {
            let own = text(log, Tables::Own, "a", &inquiry("d", "c"), 60);
            let shared = text(log, Tables::Shared, "a", &inquiry("d", "c"), 60);
            let last = |text: &str| text.lines().last().map(str::to_owned);
            assert_eq!(last(&own), last(&shared));
            let category = format!("Category == \"{}\"", log.category);
            assert!(shared.contains(&category), "{shared}");
            assert!(!own.contains("AzureDiagnostics") && !shared.contains("CDBPart\n"));
        }
    }

    #[test]
    fn steps_grow_with_the_time() {
        let steps = [60, 600, 601, 3600, 3601, 86_400, 30 * 86_400];
        assert_eq!(steps.map(step_s), [10, 10, 60, 60, 300, 3600, 3600]);
    }

    proptest! {
        #[test]
        fn a_name_never_ends_its_literal(name in "(?s)(['\"\\\\|;\n\r\u{2028}]|.){0,20}") {
            for tables in [Tables::Own, Tables::Shared] {
                let plain = text(&LOGS[0], tables, "x", &inquiry("x", "x"), 60);
                let hostile = text(&LOGS[0], tables, &name, &inquiry(&name, &name), 60);
                prop_assert_eq!(plain.lines().count(), hostile.lines().count());
                prop_assert_eq!(plain.replace("\"x\"", &literal(&name)), hostile);
            }
        }
    }
}
