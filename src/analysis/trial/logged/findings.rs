//! What is to be said of trials that rest on logged keys alone.

use super::super::super::findings::{Finding, KeyPlace, Severity};
use super::super::super::rules::Rule;
use super::super::super::skew::WholeOf;
use super::super::settings::Settings;
use super::transform::KeySplit;
use super::{KeyLog, TrialBasis};

pub(super) fn findings(logged: &KeyLog, made: &KeySplit<'_>, settings: &Settings) -> Vec<Finding> {
    let note = |rule, severity, sentence: String| Finding {
        at: KeyPlace::Level(0),
        ..Finding::new(rule, severity, sentence)
    };
    let keys = crate::model::units::count_text(logged.keys.len() as u64);
    let rest = match logged.basis(settings) {
        TrialBasis::Statistics { of: WholeOf::Container, .. } => {
            "other keys: smaller, not reported, taken to lie evenly"
        }
        _ => {
            "other keys: smaller, not reported, and the size of the container is not known: shares are of the reported keys"
        }
    };
    let mut found = vec![note(
        Rule::StatisticsOnly,
        Severity::Note,
        format!(
            "This rests on {keys} logged keys, without documents ({rest}). A sample of documents would add what is hot now, \
             id collisions, mixed types and missing values, and every other key."
        ),
    )];
    match made {
        KeySplit::ById => found.push(note(
            Rule::OneDocument,
            Severity::Note,
            "With the id as last level each document is a logical partition: none is larger than a document, which has 2 MB \
             at most. The first levels stay as they are, and a new container keeps each of them together until it splits."
                .to_owned(),
        )),
        KeySplit::Divided { by_property: Some(path), .. } => found.push(note(
            Rule::EvenBuckets,
            Severity::Note,
            format!("Buckets are taken to be even: {path} must have many values under each key, which documents would show."),
        )),
        KeySplit::Divided { unit: Some(_), .. } => {
            let unknown = logged.keys.iter().filter(|k| k.growth.is_none()).count() as u64;
            if unknown > 0 {
                found.push(note(
                    Rule::GrowthNotLogged,
                    Severity::Warn,
                    format!(
                        "Of {} of {keys} logged keys no growth is known: they stand here as if all they hold were of one period.",
                        crate::model::units::count_text(unknown)
                    ),
                ));
            }
        }
        KeySplit::Same | KeySplit::Divided { .. } => {}
    }
    found
}
