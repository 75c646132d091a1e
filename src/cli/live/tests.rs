//! Options of the account commands: what they mean, and that what is wrong is not repeated.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

use clap::Parser;

use super::*;
use crate::cli::{Cli, CliCommand, argument_errors};

const KEY: &str =
    "sentinelSENTINEL0123456789sentinelSENTINEL0123456789sentinelSENTINEL01234567890sentine==";

fn connect(args: &[&str]) -> Connect {
    let all = ["cosmoscope", "connect"].iter().chain(args);
    match Cli::try_parse_from(all).unwrap().command {
        Some(CliCommand::Connect(c)) => c,
        other => panic!("{other:?}"),
    }
}

#[track_caller]
fn refused(args: &[&str]) -> String {
    let reported = live(&connect(args), &Config::default()).unwrap_err();
    assert_eq!(reported.exit_code(), 2);
    format!("{reported} {}", reported.hint().unwrap())
}

#[test]
fn without_options_the_usual_holds() {
    let found = live(&connect(&["contoso"]), &Config::default()).unwrap();
    assert_eq!(found.target.endpoint, "https://contoso.documents.azure.com:443/");
    // The endpoint says the cloud where it can.
    let gateway = "cosmos.corp.test";
    for (args, host, cloud) in [
        (&["contoso", "--cloud", "china"][..], "contoso.documents.azure.cn", CloudName::China),
        (
            &["a.documents.azure.us", "--cloud", "china"],
            "a.documents.azure.us",
            CloudName::UsGovernment,
        ),
        (&["a.cosmos.corp.test", "--allow-host", gateway], "a.cosmos.corp.test", CloudName::Public),
        (
            &["a.cosmos.corp.test", "--allow-host", gateway, "--cloud", "us-government"],
            "a.cosmos.corp.test",
            CloudName::UsGovernment,
        ),
    ] {
        let found = live(&connect(args), &Config::default()).unwrap().target;
        assert_eq!((found.endpoint, found.cloud), (format!("https://{host}:443/"), cloud));
    }
    assert!(refused(&["contoso", "--tenant", "a b"]).contains("--tenant"));
    assert_eq!((found.target.side, found.target.auth), (Side::Azure, Auth::Auto));
    assert_eq!(found.every, Duration::from_secs(60));
    assert_eq!(found.allowance, Allowance { budget_ru: 1000.0, rate_ru: None });
    assert_eq!(found.notes.len(), 1);
}

#[test]
fn every_option_arrives() {
    let id = "/subscriptions/0f8fad5b-d9cb-469f-a165-70867728950e/resourceGroups/rg.1/providers/Microsoft.DocumentDB/databaseAccounts/contoso";
    let found = live(
        &connect(&[
            "https://contoso.documents.azure.com",
            "--database",
            "shop",
            "--container",
            "orders",
            "--auth",
            "managed-identity",
            "--resource-id",
            id,
            "--workspace",
            "0F8FAD5B-d9cb-469f-a165-70867728950e",
            "--every",
            "5m",
            "--http1",
            "--proxy",
            "--record",
            "seen.jsonl",
            "--ru-budget",
            "250",
            "--ru-rate",
            "7.5",
            "--tenant",
            "fabrikam.onmicrosoft.com",
        ]),
        &Config::default(),
    )
    .unwrap();
    let expected = Target {
        endpoint: "https://contoso.documents.azure.com:443/".to_owned(),
        side: Side::Azure,
        auth: Auth::ManagedIdentity,
        cloud: CloudName::Public,
        credential: Vec::new(),
        tenant: Some("fabrikam.onmicrosoft.com".to_owned()),
        database: Some("shop".to_owned()),
        container: Some("orders".to_owned()),
        resource_id: Some(id.to_owned()),
        workspace: Some("0f8fad5b-d9cb-469f-a165-70867728950e".to_owned()),
        http1: true,
        proxy: true,
        exchanges: Exchanges::default(),
    };
    assert_eq!(found.target, expected);
    assert_eq!(found.every, Duration::from_secs(300));
    let record = Record { path: "seen.jsonl".into(), existing: Existing::Continue };
    assert_eq!(found.record, Some(record));
    assert_eq!(found.allowance, Allowance { budget_ru: 250.0, rate_ru: Some(7.5) });
}

#[test]
fn a_recording_is_replaced_where_that_is_said() {
    let args = ["contoso", "--record", "a.rec", "--force"];
    let found = live(&connect(&args), &Config::default()).unwrap();
    let existing = found.record.map(|record| record.existing);
    assert_eq!(existing, Some(Existing::Replace));
}

#[test]
fn the_screens_take_no_key_from_standard_input() {
    let said = refused(&["contoso", "--key-file", "-"]);
    assert!(said.contains("standard input"), "{said}");
}

#[test]
fn an_emulator_may_be_asked_often() {
    let args = ["http://127.0.0.1:8081", "--emulator", "--every", "2s"];
    let found = live(&connect(&args), &Config::default()).unwrap();
    assert_eq!((found.target.side, found.every), (Side::Emulator, Duration::from_secs(2)));
    assert!(refused(&["contoso", "--every", "2s"]).contains("between 10s and 1d"));
}

#[test]
fn a_context_gives_what_options_leave_out() {
    let text = "[contexts.prod]\nendpoint = \"https://contoso.documents.azure.com\"\ndatabase = \"shop\"\nauth = \"developer\"\n\
        [contexts.odd]\nendpoint = \"contoso\"\nauth = \"magic\"\n[contexts.empty]\ndatabase = \"shop\"\n";
    let config = crate::config::parse(text).unwrap();
    let found = live(&connect(&["prod", "--container", "orders"]), &config).unwrap().target;
    assert_eq!(found.endpoint, "https://contoso.documents.azure.com:443/");
    assert_eq!(
        (found.database.as_deref(), found.container.as_deref()),
        (Some("shop"), Some("orders"))
    );
    assert_eq!(found.auth, Auth::Developer);
    let found =
        live(&connect(&["prod", "--auth", "key", "--database", "other"]), &config).unwrap().target;
    assert_eq!((found.auth, found.database.as_deref()), (Auth::Key, Some("other")));
    for name in ["odd", "empty"] {
        assert!(live(&connect(&[name]), &config).is_err());
    }
}

#[test]
fn values_that_are_none_are_refused_and_not_repeated() {
    let connection =
        format!("AccountEndpoint=https://sentinel.documents.azure.com:443/;AccountKey={KEY};");
    for args in [
        &[connection.as_str()][..],
        &[KEY],
        &["contoso", "--database", &connection],
        &["contoso", "--database", "a/sentinel"],
        &["contoso", "--container", "sentinel"],
        &["contoso", "--resource-id", KEY],
        &[
            "contoso",
            "--resource-id",
            "/subscriptions/../resourceGroups/a/providers/Microsoft.DocumentDB/databaseAccounts/sentinel",
        ],
        &["contoso", "--workspace", KEY],
        &["contoso", "--every", KEY],
        &["contoso", "--every", "99999999h"],
        &["contoso", "--every", "é"],
        &["contoso", "--ru-budget", KEY],
        &["contoso", "--ru-budget", "0"],
        &["contoso", "--ru-rate", "nan"],
        &["contoso", "--allow-host", "com"],
        &["contoso", "--auth", "developer", "--key-file", "sentinel"],
        &["contoso", "--emulator"],
        &["http://127.0.0.1:8081"],
    ] {
        let reported = refused(args);
        assert!(
            !reported.contains("sentinel") && !reported.contains("SENTINEL"),
            "{args:?}: {reported}"
        );
    }
}

#[test]
fn wrong_usage_of_the_account_commands_repeats_nothing() {
    let reported = |args: &[&str]| {
        let all: Vec<std::ffi::OsString> =
            std::iter::once(&"cosmoscope").chain(args).map(Into::into).collect();
        let error = argument_errors::parse(&all).unwrap_err();
        argument_errors::in_own_words(&all, &error)
            .map(|e| format!("{e} {}", e.hint().unwrap_or_default()))
    };
    let connection = format!("AccountEndpoint=https://sentinel/;AccountKey={KEY}");
    for args in [
        &["connect", "contoso", KEY][..],
        &["connect", "contoso", "--key", KEY],
        &["connect", "contoso", &format!("--key={KEY}")],
        &["connect", "contoso", &format!("--{KEY}")],
        &["connect", "contoso", "--auth", KEY],
        &["connect", "contoso", "sentinel"],
        &["connect", "contoso", "-k", "sentinel"],
        &["doctor", "contoso", "--format", "sentinel"],
        &["count", "contoso", "--top", "sentinel"],
        &["connect", "--database", &connection],
        &["sentinel", "connect"],
        &["doctor"],
        &["connect"],
        &[&connection],
        &["opne", &connection],
    ] {
        let reported = reported(args).unwrap_or_else(|| panic!("{args:?}"));
        assert!(!reported.to_lowercase().contains("sentinel"), "{args:?}: {reported}");
        let is_secret = args.iter().any(|a| a.contains(KEY));
        assert_eq!(reported.contains("rotate it"), is_secret, "{args:?}: {reported}");
    }
    assert!(
        reported(&["connect", "contoso", "--key", "x"])
            .unwrap()
            .starts_with("connect has no option --key ")
    );
    assert_eq!(reported(&["report", "--bogus", "a"]), None);
}

#[test]
fn no_option_of_the_account_commands_takes_a_secret() {
    use clap::CommandFactory;
    let cli = Cli::command();
    for name in ["connect", "doctor"] {
        let command = cli.find_subcommand(name).unwrap();
        for option in command.get_arguments().filter_map(clap::Arg::get_long) {
            let words = ["key", "secret", "password", "token", "connection", "credential", "sas"];
            let takes_one = option.split('-').any(|word| words.contains(&word));
            // It takes the name of a file.
            assert!(!takes_one || option == "key-file", "--{option}");
        }
    }
}
