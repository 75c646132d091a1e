//! The way to another key as a document that people work through: routes, what is ready, what is done in which order.

pub mod container;
pub mod facts;
pub mod readiness;
pub mod routes;
mod steps;

#[cfg(test)]
mod tests;

use super::candidate::Candidate;
use super::demand::least::{CURED, is_cured};
use super::findings::Severity;
use super::migration::{Copy, Migration};
use super::trial::routes::Routed;
use super::trial::verdict::{Acceptance, KeyVerdict};
use super::trial::{Settings, Trial};

use container::NewContainer;
use facts::{PlanFacts, WriteRate};
use readiness::ReadinessCheck;
use routes::{MoveRoute, RouteKind};
use steps::SourceState;

/// The place of today's key among those that are compared.
const TODAY: usize = 0;

/// A tried key with its verdict.
#[derive(Clone, Copy, Debug)]
pub struct JudgedKey<'a> {
    pub trial: &'a Trial,
    pub routed: &'a [Routed],
    pub verdict: &'a KeyVerdict,
}

/// Whether there is anything to do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PlanAdvice {
    /// Today's key stays, with the reason.
    Keep(String),
    /// Not with this key, with the reason.
    Unusable(String),
    Move,
}

impl PlanAdvice {
    pub fn word(&self) -> &'static str {
        match self {
            Self::Keep(_) => "keep",
            Self::Unusable(_) => "no plan",
            Self::Move => "move",
        }
    }
}

#[derive(Clone, PartialEq, Debug)]
pub struct MovePlan {
    pub advice: PlanAdvice,
    pub routes: Vec<MoveRoute>,
    pub recommended: Option<(RouteKind, String)>,
    pub writes: Option<WriteRate>,
    pub readiness: Vec<ReadinessCheck>,
    pub steps: Vec<String>,
    pub roll_back: Vec<String>,
    pub risks: Vec<String>,
    pub variants: Vec<[String; 2]>,
    pub container: NewContainer,
}

impl MovePlan {
    /// From today's key, where it is known, to another that was tried with it.
    pub fn of(
        today: Option<JudgedKey<'_>>,
        new: JudgedKey<'_>,
        migration: &Migration,
        facts: &PlanFacts,
        settings: &Settings,
    ) -> Self {
        let writes = WriteRate::of(facts, new.trial, new.routed, settings);
        let container = NewContainer::of(migration, facts, settings.ru_per_second);
        let advice = advice(today, new, migration);
        let mut plan = Self {
            routes: Vec::new(),
            recommended: None,
            writes,
            readiness: Vec::new(),
            steps: Vec::new(),
            roll_back: Vec::new(),
            risks: Vec::new(),
            variants: steps::variants(facts),
            container,
            advice,
        };
        if plan.advice != PlanAdvice::Move {
            return plan;
        }
        plan.routes = routes::routes(migration, writes);
        plan.recommended = routes::recommended(migration, writes, &plan.routes);
        plan.readiness = readiness::readiness(migration, new.trial, facts);
        plan.risks = risks(new, migration, writes);
        if let Some(route) = plan.route() {
            let source = source_state(today, settings);
            let copy_ru = routes::faster(route, &plan.routes, migration, writes);
            let of = (migration, &plan.container, copy_ru);
            let steps = steps::steps(route, of, new.trial, source);
            let roll_back = steps::roll_back(route.kind);
            (plan.steps, plan.roll_back) = (steps, roll_back);
        }
        plan
    }

    /// The recommended one.
    pub fn route(&self) -> Option<&MoveRoute> {
        let (kind, _) = self.recommended.as_ref()?;
        self.routes.iter().find(|route| route.kind == *kind)
    }
}

/// `container copy job, online; 10.3 to 26.4 hours`: the route that a plan recommends, where there is anything to do.
pub fn first_route(
    today: Option<JudgedKey<'_>>,
    new: JudgedKey<'_>,
    migration: &Migration,
    writes: Option<WriteRate>,
) -> Option<String> {
    if advice(today, new, migration) != PlanAdvice::Move {
        return None;
    }
    let routes = routes::routes(migration, writes);
    let (kind, _) = routes::recommended(migration, writes, &routes)?;
    let route = routes.into_iter().find(|route| route.kind == kind)?;
    Some(format!("{}; {}", kind.name(), route.time_text()))
}

fn source_state(today: Option<JudgedKey<'_>>, settings: &Settings) -> SourceState {
    let full = settings.load_ru_per_second.zip(settings.ru_per_second);
    let share = today.and_then(|today| today.trial.placement.throttled_share);
    match (full, share) {
        (Some((load, ru)), _) if load >= ru => SourceState::Busy,
        (_, Some(share)) if !is_cured(share, CURED) => SourceState::Throttled,
        _ => SourceState::Calm,
    }
}

fn advice(today: Option<JudgedKey<'_>>, new: JudgedKey<'_>, migration: &Migration) -> PlanAdvice {
    if let Some(absent) = &migration.absent {
        return PlanAdvice::Unusable(absent.clone());
    }
    let is_same = |today: &Candidate| *today == new.trial.candidate;
    if migration.copy == Copy::NothingToDo || today.is_some_and(|t| is_same(&t.trial.candidate)) {
        let look = match new.verdict.standing {
            Acceptance::Good => "",
            _ => " To look for a better one: cosmoscope trial --suggest.",
        };
        let why = "It is the key that the container has: nothing moves.";
        return PlanAdvice::Keep(format!("{why}{look}"));
    }
    let Some(today) = today else {
        return PlanAdvice::Move;
    };
    let [now, then] = [today, new].map(|key| key.verdict.word());
    let key = &today.trial.candidate;
    if today.verdict.standing == Acceptance::Good {
        let why = format!("Today's key {key} is {now}: nothing calls for another one.");
        return PlanAdvice::Keep(why);
    }
    let is_worse = new.verdict.dominated_by == Some(TODAY);
    if is_worse || new.verdict.standing > today.verdict.standing {
        let why = format!("{now} today, {then} with {}: it is no better.", new.trial.candidate);
        return PlanAdvice::Keep(why);
    }
    PlanAdvice::Move
}

/// What can go wrong with this key and on the way to it.
fn risks(new: JudgedKey<'_>, migration: &Migration, writes: Option<WriteRate>) -> Vec<String> {
    let is_rejected = new.verdict.standing == Acceptance::Reject;
    let rejected = "The trial rejects this key: look for another with cosmoscope trial --suggest.";
    let weighty = new.verdict.reasons.iter();
    let weighty = weighty.filter(|reason| reason.severity > Severity::Note);
    let known = weighty.map(|reason| reason.sentence.clone());
    let others = [
        (
            !new.verdict.knows_reads,
            "Queries are not known: what reads cost under this key is open. Give --queries.",
        ),
        (
            writes.is_none(),
            "Writes a second are not known: whether a copy catches up is open. Give --logs with requests, or --queries.",
        ),
        (
            migration.copy != Copy::AsTheyAre,
            "A writer that computes the key otherwise makes documents that no reader finds: run the test vectors in each language.",
        ),
        (
            migration.collisions.is_some_and(|n| n > 0),
            "Documents with the same key and id replace each other in the new container.",
        ),
    ];
    let others = others.into_iter().filter(|(is, _)| *is);
    let first = is_rejected.then(|| rejected.to_owned()).into_iter();
    let all = first.chain(known);
    all.chain(others.map(|(_, said)| said.to_owned())).collect()
}
