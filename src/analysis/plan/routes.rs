//! The routes by which documents move: what each needs, takes, and means for those who write.

use super::super::migration::{
    Copy, Cost, Hurdle, Migration, hours_range_text, hours_text, rounded,
};
use super::facts::WriteRate;
use crate::model::time::{DAY_S, HOUR_S};
use crate::model::units::whole_text;

/// A copy with writes stopped that takes no longer than this is simpler than any other.
const SHORT_STOP_HOURS: f64 = 1.0;
const DAY_HOURS: f64 = 24.0;
/// RU/s are sold in hundreds.
const SOLD_RU: f64 = 100.0;

words! {
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum RouteKind {
        CopyOffline = "copy-offline",
        CopyOnline = "copy-online",
        ChangeFeed = "change-feed",
        Export = "export-import",
        DualWrite = "dual-write",
    }
    /// For scripts.
    fn word, ALL
}

impl RouteKind {
    /// For people, and what it does to writes.
    fn words(self) -> [&'static str; 2] {
        match self {
            Self::CopyOffline => ["container copy job, offline", "stop"],
            Self::CopyOnline => ["container copy job, online", "go on, each charged twice"],
            Self::ChangeFeed => ["change feed and bulk writes", "go on; deletions need a mark"],
            Self::Export => ["Spark or Data Factory", "stop"],
            Self::DualWrite => ["dual write and backfill", "go to both containers"],
        }
    }

    pub fn name(self) -> &'static str {
        self.words()[0]
    }

    /// What becomes of the application's writes meanwhile.
    pub fn writes(self) -> &'static str {
        self.words()[1]
    }

    /// Whether it follows writes while it copies.
    pub fn follows_writes(self) -> bool {
        !matches!(self, Self::CopyOffline | Self::Export)
    }
}

words! {
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Feasibility {
        Possible = "possible",
        NotPossible = "not possible",
        Unknown = "cannot tell",
    }
    fn word
}

/// Hours until a copy has everything, with writes going on; None where as much is written as is copied, or more.
pub type CatchUp = Option<f64>;

/// Of a copy that takes these hours without writes: the backlog shrinks by what is copied and grows by what is written.
pub fn catch_up(hours: f64, documents: f64, writes_per_second: f64) -> CatchUp {
    let written = writes_per_second * hours * HOUR_S / documents.max(1.0);
    (written < 1.0).then(|| hours / (1.0 - written))
}

/// Of a copy whose writing is sped up by a factor once today's documents are in.
fn raised(cost: &Cost, at: usize, writes_per_second: f64, factor: f64) -> CatchUp {
    let hours = *cost.hours.as_ref()?.get(at)?;
    let read = cost.spare.map_or(0.0, |spare| cost.read_ru / spare / HOUR_S);
    let write = cost.write_ru.get(at)? * cost.load_ratio / cost.ru_per_second? / HOUR_S / factor;
    let backlog = writes_per_second * hours * HOUR_S;
    let all = write.max(read);
    let more = catch_up(all * backlog / cost.documents.max(1.0), backlog, writes_per_second)?;
    Some(hours + more)
}

#[derive(Clone, PartialEq, Debug)]
pub struct MoveRoute {
    pub kind: RouteKind,
    pub feasibility: Feasibility,
    /// What it needs, and what stands in its way.
    pub why: Vec<String>,
    /// Without an index, and with everything indexed. None where RU/s are not known.
    pub time: Option<[CatchUp; 2]>,
    /// Of reading and writing.
    pub ru: Option<[f64; 2]>,
}

impl MoveRoute {
    fn of(kind: RouteKind, migration: &Migration, writes: Option<WriteRate>) -> Self {
        let time = time(kind, migration, writes);
        let (mut feasibility, mut why) = needs(kind, migration);
        let is_late = |at: usize| time.is_some_and(|time| time.get(at) == Some(&None));
        if is_late(0) {
            feasibility = Feasibility::NotPossible;
            why.insert(0, never(migration, writes, ""));
        } else if is_late(1) {
            if feasibility == Feasibility::Possible {
                feasibility = Feasibility::Unknown;
            }
            why.insert(0, never(migration, writes, " with all indexed"));
        }
        Self { kind, ru: ru(kind, migration, writes, time), feasibility, why, time }
    }

    pub fn time_text(&self) -> String {
        match self.time {
            None => "unknown".to_owned(),
            Some([Some(low), Some(high)]) => hours_range_text([low, high]),
            Some([Some(low), None]) => format!("≥ {}", hours_text(low)),
            Some([None, _]) => "never".to_owned(),
        }
    }

    /// `220,000,000 to 400,000,000 RU`
    pub fn ru_text(&self) -> String {
        match self.ru {
            Some(ru) => format!("{} RU", ru.map(rounded).join(" to ")),
            None => "RU without end".to_owned(),
        }
    }

    /// How long writes stop.
    pub fn stop_text(&self) -> String {
        match self.kind {
            _ if self.feasibility == Feasibility::NotPossible => "–".to_owned(),
            RouteKind::CopyOffline | RouteKind::Export => self.time_text(),
            RouteKind::CopyOnline => "5 to 10 minutes".to_owned(),
            RouteKind::ChangeFeed => "minutes".to_owned(),
            RouteKind::DualWrite => "none".to_owned(),
        }
    }
}

/// Documents copied a second, against those written.
fn never(migration: &Migration, writes: Option<WriteRate>, when: &str) -> String {
    let at = usize::from(!when.is_empty());
    let hours = migration.cost.hours.and_then(|hours| hours.get(at).copied());
    let copied = hours.map_or(0.0, |hours| migration.cost.documents / (hours * HOUR_S));
    let written = writes.map_or(0.0, |writes| writes.per_second);
    format!(
        "never catches up{when}: {} documents/s copied, {} written",
        rounded(copied),
        rounded(written)
    )
}

/// Documents a second that a copy has to follow.
fn written(kind: RouteKind, writes: Option<WriteRate>) -> f64 {
    let followed = writes.filter(|_| kind.follows_writes());
    followed.map_or(0.0, |writes| writes.per_second)
}

fn time(kind: RouteKind, migration: &Migration, writes: Option<WriteRate>) -> Option<[CatchUp; 2]> {
    let hours = migration.cost.hours?;
    let written = written(kind, writes);
    let cost = &migration.cost;
    // Raised before documents are in, it would not split where its first levels are.
    let goes_on = matches!(kind, RouteKind::CopyOnline | RouteKind::ChangeFeed);
    let factor = (migration.created_with.filter(|_| goes_on))
        .and(migration.ru_to_buy.zip(cost.ru_per_second))
        .map(|(raised, created)| raised / created);
    Some(match factor {
        Some(factor) => [0, 1].map(|at| raised(cost, at, written, factor)),
        None => hours.map(|hours| catch_up(hours, cost.documents, written)),
    })
}

/// All that is copied: today's documents, and what is written meanwhile.
fn ru(
    kind: RouteKind,
    migration: &Migration,
    writes: Option<WriteRate>,
    time: Option<[CatchUp; 2]>,
) -> Option<[f64; 2]> {
    let cost = &migration.cost;
    let [low, high] = cost.write_ru.map(|write| cost.read_ru + write);
    let Some([least, most]) = time else {
        return Some([low, high]);
    };
    let written = written(kind, writes);
    let grown = |hours: f64| 1.0 + written * hours * HOUR_S / cost.documents.max(1.0);
    Some([low * grown(least?), high * grown(most?)])
}

fn needs(kind: RouteKind, migration: &Migration) -> (Feasibility, Vec<String>) {
    match kind {
        RouteKind::CopyOffline | RouteKind::CopyOnline => copy_job(kind, migration),
        RouteKind::ChangeFeed => {
            let what = match migration.copy {
                Copy::AsTheyAre | Copy::NothingToDo => {
                    "a program of your own reads the change feed and writes in bulk"
                }
                Copy::Transformed => "a program of your own writes the key into each document",
                Copy::Drawn => {
                    "a program of your own draws the suffix once; started again, it looks for what it wrote"
                }
            };
            (Feasibility::Possible, vec![what.to_owned()])
        }
        RouteKind::Export => {
            let is_deep = migration.candidate.levels.len() > 1;
            let levels = "connectors have limits with hierarchical keys: check the version";
            let what = "a job reads, transforms and writes; changes made meanwhile are missed";
            let mut why = vec![what.to_owned()];
            why.extend(is_deep.then(|| levels.to_owned()));
            let unknown = Feasibility::Unknown;
            (if is_deep { unknown } else { Feasibility::Possible }, why)
        }
        RouteKind::DualWrite => {
            let what = "each writing program is changed first; the backfill only creates and \
                        replaces nothing";
            (Feasibility::Possible, vec![what.to_owned()])
        }
    }
}

fn copy_job(kind: RouteKind, migration: &Migration) -> (Feasibility, Vec<String>) {
    if matches!(migration.copy, Copy::Transformed | Copy::Drawn) {
        let why = "documents do not hold the key, and the job copies them as they are";
        return (Feasibility::NotPossible, vec![why.to_owned()]);
    }
    let is_online = kind == RouteKind::CopyOnline;
    let hurdles: Vec<&Hurdle> =
        (migration.hurdles.iter()).filter(|hurdle| is_online || !hurdle.is_online_only).collect();
    let sentences = |is_known: bool| {
        let some = hurdles.iter().filter(move |h| h.is_known == is_known);
        some.map(|hurdle| hurdle.sentence.clone())
    };
    let blocked: Vec<String> = sentences(true).collect();
    if !blocked.is_empty() {
        return (Feasibility::NotPossible, blocked);
    }
    let mut why: Vec<String> = sentences(false).map(|s| format!("check: {s}")).collect();
    if is_online {
        why.insert(
            0,
            "needs continuous backup and the change feed of all versions and deletes".to_owned(),
        );
    }
    let feasibility = if why.is_empty() {
        why.push("every document holds the key".to_owned());
        Feasibility::Possible
    } else {
        Feasibility::Unknown
    };
    (feasibility, why)
}

/// All routes, in their order.
pub fn routes(migration: &Migration, writes: Option<WriteRate>) -> Vec<MoveRoute> {
    let all = RouteKind::ALL.into_iter();
    all.map(|kind| MoveRoute::of(kind, migration, writes)).collect()
}

/// The one to take, with its reason; none where no document has the key, or nothing moves.
pub fn recommended(
    migration: &Migration,
    writes: Option<WriteRate>,
    routes: &[MoveRoute],
) -> Option<(RouteKind, String)> {
    if migration.absent.is_some() || migration.copy == Copy::NothingToDo {
        return None;
    }
    let is_open = |kind: RouteKind| {
        let mut all = routes.iter().filter(|route| route.kind == kind);
        all.any(|route| route.feasibility != Feasibility::NotPossible)
    };
    let short = migration.cost.hours.filter(|[_, most]| *most <= SHORT_STOP_HOURS);
    let (kind, reason) = match short {
        Some(hours) if is_open(RouteKind::CopyOffline) => (
            RouteKind::CopyOffline,
            format!(
                "With writes stopped it takes {}; no other route is simpler.",
                hours_range_text(hours)
            ),
        ),
        _ if is_open(RouteKind::CopyOnline) => (
            RouteKind::CopyOnline,
            "The service copies and follows the writes; no program has to be written.".to_owned(),
        ),
        _ if is_open(RouteKind::ChangeFeed) => (
            RouteKind::ChangeFeed,
            match migration.copy {
                Copy::AsTheyAre | Copy::NothingToDo => {
                    "The copy job is not possible here; the change feed follows the writes."
                }
                Copy::Transformed | Copy::Drawn => {
                    "Documents do not hold the key; a reader of the change feed can write it."
                }
            }
            .to_owned(),
        ),
        _ => {
            let offline = is_open(RouteKind::CopyOffline).then_some(RouteKind::CopyOffline);
            let why = "Writes outrun the copy, so that they have to stop.";
            (offline.unwrap_or(RouteKind::Export), why.to_owned())
        }
    };
    let route = routes.iter().find(|route| route.kind == kind);
    let faster = route.and_then(|route| faster(route, routes, migration, writes));
    let faster = faster.map_or(String::new(), |ru| {
        let ru = whole_text(ru);
        format!(" With {ru} RU/s for the new container it takes at most about a day; lower them afterwards.")
    });
    Some((kind, reason + &faster))
}

/// RU/s for a copy that would take longer than a day, or never end.
pub fn faster(
    route: &MoveRoute,
    routes: &[MoveRoute],
    migration: &Migration,
    writes: Option<WriteRate>,
) -> Option<f64> {
    let is_long = |time: &CatchUp| time.is_none_or(|hours| hours > DAY_HOURS);
    let times = routes
        .iter()
        .filter(|other| other.kind == route.kind || other.kind == RouteKind::ChangeFeed);
    let mut times = times.filter_map(|route| route.time).flatten();
    // More RU/s from the beginning would spread a container that is to be filled on few partitions.
    if migration.created_with.is_some() || !times.any(|time| is_long(&time)) {
        return None;
    }
    enough(migration, writes)
}

/// RU/s of the new container with which a copy has everything within a day, with all indexed; none where reading takes longer.
pub fn enough(migration: &Migration, writes: Option<WriteRate>) -> Option<f64> {
    let cost = &migration.cost;
    let read_s = cost.spare.map_or(0.0, |spare| cost.read_ru / spare);
    let [_, each] = cost.write_ru.map(|ru| ru / cost.documents.max(1.0));
    let written = writes.map_or(0.0, |writes| writes.per_second);
    let ru = (cost.documents / DAY_S + written) * each * cost.load_ratio;
    (read_s < DAY_S).then(|| (ru / SOLD_RU).ceil() * SOLD_RU)
}
