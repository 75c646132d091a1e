//! An account of one large container: what a refresh takes from its answers to the frame, with and without history.

use std::time::{Duration, Instant};

use cosmoscope::model::time::Stamp;
use cosmoscope::source::answers::{Answer, Inquiry, Kind, Observation};
use cosmoscope::source::ledger::Ledger;
use cosmoscope::source::live::target::Target;
use cosmoscope::source::watch::Watch;
use cosmoscope::ui::app::App;
use cosmoscope::ui::app::update::open;
use cosmoscope::ui::kit::msg::Msg;
use cosmoscope::work::data::Origin;

use super::{Screens, print};

const PARTITIONS: u64 = 1_000;
const KEYS_IN_EACH: u64 = 100;
/// 2026-06-22T02:00:00Z.
const START: i64 = 1_782_093_600;
const MINUTES: i64 = 10;

fn answer(kind: Kind, minute: i64, body: String) -> Observation {
    Observation::Answer(Answer {
        at: Stamp::from_seconds(START + minute * 60).unwrap(),
        inquiry: Inquiry::container(kind, "shop", "orders"),
        body: body.into_bytes().into(),
        ru: Some(2.0),
    })
}

/// A container read with a hundred keys of each of a thousand partitions.
fn statistics(minute: i64) -> Observation {
    let grown = u64::try_from(minute).unwrap();
    let partitions: Vec<String> = (0..PARTITIONS)
        .map(|id| {
            let keys: Vec<String> = (0..KEYS_IN_EACH)
                .map(|key| {
                    let kib = 100_000 + (id * 7919 + key * 104_729) % 9_000_000 + grown;
                    format!(r#"{{"partitionKey":["tenant-{id:04}-{key:03}"],"sizeInKB":{kib}}}"#)
                })
                .collect();
            format!(
                r#"{{"id":"{id}","sizeInKB":20000000,"documentCount":1000000,"sampledDistinctPartitionKeyCount":5,"partitionKeys":[{}]}}"#,
                keys.join(",")
            )
        })
        .collect();
    let body = format!(
        r#"{{"id":"orders","_rid":"a","partitionKey":{{"paths":["/tenantId"],"kind":"Hash","version":2}},"statistics":[{}]}}"#,
        partitions.join(",")
    );
    answer(Kind::Container, minute, body)
}

fn ranges(minute: i64) -> Observation {
    let each: Vec<String> = (0..PARTITIONS)
        .map(|id| {
            let bound = |n: u64| match n {
                0 => String::new(),
                PARTITIONS => "FF".to_owned(),
                n => format!("{:032X}", (0x40_u128 << 120) / u128::from(PARTITIONS) * u128::from(n)),
            };
            format!(
                r#"{{"id":"{id}","minInclusive":"{}","maxExclusive":"{}","throughputFraction":0.001,"status":"online","parents":[]}}"#,
                bound(id),
                bound(id + 1)
            )
        })
        .collect();
    answer(Kind::Ranges, minute, format!(r#"{{"PartitionKeyRanges":[{}]}}"#, each.join(",")))
}

fn refresh(screens: &mut Screens, ledger: &Ledger) -> Duration {
    let target =
        Target { endpoint: "https://contoso.documents.azure.com".to_owned(), ..Target::default() };
    let origin = Origin::Live(Box::new(target.clone()));
    // Without an account to ask the effect itself does nothing; its answer is made here.
    let generation = generation_of(&mut screens.app, origin);
    let begun = Instant::now();
    let data = screens.work.loader.watched(&target, ledger, &Watch::default());
    screens.send(Msg::Loaded(generation, data.unwrap()));
    screens.draw();
    begun.elapsed()
}

fn generation_of(app: &mut App, origin: Origin) -> cosmoscope::ui::kit::msg::Generation {
    open(app, origin);
    app.cx.loading.as_ref().unwrap().generation
}

pub fn run() {
    let mut screens = Screens::new();
    let mut ledger = Ledger::new("contoso");
    ledger.add(ranges(0));
    ledger.add(statistics(0));
    let first: Vec<Duration> = (0..5).map(|_| refresh(&mut screens, &ledger)).collect();
    print("refresh, 1,000 partitions, 100,000 keys", &first, "must 1 s");
    for minute in 1..MINUTES {
        ledger.add(ranges(minute));
        ledger.add(statistics(minute));
    }
    let later: Vec<Duration> = (0..5).map(|_| refresh(&mut screens, &ledger)).collect();
    print("the same after ten minutes", &later, "must 1 s");
}
