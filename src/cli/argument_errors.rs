//! Reads the command line, and explains wrong usage in words of our own. What was typed is not repeated where it may be a
//! secret: with the account commands, and where it looks like one.

use std::error::Error as _;
use std::ffi::{OsStr, OsString};
use std::num::{ParseFloatError, ParseIntError};

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, Parser};

use super::live::any_secret;
use super::{Cli, option_values};
use crate::error::{Error, usage};
use crate::model::visible::visible;
use crate::source::live::services::CloudName;
use crate::ui::view::VIEWS;

/// The commands behind which people type keys.
const COMMANDS: [&str; 3] = ["connect", "doctor", "count"];
/// Longer than any option: what is longer is no slip of a letter.
const MAX_OPTION_CHARS: usize = 20;

const WHERE_KEYS_BELONG: &str = "keys belong in COSMOSCOPE_KEY, in a file for --key-file, or at the prompt of --auth key; \
     cosmoscope connect --help lists the options";
const ROTATE: &str = "what stands on a command line is seen by others and kept by shells: make a new key for the account \
     (rotate it); keys belong in COSMOSCOPE_KEY, in a file for --key-file, or at the prompt of --auth key";

/// Reads the command line. A path in the place of a command is opened.
pub fn parse(arguments: &[OsString]) -> Result<Cli, clap::Error> {
    Cli::try_parse_from(arguments).or_else(|error| {
        let unknown = unknown_command(&error);
        let is_unknown = |word: &&OsString| unknown.as_deref() == Some(&*word.to_string_lossy());
        if !arguments.iter().find(is_unknown).is_some_and(|word| is_path(word, arguments)) {
            return Err(error);
        }
        let mut opening = arguments.to_vec();
        opening.insert(1, "open".into());
        Cli::try_parse_from(opening)
    })
}

/// The word that stands where a command belongs.
fn unknown_command(error: &clap::Error) -> Option<String> {
    error.get(ContextKind::InvalidSubcommand).map(ToString::to_string)
}

/// Whether a word names a file that exists, or looks like a path; an account key can look like one, too.
#[expect(clippy::disallowed_methods, reason = "whether it is there decides what a word means")]
fn is_path(word: &OsStr, arguments: &[OsString]) -> bool {
    let has_separator = || word.to_string_lossy().contains(std::path::is_separator);
    std::fs::metadata(word).is_ok() || (has_separator() && !holds_secret(arguments))
}

fn holds_secret(arguments: &[OsString]) -> bool {
    let texts: Vec<_> = arguments.iter().skip(1).map(|a| a.to_string_lossy()).collect();
    any_secret(texts.iter().map(AsRef::as_ref))
}

/// The error in words of our own, where the usual ones could repeat a secret or do not help; None for all others.
pub fn in_own_words(arguments: &[OsString], error: &clap::Error) -> Option<Error> {
    let is_secret = holds_secret(arguments);
    let account = COMMANDS.into_iter().find(|c| arguments.iter().skip(1).any(|a| a == c));
    let explained = match error.kind() {
        // It names arguments, and repeats none.
        ErrorKind::MissingRequiredArgument => missing(error),
        _ if is_secret || account.is_some() => None,
        ErrorKind::InvalidSubcommand => unknown_command(error).map(|word| not_a_command(&word)),
        ErrorKind::ValueValidation => not_a_number(error),
        _ => None,
    };
    let what = match &explained {
        Some(explained) if is_secret => explained.to_string(),
        None if is_secret || account.is_some() => what(error, account.unwrap_or("cosmoscope")),
        _ => return explained,
    };
    Some(usage(what, if is_secret { ROTATE } else { WHERE_KEYS_BELONG }))
}

/// Arguments that are missing, with an example of the command that has them.
fn missing(error: &clap::Error) -> Option<Error> {
    let Some(ContextValue::Strings(missing)) = error.get(ContextKind::InvalidArg) else {
        return None;
    };
    let program = Cli::command();
    let line = error.get(ContextKind::Usage)?.to_string();
    let command = line.split_whitespace().find_map(|word| program.find_subcommand(word))?;
    let examples = command.get_after_help()?.to_string();
    let options = missing.iter().filter_map(|name| own_word(name));
    let example =
        examples.lines().skip(1).find(|line| options.clone().all(|o| line.contains(o)))?;
    let names: Vec<&str> = missing.iter().map(|name| own_word(name).unwrap_or(name)).collect();
    let what = format!("{} needs {}", command.get_name(), names.join(" and "));
    Some(usage(what, format!("such as: {}", example.trim_start())))
}

/// Names the command that was probably meant by a word.
fn not_a_command(word: &str) -> Error {
    if VIEWS.iter().any(|view| view.name == word) {
        let next = format!(
            "cosmoscope demo NAME --print {word} prints it; of files: cosmoscope report FILE, also with --view heat"
        );
        return usage(format!("{word} is a view, not a command"), next);
    }
    if CloudName::of_host(word).is_some() {
        let word = visible(word);
        let next = format!("cosmoscope connect {word} opens it");
        return usage(format!("{word} is an account, not a command"), next);
    }
    let program = Cli::command();
    let known: Vec<&str> = program.get_subcommands().map(clap::Command::get_name).collect();
    Error::unknown("there is no command", word, &known, |_| {
        "`cosmoscope help` lists the commands; cosmoscope open FILE opens a file".to_owned()
    })
}

/// The value of an option that takes a number.
fn not_a_number(error: &clap::Error) -> Option<Error> {
    let wanted = match error.source()? {
        why if why.is::<ParseIntError>() => "a whole number, such as 20",
        why if why.is::<ParseFloatError>() => "a number, such as 400",
        _ => return None,
    };
    let option = error.get(ContextKind::InvalidArg)?.to_string();
    let value = error.get(ContextKind::InvalidValue)?.to_string();
    Some(option_values::refuse(own_word(&option)?, &value, wanted))
}

fn what(error: &clap::Error, command: &str) -> String {
    let named = error.get(ContextKind::InvalidArg).map(ToString::to_string);
    match (error.kind(), named.as_deref().and_then(own_word)) {
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
    let name = text.trim_start_matches('<').split([' ', '=']).next()?;
    let letters = name.strip_prefix("--")?;
    let fits = letters.len() <= MAX_OPTION_CHARS
        && letters.bytes().all(|b| b.is_ascii_lowercase() || b == b'-');
    fits.then_some(name)
}
