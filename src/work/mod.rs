//! Work that is asked for and answered: one file a job, used by the commands and the screens alike.

pub mod arrange;
pub mod branch;
pub mod compare;
pub mod data;
pub mod documents;
pub mod export;
pub mod fault;
pub mod find_keys;
pub mod forecast;
pub mod live;
pub mod load;
pub mod paths;
pub mod queries;
pub mod recent;
pub mod replay;
pub mod salt;
pub mod sample;
pub mod search;
pub mod shared;
pub mod simulate;
#[cfg(test)]
pub mod testing;
pub mod threads;
pub mod trial;
pub mod whole_file;
pub mod write;
