//! A report as a table for spreadsheets and scripts. Text cells never run as formulas; number cells are left alone.

use std::fmt::{Display, Write as _};
use std::io::{self, Write};

use crate::analysis::rows::{Report, UNKNOWN_CONTAINER};
use crate::model::names::ContainerName;
use crate::model::time::Stamp;
use crate::model::visible::visible;

use super::{CsvCells, Style};
use crate::model::units::six_digits;

const HEADER: &str = "account,database,container,key,size_kib,share_of_ceiling,region,sampled_at,growth_kib_per_day,wall\n";

pub fn write(report: &Report, style: Style, to: &mut dyn Write) -> io::Result<()> {
    let mut line = Line::below(HEADER, style, to)?;
    for (container, row) in report.keys() {
        let growth = row.growth.as_ref();
        line.names(&container.name)
            .json(row.key.as_deref())
            .number(Some(row.size_kib))
            .number(Some(row.share))
            .text(row.region.as_deref())
            .plain(row.sampled_at.map(Stamp::rfc3339))
            .number(growth.map(|growth| six_digits(growth.kib_per_day)))
            .plain(row.limit_date.date().map(Stamp::rfc3339))
            .end(to)?;
    }
    Ok(())
}

/// A line, cell by cell; what is not known is an empty cell, never zero.
pub(super) struct Line {
    cells: CsvCells,
    out: String,
}

impl Line {
    /// Writes the header, and returns an empty line for the rows.
    pub fn below(header: &str, style: Style, to: &mut dyn Write) -> io::Result<Self> {
        to.write_all(header.as_bytes())?;
        Ok(Self { cells: style.cells, out: String::new() })
    }

    pub fn text(&mut self, text: Option<&str>) -> &mut Self {
        let text = text.unwrap_or_default();
        match self.cells {
            CsvCells::Exact => push_quoted(text, &mut self.out),
            CsvCells::Safe if runs_as_formula(text) => {
                push_quoted(&format!("'{}", visible(text)), &mut self.out);
            }
            CsvCells::Safe => push_quoted(&visible(text), &mut self.out),
        }
        self.out.push(',');
        self
    }

    pub fn names(&mut self, name: &ContainerName) -> &mut Self {
        self.text(name.account.as_deref())
            .text(name.database.as_deref())
            .text(Some(name.container.as_deref().unwrap_or(UNKNOWN_CONTAINER)))
    }

    /// A JSON list starts with a bracket and is harmless by itself.
    pub fn json(&mut self, json: Option<&str>) -> &mut Self {
        push_quoted(json.unwrap_or_default(), &mut self.out);
        self.out.push(',');
        self
    }

    /// Zero has no sign in a report.
    pub fn number(&mut self, number: Option<f64>) -> &mut Self {
        self.plain(number.filter(|n| n.is_finite()).map(|n| n + 0.0))
    }

    /// What no spreadsheet takes for a formula.
    pub fn plain(&mut self, cell: Option<impl Display>) -> &mut Self {
        if let Some(cell) = cell {
            let _ = write!(self.out, "{cell}");
        }
        self.out.push(',');
        self
    }

    pub fn end(&mut self, to: &mut dyn Write) -> io::Result<()> {
        self.out.pop();
        self.out.push('\n');
        to.write_all(self.out.as_bytes())?;
        self.out.clear();
        Ok(())
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

fn push_quoted(text: &str, out: &mut String) {
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
