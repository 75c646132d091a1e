//! Every number a rule measures against, in one table: printed with the verdict, and each can be set.

/// All thresholds.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Thresholds {}
