//! `lesson`: one on the screens; as text, as a hand-out, as words for the presenter; and a check of a file.

use std::collections::BTreeSet;

use clap::{Args, ValueEnum};

use super::output::{self, style, writer};
use super::picture::size;
use super::{Cli, MeasureArgument, Output, PictureArguments, ReadArguments, plain, screens};
use crate::error::{Error, exit};
use crate::model::lesson::Lesson;
use crate::model::units::counted;
use crate::model::visible::visible;
use crate::report::{self, CsvCells};
use crate::source::lesson::{LESSONS, NEW, named};
use crate::source::small_file::field;
use crate::source::watch::Watch;
use crate::tui::{self, Start, Surroundings, faults, hand_out, step_screen};
use crate::ui::kit::input::Size;
use crate::ui::kit::msg::ViewId;
use crate::ui::kit::picture as drawn;
use crate::work::shared::Shared;

/// Every step must fit into these.
const WINDOWS: [Size; 2] = [Size { width: 80, height: 24 }, Size { width: 100, height: 30 }];

#[expect(clippy::struct_excessive_bools, reason = "each is an option that is given or not")]
#[derive(Args, Debug)]
pub struct LessonArguments {
    /// The lesson, or the file of one; without a name they are listed on the screens
    #[arg(value_name = "NAME|FILE")]
    pub name: Option<String>,
    /// Begin at this step
    #[arg(long, value_name = "N", requires = "name", value_parser = clap::value_parser!(u64).range(1..=200), help_heading = "Data")]
    pub step: Option<u64>,

    /// List the lessons, and end
    #[arg(long, conflicts_with = "name", help_heading = "Output")]
    pub list: bool,
    /// Print a lesson to begin with, every field explained
    #[arg(long, conflicts_with_all = ["name", "list"], help_heading = "Output")]
    pub new: bool,
    /// Play every step at 80x24 and 100x30, and exit with 1 where one does not show what it says
    #[arg(long, requires = "name", help_heading = "Output")]
    pub check: bool,
    /// Print the words for the presenter, step by step, for a second terminal
    #[arg(long, requires = "name", conflicts_with_all = ["check", "format"], help_heading = "Output")]
    pub notes: bool,
    /// Print one step as it is drawn, and end
    #[arg(long, requires = "step", group = "picture", conflicts_with_all = ["check", "notes"], help_heading = "Output")]
    pub print: bool,
    /// Write the lesson as a hand-out: each step with its picture, the answers at the end
    #[arg(long, value_enum, requires = "name", help_heading = "Output")]
    pub format: Option<HandOutFormat>,
    #[command(flatten)]
    pub drawn: PictureArguments,
    #[command(flatten)]
    pub output: Output,
}

#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub enum HandOutFormat {
    Text,
    Md,
    Html,
}

pub fn run(cli: &Cli, c: &LessonArguments) -> Result<u8, Error> {
    let here = Surroundings::read();
    if c.new {
        return output::write(&c.output, &mut |to| to.write_all(NEW.as_bytes()));
    }
    let Some(name) = &c.name else {
        if c.list || plain::is_wanted(cli, &here) || !tui::is_usable(&here) {
            return list(c);
        }
        let mut start = begin(cli, &here)?;
        start.settings.view = ViewId::Lesson;
        return tui::run(start);
    };
    let lesson = Shared::new(named(name)?);
    let place = c.step.map_or(0, |step| usize::try_from(step - 1).unwrap_or(0));
    if place >= lesson.steps.len() {
        let steps = counted(lesson.steps.len() as u64, "step", "steps");
        return Err(Error::usage(format!("the lesson has {steps}")));
    }
    let mut start = begin(cli, &here)?;
    if c.check {
        return check(&lesson, &start);
    }
    if c.print {
        return print(&lesson, place, c, &start);
    }
    let as_text = plain::is_wanted(cli, &here).then_some(HandOutFormat::Text);
    let notes = c.notes.then_some(HandOutFormat::Text);
    if let Some(format) = c.format.or(notes).or(as_text) {
        return write(&lesson, format, c, &start);
    }
    tui::check(&here)?;
    start.settings.lesson = Some((lesson, place));
    tui::run(start)
}

fn begin(cli: &Cli, here: &Surroundings) -> Result<Start, Error> {
    let (reading, measure) = (ReadArguments::default(), MeasureArgument::default());
    screens::begin(cli, None, &reading, &measure, here)
}

fn list(c: &LessonArguments) -> Result<u8, Error> {
    let style = style(&c.output, CsvCells::Safe);
    output::write(&c.output, &mut |to| {
        writeln!(to, "Lessons, opened with `cosmoscope lesson NAME`.")?;
        for (name, text) in &LESSONS {
            let lead = format!("  {name:<12} ");
            let further = " ".repeat(lead.len());
            let title = field(text, "title");
            write!(to, "{}", report::wrap(&title, style.width, &lead, &further))?;
        }
        Ok(())
    })
}

fn check(lesson: &Shared<Lesson>, start: &Start) -> Result<u8, Error> {
    let found = WINDOWS.map(|window| faults(lesson, &start.work, window));
    // What is wrong in both windows is said once.
    let found: BTreeSet<(usize, String)> = found.into_iter().flatten().collect();
    let steps = counted(lesson.steps.len() as u64, "step", "steps");
    output::write(&Output::default(), &mut |to| {
        if found.is_empty() {
            return writeln!(to, "{steps}, each shows what it says at 80x24 and 100x30.");
        }
        let mut found = found.iter();
        found.try_for_each(|(place, what)| writeln!(to, "step {}: {}", place + 1, visible(what)))
    })?;
    Ok(if found.is_empty() { exit::DONE } else { exit::FINDING })
}

fn print(
    lesson: &Shared<Lesson>,
    place: usize,
    c: &LessonArguments,
    start: &Start,
) -> Result<u8, Error> {
    let screen = step_screen(lesson, place, &start.work, size(&c.drawn.size)?);
    let mut screen = screen.ok_or_else(|| Error::usage("no theme"))?;
    screen.type_keys(c.drawn.typed.as_deref());
    let text = drawn::plain(&screen.frame());
    output::write(&c.output, &mut |to| to.write_all(text.as_bytes()))
}

fn write(
    lesson: &Shared<Lesson>,
    format: HandOutFormat,
    c: &LessonArguments,
    start: &Start,
) -> Result<u8, Error> {
    let played = hand_out(lesson, &start.work, &Watch::default()).ok_or(Error::Interrupted)?;
    let played = report::lesson::HandOut { is_for_presenter: c.notes, ..played };
    let write = writer(format, report::lesson::format)?;
    let style = style(&c.output, CsvCells::Safe);
    output::write(&c.output, &mut |to| write(&played, style, to))
}
