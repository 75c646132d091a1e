//! What is worst about a container, and where its cause or a key of it is seen.

use crate::analysis::diagnosis::Verdict;
use crate::analysis::diff::KeyChange;
use crate::analysis::findings::Severity;
use crate::analysis::rules::Rule;
use crate::model::key::Key;
use crate::ui::kit::cx::Cx;
use crate::ui::kit::msg::{Destination, Effect, OnScreen, ViewId};

/// The worst verdict on a container, where something is wrong.
pub(super) fn worst(cx: &Cx, container: u32) -> Option<&Verdict> {
    let found = cx.data.as_ref()?.diagnoses.container(container)?;
    found.worst().filter(|v| v.severity > Severity::Note)
}

/// Where the cause of a verdict is seen: the key that is too large, or the partition that is hot.
pub(super) fn cause(verdict: &Verdict) -> (ViewId, Option<Box<str>>) {
    match verdict.rule {
        Rule::KeyOverLimit | Rule::KeyNearLimit => {
            (ViewId::Keys, verdict.key.as_deref().map(Into::into))
        }
        Rule::FanOut | Rule::UnderProvisioned => (ViewId::Heat, None),
        _ if verdict.partition.is_some() => (ViewId::Heat, None),
        _ => (ViewId::Keys, None),
    }
}

/// The key view with this key; what is no longer reported is not there.
pub(super) fn go_to(cx: &Cx, change: &KeyChange) -> Vec<Effect> {
    let data = cx.data.as_ref();
    let container = data.and_then(|data| data.container_named(&change.name.identity()));
    let key = change.key.as_deref().and_then(Key::from_canonical);
    match container {
        Some(container) => OnScreen::Go(Destination {
            view: ViewId::Keys,
            container,
            key: key.map(|key| key.canonical().into()),
        })
        .alone(),
        None => Effect::fail("what is open has no such container", None),
    }
}
