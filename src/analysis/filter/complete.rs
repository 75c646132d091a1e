//! What can stand at the cursor of a filter, and the table that explains its grammar.

use super::super::grammar::{self, Completion, Help, Offer, Op, Scan, completions, help, starts};
use super::value::{DATE_WORDS, Field, MARK_WORDS, PERIODS, UNITS};

/// Every piece of the grammar; each example is a filter.
pub const HELP: [Help; 16] = help! {
    "text", "contoso", "keys that hold the text; capitals count once one is typed";
    "\"text\"", "\"a (b) > c\"", "the same with blanks, operators, parentheses or a keyword in it";
    "blank", "contoso size>1GiB", "both must hold";
    "or", "contoso or fabrikam", "one of them must hold";
    "not", "not contoso", "must not hold; also !contoso";
    "( )", "(a or b) mark=full", "taken together";
    "size", "size>14GiB", "latest size, in B, KiB, MiB, GiB, TiB or KB, MB, GB, TB";
    "share", "share>=70%", "of the limit of a logical partition; also 0.7";
    "growth", "growth>1GiB/week", "per day, week or month";
    "date", "date<30d", "when it reaches 20 GB: days or weeks from now, a date, =over, =never or =unknown; < includes keys over it";
    "mark", "mark=nearly", "over (above 100 %), full (100 % or more), nearly (from 90 %), filling (from 70 %), fine";
    "ru", "ru>100", "RU of the key in the logs, all requests together";
    "partition", "partition=3", "id of the physical partition";
    "region", "region=\"West Europe\"", "where the key is largest";
    "samples", "samples>=5", "number of samples";
    "< <= > >= = !=", "growth!=0", "an unknown value passes none of them";
};

/// What fits at the cursor, which stands behind that many characters.
pub fn complete(text: &str, cursor: usize) -> Vec<Completion> {
    completions(text, cursor, offers)
}

/// The byte where the piece at the cursor begins, and what fits there. None inside quotes.
fn offers(before: &str) -> Option<(usize, Vec<Offer>)> {
    let mut scan = Scan::new(before);
    loop {
        scan.take_while(|c| c.is_whitespace() || matches!(c, '(' | ')' | '!'));
        let (start, begun) = (scan.at, scan.rest());
        if begun.starts_with('"') {
            scan.quoted().ok()?;
            if scan.is_done() {
                return None;
            }
            continue;
        }
        let field = Field::named(scan.word());
        if scan.is_done() {
            return Some((start, terms(begun)));
        }
        let mut ahead = scan;
        ahead.skip_blanks();
        let Some(op) = ahead.operator() else { continue };
        ahead.skip_blanks();
        let (start, begun) = (ahead.at, ahead.rest());
        if begun.starts_with('"') {
            ahead.quoted().ok()?;
        } else {
            ahead.value_word();
        }
        if ahead.is_done() {
            return Some((start, values(field?, op, begun)));
        }
        scan = ahead;
    }
}

fn meaning(name: &str) -> &'static str {
    grammar::meaning(&HELP, name)
}

fn terms(begun: &str) -> Vec<Offer> {
    if let Some(field) = Field::named(begun) {
        let name = field.name();
        let operators =
            if field.is_word() { &["=", "!="][..] } else { &[">", ">=", "<", "<=", "=", "!="][..] };
        let offer = |op: &&str| (0, format!("{name}{op}"), meaning(name));
        return operators.iter().map(offer).collect();
    }
    let names = Field::ALL.into_iter().map(Field::name);
    let keywords = ["or", "not"].into_iter().filter(|_| !begun.is_empty());
    let fitting = names.chain(keywords).filter(|name| starts(name, begun));
    fitting.map(|name| (0, name.to_owned(), meaning(name))).collect()
}

fn values(field: Field, op: Op, begun: &str) -> Vec<Offer> {
    let digits = begun.find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | '-')));
    let digits = digits.unwrap_or(begun.len());
    let unit = begun.get(digits..).unwrap_or_default();
    let has_number = begun.ends_with(|c: char| c.is_ascii_digit());
    match field {
        Field::Size if digits > 0 => listed(digits, unit, UNITS.iter().map(|u| u.0), "of size"),
        Field::Growth if digits > 0 => match unit.split_once('/') {
            Some((unit, period)) => {
                let kept = digits + unit.len() + 1;
                listed(kept, period, PERIODS.iter().map(|p| p.0), "of growth")
            }
            None => UNITS
                .iter()
                .filter(|u| starts(u.0, unit))
                .flat_map(|u| PERIODS.iter().map(move |p| format!("{}/{}", u.0, p.0)))
                .map(|text| (digits, text, "of growth"))
                .collect(),
        },
        Field::Share if has_number => vec![(digits, "%".to_owned(), "of the limit")],
        Field::LimitDate if has_number && !begun.contains('-') => {
            vec![(digits, "d".to_owned(), "days"), (digits, "w".to_owned(), "weeks")]
        }
        Field::LimitDate if matches!(op, Op::Equal | Op::Unequal) => {
            listed(0, begun, DATE_WORDS.iter().map(|w| w.0), meaning("date"))
        }
        Field::Mark => listed(0, begun, MARK_WORDS.iter().map(|w| w.0), meaning("mark")),
        _ => Vec::new(),
    }
}

fn listed<'a>(
    kept: usize,
    begun: &str,
    words: impl Iterator<Item = &'a str>,
    meaning: &'static str,
) -> Vec<Offer> {
    words.filter(|word| starts(word, begun)).map(|word| (kept, word.to_owned(), meaning)).collect()
}
