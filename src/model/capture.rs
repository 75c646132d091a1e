//! Everything known about an account, whatever it came from, and the builder that collects it from all inputs.

mod accounts;
mod owners;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::account::Account;
use super::key::KeyDefinition;
use super::largest::{Glimpse, largest_so_far};
use super::load::Load;
use super::logical::{LogicalPartitions, SizeTable};
use super::names::{ContainerName, Names};
use super::physical::{
    ContainerFacts, PhysicalPartition, ThroughputSettings, TimeToLive, Usage, WithoutOwn,
};
use super::sample::{Sample, SampleTime, Trust};
use super::shard::Shard;
use super::time::Stamp;

pub use accounts::placed_by_resource_id;
pub use owners::RangeOwner;
use owners::{join_by_rid, rid_owners};

/// Different region names in one capture; more than Azure has, and bounded against hostile logs.
const MAX_REGIONS: usize = 4096;
/// Different containers in one capture; a log that names more is no log of one account.
pub const MAX_CONTAINERS: usize = 1_000_000;

/// How a note begins that says which of two date orders was taken; reports show it next to their verdict.
pub const AMBIGUOUS_DATES: &str = "the dates are ambiguous (day or month first)";

/// Listed keys that go into the table at once.
const PENDING_AT_ONCE: usize = 8_192;

words! {
    /// How a number came to be known.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Grade {
        /// Read from the service itself.
        Measured = "measured",
        /// Reported in a log; partition key statistics are estimates of the service.
        Logged = "logged",
        Sampled = "sampled",
        Computed = "computed",
    }
    fn word
}

words! {
    /// Why a row could not be used.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    pub enum RowFault {
        Cast = "cast",
        MissingColumns = "missing columns",
        TooManyColumns = "too many columns",
        UnquotedValue = "unquoted value",
        LineOverMaximum = "line over maximum",
        InvalidUnicode = "invalid unicode",
        /// Broken JSON; no word of the CSV vocabulary fits.
        BrokenJson = "broken JSON",
    }
    fn words
}

/// A row that was left out, with the place and the value.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct RowError {
    pub line: u64,
    pub fault: RowFault,
    pub detail: String,
}

/// One input and what came out of it.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct SourceInfo {
    /// As it is to be shown; the raw path may hold anything.
    pub path: String,
    pub shape: String,
    pub grade: Option<Grade>,
    pub rows: u64,
    pub skipped: u64,
    pub repeated: u64,
    pub other_kinds: u64,
    pub notes: Vec<String>,
    pub row_errors: Vec<RowError>,
    /// Why nothing was taken from it.
    pub refused: Option<String>,
    /// The input itself says or shows that it is not all there is.
    pub incomplete: bool,
}

impl SourceInfo {
    pub fn grade_word(&self) -> &'static str {
        self.grade.map_or("unknown how", Grade::word)
    }
}

/// A container with all that inputs told of it.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Container {
    pub name: ContainerName,
    pub definition: Option<KeyDefinition>,
    pub throughput: Option<ThroughputSettings>,
    /// Where it has RU/s from, if it has none of its own.
    pub without_own: Option<WithoutOwn>,
    pub lifetime: Option<TimeToLive>,
    pub unique_keys: Option<bool>,
    pub usage: Option<Usage>,
    pub partitions: Vec<PhysicalPartition>,
    pub merge_preview: Vec<PhysicalPartition>,
    /// Of its account, in lower case.
    pub resource_group: Option<Arc<str>>,
}

impl Container {
    /// Leaves out partitions that statistics still name and that the feed of ranges no longer does: of one account at one
    /// time the feed says which there are.
    fn forget_split(&mut self) {
        let has_range = |p: &PhysicalPartition| p.min_inclusive.is_some();
        if self.partitions.iter().any(has_range) {
            self.partitions.retain(has_range);
        }
    }

    fn absorb(&mut self, facts: ContainerFacts) {
        self.definition = facts.definition.or(self.definition.take());
        self.throughput = facts.throughput.or(self.throughput);
        self.without_own = facts.without_own.or(self.without_own);
        self.lifetime = facts.lifetime.or(self.lifetime);
        self.unique_keys = facts.unique_keys.or(self.unique_keys);
        self.usage = facts.usage.or(self.usage);
        for partition in facts.partitions {
            match self.partitions.iter_mut().find(|p| p.id == partition.id) {
                Some(held) => held.merge(partition),
                None => self.partitions.push(partition),
            }
        }
        if !facts.merge_preview.is_empty() {
            self.merge_preview = facts.merge_preview;
        }
    }

    /// It is known by its name: neither a read of it nor its partitions came.
    pub fn is_only_listed(&self) -> bool {
        self.definition.is_none() && self.partitions.is_empty()
    }

    /// Physical partitions that were not split, with their places in the list.
    pub fn current_partitions(&self) -> impl Iterator<Item = (usize, &PhysicalPartition)> {
        let parents = self.partitions.iter().flat_map(|p| &p.parents);
        let split: HashSet<&String> = parents.collect();
        let all = self.partitions.iter().enumerate();
        all.filter(move |(_, p)| !split.contains(&p.id))
    }

    /// Bytes of data over all physical partitions, where every one of them is known.
    pub fn kib(&self) -> Option<f64> {
        let sum: Option<f64> = self.current_partitions().map(|(_, p)| p.kib).sum();
        sum.filter(|kib| *kib > 0.0)
    }
}

/// Everything known, unchangeable; what views and reports read.
#[derive(Debug, Default)]
pub struct Capture {
    pub sources: Vec<SourceInfo>,
    pub containers: Vec<Container>,
    pub regions: Names,
    pub sizes: LogicalPartitions,
    pub load: Load,
    /// What accounts are set to, as far as an input told.
    pub accounts: Vec<Account>,
    /// Notes that belong to no single input.
    pub notes: Vec<String>,
}

impl Capture {
    pub fn container(&self, number: u32) -> Option<&Container> {
        self.containers.get(number as usize)
    }

    /// The name of a region; None where the input left it out.
    pub fn region(&self, number: u16) -> Option<&str> {
        Some(self.regions.text(u32::from(number))).filter(|name| !name.is_empty())
    }

    /// The same with these keys, and without load.
    fn with_sizes(&self, sizes: LogicalPartitions) -> Self {
        Self {
            sources: self.sources.clone(),
            containers: self.containers.clone(),
            regions: self.regions.clone(),
            sizes,
            load: Load::default(),
            accounts: self.accounts.clone(),
            notes: self.notes.clone(),
        }
    }
}

#[derive(Debug, Default)]
struct Inner {
    /// What comes of it, without sizes.
    capture: Capture,
    owners: HashMap<u16, RangeOwner>,
    numbers: HashMap<ContainerName, u32>,
    /// By account; empty where inputs name several.
    groups: BTreeMap<String, Arc<str>>,
    /// Facts with the file name they came from, in case nothing else says whose they are.
    facts: Vec<(ContainerFacts, String, u16)>,
}

/// Collects a capture from many workers at once.
#[derive(Debug)]
pub struct CaptureBuilder {
    inner: Mutex<Inner>,
    sizes: SizeTable,
}

impl CaptureBuilder {
    pub fn new(seed: u64) -> Self {
        Self { inner: Mutex::default(), sizes: SizeTable::new(seed) }
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn sizes(&self) -> &SizeTable {
        &self.sizes
    }

    /// The number of a container; None beyond `MAX_CONTAINERS`.
    pub fn container(&self, name: &ContainerName) -> Option<u32> {
        self.inner().container(name)
    }

    /// The number of a region; None beyond the limit.
    pub fn region(&self, name: &str) -> Option<u16> {
        self.inner().capture.regions.number(name, MAX_REGIONS).and_then(|n| u16::try_from(n).ok())
    }

    /// Works on the load under the lock; importers hand over whole chunks.
    pub fn load<R>(&self, work: impl FnOnce(&mut Load) -> R) -> R {
        work(&mut self.inner().capture.load)
    }

    /// Facts of a container; `file_name` is the hint where nothing else says which container it is.
    pub fn facts(&self, facts: ContainerFacts, file_name: &str, source: u16) {
        self.inner().facts.push((facts, file_name.to_owned(), source));
    }

    /// Says whose an input is before it is read.
    pub fn set_owner(&self, source: u16, owner: RangeOwner) {
        self.inner().owners.insert(source, owner);
    }

    /// A name that stands in an input, completed by what is known of the input.
    pub fn owned(&self, source: u16, name: ContainerName) -> ContainerName {
        match self.inner().owners.get(&source) {
            Some(owner) => owner.complete(name),
            None => name,
        }
    }

    pub fn note(&self, note: String) {
        let mut inner = self.inner();
        if !inner.capture.notes.contains(&note) {
            inner.capture.notes.push(note);
        }
    }

    /// Numbers a new input.
    pub fn add_source(&self, info: SourceInfo) -> u16 {
        let mut inner = self.inner();
        inner.capture.sources.push(info);
        u16::try_from(inner.capture.sources.len() - 1).unwrap_or(u16::MAX)
    }

    pub fn update_source(&self, source: u16, change: impl FnOnce(&mut SourceInfo)) {
        if let Some(info) = self.inner().capture.sources.get_mut(usize::from(source)) {
            change(info);
        }
    }

    /// Settles whose facts are whose, once all inputs were read: by name, by `_rid`, by file name, by partitions, else by `default`.
    pub fn settle(&self, default: Option<&ContainerName>) -> Vec<PendingSize> {
        let mut inner = self.inner();
        let mut all = std::mem::take(&mut inner.facts);
        // Several hands may have brought them.
        all.sort_by_key(|(_, _, source)| *source);
        let mut pending = Vec::new();
        let mut live = Vec::new();
        let rids = rid_owners(&all);
        let shared = accounts::of_databases(&mut all, &inner.owners);
        for (facts, _, source) in &mut all {
            if let Some(owner) = inner.owners.get(source) {
                facts.name = owner.of_facts(std::mem::take(&mut facts.name));
            }
        }
        // Every container that is named in full is known before file names are looked at: the order of inputs is nothing.
        for (facts, _, _) in &mut all {
            join_by_rid(&mut facts.name, &rids);
            if facts.name.is_full() {
                inner.container(&facts.name);
            }
        }
        // What says whose it is also comes first: it is what the others can be joined to.
        let (full, mut rest): (Vec<_>, Vec<_>) =
            all.into_iter().partition(|(f, ..)| f.name.is_full());
        rest.sort_by_key(|(f, ..)| f.partitions.iter().all(|p| p.guid.is_none()));
        for (mut facts, file_name, source) in full.into_iter().chain(rest) {
            facts.name = inner.resolve(&facts, &file_name, source, default);
            let Some(number) = inner.container(&facts.name) else {
                continue;
            };
            let owner = inner.owners.get(&source);
            let (at, is_past) = (owner.map(|o| o.at), owner.map(|o| o.is_past));
            for (key, kib) in facts.partitions.iter().flat_map(|p| &p.listed) {
                pending.push(PendingSize {
                    container: number,
                    key: key.clone(),
                    kib: *kib,
                    source,
                    at,
                });
            }
            if is_past == Some(true) {
                continue;
            }
            if let Some(container) = inner.capture.containers.get_mut(number as usize) {
                container.absorb(facts);
                live.extend(is_past.map(|_| number));
            }
        }
        for number in live {
            if let Some(container) = inner.capture.containers.get_mut(number as usize) {
                container.forget_split();
            }
        }
        inner.lend(&shared);
        inner.place_containers();
        for container in &mut inner.capture.containers {
            container
                .partitions
                .sort_by(|a, b| partition_order(&a.id).cmp(&partition_order(&b.id)));
        }
        pending
    }

    /// Puts the keys that container reads listed into the table, without a time where it is a file: that has none.
    pub fn apply_pending(&self, pending: &[PendingSize]) {
        let region = self.region("").unwrap_or(0);
        let mut batch = self.sizes.batch();
        for of_one in pending.chunk_by(|a, b| a.source == b.source) {
            for some in of_one.chunks(PENDING_AT_ONCE) {
                for p in some {
                    let sample = Sample { when: SampleTime::new(p.at, Trust::Exact), kib: p.kib };
                    batch.push_cell(p.container, region, p.key.as_bytes(), sample);
                }
                if let Some(first) = some.first() {
                    self.sizes.apply(&mut batch, first.source);
                }
            }
        }
    }

    /// The capture of one pass of several, with the shards that pass held.
    pub fn pass(&self, shards: Vec<Shard>) -> Capture {
        self.inner().capture.with_sizes(LogicalPartitions::new(shards))
    }

    /// The `limit` largest keys as of now, while others go on filling: no shard is locked longer than it takes to look
    /// through it, and nothing that is held changes.
    pub fn glimpse(&self, limit: usize) -> Glimpse {
        // Keys first: every container and region they name is then among those copied next.
        let (sizes, mut keys_so_far) = largest_so_far(&self.sizes, limit);
        let inner = self.inner();
        let mut capture = inner.capture.with_sizes(sizes);
        for (facts, ..) in inner.facts.iter().filter(|(f, ..)| f.name.is_full()) {
            let identity = ContainerName { rid: None, ..facts.name.identity() };
            let number = inner.numbers.get(&identity);
            let known = number.and_then(|n| capture.containers.get_mut(*n as usize));
            if let Some(container) = known.filter(|c| c.definition.is_none()) {
                container.definition.clone_from(&facts.definition);
            }
        }
        drop(inner);
        keys_so_far.resize(capture.containers.len(), 0);
        Glimpse { capture, keys_so_far }
    }

    pub fn finish(self) -> Capture {
        let inner = self.inner.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut capture = inner.capture;
        capture.containers.shrink_to_fit();
        capture.load.close();
        capture.sizes = self.sizes.finish();
        capture
    }
}

/// A key's size from a container read, waiting for its container to be known.
#[derive(Clone, PartialEq, Debug)]
pub struct PendingSize {
    container: u32,
    key: String,
    kib: f64,
    source: u16,
    /// When it was so; a container read in a file does not say.
    at: Option<Stamp>,
}

/// Range ids are numbers in text; sorting them as text would put 10 before 9.
fn partition_order(id: &str) -> (u64, &str) {
    (id.parse().unwrap_or(u64::MAX), id)
}

impl Inner {
    fn container(&mut self, name: &ContainerName) -> Option<u32> {
        let mut identity = name.identity();
        identity.rid = None;
        if let Some(number) = self.numbers.get(&identity) {
            let number = *number;
            // Of two spellings of one account the lower-case one is shown: resource ids shout, accounts do not.
            if let Some(held) = self.capture.containers.get_mut(number as usize)
                && name.account > held.name.account
            {
                held.name.account.clone_from(&name.account);
            }
            return Some(number);
        }
        if self.capture.containers.len() >= MAX_CONTAINERS {
            return None;
        }
        let number = u32::try_from(self.capture.containers.len()).ok()?;
        self.numbers.insert(identity, number);
        self.capture.containers.push(Container {
            name: ContainerName { rid: None, ..name.clone() },
            ..Container::default()
        });
        Some(number)
    }
}

#[cfg(test)]
mod tests;
