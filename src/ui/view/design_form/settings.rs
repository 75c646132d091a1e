//! The values of a design that can be changed one by one in its text; all else stays as it is written.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};
use toml::value::Datetime;

use crate::source::design::DesignFault;

/// How a value is written in the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ValueSyntax {
    Text,
    Number,
    Flag,
    Date,
}

use ValueSyntax::{Date, Flag, Number, Text};

/// A name, how its value is written, the unit that the value does not name itself, and what it is.
type Field = (&'static str, ValueSyntax, &'static str, &'static str);

#[rustfmt::skip]
const OF_CONTAINER: &[Field] = &[
    ("key", Text, "", "the partition key, such as /tenantId or /tenantId > /userId"),
    ("ru", Number, "RU/s", "RU/s to provide; without it what the busiest time needs"),
    ("autoscale", Flag, "", "true: ru is the maximum"),
    ("indexed", Flag, "", "false: no property is indexed, writes cost half"),
    ("starts", Date, "", "the first day of use, such as 2027-01-01"),
    ("retention", Text, "", "the time to live of all documents, such as 90d"),
    ("age", Text, "", "how old the container is that opens, such as 1y"),
];
const OF_PROPERTY: &[Field] = &[
    ("distinct", Number, "values", "how many different values there are"),
    ("zipf", Number, "", "0 where all values are alike; with 1 the second has half of the first"),
];
const OF_GIANT: &[Field] = &[("share", Number, "", "of all documents, from 0 to 1")];
#[rustfmt::skip]
const OF_ENTITY: &[Field] = &[
    ("size", Text, "", "of one document, such as 2KB"),
    ("count", Number, "documents", "documents that are there from the beginning"),
    ("writes", Text, "", "new documents, such as 20/s or 70GB/day"),
    ("updates", Text, "", "documents replaced, such as 20/s"),
    ("reads", Text, "", "point reads by id and key, such as 50/s"),
    ("active", Text, "", "the part of the day with requests, such as 6h/day"),
    ("ttl", Text, "", "time to live, such as 30d"),
];
const OF_QUERY: &[Field] = &[
    ("rate", Text, "", "how often, such as 12/s or 30/min"),
    ("ru", Number, "RU", "of one query on one physical partition"),
];

/// A value of a design, or a place for it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct DesignSetting {
    /// The property, the entity or the query; empty of the container.
    pub of: String,
    pub name: &'static str,
    pub about: &'static str,
    pub unit: &'static str,
    /// Empty where the file gives none.
    pub value: String,
    written: ValueSyntax,
    span: Option<Range<usize>>,
    /// The value below which it is written where the file gives none.
    above: Range<usize>,
}

/// All of a text that is a design, in the order of the file.
pub(super) fn settings(text: &str) -> Vec<DesignSetting> {
    let Ok(file) = DeTable::parse(text) else {
        return Vec::new();
    };
    let file = file.get_ref();
    let mut found = of_table(text, file, "", ("key", OF_CONTAINER));
    for (list, fields) in
        [("properties", OF_PROPERTY), ("entities", OF_ENTITY), ("queries", OF_QUERY)]
    {
        for table in tables(file, list) {
            let name = name(table);
            if !table.contains_key("period") {
                found.extend(of_table(text, table, &name, ("name", fields)));
            }
            for giant in tables(table, "giants") {
                let of = format!("{name} {}", self::name(giant));
                found.extend(of_table(text, giant, &of, ("name", OF_GIANT)));
            }
        }
    }
    found
}

fn tables<'t>(of: &'t DeTable<'_>, list: &str) -> impl Iterator<Item = &'t DeTable<'t>> {
    let list = of.get(list).and_then(|value| value.get_ref().as_array());
    let values = list.into_iter().flat_map(|list| list.iter());
    values.filter_map(|value| value.get_ref().as_table())
}

fn name(table: &DeTable<'_>) -> String {
    let name = table.get("name").and_then(|value| value.get_ref().as_str());
    name.unwrap_or_default().to_owned()
}

fn of_table(
    text: &str,
    table: &DeTable<'_>,
    of: &str,
    (above, fields): (&str, &[Field]),
) -> Vec<DesignSetting> {
    let above = table.get(above).map_or(0..0, Spanned::span);
    let setting = |(name, written, unit, about): &Field| {
        let value = table.get(*name);
        let as_written = value.map(|value| match value.get_ref() {
            DeValue::String(text) => text.to_string(),
            _ => text.get(value.span()).unwrap_or_default().to_owned(),
        });
        DesignSetting {
            of: of.to_owned(),
            name,
            about,
            unit,
            value: as_written.unwrap_or_default(),
            written: *written,
            span: value.map(Spanned::span),
            above: above.clone(),
        }
    };
    fields.iter().map(setting).collect()
}

impl DesignSetting {
    /// The text with another value, which is left out where it is empty; the whole is checked as any other file is.
    pub(super) fn changed(&self, text: &str, value: &str) -> Result<String, DesignFault> {
        let value = value.trim();
        Ok(match (&self.span, value) {
            (None, "") => text.to_owned(),
            (Some(span), "") => replaced(text, &self.line(text, span)?, ""),
            (Some(span), _) => replaced(text, span, &self.as_toml(value)?),
            (None, _) => {
                let end = self.line(text, &self.above)?.end;
                let line = format!("{} = {}\n", self.name, self.as_toml(value)?);
                replaced(text, &(end..end), &line)
            }
        })
    }

    fn as_toml(&self, value: &str) -> Result<String, DesignFault> {
        let is_fit = match self.written {
            Text => {
                let escaped = value.replace('\\', "\\\\").replace('"', "\\\"");
                return Ok(format!("\"{escaped}\""));
            }
            Number => value.replace('_', "").parse::<f64>().is_ok(),
            Flag => matches!(value, "true" | "false"),
            Date => value.parse::<Datetime>().is_ok(),
        };
        let wanted = match self.written {
            Flag => "give true or false",
            Date => "give a date such as 2027-01-01",
            Number | Text => "give a number such as 200_000 or 0.5",
        };
        if !is_fit {
            return Err(fault(format!("`{value}` does not fit {}", self.name), wanted));
        }
        Ok(value.to_owned())
    }

    /// The whole line of a value, where there is nothing else in it.
    fn line(&self, text: &str, value: &Range<usize>) -> Result<Range<usize>, DesignFault> {
        let [before, after] = [text.get(..value.start), text.get(value.end..)];
        let [before, after] = [before, after].map(Option::unwrap_or_default);
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        let end = after.find('\n').map(|at| value.end + at + 1);
        match end.filter(|_| !before.get(start..).is_some_and(|line| line.contains('{'))) {
            Some(end) => Ok(start..end),
            None => Err(fault(
                format!("{} shares its line with others", self.name),
                "give each value a line of its own in the file",
            )),
        }
    }
}

fn replaced(text: &str, span: &Range<usize>, by: &str) -> String {
    let [before, after] = [text.get(..span.start), text.get(span.end..)];
    [before.unwrap_or_default(), by, after.unwrap_or_default()].concat()
}

fn fault(what: String, next: &str) -> DesignFault {
    let next = next.to_owned();
    DesignFault { what, next }
}
