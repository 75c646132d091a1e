//! What is diagnosed of the built-in scenarios and of the samples, against what they are there to show.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use cosmoscope::analysis::ceiling::Ceiling;
use cosmoscope::analysis::columns::Lookups;
use cosmoscope::analysis::diagnosis::thresholds::Thresholds;
use cosmoscope::analysis::diagnosis::{Diagnoses, Diagnosis, Verdict};
use cosmoscope::analysis::heat::Heat;
use cosmoscope::model::capture::{Capture, CaptureBuilder};
use cosmoscope::source::import::{Options, import};
use cosmoscope::source::input::find;
use cosmoscope::source::scenario;
use cosmoscope::source::watch::Watch;

const SAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/data/samples");

fn diagnoses(capture: &Capture) -> Diagnoses {
    let heat = Heat::of(capture);
    let lookups = Lookups::of(capture, Ceiling::BINARY);
    Diagnoses::of(capture, &heat, &lookups, &Thresholds::default())
}

#[test]
fn dump() {
    for info in scenario::list() {
        let builder = CaptureBuilder::new(1);
        scenario::load(info.name, &builder).unwrap();
        let capture = builder.finish();
        let t = std::time::Instant::now();
        let d = diagnoses(&capture);
        eprintln!("== {} {:?}", info.name, t.elapsed());
        show(&capture, &d);
    }
    let inputs = find(&[PathBuf::from(SAMPLES)], &|| true).unwrap();
    let capture = import(&inputs, &Options::default(), &Watch::default(), &mut |_| {}).unwrap();
    eprintln!("== samples");
    show(&capture, &diagnoses(&capture));
}

fn show(capture: &Capture, d: &Diagnoses) {
    for (c, d) in capture.containers.iter().zip(&d.containers) {
        eprintln!("-- {}", c.name.title());
        for v in &d.verdicts {
            eprintln!(
                "  {} {:?} p{:?} key {:?} since {:?}\n     {}",
                v.rule,
                v.severity,
                v.partition,
                v.key,
                v.since.map(|s| s.rfc3339()),
                v.headline.text(|k| k.unwrap_or("?").to_owned())
            );
            eprintln!(
                "     ru {} ({})",
                v.answers.more_ru.says.word(),
                v.answers.more_ru.why
            );
            eprintln!(
                "     split {} ({})",
                v.answers.split.says.word(),
                v.answers.split.why
            );
            eprintln!(
                "     key {} ({})",
                v.answers.new_key.says.word(),
                v.answers.new_key.why
            );
            for w in &v.what_if {
                eprintln!(
                    "       {:14} {:?} S {:?} {}",
                    w.name, w.refused, w.load_ratio, w.words
                );
            }
            if std::env::var("FACTS").is_ok() {
                for f in &v.evidence {
                    eprintln!(
                        "       * {}: {} [{}]",
                        f.what.text(|k| k.unwrap_or("?").to_owned()),
                        f.value,
                        f.from
                    );
                }
            }
        }
    }
}
