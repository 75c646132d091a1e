//! Programs that are started for a token: what they are given, what they cannot do.
#![expect(clippy::disallowed_methods, reason = "a test looks at the system itself")]
#![cfg(unix)]

use std::ffi::OsStr;
use std::time::Duration;

use azure_identity::Executor;

use super::super::child::{Programs, SECRETS_OF_OTHERS, command};
use super::run;
use crate::source::live::secret::OWN_VARIABLES;

async fn shell(script: &str) -> std::io::Result<std::process::Output> {
    let args = [OsStr::new("-c"), OsStr::new(script)];
    Programs.run(OsStr::new("/bin/sh"), &args).await
}

#[test]
fn our_own_secrets_are_not_passed_on() {
    let made = command(OsStr::new("/bin/sh"), &[]);
    let secrets = OWN_VARIABLES.iter().chain(&SECRETS_OF_OTHERS);
    for name in secrets.clone() {
        assert!(made.get_envs().any(|(found, value)| found == *name && value.is_none()), "{name}");
    }
    assert_eq!(made.get_envs().count(), secrets.count());
}

#[test]
fn output_and_code_come_back_bounded() {
    run(async {
        let done =
            shell("echo out; echo err >&2; read line || echo no input; exit 3").await.unwrap();
        assert_eq!(done.status.code(), Some(3));
        assert_eq!(
            (done.stdout.as_slice(), done.stderr.as_slice()),
            (&b"out\nno input\n"[..], &b"err\n"[..])
        );
        let long = shell("head -c 1000000 /dev/zero; head -c 1000000 /dev/zero >&2").await.unwrap();
        assert_eq!((long.stdout.len(), long.stderr.len()), (256 << 10, 256 << 10));
        let absent = Programs.run(OsStr::new("/absent/program"), &[]).await;
        assert_eq!(absent.unwrap_err().kind(), std::io::ErrorKind::NotFound);
    });
}

/// Whether a program of ours with this mark among its arguments runs.
fn runs(mark: &str) -> bool {
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    let lines = entries.filter_map(|entry| std::fs::read(entry.path().join("cmdline")).ok());
    lines.into_iter().any(|line| String::from_utf8_lossy(&line).contains(mark))
}

#[cfg(target_os = "linux")]
#[test]
fn whoever_stops_waiting_ends_the_program_and_what_it_started() {
    // Its own number makes the mark: no other test waits as long.
    let mark = format!("86{:05}", std::process::id() % 100_000);
    for script in [
        format!("sleep {mark}"),
        format!("sleep {mark} & sleep {mark}; echo"),
        format!("sleep {mark} &"),
    ] {
        run(async {
            let waited = tokio::time::timeout(Duration::from_millis(300), shell(&script)).await;
            assert!(waited.is_err(), "{script}");
        });
        let mut looks = 0;
        while runs(&format!("sleep\0{mark}")) {
            looks += 1;
            assert!(looks < 100, "still there: {script}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}
