//! An account that is open: every way to it behind one question, so that whoever makes rounds need not know them.

use std::sync::Arc;

use async_trait::async_trait;

use super::pages::{FeedPage, PageAsk};
use super::plan::Ways;
use super::target::Target;
use crate::source::answers::{Inquiry, Observation, Trouble};

/// Reads, and nothing else: there is no other method.
#[async_trait]
pub trait Reads: Send + Sync {
    /// What an account says to a question, or why it says nothing. Given up by dropping it.
    async fn ask(&self, inquiry: &Inquiry) -> Observation;

    /// Which ways are open.
    fn ways(&self) -> Ways;

    /// Whoever reads documents; a recording does not.
    fn samples(&self) -> Option<Arc<dyn Samples>> {
        None
    }
}

/// Reads documents a page at a time, each page with one request: what is refused is told and not tried again.
#[async_trait]
pub trait Samples: Send + Sync {
    /// A page and where the next one begins. Given up by dropping it.
    async fn page(&self, ask: &PageAsk) -> FeedPage;
}

/// Opens accounts: signs in, and asks what cannot be done without.
#[async_trait]
pub trait Opens: Send + Sync {
    async fn open(&self, target: &Target) -> Result<Box<dyn Reads>, Trouble>;
}
