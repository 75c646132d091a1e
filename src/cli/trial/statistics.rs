//! A trial without documents: what sizes and RU of logged keys tell.

use super::logs::Logs;
use super::{TrialArguments, TrialOutput, running};
use crate::analysis::candidate::Candidate;
use crate::analysis::mask::{Masker, NameKind};
use crate::analysis::plan::facts::PlanFacts;
use crate::analysis::routing::workload::Workload;
use crate::analysis::rows::Note;
use crate::analysis::trial::KeyLog;
use crate::config::Config;
use crate::error::Error;
use crate::model::capture::SourceInfo;
use crate::report::trial::{KeyRole, TrialReport};
use crate::work::queries::notes_of_sources;

pub(super) fn make(
    c: &TrialArguments,
    config: &Config,
    logs: &Logs,
    keys: &[(Candidate, KeyRole)],
    workload: Workload,
    masker: Option<&Masker>,
) -> Result<TrialOutput, Error> {
    if c.deciding.is_asked() || c.search.is_asked() {
        return Err(Error::usage("decisions and searches need documents: give some with the logs"));
    }
    let Some(logged) = KeyLog::of(&logs.capture, logs.container, logs.diagnosis.now.clone()) else {
        return Err(Error::unusable(
            "the logs hold no key of the container, or do not tell what its key is",
            "add a container read and PartitionKeyStatistics, or documents to try keys on",
        ));
    };
    let (bytes, today) = (logged.reported_bytes(), Some(logged.today.clone()));
    let settings = running::given(c, None, bytes, today, workload, config)?;
    let (mut made, mut notes) = (Vec::new(), Vec::new());
    for (key, stands) in keys {
        match logged.trial_with_routes(key, &settings) {
            Ok((trial, routed)) => made.push((trial, *stands, routed)),
            Err(cannot) => notes.push(Note::new(cannot.sentence)),
        }
    }
    if made.is_empty() {
        let why = notes.first().map_or_else(String::new, |note| note.text.clone());
        return Err(Error::unusable(
            why,
            "give documents with the logs: cosmoscope trial DOCS --logs PATH",
        ));
    }
    notes.extend(notes_of_sources(&logs.capture.sources));
    let whole = logged.whole(&settings);
    let report = TrialReport::of(settings, whole, made, notes);
    Ok(masked(report, logs.capture.sources.clone(), masker))
}

fn masked(
    mut report: TrialReport,
    mut sources: Vec<SourceInfo>,
    masker: Option<&Masker>,
) -> TrialOutput {
    if let Some(masker) = masker {
        let mut masker = masker.clone();
        for source in &mut sources {
            masker.learn_file(&source.path);
            source.path = masker.name(NameKind::File, &source.path);
            source.refused = source.refused.as_ref().map(|why| masker.text(why));
        }
        report.mask(&masker);
    }
    TrialOutput {
        report,
        sources,
        absent: Vec::new(),
        data: None,
        facts: PlanFacts::default(),
        lapses: Vec::new(),
    }
}
