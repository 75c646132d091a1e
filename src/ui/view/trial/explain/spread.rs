//! The figures of keys: how many, how large, how alike.

use super::{ExplainInputs, Working};
use crate::analysis::candidate::Level;
use crate::analysis::trial::{ForecastReason, Rate, Trial, TrialBasis};
use crate::model::units::{
    count_text, counted, figure_text, kib_text, percent_text, real, with_unit,
};
use crate::report::limit_name;

pub(super) fn figures(inputs: &ExplainInputs<'_>) -> Vec<Working> {
    let mut figures: Vec<Working> =
        [distinct(inputs), seen(inputs)].into_iter().flatten().collect();
    figures.extend(largest(inputs));
    figures.push(of_limit(inputs));
    figures.extend(full(inputs));
    figures.extend(limit_date(inputs));
    figures.extend(commonest(inputs));
    figures.extend(worth(inputs));
    figures.extend(levels(inputs.trial()));
    figures.extend(collisions(inputs));
    figures
}

fn distinct(inputs: &ExplainInputs<'_>) -> Option<Working> {
    let found = &inputs.trial().distinct;
    let whole = &inputs.trial().whole;
    let seen = count_text(found.seen);
    let [once, twice] = [found.once, found.twice].map(count_text);
    let Some([low, high]) = found.range else {
        let numbers = format!("{once} of them have one document alone, {twice} have two");
        return match inputs.trial().basis {
            TrialBasis::Documents => {
                inputs.row("distinct keys", "counted over all documents", numbers)
            }
            TrialBasis::Statistics { .. } => inputs.row(
                "distinct keys",
                "those that logs list, and what the key makes of them: a lower bound",
                String::new(),
            ),
        };
    };
    let n = count_text(whole.looked_at);
    if found.by_hashes {
        let figure = inputs.row(
            "distinct keys",
            "keys of the windows that were read / the part of the hash space that these are",
            format!("{seen} keys seen"),
        )?;
        return Some(figure.remark(format!(
            "{} to {} in all, with 95 %",
            figure_text(low),
            figure_text(high)
        )));
    }
    let figure = inputs.row(
        "distinct keys",
        "between d and d - f1 + f1 × N/n: d seen, f1 of them once, n of N documents looked at",
        format!(
            "d = {seen}, f1 = {once}, f2 = {twice}, n = {n}, N = {}",
            figure_text(whole.documents)
        ),
    )?;
    let figure = figure.remark(format!("{} to {} in all", figure_text(low), figure_text(high)));
    Some(figure.remark(format!(
        "Chao1, evidence only, far too low where rare keys are unlike: d + f1(f1 - 1) / (2(f2 + 1)) = {}",
        figure_text(found.chao1())
    )))
}

fn seen(inputs: &ExplainInputs<'_>) -> Option<Working> {
    let found = &inputs.trial().distinct;
    if let (true, Some([low, high])) = (found.by_hashes, found.range) {
        return inputs.row(
            "sample coverage",
            "keys seen / keys in all",
            format!("{} / {}", count_text(found.seen), figure_text(f64::midpoint(low, high))),
        );
    }
    let once = count_text(found.once);
    let n = count_text(inputs.trial().whole.looked_at);
    let figure = inputs.row(
        "sample coverage",
        "1 - f1/n: the share of all documents whose key the sample saw",
        format!("1 - {once} / {n}"),
    )?;
    Some(figure.remark("f1 is the number of keys seen once, n that of documents looked at"))
}

fn largest(inputs: &ExplainInputs<'_>) -> Option<Working> {
    let trial = inputs.trial();
    let whole = &trial.whole;
    let ends_in_id = trial.candidate.levels.last().is_some_and(Level::is_id);
    let how = match trial.basis {
        TrialBasis::Statistics { .. } if ends_in_id => {
            "2 MB, which a document has at most, or the largest key of today if that holds less"
        }
        TrialBasis::Statistics { .. } => "what logs report of the keys that it is made of",
        TrialBasis::Documents if whole.is_sample && trial.largest_range.is_none() => {
            "the newest size that logs report"
        }
        TrialBasis::Documents if whole.is_sample => {
            "the document by which the key was found, and what the others of its sample stand for"
        }
        TrialBasis::Documents => "bytes of its documents × the storage factor",
    };
    let figure = inputs.row(
        "largest key",
        how,
        trial.top.first().filter(|_| whole.looked_at > 0).map_or_else(String::new, |top| {
            format!(
                "{} of {} documents, {} of all bytes",
                figure_text(top.documents),
                figure_text(whole.documents),
                percent_text(trial.largest_bytes / whole.bytes)
            )
        }),
    )?;
    Some(
        figure
            .remark_if(trial.largest_is_idle().then(|| "it gets no documents any more".to_owned())),
    )
}

fn of_limit(inputs: &ExplainInputs<'_>) -> Working {
    let ceiling = inputs.settings.ceiling;
    let bytes = inputs.trial().largest_text();
    let figure = Working::new(
        "of the limit",
        inputs.trial().largest_share_text(),
        "the largest key / what a logical partition may hold",
        format!("{bytes} / {}", kib_text(ceiling.bytes() / 1024.0)),
    );
    figure.remark(format!("{}: {}", limit_name(ceiling), ceiling.sentence()))
}

/// When the largest key is full.
fn full(inputs: &ExplainInputs<'_>) -> Option<Working> {
    let trial = inputs.trial();
    let stored = trial.stored_when_full()?;
    let sizes = [inputs.settings.ceiling.bytes(), trial.largest_bytes, trial.whole.bytes];
    let [limit, largest, whole] = sizes.map(|bytes| kib_text(bytes / 1024.0));
    Some(Working::new(
        "stored in all when it reaches the limit",
        kib_text(stored / 1024.0),
        "limit / share of the largest key in all bytes, if keys go on in these proportions",
        format!("{limit} / ({largest} / {whole})"),
    ))
}

/// The day on which a key is full, and the rate that leads there.
fn limit_date(inputs: &ExplainInputs<'_>) -> Option<Working> {
    let ahead = &inputs.trial().ahead;
    let rate = match ahead.rate {
        Rate::Unknown => "no rate is known",
        Rate::Given => "the rate of all keys is given",
        Rate::Documents { .. } => "the rate is that of the documents",
        Rate::Logged => "the rate is that of sizes that logs report",
    };
    let days = match ahead.rate {
        Rate::Documents { days } => {
            format!(" of the last {}", with_unit(&figure_text(days), "day", "days"))
        }
        _ => String::new(),
    };
    let numbers = ahead.bytes_per_day.map_or_else(String::new, |[low, likely, high]| {
        let [low, likely, high] = [low, likely, high].map(|bytes| kib_text(bytes / 1024.0));
        format!("{likely} a day ({low} to {high}) go to that key")
    });
    let figure = inputs.row(
        "20 GB on",
        "(limit - what the key holds) / what is written to it in a day",
        numbers,
    )?;
    let figure = figure
        .remark(because(ahead.because))
        .remark(format!("{rate}{days}"))
        .remark_if(
            ahead
                .all_bytes_per_day
                .map(|bytes| format!("{} a day are written to all keys", kib_text(bytes / 1024.0))),
        )
        .remark_if(ahead.logged.map(|some| {
            let gained = kib_text(some.bytes_per_day / 1024.0);
            format!("{gained}{}; of the others it is unknown", some.of_keys())
        }))
        .remark_if(
            ahead
                .most_bytes
                .map(|bytes| format!("a key stops growing at {}", kib_text(bytes / 1024.0))),
        )
        .remark_if(ahead.as_of.map(|at| format!("sizes hold for {}", at.rfc3339())));
    Some(figure)
}

fn because(because: ForecastReason) -> &'static str {
    match because {
        ForecastReason::Full => "it is over the limit already",
        ForecastReason::Grows => "it grows until then",
        ForecastReason::PeriodEnds => {
            "each key gets documents for a period only, and holds less at its end"
        }
        ForecastReason::Deleted => "documents are deleted before",
        ForecastReason::OneEach => "no two documents have the same key",
        ForecastReason::NoTime => "nothing shows when documents were written",
        ForecastReason::SizeUnknown => "the size of the container is unknown",
        ForecastReason::TooShort => "the documents cover too short a time for a rate",
        ForecastReason::FarOff => {
            "the slowest rate that the documents allow gets there in thousands of years or never"
        }
        ForecastReason::Idle => "it does not grow",
        ForecastReason::NotLogged => "the logs do not show how keys grow",
        ForecastReason::WithinError => "the growth is within the error of the sizes",
    }
}

fn commonest(inputs: &ExplainInputs<'_>) -> Option<Working> {
    let trial = inputs.trial();
    let all = trial.whole.documents;
    let count = figure_text((trial.top_share.share * all).round());
    let figure = inputs.row(
        "largest share",
        "w1 = c / n: documents of the key / all documents",
        inputs.if_documents(format!("{count} / {}", figure_text(all))),
    )?;
    let [low, high] = trial.top_share.interval.map(percent_text);
    Some(figure.remark_if((trial.whole.is_sample && all > 0.0).then(|| {
        format!(
            "{low} to {high} with 95 %: the high end by Wilson, the low end for the largest of at most 1/w1 keys"
        )
    })))
}

/// How many equally large keys would spread alike.
fn worth(inputs: &ExplainInputs<'_>) -> Option<Working> {
    let trial = inputs.trial();
    let equal = trial.k_eff?;
    let n = real(trial.whole.looked_at);
    let (formula, pairs, sum) = if trial.whole.is_sample {
        (
            "K = n(n - 1) / Σ c(c - 1) over all keys with c documents each",
            n * (n - 1.0),
            "Σ c(c - 1)",
        )
    } else {
        ("K = n² / Σ c² over all keys with c documents each", n * n, "Σ c²")
    };
    let numbers = format!("n = {}, {sum} = {}", figure_text(n), figure_text(pairs / equal));
    inputs.row("effective keys, size", formula, inputs.if_documents(numbers))
}

fn levels(trial: &Trial) -> Vec<Working> {
    if trial.levels.len() < 2 {
        return Vec::new();
    }
    let levels = trial.levels.iter().zip(1_u64..);
    let figure = |(level, depth): (&crate::analysis::trial::LevelSpread, u64)| {
        Working::new(
            format!("first {}", counted(depth, "level", "levels")),
            format!(
                "{}, the largest with {} of all bytes",
                counted(level.distinct, "value", "values"),
                percent_text(level.largest_share)
            ),
            "documents with the same values up to this level are kept together until a split cuts them",
            format!(
                "{} × {} = {}",
                kib_text(trial.whole.bytes / 1024.0),
                percent_text(level.largest_share),
                kib_text(trial.whole.bytes * level.largest_share / 1024.0)
            ),
        )
    };
    levels.map(figure).collect()
}

fn collisions(inputs: &ExplainInputs<'_>) -> Option<Working> {
    let found = inputs.trial().collisions.as_ref()?;
    inputs.row(
        "id collisions",
        "documents looked at that share key and id with another one: of each such pair one can be stored",
        format!(
            "{} of {}",
            count_text(found.documents),
            count_text(inputs.trial().whole.looked_at)
        ),
    )
}
