//! Signing in as a person or a script does it: a key in the environment or a file, an `az` that gives, fails, hangs and
//! lies. Secrets are sentinels, and none is found in anything that the program writes. Only this machine is asked.
#![cfg(unix)]

use std::fs;
use std::io::{ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use super::{Answer, Place, names_in, nowhere};
use crate::account_server::Server;

/// 64 bytes as base64; nobody's.
const KEY: &str =
    "U0VOVElORUxfb2ZfdGhlX3Rlc3RzX2FuZF9ub2JvZHlzX2tleV9hdF9hbGwrLz0rLz0rLz0rLz0rLz0rLz0rLw==";
/// A token whose body says that it is for Cosmos DB: directory t-1, object o-1, until 2033.
const TOKEN: &str = "eyJhbGciOiJub25lIiwidHlwIjoiSldUIn0.eyJhdWQiOiJodHRwczovL2Nvc21vcy5henVyZS5jb20iLCJ0aWQiOiJ0LTEiLCJvaWQiOiJvLTEiLCJleHAiOjIwMDAwMDAwMDB9.U0VOVElORUxzaWduYXR1cmU";

/// Pieces of the secrets that must be nowhere.
const SENTINELS: [&str; 5] = ["U0VOVElORUx", "VTBWT1ZFbE9S", "eyJhdWQi", "SENTINEL", "\u{1b}"];

#[track_caller]
fn assert_clean(name: &str, text: &str) {
    for sentinel in SENTINELS {
        assert!(!text.contains(sentinel), "{sentinel:?} in {name}: {text}");
    }
}

/// A home with its own `az`, and nothing else of the developer's on the path.
struct Home {
    place: Place,
}

impl Home {
    fn new() -> Self {
        let place = Place::new();
        fs::create_dir(place.data().join("bin")).unwrap();
        Self { place }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.place.data().join(name)
    }

    fn with_az(self, script: &str) -> Self {
        let az = self.place.write("bin/az", format!("#!/bin/sh\n{script}\n"));
        fs::set_permissions(az, fs::Permissions::from_mode(0o755)).unwrap();
        self
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = self.place.command(args);
        command.env("PATH", format!("{}:/usr/bin:/bin", self.path("bin").display()));
        for name in [
            "COSMOSCOPE_KEY",
            "AZURE_COSMOS_CONNECTION_STRING",
            "AZURE_CLIENT_ID",
            "AZURE_TENANT_ID",
            "AZURE_CLIENT_SECRET",
            "AZURE_FEDERATED_TOKEN_FILE",
            "IDENTITY_ENDPOINT",
            "COSMOS_DISABLE_IMDS",
        ] {
            command.env_remove(name);
        }
        command
    }

    /// Runs with a log of everything, and looks for secrets in all that was written.
    #[track_caller]
    fn run(&self, args: &[&str], variables: &[(&str, &str)]) -> Answer {
        self.run_reading(args, variables, None)
    }

    /// The same with a file as standard input.
    #[track_caller]
    fn run_reading(
        &self,
        args: &[&str],
        variables: &[(&str, &str)],
        input: Option<&str>,
    ) -> Answer {
        let all = [args, &["--log", "log.txt", "--log-level", "trace"]].concat();
        let mut command = self.command(&all);
        command.envs(variables.iter().copied());
        if let Some(input) = input {
            command.stdin(fs::File::open(self.path(input)).unwrap());
        }
        let answer = Answer::of(args, command.output().unwrap());
        assert_clean("the output", &answer.text());
        assert_clean("standard error", &answer.err);
        if let Ok(log) = fs::read_to_string(self.path("log.txt")) {
            assert_clean("the log", &log);
        }
        for folder in [self.place.home().join("config"), self.place.home().join(".local")] {
            assert!(!folder.exists() || names_in(&folder).is_empty(), "{}", folder.display());
        }
        answer
    }
}

fn token_by(script: &str) -> String {
    format!(
        "{script}\necho '{{\"accessToken\":\"{TOKEN}\",\"expires_on\":2000000000,\"tokenType\":\"Bearer\"}}'"
    )
}

#[test]
fn az_signs_in_and_its_token_is_read_and_not_shown() {
    let home = Home::new()
        .with_az(&token_by("printf '\\033[31mSENTINEL\\n' >&2; env > \"$HOME/env.txt\""));
    let nowhere = nowhere();
    let args = ["doctor", &nowhere, "--emulator", "--auth", "developer", "--format", "json"];
    let connection = format!("AccountEndpoint={nowhere};AccountKey={KEY}");
    let answer = home
        .run(&args, &[("COSMOSCOPE_KEY", KEY), ("AZURE_COSMOS_CONNECTION_STRING", &connection)]);
    let reported = answer.ends_with(3).json();
    assert_eq!(reported["schema"], 1);
    let check = |name: &str| {
        let checks = reported["checks"].as_array().unwrap();
        checks
            .iter()
            .find(|check| check["check"] == name)
            .unwrap_or_else(|| panic!("{name}: {reported}"))
            .clone()
    };
    assert_eq!(check("sign-in")["what"], "the Azure CLI (az)");
    assert_eq!(check("sign-in")["state"], "ok");
    let token = check("token")["what"].as_str().unwrap().to_owned();
    assert!(token.starts_with("for Cosmos DB; directory (tenant) t-1, object id o-1, "), "{token}");
    assert_eq!(check("connection")["state"], "failed");
    // What az was given: the environment as it is, without our secrets.
    let given = fs::read_to_string(home.place.home().join("env.txt")).unwrap();
    assert!(given.contains("COSMOS_DISABLE_IMDS=1"), "{given}");
    assert!(!given.contains("COSMOSCOPE_KEY") && !given.contains("AccountKey"), "{given}");
}

#[test]
fn an_az_that_gives_nothing_is_told_in_our_words() {
    for (script, what, next) in [
        (
            "printf '\\033[2J' >&2; echo \"SENTINEL Please run 'az login' to setup account.\" >&2; exit 1",
            "the Azure CLI (az) is not logged in",
            "log in with az login",
        ),
        (
            "echo 'AADSTS700082: SENTINEL refresh token expired' >&2; exit 1",
            "the log-in of the Azure CLI (az) has expired",
            "az login",
        ),
        (
            "echo 'AADSTS90002: Tenant SENTINEL not found' >&2; exit 1",
            "does not know this account",
            "--tenant TENANT",
        ),
        (
            "echo SENTINEL; echo SENTINEL >&2; exit 7",
            "ended with an error instead of a token",
            "to see why, run: az account",
        ),
        (
            "echo '{\"accessToken\":5,\"SENTINEL\":'",
            "ended with an error instead of a token",
            "az account",
        ),
        (
            &token_by("").replace("2000000000", "1000000000"),
            "has ended already",
            "clock of this machine",
        ),
    ] {
        let home = Home::new().with_az(script);
        let answer = home
            .run(&["doctor", &nowhere(), "--emulator", "--auth", "developer"], &[])
            .ends_with(3);
        let reported = answer.text().split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(reported.contains(what) && reported.contains(next), "{script}: {reported}");
    }
    let home = Home::new();
    let args = ["doctor", &nowhere(), "--emulator", "--auth", "developer"];
    // Whatever is installed on this machine is on no path.
    let empty = home.path("bin").display().to_string();
    let reported = home.run(&args, &[("PATH", &empty)]).ends_with(3).text();
    let reported = reported.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(reported.contains("neither az nor azd"), "{reported}");
}

#[test]
fn a_bundle_has_shapes_and_no_names() {
    let server = Server::start();
    let home = Home::new();
    let file = home.path("bundle.json");
    let path = file.display().to_string();
    let args = ["doctor", server.endpoint.as_str(), "--emulator", "--bundle", &path];
    let answer = home.run(&args, &[]);
    assert!(answer.err.contains("read it before you send it"), "{}", answer.err);
    let text = fs::read_to_string(file).unwrap();
    for name in ["shop", "orders", "tenant", "127.0.0.1"] {
        assert!(!text.contains(name), "{name}: {text}");
    }
    let bundle: serde_json::Value = serde_json::from_str(&text).unwrap();
    let exchanges = bundle["exchanges"].as_array().unwrap();
    let container = exchanges.iter().find(|one| one["path"] == "/dbs/<name>/colls/<name>");
    let container = container.unwrap_or_else(|| panic!("{text}"));
    assert_eq!((&container["status"], &container["shape"]["id"]), (&200.into(), &"text".into()));
}

/// The arguments of a process, and of those it started, while it runs.
fn arguments(id: u32) -> String {
    let own = fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default();
    let entries = fs::read_dir("/proc").unwrap().flatten();
    let children = entries.filter(|entry| {
        let stat = fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
        let behind = stat.rsplit(')').next().unwrap_or_default();
        behind.split_whitespace().nth(1) == Some(&id.to_string())
    });
    let theirs: Vec<u8> = children
        .flat_map(|entry| fs::read(entry.path().join("cmdline")).unwrap_or_default())
        .collect();
    String::from_utf8_lossy(&[own, theirs].concat()).into_owned()
}

#[test]
fn an_az_that_hangs_is_ended_and_no_argument_holds_a_secret() {
    let home = Home::new().with_az("echo $$ > \"$HOME/pid.txt\"; sleep 600");
    let nowhere = nowhere();
    let args = ["doctor", &nowhere, "--emulator", "--auth", "developer"];
    let begun = Instant::now();
    let child = home.command(&args).env("COSMOSCOPE_KEY", KEY).spawn().unwrap();
    let pid_file = home.place.home().join("pid.txt");
    while !pid_file.exists() {
        assert!(begun.elapsed() < Duration::from_secs(60), "az was not started");
        thread::sleep(Duration::from_millis(20));
    }
    if cfg!(target_os = "linux") {
        let seen = arguments(child.id());
        assert!(seen.contains("doctor") && seen.contains("get-access-token"), "{seen}");
        assert_clean("the arguments", &seen);
    }
    let answer = Answer::of(&args, child.wait_with_output().unwrap()).ends_with(3);
    let reported = answer.text().split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(reported.contains("the Azure CLI (az) gave no answer within 13 seconds"), "{reported}");
    let id = fs::read_to_string(pid_file).unwrap();
    let is_gone = || !PathBuf::from(format!("/proc/{}", id.trim())).exists();
    let mut looks = 0;
    while cfg!(target_os = "linux") && !is_gone() {
        looks += 1;
        assert!(looks < 100, "az still runs");
        thread::sleep(Duration::from_millis(20));
    }
}

/// Answers one request after the other by repeating what it was sent, as a refusal, until nobody asks any more.
fn repeating() -> (String, thread::JoinHandle<Vec<String>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let server = thread::spawn(move || {
        let mut seen = Vec::new();
        let begun = Instant::now();
        let mut last = begun;
        while begun.elapsed() < Duration::from_secs(60)
            && (seen.is_empty() || last.elapsed() < Duration::from_secs(3))
        {
            match listener.accept() {
                Ok((stream, _)) => {
                    let asked = repeat(stream);
                    if !asked.is_empty() {
                        seen.push(asked);
                    }
                    last = Instant::now();
                }
                Err(e) if e.kind() == ErrorKind::WouldBlock => {
                    thread::sleep(Duration::from_millis(10));
                }
                Err(e) => panic!("{e}"),
            }
        }
        seen
    });
    (address, server)
}

fn repeat(mut stream: TcpStream) -> String {
    stream.set_nonblocking(false).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
    let mut bytes = Vec::new();
    let mut piece = [0; 4096];
    while !bytes.windows(4).any(|four| four == b"\r\n\r\n") {
        match stream.read(&mut piece) {
            Ok(0) | Err(_) => break,
            Ok(n) => bytes.extend_from_slice(&piece[..n]),
        }
    }
    let asked = String::from_utf8_lossy(&bytes).into_owned();
    let said = asked.replace(['\r', '\n', '"'], " ");
    let body = format!("{{\"code\":\"Unauthorized\",\"message\":\"not you: {said} {KEY}\"}}");
    let _ = write!(
        stream,
        "HTTP/1.1 401 Unauthorized\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    );
    asked
}

#[test]
fn a_service_that_repeats_what_it_was_sent_is_not_repeated() {
    let home = Home::new();
    let file = home.place.write("key.txt", format!("{KEY}\n"));
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
    let connection = |address: &str| format!("AccountEndpoint={address}/;AccountKey={KEY};");
    for how in ["variable", "connection", "file", "standard input"] {
        let (address, server) = repeating();
        let text = connection(&address);
        let args = ["doctor", address.as_str(), "--emulator", "--auth", "key"];
        let answer = match how {
            "variable" => home.run(&args, &[("COSMOSCOPE_KEY", KEY)]),
            "connection" => home.run(&args, &[("AZURE_COSMOS_CONNECTION_STRING", &text)]),
            "file" => home.run(&[&args[..], &["--key-file", "key.txt"]].concat(), &[]),
            _ => {
                let args = [&args[..], &["--key-file", "-"]].concat();
                home.run_reading(&args, &[], Some("key.txt"))
            }
        };
        let reported = answer.ends_with(3).text();
        let from = match how {
            "standard input" => "an account key from standard input",
            _ => "an account key from the",
        };
        assert!(reported.contains(from), "{reported}");
        assert!(reported.contains("not accepted (401)"), "{reported}");
        let asked = server.join().unwrap();
        assert!(
            !asked.is_empty() && asked.iter().all(|asked| asked.starts_with("GET / ")),
            "{asked:?}"
        );
        assert!(asked.iter().any(|asked| asked.contains("sig%3D")), "{asked:?}");
        assert!(asked.iter().all(|asked| !asked.contains(KEY)), "{asked:?}");
    }
}

#[test]
fn key_files_are_for_one_reader() {
    let home = Home::new();
    let nowhere = nowhere();
    let run = |name: &str| {
        home.run(&["doctor", &nowhere, "--emulator", "--key-file", name], &[]).ends_with(2).err
    };
    home.place.write("key.txt", KEY);
    fs::set_permissions(home.path("key.txt"), fs::Permissions::from_mode(0o644)).unwrap();
    assert!(run("key.txt").contains("can be read by others"));
    for (content, why) in [
        (b"SENTINEL and no key".to_vec(), "holds no account key"),
        (vec![b'S'; 70_000], "too long"),
        (vec![0xff; 40], "not text"),
        (Vec::new(), "is empty"),
    ] {
        home.place.write("key.txt", content);
        fs::set_permissions(home.path("key.txt"), fs::Permissions::from_mode(0o600)).unwrap();
        let reported = run("key.txt");
        assert!(reported.contains(why), "{reported}");
    }
    assert!(run("absent.txt").contains("cannot be read"));
    assert!(run("bin").contains("folder"));
}

#[test]
fn a_secret_among_the_arguments_is_not_repeated_and_nothing_is_asked() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let connection = format!("AccountEndpoint={address}/;AccountKey={KEY};");
    let home = Home::new();
    for args in [
        &["connect", connection.as_str()][..],
        &["connect", &connection, "--emulator"],
        &["doctor", &connection, "--emulator"],
        &["connect", &address, "--emulator", KEY],
        &["connect", &address, "--emulator", "--key", KEY],
        &["doctor", &address, "--emulator", "--auth", KEY],
        &["doctor", &address, "--emulator", "--database", &connection],
        &["doctor", KEY],
        &["count", &address, "--emulator", "--key", KEY],
        &["count", &connection],
        &[&connection],
        &["open", &connection],
        &["report", &connection],
        &["inspect", "--wrong", &connection],
    ] {
        let answer = home.run(args, &[]).ends_with(2);
        assert!(
            answer.text().is_empty() && answer.err.starts_with("error: "),
            "{args:?}: {}",
            answer.err
        );
    }
    let reported = home.run(&["connect", &connection], &[]).err;
    assert!(reported.contains("rotate it") && reported.contains("COSMOSCOPE_KEY"), "{reported}");
    assert_eq!(listener.accept().unwrap_err().kind(), ErrorKind::WouldBlock, "somebody asked");
}

#[test]
fn contexts_hold_no_secret() {
    let home = Home::new();
    for line in [
        format!("key = \"{KEY}\""),
        format!("endpoint = \"AccountEndpoint=https://a/;AccountKey={KEY}\""),
    ] {
        home.place.write("own.toml", format!("[contexts.prod]\n{line}\n"));
        let reported = home.run(&["doctor", "prod", "--config", "own.toml"], &[]).ends_with(2).err;
        assert!(reported.contains("rotate it"), "{reported}");
    }
    let nowhere = nowhere();
    home.place
        .write("own.toml", format!("[contexts.local]\nendpoint = \"{nowhere}\"\nauth = \"key\"\n"));
    let reported = home
        .run(&["doctor", "local", "--emulator", "--config", "own.toml"], &[])
        .ends_with(3)
        .text();
    assert!(reported.contains("the key that is published for emulators"), "{reported}");
}
