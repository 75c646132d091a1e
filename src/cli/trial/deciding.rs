//! Decisions: written beside a trial, opened again as the keys and settings of the next one.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use clap::Args;

use super::super::Output;
use super::keys::parsed;
use super::{TrialArguments, TrialOutput};
use crate::analysis::candidate::Candidate;
use crate::analysis::ceiling::Ceiling;
use crate::analysis::decision::{Data, Decision, DecisionInputs, DecisionValue, diff};
use crate::analysis::rows::Note;
use crate::analysis::trial::{Settings, Weight};
use crate::error::{Error, usage};
use crate::model::units::whole_u64;
use crate::model::visible::visible;
use crate::report::decision::{self as report, changes};
use crate::source::input::{self, shown};
use crate::tui::clock;

/// More than the numbers of any list of keys that people compare.
const MAX_DECISION_BYTES: u64 = 4 << 20;

#[derive(Args, Debug, Clone, Default)]
#[command(next_help_heading = "Output")]
pub struct DecisionOptions {
    /// Write keys, settings, numbers and verdicts to this file, which --decision opens again
    #[arg(long, value_name = "FILE.toml", group = "written")]
    pub save: Option<PathBuf>,

    /// The key that is decided for, one of those that are tried
    #[arg(long, value_name = "KEY", requires = "save")]
    pub choose: Option<String>,

    /// Try the keys of this decision, measured against the same, and say what differs; other options add to it
    #[arg(long, value_name = "FILE.toml", help_heading = "Data")]
    pub decision: Option<PathBuf>,
}

impl DecisionOptions {
    /// Where the decision goes: in the place of the one that it came from, or of another file only with --force.
    pub fn target(&self, output: &Output) -> Output {
        let force = output.force || self.save == self.decision;
        Output { output: self.save.clone(), force }
    }

    pub fn is_asked(&self) -> bool {
        self.save.is_some() || self.decision.is_some()
    }
}

/// The text of a file that may be a decision; none where it is too large or no text, which no decision is.
#[expect(clippy::disallowed_methods, reason = "a decision is in a file")]
pub fn text_of(path: &Path) -> std::io::Result<Option<String>> {
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path)?;
    if !file.metadata()?.is_file() {
        return Ok(None);
    }
    file.take(MAX_DECISION_BYTES + 1).read_to_end(&mut bytes)?;
    let is_small = bytes.len() as u64 <= MAX_DECISION_BYTES;
    Ok(String::from_utf8(bytes).ok().filter(|_| is_small))
}

/// The decision in a file.
pub fn read(path: &Path) -> Result<Decision, Error> {
    let next = "give a file that cosmoscope trial --save wrote";
    let refused = |why: &str| Error::refused(shown(path), why, next);
    let text = text_of(path)
        .map_err(|e| refused(&format!("cannot be opened: {}", input::reason(&e))))?
        .ok_or_else(|| refused("is no decision file"))?;
    let decision = report::parse(&text).map_err(|why| refused(&visible(&why)))?;
    for candidate in &decision.candidates {
        if Candidate::parse(&candidate.key).is_err() {
            let key = visible(&candidate.key).into_owned();
            return Err(refused(&format!("holds what is not a key: {key}")));
        }
    }
    Ok(decision)
}

/// The options with the keys of the decision before those that were given, and what decides how documents are read.
pub(super) fn with(c: &TrialArguments, past: &Decision) -> TrialArguments {
    let mut c = c.clone();
    let mut keys = Vec::new();
    for candidate in &past.candidates {
        if !candidate.is_current {
            keys.push(candidate.key.clone());
        } else if c.current.is_none() {
            c.current = Some(candidate.key.clone());
        }
    }
    let given = c.key.iter().filter(|key| !keys.contains(key)).cloned();
    keys.extend(given.collect::<Vec<_>>());
    c.key = keys;
    let inputs = past.inputs();
    c.against.time = c.against.time.or(inputs.time);
    c.against.queries = c.against.queries.or(inputs.queries.map(PathBuf::from));
    if c.against.logs.is_empty() && c.scenario.is_none() {
        c.against.logs = inputs.logs.into_iter().map(PathBuf::from).collect();
        c.container = c.container.or(inputs.container);
    }
    if let (1, Some(seed)) = (c.against.seed, number(past, "seed")) {
        c.against.seed = whole_u64(seed);
    }
    c
}

/// What keys were measured against, where no option says otherwise.
pub(super) fn restore(settings: &mut Settings, past: &Decision, c: &TrialArguments) {
    let of = |name: &str| number(past, name);
    if let (None, Some(n)) = (c.against.partitions, of("partitions")) {
        settings.partitions = usize::try_from(whole_u64(n)).unwrap_or(settings.partitions).max(1);
    }
    let or = |given: &mut Option<f64>, name: &str| *given = given.or_else(|| of(name));
    or(&mut settings.ru_per_second, "ru_per_second");
    or(&mut settings.load_ru_per_second, "load_ru_per_second");
    or(&mut settings.growth_bytes_per_day, "growth_bytes_per_day");
    or(&mut settings.kept_days, "kept_days");
    if c.against.stored.is_none() {
        let known = settings.stored_bytes;
        settings.stored_bytes = of("stored_bytes").or(known);
        settings.is_size_expected = settings.stored_bytes != known;
        settings.stored_documents = of("stored_documents").or(settings.stored_documents);
    }
    if (c.against.storage_factor - 1.0).abs() < f64::EPSILON {
        settings.storage_factor = of("storage_factor").unwrap_or(settings.storage_factor);
    }
    if c.ceiling.is_none() {
        let kib = of("ceiling_kib");
        let is =
            |known: &Ceiling| kib.is_some_and(|kib| (kib - known.bytes() / 1024.0).abs() < 0.5);
        let known = [settings.ceiling, Ceiling::BINARY, Ceiling::DECIMAL];
        let same = known.into_iter().find(is);
        let ceiling = same.or_else(|| kib.and_then(Ceiling::given));
        settings.ceiling = ceiling.unwrap_or(settings.ceiling);
    }
    if let (Weight::Documents, Some(DecisionValue::Text(name))) =
        (settings.weight, past.settings.get("weight"))
    {
        let named = Weight::ALL.into_iter().find(|w| w.name() == name);
        settings.weight = named.unwrap_or(settings.weight);
    }
}

/// A number that can be measured against; a file may hold any.
fn number(past: &Decision, name: &str) -> Option<f64> {
    match past.settings.get(name) {
        Some(DecisionValue::Number(number)) if number.is_finite() && *number > 0.0 => Some(*number),
        _ => None,
    }
}

/// What was tried now, as it would be written.
pub(super) fn decided(
    c: &TrialArguments,
    made: &TrialOutput,
    past: Option<&Decision>,
) -> Result<Option<Decision>, Error> {
    let Some(data) = made.data.clone() else {
        return Ok(None);
    };
    let choose = c.deciding.choose.as_deref();
    let chosen = match choose {
        Some(text) => Some(parsed("--choose", text)?),
        None => past.and_then(|p| p.chosen.as_deref()).and_then(|text| Candidate::parse(text).ok()),
    };
    let is_tried =
        |key: &Candidate| made.report.candidates.iter().any(|c| c.trial.candidate == *key);
    if choose.is_some() && !chosen.as_ref().is_some_and(is_tried) {
        return Err(usage("--choose names a key that is not tried", "add it with --key, too"));
    }
    let data = Data { sources: made.sources.iter().map(|s| s.path.clone()).collect(), ..data };
    let chosen = chosen.filter(is_tried);
    let mut now = Decision::of(&made.report, data, chosen.as_ref(), clock::now());
    let name = |path: &PathBuf| path.to_string_lossy().into_owned();
    let inputs = DecisionInputs {
        time: c.against.time.clone(),
        queries: c.against.queries.as_ref().map(name),
        logs: c.against.logs.iter().map(name).collect(),
        container: c.container.clone(),
    };
    now.keep_inputs(inputs.masked(c.masking.mask));
    Ok(Some(now))
}

/// What differs from what was written, in notes.
pub(super) fn compared(past: &Decision, now: &Decision, c: &TrialArguments) -> Vec<Note> {
    let title = changes::title(past);
    let differences = if c.masking.mask {
        diff(&past.clone().without_names(), &now.clone().without_names())
    } else {
        diff(past, now)
    };
    if differences.is_empty() {
        return vec![Note::new(format!("nothing differs from {title}"))];
    }
    let sentences = changes::sentences(&differences);
    let note = |sentence: &String| Note::new(format!("since {title}: {sentence}"));
    sentences.iter().map(note).collect()
}
