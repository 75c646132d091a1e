//! The built-in scenarios as text, for where there is no terminal.

use std::io::{self, Write};

use super::output::{self, style};
use super::{Demo, Output};
use crate::analysis::design::query_visits;
use crate::analysis::select::Selection;
use crate::analysis::summary::{self, Summary};
use crate::error::Error;
use crate::model::capture::CaptureBuilder;
use crate::report::{self, CsvCells, Style};
use crate::source::design::TEMPLATES;
use crate::source::scenario::{self, ScenarioInfo};
use crate::work::salt;

/// Keys of a scenario that are shown.
const SHOWN_KEYS: usize = 20;

/// Refuses a name that no scenario has, with the one that was probably meant.
pub fn check_name(name: Option<&str>) -> Result<(), Error> {
    name.map_or(Ok(()), |name| scenario::named(name).map(|_| ()))
}

/// The list of scenarios, and the report of one.
pub fn print(c: &Demo) -> Result<u8, Error> {
    let list = scenario::list();
    let name = c.name.as_deref().or(list.first().map(|s| s.name)).unwrap_or_default();
    let builder = CaptureBuilder::new(salt::seed());
    let info = scenario::load(name, query_visits, &builder)?;
    let capture = builder.finish();
    let wanted = summary::SummaryOptions {
        selection: Selection::Top(SHOWN_KEYS),
        has_prefixes: true,
        has_distributions: true,
        ..summary::SummaryOptions::default()
    };
    let mut summary = Summary::new(wanted);
    summary.absorb(&capture);
    let report = summary.finish();
    let style = style(&Output::default(), CsvCells::Safe);
    output::write(&Output::default(), &mut |to| {
        if c.name.is_none() {
            write_list(&list, style, to)?;
            writeln!(to)?;
        }
        let title = format!("{}: {}", info.name, info.title);
        for sentence in [&title, &info.look_at] {
            write!(to, "{}", report::wrap(sentence, style.width, "", ""))?;
        }
        writeln!(to)?;
        report::text::write(&report, style, to)
    })
}

/// The list of scenarios alone.
pub fn print_list() -> Result<u8, Error> {
    let style = style(&Output::default(), CsvCells::Safe);
    let list = scenario::list();
    output::write(&Output::default(), &mut |to| write_list(&list, style, to))
}

fn write_list(list: &[ScenarioInfo], style: Style, to: &mut dyn Write) -> io::Result<()> {
    writeln!(
        to,
        "Built-in scenarios, opened with `cosmoscope demo NAME`. {}",
        scenario::START_WITH
    )?;
    for s in list {
        let name = format!("  {:<10} ", s.name);
        let further = " ".repeat(name.len());
        let line = report::wrap(&s.title, style.width, &name, &further);
        write!(to, "{line}")?;
    }
    let designs = TEMPLATES.map(|(name, _)| name).join(", ");
    let designs = format!("Designs, opened in the same way: {designs}.");
    write!(to, "{}", report::wrap(&designs, style.width, "", ""))
}
