//! Rows by the JSON text of their keys, eight bytes at a time: comparing whole texts would fetch each of them from memory
//! some twenty times, once for every comparison it takes part in.

use std::borrow::Cow;

use super::super::columns::{ContainerColumns, KEYS_PER_ASKING};

/// So few rows are compared by their whole texts.
const FEW_ROWS: usize = 16;
/// Keys that agree this far are compared whole too: some texts have to be made first, which must not happen for every
/// eight bytes of a long key.
const MAX_DEPTH: usize = 64;
const STEP: usize = 8;

/// Sorts rows by the JSON text of reports; None when `keep_going` said no. Equal texts stand by row.
pub(super) fn sort_by_text(
    rows: &mut [u32],
    columns: &ContainerColumns<'_>,
    keep_going: &dyn Fn() -> bool,
) -> Option<()> {
    let mut todo = vec![(0, rows.len(), 0)];
    let mut keyed: Vec<(u64, u32)> = Vec::new();
    let mut since_asked = KEYS_PER_ASKING;
    while let Some((from, to, depth)) = todo.pop() {
        since_asked += to - from;
        if since_asked > KEYS_PER_ASKING {
            since_asked = 0;
            if !keep_going() {
                return None;
            }
        }
        let Some(rows) = rows.get_mut(from..to) else { continue };
        if rows.len() <= FEW_ROWS || depth >= MAX_DEPTH {
            rows.sort_by_cached_key(|row| (json_text(columns, *row), *row));
            continue;
        }
        keyed.clear();
        keyed.extend(rows.iter().map(|row| (eight(&json_text(columns, *row), depth), *row)));
        keyed.sort_unstable();
        for (place, (_, row)) in rows.iter_mut().zip(&keyed) {
            *place = *row;
        }
        let mut start = from;
        for run in keyed.chunk_by(|a, b| a.0 == b.0) {
            let end = start + run.len();
            // JSON text holds no NUL byte: one here stands behind the end of the texts, which are then the same.
            let ended = run.first().is_some_and(|(bytes, _)| bytes.trailing_zeros() >= 8);
            if run.len() > 1 && !ended {
                todo.push((start, end, depth + STEP));
            }
            start = end;
        }
    }
    Some(())
}

fn eight(text: &str, depth: usize) -> u64 {
    let rest = text.as_bytes().get(depth..).unwrap_or_default();
    if let Some(bytes) = rest.first_chunk::<STEP>() {
        return u64::from_be_bytes(*bytes);
    }
    let mut bytes = [0; STEP];
    for (place, byte) in bytes.iter_mut().zip(rest) {
        *place = *byte;
    }
    u64::from_be_bytes(bytes)
}

/// The text a report would show, borrowed where it is what is stored.
fn json_text<'a>(columns: &ContainerColumns<'a>, row: u32) -> Cow<'a, str> {
    let Some(view) = columns.row(row).and_then(|r| r.view()) else { return Cow::Borrowed("") };
    view.json_text().unwrap_or(Cow::Borrowed("null"))
}
