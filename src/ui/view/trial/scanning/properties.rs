//! Which properties are read of documents that are not whole: those that keys are made of, and whatever somebody adds.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Span;

use crate::model::path::Path;
use crate::model::visible::visible;
use crate::ui::kit::cx::Cx;
use crate::ui::kit::input::{Chord, Code};
use crate::ui::kit::text;
use crate::ui::kit::theme::Theme;
use crate::ui::view::trial::TrialState;

/// Properties that a query names; more are whole documents.
const MOST_CHOSEN: usize = 60;
/// Characters of one that is typed.
const MOST_TYPED: usize = 200;

#[derive(Clone, PartialEq, Eq, Debug)]
struct Row {
    path: Path,
    is_chosen: bool,
    why: &'static str,
}

/// What is typed, and what is wrong with it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct TypedPath {
    text: String,
    fault: Option<String>,
}

impl TypedPath {
    /// What can stand in a line, as far as there is room.
    fn extend(&mut self, text: impl IntoIterator<Item = char>) {
        for c in text.into_iter().filter(|c| !c.is_control()) {
            if self.text.len() < MOST_TYPED {
                self.text.push(c);
            }
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
enum PropertyList {
    #[default]
    Closed,
    List,
    Typing(TypedPath),
}

/// A list of properties, some of them chosen.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Properties {
    rows: Vec<Row>,
    at: usize,
    shown: PropertyList,
}

impl Properties {
    /// Those of today's key and of the keys that are compared, times and ids are chosen; those that documents are known to
    /// have can be. `held` are those that were chosen before.
    pub fn of(state: &TrialState, cx: &Cx, held: Option<&[Path]>) -> Self {
        let mut properties = Self::default();
        for path in todays(state, cx) {
            properties.add(&path, true, "today's key");
        }
        for entry in &state.entries {
            for path in entry.candidate.paths() {
                properties.add(path, true, "a key that is tried");
            }
        }
        let sample = state.sample.as_deref();
        let grounds = sample.into_iter().flat_map(|s| [Some(&s.prepared), s.whole.as_ref()]);
        for time in grounds.flatten().filter_map(|prepared| prepared.time()) {
            properties.add(time, true, "when it was written");
        }
        for (name, why) in [("_ts", "when it was changed"), ("id", "documents that would meet")] {
            properties.add(&[name].into_iter().collect(), true, why);
        }
        for path in held.into_iter().flatten() {
            properties.add(path, true, "chosen before");
        }
        for known in sample.into_iter().flat_map(|sample| &sample.known) {
            properties.add(&known.path, false, "");
        }
        properties
    }

    fn add(&mut self, path: &Path, is_chosen: bool, why: &'static str) {
        let is_room = self.chosen().len() < MOST_CHOSEN;
        if let Some(row) = self.rows.iter_mut().find(|row| row.path == *path) {
            row.is_chosen |= is_chosen && is_room;
            return;
        }
        self.rows.push(Row { path: path.clone(), is_chosen: is_chosen && is_room, why });
    }

    pub fn chosen(&self) -> Vec<Path> {
        let chosen = self.rows.iter().filter(|row| row.is_chosen);
        chosen.map(|row| row.path.clone()).collect()
    }

    pub fn open(&mut self) {
        self.shown = PropertyList::List;
    }

    pub fn is_open(&self) -> bool {
        self.shown != PropertyList::Closed
    }

    pub fn ways(&self) -> Option<&'static str> {
        match self.shown {
            PropertyList::Closed => None,
            PropertyList::List => Some("Space chooses, / adds one, p or Esc goes back"),
            PropertyList::Typing(_) => Some("Enter adds it, Esc does not"),
        }
    }

    /// A key while the list is open; false if it means something else.
    pub fn on_key(&mut self, chord: Chord) -> bool {
        match &mut self.shown {
            PropertyList::Closed => return false,
            PropertyList::List => {}
            PropertyList::Typing(typed) => {
                match chord.code {
                    Code::Esc => self.shown = PropertyList::List,
                    Code::Backspace => {
                        typed.text.pop();
                    }
                    Code::Enter => self.take(),
                    _ => typed.extend(chord.typed()),
                }
                return true;
            }
        }
        let last = self.rows.len().saturating_sub(1);
        match chord.code {
            Code::Up | Code::Char('k') => self.at = self.at.saturating_sub(1),
            Code::Down | Code::Char('j') => self.at = (self.at + 1).min(last),
            Code::Home => self.at = 0,
            Code::End => self.at = last,
            Code::Char(' ') => self.toggle(),
            Code::Char('/') => {
                self.shown = PropertyList::Typing(TypedPath { text: "/".to_owned(), fault: None });
            }
            Code::Esc | Code::Enter | Code::Char('p' | 'q') => self.shown = PropertyList::Closed,
            _ => {}
        }
        true
    }

    /// Pasted text while one is typed, without what would act; false where nothing is typed.
    pub fn on_paste(&mut self, text: &str) -> bool {
        let PropertyList::Typing(typed) = &mut self.shown else {
            return false;
        };
        let text = text.trim();
        // The sign that begins a path stands there already.
        let text = match typed.text.as_str() {
            "/" => text.strip_prefix('/').unwrap_or(text),
            _ => text,
        };
        typed.extend(text.chars());
        true
    }

    fn toggle(&mut self) {
        let is_room = self.chosen().len() < MOST_CHOSEN;
        if let Some(row) = self.rows.get_mut(self.at) {
            row.is_chosen = !row.is_chosen && is_room;
        }
    }

    fn take(&mut self) {
        let PropertyList::Typing(typed) = &mut self.shown else {
            return;
        };
        match Path::parse(&typed.text) {
            Ok(path) => {
                self.add(&path, true, "added");
                let at = self.rows.iter().position(|row| row.path == path);
                self.at = at.unwrap_or(self.at);
                self.shown = PropertyList::List;
            }
            Err(fault) => typed.fault = Some(format!("not a path: expected {}", fault.what)),
        }
    }
}

/// The container's own key, which is known before anything else is looked up.
fn todays(state: &TrialState, cx: &Cx) -> Vec<Path> {
    let of = cx.data.as_ref().zip(state.container);
    let container = of.and_then(|(data, number)| data.capture.container(number));
    let definition = container.and_then(|container| container.definition.as_ref());
    let paths = definition.map_or(&[][..], |definition| &definition.paths);
    paths.iter().filter_map(|p| Path::parse(p).ok()).collect()
}

pub fn draw(properties: &Properties, room: Rect, buffer: &mut Buffer, theme: &Theme) {
    let foot = u16::from(room.height > 2);
    let height = usize::from(room.height - foot);
    let first = (properties.at + 1).saturating_sub(height.max(1));
    let rows = properties.rows.iter().enumerate().skip(first).take(height);
    for (line, (at, row)) in (0..).zip(rows) {
        let area = text::row(room, line);
        let sign = if row.is_chosen { "[x] " } else { "[ ] " };
        let style = if row.is_chosen { theme.text } else { theme.dim };
        let path = theme.glyphs.outside(&row.path.to_string()).into_owned();
        let start = [Span::styled(sign, style), Span::styled(path, style)];
        let end = [Span::styled(row.why, theme.dim)];
        text::ends(buffer, area, &start, &end, theme);
        if at == properties.at {
            crate::ui::kit::list::lay_chosen(buffer, area, theme.cursor_row);
        }
    }
    if foot == 0 {
        return;
    }
    let area = text::row(room, room.height - 1);
    let spans = match &properties.shown {
        PropertyList::Typing(typed) => {
            let fault = typed.fault.as_deref().map(|fault| visible(fault).into_owned());
            vec![
                Span::styled("add ", theme.dim),
                Span::styled(theme.glyphs.outside(&typed.text).into_owned(), theme.accent),
                Span::styled("_  ", theme.accent),
                Span::styled(fault.unwrap_or_default(), theme.warning),
            ]
        }
        _ => vec![Span::styled(format!("{} chosen", properties.chosen().len()), theme.dim)],
    };
    text::left(buffer, area, &spans, theme);
}
