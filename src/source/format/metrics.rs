//! Answers of the Azure Monitor metrics API: series of points by metric, dimensions and aggregation.

use crate::model::capture::{CaptureBuilder, RowFault};
use crate::model::load::{Intake, MAX_POINTS, SeriesName};
use crate::model::names::ContainerName;
use crate::model::time::Stamp;
use crate::source::import::ImportOutcome;
use crate::source::json::read;
use crate::source::tally::{Fault, quoted};
use crate::source::times::iso;

use super::entry::{Entry, cast, missing};
use super::fields::{Fields, named_by_resource_id, twice};

/// The fields a point may have its value in, as the API names them.
const AGGREGATIONS: [&str; 5] = ["maximum", "total", "average", "minimum", "count"];
/// No metric of the service has more than ten.
const MAX_DIMENSIONS: usize = 64;
/// Names and values of dimensions over all series.
const MAX_TEXT_BYTES: usize = 32 * 1024 * 1024;
/// A portal shows 50; a container of 10,000 partitions has that many.
const MAX_SERIES: usize = 100_000;
/// Characters of a metric's name or unit that matter.
const MAX_NAME_CHARS: usize = 100;

type Points = Vec<(Stamp, f64)>;

/// One series of one metric, complete but for what may follow it in the document.
#[derive(Debug)]
struct Series {
    name: SeriesName,
    container: ContainerName,
    points: Points,
}

/// Collects series until the whole document is known to be good.
#[derive(Debug, Default)]
pub(super) struct Metrics {
    done: Vec<Series>,
    /// Where in `done` the current metric begins.
    metric_from: usize,
    dimensions: Vec<(String, String)>,
    points: [Points; AGGREGATIONS.len()],
    held: usize,
    text_bytes: usize,
    gaps: u64,
    /// Points of the current metric that have a value.
    rows: u64,
}

impl Metrics {
    /// An entry of `metadatavalues`.
    pub(super) fn dimension(&mut self, raw: &str) -> Result<(), Fault> {
        let entry = Entry::read(raw)?;
        let name = match entry.raw("name") {
            Some(object) if object.starts_with('{') => Entry::read(object)?.text("value"),
            plain => plain.and_then(read::text),
        };
        let name = name.ok_or_else(|| missing("name", raw))?.to_lowercase();
        let value = entry.text("value").unwrap_or_default();
        self.text_bytes = self.text_bytes.saturating_add(name.len() + value.len());
        if self.dimensions.len() >= MAX_DIMENSIONS || self.text_bytes > MAX_TEXT_BYTES {
            return Err((
                RowFault::LineOverMaximum,
                format!("one dimension too many: {}", quoted(&name)),
            ));
        }
        self.dimensions.push((name, value));
        Ok(())
    }

    /// An entry of `data`; a point without a value is a gap, not a row.
    pub(super) fn point(&mut self, raw: &str, outcome: &mut ImportOutcome) -> Result<(), Fault> {
        let entry = Entry::read(raw)?;
        let time = entry.needed("timeStamp")?;
        let at = iso(time.as_bytes()).ok_or_else(|| cast("timeStamp", &time))?;
        let mut values = [None; AGGREGATIONS.len()];
        for (name, value) in AGGREGATIONS.iter().zip(&mut values) {
            if let Some(found) = entry.raw(name) {
                *value = Some(read::number(found).ok_or_else(|| cast(name, found))?);
            }
        }
        for (value, points) in values.iter().zip(&mut self.points) {
            let Some(value) = value else { continue };
            if self.held < MAX_POINTS {
                points.push((at, *value));
                self.held += 1;
            } else {
                outcome.note(format!("more than {MAX_POINTS} points: the rest was left out"));
            }
        }
        if values.iter().any(Option::is_some) {
            self.rows += 1;
        } else {
            self.gaps += 1;
        }
        Ok(())
    }

    pub(super) fn close_series(&mut self) {
        let mut dimensions = std::mem::take(&mut self.dimensions);
        let mut take = |name: &str| {
            let at = dimensions.iter().position(|(n, _)| n == name)?;
            Some(dimensions.swap_remove(at).1)
        };
        let (database, container) = (take("databasename"), take("collectionname"));
        let container = ContainerName::new(None, database.as_deref(), container.as_deref());
        dimensions.sort();
        for (aggregation, points) in AGGREGATIONS.iter().zip(&mut self.points) {
            let points = std::mem::take(points);
            if !points.is_empty() && self.done.len() < MAX_SERIES {
                let name = SeriesName {
                    aggregation: (*aggregation).to_owned(),
                    dimensions: dimensions.clone(),
                    ..SeriesName::default()
                };
                self.done.push(Series { name, container: container.clone(), points });
            }
        }
    }

    /// The metric's own members are known when it ends, in whatever order they came.
    pub(super) fn close_metric(
        &mut self,
        fields: &Fields,
        outcome: &mut ImportOutcome,
    ) -> Result<(), Fault> {
        let rows = std::mem::take(&mut self.rows);
        let mut whose = ["value[].name.value", "value[].name", "value[].unit", "value[].id"].iter();
        if let Some(path) = whose.find(|path| fields.is_twice(path)) {
            self.done.truncate(self.metric_from);
            let name = path.rsplit('.').next().unwrap_or_default();
            return Err((RowFault::Cast, twice(name)));
        }
        outcome.other_rows += rows;
        let named =
            |path| fields.text(path).map(|t| t.chars().take(MAX_NAME_CHARS).collect::<String>());
        let metric =
            named("value[].name.value").or_else(|| named("value[].name")).unwrap_or_default();
        let unit = named("value[].unit").unwrap_or_default();
        let account = fields.text("value[].id").and_then(|id| named_by_resource_id(&id).account);
        let series = self.done.get_mut(self.metric_from..).unwrap_or_default();
        if series.is_empty() {
            let unnamed = || "a metric without a name".to_owned();
            let which = if metric.is_empty() { unnamed() } else { quoted(&metric) };
            outcome.note(format!("no data in this period: {which}"));
        }
        for one in series {
            one.name.metric.clone_from(&metric);
            one.name.unit.clone_from(&unit);
            one.container.account.clone_from(&account);
        }
        self.metric_from = self.done.len();
        if self.done.len() >= MAX_SERIES {
            outcome.note(format!("{MAX_SERIES} series were kept; more are left out"));
        }
        if let Some(code) =
            fields.text("value[].errorcode").filter(|c| !c.eq_ignore_ascii_case("Success"))
        {
            let message = fields
                .text("value[].errormessage")
                .map(|m| format!(": {}", quoted(&m)))
                .unwrap_or_default();
            let (metric, code) = (quoted(&metric), quoted(&code));
            outcome.note(format!("the metric {metric} came with {code}{message}"));
        }
        Ok(())
    }

    /// Hands everything over; gives the number of points that were known before.
    pub(super) fn hand_over(
        self,
        builder: &CaptureBuilder,
        source: u16,
        outcome: &mut ImportOutcome,
    ) -> u64 {
        if self.gaps > 0 {
            outcome.note(match self.gaps {
                1 => "1 point without a value".to_owned(),
                n => format!("{n} points without a value"),
            });
        }
        let mut repeated = 0;
        for mut series in self.done {
            let name = builder.owned(source, series.container);
            let Some(container) = builder.container(&name) else {
                outcome.note("too many containers: some series were left out");
                continue;
            };
            series.name.container = container;
            // In time order every point goes to the end of its list.
            series.points.sort_by_key(|p| p.0);
            let beyond = builder.load(|load| {
                let mut beyond = 0_u64;
                for (at, value) in &series.points {
                    match load.add_point(&series.name, *at, *value) {
                        Intake::New => {}
                        Intake::Repeat => repeated += 1,
                        Intake::BeyondLimit => beyond += 1,
                    }
                }
                beyond
            });
            if beyond > 0 {
                outcome.note("more points than are kept: the rest was left out");
            }
        }
        repeated
    }
}
