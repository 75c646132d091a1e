//! A lesson to take away: each step with its picture and its sentence, the answers at the end.

use std::io::{self, Write};

use super::Style;
use super::doc::{Doc, Markup};
use crate::model::units::counted;
use crate::model::visible::visible;

/// A lesson as it was played.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct HandOut {
    pub title: String,
    pub about: String,
    pub pages: Vec<HandOutPage>,
    /// Answers and words for the presenter stand at their steps, without pictures.
    pub is_for_presenter: bool,
}

/// One step, its figures filled in.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct HandOutPage {
    pub say: String,
    /// What is on the screen, in a few words.
    pub screen: String,
    pub picture: DrawnScreen,
    pub ask: Option<String>,
    pub answer: Option<String>,
    pub note: Option<String>,
}

/// One screen, as markup and as text.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct DrawnScreen {
    pub svg: String,
    pub text: String,
}

pub type HandOutWriter = fn(&HandOut, Style, &mut dyn Write) -> io::Result<()>;

/// The writer of the format of that name.
pub fn format(name: &str) -> Option<HandOutWriter> {
    Some(match name {
        "text" => |lesson, style, to| page(Doc::text(style), lesson, to),
        "md" => |lesson, style, to| page(Doc::md(style), lesson, to),
        "html" => |lesson, style, to| page(Doc::html(style), lesson, to),
        _ => return None,
    })
}

fn page(mut doc: Doc, lesson: &HandOut, to: &mut dyn Write) -> io::Result<()> {
    let title = visible(&lesson.title);
    let steps = counted(lesson.pages.len() as u64, "step", "steps");
    let about = visible(&lesson.about);
    doc.title(&title, &title, &format!("{title}. {about} {steps}."));
    for (number, step) in (1..).zip(&lesson.pages) {
        doc.part(&format!("{number}. {}", visible(&step.screen)));
        picture(&mut doc, step);
        doc.paragraph(&visible(&step.say), "");
        if let Some(ask) = &step.ask {
            doc.paragraph(&format!("Question: {}", visible(ask)), "");
        }
        if lesson.is_for_presenter {
            let answer = step.answer.as_ref().map(|answer| ("Answer", answer));
            let note = step.note.as_ref().map(|note| ("Say", note));
            for (lead, words) in answer.into_iter().chain(note) {
                doc.aside(&format!("{lead}: {}", visible(words)), "  ");
            }
        }
        doc.part_end();
    }
    let answers = (1..).zip(&lesson.pages);
    let answers = answers.filter_map(|(n, step): (u32, _)| Some((n, step.answer.as_ref()?)));
    let answers: Vec<(u32, &String)> = answers.collect();
    if !answers.is_empty() && !lesson.is_for_presenter {
        doc.part("Answers");
        for (number, answer) in answers {
            doc.paragraph(&format!("{number}. {}", visible(answer)), "");
        }
        doc.part_end();
    }
    doc.end(to)
}

fn picture(doc: &mut Doc, step: &HandOutPage) {
    let drawn = &step.picture;
    match doc.kind {
        Markup::Html => doc.raw(format!("<figure>\n{}</figure>\n", drawn.svg)),
        Markup::Md => doc.code("text", &drawn.text),
        // Who reads a text has no use for boxes and bars.
        Markup::Text => {}
    }
}
