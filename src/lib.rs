//! Cosmoscope, the library: see, explain and fix partition problems in Azure Cosmos DB for `NoSQL` from a terminal.
//!
//! # The way of the data
//!
//! ```text
//!                                                        Msg         ┌── ui::app::draw(&App, &mut Buffer)
//!  files ────┐                                    ┌───────────> update ─┤ App
//!            ├─> source ──> CaptureBuilder ──> Capture ──> analysis ──> │
//!  scenario ─┘   (sniff, plan, read,      (immutable)   (pure)    │     └── Effect ──> tui ──> Msg
//!                 in parallel)                                    └─> report (text, JSON, CSV, Markdown)
//! ```
//!
//! - [`model`]: everything known about an account, as plain values: keys compared by type and value, effective partition
//!   keys, logical partitions by the million with a bounded series of sizes each, physical partitions, load.
//! - [`source`]: everything that comes in. A file is *sniffed* (what is it), *planned* (which columns, how does it write
//!   dates and numbers) and *read* (streamed in chunks by all cores into one table). `source::format` has one file per shape.
//! - [`analysis`]: values in, values out: share of the ceiling, growth and the date of 20 GB, skew, findings,
//!   differences, masking; columns, orders and filters over a million keys; load over time by physical partition
//!   ([`analysis::heat`]), what clients request and what comes of it, in one place for every screen
//!   ([`analysis::demand`]), and the rules over it ([`analysis::diagnosis`]); what reaches which limit when
//!   ([`analysis::forecast`]); keys that a container could have
//!   ([`analysis::candidate`]), what they would do to its documents ([`analysis::trial`]) and queries
//!   ([`analysis::routing`]), and searches for better ones ([`analysis::suggest`], [`analysis::suffix`]).
//! - [`report`]: one file per output format.
//! - [`work`]: what commands and screens ask for, one file a job: inputs and accounts read, tables and trials made, files
//!   written. It names neither of those that ask.
//! - [`ui`]: what every view is made of and may read ([`ui::kit`]: actions, messages, themes, charts, `Cx`), the views, each
//!   with its state, its answers to actions and its drawing ([`ui::view`]), and the whole of it with the one function that
//!   changes it: a message in, effects out ([`ui::app`]). Each of the three names only what stands before it here.
//! - [`tui`]: the terminal taken and given back, the loop, and the threads on which work is done.
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
//! 5. `ui` names no terminal, no task runtime, no file and no clock: time arrives in messages. State changes
//!    only in `ui::app`: a view changes itself and gives back effects. Drawing makes nothing that was not made by the last
//!    message.
//! 6. Work outside is an `Effect`, a value that can be compared; answers carry their turn, and stale ones are dropped.
//! 7. Nothing from outside is shown but through [`model::visible::visible`].
//! 8. Every queue, cache, history and list has a named limit and a reason.
//! 9. There is no `unsafe` code, and nothing that writes to a database.
//! 10. Private files, HTTP clients, sockets and child programs are made in one place each; the Azure crates stand in
//!     `source::live` only.
//! 11. Types and files have nouns for names.
//! 12. How many digits a number is shown with is settled in [`model::units`]; every rule that can strike stands in
//!     [`analysis::rules`] with its meaning.

#[macro_use]
mod words;

pub mod analysis;
pub mod cli;
pub mod config;
pub mod error;
pub mod model;
pub mod report;
pub mod source;
pub mod tui;
pub mod ui;
pub mod work;
