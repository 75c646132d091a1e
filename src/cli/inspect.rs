//! Bad rows and other warnings on standard error, bounded.

use std::io::Write;

use crate::model::capture::SourceInfo;
use crate::model::units::count_text;
use crate::model::visible::shorten;
use crate::report::visible_once;

/// Rows listed over all inputs: standard error stays readable, and under 20,000 bytes.
const LISTED: usize = 20;
const MAX_DETAIL_COLUMNS: usize = 300;

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
            let _ = writeln!(
                to,
                "skipped: {path} line {}: {}{detail}",
                error.line,
                error.fault.words()
            );
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
    let refused = sources.iter().filter(|s| s.refused.is_some()).count();
    if refused > 0 {
        let _ = writeln!(
            to,
            "note: {refused} {} not used; cosmoscope inspect says why",
            if refused == 1 {
                "file was"
            } else {
                "files were"
            }
        );
    }
}
