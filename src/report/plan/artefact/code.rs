//! The key of a document in the languages of applications, with the values that the trial computes as tests.

use super::{account, database, new_name, quote, vectors};
use crate::analysis::candidate::{Level, LevelPart};
use crate::analysis::plan::container::NewContainer;
use crate::model::template::filled;

const BUCKETS: &str = include_str!("../../../../assets/help/buckets.md");

/// What a language writes otherwise than others.
pub(super) struct Language {
    template: &'static str,
    literal: fn(&str) -> String,
    /// As the page of bucket functions names it.
    name: &'static str,
    /// Whether names of functions begin with a capital.
    is_capital: bool,
    /// Around a list of names or parts.
    list: [&'static str; 2],
    /// Around a list of names behind the document.
    null: &'static str,
    /// Around a property's name.
    some: [&'static str; 2],
    /// Of a part that is a literal.
    part: [&'static str; 2],
    /// Around a test vector.
    pair: [&'static str; 2],
    /// Before each level and vector.
    indent: &'static str,
    /// Before each line of the bucket function.
    bucket_indent: &'static str,
}

pub(super) const PYTHON: Language = Language {
    template: include_str!("../../../../assets/plan/python.txt"),
    literal: quote::python,
    name: "Python",
    is_capital: false,
    list: ["[", "]"],
    null: "None",
    some: ["", ""],
    part: ["", ""],
    pair: ["(", ")"],
    indent: "        ",
    bucket_indent: "",
};

pub(super) const JAVASCRIPT: Language = Language {
    template: include_str!("../../../../assets/plan/javascript.txt"),
    literal: quote::javascript,
    name: "JavaScript",
    null: "null",
    pair: ["[", "]"],
    indent: "    ",
    ..PYTHON
};

pub(super) const CSHARP: Language = Language {
    template: include_str!("../../../../assets/plan/csharp.txt"),
    name: "C#",
    is_capital: true,
    list: ["", ""],
    null: "null",
    bucket_indent: "    ",
    ..PYTHON
};

pub(super) const JAVA: Language = Language {
    template: include_str!("../../../../assets/plan/java.txt"),
    literal: quote::java,
    name: "Java",
    is_capital: false,
    pair: ["{", "}"],
    indent: "            ",
    ..CSHARP
};

pub(super) const RUST: Language = Language {
    template: include_str!("../../../../assets/plan/rust.txt"),
    literal: quote::rust,
    name: "Rust",
    list: ["&[", "]"],
    some: ["Some(", ")"],
    part: ["Some(", ".to_owned())"],
    ..PYTHON
};

impl Language {
    pub(super) fn text(&self, container: &NewContainer) -> String {
        let key = &container.candidate;
        let endpoint = format!("https://{}.documents.azure.com:443/", account(container));
        let properties = container.properties().into_iter().map(|path| {
            let name = path.and_then(|path| path.top_name());
            name.map_or(self.null.to_owned(), |name| self.some_text(name))
        });
        let levels = key.levels.iter().map(|level| self.level(level));
        let vectors = vectors::of(key).into_iter().map(|pair| {
            let [open, close] = self.pair;
            let [document, key] = pair.map(|text| (self.literal)(&text));
            format!("{open}{document}, {key}{close}")
        });
        let lines = |items: &mut dyn Iterator<Item = String>| {
            let lines = items.map(|item| format!("{}{item},", self.indent));
            lines.collect::<Vec<_>>().join("\n")
        };
        let holes = [
            ("key", quote::comment(&key.to_string())),
            ("endpoint", (self.literal)(&endpoint)),
            ("database", (self.literal)(database(container))),
            ("container", (self.literal)(&new_name(container))),
            ("properties", properties.collect::<Vec<_>>().join(", ")),
            ("levels", lines(&mut levels.into_iter())),
            ("vectors", lines(&mut vectors.into_iter())),
            ("bucket", self.bucket()),
        ];
        let has = |is: fn(&LevelPart) -> bool| key.parts().any(is);
        let is_needed = |section: &str| match section {
            "text" => !key.is_stored(),
            "date" => has(|p| matches!(p, LevelPart::Date { .. })),
            "prefix" => has(|p| matches!(p, LevelPart::Prefix { .. })),
            "lower" => has(|p| matches!(p, LevelPart::Lower(_))),
            "bucket" => has(|p| matches!(p, LevelPart::Bucket { .. })),
            "random" => has(|p| matches!(p, LevelPart::Random { .. })),
            _ => true,
        };
        filled(self.template, is_needed, &holes)
    }

    fn some_text(&self, name: &str) -> String {
        let [open, close] = self.some;
        format!("{open}{}{close}", (self.literal)(name))
    }

    fn level(&self, level: &Level) -> String {
        if let [LevelPart::Path(path)] = level.parts.as_slice() {
            return self.call("alone", &self.value(path.names()), "");
        }
        let parts: Vec<String> = level.parts.iter().map(|part| self.part(part)).collect();
        let [open, close] = self.list;
        self.call("joined", &format!("{open}{}{close}", parts.join(", ")), "")
    }

    fn part(&self, part: &LevelPart) -> String {
        let of = part.path().map(|path| self.value(path.names()));
        let of = of.unwrap_or_default();
        match part {
            LevelPart::Path(_) => self.call("text", &of, ""),
            LevelPart::Literal(text) => {
                let [open, close] = self.part;
                format!("{open}{}{close}", (self.literal)(text))
            }
            LevelPart::Date { unit, .. } => self.call("date", &of, &unit.width().to_string()),
            LevelPart::Prefix { characters, .. } => {
                self.call("prefix", &of, &characters.to_string())
            }
            LevelPart::Lower(_) => self.call("lower", &of, ""),
            LevelPart::Bucket { buckets, .. } => self.call("suffix", &of, &buckets.to_string()),
            LevelPart::Random { buckets } => self.call("drawn", &buckets.to_string(), ""),
        }
    }

    fn value<'n>(&self, names: impl Iterator<Item = &'n str>) -> String {
        let names: Vec<String> = names.map(|name| (self.literal)(name)).collect();
        let [open, close] = self.list;
        let names = format!("{open}{}{close}", names.join(", "));
        self.call("value", "document", &names)
    }

    fn call(&self, name: &str, first: &str, second: &str) -> String {
        let name = match name.split_at_checked(1) {
            Some((initial, rest)) if self.is_capital => initial.to_uppercase() + rest,
            _ => name.to_owned(),
        };
        let comma = if second.is_empty() { "" } else { ", " };
        format!("{name}({first}{comma}{second})")
    }

    /// As `cosmoscope help buckets` shows it.
    fn bucket(&self) -> String {
        let parts = BUCKETS.split("\n## ");
        let heading = format!("{}\n", self.name);
        let mut parts = parts.filter_map(|part| part.strip_prefix(&heading));
        let lines = parts.next().unwrap_or_default().trim_matches('\n').lines();
        let lines = lines.map(|line| {
            let line = line.strip_prefix("    ").unwrap_or(line);
            format!("{}{line}", self.bucket_indent).trim_end().to_owned()
        });
        lines.collect::<Vec<_>>().join("\n")
    }
}
