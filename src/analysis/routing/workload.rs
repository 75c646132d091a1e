//! What an application asks of a container: queries and operations on single documents, with how often and what they cost.
//!
//! As text, queries are separated by `;`, or by a blank line before the next; comments before one say the rest:
//!
//! ```text
//! -- name: latest messages
//! -- rate: 12/s
//! -- ru: 3
//! -- @deviceId: "car-7"
//! SELECT * FROM c WHERE c.deviceId = @deviceId;
//!
//! -- rate: 200/s
//! create
//! ```
//!
//! As JSON, one object, a list of objects or one object a line, each with `sql` or `query` (or `operation`), and if known
//! `name`, `parameters`, `per_second` or `rate`, and `ru`.

mod json;
mod text;

pub use text::{WrittenRequest, one_line};

use crate::model::limits::DEMAND;
use crate::model::units::{plain_amount, rate_per_second};

use super::super::candidate::Candidate;
use super::RU_PER_VISIT;
use super::filter::Parameters;
use super::layout::RoutedLayout;
use super::point::{PointOperation, route_point};
use super::price::{RequestPrice, price};
use super::query::{Query, QueryFault};
use super::route::{Route, route};

/// More kinds of request than anyone can look at.
const MAX_REQUESTS: usize = 10_000;
/// Notes that are kept.
const MAX_NOTES: usize = 20;
const SHORT_NAME: usize = 60;

/// One kind of request.
#[derive(Clone, PartialEq, Debug)]
pub struct Request {
    pub name: String,
    pub kind: RequestKind,
    pub per_second: Option<f64>,
    /// The charge of one, as it was measured.
    pub ru: Option<f64>,
}

#[derive(Clone, PartialEq, Debug)]
pub enum RequestKind {
    Query {
        sql: String,
        /// Why it cannot be read, if it cannot.
        query: Result<Query, QueryFault>,
    },
    Point(PointOperation),
}

/// A workload, and what of the text was not taken.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Workload {
    pub requests: Vec<Request>,
    pub notes: Vec<WorkloadNote>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WorkloadNote {
    /// Counted from 1; of JSON the number of the entry.
    pub line: usize,
    pub what: String,
}

/// Whether a request of which only the paths are known reads or writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RequestAccess {
    Read,
    Write,
}

/// RU or a rate, up to what a service can have.
fn amount(text: &str) -> Option<f64> {
    plain_amount(text).filter(|amount| *amount <= DEMAND.most)
}

fn per_second(text: &str) -> Option<f64> {
    rate_per_second(text).filter(|rate| *rate <= DEMAND.most)
}

impl Workload {
    /// Reads a workload as text, JSON or JSON lines, whichever it is.
    pub fn parse(text: &str) -> Self {
        let text = text.trim_start_matches('\u{feff}');
        let mut workload = Self::default();
        if text.trim_start().starts_with(['{', '[']) {
            json::read(text, &mut workload);
        } else {
            text::read(text, &mut workload);
        }
        workload
    }

    fn add(&mut self, line: usize, mut request: Request) {
        if self.requests.len() >= MAX_REQUESTS {
            self.note(line, "not taken: a workload has at most 10,000 requests");
            return;
        }
        if request.name.is_empty() {
            request.name = request.short_name(self.requests.len() + 1);
        }
        self.requests.push(request);
    }

    fn note(&mut self, line: usize, what: impl Into<String>) {
        if self.notes.len() < MAX_NOTES {
            let what = what.into();
            self.notes.push(WorkloadNote { line, what });
        }
    }
}

impl Request {
    pub fn query(name: impl Into<String>, sql: impl Into<String>) -> Self {
        let sql = sql.into();
        Self {
            name: name.into(),
            kind: RequestKind::Query { query: Query::parse(&sql), sql },
            per_second: None,
            ru: None,
        }
    }

    pub fn point(name: impl Into<String>, operation: PointOperation) -> Self {
        Self { name: name.into(), kind: RequestKind::Point(operation), per_second: None, ru: None }
    }

    /// A request of a scenario or a design: a write sends the whole document, and what cannot be read asks for every one.
    pub fn of_sql(name: impl Into<String>, access: RequestAccess, sql: &str) -> Self {
        let said = text::operation_of(sql);
        if access == RequestAccess::Write || said == Some(PointOperation::Read) {
            return Self::point(name, said.unwrap_or(PointOperation::Create));
        }
        let mut request = Self::query(name, sql);
        if let RequestKind::Query { query, .. } = &mut request.kind
            && query.is_err()
        {
            *query = Ok(Query::default());
        }
        request
    }

    /// Whether it is all or nothing for documents of one key.
    pub fn is_transaction(&self) -> bool {
        matches!(self.kind, RequestKind::Point(PointOperation::Batch | PointOperation::Procedure))
    }

    pub fn access(&self) -> RequestAccess {
        match &self.kind {
            RequestKind::Query { .. } | RequestKind::Point(PointOperation::Read) => {
                RequestAccess::Read
            }
            RequestKind::Point(_) => RequestAccess::Write,
        }
    }

    #[must_use]
    pub fn at(mut self, per_second: Option<f64>, ru: Option<f64>) -> Self {
        self.per_second = per_second;
        self.ru = ru;
        self
    }

    fn with_parameters(mut self, parameters: Parameters) -> Self {
        if let RequestKind::Query { query: Ok(query), .. } = &mut self.kind {
            query.parameters = parameters;
        }
        self
    }

    pub fn route(&self, candidate: &Candidate, layout: &RoutedLayout) -> Route {
        match &self.kind {
            RequestKind::Point(operation) => route_point(*operation, candidate, layout),
            RequestKind::Query { query: Ok(query), .. } => route(query, candidate, layout),
            RequestKind::Query { query: Err(fault), sql } => Route::unknown(fault.sentence(sql)),
        }
    }

    /// What one costs where one partition answers: as measured; of a query else one visit, of a single document what the
    /// service publishes: 1 RU to read and 5 to write 1 KB, ten times as much for 100 KB.
    pub fn charge(&self, document_kib: f64) -> f64 {
        let by_size = document_kib.max(1.0).sqrt();
        self.ru.unwrap_or(match self.kind {
            RequestKind::Query { .. } => RU_PER_VISIT,
            RequestKind::Point(PointOperation::Read) => by_size,
            RequestKind::Point(_) => 5.0 * by_size,
        })
    }

    /// What it costs on that route.
    pub fn price(&self, route: &Route, document_kib: f64) -> Option<RequestPrice> {
        price(route, self.charge(document_kib), self.per_second)
    }

    fn short_name(&self, number: usize) -> String {
        match &self.kind {
            RequestKind::Point(operation) => format!("{operation:?}").to_lowercase(),
            RequestKind::Query { sql, .. } => {
                let words: Vec<&str> = sql.split_whitespace().collect();
                let line = words.join(" ");
                let short: String = line.chars().take(SHORT_NAME).collect();
                if short.is_empty() { format!("query {number}") } else { short }
            }
        }
    }
}
