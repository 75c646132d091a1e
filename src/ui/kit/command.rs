//! The command palette: what can be typed after `:`, what it is completed to, and what it means.

use super::action::{ACTIONS, Action, ActionWords, Context};
use super::line::{MAX_OFFERS, Offer, Offers};
use crate::model::near;
use crate::model::visible::visible;
use crate::report::plan::artefact::Artefact;
use crate::source::design::TEMPLATES;
use crate::source::lesson::LESSONS;
use crate::source::scenario::ScenarioInfo;
use crate::source::small_file::field;
use crate::source::times::DATE_ORDERS;
use crate::ui::kit::theme;
use crate::work::paths::{EntryKind, PathOffer};
use crate::work::whole_file::IfExists;

/// A typed command: an action, and what follows its name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Command {
    pub action: Action,
    pub rest: String,
    /// `export! FILE` replaces a file that is there.
    pub existing: IfExists,
}

/// Actions that mean nothing by name, since they only move a cursor in a line.
fn is_offered(about: &ActionWords) -> bool {
    about.context != Context::Prompt
}

fn words(line: &str) -> (&str, Option<&str>) {
    let line = line.trim_start();
    match line.split_once(' ') {
        Some((name, rest)) => (meant(name), Some(rest)),
        None => (meant(line), None),
    }
}

/// An action by its name on the command line.
fn meant(name: &str) -> &str {
    if name == "diff" { "compare" } else { name }
}

/// What a line means; an unfinished name that only one action can have is enough.
pub fn parse(line: &str) -> Result<Command, String> {
    let (name, rest) = words(line);
    let rest = rest.unwrap_or_default().trim().to_owned();
    if name.is_empty() {
        return Err("type the name of a command; Tab completes it".to_owned());
    }
    let (name, existing) = match name.strip_suffix('!') {
        Some(name) => (name, IfExists::Replace),
        None => (name, IfExists::Keep),
    };
    let action = match Action::named(name).filter(|about| is_offered(about)) {
        Some(about) => about.action,
        None => match named_like(name).as_slice() {
            [(_, only)] => only.action,
            [] => return Err(unknown(line, name)),
            several => {
                let names: Vec<&str> = several.iter().take(4).map(|(_, a)| a.name).collect();
                return Err(format!("{} may be {}", visible(name), names.join(", ")));
            }
        },
    };
    if existing == IfExists::Replace && action != Action::Export {
        return Err("only export! replaces what is there; other commands take no !".to_owned());
    }
    Ok(Command { action, rest, existing })
}

/// That there is no command of that name, with the one that was probably meant.
fn unknown(line: &str, name: &str) -> String {
    let offered = ACTIONS.iter().filter(|about| is_offered(about));
    let meant = near::nearest(name, offered.map(|about| about.name));
    let meant = meant.or_else(|| Some(found(line).first()?.name));
    let meant = meant.map_or_else(String::new, |meant| format!(". Did you mean {meant}?"));
    format!("there is no command {}{meant}", visible(name))
}

/// Actions whose name begins with the text come first, then those that hold its letters in order.
fn named_like(text: &str) -> Vec<(usize, &'static ActionWords)> {
    let text = text.to_lowercase();
    let offered = ACTIONS.iter().filter(|about| is_offered(about));
    let fitting = offered.filter_map(|about| Some((rank(about.name, &text)?, about)));
    let mut found: Vec<_> = fitting.collect();
    found.sort_by_key(|(rank, _)| *rank);
    if found.first().is_some_and(|(rank, _)| *rank == 0) {
        found.retain(|(rank, _)| *rank == 0);
    }
    found
}

/// Whether the name of one action alone begins so.
pub fn begins_one(text: &str) -> bool {
    let begin = named_like(text.trim_start());
    matches!(begin.as_slice(), [(0, _)])
}

/// Actions that a text may mean: by their names, then by their descriptions, then by letters of their names.
fn found(text: &str) -> Vec<&'static ActionWords> {
    let text = meant(text.trim()).to_lowercase();
    let is_described = |about: &ActionWords| {
        let help = about.help.to_lowercase();
        text.split_whitespace().all(|word| help.contains(word))
    };
    let offered = ACTIONS.iter().filter(|about| is_offered(about));
    let mut fitting: Vec<(usize, &ActionWords)> = offered
        .filter_map(|about| match rank(about.name, &text) {
            Some(by_name @ ..=1) => Some((by_name, about)),
            _ if is_described(about) => Some((2, about)),
            by_letters => Some((by_letters? + 1, about)),
        })
        .collect();
    fitting.sort_by_key(|(rank, _)| *rank);
    // Letters in order are in many names; they count only where words find nothing.
    let is_found = fitting.first().is_some_and(|(rank, _)| *rank <= 2);
    fitting.retain(|(rank, _)| *rank <= 2 || !is_found);
    fitting.into_iter().map(|(_, about)| about).collect()
}

/// How well a name fits: 0 begins so, 1 holds it, 2 holds its letters in order.
fn rank(name: &str, text: &str) -> Option<usize> {
    if name.starts_with(text) {
        return Some(0);
    }
    if name.contains(text) {
        return Some(1);
    }
    let mut letters = name.chars();
    text.chars().all(|wanted| letters.any(|c| c == wanted)).then_some(2)
}

/// What completion knows beside the actions.
pub struct CompletionFacts<'a> {
    pub scenarios: &'a [ScenarioInfo],
    /// Columns that rows may be sorted by.
    pub columns: &'a [&'static str],
    pub paths: &'a [PathOffer],
    /// Properties that may be the time of a document.
    pub times: &'a [String],
    /// Chords of an action as a keyboard shows them.
    pub chord: &'a dyn Fn(Action) -> Option<String>,
}

/// What a line may become, and that it can become nothing.
pub fn offers(line: &str, known: &CompletionFacts<'_>) -> Offers {
    let (name, rest) = words(line);
    let about = Action::named(name.trim_end_matches('!'));
    let (offers, is_free) = match (about, rest) {
        (Some(about), Some(rest)) => choices(about.action, name, rest, known),
        _ => (names(line, known), false),
    };
    let problem = offers.is_empty() && !is_free;
    (offers, problem.then(|| (0, "no match".to_owned())))
}

/// What may follow the name of an action, and whether anything else may, too.
fn choices(
    action: Action,
    name: &str,
    rest: &str,
    known: &CompletionFacts<'_>,
) -> (Vec<Offer>, bool) {
    let rest = rest.trim_start();
    let named = |choices: &mut dyn Iterator<Item = (String, String)>| {
        choices
            .filter(|(choice, _)| rank(choice, &rest.to_lowercase()).is_some())
            .take(MAX_OFFERS)
            .map(|(choice, help)| Offer { line: format!("{name} {choice}"), shown: choice, help })
            .collect()
    };
    let offers: Vec<Offer> = match action {
        Action::Scenarios => {
            let scenarios = known.scenarios.iter();
            named(&mut scenarios.map(|s| (s.name.to_owned(), s.title.clone())))
        }
        Action::Design => {
            let templates = TEMPLATES.iter();
            let title = |text| field(text, "title");
            let mut templates = templates.map(|(name, text)| ((*name).to_owned(), title(text)));
            let mut offers: Vec<Offer> = named(&mut templates);
            offers.extend(paths(name, known.paths));
            offers
        }
        Action::ShowLesson => {
            let title = |text| field(text, "title");
            let lessons = LESSONS.iter();
            named(&mut lessons.map(|(name, text)| ((*name).to_owned(), title(text))))
        }
        Action::NextTheme => {
            let themes = theme::THEMES.iter();
            named(&mut themes.map(|(name, _)| ((*name).to_owned(), String::new())))
        }
        Action::DateOrder => {
            let orders = DATE_ORDERS.iter();
            named(&mut orders.map(|(name, _, words)| ((*name).to_owned(), (*words).to_owned())))
        }
        Action::SortNext => {
            let columns = known.columns.iter();
            named(&mut columns.map(|c| ((*c).to_owned(), String::new())))
        }
        Action::Open | Action::Compare | Action::Documents | Action::Queries => {
            paths(name, known.paths)
        }
        Action::Plan => {
            let artefacts = Artefact::ALL.iter();
            named(&mut artefacts.map(|a| (a.name.to_owned(), String::new())))
        }
        Action::DatedBy => named(&mut known.times.iter().map(|t| (t.clone(), String::new()))),
        _ => Vec::new(),
    };
    let is_closed = matches!(
        action,
        Action::Scenarios | Action::NextTheme | Action::DateOrder | Action::SortNext
    );
    (offers, !is_closed)
}

fn names(text: &str, known: &CompletionFacts<'_>) -> Vec<Offer> {
    let mut found = found(text);
    found.truncate(MAX_OFFERS);
    let offer = |about: &'static ActionWords| Offer {
        line: format!("{}{}", about.name, if about.takes_more { " " } else { "" }),
        shown: match (known.chord)(about.action) {
            Some(chord) => format!("{:<18}{chord}", about.name),
            None => about.name.to_owned(),
        },
        help: about.help.to_owned(),
    };
    found.into_iter().map(offer).collect()
}

fn paths(name: &str, paths: &[PathOffer]) -> Vec<Offer> {
    let offer = |offered: &PathOffer| Offer {
        line: format!("{name} {}", offered.path),
        shown: visible(&offered.path).into_owned(),
        help: match offered.kind {
            EntryKind::Folder => "folder".to_owned(),
            EntryKind::File => String::new(),
        },
    };
    paths.iter().take(MAX_OFFERS).map(offer).collect()
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;

    fn known() -> CompletionFacts<'static> {
        CompletionFacts {
            scenarios: &[],
            columns: &["size", "growth"],
            paths: &[],
            times: &[],
            chord: &|_| None,
        }
    }

    #[test]
    fn a_name_or_its_beginning_is_enough() {
        let command = parse("  sort growth ").unwrap();
        assert_eq!((command.action, command.rest.as_str()), (Action::SortNext, "growth"));
        assert_eq!(parse("over").unwrap().action, Action::ShowOverview);
        let diff = parse("diff a.csv").unwrap();
        assert_eq!((diff.action, &*diff.rest), (Action::Compare, "a.csv"));
        assert!(parse("sort-").unwrap_err().contains("sort-back, sort-reverse"));
        assert_eq!(parse("fly").unwrap_err(), "there is no command fly");
        let meant = |line| parse(line).unwrap_err();
        assert!(meant("epxort").ends_with(". Did you mean export?"));
        assert!(meant("colours").ends_with(". Did you mean theme?"));
        assert_eq!(parse("delete-word").unwrap_err(), "there is no command delete-word");
        assert!(parse(" ").is_err());
        assert!(parse("quit!").unwrap_err().starts_with("only export!"));
        assert_eq!(
            parse("export! a b.csv").unwrap(),
            Command {
                action: Action::Export,
                rest: "a b.csv".to_owned(),
                existing: IfExists::Replace,
            }
        );
    }

    #[test]
    fn offers_complete_names_and_what_follows() {
        let lines = |text: &str| -> Vec<String> {
            let (offers, _) = offers(text, &known());
            offers.into_iter().map(|o| o.line).collect()
        };
        assert_eq!(lines("qui"), ["quit"]);
        assert_eq!(lines("diff"), ["compare "]);
        assert!(lines("dif").contains(&"compare ".to_owned()));
        assert_eq!(lines("queri")[0], "queries ");
        assert!(lines("").len() > 30);
        assert_eq!(lines("sort g"), ["sort growth"]);
        assert_eq!(lines("ope")[0], "open ");
        assert!(lines("theme ").contains(&"theme light".to_owned()));
        assert_eq!(lines("date-order "), ["date-order dmy", "date-order mdy"]);
    }

    #[test]
    fn descriptions_are_searched_after_names() {
        let found = |text: &str| -> Vec<&str> { found(text).iter().map(|a| a.name).collect() };
        assert_eq!(found("clipboard"), ["copy"]);
        assert_eq!(found("invented ones"), ["mask"]);
        let sorts = found("sort");
        assert_eq!(sorts[..3], ["sort", "sort-back", "sort-reverse"]);
        let problem = |text: &str| offers(text, &known()).1.map(|(_, what)| what);
        assert_eq!(problem("qqq"), Some("no match".to_owned()));
        assert_eq!(problem("theme green"), Some("no match".to_owned()));
        for fine in ["", "sort", "export new.csv", "export! new.csv", "open /x"] {
            assert_eq!(problem(fine), None, "{fine}");
        }
    }
}
