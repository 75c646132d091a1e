//! `trial` from outside: the numbers of the material, the shape of its JSON, and what it refuses.

mod claims;
mod decision;
mod logs;
mod published;
mod search;
mod shape;

use std::fmt::Write as _;

use serde_json::Value;

use crate::cli::{Answer, Place};

/// Documents as JSON lines in a file, and a trial of them.
struct Documents {
    place: Place,
}

impl Documents {
    fn new(lines: impl IntoIterator<Item = String>) -> Self {
        let mut text = String::new();
        for line in lines {
            let _ = writeln!(text, "{line}");
        }
        let place = Place::new();
        place.write("docs.jsonl", text);
        Self { place }
    }

    fn run(&self, options: &[&str]) -> Answer {
        let args = [&["trial", "docs.jsonl"], options].concat();
        self.place.run(&args)
    }

    fn json(&self, options: &[&str]) -> Value {
        let options = [options, &["--format", "json"]].concat();
        self.run(&options).ends_with(0).json()
    }
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}
