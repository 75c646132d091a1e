//! What was read: every input with its shape, its numbers, and what was left out and why.

use std::fmt::Write as _;
use std::path::PathBuf;

use super::{TextPageState, settings};
use crate::analysis::heat::keys::KeyCell;
use crate::analysis::heat::{ContainerHeat, RangeName};
use crate::analysis::mask::NameKind;
use crate::model::capture::{Grade, SourceInfo};
use crate::model::units::{amount_text, count_text, counted};
use crate::model::visible::shorten;
use crate::report::visible_once;
use crate::source::input::shown;
use crate::ui::kit::cx::Cx;
use crate::ui::kit::masking::Mask;
use crate::ui::view::overview;
use crate::work::data::Dataset;
use crate::work::trial::{DocumentsOf, TrialSample};

/// A bad value may be a megabyte long; its beginning and its end tell enough.
const DETAIL_COLUMNS: usize = 300;
/// Inputs told one by one; a folder may hold a hundred thousand.
const MOST_SOURCES: usize = 2000;

/// What was read, and what was left out and why.
pub fn sources(cx: &Cx, documents: Option<&TrialSample>) -> TextPageState {
    let documents = documents.map(|sample| documents_read(sample, &cx.mask));
    let Some(data) = &cx.data else {
        let nothing = || vec!["Nothing is open yet.".to_owned()];
        return TextPageState::new("sources", documents.unwrap_or_else(nothing));
    };
    let mut lines = vec![total(&data.capture.sources)];
    lines.extend(without_partition(data));
    lines.push(String::new());
    lines.extend(documents.into_iter().flatten());
    for source in data.capture.sources.iter().take(MOST_SOURCES) {
        one(source, &cx.mask, &mut lines);
        lines.push(String::new());
    }
    let more = data.capture.sources.len().saturating_sub(MOST_SOURCES);
    if more > 0 {
        lines.push(format!("… {} more inputs, not listed", count_text(more as u64)));
        lines.push(String::new());
    }
    lines.extend(settings::lines(data, &cx.mask));
    let missing = overview::missing(data);
    if !missing.is_empty() {
        lines.push("What is missing".to_owned());
        lines.extend(missing.iter().map(|sentence| format!("  {sentence}")));
        lines.push(String::new());
    }
    let whole = data.report.notes.iter().filter(|n| n.source.is_none());
    let notes: Vec<String> = whole.map(|n| masked_text(&cx.mask, &n.text)).collect();
    if !notes.is_empty() {
        lines.push("About all of it".to_owned());
        lines.extend(notes.iter().map(|note| format!("  {note}")));
    }
    TextPageState::new("sources", lines)
}

/// Where documents to try keys on come from, how many there are, and what was left out.
fn documents_read(sample: &TrialSample, mask: &Mask) -> Vec<String> {
    let file = |path: &PathBuf| match mask {
        Mask::Off => shown(path),
        Mask::On(masker) => masker.name(NameKind::File, &shown(path)),
    };
    let from = match &sample.from {
        DocumentsOf::Paths(paths) => paths.iter().map(file).collect::<Vec<_>>().join(", "),
        DocumentsOf::Scenario { .. } => "drawn from the scenario".to_owned(),
        DocumentsOf::Live { .. } | DocumentsOf::Recorded { .. } => {
            "sampled from the account".to_owned()
        }
    };
    let count = sample.prepared.documents().len() as u64;
    let mut lines = vec![
        "Documents to try keys on".to_owned(),
        format!("  {from}"),
        format!("  {}", counted(count, "document", "documents")),
    ];
    let time = sample.time.as_ref().map(ToString::to_string);
    lines.extend(time.map(|path| format!("  dated by {}", visible_once(&path))));
    let notes = sample.notes.iter().map(|note| masked_text(mask, &note.text));
    lines.extend(notes.map(|note| format!("  {note}")));
    lines.push(String::new());
    lines
}

/// RU of records whose partition the log writes as `undefined`, or not at all.
fn without_partition(data: &Dataset) -> Option<String> {
    let containers = data.heat.containers.iter();
    let cells = containers.flat_map(|heat| heat.keys.cells().iter().map(move |cell| (heat, cell)));
    let named = |(heat, cell): &(&ContainerHeat, &KeyCell)| {
        let partition = heat.partitions.get(cell.partition as usize);
        partition.is_none_or(|p| !matches!(p.named, RangeName::Undefined | RangeName::NotReported))
    };
    let ru: f64 = cells.filter(|of| !named(of)).map(|(_, cell)| cell.ru).sum();
    (ru > 0.0).then(|| {
        format!(
            "{} RU are logged with the partition `undefined` or none: they count for their key, and on no partition",
            amount_text(ru)
        )
    })
}

fn masked_text(mask: &Mask, text: &str) -> String {
    visible_once(&mask.text(text)).into_owned()
}

fn total(sources: &[SourceInfo]) -> String {
    let sum = |of: fn(&SourceInfo) -> u64| {
        let counts = sources.iter().map(of);
        counts.fold(0_u64, u64::saturating_add)
    };
    let mut text = format!(
        "{}, {}",
        counted(sources.len() as u64, "input", "inputs"),
        counted(sum(|s| s.rows), "record taken", "records taken")
    );
    let skipped = sum(|s| s.skipped);
    if skipped > 0 {
        let _ = write!(text, ", {} left out", count_text(skipped));
    }
    let refused = sources.iter().filter(|s| s.refused.is_some()).count();
    if refused > 0 {
        let refused = counted(refused as u64, "input", "inputs");
        let _ = write!(text, ", {refused} refused");
    }
    text
}

fn one(source: &SourceInfo, mask: &Mask, lines: &mut Vec<String>) {
    let mut say = |text: String| lines.push(text);
    say(match mask {
        Mask::Off => visible_once(&source.path).into_owned(),
        Mask::On(masker) => masker.name(NameKind::File, &source.path),
    });
    if let Some(why) = &source.refused {
        say(format!("  refused: {}", masked_text(mask, why)));
    }
    if !source.shape.is_empty() {
        say(format!("  shape: {}", visible_once(&source.shape)));
    }
    let mut counts = vec![counted(source.rows, "record taken", "records taken")];
    for (n, words) in [
        (source.repeated, "repeated, counted once"),
        (source.skipped, "left out"),
        (source.other_kinds, "of other log kinds, not used"),
    ] {
        if n > 0 {
            counts.push(format!("{} {words}", count_text(n)));
        }
    }
    say(format!("  {}", counts.join(" · ")));
    if let Some(grade) = source.grade {
        say(format!("  {}", grade_sentence(grade)));
    }
    if source.incomplete {
        say("  incomplete: it was cut short, larger keys may be missing".to_owned());
    }
    for note in &source.notes {
        say(format!("  {}", masked_text(mask, note)));
    }
    for error in &source.row_errors {
        // A value that could not be read may be anything, a key's text as well: no pseudonym is known for it.
        let detail = match mask {
            Mask::Off => visible_once(&error.detail).into_owned(),
            Mask::On(_) => String::new(),
        };
        let between = if detail.is_empty() { "" } else { ": " };
        let (line, fault) = (count_text(error.line), error.fault.words());
        let detail = shorten(&detail, DETAIL_COLUMNS);
        say(format!("  line {line}: {fault}{between}{detail}"));
    }
    let unlisted = source.skipped.saturating_sub(source.row_errors.len() as u64);
    if unlisted > 0 && !source.row_errors.is_empty() {
        say(format!("  … {} more left out, not listed", count_text(unlisted)));
    }
}

fn grade_sentence(grade: Grade) -> &'static str {
    match grade {
        Grade::Measured => "measured: read from the service itself",
        Grade::Logged => {
            "logged: sizes are estimates of the service, in steps of 1 % of the physical partition"
        }
        Grade::Sampled => "sampled: figures carry an interval",
        Grade::Computed => "computed: made by this program",
    }
}
