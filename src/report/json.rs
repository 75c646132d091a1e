//! A report for scripts: one JSON object, schema 1, each key on a line of its own.

use std::io::{self, Write};

use crate::analysis::distribution::Distribution;
use crate::analysis::growth::LimitDate;
use crate::analysis::rows::{ContainerRows, KeyRow, Report, SizeOf};
use crate::analysis::skew::WholeOf;
use crate::model::time::Stamp;
use crate::model::units::six_digits;

use super::Style;
use super::write_json::{Json, as_found, list, object, stream};

pub fn write(report: &Report, _: Style, to: &mut dyn Write) -> io::Result<()> {
    let head = object()
        .with("schema", 1)
        .with("as_of", report.as_of.map(Stamp::rfc3339))
        .with("ceiling_kib", report.ceiling.kib())
        .open("containers");
    to.write_all(&head)?;
    for (i, container) in report.containers.iter().enumerate() {
        to.write_all(if i > 0 { b",\n" } else { b"\n" })?;
        let head = object().names(&container.name).definition(container.definition.as_ref());
        stream(head, "keys", container.keys.iter().map(key), &tail(container), to)?;
    }
    let tail = object().notes("\nnotes", &report.notes);
    to.write_all(&tail.close())?;
    to.write_all(b"\n")
}

fn tail(container: &ContainerRows) -> Json {
    object()
        .with("keys_total", container.keys_total)
        .notes("notes", &container.notes)
        .with("distribution", container.distribution.as_ref().map(distribution))
}

fn key(row: &KeyRow) -> Json {
    let [at, earliest, latest] = dates(&row.limit_date);
    let growth = row.growth.as_ref().map(|g| g.kib_per_day);
    object()
        .with("key", as_found(row.key.as_deref()))
        .with("size_kib", row.size_kib)
        .with("share_of_ceiling", row.share)
        .with("region", row.region.as_deref())
        .with("sampled_at", row.sampled_at.map(Stamp::rfc3339))
        .with("growth_kib_per_day", growth.map(six_digits))
        .with("wall", at)
        .with("wall_earliest", earliest)
        .with("wall_latest", latest)
        .with("wall_state", row.limit_date.state())
        .with("samples", row.samples)
        .with("at_least", row.size_of == SizeOf::Prefix)
        .with("epk", row.epk.as_deref())
        .with("partition", row.partition.as_deref())
}

/// Likeliest, earliest and latest, where a date is known.
pub(super) fn dates(limit_date: &LimitDate) -> [Option<String>; 3] {
    let moment = |at: Stamp| Some(at.rfc3339());
    match *limit_date {
        LimitDate::Date { at, earliest, latest } => {
            [moment(at), moment(earliest), latest.and_then(moment)]
        }
        LimitDate::Over | LimitDate::Never | LimitDate::Unknown => [None, None, None],
    }
}

fn distribution(distribution: &Distribution) -> Json {
    let quantiles = distribution.quantiles;
    let skew = &distribution.skew;
    let largest = Some(distribution.max_kib).filter(|_| distribution.keys > 0);
    let tops =
        list(&distribution.tops, |top| object().with("keys", top.keys).with("share", top.share));
    let histogram = list(&distribution.histogram, |bucket| {
        object()
            .with("from_kib", bucket.from_kib)
            .with("to_kib", bucket.to_kib)
            .with("keys", bucket.keys)
            .with("kib", bucket.kib)
    });
    let whole_of = match skew.whole_of {
        WholeOf::Container => "container",
        WholeOf::ReportedKeys => "reported_keys",
    };
    object()
        .with("p50_kib", quantiles.map(|q| q.p50_kib))
        .with("p90_kib", quantiles.map(|q| q.p90_kib))
        .with("p99_kib", quantiles.map(|q| q.p99_kib))
        .with("max_kib", largest)
        .with("top_shares", tops)
        .with("whole_of", whole_of)
        .with("k_eff", skew.effective_keys_at_most.map(six_digits))
        .with("histogram", histogram)
}

#[cfg(test)]
mod tests;
