//! The questions themselves: each once, for one container, and what the answer is good for.

use serde::de::DeserializeOwned;

use super::answered::{Account, Container, Logs, ManagedAccount, Metrics, Ranges};
use super::{not_asked, ok, with_state};
use crate::analysis::provisioning::WhoseRu;
use crate::model::capture::Capture;
use crate::model::units::count_text;
use crate::model::visible::{shorten, visible};
use crate::report::doctor::{Check, State};
use crate::source::answers::{Answer, Asked, Kind, Obstacle, Seen, Trouble};
use crate::source::import::Options;
use crate::source::ledger::{Ledger, MAX_CONTAINERS, MAX_DATABASES, ids_in};
use crate::source::live::management::METRICS;
use crate::source::live::session::Reads;
use crate::source::live::target::Target;
use crate::source::watch::Watch;

/// A name in a sentence.
const NAME_COLUMNS: usize = 40;

/// Asks all that the views need, as far as each answer lets the next question be asked.
pub async fn ask(account: &dyn Reads, target: &Target, checks: &mut Vec<Check>) {
    let asked = Asked::account(Kind::Account);
    if let Some(body) = answered::<Account>(account, &asked, "account", checks).await {
        let regions = counted(body.regions.map_or(0, |list| list.len()), "region");
        checks.push(ok("account", &format!("readable in {regions}")));
    } else {
        return;
    }
    let place = container(account, target, checks).await;
    if let Some((database, name)) = &place {
        of_container(account, database, name, checks).await;
    }
    management(account, place.as_ref(), checks).await;
    logs(account, place.as_ref(), checks).await;
}

/// The body of a good answer; anything else is a check of its own.
async fn answered<T: DeserializeOwned + Default>(
    account: &dyn Reads,
    asked: &Asked,
    check: &'static str,
    checks: &mut Vec<Check>,
) -> Option<T> {
    let answer = answer(account, asked, check, checks).await?;
    Some(body(&answer))
}

/// The same as it came: a list may have very many entries.
async fn answer(
    account: &dyn Reads,
    asked: &Asked,
    check: &'static str,
    checks: &mut Vec<Check>,
) -> Option<Answer> {
    match account.ask(asked).await {
        Seen::Answer(answer) => Some(answer),
        Seen::Failure(failure) => {
            checks.push(with_state(check, state(&failure.trouble), failure.trouble));
            None
        }
    }
}

/// What is no JSON says nothing; whoever asked says so.
fn body<T: DeserializeOwned + Default>(answer: &Answer) -> T {
    serde_json::from_slice(&answer.body).unwrap_or_default()
}

/// What is not allowed or not there is missing; what does not work at all has failed.
fn state(trouble: &Trouble) -> State {
    match trouble.obstacle {
        Obstacle::Forbidden
        | Obstacle::NotFound
        | Obstacle::Throttled
        | Obstacle::Moved
        | Obstacle::Unsupported => State::Missing,
        Obstacle::Held | Obstacle::AskedOtherwise => State::NotAsked,
        Obstacle::Unreachable
        | Obstacle::Untrusted
        | Obstacle::SignIn
        | Obstacle::TimedOut
        | Obstacle::Service
        | Obstacle::Unbelievable => State::Failed,
    }
}

/// The id of an account, longer than a name.
fn shown_id(id: &str) -> String {
    shorten(&visible(id), 160)
}

fn counted(count: usize, word: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{} {word}{plural}", count_text(count as u64))
}

fn shown(name: &str) -> String {
    shorten(&visible(name), NAME_COLUMNS)
}

/// The container that is looked at: the one that was named, else the first there is.
async fn container(
    account: &dyn Reads,
    target: &Target,
    checks: &mut Vec<Check>,
) -> Option<(String, String)> {
    let database = if let Some(database) = &target.database {
        database.clone()
    } else {
        let asked = Asked::account(Kind::Databases);
        let list = answer(account, &asked, "databases", checks).await?;
        let all = ids_in(&list.body, "Databases", MAX_DATABASES);
        let Some(first) = all.first() else {
            checks.push(ok("databases", "none: the account is empty"));
            return None;
        };
        checks.push(ok("databases", &counted(all.len(), "database")));
        first.clone()
    };
    let asked = Asked::database(Kind::Containers, &database);
    let list = answer(account, &asked, "containers", checks).await?;
    let all = ids_in(&list.body, "DocumentCollections", MAX_CONTAINERS);
    let what = format!(
        "{} in {}",
        counted(all.len(), "container"),
        shown(&database)
    );
    checks.push(ok("containers", &what));
    let name = target.container.clone().or_else(|| all.first().cloned())?;
    Some((database, name))
}

async fn of_container(account: &dyn Reads, database: &str, name: &str, checks: &mut Vec<Check>) {
    let asked = |kind| Asked::container(kind, database, name);
    let read = &asked(Kind::Container);
    if let Some(body) = answered::<Container>(account, read, "container", checks).await {
        let paths: Vec<String> = body.key.paths.0.iter().map(|path| shown(path)).collect();
        checks.push(ok(
            "container",
            &format!("{} has the key {}", shown(name), paths.join(", ")),
        ));
        checks.push(statistics(&body));
    }
    let list = &asked(Kind::Ranges);
    if let Some(body) = answered::<Ranges>(account, list, "physical partitions", checks).await {
        let ranges = counted(
            body.ranges.map_or(0, |list| list.len()),
            "physical partition",
        );
        checks.push(ok("physical partitions", &ranges));
    }
    throughput(account, &asked, checks).await;
}

/// Sizes of partitions and their largest keys, which come with the container to whoever may see them.
fn statistics(container: &Container) -> Check {
    let partitions = &container.statistics;
    if partitions.entries == 0 {
        return Check {
            check: "statistics",
            state: State::Missing,
            what: "the container was read, and no sizes of partitions came with it".to_owned(),
            next: Some("a new or serverless container may have none yet; sizes also come from the logs, with --workspace".to_owned()),
        };
    }
    let what = format!(
        "sizes of {} and {}",
        counted(partitions.entries, "partition"),
        counted(partitions.within, "large key")
    );
    ok("statistics", &what)
}

/// From the account itself, else from the management plane.
async fn throughput(account: &dyn Reads, asked: &impl Fn(Kind) -> Asked, checks: &mut Vec<Check>) {
    let by_account = account.ask(&asked(Kind::Offer)).await;
    if let Some(check) = told("the account", &by_account) {
        checks.push(check);
        return;
    }
    if account.ways().management
        && let by_management = account.ask(&asked(Kind::ManagedThroughput)).await
        && let Some(check) = told("the management plane", &by_management)
    {
        checks.push(check);
        return;
    }
    checks.push(match by_account {
        Seen::Failure(failure) => {
            with_state("throughput", state(&failure.trouble), failure.trouble)
        }
        Seen::Answer(answer) if bought(&answer) == WhoseRu::NoneListed => {
            ok("throughput", &WhoseRu::NoneListed.sentence())
        }
        Seen::Answer(_) => Check {
            check: "throughput",
            state: State::Missing,
            what: "the account answers, and no RU/s can be read in it".to_owned(),
            next: Some("type the RU/s where a figure is wanted".to_owned()),
        },
    });
}

/// Whose RU/s an answer tells; None where it tells none.
fn told(who: &str, seen: &Seen) -> Option<Check> {
    let Seen::Answer(answer) = seen else {
        return None;
    };
    match bought(answer) {
        WhoseRu::NoneListed | WhoseRu::NotTold => None,
        told => {
            let what = format!("{who} tells it: {}", told.sentence());
            Some(ok("throughput", &what))
        }
    }
}

/// What an answer about RU/s says, read as the views read it.
fn bought(answer: &Answer) -> WhoseRu {
    let capture = captured(answer);
    let container = capture.containers.first();
    container.map_or(WhoseRu::NotTold, |container| WhoseRu::of(container, None))
}

/// What importers make of one answer.
fn captured(answer: &Answer) -> Capture {
    let mut ledger = Ledger::new("");
    ledger.add(Seen::Answer(answer.clone()));
    let read = ledger.capture(&Options::default(), &Watch::default());
    read.unwrap_or_default()
}

/// What the account is set to, as far as it changes what figures mean or what can be read.
fn settings(capture: &Capture) -> Check {
    let Some(account) = capture.accounts.first() else {
        return Check {
            check: "account settings",
            state: State::Missing,
            what:
                "the management plane answers, and what the account is set to cannot be read in it"
                    .to_owned(),
            next: Some(
                "whether it is serverless, or lets partitions be merged, is not known".to_owned(),
            ),
        };
    };
    let set = account.settings().map(|setting| {
        let (what, so) = setting.words();
        format!("{what} ({so})")
    });
    let set: Vec<String> = set.collect();
    ok(
        "account settings",
        &match set.as_slice() {
            [] => "nothing that changes what figures mean or what can be read".to_owned(),
            some => some.join("; "),
        },
    )
}

async fn management(
    account: &dyn Reads,
    place: Option<&(String, String)>,
    checks: &mut Vec<Check>,
) {
    if !account.ways().management {
        let (what, next) = (
            "an account key says nothing to the management plane, and an emulator has none",
            "sign in with az login for throughput, metrics and physical partitions from there",
        );
        checks.push(not_asked("management plane", what, next));
        checks.push(not_asked(
            "metrics",
            "they come from the management plane",
            next,
        ));
        return;
    }
    match account.ask(&Asked::account(Kind::ManagedAccount)).await {
        Seen::Answer(answer) => {
            let id = body::<ManagedAccount>(&answer).id;
            let id = id.map_or_else(|| "found".to_owned(), |id| shown_id(&id));
            checks.push(ok("management plane", &id));
            checks.push(settings(&captured(&answer)));
        }
        Seen::Failure(failure) => {
            let state = below_failed(state(&failure.trouble));
            checks.push(with_state("management plane", state, failure.trouble));
            checks.push(not_asked(
                "metrics",
                "they come from the management plane",
                "see there",
            ));
            return;
        }
    }
    let Some((database, name)) = place else {
        return;
    };
    let metric = METRICS.first().map_or("", |metric| metric.name);
    let asked = Asked::container(Kind::Metrics, database, name).part(metric);
    match account.ask(&asked).await {
        Seen::Answer(answer) => {
            let series = body::<Metrics>(&answer).value.within;
            checks.push(if series > 0 {
                ok("metrics", &format!("{metric} of {}", counted(series, "partition")))
            } else {
                Check {
                    check: "metrics",
                    state: State::Missing,
                    what: format!("{metric} has no values for this container"),
                    next: Some("metrics come a few minutes after the first requests; shared throughput has none by container".to_owned()),
                }
            });
        }
        Seen::Failure(failure) => {
            let state = below_failed(state(&failure.trouble));
            checks.push(with_state("metrics", state, failure.trouble));
        }
    }
}

async fn logs(account: &dyn Reads, place: Option<&(String, String)>, checks: &mut Vec<Check>) {
    if !account.ways().logs {
        let (what, next) = (
            "no Log Analytics workspace is named, so nothing is asked there",
            "give --workspace and the id of the workspace that the account's diagnostic setting writes to",
        );
        checks.push(not_asked("logs", what, next));
        return;
    }
    let asked = match place {
        Some((database, name)) => Asked::container(Kind::LoggedSizes, database, name),
        None => Asked::account(Kind::LoggedSizes),
    };
    match account.ask(&asked).await {
        Seen::Answer(answer) => {
            let rows = body::<Logs>(&answer).tables.within;
            checks.push(ok(
                "logs",
                &format!(
                    "the workspace answers, with {} on sizes of keys",
                    counted(rows, "row")
                ),
            ));
        }
        Seen::Failure(failure) => {
            let state = below_failed(state(&failure.trouble));
            checks.push(with_state("logs", state, failure.trouble));
        }
    }
}

/// Beside the account everything is a help and no need: what does not work there is missing.
fn below_failed(state: State) -> State {
    state.min(State::Missing)
}
