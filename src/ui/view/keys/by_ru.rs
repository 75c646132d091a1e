//! The list where no sizes are reported: the keys that the RU log names, by their share of RU.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use super::KeysState;
use super::asking::alarmed_keys;
use super::detail::{ru_text, story_lines};
use super::lines::{LineRole, PaneLine, fact};
use super::window::KeyTableRow;
use crate::analysis::arrange::{Sort, SortBy};
use crate::analysis::filter::FilterRow;
use crate::analysis::growth::LimitDay;
use crate::analysis::heat::RangeName;
use crate::analysis::heat::keys::{KeyShare, RecordFilter};
use crate::model::key::Key;
use crate::model::load::RuKey;
use crate::model::names::ContainerName;
use crate::model::time::Stamp;
use crate::model::units::percent_text;
use crate::model::visible::visible;
use crate::report::heat::KeyOf;
use crate::report::key_text::key_text;
use crate::report::ru_keys::{RuKeyRow, RuKeys};
use crate::ui::kit::masking::Mask;
use crate::work::data::{Arranged, Dataset};
use crate::work::shared::Shared;

/// Why there are no sizes, and what brings them.
pub const NO_SIZES: &str = "sizes: not reported; PartitionKeyStatistics shows them";
/// Below keys by number, where the finding has a GUID.
pub const NO_GUIDS: &str =
    "partition: number in the RU log; no input joins it to the finding's GUID";
/// Records of keys that are not kept apart.
const OTHER: &str = "(all other keys)";

/// A key that the RU log names.
#[derive(Clone, PartialEq, Debug)]
pub struct LoggedRuKey {
    pub load: KeyShare,
    /// None where the log names no key.
    pub json: Option<Box<str>>,
    /// As it is found by a filter.
    text: String,
    /// Where most of its RU were logged.
    partition: Option<RangeName>,
}

#[derive(Debug, Default)]
pub struct KeysByRu {
    made_of: Option<(Shared<Arranged>, Sort)>,
    all: Vec<LoggedRuKey>,
    shown: Vec<usize>,
    /// The key that another view asked for.
    pub wanted: Option<Box<str>>,
}

impl KeysByRu {
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Keys of the RU log, shown or not.
    pub fn all(&self) -> usize {
        self.all.len()
    }

    pub fn len(&self) -> usize {
        self.shown.len()
    }

    pub fn get(&self, place: usize) -> Option<&LoggedRuKey> {
        self.all.get(*self.shown.get(place)?)
    }

    pub fn seen(&self, places: Range<usize>) -> impl Iterator<Item = &LoggedRuKey> {
        let shown = self.shown.get(places).unwrap_or_default().iter();
        shown.filter_map(|at| self.all.get(*at))
    }

    /// The keys that are shown, as they are written to a file.
    pub fn exported(&self, list: &Arranged, mask: &Mask) -> RuKeys {
        let held = list.data.capture.container(list.container);
        let name = held.map_or_else(ContainerName::default, |held| held.name.clone());
        let row = |key: &LoggedRuKey| RuKeyRow {
            key: match (key.load.key, key.json.as_deref()) {
                (RuKey::Other, _) => KeyOf::Others,
                (_, Some(json)) => KeyOf::Named(mask.key(json)),
                (_, None) => KeyOf::NotReported,
            },
            load: key.load.clone(),
            partition: key.partition.as_ref().map(|name| name.text().to_owned()),
        };
        RuKeys {
            container: mask.container(&name),
            keys: self.seen(0..self.len()).map(row).collect(),
        }
    }

    fn place(&self, is_it: impl Fn(&LoggedRuKey) -> bool) -> Option<usize> {
        let mut shown = self.shown.iter();
        shown.position(|at| self.all.get(*at).is_some_and(&is_it))
    }

    /// Where the key stands that a finding names; the cursor is there until a person moves it.
    fn alarmed_place(&self) -> Option<usize> {
        let list = self.made_of.as_ref().map(|(list, _)| list);
        let keys = list.map(|list| alarmed_keys(&list.data, list.container));
        let mut keys = keys.into_iter().flatten();
        let place = |wanted: &str| self.place(|key| key.json.as_deref() == Some(wanted));
        keys.find_map(place)
    }
}

/// A key of the RU log as it is read on the screen, masked where names are.
pub fn name(data: &Dataset, key: RuKey, mask: &Mask) -> String {
    shown(key, json_of(data, key).as_deref(), mask)
}

fn shown(key: RuKey, json: Option<&str>, mask: &Mask) -> String {
    if key == RuKey::Other {
        return OTHER.to_owned();
    }
    key_text(json.map(|json| mask.key(json)).as_deref())
}

fn json_of(data: &Dataset, key: RuKey) -> Option<Box<str>> {
    let RuKey::Named(number) = key else {
        return None;
    };
    let canonical = data.capture.load.keys.text(number);
    let key = Key::from_canonical(canonical);
    Some(key.map_or_else(|| canonical.into(), |key| key.json().into()))
}

impl LoggedRuKey {
    /// As it is read on the screen.
    pub fn shown(&self, mask: &Mask) -> String {
        shown(self.load.key, self.json.as_deref(), mask)
    }

    pub fn partition(&self) -> Option<&RangeName> {
        self.partition.as_ref()
    }

    /// `contoso  93 % of RU  peak 12,704 RU/s  partition 0`.
    pub fn line(&self, mask: &Mask) -> String {
        let mut facts = vec![
            self.shown(mask),
            format!("{} of RU", percent_text(self.load.share)),
            format!("peak {} RU/s", ru_text(self.load.peak_ru_per_second)),
        ];
        let partition = self.partition.as_ref().map(|p| visible(p.text()));
        facts.extend(partition.map(|name| format!("partition {name}")));
        facts.join("  ")
    }
}

/// Sizes and what follows from them are unknown: no comparison with them passes.
impl FilterRow for LoggedRuKey {
    fn text(&self) -> Cow<'_, str> {
        Cow::Borrowed(&self.text)
    }

    fn size_kib(&self) -> f64 {
        f64::NAN
    }

    fn share(&self) -> f64 {
        f64::NAN
    }

    fn growth_kib_per_day(&self) -> Option<f64> {
        None
    }

    fn limit_date(&self) -> LimitDay {
        LimitDay::Unknown
    }

    fn ru(&self) -> Option<f64> {
        Some(self.load.ru)
    }

    fn partition(&self) -> Option<&str> {
        self.partition.as_ref().map(RangeName::text)
    }

    fn region(&self) -> Option<&str> {
        None
    }

    fn samples(&self) -> u64 {
        0
    }
}

/// The order of this list: what needs a size is by RU.
pub fn sort(wanted: Sort) -> Sort {
    match wanted.by {
        SortBy::Ru | SortBy::Partition | SortBy::Key => wanted,
        _ => Sort::by(SortBy::Ru),
    }
}

/// Lists the keys of the RU log where the newest answer has no sizes.
pub fn settle(state: &mut KeysState) {
    let list = state.list.clone();
    let Some(list) = list.filter(|list| list.len_unfiltered() == 0) else {
        state.by_ru = KeysByRu::default();
        return;
    };
    let made_of = (list.clone(), sort(state.sort));
    let held = state.by_ru.made_of.as_ref();
    if held == Some(&made_of) && state.by_ru.wanted.is_none() {
        return;
    }
    let is_same = |held: &Arranged| held.data == list.data && held.container == list.container;
    let chosen = state.by_ru.get(state.cursor.chosen).map(|key| key.load.key);
    let is_moved =
        state.is_rearranged || state.cursor.chosen != state.by_ru.alarmed_place().unwrap_or(0);
    if !held.is_some_and(|(held, _)| is_same(held)) {
        state.by_ru.all = logged_keys(&list.data, list.container);
    }
    let all = &state.by_ru.all;
    let mut shown: Vec<usize> = (0..all.len())
        .filter(|at| all.get(*at).is_some_and(|key| list.filter.passes(key)))
        .collect();
    order(&mut shown, all, made_of.1);
    state.by_ru.shown = shown;
    state.by_ru.made_of = Some(made_of);
    let place = if let Some(wanted) = state.by_ru.wanted.take() {
        state.by_ru.place(|key| key.json.as_ref() == Some(&wanted))
    } else {
        let alarmed = state.by_ru.alarmed_place().filter(|_| !is_moved);
        alarmed.or_else(|| state.by_ru.place(|key| Some(key.load.key) == chosen))
    };
    state.cursor.chosen = place.unwrap_or(state.cursor.chosen);
}

fn order(shown: &mut [usize], all: &[LoggedRuKey], sort: Sort) {
    // They come by RU already, the most first.
    match sort.by {
        SortBy::Key => shown.sort_by_key(|at| all.get(*at).map(|key| key.text.as_str())),
        SortBy::Partition => shown.sort_by_key(|at| {
            let name = all.get(*at)?.partition.as_ref()?.text();
            Some((name.len(), name))
        }),
        _ => {}
    }
    if sort.direction != sort.by.first_direction() {
        shown.reverse();
    }
}

fn logged_keys(data: &Dataset, container: u32) -> Vec<LoggedRuKey> {
    let Some(heat) = data.heat.container(container) else {
        return Vec::new();
    };
    let mut busiest: HashMap<RuKey, (f64, u32)> = HashMap::new();
    for cell in heat.keys.cells() {
        let held = busiest.entry(cell.key).or_insert((cell.ru, cell.partition));
        if cell.ru > held.0 {
            *held = (cell.ru, cell.partition);
        }
    }
    let names = &data.capture.load.keys;
    let ranked = heat.keys.ranked(RecordFilter::default(), names).into_iter();
    let keys = ranked.map(|load| {
        let json = json_of(data, load.key);
        let partition = busiest.get(&load.key).map(|(_, partition)| *partition);
        let partition = partition.and_then(|at| heat.partitions.get(at as usize));
        LoggedRuKey {
            text: key_text(json.as_deref()),
            json,
            partition: partition.map(|partition| partition.named.clone()),
            load,
        }
    });
    keys.collect()
}

/// With its key as it is, not shortened yet.
pub fn row(key: &LoggedRuKey, mask: &Mask) -> KeyTableRow {
    let since = key.load.since.or(key.load.first);
    let since = since.and_then(Stamp::from_seconds);
    let partition = key.partition.as_ref().map(|p| visible(p.text()).into_owned());
    KeyTableRow {
        key: key.shown(mask),
        ru_share: key.load.share,
        ru: percent_text(key.load.share),
        ru_peak: ru_text(key.load.peak_ru_per_second),
        busy_since: since.map_or_else(String::new, Stamp::minute_text),
        partition: partition.unwrap_or_default(),
        ..KeyTableRow::default()
    }
}

/// Free rows from which a series is a chart, and the most it takes.
const CHART_LEAST: usize = 4;
const CHART_MOST: u16 = 10;

/// What the RU log shows of a key, for the pane of the chosen one; its chart takes the rows that the facts leave.
pub fn lines(list: &Arranged, key: RuKey, (width, height): (usize, usize)) -> Vec<PaneLine> {
    let data = &list.data;
    let Some(heat) = data.heat.container(list.container) else {
        return Vec::new();
    };
    let Some(story) = heat.keys.story(key) else {
        return Vec::new();
    };
    let mut lines =
        fact("size", LineRole::Text, "not reported; PartitionKeyStatistics shows it", width);
    let whole = data.lookups.ru.of_container(list.container);
    let share = whole.filter(|whole| *whole > 0.0).map(|whole| story.ru / whole);
    let share = share
        .map_or_else(String::new, |share| format!(", {} of the container's", percent_text(share)));
    let words = format!("{} RU in the logs{share}", ru_text(story.ru));
    lines.extend(fact("RU", LineRole::Text, &words, width));
    let of_story = |rows| story_lines(data, heat, &story, (width, rows));
    let least = of_story(1);
    let free = height.saturating_sub(lines.len() + least.len());
    let high = u16::try_from(free).unwrap_or(u16::MAX).min(CHART_MOST);
    lines.extend(if free < CHART_LEAST { least } else { of_story(high) });
    lines
}
