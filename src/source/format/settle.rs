//! Decides at the end of a document what it was, and whether anything of it can be used.

use crate::model::names::ContainerName;
use crate::model::physical::ContainerFacts;
use crate::source::json::fault::Ending;
use crate::source::tally::quoted;

use super::collect::{Document, Documents, List};
use super::fields::twice;
use super::json_document::{
    ACCOUNT, CONTAINER_READ, DISTRIBUTION, MERGE, MESSAGES, METRICS, QUERY_RESULT, RANGES, RECORDS,
    THROUGHPUT, USAGES,
};
use super::{arm, container_read, refusal};

/// Documents taken from one input; an account has far fewer containers.
const MAX_FACTS: usize = 20_000;

impl Documents<'_> {
    /// Decides at its end what a document was.
    pub(super) fn settle(&mut self, document: Document) {
        if let Some(name) = document.fields.twice() {
            self.outcome.note(format!("{}: none was taken", twice(name)));
        }
        let has = |list| document.lists.contains(&list);
        if has(List::Tables) {
            self.settle_tables(&document);
        } else if has(List::Records) {
            if document.rows == 0 {
                self.outcome.note("an empty list of records");
            }
            self.is(MESSAGES);
        } else if has(List::Series) {
            self.is(METRICS);
        } else if has(List::Accounts) {
            self.is(ACCOUNT);
        } else {
            self.settle_facts(document);
        }
    }

    fn settle_tables(&mut self, document: &Document) {
        if document.rows == 0 {
            if self.refused.is_some() {
                return;
            }
            self.outcome.note(if document.of_load {
                "no rows in this result: nothing was logged in this time"
            } else {
                "no rows in this result: no key large enough was reported"
            });
        }
        if document.failed() {
            let (code, message) = refusal::message(&document.fields);
            self.outcome.incomplete = true;
            self.outcome.note(format!("the result is incomplete ({}): {message}", quoted(&code)));
        }
        self.is(QUERY_RESULT);
    }

    fn settle_facts(&mut self, document: Document) {
        let definition = container_read::definition(&document.fields);
        let throughput = arm::throughput(&document.fields);
        let without_own = arm::without_own(&document.fields, throughput);
        let reported = throughput.is_some() || without_own.is_some();
        let Some(shape) = shape_of(&document.lists, definition.is_some(), reported) else {
            return self.settle_empty(&document);
        };
        let Document { fields, partitions, .. } = document;
        let listed: usize = partitions.iter().map(|p| p.listed.len()).sum();
        if shape == CONTAINER_READ && partitions.is_empty() {
            self.outcome.note("this container read holds no statistics");
        }
        self.outcome.other_rows += match shape {
            CONTAINER_READ => listed as u64,
            THROUGHPUT => 1,
            _ => partitions.len() as u64,
        };
        let name = match shape {
            // These answers name no container.
            USAGES | MERGE => ContainerName::default(),
            THROUGHPUT if without_own.is_some() => arm::database(&fields),
            _ => container_read::name(&fields),
        };
        let (partitions, merge_preview) =
            if shape == MERGE { (Vec::new(), partitions) } else { (partitions, Vec::new()) };
        if self.facts.len() >= MAX_FACTS {
            return self
                .outcome
                .note(format!("more than {MAX_FACTS} documents: the rest was left out"));
        }
        self.facts.push(ContainerFacts {
            name,
            throughput: throughput.filter(|_| without_own.is_none()),
            without_own,
            lifetime: definition.as_ref().and(container_read::lifetime(&fields)),
            unique_keys: definition.as_ref().and(container_read::unique_keys(&fields)),
            usage: definition.as_ref().and(container_read::usage(&fields)),
            definition,
            partitions,
            merge_preview,
            at: None,
        });
        self.is(shape);
    }

    /// A document that holds nothing known: empty, an error, or something else.
    fn settle_empty(&mut self, document: &Document) {
        let Document { names, fields, .. } = document;
        let has_value = document.lists.contains(&List::Value);
        if document.failed() {
            self.refused.get_or_insert_with(|| refusal::error(fields));
        } else if has_value
            && (fields.raw("timespan").is_some() || fields.raw("namespace").is_some())
        {
            self.outcome.note("no data in this period");
            self.is(METRICS);
        } else if has_value && names.len() == 1 && self.outcome.tally.skipped == 0 {
            self.outcome.note("an empty list");
            self.is(USAGES);
        } else if names.iter().any(|n| n.eq_ignore_ascii_case("records")) {
            self.refused.get_or_insert_with(refusal::records_no_list);
        } else if let Some(name) = fields.twice() {
            self.refused.get_or_insert_with(|| refusal::twice(name));
        } else {
            self.refused.get_or_insert_with(|| refusal::unknown(names));
        }
    }

    fn is(&mut self, shape: &'static str) {
        self.shape.get_or_insert(shape);
    }

    /// Why all of it is refused, if it is; otherwise what is wrong with parts of it becomes a note.
    pub(super) fn refusal(&mut self) -> Option<Ending> {
        let top = std::mem::take(&mut self.top);
        let loose = top.objects > 0 && top.like_a_record;
        if loose {
            self.is(RECORDS);
        }
        let refused = self.refused.take();
        if self.shape.is_some() {
            if let Some(Ending::Refused { what, .. }) = refused {
                self.outcome.note(what);
            }
            return None;
        }
        if refused.is_some() {
            return refused;
        }
        if top.objects > 0 {
            return Some(refusal::unknown(&top.names));
        }
        if let Some(raw) = top.scalar {
            return Some(refusal::scalar(&raw));
        }
        if let Some(first) = top.other {
            let what = format!("nothing in this document is a record: {first}");
            return Some(refusal::refused(&what));
        }
        if !top.list {
            return Some(refusal::refused("nothing in this document"));
        }
        self.outcome.note("an empty list: no records");
        None
    }
}

/// What a document that holds no log records is, by its lists first.
fn shape_of(lists: &[List], defined: bool, throughput: bool) -> Option<&'static str> {
    let has = |shape: &&'static str| lists.contains(&List::Partitions(shape));
    let mut by_list = [CONTAINER_READ, RANGES, USAGES, MERGE, DISTRIBUTION].into_iter();
    if defined {
        return Some(CONTAINER_READ);
    }
    by_list.find(has).or(throughput.then_some(THROUGHPUT))
}
