//! What stands in the way of the management plane, of metrics and of logs, in words: what happened, then what to do.

use std::time::Duration;

use serde::Deserialize;

use super::clock::read_http_date;
use super::fault::trimmed_message;
use super::pipeline::Reply;
use super::services::Service;
use super::trouble::{shown, wrong_clock};
use crate::model::time::Stamp;
use crate::source::answers::{Obstacle, Trouble};

/// An error answer is short; what is longer is a page of something else.
pub(super) const MAX_ERROR_BYTES: usize = 64 * 1024;

/// What was being asked, as far as it makes a difference which role is missing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct About {
    pub service: Service,
    pub what: &'static str,
    /// Who may: what to ask for.
    role: &'static str,
    /// What it means that it is not there, and what to do then.
    absent: (&'static str, &'static str),
}

impl About {
    pub const ACCOUNT: Self = Self {
        service: Service::Management,
        what: "the account in the management plane",
        role: "request the role Cosmos DB Account Reader (or Reader) on the account",
        absent: (
            "no such account in the management plane",
            "check --resource-id, and that the sign-in is for the account's tenant",
        ),
    };
    pub const SUBSCRIPTIONS: Self = Self {
        what: "the list of subscriptions",
        role: "request the role Cosmos DB Account Reader on the account, or give --resource-id",
        ..Self::ACCOUNT
    };
    pub const ACCOUNTS: Self =
        Self { what: "the accounts of the subscription", ..Self::SUBSCRIPTIONS };
    pub const THROUGHPUT: Self = Self {
        what: "the throughput settings",
        absent: (
            "neither the container nor its database has throughput settings",
            "check the names; a serverless account has none",
        ),
        ..Self::ACCOUNT
    };
    pub const DISTRIBUTION: Self = Self {
        what: "RU/s by physical partition",
        role: "reading it needs more than Reader: the action retrieveThroughputDistribution, which DocumentDB Account Contributor has; without it the ranges' shares of throughput are used",
        absent: (
            "RU/s by physical partition are not reported for this container",
            "they are a preview: where it is not switched on the ranges' shares of throughput are used",
        ),
        ..Self::ACCOUNT
    };
    pub const USAGES: Self = Self {
        what: "storage by physical partition",
        absent: (
            "storage by physical partition is not reported for this container",
            "the statistics of the partitions and the metric PhysicalPartitionSizeInfo show it, too",
        ),
        ..Self::ACCOUNT
    };
    pub const METRICS: Self = Self {
        what: "metrics of the account",
        role: "request the role Monitoring Reader on the account",
        absent: (
            "no metrics for this account",
            "check --resource-id: it ends in databaseAccounts/NAME",
        ),
        ..Self::ACCOUNT
    };
    pub const LOGS: Self = Self {
        service: Service::Logs,
        what: "logs of the workspace",
        role: "request the role Log Analytics Reader on the workspace, or for workspaces/query/<table>/read; a new role can take 60 minutes to work",
        absent: (
            "no such workspace",
            "give --workspace the workspace id, a GUID: az monitor log-analytics workspace show --query customerId",
        ),
    };
}

impl Service {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Management => "Azure Resource Manager",
            Self::Logs => "Log Analytics",
        }
    }
}

/// The code and message of an error answer, wherever that service puts them.
#[derive(Default, Debug)]
pub(super) struct ErrorText {
    pub code: String,
    pub message: String,
    /// The message of the cause inside, which names what is wrong with a query.
    pub inner_message: String,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct ErrorBody {
    error: Option<ErrorPart>,
    code: Option<String>,
    #[serde(alias = "Message")]
    message: Option<String>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct ErrorPart {
    code: Option<String>,
    message: Option<String>,
    #[serde(alias = "innerError")]
    innererror: Option<Box<ErrorPart>>,
}

impl ErrorText {
    pub(super) fn of(body: &[u8]) -> Self {
        let read = |body| serde_json::from_slice::<ErrorBody>(body).ok();
        let short = body.get(..MAX_ERROR_BYTES).map_or(body, |_| &[]);
        let outer = read(short).unwrap_or_default();
        let error = outer.error.unwrap_or_default();
        let inner = error.innererror.map(|inner| *inner).unwrap_or_default();
        // The cause that names the fault may lie one deeper.
        let deepest = match inner.innererror {
            Some(deeper) if deeper.message.is_some() => *deeper,
            _ => ErrorPart { innererror: None, ..inner },
        };
        let message = error.message.or(outer.message).unwrap_or_default();
        Self {
            code: error.code.or(outer.code).unwrap_or_default(),
            message: trimmed_message(&message).to_owned(),
            inner_message: deepest.message.unwrap_or_default(),
        }
    }

    /// The message nearest to the cause, fit to be shown.
    pub(super) fn shown(&self) -> String {
        let message = match self.inner_message.as_str() {
            "" => &self.message,
            inner => inner,
        };
        let message = shown(message);
        match (message.as_str(), self.code.as_str()) {
            ("", "") => String::new(),
            ("", code) => format!(": {}", shown(code)),
            (message, _) => format!(": {message}"),
        }
    }

    /// The action that a refusal of the management plane names: letters, dots and slashes only.
    fn action(&self) -> Option<&str> {
        let (_, rest) = self.message.split_once("action '")?;
        let (action, _) = rest.split_once('\'')?;
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '.' || c == '/';
        (!action.is_empty() && action.len() <= 200 && action.chars().all(plain)).then_some(action)
    }
}

/// Why an answer is no good one.
pub(super) fn of_reply(about: About, reply: &Reply, now: Stamp) -> Trouble {
    let service = about.service.name();
    let reported = ErrorText::of(&reply.body);
    let what = about.what;
    match reply.status {
        401 => refused_token(about, &reported, reply, now),
        403 if reported.code == "RequestDisallowedByPolicy" => Trouble::new(
            Obstacle::Forbidden,
            format!("a policy of the subscription (Azure Policy) refuses to read {what}"),
            "ask the owner of the policy assignment for an exemption",
        ),
        405 if reported.message.contains("Requests for API") => Trouble::new(
            Obstacle::Unsupported,
            format!("the account has another API than NoSQL (405){}", reported.shown()),
            "accounts of the API for NoSQL are read, no others",
        ),
        403 => {
            let action = reported.action().map(|a| format!(" ({a})")).unwrap_or_default();
            let what = format!("not allowed to read {what}{action}");
            Trouble::new(Obstacle::Forbidden, what, about.role)
        }
        404 => {
            let (what, next) = about.absent;
            Trouble::new(Obstacle::NotFound, what, next)
        }
        429 | 529 => Trouble::new(
            Obstacle::Throttled,
            format!("{service} throttles requests ({})", reply.status),
            "what was read before stays; it is tried again later",
        )
        .after(reply.retry_after.and_then(millis)),
        300..=399 => Trouble::new(
            Obstacle::Unbelievable,
            format!("{service} redirects to another address, which is not followed"),
            "look for a proxy or sign-in page in between",
        ),
        408 | 500..=599 => {
            let id = reply.request_id.as_deref().map(|id| format!("; request id {}", shown(id)));
            let (said, id) = (reported.shown(), id.unwrap_or_default());
            let what = format!("{service} failed ({}){said}{id}", reply.status);
            Trouble::new(Obstacle::Service, what, "it is tried again later")
                .after(reply.retry_after.and_then(millis))
        }
        400 if reported.message.to_ascii_lowercase().contains("serverless") => Trouble::new(
            Obstacle::Unsupported,
            "the account is serverless: it has no throughput settings",
            "a physical partition gives up to 5,000 RU/s there",
        ),
        status => Trouble::new(
            Obstacle::Unsupported,
            format!("{service} does not give {what} ({status}){}", reported.shown()),
            "this is not confirmed for every kind of account: what else was read stays",
        ),
    }
}

/// An operation that the service began and did not end well.
pub(super) fn failed(about: About, reply: &Reply) -> Trouble {
    let reported = ErrorText::of(&reply.body);
    Trouble::new(
        Obstacle::Unsupported,
        format!("{} does not give {}{}", about.service.name(), about.what, reported.shown()),
        "it is tried again later; what else was read stays",
    )
}

fn refused_token(about: About, reported: &ErrorText, reply: &Reply, now: Stamp) -> Trouble {
    let service = about.service.name();
    let date = reply.date.as_deref().and_then(read_http_date);
    if let Some(trouble) = wrong_clock(reply.status, date, now) {
        return trouble;
    }
    if reported.code == "InvalidAuthenticationTokenTenant" {
        return Trouble::new(
            Obstacle::SignIn,
            "signed in to another tenant than the account's",
            "sign in to the account's tenant: az login --tenant TENANT",
        );
    }
    Trouble::new(
        Obstacle::SignIn,
        format!("{service} does not accept the sign-in"),
        "sign in again (az login); if that does not help, conditional access may require more",
    )
}

pub(super) fn no_token(service: Service, why: &str) -> Trouble {
    // A credential tells in several lines what it tried; the first says what is wrong.
    let first = why.lines().map(str::trim).find(|line| !line.is_empty());
    let first = first.map(|line| format!(": {}", shown(line))).unwrap_or_default();
    Trouble::new(
        Obstacle::SignIn,
        format!("no token for {}{first}", service.name()),
        "sign in with az login, or choose how with --auth",
    )
}

pub(super) fn signed_in_by_key() -> Trouble {
    Trouble::new(
        Obstacle::Unsupported,
        "signed in by key: metrics, settings and logs need Entra ID",
        "connect without a key after az login",
    )
}

fn millis(of: Duration) -> Option<u64> {
    u64::try_from(of.as_millis()).ok()
}

#[cfg(test)]
mod tests;
