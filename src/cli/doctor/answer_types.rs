//! What is counted in answers, without keeping them: that of a hostile server may be 32 MiB of the smallest values.

use std::fmt;
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, SeqAccess, Visitor};

/// A key has three levels at most; of more no sentence is made.
const MAX_PATHS: usize = 10;

/// A list whose entries are counted: they take no room.
type Length = Option<Vec<IgnoredAny>>;

#[derive(Deserialize, Default)]
pub struct AccountAnswer {
    #[serde(rename = "readableLocations")]
    pub regions: Length,
}

#[derive(Deserialize, Default)]
pub struct ContainerAnswer {
    #[serde(rename = "partitionKey", default)]
    pub key: KeyAnswer,
    #[serde(default)]
    pub statistics: ListCount,
}

#[derive(Deserialize, Default)]
pub struct KeyAnswer {
    #[serde(default)]
    pub paths: PathsAnswer,
}

#[derive(Deserialize, Default)]
pub struct Ranges {
    #[serde(rename = "PartitionKeyRanges")]
    pub ranges: Length,
}

#[derive(Deserialize, Default)]
pub struct ManagedAccount {
    pub id: Option<String>,
}

#[derive(Deserialize, Default)]
pub struct Metrics {
    #[serde(default)]
    pub value: ListCount,
}

#[derive(Deserialize, Default)]
pub struct LogsAnswer {
    #[serde(default)]
    pub tables: ListCount,
}

/// A partition with its keys, a metric with its series, a table with its rows.
#[derive(Deserialize)]
struct Entry {
    #[serde(alias = "partitionKeys", alias = "timeseries", alias = "rows")]
    within: Length,
}

/// How many entries a list has, and how many the lists in them have together; null has none.
#[derive(Default)]
pub struct ListCount {
    pub entries: usize,
    pub within: usize,
}

impl<'de> Deserialize<'de> for ListCount {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let mut counted = Self::default();
        let count = |one: Entry| {
            counted.entries += 1;
            counted.within += one.within.map_or(0, |list| list.len());
        };
        from.deserialize_any(ForEach(count, PhantomData))?;
        Ok(counted)
    }
}

/// The paths of a key.
#[derive(Default)]
pub struct PathsAnswer(pub Vec<String>);

impl<'de> Deserialize<'de> for PathsAnswer {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let mut paths = Vec::new();
        let keep = |path: String| {
            if paths.len() < MAX_PATHS {
                paths.push(path);
            }
        };
        from.deserialize_any(ForEach(keep, PhantomData))?;
        Ok(Self(paths))
    }
}

/// Gives each entry of a list to a function.
struct ForEach<F, T>(F, PhantomData<T>);

impl<'de, T: Deserialize<'de>, F: FnMut(T)> Visitor<'de> for ForEach<F, T> {
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
        let read: ContainerAnswer = serde_json::from_str(body).unwrap();
        assert_eq!((read.statistics.entries, read.statistics.within), (3, 2));
        assert_eq!(read.key.paths.0, ["/a", "/b"]);
        let none: ContainerAnswer = serde_json::from_str(r#"{"statistics":null}"#).unwrap();
        assert_eq!(none.statistics.entries, 0);
        let many = format!(r#"{{"paths":[{}"/x"]}}"#, r#""/x","#.repeat(1_000));
        assert_eq!(serde_json::from_str::<KeyAnswer>(&many).unwrap().paths.0.len(), MAX_PATHS);
    }
}
