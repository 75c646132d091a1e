//! Keys that a search found, over the trial: a list in which Enter shows the chosen one among those that are tried.
//!
//! ```text
//! ┏ proposals ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 1 of 4 ┓
//! ┃     key                 RU/s to buy   to now  20 GB on               ┃
//! ┃ now /month                   46,000        –  2026-09-09  reject     ┃
//! ┃ ▶ 1 /deviceId                22,000  -24,000  never       good       ┃
//! ┃     22,000 RU/s instead of 46,000                                    ┃
//! ┃   2 /vin                     23,000  -23,000  never       good       ┃
//! ┃   3 41 keys were tried.                                              ┃
//! ┗ Enter shows the key, y copies all, Esc closes ━━━━━━━━━━━━━━━━━━━━━━━┛
//! ```

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::choices::{self, ChoiceLine, Choices, INDENT, Tone};
use super::text_pages;
use crate::analysis::candidate::Candidate;
use crate::analysis::suggest::{Proposal, Suggestions};
use crate::analysis::trial::verdict::Acceptance;
use crate::model::visible::{display_width, visible};
use crate::report::trial::search::{self, Cells, SearchResults};
use crate::report::{Style, left};
use crate::ui::kit::action::Action;
use crate::ui::kit::cx::Cx;
use crate::ui::kit::glyphs::Glyphs;
use crate::ui::kit::msg::{Clipboard, Effect};
use crate::ui::kit::text;
use crate::work::shared::Shared;

const GAP: usize = 2;
/// Of a key in the list, and for which columns that are needed less give way: the chosen one stands whole below.
const SHORTEST_KEY: usize = 24;
const LONG_KEY: usize = 40;
/// Columns of a copied text.
const COPIED: usize = 100;
/// Columns left out for any key, after the least needed ones for a long one.
const NEEDED: [&str; 3] = ["cross-partition", "20 GB on", "limit on"];

/// What was found, and which of it is chosen.
#[derive(Clone, PartialEq, Debug)]
pub struct ProposalsState {
    found: Shared<SearchResults>,
    list: Choices,
    drawn_for: Option<(usize, usize, Glyphs, usize)>,
}

impl ProposalsState {
    /// None where no keys were looked for.
    pub fn of(found: &Shared<SearchResults>, chosen: Option<&Candidate>) -> Option<Self> {
        let mut proposals = found.suggestions.as_ref()?.proposals.iter();
        let chosen = proposals.position(|proposal| Some(&proposal.candidate) == chosen);
        Some(Self {
            found: found.clone(),
            list: Choices { chosen: chosen.unwrap_or(0), ..Choices::default() },
            drawn_for: None,
        })
    }

    fn suggestions(&self) -> Option<&Suggestions> {
        self.found.suggestions.as_ref()
    }

    /// The key that is chosen; none where what was tried is.
    pub fn key(&self) -> Option<&Candidate> {
        let proposal = self.suggestions()?.proposals.get(self.list.chosen)?;
        Some(&proposal.candidate)
    }

    /// The proposals, and what was tried.
    fn count(&self) -> usize {
        self.suggestions().map_or(0, |found| found.proposals.len()) + 1
    }
}

/// Today's key and the proposals in columns, as many as there is room for.
struct ProposalTable {
    keys: Vec<String>,
    of_key: usize,
    columns: Vec<(Cells, usize)>,
    verdicts: Vec<String>,
}

impl ProposalTable {
    fn of(found: &Suggestions, room: usize, glyphs: Glyphs) -> Self {
        let all = found.now.iter().chain(&found.proposals);
        let keys = all.map(|one| visible(&one.candidate.to_string()).into_owned());
        let keys: Vec<String> = keys.collect();
        let longest = keys.iter().map(|key| text::width(key, glyphs)).max();
        let longest = longest.unwrap_or(0);
        let is_verdict = |(head, _): &mut Cells| *head == search::VERDICT;
        let mut columns = search::figures(found);
        let verdicts = columns.extract_if(.., is_verdict).next();
        let verdicts = verdicts.map_or_else(Vec::new, |(_, cells)| cells);
        let cells = columns.iter_mut().flat_map(|(_, cells)| cells);
        cells.for_each(without_range);
        let widest = |cells: &[String]| cells.iter().map(|cell| display_width(cell)).max();
        let of_verdict = GAP + widest(&verdicts).unwrap_or(0);
        for (least_needed, key) in [(&search::LEAST_NEEDED[..], LONG_KEY), (&NEEDED, SHORTEST_KEY)]
        {
            let taken = of_verdict + longest.min(key);
            search::leave_out(&mut columns, least_needed, taken, room);
        }
        let columns = columns.into_iter().map(|(head, cells)| {
            let width = widest(&cells).unwrap_or(0).max(head.len());
            ((head, cells), width)
        });
        let columns: Vec<(Cells, usize)> = columns.collect();
        let figures: usize = columns.iter().map(|(_, width)| width + GAP).sum();
        let left_over = room.saturating_sub(figures + of_verdict);
        Self { keys, of_key: longest.min(left_over.max(SHORTEST_KEY)), columns, verdicts }
    }

    /// A key, whole only where there is room, and its cells; without a row the heads.
    fn line(&self, row: Option<usize>, glyphs: Glyphs) -> String {
        let key = row.map_or("key", |row| self.keys.get(row).map_or("", |key| key));
        let mut line = left(&text::shorten(key, self.of_key, glyphs), self.of_key);
        for ((head, cells), width) in &self.columns {
            let cell = row.map_or(*head, |row| cells.get(row).map_or("", |cell| cell));
            let blanks = width.saturating_sub(display_width(cell)) + GAP;
            line.push_str(&" ".repeat(blanks));
            line.push_str(cell);
        }
        line
    }

    fn verdict(&self, row: usize) -> &str {
        self.verdicts.get(row).map_or("", |verdict| verdict)
    }
}

/// Today's key, the proposals, what was tried; of those that are open all that is to say.
fn rows(
    found: &Suggestions,
    table: &ProposalTable,
    is_open: impl Fn(usize) -> bool,
    width: usize,
    glyphs: Glyphs,
) -> Vec<ChoiceLine> {
    let mut rows = Vec::new();
    if let Some(head) = found.head() {
        rows.extend(choices::texts(&head, width, glyphs));
    }
    let heads = left("", INDENT) + &table.line(None, glyphs);
    rows.push(ChoiceLine::Heading(heads));
    let first = usize::from(found.now.is_some());
    if found.now.is_some() {
        let (line, verdict) = (table.line(Some(0), glyphs), table.verdict(0));
        let now = left(search::NOW, INDENT);
        rows.push(ChoiceLine::Heading(format!("{now}{line}  {verdict}")));
    }
    for (at, proposal) in found.proposals.iter().enumerate() {
        let row = first + at;
        let tone = match proposal.standing {
            Acceptance::Good => Tone::Good,
            Acceptance::Caution => Tone::Warning,
            Acceptance::Reject => Tone::Alarm,
        };
        let verdict = Some((tone, format!("  {}", table.verdict(row))));
        let line = table.line(Some(row), glyphs);
        rows.push(ChoiceLine::Entry(at, line, verdict));
        let points = is_open(at).then(|| points(found, proposal, table, row, glyphs));
        for point in points.into_iter().flatten() {
            rows.extend(choices::texts(&visible(&point), width, glyphs));
        }
    }
    let at = found.proposals.len();
    let mut sentences = found.sentences().into_iter();
    let first = sentences.next().unwrap_or_default();
    let mut first = choices::texts(&first, width, glyphs);
    if let Some(ChoiceLine::Text(words)) = first.next() {
        rows.push(ChoiceLine::Rest(at, words));
    }
    rows.extend(first);
    for said in sentences.filter(|_| is_open(at)) {
        rows.extend(choices::texts(&said, width, glyphs));
    }
    rows
}

/// The key where it is cut above, what its verdict rests on, its RU/s, then what else is good and bad about it.
fn points(
    found: &Suggestions,
    proposal: &Proposal,
    table: &ProposalTable,
    row: usize,
    glyphs: Glyphs,
) -> Vec<String> {
    let now = found.now.as_ref();
    let key = table.keys.get(row);
    let key = key.filter(|key| text::width(key, glyphs) > table.of_key);
    let because = proposal.because.as_ref();
    let because = because.map(|why| format!("{}: {why}", table.verdict(row)));
    let said = key.cloned().into_iter().chain(because);
    let said = said.chain([proposal.cost(now)]).chain(proposal.remarks(now));
    said.chain(search::alike(proposal)).collect()
}

/// What may be more by chance is said of the chosen key.
fn without_range(cell: &mut String) {
    let ends = [" (≤", " ±"].map(|begin| cell.find(begin));
    if let Some(end) = ends.into_iter().flatten().min() {
        cell.truncate(end);
    }
}

pub fn settle(state: &mut ProposalsState, cx: &Cx, body: Rect) {
    let glyphs = cx.theme.glyphs;
    let room = text_pages::room(body);
    let (width, height) = (usize::from(room.width), usize::from(room.height));
    let chosen = state.list.chosen;
    let drawn_for = Some((width, height, glyphs, chosen));
    if state.drawn_for != drawn_for
        && let Some(found) = state.suggestions()
    {
        let table = ProposalTable::of(found, width.saturating_sub(INDENT), glyphs);
        let rows = choices::rows(state.count(), height, |first| {
            rows(found, &table, |at| at < first || at == chosen, width, glyphs)
        });
        state.list.rows = rows;
        state.drawn_for = drawn_for;
    }
    state.list.follow(height);
}

/// What an action means while the list lies over the view; None if it means something else. Enter is the app's: it shows the
/// key.
pub fn act(state: &mut ProposalsState, action: Action, body: Rect) -> Option<Vec<Effect>> {
    if action == Action::Copy {
        let style = Style { width: COPIED, ..Style::default() };
        let text = search::text(&state.found, style);
        let lines = text.trim_matches('\n').lines().map(str::to_owned);
        return Some(vec![Effect::Copy(Clipboard::Lines(lines.collect()))]);
    }
    let height = usize::from(text_pages::room(body).height);
    let count = state.count();
    let moved = state.list.act(action, count, height);
    (moved || action.is_of_rows()).then(Vec::new)
}

pub fn draw(state: &ProposalsState, cx: &Cx, body: Rect, buffer: &mut Buffer) {
    let ways =
        [(Action::Enter, "shows the key"), (Action::Copy, "copies all"), (Action::Back, "closes")];
    let ways = &ways[usize::from(state.key().is_none())..];
    let last = state.count() - 1;
    let place = match state.list.chosen {
        at if at < last => format!("{} of {last}", at + 1),
        _ => "what was tried".to_owned(),
    };
    let frame = ("proposals, the most fitting first", place, text_pages::ways(cx, ways));
    let area = (text_pages::area(body), text_pages::room(body));
    state.list.draw(frame, area, cx, buffer);
}
