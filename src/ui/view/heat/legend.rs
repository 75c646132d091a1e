//! What the colours and signs of the map mean, in one line that is always there.

use ratatui::buffer::Buffer;
use ratatui::text::Span;

use super::layout::HeatAreas;
use super::map::HeatMapRow;
use super::shade::{self, CellStyle, Palette, ShadeScale, means};
use super::{Chart, names, paint, throttled};
use crate::ui::kit::action::Action;
use crate::ui::kit::chart::spark;
use crate::ui::kit::cx::Cx;
use crate::ui::kit::text;
use crate::ui::view::heat::HeatState;

/// Cells that show how shades go from nothing to 70 %.
const RAMP: usize = 5;

/// The scale in use: where no ceiling is known it is relative whatever was asked for.
pub fn scale(state: &HeatState) -> ShadeScale {
    match &state.scope {
        Some(scope) if scope.has_ceiling => state.look.scale,
        _ => ShadeScale::Relative,
    }
}

pub fn draw(state: &HeatState, cx: &Cx, areas: &HeatAreas, buffer: &mut Buffer) {
    let area = areas.legend;
    if area.is_empty() {
        return;
    }
    let has_map = state.map.window.is_some();
    let groups = match state.chart {
        Chart::Time if !has_map => Vec::new(),
        Chart::Time => of_map(state, cx, areas),
        Chart::Storage => vec![super::storage::legend(cx)],
        Chart::Ranges => vec![super::strip::legend(cx)],
    };
    // The last ones are needed least, and none is cut.
    let mut spans: Vec<Span> = Vec::new();
    for group in groups {
        let taken = spans.iter().chain(&group).map(Span::width).sum::<usize>();
        if taken > area.width.into() && !spans.is_empty() {
            break;
        }
        spans.extend(group);
    }
    text::left(buffer, area, &spans, &cx.theme);
}

fn of_map(state: &HeatState, cx: &Cx, areas: &HeatAreas) -> Vec<Vec<Span<'static>>> {
    let theme = &cx.theme;
    let look = state.look;
    let scale = scale(state);
    let palette = Palette::of(theme, look, scale);
    let swatch = |part: f64, over: &'static str, times: usize| {
        if means(theme) == CellStyle::Signs {
            Span::styled(palette.sign(part, theme.glyphs).repeat(times), theme.text)
        } else {
            Span::styled(over.repeat(times), palette.background(part))
        }
    };
    let words = |text: String| Span::styled(text, theme.dim);
    let mut spans = vec![words("0 ".to_owned())];
    #[expect(clippy::cast_precision_loss, reason = "a handful of cells")]
    let ramp = (0..RAMP).map(|step| step as f64 / RAMP as f64);
    match scale {
        ShadeScale::Absolute => {
            let below = ramp.map(|part| swatch(0.01 + part * 0.68, " ", 1));
            spans.extend(below);
            spans.push(words(" 70 ".to_owned()));
            spans.push(swatch(0.7, " ", 2));
            spans.push(words(" 90 ".to_owned()));
            spans.push(swatch(0.9, " ", 2));
            spans.push(words(" 100 % ".to_owned()));
            spans.push(swatch(1.0, shade::over(theme.glyphs), 2));
        }
        ShadeScale::Relative => {
            spans.extend(ramp.map(|part| swatch(0.01 + part, " ", 1)));
            spans.push(swatch(1.0, " ", 1));
            spans.push(words(format!(" {}", highest(state))));
        }
    }
    spans.push(Span::raw("  "));
    let gap = Span::styled(shade::gap(theme.glyphs), theme.bar_track);
    let named = match scale {
        ShadeScale::Absolute => "absolute",
        ShadeScale::Relative => "relative",
    };
    let keys = [Action::Darker, Action::Brighter].map(|a| cx.keymap.shown(a).unwrap_or_default());
    vec![
        spans,
        of_429(state, cx, areas).into(),
        vec![gap, words(" no data  ".to_owned())],
        hint(cx, Action::ToggleRelative, named).into(),
        vec![
            words(format!("  brightness {} ", look.brightness_text())),
            Span::styled(keys.join(" "), theme.key_hint),
        ],
    ]
}

/// `! 429`; `[!] 429s, mean of 5 min` where one total holds for several cells, which the line of a row may say.
fn of_429(state: &HeatState, cx: &Cx, areas: &HeatAreas) -> [Span<'static>; 2] {
    let theme = &cx.theme;
    let has_line = paint::cell_lines(state, areas.lines) < areas.lines;
    let is_ended = |row: &HeatMapRow| throttled::has_ends(&state.map, &row.throttled_totals);
    let sign = match throttled::total_step(state) {
        None => shade::THROTTLED.to_owned(),
        // A row of one line has brackets without their numbers.
        Some(_) if !has_line && state.map.rows.iter().all(is_ended) => "[!]".to_owned(),
        Some(_) if !has_line => shade::THROTTLED.to_owned(),
        Some(_) if throttled::has_brackets(state) => "[!]".to_owned(),
        Some(_) => [0.2, 1.0].map(|part| spark(part, theme)).concat(),
    };
    let is_said = has_line && state.map.columns.has_key_lines;
    let words = match throttled::total_step(state).filter(|_| !is_said) {
        None => " 429s  ".to_owned(),
        Some(step) => format!(" 429s, mean of {}  ", names::length(step.into())),
    };
    [Span::styled(sign, theme.alarm), Span::styled(words, theme.dim)]
}

/// The highest value, which is what relative colours are relative to.
fn highest(state: &HeatState) -> String {
    let scope = state.scope.as_ref();
    let of = scope.and_then(|scope| Some(names::value(scope.highest, scope.unit()?)));
    match of {
        Some(of) => format!("{of}, the highest"),
        None => "the highest".to_owned(),
    }
}

/// `b absolute`.
fn hint(cx: &Cx, action: Action, word: &str) -> [Span<'static>; 3] {
    let theme = &cx.theme;
    [
        Span::styled(cx.keymap.shown(action).unwrap_or_default(), theme.key_hint),
        Span::raw(" "),
        Span::styled(word.to_owned(), theme.text),
    ]
}
