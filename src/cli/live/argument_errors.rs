//! Wrong usage told without what was typed, where that may be a secret: the account commands, and whatever looks like one.

use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::error::Error;

use super::{any_secret, usage};

/// The commands behind which people type keys.
const COMMANDS: [&str; 3] = ["connect", "doctor", "count"];
/// Longer than any option: what is longer is no slip of a letter.
const MAX_OPTION_CHARS: usize = 20;

const WHERE_KEYS_BELONG: &str = "keys belong in COSMOSCOPE_KEY, in a file for --key-file, or at the prompt of --auth key; \
     cosmoscope connect --help lists the options";
const ROTATE: &str = "what stands on a command line is seen by others and kept by shells: make a new key for the account \
     (rotate it); keys belong in COSMOSCOPE_KEY, in a file for --key-file, or at the prompt of --auth key";

/// The error in words of our own, where the usual ones could repeat a secret; None for all others.
pub fn without_secrets(arguments: &[OsString], error: &clap::Error) -> Option<Error> {
    if !error.use_stderr() {
        return None;
    }
    let texts: Vec<_> = arguments.iter().skip(1).map(|a| a.to_string_lossy()).collect();
    let is_secret = any_secret(texts.iter().map(AsRef::as_ref));
    let command = texts.iter().find_map(|text| COMMANDS.into_iter().find(|c| c == text));
    if command.is_none() && !is_secret {
        return None;
    }
    let what = what(error, command.unwrap_or("cosmoscope"));
    Some(usage(what, if is_secret { ROTATE } else { WHERE_KEYS_BELONG }))
}

fn what(error: &clap::Error, command: &str) -> String {
    let named = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(name)) => own_word(name),
        Some(ContextValue::Strings(names)) => names.first().and_then(|name| own_word(name)),
        _ => None,
    };
    match (error.kind(), named) {
        (ErrorKind::MissingRequiredArgument, _) => {
            format!(
                "{command} needs the endpoint of an account, its name, or a context of the configuration"
            )
        }
        (ErrorKind::UnknownArgument, Some(name)) => format!("{command} has no option {name}"),
        (ErrorKind::ArgumentConflict, Some(name)) => {
            format!("{name} is given twice or with an option that excludes it")
        }
        (_, Some(name)) => format!("the value of {name} is missing or not valid"),
        (_, None) => {
            format!("{command} does not take one of the arguments, which is not repeated here")
        }
    }
}

/// An option's name without any value: nothing that a secret can look like.
fn own_word(text: &str) -> Option<&str> {
    let name = text.split([' ', '=']).next()?;
    let letters = name.strip_prefix("--")?;
    let fits = letters.len() <= MAX_OPTION_CHARS
        && letters.bytes().all(|b| b.is_ascii_lowercase() || b == b'-');
    fits.then_some(name)
}
