//! What the user named: files, folders and standard input, as things that can be read any number of times.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::{SystemTime, UNIX_EPOCH};

use super::answers::Kind;
use super::decode::{Content, Positioned};
use super::sniff::Refusal;
use super::spool::{self, SpoolResult};
use super::tally::unquoted;
use crate::error::{Error, usage};
use crate::model::capture::RangeOwner;
use crate::model::names::ContainerName;
use crate::model::near;
use crate::model::time::Stamp;
use crate::model::visible::visible;

/// Inputs that one import reads; their numbers are kept with every key.
pub const MAX_FILES: usize = u16::MAX as usize;
/// Folders inside folders that are followed.
const MAX_DEPTH: usize = 64;
const STANDARD_INPUT: &str = "standard input";
/// The log of a Delta table, which alone says which of its files hold current rows.
const DELTA_LOG: &str = "_delta_log";
const DELTA_TABLE: &str = "this folder is a Delta table, whose files hold removed rows, too: query its current rows into \
    a Parquet or JSON lines file, and give that file";

/// One thing to read.
#[derive(Clone, Debug)]
pub struct Input {
    /// The path as it may be shown.
    pub shown: String,
    /// The last part of the path: a hint to whose data it is.
    pub file_name: String,
    /// Whose it is and when it was so, where that is known before it is read.
    pub owner: Option<RangeOwner>,
    /// Of an answer that is held: what was asked.
    pub kind: Option<Kind>,
    place: Place,
}

#[derive(Clone, Debug)]
enum Place {
    Path(PathBuf),
    /// A stream that was written to a private file, which is gone as soon as it is closed.
    Spooled(Arc<File>),
    /// What a live account answered.
    Held(Arc<[u8]>),
}

/// An opened input.
#[derive(Clone, Debug)]
pub struct OpenInput {
    pub content: Content,
    pub bytes: u64,
    /// When the file was last written.
    pub written: Option<Stamp>,
    pub version: Version,
}

/// Which file it is and when it was last changed: readings that find the same version read the same bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Version {
    /// Volume and file by the numbers that the system gives them.
    file: (u64, u64),
    bytes: u64,
    written: Option<SystemTime>,
    /// When its name, place or owner was changed, in seconds and parts of them.
    moved: (i64, i64),
}

impl Version {
    fn of(metadata: &fs::Metadata) -> Self {
        #[cfg(unix)]
        let (file, moved) = {
            use std::os::unix::fs::MetadataExt;
            ((metadata.dev(), metadata.ino()), (metadata.ctime(), metadata.ctime_nsec()))
        };
        // Windows tells no number of a file to us, but when it was made.
        #[cfg(windows)]
        let (file, moved) = {
            use std::os::windows::fs::MetadataExt;
            ((0, metadata.creation_time()), (0, 0))
        };
        Self { file, bytes: metadata.len(), written: metadata.modified().ok(), moved }
    }

    /// Whether it is the same file, with more at its end or nothing else than before.
    pub fn is_longer(&self, before: &Self) -> bool {
        self.file == before.file && self.bytes >= before.bytes
    }
}

/// What happened to a file while it was open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileChange {
    CutShort,
    Written,
}

impl OpenInput {
    /// Whether somebody wrote to the file since it was opened. Another file in its place is nothing to this one.
    pub fn change(&self) -> Option<FileChange> {
        let Content::File(file) = &self.content else {
            return None;
        };
        let now = Version::of(&file.metadata().ok()?);
        if now.bytes < self.bytes {
            Some(FileChange::CutShort)
        } else if (now.bytes, now.written) == (self.bytes, self.version.written) {
            None
        } else {
            Some(FileChange::Written)
        }
    }

    pub fn reader(&self, progress: &Arc<AtomicU64>) -> Positioned {
        Positioned::new(self.content.clone(), Arc::clone(progress))
    }
}

impl Input {
    /// An answer that is held in memory, and whose it is.
    pub fn in_memory(shown: &str, kind: Kind, body: &Arc<[u8]>, owner: RangeOwner) -> Self {
        Self {
            owner: Some(owner),
            kind: Some(kind),
            ..Self::nameless(shown, Place::Held(Arc::clone(body)))
        }
    }

    fn nameless(shown: &str, place: Place) -> Self {
        Self { shown: shown.to_owned(), file_name: String::new(), owner: None, kind: None, place }
    }

    /// A file by its path, whatever is there.
    pub fn at(path: &Path) -> Self {
        let name = path.file_name().unwrap_or_default();
        Self {
            file_name: name.to_string_lossy().into_owned(),
            ..Self::nameless(&shown(path), Place::Path(path.to_owned()))
        }
    }

    #[expect(clippy::disallowed_methods, reason = "this is where sources read files")]
    pub fn open(&self) -> io::Result<OpenInput> {
        let file = match &self.place {
            Place::Path(path) => Arc::new(File::open(path)?),
            Place::Spooled(file) => Arc::clone(file),
            Place::Held(held) => {
                return Ok(OpenInput {
                    bytes: held.len() as u64,
                    content: Content::Held(Arc::clone(held)),
                    written: None,
                    version: Version::default(),
                });
            }
        };
        let metadata = file.metadata()?;
        let version = Version::of(&metadata);
        let written = version.written;
        let written = written.and_then(|at| at.duration_since(UNIX_EPOCH).ok());
        Ok(OpenInput {
            bytes: metadata.len(),
            version,
            written: written.and_then(|at| Stamp::from_seconds(i64::try_from(at.as_secs()).ok()?)),
            content: Content::File(file),
        })
    }
}

/// What the user's paths lead to, and what was left aside on the way.
#[derive(Debug, Default)]
pub struct Inputs {
    /// In the order in which they were named.
    pub inputs: Vec<Result<Input, RefusedPath>>,
    /// Containers that are known to exist, also without any input.
    pub containers: Vec<ContainerName>,
    pub notes: Vec<String>,
}

/// A path that cannot be read.
#[derive(Clone, Debug)]
pub struct RefusedPath {
    pub shown: String,
    pub refusal: Refusal,
}

/// Finds the files of records behind the paths. `-` is standard input, which `keep_going` can interrupt.
pub fn find(paths: &[PathBuf], keep_going: &dyn Fn() -> bool) -> Result<Inputs, Error> {
    find_with(paths, &super::import::has_records, keep_going)
}

/// As `find`, for files of documents: any text may be one.
pub fn find_documents(paths: &[PathBuf], keep_going: &dyn Fn() -> bool) -> Result<Inputs, Error> {
    find_with(paths, &|_| Ok(()), keep_going)
}

fn find_with(
    paths: &[PathBuf],
    judge: spool::Judge<'_>,
    keep_going: &dyn Fn() -> bool,
) -> Result<Inputs, Error> {
    let mut out = Inputs::default();
    let mut stdin_taken = false;
    for path in paths {
        if path.as_os_str() == "-" {
            if stdin_taken {
                return Err(stdin_twice());
            }
            stdin_taken = true;
            let kept = spool::keep(|| Ok(io::stdin()), judge, keep_going)?;
            out.add_kept(STANDARD_INPUT, STANDARD_INPUT, kept);
            continue;
        }
        out.add_path(path, judge, keep_going)?;
    }
    if out.inputs.is_empty() {
        let why = "there is no file in this folder";
        return Err(Error::Refused {
            refused: paths.iter().map(|p| (shown(p), why.to_owned())).collect(),
            next: Some("name the folder or file that the export was written to".to_owned()),
        });
    }
    Ok(out)
}

pub fn stdin_twice() -> Error {
    usage("standard input can be read only once", "save one of them to a file")
}

pub fn shown(path: &Path) -> String {
    visible(&path.to_string_lossy()).into_owned()
}

impl Inputs {
    /// Those that can be read.
    pub fn readable(&self) -> impl Iterator<Item = &Input> {
        self.inputs.iter().flatten()
    }

    #[expect(clippy::disallowed_methods, reason = "this is where sources find files")]
    fn add_path(
        &mut self,
        path: &Path,
        judge: spool::Judge<'_>,
        keep_going: &dyn Fn() -> bool,
    ) -> Result<(), Error> {
        let kind = match fs::metadata(path) {
            Ok(metadata) => metadata.file_type(),
            Err(e) => {
                self.refuse(shown(path), not_opened(path, &e));
                return Ok(());
            }
        };
        if kind.is_dir() {
            return self.add_folder(path, 0, keep_going);
        }
        if is_device(kind) {
            let what = "this is a device, not a file";
            let next = "give a file, or - for standard input";
            self.refuse(shown(path), Refusal::new(what, next));
            return Ok(());
        }
        if kind.is_file() {
            self.inputs.push(Ok(Input::at(path)));
            return Ok(());
        }
        // A pipe, such as the shell's <(…), gives its bytes once only.
        let named = path.to_owned();
        let kept = spool::keep(move || File::open(named), judge, keep_going)?;
        let name = shown(path);
        self.add_kept(&name, &format!("`{}`", unquoted(&name)), kept);
        Ok(())
    }

    /// Takes a stream under its name; `quoted` is how sentences name it.
    fn add_kept(&mut self, name: &str, quoted: &str, kept: SpoolResult) {
        match kept {
            SpoolResult::Whole(file) => {
                self.notes.push(format!(
                    "{quoted} was kept in a private temporary file while it was read"
                ));
                let place = Place::Spooled(Arc::new(file));
                self.inputs.push(Ok(Input::nameless(name, place)));
            }
            SpoolResult::Refused(refusal) => self.refuse(name.to_owned(), refusal),
            SpoolResult::Failed(e) => {
                self.refuse(name.to_owned(), unreadable("cannot be read", &e));
            }
        }
    }

    pub(super) fn refuse(&mut self, shown: String, refusal: Refusal) {
        self.inputs.push(Err(RefusedPath { shown, refusal }));
    }

    /// Every file of a folder, in the order of names; hidden ones and links are left aside.
    #[expect(clippy::disallowed_methods, reason = "this is where sources find files")]
    fn add_folder(
        &mut self,
        folder: &Path,
        depth: usize,
        keep_going: &dyn Fn() -> bool,
    ) -> Result<(), Error> {
        if !keep_going() {
            return Err(Error::Interrupted);
        }
        let entries = fs::read_dir(folder).and_then(Iterator::collect::<io::Result<Vec<_>>>);
        let mut entries = match entries {
            Ok(entries) => entries,
            Err(e) => {
                self.refuse(shown(folder), unreadable("the folder cannot be read", &e));
                return Ok(());
            }
        };
        if entries.iter().any(|entry| entry.file_name() == DELTA_LOG) {
            self.refuse(shown(folder), Refusal::new(DELTA_TABLE, ""));
            return Ok(());
        }
        entries.sort_by_key(fs::DirEntry::file_name);
        for entry in entries {
            let path = entry.path();
            let hidden = entry.file_name().as_encoded_bytes().first() == Some(&b'.');
            let Ok(kind) = entry.file_type() else {
                continue;
            };
            if hidden {
                continue;
            }
            if kind.is_dir() && depth < MAX_DEPTH {
                self.add_folder(&path, depth + 1, keep_going)?;
            } else if kind.is_file() {
                if self.inputs.len() >= MAX_FILES {
                    let why = format!("there are more than {MAX_FILES} files in it");
                    return Err(Error::refused(shown(folder), why, "name a smaller folder"));
                }
                self.inputs.push(Ok(Input::at(&path)));
            } else {
                self.notes.push(format!("not followed: `{}`", unquoted(&shown(&path))));
            }
        }
        Ok(())
    }
}

/// What gives bytes without an end, or none that would be records.
#[cfg(unix)]
fn is_device(kind: fs::FileType) -> bool {
    use std::os::unix::fs::FileTypeExt;
    kind.is_char_device() || kind.is_block_device()
}

#[cfg(not(unix))]
fn is_device(_: fs::FileType) -> bool {
    false
}

/// Why the system does not give a file or folder, and what to do about it.
pub fn unreadable(what: &str, e: &io::Error) -> Refusal {
    let next = match e.kind() {
        io::ErrorKind::NotFound => {
            "check the path; a folder, or - for standard input, is read as well"
        }
        io::ErrorKind::PermissionDenied => "get permission to read it, or give a copy",
        _ => "give a copy of it, or - for standard input",
    };
    Refusal::new(&format!("{what}: {}", reason(e)), next)
}

/// A path as it was typed, with the name that was probably meant.
pub fn not_opened(path: &Path, e: &io::Error) -> Refusal {
    let mut refusal = unreadable("cannot be opened", e);
    let near = (e.kind() == io::ErrorKind::NotFound).then(|| neighbour(path));
    if let Some(name) = near.flatten() {
        let question = format!(". Did you mean `{}`?", unquoted(&name));
        refusal.what.push_str(&question);
    }
    if path.to_string_lossy().contains("://") {
        refusal.next = Some("a live account is shown by cosmoscope connect ENDPOINT".to_owned());
    }
    refusal
}

/// The name that is nearest to the first part of the path that is not there.
#[expect(clippy::disallowed_methods, reason = "this is where sources find files")]
fn neighbour(path: &Path) -> Option<String> {
    let (entries, typed) = path.ancestors().find_map(|part| {
        let folder = match part.parent()? {
            folder if folder.as_os_str().is_empty() => Path::new("."),
            folder => folder,
        };
        Some((fs::read_dir(folder).ok()?, part.file_name()?))
    })?;
    let names = entries.take(MAX_FILES).flatten();
    let names: Vec<String> = names.map(|entry| shown(Path::new(&entry.file_name()))).collect();
    near::nearest(&typed.to_string_lossy(), names.iter().map(String::as_str)).map(str::to_owned)
}

/// The system's reason without its number.
pub fn reason(e: &io::Error) -> String {
    match e.kind() {
        io::ErrorKind::NotFound => "there is no such file".to_owned(),
        io::ErrorKind::PermissionDenied => "reading it is not permitted".to_owned(),
        _ => {
            let text = e.to_string();
            let end = text.find(" (os error").unwrap_or(text.len());
            visible(text.get(..end).unwrap_or(&text)).into_owned()
        }
    }
}
