//! Why nothing came back, without the words of whoever said so.

use crate::source::answers::{Obstacle, Trouble};

/// The reason without its words, which may name anything.
pub(super) fn trouble(trouble: &Trouble) -> Trouble {
    let what = match trouble.obstacle {
        Obstacle::Unreachable => "the account could not be reached",
        Obstacle::Untrusted => "the certificate was not trusted",
        Obstacle::SignIn => "signing in failed",
        Obstacle::Forbidden => "a role was missing, or the firewall refused",
        Obstacle::NotFound => "it was not found",
        Obstacle::Throttled => "the service refused for too many requests (429)",
        Obstacle::Moved => "a partition was splitting",
        Obstacle::TimedOut => "there was no answer in time",
        Obstacle::Service => "the service had trouble of its own",
        Obstacle::Unbelievable => "what answered was not what was asked for",
        Obstacle::Held => "it was not asked for",
        Obstacle::Unsupported => "this account does not have it",
        Obstacle::AskedOtherwise => "it was asked for in another way",
    };
    Trouble {
        obstacle: trouble.obstacle,
        what: what.to_owned(),
        next: None,
        retry_after_ms: trouble.retry_after_ms,
    }
}
