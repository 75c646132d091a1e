//! One row for each physical partition, for spreadsheets and scripts; text cells never run as formulas.

use std::fmt::Write as _;
use std::io::{self, Write};

use crate::analysis::rows::UNKNOWN_CONTAINER;
use crate::model::time::Stamp;
use crate::model::units::PHYSICAL_CEILING_KIB;

use super::words::{capacity_word, label};
use super::{ContainerHeatRows, HeatReport, KeyOf, PartitionRow};
use crate::report::Style;
use crate::report::csv::{push_cell, push_number, push_quoted};
use crate::report::write_json::six_digits;

const HEADER: &str = "account,database,container,partition,guid,min_inclusive,max_exclusive,parents,ru_per_second,ru_per_second_from,size_kib,share_of_50gb,measure,region,p99,highest,highest_at,saturated_s,steps,gaps,ru,requests,refused,refused_share,key,key_share\n";

pub(super) fn write(report: &HeatReport, style: Style, to: &mut dyn Write) -> io::Result<()> {
    to.write_all(HEADER.as_bytes())?;
    let mut out = String::new();
    for container in &report.containers {
        for row in &container.partitions {
            out.clear();
            push_row(container, row, style, &mut out);
            to.write_all(out.as_bytes())?;
        }
    }
    Ok(())
}

fn push_row(container: &ContainerHeatRows, row: &PartitionRow, style: Style, out: &mut String) {
    let name = &container.name;
    let load = container.track(container.sources.load);
    let mut text = |text: Option<&str>| {
        push_cell(text.unwrap_or_default(), style.cells, out);
        out.push(',');
    };
    text(name.account.as_deref());
    text(name.database.as_deref());
    text(Some(name.container.as_deref().unwrap_or(UNKNOWN_CONTAINER)));
    text(Some(&label(&row.named)));
    text(row.guid.as_deref());
    text(row.min_inclusive.as_deref());
    text(row.max_exclusive.as_deref());
    text(Some(&row.parents.join(" ")));
    push_optional(row.capacity.map(|c| c.ru_per_second), out);
    let from = row.capacity.map(|c| capacity_word(c.from));
    let _ = write!(out, "{},", from.unwrap_or_default());
    push_optional(row.kib, out);
    push_optional(row.kib.map(|kib| kib / PHYSICAL_CEILING_KIB), out);
    let _ = write!(out, "{},", load.map_or("", |t| t.measure.name()));
    let region = load.and_then(|t| t.region.as_deref());
    push_cell(region.unwrap_or_default(), style.cells, out);
    out.push(',');
    let standing = row.standing;
    push_optional(standing.map(|s| six_digits(s.p99)), out);
    push_optional(standing.map(|s| six_digits(s.highest)), out);
    let at = standing.and_then(|s| Stamp::from_seconds(s.highest_at));
    let _ = write!(out, "{},", at.map(Stamp::rfc3339).unwrap_or_default());
    for count in [
        standing.and_then(|s| s.saturated_s),
        standing.map(|s| s.steps),
        row.gaps,
    ] {
        let _ = write!(out, "{},", count.map(|n| n.to_string()).unwrap_or_default());
    }
    for value in [row.ru, row.requests, row.refused, row.refused_share()] {
        push_optional(value.map(six_digits), out);
    }
    let busiest = row.busiest.as_ref();
    if let Some((KeyOf::Named(json), _)) = busiest {
        // A JSON list starts with a bracket and is harmless by itself.
        push_quoted(json, out);
    }
    out.push(',');
    if let Some((_, share)) = busiest {
        push_number(six_digits(*share), out);
    }
    out.push('\n');
}

/// What is not known is an empty cell, never zero.
fn push_optional(value: Option<f64>, out: &mut String) {
    if let Some(value) = value.filter(|v| v.is_finite()) {
        push_number(value, out);
    }
    out.push(',');
}
