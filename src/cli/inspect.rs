//! Bad rows and other warnings on standard error, bounded.

use std::io::Write;

use clap::Args;

use super::{InputArguments, Output, TextOrJson};
use crate::model::capture::SourceInfo;
use crate::model::units::count_text;
use crate::model::visible::shorten;
use crate::report::visible_once;

#[derive(Args, Debug)]
pub struct Inspect {
    #[command(flatten)]
    pub input: InputArguments,
    #[arg(long, value_enum, default_value_t = TextOrJson::Text, help_heading = "Output")]
    pub format: TextOrJson,
    /// How many keys are listed at most
    #[arg(long, value_name = "N", default_value_t = 1000, help_heading = "Output")]
    pub keys: usize,
    #[command(flatten)]
    pub output: Output,
}

/// Rows listed over all inputs: standard error stays readable, and under 20,000 bytes.
const LISTED: usize = 20;
const MAX_DETAIL_COLUMNS: usize = 300;

/// Files not used that are named where another command says more.
const NAMED_REFUSALS: usize = 3;

/// Lists the rows that were left out.
pub fn tell_skipped(sources: &[SourceInfo], to: &mut dyn Write) {
    let mut listed = 0;
    for source in sources {
        for error in &source.row_errors {
            if listed == LISTED {
                break;
            }
            listed += 1;
            let detail = match shorten(&visible_once(&error.detail), MAX_DETAIL_COLUMNS) {
                none if none.is_empty() => none,
                detail => format!(": {detail}"),
            };
            let path = shorten(&source.path, 60);
            let (line, fault) = (error.line, error.fault.words());
            let _ = writeln!(to, "skipped: {path} line {line}: {fault}{detail}");
        }
    }
    let skipped: u64 = sources.iter().map(|s| s.skipped).sum();
    let more = skipped.saturating_sub(listed as u64);
    if more > 0 {
        let _ = writeln!(to, "skipped: {} more rows", count_text(more));
    }
}

/// One line for commands that are not about the files themselves.
pub fn tell_partial(sources: &[SourceInfo], to: &mut dyn Write) {
    let skipped: u64 = sources.iter().map(|s| s.skipped).sum();
    if skipped > 0 {
        let _ = writeln!(
            to,
            "note: {} {} could not be used; cosmoscope inspect lists them",
            count_text(skipped),
            if skipped == 1 { "row" } else { "rows" }
        );
    }
    let refused: Vec<&SourceInfo> = sources.iter().filter(|s| s.refused.is_some()).collect();
    for source in refused.iter().take(NAMED_REFUSALS) {
        let why = source.refused.as_deref().unwrap_or_default();
        let sentence = format!("{}: {why}", shorten(&source.path, 60));
        let _ = writeln!(
            to,
            "note: not used: {}",
            shorten(&visible_once(&sentence), MAX_DETAIL_COLUMNS)
        );
    }
    if refused.len() > NAMED_REFUSALS {
        let more = refused.len() - NAMED_REFUSALS;
        let _ = writeln!(to, "note: {more} more files not used; cosmoscope inspect says why");
    }
    for source in sources.iter().filter(|s| s.incomplete) {
        let path = shorten(&source.path, 60);
        let _ = writeln!(to, "note: {path} was cut short; larger keys may be missing");
    }
}
