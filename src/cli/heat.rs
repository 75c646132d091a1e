//! `report --view heat` and `check --max-hot`: what is asked of the load of partitions.

use std::io::{self, Write as _};

use super::output::{self, style, writer};
use super::reading::{self, Keep, Read, ReadRequest, found_all, read};
use super::settings;
use super::{CheckArguments, HeatOptions, HeatOrder, ReportArguments, inspect, option_values};
use crate::analysis::ceiling::Ceiling;
use crate::analysis::columns::Lookups;
use crate::analysis::diagnosis::Diagnoses;
use crate::analysis::diagnosis::thresholds::Thresholds;
use crate::analysis::findings::hot::{self, HotFindings, HotInputs};
use crate::analysis::heat::grid::GridOrder;
use crate::analysis::heat::{ContainerHeat, Heat, Measure, Track};
use crate::analysis::rows::Report;
use crate::analysis::select::Selection;
use crate::analysis::summary::ContainerFilter;
use crate::config::Config;
use crate::error::{Error, usage};
use crate::model::capture::Capture;
use crate::model::limits::SHARE_OF_LIMIT;
use crate::model::visible::visible;
use crate::report::CsvCells;
use crate::report::heat::{self, HeatInputs, HeatReport, HeatSelection};
use crate::source::watch::Watch;

/// A capture and what follows from it.
pub(super) struct LoadAnalysis<'a> {
    capture: &'a Capture,
    heat: Heat,
    pub lookups: Lookups,
    pub diagnoses: Diagnoses,
}

impl<'a> LoadAnalysis<'a> {
    pub fn of(capture: &'a Capture, ceiling: Ceiling, thresholds: &Thresholds) -> Self {
        let heat = Heat::of(capture);
        let lookups = Lookups::of(capture, ceiling);
        let diagnoses = Diagnoses::of(capture, &heat, &lookups, thresholds);
        Self { capture, heat, lookups, diagnoses }
    }

    fn inputs<'b>(&'b self, thresholds: &'b Thresholds) -> HeatInputs<'b> {
        HeatInputs {
            capture: self.capture,
            heat: &self.heat,
            diagnoses: &self.diagnoses,
            lookups: &self.lookups,
            thresholds,
        }
    }
}

/// Options that would do nothing are a slip of the pen.
pub(super) fn refuse_options(c: &ReportArguments) -> Result<(), Error> {
    let heat = &c.heat;
    let given = [
        ("--measure", heat.measure.is_some()),
        ("--region", heat.region.is_some()),
        ("--order", heat.order.is_some()),
        ("--from", heat.from.is_some()),
        ("--to", heat.to.is_some()),
        ("--threshold", !heat.threshold.is_empty()),
    ];
    match given.iter().find(|(_, is_given)| *is_given) {
        None => Ok(()),
        Some((option, _)) => Err(usage(
            format!("{option} is about the heat, and this report is about keys"),
            "add --view heat",
        )),
    }
}

pub(super) fn report(c: &ReportArguments, config: &Config, watch: &Watch) -> Result<u8, Error> {
    let format = writer(c.format, heat::format)?;
    if c.measure.as_of.is_some() {
        return Err(usage(
            "--as-of counts the days of keys, and this report is about heat",
            "--from and --to narrow it; --view keys takes --as-of",
        ));
    }
    let thresholds = thresholds(&c.heat.threshold, config)?;
    let mut wanted = selection(&c.heat, format)?;
    wanted.containers = reading::filters(&c.input.reading);
    wanted.top = c.top;
    let request = ReadRequest {
        capture: Keep::Capture,
        // Sizes are taken from the capture; the report gives the notes.
        ..ReadRequest::new(Selection::Top(0), &c.measure, config)?
    };
    let read = read(&c.input.paths, &c.input.reading, &request, config, watch)?;
    found_all(&[&read])?;
    let capture = Capture::default();
    let capture = read.capture.as_ref().unwrap_or(&capture);
    let derived = LoadAnalysis::of(capture, request.ceiling, &thresholds);
    has_track(&derived, &wanted)?;
    wanted.as_of = read.report.as_of;
    let mut made = HeatReport::of(derived.inputs(&thresholds), &wanted, read.report.notes.clone());
    if let Some(masker) = &read.masker {
        made.mask(masker);
    }
    if !c.input.reading.quiet {
        inspect::tell_partial(&read.sources, &mut io::stderr().lock());
    }
    let style = style(&c.output, if c.exact { CsvCells::Exact } else { CsvCells::Safe });
    output::write(&c.output, &mut |to| (format.write)(&made, style, to))
}

pub(super) fn has_load(capture: &Capture) -> bool {
    let load = &capture.load;
    !(load.ru.is_empty() && load.requests.is_empty() && load.metrics.is_empty())
}

/// Whether a key is near its limit by its size or its date: no others are worth a judgement of sizes alone.
pub(super) fn nears_limit(report: &Report, limits: &Thresholds) -> bool {
    report.containers.iter().any(|c| {
        let has_date = c.keys.iter().any(|k| k.limit_date.date().is_some());
        has_date || report.ceiling.share(c.largest_kib) >= limits.limit_warn
    })
}

/// What load and sizes are judged, for a report of something else.
pub(super) fn judged(
    capture: &Capture,
    request: &ReadRequest,
    thresholds: &Thresholds,
    containers: &[ContainerFilter],
) -> HeatReport {
    let derived = LoadAnalysis::of(capture, request.ceiling, thresholds);
    let mut wanted = HeatSelection::without_maps();
    wanted.containers = containers.to_vec();
    HeatReport::of(derived.inputs(thresholds), &wanted, Vec::new())
}

fn selection(options: &HeatOptions, format: &heat::HeatFormat) -> Result<HeatSelection, Error> {
    let seconds = |option, text: &Option<String>| {
        let at = text.as_deref().map(|t| option_values::moment(option, t)).transpose();
        at.map(|at| at.map(crate::model::time::Stamp::seconds))
    };
    let (from, to) = (seconds("--from", &options.from)?, seconds("--to", &options.to)?);
    if from.zip(to).is_some_and(|(from, to)| from >= to) {
        return Err(Error::Usage { what: "--from is not before --to".to_owned(), next: None });
    }
    let measure = options.measure.as_deref().map(measure).transpose()?;
    Ok(HeatSelection {
        measure,
        region: options.region.clone(),
        order: match options.order {
            None | Some(HeatOrder::Hottest) => GridOrder::Hottest,
            Some(HeatOrder::Id) => GridOrder::Id,
            Some(HeatOrder::HashRange) => GridOrder::HashRange,
            Some(HeatOrder::Size) => GridOrder::Size,
        },
        from,
        to,
        ..HeatSelection::new(format.extent)
    })
}

/// As the configuration says, and the options on top of it.
fn thresholds(given: &[String], config: &Config) -> Result<Thresholds, Error> {
    let mut thresholds = settings::thresholds(config)?;
    for text in given {
        // The refusal quotes what was given.
        let refused = |why: String| Error::usage(format!("--threshold: {}", visible(&why)));
        thresholds.set(text).map_err(refused)?;
    }
    Ok(thresholds)
}

fn measure(name: &str) -> Result<Measure, Error> {
    let found = Measure::ALL.into_iter().find(|m| m.name() == name);
    found.ok_or_else(|| {
        let names: Vec<&str> = Measure::ALL.iter().map(|m| m.name()).collect();
        usage(
            format!("--measure is `{}`", visible(name).replace('`', "'")),
            format!("the measures are {}", names.join(", ")),
        )
    })
}

/// A measure or region that no input reports would leave an empty map, which would look like a good one.
fn has_track(derived: &LoadAnalysis<'_>, wanted: &HeatSelection) -> Result<(), Error> {
    if wanted.measure.is_none() && wanted.region.is_none() {
        return Ok(());
    }
    let is_wanted = |number: &usize| {
        let container = derived.capture.containers.get(*number);
        let filters = &wanted.containers;
        container.is_some_and(|c| ContainerFilter::any_fits(filters, &c.name))
    };
    let heats = derived.heat.containers.iter().enumerate();
    let heats: Vec<_> = heats.filter(|(n, _)| is_wanted(n)).map(|(_, h)| h).collect();
    if heats.iter().any(|heat| wanted.track(heat).is_some()) {
        return Ok(());
    }
    Err(no_track(&heats, wanted))
}

/// Names what there is: the regions where only the region is wrong.
fn no_track(heats: &[&ContainerHeat], wanted: &HeatSelection) -> Error {
    let tracks = || heats.iter().flat_map(|heat| &heat.tracks);
    let sorted = |mut names: Vec<String>| {
        names.sort();
        names.dedup();
        names
    };
    let region = |t: &Track| t.region.as_deref().map(|r| visible(r).into_owned());
    let regions = sorted(tracks().filter_map(region).collect());
    if let Some(asked) = &wanted.region
        && !regions.iter().any(|r| r.eq_ignore_ascii_case(asked))
    {
        return usage(
            format!("no input has the region `{}`", visible(asked).replace('`', "'")),
            match regions.as_slice() {
                [] => "the inputs name no region: leave --region out".to_owned(),
                [one] => format!("the only region is {one}"),
                regions => format!("the regions are {}", regions.join(", ")),
            },
        );
    }
    let known = tracks().map(|track| match region(track) {
        Some(region) => format!("{} in {region}", track.measure.name()),
        None => track.measure.name().to_owned(),
    });
    let known = sorted(known.collect());
    let next = match known.as_slice() {
        [] => "no input holds load over time by partition".to_owned(),
        known => format!("the inputs hold {}", known.join(", ")),
    };
    let what = match wanted.region {
        Some(_) => "no input holds that measure in that region",
        None => "no input holds that measure",
    };
    usage(what, next)
}

/// What `check` was asked about load.
pub(super) struct LoadCheck {
    max_hot: f64,
    thresholds: Thresholds,
    containers: Vec<ContainerFilter>,
}

impl LoadCheck {
    /// None unless it was asked about at all.
    pub(super) fn of(c: &CheckArguments, config: &Config) -> Result<Option<Self>, Error> {
        let Some(max_hot) = &c.max_hot else {
            return Ok(None);
        };
        Ok(Some(Self {
            max_hot: option_values::share("--max-hot", max_hot, SHARE_OF_LIMIT)?,
            thresholds: thresholds(&c.threshold, config)?,
            containers: reading::filters(&c.reading),
        }))
    }

    pub(super) fn findings(&self, read: &Read, ceiling: Ceiling) -> HotFindings {
        let Some(capture) = &read.capture else {
            return HotFindings::default();
        };
        let derived = LoadAnalysis::of(capture, ceiling, &self.thresholds);
        let mut found = hot::hot(HotInputs {
            capture,
            heat: &derived.heat,
            diagnoses: &derived.diagnoses,
            containers: &self.containers,
            max_hot: self.max_hot,
            thresholds: &self.thresholds,
        });
        if let Some(masker) = &read.masker {
            for finding in &mut found.findings {
                finding.name = masker.container(&finding.name);
                finding.key = finding.key.as_deref().map(|key| masker.key(key));
                let sentence = &mut finding.finding.sentence;
                *sentence = masker.own_sentence(sentence);
            }
        }
        found
    }
}

pub(super) fn tell_empty() {
    let sentence = "note: no input holds the load of physical partitions over time; export NormalizedRUConsumption by PartitionKeyRangeId, or PartitionKeyRUConsumption";
    let _ = writeln!(io::stderr(), "{sentence}");
}
