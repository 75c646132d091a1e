//! What is asked of an account: which questions have an answer and how old it is, what stands in the way, what it cost.

use std::fmt::Write as _;

use super::{TextPageState, settings};
use crate::model::capture::Capture;
use crate::model::time::Stamp;
use crate::model::units::{count_text, tenths_text};
use crate::source::answers::Kind;
use crate::source::ledger::{Access, Event, EventKind};
use crate::source::live::target::{Side, Target};
use crate::ui::kit::action::Action;
use crate::ui::kit::cx::{Cx, Playback};
use crate::ui::kit::masking::Mask;
use crate::work::data::{Dataset, Origin, Watched};

/// Events that are told; older ones say little about now.
const MOST_EVENTS: usize = 50;

fn ru_text(ru: f64) -> String {
    format!("{} RU", tenths_text(ru))
}

/// The account that is open, or how to open one.
pub fn account(cx: &Cx) -> Option<TextPageState> {
    let data = cx.data.as_ref()?;
    let watched = data.watched.as_ref()?;
    let mut lines = match &data.origin {
        Origin::Live(target) => head(cx, target, watched),
        Origin::Recording(_) => recorded(cx, watched),
        Origin::Paths(_) | Origin::Scenario(_) => return None,
    };
    lines.push(String::new());
    lines.extend(settings::lines(data, &cx.mask));
    lines.push("What was asked".to_owned());
    for access in &watched.access {
        one(&cx.mask, access, watched.newest, &mut lines);
    }
    lines.push(String::new());
    lines.push("What the views have of it".to_owned());
    lines.extend(views(data, watched));
    let events: Vec<String> =
        watched.events.iter().rev().take(MOST_EVENTS).map(|e| happened(&cx.mask, e)).collect();
    if !events.is_empty() {
        lines.push(String::new());
        lines.push("What happened, the newest first".to_owned());
        lines.extend(events.into_iter().map(|event| format!("  {event}")));
    }
    Some(TextPageState::new("account", lines))
}

/// What is shown of a recording was known at its moment.
fn recorded(cx: &Cx, watched: &Watched) -> Vec<String> {
    let at = cx.playback.as_ref().and_then(Playback::at);
    let at = at.map_or_else(String::new, |at| format!(" at {}", at.second_text()));
    vec![
        format!("an account as it was recorded, and known{at}"),
        format!("  answers had cost {} by then, as far as they said", ru_text(watched.spent_ru)),
    ]
}

fn head(cx: &Cx, target: &Target, watched: &Watched) -> Vec<String> {
    let name = match cx.mask {
        Mask::Off => target.endpoint.clone(),
        Mask::On(_) => "an account".to_owned(),
    };
    let mut lines = vec![format!("{name}, read only")];
    if target.side == Side::Emulator {
        lines.push("  EMULATOR: a server on this machine; nothing is signed, certificates are not looked at".to_owned());
    }
    let every = cx.polling.every_ms.map_or_else(
        || "asked by hand only".to_owned(),
        |every_ms| format!("asked again every {} s", every_ms / 1000),
    );
    let refresh = cx.keymap.shown(Action::Refresh).unwrap_or_default();
    lines.push(format!(
        "  {every}; {refresh} reads now; statistics of partitions at most once a minute"
    ));
    lines.push(format!(
        "  answers cost {} so far, as far as they say",
        ru_text(cx.polling.charged.unwrap_or(watched.spent_ru))
    ));
    if let Some((times, fault)) = &cx.polling.lost {
        let again = if *times == 1 { "once" } else { "several times" };
        lines.push(format!("  NOT ANSWERING, {again} in a row: {}", fault.what));
        lines.extend(fault.next.iter().map(|next| format!("  {next}")));
    }
    lines
}

/// The day is told only where it is another than that of the newest answer.
fn moment(at: Stamp, newest: Option<Stamp>) -> String {
    let whole = at.second_text();
    let is_same_day = newest.is_some_and(|newest| newest.date_text() == at.date_text());
    match whole.split_once(' ') {
        Some((_, time)) if is_same_day => time.to_owned(),
        _ => whole,
    }
}

fn one(mask: &Mask, access: &Access, now: Option<Stamp>, lines: &mut Vec<String>) {
    let newest = access
        .newest
        .map_or_else(|| "no answer".to_owned(), |at| format!("as of {}", moment(at, now)));
    let mut line = format!("  {}: {newest}", access.kind.words());
    if access.answered > 1 {
        let _ = write!(line, " · {} answers", count_text(access.answered));
    }
    if access.ru > 0.0 {
        let _ = write!(line, " · {}", ru_text(access.ru));
    }
    lines.push(line);
    if let Some((at, trouble)) = &access.trouble {
        let several = if access.failing > 1 {
            format!("{} questions fail; the newest", count_text(access.failing))
        } else {
            "fails".to_owned()
        };
        lines.push(format!("    {several} at {}: {}", moment(*at, now), mask.text(&trouble.what)));
        lines.extend(trouble.next.iter().map(|next| format!("    {}", mask.text(next))));
    }
}

/// What each view rests on, and what is missing for it.
fn views(data: &Dataset, watched: &Watched) -> Vec<String> {
    let state = |kind: Kind| {
        let access = watched.access.iter().find(|access| access.kind == kind);
        match access {
            None => "not asked",
            // A container is told without them, too.
            Some(access) if access.answered > 0 && kind == Kind::Container => {
                statistics(&data.capture, access)
            }
            Some(access) if access.answered > 0 && access.failing == 0 => "there",
            Some(access) if access.answered > 0 => "there, partly",
            Some(_) => "missing",
        }
    };
    let rows: [(&str, &[(&str, Kind)]); 4] = [
        (
            "overview and keys",
            &[("statistics", Kind::Container), ("logged sizes", Kind::LoggedSizes)],
        ),
        ("partitions", &[("ranges", Kind::Ranges), ("storage", Kind::Usages)]),
        (
            "heat",
            &[
                ("metrics", Kind::Metrics),
                ("RU by key", Kind::LoggedRu),
                ("requests", Kind::LoggedRequests),
            ],
        ),
        ("RU/s", &[("data plane", Kind::Offer), ("management plane", Kind::ManagedThroughput)]),
    ];
    let mut lines: Vec<String> = rows
        .iter()
        .map(|(view, kinds)| {
            let kinds: Vec<String> =
                kinds.iter().map(|(words, kind)| format!("{words} {}", state(*kind))).collect();
            format!("  {view}: {}", kinds.join(", "))
        })
        .collect();
    if matches!(data.origin, Origin::Live(_)) {
        lines.extend(not_asked(watched));
    }
    let without = data.capture.containers.iter().filter(|c| c.partitions.is_empty()).count();
    if without > 0 {
        lines.push(format!(
            "  {} containers have not reported their partitions yet",
            count_text(without as u64)
        ));
    }
    lines
}

/// Whether the answers about containers held what they were asked for.
fn statistics(capture: &Capture, access: &Access) -> &'static str {
    let with = capture.containers.iter().filter(|container| {
        let mut partitions = container.partitions.iter();
        partitions.any(|p| p.documents.is_some() || !p.listed.is_empty())
    });
    match with.count() as u64 {
        0 => "in no answer",
        with if with >= access.answered && access.failing == 0 => "there",
        _ => "there, partly",
    }
}

/// Why a way is not gone, and how it would be.
fn not_asked(watched: &Watched) -> Vec<String> {
    let is_asked = |kind: Kind| watched.access.iter().any(|access| access.kind == kind);
    let ways = [
        (
            Kind::ManagedAccount,
            "  the management plane is not read: it takes no account key, and an emulator has none; sign in by az login",
        ),
        (
            Kind::LoggedSizes,
            "  logs are not asked: --workspace ID names the workspace that the account's diagnostic setting writes to",
        ),
    ];
    let missing = ways.into_iter().filter(|(kind, _)| !is_asked(*kind));
    missing.map(|(_, words)| words.to_owned()).collect()
}

/// An event in words.
pub fn happened(mask: &Mask, event: &Event) -> String {
    let container = event.inquiry.container.as_deref();
    let container =
        container.map(|name| mask.name(crate::analysis::mask::NameKind::Container, name));
    let of = container.as_deref().unwrap_or("a container");
    let asked = match &container {
        Some(container) => format!("{} ({container})", event.inquiry.kind.words()),
        None => event.inquiry.kind.words().to_owned(),
    };
    let what = match &event.happened {
        EventKind::Split { from, into } => {
            format!("physical partition {from} of {of} split into {}", into.join(" and "))
        }
        EventKind::Changed { before, after } => {
            format!("{of} had {before} physical partitions and has {after}")
        }
        EventKind::Recreated => {
            format!("{of} was deleted and created again; nothing of the old one is kept")
        }
        EventKind::Failed(_) => format!("no answer any more: {asked}"),
        EventKind::Recovered => format!("answers again: {asked}"),
    };
    format!("{}  {what}", event.at.second_text())
}
