//! `lesson`: listed, checked, printed, and as a hand-out.

use super::Place;

/// Short: each step of it is played again by every case.
const OWN: &str = r#"
title = "Two tenants"
about = "After it you know which one is larger."

[[steps]]
scenario = "tenants"
show = ["keys"]
say = "{largest-key} holds {largest-size}."
mark = "{largest-key}"
note = "Let them guess."

[[steps]]
show = ["heat"]
say = "All share {ru} RU/s."
ask = "Who is hot?"
answer = "{hot-key} <with> {hot-key-share}"
hide = true
"#;

fn place() -> Place {
    let place = Place::new();
    place.write("own.toml", OWN.as_bytes());
    place
}

#[test]
fn a_lesson_is_a_hand_out_in_every_format_and_a_text_for_the_presenter() {
    let place = place();
    let text = |args: &[&str]| {
        let args = [&["lesson", "./own.toml"], args].concat();
        place.run(&args).ends_with(0).text()
    };
    let page = text(&["--format", "html"]);
    assert_eq!(page.matches("<svg").count(), 2);
    assert!(!page.contains("\\u{") && !page.contains('␠'), "codes in {page}");
    assert!(!page.contains("<script") && page.contains("D &lt;with&gt; 71 %"), "{page}");
    let (steps, answers) = page.split_once("Answers").unwrap();
    assert!(steps.contains("Who is hot?") && !steps.contains("&lt;with&gt;"));
    assert!(answers.contains("&lt;with&gt;") && !page.contains("Let them guess"));
    let md = text(&["--format", "md"]);
    assert_eq!(md.matches("```text").count(), 2);
    let plain = text(&["--plain"]);
    assert_eq!(plain, text(&["--format", "text"]));
    assert!(plain.contains("A holds 19.4 GiB.") && !plain.contains('┏'), "{plain}");
    let notes = text(&["--notes"]);
    assert!(notes.contains("Say: Let them guess.") && notes.contains("Answer: D"), "{notes}");
    let step = text(&["--step", "2", "--print", "--size", "80x24"]);
    assert!(step.contains("lesson own · 2 of 2") && step.contains("hidden: guess first"));
}

#[test]
fn a_check_names_each_step_that_does_not_show_what_it_says() {
    let place = place();
    let checked = place.run(&["lesson", "./own.toml", "--check"]).ends_with(0);
    assert_eq!(checked.text(), "2 steps, each shows what it says at 80x24 and 100x30.\n");
    let wrong = OWN
        .replace("mark = \"{largest-key}\"", "mark = \"nowhere\"")
        .replace("{ru} RU/s", "{runits} RU/s")
        .replace("show = [\"heat\"]", "show = [\"heet\"]");
    place.write("wrong.toml", wrong.as_bytes());
    let text = place.run(&["lesson", "./wrong.toml", "--check"]).ends_with(1).text();
    for expected in [
        "step 1: \"nowhere\" is not on the screen at 80x24",
        "step 2: heet: there is no command heet. Did you mean heat?",
        "step 2: nothing is known of the figure runits",
    ] {
        assert!(text.contains(expected), "{expected}\n{text}");
    }
}

#[test]
fn lessons_are_listed_and_what_is_none_is_2() {
    let place = place();
    let list = place.run(&["lesson", "--list"]).ends_with(0).text();
    assert!(list.contains("  sharding ") && list.contains("  quiz "), "{list}");
    let new = place.run(&["lesson", "--new"]).ends_with(0).text();
    place.write("new.toml", new.as_bytes());
    place.run(&["lesson", "./new.toml", "--check"]).ends_with(0);
    for (args, what, next) in [
        (
            &["lesson", "shading", "--check"][..],
            "no lesson shading. Did you mean sharding?",
            "lessons are",
        ),
        (&["lesson", "./absent.toml", "--check"], "absent.toml", "give the file of a lesson"),
        (&["lesson", "./own.toml", "--step", "3", "--print"], "the lesson has 2 steps", ""),
    ] {
        let said = place.run(args).ends_with(2).err;
        assert!(said.contains(what) && said.contains(next), "{said}");
    }
}

#[test]
fn a_step_that_only_says_something_says_it_in_the_hand_out_and_is_checked() {
    let place = place();
    let more =
        "\n[[steps]]\nsay = \"{partitions} partitions.\"\n[[steps]]\nsay = \"{parts} parts.\"\n";
    place.write("more.toml", format!("{OWN}{more}"));
    let text = place.run(&["lesson", "./more.toml", "--plain"]).text();
    assert_eq!(text.matches("All share 30,000 RU/s.").count(), 1, "{text}");
    assert!(text.contains("3 partitions."), "{text}");
    let checked = place.run(&["lesson", "./more.toml", "--check"]).ends_with(1);
    assert_eq!(checked.text(), "step 4: nothing is known of the figure parts\n");
}
