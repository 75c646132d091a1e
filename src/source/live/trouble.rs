//! Faults in words: what happened and what to do, for every way in which an account can fail to answer.

use std::fmt::Write as _;
use std::time::Duration;

use super::clock;
use super::fault::{Fault, Refusal};
use super::secret::scrub;
use crate::model::names::{is_account, is_guid};
use crate::model::throttle;
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
    let one_line = scrub(text).split_whitespace().collect::<Vec<_>>().join(" ");
    let cut: String = one_line.chars().take(MAX_MESSAGE).collect();
    let mut shown = visible(&cut).into_owned();
    if cut.len() < one_line.len() {
        shown.push('…');
    }
    shown
}

/// What stands in the way of a question to a host, which is host and port. `waited` is how long, where a fault does not say.
pub(super) fn trouble(fault: &Fault, inquiry: &Inquiry, host: &str, waited: Duration) -> Trouble {
    if let Fault::Refused(refusal) = fault {
        return refused(refusal, inquiry, &shown(host));
    }
    let subject = &subject(inquiry);
    missing_answer(fault, QuestionContext { host, subject, service: "Cosmos DB", waited })
}

/// A question as an error describes it.
#[derive(Clone, Copy)]
pub(super) struct QuestionContext<'a> {
    pub host: &'a str,
    pub subject: &'a str,
    pub service: &'a str,
    pub waited: Duration,
}

/// Describes a missing or invalid answer of any service.
pub(super) fn missing_answer(fault: &Fault, context: QuestionContext<'_>) -> Trouble {
    let QuestionContext { subject, service, waited, .. } = context;
    let host = shown(context.host);
    match fault {
        Fault::Refused(refusal) => unbelieved(&format!("{host} answers with {}", code(refusal))),
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
            "try again; else check the network or a VPN",
        ),
        Fault::Cut => Trouble::new(
            Obstacle::Service,
            format!("{host} ended the connection in the middle of the answer"),
            "try again; if it stays so, look for a proxy in between",
        ),
        Fault::NotCosmos(_)
        | Fault::Empty
        | Fault::Overcharged(_)
        | Fault::TooLong(_)
        | Fault::Redirected(_) => unbelievable(fault, &host, service),
        Fault::Held(seconds) => paused(*seconds),
        Fault::Unpaid(seconds) => unpaid(*seconds),
        Fault::ElsewhereNamed(named) => Trouble::new(
            Obstacle::Untrusted,
            format!(
                "the account names a region at {}, which is not of the domain of {host}: nothing was sent there, and reading stopped",
                shown(named)
            ),
            "check the endpoint; an emulator must name an address of this machine",
        ),
        Fault::NoToken(trouble) => (**trouble).clone(),
        Fault::NoKey => Trouble::new(
            Obstacle::SignIn,
            "the account key is not valid: it is not base64",
            "copy the whole key or connection string again, from Keys of the account",
        ),
        Fault::Other(why) => Trouble::new(
            Obstacle::Service,
            format!("{subject} could not be read: {}", shown(why)),
            "try again",
        ),
    }
}

/// No client can be made.
pub(super) fn no_certificates() -> Trouble {
    Trouble::new(
        Obstacle::Untrusted,
        "this system's certificates cannot be read",
        "install the package with the system's CA certificates",
    )
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
        "the account is at its limit for requests of this kind; the rest is read later",
    )
}

/// Nothing was sent: what came before is not paid for yet.
fn unpaid(seconds: f64) -> Trouble {
    let seconds = rounded_text(seconds);
    Trouble::new(
        Obstacle::Throttled,
        format!("the last answer cost so much that the next question waits {seconds} s"),
        "lists and containers get 60 RU/s, a quarter of what the account has for them; the rest is read later",
    )
}

/// What came is no answer of the service.
fn unbelievable(fault: &Fault, host: &str, service: &str) -> Trouble {
    let what = match fault {
        Fault::NotCosmos(why) => {
            format!("the answer is not from {service} (a sign-in page or a proxy?): {}", shown(why))
        }
        Fault::Overcharged(ru) => {
            format!("{host} claims a charge of {} RU for one answer", rounded_text(*ru))
        }
        Fault::TooLong(bytes) => {
            format!("the answer is longer than {} MiB and was not read", bytes >> 20)
        }
        Fault::Redirected(place) => {
            format!("{host} redirects to {}, where no token or signature goes", shown(place))
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
        (300..=399, _) => unbelieved(&format!("{host} redirects")),
        (400 | 405 | 501, _) if inquiry.kind == Kind::Offer && !is_of_client(refusal) => {
            no_offers(refusal)
        }
        (401, _) => unaccepted(refusal, clock::now()),
        (403, _) => forbidden(refusal, inquiry, host),
        (404, 1002 | 1003) => Trouble::new(
            Obstacle::Service,
            format!("the replica that answered for {subject} is behind"),
            "try again",
        ),
        (404, _) => not_found(inquiry, host),
        (407, _) => Trouble::new(
            Obstacle::Unreachable,
            "the proxy requires a user name and password (407)",
            "give the proxy's address with name and password in the environment, or connect without --proxy",
        ),
        (408, _) => Trouble::new(
            Obstacle::TimedOut,
            format!("the service timed out on {subject} (408)"),
            "try again",
        ),
        (410, _) => Trouble::new(
            Obstacle::Moved,
            format!("{} ({})", moved(refusal.sub_status), code(refusal)),
            "the layout is read again with the next refresh",
        ),
        (429, _) => throttled(refusal, inquiry),
        (449, _) => Trouble::new(
            Obstacle::Service,
            "the service answered twice that the request must be retried (449)",
            "try again",
        ),
        (500.., _) => Trouble::new(
            Obstacle::Service,
            with_message(format!("the service failed ({})", code(refusal)), refusal),
            "try again; support needs the activity id",
        )
        .after(refusal.retry_after_ms),
        _ => not_taken(refusal, &subject),
    }
}

fn is_of_merge(refusal: &Refusal) -> bool {
    let lower = refusal.message.to_lowercase();
    ["partition merge", "supportedcapabilities"].iter().any(|of| lower.contains(of))
}

/// Whether no request of this program is accepted, whatever it is for.
fn is_of_client(refusal: &Refusal) -> bool {
    is_of_merge(refusal) || refusal.message.contains("x-ms-version")
}

/// A question that the service does not take as it stands.
fn not_taken(refusal: &Refusal, subject: &str) -> Trouble {
    let (obstacle, what, next) = if is_of_merge(refusal) {
        let what = "partition merge is on, and the account refuses this client".to_owned();
        let next = "metrics and logs show the account: --resource-id, --workspace";
        (Obstacle::Unsupported, what, next)
    } else if is_of_client(refusal) {
        let what = "the service does not speak this version of its protocol".to_owned();
        let next = "update this program; metrics and logs show the account all the same";
        (Obstacle::Unsupported, what, next)
    } else {
        let next = "check the endpoint and the names; support needs the activity id";
        (Obstacle::Unbelievable, format!("the service rejects the request for {subject}"), next)
    };
    Trouble::new(obstacle, with_message(format!("{what} ({})", code(refusal)), refusal), next)
}

/// Lists and containers are charged to the account, not to a partition.
fn throttled(refusal: &Refusal, inquiry: &Inquiry) -> Trouble {
    let is_of_data = matches!(inquiry.kind, Kind::Documents | Kind::Counts);
    let reason = throttle::reason(refusal.sub_status);
    let reason = reason.filter(|of| is_of_data || of.sub_status != throttle::PARTITION);
    let next = reason.map_or_else(
        || "the account is at its limit for requests of this kind; the next try waits".to_owned(),
        |reason| format!("{}: {}", reason.cause, reason.next),
    );
    let what = format!("the service throttles requests ({})", code(refusal));
    Trouble::new(Obstacle::Throttled, what, next).after(refusal.retry_after_ms)
}

fn moved(sub_status: u16) -> &'static str {
    match sub_status {
        1002 => "a partition has split, merged or moved",
        1007 => "a partition is splitting or merging",
        1008 => "a partition moves to another server",
        _ => "a partition is splitting or has moved",
    }
}

/// Servers that speak the protocol in part know no such list, and a serverless account has none.
fn no_offers(refusal: &Refusal) -> Trouble {
    if refusal.message.to_lowercase().contains("serverless") {
        return Trouble::new(
            Obstacle::Unsupported,
            "the account is serverless: no RU/s are provisioned",
            "a physical partition gives up to 5,000 RU/s there",
        );
    }
    Trouble::new(
        Obstacle::Unsupported,
        with_message(format!("this server does not report RU/s ({})", code(refusal)), refusal),
        "shares of RU/s are left out; type the RU/s where a figure is wanted",
    )
}

/// A clock so far off that it is the reason.
pub(super) fn wrong_clock(status: u16, date: Option<Stamp>, now: Stamp) -> Option<Trouble> {
    let off = date.map_or(0, |date| (now.seconds() - date.seconds()) / 60);
    let minutes = off.abs();
    let side = if off > 0 { "ahead of" } else { "behind" };
    (minutes >= CLOCK_TOLERANCE_MINUTES).then(|| {
        Trouble::new(
            Obstacle::SignIn,
            format!(
                "credentials not accepted ({status}): your clock is {minutes} minutes {side} the clock of the service"
            ),
            "set the clock of this machine; signatures and tokens hold for a few minutes only",
        )
    })
}

fn unaccepted(refusal: &Refusal, now: Stamp) -> Trouble {
    if let Some(trouble) = wrong_clock(refusal.status, refusal.date, now) {
        return trouble;
    }
    let lower = refusal.message.to_lowercase();
    let says = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    let (what, next) = match refusal.sub_status {
        5202 => LOCAL_DISABLED,
        _ if says(&["local authorization is disabled", "use an aad token"]) => LOCAL_DISABLED,
        5007 => return other_tenant(refusal),
        _ if says(&["not trusted by this database account"]) => return other_tenant(refusal),
        5008 => OTHER_AUDIENCE,
        _ if says(&["token is intended for"]) => OTHER_AUDIENCE,
        5000..=5006 => (
            "the token is invalid or has expired",
            "sign in again with az login, and check the clock of this machine",
        ),
        _ if says(&["mac signature"]) => (
            "the key is not one of this account",
            "copy a key again from Keys of this account: it may have been regenerated",
        ),
        _ => (
            "credentials not accepted",
            "check that key or sign-in belong to this account; sign in again with az login",
        ),
    };
    let what = with_message(format!("{what} ({})", code(refusal)), refusal);
    Trouble::new(Obstacle::SignIn, what, next)
}

const LOCAL_DISABLED: (&str, &str) = (
    "the account does not take keys (local authorization is disabled)",
    "sign in with Microsoft Entra ID: az login, and connect without a key; if that fails, too, look whether public network access is disabled",
);
const OTHER_AUDIENCE: (&str, &str) = (
    "the token is for another service or cloud than this account's",
    "give the account's global endpoint, not a region's; --cloud names the cloud where the endpoint does not",
);

/// Signed in to a directory that the account does not trust. It lists those that it trusts, or none.
fn other_tenant(refusal: &Refusal) -> Trouble {
    let lists = refusal.message.split('[').skip(2);
    let mut named = lists.filter_map(|list| list.split(']').next());
    let tenant = named.find(|id| is_guid(id)).unwrap_or("TENANT");
    Trouble::new(
        Obstacle::SignIn,
        format!("signed in to another directory than the account's ({})", code(refusal)),
        format!(
            "sign in to the account's: az login --tenant {tenant}, then connect with --tenant {tenant}"
        ),
    )
}

fn forbidden(refusal: &Refusal, inquiry: &Inquiry, host: &str) -> Trouble {
    let lower = refusal.message.to_lowercase();
    let says = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    // So the service says it to a signature of another hour.
    if says(&["at the current time"])
        && let Some(trouble) = wrong_clock(refusal.status, refusal.date, clock::now())
    {
        return trouble;
    }
    let (what, next) = if says(&["network security perimeter"]) {
        (
            "the network security perimeter of the account refuses this machine".to_owned(),
            "an inbound rule of the perimeter lets it in; or connect from inside".to_owned(),
        )
    } else if says(&["private endpoint", "service endpoint"]) {
        (
            "the account refuses the network path of the request".to_owned(),
            "add the subnet or private endpoint under Networking of the account; if the request should come another way, check the DNS of this machine".to_owned(),
        )
    } else if says(&["firewall", "virtual network", "public internet"]) {
        (
            "the firewall of the account refuses this machine".to_owned(),
            "have the address allowed under Networking of the account (it takes up to 15 minutes), or connect from a network that is".to_owned(),
        )
    } else if inquiry.kind == Kind::Offer
        && !matches!(refusal.sub_status, 3 | 1008 | 5301 | 5302)
        && !says(&["insufficient permissions"])
    {
        // No data-plane role holds throughput (5300).
        return Trouble::new(
            Obstacle::Forbidden,
            format!("this sign-in may not read throughput ({})", code(refusal)),
            "the role Cosmos DB Built-in Data Reader does not allow it: use a read-only key or the management plane, or type the RU/s",
        );
    } else {
        let what = format!("this sign-in may not read {}", subject(inquiry));
        let next = match refusal.sub_status {
            _ if says(&["cannot be authorized by aad token"]) => {
                "no role allows it on the data plane: use a read-only key, or the management plane"
                    .to_owned()
            }
            3 | 1008 => "the region does not serve the account now: try again; if it stays so, look at Replicate data globally".to_owned(),
            _ if says(&["insufficient permissions"]) => {
                "the key or resource token does not cover it: use a read-only key of the account".to_owned()
            }
            _ => grant(refusal, host),
        };
        (what, next)
    };
    let what = with_message(format!("{what} ({})", code(refusal)), refusal);
    Trouble::new(Obstacle::Forbidden, what, next)
}

/// The command that gives the missing role to the principal that the service names.
fn grant(refusal: &Refusal, host: &str) -> String {
    let account = host.split('.').next().filter(|name| is_account(name)).unwrap_or("<account>");
    let principal =
        refusal.message.split_once("principal [").and_then(|(_, rest)| rest.split(']').next());
    let principal = principal.filter(|id| is_guid(id)).unwrap_or("<object-id>");
    format!(
        "it needs the role Cosmos DB Built-in Data Reader of the data plane (roles of the portal do not count): az cosmosdb sql role assignment create --account-name '{account}' --resource-group '<resource-group>' --role-definition-name 'Cosmos DB Built-in Data Reader' --scope / --principal-id '{principal}' (it works after some minutes); a read-only key also works"
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
            "check the name; it may have been deleted or renamed",
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

#[cfg(test)]
mod tests;
