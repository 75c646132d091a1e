//! One row for each physical partition, for spreadsheets and scripts; text cells never run as formulas.

use std::io::{self, Write};

use crate::model::units::{PHYSICAL_CEILING_KIB, six_digits};

use super::words::capacity_word;
use super::{ContainerHeatRows, HeatReport, PartitionRow};
use crate::report::Style;
use crate::report::csv::Line;
use crate::report::write_json::moment;

const HEADER: &str = "account,database,container,partition,guid,min_inclusive,max_exclusive,parents,ru_per_second,ru_per_second_from,size_kib,share_of_50gb,measure,region,p99,highest,highest_at,saturated_s,steps,gaps,ru,requests,refused,refused_share,key,key_share\n";

pub(super) fn write(report: &HeatReport, style: Style, to: &mut dyn Write) -> io::Result<()> {
    let mut line = Line::below(HEADER, style, to)?;
    for container in &report.containers {
        for row in &container.partitions {
            push_row(container, row, &mut line);
            line.end(to)?;
        }
    }
    Ok(())
}

fn push_row(container: &ContainerHeatRows, row: &PartitionRow, line: &mut Line) {
    let load = container.track(container.sources.load);
    let standing = row.standing;
    let measured = |value: Option<f64>| value.map(six_digits);
    let busiest = row.busiest.as_ref();
    let key = busiest.and_then(|(key, _)| key.json().0);
    line.names(&container.name)
        .text(Some(row.named.text()))
        .text(row.guid.as_deref())
        .text(row.min_inclusive.as_deref())
        .text(row.max_exclusive.as_deref())
        .text(Some(&row.parents.join(" ")))
        .number(row.capacity.map(|c| c.ru_per_second))
        .plain(row.capacity.map(|c| capacity_word(c.from)))
        .number(row.kib)
        .number(row.kib.map(|kib| kib / PHYSICAL_CEILING_KIB))
        .plain(load.map(|t| t.measure.name()))
        .text(load.and_then(|t| t.region.as_deref()))
        .number(measured(standing.map(|s| s.p99)))
        .number(measured(standing.map(|s| s.highest)))
        .plain(moment(standing.map(|s| s.highest_at)))
        .plain(standing.and_then(|s| s.saturated_s))
        .plain(standing.map(|s| s.steps))
        .plain(row.gaps)
        .number(measured(row.ru))
        .number(measured(row.requests))
        .number(measured(row.throttled))
        .number(measured(row.throttled_share()))
        .json(key)
        .number(measured(busiest.map(|(_, share)| *share)));
}
