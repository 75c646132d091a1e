//! Everything a live account has told so far, bounded: newest answers whole, older ones for the growth of keys, and why a
//! question has no answer. A capture is made of it by the same importers that read files.

mod access;
mod events;
#[cfg(test)]
mod tests;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::answers::{Answer, Failure, Inquiry, Kind, Observation, Obstacle};
use super::import::{self, ImportOptions};
use super::input::{Input, Inputs};
use super::json::read;
use super::live::management::THROTTLED;
use super::watch::Watch;
use crate::error::Error;
use crate::model::capture::{Capture, CaptureBuilder, Grade, RangeOwner, SourceInfo};
use crate::model::names::ContainerName;
use crate::model::time::Stamp;

pub use access::Access;
pub use events::{Event, EventKind};

/// Older answers to one question that are kept: enough for a line through a day of sizes.
const MAX_PAST_ANSWERS: usize = 60;
/// Bytes of older answers in all: they are read again with every refresh. A container read with a hundred thousand keys takes
/// nine million, so that two or three older ones are kept of it; usual ones are a thousand times smaller.
const MAX_PAST_BYTES: usize = 24 << 20;
/// Things that happened; of more the oldest are forgotten.
const MAX_EVENTS: usize = 1_000;
/// Databases and containers of a list; a larger account needs `--database`.
pub const MAX_DATABASES: usize = 500;
pub const MAX_CONTAINERS: usize = 20_000;

/// Answers to one question, oldest first, and what stands in the way since.
#[derive(Clone, Debug, Default)]
struct Page {
    answers: Vec<Answer>,
    failure: Option<Failure>,
    ru: f64,
}

impl Page {
    fn newest(&self) -> Option<&Answer> {
        self.answers.last()
    }

    fn past_bytes(&self) -> usize {
        let past = self.answers.iter().rev().skip(1);
        past.map(|answer| answer.body.len()).sum()
    }

    /// Every second of the older answers goes, but the first.
    fn thin(&mut self) {
        let last = self.answers.len().saturating_sub(1);
        let mut at = 0;
        self.answers.retain(|_| {
            at += 1;
            at == 1 || at > last || at % 2 == 1
        });
    }
}

/// What was seen of one account.
#[derive(Clone, Debug, Default)]
pub struct Ledger {
    account: String,
    pages: BTreeMap<Inquiry, Page>,
    /// Bytes of older answers, over all pages that keep them.
    past_bytes: usize,
    events: Vec<Event>,
    newest: Option<Stamp>,
}

impl Ledger {
    /// Of the account with this name.
    pub fn new(account: &str) -> Self {
        Self { account: account.to_owned(), ..Self::default() }
    }

    pub fn add(&mut self, seen: Observation) {
        self.newest = self.newest.max(Some(seen.at()));
        let before = self.pages.get(seen.inquiry());
        let happened = events::of(&seen, before.and_then(Page::newest), before);
        if happened.iter().any(|event| event.happened == EventKind::Recreated) {
            self.forget_container(seen.inquiry());
        }
        self.events.extend(happened);
        let beyond = self.events.len().saturating_sub(MAX_EVENTS);
        self.events.drain(..beyond);
        match seen {
            Observation::Answer(answer) => self.take(answer),
            Observation::Failure(failure) => {
                let page = self.pages.entry(failure.inquiry.clone()).or_default();
                page.ru += failure.ru.unwrap_or(0.0);
                page.failure = Some(failure);
            }
        }
    }

    /// Another container has the name now: nothing that was answered before is about it. What it cost stays.
    fn forget_container(&mut self, inquiry: &Inquiry) {
        let same =
            |of: &Inquiry| (&of.database, &of.container) == (&inquiry.database, &inquiry.container);
        for (of, page) in self.pages.iter_mut().filter(|(of, _)| same(of)) {
            if of.kind.keeps_past() {
                self.past_bytes -= page.past_bytes();
            }
            page.answers.clear();
            page.failure = None;
        }
    }

    fn take(&mut self, mut answer: Answer) {
        let keeps_past = answer.inquiry.kind.keeps_past();
        let adds_up = answer.inquiry.kind == Kind::Documents;
        let page = self.pages.entry(answer.inquiry.clone()).or_default();
        page.failure = None;
        page.ru += answer.ru.unwrap_or(0.0);
        if !keeps_past {
            if !adds_up {
                page.answers.clear();
            }
            // They are added up as they come; here only their cost is told.
            if answer.inquiry.kind == Kind::Counts {
                answer.body = Arc::default();
            }
            page.answers.push(answer);
            return;
        }
        self.past_bytes -= page.past_bytes();
        // The same once more says nothing new, but is newer.
        let is_known = page.newest().is_some_and(|held| held.body == answer.body);
        if is_known && page.answers.len() > 1 {
            page.answers.pop();
        }
        page.answers.push(answer);
        if page.answers.len() > MAX_PAST_ANSWERS {
            page.thin();
        }
        self.past_bytes += page.past_bytes();
        while self.past_bytes > MAX_PAST_BYTES && self.forget_past() {}
    }

    /// Thins the page with the most older answers; whether there was one.
    fn forget_past(&mut self) -> bool {
        let with_past = self.pages.iter_mut();
        let with_past =
            with_past.filter(|(inquiry, page)| inquiry.kind.keeps_past() && page.answers.len() > 1);
        let Some((_, largest)) = with_past.max_by_key(|(_, page)| page.past_bytes()) else {
            return false;
        };
        self.past_bytes -= largest.past_bytes();
        let before = largest.answers.len();
        largest.thin();
        if largest.answers.len() == before {
            largest.answers.remove(0);
        }
        self.past_bytes += largest.past_bytes();
        true
    }

    /// The moment of what was seen last.
    pub fn newest(&self) -> Option<Stamp> {
        self.newest
    }

    pub fn answer(&self, inquiry: &Inquiry) -> Option<&Answer> {
        self.pages.get(inquiry)?.newest()
    }

    /// What stands in the way of a question since its last answer.
    pub fn failure(&self, inquiry: &Inquiry) -> Option<&Failure> {
        self.pages.get(inquiry)?.failure.as_ref()
    }

    /// When a question was asked last, whatever came back.
    pub fn asked_at(&self, inquiry: &Inquiry) -> Option<Stamp> {
        let page = self.pages.get(inquiry)?;
        let answered = page.newest().map(|answer| answer.at);
        answered.max(page.failure.as_ref().map(|failure| failure.at))
    }

    /// How many questions of a kind were asked since then.
    pub fn asked_since(&self, kind: Kind, since: Option<Stamp>) -> usize {
        let of_kind = self.pages.keys().filter(|inquiry| inquiry.kind == kind);
        of_kind.filter(|inquiry| self.asked_at(inquiry) >= since).count()
    }

    /// Pages of the sample of documents of a container, in their order.
    pub fn documents(&self, database: &str, container: &str) -> impl Iterator<Item = &Answer> {
        let of = Inquiry::container(Kind::Documents, database, container);
        let pages = self.pages.iter();
        let pages = pages.filter(move |(inquiry, _)| inquiry.is_part_of(&of));
        pages.flat_map(|(_, page)| &page.answers)
    }

    /// Containers of which documents were asked, as (database, container), and how many pages of each are there.
    pub fn sampled(&self) -> BTreeMap<(String, String), usize> {
        let mut found = BTreeMap::new();
        for (inquiry, page) in &self.pages {
            if inquiry.kind == Kind::Documents
                && let (Some(database), Some(container)) = (&inquiry.database, &inquiry.container)
            {
                *found.entry((database.clone(), container.clone())).or_default() +=
                    page.answers.len();
            }
        }
        found.retain(|_, pages| *pages > 0);
        found
    }

    /// Documents of other containers than this one stay as far as they take no more than that, those that were read last
    /// first. What the others cost stays.
    pub fn let_go_of_samples(&mut self, but: &(String, String), most_bytes: u64) {
        let mut others: BTreeMap<(String, String), (Option<Stamp>, u64)> = BTreeMap::new();
        for (inquiry, page) in &self.pages {
            let of = inquiry.database.clone().zip(inquiry.container.clone());
            if let Some(of) = of.filter(|of| inquiry.kind == Kind::Documents && of != but) {
                let (newest, bytes) = others.entry(of).or_default();
                *newest = (*newest).max(page.newest().map(|answer| answer.at));
                *bytes += page.answers.iter().map(|a| a.body.len() as u64).sum::<u64>();
            }
        }
        let mut others: Vec<_> = others.into_iter().collect();
        others.sort_by_key(|(_, (newest, _))| Reverse(*newest));
        let mut held = 0;
        for ((database, container), (_, bytes)) in others {
            held += bytes;
            if held > most_bytes {
                self.forget_sample(&Inquiry::container(Kind::Documents, &database, &container));
            }
        }
    }

    /// One page that tells what the sample cost takes the place of all of it.
    fn forget_sample(&mut self, of: &Inquiry) {
        let mut ru = 0.0;
        self.pages.retain(|inquiry, page| {
            let stays = !inquiry.is_part_of(of);
            ru += if stays { 0.0 } else { page.ru };
            stays
        });
        self.pages.entry(of.clone()).or_default().ru = ru;
    }

    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// RU that answers said they cost, in all.
    pub fn spent_ru(&self) -> f64 {
        self.pages.values().map(|page| page.ru).sum()
    }

    /// What each kind of question gave.
    pub fn access(&self) -> Vec<Access> {
        access::of(self.pages.iter())
    }

    pub fn databases(&self) -> Vec<String> {
        let listed = self.answer(&Inquiry::account(Kind::Databases));
        listed.map_or_else(Vec::new, |a| ids_in(&a.body, "Databases", MAX_DATABASES))
    }

    /// Containers that were listed or were asked for by name, as (database, container).
    pub fn containers(&self) -> Vec<(String, String)> {
        let mut found = Vec::new();
        for (inquiry, page) in &self.pages {
            let Some(database) = &inquiry.database else {
                continue;
            };
            match (&inquiry.kind, &inquiry.container, page.newest()) {
                (Kind::Containers, None, Some(answer)) => {
                    let ids = ids_in(&answer.body, "DocumentCollections", MAX_CONTAINERS);
                    found.extend(ids.into_iter().map(|id| (database.clone(), id)));
                }
                (Kind::Container, Some(container), _) => {
                    found.push((database.clone(), container.clone()));
                }
                _ => {}
            }
        }
        found.sort_unstable();
        found.dedup();
        found.truncate(MAX_CONTAINERS);
        found
    }

    /// Containers that were read once and are no longer there.
    pub fn deleted(&self) -> BTreeSet<(String, String)> {
        let gone = self.pages.iter().filter(|(inquiry, page)| {
            let failure = page.failure.as_ref().map(|failure| failure.trouble.obstacle);
            inquiry.kind == Kind::Container
                && page.newest().is_some()
                && failure == Some(Obstacle::NotFound)
        });
        gone.filter_map(|(inquiry, _)| inquiry.database.clone().zip(inquiry.container.clone()))
            .collect()
    }

    fn name(&self, inquiry: &Inquiry) -> ContainerName {
        ContainerName::new(
            Some(&self.account),
            inquiry.database.as_deref(),
            inquiry.container.as_deref(),
        )
    }

    /// What importers are to read.
    pub(super) fn inputs(&self) -> Inputs {
        let mut inputs = Inputs::default();
        for (database, container) in self.containers() {
            let name = Inquiry::container(Kind::Container, &database, &container);
            inputs.containers.push(self.name(&name));
        }
        let imported = |inquiry: &Inquiry| {
            inquiry.kind.is_imported() && inquiry.part.as_deref() != Some(THROTTLED.name)
        };
        for (inquiry, page) in self.pages.iter().filter(|(inquiry, _)| imported(inquiry)) {
            let newest = page.answers.len().saturating_sub(1);
            // Of a minute that is told twice the first is taken; in a newer answer it was over.
            for (number, answer) in page.answers.iter().enumerate().rev() {
                let owner = RangeOwner {
                    name: self.name(inquiry),
                    at: answer.at,
                    is_past: number != newest,
                };
                let kind = inquiry.kind;
                let input = Input::in_memory(kind.words(), kind, &answer.body, owner);
                inputs.inputs.push(Ok(input));
            }
        }
        inputs
    }

    /// Everything that is known, as files of the same content would give it.
    pub fn capture(&self, options: &ImportOptions, watch: &Watch) -> Result<Capture, Error> {
        let inputs = self.inputs();
        let named = || {
            let builder = CaptureBuilder::new(options.seed);
            for name in &inputs.containers {
                builder.container(name);
            }
            builder
        };
        if inputs.inputs.is_empty() {
            return Ok(named().finish());
        }
        match import::import_largest(&inputs, options, watch) {
            Err(Error::Refused { .. }) => {
                // Nothing that was answered can be used; that it was answered so is still worth showing.
                let builder = named();
                builder.note("no answer of the account could be read".to_owned());
                Ok(builder.finish())
            }
            read => read,
        }
    }
}

/// The `id` of the first entries of a feed, in its order.
pub fn ids_in(body: &[u8], list: &str, most: usize) -> Vec<String> {
    let entries = || {
        let members = read::members(std::str::from_utf8(body).ok()?).ok()??;
        read::elements(read::member(&members, &list.to_lowercase())?).ok()?
    };
    let id = |entry: &str| {
        let members = read::members(entry).ok()??;
        let id = read::member(&members, "id")?;
        id.starts_with('"').then(|| read::text(id))?
    };
    let entries = entries().unwrap_or_default();
    entries.into_iter().take(most).filter_map(id).collect()
}

impl Kind {
    /// Whether older answers tell something that newer ones do not: sizes of then, minutes that are over.
    fn keeps_past(self) -> bool {
        matches!(self, Self::Container | Self::Metrics)
    }

    /// What is said of all answers of a kind. Metrics are asked for an hour each time: that they repeat is no news.
    pub(super) fn with_kind(self, mut info: SourceInfo) -> SourceInfo {
        if self == Self::Metrics {
            info.repeated = 0;
            info.notes.retain(|note| !note.ends_with(import::COUNTED_ONCE));
        }
        info
    }

    /// Whether an importer can read it into what is known of the account and its containers.
    fn is_imported(self) -> bool {
        self.row().1
    }

    pub(super) fn grade(self) -> Grade {
        self.row().0
    }

    /// What it is, as a row of the sources says it.
    pub fn words(self) -> &'static str {
        self.row().2
    }

    /// How good its figures are, whether an importer reads it, and what it is called.
    fn row(self) -> (Grade, bool, &'static str) {
        use Grade::{Logged, Measured, Sampled};
        match self {
            Self::Account => (Measured, false, "account"),
            Self::Databases => (Measured, false, "list of databases"),
            Self::Containers => (Measured, false, "lists of containers"),
            Self::Container => (Measured, true, "containers with statistics of their partitions"),
            Self::Ranges => (Measured, true, "physical partitions"),
            Self::Offer => (Measured, true, "RU/s by the data plane"),
            Self::ManagedAccount => (Measured, true, "account by the management plane"),
            Self::ManagedThroughput => (Measured, true, "RU/s by the management plane"),
            Self::Distribution => (Measured, true, "RU/s of each physical partition"),
            Self::Usages => (Measured, true, "storage of each physical partition"),
            Self::Metrics => (Measured, true, "metrics"),
            Self::LoggedSizes => (Logged, true, "logged sizes (Log Analytics)"),
            Self::LoggedRu => (Logged, true, "logged RU by key (Log Analytics)"),
            Self::LoggedRequests => (Logged, true, "logged requests (Log Analytics)"),
            Self::Documents => (Sampled, false, "sample of documents"),
            Self::Counts => (Measured, false, "documents counted by key"),
        }
    }
}
