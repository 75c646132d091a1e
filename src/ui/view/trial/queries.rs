//! Where each request of the workload goes under a candidate, what it costs there, and the same for the key of today.

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::text::Span;

use super::pane;
use crate::analysis::routing::{Cap, Routing};
use crate::analysis::trial::routes::Routed;
use crate::model::units::{count_text, counted, figure_text};
use crate::model::visible::visible;
use crate::report::trial::routing_text;
use crate::ui::kit::list::{Cursor, lay_chosen};
use crate::ui::kit::masking::Mask;
use crate::ui::kit::panel::Focus;
use crate::ui::kit::table::{Align, ColumnSpec, TableColumn, fit, headings};
use crate::ui::kit::theme::Theme;
use crate::ui::kit::{sign, text};

/// The cursor and a blank.
const LEAD: u16 = 2;
const MOST_NAME: u16 = 60;

/// How a routing is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Tone {
    Good,
    Plain,
    Costly,
    Unknown,
}

impl Tone {
    fn style(self, theme: &Theme) -> Style {
        match self {
            Self::Good => theme.good,
            Self::Plain => theme.text,
            Self::Costly => theme.warn,
            Self::Unknown => theme.dim,
        }
    }
}

/// One request under one key.
#[derive(Clone, PartialEq, Debug)]
struct RequestRoute {
    tone: Tone,
    routing: String,
    ru_each: String,
    ru_in_all: String,
    cap: &'static str,
    is_over: bool,
    /// Sentences for who wants to know more.
    more: Vec<String>,
}

/// All of it is visible text.
#[derive(Clone, PartialEq, Debug)]
struct Row {
    name: String,
    rate: String,
    candidate: RequestRoute,
    current: Option<RequestRoute>,
}

/// Everything that the panel shows.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct QueriesPanel {
    title: String,
    aside: String,
    rows: Vec<Row>,
    /// The sums, those of the candidate first.
    totals: Vec<String>,
    has_current: bool,
}

impl QueriesPanel {
    pub fn rows(&self) -> usize {
        self.rows.len()
    }
}

/// `candidate` and `current` are the same requests in the same order; `name` is the candidate's, visible.
pub fn queries_panel(
    name: &str,
    candidate: &[Routed],
    current: Option<&[Routed]>,
    mask: &Mask,
) -> QueriesPanel {
    let row = |(at, routed): (usize, &Routed)| Row {
        // Names and reasons may quote values of the query.
        name: if mask.is_on() {
            format!("request {}", at + 1)
        } else {
            visible(&routed.name).into_owned()
        },
        rate: known(routed.per_second),
        candidate: way(routed, mask),
        current: current.and_then(|all| all.get(at)).map(|routed| way(routed, mask)),
    };
    let mut totals = sums(candidate, "");
    totals.extend(current.into_iter().flat_map(|all| sums(all, "current: ")));
    QueriesPanel {
        title: format!("requests with {name}"),
        aside: counted(candidate.len() as u64, "kind", "kinds"),
        rows: candidate.iter().enumerate().map(row).collect(),
        totals,
        has_current: current.is_some(),
    }
}

fn known(value: Option<f64>) -> String {
    value.map_or_else(|| "–".to_owned(), figure_text)
}

fn way(routed: &Routed, mask: &Mask) -> RequestRoute {
    let route = &routed.route;
    let tone = match route.routing {
        Routing::Single => Tone::Good,
        Routing::FanOut { of: 1 } => Tone::Plain,
        of if of.is_on_all() => Tone::Costly,
        Routing::Targeted { .. } | Routing::FanOut { .. } => Tone::Plain,
        Routing::Unknown => Tone::Unknown,
    };
    let price = routed.price;
    let cap = price.and_then(|price| price.cap);
    let mut more = Vec::new();
    if !mask.is_on() && !route.why.is_empty() {
        more.push(visible(&route.why).into_owned());
    }
    if let Some(price) = price {
        more.push(format!(
            "{} RU each, {} RU on each partition queried: one partition can serve {} a second",
            figure_text(price.ru_each),
            figure_text(price.ru_per_visit),
            figure_text(price.most_per_s.floor())
        ));
    }
    more.extend(cap.and_then(sentence).map(str::to_owned));
    more.extend(routed.secondary.as_ref().map(|index| visible(&index.sentence()).into_owned()));
    RequestRoute {
        tone,
        routing: routing_text(route.routing),
        ru_each: known(price.map(|price| price.ru_each)),
        ru_in_all: known(in_all(routed)),
        cap: cap.map_or("–", word),
        is_over: !matches!(cap, None | Some(Cap::Within)),
        more,
    }
}

/// RU/s of all requests of this kind, where both are known.
fn in_all(routed: &Routed) -> Option<f64> {
    Some(routed.per_second? * routed.price?.ru_each)
}

fn word(cap: Cap) -> &'static str {
    match cap {
        Cap::Within => "within",
        Cap::OverIfOneKey => "if one key",
        Cap::OverOneKey | Cap::Over => "over",
        Cap::OverWithAny => "over ever",
    }
}

fn sentence(cap: Cap) -> Option<&'static str> {
    match cap {
        Cap::Within => None,
        Cap::OverIfOneKey => {
            Some("at this rate one key would need more than 10,000 RU/s, if all queries go to it")
        }
        Cap::OverOneKey => {
            Some("all of them go to one key, which needs more than its limit of 10,000 RU/s")
        }
        Cap::Over => {
            Some("each partition needs more than 10,000 RU/s; with more partitions each needs less")
        }
        Cap::OverWithAny => {
            Some("each partition needs more than 10,000 RU/s, at any number of partitions")
        }
    }
}

fn sums(all: &[Routed], before: &str) -> Vec<String> {
    if all.is_empty() {
        return Vec::new();
    }
    let counts = Routing::counts(all.iter().map(|r| r.route.routing)).into_iter();
    let kinds: Vec<String> = counts
        .zip(["single-partition", "targeted", "cross-partition", "unknown"])
        .filter(|(count, _)| *count > 0)
        .map(|(count, word)| format!("{} {word}", count_text(count)))
        .collect();
    let priced: Vec<f64> = all.iter().filter_map(in_all).collect();
    let left_out = (all.len() - priced.len()) as u64;
    let load = match (priced.is_empty(), left_out) {
        (true, _) => "RU/s unknown: no rates".to_owned(),
        (false, 0) => format!("{} RU/s", figure_text(priced.iter().sum())),
        (false, n) => {
            let without = counted(n, "kind", "kinds");
            format!(
                "{} RU/s, without {without} of unknown rate or route",
                figure_text(priced.iter().sum())
            )
        }
    };
    vec![format!("{before}{} · {load}", kinds.join(", "))]
}

/// Rows of the panel, from the top.
fn parts(inner: Rect, made: &QueriesPanel) -> [Rect; 4] {
    let length = |n: usize| u16::try_from(n).unwrap_or(u16::MAX);
    let height = inner.height;
    let headings = u16::from(height >= 3);
    let totals = match height {
        ..4 => 0,
        4..7 => 1,
        _ => length(made.totals.len()),
    };
    let rest = height.saturating_sub(headings + totals);
    let wanted = length(made.rows.len()).max(1);
    let more =
        rest.saturating_sub(wanted.min(rest.saturating_sub(4).max(4))).min(rest.saturating_sub(2));
    let rows = (rest - more).min(wanted);
    let rows = [headings, rows, totals, more].map(Constraint::Length);
    let [headings, rows, totals, more] = Layout::vertical(rows).areas(inner);
    [headings, rows, totals, more]
}

/// The room of the list, for the cursor and the mouse.
pub fn list(area: Rect, made: &QueriesPanel) -> Rect {
    let [_, rows, ..] = parts(pane::inside(area), made);
    rows
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Column {
    Name,
    Rate,
    Routing,
    RuEach,
    RuInAll,
    Cap,
    Current,
    CurrentRu,
}

fn columns(width: u16, made: &QueriesPanel) -> Vec<TableColumn<Column>> {
    let longest = made.rows.iter().map(|row| row.name.chars().count()).max();
    let name = u16::try_from(longest.unwrap_or(0)).unwrap_or(u16::MAX);
    // `cross-partition (5 of 5)`
    let routing = if width < 60 { 16 } else { 24 };
    let mut specs = vec![
        ColumnSpec::new(Column::Name, "request", 16, name.clamp(16, MOST_NAME), 0, Align::Left),
        ColumnSpec::new(Column::Rate, "a second", 8, 8, 5, Align::Right),
        ColumnSpec::new(Column::Routing, "routing", routing, 28, 1, Align::Left),
        ColumnSpec::new(Column::RuEach, "RU each", 7, 7, 6, Align::Right),
        ColumnSpec::new(Column::RuInAll, "RU/s", 8, 8, 2, Align::Right),
        ColumnSpec::new(Column::Cap, "10,000 RU/s", 12, 12, 7, Align::Left),
    ];
    if made.has_current {
        specs.push(ColumnSpec::new(Column::Current, "current", routing, 28, 3, Align::Left));
        specs.push(ColumnSpec::new(Column::CurrentRu, "RU/s", 8, 8, 4, Align::Right));
    }
    fit(&specs, LEAD, width)
}

/// ```text
/// ─ requests with /deviceId ─────────────────────────────────── 3 kinds ─
/// request               a second  routing            RU each   RU/s
/// ▶ latest of a device       200  single-partition       2.8    560
///   all of a model             1  cross-partition (10…  25.3   25.3
/// 1 single-partition, 1 cross-partition · 585 RU/s
/// /deviceId is given: one key, on one physical partition
/// ```
pub fn draw(
    buffer: &mut Buffer,
    area: Rect,
    made: &QueriesPanel,
    cursor: &Cursor,
    focus: Focus,
    theme: &Theme,
) {
    let inner = pane::draw(buffer, area, (&made.title, &made.aside), focus, theme);
    let [head, list, below, foot] = parts(inner, made);
    if made.rows.is_empty() {
        let words = "No queries known. :queries FILE shows where each goes: one SELECT a line, `-- rate: 5/s` above it.";
        text::paragraph(buffer, inner, words, theme.dim, theme);
        return;
    }
    let columns = columns(inner.width, made);
    headings(buffer, head, &columns, |column| column.heading, None, theme);
    let seen = cursor.window(made.rows.len(), list.height.into());
    let rows = made.rows.iter().enumerate().skip(seen.start);
    for ((at, row), index) in rows.zip(0..list.height) {
        let line = text::row(list, index);
        for column in &columns {
            draw_cell(buffer, line, *column, row, theme);
        }
        if at == cursor.chosen && focus == Focus::Here {
            let sign = [Span::styled(theme.glyphs.signs().cursor, theme.accent)];
            text::left(buffer, text::column(line, 0, 1), &sign, theme);
            lay_chosen(buffer, line, theme.cursor_row);
        }
    }
    let side = pane::with_side(list).intersection(area);
    sign::scroll(buffer, side, seen.start, made.rows.len(), theme);
    for (line, index) in made.totals.iter().zip(0..below.height) {
        let line = [Span::styled(theme.glyphs.sentence(line), theme.text)];
        text::left(buffer, text::row(below, index), &line, theme);
    }
    if let Some(row) = made.rows.get(cursor.chosen) {
        more(buffer, foot, row, theme);
    }
}

/// Why the chosen request goes where it goes.
fn more(buffer: &mut Buffer, room: Rect, row: &Row, theme: &Theme) {
    let candidate = row.candidate.more.iter().map(|line| ("", line));
    let current = row.current.iter().flat_map(|way| &way.more);
    let current = current.map(|line| ("current: ", line));
    let mut taken = 0;
    for (before, line) in candidate.chain(current) {
        let rest = text::rows(room, taken, room.height);
        taken += text::paragraph(buffer, rest, &format!("{before}{line}"), theme.dim, theme);
    }
}

fn draw_cell(
    buffer: &mut Buffer,
    line: Rect,
    column: TableColumn<Column>,
    row: &Row,
    theme: &Theme,
) {
    let way = match column.id {
        Column::Current | Column::CurrentRu => row.current.as_ref(),
        _ => Some(&row.candidate),
    };
    let Some(way) = way else { return };
    let load = if way.is_over { theme.alarm } else { theme.text };
    let (words, style) = match column.id {
        Column::Name => {
            let shown = theme.glyphs.shown(&row.name);
            let shown = text::shorten(&shown, column.width.into(), theme.glyphs);
            return column.cell(buffer, line, &text::coded(&shown, theme.text, theme), theme);
        }
        Column::Rate => (&*row.rate, theme.text),
        Column::Routing | Column::Current => (&*way.routing, way.tone.style(theme)),
        Column::RuEach => (&*way.ru_each, theme.text),
        Column::RuInAll => (&*way.ru_in_all, load),
        Column::CurrentRu => (&*way.ru_in_all, theme.text),
        Column::Cap => (way.cap, load),
    };
    column.words(buffer, line, words, style, theme);
}

#[cfg(test)]
mod tests;
