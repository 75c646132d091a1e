//! What the screens show: each view with its state, its answers to actions and its drawing.

pub mod bar;
pub mod chart;
mod colour;
pub mod glyphs;
pub mod key;
pub mod panel;
pub mod picture;
pub mod sign;
pub mod text;
pub mod theme;

#[cfg(test)]
pub mod testing;
