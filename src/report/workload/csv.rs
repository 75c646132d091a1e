//! The workload as CSV: a row for each rate, operation, query text, client, key and advice, and for each property that changes.

use std::io::{self, Write};

use super::{
    WorkloadReport, change_json, client_json, key_json, operation_json, query_json, rate_json,
};
use crate::model::names::ContainerName;
use crate::report::Style;
use crate::report::csv::Line;
use crate::report::write_json::{Json, object};

/// Fields of the JSON of a row; what it has not is an empty cell.
const COLUMNS: &str = "requests,per_second,ru_each,ms_each,throttled,partitions,compared,changed,ru,ru_per_second,p99_per_second,share,write_share,per_day,hierarchical_keys";

pub(super) fn csv(report: &WorkloadReport, style: Style, to: &mut dyn Write) -> io::Result<()> {
    let header = format!("account,database,container,kind,name,{COLUMNS}\n");
    let mut line = Line::below(&header, style, to)?;
    let mut row = |name: &ContainerName, kind: &str, what: &str, of: Json| {
        line.names(name).text(Some(kind)).text(Some(what));
        let fields = of.fields();
        for column in COLUMNS.split(',') {
            line.plain(fields.get(column).filter(|cell| !cell.is_null()));
        }
        line.end(to)
    };
    for workload in &report.containers {
        let name = &workload.name;
        row(name, "rate", "reads", rate_json(&workload.reads))?;
        row(name, "rate", "writes", rate_json(&workload.writes))?;
        for used in &workload.operations {
            row(name, used.kind.word(), &used.name, operation_json(used))?;
        }
        for query in &workload.queries {
            row(name, "query text", &query.sql, query_json(query))?;
        }
        for used in &workload.clients {
            row(name, "client", &used.client.to_string(), client_json(used))?;
        }
        for used in &workload.keys {
            row(name, "key", &used.key, key_json(object(), used))?;
        }
        for advice in workload.advice(report.price.as_ref()) {
            row(name, "advice", &advice, object())?;
        }
    }
    let nowhere = ContainerName::default();
    for (path, why) in &report.named_changes {
        row(&nowhere, why, &path.to_string(), object())?;
    }
    for change in report.changes.iter().flat_map(|changes| &changes.paths) {
        row(&nowhere, "changes", &change.path.to_string(), change_json(change))?;
    }
    Ok(())
}
