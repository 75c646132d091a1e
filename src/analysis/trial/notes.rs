//! What is to be said beside the numbers of all candidates: where they are from, and what they rest on.

use super::super::routing::PointOperation;
use super::super::routing::workload::{Request, RequestKind};
use super::forecast::{ForecastReason, SAME_SIZE};
use super::key_placement::LayoutFrom;
use super::settings::Weight;
use super::{DemandMapping, Trial, Trials};
use crate::model::layout::SplitPoint;
use crate::model::time::Stamp;
use crate::model::units::{count_text, counted, kib_text, percent_text, tenths_text};

/// Of these no growth is counted from a day.
const UNDATED: [ForecastReason; 2] = [ForecastReason::NoTime, ForecastReason::SizeUnknown];

impl Trials {
    /// `made` are the trials that are shown.
    pub fn notes(&self, made: &[&Trial]) -> Vec<String> {
        let mut notes = Vec::new();
        notes.extend(self.weight_note());
        notes.extend(self.charges_note());
        notes.extend(self.refused_note());
        let settings = self.settings();
        let first = made.first();
        if let Some(as_of) = first.and_then(|t| t.ahead.as_of)
            && made.iter().any(|t| !UNDATED.contains(&t.ahead.because))
        {
            let from = match settings.as_of {
                Some(_) => "as given",
                None => "the time of the newest document",
            };
            notes.push(format!(
                "sizes hold for {}, {from}; growth is counted from there",
                as_of.date_text()
            ));
        }
        notes.extend(made.iter().filter_map(|trial| self.layout_note(trial)));
        if let (Some(clock), Some(path)) = (&self.prepared.clock, self.prepared.time())
            && let Some(late) = clock.late
        {
            let date = |at: Option<Stamp>| at.map_or_else(String::new, Stamp::date_text);
            notes.push(format!(
                "{} {} or later by {}, long after all others: taken for wrong; the newest time is {}",
                counted(late.documents as u64, "document is dated", "documents are dated"),
                date(late.from),
                path,
                date(clock.last())
            ));
        }
        notes.extend(self.apart_note());
        let disagreements = self.prepared().disagreements().iter();
        for found in disagreements.filter(|found| found.readings.is_none()) {
            notes.push(format!(
                "two properties look like the time of a document and disagree: {} of pairs of documents are the other way \
                 round by {} than by {}; --time names the one to use",
                percent_text(found.share),
                found.other,
                found.one
            ));
        }
        notes
    }

    /// One moment in several forms that do not agree.
    fn apart_note(&self) -> Option<String> {
        let all = self.prepared().disagreements().iter();
        let apart: Vec<_> = all.filter_map(|found| Some((found, found.readings?))).collect();
        let (first, [used, _]) = apart.first()?;
        let mut readings = vec![format!("{} {}", first.one, used.second_text())];
        let others = apart.iter().map(|(found, [_, at])| (&found.other, at));
        readings.extend(others.map(|(path, at)| format!("{path} {}", at.second_text())));
        Some(format!(
            "the times of one document disagree: {}; --time names the one to use",
            readings.join(", ")
        ))
    }

    /// On which ranges a key lies, where they are not those of a new container.
    fn layout_note(&self, trial: &Trial) -> Option<String> {
        let n = count_text(trial.placement.partitions.len() as u64);
        Some(match trial.placement.layout {
            // That they are split is seen beside the partitions.
            LayoutFrom::Creation | LayoutFrom::StorageSplit { .. } => return None,
            LayoutFrom::CreationSplit { from } => {
                let after = if from < trial.placement.partitions.len() {
                    format!("it splits inside the first level: {n} partitions")
                } else {
                    "it stays with them".to_owned()
                };
                let from = counted(from as u64, "partition", "partitions");
                format!(
                    "{}: its first level is too hot for one of a new container's partitions. Created with {from} and raised \
                     once the data is in, {after}",
                    trial.candidate
                )
            }
            LayoutFrom::Today => {
                format!("the current key lies on the container's own {n} hash ranges")
            }
            LayoutFrom::TodaySplit { from } => {
                let cut = match self.settings().cut {
                    SplitPoint::Data => "where half of the data lies on each side",
                    SplitPoint::Midpoint => "in the middle of their hash ranges",
                };
                let from = count_text(from as u64);
                format!(
                    "the current key lies on the container's own {from} hash ranges, split {cut} until there are {n}"
                )
            }
        })
    }

    /// That other keys have to hold more than today's, whose full keys get 403.
    fn refused_note(&self) -> Option<String> {
        let today = self.settings().today.as_deref().filter(|today| today.is_full())?;
        let (stored, all) = (today.stored_bytes?, self.whole().bytes);
        let is_more = !self.settings().is_size_expected && all > stored * (1.0 + SAME_SIZE);
        let [stored, all] = [stored, all].map(|bytes| kib_text(bytes / 1024.0));
        let words =
            || format!("{stored} are stored; with the writes that got 403, other keys hold {all}");
        is_more.then(words)
    }

    fn charges_note(&self) -> Option<String> {
        let requests = &self.settings().workload.requests;
        let is_estimated = |r: &&Request| r.ru.is_none() && matches!(r.kind, RequestKind::Point(_));
        let estimated = requests.iter().filter(is_estimated).count() as u64;
        let document_kib = self.document_kib();
        let of = |operation| tenths_text(Request::point("", operation).charge(document_kib));
        (estimated > 0).then(|| {
            format!(
                "charges of {} are estimates from the service's published figures, for documents of {}: {} RU to read one by \
                 its id, {} to write it",
                counted(estimated, "request", "requests"),
                kib_text(document_kib),
                of(PointOperation::Read),
                of(PointOperation::Create)
            )
        })
    }

    fn weight_note(&self) -> Option<String> {
        let asked = self.settings().weight;
        let DemandMapping::By(spread) = self.mapped() else {
            return match asked {
                Weight::Documents => None,
                Weight::Bytes => Some("RU are shared out by bytes: each byte is taken to cost the same".to_owned()),
                Weight::Logged => Some(
                    "no logged RU belong to keys of these documents: each document is taken to cost the same RU".to_owned(),
                ),
            };
        };
        let rest = if spread.unnamed_documents > 0 {
            format!(
                "; the rest is spread over the {} documents whose key no record names",
                count_text(spread.unnamed_documents)
            )
        } else {
            String::new()
        };
        Some(format!(
            "RU are those of the logs: {} of them belong to {} of {} logged keys that these documents have, each spread \
             over its documents{rest}",
            percent_text(spread.matched_ru / spread.logged_ru.max(f64::MIN_POSITIVE)),
            count_text(spread.matched_keys),
            count_text(spread.logged_keys)
        ))
    }
}
