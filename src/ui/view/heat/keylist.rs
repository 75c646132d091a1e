//! The logical keys of the chosen partition, by the RU that the logs give them and by size.

mod entries;
mod paint;

use super::layout::{Areas, Pane};
use super::{head, names, time};
use crate::analysis::heat::keys::Which;
use crate::model::visible::visible;
use crate::ui::app::App;
use crate::ui::kit::action::Action;
use crate::ui::kit::list::Cursor;
use crate::ui::kit::msg::Effect;
use crate::ui::view::keys;
use crate::work::data::Dataset;
use crate::work::shared::Shared;

pub use entries::{Entry, Who, shown};
pub use paint::{disagreement, draw};

/// Keys among which the blamed one is looked for.
const MOST_LOOKED_AT: usize = 2000;

pub const COLUMNS: &[&str] = &["ru", "size", "since", "key"];

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum By {
    #[default]
    Ru,
    Size,
    Since,
    Key,
}

impl By {
    const ALL: [Self; 4] = [Self::Ru, Self::Size, Self::Since, Self::Key];

    fn name(self) -> &'static str {
        match self {
            Self::Ru => "ru",
            Self::Size => "size",
            Self::Since => "since",
            Self::Key => "key",
        }
    }
}

/// What the entries were made of.
#[derive(Clone, PartialEq, Debug)]
struct MadeOf {
    data: Shared<Dataset>,
    container: u32,
    partition: u32,
    region: Option<u16>,
    span: Option<(i64, i64)>,
    by: By,
    filter: String,
    names: u64,
}

impl MadeOf {
    fn which(&self) -> Which {
        Which {
            region: self.region,
            partition: Some(self.partition),
            span: self.span,
        }
    }
}

#[derive(Debug, Default)]
pub struct State {
    pub cursor: Cursor,
    by: By,
    filter: String,
    made_of: Option<MadeOf>,
    pub entries: Vec<Entry>,
    /// Whether RU of all regions are taken together: the region of the track has none.
    pub is_all_regions: bool,
    rows_of: Option<(std::ops::Range<usize>, Option<MadeOf>)>,
    rows: Vec<paint::Row>,
}

impl State {
    pub fn filter_is_empty(&self) -> bool {
        self.filter.is_empty()
    }

    /// Back to the first key.
    pub fn rewind(&mut self) {
        self.cursor = Cursor::default();
    }
}

/// Makes the entries of the chosen partition, and the rows that are seen.
pub fn settle(app: &mut App, areas: &Areas) {
    let found = (|| {
        let scope = app.heat.scope.as_ref()?;
        Some(MadeOf {
            data: scope.data.clone(),
            container: scope.container,
            partition: app.heat.chosen()?,
            region: entries::region(scope),
            span: time::chosen_span(app),
            by: app.heat.list.by,
            filter: app.heat.list.filter.clone(),
            names: app.heat.names,
        })
    })();
    if app.heat.list.made_of != found {
        let other = |made: &MadeOf| found.as_ref().map(|f| f.partition) != Some(made.partition);
        if app.heat.list.made_of.as_ref().is_some_and(other) {
            app.heat.list.rewind();
        }
        let is_first = app.heat.list.cursor == Cursor::default();
        let (entries, is_all_regions) = match &found {
            Some(of) => entries::made(app, of.which(), of.by, &of.filter),
            None => (Vec::new(), false),
        };
        let list = &mut app.heat.list;
        list.entries = entries;
        list.is_all_regions = is_all_regions;
        list.made_of = found;
        list.rows_of = None;
        if is_first {
            choose_blamed(app);
        }
    }
    let height = areas.key_rows();
    let list = &mut app.heat.list;
    list.cursor.settle(list.entries.len(), height);
    let seen = list.cursor.window(list.entries.len(), height);
    let rows_of = Some((seen.clone(), list.made_of.clone()));
    if list.rows_of != rows_of {
        let rows = paint::rows(app, seen);
        app.heat.list.rows = rows;
        app.heat.list.rows_of = rows_of;
    }
}

/// Until a person moved it, the cursor stands on the key that the verdict blames.
fn choose_blamed(app: &mut App) {
    let found = (|| {
        let key = head::worst(app)?.key.as_deref()?;
        let scope = app.heat.scope.as_ref()?;
        let entries = app.heat.list.entries.iter();
        let mut entries = entries.take(MOST_LOOKED_AT);
        entries.position(|entry| entry.canonical(scope).as_deref() == Some(key))
    })();
    if let Some(at) = found {
        app.heat.list.cursor.chosen = at;
    }
}

/// Of which region, partition and time the keys are, from the longest text to the shortest one that says it all.
pub fn scopes(app: &App) -> Vec<String> {
    let state = &app.heat;
    let found = (|| {
        let scope = state.scope.as_ref()?;
        let partition = &scope.partition(state.chosen()?)?.named;
        Some((scope, names::sentence(partition), names::label(partition)))
    })();
    let Some((scope, sentence, label)) = found else {
        return vec!["keys".to_owned()];
    };
    let list = &state.list;
    let mut must = String::new();
    let mut region = None;
    if list.entries.iter().any(|entry| entry.load.is_some()) {
        if list.is_all_regions {
            must.push_str(", all regions");
        } else if list.made_of.as_ref().is_some_and(|of| of.region.is_some()) {
            let track = scope.track().and_then(|track| track.region.as_deref());
            region = track.map(|region| format!(", {}", visible(region)));
        }
    }
    if let Some((from, to)) = list.made_of.as_ref().and_then(|of| of.span) {
        must.push_str(", ");
        must.push_str(&names::clocks(from, to));
    }
    if !list.filter.is_empty() {
        must.push_str(", filtered");
    }
    // The line above the map names the region as well.
    let region = region.unwrap_or_default();
    let mut texts = vec![
        format!("keys of {sentence}{region}{must}"),
        format!("keys of {sentence}{must}"),
        format!("{sentence}{must}"),
        format!("{label}{must}"),
    ];
    texts.dedup();
    texts
}

pub fn moved(app: &mut App, action: Action, height: usize) {
    let list = &mut app.heat.list;
    let count = list.entries.len();
    list.cursor.act(action, count, height);
}

/// The entry in a row of the screen, counted from the first one that is seen.
pub fn row(app: &App, below: usize) -> Option<usize> {
    let list = &app.heat.list;
    let at = list.cursor.first + below;
    (at < list.entries.len()).then_some(at)
}

pub fn is_chosen(app: &App, row: usize) -> bool {
    app.heat.list.cursor.chosen == row
}

pub fn choose(app: &mut App, row: usize) {
    app.heat.list.cursor.chosen = row;
}

pub fn sort_further(app: &mut App, step: isize) {
    let by = app.heat.list.by;
    let at = By::ALL.iter().position(|b| *b == by).unwrap_or(0);
    let count = By::ALL.len();
    let next = if step < 0 { at + count - 1 } else { at + 1 };
    if let Some(by) = By::ALL.get(next % count) {
        use_order(app, *by);
    }
}

pub fn sort_by(app: &mut App, column: &str) {
    if let Some(by) = By::ALL.into_iter().find(|by| by.name() == column) {
        return use_order(app, by);
    }
    let what = format!("there is no column {}", visible(column));
    app.fail(what, Some(&format!("they are {}", COLUMNS.join(", "))));
}

fn use_order(app: &mut App, by: By) {
    app.heat.list.by = by;
    app.heat.list.rewind();
    app.say(format!("keys by {}", by.name()));
}

pub fn filter_text(app: &App) -> String {
    app.heat.list.filter.clone()
}

pub fn set_filter(app: &mut App, text: &str) {
    text.clone_into(&mut app.heat.list.filter);
    app.heat.list.rewind();
    if !text.is_empty() {
        app.heat.pane = Pane::Keys;
    }
}

/// The key under the cursor in the list of keys of its container.
pub fn enter(app: &mut App) -> Vec<Effect> {
    let found = (|| {
        let scope = app.heat.scope.as_ref()?;
        let entry = app.heat.list.entries.get(app.heat.list.cursor.chosen)?;
        Some((scope.container, entry.canonical(scope)?))
    })();
    if let Some((container, canonical)) = found {
        return keys::show_key(app, container, &canonical);
    }
    app.fail("there is no key here that could be shown", None);
    Vec::new()
}

/// The key under the cursor.
pub fn chosen(app: &App) -> Option<&Entry> {
    app.heat.list.entries.get(app.heat.list.cursor.chosen)
}

/// The chosen key as it is shown, for the clipboard.
pub fn line(app: &App) -> Option<String> {
    let list = &app.heat.list;
    let at = list.cursor.chosen.checked_sub(list.cursor.first)?;
    let row = list.rows.get(at)?;
    let scope = app.heat.scope.as_ref()?;
    let _ = scope.partition(app.heat.chosen()?)?;
    let whose = scopes(app).into_iter().next()?;
    Some(format!("{}  {whose}", row.line()))
}
