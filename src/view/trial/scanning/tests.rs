//! The question before a sample, the meter, and what is said at its end.
