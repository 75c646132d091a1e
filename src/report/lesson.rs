//! A lesson to take away: each step with its picture and its sentence, the answers at the end.

use std::io::{self, Write};

use super::doc::{Doc, Markup};
use super::{Writer, writer};
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

/// The writer of the format of that name.
pub fn format(name: &str) -> Option<Writer<HandOut>> {
    writer(name, page, &[])
}

fn page(mut doc: Doc, lesson: &HandOut, to: &mut dyn Write) -> io::Result<()> {
    let title = visible(&lesson.title);
    let steps = counted(lesson.pages.len() as u64, "step", "steps");
    let about = visible(&lesson.about);
    doc.title(&title, &title, &format!("{title}. {about} {steps}."));
    for (number, step) in (1..).zip(&lesson.pages) {
        let say = visible(&step.say);
        let (first, others) = say.split_at(say.find(". ").map_or(say.len(), |end| end + 1));
        let name = format!("{number}. {first}");
        if doc.is(Markup::Text) {
            doc.gap();
            doc.line(&name, "", "   ");
        } else {
            doc.part(&name);
        }
        picture(&mut doc, step);
        if !others.is_empty() {
            doc.paragraph(others.trim_start(), "");
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Style;

    #[test]
    fn a_step_is_named_by_its_first_sentence_and_no_text_is_markup() {
        let hostile = "<img src=x> [x](javascript:alert(1))";
        let mut page =
            HandOutPage { say: "One key holds 19.4 GiB. It grows.".into(), ..Default::default() };
        page.picture.text = "picture".to_owned();
        let lesson = HandOut { title: hostile.to_owned(), pages: vec![page], ..Default::default() };
        for (name, step) in [
            ("text", "\n1. One key holds 19.4 GiB.\nIt grows.\n"),
            ("md", "\n## 1. One key holds 19.4 GiB.\n\n```text\npicture\n```\n\nIt grows.\n"),
            ("html", "<h2><bdi>1. One key holds 19.4 GiB.</bdi></h2>\n"),
        ] {
            let mut out = Vec::new();
            let written = format(name).map(|write| write(&lesson, Style::default(), &mut out));
            assert!(written.is_some_and(|end| end.is_ok()), "{name}");
            let text = String::from_utf8_lossy(&out);
            assert!(text.contains(step), "{text}");
            assert!(name == "text" || !text.contains(hostile) && !text.contains("<img"), "{text}");
            assert!(
                name != "md" || !text.contains("javascript:") && !text.contains("[x]"),
                "{text}"
            );
        }
    }
}
