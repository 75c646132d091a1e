//! What every key does, the keys of the view first, and what the signs on the screen mean; letters search in it.

mod legend;
#[cfg(test)]
mod tests;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Span;

use super::text_pages::{self, MOST_LETTERS};
use crate::analysis::filter;
use crate::ui::kit::action::{ACTIONS, Action, ActionWords, Context};
use crate::ui::kit::cx::Cx;
use crate::ui::kit::input::Chord;
use crate::ui::kit::keymap::{Keymap, key_cap};
use crate::ui::kit::msg::Effect;
use crate::ui::kit::panel::{Focus, Panel};
use crate::ui::kit::scroll::Scroll;
use crate::ui::kit::sign;
use crate::ui::kit::text;
use crate::ui::kit::theme::Theme;

/// From this width on the name of each action, as the palette knows it, stands at its sentence: where there is room for
/// both. Wider sentences are hard to read.
const WIDTH_FOR_NAMES: usize = 114;
const MOST_TEXT: usize = 112;
const NAME_COLUMNS: usize = 20;
/// Keys never take more than this; what needs more is cut.
const MOST_KEY_COLUMNS: usize = 25;
const GAP: usize = 2;

/// Of `cosmoscope help verdicts`, too.
pub const VERDICTS: &str = include_str!("../../../assets/help/verdicts.md");
pub const TERMS: &str = include_str!("../../../assets/help/terms.md");
/// What each view shows, in a section of its name.
const READING: &str = include_str!("../../../assets/help/reading.md");

type Row = Vec<Span<'static>>;

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct HelpState {
    pub scroll: Scroll,
    /// What is searched for; everything is shown without it.
    query: String,
    /// The heading of the contents to which Enter goes.
    chosen: usize,
    /// What is read instead of the view, such as a text over it.
    reading: Option<&'static str>,
    /// What stood on the screen, in small letters.
    screen: String,
    rows: Vec<Row>,
}

impl HelpState {
    /// Begins with what a section of `reading.md` says.
    pub fn of(reading: &'static str) -> Self {
        Self { reading: Some(reading), ..Self::default() }
    }

    /// Begins with the terms of this screen.
    pub fn on(screen: &str) -> Self {
        Self { screen: screen.to_lowercase(), ..Self::default() }
    }
}

fn room(body: Rect) -> Rect {
    let inner = Panel::inner(body);
    text::column(inner, 1, inner.width.saturating_sub(2)).intersection(inner)
}

/// Two columns of a table, the second one wrapped; rows that the search does not find are left out.
struct Table<'t> {
    theme: &'t Theme,
    width: usize,
    left: usize,
    rows: Vec<Row>,
    /// The heading of the rows that follow, and those that have rows.
    heading: String,
    headings: Vec<String>,
    /// Every one of them is part of a row that is shown.
    wanted: Vec<String>,
}

impl Table<'_> {
    fn heading(&mut self, words: &str) {
        self.heading = self.theme.glyphs.sentence(words).into_owned();
    }

    /// A row whose first column is already styled; `name` stands in a third one where there is room for it.
    fn row(&mut self, first: Row, meaning: &str, name: &str) {
        self.entry(vec![first], meaning, name);
    }

    /// The same with a first column of several lines.
    fn entry(&mut self, first: Vec<Row>, meaning: &str, name: &str) {
        let keys = first.iter().flatten().map(|span| &*span.content);
        let keys = keys.collect::<Vec<_>>().join(" ");
        let whole = format!("{} {keys} {meaning} {name}", self.heading).to_lowercase();
        if self.wanted.iter().all(|word| whole.contains(word)) {
            self.found(first, meaning, name);
        }
    }

    fn found(&mut self, first: Vec<Row>, meaning: &str, name: &str) {
        let glyphs = self.theme.glyphs;
        if self.headings.last() != Some(&self.heading) {
            if !self.rows.is_empty() {
                self.rows.push(Row::new());
            }
            self.rows.push(vec![Span::styled(self.heading.clone(), self.theme.title)]);
            self.headings.push(self.heading.clone());
        }
        let names =
            if self.width >= WIDTH_FOR_NAMES && !name.is_empty() { NAME_COLUMNS + GAP } else { 0 };
        let room = self.width.saturating_sub(self.left + GAP + names);
        let room = room.clamp(1, MOST_TEXT);
        let mut lines = text::wrapped(meaning, room, glyphs);
        lines.resize(lines.len().max(first.len()), String::new());
        let mut first = first.into_iter();
        for (at, line) in lines.into_iter().enumerate() {
            let mut row = first.next().unwrap_or_default();
            let taken: usize = row.iter().map(|s| text::width(&s.content, glyphs)).sum();
            row.push(Span::raw(" ".repeat((self.left + GAP).saturating_sub(taken))));
            let pad = room.saturating_sub(text::width(&line, glyphs)) + GAP;
            row.push(Span::styled(line, self.theme.text));
            if at == 0 && names > 0 {
                row.push(Span::raw(" ".repeat(pad)));
                row.push(Span::styled(format!(":{name}"), self.theme.dim));
            }
            self.rows.push(row);
        }
    }
}

fn chords(keymap: &Keymap, action: Action) -> String {
    let caps: Vec<String> = keymap.chords(action).iter().map(|c| key_cap(*c)).collect();
    caps.join(", ")
}

/// The actions under their headings: those of the view first, the most needed ones before all.
fn sections(cx: &Cx) -> Vec<(String, Vec<&'static ActionWords>)> {
    let view = cx.view.about();
    let playing = cx.playback.as_ref().map(|_| Context::Replay);
    let own = |context: Context| view.context == Some(context);
    let hints = view.hints.iter().map(|action| action.about());
    let mut first: Vec<&ActionWords> = hints.collect();
    let rest = ACTIONS.iter().filter(|about| own(about.context));
    for about in rest {
        if !first.contains(&about) {
            first.push(about);
        }
    }
    let mut listed = first.clone();
    let mut out = vec![(format!("This view: {}", view.name), first)];
    for context in playing.into_iter().chain(Context::ALL.iter().copied()) {
        let of_it = ACTIONS.iter().filter(|about| about.context == context);
        let of_it: Vec<_> = of_it.filter(|about| !listed.contains(about)).collect();
        listed.extend(of_it.iter().copied());
        out.push((context.title().to_owned(), of_it));
    }
    out
}

/// Everything the help says of what is searched for, for a width.
fn rows(cx: &Cx, state: &HelpState, width: usize) -> Vec<Row> {
    let query = state.query.as_str();
    let theme = &cx.theme;
    let keys = |about: &ActionWords| text::width(&chords(&cx.keymap, about.action), theme.glyphs);
    let widest = ACTIONS.iter().map(keys).max().unwrap_or_default();
    let words = query.split_whitespace().map(str::to_lowercase);
    let mut table = Table {
        theme,
        width,
        left: widest.min(MOST_KEY_COLUMNS).min(width / 2),
        rows: Vec::new(),
        heading: String::new(),
        headings: Vec::new(),
        wanted: words.collect(),
    };
    let line = |about: &ActionWords, left: usize| {
        let keys = match chords(&cx.keymap, about.action) {
            none if none.is_empty() && about.context != Context::Prompt => {
                format!(":{}", about.name)
            }
            keys => keys,
        };
        let keys = text::shorten(&keys, left, theme.glyphs);
        vec![Span::styled(keys, theme.key_hint)]
    };
    let name = |about: &ActionWords| match about.context {
        Context::Prompt => "",
        _ => about.name,
    };
    let sections = sections(cx);
    // Who types a key wants to know what it does, not which words it is part of.
    table.heading(&format!("The key {query}"));
    let all = sections.iter().flat_map(|(_, actions)| actions);
    for about in all {
        let chords = cx.keymap.chords(about.action).iter();
        if chords.map(|c| key_cap(*c)).any(|cap| cap == query) {
            table.found(vec![line(about, table.left)], about.help, name(about));
        }
    }
    // What is searched for is a word of the screen more often than one of a key.
    if !query.is_empty() {
        topics(&mut table, "");
    }
    reading(&mut table, state.reading.unwrap_or(cx.view.about().name));
    for (at, (title, actions)) in sections.into_iter().enumerate() {
        table.heading(&title);
        for about in actions {
            table.row(line(about, table.left), about.help, name(about));
        }
        if at == 0 && query.is_empty() {
            topics(&mut table, &state.screen);
        }
    }
    table.heading("Filters of keys");
    for piece in filter::HELP {
        let first = vec![Span::styled(piece.example, theme.input)];
        table.row(first, piece.meaning, "");
    }
    legend::write(&mut table);
    if table.rows.is_empty() {
        let words = format!("no match for {}", theme.glyphs.outside(query));
        table.rows.push(vec![Span::styled(words, theme.warning)]);
    }
    if query.is_empty() {
        contents(&mut table, state.chosen);
    }
    table.rows
}

/// The headings, above all, a cursor at the chosen one.
fn contents(table: &mut Table<'_>, chosen: usize) {
    let mut listed = table.headings.clone();
    if let Some(heading) = listed.get_mut(chosen) {
        heading.insert_str(0, table.theme.glyphs.signs().cursor);
    }
    let words = format!("Contents: {}", listed.join(" · "));
    let words = table.theme.glyphs.sentence(&words).into_owned();
    let lines = text::wrapped(&words, table.width.max(1), table.theme.glyphs).into_iter();
    let lines = lines.map(|line| vec![Span::styled(line, table.theme.dim)]);
    table.rows.splice(0..0, lines.chain([Row::new()]));
}

/// What the parts of a view mean.
fn reading(table: &mut Table<'_>, view: &str) {
    let mut sections = READING.split("\n## ").skip(1);
    if let Some(section) = sections.find_map(|section| section.strip_prefix(view)) {
        table.heading("How to read it");
        entries(table, section.trim_start(), " ");
    }
}

/// Terms, those of the screen first, then verdicts with when each is given and what helps.
fn topics(table: &mut Table<'_>, screen: &str) {
    let is_shown = |entry: &[&str]| {
        let names = entry.first().copied().unwrap_or_default();
        let mut names = names.split(", ").map(str::to_lowercase);
        names.any(|name| has_words(screen, &name))
    };
    table.heading("Terms on this screen");
    some_entries(table, TERMS, " ", is_shown);
    table.heading("Terms");
    some_entries(table, TERMS, " ", |entry| !is_shown(entry));
    table.heading("Verdicts");
    entries(table, VERDICTS, ". Helps: ");
}

/// Whether a text has these words, not as a part of longer ones.
fn has_words(text: &str, words: &str) -> bool {
    let is_letter = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    text.match_indices(words).any(|(at, found)| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        let after = text.get(at + found.len()..);
        !is_letter(before) && !is_letter(after.and_then(|after| after.chars().next()))
    })
}

fn entries(table: &mut Table<'_>, topic: &str, between: &str) {
    some_entries(table, topic, between, |_| true);
}

fn some_entries(
    table: &mut Table<'_>,
    topic: &str,
    between: &str,
    is_wanted: impl Fn(&[&str]) -> bool,
) {
    let list = topic.lines().skip_while(|line| line.starts_with('#') || line.is_empty());
    let list: Vec<&str> = list.take_while(|line| !line.is_empty()).collect();
    let found = list.chunk_by(|_, next| next.starts_with(' '));
    for entry in found.filter(|entry| is_wanted(entry)) {
        let name = entry.first().copied().unwrap_or_default();
        let name = text::wrapped(name, table.left, table.theme.glyphs).into_iter();
        let name = name.map(|line| vec![Span::styled(line, table.theme.title)]);
        let name = name.collect();
        let lines = entry.iter().skip(1).map(|line| line.trim());
        let meaning = lines.collect::<Vec<_>>().join(between);
        table.entry(name, &meaning, "");
    }
}

pub fn settle(state: &mut HelpState, cx: &Cx, body: Rect) {
    let room = room(body);
    state.rows = rows(cx, state, room.width.into());
    state.scroll.settle(state.rows.len(), room.height.into());
}

/// Whether a key belongs to the search. Before its first letter `q` and signs such as `?` and `:` do what they do elsewhere.
pub fn on_chord(state: &mut HelpState, keymap: &Keymap, chord: Chord) -> bool {
    let closes = keymap.action(&[Context::Global], chord) == Some(Action::Quit);
    let letter = chord.typed();
    let letter = letter.filter(|c| c.is_alphanumeric() && !closes || !state.query.is_empty());
    if let Some(letter) = letter {
        if state.query.chars().count() < MOST_LETTERS {
            state.query.push(letter);
            state.scroll = Scroll::default();
        }
        return true;
    }
    match keymap.action(&[Context::Prompt], chord) {
        Some(Action::DeleteBack) => return state.query.pop().is_some(),
        Some(Action::Left) => state.chosen = state.chosen.saturating_sub(1),
        Some(Action::Right) => {
            let last = headings(state).count().saturating_sub(1);
            state.chosen = (state.chosen + 1).min(last);
        }
        _ => return false,
    }
    if state.query.is_empty() {
        // The contents are above all.
        state.scroll = Scroll::default();
    }
    true
}

/// Where headings stand: a blank row is above each.
fn headings(state: &HelpState) -> impl Iterator<Item = usize> {
    let rows = state.rows.windows(2).enumerate();
    let headings = rows.filter(|(_, pair)| pair.first().is_some_and(Vec::is_empty));
    headings.map(|(at, _)| at + 1)
}

/// The first line of the heading after or before the first one that is seen, from the last on to the top again; that of the
/// chosen one where the contents are seen.
fn heading(state: &HelpState, action: Action, height: usize) -> Option<usize> {
    let mut headings = headings(state);
    let first = state.scroll.first;
    match action {
        Action::Enter if first == 0 && state.query.is_empty() => headings.nth(state.chosen),
        Action::NextPane if first + height >= state.rows.len() => Some(0),
        Action::NextPane => headings.find(|at| *at > first),
        Action::PreviousPane => headings.take_while(|at| *at < first).last().or(Some(0)),
        _ => None,
    }
}

/// What an action means while the help lies over the view; None if it means something else.
pub fn act(state: &mut HelpState, action: Action, body: Rect) -> Option<Vec<Effect>> {
    if action == Action::Back && !state.query.is_empty() {
        state.query.clear();
        return Some(Vec::new());
    }
    let height = usize::from(room(body).height);
    if let Some(first) = heading(state, action, height) {
        state.scroll.first = first;
        return Some(Vec::new());
    }
    let moved = state.scroll.act(action, state.rows.len(), height);
    (moved || action.is_of_rows()).then(Vec::new)
}

/// ```text
/// ┏ help, search: colour ━━━━━━━━━━━━━━ 1-19 of 96 ┓
/// ┃ Everywhere                                     █
/// ┃ Ctrl-t    The next colours …         :theme    ┃
/// ┗ Esc shows everything again ━━━━━━━━━━━━━━━━━━━━┛
/// ```
pub fn draw(state: &HelpState, cx: &Cx, body: Rect, buffer: &mut Buffer) {
    let theme = &cx.theme;
    text::clear(buffer, body);
    let room = room(body);
    let place = state.scroll.place(state.rows.len(), room.height.into());
    let esc = cx.keymap.shown(Action::Back).unwrap_or_default();
    let mut title = vec![Span::raw("help")];
    let foot = if state.query.is_empty() {
        format!("{esc} closes · type to search: 429, split · ← → Enter: contents")
    } else {
        let query = theme.glyphs.outside(&state.query).into_owned();
        title = vec![
            Span::raw("help, search: "),
            Span::styled(query, theme.input),
            Span::styled(" ", theme.selected),
        ];
        format!("{esc} shows everything again")
    };
    let panel = Panel { title, ..Panel::default() };
    let panel = panel.aside(place).footer(foot).focus(Focus::Here);
    panel.draw(buffer, body, theme);
    let shown = state.rows.iter().skip(state.scroll.first);
    for (row, index) in shown.zip(0..room.height) {
        text::left(buffer, text::row(room, index), row, theme);
    }
    sign::scroll(buffer, text_pages::side(body), state.scroll.first, state.rows.len(), theme);
}
