//! The logical partitions that a candidate makes against what one of them may hold, and how many there are of each size.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Span;

use super::pane::{self, name};
use crate::analysis::ceiling::{Mark, Reading};
use crate::analysis::growth::LimitDate;
use crate::analysis::trial::logged::TrialBasis;
use crate::analysis::trial::{Settings, TopKey, Trial};
use crate::model::units::{counted, figure_text, kib_text, percent_text, ratio_text, tenths_text};
use crate::report::limit_date_text;
use crate::ui::kit::bar::bar;
use crate::ui::kit::chart::{HistogramRow, histogram};
use crate::ui::kit::masking::Mask;
use crate::ui::kit::panel::Focus;
use crate::ui::kit::theme::Theme;
use crate::ui::kit::{key, sign, text};

/// Of keys that were drawn `n` times without being seen once, none has more than this many in `n`, with 95 %.
const UNSEEN_IN_N: f64 = 3.0;
/// Rows of keys that stay when the classes of size take the rest.
const LEAST_KEYS: u16 = 4;
/// With fewer rows the classes say too little.
const LEAST_CLASSES: u16 = 3;

/// One of the largest keys; all of it is visible text, but for the key's own JSON.
#[derive(Clone, PartialEq, Debug)]
struct Row {
    json: Box<str>,
    of_ceiling: f64,
    size: String,
    percent: String,
    documents: String,
    share: String,
    interval: String,
}

#[derive(Clone, PartialEq, Debug)]
struct Class {
    label: String,
    keys: u64,
    mark: Mark,
}

/// Everything that the panel shows.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct SizesPanel {
    title: String,
    aside: String,
    of_ceiling: String,
    rows: Vec<Row>,
    /// What is to be known of all other keys, the weightiest first.
    notes: Vec<String>,
    /// The largest first.
    classes: Vec<Class>,
}

impl SizesPanel {
    pub fn rows(&self) -> usize {
        self.rows.len()
    }
}

pub fn sizes_panel(trial: &Trial, settings: &Settings, mask: &Mask) -> SizesPanel {
    let ceiling = settings.ceiling;
    let classes = trial.sizes.classes.iter().rev();
    let classes = classes.map(|class| Class {
        label: if class.from_kib > 0.0 {
            format!("from {}", kib_text(class.from_kib))
        } else {
            "below 1 KiB".to_owned()
        },
        keys: class.keys,
        mark: Mark::of(ceiling.share(class.from_kib)),
    });
    let [largest, of_ceiling] = [trial.largest_text(), trial.largest_share_text()];
    SizesPanel {
        title: format!("sizes of {}", name(trial)),
        aside: format!("largest {largest}, {of_ceiling}"),
        of_ceiling: match ceiling.reading() {
            Reading::Binary | Reading::Decimal => "of 20 GB".to_owned(),
            Reading::Given => format!("of {}", kib_text(ceiling.bytes() / 1024.0)),
        },
        rows: trial
            .top
            .iter()
            .map(|top| row(trial, settings, top, mask))
            .collect(),
        notes: notes(trial, settings),
        classes: classes.collect(),
    }
}

fn row(trial: &Trial, settings: &Settings, top: &TopKey, mask: &Mask) -> Row {
    let [low, high] = top.share.interval;
    let of_ceiling = settings.ceiling.share(top.bytes / 1024.0);
    Row {
        json: mask.key(&top.key.json()),
        of_ceiling,
        size: kib_text(top.bytes / 1024.0),
        percent: percent_text(of_ceiling),
        documents: figure_text(top.documents),
        share: percent_text(top.share.share),
        interval: if trial.whole.is_sample {
            format!("{} to {}", tenths_text(low * 100.0), percent_text(high))
        } else {
            "exact".to_owned()
        },
    }
}

fn notes(trial: &Trial, settings: &Settings) -> Vec<String> {
    let whole = &trial.whole;
    let mut notes = Vec::new();
    let others = trial.distinct.seen.saturating_sub(trial.top.len() as u64);
    if let (Some(least), true) = (trial.top.last(), others > 0) {
        let keys = counted(others, "other key", "other keys");
        let each = if others == 1 { "it has" } else { "each has" };
        let size = kib_text(least.bytes / 1024.0);
        notes.push(format!("{keys}: {each} at most {size}"));
    } else if !trial.top.is_empty() && !whole.is_sample && trial.basis == TrialBasis::Documents {
        notes.push("there are no other keys".to_owned());
    }
    if trial.basis != TrialBasis::Documents {
        notes.push("from logs, which list large keys: others are smaller, not reported".to_owned());
    }
    if whole.is_sample && whole.looked_at > 0 && trial.basis == TrialBasis::Documents {
        #[expect(clippy::cast_precision_loss, reason = "a count of documents")]
        let most = (UNSEEN_IN_N / whole.looked_at as f64).min(1.0);
        let sampled = counted(whole.looked_at, "document", "documents");
        notes.push(format!(
            "keys not in the sample of {sampled}: each under {} % of the documents, with 95 %",
            ratio_text(most * 100.0)
        ));
    }
    notes.extend(whole.weighed_sentence());
    notes.extend(full(trial, settings));
    notes
}

/// When the first key is full, by date and by what is stored then.
fn full(trial: &Trial, settings: &Settings) -> Option<String> {
    let stored = trial.stored_when_full(settings);
    let stored = stored.map(|bytes| format!("{} stored in all", kib_text(bytes / 1024.0)));
    let ahead = &trial.ahead;
    match (ahead.limit_date, stored) {
        (LimitDate::Over, _) => Some("the largest is over the limit: writes to it fail".to_owned()),
        (LimitDate::Date { .. }, stored) => {
            let date = limit_date_text(&ahead.limit_date, ahead.as_of);
            if date.starts_with('>') {
                return Some("no key reaches 20 GB within 20 years".to_owned());
            }
            let stored = stored.map_or_else(String::new, |stored| format!(", or with {stored}"));
            Some(format!("the first key reaches 20 GB on {date}{stored}"))
        }
        (LimitDate::Never | LimitDate::Unknown, Some(stored)) => Some(format!(
            "the largest reaches the limit with {stored}, in these proportions"
        )),
        (LimitDate::Never, None) => Some("no key is on its way to the limit".to_owned()),
        (LimitDate::Unknown, None) if !trial.largest_grows => {
            Some("the largest gets no documents any more".to_owned())
        }
        (LimitDate::Unknown, None) => None,
    }
}

/// The columns of a row.
#[derive(Clone, Copy, Debug)]
struct Widths([u16; 7]);

impl Widths {
    fn of(width: u16) -> Self {
        let documents = pane::from(width, 84, 13);
        let share = pane::from(width, 54, 9);
        let interval = pane::from(width, 104, 17);
        let size = pane::from(width, 32, 12);
        let percent = pane::from(width, 20, 9);
        let bar = pane::from(width, 38, 10) + pane::from(width, 66, 4) + pane::from(width, 120, 12);
        let rest = documents + share + interval + size + percent + bar;
        let key = width.saturating_sub(rest);
        Self([key, documents, share, interval, size, bar, percent])
    }
}

/// Rows of the panel: headings, keys, notes, classes.
#[derive(Clone, Copy, Debug)]
struct Parts {
    headings: Rect,
    keys: Rect,
    notes: Rect,
    classes: Rect,
}

fn parts(inner: Rect, made: &SizesPanel) -> Parts {
    let length = |n: usize| u16::try_from(n).unwrap_or(u16::MAX);
    let headings = u16::from(inner.height >= 3);
    let rest = inner.height - headings;
    let keys_wanted = length(made.rows.len()).max(1);
    let notes = length(made.notes.len()).min(rest.saturating_sub(1) / 3);
    let rest = rest - notes;
    // A blank row before the classes.
    let classes_wanted = length(made.classes.len()).saturating_add(1);
    let spare = rest.saturating_sub(keys_wanted.min(LEAST_KEYS.max(rest / 2)));
    let classes = match classes_wanted.min(spare) {
        rows if rows > LEAST_CLASSES.min(classes_wanted - 1) => rows,
        _ => 0,
    };
    let keys = (rest - classes).min(keys_wanted);
    let (blank, classes) = (classes.min(1), classes.saturating_sub(1));
    let [headings, keys, notes, _, classes] =
        pane::rows(inner, [headings, keys, notes, blank, classes]);
    Parts {
        headings,
        keys,
        notes,
        classes,
    }
}

/// How many keys are seen at once.
pub fn seen(area: Rect, made: &SizesPanel) -> usize {
    parts(pane::inside(area), made).keys.height.into()
}

/// ```text
/// ─ sizes of /deviceId ─────────────────────── largest 21.60 GiB, 108.0 % ─
///                       of docs        size               of 20 GB
/// car-7                   4.2 %   21.60 GiB ███████████████▶  108.0 %
/// 204 other keys: each has at most 1.20 GiB
///
/// from 16 GiB ▏                                                       1
/// ```
pub fn draw(
    buffer: &mut Buffer,
    area: Rect,
    made: &SizesPanel,
    first: usize,
    focus: Focus,
    theme: &Theme,
) {
    let inner = pane::draw(buffer, area, (&made.title, &made.aside), focus, theme);
    let parts = parts(inner, made);
    let widths = Widths::of(inner.width);
    if made.rows.is_empty() {
        let words = "There are no documents, and so no keys.";
        text::paragraph(buffer, parts.keys, words, theme.dim, theme);
        return;
    }
    headings(buffer, parts.headings, made, widths, theme);
    let [columns, ..] = widths.0;
    let rows = made.rows.iter().skip(first);
    let rows: Vec<&Row> = rows.take(parts.keys.height.into()).collect();
    let keys = rows.iter().map(|row| (Some(&*row.json), columns));
    let keys = key::column(keys, theme.text, theme);
    for ((row, key), index) in rows.into_iter().zip(&keys).zip(0..) {
        let line = text::row(parts.keys, index);
        draw_row(buffer, line, row, key, widths, theme);
    }
    let side = pane::with_side(parts.keys).intersection(area);
    sign::scroll(buffer, side, first, made.rows.len(), theme);
    for (note, index) in made.notes.iter().zip(0..parts.notes.height) {
        pane::left(
            buffer,
            text::row(parts.notes, index),
            note,
            theme.dim,
            theme,
        );
    }
    let buckets: Vec<HistogramRow> = made
        .classes
        .iter()
        .map(|class| HistogramRow {
            label: &class.label,
            count: class.keys,
            mark: class.mark,
        })
        .collect();
    histogram(buffer, parts.classes, &buckets, theme);
}

fn headings(buffer: &mut Buffer, line: Rect, made: &SizesPanel, widths: Widths, theme: &Theme) {
    let [key, documents, share, interval, size, _, _] = pane::columns(line, widths.0);
    let words = if key.width > 12 {
        "largest keys"
    } else {
        "key"
    };
    pane::left(buffer, key, words, theme.dim, theme);
    for (room, words) in [
        (documents, "documents"),
        (share, "of docs"),
        (interval, "with 95 %"),
        (size, "size"),
    ] {
        pane::right(buffer, room, words, theme.dim, theme);
    }
    let [.., bar, percent] = widths.0;
    let both = text::column(
        line,
        line.width.saturating_sub(bar + percent),
        bar + percent,
    );
    pane::right(buffer, both, &made.of_ceiling, theme.dim, theme);
}

fn draw_row(
    buffer: &mut Buffer,
    line: Rect,
    row: &Row,
    key: &[Span],
    widths: Widths,
    theme: &Theme,
) {
    let [
        key_room,
        documents,
        share,
        interval,
        size,
        of_ceiling,
        percent,
    ] = pane::columns(line, widths.0);
    text::left(buffer, key_room, key, theme);
    pane::right(buffer, documents, &row.documents, theme.text, theme);
    pane::right(buffer, share, &row.share, theme.text, theme);
    pane::right(buffer, interval, &row.interval, theme.dim, theme);
    pane::right(buffer, size, &row.size, theme.text, theme);
    let room = text::column(of_ceiling, 1, of_ceiling.width.saturating_sub(1));
    bar(buffer, room, row.of_ceiling, theme);
    let mark = Mark::of(row.of_ceiling);
    let words = [
        sign::mark_sign(mark, theme),
        Span::styled(row.percent.as_str(), theme.mark(mark)),
    ];
    text::right(buffer, percent, &words, theme);
}

/// For the clipboard: the keys that are shown, one a line.
pub fn text_of(made: &SizesPanel) -> Vec<String> {
    let line = |row: &Row| {
        let key = crate::report::key_text::key_text(Some(&row.json));
        format!(
            "{key}  {}  {} {}  {} documents, {}",
            row.size, row.percent, made.of_ceiling, row.documents, row.share
        )
    };
    let rows = made.rows.iter().map(line);
    let notes = made.notes.iter().cloned();
    std::iter::once(made.title.clone())
        .chain(rows)
        .chain(notes)
        .collect()
}

#[cfg(test)]
mod tests;
