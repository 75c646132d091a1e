//! The salt that was asked for, and errors without any name that the user or a file gave.

use std::io;
use std::path::{Path, PathBuf};

use super::Masking;
use crate::analysis::mask::{Masker, NameKind};
use crate::error::{Error, usage};
use crate::source::input::shown;
use crate::work::salt;

impl Masking {
    /// The salt to mask with; None where nothing is masked.
    pub fn salt(&self) -> Result<Option<Vec<u8>>, Error> {
        if !self.mask {
            return Ok(None);
        }
        if let Some(text) = &self.mask_salt {
            // An unset variable in a script: names made from nothing could be guessed back by anyone.
            if text.is_empty() {
                return Err(usage(
                    "--mask-salt is empty",
                    "give a text that others do not know, or leave the option out",
                ));
            }
            return Ok(Some(text.as_bytes().to_vec()));
        }
        salt::installed().map(Some)
    }
}

/// The error as it may be told; hints are our own words and stay.
pub fn error(error: Error, masking: Option<&Masking>) -> Error {
    match masking.map(Masking::salt).transpose() {
        Ok(Some(Some(salt))) => masked(error, &Masker::new(&salt)),
        Ok(None | Some(None)) => error,
        // Without a salt nothing can be said of the first error without telling names.
        Err(no_salt) => no_salt,
    }
}

fn masked(error: Error, masker: &Masker) -> Error {
    let file = |path: &Path| PathBuf::from(masker.name(NameKind::File, &shown(path)));
    match error {
        Error::Input { what, next } => Error::Input { what: masker.text(&what), next },
        Error::Usage { what, next } => Error::Usage { what: masker.text(&what), next },
        Error::Live { what, next } => Error::Live { what: masker.text(&what), next },
        Error::Refused { refused, next } => Error::Refused {
            refused: refused
                .into_iter()
                .map(|(path, why)| (masker.name(NameKind::File, &path), masker.text(&why)))
                .collect(),
            next,
        },
        Error::Exists { path } => Error::Exists { path: file(&path) },
        Error::NotAFile { path } => Error::NotAFile { path: file(&path) },
        Error::NoFolder { path } => Error::NoFolder { path: file(&path) },
        Error::Write { path, source } => Error::Write {
            path: file(&path),
            // Its text may name the folder.
            source: io::Error::from(source.kind()),
        },
        e @ (Error::Output { .. } | Error::Interrupted | Error::CutShort) => e,
    }
}
