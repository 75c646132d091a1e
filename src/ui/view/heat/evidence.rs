//! What the verdict rests on, what was computed, and where the numbers of the map come from.

use super::keylist::{self, EntryKey};
use super::layout::HeatPane;
use super::{head, names};
use crate::analysis::billing::and_money;
use crate::analysis::diagnosis::note::filled;
use crate::analysis::diagnosis::{Phrase, Verdict};
use crate::analysis::heat::CapacityFrom;
use crate::model::time::Stamp;
use crate::model::units::{counted, figure_text, percent_text, whole_text};
use crate::model::visible::visible;
use crate::ui::kit::card::evidence;
use crate::ui::kit::cx::Cx;
use crate::ui::kit::msg::{Effect, OnScreen};
use crate::ui::view::heat::HeatState;
use crate::ui::view::what_now::with_naming;

pub fn show(state: &mut HeatState, cx: &Cx) -> Vec<Effect> {
    let lines = lines(state, cx);
    if lines.is_empty() {
        return Effect::fail("nothing is open", None);
    }
    OnScreen::Read("evidence", lines).alone()
}

fn lines(state: &HeatState, cx: &Cx) -> Vec<String> {
    let mut lines = Vec::new();
    if state.pane == HeatPane::Keys {
        of_key(state, cx, &mut lines);
    }
    for verdict in head::diagnosis(state).map_or(&[][..], |found| &found.verdicts) {
        of_verdict(state, cx, verdict, &mut lines);
    }
    of_track(state, cx, &mut lines);
    measured_against(cx, &mut lines);
    lines
}

/// What the logs tell of the chosen key.
fn of_key(state: &HeatState, cx: &Cx, lines: &mut Vec<String>) {
    let (Some(scope), Some(entry)) = (&state.scope, keylist::chosen(state)) else {
        return;
    };
    lines.push(keylist::shown(cx, scope, entry));
    let (Some(heat), EntryKey::Logged(key)) = (scope.heat(), entry.who) else {
        lines.push("  no record of the RU logs names it on this partition".to_owned());
        lines.push(String::new());
        return;
    };
    if let Some(load) = &entry.load {
        let share = percent_text(load.share);
        let whose = keylist::scopes(state).into_iter().next();
        lines.extend(whose.map(|whose| format!("  {whose}")));
        let ru = figure_text(load.ru);
        lines.push(format!("  RU: {ru}, {share} of all RU there"));
        let at = load.peak_at.and_then(Stamp::from_seconds);
        let at = at.map(Stamp::rfc3339);
        let at = at.map_or_else(String::new, |at| format!(" at {at}"));
        let peak = figure_text(load.peak_ru_per_second);
        lines.push(format!("  busiest step: {peak} RU/s{at}"));
        let since = load.since.and_then(Stamp::from_seconds);
        lines.extend(since.map(|at| format!("  since {}", at.rfc3339())));
    }
    let load = &scope.data.capture.load;
    let story = heat.keys.story(key);
    for (operation, sum) in story.into_iter().flat_map(|story| story.operations) {
        let name = visible(load.names.text(operation)).into_owned();
        let records = counted(sum.records, "record", "records");
        let ru = figure_text(sum.ru);
        lines.push(format!("  {name}: {ru} RU on all partitions, {records}"));
    }
    if let Some(found) = keylist::disagreement(state, scope, entry) {
        lines.push(format!("  {}", visible(&found.text(heat))));
        let why = "the partition was split since, or another container's definition was read";
        lines.push(format!("      {why}"));
    }
    lines.push(String::new());
}

fn of_verdict(state: &HeatState, cx: &Cx, verdict: &Verdict, lines: &mut Vec<String>) {
    lines.extend(evidence(cx, verdict));
    for (question, answer) in verdict.answers.named() {
        lines.push(format!("  {question}: {}", answer.effect.word()));
        lines.push(format!("      {}", visible(&cx.mask.text(&answer.why))));
    }
    if !verdict.remedies.is_empty() {
        lines.push("  computed from the same demand".to_owned());
    }
    let data = cx.data.as_ref();
    let price = data.and_then(|data| data.thresholds.price.as_ref());
    let scope = state.scope.as_ref();
    let found = scope.and_then(|scope| cx.other_key(scope.container));
    let found = found.filter(|_| !verdict.remedies.is_empty());
    for row in verdict.remedies.iter().chain(found) {
        let throttled = row.throttled.map(|t| percent_text(t.point));
        let throttled = throttled.unwrap_or_else(|| "unknown".to_owned());
        let imbalance = row.imbalance.map(figure_text);
        let words = imbalance.map(|i| format!(", imbalance ×{i}"));
        let verdict = match row.name.as_str() {
            "now" => String::new(),
            _ => format!(", {}", row.effect.word()),
        };
        let ru = row.ru_per_second.map(|ru| {
            let money = and_money(price, ru);
            format!(", {} RU/s{money}", whole_text(ru))
        });
        let (what, words, ru) =
            (visible(&row.words), words.unwrap_or_default(), ru.unwrap_or_default());
        lines.push(format!("      {what}: {throttled} throttled{words}{ru}{verdict}"));
    }
    if !verdict.steps.is_empty() {
        lines.push("  what to do next".to_owned());
    }
    let names = |step: &Phrase| {
        let container = state.container.unwrap_or_default();
        let filled = with_naming(cx, container, |n| filled(step, n.container, n.group, n.shown));
        filled.unwrap_or_default()
    };
    let steps = verdict.steps.iter().map(names);
    lines.extend(steps.map(|step| format!("      {step}")));
    lines.push(String::new());
}

/// Every threshold of the verdicts, with its value and where it comes from.
fn measured_against(cx: &Cx, lines: &mut Vec<String>) {
    let Some(data) = &cx.data else { return };
    lines.push(String::new());
    lines.push("thresholds, which `thresholds` in the configuration sets".to_owned());
    let text = data.thresholds.to_string();
    lines.extend(text.lines().map(|line| format!("  {line}")));
}

fn of_track(state: &HeatState, cx: &Cx, lines: &mut Vec<String>) {
    let Some(scope) = &state.scope else {
        return;
    };
    let Some(track) = scope.track() else {
        lines.push("map".to_owned());
        lines.push("  the inputs have no load over time".to_owned());
        return;
    };
    lines.push(format!("map: {}", track.measure.title()));
    lines.push(format!("  {}", visible(&cx.mask.text(&track.from))));
    let region = track.region.as_deref().unwrap_or("unknown");
    lines.push(format!(
        "  region: {}; shares of RU/s are never summed over regions",
        visible(region)
    ));
    let step = names::length(u64::from(track.step_s));
    lines.push(format!(
        "  steps of {step}; a cell shows the highest of its steps; a point is no data, which is not zero"
    ));
    lines.push("  p99: the value that all but one in a hundred steps stay at or below".to_owned());
    let mut ways: Vec<CapacityFrom> = Vec::new();
    for partition in scope.rows.iter().filter_map(|row| scope.partition(*row)) {
        ways.extend(partition.capacity.map(|capacity| capacity.from));
    }
    ways.sort_unstable();
    ways.dedup();
    if ways.is_empty() {
        lines.push("  RU/s of a partition: not known".to_owned());
    }
    for way in ways {
        lines.push(format!("  RU/s of a partition: {}", way.words()));
    }
}
