//! The programs that send requests.

use std::collections::btree_map::Entry;

use super::Load;
use crate::model::client::{Client, ClientSum, Retries};

/// Programs told apart, over all containers.
const MAX_CLIENTS: usize = 1_000;

impl Load {
    /// What a program sent; those beyond the limit are left out.
    pub fn add_client(&mut self, container: u32, client: Client, sent: ClientSum) {
        let is_full = self.clients.len() >= MAX_CLIENTS;
        match self.clients.entry((container, client)) {
            Entry::Vacant(_) if is_full => {}
            entry => entry.or_default().add(sent),
        }
    }

    /// As the capture states it, else as the client with most requests does.
    pub fn retries_of(&self, container: u32) -> Retries {
        let own = self.retries.map(|times| Retries::certain(f64::from(times)));
        own.unwrap_or_else(|| Retries::of(self.clients_of(container).first().map(|c| c.0)))
    }

    /// The programs that send requests to a container, busiest first.
    pub fn clients_of(&self, container: u32) -> Vec<(&Client, ClientSum)> {
        let all = self.clients.iter();
        let of_container = all.filter(|((of, _), _)| *of == container);
        let mut found: Vec<_> = of_container.map(|((_, c), sum)| (c, *sum)).collect();
        found.sort_by(|a, b| b.1.requests.cmp(&a.1.requests).then_with(|| a.0.cmp(b.0)));
        found
    }
}
