//! What is known of the chosen container, in lines: its card, its keys, its hottest partition, facts and notes.

use std::fmt::Write as _;

use ratatui::text::Span;

use super::evidence;
use super::rows::{Row, sentences};
use super::trends::{self, HeatStrips, KeyTrends, LEAST_KEYS, LEAST_STRIP_ROWS, Multiples};
use crate::analysis::heat::ContainerHeat;
use crate::analysis::provisioning::RuOwner;
use crate::model::account::{Account, Setting};
use crate::model::capture::Container;
use crate::model::key::{KeyKind, KeyVersion};
use crate::model::physical::Usage;
use crate::model::units::{
    PHYSICAL_CEILING_KIB, count_text, counted, figure_text, kib_text, percent_text, sum_of_known,
};
use crate::model::visible::visible;
use crate::report::visible_once;
use crate::ui::kit::card::{self, Card};
use crate::ui::kit::cx::Cx;
use crate::ui::kit::text;
use crate::ui::kit::theme::Theme;
use crate::work::data::Dataset;

pub(super) type Line = Vec<Span<'static>>;

/// Rows that the card leaves to the keys where there is little room.
const ROWS_OF_KEYS: usize = LEAST_KEYS + 3;
const NOTES: usize = 20;
/// Header and statistics are taken at different moments: a twentieth apart is no contradiction.
const USAGE_TOLERANCE: u64 = 20;
/// From this width on the pane has two columns, with this gap.
const TWO_COLUMNS: usize = 132;
const GAP: usize = 3;

/// The lines of the pane in one column or in two.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Pane {
    pub columns: Vec<Vec<Line>>,
    /// Of each column.
    pub width: usize,
}

impl Pane {
    pub fn height(&self) -> usize {
        self.columns.iter().map(Vec::len).max().unwrap_or(0)
    }

    /// Columns from the left edge of one column to that of the next.
    pub fn step(&self) -> usize {
        self.width + GAP
    }
}

struct Page<'t> {
    theme: &'t Theme,
    width: usize,
    lines: Vec<Line>,
}

impl Page<'_> {
    fn heading(&mut self, words: &str) {
        if !self.lines.is_empty() {
            self.lines.push(Line::new());
        }
        self.lines.push(vec![Span::styled(words.to_owned(), self.theme.title)]);
    }

    fn say(&mut self, words: &str) {
        for line in text::wrapped(words, self.width, self.theme.glyphs) {
            self.lines.push(text::coded(&line, self.theme.text, self.theme));
        }
    }

    fn more(&mut self, lines: Vec<Line>) {
        if !lines.is_empty() && !self.lines.is_empty() {
            self.lines.push(Line::new());
        }
        self.lines.extend(lines);
    }

    /// The keys and the load over time, as much of each as fits.
    fn keys_and_heat(
        &mut self,
        cx: &Cx,
        row: &Row,
        keys: &KeyTrends,
        heat: Option<HeatStrips<'_>>,
        rows: usize,
    ) {
        // The two headings of the keys.
        let room = rows.saturating_sub(2);
        let for_heat = heat.as_ref().map_or(0, |heat| {
            let spare = room.saturating_sub(keys.len().min(room / 2) + 1);
            heat.most_rows().min(spare).max(LEAST_STRIP_ROWS)
        });
        let gap = usize::from(heat.is_some());
        let shown = Multiples::of(keys.len(), room.saturating_sub(for_heat + gap) + 1);
        let logged = cx.data.as_ref().and_then(|d| d.heat.container(row.number));
        let is_logged = logged.is_some_and(|heat| !heat.keys.cells().is_empty());
        let by_ru = match shown.keys {
            0 if is_logged => "; 2 lists the keys of the RU log",
            _ => "",
        };
        self.heading(&(heading(shown.keys, row.keys) + by_ru));
        if shown.keys > 0 {
            let lines = trends::key_lines(cx, keys, shown, self.width);
            self.lines.extend(lines);
        }
        if let Some(heat) = heat {
            // A heading in the last row would have nothing under it.
            let is_last = self.lines.len() + 2 == rows;
            self.lines.extend(is_last.then(Line::new));
            self.more(heat.lines(cx, self.width, for_heat));
        }
    }

    /// The next dates, as many as these rows leave room for.
    fn dates(&mut self, cx: &Cx, row: &Row, keys: &KeyTrends, rows: usize) {
        let left = rows.saturating_sub(self.lines.len() + 2);
        let dates = keys.next_dates(cx, row, left);
        if !dates.is_empty() {
            self.heading(&format!("Next to reach {}", cx.ceiling.name()));
            self.lines.extend(dates);
        }
    }
}

/// The pane for a width and a height.
///
/// ```text
/// card        keys            card
///             and their       keys and their curves
/// facts       curves          load over time
///                             facts
/// load        next dates
/// ```
pub(super) fn pane(cx: &Cx, row: &Row, keys: &KeyTrends, width: usize, height: usize) -> Pane {
    let is_split = width >= TWO_COLUMNS;
    let width = if is_split { (width - GAP) / 2 } else { width };
    let page = || Page { theme: &cx.theme, width, lines: Vec::new() };
    let (mut what, mut load, mut about) = (page(), page(), page());
    // What is wrong with the container is nothing that this key has.
    if let Some((key, data)) = keys.found().zip(cx.data.as_ref()) {
        let sizes = evidence::size_lines(cx, data, key);
        let said = sizes.into_iter().chain(evidence::date_lines(cx, Some(key)));
        said.for_each(|line| what.say(&line));
        let rows = height.saturating_sub(what.lines.len() + 1);
        what.more(trends::key_lines(cx, keys, Multiples::of(1, rows), width));
        return Pane { columns: vec![what.lines], width };
    }
    container(cx, row, &mut about);
    let about = about.lines;
    if cx.veil.is_drawn() {
        what.lines = card_lines(cx, row, width, height);
        what.more(about);
        return Pane { columns: vec![what.lines], width };
    }
    let rest = if is_split { about.len() + 1 } else { ROWS_OF_KEYS };
    what.lines = card_lines(cx, row, width, height.saturating_sub(rest));
    let heat = HeatStrips::of(cx, row.number);
    if is_split {
        what.more(about);
        let left = height.saturating_sub(what.lines.len() + 1);
        let (below, right) = match heat {
            Some(heat) if keys.len() > 0 && left >= heat.good_rows() => (Some(heat), None),
            heat => (None, heat),
        };
        what.more(below.map_or_else(Vec::new, |heat| heat.lines(cx, width, left)));
        load.keys_and_heat(cx, row, keys, right, height);
        let shorter = if what.lines.len() < load.lines.len() { &mut what } else { &mut load };
        shorter.dates(cx, row, keys, height);
        return Pane { columns: vec![what.lines, load.lines], width };
    }
    let room = height.saturating_sub(what.lines.len() + 1);
    // Facts are scrolled to where keys and load would be cut for them.
    let with_facts = room.checked_sub(about.len() + 1);
    let with_facts = with_facts.filter(|room| *room >= 2 * ROWS_OF_KEYS);
    let room = with_facts.unwrap_or(room);
    load.keys_and_heat(cx, row, keys, heat, room);
    load.dates(cx, row, keys, room);
    what.more(load.lines);
    what.more(about);
    Pane { columns: vec![what.lines], width }
}

/// The verdict as a card; how the sizes stand where no rule finds anything.
fn card_lines(cx: &Cx, row: &Row, width: usize, height: usize) -> Vec<Line> {
    let data = cx.data.as_ref();
    let found = data.and_then(|data| data.diagnoses.container(row.number));
    let made = found.map(|found| Card::of(cx, found, width)).unwrap_or_default();
    let fitted = made.fitted(height.max(made.short().into()));
    let mut lines: Vec<Line> = fitted.iter().map(|line| card::spans(line, &cx.theme)).collect();
    if row.severity.is_none() {
        let said = data.map(|data| sentences(cx, data, row)).unwrap_or_default();
        let wrapped = said.iter().flat_map(|s| text::wrapped(s, width, cx.theme.glyphs));
        let wrapped = wrapped.map(|line| text::coded(&line, cx.theme.text, &cx.theme));
        lines.splice(0..0, wrapped);
    }
    lines
}

fn container(cx: &Cx, row: &Row, page: &mut Page<'_>) {
    let Some(data) = &cx.data else {
        return;
    };
    if let Some(container) = data.capture.container(row.number) {
        page.heading(&row.title);
        let account = data.capture.account_of(&container.name);
        facts(data, container, account, row, page);
    }
    let reported = row.at.and_then(|at| data.report.containers.get(at));
    let notes = reported.map_or(&[][..], |container| &container.notes);
    if !notes.is_empty() {
        page.heading("Notes");
    }
    for note in notes.iter().take(NOTES) {
        page.say(&visible_once(&cx.mask.text(&note.text)));
    }
}

fn heading(shown: usize, all: u64) -> String {
    match shown {
        0 => "No sizes of keys".to_owned(),
        n if n as u64 >= all => "Keys".to_owned(),
        1 => format!("The largest of {} keys", count_text(all)),
        n => format!("The {n} largest of {} keys", count_text(all)),
    }
}

fn facts(
    data: &Dataset,
    container: &Container,
    account: Option<&Account>,
    row: &Row,
    page: &mut Page<'_>,
) {
    let heat = data.heat.container(row.number);
    page.say(&match &container.definition {
        None => "partition key: not reported".to_owned(),
        Some(definition) => {
            // A path names a property, which masking leaves: it tells the design, not whose data it is.
            let paths: Vec<_> = definition.paths.iter().map(|path| visible(path)).collect();
            let kind = match definition.kind {
                KeyKind::Hash => "partition key",
                KeyKind::MultiHash => "hierarchical partition key",
            };
            let version = match definition.version {
                KeyVersion::V1 => "version 1",
                KeyVersion::V2 => "version 2",
            };
            format!("{kind} {} ({version})", paths.join(" > "))
        }
    });
    let whose = RuOwner::of(container, account);
    let by_partition = heat.and_then(|heat| heat.ru_per_second);
    page.say(&match (whose, by_partition) {
        (RuOwner::NotReported, Some(ru)) => {
            format!("throughput: {} RU/s, by its partitions", figure_text(ru))
        }
        _ => whose.sentence(),
    });
    let settings = account.into_iter().flat_map(Account::settings);
    for setting in settings.filter(|setting| setting.is_about_figures()) {
        // Said above, of the container.
        if setting != Setting::Serverless {
            let (what, so) = setting.words();
            page.say(&format!("{what}: {so}"));
        }
    }
    page.say(&partitions(container, heat));
    page.say(&row.size_words());
    if let Some(usage) = &container.usage {
        page.say(&usage_words(usage, container));
    }
    if let Some(at) = row.newest {
        page.say(&format!("newest sample {} UTC", at.minute_text()));
    } else if row.keys > 0 {
        page.say("newest sample: without a date");
    }
}

/// What the service says in its header of usage, and the statistics where they say otherwise.
fn usage_words(usage: &Usage, container: &Container) -> String {
    let partitions = container.partitions.iter();
    let held = sum_of_known(partitions.map(|p| p.documents));
    let held = held.filter(|_| !container.partitions.is_empty());
    let is_zero = usage.documents == Some(0) && usage.kib.is_none_or(|kib| kib <= 0.0);
    if let Some(held) = held.filter(|held| is_zero && *held > 0) {
        return format!(
            "the service's header of usage is all zeros, which is no figure: the statistics of its partitions count {}",
            count_text(held)
        );
    }
    let documents = usage.documents.map(|n| counted(n, "document", "documents"));
    let size = usage.kib.map(|kib| format!("{} (if it counts KB, as published)", kib_text(kib)));
    let reported: Vec<String> = documents.into_iter().chain(size).collect();
    let mut words = format!("the service's header of usage: {}", reported.join(", "));
    if let (Some(header), Some(held)) = (usage.documents, held)
        && header.abs_diff(held) > held / USAGE_TOLERANCE
    {
        let _ = write!(words, "; the statistics of its partitions count {}", count_text(held));
    }
    words
}

fn partitions(container: &Container, heat: Option<&ContainerHeat>) -> String {
    let logged = heat.and_then(ContainerHeat::physical_partitions);
    let count = match container.partitions.len() {
        0 => logged.unwrap_or(0),
        listed => listed,
    };
    if count == 0 {
        return "physical partitions: not reported".to_owned();
    }
    let noun = if count == 1 { "physical partition" } else { "physical partitions" };
    let largest = container.partitions.iter().filter_map(|p| p.kib);
    let largest = largest.reduce(f64::max).map(|kib| {
        let share = percent_text(kib / PHYSICAL_CEILING_KIB);
        format!(", the largest {}, {share} of 50 GB", kib_text(kib))
    });
    format!("{} {noun}{}", count_text(count as u64), largest.unwrap_or_default())
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;
    use crate::model::physical::PhysicalPartition;

    fn holding(documents: &[Option<u64>]) -> Container {
        let with = |documents: &Option<u64>| PhysicalPartition {
            documents: *documents,
            ..PhysicalPartition::default()
        };
        Container { partitions: documents.iter().map(with).collect(), ..Container::default() }
    }

    #[test]
    fn a_header_of_usage_is_told_beside_what_statistics_count() {
        let words = |header: &str, documents: &[Option<u64>]| {
            usage_words(&Usage::read(header).unwrap(), &holding(documents))
        };
        let header = "documentsCount=1000;collectionSize=735;";
        let reported = "the service's header of usage: 1,000 documents, 735 KiB (if it counts KB, as published)";
        assert_eq!(words(header, &[]), reported);
        assert_eq!(words(header, &[Some(500), Some(480)]), reported);
        // One partition without a count: nothing to compare with.
        assert_eq!(words(header, &[Some(500), None]), reported);
        let other = format!("{reported}; the statistics of its partitions count 4,000");
        assert_eq!(words(header, &[Some(500), Some(3500)]), other);
        let zeros = "documentsCount=0;collectionSize=0";
        assert_eq!(
            words(zeros, &[Some(9)]),
            "the service's header of usage is all zeros, which is no figure: the statistics of its partitions count 9"
        );
        assert!(words(zeros, &[Some(0)]).contains("usage: 0 documents, 0 KiB"));
        assert_eq!(
            words("documentsCount=1", &[Some(1)]),
            "the service's header of usage: 1 document"
        );
        assert!(
            words("collectionSize=0", &[Some(1)])
                .ends_with("0 KiB (if it counts KB, as published)")
        );
    }
}
