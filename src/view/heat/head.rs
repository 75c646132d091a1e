//! The lines above the map: whose load this is and which track of it, and the verdict.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Span;

use super::layout::Areas;
use super::{Chart, names};
use crate::analysis::diagnosis::{Answers, Diagnosis, Phrase, Says, Verdict};
use crate::analysis::findings::Severity;
use crate::analysis::rows::UNKNOWN_CONTAINER;
use crate::app::App;
use crate::app::masking::Mask;
use crate::model::physical::Throughput;
use crate::model::visible::{display_width, visible};
use crate::report::key_text::key_text;
use crate::view::glyphs::Glyphs;
use crate::view::text;
use crate::view::theme::Theme;

/// How a piece of a line looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Role {
    Text,
    Dim,
    Name,
    Rule(Severity),
    Says(Says),
}

type Line = Vec<(Role, String)>;

#[derive(Clone, PartialEq, Debug, Default)]
pub struct Made {
    whose: Line,
    track: Line,
    /// The worst one, in as many lines as there are.
    verdict: Vec<Line>,
    answers: Line,
    /// The line that ends with the answers.
    answers_at: usize,
}

impl Made {
    /// Rows of the worst verdict with its answers, and of all verdicts.
    pub fn rows(&self) -> (u16, u16) {
        let rows = |lines: usize| u16::try_from(lines).unwrap_or(u16::MAX);
        (rows(self.answers_at + 1), rows(self.verdict.len()))
    }
}

pub fn settle(app: &mut App, width: u16) {
    let answers = worst(app).map(|v| answers(&v.answers)).unwrap_or_default();
    let (verdict, answers_at) = verdict(app, &answers, width.into());
    app.heat.head = Made {
        whose: fitting(app, width.into()),
        track: track(app),
        verdict,
        answers,
        answers_at,
    };
}

/// What is wrong with the container that is shown.
pub fn diagnosis(app: &App) -> Option<&Diagnosis> {
    let scope = app.heat.scope.as_ref()?;
    scope.data.diagnoses.container(scope.container)
}

pub fn worst(app: &App) -> Option<&Verdict> {
    diagnosis(app)?.worst()
}

/// A phrase with its keys as they are shown, masked where names are.
pub fn phrase(phrase: &Phrase, mask: &Mask) -> String {
    phrase.text(|json| {
        let json = json.map(|json| mask.key(json));
        key_text(json.as_deref())
    })
}

/// The account is left out where there is no room for it: the title may tell it, and there is mostly one.
fn fitting(app: &App, width: usize) -> Line {
    let whole = whose(app, Account::Told);
    if columns(&whole) <= width {
        return whole;
    }
    whose(app, Account::LeftOut)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Account {
    Told,
    LeftOut,
}

fn whose(app: &App, account: Account) -> Line {
    let mut line = Line::new();
    let Some(scope) = &app.heat.scope else {
        return line;
    };
    let Some(container) = scope.held() else {
        return line;
    };
    let name = app.mask.container(&container.name);
    let parts = [
        name.account.as_deref().filter(|_| account == Account::Told),
        name.database.as_deref(),
        Some(name.container.as_deref().unwrap_or(UNKNOWN_CONTAINER)),
    ];
    for part in parts.into_iter().flatten() {
        if !line.is_empty() {
            line.push((Role::Dim, " ▸ ".to_owned()));
        }
        line.push((Role::Name, visible(part).into_owned()));
    }
    if let Some(definition) = &container.definition {
        let paths: Vec<String> = definition
            .paths
            .iter()
            .map(|p| visible(p).into_owned())
            .collect();
        line.push((Role::Dim, "   key ".to_owned()));
        line.push((Role::Text, paths.join(", ")));
    }
    let partitions = match scope.rows.len() {
        1 => "1 partition".to_owned(),
        n => format!("{n} partitions"),
    };
    line.push((Role::Dim, "   ".to_owned()));
    line.push((Role::Text, partitions));
    let throughput = container.throughput.map(|settings| settings.throughput);
    let bought = match throughput {
        Some(Throughput::Manual { ru_per_second }) => {
            Some(format!("{} RU/s manual", names::short(ru_per_second)))
        }
        Some(Throughput::Autoscale { maximum, .. }) => {
            Some(format!("autoscale up to {} RU/s", names::short(maximum)))
        }
        None => scope
            .heat()
            .and_then(|heat| heat.ru_per_second)
            .map(|ru| format!("{} RU/s", names::short(ru))),
    };
    line.push((Role::Dim, " · ".to_owned()));
    line.push(match bought {
        Some(bought) => (Role::Text, bought),
        None => (Role::Dim, "RU/s not known".to_owned()),
    });
    line
}

fn track(app: &App) -> Line {
    let state = &app.heat;
    let mut line = Line::new();
    let Some(scope) = &state.scope else {
        return line;
    };
    match state.chart {
        Chart::Time => {}
        Chart::Storage => {
            line.push((
                Role::Text,
                "storage of each partition against 50 GB".to_owned(),
            ));
            return line;
        }
        Chart::Ranges => {
            let words = "hash ranges: how the space of hashes is divided, and where known keys lie";
            line.push((Role::Text, words.to_owned()));
            return line;
        }
    }
    let Some((track, measure)) = scope.track().map(|t| (t, t.measure)) else {
        line.push((Role::Dim, "no load over time".to_owned()));
        return line;
    };
    line.push((Role::Name, measure.title().to_owned()));
    let region = track.region.as_deref().filter(|region| !region.is_empty());
    let mut facts: Vec<String> = region
        .map(|r| visible(r).into_owned())
        .into_iter()
        .collect();
    if let Some(window) = state.map.window {
        let width = names::length(u64::from(window.width_s));
        facts.push(format!("{width} a cell"));
    }
    facts.push(format!("by {}", state.order.name()));
    facts.push(visible(&app.mask.text(&track.from)).into_owned());
    for fact in facts {
        line.push((Role::Dim, " · ".to_owned()));
        line.push((Role::Text, fact));
    }
    line
}

fn columns(line: &Line) -> usize {
    line.iter().map(|(_, words)| display_width(words)).sum()
}

/// Each rule and its headline, wrapped; the answers of the first stand at the end of the line that is told.
fn verdict(app: &App, answers: &Line, width: usize) -> (Vec<Line>, usize) {
    let mut answers_at = 0;
    let Some(found) = diagnosis(app) else {
        return (Vec::new(), 0);
    };
    let room = width.saturating_sub(2).max(1);
    let mut lines = Vec::new();
    for (at, verdict) in found.verdicts.iter().enumerate() {
        let headline = phrase(&verdict.headline, &app.mask);
        let whole = format!("{}  {headline}", verdict.rule);
        let wrapped = text::wrapped(&whole, room, Glyphs::Unicode);
        for (nth, words) in wrapped.into_iter().enumerate() {
            let rule = words.strip_prefix(verdict.rule).filter(|_| nth == 0);
            lines.push(match rule {
                Some(rest) => vec![
                    (Role::Rule(verdict.severity), format!("● {}", verdict.rule)),
                    (Role::Text, rest.to_owned()),
                ],
                None => vec![(Role::Text, format!("  {words}"))],
            });
        }
        let has_room =
            lines.len() > 1 && lines.last().map_or(0, columns) + columns(answers) + 2 <= width;
        if at == 0 && !has_room {
            // The answers have a line of their own, with what else is wrong before them.
            let others: Vec<&str> = found.verdicts.iter().skip(1).map(|v| v.rule).collect();
            lines.push(match others.as_slice() {
                [] => Line::new(),
                rules => vec![(Role::Dim, format!("  also {}", rules.join(", ")))],
            });
        }
        if at == 0 {
            answers_at = lines.len().saturating_sub(1);
        }
    }
    (lines, answers_at)
}

/// One word for all of them where they agree: four times `not needed` has no room in 80 columns.
fn answers(answers: &Answers) -> Line {
    let pairs = [
        ("more RU/s: ", answers.more_ru.says),
        ("split: ", answers.split.says),
        ("redistribute: ", answers.redistribute.says),
        ("new key: ", answers.new_key.says),
    ];
    let [(_, first), rest @ ..] = pairs;
    if rest.iter().all(|(_, says)| *says == first) {
        let questions = "more RU/s, split, redistribute, new key: ".to_owned();
        return vec![
            (Role::Dim, questions),
            (Role::Says(first), first.word().to_owned()),
        ];
    }
    let mut line = Line::new();
    for (words, says) in pairs {
        if !line.is_empty() {
            line.push((Role::Dim, "  ".to_owned()));
        }
        line.push((Role::Dim, words.to_owned()));
        line.push((Role::Says(says), says.word().to_owned()));
    }
    line
}

fn spans(line: &Line, theme: &Theme) -> Vec<Span<'static>> {
    let spans = line.iter().flat_map(|(role, words)| {
        let style = match role {
            Role::Dim => theme.dim,
            Role::Name => return text::coded(&theme.glyphs.own(words), theme.accent, theme),
            Role::Rule(Severity::Alarm) | Role::Says(Says::No) => theme.alarm,
            Role::Rule(Severity::Warn) | Role::Says(Says::Partly) => theme.warn,
            Role::Rule(Severity::Note) | Role::Says(Says::Yes) => theme.good,
            Role::Text | Role::Says(Says::NotNeeded | Says::Unknown) => theme.text,
        };
        text::coded(&theme.glyphs.own(words), style, theme)
    });
    spans.collect()
}

/// ```text
/// account ▸ shop ▸ orders   key /tenantId   4 partitions · 40,000 RU/s manual
/// RU % of partition (metric, highest second) · West Europe · 1 min a cell · by hottest
/// ● HOT KEY  partition 3 at 100 % (p99, 5 min), others ≤ 24 % · tenant-0001 97.9 % of its
///   RU                                         more RU/s: no   split: no   new key: yes
/// ```
pub fn draw(app: &App, areas: &Areas, buffer: &mut Buffer) {
    let theme = &app.theme;
    let made = &app.heat.head;
    for (line, index) in [&made.whose, &made.track]
        .into_iter()
        .zip(0..areas.head.height)
    {
        text::left(
            buffer,
            text::row(areas.head, index),
            &spans(line, theme),
            theme,
        );
    }
    verdict_lines(app, areas.verdict, buffer);
}

fn verdict_lines(app: &App, area: Rect, buffer: &mut Buffer) {
    let theme = &app.theme;
    let made = &app.heat.head;
    if made.verdict.is_empty() && area.height > 0 {
        let words = [Span::styled(
            "no verdict: nothing is known of this container",
            theme.dim,
        )];
        text::left(buffer, text::row(area, 0), &words, theme);
        return;
    }
    for (line, index) in made.verdict.iter().zip(0..area.height) {
        let row = text::row(area, index);
        let start = spans(line, theme);
        // Where not all lines have room the last one ends with the answers all the same.
        let last = usize::from(area.height.saturating_sub(1));
        if usize::from(index) == made.answers_at.min(last) && index > 0 {
            let end = spans(&made.answers, theme);
            let wanted = end.iter().map(Span::width).sum::<usize>();
            let wanted = u16::try_from(wanted).unwrap_or(u16::MAX);
            let left = row.width.saturating_sub(wanted.saturating_add(2));
            text::left(buffer, text::column(row, 0, left), &start, theme);
            text::right(buffer, row, &end, theme);
        } else {
            text::left(buffer, row, &start, theme);
        }
    }
}
