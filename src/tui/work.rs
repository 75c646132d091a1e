//! Effects as plain functions: each takes what it needs, asks now and then whether it is still wanted, and tells facts.

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::Duration;

use super::load::Loader;
use super::paths;
use super::recent::Recent;
use crate::analysis::select::Selection;
use crate::analysis::summary::{self, ContainerFilter, Summary};
use crate::app::data::{Arranged, Ask, Dataset, Exported, Stage};
use crate::app::exporting::HeatShown;
use crate::app::msg::{Effect, Export, Fault, Msg, Salt, Shared, Written};
use crate::app::trying::{Pace, TrialShown};
use crate::cli::{salt, whole_file};
use crate::error::Error;
use crate::report::heat::{self, Analysed, ContainerHeatRows, HeatReport, Wanted};
use crate::report::{self, Style, trial};
use crate::source::input;
use crate::source::watch::Watch;

/// Between two letters of somebody who types without thinking.
pub const TYPING_PAUSE: Duration = Duration::from_millis(60);
/// How often it is asked whether the next letter has come.
const WAITS: u32 = 6;

/// What work needs to know beside its effect.
#[derive(Clone, Debug)]
pub struct Work {
    pub loader: Loader,
    pub recent: Recent,
    /// How names are invented where the screen masks them.
    pub salt: Option<Salt>,
    /// How long a key that is typed waits for the next letter.
    pub typing_pause: Duration,
}

impl Work {
    /// Does what an effect asks for; effects that concern the terminal itself are not for here.
    pub fn perform(&self, effect: Effect, watch: &Watch, tell: &mut dyn FnMut(Msg)) {
        match effect {
            Effect::Load(turn, origin) => tell(match self.loader.load(origin, watch) {
                Ok(data) => Msg::Loaded(turn, data),
                Err(e) => Msg::LoadFailed(turn, fault(&e)),
            }),
            Effect::Export(turn, export) => tell(Msg::Exported(turn, self.export(&export, watch))),
            Effect::ListPaths(turn, typed) => {
                tell(Msg::PathsListed(turn, paths::offers(&typed, watch)));
            }
            Effect::ReadRecent => tell(Msg::RecentRead(self.recent.read())),
            Effect::Remember(paths) => match self.recent.remember(&paths) {
                Ok(()) => tell(Msg::RecentRead(self.recent.read())),
                Err(e) => tell(Msg::Told(not_remembered(&e))),
            },
            Effect::ReadSalt => tell(Msg::SaltRead(self.read_salt())),
            Effect::Arrange(turn, ask) => {
                if let Some(list) = arrange(&ask, watch) {
                    tell(Msg::Arranged(turn, Shared::new(list)));
                }
            }
            Effect::Grow(turn, branch) => {
                if let Some(grown) = branch.grow(&|| watch.keep_going()) {
                    tell(Msg::Grown(turn, Shared::new(grown)));
                }
            }
            Effect::Sample(turn, ask) => {
                let sampled = self.loader.sample(&ask, watch).map_err(|e| fault(&e));
                tell(Msg::Sampled(turn, sampled));
            }
            Effect::Search(turn, ask) => {
                let progress = |done: usize, total: usize, what: &str| {
                    watch.done_bytes.store(done as u64, Ordering::Relaxed);
                    watch.total_bytes.store(total as u64, Ordering::Relaxed);
                    watch.begin(what);
                };
                let found = ask.answer(&|| watch.keep_going(), &progress);
                tell(Msg::Found(turn, Shared::new(found)));
            }
            Effect::Try(turn, ask) => {
                if ask.pace == Pace::Typed {
                    self.wait(watch);
                }
                ask.answer(&|| watch.keep_going(), &mut |tried| {
                    tell(Msg::Tried(turn, Shared::new(tried)));
                });
            }
            Effect::StopLoading
            | Effect::StopSampling
            | Effect::StopSearch
            | Effect::Copy(_)
            | Effect::Redraw
            | Effect::Suspend
            | Effect::Quit => {}
        }
    }

    /// Until the next letter would have come.
    fn wait(&self, watch: &Watch) {
        for _ in 0..WAITS {
            if watch.keep_going() {
                std::thread::sleep(self.typing_pause / WAITS);
            }
        }
    }

    fn read_salt(&self) -> Result<Salt, Fault> {
        match &self.salt {
            Some(given) => Ok(given.clone()),
            None => salt::installed().map(Salt).map_err(|e| fault(&e)),
        }
    }

    fn export(&self, export: &Export, watch: &Watch) -> Result<Written, Fault> {
        let format = format_of(&export.path);
        let stopped = || fault(&Error::Interrupted);
        let report = match &export.what {
            Exported::Report(shown) => {
                let whole = self.whole_report(&shown.data, format.clone()?);
                shown.narrowed(whole.unwrap_or_else(|| shown.data.report.clone()))
            }
            Exported::Keys(keys) => keys.report(&|| watch.keep_going()).ok_or_else(stopped)?,
            Exported::Heat(shown) => return export_heat(export, shown, watch),
            Exported::Trial(shown) => return export_trial(export, shown, watch),
        };
        let format = format?;
        whole_file::write(&export.path, export.existing, &mut |to| {
            let mut to = Stoppable { to, watch };
            (format.write)(&report, Style::default(), &mut to)
        })
        .map_err(|e| fault(&e))?;
        let rows = report.containers.iter().map(|c| c.keys.len() as u64).sum();
        Ok(Written {
            path: input::shown(&export.path),
            rows,
        })
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
        let mut summary = Summary::new(summary::Options {
            selection,
            prefixes: format.prefixes,
            distributions: format.distributions,
            ..self.loader.summary.clone()
        });
        summary.absorb(&data.capture);
        Some(summary.finish())
    }
}

/// The load of one container, in the format of the ending.
fn export_heat(export: &Export, shown: &HeatShown, watch: &Watch) -> Result<Written, Fault> {
    let ending = ending(&export.path);
    let name = HEAT_ENDINGS.iter().find(|(known, _)| ending == *known);
    let format = name.and_then(|(_, name)| heat::format(name));
    let format = format.ok_or_else(|| unknown_ending(".html, .svg, .txt, .csv, .json or .md"))?;
    let data = &shown.data;
    let from = Analysed {
        capture: &data.capture,
        heat: &data.heat,
        diagnoses: &data.diagnoses,
        lookups: &data.lookups,
        thresholds: &data.thresholds,
    };
    let container = shown.container.container.as_ref();
    let filters = container.map(|container| ContainerFilter {
        database: shown.container.database.as_deref().map(str::to_owned),
        container: container.to_string(),
    });
    let wanted = Wanted {
        containers: filters.into_iter().collect(),
        measure: shown.measure,
        region: shown.region.as_deref().map(str::to_owned),
        order: shown.order,
        from: shown.span.map(|(from, _)| from),
        to: shown.span.map(|(_, to)| to),
        as_of: data.report.as_of,
        ..Wanted::new(format.extent)
    };
    let mut report = HeatReport::of(from, &wanted, data.report.notes.clone());
    // Two accounts may have containers of one name.
    let is_shown = |c: &ContainerHeatRows| c.name.identity() == shown.container;
    report.containers.retain(is_shown);
    if let Some(masker) = &shown.masker {
        report.mask(masker);
    }
    whole_file::write(&export.path, export.existing, &mut |to| {
        let mut to = Stoppable { to, watch };
        (format.write)(&report, Style::default(), &mut to)
    })
    .map_err(|e| fault(&e))?;
    let rows = report.containers.iter().map(|c| c.partitions.len() as u64);
    Ok(Written {
        path: input::shown(&export.path),
        rows: rows.sum(),
    })
}

/// Candidates side by side, in the format of the ending.
fn export_trial(export: &Export, shown: &TrialShown, watch: &Watch) -> Result<Written, Fault> {
    let ending = ending(&export.path);
    let name = ENDINGS.iter().find(|(known, _)| ending == *known);
    let format = name.and_then(|(_, name)| trial::format(name));
    let format = format.ok_or_else(|| unknown_ending(".txt, .json or .md"))?;
    let mut report = (*shown.report).clone();
    if let Some(masker) = &shown.masker {
        report.mask(masker);
    }
    whole_file::write(&export.path, export.existing, &mut |to| {
        let mut to = Stoppable { to, watch };
        (format.write)(&report, Style::default(), &mut to)
    })
    .map_err(|e| fault(&e))?;
    Ok(Written {
        path: input::shown(&export.path),
        rows: report.candidates.len() as u64,
    })
}

/// The list as it was asked for, by two threads: one sorts while the other begins to filter.
fn arrange(ask: &Ask, watch: &Watch) -> Option<Arranged> {
    let keep_going = || watch.keep_going();
    std::thread::scope(|scope| {
        let mut ranges = ask.ranges(2).into_iter();
        let (first, second) = (ranges.next(), ranges.next());
        let side = second.map(|rows| scope.spawn(|| ask.pass(rows, &keep_going)));
        let order = ask.order(&keep_going)?;
        let mut bits = Vec::new();
        if let Some(rows) = first {
            bits.push(ask.pass(rows, &keep_going)?);
        }
        if let Some(side) = side {
            bits.push(side.join().ok().flatten()?);
        }
        ask.answer(order, bits, &keep_going)
    })
}

/// Endings of file names and the formats they stand for.
const ENDINGS: [(&str, &str); 6] = [
    ("txt", "text"),
    ("text", "text"),
    ("csv", "csv"),
    ("json", "json"),
    ("md", "md"),
    ("markdown", "md"),
];

/// Those of the heat view, which can be drawn.
const HEAT_ENDINGS: [(&str, &str); 9] = [
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

fn ending(path: &Path) -> OsString {
    path.extension().unwrap_or_default().to_ascii_lowercase()
}

fn unknown_ending(known: &str) -> Fault {
    Fault {
        what: "the ending of the file name says nothing of the form".to_owned(),
        next: Some(format!("end it with {known}")),
    }
}

fn format_of(path: &Path) -> Result<&'static report::Format, Fault> {
    let ending = ending(path);
    let known = ENDINGS.iter().find(|(known, _)| ending == *known);
    known
        .and_then(|(_, name)| report::format(name))
        .ok_or_else(|| unknown_ending(".txt, .csv, .json or .md"))
}

/// Writing that ends when nobody wants it any more; what was written so far is then removed.
struct Stoppable<'w> {
    to: &'w mut dyn Write,
    watch: &'w Watch,
}

impl Write for Stoppable<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.watch.keep_going() {
            self.to.write(bytes)
        } else {
            Err(io::Error::other("it was stopped"))
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

fn not_remembered(e: &io::Error) -> Fault {
    Fault {
        what: format!(
            "the list of recent files was not kept: {}",
            input::reason(e)
        ),
        next: Some("recent = false in the configuration does without it".to_owned()),
    }
}

/// A failure as the status line tells it: one line, and hints for whoever sits at the screen.
pub fn fault(e: &Error) -> Fault {
    let what = e.to_string().replace("\n  ", "; ");
    let next = match e {
        Error::Exists { .. } => {
            Some("choose another name, or replace it with :export! FILE".to_owned())
        }
        Error::NotAFile { .. } | Error::NoFolder { .. } => Some("choose another name".to_owned()),
        Error::Write { source, .. } => Some(input::reason(source)),
        Error::Interrupted => {
            return Fault {
                what: "reading was stopped".to_owned(),
                next: None,
            };
        }
        e => e.hint(),
    };
    Fault { what, next }
}

/// The paths of a list, with the home folder in place of a leading `~`: no shell has been at them.
pub fn at_home(path: &Path) -> PathBuf {
    match (path.strip_prefix("~"), etcetera::home_dir()) {
        (Ok(rest), Ok(home)) => home.join(rest),
        _ => path.to_owned(),
    }
}

#[cfg(test)]
mod tests;
