//! Texts with `{name}` in them, read once and filled in for each document.

use serde::Deserialize;

#[derive(Clone, Debug, Deserialize)]
#[serde(from = "String")]
pub(super) struct Pattern {
    text: String,
    /// None before it is bound.
    pieces: Vec<Piece>,
}

impl From<String> for Pattern {
    fn from(text: String) -> Self {
        let pieces = Vec::new();
        Self { text, pieces }
    }
}

#[derive(Clone, Debug)]
enum Piece {
    Text(String),
    Value(usize),
}

impl Pattern {
    /// `names` are those of the values that [`Pattern::push`] will be given; of two alike the first counts.
    pub fn bind(&mut self, names: &[String]) -> Result<(), String> {
        let text = self.text.as_str();
        let mut pieces = Vec::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('{') {
            let (name, after) =
                after.split_once('}').ok_or_else(|| format!("{text} does not close its brace"))?;
            let place = names
                .iter()
                .position(|known| known == name)
                .ok_or_else(|| format!("{text} names {name}, which nothing gives"))?;
            if !before.is_empty() {
                pieces.push(Piece::Text(before.to_owned()));
            }
            pieces.push(Piece::Value(place));
            rest = after;
        }
        if !rest.is_empty() {
            pieces.push(Piece::Text(rest.to_owned()));
        }
        self.pieces = pieces;
        Ok(())
    }

    pub fn push(&self, values: &[String], out: &mut String) {
        for piece in &self.pieces {
            match piece {
                Piece::Text(text) => out.push_str(text),
                Piece::Value(place) => out.push_str(values.get(*place).map_or("", String::as_str)),
            }
        }
    }

    pub fn fill(&self, values: &[String]) -> String {
        let mut out = String::new();
        self.push(values, &mut out);
        out
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;

    #[test]
    fn names_are_filled_in_and_unknown_ones_refused() {
        let names = ["a".to_owned(), "b".to_owned()];
        let filled = |text: &str| {
            let mut pattern = Pattern::from(text.to_owned());
            let bound = pattern.bind(&names);
            bound.map(|()| pattern.fill(&["1".to_owned(), "{a}".to_owned()]))
        };
        assert_eq!(filled("x{a}-{b}{a}.").unwrap(), "x1-{a}1.");
        assert_eq!(filled("").unwrap(), "");
        assert!(filled("{c}").unwrap_err().contains("names c"));
        assert!(filled("{a").is_err());
    }
}
