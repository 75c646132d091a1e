//! Text to copy: definitions of the new container, and code that computes, reads and writes its key. Nothing of it is run.

mod code;
mod definition;

mod quote;
mod vectors;

#[cfg(test)]
mod tests;

use super::PlanReport;
use crate::analysis::plan::container::NewContainer;

pub(super) const INVENTED: &str = "Names are invented: put the real ones in before running.";

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Artefact {
    Bicep,
    Arm,
    Az,
    Terraform,
    Portal,
    CSharp,
    Java,
    Python,
    JavaScript,
    Rust,
}

impl Artefact {
    pub const ALL: [Self; 10] = [
        Self::Bicep,
        Self::Arm,
        Self::Az,
        Self::Terraform,
        Self::Portal,
        Self::CSharp,
        Self::Java,
        Self::Python,
        Self::JavaScript,
        Self::Rust,
    ];

    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.name() == name)
    }

    pub fn name(self) -> &'static str {
        match self {
            Self::Bicep => "bicep",
            Self::Arm => "arm",
            Self::Az => "az",
            Self::Terraform => "terraform",
            Self::Portal => "portal",
            Self::CSharp => "csharp",
            Self::Java => "java",
            Self::Python => "python",
            Self::JavaScript => "javascript",
            Self::Rust => "rust",
        }
    }

    pub(super) fn title(self) -> &'static str {
        match self {
            Self::Bicep => "New container, Bicep",
            Self::Arm => "New container, ARM template",
            Self::Az => "New container and copy, Azure CLI",
            Self::Terraform => "New container, Terraform",
            Self::Portal => "New container, portal",
            Self::CSharp => "Key builder, C#",
            Self::Java => "Key builder, Java",
            Self::Python => "Key builder, Python",
            Self::JavaScript => "Key builder, JavaScript",
            Self::Rust => "Key builder, Rust",
        }
    }

    /// The language of a block of Markdown.
    pub(super) fn markup(self) -> &'static str {
        match self {
            Self::Arm => "json",
            Self::Az => "sh",
            Self::Terraform => "hcl",
            Self::Portal => "text",
            other => other.name(),
        }
    }

    /// As a file of its own.
    pub fn text(self, report: &PlanReport) -> String {
        let plan = &report.plan;
        let container = &plan.container;
        let text = match self {
            Self::Bicep => definition::bicep(container),
            Self::Arm => return definition::arm(container),
            Self::Az => definition::az(container, plan.recommended.as_ref().map(|(kind, _)| *kind)),
            Self::Terraform => definition::terraform(container),
            Self::Portal => definition::portal(container),
            Self::CSharp => code::CSHARP.text(container),
            Self::Java => code::JAVA.text(container),
            Self::Python => code::PYTHON.text(container),
            Self::JavaScript => code::JAVASCRIPT.text(container),
            Self::Rust => code::RUST.text(container),
        };
        if !report.is_masked {
            return text;
        }
        let sign = match self {
            Self::Az | Self::Terraform | Self::Python => "# ",
            Self::Portal => "",
            _ => "// ",
        };
        format!("{sign}{INVENTED}\n{text}")
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
