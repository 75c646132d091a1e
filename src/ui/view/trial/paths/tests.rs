//! Paths in every room and order, filtered, masked, and under the pointer.

use super::*;
use crate::analysis::paths::rows;
use crate::ui::kit::list::further;
use crate::ui::kit::masking::Mask;
use crate::ui::kit::panel::Focus;
use crate::ui::view::trial::testing::{assert_harmless, cars, check, hostile, masked, shown};

const SIZES: [(u16, u16); 5] = [(40, 5), (60, 10), (80, 24), (120, 30), (200, 60)];

fn of_cars() -> Vec<PathRow> {
    rows(cars().documents(), 8, &|| true).unwrap_or_default()
}

#[test]
fn paths_in_every_room() {
    let rows = of_cars();
    let made = path_table(&rows, &Mask::Off);
    let mut state = PathsState::default();
    state.sort_by(PathOrder::Distinct, &rows);
    state.cursor.chosen = 3;
    check("paths", &SIZES, |buffer, area, theme| {
        let mut state = state.clone();
        state.settle(area);
        draw(buffer, area, &made, &state, Focus::Here, theme);
    });
}

#[test]
fn orders_and_filters_hold() {
    let rows = of_cars();
    let mut state = PathsState::default();
    state.arrange(&rows);
    assert_eq!(state.len(), rows.len());
    for by in ORDERS.all.iter().copied() {
        assert_eq!(ORDERS.named(ORDERS.name(by)), Some(by));
        assert_eq!(further(ORDERS.all, &further(ORDERS.all, &by, 1), -1), by);
        state.sort_by(by, &rows);
        let listed: Vec<&PathRow> = state.order.iter().map(|at| &rows[*at]).collect();
        assert!(listed.windows(2).all(|pair| match by {
            PathOrder::Found => true,
            PathOrder::Path => pair[0].path.to_string() <= pair[1].path.to_string(),
            PathOrder::Distinct => pair[0].distinct.seen >= pair[1].distinct.seen,
            PathOrder::Missing => pair[0].kinds.missing >= pair[1].kinds.missing,
        }));
    }
    state.set_filter("ID", &rows);
    let listed: Vec<String> = state.order.iter().map(|at| rows[*at].path.to_string()).collect();
    assert!(listed.contains(&"/deviceId".to_owned()) && listed.len() < rows.len());
    state.set_filter("nothing has this", &rows);
    assert_eq!((state.chosen(), state.is_empty()), (None, true));
}

#[test]
fn the_pointer_finds_the_row_that_is_drawn_under_it() {
    let rows = of_cars();
    let made = path_table(&rows, &Mask::Off);
    let theme = crate::ui::view::testing::theme();
    for size in SIZES {
        let area = Rect::new(0, 0, size.0, size.1);
        let mut state = PathsState::default();
        state.arrange(&rows);
        state.act(Action::LastRow, area);
        let text = shown(size, |buffer, area| {
            draw(buffer, area, &made, &state, Focus::Here, &theme);
        });
        let mut found = 0;
        for (y, line) in (0..).zip(text.lines()) {
            let Some(place) = state.place_at(area, Position::new(5, y)) else {
                continue;
            };
            found += 1;
            let path = rows[state.order[place]].path.to_string();
            let start: String = path.chars().take(4).collect();
            assert!(line.contains(&start), "{size:?} {line} {path}");
        }
        assert!(found > 0, "{size:?}");
        assert_eq!(state.place_at(area, Position::new(0, size.1)), None);
    }
}

#[test]
fn hostile_names_and_values_are_harmless_and_values_can_be_masked() {
    let rows = rows(hostile().documents(), 8, &|| true).unwrap_or_default();
    let made = path_table(&rows, &Mask::Off);
    let mut state = PathsState::default();
    state.arrange(&rows);
    assert_harmless(|buffer, area, theme| {
        draw(buffer, area, &made, &state, Focus::Here, theme);
    });
    let masked = path_table(&rows, &masked());
    let theme = crate::ui::view::testing::theme();
    let text = shown((160, 40), |buffer, area| {
        draw(buffer, area, &masked, &state, Focus::Here, &theme);
    });
    assert!(!text.contains("plain") && text.contains("key-"), "{text}");
}
