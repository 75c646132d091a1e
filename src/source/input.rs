//! What the user named: files, folders and standard input, as things that can be read any number of times.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use super::decode::Positioned;
use crate::error::Error;
use crate::model::visible::visible;

/// Files one folder may give; beyond it the user is told to name a smaller one.
const MAX_FILES: usize = 100_000;
/// Folders inside folders that are followed.
const MAX_DEPTH: usize = 64;

/// One thing to read.
#[derive(Clone, Debug)]
pub struct Input {
    /// The path as it may be shown.
    pub shown: String,
    /// The last part of the path: a hint to whose data it is.
    pub file_name: String,
    pub named: Named,
    place: Place,
}

/// Whether the user asked for this very file: what a folder holds may be foreign.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Named {
    Directly,
    InFolder,
}

#[derive(Clone, Debug)]
enum Place {
    Path(PathBuf),
    /// A stream that was written to a private file, which is gone as soon as it is closed.
    Spooled(Arc<File>),
}

/// An opened input.
#[derive(Clone, Debug)]
pub struct Opened {
    pub file: Arc<File>,
    pub bytes: u64,
}

impl Opened {
    pub fn reader(&self, progress: &Arc<AtomicU64>) -> Positioned {
        Positioned::new(Arc::clone(&self.file), Arc::clone(progress))
    }
}

impl Input {
    pub fn is_spooled(&self) -> bool {
        matches!(self.place, Place::Spooled(_))
    }

    #[expect(
        clippy::disallowed_methods,
        reason = "this is where sources read files"
    )]
    pub fn open(&self) -> io::Result<Opened> {
        let file = match &self.place {
            Place::Path(path) => Arc::new(File::open(path)?),
            Place::Spooled(file) => Arc::clone(file),
        };
        let bytes = file.metadata()?.len();
        Ok(Opened { file, bytes })
    }
}

/// What the user's paths lead to, and what was left aside on the way.
#[derive(Debug, Default)]
pub struct Inputs {
    pub inputs: Vec<Input>,
    /// Paths that cannot be read, each with its sentence.
    pub refused: Vec<(String, String)>,
    pub notes: Vec<String>,
}

/// Finds the files behind the paths. `-` is standard input, which `keep_going` can interrupt.
pub fn find(paths: &[PathBuf], keep_going: &dyn Fn() -> bool) -> Result<Inputs, Error> {
    let mut out = Inputs::default();
    let mut stdin_taken = false;
    for path in paths {
        if path.as_os_str() == "-" {
            if stdin_taken {
                return Err(Error::usage("standard input can be read only once"));
            }
            stdin_taken = true;
            let file = spool(&mut io::stdin().lock(), keep_going)?;
            let note = "standard input was kept in a private temporary file while it was read";
            out.notes.push(note.to_owned());
            out.inputs.push(spooled("standard input", file));
            continue;
        }
        out.add_path(path, keep_going)?;
    }
    if out.inputs.is_empty() && out.refused.is_empty() {
        let shown: Vec<String> = paths.iter().map(|p| shown(p)).collect();
        return Err(Error::Input {
            what: format!("{}: there is no file in this folder", shown.join(", ")),
            next: Some("name the folder or file that the export was written to".to_owned()),
        });
    }
    Ok(out)
}

pub fn shown(path: &Path) -> String {
    visible(&path.to_string_lossy()).into_owned()
}

fn spooled(name: &str, file: File) -> Input {
    let place = Place::Spooled(Arc::new(file));
    Input {
        shown: name.to_owned(),
        file_name: String::new(),
        named: Named::Directly,
        place,
    }
}

/// Copies a stream to a file that has no name (or, where the system has no such files, is removed when closed).
#[expect(
    clippy::disallowed_methods,
    reason = "this is where streams become readable twice"
)]
fn spool(stream: &mut dyn io::Read, keep_going: &dyn Fn() -> bool) -> Result<File, Error> {
    let failed = |e: io::Error| Error::Input {
        what: format!("the input cannot be kept in a temporary file: {e}"),
        next: Some("give it as a file instead, or set TMPDIR to a folder with room".to_owned()),
    };
    let mut file = tempfile::tempfile().map_err(failed)?;
    let mut buffer = vec![0; 1 << 20];
    loop {
        if !keep_going() {
            return Err(Error::Interrupted);
        }
        let n = match stream.read(&mut buffer) {
            Ok(0) => return Ok(file),
            Ok(n) => n,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
            Err(e) => return Err(Error::input(format!("the input cannot be read: {e}"))),
        };
        io::Write::write_all(&mut file, buffer.get(..n).unwrap_or_default()).map_err(failed)?;
    }
}

impl Inputs {
    #[expect(
        clippy::disallowed_methods,
        reason = "this is where sources find files"
    )]
    fn add_path(&mut self, path: &Path, keep_going: &dyn Fn() -> bool) -> Result<(), Error> {
        let kind = match fs::metadata(path) {
            Ok(metadata) => metadata.file_type(),
            Err(e) => {
                self.refused
                    .push((shown(path), format!("cannot be opened: {}", reason(&e))));
                return Ok(());
            }
        };
        if kind.is_dir() {
            return self.add_folder(path, 0, keep_going);
        }
        if kind.is_file() {
            self.inputs.push(on_disk(path, Named::Directly));
            return Ok(());
        }
        // A pipe, such as the shell's <(…), gives its bytes once only.
        match File::open(path) {
            Ok(mut stream) => {
                let file = spool(&mut stream, keep_going)?;
                self.inputs.push(Input {
                    shown: shown(path),
                    ..spooled("", file)
                });
            }
            Err(e) => self
                .refused
                .push((shown(path), format!("cannot be opened: {}", reason(&e)))),
        }
        Ok(())
    }

    /// Every file of a folder, in the order of names; hidden ones and links are left aside.
    #[expect(
        clippy::disallowed_methods,
        reason = "this is where sources find files"
    )]
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
                self.refused.push((
                    shown(folder),
                    format!("the folder cannot be read: {}", reason(&e)),
                ));
                return Ok(());
            }
        };
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
                    return Err(Error::input(format!(
                        "{} holds more than {MAX_FILES} files",
                        shown(folder)
                    )));
                }
                self.inputs.push(on_disk(&path, Named::InFolder));
            } else {
                self.notes.push(format!("not followed: {}", shown(&path)));
            }
        }
        Ok(())
    }
}

fn on_disk(path: &Path, named: Named) -> Input {
    let file_name = path
        .file_name()
        .map(|n| n.to_string_lossy().into_owned())
        .unwrap_or_default();
    Input {
        shown: shown(path),
        file_name,
        named,
        place: Place::Path(path.to_owned()),
    }
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
