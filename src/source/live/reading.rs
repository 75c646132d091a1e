//! Pages of queries, asked of a real account: one POST of a query for each, in one physical partition.

use async_trait::async_trait;

use super::account::AccountReader;
use super::clock;
use super::fault::Fault;
use super::pages::{FeedPage, PageAsk, with_window};
use super::session::Samples;
use super::trouble::trouble;
use super::wire::Request;
use crate::source::answers::{Observation, Obstacle, Trouble};

/// Characters of a token to go on with; the service keeps them below 16 KiB.
const MAX_CONTINUATION: usize = 64 << 10;

#[async_trait]
impl Samples for AccountReader {
    async fn page(&self, ask: &PageAsk) -> FeedPage {
        let replied = self.0.wire.send(&Request::page(ask), self.0.pace.operation).await;
        let at = clock::now();
        let ru = match &replied {
            Ok(reply) => reply.ru,
            Err(fault) => fault.ru(),
        };
        let (continuation, came) = match replied {
            Ok(reply) => {
                let token = reply.continuation.filter(|token| !token.is_empty());
                let token = token.filter(|token| token.len() <= MAX_CONTINUATION);
                let text = with_window(reply.text, ask.window.as_ref(), token.is_none());
                (token, Ok((text.into_bytes().into(), ru)))
            }
            Err(fault) => (None, Err(self.words(&fault, ask))),
        };
        FeedPage { continuation, seen: Observation::of(&ask.inquiry, at, came).charged(ru) }
    }
}

impl AccountReader {
    fn words(&self, fault: &Fault, ask: &PageAsk) -> Trouble {
        let is_refused = matches!(fault, Fault::Refused(refusal) if refusal.status == 400);
        if is_refused && ask.window.is_some() {
            return Trouble::new(
                Obstacle::Unsupported,
                "the service does not read parts of a partition's hash range (400)",
                "each partition is read from its start on instead",
            );
        }
        trouble(fault, &ask.inquiry, &self.host(), self.0.pace.operation)
    }
}
