//! A report made by hand: one hot partition, a gap, what was refused, and names that would like to be markup.

use crate::analysis::rules::Rule;
use std::sync::Arc;

use crate::analysis::ceiling::Ceiling;
use crate::analysis::demand::outcome::Interval;
use crate::analysis::demand::remedies::{AT_ONCE, NEW_CONTAINER, Remedy, RemedyEffect};
use crate::analysis::diagnosis::{Answers, Fact, Phrase, RemedyAnswer, Verdict};
use crate::analysis::findings::Severity;
use crate::analysis::heat::grid::{TrackStatistics, Window};
use crate::analysis::heat::keys::KeyShare;
use crate::analysis::heat::requests::WholeLoad;
use crate::analysis::heat::{Aggregate, Capacity, CapacityFrom, Measure, RangeName};
use crate::analysis::rows::Note;
use crate::model::key::{Key, Part};
use crate::model::load::RuKey;
use crate::model::names::ContainerName;
use crate::model::time::Stamp;

use super::scale::MapScale;
use super::{
    ContainerHeatRows, HashPlace, HeatMap, HeatReport, KeyHeat, KeyOf, MapRow, PartitionKeys,
    PartitionRow, Sources, ThresholdRow, TrackRow, VerdictRow,
};

/// 2026-06-22T02:00:00Z.
pub(crate) const START: i64 = 1_782_093_600;
const MINUTES: usize = 5;

/// What names and keys may hold.
pub(crate) const HOSTILE: [&str; 12] = [
    "<script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>",
    "' onload='alert(1)",
    "</title></text></svg></style></script><b>",
    "]]>--><!--",
    "&lt;b&gt;&#60;",
    "\u{1b}[2J\u{7}\r\n\0",
    "\u{202e}gnp\u{2066}.exe\u{200b}",
    "=cmd|'/c calc'!A0",
    "javascript:alert(1)",
    "url(http://127.0.0.1/x)",
    "``` | `x` [a](b)",
];

pub(crate) fn key_json(text: &str) -> Box<str> {
    Key::from(vec![Part::Text(text.into())]).json().into()
}

/// The story of the samples with `name` for every name in it.
pub(crate) fn report(name: &str) -> HeatReport {
    let region: Arc<str> = name.into();
    let track = |measure, step_s| TrackRow {
        measure,
        region: Some(Arc::clone(&region)),
        step_s,
        from: format!("from {name}"),
        span: Some((START, START + 300)),
    };
    let tracks = vec![
        track(Measure::NormalizedRu, 60),
        track(Measure::LoggedRu, 1),
        track(Measure::Throttled, 300),
        track(Measure::Requests, 300),
    ];
    HeatReport {
        as_of: Stamp::from_seconds(START + 300),
        ceiling: Ceiling::BINARY,
        containers: vec![ContainerHeatRows {
            name: ContainerName::new(Some(name), Some(name), Some(name)),
            resource_group: Some(name.into()),
            definition: None,
            ru_per_second: Some(24_000.0),
            whole: WholeLoad { requests: Some(288_662), ..WholeLoad::default() },
            now: None,
            verdicts: vec![verdict(name)],
            span: Some((START, START + 300)),
            tracks,
            sources: Sources { load: Some(0), ru: Some(1), throttled: Some(2), requests: Some(3) },
            partitions: vec![hot(name), unknown()],
            partitions_total: 4,
            physical: 4,
            map: Some(map(name, track(Measure::NormalizedRu, 60))),
            keys: vec![keys(name)],
            notes: vec![Note::new(format!("a note on {name}"))],
        }],
        price: None,
        thresholds: vec![ThresholdRow { name: "hot", value: 0.85, text: "85 %".to_owned() }],
        notes: vec![Note { source: Some(name.to_owned()), text: format!("quotes {name}") }],
    }
}

/// Two rows, the second of two partitions.
fn map(name: &str, track: TrackRow) -> HeatMap {
    HeatMap {
        track,
        window: Window { from: START, width_s: 60, columns: MINUTES },
        rows: vec![
            MapRow {
                partitions: vec![name.to_owned()],
                cells: vec![0.94, 1.0, 1.0, 1.2, 0.75],
                throttled: vec![f32::NAN, 0.0, 12.5, 12.5, f32::NAN],
                p99: Some(1.2),
            },
            MapRow {
                partitions: vec!["0".to_owned(), "1".to_owned()],
                cells: vec![0.24, 0.24, f32::NAN, f32::NAN, 0.07],
                throttled: vec![f32::NAN; MINUTES],
                p99: Some(0.24),
            },
        ],
        merged: 2,
        scale: MapScale::of(Measure::NormalizedRu, &[], 1.2),
        together: vec![0.94, 1.0, 1.0, f32::NAN, 0.75],
        along: Aggregate::Highest,
        throttled_step_s: Some(300),
        silent: 1,
    }
}

fn verdict(name: &str) -> VerdictRow {
    let answer = |says, why: &str| RemedyAnswer {
        effect: says,
        why: format!("{why} {name}"),
        how: Vec::new(),
        suffixes: None,
        adds_id: false,
    };
    VerdictRow {
        partition: Some(name.to_owned()),
        verdict: Verdict {
            rule: Rule::HotKey,
            severity: Severity::Alarm,
            partition: Some(3),
            region: Some(name.into()),
            key: Some(key_json(name).into()),
            headline: Phrase::plain("partition 3 at 100 % · ")
                .key(Some(key_json(name)))
                .and(" 98 % of its RU"),
            detail: Phrase::default(),
            evidence: vec![Fact {
                what: Phrase::plain("RU of ").key(Some(key_json(name))),
                value: format!("56,925 {name}"),
                from: format!("logged {name}"),
            }],
            answers: Answers {
                more_ru: answer(RemedyEffect::None, "29 % throttled now"),
                split: answer(RemedyEffect::Helps, "one key stays whole"),
                redistribute: answer(RemedyEffect::Fixes, "0 % handed out after the load"),
                new_key: answer(RemedyEffect::Fixes, "with ten suffixes 0 %"),
            },
            remedies: vec![
                Remedy {
                    name: "now".to_owned(),
                    words: format!("now, of RU, {name}"),
                    ..Remedy::default()
                },
                Remedy {
                    name: "scale-up".to_owned(),
                    words: format!("48,000 RU/s {name}"),
                    ru_per_second: Some(48_000.0),
                    imbalance: Some(2.65),
                    takes: AT_ONCE,
                    ..Remedy::default()
                },
                Remedy {
                    name: "suffixes-10".to_owned(),
                    words: "the key with 10 suffixes (key.1 to key.10)".to_owned(),
                    throttled: Some(Interval::exact(0.0)),
                    takes: NEW_CONTAINER,
                    effect: RemedyEffect::Fixes,
                    ..Remedy::default()
                },
            ],
            since: Stamp::from_seconds(START),
            until: None,
            as_of: Stamp::from_seconds(START + 300),
            steps: vec![Phrase::plain(format!("az cosmosdb show --name {name}"))],
        },
    }
}

fn hot(name: &str) -> PartitionRow {
    PartitionRow {
        named: RangeName::Guid(name.to_owned()),
        guid: Some(name.to_owned()),
        min_inclusive: Some("22".to_owned()),
        max_exclusive: Some(name.to_owned()),
        parents: vec!["2".to_owned(), name.to_owned()],
        status: Some(name.to_owned()),
        capacity: Some(Capacity { ru_per_second: 6000.0, from: CapacityFrom::Reported }),
        kib: Some(24_862_000.0),
        standing: Some(TrackStatistics {
            highest: 1.2,
            highest_at: START + 180,
            p99: 1.2,
            saturated_s: Some(180),
            steps: 5,
        }),
        gaps: Some(0),
        ru: Some(56_986.1),
        requests: Some(231_600.0),
        throttled: Some(41_000.0),
        forbidden: Some(2),
        busiest: Some((KeyOf::Named(key_json(name)), 0.979)),
    }
}

/// Nothing is told of it.
fn unknown() -> PartitionRow {
    PartitionRow {
        named: RangeName::Undefined,
        guid: None,
        min_inclusive: None,
        max_exclusive: None,
        parents: Vec::new(),
        status: None,
        capacity: None,
        kib: None,
        standing: None,
        gaps: None,
        ru: None,
        requests: None,
        throttled: None,
        forbidden: None,
        busiest: None,
    }
}

fn keys(name: &str) -> PartitionKeys {
    let load = |ru, share| KeyShare {
        key: RuKey::NotReported,
        ru,
        records: 9,
        share,
        peak_ru_per_second: ru / 10.0,
        peak_at: Some(START + 9),
        first: Some(START),
        last: Some(START + 9),
        since: Some(START + 1),
    };
    PartitionKeys {
        partition: name.to_owned(),
        region: Some(name.into()),
        keys: vec![
            KeyHeat {
                key: KeyOf::Named(key_json(name)),
                load: load(56_925.0, 0.979),
                size: Some((18_874_368.0, 0.9)),
                place: Some(HashPlace {
                    partition: "4".to_owned(),
                    how: "computed from its hash",
                    agrees: false,
                }),
            },
            KeyHeat { key: KeyOf::NotReported, load: load(61.2, 0.001), size: None, place: None },
        ],
        keys_total: 12,
        has_others: false,
    }
}
