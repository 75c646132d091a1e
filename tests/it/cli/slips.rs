//! Slips of the pen that would otherwise pass for good news, or cost the data.

use std::fs;

use super::{Answer, Place, STANDARD, nowhere, sample, table};

#[test]
fn a_container_that_is_nowhere_is_refused_by_every_command() {
    let place = Place::new();
    let path = sample(STANDARD);
    for args in
        [&["inspect", &path][..], &["report", &path], &["check", &path], &["diff", &path, &path]]
    {
        for wrong in ["nope", "SHOP/carts"] {
            let mut args = args.to_vec();
            args.extend(["--container", "shop/orders", "--container", wrong]);
            let answer = place.run(&args).ends_with(2);
            assert!(answer.err.contains(&format!("`{wrong}`")), "{}", answer.err);
            assert!(answer.err.contains("northpier-prod/shop/orders`"), "{}", answer.err);
            args.push("--mask");
            let masked = place.run(&args).ends_with(2);
            assert!(!masked.err.contains("shop"), "{}", masked.err);
        }
    }
}

#[test]
fn inputs_without_one_size_are_no_good_news() {
    let place = Place::new();
    let units = sample("ru/partition-key-ru-consumption.portal-us.csv");
    let answer = place.run(&["check", &units, "--format", "json"]).ends_with(4);
    assert!(answer.err.contains("no key sizes"), "{}", answer.err);
    assert_eq!(answer.json()["partial"], true);
    let diff = place.run(&["diff", &units, &sample(STANDARD)]).ends_with(0);
    assert!(diff.err.contains("no key sizes"), "{}", diff.err);
    // A good answer without records is whole, and says so.
    let empty = place.run(&["check", &sample("hard/header-only.csv")]).ends_with(0);
    assert!(empty.err.contains("no key sizes"), "{}", empty.err);
}

#[test]
fn an_answer_cut_short_does_not_speak_of_the_keys_it_lost() {
    let place = Place::new();
    let cut = sample("stats/log-analytics/query-api.partial-error.json");
    let answer = place.run(&["report", &cut]).ends_with(0);
    assert!(answer.err.contains("cut short"), "{}", answer.err);
    assert!(!answer.text().contains("smaller, not reported"), "{}", answer.text());
    assert!(answer.text().contains("larger ones may be missing"), "{}", answer.text());
}

#[test]
fn a_result_never_replaces_what_it_was_made_from() {
    let place = Place::new();
    let before = fs::read(sample(STANDARD)).unwrap();
    fs::write(place.data().join("in.csv"), &before).unwrap();
    for input in ["in.csv", "."] {
        let args = ["report", input, "--format", "csv", "-o", "in.csv", "--force"];
        let answer = place.run(&args).ends_with(2);
        assert!(answer.err.contains("one of the inputs"), "{}", answer.err);
    }
    assert_eq!(fs::read(place.data().join("in.csv")).unwrap(), before);
}

#[test]
fn an_empty_salt_is_refused() {
    let place = Place::new();
    let answer = place.run(&["report", &sample(STANDARD), "--mask", "--mask-salt", ""]);
    assert!(answer.ends_with(2).err.contains("empty"));
}

#[test]
fn a_file_that_is_not_used_is_named_with_its_reason() {
    let place = Place::new();
    let answer = place.run(&["report", &sample(STANDARD), "nope.csv"]).ends_with(0);
    assert!(answer.err.contains("nope.csv: "), "{}", answer.err);
}

#[test]
fn the_shape_tells_what_the_records_are_of() {
    let place = Place::new();
    for (path, of) in [
        (STANDARD, "key sizes"),
        ("ru/partition-key-ru-consumption.portal-us.csv", "request units"),
        ("ru/data-plane-requests.portal-us.csv", "requests"),
    ] {
        let found = place.run(&["inspect", &sample(path), "--format", "json"]).ends_with(0).json();
        assert!(found["files"][0]["shape"].as_str().unwrap().ends_with(of), "{path}");
    }
}

#[test]
fn what_was_typed_wrong_is_repeated_without_what_hides_or_acts() {
    let place = Place::new();
    let answer = place.run(&["report", "x", "--nope\u{202e}\u{1b}[31m"]).ends_with(2);
    assert!(answer.err.contains(r"--nope\u{202e}"), "{}", answer.err);
    assert!(!answer.err.contains(['\u{202e}', '\u{1b}']));
}

#[test]
fn a_path_in_the_place_of_a_command_is_opened() {
    let place = Place::new();
    place.write("fri.csv", table([("a", "5".to_owned())]));
    place.write("docs.jsonl", "{\"id\":\"1\",\"t\":\"a\"}\n");
    for (path, code, shown) in [
        ("fri.csv", 0, "1 container"),
        ("docs.jsonl", 2, "if these are documents: cosmoscope trial FILE"),
        ("./absent.csv", 2, "there is no such file"),
        ("https://contoso.documents.azure.com/", 2, "cosmoscope connect"),
    ] {
        let plain = place.run(&["--plain", path]).ends_with(code);
        assert!((plain.text() + &plain.err).contains(shown), "{path}: {}", plain.err);
        let [short, long] = [&[path][..], &["open", path]].map(|args| place.run(args).ends_with(2));
        assert_eq!(short.err, long.err, "{path}");
    }
    let answer = place.run(&["fri.csv"]).ends_with(2);
    assert!(answer.err.contains("cosmoscope report"), "{}", answer.err);
    for (word, hint) in [
        ("fri.cvs", "cosmoscope open FILE"),
        ("contoso.documents.azure.com", "cosmoscope connect contoso.documents.azure.com opens it"),
        ("heat", "--view heat"),
        ("keys", "cosmoscope report FILE"),
        ("overview", "cosmoscope demo NAME --print overview"),
    ] {
        let answer = place.run(&[word, "fri.csv"]).ends_with(2);
        assert!(answer.err.contains(hint), "{word}: {}", answer.err);
    }
}

#[test]
fn what_is_missing_is_named_with_an_example_that_has_it() {
    let place = Place::new();
    for (args, named) in [
        (&["open"][..], "<PATH>"),
        (&["inspect"], "<PATH>"),
        (&["report"], "<PATH>"),
        (&["check"], "<PATH>"),
        (&["check", "--key", "/id"], "--documents"),
        (&["diff", "a.csv"], "<AFTER>"),
        (&["forecast"], "<PATH>"),
        (&["simulate"], "<PATH>"),
        (&["locate", "a"], "--partitions"),
        (&["workload"], "<PATH>"),
        (&["trial"], "<DOCS>"),
        (&["design"], "<FILE>"),
        (&["plan"], "<KEY>"),
        (&["replay"], "<FILE>"),
        (&["completions"], "<SHELL>"),
        (&["connect"], "<ENDPOINT|CONTEXT>"),
        (&["doctor"], "<ENDPOINT|CONTEXT>"),
        (&["count", "contoso"], "--path"),
    ] {
        let answer = place.run(args).ends_with(2);
        let (error, hint) = answer.err.split_once("\nhint: ").unwrap();
        assert!(error.contains(named), "{args:?}: {}", answer.err);
        assert!(hint.contains(&format!("cosmoscope {} ", args[0])), "{args:?}: {hint}");
        assert!(!named.starts_with("--") || hint.contains(named), "{args:?}: {hint}");
    }
}

#[test]
fn a_word_for_a_number_is_answered_with_what_is_taken() {
    let place = Place::new();
    for (args, wanted) in [
        (["report", "x", "--top", "ten"], "a whole number"),
        (["lesson", "hot", "--step", "ten"], "a whole number"),
        (["trial", "x", "--ru", "ten"], "a number"),
    ] {
        let answer = place.run(&args).ends_with(2);
        let named = format!("error: {} is `ten`\nhint: give {wanted}", args[2]);
        assert!(answer.err.starts_with(&named), "{}", answer.err);
    }
}

#[test]
fn documents_in_lines_are_shown_the_way_to_their_command() {
    let place = Place::new();
    place.write("docs.jsonl", "{\"id\":\"1\",\"t\":\"a\"}\n{\"id\":\"2\",\"t\":\"b\"}\n");
    for command in ["report", "inspect", "check"] {
        let answer = place.run(&[command, "docs.jsonl"]).ends_with(2);
        let hint = "if these are documents: cosmoscope trial FILE";
        assert!(answer.err.contains(hint), "{}", answer.err);
    }
}

/// No name is looked up: all goes to a proxy on this machine, where nothing listens.
#[test]
fn a_host_that_was_allowed_is_not_to_be_allowed_once_more() {
    let place = Place::new();
    let nowhere = nowhere();
    let doctor = |allowed: &[&str]| {
        let args = ["doctor", "https://cosmos.gateway.test", "--auth", "key", "--proxy"];
        let args = [&args[..], allowed].concat();
        let mut command = place.command(&args);
        // Base64 of a sentence, and no key of any account.
        command.env("COSMOSCOPE_KEY", "VGhpcyBpcyBubyBrZXkgb2YgYW55IGFjY291bnQgYW55d2hlcmUu");
        command.env_remove("AZURE_COSMOS_CONNECTION_STRING");
        for name in ["HTTPS_PROXY", "https_proxy"] {
            command.env(name, &nowhere);
        }
        for name in ["NO_PROXY", "no_proxy"] {
            command.env_remove(name);
        }
        Answer::of(&args, command.output().unwrap())
    };
    let advice = "allow it with --allow-host";
    let reported = doctor(&[]).ends_with(2).err;
    assert!(reported.contains(advice), "{reported}");
    let reported = doctor(&["--allow-host", "other.test"]).ends_with(2).err;
    assert!(reported.contains("it does not end as --allow-host says"), "{reported}");
    assert!(!reported.contains(advice), "{reported}");
    let answer = doctor(&["--allow-host", "gateway.test"]).ends_with(3);
    let reported = answer.text();
    assert!(
        reported.contains("cosmos.gateway.test") && !reported.contains("--allow-host"),
        "{reported}"
    );
    let notes: Vec<&str> =
        answer.err.lines().filter(|line| line.contains("--allow-host")).collect();
    assert!(
        matches!(notes[..], [one] if one.ends_with("because --allow-host gateway.test says so")),
        "{notes:?}"
    );
}
