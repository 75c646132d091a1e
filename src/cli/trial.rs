//! `trial`: documents in, candidate keys side by side out.

mod arguments;
mod keys;
mod loading;
mod queries;
mod running;
pub(super) mod search;

use std::io;
use std::sync::Arc;

use super::output::{self, style};
use super::progress::{self, Names};
use super::{inspect, run, salt};
use crate::analysis::mask::{Kind, Masker};
use crate::analysis::trial::Ground;
use crate::config::Config;
use crate::error::{Error, exit};
use crate::model::capture::SourceInfo;
use crate::report::Cells;
use crate::report::trial::{self as report, TrialReport};
use crate::source::watch::Watch;

use arguments::check_numbers;
pub use arguments::{Against, Format, Trial};
use keys::{keys, time_path};
use loading::{load, options};
pub use queries::workload;
pub use running::notes_of;
use running::{notes, settings, tried};

/// Trials of the keys that were asked for, and what the documents came from, masked if asked for.
#[derive(Debug)]
pub(super) struct Made {
    pub report: TrialReport,
    pub sources: Vec<SourceInfo>,
}

pub(super) fn run(c: &Trial, config: &Config, watch: &Watch) -> Result<u8, Error> {
    let mut inputs = c.docs.clone();
    inputs.extend(c.against.queries.clone());
    run::prepare(&c.output, &inputs)?;
    let Some(format) = report::format(c.format.name()) else {
        return Err(Error::usage("an unknown format"));
    };
    let made = make(c, config, watch)?;
    if !c.quiet {
        inspect::tell_partial(&made.sources, &mut io::stderr().lock());
    }
    let style = style(&c.output, Cells::Safe);
    output::write(&c.output, &mut |to| (format.write)(&made.report, style, to))?;
    Ok(exit::DONE)
}

/// Documents read, keys tried.
pub(super) fn make(c: &Trial, config: &Config, watch: &Watch) -> Result<Made, Error> {
    check_numbers(&c.against)?;
    let keys = keys(c)?;
    let wanted = search::wanted(&c.search)?;
    let time = c.against.time.as_deref().map(time_path).transpose()?;
    let scenario = c.scenario.as_deref().zip(c.container.as_deref());
    let workload = workload(c.against.queries.as_deref(), scenario)?;
    let masker = salt::salt(&c.masking)?.map(|salt| Masker::new(&salt));
    let names = if masker.is_some() {
        Names::Hidden
    } else {
        Names::Shown
    };
    let options = search::options(options(c, &keys, time.as_ref(), config)?, &wanted);
    let mut loaded = progress::during(watch, c.quiet, names, || load(c, &options, watch))?;
    if loaded.documents.is_empty() {
        return Err(Error::Input {
            what: "the inputs hold no document".to_owned(),
            next: Some("give documents as JSON lines, a JSON list, CSV or Parquet".to_owned()),
        });
    }
    let settings = settings(c, &loaded, config)?;
    let ground = Ground::new(std::mem::take(&mut loaded.documents), time.as_ref());
    let ground = Arc::new(ground);
    let mut made = tried(&ground, settings, &keys, &workload, watch)?;
    made.searched = search::searched(c, &ground, &made, &workload, &wanted, watch)?;
    made.notes = notes(c, &loaded, &workload);
    if let Some(masker) = &masker {
        let mut masker = masker.clone();
        for source in &mut loaded.sources {
            masker.learn_file(&source.path);
            source.path = masker.name(Kind::File, &source.path);
            source.refused = source.refused.as_ref().map(|why| masker.text(why));
        }
        made.mask(&masker);
    }
    Ok(Made {
        report: made,
        sources: loaded.sources,
    })
}
