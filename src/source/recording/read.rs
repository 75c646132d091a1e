//! Reading a recording: what its lines are and where, without holding them.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, BufRead, BufReader, Read};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::line::{self, MAX_LINE_BYTES, RecordingHeader, RecordingLine, Unusable};
use crate::model::time::{Stamp, TICKS_PER_SECOND};
use crate::model::visible::visible;
use crate::source::answers::{Failure, Inquiry, Observation};
use crate::source::decode::Positioned;
use crate::source::input::OpenInput;
use crate::source::sniff::{Refusal, unreadable};
use crate::source::watch::Watch;

/// Lines whose places are held, at 32 bytes each: more than a recording of the usual limit holds.
const MAX_LINES: usize = 2_000_000;
/// Different questions: every partition of every container of a large account, several times.
const MAX_QUESTIONS: usize = 200_000;
/// Rounds of seconds take minutes at most; without marks, a pause this long parts one round from the next.
const PAUSE_TICKS: i64 = 5 * TICKS_PER_SECOND;

/// One line that holds something seen.
#[derive(Clone, Copy, Debug)]
struct Entry {
    from: u64,
    bytes: u32,
    at: Stamp,
    /// Whether it differs from the answer before to the same question.
    changed: bool,
}

/// The end of a round: where somebody who replays can stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Moment {
    pub at: Stamp,
    /// Lines up to and with this moment.
    pub lines: usize,
    /// Whether anything differs from what was seen before.
    pub changed: bool,
}

/// A recording whose lines are known and stay where they are.
#[derive(Clone, Debug)]
pub struct Recording {
    opened: OpenInput,
    pub header: RecordingHeader,
    entries: Arc<[Entry]>,
    pub moments: Arc<[Moment]>,
    /// What was left out, and why the recording ended.
    pub notes: Vec<String>,
}

/// Whether a file that begins so is a recording.
pub fn is_recording(head: &[u8]) -> bool {
    head.starts_with(line::MAGIC)
}

impl Recording {
    /// Reads every line once. A file that does not begin as a recording is refused; a damaged one gives what is whole.
    pub fn open(opened: &OpenInput, watch: &Watch) -> Result<Self, Refusal> {
        let mut lines = Lines::of(opened, watch);
        let first = lines.next().map_err(unreadable)?;
        let header = match first.map(|_| lines.parsed()) {
            Some(Ok(RecordingLine::Header(header))) => header,
            Some(Err(Unusable::Newer)) => {
                return Err(Refusal::new(
                    "this recording was made by a newer version of this program",
                    "install the newest version and open it again",
                ));
            }
            _ => {
                return Err(Refusal::new(
                    "this recording cannot be read: its first line is damaged",
                    "copy the file again from where it was recorded",
                ));
            }
        };
        let mut index = Index::new(header);
        while watch.keep_going()
            && let Some(span) = lines.next().map_err(unreadable)?
        {
            index.add(span, lines.parsed());
        }
        Ok(index.finish(opened))
    }

    pub fn lines(&self) -> usize {
        self.entries.len()
    }

    /// Gives what those lines hold, one after the other. A line that is no longer there is left out.
    pub fn each(&self, lines: Range<usize>, tell: &mut dyn FnMut(Observation)) {
        let entries = self.entries.get(lines).unwrap_or_default();
        for seen in entries.iter().filter_map(|entry| self.seen(entry)) {
            tell(seen);
        }
    }

    fn seen(&self, entry: &Entry) -> Option<Observation> {
        let from = self.opened.reader(&Arc::default()).starting_at(entry.from);
        let mut raw = Vec::new();
        let read = from.take(u64::from(entry.bytes)).read_to_end(&mut raw);
        read.ok()?;
        match line::parse(std::str::from_utf8(&raw).ok()?) {
            Ok(RecordingLine::Seen(seen)) => Some(seen),
            _ => None,
        }
    }
}

/// What is known of the lines read so far.
struct Index {
    header: RecordingHeader,
    entries: Vec<Entry>,
    numbers: HashMap<Inquiry, u32>,
    /// What each question was answered with last, as a number.
    answers: Vec<u64>,
    /// Lines before which a round or a session ended.
    ends: Vec<usize>,
    last: Stamp,
    /// Whether ends of rounds are marked, as whoever records does.
    is_marked: bool,
    /// Lines before which nothing was seen for a while; they part rounds where nothing is marked.
    pauses: Vec<usize>,
    /// Whether lines belong to a first line that does not fit.
    foreign: bool,
    ended: Option<String>,
    left_out: LeftOut,
}

#[derive(Default)]
struct LeftOut {
    broken: u64,
    unknown: u64,
    long: u64,
    foreign: u64,
    beyond: u64,
    backwards: u64,
    torn: bool,
}

impl Index {
    fn new(header: RecordingHeader) -> Self {
        Self {
            last: header.started,
            header,
            entries: Vec::new(),
            numbers: HashMap::new(),
            answers: Vec::new(),
            ends: Vec::new(),
            is_marked: false,
            pauses: Vec::new(),
            foreign: false,
            ended: None,
            left_out: LeftOut::default(),
        }
    }

    fn add(&mut self, span: Span, line: Result<RecordingLine, Unusable>) {
        let out = &mut self.left_out;
        if span.too_long {
            out.long += 1;
            return;
        }
        match line {
            Ok(RecordingLine::Header(header)) => {
                self.foreign = (&header.endpoint, header.masked)
                    != (&self.header.endpoint, self.header.masked);
                self.ended = None;
                self.end_round();
            }
            _ if self.foreign => out.foreign += 1,
            Ok(RecordingLine::Seen(seen)) => self.seen(span, &seen),
            Ok(RecordingLine::Round(_)) => {
                self.is_marked = true;
                self.end_round();
            }
            Ok(RecordingLine::Ended(_, why)) => self.ended = Some(visible(&why).into_owned()),
            Err(Unusable::Newer) => {
                self.foreign = true;
                out.foreign += 1;
            }
            Err(Unusable::Broken) if !span.ended => out.torn = true,
            Err(Unusable::Broken) => out.broken += 1,
            Err(Unusable::Unknown) => out.unknown += 1,
        }
    }

    fn seen(&mut self, span: Span, seen: &Observation) {
        let known = self.numbers.get(seen.inquiry()).copied();
        let next = u32::try_from(self.numbers.len()).unwrap_or(u32::MAX);
        let question = known.unwrap_or(next);
        let room = self.entries.len() < MAX_LINES && self.numbers.len() < MAX_QUESTIONS;
        if !room {
            self.left_out.beyond += 1;
            return;
        }
        if seen.at() < self.last {
            self.left_out.backwards += 1;
        } else if seen.at().ticks() - self.last.ticks() > PAUSE_TICKS {
            self.pauses.push(self.entries.len());
        }
        self.last = self.last.max(seen.at());
        let answer = number_of(seen);
        if known.is_none() {
            self.numbers.insert(seen.inquiry().clone(), next);
            self.answers.push(!answer);
        }
        let before = self.answers.get_mut(question as usize);
        let changed = before.is_some_and(|before| std::mem::replace(before, answer) != answer);
        self.entries.push(Entry { from: span.from, bytes: span.bytes, at: self.last, changed });
    }

    /// However often it is said, a round ends once.
    fn end_round(&mut self) {
        let lines = self.entries.len();
        if self.ends.last() != Some(&lines) {
            self.ends.push(lines);
        }
    }

    /// The ends of rounds, as they are marked; without marks a pause parts one from the next.
    fn moments(&mut self) -> Vec<Moment> {
        let mut ends = std::mem::take(&mut self.ends);
        if !self.is_marked {
            ends.append(&mut self.pauses);
        }
        ends.push(self.entries.len());
        ends.sort_unstable();
        ends.dedup();
        let mut from = 0;
        let mut moments = Vec::new();
        for lines in ends {
            let round = self.entries.get(from..lines).unwrap_or_default();
            if let Some(last) = round.last() {
                moments.push(Moment {
                    at: last.at,
                    lines,
                    changed: round.iter().any(|entry| entry.changed),
                });
            }
            from = lines;
        }
        moments
    }

    fn finish(mut self, opened: &OpenInput) -> Recording {
        let (notes, moments) = (self.notes(), self.moments());
        Recording {
            opened: opened.clone(),
            header: self.header,
            entries: self.entries.into(),
            moments: moments.into(),
            notes,
        }
    }

    fn notes(&self) -> Vec<String> {
        let out = &self.left_out;
        let mut notes = Vec::new();
        if out.torn {
            notes.push("the last line was torn and left out".to_owned());
        }
        let counted = [
            (out.broken, "damaged and left out"),
            (out.unknown, "of a kind that is not known, and left out"),
            (out.long, "longer than 64 MiB and left out"),
            (out.foreign, "of another account or format, and left out"),
            (out.beyond, "more than can be replayed, and left out"),
        ];
        for (count, what) in counted {
            match count {
                0 => {}
                1 => notes.push(format!("1 line was {what}")),
                n => notes.push(format!("{n} lines were {what}")),
            }
        }
        match out.backwards {
            0 => {}
            1 => notes.push("the clock was set back once while this was recorded".to_owned()),
            n => notes.push(format!("{n} lines were recorded after the clock was set back")),
        }
        if let Some(why) = &self.ended {
            notes.push(format!("recording ended before the session did: {why}"));
        }
        if self.header.masked {
            notes.push("names and keys were replaced when this was recorded; keys no longer hash to their partitions".to_owned());
        }
        notes
    }
}

/// A number by which two answers to one question are told apart.
fn number_of(seen: &Observation) -> u64 {
    let mut hasher = DefaultHasher::new();
    match seen {
        Observation::Answer(answer) => answer.body.hash(&mut hasher),
        Observation::Failure(Failure { trouble, .. }) => {
            (trouble.obstacle, &trouble.what).hash(&mut hasher);
        }
    }
    hasher.finish()
}

/// Where a line stands.
#[derive(Clone, Copy, Debug)]
struct Span {
    from: u64,
    bytes: u32,
    too_long: bool,
    /// Whether a line end follows.
    ended: bool,
}

/// The lines of a file, one at a time.
struct Lines {
    reader: BufReader<Positioned>,
    at: u64,
    line: Vec<u8>,
}

impl Lines {
    fn of(opened: &OpenInput, watch: &Watch) -> Self {
        watch.total_bytes.fetch_add(opened.bytes, Ordering::Relaxed);
        Self {
            reader: BufReader::with_capacity(1 << 18, opened.reader(&watch.done_bytes)),
            at: 0,
            line: Vec::new(),
        }
    }

    /// The next line that is not empty; what is too long is passed over without being held.
    fn next(&mut self) -> io::Result<Option<Span>> {
        loop {
            self.line.clear();
            let limit = MAX_LINE_BYTES as u64 + 1;
            let from = self.at;
            let mut read =
                self.reader.by_ref().take(limit).read_until(b'\n', &mut self.line)? as u64;
            if read == 0 {
                return Ok(None);
            }
            let mut ended = self.line.last() == Some(&b'\n');
            let too_long = !ended && read == limit;
            if too_long {
                self.line = Vec::new();
                let (skipped, end) = self.skip()?;
                read += skipped;
                ended = end;
            }
            self.at += read;
            let blank = self.line.iter().all(u8::is_ascii_whitespace);
            if !blank || too_long {
                return Ok(Some(Span {
                    from,
                    bytes: u32::try_from(self.line.len()).unwrap_or(0),
                    too_long,
                    ended,
                }));
            }
        }
    }

    fn skip(&mut self) -> io::Result<(u64, bool)> {
        let mut skipped = 0;
        loop {
            let held = self.reader.fill_buf()?;
            let end = memchr::memchr(b'\n', held);
            let n = end.map_or(held.len(), |at| at + 1);
            if n == 0 {
                return Ok((skipped, false));
            }
            self.reader.consume(n);
            skipped += n as u64;
            if end.is_some() {
                return Ok((skipped, true));
            }
        }
    }

    fn parsed(&self) -> Result<RecordingLine, Unusable> {
        let text = std::str::from_utf8(&self.line).map_err(|_| Unusable::Broken)?;
        line::parse(text)
    }
}
