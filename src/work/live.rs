//! Rounds of questions to an account, on threads of their own: what is due is asked, a few at a time, and everything that
//! comes back goes into the ledger before anything else is done with it.

pub mod counts;
mod scans;

use std::collections::BTreeSet;
use std::fmt;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures::StreamExt;
use futures::stream::FuturesUnordered;
use tokio::runtime::Runtime;
use tokio::time::Instant;

use crate::model::time::Stamp;
use crate::source::answers::{Inquiry, Kind, Observation, Obstacle, Trouble};
use crate::source::ledger::Ledger;
use crate::source::live::clock;
use crate::source::live::plan::{Round, Urgency};
use crate::source::live::session::{Opens, Reads};
use crate::source::live::target::{Pace, Target};
use crate::source::watch::Watch;
use crate::work::fault::WorkFault;

/// Questions asked at the same time: enough to hide the way there and back, and no more requests when the service begins to
/// refuse.
const IN_FLIGHT: usize = 3;
/// How often it is looked whether somebody wants it stopped; Esc is to be felt within a fifth of a second.
const STOP_WITHIN: Duration = Duration::from_millis(50);
/// What is there so far is shown so often while a round goes on.
const SHOWN_EVERY: Duration = Duration::from_millis(700);

/// Takes down everything that is seen, before it is shown.
pub trait RoundRecorder: Send {
    fn record(&mut self, seen: &Observation);
    /// A round is over: what was taken down must be on the disk.
    fn round_ends(&mut self) {}
    /// Why nothing more is taken down, told once.
    fn take_stopped(&mut self) -> Option<String> {
        None
    }
}

/// The account that is open, if one is, and what it told.
#[derive(Default)]
struct OpenAccount {
    target: Option<Target>,
    session: Option<Arc<dyn Reads>>,
    ledger: Ledger,
    /// Questions in the background.
    in_background: BTreeSet<Inquiry>,
    records: Option<Box<dyn RoundRecorder>>,
    scans: scans::Scans,
}

struct Inner {
    /// There until the last one lets go.
    runtime: Option<Runtime>,
    opener: Box<dyn Opens>,
    pace: Pace,
    open: Mutex<OpenAccount>,
    /// The container that the screen shows, by database and name.
    on_screen: Mutex<Option<(String, String)>>,
}

impl OpenAccount {
    fn add(&mut self, seen: Observation) {
        if let Some(records) = &mut self.records {
            records.record(&seen);
        }
        self.ledger.add(seen);
    }
}

impl Drop for Inner {
    /// Whoever lets go last may be within another runtime, where waiting for this one to end would be a panic.
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

impl Inner {
    /// Runs something on the runtime of the account; None once that is gone.
    fn block_on<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        self.runtime.as_ref().map(|runtime| runtime.block_on(work))
    }
}

/// Shared by all work that has to do with the account.
#[derive(Clone)]
pub struct LiveWork(Arc<Inner>);

impl fmt::Debug for LiveWork {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Live")
    }
}

/// How a round ended.
#[derive(Clone, PartialEq, Debug)]
pub enum RoundEnd {
    /// Everything that was due has been asked.
    Whole,
    /// Somebody wanted no more of it; what came until then is there.
    Stopped,
}

/// What stands in the way of everything: nothing else need be asked.
fn is_everything(target: &Target, inquiry: &Inquiry, obstacle: Obstacle) -> bool {
    match obstacle {
        // A role on one container may not read the account.
        Obstacle::Forbidden if target.container.is_some() => false,
        Obstacle::SignIn | Obstacle::Untrusted | Obstacle::Unreachable => {
            !inquiry.kind.is_elsewhere()
        }
        Obstacle::Forbidden | Obstacle::TimedOut | Obstacle::Unbelievable => {
            inquiry.kind == Kind::Account
        }
        _ => false,
    }
}

/// What the account itself said in one round.
#[derive(Default)]
struct RoundResult {
    is_answered: bool,
    /// The first of what stood in the way.
    trouble: Option<Trouble>,
}

impl RoundResult {
    fn take(&mut self, seen: &Observation) {
        match seen {
            _ if seen.inquiry().kind.is_elsewhere() => {}
            Observation::Answer(_) => self.is_answered = true,
            Observation::Failure(failure) => {
                self.trouble.get_or_insert_with(|| failure.trouble.clone());
            }
        }
    }

    /// Where not one question was answered, whatever stood in the way, the account does not answer.
    fn ended(self) -> Result<RoundEnd, Trouble> {
        match self.trouble {
            Some(trouble) if !self.is_answered => Err(trouble),
            _ => Ok(RoundEnd::Whole),
        }
    }
}

impl LiveWork {
    /// With a runtime of its own: connections live on between rounds.
    pub fn new(
        opener: Box<dyn Opens>,
        pace: Pace,
        records: Option<Box<dyn RoundRecorder>>,
    ) -> std::io::Result<Self> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("account")
            .enable_all()
            .build()?;
        Ok(Self(Arc::new(Inner {
            runtime: Some(runtime),
            opener,
            pace,
            open: Mutex::new(OpenAccount { records, ..OpenAccount::default() }),
            on_screen: Mutex::default(),
        })))
    }

    fn lock(&self) -> MutexGuard<'_, OpenAccount> {
        self.0.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is held of this account: nothing of another one that was open before.
    fn held_of(&self, target: &Target) -> MutexGuard<'_, OpenAccount> {
        let mut held = self.lock();
        if held.target.as_ref() != Some(target) {
            held.target = Some(target.clone());
            held.session = None;
            held.ledger = Ledger::new(target.account());
            held.in_background.clear();
            held.scans = scans::Scans::default();
        }
        held
    }

    /// Reads this container, by database and name, before all others from now on.
    pub fn read_first(&self, container: Option<(String, String)>) {
        *self.on_screen() = container;
    }

    fn on_screen(&self) -> MutexGuard<'_, Option<(String, String)>> {
        self.0.on_screen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Everything told so far; a copy shares the bodies.
    pub fn ledger(&self) -> Ledger {
        self.lock().ledger.clone()
    }

    /// RU charged so far, as far as answers said.
    pub fn charged(&self) -> f64 {
        self.lock().ledger.spent_ru()
    }

    /// Why nothing more is recorded, told once.
    pub fn take_stopped(&self) -> Option<String> {
        self.lock().records.as_mut()?.take_stopped()
    }

    fn add(&self, seen: Observation) {
        self.lock().add(seen);
    }

    /// Asks what is due. `shows` is given what is there so far now and then.
    pub fn visit(
        &self,
        target: &Target,
        urgency: Urgency,
        watch: &Watch,
        shows: &mut dyn FnMut(&Ledger),
    ) -> Result<RoundEnd, Trouble> {
        let round = async {
            let session = self.session(target).await?;
            let ended = self.round(target, urgency, &session, watch, shows).await;
            // The next round opens a new session, but not while the service throttles.
            if ended.as_ref().is_err_and(|trouble| trouble.obstacle != Obstacle::Throttled) {
                self.lock().session = None;
            }
            ended
        };
        let ended = self.0.block_on(async {
            tokio::select! {
                biased;
                () = stopped(watch) => Ok(RoundEnd::Stopped),
                ended = round => ended,
            }
        });
        let ended = ended.unwrap_or(Ok(RoundEnd::Stopped));
        if let Some(records) = &mut self.lock().records {
            records.round_ends();
        }
        ended
    }

    /// The account as it is open, or opened now.
    async fn session(&self, target: &Target) -> Result<Arc<dyn Reads>, Trouble> {
        if let Some(session) = &self.held_of(target).session {
            return Ok(Arc::clone(session));
        }
        match self.0.opener.open(target).await {
            Ok(session) => {
                let session: Arc<dyn Reads> = Arc::from(session);
                self.lock().session = Some(Arc::clone(&session));
                Ok(session)
            }
            Err(trouble) => {
                let inquiry = Inquiry::account(Kind::Account);
                self.add(Observation::of(&inquiry, now(), Err(trouble.clone())));
                Err(trouble)
            }
        }
    }

    /// Asks a question in the background; its answer appears in the next round.
    fn ask_in_background(&self, target: &Target, session: &Arc<dyn Reads>, inquiry: Inquiry) {
        if !self.lock().in_background.insert(inquiry.clone()) {
            return;
        }
        let (work, target, session) = (self.clone(), target.clone(), Arc::clone(session));
        let asked = async move {
            let seen = session.ask(&inquiry).await;
            let mut held = work.lock();
            if held.target.as_ref() == Some(&target) && held.in_background.remove(&inquiry) {
                held.add(seen);
                held.records.iter_mut().for_each(|records| records.round_ends());
            }
        };
        if let Some(runtime) = &self.0.runtime {
            runtime.spawn(asked);
        }
    }

    async fn round(
        &self,
        target: &Target,
        urgency: Urgency,
        session: &Arc<dyn Reads>,
        watch: &Watch,
        shows: &mut dyn FnMut(&Ledger),
    ) -> Result<RoundEnd, Trouble> {
        let started = now();
        let mut last_look = Instant::now();
        let mut came = RoundResult::default();
        loop {
            let on_screen = self.on_screen().clone();
            let round = Round {
                target,
                ways: session.ways(),
                pace: &self.0.pace,
                started,
                urgency,
                on_screen: on_screen.as_ref(),
            };
            let mut due = round.due(&self.lock().ledger);
            // These take up to a minute: nothing waits for them.
            for slow in due.extract_if(.., |inquiry| inquiry.kind == Kind::Distribution) {
                self.ask_in_background(target, session, slow);
            }
            if due.is_empty() {
                return came.ended();
            }
            watch.total_bytes.fetch_add(due.len() as u64, Ordering::Relaxed);
            let mut due = due.iter();
            let mut in_flight: FuturesUnordered<_> =
                due.by_ref().take(IN_FLIGHT).map(|inquiry| session.ask(inquiry)).collect();
            while let Some(seen) = in_flight.next().await {
                watch.done_bytes.fetch_add(1, Ordering::Relaxed);
                let lost = match &seen {
                    Observation::Failure(failure)
                        if is_everything(target, &failure.inquiry, failure.trouble.obstacle) =>
                    {
                        Some(failure.clone())
                    }
                    _ => None,
                };
                watch.begin(seen.inquiry().container.as_deref().unwrap_or_default());
                came.take(&seen);
                self.add(seen);
                if let Some(failure) = lost {
                    drop(in_flight);
                    return Err(failure.trouble);
                }
                if last_look.elapsed() >= SHOWN_EVERY {
                    shows(&self.ledger());
                    last_look = Instant::now();
                }
                // The user opened another container: its questions go first.
                if *self.on_screen() == on_screen {
                    in_flight.extend(due.next().map(|inquiry| session.ask(inquiry)));
                }
            }
            watch.total_bytes.fetch_sub(due.len() as u64, Ordering::Relaxed);
        }
    }
}

/// By the clock that answers are dated with: one that counts in whole seconds would take what was answered a moment ago for
/// an answer to what is asked now.
fn now() -> Stamp {
    clock::now()
}

async fn stopped(watch: &Watch) {
    while watch.keep_going() {
        tokio::time::sleep(STOP_WITHIN).await;
    }
}

/// Accounts are opened by a command of their own, which has asked for the way in.
pub fn not_ready() -> WorkFault {
    let what = "no account was opened with this program start";
    WorkFault::new(what, Some("leave, and run cosmoscope connect ENDPOINT"))
}

#[cfg(test)]
mod tests;
