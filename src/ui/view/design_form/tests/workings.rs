//! Every working that a design shows gives its figure: it is computed again from what is printed.

use crate::analysis::ceiling::Ceiling;
use crate::analysis::design::{DesignFigure, figures};
use crate::source::design::{TEMPLATES, parse};

const SIZES: [(&str, f64); 8] = [
    ("B", 1.0),
    ("KiB", 1024.0),
    ("MiB", 1_048_576.0),
    ("GiB", 1_073_741_824.0),
    ("TiB", 1_099_511_627_776.0),
    ("PiB", 1_125_899_906_842_624.0),
    ("GB", 1e9),
    ("%", 0.01),
];
const DAYS: [(&str, f64); 4] =
    [("min", 1.0 / 1440.0), ("hour", 1.0 / 24.0), ("day", 1.0), ("year", 365.0)];
/// Where a remark begins that is not computed.
const ENDS: [&str; 6] = [", ", "; ", " = ", " of ", " on ", " that "];

/// Numbers and signs of a formula, read from the front.
struct Formula(Vec<String>);

impl Formula {
    fn new(text: &str) -> Self {
        let spaced = text.replace('(', "( ").replace(')', " )").replace('√', "√ ");
        let is_meant = |word: &&str| {
            let is_unit = SIZES.iter().any(|(unit, _)| unit == word);
            is_unit || "()√×÷+-".contains(*word) || word.starts_with(|c: char| c.is_ascii_digit())
        };
        Self(spaced.split_whitespace().filter(is_meant).rev().map(str::to_owned).collect())
    }

    fn takes(&mut self, signs: [&str; 2]) -> Option<usize> {
        let at = signs.iter().position(|sign| self.0.last().is_some_and(|next| next == sign))?;
        self.0.pop();
        Some(at)
    }

    fn sum(&mut self) -> f64 {
        let mut sum = self.product();
        while let Some(sign) = self.takes(["+", "-"]) {
            let next = self.product();
            sum += if sign == 0 { next } else { -next };
        }
        sum
    }

    fn product(&mut self) -> f64 {
        let mut product = self.factor();
        while let Some(sign) = self.takes(["×", "÷"]) {
            let next = self.factor();
            product *= if sign == 0 { next } else { 1.0 / next };
        }
        product
    }

    fn factor(&mut self) -> f64 {
        let word = self.0.pop().unwrap();
        let value = match word.as_str() {
            "(" => {
                let sum = self.sum();
                self.0.pop();
                return sum;
            }
            "√" => {
                let root = number(&self.0.pop().unwrap()).sqrt();
                self.takes(["KiB", "B"]);
                return root;
            }
            _ => number(&word),
        };
        let unit = SIZES.iter().find(|(unit, _)| self.0.last().is_some_and(|next| next == unit));
        unit.map_or(value, |(_, size)| {
            self.0.pop();
            value * size
        })
    }
}

/// `1,024`, and `200` of `200/s`.
fn number(word: &str) -> f64 {
    let digits = word.split('/').next().unwrap().replace(',', "");
    digits.parse().unwrap_or_else(|_| panic!("{word} is not a number"))
}

fn value(formula: &str) -> f64 {
    let ends = ENDS.iter().filter_map(|end| formula.find(end)).min();
    Formula::new(&formula[..ends.unwrap_or(formula.len())]).sum()
}

/// What the working gives: None where it names no formula.
fn worked(figure: &DesignFigure, step: f64) -> Option<f64> {
    let rounded_up = |value: f64| (value / step).ceil() * step;
    let how = figure.how.as_str();
    if let Some(both) = how.strip_prefix("the larger of ") {
        let (one, other) = both.split_once(" and ").unwrap();
        return Some(value(one).max(value(other)).ceil());
    }
    match figure.name.as_str() {
        _ if how == "as the design gives it" || how.starts_with("the sum of") => None,
        "RU/s to provide" => {
            Some(rounded_up(value(how)).max(if step > 100.0 { step } else { 400.0 }))
        }
        // RU/s for each GiB stored.
        "lowest RU/s after a year" => Some(rounded_up(value(how) / unit("GiB"))),
        _ => Some(value(how)),
    }
}

/// Whether a figure is printed so; sizes are followed by their units, times by theirs.
fn is_printed(text: &str, worked: f64) -> bool {
    if let Some(least) = text.strip_prefix("> ").or(text.strip_prefix("< ")) {
        let words: Vec<&str> = least.split(' ').collect();
        let limit = number(words[0]) * unit(words[1]);
        return (worked > limit) == text.starts_with('>');
    }
    let printed = text.trim_start_matches("never; at most ").trim_start_matches("≥ ");
    let words: Vec<&str> = printed.split([' ', '/']).collect();
    let decimals = words[0].split_once('.').map_or(0, |(_, part)| part.len());
    let half = 0.5 * 10_f64.powi(-i32::try_from(decimals).unwrap());
    let unit = words.get(1).map_or(1.0, |word| unit(word));
    let printed = number(words[0]) * unit;
    (worked - printed).abs() <= half * unit * 1.000_1 + printed * 1e-5
}

fn unit(word: &str) -> f64 {
    let word = word.trim_end_matches([',', ';']);
    let size = SIZES.iter().find(|(unit, _)| *unit == word);
    let days = || DAYS.iter().find(|(unit, _)| word.trim_end_matches('s') == *unit);
    size.or_else(days).map_or(1.0, |(_, size)| *size)
}

#[test]
fn printed_formulas_give_the_printed_figures() {
    let more = [
        ("count = 500_000\n", "count = 500_000\nttl = \"30d\"\n"),
        ("writes = \"60/s\"", "writes = \"360/h\"\nactive = \"7h/day\""),
        ("reads = \"200/s\"", "reads = \"200/s\"\nttl = \"40d\""),
    ];
    let saas = TEMPLATES[2].1;
    let changed = more.iter().map(|(from, to)| saas.replacen(from, to, 1));
    let templates = TEMPLATES.iter().map(|(_, text)| (*text).to_owned());
    let sold = [("ru = 3_500", "autoscale = true")].map(|(from, to)| saas.replacen(from, to, 1));
    for text in templates.chain(changed).chain(sold) {
        let design = parse(&text).unwrap();
        let step = if design.autoscale { 1000.0 } else { 100.0 };
        for group in figures(&design, Ceiling::default()) {
            let mut parts = 0.0;
            for figure in &group.figures {
                let Some(worked) = worked(figure, step) else {
                    let is_sum = figure.how.starts_with("the sum of");
                    assert!(!is_sum || (figure.value - parts).abs() < 1e-6, "{figure:?}");
                    parts = f64::NAN;
                    continue;
                };
                parts += figure.value;
                assert!(is_printed(&figure.text, worked), "{worked}: {figure:?}");
            }
        }
    }
}
