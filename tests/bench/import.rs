//! Entry point of the import benchmark; nothing is measured yet.

fn main() {}
