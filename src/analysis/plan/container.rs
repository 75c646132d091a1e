//! The new container, as far as it follows from the key and from the container of today.

use std::sync::Arc;

use super::super::candidate::Candidate;
use super::super::migration::Migration;
use super::facts::{PlanFacts, ThroughputForm};
use crate::model::names::is_resource;
use crate::model::path::Path;
use crate::model::physical::TimeToLive;

/// The property that holds a level which documents do not have as it is.
const PROPERTY: &str = "partitionKey";

#[derive(Clone, PartialEq, Debug)]
pub struct NewContainer {
    pub candidate: Candidate,
    pub account: Option<Arc<str>>,
    pub resource_group: Option<Arc<str>>,
    pub database: Option<Arc<str>>,
    /// Of today.
    pub container: Option<Arc<str>>,
    /// Its paths, a level each.
    pub paths: Vec<Path>,
    pub throughput: Option<ThroughputForm>,
    /// RU/s that it is created with.
    pub created_ru: Option<f64>,
    /// RU/s that it is raised to once it is filled, where these are others.
    pub raised_ru: Option<f64>,
    pub lifetime: Option<TimeToLive>,
    pub unique_keys: Option<bool>,
}

impl NewContainer {
    pub fn of(migration: &Migration, facts: &PlanFacts, ru_today: Option<f64>) -> Self {
        let created_ru = migration.cost.ru_per_second;
        let raised_ru = migration.ru_to_buy.or(ru_today);
        let [account, database, container] =
            facts.name.service_names().map(|name| name.map(Arc::from));
        Self {
            paths: paths(&migration.candidate),
            candidate: migration.candidate.clone(),
            account,
            resource_group: facts.resource_group.clone().filter(|group| is_resource(group)),
            database,
            container,
            throughput: facts.throughput,
            created_ru,
            raised_ru: raised_ru.filter(|ru| created_ru.is_some_and(|from| from < *ru)),
            lifetime: facts.way.lifetime,
            unique_keys: facts.way.unique_keys,
        }
    }

    /// As the service names the kind of its key.
    pub fn kind(&self) -> &'static str {
        match self.paths.len() {
            1 => "Hash",
            _ => "MultiHash",
        }
    }

    /// Properties that the application writes, in the order of the levels; None of a level that documents have.
    pub fn properties(&self) -> Vec<Option<&Path>> {
        let levels = self.candidate.levels.iter().zip(&self.paths);
        levels.map(|(level, path)| level.path().is_none().then_some(path)).collect()
    }
}

/// The path of each level: its own, else one of a new property that no part of the key reads.
fn paths(candidate: &Candidate) -> Vec<Path> {
    let read = candidate.paths();
    let names = std::iter::once(PROPERTY.to_owned()).chain((2..).map(|n| format!("{PROPERTY}{n}")));
    let paths = names.map(|name| [name].into_iter().collect::<Path>());
    let mut free = paths.filter(|path| !read.contains(&path));
    let levels = candidate.levels.iter();
    levels.filter_map(|level| level.path().cloned().or_else(|| free.next())).collect()
}
