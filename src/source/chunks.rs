//! A stream cut into pieces of about 1 MiB that end where a record ends, handed to any number of workers.

use std::io::{self, Read};
use std::str::Utf8Error;
use std::sync::{Mutex, PoisonError};

use memchr::{memchr, memchr_iter, memrchr, memrchr2_iter};

use super::near::count;

/// Large enough that handing out costs nothing, small enough that a cancel is felt at once.
const CHUNK_BYTES: usize = 1 << 20;
/// The longest record that is read; a partition key has at most 2,048 bytes.
pub const MAX_RECORD_BYTES: usize = 1 << 20;
/// Bytes without the end of a record after which a stream is given up: a packed file can hold one endless line.
pub const MAX_BARREN_BYTES: u64 = 64 << 20;

/// What ends a record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Framing {
    Lines,
    /// A line end outside quotes.
    Quoted,
}

/// Whole records from a line on, or one over the limit that was left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Chunk {
    /// Counts the pieces from 0 on.
    pub number: u64,
    pub line: u64,
    pub is_too_long: bool,
}

/// Why a stream ended before its end.
#[derive(Debug)]
pub enum ReadFault {
    Io(io::Error),
    /// 64 MiB without one record.
    Barren,
}

impl From<io::Error> for ReadFault {
    fn from(e: io::Error) -> Self {
        Self::Io(e)
    }
}

struct State<R> {
    reader: R,
    carry: Vec<u8>,
    line: u64,
    /// Pieces handed out.
    pieces: u64,
    ended: bool,
    /// The stream cannot be read on.
    failed: bool,
    /// The last byte handed out was a line end.
    closed: bool,
}

/// The shared reader.
pub struct Chunks<R> {
    framing: Framing,
    state: Mutex<State<R>>,
}

impl<R: Read> Chunks<R> {
    /// `line` is the number of the first line the reader gives.
    pub fn new(reader: R, framing: Framing, line: u64) -> Self {
        Self {
            framing,
            state: Mutex::new(State {
                reader,
                carry: Vec::new(),
                line,
                pieces: 0,
                ended: false,
                failed: false,
                closed: true,
            }),
        }
    }

    /// Fills `buffer` with the next records. None at the end, and behind a fault.
    pub fn next(&self, buffer: &mut Buffer) -> Result<Option<Chunk>, ReadFault> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.failed {
            return Ok(None);
        }
        let piece = self.piece(&mut state, buffer);
        state.failed = piece.is_err();
        piece
    }

    fn piece(&self, state: &mut State<R>, buffer: &mut Buffer) -> Result<Option<Chunk>, ReadFault> {
        buffer.fill(state)?;
        if buffer.filled().is_empty() {
            return Ok(None);
        }
        let mut piece = Chunk { number: state.pieces, line: state.line, is_too_long: false };
        state.pieces += 1;
        let end = if state.ended { Some(buffer.len) } else { self.record_end(buffer.filled()) };
        let Some(end) = end else {
            state.skip_line(buffer)?;
            piece.is_too_long = true;
            return Ok(Some(piece));
        };
        state.carry.extend_from_slice(buffer.filled().get(end..).unwrap_or_default());
        buffer.len = end;
        let bytes = buffer.filled();
        state.line += count(bytes, b'\n') as u64;
        state.closed = bytes.last() == Some(&b'\n');
        piece.is_too_long = bytes.len() > MAX_RECORD_BYTES && memchr(b'\n', bytes).is_none();
        Ok(Some(piece))
    }

    /// Whether the stream stopped inside a line.
    pub fn ended_without_line_end(&self) -> bool {
        !self.state.lock().unwrap_or_else(PoisonError::into_inner).closed
    }

    /// Just behind the last line end that ends a record; None where the first record is longer than the buffer.
    fn record_end(&self, buffer: &[u8]) -> Option<usize> {
        if self.framing == Framing::Lines {
            return memrchr(b'\n', buffer).map(|p| p + 1);
        }
        let mut odd = count(buffer, b'"') % 2 == 1;
        for p in memrchr2_iter(b'\n', b'"', buffer) {
            if buffer.get(p) == Some(&b'"') {
                odd = !odd;
            } else if !odd {
                return Some(p + 1);
            }
        }
        // Every line end seems to be inside quotes: a quote was opened and never closed. The line it stands on goes
        // alone, so that only that line is lost.
        memchr(b'\n', buffer).map(|p| p + 1)
    }
}

/// Does the same on some threads, of which this one is the last.
pub fn on_threads(threads: usize, work: impl Fn() + Sync) {
    std::thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(&work);
        }
        work();
    });
}

impl<R: Read> State<R> {
    /// Reads on to the end of an overlong line, keeping nothing of it.
    fn skip_line(&mut self, buffer: &mut Buffer) -> Result<(), ReadFault> {
        let mut skipped = buffer.len as u64;
        self.line += 1;
        loop {
            buffer.fill(self)?;
            let bytes = buffer.filled();
            if let Some(p) = memchr(b'\n', bytes) {
                self.carry.extend_from_slice(bytes.get(p + 1..).unwrap_or_default());
                buffer.len = 0;
                return Ok(());
            }
            if bytes.is_empty() {
                return Ok(());
            }
            skipped += bytes.len() as u64;
            if skipped > MAX_BARREN_BYTES {
                return Err(ReadFault::Barren);
            }
        }
    }
}

/// Hands over the lines of a piece. It is checked once as a whole, and line by line only where something is wrong.
pub fn each_line(bytes: &[u8], first: u64, mut take: impl FnMut(u64, Result<&str, Utf8Error>)) {
    let whole = std::str::from_utf8(bytes).ok();
    let mut from = 0;
    for (line, bytes) in lines(bytes, first) {
        let end = from + bytes.len();
        let text = match whole {
            Some(text) => Ok(text.get(from..end).unwrap_or_default()),
            None => std::str::from_utf8(bytes),
        };
        take(line, text);
        from = end + 1;
    }
}

/// The lines of a piece with their numbers.
pub fn lines(bytes: &[u8], first: u64) -> impl Iterator<Item = (u64, &[u8])> {
    let ends = memchr_iter(b'\n', bytes).chain(std::iter::once(bytes.len()));
    let mut from = 0;
    (first..).zip(ends.map(move |end| {
        let line = bytes.get(from..end).unwrap_or_default();
        from = end + 1;
        line
    }))
}

/// A worker's own buffer: allocated and zeroed once, filled again and again.
#[derive(Debug, Default)]
pub struct Buffer {
    bytes: Vec<u8>,
    len: usize,
}

impl Buffer {
    pub fn filled(&self) -> &[u8] {
        self.bytes.get(..self.len).unwrap_or_default()
    }

    /// Takes over what the last piece left and reads up to a chunk.
    fn fill<R: Read>(&mut self, state: &mut State<R>) -> io::Result<()> {
        if self.bytes.len() < CHUNK_BYTES.max(state.carry.len()) {
            self.bytes.resize(CHUNK_BYTES.max(state.carry.len()), 0);
        }
        self.len = state.carry.len();
        if let Some(place) = self.bytes.get_mut(..self.len) {
            place.copy_from_slice(&state.carry);
        }
        state.carry.clear();
        while !state.ended && self.len < CHUNK_BYTES {
            match state.reader.read(self.bytes.get_mut(self.len..).unwrap_or_default()) {
                Ok(0) => state.ended = true,
                Ok(n) => self.len += n,
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) => return Err(e),
            }
        }
        Ok(())
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;

    /// The line of each piece, how long it is, and whether it is left out.
    fn pieces(text: &[u8], framing: Framing) -> Vec<(u64, usize, bool)> {
        let chunks = Chunks::new(text, framing, 1);
        let mut buffer = Buffer::default();
        let mut out = Vec::new();
        while let Some(piece) = chunks.next(&mut buffer).unwrap() {
            assert_eq!(piece.number, out.len() as u64);
            out.push((piece.line, buffer.filled().len(), piece.is_too_long));
        }
        out
    }

    #[test]
    fn pieces_end_at_records_and_count_lines() {
        let line = format!("a,\"{}\n{}\"\n", "x".repeat(500), "y".repeat(500));
        let text = line.repeat(5000);
        let got = pieces(text.as_bytes(), Framing::Quoted);
        assert!(got.len() > 3);
        assert_eq!(got.iter().map(|p| p.1).sum::<usize>(), text.len());
        assert!(got.iter().all(|p| p.1 % line.len() == 0));
        assert_eq!(got[1].0, 1 + 2 * (got[0].1 / line.len()) as u64);
    }

    #[test]
    fn an_endless_record_is_left_out_alone() {
        let text = format!("good\n{}\nlast\n", "x".repeat(3 << 20));
        for framing in [Framing::Lines, Framing::Quoted] {
            let got = pieces(text.as_bytes(), framing);
            assert_eq!(got[0], (1, 5, false));
            assert_eq!((got[1].0, got[1].2), (2, true));
            assert_eq!(got[2], (3, 5, false));
        }
    }

    #[test]
    fn an_open_quote_costs_its_own_line_only() {
        let mut text = "a\n".repeat(10);
        text.push_str("\"open\n");
        text.push_str(&"bbbb\n".repeat(400_000));
        let got = pieces(text.as_bytes(), Framing::Quoted);
        assert_eq!(got[0].1, 20);
        assert_eq!(got[1], (11, 6, false));
        assert_eq!(got.iter().map(|p| p.1).sum::<usize>(), text.len());
    }

    #[test]
    fn a_stream_without_records_is_given_up() {
        let chunks = Chunks::new(io::repeat(b'0'), Framing::Lines, 1);
        let next = || chunks.next(&mut Buffer::default());
        assert!(matches!(next(), Err(ReadFault::Barren)));
        assert!(matches!(next(), Ok(None)));
    }
}
