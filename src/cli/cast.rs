//! `replay --cast`: a recording as an asciicast (version 2, which players read), drawn by the code of the screens and paced as
//! they play it.

use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

use ratatui::backend::{Backend, CrosstermBackend};
use ratatui::buffer::Buffer;
use serde_json::json;

use super::picture;
use super::{Cli, Output, PictureFormat, Replay, output, run, screens};
use crate::error::Error;
use crate::source::live::secret::scrub;
use crate::source::watch::Watch;
use crate::tui::Screen;
use crate::ui::kit::action::Action;
use crate::ui::kit::msg::Msg;
use crate::work::data::Origin;

/// A player's window may hold anything, and a cursor that is not the screen's.
const BEGIN: &str = "\x1b[?25l\x1b[2J";

/// Writes the recording to that file.
pub fn write(cli: &Cli, c: &Replay, file: &Path) -> Result<u8, Error> {
    let to = Output { output: Some(file.to_owned()), force: c.force };
    run::prepare(&to, std::slice::from_ref(&c.path))?;
    let size = picture::size(&c.drawn.size)?;
    let origin = Origin::Recording(c.path.clone());
    let shown = picture::everything(PictureFormat::Svg);
    let start = screens::begin(cli, Some(origin.clone()), &c.reading, &c.measure, &shown)?;
    // What cannot be read is an error here; the screens would only say so.
    start.work.loader.load(origin, &Watch::default())?;
    let mut screen = Screen::open(start, size);
    screen.type_keys(c.drawn.typed.as_deref());
    output::write(&to, &mut |to| play(&mut screen, to))
}

/// The header, then what changes on the screen with each moment, from the first to the last.
fn play(screen: &mut Screen, to: &mut dyn Write) -> io::Result<()> {
    let mut before = screen.frame();
    before.reset();
    let size = before.area.as_size();
    let header =
        json!({"version": 2, "width": size.width, "height": size.height, "title": "Cosmoscope"});
    writeln!(to, "{header}")?;
    let mut pause = screen.perform(Action::Play);
    let mut at = Duration::ZERO;
    let mut begin = BEGIN;
    loop {
        let frame = screen.frame();
        let text = begin.to_owned() + &changes(&before, &frame)?;
        writeln!(to, "{}", json!([at.as_secs_f64(), "o", text]))?;
        (before, begin) = (frame, "");
        let Some((turn, pause_ms)) = pause else {
            return Ok(());
        };
        at += Duration::from_millis(pause_ms);
        pause = screen.apply(Msg::Due(turn));
    }
}

/// What is sent to a terminal that shows one frame, so that it shows another.
fn changes(before: &Buffer, frame: &Buffer) -> io::Result<String> {
    let mut bytes = Vec::new();
    let changed = before.diff(frame);
    CrosstermBackend::new(&mut bytes).draw(changed.into_iter())?;
    Ok(scrub(&String::from_utf8_lossy(&bytes)).into_owned())
}
