//! The form: figures follow what is typed, and what is wrong changes nothing.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

mod workings;

use crate::analysis::design::query_visits;
use crate::model::design::UNSERVED;
use crate::model::physical::Throughput;
use crate::model::units::MOST_RU;
use crate::source::design::TEMPLATES;
use crate::source::scenario;
use crate::ui::app::testing::{app, copied, dataset, press, resize, type_in};
use crate::ui::app::update::update;
use crate::ui::app::{App, Overlay, Status};
use crate::ui::kit::msg::{Effect, Msg, ViewId};
use crate::ui::view::design_form::{DesignForm, settings, stepped};
use crate::ui::view::testing::{SIZES, screen, theme_ascii};
use crate::work::data::{Origin, Stage};

fn with_form(template: &str) -> App {
    let mut app = app();
    type_in(&mut app, &format!(":design {template}"));
    press(&mut app, "enter");
    app
}

fn form(app: &App) -> &DesignForm {
    app.design.as_ref().unwrap()
}

fn figure(app: &App, name: &str) -> String {
    let mut figures = form(app).figures.iter().flat_map(|group| &group.figures);
    figures.find(|f| f.name == name).unwrap().text.clone()
}

/// Goes to a setting and types a value.
fn set(app: &mut App, of: &str, name: &str, value: &str) -> Vec<Effect> {
    let mut settings = form(app).settings.iter();
    let at = settings.position(|s| s.of == of && s.name == name);
    let down = "j ".repeat(at.unwrap());
    press(app, "g");
    press(app, &down);
    press(app, "enter ctrl-e ctrl-u");
    type_in(app, value);
    press(app, "enter")
}

#[test]
fn figures_follow_a_number_that_is_changed_and_the_rest_of_the_file_stays() {
    let mut app = with_form("orders");
    let before = form(&app).text.clone();
    assert_eq!(figure(&app, "order written"), "20/s");
    assert_eq!(figure(&app, "RU/s to provide"), "1,600 RU/s");
    set(&mut app, "order", "writes", "200/s");
    assert_eq!(app.overlay, None);
    assert_eq!(figure(&app, "order written"), "200/s");
    assert_eq!(figure(&app, "RU/s to provide"), "5,200 RU/s");
    let expected = before.replace("writes = \"20/s\" ", "writes = \"200/s\" ");
    assert_eq!(form(&app).text, expected);
    // What changed is marked, what did not is not.
    let shown = screen(&app).join("\n");
    assert!(shown.contains("◆ 200/s"), "{shown}");
    assert!(!shown.contains("◆ 566 RU/s"), "{shown}");
    press(&mut app, "-");
    assert_eq!(figure(&app, "order written"), "100/s");
    // A digit begins another value.
    press(&mut app, "2 0 / s enter");
    assert_eq!(form(&app).text, before);
    let effects = press(&mut app, "y");
    assert_eq!(copied(&effects), before);
}

#[test]
fn a_value_can_be_added_and_taken_out_again() {
    let mut app = with_form("orders");
    let before = form(&app).text.clone();
    set(&mut app, "order", "ttl", "30d");
    assert!(form(&app).text.contains("name = \"order\"\nttl = \"30d\"\n"));
    assert!(figure(&app, "order stays at").ends_with("from day 30 on"));
    set(&mut app, "order", "ttl", "");
    assert_eq!(form(&app).text, before);
    set(&mut app, "", "ru", "20000");
    assert_eq!(figure(&app, "RU/s to provide"), "20,000 RU/s");
}

#[test]
fn a_wrong_value_says_what_is_expected_and_keeps_the_old_one() {
    for (of, name, value, expected) in [
        ("order", "writes", "many", "`many` is no rate: give such as \"12/s\""),
        ("order", "size", "9MB", "a document has at most 2 MB"),
        ("order", "size", "", "missing field `size`"),
        ("customerId", "distinct", "lots", "give a number such as 200_000"),
        ("", "starts", "soon", "give a date such as 2027-01-01"),
        ("", "autoscale", "on", "give true or false"),
        ("", "key", "/nothing", "order has no /nothing"),
        ("", "ru", "1", "give RU/s from 400 to 1,000,000"),
    ] {
        let mut app = with_form("orders");
        let before = (form(&app).text.clone(), form(&app).figures.clone());
        set(&mut app, of, name, value);
        let Some(Overlay::Line(line)) = &app.overlay else {
            panic!("{name}: no line");
        };
        assert_eq!(line.label, format!("{of} {name} =").trim_start());
        let (_, problem) = line.problem.clone().unwrap();
        assert!(problem.contains(expected), "{name}: {problem}");
        press(&mut app, "esc");
        let form = form(&app);
        assert_eq!((&form.text, &form.figures), (&before.0, &before.1));
    }
}

#[test]
fn the_design_opens_in_the_views_with_its_changed_values_and_the_form_comes_back() {
    let mut app = with_form("orders");
    set(&mut app, "", "ru", "50000");
    set(&mut app, "order", "writes", "200/s");
    let effects = press(&mut app, "o");
    let [Effect::Load(generation, Origin::Scenario(name))] = effects.as_slice() else {
        panic!("{effects:?}");
    };
    let design = scenario::design_of(name).unwrap();
    assert_eq!(design.entities.first().map(|e| e.writes), Some(200.0));
    let data = dataset(name, Stage::Whole);
    let settings = data.capture.container(0).unwrap().throughput;
    let sold = Throughput::Manual { ru_per_second: 50_000.0 };
    assert_eq!(settings.unwrap().throughput, sold);
    update(&mut app, Msg::Loaded(*generation, data));
    assert_eq!((app.form(), app.cx.view), (None, ViewId::Overview));
    press(&mut app, "ctrl-n");
    assert_eq!(figure(&app, "order written"), "200/s");
    assert!(app.form().is_some());
    // Opened again it is there already.
    assert_eq!(press(&mut app, "o").len(), 0);
    assert_eq!(app.form(), None);
}

#[test]
fn the_container_that_opens_has_the_ru_of_the_form() {
    for (condition, rate, expected) in [
        ("c.customerId = @customerId", "3000/s", Some(22_800.0)),
        ("@customerId = c.customerId", "3000/s", Some(22_800.0)),
        ("c.customerId IN (@customerId)", "3000/s", Some(22_800.0)),
        ("c.note = 'c.customerId='", "3000/s", None),
        ("c.note = @note", "1500/s", Some(65_600.0)),
    ] {
        let (_, orders) = TEMPLATES[0];
        let text = orders.replace("c.customerId = @customerId", condition);
        let name =
            scenario::keep_design(condition, &text.replace("\"30/s\"", &format!("\"{rate}\"")));
        let plan = scenario::design_of(name).unwrap().plan(0.0, query_visits);
        assert_eq!(plan.ru_per_second, expected, "{condition}");
        let data = dataset(name, Stage::Whole);
        let settings = data.capture.container(0).unwrap().throughput.unwrap();
        let ru_per_second = expected.unwrap_or(MOST_RU);
        assert_eq!(settings.throughput, Throughput::Manual { ru_per_second }, "{condition}");
        let notes = data.capture.sources.iter().flat_map(|source| &source.notes);
        let unserved = notes.filter(|note| note.starts_with(UNSERVED)).count();
        assert_eq!(unserved, usize::from(expected.is_none()), "{condition}");
    }
}

#[test]
fn the_working_lies_over_the_form_and_esc_leaves_one_after_the_other() {
    let mut app = with_form("orders");
    press(&mut app, "i");
    let Some(Overlay::Paper(page)) = &app.overlay else {
        panic!("{:?}", app.overlay);
    };
    let text = page.lines.join("\n");
    assert!(text.contains("= 2,048 B × 20/s × 86,400 s"), "{text}");
    press(&mut app, "esc");
    assert!(app.overlay.is_none() && app.form().is_some());
    press(&mut app, "esc");
    assert_eq!(app.form(), None);
}

#[test]
fn a_file_is_read_elsewhere_and_a_fault_is_said_as_on_the_command_line() {
    let mut app = app();
    type_in(&mut app, ":design absent.toml");
    let effects = press(&mut app, "enter");
    let [Effect::ReadDesign(generation, path)] = effects.as_slice() else {
        panic!("{effects:?}");
    };
    let read = crate::work::paths::design(path).unwrap_err();
    let fault = crate::work::fault::fault(&read);
    let of_command = scenario::design_of("absent.toml").unwrap_err();
    assert_eq!(fault, crate::work::fault::fault(&of_command));
    update(&mut app, Msg::DesignRead(*generation, Err(fault.clone())));
    assert_eq!((&app.status, app.form()), (&Status::Failed(fault), None));
    let (_, text) = TEMPLATES[1];
    let read = Ok(("cars.toml".to_owned(), text.to_owned()));
    update(&mut app, Msg::DesignRead(*generation, read));
    assert!(screen(&app).join("\n").contains("design: cars.toml"));
}

#[test]
fn every_template_fits_every_window() {
    for (name, _) in TEMPLATES {
        let mut app = with_form(name);
        app.cx.theme = theme_ascii();
        for (width, height) in SIZES {
            resize(&mut app, width, height);
            for pane in ["", "tab", "G", "tab"] {
                press(&mut app, pane);
                let shown = screen(&app).join("\n");
                assert!(shown.contains("design: "), "{name} {width}x{height}");
            }
            let shown = screen(&app).join("\n");
            let is_whole = width >= 80 && height >= 24;
            assert!(!is_whole || shown.contains("Esc closes"), "{shown}");
        }
    }
}

#[test]
fn steps_double_and_halve_and_keep_their_units() {
    for (value, up, down) in [
        ("2KB", Some("4KB"), Some("1KB")),
        ("360min/day", Some("720min/day"), Some("180min/day")),
        ("200_000", Some("400000"), Some("100000")),
        ("true", Some("false"), Some("false")),
        ("/customerId", None, None),
        ("2027-01-01", None, None),
        ("", None, None),
        ("0", None, None),
    ] {
        let found = [stepped(value, true), stepped(value, false)];
        assert_eq!(found, [up, down].map(|to| to.map(str::to_owned)), "{value}");
    }
}

#[test]
fn a_value_is_changed_in_its_text_and_all_else_stays() {
    let text = "# why\ncontainer = \"c\"\nkey = '/a' # by a\nru = 4_000\n[[properties]]\nname = \"a\"\ndistinct = 10\n\
        giants = [{ name = \"x\", share = 0.4 }]\n[[entities]]\nname = \"e\"\nsize = \"1KB\" # each\nwrites = \"1/s\"\n";
    for (of, name, value, from, to) in [
        ("", "ru", "5000", "4_000", "5000"),
        ("", "ru", "", "ru = 4_000\n", ""),
        ("", "key", "/a > /id", "'/a'", "\"/a > /id\""),
        ("", "retention", "90d", "ru =", "retention = \"90d\"\nru ="),
        ("a", "zipf", "0.5", "distinct", "zipf = 0.5\ndistinct"),
        ("a x", "share", "0.5", "0.4", "0.5"),
        ("e", "size", "2KB", "1KB", "2KB"),
        ("e", "reads", "", "", ""),
    ] {
        let all = settings(text);
        let found = all.iter().find(|s| s.of == of && s.name == name);
        let changed = found.map(|setting| setting.changed(text, value));
        assert_eq!(changed, Some(Ok(text.replacen(from, to, 1))), "{of} {name}");
    }
    let inline = "container = \"c\"\nkey = \"/id\"\nentities = [{ name = \"e\", size = \"1KB\", writes = \"1/s\" }]\n";
    let all = settings(inline);
    let ttl = all.iter().find(|s| s.of == "e" && s.name == "ttl").unwrap();
    let fault = ttl.changed(inline, "1d").unwrap_err();
    assert!(fault.what.contains("shares its line"), "{fault:?}");
}
