//! Which containers are played in time.

use super::{ForecastState, Picture, lapse};
use crate::ui::kit::cx::{Cx, PlayMode};
use crate::ui::kit::msg::{Effect, Generation, ViewId};
use crate::ui::view::View;
use crate::work::simulate::{MovedTo, SimulateAsk, TriedKeys};

impl ForecastState {
    /// Asks for the film of the container where it is to be seen, and for its next frame.
    pub(super) fn settle_lapse(&mut self, cx: &Cx) -> Vec<Effect> {
        let seen = self.chosen().filter(|_| self.picture == Picture::Lapse);
        let (Some(limit), Some(data)) = (seen, &cx.data) else {
            self.player.play(PlayMode::Paused);
            return Vec::new();
        };
        let today = SimulateAsk {
            data: data.clone(),
            container: limit.container,
            question: lapse::question(cx.ceiling, &self.dials),
            moved: None,
        };
        let moved = self
            .moved_to(cx, limit.container)
            .map(|to| SimulateAsk { moved: Some(to), ..today.clone() });
        let wanted = std::iter::once(today).chain(moved).collect();
        let asked = self.player.want(cx, wanted);
        asked.into_iter().chain(self.player.wait(cx)).collect()
    }

    /// The key that is played beside today's, where the container is the one it was tried on.
    fn moved_to(&self, cx: &Cx, container: u32) -> Option<MovedTo> {
        let tried = self.tried_on(cx, container)?;
        Some(MovedTo {
            key: tried.keys.get(self.other?)?.clone(),
            sample: tried.sample.clone(),
            settings: tried.settings.clone(),
        })
    }

    fn tried_on(&self, cx: &Cx, container: u32) -> Option<&TriedKeys> {
        let name = &cx.data.as_ref()?.capture.container(container)?.name;
        let tried = self.tried.as_ref();
        tried.filter(|tried| tried.container == name.identity())
    }

    /// Today's key alone, then beside each one that was tried.
    pub(super) fn turn_other_key(&mut self, cx: &Cx) -> Vec<Effect> {
        let container = self.container();
        let tried = container.and_then(|number| self.tried_on(cx, number));
        let count = tried.map_or(0, |tried| tried.keys.len());
        if count == 0 {
            let next = Some("4, then t or a: it needs documents");
            return Effect::fail("no other key was tried on this container", next);
        }
        self.picture = Picture::Lapse;
        self.other = self.other.map_or(Some(0), |at| Some(at + 1));
        self.other = self.other.filter(|at| *at < count);
        Vec::new()
    }

    /// Whether the next frame comes with this pause.
    pub fn is_awaited(&self, generation: Generation) -> bool {
        self.player.is_awaited(generation)
    }

    /// The pause before the next frame is over.
    pub fn on_due(&mut self, cx: &Cx) -> Vec<Effect> {
        if cx.view != ViewId::Forecast {
            self.player.play(PlayMode::Paused);
        }
        self.player.on_due();
        Vec::new()
    }
}
