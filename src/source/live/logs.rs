//! Log Analytics: sizes, RU and requests that an account's diagnostic setting had logged, summed up by the service.

mod query;

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use serde::Deserialize;
use serde::de::IgnoredAny;

use self::query::{Log, Tables};
use super::azure_trouble::{About, Told};
use super::clock;
use super::management::is_guid;
use super::pipeline::{Client, Read, Reply, judged};
use super::services::Hosts;
use super::sign_in::SignIn;
use super::target::{Pace, Target};
use crate::model::time::{Stamp, TICKS_PER_SECOND};
use crate::model::visible::visible;
use crate::source::answers::{Asked, Obstacle, Seen, Trouble};

/// How long back is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Period {
    /// Growth needs days.
    pub sizes: Duration,
    pub load: Duration,
}

impl Default for Period {
    fn default() -> Self {
        Self {
            sizes: Duration::from_secs(30 * 86_400),
            load: Duration::from_secs(3600),
        }
    }
}

/// The logs of one account in one workspace. Copies share the tokens and what was learnt of the tables.
#[derive(Clone, Debug)]
pub struct Logs {
    client: Arc<Client>,
    workspace: String,
    account: String,
    period: Period,
    /// Where each log was found.
    tables: Arc<RwLock<HashMap<Log, Tables>>>,
}

/// What a query came to.
enum Came {
    Rows(Reply),
    /// A good answer without a row.
    None(Reply),
    /// There is no such table in the workspace.
    NoTable,
}

impl Logs {
    /// Nothing is sent yet. `account` is the name of the account, by which a workspace of several is filtered.
    pub fn new(
        sign_in: &SignIn,
        target: &Target,
        account: &str,
        hosts: Hosts,
        pace: Pace,
    ) -> Result<Self, Trouble> {
        let workspace = target.workspace.as_deref().unwrap_or_default();
        if !is_guid(workspace) {
            let shown: String = workspace.chars().take(200).collect();
            return Err(Trouble::new(
                Obstacle::NotFound,
                format!("no workspace id: {}", visible(&shown)),
                "give --workspace the workspace id, a GUID: az monitor log-analytics workspace show --query customerId",
            ));
        }
        Ok(Self {
            client: Arc::new(Client::new(sign_in, target, hosts, pace)?),
            workspace: workspace.to_owned(),
            account: account.to_owned(),
            period: Period::default(),
            tables: Arc::default(),
        })
    }

    /// The same over another time.
    #[must_use]
    pub fn over(&self, period: Period) -> Self {
        Self {
            period,
            ..self.clone()
        }
    }

    /// Asks, and tells what came: an answer of the query API whose columns are those of the log's own table. An answer
    /// that was cut short says so itself.
    pub async fn ask(&self, asked: &Asked) -> Seen {
        let came = self.answer(asked).await;
        let came = came.map(|reply| (Arc::from(&*reply.body), None));
        Seen::of(asked, clock::now(), came)
    }

    /// Asks the table that had records before, else the log's own and then the shared one.
    async fn answer(&self, asked: &Asked) -> Result<Reply, Trouble> {
        let log = Log::of(asked.kind).ok_or_else(|| {
            Trouble::new(
                Obstacle::Unsupported,
                "Log Analytics does not answer this",
                "it is asked elsewhere",
            )
        })?;
        let known = self.known(log);
        let order = match known {
            Some(tables) => vec![tables],
            None => vec![Tables::Own, Tables::Shared],
        };
        let mut empty = None;
        for tables in order {
            match self.query(log, tables, asked).await? {
                Came::Rows(reply) => {
                    self.learn(log, Some(tables));
                    return Ok(reply);
                }
                Came::None(reply) => empty = empty.or(Some(reply)),
                // What was there before is gone: the next round looks anew.
                Came::NoTable => self.learn(log, None),
            }
        }
        empty.ok_or_else(|| {
            Trouble::new(
                Obstacle::Unsupported,
                format!("the workspace has no log {}", log.category()),
                format!(
                    "add a diagnostic setting of the account with {} to this workspace",
                    log.category()
                ),
            )
        })
    }

    async fn query(&self, log: Log, tables: Tables, asked: &Asked) -> Result<Came, Trouble> {
        let last = match log {
            Log::Sizes => self.period.sizes,
            Log::Ru | Log::Requests => self.period.load,
        };
        let step_s = query::step_s(last.as_secs());
        let text = query::text(log, tables, &self.account, asked, step_s);
        let timespan = timespan(clock::now(), last, step_s);
        let body = serde_json::json!({ "query": text, "timespan": timespan }).to_string();
        let read = Read::logs(self.client.hosts(), &self.workspace, body).ok_or_else(|| {
            Trouble::new(
                Obstacle::NotFound,
                "no workspace id",
                "give --workspace a GUID",
            )
        })?;
        let reply = self.client.reply(&read).await?;
        if reply.status == 400 && is_unknown_table(&reply.body) {
            return Ok(Came::NoTable);
        }
        let reply = judged(About::Logs, reply)?;
        Ok(if has_rows(&reply.body) {
            Came::Rows(reply)
        } else {
            Came::None(reply)
        })
    }

    fn known(&self, log: Log) -> Option<Tables> {
        let tables = self.tables.read().unwrap_or_else(PoisonError::into_inner);
        tables.get(&log).copied()
    }

    fn learn(&self, log: Log, found: Option<Tables>) {
        let mut tables = self.tables.write().unwrap_or_else(PoisonError::into_inner);
        match found {
            Some(found) => tables.insert(log, found),
            None => tables.remove(&log),
        };
    }
}

/// Whole steps that are over.
fn timespan(now: Stamp, last: Duration, step_s: u64) -> String {
    let step = i64::try_from(step_s).unwrap_or(1).max(1);
    let to = now.seconds() - now.seconds().rem_euclid(step);
    let last = i64::try_from(last.as_secs()).unwrap_or(i64::MAX);
    let text = |second: i64| {
        let ticks = second.saturating_mul(TICKS_PER_SECOND);
        Stamp::from_ticks(ticks).unwrap_or(now).rfc3339()
    };
    format!("{}/{}", text(to.saturating_sub(last)), text(to))
}

/// Whether a refusal says that a table or a column of it is not there.
fn is_unknown_table(body: &[u8]) -> bool {
    let told = Told::of(body);
    let texts = [
        &told.code,
        &told.inner_code,
        &told.message,
        &told.inner_message,
    ];
    let says = |word: &str| texts.iter().any(|text| text.contains(word));
    says("SemanticError") || says("Failed to resolve") || says("SEM0100")
}

/// Whether the answer has a row, or an error that took the place of some.
fn has_rows(body: &[u8]) -> bool {
    #[derive(Deserialize)]
    struct Found {
        #[serde(default)]
        tables: Vec<Table>,
        error: Option<IgnoredAny>,
    }
    #[derive(Deserialize)]
    struct Table {
        #[serde(default)]
        rows: Vec<IgnoredAny>,
    }
    serde_json::from_slice::<Found>(body).is_ok_and(|result| {
        result.error.is_some() || result.tables.iter().any(|table| !table.rows.is_empty())
    })
}

#[cfg(test)]
mod tests;
