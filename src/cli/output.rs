//! Where results go: standard output, or a file that is whole or absent.

use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};

use super::Output;
use crate::error::Error;
use crate::report::{Cells, Colour, Style};

/// Text is laid out for at most this width: longer lines are hard to read whatever the window.
const MAX_WIDTH: usize = 160;
const MIN_WIDTH: usize = 60;
const DEFAULT_WIDTH: usize = 80;

/// Writes through `write` to where the options say.
pub fn write(
    options: &Output,
    write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Error> {
    let Some(path) = &options.output else {
        let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
        return write(&mut out)
            .and_then(|()| out.flush())
            .map_err(|source| Error::Output { source });
    };
    let failed = |source| Error::Write {
        path: path.clone(),
        source,
    };
    check_target(path, options.force)?;
    let mut file = beside(folder_of(path)).map_err(failed)?;
    {
        let mut out = BufWriter::with_capacity(1 << 16, file.as_file_mut());
        write(&mut out).and_then(|()| out.flush()).map_err(failed)?;
    }
    file.as_file().sync_all().map_err(failed)?;
    let saved = if options.force {
        file.persist(path)
    } else {
        file.persist_noclobber(path)
    };
    match saved {
        Ok(_) => Ok(()),
        Err(e) if e.error.kind() == io::ErrorKind::AlreadyExists => {
            Err(Error::Exists { path: path.clone() })
        }
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
pub fn check_target(path: &Path, force: bool) -> Result<(), Error> {
    match std::fs::symlink_metadata(path) {
        Err(_) if std::fs::metadata(folder_of(path)).is_ok_and(|m| m.is_dir()) => Ok(()),
        Err(_) => Err(Error::NoFolder {
            path: folder_of(path).to_owned(),
        }),
        Ok(m) if !m.is_file() => Err(Error::NotAFile {
            path: path.to_owned(),
        }),
        Ok(_) if force => Ok(()),
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

/// The layout of text: the window's width and colour on a terminal, plain otherwise.
pub fn style(options: &Output, cells: Cells) -> Style {
    let terminal = options.output.is_none() && io::stdout().is_terminal();
    let colour = if terminal && colour_wanted() {
        Colour::On
    } else {
        Colour::Off
    };
    let window = terminal_size::terminal_size()
        .filter(|_| terminal)
        .map(|(w, _)| usize::from(w.0));
    let width = window.unwrap_or(DEFAULT_WIDTH).clamp(MIN_WIDTH, MAX_WIDTH);
    Style {
        width,
        colour,
        cells,
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the terminal's wishes are in the environment"
)]
pub fn colour_wanted() -> bool {
    let set = |name| std::env::var_os(name).is_some_and(|v| !v.is_empty());
    !set("NO_COLOR") && std::env::var_os("TERM").is_none_or(|t| t != "dumb")
}
