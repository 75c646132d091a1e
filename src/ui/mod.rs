//! The screens: what they are made of, one file per view, and the one function that changes their state.

pub mod app;
pub mod kit;
pub mod view;
