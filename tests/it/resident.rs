//! The memory of a process as the system tells it.

use std::fmt::Display;
use std::fs;

/// The most that a process held at one time so far, in KiB; its number, or `self`. None once it is over.
pub fn most_resident_kib(process: impl Display) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse().ok()
}
