//! The logical keys of the chosen partition, by the RU that the logs give them and by size.

mod emptiness;
mod entries;
mod paint;
mod stretch;

use std::ops::Range;

use ratatui::layout::Rect;

use super::layout::{HeatAreas, HeatPane, MOST_KEY_LINES, MapColumns, lines_each};
use super::{head, names, time};
use crate::analysis::diagnosis::Verdict;
use crate::analysis::heat::RangeName;
use crate::analysis::heat::grid::Window;
use crate::analysis::heat::keys::RecordFilter;
use crate::model::visible::visible;
use crate::ui::kit::action::Action;
use crate::ui::kit::cx::Cx;
use crate::ui::kit::list::{Cursor, Orders, further};
use crate::ui::kit::msg::{Destination, Effect, OnScreen, ViewId};
use crate::ui::kit::text;
use crate::ui::view::heat;
use crate::ui::view::heat::scope::HeatScope;
use crate::work::data::Dataset;
use crate::work::shared::Shared;

pub use entries::{EntryKey, ListedKey, shown};
pub use paint::{disagreement, draw};

/// Keys among which the blamed one is looked for.
const MOST_LOOKED_AT: usize = 2000;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum KeyOrder {
    #[default]
    Ru,
    Size,
    Since,
    Key,
}

pub const ORDERS: Orders<KeyOrder> = Orders {
    all: &[KeyOrder::Ru, KeyOrder::Size, KeyOrder::Since, KeyOrder::Key],
    names: &["ru", "size", "since", "key"],
};

/// What the entries were made of.
#[derive(Clone, PartialEq, Debug)]
struct KeyListInputs {
    data: Shared<Dataset>,
    container: u32,
    /// None: the whole container, where no partition is known.
    partition: Option<u32>,
    region: Option<u16>,
    span: Option<(i64, i64)>,
    by: KeyOrder,
    pub filter: String,
    names: u64,
}

impl KeyListInputs {
    fn which(&self) -> RecordFilter {
        RecordFilter { region: self.region, partition: self.partition, span: self.span }
    }
}

/// What the rows that are seen were made of.
#[derive(Clone, PartialEq, Debug)]
struct KeyRowsInputs {
    seen: Range<usize>,
    of: Option<KeyListInputs>,
    window: Option<Window>,
    columns: MapColumns,
    lines: u16,
}

#[derive(Debug, Default)]
pub struct KeyListState {
    pub cursor: Cursor,
    /// None until one is chosen: by RU, and by size where the verdict blames a size.
    wanted: Option<KeyOrder>,
    pub filter: String,
    made_of: Option<KeyListInputs>,
    pub entries: Vec<ListedKey>,
    /// Whether RU of all regions are taken together: the region of the track has none.
    pub is_all_regions: bool,
    /// The minutes of their records, where no span is chosen: what their shares are of.
    logged: Option<(i64, i64)>,
    /// Their first record: what is busy then may have been so before.
    begins: Option<i64>,
    /// The most RU a second of any of them.
    most_ru: f64,
    /// The share of RU without a key, where it is much.
    keyless: Option<f64>,
    /// Lines of a row.
    lines: u16,
    rows_of: Option<KeyRowsInputs>,
    rows: Vec<paint::KeyListRow>,
    /// What the key of the verdict has since it is busy.
    blamed: Option<String>,
}

impl KeyListState {
    /// What the keys stand in order of.
    fn by(&self) -> KeyOrder {
        self.made_of.as_ref().map_or(KeyOrder::Ru, |of| of.by)
    }

    /// What is said of all entries together.
    fn sum_up(&mut self, entries: &[ListedKey], of: Option<&KeyListInputs>, width_s: i64) {
        let loads = || entries.iter().filter_map(|entry| entry.load.as_ref());
        let peaks = loads().map(|load| load.peak_ru_per_second);
        self.most_ru = peaks.fold(0.0, f64::max);
        let ends = loads().filter_map(|load| load.first.zip(load.last));
        let ends = ends.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)));
        let whole = |(from, last): (i64, i64)| {
            let to = last + width_s;
            (from - from.rem_euclid(60), to + (-to).rem_euclid(60))
        };
        self.begins = ends.map(|(first, _)| first);
        self.logged = ends.filter(|_| of.is_some_and(|of| of.span.is_none()));
        self.logged = self.logged.map(whole);
        let keyless = entries.iter().find(|entry| entry.is_keyless());
        let keyless = keyless.and_then(|entry| Some(entry.load.as_ref()?.share));
        let much = of.map(|of| of.data.thresholds.null_share);
        self.keyless = keyless.filter(|share| much.is_some_and(|much| *share >= much));
    }

    /// Back to the first key.
    pub fn rewind(&mut self) {
        self.cursor = Cursor::default();
    }

    /// The lines of a row that is seen, in the room of all rows.
    fn lines_of(&self, rows: Rect, at: usize) -> Rect {
        let start = u16::try_from(at).unwrap_or(u16::MAX);
        text::rows(rows, start.saturating_mul(self.lines), self.lines)
    }

    /// The time that their shares are of.
    fn span(&self) -> Option<(i64, i64)> {
        self.made_of.as_ref().and_then(|of| of.span).or(self.logged)
    }

    /// Which records of the partition their shares are of.
    fn records(&self) -> Option<RecordFilter> {
        let of = self.made_of.as_ref()?;
        Some(RecordFilter { region: of.region.filter(|_| !self.is_all_regions), ..of.which() })
    }

    /// The heading, and the sentence on requests without a key.
    fn other_lines(&self) -> u16 {
        1 + u16::from(self.keyless.is_some())
    }

    /// Rows that are seen below the heading.
    fn seen_rows(&self, height: u16) -> usize {
        usize::from(height.saturating_sub(self.other_lines()) / self.lines.max(1))
    }
}

/// Makes the entries of the chosen partition, and the rows that are seen.
pub fn settle(state: &mut heat::HeatState, cx: &Cx, areas: &HeatAreas) {
    let found = (|| {
        let scope = state.scope.as_ref()?;
        Some(KeyListInputs {
            data: scope.data.clone(),
            container: scope.container,
            partition: match state.chosen() {
                None if !scope.rows.is_empty() => return None,
                chosen => chosen.filter(|at| are_keys_told(scope, *at)),
            },
            region: entries::region(scope),
            span: time::chosen_span(state),
            by: state.list.wanted.unwrap_or_else(|| order_of_blame(state)),
            filter: state.list.filter.clone(),
            names: state.names,
        })
    })();
    if state.list.made_of != found {
        let other =
            |made: &KeyListInputs| found.as_ref().map(|f| f.partition) != Some(made.partition);
        if state.list.made_of.as_ref().is_some_and(other) {
            state.list.rewind();
        }
        let is_first = state.list.cursor == Cursor::default();
        let (entries, is_all_regions) = match &found {
            Some(of) => entries::listed_keys(state, cx, of.which(), of.by, &of.filter),
            None => (Vec::new(), false),
        };
        let heat = state.scope.as_ref().and_then(|scope| scope.heat());
        let width_s = heat.map_or(1, |heat| i64::from(heat.keys.width_s));
        let list = &mut state.list;
        list.sum_up(&entries, found.as_ref(), width_s);
        list.entries = entries;
        list.is_all_regions = is_all_regions;
        list.made_of = found;
        list.rows_of = None;
        if is_first {
            choose_blamed(state);
        }
    }
    let columns = state.map.columns;
    let list = &mut state.list;
    // Lines below the map are easier to see where they are higher.
    let room = areas.keys.height.saturating_sub(list.other_lines());
    list.lines = if columns.has_key_lines && list.most_ru > 0.0 {
        lines_each(list.entries.len(), room, MOST_KEY_LINES)
    } else {
        1
    };
    let height = list.seen_rows(areas.keys.height);
    list.cursor.settle(list.entries.len(), height);
    let seen = list.cursor.window(list.entries.len(), height);
    let rows_of = Some(KeyRowsInputs {
        seen: seen.clone(),
        of: list.made_of.clone(),
        window: state.map.window,
        columns,
        lines: list.lines,
    });
    if list.rows_of != rows_of {
        let rows = paint::rows(state, cx, seen);
        state.list.rows = rows;
        state.list.rows_of = rows_of;
        state.list.blamed = stretch::of_blamed(state);
    }
}

/// Whether an input may name keys of this partition: request logs name partitions by GUIDs, of which the RU log knows none.
fn are_keys_told(scope: &HeatScope, at: u32) -> bool {
    let partition = scope.partition(at);
    let is_apart =
        partition.is_some_and(|p| p.known.is_none() && matches!(p.named, RangeName::Guid(_)));
    let keys = scope.heat().map(|heat| &heat.keys);
    !is_apart || keys.is_none_or(|keys| keys.cells().is_empty() || keys.has_partition(at))
}

/// The order in which the key that the verdict blames stands at the top.
fn order_of_blame(state: &heat::HeatState) -> KeyOrder {
    if head::worst(state).is_some_and(Verdict::is_of_size) { KeyOrder::Size } else { KeyOrder::Ru }
}

/// Until a person moved it, the cursor stands on the key that the verdict blames.
fn choose_blamed(state: &mut heat::HeatState) {
    let found = (|| {
        let key = head::worst(state)?.key.as_deref()?;
        let scope = state.scope.as_ref()?;
        let entries = state.list.entries.iter();
        let mut entries = entries.take(MOST_LOOKED_AT);
        entries.position(|entry| entry.canonical(scope).as_deref() == Some(key))
    })();
    if let Some(at) = found {
        state.list.cursor.chosen = at;
    }
}

/// Of which region, partition and time the keys are, from the longest text to the shortest one that says it all.
pub fn scopes(state: &heat::HeatState) -> Vec<String> {
    let Some(scope) = &state.scope else {
        return vec!["keys".to_owned()];
    };
    let of = state.list.made_of.as_ref().and_then(|of| of.partition);
    let named = of.and_then(|at| scope.partition(at));
    let named = named.map(|partition| &partition.named);
    let apart = state.chosen().filter(|_| of.is_none());
    let apart = apart.and_then(|at| scope.partition(at));
    let all = || match apart {
        Some(apart) => {
            let name = names::label(&apart.named);
            format!("the container: no input says which are of {name}")
        }
        None => "the container".to_owned(),
    };
    let sentence = named.map_or_else(all, names::sentence);
    let short = named.map_or_else(all, names::short_sentence);
    let label = named.map_or_else(|| "all keys".to_owned(), names::label);
    let list = &state.list;
    let mut rest = String::new();
    let mut region = None;
    if list.entries.iter().any(|entry| entry.load.is_some()) {
        if list.is_all_regions {
            rest.push_str(", all regions");
        } else if list.made_of.as_ref().is_some_and(|of| of.region.is_some()) {
            let track = scope.track().and_then(|track| track.region.as_deref());
            region = track.map(|region| format!(", {}", visible(region)));
        }
    }
    if !list.filter.is_empty() {
        rest.push_str(", filtered");
    }
    // The line above the map names the region as well.
    let region = region.unwrap_or_default();
    let clocks = |(from, to)| format!(", {}", names::clocks(from, to));
    let chosen = list.made_of.as_ref().and_then(|of| of.span);
    let chosen = chosen.map(clocks).unwrap_or_default();
    let time = list.span().map(clocks).unwrap_or_default();
    // A verdict is of less time, and its shares are others.
    let length = list.span().map(|(from, to)| {
        let seconds = to.saturating_sub(from).max(0).unsigned_abs();
        format!(" ({})", names::length(seconds))
    });
    let length = length.unwrap_or_default();
    let mut texts = vec![
        format!("keys of {sentence}{region}{time}{length}{rest}"),
        format!("keys of {sentence}{time}{length}{rest}"),
        format!("keys of {sentence}{time}{rest}"),
        format!("{sentence}{time}{rest}"),
        format!("keys of {sentence}{chosen}{rest}"),
        format!("keys of {short}{time}{rest}"),
        format!("keys of {short}{chosen}{rest}"),
        format!("{sentence}{chosen}{rest}"),
        format!("{label}{chosen}{rest}"),
    ];
    texts.dedup();
    texts
}

pub fn moved(state: &mut heat::HeatState, action: Action, height: u16) {
    let list = &mut state.list;
    let count = list.entries.len();
    let height = list.seen_rows(height);
    list.cursor.act(action, count, height);
}

/// The entry in a row of the screen, counted from the first one that is seen.
pub fn row(state: &heat::HeatState, below: usize) -> Option<usize> {
    let list = &state.list;
    let at = list.cursor.first + below / usize::from(list.lines.max(1));
    (at < list.entries.len()).then_some(at)
}

pub fn sort_further(state: &mut heat::HeatState, step: isize) -> Vec<Effect> {
    let by = further(ORDERS.all, &state.list.by(), step);
    use_order(state, by)
}

pub fn sort_by(state: &mut heat::HeatState, column: &str) -> Vec<Effect> {
    match ORDERS.named(column) {
        Some(by) => use_order(state, by),
        None => ORDERS.unknown("there is no column", column),
    }
}

fn use_order(state: &mut heat::HeatState, by: KeyOrder) -> Vec<Effect> {
    state.list.wanted = Some(by);
    state.list.rewind();
    Effect::say(format!("keys by {}", ORDERS.name(by)))
}

pub fn set_filter(state: &mut heat::HeatState, text: &str) {
    text.clone_into(&mut state.list.filter);
    state.list.rewind();
    if !text.is_empty() {
        state.pane = HeatPane::Keys;
    }
}

/// The key under the cursor in the list of keys of its container.
pub fn enter(state: &mut heat::HeatState) -> Vec<Effect> {
    let found = (|| {
        let scope = state.scope.as_ref()?;
        let entry = state.list.entries.get(state.list.cursor.chosen)?;
        Some((scope.container, entry.canonical(scope)?))
    })();
    if let Some((container, canonical)) = found {
        return OnScreen::Go(Destination {
            view: ViewId::Keys,
            container,
            key: Some(canonical.into()),
        })
        .alone();
    }
    Effect::fail("there is no key here that could be shown", None)
}

/// The key under the cursor.
pub fn chosen(state: &heat::HeatState) -> Option<&ListedKey> {
    state.list.entries.get(state.list.cursor.chosen)
}

/// The chosen key as it is shown, its whole name first.
pub fn chosen_facts(state: &heat::HeatState) -> Option<Vec<String>> {
    let list = &state.list;
    let at = list.cursor.chosen.checked_sub(list.cursor.first)?;
    Some(list.rows.get(at)?.facts())
}

/// The same for the clipboard.
pub fn line(state: &heat::HeatState) -> Option<String> {
    let facts = chosen_facts(state)?.join("  ");
    let whose = scopes(state).into_iter().next()?;
    Some(format!("{facts}  {whose}"))
}
