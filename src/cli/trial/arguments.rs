//! The options of `trial`, and which of their numbers cannot be used.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::super::{DocumentFormat, Masking, Output};
use super::deciding::DecisionOptions;
use crate::analysis::simulate::SimulateQuestion;
use crate::analysis::trial::Weight;
use crate::cli::option_values::number;
use crate::error::Error;
use crate::model::layout::SplitPoint;
use crate::model::limits;
use crate::model::units::as_number;
use crate::source::scenario;

#[derive(Args, Debug, Clone)]
pub struct TrialArguments {
    /// Documents: JSON lines, JSON lists, CSV, Parquet, packed or not; files or folders, `-` is standard input; or a recording
    /// of an account that holds a sample
    #[arg(required_unless_present_any = ["scenario", "logs"], value_name = "DOCS")]
    pub docs: Vec<PathBuf>,

    /// Instead of files the documents of a built-in scenario, or of the file of a design
    #[arg(long, value_name = "NAME", conflicts_with = "docs", help_heading = "Data")]
    pub scenario: Option<String>,

    /// The container of the scenario, of the logs or of a recording where they know several
    #[arg(long, value_name = "[[ACCOUNT/]DB/]NAME", help_heading = "Data")]
    pub container: Option<String>,

    /// How many documents of the scenario are drawn
    #[arg(long, value_name = "N", requires = "scenario", default_value_t = scenario::SAMPLE_DOCUMENTS, value_parser = clap::value_parser!(u64).range(1..=limits::MOST_SAMPLE), help_heading = "Data")]
    pub sample: u64,

    /// A key to try, such as '/tenantId', '/vin + "-" + month(/time)' or '/tenantId > /userId'; may be given several times
    #[arg(long, value_name = "KEY", help_heading = "Data")]
    pub key: Vec<String>,

    /// The key that the container has [default: that of the logs or the scenario, else none]
    #[arg(long, value_name = "KEY", help_heading = "Data")]
    pub current: Option<String>,

    #[command(flatten)]
    pub against: TrialInputs,

    /// Also simulates the keys, for `check`.
    #[arg(skip)]
    pub simulate: Option<SimulateQuestion>,

    /// The limit of a logical partition, such as 20GB or 30GiB [default: 20 GiB]
    #[arg(long, value_name = "SIZE", help_heading = "Limits")]
    pub ceiling: Option<String>,

    /// Memory to stay within, at least 128MiB; of more documents a uniform sample is kept [default: 2GiB]
    #[arg(long, value_name = "SIZE", help_heading = "Limits")]
    pub memory: Option<String>,

    /// The day for which the sizes hold and from which growth is counted [default: that of the newest document]
    #[arg(long, value_name = "TIME", help_heading = "Limits")]
    pub as_of: Option<String>,

    /// The largest keys of each candidate
    #[arg(long, value_name = "N", default_value_t = 5, help_heading = "Output")]
    pub top: usize,

    #[arg(long, value_enum, default_value_t = DocumentFormat::Text, help_heading = "Output")]
    pub format: DocumentFormat,

    /// No progress and no warnings on standard error
    #[arg(long, help_heading = "Output")]
    pub quiet: bool,

    #[command(flatten)]
    pub search: super::search::SearchArguments,
    #[command(flatten)]
    pub deciding: DecisionOptions,
    #[command(flatten)]
    pub masking: Masking,
    #[command(flatten)]
    pub output: Output,
}

/// What keys are tried against; `check` takes the same.
#[derive(Args, Debug, Clone)]
#[command(next_help_heading = "Data")]
pub struct TrialInputs {
    /// Exports of the container as it is, as for `inspect`: container reads, hash ranges, RU logs, statistics,
    /// metrics. Its key, ranges, RU/s, size and the RU of its keys are taken from them; may be given several times
    #[arg(long, value_name = "PATH")]
    pub logs: Vec<PathBuf>,

    /// Physical partitions at least; beyond those of the logs, splits are made [default: those of the logs, else as the RU/s and
    /// the data need, 10 where neither is known]
    #[arg(long, value_name = "N")]
    pub partitions: Option<usize>,

    /// Provisioned RU/s [default: as the logs show]
    #[arg(long, value_name = "RU/s")]
    pub ru: Option<f64>,

    /// Demand: the RU/s that clients request; with --queries all rates are scaled to it [default: the rates of --queries where
    /// each has one, else unknown]
    #[arg(long, value_name = "RU/s")]
    pub load: Option<f64>,

    /// What is stored of the container in all, such as 80GB; the documents are then a sample of it [default: from the logs]
    #[arg(long, value_name = "SIZE")]
    pub stored: Option<String>,

    /// Bytes that are stored for each byte of a document: indexes count, too
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0)]
    pub storage_factor: f64,

    /// Older documents of the same container: which properties change is measured, else their names decide
    #[arg(long, value_name = "DOCS")]
    pub before: Vec<PathBuf>,

    /// Queries as text or JSON, each with its rate if known
    #[arg(long, value_name = "FILE")]
    pub queries: Option<PathBuf>,

    /// The property with the time a document was written [default: the likeliest of all that hold times]
    #[arg(long, value_name = "PATH")]
    pub time: Option<String>,

    /// What a key's share of the RU is computed from: its documents, its bytes, or what the logs name for the current keys
    #[arg(long, value_enum, default_value_t = WeightBy::Documents)]
    pub weight: WeightBy,

    /// Where a split of a physical partition falls: where half of its data lies on each side, or in the middle of its hashes
    #[arg(long, value_enum, default_value_t = CutAt::Data)]
    pub cut: CutAt,

    /// What is written in a day, such as 70GB [default: from the times of the documents]
    #[arg(long, value_name = "SIZE")]
    pub growth: Option<String>,

    /// Documents are deleted when they are so old, such as 30d or 12h
    #[arg(long, value_name = "TIME")]
    pub retention: Option<String>,

    /// For samples, random suffixes and intervals: the same seed gives the same result
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
}

impl Default for TrialInputs {
    fn default() -> Self {
        Self {
            logs: Vec::new(),
            partitions: None,
            ru: None,
            load: None,
            stored: None,
            storage_factor: 1.0,
            before: Vec::new(),
            queries: None,
            time: None,
            weight: WeightBy::Documents,
            cut: CutAt::Data,
            growth: None,
            retention: None,
            seed: 1,
        }
    }
}

impl TrialArguments {
    /// As a command has them that tries keys on its way.
    pub(in crate::cli) fn of(docs: Vec<PathBuf>, against: TrialInputs) -> Self {
        Self {
            docs,
            scenario: None,
            container: None,
            sample: scenario::SAMPLE_DOCUMENTS,
            key: Vec::new(),
            current: None,
            against,
            simulate: None,
            ceiling: None,
            memory: None,
            as_of: None,
            // The largest key is named, and no other.
            top: 1,
            format: DocumentFormat::Json,
            quiet: true,
            search: super::search::SearchArguments::default(),
            deciding: DecisionOptions::default(),
            masking: Masking::default(),
            output: Output::default(),
        }
    }

    /// All paths that are read.
    pub(in crate::cli) fn inputs(&self) -> Vec<PathBuf> {
        let TrialInputs { logs, before, queries, .. } = &self.against;
        self.docs.iter().chain(queries).chain(before).chain(logs).cloned().collect()
    }
}

impl TrialInputs {
    /// The first of these options that was given, where they are about nothing.
    pub(in crate::cli) fn first_given(&self) -> Option<&'static str> {
        let given = [
            ("--logs", !self.logs.is_empty()),
            ("--partitions", self.partitions.is_some()),
            ("--ru", self.ru.is_some()),
            ("--load", self.load.is_some()),
            ("--stored", self.stored.is_some()),
            ("--storage-factor", (self.storage_factor - 1.0).abs() > 0.0),
            ("--before", !self.before.is_empty()),
            ("--queries", self.queries.is_some()),
            ("--time", self.time.is_some()),
            ("--seed", self.seed != 1),
        ];
        given.iter().find(|(_, is)| *is).map(|(name, _)| *name)
    }
}

#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub enum WeightBy {
    Documents,
    Bytes,
    Logged,
}

impl WeightBy {
    pub(super) fn weight(self) -> Weight {
        match self {
            Self::Documents => Weight::Documents,
            Self::Bytes => Weight::Bytes,
            Self::Logged => Weight::Logged,
        }
    }
}

#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub enum CutAt {
    Data,
    Midpoint,
}

impl CutAt {
    pub(super) fn cut(self) -> SplitPoint {
        match self {
            Self::Data => SplitPoint::Data,
            Self::Midpoint => SplitPoint::Midpoint,
        }
    }
}

/// Numbers beyond their limits.
pub(super) fn check_numbers(c: &TrialInputs) -> Result<(), Error> {
    for (option, value, limits) in [
        ("--partitions", c.partitions.map(as_number), limits::PARTITIONS),
        ("--ru", c.ru, limits::RU),
        ("--load", c.load, limits::DEMAND),
        ("--storage-factor", Some(c.storage_factor), limits::STORAGE_FACTOR),
    ] {
        value.map(|value| number(option, value, limits)).transpose()?;
    }
    Ok(())
}
