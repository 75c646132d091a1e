//! The question before a sample: how many documents, how many of them whole, which properties of the others, for how much.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Span;

use super::properties::{self, Properties};
use super::{amount, span};
use crate::model::path::Path;
use crate::model::units::{count_text, percent_text, real, whole_text};
use crate::model::visible::visible;
use crate::source::live::sampling::{Choice, Estimate, suggested};
use crate::ui::kit::cx::Cx;
use crate::ui::kit::input::{Chord, Code};
use crate::ui::kit::panel::{Focus, Panel};
use crate::ui::kit::text;
use crate::ui::view::trial::TrialState;
use crate::work::sample::{Allowance, Meter, SampleContainer};

/// Columns of the dialog where there are more.
const WIDEST: u16 = 76;
/// Where the words stand in a row of it.
const NAMED: u16 = 13;
/// Numbers of whole documents that are offered; beyond the last all are whole.
const WHOLE_STEPS: [u64; 7] = [50, 100, 200, 500, 1_000, 2_000, 5_000];
/// Enough to know the mean size to a few hundredths where sizes differ as they usually do.
const WHOLE: u64 = 200;

/// What is there already.
#[derive(Clone, PartialEq, Debug)]
pub struct SampleAtHand {
    pub meter: Meter,
    /// Whole documents.
    pub whole: u64,
    /// Properties that the others have; none where all are whole.
    pub paths: Vec<Path>,
}

/// What a key did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KeyEffect {
    Begin,
    Taken,
    /// It means something else.
    Other,
}

/// A question before anything is read.
#[derive(Clone, PartialEq, Debug)]
pub struct Dialog {
    pub field: SampleContainer,
    /// How many documents there are to be.
    pub documents: u64,
    /// Of these so many are whole; all where nothing is named.
    pub whole: Option<u64>,
    pub properties: Properties,
    pub at_hand: Option<SampleAtHand>,
    pub allowance: Allowance,
}

impl Dialog {
    pub fn new(
        state: &TrialState,
        cx: &Cx,
        field: SampleContainer,
        held: Option<SampleAtHand>,
    ) -> Self {
        let allowance = cx.polling.allowance;
        let documents = held.as_ref().map_or_else(
            || suggested(&field.strata, allowance.budget_ru, field.rate(&allowance)),
            |held| held.meter.documents_total.max(held.meter.entries),
        );
        let is_all = held.as_ref().is_some_and(|held| held.paths.is_empty());
        let is_few = documents <= WHOLE;
        Self {
            properties: Properties::of(state, cx, held.as_ref().map(|held| held.paths.as_slice())),
            whole: (!is_all && !is_few).then_some(WHOLE),
            field,
            documents,
            at_hand: held,
            allowance,
        }
    }

    pub fn choice(&self) -> Choice {
        let whole = self.whole.filter(|whole| *whole < self.documents);
        let paths = self.properties.chosen();
        match whole {
            Some(whole) if !paths.is_empty() => Choice { whole, paths },
            _ => Choice { whole: self.documents, paths: Vec::new() },
        }
    }

    /// Whether rows that are there lack what is wanted now, so that they are asked for once more.
    fn is_anew(&self) -> bool {
        let Some(held) = &self.at_hand else {
            return false;
        };
        let paths = self.choice().paths;
        let lacks = paths.iter().any(|path| !held.paths.contains(path));
        !held.paths.is_empty() && (lacks || paths.is_empty())
    }

    /// Documents that are still to be asked.
    pub fn left(&self) -> u64 {
        let held = self
            .at_hand
            .as_ref()
            .map_or(0, |held| if self.is_anew() { held.whole } else { held.meter.entries });
        self.documents - held.min(self.documents)
    }

    fn estimate(&self) -> Estimate {
        self.field.estimate(self.left(), &self.allowance)
    }

    pub fn on_key(&mut self, chord: Chord) -> KeyEffect {
        if self.properties.on_key(chord) {
            return KeyEffect::Taken;
        }
        match chord.code {
            Code::Char('+' | '=') | Code::Up => self.step(true),
            Code::Char('-') | Code::Down => self.step(false),
            Code::Char('>') => self.step_whole(true),
            Code::Char('<') => self.step_whole(false),
            Code::Char('p') => self.properties.open(),
            Code::Enter => return KeyEffect::Begin,
            _ => return KeyEffect::Other,
        }
        KeyEffect::Taken
    }

    pub fn on_paste(&mut self, text: &str) -> bool {
        self.properties.on_paste(text)
    }

    fn step(&mut self, up: bool) {
        let held = self.at_hand.as_ref().map_or(0, |held| held.meter.entries);
        self.documents = Estimate::stepped(self.documents, up).max(held);
    }

    fn step_whole(&mut self, up: bool) {
        let below = |step: &&u64| **step < self.documents;
        let now = self.whole.filter(|whole| *whole < self.documents);
        let mut steps = WHOLE_STEPS.iter().filter(below);
        self.whole = match now {
            None if up => None,
            None => steps.next_back().copied(),
            Some(now) if up => steps.find(|step| **step > now).copied(),
            Some(now) => steps.rfind(|step| **step < now).copied().or(Some(now)),
        };
    }

    /// The rows: a name, and what belongs to it.
    fn rows(&self) -> Vec<(&'static str, String)> {
        let made = self.estimate();
        let partitions = match made.partitions {
            1 => "1 physical partition".to_owned(),
            n => format!("{} physical partitions", count_text(n as u64)),
        };
        let mut rows =
            vec![("documents", format!("{} from {partitions}", count_text(self.documents)))];
        if let Some(held) = &self.at_hand {
            rows.push(("are there", self.held_words(held)));
            if held.meter.is_unwindowed {
                let from = "the start of each partition only: the service reads no parts of one";
                rows.push(("from", from.to_owned()));
            }
            if let Some(times) = held.meter.costs_times {
                let (times, what) = (whole_text(times), "fewer and larger ones are read");
                rows.push(("windows", format!("cost {times} times what was planned: {what}")));
            }
        }
        rows.extend(self.choice_rows());
        let most = match self.choice().paths.len() {
            0 => "",
            _ => " at most: few properties may cost less",
        };
        let (takes, rate) = (span(made.seconds), amount(made.ru_per_second));
        let share = self.share_of_ru(&made);
        rows.extend([
            ("cost", format!("about {} RU{most}", whole_text(made.ru))),
            ("take", format!("about {takes} at {rate} RU/s{share}")),
            ("budget", format!("{} RU, then it waits for a yes", amount(self.allowance.budget_ru))),
        ]);
        if real(self.documents) > 0.0
            && let Some(hottest) = self.field.hottest()
        {
            rows.push(("last", format!("partition {}, the hottest", visible(hottest))));
        }
        rows
    }

    fn held_words(&self, held: &SampleAtHand) -> String {
        let all = count_text(held.meter.entries);
        if held.paths.is_empty() {
            return all;
        }
        let whole = count_text(held.whole);
        if self.is_anew() {
            return format!("{all}, {whole} whole; the others are read again for other properties");
        }
        format!("{all}, {whole} whole")
    }

    fn choice_rows(&self) -> Vec<(&'static str, String)> {
        let choice = self.choice();
        if choice.paths.is_empty() {
            return vec![("whole", "all: every property, and what each weighs".to_owned())];
        }
        let names: Vec<String> =
            choice.paths.iter().map(|path| visible(&path.to_string()).into_owned()).collect();
        vec![
            (
                "whole",
                format!(
                    "{} of them tell sizes and which properties there are",
                    count_text(choice.whole)
                ),
            ),
            ("others", format!("only {}", names.join(" "))),
        ]
    }

    fn share_of_ru(&self, made: &Estimate) -> String {
        match self.field.provisioned {
            _ if self.allowance.rate_ru.is_some() => String::new(),
            Some(ru) => {
                let share = made.ru_per_second / ru.max(1.0);
                let share = percent_text(share);
                format!(", {share} of {} RU/s", amount(ru))
            }
            None => ", since it is not known what is provisioned".to_owned(),
        }
    }

    fn lead(&self) -> String {
        match &self.at_hand {
            None => {
                "No documents yet. A sample reads some from every physical partition, to try keys on."
                    .to_owned()
            }
            Some(held) => format!(
                "{} RU spent. Enter allows {} more.",
                whole_text(held.meter.spent_ru),
                amount(self.allowance.budget_ru)
            ),
        }
    }

    fn ways(&self) -> &'static str {
        if let Some(ways) = self.properties.ways() {
            return ways;
        }
        match self.at_hand {
            None => "Enter begins, + - number, < > whole, p properties, Esc leaves it",
            Some(_) => "Enter goes on, + - number, < > whole, p properties, Esc leaves it",
        }
    }
}

const MANNERS: &str = "It only reads, with low priority, one page of a partition at a time, and rests 60 s after two \
                       refusals in a row (429).";

pub fn draw_dialog(cx: &Cx, dialog: &Dialog, body: Rect, buffer: &mut Buffer) {
    let theme = &cx.theme;
    let width = body.width.min(WIDEST);
    let inside = width.saturating_sub(4).max(1);
    let wrapped = |text: &str, width: u16| text::wrapped(text, width.max(1).into(), theme.glyphs);
    let lead = wrapped(&dialog.lead(), inside);
    let manners = wrapped(MANNERS, inside);
    let mut lines: Vec<(&str, String)> = Vec::new();
    for (name, text) in dialog.rows() {
        let text = theme.glyphs.sentence(&text).into_owned();
        let pieces = wrapped(&text, inside.saturating_sub(NAMED + 1));
        for (at, piece) in pieces.into_iter().enumerate() {
            lines.push((if at == 0 { name } else { "" }, piece));
        }
    }
    let is_open = dialog.properties.is_open();
    let height = if is_open {
        usize::from(body.height)
    } else {
        lead.len() + lines.len() + manners.len() + 4
    };
    let height = u16::try_from(height).unwrap_or(u16::MAX).min(body.height);
    let frame = Rect {
        y: body.y + (body.height - height) / 2,
        height,
        ..text::column(body, (body.width - width) / 2, width)
    };
    text::clear(buffer, frame);
    let title = if is_open {
        "properties of the documents that are not whole"
    } else {
        "sample of documents"
    };
    let panel = Panel::new(title).footer(dialog.ways()).focus(Focus::Here);
    panel.draw(buffer, frame, theme);
    let room = text::column(Panel::inner(frame), 1, inside);
    if is_open {
        return properties::draw(&dialog.properties, room, buffer, theme);
    }
    let mut at = 0;
    let mut line = |spans: &[Span<'_>], indent: u16| {
        let row = text::row(room, at);
        let rest = text::column(row, indent, row.width.saturating_sub(indent));
        text::left(buffer, rest, spans, theme);
        at += 1;
    };
    for text in lead {
        line(&[Span::styled(text, theme.text)], 0);
    }
    line(&[], 0);
    for (name, text) in lines {
        let padded = format!("{name:<width$}", width = usize::from(NAMED) - 2);
        let spans = [Span::styled(padded, theme.dim), Span::styled(text, theme.text)];
        line(&spans, 2);
    }
    line(&[], 0);
    for text in manners {
        line(&[Span::styled(text, theme.dim)], 0);
    }
}
