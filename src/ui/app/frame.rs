//! What surrounds every view: the status line and the footer with its keys.

use std::collections::BTreeSet;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Span;

use super::update::waiting;
use super::{App, Overlay, Status, live};
use crate::model::units::{count_text, counted, kib_text, real};
use crate::model::visible::{display_width, shorten, visible};
use crate::source::live::plan::Urgency;
use crate::ui::kit::action::{ACTIONS, Action};
use crate::ui::kit::cx::{Cx, Loading, ReadingGoal, WindowLayout};
use crate::ui::kit::line::PromptPurpose;
use crate::ui::kit::masking::Mask;
use crate::ui::kit::msg::ViewId;
use crate::ui::kit::text;
use crate::ui::kit::theme::Theme;
use crate::ui::view::{VIEWS, prompt, trial};
use crate::work::data::Origin;
use crate::work::fault::WorkFault;

/// Where the data comes from, in a word or two.
pub fn origin_text(app: &App, origin: &Origin) -> String {
    match origin {
        Origin::Scenario(name) => format!("scenario {name}"),
        Origin::Recording(path) => match &app.cx.mask {
            Mask::Off => {
                let file = path.file_name().map_or(path.as_os_str(), |name| name);
                app.cx.theme.glyphs.outside(&file.to_string_lossy()).into_owned()
            }
            Mask::On(_) => "recording".to_owned(),
        },
        Origin::Live(target) => match &app.cx.mask {
            Mask::Off => app.cx.theme.glyphs.outside(target.account()).into_owned(),
            Mask::On(_) => "account".to_owned(),
        },
        Origin::Paths(paths) => {
            let name = |path: &std::path::PathBuf| {
                let file = path.file_name().map_or(path.as_os_str(), |name| name);
                file.to_string_lossy().into_owned()
            };
            let first = paths.first().map(name).unwrap_or_default();
            let first = match &app.cx.mask {
                Mask::Off => app.cx.theme.glyphs.outside(&first).into_owned(),
                Mask::On(_) => "file".to_owned(),
            };
            match paths.len() {
                0 | 1 => first,
                n => format!("{first} and {} more", n - 1),
            }
        }
    }
}

pub fn status(app: &App, area: Rect, buffer: &mut Buffer) {
    let theme = &app.cx.theme;
    if let Some(Overlay::Line(line)) = &app.overlay {
        prompt::draw_line(theme, line, &follows(app, line.purpose), area, buffer);
        return;
    }
    let spans = match (&app.status, &app.cx.loading) {
        (Status::Failed(fault), _) => {
            draw_fault(fault, area, buffer, theme);
            return;
        }
        (Status::Quiet, _) if !app.waiting.is_empty() => waiting_spans(app),
        (Status::Quiet, Some(loading)) => loading_spans(app, loading),
        (Status::Done(text), loading) => {
            let text = theme.glyphs.sentence(text).into_owned();
            let reading = loading.as_ref().map_or("", |_| "  (reading goes on)");
            vec![Span::styled(text, theme.status), Span::styled(reading, theme.dim)]
        }
        (Status::Quiet, None) => {
            // Where nothing else is shown yet, why stays there until the account answers.
            if let (None, Some((_, fault))) = (&app.cx.data, &app.cx.polling.lost) {
                draw_fault(&live::masked(&app.cx.mask, fault), area, buffer, theme);
                return;
            }
            Vec::new()
        }
    };
    text::left(buffer, area, &spans, theme);
}

/// Rows that a failure takes at most: a command with all its options needs them at 80 columns.
const MOST_FAULT_ROWS: usize = 10;

/// A failure in as many rows as it needs, the last of them the status line, the others over the view.
fn draw_fault(fault: &WorkFault, area: Rect, buffer: &mut Buffer, theme: &Theme) {
    let signs = theme.glyphs.signs();
    let room = usize::from(area.width).saturating_sub(2);
    let own = |words: &str| theme.glyphs.sentence(words).into_owned();
    let what = own(&fault.what);
    let next = fault.next.as_deref().map(own);
    let whole = next.as_ref().map_or(0, |next| display_width(next) + 2) + display_width(&what);
    let mut lines: Vec<Vec<Span>> = Vec::new();
    if whole <= room {
        let next = next.map(|next| Span::styled(format!("  {next}"), theme.hint));
        lines.push(std::iter::once(Span::styled(what, theme.error)).chain(next).collect());
    } else {
        let wrapped = |words: &str, style: Style| -> Vec<Vec<Span>> {
            let lines = text::wrapped(words, room, theme.glyphs).into_iter();
            lines.map(|line| vec![Span::styled(line, style)]).collect()
        };
        let mut next = next.map_or_else(Vec::new, |next| wrapped(&next, theme.hint));
        next.truncate(MOST_FAULT_ROWS - 1);
        lines = wrapped(&what, theme.error);
        lines.truncate(MOST_FAULT_ROWS - next.len());
        lines.extend(next);
    }
    let rows = u16::try_from(lines.len()).unwrap_or(1);
    let y = area.bottom().saturating_sub(rows);
    let over = Rect { y, height: area.bottom() - y, ..area };
    text::clear(buffer, over);
    for (at, line) in (0..over.height).zip(lines) {
        let sign = if at == 0 { signs.cross } else { " " };
        let lead = [Span::styled(sign, theme.error), Span::raw(" ")];
        let spans: Vec<Span> = lead.into_iter().chain(line).collect();
        text::left(buffer, text::row(over, at), &spans, theme);
    }
}

/// Cells of the progress bar.
const PROGRESS_CELLS: u64 = 20;
const NAME_WIDTH: usize = 24;

/// `reading ━━━━────  41 %  118.98 MiB of 286.10 MiB  Ctrl-x stop  391,560 rows  a.csv`: what may be cut comes last.
fn loading_spans(app: &App, loading: &Loading) -> Vec<Span<'static>> {
    let theme = &app.cx.theme;
    let signs = theme.glyphs.signs();
    if let Origin::Live(_) = &loading.origin {
        return asking_spans(app, loading);
    }
    let p = &loading.progress;
    let done = p.done_bytes.min(p.total_bytes);
    let is_measured = p.total_bytes > 0;
    let mut spans = vec![Span::styled("reading ", theme.status)];
    if is_measured {
        let part_of = |whole: u64| (done * whole).checked_div(p.total_bytes).unwrap_or(0);
        let filled = part_of(PROGRESS_CELLS);
        let cells = |n: u64, sign: &str| sign.repeat(usize::try_from(n).unwrap_or(0));
        let left = cells(PROGRESS_CELLS - filled, signs.progress_left);
        spans.push(Span::styled(cells(filled, signs.progress_done), theme.good));
        spans.push(Span::styled(left, theme.bar_track));
        let size = |bytes: u64| kib_text(real(bytes) / 1024.0);
        let (percent, done, all) = (part_of(100), size(done), size(p.total_bytes));
        let words = format!(" {percent:>3} %  {done} of {all}");
        spans.push(Span::styled(words, theme.status));
    } else {
        let origin = origin_text(app, &loading.origin);
        spans.push(Span::styled(origin, theme.accent));
    }
    spans.extend(stop_spans(&app.cx, loading));
    if is_measured {
        let rows = format!("  {}", counted(p.rows, "row", "rows"));
        spans.push(Span::styled(rows, theme.status));
        if !app.cx.mask.is_on() {
            let what = shorten(&p.what, NAME_WIDTH);
            let what = theme.glyphs.shown(&what).into_owned();
            spans.push(Span::styled(format!("  {what}"), theme.dim));
        }
    }
    spans
}

/// `  (reading documents 75 %, result follows)` behind a key that is typed before there is anything to try it on.
fn follows(app: &App, purpose: PromptPurpose) -> String {
    let documents = trial::progress(&app.views.trial).map(|_| " documents");
    let what = documents.or_else(|| waiting::is_early(app, Action::TryKey).then_some(""));
    let Some(what) = what.filter(|_| purpose == PromptPurpose::Key) else {
        return String::new();
    };
    let done = waiting::progress(app).map_or_else(String::new, |done| format!(" {done} %"));
    format!("  (reading{what}{done}, result follows)")
}

/// `4 x when reading is done (41 % so far)  Esc drops it`.
fn waiting_spans(app: &App) -> Vec<Span<'static>> {
    let theme = &app.cx.theme;
    let key = |action: Action| app.cx.keymap.shown(action);
    let keys = app.waiting.iter().filter_map(|command| {
        let rest = text::shorten(&command.rest, NAME_WIDTH, theme.glyphs);
        Some(format!("{} {rest}", key(command.action)?).trim_end().to_owned())
    });
    let done =
        waiting::progress(app).map_or_else(String::new, |done| format!(" ({done} % so far)"));
    vec![
        Span::styled(keys.collect::<Vec<_>>().join(" "), theme.key_hint),
        Span::styled(format!(" when reading is done{done}  "), theme.status),
        Span::styled(key(Action::Back).unwrap_or_default(), theme.key_hint),
        Span::styled(" drops it", theme.hint),
    ]
}

/// How reading is stopped, or that it will be.
fn stop_spans(cx: &Cx, loading: &Loading) -> Vec<Span<'static>> {
    let theme = &cx.theme;
    if loading.goal == ReadingGoal::Stop {
        return vec![Span::styled("  stopping", theme.warning)];
    }
    let key = cx.keymap.shown(Action::StopLoading);
    key.map_or_else(Vec::new, |key| {
        let key = Span::styled(format!("  {key}"), theme.key_hint);
        vec![key, Span::styled(" stop", theme.hint)]
    })
}

/// `asking contoso  12 of 40 answered  Ctrl-x stop  orders`; a round that nobody waits for is told by a word at most.
fn asking_spans(app: &App, loading: &Loading) -> Vec<Span<'static>> {
    let theme = &app.cx.theme;
    if loading.urgency == Urgency::Due {
        return vec![Span::styled("asking again", theme.dim)];
    }
    let p = &loading.progress;
    let mut spans = vec![
        Span::styled("asking ", theme.status),
        Span::styled(origin_text(app, &loading.origin), theme.accent),
    ];
    if p.total_bytes > 0 {
        let answered =
            format!("  {} of {} answered", count_text(p.done_bytes), count_text(p.total_bytes));
        spans.push(Span::styled(answered, theme.status));
    }
    spans.extend(stop_spans(&app.cx, loading));
    if !app.cx.mask.is_on() && !p.what.is_empty() {
        let what = shorten(&visible(&p.what), NAME_WIDTH);
        let what = theme.glyphs.shown(&what).into_owned();
        spans.push(Span::styled(format!("  {what}"), theme.dim));
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

/// Actions of every view that are worth a place in the footer where there is room, the most useful first.
const EVERYWHERE: [Action; 8] = [
    Action::Sources,
    Action::Mask,
    Action::Open,
    Action::Scenarios,
    Action::Refresh,
    Action::Freeze,
    Action::NextTheme,
    Action::ShowStart,
];

/// What may be done in the form of a design.
const FORM: [(Action, &str); 5] = [
    (Action::Enter, "change"),
    (Action::NextPane, "pane"),
    (Action::Evidence, "working"),
    (Action::Copy, "copy TOML"),
    (Action::Back, "close"),
];

/// What may be done while a lesson guides.
const LESSON: [(Action, &str); 8] = [
    (Action::NextStep, "next"),
    (Action::PreviousStep, "back"),
    (Action::Reveal, "answer"),
    (Action::TryKey, "try a key"),
    (Action::PlayLapse, "play"),
    (Action::HandOut, "hand-out"),
    (Action::Back, "look around"),
    (Action::ShowLesson, "lessons"),
];

/// Whether a view shows what was opened; the others are found on the start screen.
fn is_of_data(id: ViewId) -> bool {
    !matches!(id, ViewId::Start | ViewId::Lesson)
}

/// In fewer columns the keys of all views leave no room for others.
const MOST_TIGHT: u16 = 70;

/// What may stand in the footer, the most useful first.
fn by_worth(app: &App, width: u16) -> Vec<Action> {
    let mut out: Vec<Action> = match &app.overlay {
        Some(Overlay::Line(_)) => vec![Action::Accept, Action::Cancel, Action::Complete],
        Some(Overlay::Help(_)) => vec![Action::Back, Action::NextPane],
        Some(Overlay::WhatNow(_) | Overlay::Proposals(_)) => {
            vec![Action::Enter, Action::Copy, Action::Back]
        }
        Some(Overlay::Paper(state)) if state.search.is_some() => vec![Action::Back],
        Some(_) => vec![Action::Back, Action::Copy],
        None if app.form().is_some() => FORM.map(|(action, _)| action).into(),
        None if app.guide().is_some() => {
            let asks = app.guide().and_then(|guide| guide.step()?.question.as_ref());
            let has_time = app.cx.view == ViewId::Forecast;
            let actions = LESSON.iter().map(|(action, _)| *action);
            let is_of_step = |action: &Action| match action {
                Action::Reveal => asks.is_some(),
                Action::PlayLapse => has_time,
                _ => true,
            };
            actions.filter(is_of_step).collect()
        }
        None => {
            let current = app.cx.view;
            let is_reachable = |id: ViewId| {
                id == current && id != ViewId::Start || is_of_data(id) && app.cx.data.is_some()
            };
            let views = VIEWS.iter().filter(|view| is_reachable(view.id));
            let about = current.about();
            // Where there is little room, what to do goes before the ways to other views.
            let is_trial = current == ViewId::Trial && app.cx.layout() == WindowLayout::Compact;
            let is_tight = is_trial || width < MOST_TIGHT;
            let first = views.clone().filter(|view| !is_tight || view.id == current);
            let first = first.map(|view| view.action);
            let views = views.map(|view| view.action);
            let own = ACTIONS.iter().filter(|of| Some(of.context) == about.context);
            let own = own.map(|of| of.action);
            let hints = about.hints.iter().copied();
            // Of documents alone, and before there is anything, nothing is judged.
            let is_judged = current != ViewId::Start && app.cx.data.is_some();
            let now = is_judged.then_some(Action::WhatNow);
            let whole = first.chain(now).chain(hints).chain(views);
            whole
                .chain([Action::Palette])
                .chain(own)
                .chain(EVERYWHERE)
                .filter(|of| current != ViewId::Start || *of != current.about().action)
                .filter(|of| *of != Action::Suggest || app.views.trial.can_search())
                .collect()
        }
    };
    let mut seen = BTreeSet::new();
    out.retain(|action| seen.insert(*action));
    out
}

fn worded(words: &[(Action, &'static str)], action: Action) -> &'static str {
    let own = words.iter().find(|(of, _)| *of == action);
    own.map_or_else(|| action.hint(), |(_, word)| word)
}

/// What the footer holds, as far as it fits: views, the keys of this view, and always the way to all others.
fn entries(app: &App, area: Rect) -> Vec<Entry> {
    let current = app.cx.view.about().action;
    let view = |action| VIEWS.iter().find(|view| view.action == action);
    let named = |action: Action| {
        let word = match (action, &app.overlay) {
            (Action::Complete, _) if app.is_in_field() => "next field",
            (Action::NextPane, Some(Overlay::Help(_))) => "next heading",
            (Action::Enter, Some(Overlay::WhatNow(_))) => "copy step",
            (Action::Copy, Some(Overlay::WhatNow(_))) => "copy note",
            (Action::Quit, _) if app.is_covered() => Action::Back.hint(),
            (Action::Enter, Some(Overlay::Proposals(_))) => "show key",
            (_, None) if app.form().is_some() => worded(&FORM, action),
            (_, None) if app.guide().is_some() => worded(&LESSON, action),
            _ => view(action).map_or_else(|| action.hint(), |view| view.name),
        };
        let is_current = action == current && !app.is_covered();
        Some((app.cx.keymap.shown(action)?, word, action, is_current))
    };
    let last: &[Action] = match &app.overlay {
        // What is typed there begins a search.
        Some(Overlay::Line(_) | Overlay::Help(_)) => &[],
        Some(Overlay::Paper(state)) if state.search.is_some() => &[],
        _ => &[Action::Help, Action::Quit],
    };
    let last: Vec<_> = last.iter().copied().filter_map(named).collect();
    let width_of =
        |e: &(String, &str, Action, bool)| display_width(&e.0) + 1 + display_width(e.1) + 2;
    let reserved: usize = last.iter().map(width_of).sum();
    let mut used = 0;
    let mut kept = Vec::new();
    for entry in by_worth(app, area.width).into_iter().filter_map(named) {
        let width = width_of(&entry);
        // A shorter one further down may still fit.
        if used + width + reserved <= usize::from(area.width) + 2 {
            used += width;
            kept.push(entry);
        }
    }
    // Two keys for one thing take the room of another.
    let is_back_shown =
        app.is_covered() && kept.iter().any(|(.., action, _)| *action == Action::Back);
    kept.extend(
        last.into_iter().filter(|(.., action, _)| !is_back_shown || *action != Action::Quit),
    );
    let mut x = area.x;
    let placed = kept.into_iter().map(|(key, word, action, is_current)| {
        let width = display_width(&key) + 1 + display_width(word);
        let width = u16::try_from(width).unwrap_or(u16::MAX);
        let entry = Entry { x, width, key, word, action, is_current };
        x = x.saturating_add(width).saturating_add(2);
        entry
    });
    placed.filter(|e| e.x < area.right()).collect()
}

pub fn footer(app: &App, area: Rect, buffer: &mut Buffer) {
    let theme = &app.cx.theme;
    for entry in entries(app, area) {
        let word = if entry.is_current { theme.selected } else { theme.hint };
        let room = text::column(area, entry.x.saturating_sub(area.x), entry.width);
        let key = theme.glyphs.sentence(&entry.key).into_owned();
        let spans =
            [Span::styled(key, theme.key_hint), Span::raw(" "), Span::styled(entry.word, word)];
        text::left(buffer, room, &spans, theme);
    }
}

/// The action under a column of the footer.
pub fn footer_hit(app: &App, area: Rect, column: u16) -> Option<Action> {
    let under = |e: &Entry| (e.x..e.x.saturating_add(e.width)).contains(&column);
    entries(app, area).into_iter().find(under).map(|e| e.action)
}

/// The one sentence that a tiny window has room for.
pub fn too_small(cx: &Cx, area: Rect, buffer: &mut Buffer) {
    let theme = &cx.theme;
    let (width, height) = crate::ui::kit::cx::SMALLEST;
    let lines = [
        "Cosmoscope".to_owned(),
        format!("needs {width}x{height}"),
        format!("has {}x{}", area.width, area.height),
    ];
    for (line, row) in lines.iter().zip(area.y..area.bottom()) {
        buffer.set_stringn(area.x, row, line, usize::from(area.width), theme.text);
    }
}
