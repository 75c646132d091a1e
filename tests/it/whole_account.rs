//! An account with every way to it, through the real program in a terminal: signed in by `az`, the data plane, the
//! management plane with metrics, and Log Analytics, each with its own token at its own host, and nothing but reads.
#![cfg(target_os = "linux")]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use portable_pty::CommandBuilder;
use vt100::Screen;

use crate::account_server::Server;
use crate::faults::ways::words;
use crate::front::Front;
use crate::http::Request;
use crate::live_azure::fake::{Fake, Response};
use crate::live_azure::{ACCOUNT, WORKSPACE, samples};
use crate::pty::terminal::{PROGRAM, Terminal};
use cosmoscope::source::live::services::Service;

pub const HOST: &str = "northpier-prod.documents.azure.com";
const WINDOW: (u16, u16) = (140, 110);

/// In every token, key and secret of these tests, and in nothing else.
const SENTINELS: [&str; 4] = ["token-for-", "U0VOVElORUx", "SENTINEL", "VTBWT1ZFbE9S"];
const KEY: &str =
    "U0VOVElORUxfb2ZfdGhlX3Rlc3RzX2FuZF9ub2JvZHlzX2tleV9hdF9hbGwrLz0rLz0rLz0rLz0rLz0rLz0rLw==";

/// What is told of every way, and of every view.
const WAYS: [&str; 18] = [
    "account: as of",
    "list of databases: as of",
    "lists of containers: as of",
    "containers with statistics of their partitions: as of",
    "physical partitions: as of",
    "RU/s by the data plane: as of",
    "account by the management plane: as of",
    "RU/s by the management plane: as of",
    "RU/s of each physical partition: as of",
    "storage of each physical partition: as of",
    "metrics: as of",
    "logged sizes (Log Analytics): as of",
    "logged RU by key (Log Analytics): as of",
    "logged requests (Log Analytics): as of",
    "overview and keys: statistics there, logged sizes there",
    "partitions: ranges there, storage there",
    "heat: metrics there, RU by key there, requests there",
    "RU/s: data plane there, management plane there",
];

/// A folder with an `az` that gives a token for each scope; with what it says in its place once that is there.
pub fn with_az(home: &Path) -> PathBuf {
    let bin = home.join("bin");
    fs::create_dir_all(&bin).unwrap();
    let script = format!(
        r#"#!/bin/sh
env > "{0}/env-of-az.txt"
echo SENTINEL >&2
if [ -e "{0}/az-fails" ]; then cat "{0}/az-fails" >&2; exit 1; fi
life=3600
if [ -e "{0}/az-life" ]; then life=$(cat "{0}/az-life"); fi
scope=
before=
for word in "$@"; do
  if [ "$before" = --scope ]; then scope="$word"; fi
  before="$word"
done
echo "$scope" >> "{0}/scopes.txt"
echo "{{\"accessToken\":\"token-for-$scope\",\"expires_on\":$(($(date +%s) + life)),\"tokenType\":\"Bearer\"}}"
"#,
        home.display()
    );
    let az = bin.join("az");
    fs::write(&az, script).unwrap();
    fs::set_permissions(&az, fs::Permissions::from_mode(0o755)).unwrap();
    bin
}

/// `connect` to the account behind the front, by `az`.
pub fn connect(terminal: &Terminal, front: &Front, more: &[&str]) -> CommandBuilder {
    let endpoint = format!("https://{HOST}");
    let args = [&["connect", &endpoint, "--proxy", "--auth", "developer"][..], more].concat();
    let mut command = terminal.command(&args);
    let bin = with_az(&terminal.home());
    command.env("PATH", format!("{}:/usr/bin:/bin", bin.display()));
    for name in ["AZURE_TENANT_ID", "AZURE_CLIENT_ID", "IDENTITY_ENDPOINT"] {
        command.env_remove(name);
    }
    // Secrets that are not used: nobody else is to have them.
    command.env("COSMOSCOPE_KEY", KEY);
    command.env(
        "AZURE_COSMOS_CONNECTION_STRING",
        format!("AccountEndpoint=https://{HOST}/;AccountKey={KEY}"),
    );
    command.env("AZURE_CLIENT_SECRET", "SENTINEL-of-a-client");
    front.settle(&mut command);
    command
}

/// The columns that a query says it gives, and rows for them: of the samples where it is about sizes.
fn answers(request: &Request) -> Response {
    if !request.is("/query") {
        return samples(request);
    }
    let body: serde_json::Value = serde_json::from_str(&request.body).unwrap();
    let query = body["query"].as_str().unwrap();
    let (_, last) = query.rsplit_once("| project ").unwrap();
    let names: Vec<&str> =
        last.split(", ").map(|column| column.split(' ').next().unwrap()).collect();
    let row = match (query.contains("RequestCharge, "), names.contains(&"PartitionKey")) {
        (_, true) if names.contains(&"RequestCharge") => serde_json::json!([
            "2026-06-22T02:00:00Z",
            "northpier-prod",
            "shop",
            "orders",
            "West Europe",
            "3",
            "[\"tenant-0001\"]",
            "Create",
            57_145.0,
            900,
            0,
            60,
            "CDBPartitionKeyRUConsumption"
        ]),
        (_, false) => serde_json::json!([
            "2026-06-22T02:00:00Z",
            "northpier-prod",
            "shop",
            "orders",
            "West Europe",
            "0000a003-0000-4000-8000-00000000a003",
            "Create",
            429,
            41_000,
            15.5,
            250.1,
            60,
            "CDBDataPlaneRequests"
        ]),
        _ => return samples(request),
    };
    let columns: Vec<_> =
        names.iter().map(|name| serde_json::json!({"name": name, "type": "string"})).collect();
    assert_eq!(names.len(), row.as_array().unwrap().len(), "{query}");
    let table = serde_json::json!({"name": "PrimaryResult", "columns": columns, "rows": [row]});
    Response::ok(serde_json::json!({"tables": [table]}).to_string())
}

/// Everything that is asked, and by whom.
struct Azure {
    data: Server,
    elsewhere: Fake,
    front: Front,
}

impl Azure {
    fn start() -> Self {
        let data = Server::naming(&format!("https://{HOST}"));
        let elsewhere = Fake::start(answers);
        let front = Front::start(&[
            (HOST, &data.endpoint),
            ("management.azure.com", elsewhere.address(Service::Management)),
            ("api.loganalytics.io", elsewhere.address(Service::Logs)),
        ]);
        Self { data, elsewhere, front }
    }
}

#[track_caller]
fn assert_clean(name: &str, bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    for sentinel in SENTINELS {
        assert!(!text.contains(sentinel), "{sentinel} in {name}");
    }
}

/// All files below a folder but those of `az`.
fn assert_files_are_clean(folder: &Path) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            if name != "bin" {
                assert_files_are_clean(&path);
            }
        } else if !["env-of-az.txt", "scopes.txt"].contains(&&*name) {
            assert_clean(&name, &fs::read(&path).unwrap());
        }
    }
}

/// One token for each service, and nothing of ours for whoever gives them.
fn assert_tokens_are_each_for_one_service(home: &Path) {
    let scopes = fs::read_to_string(home.join("scopes.txt")).unwrap();
    let mut scopes: Vec<&str> = scopes.lines().collect();
    scopes.sort_unstable();
    assert_eq!(
        scopes,
        [
            "https://api.loganalytics.io/.default",
            "https://cosmos.azure.com/.default",
            "https://management.azure.com/.default"
        ]
    );
    let given = fs::read_to_string(home.join("env-of-az.txt")).unwrap();
    assert!(!given.contains("U0VOVElORUx"), "az has the key");
}

/// Lines of the paper on the account that say what has no answer.
fn paper(terminal: &mut Terminal) -> String {
    terminal.types(":connect\r");
    // Its last line: until then it is being drawn.
    let is_there = |screen: &Screen| words(screen).contains("RU/s: data plane");
    terminal.wait_for("what was asked", is_there);
    terminal.look(words)
}

/// Esc, by itself: a key right behind it would be another chord.
fn closes(terminal: &mut Terminal, what: &str) {
    terminal.types("\x1b");
    terminal.wait_for("the view below", |screen| !words(screen).contains(what));
}

#[test]
fn every_way_to_an_account_is_used_and_no_secret_is_told() {
    let azure = Azure::start();
    let mut terminal = Terminal::of(WINDOW.0, WINDOW.1);
    let home = terminal.home();
    let more = [
        "--resource-id",
        ACCOUNT,
        "--workspace",
        WORKSPACE,
        "--record",
        "seen.rec",
        "--log",
        "log.txt",
        "--log-level",
        "trace",
    ];
    let command = connect(&terminal, &azure.front, &more);
    terminal.start(command);
    terminal.wait_for("the account", |screen| {
        let text = screen.contents();
        text.contains("tenant-0002") && text.contains(" live") && !text.contains("asking")
    });
    let title = terminal.look(|screen| screen.rows(0, WINDOW.0).next().unwrap());
    assert!(title.trim_end().ends_with(" live"), "{title}");
    let arguments = fs::read(format!("/proc/{}/cmdline", terminal.id())).unwrap();
    assert_clean("the arguments", &arguments);
    let reported = paper(&mut terminal);
    for way in WAYS {
        assert!(reported.contains(way), "{way}: {reported}");
    }
    assert!(!reported.contains("fails"), "{reported}");
    assert!(!reported.contains("EMULATOR"), "{reported}");
    closes(&mut terminal, "What was asked");
    for (key, shows) in [("2", "tenant-0002"), ("3", "100 %"), ("4", "Enter begins")] {
        terminal.types(key);
        terminal.wait_for(shows, |screen| words(screen).contains(shows));
    }
    closes(&mut terminal, "Enter begins");
    terminal.types("q");
    assert_eq!(terminal.code(), 0);
    terminal.assert_given_back();

    azure.data.assert_only_read();
    azure.data.assert_signed_by(&[
        "type%3Daad%26ver%3D1.0%26sig%3Dtoken-for-https%3A%2F%2Fcosmos.azure.com%2F.default",
    ]);
    azure.front.assert_no_strangers();
    assert_tokens_are_each_for_one_service(&home);
    assert_clean("the screen", &terminal.bytes());
    assert!(fs::metadata(home.join("log.txt")).unwrap().len() > 0);
    reports_are_clean(&home);
    crate::diagnosis::assert_one_story(home.join("seen.rec"));
    assert_files_are_clean(&home);
    drop(azure.elsewhere);
}

/// What is made of the recording holds what the account told, and no secret.
fn reports_are_clean(home: &Path) {
    for format in ["json", "text", "md", "csv"] {
        let done = Command::new(PROGRAM)
            .args(["report", "seen.rec", "--format", format])
            .current_dir(home)
            .env("HOME", home)
            .env("XDG_CONFIG_HOME", home.join("config"))
            .output()
            .unwrap();
        assert_eq!(done.status.code(), Some(0), "{done:?}");
        let report = String::from_utf8(done.stdout).unwrap();
        assert!(report.contains("tenant-0002"), "{report}");
        assert_clean("a report", report.as_bytes());
        assert_clean("what a report told", &done.stderr);
    }
}

#[cfg(debug_assertions)]
#[test]
fn an_internal_error_beside_an_account_tells_no_secret() {
    let azure = Azure::start();
    let mut terminal = Terminal::of(WINDOW.0, WINDOW.1);
    let mut command = connect(&terminal, &azure.front, &["--workspace", WORKSPACE]);
    command.env("COSMOSCOPE_TEST_PANIC", "draw");
    terminal.start(command);
    terminal.wait_for("the account", |screen| screen.contents().contains("tenant-0002"));
    terminal.types("j");
    assert_eq!(terminal.code(), 70);
    terminal.assert_given_back();
    assert!(terminal.state().join("crash.txt").is_file());
    assert_clean("the screen", &terminal.bytes());
    assert_files_are_clean(&terminal.home());
}
