//! Heat.
