//! Splits a query's text into words, values and signs, each with the place it begins at.

use crate::model::key::{Number, leading_escape};

use super::super::grammar::Scan;
use super::QueryFault;

/// The service itself takes no longer query text.
const MAX_BYTES: usize = 512 * 1024;
/// Longer signs first, so that `<=` is not read as `<` and `=`.
const SIGNS: &[&str] = &[
    ">>>", "<<", ">>", "<=", ">=", "!=", "<>", "||", "??", "(", ")", "[", "]", "{", "}", ",", ".",
    ":", ";", "*", "=", "<", ">", "+", "-", "/", "%", "&", "|", "^", "~", "?",
];

#[derive(Clone, PartialEq, Debug)]
pub(super) enum Token {
    /// A keyword, a function, an alias or a property: only the place it stands in tells which.
    Word(Box<str>),
    Text(Box<str>),
    Number(Number),
    /// Without the `@`.
    Parameter(Box<str>),
    Sign(&'static str),
}

/// A token and the bytes before it.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct PlacedToken {
    pub token: Token,
    pub at: usize,
}

pub(super) fn tokens(sql: &str) -> Result<Vec<PlacedToken>, QueryFault> {
    if sql.len() > MAX_BYTES {
        return Err(QueryFault::new(MAX_BYTES, "a query text is at most 512 KiB"));
    }
    let mut lexer = Lexer { scan: Scan::new(sql) };
    let mut found = Vec::new();
    loop {
        lexer.skip_blanks()?;
        let at = lexer.scan.at;
        let Some(first) = lexer.scan.next() else {
            return Ok(found);
        };
        let token = lexer.token(first)?;
        found.push(PlacedToken { token, at });
    }
}

struct Lexer<'a> {
    scan: Scan<'a>,
}

impl<'a> Lexer<'a> {
    fn fault<T>(&self, what: &'static str) -> Result<T, QueryFault> {
        Err(QueryFault::new(self.scan.at, what))
    }

    fn skip_blanks(&mut self) -> Result<(), QueryFault> {
        loop {
            self.scan.take_while(|c| c.is_whitespace() || c == '\u{feff}');
            if self.scan.rest().starts_with("--") {
                self.scan.take_while(|c| c != '\n');
            } else if self.scan.rest().starts_with("/*") {
                match self.scan.rest().find("*/") {
                    Some(end) => self.scan.at += end + 2,
                    None => return self.fault("this comment has no end"),
                }
            } else {
                return Ok(());
            }
        }
    }

    fn token(&mut self, first: char) -> Result<Token, QueryFault> {
        match first {
            '"' | '\'' => self.text(first),
            '@' => {
                self.scan.at += 1;
                match self.parameter() {
                    "" => self.fault("a parameter needs a name after @"),
                    name => Ok(Token::Parameter(name.into())),
                }
            }
            '0'..='9' => self.number(),
            '.' if self.digit_follows() => self.number(),
            _ if is_name(first) => Ok(Token::Word(self.scan.take_while(is_name).into())),
            _ => self.sign(),
        }
    }

    /// Applications also write `@tenant-id`.
    fn parameter(&mut self) -> &'a str {
        let rest = self.scan.rest();
        loop {
            self.scan.take_while(is_name);
            let mut next = self.scan.rest().chars();
            if next.next() != Some('-') || !next.next().is_some_and(char::is_alphabetic) {
                break;
            }
            self.scan.at += 1;
        }
        let end = rest.len() - self.scan.rest().len();
        rest.get(..end).unwrap_or_default()
    }

    fn digit_follows(&self) -> bool {
        self.scan.rest().as_bytes().get(1).is_some_and(u8::is_ascii_digit)
    }

    fn sign(&mut self) -> Result<Token, QueryFault> {
        match SIGNS.iter().find(|sign| self.scan.take(sign)) {
            Some(sign) => Ok(Token::Sign(sign)),
            None => self.fault("no query has this character here"),
        }
    }

    fn number(&mut self) -> Result<Token, QueryFault> {
        let start = self.scan.at;
        self.scan.digits();
        if self.scan.take(".") {
            self.scan.digits();
        }
        let mut ahead = self.scan;
        if ahead.take("e") || ahead.take("E") {
            _ = ahead.take("+") || ahead.take("-");
            if !ahead.digits().is_empty() {
                self.scan = ahead;
            }
        }
        let text = self.scan.text.get(start..self.scan.at).unwrap_or_default();
        let number = Number::from_text(text)
            .or_else(|| text.parse().ok().and_then(Number::new))
            .filter(|_| !self.scan.next().is_some_and(is_name));
        match number {
            Some(number) => Ok(Token::Number(number)),
            None => Err(QueryFault::new(start, "this is not a number")),
        }
    }

    fn text(&mut self, quote: char) -> Result<Token, QueryFault> {
        let start = self.scan.at;
        self.scan.at += 1;
        let mut text = String::new();
        loop {
            text.push_str(self.scan.take_while(|c| c != quote && c != '\\'));
            match self.scan.next() {
                Some('\\') => {
                    self.scan.at += 1;
                    text.push(self.escape()?);
                }
                Some(_) => {
                    self.scan.at += 1;
                    return Ok(Token::Text(text.into()));
                }
                None => return Err(QueryFault::new(start, "this text has no closing quote")),
            }
        }
    }

    /// As in JSON, and the quote that JSON does not have.
    fn escape(&mut self) -> Result<char, QueryFault> {
        if self.scan.take("'") {
            return Ok('\'');
        }
        let Some((character, length)) = leading_escape(self.scan.rest()) else {
            if self.scan.take("u") {
                return self.fault("\\u takes four hexadecimal digits that name a character");
            }
            return self.fault(match self.scan.next() {
                None => "a text cannot end with a backslash",
                Some(_) => "no such escape in a text",
            });
        };
        self.scan.at += length;
        Ok(character)
    }
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;

    fn shown(sql: &str) -> String {
        let found = tokens(sql).unwrap();
        let words: Vec<String> = found
            .iter()
            .map(|placed| match &placed.token {
                Token::Word(word) => word.to_string(),
                Token::Text(text) => format!("<{text}>"),
                Token::Number(number) => format!("#{}", number.text()),
                Token::Parameter(name) => format!("@{name}"),
                Token::Sign(sign) => (*sign).to_owned(),
            })
            .collect();
        words.join(" ")
    }

    #[test]
    fn texts_numbers_names_and_signs() {
        for (sql, expected) in [
            ("c.a>=10", "c . a >= #10"),
            ("c[\"a b\"]['x']", "c [ <a b> ] [ <x> ]"),
            (r#""say \"hi\"" 'it\'s'"#, r#"<say "hi"> <it's>"#),
            (r"'\u0041\ud83d\ude00\n'", "<A\u{1f600}\n>"),
            ("1 1.5 .5 2e3 9007199254740993", "#1 #1.5 #0.5 #2e3 #9007199254740993"),
            ("a -- no\nb /* nor\n this */ c", "a b c"),
            ("@p != <> '--' \"/*\"", "@p != <> <--> </*>"),
            ("größe = 'ß'", "größe = <ß>"),
            ("", ""),
        ] {
            assert_eq!(shown(sql), expected, "{sql}");
        }
    }

    #[test]
    fn faults_say_where() {
        for (sql, at) in [
            ("a 'b", 2),
            ("a = @ b", 5),
            ("x /* never", 2),
            ("1.2.x 3abc", 6),
            ("'\\q'", 2),
            ("'\\ud83d'", 3),
            ("'\\u12g4'", 3),
            ("'\\", 2),
            ("a # b", 2),
        ] {
            assert_eq!(tokens(sql).unwrap_err().at, at, "{sql}");
        }
    }
}
