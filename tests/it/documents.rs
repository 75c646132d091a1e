//! Whatever file is given as documents: it is read or refused, said in few words, and never taken for what it is not.

use std::path::{Path, PathBuf};

use cosmoscope::error::Error;
use cosmoscope::model::documents::statistics;
use cosmoscope::source::documents::{DocumentOptions, LoadedDocuments, read};
use cosmoscope::source::input::find;
use cosmoscope::source::watch::Watch;

use super::hostile;

const SAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/data/samples");

fn load(path: &Path) -> Result<LoadedDocuments, Error> {
    let inputs = find(&[path.to_owned()], &|| true)?;
    read(&inputs, &DocumentOptions::every(), &Watch::default())
}

fn files_in(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        if entry.file_type().unwrap().is_dir() {
            files_in(&entry.path(), into);
        } else {
            into.push(entry.path());
        }
    }
}

#[test]
fn hostile_files_are_read_or_refused() {
    let Some(folder) = hostile::files() else {
        return;
    };
    let mut refused = 0;
    for entry in std::fs::read_dir(folder.path()).unwrap() {
        let path = entry.unwrap().path();
        match load(&path) {
            Ok(loaded) => {
                let kept = loaded.documents.len() as u64;
                assert!(kept <= loaded.documents.seen().documents, "{path:?}");
                for source in &loaded.sources {
                    assert!(source.row_errors.len() <= 20, "{path:?}");
                    assert!(source.row_errors.iter().all(|e| e.detail.len() < 300));
                }
                for column in loaded.documents.columns() {
                    let _ = statistics(column, 5);
                }
            }
            Err(_) => refused += 1,
        }
    }
    assert!(refused > 10, "{refused}");
}

#[test]
fn exports_are_not_taken_for_documents() {
    let mut files = Vec::new();
    for kind in ["stats", "ru", "arm", "metrics"] {
        files_in(&Path::new(SAMPLES).join(kind), &mut files);
    }
    assert!(files.len() > 10);
    let taken: Vec<_> = files.iter().filter(|f| load(f).is_ok()).collect();
    assert!(taken.is_empty(), "{taken:#?}");
}
