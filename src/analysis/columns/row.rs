//! One row of a container's columns, as filters and lists read it.

use std::borrow::Cow;

use crate::model::key::{Key, Part};
use crate::model::logical::KeyView;
use crate::model::physical::PhysicalPartition;
use crate::model::time::Stamp;
use crate::model::visible::visible;

use super::super::filter::FilterRow;
use super::super::growth::LimitDay;
use super::{ContainerColumns, KeyRecord, NO_TIME};
use crate::model::short_text::{self, LANES};

/// Between the parts of a hierarchical key where its text is not taken as it is stored.
const BETWEEN: &str = " / ";

#[derive(Clone, Copy, Debug)]
pub struct RowRef<'c, 'a> {
    pub(super) columns: &'c ContainerColumns<'a>,
    pub key: &'a KeyRecord,
}

impl<'a> RowRef<'_, 'a> {
    pub fn view(&self) -> Option<KeyView<'a>> {
        self.columns.capture.sizes.view(self.key.id)
    }

    pub fn owner(&self) -> Option<&'a PhysicalPartition> {
        self.columns.container.partitions.get(self.key.partition_index()? as usize)
    }

    /// The newest reading in any region.
    pub fn newest(&self) -> Option<Stamp> {
        let ticks = self.key.newest_ticks;
        Stamp::from_ticks(ticks).filter(|_| ticks != NO_TIME)
    }
}

impl FilterRow for RowRef<'_, '_> {
    /// The key as a text filter searches it. A key of one plain text is that text; other keys are their JSON list
    /// without its brackets, numbers as found, borrowed from where they are stored. Only keys with escapes, controls or
    /// missing values are spelt out as people read them: characters made visible, `no value`, parts with ` / ` between.
    /// So every part that a list shows is found by what is shown, except that invisible characters beyond ASCII are
    /// searched as themselves, and quotes and commas of hierarchical keys are found where a list shows none.
    fn text(&self) -> Cow<'_, str> {
        let json = self.columns.capture.sizes.found_text(self.key.id);
        json.map_or(Cow::Borrowed(""), searched)
    }

    fn size_kib(&self) -> f64 {
        self.key.size_kib
    }

    /// Of the ceiling.
    fn share(&self) -> f64 {
        self.columns.ceiling.share(self.size_kib())
    }

    fn growth_kib_per_day(&self) -> Option<f64> {
        Some(self.key.growth_kib_per_day).filter(|growth| !growth.is_nan())
    }

    fn limit_date(&self) -> LimitDay {
        LimitDay::unpack(self.key.limit_date)
    }

    /// RU in all logs together, to seven digits.
    fn ru(&self) -> Option<f64> {
        Some(self.key.ru).filter(|ru| !ru.is_nan()).map(f64::from)
    }

    /// The id of the physical partition that holds the key.
    fn partition(&self) -> Option<&str> {
        self.owner().map(|p| p.id.as_str())
    }

    /// The region whose size counts.
    fn region(&self) -> Option<&str> {
        self.columns.capture.region(self.key.region)
    }

    /// Readings in that region.
    fn samples(&self) -> u64 {
        let Some(view) = self.view() else { return 0 };
        let series = view.series().find(|s| s.region == self.key.region);
        series.map_or(0, |s| s.count())
    }
}

fn searched(json: &str) -> Cow<'_, str> {
    // Most keys are one plain text: then it takes one look at it.
    let text = json.strip_prefix("[\"").and_then(|j| j.strip_suffix("\"]"));
    let is_plain = |text: &&str| !short_text::any(text.as_bytes(), b' ', is_odd_or_quote);
    if let Some(text) = text.filter(is_plain) {
        return Cow::Borrowed(text);
    }
    if short_text::any(json.as_bytes(), b' ', is_odd) {
        return Cow::Owned(spelt_out(json));
    }
    let Some(inside) = json.strip_prefix('[').and_then(|j| j.strip_suffix(']')) else {
        return Cow::Borrowed(if json.is_empty() { "(no key reported)" } else { json });
    };
    let text = inside.strip_prefix('"').and_then(|t| t.strip_suffix('"'));
    match text {
        // Without escapes a further quote is the end of a part.
        Some(text) if memchr::memchr(b'"', text.as_bytes()).is_none() => Cow::Borrowed(text),
        _ if inside.is_empty() => Cow::Borrowed("(empty key)"),
        _ => Cow::Borrowed(inside),
    }
}

/// Without leaving at the first odd byte: this way all are looked at together.
#[inline]
fn is_odd(lanes: &[u8; LANES]) -> bool {
    let is = |b: &u8, odd: u8| u8::from(*b == odd);
    let odd = |b: &u8| u8::from(*b < 0x20) | is(b, b'\\') | is(b, b'{') | is(b, 0x7f);
    lanes.iter().fold(0, |sum, b| sum | odd(b)) != 0
}

#[inline]
fn is_odd_or_quote(lanes: &[u8; LANES]) -> bool {
    let quote = |b: &u8| u8::from(*b == b'"');
    is_odd(lanes) | (lanes.iter().fold(0, |sum, b| sum | quote(b)) != 0)
}

fn spelt_out(json: &str) -> String {
    let Some(key) = Key::from_canonical(json) else { return visible(json).into_owned() };
    let parts = key.parts().iter().map(|part| match part {
        Part::Undefined => "no value".to_owned(),
        Part::Null => "null".to_owned(),
        Part::Bool(value) => value.to_string(),
        Part::Number(number) => number.text().to_owned(),
        Part::Text(text) => visible(text).into_owned(),
        Part::Other(json) => visible(json).into_owned(),
    });
    let parts: Vec<String> = parts.collect();
    parts.join(BETWEEN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_searched_as_they_are_read() {
        for (json, text) in [
            ("", "(no key reported)"),
            ("[]", "(empty key)"),
            ("[42]", "42"),
            (r#"["tenant-0001"]"#, "tenant-0001"),
            (r#"["東京"]"#, "東京"),
            (r#"[""]"#, ""),
            (r#"["plant-1","dev-001",7]"#, r#""plant-1","dev-001",7"#),
            (r#"["plant-1","dev-002",{}]"#, "plant-1 / dev-002 / no value"),
            (r#"["a\\b \" c"]"#, "a\\b \" c"),
            ("[\"a\\u001bb\"]", "a␛b"),
            ("[{}]", "no value"),
        ] {
            assert_eq!(searched(json), text);
            let borrows = matches!(searched(json), Cow::Borrowed(_));
            assert_eq!(borrows, !json.contains(['\\', '{']), "{json}");
        }
    }
}
