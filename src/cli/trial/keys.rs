//! The keys to try, from texts, logs or a scenario.

use super::TrialArguments;
use crate::analysis::candidate::Candidate;
use crate::analysis::trial::Today;
use crate::error::{Error, usage};
use crate::model::path::Path;
use crate::model::visible::{display_width, visible};
use crate::report::trial::KeyRole;

/// The keys to try, the current one first.
pub(in crate::cli) fn keys(
    c: &TrialArguments,
    today: Option<&Today>,
) -> Result<Vec<(Candidate, KeyRole)>, Error> {
    let mut keys = Vec::new();
    let reported = today.and_then(|today| today.key.clone());
    match &c.current {
        Some(text) => keys.push((parsed("--current", text)?, KeyRole::Current)),
        None => keys.extend(reported.map(|key| (key, KeyRole::Current))),
    }
    for text in &c.key {
        keys.push((parsed("--key", text)?, KeyRole::Candidate));
    }
    if keys.is_empty() && !c.search.is_asked() {
        return Err(usage(
            "there is no key to try",
            "add --key /tenantId, or any other key, or --suggest",
        ));
    }
    Ok(keys)
}

/// Reads a key, or points at the character where it stops being one.
pub(in crate::cli) fn parsed(option: &str, text: &str) -> Result<Candidate, Error> {
    Candidate::parse(text).map_err(|expected| {
        let before: String = text.chars().take(expected.column).collect();
        let column = display_width(&visible(&before));
        usage(
            format!(
                "{option} is not a key at character {}: expected {}\n  {}\n  {}^",
                expected.column + 1,
                visible(&expected.what),
                visible(text),
                " ".repeat(column)
            ),
            "a key is such as /tenantId, /vin + \"-\" + month(/time) or /tenantId > /userId",
        )
    })
}

pub(super) fn time_path(text: &str) -> Result<Path, Error> {
    Path::parse(text).map_err(|fault| {
        usage(
            format!("--time is not a path: expected {}", fault.what),
            "give a path such as /_ts or /device/time",
        )
    })
}
