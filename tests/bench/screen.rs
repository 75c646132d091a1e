//! The screens with a million keys, the heat map and trials of keys: frames, filters, keys pressed while a file is read, idling, memory.
//!
//! The first half drives the library, the second a release build in a pseudo-terminal. Times on a shared machine prove
//! little by themselves: each run also prints how long a fixed piece of work took, to be compared between runs.
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a bench writes its own files, reads the clock, prints and may panic"
)]

mod forecast;
mod heat;
mod live;
mod trial;

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use cosmoscope::analysis::ceiling::Ceiling;
use cosmoscope::source::scenario;
use cosmoscope::source::watch::Watch;
use cosmoscope::tui::WorkContext;
use cosmoscope::ui::app::update::{open, update};
use cosmoscope::ui::app::{self, App, AppSettings};
use cosmoscope::ui::kit::glyphs::Glyphs;
use cosmoscope::ui::kit::input::{Chord, InputEvent, Size};
use cosmoscope::ui::kit::keymap::Keymap;
use cosmoscope::ui::kit::msg::Msg;
use cosmoscope::ui::kit::theme::{Colours, Theme};
use cosmoscope::work::data::Origin;
use cosmoscope::work::load::Loader;
use cosmoscope::work::recent::Recent;
use portable_pty::{CommandBuilder, PtySize, native_pty_system};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

const KEYS: u64 = 1_000_000;
const SIZE: (u16, u16) = (200, 60);

/// One row for each of a million keys, in no order; the day of the reading follows from the key.
fn write_export(path: &Path) {
    let mut out = BufWriter::new(File::create(path).unwrap());
    out.write_all(
        b"TimeGenerated,AccountName,RegionName,DatabaseName,CollectionName,PartitionKey,SizeKb\n",
    )
    .unwrap();
    for row in 0..KEYS {
        // Odd and no multiple of five: every key comes once.
        let key = row * 7_368_787 % KEYS;
        let (day, kib) = (1 + key % 28, 1_000 + key * 40_503 % 20_000_000);
        writeln!(out, "2026-06-{day:02}T02:00:00Z,northpier-prod,West Europe,shop,orders,\"[\"\"tenant-{key:07}\"\"]\",{kib}").unwrap();
    }
    out.flush().unwrap();
}

/// The time that all but one of so many took at most.
fn all_but(times: &[Duration], so_many: usize) -> Duration {
    let mut sorted = times.to_vec();
    sorted.sort_unstable();
    let slower = sorted.len().div_ceil(so_many);
    sorted[sorted.len() - slower]
}

fn print(name: &str, times: &[Duration], must: &str) {
    let ms = |time: Duration| time.as_secs_f64() * 1000.0;
    let max = times.iter().max().copied().unwrap_or_default();
    println!(
        "{name:<44} p50 {:>8.2} ms  p99 {:>8.2} ms  max {:>8.2} ms  n {:>5}  {must}",
        ms(all_but(times, 2)),
        ms(all_but(times, 100)),
        ms(max),
        times.len()
    );
}

fn print_against(name: &str, times: &[Duration], fixed: Duration, must: &str) {
    let ratio = all_but(times, 100).as_secs_f64() / fixed.as_secs_f64();
    print(name, times, &format!("p99 {ratio:.4} of the fixed work  {must}"));
}

/// A fixed piece of work on one core, to tell a slow machine from a slow program.
fn yardstick() -> Duration {
    let begun = Instant::now();
    let mut state = 1_u64;
    for step in 0..50_000_000_u64 {
        state = (state ^ step).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(17);
    }
    std::hint::black_box(state);
    begun.elapsed()
}

struct Screens {
    app: App,
    work: WorkContext,
    buffer: Buffer,
}

impl Screens {
    fn new() -> Self {
        let settings = AppSettings {
            keymap: Keymap::built_in(),
            theme: Theme::named("dark", Colours::TrueColour, Glyphs::Unicode).unwrap(),
            theme_name: "dark".to_owned(),
            ceiling: Ceiling::BINARY,
            scenarios: scenario::list(),
            salt: None,
            origin: None,
            lesson: None,
            view: cosmoscope::ui::kit::msg::ViewId::Start,
            documents: Vec::new(),
            queries: None,
            every_ms: None,
            allowance: cosmoscope::work::sample::Allowance::default(),
        };
        let (app, _) = App::new(settings);
        let work = WorkContext {
            loader: Loader::default(),
            recent: Recent::Off,
            salt: None,
            live: None,
            typing_pause: Duration::ZERO,
        };
        let buffer = Buffer::empty(Rect::new(0, 0, SIZE.0, SIZE.1));
        let mut screens = Self { app, work, buffer };
        screens.send(Msg::Did(InputEvent::Resized(Size::clamped(SIZE.0, SIZE.1))));
        screens
    }

    fn send(&mut self, msg: Msg) {
        let effects = update(&mut self.app, msg);
        self.done(effects);
    }

    fn done(&mut self, effects: Vec<cosmoscope::ui::kit::msg::Effect>) {
        for effect in effects {
            let mut reported = Vec::new();
            self.work.perform(effect, &Watch::default(), &mut |msg| reported.push(msg));
            for msg in reported {
                self.send(msg);
            }
        }
    }

    fn key(&mut self, chord: &str) {
        let chord = Chord::parse(chord).unwrap();
        self.send(Msg::Did(InputEvent::Key(chord)));
    }

    fn draw(&mut self) {
        self.buffer.reset();
        app::draw(&self.app, &mut self.buffer);
    }
}

/// A key, its effects and the frame after it.
fn time_keys(screens: &mut Screens, chords: &[&str], times: usize) -> Vec<Duration> {
    let mut taken = Vec::new();
    for chord in chords.iter().cycle().take(times) {
        let begun = Instant::now();
        screens.key(chord);
        screens.draw();
        taken.push(begun.elapsed());
    }
    taken
}

/// Frames of some views without a key between them; the slowest view is the one that counts.
fn time_frames<const N: usize>(screens: &mut Screens, name: &str, views: [&str; N]) {
    let of_view = |view| {
        screens.key(view);
        let frames = (0..1_000).map(|_| {
            let begun = Instant::now();
            screens.draw();
            begun.elapsed()
        });
        (frames.collect::<Vec<_>>(), view)
    };
    let slowest = views.map(of_view).into_iter().max_by_key(|(frames, _)| all_but(frames, 100));
    let (frames, view) = slowest.unwrap();
    print(&format!("{name}, view {view}"), &frames, "must 1 ms p99");
}

fn frames_of_scenarios() {
    for info in scenario::list() {
        let name = info.name;
        let mut screens = Screens::new();
        let effects = open(&mut screens.app, Origin::Scenario(name));
        screens.done(effects);
        time_frames(&mut screens, &format!("frame, {name}"), ["1", "2", "3", "4", "5", "w"]);
    }
}

fn in_the_library(file: &Path) {
    frames_of_scenarios();
    let mut screens = Screens::new();
    let begun = Instant::now();
    let effects = open(&mut screens.app, Origin::Paths(vec![file.to_owned()]));
    screens.done(effects);
    println!("{:<44} {:>12.2} s", "open 1 M keys", begun.elapsed().as_secs_f64());
    screens.key("2");
    let moves =
        time_keys(&mut screens, &["j", "page-down", "ctrl-d", "G", "k", "page-up", "g"], 3_000);
    print("key press and frame, 1 M keys, 200x60", &moves, "must 4 ms p99");
    time_frames(&mut screens, "frame alone, 1 M keys", ["1", "2", "4"]);
    let mut typed = Vec::new();
    for text in ["99", "tenant-0", "TENANT", "size>14GiB", "77 or 88", "xyzzy", "4"] {
        screens.key("/");
        for c in text.chars() {
            let chord = if c == ' ' { "space".to_owned() } else { c.to_string() };
            typed.extend(time_keys(&mut screens, &[&chord], 1));
        }
        screens.key("esc");
    }
    print("letter of a filter over 1 M keys", &typed, "must 50 ms");
    let sorted = time_keys(&mut screens, &["s"], 9);
    print("sort 1 M keys by another column", &sorted, "");
}

/// The release build in a pseudo-terminal.
struct Child {
    pid: u32,
    writer: Box<dyn Write + Send>,
    output: Receiver<Vec<u8>>,
    parser: vt100::Parser,
    _master: Box<dyn portable_pty::MasterPty + Send>,
    process: Box<dyn portable_pty::Child + Send + Sync>,
}

impl Child {
    fn start(binary: &Path, home: &Path, arguments: &[&str]) -> Self {
        let size = PtySize { rows: SIZE.1, cols: SIZE.0, pixel_width: 0, pixel_height: 0 };
        let pair = native_pty_system().openpty(size).unwrap();
        let mut command = CommandBuilder::new(binary);
        command.args(arguments);
        command.env("TERM", "xterm-256color");
        command.env("LANG", "C.UTF-8");
        command.env("HOME", home);
        let child = pair.slave.spawn_command(command).unwrap();
        let pid = child.process_id().unwrap();
        let mut reader = pair.master.try_clone_reader().unwrap();
        let (tell, output) = channel();
        std::thread::spawn(move || {
            let mut bytes = vec![0; 65_536];
            while let Ok(n @ 1..) = reader.read(&mut bytes) {
                if tell.send(bytes[..n].to_vec()).is_err() {
                    break;
                }
            }
        });
        Self {
            pid,
            writer: pair.master.take_writer().unwrap(),
            output,
            parser: vt100::Parser::new(SIZE.1.try_into().unwrap(), SIZE.0.try_into().unwrap(), 0),
            _master: pair.master,
            process: child,
        }
    }

    fn press(&mut self, bytes: &[u8]) {
        self.writer.write_all(bytes).unwrap();
        self.writer.flush().unwrap();
    }

    fn shows(&self, text: &str) -> bool {
        self.parser.screen().contents().contains(text)
    }

    /// Waits until the screen is as wanted; None after ten seconds.
    fn until(&mut self, wanted: impl Fn(&Self) -> bool) -> Option<Duration> {
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_secs(20) {
            if let Ok(bytes) = self.output.recv_timeout(Duration::from_millis(50)) {
                self.parser.process(&bytes);
            }
            if wanted(self) {
                return Some(begun.elapsed());
            }
        }
        None
    }

    fn status(&self, field: &str) -> u64 {
        let text = fs::read_to_string(format!("/proc/{}/status", self.pid)).unwrap_or_default();
        let line = text.lines().find(|line| line.starts_with(field)).unwrap_or_default();
        let digits: String = line.chars().filter(char::is_ascii_digit).collect();
        digits.parse().unwrap_or(0)
    }

    /// How often any thread was woken.
    fn wake_ups(&self) -> u64 {
        let mut sum = 0;
        for task in fs::read_dir(format!("/proc/{}/task", self.pid)).unwrap() {
            let text = fs::read_to_string(task.unwrap().path().join("status")).unwrap_or_default();
            let line = text.lines().find(|line| line.starts_with("voluntary_ctxt_switches"));
            sum += line
                .and_then(|l| l.split_whitespace().nth(1))
                .and_then(|n| n.parse::<u64>().ok())
                .unwrap_or(0);
        }
        sum
    }

    fn leave(mut self) {
        self.press(b"q");
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_secs(5) {
            if let Ok(Some(_)) = self.process.try_wait() {
                return;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        let _ = self.process.kill();
    }
}

fn in_a_terminal(binary: &Path, folder: &Path, million: &Path) {
    let home = folder.join("home");
    fs::create_dir_all(&home).unwrap();
    let mut paints = Vec::new();
    for _ in 0..20 {
        let begun = Instant::now();
        let mut child = Child::start(binary, &home, &["demo"]);
        child.until(|c| c.shows("tenants")).unwrap();
        paints.push(begun.elapsed());
        child.leave();
    }
    print("start to first screen", &paints, "must 100 ms");

    let mut child = Child::start(binary, &home, &["open", &million.to_string_lossy()]);
    // Both of these hold while the file is read as well as after it: help opens and closes.
    let mut pressed = Vec::new();
    let begun = Instant::now();
    child.until(|c| c.shows("Ctrl-x stop")).unwrap();
    while child.shows("Ctrl-x stop") || pressed.is_empty() {
        child.press(b"?");
        pressed.extend(child.until(|c| c.shows("Everywhere")));
        child.press(b"\x1b");
        pressed.extend(child.until(|c| !c.shows("Everywhere")));
        // Escape and a key right behind it would be one key with Alt.
        std::thread::sleep(Duration::from_millis(10));
    }
    let loaded = begun.elapsed();
    print("key to screen while a 1 M-row file is read", &pressed, "must 16 ms p99");
    println!("{:<44} {:>12.2} s", "  until it was read", loaded.as_secs_f64());
    child.press(b"2");
    child.until(|c| c.shows("tenant-")).unwrap();
    println!(
        "{:<44} {:>12} MiB  must 300 MB",
        "peak memory with 1 M keys",
        child.status("VmHWM") / 1024
    );
    std::thread::sleep(Duration::from_secs(1));
    let before = child.wake_ups();
    std::thread::sleep(Duration::from_secs(2));
    println!("{:<44} {:>12}      must 0", "wake-ups in 2 s of idling", child.wake_ups() - before);
    child.leave();
}

fn main() {
    let mut facts = String::new();
    let fixed = yardstick();
    let _ = write!(facts, "fixed work: {:.0} ms", fixed.as_secs_f64() * 1000.0);
    println!("{facts}");
    let only = |name: &str| std::env::args().any(|argument| argument == name);
    if only("trial") {
        trial::run(fixed);
        return;
    }
    if only("forecast") {
        forecast::run(fixed);
        return;
    }
    if only("live") {
        live::run();
        return;
    }
    heat::run(fixed);
    // `cargo bench --bench screen -- heat` stops here, and `-- trial` measures trials of keys alone.
    if only("heat") {
        return;
    }
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("screen-bench");
    fs::create_dir_all(&folder).unwrap();
    let million = folder.join("million-keys.csv");
    if !million.exists() {
        write_export(&million);
    }
    in_the_library(&million);
    forecast::run(fixed);
    // `cargo bench --bench screen -- library` leaves the terminal out.
    if only("library") {
        return;
    }
    let binary = PathBuf::from(env!("CARGO_BIN_EXE_cosmoscope"));
    in_a_terminal(&binary, &folder, &million);
    println!("fixed work: {:.0} ms", yardstick().as_secs_f64() * 1000.0);
}
