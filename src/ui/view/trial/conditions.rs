//! What keys are measured against: partitions and RU/s as the inputs tell them, or as a person turns them.

use std::sync::Arc;

use super::entries::ask;
use crate::analysis::trial::{LayoutFrom, Settings, Today, Trial, Weight};
use crate::model::layout::MAX_PARTITIONS;
use crate::model::limits;
use crate::model::throughput::{ThroughputMode, partitions_after, planned_partitions};
use crate::model::units::{
    as_number, bytes_of, count_text, counted, days_of, kib_text, real, rounded_text, whole_text,
    whole_usize,
};
use crate::model::visible::visible;
use crate::report::trial::{KeyRole, short_amount};
use crate::ui::kit::action::Action;
use crate::ui::kit::cx::Cx;
use crate::ui::kit::line::Prompt;
use crate::ui::kit::list::place_further;
use crate::ui::kit::msg::{Effect, OnScreen};
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
    pub stored_bytes: Option<f64>,
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
    let reported = dials.as_it_is.as_ref()?;
    if sample.is_none() && reported.logged.is_none() {
        return None;
    }
    let ru = dials.ru.or(reported_ru(dials));
    let measured = reported.today.as_ref().and_then(|today| today.demand());
    let sent = sample.map(|sample| &sample.workload);
    let sent = sent.filter(|workload| !workload.requests.is_empty());
    let workload = sent.unwrap_or(&reported.workload);
    Some(Settings {
        partitions: partitions(dials, sample),
        ru_per_second: ru,
        throughput_mode: throughput_mode(dials),
        price: cx.data.as_ref().and_then(|data| data.thresholds.price.clone()),
        least_partitions: dials.partitions.unwrap_or(1),
        load_ru_per_second: dials.load.or(measured),
        workload: Arc::clone(workload),
        stored_bytes: stored_bytes(dials, sample),
        is_size_expected: dials.stored_bytes.is_some(),
        stored_documents: stored_documents(dials, sample),
        weighed: sample.and_then(|sample| sample.weighed),
        ceiling: cx.ceiling,
        top: TOP_KEYS,
        today: reported.today.clone(),
        weight: dials.weight,
        growth_bytes_per_day: dials.growth_bytes_per_day,
        kept_days: dials.kept_days,
        as_of: cx.data.as_ref().and_then(|data| data.report.as_of),
        ..Settings::default()
    })
}

/// What keys are measured against, or what goes on: a field of the header.
pub struct HeaderField {
    pub label: &'static str,
    /// With `~` before what is assumed.
    pub value: String,
    /// What sets it, and the value as it is typed.
    pub edit: Option<(Action, String)>,
}

impl HeaderField {
    /// What goes on: nothing sets it.
    pub fn progress(label: &'static str, value: String) -> Self {
        Self { label, value, edit: None }
    }

    /// A value as it is typed, with what stands around it.
    fn of(
        label: &'static str,
        action: Action,
        before: &str,
        value: Option<String>,
        after: &str,
    ) -> Self {
        let shown = value.as_ref().map(|value| format!("{before}{value}{after}"));
        Self {
            label,
            value: shown.unwrap_or_else(|| "unknown".to_owned()),
            edit: Some((action, value.unwrap_or_default())),
        }
    }
}

/// What is written in a day to all keys, else to those of which logs show it: with what stands around it.
fn growth(first: Option<&Trial>, settings: &Settings) -> (&'static str, Option<f64>, String) {
    let ahead = first.map(|trial| &trial.ahead);
    if let Some(given) = settings.growth_bytes_per_day {
        return ("", Some(given), "/day".to_owned());
    }
    let all = ahead.and_then(|ahead| ahead.all_bytes_per_day);
    match ahead.and_then(|ahead| ahead.logged) {
        Some(some) if all.is_none() => {
            let keys = counted(some.keys, "key", "keys");
            ("", Some(some.bytes_per_day), format!("/day, {keys}"))
        }
        _ => ("~", all, "/day".to_owned()),
    }
}

/// The fields of the header in their order. None before there are documents.
pub fn fields(state: &TrialState) -> Vec<HeaderField> {
    let Some(settings) = &state.settings else {
        return Vec::new();
    };
    let trial = state.result(state.chosen).map(|result| &result.trial);
    // Documents of one key may be of other days than those of another.
    let first = state.result(0).map(|result| &result.trial).or(trial);
    let size = trial.or(first).map(|trial| trial.whole.bytes);
    let size = size.or(settings.stored_bytes);
    let (of_growth, growth, a_day) = growth(first, settings);
    let demand = settings.load_ru_per_second.or_else(|| trial?.demand);
    let of_size = settings.stored_bytes.map_or("~", |_| "");
    let today = state.dials.today();
    let (of_demand, unserved) = match (state.dials.load, settings.load_ru_per_second) {
        (Some(_), _) => ("", None),
        (None, Some(_)) => ("RU log ", today.and_then(|today| today.unserved())),
        (None, None) => ("~queries ", None),
    };
    let behind = unserved.map_or(String::new(), |ru| format!(", {} behind 403s", whole_text(ru)));
    let weight = match settings.weight {
        Weight::Documents => "~documents",
        Weight::Bytes => "~size",
        Weight::Logged => "RU log",
    };
    let n = Some(count_text(settings.partitions as u64));
    let [today, new] = partitions_text(state, settings);
    let is_assumed = first.is_some_and(|trial| trial.whole.is_assumed);
    let of_sample = if is_assumed { " in the documents" } else { "" };
    let bytes = |bytes: Option<f64>| bytes.map(|bytes| kib_text(bytes / 1024.0));
    let [demand, ru] = [demand, settings.ru_per_second].map(|ru| ru.map(whole_text));
    let of = HeaderField::of;
    let mut fields = vec![
        of("size", Action::ExpectedSize, of_size, bytes(size), of_sample),
        of("growth", Action::GrowthADay, of_growth, bytes(growth), &a_day),
        of("demand", Action::DemandRu, of_demand, demand, &format!(" RU/s{behind}")),
        of("provisioned", Action::MoreRu, "", ru, ""),
        of("partitions", Action::MorePartitions, &today, n, &new),
    ];
    let kept = settings.kept_days.map(rounded_text);
    fields.extend(kept.map(|days| of("kept", Action::KeptDays, "", Some(days), " d")));
    fields.extend(sample_field(state));
    if state.sample.is_some() {
        let none = Some(String::new());
        fields.push(of("weight", Action::NextWeight, weight, none, ""));
    }
    fields
}

/// `100,000 of 34 M`: how much of the container is looked at.
fn sample_field(state: &TrialState) -> Option<HeaderField> {
    let logged = || state.dials.as_it_is.as_ref()?.logged.as_ref();
    let value = if let Some(sample) = &state.sample {
        let count = count_text(sample.prepared.documents().len() as u64);
        let whole = state.report.as_ref().map(|report| report.whole);
        let stands = whole.filter(|whole| whole.is_sample);
        let stands = stands.map(|whole| format!(" of {}", short_amount(whole.documents)));
        count + &stands.unwrap_or_default()
    } else {
        format!("none: {} logged keys", count_text(logged()?.keys.len() as u64))
    };
    Some(HeaderField { label: "documents", value, edit: Some((Action::Documents, String::new())) })
}

/// What stands around the number of partitions: `today 3 · new 5`, what the current key lies on and what a new container has;
/// `new 1 split to 3` where it is split by more RU/s.
fn partitions_text(state: &TrialState, settings: &Settings) -> [String; 2] {
    let today = state.dials.today();
    let real = today.and_then(|today| Some(today.ranges.as_ref()?.len()));
    let today = match (state.dials.partitions, real) {
        (None, None) => return ["~".to_owned(), String::new()],
        (Some(_), None) => return [String::new(), String::new()],
        (_, Some(real)) if settings.partitions > real => "today split to ",
        (_, Some(_)) => "today ",
    };
    let chosen = state.result(state.chosen);
    let chosen = chosen.filter(|result| result.standing == KeyRole::Candidate);
    let placement = chosen.map(|result| &result.trial.placement);
    let new = placement.map_or(settings.partitions_of_new(), |p| p.partitions.len());
    let created = match placement.map(|p| p.layout) {
        Some(LayoutFrom::CreationSplit { from } | LayoutFrom::StorageSplit { from }) => {
            format!("{} split to ", count_text(from as u64))
        }
        _ => String::new(),
    };
    [today.to_owned(), format!(" · new {created}{}", count_text(new as u64))]
}

fn command(action: Action) -> &'static str {
    action.about().name
}

/// What sets each field, and the line in which its value is typed.
fn lines(state: &TrialState) -> Vec<(Action, Prompt)> {
    let line = |field: HeaderField| {
        let (action, value) = field.edit?;
        Some((action, Prompt::of_value(field.label, command(action), &value)))
    };
    fields(state).into_iter().filter_map(line).collect()
}

/// Opens the line of a field, or of what stands in no field.
pub fn open(state: &TrialState, action: Action) -> Vec<Effect> {
    let known = lines(state).into_iter().find(|(of, _)| *of == action);
    let name = command(action);
    let line = known.map_or_else(|| Prompt::of_value(name, name, ""), |(_, line)| line);
    OnScreen::Type(Box::new(line)).alone()
}

/// The line of the field that stands `step` further than that of a command, round and round; None of any other command.
pub fn field_after(state: &TrialState, text: &str, step: isize) -> Option<Prompt> {
    let mut lines = lines(state);
    lines.retain(|(of, _)| !matches!(of, Action::NextWeight | Action::Documents));
    let at = lines.iter().position(|(of, _)| text.split(' ').next() == Some(command(*of)))?;
    let next = place_further(at, step, lines.len())?;
    lines.into_iter().nth(next).map(|(_, line)| line)
}

fn reported_ru(dials: &Dials) -> Option<f64> {
    dials.today()?.ru_per_second
}

fn throughput_mode(dials: &Dials) -> ThroughputMode {
    let reported = dials.today().and_then(|today| today.throughput_mode);
    reported.unwrap_or_default()
}

/// The true size of the container: what its partitions hold, or its documents at the mean size of those at hand.
fn stored_bytes(dials: &Dials, sample: Option<&TrialSample>) -> Option<f64> {
    if dials.stored_bytes.is_some() {
        return dials.stored_bytes;
    }
    let mean = |sample: &TrialSample| {
        let documents = sample.prepared.documents();
        real(documents.kept_bytes()) / as_number(documents.len().max(1))
    };
    if let Some((sample, stored)) = sample.and_then(|s| Some((s, s.stored_documents?))) {
        return Some(stored * mean(sample));
    }
    let reported = dials.today()?;
    let counted = || Some(reported.stored_documents? * mean(sample?));
    reported.stored_bytes.or_else(counted)
}

/// How many documents there are in all, where the service counts them.
fn stored_documents(dials: &Dials, sample: Option<&TrialSample>) -> Option<f64> {
    let is_drawn = sample?.stored_documents.is_some();
    dials.today()?.stored_documents.filter(|_| !is_drawn)
}

fn partitions(dials: &Dials, sample: Option<&TrialSample>) -> usize {
    let today = dials.today().and_then(|today| today.partitions());
    // Partitions are split and never merged: those of today are the fewest.
    if let Some(known) = dials.partitions.max(today) {
        return partitions_after(known, dials.ru);
    }
    let stored = stored_bytes(dials, sample).map(|bytes| bytes / 1024.0);
    let seen = sample.map_or(0, |sample| sample.prepared.documents().seen().bytes);
    let ru = dials.ru.or(reported_ru(dials)).or(dials.load);
    planned_partitions(ru, throughput_mode(dials), stored, real(seen) / 1024.0)
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
            let is_up = action == Action::MoreRu;
            dials.ru = Some(next_ru(now.ru_per_second, is_up));
        }
        Action::AsItIs => {
            *dials = Dials { as_it_is: std::mem::take(&mut dials.as_it_is), ..Dials::default() };
        }
        Action::NextWeight => {
            dials.weight = next_weight(dials);
            let by = dials.weight.name();
            let by = if by == "logged" { "RU in the logs" } else { by };
            effects.extend(Effect::say(format!("RU of a key by its {by}")));
        }
        _ => {}
    }
    effects.extend(ask(state, cx, TypingPace::Typed));
    effects
}

/// By documents, by bytes, and by logged RU where logs name keys.
fn next_weight(dials: &Dials) -> Weight {
    let logged = dials.today().is_some_and(|t| !t.logged.by_key.is_empty());
    match dials.weight {
        Weight::Documents => Weight::Bytes,
        Weight::Bytes if logged => Weight::Logged,
        Weight::Bytes | Weight::Logged => Weight::Documents,
    }
}

/// The next step of RU/s.
pub fn next_ru(now: Option<f64>, is_up: bool) -> f64 {
    let Some(now) = now else {
        return 10_000.0;
    };
    let next = if is_up {
        STEPS_RU.iter().find(|ru| **ru > now)
    } else {
        STEPS_RU.iter().rev().find(|ru| **ru < now)
    };
    next.copied().unwrap_or(now)
}

/// `:partitions 20`, `:ru 60000`, `:load 5000`.
pub fn set_dial(state: &mut TrialState, cx: &Cx, action: Action, text: &str) -> Vec<Effect> {
    let plain = without_grouping(text).unwrap_or_default();
    let number = || plain.parse::<f64>().ok();
    let bytes = || bytes_of(&plain, 1024.0);
    let dials = &mut state.dials;
    let mut partitions = None;
    let (held, value, limits) = match action {
        Action::MorePartitions => {
            (&mut partitions, number().filter(|n| n.fract() == 0.0), limits::PARTITIONS)
        }
        Action::MoreRu => (&mut dials.ru, number(), limits::RU),
        Action::KeptDays => {
            (&mut dials.kept_days, number().or_else(|| days_of(&plain)), limits::DAYS)
        }
        Action::GrowthADay => (&mut dials.growth_bytes_per_day, bytes(), limits::BYTES),
        Action::ExpectedSize => (&mut dials.stored_bytes, bytes(), limits::BYTES),
        _ => (&mut dials.load, number(), limits::DEMAND),
    };
    let Some(value) = value.and_then(|value| limits.checked(value)) else {
        return Effect::fail(format!("{} is not {}", visible(text), limits.text), None);
    };
    *held = Some(value);
    dials.partitions = partitions.map(whole_usize).or(dials.partitions);
    ask(state, cx, TypingPace::AtOnce)
}

/// Without what stands between its digits in threes; none where it stands elsewhere.
pub fn without_grouping(text: &str) -> Option<String> {
    let between = [',', '_', ' '];
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit() && !between.contains(&c));
    let (whole, rest) = text.split_at_checked(end.unwrap_or(text.len()))?;
    let mut groups = whole.trim_end().split(between);
    let first = groups.next()?;
    let mut others = groups.clone().peekable();
    let is_grouped = others.peek().is_none() || (1..=3).contains(&first.len());
    let is_grouped = is_grouped && others.all(|group| group.len() == 3);
    is_grouped.then(|| first.to_owned() + &groups.collect::<String>() + rest)
}
