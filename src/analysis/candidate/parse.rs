//! From a typed text to a key, or to the place where it stops being one.

use std::num::NonZeroU32;

use crate::model::path::Path;
use crate::model::units::count_text;

use super::super::grammar::{self, Halt, Scan, SyntaxError, halt, starts};
use super::{
    Candidate, DateUnit, Level, LevelPart, MAX_BUCKETS, MAX_LEVELS, MAX_PARTS,
    MAX_PREFIX_CHARACTERS,
};

const PART: &str =
    "a path such as /tenantId, a text in \"quotes\" or a function such as month(/time)";

/// What a text is as a key.
pub type ParsedKey = grammar::Parsed<Candidate>;

impl Candidate {
    /// Reads a whole expression, as a command line has it.
    pub fn parse(text: &str) -> Result<Self, SyntaxError> {
        match parse(text) {
            ParsedKey::Complete(candidate) => Ok(candidate),
            ParsedKey::Incomplete(expected) | ParsedKey::Wrong(expected) => Err(expected),
        }
    }
}

/// Reads what was typed.
pub fn parse(text: &str) -> ParsedKey {
    ParsedKey::of(text, candidate(&mut Scan::new(text)))
}

/// What stands before a parenthesis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Function {
    Date(DateUnit),
    Prefix,
    Lower,
    Random,
    Bucket,
}

pub(super) const FUNCTIONS: [(&str, Function); 9] = [
    ("year", Function::Date(DateUnit::Year)),
    ("month", Function::Date(DateUnit::Month)),
    ("day", Function::Date(DateUnit::Day)),
    ("hour", Function::Date(DateUnit::Hour)),
    ("minute", Function::Date(DateUnit::Minute)),
    ("prefix", Function::Prefix),
    ("lower", Function::Lower),
    ("random", Function::Random),
    ("bucket", Function::Bucket),
];

impl Function {
    /// Letter case does not matter.
    pub fn named(word: &str) -> Option<Self> {
        let found = FUNCTIONS.iter().find(|(name, _)| name.eq_ignore_ascii_case(word));
        found.map(|(_, function)| *function)
    }
}

fn candidate(scan: &mut Scan<'_>) -> Result<Candidate, Halt> {
    let mut levels = vec![level(scan)?];
    loop {
        scan.skip_blanks();
        let at = scan.at;
        if scan.is_done() {
            return Ok(Candidate { levels });
        }
        if !scan.sign('>') {
            return Err(halt(at, "+ and another part, > and another level, or the end"));
        }
        if levels.len() >= MAX_LEVELS {
            return Err(halt(at, format!("the end: a key has at most {MAX_LEVELS} levels")));
        }
        levels.push(level(scan)?);
    }
}

fn level(scan: &mut Scan<'_>) -> Result<Level, Halt> {
    let mut parts = vec![part(scan)?];
    loop {
        scan.skip_blanks();
        let at = scan.at;
        if !scan.sign('+') {
            return Ok(Level { parts });
        }
        if parts.len() >= MAX_PARTS {
            let what = format!("no more than {MAX_PARTS} parts in a level");
            return Err(halt(at, what));
        }
        parts.push(part(scan)?);
    }
}

fn part(scan: &mut Scan<'_>) -> Result<LevelPart, Halt> {
    scan.skip_blanks();
    let at = scan.at;
    match scan.next() {
        Some('/') => return Ok(LevelPart::Path(scan.path()?)),
        Some('"') => return Ok(LevelPart::Literal(scan.json_text()?.into())),
        Some('\'') => return Err(halt(at, "a text in double quotes")),
        _ => {}
    }
    let word = scan.name();
    let is_last = scan.is_done();
    let is_call = scan.sign('(');
    match Function::named(word) {
        Some(function) if is_call => call(function, scan),
        Some(_) => Err(halt(scan.at, format!("( after {word}"))),
        None if is_call && !word.is_empty() => {
            let names: Vec<&str> = FUNCTIONS.iter().map(|(name, _)| *name).collect();
            Err(halt(at, format!("one of {} before the (", names.join(", "))))
        }
        None if word.is_empty() => Err(halt(at, PART)),
        None => Err(Halt {
            is_begun: is_last && FUNCTIONS.iter().any(|(name, _)| starts(name, word)),
            ..halt(at, format!("{PART}; a path begins with a /"))
        }),
    }
}

/// What stands in the parentheses, and the closing one.
fn call(function: Function, scan: &mut Scan<'_>) -> Result<LevelPart, Halt> {
    let part = match function {
        Function::Random => LevelPart::Random { buckets: whole_number(scan, MAX_BUCKETS)? },
        Function::Date(unit) => LevelPart::Date { path: argument(scan)?, unit },
        Function::Lower => LevelPart::Lower(argument(scan)?),
        Function::Prefix => LevelPart::Prefix {
            path: argument(scan)?,
            characters: second(
                scan,
                "a comma and the number of characters",
                MAX_PREFIX_CHARACTERS,
            )?,
        },
        Function::Bucket => LevelPart::Bucket {
            path: argument(scan)?,
            buckets: second(scan, "a comma and the number of buckets", MAX_BUCKETS)?,
        },
    };
    if scan.sign(')') { Ok(part) } else { Err(halt(scan.at, "the closing )")) }
}

fn argument(scan: &mut Scan<'_>) -> Result<Path, Halt> {
    scan.skip_blanks();
    if scan.next() == Some('/') {
        scan.path()
    } else {
        Err(halt(scan.at, "a path such as /tenantId"))
    }
}

fn second(scan: &mut Scan<'_>, comma: &str, most: u32) -> Result<NonZeroU32, Halt> {
    if scan.sign(',') { whole_number(scan, most) } else { Err(halt(scan.at, comma)) }
}

fn whole_number(scan: &mut Scan<'_>, most: u32) -> Result<NonZeroU32, Halt> {
    scan.skip_blanks();
    let at = scan.at;
    let read = scan.digits().parse::<u32>().ok().and_then(NonZeroU32::new);
    read.filter(|number| number.get() <= most).ok_or_else(|| {
        let most = count_text(u64::from(most));
        halt(at, format!("a whole number from 1 to {most}"))
    })
}
