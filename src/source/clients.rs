//! Who sends requests, summed by each worker before it takes the lock.

use std::collections::HashMap;

use super::columns::text;
use crate::model::capture::CaptureBuilder;
use crate::model::client::{Client, ClientSum};

/// User agents a worker holds: many differ by a number of the machine alone.
const MAX_HELD: usize = 1_024;

/// A container and a user agent.
type SentBy = (u32, Box<[u8]>);

/// What one worker has met.
#[derive(Debug, Default)]
pub struct ClientTally {
    sums: HashMap<SentBy, ClientSum>,
    /// The one that came last, which mostly comes again.
    last: Option<(SentBy, ClientSum)>,
}

impl ClientTally {
    pub fn add(
        &mut self,
        builder: &CaptureBuilder,
        container: u32,
        user_agent: &[u8],
        sent: ClientSum,
    ) {
        match &mut self.last {
            Some(((of, agent), sum)) if *of == container && **agent == *user_agent => {
                sum.add(sent);
                return;
            }
            _ => self.put_back(),
        }
        self.last = Some(((container, user_agent.into()), sent));
        if self.sums.len() >= MAX_HELD {
            self.give(builder);
        }
    }

    fn put_back(&mut self) {
        if let Some((of, sent)) = self.last.take() {
            self.sums.entry(of).or_default().add(sent);
        }
    }

    /// Adds all of it to what was collected.
    pub fn give(&mut self, builder: &CaptureBuilder) {
        self.put_back();
        if self.sums.is_empty() {
            return;
        }
        builder.load(|load| {
            for ((container, agent), sent) in self.sums.drain() {
                if let Some(client) = Client::parse(text(&agent)) {
                    load.add_client(container, client, sent);
                }
            }
        });
    }
}
