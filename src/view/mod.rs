//! What the screens show: each view with its state, its answers to actions and its drawing.

pub mod bar;
mod colour;
pub mod glyphs;
pub mod panel;
pub mod text;
pub mod theme;

#[cfg(test)]
pub mod testing;
