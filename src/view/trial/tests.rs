//! The trial view by its keys, on documents of a scenario.
