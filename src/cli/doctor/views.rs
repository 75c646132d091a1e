//! What each view will have, worked out from the checks.

use crate::report::doctor::{Check, CheckState, DoctorView};

/// What a view lives on: the first that is there suffices.
struct Needs {
    view: &'static str,
    sources: &'static [(&'static str, &'static str)],
    without: &'static str,
}

const VIEWS: [Needs; 4] = [
    Needs {
        view: "overview",
        sources: &[("container", "containers and their keys")],
        without: "nothing: no container can be read",
    },
    Needs {
        view: "keys",
        sources: &[
            ("statistics", "partitions and their largest keys, from the account itself"),
            ("logs", "sizes of keys, from the logs"),
        ],
        without: "no sizes of keys: neither statistics nor logs are there",
    },
    Needs {
        view: "heat",
        sources: &[
            ("metrics", "load by physical partition, from metrics"),
            ("logs", "load by key, from the logs"),
        ],
        without: "no load over time: neither metrics nor logs are there",
    },
    Needs {
        view: "trial",
        sources: &[("container", "keys can be tried on a sample of documents, which costs RU")],
        without: "nothing: no container can be read",
    },
];

/// Empty where nothing was asked.
pub fn views(checks: &[Check]) -> Vec<DoctorView> {
    let state =
        |name: &str| checks.iter().find(|check| check.check == name).map(|check| check.state);
    if state("container").is_none() {
        return Vec::new();
    }
    VIEWS
        .iter()
        .map(|needs| {
            let there: Vec<&str> = needs
                .sources
                .iter()
                .filter(|(check, _)| state(check) == Some(CheckState::Ok))
                .map(|(_, what)| *what)
                .collect();
            DoctorView {
                view: needs.view,
                state: if there.is_empty() { CheckState::Missing } else { CheckState::Ok },
                what: if there.is_empty() { needs.without.to_owned() } else { there.join("; ") },
            }
        })
        .collect()
}
