#![expect(clippy::unwrap_used, reason = "a test may panic")]

use super::*;
use crate::analysis::arrange::{Direction, SortBy};
use crate::analysis::testing::{GIB, Log, NEWEST, ORDERS, northpier, seconds};
use crate::app::data::{Dataset, Origin, Stage, arrange};
use crate::app::msg::{Msg, Salt};
use crate::app::testing::{app_showing, app_with, press, resize, type_in};
use crate::app::update::update;
use crate::view::testing::{SIZES, screen};

/// Does what a list asks for, as worker threads would.
pub(super) fn answered(app: &mut App, effects: Vec<Effect>) {
    for effect in effects {
        if let Effect::Arrange(turn, ask) = effect {
            let list = arrange(&ask, &|| true).unwrap();
            let more = update(app, Msg::Arranged(turn, Shared::new(list)));
            answered(app, more);
        }
    }
}

pub(super) fn pressed(app: &mut App, chords: &str) {
    let effects = press(app, chords);
    answered(app, effects);
}

fn shown(app: &App) -> String {
    screen(app).join("\n")
}

#[test]
fn look() {
    for name in ["tenants", "events"] {
        let mut app = app_with(name);
        pressed(&mut app, "2");
        println!("{}", shown(&app));
        resize(&mut app, 200, 60);
        println!("{}", shown(&app));
    }
    let mut app = app_showing(northpier());
    pressed(&mut app, "2");
    println!("{}", shown(&app));
    pressed(&mut app, "tab");
    println!("{}", shown(&app));
    pressed(&mut app, "i");
    println!("{}", shown(&app));
}
