//! Why requests were throttled, forbidden or rejected, where the log has a column for it.

use super::Load;

/// 429s of the request log by what throttled them and 403s by why, where a column says it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Limited {
    pub in_buckets: u64,
    pub of_low_priority: u64,
    /// By their sub-status.
    pub of_neither: u64,
    /// 403s with the sub-status of a full logical partition, and with another one.
    pub of_full_keys: u64,
    pub of_other_403: u64,
    /// 400s whose key is not the one of the document.
    pub of_other_key: u64,
}

impl Load {
    pub fn add_limited(&mut self, container: u32, found: Limited) {
        let held = self.limited.entry(container).or_default();
        held.in_buckets = held.in_buckets.saturating_add(found.in_buckets);
        held.of_low_priority = held.of_low_priority.saturating_add(found.of_low_priority);
        held.of_neither = held.of_neither.saturating_add(found.of_neither);
        held.of_full_keys = held.of_full_keys.saturating_add(found.of_full_keys);
        held.of_other_403 = held.of_other_403.saturating_add(found.of_other_403);
        held.of_other_key = held.of_other_key.saturating_add(found.of_other_key);
    }
}
