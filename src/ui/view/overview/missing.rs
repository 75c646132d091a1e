//! What the inputs do not tell, what that leaves unknown, and how to switch it on.

use crate::analysis::overview::Missing;
use crate::analysis::provisioning::RuOwner;
use crate::model::units::count_text;
use crate::work::data::{Dataset, Origin, Stage};

/// What the foot of the overview says: the first thing with what gives it, the others by name.
pub(super) fn foot(data: &Dataset, key: Option<&str>) -> Vec<String> {
    let mut sentences = missing(data).into_iter();
    let mut out: Vec<String> = sentences.next().into_iter().collect();
    let name = |sentence: String| sentence.split(';').next().unwrap_or_default().to_owned();
    let others: Vec<String> = sentences.map(name).collect();
    let key = key.unwrap_or(":sources");
    if !others.is_empty() {
        out.push(format!("{} ({key}: what gives it)", others.join(" · ")));
    }
    match notes(data) {
        0 => {}
        1 => out.push(format!("1 note about the inputs: {key} shows it")),
        n => out.push(format!("{} notes about the inputs: {key} shows them", count_text(n))),
    }
    out
}

/// The first of them where there is one row, and that there are more.
pub(super) fn in_a_line(foot: &[String]) -> Option<String> {
    let first = foot.first()?.split(';').next()?;
    Some(match foot.len() {
        1 => first.to_owned(),
        _ => format!("{first} (v: more)"),
    })
}

/// One sentence for each thing that is missing, the one that hides most first: what, and after a semicolon what gives it.
pub fn missing(data: &Dataset) -> Vec<String> {
    // Of inputs that were read in part nobody knows what they lack.
    if matches!(data.stage, Stage::Reading { .. } | Stage::Stopped { .. }) {
        return Vec::new();
    }
    let totals = &data.overview.totals;
    let lacking = totals.missing.iter();
    let mut out: Vec<String> = lacking
        .map(|(what, containers)| {
            let whose = of_which(*containers, totals.containers);
            format!("{}{whose}; {}", what.words(), remedy(data, *what))
        })
        .collect();
    // A growth of 0 is known, too.
    let is_growth_known = data.overview.rows.iter().any(|row| {
        let columns = data.columns.container(&data.capture, row.number);
        columns.is_some_and(|c| c.keys.iter().any(|key| key.growth_kib_per_day.is_finite()))
    });
    if !is_growth_known && totals.keys_total > 0 {
        let way = match data.origin {
            Origin::Live(_) => {
                "samples of several days show it: connect with --record, or with --workspace where they are logged"
            }
            _ => "open PartitionKeyStatistics of several weeks",
        };
        out.push(format!("no growth, no dates; {way}"));
    }
    if data.capture.load.requests.is_empty() {
        let way = match data.origin {
            Origin::Live(_) => ", and connect with --workspace",
            _ => "",
        };
        let counted = data.heat.containers.iter().map(|heat| heat.whole.throttled);
        let counted = counted.flatten().reduce(u64::saturating_add);
        let known = match counted {
            None => "throttled requests (429) unknown".to_owned(),
            Some(n) => format!("{} throttled (429) by metrics, partitions unknown", count_text(n)),
        };
        out.push(format!(
            "no request logs: {known}; switch on the log category DataPlaneRequests{way}"
        ));
    }
    out
}

/// What gives it: exports where files are open, a setting or a role where the account itself is.
fn remedy(data: &Dataset, what: Missing) -> &'static str {
    if !matches!(data.origin, Origin::Live(_)) {
        return what.remedy();
    }
    match what {
        Missing::Statistics => {
            "the account may have none yet; its log PartitionKeyStatistics has them, too: connect with --workspace"
        }
        Missing::RequestUnits => {
            "switch on the log category PartitionKeyRUConsumption in the account's diagnostic settings, and connect with --workspace"
        }
        Missing::Ranges | Missing::Definition => ":connect shows why",
    }
}

/// Nothing where it is missing everywhere.
fn of_which(some: u64, all: u64) -> String {
    if some >= all {
        return String::new();
    }
    format!(" in {} of {} containers", count_text(some), count_text(all))
}

/// How many containers use RU/s that are not their own: shares of them are left out then.
pub(super) fn provisioned(data: &Dataset) -> Vec<String> {
    let capture = &data.capture;
    let all = capture.containers.iter();
    let all = all.map(|container| RuOwner::of(container, capture.account_of(&container.name)));
    let (mut shared, mut none) = (0_u64, 0_u64);
    for provisioned in all {
        match provisioned {
            RuOwner::Shared(_) => shared += 1,
            RuOwner::Serverless | RuOwner::NoneListed => none += 1,
            RuOwner::Own(_) | RuOwner::NotReported => {}
        }
    }
    let counts = [(shared, "sharing RU/s"), (none, "without RU/s")];
    let counts = counts.into_iter().filter(|(n, _)| *n > 0);
    counts.map(|(n, words)| format!("{} {words}", count_text(n))).collect()
}

/// Notes about the inputs that are worth a look.
fn notes(data: &Dataset) -> u64 {
    let of_source = |s: &crate::model::capture::SourceInfo| {
        s.notes.len() as u64
            + u64::from(s.refused.is_some())
            + u64::from(s.skipped > 0)
            + u64::from(s.incomplete)
    };
    let all = data.capture.sources.iter().map(of_source);
    all.fold(data.capture.notes.len() as u64, u64::saturating_add)
}
