//! What leaves the trial view: the chosen key with its verdict, the command that tries it again, and exports.

use std::path::{Path, PathBuf};

use crate::model::query_text::shell_word;
use crate::ui::kit::action::Action;
use crate::ui::kit::cx::Cx;
use crate::ui::kit::masking::Mask;
use crate::ui::kit::msg::{Clipboard, Effect};
use crate::ui::view::trial::TrialState;
use crate::work::data::Origin;
use crate::work::trial::DocumentsOf;

pub fn act(state: &mut TrialState, cx: &Cx, action: Action) -> Vec<Effect> {
    let lines = match action {
        Action::CopyQuery => command(state, cx).map(|command| vec![command]),
        _ => verdict_lines(state),
    };
    if let Some(lines) = lines {
        return vec![Effect::Copy(Clipboard::Lines(lines))];
    }
    Effect::fail("no key has been tried yet", None)
}

/// The key, how it stands, and why.
fn verdict_lines(state: &TrialState) -> Option<Vec<String>> {
    let result = state.result(state.chosen)?;
    let mut lines = vec![format!("{}: {}", result.trial.candidate, result.verdict.word())];
    let reasons = result.verdict.reasons.iter();
    lines.extend(reasons.map(|r| format!("{}: {}", r.severity.word(), r.sentence)));
    Some(lines)
}

/// Files and folders that show the container as it is; none where its documents come with that.
pub fn logs(state: &TrialState, cx: &Cx) -> Vec<PathBuf> {
    let from = state.sample.as_ref().map(|sample| &sample.from);
    let is_apart = matches!(from, None | Some(DocumentsOf::Paths(_)));
    let is_shown = is_apart && state.dials.today().is_some();
    match cx.data.as_ref().map(|data| &data.origin).filter(|_| is_shown) {
        Some(Origin::Paths(paths)) => paths.clone(),
        Some(Origin::Recording(path)) => vec![path.clone()],
        _ => Vec::new(),
    }
}

/// The command that tries the keys again.
fn command(state: &TrialState, cx: &Cx) -> Option<String> {
    let sample = state.sample.as_ref();
    let settings = state.settings.as_ref()?;
    let mut words = vec!["cosmoscope trial".to_owned()];
    let shown = |path: &PathBuf| match &cx.mask {
        Mask::Off => path_word(path),
        Mask::On(_) => "FILE".into(),
    };
    match sample.map(|s| &s.from) {
        Some(DocumentsOf::Scenario { name, container }) => {
            words.push(format!("--scenario {name} --container {}", shell_word(container)));
        }
        Some(DocumentsOf::Paths(paths)) => words.extend(paths.iter().map(shown)),
        Some(DocumentsOf::Recorded { path, .. }) => words.push(shown(path)),
        // The documents of an account are in no file.
        Some(DocumentsOf::Live { .. }) => words.push("FILE".to_owned()),
        None => {}
    }
    let logs = logs(state, cx);
    words.extend(logs.iter().map(|path| format!("--logs {}", shown(path))));
    let named = state.dials.today().filter(|_| !logs.is_empty() && matches!(cx.mask, Mask::Off));
    let named = named.and_then(|today| today.name.option_text());
    words.extend(named.map(|name| format!("--container {}", shell_word(&name))));
    for entry in &state.entries {
        let option = match entry.stands {
            crate::report::trial::KeyRole::Current => "--current",
            crate::report::trial::KeyRole::Candidate => "--key",
        };
        let key = entry.candidate.to_string();
        words.push(format!("{option} {}", shell_word(&key)));
    }
    words.push(format!("--partitions {}", settings.partitions));
    if let Some(ru) = settings.ru_per_second {
        words.push(format!("--ru {ru}"));
    }
    if let Some(load) = settings.load_ru_per_second {
        words.push(format!("--load {load}"));
    }
    if let Some(path) = sample.and_then(|s| s.queries.as_ref()) {
        words.push(format!("--queries {}", shown(path)));
    }
    if let Some(time) = sample.and_then(|s| s.time.as_ref()) {
        words.push(format!("--time {}", shell_word(&time.to_string())));
    }
    Some(words.join(" "))
}

/// A name that begins with a hyphen would be read as an option.
fn path_word(path: &Path) -> String {
    let path = path.to_string_lossy();
    let here = if path.starts_with('-') { "./" } else { "" };
    shell_word(&format!("{here}{path}"))
}
