//! Reads a query: which names stand for the document, and what the filter says of its properties.
//!
//! The list of what is selected, grouping, order and limits do not route: they are stepped over.

use crate::model::path::Path;

use super::QueryFault;
use super::expression::Expression;
use super::lexer::{PlacedToken, Token, tokens};

/// The service allows five; more than this is no query but an attack.
const MAX_SOURCES: usize = 64;
/// After these no alias can follow.
const CLAUSES: &[&str] =
    &["AS", "FROM", "GROUP", "IN", "JOIN", "LIMIT", "OFFSET", "ORDER", "WHERE"];

/// The condition of a query, none if it has no WHERE.
pub(super) fn filter(sql: &str) -> Result<Option<Expression>, QueryFault> {
    let mut parser = Parser::new(tokens(sql)?, sql.len());
    parser.demand_word("SELECT", "only a SELECT can be routed")?;
    parser.step_over_selection()?;
    parser.sources()?;
    let filter = if parser.take_word("WHERE") { Some(parser.condition()?) } else { None };
    parser.step_over_rest()?;
    Ok(filter)
}

/// What a name in a condition stands for.
#[derive(Clone, Debug)]
pub(super) enum Binding {
    /// A property of the document; without names the document itself.
    Property(Path),
    /// An item joined to the document, or what another query gives.
    Item,
}

impl Binding {
    /// What its property stands for; `None` are names that cannot be told.
    pub(super) fn inside(self, names: Option<Vec<Box<str>>>) -> Self {
        match (self, names) {
            (Self::Property(mut path), Some(names)) => {
                path.0.extend(names);
                Self::Property(path)
            }
            _ => Self::Item,
        }
    }
}

pub(super) struct Parser {
    tokens: Vec<PlacedToken>,
    at: usize,
    end: usize,
    pub(super) depth: usize,
    bound: Vec<(Box<str>, Binding)>,
}

impl Parser {
    fn new(mut tokens: Vec<PlacedToken>, end: usize) -> Self {
        while tokens.last().is_some_and(|last| last.token == Token::Sign(";")) {
            tokens.pop();
        }
        Self { tokens, at: 0, end, depth: 0, bound: Vec::new() }
    }

    pub(super) fn peek(&self) -> Option<&Token> {
        self.ahead(0)
    }

    pub(super) fn ahead(&self, count: usize) -> Option<&Token> {
        self.tokens.get(self.at + count).map(|placed| &placed.token)
    }

    pub(super) fn advance(&mut self) {
        self.at += 1;
    }

    /// The bytes before the next token.
    pub(super) fn place(&self) -> usize {
        self.tokens.get(self.at).map_or(self.end, |next| next.at)
    }

    pub(super) fn fault<T>(&self, what: &'static str) -> Result<T, QueryFault> {
        Err(QueryFault::new(self.place(), what))
    }

    pub(super) fn next_is_sign(&self, sign: &str) -> bool {
        matches!(self.peek(), Some(Token::Sign(next)) if *next == sign)
    }

    pub(super) fn next_is_word(&self, word: &str) -> bool {
        is_word(self.peek(), word)
    }

    pub(super) fn take_sign(&mut self, sign: &str) -> bool {
        let found = self.next_is_sign(sign);
        self.at += usize::from(found);
        found
    }

    pub(super) fn take_word(&mut self, word: &str) -> bool {
        let found = self.next_is_word(word);
        self.at += usize::from(found);
        found
    }

    pub(super) fn demand_sign(&mut self, sign: &str, what: &'static str) -> Result<(), QueryFault> {
        if self.take_sign(sign) { Ok(()) } else { self.fault(what) }
    }

    pub(super) fn demand_word(&mut self, word: &str, what: &'static str) -> Result<(), QueryFault> {
        if self.take_word(word) { Ok(()) } else { self.fault(what) }
    }

    pub(super) fn meaning(&self, name: &str) -> Option<&Binding> {
        let found = self.bound.iter().rev().find(|(alias, _)| **alias == *name);
        found.map(|(_, meaning)| meaning)
    }

    /// From an opening bracket to the one that closes it.
    pub(super) fn step_over_brackets(&mut self) -> Result<(), QueryFault> {
        let opened = self.place();
        let mut open: Vec<&str> = Vec::new();
        while let Some(token) = self.peek() {
            if let Token::Sign(sign) = *token {
                track(sign, &mut open).map_err(|what| QueryFault::new(self.place(), what))?;
            }
            self.advance();
            if open.is_empty() {
                return Ok(());
            }
        }
        Err(QueryFault::new(opened, "this bracket is never closed"))
    }

    fn step_over_selection(&mut self) -> Result<(), QueryFault> {
        loop {
            let before = self.at.checked_sub(1).and_then(|before| self.tokens.get(before));
            let after_dot = before.is_some_and(|before| before.token == Token::Sign("."));
            if !after_dot && self.take_word("FROM") {
                return Ok(());
            }
            let ended = !after_dot && self.next_is_word("WHERE");
            if ended || self.peek().is_none() {
                return self.fault("FROM is missing: it reads no container");
            }
            self.step_over_one()?;
        }
    }

    fn step_over_one(&mut self) -> Result<(), QueryFault> {
        if matches!(self.peek(), Some(Token::Sign("(" | "[" | "{"))) {
            return self.step_over_brackets();
        }
        self.advance();
        Ok(())
    }

    fn step_over_rest(&mut self) -> Result<(), QueryFault> {
        let known = ["GROUP", "ORDER", "OFFSET", "LIMIT"];
        if self.peek().is_some() && !known.iter().any(|word| self.next_is_word(word)) {
            return self.fault("expected AND, OR or the end of the condition");
        }
        while let Some(token) = self.peek() {
            if *token == Token::Sign(";") {
                return self.fault("one query at a time: another begins here");
            }
            self.step_over_one()?;
        }
        Ok(())
    }

    /// `c`, `c AS x`, `c.inner x`, `x IN c.items`, `(SELECT …) x`, each further one after JOIN.
    fn sources(&mut self) -> Result<(), QueryFault> {
        // Only the first source names the container.
        self.source(Some(Binding::Property(Path(Vec::new()))))?;
        while self.take_word("JOIN") {
            if self.bound.len() >= MAX_SOURCES {
                return self.fault("more than 64 JOINs");
            }
            self.source(None)?;
        }
        Ok(())
    }

    fn source(&mut self, root: Option<Binding>) -> Result<(), QueryFault> {
        if self.next_is_sign("(") {
            self.step_over_brackets()?;
            if let Some(alias) = self.alias() {
                self.bound.push((alias, Binding::Item));
            }
            return Ok(());
        }
        let Some(Token::Word(name)) = self.peek() else {
            return self.fault("expected the container or a property of it");
        };
        let name = name.clone();
        self.advance();
        if self.take_word("IN") {
            return self.items_of_list(name);
        }
        let root = root.or_else(|| self.meaning(&name).cloned()).unwrap_or(Binding::Item);
        let steps = self.steps()?;
        let last = steps.as_ref().and_then(|names| names.last()).cloned();
        let meaning = root.inside(steps);
        let alias = self.alias().or(last).unwrap_or(name);
        self.bound.push((alias, meaning));
        Ok(())
    }

    /// None of an item's properties is one of the document.
    fn items_of_list(&mut self, alias: Box<str>) -> Result<(), QueryFault> {
        if self.next_is_sign("(") {
            self.step_over_brackets()?;
        } else if matches!(self.peek(), Some(Token::Word(_))) {
            self.advance();
            self.steps()?;
        } else {
            return self.fault("expected a list of the document after IN");
        }
        self.bound.push((alias, Binding::Item));
        Ok(())
    }

    fn alias(&mut self) -> Option<Box<str>> {
        let named = self.take_word("AS");
        match self.peek() {
            Some(Token::Word(word))
                if named || !CLAUSES.iter().any(|clause| word.eq_ignore_ascii_case(clause)) =>
            {
                let alias = word.clone();
                self.advance();
                Some(alias)
            }
            _ => None,
        }
    }

    /// The properties after a name; `None` if one is a place in a list or is computed.
    pub(super) fn steps(&mut self) -> Result<Option<Vec<Box<str>>>, QueryFault> {
        let mut names = Some(Vec::new());
        loop {
            if self.take_sign(".") {
                let Some(Token::Word(name)) = self.peek() else {
                    return self.fault("expected the name of a property after the dot");
                };
                if let Some(names) = &mut names {
                    names.push(name.clone());
                }
                self.advance();
            } else if self.next_is_sign("[") {
                if let (Some(Token::Text(name)), Some(Token::Sign("]"))) =
                    (self.ahead(1), self.ahead(2))
                {
                    let name = name.clone();
                    if let Some(names) = &mut names {
                        names.push(name);
                    }
                    self.at += 3;
                } else {
                    names = None;
                    self.step_over_brackets()?;
                }
            } else {
                return Ok(names);
            }
        }
    }
}

pub(super) fn is_word(token: Option<&Token>, word: &str) -> bool {
    matches!(token, Some(Token::Word(next)) if next.eq_ignore_ascii_case(word))
}

/// Keeps the closing signs still awaited, the innermost last.
fn track(sign: &'static str, open: &mut Vec<&'static str>) -> Result<(), &'static str> {
    match sign {
        "(" => open.push(")"),
        "[" => open.push("]"),
        "{" => open.push("}"),
        ")" | "]" | "}" if open.pop() != Some(sign) => {
            return Err("this bracket closes none that is open");
        }
        _ => {}
    }
    Ok(())
}
