//! What screens write to files: a view in the format that the ending of the file name says.

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::analysis::decision::{Data, Decision, DecisionInputs};
use crate::analysis::select::Selection;
use crate::analysis::summary::{self, ContainerFilter, Summary};
use crate::error::Error;
use crate::model::units::counted;
use crate::report::heat::{self, ContainerHeatRows, HeatReport, HeatSelection};
use crate::report::{self, Style, decision, forecast, lesson, plan, ru_keys, simulate, trial};
use crate::source::input;
use crate::source::watch::Watch;
use crate::work::data::{Dataset, Exported, Stage};
use crate::work::export::{Export, ForecastShown, HeatShown};
use crate::work::fault::{WorkFault, fault};
use crate::work::load::Loader;
use crate::work::trial::{DocumentsOf, TrialShown};
use crate::work::whole_file::{self, Stoppable};

/// A file that was written whole.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WrittenFile {
    /// Already made visible.
    pub path: String,
    pub rows: u64,
}

impl WrittenFile {
    pub fn sentence(&self) -> String {
        let end = self.path.rsplit('.').next().unwrap_or_default();
        let what = match end.to_ascii_lowercase().as_str() {
            "svg" => "the picture",
            "html" | "htm" | "md" => "the page",
            _ => "",
        };
        if !what.is_empty() {
            return format!("wrote {what} to {}", self.path);
        }
        let rows = counted(self.rows, "row", "rows");
        format!("wrote {rows} to {}", self.path)
    }
}

impl Loader {
    pub fn export(&self, export: &Export, watch: &Watch) -> Result<WrittenFile, WorkFault> {
        let tables = ".txt, .csv, .json, .md or .html";
        let format = writer(&export.path, report::format, tables);
        let stopped = || fault(&Error::Interrupted);
        let report = match &export.what {
            Exported::Report(shown) => {
                let whole = self.whole_report(&shown.data, format.clone()?);
                shown.narrowed(whole.unwrap_or_else(|| shown.data.report.clone()))
            }
            Exported::Keys(keys) => keys.report(&|| watch.keep_going()).ok_or_else(stopped)?,
            Exported::RuKeys(shown) => {
                let write = writer(&export.path, ru_keys::format, tables)?;
                return written(export, watch, shown.keys.len() as u64, &|to| {
                    write(shown, Style::default(), to)
                });
            }
            Exported::Heat(shown) => return export_heat(export, shown, watch),
            Exported::Trial(shown) => return export_trial(export, shown, watch),
            Exported::Lapses(lapses) => {
                let write = writer(&export.path, simulate::format, DRAWN)?;
                let events = lapses.iter().map(|lapse| lapse.events.len() as u64);
                return written(export, watch, events.sum(), &|to| {
                    write(lapses, usize::MAX, Style::default(), to)
                });
            }
            Exported::Plan(found) => {
                let write = writer(&export.path, plan::format, ".html, .md, .txt or .json")?;
                let plan = found.plan.as_deref().ok_or_else(stopped)?;
                return written(export, watch, 1, &|to| write(plan, Style::default(), to));
            }
            // It was not played: somebody stopped it.
            Exported::Lesson(_) => return Err(stopped()),
            Exported::HandOut(shown) => {
                let write = writer(&export.path, lesson::format, ".html, .md or .txt")?;
                let pages = shown.pages.len() as u64;
                return written(export, watch, pages, &|to| write(shown, Style::default(), to));
            }
            Exported::Forecast(ForecastShown(shown)) => {
                let write = writer(&export.path, forecast::format, tables)?;
                return written(export, watch, shown.limits.len() as u64, &|to| {
                    write(shown, Style::default(), to)
                });
            }
        };
        let format = format?;
        let rows = report.containers.iter().map(|c| c.keys.len() as u64);
        written(export, watch, rows.sum(), &|to| (format.write)(&report, Style::default(), to))
    }

    /// All keys, as `report` on the same inputs gives them; a dataset's own report holds the largest only.
    fn whole_report(
        &self,
        data: &Dataset,
        format: &report::Format,
    ) -> Option<crate::analysis::rows::Report> {
        if data.stage != Stage::Whole {
            return None;
        }
        let selection = format.default_top.map_or(Selection::All, Selection::Top);
        let mut summary = Summary::new(summary::SummaryOptions {
            selection,
            has_prefixes: format.has_prefixes,
            has_distributions: format.has_distributions,
            ..self.summary.clone()
        });
        summary.absorb(&data.capture);
        Some(summary.finish())
    }
}

/// The load of one container, in the format of the ending.
fn export_heat(
    export: &Export,
    shown: &HeatShown,
    watch: &Watch,
) -> Result<WrittenFile, WorkFault> {
    let format = writer(&export.path, heat::format, DRAWN)?;
    let data = &shown.data;
    let filters = ContainerFilter::of_name(&shown.container);
    let wanted = HeatSelection {
        containers: filters.into_iter().collect(),
        measure: shown.measure,
        region: shown.region.as_deref().map(str::to_owned),
        order: shown.order,
        from: shown.span.map(|(from, _)| from),
        to: shown.span.map(|(_, to)| to),
        as_of: data.report.as_of,
        ..HeatSelection::new(format.extent)
    };
    let mut report = HeatReport::of(data.heat_inputs(), &wanted, data.report.notes.clone());
    // Two accounts may have containers of one name.
    let is_shown = |c: &ContainerHeatRows| c.name.identity() == shown.container;
    report.containers.retain(is_shown);
    if let Some(masker) = &shown.masker {
        report.mask(masker);
    }
    let rows = report.containers.iter().map(|c| c.partitions.len() as u64);
    written(export, watch, rows.sum(), &|to| (format.write)(&report, Style::default(), to))
}

/// Candidates side by side, in the format of the ending; `.toml` is a decision.
fn export_trial(
    export: &Export,
    shown: &TrialShown,
    watch: &Watch,
) -> Result<WrittenFile, WorkFault> {
    let mut report = (*shown.report).clone();
    if let Some(masker) = &shown.masker {
        report.mask(masker);
    }
    let style = Style::default();
    let write: &dyn Fn(&mut dyn Write) -> io::Result<()> = if ending(&export.path) == "toml" {
        let next = ":documents FILE reads some; .md and .json hold what logs show";
        let what = "a decision is about documents, and there are none";
        let decided = decided(&report, shown).ok_or_else(|| WorkFault::new(what, Some(next)))?;
        &move |to| decision::write(&decided, to)
    } else {
        let known = ".txt, .csv, .json, .md, .html or .toml";
        let drawn = writer(&export.path, trial::format, known)?;
        let report = &report;
        &move |to| drawn(report, style, to)
    };
    written(export, watch, report.candidates.len() as u64, write)
}

/// The file, once it is whole.
fn written(
    export: &Export,
    watch: &Watch,
    rows: u64,
    write: &dyn Fn(&mut dyn Write) -> io::Result<()>,
) -> Result<WrittenFile, WorkFault> {
    let keep_going = &|| watch.keep_going();
    whole_file::write(&export.path, export.existing, &mut |to| {
        write(&mut Stoppable { to, keep_going })
    })
    .map_err(|e| fault(&e))?;
    Ok(WrittenFile { path: input::shown(&export.path), rows })
}

/// The decision that a trial comes to, with what its documents were.
fn decided(report: &trial::TrialReport, shown: &TrialShown) -> Option<Decision> {
    let sample = shown.sample.as_ref()?;
    let sources = match (&sample.from, &shown.masker) {
        (DocumentsOf::Scenario { name, container }, _) => {
            vec![format!("scenario {name}, {container}")]
        }
        (DocumentsOf::Paths(paths), None) => paths.iter().map(|p| input::shown(p)).collect(),
        (
            DocumentsOf::Live { database, container }
            | DocumentsOf::Recorded { database, container, .. },
            None,
        ) => {
            vec![format!("sample of {database}/{container}")]
        }
        (_, Some(_)) => Vec::new(),
    };
    let keys = report.candidates.iter().map(|c| &c.trial.candidate);
    let paths: Vec<_> = keys.flat_map(|key| key.paths()).collect();
    let (prepared, _) = sample.prepared_for(paths.iter().copied(), &report.settings);
    let data = Data::of(prepared.documents(), sources, paths);
    let mut decision = Decision::of(report, data, shown.decided.as_ref(), shown.now);
    let name = |path: &PathBuf| path.to_string_lossy().into_owned();
    let today = report.settings.today.as_ref();
    let inputs = DecisionInputs {
        time: sample.time.as_ref().map(ToString::to_string),
        queries: sample.queries.as_ref().map(name),
        logs: shown.logs.iter().map(name).collect(),
        container: today.and_then(|today| today.name.option_text()),
    };
    decision.keep_inputs(inputs.masked(shown.masker.is_some()));
    Some(decision)
}

/// Endings of file names and the formats they stand for.
const ENDINGS: [(&str, &str); 9] = [
    ("html", "html"),
    ("htm", "html"),
    ("svg", "svg"),
    ("txt", "text"),
    ("text", "text"),
    ("csv", "csv"),
    ("json", "json"),
    ("md", "md"),
    ("markdown", "md"),
];
/// The endings of what can be drawn.
const DRAWN: &str = ".html, .svg, .txt, .csv, .json or .md";

fn ending(path: &Path) -> OsString {
    path.extension().unwrap_or_default().to_ascii_lowercase()
}

/// What writes the format that the ending of the file name says; `known` names the endings for the user.
fn writer<T>(path: &Path, named: fn(&str) -> Option<T>, known: &str) -> Result<T, WorkFault> {
    let ending = ending(path);
    let found = ENDINGS.iter().find(|(known, _)| ending == *known);
    found.and_then(|(_, name)| named(name)).ok_or_else(|| {
        let what = "the ending of the file name says nothing of the form";
        WorkFault::new(what, Some(&format!("end it with {known}")))
    })
}
