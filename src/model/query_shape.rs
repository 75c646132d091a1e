//! Queries that differ in their values alone are one shape: the text with parameters in place of values.

use super::visible::json_escape_into;

/// A longer text is kept as no shape.
pub const MAX_SHAPE_BYTES: usize = 4_096;
/// Values of one text that are kept apart; more stay where they are.
const MAX_VALUES: usize = 100;
/// After these words a number says how many rows there are.
const COUNTS: [&str; 2] = ["TOP", "LIMIT"];

/// A query text without its values.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct QueryShape {
    pub text: String,
    /// Names with the `@`, values as JSON text.
    pub parameters: Vec<(String, String)>,
}

impl QueryShape {
    pub fn of(sql: &str) -> Self {
        let mut reader = ShapeReader {
            rest: sql,
            shape: Self::default(),
            prefix: if sql.contains("@value") { "@v" } else { "@value" },
        };
        while reader.step() {}
        reader.shape.text.truncate(reader.shape.text.trim_end().len());
        reader.shape
    }
}

struct ShapeReader<'s> {
    rest: &'s str,
    shape: QueryShape,
    prefix: &'static str,
}

impl<'s> ShapeReader<'s> {
    /// Moves one token on; false at the end.
    fn step(&mut self) -> bool {
        let Some(first) = self.rest.chars().next() else {
            return false;
        };
        let second = self.rest.chars().nth(1);
        match (first, second) {
            (c, _) if c.is_whitespace() => {
                self.take(char::is_whitespace);
                self.blank();
            }
            ('-', Some('-')) => {
                self.take(|c| c != '\n');
            }
            ('/', Some('*')) => self.comment(),
            ('"' | '\'', _) => self.quoted(first),
            (c, _) if c.is_ascii_digit() => self.number(),
            (c, _) if is_word(c) || c == '@' => {
                let is_name = c == '@';
                let word = self.take(|c| is_word(c) || c == '@' || (c == '-' && is_name));
                self.shape.text.push_str(word);
            }
            (c, _) => {
                self.shape.text.push(c);
                self.rest = self.rest.get(c.len_utf8()..).unwrap_or_default();
            }
        }
        true
    }

    /// What fits, from the beginning of the rest on.
    fn take(&mut self, fits: impl Fn(char) -> bool) -> &'s str {
        let end = self.rest.find(|c| !fits(c)).unwrap_or(self.rest.len());
        let (taken, rest) = self.rest.split_at_checked(end).unwrap_or_default();
        self.rest = rest;
        taken
    }

    fn blank(&mut self) {
        let text = &mut self.shape.text;
        if !text.is_empty() && !text.ends_with(' ') {
            text.push(' ');
        }
    }

    fn comment(&mut self) {
        let end = self.rest.find("*/").map_or(self.rest.len(), |at| at + 2);
        self.rest = self.rest.get(end..).unwrap_or_default();
        self.blank();
    }

    /// A value, or the name of a property in brackets or before a colon.
    fn quoted(&mut self, quote: char) {
        let mut is_escaped = false;
        let inside = self.rest.get(1..).unwrap_or_default();
        let end = inside.char_indices().find(|(_, c)| {
            let ends = *c == quote && !is_escaped;
            is_escaped = *c == '\\' && !is_escaped;
            ends
        });
        let end = end.map_or(self.rest.len(), |(at, _)| at + 2);
        let (text, rest) = self.rest.split_at_checked(end).unwrap_or_default();
        self.rest = rest;
        let is_name = self.shape.text.trim_end().ends_with('[')
            || rest.trim_start().starts_with(':')
            || self.shape.parameters.len() >= MAX_VALUES;
        if is_name {
            self.shape.text.push_str(text);
            return;
        }
        let inner = text.trim_matches(quote);
        let mut value = String::from("\"");
        json_escape_into(&inner.replace(&format!("\\{quote}"), &quote.to_string()), &mut value);
        value.push('"');
        self.value(value);
    }

    fn number(&mut self) {
        let number = self.take(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '_'));
        let before = self.shape.text.trim_end();
        let is_count = COUNTS.iter().any(|word| {
            let at = before.len().saturating_sub(word.len());
            before.get(at..).is_some_and(|w| w.eq_ignore_ascii_case(word))
        });
        let is_value = number.parse::<f64>().is_ok()
            && !before.ends_with('[')
            && !is_count
            && self.shape.parameters.len() < MAX_VALUES;
        if is_value {
            self.value(number.to_owned());
        } else {
            self.shape.text.push_str(number);
        }
    }

    fn value(&mut self, value: String) {
        let name = format!("{}{}", self.prefix, self.shape.parameters.len() + 1);
        self.shape.text.push_str(&name);
        self.shape.parameters.push((name, value));
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn values_become_parameters_and_names_stay() {
        for (sql, text, values) in [
            (
                "SELECT *  FROM c\n WHERE c.id = 'a\\'b' AND c.n >= 4.5",
                "SELECT * FROM c WHERE c.id = @value1 AND c.n >= @value2",
                vec!["\"a'b\"", "4.5"],
            ),
            (
                "SELECT TOP 10 c[\"a b\"], c.l[0] FROM c -- \"x\"\nWHERE c.t1 IN (\"p\", 2)",
                "SELECT TOP 10 c[\"a b\"], c.l[0] FROM c WHERE c.t1 IN (@value1, @value2)",
                vec!["\"p\"", "2"],
            ),
            (
                "SELECT {\"k\": c.x} FROM c /* 5 */ WHERE c.x = @tenant-id AND c.y2 = true",
                "SELECT {\"k\": c.x} FROM c WHERE c.x = @tenant-id AND c.y2 = true",
                vec![],
            ),
            (
                "SELECT * FROM c WHERE c.a = @value1 OFFSET 20 LIMIT 10",
                "SELECT * FROM c WHERE c.a = @value1 OFFSET @v1 LIMIT 10",
                vec!["20"],
            ),
        ] {
            let shape = QueryShape::of(sql);
            let found: Vec<&str> = shape.parameters.iter().map(|(_, v)| v.as_str()).collect();
            assert_eq!((shape.text.as_str(), found), (text, values), "{sql}");
        }
    }

    proptest! {
        #[test]
        fn any_text_has_a_shape_that_is_its_own(sql in "(?s)([a-c0-9@'\"\\[\\]\\\\ /*-]|.){0,40}") {
            let shape = QueryShape::of(&sql);
            let again = QueryShape::of(&shape.text);
            prop_assert_eq!(again, QueryShape { text: shape.text.clone(), parameters: Vec::new() });
        }

        #[test]
        fn other_values_are_the_same_shape(a in "[a-z]{1,5}", b in "[a-z]{1,5}", n in 0_u32..100) {
            let of = |value: &str, n: u32| QueryShape::of(&format!("SELECT * FROM c WHERE c.x = '{value}' AND c.n = {n}"));
            prop_assert_eq!(of(&a, n).text, of(&b, n + 1).text);
        }
    }
}
