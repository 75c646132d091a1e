//! Invented names on the screen: one place through which every name and key passes before it is shown.

use crate::analysis::mask::{Masker, NameKind};
use crate::model::names::ContainerName;
use crate::report::key_text::key_text;
use crate::work::salt::Salt;
use crate::work::shared::Shared;

/// Whether names are shown as they are.
#[derive(Debug, Default)]
pub enum Mask {
    #[default]
    Off,
    On(Box<Masker>),
}

impl Mask {
    pub fn on(salt: &Salt) -> Self {
        Self::On(Box::new(Masker::new(&salt.0)))
    }

    pub fn is_on(&self) -> bool {
        matches!(self, Self::On(_))
    }

    /// What replaces names in what leaves the screen; none where they are shown as they are.
    pub fn shared(&self) -> Option<Shared<Masker>> {
        match self {
            Self::Off => None,
            Self::On(masker) => Some(Shared::new((**masker).clone())),
        }
    }

    /// A key's JSON text, or the invented one.
    pub fn key(&self, json: &str) -> Box<str> {
        match self {
            Self::Off => json.into(),
            Self::On(masker) => masker.key(json),
        }
    }

    /// A key as it is read; `None` where the log named none.
    pub fn key_text(&self, json: Option<&str>) -> String {
        key_text(json.map(|json| self.key(json)).as_deref())
    }

    pub fn container(&self, name: &ContainerName) -> ContainerName {
        match self {
            Self::Off => name.clone(),
            Self::On(masker) => masker.container(name),
        }
    }

    pub fn name(&self, kind: NameKind, name: &str) -> String {
        match self {
            Self::Off => name.to_owned(),
            Self::On(masker) => masker.name(kind, name),
        }
    }

    /// A sentence in which names may stand.
    pub fn text(&self, text: &str) -> String {
        match self {
            Self::Off => text.to_owned(),
            Self::On(masker) => masker.text(text),
        }
    }
}
