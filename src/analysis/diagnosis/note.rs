//! The incident note: five lines of plain text.
