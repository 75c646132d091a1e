//! Text to copy: definitions of the new container, and code that computes, reads and writes its key. Nothing of it is run.

mod code;
mod definition;

mod quote;
mod vectors;

#[cfg(test)]
mod tests;

use super::PlanReport;
use crate::analysis::plan::container::NewContainer;
use crate::analysis::plan::routes::RouteKind;

use code::Language;
use definition::Tool;

pub(super) const INVENTED: &str = "Names are invented: put the real ones in before running.";

/// One of the texts.
#[derive(Clone, Copy)]
pub struct Artefact {
    pub name: &'static str,
    pub(super) title: &'static str,
    /// The language of a block of Markdown.
    pub(super) markup: &'static str,
    /// Begins a comment.
    comment: &'static str,
    writer: Writer,
}

#[derive(Clone, Copy)]
enum Writer {
    Definition(&'static Tool),
    Template,
    Code(&'static Language),
}

impl Artefact {
    pub const ALL: [Self; 10] = [
        Self::of(
            ["bicep", "New container, Bicep", "bicep", "// "],
            Writer::Definition(&definition::BICEP),
        ),
        Self::of(["arm", "New container, ARM template", "json", ""], Writer::Template),
        Self::of(
            ["az", "New container and copy, Azure CLI", "sh", "# "],
            Writer::Definition(&definition::AZ),
        ),
        Self::of(
            ["terraform", "New container, Terraform", "hcl", "# "],
            Writer::Definition(&definition::TERRAFORM),
        ),
        Self::of(
            ["portal", "New container, portal", "text", ""],
            Writer::Definition(&definition::PORTAL),
        ),
        Self::of(["csharp", "Key builder, C#", "csharp", "// "], Writer::Code(&code::CSHARP)),
        Self::of(["java", "Key builder, Java", "java", "// "], Writer::Code(&code::JAVA)),
        Self::of(["python", "Key builder, Python", "python", "# "], Writer::Code(&code::PYTHON)),
        Self::of(
            ["javascript", "Key builder, JavaScript", "javascript", "// "],
            Writer::Code(&code::JAVASCRIPT),
        ),
        Self::of(["rust", "Key builder, Rust", "rust", "// "], Writer::Code(&code::RUST)),
    ];

    const fn of([name, title, markup, comment]: [&'static str; 4], writer: Writer) -> Self {
        Self { name, title, markup, comment, writer }
    }

    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.name == name)
    }

    /// As a file of its own.
    pub fn text(self, report: &PlanReport) -> String {
        let recommended = report.plan.recommended.as_ref();
        let text = self.written(&report.plan.container, recommended.map(|(kind, _)| *kind));
        match self.writer {
            _ if !report.is_masked => text,
            // No comments in JSON.
            Writer::Template => text,
            _ => format!("{}{INVENTED}\n{text}", self.comment),
        }
    }

    fn written(self, container: &NewContainer, route: Option<RouteKind>) -> String {
        match self.writer {
            Writer::Definition(tool) => tool.text(container, route),
            Writer::Template => definition::arm(container),
            Writer::Code(language) => language.text(container),
        }
    }
}

/// The name of the new container, which today's is not to have.
pub(super) fn new_name(container: &NewContainer) -> String {
    let name = container.container.as_deref().unwrap_or("<container>");
    format!("{name}-v2")
}

pub(super) fn account(container: &NewContainer) -> &str {
    container.account.as_deref().unwrap_or("<account>")
}

pub(super) fn database(container: &NewContainer) -> &str {
    container.database.as_deref().unwrap_or("<database>")
}
