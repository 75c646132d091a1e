//! What the screens show as linear text: one fact a line, no frames, bars or signs, for screen readers.

use std::io::{self, Write};

use super::output;
use super::{Cli, Output};
use crate::analysis::diagnosis::Verdict;
use crate::analysis::diagnosis::card::RemedyLine;
use crate::analysis::diagnosis::next_steps::next_steps;
use crate::analysis::diagnosis::steps::command;
use crate::analysis::evidence::InputEvidence;
use crate::analysis::heat::ContainerHeat;
use crate::analysis::overview::OverviewRow;
use crate::analysis::provisioning::RuOwner;
use crate::analysis::rows::KeyRow;
use crate::error::Error;
use crate::model::units::{count_text, counted, figure_text, kib_text, percent_text};
use crate::model::visible::visible;
use crate::report::heat::{ContainerHeatRows, HeatReport};
use crate::report::heat::{HeatSelection, KeyOf};
use crate::report::key_text::key_text;
use crate::report::limit_date_words;
use crate::report::trial::{KeyRole, ROWS, TrialReport, filled, summary};
use crate::source::watch::Watch;
use crate::tui::{Screen, Start, Surroundings};
use crate::ui::app::{App, Status};
use crate::ui::kit::action::Action;
use crate::ui::kit::cx::Cx;
use crate::ui::kit::input::Size;
use crate::ui::kit::masking::Mask;
use crate::ui::view::what_now::with_naming;
use crate::ui::view::{View, overview};
use crate::work::data::{Dataset, Exported, Origin};
use crate::work::fault::WorkFault;

/// Keys of a container, the largest first; a report lists all of them.
const MOST_KEYS: usize = 20;
/// The window of the screens that are asked: it decides nothing that is printed.
const WINDOW: Size = Size { width: 200, height: 60 };

/// Signs in the texts of verdicts, and how they are said.
const SPOKEN: [(&str, &str); 14] = [
    ("> 20 years", "more than 20 years"),
    ("  ", ", "),
    (" · ", ", "),
    (" → ", " to "),
    ("since ≤", "since no later than "),
    ("≤ ", "at most "),
    ("≥ ", "at least "),
    ("± unknown", "with an unknown error"),
    ("±", "plus or minus "),
    ("≈ ", "about "),
    (" ÷ ", " divided by "),
    (" × ", " times "),
    ("×", "factor "),
    ("Σ ", "the sum of "),
];

/// Whether linear text is wanted.
pub fn is_wanted(cli: &Cli, surroundings: &Surroundings) -> bool {
    cli.plain || surroundings.accessible.as_deref() == Some("1")
}

/// Does what the screens would do, and prints what they would show.
pub fn print(start: Start) -> Result<u8, Error> {
    let settings = &start.settings;
    if settings.origin.is_none() && settings.documents.is_empty() {
        return output::write(&Output::default(), &mut |to| {
            writeln!(to, "cosmoscope open PATH --plain reads exports.")?;
            for s in &settings.scenarios {
                writeln!(to, "cosmoscope demo {} --plain: {}.", s.name, s.title)?;
            }
            Ok(())
        });
    }
    let again = settings.origin.clone();
    let again = again.map(|origin| (start.work.loader.clone(), origin));
    let mut screen = Screen::open(start, WINDOW);
    if let (Some((loader, origin)), None) = (again, &screen.app.cx.data) {
        // The screens keep a sentence of it; the error has its exit code.
        loader.load(origin, &Watch::default())?;
    }
    if let (None, Status::Failed(why)) = (&screen.app.cx.data, &screen.app.status) {
        let WorkFault { what, next, .. } = why.clone();
        return Err(Error::Input { what, next });
    }
    let mut text = Vec::new();
    write(&mut screen, &mut text).map_err(|source| Error::Output { source })?;
    output::print(text)
}

fn spoken(text: &str) -> String {
    SPOKEN.iter().fold(text.to_owned(), |text, (sign, words)| text.replace(sign, words))
}

fn write(screen: &mut Screen, to: &mut dyn Write) -> io::Result<()> {
    let Some(data) = screen.app.cx.data.clone() else {
        return trial(&screen.app, to);
    };
    let totals = &data.overview.totals;
    let containers = counted(totals.containers, "container", "containers");
    writeln!(to, "{containers}, the most urgent first.")?;
    if let Some(note) = data.report.notes.iter().find(|note| note.is_about_dates()) {
        writeln!(to, "note: {}.", note.text)?;
    }
    let heat = heat_rows(&data);
    let draws_documents = matches!(data.origin, Origin::Scenario(_));
    screen.perform(Action::ShowOverview);
    for place in 0..data.overview.rows.len() {
        if place > 0 {
            screen.perform(Action::ShowOverview);
            screen.perform(Action::NextRow);
        }
        let number = overview::chosen_container(&screen.app.views.overview);
        let mut rows = data.overview.rows.iter();
        let Some(row) = rows.find(|row| Some(row.number) == number) else {
            continue;
        };
        writeln!(to)?;
        container(&screen.app.cx, &data, &heat, row, to)?;
        // Files say nothing of a container: they are tried once, for the most urgent one.
        let has_files = place == 0 && screen.app.views.trial.has_documents();
        if draws_documents || has_files {
            screen.perform(Action::ShowTrial);
            trial(&screen.app, to)?;
        }
    }
    Ok(())
}

/// The partitions of all containers, the hottest first.
fn heat_rows(data: &Dataset) -> Vec<ContainerHeatRows> {
    let wanted = HeatSelection::without_maps();
    HeatReport::of(data.heat_inputs(), &wanted, Vec::new()).containers
}

/// The facts of the header, then the verdicts, what to do now, the partitions and the keys.
fn container(
    cx: &Cx,
    data: &Dataset,
    heat_rows: &[ContainerHeatRows],
    row: &OverviewRow,
    to: &mut dyn Write,
) -> io::Result<()> {
    let mask = &cx.mask;
    let name = mask.container(&row.name);
    writeln!(to, "Container {}.", visible(&name.title()))?;
    let Some(held) = data.capture.container(row.number) else {
        return Ok(());
    };
    if let Some(definition) = &held.definition {
        writeln!(to, "Key: {}.", visible(&definition.paths.join(", ")))?;
    }
    let heat = data.heat.container(row.number);
    if let Some(count) = heat.and_then(ContainerHeat::physical_partitions) {
        writeln!(to, "Physical partitions: {count}.")?;
    }
    let whose = RuOwner::of(held, data.capture.account_of(&held.name));
    if let Some(ru) = whose.short(figure_text) {
        writeln!(to, "Provisioned: {ru}.")?;
    }
    if let Some(evidence) = data.evidence.get(row.number as usize) {
        inputs(evidence, to)?;
    }
    let diagnosis = data.diagnoses.container(row.number);
    for found in diagnosis.iter().flat_map(|found| &found.verdicts) {
        verdict(found, mask, to)?;
    }
    steps(cx, data, row.number, to)?;
    let about = row.name.identity();
    let hot = heat_rows.iter().find(|rows| rows.name.identity() == about);
    hot.map_or(Ok(()), |hot| partitions(hot, mask, to))?;
    let mut reported = data.report.containers.iter();
    let reported = reported.find(|rows| rows.name.identity() == about);
    let keys = reported.map_or(&[][..], |rows| &rows.keys);
    for row in keys.iter().take(MOST_KEYS) {
        key(row, mask, data, to)?;
    }
    let total = reported.map_or(0, |rows| rows.keys_total);
    let more = total.saturating_sub(keys.len().min(MOST_KEYS) as u64);
    if more > 0 {
        writeln!(to, "{} more keys, smaller.", count_text(more))?;
    }
    Ok(())
}

fn inputs(evidence: &InputEvidence, to: &mut dyn Write) -> io::Result<()> {
    if let Some(newest) = evidence.newest {
        writeln!(to, "Data to {} UTC.", newest.minute_text())?;
    }
    for what in &evidence.missing {
        writeln!(to, "Missing: {}. To get it: {}.", what.words(), what.remedy())?;
    }
    Ok(())
}

fn verdict(found: &Verdict, mask: &Mask, to: &mut dyn Write) -> io::Result<()> {
    let shown = |json: Option<&str>| {
        let json = json.map(|json| mask.key(json));
        key_text(json.as_deref())
    };
    let headline = spoken(&found.headline.text(shown));
    let name = found.rule.name();
    writeln!(to, "{}: {name}: {headline}.", found.severity.word())?;
    let detail = spoken(&found.detail.text(shown));
    if !detail.is_empty() {
        writeln!(to, "Details: {detail}.")?;
    }
    for line in found.remedy_lines() {
        remedy(&line, mask, to)?;
    }
    for fact in &found.evidence {
        let what = fact.what.text(shown);
        let fact = format!("{what}: {}, from {}", fact.value, fact.from);
        writeln!(to, "Evidence: {}.", spoken(&fact))?;
    }
    Ok(())
}

/// The list of what now: each step, then what it runs or says.
fn steps(cx: &Cx, data: &Dataset, number: u32, to: &mut dyn Write) -> io::Result<()> {
    let found = data.diagnoses.container(number);
    let found = found.zip(data.capture.container(number));
    let found = found.and_then(|(found, held)| {
        let (heat, key) = (data.heat.container(number), cx.other_key(number));
        with_naming(cx, number, |naming| next_steps(found, key, heat, held, naming, cx.now))
    });
    let steps = found.map(|found| found.steps).unwrap_or_default();
    for (place, step) in (1..).zip(&steps) {
        let [throttled, ru, takes] = &step.cells;
        let mut words = vec![step.title.clone()];
        if !throttled.is_empty() {
            words.push(format!("throttled {throttled}, {ru} RU/s, takes {takes}"));
        }
        let effect = step.effect.map(|effect| effect.word().to_owned());
        let further = [Some(step.why.clone()), effect, Some(step.about.clone())];
        words.extend(further.into_iter().flatten().filter(|text| !text.is_empty()));
        let time = step.time.heading();
        writeln!(to, "Step {place}, {time}: {}.", spoken(&words.join(", ")))?;
        for line in step.lines.iter().filter(|line| **line != step.title) {
            match command(line) {
                Some((command, about)) => {
                    writeln!(to, "Command: {command}")?;
                    if !about.is_empty() {
                        writeln!(to, "About it: {about}.")?;
                    }
                }
                None => writeln!(to, "{}", spoken(line.trim()))?,
            }
        }
    }
    Ok(())
}

fn partitions(of: &ContainerHeatRows, mask: &Mask, to: &mut dyn Write) -> io::Result<()> {
    for row in &of.partitions {
        let mut facts = of.partition_facts(row);
        if let Some((KeyOf::Named(json), share)) = &row.busiest {
            let key = key_text(Some(&mask.key(json)));
            facts.push(format!("busiest key {key}, {} of its RU", percent_text(*share)));
        }
        if !facts.is_empty() {
            let facts = spoken(&facts.join(", "));
            let name = visible(row.named.text());
            writeln!(to, "Partition {name}: {facts}.")?;
        }
    }
    let more = of.partitions_total.saturating_sub(of.partitions.len());
    if more > 0 {
        writeln!(to, "{} more partitions, less hot.", count_text(more as u64))?;
    }
    Ok(())
}

/// Today's key and the proposed ones, tried on documents: each figure in a line.
fn trial(app: &App, to: &mut dyn Write) -> io::Result<()> {
    let Ok(Exported::Trial(shown)) = app.views.trial.exported(&app.cx) else {
        let Status::Failed(why) = &app.status else {
            return Ok(());
        };
        let what = app.cx.mask.text(&why.what);
        return writeln!(to, "No key was tried on documents: {what}.");
    };
    let mut report = TrialReport::clone(&shown.report);
    if let Some(masker) = &shown.masker {
        report.mask(masker);
    }
    writeln!(to, "Trial. {}", spoken(&summary(&report)))?;
    for candidate in &report.candidates {
        let whose = match candidate.standing {
            KeyRole::Current => "Current key",
            KeyRole::Candidate => "Tried key",
        };
        let key = candidate.trial.candidate.to_string();
        let verdict = candidate.verdict.word();
        writeln!(to, "{whose} {}: {verdict}.", visible(&key))?;
        let trials = report.candidates.iter().map(|of| &of.trial);
        for (label, cell) in filled(&ROWS, trials).skip(1) {
            let cell = cell(candidate);
            if cell != "–" {
                let label = report.settings.ceiling.heading(label);
                writeln!(to, "{label}: {}.", spoken(&cell))?;
            }
        }
        for reason in &candidate.verdict.reasons {
            let sentence = spoken(&visible(&reason.sentence));
            writeln!(to, "{}: {sentence}", reason.severity.word())?;
        }
    }
    Ok(())
}

fn remedy(line: &RemedyLine, mask: &Mask, to: &mut dyn Write) -> io::Result<()> {
    let mut words = vec![line.remedy.clone()];
    if !line.throttled.is_empty() {
        words.push(format!("{} throttled", line.throttled));
        words.push(format!("{} RU/s", line.ru));
    }
    words.extend(line.repeated.iter().flatten().cloned());
    if !line.takes.is_empty() {
        words.push(format!("takes {}", line.takes));
    }
    if !line.is_now {
        words.push(line.verdict().to_owned());
    }
    if line.throttled.is_empty() {
        words.push(visible(&mask.text(&line.why)).into_owned());
    }
    let what = if line.is_now { "Today" } else { "Remedy" };
    writeln!(to, "{what}: {}.", spoken(&words.join(", ")))
}

fn key(row: &KeyRow, mask: &Mask, data: &Dataset, to: &mut dyn Write) -> io::Result<()> {
    let json = row.key.as_deref().map(|json| mask.key(json));
    let reaches = limit_date_words(&row.limit_date, data.report.as_of);
    let (key, size) = (key_text(json.as_deref()), kib_text(row.size_kib));
    let share = percent_text(row.share);
    let line = format!("{key}: {size}, {share} of the limit, reaches it: {reaches}");
    writeln!(to, "Key {}.", spoken(&line))
}

#[cfg(test)]
#[expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test writes a file and may panic"
)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::cli::{MeasureArgument, PictureFormat, ReadArguments, picture, screens};

    fn printed(origin: Option<Origin>, documents: &[&str]) -> String {
        let cli = Cli::parse_from(["cosmoscope"]);
        let (reading, measure) = (ReadArguments::default(), MeasureArgument::default());
        let everything = picture::everything(PictureFormat::Text);
        let start = screens::begin(&cli, origin, &reading, &measure, &everything);
        let mut start = start.unwrap();
        start.settings.documents = documents.iter().map(Into::into).collect();
        let mut out = Vec::new();
        write(&mut Screen::open(start, WINDOW), &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn the_night_is_told_in_lines_of_one_fact_without_signs() {
        let text = printed(Some(Origin::Scenario("night")), &[]);
        for expected in [
            "alarm: HOT KEY: contoso, 93 % of partition 0",
            "Remedy: 10 suffixes, 0 % throttled",
            "Remedy: change key, fixes, 10 suffixes: ",
            "Step 1, now (client change): limit client, throttled 11 % to 0 %, 40,000 RU/s",
            "Command: az cosmosdb sql container create",
            "incident note",
            "Partition 0: RU % of partition",
            ", 21.9 GiB, 44 % of 50 GB, busiest key contoso, 89 % of its RU",
            "Key contoso: 15.1 GiB, 76 % of the limit, reaches it: on 2026-09-19",
            "Current key /tenantId: reject.",
            "why: hot key contoso.",
            "Tried key /tenantId > /customerId: caution.",
            "RU/s to buy: 40,100.",
        ] {
            assert!(text.contains(expected), "{expected}\n{text}");
        }
        let place = |part: &str| text.find(part).unwrap();
        assert!(place("Partition 0:") < place("Partition 3:"), "{text}");
        let is_sign = |c: char| "█░│┌─▶●·→±≤≥÷×Σ".contains(c);
        assert!(!text.contains(is_sign), "{text}");
    }

    #[test]
    fn documents_are_tried_or_it_is_said_why_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("documents.jsonl");
        let lines: Vec<String> =
            (0..40).map(|n| format!("{{\"id\":\"{n}\",\"tenantId\":\"t{}\"}}", n % 9)).collect();
        std::fs::write(&path, lines.join("\n")).unwrap();
        let text = printed(None, &[path.to_str().unwrap()]);
        assert!(text.starts_with("Trial. 40 documents of"), "{text}");
        assert!(text.contains("Tried key /tenantId: "), "{text}");
        let text = printed(Some(Origin::Scenario("car")), &["absent.jsonl"]);
        let why = "No key was tried on documents: absent.jsonl: cannot be opened";
        assert!(text.contains(why), "{text}");
    }
}
