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
    ParsedKey::of(text, KeyReader::new(text).candidate())
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

/// What the grammar has at a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum KeySlot {
    Part,
    /// The parenthesis of a function.
    Opening(Function),
    Path(Function),
    Comma(Function),
    Number(Function),
    Closing,
    /// A part is done: `+`, `>` or the end.
    Joint,
}

/// Reads a key, and keeps what it looked for last.
pub(super) struct KeyReader<'a> {
    scan: Scan<'a>,
    pub slot: KeySlot,
    /// Byte where the piece that it looked for begins.
    pub start: usize,
    /// Complete levels before it.
    pub levels: usize,
    /// Byte behind the last path, name or number: at the end of the text it may still grow.
    pub open: usize,
}

impl<'a> KeyReader<'a> {
    pub fn new(text: &'a str) -> Self {
        Self { scan: Scan::new(text), slot: KeySlot::Part, start: 0, levels: 0, open: 0 }
    }

    /// Goes on to the next piece, and says where it begins.
    fn look_for(&mut self, slot: KeySlot) -> usize {
        if !self.scan.is_done() || self.open < self.scan.at {
            self.scan.skip_blanks();
            (self.slot, self.start) = (slot, self.scan.at);
        }
        self.scan.at
    }

    fn path(&mut self) -> Result<Path, Halt> {
        let path = self.scan.path()?;
        self.open = self.scan.at;
        Ok(path)
    }

    fn name(&mut self) -> &'a str {
        let name = self.scan.name();
        self.open = self.scan.at;
        name
    }

    pub fn candidate(&mut self) -> Result<Candidate, Halt> {
        let mut levels = vec![self.level()?];
        while !self.scan.is_done() {
            let at = self.scan.at;
            if !self.scan.sign('>') {
                return Err(halt(at, "+ and another part, > and another level, or the end"));
            }
            if levels.len() >= MAX_LEVELS {
                return Err(halt(at, format!("the end: a key has at most {MAX_LEVELS} levels")));
            }
            self.levels = levels.len();
            levels.push(self.level()?);
        }
        Ok(Candidate { levels })
    }

    fn level(&mut self) -> Result<Level, Halt> {
        let mut parts = vec![self.part()?];
        loop {
            let at = self.look_for(KeySlot::Joint);
            if !self.scan.sign('+') {
                return Ok(Level { parts });
            }
            if parts.len() >= MAX_PARTS {
                let what = format!("no more than {MAX_PARTS} parts in a level");
                return Err(halt(at, what));
            }
            parts.push(self.part()?);
        }
    }

    fn part(&mut self) -> Result<LevelPart, Halt> {
        let at = self.look_for(KeySlot::Part);
        match self.scan.next() {
            Some('/') => return Ok(LevelPart::Path(self.path()?)),
            Some('"') => return Ok(LevelPart::Literal(self.scan.json_text()?.into())),
            Some('\'') => return Err(halt(at, "a text in double quotes")),
            _ => {}
        }
        let word = self.name();
        if let Some(function) = Function::named(word) {
            let at = self.look_for(KeySlot::Opening(function));
            if self.scan.sign('(') {
                return self.call(function);
            }
            return Err(halt(at, format!("( after {word}")));
        }
        let is_last = self.scan.is_done();
        match (word, self.scan.sign('(')) {
            ("", _) => Err(halt(at, PART)),
            (_, true) => {
                let names: Vec<&str> = FUNCTIONS.iter().map(|(name, _)| *name).collect();
                Err(halt(at, format!("one of {} before the (", names.join(", "))))
            }
            (_, false) => Err(Halt {
                is_begun: is_last && FUNCTIONS.iter().any(|(name, _)| starts(name, word)),
                ..halt(at, format!("{PART}; a path begins with a /"))
            }),
        }
    }

    /// What stands in the parentheses, and the closing one.
    fn call(&mut self, of: Function) -> Result<LevelPart, Halt> {
        let part = match of {
            Function::Random => LevelPart::Random { buckets: self.number(of, MAX_BUCKETS)? },
            Function::Date(unit) => LevelPart::Date { path: self.argument(of)?, unit },
            Function::Lower => LevelPart::Lower(self.argument(of)?),
            Function::Prefix => LevelPart::Prefix {
                path: self.argument(of)?,
                characters: self.second(of, "characters", MAX_PREFIX_CHARACTERS)?,
            },
            Function::Bucket => LevelPart::Bucket {
                path: self.argument(of)?,
                buckets: self.second(of, "buckets", MAX_BUCKETS)?,
            },
        };
        let at = self.look_for(KeySlot::Closing);
        if self.scan.sign(')') { Ok(part) } else { Err(halt(at, "the closing )")) }
    }

    fn argument(&mut self, of: Function) -> Result<Path, Halt> {
        let at = self.look_for(KeySlot::Path(of));
        if self.scan.next() == Some('/') {
            return self.path();
        }
        self.name();
        Err(halt(at, "a path such as /tenantId"))
    }

    fn second(&mut self, of: Function, what: &str, most: u32) -> Result<NonZeroU32, Halt> {
        let at = self.look_for(KeySlot::Comma(of));
        if self.scan.sign(',') {
            return self.number(of, most);
        }
        Err(halt(at, format!("a comma and the number of {what}")))
    }

    fn number(&mut self, of: Function, most: u32) -> Result<NonZeroU32, Halt> {
        let at = self.look_for(KeySlot::Number(of));
        let read = self.scan.digits().parse::<u32>().ok().and_then(NonZeroU32::new);
        self.open = self.scan.at;
        read.filter(|number| number.get() <= most).ok_or_else(|| {
            let most = count_text(u64::from(most));
            halt(at, format!("a whole number from 1 to {most}"))
        })
    }
}
