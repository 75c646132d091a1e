//! Drawn screens as text with their styles in words.

use cosmoscope::ui::kit::picture::rows;

#[path = "../../src/ui/kit/picture/styled.rs"]
mod styled;

pub use styled::styled;
