//! The logical partitions that a candidate makes against what one of them may hold, and how many there are of each size.

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::Span;

use super::pane::{self, name};
use crate::analysis::ceiling::Mark;
use crate::analysis::growth::LimitDate;

use crate::analysis::trial::logged::TrialBasis;
use crate::analysis::trial::{ForecastReason, Settings, TopKey, Trial};
use crate::model::key::Part;
use crate::model::units::{counted, figure_text, kib_text, percent_range_text, percent_text, real};
use crate::report::limit_date_words;
use crate::ui::kit::bar::{bar, plain_bar};
use crate::ui::kit::chart::{HistogramRow, histogram};
use crate::ui::kit::masking::Mask;
use crate::ui::kit::panel::Focus;
use crate::ui::kit::table::{Align, ColumnSpec, TableColumn, fit, headings};
use crate::ui::kit::theme::Theme;
use crate::ui::kit::{key, sign, text};

/// Of keys that were drawn `n` times without being seen once, none has more than this many in `n`, with 95 %.
const UNSEEN_IN_N: f64 = 3.0;
/// Rows of keys that stay when the classes of size take the rest.
const LEAST_KEYS: u16 = 4;
const MOST_KEY: u16 = 48;
/// With fewer rows the classes say too little.
const LEAST_CLASSES: u16 = 3;

/// One of the largest keys; all of it is visible text, but for the key's own JSON.
#[derive(Clone, PartialEq, Debug)]
struct Row {
    json: Box<str>,
    of_ceiling: f64,
    /// Of the documents that the largest has.
    of_largest: f64,
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
    /// That of the documents at hand: the limit is for the container.
    is_size_assumed: bool,
    rows: Vec<Row>,
    /// What is said where there is no row.
    without_keys: &'static str,
    /// What is to be known of all other keys, the weightiest first.
    notes: Vec<String>,
    /// The largest first.
    classes: Vec<Class>,
}

impl SizesPanel {
    pub fn rows(&self) -> usize {
        self.rows.len()
    }

    /// Rows that it fills at most: a heading, names of columns and a blank row are among them.
    pub fn most_rows(&self) -> u16 {
        let rows = self.rows.len() + self.notes.len() + self.classes.len() + 3;
        u16::try_from(rows).unwrap_or(u16::MAX)
    }
}

pub fn sizes_panel(trial: &Trial, settings: &Settings, mask: &Mask) -> SizesPanel {
    let ceiling = settings.ceiling;
    let classes = trial.sizes.iter().rev();
    let classes = classes.map(|class| Class {
        label: if class.from_kib > 0.0 {
            format!("from {}", kib_text(class.from_kib))
        } else {
            "below 1 KiB".to_owned()
        },
        keys: class.keys,
        mark: Mark::of(ceiling.share(class.from_kib)),
    });
    let is_size_assumed = trial.whole.is_assumed;
    // Logged sizes, which other views show, are not quite the same.
    let is_sampled = trial.whole.is_sample && trial.basis == TrialBasis::Documents;
    let of = if is_sampled { " by sample" } else { "" };
    let [largest, of_ceiling] = [trial.largest_text(), trial.largest_share_text()];
    SizesPanel {
        title: format!("sizes of {}{of}", name(trial)),
        aside: match trial.top.first().filter(|_| is_size_assumed) {
            Some(top) => format!("largest {} of the documents", percent_text(top.share.share)),
            None => format!("largest {largest}, {of_ceiling}"),
        },
        is_size_assumed,
        of_ceiling: format!("of {}", ceiling.name()),
        rows: trial.top.iter().map(|top| row(trial, settings, top, mask)).collect(),
        without_keys: match trial.ahead.because {
            ForecastReason::OneEach => "Each document is a key of its own: none grows beyond 2 MB.",
            _ => "There are no documents, and so no keys.",
        },
        notes: notes(trial),
        classes: classes.collect(),
    }
}

fn row(trial: &Trial, settings: &Settings, top: &TopKey, mask: &Mask) -> Row {
    let [low, high] = top.share.interval;
    let of_ceiling = settings.ceiling.share(top.bytes / 1024.0);
    let most = trial.top.first().map_or(0.0, |first| first.share.share);
    Row {
        of_largest: top.share.share / most.max(f64::MIN_POSITIVE),
        json: mask.key(&top.key.json()),
        of_ceiling,
        size: top.size_text(),
        percent: percent_text(of_ceiling),
        documents: match trial.basis {
            TrialBasis::Documents => figure_text(top.documents),
            TrialBasis::Statistics { .. } => "–".to_owned(),
        },
        share: percent_text(top.share.share),
        interval: if trial.whole.is_sample {
            percent_range_text(low, high)
        } else {
            "exact".to_owned()
        },
    }
}

fn notes(trial: &Trial) -> Vec<String> {
    let whole = &trial.whole;
    let mut notes = Vec::new();
    let others = trial.distinct.seen.saturating_sub(trial.top.len() as u64);
    if let (Some(least), true) = (trial.top.last(), others > 0) {
        let keys = counted(others, "other key", "other keys");
        let each = if others == 1 { "it has" } else { "each has" };
        let size = least.size_text();
        notes.push(format!("{keys}: {each} at most {size}"));
    } else if !trial.top.is_empty() && !whole.is_sample && trial.basis == TrialBasis::Documents {
        notes.push("there are no other keys".to_owned());
    }
    let has_none = |top: &TopKey| top.key.parts().contains(&Part::Undefined);
    if trial.top.iter().any(has_none) {
        notes.push("no value: the document has no such property".to_owned());
    }
    if trial.basis != TrialBasis::Documents {
        notes.push("from logs, which list large keys: others are smaller, not reported".to_owned());
    }
    if whole.is_sample && whole.looked_at > 0 && trial.basis == TrialBasis::Documents {
        let most = (UNSEEN_IN_N / real(whole.looked_at)).min(1.0);
        notes.push(format!(
            "keys not in the sample: each at most {} of the documents, with 95 %",
            percent_text(most).replace('<', "")
        ));
    }
    notes.extend(whole.weighed_sentence());
    notes.extend(full(trial));
    notes
}

/// When the first key is full, by date and by what is stored then.
fn full(trial: &Trial) -> Option<String> {
    let stored = trial.stored_when_full();
    let stored = stored.map(|bytes| format!("{} in all", kib_text(bytes / 1024.0)));
    let ahead = &trial.ahead;
    match (ahead.limit_date, stored) {
        (LimitDate::Over, _) => Some("the largest is over the limit: writes to it fail".to_owned()),
        (LimitDate::Date { .. }, stored) => {
            let date = limit_date_words(&ahead.limit_date, ahead.as_of);
            let limit = trial.ceiling.name();
            if date.contains('>') {
                return Some(format!("no key reaches {limit} within 20 years"));
            }
            let stored = stored.map_or_else(String::new, |stored| format!(", or with {stored}"));
            Some(format!("the first key reaches {limit} {date}{stored}"))
        }
        (LimitDate::Never | LimitDate::Unknown, Some(stored)) => {
            Some(format!("the largest reaches the limit with {stored}, in these proportions"))
        }
        (LimitDate::Never, None) => Some("no key is on its way to the limit".to_owned()),
        (LimitDate::Unknown, None) if trial.largest_is_idle() => {
            Some("the largest gets no documents any more".to_owned())
        }
        (LimitDate::Unknown, None) => None,
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Column {
    Key,
    Documents,
    Share,
    Interval,
    Size,
    OfCeiling,
    OfLargest,
    Percent,
}

/// Keys take what they need of what is left over, then the bars.
fn columns(width: u16, made: &SizesPanel) -> Vec<TableColumn<Column>> {
    let longest = made.rows.iter().map(|row| row.json.len()).max();
    let key = u16::try_from(longest.unwrap_or(0)).unwrap_or(u16::MAX);
    let specs = [
        ColumnSpec::new(Column::Key, "largest keys", 16, key.clamp(16, MOST_KEY), 0, Align::Left),
        ColumnSpec::new(Column::Documents, "documents", 11, 11, 5, Align::Right),
        ColumnSpec::new(Column::Share, "of docs", 7, 7, 4, Align::Right),
        ColumnSpec::new(Column::Interval, "with 95 %", 16, 16, 6, Align::Right),
        ColumnSpec::new(Column::Size, "size", 9, 9, 2, Align::Right),
        ColumnSpec::new(Column::OfCeiling, "", 10, u16::MAX, 3, Align::Left),
        ColumnSpec::new(Column::Percent, "", 7, 7, 1, Align::Right),
        ColumnSpec::new(Column::OfLargest, "", 10, u16::MAX, 3, Align::Left),
    ];
    let is_shown = |spec: &ColumnSpec<Column>| match spec.id {
        Column::OfLargest => made.is_size_assumed,
        Column::OfCeiling | Column::Percent => !made.is_size_assumed,
        _ => true,
    };
    let specs: Vec<_> = specs.into_iter().filter(is_shown).collect();
    fit(&specs, 0, width)
}

/// Rows of the panel: headings, keys, notes, classes.
fn parts(inner: Rect, made: &SizesPanel) -> [Rect; 4] {
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
    let rows = [headings, keys, notes, blank, classes].map(Constraint::Length);
    let [headings, keys, notes, _, classes] = Layout::vertical(rows).areas(inner);
    [headings, keys, notes, classes]
}

/// How many keys are seen at once.
pub fn seen(area: Rect, made: &SizesPanel) -> usize {
    let [_, keys, ..] = parts(pane::inside(area), made);
    keys.height.into()
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
    let [head, list, below, foot] = parts(inner, made);
    if made.rows.is_empty() {
        text::paragraph(buffer, list, made.without_keys, theme.dim, theme);
        return;
    }
    let columns = columns(inner.width, made);
    let name = |column: &TableColumn<Column>| match column.id {
        Column::OfCeiling => &made.of_ceiling,
        _ => column.heading,
    };
    headings(buffer, head, &columns, name, None, theme);
    let width = columns.first().map_or(0, |column| column.width);
    let rows = made.rows.iter().skip(first);
    let rows: Vec<&Row> = rows.take(list.height.into()).collect();
    let keys = rows.iter().map(|row| (Some(&*row.json), width));
    let keys = key::column(keys, theme.text, theme);
    for ((row, key), index) in rows.into_iter().zip(&keys).zip(0..) {
        let line = text::row(list, index);
        for column in &columns {
            draw_cell(buffer, line, *column, (row, key), theme);
        }
    }
    let side = pane::with_side(list).intersection(area);
    sign::scroll(buffer, side, first, made.rows.len(), theme);
    for (note, index) in made.notes.iter().zip(0..below.height) {
        let note = [Span::styled(theme.glyphs.sentence(note), theme.dim)];
        text::left(buffer, text::row(below, index), &note, theme);
    }
    let buckets: Vec<HistogramRow> = made
        .classes
        .iter()
        .map(|class| HistogramRow { label: &class.label, count: class.keys, mark: class.mark })
        .collect();
    histogram(buffer, foot, &buckets, theme);
}

fn draw_cell(
    buffer: &mut Buffer,
    line: Rect,
    column: TableColumn<Column>,
    (row, key): (&Row, &[Span]),
    theme: &Theme,
) {
    let room = column.area(line);
    let (words, style) = match column.id {
        Column::Key => return column.cell(buffer, line, key, theme),
        Column::OfCeiling => return bar(buffer, room, row.of_ceiling, theme),
        Column::OfLargest => {
            return plain_bar(buffer, room, row.of_largest, theme.sparkline, theme);
        }
        Column::Percent => {
            let mark = Mark::of(row.of_ceiling);
            let percent = Span::styled(row.percent.as_str(), theme.mark(mark));
            return column.cell(buffer, line, &[sign::mark_sign(mark, theme), percent], theme);
        }
        Column::Documents => (&row.documents, theme.text),
        Column::Share => (&row.share, theme.text),
        Column::Interval => (&row.interval, theme.dim),
        Column::Size => (&row.size, theme.text),
    };
    column.words(buffer, line, words, style, theme);
}

#[cfg(test)]
mod tests;
