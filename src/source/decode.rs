//! What lies between a file's bytes and its text: packing, UTF-16, and carriage returns as the only line ends.

use std::fs::File;
use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use flate2::bufread::MultiGzDecoder;

/// Reads one file from the start without moving a shared position, so that any number of readers can share the handle.
#[derive(Debug)]
pub struct Positioned {
    content: Content,
    at: u64,
    /// Bytes handed out, for whoever shows progress.
    progress: Arc<AtomicU64>,
}

impl Positioned {
    pub fn new(content: Content, progress: Arc<AtomicU64>) -> Self {
        Self { content, at: 0, progress }
    }

    #[must_use]
    pub fn starting_at(self, at: u64) -> Self {
        Self { at, ..self }
    }
}

/// Bytes that can be read from any place, by many readers at once.
#[derive(Clone, Debug)]
pub enum Content {
    File(Arc<File>),
    /// Answers of an account are held, not written to files.
    Held(Arc<[u8]>),
}

impl Content {
    fn read_at(&self, buffer: &mut [u8], at: u64) -> io::Result<usize> {
        match self {
            Self::File(file) => read_at(file, buffer, at),
            Self::Held(bytes) => {
                let start = usize::try_from(at).unwrap_or(usize::MAX);
                bytes.get(start..).unwrap_or_default().read(buffer)
            }
        }
    }
}

#[cfg(unix)]
fn read_at(file: &File, buffer: &mut [u8], at: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, buffer, at)
}

#[cfg(windows)]
fn read_at(file: &File, buffer: &mut [u8], at: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, buffer, at)
}

impl Read for Positioned {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.content.read_at(buffer, self.at)?;
        self.at += n as u64;
        self.progress.fetch_add(n as u64, Ordering::Relaxed);
        Ok(n)
    }
}

/// How the bytes become UTF-8 (or what was meant to be UTF-8).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TextForm {
    Utf8,
    Utf16Le,
    Utf16Be,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Packing {
    Plain,
    Gzip,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LineEnds {
    /// Line feeds, with or without carriage returns before them.
    Feeds,
    /// Carriage returns alone also end lines.
    Returns,
}

/// The whole way from bytes to text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Decoding {
    pub packing: Packing,
    pub text: TextForm,
    pub line_ends: LineEnds,
    /// Bytes of a byte order mark at the start of the unpacked stream.
    pub mark_bytes: u8,
}

pub type TextReader = Box<dyn Read + Send>;

pub fn reader(raw: Positioned, decoding: Decoding) -> io::Result<TextReader> {
    let mut unpacked = unpacked(raw, decoding.packing);
    let mut mark = [0_u8; 8];
    if let Some(mark) = mark.get_mut(..usize::from(decoding.mark_bytes)) {
        unpacked.read_exact(mark)?;
    }
    let text: TextReader = match decoding.text {
        TextForm::Utf8 => unpacked,
        TextForm::Utf16Le => Box::new(Utf16::new(unpacked, u16::from_le_bytes)),
        TextForm::Utf16Be => Box::new(Utf16::new(unpacked, u16::from_be_bytes)),
    };
    Ok(match decoding.line_ends {
        LineEnds::Feeds => text,
        LineEnds::Returns => Box::new(ReturnsToFeeds {
            inner: text,
            quoted: false,
            held_return: false,
            pending: None,
        }),
    })
}

pub fn unpacked(raw: Positioned, packing: Packing) -> TextReader {
    match packing {
        Packing::Plain => Box::new(raw),
        Packing::Gzip => Box::new(MultiGzDecoder::new(io::BufReader::with_capacity(1 << 16, raw))),
    }
}

/// UTF-16 to UTF-8. Half of a pair becomes the bytes that UTF-8 forbids for it: the record is then found to be damaged
/// instead of being merged with another one.
struct Utf16<R> {
    inner: R,
    unit: fn([u8; 2]) -> u16,
    raw: Vec<u8>,
    units: Vec<u16>,
    out: Vec<u8>,
    out_at: usize,
}

impl<R: Read> Utf16<R> {
    fn new(inner: R, unit: fn([u8; 2]) -> u16) -> Self {
        Self { inner, unit, raw: Vec::new(), units: Vec::new(), out: Vec::new(), out_at: 0 }
    }

    /// Decodes one more block; false at the end.
    fn fill(&mut self) -> io::Result<bool> {
        self.out.clear();
        self.out_at = 0;
        let read = self.inner.by_ref().take(1 << 16).read_to_end(&mut self.raw)?;
        let is_end = read == 0;
        let (units, odd) = self.raw.as_chunks::<2>();
        self.units.extend(units.iter().map(|bytes| (self.unit)(*bytes)));
        // A last odd byte is half a character; there is nothing to read it as.
        let passed = self.raw.len() - if is_end { 0 } else { odd.len() };
        self.raw.drain(..passed);
        // The first half of a pair waits for the second.
        let is_first = |unit: &mut u16| !is_end && (0xD800..0xDC00).contains(unit);
        let first = self.units.pop_if(is_first);
        for read in char::decode_utf16(self.units.drain(..)) {
            match read {
                Ok(c) => self.out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
                Err(half) => push_half(&mut self.out, half.unpaired_surrogate()),
            }
        }
        self.units.extend(first);
        Ok(!is_end || !self.out.is_empty())
    }
}

fn push_half(out: &mut Vec<u8>, unit: u16) {
    let [high, low] = unit.to_be_bytes();
    out.extend_from_slice(&[
        0xE0 | (high >> 4),
        0x80 | ((high & 0x0F) << 2) | (low >> 6),
        0x80 | (low & 0x3F),
    ]);
}

impl<R: Read> Read for Utf16<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.out_at == self.out.len() {
            if !self.fill()? {
                return Ok(0);
            }
        }
        let n = self.out.get(self.out_at..).unwrap_or_default().read(buffer)?;
        self.out_at += n;
        Ok(n)
    }
}

/// Turns carriage returns outside quotes into line feeds and leaves `\r\n` and those inside quotes as they are.
struct ReturnsToFeeds<R> {
    inner: R,
    quoted: bool,
    /// The last byte seen was a carriage return whose meaning depends on the next one.
    held_return: bool,
    pending: Option<u8>,
}

impl<R: Read> Read for ReturnsToFeeds<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let (Some(first), true) = (buffer.first_mut(), self.pending.is_some()) else {
            return self.read_more(buffer);
        };
        *first = self.pending.take().unwrap_or(b'\n');
        Ok(1)
    }
}

impl<R: Read> ReturnsToFeeds<R> {
    fn read_more(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        // Each byte gives at most itself, so the output fits where the input was, one byte later at the most.
        let room = buffer.len().saturating_sub(1).max(1).min(buffer.len());
        let mut raw = vec![0; room];
        let n = self.inner.read(&mut raw)?;
        let mut out = Vec::with_capacity(n + 1);
        if n == 0 && self.held_return {
            self.held_return = false;
            out.push(b'\n');
        }
        for b in raw.into_iter().take(n) {
            if self.held_return {
                self.held_return = false;
                out.push(if b == b'\n' || self.quoted { b'\r' } else { b'\n' });
            }
            match b {
                b'\r' => self.held_return = true,
                b'"' => {
                    self.quoted = !self.quoted;
                    out.push(b);
                }
                _ => out.push(b),
            }
        }
        if out.is_empty() && n > 0 {
            // Only a held return so far: nothing to give yet, and 0 would mean the end.
            return self.read_more(buffer);
        }
        let (now, later) = out.split_at(out.len().min(buffer.len()));
        if let Some(place) = buffer.get_mut(..now.len()) {
            place.copy_from_slice(now);
        }
        self.pending = later.first().copied();
        Ok(now.len())
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn utf16(bytes: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        Utf16::new(bytes, u16::from_le_bytes).read_to_end(&mut out).unwrap();
        out
    }

    fn feeds(text: &str, step: usize) -> String {
        let mut reader = ReturnsToFeeds {
            inner: text.as_bytes(),
            quoted: false,
            held_return: false,
            pending: None,
        };
        let mut out = Vec::new();
        let mut buffer = vec![0; step];
        loop {
            let n = reader.read(&mut buffer).unwrap();
            if n == 0 {
                break;
            }
            out.extend_from_slice(&buffer[..n]);
        }
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn half_characters_stay_different_and_invalid() {
        let one = utf16(&[0x41, 0, 0x00, 0xD8, 0x42, 0]);
        let two = utf16(&[0x41, 0, 0x01, 0xD8, 0x42, 0]);
        assert_ne!(one, two);
        assert!(std::str::from_utf8(&one).is_err());
        assert_eq!(utf16(&[0x41, 0, 0x42]), b"A");
    }

    #[test]
    fn returns_end_lines_only_outside_quotes() {
        for step in [1, 2, 3, 64] {
            assert_eq!(feeds("a\rb\r\nc\nd\r", step), "a\nb\r\nc\nd\n", "{step}");
            assert_eq!(feeds("\"a\rb\"\rc", step), "\"a\rb\"\nc", "{step}");
            assert_eq!(feeds("a\r\r\rb", step), "a\n\n\nb", "{step}");
        }
    }

    proptest! {
        #[test]
        fn utf16_reads_as_the_standard_library_reads_it(text in "\\PC{0,300}") {
            let bytes: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
            prop_assert_eq!(utf16(&bytes), text.as_bytes());
        }
    }
}
