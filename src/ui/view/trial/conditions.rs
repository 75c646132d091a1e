//! What keys are measured against: partitions and RU/s as the inputs tell them, or as a person turns them.

use std::sync::Arc;

use super::entries::ask;
use crate::analysis::placement::{MAX_PARTITIONS, ThroughputMode, as_number, planned_partitions};
use crate::analysis::trial::{Settings, Today, Trial, Weight};
use crate::model::units::{bytes_of, count_text, kib_text, real, rounded_text, whole_text};
use crate::model::visible::visible;
use crate::ui::kit::action::Action;
use crate::ui::kit::cx::Cx;
use crate::ui::kit::msg::Effect;
use crate::ui::view::trial::TrialState;
use crate::work::shared::Shared;
use crate::work::trial::{AsItIs, TrialSample, TypingPace};

/// What `>` and `<` go through.
const STEPS_RU: [f64; 18] = [
    400.0, 1e3, 2e3, 4e3, 6e3, 1e4, 1.5e4, 2e4, 3e4, 4e4, 6e4, 8e4, 1e5, 1.5e5, 2e5, 3e5, 5e5, 1e6,
];
/// Keys kept of each trial: more than a panel shows.
const TOP_KEYS: usize = 50;

/// What a person turned, and what the inputs tell.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Dials {
    pub partitions: Option<usize>,
    pub ru: Option<f64>,
    pub load: Option<f64>,
    pub weight: Weight,
    pub growth_bytes_per_day: Option<f64>,
    pub kept_days: Option<f64>,
    /// None before it was looked up.
    pub as_it_is: Option<Shared<AsItIs>>,
}

impl Dials {
    pub fn today(&self) -> Option<&Arc<Today>> {
        self.as_it_is.as_ref()?.today.as_ref()
    }
}

/// What the keys are tried against; none before there are documents.
pub fn settings(state: &TrialState, cx: &Cx) -> Option<Settings> {
    let sample = state.sample.as_deref();
    let dials = &state.dials;
    let told = dials.as_it_is.as_ref()?;
    if sample.is_none() && told.logged.is_none() {
        return None;
    }
    let ru = dials.ru.or(told_ru(dials));
    let measured = told.today.as_ref().and_then(|today| today.demand());
    Some(Settings {
        partitions: partitions(dials, sample),
        ru_per_second: ru,
        bought: told.bought.unwrap_or_default(),
        price: cx
            .data
            .as_ref()
            .and_then(|data| data.thresholds.price.clone()),
        least_partitions: dials.partitions.unwrap_or(1),
        load_ru_per_second: dials.load.or(measured),
        workload: sample.map_or_else(Arc::default, |sample| Arc::clone(&sample.workload)),
        stored_bytes: stored_bytes(dials, sample),
        stored_documents: stored_documents(dials, sample),
        weighed: sample.and_then(|sample| sample.weighed),
        ceiling: cx.ceiling,
        top: TOP_KEYS,
        today: told.today.clone(),
        weight: dials.weight,
        growth_bytes_per_day: dials.growth_bytes_per_day,
        kept_days: dials.kept_days,
        as_of: cx.data.as_ref().and_then(|data| data.report.as_of),
        ..Settings::default()
    })
}

/// What keys are measured against, in the order of the header: its name, the value with `~` where it is assumed, and the
/// command that changes it. Nothing before there are documents.
pub fn assumptions(state: &TrialState) -> Vec<(&'static str, String, Option<&'static str>)> {
    let Some(settings) = &state.settings else {
        return Vec::new();
    };
    let dials = &state.dials;
    let trial = state.result(state.chosen).map(|result| &result.trial);
    // Documents of one key may be of other days than those of another.
    let first = state.result(0).map(|result| &result.trial).or(trial);
    let size = trial.map(|trial| kib_text(trial.whole.bytes / 1024.0));
    let sign = settings.stored_bytes.map_or("~", |_| "");
    let weight = match settings.weight {
        Weight::Documents => "~documents",
        Weight::Bytes => "~size",
        Weight::Logged => "RU log",
    };
    let kept = settings.kept_days;
    let kept = kept.map(|days| format!("{} d", rounded_text(days)));
    let provisioned = settings.ru_per_second.map(whole_text);
    let partitions = Some(partitions_text(dials, settings));
    let rows = [
        (
            "expected size",
            size.map(|size| sign.to_owned() + &size),
            None,
        ),
        (
            "growth",
            growth_text(settings, first),
            Some(Action::GrowthADay),
        ),
        (
            "demand",
            demand_text(dials, settings, trial),
            Some(Action::DemandRu),
        ),
        ("provisioned", provisioned, Some(Action::MoreRu)),
        ("partitions", partitions, Some(Action::MorePartitions)),
        ("weight", Some(weight.to_owned()), Some(Action::NextWeight)),
    ];
    let kept = kept.map(|days| ("kept", Some(days), Some(Action::KeptDays)));
    let rows = rows.into_iter().chain(kept);
    rows.map(|(label, value, action)| {
        let value = value.unwrap_or_else(|| "unknown".to_owned());
        let command = action.and_then(Action::about).map(|about| about.name);
        (label, value, command)
    })
    .collect()
}

fn growth_text(settings: &Settings, trial: Option<&Trial>) -> Option<String> {
    let (sign, bytes) = match settings.growth_bytes_per_day {
        Some(given) => ("", given),
        None => ("~", trial?.ahead.all_bytes_per_day?),
    };
    Some(format!("{sign}{}/day", kib_text(bytes / 1024.0)))
}

fn demand_text(dials: &Dials, settings: &Settings, trial: Option<&Trial>) -> Option<String> {
    Some(match (dials.load, settings.load_ru_per_second) {
        (Some(given), _) => format!("{} RU/s", whole_text(given)),
        (None, Some(measured)) => format!("RU log {} RU/s", whole_text(measured)),
        (None, None) => format!("~queries {} RU/s", whole_text(trial?.demand?)),
    })
}

fn partitions_text(dials: &Dials, settings: &Settings) -> String {
    let is_real = dials.today().is_some_and(|today| today.ranges.is_some());
    let n = count_text(settings.partitions as u64);
    match (dials.partitions, is_real) {
        (None, true) => format!("{n} real"),
        (None, false) => format!("~{n}"),
        (Some(_), _) => n,
    }
}

fn told_ru(dials: &Dials) -> Option<f64> {
    dials.today()?.ru_per_second
}

/// The true size of the container: what its partitions hold, or its documents at the mean size of those at hand.
fn stored_bytes(dials: &Dials, sample: Option<&TrialSample>) -> Option<f64> {
    let mean = |sample: &TrialSample| {
        let documents = sample.ground.documents();
        real(documents.kept_bytes()) / as_number(documents.len().max(1))
    };
    if let Some((sample, stored)) = sample.and_then(|s| Some((s, s.stored_documents?))) {
        return Some(stored * mean(sample));
    }
    let told = dials.today()?;
    let counted = || Some(told.stored_documents? * mean(sample?));
    told.stored_bytes.or_else(counted)
}

/// How many documents there are in all, where the service counts them.
fn stored_documents(dials: &Dials, sample: Option<&TrialSample>) -> Option<f64> {
    let is_drawn = sample?.stored_documents.is_some();
    dials.today()?.stored_documents.filter(|_| !is_drawn)
}

fn partitions(dials: &Dials, sample: Option<&TrialSample>) -> usize {
    if let Some(turned) = dials.partitions {
        return turned;
    }
    let told = dials.as_it_is.as_ref();
    if let (Some(told), None) = (told.and_then(|told| told.partitions), dials.ru) {
        return told;
    }
    // With RU/s that were turned it is divided as a new container would be.
    let bought = told
        .and_then(|told| told.bought)
        .unwrap_or(ThroughputMode::Manual);
    let stored = stored_bytes(dials, sample).map(|bytes| bytes / 1024.0);
    let seen = sample.map_or(0, |sample| sample.ground.documents().seen().bytes);
    let ru = dials.ru.or(told_ru(dials));
    planned_partitions(ru, bought, stored, real(seen) / 1024.0)
}

/// A key that turns a dial.
pub fn turn_dial(state: &mut TrialState, cx: &Cx, action: Action) -> Vec<Effect> {
    let Some(now) = settings(state, cx) else {
        return Effect::fail("there are no documents yet", None);
    };
    let mut effects = Vec::new();
    let dials = &mut state.dials;
    match action {
        Action::MorePartitions => {
            dials.partitions = Some((now.partitions + 1).min(MAX_PARTITIONS));
        }
        Action::FewerPartitions => {
            dials.partitions = Some(now.partitions.saturating_sub(1).max(1));
        }
        Action::MoreRu | Action::LessRu => {
            // The layout stays as it is looked at: only the RU/s change.
            dials.partitions = Some(now.partitions);
            dials.ru = Some(step(now.ru_per_second, action));
        }
        Action::AsItIs => {
            *dials = Dials {
                as_it_is: std::mem::take(&mut dials.as_it_is),
                ..Dials::default()
            };
        }
        Action::NextWeight => {
            dials.weight = next_weight(dials);
            let by = dials.weight.name();
            let by = if by == "logged" { "RU in the logs" } else { by };
            effects.extend(Effect::say(format!("RU of a key by its {by}")));
        }
        _ => {
            let name = action.about().map_or("", |about| about.name);
            let example = match action {
                Action::GrowthADay => ":growth 70GB",
                Action::KeptDays => ":kept 30",
                _ => ":load 5000",
            };
            return Effect::fail(
                format!("{name} needs a number after its name, such as {example}"),
                None,
            );
        }
    }
    effects.extend(ask(state, cx, TypingPace::Typed));
    effects
}

/// By documents, by bytes, and by logged RU where logs name keys.
fn next_weight(dials: &Dials) -> Weight {
    let logged = dials.today().is_some_and(|t| !t.logged.is_empty());
    match dials.weight {
        Weight::Documents => Weight::Bytes,
        Weight::Bytes if logged => Weight::Logged,
        Weight::Bytes | Weight::Logged => Weight::Documents,
    }
}

fn step(now: Option<f64>, action: Action) -> f64 {
    let Some(now) = now else {
        return 10_000.0;
    };
    let next = match action {
        Action::MoreRu => STEPS_RU.iter().find(|ru| **ru > now),
        _ => STEPS_RU.iter().rev().find(|ru| **ru < now),
    };
    next.copied().unwrap_or(now)
}

/// `:partitions 20`, `:ru 60000`, `:load 5000`.
pub fn set_dial(state: &mut TrialState, cx: &Cx, action: Action, text: &str) -> Vec<Effect> {
    let plain = text.replace([',', '_', ' '], "");
    let number = plain
        .parse::<f64>()
        .ok()
        .filter(|n| n.is_finite() && *n > 0.0);
    let dials = &mut state.dials;
    let is_set = match (action, number) {
        (Action::MorePartitions, Some(n)) => {
            let whole = plain.parse::<usize>().ok();
            let whole = whole.filter(|n| (1..=MAX_PARTITIONS).contains(n));
            dials.partitions = whole.or(dials.partitions);
            whole.is_some_and(|whole| (as_number(whole) - n).abs() < 0.5)
        }
        (Action::MoreRu, Some(ru)) => {
            dials.ru = Some(ru);
            true
        }
        (Action::DemandRu, Some(ru)) => {
            dials.load = Some(ru);
            true
        }
        (Action::KeptDays, Some(days)) => {
            dials.kept_days = Some(days);
            true
        }
        (Action::GrowthADay, _) => {
            let bytes = bytes_of(text, 1024.0);
            dials.growth_bytes_per_day = bytes.or(dials.growth_bytes_per_day);
            bytes.is_some()
        }
        _ => false,
    };
    if !is_set {
        let wanted = match action {
            Action::MorePartitions => "a number from 1 to 20,000",
            Action::KeptDays => "days, such as 30",
            Action::GrowthADay => "a size, such as 70GB",
            _ => "RU/s above 0, such as 10000",
        };
        return Effect::fail(format!("{} is not {wanted}", visible(text)), None);
    }
    ask(state, cx, TypingPace::AtOnce)
}
