//! Where containers level off, as documents are deleted.

use crate::analysis::forecast::ContainerLevel;
use crate::model::units::{KIB_PER_GIB, counted, kib_text, six_digits, trimmed_text, whole_text};
use crate::report::csv::Line;
use crate::report::doc::{Doc, Point};
use crate::report::layout::title;
use crate::report::write_json::{Json, object};

pub(super) fn part(doc: &mut Doc, levels: &[ContainerLevel]) {
    if levels.is_empty() {
        return;
    }
    doc.part("Containers");
    let sentences = levels.iter().map(sentence).map(Point::Plain);
    doc.list(("ul", "  ", "    "), sentences);
    doc.part_end();
}

/// `telemetry / readings: 900 GiB, +70.0 GiB a day, kept 30 d by its default time to live: levels off at 2,100 GiB (42 partitions)`
fn sentence(level: &ContainerLevel) -> String {
    let now = kib_text(level.now_kib);
    // In the unit of the 50 GB of a partition.
    let stays = match level.level_kib / KIB_PER_GIB {
        gib if gib >= 1.0 => format!("{} GiB", whole_text(gib)),
        _ => kib_text(level.level_kib),
    };
    let (name, a_day) = (title(&level.name), super::growth(level.growth_a_day));
    let days = trimmed_text(level.retention.days);
    let by = [" (--retention)", " by its default time to live"];
    let by = by[usize::from(level.retention.is_default)];
    let partitions = counted(level.partitions as u64, "partition", "partitions");
    format!("{name}: {now}, {a_day} a day, kept {days} d{by}: levels off at {stays} ({partitions})")
}

pub(super) fn json(level: &ContainerLevel) -> Json {
    object()
        .names(&level.name)
        .with("now", six_digits(level.now_kib))
        .with("a_day", six_digits(level.growth_a_day))
        .with("kept_days", six_digits(level.retention.days))
        .with("is_default_time_to_live", level.retention.is_default)
        .with("levels_off_at", six_digits(level.level_kib))
        .with("partitions", level.partitions)
}

/// As a row of limits, without a limit.
pub(super) fn push_cells<'l>(level: &ContainerLevel, line: &'l mut Line) -> &'l mut Line {
    let [now, a_day] = [level.now_kib, level.growth_a_day].map(six_digits);
    line.names(&level.name).plain(Some("container-size"));
    line.json(None).text(None).number(Some(now));
    line.number(None).number(None).number(Some(a_day));
    line.plain(Some("never")).number(None).number(None).number(None);
    line.number(Some(six_digits(level.level_kib)));
    line.json(None).number(None)
}
