//! What is counted in answers, without keeping them: that of a hostile server may be 32 MiB of the smallest values.

use std::fmt;
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, SeqAccess, Visitor};

/// A key has three levels at most; of more no sentence is made.
const MAX_PATHS: usize = 10;

#[derive(Deserialize, Default)]
pub struct Account {
    #[serde(rename = "readableLocations", default)]
    pub regions: Counted<IgnoredAny>,
}

#[derive(Deserialize, Default)]
pub struct Container {
    #[serde(rename = "partitionKey", default)]
    pub key: Key,
    #[serde(default)]
    pub statistics: Counted<Partition>,
}

#[derive(Deserialize, Default)]
pub struct Key {
    #[serde(default)]
    pub paths: Paths,
}

#[derive(Deserialize, Default)]
pub struct Ranges {
    #[serde(rename = "PartitionKeyRanges", default)]
    pub ranges: Counted<IgnoredAny>,
}

#[derive(Deserialize, Default)]
pub struct ManagedAccount {
    pub id: Option<String>,
}

#[derive(Deserialize, Default)]
pub struct Metrics {
    #[serde(default)]
    pub value: Counted<Metric>,
}

#[derive(Deserialize, Default)]
pub struct Logs {
    #[serde(default)]
    pub tables: Counted<Table>,
}

#[derive(Deserialize)]
pub struct Partition {
    #[serde(rename = "partitionKeys", default)]
    keys: Counted<IgnoredAny>,
}

#[derive(Deserialize)]
pub struct Metric {
    #[serde(default)]
    timeseries: Counted<IgnoredAny>,
}

#[derive(Deserialize)]
pub struct Table {
    #[serde(default)]
    rows: Counted<IgnoredAny>,
}

/// An entry of a list, which may hold a list itself.
pub trait Within {
    fn inner(&self) -> usize;
}

impl Within for IgnoredAny {
    fn inner(&self) -> usize {
        0
    }
}

impl Within for Partition {
    fn inner(&self) -> usize {
        self.keys.entries
    }
}

impl Within for Metric {
    fn inner(&self) -> usize {
        self.timeseries.entries
    }
}

impl Within for Table {
    fn inner(&self) -> usize {
        self.rows.entries
    }
}

/// How many entries a list has, and how many the lists in them have together; null has none.
pub struct Counted<T> {
    pub entries: usize,
    pub within: usize,
    of: PhantomData<T>,
}

impl<T> Default for Counted<T> {
    fn default() -> Self {
        Self {
            entries: 0,
            within: 0,
            of: PhantomData,
        }
    }
}

impl<'de, T: Deserialize<'de> + Within> Deserialize<'de> for Counted<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let mut counted = Self::default();
        from.deserialize_any(Each(
            |one: T| {
                counted.entries += 1;
                counted.within += one.inner();
            },
            PhantomData,
        ))?;
        Ok(counted)
    }
}

/// The paths of a key.
#[derive(Default)]
pub struct Paths(pub Vec<String>);

impl<'de> Deserialize<'de> for Paths {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let mut paths = Vec::new();
        from.deserialize_any(Each(
            |path: String| {
                if paths.len() < MAX_PATHS {
                    paths.push(path);
                }
            },
            PhantomData,
        ))?;
        Ok(Self(paths))
    }
}

/// Gives each entry of a list to a function.
struct Each<F, T>(F, PhantomData<T>);

impl<'de, T: Deserialize<'de>, F: FnMut(T)> Visitor<'de> for Each<F, T> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut list: A) -> Result<(), A::Error> {
        while let Some(one) = list.next_element()? {
            (self.0)(one);
        }
        Ok(())
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;

    #[test]
    fn lists_are_counted_and_what_is_in_them() {
        let body = r#"{"id":"a","partitionKey":{"paths":["/a","/b"],"kind":"MultiHash"},
            "statistics":[{"id":"0","partitionKeys":[{},{}]},{"id":"1"},{"partitionKeys":null}]}"#;
        let read: Container = serde_json::from_str(body).unwrap();
        assert_eq!((read.statistics.entries, read.statistics.within), (3, 2));
        assert_eq!(read.key.paths.0, ["/a", "/b"]);
        let none: Container = serde_json::from_str(r#"{"statistics":null}"#).unwrap();
        assert_eq!(none.statistics.entries, 0);
        let many = format!(r#"{{"paths":[{}"/x"]}}"#, r#""/x","#.repeat(1_000));
        assert_eq!(
            serde_json::from_str::<Key>(&many).unwrap().paths.0.len(),
            MAX_PATHS
        );
    }
}
