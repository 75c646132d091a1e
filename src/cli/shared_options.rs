//! Options that several commands share: what is read, how it is masked, where the result goes, what sizes are measured against.

use std::path::PathBuf;

use clap::{ArgGroup, Args, ValueEnum};

use crate::source::times::DATE_ORDERS;

#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub enum PictureFormat {
    Text,
    Svg,
    Html,
}

#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextOrJson {
    Text,
    Json,
}

/// What is read, and how.
#[derive(Args, Debug, Clone)]
pub struct InputArguments {
    /// Files or folders; `-` is standard input. They are recognized by their content
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,

    #[command(flatten)]
    pub reading: ReadArguments,
}

#[derive(Args, Debug, Clone, Default)]
#[command(next_help_heading = "Data")]
pub struct ReadArguments {
    /// Only this container; may be given several times. Also names the container of files that do not name theirs
    #[arg(long, value_name = "[[ACCOUNT/]DB/]NAME")]
    pub container: Vec<String>,

    /// The zone of times that say they are local, such as Europe/London or +11:00 [default: read as UTC, with a note]
    #[arg(long, value_name = "ZONE", allow_hyphen_values = true)]
    pub time_zone: Option<String>,

    /// Day or month first, for dates that read both ways [default: as the file shows, else guessed, with a note]
    #[arg(long, value_name = "ORDER", value_parser = DATE_ORDERS.map(|(name, ..)| name))]
    pub date_order: Option<String>,

    /// Memory to stay within, at least 128MiB; files are read several times where it does not suffice [default: 2GiB]
    #[arg(long, value_name = "SIZE", help_heading = "Limits")]
    pub memory: Option<String>,

    /// No progress and no warnings on standard error
    #[arg(long, help_heading = "Output")]
    pub quiet: bool,

    #[command(flatten)]
    pub masking: Masking,
}

#[derive(Args, Debug, Clone, Default, PartialEq, Eq)]
#[command(next_help_heading = "Output")]
pub struct Masking {
    /// Replace account, database, container, key and file names by stable invented ones
    #[arg(long)]
    pub mask: bool,

    /// Use this text for the invented names, so that another machine invents the same
    #[arg(long, value_name = "TEXT", requires = "mask")]
    pub mask_salt: Option<String>,
}

/// Where the result goes.
#[derive(Args, Debug, Clone, Default)]
#[command(next_help_heading = "Output", group = ArgGroup::new("written").multiple(true))]
pub struct Output {
    /// Write to this file instead of standard output; it is whole or absent
    #[arg(short, long, value_name = "FILE", group = "written")]
    pub output: Option<PathBuf>,

    /// Overwrite the file
    #[arg(long, requires = "written")]
    pub force: bool,
}

/// What sizes are measured against.
#[derive(Args, Debug, Clone, Default)]
#[command(next_help_heading = "Limits")]
pub struct MeasureArgument {
    /// The limit of a logical partition, such as 20GB or 30GiB [default: 20 GiB]
    #[arg(long, value_name = "SIZE")]
    pub ceiling: Option<String>,

    /// The moment from which days are counted, such as 2026-06-22T02:00:00Z [default: the newest sample]
    #[arg(long, value_name = "TIME")]
    pub as_of: Option<String>,
}

#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogLevel {
    Error,
    Warn,
    Info,
    Debug,
    /// Also each time the screens are woken.
    Trace,
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use crate::cli::Cli;

    #[test]
    fn force_goes_with_each_file_that_is_written() {
        for (line, is_right) in [
            ("report x -o a --force", true),
            ("trial x --key /a --save b --force", true),
            ("trial x --key /a -o a --save b --force", true),
            ("trial x --key /a -o a --save b", true),
            ("plan /a x --save b --force", true),
            ("trial x --key /a --force", false),
            ("report x --force", false),
        ] {
            let words = ["cosmoscope"].into_iter().chain(line.split(' '));
            assert_eq!(Cli::try_parse_from(words).is_ok(), is_right, "{line}");
        }
    }
}
