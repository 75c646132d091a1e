//! Effects on threads of their own: one at a time in each slot, results always delivered, progress only where there is room.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, MissedTickBehavior, interval, timeout};

use super::work::WorkContext;
use crate::model::largest::Glimpse;
use crate::source::watch::Watch;
use crate::ui::kit::msg::{Effect, Generation, Msg};
use crate::work::data::{Dataset, Origin, Stage};
use crate::work::fault::WorkProgress;
use crate::work::shared::Shared;

/// Threads for work: one for each slot, and some for work that was cancelled and has not noticed yet.
pub const THREADS: usize = 16;
/// Messages that wait: work that has more to tell waits for the screen, progress is dropped.
pub const WAITING: usize = 256;

/// Until there is room for another message.
const FULL_FOR: Duration = Duration::from_millis(2);

/// Often enough to look alive, seldom enough to cost nothing.
const PROGRESS_EVERY: Duration = Duration::from_millis(100);
const GLIMPSE_EVERY: Duration = Duration::from_millis(500);
/// As many as one looks at while the rest is still coming.
const KEYS_IN_GLIMPSE: usize = 2_000;
/// What is kept of an import that is stopped.
const KEYS_WHEN_STOPPED: usize = 100_000;
/// A reader that waits for a silent pipe gives no last glimpse.
const LAST_GLIMPSE_WITHIN: Duration = Duration::from_secs(2);

/// Work that only one of can go on at a time: a new one stops the one before.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Slot {
    Load,
    Arrange,
    Grow,
    FindKeys,
    Forecast,
    Simulate,
    Compare,
    Workload,
    Design,
    Lesson,
    Look,
    Sample,
    Try,
    Search,
    Export,
    Paths,
}

fn slot(effect: &Effect) -> Option<Slot> {
    match effect {
        Effect::Load(..) | Effect::Visit(..) | Effect::Rewind(..) => Some(Slot::Load),
        Effect::Arrange(..) => Some(Slot::Arrange),
        Effect::Grow(..) => Some(Slot::Grow),
        Effect::FindKeys(..) => Some(Slot::FindKeys),
        Effect::Forecast(..) => Some(Slot::Forecast),
        Effect::Simulate(..) => Some(Slot::Simulate),
        Effect::Compare(..) => Some(Slot::Compare),
        Effect::Workload(..) => Some(Slot::Workload),
        Effect::ReadDesign(..) => Some(Slot::Design),
        Effect::ReadLesson(..) => Some(Slot::Lesson),
        Effect::LookAt(..) => Some(Slot::Look),
        Effect::Sample(..) => Some(Slot::Sample),
        Effect::Try(..) => Some(Slot::Try),
        Effect::Search(..) => Some(Slot::Search),
        Effect::Export(..) => Some(Slot::Export),
        Effect::ListPaths(..) => Some(Slot::Paths),
        _ => None,
    }
}

/// What is waited for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Timer {
    /// The next questions to an account, or the next moment of a recording.
    Round,
    /// The next frame of a simulation.
    Frame,
}

#[derive(Debug)]
struct Job {
    watch: Watch,
    /// For reading: asks for what is there by now before it is stopped.
    keep: Option<oneshot::Sender<()>>,
}

/// Whoever does the work.
#[derive(Debug)]
pub struct Workers {
    work: Arc<WorkContext>,
    messages: mpsc::Sender<Msg>,
    jobs: BTreeMap<Slot, Job>,
    /// The timers that count.
    waits: BTreeMap<Timer, oneshot::Sender<()>>,
}

impl Drop for Workers {
    fn drop(&mut self) {
        self.jobs.values().for_each(|job| job.watch.stop());
    }
}

impl Workers {
    /// Within a runtime; what is found out comes through the receiver.
    pub fn new(work: WorkContext) -> (Self, mpsc::Receiver<Msg>) {
        let (messages, receiver) = mpsc::channel(WAITING);
        let workers =
            Self { work: Arc::new(work), messages, jobs: BTreeMap::new(), waits: BTreeMap::new() };
        (workers, receiver)
    }

    /// Begins what an effect asks for.
    pub fn start(&mut self, effect: Effect) {
        match effect {
            Effect::StopLoading => return self.stop_loading(),
            Effect::ReadDates(order) => {
                let work = Arc::make_mut(&mut self.work);
                work.loader.import.date_order = Some(order);
                return;
            }
            Effect::ReadFirst(of) => {
                return self.work.live.iter().for_each(|live| live.read_first(of.clone()));
            }
            Effect::StopSampling => return self.stop(Slot::Sample),
            Effect::StopSearch => return self.stop(Slot::Search),
            Effect::Wait(generation, pause_ms) => {
                return self.wait(Timer::Round, generation, pause_ms);
            }
            Effect::WaitForFrame(generation, pause_ms) => {
                return self.wait(Timer::Frame, generation, pause_ms);
            }
            _ => {}
        }
        let watch = Watch::default();
        let reading = match &effect {
            Effect::Load(generation, Origin::Paths(paths)) => {
                Some((*generation, Origin::Paths(paths.clone())))
            }
            _ => None,
        };
        let (done, ended) = oneshot::channel();
        let (told, telling_ended) = oneshot::channel();
        if let Effect::Sample(generation, _)
        | Effect::Search(generation, _)
        | Effect::Visit(generation, ..) = &effect
        {
            spawn(tell_progress(*generation, watch.clone(), self.messages.clone(), telling_ended));
        }
        if let Some(slot) = slot(&effect) {
            let keep = reading.map(|(generation, origin)| {
                let (keep, asked) = oneshot::channel();
                let told = LoadReporter {
                    generation,
                    origin,
                    watch: watch.clone(),
                    work: Arc::clone(&self.work),
                    messages: self.messages.clone(),
                };
                spawn(told.until(ended, asked));
                keep
            });
            let watch = watch.clone();
            if let Some(before) = self.jobs.insert(slot, Job { watch, keep }) {
                before.watch.stop();
            }
        }
        let (work, messages) = (Arc::clone(&self.work), self.messages.clone());
        self.run(move || {
            work.perform(effect, &watch, &mut |msg| {
                deliver(&messages, msg);
            });
            let _ = done.send(());
            let _ = told.send(());
        });
    }

    /// Runs something on a thread of its own. A panic was told by the hook, which also ends the screens.
    #[expect(clippy::unused_self, reason = "only with workers there is a runtime")]
    #[expect(clippy::disallowed_methods, reason = "this is what starts tasks")]
    pub fn run(&self, work: impl FnOnce() + Send + 'static) {
        tokio::task::spawn_blocking(|| {
            let _ = catch_unwind(AssertUnwindSafe(work));
        });
    }

    /// A message after a while; a later wish takes the place of an earlier one.
    fn wait(&mut self, timer: Timer, generation: Generation, pause_ms: u64) {
        let pause = Duration::from_millis(pause_ms);
        let (waits, ended) = oneshot::channel();
        self.waits.insert(timer, waits);
        let messages = self.messages.clone();
        spawn(async move {
            // What waits ends when its wish is dropped.
            if timeout(pause, ended).await.is_err() {
                let _ = messages.send(Msg::Due(generation)).await;
            }
        });
    }

    fn stop(&self, slot: Slot) {
        if let Some(job) = self.jobs.get(&slot) {
            job.watch.stop();
        }
    }

    fn stop_loading(&mut self) {
        let Some(job) = self.jobs.get_mut(&Slot::Load) else {
            return;
        };
        let asked = job.keep.take().is_some_and(|keep| keep.send(()).is_ok());
        if !asked {
            job.watch.stop();
        }
    }
}

/// Waits for room by itself: work that talks to an account does so within a runtime, where waiting as the channel does is a
/// panic. Nobody listens any more when the screens are closed.
fn deliver(messages: &mpsc::Sender<Msg>, mut msg: Msg) {
    while let Err(TrySendError::Full(waits)) = messages.try_send(msg) {
        msg = waits;
        std::thread::sleep(FULL_FOR);
    }
}

#[expect(clippy::disallowed_methods, reason = "this is what starts tasks")]
fn spawn(task: impl Future<Output = ()> + Send + 'static) {
    tokio::spawn(task);
}

/// What is told of reading while it goes on.
struct LoadReporter {
    generation: Generation,
    origin: Origin,
    watch: Watch,
    work: Arc<WorkContext>,
    messages: mpsc::Sender<Msg>,
}

impl LoadReporter {
    async fn until(self, mut ended: oneshot::Receiver<()>, mut asked: oneshot::Receiver<()>) {
        let mut tick = interval(PROGRESS_EVERY);
        tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut next_glimpse = Instant::now() + GLIMPSE_EVERY;
        let mut told = None;
        let mut is_asked = false;
        loop {
            tokio::select! {
                biased;
                _ = &mut ended => return,
                asked = &mut asked, if !is_asked => {
                    is_asked = true;
                    if asked.is_ok() {
                        self.keep_and_stop(&mut ended).await;
                        return;
                    }
                }
                _ = tick.tick() => {}
            }
            let progress = progress(&self.watch);
            if told.as_ref() != Some(&progress) {
                told = Some(progress.clone());
                let _ = self.messages.try_send(Msg::Progressed(self.generation, progress));
            }
            if let Some(glimpse) = self.watch.take_glimpse() {
                let data = self.dataset(glimpse, |keys_so_far| Stage::Reading { keys_so_far });
                if let Some(data) = data.await {
                    let _ = self.messages.try_send(Msg::Glimpsed(self.generation, data));
                }
                next_glimpse = Instant::now() + GLIMPSE_EVERY;
            } else if Instant::now() >= next_glimpse {
                self.watch.want_glimpse(KEYS_IN_GLIMPSE);
                // Asked once; the reader answers between two chunks.
                next_glimpse = Instant::now() + LAST_GLIMPSE_WITHIN;
            }
        }
    }

    /// The largest keys by now are what stays; then reading ends.
    async fn keep_and_stop(&self, ended: &mut oneshot::Receiver<()>) {
        let _ = self.watch.take_glimpse();
        self.watch.want_glimpse(KEYS_WHEN_STOPPED);
        let glimpse = async {
            let mut tick = interval(PROGRESS_EVERY / 4);
            loop {
                tick.tick().await;
                if let Some(glimpse) = self.watch.take_glimpse() {
                    return glimpse;
                }
            }
        };
        let glimpse = tokio::select! {
            biased;
            // It was whole before it could be stopped.
            _ = ended => return,
            glimpse = timeout(LAST_GLIMPSE_WITHIN, glimpse) => glimpse.ok(),
        };
        if let Some(glimpse) = glimpse {
            let data = self.dataset(glimpse, |keys_so_far| Stage::Stopped { keys_so_far });
            if let Some(data) = data.await {
                // Before the reader says that it was stopped: what comes second for a turn is dropped.
                let _ = self.messages.send(Msg::Loaded(self.generation, data)).await;
            }
        }
        self.watch.stop();
    }

    #[expect(clippy::disallowed_methods, reason = "this is what starts tasks")]
    async fn dataset(&self, glimpse: Glimpse, stage: fn(u64) -> Stage) -> Option<Shared<Dataset>> {
        let (work, origin) = (Arc::clone(&self.work), self.origin.clone());
        let made = move || work.loader.glimpsed(origin, stage, glimpse).map(Shared::new);
        tokio::task::spawn_blocking(made).await.ok().flatten()
    }
}

/// How far reading is that shows nothing before its end.
async fn tell_progress(
    generation: Generation,
    watch: Watch,
    messages: mpsc::Sender<Msg>,
    mut ended: oneshot::Receiver<()>,
) {
    let mut tick = interval(PROGRESS_EVERY);
    tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut told = None;
    loop {
        tokio::select! {
            biased;
            _ = &mut ended => return,
            _ = tick.tick() => {}
        }
        let progress = progress(&watch);
        if told.as_ref() != Some(&progress) {
            told = Some(progress.clone());
            let _ = messages.try_send(Msg::Progressed(generation, progress));
        }
    }
}

fn progress(watch: &Watch) -> WorkProgress {
    let load = |n: &AtomicU64| n.load(Ordering::Relaxed);
    WorkProgress {
        done_bytes: load(&watch.done_bytes),
        total_bytes: load(&watch.total_bytes),
        rows: load(&watch.rows),
        what: watch.what(),
    }
}
