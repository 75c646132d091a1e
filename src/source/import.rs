//! Files into a capture: plans each input, reads them with all cores, and again in parts where memory does not suffice.

mod options;

use std::collections::BTreeMap;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use super::answers::Kind;
use super::dialect::Moments;
use super::input::{Input, Inputs, MAX_FILES, OpenInput, RefusedPath, Version};
use super::plan::{self, Plan};
use super::read;
use super::records::Pass;
use super::sniff::{FileShape, Refusal};
use super::tally::Tally;
use super::watch::Watch;
use super::{grouped, recording};
use crate::error::{Error, usage};
use crate::model::capture::{Capture, CaptureBuilder, Grade, SourceInfo};
use crate::model::largest::LargestKeys;
use crate::model::load::Load;
use crate::model::units::{count_text, real, trimmed_text, whole_u64};
pub use options::{DEFAULT_MEMORY_BYTES, ImportOptions, MIN_MEMORY_BYTES, MIN_TABLE_BYTES};

/// Files that stay open while others are read: a folder can hold more than a process may have open.
const MAX_HELD_OPEN: usize = 128;

/// Different notes on one input; hostile names could make any number of them.
const MAX_NOTES: usize = 40;
/// What does not fit into the memory budget, and what would.
const LOAD: &str = "the load in these inputs";
const SHORTER: &str = "name files of a shorter time";
/// How a note on repeated records ends.
pub(super) const COUNTED_ONCE: &str = "counted once";

/// One input with how to read it.
struct Planned<'i> {
    input: &'i Input,
    bytes: u64,
    plan: Plan,
    source: u16,
    version: Version,
    /// Held open, so that the system gives its number to no other file.
    _held: Option<OpenInput>,
}

impl Planned<'_> {
    /// Answers with statistics of partitions: large, several of one container, and each a document by itself, of which the
    /// builder settles what came when.
    fn is_statistics(&self) -> bool {
        self.input.kind == Some(Kind::Container)
    }
}

/// What the parts of an import share.
#[derive(Clone, Copy)]
struct Reading<'a> {
    options: &'a ImportOptions,
    watch: &'a Watch,
    builder: &'a CaptureBuilder,
}

/// What to do about inputs that are refused, by their number.
type Hints = BTreeMap<u16, String>;

/// Reads everything. Where the keys outgrow the memory budget, `on_pass` gets them in parts before the rest is returned:
/// each part with different keys, all sources and containers. An error of `on_pass` ends the reading.
pub fn import(
    inputs: &Inputs,
    options: &ImportOptions,
    watch: &Watch,
    on_pass: &mut dyn FnMut(&Capture) -> Result<(), Error>,
) -> Result<Capture, Error> {
    let expanded = recording::expand(inputs, watch)?;
    let inputs = expanded.as_ref().unwrap_or(inputs);
    if inputs.inputs.len() > MAX_FILES {
        return Err(usage(
            format!("more than {} files", count_text(MAX_FILES as u64)),
            "name fewer, such as those of one month",
        ));
    }
    let builder = CaptureBuilder::new(options.seed);
    for note in &inputs.notes {
        builder.note(note.clone());
    }
    for name in &inputs.containers {
        builder.container(name);
    }
    let reading = Reading { options, watch, builder: &builder };
    let (mut hints, mut answers) = (Hints::new(), BTreeMap::new());
    let planned = reading.plan_all(inputs, &mut hints, &mut answers)?;
    let planned = reading.read_first(planned, &mut hints)?;
    if planned.is_empty() && inputs.inputs.is_empty() && !inputs.containers.is_empty() {
        return Ok(builder.finish());
    }
    if planned.is_empty() {
        return Err(refused(builder.finish(), hints));
    }
    let pending = builder.settle(options.container.as_ref());
    builder.apply_pending(&pending);
    let mut repeated = Vec::new();
    let mut conflicts = Vec::new();
    let mut passes = 1;
    while let Some(shards) = builder.sizes().next_pass() {
        let part = builder.pass(shards);
        add_counts(&part, &mut repeated, &mut conflicts);
        on_pass(&part)?;
        // Its memory is what the next part is read into.
        drop(part);
        passes += 1;
        reading.read_again(&planned, Pass::Sizes)?;
        builder.apply_pending(&pending);
    }
    while builder.load(Load::begins_ru_pass) {
        reading.read_again(&planned, Pass::Ru)?;
    }
    if let Some(share) = builder.load(|load| load.listed_share()) {
        let share = trimmed_text(share * 100.0);
        builder.note(format!("the RU log has more keys than are held: keys with less than {share} % of the RU are counted together, all others exactly; the files were read again for it"));
    }
    if passes > 1 {
        let mib = options.memory_bytes >> 20;
        builder.note(format!("the keys did not fit into {mib} MiB at once: the files were read {passes} times, every size is exact"));
    }
    reading.check_load()?;
    let mut capture = builder.finish();
    add_counts(&capture, &mut repeated, &mut conflicts);
    finish_sources(&mut capture, &repeated, &conflicts);
    grouped::group(&mut capture, &answers);
    Ok(capture)
}

/// Reads everything; where the keys outgrow the memory budget the largest are kept, which a note says.
pub fn import_largest(
    inputs: &Inputs,
    options: &ImportOptions,
    watch: &Watch,
) -> Result<Capture, Error> {
    let most = options.kept_keys();
    let options =
        ImportOptions { held_bytes: options.held_bytes + options.kept_bytes(), ..options.clone() };
    let mut largest: Option<LargestKeys> = None;
    let mut capture = import(inputs, &options, watch, &mut |part| {
        let empty = || LargestKeys::new(usize::try_from(most).unwrap_or(usize::MAX));
        largest.get_or_insert_with(empty).absorb(&part.sizes);
        Ok(())
    })?;
    if let Some(mut largest) = largest {
        largest.absorb(&capture.sizes);
        capture.sizes = largest.finish();
        capture.notes.push(format!(
            "more keys than memory: the {} largest are kept; --memory changes that",
            count_text(most)
        ));
    }
    Ok(capture)
}

fn add_counts(capture: &Capture, repeated: &mut Vec<u64>, conflicts: &mut Vec<u64>) {
    crate::model::logical::add_by_source(repeated, &capture.sizes.repeats());
    crate::model::logical::add_by_source(conflicts, &capture.sizes.conflicts());
}

impl Reading<'_> {
    fn plan_all<'i>(
        self,
        inputs: &'i Inputs,
        hints: &mut Hints,
        answers: &mut BTreeMap<u16, Kind>,
    ) -> Result<Vec<Planned<'i>>, Error> {
        let mut planned = Vec::new();
        for input in &inputs.inputs {
            let input = match input {
                Ok(input) => input,
                Err(RefusedPath { shown, refusal }) => {
                    let source = self
                        .builder
                        .add_source(SourceInfo { path: shown.clone(), ..SourceInfo::default() });
                    self.refuse(source, refusal.clone(), hints);
                    continue;
                }
            };
            self.watch.check()?;
            let info = SourceInfo {
                path: input.shown.clone(),
                grade: Some(Grade::Logged),
                ..SourceInfo::default()
            };
            let source = self.builder.add_source(info);
            if let (Some(owner), Some(kind)) = (&input.owner, input.kind) {
                self.builder.set_owner(source, owner.clone());
                answers.insert(source, kind);
            }
            self.watch.begin(&input.shown);
            let result = open(input).and_then(|opened| {
                let zone = self.options.time_zone.as_ref();
                let mut plan = plan::plan(&opened, zone, self.watch)?;
                plan.dialect.settle_order(self.options.date_order, opened.written);
                Ok((plan, opened))
            });
            match result {
                Ok((plan, opened)) => {
                    self.watch.total_bytes.fetch_add(opened.bytes, Ordering::Relaxed);
                    self.builder.update_source(source, |info| {
                        plan.body.shape_name().clone_into(&mut info.shape);
                    });
                    planned.push(Planned {
                        input,
                        bytes: opened.bytes,
                        plan,
                        source,
                        version: opened.version,
                        _held: Some(opened).filter(|_| planned.len() < MAX_HELD_OPEN),
                    });
                }
                Err(refusal) => self.refuse(source, refusal, hints),
            }
        }
        // What has a sure time comes first: a record of it that is there again with a guessed one is a repeat.
        planned.sort_by_key(|p| p.plan.dialect.doubt());
        Ok(planned)
    }

    fn refuse(self, source: u16, refusal: Refusal, hints: &mut Hints) {
        if let Some(next) = refusal.next {
            hints.insert(source, next);
        }
        self.builder.update_source(source, |info| {
            info.rows = 0;
            info.refused = Some(refusal.what);
        });
    }

    /// The first reading of every input; gives those that hold anything of use.
    fn read_first<'i>(
        self,
        mut planned: Vec<Planned<'i>>,
        hints: &mut Hints,
    ) -> Result<Vec<Planned<'i>>, Error> {
        let mut read = Vec::new();
        let moments = planned.iter().flat_map(|p| p.plan.dialect.moments());
        let moments: Arc<Moments> = Arc::new(moments.collect());
        let sure = planned.partition_point(|p| p.plan.dialect.ambiguous.is_none());
        let (sure, open) = planned.split_at_mut(sure);
        for part in [sure, open] {
            for p in &mut *part {
                p.plan.dialect.settle_by(&moments);
            }
            for some in part.chunk_by(|a, b| a.is_statistics() && b.is_statistics()) {
                read.extend(self.read_side_by_side(some));
            }
        }
        let mut kept = Vec::new();
        for (p, outcome) in planned.into_iter().zip(read) {
            match outcome? {
                Some(refusal) => self.refuse(p.source, refusal, hints),
                None => kept.push(p),
            }
        }
        Ok(kept)
    }

    fn read_again(self, planned: &[Planned<'_>], pass: Pass) -> Result<(), Error> {
        for p in planned {
            if let Some(refusal) = self.read_one(p, pass)? {
                // Part of its keys was counted and part can no longer be: no figure would be right.
                let next = "run it again once the file stays as it is, or give more --memory";
                return Err(Error::refused(p.input.shown.clone(), refusal.what, next));
            }
        }
        Ok(())
    }

    /// By the user, or because the load takes too much memory: then all of it takes about as much more as is left to read.
    fn stopped(self) -> Error {
        let load = self.builder.load(|load| load.bytes()) as u64;
        if load <= self.options.free_bytes() {
            return Error::Interrupted;
        }
        let bytes = |of: &AtomicU64| real(of.load(Ordering::Relaxed).max(1));
        let times = bytes(&self.watch.total_bytes) / bytes(&self.watch.done_bytes);
        self.options.no_room(LOAD, whole_u64(real(load) * times.max(1.0)), SHORTER)
    }

    /// Whether the load fits with what is made of it.
    fn check_load(self) -> Result<(), Error> {
        let load = self.builder.load(|load| load.analysed_bytes()) as u64;
        let fits = load <= self.options.free_bytes();
        if fits { Ok(()) } else { Err(self.options.no_room(LOAD, load, SHORTER)) }
    }

    /// Reads inputs of which the order is settled later, by as many hands as there are.
    fn read_side_by_side(self, some: &[Planned<'_>]) -> Vec<Result<Option<Refusal>, Error>> {
        let next = AtomicUsize::new(0);
        let work = || {
            let mut done = BTreeMap::new();
            loop {
                let at = next.fetch_add(1, Ordering::Relaxed);
                let Some(p) = some.get(at) else { return done };
                done.insert(at, self.read_one(p, Pass::First));
            }
        };
        let mut done = std::thread::scope(|scope| {
            let workers = self.options.threads.min(some.len());
            let others: Vec<_> = (1..workers).map(|_| scope.spawn(work)).collect();
            let mut done = work();
            for other in others {
                // A fault of the program is one, whichever thread it happened in.
                done.extend(other.join().unwrap_or_else(|fault| resume_unwind(fault)));
            }
            done
        });
        (0..some.len()).map(|at| done.remove(&at).unwrap_or(Err(Error::Interrupted))).collect()
    }

    /// Reads one input; a refusal says why nothing was taken from it.
    fn read_one(self, p: &Planned<'_>, pass: Pass) -> Result<Option<Refusal>, Error> {
        if !self.watch.keep_going() {
            return Err(self.stopped());
        }
        self.watch.begin(&p.input.shown);
        if pass != Pass::First {
            self.watch.total_bytes.fetch_add(p.bytes, Ordering::Relaxed);
        }
        let opened = match open(p.input).and_then(|opened| same_file(p, pass, opened)) {
            Ok(opened) => opened,
            Err(refusal) => return Ok(Some(refusal)),
        };
        let job = read::ReadJob {
            opened: &opened,
            plan: &p.plan,
            file_name: &p.input.file_name,
            source: p.source,
            pass,
            builder: self.builder,
            watch: self.watch,
            threads: self.options.threads,
            table_bytes: usize::try_from(self.options.table_bytes()).unwrap_or(usize::MAX),
            load_bytes: usize::try_from(self.options.free_bytes()).unwrap_or(usize::MAX),
        };
        let mut outcome = match job.run() {
            Ok(outcome) => outcome,
            Err(read::Stopped::Interrupted) => return Err(self.stopped()),
            Err(read::Stopped::Refused(refusal)) => return Ok(Some(refusal)),
        };
        let change = opened.change();
        if pass != Pass::First {
            return Ok(change.map(|_| changed()));
        }
        super::notes::tell_change(change, &mut outcome);
        if let Some(refusal) = super::notes::nothing_taken(&outcome) {
            return Ok(Some(refusal));
        }
        self.builder.update_source(p.source, |info| {
            if !outcome.shape.is_empty() {
                outcome.shape.clone_into(&mut info.shape);
            }
            if let Some(of) = outcome.tally.of_what() {
                info.shape = format!("{} of {of}", info.shape);
            }
            if outcome.measured {
                info.grade = Some(Grade::Measured);
            }
            super::notes::describe(info, &outcome, &p.plan.dialect);
        });
        Ok(None)
    }
}

fn open(input: &Input) -> Result<OpenInput, Refusal> {
    input.open().map_err(|e| super::input::unreadable("cannot be opened", &e))
}

/// Whether the start of a stream holds a record of any kind; else why not.
pub fn has_records(start: &OpenInput) -> Result<(), Refusal> {
    let watch = Watch::default();
    let plan = plan::plan(start, None, &watch)?;
    // What a whole document says may stand at its end.
    if plan.sniffed.shape == FileShape::JsonDocument {
        return Ok(());
    }
    let builder = CaptureBuilder::new(0);
    let job = read::ReadJob {
        opened: start,
        plan: &plan,
        file_name: "",
        source: 0,
        pass: Pass::First,
        builder: &builder,
        watch: &watch,
        threads: 1,
        table_bytes: MIN_TABLE_BYTES,
        load_bytes: usize::MAX,
    };
    match job.run() {
        // What is of another kind is a record, and others may follow.
        Ok(outcome) if !outcome.tally.other_kinds.is_empty() => Ok(()),
        Ok(outcome) => super::notes::nothing_taken(&outcome).map_or(Ok(()), Err),
        Err(read::Stopped::Refused(refusal)) => Err(refusal),
        Err(read::Stopped::Interrupted) => Ok(()),
    }
}

/// Each reading must find the bytes that the plan was made of. Before the first one a log may have grown.
fn same_file(p: &Planned<'_>, pass: Pass, opened: OpenInput) -> Result<OpenInput, Refusal> {
    let grew = pass == Pass::First && opened.version.is_longer(&p.version);
    if grew || opened.version == p.version { Ok(opened) } else { Err(changed()) }
}

fn changed() -> Refusal {
    Refusal::new("the file changed while it was read", "run it again once the file stays as it is")
}

/// What reading one input gave.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ImportOutcome {
    pub tally: Tally,
    /// Entries of management answers, metric points, ranges: rows that are no log records.
    pub other_rows: u64,
    /// Empty where the plan knows it.
    pub shape: &'static str,
    /// Read from the service itself rather than from a log.
    pub measured: bool,
    pub notes: Vec<String>,
    /// The last line had no end and was broken.
    pub cut_short: bool,
    /// The service says that its answer was cut short.
    pub incomplete: bool,
}

impl ImportOutcome {
    pub(super) fn note(&mut self, note: impl Into<String>) {
        let note = note.into();
        if self.notes.len() < MAX_NOTES && !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }
}

fn finish_sources(capture: &mut Capture, repeated: &[u64], conflicts: &[u64]) {
    let at_least =
        if capture.sizes.any_thinned() || capture.load.marks_full() { "at least " } else { "" };
    for (i, info) in capture.sources.iter_mut().enumerate() {
        let count = |counts: &[u64]| counts.get(i).copied().unwrap_or(0);
        info.repeated += count(repeated);
        if info.repeated > 0 {
            let records = if info.repeated == 1 { "record" } else { "records" };
            info.notes
                .push(format!("{at_least}{} repeated {records}, {COUNTED_ONCE}", info.repeated));
        }
        let two = count(conflicts);
        if two > 0 {
            info.notes.push(format!(
                "{two} times a key had two sizes at one moment: the exact one was taken, else the larger"
            ));
        }
    }
}

/// Every input was refused; what to do is told for the first.
fn refused(capture: Capture, hints: BTreeMap<u16, String>) -> Error {
    let refused = capture.sources.into_iter();
    Error::Refused {
        refused: refused.filter_map(|s| Some((s.path, s.refused?))).collect(),
        next: hints.into_values().next(),
    }
}
