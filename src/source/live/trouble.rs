//! Faults in words: what happened and what to do, for every way in which an account can fail to answer.

use std::fmt::Write as _;
use std::time::Duration;

use super::clock;
use super::fault::{Fault, Refusal};
use crate::model::time::Stamp;
use crate::model::units::{rounded_text, tenths_text};
use crate::model::visible::visible;
use crate::source::answers::{HELD, Inquiry, Kind, Obstacle, Trouble};

/// Characters of a message of the service that are shown.
const MAX_MESSAGE: usize = 300;
/// A clock this far off is said: well below the quarter of an hour after which signatures are refused.
const CLOCK_TOLERANCE_MINUTES: i64 = 5;

/// A text from outside as it may be shown: visible, and cut.
pub(super) fn shown(text: &str) -> String {
    let one_line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let cut: String = one_line.chars().take(MAX_MESSAGE).collect();
    let mut shown = visible(&cut).into_owned();
    if cut.len() < one_line.len() {
        shown.push('…');
    }
    shown
}

/// What stands in the way of a question to a host, which is host and port. `waited` is how long, where a fault does not say.
pub(super) fn trouble(fault: &Fault, inquiry: &Inquiry, host: &str, waited: Duration) -> Trouble {
    let host = shown(host);
    match fault {
        Fault::Refused(refusal) => refused(refusal, inquiry, &host),
        Fault::NoName => Trouble::new(
            Obstacle::Unreachable,
            format!("host name not found: {host}"),
            "check the account name, and that this machine can look up names",
        ),
        Fault::NoAnswer => Trouble::new(
            Obstacle::Unreachable,
            format!("nothing answers at {host}"),
            "is a VPN missing or a firewall in between? an emulator: is it running on this port?",
        ),
        Fault::Certificate(why) => Trouble::new(
            Obstacle::Untrusted,
            format!("the certificate of {host} is not trusted by this system: {}", shown(why)),
            "if a company proxy is in between, its certificate must be installed in the system",
        ),
        Fault::NoHttp2 => Trouble::new(
            Obstacle::Unreachable,
            format!("{host} or something in between does not speak HTTP/2"),
            "connect again with --http1",
        ),
        Fault::NoTls => no_tls(&host),
        Fault::TimedOut(limit) => Trouble::new(
            Obstacle::TimedOut,
            format!(
                "{host} did not answer within {}",
                span(if limit.is_zero() { waited } else { *limit })
            ),
            "press r to try again; else check the network or a VPN",
        ),
        Fault::Cut => Trouble::new(
            Obstacle::Service,
            format!("{host} ended the connection in the middle of the answer"),
            "press r to try again; if it stays so, look for a proxy in between",
        ),
        Fault::NotCosmos(_) | Fault::Empty | Fault::TooLong(_) | Fault::Redirected(_) => {
            unbelievable(fault, &host)
        }
        Fault::Held(seconds) => paused(*seconds),
        Fault::ElsewhereNamed(named) => Trouble::new(
            Obstacle::Untrusted,
            format!(
                "the account names a region at {}, which is not of the domain of {host}: nothing was sent there, and reading stopped",
                shown(named)
            ),
            "check the endpoint; an emulator must name an address of this machine",
        ),
        Fault::NoToken(why) => Trouble::new(
            Obstacle::SignIn,
            format!("no token for Cosmos DB: {}", shown(why)),
            "sign in again: az login, or another --auth",
        ),
        Fault::NoKey => Trouble::new(
            Obstacle::SignIn,
            "the account key is not valid: it is not base64",
            "copy the whole key or connection string again, from Keys of the account",
        ),
        Fault::Other(why) => Trouble::new(
            Obstacle::Service,
            format!("{} could not be read: {}", subject(inquiry), shown(why)),
            "press r to try again",
        ),
    }
}

fn no_tls(host: &str) -> Trouble {
    Trouble::new(
        Obstacle::Unreachable,
        format!("{host} answers without TLS, and the endpoint says https"),
        "start an emulator with TLS and give https://; else look for a proxy in between",
    )
}

/// Nothing was sent: others who use the account come first.
fn paused(seconds: f64) -> Trouble {
    Trouble::new(
        Obstacle::Throttled,
        format!("{HELD} {} s", rounded_text(seconds)),
        "the account is at its limit for requests of this kind; the next round goes on here",
    )
}

/// What came is no answer of Cosmos DB.
fn unbelievable(fault: &Fault, host: &str) -> Trouble {
    let what = match fault {
        Fault::NotCosmos(why) => {
            format!("the answer is not from Cosmos DB (a sign-in page or a proxy?): {}", shown(why))
        }
        Fault::TooLong(bytes) => {
            format!("the answer is longer than {} MiB and was not read", bytes >> 20)
        }
        Fault::Redirected(place) => {
            format!("{host} sends elsewhere ({}), where no token or signature goes", shown(place))
        }
        _ => format!("{host} gave an empty answer"),
    };
    unbelieved(&what)
}

fn unbelieved(what: &str) -> Trouble {
    Trouble::new(
        Obstacle::Unbelievable,
        what,
        "check the endpoint, and whether a proxy or a portal of the network is in between",
    )
}

fn refused(refusal: &Refusal, inquiry: &Inquiry, host: &str) -> Trouble {
    let subject = subject(inquiry);
    match (refusal.status, refusal.sub_status) {
        (300..=399, _) => unbelieved(&format!("{host} sends elsewhere")),
        (400 | 405 | 501, _) if inquiry.kind == Kind::Offer => no_offers(refusal),
        (401, _) => unaccepted(refusal, clock::now()),
        (403, _) => forbidden(refusal, inquiry),
        (404, 1002 | 1003) => Trouble::new(
            Obstacle::Service,
            format!("the replica that answered for {subject} is behind"),
            "press r to try again",
        ),
        (404, _) => not_found(inquiry, host),
        (407, _) => Trouble::new(
            Obstacle::Unreachable,
            "the proxy wants a sign-in of its own (407)",
            "give the proxy's address with name and password in the environment, or connect without --proxy",
        ),
        (408, _) => Trouble::new(
            Obstacle::TimedOut,
            format!("the service itself waited too long for {subject} (408)"),
            "press r to try again",
        ),
        (410, _) => Trouble::new(
            Obstacle::Moved,
            format!("a partition is splitting or has moved ({})", code(refusal)),
            "the layout is read again with the next refresh",
        ),
        (429, _) => Trouble::new(
            Obstacle::Throttled,
            format!("the service refuses more requests for now ({})", code(refusal)),
            "the account is at its limit for requests of this kind; the next try waits",
        )
        .after(refusal.retry_after_ms),
        (449, _) => Trouble::new(
            Obstacle::Service,
            "the service wants the request again, and again (449)",
            "press r to try again",
        ),
        (500.., _) => Trouble::new(
            Obstacle::Service,
            with_message(
                format!("the service has trouble of its own ({})", code(refusal)),
                refusal,
            ),
            "press r to try again; support needs the activity id",
        )
        .after(refusal.retry_after_ms),
        _ => Trouble::new(
            Obstacle::Unbelievable,
            with_message(
                format!("the service does not take the question for {subject} ({})", code(refusal)),
                refusal,
            ),
            "check the endpoint and the names; support needs the activity id",
        ),
    }
}

/// Servers that speak the protocol in part know no such list.
fn no_offers(refusal: &Refusal) -> Trouble {
    Trouble::new(
        Obstacle::Unsupported,
        with_message(format!("this server does not report RU/s ({})", code(refusal)), refusal),
        "shares of RU/s are left out; type the RU/s where a figure is wanted",
    )
}

/// A clock so far off that it is the reason.
fn wrong_clock(refusal: &Refusal, now: Stamp) -> Option<Trouble> {
    let off = refusal.date.map_or(0, |date| (now.seconds() - date.seconds()) / 60);
    let minutes = off.abs();
    let side = if off > 0 { "ahead of" } else { "behind" };
    (minutes >= CLOCK_TOLERANCE_MINUTES).then(|| {
        Trouble::new(
            Obstacle::SignIn,
            format!(
                "credentials not accepted ({}): your clock is {minutes} minutes {side} the clock of the service",
                refusal.status
            ),
            "set the clock of this machine; signatures and tokens hold for a few minutes only",
        )
    })
}

fn unaccepted(refusal: &Refusal, now: Stamp) -> Trouble {
    if let Some(trouble) = wrong_clock(refusal, now) {
        return trouble;
    }
    let lower = refusal.message.to_lowercase();
    if lower.contains("local authorization is disabled") || lower.contains("use an aad token") {
        return Trouble::new(
            Obstacle::SignIn,
            "the account does not take keys (local authorization is disabled)",
            "sign in with Microsoft Entra ID: az login, and connect without a key",
        );
    }
    Trouble::new(
        Obstacle::SignIn,
        with_message("credentials not accepted (401)".to_owned(), refusal),
        "check that key or sign-in belong to this account; sign in again with az login",
    )
}

fn forbidden(refusal: &Refusal, inquiry: &Inquiry) -> Trouble {
    let lower = refusal.message.to_lowercase();
    let subject = subject(inquiry);
    if lower.contains("firewall")
        || lower.contains("virtual network")
        || lower.contains("public internet")
    {
        return Trouble::new(
            Obstacle::Forbidden,
            with_message(
                "the firewall of the account refuses this machine (403)".to_owned(),
                refusal,
            ),
            "have the address allowed under Networking of the account, or connect from a network that is",
        );
    }
    // So the service says it to a signature of another hour.
    if lower.contains("at the current time")
        && let Some(trouble) = wrong_clock(refusal, clock::now())
    {
        return trouble;
    }
    if inquiry.kind == Kind::Offer {
        return Trouble::new(
            Obstacle::Forbidden,
            format!("this sign-in may not read throughput ({})", code(refusal)),
            "the role Cosmos DB Built-in Data Reader does not hold it: use a read-only key or the management plane, or type the RU/s",
        );
    }
    Trouble::new(
        Obstacle::Forbidden,
        with_message(format!("this sign-in may not read {subject} ({})", code(refusal)), refusal),
        "it needs the role Cosmos DB Built-in Data Reader on this account (a data-plane role, not one of the portal); a read-only key also works",
    )
}

fn not_found(inquiry: &Inquiry, host: &str) -> Trouble {
    let (what, next) = match inquiry.kind {
        Kind::Account | Kind::Databases => (
            format!("there is no account at {host}"),
            "check the endpoint: it names the account, without a path",
        ),
        _ => (
            format!("there is no such {}: it may have been deleted", plain_subject(inquiry)),
            "go back to the list; it may have been deleted or renamed",
        ),
    };
    Trouble::new(Obstacle::NotFound, what, next)
}

/// `the containers of shop`, `the container shop/orders`.
fn subject(inquiry: &Inquiry) -> String {
    let name = plain_subject(inquiry);
    match inquiry.kind {
        Kind::Account => "the account".to_owned(),
        Kind::Databases => "the list of databases".to_owned(),
        Kind::Containers => format!("the containers of {name}"),
        Kind::Ranges => format!("the partitions of {name}"),
        Kind::Offer => format!("the throughput of {name}"),
        Kind::Documents | Kind::Counts => format!("documents of {name}"),
        _ => format!("the {name}"),
    }
}

fn plain_subject(inquiry: &Inquiry) -> String {
    match (&inquiry.database, &inquiry.container) {
        (Some(database), Some(container)) => {
            format!("container {}/{}", shown(database), shown(container))
        }
        (Some(database), None) => format!("database {}", shown(database)),
        _ => "account".to_owned(),
    }
}

fn with_message(mut what: String, refusal: &Refusal) -> String {
    if !refusal.message.is_empty() {
        let _ = write!(what, ": {}", shown(&refusal.message));
    }
    if let Some(activity) = &refusal.activity
        && refusal.status >= 400
        && refusal.status != 401
        && refusal.status != 403
    {
        let _ = write!(what, " (activity id {})", shown(activity));
    }
    what
}

/// `429/3200`, `503`.
fn code(refusal: &Refusal) -> String {
    match refusal.sub_status {
        0 => refusal.status.to_string(),
        sub => format!("{}/{sub}", refusal.status),
    }
}

/// `10 s`, `0.5 s`.
fn span(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    let seconds = match time.subsec_millis() {
        0 => rounded_text(seconds),
        _ => tenths_text(seconds),
    };
    format!("{seconds} s")
}
