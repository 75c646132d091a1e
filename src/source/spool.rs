//! Streams, which give their bytes once only, as private files that can be read any number of times.

use std::fs::File;
use std::io::{self, Read, Write};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

use super::chunks::MAX_BARREN_BYTES;
use super::decode::Content;
use super::input::{OpenInput, Version};
use super::recording::is_recording;
use super::sniff::{self, HEAD_BYTES, Refusal};
use crate::error::Error;

/// A block is a large read of a pipe; few wait at a time, so that a fast writer cannot fill the memory.
const BLOCK_BYTES: usize = 1 << 18;
const MAX_WAITING_BLOCKS: usize = 4;
/// How long a stop can go unnoticed while a stream is silent.
const ASK_EVERY: Duration = Duration::from_millis(100);

/// The most that is kept of one stream.
const MAX_SPOOL_BYTES: u64 = 64 << 30;
/// What a spool leaves free for others, or a twentieth of the volume where that is less.
#[cfg(unix)]
const KEEP_FREE_BYTES: u64 = 1 << 30;
/// Bytes between two looks at the room that is left.
const LOOK_EVERY_BYTES: u64 = 16 << 20;

/// Looks at the start of a stream: whether it can be something that is read at all.
pub type Judge<'a> = &'a dyn Fn(&OpenInput) -> Result<(), Refusal>;

/// What a stream became.
#[derive(Debug)]
pub enum SpoolResult {
    Whole(File),
    /// It was not read to its end.
    Refused(Refusal),
    /// The stream's own fault.
    Failed(io::Error),
}

/// Copies a stream to a file that has no name (or, where the system has no such files, is removed when closed).
///
/// Opening a pipe waits for its writer and reading waits for its bytes, both without an end that a signal could bring:
/// another thread does both, and may be left waiting when the work is stopped.
#[expect(clippy::disallowed_methods, reason = "this is where streams become readable twice")]
pub fn keep<R: Read>(
    open: impl FnOnce() -> io::Result<R> + Send + 'static,
    judge: Judge<'_>,
    keep_going: &dyn Fn() -> bool,
) -> Result<SpoolResult, Error> {
    let file = tempfile::tempfile().map_err(no_room)?;
    let (sender, blocks) = sync_channel(MAX_WAITING_BLOCKS);
    let reader = thread::Builder::new().name("stream".to_owned());
    reader
        .spawn(move || {
            if let Err(e) = open().and_then(|stream| send(stream, &sender)) {
                let _ = sender.send(Err(e));
            }
        })
        .map_err(no_room)?;
    let spool =
        Spool { file: Arc::new(file), bytes: 0, barren: 0, is_packed: false, is_recording: false };
    spool.write(&blocks, judge, keep_going)
}

fn send(mut stream: impl Read, to: &SyncSender<io::Result<Vec<u8>>>) -> io::Result<()> {
    loop {
        let mut block = vec![0; BLOCK_BYTES];
        match stream.read(&mut block) {
            Ok(0) => return Ok(()),
            Ok(n) => block.truncate(n),
            Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
            Err(e) => return Err(e),
        }
        if to.send(Ok(block)).is_err() {
            // Nobody wants it any more.
            return Ok(());
        }
    }
}

/// A stream on its way into its file.
struct Spool {
    file: Arc<File>,
    bytes: u64,
    /// Bytes since the last one that can end a record.
    barren: u64,
    /// Packed bytes and those of Parquet tell nothing about records.
    is_packed: bool,
    /// Others look at it.
    is_recording: bool,
}

impl Spool {
    fn write(
        mut self,
        blocks: &Receiver<io::Result<Vec<u8>>>,
        judge: Judge<'_>,
        keep_going: &dyn Fn() -> bool,
    ) -> Result<SpoolResult, Error> {
        loop {
            if !keep_going() {
                return Err(Error::Interrupted);
            }
            match blocks.recv_timeout(ASK_EVERY) {
                Ok(Ok(block)) => {
                    let before = self.bytes;
                    (&*self.file).write_all(&block).map_err(no_room)?;
                    self.count(&block);
                    if let Err(refusal) = self.check(before, judge)? {
                        return Ok(SpoolResult::Refused(refusal));
                    }
                }
                Ok(Err(e)) => return Ok(SpoolResult::Failed(e)),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        // Nobody else has it: the judge gave back what it was shown.
        Arc::into_inner(self.file).map_or_else(
            || Err(Error::input("the input is still being looked at")),
            |file| Ok(SpoolResult::Whole(file)),
        )
    }

    fn count(&mut self, block: &[u8]) {
        if self.bytes == 0 {
            self.is_packed = block.starts_with(b"\x1f\x8b") || block.starts_with(b"PAR1");
            self.is_recording = is_recording(block);
        }
        self.bytes += block.len() as u64;
        match memchr::memrchr3(b'\n', b'\r', b'}', block) {
            Some(at) => self.barren = (block.len() - at) as u64,
            None => self.barren += block.len() as u64,
        }
    }

    /// Whether it is still worth it: asked after each block, of which the first began at `before`.
    fn check(&self, before: u64, judge: Judge<'_>) -> Result<Result<(), Refusal>, Error> {
        let passed = |mark: u64| before < mark && mark <= self.bytes;
        if self.bytes > MAX_SPOOL_BYTES {
            let what = format!("the stream is longer than {} GiB", MAX_SPOOL_BYTES >> 30);
            return Ok(Err(Refusal::new(&what, "save it to a file and name that")));
        }
        if self.barren > MAX_BARREN_BYTES && !self.is_packed {
            return Ok(Err(super::plan::barren()));
        }
        if before / LOOK_EVERY_BYTES < self.bytes / LOOK_EVERY_BYTES && !has_room(&self.file) {
            return Err(no_room(io::Error::other("the volume is almost full")));
        }
        if self.is_recording {
            return Ok(Ok(()));
        }
        if passed(HEAD_BYTES as u64) {
            return Ok(sniff::sniff(&self.opened()).map(|_| ()));
        }
        // What is packed cannot be read before its end is there.
        if passed(MAX_BARREN_BYTES) && !self.is_packed {
            return Ok(judge(&self.opened()));
        }
        Ok(Ok(()))
    }

    fn opened(&self) -> OpenInput {
        OpenInput {
            content: Content::File(Arc::clone(&self.file)),
            bytes: self.bytes,
            written: None,
            version: Version::default(),
        }
    }
}

/// Whether the volume of a file has room for more.
#[cfg(unix)]
fn has_room(file: &File) -> bool {
    // Where the system does not say, writing will.
    rustix::fs::fstatvfs(file).map_or(true, |volume| {
        let free = volume.f_bavail.saturating_mul(volume.f_frsize);
        let all = volume.f_blocks.saturating_mul(volume.f_frsize);
        free >= KEEP_FREE_BYTES.min(all / 20)
    })
}

#[cfg(not(unix))]
fn has_room(_: &File) -> bool {
    true
}

#[expect(clippy::needless_pass_by_value, reason = "the one argument of map_err")]
fn no_room(e: io::Error) -> Error {
    Error::unusable(
        format!("the input cannot be kept in a temporary file: {}", super::input::reason(&e)),
        "give it as a file instead, or set TMPDIR to a folder with room",
    )
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use std::cell::Cell;
    use std::io::{Seek, SeekFrom};

    use super::*;

    #[test]
    fn a_stream_of_many_blocks_is_kept_whole() {
        let bytes: Vec<u8> = (b' '..=b'~').cycle().take(3 * BLOCK_BYTES + 7).collect();
        let stream = io::Cursor::new(bytes.clone());
        let SpoolResult::Whole(mut file) = spooled(stream) else { unreachable!() };
        let mut found = Vec::new();
        file.seek(SeekFrom::Start(0)).unwrap();
        file.read_to_end(&mut found).unwrap();
        assert!(found == bytes);
    }

    #[test]
    fn a_silent_stream_does_not_keep_anyone() {
        let (silent, writer) = io::pipe().unwrap();
        let asked = Cell::new(0);
        let stopped = keep(|| Ok(silent), &|_| Ok(()), &|| {
            asked.set(asked.get() + 1);
            asked.get() < 3
        });
        assert!(matches!(stopped, Err(Error::Interrupted)));
        drop(writer);
    }

    #[test]
    fn a_stream_s_own_fault_is_a_value() {
        let gone = || Err::<io::Empty, _>(io::Error::from(io::ErrorKind::NotFound));
        let fault = keep(gone, &|_| Ok(()), &|| true).unwrap();
        assert!(matches!(fault, SpoolResult::Failed(e) if e.kind() == io::ErrorKind::NotFound));
        let broken = Read::chain(&b"some"[..], Broken);
        assert!(
            matches!(spooled(broken), SpoolResult::Failed(e) if e.kind() == io::ErrorKind::Other)
        );
    }

    /// A stream with a limit of bytes. A read beyond it is a fault of the test.
    struct Endless {
        text: &'static [u8],
        given: u64,
        most: u64,
    }

    impl Read for Endless {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            assert!(self.given < self.most, "it was read on and on");
            let whole = buffer.len() / self.text.len() * self.text.len();
            for place in buffer[..whole].chunks_mut(self.text.len()) {
                place.copy_from_slice(self.text);
            }
            self.given += whole as u64;
            Ok(whole)
        }
    }

    fn spooled(stream: impl Read + Send + 'static) -> SpoolResult {
        keep(|| Ok(stream), &|_| Ok(()), &|| true).unwrap()
    }

    fn refused(text: &'static [u8], most: u64, judge: Judge<'_>) -> String {
        let stream = Endless { text, given: 0, most };
        match keep(|| Ok(stream), judge, &|| true).unwrap() {
            SpoolResult::Refused(refusal) => refusal.what,
            other => unreachable!("{other:?}"),
        }
    }

    #[test]
    fn a_stream_without_an_end_is_given_up_early() {
        let few = 4 << 20;
        assert!(refused(b"\0", few, &|_| Ok(())).contains("not text"));
        assert!(refused(b" \n", few, &|_| Ok(())).contains("blanks"));
        let more = MAX_BARREN_BYTES + few;
        assert!(refused(b"x,", more, &|_| Ok(())).contains("64 MiB"));
        let none = |_: &OpenInput| Err(Refusal::new("no records", ""));
        assert_eq!(refused(b"y\n", more, &none), "no records");
    }

    struct Broken;

    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("broken"))
        }
    }
}
