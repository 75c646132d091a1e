//! `-o FILE`: whole or absent, never in the place of something else.

use std::fs;

use super::{Place, STANDARD, sample};

#[test]
fn the_file_holds_what_standard_output_would() {
    let place = Place::new();
    let (path, other) = (sample(STANDARD), sample("hard/object-keys.csv"));
    for (n, (code, args)) in [
        (0, &["report", &path, "--format", "json"][..]),
        (0, &["report", &path]),
        (0, &["inspect", &path, "--format", "json"]),
        (1, &["check", &path]),
        (0, &["diff", &other, &path]),
        (0, &["forecast", &path]),
    ]
    .into_iter()
    .enumerate()
    {
        let printed = place.run(args).ends_with(code);
        let name = format!("{n}.out");
        let saved = place.run(&[args, &["-o", &name]].concat()).ends_with(code);
        assert!(saved.out.is_empty(), "{args:?}");
        assert_eq!(fs::read(place.data().join(&name)).unwrap(), printed.out, "{args:?}");
    }
    assert_eq!(place.files().len(), 6, "{:?}", place.files());
}

#[test]
fn what_exists_is_kept_unless_forced() {
    let place = Place::new();
    let path = sample(STANDARD);
    let target = place.write("kept.json", "precious");
    let args = ["report", &path, "--format", "json", "-o", "kept.json"];
    let refused = place.run(&args).ends_with(2);
    assert!(refused.err.contains("kept.json exists\nhint: --force"), "{}", refused.err);
    assert_eq!(fs::read_to_string(&target).unwrap(), "precious");
    place.run(&[&args[..], &["--force"]].concat()).ends_with(0);
    assert!(fs::read_to_string(&target).unwrap().starts_with("{\"schema\":1,"));
    assert_eq!(place.files(), ["kept.json"]);
}

#[test]
fn folders_are_no_target() {
    let place = Place::new();
    let path = sample(STANDARD);
    fs::create_dir(place.data().join("folder")).unwrap();
    place.write("file", "precious");
    for (target, force) in [
        ("folder", None),
        ("folder", Some("--force")),
        ("absent/report.json", None),
        ("absent/report.json", Some("--force")),
        ("file/report.json", None),
    ] {
        let mut args = vec!["report", &path, "-o", target];
        args.extend(force);
        let refused = place.run(&args).ends_with(2);
        assert!(refused.err.starts_with("error: ") && refused.out.is_empty(), "{target}");
    }
    assert_eq!(place.files(), ["file", "folder"]);
}

#[test]
fn nothing_is_written_where_nothing_was_read() {
    let place = Place::new();
    place.run(&["report", &sample("hard/not-text.bin"), "-o", "report.txt"]).ends_with(2);
    place.run(&["check", "absent.csv", "-o", "check.txt"]).ends_with(2);
    assert!(place.files().is_empty());
}

#[test]
fn an_absent_folder_is_refused_before_anything_is_read() {
    let place = Place::new();
    // Were it read first, the input would be what is refused.
    let refused = place.run(&["report", "absent.csv", "-o", "absent/report.txt"]);
    let refused = refused.ends_with(2).err;
    assert!(refused.starts_with("error: there is no folder absent\nhint: "), "{refused}");
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::process::Command;

    use super::*;

    #[test]
    fn links_are_no_target() {
        let place = Place::new();
        let target = place.write("target", "precious");
        symlink(&target, place.data().join("link")).unwrap();
        symlink(place.data().join("nowhere"), place.data().join("dangling")).unwrap();
        for link in ["link", "dangling"] {
            for force in [None, Some("--force")] {
                let path = sample(STANDARD);
                let mut args = vec!["report", &path, "-o", link];
                args.extend(force);
                let refused = place.run(&args).ends_with(2);
                assert!(refused.err.contains("not a file"), "{}", refused.err);
            }
        }
        assert_eq!(fs::read_to_string(target).unwrap(), "precious");
        assert_eq!(place.files(), ["dangling", "link", "target"]);
    }

    #[test]
    fn permissions_follow_the_umask() {
        let place = Place::new();
        for (umask, mode) in [("022", 0o644), ("027", 0o640), ("077", 0o600)] {
            let script = format!("umask {umask}; exec \"$0\" \"$@\"");
            let run = place.command(&[]);
            let mut shell = Command::new("sh");
            shell.args(["-c", &script]).arg(run.get_program());
            shell.args(["report", &sample(STANDARD), "-o", umask]);
            shell.current_dir(place.data()).env("HOME", place.home());
            assert!(shell.status().unwrap().success());
            let made = fs::metadata(place.data().join(umask)).unwrap();
            assert_eq!(made.permissions().mode() & 0o777, mode, "{umask}");
        }
    }

    #[test]
    fn a_folder_without_leave_to_write_is_2() {
        let place = Place::new();
        let folder = place.data().join("closed");
        fs::create_dir(&folder).unwrap();
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o555)).unwrap();
        // Some users may write everywhere; for them the folder is not closed.
        let open_to_us = fs::write(folder.join("probe"), "").is_ok();
        let path = sample(STANDARD);
        let answer = place.run(&["report", &path, "-o", "closed/report.txt"]);
        answer.ends_with(if open_to_us { 0 } else { 2 });
        fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).unwrap();
    }
}
