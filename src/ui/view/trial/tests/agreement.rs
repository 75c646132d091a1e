//! Verdicts, overview and trial say the same of a key.

use std::sync::Arc;

use super::*;
use crate::analysis::rules::Rule;
use crate::analysis::trial::verdict::Acceptance;

/// In the worst container of each scenario: all of them take minutes.
#[test]
fn the_current_key_has_one_size_and_one_date_in_overview_and_trial_and_none_below_the_limit_is_over_it()
 {
    for scenario in crate::source::scenario::list() {
        let mut app = app_with(scenario.name);
        keys(&mut app, "4");
        let trial = &app.views.trial;
        let number = trial.container.unwrap();
        let data = app.cx.data.as_ref().unwrap();
        let mut rows = data.overview.rows.iter();
        let row = rows.find(|row| row.number == number).unwrap();
        for entry in 0..trial.entries.len() {
            let Some(of) = trial.result(entry).map(|result| &result.trial) else {
                continue;
            };
            let is_over = of.ahead.limit_date == crate::analysis::growth::LimitDate::Over;
            let share = of.largest_share_of_ceiling;
            let about = format!("{} {:?} {}", scenario.name, row.name, of.candidate);
            // The current key may be full by its 403s.
            let by_403s = entry == 0 && row.standing.full.is_some();
            assert_eq!(is_over, share >= 1.0 || by_403s, "{about} {share}");
        }
        let result = trial.result(0).unwrap();
        let current = &result.trial;
        if row.standing.full.is_some() {
            assert_eq!(result.why(|key| key.into()), "key over 20 GB");
        }
        let diagnosis = data.diagnoses.container(number).unwrap();
        let rule = diagnosis.verdicts.first().map(|verdict| verdict.rule);
        let wanted = match rule {
            Some(Rule::HotKey) => "hot key",
            Some(Rule::HotRange) => "hot partition",
            _ => "",
        };
        let why = result.why(|key| key.into());
        assert!(why.starts_with(wanted), "{} {why}", scenario.name);
        let container = data.capture.container(number).unwrap();
        let placed = current.placement.ids.iter().zip(&current.placement.partitions);
        for (id, load) in placed {
            let mut partitions = container.current_partitions();
            let (_, measured) = partitions.find(|(_, p)| p.id == *id).unwrap();
            let off = load.bytes - measured.kib.unwrap() * 1024.0;
            assert!(off.abs() < 1.0, "{:?} {id}", row.name);
        }
        let largest = row.standing.largest.as_ref();
        let size = largest.map_or(current.largest_bytes, |row| row.size_kib * 1024.0);
        assert!((current.largest_bytes - size).abs() < 1.0, "{:?}", row.name);
        let measured = row.standing.first_at_limit().map(|(_, date)| date);
        let is_told = |of: &_| *of != crate::analysis::growth::LimitDate::Unknown;
        if let Some(date) = measured.filter(is_told) {
            assert_eq!(current.ahead.limit_date, date, "{:?}", row.name);
        }
        let unserved = trial.dials.today().and_then(|today| today.unserved());
        // What gets 403 today, another key serves.
        assert!(scenario.name != "car" || unserved.is_some_and(|ru| (ru - 139.0).abs() < 1.0));
        let candidates = (1..trial.entries.len()).filter_map(|entry| trial.result(entry));
        for candidate in candidates.filter(|_| unserved.is_some()) {
            let more = candidate.trial.demand.unwrap() - current.demand.unwrap();
            assert!(more > 0.99 * unserved.unwrap(), "{} {more}", scenario.name);
        }
        advised(&mut app, number);
    }
}

#[test]
fn the_price_of_suffixes_begins_with_the_size_and_the_peak_of_the_table() {
    let mut app = app_with("night");
    keys(&mut app, "t");
    let result = app.views.trial.result(0).unwrap().trial.clone();
    let own = &app.views.trial.entries[0].candidate;
    let settings = app.views.trial.settings.clone().unwrap();
    let sample = app.views.trial.sample.clone().unwrap();
    let prepared = Arc::clone(&sample.prepared);
    let trials = crate::analysis::trial::Trials::new(prepared, settings.clone());
    let suffix = crate::analysis::suffix::Suffix::Random;
    let goal = crate::analysis::suffix::Goal::of(&settings);
    let plan =
        crate::analysis::suffix::least(&trials, own, &suffix, &goal, &|| true, &|_, _, _| {});
    let peak = result.outcome.unwrap().hottest_key.unwrap().peak;
    let ru = plan.now.ru_per_second.unwrap();
    assert!((plan.now.bytes - result.largest_bytes).abs() < 1.0, "{:?}", plan.now);
    assert!((ru - peak).abs() < 1.0, "{ru} {peak}");
    assert_eq!(plan.rows[0].worst, plan.now);
    assert_eq!(plan.rows[0].throttled_share, result.placement.throttled_share);
    assert!(plan.rows.iter().any(|row| row.to_buy.as_ref().is_some_and(|buy| buy.ru.is_ok())));
}

/// What the verdicts advise to fix what is throttled or nearly full, the trial does not reject.
fn advised(app: &mut App, container: u32) {
    let data = app.cx.data.clone().unwrap();
    let today = &app.views.trial.entries[0].candidate;
    let diagnosis = data.diagnoses.container(container).unwrap();
    let Some(key) = diagnosis.advised(today).map(|key| key.to_string()) else {
        return;
    };
    let mut how = diagnosis.verdicts.iter().flat_map(|verdict| {
        let lines = verdict.remedy_lines().into_iter();
        let lines = lines.flat_map(|line| line.how);
        lines.chain(verdict.answers.new_key.how.clone())
    });
    assert!(how.any(|line| line.contains(&format!("--key '{key}'"))), "{key}");
    // The only hierarchical key is near 20 GB, and its load needs no suffixes: its first levels stay as they are.
    let last = "/tenantId > /userId > /sessionId + \".\" + bucket(/id, 5)";
    let levels = app.views.trial.entries[0].candidate.levels.len();
    assert!(levels == 1 || key == last, "{key}");
    keys(app, "t");
    typed(app, &key);
    keys(app, "enter");
    let result = app.views.trial.result(app.views.trial.chosen).unwrap();
    let trial = &result.trial;
    let about = format!("{} {:?}", trial.candidate, result.verdict.reasons.first());
    assert!(result.verdict.standing < Acceptance::Reject, "{about}");
    assert!(trial.placement.throttled_share.unwrap_or(0.0) <= 0.02, "{about}");
    assert!(trial.largest_share_of_ceiling < 0.7, "{about}");
}

#[test]
fn how_rus_are_bought_is_known_to_trials() {
    use crate::analysis::trial::Today;
    use crate::model::throughput::ThroughputMode;
    for (name, wanted) in
        [("events", ThroughputMode::AutoscaleOrShared), ("night", ThroughputMode::Manual)]
    {
        let data = app_with(name).cx.data.clone().unwrap();
        let today = Today::of(&data.capture, 0, None).unwrap();
        assert_eq!(today.throughput_mode, Some(wanted), "{name}");
    }
}
