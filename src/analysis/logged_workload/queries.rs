//! Logged queries by shape, and the file of queries that `trial` takes.

use std::fmt::Write as _;

use super::super::routing::RU_PER_VISIT;
use super::super::routing::workload::{WrittenRequest, one_line};
use super::{LoggedWorkload, OperationKind, WRITES};
use crate::model::load::{LoggedShape, QueryLog};
use crate::model::units::{amount_text, percent_text, real, six_digits};

/// Queries of one shape.
#[derive(Clone, PartialEq, Debug)]
pub struct QueryUse {
    pub sql: String,
    /// Names and values of the first one that was logged.
    pub values: Vec<(String, String)>,
    pub requests: u64,
    pub per_second: Option<f64>,
    /// Records a request: one for each physical partition that was queried.
    pub partitions: f64,
    pub ru_each: Option<f64>,
    /// RU of the cheap requests and of the dear ones, with the part that is dear.
    pub two_prices: Option<([f64; 2], f64)>,
    pub ms_each: Option<f64>,
}

impl QueryUse {
    pub(super) fn of(log: &QueryLog, container: u32, seconds: f64) -> Vec<Self> {
        let all = log.of_container(container).into_iter();
        let shape = |LoggedShape { text, values, sum }: LoggedShape<'_>| {
            let charged = sum.charged;
            let two_prices = sum.two_prices().and_then(|[cheap, dear]| {
                let dear_share = real(dear.requests) / real(charged.requests);
                Some(([cheap.ru_each()?, dear.ru_each()?], dear_share))
            });
            Self {
                sql: text.to_owned(),
                values: values.to_vec(),
                requests: sum.requests,
                per_second: (seconds > 0.0).then(|| real(sum.requests) / seconds),
                partitions: real(sum.records) / real(sum.requests.max(1)),
                ru_each: charged.ru_each(),
                two_prices,
                ms_each: (charged.duration_ms > 0.0)
                    .then(|| charged.duration_ms / real(charged.requests)),
            }
        };
        all.map(shape).collect()
    }

    /// What it costs where one partition answers: each further one takes its own charge.
    pub fn ru_of_one(&self) -> Option<f64> {
        let further = (self.partitions - 1.0).max(0.0) * RU_PER_VISIT;
        Some((self.ru_each? - further).max(RU_PER_VISIT.min(self.ru_each?)))
    }
}

impl LoggedWorkload {
    /// The query that costs most beyond its cheap price.
    pub(super) fn two_prices_sentence(&self, is_hierarchical: bool) -> Option<String> {
        let numbered = (1_u32..).zip(&self.queries);
        let found = numbered.filter_map(|(number, query)| {
            let (prices, share) = query.two_prices?;
            let excess = (prices[1] - prices[0]) * share * real(query.requests);
            Some((excess, number, prices, share))
        });
        let (_, number, prices, share) = found.max_by(|a, b| a.0.total_cmp(&b.0))?;
        let [cheap, dear] = prices.map(amount_text);
        let share = percent_text(share);
        let cure = if is_hierarchical {
            "name the prefix of the key in WHERE; as an SDK option alone it costs like a cross-partition query"
        } else {
            "name the partition key in WHERE, or give it with each request"
        };
        Some(format!(
            "query {number} costs {dear} RU in {share} of its requests, {cheap} in the others: {cure}"
        ))
    }

    /// Whether every request with a share in the load has its shape: queries without a text have none.
    pub fn knows_queries(&self) -> bool {
        !self.queries.is_empty() || self.of_kind(OperationKind::Query).next().is_none()
    }

    /// What `trial --queries` takes.
    pub fn query_file(&self) -> String {
        let lost: u64 = self.operations.iter().filter_map(|o| o.throttled).sum();
        let mut text = format!(
            "-- {} requests in {} s, {} RU. Rates are means of that time, without {lost} that got 429.\n",
            self.requests,
            six_digits(self.seconds),
            six_digits(self.ru)
        );
        for query in &self.queries {
            let request = WrittenRequest {
                per_second: query.per_second.map(six_digits),
                ru: query.ru_of_one().map(six_digits),
                parameters: &query.values,
                statement: &query.sql,
                name: None,
            };
            let _ = write!(text, "{request}");
        }
        for used in &self.operations {
            let done = used.requests - used.throttled.unwrap_or(0);
            let per_second = used.per_second.map(|_| real(done) / self.seconds);
            match request_word(&used.name, used.kind) {
                Some(statement) => {
                    let request = WrittenRequest {
                        name: Some(&used.name),
                        per_second: per_second.map(six_digits),
                        ru: used.ru_each.map(six_digits),
                        statement,
                        parameters: &[],
                    };
                    let _ = write!(text, "{request}");
                }
                None if used.kind == OperationKind::Query && !self.queries.is_empty() => {}
                None => {
                    let name = one_line(&used.name);
                    let _ = writeln!(text, "\n-- left out: {} {name}, no text", used.requests);
                }
            }
        }
        text
    }
}

/// What a workload file calls it.
fn request_word(name: &str, kind: OperationKind) -> Option<&'static str> {
    match kind {
        OperationKind::PointRead => Some("read"),
        OperationKind::Batch => Some("batch"),
        OperationKind::Procedure => Some("execute"),
        OperationKind::Write => {
            let name = name.to_ascii_lowercase();
            let found = WRITES.iter().find(|(part, _)| name.contains(part));
            found.map(|(_, word)| *word)
        }
        OperationKind::Query | OperationKind::Feed | OperationKind::Other => None,
    }
}
