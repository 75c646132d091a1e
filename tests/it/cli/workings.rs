//! Workings that are shown: the printed formula with its printed inputs gives the printed figure.

use serde_json::Value;

use super::Place;

const DESIGNS: [&str; 7] = ["orders", "iot", "saas", "chat", "rag", "gaming", "event-sourcing"];
const UNITS: [(&str, f64); 4] = [
    ("KiB", 1_024.0),
    ("MiB", 1_048_576.0),
    ("GiB", 1_073_741_824.0),
    ("TiB", 1_099_511_627_776.0),
];

/// What stands in a formula; words between are none of it.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Token {
    Number(f64),
    Sign(char),
}

/// Up to what explains it, or to its result. Sizes count in bytes, of RU/s they do not.
fn tokens(formula: &str, has_sizes: bool) -> Vec<Token> {
    let end = [";", ", ", " = ", " on "].iter().filter_map(|end| formula.find(end)).min();
    let formula = &formula[..end.unwrap_or(formula.len())];
    let mut found = Vec::new();
    let mut rest = formula;
    while let Some(first) = rest.chars().next() {
        if first.is_ascii_digit() {
            let is_of_it = |c: char| c.is_ascii_digit() || c == ',' || c == '.';
            let end = rest.find(|c| !is_of_it(c)).unwrap_or(rest.len());
            let number: f64 = rest[..end].replace(',', "").parse().unwrap();
            rest = rest[end..].trim_start();
            let unit = UNITS.iter().find(|(name, _)| rest.starts_with(name));
            let factor = unit.filter(|_| has_sizes).map_or(1.0, |(_, factor)| *factor);
            let part = if rest.starts_with('%') { 0.01 } else { 1.0 };
            found.push(Token::Number(number * factor * part));
        } else {
            if "×÷+-√()".contains(first) {
                found.push(Token::Sign(first));
            }
            rest = &rest[first.len_utf8()..];
        }
    }
    found
}

/// Sums of products, read from the end: what is left is put back.
fn sum(rest: &mut Vec<Token>) -> f64 {
    let mut value = product(rest);
    while let Some(Token::Sign(sign @ ('+' | '-'))) = rest.last().copied() {
        rest.pop();
        let next = product(rest);
        value += if sign == '+' { next } else { -next };
    }
    value
}

fn product(rest: &mut Vec<Token>) -> f64 {
    let mut value = factor(rest);
    while let Some(Token::Sign(sign @ ('×' | '÷'))) = rest.last().copied() {
        rest.pop();
        let next = factor(rest);
        value *= if sign == '×' { next } else { next.recip() };
    }
    value
}

fn factor(rest: &mut Vec<Token>) -> f64 {
    match rest.pop() {
        Some(Token::Number(number)) => number,
        Some(Token::Sign('√')) => factor(rest).sqrt(),
        Some(Token::Sign('(')) => {
            let value = sum(rest);
            assert_eq!(rest.pop(), Some(Token::Sign(')')));
            value
        }
        other => panic!("no value: {other:?}"),
    }
}

fn evaluated(formula: &str, has_sizes: bool) -> f64 {
    if let Some((one, other)) =
        formula.split_once(" and ").filter(|(one, _)| one.starts_with("the larger of"))
    {
        return evaluated(one, has_sizes).max(evaluated(other, has_sizes)).ceil();
    }
    let mut tokens = tokens(formula, has_sizes);
    tokens.reverse();
    let value = sum(&mut tokens);
    assert!(tokens.is_empty(), "{formula}: {tokens:?} is left");
    value
}

/// What a formula gives; None where it is no sum.
fn computed(figure: &Value, requests: f64) -> Option<f64> {
    let [how, unit] = ["how", "unit"].map(|name| figure[name].as_str().unwrap());
    if how.starts_with("the sum of the requests") {
        return Some(requests);
    }
    let value =
        how.contains(|c: char| c.is_ascii_digit()).then(|| evaluated(how, unit != "RU/s"))?;
    let is_in_steps = how.contains("in the steps") || how.contains("in steps of 100");
    Some(if is_in_steps { (value / 100.0).ceil() * 100.0 } else { value })
}

#[test]
fn every_working_of_a_design_gives_its_figure() {
    let place = Place::new();
    let mut count = 0;
    for design in DESIGNS {
        let text = place.run(&["design", "--new", design]).ends_with(0).text();
        let path = place.write("design.toml", text);
        let args =
            ["design", path.to_str().unwrap(), "--format", "json", "--sample", "500", "--quiet"];
        let made = place.run(&args).ends_with(0).json();
        let mut requests = 0.0;
        for figure in made["figures"].as_array().unwrap() {
            let (Some(wanted), Some(found)) =
                (figure["value"].as_f64(), computed(figure, requests))
            else {
                continue;
            };
            assert!((found - wanted).abs() <= wanted * 1e-4, "{design}: {figure}: {found}");
            requests += if figure["group"] == "Requests" { wanted } else { 0.0 };
            count += 1;
        }
    }
    assert!(count > 80, "{count}");
}
