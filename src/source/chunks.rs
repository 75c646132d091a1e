//! A stream cut into pieces of about 1 MiB that end where a record ends, handed to any number of workers.

use std::io::{self, Read};
use std::sync::{Mutex, PoisonError};

use memchr::{memchr, memchr_iter, memrchr, memrchr2_iter};

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

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Piece {
    /// Whole records from this line on.
    Records { line: u64 },
    /// A record over the limit began on this line and was left out.
    TooLong { line: u64 },
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
    ended: bool,
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
                ended: false,
                closed: true,
            }),
        }
    }

    /// Fills `buffer` with the next records. None at the end.
    pub fn next(&self, buffer: &mut Buffer) -> Result<Option<Piece>, ReadFault> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let state = &mut *state;
        buffer.fill(state)?;
        if buffer.filled().is_empty() {
            return Ok(None);
        }
        let line = state.line;
        let end = if state.ended {
            Some(buffer.len)
        } else {
            self.record_end(buffer.filled())
        };
        let Some(end) = end else {
            state.skip_line(buffer)?;
            return Ok(Some(Piece::TooLong { line }));
        };
        state
            .carry
            .extend_from_slice(buffer.filled().get(end..).unwrap_or_default());
        buffer.len = end;
        let bytes = buffer.filled();
        state.line += memchr_iter(b'\n', bytes).count() as u64;
        state.closed = bytes.last() == Some(&b'\n');
        if bytes.len() > MAX_RECORD_BYTES && memchr(b'\n', bytes).is_none() {
            return Ok(Some(Piece::TooLong { line }));
        }
        Ok(Some(Piece::Records { line }))
    }

    /// Whether the stream stopped inside a line.
    pub fn ended_without_line_end(&self) -> bool {
        !self
            .state
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .closed
    }

    /// Just behind the last line end that ends a record; None where the first record is longer than the buffer.
    fn record_end(&self, buffer: &[u8]) -> Option<usize> {
        if self.framing == Framing::Lines {
            return memrchr(b'\n', buffer).map(|p| p + 1);
        }
        let mut odd = memchr_iter(b'"', buffer).count() % 2 == 1;
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

impl<R: Read> State<R> {
    /// Reads on to the end of an overlong line, keeping nothing of it.
    fn skip_line(&mut self, buffer: &mut Buffer) -> Result<(), ReadFault> {
        let mut skipped = buffer.len as u64;
        self.line += 1;
        loop {
            buffer.fill(self)?;
            let bytes = buffer.filled();
            if let Some(p) = memchr(b'\n', bytes) {
                self.carry
                    .extend_from_slice(bytes.get(p + 1..).unwrap_or_default());
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
            match state
                .reader
                .read(self.bytes.get_mut(self.len..).unwrap_or_default())
            {
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

    fn pieces(text: &[u8], framing: Framing) -> Vec<(Piece, usize)> {
        let chunks = Chunks::new(text, framing, 1);
        let mut buffer = Buffer::default();
        let mut out = Vec::new();
        while let Some(piece) = chunks.next(&mut buffer).unwrap() {
            out.push((piece, buffer.filled().len()));
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
        let lines: Vec<u64> = got
            .iter()
            .map(|p| {
                if let Piece::Records { line } = p.0 {
                    line
                } else {
                    0
                }
            })
            .collect();
        assert_eq!(lines[1], 1 + 2 * (got[0].1 / line.len()) as u64);
    }

    #[test]
    fn an_endless_record_is_left_out_alone() {
        let text = format!("good\n{}\nlast\n", "x".repeat(3 << 20));
        for framing in [Framing::Lines, Framing::Quoted] {
            let got = pieces(text.as_bytes(), framing);
            assert_eq!(got[0], (Piece::Records { line: 1 }, 5));
            assert_eq!(got[1].0, Piece::TooLong { line: 2 });
            assert_eq!(got[2], (Piece::Records { line: 3 }, 5));
        }
    }

    #[test]
    fn an_open_quote_costs_its_own_line_only() {
        let mut text = "a\n".repeat(10);
        text.push_str("\"open\n");
        text.push_str(&"bbbb\n".repeat(400_000));
        let got = pieces(text.as_bytes(), Framing::Quoted);
        assert_eq!(got[0].1, 20);
        assert_eq!(got[1], (Piece::Records { line: 11 }, 6));
        assert_eq!(got.iter().map(|p| p.1).sum::<usize>(), text.len());
    }

    #[test]
    fn a_stream_without_records_is_given_up() {
        let chunks = Chunks::new(io::repeat(b'0'), Framing::Lines, 1);
        assert!(matches!(
            chunks.next(&mut Buffer::default()),
            Err(ReadFault::Barren)
        ));
    }
}
