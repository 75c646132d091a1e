//! A report for people, block by block: each block in the form that text, Markdown and HTML have for it.

use std::fmt::{Display, Write as _};
use std::io;

use crate::analysis::findings::Severity;
use crate::analysis::rows::Note;
use crate::model::visible::{display_width, shorten, shorten_column};

use super::layout::{left, push_notes, right, sentence, wrap};
use super::{Colour, Style, escape, md, page};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Markup {
    Text,
    Md,
    Html,
}

/// Texts come visible and are escaped here.
pub(super) struct Doc {
    pub kind: Markup,
    pub style: Style,
    out: String,
}

/// How a table is drawn; the first column is of names.
#[derive(Clone, Copy)]
pub(super) struct TableForm {
    /// In HTML: `numbers` to the right, or `words`.
    pub class: &'static str,
    /// `l` or `r` for each column, the last for all further ones.
    pub align: &'static str,
    /// In text, before the first column and before each other one.
    pub between: [&'static str; 2],
    pub first: FirstColumn,
    pub least: usize,
    /// In text, heads of columns that are left out where there is no room for all, the least needed first.
    pub spare: &'static [&'static str],
}

impl TableForm {
    fn sides(self) -> impl Iterator<Item = char> {
        let last = self.align.chars().next_back();
        self.align.chars().chain(last.into_iter().cycle())
    }
}

/// Columns of the first column in text.
#[derive(Clone, Copy)]
pub(super) enum FirstColumn {
    Widest,
    Fixed(usize),
    /// What the others leave; never less than this.
    Rest(usize),
}

pub(super) const NUMBERS: TableForm = TableForm {
    class: "numbers",
    align: "lr",
    between: ["  ", " "],
    first: FirstColumn::Widest,
    least: 0,
    spare: &[],
};
pub(super) const WORDS: TableForm = TableForm { class: "words", align: "l", ..NUMBERS };

/// A point of a list.
pub(super) enum Point {
    Plain(String),
    /// `lead **strong**: text`
    Said([String; 3]),
    Reason(Severity, String),
    /// In its order.
    Step(String),
    /// Below the point before.
    Below(String),
    /// A command that can be copied, and what it is about, below the point before.
    Run(String, String),
}

impl Point {
    pub fn text(&self) -> String {
        match self {
            Self::Plain(text) | Self::Step(text) | Self::Below(text) => text.clone(),
            Self::Said([lead, strong, text]) if text.is_empty() => format!("{lead}{strong}"),
            Self::Said([lead, strong, text]) => format!("{lead}{strong}: {text}"),
            Self::Reason(severity, text) => format!("{}: {text}", severity.word()),
            Self::Run(command, about) if about.is_empty() => command.clone(),
            Self::Run(command, about) => format!("{command} ({about})"),
        }
    }

    fn is_below(&self) -> bool {
        matches!(self, Self::Below(_) | Self::Run(..))
    }

    fn md(&self) -> String {
        let escape = md::escape;
        match self {
            Self::Said([lead, strong, text]) => {
                format!("{}**{}**: {}", escape(lead), escape(strong), escape(text))
            }
            Self::Reason(severity, text) => format!("**{}** {}", severity.word(), escape(text)),
            Self::Run(command, about) if is_code(command) => {
                let about = if about.is_empty() { "run" } else { about };
                format!("{}:\n\n     ```sh\n     {command}\n     ```\n", escape(about))
            }
            other => escape(&other.text()),
        }
    }
}

/// Whether it holds nothing that a careless reader of Markdown takes for markup, but for `<names>` to fill in.
fn is_code(command: &str) -> bool {
    let is_name = |rest: &str| {
        let name = rest.split_once('>').map_or("", |(name, _)| name);
        !name.is_empty() && name.bytes().all(|b| b.is_ascii_lowercase() || b == b'-')
    };
    !command.contains('`') && command.split('<').skip(1).all(is_name)
}

/// The element of HTML, and in text what stands before a point and before its further lines.
pub(super) type Bullets = (&'static str, &'static str, &'static str);

impl Doc {
    pub fn text(style: Style) -> Self {
        Self::of(Markup::Text, style)
    }

    pub fn md(style: Style) -> Self {
        Self::of(Markup::Md, style)
    }

    pub fn html(style: Style) -> Self {
        Self::of(Markup::Html, style)
    }

    fn of(kind: Markup, style: Style) -> Self {
        let out = String::new();
        Self { kind, style, out }
    }

    pub fn is(&self, kind: Markup) -> bool {
        self.kind == kind
    }

    /// What has been written since the last time goes out.
    pub fn flush(&mut self, to: &mut dyn io::Write) -> io::Result<()> {
        to.write_all(self.out.as_bytes())?;
        self.out.clear();
        Ok(())
    }

    pub fn into_text(self) -> String {
        self.out
    }

    pub fn end(mut self, to: &mut dyn io::Write) -> io::Result<()> {
        if self.is(Markup::Html) {
            self.raw(page::END);
        }
        self.flush(to)
    }

    /// As it stands.
    pub fn raw(&mut self, text: impl Display) {
        let _ = write!(self.out, "{text}");
    }

    /// An empty line in text; Markdown has one before each block.
    pub fn gap(&mut self) {
        if self.is(Markup::Text) {
            self.out.push('\n');
        }
    }

    /// Lines of text.
    pub fn line(&mut self, text: &str, first: &str, further: &str) {
        self.out.push_str(&wrap(text, self.style.width, first, further));
    }

    /// `kind` is what the document is; a page has a title of its own.
    pub fn title(&mut self, kind: &str, page: &str, summary: &str) {
        match self.kind {
            Markup::Text => self.line(summary, "", ""),
            Markup::Md => {
                let [kind, summary] = [kind, summary].map(md::escape);
                self.raw(format!("# {kind}\n\n{summary}\n"));
            }
            Markup::Html => self.raw(page::head(page, summary)),
        }
    }

    /// A part, whose name stands in one line of text; in HTML until its end.
    pub fn part(&mut self, name: &str) {
        match self.kind {
            Markup::Text => {
                self.gap();
                self.bold(&shorten(name, self.style.width.max(10)));
            }
            Markup::Md => self.heading(2, ["", name, ""]),
            Markup::Html => {
                self.raw("<section>\n");
                self.heading(2, ["", name, ""]);
            }
        }
    }

    pub fn part_end(&mut self) {
        if self.is(Markup::Html) {
            self.raw("</section>\n");
        }
    }

    pub fn bold(&mut self, text: &str) {
        match self.style.colour {
            _ if self.is(Markup::Html) => {
                self.raw(format!("<p><strong>{}</strong></p>\n", self.escaped(text)));
            }
            Colour::Off => self.raw(format!("{text}\n")),
            Colour::On => self.raw(format!("\x1b[1m{text}\x1b[0m\n")),
        }
    }

    fn escaped(&self, text: &str) -> String {
        match self.kind {
            Markup::Text => text.to_owned(),
            Markup::Md => md::escape(text),
            Markup::Html => escape(text),
        }
    }

    /// What stands before a name, the name, and what stands behind it.
    pub fn heading(&mut self, level: usize, pieces: [&str; 3]) {
        let [before, name, after] = pieces.map(|piece| self.escaped(piece));
        match self.kind {
            Markup::Text => self.line(&pieces.concat(), "", "   "),
            Markup::Md => {
                let signs = "#".repeat(level);
                self.raw(format!("\n{signs} {before}{name}{after}\n"));
            }
            Markup::Html if name.is_empty() => {
                self.raw(format!("<h{level}>{before}{after}</h{level}>\n"));
            }
            Markup::Html => {
                let name = format!("<bdi>{name}</bdi>");
                self.raw(format!("<h{level}>{before}{name}{after}</h{level}>\n"));
            }
        }
    }

    pub fn paragraph(&mut self, text: &str, indent: &str) {
        let shown = self.escaped(text);
        match self.kind {
            Markup::Text => self.line(text, indent, indent),
            Markup::Md => self.raw(format!("\n{shown}\n")),
            Markup::Html => self.raw(format!("<p><bdi>{shown}</bdi></p>\n")),
        }
    }

    /// Code as it stands, named by its language; nothing in it ends the block.
    pub fn code(&mut self, language: &str, code: &str) {
        let code = code.trim_end();
        match self.kind {
            Markup::Text => self.raw(format!("{code}\n")),
            Markup::Md => {
                let runs = code.split(|c| c != '`').map(str::len);
                let fence = "`".repeat(runs.max().unwrap_or(0).max(2) + 1);
                self.raw(format!("\n{fence}{language}\n{code}\n{fence}\n"));
            }
            Markup::Html => {
                let code = escape(code);
                self.raw(format!("<pre><code>{code}</code></pre>\n"));
            }
        }
    }

    /// What is said in passing.
    pub fn aside(&mut self, text: &str, indent: &str) {
        if self.is(Markup::Html) {
            self.raw(format!("<p class=\"faint\">{}</p>\n", self.escaped(text)));
        } else {
            self.paragraph(text, indent);
        }
    }

    /// A word in the colour of its severity, and what is said.
    pub fn severity_line(&mut self, severity: Severity, text: &str, indent: &str, further: &str) {
        let paint = match severity {
            Severity::Alarm => "\x1b[1;31m",
            Severity::Warn => "\x1b[33m",
            Severity::Note => "\x1b[36m",
        };
        let word = left(severity.word(), 5);
        self.painted(paint, [indent, &word, "  "], text, further);
    }

    /// Painted after wrapping: escape sequences have no width.
    pub fn painted(&mut self, paint: &str, first: [&str; 3], text: &str, further: &str) {
        let lines = wrap(text, self.style.width, &first.concat(), further);
        let [indent, word, _] = first;
        match lines.strip_prefix(&format!("{indent}{word}")) {
            Some(rest) if self.style.colour == Colour::On => {
                self.raw(format!("{indent}{paint}{word}\x1b[0m{rest}"));
            }
            _ => self.raw(lines),
        }
    }

    /// Nothing where there are no points.
    pub fn list(
        &mut self,
        (kind, first, further): Bullets,
        items: impl IntoIterator<Item = Point>,
    ) {
        let mut items = items.into_iter().peekable();
        if items.peek().is_none() {
            return;
        }
        match self.kind {
            Markup::Text => {}
            Markup::Md => self.raw("\n"),
            Markup::Html => self.raw(format!("<{kind}>\n")),
        }
        let mut number = 0;
        while let Some(item) = items.next() {
            let is_below = item.is_below();
            number += u32::from(!is_below);
            match (self.kind, &item) {
                (Markup::Text, Point::Reason(severity, text)) => {
                    self.severity_line(*severity, text, first, further);
                }
                (Markup::Text, Point::Run(command, about)) => {
                    // Torn into lines it could not be copied.
                    self.raw(format!("{further}{command}\n"));
                    if !about.is_empty() {
                        self.line(&format!("({about})"), further, further);
                    }
                }
                (Markup::Text, Point::Below(text)) => self.line(text, further, further),
                (Markup::Text, item) => self.line(&item.text(), first, further),
                (Markup::Md, item) => {
                    let mark = match item {
                        Point::Below(_) | Point::Run(..) => "   -".to_owned(),
                        Point::Step(_) => format!("{number}."),
                        _ => "-".to_owned(),
                    };
                    self.raw(format!("{mark} {}\n", item.md()));
                }
                (Markup::Html, item) => {
                    let text = self.escaped(&item.text());
                    let begins = if is_below { "<br>" } else { "<li>" };
                    let goes_on = items.peek().is_some_and(Point::is_below);
                    let ends = if goes_on { "\n" } else { "</li>\n" };
                    self.raw(format!("{begins}<bdi>{text}</bdi>{ends}"));
                }
            }
        }
        if self.is(Markup::Html) {
            self.raw(format!("</{kind}>\n"));
        }
    }

    /// At the end of a document.
    pub fn notes(&mut self, first: Option<String>, notes: &[Note]) {
        if self.is(Markup::Text) {
            if let Some(text) = first {
                self.line(&text, "· ", "  ");
            }
            push_notes(notes, self.style.width, &mut self.out);
            return;
        }
        let mut notes = first.into_iter().chain(notes.iter().map(sentence)).peekable();
        if notes.peek().is_some() {
            self.heading(2, ["Notes", "", ""]);
            self.list(("ul", "", ""), notes.map(Point::Plain));
        }
    }

    pub fn table<R: IntoIterator<Item = String>>(
        &mut self,
        form: TableForm,
        heads: impl IntoIterator<Item = impl Into<String>>,
        rows: impl IntoIterator<Item = R>,
    ) {
        let heads: Vec<String> = heads.into_iter().map(Into::into).collect();
        let rows = rows.into_iter().map(R::into_iter);
        match self.kind {
            Markup::Text => {
                let rows: Vec<Vec<String>> = rows.map(Iterator::collect).collect();
                for line in columns(form, &heads, &rows, self.style.width) {
                    self.raw(format!("{}\n", line.trim_end()));
                }
            }
            Markup::Md => self.md_table(form, &heads, rows),
            Markup::Html => page::push_columns(form.class, &heads, rows, &mut self.out),
        }
    }

    fn md_table(
        &mut self,
        form: TableForm,
        heads: &[String],
        rows: impl Iterator<Item = impl Iterator<Item = String>>,
    ) {
        self.raw("\n");
        for head in heads {
            let blank = if head.is_empty() { "" } else { " " };
            self.raw(format!("| {}{blank}", md::escape(head)));
        }
        let rule = |side| if side == 'r' { "---:|" } else { "---|" };
        let rules: String = form.sides().map(rule).take(heads.len()).collect();
        self.raw(format!("|\n|{rules}\n"));
        for row in rows {
            for cell in row {
                self.raw(format!("| {} ", md::escape(&cell)));
            }
            self.raw("|\n");
        }
    }
}

/// The lines of a table in text, its heads first; no number is broken.
pub(super) fn columns(
    form: TableForm,
    heads: &[String],
    rows: &[Vec<String>],
    width: usize,
) -> Vec<String> {
    let widest = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        let widths = cells.chain(heads.get(column)).map(|c| display_width(c));
        widths.max().unwrap_or(0)
    };
    let further = 1..heads.len();
    let widths: Vec<usize> = further.map(|c| widest(c).max(form.least)).collect();
    let [indent, between] = form.between;
    let first = match form.first {
        FirstColumn::Widest => widest(0),
        FirstColumn::Fixed(columns) => columns,
        FirstColumn::Rest(least) => {
            let beside: usize = widths.iter().map(|width| width + between.len()).sum();
            width.saturating_sub(beside + indent.len()).max(least)
        }
    };
    let lines: Vec<&[String]> =
        std::iter::once(heads).chain(rows.iter().map(Vec::as_slice)).collect();
    let names = lines.iter().map(|line| line.first().map_or("", String::as_str));
    let names = shorten_column(&names.collect::<Vec<_>>(), first);
    let line = |(row, name): (&[String], String)| {
        let mut line = format!("{indent}{}", left(&name, first));
        let cells = row.iter().zip(form.sides()).skip(1);
        for ((cell, side), width) in cells.zip(&widths) {
            line.push_str(between);
            let aligned = if side == 'l' { left } else { right };
            line.push_str(&aligned(cell, *width));
        }
        line
    };
    let lines: Vec<String> = lines.into_iter().zip(names).map(line).collect();
    match form.spare {
        [least, spare @ ..] if lines.iter().any(|line| display_width(line) > width) => {
            let kept = |row: &[String]| -> Vec<String> {
                let cells = heads.iter().zip(row).filter(|(head, _)| head != least);
                cells.map(|(_, cell)| cell.clone()).collect()
            };
            let rows: Vec<Vec<String>> = rows.iter().map(|row| kept(row)).collect();
            columns(TableForm { spare, ..form }, &kept(heads), &rows, width)
        }
        _ => lines,
    }
}

#[cfg(test)]
mod tests;
