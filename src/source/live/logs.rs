//! Log Analytics: sizes, RU and requests that an account's diagnostic setting had logged, summed up by the service.

mod query;

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use serde::Deserialize;
use serde::de::IgnoredAny;

use self::query::{LOGS, Log, Tables};
use super::azure_trouble::{About, MAX_ERROR_BYTES};
use super::clock;
use super::pipeline::{Client, Read, Reply};
use super::services::Hosts;
use super::sign_in::SignIn;
use super::target::{Pace, Target};
use crate::model::names::is_guid;
use crate::model::visible::visible;
use crate::source::answers::{Inquiry, Kind, Observation, Obstacle, Trouble};

/// How long back sizes are asked for: growth needs days.
const SIZES: Duration = Duration::from_secs(30 * 86_400);
const LOAD: Duration = Duration::from_secs(3600);

/// The logs of one account in one workspace. Copies share the tokens and what was learnt of the tables.
#[derive(Clone, Debug)]
pub struct LogsReader {
    client: Arc<Client>,
    workspace: String,
    account: String,
    /// Where each log was found.
    tables: Arc<RwLock<HashMap<Kind, Tables>>>,
}

/// What a query came to.
enum QueryOutcome {
    Rows(Reply),
    /// A good answer without a row.
    None(Reply),
    /// There is no such table in the workspace.
    NoTable,
}

impl LogsReader {
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
            tables: Arc::default(),
        })
    }

    /// Asks, and tells what came: an answer of the query API whose columns are those of the log's own table. An answer
    /// that was cut short says so itself.
    pub async fn ask(&self, inquiry: &Inquiry) -> Observation {
        let came = self.answer(inquiry).await;
        let came = came.map(|reply| (reply.body.into(), None));
        Observation::of(inquiry, clock::now(), came)
    }

    /// Asks the table that had records before, else the log's own and then the shared one.
    async fn answer(&self, inquiry: &Inquiry) -> Result<Reply, Trouble> {
        let log = LOGS.iter().find(|log| log.kind == inquiry.kind);
        let log = log.ok_or_else(|| {
            Trouble::new(
                Obstacle::Unsupported,
                "Log Analytics does not answer this",
                "another service has it",
            )
        })?;
        let order = match self.known(log) {
            Some(tables) => vec![tables],
            None => vec![Tables::Own, Tables::Shared],
        };
        let mut empty = None;
        for tables in order {
            match self.query(log, tables, inquiry).await? {
                QueryOutcome::Rows(reply) => {
                    self.learn(log, Some(tables));
                    return Ok(reply);
                }
                QueryOutcome::None(reply) => empty = empty.or(Some(reply)),
                // What was there before is gone: the next round looks anew.
                QueryOutcome::NoTable => self.learn(log, None),
            }
        }
        empty.ok_or_else(|| {
            Trouble::new(
                Obstacle::Unsupported,
                format!("the workspace has no log {}", log.category),
                format!(
                    "add a diagnostic setting of the account with {} to this workspace",
                    log.category
                ),
            )
        })
    }

    async fn query(
        &self,
        log: &Log,
        tables: Tables,
        inquiry: &Inquiry,
    ) -> Result<QueryOutcome, Trouble> {
        let last = match log.kind {
            Kind::LoggedSizes => SIZES,
            _ => LOAD,
        };
        let step_s = query::step_s(last.as_secs());
        let text = query::text(log, tables, &self.account, inquiry, step_s);
        let timespan = clock::whole_steps(clock::now(), last, step_s);
        let body = serde_json::json!({ "query": text, "timespan": timespan }).to_string();
        let read = Read::logs(self.client.hosts(), &self.workspace, body).ok_or_else(|| {
            Trouble::new(Obstacle::NotFound, "no workspace id", "give --workspace a GUID")
        })?;
        let reply = self.client.reply(&read).await?;
        if reply.status == 400 && is_unknown_table(&reply.body) {
            return Ok(QueryOutcome::NoTable);
        }
        let reply = self.client.valid_reply(About::LOGS, reply)?;
        Ok(if has_rows(&reply.body) {
            QueryOutcome::Rows(reply)
        } else {
            QueryOutcome::None(reply)
        })
    }

    fn known(&self, log: &Log) -> Option<Tables> {
        let tables = self.tables.read().unwrap_or_else(PoisonError::into_inner);
        tables.get(&log.kind).copied()
    }

    fn learn(&self, log: &Log, found: Option<Tables>) {
        let mut tables = self.tables.write().unwrap_or_else(PoisonError::into_inner);
        match found {
            Some(found) => tables.insert(log.kind, found),
            None => tables.remove(&log.kind),
        };
    }
}

/// Whether a refusal says that a table or a column of it is not there.
fn is_unknown_table(body: &[u8]) -> bool {
    // Older answers hold it in a text that is JSON itself.
    let text = String::from_utf8_lossy(body.get(..MAX_ERROR_BYTES).unwrap_or(body));
    ["SemanticError", "Failed to resolve", "SEM0100"].iter().any(|word| text.contains(word))
}

/// Whether the answer has a row, or an error that took the place of some.
fn has_rows(body: &[u8]) -> bool {
    #[derive(Deserialize)]
    struct ResponseShape {
        #[serde(default)]
        tables: Vec<Table>,
        error: Option<IgnoredAny>,
    }
    #[derive(Deserialize)]
    struct Table {
        #[serde(default)]
        rows: Vec<IgnoredAny>,
    }
    serde_json::from_slice::<ResponseShape>(body).is_ok_and(|result| {
        result.error.is_some() || result.tables.iter().any(|table| !table.rows.is_empty())
    })
}

#[cfg(test)]
mod tests;
