//! What the screens show as linear text: one fact a line, no frames, bars or signs, for screen readers.

use std::io::{self, Write};

use super::output;
use super::{Cli, Output};
use crate::analysis::diagnosis::Verdict;
use crate::analysis::diagnosis::card::RemedyLine;
use crate::analysis::evidence::InputEvidence;
use crate::analysis::heat::ContainerHeat;
use crate::analysis::overview::OverviewRow;
use crate::analysis::provisioning::RuOwner;
use crate::analysis::rows::KeyRow;
use crate::error::{Error, exit};
use crate::model::units::{count_text, counted, figure_text, kib_text, percent_text};
use crate::model::visible::visible;
use crate::report::key_text::key_text;
use crate::report::limit_date_text;
use crate::source::watch::Watch;
use crate::tui::{Start, Surroundings};
use crate::ui::kit::masking::Mask;
use crate::work::data::Dataset;

/// Keys of a container, the largest first; a report lists all of them.
const MOST_KEYS: usize = 20;

/// Signs in the texts of verdicts, and how they are said.
const SPOKEN: [(&str, &str); 9] = [
    ("  ", ", "),
    (" · ", ", "),
    (" → ", " to "),
    (": ≥ 2", " not before 2"),
    ("≤ ", "at most "),
    ("≥ ", "at least "),
    ("± unknown", "with an unknown error"),
    ("±", "plus or minus "),
    ("≈ ", "about "),
];

/// Whether linear text was asked for.
pub fn is_wanted(cli: &Cli, surroundings: &Surroundings) -> bool {
    cli.plain || surroundings.accessible.as_deref() == Some("1")
}

/// Reads what would be opened and prints it.
pub fn print(start: Start) -> Result<u8, Error> {
    let settings = start.settings;
    let Some(origin) = settings.origin else {
        output::write(&Output::default(), &mut |to| {
            writeln!(to, "cosmoscope open PATH --plain reads exports.")?;
            for s in &settings.scenarios {
                writeln!(to, "cosmoscope demo {} --plain: {}.", s.name, s.title)?;
            }
            Ok(())
        })?;
        return Ok(exit::DONE);
    };
    let data = start.work.loader.load(origin, &Watch::default())?;
    let mut mask = settings.salt.as_ref().map_or(Mask::Off, Mask::on);
    if let Mask::On(masker) = &mut mask {
        masker.learn(&data.report);
    }
    output::write(&Output::default(), &mut |to| write(&data, &mask, to))?;
    Ok(exit::DONE)
}

fn spoken(text: &str) -> String {
    SPOKEN.iter().fold(text.to_owned(), |text, (sign, words)| {
        text.replace(sign, words)
    })
}

fn write(data: &Dataset, mask: &Mask, to: &mut dyn Write) -> io::Result<()> {
    let totals = &data.overview.totals;
    let containers = counted(totals.containers, "container", "containers");
    writeln!(to, "{containers}, the most urgent first.")?;
    for row in &data.overview.rows {
        writeln!(to)?;
        container(data, mask, row, to)?;
    }
    Ok(())
}

/// The facts of the header, then the verdicts, then the keys.
fn container(data: &Dataset, mask: &Mask, row: &OverviewRow, to: &mut dyn Write) -> io::Result<()> {
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
    let about = row.name.identity();
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
        writeln!(
            to,
            "Missing: {}. To get it: {}.",
            what.words(),
            what.remedy()
        )?;
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
        remedy(&line, to)?;
    }
    for fact in &found.evidence {
        let what = fact.what.text(shown);
        let fact = format!("{what}: {}, from {}", fact.value, fact.from);
        writeln!(to, "Evidence: {}.", spoken(&fact))?;
    }
    Ok(())
}

fn remedy(line: &RemedyLine, to: &mut dyn Write) -> io::Result<()> {
    let mut words = vec![line.remedy.clone()];
    if !line.throttled.is_empty() {
        words.push(format!("{} throttled", line.throttled));
        words.push(format!("{} RU/s", line.ru));
    }
    if !line.takes.is_empty() {
        words.push(format!("takes {}", line.takes));
    }
    if !line.is_now {
        words.push(line.verdict.to_owned());
    }
    let what = if line.is_now { "Today" } else { "Remedy" };
    writeln!(to, "{what}: {}.", spoken(&words.join(", ")))
}

fn key(row: &KeyRow, mask: &Mask, data: &Dataset, to: &mut dyn Write) -> io::Result<()> {
    let json = row.key.as_deref().map(|json| mask.key(json));
    let reaches = limit_date_text(&row.limit_date, data.report.as_of);
    let line = format!(
        "{}: {}, {} of the limit, reaches it: {reaches}",
        key_text(json.as_deref()),
        kib_text(row.size_kib),
        percent_text(row.share)
    );
    writeln!(to, "Key {}.", spoken(&line))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::app::testing::dataset;
    use crate::work::data::Stage;

    #[test]
    fn the_night_is_told_in_lines_of_one_fact_without_signs() {
        let data = dataset("night", Stage::Whole);
        let mut out = Vec::new();
        let written = write(&data, &Mask::Off, &mut out);
        assert!(written.is_ok());
        let text = String::from_utf8_lossy(&out);
        for expected in [
            "alarm: HOT KEY: contoso, 93 % of partition 0",
            "Remedy: 10 suffixes, 0 % throttled",
            "Key contoso: 15.1 GiB, 76 % of the limit, reaches it: 2026-09-19",
        ] {
            assert!(text.contains(expected), "{expected}\n{text}");
        }
        let is_sign = |c: char| "█░│┌─▶●·→±≤≥".contains(c);
        assert!(!text.contains(is_sign), "{text}");
    }
}
