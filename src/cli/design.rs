//! `design`: a container before any document exists, from a small file.

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::{ArgGroup, Args};

use super::output::{self, style, writer};
use super::run::prepare;
use super::trial::{TrialArguments, TrialInputs, make, parts};
use super::{DocumentFormat, Output, option_values};
use crate::analysis::routing::workload::WrittenRequest;
use crate::analysis::rows::Note;
use crate::config::Config;
use crate::error::{Error, usage};
use crate::model::design::Design;
use crate::model::limits::MOST_SAMPLE;
use crate::model::units::{counted, trimmed_text, with_unit};
use crate::report::CsvCells;
use crate::report::design::{self as report, DesignReport};
use crate::source::design::TEMPLATES;
use crate::source::scenario;
use crate::source::watch::Watch;

#[derive(Args, Debug)]
#[command(group(ArgGroup::new("written").args(["output", "documents", "queries"]).multiple(true)))]
pub struct DesignArguments {
    /// The file of a design: entities with size and rate, whose they are, queries, keys to compare
    #[arg(required_unless_present = "new", value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// Print a design to begin with, every field explained: orders, iot, saas, chat, rag, gaming or event-sourcing
    #[arg(long, value_name = "TEMPLATE", num_args = 0..=1, default_missing_value = "", conflicts_with_all = ["file", "documents", "queries", "sample", "format"], help_heading = "Output")]
    pub new: Option<String>,
    /// How many documents are drawn
    #[arg(long, value_name = "N", default_value_t = scenario::SAMPLE_DOCUMENTS, value_parser = clap::value_parser!(u64).range(1..=MOST_SAMPLE), help_heading = "Data")]
    pub sample: u64,
    /// Also write the drawn documents to this file, as JSON lines
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub documents: Option<PathBuf>,
    /// Also write the requests with their rates to this file, as trial --queries reads them
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub queries: Option<PathBuf>,
    #[arg(long, value_enum, default_value_t = DocumentFormat::Text, help_heading = "Output")]
    pub format: DocumentFormat,
    /// No progress on standard error
    #[arg(long, help_heading = "Output")]
    pub quiet: bool,
    /// Write to this file instead of standard output; it is whole or absent
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub output: Option<PathBuf>,
    /// Overwrite the files
    #[arg(long, requires = "written", help_heading = "Output")]
    pub force: bool,
}

impl DesignArguments {
    fn to(&self, path: Option<&PathBuf>) -> Output {
        Output { output: path.cloned(), force: self.force }
    }
}

pub(super) fn run(c: &DesignArguments, config: &Config, watch: &Watch) -> Result<u8, Error> {
    let to = c.to(c.output.as_ref());
    if let Some(name) = &c.new {
        return print_template(name, &to);
    }
    let file = c.file.iter().cloned().collect::<Vec<_>>();
    prepare(&to, &file)?;
    let write = writer(c.format, report::format)?;
    let name = c.file.as_deref().and_then(std::path::Path::to_str);
    let name = name.ok_or_else(|| usage("the name of the file is not UTF-8", "rename the file"))?;
    let name = &scenario::as_path(name);
    let design = scenario::design_of(name)?;
    let made = designed(c, name, design, (config, watch))?;
    write_files(c, name, &made.design)?;
    let style = style(&to, CsvCells::Safe);
    output::write(&to, &mut |out| write(&made, style, out))
}

fn designed(
    c: &DesignArguments,
    name: &str,
    design: Design,
    (config, watch): (&Config, &Watch),
) -> Result<DesignReport, Error> {
    for key in &design.try_keys {
        parts::parsed("a key of try", key)?;
    }
    let with = TrialArguments {
        scenario: Some(name.to_owned()),
        container: Some(design.container.clone()),
        key: design.try_keys.clone(),
        sample: c.sample,
        quiet: c.quiet,
        ..TrialArguments::of(Vec::new(), TrialInputs::default())
    };
    let tried = make(&with, config, watch)?;
    parts::refuse_misspelled(&with, &tried.absent, config, watch)?;
    let notes = notes(&design, tried.report.whole.looked_at);
    Ok(DesignReport {
        ceiling: option_values::ceiling(None, config)?,
        design,
        trial: tried.report,
        notes,
    })
}

fn notes(design: &Design, documents: u64) -> Vec<Note> {
    let drawn = format!(
        "keys: {} drawn, as the container is after {}; ≈ is from them",
        counted(documents, "document was", "documents were"),
        with_unit(&trimmed_text(design.age_days), "day", "days")
    );
    [
        "GiB, MiB and KiB are powers of 1,024; GB is 1,000,000,000 bytes",
        "RU are what the documentation says of 1 KB: 1 to read, 5 to write, 10 with everything indexed; they grow as the root of the size",
        "a query costs 2.5 RU unless its ru is given",
        "sizes are those of the documents; indexes count towards 20 GB, too",
        &drawn,
    ]
    .map(Note::new)
    .into()
}

fn write_files(c: &DesignArguments, name: &str, design: &Design) -> Result<(), Error> {
    if let Some(path) = &c.documents {
        let mut texts = scenario::documents(name, &design.container, c.sample)?;
        output::write(&c.to(Some(path)), &mut |file| {
            for text in texts.by_ref() {
                writeln!(file, "{text}")?;
            }
            Ok(())
        })?;
    }
    if let Some(path) = &c.queries {
        let mut text = String::new();
        for query in scenario::queries(name, &design.container) {
            let request = WrittenRequest {
                name: Some(&query.name),
                per_second: Some(query.per_second),
                ru: Some(query.ru_per_visit),
                statement: &query.statement(),
                parameters: &[],
            };
            let _ = write!(text, "{request}");
        }
        output::write(&c.to(Some(path)), &mut |file| file.write_all(text.as_bytes()))?;
    }
    Ok(())
}

fn print_template(name: &str, to: &Output) -> Result<u8, Error> {
    let names = TEMPLATES.map(|(name, _)| name);
    let list = names.join(", ");
    let mut templates = TEMPLATES.iter();
    let found = if name.is_empty() {
        templates.next()
    } else {
        templates.find(|(known, _)| *known == name)
    };
    let Some((_, text)) = found else {
        return Err(Error::unknown("there is no template", name, &names, |list| {
            format!("the templates are {list}")
        }));
    };
    output::write(to, &mut |out| {
        if name.is_empty() {
            writeln!(out, "# cosmoscope design --new TEMPLATE prints others: {list}.")?;
        }
        out.write_all(text.as_bytes())
    })
}
