//! From a typed text to a filter, or to the place where it stops being one.

use super::super::grammar::{Halt, Scan, SyntaxError, halt};
use super::text::Needle;
use super::value::{Comparison, Field};
use super::{Filter, FilterBasis, ParsedFilter, Term};
use crate::model::visible::visible;

/// Parentheses within parentheses; nobody types more, and reading and testing them is recursive.
const MAX_DEPTH: u32 = 32;
/// Texts and comparisons in one filter; a pasted file is no filter, and each row is tested against all of them.
const MAX_TERMS: usize = 256;

const QUOTES: &str = "a text with < > = ! or parentheses stands in \"quotes\"";

/// Reads what was typed; blanks alone pass every row.
pub fn parse(text: &str, basis: FilterBasis) -> ParsedFilter {
    let mut parser = Parser { scan: Scan::new(text), basis, terms: 0 };
    ParsedFilter::of(text, parser.whole().map(|root| Filter { root }))
}

/// Which piece of a filter is wrong, and what is expected there: `size>8xx: expected a unit such as GiB`.
pub fn wrong_piece(text: &str, error: &SyntaxError) -> String {
    let at = text.char_indices().nth(error.column);
    let (before, after) = text.split_at(at.map_or(text.len(), |(at, _)| at));
    let begin = before.rsplit(char::is_whitespace).next().unwrap_or_default();
    let rest = after.split(char::is_whitespace).next().unwrap_or_default();
    let what = match format!("{begin}{rest}") {
        piece if piece.is_empty() => format!("expected {}", error.what),
        piece => format!("{piece}: expected {}", error.what),
    };
    visible(&what).into_owned()
}

struct Parser<'a> {
    scan: Scan<'a>,
    basis: FilterBasis,
    terms: usize,
}

impl Parser<'_> {
    fn whole(&mut self) -> Result<Term, Halt> {
        self.scan.skip_blanks();
        if self.scan.is_done() {
            return Ok(Term::default());
        }
        let root = self.any(0)?;
        if self.scan.is_done() {
            Ok(root)
        } else {
            Err(halt(self.scan.at, format!("( before this ); {QUOTES}")))
        }
    }

    fn any(&mut self, depth: u32) -> Result<Term, Halt> {
        let mut terms = vec![self.all(depth)?];
        while self.scan.keyword("or") {
            terms.push(self.all(depth)?);
        }
        Ok(Term::any(terms))
    }

    fn all(&mut self, depth: u32) -> Result<Term, Halt> {
        let mut terms = vec![self.one(depth)?];
        loop {
            self.scan.skip_blanks();
            let mut ahead = self.scan;
            if self.scan.is_done() || self.scan.rest().starts_with(')') || ahead.keyword("or") {
                return Ok(Term::all(terms));
            }
            self.scan.keyword("and");
            terms.push(self.one(depth)?);
        }
    }

    fn one(&mut self, depth: u32) -> Result<Term, Halt> {
        let mut is_negated = false;
        loop {
            self.scan.skip_blanks();
            let is_bang = !self.scan.at_operator() && self.scan.take("!");
            if !is_bang && !self.scan.keyword("not") {
                break;
            }
            is_negated = !is_negated;
        }
        let term = self.bare(depth)?;
        Ok(if is_negated { term.negated() } else { term })
    }

    fn bare(&mut self, depth: u32) -> Result<Term, Halt> {
        let scan = &mut self.scan;
        if scan.is_done() {
            return Err(scan.missing("a text or a comparison such as size>14GiB"));
        }
        self.terms += 1;
        if self.terms > MAX_TERMS {
            return Err(halt(scan.at, format!("no more than {MAX_TERMS} terms")));
        }
        if scan.rest().starts_with('(') {
            return self.group(depth);
        }
        if scan.rest().starts_with('"') {
            return Ok(Term::Text(Needle::new(&scan.quoted()?)));
        }
        let mut ahead = *scan;
        for keyword in ["or", "and"] {
            if ahead.keyword(keyword) {
                let what =
                    format!("a text or a comparison before {keyword}, or \"{keyword}\" in quotes");
                return Err(Halt {
                    // It may yet become another word.
                    is_begun: ahead.is_done(),
                    ..halt(scan.at, what)
                });
            }
        }
        self.word()
    }

    fn group(&mut self, depth: u32) -> Result<Term, Halt> {
        if depth >= MAX_DEPTH {
            return Err(halt(
                self.scan.at,
                format!("no more than {MAX_DEPTH} parentheses within each other"),
            ));
        }
        self.scan.take("(");
        let term = self.any(depth + 1)?;
        if self.scan.take(")") { Ok(term) } else { Err(self.scan.missing("the closing )")) }
    }

    fn word(&mut self) -> Result<Term, Halt> {
        let at = self.scan.at;
        let word = self.scan.word();
        let field = Field::named(word);
        if !self.scan.at_operator() {
            let is_cut = |word: &str| word.strip_suffix('!').and_then(Field::named).is_some();
            if self.scan.is_done() && is_cut(word) {
                return Err(self.scan.missing("= after the !"));
            }
            if word.is_empty() {
                return Err(halt(at, format!("a text or a comparison; {QUOTES}")));
            }
            return Ok(Term::Text(Needle::new(word)));
        }
        let Some(field) = field else {
            let names = Field::ALL.map(Field::name).join(", ");
            return Err(halt(at, format!("one of {names} before the operator; {QUOTES}")));
        };
        self.scan.skip_blanks();
        let op_at = self.scan.at;
        let Some(op) = self.scan.operator() else {
            return Err(self.scan.missing("an operator such as >"));
        };
        self.scan.skip_blanks();
        let read = Comparison::read(field, (op, op_at), &mut self.scan, self.basis)?;
        Ok(Term::Compare(read))
    }
}
