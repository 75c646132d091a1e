//! A sample of documents of an account: what it would cost before anything is asked, how far it is, what is left.
//!
//! ```text
//! ┏ sample of documents ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┓
//! ┃ No documents yet. A sample reads some of them, …    ┃
//! ┃   documents   1,000 from 12 physical partitions     ┃
//! ┃   costs       about 940 RU …                        ┃
//! ┗ Enter begins, + - change the number, Esc does not ━━┛
//! ```

mod dialog;
mod properties;

use std::fmt::Write as _;

use super::documents::{self, DocumentRead};
use crate::model::units::{count_text, whole_text, whole_u64};
use crate::source::answers::Kind;
use crate::source::live::sampling::MOST_BYTES;
use crate::ui::kit::cx::Cx;
use crate::ui::kit::input::Chord;
use crate::ui::kit::msg::{Effect, Generation, OnScreen};
use crate::ui::view::trial::TrialState;
use crate::work::sample::{Meter, SampleContainer, ScanAsk, ScanEnd, ScanResult};
use crate::work::shared::Shared;
use crate::work::trial::{DocumentsOf, SampleAsk, TrialSample};

pub use dialog::{Dialog, KeyEffect, draw_dialog};

use dialog::SampleAtHand;

/// The chosen container, where it is one of an account and its partitions are known.
fn field(state: &TrialState, cx: &Cx) -> Option<SampleContainer> {
    SampleContainer::of(cx.data.as_deref()?, state.container?)
}

/// Whether documents of this container could be asked for.
pub fn is_live(state: &TrialState, cx: &Cx) -> bool {
    let data = cx.data.as_ref();
    data.is_some_and(|data| matches!(data.origin, crate::work::data::Origin::Live(_)))
        && state.given.is_empty()
}

/// The view is shown, or more is known: without documents somebody is asked, once.
pub fn offer_once(state: &mut TrialState, cx: &Cx) -> Vec<Effect> {
    let has_some = state.sample.is_some() || state.reading.is_some();
    if !is_live(state, cx) || has_some || state.is_offered || !may_ask(cx) {
        return Vec::new();
    }
    let Some(field) = field(state, cx) else {
        return Vec::new();
    };
    state.is_offered = true;
    let watched = cx.data.as_ref().and_then(|data| data.watched.as_ref());
    let mut access = watched.into_iter().flat_map(|watched| &watched.access);
    if access.any(|access| access.kind == Kind::Documents && access.answered > 0) {
        // Some were asked for already: they need not be asked for again.
        return documents::read(state, cx, ask(&field, None));
    }
    offer(state, cx)
}

/// Opens the question.
pub fn offer(state: &mut TrialState, cx: &Cx) -> Vec<Effect> {
    let Some(field) = field(state, cx) else {
        return Effect::fail(
            "the partitions of this container are not known yet",
            Some("wait until the account has reported them, then try again"),
        );
    };
    state.dialog = Some(Box::new(Dialog::new(state, cx, field, None)));
    OnScreen::AskForSample.alone()
}

fn ask(field: &SampleContainer, scan: Option<ScanAsk>) -> SampleAsk {
    SampleAsk {
        from: DocumentsOf::Live {
            database: field.database.clone(),
            container: field.container.clone(),
        },
        time: None,
        queries: None,
        sample: None,
        scan,
    }
}

/// A key while the question is open.
pub fn on_key(state: &mut TrialState, chord: Chord) -> KeyEffect {
    let dialog = state.dialog.as_mut();
    dialog.map_or(KeyEffect::Other, |dialog| dialog.on_key(chord))
}

/// Pasted text while the question is open; false where nothing is typed in it.
pub fn on_paste(state: &mut TrialState, text: &str) -> bool {
    let dialog = state.dialog.as_mut();
    dialog.is_some_and(|dialog| dialog.on_paste(text))
}

/// The answer to the question is yes.
pub fn begin(state: &mut TrialState, cx: &Cx) -> Vec<Effect> {
    let Some(dialog) = state.dialog.take() else {
        return Vec::new();
    };
    let choice = dialog.choice();
    let Dialog { field, documents, allowance, .. } = *dialog;
    let scan = ScanAsk {
        choice,
        documents,
        more_ru: allowance.budget_ru,
        ru_per_second: field.rate(&allowance),
        field,
    };
    let mut asked = ask(&scan.field, Some(scan.clone()));
    if let Some(sample) = &state.sample {
        asked.time.clone_from(&sample.time);
        asked.queries.clone_from(&sample.queries);
    }
    documents::read(state, cx, asked)
}

pub fn on_metered(state: &mut TrialState, generation: Generation, meter: Meter) {
    if let Some(reading) = state.reading.as_mut().filter(|r| r.generation == generation) {
        reading.meter = Some(meter);
    }
}

/// Stops a sample that is being drawn; what is there stays and arrives.
pub fn stop(state: &mut TrialState) -> Option<Vec<Effect>> {
    let reading = state.reading.as_mut()?;
    reading.ask.scan.as_ref()?;
    reading.is_stopping = true;
    let mut effects = Effect::say("no more documents are requested: what is there is read");
    effects.push(Effect::StopSampling);
    Some(effects)
}

/// Whether the documents of an account were read that are held already.
pub fn is_of_held(reading: &DocumentRead) -> bool {
    matches!(reading.ask.from, DocumentsOf::Live { .. }) && reading.ask.scan.is_none()
}

/// No documents are held after all: then somebody is asked.
pub fn offer_again(state: &mut TrialState, cx: &Cx) -> Vec<Effect> {
    if may_ask(cx) { offer(state, cx) } else { Vec::new() }
}

/// What is to be said once documents are there.
pub fn on_sampled(state: &mut TrialState, cx: &Cx, sample: &Shared<TrialSample>) -> Vec<Effect> {
    let Some(ScanResult { over, meter }) = &sample.scanned else {
        return Vec::new();
    };
    let weighed =
        sample.weighed.map_or(String::new(), |weighed| format!(" ({} whole)", count_text(weighed)));
    let there = format!(
        "{} documents{weighed} for {} RU",
        count_text(meter.entries),
        whole_text(meter.spent_ru)
    );
    match over {
        ScanEnd::Whole if meter.entries < meter.documents_total && meter.is_full => Effect::say(
            format!("{there} are there: a sample holds at most {} MiB", MOST_BYTES >> 20),
        ),
        ScanEnd::Whole => Effect::say(format!("{there} are there")),
        ScanEnd::Stopped | ScanEnd::Moved => Effect::say(format!("stopped: {there} are there")),
        ScanEnd::Failed(trouble) => {
            let what = format!("{} ({there} are there)", trouble.what);
            Effect::fail(what, trouble.next.as_deref())
        }
        ScanEnd::Spent => spent(state, cx, *meter),
    }
}

/// Whether a question may be put over what is shown: nobody is interrupted in something else.
fn may_ask(cx: &Cx) -> bool {
    super::is_shown(cx) && !cx.is_covered
}

fn spent(state: &mut TrialState, cx: &Cx, meter: Meter) -> Vec<Effect> {
    let Some(field) = field(state, cx).filter(|_| may_ask(cx)) else {
        return Effect::say(
            "what was allowed for the sample is spent; 4 in the trial view allows more",
        );
    };
    let held = sample_at_hand(state, meter);
    state.dialog = Some(Box::new(Dialog::new(state, cx, field, Some(held))));
    OnScreen::AskForSample.alone()
}

/// What is there of a sample.
fn sample_at_hand(state: &TrialState, meter: Meter) -> SampleAtHand {
    let sample = state.sample.as_deref();
    let narrow = sample.filter(|sample| sample.weighed.is_some());
    let columns = narrow.map(|sample| sample.prepared.documents().columns());
    SampleAtHand {
        meter,
        whole: narrow.and_then(|s| s.weighed).unwrap_or(meter.entries),
        paths: columns.into_iter().flatten().map(|column| column.path().clone()).collect(),
    }
}

/// Goes on with a sample, or begins one.
pub fn more(state: &mut TrialState, cx: &Cx) -> Vec<Effect> {
    match state.sample.as_ref().and_then(|s| s.scanned.clone()) {
        Some(scanned) => spent(state, cx, scanned.meter),
        None => offer(state, cx),
    }
}

/// What stands in place of a table while there is none.
pub fn sentence(state: &TrialState, cx: &Cx) -> Option<String> {
    if let Some(reading) = &state.reading {
        reading.ask.scan.as_ref()?;
        let Some(meter) = reading.meter else {
            return Some("The first page of documents is requested.".to_owned());
        };
        let esc = "Esc stops and keeps what is there.";
        return Some(format!("{}. {esc}", sampled(&meter, reading.is_stopping)));
    }
    is_live(state, cx).then(|| {
        "No documents yet. 4 takes a sample of them, and says what it costs before anything is read; :documents FILE \
         reads an export in its place."
            .to_owned()
    })
}

/// `340 of 1,000 documents · 312 of 1,000 RU at 5 RU/s`.
pub fn sampled(meter: &Meter, is_stopping: bool) -> String {
    let mut words = format!(
        "sampling: {} of {} documents, {} of {} RU at {} RU/s",
        count_text(meter.entries),
        count_text(meter.documents_total),
        whole_text(meter.spent_ru),
        whole_text(meter.budget_ru),
        amount(meter.ru_per_second)
    );
    if let Some(left) = meter.resting_seconds {
        let _ = write!(words, "; rests {} s (429 twice)", whole_text(left.ceil()));
    } else if let Some(left) = meter.paying_seconds {
        let _ = write!(words, "; goes on in {} s to keep the rate", whole_text(left.ceil()));
    } else if is_stopping {
        words.push_str("; stopping");
    }
    words
}

fn amount(number: f64) -> String {
    crate::report::trial::amount(number)
}

/// `45 s`, `3 min 30 s`, `2 h 5 min`.
fn span(seconds: f64) -> String {
    let seconds = whole_u64(seconds.ceil());
    match seconds {
        0..120 => format!("{seconds} s"),
        120..7_200 => format!("{} min {} s", seconds / 60, seconds % 60),
        _ => format!("{} h {} min", count_text(seconds / 3_600), seconds / 60 % 60),
    }
}

#[cfg(test)]
mod tests;
