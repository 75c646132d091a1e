//! Splits a query's text into words, values and signs, each with the place it begins at.

use crate::model::key::Number;

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
    let mut lexer = Lexer { sql, at: 0 };
    let mut found = Vec::new();
    loop {
        lexer.skip_blanks()?;
        let at = lexer.at;
        let Some(first) = lexer.peek() else {
            return Ok(found);
        };
        let token = lexer.token(first)?;
        found.push(PlacedToken { token, at });
    }
}

struct Lexer<'a> {
    sql: &'a str,
    at: usize,
}

impl<'a> Lexer<'a> {
    fn rest(&self) -> &'a str {
        self.sql.get(self.at..).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn fault<T>(&self, what: &'static str) -> Result<T, QueryFault> {
        Err(QueryFault::new(self.at, what))
    }

    /// Takes the longest start whose characters all pass.
    fn take(&mut self, passes: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|c| !passes(c)).unwrap_or(rest.len());
        self.at += end;
        rest.get(..end).unwrap_or_default()
    }

    fn skip_blanks(&mut self) -> Result<(), QueryFault> {
        loop {
            self.take(|c| c.is_whitespace() || c == '\u{feff}');
            if self.rest().starts_with("--") {
                self.take(|c| c != '\n');
            } else if self.rest().starts_with("/*") {
                match self.rest().find("*/") {
                    Some(end) => self.at += end + 2,
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
                self.at += 1;
                match self.parameter() {
                    "" => self.fault("a parameter needs a name after @"),
                    name => Ok(Token::Parameter(name.into())),
                }
            }
            '0'..='9' => self.number(),
            '.' if self.digit_follows() => self.number(),
            _ if is_name(first) => Ok(Token::Word(self.take(is_name).into())),
            _ => self.sign(),
        }
    }

    /// Applications also write `@tenant-id`.
    fn parameter(&mut self) -> &'a str {
        let rest = self.rest();
        loop {
            self.take(is_name);
            let mut next = self.rest().chars();
            if next.next() != Some('-') || !next.next().is_some_and(char::is_alphabetic) {
                break;
            }
            self.at += 1;
        }
        let end = rest.len() - self.rest().len();
        rest.get(..end).unwrap_or_default()
    }

    fn digit_follows(&self) -> bool {
        self.rest().as_bytes().get(1).is_some_and(u8::is_ascii_digit)
    }

    fn sign(&mut self) -> Result<Token, QueryFault> {
        let rest = self.rest();
        match SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            Some(sign) => {
                self.at += sign.len();
                Ok(Token::Sign(sign))
            }
            None => self.fault("no query has this character here"),
        }
    }

    fn number(&mut self) -> Result<Token, QueryFault> {
        let start = self.at;
        self.take(|c| c.is_ascii_digit());
        if self.rest().starts_with('.') {
            self.at += 1;
            self.take(|c| c.is_ascii_digit());
        }
        if self.rest().starts_with(['e', 'E']) {
            let before = self.at;
            self.at += 1;
            if self.rest().starts_with(['+', '-']) {
                self.at += 1;
            }
            if self.take(|c| c.is_ascii_digit()).is_empty() {
                self.at = before;
            }
        }
        let text = self.sql.get(start..self.at).unwrap_or_default();
        let number = Number::from_text(text)
            .or_else(|| text.parse().ok().and_then(Number::new))
            .filter(|_| !self.peek().is_some_and(is_name));
        match number {
            Some(number) => Ok(Token::Number(number)),
            None => Err(QueryFault::new(start, "this is not a number")),
        }
    }

    fn text(&mut self, quote: char) -> Result<Token, QueryFault> {
        let start = self.at;
        self.at += 1;
        let mut text = String::new();
        loop {
            text.push_str(self.take(|c| c != quote && c != '\\'));
            match self.peek() {
                Some('\\') => {
                    self.at += 1;
                    text.push(self.escape()?);
                }
                Some(_) => {
                    self.at += 1;
                    return Ok(Token::Text(text.into()));
                }
                None => return Err(QueryFault::new(start, "this text has no closing quote")),
            }
        }
    }

    fn escape(&mut self) -> Result<char, QueryFault> {
        let Some(kind) = self.peek() else {
            return self.fault("a text cannot end with a backslash");
        };
        let plain = match kind {
            '"' | '\'' | '\\' | '/' => kind,
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'u' => {
                self.at += 1;
                return self.unicode();
            }
            _ => return self.fault("no such escape in a text"),
        };
        self.at += kind.len_utf8();
        Ok(plain)
    }

    /// The four digits after `\u`, and a second escape where the first is half of a pair.
    fn unicode(&mut self) -> Result<char, QueryFault> {
        const BAD: &str = "\\u takes four hexadecimal digits that name a character";
        let start = self.at;
        let first = self.unit();
        let code = match first {
            Some(high @ 0xD800..=0xDBFF) if self.rest().starts_with("\\u") => {
                self.at += 2;
                self.unit()
                    .filter(|low| (0xDC00..=0xDFFF).contains(low))
                    .map(|low| 0x1_0000 + ((high - 0xD800) << 10) + (low - 0xDC00))
            }
            other => other,
        };
        code.and_then(char::from_u32).ok_or(QueryFault::new(start, BAD))
    }

    fn unit(&mut self) -> Option<u32> {
        let digits = self.rest().get(..4)?;
        if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return None;
        }
        self.at += 4;
        u32::from_str_radix(digits, 16).ok()
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
