//! Why nothing came back, without the words of whoever said so.

use crate::source::answers::{Obstacle, Trouble};

/// The reason without its words, which may name anything.
pub(super) fn trouble(trouble: &Trouble) -> Trouble {
    let what = match trouble.obstacle {
        Obstacle::Unreachable => "the account could not be reached",
        Obstacle::Untrusted => "the certificate was not trusted",
        Obstacle::SignIn => "signing in failed",
        Obstacle::Forbidden => "a role was missing, or the firewall blocked the request",
        Obstacle::NotFound => "it was not found",
        Obstacle::Throttled => "throttled: too many requests (429)",
        Obstacle::Moved => "a partition was splitting",
        Obstacle::TimedOut => "there was no answer in time",
        Obstacle::Service => "the service failed",
        Obstacle::Unbelievable => "the answer was not of the expected service",
        Obstacle::Held => "it was not requested",
        Obstacle::Unsupported => "this account does not have it",
        Obstacle::RequestedOtherwise => "it was requested in another way",
    };
    Trouble {
        obstacle: trouble.obstacle,
        what: what.to_owned(),
        next: None,
        retry_after_ms: trouble.retry_after_ms,
    }
}
