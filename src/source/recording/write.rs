//! Writing a recording: private, through no link, line by line to the end of the file, and never more than its limit.

use std::borrow::Cow;
use std::fmt;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::Arc;

use super::line::{self, MAX_LINE_BYTES, RecordingHeader, RecordingLine};
use super::masked::{Masking, RecordingMask};
use crate::error::Error;
use crate::model::time::Stamp;
use crate::model::visible::visible;
use crate::source::answers::{Inquiry, Observation, Obstacle, Trouble};
use crate::source::input;
use crate::source::json::scan::{Scanner, Token};
use crate::source::private::{self, PrivatePurpose};

/// A day of a large account in rounds of a minute; more would surprise whoever finds it on the disk.
pub const MAX_BYTES: u64 = 1 << 30;
/// What the last line, which says why no more was recorded, may take.
const LAST_LINE_BYTES: u64 = 1 << 10;
/// A first line is far shorter.
const MAX_HEADER_BYTES: u64 = 64 << 10;

/// Takes secrets out of a text.
pub type Scrub = Arc<dyn for<'a> Fn(&'a str) -> Cow<'a, str> + Send + Sync>;

/// What becomes of a file that is there.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Existing {
    /// A recording of the same account, masked or not as this one, is gone on with; anything else stays as it is.
    #[default]
    Continue,
    Replace,
}

#[derive(Clone)]
pub struct RecordingOptions {
    pub existing: Existing,
    pub max_bytes: u64,
    pub scrub: Scrub,
    /// How names and keys are replaced, if they are.
    pub mask: Option<RecordingMask>,
}

impl Default for RecordingOptions {
    fn default() -> Self {
        Self {
            existing: Existing::default(),
            max_bytes: MAX_BYTES,
            scrub: Arc::new(|text| Cow::Borrowed(text)),
            mask: None,
        }
    }
}

/// A recording that is being made. Once a line cannot be written it says so and rests; the session goes on.
pub struct Recorder {
    file: File,
    shown: String,
    bytes: u64,
    max_bytes: u64,
    scrub: Scrub,
    masking: Option<Masking>,
    rests: bool,
    /// Why it rests, in a sentence that nobody was told yet.
    stopped: Option<String>,
    /// The time of the newest line.
    newest: Stamp,
}

/// Neither what takes secrets out nor what replaces names: both know them.
impl fmt::Debug for Recorder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Recorder")
            .field("shown", &self.shown)
            .field("bytes", &self.bytes)
            .field("rests", &self.rests)
            .finish_non_exhaustive()
    }
}

impl Recorder {
    /// Begins a recording of an account; `endpoint` is scheme and host, as it may be shown.
    pub fn create(
        path: &Path,
        endpoint: &str,
        started: Stamp,
        options: RecordingOptions,
    ) -> Result<Self, Error> {
        let masking = options.mask.map(|mask| Masking::new(mask, endpoint));
        let named = masking.as_ref().map(Masking::endpoint);
        let header = RecordingHeader {
            endpoint: named.unwrap_or_else(|| visible(&(options.scrub)(endpoint)).into_owned()),
            started,
            masked: masking.is_some(),
        };
        let (file, bytes) = place(path, &header, options.existing)?;
        let mut recorder = Self {
            file,
            shown: input::shown(path),
            bytes,
            max_bytes: options.max_bytes,
            scrub: options.scrub,
            masking,
            rests: false,
            stopped: None,
            newest: started,
        };
        recorder.write(&header.text()).map_err(cannot(path))?;
        recorder.file.sync_data().map_err(cannot(path))?;
        Ok(recorder)
    }

    #[cfg(test)]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Whether nothing more is recorded.
    pub fn rests(&self) -> bool {
        self.rests
    }

    /// Why nothing more is recorded, said once to whoever looks at the account meanwhile.
    pub fn take_stopped(&mut self) -> Option<String> {
        self.stopped.take()
    }

    /// Writes down what was seen. Gives a sentence where recording ends with it.
    pub fn seen(&mut self, seen: &Observation) -> Option<String> {
        self.newest = seen.at();
        let line = match &mut self.masking {
            Some(masking) => line::seen(&masking.seen(seen)?),
            None => line::seen(seen),
        };
        let line = if line.len() > MAX_LINE_BYTES {
            let what = format!("the answer had {} bytes and was not recorded", line.len());
            line::seen(&left_out(seen, seen.inquiry(), &what))
        } else {
            self.scrubbed(seen, line)
        };
        self.add(seen.at(), &line)
    }

    /// Every question of a round has its answer: what was written is to last.
    pub fn end_round(&mut self) -> Option<String> {
        let at = self.newest;
        let stopped = self.add(at, &line::round(at));
        if stopped.is_some() || self.rests {
            return stopped;
        }
        let synced = self.file.sync_data();
        synced.err().map(|e| self.rest(&e))
    }

    /// The line without secrets. One that would be no line any more says only that there was something.
    fn scrubbed(&self, seen: &Observation, line: String) -> String {
        let reported = |line: &str| matches!(line::parse(line), Ok(RecordingLine::Seen(_)));
        match (self.scrub)(&line) {
            Cow::Borrowed(same) if same.len() == line.len() => {}
            changed if reported(&changed) && !changed.trim_end().contains(['\n', '\r']) => {
                return self.unescaped(seen, changed.into_owned());
            }
            _ => return line::seen(&secret_left_out(seen)),
        }
        self.unescaped(seen, line)
    }

    /// A secret may also stand in a text with escapes, where nobody finds it before they are read.
    fn unescaped(&self, seen: &Observation, line: String) -> String {
        let mut scanner = Scanner::of(&line);
        let mut scratch = String::new();
        while line.contains('\\')
            && let Ok(Some(token)) = scanner.next_token()
        {
            if let Token::String(text) | Token::Key(text) = token
                && text.is_escaped()
            {
                let text = text.read(&mut scratch);
                if *(self.scrub)(text) != *text {
                    return line::seen(&secret_left_out(seen));
                }
            }
        }
        line
    }

    fn add(&mut self, at: Stamp, line: &str) -> Option<String> {
        if self.rests {
            return None;
        }
        if self.bytes + line.len() as u64 + LAST_LINE_BYTES > self.max_bytes {
            let limit = self.max_bytes >> 20;
            let why = format!("the recording reached its limit of {limit} MiB");
            let _ = self.write(&line::last(at, &why));
            let _ = self.file.sync_data();
            let said = format!(
                "{}: {why}; to record more, connect again with another --record FILE",
                self.shown
            );
            return Some(self.stop(said));
        }
        self.write(line).err().map(|e| self.rest(&e))
    }

    fn rest(&mut self, e: &io::Error) -> String {
        let said = format!(
            "{}: recording stopped: {}; to go on, make room and connect again",
            self.shown,
            input::reason(e)
        );
        self.stop(said)
    }

    fn stop(&mut self, said: String) -> String {
        self.rests = true;
        self.stopped = Some(said.clone());
        said
    }

    fn write(&mut self, line: &str) -> io::Result<()> {
        self.file.write_all(line.as_bytes())?;
        self.bytes += line.len() as u64;
        Ok(())
    }
}

/// What stands for an answer that must not or cannot be written.
fn left_out(seen: &Observation, inquiry: &Inquiry, what: &str) -> Observation {
    let next = "nothing: only the recording is without it";
    let trouble = Trouble::new(Obstacle::Held, what, next);
    Observation::of(inquiry, seen.at(), Err(trouble)).charged(seen.ru())
}

/// The question is left out as well: the secret may stand in a name.
fn secret_left_out(seen: &Observation) -> Observation {
    let what = "the answer held what looks like a secret and was not recorded";
    left_out(seen, &Inquiry::account(seen.inquiry().kind), what)
}

fn cannot(path: &Path) -> impl Fn(io::Error) -> Error {
    move |source| Error::Write { path: path.to_owned(), source }
}

/// The file that lines are added to, and how many bytes it holds.
fn place(path: &Path, header: &RecordingHeader, existing: Existing) -> Result<(File, u64), Error> {
    match (is_there(path)?, existing) {
        (false, _) => {}
        (true, Existing::Continue) => return go_on(path, header),
        #[expect(clippy::disallowed_methods, reason = "the user wants another file in its place")]
        (true, Existing::Replace) => fs::remove_file(path).map_err(cannot(path))?,
    }
    match private::open(path, PrivatePurpose::New) {
        Ok(file) => Ok((file, 0)),
        Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {
            Err(Error::Exists { path: path.to_owned() })
        }
        Err(e) => Err(cannot(path)(e)),
    }
}

#[expect(clippy::disallowed_methods, reason = "this is where recordings are written")]
fn is_there(path: &Path) -> Result<bool, Error> {
    match fs::symlink_metadata(path) {
        Ok(there) if there.is_file() => Ok(true),
        Ok(_) => Err(Error::NotAFile { path: path.to_owned() }),
        Err(e) if e.kind() == io::ErrorKind::NotFound => match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() && !folder.is_dir() => {
                Err(Error::NoFolder { path: folder.to_owned() })
            }
            _ => Ok(false),
        },
        Err(e) => Err(cannot(path)(e)),
    }
}

/// Goes on with an earlier recording, if it is one of the same account, and masked if this one is.
fn go_on(path: &Path, header: &RecordingHeader) -> Result<(File, u64), Error> {
    let cannot = cannot(path);
    let mut file = private::open(path, PrivatePurpose::Continue).map_err(&cannot)?;
    let before = first_line(&mut file).map_err(&cannot)?;
    if before.is_none_or(|b| b.endpoint != header.endpoint || b.masked != header.masked) {
        return Err(Error::refused(
            input::shown(path),
            "it exists and is not a recording of this account that can be resumed",
            "name another file, or replace it with --force",
        ));
    }
    #[cfg(unix)]
    {
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o600);
        file.set_permissions(mode).map_err(&cannot)?;
    }
    let mut bytes = file.seek(SeekFrom::End(0)).map_err(&cannot)?;
    // A torn last line is left as it is, and told from what follows.
    file.seek(SeekFrom::End(-1)).map_err(&cannot)?;
    let mut end = [0];
    file.read_exact(&mut end).map_err(&cannot)?;
    if end != *b"\n" {
        file.write_all(b"\n").map_err(&cannot)?;
        bytes += 1;
    }
    Ok((file, bytes))
}

fn first_line(file: &mut File) -> io::Result<Option<RecordingHeader>> {
    let mut head = Vec::new();
    Read::by_ref(file).take(MAX_HEADER_BYTES).read_to_end(&mut head)?;
    let first = head.split(|b| *b == b'\n').next().unwrap_or_default();
    let Ok(first) = std::str::from_utf8(first) else {
        return Ok(None);
    };
    Ok(match line::parse(first) {
        Ok(RecordingLine::Header(header)) => Some(header),
        _ => None,
    })
}
