//! `count`: documents of a real account counted exactly by a property. What it costs is said and asked before it begins.

use std::io::{self, IsTerminal as _, Write};

use super::live::{self, Allowance};
use super::output;
use super::progress::{self, Steps};
use super::{Cli, CountArguments, TextOrJson, settings};
use crate::error::{Error, usage};
use crate::model::path::Path;
use crate::model::units::{count_text, counted, percent_text, real, rounded_text, tenths_text};
use crate::model::visible::visible;
use crate::source::live::counting::{self, CountRequest, CountResult, MOST_PATHS};
use crate::source::live::door::Door;
use crate::source::live::plan::Urgency;
use crate::source::live::target::{Pace, Target};
use crate::source::watch::Watch;
use crate::work::data::{Dataset, Origin};
use crate::work::live::counts::OpenCount as Counting;
use crate::work::live::{LiveWork, RoundEnd};
use crate::work::load::Loader;
use crate::work::sample::{Meter, SampleContainer, ScanEnd};

/// Counts, and gives the exit code.
pub fn run(cli: &Cli, c: &CountArguments) -> Result<u8, Error> {
    let config = settings::load(cli.config.as_deref())?;
    let (target, mut notes) = live::target(&c.account, &config)?;
    let paths = paths(&c.path)?;
    let allowance = live::allowance(c.ru_budget.as_deref(), c.ru_rate.as_deref())?;
    let (Some(database), Some(container)) = (target.database.clone(), target.container.clone())
    else {
        let next = "name it by --database and --container";
        return Err(usage("count needs one container", next));
    };
    let (given, more) = live::given(&c.account, &target)?;
    notes.extend(more);
    for note in &notes {
        say(&format!("note: {note}"));
    }
    let pace = Pace::default();
    let account = LiveWork::new(Box::new(Door::new(given, pace)), pace, None);
    let account = account
        .map_err(|_| Error::usage("the system gives this program no thread for the account"))?;
    let field = field(&account, &target)?;
    let wanted = CountRequest { database, container, paths };
    begin(c, &field, &allowance)?;
    let mut count = Counting::new(&field, wanted.clone(), &allowance, pace.rest.as_secs_f64());
    let meter = count_all(c, &account, &field, &mut count, &allowance)?;
    let counted = count.counted();
    let shown = CountOutput {
        request: &wanted,
        counted: &counted,
        meter: &meter,
        top: c.top.unwrap_or(usize::MAX),
    };
    output::write(&c.output, &mut |to| match c.format {
        TextOrJson::Json => shown.json(to),
        TextOrJson::Text => shown.text(to),
    })
}

fn say(line: &str) {
    // A standard error that went away is no reason to stop.
    let _ = writeln!(io::stderr(), "{line}");
}

fn paths(texts: &[String]) -> Result<Vec<Path>, Error> {
    if texts.len() > MOST_PATHS {
        return Err(Error::usage("a key has at most three paths"));
    }
    let read = texts.iter().map(|text| {
        Path::parse(text).map_err(|fault| {
            let what = format!("--path {} is not a path: expected {}", visible(text), fault.what);
            usage(what, "a path is such as /tenantId or /ship/city")
        })
    });
    read.collect()
}

/// What the account tells of the container: its partitions with their documents, and its RU/s.
fn field(account: &LiveWork, target: &Target) -> Result<SampleContainer, Error> {
    let watch = Watch::default();
    let visit = || account.visit(target, Urgency::Due, &watch, &mut |_| {});
    let ended = progress::waiting_for(&target.endpoint, visit).map_err(Error::from)?;
    if ended == RoundEnd::Stopped {
        return Err(Error::Interrupted);
    }
    let data = Loader::default().watched(target, &account.ledger(), &watch)?;
    let chosen = |data: &Dataset| {
        debug_assert!(matches!(data.origin, Origin::Live(_)));
        (0..)
            .take(data.capture.containers.len())
            .find_map(|number| SampleContainer::of(data, number))
    };
    chosen(&data).ok_or_else(|| {
        let mut failures =
            account.ledger().access().into_iter().filter_map(|access| access.trouble);
        failures.next().map_or_else(
            || {
                Error::live(
                    "the account reports no partitions of this container",
                    "check the names: cosmoscope connect shows what there is",
                )
            },
            |(_, trouble)| Error::from(trouble),
        )
    })
}

/// Tells what it would cost, and begins only if somebody wants it.
fn begin(c: &CountArguments, field: &SampleContainer, allowance: &Allowance) -> Result<(), Error> {
    let made = counting::estimate(&field.strata, field.rate(allowance));
    let documents = match made.documents {
        0 => "an unknown number of".to_owned(),
        n => format!("about {}", count_text(n)),
    };
    say(&format!(
        "counting {documents} documents in {} physical partitions costs very roughly {} RU at {} RU/s; it pauses for your answer after {} RU",
        made.partitions,
        rounded_text(made.ru),
        rounded_text(made.ru_per_second),
        rounded_text(allowance.budget_ru)
    ));
    if c.yes || is_wanted("begin?")? {
        return Ok(());
    }
    Err(Error::Interrupted)
}

/// A question at the terminal; without one, how to do without.
fn is_wanted(question: &str) -> Result<bool, Error> {
    if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        let what = "there is no terminal for the question whether to go on";
        let next = "--yes starts without a question, --ru-budget limits the RU";
        return Err(usage(what, next));
    }
    let _ = write!(io::stderr(), "{question} [y/N] ").and_then(|()| io::stderr().flush());
    let mut line = String::new();
    let read = io::stdin().read_line(&mut line);
    Ok(read.is_ok() && matches!(line.trim(), "y" | "Y" | "yes"))
}

/// Until everything is counted; part of it would be no exact count, and is not shown.
fn count_all(
    c: &CountArguments,
    account: &LiveWork,
    field: &SampleContainer,
    count: &mut Counting,
    allowance: &Allowance,
) -> Result<Meter, Error> {
    let steps = Steps::default();
    let watch = Watch::default();
    loop {
        let scanned = progress::searching(&steps, false, || {
            account.count(field, count, &watch, &mut |meter| tell(&steps, &meter))
        });
        let spent = scanned.meter.spent_ru;
        match scanned.over {
            ScanEnd::Whole if scanned.meter.is_full => return Err(too_many(&scanned.meter)),
            ScanEnd::Whole => return Ok(scanned.meter),
            ScanEnd::Stopped => return Err(Error::Interrupted),
            ScanEnd::Failed(trouble) => return Err(Error::from(trouble)),
            ScanEnd::Moved => {
                return Err(Error::Live {
                    what:
                        "partitions of the container split again and again while they were counted"
                            .to_owned(),
                    next: Some("count again when the splits are over".to_owned()),
                });
            }
            ScanEnd::Spent => {
                let so_far = format!(
                    "{} RU spent, {} documents counted so far",
                    rounded_text(spent),
                    count_text(scanned.meter.entries)
                );
                let question =
                    format!("{so_far}; allow {} RU more?", rounded_text(allowance.budget_ru));
                if c.yes || !is_wanted(&question)? {
                    return Err(Error::live(
                        format!("{so_far}: not all, so nothing is shown"),
                        "allow more with --ru-budget",
                    ));
                }
                count.allow(allowance.budget_ru);
            }
        }
    }
}

/// Part of it would be no exact count, and more does not fit.
fn too_many(meter: &Meter) -> Error {
    Error::live(
        format!(
            "there are more than {} distinct values, the most that are counted at once ({} RU spent); nothing is shown",
            count_text(counting::MOST_KEYS as u64),
            rounded_text(meter.spent_ru)
        ),
        "count a property with fewer values; a sample of documents in the trial view shows how nearly unique this one is",
    )
}

fn tell(steps: &Steps, meter: &Meter) {
    let whole = |n: u64| usize::try_from(n).unwrap_or(usize::MAX);
    let rest = meter.resting_seconds.map(|left| format!(", paused {} s (429)", rounded_text(left)));
    let [spent, budget] = [meter.spent_ru, meter.budget_ru].map(rounded_text);
    let what = format!("{spent} of {budget} RU{}", rest.unwrap_or_default());
    steps.tell(whole(meter.entries), whole(meter.documents_total.max(meter.entries)), &what);
}

/// The service's COUNT sees what a read no longer does.
const EXPIRED: &str =
    "documents whose time to live is over are counted until the service deletes them";

/// What was counted, as it is printed.
#[derive(Clone, Copy)]
struct CountOutput<'c> {
    request: &'c CountRequest,
    counted: &'c CountResult,
    meter: &'c Meter,
    /// Keys that are printed, those with the most documents.
    top: usize,
}

impl CountOutput<'_> {
    fn text(&self, to: &mut dyn Write) -> io::Result<()> {
        let paths: Vec<String> = self.request.paths.iter().map(ToString::to_string).collect();
        writeln!(
            to,
            "{}/{} by {}: {}, {}, {} RU",
            visible(&self.request.database),
            visible(&self.request.container),
            visible(&paths.join(" > ")),
            counted(self.counted.documents, "document", "documents"),
            counted(self.counted.keys.len() as u64, "key", "keys"),
            tenths_text(self.meter.spent_ru)
        )?;
        writeln!(to, "{EXPIRED}")?;
        writeln!(to, "{:>15}  {:>7}  key", "documents", "share")?;
        for (key, count) in self.counted.keys.iter().take(self.top) {
            let share = real(*count) / real(self.counted.documents.max(1));
            let (count, share) = (count_text(*count), percent_text(share));
            writeln!(to, "{count:>15}  {share:>7}  {}", visible(&key.json()))?;
        }
        Ok(())
    }

    fn json(&self, to: &mut dyn Write) -> io::Result<()> {
        let paths: Vec<String> = self.request.paths.iter().map(ToString::to_string).collect();
        let head = serde_json::json!({
            "schema": 1,
            "database": self.request.database,
            "container": self.request.container,
            "paths": paths,
            "documents": self.counted.documents,
            "keys_total": self.counted.keys.len(),
            "ru": self.meter.spent_ru,
        });
        let head = head.to_string();
        write!(to, "{},\"keys\":[", head.trim_end_matches('}'))?;
        for (at, (key, count)) in self.counted.keys.iter().take(self.top).enumerate() {
            let comma = if at > 0 { "," } else { "" };
            // Numbers keep their text as found.
            write!(to, "{comma}\n{{\"key\":{},\"documents\":{count}}}", key.json())?;
        }
        writeln!(to, "]}}")
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;
    use crate::model::key::Key;

    fn counted() -> CountResult {
        let keys = [("[\"a\\u001b\"]", 6), ("[1.0]", 3), ("[{}]", 1)];
        let read = keys.map(|(key, count)| (Key::from_canonical(key).unwrap(), count));
        CountResult { keys: read.to_vec(), documents: 10 }
    }

    fn count_request() -> CountRequest {
        CountRequest {
            database: "shop".to_owned(),
            container: "orders".to_owned(),
            paths: vec![Path::parse("/tenantId").unwrap()],
        }
    }

    fn printed(
        counted: &CountResult,
        top: usize,
        print: impl Fn(CountOutput<'_>, &mut dyn Write) -> io::Result<()>,
    ) -> String {
        let shown =
            CountOutput { request: &count_request(), counted, meter: &Meter::default(), top };
        let mut out = Vec::new();
        print(shown, &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn counts_are_printed_without_harm() {
        let out = printed(&counted(), 2, |shown, to| shown.text(to));
        assert!(
            out.starts_with("shop/orders by /tenantId: 10 documents, 3 keys, 0.0 RU\n"),
            "{out}"
        );
        assert!(out.contains(&format!("\n{EXPIRED}\n")), "{out}");
        assert!(out.contains("60 %") && !out.contains('\u{1b}') && !out.contains("{}"), "{out}");
        let mut one = counted();
        one.keys.truncate(1);
        one.documents = 1;
        let out = printed(&one, 2, |shown, to| shown.text(to));
        assert!(out.contains(": 1 document, 1 key, "), "{out}");
    }

    #[test]
    fn json_is_json_and_keeps_kinds() {
        let out = printed(&counted(), usize::MAX, |shown, to| shown.json(to));
        let read: serde_json::Value = serde_json::from_str(&out).unwrap();
        assert_eq!(read["keys"][0]["documents"], 6);
        assert_eq!(read["keys"][2]["key"][0], serde_json::json!({}));
        assert_eq!(read["documents"], 10);
    }

    #[test]
    fn more_than_three_paths_are_no_key() {
        let texts = ["/a", "/b", "/c", "/d"].map(str::to_owned);
        assert!(paths(&texts).is_err());
        assert!(paths(&["no path".to_owned()]).is_err());
    }
}
