//! The command line: its commands and options, in words, and nothing of how it is done.

pub mod argument_errors;
mod cast;
mod check;
mod count;
mod decisions;
pub mod demo;
mod design;
pub mod doctor;
mod examples;
mod forecast;
mod heat;
pub mod help;
pub mod inspect;
mod lesson;
pub mod live;
mod locate;
pub mod log;
pub mod masking;
pub mod option_values;
pub mod output;
pub mod picture;
pub mod plain;
mod plan;
pub mod progress;
mod reading;
pub mod replay;
pub mod run;
pub mod screens;
pub mod settings;
mod shared_options;
mod simulate;
pub mod trial;
mod workload;

use clap::{ArgGroup, Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

pub use check::FailOn;
pub use design::DesignArguments;
pub use forecast::ForecastArguments;
pub use inspect::Inspect;
pub use lesson::LessonArguments;
pub use live::{Connect, CountArguments, DoctorArguments};
pub use locate::LocateArguments;
pub use plan::PlanArguments;
pub use shared_options::{
    InputArguments, LogLevel, Masking, MeasureArgument, Output, PictureFormat, ReadArguments,
    TextOrJson,
};
pub use simulate::SimulateArguments;
pub use trial::{TrialArguments, TrialInputs};
pub use workload::WorkloadArguments;

/// Partition explorer for Azure Cosmos DB for NoSQL.
///
/// Opens exported partition statistics, RU logs, metrics and management answers in every form they are found in, and
/// shows every logical partition's size against its 20 GB limit. Also reads live accounts; changes nothing anywhere.
#[expect(clippy::doc_markdown, reason = "this is the help text, where backticks would show")]
#[derive(Parser, Debug)]
#[command(name = "cosmoscope", version, max_term_width = 100)]
#[command(disable_help_subcommand = true, after_help = help::topic_list())]
pub struct Cli {
    #[command(subcommand)]
    pub command: Option<CliCommand>,

    /// Print the configuration file with every default and a comment
    #[arg(long, help_heading = "Output")]
    pub print_config: bool,

    /// Read this configuration file instead of the one in the system's configuration folder
    #[arg(long, value_name = "FILE", global = true, help_heading = "Diagnostics")]
    pub config: Option<PathBuf>,

    /// The colours of the screens: auto, dark, light or colour-blind [default: as the configuration says]
    #[arg(long, value_name = "NAME", global = true, help_heading = "Appearance")]
    pub theme: Option<String>,

    /// Linear text instead of screens, for screen readers; also with ACCESSIBLE=1 in the environment
    #[arg(long, global = true, help_heading = "Appearance")]
    pub plain: bool,

    /// Append a log of the program's work to this file; it contains no names, keys or other data
    #[arg(long, value_name = "FILE", global = true, help_heading = "Diagnostics")]
    pub log: Option<PathBuf>,

    /// Level of detail in the log
    #[arg(
        long,
        value_name = "LEVEL",
        value_enum,
        global = true,
        help_heading = "Diagnostics",
        default_value_t = LogLevel::Info,
        hide_possible_values = true,
        help = "Level of detail in the log: error, warn, info, debug or trace"
    )]
    pub log_level: LogLevel,
}

#[derive(Subcommand, Debug)]
pub enum CliCommand {
    /// Open files on the screens
    #[command(after_help = examples::OPEN)]
    Open(Open),
    /// Identify files: shape, rows, keys, and what was left out and why
    #[command(after_help = examples::INSPECT)]
    Inspect(Inspect),
    /// List the largest keys with growth and the date they reach 20 GB; --view heat: load by physical partition
    #[command(after_help = examples::REPORT)]
    Report(ReportArguments),
    /// Exit with 1 if a key nears 20 GB, a partition is hotter than --max-hot, or a new key is a bad choice; for CI
    #[command(after_help = examples::CHECK)]
    Check(CheckArguments),
    /// Compare two exports: keys that grew, shrank, are new, are no longer reported or passed a mark
    #[command(after_help = examples::DIFF)]
    Diff(Diff),
    /// List the limits that keys and physical partitions reach next, by date; and the steps to more RU/s
    #[command(after_help = examples::FORECAST)]
    Forecast(ForecastArguments),
    /// Show a container in time: partitions fill and split, keys reach 20 GB (403), requests are throttled (429)
    #[command(after_help = examples::SIMULATE)]
    Simulate(SimulateArguments),
    /// Show on which physical partition values of a key lie, also new ones
    #[command(after_help = examples::LOCATE)]
    Locate(LocateArguments),
    /// Show what an application does with a container: operations, queries, programs, keys; and which properties change
    #[command(after_help = examples::WORKLOAD)]
    Workload(WorkloadArguments),
    /// Try other partition keys on documents: sizes, hot keys, physical partitions, queries
    #[command(after_help = examples::TRIAL)]
    Trial(Box<TrialArguments>),
    /// Design a container before any document exists: data, RU/s, limits with dates, keys side by side
    #[command(after_help = examples::DESIGN)]
    Design(DesignArguments),
    /// Plan the move to another partition key: routes, readiness, steps, and text to copy; nothing is run
    #[command(after_help = examples::PLAN)]
    Plan(PlanArguments),
    /// Show a built-in scenario; needs no file and no account
    #[command(after_help = examples::DEMO)]
    Demo(Demo),
    /// Learn partitioning on these screens, alone or with a projector: lessons, a quiz, your own lessons
    #[command(after_help = examples::LESSON)]
    Lesson(LessonArguments),
    /// Show a live account; it is only read
    #[command(after_help = examples::CONNECT)]
    Connect(Connect),
    /// Show a recording of a live account, moment by moment
    #[command(after_help = examples::REPLAY)]
    Replay(Replay),
    /// Show what of an account is readable, and which role or setting is missing; for scripts and CI
    #[command(after_help = examples::DOCTOR)]
    Doctor(DoctorArguments),
    /// Count documents of a live account by a property, exactly, in every physical partition
    #[command(after_help = examples::COUNT)]
    Count(CountArguments),
    /// Print completions for a shell
    #[command(after_help = examples::COMPLETIONS)]
    Completions { shell: clap_complete::Shell },
    /// Print the manual page
    #[command(after_help = examples::MAN)]
    Man,
    /// Show this list, the help of a command, or a topic such as json or exit-codes
    #[command(after_help = examples::HELP)]
    Help {
        #[arg(value_name = "COMMAND|TOPIC")]
        name: Option<String>,
    },
}

impl CliCommand {
    /// How this command masks; None for those that read no input.
    pub fn masking(&self) -> Option<&Masking> {
        let reading = match self {
            Self::Open(c) => &c.reading,
            Self::Replay(c) => &c.reading,
            Self::Inspect(c) => &c.input.reading,
            Self::Report(c) => &c.input.reading,
            Self::Check(c) => &c.reading,
            Self::Diff(c) => &c.reading,
            Self::Forecast(c) => &c.reading,
            Self::Simulate(c) => &c.reading,
            Self::Locate(c) => &c.reading,
            Self::Workload(c) => &c.reading,
            Self::Trial(c) => return Some(&c.masking),
            Self::Plan(c) => return Some(&c.masking),
            Self::Design(_)
            | Self::Demo(_)
            | Self::Lesson(_)
            | Self::Connect(_)
            | Self::Doctor(_)
            | Self::Count(_)
            | Self::Completions { .. }
            | Self::Man
            | Self::Help { .. } => {
                return None;
            }
        };
        Some(&reading.masking)
    }
}

#[derive(Args, Debug)]
pub struct Open {
    /// Files or folders. They are recognized by their content
    #[arg(required_unless_present = "documents", value_name = "PATH")]
    pub paths: Vec<PathBuf>,

    /// Documents of a container, to try keys on: JSON lines, a JSON list, CSV or Parquet; may be given several times
    #[arg(long, value_name = "FILE", help_heading = "Data")]
    pub documents: Vec<PathBuf>,

    /// Queries of the container as text or JSON, each with its rate if known, for keys that are tried
    #[arg(long, value_name = "FILE", help_heading = "Data")]
    pub queries: Option<PathBuf>,

    #[command(flatten)]
    pub reading: ReadArguments,
    #[command(flatten)]
    pub measure: MeasureArgument,
}

#[derive(Args, Debug)]
pub struct Replay {
    /// What connect --record wrote
    #[arg(value_name = "FILE")]
    pub path: PathBuf,

    /// Write the recording as it plays to this file, in the form of asciinema (asciicast v2), and end
    #[arg(long, value_name = "FILE", group = "picture", help_heading = "Output")]
    pub cast: Option<PathBuf>,
    /// Overwrite the file
    #[arg(long, requires = "cast", help_heading = "Output")]
    pub force: bool,
    #[command(flatten)]
    pub drawn: PictureArguments,

    #[command(flatten)]
    pub reading: ReadArguments,
    #[command(flatten)]
    pub measure: MeasureArgument,
}

#[derive(Args, Debug)]
pub struct ReportArguments {
    #[command(flatten)]
    pub input: InputArguments,
    /// What the report is about
    #[arg(long, value_enum, default_value_t = ReportView::Keys, help_heading = "Output")]
    pub view: ReportView,
    /// svg shows the heat only
    #[arg(long, value_enum, default_value_t = ReportFormat::Text, help_heading = "Output")]
    pub format: ReportFormat,
    /// The largest keys over all containers [default: 20 for text, md and html, all for json and csv]; of heat the busiest keys of
    /// each partition [default: 5 for text and md, 10 for html, all for json]
    #[arg(long, value_name = "N", help_heading = "Output")]
    pub top: Option<usize>,
    #[command(flatten)]
    pub heat: HeatOptions,
    /// Leave cells of CSV exactly as they are, even where a spreadsheet would run them as a formula
    #[arg(long, help_heading = "Output")]
    pub exact: bool,
    #[command(flatten)]
    pub measure: MeasureArgument,
    #[command(flatten)]
    pub output: Output,
}

/// What of the heat is shown.
#[derive(Args, Debug, Clone, Default)]
#[command(next_help_heading = "Data")]
pub struct HeatOptions {
    /// Heat: what the map shows, such as normalized-ru, logged-share or requests [default: the first that there is]
    #[arg(long, value_name = "NAME")]
    pub measure: Option<String>,
    /// Heat: only this region [default: the busiest]
    #[arg(long, value_name = "NAME")]
    pub region: Option<String>,
    /// Heat: how partitions are ordered [default: hottest]
    #[arg(long, value_enum, value_name = "ORDER", help_heading = "Output")]
    pub order: Option<HeatOrder>,
    /// Heat: map and tables from this time on, such as 2026-06-22T02:00:00Z; verdicts rest on all of the load
    #[arg(long, value_name = "TIME")]
    pub from: Option<String>,
    /// Heat: map and tables up to this time
    #[arg(long, value_name = "TIME")]
    pub to: Option<String>,
    /// Heat: measure verdicts against another threshold, such as hot=85%; may be given several times
    #[arg(long, value_name = "NAME=VALUE", help_heading = "Limits")]
    pub threshold: Vec<String>,
}

#[derive(Args, Debug)]
#[command(group(ArgGroup::new("judged").args(["documents", "scenario"]).multiple(true)))]
pub struct CheckArguments {
    /// Files or folders; `-` is standard input. They are recognized by their content
    #[arg(required_unless_present_any = ["documents", "scenario"], value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// A built-in scenario or the file of a design, instead of files: its own key is judged, or those of --key
    #[arg(long, value_name = "NAME", conflicts_with_all = ["paths", "documents", "logs", "time_zone", "date_order"], help_heading = "Data")]
    pub scenario: Option<String>,

    #[command(flatten)]
    pub reading: ReadArguments,

    /// Judge keys on these documents: JSON lines, JSON lists, CSV or Parquet, packed or not; may be given several times
    #[arg(long, value_name = "FILE", requires = "key", help_heading = "Data")]
    pub documents: Vec<PathBuf>,
    /// Partition key to judge on the documents, such as '/tenantId > /userId'; may be given several times. Findings of
    /// today's key, as --logs or the scenario show it, are then notes
    #[arg(long, value_name = "KEY", requires = "judged", help_heading = "Data")]
    pub key: Vec<String>,
    #[command(flatten)]
    pub against: TrialInputs,

    /// Alarm if a key is at this share of its 20 GB limit
    #[arg(long, value_name = "SHARE", default_value = "90%", help_heading = "Limits")]
    pub max_logical: String,
    /// Also check load: alarm if the p99 of a physical partition is at this share of its RU/s, warning from 70 % on or after
    /// a minute at 100 % [default: load is not checked]
    #[arg(long, value_name = "SHARE", help_heading = "Limits")]
    pub max_hot: Option<String>,
    /// Measure load against another threshold of the diagnosis, such as busy=60%; may be given several times
    #[arg(long, value_name = "NAME=VALUE", requires = "max_hot", help_heading = "Limits")]
    pub threshold: Vec<String>,
    /// Also simulate this time, such as 30d: alarm if writes get 403 or more than 1 % of the load is throttled. With --key
    /// the new container is simulated
    #[arg(long, value_name = "TIME", help_heading = "Limits")]
    pub simulate: Option<String>,
    /// With --simulate: load times this factor, such as 10x
    #[arg(
        long,
        value_name = "FACTOR",
        requires = "simulate",
        default_value = "1",
        help_heading = "Limits"
    )]
    pub load_factor: String,
    /// Exit with 1 for findings of this severity or worse
    #[arg(long, value_enum, default_value_t = FailOn::Alarm, help_heading = "Limits")]
    pub fail_on: FailOn,
    #[arg(long, value_enum, default_value_t = CheckFormat::Text, help_heading = "Output")]
    pub format: CheckFormat,
    #[command(flatten)]
    pub measure: MeasureArgument,
    #[command(flatten)]
    pub output: Output,
}

#[derive(Args, Debug)]
pub struct Diff {
    /// The earlier export: a file or folder
    pub before: PathBuf,
    /// The later export
    pub after: PathBuf,
    #[command(flatten)]
    pub reading: ReadArguments,
    /// Two decisions are compared as text or json
    #[arg(long, value_enum, default_value_t = DocumentFormat::Text, help_heading = "Output")]
    pub format: DocumentFormat,
    #[command(flatten)]
    pub measure: MeasureArgument,
    #[command(flatten)]
    pub output: Output,
}

#[derive(Args, Debug)]
#[command(next_help_heading = "Output")]
pub struct Demo {
    /// The scenario, or the file of a design; without a name they are listed
    #[arg(help_heading = "Arguments")]
    pub name: Option<String>,

    /// List the scenarios, and end
    #[arg(long, conflicts_with_all = ["name", "print"])]
    pub list: bool,

    /// Print one screen as it is drawn, and end: start, overview, keys, heat, trial or forecast
    #[arg(long, value_name = "VIEW", group = "picture")]
    pub print: Option<String>,

    /// What the screen is printed as
    #[arg(long, value_enum, default_value_t = PictureFormat::Text, requires = "print")]
    pub format: PictureFormat,

    #[command(flatten)]
    pub drawn: PictureArguments,
}

/// How screens are drawn outside of a terminal.
#[derive(Args, Debug)]
#[command(next_help_heading = "Output")]
pub struct PictureArguments {
    /// The window of the drawn screen, in columns and rows
    #[arg(long, value_name = "COLUMNSxROWS", default_value = "80x24", requires = "picture")]
    pub size: String,

    /// Keys to press before, separated by blanks, such as "j j enter"; other words are typed letter by letter
    #[arg(long = "type", value_name = "KEYS", requires = "picture")]
    pub typed: Option<String>,
}

#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub enum DocumentFormat {
    Text,
    Json,
    Md,
    Csv,
    Html,
}

#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReportFormat {
    Text,
    Json,
    Csv,
    Md,
    Html,
    Svg,
}

#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReportView {
    /// The largest keys against 20 GB
    Keys,
    /// Physical partitions over time: verdicts, map, who loads them
    Heat,
}

#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub enum HeatOrder {
    Hottest,
    Id,
    HashRange,
    Size,
}

#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub enum CheckFormat {
    Text,
    Json,
    /// XML, as build servers show tests
    Junit,
    /// SARIF 2.1.0, as code scanning takes it
    Sarif,
}
