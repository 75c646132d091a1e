//! How inputs are read, and how the memory for that is shared out.

use jiff::tz::TimeZone;

use crate::error::{Error, usage};
use crate::model::limits::MEMORY;
use crate::model::names::ContainerName;
use crate::model::units::whole_u64;
use crate::source::times::DateOrder;

/// What buffers, tables of names and the program itself take beside the table of keys.
const BASE_BYTES: u64 = 72 << 20;
/// The least a memory budget can be: below it even one 64th of the keys could not be held.
pub const MIN_MEMORY_BYTES: u64 = whole_u64(MEMORY.least);
/// The least that the table of keys is given: with less, many small passes would be read.
pub const MIN_TABLE_BYTES: usize = 16 << 20;
/// What is used when nothing is said: enough for some fifteen million keys.
pub const DEFAULT_MEMORY_BYTES: u64 = 2 << 30;

/// The steps in which a larger budget is proposed.
const PROPOSED_STEP: u64 = 128 << 20;

/// The largest keys that are kept where not all fit.
const KEPT_KEYS: u64 = 100_000;
/// What one of them takes: twice while the next part is looked through.
const KEPT_KEY_BYTES: u64 = 512;
#[derive(Clone, Debug)]
pub struct ImportOptions {
    pub memory_bytes: u64,
    /// Of these what the caller itself holds while the inputs are read: reports of others, the keys it keeps of each part.
    pub held_bytes: u64,
    /// For times that say they are local.
    pub time_zone: Option<TimeZone>,
    /// For dates that read both ways.
    pub date_order: Option<DateOrder>,
    /// Whose the data is where nothing else says so.
    pub container: Option<ContainerName>,
    pub threads: usize,
    /// Keeps crafted keys from meeting in one place of the table; shows in no result.
    pub seed: u64,
}

impl ImportOptions {
    /// What the table of keys may take before parts of it are left to a later pass.
    pub fn table_bytes(&self) -> u64 {
        let free = self.free_bytes().saturating_sub(self.held_bytes);
        free.max(MIN_TABLE_BYTES as u64)
    }

    /// Keys that are kept where not all fit: in a small budget fewer. They take what `kept_bytes` says.
    pub fn kept_keys(&self) -> u64 {
        KEPT_KEYS.min(self.free_bytes() / 4 / KEPT_KEY_BYTES)
    }

    pub fn kept_bytes(&self) -> u64 {
        self.kept_keys() * KEPT_KEY_BYTES
    }

    /// What is left of the budget for keys, in the table or out of it.
    pub fn free_bytes(&self) -> u64 {
        self.memory_bytes.max(MIN_MEMORY_BYTES) - BASE_BYTES
    }

    /// What does not fit, and the budget that would do; `fewer` says what else would.
    pub fn no_room(&self, what: &str, bytes: u64, fewer: &str) -> Error {
        let wanted = (BASE_BYTES + bytes).next_multiple_of(PROPOSED_STEP) >> 20;
        let mib = self.memory_bytes >> 20;
        usage(
            format!("{what} does not fit into the {mib} MiB of --memory"),
            format!("give --memory {wanted}MiB, or {fewer}"),
        )
    }
}

impl Default for ImportOptions {
    fn default() -> Self {
        let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        Self {
            memory_bytes: DEFAULT_MEMORY_BYTES,
            held_bytes: 0,
            time_zone: None,
            date_order: None,
            container: None,
            threads: threads.min(16),
            seed: 0,
        }
    }
}
