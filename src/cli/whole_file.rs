//! Files that are written whole or not at all, and never over what they were made from.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::app::msg::Existing;
use crate::error::Error;

/// Writes a file through `write`.
pub fn write(
    path: &Path,
    existing: Existing,
    write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Error> {
    let failed = |source| Error::Write {
        path: path.to_owned(),
        source,
    };
    check_target(path, existing)?;
    let mut file = beside(folder_of(path)).map_err(failed)?;
    {
        let mut out = BufWriter::with_capacity(1 << 16, file.as_file_mut());
        write(&mut out).and_then(|()| out.flush()).map_err(failed)?;
    }
    file.as_file().sync_all().map_err(failed)?;
    let saved = match existing {
        Existing::Replace => file.persist(path),
        Existing::Keep => file.persist_noclobber(path),
    };
    match saved {
        Ok(_) => Ok(()),
        Err(e) if e.error.kind() == io::ErrorKind::AlreadyExists => Err(Error::Exists {
            path: path.to_owned(),
        }),
        Err(e) => Err(failed(e.error)),
    }
}

fn folder_of(path: &Path) -> &Path {
    path.parent()
        .filter(|p| !p.as_os_str().is_empty())
        .unwrap_or(Path::new("."))
}

/// A file in the target's own folder, so that putting it in place is one step; removed if that step is never reached.
#[expect(
    clippy::disallowed_methods,
    reason = "this is where results are written"
)]
fn beside(folder: &Path) -> io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".cosmoscope-").suffix(".part");
    #[cfg(unix)]
    {
        // What the user's umask makes of it, as with any file a program writes.
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder)
}

/// A link could lead elsewhere, and a device is no file to replace.
#[expect(
    clippy::disallowed_methods,
    reason = "this is where results are written"
)]
pub fn check_target(path: &Path, existing: Existing) -> Result<(), Error> {
    match std::fs::symlink_metadata(path) {
        Err(_) if std::fs::metadata(folder_of(path)).is_ok_and(|m| m.is_dir()) => Ok(()),
        Err(_) => Err(Error::NoFolder {
            path: folder_of(path).to_owned(),
        }),
        Ok(m) if !m.is_file() => Err(Error::NotAFile {
            path: path.to_owned(),
        }),
        Ok(_) if existing == Existing::Replace => Ok(()),
        Ok(_) => Err(Error::Exists {
            path: path.to_owned(),
        }),
    }
}

/// A result never replaces what it was made from, whatever was forced.
#[expect(
    clippy::disallowed_methods,
    reason = "this is where results are written"
)]
pub fn check_apart(path: &Path, inputs: &[PathBuf]) -> Result<(), Error> {
    let Ok(target) = std::fs::canonicalize(path) else {
        return Ok(());
    };
    let holds =
        |input: &&PathBuf| std::fs::canonicalize(input).is_ok_and(|i| target.starts_with(i));
    match inputs.iter().find(holds) {
        None => Ok(()),
        Some(_) => Err(Error::Usage {
            what: format!(
                "{} is one of the inputs",
                crate::source::tally::quoted(&crate::source::input::shown(path))
            ),
            next: Some("write the result to another file".to_owned()),
        }),
    }
}
