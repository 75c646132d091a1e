//! What turns a dial, and whose RU/s and partitions it is about.

use super::ForecastState;
use super::dials::{AsReported, Dial};
use crate::model::capture::Container;
use crate::model::visible::visible;
use crate::ui::kit::action::Action;
use crate::ui::kit::cx::Cx;
use crate::ui::kit::msg::Effect;
use crate::ui::view::View;

impl ForecastState {
    /// What the inputs report of the container that dials are about.
    pub(super) fn reported(&self, cx: &Cx) -> AsReported {
        let container = self.container().or_else(|| self.only_number(cx));
        let container = container.and_then(|number| cx.data.as_ref()?.capture.container(number));
        container.map_or_else(AsReported::default, |container| AsReported {
            ru: container.throughput.map(|t| t.throughput.highest()),
            partitions: Some(container.current_partitions().count()).filter(|n| *n > 0),
        })
    }

    fn only_number(&self, cx: &Cx) -> Option<u32> {
        cx.data.as_ref()?.container_named(self.only.as_ref()?)
    }

    /// RU/s and partitions are of one container: the chosen one from then on.
    fn narrow(&mut self, cx: &Cx, dial: Dial) -> Result<Vec<Effect>, Vec<Effect>> {
        if !dial.is_of_container() || self.only.is_some() {
            return Ok(Vec::new());
        }
        let data = cx.data.as_ref();
        let container = self.container().and_then(|n| data?.capture.container(n));
        let Some(Container { name, .. }) = container else {
            return Err(Effect::fail("there is no container here", None));
        };
        self.only = Some(name.identity());
        let all = cx.keymap.shown(Action::OneContainer).unwrap_or_default();
        let name = cx.mask.container(name).title();
        Ok(Effect::say(format!(
            "{} of {}; {all} shows all containers",
            dial.label(),
            visible(&name)
        )))
    }

    pub(super) fn turn(&mut self, cx: &Cx, is_up: bool) -> Vec<Effect> {
        let dial = self.dial();
        let said = match self.narrow(cx, dial) {
            Ok(said) => said,
            Err(refusal) => return refusal,
        };
        let reported = self.reported(cx);
        self.dials.turn(dial, is_up, reported);
        self.is_due = dial != Dial::Ahead;
        said
    }

    /// As `growth 3`.
    pub fn set_dial(&mut self, cx: &Cx, text: &str) -> Vec<Effect> {
        match self.dials.set(text) {
            Ok(dial) => {
                let at = Dial::ALL.iter().position(|one| *one == dial);
                self.chosen_dial = at.unwrap_or(self.chosen_dial);
                self.is_due = true;
                self.narrow(cx, dial).unwrap_or_else(|refusal| refusal)
            }
            Err(what) => Effect::fail(what, None),
        }
    }

    pub(super) fn turn_container(&mut self, cx: &Cx) -> Vec<Effect> {
        self.is_due = true;
        if self.only.take().is_some() {
            self.dials.ru = None;
            self.dials.partitions = None;
            return Effect::say("limits of all containers");
        }
        let data = cx.data.as_ref();
        let chosen = self.container().and_then(|n| data?.capture.container(n));
        match chosen {
            Some(container) => {
                self.only = Some(container.name.identity());
                Vec::new()
            }
            None => Effect::fail("there is no container here", None),
        }
    }
}
