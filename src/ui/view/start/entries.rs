//! The entries of the start screen in their groups.

use std::path::{Path, PathBuf};

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Span;

use crate::analysis::mask::NameKind;
use crate::ui::kit::cx::Cx;
use crate::ui::kit::list::{RowRole, lay_chosen};
use crate::ui::kit::masking::Mask;
use crate::ui::kit::text;
use crate::ui::kit::theme::Theme;
use crate::ui::view::start::StartState;

/// More push the scenarios out of sight.
const MOST_RECENT: usize = 5;
/// The cursor and a blank.
const LEAD: u16 = 2;

/// Narrower rows have room for the name alone.
const WIDE_ENOUGH_FOR_BOTH: u16 = 50;

/// Something that can be opened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Entry {
    Recent(PathBuf),
    /// By its place among the app's scenarios.
    Scenario(usize),
    Open,
    Connect,
}

impl Entry {
    fn group(&self) -> &'static str {
        match self {
            Self::Recent(_) => "Recent files",
            Self::Scenario(_) => "Built-in scenarios: no account, no file, no network",
            Self::Open | Self::Connect => "Ways in",
        }
    }
}

/// A line of the list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum StartLine {
    Blank,
    Heading(&'static str),
    Entry {
        number: usize,
        name: String,
        about: String,
        name_columns: u16,
    },
}

pub(super) fn entries(state: &StartState, cx: &Cx) -> Vec<Entry> {
    let recent = state.recent.iter().take(MOST_RECENT);
    let recent = recent.map(|path| Entry::Recent(path.clone()));
    let scenarios = (0..cx.scenarios.len()).map(Entry::Scenario);
    let ways = [Entry::Open, Entry::Connect];
    recent.chain(scenarios).chain(ways).collect()
}

/// The list with its headings; free rows part the groups where all of it fits.
pub(super) fn shown(cx: &Cx, entries: &[Entry], height: usize) -> Vec<StartLine> {
    let mut out = Vec::new();
    let mut group = "";
    let groups = entries.chunk_by(|a, b| a.group() == b.group()).count();
    let is_roomy = entries.len() + 2 * groups <= height;
    for (number, entry) in entries.iter().enumerate() {
        if entry.group() != group {
            if is_roomy && !out.is_empty() {
                out.push(StartLine::Blank);
            }
            group = entry.group();
            out.push(StartLine::Heading(group));
        }
        let (name, about) = words(cx, entry);
        let name_columns = match entry {
            Entry::Recent(_) | Entry::Open | Entry::Connect => 30,
            Entry::Scenario(_) => 12,
        };
        out.push(StartLine::Entry {
            number,
            name,
            about,
            name_columns,
        });
    }
    out
}

fn words(cx: &Cx, entry: &Entry) -> (String, String) {
    match entry {
        Entry::Recent(path) => (file_name(cx, path), folder(cx, path)),
        Entry::Scenario(at) => cx.scenarios.get(*at).map_or_else(
            || (String::new(), String::new()),
            |s| (s.name.to_owned(), s.title.clone()),
        ),
        Entry::Open => (
            "open files or folders".to_owned(),
            "exports you have, of any kind".to_owned(),
        ),
        Entry::Connect => (
            "connect to an account".to_owned(),
            "the command, the roles, or an export of it".to_owned(),
        ),
    }
}

fn file_name(cx: &Cx, path: &Path) -> String {
    match &cx.mask {
        Mask::Off => {
            let name = path.file_name().unwrap_or(path.as_os_str());
            cx.theme
                .glyphs
                .outside(&name.to_string_lossy())
                .into_owned()
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
            (file_name(cx, path), format!("Read anew: {whole}"))
        }
        Some(Entry::Scenario(at)) => cx.scenarios.get(*at).map_or_else(
            || (String::new(), String::new()),
            |s| (s.name.to_owned(), format!("Look at this: {}", s.look_at)),
        ),
        Some(Entry::Open) => (
            "open".to_owned(),
            "Key sizes, request units, metrics, container reads: CSV, JSON, Parquet, packed or not, several at once. What a file is, is told from its content.".to_owned(),
        ),
        Some(Entry::Connect) => (
            "connect".to_owned(),
            "An account is opened by cosmoscope connect, read only. The page says how to sign in, and how to get exports instead.".to_owned(),
        ),
    }
}

impl StartLine {
    pub(super) fn number(&self) -> Option<usize> {
        match self {
            Self::Entry { number, .. } => Some(*number),
            Self::Blank | Self::Heading(_) => None,
        }
    }

    pub(super) fn draw(&self, buffer: &mut Buffer, row: Rect, standing: RowRole, theme: &Theme) {
        let row = text::column(row, 0, row.width.saturating_sub(1));
        match self {
            Self::Blank => {}
            Self::Heading(words) => {
                text::left(buffer, row, &[Span::styled(*words, theme.title)], theme);
            }
            Self::Entry {
                name,
                about,
                name_columns,
                ..
            } => {
                let columns = if row.width < WIDE_ENOUGH_FOR_BOTH {
                    row.width.saturating_sub(LEAD)
                } else {
                    *name_columns
                };
                let name_style = if standing == RowRole::Chosen {
                    let sign = [Span::styled(theme.glyphs.signs().cursor, theme.accent)];
                    text::left(buffer, row, &sign, theme);
                    theme.accent
                } else {
                    theme.text
                };
                text::middle(
                    buffer,
                    text::column(row, LEAD, columns),
                    name,
                    name_style,
                    theme,
                );
                let start = LEAD + columns + 1;
                let rest = text::column(row, start, row.width.saturating_sub(start));
                text::middle(buffer, rest, about, theme.dim, theme);
                if standing == RowRole::Chosen {
                    lay_chosen(buffer, row, theme.cursor_row);
                }
            }
        }
    }
}
