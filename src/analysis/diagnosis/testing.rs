//! A verdict made by hand, and containers with load to be diagnosed.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use crate::analysis::ceiling::Ceiling;
use crate::analysis::columns::Lookups;
use crate::analysis::heat::Heat;
use crate::model::account::{Account, Setting};
use crate::model::capture::{Capture, CaptureBuilder};
use crate::model::key::{KeyDefinition, KeyKind, KeyVersion};
use crate::model::layout::Layout;
use crate::model::load::{Limited, RequestRecord, RuLog, RuRecord, RuSummed, SeriesName};
use crate::model::names::ContainerName;
use crate::model::physical::{ContainerFacts, PhysicalPartition, Throughput, ThroughputSettings};
use crate::model::sample::{Sample, SampleTime, Trust};
use crate::model::time::Stamp;

use super::thresholds::Thresholds;
use super::{Answers, Diagnoses, Diagnosis, Fact, Phrase, RemedyAnswer, Severity, Verdict};
use crate::analysis::demand::remedies::RemedyEffect;
use crate::analysis::rules::Rule;

/// The first second of every load.
pub const START: i64 = 1_782_093_600;

/// One container whose partitions divide the hash space evenly; what is told of it is added step by step.
pub struct DiagnosisFixture {
    builder: CaptureBuilder,
    layout: Layout,
    partitions: Vec<PhysicalPartition>,
    ru: Option<f64>,
    number: u32,
    seconds: i64,
    is_autoscale: bool,
}

pub fn definition() -> KeyDefinition {
    KeyDefinition {
        paths: vec!["/tenantId".to_owned()],
        kind: KeyKind::Hash,
        version: KeyVersion::V2,
    }
}

fn name() -> ContainerName {
    ContainerName::new(Some("northpier-prod"), Some("shop"), Some("orders"))
}

fn guid(at: usize) -> String {
    format!("0000a{at:03}-0000-4000-8000-00000000a{at:03}")
}

impl DiagnosisFixture {
    /// `ru` over so many partitions; load lasts so many seconds.
    pub fn new(ru: Option<f64>, partitions: usize, seconds: i64) -> Self {
        let layout = Layout::even(partitions, &definition());
        let builder = CaptureBuilder::new(5);
        let number = builder.container(&name()).unwrap();
        builder.region("").unwrap();
        let partition = |(at, span): (usize, &crate::model::layout::Span)| {
            let mut partition = PhysicalPartition::new(&at.to_string());
            partition.guid = Some(guid(at));
            partition.min_inclusive = Some(span.min.to_string());
            partition.max_exclusive = Some(span.max.to_string());
            partition
        };
        let described = layout.spans().iter().enumerate().map(partition).collect();
        Self { builder, partitions: described, layout, ru, number, seconds, is_autoscale: false }
    }

    pub fn partition(
        &mut self,
        at: usize,
        change: impl FnOnce(&mut PhysicalPartition),
    ) -> &mut Self {
        change(self.partitions.get_mut(at).unwrap());
        self
    }

    pub fn owner(&self, key: &str) -> usize {
        let hash = crate::model::layout::tests::hash(key);
        self.layout.owner(&hash).unwrap()
    }

    /// RU/s of a text key where its hash lies, each second; an empty key names none and goes to the partition given.
    pub fn logged(
        &mut self,
        key: &str,
        operation: &str,
        at: usize,
        ru_per_second: f64,
    ) -> &mut Self {
        for second in START..START + self.seconds {
            self.logged_at(key, operation, at, second, ru_per_second);
        }
        self
    }

    /// The same in a region of its own.
    pub fn logged_in(&mut self, region: &str, key: &str, ru_per_second: f64) -> &mut Self {
        let region = self.builder.region(region).unwrap();
        let at = self.owner(key);
        for second in START..START + self.seconds {
            self.builder.load(|load| {
                load.add_ru(&RuRecord {
                    container: self.number,
                    log: RuLog::OwnTable,
                    region,
                    range: &at.to_string(),
                    key: &format!("[\"{key}\"]"),
                    operation: "Read",
                    at: Stamp::from_seconds(second),
                    ru: ru_per_second,
                    mark: None,
                })
            });
        }
        self
    }

    pub fn logged_at(
        &mut self,
        key: &str,
        operation: &str,
        at: usize,
        second: i64,
        ru: f64,
    ) -> &mut Self {
        let canonical = if key.is_empty() || key.starts_with('[') {
            key.to_owned()
        } else {
            format!("[\"{key}\"]")
        };
        self.builder.load(|load| {
            load.add_ru(&RuRecord {
                container: self.number,
                log: RuLog::OwnTable,
                region: 0,
                range: &at.to_string(),
                key: &canonical,
                operation,
                at: Stamp::from_seconds(second),
                ru,
                mark: None,
            })
        });
        self
    }

    /// RU/s of keys that are too small to be listed, each second.
    pub fn of_small_keys(&mut self, operation: &str, at: usize, ru_per_second: f64) -> &mut Self {
        for second in START..START + self.seconds {
            let record = RuRecord {
                container: self.number,
                log: RuLog::OwnTable,
                region: 0,
                range: &at.to_string(),
                key: "",
                operation,
                at: Stamp::from_seconds(second),
                ru: ru_per_second,
                mark: None,
            };
            let summed = RuSummed { of_others: true, ..RuSummed::SINGLE };
            self.builder.load(|load| load.add_summed_ru(&record, summed));
        }
        self
    }

    /// RU of one second by any log; `key` is canonical.
    pub fn logged_by(
        &mut self,
        log: RuLog,
        key: &str,
        operation: &str,
        at: u32,
        second: u32,
        ru: f64,
    ) {
        self.builder.load(|load| {
            load.add_ru(&RuRecord {
                container: self.number,
                log,
                region: 0,
                range: &at.to_string(),
                key,
                operation,
                at: Stamp::from_seconds(START + i64::from(second)),
                ru,
                mark: None,
            })
        });
    }

    pub fn requested(&mut self, key: &str, ru_per_second: f64) -> &mut Self {
        let at = self.owner(key);
        self.logged(key, "Create", at, ru_per_second)
    }

    /// `NormalizedRUConsumption` in percent, by partition, each minute.
    pub fn metric(&mut self, percent: &[f64]) -> &mut Self {
        for (at, percent) in percent.iter().enumerate() {
            for minute in (START..START + self.seconds).step_by(60) {
                self.metric_at(at, minute, *percent);
            }
        }
        self
    }

    pub fn metric_at(&mut self, at: usize, minute: i64, percent: f64) {
        let series = SeriesName {
            metric: "NormalizedRUConsumption".to_owned(),
            unit: "Percent".to_owned(),
            aggregation: "maximum".to_owned(),
            container: self.number,
            dimensions: vec![("partitionkeyrangeid".to_owned(), at.to_string())],
        };
        let minute = Stamp::from_seconds(minute).unwrap();
        self.builder.load(|load| load.add_point(&series, minute, percent));
    }

    /// Requests to a partition in a total of five minutes, in all and refused.
    pub fn requests(
        &mut self,
        at: usize,
        operation: &str,
        all: u64,
        throttled: u64,
        ru: f64,
    ) -> &mut Self {
        self.requests_at(at, operation, (START, 300), all, throttled, ru)
    }

    /// The same from a second on over a span, which is 0 for single requests.
    pub fn requests_at(
        &mut self,
        at: usize,
        operation: &str,
        (second, span_s): (i64, u32),
        all: u64,
        throttled: u64,
        ru: f64,
    ) -> &mut Self {
        for (status, requests, ru) in [(200, all - throttled, ru), (429, throttled, 0.0)] {
            self.answered(at, operation, (second, span_s), status, (requests, ru));
        }
        self
    }

    /// Requests to a partition with a status, and what they cost.
    pub fn answered(
        &mut self,
        at: usize,
        operation: &str,
        (second, span_s): (i64, u32),
        status: u16,
        (requests, ru): (u64, f64),
    ) -> &mut Self {
        self.builder.load(|load| {
            load.add_request(&RequestRecord {
                container: self.number,
                region: 0,
                partition: &guid(at),
                operation,
                status,
                span_s,
                at: Stamp::from_seconds(second),
                requests,
                ru,
                duration_ms: 1.0,
                mark: None,
            })
        });
        self
    }

    /// `TotalRequests` of a minute by status and one more dimension.
    pub fn total_requests(
        &mut self,
        dimensions: &[(&str, &str)],
        minute: i64,
        requests: f64,
    ) -> &mut Self {
        let named = dimensions.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned()));
        let series = SeriesName {
            metric: "TotalRequests".to_owned(),
            unit: "Count".to_owned(),
            aggregation: "count".to_owned(),
            container: self.number,
            dimensions: named.collect(),
        };
        let at = Stamp::from_seconds(START + minute * 60).unwrap();
        self.builder.load(|load| load.add_point(&series, at, requests));
        self
    }

    /// The container scales up to its RU/s by itself.
    pub fn autoscale(&mut self) -> &mut Self {
        self.is_autoscale = true;
        self
    }

    /// What the request log says of its 429s.
    pub fn limited(&mut self, found: Limited) -> &mut Self {
        let number = self.number;
        self.builder.load(|load| load.add_limited(number, found));
        self
    }

    /// Sizes of a key, one a week up to the start of the load.
    pub fn stores(&mut self, key: &str, gib_by_week: &[f64]) -> &mut Self {
        for (back, gib) in (0_i64..).zip(gib_by_week.iter().rev()) {
            let at = Stamp::from_seconds(START - back * 7 * 86_400);
            let sample = Sample { when: SampleTime::new(at, Trust::Exact), kib: gib * 1_048_576.0 };
            let cell = if key.starts_with('[') { key.to_owned() } else { format!("[\"{key}\"]") };
            let mut batch = self.builder.sizes().batch();
            batch.push_cell(self.number, 0, cell.as_bytes(), sample);
            self.builder.sizes().apply(&mut batch, 0);
        }
        self
    }

    /// The account is set so.
    pub fn account(&mut self, setting: Setting) -> &mut Self {
        let reported = vec![(setting, true)];
        let account = Account::new(name().account.as_deref(), reported, Vec::new());
        self.builder.account(account, 0);
        self
    }

    pub fn diagnosis(&mut self) -> Diagnosis {
        self.with(&Thresholds::default())
    }

    pub fn with(&mut self, limits: &Thresholds) -> Diagnosis {
        let capture = self.capture();
        let heat = Heat::of(&capture);
        let lookups = Lookups::of(&capture, Ceiling::BINARY);
        let mut all = Diagnoses::of(&capture, &heat, &lookups, limits);
        std::mem::take(all.containers.get_mut(self.number as usize).unwrap())
    }

    pub fn capture(&mut self) -> Capture {
        let partitions = std::mem::take(&mut self.partitions);
        let throughput = self.ru.map(|ru_per_second| ThroughputSettings {
            throughput: if self.is_autoscale {
                Throughput::Autoscale { maximum: ru_per_second, now: None }
            } else {
                Throughput::Manual { ru_per_second }
            },
            minimum: None,
            instant_maximum: None,
            key_cap: None,
        });
        let facts = ContainerFacts {
            name: name(),
            definition: Some(definition()),
            throughput,
            partitions,
            ..ContainerFacts::default()
        };
        self.builder.facts(facts, "", 0);
        let pending = self.builder.settle(None);
        self.builder.apply_pending(&pending);
        std::mem::replace(&mut self.builder, CaptureBuilder::new(5)).finish()
    }
}

impl Diagnosis {
    pub(crate) fn rules(&self) -> Vec<&'static str> {
        self.verdicts.iter().map(|v| v.rule.name()).collect()
    }

    #[track_caller]
    pub(crate) fn verdict(&self, rule: &str) -> &Verdict {
        let mut verdicts = self.verdicts.iter();
        let found = verdicts.find(|v| v.rule.name() == rule);
        assert!(found.is_some(), "no {rule} among {:?}", self.rules());
        found.unwrap()
    }
}

impl Verdict {
    pub(crate) fn headline_text(&self) -> String {
        self.headline.text(|key| key.unwrap_or("no key").to_owned())
    }

    pub(crate) fn line(&self) -> String {
        let said = if self.detail.is_empty() { &self.headline } else { &self.detail };
        said.text(|key| key.unwrap_or("no key").to_owned())
    }

    pub(crate) fn says(&self) -> [&'static str; 4] {
        let answers = &self.answers;
        [&answers.more_ru, &answers.split, &answers.redistribute, &answers.new_key]
            .map(|a| a.effect.word())
    }

    pub(crate) fn throttled(&self, row: &str) -> f64 {
        let mut rows = self.remedies.iter();
        let row = rows.find(|w| w.name == row).unwrap();
        row.throttled.unwrap().point
    }
}

/// `tenant-0001` on the third partition, as the samples have it.
pub fn verdict() -> Verdict {
    let key = || Some(r#"["tenant-0001"]"#.into());
    Verdict {
        rule: Rule::HotKey,
        severity: Severity::Alarm,
        partition: Some(0),
        region: Some("West Europe".into()),
        key: Some(r#"["tenant-0001"]"#.to_owned()),
        headline: Phrase::default().key(key()).and("  98 % of partition 3  since 02:00 (9 s)"),
        detail: Phrase::plain("partition 3 at 100 % · ").key(key()).and(" takes it"),
        evidence: vec![
            Fact {
                what: Phrase::plain("p99"),
                value: "100 %".to_owned(),
                from: "metric NormalizedRUConsumption, 60 s".to_owned(),
            },
            Fact {
                what: Phrase::plain("in it ").key(key()),
                value: "5,872.5 RU/s".to_owned(),
                from: "RU log".to_owned(),
            },
        ],
        answers: Answers {
            more_ru: RemedyAnswer::new(RemedyEffect::None, "5 % stay throttled"),
            split: RemedyAnswer::new(RemedyEffect::Helps, "better"),
            redistribute: RemedyAnswer::new(RemedyEffect::Fixes, "1 %"),
            new_key: RemedyAnswer::new(RemedyEffect::Fixes, "0 %"),
        },
        remedies: Vec::new(),
        since: Stamp::from_seconds(1_782_093_600),
        until: None,
        as_of: Stamp::from_seconds(1_782_093_900),
        steps: Vec::new(),
    }
}
