//! Everything that comes in: files of every shape, and the built-in scenarios. Names `model` only.

pub mod chunks;
pub mod columns;
pub mod decode;
pub mod delimited;
pub mod dialect;
pub mod documents;
pub mod format;
pub mod import;
pub mod input;
pub mod json;
pub mod known_names;
pub mod load_records;
pub mod log_json;
pub mod near;
pub mod notes;
pub mod numbers;
pub mod plan;
pub mod read;
pub mod records;
pub mod scenario;
pub mod sniff;
pub mod spool;
pub mod tally;
pub mod template;
pub mod times;
pub mod watch;
