//! The partitions of a container in time, played like a film: fill, throttle, split.

use crate::model::time::DAY_S;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Span;

use super::dials::ForecastDials;
use crate::analysis::ceiling::{Ceiling, Mark};
use crate::analysis::simulate::{
    LapseEvent, LapseFrame, OverflowPolicy, PartitionFrame, SimulateQuestion, TimeLapse,
};
use crate::model::units::{
    PHYSICAL_CEILING_KIB, as_number, kib_text, percent_text, real_seconds, trimmed_text,
    whole_text, whole_u64,
};
use crate::model::visible::visible;
use crate::report::simulate::event_text;
use crate::ui::kit::cx::{Cx, PlayMode};
use crate::ui::kit::msg::{Effect, Generation};
use crate::ui::kit::panel::Panel;
use crate::ui::kit::theme::Theme;
use crate::ui::kit::{bar, text};
use crate::work::shared::Shared;
use crate::work::simulate::SimulateAsk;

/// Load is followed by the mean of its cycle: who plays looks at days.
const STEP_S: i64 = 86_400;
/// Narrower than this two films have no room beside each other: the other key's is shown.
const LEAST_OF_TWO: u16 = 120;
/// Frames a second.
const SPEEDS: [u64; 5] = [2, 5, 10, 20, 40];
/// Columns of a partition's name, of its size and of its load.
const NAME: u16 = 6;
const SIZE: u16 = 10;
const LOAD: u16 = 36;
/// Events below the partitions at the least.
const LEAST_EVENTS: u16 = 3;
/// Rows of a partition at the most.
const TALLEST: u16 = 4;

/// Films of the same time beside each other, and where they stand.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Player {
    /// The answer that is waited for, and the question.
    asked: Option<(Generation, SimulateAsk)>,
    /// Today's key, then another one.
    wanted: Vec<SimulateAsk>,
    films: Vec<(SimulateAsk, Shared<TimeLapse>)>,
    /// Of each that is wanted, with names and keys masked where masks are on.
    shown: Vec<Option<TimeLapse>>,
    /// Seconds at which any of them has a frame.
    moments: Vec<i64>,
    place: usize,
    mode: PlayMode,
    speed: usize,
    /// The pause that counts.
    pause: Option<Generation>,
}

impl Default for Player {
    fn default() -> Self {
        Self {
            asked: None,
            wanted: Vec::new(),
            films: Vec::new(),
            shown: Vec::new(),
            moments: Vec::new(),
            place: 0,
            mode: PlayMode::Paused,
            speed: 2,
            pause: None,
        }
    }
}

/// What is asked with the dials as they are.
pub(super) fn question(ceiling: Ceiling, dials: &ForecastDials) -> SimulateQuestion {
    let until = dials.days_ahead() * DAY_S;
    SimulateQuestion {
        ceiling,
        until_s: i64::try_from(whole_u64(until)).unwrap_or(i64::MAX),
        step_s: STEP_S,
        load_factor: 1.0,
        load_growth: dials.load_growth,
        ru_per_second: dials.ru,
        partitions: dials.partitions,
        growth_factor: dials.growth_factor,
        kept_days: dials.kept_days,
        retries: None,
        overflow: OverflowPolicy::Stop,
        stop_at: None,
        seed: 1,
    }
}

impl Player {
    fn shown(&self) -> impl Iterator<Item = &TimeLapse> {
        self.shown.iter().flatten()
    }

    pub fn first(&self) -> Option<&TimeLapse> {
        self.shown().next()
    }

    /// As they are shown, once all of them are there.
    pub fn lapses(&self) -> Result<Vec<TimeLapse>, &'static str> {
        let all: Option<Vec<TimeLapse>> = self.shown.iter().cloned().collect();
        let all = all.filter(|all| !all.is_empty());
        all.ok_or("the simulation is not there yet")
    }

    fn now_s(&self) -> i64 {
        self.moments.get(self.place).copied().unwrap_or(0)
    }

    fn last(&self) -> usize {
        self.moments.len().saturating_sub(1)
    }

    /// Films of these questions: asks for the next one that is not there.
    pub fn want(&mut self, cx: &Cx, wanted: Vec<SimulateAsk>) -> Option<Effect> {
        if wanted != self.wanted {
            self.films.retain(|(of, _)| wanted.contains(of));
            self.asked.take_if(|(_, of)| !wanted.contains(of));
            self.wanted = wanted;
            self.show(cx);
        }
        if self.asked.is_some() {
            return None;
        }
        let is_there = |ask: &&SimulateAsk| self.films.iter().any(|(of, _)| of == *ask);
        let ask = self.wanted.iter().find(|ask| !is_there(ask))?.clone();
        let generation = cx.turns.next();
        self.asked = Some((generation, ask.clone()));
        Some(Effect::Simulate(generation, ask))
    }

    pub fn answer(&mut self, cx: &Cx, generation: Generation, lapse: &Shared<TimeLapse>) {
        let is_it = |(of, _): &mut (Generation, SimulateAsk)| *of == generation;
        if let Some((_, ask)) = self.asked.take_if(is_it) {
            self.films.push((ask, lapse.clone()));
            self.show(cx);
        }
    }

    pub fn show(&mut self, cx: &Cx) {
        let now = self.now_s();
        let masker = cx.mask.shared();
        let films = self.wanted.iter().map(|ask| {
            let (_, film) = self.films.iter().find(|(of, _)| of == ask)?;
            let mut shown = TimeLapse::clone(film);
            if let Some(masker) = &masker {
                shown.mask(masker);
            }
            Some(shown)
        });
        self.shown = films.collect();
        let frames = self.shown().flat_map(|film| &film.frames);
        self.moments = frames.map(|frame| frame.at_s).collect();
        self.moments.sort_unstable();
        self.moments.dedup();
        let place = self.moments.partition_point(|at| *at < now);
        self.place = place.min(self.last());
    }

    pub fn is_asked(&self) -> bool {
        self.asked.is_some()
    }

    pub fn is_playing(&self) -> bool {
        self.mode == PlayMode::Playing
    }

    pub fn play(&mut self, mode: PlayMode) {
        self.mode = mode;
        if mode == PlayMode::Playing && self.place >= self.last() {
            self.place = 0;
        }
    }

    pub fn step(&mut self, by: isize) {
        self.mode = PlayMode::Paused;
        self.place = self.place.saturating_add_signed(by).min(self.last());
    }

    /// To the frame of the next event, or of the one before.
    pub fn jump_to_event(&mut self, is_next: bool) -> bool {
        self.mode = PlayMode::Paused;
        let now = self.now_s();
        let events = self.shown().flat_map(|film| &film.events);
        let moments = events.map(|event| event.at_s);
        let found = if is_next {
            moments.filter(|at| *at > now).min()
        } else {
            moments.filter(|at| *at < now).max()
        };
        let place = found.map(|at| self.moments.partition_point(|moment| *moment < at));
        self.place = place.map_or(self.place, |place| place.min(self.last()));
        place.is_some()
    }

    /// How many frames a second from now on.
    pub fn turn_speed(&mut self, is_up: bool) -> u64 {
        let next = if is_up { self.speed + 1 } else { self.speed.saturating_sub(1) };
        self.speed = next.min(SPEEDS.len() - 1);
        self.frames_a_second()
    }

    fn frames_a_second(&self) -> u64 {
        SPEEDS.get(self.speed).copied().unwrap_or(1)
    }

    /// A pause until the next frame, where one is to come and none is waited for.
    pub fn wait(&mut self, cx: &Cx) -> Option<Effect> {
        if !self.is_playing() || self.shown().next().is_none() || self.pause.is_some() {
            return None;
        }
        let generation = cx.turns.next();
        self.pause = Some(generation);
        Some(Effect::WaitForFrame(generation, 1_000 / self.frames_a_second()))
    }

    pub fn is_awaited(&self, generation: Generation) -> bool {
        self.pause == Some(generation)
    }

    /// The pause is over.
    pub fn on_due(&mut self) {
        self.pause = None;
        if self.is_playing() && self.place < self.last() {
            self.place += 1;
        }
        if self.place >= self.last() {
            self.mode = PlayMode::Paused;
        }
    }
}

/// ```text
/// ├──•───┃─────•───────┤  2026-12-28, day 183 of 365
/// p0  32.1 GiB ████████▌░░│░  5,000 of 10,000 RU/s, 429 12 %
/// 2026-07-05 10:12 key A on partition 0: writes get 403 at 20.0 GiB
/// ```
pub(super) fn draw(player: &Player, cx: &Cx, title: &str, area: Rect, buffer: &mut Buffer) {
    let films = if area.width < LEAST_OF_TWO { 1 } else { 2 };
    let skipped = player.wanted.len().saturating_sub(films);
    let count = u16::try_from(player.wanted.len() - skipped).unwrap_or(1);
    let width = area.width / count.max(1);
    let shown = player.wanted.iter().zip(&player.shown).skip(skipped);
    for ((ask, film), index) in shown.zip(0..count) {
        let left = width * index;
        let taken = if index + 1 == count { area.width - left } else { width };
        let column = text::column(area, left, taken);
        let area = Rect { height: area.height, ..column };
        draw_film(player, cx, (ask, film.as_ref()), title, area, buffer);
    }
}

fn draw_film(
    player: &Player,
    cx: &Cx,
    (ask, film): (&SimulateAsk, Option<&TimeLapse>),
    title: &str,
    area: Rect,
    buffer: &mut Buffer,
) {
    let theme = &cx.theme;
    let aside = match (film, player.is_playing()) {
        (None, _) if player.asked.is_some() => "being simulated".to_owned(),
        (_, true) => format!("{} frames a second", player.frames_a_second()),
        (_, false) => "paused".to_owned(),
    };
    let title = match &ask.moved {
        None => format!("{title} in time"),
        Some(to) => format!("with {} in time", visible(&to.key.to_string())),
    };
    let inner = Panel::new(title).aside(aside).draw(buffer, area, theme);
    let Some(film) = film else { return };
    let now = player.now_s();
    let after = film.frames.partition_point(|frame| frame.at_s <= now);
    let Some(frame) = film.frames.get(after.saturating_sub(1)) else {
        return;
    };
    draw_track(film, now, theme, text::row(inner, 0), buffer);
    let rows = inner.height.saturating_sub(1);
    let partitions = u16::try_from(frame.partitions.len()).unwrap_or(u16::MAX);
    let most = rows.saturating_sub(LEAST_EVENTS);
    let shown = partitions.min(most);
    let tall = (most / 2).checked_div(shown).unwrap_or(1).clamp(1, TALLEST);
    for (partition, index) in most_telling(frame).into_iter().zip(0..shown) {
        let area = text::rows(inner, 1 + index * tall, tall);
        draw_partition(partition, theme, area, buffer);
    }
    let taken = shown * tall;
    let room = text::rows(inner, 1 + taken, rows.saturating_sub(taken));
    draw_events(film, now, theme, room, buffer);
}

/// Those that throttle most first, then those that split, the hottest and the fullest ones.
fn most_telling(frame: &LapseFrame) -> Vec<&PartitionFrame> {
    let mut all: Vec<&PartitionFrame> = frame.partitions.iter().collect();
    let known = |of: Option<f64>| of.unwrap_or(0.0);
    let used = |of: &PartitionFrame| known(of.demand.zip(of.ru_per_second).map(|(d, ru)| d / ru));
    all.sort_by(|a, b| {
        let throttled = known(b.throttled_share).total_cmp(&known(a.throttled_share));
        let split = b.is_splitting.cmp(&a.is_splitting);
        let hot = used(b).total_cmp(&used(a));
        throttled.then(split).then(hot).then(known(b.kib).total_cmp(&known(a.kib)))
    });
    all
}

/// Time as a line with its events, and where the film stands.
fn draw_track(film: &TimeLapse, now: i64, theme: &Theme, row: Rect, buffer: &mut Buffer) {
    let day = |at_s: i64| trimmed_text((real_seconds(at_s) / DAY_S).floor());
    let date = film.moment(now).map(|at| format!("{}, ", at.date_text()));
    let words = format!("  {}day {} of {}", date.unwrap_or_default(), day(now), day(film.seconds));
    let taken = u16::try_from(text::width(&words, theme.glyphs)).unwrap_or(u16::MAX);
    let width = usize::from(row.width.saturating_sub(taken));
    let place = |at_s: i64| {
        let part = real_seconds(at_s) / real_seconds(film.seconds.max(1));
        let at = part * as_number(width.saturating_sub(1));
        crate::model::units::whole_usize(at.floor())
    };
    let signs = theme.glyphs.signs();
    let mut cells = vec![(signs.frame.horizontal, theme.dim); width];
    for event in &film.events {
        if let Some(cell) = cells.get_mut(place(event.at_s)) {
            *cell = (signs.dot, theme.warn);
        }
    }
    if let Some(cell) = cells.get_mut(place(now)) {
        *cell = (signs.frame_focused.vertical, theme.accent);
    }
    let mut spans: Vec<Span> =
        cells.into_iter().map(|(sign, style)| Span::styled(sign, style)).collect();
    spans.push(Span::styled(words, theme.text));
    text::left(buffer, row, &spans, theme);
}

fn draw_partition(of: &PartitionFrame, theme: &Theme, area: Rect, buffer: &mut Buffer) {
    let row = text::row(area, 0);
    let name = text::shorten(&format!("p{}", visible(&of.id)), NAME.into(), theme.glyphs);
    let size = of.kib.map_or_else(|| "–".to_owned(), kib_text);
    text::left(buffer, text::column(row, 0, NAME), &[Span::styled(name, theme.text)], theme);
    let column = text::column(row, NAME, SIZE);
    text::right(buffer, column, &[Span::styled(size, theme.text)], theme);
    let (load, style) = load(of, theme);
    let right = row.width.saturating_sub(NAME + SIZE + 2);
    let bar_columns = right.saturating_sub(LOAD).max(right / 3);
    if let Some(kib) = of.kib {
        let column = text::column(area, NAME + SIZE + 1, bar_columns);
        for index in 0..area.height {
            let row = text::row(column, index);
            bar::bar(buffer, row, kib / PHYSICAL_CEILING_KIB, theme);
        }
    }
    let from = NAME + SIZE + 2 + bar_columns;
    let column = text::column(row, from, row.width.saturating_sub(from));
    text::left(buffer, column, &[Span::styled(load, style)], theme);
}

/// `splits` or `12,000 of 10,000 RU/s, 429: 17 %`
fn load(of: &PartitionFrame, theme: &Theme) -> (String, Style) {
    let share = of.throttled_share.filter(|share| *share > 0.0);
    let ru = of.demand.zip(of.ru_per_second);
    let mut said = Vec::new();
    if of.is_splitting {
        said.push("splits".to_owned());
    }
    said.extend(
        ru.map(|(demand, most)| format!("{} of {} RU/s", whole_text(demand), whole_text(most))),
    );
    said.extend(share.map(|share| format!("429: {}", percent_text(share))));
    let mark = match (share, ru) {
        (Some(_), _) => Mark::Full,
        (None, Some((demand, most))) => Mark::of(demand / most),
        (None, None) => Mark::Below,
    };
    (said.join(", "), theme.mark(mark))
}

/// The newest events up to this frame, the newest one first, behind the next one.
fn draw_events(film: &TimeLapse, now: i64, theme: &Theme, room: Rect, buffer: &mut Buffer) {
    let past = film.events.partition_point(|event| event.at_s <= now);
    let (before, after) = film.events.split_at(past);
    let next = after.first().map(|event| (event, theme.dim));
    let newest = before.iter().rev().map(|event| (event, theme.text));
    let all: Vec<(&LapseEvent, Style)> = next.into_iter().chain(newest).collect();
    let mut used = 0;
    if all.is_empty() {
        let words = "Nothing happens in this time: no 429s, no split, no key at its limit.";
        used = text::paragraph(buffer, room, words, theme.dim, theme);
    }
    for (event, style) in all {
        let sign = if event.at_s > now { "next " } else { "" };
        let words = theme.glyphs.sentence(&event_text(film, event)).into_owned();
        let left = text::rows(room, used, room.height.saturating_sub(used));
        if left.height == 0 {
            break;
        }
        used += text::paragraph(buffer, left, &format!("{sign}{words}"), style, theme);
    }
    // Where there is room below the events: what the film leaves open.
    let below = text::rows(room, used + 1, room.height.saturating_sub(used + 1));
    if below.height > 0 {
        let notes: Vec<&str> = film.notes.iter().map(|note| note.text.as_str()).collect();
        let notes = visible(&notes.join(" ")).into_owned();
        let words = theme.glyphs.sentence(&notes).into_owned();
        text::paragraph(buffer, below, &words, theme.dim, theme);
    }
}
