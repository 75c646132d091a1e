//! The state of the screens and the one function that changes it.
