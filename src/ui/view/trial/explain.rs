//! Where every figure of a candidate comes from: what it is, the formula, the numbers put in, the result.

mod load;
mod spread;

use super::pane::name;
use crate::analysis::findings::Severity;
use crate::analysis::routing::RU_PER_VISIT;
use crate::analysis::trial::logged::TrialBasis;
use crate::analysis::trial::routes::Routed;
use crate::analysis::trial::{Settings, Trial};
use crate::model::units::{count_text, counted, figure_text, kib_text, real, with_unit};
use crate::model::visible::visible;
use crate::report::trial::{CROSS_PARTITION, CandidateReport, KEYS_PER_QUERY, ROWS, routing_text};
use crate::ui::kit::masking::Mask;

/// Requests whose price is written out.
const MOST_REQUESTS: usize = 20;

/// One figure; all of it is visible text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Working {
    pub what: String,
    pub result: String,
    /// How it follows, and what is to be known of it; the formula first.
    pub formula: &'static str,
    pub numbers: String,
    pub remarks: Vec<String>,
}

impl Working {
    fn new(
        what: impl Into<String>,
        result: String,
        formula: &'static str,
        numbers: String,
    ) -> Self {
        Self { what: what.into(), result, formula, numbers, remarks: Vec::new() }
    }

    fn remark(mut self, text: impl Into<String>) -> Self {
        self.remarks.push(text.into());
        self
    }

    /// With what is only known sometimes.
    fn remark_if(self, text: Option<String>) -> Self {
        match text {
            Some(text) => self.remark(text),
            None => self,
        }
    }
}

/// What is explained.
#[derive(Clone, Copy, Debug)]
pub struct ExplainInputs<'a> {
    pub of: &'a CandidateReport,
    pub settings: &'a Settings,
}

/// Every figure of a candidate.
pub fn figures(inputs: &ExplainInputs<'_>, mask: &Mask) -> Vec<Working> {
    let mut figures = vec![documents(inputs)];
    figures.extend(verdict(inputs));
    figures.extend(why(inputs));
    figures.extend(spread::figures(inputs));
    figures.extend(load::figures(inputs));
    figures.extend(requests(inputs, mask));
    figures
}

/// The figures as lines of a paper.
pub fn lines(inputs: &ExplainInputs<'_>, mask: &Mask) -> Vec<String> {
    let mut lines = vec![name(inputs.trial()), String::new()];
    for figure in figures(inputs, mask) {
        lines.push(format!("{}: {}", figure.what, figure.result));
        lines.push(format!("  {}", figure.formula));
        if !figure.numbers.is_empty() {
            lines.push(format!("  {}", figure.numbers));
        }
        lines.extend(figure.remarks.iter().map(|text| format!("      {text}")));
        lines.push(String::new());
    }
    lines.extend(sources(inputs));
    lines
}

/// What everything rests on.
fn documents(inputs: &ExplainInputs<'_>) -> Working {
    if let TrialBasis::Statistics { keys, of } = inputs.trial().basis {
        return Working::new(
            "logged keys",
            count_text(keys),
            "no documents: sizes and RU that logs report by key, of keys made of the current one",
            format!("shares are {}", of.words()),
        )
        .remark("logs list large keys: others are smaller, not reported");
    }
    let whole = &inputs.trial().whole;
    let factor = inputs.settings.storage_factor;
    let looked_at = count_text(whole.looked_at);
    let bytes = kib_text(whole.bytes / 1024.0);
    let result = format!("{} of {bytes}", documents_text(whole.documents));
    let (formula, numbers) = if whole.is_sample {
        let each = figure_text(inputs.scale());
        let numbers = format!("{looked_at} were looked at; each stands for {each}");
        ("what the sample holds × all documents / sampled documents", numbers)
    } else {
        ("all of them were looked at", with_unit(&looked_at, "document", "documents"))
    };
    let figure = Working::new("documents", result, formula, numbers);
    let figure = figure.remark(format!(
        "a document's size is its text as found, without blanks outside strings, × the storage factor {factor}: \
         indexes count towards the limits, too"
    ));
    let figure = figure.remark_if(whole.weighed_sentence());
    figure.remark_if(
        inputs.settings.stored_bytes.map(|stored| {
            format!("the container's true size is given: {}", kib_text(stored / 1024.0))
        }),
    )
}

fn verdict(inputs: &ExplainInputs<'_>) -> Option<Working> {
    let count = |severity| {
        let all = inputs.of.verdict.reasons.iter();
        all.filter(|reason| reason.severity == severity).count() as u64
    };
    let numbers = format!(
        "{}, {}, {}",
        counted(count(Severity::Alarm), "alarm", "alarms"),
        counted(count(Severity::Warn), "warning", "warnings"),
        counted(count(Severity::Note), "note", "notes")
    );
    inputs.row(
        "verdict",
        "by the worst of its reasons: reject with an alarm, caution with a warning",
        numbers,
    )
}

/// The reason that decides, in full, and where reads go.
fn why(inputs: &ExplainInputs<'_>) -> Vec<Working> {
    let first = inputs.of.verdict.reasons.first();
    let first = first.map_or_else(String::new, |reason| visible(&reason.sentence).into_owned());
    let cross =
        "RU of cross-partition requests ÷ RU of all requests; without rates, kinds of reads";
    let keys = "keys with suffixes that a query for one of today's keys reads";
    let found = [
        inputs.row("why", "the weightiest reason", first),
        inputs.row(CROSS_PARTITION, cross, String::new()),
        inputs.row(KEYS_PER_QUERY, keys, String::new()),
    ];
    found.into_iter().flatten().collect()
}

fn documents_text(documents: f64) -> String {
    with_unit(&figure_text(documents), "document", "documents")
}

impl ExplainInputs<'_> {
    fn trial(&self) -> &Trial {
        &self.of.trial
    }

    /// What the table shows in a row; none where it shows that nothing is known.
    fn cell(&self, label: &str) -> Option<String> {
        let (_, cell) = ROWS.iter().find(|(row, _)| *row == label)?;
        Some(cell(self.of)).filter(|text| text != "–")
    }

    /// Numbers of documents; none where there are none but logged keys.
    fn if_documents(&self, numbers: String) -> String {
        match self.trial().basis {
            TrialBasis::Documents => numbers,
            TrialBasis::Statistics { .. } => {
                "by the sizes and RU that logs report by key".to_owned()
            }
        }
    }

    /// The figure of a row of the table.
    fn row(&self, label: &'static str, formula: &'static str, numbers: String) -> Option<Working> {
        let heading = self.trial().ceiling.heading(label);
        Some(Working::new(heading, self.cell(label)?, formula, numbers))
    }

    /// All documents for each one looked at.
    fn scale(&self) -> f64 {
        let whole = &self.trial().whole;
        whole.documents / real(whole.looked_at.max(1))
    }
}

/// What each request costs where it goes.
fn requests(inputs: &ExplainInputs<'_>, mask: &Mask) -> Vec<Working> {
    let named = inputs.of.routed.iter().take(MOST_REQUESTS).enumerate();
    let figure = |(at, routed): (usize, &Routed)| {
        let name = if mask.is_on() {
            format!("request {}", at + 1)
        } else {
            visible(&routed.name).into_owned()
        };
        let why = (!mask.is_on() && !routed.route.why.is_empty())
            .then(|| visible(&routed.route.why).into_owned());
        let routing = routing_text(routed.route.routing);
        let visits = routed.route.visits();
        let (Some(price), Some(visits)) = (routed.price, visits) else {
            let what = "no price: routing unknown";
            return Working::new(name, routing, what, String::new()).remark_if(why);
        };
        let further = (visits - 1.0).max(0.0);
        // What is left of the price without the further visits.
        let base = price.ru_each - RU_PER_VISIT * further;
        let in_all = routed.per_second.map(|rate| {
            format!(
                "{} RU/s: {} a second × {} RU",
                figure_text(rate * price.ru_each),
                figure_text(rate),
                figure_text(price.ru_each)
            )
        });
        Working::new(
            name,
            format!("{routing}, {} RU each", figure_text(price.ru_each)),
            "charge on one partition + RU for each further partition × (partitions queried - 1)",
            format!("{} + {RU_PER_VISIT} × ({} - 1)", figure_text(base), figure_text(visits)),
        )
        .remark_if(in_all)
        .remark(format!(
            "one partition can serve {} a second: 10,000 RU/s / {} RU each",
            figure_text(price.most_per_s.floor()),
            figure_text(price.ru_per_visit)
        ))
        .remark_if(why)
    };
    let mut figures: Vec<Working> = named.map(figure).collect();
    let more = inputs.of.routed.len().saturating_sub(MOST_REQUESTS) as u64;
    if let Some(last) = figures.last_mut().filter(|_| more > 0) {
        let kinds = counted(more, "further kind of request is", "further kinds of request are");
        last.remarks.push(format!("{kinds} priced in the same way"));
    }
    figures
}

/// What is counted, what stands for more, and what documents do not tell.
fn sources(inputs: &ExplainInputs<'_>) -> Vec<String> {
    let mut lines = vec!["what the figures rest on".to_owned()];
    let mut say = |text: &str| lines.push(format!("  {text}"));
    if inputs.trial().basis != TrialBasis::Documents {
        say("reported by logs: sizes and RU by key; nothing is known of single documents");
    } else if inputs.trial().whole.is_sample {
        say("counted in the sample: keys, their documents and bytes, id collisions");
        say("scaled from the sample to all documents: sizes, shares, loads; intervals are of 95 %");
        say("not known from the sample: keys that it did not see");
    } else {
        say("counted, not estimated: keys, their documents and bytes, id collisions");
    }
    say("computed: places of keys by the hash that the service uses");
    say("assumed: what documents cost; documents show nothing of reads");
    match (inputs.settings.ru_per_second, inputs.trial().demand) {
        (_, None) => say("unknown: demand, and so what is throttled"),
        (None, Some(_)) => say("unknown: provisioned RU/s, and so what is throttled"),
        (Some(_), Some(_)) => {}
    }
    lines
}

#[cfg(test)]
mod tests;
