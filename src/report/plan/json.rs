//! A plan for scripts: one JSON object, schema 1.
//!
//! `{"schema":1,"key","current","advice","why","summary":[{"what","today","new"}],"writes_per_second","writes_from",
//! "routes":[{"route","feasibility","why":[s],"hours":[low,high],"never":[b,b],"ru":[low,high],"stop","writes"}],
//! "recommended":{"route","why"},"readiness":[{"check","obstacle","presence","evidence"}],"steps":[s],"roll_back":[s],
//! "risks":[s],"variants":[{"what","when"}],"container":{…},"decision","artefacts":{name:text},"notes":[s]}`.
//! Hours and RU are without an index and with everything indexed; null where they are not known.

use std::io::{self, Write};

use super::PlanReport;
use super::artefact::Artefact;
use super::doc::rows;
use crate::analysis::plan::PlanAdvice;
use crate::analysis::plan::container::NewContainer;
use crate::analysis::plan::facts::WriteSource;
use crate::analysis::plan::readiness::ReadinessCheck;
use crate::analysis::plan::routes::MoveRoute;
use crate::report::Style;
use crate::report::trial::CandidateReport;
use crate::report::write_json::{Json, lines, list, object};

pub(super) fn write(report: &PlanReport, _: Style, to: &mut dyn Write) -> io::Result<()> {
    let plan = &report.plan;
    let key = |of: Option<&CandidateReport>| of.map(|one| one.trial.candidate.to_string());
    let why = match &plan.advice {
        PlanAdvice::Keep(why) | PlanAdvice::Unusable(why) => Some(why),
        PlanAdvice::Move => None,
    };
    let summary = rows().map(|(what, cell)| {
        object()
            .with("what", *what)
            .with("today", report.today().map(cell))
            .with("new", report.new_key().map(cell))
    });
    let source = plan.writes.map(|writes| match writes.source {
        WriteSource::Logs => "logs",
        WriteSource::Queries => "queries",
        WriteSource::Growth => "growth",
    });
    let recommended = plan
        .recommended
        .as_ref()
        .map(|(kind, why)| object().with("route", kind.word()).with("why", why));
    let variants =
        list(&plan.variants, |[what, when]| object().with("what", what).with("when", when));
    let is_move = plan.advice == PlanAdvice::Move;
    let artefacts = Artefact::ALL.into_iter().filter(|_| is_move);
    let artefacts = artefacts.map(|one| (one.name, one.text(report)));
    object()
        .with("schema", 1)
        .with("key", key(report.new_key()))
        .with("current", key(report.today()))
        .with("advice", plan.advice.word())
        .with("why", why)
        .with("\nsummary", lines(summary))
        .with("\nwrites_per_second", plan.writes.map(|w| w.per_second))
        .with("writes_from", source)
        .with("\nroutes", lines(plan.routes.iter().map(route)))
        .with("\nrecommended", recommended)
        .with("\nreadiness", lines(plan.readiness.iter().map(check)))
        .with("\nsteps", lines(&plan.steps))
        .with("\nroll_back", lines(&plan.roll_back))
        .with("\nrisks", lines(&plan.risks))
        .with("\nvariants", variants)
        .with("\ncontainer", container(&plan.container))
        .with("decision", report.decision.as_deref())
        .with("\nartefacts", object().with_all(artefacts))
        .notes("\nnotes", &report.trial.notes)
        .write(to)
}

fn route(route: &MoveRoute) -> Json {
    let time = route.time;
    object()
        .with("route", route.kind.word())
        .with("feasibility", route.feasibility.word())
        .with("why", &route.why)
        .with("hours", time)
        .with("never", time.map(|time| time.map(|t| t.is_none())))
        .with("ru", route.ru.map(|ru| ru.map(f64::round)))
        .with("stop", route.stop_text())
        .with("writes", route.kind.writes())
}

fn check(check: &ReadinessCheck) -> Json {
    object()
        .with("check", check.name)
        .with("obstacle", check.obstacle)
        .with("presence", check.presence.word())
        .with("evidence", &check.evidence)
}

fn container(container: &NewContainer) -> Json {
    let paths: Vec<String> = container.paths.iter().map(ToString::to_string).collect();
    object()
        .with("paths", paths)
        .with("kind", container.kind())
        .with("version", 2)
        .with("created_ru_per_second", container.created_ru)
        .with("raised_ru_per_second", container.raised_ru)
}
