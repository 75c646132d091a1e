//! `diff` of two decision files.

use std::path::Path;

use super::output::{self, style};
use super::trial::deciding;
use super::{Diff, DocumentFormat};
use crate::analysis::decision::diff;
use crate::analysis::mask::Masker;
use crate::error::{Error, usage};
use crate::report::CsvCells;
use crate::report::decision::{changes, is_decision};
use crate::source::input::shown;

/// The exit code, unless the files are something else.
pub(super) fn run(c: &Diff) -> Option<Result<u8, Error>> {
    match [&c.before, &c.after].map(|path| is_one(path)) {
        [true, true] => Some(write_diff(c)),
        [false, false] => None,
        [true, false] => Some(Err(unlike(&c.before, &c.after))),
        [false, true] => Some(Err(unlike(&c.after, &c.before))),
    }
}

fn is_one(path: &Path) -> bool {
    let text = deciding::text_of(path).ok().flatten();
    text.is_some_and(|text| is_decision(&text))
}

fn unlike(decision: &Path, other: &Path) -> Error {
    usage(
        format!("{} is a decision and {} is not", shown(decision), shown(other)),
        "give two decisions, or two exports",
    )
}

fn write_diff(c: &Diff) -> Result<u8, Error> {
    if !matches!(c.format, DocumentFormat::Text | DocumentFormat::Json) {
        return Err(usage(
            "decisions are compared as text or json",
            "leave --format out, or give --format json",
        ));
    }
    let (mut before, mut after) = (deciding::read(&c.before)?, deciding::read(&c.after)?);
    if let Some(salt) = c.reading.masking.salt()? {
        let masker = Masker::new(&salt);
        before.mask(&masker);
        after.mask(&masker);
    }
    let differences = diff(&before, &after);
    let pair = (&before, &after);
    let style = style(&c.output, CsvCells::Safe);
    output::write(&c.output, &mut |to| match c.format {
        DocumentFormat::Json => changes::json(pair, &differences, to),
        _ => changes::text(pair, &differences, style, to),
    })
}
