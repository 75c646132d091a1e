//! Where data comes from: files, archives and standard input, turned into model facts.

pub mod json;
