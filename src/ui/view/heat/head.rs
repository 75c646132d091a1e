//! The lines above the map: whose load this is and which track of it, and the verdict.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Span;

use super::layout::HeatAreas;
use super::{Chart, names};
use crate::analysis::diagnosis::{Diagnosis, Verdict};
use crate::model::visible::{display_width, visible};
use crate::ui::kit::card::{Card, CardLine as HeadLine, CardRole as HeadRole, spans};
use crate::ui::kit::cx::Cx;
use crate::ui::kit::text;
use crate::ui::view::heat::HeatState;

#[derive(Clone, PartialEq, Debug, Default)]
pub struct HeadLines {
    track: HeadLine,
    pub verdict: Card,
}

pub fn settle(state: &mut HeatState, cx: &Cx, width: u16) {
    let found = diagnosis(state);
    let found = found.map(|found| Card::of(cx, found, width.into()));
    state.head =
        HeadLines { verdict: found.unwrap_or_default(), track: track(state, cx, width.into()) };
}

/// What is wrong with the container that is shown.
pub fn diagnosis(state: &HeatState) -> Option<&Diagnosis> {
    let scope = state.scope.as_ref()?;
    scope.data.diagnoses.container(scope.container)
}

pub fn worst(state: &HeatState) -> Option<&Verdict> {
    diagnosis(state)?.worst()
}

fn track(state: &HeatState, cx: &Cx, width: usize) -> HeadLine {
    let mut line = HeadLine::new();
    let Some(scope) = &state.scope else {
        return line;
    };
    match state.chart {
        Chart::Time => {}
        Chart::Storage => {
            let words = "storage of each partition against 50 GB";
            line.push((HeadRole::Text, words.to_owned()));
            line.push((HeadRole::Dim, format!(" · by {}", state.order.name())));
            return line;
        }
        Chart::Ranges => {
            let words = "hash ranges: how the space of hashes is divided, and where known keys lie";
            line.push((HeadRole::Text, words.to_owned()));
            return line;
        }
    }
    let Some((track, measure)) = scope.track().map(|t| (t, t.measure)) else {
        line.push((HeadRole::Dim, "no load over time".to_owned()));
        return line;
    };
    line.push((HeadRole::Name, measure.title().to_owned()));
    let region = track.region.as_deref().filter(|region| !region.is_empty());
    let cell = state.map.window.map(|window| {
        let width = names::length(u64::from(window.width_s));
        format!("{width} a cell")
    });
    // In the order of the line; what is least needed is left out first where there is no room.
    let facts = [
        (0, region.map(|r| visible(r).into_owned())),
        (2, cell),
        (1, Some(format!("by {}", state.order.name()))),
        (3, Some(visible(&cx.mask.text(&track.from)).into_owned())),
    ];
    let mut room = width.saturating_sub(columns(&line));
    let mut kept = [false; 4];
    for need in 0..facts.len() {
        for ((fact, words), kept) in facts.iter().zip(&mut kept) {
            let wanted = words.as_deref().map_or(0, |words| display_width(words) + 3);
            if *fact == need && wanted > 0 && wanted <= room {
                *kept = true;
                room -= wanted;
            }
        }
    }
    for ((_, words), _) in facts.into_iter().zip(kept).filter(|(_, kept)| *kept) {
        line.push((HeadRole::Dim, " · ".to_owned()));
        line.push((HeadRole::Text, words.unwrap_or_default()));
    }
    line
}

pub fn columns(line: &[(HeadRole, String)]) -> usize {
    line.iter().map(|(_, words)| display_width(words)).sum()
}

/// ```text
/// account ▸ shop ▸ orders   key /tenantId   4 partitions · 40,000 RU/s manual
/// RU % of partition (metric, highest second) · West Europe · 1 min a cell · by hottest
/// ● HOT KEY  contoso  93 % of partition 0  429s: 289/s  since 23:24 (36 min)
///   fixes: 10 suffixes (new container), 11 → 0 % throttled · now: limit client
/// ```
pub fn draw(state: &HeatState, cx: &Cx, areas: &HeatAreas, buffer: &mut Buffer) {
    let theme = &cx.theme;
    let made = &state.head;
    text::left(buffer, areas.head, &spans(&made.track, theme), theme);
    verdict_lines(state, cx, areas.verdict, buffer);
}

fn verdict_lines(state: &HeatState, cx: &Cx, area: Rect, buffer: &mut Buffer) {
    let theme = &cx.theme;
    let made = &state.head.verdict;
    if made.is_empty() && area.height > 0 {
        let words = match cx.loading {
            Some(_) => "no verdict yet: the inputs are still being read",
            None => "no verdict: nothing is known of this container",
        };
        let words = [Span::styled(words, theme.dim)];
        text::left(buffer, text::row(area, 0), &words, theme);
        return;
    }
    let lines = made.fitted(area.height.into());
    for (line, index) in lines.iter().zip(0..area.height) {
        text::left(buffer, text::row(area, index), &spans(line, theme), theme);
    }
}
