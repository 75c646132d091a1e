//! What every view is made of: actions, messages and effects; keys and typed lines; themes, signs, tables and charts.

pub mod action;
pub mod bar;
pub mod card;
pub mod chart;
pub mod colour;
pub mod command;
pub mod cx;
pub mod fan;
pub mod glyphs;
pub mod headline;
pub mod input;
pub mod key;
pub mod keymap;
pub mod limit_date;
pub mod line;
pub mod list;
pub mod masking;
pub mod msg;
pub mod panel;
pub mod picture;
pub mod scroll;
pub mod sign;
pub mod table;
pub mod text;
pub mod theme;
