//! Recordings as data for the screens: opened once, then shown at whatever moment is asked for.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::live::RoundRecorder;
use super::load::Loader;
use crate::error::Error;
use crate::source::answers::Observation;
use crate::source::input::Input;
use crate::source::ledger::Ledger;
use crate::source::recording::{Moment, Recorder, Recording, Story, StoryMark};
use crate::source::watch::Watch;
use crate::work::data::{Dataset, Origin, Stage, Watched};
use crate::work::paths::at_home;
use crate::work::shared::Shared;

/// When things were seen, and what happened.
#[derive(Debug, Default)]
pub struct Timeline {
    pub moments: Vec<Moment>,
    /// In the order of time.
    pub marks: Vec<StoryMark>,
}

/// Where a dataset stands in a recording.
#[derive(Clone, PartialEq, Debug)]
pub struct ReplayPosition {
    pub timeline: Shared<Timeline>,
    pub place: usize,
}

/// A recording that was read.
struct OpenRecording {
    path: PathBuf,
    recording: Recording,
    story: Story,
    timeline: Shared<Timeline>,
}

/// The recording that is open, shared by all work that has to do with it.
#[derive(Clone, Default)]
pub struct Replays(Arc<Mutex<Option<Arc<OpenRecording>>>>);

impl fmt::Debug for Replays {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Replays")
    }
}

impl Replays {
    fn open_recording(&self) -> Option<Arc<OpenRecording>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn keep(&self, kept: &Arc<OpenRecording>) {
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *held = Some(Arc::clone(kept));
    }
}

impl RoundRecorder for Recorder {
    fn record(&mut self, seen: &Observation) {
        if let Some(stopped) = self.seen(seen) {
            tracing::warn!("{stopped}");
        }
    }

    fn round_ends(&mut self) {
        if let Some(stopped) = self.end_round() {
            tracing::warn!("{stopped}");
        }
    }

    fn take_stopped(&mut self) -> Option<String> {
        Self::take_stopped(self)
    }
}

impl Loader {
    /// Reads a recording and gives what was known at its end.
    pub fn replay(&self, path: &Path, watch: &Watch) -> Result<Shared<Dataset>, Error> {
        let kept = Arc::new(self.recording(path, watch)?);
        let last = kept.recording.moments.len().saturating_sub(1);
        let data = self.moment(&kept, last, watch)?;
        self.replays.keep(&kept);
        Ok(data)
    }

    /// What was known at a moment of the recording that is open.
    pub fn rewind(
        &self,
        path: &Path,
        place: usize,
        watch: &Watch,
    ) -> Result<Shared<Dataset>, Error> {
        let open = self.replays.open_recording().filter(|kept| kept.path == path);
        match open {
            Some(kept) => self.moment(&kept, place, watch),
            None => self.replay(path, watch),
        }
    }

    /// Everything that was known at a moment.
    pub fn known_at(&self, path: &Path, place: usize, watch: &Watch) -> Result<Ledger, Error> {
        let open = self.replays.open_recording().filter(|kept| kept.path == path);
        let kept = match open {
            Some(kept) => kept,
            None => Arc::new(self.recording(path, watch)?),
        };
        Ok(kept.story.at(&kept.recording, place))
    }

    fn recording(&self, path: &Path, watch: &Watch) -> Result<OpenRecording, Error> {
        let input = Input::at(&at_home(path));
        let refused = |refusal: crate::source::sniff::Refusal| Error::Refused {
            refused: vec![(input.shown.clone(), refusal.what)],
            next: refusal.next,
        };
        watch.begin(&input.shown);
        let opened = input
            .open()
            .map_err(|e| refused(crate::source::input::unreadable("cannot be opened", &e)))?;
        let recording = Recording::open(&opened, watch).map_err(refused)?;
        let ceiling_kib = self.summary.ceiling.kib();
        let story = Story::of(&recording, ceiling_kib, watch).ok_or(Error::Interrupted)?;
        let timeline = Shared::new(Timeline {
            moments: recording.moments.to_vec(),
            marks: story.marks.clone(),
        });
        Ok(OpenRecording { path: path.to_owned(), recording, story, timeline })
    }

    fn moment(
        &self,
        kept: &OpenRecording,
        place: usize,
        watch: &Watch,
    ) -> Result<Shared<Dataset>, Error> {
        let ledger = kept.story.at(&kept.recording, place);
        let mut capture = ledger.capture(&self.import, watch)?;
        capture.notes.extend(kept.recording.notes.iter().cloned());
        let origin = Origin::Recording(kept.path.clone());
        let mut data = self.dataset(origin, Stage::Whole, capture, watch)?;
        data.watched = Some(Watched::of(&ledger));
        data.replayed = Some(ReplayPosition { timeline: kept.timeline.clone(), place });
        Ok(Shared::new(data))
    }
}
