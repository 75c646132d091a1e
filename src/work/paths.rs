//! File names that complete what is typed.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use crate::error::Error;
use crate::model::visible::visible;
use crate::source::scenario;
use crate::source::watch::Watch;

/// A file name that completion offers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PathOffer {
    pub path: String,
    pub kind: EntryKind,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EntryKind {
    Folder,
    File,
}

/// Names offered: more than a screen shows.
const MAX_OFFERED: usize = 200;
/// Names looked at: a folder can hold millions, and this runs with every letter.
const MAX_LOOKED_AT: usize = 20_000;

/// Ways to go on with a line of paths: its last path is completed, those before it stay.
///
/// Names that are no text, or that could not be shown as they are, are not offered: what is taken is what was seen.
pub fn offers(typed: &str, watch: &Watch) -> Vec<PathOffer> {
    let (before, last) = typed.split_at_checked(last_path(typed)).unwrap_or_default();
    let paths = paths(last);
    let path = paths.first().and_then(|p| p.to_str()).unwrap_or_default();
    let end = path.rfind(std::path::is_separator).map_or(0, |at| at + 1);
    let (folder, start) = path.split_at_checked(end).unwrap_or_default();
    let mut found = names(folder, start, watch);
    found.sort_by(|a, b| is_file(a.kind).cmp(&is_file(b.kind)).then_with(|| a.path.cmp(&b.path)));
    found.truncate(MAX_OFFERED);
    for offered in &mut found {
        let whole = escaped(&format!("{folder}{}", offered.path));
        let end = match offered.kind {
            EntryKind::Folder => std::path::MAIN_SEPARATOR_STR,
            EntryKind::File => "",
        };
        offered.path = format!("{before}{whole}{end}");
    }
    found
}

fn is_file(kind: EntryKind) -> bool {
    kind == EntryKind::File
}

/// Where the last path of a line begins, read as the line itself is read.
fn last_path(typed: &str) -> usize {
    let (mut begins, mut quoted, mut escaped) = (0, false, false);
    for (at, c) in typed.char_indices() {
        match c {
            ' ' if !quoted && !escaped => begins = at + 1,
            '"' if !escaped => quoted = !quoted,
            _ => {}
        }
        escaped = c == '\\' && !escaped;
    }
    begins
}

fn escaped(path: &str) -> String {
    path.replace(' ', "\\ ").replace('"', "\\\"")
}

#[expect(clippy::disallowed_methods, reason = "completion lists what a folder holds")]
fn names(folder: &str, start: &str, watch: &Watch) -> Vec<PathOffer> {
    let place = if folder.is_empty() { "." } else { folder };
    let Ok(entries) = fs::read_dir(at_home(Path::new(place))) else {
        return Vec::new();
    };
    let fits = |name: &str| {
        name.starts_with(start)
            && (start.starts_with('.') || !name.starts_with('.'))
            && visible(name) == name
    };
    let offered = |entry: fs::DirEntry| {
        let name = entry.file_name();
        let name = OsStr::to_str(&name).filter(|name| fits(name))?;
        // Through links: what they lead to is what would be opened.
        let is_folder = fs::metadata(entry.path()).is_ok_and(|found| found.is_dir());
        Some(PathOffer {
            path: name.to_owned(),
            kind: if is_folder { EntryKind::Folder } else { EntryKind::File },
        })
    };
    entries
        .take(MAX_LOOKED_AT)
        .take_while(|_| watch.keep_going())
        .filter_map(|entry| offered(entry.ok()?))
        .collect()
}

/// The paths of a command: blanks part them, unless they stand in double quotes or after a backslash.
pub fn paths(text: &str) -> Vec<PathBuf> {
    let mut paths = Vec::new();
    let mut held: Option<String> = None;
    let mut quoted = false;
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        match c {
            '"' => {
                quoted = !quoted;
                held.get_or_insert_default();
            }
            // Only what would end or quote a path is escaped: on Windows the sign parts folders.
            '\\' if matches!(characters.peek(), Some(' ' | '"')) => {
                held.get_or_insert_default().extend(characters.next());
            }
            ' ' if !quoted => paths.extend(held.take()),
            c => held.get_or_insert_default().push(c),
        }
    }
    paths.extend(held);
    paths.into_iter().map(PathBuf::from).collect()
}

/// The paths of a list, with the home folder in place of a leading `~`: no shell has been at them.
pub fn at_home(path: &Path) -> PathBuf {
    match (path.strip_prefix("~"), etcetera::home_dir()) {
        (Ok(rest), Ok(home)) => home.join(rest),
        _ => path.to_owned(),
    }
}

/// The name of the file of a design without its folder, and its text.
pub fn design(path: &Path) -> Result<(String, String), Error> {
    let path = at_home(path);
    let name = path.file_name().unwrap_or(path.as_os_str());
    let text = scenario::design_file(&path.to_string_lossy())?;
    Ok((name.to_string_lossy().into_owned(), text))
}

#[cfg(test)]
#[expect(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test writes files and may panic"
)]
mod tests {
    use super::*;

    #[test]
    fn blanks_part_paths_unless_they_are_quoted() {
        let names = |text: &str| -> Vec<String> {
            let found = paths(text).into_iter();
            found.map(|p| p.display().to_string()).collect()
        };
        assert_eq!(names(r#"a.csv "b c.csv" d\ e.json  "#), ["a.csv", "b c.csv", "d e.json"]);
        assert_eq!(names(r"C:\data\x.csv"), [r"C:\data\x.csv"]);
        assert_eq!(names(r#""open"#), ["open"]);
        assert_eq!(names(""), [""; 0]);
    }

    /// Windows has no name with a control character.
    #[cfg(unix)]
    #[test]
    fn the_last_path_of_a_line_is_completed_as_the_line_is_read() {
        let home = tempfile::tempdir().unwrap();
        let root = home.path().to_str().unwrap();
        for name in ["orders.csv", "or two.csv", ".orhidden", "other\u{1b}.csv", "zoo"] {
            fs::write(home.path().join(name), "").unwrap();
        }
        fs::create_dir(home.path().join("orbit")).unwrap();
        let watch = Watch::default();
        let found = |typed: &str| -> Vec<String> {
            let offered = offers(typed, &watch);
            offered.into_iter().map(|o| o.path).collect()
        };
        let line = format!("first.csv {root}/or");
        let expected = ["orbit/", "or\\ two.csv", "orders.csv"];
        let expected = expected.map(|name| format!("first.csv {root}/{name}"));
        assert_eq!(found(&line), expected);
        for taken in &expected {
            let paths = paths(taken);
            assert_eq!(paths.len(), 2, "{taken}");
        }
        assert_eq!(found(&format!("{root}/or\\ t")).len(), 1);
        assert_eq!(found(&format!("\"{root}/or t")).len(), 1);
        assert_eq!(found(&format!("{root}/.or")), [format!("{root}/.orhidden")]);
        assert!(found(&format!("{root}/absent/x")).is_empty());
        assert_eq!(found(&format!("{root}/")).len(), 4);
        watch.stop();
        assert!(found(&line).is_empty());
    }
}
