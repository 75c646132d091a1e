//! Texts with `{name}` in them, read once and filled in for each document.

#[derive(Clone, Debug)]
pub(super) struct Pattern(Vec<Piece>);

#[derive(Clone, Debug)]
enum Piece {
    Text(String),
    Value(usize),
}

impl Pattern {
    /// `names` are those of the values that [`Pattern::push`] will be given; of two alike the first counts.
    pub fn parse(text: &str, names: &[String]) -> Result<Self, String> {
        let mut pieces = Vec::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('{') {
            let (name, after) = after
                .split_once('}')
                .ok_or_else(|| format!("{text} does not close its brace"))?;
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
        Ok(Self(pieces))
    }

    pub fn push(&self, values: &[String], out: &mut String) {
        for piece in &self.0 {
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
            let pattern = Pattern::parse(text, &names);
            pattern.map(|p| p.fill(&["1".to_owned(), "{a}".to_owned()]))
        };
        assert_eq!(filled("x{a}-{b}{a}.").unwrap(), "x1-{a}1.");
        assert_eq!(filled("").unwrap(), "");
        assert!(filled("{c}").unwrap_err().contains("names c"));
        assert!(filled("{a").is_err());
    }
}
