//! The first screen: what this program is for, recent files, built-in scenarios, ways in.

mod entries;
#[cfg(test)]
mod tests;

use super::{Hit, View};
use crate::work::data::Exported;
use std::path::PathBuf;

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::Span;

use crate::ui::kit::action::Action;
use crate::ui::kit::cx::Cx;
use crate::ui::kit::line::{Prompt, PromptPurpose};
use crate::ui::kit::list::{Cursor, RowRole};
use crate::ui::kit::msg::{Effect, Msg, OnScreen};
use crate::ui::kit::sign;
use crate::ui::kit::text;
use crate::work::data::Origin;

use entries::{Entry, StartCell};

/// Rows of the sentence below the list, with the line above it; where the introduction has its room, one more.
const BELOW: u16 = 4;
/// Less high and the list has the room alone.
const HIGH_ENOUGH_FOR_DETAIL: u16 = 14;
/// Less high and the first line alone says what this is, as it does where recent files want the rows.
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
    shown: Vec<StartCell>,
    /// The first row drawn of those shown.
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
    let intro = u16::try_from(intro_rows).unwrap_or(0).min(body.height);
    let gap = u16::from(body.height >= HIGH_ENOUGH_FOR_FREE_ROWS);
    let below = match body.height {
        HIGH_ENOUGH_FOR_INTRO.. => BELOW + 1,
        HIGH_ENOUGH_FOR_DETAIL.. => BELOW,
        _ => 0,
    };
    let rows = [
        Constraint::Length(intro),
        Constraint::Length(gap),
        Constraint::Min(0),
        Constraint::Length(below),
    ];
    let [intro, _, list, detail] = Layout::vertical(rows).areas(body);
    Areas { intro, list, detail }
}

fn draw_detail(state: &StartState, cx: &Cx, area: Rect, buffer: &mut Buffer) {
    let theme = &cx.theme;
    let (title, lines) = &state.detail;
    let keys = [Action::NextRow, Action::PreviousRow, Action::Enter];
    let [down, up, enter] = keys.map(|a| cx.keymap.shown(a).unwrap_or_default());
    let ways = format!("{down} and {up} choose, {enter} opens");
    if area.height == 0 {
        return;
    }
    text::rule(buffer, area, title, &ways, theme);
    for (line, index) in lines.iter().zip(1..area.height) {
        let spans = text::coded(line, theme.text, theme);
        text::left(buffer, text::row(area, index), &spans, theme);
    }
}

impl StartState {
    /// Rows of the whole list.
    fn height(&self) -> usize {
        self.shown.iter().map(|cell| cell.rows().end).max().unwrap_or(0)
    }
}

impl View for StartState {
    fn settle(&mut self, cx: &Cx, body: Rect) -> Vec<Effect> {
        let glyphs = cx.theme.glyphs;
        let question =
            if body.width >= WIDE_ENOUGH_FOR_QUESTION { QUESTION } else { SHORT_QUESTION };
        let mut intro = vec![question.to_owned()];
        let entries = entries::entries(self, cx);
        let limits = text::wrapped(INTRO, body.width.into(), glyphs);
        let list = areas(body, intro.len() + limits.len()).list;
        // The last column is the scroll bar's.
        let width = list.width.saturating_sub(1);
        // Where files were opened before, all entries stay in sight.
        let is_free = self.recent.is_empty() || entries::fit(&entries, width, list.height.into());
        if is_free && body.height >= HIGH_ENOUGH_FOR_INTRO {
            intro.extend(limits);
        }
        let areas = areas(body, intro.len());
        self.cursor.settle(entries.len(), 1);
        let chosen = self.cursor.chosen;
        let height = usize::from(areas.list.height);
        self.shown = entries::shown(cx, &entries, width, height);
        let (title, sentence) = entries::about(cx, entries.get(chosen));
        let lines = text::wrapped(&sentence, areas.detail.width.into(), glyphs);
        self.intro = intro;
        self.detail = (title, lines);
        let rows = |number| self.shown.iter().find(|cell| cell.number == number);
        let rows = rows(Some(chosen)).map(StartCell::rows).unwrap_or_default();
        // The heading above the first entry comes with it.
        let top = if chosen == 0 { 0 } else { rows.start };
        self.first = self
            .first
            .min(top)
            .max(rows.end.saturating_sub(height))
            .min(self.height().saturating_sub(height));
        Vec::new()
    }

    /// ```text
    /// Which partition is hot or full …
    /// Azure Cosmos DB keeps …
    ///
    /// What do you have?
    ///   exports, a file or a folder   O  key sizes …
    /// Nothing yet: scenarios, without account, file …
    /// ▶ tenants   Six tenants …    plants    15 plants …
    ///     30,000 RU/s are …            Keyed by plant …
    /// ── tenants ─────────────────────── Enter opens ──
    /// 30,000 RU/s are provisioned and …
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
        for cell in &self.shown {
            let role = match cell.number {
                Some(number) if number == self.cursor.chosen => RowRole::Chosen,
                _ => RowRole::Other,
            };
            cell.draw(buffer, list, self.first, role, theme);
        }
        sign::scroll(buffer, list, self.first, self.height(), theme);
        draw_detail(self, cx, areas.detail, buffer);
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
                Some(Entry::Exports) => OnScreen::Do(Action::Open).alone(),
                Some(Entry::Account) => OnScreen::Do(Action::Connect).alone(),
                Some(Entry::Lessons) => OnScreen::Do(Action::ShowLesson).alone(),
                Some(Entry::Documents) => {
                    let line = Prompt::new(PromptPurpose::Command, "documents ");
                    OnScreen::Type(Box::new(line)).alone()
                }
                None => Vec::new(),
            };
        }
        let areas = areas(cx.body(), self.intro.len());
        let height = usize::from(areas.list.height);
        self.cursor.act(action, entries.len(), height);
        Vec::new()
    }

    fn hit(&self, _cx: &Cx, body: Rect, column: u16, row: u16) -> Option<Hit> {
        let list = areas(body, self.intro.len()).list;
        if !list.contains((column, row).into()) {
            return None;
        }
        let at = self.first + usize::from(row - list.y);
        let x = column - list.x;
        let mut cells = self.shown.iter().rev();
        let under = cells.find(|cell| cell.rows().contains(&at) && cell.x <= x)?;
        under.number.map(Hit::Row)
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
            if paths.is_empty() {
                self.cursor.chosen = entries::FIRST_SCENARIO;
            }
        }
        Vec::new()
    }

    fn exported(&self, _cx: &Cx) -> Result<Exported, &'static str> {
        Err("there is nothing on the start screen to export")
    }
}
