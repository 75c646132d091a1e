//! Cosmoscope, the library: see, explain and fix partition problems in Azure Cosmos DB for `NoSQL` from a terminal.
//!
//! # The way of the data
//!
//! ```text
//!  files ────┐
//!            ├─> source ──> model: CaptureBuilder ──> Capture ──> analysis ──> report
//!  scenario ─┘   (sniff, plan, read, in parallel)    (immutable)   (pure)      (text, JSON, CSV, Markdown)
//! ```
//!
//! - [`model`]: everything known about an account, as plain values: keys compared by type and value, effective partition
//!   keys, logical partitions by the million with a bounded series of sizes each, physical partitions, load.
//! - [`source`]: everything that comes in. A file is *sniffed* (what is it), *planned* (which columns, how does it write
//!   dates and numbers) and *read* (streamed in chunks by all cores into one table). `source::format` has one file per shape.
//! - [`analysis`]: values in, values out: share of the ceiling, growth and the date of the wall, skew, findings,
//!   differences, masking.
//! - [`report`]: one file per output format.
//! - [`cli`]: the commands. [`config`]: the settings. [`error`]: what the person at the terminal can act on.
//!
//! # Invariants
//!
//! Each is an absence, and `tests/it/house.rs` reads the sources to see that it holds.
//!
//! 1. `model` names no other module of this crate, no clock and no input or output.
//! 2. `analysis` names only `model`; no clock, no input or output, no hidden randomness; it cannot fail.
//! 3. `source` names `model` (and `error`) only.
//! 4. `report` names `model` and `analysis` only, and writes to whatever it is given.
//! 5. Nothing from outside is shown but through [`model::visible::visible`].
//! 6. Every queue, cache, history and list has a named limit and a reason.
//! 7. There is no `unsafe` code, and nothing that writes to a database.

pub mod analysis;
pub mod app;
pub mod cli;
pub mod config;
pub mod error;
pub mod model;
pub mod report;
pub mod source;
pub mod tui;
pub mod view;
