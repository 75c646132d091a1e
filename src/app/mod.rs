//! The state of the screens and the one function that changes it.
//!
//! Whatever happens outside becomes a [`msg::Msg`]; [`update::update`] changes the [`App`] and gives back the
//! [`msg::Effect`]s that it wants done. Nothing here reads a clock, a file or the terminal.

pub mod action;
pub mod data;
pub mod input;
pub mod keymap;
pub mod msg;
