//! Effects as plain functions: each takes what it needs, asks now and then whether it is still wanted, and tells facts.

use std::io;
use std::time::Duration;

use super::hand_out::hand_out;
use crate::error::Error;
use crate::source::input;
use crate::source::lesson;
use crate::source::live::plan::Urgency;
use crate::source::live::target::Target;
use crate::source::watch::Watch;
use crate::ui::kit::msg::{Effect, Generation, Msg};
use crate::work::data::{Arranged, Ask, Exported};
use crate::work::export::Export;
use crate::work::fault::{WorkFault, fault};
use crate::work::live::{LiveWork, RoundEnd};
use crate::work::load::Loader;
use crate::work::recent::Recent;
use crate::work::salt::Salt;
use crate::work::sample::{ScanEnd, ScanResult};
use crate::work::shared::Shared;
use crate::work::threads::parallelism;
use crate::work::trial::{DocumentsOf, SampleAsk, TrialSample, TypingPace};
use crate::work::{live, paths, salt};

/// Between two letters of somebody who types without thinking.
pub const TYPING_PAUSE: Duration = Duration::from_millis(60);
/// How often it is asked whether the next letter has come.
const WAITS: u32 = 6;

/// What work needs to know beside its effect.
#[derive(Clone, Debug)]
pub struct WorkContext {
    pub loader: Loader,
    pub recent: Recent,
    /// How names are invented where the screen masks them.
    pub salt: Option<Salt>,
    /// The account that is looked at, where one is.
    pub live: Option<LiveWork>,
    /// How long a key that is typed waits for the next letter.
    pub typing_pause: Duration,
}

impl WorkContext {
    /// Does what an effect asks for; effects that concern the terminal itself are not for here.
    pub fn perform(&self, effect: Effect, watch: &Watch, tell: &mut dyn FnMut(Msg)) {
        match effect {
            Effect::Load(generation, origin) => tell(match self.loader.load(origin, watch) {
                Ok(data) => Msg::Loaded(generation, data),
                Err(e) => Msg::LoadFailed(generation, fault(&e)),
            }),
            Effect::Rewind(generation, path, place) => {
                let data = self.loader.rewind(&path, place, watch);
                if watch.keep_going() {
                    tell(Msg::Rewound(generation, data.map_err(|e| fault(&e))));
                }
            }
            Effect::Visit(generation, target, urgency) => {
                self.visit(generation, &target, urgency, watch, tell);
            }
            Effect::Export(generation, export) => {
                let written = self.loader.export(&self.played(export, watch), watch);
                tell(Msg::Exported(generation, written));
            }
            Effect::ReadRecent => tell(Msg::RecentRead(self.recent.read())),
            Effect::Remember(paths) => tell(match self.recent.remember(&paths) {
                Ok(()) => Msg::RecentRead(self.recent.read()),
                Err(e) => Msg::Reported(not_remembered(&e)),
            }),
            Effect::ReadSalt => tell(Msg::SaltRead(self.read_salt())),
            Effect::Arrange(..)
            | Effect::Grow(..)
            | Effect::FindKeys(..)
            | Effect::Compare(..)
            | Effect::Workload(..)
            | Effect::ReadDesign(..)
            | Effect::ReadLesson(..)
            | Effect::Forecast(..)
            | Effect::Simulate(..)
            | Effect::ListPaths(..)
            | Effect::LookAt(..) => self.list_keys(effect, watch, tell),
            Effect::Sample(generation, ask) => {
                let sampled = self.sample(generation, &ask, watch, tell);
                tell(Msg::Sampled(generation, sampled));
            }
            Effect::Search(generation, ask) => {
                let progress = |done: usize, total: usize, what: &str| watch.at(done, total, what);
                let found = ask.answer(parallelism(), &|| watch.keep_going(), &progress);
                tell(Msg::Found(generation, Shared::new(found)));
            }
            Effect::Try(generation, ask) => {
                if ask.pace == TypingPace::Typed {
                    self.wait(watch);
                }
                ask.answer(parallelism(), &|| watch.keep_going(), &mut |answer| {
                    tell(match answer {
                        Ok(tried) => Msg::Tried(generation, Shared::new(tried)),
                        Err(unreported) => Msg::Unreported(generation, unreported),
                    });
                });
            }
            Effect::OnScreen(_)
            | Effect::StopLoading
            | Effect::ReadDates(_)
            | Effect::ReadFirst(_)
            | Effect::StopSampling
            | Effect::StopSearch
            | Effect::Wait(..)
            | Effect::WaitForFrame(..)
            | Effect::Copy(_)
            | Effect::Redraw
            | Effect::Suspend
            | Effect::Quit => {}
        }
    }

    /// A lesson is played before it is written.
    fn played(&self, export: Export, watch: &Watch) -> Export {
        let Exported::Lesson(lesson) = &export.what else {
            return export;
        };
        let played = hand_out(lesson, self, watch).map(Shared::new);
        let what = played.map_or(export.what.clone(), Exported::HandOut);
        Export { what, ..export }
    }

    /// What lists, limits and containers ask for.
    fn list_keys(&self, effect: Effect, watch: &Watch, tell: &mut dyn FnMut(Msg)) {
        match effect {
            Effect::Arrange(generation, ask) => {
                if let Some(list) = arrange(&ask, watch) {
                    tell(Msg::Arranged(generation, Shared::new(list)));
                }
            }
            Effect::Grow(generation, branch) => {
                if let Some(grown) = branch.grow(&|| watch.keep_going()) {
                    tell(Msg::Grown(generation, Shared::new(grown)));
                }
            }
            Effect::FindKeys(generation, search) => {
                if let Some(hits) = search.answer(&|| watch.keep_going()) {
                    tell(Msg::KeysFound(generation, Shared::new(hits)));
                }
            }
            Effect::Forecast(generation, ask) => {
                if let Some(answer) = ask.answer(parallelism(), &|| watch.keep_going()) {
                    tell(Msg::Forecast(generation, Shared::new(answer)));
                }
            }
            Effect::Simulate(generation, ask) => {
                if let Some(lapse) = ask.answer(parallelism(), &|| watch.keep_going()) {
                    tell(Msg::Simulated(generation, Shared::new(lapse)));
                }
            }
            Effect::Workload(generation, ask) => {
                let found = ask.answer().map(Shared::new);
                tell(Msg::WorkloadFound(generation, found));
            }
            Effect::ReadDesign(generation, path) => {
                let read = paths::design(&path).map_err(|e| fault(&e));
                tell(Msg::DesignRead(generation, read));
            }
            Effect::ReadLesson(generation, name) => {
                let read = lesson::named(&name).map(Shared::new);
                tell(Msg::LessonRead(generation, read.map_err(|e| fault(&e))));
            }
            Effect::LookAt(generation, ask) => {
                let looked = ask.answer().map_err(|e| fault(&e));
                tell(Msg::LookedAt(generation, looked));
            }
            Effect::ListPaths(generation, typed) => {
                tell(Msg::PathsListed(generation, paths::offers(&typed, watch)));
            }
            Effect::Compare(generation, ask) => {
                let compared = self.loader.compare(&ask, watch);
                if watch.keep_going() {
                    tell(Msg::Compared(generation, compared.map_err(|e| fault(&e))));
                }
            }
            _ => {}
        }
    }

    /// A round of questions; what is there by then is shown now and then.
    fn visit(
        &self,
        generation: Generation,
        target: &Target,
        urgency: Urgency,
        watch: &Watch,
        tell: &mut dyn FnMut(Msg),
    ) {
        let Some(account) = &self.live else {
            return tell(Msg::LoadFailed(generation, live::not_ready()));
        };
        let whole = Watch::default();
        let ended = account.visit(target, urgency, watch, &mut |ledger| {
            if let Ok(data) = self.loader.watched(target, ledger, &whole) {
                tell(Msg::Charged(ledger.spent_ru()));
                tell(Msg::Glimpsed(generation, data));
            }
        });
        tell(Msg::Charged(account.charged()));
        let ledger = account.ledger();
        let stopped_early = ended == Ok(RoundEnd::Stopped) && ledger.newest().is_none();
        tell(match ended {
            Err(trouble) => Msg::LoadFailed(generation, WorkFault::from(&trouble)),
            Ok(_) if stopped_early => Msg::LoadFailed(generation, fault(&Error::Interrupted)),
            Ok(_) => match self.loader.watched(target, &ledger, &whole) {
                Ok(data) => Msg::Loaded(generation, data),
                Err(e) => Msg::LoadFailed(generation, fault(&e)),
            },
        });
        if let Some(what) = account.take_stopped() {
            tell(Msg::Reported(WorkFault::new(what, None)));
        }
    }

    /// Documents for trials; those of an account are asked for first.
    fn sample(
        &self,
        generation: Generation,
        ask: &SampleAsk,
        watch: &Watch,
        tell: &mut dyn FnMut(Msg),
    ) -> Result<Shared<TrialSample>, WorkFault> {
        let DocumentsOf::Live { database, container } = &ask.from else {
            return self.loader.sample(ask, watch).map_err(|e| fault(&e));
        };
        let account = self.live.as_ref().ok_or_else(live::not_ready)?;
        let scanned = ask.scan.as_ref().map(|scan| {
            account.sample(scan, watch, &mut |meter| {
                tell(Msg::Metered(generation, meter));
                tell(Msg::Charged(account.charged()));
            })
        });
        // Whoever stopped asking wants to see what is there.
        let whole = Watch::default();
        let watch = if scanned.is_some() { &whole } else { watch };
        let ledger = account.ledger();
        let pages = ledger.documents(database, container);
        let nothing = match &scanned {
            Some(ScanResult { over: ScanEnd::Failed(trouble), meter }) if meter.entries == 0 => {
                Some(trouble.into())
            }
            Some(ScanResult { over: ScanEnd::Stopped, meter }) if meter.entries == 0 => {
                Some(fault(&Error::Interrupted))
            }
            _ => None,
        };
        match nothing {
            Some(fault) => Err(fault),
            None => self.loader.sampled(ask, pages, scanned, watch).map_err(|e| fault(&e)),
        }
    }

    /// Until the next letter would have come.
    fn wait(&self, watch: &Watch) {
        for _ in 0..WAITS {
            if watch.keep_going() {
                std::thread::sleep(self.typing_pause / WAITS);
            }
        }
    }

    fn read_salt(&self) -> Result<Salt, WorkFault> {
        match &self.salt {
            Some(given) => Ok(given.clone()),
            None => salt::installed().map(Salt).map_err(|e| fault(&e)),
        }
    }
}

/// The list as it was asked for, by two threads: one sorts while the other begins to filter.
fn arrange(ask: &Ask, watch: &Watch) -> Option<Arranged> {
    let keep_going = || watch.keep_going();
    std::thread::scope(|scope| {
        let mut ranges = ask.ranges(2).into_iter();
        let (first, second) = (ranges.next(), ranges.next());
        let side = second.map(|rows| scope.spawn(|| ask.pass(rows, &keep_going)));
        let order = ask.order(&keep_going)?;
        let mut bits = Vec::new();
        if let Some(rows) = first {
            bits.push(ask.pass(rows, &keep_going)?);
        }
        if let Some(side) = side {
            bits.push(side.join().ok().flatten()?);
        }
        ask.answer(order, bits, &keep_going)
    })
}

fn not_remembered(e: &io::Error) -> WorkFault {
    let what = format!("the list of recent files was not kept: {}", input::reason(e));
    WorkFault::new(what, Some("recent = false in the configuration does without it"))
}

#[cfg(test)]
mod tests;
