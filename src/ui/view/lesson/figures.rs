//! Figures of a lesson by their names, each from what the screens show and in their words.

use std::collections::BTreeSet;

use crate::analysis::demand::outcome::{KeyOutcome, Outcome};
use crate::analysis::diagnosis::Diagnosis;
use crate::analysis::figure::{Figure, FigureId};
use crate::analysis::growth::LimitDate;
use crate::analysis::heat::ContainerHeat;
use crate::analysis::locate::{LocateRanges, Located, LocatedKey};
use crate::analysis::overview::OverviewRow;
use crate::analysis::usage::stored_kib;
use crate::model::capture::Container;
use crate::model::key::Key;
use crate::model::time::Stamp;
use crate::model::units::{
    KIB_PER_GIB, PARTITION_RU_PER_SECOND, PHYSICAL_CEILING_KIB, bytes_of, count_text, figure_text,
    kib_text, percent_text, real, trimmed_text,
};
use crate::model::visible::visible;
use crate::report::limit_date_text;
use crate::report::simulate::rejected_writes;
use crate::report::trial::{CandidateReport, ROWS, routing_text};
use crate::ui::kit::cx::Cx;
use crate::ui::view::heat::locating::pieces;
use crate::ui::view::heat::names::{Precision, clock};
use crate::ui::view::{Views, overview};
use crate::work::data::Dataset;

/// Figures that may stand on the screen before the answer: names to choose from, and what is set.
pub const KNOWN_BEFORE: [&str; 12] = [
    "key-limit",
    "partition-limit",
    "partition-ru",
    "container",
    "key",
    "partitions",
    "ru",
    "largest-key",
    "first-full",
    "hot-key",
    "hot-partition",
    "partition-of",
];

/// What figures are taken from.
struct LessonFacts<'a> {
    cx: &'a Cx,
    views: &'a Views,
    data: &'a Dataset,
    number: u32,
}

/// A figure by its name, such as `largest-size`, and what it is of; None where nothing is known of it.
pub fn figure(cx: &Cx, views: &Views, name: &str, of: &str) -> Option<String> {
    if let Some(text) = arithmetic(name, of).or_else(|| limit(cx, name)) {
        return Some(text);
    }
    let data = cx.data.as_deref()?;
    let shown = views.one(cx.view).container();
    let chosen = || overview::chosen_container(&views.overview);
    let number = shown.or_else(chosen).or_else(|| data.worst_container())?;
    let facts = LessonFacts { cx, views, data, number };
    facts
        .of_container(name, of)
        .or_else(|| facts.of_keys(name))
        .or_else(|| facts.named(name, of))
        .or_else(|| facts.of_load(name, of))
        .or_else(|| facts.of_places(name, of))
        .or_else(|| facts.of_trial(name, of))
        .or_else(|| facts.of_time(name, of))
}

/// What the service sets.
fn limit(cx: &Cx, name: &str) -> Option<String> {
    Some(match name {
        "key-limit" => gb(cx.ceiling.kib()),
        "partition-limit" => gb(PHYSICAL_CEILING_KIB),
        "partition-ru" => figure_text(PARTITION_RU_PER_SECOND),
        _ => return None,
    })
}

/// As the documentation writes it.
fn gb(kib: f64) -> String {
    format!("{} GB", trimmed_text(kib / KIB_PER_GIB))
}

/// `amount: 1KB * 5400 * 365`, and the chance `apart: 3 on 3` that keys share no partition; `shared` is that some do.
fn arithmetic(name: &str, of: &str) -> Option<String> {
    match name {
        "amount" => amount(of),
        "apart" | "shared" => {
            let (keys, partitions) = of.split_once(" on ")?;
            let keys: u32 = keys.trim().parse().ok().filter(|keys| *keys <= 1_000)?;
            let partitions: f64 = partitions.trim().parse().ok()?;
            let free = |taken: u32| (1.0 - f64::from(taken) / partitions).max(0.0);
            let apart: f64 = (0..keys).map(free).product();
            Some(percent_text(if name == "apart" { apart } else { 1.0 - apart }))
        }
        _ => None,
    }
}

/// Factors and divisors from left to right; sizes are binary, as the limits are.
fn amount(of: &str) -> Option<String> {
    let (mut value, mut sizes, mut is_divided) = (1.0, 0_i32, false);
    for word in of.split_whitespace() {
        match word {
            "*" | "/" => {
                is_divided = word == "/";
                continue;
            }
            _ => {}
        }
        let plain: Option<f64> = word.replace(',', "").parse().ok();
        let (factor, size) = match plain {
            Some(number) => (number, 0),
            None => (bytes_of(word, 1024.0)?, 1),
        };
        if is_divided {
            (value, sizes) = (value / factor, sizes - size);
        } else {
            (value, sizes) = (value * factor, sizes + size);
        }
    }
    match sizes {
        0 => Some(figure_text(value)),
        1 => Some(kib_text(value / 1024.0)),
        _ => None,
    }
}

impl LessonFacts<'_> {
    fn container(&self) -> Option<&Container> {
        self.data.capture.container(self.number)
    }

    fn heat(&self) -> Option<&ContainerHeat> {
        self.data.heat.container(self.number)
    }

    fn diagnosis(&self) -> Option<&Diagnosis> {
        self.data.diagnoses.container(self.number)
    }

    fn outcome(&self) -> Option<&Outcome> {
        let now = self.diagnosis()?.now.as_ref()?;
        Some(&now.outcome)
    }

    fn row(&self) -> Option<&OverviewRow> {
        let mut rows = self.data.overview.rows.iter();
        rows.find(|row| row.number == self.number)
    }

    /// Of autoscale the maximum.
    fn ru(&self) -> Option<f64> {
        self.heat()?.ru_per_second
    }

    fn of_container(&self, name: &str, of: &str) -> Option<String> {
        let partitions = || self.heat()?.physical_partitions();
        match name {
            "container" => {
                let own = self.cx.mask.container(&self.container()?.name);
                own.container.map(|own| visible(&own).into_owned())
            }
            "key" => {
                let definition = self.container()?.definition.as_ref()?;
                Some(visible(&definition.paths.join(" > ")).into_owned())
            }
            "partitions" => Some(count_text(partitions()? as u64)),
            "ru" => self.ru().map(figure_text),
            "ru-each" => Some(figure_text(self.ru()? / real(partitions()? as u64))),
            "stored" => {
                let stored = stored_kib(&self.data.capture, self.number);
                stored.or(self.row().map(|row| row.size_kib)).map(kib_text)
            }
            "keys" => self.row().map(|row| count_text(row.keys_total)),
            "partition-stored" => {
                let partitions = &self.container()?.partitions;
                let found = partitions.iter().find(|p| p.id == of)?;
                found.kib.map(kib_text)
            }
            _ => None,
        }
    }

    fn of_keys(&self, name: &str) -> Option<String> {
        let standing = &self.row()?.standing;
        let largest = standing.largest.as_ref();
        match name {
            "largest-key" => Some(self.cx.mask.key_text(largest?.key.as_deref())),
            "largest-share" => Some(percent_text(largest?.share)),
            "largest-growth" => Some(kib_text(largest?.growth.as_ref()?.kib_per_day)),
            "first-full" => {
                let (row, _) = standing.first_at_limit()?;
                Some(self.cx.mask.key_text(row.key.as_deref()))
            }
            "full-on" => {
                let (_, date) = standing.first_at_limit()?;
                Some(limit_date_text(&date, self.data.report.as_of))
            }
            "earliest" | "latest" => match standing.first_at_limit()?.1 {
                LimitDate::Date { earliest, .. } if name == "earliest" => {
                    Some(earliest.date_text())
                }
                LimitDate::Date { latest, .. } => latest.map(Stamp::date_text),
                _ => None,
            },
            _ => None,
        }
    }

    /// A figure that every screen and report has; `of` a key or a partition, or of the one there is.
    fn named(&self, name: &str, of: &str) -> Option<String> {
        let id = FigureId::named(name)?;
        let of_load = self.outcome().into_iter().flat_map(Outcome::figures);
        let of_keys = self.row().into_iter().flat_map(|row| row.standing.figures());
        let mut all = of_load.chain(of_keys);
        let found = all.find(|figure| figure.id == id && (of.is_empty() || figure.subject == of));
        found.map(Figure::text)
    }

    fn of_load(&self, name: &str, of: &str) -> Option<String> {
        let worst = || self.diagnosis()?.worst();
        let key = || self.outcome()?.hottest_key.as_ref();
        let minute = |at: Stamp| clock(at.seconds(), Precision::Minutes);
        let text = |key: &KeyOutcome| {
            let json = Key::from_canonical(&key.key).map(|key| key.json());
            self.cx.mask.key_text(json.as_deref())
        };
        let hottest = || {
            let partitions = &self.outcome()?.partitions;
            partitions.iter().max_by(|a, b| a.mean.total_cmp(&b.mean))
        };
        match name {
            "hot-key" => key().map(text),
            "hot-partition" => hottest().map(|p| p.id.clone()),
            "hot-partition-ru" => Some(figure_text(hottest()?.mean)),
            "used" => {
                let served: Option<f64> = self.outcome()?.partitions.iter().map(|p| p.served).sum();
                Some(percent_text(served? / self.ru()?))
            }
            "verdict" => worst().map(|verdict| verdict.rule.name().to_owned()),
            "since" => worst()?.since.map(minute),
            "until" => worst()?.until.map(minute),
            "remedy" | "remedy-ru" => {
                let lines = worst()?.remedy_lines();
                let found = lines.into_iter().find(|line| line.remedy == of)?;
                let text = if name == "remedy" { found.throttled } else { found.ru };
                Some(text).filter(|text| !text.is_empty())
            }
            _ => None,
        }
    }

    /// Where values of the key lie, also those that no input has.
    fn of_places(&self, name: &str, of: &str) -> Option<String> {
        if !matches!(name, "partition-of" | "hash-of" | "position-of" | "places-of") {
            return None;
        }
        let ranges = LocateRanges::of(&self.data.capture, self.number)?;
        let values = pieces(of);
        let values = values.iter().filter_map(|value| Key::from_cell(value));
        let found = Located::of(ranges, values.collect());
        let each = |text: fn(&LocatedKey) -> Option<String>| {
            let texts: Option<Vec<String>> = found.keys.iter().map(text).collect();
            texts.map(|texts| texts.join(", "))
        };
        match name {
            "partition-of" => each(|key| key.partitions.first().cloned()),
            "position-of" => each(|key| key.position.map(percent_text)),
            "hash-of" => each(|key| key.epk.as_ref().map(ToString::to_string)),
            _ => {
                let used: BTreeSet<&String> =
                    found.keys.iter().flat_map(|key| &key.partitions).collect();
                Some(count_text(used.len() as u64))
            }
        }
    }

    /// `tried: LABEL` of the chosen key, `today: LABEL` of the container's own; `route: REQUEST` of the chosen one.
    fn of_trial(&self, name: &str, of: &str) -> Option<String> {
        let [today, chosen] = self.views.trial.results();
        let cell = |of_key: Option<&CandidateReport>| {
            let (_, cell) = ROWS.iter().find(|(label, _)| *label == of)?;
            // In a sentence no columns stand apart.
            Some(cell(of_key?).replace("  ", ", "))
        };
        match name {
            "tried" if of.is_empty() => {
                let key = chosen?.trial.candidate.to_string();
                Some(visible(&key).into_owned())
            }
            "tried" => cell(chosen),
            "today" => cell(today),
            "route" | "request-ru" | "request-rate" => {
                let mut routed = chosen?.routed.iter();
                let found = routed.find(|routed| routed.name == of)?;
                match name {
                    "route" => Some(routing_text(found.route.routing)),
                    "request-ru" => found.price.as_ref().map(|price| figure_text(price.ru_each)),
                    _ => found.per_second.map(figure_text),
                }
            }
            "tried-partitions" => {
                let used = chosen?.trial.placement.partitions.len();
                Some(count_text(used as u64))
            }
            _ => None,
        }
    }

    /// Of the time-lapse: `then: partitions`, `then: full keys`, `then: throttled`, `then: 403s` at its end.
    fn of_time(&self, name: &str, of: &str) -> Option<String> {
        let lapse = self.views.forecast.lapse()?;
        let frame = match name {
            "first" => lapse.frames.first()?,
            "then" => lapse.frames.last()?,
            _ => return None,
        };
        match of {
            "throttled" if name == "then" => lapse.throttled_share().map(percent_text),
            "403s" if name == "then" => rejected_writes(&lapse.totals),
            "partitions" => Some(count_text(frame.partitions.len() as u64)),
            "full keys" => Some(count_text(frame.full_keys)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_those_of_the_training_material_or_right_where_it_is_not() {
        let cases = [
            ("1KB * 60 * 90", "5.27 MiB"),
            ("1KB * 60 * 360 * 30.5", "643 MiB"),
            ("20GB / 1KB / 86400", "243"),
            ("2500 * 5", "12,500"),
            ("18000 / 3", "6,000"),
        ];
        for (of, expected) in cases {
            assert_eq!(arithmetic("amount", of).as_deref(), Some(expected), "{of}");
        }
        assert_eq!(arithmetic("apart", "3 on 3").as_deref(), Some("22 %"));
        assert_eq!(arithmetic("shared", "3 on 3").as_deref(), Some("78 %"));
        assert_eq!(arithmetic("amount", "1KB * 1KB"), None);
        assert_eq!(arithmetic("amount", "many"), None);
    }
}
