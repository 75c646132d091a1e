//! The containers that the server starts with, and the documents in them: those of the built-in scenarios.

use cosmoscope::model::key::{KeyDefinition, KeyKind, KeyVersion};
use cosmoscope::source::scenario;

use super::server::Server;

pub const DATABASE: &str = "fleet";

/// A container to be made.
#[derive(Clone, Copy, Debug)]
pub struct ContainerPlan {
    pub name: &'static str,
    pub paths: &'static [&'static str],
    pub partitions: u32,
    /// None: it shares, or is serverless.
    pub ru_per_second: Option<u64>,
    /// The scenario and container that its documents are taken from.
    pub from: (&'static str, &'static str),
}

/// One with many keys of like sizes, one with three levels, one with a key that outweighs the others, one without RU/s.
pub const PLANS: [ContainerPlan; 4] = [
    ContainerPlan {
        name: "by-device",
        paths: &["/deviceId"],
        partitions: 4,
        ru_per_second: Some(4_000),
        from: ("car", "by-device"),
    },
    ContainerPlan {
        name: "events",
        paths: &["/tenantId", "/userId", "/sessionId"],
        partitions: 4,
        ru_per_second: Some(6_000),
        from: ("events", "events"),
    },
    ContainerPlan {
        name: "by-model",
        paths: &["/model"],
        partitions: 3,
        ru_per_second: Some(3_000),
        from: ("car", "by-model"),
    },
    ContainerPlan {
        name: "serverless",
        paths: &["/country"],
        partitions: 1,
        ru_per_second: None,
        from: ("customers", "customers"),
    },
];

impl ContainerPlan {
    pub fn definition(&self) -> KeyDefinition {
        KeyDefinition {
            paths: self.paths.iter().map(|path| (*path).to_owned()).collect(),
            kind: if self.paths.len() > 1 { KeyKind::MultiHash } else { KeyKind::Hash },
            version: KeyVersion::V2,
        }
    }

    /// Makes the container and stores the first `documents` of its scenario.
    pub fn make(&self, server: &Server, database: &str, documents: u64) {
        server.create_container(database, self);
        let (name, container) = self.from;
        let made = scenario::documents(name, container, documents).expect("a built-in scenario");
        server.insert_all(database, self.name, made);
    }
}
