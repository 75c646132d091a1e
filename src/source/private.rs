//! Files for their owner alone, and files that are not there until they are whole: the one place where either is opened.
//! Never through a link, and never one thing looked at and another opened.

#![expect(
    clippy::disallowed_methods,
    reason = "this is where private and unfinished files are opened, named and removed"
)]

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Component, Path, PathBuf, absolute};

use etcetera::{BaseStrategy, choose_base_strategy};

/// Names of unfinished files, where the system cannot do without.
const PREFIX: &str = ".cosmoscope-";
const SUFFIX: &str = ".part";
/// Names that are tried for one file.
#[cfg(target_os = "linux")]
const MAX_TRIES: u32 = 16;

/// `FILE_FLAG_OPEN_REPARSE_POINT`.
#[cfg(windows)]
const OPEN_REPARSE_POINT: u32 = 0x0020_0000;

/// What a file is opened for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PrivatePurpose {
    Read,
    /// To add to its end, made where there is none.
    Append,
    /// To be made; one that is there is left alone.
    New,
    /// To be read and added to; it must be there.
    Continue,
}

/// The folder for what is kept between runs and is no setting.
pub fn state_folder() -> Option<PathBuf> {
    let system = choose_base_strategy().ok()?;
    // Windows has no folder of that kind; its caches stay on the machine too.
    let folder = system.state_dir().unwrap_or_else(|| system.cache_dir());
    Some(folder.join("cosmoscope"))
}

/// A path from the root without `.` and `..`; behind a link `..` is not the folder that it stands in.
pub fn normalised(path: &Path) -> Option<PathBuf> {
    let mut whole = PathBuf::new();
    for part in absolute(path).ok()?.components() {
        match part {
            Component::ParentDir if !whole.is_symlink() => {
                whole.pop();
            }
            part => whole.push(part),
        }
    }
    Some(whole)
}

/// Opens a file for its owner alone.
pub fn open(path: &Path, purpose: PrivatePurpose) -> io::Result<File> {
    let before = fs::symlink_metadata(path).ok();
    // A new file is opened by the system's own word: through no link, and only where nothing is.
    if let Some(there) = before.as_ref().filter(|_| purpose != PrivatePurpose::New) {
        plain_file(there)?;
    }
    let mut how = OpenOptions::new();
    match purpose {
        PrivatePurpose::Read => how.read(true),
        PrivatePurpose::Append => how.append(true).create(true),
        PrivatePurpose::New => how.read(true).append(true).create_new(true),
        PrivatePurpose::Continue => how.read(true).append(true),
    };
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut how, 0o600);
    // A link is opened itself, and is then no plain file.
    #[cfg(windows)]
    std::os::windows::fs::OpenOptionsExt::custom_flags(&mut how, OPEN_REPARSE_POINT);
    let file = how.open(path)?;
    // What was looked at and what was opened can be two things, if somebody changed one for the other in between.
    if before.is_some_and(|before| !is_same(&before, &file)) {
        return Err(io::Error::other("it was replaced while it was opened"));
    }
    plain_file(&fs::symlink_metadata(path)?)?;
    Ok(file)
}

/// Reads a small file; one that is longer is not one of ours.
pub fn read(path: &Path, max_bytes: u64) -> io::Result<Vec<u8>> {
    let file = open(path, PrivatePurpose::Read)?;
    let mut bytes = Vec::new();
    file.take(max_bytes.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > max_bytes {
        return Err(io::Error::other("it is too long"));
    }
    Ok(bytes)
}

/// What becomes of a file that has the name already.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PrivatePlace {
    Free,
    Taken,
}

/// Writes a small file whole, and its folder where there is none. With `PrivatePlace::Free` one that is there stays, and is the error
/// `AlreadyExists`.
pub fn write(path: &Path, bytes: &[u8], place: PrivatePlace) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)?;
    if let Ok(there) = fs::symlink_metadata(path) {
        plain_file(&there)?;
    }
    let mut unfinished = Unfinished::new(folder, Readers::Owner)?;
    unfinished.file().write_all(bytes)?;
    unfinished.finish(path, place)
}

/// Who may read a file that is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Readers {
    Owner,
    /// Those whom the user's mask lets, as with any file a program writes.
    AsUsual,
}

impl Readers {
    #[cfg(unix)]
    fn mode(self) -> u16 {
        match self {
            Self::Owner => 0o600,
            Self::AsUsual => 0o666,
        }
    }
}

/// A file that is written and gets its name only when it is whole. A program that is ended before leaves nothing: until then
/// the file has no name at all, or, where the system has no such files, one that the next writer to the folder removes.
#[derive(Debug)]
pub struct Unfinished {
    form: Form,
}

#[derive(Debug)]
enum Form {
    #[cfg(target_os = "linux")]
    Nameless(File),
    Named(tempfile::NamedTempFile),
}

impl Unfinished {
    /// In the folder where it is to be, so that putting it in place is one step.
    pub fn new(folder: &Path, readers: Readers) -> io::Result<Self> {
        remove_abandoned(folder);
        #[cfg(target_os = "linux")]
        if let Some(file) = nameless(folder, readers) {
            let form = Form::Nameless(file);
            return Ok(Self { form });
        }
        let form = Form::Named(named(folder, readers)?);
        Ok(Self { form })
    }

    pub fn file(&mut self) -> &mut File {
        match &mut self.form {
            #[cfg(target_os = "linux")]
            Form::Nameless(file) => file,
            Form::Named(file) => file.as_file_mut(),
        }
    }

    /// Puts the file where it belongs, once all of it is on the disk.
    pub fn finish(mut self, path: &Path, place: PrivatePlace) -> io::Result<()> {
        self.file().sync_all()?;
        match (self.form, place) {
            #[cfg(target_os = "linux")]
            (Form::Nameless(file), PrivatePlace::Free) => give_name(&file, path),
            #[cfg(target_os = "linux")]
            (Form::Nameless(file), PrivatePlace::Taken) => replace(&file, path),
            (Form::Named(file), PrivatePlace::Free) => {
                file.persist_noclobber(path).map(drop).map_err(|e| e.error)
            }
            (Form::Named(file), PrivatePlace::Taken) => {
                file.persist(path).map(drop).map_err(|e| e.error)
            }
        }
    }
}

/// A file without a name; None where the system or the volume has no such files, or could not name one later.
#[cfg(target_os = "linux")]
fn nameless(folder: &Path, readers: Readers) -> Option<File> {
    use rustix::fs::{Mode, OFlags};
    let how = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
    let file = rustix::fs::open(folder, how, Mode::from_raw_mode(readers.mode().into())).ok()?;
    let file = File::from(file);
    fs::symlink_metadata(by_number(&file)).ok()?;
    Some(file)
}

/// Where the system shows an open file.
#[cfg(target_os = "linux")]
fn by_number(file: &File) -> PathBuf {
    use std::os::fd::AsRawFd;
    PathBuf::from(format!("/proc/self/fd/{}", file.as_raw_fd()))
}

#[cfg(target_os = "linux")]
fn give_name(file: &File, path: &Path) -> io::Result<()> {
    use rustix::fs::{AtFlags, CWD, linkat};
    let follow = AtFlags::SYMLINK_FOLLOW;
    Ok(linkat(CWD, by_number(file), CWD, path, follow)?)
}

/// A name cannot be given over another file: for a moment the new one has a name of its own.
#[cfg(target_os = "linux")]
fn replace(file: &File, path: &Path) -> io::Result<()> {
    let folder = folder_of(path);
    // Who sees the name while it is there must not take it for abandoned.
    lock(file)?;
    for _ in 0..MAX_TRIES {
        let mut number = [0; 8];
        getrandom::fill(&mut number).map_err(|e| io::Error::other(e.to_string()))?;
        let number = u64::from_le_bytes(number);
        let name = folder.join(format!("{PREFIX}{number:016x}{SUFFIX}"));
        match give_name(file, &name) {
            Ok(()) => {
                return fs::rename(&name, path).inspect_err(|_| {
                    let _ = fs::remove_file(&name);
                });
            }
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {}
            Err(e) => return Err(e),
        }
    }
    Err(io::Error::from(io::ErrorKind::AlreadyExists))
}

fn named(folder: &Path, readers: Readers) -> io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX).suffix(SUFFIX);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(readers.mode().into()));
    }
    #[cfg(not(unix))]
    let _ = readers;
    let file = builder.tempfile_in(folder)?;
    #[cfg(unix)]
    lock(file.as_file())?;
    Ok(file)
}

/// A file that is being written is locked until its writer ends, however that comes.
#[cfg(unix)]
fn lock(file: &File) -> io::Result<()> {
    use rustix::fs::{FlockOperation, flock};
    // A volume without locks keeps what is abandoned there.
    match flock(file, FlockOperation::NonBlockingLockExclusive) {
        Err(e) if e == rustix::io::Errno::WOULDBLOCK => Err(e.into()),
        _ => Ok(()),
    }
}

/// Removes what writers left that were killed: files of our names that nobody writes.
fn remove_abandoned(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let name = name.as_encoded_bytes();
        let is_ours = name.starts_with(PREFIX.as_bytes()) && name.ends_with(SUFFIX.as_bytes());
        if is_ours && is_abandoned(&entry.path()) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

#[cfg(unix)]
fn is_abandoned(path: &Path) -> bool {
    use rustix::fs::{FlockOperation, flock};
    let Ok(file) = open(path, PrivatePurpose::Read) else {
        return false;
    };
    flock(&file, FlockOperation::NonBlockingLockExclusive).is_ok()
}

/// Windows gives a file to one program alone only while no other has it open.
#[cfg(windows)]
fn is_abandoned(path: &Path) -> bool {
    use std::os::windows::fs::OpenOptionsExt;
    let mut how = OpenOptions::new();
    how.read(true).share_mode(0).custom_flags(OPEN_REPARSE_POINT);
    how.open(path).is_ok_and(|file| file.metadata().is_ok_and(|found| found.is_file()))
}

/// The folder a file is or will be in.
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."))
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
    file.metadata().is_ok_and(|now| (now.dev(), now.ino()) == (before.dev(), before.ino()))
}

/// What was opened is never a link here, and no file that is open can be replaced by one.
#[cfg(windows)]
fn is_same(_: &Metadata, file: &File) -> bool {
    file.metadata().is_ok_and(|now| now.is_file())
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;

    #[test]
    fn files_are_private_whole_and_bounded() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("state/recent.json");
        write(&path, b"first", PrivatePlace::Taken).unwrap();
        write(&path, b"second", PrivatePlace::Taken).unwrap();
        let taken = write(&path, b"third", PrivatePlace::Free).unwrap_err();
        assert_eq!(taken.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(read(&path, 6).unwrap(), b"second");
        assert!(read(&path, 5).is_err());
        open(&path, PrivatePurpose::Append).unwrap().write_all(b", third").unwrap();
        assert_eq!(read(&path, 64).unwrap(), b"second, third");
        let log = home.path().join("log");
        open(&log, PrivatePurpose::Append).unwrap();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
            assert_eq!((mode(&path), mode(&log)), (0o600, 0o600));
            assert_eq!(mode(path.parent().unwrap()), 0o700);
        }
        assert!(read(&home.path().join("absent"), 5).is_err());
        assert!(open(home.path(), PrivatePurpose::Append).is_err());
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
            assert!(write(&link, b"x", PrivatePlace::Taken).is_err());
            assert!(open(&link, PrivatePurpose::Append).is_err());
        }
        assert_eq!(fs::read_to_string(&target).unwrap(), "precious");
        assert!(!home.path().join("absent").exists());
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let name = |e: io::Result<fs::DirEntry>| e.unwrap().file_name().into_string().unwrap();
        let mut names: Vec<String> = entries.map(name).collect();
        names.sort();
        names
    }

    #[test]
    fn an_unfinished_file_has_its_name_only_when_it_is_whole() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("report.csv");
        for text in ["first", "second"] {
            let mut unfinished = Unfinished::new(home.path(), Readers::AsUsual).unwrap();
            unfinished.file().write_all(text.as_bytes()).unwrap();
            assert!(fs::read_to_string(&path).is_ok() == (text == "second"));
            unfinished.finish(&path, PrivatePlace::Taken).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
        let unfinished = Unfinished::new(home.path(), Readers::Owner).unwrap();
        let taken = unfinished.finish(&path, PrivatePlace::Free).unwrap_err();
        assert_eq!(taken.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(names(home.path()), ["report.csv"]);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn where_the_volume_can_an_unfinished_file_has_no_name() {
        let home = tempfile::tempdir().unwrap();
        let Some(mut file) = nameless(home.path(), Readers::Owner) else {
            return;
        };
        file.write_all(b"half").unwrap();
        assert!(names(home.path()).is_empty());
        give_name(&file, &home.path().join("whole")).unwrap();
        assert_eq!(names(home.path()), ["whole"]);
    }

    #[cfg(unix)]
    #[test]
    fn what_a_killed_writer_left_is_removed_and_what_one_writes_is_not() {
        let home = tempfile::tempdir().unwrap();
        let left = home.path().join(".cosmoscope-left.part");
        fs::write(&left, "half").unwrap();
        fs::write(home.path().join(".cosmoscope.toml"), "").unwrap();
        std::os::unix::fs::symlink(home.path(), home.path().join(".cosmoscope-link.part")).unwrap();
        let at_work = named(home.path(), Readers::Owner).unwrap();
        let path = home.path().join("out");
        write(&path, b"whole", PrivatePlace::Free).unwrap();
        assert!(!left.exists() && at_work.path().exists());
        drop(at_work);
        let stay = [".cosmoscope-link.part", ".cosmoscope.toml", "out"];
        assert_eq!(names(home.path()), stay);
    }
}
