//! A candidate in words.
