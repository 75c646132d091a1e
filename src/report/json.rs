//! A report for scripts: one JSON object, schema 1, each key on a line of its own.

use std::fmt::Write as _;
use std::io::{self, Write};

use crate::analysis::distribution::Distribution;
use crate::analysis::growth::Wall;
use crate::analysis::rows::{ContainerRows, KeyRow, Report, SizeOf};
use crate::analysis::skew::WholeOf;
use crate::model::key::{KeyDefinition, KeyKind, KeyVersion};

use super::Style;
use super::write_json::{
    push_moment, push_names, push_notes, push_number, push_number_or_null, push_text,
    push_text_or_null, six_digits,
};

pub fn write(report: &Report, _: Style, to: &mut dyn Write) -> io::Result<()> {
    let mut out = String::from("{\"schema\":1,\"as_of\":");
    push_moment(report.as_of, &mut out);
    out.push_str(",\"ceiling_kib\":");
    push_number(report.ceiling.kib(), &mut out);
    out.push_str(",\"containers\":[");
    for (i, container) in report.containers.iter().enumerate() {
        out.push_str(if i > 0 { ",\n" } else { "\n" });
        push_head(container, &mut out);
        for (i, row) in container.keys.iter().enumerate() {
            out.push_str(if i > 0 { ",\n" } else { "\n" });
            push_key(row, &mut out);
            to.write_all(out.as_bytes())?;
            out.clear();
        }
        let _ = write!(out, "],\"keys_total\":{},", container.keys_total);
        push_notes(&container.notes, &mut out);
        out.push_str(",\"distribution\":");
        match &container.distribution {
            Some(distribution) => push_distribution(distribution, &mut out),
            None => out.push_str("null"),
        }
        out.push('}');
    }
    out.push_str("],\n");
    push_notes(&report.notes, &mut out);
    out.push_str("}\n");
    to.write_all(out.as_bytes())
}

fn push_head(container: &ContainerRows, out: &mut String) {
    out.push('{');
    push_names(&container.name, out);
    push_definition(container.definition.as_ref(), out);
    out.push_str(",\"keys\":[");
}

pub(super) fn push_definition(definition: Option<&KeyDefinition>, out: &mut String) {
    let Some(definition) = definition else {
        out.push_str(",\"key_paths\":null,\"key_kind\":null,\"key_version\":null");
        return;
    };
    out.push_str(",\"key_paths\":[");
    for (i, path) in definition.paths.iter().enumerate() {
        if i > 0 {
            out.push(',');
        }
        push_text(path, out);
    }
    let kind = match definition.kind {
        KeyKind::Hash => "Hash",
        KeyKind::MultiHash => "MultiHash",
    };
    let version = match definition.version {
        KeyVersion::V1 => 1,
        KeyVersion::V2 => 2,
    };
    let _ = write!(out, "],\"key_kind\":\"{kind}\",\"key_version\":{version}");
}

fn push_key(row: &KeyRow, out: &mut String) {
    out.push_str("{\"key\":");
    out.push_str(row.key_json());
    out.push_str(",\"size_kib\":");
    push_number(row.size_kib, out);
    out.push_str(",\"share_of_ceiling\":");
    push_number(row.share, out);
    out.push_str(",\"region\":");
    push_text_or_null(row.region.as_deref(), out);
    out.push_str(",\"sampled_at\":");
    push_moment(row.sampled_at, out);
    out.push_str(",\"growth_kib_per_day\":");
    push_number_or_null(row.growth.as_ref().map(|g| six_digits(g.kib_per_day)), out);
    let (at, earliest, latest) = match &row.wall {
        Wall::Date {
            at,
            earliest,
            latest,
        } => (Some(*at), Some(*earliest), *latest),
        Wall::Over | Wall::Never | Wall::Unknown => (None, None, None),
    };
    for (name, moment) in [
        ("wall", at),
        ("wall_earliest", earliest),
        ("wall_latest", latest),
    ] {
        let _ = write!(out, ",\"{name}\":");
        push_moment(moment, out);
    }
    let at_least = row.size_of == SizeOf::Prefix;
    let state = row.wall.state();
    let _ = write!(
        out,
        ",\"wall_state\":\"{state}\",\"samples\":{},\"at_least\":{at_least},\"epk\":",
        row.samples
    );
    push_text_or_null(row.epk.as_deref(), out);
    out.push_str(",\"partition\":");
    push_text_or_null(row.partition.as_deref(), out);
    out.push('}');
}

/// `{"p50_kib":…,"top_shares":[{"keys":1,"share":…},…],"whole_of":…,"k_eff":…,"histogram":[…]}`
fn push_distribution(distribution: &Distribution, out: &mut String) {
    let quantiles = distribution.quantiles;
    let has_keys = distribution.keys > 0;
    for (name, kib) in [
        ("{\"p50_kib\":", quantiles.map(|q| q.p50_kib)),
        (",\"p90_kib\":", quantiles.map(|q| q.p90_kib)),
        (",\"p99_kib\":", quantiles.map(|q| q.p99_kib)),
        (
            ",\"max_kib\":",
            Some(distribution.max_kib).filter(|_| has_keys),
        ),
    ] {
        out.push_str(name);
        push_number_or_null(kib, out);
    }
    out.push_str(",\"top_shares\":[");
    for (i, top) in distribution.tops.iter().enumerate() {
        let comma = if i > 0 { "," } else { "" };
        let _ = write!(out, "{comma}{{\"keys\":{},\"share\":", top.keys);
        push_number(top.share, out);
        out.push('}');
    }
    let whole_of = match distribution.skew.whole_of {
        WholeOf::Container => "container",
        WholeOf::ReportedKeys => "reported_keys",
    };
    let _ = write!(out, "],\"whole_of\":\"{whole_of}\",\"k_eff\":");
    let equal_keys = distribution.skew.effective_keys_at_most;
    push_number_or_null(equal_keys.map(six_digits), out);
    out.push_str(",\"histogram\":[");
    for (i, bucket) in distribution.histogram.iter().enumerate() {
        out.push_str(if i > 0 {
            ",{\"from_kib\":"
        } else {
            "{\"from_kib\":"
        });
        push_number(bucket.from_kib, out);
        out.push_str(",\"to_kib\":");
        push_number(bucket.to_kib, out);
        let _ = write!(out, ",\"keys\":{},\"kib\":", bucket.keys);
        push_number(bucket.kib, out);
        out.push('}');
    }
    out.push_str("]}");
}

#[cfg(test)]
mod tests;
