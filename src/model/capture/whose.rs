//! Whose the facts of an input are: told beforehand, by resource id, by file name, else by default.

use std::collections::HashMap;
use std::sync::Arc;

use super::{Container, Inner};
use crate::model::names::ContainerName;
use crate::model::physical::ContainerFacts;
use crate::model::time::Stamp;

/// Whose an input is and when it was so, where that is known before it is read: answers of a live account.
#[derive(Clone, PartialEq, Debug)]
pub struct Owner {
    pub name: ContainerName,
    pub at: Stamp,
    pub age: Age,
}

/// Whether a later answer to the same question is there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Age {
    Current,
    /// Only sizes of keys are taken, for the sake of their growth: partitions and settings may have changed.
    Past,
}

impl Owner {
    /// What was asked of a container is about that container, whatever its `id` says: offers have one of their own.
    pub(super) fn of_facts(&self, name: ContainerName) -> ContainerName {
        if self.name.is_full() {
            ContainerName {
                rid: name.rid,
                ..self.name.clone()
            }
        } else {
            self.complete(name)
        }
    }

    /// A name as a record has it, completed by what is known.
    pub(super) fn complete(&self, mut name: ContainerName) -> ContainerName {
        let fill = |held: &mut Option<Arc<str>>, known: &Option<Arc<str>>| {
            let same = match (&*held, known) {
                (Some(held), Some(known)) => held.eq_ignore_ascii_case(known),
                (None, _) => true,
                (Some(_), None) => false,
            };
            if same {
                held.clone_from(known);
            }
        };
        fill(&mut name.account, &self.name.account);
        fill(&mut name.database, &self.name.database);
        fill(&mut name.container, &self.name.container);
        name
    }
}

pub(super) fn rid_owners(
    facts: &[(ContainerFacts, String, u16)],
) -> HashMap<Arc<str>, ContainerName> {
    let mut owners: HashMap<Arc<str>, ContainerName> = HashMap::new();
    for (facts, _, _) in facts {
        let Some(rid) = &facts.name.rid else { continue };
        let held = owners.entry(Arc::clone(rid)).or_default();
        held.account = held.account.take().or_else(|| facts.name.account.clone());
        held.database = held.database.take().or_else(|| facts.name.database.clone());
        held.container = held
            .container
            .take()
            .or_else(|| facts.name.container.clone());
    }
    owners
}

pub(super) fn join_by_rid(name: &mut ContainerName, rids: &HashMap<Arc<str>, ContainerName>) {
    if let Some(owner) = name.rid.as_ref().and_then(|r| rids.get(r)) {
        name.account = name.account.take().or_else(|| owner.account.clone());
        name.database = name.database.take().or_else(|| owner.database.clone());
        name.container = name.container.take().or_else(|| owner.container.clone());
    }
}

impl Inner {
    pub(super) fn resolve(
        &mut self,
        mut name: ContainerName,
        file_name: &str,
        source: u16,
        default: Option<&ContainerName>,
    ) -> ContainerName {
        if name.is_full() {
            return name;
        }
        if let Some(hinted) = self.hinted(&name, file_name) {
            // A backtick of its own would end the name early, and masking with it.
            let title = hinted.title().replace('`', "'");
            let note = format!("taken for `{title}` because of the file name");
            if let Some(info) = self.sources.get_mut(usize::from(source)) {
                info.notes.push(note);
            }
            return hinted;
        }
        let Some(default) = default else { return name };
        name.database = name.database.or_else(|| default.database.clone());
        name.container = name.container.or_else(|| default.container.clone());
        name
    }

    /// A known container whose name stands in the file name, if it is the only one.
    fn hinted(&self, name: &ContainerName, file_name: &str) -> Option<ContainerName> {
        let parts: Vec<&str> = file_name.split('.').collect();
        let in_file_name = |known: &ContainerName| {
            let (Some(container), Some(database)) =
                (known.container.as_deref(), known.database.as_deref())
            else {
                return false;
            };
            let fits = name.container.as_deref().is_none_or(|c| c == container)
                && name.database.as_deref().is_none_or(|d| d == database)
                && name.account.as_deref().is_none_or(|a| {
                    known
                        .account
                        .as_deref()
                        .is_some_and(|k| k.eq_ignore_ascii_case(a))
                });
            let qualified = parts.windows(2).any(|w| w == [database, container]);
            fits && (qualified || parts.contains(&container))
        };
        let mut known: Vec<&Container> = self
            .containers
            .iter()
            .filter(|c| in_file_name(&c.name))
            .collect();
        let qualified = |c: &&Container| {
            parts.windows(2).any(|w| {
                [w.first().copied(), w.last().copied()]
                    == [c.name.database.as_deref(), c.name.container.as_deref()]
            })
        };
        // Of several the one whose database stands there too, then the one that the service itself described.
        prefer(&mut known, qualified);
        prefer(&mut known, |c| c.definition.is_some());
        match known.as_slice() {
            [only] => Some(only.name.clone()),
            _ => None,
        }
    }
}

/// Keeps only what passes, if anything does.
fn prefer<T>(candidates: &mut Vec<T>, passes: impl Fn(&T) -> bool) {
    if candidates.iter().any(&passes) {
        candidates.retain(passes);
    }
}
