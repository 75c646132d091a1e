//! The file of a lesson: TOML into steps, and the lessons that are built in. Every field is explained in `assets/lessons`.

use std::path::Path;

use serde::Deserialize;

use super::small_file::{self, toml_fault};
use super::{input, scenario};
use crate::error::Error;
use crate::model::lesson::{Lesson, LessonQuestion, LessonStep};
use crate::model::visible::visible;

/// In the order of a course; the quiz and the errors of training material come last.
pub const LESSONS: [(&str, &str); 13] = [
    ("sharding", include_str!("../../assets/lessons/sharding.toml")),
    ("partitions", include_str!("../../assets/lessons/partitions.toml")),
    ("limits", include_str!("../../assets/lessons/limits.toml")),
    ("hot", include_str!("../../assets/lessons/hot.toml")),
    ("choosing", include_str!("../../assets/lessons/choosing.toml")),
    ("sensors", include_str!("../../assets/lessons/sensors.toml")),
    ("suffixes", include_str!("../../assets/lessons/suffixes.toml")),
    ("hierarchical", include_str!("../../assets/lessons/hierarchical.toml")),
    ("queries", include_str!("../../assets/lessons/queries.toml")),
    ("moving", include_str!("../../assets/lessons/moving.toml")),
    ("full", include_str!("../../assets/lessons/full.toml")),
    ("quiz", include_str!("../../assets/lessons/quiz.toml")),
    ("errors", include_str!("../../assets/lessons/errors.toml")),
];
/// What `lesson --new` prints.
pub const NEW: &str = include_str!("../../assets/lessons/new.toml");

const MOST_STEPS: usize = 200;
/// Nobody reads more of one step aloud.
const MOST_LETTERS: usize = 400;
const HOW_WRITTEN: &str = "cosmoscope lesson --new prints a complete file with every field";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LessonFile {
    title: String,
    about: String,
    steps: Vec<StepEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StepEntry {
    scenario: Option<String>,
    container: Option<String>,
    show: Option<Vec<String>>,
    #[serde(default)]
    then: Vec<String>,
    say: String,
    mark: Option<String>,
    #[serde(default)]
    knob: Vec<String>,
    ask: Option<String>,
    answer: Option<String>,
    #[serde(default)]
    hide: bool,
    note: Option<String>,
}

/// A built-in lesson, or a file.
pub fn named(name: &str) -> Result<Lesson, Error> {
    let refused = |name: &str, what: String| {
        Error::refused(input::shown(Path::new(name)), visible(&what), HOW_WRITTEN)
    };
    if let Some((name, text)) = LESSONS.iter().find(|(known, _)| *known == name) {
        return parse(name, text, Path::new("")).map_err(|what| refused(name, what));
    }
    if !name.contains(['.', '/', '\\']) {
        let known = LESSONS.map(|(name, _)| name);
        return Err(Error::unknown("there is no lesson", name, &known, |known| {
            format!("the lessons are {known}; a file ends with .toml")
        }));
    }
    let path = Path::new(name);
    let text = small_file::text(path, ["give the file of a lesson", HOW_WRITTEN])?;
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let folder = path.parent().unwrap_or(Path::new(""));
    parse(&stem, &text, folder).map_err(|what| refused(name, what))
}

/// Reads a lesson, whose own designs lie in `folder`; else says what is wrong with it.
pub fn parse(name: &str, text: &str, folder: &Path) -> Result<Lesson, String> {
    let file: LessonFile = toml::from_str(text).map_err(|e| toml_fault(text, &e))?;
    if file.steps.is_empty() || file.steps.len() > MOST_STEPS {
        return Err(format!("it needs between 1 and {MOST_STEPS} steps"));
    }
    let mut steps: Vec<LessonStep> = Vec::with_capacity(file.steps.len());
    for (number, entry) in (1..).zip(file.steps) {
        let made =
            step(entry, steps.last(), folder).map_err(|what| format!("step {number}: {what}"))?;
        steps.push(made);
    }
    Ok(Lesson { name: name.to_owned(), title: file.title, about: file.about, steps })
}

fn step(
    entry: StepEntry,
    before: Option<&LessonStep>,
    folder: &Path,
) -> Result<LessonStep, String> {
    let scenario = match (&entry.scenario, before) {
        (Some(name), _) => opened(name, folder)?,
        (None, Some(before)) => before.scenario,
        (None, None) => return Err("the first step needs a scenario".to_owned()),
    };
    let is_fresh = entry.scenario.is_some() || entry.container.is_some() || entry.show.is_some();
    let goes_on = before.filter(|_| !is_fresh);
    let mut commands = goes_on.map_or_else(Vec::new, |before| before.commands.clone());
    let shared = goes_on.map(|before| before.commands.len());
    commands.extend(entry.show.into_iter().flatten());
    commands.extend(entry.then);
    let container = match entry.container {
        None if entry.scenario.is_none() => before.and_then(|before| before.container.clone()),
        own => own,
    };
    let texts = [Some(&entry.say), entry.ask.as_ref(), entry.answer.as_ref()];
    let is_long = |text: &&String| text.chars().count() > MOST_LETTERS;
    if let Some(long) = texts.into_iter().flatten().find(is_long) {
        let begin: String = long.chars().take(30).collect();
        return Err(format!("\"{begin}…\" has more than {MOST_LETTERS} letters"));
    }
    let question = match (entry.ask, entry.answer) {
        (Some(ask), Some(answer)) => Some(LessonQuestion { ask, answer }),
        (None, None) => None,
        _ => return Err("ask and answer come together".to_owned()),
    };
    if entry.hide && question.is_none() {
        return Err("hide needs a question: its answer shows what is hidden".to_owned());
    }
    Ok(LessonStep {
        scenario,
        container,
        commands,
        shared,
        say: entry.say,
        mark: entry.mark,
        knob: entry.knob,
        question,
        is_hidden: entry.hide,
        note: entry.note,
    })
}

/// A built-in scenario, a template of a design, or the file of one beside the lesson.
fn opened(name: &str, folder: &Path) -> Result<&'static str, String> {
    let is_file = name.contains(['.', '/', '\\']);
    let named = if is_file {
        scenario::named(&scenario::as_path(&folder.join(name).to_string_lossy()))
    } else {
        scenario::named(name)
    };
    named.map_err(|e| e.to_string())
}
