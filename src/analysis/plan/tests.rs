//! Routes, readiness and steps of keys of each sort.
#![expect(clippy::panic, clippy::unwrap_used, reason = "a test may panic")]

use super::super::migration::Facts;
use super::super::migration::tests::busy_tenants;
use super::super::suffix::tests::{documents, parsed, trials};
use super::super::trial::Trials;
use super::super::trial::verdict::{RoutedTrial, verdicts};
use super::facts::{ThroughputForm, WriteSource};
use super::readiness::Presence;
use super::routes::{Feasibility, catch_up, enough, recommended, routes};
use super::*;
use crate::model::account::{Account, Setting};
use crate::model::capture::Capture;
use crate::model::client::{Client, ClientSum};
use crate::model::load::{Load, RequestRecord};
use crate::model::physical::TimeToLive;
use crate::model::time::Stamp;

/// Four tenants of which the first has most documents.
fn tried(settings: Settings) -> Trials {
    let row = |n: usize| {
        let tenant = if n % 10 < 9 { 0 } else { n % 4 };
        let cells = [format!("t{tenant}"), format!("u{}", n % 40), n.to_string()];
        (cells.to_vec(), 4 * 1_024)
    };
    trials(documents(&["t", "u", "id"], (0..400).map(row)), settings)
}

fn settings() -> Settings {
    Settings { ru_per_second: Some(400.0), partitions: 1, ..Settings::default() }
}

fn known() -> Facts {
    Facts {
        merge_enabled: Some(false),
        local_auth_disabled: Some(false),
        lifetime: Some(TimeToLive::Off),
        unique_keys: Some(false),
    }
}

fn way(key: &str, settings: Settings, facts: Facts) -> Migration {
    let trials = tried(settings);
    let trial = trials.trial(&parsed(key));
    Migration::of(&trials, &trial, Some(&parsed("/t")), facts)
}

/// Without a verdict on today's key, which so few documents do not need to leave.
fn plan(key: &str, facts: &PlanFacts) -> MovePlan {
    plan_from("/t", key, facts)
}

/// With the same key today and tomorrow it is judged for both.
fn plan_from(today: &str, key: &str, facts: &PlanFacts) -> MovePlan {
    let trials = tried(settings());
    let trial = trials.trial(&parsed(key));
    let migration = Migration::of(&trials, &trial, Some(&parsed(today)), known());
    let verdict = judged(&trials, &trial);
    let new = JudgedKey { trial: &trial, routed: &[], verdict: &verdict };
    let today = (today == key).then_some(new);
    MovePlan::of(today, new, &migration, facts, trials.settings())
}

fn judged(trials: &Trials, trial: &Trial) -> KeyVerdict {
    let routed = [RoutedTrial { trial, routed: &[] }];
    verdicts(&routed, trials.settings()).remove(0)
}

const fn rate(per_second: f64) -> WriteRate {
    WriteRate { per_second, source: WriteSource::Logs }
}

#[test]
fn a_backlog_shrinks_by_what_is_copied_and_grows_by_what_is_written() {
    // 1,000 documents in an hour without writes; half as many are written: twice the time.
    let hours = |writes: f64| catch_up(1.0, 1_000.0, writes / 3_600.0);
    assert_eq!(hours(0.0), Some(1.0));
    let Some(twice) = hours(500.0) else {
        panic!("it catches up");
    };
    assert!((twice - 2.0).abs() < 1e-9);
    // Simulated: in each second as much is copied as can be.
    let (mut left, mut seconds) = (1_000.0_f64, 0.0);
    while left > 0.0 {
        left += 500.0 / 3_600.0 - 1_000.0 / 3_600.0;
        seconds += 1.0;
    }
    assert!((twice * 3_600.0 - seconds).abs() <= 1.0, "{seconds}");
    for writes in [1_000.0, 1_001.0, 1e9] {
        assert_eq!(hours(writes), None, "{writes}");
    }
}

fn feasible(way: &Migration, writes: Option<WriteRate>) -> [Feasibility; 5] {
    let all = routes(way, writes);
    RouteKind::ALL.map(|kind| all.iter().find(|r| r.kind == kind).unwrap().feasibility)
}

#[test]
fn copy_jobs_have_their_limits() {
    use Feasibility::{NotPossible, Possible, Unknown};
    let large = |stored: f64, ru: f64| Settings {
        stored_bytes: Some(stored),
        ru_per_second: Some(ru),
        partitions: 200,
        ..Settings::default()
    };
    let merging = Facts { merge_enabled: Some(true), ..known() };
    for (key, settings, facts, offline, online) in [
        ("/u", settings(), known(), Possible, Unknown),
        ("/u", settings(), Facts::default(), Unknown, Unknown),
        ("/u", settings(), merging, NotPossible, NotPossible),
        ("/t + \"-\" + /u", settings(), known(), NotPossible, NotPossible),
        ("/t + \".\" + random(4)", settings(), known(), NotPossible, NotPossible),
        ("/u", large(4.0 * 1_099_511_627_776.0, 9e5), known(), Possible, NotPossible),
        ("/u", large(4e12, 9e5), known(), Possible, Unknown),
        ("/u", large(4e12, 1e6), known(), Possible, NotPossible),
    ] {
        let [off, on, feed, ..] = feasible(&way(key, settings, facts), None);
        assert_eq!([off, on, feed], [offline, online, Possible], "{key}");
    }
}

#[test]
fn writes_that_outrun_the_copy_have_to_stop() {
    use Feasibility::{NotPossible, Possible, Unknown};
    let way = way("/u", settings(), known());
    // 400 documents: 10 seconds without an index, 20 with all indexed.
    let [low, high] = way.cost.hours.unwrap().map(|hours| 400.0 / hours / 3_600.0);
    assert!((low - 40.0).abs() < 1e-6 && (high - 20.0).abs() < 1e-6);
    let at = |writes| feasible(&way, Some(rate(writes)));
    assert_eq!(at(19.0), [Possible, Unknown, Possible, Possible, Possible]);
    assert_eq!(at(20.0), [Possible, Unknown, Unknown, Possible, Unknown]);
    let never = [Possible, NotPossible, NotPossible, Possible, NotPossible];
    assert_eq!(at(40.0), never);
    let all = routes(&way, Some(rate(40.0)));
    let said = all[1].why.join("\n");
    assert!(said.starts_with("never catches up: 40 documents/s copied, 40 written"), "{said}");
    assert_eq!((all[1].time_text().as_str(), all[1].ru), ("never", None));
    // In a day: all documents and its writes, each at 20 RU.
    let ru = enough(&way, Some(rate(40.0))).unwrap();
    assert!((ru - 900.0).abs() < 1e-9, "{ru}");
    let caught = routes(&way, Some(rate(10.0)));
    let Some(hours) = caught[1].time.unwrap()[1] else {
        panic!("it catches up");
    };
    assert!((hours * 3_600.0 - 40.0).abs() < 1e-6);
    // Twice as many documents are copied in the end.
    let [_, once] = way.cost.write_ru.map(|ru| ru + way.cost.read_ru);
    assert!((caught[1].ru.unwrap()[1] / once - 2.0).abs() < 1e-9);
}

#[test]
fn the_simplest_route_that_is_open_is_recommended() {
    let kind = |key: &str, facts: Facts, hours: f64, writes: Option<WriteRate>| {
        let mut way = way(key, settings(), facts);
        way.cost.hours = Some([hours / 2.0, hours]);
        recommended(&way, writes, &routes(&way, writes)).map(|(kind, _)| kind)
    };
    let merging = Facts { merge_enabled: Some(true), ..known() };
    for (key, facts, hours, writes, expected) in [
        ("/u", known(), 0.5, 0.0, Some(RouteKind::CopyOffline)),
        ("/u", known(), 5.0, 0.001, Some(RouteKind::CopyOnline)),
        ("/u", merging, 5.0, 0.001, Some(RouteKind::ChangeFeed)),
        ("/t + /u", known(), 0.5, 0.001, Some(RouteKind::ChangeFeed)),
        ("/u", known(), 5.0, 1e6, Some(RouteKind::CopyOffline)),
        ("/t + /u", known(), 5.0, 1e6, Some(RouteKind::Export)),
        ("/t", known(), 5.0, 0.0, None),
        ("/nowhere", known(), 5.0, 0.0, None),
    ] {
        assert_eq!(kind(key, facts, hours, Some(rate(writes))), expected, "{key} {hours} {writes}");
    }
}

/// Request logs of two days in which these programs sent 1,000 requests each, of which a tenth were writes.
fn capture(agents: &[&str], set: &[(Setting, bool)]) -> Capture {
    let mut load = Load::default();
    for (at, operation, requests) in [(0, "Read", 900), (172_740, "Create", 100)] {
        load.add_request(&RequestRecord {
            container: 0,
            region: 0,
            partition: "0",
            operation,
            status: 200,
            span_s: 60,
            at: Stamp::from_seconds(at),
            requests,
            ru: 0.0,
            duration_ms: 0.0,
            mark: None,
        });
    }
    for agent in agents {
        let each = ClientSum { requests: 1_000, ..ClientSum::default() };
        load.add_client(0, Client::parse(agent).unwrap(), each);
    }
    let name = crate::model::names::ContainerName::new(Some("a"), Some("d"), Some("c"));
    let container = crate::model::capture::Container {
        name,
        lifetime: Some(TimeToLive::On { default_seconds: Some(60) }),
        ..Default::default()
    };
    Capture {
        containers: vec![container],
        load,
        accounts: vec![Account::new(Some("a"), set.to_vec(), Vec::new())],
        ..Capture::default()
    }
}

#[test]
fn programs_are_ready_for_levels_by_their_versions() {
    for (agent, presence, said) in [
        (
            "cosmos-netstandard-sdk/3.31.0|1|X64|Linux|.NET 8|N|F 0|shop-api|",
            Presence::Found,
            ".NET 3.31.0 (shop-api): upgrade to 3.33.0 or newer first; 500 requests a day",
        ),
        (
            "cosmos-netstandard-sdk/3.35.0|1|X64|Linux|.NET 8|N|F 0|",
            Presence::NotFound,
            ".NET 3.35.0: new enough; 500 requests a day",
        ),
        (
            "documentdb-netcore-sdk/2.10.0",
            Presence::Found,
            ".NET 2 2.10.0: move to .NET 3 first; 500 requests a day",
        ),
        (
            "azsdk-go-azcosmos/v1.0.2",
            Presence::Unknown,
            "Go 1.0.2: no version with hierarchical keys is documented; try it; 500 requests a day",
        ),
        ("curl/8.0", Presence::Unknown, "curl/8.0: no version with"),
    ] {
        let facts = PlanFacts::of(&capture(&[agent], &[]), 0);
        let checks = plan("/t > /u", &facts).readiness;
        let found = checks.iter().find(|c| c.name == "sdk-levels").unwrap();
        assert_eq!(found.presence, presence, "{agent}");
        assert!(found.evidence.starts_with(said), "{}", found.evidence);
        // A key of one level needs no version.
        let checks = plan("/u", &facts).readiness;
        assert!(checks.iter().all(|c| c.name != "sdk-levels"));
    }
    let unknown = plan("/t > /u", &PlanFacts::default()).readiness;
    assert_eq!(unknown[0].presence, Presence::Unknown);
    assert!(unknown[0].evidence.starts_with("no request log"));
}

#[test]
fn what_inputs_show_is_evidence_and_what_they_do_not_is_not_told() {
    let presence = |facts: &PlanFacts, name: &str| {
        let checks = plan("/t > /u", facts).readiness;
        checks.iter().find(|c| c.name == name).unwrap().presence
    };
    let set = [(Setting::MergeEnabled, true), (Setting::NoKeys, false)];
    let facts = PlanFacts::of(&capture(&["azsdk-java-cosmos-spark/4.30.0"], &set), 0);
    let nothing = PlanFacts::default();
    for (name, with, without) in [
        ("merge", Presence::Found, Presence::Unknown),
        ("key-sign-in", Presence::NotFound, Presence::Unknown),
        ("api", Presence::Unknown, Presence::Unknown),
        ("connectors", Presence::Found, Presence::Unknown),
        ("backup", Presence::Unknown, Presence::Unknown),
        ("time-to-live", Presence::Found, Presence::Unknown),
        ("unique-keys", Presence::Unknown, Presence::Unknown),
        ("id-collisions", Presence::NotFound, Presence::NotFound),
        ("transactions", Presence::Found, Presence::Found),
    ] {
        assert_eq!(presence(&facts, name), with, "{name}");
        assert_eq!(presence(&nothing, name), without, "{name}");
    }
    for (signed_in, by_token, is_periodic, [tokens, backup]) in
        [(5, 1, true, [Presence::Found; 2]), (5, 0, false, [Presence::NotFound; 2])]
    {
        let set = [(Setting::PeriodicBackup, is_periodic)];
        let mut known = capture(&[], &set);
        let agent = Client::parse("curl/8.0").unwrap();
        let of_client = ClientSum {
            requests: 5,
            signed_in,
            by_resource_token: by_token,
            ..ClientSum::default()
        };
        known.load.add_client(0, agent, of_client);
        let facts = PlanFacts::of(&known, 0);
        assert_eq!(presence(&facts, "prefix-permissions"), tokens);
        assert_eq!(presence(&facts, "backup"), backup);
    }
    assert_eq!(presence(&nothing, "prefix-permissions"), Presence::Unknown);
    // 100 of 1,000 requests in two days.
    assert!((facts.writes_per_second.unwrap() - 100.0 / 172_800.0).abs() < 1e-12);
    assert_eq!(nothing.writes_per_second, None);
}

#[test]
fn a_good_key_stays_and_steps_follow_the_route() {
    let same = plan_from("/u", "/u", &PlanFacts::default());
    assert_eq!(same.advice.word(), "keep");
    assert!(same.routes.is_empty() && same.steps.is_empty());
    let absent = plan("/nowhere", &PlanFacts::default());
    assert_eq!(absent.advice.word(), "no plan");
    let moved = plan("/t + \".\" + bucket(/id, 4)", &PlanFacts::default());
    assert_eq!(moved.route().map(|route| route.kind), Some(RouteKind::ChangeFeed));
    let steps = moved.steps.join("\n");
    assert!(steps.contains("key computed by the key builder"), "{steps}");
    assert!(steps.contains("400 today"), "{steps}");
    let at = |what: &str| steps.find(what).unwrap();
    assert!(at("Create the new") < at("Compare") && at("Compare") < at("Switch reads"));
    let paths: Vec<String> = moved.container.paths.iter().map(ToString::to_string).collect();
    assert_eq!((paths, moved.container.kind()), (vec!["/partitionKey".to_owned()], "Hash"));
}

/// A container on few partitions is raised before it takes the load, and the copy goes on meanwhile.
#[test]
fn a_small_beginning_is_raised_before_the_switch() {
    let trials = busy_tenants();
    let trial = trials.trial(&parsed("/t > /u"));
    let way = Migration::of(&trials, &trial, Some(&parsed("/t")), known());
    assert!(way.created_with.is_some());
    let [_, most] = way.cost.hours.unwrap().map(|hours| 5_000.0 / hours / 3_600.0);
    let writes = Some(rate(most * 1.5));
    let all = routes(&way, writes);
    let time = |kind| all.iter().find(|r| r.kind == kind).unwrap().time.unwrap()[1];
    assert_eq!(time(RouteKind::DualWrite), None);
    assert!(time(RouteKind::ChangeFeed) > way.cost.hours.map(|[_, high]| high));
    let facts = PlanFacts { throughput: Some(ThroughputForm::Manual), ..PlanFacts::default() };
    let container = NewContainer::of(&way, &facts, trials.settings().ru_per_second);
    let route = all.iter().find(|r| r.kind == RouteKind::ChangeFeed).unwrap();
    let steps = steps::steps(route, (&way, &container, None), &trial, SourceState::Calm).join("\n");
    let at = |what: &str| steps.find(what).unwrap();
    assert!(at("Raise the new container") < at("Let it catch up"), "{steps}");
    assert!(at("Let it catch up") < at("Switch reads"), "{steps}");
}
