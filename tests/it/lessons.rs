//! Lessons: every step of every built-in one is what it says, in both windows, and its figures follow the data.

use std::path::Path;

use cosmoscope::model::lesson::{Lesson, LessonStep};
use cosmoscope::source::lesson::{LESSONS, NEW, named, parse};
use cosmoscope::ui::app::lesson::mark;
use cosmoscope::ui::app::update::update;
use cosmoscope::ui::kit::input::{Chord, Code, InputEvent};
use cosmoscope::ui::kit::msg::Msg;
use cosmoscope::ui::kit::picture;

use super::stage::Stage;

/// The smallest window that everything fits into, and that of a projector.
const WINDOWS: [(u16, u16); 2] = [(80, 24), (100, 30)];

/// One test for each lesson: they take their time.
macro_rules! played_through {
    ($($name:ident)*) => {
        const PLAYED: &[&str] = &[$(stringify!($name)),*];

        mod every_step_of {
            $(#[test]
            fn $name() {
                super::play_through(stringify!($name));
            })*
        }
    };
}

played_through! {
    sharding partitions limits hot choosing sensors suffixes hierarchical queries moving full quiz errors
}

#[test]
fn every_lesson_is_played() {
    let names: Vec<&str> = LESSONS.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, PLAYED);
}

fn play_through(name: &str) {
    for window in WINDOWS {
        let mut stage = Stage::dark(window);
        stage.lesson(named(name).unwrap());
        let steps = stage.app.lesson.as_ref().unwrap().lesson.steps.len();
        let mut drawn = String::new();
        for step in 1..=steps {
            let shown = stage.app.lesson.as_ref().unwrap();
            let texts = &shown.panel.texts;
            let what = format!("{name} step {step} at {window:?}\n{}", stage.text());
            assert!(shown.is_ready() && shown.faults.is_empty(), "{what}");
            assert!(texts.unknown.is_empty(), "{:?} {what}", texts.unknown);
            let (mark_text, has_question) = (texts.mark.clone(), texts.ask.is_some());
            drawn.push_str(&picture::styled(&stage.frame()));
            // What is hidden until the answer is there is marked with it.
            let mut is_marked = mark(&stage.app, &mut stage.frame());
            if !is_marked && has_question {
                stage.keys(".");
                is_marked = mark(&stage.app, &mut stage.frame());
                stage.keys(".");
            }
            assert!(is_marked, "{mark_text:?} {what}");
            stage.keys("n");
        }
        insta::with_settings!({
            snapshot_path => "snapshots/lessons",
            prepend_module_to_snapshot => false,
            omit_expression => true,
        }, {
            insta::assert_snapshot!(format!("{name}-{}x{}", window.0, window.1), drawn);
        });
    }
}

/// What the panel says at a step, once it is ready.
fn sentences(stage: &Stage) -> (String, Option<String>) {
    let shown = stage.app.lesson.as_ref().unwrap();
    assert!(shown.is_ready(), "{}", stage.text());
    let texts = &shown.panel.texts;
    (texts.say.clone(), texts.answer.clone())
}

/// A lesson of one's own: the tenants, or whatever scenario is named.
fn lesson_on(scenario: &str) -> Lesson {
    let text = NEW.replace("\"tenants\"", &format!("\"{scenario}\""));
    parse("own", &text, Path::new("")).unwrap()
}

/// The figures that a new lesson lists, in braces.
fn listed_figures() -> Vec<String> {
    let (_, list) = NEW.split_once("# Figures, all").unwrap();
    let lines = list.lines().skip(1).map(|line| line.trim_start_matches('#').trim());
    let lines = lines.filter(|line| !line.starts_with('('));
    let parts = lines.flat_map(|line| line.split("   (").next().unwrap().split(" · "));
    let names = parts.flat_map(|part| match part.split_once(": ") {
        Some((name, "ID")) => vec![format!("{name}: 0")],
        Some((name, of)) if of.starts_with("NAME") => vec![format!("{name}: place an order")],
        Some(_) => vec![part.trim().to_owned()],
        None => part.split_whitespace().map(str::to_owned).collect(),
    });
    names.map(|name| format!("{{{name}}}")).collect()
}

#[test]
fn every_figure_that_is_listed_is_known() {
    let figures = listed_figures();
    assert!(figures.iter().any(|name| name == "{then: 403s}"), "{figures:?}");
    for some in figures.chunks(8) {
        let text = format!(
            "title = \"t\"\nabout = \"a\"\n[[steps]]\nscenario = \"launch\"\nshow = [\"trial\", 'try /market', \"forecast\", \"picture\", \"picture\"]\nsay = \"{}\"\n",
            some.join(" ")
        );
        let mut stage = Stage::dark((100, 30));
        stage.lesson(parse("own", &text, Path::new("")).unwrap());
        let shown = stage.app.lesson.as_ref().unwrap();
        assert!(shown.is_ready() && shown.faults.is_empty(), "{:?}", shown.faults);
        let unknown = &shown.panel.texts.unknown;
        assert!(unknown.is_empty(), "{unknown:?} {}", shown.panel.texts.say);
    }
}

#[test]
fn while_a_scenario_is_read_no_figure_of_the_one_before_is_shown() {
    let mut lesson = lesson_on("tenants");
    let other = LessonStep { scenario: "night", ..lesson.steps[0].clone() };
    lesson.steps.insert(1, other);
    let mut stage = Stage::dark((100, 30));
    stage.lesson(lesson);
    let next = InputEvent::Key(Chord::plain(Code::Char('n')));
    // What it asks for is not done yet.
    drop(update(&mut stage.app, Msg::Did(next)));
    let shown = stage.app.lesson.as_ref().unwrap();
    let texts = &shown.panel.texts;
    assert!(texts.say.starts_with("… tenants share container …"), "{}", texts.say);
    assert!(texts.unknown.is_empty());
}

#[test]
fn sentences_follow_the_data() {
    let of = |scenario: &str| {
        let mut stage = Stage::dark((100, 30));
        stage.lesson(lesson_on(scenario));
        let first = sentences(&stage).0;
        stage.keys("n");
        (first, sentences(&stage))
    };
    let (first, (second, answer)) = of("tenants");
    assert!(first.starts_with("6 tenants share container tickets"), "{first}");
    assert!(second.starts_with("30,000 RU/s on 3 physical"), "{second}");
    let of_tenants = answer.unwrap();
    let (first, (second, answer)) = of("night");
    assert!(first.starts_with("14 tenants share container orders"), "{first}");
    assert!(second.starts_with("40,000 RU/s on 4 physical"), "{second}");
    let of_night = answer.unwrap();
    assert!(of_night != of_tenants && of_night.contains(" % of the RU"), "{of_night}");
}

#[test]
fn a_step_is_the_same_whichever_way_one_comes() {
    let lesson = || named("sharding").unwrap();
    let steps = lesson().steps.len();
    let mut onward = Stage::dark((100, 30));
    onward.lesson(lesson());
    for step in 1..=steps {
        let mut jumped = Stage::dark((100, 30));
        jumped.lesson(lesson());
        jumped.keys(&format!(": \"step\" space \"{step}\" enter"));
        assert_eq!(jumped.text(), onward.text(), "step {step}");
        // Looking around changes nothing of it.
        jumped.keys("esc 1 j 5 6");
        assert_eq!(jumped.text(), onward.text(), "step {step}, resumed");
        onward.keys("n");
    }
}

#[test]
fn a_key_from_the_room_is_typed_at_any_step() {
    let mut stage = Stage::dark((100, 30));
    stage.lesson(named("hot").unwrap());
    for _ in 0..2 {
        stage.keys("t \"/userI\"");
        assert!(stage.text().contains("\ntry key: /userI "), "{}", stage.text());
        stage.keys("d enter");
        assert!(stage.text().contains("/userId"), "{}", stage.text());
        stage.keys("n");
    }
}

#[test]
fn nothing_gives_the_answer_away_before_it_is_shown() {
    let mut stage = Stage::dark((100, 30));
    stage.lesson(lesson_on("tenants"));
    stage.keys("n");
    let hidden = stage.text();
    assert!(hidden.contains("hidden: guess first"), "{hidden}");
    assert!(!hidden.contains("HOT KEY") && !hidden.contains("scale up"));
    for keys in ["w", "1", "2", "i"] {
        stage.keys(keys);
        assert!(!stage.text().contains("HOT KEY"), "{keys}\n{}", stage.text());
    }
    stage.keys(": \"step\" space \"2\" enter .");
    let shown = stage.text();
    assert!(shown.contains("HOT KEY") && shown.contains("No: after scale up"), "{shown}");
    // Whoever looks around is not examined.
    stage.keys(". esc");
    assert!(stage.text().contains("HOT KEY"), "{}", stage.text());
}

#[test]
fn a_file_that_is_no_lesson_says_what_is_wrong() {
    let cases = [
        ("", "line 1: missing field `title`"),
        ("title = \"t\"\nabout = \"a\"\nsteps = []", "it needs between 1 and 200 steps"),
        (
            "title = \"t\"\nabout = \"a\"\n[[steps]]\nsay = \"s\"",
            "step 1: the first step needs a scenario",
        ),
        (
            "title = \"t\"\nabout = \"a\"\n[[steps]]\nscenario = \"nigth\"\nsay = \"s\"",
            "step 1: there is no scenario nigth. Did you mean night?",
        ),
        (
            "title = \"t\"\nabout = \"a\"\n[[steps]]\nscenario = \"night\"\nsay = \"s\"\nask = \"a\"",
            "step 1: ask and answer come together",
        ),
        (
            "title = \"t\"\nabout = \"a\"\n[[steps]]\nscenario = \"night\"\nsay = \"s\"\nhide = true",
            "step 1: hide needs a question: its answer shows what is hidden",
        ),
        (
            "title = \"t\"\nabout = \"a\"\n[[steps]]\nscene = \"night\"\nsay = \"s\"",
            "line 4: unknown field `scene`",
        ),
    ];
    for (text, expected) in cases {
        let found = parse("own", text, Path::new("")).unwrap_err();
        assert!(found.starts_with(expected), "{text}\n{found}");
    }
}
