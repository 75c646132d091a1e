//! Files opened before, for the start screen: names only, the newest first.

use std::io;
use std::path::{Path, PathBuf};

use crate::source::private::{self, PrivatePlace};

const FILE: &str = "recent.json";
/// As many as a start screen shows.
const MOST: usize = 20;
/// Twenty of the longest paths there are.
const MAX_BYTES: u64 = 128 << 10;

/// Whether files that are opened are remembered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Recent {
    /// In this folder.
    Kept(PathBuf),
    Off,
}

impl Recent {
    /// What was opened before; nothing where that cannot be read.
    pub fn read(&self) -> Vec<PathBuf> {
        match self {
            Self::Off => Vec::new(),
            Self::Kept(folder) => listed(folder),
        }
    }

    /// Puts paths in front of what was opened before.
    pub fn remember(&self, paths: &[PathBuf]) -> io::Result<()> {
        let Self::Kept(folder) = self else {
            return Ok(());
        };
        let list = in_front(paths, listed(folder));
        let bytes = serde_json::to_vec(&list).map_err(io::Error::other)?;
        private::write(&folder.join(FILE), &bytes, PrivatePlace::Taken)
    }
}

fn listed(folder: &Path) -> Vec<PathBuf> {
    let bytes = private::read(&folder.join(FILE), MAX_BYTES).unwrap_or_default();
    let list: Vec<PathBuf> = serde_json::from_slice(&bytes).unwrap_or_default();
    in_front(&list, Vec::new())
}

/// Names that are no text cannot be kept in a text file and are left out.
fn in_front(paths: &[PathBuf], before: Vec<PathBuf>) -> Vec<PathBuf> {
    let whole = paths.iter().filter_map(|path| private::normalised(path));
    let mut list: Vec<PathBuf> = Vec::new();
    for path in whole.chain(before) {
        if path.to_str().is_some() && !list.contains(&path) {
            list.push(path);
        }
    }
    list.truncate(MOST);
    list
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
    fn the_newest_is_first_once_and_no_more_than_twenty_are_kept() {
        let home = tempfile::tempdir().unwrap();
        let recent = Recent::Kept(home.path().join("state"));
        assert_eq!(recent.read(), Vec::<PathBuf>::new());
        for number in 0..30 {
            let path = home.path().join(format!("{number}.csv"));
            recent.remember(&[path]).unwrap();
        }
        let again = home.path().join("15.csv");
        recent.remember(std::slice::from_ref(&again)).unwrap();
        let list = recent.read();
        assert_eq!(list.len(), MOST);
        assert_eq!(list.first(), Some(&again));
        assert_eq!(list.iter().filter(|path| **path == again).count(), 1);
        assert_eq!(list.get(1), Some(&home.path().join("29.csv")));
    }

    #[test]
    fn a_file_is_kept_once_by_its_shortest_path() {
        let home = tempfile::tempdir().unwrap();
        let at = |path: &str| home.path().join(path);
        let file = std::path::absolute("a.csv").unwrap();
        let cases = [
            ("./a.csv".into(), file.clone()),
            ("b/.././a.csv".into(), file),
            (at("b/../a.csv"), at("a.csv")),
            (at(".//b//c/../a.csv"), at("b/a.csv")),
        ];
        let stored: Vec<&PathBuf> = cases.iter().map(|(path, _)| path).collect();
        let bytes = serde_json::to_vec(&stored).unwrap();
        private::write(&at("recent.json"), &bytes, PrivatePlace::Taken).unwrap();
        let kept = Recent::Kept(home.path().to_owned());
        for _ in 0..2 {
            let mut expected: Vec<&PathBuf> = cases.iter().map(|(_, path)| path).collect();
            expected.dedup();
            assert_eq!(kept.read().iter().collect::<Vec<_>>(), expected);
            kept.remember(&[expected[0].clone()]).unwrap();
        }
    }

    #[test]
    fn a_damaged_list_is_an_empty_one() {
        let home = tempfile::tempdir().unwrap();
        private::write(&home.path().join(FILE), b"[\"a\", 5", PrivatePlace::Taken).unwrap();
        assert!(Recent::Kept(home.path().to_owned()).read().is_empty());
    }

    #[test]
    fn nothing_is_kept_where_nothing_shall_be() {
        let path = PathBuf::from("a.csv");
        Recent::Off.remember(&[path]).unwrap();
        assert!(Recent::Off.read().is_empty());
    }
}
