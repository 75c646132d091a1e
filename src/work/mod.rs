//! Work that is asked for and answered: one file a job, used by the commands and the screens alike.

pub mod arrange;
pub mod branch;
pub mod data;
pub mod export;
pub mod sample;
pub mod search;
pub mod trial;
