//! Tracks of the records and points of a capture.
