//! A report as a table for spreadsheets and scripts. Text cells never run as formulas; number cells are left alone.

use std::fmt::Write as _;
use std::io::{self, Write};

use crate::analysis::growth::Wall;
use crate::analysis::rows::Report;
use crate::model::visible::visible;

use super::write_json::six_digits;
use super::{Cells, Style};

const HEADER: &str = "account,database,container,key,size_kib,share_of_ceiling,region,sampled_at,growth_kib_per_day,wall\n";

pub fn write(report: &Report, style: Style, to: &mut dyn Write) -> io::Result<()> {
    to.write_all(HEADER.as_bytes())?;
    let mut out = String::new();
    for (container, row) in report.keys() {
        out.clear();
        let name = &container.name;
        for text in [
            name.account.as_deref(),
            name.database.as_deref(),
            Some(container.container()),
        ] {
            push_cell(text.unwrap_or_default(), style.cells, &mut out);
            out.push(',');
        }
        // A JSON list starts with a bracket and is harmless by itself.
        push_quoted(row.key.as_deref().unwrap_or_default(), &mut out);
        out.push(',');
        push_number(row.size_kib, &mut out);
        out.push(',');
        push_number(row.share, &mut out);
        out.push(',');
        push_cell(
            row.region.as_deref().unwrap_or_default(),
            style.cells,
            &mut out,
        );
        out.push(',');
        if let Some(at) = row.sampled_at {
            out.push_str(&at.rfc3339());
        }
        out.push(',');
        if let Some(growth) = &row.growth {
            push_number(six_digits(growth.kib_per_day), &mut out);
        }
        out.push(',');
        if let Wall::Date { at, .. } = &row.wall {
            let _ = write!(out, "{}", at.rfc3339());
        }
        out.push('\n');
        to.write_all(out.as_bytes())?;
    }
    Ok(())
}

/// Zero has no sign in a report; what is no number is an empty cell.
pub(super) fn push_number(number: f64, out: &mut String) {
    if number.is_finite() {
        let _ = write!(out, "{}", number + 0.0);
    }
}

pub(super) fn push_cell(text: &str, cells: Cells, out: &mut String) {
    match cells {
        Cells::Exact => push_quoted(text, out),
        Cells::Safe if runs_as_formula(text) => push_quoted(&format!("'{}", visible(text)), out),
        Cells::Safe => push_quoted(&visible(text), out),
    }
}

/// Spreadsheets skip blanks, quotes and controls at the start before they look for a formula, and read full-width forms
/// like plain ones.
fn runs_as_formula(text: &str) -> bool {
    let is_skipped = |c: char| {
        c.is_whitespace() || c.is_control() || matches!(c, '"' | '\'' | '\u{feff}' | '\u{200b}')
    };
    let risky = |c: char| matches!(c, '=' | '+' | '-' | '@' | '＝' | '＋' | '－' | '＠');
    let control_first = text.starts_with(['\t', '\r', '\n', '\0']);
    // A text that already starts with the sign of a text is one.
    let is_text = text.starts_with('\'');
    !is_text && (control_first || text.trim_start_matches(is_skipped).starts_with(risky))
}

pub(super) fn push_quoted(text: &str, out: &mut String) {
    let needs_quotes = text.contains([',', '"', '\n', '\r', ';', '\t'])
        || text.starts_with(' ')
        || text.ends_with(' ');
    if !needs_quotes {
        out.push_str(text);
        return;
    }
    out.push('"');
    for c in text.chars() {
        if c == '"' {
            out.push('"');
        }
        out.push(c);
    }
    out.push('"');
}

#[cfg(test)]
mod tests;
