//! The rules, one row each.
