//! From captures to a report: the largest keys over all containers, exact counts, and what must be said about them.

mod room;

use std::collections::{BTreeSet, HashMap};

use crate::model::capture::{Capture, Grade, SourceInfo};
use crate::model::key::{KeyDefinition, KeyKind};
use crate::model::logical::KeyView;
use crate::model::names::ContainerName;
use crate::model::sample::SampleTime;
use crate::model::time::Stamp;
use crate::model::units::kib_text;

use super::ceiling::{Ceiling, MarkCounts};
use super::columns::Lookups;
use super::distribution::SizeCollector;
use super::growth::LimitDate;
use super::heat::ForbiddenRequests;
use super::outlook::{Current, current};
use super::places::Places;
use super::prefix::PrefixTotals;
use super::rows::{ContainerRows, KeyRow, Note, OTHER_KEYS, Report};
use super::select::{Candidate, Largest, Selection};
use super::skew::{Sizes, WholeOf};
use super::tally::RegionNames;
use super::usage::stored_kib;
use room::Room;

pub use room::NoRoom;

/// A container asked for by name, in one database or in any.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ContainerFilter(pub ContainerName);

impl ContainerFilter {
    /// `NAME`, `DATABASE/NAME` or `ACCOUNT/DATABASE/NAME`; no name can hold a slash.
    pub fn parse(text: &str) -> Self {
        let mut parts = text.rsplitn(3, '/');
        let [container, database, account] = std::array::from_fn(|_| parts.next());
        Self(ContainerName::new(account, database, container))
    }

    /// Of a container whose name is known.
    pub fn of_name(name: &ContainerName) -> Option<Self> {
        name.container.is_some().then(|| Self(name.clone()))
    }

    /// Whether one of them fits; where none is given each container is wanted.
    pub fn any_fits(filters: &[Self], name: &ContainerName) -> bool {
        filters.is_empty() || filters.iter().any(|filter| filter.fits(name))
    }

    pub fn fits(&self, name: &ContainerName) -> bool {
        let Self(wanted) = self;
        let own = name.account.as_deref();
        let is_own = |account: &str| own.is_some_and(|own| own.eq_ignore_ascii_case(account));
        wanted.container == name.container
            && (wanted.database.is_none() || wanted.database == name.database)
            && wanted.account.as_deref().is_none_or(is_own)
    }

    /// As it was typed.
    pub fn text(&self) -> String {
        self.0.option_text().unwrap_or_default()
    }
}

#[derive(Clone, PartialEq, Debug, Default)]
pub struct SummaryOptions {
    pub ceiling: Ceiling,
    pub selection: Selection,
    /// None given = every container.
    pub containers: Vec<ContainerFilter>,
    pub as_of: Option<Stamp>,
    /// Whether totals of hierarchical prefixes are wanted; they cost a look into every key.
    pub has_prefixes: bool,
    /// Whether it is wanted how the sizes of all keys are spread; that takes eight bytes a key.
    pub has_distributions: bool,
}

/// One container's counts, exact over all its keys.
#[derive(Debug, Default)]
struct Tally {
    name: ContainerName,
    definition: Option<KeyDefinition>,
    sizes: Sizes,
    /// Only where it is wanted.
    spread: Option<SizeCollector>,
    keys_total: u64,
    marks: MarkCounts,
    whole_kib: Option<f64>,
    prefixes: PrefixTotals,
    /// Some of its sizes are estimates of the service, which lists large keys only.
    from_statistics: bool,
    rows: Vec<KeyRow>,
}

/// Collects a report from the captures of one import: one, or one for each pass of a bounded one.
#[derive(Debug, Default)]
pub struct Summary {
    options: SummaryOptions,
    containers: Vec<Tally>,
    room: Room,
    numbers: HashMap<ContainerName, usize>,
    newest: SampleTime,
    sources: Vec<SourceInfo>,
    notes: BTreeSet<String>,
}

impl Summary {
    pub fn new(options: SummaryOptions) -> Self {
        Self { options, ..Self::default() }
    }

    /// As `absorb`, with at most so many bytes for the rows of all captures together. Rows beyond it are counted, not kept.
    pub fn absorb_within(&mut self, capture: &Capture, bytes: usize) -> Result<(), NoRoom> {
        self.room.bytes = Some(bytes);
        self.absorb(capture);
        self.room.check()
    }

    /// The memory of the rows kept.
    pub fn rows_bytes(&self) -> usize {
        self.room.used
    }

    /// Takes the keys of a capture; captures of one import hold different keys and may share containers.
    pub fn absorb(&mut self, capture: &Capture) {
        let numbers = self.absorb_containers(capture);
        self.sources.clone_from(&capture.sources);
        self.notes.extend(capture.notes.iter().cloned());
        match self.options.selection {
            Selection::Top(limit) => self.absorb_largest(capture, &numbers, limit),
            Selection::All => self.absorb_worth(capture, &numbers, None),
            Selection::Worth(share) => self.absorb_worth(capture, &numbers, Some(share)),
        }
    }

    pub fn finish(mut self) -> Report {
        let notes = self.notes();
        let as_of = self.options.as_of.or_else(|| self.newest.at());
        let flawed = |s: &SourceInfo| s.skipped > 0 || s.incomplete || s.refused.is_some();
        let is_cut_short = self.sources.iter().any(|s| s.incomplete);
        let tallies = std::mem::take(&mut self.containers);
        let mut containers: Vec<ContainerRows> = tallies
            .into_iter()
            .filter(|t| t.keys_total > 0 || t.definition.is_some() || t.whole_kib.is_some())
            .map(|t| container_rows(t, is_cut_short))
            .collect();
        containers.sort_by(ContainerRows::order);
        Report {
            as_of,
            ceiling: self.options.ceiling,
            containers,
            notes,
            is_partial: self.sources.iter().any(flawed),
            alarms: Vec::new(),
            has_load: false,
        }
    }

    /// The summary's number for each container of the capture; None where the filter leaves it out.
    fn absorb_containers(&mut self, capture: &Capture) -> Vec<Option<usize>> {
        let filters = &self.options.containers;
        let mut numbers = Vec::with_capacity(capture.containers.len());
        for (index, container) in (0_u32..).zip(&capture.containers) {
            if !ContainerFilter::any_fits(filters, &container.name) {
                numbers.push(None);
                continue;
            }
            let next = self.containers.len();
            let number = *self.numbers.entry(container.name.identity()).or_insert(next);
            if number == next {
                self.containers.push(Tally::default());
            }
            let Some(tally) = self.containers.get_mut(number) else { continue };
            tally.name = container.name.clone();
            tally.definition = container.definition.clone().or(tally.definition.take());
            let whole = stored_kib(capture, index);
            tally.whole_kib = whole.or(tally.whole_kib);
            numbers.push(Some(number));
        }
        numbers
    }

    /// Counts a key; None where it is left out or has no size.
    fn count<'a>(
        &mut self,
        view: &KeyView<'a>,
        capture: &Capture,
        numbers: &[Option<usize>],
        lookups: &Lookups,
    ) -> Option<(usize, Current<'a>)> {
        let number = numbers.get(view.container() as usize).copied().flatten()?;
        let tally = self.containers.get_mut(number)?;
        let now = current(view, &capture.regions)?;
        let grade = capture.sources.get(usize::from(now.series.source)).and_then(|s| s.grade);
        tally.from_statistics |= !matches!(grade, Some(Grade::Computed | Grade::Sampled));
        tally.sizes.add(now.latest.kib);
        if self.options.has_distributions {
            let spread = tally.spread.get_or_insert_default();
            spread.add(now.latest.kib);
        }
        tally.keys_total += 1;
        tally.marks.add(lookups.mark(view, now.latest.kib));
        if self.options.has_prefixes && is_hierarchical(tally.definition.as_ref()) {
            tally.prefixes.add(view.canonical(), now.latest.kib);
        }
        if self.newest.earliest() < now.newest.earliest() {
            self.newest = now.newest;
        }
        Some((number, now))
    }

    /// Request units are in no row of a report: they are not summed here.
    fn lookups(&self, capture: &Capture) -> Lookups {
        Lookups {
            places: Places::of(capture),
            forbidden: ForbiddenRequests::of(capture),
            ceiling: self.options.ceiling,
            ..Lookups::default()
        }
    }

    /// Without a share all keys are kept; with one those at it or with a date.
    fn absorb_worth(&mut self, capture: &Capture, numbers: &[Option<usize>], share: Option<f64>) {
        let lookups = self.lookups(capture);
        let mut regions = RegionNames::default();
        for (_, view) in capture.sizes.iter() {
            let Some((number, now)) = self.count(&view, capture, numbers, &lookups) else {
                continue;
            };
            let is_large = share.is_none_or(|s| self.options.ceiling.share(now.latest.kib) >= s);
            if !is_large && !now.repeated {
                continue;
            }
            if !self.room.is_left() {
                self.room.missed += 1;
                continue;
            }
            let (place, outlook) = lookups.outlook_of(&view, now);
            if (is_large || matches!(outlook.limit_date, LimitDate::Date { .. }))
                && let Some(tally) = self.containers.get_mut(number)
            {
                let region = regions.of(&outlook.now.series, capture);
                let row = lookups.row(capture, &view, &place, &outlook, region);
                self.room.take(&row);
                tally.rows.push(row);
            }
        }
        self.sort_rows();
    }

    fn absorb_largest(&mut self, capture: &Capture, numbers: &[Option<usize>], limit: usize) {
        let lookups = self.lookups(capture);
        let mut largest = Largest::new(limit);
        for row in self.containers.iter().flat_map(|t| &t.rows) {
            largest.occupy(row.size_kib);
        }
        let names: Vec<ContainerName> = capture.containers.iter().map(|c| c.name.clone()).collect();
        let text = |c: &Candidate| {
            let view = capture.sizes.view(c.id);
            let key = view.as_ref().and_then(KeyView::json_text);
            let name = view.and_then(|v| names.get(v.container() as usize));
            let parts = name.map(|n| (n.account.clone(), n.database.clone(), n.container.clone()));
            (key.unwrap_or_else(|| "null".into()), parts)
        };
        for (id, view) in capture.sizes.iter() {
            if let Some((container, now)) = self.count(&view, capture, numbers, &lookups) {
                largest.offer(Candidate { size_kib: now.latest.kib, id, container }, text);
            }
        }
        largest.prune();
        let mut regions = RegionNames::default();
        for candidate in &largest.candidates {
            if !self.room.is_left() {
                self.room.missed += 1;
                continue;
            }
            if let Some(view) = capture.sizes.view(candidate.id)
                && let Some((place, outlook)) = lookups.outlook(capture, &view)
                && let Some(tally) = self.containers.get_mut(candidate.container)
            {
                let region = regions.of(&outlook.now.series, capture);
                let row = lookups.row(capture, &view, &place, &outlook, region);
                self.room.take(&row);
                tally.rows.push(row);
            }
        }
        self.truncate(limit);
    }

    /// Rows of one container differ in their keys, so that no two are equal; a stable sort would take half as much memory again.
    fn sort_rows(&mut self) {
        for tally in &mut self.containers {
            tally.rows.sort_unstable_by(KeyRow::order);
        }
    }

    /// Keeps the `limit` largest rows over all containers: of each container its first ones.
    fn truncate(&mut self, limit: usize) {
        self.sort_rows();
        let mut all: Vec<(usize, &Tally, &KeyRow)> = (0..)
            .zip(&self.containers)
            .flat_map(|(number, t)| t.rows.iter().map(move |row| (number, t, row)))
            .collect();
        if all.len() <= limit {
            return;
        }
        all.sort_unstable_by(|(_, a_in, a), (_, b_in, b)| {
            a.order(b).then_with(|| super::rows::name_order(&a_in.name, &b_in.name))
        });
        let mut kept = vec![0; self.containers.len()];
        for (number, ..) in all.iter().take(limit) {
            if let Some(rows) = kept.get_mut(*number) {
                *rows += 1;
            }
        }
        self.room.empty();
        for (tally, rows) in self.containers.iter_mut().zip(kept) {
            tally.rows.truncate(rows);
            tally.rows.iter().for_each(|row| self.room.take(row));
        }
    }

    fn notes(&self) -> Vec<Note> {
        let mut notes = vec![Note::new(self.options.ceiling.sentence())];
        for filter in &self.options.containers {
            if !self.containers.iter().any(|t| filter.fits(&t.name)) {
                notes.push(Note::new(format!(
                    "no container \"{}\" in the inputs",
                    filter.text().replace('"', "'")
                )));
            }
        }
        for source in &self.sources {
            let mut say = |text: String| {
                notes.push(Note { source: Some(source.path.clone()), text });
            };
            source.notes.iter().for_each(|note| say(note.clone()));
            if let Some(why) = &source.refused {
                say(format!("refused: {why}"));
            }
        }
        notes.extend(self.notes.iter().map(Note::new));
        notes
    }
}

fn is_hierarchical(definition: Option<&KeyDefinition>) -> bool {
    definition.is_none_or(|d| d.kind == KeyKind::MultiHash)
}

/// Where an input was cut short nothing is known of the keys that are not listed.
fn container_rows(tally: Tally, is_cut_short: bool) -> ContainerRows {
    let skew = tally.sizes.skew(tally.whole_kib);
    let distribution = tally.spread.map(|spread| spread.finish(tally.whole_kib));
    let mut notes = Vec::new();
    if tally.name.container.is_none() {
        notes
            .push(Note::new("the inputs do not say which container this is; --container names it"));
    }
    if tally.keys_total == 0 {
        notes.push(Note::new("no key was reported: none is large enough, or the statistics were not part of the inputs"));
    } else if is_cut_short {
        notes.push(Note::new(
            "other keys: not known, an input was cut short and larger ones may be missing",
        ));
    } else if tally.from_statistics {
        notes.push(Note::new(match skew.whole_of {
            WholeOf::Container => format!(
                "{OTHER_KEYS}; the reported ones hold {} of {}",
                kib_text(skew.reported_kib),
                kib_text(skew.total_kib)
            ),
            WholeOf::ReportedKeys => OTHER_KEYS.to_owned(),
        }));
    }
    if tally.prefixes.overflowed() {
        notes.push(Note::new("too many key prefixes for totals of the upper levels"));
    }
    ContainerRows {
        name: tally.name,
        definition: tally.definition,
        keys: tally.rows,
        keys_total: tally.keys_total,
        largest_kib: tally.sizes.largest_kib,
        marks: tally.marks,
        skew,
        distribution,
        prefixes: tally.prefixes.finish(),
        notes,
    }
}

#[cfg(test)]
mod tests;
