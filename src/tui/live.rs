//! Rounds of questions to an account, on threads of their own: what is due is asked, a few at a time, and everything that
//! comes back goes into the ledger before anything else is done with it.

pub mod counts;
mod scans;

use std::fmt;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures::StreamExt;
use futures::stream::FuturesUnordered;
use tokio::runtime::Runtime;
use tokio::time::Instant;

use super::clock;
use crate::app::msg::Fault;
use crate::model::time::Stamp;
use crate::source::answers::{Asked, Kind, Obstacle, Seen, Trouble};
use crate::source::ledger::Ledger;
use crate::source::live::plan::{Round, Urgency};
use crate::source::live::session::{Opens, Reads};
use crate::source::live::target::{Pace, Target};
use crate::source::watch::Watch;

/// Questions asked at the same time: enough to hide the way there and back, few enough for a budget of 240 RU/s.
const IN_FLIGHT: usize = 4;
/// How often it is looked whether somebody wants it stopped; Esc is to be felt within a fifth of a second.
const STOP_WITHIN: Duration = Duration::from_millis(50);
/// What is there so far is shown so often while a round goes on.
const SHOWN_EVERY: Duration = Duration::from_millis(700);

/// Takes down everything that is seen, before it is shown.
pub trait Records: Send {
    fn record(&mut self, seen: &Seen);
    /// A round is over: what was taken down must be on the disk.
    fn round_ends(&mut self) {}
    /// Why nothing more is taken down, told once.
    fn take_stopped(&mut self) -> Option<String> {
        None
    }
}

/// The account that is open, if one is, and what it told.
#[derive(Default)]
struct Held {
    target: Option<Target>,
    session: Option<Arc<dyn Reads>>,
    ledger: Ledger,
    records: Option<Box<dyn Records>>,
    scans: scans::Scans,
}

struct Inner {
    runtime: Runtime,
    opener: Box<dyn Opens>,
    pace: Pace,
    held: Mutex<Held>,
}

/// Shared by all work that has to do with the account.
#[derive(Clone)]
pub struct Live(Arc<Inner>);

impl fmt::Debug for Live {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Live")
    }
}

/// How a round ended.
#[derive(Clone, PartialEq, Debug)]
pub enum Ended {
    /// Everything that was due has been asked.
    Whole,
    /// Somebody wanted no more of it; what came until then is there.
    Stopped,
}

/// What stands in the way of everything: nothing else need be asked.
fn is_everything(asked: &Asked, obstacle: Obstacle) -> bool {
    match obstacle {
        Obstacle::SignIn | Obstacle::Untrusted | Obstacle::Unreachable => {
            !asked.kind.is_elsewhere()
        }
        Obstacle::Forbidden | Obstacle::TimedOut | Obstacle::Unbelievable => {
            asked.kind == Kind::Account
        }
        _ => false,
    }
}

impl Live {
    /// With a runtime of its own: connections live on between rounds.
    pub fn new(
        opener: Box<dyn Opens>,
        pace: Pace,
        records: Option<Box<dyn Records>>,
    ) -> std::io::Result<Self> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("account")
            .enable_all()
            .build()?;
        Ok(Self(Arc::new(Inner {
            runtime,
            opener,
            pace,
            held: Mutex::new(Held {
                records,
                ..Held::default()
            }),
        })))
    }

    fn held(&self) -> MutexGuard<'_, Held> {
        self.0.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Everything told so far; a copy shares the bodies.
    pub fn ledger(&self) -> Ledger {
        self.held().ledger.clone()
    }

    /// Why nothing more is recorded, told once.
    pub fn take_stopped(&self) -> Option<String> {
        self.held().records.as_mut()?.take_stopped()
    }

    fn add(&self, seen: Seen) {
        let mut held = self.held();
        if let Some(records) = &mut held.records {
            records.record(&seen);
        }
        held.ledger.add(seen);
    }

    /// Asks what is due. `shows` is given what is there so far now and then.
    pub fn visit(
        &self,
        target: &Target,
        urgency: Urgency,
        watch: &Watch,
        shows: &mut dyn FnMut(&Ledger),
    ) -> Result<Ended, Trouble> {
        let round = async {
            let session = self.session(target).await?;
            let ended = self.round(target, urgency, &*session, watch, shows).await;
            if ended.is_err() {
                // The next round begins with a new one.
                self.held().session = None;
            }
            ended
        };
        let ended = self.0.runtime.block_on(async {
            tokio::select! {
                biased;
                () = stopped(watch) => Ok(Ended::Stopped),
                ended = round => ended,
            }
        });
        if let Some(records) = &mut self.held().records {
            records.round_ends();
        }
        ended
    }

    /// The account as it is open, or opened now.
    async fn session(&self, target: &Target) -> Result<Arc<dyn Reads>, Trouble> {
        {
            let mut held = self.held();
            if held.target.as_ref() != Some(target) {
                held.target = Some(target.clone());
                held.session = None;
                held.ledger = Ledger::new(target.account());
                held.scans = scans::Scans::default();
            }
            if let Some(session) = &held.session {
                return Ok(Arc::clone(session));
            }
        }
        match self.0.opener.open(target).await {
            Ok(session) => {
                let session: Arc<dyn Reads> = Arc::from(session);
                self.held().session = Some(Arc::clone(&session));
                Ok(session)
            }
            Err(trouble) => {
                let asked = Asked::account(Kind::Account);
                self.add(Seen::of(&asked, now(), Err(trouble.clone())));
                Err(trouble)
            }
        }
    }

    async fn round(
        &self,
        target: &Target,
        urgency: Urgency,
        session: &dyn Reads,
        watch: &Watch,
        shows: &mut dyn FnMut(&Ledger),
    ) -> Result<Ended, Trouble> {
        let started = now();
        let mut last_look = Instant::now();
        loop {
            let round = Round {
                target,
                ways: session.ways(),
                pace: &self.0.pace,
                started,
                urgency,
            };
            let due = round.due(&self.held().ledger);
            if due.is_empty() {
                return Ok(Ended::Whole);
            }
            watch
                .total_bytes
                .fetch_add(due.len() as u64, Ordering::Relaxed);
            let mut due = due.iter();
            let mut flying: FuturesUnordered<_> = due
                .by_ref()
                .take(IN_FLIGHT)
                .map(|asked| session.ask(asked))
                .collect();
            while let Some(seen) = flying.next().await {
                watch.done_bytes.fetch_add(1, Ordering::Relaxed);
                let lost = match &seen {
                    Seen::Failure(failure)
                        if is_everything(&failure.asked, failure.trouble.obstacle) =>
                    {
                        Some(failure.trouble.clone())
                    }
                    _ => None,
                };
                watch.begin(seen.asked().container.as_deref().unwrap_or_default());
                self.add(seen);
                if let Some(trouble) = lost {
                    return Err(trouble);
                }
                if last_look.elapsed() >= SHOWN_EVERY {
                    shows(&self.ledger());
                    last_look = Instant::now();
                }
                flying.extend(due.next().map(|asked| session.ask(asked)));
            }
        }
    }
}

fn now() -> Stamp {
    clock::now().unwrap_or(Stamp::EPOCH)
}

async fn stopped(watch: &Watch) {
    while watch.keep_going() {
        tokio::time::sleep(STOP_WITHIN).await;
    }
}

/// What stands in the way as the status line tells it.
pub fn fault(trouble: &Trouble) -> Fault {
    Fault {
        what: trouble.what.clone(),
        next: trouble.next.clone(),
    }
}

/// Accounts are opened by a command of their own, which has asked for the way in.
pub fn not_ready() -> Fault {
    Fault {
        what: "no account was opened with this program start".to_owned(),
        next: Some("leave, and run cosmoscope connect ENDPOINT".to_owned()),
    }
}

#[cfg(test)]
mod tests;
