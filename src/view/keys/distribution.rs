//! The pane with how sizes are spread over the keys of the container.

use ratatui::buffer::Buffer;

use super::head::container_rows;
use super::layout::{Areas, Frames, Pane};
use super::lines::{Line, Role, fact, wrapped};
use crate::analysis::ceiling::Mark;
use crate::app::App;
use crate::app::data::Arranged;
use crate::app::msg::Shared;
use crate::model::units::{count_text, kib_text, percent_text};
use crate::view::panel::{Focus, Panel};
use crate::view::sign::scroll;
use crate::view::text;

/// What the lines are of.
#[derive(Clone, PartialEq, Debug)]
pub struct Made {
    list: Shared<Arranged>,
    width: u16,
}

pub fn settle(app: &mut App, areas: &Areas) {
    let room = areas.inner(areas.distribution);
    let Some(list) = app.keys.list.clone().filter(|_| !room.is_empty()) else {
        app.keys.distribution.clear();
        return;
    };
    let made = Made {
        list,
        width: room.width,
    };
    let mut held = std::mem::take(&mut app.keys.distribution);
    held.settle(made, usize::from(room.height), || {
        lines(app, usize::from(room.width))
    });
    app.keys.distribution = held;
}

fn lines(app: &App, width: usize) -> Vec<Line> {
    let Some(rows) = container_rows(app) else {
        return Vec::new();
    };
    let skew = &rows.skew;
    let mut lines = Vec::new();
    let keys = count_text(rows.keys_total);
    lines.extend(fact("keys", Role::Text, &keys, width));
    let whole = format!("{} {}", kib_text(skew.total_kib), skew.whole_of.words());
    lines.extend(fact("shares", Role::Text, &format!("of {whole}"), width));
    if let Some(share) = skew.largest_share {
        let words = format!("{}, {}", kib_text(rows.largest_kib), percent_text(share));
        lines.extend(fact("largest", Role::Mark(Mark::Below), &words, width));
    }
    let sentence = match skew.effective_keys_at_most {
        Some(keys) => format!("As uneven as at most {keys:.1} keys of one size would be."),
        None => "How uneven it is cannot be told: the service lists large keys only, and the size of the container is not \
                 among the inputs."
            .to_owned(),
    };
    lines.extend(
        wrapped(&sentence, width)
            .into_iter()
            .map(|l| Line::of(Role::Text, l)),
    );
    lines
}

pub fn draw(app: &App, areas: &Areas, buffer: &mut Buffer) {
    if areas.distribution.is_empty() {
        return;
    }
    let theme = &app.theme;
    let inner = areas.inner(areas.distribution);
    if areas.frames == Frames::Drawn {
        let focus = if app.keys.pane == Pane::Distribution {
            Focus::Here
        } else {
            Focus::Away
        };
        let panel = Panel::new("distribution").focus(focus);
        panel.draw(buffer, areas.distribution, theme);
    }
    let (first, total) = app.keys.distribution.extent();
    if total == 0 {
        text::paragraph(buffer, inner, "No sizes to spread.", theme.dim, theme);
    }
    app.keys.distribution.draw(inner, buffer, theme);
    let side = ratatui::layout::Rect {
        width: inner.width + u16::from(areas.frames == Frames::Drawn),
        ..inner
    };
    scroll(buffer, side, first, total, theme);
}
