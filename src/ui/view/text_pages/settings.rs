//! What accounts and databases are set to, and what follows from it for figures and for reading.

use std::collections::BTreeMap;

use crate::analysis::provisioning::RuOwner;
use crate::model::account::Account;
use crate::model::capture::Container;
use crate::model::names::ContainerName;
use crate::model::units::count_text;
use crate::model::visible::visible;
use crate::ui::kit::masking::Mask;
use crate::work::data::Dataset;

/// Databases that are told one by one.
const MOST_DATABASES: usize = 50;

/// A section of a paper; empty where nobody told anything of it.
pub(super) fn lines(data: &Dataset, mask: &Mask) -> Vec<String> {
    let mut lines = Vec::new();
    for account in &data.capture.accounts {
        lines.push(format!("What {} is set to", name(account, mask)));
        let from = lines.len();
        for setting in account.settings() {
            let (what, so) = setting.words();
            lines.push(format!("  {what}: {so}"));
        }
        if lines.len() == from {
            lines.push("  nothing that changes what figures mean or what can be read".to_owned());
        }
        if !account.regions.is_empty() {
            let regions: Vec<_> = account.regions.iter().map(|region| visible(region)).collect();
            lines.push(format!("  regions: {}", regions.join(", ")));
        }
        lines.push(String::new());
    }
    let shared = shared(data, mask);
    if !shared.is_empty() {
        lines.push("Databases whose containers share RU/s".to_owned());
        lines.extend(shared);
        lines.push(String::new());
    }
    lines
}

fn name(account: &Account, mask: &Mask) -> String {
    let name = ContainerName { account: account.name.clone(), ..ContainerName::default() };
    let shown = mask.container(&name).account;
    let shown = shown.map(|name| visible(&name).into_owned());
    shown.unwrap_or_else(|| "the account".to_owned())
}

fn shared(data: &Dataset, mask: &Mask) -> Vec<String> {
    let mut databases: BTreeMap<String, (u64, RuOwner)> = BTreeMap::new();
    for container in &data.capture.containers {
        let throughput_mode = RuOwner::of(container, data.capture.account_of(&container.name));
        if matches!(throughput_mode, RuOwner::Shared(_)) {
            let held = databases.entry(database(container, mask));
            held.or_insert((0, throughput_mode)).0 += 1;
        }
    }
    let more = databases.len().saturating_sub(MOST_DATABASES);
    let reported = databases.into_iter().take(MOST_DATABASES);
    let mut lines: Vec<String> = reported
        .map(|(database, (containers, throughput_mode))| {
            let count = match containers {
                1 => "1 container".to_owned(),
                n => format!("{} containers", count_text(n)),
            };
            format!("  {database}, {count} with {}", throughput_mode.sentence())
        })
        .collect();
    if more > 0 {
        lines.push(format!("  … {} more databases", count_text(more as u64)));
    }
    lines
}

fn database(container: &Container, mask: &Mask) -> String {
    let name = mask.container(&container.name);
    let shown = name.database.map(|name| visible(&name).into_owned());
    shown.unwrap_or_else(|| "a database".to_owned())
}
