//! Effects run inline: each is answered, and what it wrote is whole or not there.
#![expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test reads files and may panic"
)]

use super::*;
use crate::analysis::arrange::{Sort, SortBy};
use crate::analysis::filter::{Filter, FilterBasis, ParsedFilter, parse};
use crate::ui::kit::msg::Generation;
use crate::work::data::{Branch, Dataset, Exported, Origin, Stage};
use crate::work::export::{Export, HeatShown, ReportShown};
use crate::work::shared::Shared;
use crate::work::testing;
use crate::work::whole_file::IfExists;

const SAMPLE: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/data/samples/hard/object-keys.csv");

fn work() -> WorkContext {
    WorkContext {
        loader: Loader::default(),
        recent: Recent::Off,
        salt: Some(Salt(b"salt".to_vec())),
        live: None,
        typing_pause: Duration::ZERO,
    }
}

fn answers(effect: Effect) -> Vec<Msg> {
    let mut told = Vec::new();
    work().perform(effect, &Watch::default(), &mut |msg| told.push(msg));
    told
}

fn loaded(origin: Origin) -> Shared<Dataset> {
    let mut told = answers(Effect::Load(Generation(1), origin));
    assert_eq!(told.len(), 1);
    match told.pop() {
        Some(Msg::Loaded(Generation(1), data)) => data,
        other => unreachable!("{other:?}"),
    }
}

#[test]
fn a_scenario_and_a_file_become_datasets() {
    let scenario = loaded(Origin::Scenario("tenants"));
    assert_eq!(scenario.stage, Stage::Whole);
    assert!(scenario.report.keys_total() > 0);
    let file = loaded(Origin::Paths(vec![SAMPLE.into()]));
    assert_eq!(file.stage, Stage::Whole);
    assert_eq!(file.capture.sources.len(), 1);
    assert!(file.report.keys_total() > 0);
}

#[test]
fn what_cannot_be_read_is_told_in_one_line_with_a_hint() {
    let paths = vec!["absent-1".into(), "absent-2".into()];
    let told = answers(Effect::Load(Generation(4), Origin::Paths(paths)));
    let [Msg::LoadFailed(Generation(4), fault)] = told.as_slice() else {
        unreachable!("{told:?}");
    };
    assert!(fault.what.contains("absent-1: ") && fault.what.contains("; absent-2: "));
    assert!(!fault.what.contains('\n') && fault.next.is_some());
}

#[test]
fn work_that_nobody_wants_any_more_ends() {
    let watch = Watch::default();
    watch.stop();
    let mut told = Vec::new();
    let effect = Effect::Load(Generation(2), Origin::Paths(vec![SAMPLE.into()]));
    work().perform(effect, &watch, &mut |msg| told.push(msg));
    let [Msg::LoadFailed(Generation(2), fault)] = told.as_slice() else {
        unreachable!("{told:?}");
    };
    assert_eq!(fault.what, "reading was stopped");
}

#[test]
fn masking_takes_the_salt_that_was_given() {
    let told = answers(Effect::ReadSalt);
    assert_eq!(told, [Msg::SaltRead(Ok(Salt(b"salt".to_vec())))]);
}

#[test]
fn an_export_is_what_report_gives_and_stops_without_a_trace() {
    let home = tempfile::tempdir().unwrap();
    let what = Exported::Report(ReportShown {
        data: loaded(Origin::Scenario("users")),
        containers: None,
        masker: None,
    });
    let to = |name: &str, existing| {
        let export = Export { path: home.path().join(name), existing, what: what.clone() };
        let mut told = answers(Effect::Export(Generation(3), export));
        match told.pop() {
            Some(Msg::Exported(Generation(3), answer)) => answer,
            other => unreachable!("{other:?}"),
        }
    };
    let written = to("all.csv", IfExists::Keep).unwrap();
    let text = std::fs::read_to_string(home.path().join("all.csv")).unwrap();
    assert!(text.starts_with("account,database,container,key,"));
    assert_eq!(written.rows, text.lines().count() as u64 - 1);
    assert!(to("all.csv", IfExists::Keep).unwrap_err().what.ends_with("exists"));
    to("all.csv", IfExists::Replace).unwrap();
    for name in ["all.JSON", "all.html", "all.md", "all.txt"] {
        to(name, IfExists::Keep).unwrap();
    }
    assert!(to("all.exe", IfExists::Keep).unwrap_err().next.is_some());
    let watch = Watch::default();
    watch.stop();
    let export = Export { path: home.path().join("stopped.csv"), existing: IfExists::Keep, what };
    assert!(work().loader.export(&export, &watch).is_err());
    let mut names: Vec<_> =
        std::fs::read_dir(home.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["all.JSON", "all.csv", "all.html", "all.md", "all.txt"]);
}

fn filter(text: &str) -> Filter {
    match parse(text, FilterBasis::default()) {
        ParsedFilter::Complete(filter) => filter,
        other => unreachable!("{other:?}"),
    }
}

#[test]
fn two_threads_arrange_what_one_does_and_further_letters_narrow_it() {
    let data = loaded(Origin::Scenario("events"));
    let mut before: Option<Shared<Arranged>> = None;
    for (text, by) in [
        ("", SortBy::Size),
        ("user-1", SortBy::Size),
        ("user-12", SortBy::Growth),
        ("size>1MiB", SortBy::Key),
        ("size>1MiB", SortBy::Size),
    ] {
        let ask = |before| Ask {
            data: data.clone(),
            container: 0,
            sort: Sort::by(by),
            filter: filter(text),
            before,
            follow: Vec::new(),
        };
        let mut told = answers(Effect::Arrange(Generation(4), ask(before.take())));
        let Some(Msg::Arranged(Generation(4), list)) = told.pop() else {
            unreachable!("{told:?}");
        };
        let alone = testing::arrange(&ask(None), &|| true).unwrap();
        assert_eq!(list.rows(), alone.rows(), "{text}");
        for (place, row) in list.rows().iter().enumerate() {
            assert_eq!(list.near(*row), Some(place));
        }
        before = Some(list);
    }
}

#[test]
fn work_that_is_stopped_answers_nothing() {
    let data = loaded(Origin::Scenario("events"));
    let ask = Ask {
        data,
        container: 0,
        sort: Sort::default(),
        filter: filter("user"),
        before: None,
        follow: vec!["[1]".into()],
    };
    let list = Shared::new(testing::arrange(&ask, &|| true).unwrap());
    assert_eq!(list.followed, [None]);
    let watch = Watch::default();
    watch.stop();
    let branch = Branch { list, under: None };
    for effect in [Effect::Arrange(Generation(1), ask), Effect::Grow(Generation(2), branch)] {
        work().perform(effect, &watch, &mut |msg| unreachable!("{msg:?}"));
    }
}

#[test]
fn the_heat_that_is_shown_is_written_by_its_ending_and_masked_where_names_are() {
    let home = tempfile::tempdir().unwrap();
    let data = loaded(Origin::Scenario("tenants"));
    let name = data.capture.containers[0].name.identity();
    let mut masker = crate::analysis::mask::Masker::new(b"salt");
    masker.learn(&data.report);
    let to = |file: &str, masker| {
        let export = Export {
            path: home.path().join(file),
            existing: IfExists::Keep,
            what: Exported::Heat(HeatShown {
                data: data.clone(),
                container: name.clone(),
                measure: None,
                region: None,
                order: crate::analysis::heat::grid::GridOrder::default(),
                span: None,
                masker,
            }),
        };
        match answers(Effect::Export(Generation(3), export)).pop() {
            Some(Msg::Exported(Generation(3), answer)) => answer,
            other => unreachable!("{other:?}"),
        }
    };
    for (ending, start) in
        [("svg", "<"), ("html", "<"), ("json", "{"), ("csv", "account"), ("md", "")]
    {
        let written = to(&format!("heat.{ending}"), None).unwrap();
        assert!(written.rows > 0, "{ending}");
        let text = std::fs::read_to_string(home.path().join(format!("heat.{ending}"))).unwrap();
        assert!(text.starts_with(start) && text.contains("contoso"), "{ending}");
    }
    to("masked.txt", Some(Shared::new(masker))).unwrap();
    let text = std::fs::read_to_string(home.path().join("masked.txt")).unwrap();
    assert!(!text.contains("contoso") && text.contains("HOT KEY"), "{text}");
    assert!(to("heat.png", None).unwrap_err().next.is_some_and(|next| next.contains(".svg")));
}
