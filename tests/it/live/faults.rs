//! Everything that can go wrong on the way to an account, each in a process of its own.
