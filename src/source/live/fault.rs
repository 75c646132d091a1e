//! What went wrong, before it is put in words: an answer of the service that is none, or no answer at all. Read from our own
//! requests and from the errors of the SDK, whose causes lie at the end of their chains.

use std::error::Error;
use std::io;
use std::time::Duration;

use azure_data_cosmos::CosmosError;

use super::credential::trouble_of;
use super::trouble::shown;
use super::{clock, wire};
use crate::model::time::Stamp;
use crate::source::answers::{Obstacle, Trouble};
use crate::source::json::read;

/// What the SDK calls its own failures, as sub-statuses: the public client gives them no names.
const SDK_TIMED_OUT: u16 = 20008;
const SDK_NOT_READ: u16 = 20020;
const SDK_NO_TOKEN: u16 = 20402;
/// Causes that are looked at: the chains of the SDK have about five, and a hostile one could be a ring.
const MAX_CHAIN: usize = 16;
/// Bytes of a body that are looked at for a message.
const MAX_MESSAGE_BYTES: usize = 64 * 1024;

#[derive(Clone, PartialEq, Debug)]
pub(super) enum Fault {
    /// The service answered, and not with what was asked for.
    Refused(Box<Refusal>),
    /// Its name leads nowhere.
    NoName,
    /// Nothing listens, or no way leads there.
    NoAnswer,
    /// Its certificate is not trusted; with the reason.
    Certificate(String),
    /// It does not speak HTTP/2.
    NoHttp2,
    /// It answers in plain text where TLS was begun.
    NoTls,
    TimedOut(Duration),
    /// The connection ended before the answer did.
    Cut,
    /// An answer that is not of this service; with what is odd about it.
    NotCosmos(String),
    Empty,
    /// It claims to have cost more RU than any answer does.
    Overcharged(f64),
    /// More than will be held.
    TooLong(usize),
    /// Not asked, because the service refused before; seconds until it may be.
    Held(f64),
    /// Not asked, because what came before cost more than the rate allows; seconds until it is paid for.
    Unpaid(f64),
    /// It redirects, which is not followed; with the place.
    Redirected(String),
    /// The account names a host of another domain.
    ElsewhereNamed(String),
    /// No token could be had; with what the credential says.
    NoToken(Box<Trouble>),
    /// The key is no base64.
    NoKey,
    /// Anything else, with the innermost cause.
    Other(String),
}

/// An answer that refuses.
#[derive(Clone, PartialEq, Default, Debug)]
pub(super) struct Refusal {
    pub status: u16,
    /// Zero where none was given.
    pub sub_status: u16,
    pub message: String,
    pub retry_after_ms: Option<u64>,
    pub ru: Option<f64>,
    pub activity: Option<String>,
    /// The clock of the service.
    pub date: Option<Stamp>,
}

impl Fault {
    /// Keeps the words of our own credentials. Without a token nothing of the account can be reached.
    pub(super) fn no_token(error: &(dyn Error + 'static)) -> Self {
        let mut trouble = trouble_of(error).unwrap_or_else(|| {
            let why = format!("no token for Cosmos DB: {}", shown(&innermost(error)));
            Trouble::new(Obstacle::SignIn, why, "sign in again: az login, or another --auth")
        });
        if trouble.obstacle == Obstacle::TimedOut {
            trouble.obstacle = Obstacle::Unreachable;
        }
        Self::NoToken(Box::new(trouble))
    }

    /// What the answer that refused cost.
    pub(super) fn ru(&self) -> Option<f64> {
        match self {
            Self::Refused(refusal) => wire::charge(refusal.ru).ok()?,
            _ => None,
        }
    }

    pub(super) fn is_throttled(&self) -> bool {
        matches!(self, Self::Refused(refusal) if refusal.status == 429)
    }

    /// Whether the question or its answer was not understood, so that another client may do better.
    pub(super) fn is_misunderstood(&self) -> bool {
        match self {
            Self::Refused(refusal) => refusal.status == 400,
            Self::NotCosmos(_) | Self::Empty => true,
            _ => false,
        }
    }

    /// Whether asking once more at once may help, where asking is harmless.
    pub(super) fn is_passing(&self) -> bool {
        match self {
            Self::Refused(refusal) => matches!(refusal.status, 408 | 410 | 449 | 500..=599),
            Self::Cut | Self::Empty => true,
            _ => false,
        }
    }
}

impl Refusal {
    pub(super) fn date(text: Option<&str>) -> Option<Stamp> {
        clock::read_http_date(text?)
    }
}

/// The message of an error body, without the trailer of activity and version that follows it.
pub(super) fn message(body: &[u8]) -> String {
    let body = body.get(..MAX_MESSAGE_BYTES).unwrap_or(body);
    let text = String::from_utf8_lossy(body);
    let inside = read::field(&text, "message").and_then(read::text);
    let whole = inside.unwrap_or_else(|| text.trim().to_owned());
    let kept = trimmed_message(&whole);
    kept.strip_prefix("Message: ").unwrap_or(kept).to_owned()
}

/// A message without the activity and version behind it.
pub(super) fn trimmed_message(message: &str) -> &str {
    let kept = message.split("ActivityId:").next().unwrap_or_default();
    kept.trim_end_matches([',', ' ', '\r', '\n'])
}

impl From<reqwest::Error> for Fault {
    fn from(error: reqwest::Error) -> Self {
        of_chain(&error).unwrap_or(if error.is_body() || error.is_decode() {
            Self::Cut
        } else {
            Self::Other(innermost(&error))
        })
    }
}

impl From<&CosmosError> for Fault {
    fn from(error: &CosmosError) -> Self {
        let own = error.status().sub_status().map(|sub| sub.value());
        // It holds the answer that it could not read, under a status of its own making.
        if own == Some(SDK_NOT_READ) {
            return Self::NotCosmos(innermost(error));
        }
        if let Some(refusal) = refused(error) {
            return Self::Refused(Box::new(refusal));
        }
        if own == Some(SDK_NO_TOKEN) {
            return Self::no_token(error);
        }
        if let Some(fault) = of_chain(error) {
            return fault;
        }
        let refused = last_refusal(error);
        if own == Some(SDK_TIMED_OUT) {
            // The time may have passed with refusals, each of them answered at once.
            return match refused {
                Some((refusal, RefusalPlace::Last)) => Self::Refused(Box::new(refusal)),
                _ => Self::TimedOut(Duration::ZERO),
            };
        }
        if let Some((refusal, _)) = refused {
            return Self::Refused(Box::new(refusal));
        }
        Self::Other(innermost(error))
    }
}

/// The answer that an error of the SDK came from, at any depth.
fn refused(error: &CosmosError) -> Option<Refusal> {
    let response = causes(error).find_map(|at| at.downcast_ref::<CosmosError>()?.response())?;
    let status = response.status();
    if status.is_success() {
        return None;
    }
    let headers = response.headers();
    let body = response.body().clone().single().unwrap_or_default();
    Some(Refusal {
        status: u16::from(status.status_code()),
        sub_status: status.sub_status().map_or(0, |sub| sub.value()),
        message: message(&body),
        retry_after_ms: headers.retry_after_ms,
        ru: headers.request_charge.as_ref().map(|charge| charge.value()),
        activity: headers.activity_id.as_ref().map(ToString::to_string),
        date: None,
    })
}

/// Whether a refusal was the last that came of a question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum RefusalPlace {
    Last,
    Before,
}

/// The SDK hides some refusals behind an error of its own; what was answered last is in its diagnostics.
fn last_refusal(error: &CosmosError) -> Option<(Refusal, RefusalPlace)> {
    let diagnostics = error.diagnostics()?;
    let requests = diagnostics.requests();
    let place = requests.iter().rposition(|request| {
        // A request that the SDK gave up has a status of its own making, as if the service had said it.
        let answered = request.error().is_none() && !request.timed_out();
        answered && u16::from(request.status().status_code()) >= 400
    })?;
    let last = requests.get(place)?;
    let refusal = Refusal {
        status: u16::from(last.status().status_code()),
        sub_status: last.status().sub_status().map_or(0, |sub| sub.value()),
        activity: last.activity_id().map(ToString::to_string),
        ..Refusal::default()
    };
    let said = if place + 1 == requests.len() { RefusalPlace::Last } else { RefusalPlace::Before };
    Some((refusal, said))
}

/// An error and its causes, the innermost last.
pub(super) fn causes<'e>(
    error: &'e (dyn Error + 'static),
) -> impl Iterator<Item = &'e (dyn Error + 'static)> {
    std::iter::successors(Some(error), |&at| at.source()).take(MAX_CHAIN)
}

/// What the causes of an error tell, the outermost that tells anything first.
fn of_chain(error: &(dyn Error + 'static)) -> Option<Fault> {
    causes(error).find_map(of_one)
}

fn of_one(error: &(dyn Error + 'static)) -> Option<Fault> {
    // Errors that quote their causes would be taken for them.
    let text = error.source().is_none().then(|| error.to_string());
    let text = text.unwrap_or_default();
    let lower = text.to_lowercase();
    if lower.contains("certificate") || lower.contains("unknownissuer") {
        return Some(Fault::Certificate(text));
    }
    if lower.contains("noapplicationprotocol") || lower.contains("http_1_1_required") {
        return Some(Fault::NoHttp2);
    }
    if lower.contains("received corrupt message") {
        return Some(Fault::NoTls);
    }
    if let Some(error) = error.downcast_ref::<reqwest::Error>()
        && error.is_timeout()
    {
        let no_connection = error.is_connect().then_some(Fault::NoAnswer);
        return no_connection.or(Some(Fault::TimedOut(Duration::ZERO)));
    }
    if lower.contains("connection closed before message completed") {
        return Some(Fault::Cut);
    }
    let io = error.downcast_ref::<io::Error>();
    if lower.contains("failed to lookup address") || lower.contains("name or service not known") {
        return Some(Fault::NoName);
    }
    match io?.kind() {
        io::ErrorKind::ConnectionRefused
        | io::ErrorKind::HostUnreachable
        | io::ErrorKind::NetworkUnreachable
        | io::ErrorKind::AddrNotAvailable => Some(Fault::NoAnswer),
        io::ErrorKind::NotFound => Some(Fault::NoName),
        io::ErrorKind::TimedOut => Some(Fault::TimedOut(Duration::ZERO)),
        io::ErrorKind::ConnectionReset
        | io::ErrorKind::ConnectionAborted
        | io::ErrorKind::BrokenPipe
        | io::ErrorKind::UnexpectedEof => Some(Fault::Cut),
        _ => None,
    }
}

/// The last cause in a chain: it says what happened, those before it where.
fn innermost(error: &(dyn Error + 'static)) -> String {
    causes(error).last().map_or_else(String::new, ToString::to_string)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_read_without_its_trailer() {
        let body = br#"{"code":"Unauthorized","message":"The input authorization token can't serve the request.\r\nActivityId: 8c7e, Microsoft.Azure.Documents.Common/2.14.0"}"#;
        assert_eq!(message(body), "The input authorization token can't serve the request.");
        assert_eq!(message(b"<html>gone</html>"), "<html>gone</html>");
        assert_eq!(message(b""), "");
        assert_eq!(message(b"\xff{"), "\u{fffd}{");
        assert_eq!(message(br#"{"message":7}"#), "7");
        let long = "x".repeat(10_000);
        assert_eq!(message(format!("{{\"message\":\"{long}\"}}").as_bytes()), long);
    }
}
