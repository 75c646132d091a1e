//! Where each request of the workload goes under a candidate, what it costs there, and the same for the key of today.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
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
use crate::ui::kit::theme::Theme;
use crate::ui::kit::{sign, text};

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
        current: current
            .and_then(|all| all.get(at))
            .map(|routed| way(routed, mask)),
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
        Routing::Targeted { .. } | Routing::FanOut { of: 1 } => Tone::Plain,
        Routing::FanOut { .. } => Tone::Costly,
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
    more.extend(
        routed
            .secondary
            .as_ref()
            .map(|index| visible(&index.sentence()).into_owned()),
    );
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
    let count =
        |wanted: fn(Routing) -> bool| all.iter().filter(|r| wanted(r.route.routing)).count() as u64;
    let kinds = [
        (count(|r| r == Routing::Single), "single-partition"),
        (count(|r| matches!(r, Routing::Targeted { .. })), "targeted"),
        (
            count(|r| matches!(r, Routing::FanOut { .. })),
            "cross-partition",
        ),
        (count(|r| r == Routing::Unknown), "unknown"),
    ];
    let kinds: Vec<String> = kinds
        .into_iter()
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
#[derive(Clone, Copy, Debug)]
struct Parts {
    headings: Rect,
    rows: Rect,
    totals: Rect,
    more: Rect,
}

fn parts(inner: Rect, made: &QueriesPanel) -> Parts {
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
    let more = rest
        .saturating_sub(wanted.min(rest.saturating_sub(4).max(4)))
        .min(rest.saturating_sub(2));
    let rows = (rest - more).min(wanted);
    let [headings, rows, totals, more] = pane::rows(inner, [headings, rows, totals, more]);
    Parts {
        headings,
        rows,
        totals,
        more,
    }
}

/// The room of the list, for the cursor and the mouse.
pub fn list(area: Rect, made: &QueriesPanel) -> Rect {
    parts(pane::inside(area), made).rows
}

/// The request under the pointer, to be chosen.
pub fn place_at(
    area: Rect,
    made: &QueriesPanel,
    cursor: &Cursor,
    pointer: Position,
) -> Option<usize> {
    pane::place_at(list(area, made), cursor.first, made.rows.len(), pointer)
}

#[derive(Clone, Copy, Debug)]
struct Widths([u16; 8]);

impl Widths {
    fn of(width: u16, made: &QueriesPanel) -> Self {
        let routing = if width >= 60 { 28 } else { 19.min(width / 2) };
        let rate = pane::from(width, 66, 9);
        let ru_each = pane::from(width, 78, 8);
        let in_all = pane::from(width, 48, 9);
        let cap = pane::from(width, 98, 14);
        let (current, current_ru) = if made.has_current {
            (pane::from(width, 126, 28), pane::from(width, 136, 9))
        } else {
            (0, 0)
        };
        let rest = routing + rate + ru_each + in_all + cap + current + current_ru;
        let name = width.saturating_sub(rest);
        Self([
            name, rate, routing, ru_each, in_all, cap, current, current_ru,
        ])
    }
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
    let parts = parts(inner, made);
    if made.rows.is_empty() {
        let words = "No queries known. :queries FILE (a query a line, with rates) shows where each of them goes.";
        text::paragraph(buffer, inner, words, theme.dim, theme);
        return;
    }
    let widths = Widths::of(inner.width, made);
    headings(buffer, parts.headings, widths, theme);
    let seen = cursor.window(made.rows.len(), parts.rows.height.into());
    let rows = made.rows.iter().enumerate().skip(seen.start);
    for ((at, row), index) in rows.zip(0..parts.rows.height) {
        let line = text::row(parts.rows, index);
        draw_row(buffer, line, row, widths, theme);
        if at == cursor.chosen && focus == Focus::Here {
            let sign = [Span::styled(theme.glyphs.signs().cursor, theme.accent)];
            text::left(buffer, text::column(line, 0, 1), &sign, theme);
            lay_chosen(buffer, line, theme.cursor_row);
        }
    }
    let side = pane::with_side(parts.rows).intersection(area);
    sign::scroll(buffer, side, seen.start, made.rows.len(), theme);
    for (line, index) in made.totals.iter().zip(0..parts.totals.height) {
        pane::left(
            buffer,
            text::row(parts.totals, index),
            line,
            theme.text,
            theme,
        );
    }
    if let Some(row) = made.rows.get(cursor.chosen) {
        more(buffer, parts.more, row, theme);
    }
}

/// Why the chosen request goes where it goes.
fn more(buffer: &mut Buffer, room: Rect, row: &Row, theme: &Theme) {
    let candidate = row.candidate.more.iter().map(|line| ("", line));
    let current = row.current.iter().flat_map(|way| &way.more);
    let current = current.map(|line| ("current: ", line));
    let mut taken = 0;
    for (before, line) in candidate.chain(current) {
        let rest = Rect {
            y: room.y.saturating_add(taken),
            height: room.height.saturating_sub(taken),
            ..room
        };
        taken += text::paragraph(buffer, rest, &format!("{before}{line}"), theme.dim, theme);
    }
}

fn headings(buffer: &mut Buffer, line: Rect, widths: Widths, theme: &Theme) {
    let [
        name,
        rate,
        routing,
        ru_each,
        in_all,
        cap,
        current,
        current_ru,
    ] = pane::columns(line, widths.0);
    pane::left(buffer, name, "  request", theme.dim, theme);
    let after = |room: Rect| text::column(room, 2, room.width.saturating_sub(2));
    pane::left(buffer, after(routing), "routing", theme.dim, theme);
    pane::left(buffer, after(cap), "10,000 RU/s", theme.dim, theme);
    pane::left(buffer, after(current), "current", theme.dim, theme);
    for (room, words) in [
        (rate, "a second"),
        (ru_each, "RU each"),
        (in_all, "RU/s"),
        (current_ru, "RU/s"),
    ] {
        pane::right(buffer, room, words, theme.dim, theme);
    }
}

fn draw_row(buffer: &mut Buffer, line: Rect, row: &Row, widths: Widths, theme: &Theme) {
    let [
        name,
        rate,
        routing,
        ru_each,
        in_all,
        cap,
        current,
        current_ru,
    ] = pane::columns(line, widths.0);
    let room = text::column(name, 2, name.width.saturating_sub(2));
    let shown = theme.glyphs.shown(&row.name);
    let shown = text::shorten(&shown, room.width.into(), theme.glyphs);
    text::left(buffer, room, &text::coded(&shown, theme.text, theme), theme);
    pane::right(buffer, rate, &row.rate, theme.text, theme);
    let after = |room: Rect| text::column(room, 2, room.width.saturating_sub(2));
    let way = &row.candidate;
    pane::left(
        buffer,
        after(routing),
        &way.routing,
        way.tone.style(theme),
        theme,
    );
    pane::right(buffer, ru_each, &way.ru_each, theme.text, theme);
    let load = if way.is_over { theme.alarm } else { theme.text };
    pane::right(buffer, in_all, &way.ru_in_all, load, theme);
    pane::left(buffer, after(cap), way.cap, load, theme);
    if let Some(way) = &row.current {
        pane::left(
            buffer,
            after(current),
            &way.routing,
            way.tone.style(theme),
            theme,
        );
        pane::right(buffer, current_ru, &way.ru_in_all, theme.text, theme);
    }
}

#[cfg(test)]
mod tests;
