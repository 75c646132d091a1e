//! What changed since another export, as a table over the overview.

use std::cmp::Ordering;

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::Span;

use super::cause::go_to;
use super::layout::LEAD;
use super::paint::{Cell, Painted};
use super::rows::{Common, title};
use super::sorting::{Direction, soonest};
use crate::analysis::ceiling::Mark;
use crate::analysis::diff::KeyChange;
use crate::analysis::growth::LimitDate;
use crate::analysis::mask::NameKind;
use crate::model::time::Stamp;
use crate::model::units::percent_text;
use crate::model::visible::{distinct_cells, visible};
use crate::report::diff::{comparable, headline, note, signed, sizes};
use crate::report::{gib, gib_a_week, limit_date_text};
use crate::ui::kit::action::Action;
use crate::ui::kit::cx::Cx;
use crate::ui::kit::glyphs::Glyphs;
use crate::ui::kit::list::{Cursor, Orders, RowRole, further};
use crate::ui::kit::msg::{Clipboard, Effect};
use crate::ui::kit::table::{Align, ColumnSpec, SortMark, TableColumn, column_at, fit, headings};
use crate::ui::kit::{limit_date, sign, text};
use crate::ui::view::Hit;
use crate::work::compare::Comparison;
use crate::work::shared::Shared;

/// What changes are sorted by, each in a column of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum ChangeColumn {
    #[default]
    Change,
    Container,
    Key,
    Before,
    After,
    Delta,
    Date,
    Growth,
    Percent,
    Crossed,
}

pub(super) const ORDERS: Orders<ChangeColumn> = Orders {
    all: &[
        ChangeColumn::Change,
        ChangeColumn::Container,
        ChangeColumn::Key,
        ChangeColumn::Before,
        ChangeColumn::After,
        ChangeColumn::Delta,
        ChangeColumn::Date,
        ChangeColumn::Growth,
        ChangeColumn::Percent,
        ChangeColumn::Crossed,
    ],
    names: &[
        "change",
        "container",
        "key",
        "before",
        "after",
        "delta",
        "date",
        "growth",
        "percent",
        "crossed",
    ],
};

const CLOSE: &str = "Esc closes";
/// Above and below the table.
const MOST_LINES: u16 = 4;

/// Of a container and its key together in a narrow window; the chosen one is told whole below.
const NAMES: u16 = 28;
const CONTAINER: u16 = 13;
/// Of its heading.
const LEAST_CONTAINER: u16 = 9;
const KEY: u16 = 14;
const COLUMNS: [ColumnSpec<ChangeColumn>; 10] = [
    ColumnSpec::new(ChangeColumn::Change, "change", 18, 18, 2, Align::Left),
    ColumnSpec::new(ChangeColumn::Container, "container", CONTAINER, 36, 5, Align::Left),
    ColumnSpec::new(ChangeColumn::Key, "key", KEY, 60, 0, Align::Left),
    ColumnSpec::new(ChangeColumn::Before, "before", 7, 11, 6, Align::Right),
    ColumnSpec::new(ChangeColumn::After, "after", 7, 11, 4, Align::Right),
    ColumnSpec::new(ChangeColumn::Delta, "Δ GiB", 7, 10, 1, Align::Right),
    ColumnSpec::new(ChangeColumn::Date, "20 GB on", 10, limit_date::COLUMNS, 3, Align::Right),
    ColumnSpec::new(ChangeColumn::Growth, "GiB/week", 8, 8, 7, Align::Right),
    ColumnSpec::new(ChangeColumn::Percent, "Δ %", 7, 8, 8, Align::Right),
    ColumnSpec::new(ChangeColumn::Crossed, "crossed", 8, 8, 9, Align::Right),
];

#[derive(Clone, PartialEq, Debug)]
pub(super) struct Compared {
    of: Shared<Comparison>,
    /// What the names of containers have in common, which their column leaves out.
    common: Common,
    /// In columns.
    longest_container: u16,
    has_dates: bool,
    /// In columns.
    longest_key: u16,
    head: String,
    /// How many changes of each kind; where the chosen key is if no column says so, and what changes do not show.
    around: [Vec<String>; 2],
    /// Of `Comparison::changes`, in the order shown.
    order: Vec<usize>,
    filter: String,
    by: ChangeColumn,
    direction: Direction,
    cursor: Cursor,
    placed: Vec<TableColumn<ChangeColumn>>,
    rows: Vec<Painted<ChangeColumn>>,
}

fn container_text(change: &KeyChange, common: Common, cx: &Cx) -> String {
    title(&cx.mask.container(&change.name), common)
}

/// `shop ▸ orders ▸ tenant-0001: grew, 13.5 GiB → 18.0 GiB  +4.50 GiB  20 GB 2026-07-01`.
fn sentence(change: &KeyChange, cx: &Cx) -> String {
    let place = container_text(change, Common::Nothing, cx);
    let key = cx.mask.key_text(change.key.as_deref());
    format!("{place} ▸ {key}: {}, {}", phrase(change), sizes(change))
}

/// `grew over 90 %`, `same within ±0.50`.
fn phrase(change: &KeyChange) -> String {
    let error = change.within_kib.map(gib).unwrap_or_default();
    let mark = change.mark.map(percent_text).unwrap_or_default();
    let both = format!("{mark} ±{error}");
    let words = change.phrase().replace("a mark within the error", &both);
    words.replace("a mark", &mark).replace("the error", &format!("±{error}"))
}

/// When each of the two was taken: by day, or as exactly as tells them apart.
fn dates(newest: [Option<Stamp>; 2]) -> String {
    let forms: [fn(Stamp) -> String; 3] =
        [Stamp::date_text, Stamp::minute_text, Stamp::second_text];
    let written = forms.map(|form| newest.map(|at| at.map_or_else(|| "no date".to_owned(), form)));
    let apart = written.iter().find(|[before, after]| before != after);
    match (apart, &written[1][0]) {
        (Some([before, after]), _) => format!("{before} → {after}"),
        (None, both) => format!("both to {both}"),
    }
}

impl Compared {
    pub fn new(cx: &Cx, of: &Shared<Comparison>) -> Self {
        let keys = (of.changes.iter()).map(|change| cx.mask.key_text(change.key.as_deref()));
        let longest_key = keys.map(|key| text::width(&key, cx.theme.glyphs)).max();
        let common = Common::of(of.changes.iter().map(|change| &change.name));
        let containers = (of.changes.iter()).map(|change| container_text(change, common, cx));
        let longest_container = containers.map(|text| text::width(&text, cx.theme.glyphs)).max();
        let columns = |most: Option<usize>| u16::try_from(most.unwrap_or(0)).unwrap_or(u16::MAX);
        let mut made = Self {
            head: format!(
                "with {}: {}: {}",
                visible(&cx.mask.name(NameKind::File, &of.with)),
                dates(of.newest),
                headline(&of.changes, |name| title(&cx.mask.container(name), Common::Nothing))
            ),
            around: Default::default(),
            order: Vec::new(),
            filter: String::new(),
            by: ChangeColumn::default(),
            direction: Direction::default(),
            cursor: Cursor::default(),
            placed: Vec::new(),
            rows: Vec::new(),
            longest_key: columns(longest_key),
            has_dates: (of.changes.iter()).any(|change| change.limit_date != LimitDate::Unknown),
            longest_container: columns(longest_container),
            common,
            of: of.clone(),
        };
        made.arrange(cx);
        made
    }

    /// Puts the changes in order: what grew most, A before Z, the worst change first.
    fn arrange(&mut self, cx: &Cx) {
        let changes = comparable(&self.of.changes);
        let words: Vec<String> = self.filter.split_whitespace().map(str::to_lowercase).collect();
        let key = |change: &KeyChange| cx.mask.key_text(change.key.as_deref());
        let passes = |at: &usize| {
            let change = &changes[*at];
            let text = format!("{} {}", container_text(change, Common::Nothing, cx), key(change))
                .to_lowercase();
            words.iter().all(|word| text.contains(word))
        };
        let mut order: Vec<usize> =
            (0..changes.len()).filter(|at| words.is_empty() || passes(at)).collect();
        let number = |change: &KeyChange| match self.by {
            ChangeColumn::Delta => change.delta_kib(),
            ChangeColumn::Date => soonest(&change.limit_date).map(|sooner| -sooner),
            ChangeColumn::Growth => change.growth.map(|growth| growth.kib_per_day),
            ChangeColumn::Percent => change.delta_share(),
            ChangeColumn::Crossed => change.mark,
            ChangeColumn::Before => change.before_kib,
            ChangeColumn::After => change.after_kib,
            ChangeColumn::Change | ChangeColumn::Container | ChangeColumn::Key => None,
        };
        let turned = |ordering: Ordering| match self.direction {
            Direction::First => ordering,
            Direction::Turned => ordering.reverse(),
        };
        match self.by {
            ChangeColumn::Change if self.direction == Direction::Turned => order.reverse(),
            ChangeColumn::Change => {}
            ChangeColumn::Container => {
                order.sort_by_cached_key(|at| container_text(&changes[*at], self.common, cx));
            }
            ChangeColumn::Key => order.sort_by_cached_key(|at| key(&changes[*at])),
            _ => order.sort_by(|a, b| match (number(&changes[*a]), number(&changes[*b])) {
                (Some(a), Some(b)) => turned(b.total_cmp(&a)),
                (a, b) => b.is_some().cmp(&a.is_some()),
            }),
        }
        let is_text = matches!(self.by, ChangeColumn::Container | ChangeColumn::Key);
        if is_text && self.direction == Direction::Turned {
            order.reverse();
        }
        self.order = order;
    }

    fn areas(&self, body: Rect) -> [Rect; 4] {
        let [head, foot] = [0, 1].map(|at: usize| {
            let lines = self.around[at].len();
            u16::try_from(lines).unwrap_or(u16::MAX).min(MOST_LINES)
        });
        let parts = [
            Constraint::Length(head),
            Constraint::Length(1),
            Constraint::Fill(1),
            Constraint::Length(foot),
        ];
        Layout::vertical(parts).areas(body)
    }

    pub fn settle(&mut self, cx: &Cx, body: Rect) {
        let width = usize::from(body.width);
        let glyphs = cx.theme.glyphs;
        let beside_close = width.saturating_sub(CLOSE.len() + 2);
        let below = note(comparable(&self.of.changes)).unwrap_or_default();
        let is_dated = |id| matches!(id, ChangeColumn::Date | ChangeColumn::Growth);
        let mut columns = COLUMNS.to_vec();
        columns.retain(|column| self.has_dates || !is_dated(column.id));
        let container = (self.longest_container).clamp(LEAST_CONTAINER, CONTAINER);
        for column in &mut columns {
            column.least = match column.id {
                ChangeColumn::Container => container,
                ChangeColumn::Key => self.longest_key.min(NAMES - container).max(KEY),
                _ => column.least,
            };
        }
        self.placed = fit(&columns, LEAD, body.width.saturating_sub(1));
        let is_key = |at: &&TableColumn<_>| at.id == ChangeColumn::Key;
        let chosen = self.chosen().map(|change| sentence(change, cx));
        let chosen = chosen.map(|words| text::wrapped(&words, width, glyphs));
        let below = text::wrapped(&below, width, glyphs);
        self.around = [
            text::wrapped(&self.head, beside_close, glyphs),
            chosen.into_iter().flatten().chain(below).collect(),
        ];
        let [_, _, rows, _] = self.areas(body);
        let height = usize::from(rows.height).max(1);
        self.cursor.settle(self.order.len(), height);
        let window = self.cursor.window(self.order.len(), height);
        let shown: Vec<_> = (self.order.get(window.clone()).into_iter().flatten())
            .filter_map(|at| self.of.changes.get(*at))
            .collect();
        // Different keys do not look alike.
        let keys = shown.iter().map(|change| cx.mask.key_text(change.key.as_deref()));
        let room = (self.placed.iter()).find(is_key).map_or(0, |at| at.width);
        let keys = distinct_cells(&keys.collect::<Vec<_>>(), |_, key, hash| {
            text::shorten_marked(key, room.into(), hash, glyphs)
        });
        let rows = window.zip(shown).zip(keys);
        let painted = rows.map(|((place, change), key)| {
            let role = if place == self.cursor.chosen { RowRole::Chosen } else { RowRole::Other };
            self.painted(cx, change, &key, role)
        });
        self.rows = painted.collect();
    }

    fn painted(
        &self,
        cx: &Cx,
        change: &KeyChange,
        key: &str,
        role: RowRole,
    ) -> Painted<ChangeColumn> {
        let theme = &cx.theme;
        let crossed = change.mark.map_or(Mark::Below, Mark::of);
        let cells = self.placed.iter().map(|at| {
            let plain = |text: String| Cell::Words(text, theme.text);
            // A key that is not listed is small or unknown, never known to be absent.
            let known = |text: Option<String>| plain(text.unwrap_or_else(|| "–".to_owned()));
            let cell = match at.id {
                ChangeColumn::Change => plain(phrase(change)),
                ChangeColumn::Container => {
                    Cell::Words(container_text(change, self.common, cx), theme.accent)
                }
                ChangeColumn::Key => plain(key.to_owned()),
                ChangeColumn::Delta => known(change.delta_kib().map(|kib| signed(kib, gib))),
                ChangeColumn::Date => known(
                    (change.limit_date != LimitDate::Unknown)
                        .then(|| limit_date_text(&change.limit_date, self.of.newest[1])),
                ),
                ChangeColumn::Growth => plain(gib_a_week(change.growth.as_ref())),
                ChangeColumn::Percent => {
                    known(change.delta_share().map(|share| signed(share, percent_text)))
                }
                ChangeColumn::Crossed => {
                    let share = change.mark.map(|mark| format!("≥ {}", percent_text(mark)));
                    Cell::Words(share.unwrap_or_else(|| "–".to_owned()), theme.mark(crossed))
                }
                ChangeColumn::Before => known(change.before_kib.map(gib)),
                ChangeColumn::After => known(change.after_kib.map(gib)),
            };
            (*at, cell)
        });
        Painted { sign: sign::mark_sign(crossed, theme), cells: cells.collect(), role }
    }

    /// ```text
    /// with old.csv: 2026-06-15 → 2026-06-22: 1 grew over a mark, 2 not listed before.     Esc closes
    ///     change↓            key                     before   after   Δ GiB   20 GB on
    /// ▶ ▲ grew over 90 %     tenant-0001              13.50   18.00   +4.50 2026-07-01
    /// Statistics list only large keys. …
    /// ```
    pub fn draw(&self, cx: &Cx, body: Rect, buffer: &mut Buffer) {
        let theme = &cx.theme;
        let [head, labels, rows, foot] = self.areas(body);
        let close = [Span::styled(CLOSE, theme.dim)];
        text::ends(buffer, text::row(head, 0), &[], &close, theme);
        let parts = [(head, theme.title), (foot, theme.dim)];
        for ((area, style), lines) in parts.into_iter().zip(&self.around) {
            for (line, index) in lines.iter().zip(0..area.height) {
                let spans = [Span::styled(line.as_str(), style)];
                text::left(buffer, text::row(area, index), &spans, theme);
            }
        }
        let mark = match self.direction {
            Direction::First => SortMark::Descending,
            Direction::Turned => SortMark::Ascending,
        };
        let label = |column: &TableColumn<_>| match (column.id, theme.glyphs) {
            (ChangeColumn::Delta, Glyphs::Ascii) => "d GiB",
            (ChangeColumn::Percent, Glyphs::Ascii) => "d %",
            _ => cx.ceiling.heading(column.heading),
        };
        if comparable(&self.of.changes).is_empty() {
            return;
        }
        headings(buffer, labels, &self.placed, label, Some((self.by, mark)), theme);
        for (row, index) in self.rows.iter().zip(0..rows.height) {
            row.draw(buffer, text::row(rows, index), theme);
        }
        sign::scroll(buffer, rows, self.cursor.first, self.order.len(), theme);
    }

    fn chosen(&self) -> Option<&KeyChange> {
        self.of.changes.get(*self.order.get(self.cursor.chosen)?)
    }

    pub fn act(&mut self, cx: &Cx, action: Action) -> Vec<Effect> {
        match action {
            Action::SortNext => self.sort(cx, further(ORDERS.all, &self.by, 1)),
            Action::SortPrevious => self.sort(cx, further(ORDERS.all, &self.by, -1)),
            Action::SortReverse => {
                self.direction = self.direction.other();
                self.arrange(cx);
                Vec::new()
            }
            Action::ClearFilter => self.set_filter(cx, ""),
            Action::Enter => self.chosen().map_or_else(Vec::new, |change| go_to(cx, change)),
            Action::Copy => self.chosen().map_or_else(Vec::new, |change| {
                vec![Effect::Copy(Clipboard::Lines(vec![sentence(change, cx)]))]
            }),
            _ => {
                let [_, _, rows, _] = self.areas(cx.body());
                self.cursor.act(action, self.order.len(), rows.height.into());
                Vec::new()
            }
        }
    }

    pub fn sort(&mut self, cx: &Cx, by: ChangeColumn) -> Vec<Effect> {
        let is_same = std::mem::replace(&mut self.by, by) == by;
        self.direction = if is_same { self.direction.other() } else { Direction::First };
        self.arrange(cx);
        Effect::say(format!("sorted by {}", ORDERS.name(by)))
    }

    pub fn set_filter(&mut self, cx: &Cx, filter: &str) -> Vec<Effect> {
        filter.clone_into(&mut self.filter);
        self.arrange(cx);
        Vec::new()
    }

    pub fn filter(&self) -> &str {
        &self.filter
    }

    pub fn hit(&self, body: Rect, column: u16, row: u16) -> Option<Hit> {
        let [_, labels, rows, _] = self.areas(body);
        if labels.contains((column, row).into()) {
            return Some(Hit::Heading(column - labels.x));
        }
        let index = usize::from(row.checked_sub(rows.y)?);
        (index < self.rows.len()).then_some(Hit::Row(self.cursor.first + index))
    }

    pub fn click(&mut self, cx: &Cx, hit: Hit) -> Vec<Effect> {
        match hit {
            Hit::Heading(x) => match column_at(&self.placed, x) {
                Some(by) => self.sort(cx, by),
                None => Vec::new(),
            },
            Hit::Row(row) if self.cursor.click(row) => self.act(cx, Action::Enter),
            _ => Vec::new(),
        }
    }
}
