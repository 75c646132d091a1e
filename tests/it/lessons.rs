//! Lessons: every step of every built-in one is what it says, in both windows, and its figures follow the data.

use std::path::Path;

use crate::pictures as picture;
use cosmoscope::model::lesson::{Lesson, LessonStep, with_figures};
use cosmoscope::source::lesson::{LESSONS, NEW, named, parse};
use cosmoscope::ui::app::lesson::mark;
use cosmoscope::ui::app::update::update;
use cosmoscope::ui::kit::input::{Chord, Code, InputEvent};
use cosmoscope::ui::kit::msg::{Effect, Msg};
use cosmoscope::ui::view::lesson::figure;
use cosmoscope::work::data::Origin;

use super::stage::Stage;

/// The smallest window that everything fits into, and that of a projector.
const WINDOWS: [(u16, u16); 2] = [(80, 24), (100, 30)];

/// Where there is room for everything.
const WIDE: (u16, u16) = (200, 60);

/// Figures by which the choices of a question are named, or that are set: none gives an answer away.
const NAMES: [&str; 12] = [
    "key-limit",
    "partition-limit",
    "partition-ru",
    "container",
    "key",
    "partitions",
    "ru",
    "largest-key",
    "first-full",
    "hot-key",
    "hot-partition",
    "partition-of",
];

/// Numbers of answers that may stand on the screen before: the question is about them.
const PREMISES: [(&str, usize, &str); 5] = [
    // The price of a query on one partition; the question is what becomes of it.
    ("queries", 4, "2.5"),
    ("errors", 12, "2.5"),
    // What a key at its limit gets: the question is how much is stored by then.
    ("choosing", 2, "403"),
    ("sensors", 2, "403"),
    // The question is when the first key is full.
    ("errors", 4, "403"),
];

/// Numbers that an answer says outside of its figures.
fn numbers(answer: &str) -> Vec<String> {
    let plain = with_figures(answer, |_, _| "|".to_owned());
    let is_part = |c: char| c.is_ascii_digit() || ".,".contains(c);
    let numbers = plain.split(|c| !is_part(c)).map(|number| number.trim_matches(['.', ',']));
    numbers.filter(|number| number.len() > 2).map(str::to_owned).collect()
}

/// Whether a text stands in a line, and is no part of a longer number or word.
fn stands_in(line: &str, text: &str) -> bool {
    line.match_indices(text).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let mut after = line[at + text.len()..].chars();
        let (next, further) = (after.next(), after.next());
        let goes_on = next.is_some_and(char::is_alphanumeric)
            || next.is_some_and(|c| ".,".contains(c)) && further.is_some_and(char::is_numeric);
        !goes_on && before.is_none_or(|c| !c.is_alphanumeric() && !".,".contains(c))
    })
}

/// What the screen shows of an answer before it is given, above the sentence of the step.
fn leaks(stage: &Stage, lesson: &str, step: usize) -> Vec<String> {
    let app = &stage.app;
    let shown = app.lesson.as_ref().unwrap();
    let Some(question) = &shown.step().unwrap().question else {
        return Vec::new();
    };
    let mut said = numbers(&question.answer);
    with_figures(&question.answer, |name, of| {
        let found = figure(&app.cx, &app.views, name, of).unwrap();
        said.extend((!NAMES.contains(&name)).then_some(found));
        String::new()
    });
    let texts = &shown.panel.texts;
    let asked = format!("{}\n{}", texts.say, texts.ask.as_deref().unwrap_or_default());
    let screen = stage.text();
    let body: Vec<&str> = screen.lines().take(app.cx.body().bottom().into()).collect();
    let is_leak = |figure: &String| {
        let forms = [figure.clone(), figure.replace(", ", "  ")];
        let is_seen = |line: &&str| forms.iter().any(|form| stands_in(line, form));
        // One digit stands everywhere.
        figure.chars().count() > 2
            && !asked.contains(figure.as_str())
            && !PREMISES.contains(&(lesson, step, figure.as_str()))
            && body.iter().any(is_seen)
    };
    said.into_iter().filter(is_leak).collect()
}

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
            for seen in [window, WIDE] {
                stage.resize(seen);
                let found = leaks(&stage, name, step);
                assert!(found.is_empty(), "{found:?} {name} step {step}\n{}", stage.text());
            }
            stage.resize(window);
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

/// The screen without its last two lines, which say what is read and which keys there are.
fn above_status(stage: &Stage) -> Vec<String> {
    let text = stage.text();
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    lines[..lines.len() - 2].to_vec()
}

/// A lesson on three scenarios, which shows its first step.
fn on_three_scenarios() -> Stage {
    let mut lesson = lesson_on("tenants");
    let step = |scenario, shown: &LessonStep| LessonStep { scenario, ..shown.clone() };
    let others = ["night", "food"].map(|scenario| step(scenario, &lesson.steps[0]));
    lesson.steps.splice(1.., others);
    let mut stage = Stage::dark((100, 30));
    stage.lesson(lesson);
    stage
}

#[test]
fn while_a_scenario_is_read_the_step_before_stays() {
    let mut stage = on_three_scenarios();
    let before = above_status(&stage);
    // The third step: its scenario is not read ahead.
    stage.keys(": \"step\" space \"3\"");
    let enter = InputEvent::Key(Chord::plain(Code::Enter));
    let effects = update(&mut stage.app, Msg::Did(enter));
    assert_eq!(above_status(&stage), before);
    assert_eq!(stage.app.lesson.as_ref().unwrap().place, 2);
    stage.perform(effects);
    let whole = stage.text();
    assert!(whole.contains("share container foods"), "{whole}");
}

#[test]
fn the_scenario_of_the_next_step_is_read_while_a_step_is_shown() {
    let mut stage = on_three_scenarios();
    let held = |stage: &Stage| stage.app.cx.data.as_ref().map(|data| data.origin.clone());
    assert_eq!(held(&stage), Some(Origin::Scenario("tenants")));
    let next = InputEvent::Key(Chord::plain(Code::Char('n')));
    // Nothing is left to be read for it.
    let effects = update(&mut stage.app, Msg::Did(next.clone()));
    assert_eq!(held(&stage), Some(Origin::Scenario("night")));
    assert!(stage.app.cx.loading.is_none());
    stage.perform(effects);
    assert!(stage.text().contains("14 tenants share container orders"), "{}", stage.text());
    // Who goes on before it is read waits for the same reading.
    let mut stage = Stage::dark((100, 30));
    let lesson = on_three_scenarios().app.lesson.unwrap().lesson;
    let mut effects = cosmoscope::ui::app::lesson::begin(&mut stage.app, lesson, 0);
    let mut ahead = None;
    while ahead.is_none() {
        assert!(!effects.is_empty(), "nothing is read ahead");
        let loads = |effect: &Effect| matches!(effect, Effect::Load(_, Origin::Scenario("night")));
        ahead = effects.iter().find(|effect| loads(effect)).cloned();
        effects = effects.into_iter().filter(|e| !loads(e)).flat_map(|e| stage.once(e)).collect();
    }
    let read = update(&mut stage.app, Msg::Did(next));
    assert!(!read.iter().any(|effect| matches!(effect, Effect::Load(..))), "{read:?}");
    stage.perform([read, ahead.into_iter().collect()].concat());
    assert!(stage.text().contains("14 tenants share container orders"), "{}", stage.text());
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
        assert!(stage.text().contains("\ntry key: /userI"), "{}", stage.text());
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
fn what_decides_a_question_is_hidden_until_its_answer() {
    let cases: [(&str, usize, &[&str]); 5] = [
        ("choosing", 1, &["over", "p11 100 %", "1 full", "2026-09-05"]),
        ("choosing", 4, &["100 %"]),
        ("choosing", 9, &["over the limit"]),
        // The line below the keys, the p99 of a partition, since when a key is busy.
        ("hot", 4, &["93 %", "█ 100 %", "23:24", "since"]),
        // What the chosen cell holds.
        ("hot", 13, &["burst served"]),
    ];
    for (lesson, step, answers) in cases {
        let mut stage = Stage::dark((100, 30));
        stage.lesson(named(lesson).unwrap());
        stage.keys(&format!(": \"step\" space \"{step}\" enter"));
        let bottom = usize::from(stage.app.cx.body().bottom());
        let body = |stage: &Stage| {
            let text = stage.text();
            text.lines().take(bottom).collect::<Vec<_>>().join("\n")
        };
        let before = body(&stage);
        stage.keys(".");
        let after = body(&stage);
        for answer in answers {
            assert!(!stands_in(&before, answer), "{lesson} {step}: {answer}\n{before}");
            assert!(stands_in(&after, answer), "{lesson} {step}: {answer}\n{after}");
        }
    }
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
