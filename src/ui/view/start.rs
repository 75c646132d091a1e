//! The first screen: what this program is for, recent files, built-in scenarios, ways in.

mod entries;
#[cfg(test)]
mod tests;

use super::{Hit, View};
use crate::work::data::Exported;
use std::path::PathBuf;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Span;

use crate::ui::kit::action::Action;
use crate::ui::kit::cx::Cx;
use crate::ui::kit::list::{Cursor, RowRole};
use crate::ui::kit::msg::{Effect, Msg, OnScreen};
use crate::ui::kit::panel::Panel;
use crate::ui::kit::sign;
use crate::ui::kit::text;
use crate::work::data::Origin;

use entries::{Entry, StartLine};

/// From this width on the chosen entry is told of beside the list, else below it.
const WIDE: u16 = 110;
/// Rows of its frame there.
const BESIDE: u16 = 12;
/// Rows of the sentence below the list, with the line above it.
const BELOW: u16 = 4;
/// Less high and the list has the room alone.
const HIGH_ENOUGH_FOR_DETAIL: u16 = 14;
/// Less high and the first line alone says what this is.
const HIGH_ENOUGH_FOR_INTRO: u16 = 18;
/// Less high and every row is wanted for the list.
const HIGH_ENOUGH_FOR_FREE_ROWS: u16 = 26;

/// A narrower window takes the shorter question.
const WIDE_ENOUGH_FOR_QUESTION: u16 = 76;

const SHORT_QUESTION: &str = "Which key is hot or full?";
const QUESTION: &str = "Which partition is hot or full, and which key value is to blame?";
const INTRO: &str = "The items of one partition key value stay together: 20 GB and 10,000 RU/s at most. Cosmoscope shows who comes near these limits, and only reads.";

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct StartState {
    pub recent: Vec<PathBuf>,
    /// Counts entries; headings cannot be chosen.
    pub cursor: Cursor,
    shown: Vec<StartLine>,
    /// The first line drawn of those shown.
    first: usize,
    intro: Vec<String>,
    detail: (String, Vec<String>),
}

struct Areas {
    intro: Rect,
    list: Rect,
    detail: Rect,
}

fn areas(body: Rect, intro_rows: usize) -> Areas {
    let intro_rows = u16::try_from(intro_rows).unwrap_or(0).min(body.height);
    let intro = Rect {
        height: intro_rows,
        ..body
    };
    let from = intro_rows + u16::from(body.height >= HIGH_ENOUGH_FOR_FREE_ROWS);
    let rest = Rect {
        y: body.y.saturating_add(from).min(body.bottom()),
        height: body.height.saturating_sub(from),
        ..body
    };
    if body.width >= WIDE {
        let list = text::column(rest, 0, rest.width / 2);
        let detail = text::column(rest, list.width, rest.width - list.width);
        return Areas {
            intro,
            list,
            detail: Rect {
                height: detail.height.min(BESIDE),
                ..detail
            },
        };
    }
    let below = if body.height >= HIGH_ENOUGH_FOR_DETAIL {
        BELOW
    } else {
        0
    };
    Areas {
        intro,
        list: Rect {
            height: rest.height.saturating_sub(below),
            ..rest
        },
        detail: Rect {
            y: rest.bottom().saturating_sub(below),
            height: below.min(rest.height),
            ..rest
        },
    }
}

fn detail_room(body: Rect, detail: Rect) -> Rect {
    if body.width >= WIDE {
        let inner = Panel::inner(detail);
        return text::column(inner, 1, inner.width.saturating_sub(2)).intersection(inner);
    }
    Rect {
        y: detail.y.saturating_add(1).min(detail.bottom()),
        height: detail.height.saturating_sub(1),
        ..detail
    }
}

fn draw_detail(state: &StartState, cx: &Cx, body: Rect, area: Rect, buffer: &mut Buffer) {
    let theme = &cx.theme;
    let (title, lines) = &state.detail;
    let keys = [Action::NextRow, Action::PreviousRow, Action::Enter];
    let [down, up, enter] = keys.map(|a| cx.keymap.shown(a).unwrap_or_default());
    let ways = format!("{down} and {up} choose, {enter} opens");
    if body.width >= WIDE {
        let panel = Panel::new(title.as_str()).footer(ways);
        panel.draw(buffer, area, theme);
    } else if area.height > 0 {
        let rule = theme.glyphs.signs().frame.horizontal;
        let row = text::row(area, 0);
        let whole = rule.repeat(row.width.into());
        text::left(buffer, row, &[Span::styled(whole, theme.border)], theme);
        let inside = text::column(row, 2, row.width.saturating_sub(4));
        let start = [Span::styled(format!(" {title} "), theme.accent)];
        let end = [Span::styled(format!(" {ways} "), theme.hint)];
        text::ends(buffer, inside, &start, &end, theme);
    }
    let room = detail_room(body, area);
    for (line, index) in lines.iter().zip(0..room.height) {
        let spans = text::coded(line, theme.text, theme);
        text::left(buffer, text::row(room, index), &spans, theme);
    }
}

impl View for StartState {
    fn settle(&mut self, cx: &Cx, body: Rect) -> Vec<Effect> {
        let glyphs = cx.theme.glyphs;
        let question = if body.width >= WIDE_ENOUGH_FOR_QUESTION {
            QUESTION
        } else {
            SHORT_QUESTION
        };
        let mut intro = vec![question.to_owned()];
        if body.height >= HIGH_ENOUGH_FOR_INTRO {
            intro.extend(text::wrapped(INTRO, body.width.into(), glyphs));
        }
        let areas = areas(body, intro.len());
        let entries = entries::entries(self, cx);
        self.cursor.settle(entries.len(), 1);
        let chosen = self.cursor.chosen;
        let height = usize::from(areas.list.height);
        let shown = entries::shown(cx, &entries, height);
        let (title, sentence) = entries::about(cx, entries.get(chosen));
        let room = detail_room(body, areas.detail);
        let lines = text::wrapped(&sentence, room.width.into(), glyphs);
        self.intro = intro;
        self.detail = (title, lines);
        let at = shown.iter().position(|line| line.number() == Some(chosen));
        let at = at.unwrap_or_default();
        // The heading above the first entry of a group comes with it.
        let is_entry = |at: usize| shown.get(at).is_some_and(|line| line.number().is_some());
        let mut top = at;
        while top > 0 && !is_entry(top - 1) {
            top -= 1;
        }
        self.first = self
            .first
            .min(top)
            .max((at + 1).saturating_sub(height))
            .min(shown.len().saturating_sub(height));
        self.shown = shown;
        Vec::new()
    }

    /// ```text
    /// Which partition is hot or full …
    /// Azure Cosmos DB keeps …
    ///
    /// Recent files
    ///   sizes.csv       /exports/june
    /// Built-in scenarios: no account, no file, no network
    /// ▶ tenants         Six tenants, three partitions
    /// ── tenants ─────────────────────── Enter opens it ──
    /// 30,000 RU/s are bought and …
    /// ```
    fn draw(&self, cx: &Cx, body: Rect, buffer: &mut Buffer) {
        let theme = &cx.theme;
        let areas = areas(body, self.intro.len());
        for (line, index) in self.intro.iter().zip(0..areas.intro.height) {
            let style = if index == 0 { theme.title } else { theme.text };
            let row = text::row(areas.intro, index);
            text::left(buffer, row, &[Span::styled(line.as_str(), style)], theme);
        }
        let list = areas.list;
        let shown = self.shown.iter().skip(self.first);
        for (line, index) in shown.zip(0..list.height) {
            let standing = match line.number() {
                Some(number) if number == self.cursor.chosen => RowRole::Chosen,
                _ => RowRole::Other,
            };
            line.draw(buffer, text::row(list, index), standing, theme);
        }
        sign::scroll(buffer, list, self.first, self.shown.len(), theme);
        draw_detail(self, cx, body, areas.detail, buffer);
    }

    fn act(&mut self, cx: &Cx, action: Action) -> Vec<Effect> {
        let entries = entries::entries(self, cx);
        if action == Action::Enter {
            return match entries.get(self.cursor.chosen) {
                Some(Entry::Recent(path)) => {
                    OnScreen::Open(Origin::Paths(vec![path.clone()])).alone()
                }
                Some(Entry::Scenario(at)) => match cx.scenarios.get(*at).map(|s| s.name) {
                    Some(name) => OnScreen::Open(Origin::Scenario(name)).alone(),
                    None => Vec::new(),
                },
                Some(Entry::Open) => OnScreen::Do(Action::Open).alone(),
                Some(Entry::Connect) => OnScreen::Do(Action::Connect).alone(),
                None => Vec::new(),
            };
        }
        let areas = areas(cx.body(), self.intro.len());
        let height = usize::from(areas.list.height);
        self.cursor.act(action, entries.len(), height);
        Vec::new()
    }

    fn hit(&self, _cx: &Cx, body: Rect, _column: u16, row: u16) -> Option<Hit> {
        let list = areas(body, self.intro.len()).list;
        if !(list.top()..list.bottom()).contains(&row) {
            return None;
        }
        let at = self.first + usize::from(row - list.y);
        self.shown.get(at).and_then(StartLine::number).map(Hit::Row)
    }

    fn click(&mut self, cx: &Cx, hit: Hit) -> Vec<Effect> {
        match hit {
            Hit::Row(row) if self.cursor.click(row) => self.act(cx, Action::Enter),
            _ => Vec::new(),
        }
    }

    fn answer(&mut self, _cx: &Cx, msg: &Msg) -> Vec<Effect> {
        if let Msg::RecentRead(paths) = msg {
            self.recent.clone_from(paths);
        }
        Vec::new()
    }

    fn exported(&self, _cx: &Cx) -> Result<Exported, &'static str> {
        Err("there is nothing on the start screen to export")
    }
}
