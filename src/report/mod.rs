//! Reports in every format, written byte for byte the same from the same values.

pub mod check;
pub mod csv;
pub mod decision;
pub mod design;
pub mod diff;
mod doc;
pub mod doctor;
mod escape;
pub mod forecast;
pub mod heat;
pub mod inspect;
pub mod json;
mod junit;
pub mod key_text;
mod layout;
pub mod lesson;
pub mod locate;
mod md;
mod page;
pub mod plan;
pub mod ru_keys;
mod sarif;
pub mod simulate;
pub mod text;
pub mod trial;
pub mod workload;
mod write_json;

pub use escape::escape;
pub use layout::{
    gib, gib_a_week, left, limit_date_text, limit_date_words, limit_name, limit_sentence,
    visible_once, wrap,
};
pub use page::of_picture;

use std::io::{self, Write};

use self::doc::Doc;
use crate::analysis::rows::Report;

/// Whether escape sequences for colour may be written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Colour {
    #[default]
    Off,
    On,
}

/// How text cells of a CSV file are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum CsvCells {
    /// No cell runs as a formula in a spreadsheet, and none acts on a terminal.
    #[default]
    Safe,
    /// As in the data, whatever opens the file.
    Exact,
}

/// What a writer needs to know beside the report.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Style {
    pub width: usize,
    pub colour: Colour,
    pub cells: CsvCells,
}

impl Default for Style {
    fn default() -> Self {
        Self { width: 80, colour: Colour::Off, cells: CsvCells::Safe }
    }
}

/// One format of `report`.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    pub name: &'static str,
    pub write: fn(&Report, Style, &mut dyn Write) -> io::Result<()>,
    /// How many keys are shown unless `--top` says; None = all.
    pub default_top: Option<usize>,
    /// Whether it shows totals of hierarchical prefixes.
    pub has_prefixes: bool,
    /// Whether it shows how the sizes of all keys are spread.
    pub has_distributions: bool,
}

/// Keys that people read at a time; scripts take all.
const TOP_FOR_PEOPLE: usize = 20;

const PEOPLE: Format = Format {
    name: "text",
    write: text::write,
    default_top: Some(TOP_FOR_PEOPLE),
    has_prefixes: true,
    has_distributions: true,
};
const SCRIPTS: Format = Format {
    name: "json",
    write: json::write,
    default_top: None,
    has_prefixes: false,
    has_distributions: true,
};

pub const FORMATS: [Format; 5] = [
    PEOPLE,
    SCRIPTS,
    Format { name: "csv", write: csv::write, has_distributions: false, ..SCRIPTS },
    Format { name: "md", write: |r, s, to| text::write_to(r, Doc::md(s), to), ..PEOPLE },
    Format { name: "html", write: |r, s, to| text::write_to(r, Doc::html(s), to), ..PEOPLE },
];

/// What writes a report in one of its formats.
pub type Writer<R> = Box<dyn Fn(&R, Style, &mut dyn Write) -> io::Result<()>>;

type OneFormat<R> = fn(&R, Style, &mut dyn Write) -> io::Result<()>;

/// What writes the format of that name: one of the report's own, or its page as text, Markdown or HTML.
fn writer<R: ?Sized + 'static>(
    name: &str,
    page: fn(Doc, &R, &mut dyn Write) -> io::Result<()>,
    own: &[(&str, OneFormat<R>)],
) -> Option<Writer<R>> {
    if let Some((_, write)) = own.iter().find(|(known, _)| *known == name) {
        return Some(Box::new(*write));
    }
    let markup = match name {
        "text" => Doc::text,
        "md" => Doc::md,
        "html" => Doc::html,
        _ => return None,
    };
    Some(Box::new(move |report, style, to| page(markup(style), report, to)))
}

pub fn format(name: &str) -> Option<&'static Format> {
    FORMATS.iter().find(|f| f.name == name)
}
