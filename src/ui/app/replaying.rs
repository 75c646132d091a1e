//! A recording on the screens: where in time one stands, what happened when, and how it goes on by itself.

use super::{App, Freeze, Status, update};
use crate::model::names::ContainerName;
use crate::model::units::rounded_text;
use crate::source::ledger::EventKind;
use crate::source::recording::{Marked, StoryMark};
use crate::ui::kit::action::Action;
use crate::ui::kit::cx::{PlayMode, Playback};
use crate::ui::kit::msg::{Effect, Generation};
use crate::work::data::{Dataset, Origin};
use crate::work::fault::WorkFault;
use crate::work::shared::Shared;

/// How many times faster than it was recorded: a minute a second, since rounds come by the minute.
pub const SPEED: u32 = 60;
pub const MAX_SPEED: u32 = 100_000;
/// No frame stands shorter, so that it can be seen; none longer, so that it is seen to go on.
const LEAST_PAUSE_MS: u64 = 100;
const MOST_PAUSE_MS: u64 = 3_000;
/// Things that are told of one moment.
const REPORTED: usize = 2;

/// Data was put on the screen: of a recording, or of something else.
pub fn on_data(app: &mut App, data: &Shared<Dataset>) {
    let (Origin::Recording(path), Some(replayed)) = (&data.origin, &data.replayed) else {
        app.cx.playback = None;
        return;
    };
    let same = |held: &Playback| held.timeline == replayed.timeline;
    if app.cx.playback.as_ref().is_some_and(same) {
        return;
    }
    app.cx.playback = Some(Playback {
        path: path.clone(),
        timeline: replayed.timeline.clone(),
        place: replayed.place,
        going: PlayMode::Paused,
        speed: SPEED,
        generation: Generation::default(),
    });
}

/// Whether an answer or the end of a pause belongs to the newest question.
pub fn is_awaited(app: &App, generation: Generation) -> bool {
    app.cx.playback.as_ref().is_some_and(|held| held.generation == generation)
}

/// What an action means to a recording; None if it means something else.
pub fn act(app: &mut App, action: Action) -> Option<Vec<Effect>> {
    let effects = match action {
        Action::PreviousMoment => step(app, SeekDirection::Back),
        Action::NextMoment => step(app, SeekDirection::On),
        Action::PreviousEvent => jump(app, SeekDirection::Back),
        Action::NextEvent => jump(app, SeekDirection::On),
        Action::Play => play(app),
        Action::LiveEdge => to_the_end(app),
        _ => return None,
    };
    Some(effects.unwrap_or_else(|| not_replaying(app)))
}

pub fn not_replaying(app: &mut App) -> Vec<Effect> {
    let way = "cosmoscope replay FILE opens one";
    app.fail("no recording is open", Some(way))
}

/// Another moment of the recording that is open; everything stays in its place.
pub fn on_rewound(
    app: &mut App,
    generation: Generation,
    answer: Result<Shared<Dataset>, WorkFault>,
) -> Vec<Effect> {
    if !is_awaited(app, generation) {
        return Vec::new();
    }
    let data = match answer {
        Ok(data) => data,
        Err(fault) => {
            on_failed(app, fault);
            return Vec::new();
        }
    };
    let mut effects = match &mut app.freeze {
        Freeze::Held(waiting) => {
            *waiting = Some(data);
            Vec::new()
        }
        Freeze::Flowing => update::show(app, data),
    };
    effects.extend(on_shown(app));
    effects
}

/// After a moment is shown the next one is waited for, if it plays.
fn on_shown(app: &mut App) -> Vec<Effect> {
    let Some(replay) = &mut app.cx.playback else {
        return Vec::new();
    };
    if replay.going == PlayMode::Paused {
        return Vec::new();
    }
    if replay.place >= replay.last() {
        replay.going = PlayMode::Paused;
        return app.say("the recording ends here");
    }
    let pause_ms = pause_ms(replay);
    replay.generation = app.cx.turns.next();
    vec![Effect::Wait(replay.generation, pause_ms)]
}

/// It cannot be read any more: what is shown stays, and nothing goes on by itself.
fn on_failed(app: &mut App, fault: WorkFault) {
    if let Some(replay) = &mut app.cx.playback {
        replay.going = PlayMode::Paused;
        let shown = app.cx.data.as_ref().and_then(|data| data.replayed.as_ref());
        replay.place = shown.map_or(replay.place, |shown| shown.place);
    }
    app.status = Status::Failed(fault);
}

/// The pause is over.
pub fn on_due(app: &mut App, generation: Generation) -> Vec<Effect> {
    match &app.cx.playback {
        Some(held) if held.generation == generation && held.going == PlayMode::Playing => {
            let next = held.place + 1;
            ask(app, next)
        }
        _ => Vec::new(),
    }
}

/// The time to the next moment, at this speed.
fn pause_ms(replay: &Playback) -> u64 {
    let at = |place: usize| replay.timeline.moments.get(place).map(|m| m.at.millis());
    let gap = match (at(replay.place), at(replay.place + 1)) {
        (Some(now), Some(next)) => u64::try_from(next - now).unwrap_or(0),
        _ => 0,
    };
    (gap / u64::from(replay.speed.max(1))).clamp(LEAST_PAUSE_MS, MOST_PAUSE_MS)
}

fn ask(app: &mut App, place: usize) -> Vec<Effect> {
    let generation = app.cx.turns.next();
    let Some(replay) = &mut app.cx.playback else {
        return Vec::new();
    };
    replay.place = place.min(replay.last());
    replay.generation = generation;
    vec![Effect::Rewind(generation, replay.path.clone(), replay.place)]
}

/// One moment on at which anything changed, or back.
fn step(app: &mut App, way: SeekDirection) -> Option<Vec<Effect>> {
    let replay = app.cx.playback.as_mut()?;
    replay.going = PlayMode::Paused;
    let moments = &replay.timeline.moments;
    let found = match way {
        SeekDirection::Back => {
            let before = moments.iter().take(replay.place).enumerate();
            before.rev().find(|(place, m)| m.changed || *place == 0)
        }
        SeekDirection::On => {
            let last = replay.last();
            let after = moments.iter().enumerate().skip(replay.place + 1);
            let mut after = after.filter(|(place, m)| m.changed || *place == last);
            after.next()
        }
    };
    if let Some(place) = found.map(|(place, _)| place) {
        return Some(ask(app, place));
    }
    Some(app.say(match way {
        SeekDirection::Back => "the recording begins here",
        SeekDirection::On => "the recording ends here",
    }))
}

/// To the next thing that happened, or the one before.
fn jump(app: &mut App, way: SeekDirection) -> Option<Vec<Effect>> {
    let replay = app.cx.playback.as_mut()?;
    replay.going = PlayMode::Paused;
    let marks = &replay.timeline.marks;
    let found = match way {
        SeekDirection::Back => marks.iter().rev().find(|m| m.place < replay.place),
        SeekDirection::On => marks.iter().find(|m| m.place > replay.place),
    };
    let Some(place) = found.map(|mark| mark.place) else {
        let way = match way {
            SeekDirection::Back => "before",
            SeekDirection::On => "after",
        };
        return Some(app.say(format!("nothing happened {way} this moment")));
    };
    let effects = ask(app, place);
    let reported = events_text(app, place);
    app.say(reported);
    Some(effects)
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum SeekDirection {
    Back,
    On,
}

/// Lets it go on by itself, or stops it. From the end it begins anew.
fn play(app: &mut App) -> Option<Vec<Effect>> {
    let replay = app.cx.playback.as_mut()?;
    if replay.going == PlayMode::Playing {
        replay.going = PlayMode::Paused;
        return Some(Vec::new());
    }
    replay.going = PlayMode::Playing;
    if replay.place >= replay.last() {
        return Some(ask(app, 0));
    }
    Some(on_shown(app))
}

/// To the end: what was known last.
fn to_the_end(app: &mut App) -> Option<Vec<Effect>> {
    let replay = app.cx.playback.as_mut()?;
    replay.going = PlayMode::Paused;
    let last = replay.last();
    if replay.place == last {
        return Some(app.say("the recording ends here"));
    }
    Some(ask(app, last))
}

/// To a moment that was pointed at.
pub fn to(app: &mut App, place: usize) -> Vec<Effect> {
    if let Some(replay) = &mut app.cx.playback {
        replay.going = PlayMode::Paused;
    }
    ask(app, place)
}

/// Sets how many times faster it goes than it was recorded.
pub fn set_speed(app: &mut App, text: &str) -> Option<Vec<Effect>> {
    let replay = app.cx.playback.as_mut()?;
    let number = text.trim().trim_end_matches(['x', '×']).parse::<u32>();
    let Ok(speed @ 1..=MAX_SPEED) = number else {
        return Some(app.fail(
            "the speed is a number from 1 to 100,000",
            Some(":speed 60 shows a minute in a second"),
        ));
    };
    replay.speed = speed;
    app.say(format!("replayed {speed} times as fast as recorded"));
    // The pause that is waited for was measured with the old speed.
    Some(on_shown(app))
}

/// What happened at a moment, in words; names as they are shown.
fn events_text(app: &App, place: usize) -> String {
    let Some(replay) = &app.cx.playback else {
        return String::new();
    };
    let here: Vec<&StoryMark> = replay.timeline.marks.iter().filter(|m| m.place == place).collect();
    let mut words: Vec<String> = here.iter().take(REPORTED).map(|m| words(app, m)).collect();
    if here.len() > REPORTED {
        words.push(format!("and {} more", here.len() - REPORTED));
    }
    words.join("; ")
}

fn words(app: &App, mark: &StoryMark) -> String {
    let asked = &mark.inquiry;
    let what = match &mark.what {
        Marked::KeyOver(share) => {
            format!("a key passed {} % of its limit", rounded_text(share * 100.0))
        }
        Marked::Happened(EventKind::Split { from, into }) => {
            format!("partition {from} split into {}", into.join(" and "))
        }
        Marked::Happened(EventKind::Changed { before, after }) => {
            format!("the partitions changed, from {before} to {after}")
        }
        Marked::Happened(EventKind::Recreated) => "deleted and created again".to_owned(),
        Marked::Happened(EventKind::Failed(_)) => format!("no answer: {}", asked.kind.words()),
        Marked::Happened(EventKind::Recovered) => {
            format!("an answer again: {}", asked.kind.words())
        }
    };
    let name = ContainerName::new(None, asked.database.as_deref(), asked.container.as_deref());
    let name = app.cx.mask.container(&name);
    let of = name.container.or(name.database);
    let text = match of {
        Some(of) => format!("{of}: {what}"),
        None => what,
    };
    crate::model::visible::visible(&text).into_owned()
}

/// While a recording is shown the present is its moment, and of a scenario its newest sample: ages and days left are as they
/// were then.
pub fn keep_time(app: &mut App) {
    let Some(data) = &app.cx.data else {
        return;
    };
    let moment = data.replayed.as_ref().and_then(|shown| {
        let moments = &shown.timeline.moments;
        moments.get(shown.place).map(|moment| moment.at)
    });
    let own = match data.origin {
        Origin::Scenario(_) => data.report.as_of,
        _ => moment,
    };
    app.cx.now = own.or(app.cx.now);
}

#[cfg(test)]
mod tests;
