//! Files that are written whole or not at all, and never over what they were made from.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::error::{Error, usage};
use crate::source::private::{PrivatePlace, Readers, Unfinished, folder_of};

/// Whether a file that is there may be replaced.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IfExists {
    Keep,
    Replace,
}

/// Writes a file through `write`.
pub fn write(
    path: &Path,
    existing: IfExists,
    write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Error> {
    let failed = |source| Error::Write { path: path.to_owned(), source };
    check_target(path, existing)?;
    let mut file = Unfinished::new(folder_of(path), Readers::AsUsual).map_err(failed)?;
    {
        let mut out = BufWriter::with_capacity(1 << 16, file.file());
        write(&mut out).and_then(|()| out.flush()).map_err(failed)?;
    }
    let place = match existing {
        IfExists::Replace => PrivatePlace::Taken,
        IfExists::Keep => PrivatePlace::Free,
    };
    file.finish(path, place).map_err(|e| match e.kind() {
        io::ErrorKind::AlreadyExists => Error::Exists { path: path.to_owned() },
        _ => failed(e),
    })
}

/// Writing that ends when nobody wants it any more; what was written so far is then removed.
pub struct Stoppable<'w> {
    pub to: &'w mut dyn Write,
    pub keep_going: &'w dyn Fn() -> bool,
}

impl Write for Stoppable<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if (self.keep_going)() {
            self.to.write(bytes)
        } else {
            Err(io::Error::other("it was stopped"))
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

/// A link could lead elsewhere, and a device is no file to replace.
#[expect(clippy::disallowed_methods, reason = "this is where results are written")]
pub fn check_target(path: &Path, existing: IfExists) -> Result<(), Error> {
    match std::fs::symlink_metadata(path) {
        Err(_) if std::fs::metadata(folder_of(path)).is_ok_and(|m| m.is_dir()) => Ok(()),
        Err(_) => Err(Error::NoFolder { path: folder_of(path).to_owned() }),
        Ok(m) if !m.is_file() => Err(Error::NotAFile { path: path.to_owned() }),
        Ok(_) if existing == IfExists::Replace => Ok(()),
        Ok(_) => Err(Error::Exists { path: path.to_owned() }),
    }
}

/// A result never replaces what it was made from, whatever was forced.
#[expect(clippy::disallowed_methods, reason = "this is where results are written")]
pub fn check_apart(path: &Path, inputs: &[PathBuf]) -> Result<(), Error> {
    let Ok(target) = std::fs::canonicalize(path) else {
        return Ok(());
    };
    let holds =
        |input: &&PathBuf| std::fs::canonicalize(input).is_ok_and(|i| target.starts_with(i));
    match inputs.iter().find(holds) {
        None => Ok(()),
        Some(_) => Err(usage(
            format!(
                "{} is one of the inputs",
                crate::source::tally::quoted(&crate::source::input::shown(path))
            ),
            "write the result to another file",
        )),
    }
}
