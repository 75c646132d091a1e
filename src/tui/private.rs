//! This program's own small files: in a folder of their own, for their owner alone, and never through a link.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use etcetera::{BaseStrategy, choose_base_strategy};

/// The folder for what is kept between runs and is no setting.
pub fn state_folder() -> Option<PathBuf> {
    let system = choose_base_strategy().ok()?;
    // Windows has no folder of that kind; its caches stay on the machine too.
    let folder = system.state_dir().unwrap_or_else(|| system.cache_dir());
    Some(folder.join("cosmoscope"))
}

/// Reads a small file; one that is longer is somebody else's.
pub fn read(path: &Path, max_bytes: u64) -> io::Result<Vec<u8>> {
    let file = open(path, Wish::Read)?;
    let mut bytes = Vec::new();
    file.take(max_bytes.saturating_add(1))
        .read_to_end(&mut bytes)?;
    if bytes.len() as u64 > max_bytes {
        return Err(io::Error::other("it is too long"));
    }
    Ok(bytes)
}

/// Writes a small file whole, and its folder where there is none.
#[expect(
    clippy::disallowed_methods,
    reason = "this is where the program's own files are written"
)]
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    make_folder(folder)?;
    if let Ok(there) = fs::symlink_metadata(path) {
        plain_file(&there)?;
    }
    // Readable by its owner only, which is how the library makes them.
    let mut file = tempfile::Builder::new()
        .prefix(".cosmoscope-")
        .suffix(".part")
        .tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|e| e.error)?;
    Ok(())
}

/// Opens a file to add to its end, and makes it where there is none.
pub fn append(path: &Path) -> io::Result<File> {
    open(path, Wish::Append)
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Wish {
    Read,
    Append,
}

#[expect(
    clippy::disallowed_methods,
    reason = "this is where the program's own files are opened"
)]
fn open(path: &Path, wish: Wish) -> io::Result<File> {
    let before = fs::symlink_metadata(path).ok();
    if let Some(there) = &before {
        plain_file(there)?;
    }
    let mut how = OpenOptions::new();
    match wish {
        Wish::Read => how.read(true),
        Wish::Append => how.append(true).create(true),
    };
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut how, 0o600);
    let file = how.open(path)?;
    // What was looked at and what was opened can be two things, if somebody changed one for the other in between.
    if before.is_some_and(|before| !is_same(&before, &file)) {
        return Err(io::Error::other("it was replaced while it was opened"));
    }
    plain_file(&fs::symlink_metadata(path)?)?;
    Ok(file)
}

fn plain_file(found: &Metadata) -> io::Result<()> {
    if found.is_file() {
        Ok(())
    } else {
        Err(io::Error::other("it is a folder, a link or a device"))
    }
}

#[cfg(unix)]
fn is_same(before: &Metadata, file: &File) -> bool {
    use std::os::unix::fs::MetadataExt;
    file.metadata()
        .is_ok_and(|now| (now.dev(), now.ino()) == (before.dev(), before.ino()))
}

#[cfg(not(unix))]
fn is_same(_: &Metadata, _: &File) -> bool {
    true
}

fn make_folder(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

#[cfg(test)]
#[expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test reads files and may panic"
)]
mod tests {
    use super::*;

    #[test]
    fn files_are_private_whole_and_bounded() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("state/recent.json");
        write(&path, b"first").unwrap();
        write(&path, b"second").unwrap();
        assert_eq!(read(&path, 6).unwrap(), b"second");
        assert!(read(&path, 5).is_err());
        append(&path).unwrap().write_all(b", third").unwrap();
        assert_eq!(read(&path, 64).unwrap(), b"second, third");
        let log = home.path().join("log");
        append(&log).unwrap();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
            assert_eq!((mode(&path), mode(&log)), (0o600, 0o600));
            assert_eq!(mode(path.parent().unwrap()), 0o700);
        }
        assert!(read(&home.path().join("absent"), 5).is_err());
        assert!(append(home.path()).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn a_planted_link_is_refused_and_its_target_unchanged() {
        let home = tempfile::tempdir().unwrap();
        let target = home.path().join("target");
        fs::write(&target, "precious").unwrap();
        for to in ["target", "absent"] {
            let link = home.path().join(format!("link-to-{to}"));
            std::os::unix::fs::symlink(home.path().join(to), &link).unwrap();
            assert!(read(&link, 64).is_err());
            assert!(write(&link, b"x").is_err());
            assert!(append(&link).is_err());
        }
        assert_eq!(fs::read_to_string(&target).unwrap(), "precious");
        assert!(!home.path().join("absent").exists());
    }
}
