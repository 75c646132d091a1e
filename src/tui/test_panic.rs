//! Internal errors on purpose, so that tests can see what becomes of the terminal; in builds for development only.

use super::runtime::Workers;
use crate::ui::kit::input::InputEvent;
use crate::ui::kit::msg::Msg;

/// Says where: `main`, `worker` or `draw`. It happens with the first key.
const VARIABLE: &str = "COSMOSCOPE_TEST_PANIC";

static IN_DRAW: std::sync::atomic::AtomicBool = std::sync::atomic::AtomicBool::new(false);

#[expect(clippy::disallowed_methods, reason = "for tests only")]
fn place() -> Option<String> {
    std::env::var(VARIABLE).ok()
}

#[expect(clippy::panic, reason = "it is what is asked for")]
fn fail() {
    // The payload stands for a secret: it must be told nowhere.
    panic!("payload-that-nobody-may-see");
}

pub fn on(msg: &Msg, workers: &Workers) {
    if !matches!(msg, Msg::Did(InputEvent::Key(_))) {
        return;
    }
    match place().as_deref() {
        Some("main") => fail(),
        Some("worker") => workers.run(fail),
        Some("draw") => IN_DRAW.store(true, std::sync::atomic::Ordering::Relaxed),
        _ => {}
    }
}

pub fn in_draw() {
    if IN_DRAW.load(std::sync::atomic::Ordering::Relaxed) {
        fail();
    }
}
