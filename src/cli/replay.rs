//! `replay`: a recording on the screens; and how a recording is begun while an account is looked at.

use std::path::Path;
use std::sync::Arc;

use super::live::Record;
use super::{Cli, Replay, cast, screens};
use crate::analysis::mask::{Masker, NameKind};
use crate::error::{Error, usage};
use crate::model::time::Stamp;
use crate::source::input::{self, Input};
use crate::source::live::secret;
use crate::source::live::target::Target;
use crate::source::recording::{self, MaskedRole, Recorder, RecordingMask, RecordingOptions};
use crate::tui::clock;
use crate::work::data::Origin;
use crate::work::live::RoundRecorder;

/// Opens a recording where it ends.
pub fn run(cli: &Cli, c: &Replay) -> Result<u8, Error> {
    if c.path.as_os_str() == "-" {
        return Err(usage(
            "the screens take keys from standard input and cannot read a recording from it",
            "save it to a file and replay that",
        ));
    }
    is_one(&c.path)?;
    if let Some(file) = &c.cast {
        return cast::write(cli, c, file);
    }
    let origin = Origin::Recording(c.path.clone());
    screens::show(cli, Some(origin), &c.reading, &c.measure, |_| {})
}

/// Another file is told of at once, in the words of the other commands, rather than on a screen.
fn is_one(path: &Path) -> Result<(), Error> {
    let opened = Input::at(path).open();
    let refusal = match opened {
        Ok(opened) if recording::begins(&opened) => return Ok(()),
        Ok(_) => {
            let next = "cosmoscope open shows exports; connect --record FILE makes recordings";
            return Err(Error::refused(input::shown(path), "this is not a recording", next));
        }
        Err(e) => input::not_opened(path, &e),
    };
    Err(Error::Refused { refused: vec![(input::shown(path), refusal.what)], next: refusal.next })
}

/// Begins to take down what an account tells, where that was asked for; with a salt names and keys are replaced.
pub fn records(
    record: Option<&Record>,
    target: &Target,
    salt: Option<&[u8]>,
) -> Result<Option<Box<dyn RoundRecorder>>, Error> {
    let Some(Record { path, existing }) = record else {
        return Ok(None);
    };
    let options = RecordingOptions {
        existing: *existing,
        scrub: Arc::new(secret::scrub),
        mask: salt.map(mask),
        ..RecordingOptions::default()
    };
    let started = clock::now().unwrap_or(Stamp::EPOCH);
    let recorder = Recorder::create(path, &target.endpoint, started, options)?;
    Ok(Some(Box::new(recorder)))
}

/// The invented names that reports and screens use, too.
pub fn mask(salt: &[u8]) -> RecordingMask {
    let masker = Masker::new(salt);
    Arc::new(move |role, name| match role {
        MaskedRole::Account => masker.name(NameKind::Account, name),
        MaskedRole::Subscription => masker.name(NameKind::Subscription, name),
        MaskedRole::Database => masker.name(NameKind::Database, name),
        MaskedRole::Container => masker.name(NameKind::Container, name),
        MaskedRole::Text => masker.name(NameKind::Text, name),
        MaskedRole::Key => masker.key(name).into_string(),
    })
}
