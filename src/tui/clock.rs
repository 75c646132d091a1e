//! The one place where the screens' side reads the clock.

use std::time::{SystemTime, UNIX_EPOCH};

use crate::model::time::Stamp;

/// Now; nothing where the clock stands before 1970.
#[expect(clippy::disallowed_methods, reason = "time enters the screens here, as a message")]
pub fn now() -> Option<Stamp> {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).ok()?;
    Stamp::from_seconds(i64::try_from(since.as_secs()).ok()?)
}
