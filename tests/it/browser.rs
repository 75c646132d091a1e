//! The HTML page and the SVG file in a real browser: what it makes of them, and that nothing in them runs.
//!
//! They need a browser of the Chromium family: `cargo test --test it browser -- --ignored`.

use std::env;
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use super::cli::heat::{HOSTILE, hostile_log};
use super::cli::{Place, sample};

const NAMES: [&str; 6] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome-headless-shell",
    "microsoft-edge",
];
/// The first start of a browser on a busy machine; a page takes it a second or two.
const PATIENCE: Duration = Duration::from_secs(60);

/// The one that the environment names, else the first on the path.
fn browser() -> Option<PathBuf> {
    if let Some(named) = env::var_os("COSMOSCOPE_CHROMIUM") {
        return Some(PathBuf::from(named)).filter(|path| path.is_file());
    }
    let path = env::var_os("PATH")?;
    let folders: Vec<PathBuf> = env::split_paths(&path).collect();
    let named = NAMES.iter().flat_map(|name| folders.iter().map(move |f| f.join(name)));
    named.into_iter().find(|path| path.is_file())
}

/// The document as the browser has it after loading.
fn dom(page: &Path) -> String {
    let names = NAMES.join(", ");
    let browser = browser().unwrap_or_else(|| {
        panic!("none of {names} is on the path; COSMOSCOPE_CHROMIUM names a browser")
    });
    let home = TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let mut child = Command::new(&browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"])
        .args(["--no-first-run", "--disable-extensions", "--disable-background-networking"])
        .arg(format!("--user-data-dir={}", home.path().join("profile").display()))
        .arg("--dump-dom")
        .arg(format!("file://{}", page.display()))
        .env("HOME", home.path())
        .env("XDG_CONFIG_HOME", home.path())
        .env("XDG_CACHE_HOME", home.path())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut out = child.stdout.take().unwrap();
    let reader = std::thread::spawn(move || {
        let mut text = String::new();
        out.read_to_string(&mut text).map(|_| text)
    });
    let started = Instant::now();
    let ended = loop {
        if let Some(ended) = child.try_wait().unwrap() {
            break ended;
        }
        if started.elapsed() > PATIENCE {
            child.kill().unwrap();
            child.wait().unwrap();
            panic!("{} did not end within {PATIENCE:?}", browser.display());
        }
        std::thread::sleep(Duration::from_millis(50));
    };
    assert!(ended.success(), "{} ended with {ended}", browser.display());
    reader.join().unwrap().unwrap()
}

/// A report of these inputs as a file.
fn page(place: &Place, inputs: &[&str], format: &str) -> PathBuf {
    let name = format!("report.{format}");
    let mut args = vec!["report", "--view", "heat", "--format", format, "-o", &name];
    args.extend(inputs);
    place.run(&args).ends_with(0);
    let path = place.data().join(&name);
    assert!(fs::metadata(&path).unwrap().len() > 0);
    path
}

#[test]
#[ignore = "needs a browser of the Chromium family"]
fn the_page_stands_as_it_was_written() {
    let place = Place::new();
    let inputs = ["ru", "metrics", "arm", "stats/container-read"].map(sample);
    let inputs: Vec<&str> = inputs.iter().map(String::as_str).collect();
    let dom = dom(&page(&place, &inputs, "html"));
    for row in [
        "<td><bdi>tenant-0001</bdi></td>",
        "<td><bdi>100 %</bdi></td>",
        "HOT KEY · tenant-0001 · 99.8 % of partition 3 · ",
        "<h2><bdi>northpier-prod / shop / orders</bdi></h2>",
        "fill=\"#a50f15\"><title>partition 3, ",
        "fill=\"url(#gap-0)\"><title>partition 4, ",
        ">throttled (429)</text>",
    ] {
        assert!(dom.contains(row), "{row}: {dom}");
    }
    assert!(!dom.contains("<script"), "{dom}");
    assert_eq!(dom.matches("<svg").count(), 3, "{dom}");
}

#[test]
#[ignore = "needs a browser of the Chromium family"]
fn the_picture_stands_as_it_was_written() {
    let place = Place::new();
    let inputs = ["ru", "metrics", "arm", "stats/container-read"].map(sample);
    let inputs: Vec<&str> = inputs.iter().map(String::as_str).collect();
    let dom = dom(&page(&place, &inputs, "svg"));
    for part in ["<title>partition 3, ", ">northpier-prod / shop / orders</text>", "url(#gap-0)"] {
        assert!(dom.contains(part), "{part}: {dom}");
    }
    // A file that is no XML would be shown as an error.
    assert!(!dom.contains("parsererror") && !dom.contains("<script"), "{dom}");
}

#[test]
#[ignore = "needs a browser of the Chromium family"]
fn hostile_names_are_text_in_a_browser() {
    let place = Place::new();
    place.write("log.csv", hostile_log());
    for format in ["html", "svg"] {
        let dom = dom(&page(&place, &["log.csv"], format));
        for markup in ["<script", "<img", "<b>", "parsererror", "<title>taken"] {
            assert!(!dom.contains(markup), "{markup} in {format}: {dom}");
        }
        // Serialised again, what was text is text.
        assert!(dom.contains("&lt;script&gt;document.title='taken'&lt;/script&gt;"), "{dom}");
        let shown = HOSTILE.iter().filter(|name| name.contains("url(")).count();
        assert!(dom.matches("url(http://127.0.0.1/x)").count() >= shown, "{dom}");
        let odd =
            dom.chars().find(|c| matches!(c, '\u{202e}' | '\u{2066}' | '\u{1b}' | '\u{200b}'));
        assert_eq!(odd, None, "{dom}");
    }
}
