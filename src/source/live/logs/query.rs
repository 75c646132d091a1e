//! The queries that Log Analytics is asked: it sums up, and what comes back has the columns of its own tables.
//!
//! What came to pass is told by the service's own limits: an answer beyond them comes with an error beside it, which the
//! importers note. The bounds here keep a common answer far below them.

use std::fmt::Write as _;

use crate::model::query_text::literal;
use crate::source::answers::{Asked, Kind};

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

/// A kind of log.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Log {
    Sizes,
    Ru,
    Requests,
}

impl Log {
    pub(super) fn of(kind: Kind) -> Option<Self> {
        match kind {
            Kind::LoggedSizes => Some(Self::Sizes),
            Kind::LoggedRu => Some(Self::Ru),
            Kind::LoggedRequests => Some(Self::Requests),
            _ => None,
        }
    }

    /// As a diagnostic setting names it.
    pub(super) fn category(self) -> &'static str {
        match self {
            Self::Sizes => "PartitionKeyStatistics",
            Self::Ru => "PartitionKeyRUConsumption",
            Self::Requests => "DataPlaneRequests",
        }
    }

    /// The columns of the shared table and their names in the tables of their own.
    fn shared_columns(self) -> &'static [Column] {
        match self {
            Self::Sizes => &SHARED_SIZES,
            Self::Ru => &SHARED_RU,
            Self::Requests => &SHARED_REQUESTS,
        }
    }
}

/// A column of the shared table: it may have several names, or lie in the column for what found none.
struct Column {
    name: &'static str,
    texts: &'static [&'static str],
    numbers: &'static [&'static str],
    further: &'static str,
}

impl Column {
    const fn text(
        name: &'static str,
        texts: &'static [&'static str],
        further: &'static str,
    ) -> Self {
        Self {
            name,
            texts,
            numbers: &[],
            further,
        }
    }

    const fn number(
        name: &'static str,
        numbers: &'static [&'static str],
        texts: &'static [&'static str],
        further: &'static str,
    ) -> Self {
        Self {
            name,
            texts,
            numbers,
            further,
        }
    }

    /// `Name = coalesce(…)` of whatever the table has.
    fn kql(&self) -> String {
        let wrap = if self.numbers.is_empty() {
            "tostring"
        } else {
            "todouble"
        };
        let numbers = self.numbers.iter();
        let numbers = numbers.map(|c| format!("column_ifexists(\"{c}\", real(null))"));
        let texts = self.texts.iter().map(|c| {
            let text = format!("column_ifexists(\"{c}\", \"\")");
            if self.numbers.is_empty() {
                text
            } else {
                format!("todouble({text})")
            }
        });
        let further = format!("{wrap}(Further.{})", self.further);
        let all: Vec<String> = numbers.chain(texts).chain([further]).collect();
        format!("{} = coalesce({})", self.name, all.join(", "))
    }
}

const SHARED_NAMES: [Column; 3] = [
    Column::text(
        "DatabaseName",
        &["databaseName_s", "DatabaseName_s", "databasename_s"],
        "databaseName",
    ),
    Column::text(
        "CollectionName",
        &["collectionName_s", "collectionname_s"],
        "collectionName",
    ),
    Column::text(
        "RegionName",
        &["regionName_s", "RegionName_s", "regionname_s"],
        "regionName",
    ),
];
const SHARED_KEY: Column = Column::text(
    "PartitionKey",
    &["partitionKey_s", "partitionkey_s"],
    "partitionKey",
);
const SHARED_OPERATION: Column = Column::text("Operation", &["operationType_s"], "operationType");
const SHARED_CHARGE: Column = Column::number(
    "RequestCharge",
    &["requestCharge_d"],
    &["requestCharge_s"],
    "requestCharge",
);
static SHARED_SIZES: [Column; 2] = [
    SHARED_KEY,
    Column::number("SizeKb", &["sizeKb_d"], &["sizeKb_s"], "sizeKb"),
];
static SHARED_RU: [Column; 4] = [
    SHARED_KEY,
    Column::text(
        "PartitionKeyRangeId",
        &["partitionKeyRangeId_s"],
        "partitionKeyRangeId",
    ),
    SHARED_OPERATION,
    SHARED_CHARGE,
];
static SHARED_REQUESTS: [Column; 5] = [
    Column::text(
        "PartitionId",
        &["partitionId_g", "partitionId_s"],
        "partitionId",
    ),
    Column::text("StatusCode", &["statusCode_s"], "statusCode"),
    SHARED_OPERATION,
    SHARED_CHARGE,
    Column::number("DurationMs", &["duration_d"], &["duration_s"], "duration"),
];

/// The width of a step so that a time of that length has not more than `MAX_STEPS`.
pub(super) fn step_s(last_s: u64) -> u64 {
    let fits = |width: &u64| last_s.div_ceil(*width) <= MAX_STEPS;
    WIDTHS_S.into_iter().find(fits).unwrap_or(3600)
}

/// The text of a query. The time it looks at is said beside it.
pub(super) fn text(log: Log, tables: Tables, account: &str, asked: &Asked, step_s: u64) -> String {
    let mut query = format!("let logged = {};\n", records(log, tables, account, asked));
    let rest = match log {
        Log::Sizes => sizes(),
        Log::Ru => ru(step_s),
        Log::Requests => requests(step_s),
    };
    query.push_str(&rest);
    query
}

/// The records meant, under the names of the tables of their own.
fn records(log: Log, tables: Tables, account: &str, asked: &Asked) -> String {
    let category = log.category();
    let mut text = match tables {
        Tables::Own => {
            let mut text = format!("CDB{category}");
            if log != Log::Sizes {
                text.push_str("\n| extend Operation = OperationName");
            }
            text
        }
        Tables::Shared => {
            let names = SHARED_NAMES.iter().chain(log.shared_columns());
            let columns: Vec<String> = names.map(Column::kql).collect();
            format!(
                "AzureDiagnostics\n\
                 | where ResourceProvider =~ \"MICROSOFT.DOCUMENTDB\" and Category == \"{category}\"\n\
                 | extend Further = parse_json(tostring(column_ifexists(\"AdditionalFields\", \"\")))\n\
                 | project TimeGenerated, AccountName = tolower(Resource), OperationName, {}",
                columns.join(", ")
            ) + match log {
                Log::Sizes => "",
                _ => "\n| extend Operation = coalesce(Operation, OperationName)",
            }
        }
    };
    let filters = [
        ("AccountName =~", Some(account)),
        ("DatabaseName ==", asked.database.as_deref()),
        ("CollectionName ==", asked.container.as_deref()),
    ];
    for (filter, name) in filters {
        if let Some(name) = name {
            // Writing to a String cannot fail.
            let _ = write!(text, "\n| where {filter} {}", literal(name));
        }
    }
    text
}

const CONTAINER: &str = "AccountName, DatabaseName, CollectionName, RegionName";

/// The newest size of each key, and of the largest keys one of each day.
fn sizes() -> String {
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

/// Requests by step, status, partition and operation.
fn requests(step_s: u64) -> String {
    format!(
        "logged\n\
         | summarize RequestCount = count(), TotalRequestCharge = sum(RequestCharge), TotalDurationMs = sum(DurationMs)\n    \
         by TimeGenerated = bin(TimeGenerated, {step_s}s), {CONTAINER}, PartitionId, OperationName = Operation, StatusCode = toint(StatusCode)\n\
         | project TimeGenerated, {CONTAINER}, PartitionId, OperationName, StatusCode, RequestCount, TotalRequestCharge, TotalDurationMs, SpanSeconds = {step_s}, Type = \"CDBDataPlaneRequests\""
    )
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn asked(database: &str, container: &str) -> Asked {
        Asked::container(Kind::LoggedRu, database, container)
    }

    #[test]
    fn the_service_sums_up_and_the_bounds_stand_in_the_query() {
        let text = text(
            Log::Ru,
            Tables::Own,
            "northpier-prod",
            &asked("shop", "orders"),
            60,
        );
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
        for log in [Log::Sizes, Log::Ru, Log::Requests] {
            let own = text(log, Tables::Own, "a", &asked("d", "c"), 60);
            let shared = text(log, Tables::Shared, "a", &asked("d", "c"), 60);
            let last = |text: &str| text.lines().last().map(str::to_owned);
            assert_eq!(last(&own), last(&shared));
            let category = format!("Category == \"{}\"", log.category());
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
                let plain = text(Log::Sizes, tables, "x", &asked("x", "x"), 60);
                let hostile = text(Log::Sizes, tables, &name, &asked(&name, &name), 60);
                prop_assert_eq!(plain.lines().count(), hostile.lines().count());
                prop_assert_eq!(plain.replace("\"x\"", &literal(&name)), hostile);
            }
        }
    }
}
