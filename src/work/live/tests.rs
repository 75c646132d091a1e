//! Rounds against an account that is made up: what is asked, what is kept, what stopping and losing it mean.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;

use super::*;
use crate::source::answers::{Answer, Failure};
use crate::source::live::pages::{self, PageAsk};
use crate::source::live::plan::Ways;
use crate::source::live::sampling::{Choice, Hashing, MOST_BYTES, Stratum};
use crate::source::live::session::Samples;
use crate::work::sample::{SampleContainer, ScanAsk, ScanEnd, ScanResult};

#[derive(Default)]
struct AccountCounts {
    opened: AtomicUsize,
    inquiry: AtomicUsize,
    /// Which question, counted from 1, is not answered any more.
    lost_at: AtomicUsize,
    /// Whether none is.
    is_out: std::sync::atomic::AtomicBool,
    /// Which question never ends.
    hangs_at: AtomicUsize,
    /// At most so many at once were seen.
    in_flight: AtomicUsize,
    most_in_flight: AtomicUsize,
    /// Distributions that were requested, and whether they may be answered.
    distributions: AtomicUsize,
    may_distribute: std::sync::atomic::AtomicBool,
    is_managed: std::sync::atomic::AtomicBool,
    /// Which container has the name, where that is told.
    rid: Mutex<String>,
    /// Names of the pages of documents that were asked for.
    pages: Mutex<Vec<String>>,
    /// Which of them never comes, counted from 1.
    page_hangs_at: AtomicUsize,
}

struct CountingAccount(Arc<AccountCounts>);

#[async_trait]
impl Opens for CountingAccount {
    async fn open(&self, _: &Target) -> Result<Box<dyn Reads>, Trouble> {
        self.0.opened.fetch_add(1, Ordering::SeqCst);
        Ok(Box::new(CountingAccount(Arc::clone(&self.0))))
    }
}

#[async_trait]
impl Reads for CountingAccount {
    async fn ask(&self, inquiry: &Inquiry) -> Observation {
        let reported = &self.0;
        let in_flight = reported.in_flight.fetch_add(1, Ordering::SeqCst) + 1;
        reported.most_in_flight.fetch_max(in_flight, Ordering::SeqCst);
        tokio::task::yield_now().await;
        let number = reported.inquiry.fetch_add(1, Ordering::SeqCst) + 1;
        if number == reported.hangs_at.load(Ordering::SeqCst) {
            std::future::pending::<()>().await;
        }
        reported.in_flight.fetch_sub(1, Ordering::SeqCst);
        if inquiry.kind == Kind::Distribution {
            reported.distributions.fetch_add(1, Ordering::SeqCst);
            while !reported.may_distribute.load(Ordering::SeqCst) {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        }
        if reported.is_out.load(Ordering::SeqCst) {
            let trouble =
                Trouble::new(Obstacle::Service, format!("503 {:?}", inquiry.kind), "wait");
            return Observation::of(inquiry, now(), Err(trouble));
        }
        if number == reported.lost_at.load(Ordering::SeqCst) {
            return Observation::Failure(Failure {
                at: now(),
                inquiry: inquiry.clone(),
                trouble: Trouble::new(
                    Obstacle::Unreachable,
                    "nothing answers",
                    "look at the network",
                ),
                ru: None,
            });
        }
        let containers = (0..20).map(|n| format!(r#"{{"id":"c{n:02}"}}"#)).collect::<Vec<_>>();
        let body = match inquiry.kind {
            Kind::Databases => r#"{"Databases":[{"id":"shop"}]}"#.to_owned(),
            Kind::Containers => format!(r#"{{"DocumentCollections":[{}]}}"#, containers.join(",")),
            Kind::Container => format!(
                r#"{{"id":"{}","_rid":"{}","partitionKey":{{"paths":["/t"],"kind":"Hash","version":2}},
                "statistics":[{{"id":"0","sizeInKB":10,"documentCount":1,"partitionKeys":[]}}]}}"#,
                inquiry.container.as_deref().unwrap(),
                reported.rid.lock().unwrap()
            ),
            Kind::Ranges => {
                r#"{"PartitionKeyRanges":[{"id":"0","minInclusive":"","maxExclusive":"FF"}]}"#
                    .to_owned()
            }
            _ => "{}".to_owned(),
        };
        Observation::Answer(Answer {
            at: now(),
            inquiry: inquiry.clone(),
            body: body.into_bytes().into(),
            ru: Some(1.0),
        })
    }

    fn ways(&self) -> Ways {
        Ways { management: self.0.is_managed.load(Ordering::SeqCst), logs: false }
    }

    fn samples(&self) -> Option<Arc<dyn Samples>> {
        Some(Arc::new(CountingAccount(Arc::clone(&self.0))))
    }
}

/// What one page of documents costs.
const PAGE_RU: f64 = 10.0;

#[async_trait]
impl Samples for CountingAccount {
    async fn page(&self, ask: &PageAsk) -> pages::FeedPage {
        let number = {
            let mut pages = self.0.pages.lock().unwrap();
            pages.push(ask.inquiry.part.clone().unwrap());
            pages.len()
        };
        if number == self.0.page_hangs_at.load(Ordering::SeqCst) {
            std::future::pending::<()>().await;
        }
        let documents = (0..ask.most).map(|n| format!(r#"{{"id":"{number}-{n}"}}"#));
        let documents = documents.collect::<Vec<_>>().join(",");
        let body = format!(r#"{{"Documents":[{documents}]}}"#);
        let came = Ok((body.into_bytes().into(), Some(PAGE_RU)));
        pages::FeedPage {
            seen: Observation::of(&ask.inquiry, now(), came),
            continuation: Some(number.to_string()),
        }
    }
}

fn live() -> (LiveWork, Arc<AccountCounts>) {
    let reported = Arc::new(AccountCounts::default());
    let live =
        LiveWork::new(Box::new(CountingAccount(Arc::clone(&reported))), Pace::default(), None)
            .unwrap();
    (live, reported)
}

fn sample_of(container: &str) -> ScanAsk {
    let partition = Stratum {
        id: "0".to_owned(),
        min: String::new(),
        max: "FF".to_owned(),
        documents: Some(100_000),
        kib: None,
        keys: Vec::new(),
        heat: None,
    };
    ScanAsk {
        field: SampleContainer {
            target: Box::default(),
            database: "shop".to_owned(),
            container: container.to_owned(),
            strata: vec![partition],
            hashing: Hashing::V2,
            provisioned: None,
        },
        documents: 100,
        choice: Choice::default(),
        more_ru: 1_000.0,
        ru_per_second: 1e9,
    }
}

fn sample(live: &LiveWork, ask: &ScanAsk, watch: &Watch) -> ScanResult {
    live.sample(ask, watch, &mut |_| {})
}

fn visit(live: &LiveWork, watch: &Watch) -> Result<RoundEnd, Trouble> {
    live.visit(&Target::default(), Urgency::ByHand, watch, &mut |_| {})
}

#[test]
fn a_round_asks_everything_a_few_at_a_time() {
    let (live, reported) = live();
    assert_eq!(visit(&live, &Watch::default()), Ok(RoundEnd::Whole));
    // The account, its databases, their containers, and three questions for each of twenty.
    assert_eq!(reported.inquiry.load(Ordering::SeqCst), 3 + 60);
    let most = reported.most_in_flight.load(Ordering::SeqCst);
    assert!((2..=IN_FLIGHT).contains(&most), "{most} at once");
    assert_eq!(live.ledger().containers().len(), 20);
    assert!((live.ledger().spent_ru() - 63.0).abs() < 1e-9);
}

#[test]
fn another_round_uses_what_is_open() {
    let (live, reported) = live();
    for _ in 0..3 {
        assert_eq!(visit(&live, &Watch::default()), Ok(RoundEnd::Whole));
    }
    assert_eq!(reported.opened.load(Ordering::SeqCst), 1);
}

#[test]
fn stopping_keeps_what_came_and_ends_at_once() {
    let (live, reported) = live();
    reported.hangs_at.store(30, Ordering::SeqCst);
    let watch = Watch::default();
    std::thread::scope(|scope| {
        let visiting = scope.spawn(|| visit(&live, &watch));
        while reported.inquiry.load(Ordering::SeqCst) < 40 {
            std::thread::sleep(Duration::from_millis(1));
        }
        watch.stop();
        assert_eq!(visiting.join().unwrap(), Ok(RoundEnd::Stopped));
    });
    assert_eq!(live.ledger().containers().len(), 20);
}

#[test]
fn a_lost_account_is_opened_anew_and_nothing_is_forgotten() {
    let (live, reported) = live();
    reported.lost_at.store(20, Ordering::SeqCst);
    let trouble = visit(&live, &Watch::default()).unwrap_err();
    assert_eq!(trouble.obstacle, Obstacle::Unreachable);
    assert_eq!(live.ledger().containers().len(), 20);
    reported.lost_at.store(0, Ordering::SeqCst);
    assert_eq!(visit(&live, &Watch::default()), Ok(RoundEnd::Whole));
    assert_eq!(reported.opened.load(Ordering::SeqCst), 2);
}

#[test]
fn everything_is_taken_down_before_it_is_shown() {
    struct RecordCounts(Arc<AtomicUsize>, Arc<AtomicUsize>);
    impl RoundRecorder for RecordCounts {
        fn record(&mut self, _: &Observation) {
            self.0.fetch_add(1, Ordering::SeqCst);
        }
        fn round_ends(&mut self) {
            self.1.fetch_add(1, Ordering::SeqCst);
        }
    }
    let (seen, rounds) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let records = RecordCounts(Arc::clone(&seen), Arc::clone(&rounds));
    let reported = Arc::new(AccountCounts::default());
    let opener = Box::new(CountingAccount(reported));
    let live = LiveWork::new(opener, Pace::default(), Some(Box::new(records))).unwrap();
    visit(&live, &Watch::default()).unwrap();
    assert_eq!((seen.load(Ordering::SeqCst), rounds.load(Ordering::SeqCst)), (63, 1));
}

#[test]
fn a_round_right_after_another_asks_all_of_it_again() {
    let (live, reported) = live();
    for inquiry in [63, 63 + 43, 63 + 86] {
        assert_eq!(visit(&live, &Watch::default()), Ok(RoundEnd::Whole));
        // The statistics of twenty containers are not asked for again within a minute.
        assert_eq!(reported.inquiry.load(Ordering::SeqCst), inquiry);
    }
}

#[test]
fn an_account_that_answers_nothing_at_all_is_lost() {
    let (live, reported) = live();
    assert_eq!(visit(&live, &Watch::default()), Ok(RoundEnd::Whole));
    reported.is_out.store(true, Ordering::SeqCst);
    let trouble = visit(&live, &Watch::default()).unwrap_err();
    assert_eq!((trouble.obstacle, &*trouble.what), (Obstacle::Service, "503 Account"));
    assert_eq!(live.ledger().containers().len(), 20);
}

/// As the screens do it: whoever begins another sample stops the one before and does not wait for its end.
#[test]
fn a_sample_that_begins_while_another_ends_goes_on_with_its_budget() {
    let (live, reported) = live();
    reported.page_hangs_at.store(3, Ordering::SeqCst);
    let (ask, first) = (sample_of("orders"), Watch::default());
    let (before, after) = std::thread::scope(|scope| {
        let before = scope.spawn(|| sample(&live, &ask, &first));
        while reported.pages.lock().unwrap().len() < 3 {
            std::thread::sleep(Duration::from_millis(1));
        }
        first.stop();
        let after = sample(&live, &ask, &Watch::default());
        (before.join().unwrap(), after)
    });
    assert_eq!((before.over, after.over), (ScanEnd::Stopped, ScanEnd::Whole));
    assert!((before.meter.spent_ru - 2.0 * PAGE_RU).abs() < 1e-9);
    assert!((after.meter.budget_ru - 2_000.0).abs() < 1e-9);
    assert!((after.meter.spent_ru - live.charged()).abs() < 1e-9);
    // The page that was given up is the only one that is asked for twice.
    let mut pages = reported.pages.lock().unwrap().clone();
    let inquiry = pages.len();
    pages.sort_unstable();
    pages.dedup();
    assert_eq!(pages.len() + 1, inquiry);
}

/// Pages of a container and documents in them, as the ledger holds them.
fn held_of(live: &LiveWork, container: &str) -> (usize, u64) {
    let ledger = live.ledger();
    let pages: Vec<_> = ledger.documents("shop", container).collect();
    let documents = pages.iter().filter_map(|page| pages::PageBody::of(page));
    (pages.len(), documents.map(|page| page.entries).sum())
}

#[test]
fn a_sample_whose_documents_are_gone_is_drawn_anew_within_its_budget() {
    let (live, reported) = live();
    let ask = sample_of("c00");
    assert_eq!(visit(&live, &Watch::default()), Ok(RoundEnd::Whole));
    let first = sample(&live, &ask, &Watch::default());
    assert_eq!((held_of(&live, "c00").1, first.over), (100, ScanEnd::Whole));
    // Another container has the name now.
    reported.rid.lock().unwrap().push_str("other");
    let opened = Inquiry::container(Kind::Container, "shop", "c00");
    let another = live.0.block_on(CountingAccount(Arc::clone(&reported)).ask(&opened));
    live.add(another.unwrap());
    assert_eq!(held_of(&live, "c00"), (0, 0));
    let again = sample(&live, &ask, &Watch::default());
    assert_eq!((held_of(&live, "c00").1, again.over), (100, ScanEnd::Whole));
    assert!((again.meter.spent_ru - 2.0 * first.meter.spent_ru).abs() < 1e-9);
    assert!((again.meter.budget_ru - 2_000.0).abs() < 1e-9);
}

#[test]
fn documents_of_all_containers_together_are_bounded() {
    let (live, _) = live();
    assert_eq!(visit(&live, &Watch::default()), Ok(RoundEnd::Whole));
    let half = usize::try_from(MOST_BYTES / 2 + 1).unwrap();
    let body: Arc<[u8]> = vec![b' '; half].into();
    for (container, second) in [("c01", 1), ("c02", 2)] {
        let at = Stamp::from_seconds(second).unwrap();
        let inquiry = Inquiry::container(Kind::Documents, "shop", container);
        let came = Ok((Arc::clone(&body), None));
        live.add(Observation::of(&inquiry.part("0/whole/00000"), at, came));
    }
    sample(&live, &sample_of("c00"), &Watch::default());
    let held = ["c00", "c01", "c02"].map(|container| held_of(&live, container).0 > 0);
    assert_eq!(held, [true, false, true]);
}

#[tokio::test]
async fn whoever_lets_go_of_an_account_may_be_within_a_runtime() {
    let (live, _) = live();
    drop(live);
}

#[test]
fn a_role_on_one_container_is_no_loss_of_everything() {
    let account = Inquiry::account(Kind::Account);
    let all = Target::default();
    let one = Target {
        database: Some("shop".to_owned()),
        container: Some("orders".to_owned()),
        ..Target::default()
    };
    assert!(is_everything(&all, &account, Obstacle::Forbidden));
    assert!(!is_everything(&one, &account, Obstacle::Forbidden));
    assert!(is_everything(&one, &account, Obstacle::SignIn));
}

#[test]
fn distributions_hold_no_round_up_and_stay_with_their_account() {
    let (live, reported) = live();
    reported.is_managed.store(true, Ordering::SeqCst);
    let there = || {
        let access = live.ledger().access();
        let of_kind = access.iter().find(|access| access.kind == Kind::Distribution);
        of_kind.map_or(0, |access| access.answered)
    };
    let requested = || reported.distributions.load(Ordering::SeqCst) as u64;
    let wait_for = |seen: &dyn Fn() -> u64, count: u64| {
        for _ in 0..5_000 {
            if seen() >= count {
                break;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        assert_eq!(seen(), count);
    };
    assert_eq!(visit(&live, &Watch::default()), Ok(RoundEnd::Whole));
    assert_eq!(visit(&live, &Watch::default()), Ok(RoundEnd::Whole));
    wait_for(&requested, 6);
    assert_eq!(there(), 0, "each is requested once and not answered");
    reported.may_distribute.store(true, Ordering::SeqCst);
    wait_for(&there, 6);
    reported.may_distribute.store(false, Ordering::SeqCst);
    assert_eq!(visit(&live, &Watch::default()), Ok(RoundEnd::Whole));
    wait_for(&requested, 12);
    // Another account is opened before the next ones are answered.
    let endpoint = "https://other.documents.azure.com".to_owned();
    let other = Target { endpoint, ..Target::default() };
    let ended = live.visit(&other, Urgency::Due, &Watch::default(), &mut |_| {});
    assert_eq!(ended, Ok(RoundEnd::Whole));
    wait_for(&requested, 18);
    reported.may_distribute.store(true, Ordering::SeqCst);
    wait_for(&there, 6);
    std::thread::sleep(Duration::from_millis(20));
    assert_eq!(there(), 6, "none of the account before");
}
