//! A sample of documents of an account: what it would cost before anything is asked, how far it is, what is left.
//!
//! ```text
//! ┏ sample of documents ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━┓
//! ┃ No documents yet. A sample reads some of them, …    ┃
//! ┃   documents   1,000 from 12 physical partitions     ┃
//! ┃   costs       about 940 RU …                        ┃
//! ┗ Enter begins, + - change the number, Esc does not ━━┛
//! ```

use std::fmt::Write as _;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Span;

use super::documents::{self, Reading};
use crate::app::input::{Chord, Code};
use crate::app::msg::{Effect, Shared, Turn};
use crate::app::scanning::{Allowance, Field, Meter, Over, ScanAsk, Scanned};
use crate::app::trying::{DocumentsOf, Sample, SampleAsk};
use crate::app::{App, Overlay, Status};
use crate::model::units::{count_text, real};
use crate::source::answers::Kind;
use crate::source::live::sampling::{Estimate, suggested};
use crate::view::panel::{Focus, Panel};
use crate::view::text;

/// Columns of the dialog where there are more.
const WIDEST: u16 = 76;
/// Where the words stand in a row of it.
const NAMED: u16 = 13;

/// A question before anything is read.
#[derive(Clone, PartialEq, Debug)]
pub struct Dialog {
    field: Field,
    /// How many documents there are to be.
    documents: u64,
    /// What is there already, and for how much.
    held: Option<Meter>,
    allowance: Allowance,
}

impl Dialog {
    fn estimate(&self) -> Estimate {
        let held = self.held.map_or(0, |meter| meter.entries);
        self.field
            .estimate(self.documents - held.min(self.documents), &self.allowance)
    }
}

/// The chosen container, where it is one of an account and its partitions are known.
fn field(app: &App) -> Option<Field> {
    Field::of(app.data.as_deref()?, app.trial.container?)
}

/// Whether documents of this container could be asked for.
pub fn is_live(app: &App) -> bool {
    let data = app.data.as_ref();
    data.is_some_and(|data| matches!(data.origin, crate::app::data::Origin::Live(_)))
        && app.trial.given.is_empty()
}

/// The view is shown, or more is known: without documents somebody is asked, once.
pub fn offer_once(app: &mut App) -> Vec<Effect> {
    let state = &app.trial;
    let has_some = state.sample.is_some() || state.reading.is_some();
    if !is_live(app) || has_some || state.is_offered || !may_ask(app) {
        return Vec::new();
    }
    let Some(field) = field(app) else {
        return Vec::new();
    };
    app.trial.is_offered = true;
    let watched = app.data.as_ref().and_then(|data| data.watched.as_ref());
    let mut access = watched.into_iter().flat_map(|watched| &watched.access);
    if access.any(|access| access.kind == Kind::Documents && access.answered > 0) {
        // Some were asked for already: they need not be asked for again.
        return documents::read(app, ask(&field, None));
    }
    offer(app);
    Vec::new()
}

/// Opens the question.
pub fn offer(app: &mut App) {
    let Some(field) = field(app) else {
        return app.fail(
            "the partitions of this container are not known yet",
            Some("wait until the account has told them, then try again"),
        );
    };
    let allowance = app.live.allowance;
    app.overlay = Some(Overlay::Sampling(Box::new(Dialog {
        documents: suggested(&field.strata, allowance.budget_ru),
        field,
        held: None,
        allowance,
    })));
}

fn ask(field: &Field, scan: Option<ScanAsk>) -> SampleAsk {
    SampleAsk {
        from: DocumentsOf::Live {
            database: field.database.clone(),
            container: field.container.clone(),
        },
        time: None,
        queries: None,
        held: None,
        scan,
    }
}

/// A key while the question is open; None if it means something else.
pub fn on_key(app: &mut App, chord: Chord) -> Option<Vec<Effect>> {
    let Some(Overlay::Sampling(dialog)) = &mut app.overlay else {
        return None;
    };
    let step = |dialog: &mut Dialog, up| {
        let held = dialog.held.map_or(0, |meter| meter.entries);
        dialog.documents = Estimate::stepped(dialog.documents, up).max(held);
    };
    match chord.code {
        Code::Char('+' | '=') | Code::Up => step(dialog, true),
        Code::Char('-') | Code::Down => step(dialog, false),
        Code::Enter => return Some(begin(app)),
        _ => return None,
    }
    Some(Vec::new())
}

fn begin(app: &mut App) -> Vec<Effect> {
    let Some(Overlay::Sampling(dialog)) = app.overlay.take() else {
        return Vec::new();
    };
    let Dialog {
        field,
        documents,
        allowance,
        ..
    } = *dialog;
    let scan = ScanAsk {
        documents,
        more_ru: allowance.budget_ru,
        ru_per_second: field.rate(&allowance),
        field,
    };
    let mut asked = ask(&scan.field, Some(scan.clone()));
    if let Some(sample) = &app.trial.sample {
        asked.time.clone_from(&sample.time);
        asked.queries.clone_from(&sample.queries);
    }
    documents::read(app, asked)
}

pub fn on_metered(app: &mut App, turn: Turn, meter: Meter) {
    if let Some(reading) = app.trial.reading.as_mut().filter(|r| r.turn == turn) {
        reading.meter = Some(meter);
    }
}

/// Stops a sample that is being drawn; what is there stays and arrives.
pub fn stop(app: &mut App) -> Option<Vec<Effect>> {
    let reading = app.trial.reading.as_mut()?;
    reading.ask.scan.as_ref()?;
    reading.is_stopping = true;
    app.say("no more documents are asked for: what is there is read");
    Some(vec![Effect::StopSampling])
}

/// No documents are held after all: then somebody is asked.
pub fn on_nothing_held(app: &mut App, reading: &Reading) -> bool {
    let is_held =
        matches!(reading.ask.from, DocumentsOf::Live { .. }) && reading.ask.scan.is_none();
    if is_held && may_ask(app) {
        offer(app);
    }
    is_held
}

/// What is to be said once documents are there.
pub fn on_sampled(app: &mut App, sample: &Shared<Sample>) {
    let Some(Scanned { over, meter }) = &sample.scanned else {
        return;
    };
    let there = format!(
        "{} documents for {} RU",
        count_text(meter.entries),
        count_text(whole(meter.spent_ru))
    );
    match over {
        Over::Whole => app.say(format!("{there} are there")),
        Over::Stopped | Over::Moved => app.say(format!("stopped: {there} are there")),
        Over::Failed(trouble) => {
            app.status = Status::Failed(crate::app::msg::Fault {
                what: format!("{} ({there} are there)", trouble.what),
                next: trouble.next.clone(),
            });
        }
        Over::Spent => spent(app, *meter),
    }
}

/// Whether a question may be put over what is shown: nobody is interrupted in something else.
fn may_ask(app: &App) -> bool {
    super::is_shown(app) && app.overlay.is_none()
}

fn spent(app: &mut App, meter: Meter) {
    let Some(field) = field(app).filter(|_| may_ask(app)) else {
        return app
            .say("what was allowed for the sample is spent; 4 in the trial view allows more");
    };
    app.overlay = Some(Overlay::Sampling(Box::new(Dialog {
        documents: meter.wanted.max(meter.entries),
        field,
        held: Some(meter),
        allowance: app.live.allowance,
    })));
}

/// Goes on with a sample, or begins one.
pub fn more(app: &mut App) {
    match app.trial.sample.as_ref().and_then(|s| s.scanned.clone()) {
        Some(scanned) => spent(app, scanned.meter),
        None => offer(app),
    }
}

/// What stands in place of a table while there is none.
pub fn sentence(app: &App) -> Option<String> {
    if let Some(reading) = &app.trial.reading {
        reading.ask.scan.as_ref()?;
        let Some(meter) = reading.meter else {
            return Some("The first page of documents is asked for.".to_owned());
        };
        let esc = "Esc stops and keeps what is there.";
        return Some(format!("{}. {esc}", sampled(&meter, reading.is_stopping)));
    }
    is_live(app).then(|| {
        "No documents yet. 4 asks for a sample of them, and says what it costs before anything is read; :documents FILE \
         reads an export in its place."
            .to_owned()
    })
}

/// `340 of 1,000 documents · 312 of 1,000 RU at 5 RU/s`.
pub fn sampled(meter: &Meter, is_stopping: bool) -> String {
    let mut words = format!(
        "sampling: {} of {} documents, {} of {} RU at {} RU/s",
        count_text(meter.entries),
        count_text(meter.wanted),
        count_text(whole(meter.spent_ru)),
        count_text(whole(meter.budget_ru)),
        amount(meter.ru_per_second)
    );
    if let Some(left) = meter.resting_seconds {
        let _ = write!(
            words,
            "; rests {} s (429 twice)",
            count_text(whole(left.ceil()))
        );
    } else if is_stopping {
        words.push_str("; stopping");
    }
    words
}

fn whole(number: f64) -> u64 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "shown, and bounded from below"
    )]
    let whole = number.max(0.0).round() as u64;
    whole
}

fn amount(number: f64) -> String {
    crate::report::trial::amount(number)
}

/// `45 s`, `3 min 30 s`, `2 h 5 min`.
fn span(seconds: f64) -> String {
    let seconds = whole(seconds.ceil());
    match seconds {
        0..120 => format!("{seconds} s"),
        120..7_200 => format!("{} min {} s", seconds / 60, seconds % 60),
        _ => format!(
            "{} h {} min",
            count_text(seconds / 3_600),
            seconds / 60 % 60
        ),
    }
}

/// The rows of the dialog: a name, and what belongs to it.
fn rows(dialog: &Dialog) -> Vec<(&'static str, String)> {
    let made = dialog.estimate();
    let partitions = match made.partitions {
        1 => "1 physical partition".to_owned(),
        n => format!("{} physical partitions", count_text(n as u64)),
    };
    let mut rows = vec![(
        "documents",
        format!("{} from {partitions}", count_text(dialog.documents)),
    )];
    if let Some(held) = &dialog.held {
        rows.push(("are there", count_text(held.entries)));
    }
    let of = match dialog.field.provisioned {
        Some(ru) if dialog.allowance.rate_ru.is_none() => {
            let share = made.ru_per_second / ru.max(1.0);
            format!(
                ", {} of {} RU/s",
                crate::model::units::percent_text(share),
                amount(ru)
            )
        }
        None if dialog.allowance.rate_ru.is_none() => {
            ", since it is not known what is provisioned".to_owned()
        }
        _ => String::new(),
    };
    rows.extend([
        ("cost", format!("about {} RU", count_text(whole(made.ru)))),
        (
            "take",
            format!(
                "about {} at {} RU/s{of}",
                span(made.seconds),
                amount(made.ru_per_second)
            ),
        ),
        (
            "budget",
            format!(
                "{} RU, then it asks again",
                amount(dialog.allowance.budget_ru)
            ),
        ),
    ]);
    if real(dialog.documents) > 0.0
        && let Some(hottest) = dialog.field.hottest()
    {
        rows.push((
            "last",
            format!(
                "partition {}, the hottest",
                crate::model::visible::visible(hottest)
            ),
        ));
    }
    rows
}

fn lead(dialog: &Dialog) -> String {
    match &dialog.held {
        None => {
            "No documents yet. A sample reads some from every physical partition, to try keys on."
                .to_owned()
        }
        Some(meter) => format!(
            "{} RU spent. Enter allows {} more.",
            count_text(whole(meter.spent_ru)),
            amount(dialog.allowance.budget_ru)
        ),
    }
}

const MANNERS: &str = "It only reads, with low priority, one page of a partition at a time, and rests 60 s after two \
                       refusals in a row (429).";

pub fn draw_dialog(app: &App, dialog: &Dialog, body: Rect, buffer: &mut Buffer) {
    let theme = &app.theme;
    let width = body.width.min(WIDEST);
    let inside = width.saturating_sub(4).max(1);
    let lead = text::wrapped(&lead(dialog), inside.into(), theme.glyphs);
    let manners = text::wrapped(MANNERS, inside.into(), theme.glyphs);
    let rows = rows(dialog);
    let height = lead.len() + rows.len() + manners.len() + 4;
    let height = u16::try_from(height).unwrap_or(u16::MAX).min(body.height);
    let frame = Rect {
        y: body.y + (body.height - height) / 2,
        height,
        ..text::column(body, (body.width - width) / 2, width)
    };
    text::clear(buffer, frame);
    let ways = match dialog.held {
        None => "Enter begins, + - change the number, Esc leaves it",
        Some(_) => "Enter goes on, + - change the number, Esc leaves it",
    };
    let panel = Panel::new("sample of documents")
        .footer(ways)
        .focus(Focus::Here);
    panel.draw(buffer, frame, theme);
    let inner = Panel::inner(frame);
    let room = text::column(inner, 1, inside);
    let mut at = 0;
    let mut line = |spans: &[Span<'_>], indent: u16| {
        let row = text::row(room, at);
        text::left(
            buffer,
            text::column(row, indent, row.width.saturating_sub(indent)),
            spans,
            theme,
        );
        at += 1;
    };
    for text in lead {
        line(&[Span::styled(text, theme.text)], 0);
    }
    line(&[], 0);
    for (name, text) in rows {
        let padded = format!("{name:<width$}", width = usize::from(NAMED) - 2);
        let text = theme.glyphs.own(&text).into_owned();
        line(
            &[
                Span::styled(padded, theme.dim),
                Span::styled(text, theme.text),
            ],
            2,
        );
    }
    line(&[], 0);
    for text in manners {
        line(&[Span::styled(text, theme.dim)], 0);
    }
}

#[cfg(test)]
mod tests;
