//! The entries of the start screen in their groups.

use std::path::{Path, PathBuf};

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Span;

use crate::analysis::mask::NameKind;
use crate::source::scenario::{self, ScenarioInfo};
use crate::ui::kit::action::Action;
use crate::ui::kit::cx::Cx;
use crate::ui::kit::list::{RowRole, lay_chosen};
use crate::ui::kit::masking::Mask;
use crate::ui::kit::text;
use crate::ui::kit::theme::Theme;
use crate::ui::view::start::StartState;

/// More push the scenarios out of sight.
const MOST_RECENT: usize = 3;
/// The cursor and a blank.
const LEAD: u16 = 2;
/// Narrower rows have room for the name alone.
const WIDE_ENOUGH_FOR_BOTH: u16 = 24;
/// Scenarios stand side by side where each has so many columns; where they do not fit so, each has fewer.
const CELL: u16 = 38;
const TIGHT_CELL: u16 = 26;
const MOST_COLUMNS: u16 = 3;
/// A line of a scenario and its lesson.
const MOST_LINES: usize = 7;

/// What is chosen where nothing was opened before: Enter shows what the program is about.
pub(super) const FIRST_SCENARIO: usize = 3;

/// Something that can be opened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Entry {
    Recent(PathBuf),
    Exports,
    Account,
    Documents,
    /// By its place among the app's scenarios.
    Scenario(usize),
    Lessons,
}

impl Entry {
    fn group(&self) -> String {
        match self {
            Self::Recent(_) => "Recent files".to_owned(),
            Self::Exports | Self::Account | Self::Documents => "What do you have?".to_owned(),
            Self::Scenario(_) | Self::Lessons => {
                format!("Nothing yet? {} No account needed.", scenario::START_WITH)
            }
        }
    }

    fn name_columns(&self) -> u16 {
        match self {
            Self::Recent(_) | Self::Exports | Self::Account | Self::Documents => 26,
            Self::Scenario(_) | Self::Lessons => 9,
        }
    }
}

/// A heading or an entry at its place, counted from the list's first cell.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct StartCell {
    pub x: u16,
    pub y: usize,
    width: u16,
    /// None of a heading.
    pub number: Option<usize>,
    name: String,
    about: String,
    name_columns: u16,
    lesson: Vec<String>,
}

impl StartCell {
    pub(super) fn rows(&self) -> std::ops::Range<usize> {
        self.y..self.y + 1 + self.lesson.len()
    }
}

pub(super) fn entries(state: &StartState, cx: &Cx) -> Vec<Entry> {
    let recent = state.recent.iter().take(MOST_RECENT);
    let recent = recent.map(|path| Entry::Recent(path.clone()));
    let have = [Entry::Exports, Entry::Account, Entry::Documents];
    let scenarios = (0..cx.scenarios.len()).map(Entry::Scenario);
    let recent = recent.chain(have).chain(scenarios);
    recent.chain([Entry::Lessons]).collect()
}

fn columns_of(group: &[Entry], width: u16, cell: u16) -> u16 {
    match group.first() {
        Some(Entry::Scenario(_)) => (width / cell).clamp(1, MOST_COLUMNS),
        _ => 1,
    }
}

fn groups(entries: &[Entry]) -> Vec<&[Entry]> {
    entries.chunk_by(|a, b| a.group() == b.group()).collect()
}

/// Rows of all entries and headings with cells of this width, none of them free.
fn rows(groups: &[&[Entry]], width: u16, cell: u16) -> usize {
    let of = |group: &&[Entry]| 1 + group.len().div_ceil(columns_of(group, width, cell).into());
    groups.iter().map(of).sum()
}

/// Whether all entries are in sight, with their titles.
pub(super) fn fit(entries: &[Entry], width: u16, height: usize) -> bool {
    rows(&groups(entries), width, CELL) <= height
}

/// The list with its headings, scenarios in a grid; free rows part the groups where all of it fits, and what is left
/// over holds what there is to learn from each scenario.
pub(super) fn shown(cx: &Cx, entries: &[Entry], width: u16, height: usize) -> Vec<StartCell> {
    let groups = groups(entries);
    let is_tight = rows(&groups, width, CELL) > height;
    let least_cell = if is_tight { TIGHT_CELL } else { CELL };
    let least = rows(&groups, width, least_cell);
    let gap = usize::from(least + groups.len() <= height);
    let free = height.saturating_sub(least + gap * groups.len());
    let (mut out, mut y, mut number) = (Vec::new(), 0, 0);
    for group in groups {
        let columns = columns_of(group, width, least_cell);
        let rows = group.len().div_ceil(columns.into());
        let cell = width / columns;
        let about_group = group.first().map(Entry::group).unwrap_or_default();
        out.push(StartCell { y, width, name: about_group, ..StartCell::default() });
        y += 1;
        let lines = match group.first() {
            Some(Entry::Scenario(_)) => (1 + free / rows.max(1)).min(MOST_LINES),
            _ => 1,
        };
        for (at, entry) in group.iter().enumerate() {
            let (name, about) = words(cx, entry);
            let lesson = lesson(cx, entry, cell.saturating_sub(2 * LEAD + 1), lines - 1);
            out.push(StartCell {
                x: u16::try_from(at / rows).unwrap_or(0) * cell,
                y: y + (at % rows) * lines,
                width: cell,
                number: Some(number),
                name,
                about,
                name_columns: entry.name_columns(),
                lesson,
            });
            number += 1;
        }
        y += rows * lines + gap;
    }
    out
}

/// What there is to see in a scenario, in as many lines; a blank one after it where there is room.
fn lesson(cx: &Cx, entry: &Entry, width: u16, lines: usize) -> Vec<String> {
    let Entry::Scenario(at) = entry else {
        return Vec::new();
    };
    let look_at = cx.scenarios.get(*at).map_or("", |s| s.look_at.as_str());
    let mut wrapped = text::wrapped(look_at, width.into(), cx.theme.glyphs);
    if let Some(last) = lines.checked_sub(1).filter(|last| *last < wrapped.len()) {
        // The rest is cut where it is drawn.
        let rest = wrapped.split_off(last).join(" ");
        wrapped.push(rest);
    } else if lines == 0 {
        wrapped.clear();
    }
    wrapped
}

fn words(cx: &Cx, entry: &Entry) -> (String, String) {
    let key = |action: Action| cx.keymap.shown(action).unwrap_or_default();
    let (name, about) = match entry {
        Entry::Recent(path) => return (file_name(cx, path), folder(cx, path)),
        Entry::Scenario(at) => {
            let scenario = cx.scenarios.get(*at);
            let words = |s: &ScenarioInfo| (s.name.to_owned(), s.title.clone());
            return scenario.map_or_else(Default::default, words);
        }
        Entry::Lessons => ("lessons", format!("{}  on these screens", key(Action::ShowLesson))),
        Entry::Exports => (
            "exports: file or folder",
            format!("{}  sizes, RU logs, metrics: CSV, JSON, Parquet", key(Action::Open)),
        ),
        Entry::Account => {
            ("an account", format!("{}  how to connect, or to export", key(Action::Enter)))
        }
        Entry::Documents => (
            "documents of a container",
            format!("{}  try other partition keys on them", key(Action::Enter)),
        ),
    };
    (name.to_owned(), about)
}

fn file_name(cx: &Cx, path: &Path) -> String {
    match &cx.mask {
        Mask::Off => {
            let name = path.file_name().unwrap_or(path.as_os_str());
            cx.theme.glyphs.outside(&name.to_string_lossy()).into_owned()
        }
        Mask::On(masker) => masker.name(NameKind::File, &path.to_string_lossy()),
    }
}

fn folder(cx: &Cx, path: &Path) -> String {
    match (&cx.mask, path.parent()) {
        (Mask::Off, Some(folder)) => {
            let folder = folder.to_string_lossy();
            cx.theme.glyphs.outside(&folder).into_owned()
        }
        _ => String::new(),
    }
}

/// What is said of the chosen entry: a title, and a sentence on what it is good for.
pub(super) fn about(cx: &Cx, entry: Option<&Entry>) -> (String, String) {
    match entry {
        None => (String::new(), String::new()),
        Some(Entry::Recent(path)) => {
            let whole = match cx.mask {
                Mask::Off => cx.theme.glyphs.outside(&path.to_string_lossy()).into_owned(),
                Mask::On(_) => "its folder is masked".to_owned(),
            };
            (file_name(cx, path), format!("Read again: {whole}"))
        }
        Some(Entry::Scenario(at)) => cx.scenarios.get(*at).map_or_else(
            || (String::new(), String::new()),
            |s| (s.name.to_owned(), format!("Look at this: {}", s.look_at)),
        ),
        Some(Entry::Exports) => (
            "exports".to_owned(),
            "Key sizes, request units, metrics, container reads: CSV, JSON, Parquet, packed or not, several at once. Files are recognized by their content.".to_owned(),
        ),
        Some(Entry::Documents) => (
            "documents".to_owned(),
            "JSON lines, a JSON list, CSV or Parquet. They show which key spreads sizes and requests best, before anything is moved.".to_owned(),
        ),
        Some(Entry::Lessons) => (
            "lessons".to_owned(),
            "Look at this: partitions, hot keys, 20 GB, choosing a key, step by step on these screens, with questions and a quiz.".to_owned(),
        ),
        Some(Entry::Account) => (
            "account".to_owned(),
            "An account is opened by cosmoscope connect, read only. The page says how to sign in, and how to get exports instead.".to_owned(),
        ),
    }
}

impl StartCell {
    /// Draws it into the list, of which `first` rows are above the window.
    pub(super) fn draw(
        &self,
        buffer: &mut Buffer,
        list: Rect,
        first: usize,
        role: RowRole,
        theme: &Theme,
    ) {
        let row = |at: usize| {
            let at = u16::try_from(at.checked_sub(first)?).ok()?;
            let row = (at < list.height).then(|| text::row(list, at))?;
            Some(text::column(row, self.x, self.width.saturating_sub(1)))
        };
        for (line, at) in self.lesson.iter().zip(self.y + 1..) {
            if let Some(row) = row(at) {
                let spans = [Span::raw("    "), Span::styled(line.as_str(), theme.dim)];
                text::left(buffer, row, &spans, theme);
            }
        }
        let Some(row) = row(self.y) else {
            return;
        };
        if self.number.is_none() {
            text::left(buffer, row, &[Span::styled(&*self.name, theme.title)], theme);
            return;
        }
        let columns = if row.width < WIDE_ENOUGH_FOR_BOTH {
            row.width.saturating_sub(LEAD)
        } else {
            self.name_columns
        };
        let mut name_style = theme.text;
        if role == RowRole::Chosen {
            let sign = [Span::styled(theme.glyphs.signs().cursor, theme.accent)];
            text::left(buffer, row, &sign, theme);
            name_style = theme.accent;
        }
        let name = text::column(row, LEAD, columns);
        text::middle(buffer, name, &self.name, name_style, theme);
        let start = LEAD + columns + 1;
        let rest = text::column(row, start, row.width.saturating_sub(start));
        text::left(buffer, rest, &[Span::styled(&*self.about, theme.text)], theme);
        if role == RowRole::Chosen {
            lay_chosen(buffer, row, theme.cursor_row);
        }
    }
}
