//! Streams, which give their bytes once only, as private files that can be read any number of times.

use std::fs::File;
use std::io::{self, Read, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

use crate::error::Error;

/// A block is a large read of a pipe; few wait at a time, so that a fast writer cannot fill the memory.
const BLOCK_BYTES: usize = 1 << 18;
const MAX_WAITING_BLOCKS: usize = 4;
/// How long a stop can go unnoticed while a stream is silent.
const ASK_EVERY: Duration = Duration::from_millis(100);

/// Copies a stream to a file that has no name (or, where the system has no such files, is removed when closed).
///
/// Opening a pipe waits for its writer and reading waits for its bytes, both without an end that a signal could bring:
/// another thread does both, and may be left waiting when the work is stopped. Gives the stream's own fault as a value.
#[expect(
    clippy::disallowed_methods,
    reason = "this is where streams become readable twice"
)]
pub fn keep<R: Read>(
    open: impl FnOnce() -> io::Result<R> + Send + 'static,
    keep_going: &dyn Fn() -> bool,
) -> Result<io::Result<File>, Error> {
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
    write(file, &blocks, keep_going)
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

fn write(
    mut file: File,
    blocks: &Receiver<io::Result<Vec<u8>>>,
    keep_going: &dyn Fn() -> bool,
) -> Result<io::Result<File>, Error> {
    loop {
        if !keep_going() {
            return Err(Error::Interrupted);
        }
        match blocks.recv_timeout(ASK_EVERY) {
            Ok(Ok(block)) => file.write_all(&block).map_err(no_room)?,
            Ok(Err(e)) => return Ok(Err(e)),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Ok(Ok(file)),
        }
    }
}

#[expect(clippy::needless_pass_by_value, reason = "the one argument of map_err")]
fn no_room(e: io::Error) -> Error {
    Error::Input {
        what: format!(
            "the input cannot be kept in a temporary file: {}",
            super::input::reason(&e)
        ),
        next: Some("give it as a file instead, or set TMPDIR to a folder with room".to_owned()),
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use std::cell::Cell;
    use std::io::{Seek, SeekFrom};

    use super::*;

    #[test]
    fn a_stream_of_many_blocks_is_kept_whole() {
        let bytes: Vec<u8> = (0..=250_u8).cycle().take(3 * BLOCK_BYTES + 7).collect();
        let stream = io::Cursor::new(bytes.clone());
        let mut file = keep(|| Ok(stream), &|| true).unwrap().unwrap();
        let mut found = Vec::new();
        file.seek(SeekFrom::Start(0)).unwrap();
        file.read_to_end(&mut found).unwrap();
        assert!(found == bytes);
    }

    #[test]
    fn a_silent_stream_does_not_keep_anyone() {
        let (silent, writer) = io::pipe().unwrap();
        let asked = Cell::new(0);
        let stopped = keep(|| Ok(silent), &|| {
            asked.set(asked.get() + 1);
            asked.get() < 3
        });
        assert!(matches!(stopped, Err(Error::Interrupted)));
        drop(writer);
    }

    #[test]
    fn a_stream_s_own_fault_is_a_value() {
        let gone = || Err::<io::Empty, _>(io::Error::from(io::ErrorKind::NotFound));
        let fault = keep(gone, &|| true).unwrap().unwrap_err();
        assert_eq!(fault.kind(), io::ErrorKind::NotFound);
        let broken = Read::chain(&b"some"[..], Broken);
        let fault = keep(|| Ok(broken), &|| true).unwrap().unwrap_err();
        assert_eq!(fault.kind(), io::ErrorKind::Other);
    }

    struct Broken;

    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("broken"))
        }
    }
}
