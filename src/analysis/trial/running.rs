//! One trial: documents become keys, and what follows from the keys is worked out by as many hands as there are.

use std::collections::BTreeMap;

use super::super::candidate::Candidate;
use super::super::candidate::legality::{self, IdCollisions, PathStats, no_time};
use super::super::demand::buy::KeyShares;
use super::super::findings::{Finding, KeyPlace, Severity};
use super::super::parallelism::{Parallelism, Task};
use super::super::paths::of_time;
use super::super::rules::Rule;
use super::estimates::Distinct;
use super::fold::{FoldContext, Groups};
use super::forecast::{self, ForecastInput};
use super::key_placement::{self, PlacementInput};
use super::load::{self, Bill, CandidateDemand};
use super::logged::TrialBasis;
use super::owners::{Owners, owners};
use super::routes::{self, Routed};
use super::settings::Settings;
use super::size_classes::classes;
use super::splits::{self, PlacementRanges};
use super::tally::Tally;
use super::weights::Weights;
use super::window_samples::{self, ByHashes, WindowSamples};
use super::{
    ActiveKeys, DemandMapping, KeepGoing, KeyForecast, LevelSpread, Placement, TopKey, Trial,
    Trials, Whole,
};
use crate::model::key::{KeyDefinition, KeyVersion};
use crate::model::order::keep_first;
use crate::model::path::Path;
use crate::model::units::{PARTITION_RU_PER_SECOND, percent_text, real};

/// What each key has.
#[derive(Clone, Copy)]
pub(super) struct Sums<'a> {
    pub weights: &'a Weights<'a>,
    pub tally: &'a Tally,
}

/// The writes of one moment: where a part of the key is their date, only keys of that date get some.
pub(super) struct Moment {
    pub shares: KeyShares,
    /// None where no part of the key is a date.
    pub dated_keys: Option<u64>,
    active: Option<ActiveKeys>,
}

/// What is worked out side by side.
#[derive(Default)]
struct SideResults<'t> {
    newest: Option<Vec<(u32, u64)>>,
    active: Option<ActiveKeys>,
    ahead: Option<KeyForecast>,
    top: Vec<TopKey>,
    collisions: Option<IdCollisions>,
    stats: BTreeMap<&'t Path, PathStats>,
}

impl Trials {
    /// A trial with the routes of the workload's requests, as long as it is wanted: asked every few milliseconds, by any
    /// thread. None where it was not wanted to the end.
    pub fn trial_while<'c>(
        &'c self,
        candidate: &'c Candidate,
        keep_going: &KeepGoing<'_>,
    ) -> Option<(Trial, Vec<Routed>)> {
        let by = FoldContext { workers: self.workers, keep_going };
        let whole = self.whole;
        let groups = Groups::of(&self.prepared.documents, candidate, self.settings.seed, by)?;
        let (clumps, by_hashes) = self.clumps(candidate, &groups);
        let tally = Tally::of(&groups.sizes, &whole, clumps, by.workers);
        let weights = self.weighing.of_groups(&groups);
        let sums = Sums { weights: &weights, tally: &tally };
        if !(by.keep_going)() {
            return None;
        }
        let moment = self.moment(candidate, &groups, sums, by)?;
        let settings = &self.settings;
        let (layout, routed, load) = self.laid_out(candidate, settings, &groups, sums, &moment);
        let partitions = layout.layout.len();
        let mut found = SideResults::default();
        let tasks = self.tasks(candidate, &groups, sums, &mut found);
        let owners = owners(&groups, &layout, tasks, by)?;
        let newest = self.prepared.newest.as_ref().zip(found.newest.as_deref());
        let writes = newest.map(|(n, counts)| n.writes(counts, moment.active.or(found.active)));
        let counts = found.newest.as_deref();
        let of_date = counts.filter(|_| moment.dated_keys.is_some() && !self.is_measured());
        let mut placement = self.place(&groups, sums, (&layout, &owners, of_date), load.as_ref());
        let mut bill = Bill::of(load.as_ref(), &routed, &moment.shares, settings, partitions);
        self.averaged(&mut placement, load.as_ref(), &moment);
        let of = (&groups, sums, &moment);
        self.as_placed(&mut bill, candidate, of, by);
        let outcome = load::measured(candidate, (settings, &layout), &mut placement, &mut bill);
        let measured = outcome.as_ref().and_then(|outcome| outcome.hottest_key.as_ref());
        let hottest_share = measured.map_or_else(
            || weights.highest(&tally).1 / weights.total(&tally).max(f64::MIN_POSITIVE),
            |key| key.share,
        );
        let mut trial = Trial {
            candidate: candidate.clone(),
            basis: TrialBasis::Documents,
            whole,
            distinct: self.distinct(&tally, by_hashes.as_ref()),
            largest_bytes: tally.largest.bytes,
            largest_range: whole.is_sample.then(|| tally.largest_range()),
            largest_grows: grows(&groups, sums, counts),
            ceiling: settings.ceiling,
            largest_share_of_ceiling: tally.largest.bytes / settings.ceiling.bytes(),
            top_share: tally.scaling.share(tally.commonest.1, tally.commonest.0),
            hottest_share,
            sizes: classes(&tally.classes),
            k_eff: tally.effective(&whole),
            levels: levels(&groups, &tally, &whole, by.workers),
            hot_hour_share: writes.as_ref().map(|writes| writes.top.share),
            writes: writes.filter(|_| !self.is_measured()),
            keys_at_a_time: moment.dated_keys,
            findings: self.findings(candidate, &groups, (&found, moment.dated_keys)),
            top: found.top,
            ahead: found.ahead?,
            collisions: found.collisions,
            placement,
            outcome,
            demand: bill.demand,
            to_buy: bill.to_buy,
            demand_at_key_limit: key_limit(moment.shares.hottest_share(), whole),
            beyond_any_ru: bill.beyond_any_ru,
        };
        forecast::measured(&mut trial, settings);
        (by.keep_going)().then_some((trial, routed))
    }

    /// The ranges, where requests go on them, and what they demand.
    pub(super) fn laid_out(
        &self,
        candidate: &Candidate,
        settings: &Settings,
        groups: &Groups<'_>,
        sums: Sums<'_>,
        moment: &Moment,
    ) -> splits::LaidOut {
        let document_kib = self.document_kib();
        let on = |ranges: PlacementRanges| {
            let prefixes = || routes::prefixes(groups);
            let routed =
                routes::routed(settings, candidate, ranges.routed(), prefixes, document_kib);
            let load = CandidateDemand::of(&routed, settings);
            (ranges, routed, load)
        };
        let today = settings.today.as_deref().filter(|today| today.is_current(candidate));
        let places =
            |definition: &KeyDefinition| splits::data_and_load(groups, sums.weights, definition);
        let bytes = (self.whole.bytes, self.whole.bytes_scale);
        splits::laid_out(candidate, (settings, today), &moment.shares, bytes, places, on)
    }

    /// What keys have of the writes of one moment.
    pub(super) fn moment(
        &self,
        candidate: &Candidate,
        groups: &Groups<'_>,
        sums: Sums<'_>,
        by: FoldContext<'_>,
    ) -> Option<Moment> {
        let documents = &self.prepared.documents;
        let depth = groups.levels.len().min(1);
        let clock = self.prepared.clock.as_ref();
        let Some(undated) = clock.and_then(|clock| clock.undated(candidate, documents)) else {
            return Some(Moment {
                shares: load::shares(groups, sums.weights, sums.tally, depth),
                dated_keys: None,
                active: None,
            });
        };
        let is_first_dated = undated.levels.first().is_none_or(|l| l.parts.is_empty());
        let levels = undated.levels.into_iter().filter(|l| !l.parts.is_empty());
        let undated = Candidate { levels: levels.collect() };
        if undated.levels.is_empty() {
            // One key at a time.
            let shares = KeyShares::steady(vec![1.0], 0.0, 1.0);
            return Some(Moment { shares, dated_keys: Some(1), active: None });
        }
        let groups = Groups::of(documents, &undated, self.settings.seed, by)?;
        let tally = Tally::of(&groups.sizes, &self.whole, None, by.workers);
        let weights = self.weighing.of_groups(&groups);
        let newest = self.prepared.newest.as_ref();
        let mut shares = load::shares(&groups, &weights, &tally, depth);
        if is_first_dated {
            // The first level is one value now, and a new container keeps it in one place.
            shares.joined();
        }
        Some(Moment {
            shares,
            dated_keys: Some(tally.seen),
            active: newest.and_then(|newest| newest.active(&groups.of_row, self.whole)),
        })
    }

    /// What the windows of a sample tell; of the container's own key how many keys there are, too.
    fn clumps(
        &self,
        candidate: &Candidate,
        groups: &Groups<'_>,
    ) -> (Option<WindowSamples>, Option<ByHashes>) {
        let windows = self.prepared.documents.windows();
        let is_sample = self.whole.is_sample;
        let today = self.settings.today.as_ref();
        let own = today.filter(|today| today.is_current(candidate));
        let clumps = WindowSamples::of(windows, groups, own.is_some());
        let Some(mut clumps) = clumps.filter(|_| is_sample) else {
            return (None, None);
        };
        let counted = own.and_then(|today| {
            window_samples::by_hashes(windows, groups, &today.hashing(groups.levels.len()))
        });
        if let Some(counted) = &counted {
            clumps.count(groups, counted, self.whole.documents);
        }
        (Some(clumps), counted)
    }

    fn distinct(&self, tally: &Tally, by_hashes: Option<&ByHashes>) -> Distinct {
        let whole = self.whole;
        let counts = [tally.seen, tally.once, tally.twice];
        let of = whole.is_sample.then_some(whole.documents);
        let Some(clumps) = &tally.scaling.clumps else {
            return Distinct::of(counts, whole.looked_at, of);
        };
        let found =
            Distinct::of_windows(tally.seen, clumps, [real(whole.looked_at), whole.documents]);
        by_hashes.map_or(found, |by_hashes| found.counted(by_hashes, whole.documents))
    }

    /// What follows from the keys, but for their places: the longest first.
    fn tasks<'t, 'c: 't>(
        &'t self,
        candidate: &'c Candidate,
        groups: &'t Groups<'c>,
        sums: Sums<'t>,
        found: &'t mut SideResults<'c>,
    ) -> Vec<Task<'t>> {
        let prepared = &self.prepared;
        let SideResults { newest, active, ahead, top, collisions, stats } = found;
        let mut tasks: Vec<Task<'t>> = vec![Box::new(move || {
            let input = ForecastInput { trials: self, candidate, groups, tally: sums.tally };
            *ahead = Some(forecast::ahead(&input));
        })];
        if let Some(of) = &prepared.newest {
            tasks.push(Box::new(move || *newest = Some(of.counts(&groups.of_row))));
            tasks.push(Box::new(move || {
                *active = of.active(&groups.of_row, self.whole);
            }));
        }
        tasks.push(Box::new(move || *top = self.top(groups, sums)));
        tasks.push(Box::new(move || {
            let paths = candidate.paths().into_iter();
            *stats = paths.map(|path| (path, self.path_stats(path))).collect();
        }));
        if prepared.twins.are_known {
            tasks.push(Box::new(move || {
                *collisions = Some(prepared.twins.collisions(&prepared.documents, groups));
            }));
        }
        tasks
    }

    fn place(
        &self,
        groups: &Groups<'_>,
        sums: Sums<'_>,
        (ranges, owners, newest): (&PlacementRanges, &Owners, Option<&[(u32, u64)]>),
        load: Option<&CandidateDemand>,
    ) -> Placement {
        let input = PlacementInput {
            trials: self,
            groups,
            ranges,
            owners,
            weights: sums.weights,
            settings: &self.settings,
            newest,
            load,
        };
        let mut placement = key_placement::place(&input);
        let bytes = placement.partitions.iter().map(|p| p.bytes);
        placement.after_splits = splits::after_splits(&input, bytes);
        placement
    }

    fn top(&self, groups: &Groups<'_>, sums: Sums<'_>) -> Vec<TopKey> {
        let scaling = &sums.tally.scaling;
        // Of equal ones that which came first.
        let larger = |a: &(f64, u64, u32), b: &(f64, u64, u32)| {
            b.0.total_cmp(&a.0).then(b.1.cmp(&a.1)).then(a.2.cmp(&b.2))
        };
        let top = self.settings.top;
        let mut order = Vec::new();
        let most = top.saturating_mul(4).max(1_024);
        groups.sizes.all(|group, [count, bytes]| {
            order.push((scaling.bytes(group, [count, bytes]), count, group));
            if order.len() >= most {
                keep_first(&mut order, top, larger);
            }
        });
        keep_first(&mut order, top, larger);
        let weights = sums.weights.total(sums.tally);
        let key = |(bytes, count, group): &(f64, u64, u32)| TopKey {
            key: groups.key(*group),
            documents: scaling.documents(*group, *count),
            bytes: *bytes,
            is_measured: !self.whole.is_sample,
            share: scaling.share(*group, *count),
            share_of_ru: sums.weights.of(*group) * scaling.part(*group, *count)
                / weights.max(f64::MIN_POSITIVE),
        };
        order.iter().map(key).collect()
    }

    fn findings(
        &self,
        candidate: &Candidate,
        groups: &Groups<'_>,
        (known, dated_keys): (&SideResults<'_>, Option<u64>),
    ) -> Vec<Finding> {
        let mut found = legality::findings(candidate, KeyVersion::V2, |path| known.stats.get(path));
        for (at, level) in groups.levels.iter().enumerate() {
            found.extend(no_time(at, &level.gaps, self.whole.looked_at));
            if level.by_chance {
                let sentence = "Nearly every document has a value of its own here, and texts of such values were not \
                                kept: parts made of them are by chance or unknown.";
                found.push(Finding {
                    at: KeyPlace::Level(at),
                    ..Finding::new(Rule::ByChance, Severity::Note, sentence)
                });
            }
        }
        found.extend(known.collisions.as_ref().and_then(IdCollisions::finding));
        found.extend(self.cannot_map(candidate));
        if dated_keys.is_none() {
            found.extend(self.of_time(candidate));
        }
        found.sort_by_key(|finding| (std::cmp::Reverse(finding.severity), finding.at));
        found
    }

    /// A moment as the whole key: nobody asks for one.
    fn of_time(&self, candidate: &Candidate) -> Option<Finding> {
        let [level] = candidate.levels.as_slice() else {
            return None;
        };
        let path = level.path()?;
        self.prepared.documents.is_time(path).then(|| of_time(path))
    }

    fn cannot_map(&self, candidate: &Candidate) -> Option<Finding> {
        let DemandMapping::Cannot { without } = self.mapped else {
            return None;
        };
        if self.settings.is_current(candidate) {
            return None;
        }
        let sentence = format!(
            "Cannot map: {} of the documents lack the key of today, so what was measured by it cannot be brought to other \
             keys. Load is that of the documents alone.",
            percent_text(without)
        );
        Some(Finding {
            at: KeyPlace::Level(0),
            ..Finding::new(Rule::CannotMap, Severity::Warn, sentence)
        })
    }
}

/// The demand at which the hottest key is at its limit; of few documents chance makes it.
fn key_limit(hottest: f64, whole: Whole) -> Option<f64> {
    (hottest * real(whole.looked_at) >= real(load::ENOUGH))
        .then(|| PARTITION_RU_PER_SECOND / hottest)
}

/// Whether any of the largest keys is among those of the last hours; of few documents chance leaves it out.
fn grows(groups: &Groups<'_>, sums: Sums<'_>, newest: Option<&[(u32, u64)]>) -> bool {
    let documents = newest.map_or(0, |newest| newest.iter().map(|(_, count)| count).sum());
    let share = real(sums.tally.largest.has[0]) / real(groups.of_row.len() as u64);
    if newest.is_some() && real(documents) * share < real(load::ENOUGH) {
        return true;
    }
    let is_largest = |group: u32| groups.sizes.of(group) == sums.tally.largest.has;
    newest.is_none_or(|newest| newest.iter().any(|(group, _)| is_largest(*group)))
}

fn levels(
    groups: &Groups<'_>,
    tally: &Tally,
    whole: &Whole,
    workers: Parallelism,
) -> Vec<LevelSpread> {
    let levels = groups.levels.iter().zip(1..);
    let found = levels.map(|(level, depth)| {
        let before = (depth < groups.levels.len())
            .then(|| Tally::of(groups.sizes_at(depth), whole, None, workers));
        let found = before.as_ref().unwrap_or(tally);
        LevelSpread {
            distinct: found.seen,
            largest_share: found.largest.bytes / whole.bytes.max(f64::MIN_POSITIVE),
            gaps: level.gaps,
        }
    });
    found.collect()
}
