//! What surrounds every view: the title, the status line, the footer with its keys.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Span;

use super::theme::Theme;
use super::{VIEWS, prompt, text};
use crate::app::action::Action;
use crate::app::data::{Origin, Stage};
use crate::app::masking::Mask;
use crate::app::{App, Freeze, Loading, Overlay, Status};
use crate::model::units::{count_text, kib_text};
use crate::model::visible::{display_width, shorten};

/// The rows of a window.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parts {
    pub title: Rect,
    pub body: Rect,
    pub status: Rect,
    pub footer: Rect,
}

pub fn parts(area: Rect) -> Parts {
    let row = |from_bottom: u16| {
        let y = area.bottom().saturating_sub(from_bottom).max(area.y);
        Rect::new(area.x, y, area.width, u16::from(area.height >= from_bottom))
    };
    let body = Rect::new(
        area.x,
        area.y.saturating_add(1).min(area.bottom()),
        area.width,
        area.height.saturating_sub(3),
    );
    Parts {
        title: Rect::new(area.x, area.y, area.width, area.height.min(1)),
        body,
        status: row(2),
        footer: row(1),
    }
}

/// Where the data comes from, in a word or two.
pub fn origin_text(app: &App, origin: &Origin) -> String {
    match origin {
        Origin::Scenario(name) => format!("scenario {name}"),
        Origin::Paths(paths) => {
            let name = |path: &std::path::PathBuf| {
                let file = path.file_name().map_or(path.as_os_str(), |name| name);
                file.to_string_lossy().into_owned()
            };
            let first = paths.first().map(name).unwrap_or_default();
            let first = match &app.mask {
                Mask::Off => app.theme.glyphs.outside(&first).into_owned(),
                Mask::On(_) => "file".to_owned(),
            };
            match paths.len() {
                0 | 1 => first,
                n => format!("{first} and {} more", n - 1),
            }
        }
    }
}

pub fn title(app: &App, area: Rect, buffer: &mut Buffer) {
    let theme = &app.theme;
    let signs = theme.glyphs.signs();
    let mut left = vec![Span::styled("Cosmoscope", theme.title)];
    let mut say = |text: String, style: Style| {
        left.push(Span::styled(format!(" {} ", signs.path), theme.dim));
        left.push(Span::styled(text, style));
    };
    if let Some(data) = &app.data {
        say(origin_text(app, &data.origin), theme.accent);
        if let Some(text) = stage_text(&data.stage) {
            say(text, theme.warning);
        }
    }
    let badges = badges(app);
    let taken: usize = badges.iter().map(Span::width).sum();
    let taken = u16::try_from(taken).unwrap_or(u16::MAX).min(area.width);
    let room = Rect {
        width: area.width.saturating_sub(taken),
        ..area
    };
    text::left(buffer, room, &left, theme);
    text::right(buffer, area, &badges, theme);
}

/// What is missing of the inputs, if anything is.
fn stage_text(stage: &Stage) -> Option<String> {
    Some(match stage {
        Stage::Whole => return None,
        Stage::Reading { keys_so_far } => {
            format!("{} keys so far", count_text(*keys_so_far))
        }
        Stage::Stopped { keys_so_far } => {
            format!("stopped at {} keys", count_text(*keys_so_far))
        }
        Stage::Largest { keys_total } => {
            format!("the largest of {} keys", count_text(*keys_total))
        }
    })
}

/// States that must not be forgotten.
fn badges(app: &App) -> Vec<Span<'static>> {
    let mut words = Vec::new();
    if app.mask.is_on() {
        words.push("masked");
    }
    match &app.freeze {
        Freeze::Flowing => {}
        Freeze::Held(None) => words.push("frozen"),
        Freeze::Held(Some(_)) => words.push("frozen, newer data waits"),
    }
    let spans = words.into_iter().flat_map(|word| {
        [
            Span::raw(" "),
            Span::styled(format!(" {word} "), app.theme.badge),
        ]
    });
    spans.collect()
}

pub fn status(app: &App, area: Rect, buffer: &mut Buffer) {
    let theme = &app.theme;
    if let Some(Overlay::Line(line)) = &app.overlay {
        prompt::draw_line(app, line, area, buffer);
        return;
    }
    let spans = match (&app.status, &app.loading) {
        (Status::Failed(fault), _) => {
            let mut spans = vec![
                Span::styled(theme.glyphs.signs().cross, theme.error),
                Span::raw(" "),
                Span::styled(theme.glyphs.own(&fault.what).into_owned(), theme.error),
            ];
            if let Some(next) = &fault.next {
                spans.push(Span::styled(
                    format!("  {}", theme.glyphs.own(next)),
                    theme.hint,
                ));
            }
            spans
        }
        (_, Some(loading)) => loading_spans(app, loading),
        (Status::Done(text), None) => {
            vec![Span::styled(
                theme.glyphs.own(text).into_owned(),
                theme.status,
            )]
        }
        (Status::Quiet, None) => Vec::new(),
    };
    text::left(buffer, area, &spans, theme);
}

/// Cells of the progress bar.
const PROGRESS_CELLS: u64 = 20;
const NAME_WIDTH: usize = 24;

fn loading_spans(app: &App, loading: &Loading) -> Vec<Span<'static>> {
    let theme = &app.theme;
    let signs = theme.glyphs.signs();
    let p = &loading.progress;
    let done = p.done_bytes.min(p.total_bytes);
    let mut spans = vec![Span::styled("reading ", theme.status)];
    if p.total_bytes == 0 {
        spans.push(Span::styled(
            origin_text(app, &loading.origin),
            theme.accent,
        ));
    } else {
        let filled = (done * PROGRESS_CELLS)
            .checked_div(p.total_bytes)
            .unwrap_or(0);
        let cells = |n: u64, sign: &str| sign.repeat(usize::try_from(n).unwrap_or(0));
        let percent = (done * 100).checked_div(p.total_bytes).unwrap_or(0);
        spans.push(Span::styled(cells(filled, signs.progress_done), theme.good));
        spans.push(Span::styled(
            cells(PROGRESS_CELLS - filled, signs.progress_left),
            theme.bar_track,
        ));
        #[expect(clippy::cast_precision_loss, reason = "shown with three digits")]
        let size = |bytes: u64| kib_text(bytes as f64 / 1024.0);
        spans.push(Span::styled(
            format!(
                " {percent:>3} %  {} of {}  {} rows  ",
                size(done),
                size(p.total_bytes),
                count_text(p.rows)
            ),
            theme.status,
        ));
        if !app.mask.is_on() {
            let what = shorten(&p.what, NAME_WIDTH);
            spans.push(Span::styled(
                theme.glyphs.shown(&what).into_owned(),
                theme.dim,
            ));
        }
    }
    if let Some(key) = app.keymap.shown(Action::StopLoading) {
        spans.push(Span::styled(format!("  {key}"), theme.key_hint));
        spans.push(Span::styled(" stop", theme.hint));
    }
    spans
}

/// An entry of the footer: which cells it takes and what it does.
struct Entry {
    x: u16,
    width: u16,
    key: String,
    word: &'static str,
    action: Action,
    is_current: bool,
}

/// What the footer holds, as far as it fits: views, the keys of this view, and always the way to all others.
fn entries(app: &App, area: Rect) -> Vec<Entry> {
    let current = app.view;
    let views = VIEWS
        .iter()
        .filter(|v| app.data.is_some() || v.id == current)
        .map(|v| (v.action, v.name, v.id == current));
    let hints = current.about().hints.iter();
    let hints: Vec<(Action, &str, bool)> = match &app.overlay {
        Some(Overlay::Line(_)) => {
            let typed = [Action::Accept, Action::Cancel, Action::Complete];
            typed.map(|a| (a, a.hint(), false)).to_vec()
        }
        Some(_) => [Action::Back, Action::Copy]
            .map(|a| (a, a.hint(), false))
            .to_vec(),
        None => views.chain(hints.map(|a| (*a, a.hint(), false))).collect(),
    };
    let last: &[Action] = match app.overlay {
        Some(Overlay::Line(_)) => &[],
        _ => &[Action::Palette, Action::Help, Action::Quit],
    };
    let mut kept: Vec<(String, &'static str, Action, bool)> = Vec::new();
    let named = |(action, word, is_current): (Action, &'static str, bool)| {
        Some((app.keymap.shown(action)?, word, action, is_current))
    };
    let last: Vec<_> = last
        .iter()
        .filter_map(|a| named((*a, a.hint(), false)))
        .collect();
    let width_of =
        |e: &(String, &str, Action, bool)| display_width(&e.0) + 1 + display_width(e.1) + 2;
    let reserved: usize = last.iter().map(width_of).sum();
    let mut used = 0;
    for entry in hints.into_iter().filter_map(named) {
        let width = width_of(&entry);
        if used + width + reserved > usize::from(area.width) + 2 {
            break;
        }
        used += width;
        kept.push(entry);
    }
    kept.extend(last);
    let mut x = area.x;
    let placed = kept.into_iter().map(|(key, word, action, is_current)| {
        let width = display_width(&key) + 1 + display_width(word);
        let width = u16::try_from(width).unwrap_or(u16::MAX);
        let entry = Entry {
            x,
            width,
            key,
            word,
            action,
            is_current,
        };
        x = x.saturating_add(width).saturating_add(2);
        entry
    });
    placed.filter(|e| e.x < area.right()).collect()
}

pub fn footer(app: &App, area: Rect, buffer: &mut Buffer) {
    let theme = &app.theme;
    for entry in entries(app, area) {
        let word = if entry.is_current {
            theme.selected
        } else {
            theme.hint
        };
        let room = Rect {
            x: entry.x,
            width: entry.width.min(area.right().saturating_sub(entry.x)),
            ..area
        };
        let key = theme.glyphs.own(&entry.key).into_owned();
        let spans = [
            Span::styled(key, theme.key_hint),
            Span::raw(" "),
            Span::styled(entry.word, word),
        ];
        text::left(buffer, room, &spans, theme);
    }
}

/// The action under a column of the footer.
pub fn footer_hit(app: &App, area: Rect, column: u16) -> Option<Action> {
    let under = |e: &Entry| (e.x..e.x.saturating_add(e.width)).contains(&column);
    entries(app, area).into_iter().find(under).map(|e| e.action)
}

/// The one sentence that a tiny window has room for.
pub fn too_small(app: &App, area: Rect, buffer: &mut Buffer) {
    let theme: &Theme = &app.theme;
    let (width, height) = super::SMALLEST;
    let lines = [
        "Cosmoscope".to_owned(),
        format!("needs {width}x{height}"),
        format!("has {}x{}", area.width, area.height),
    ];
    for (line, row) in lines.iter().zip(area.y..area.bottom()) {
        buffer.set_stringn(area.x, row, line, usize::from(area.width), theme.text);
    }
}
