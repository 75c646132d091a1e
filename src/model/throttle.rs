//! Why a request is throttled (429), by the sub-status that the service gives: not every one is for want of RU/s.

/// A reason, as the service numbers it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ThrottleReason {
    pub sub_status: u16,
    /// What is at its limit.
    pub cause: &'static str,
    /// What to do about it.
    pub next: &'static str,
}

/// Of a partition that used up its RU/s of a second.
pub const PARTITION: u16 = 3200;
/// Of a throughput bucket.
pub const BUCKET: u16 = 3212;

const fn reason_of(sub_status: u16, cause: &'static str, next: &'static str) -> ThrottleReason {
    ThrottleReason { sub_status, cause, next }
}

/// All that have a name in Microsoft's own clients and call for a step of their own.
pub const REASONS: [ThrottleReason; 5] = [
    reason_of(
        PARTITION,
        "a physical partition used up its RU/s of the second",
        "look at the heat of the partitions",
    ),
    reason_of(3201, "the gateway is at its limit", "wait as the answer says"),
    reason_of(
        BUCKET,
        "a throughput bucket is at its limit",
        "raise maxThroughputPercentage of the bucket, or use another bucket",
    ),
    reason_of(
        3088,
        "a partition is splitting",
        "wait until the split is over, then read the partitions again",
    ),
    reason_of(
        3092,
        "the servers of the region lack resources: not RU/s",
        "wait, or use another region",
    ),
];

/// None for a number without a name.
pub fn reason(sub_status: u16) -> Option<&'static ThrottleReason> {
    REASONS.iter().find(|reason| reason.sub_status == sub_status)
}
