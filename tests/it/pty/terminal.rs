//! A terminal for one program: what the program wrote, as a person would see it, and what its modes are.

use std::io::{Read, Write};
use std::num::NonZero;
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtyPair, PtySize, native_pty_system};
use tempfile::TempDir;

pub const PROGRAM: &str = env!("CARGO_BIN_EXE_cosmoscope");
/// Far more than anything takes on a busy machine: it only keeps a broken program from waiting for ever.
const LIMIT: Duration = Duration::from_secs(60);
const WINDOW: (u16, u16) = (80, 24);

/// What the program wrote so far.
struct SeenText {
    parser: vt100::Parser,
    bytes: Vec<u8>,
    ended: bool,
}

pub struct Terminal {
    folder: TempDir,
    pair: Option<PtyPair>,
    master: Option<Box<dyn MasterPty + Send>>,
    keyboard: Option<Box<dyn Write + Send>>,
    child: Option<Box<dyn Child + Send + Sync>>,
    /// Its modes before anything ran.
    before: String,
    seen: Arc<(Mutex<SeenText>, Condvar)>,
}

fn cells(count: u16) -> NonZero<u16> {
    NonZero::new(count).unwrap()
}

fn window(width: u16, height: u16) -> PtySize {
    PtySize { rows: height, cols: width, pixel_width: 0, pixel_height: 0 }
}

impl Terminal {
    pub fn new() -> Self {
        Self::of(WINDOW.0, WINDOW.1)
    }

    pub fn of(width: u16, height: u16) -> Self {
        let pair = native_pty_system().openpty(window(width, height)).unwrap();
        let seen = SeenText {
            parser: vt100::Parser::new(cells(height), cells(width), 0),
            bytes: Vec::new(),
            ended: false,
        };
        let before = modes(pair.master.as_ref());
        Self {
            folder: TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap(),
            pair: Some(pair),
            master: None,
            keyboard: None,
            child: None,
            before,
            seen: Arc::new((Mutex::new(seen), Condvar::new())),
        }
    }

    pub fn home(&self) -> PathBuf {
        self.folder.path().to_owned()
    }

    /// Where the program keeps its own files. Only a debug build can be told to fail.
    #[cfg(debug_assertions)]
    pub fn state(&self) -> PathBuf {
        self.home().join("state/cosmoscope")
    }

    pub fn command(&self, args: &[&str]) -> CommandBuilder {
        let mut command = CommandBuilder::new(PROGRAM);
        command.args(args);
        self.settle(&mut command);
        command
    }

    /// A home of its own and a known terminal.
    pub fn settle(&self, command: &mut CommandBuilder) {
        command.cwd(self.folder.path());
        for name in ["NO_COLOR", "COLORTERM", "TERM_PROGRAM", "LC_ALL", "LC_CTYPE", "ENV"] {
            command.env_remove(name);
        }
        command.env("HOME", self.home());
        command.env("XDG_CONFIG_HOME", self.home().join("config"));
        command.env("XDG_STATE_HOME", self.home().join("state"));
        command.env("LANG", "C.UTF-8");
        command.env("TERM", "xterm-256color");
    }

    pub fn start(&mut self, command: CommandBuilder) {
        let PtyPair { slave, master } = self.pair.take().unwrap();
        self.child = Some(slave.spawn_command(command).unwrap());
        // Only the program holds the other end now: when it ends, so does what it wrote.
        drop(slave);
        let mut reader = master.try_clone_reader().unwrap();
        self.keyboard = Some(master.take_writer().unwrap());
        self.master = Some(master);
        let seen = Arc::clone(&self.seen);
        thread::spawn(move || {
            let mut buffer = [0; 4096];
            loop {
                let read = reader.read(&mut buffer).unwrap_or(0);
                let mut held = seen.0.lock().unwrap();
                held.parser.process(&buffer[..read]);
                held.bytes.extend_from_slice(&buffer[..read]);
                held.ended = read == 0;
                seen.1.notify_all();
                if read == 0 {
                    return;
                }
            }
        });
    }

    pub fn id(&self) -> u32 {
        self.child.as_ref().unwrap().process_id().unwrap()
    }

    pub fn types(&mut self, text: impl AsRef<[u8]>) {
        let keyboard = self.keyboard.as_mut().unwrap();
        keyboard.write_all(text.as_ref()).unwrap();
        keyboard.flush().unwrap();
    }

    pub fn resize(&mut self, width: u16, height: u16) {
        let mut held = self.seen.0.lock().unwrap();
        let screen = held.parser.screen_mut();
        screen.set_size(cells(height), cells(width));
        drop(held);
        let master = self.master.as_ref().unwrap();
        master.resize(window(width, height)).unwrap();
    }

    /// Waits until the screen is as described.
    #[track_caller]
    pub fn wait_for(&self, what: &str, is_there: impl Fn(&vt100::Screen) -> bool) {
        let until = Instant::now() + LIMIT;
        let mut held = self.seen.0.lock().unwrap();
        while !is_there(held.parser.screen()) {
            let left = until.saturating_duration_since(Instant::now());
            if held.ended || left.is_zero() {
                let shown = held.parser.screen().contents();
                // Whoever reads what the program writes goes on.
                drop(held);
                panic!("{what} never came:\n{shown}");
            }
            held = self.seen.1.wait_timeout(held, left).unwrap().0;
        }
    }

    /// Whether the screen is so within this time.
    pub fn comes(&self, within: Duration, is_there: impl Fn(&vt100::Screen) -> bool) -> bool {
        let until = Instant::now() + within;
        let mut held = self.seen.0.lock().unwrap();
        while !is_there(held.parser.screen()) {
            let left = until.saturating_duration_since(Instant::now());
            if held.ended || left.is_zero() {
                return false;
            }
            held = self.seen.1.wait_timeout(held, left).unwrap().0;
        }
        true
    }

    /// The exit code, once everything that was written is there.
    #[track_caller]
    pub fn code(&mut self) -> u32 {
        let until = Instant::now() + LIMIT;
        let mut held = self.seen.0.lock().unwrap();
        while !held.ended {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                let _ = self.child.as_mut().unwrap().kill();
                panic!("it does not end:\n{}", held.parser.screen().contents());
            }
            held = self.seen.1.wait_timeout(held, left).unwrap().0;
        }
        drop(held);
        self.child.as_mut().unwrap().wait().unwrap().exit_code()
    }

    /// The number that stands after a word in what was written.
    pub fn number_after(&self, word: &str) -> u32 {
        let bytes = self.bytes();
        let text = String::from_utf8_lossy(&bytes);
        let after = text.rsplit(word).next().unwrap();
        let digits = after.split('.').next().unwrap();
        digits.parse().unwrap()
    }

    pub fn bytes(&self) -> Vec<u8> {
        self.seen.0.lock().unwrap().bytes.clone()
    }

    pub fn contents(&self) -> String {
        self.seen.0.lock().unwrap().parser.screen().contents()
    }

    /// What somebody makes of the screen as it is now.
    pub fn look<T>(&self, at: impl FnOnce(&vt100::Screen) -> T) -> T {
        at(self.seen.0.lock().unwrap().parser.screen())
    }

    /// Whether the program has the terminal to itself.
    pub fn is_taken(&self) -> bool {
        let held = self.seen.0.lock().unwrap();
        let screen = held.parser.screen();
        let taken = screen.alternate_screen()
            && screen.hide_cursor()
            && screen.bracketed_paste()
            && screen.mouse_protocol_mode() != vt100::MouseProtocolMode::None;
        taken && modes(self.master.as_ref().unwrap().as_ref()) != self.before
    }

    #[track_caller]
    pub fn assert_given_back(&self) {
        let held = self.seen.0.lock().unwrap();
        let screen = held.parser.screen();
        assert!(!screen.alternate_screen(), "the second screen was not left");
        assert!(!screen.hide_cursor(), "the cursor is hidden");
        assert!(!screen.bracketed_paste(), "pastes are still marked");
        assert_eq!(
            screen.mouse_protocol_mode(),
            vt100::MouseProtocolMode::None,
            "the mouse is still reported"
        );
        drop(held);
        // Lines are edited and typed characters shown, as before anything ran.
        assert_eq!(modes(self.master.as_ref().unwrap().as_ref()), self.before);
    }
}

/// Every mode of the terminal, as text.
fn modes(master: &dyn MasterPty) -> String {
    format!("{:?}", master.get_termios().unwrap())
}
