//! The questions themselves: each once, for one container, and what the answer is good for.

use super::{lacking, ok, with_state};
use crate::analysis::provisioning::RuOwner;
use crate::model::capture::Capture;
use crate::model::physical::PhysicalPartition;
use crate::model::units;
use crate::model::visible::{shorten, visible};
use crate::report::doctor::{Check, CheckState};
use crate::source::answers::{Answer, Inquiry, Kind, Observation, Obstacle, Trouble};
use crate::source::import::ImportOptions;
use crate::source::json::read;
use crate::source::ledger::{Ledger, MAX_CONTAINERS, MAX_DATABASES, ids_in};
use crate::source::live::management::METRICS;
use crate::source::live::session::Reads;
use crate::source::live::target::Target;
use crate::source::watch::Watch;

/// A name in a sentence.
const NAME_COLUMNS: usize = 40;

/// Asks all that the views need, as far as each answer lets the next question be asked.
pub async fn ask(account: &dyn Reads, target: &Target, checks: &mut Vec<Check>) {
    let inquiry = Inquiry::account(Kind::Account);
    match answer(account, &inquiry, "account", checks).await {
        Some(read) => {
            let regions = read::list(&String::from_utf8_lossy(&read.body), "readablelocations")
                .map_or(0, |all| all.len());
            let regions = counted(regions, "region");
            checks.push(ok("account", format!("readable in {regions}")));
        }
        // A role on one container may not read the account.
        None if target.container.is_some() => {}
        None => return,
    }
    let place = container(account, target, checks).await;
    if let Some((database, name)) = &place {
        of_container(account, database, name, checks).await;
    }
    management(account, place.as_ref(), checks).await;
    logs(account, place.as_ref(), checks).await;
}

/// A good answer as it came, for a list may have very many entries; anything else is a check of its own. Beside the account
/// everything is a help and no need: what does not work there is missing.
async fn answer(
    account: &dyn Reads,
    inquiry: &Inquiry,
    check: &'static str,
    checks: &mut Vec<Check>,
) -> Option<Answer> {
    match account.ask(inquiry).await {
        Observation::Answer(answer) => Some(answer),
        Observation::Failure(failure) => {
            let mut state = state(&failure.trouble);
            if inquiry.kind.is_elsewhere() {
                state = state.min(CheckState::Missing);
            }
            checks.push(with_state(check, state, failure.trouble));
            None
        }
    }
}

/// What is not allowed or not there is missing; what does not work at all has failed.
fn state(trouble: &Trouble) -> CheckState {
    match trouble.obstacle {
        Obstacle::Forbidden
        | Obstacle::NotFound
        | Obstacle::Throttled
        | Obstacle::Moved
        | Obstacle::Unsupported => CheckState::Missing,
        Obstacle::Held | Obstacle::RequestedOtherwise => CheckState::NotChecked,
        Obstacle::Unreachable
        | Obstacle::Untrusted
        | Obstacle::SignIn
        | Obstacle::TimedOut
        | Obstacle::Service
        | Obstacle::Unbelievable => CheckState::Failed,
    }
}

fn counted(count: usize, word: &str) -> String {
    units::counted(count as u64, word, &format!("{word}s"))
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
        let inquiry = Inquiry::account(Kind::Databases);
        let list = answer(account, &inquiry, "databases", checks).await?;
        let all = ids_in(&list.body, "Databases", MAX_DATABASES);
        let Some(first) = all.first() else {
            checks.push(ok("databases", "none: the account is empty"));
            return None;
        };
        checks.push(ok("databases", counted(all.len(), "database")));
        first.clone()
    };
    let inquiry = Inquiry::database(Kind::Containers, &database);
    let list = answer(account, &inquiry, "containers", checks).await;
    let Some(list) = list else {
        return Some((database, target.container.clone()?));
    };
    let all = ids_in(&list.body, "DocumentCollections", MAX_CONTAINERS);
    let what = format!("{} in {}", counted(all.len(), "container"), shown(&database));
    checks.push(ok("containers", what));
    let name = target.container.clone().or_else(|| all.first().cloned())?;
    Some((database, name))
}

async fn of_container(account: &dyn Reads, database: &str, name: &str, checks: &mut Vec<Check>) {
    let inquiry = |kind| Inquiry::container(kind, database, name);
    let read = &inquiry(Kind::Container);
    if let Some(read) = answer(account, read, "container", checks).await {
        let capture = captured(&read);
        let container = capture.containers.first();
        let paths = container.and_then(|of| of.definition.as_ref()).map(|key| &key.paths);
        let paths: Vec<String> = paths.into_iter().flatten().map(|path| shown(path)).collect();
        checks.push(ok("container", format!("{} has the key {}", shown(name), paths.join(", "))));
        checks.push(statistics(container.map_or(&[], |of| &of.partitions)));
    }
    let list = &inquiry(Kind::Ranges);
    if let Some(list) = answer(account, list, "physical partitions", checks).await {
        let ranges = captured(&list).containers.first().map_or(0, |of| of.partitions.len());
        checks.push(ok("physical partitions", counted(ranges, "physical partition")));
    }
    throughput(account, &inquiry, checks).await;
}

/// Sizes of partitions and their largest keys, which come with the container to whoever may see them.
fn statistics(partitions: &[PhysicalPartition]) -> Check {
    let sized = partitions.iter().filter(|of| of.documents.is_some() || !of.listed.is_empty());
    let sized = sized.count();
    if sized == 0 {
        return lacking(
            "statistics",
            CheckState::Missing,
            "the container was read, and no sizes of partitions came with it",
            "a new or serverless container may have none yet; sizes also come from the logs, with --workspace",
        );
    }
    let what = format!(
        "sizes of {} and {}",
        counted(sized, "partition"),
        counted(partitions.iter().map(|of| of.listed.len()).sum(), "large key")
    );
    ok("statistics", what)
}

/// From the account itself, else from the management plane.
async fn throughput(
    account: &dyn Reads,
    inquiry: &impl Fn(Kind) -> Inquiry,
    checks: &mut Vec<Check>,
) {
    let by_account = account.ask(&inquiry(Kind::Offer)).await;
    if let Some(check) = throughput_check("the account", &by_account) {
        checks.push(check);
        return;
    }
    if account.ways().management
        && let by_management = account.ask(&inquiry(Kind::ManagedThroughput)).await
        && let Some(check) = throughput_check("the management plane", &by_management)
    {
        checks.push(check);
        return;
    }
    checks.push(match by_account {
        Observation::Failure(failure) => {
            with_state("throughput", state(&failure.trouble), failure.trouble)
        }
        Observation::Answer(answer) if provisioned(&answer) == RuOwner::NoneListed => {
            ok("throughput", RuOwner::NoneListed.sentence())
        }
        Observation::Answer(_) => lacking(
            "throughput",
            CheckState::Missing,
            "the account answers, and no RU/s can be read in it",
            "type the RU/s where a figure needs them",
        ),
    });
}

/// Whose RU/s an answer tells; None where it tells none.
fn throughput_check(who: &str, seen: &Observation) -> Option<Check> {
    let Observation::Answer(answer) = seen else {
        return None;
    };
    match provisioned(answer) {
        RuOwner::NoneListed | RuOwner::NotReported => None,
        reported => Some(ok("throughput", format!("{who} reports it: {}", reported.sentence()))),
    }
}

/// What an answer about RU/s says, read as the views read it.
fn provisioned(answer: &Answer) -> RuOwner {
    let capture = captured(answer);
    let container = capture.containers.first();
    container.map_or(RuOwner::NotReported, |container| RuOwner::of(container, None))
}

/// What importers make of one answer.
fn captured(answer: &Answer) -> Capture {
    let mut ledger = Ledger::new("");
    ledger.add(Observation::Answer(answer.clone()));
    let read = ledger.capture(&ImportOptions::default(), &Watch::default());
    read.unwrap_or_default()
}

/// What the account is set to, as far as it changes what figures mean or what can be read.
fn settings(capture: &Capture) -> Check {
    let Some(account) = capture.accounts.first() else {
        return lacking(
            "account settings",
            CheckState::Missing,
            "the management plane answers, and its settings of the account cannot be read",
            "whether it is serverless or merges partitions is unknown",
        );
    };
    let set = account.settings().map(|setting| {
        let (what, so) = setting.words();
        format!("{what} ({so})")
    });
    let set: Vec<String> = set.collect();
    let nothing = "nothing that changes what figures mean or what can be read";
    match set.as_slice() {
        [] => ok("account settings", nothing),
        some => ok("account settings", some.join("; ")),
    }
}

async fn management(
    account: &dyn Reads,
    place: Option<&(String, String)>,
    checks: &mut Vec<Check>,
) {
    let no_metrics = |next| {
        let what = "they come from the management plane";
        lacking("metrics", CheckState::NotChecked, what, next)
    };
    if !account.ways().management {
        let what = "an account key does not open the management plane, and an emulator has none";
        let next =
            "sign in with az login for throughput, metrics and physical partitions from there";
        checks.push(lacking("management plane", CheckState::NotChecked, what, next));
        checks.push(no_metrics(next));
        return;
    }
    let inquiry = Inquiry::account(Kind::ManagedAccount);
    let Some(read) = answer(account, &inquiry, "management plane", checks).await else {
        checks.push(no_metrics("see there"));
        return;
    };
    let id = read::field(&String::from_utf8_lossy(&read.body), "id").and_then(read::text);
    let id = id.map_or_else(|| "found".to_owned(), |id| shorten(&visible(&id), 160));
    checks.push(ok("management plane", id));
    checks.push(settings(&captured(&read)));
    let Some((database, name)) = place else {
        return;
    };
    let metric = METRICS.first().map_or("", |metric| metric.name);
    let inquiry = Inquiry::container(Kind::Metrics, database, name).part(metric);
    let Some(read) = answer(account, &inquiry, "metrics", checks).await else {
        return;
    };
    checks.push(match captured(&read).load.metrics.len() {
        0 => lacking(
            "metrics",
            CheckState::Missing,
            format!("{metric} has no values for this container"),
            "metrics come a few minutes after the first requests; shared throughput has none by container",
        ),
        series => ok(
            "metrics",
            format!("{metric} of {}", counted(series, "partition")),
        ),
    });
}

async fn logs(account: &dyn Reads, place: Option<&(String, String)>, checks: &mut Vec<Check>) {
    if !account.ways().logs {
        checks.push(lacking(
            "logs",
            CheckState::NotChecked,
            "no Log Analytics workspace is named",
            "give --workspace and the id of the workspace that the account's diagnostic setting writes to",
        ));
        return;
    }
    let inquiry = match place {
        Some((database, name)) => Inquiry::container(Kind::LoggedSizes, database, name),
        None => Inquiry::account(Kind::LoggedSizes),
    };
    if let Some(read) = answer(account, &inquiry, "logs", checks).await {
        let keys = counted(captured(&read).sizes.len(), "key");
        let what = format!("the workspace answers, with sizes of {keys}");
        checks.push(ok("logs", what));
    }
}
