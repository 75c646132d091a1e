//! The texts of the path browser, made when the documents, or what is masked, change.

use crate::analysis::findings::Severity;
use crate::analysis::paths::{Common, Example, Fitness, PathRow, Times};
use crate::model::documents::{Sureness, TimeForm};
use crate::model::key::{Key, Part};
use crate::model::units::{count_text, counted, figure_text, percent_text, real};
use crate::model::visible::visible;
use crate::report::key_text::key_text;
use crate::ui::kit::masking::Mask;

/// Shares of types that would read as nothing are left out of the list.
const LEAST_SHARE: f64 = 0.0005;

/// A common value as a bar.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Value {
    pub text: String,
    pub share: f64,
    pub words: String,
}

/// One path; all of it is visible text.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct PathText {
    pub path: String,
    pub fitness: Fitness,
    pub kinds: String,
    pub distinct: String,
    pub missing: String,
    pub is_missing: bool,
    pub commonest: String,
    pub example: String,
    /// Sentences on the chosen path, each with its weight.
    pub about: Vec<(Option<Severity>, String)>,
    pub values: Vec<Value>,
}

/// Everything that the browser shows.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct PathTable {
    pub(super) rows: Vec<PathText>,
    pub(super) documents: String,
}

pub fn path_table(rows: &[PathRow], mask: &Mask) -> PathTable {
    let of = rows.iter().map(|row| row.documents).max().unwrap_or(0);
    // Some properties are known of whole documents only.
    let few = rows.iter().map(|row| row.documents).min().unwrap_or(0);
    let whole = if few < of { format!(", {} whole", count_text(few)) } else { String::new() };
    let is_sample = rows.iter().any(|row| row.distinct.range.is_some());
    let before = if is_sample { "sample of " } else { "" };
    PathTable {
        rows: rows.iter().map(|row| shown(row, mask)).collect(),
        documents: format!("{before}{}{whole}", counted(of, "document", "documents")),
    }
}

fn shown(row: &PathRow, mask: &Mask) -> PathText {
    let top = row.top.first();
    // Next to the top share stands the value that has it.
    let example = top.and_then(|top| top.value.as_ref()).or(row.example.as_ref());
    PathText {
        path: visible(&row.path.to_string()).into_owned(),
        fitness: row.fitness,
        kinds: kinds(row),
        distinct: distinct(row),
        missing: percent_text(row.missing_share()),
        is_missing: row.kinds.missing > 0,
        commonest: top.map_or_else(|| "–".to_owned(), |top| percent_text(top.share.share)),
        example: example.map_or_else(|| "–".to_owned(), |value| text_of(value, mask)),
        about: about(row, mask),
        values: values(row, mask),
    }
}

/// `time, text 98.0 % · null 2.0 %`; of one kind alone its name.
fn kinds(row: &PathRow) -> String {
    let mix = row.kinds.mix();
    let all: u64 = mix.iter().map(|(_, documents)| documents).sum();
    let part = |documents: u64| real(documents) / real(all.max(1));
    let words: Vec<String> = match mix.as_slice() {
        [(kind, _)] => vec![(*kind).to_owned()],
        _ => mix
            .iter()
            .filter(|(_, documents)| part(*documents) >= LEAST_SHARE)
            .map(|(kind, documents)| format!("{kind} {}", percent_text(part(*documents))))
            .collect(),
    };
    let time = match &row.times {
        Some(times) if times.sureness > Sureness::Possible => "time, ",
        _ => "",
    };
    format!("{time}{}", words.join(" · "))
}

/// `210`, `at least 5,000`, `3,187 to 3,520,000`.
fn distinct(row: &PathRow) -> String {
    let seen = count_text(row.distinct.seen);
    match row.distinct.range {
        Some([_, high]) if row.distinct.once > 0 => format!("{seen} to {}", figure_text(high)),
        _ if row.is_hashed => format!("at least {seen}"),
        _ => seen,
    }
}

fn text_of(example: &Example, mask: &Mask) -> String {
    match example {
        Example::Value(key) => key_text(Some(&mask.key(&key.json()))),
        Example::Beginning(text) => {
            let key = Key::from(vec![Part::Text(text.clone())]);
            format!("{}…", key_text(Some(&mask.key(&key.json()))))
        }
        Example::List => "a list".to_owned(),
        Example::Object => "an object".to_owned(),
        Example::TooLarge => "a number too large for a double".to_owned(),
    }
}

/// The commonest values; of those that are there once any would do.
fn values(row: &PathRow, mask: &Mask) -> Vec<Value> {
    let often = (1..).zip(&row.top).filter(|(_, common)| common.documents > 1);
    often.map(|(number, common)| value(number, common, mask)).collect()
}

fn value(number: usize, common: &Common, mask: &Mask) -> Value {
    let text = common.value.as_ref();
    Value {
        text: text.map_or_else(
            || format!("(value {number}, text not kept)"),
            |value| text_of(value, mask),
        ),
        share: common.share.share,
        words: format!("{}  {}", percent_text(common.share.share), count_text(common.documents)),
    }
}

fn about(row: &PathRow, mask: &Mask) -> Vec<(Option<Severity>, String)> {
    let mut lines: Vec<(Option<Severity>, String)> = Vec::new();
    let mut say = |severity, text: String| lines.push((severity, text));
    if row.findings.is_empty() {
        say(None, "nothing speaks against it as a key by its form".to_owned());
    }
    for finding in &row.findings {
        say(Some(finding.severity), visible(&finding.sentence).into_owned());
    }
    let found = &row.distinct;
    let values = counted(found.seen, "value", "different values");
    say(
        None,
        match (found.range, found.coverage, row.is_hashed) {
            (Some([_, high]), Some(coverage), _) => format!(
                "{values} in the sample, up to {} in all documents; the sample saw {} of the documents' values",
                figure_text(high),
                percent_text(coverage)
            ),
            (_, _, true) => format!("at least {values}: only their hashes are compared"),
            _ => format!("{values}, {} in one document alone", count_text(found.once)),
        },
    );
    if let Some(times) = &row.times {
        say(None, time_text(times));
    }
    if let Some([low, high]) = row.number_range {
        let words = if mask.is_on() {
            "numbers; their range is masked".to_owned()
        } else {
            format!("numbers from {low} to {high}")
        };
        say(None, words);
    }
    if row.longest_bytes > 0 {
        let bytes = counted(row.longest_bytes.into(), "byte", "bytes");
        say(None, format!("the longest value takes {bytes} of the 2,048 that a key may have"));
    }
    lines
}

fn time_text(times: &Times) -> String {
    let form = match times.form {
        TimeForm::Text => "texts",
        TimeForm::Seconds => "seconds since 1970",
        TimeForm::Millis => "milliseconds since 1970",
        TimeForm::Micros => "microseconds since 1970",
        TimeForm::Ticks => "ticks of 100 ns since the year 1",
        TimeForm::Nanos => "nanoseconds since 1970",
    };
    let sure = match times.sureness {
        Sureness::Possible => "some values read as times",
        Sureness::Likely => "most likely times",
        Sureness::Certain => "times",
    };
    let range = times.range.map_or_else(String::new, |[first, last]| {
        format!(", from {} to {}", first.rfc3339(), last.rfc3339())
    });
    format!("{sure}, written as {form}{range}")
}
