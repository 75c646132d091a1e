//! Small captures for tests: the imaginary account of the samples and whatever a test adds.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

use crate::model::capture::{Capture, CaptureBuilder, Grade, SourceInfo};
use crate::model::key::{KeyDefinition, KeyKind, KeyVersion};
use crate::model::names::ContainerName;
use crate::model::physical::{ContainerFacts, PhysicalPartition, TimeToLive};
use crate::model::sample::{Sample, SampleTime, Trust};
use crate::model::time::Stamp;

use super::rows::Report;
use super::summary::{Summary, SummaryOptions};

pub(crate) const GIB: f64 = 1_048_576.0;
/// 2026-06-22T02:10:41Z, the newest reading of the samples.
pub(crate) const NEWEST: i64 = 1_782_094_241;
pub(crate) const WEEK: i64 = 7 * 86_400;

pub(crate) fn seconds(seconds: i64) -> Stamp {
    Stamp::from_seconds(seconds).unwrap()
}

/// Collects readings into a capture.
pub(crate) struct Log {
    builder: CaptureBuilder,
    source: u16,
}

impl Log {
    pub fn new(path: &str) -> Self {
        let builder = CaptureBuilder::new(7);
        let info = SourceInfo {
            path: path.to_owned(),
            grade: Some(Grade::Logged),
            ..SourceInfo::default()
        };
        let source = builder.add_source(info);
        Self { builder, source }
    }

    pub fn source(&self, change: impl FnOnce(&mut SourceInfo)) {
        self.builder.update_source(self.source, change);
    }

    pub fn reading(
        &self,
        name: [&str; 3],
        key: &str,
        region: &str,
        at: Option<Stamp>,
        kib: f64,
    ) -> &Self {
        self.trusted(name, key, region, at, kib, Trust::Exact)
    }

    pub fn trusted(
        &self,
        name: [&str; 3],
        key: &str,
        region: &str,
        at: Option<Stamp>,
        kib: f64,
        trust: Trust,
    ) -> &Self {
        let known = |n| Some(n).filter(|n: &&str| !n.is_empty());
        let name = ContainerName::new(known(name[0]), known(name[1]), known(name[2]));
        let container = self.builder.container(&name).unwrap();
        let region = self.builder.region(region).unwrap();
        let mut batch = self.builder.sizes().batch();
        let when = SampleTime::new(at, trust);
        batch.push_cell(container, region, key.as_bytes(), Sample { when, kib });
        self.builder.sizes().apply(&mut batch, self.source);
        self
    }

    pub fn weeks(&self, name: [&str; 3], key: &str, region: &str, kib: &[f64]) -> &Self {
        for (back, kib) in (0_i64..).zip(kib.iter().rev()) {
            self.reading(name, key, region, Some(seconds(NEWEST - back * WEEK)), *kib);
        }
        self
    }

    pub fn definition(paths: &[&str]) -> KeyDefinition {
        let kind = if paths.len() > 1 { KeyKind::MultiHash } else { KeyKind::Hash };
        let paths = paths.iter().map(|p| (*p).to_owned()).collect();
        KeyDefinition { paths, kind, version: KeyVersion::V2 }
    }

    pub fn facts(&self, name: [&str; 3], paths: &[&str], partitions_kib: &[f64]) -> &Self {
        let partitions = partitions_kib.iter().enumerate().map(|(i, kib)| {
            let mut partition = PhysicalPartition::new(&i.to_string());
            partition.kib = Some(*kib);
            partition
        });
        let definition = Some(Self::definition(paths));
        self.add_facts(name, definition, partitions.collect())
    }

    /// Hash ranges by range id, and keys that partitions list.
    pub fn ranges(
        &self,
        name: [&str; 3],
        ranges: &[(&str, &str, &str)],
        listed: &[(&str, &str)],
    ) -> &Self {
        let partitions = ranges.iter().map(|(id, min, max)| {
            let mut partition = PhysicalPartition::new(id);
            partition.min_inclusive = Some((*min).to_owned());
            partition.max_exclusive = Some((*max).to_owned());
            let keys = listed.iter().filter(|(owner, _)| owner == id);
            partition.listed = keys.map(|(_, key)| ((*key).to_owned(), 9.0)).collect();
            partition
        });
        self.add_facts(name, None, partitions.collect())
    }

    /// How long documents of a container live.
    pub fn lifetime(&self, name: [&str; 3], set: TimeToLive) -> &Self {
        let facts = ContainerFacts {
            name: ContainerName::new(Some(name[0]), Some(name[1]), Some(name[2])),
            lifetime: Some(set),
            ..ContainerFacts::default()
        };
        self.builder.facts(facts, "lifetime.json", self.source);
        self
    }

    fn add_facts(
        &self,
        name: [&str; 3],
        definition: Option<KeyDefinition>,
        partitions: Vec<PhysicalPartition>,
    ) -> &Self {
        let facts = ContainerFacts {
            name: ContainerName::new(Some(name[0]), Some(name[1]), Some(name[2])),
            definition,
            partitions,
            ..ContainerFacts::default()
        };
        self.builder.facts(facts, "facts.json", self.source);
        self
    }

    pub fn capture(self) -> Capture {
        self.builder.settle(None);
        self.builder.finish()
    }
}

pub(crate) const ORDERS: [&str; 3] = ["northpier-prod", "shop", "orders"];
pub(crate) const CARTS: [&str; 3] = ["northpier-prod", "shop", "carts"];
pub(crate) const READINGS: [&str; 3] = ["northpier-prod", "telemetry", "readings"];

/// The keys of the samples that show every state a key can be in.
pub(crate) fn northpier() -> Capture {
    let log = Log::new("exports/northpier-prod.csv");
    let newest = Some(seconds(NEWEST));
    log.weeks(
        ORDERS,
        r#"["tenant-0001"]"#,
        "West Europe",
        &[13.5 * GIB, 15.0 * GIB, 16.5 * GIB, 18.0 * GIB],
    )
    .weeks(
        ORDERS,
        r#"["tenant-0002"]"#,
        "West Europe",
        &[20_000_000.0, 21_000_000.0, 22_000_000.0, 22_650_880.0],
    )
    .weeks(
        ORDERS,
        r#"["tenant-0007"]"#,
        "West Europe",
        &[7_340_032.0, 6_815_744.0, 6_553_600.0, 6_291_456.0],
    )
    .reading(ORDERS, r#"["tenant-0001"]"#, "North Europe", newest, 18.0 * GIB - 1.0)
    .reading(ORDERS, "", "West Europe", newest, 1_048_576.0)
    .weeks(CARTS, "[{}]", "West Europe", &[9_800_000.0, 9_820_000.0, 9_840_000.0, 9_856_614.0])
    .reading(CARTS, "[{}]", "North Europe", newest, 9_860_710.0)
    .reading(CARTS, r#"["42"]"#, "West Europe", newest, 1_500_000.5)
    .reading(CARTS, "[42.0]", "West Europe", newest, 1_500_000.0)
    .reading(READINGS, r#"["plant-1","dev-001","2026-06-21"]"#, "West Europe", newest, 3_355_443.0)
    .reading(READINGS, r#"["plant-1","dev-002",null]"#, "West Europe", newest, 2_000_000.0)
    .facts(
        READINGS,
        &["/plantId", "/deviceId", "/day"],
        &[3_154_439.0, 14_112_895.0, 4_745_728.0],
    );
    log.capture()
}

pub(crate) fn report(capture: &Capture, options: SummaryOptions) -> Report {
    let mut summary = Summary::new(options);
    summary.absorb(capture);
    summary.finish()
}
