//! What accounts and databases are set to, told apart from what containers are: RU/s of a database are its containers'.

use std::collections::HashMap;

use super::owners::RangeOwner;
use super::{Capture, CaptureBuilder, Inner};
use crate::model::account::Account;
use crate::model::names::ContainerName;
use crate::model::physical::{ContainerFacts, WithoutOwn};

/// Accounts of one capture; a list of a subscription's has at most 1,000.
const MAX_ACCOUNTS: usize = 1_000;

impl CaptureBuilder {
    /// What an account is set to; where it was asked itself, it is that account whatever the answer calls it.
    pub fn account(&self, mut account: Account, source: u16) {
        let mut inner = self.inner();
        let owner = inner.owners.get(&source);
        if let Some(asked) = owner.and_then(|owner| owner.name.account.clone()) {
            account.name = Some(asked);
        }
        let is_it = |held: &Account| match (&held.name, &account.name) {
            (Some(held), Some(name)) => held.eq_ignore_ascii_case(name),
            (held, name) => held == name,
        };
        let at = inner.capture.accounts.iter().position(is_it);
        if let Some(at) = at {
            inner.capture.accounts.splice(at..=at, [account]);
        } else if inner.capture.accounts.len() < MAX_ACCOUNTS {
            inner.capture.accounts.push(account);
        }
    }

    /// The account that a resource id names is in its resource group.
    pub fn place_account(&self, [account, group]: [String; 2]) {
        let groups = &mut self.inner().groups;
        if groups.len() < MAX_ACCOUNTS {
            let held = groups.entry(account).or_insert_with(|| group.as_str().into());
            if **held != *group {
                *held = "".into();
            }
        }
    }
}

/// The account and its resource group that a resource id of Azure names; neither has letter case.
pub fn placed_by_resource_id(id: &str) -> Option<[String; 2]> {
    let id = id.to_lowercase();
    let after = |kind| id.split('/').skip_while(|part| *part != kind).nth(1);
    let [account, group] = ["databaseaccounts", "resourcegroups"].map(after);
    Some([account?.to_owned(), group?.to_owned()])
}

impl Capture {
    /// What is known of the account of a container. One that names none is taken for the only one that is known.
    pub fn account_of(&self, container: &ContainerName) -> Option<&Account> {
        match (&container.account, self.accounts.as_slice()) {
            (Some(name), all) => all.iter().find(|account| account.is_named(name)),
            (None, [only]) => Some(only),
            (None, _) => None,
        }
    }
}

type Facts = (ContainerFacts, String, u16);

/// Takes out what is told of databases and of no container. What was asked of a container is that container's.
pub(super) fn of_databases(
    all: &mut Vec<Facts>,
    owners: &HashMap<u16, RangeOwner>,
) -> Vec<ContainerFacts> {
    let is_of_database = |(facts, _, source): &mut Facts| {
        let asked = owners.get(source).is_some_and(|o| o.name.is_full());
        facts.without_own.is_some() && facts.name.container.is_none() && !asked
    };
    all.extract_if(.., is_of_database).map(|(facts, ..)| facts).collect()
}

impl Inner {
    pub(super) fn place_containers(&mut self) {
        for container in &mut self.capture.containers {
            let account = container.name.account.as_deref().map(str::to_lowercase);
            let group = account.and_then(|account| self.groups.get(&account));
            container.resource_group = group.filter(|group| !group.is_empty()).cloned();
        }
    }

    /// Gives RU/s of databases to their containers that told none of their own.
    pub(super) fn lend(&mut self, databases: &[ContainerFacts]) {
        for database in databases {
            let Some(WithoutOwn::Shared(_)) = database.without_own else {
                continue;
            };
            let name = &database.name;
            let is_account = |held: &ContainerName| match (&held.account, &name.account) {
                (Some(held), Some(name)) => held.eq_ignore_ascii_case(name),
                _ => true,
            };
            let here = self.capture.containers.iter_mut().filter(|container| {
                container.name.database == name.database && is_account(&container.name)
            });
            let without = here.filter(|c| c.throughput.is_none() && c.without_own.is_none());
            let mut lent = false;
            for container in without {
                container.without_own = database.without_own;
                lent = true;
            }
            if lent {
                let of = name.database.as_deref().unwrap_or_default();
                let note = format!(
                    "containers of `{}` without throughput settings of their own are taken to share their database's",
                    of.replace('`', "'")
                );
                if !self.capture.notes.contains(&note) {
                    self.capture.notes.push(note);
                }
            }
        }
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;
    use crate::model::account::Setting;
    use crate::model::physical::{Throughput, ThroughputSettings};

    fn settings(ru_per_second: f64) -> ThroughputSettings {
        ThroughputSettings {
            throughput: Throughput::Manual { ru_per_second },
            minimum: None,
            instant_maximum: None,
            key_cap: None,
        }
    }

    fn name(container: Option<&str>) -> ContainerName {
        ContainerName::new(Some("north"), Some("shop"), container)
    }

    #[test]
    fn containers_have_the_resource_group_of_their_account() {
        let id = |group: &str, account: &str| {
            format!(
                "/SUBSCRIPTIONS/1/RESOURCEGROUPS/{group}/PROVIDERS/MICROSOFT.DOCUMENTDB/DATABASEACCOUNTS/{account}"
            )
        };
        let builder = CaptureBuilder::new(0);
        for (group, account) in [("RG", "NORTH"), ("rg", "north"), ("a", "two"), ("b", "two")] {
            builder.place_account(placed_by_resource_id(&id(group, account)).unwrap());
        }
        for account in [Some("North"), Some("two"), Some("other"), None] {
            builder.container(&ContainerName::new(account, None, Some("c")));
        }
        builder.settle(None);
        let capture = builder.finish();
        let groups = capture.containers.iter();
        let groups: Vec<_> = groups.map(|c| c.resource_group.as_deref()).collect();
        assert_eq!(groups, [Some("rg"), None, None, None]);
        assert_eq!(placed_by_resource_id("/databaseAccounts/north"), None);
    }

    #[test]
    fn ru_of_a_database_are_for_its_containers_without_their_own() {
        let builder = CaptureBuilder::new(0);
        let facts = |container, throughput, without_own| ContainerFacts {
            name: name(container),
            throughput,
            without_own,
            ..ContainerFacts::default()
        };
        let shared = WithoutOwn::Shared(settings(400.0));
        builder.facts(facts(None, None, Some(shared)), "", 0);
        builder.facts(facts(Some("own"), Some(settings(1_000.0)), None), "", 1);
        builder.facts(facts(Some("carts"), None, None), "", 2);
        builder.settle(None);
        let capture = builder.finish();
        let of = |container| {
            let mut all = capture.containers.iter();
            let found = all.find(|c| c.name.container.as_deref() == Some(container));
            found.unwrap().without_own
        };
        assert_eq!(capture.containers.len(), 2, "a database is no container");
        assert_eq!((of("own"), of("carts")), (None, Some(shared)));
        assert_eq!(capture.notes.len(), 1, "{:?}", capture.notes);
    }

    #[test]
    fn an_account_is_found_by_its_name_or_as_the_only_one() {
        let builder = CaptureBuilder::new(0);
        let account = |name, is| Account::new(Some(name), vec![(Setting::Burst, is)], Vec::new());
        builder.account(account("North", true), 0);
        let of = |capture: &Capture, account: Option<&str>| {
            let found = capture.account_of(&ContainerName::new(account, None, Some("c")));
            found.and_then(|account| account.is(Setting::Burst))
        };
        let capture = builder.pass(Vec::new());
        assert_eq!(of(&capture, Some("north")), Some(true));
        assert_eq!(of(&capture, None), Some(true));
        assert_eq!(of(&capture, Some("south")), None);
        builder.account(account("south", true), 0);
        builder.account(account("north", false), 0);
        let capture = builder.finish();
        assert_eq!(capture.accounts.len(), 2);
        assert_eq!(of(&capture, Some("north")), Some(false), "the later answer");
        assert_eq!(of(&capture, None), None);
    }
}
