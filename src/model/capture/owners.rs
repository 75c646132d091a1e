//! Whose the facts of an input are: told beforehand, by resource id, by file name, by physical partitions, else by default.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use super::{Container, Inner};
use crate::model::names::ContainerName;
use crate::model::physical::{ContainerFacts, PhysicalPartition};
use crate::model::time::Stamp;

/// Whose an input is and when it was so, where that is known before it is read: answers of a live account.
#[derive(Clone, PartialEq, Debug)]
pub struct RangeOwner {
    pub name: ContainerName,
    pub at: Stamp,
    /// A later answer to the same question is there. Only sizes of keys are taken then, for the sake of their growth:
    /// partitions and settings may have changed.
    pub is_past: bool,
}

impl RangeOwner {
    /// What was asked of a container is about that container, whatever its `id` says: offers have one of their own.
    pub(super) fn of_facts(&self, name: ContainerName) -> ContainerName {
        if self.name.is_full() {
            ContainerName { rid: name.rid, ..self.name.clone() }
        } else {
            self.complete(name)
        }
    }

    /// A name as a record has it, completed by what is known.
    pub(super) fn complete(&self, mut name: ContainerName) -> ContainerName {
        let fill = |held: &mut Option<Arc<str>>, known: &Option<Arc<str>>| {
            let is_known = |said: &Arc<str>| {
                known.as_ref().is_some_and(|known| said.eq_ignore_ascii_case(known))
            };
            if held.as_ref().is_none_or(is_known) {
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
        held.container = held.container.take().or_else(|| facts.name.container.clone());
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
        facts: &ContainerFacts,
        file_name: &str,
        source: u16,
        default: Option<&ContainerName>,
    ) -> ContainerName {
        let mut name = facts.name.clone();
        if name.is_full() {
            return name;
        }
        let by_name = self.hinted(&name, file_name);
        let guess = by_name.map(|known| (known, "of the file name"));
        let by_content =
            || Some((self.same_partitions(facts)?, "it has the same physical partitions"));
        if let Some((known, why)) = guess.or_else(by_content) {
            // A backtick of its own would end the name early, and masking with it.
            let title = known.title().replace('`', "'");
            let note = format!("taken for `{title}` because {why}");
            if let Some(info) = self.capture.sources.get_mut(usize::from(source)) {
                info.notes.push(note);
            }
            return known;
        }
        let Some(default) = default else { return name };
        name.database = name.database.or_else(|| default.database.clone());
        name.container = name.container.or_else(|| default.container.clone());
        self.named_so(&name).unwrap_or(name)
    }

    /// The only known container of which a name says as much.
    fn named_so(&self, name: &ContainerName) -> Option<ContainerName> {
        let known = self.capture.containers.iter().map(|c| &c.name);
        only(known.filter(|known| known.is_full() && fits(name, known)))
    }

    /// The only known container with these physical partitions: by a GUID, else by all ids, if those of every container
    /// are known. New containers number theirs alike.
    fn same_partitions(&self, facts: &ContainerFacts) -> Option<ContainerName> {
        let guids: Vec<&str> = facts.partitions.iter().filter_map(|p| p.guid.as_deref()).collect();
        let names = &self.capture.load.names;
        let logged: HashSet<u32> = guids
            .iter()
            .flat_map(|guid| [names.find(guid), names.find(&guid.to_uppercase())])
            .flatten()
            .collect();
        let of_log =
            self.capture.load.requests.keys().filter(|cell| logged.contains(&cell.partition));
        let mut by_guid: HashSet<u32> = of_log.map(|cell| cell.container).collect();
        let has_guid = |c: &Container| {
            let mut held = c.partitions.iter().filter_map(|p| p.guid.as_deref());
            held.any(|guid| guids.contains(&guid))
        };
        let with_guid = (0_u32..).zip(&self.capture.containers).filter(|(_, c)| has_guid(c));
        by_guid.extend(with_guid.map(|(number, _)| number));
        if !by_guid.is_empty() {
            let found = by_guid.iter().filter_map(|n| self.capture.containers.get(*n as usize));
            return only(found.map(|c| &c.name)).filter(|known| fits(&facts.name, known));
        }
        let ids: BTreeSet<&str> = facts.partitions.iter().map(|p| p.id.as_str()).collect();
        let full = || self.capture.containers.iter().filter(|c| c.name.is_full());
        if ids.is_empty() || full().any(|c| c.partitions.is_empty()) {
            return None;
        }
        let same = full().filter(|c| c.live_ids() == ids).map(|c| &c.name);
        only(same).filter(|known| fits(&facts.name, known))
    }

    /// A known container whose name stands in the file name, if it is the only one.
    fn hinted(&self, name: &ContainerName, file_name: &str) -> Option<ContainerName> {
        let parts: Vec<&str> = file_name.split('.').collect();
        let known = self.capture.containers.iter().filter_map(|c| {
            let [_, database, container] = c.name.parts();
            let (database, container) = database.zip(container)?;
            let is_qualified = parts.windows(2).any(|w| w == [database, container]);
            let is_named = is_qualified || parts.contains(&container);
            (is_named && fits(name, &c.name)).then_some((is_qualified, c))
        });
        let mut known: Vec<(bool, &Container)> = known.collect();
        // Of several the one whose database stands there too, then the one that the service itself described.
        prefer(&mut known, |(is_qualified, _)| *is_qualified);
        prefer(&mut known, |(_, c)| c.definition.is_some());
        only(known.into_iter().map(|(_, c)| &c.name))
    }
}

impl Container {
    /// Ids of its physical partitions; those of a feed of ranges, if there was one: statistics name split ones, too.
    fn live_ids(&self) -> BTreeSet<&str> {
        let has_range = |p: &&PhysicalPartition| p.min_inclusive.is_some();
        let is_fed = self.partitions.iter().any(|p| has_range(&p));
        let live = self.partitions.iter().filter(|p| !is_fed || has_range(p));
        live.map(|p| p.id.as_str()).collect()
    }
}

/// Whether a name says nothing else than a known one, as far as it says anything.
fn fits(name: &ContainerName, known: &ContainerName) -> bool {
    let same = |said: &Option<Arc<str>>, held: &Option<Arc<str>>| said.is_none() || said == held;
    let held = known.account.as_deref();
    same(&name.container, &known.container)
        && same(&name.database, &known.database)
        && name.account.as_deref().is_none_or(|a| held.is_some_and(|k| k.eq_ignore_ascii_case(a)))
}

/// The one there is.
fn only<'n>(mut names: impl Iterator<Item = &'n ContainerName>) -> Option<ContainerName> {
    let first = names.next()?;
    names.next().is_none().then(|| first.clone())
}

/// Keeps only what passes, if anything does.
fn prefer<T>(candidates: &mut Vec<T>, passes: impl Fn(&T) -> bool) {
    if candidates.iter().any(&passes) {
        candidates.retain(passes);
    }
}
