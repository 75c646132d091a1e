//! Reads a condition with the precedence of the query language, loosest first: `?:`, OR, AND, comparisons, arithmetic, NOT.

use crate::model::key::{Number, Part};
use crate::model::path::Path;

use super::super::grammar::Op;
use super::QueryFault;
use super::expression::Expression;
use super::lexer::Token;
use super::parser::{Binding, Parser, is_word};

/// Brackets and signs inside one another; what people write stays below ten.
const MAX_DEPTH: usize = 100;
const ARITHMETIC: &[&str] = &["+", "-", "*", "/", "%", "|", "||", "&", "^", "<<", ">>", ">>>"];
/// Keywords whose brackets hold a query of its own.
const SUBQUERIES: &[&str] = &["ALL", "ARRAY", "EXISTS", "FIRST", "LAST"];

type ConditionRead = Result<Expression, QueryFault>;
type ComparisonReader = fn(&mut Parser, Expression) -> ConditionRead;

/// Words that compare, and what reads what stands behind them.
const COMPARING: [(&str, ComparisonReader); 3] =
    [("IN", Parser::one_of), ("BETWEEN", Parser::between), ("LIKE", Parser::like)];

impl Parser {
    pub(super) fn condition(&mut self) -> ConditionRead {
        if self.depth >= MAX_DEPTH {
            return self.fault("brackets inside one another more than 100 deep");
        }
        self.depth += 1;
        let first = self.any_of()?;
        let read = self.choice(first);
        self.depth -= 1;
        read
    }

    /// `a ?? b` and `a ? b : c`.
    fn choice(&mut self, first: Expression) -> ConditionRead {
        let mut constant = first.is_constant();
        let mut chosen = false;
        loop {
            if self.take_sign("?") {
                constant &= self.condition()?.is_constant();
                self.demand_sign(":", "expected the : of this ?")?;
            } else if !self.take_sign("??") {
                break;
            }
            constant &= self.any_of()?.is_constant();
            chosen = true;
        }
        Ok(if chosen { computed(constant) } else { first })
    }

    fn any_of(&mut self) -> ConditionRead {
        self.joined("OR", Self::all_of, Expression::Or)
    }

    fn all_of(&mut self) -> ConditionRead {
        self.joined("AND", Self::comparison, Expression::And)
    }

    fn joined(
        &mut self,
        word: &str,
        part: fn(&mut Self) -> ConditionRead,
        join: fn(Vec<Expression>) -> Expression,
    ) -> ConditionRead {
        let first = part(self)?;
        if !self.next_is_word(word) {
            return Ok(first);
        }
        let mut parts = vec![first];
        while self.take_word(word) {
            parts.push(part(self)?);
        }
        Ok(join(parts))
    }

    fn comparison(&mut self) -> ConditionRead {
        let mut left = self.arithmetic()?;
        loop {
            if let Some(Token::Sign(sign)) = self.peek()
                && let Some(comparison) = Op::of(sign)
            {
                self.advance();
                let right = self.arithmetic()?;
                left = compare(left, comparison, right);
                continue;
            }
            let negated = self.next_is_word("NOT");
            let keyword = self.ahead(usize::from(negated));
            let Some((_, read)) = COMPARING.iter().find(|(word, _)| is_word(keyword, word)) else {
                return Ok(left);
            };
            self.take_word("NOT");
            self.advance();
            left = read(self, left)?;
            if negated {
                left = Expression::Not(Box::new(left));
            }
        }
    }

    fn one_of(&mut self, left: Expression) -> ConditionRead {
        if !self.next_is_sign("(") {
            return self.fault("expected ( after IN");
        }
        if is_word(self.ahead(1), "SELECT") {
            self.step_over_brackets()?;
            return Ok(Expression::Other);
        }
        self.advance();
        let items = self.items(")")?;
        Ok(match left {
            Expression::Property(_) if items.iter().all(Expression::is_constant) => {
                Expression::In(Box::new(left), items)
            }
            _ => Expression::Other,
        })
    }

    /// Conditions separated by commas, up to and with the sign that closes them.
    fn items(&mut self, close: &str) -> Result<Vec<Expression>, QueryFault> {
        let mut items = Vec::new();
        if self.take_sign(close) {
            return Ok(items);
        }
        loop {
            items.push(self.condition()?);
            if self.take_sign(close) {
                return Ok(items);
            }
            self.demand_sign(",", "expected a comma or the closing bracket")?;
        }
    }

    fn between(&mut self, left: Expression) -> ConditionRead {
        let low = self.arithmetic()?;
        self.demand_word("AND", "expected the AND of BETWEEN")?;
        let high = self.arithmetic()?;
        Ok(match left {
            Expression::Property(_) if low.is_constant() && high.is_constant() => {
                Expression::Between(Box::new(left), Box::new(low), Box::new(high))
            }
            _ => Expression::Other,
        })
    }

    fn like(&mut self, left: Expression) -> ConditionRead {
        let pattern = self.arithmetic()?;
        let mut escape = None;
        if self.take_word("ESCAPE") {
            let Some(Token::Text(text)) = self.peek() else {
                return self.fault("expected one character after ESCAPE");
            };
            escape = text.chars().next();
            self.advance();
        }
        Ok(match (left, pattern) {
            (Expression::Property(path), Expression::Value(Part::Text(pattern))) => {
                starts_with(path, &before_wildcard(&pattern, escape))
            }
            _ => Expression::Other,
        })
    }

    /// All signs of one loose group: what is computed with never routes, so their order does not matter.
    fn arithmetic(&mut self) -> ConditionRead {
        let first = self.unary()?;
        let mut constant = first.is_constant();
        let mut alone = true;
        while let Some(Token::Sign(sign)) = self.peek()
            && ARITHMETIC.contains(sign)
        {
            self.advance();
            constant &= self.unary()?.is_constant();
            alone = false;
        }
        Ok(if alone { first } else { computed(constant) })
    }

    fn unary(&mut self) -> ConditionRead {
        let sign = match self.peek() {
            Some(Token::Sign(sign @ ("-" | "+" | "~"))) => *sign,
            Some(Token::Word(word)) if word.eq_ignore_ascii_case("NOT") => "NOT",
            _ => return self.primary(),
        };
        if self.depth >= MAX_DEPTH {
            return self.fault("signs before one another more than 100 deep");
        }
        self.advance();
        self.depth += 1;
        let operand = self.unary();
        self.depth -= 1;
        let operand = operand?;
        Ok(match (sign, operand) {
            ("NOT", operand) => Expression::Not(Box::new(operand)),
            ("+", Expression::Value(value @ Part::Number(_))) => Expression::Value(value),
            ("-", Expression::Value(Part::Number(number))) => negative(&number),
            (_, operand) => computed(operand.is_constant()),
        })
    }

    fn primary(&mut self) -> ConditionRead {
        let Some(token) = self.peek().cloned() else {
            return self.fault("the condition ends too early");
        };
        let read = match token {
            Token::Text(text) => Expression::Value(Part::Text(text)),
            Token::Number(number) => Expression::Value(Part::Number(number)),
            Token::Parameter(name) => Expression::Parameter(name),
            Token::Sign("(") if is_word(self.ahead(1), "SELECT") => {
                self.step_over_brackets()?;
                return self.inside(Expression::Other);
            }
            Token::Sign("(") => {
                self.advance();
                let inner = self.condition()?;
                self.demand_sign(")", "expected the closing bracket )")?;
                return self.inside(inner);
            }
            Token::Sign("[") => {
                self.advance();
                let items = self.items("]")?;
                return self.inside(Expression::List(items));
            }
            Token::Sign("{") => {
                self.step_over_brackets()?;
                return self.inside(Expression::Other);
            }
            Token::Word(word) => return self.word(&word),
            Token::Sign(_) => return self.fault("expected a property or a value"),
        };
        self.advance();
        self.inside(read)
    }

    /// A property of what was computed, if dots follow.
    fn inside(&mut self, read: Expression) -> ConditionRead {
        if !self.next_is_sign(".") && !self.next_is_sign("[") {
            return Ok(read);
        }
        self.steps()?;
        Ok(computed(read.is_constant()))
    }

    fn word(&mut self, word: &str) -> ConditionRead {
        let calls = matches!(self.ahead(1), Some(Token::Sign("(")));
        if calls && SUBQUERIES.iter().any(|name| word.eq_ignore_ascii_case(name)) {
            self.advance();
            self.step_over_brackets()?;
            return self.inside(Expression::Other);
        }
        if calls {
            self.advance();
            self.advance();
            let arguments = self.items(")")?;
            return self.inside(call(word, arguments));
        }
        if let Some(value) = literal(word) {
            self.advance();
            return Ok(value);
        }
        let user_defined = word.eq_ignore_ascii_case("udf");
        let meaning = match self.meaning(word) {
            Some(meaning) => meaning.clone(),
            None if user_defined => Binding::Item,
            None => return self.fault("neither the container nor joined to it has this name"),
        };
        self.advance();
        let steps = self.steps()?;
        if self.take_sign("(") {
            self.items(")")?;
            return self.inside(Expression::Other);
        }
        Ok(match meaning.inside(steps) {
            Binding::Property(path) if !path.0.is_empty() => Expression::Property(path),
            _ => Expression::Other,
        })
    }
}

fn computed(constant: bool) -> Expression {
    if constant { Expression::Computed } else { Expression::Other }
}

fn literal(word: &str) -> Option<Expression> {
    let value = match word.to_ascii_lowercase().as_str() {
        "true" => Part::Bool(true),
        "false" => Part::Bool(false),
        "null" => Part::Null,
        "undefined" => Part::Undefined,
        _ => return None,
    };
    Some(Expression::Value(value))
}

fn negative(number: &Number) -> Expression {
    let text = match number.text().strip_prefix('-') {
        Some(positive) => positive.to_owned(),
        None => format!("-{}", number.text()),
    };
    Number::from_text(&text)
        .map_or(Expression::Computed, |number| Expression::Value(Part::Number(number)))
}

/// Only a property of the document beside a constant tells where documents are.
fn compare(left: Expression, comparison: Op, right: Expression) -> Expression {
    match (&left, &right) {
        (Expression::Property(_), right_side) if right_side.is_constant() => {
            Expression::Compare(Box::new(left), comparison, Box::new(right))
        }
        (left_side, Expression::Property(_)) if left_side.is_constant() => {
            Expression::Compare(Box::new(right), comparison.mirrored(), Box::new(left))
        }
        _ => computed(left.is_constant() && right.is_constant()),
    }
}

fn call(name: &str, arguments: Vec<Expression>) -> Expression {
    let constant = arguments.iter().all(Expression::is_constant);
    let mut rest = arguments.into_iter();
    let known = match name.to_ascii_uppercase().as_str() {
        "STARTSWITH" => match (rest.next(), rest.next()) {
            (Some(Expression::Property(path)), Some(Expression::Value(Part::Text(text)))) => {
                Some(starts_with(path, &text))
            }
            (Some(property @ Expression::Property(_)), Some(text)) if text.is_constant() => {
                Some(compare(property, Op::AtLeast, text))
            }
            _ => None,
        },
        "ARRAY_CONTAINS" => match (rest.next(), rest.next()) {
            (Some(Expression::List(items)), Some(property @ Expression::Property(_)))
                if items.iter().all(Expression::is_constant) =>
            {
                Some(Expression::In(Box::new(property), items))
            }
            (Some(Expression::Parameter(list)), Some(Expression::Property(path))) => {
                Some(Expression::InList(path, list))
            }
            _ => None,
        },
        _ => None,
    };
    // A last argument asks for another comparison, such as one that ignores case.
    let plain = matches!(rest.next(), None | Some(Expression::Value(Part::Bool(false))));
    known.filter(|_| plain).unwrap_or_else(|| computed(constant))
}

fn starts_with(path: Path, text: &str) -> Expression {
    if text.is_empty() { Expression::Other } else { Expression::StartsWith(path, text.into()) }
}

/// The characters of a LIKE pattern before the first that stands for others.
fn before_wildcard(pattern: &str, escape: Option<char>) -> String {
    let mut found = String::new();
    let mut characters = pattern.chars();
    while let Some(character) = characters.next() {
        if Some(character) == escape {
            found.extend(characters.next());
        } else if matches!(character, '%' | '_' | '[') {
            break;
        } else {
            found.push(character);
        }
    }
    found
}
