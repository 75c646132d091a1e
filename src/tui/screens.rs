//! The loop: takes whatever has happened, applies it all, draws once, and sleeps again.

use std::collections::VecDeque;
use std::io;
use std::thread;
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until, timeout};

use super::runtime::{WAITING, Workers};
use super::signals::{self, Signal, Signals};
use super::terminal::{self, Canvas, TerminalGuard};
use super::{Start, clock, input, unusable};
use crate::error::{Error, exit};
use crate::ui::app::{self, App, update};
use crate::ui::kit::input::InputEvent;
use crate::ui::kit::msg::{Effect, Msg};
use crate::work::data::Dataset;
use crate::work::fault::WorkFault;
use crate::work::shared::Shared;

/// Sixty frames a second: more are not seen, and each costs a slow connection.
const FRAME_EVERY: Duration = Duration::from_millis(16);
/// Whoever pressed a key waits for its frame; nobody waits for one of progress.
const ANSWER_EVERY: Duration = Duration::from_millis(8);
/// Messages applied before a frame may be drawn, however many more are there.
const BATCH: usize = 256;
/// A terminal that goes away is followed by the signal that says so.
const SIGNAL_WITHIN: Duration = Duration::from_millis(300);
/// Terminals drop longer requests, and some of them stop at this length.
const MAX_COPY_BYTES: usize = 74_994;

/// Shows the screens; gives the exit code.
pub async fn show(start: Start) -> Result<u8, Error> {
    // Before the terminal is taken, so that no signal leaves it taken.
    let mut signals = Signals::new().map_err(|e| unusable(&e))?;
    let (workers, mut messages) = Workers::new(start.work);
    let held = TerminalGuard::take(start.mouse).map_err(|e| unusable(&e))?;
    let (app, effects) = App::new(start.settings);
    let canvas = Canvas::new(terminal::size()).map_err(|e| unusable(&e))?;
    let mut screens = Screens {
        app,
        canvas,
        guard: held,
        workers,
        shown: WindowContent::Stale,
        away: false,
        drawn: Instant::now(),
        next_frame: Instant::now(),
        outgoing: Vec::new(),
    };
    let ended = screens.run(effects, &mut signals, &mut messages).await;
    // At once: work that is still going on may take a moment to end.
    terminal::give_back();
    tracing::info!("screens left");
    match ended {
        Ok(code) => Ok(code),
        Err(source) => match timeout(SIGNAL_WITHIN, ending(&mut signals)).await {
            Ok(code) => Ok(code),
            Err(_) => Err(Error::Output { source }),
        },
    }
}

async fn ending(signals: &mut Signals) -> u8 {
    loop {
        if let Signal::End(code) = signals.next().await {
            return code;
        }
    }
}

/// Old datasets waited for; of more, whoever holds one last frees it.
const MAX_OUTGOING: usize = 8;

/// Whether the window shows what the state says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum WindowContent {
    Current,
    Stale,
    /// Nothing of what it shows can be relied on.
    Unknown,
}

/// What an effect or a signal means for the loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Next {
    GoOn,
    End(u8),
}

struct Screens {
    app: App,
    canvas: Canvas,
    guard: TerminalGuard,
    workers: Workers,
    shown: WindowContent,
    /// Stopped by Ctrl-Z or from outside, and not continued yet.
    away: bool,
    drawn: Instant,
    next_frame: Instant,
    /// Datasets that are shown no more, until nothing holds on to them: a million keys take their time to be freed.
    outgoing: Vec<Shared<Dataset>>,
}

impl Screens {
    async fn run(
        &mut self,
        effects: Vec<Effect>,
        signals: &mut Signals,
        messages: &mut mpsc::Receiver<Msg>,
    ) -> io::Result<u8> {
        let mut inputs = listen()?;
        let mut batch = vec![Msg::Did(InputEvent::Resized(terminal::size()))];
        // The first frame stands before the first work begins.
        self.apply(&mut batch)?;
        self.draw()?;
        if let Next::End(code) = self.run_effects(effects)? {
            return Ok(code);
        }
        loop {
            let due = self.next_frame;
            let waits_for_frame = self.shown != WindowContent::Current && !self.away;
            tokio::select! {
                biased;
                () = terminal::closed() => return Ok(exit::INTERNAL),
                signal = signals.next() => {
                    if let Next::End(code) = self.on_signal(signal)? {
                        return Ok(code);
                    }
                }
                input = inputs.recv() => match input {
                    Some(input) => batch.push(Msg::Did(input?)),
                    None => return Err(io::Error::from(io::ErrorKind::UnexpectedEof)),
                },
                _ = messages.recv_many(&mut batch, BATCH) => {}
                () = sleep_until(due), if waits_for_frame => {}
            }
            tracing::trace!(messages = batch.len(), "wake");
            gather(&mut inputs, messages, &mut batch)?;
            if let Next::End(code) = self.apply(&mut batch)? {
                return Ok(code);
            }
            if self.shown != WindowContent::Current
                && !self.away
                && Instant::now() >= self.next_frame
            {
                self.draw()?;
            }
        }
    }

    /// Applies everything that has happened, and what follows from it.
    fn apply(&mut self, batch: &mut Vec<Msg>) -> io::Result<Next> {
        if batch.is_empty() {
            return Ok(Next::GoOn);
        }
        self.shown = self.shown.or_stale();
        if batch.iter().any(|msg| matches!(msg, Msg::Did(_))) {
            self.next_frame = self.next_frame.min(self.drawn + ANSWER_EVERY);
        }
        let before = self.app.cx.data.clone();
        let mut effects = Vec::new();
        if let Some(now) = clock::now() {
            effects.extend(update::update(&mut self.app, Msg::Clock(now)));
        }
        for msg in batch.drain(..) {
            #[cfg(debug_assertions)]
            super::test_panic::on(&msg, &self.workers);
            effects.extend(update::update(&mut self.app, msg));
            if let Next::End(code) = self.run_effects(std::mem::take(&mut effects))? {
                return Ok(Next::End(code));
            }
        }
        self.outgoing.extend(before.filter(|before| self.app.cx.data.as_ref() != Some(before)));
        self.free_outgoing();
        Ok(Next::GoOn)
    }

    /// Frees old data on another thread, once the lists made of it are gone too.
    fn free_outgoing(&mut self) {
        let held = std::mem::take(&mut self.outgoing);
        let (free, held): (Vec<_>, Vec<_>) = held.into_iter().partition(Shared::is_alone);
        self.outgoing = held;
        let beyond = self.outgoing.len().saturating_sub(MAX_OUTGOING);
        self.outgoing.drain(..beyond);
        if !free.is_empty() {
            self.workers.run(move || drop(free));
        }
    }

    fn run_effects(&mut self, effects: Vec<Effect>) -> io::Result<Next> {
        let mut waiting = VecDeque::from(effects);
        while let Some(effect) = waiting.pop_front() {
            match effect {
                Effect::Quit => return Ok(Next::End(exit::DONE)),
                Effect::Redraw => self.shown = WindowContent::Unknown,
                Effect::Suspend => waiting.extend(self.suspend()?),
                Effect::Copy(text) => waiting.extend(self.copy(&text.into_text())?),
                effect => self.workers.start(effect),
            }
        }
        Ok(Next::GoOn)
    }

    fn copy(&mut self, text: &str) -> io::Result<Vec<Effect>> {
        let answer = if text.len() > MAX_COPY_BYTES {
            let next = "mark fewer rows, or export them to a file";
            Err(WorkFault::new("it is too much for the clipboard of a terminal", Some(next)))
        } else {
            self.canvas.copy(text)?;
            Ok(text.to_owned())
        };
        self.shown = self.shown.or_stale();
        Ok(update::update(&mut self.app, Msg::Copied(answer)))
    }

    fn on_signal(&mut self, signal: Signal) -> io::Result<Next> {
        match signal {
            Signal::End(code) => {
                tracing::info!(code, "ended by a signal");
                Ok(Next::End(code))
            }
            Signal::Stop => {
                let effects = self.suspend()?;
                self.run_effects(effects)
            }
            Signal::Continue => self.resume(),
            Signal::Resized => {
                self.apply(&mut vec![Msg::Did(InputEvent::Resized(terminal::size()))])
            }
        }
    }

    /// Gives the terminal back and stops; the signal that continues the program takes it again.
    fn suspend(&mut self) -> io::Result<Vec<Effect>> {
        if let Err(e) = signals::can_stop() {
            let what = format!(
                "there is no way back to a shell here: {}",
                crate::source::input::reason(&e)
            );
            let told = Msg::Reported(WorkFault::new(what, None));
            return Ok(update::update(&mut self.app, told));
        }
        tracing::info!("stopped");
        self.away = true;
        terminal::give_back();
        signals::stop()?;
        Ok(Vec::new())
    }

    fn resume(&mut self) -> io::Result<Next> {
        self.guard.take_again()?;
        self.away = false;
        self.shown = WindowContent::Unknown;
        let size = InputEvent::Resized(terminal::size());
        let mut batch = vec![Msg::Did(size), Msg::Did(InputEvent::Resumed)];
        self.apply(&mut batch)
    }

    fn draw(&mut self) -> io::Result<()> {
        if self.shown == WindowContent::Unknown || self.canvas.size() != self.app.cx.size {
            self.canvas.forget(self.app.cx.size)?;
        }
        let app = &self.app;
        self.canvas.draw(app::cursor(app), |buffer| {
            #[cfg(debug_assertions)]
            super::test_panic::in_draw();
            app::draw(app, buffer);
        })?;
        self.shown = WindowContent::Current;
        self.drawn = Instant::now();
        self.next_frame = self.drawn + FRAME_EVERY;
        Ok(())
    }
}

impl WindowContent {
    fn or_stale(self) -> Self {
        match self {
            Self::Unknown => Self::Unknown,
            Self::Current | Self::Stale => Self::Stale,
        }
    }
}

/// Takes what else is there without waiting; neither a flood of keys nor one of messages keeps the other out.
fn gather(
    inputs: &mut mpsc::Receiver<io::Result<InputEvent>>,
    messages: &mut mpsc::Receiver<Msg>,
    batch: &mut Vec<Msg>,
) -> io::Result<()> {
    while batch.len() < BATCH
        && let Ok(input) = inputs.try_recv()
    {
        batch.push(Msg::Did(input?));
    }
    while batch.len() < BATCH * 2
        && let Ok(msg) = messages.try_recv()
    {
        batch.push(msg);
    }
    Ok(())
}

/// Reads the terminal on a thread of its own: half a sequence makes the library wait for the rest of it, and the screens
/// must not wait along.
fn listen() -> io::Result<mpsc::Receiver<io::Result<InputEvent>>> {
    let (sender, receiver) = mpsc::channel(WAITING);
    let listening = move || {
        loop {
            let happened = match crossterm::event::read() {
                Ok(event) => input::input(event).map(Ok),
                Err(e) => Some(Err(e)),
            };
            let is_last = matches!(happened, Some(Err(_)));
            if let Some(happened) = happened
                && (sender.blocking_send(happened).is_err() || is_last)
            {
                return;
            }
        }
    };
    thread::Builder::new().name("input".to_owned()).spawn(listening)?;
    Ok(receiver)
}
