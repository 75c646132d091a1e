//! Metrics of many containers with one question: whether the answer tells them apart and holds all of them, and what is
//! said where they are asked for in another way.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::model::units::whole_usize;
use crate::source::answers::{Obstacle, Trouble};

/// Physical partitions about which one question is asked: an hour of minutes of each is some 4 KB of an answer.
const MOST_RANGES: usize = 500;

#[derive(Deserialize)]
struct Answer {
    #[serde(default)]
    value: Vec<MetricValue>,
}

#[derive(Deserialize)]
struct MetricValue {
    #[serde(default)]
    timeseries: Vec<Series>,
}

#[derive(Deserialize)]
struct Series {
    #[serde(default)]
    metadatavalues: Vec<Dimension>,
    #[serde(default)]
    data: Vec<Point>,
}

#[derive(Deserialize)]
struct Point {
    count: Option<f64>,
}

#[derive(Deserialize)]
struct Dimension {
    name: Option<Name>,
    value: Option<String>,
}

#[derive(Deserialize)]
struct Name {
    value: Option<String>,
}

impl Series {
    fn dimension(&self, wanted: &str) -> Option<&Dimension> {
        self.metadatavalues.iter().find(|dimension| {
            let name = dimension.name.as_ref().and_then(|name| name.value.as_deref());
            name.is_some_and(|name| name.eq_ignore_ascii_case(wanted))
        })
    }

    fn names_a_container(&self) -> bool {
        self.dimension("CollectionName").is_some()
    }
}

/// Counts by (database, container), both in lower case as metrics may have them, added up over time.
pub fn counts(body: &[u8]) -> BTreeMap<(String, String), usize> {
    let answer = serde_json::from_slice(body).unwrap_or(Answer { value: Vec::new() });
    let mut found = BTreeMap::new();
    for series in answer.value.iter().flat_map(|metric| &metric.timeseries) {
        let value = |name| Some(series.dimension(name)?.value.as_ref()?.to_lowercase());
        if let (Some(database), Some(container)) = (value("DatabaseName"), value("CollectionName"))
        {
            let counted: f64 = series.data.iter().filter_map(|point| point.count).sum();
            let sum: &mut usize = found.entry((database, container)).or_default();
            *sum = sum.saturating_add(whole_usize(counted));
        }
    }
    found
}

/// Whether so many partitions can be asked about with one question.
pub(super) fn is_possible(ranges: usize) -> Result<(), Trouble> {
    if ranges <= MOST_RANGES {
        return Ok(());
    }
    Err(otherwise(&format!("{ranges} physical partitions are too many for one answer")))
}

/// Takes an answer only if each series is of one container and none can be missing.
pub(super) fn judge(body: &[u8], top: usize) -> Result<(), Trouble> {
    // What cannot be read here is for the importer to tell of.
    let Ok(answer) = serde_json::from_slice::<Answer>(body) else {
        return Ok(());
    };
    for metric in &answer.value {
        if metric.timeseries.len() >= top {
            return Err(otherwise("the answer holds no more than part of them"));
        }
        if !metric.timeseries.iter().all(Series::names_a_container) {
            return Err(otherwise("the answer does not name the containers"));
        }
    }
    Ok(())
}

/// What was refused as it was asked, and may be told where it is asked for less at a time.
pub(super) fn refused(trouble: Trouble) -> Trouble {
    match trouble.obstacle {
        Obstacle::Unsupported | Obstacle::TimedOut | Obstacle::Unbelievable => {
            otherwise(&trouble.what)
        }
        _ => trouble,
    }
}

fn otherwise(why: &str) -> Trouble {
    Trouble::new(
        Obstacle::RequestedOtherwise,
        format!("several at once are not reported: {why}"),
        "they are read one by one",
    )
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_taken_where_it_tells_containers_apart_and_is_whole() {
        let series = |dimension: &str| {
            format!(
                r#"{{"metadatavalues":[{{"name":{{"value":"{dimension}"}},"value":"x"}}],"data":[{{"maximum":1}}]}}"#
            )
        };
        let of = |all: &[String]| {
            let body = format!(r#"{{"value":[{{"timeseries":[{}]}}]}}"#, all.join(","));
            judge(body.as_bytes(), 3).map_err(|t| t.obstacle)
        };
        let otherwise = Err(Obstacle::RequestedOtherwise);
        let (apart, together) = (series("collectionname"), series("region"));
        assert_eq!(of(&[]), Ok(()), "no data is an answer");
        assert_eq!(of(&[apart.clone(), apart.clone()]), Ok(()));
        assert_eq!(of(&[apart.clone(), together]), otherwise);
        assert_eq!(of(&[apart.clone(), apart.clone(), apart]), otherwise);
        assert_eq!(judge(b"<html>", 3), Ok(()));
        assert_eq!(is_possible(500), Ok(()));
        assert!(is_possible(501).unwrap_err().what.contains("501"));
    }

    #[test]
    fn only_what_may_lie_at_the_question_is_asked_otherwise() {
        let after = |obstacle| refused(Trouble::new(obstacle, "w", "n")).obstacle;
        assert_eq!(after(Obstacle::Unsupported), Obstacle::RequestedOtherwise);
        assert_eq!(after(Obstacle::TimedOut), Obstacle::RequestedOtherwise);
        assert_eq!(after(Obstacle::Forbidden), Obstacle::Forbidden);
        assert_eq!(after(Obstacle::Throttled), Obstacle::Throttled);
    }
}
