//! Recordings among the inputs of an import: in place of each stands what it holds, as the account told it.

use std::io::Read;
use std::sync::Arc;

use super::read::{Recording, is_recording};
use super::{line, story};
use crate::error::Error;
use crate::source::input::{Input, Inputs, OpenInput};
use crate::source::ledger::Ledger;
use crate::source::sniff::Refusal;
use crate::source::tally::unquoted;
use crate::source::watch::Watch;

/// The inputs with what recordings hold in the place of each; None where there is no recording among them.
pub fn expand(inputs: &Inputs, watch: &Watch) -> Result<Option<Inputs>, Error> {
    if !inputs.readable().any(begins_as_one) {
        return Ok(None);
    }
    let mut out = Inputs {
        containers: inputs.containers.clone(),
        notes: inputs.notes.clone(),
        ..Inputs::default()
    };
    for named in &inputs.inputs {
        let input = match named {
            Ok(input) if begins_as_one(input) => input,
            other => {
                out.inputs.push(other.clone());
                continue;
            }
        };
        watch.check()?;
        watch.begin(&input.shown);
        match whole(input, watch) {
            Ok((ledger, notes)) => {
                let of = unquoted(&input.shown);
                let notes = notes.into_iter().map(|note| format!("`{of}`: {note}"));
                out.notes.extend(notes);
                add(&mut out, &input.shown, &ledger);
            }
            Err(refusal) => out.refuse(input.shown.clone(), refusal),
        }
    }
    Ok(Some(out))
}

fn add(out: &mut Inputs, shown: &str, ledger: &Ledger) {
    let held = ledger.inputs();
    if held.inputs.is_empty() && held.containers.is_empty() {
        let refusal = Refusal::new(
            "this recording has no container",
            "record for longer, with a sign-in that may read the account",
        );
        return out.refuse(shown.to_owned(), refusal);
    }
    out.containers.extend(held.containers);
    for mut input in held.inputs.into_iter().flatten() {
        input.shown = format!("{shown}: {}", input.shown);
        out.inputs.push(Ok(input));
    }
}

/// A file that cannot be opened is told of by whoever reads it.
fn begins_as_one(input: &Input) -> bool {
    if input.owner.is_some() {
        return false;
    }
    input.open().is_ok_and(|opened| begins(&opened))
}

/// Whether a file begins as a recording.
pub fn begins(opened: &OpenInput) -> bool {
    let mut head = Vec::new();
    let start = opened.reader(&Arc::default()).take(line::MAGIC.len() as u64);
    let read = { start }.read_to_end(&mut head);
    read.is_ok() && is_recording(&head)
}

/// Everything a recording holds, up to its end, and what is to be said of it.
pub fn whole(input: &Input, watch: &Watch) -> Result<(Ledger, Vec<String>), Refusal> {
    let cannot = |e: std::io::Error| crate::source::input::unreadable("cannot be opened", &e);
    let opened = input.open().map_err(cannot)?;
    let recording = Recording::open(&opened, watch)?;
    let mut ledger = Ledger::new(&story::account(&recording.header.endpoint));
    recording.each(0..recording.lines(), &mut |seen| ledger.add(seen));
    Ok((ledger, recording.notes))
}
