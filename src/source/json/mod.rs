//! Reading JSON in bounded memory: a strict scanner for single values, and a splitter for whole documents.

pub mod elements;
pub mod fault;
pub mod read;
pub mod scan;
pub mod split;
mod window;

#[cfg(test)]
mod split_tests;
#[cfg(test)]
mod tests;
