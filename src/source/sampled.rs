//! Pages of a sample of documents: what each holds, and which of them belong together. Some hold whole documents, which tell
//! what one weighs, others only some properties of them.

use std::collections::{BTreeMap, BTreeSet};

use super::answers::Answer;
use super::input::Inputs;
use super::json::read;
use super::ledger::Ledger;
use super::live::pages;
use super::live::sampling::stretches::PageOrder;
use super::recording;
use super::watch::Watch;
use crate::error::Error;
use crate::model::documents::{BY_ITSELF, ReadWindow};
use crate::model::path::Path;
use crate::model::time::Stamp;
use crate::model::units::whole_usize;
use crate::model::visible::visible;

/// The name of a place that is all of its partition.
pub const WHOLE_PARTITION: &str = "whole";
/// What the name of a place begins with that is one key.
pub const KEY: &str = "key-";
/// What the name of a place begins with of which a stretch of time is read: sorted by it, stretches stand in their order.
pub const STRETCH: &str = "t";
/// The member of a masked page that tells how large its documents were.
pub const SIZES: &str = "_sizes";

/// What a page is called among others: the physical partition, where in its hash range it began, its number there, and the
/// properties that it holds if not all.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PageName {
    pub range: String,
    pub place: String,
    pub number: u32,
    /// None of whole documents.
    pub paths: Option<Vec<Path>>,
}

impl PageName {
    /// `3/0A1B2C3D/00002`, of some properties `3/0A1B2C3D/00002["/id","/_ts"]`.
    pub fn name(&self) -> String {
        let paths = self.paths.as_ref().map(|paths| {
            let texts: Vec<String> = paths.iter().map(ToString::to_string).collect();
            serde_json::Value::from(texts).to_string()
        });
        let (range, place, number) = (&self.range, &self.place, self.number);
        format!("{range}/{place}/{number:05}{}", paths.unwrap_or_default())
    }

    /// Whether it is of one large key.
    pub fn is_key(&self) -> bool {
        is_key(&self.place)
    }

    /// None for what is no such name.
    pub fn parse(name: &str) -> Option<Self> {
        let end = name.find('[').unwrap_or(name.len());
        let (head, list) = name.split_at_checked(end)?;
        let mut parts = head.split('/');
        let (range, place, number) = (parts.next()?, parts.next()?, parts.next()?);
        let paths = if list.is_empty() {
            None
        } else {
            let texts: Vec<String> = serde_json::from_str(list).ok()?;
            let paths = texts.iter().map(|text| Path::parse(text).ok());
            Some(paths.collect::<Option<_>>()?)
        };
        Some(Self {
            range: range.to_owned(),
            place: place.to_owned(),
            number: number.parse().ok()?,
            paths,
        })
    }
}

/// A page with the partition that it is of, and its window.
#[derive(Clone, Debug)]
struct SamplePage<'a> {
    range: String,
    window: u32,
    answer: &'a Answer,
}

/// One document as it stands in its page.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Document<'a> {
    pub text: &'a str,
    /// What it weighs, where its text does not tell.
    pub bytes: Option<usize>,
    /// Its place among the windows; of a large key, which is read by itself, and of a partition that is read as a whole
    /// each document is taken for drawn by itself.
    pub window: u32,
}

/// The pages of one container.
#[derive(Clone, Debug, Default)]
pub struct SampledPages<'a> {
    whole: Vec<SamplePage<'a>>,
    narrow: Vec<SamplePage<'a>>,
    /// Of the narrow pages.
    pub paths: Vec<Path>,
    /// Partitions, and those of them that were read from their start on.
    pub partitions: usize,
    pub from_start: usize,
    /// Places of their hash ranges at which reading began, and large keys that were read by themselves.
    pub places: usize,
    pub keys: usize,
    pub windows: Vec<ReadWindow>,
}

impl<'a> SampledPages<'a> {
    /// Of a place that was read whole only that counts; of pages with properties those of the newest choice.
    pub fn of(answers: impl Iterator<Item = &'a Answer>) -> Self {
        let mut pages: Vec<(PageName, &Answer)> = Vec::new();
        for answer in answers {
            let name = answer.inquiry.part.as_deref().unwrap_or_default();
            let page = PageName::parse(name).unwrap_or_else(|| PageName {
                range: name.to_owned(),
                place: WHOLE_PARTITION.to_owned(),
                number: 0,
                paths: None,
            });
            pages.push((page, answer));
        }
        forget_older(&mut pages);
        let of_narrow = pages.iter().filter(|(page, _)| page.paths.is_some());
        let newest = of_narrow.max_by_key(|(_, answer)| answer.at);
        let paths = newest.and_then(|(page, _)| page.paths.clone());
        let mut by_place: BTreeMap<(&str, &str), bool> = BTreeMap::new();
        for (page, _) in &pages {
            *by_place.entry((&page.range, &page.place)).or_default() |= page.paths.is_none();
        }
        let ranges: BTreeSet<&str> = by_place.keys().map(|(range, _)| *range).collect();
        let of_start = |(_, place): &&(&str, &str)| *place == WHOLE_PARTITION;
        let from_start = by_place.keys().filter(of_start).count();
        let keys = by_place.keys().filter(|(_, place)| is_key(place)).count();
        let mut sampled = Self {
            partitions: ranges.len(),
            from_start,
            places: by_place.len() - keys,
            keys,
            ..Self::default()
        };
        let is_kept = |(page, _): &&(PageName, &Answer)| {
            let is_whole = by_place.get(&(page.range.as_str(), page.place.as_str()));
            page.paths.is_none() || page.paths == paths && is_whole == Some(&false)
        };
        // In the order of time or of the hash space: neighbours are alike.
        let kept = pages.iter().filter(is_kept);
        let names = kept.map(|(page, _)| (page.range.as_str(), page.place.as_str()));
        let windows = names.filter(|(_, place)| *place != WHOLE_PARTITION && !is_key(place));
        let windows: BTreeSet<(&str, &str)> = windows.collect();
        let numbers: BTreeMap<(&str, &str), u32> = windows.into_iter().zip(0..).collect();
        let window = |(_, place): &(&str, &str)| ReadWindow {
            is_of_time: place.starts_with(STRETCH),
            ..ReadWindow::default()
        };
        sampled.windows = numbers.keys().map(window).collect();
        for (page, answer) in pages.iter().filter(is_kept) {
            let window = numbers.get(&(page.range.as_str(), page.place.as_str()));
            let window = window.copied().unwrap_or(BY_ITSELF);
            let read = pages::window_of(&answer.body);
            if let (Some(held), Some(read)) = (sampled.windows.get_mut(window as usize), read) {
                held.is_whole |= read.is_whole;
                held.bounds = read.bounds.filter(|_| !held.is_of_time);
            }
            let range = page.range.clone();
            let held = SamplePage { range, window, answer };
            match page.paths {
                None => sampled.whole.push(held),
                Some(_) => sampled.narrow.push(held),
            }
        }
        sampled.paths = paths.unwrap_or_default();
        sampled
    }

    pub fn is_empty(&self) -> bool {
        self.whole.is_empty() && self.narrow.is_empty()
    }

    /// Whether some of the documents have only some properties.
    pub fn is_narrow(&self) -> bool {
        !self.narrow.is_empty()
    }

    /// Whether documents come in the order of their last write.
    pub fn is_by_time(&self) -> bool {
        let mut order = PageOrder::default();
        self.whole.iter().chain(&self.narrow).for_each(|page| order.learn(&page.answer.body));
        order.is_by_time()
    }

    /// Whole documents with their partition, in the order of the pages.
    pub fn whole(&self) -> impl Iterator<Item = (&str, Document<'a>)> {
        self.whole.iter().flat_map(documents)
    }

    /// The windows as far as whole documents tell of them: of others nothing was read.
    pub fn windows_of_whole(&self) -> Vec<ReadWindow> {
        let mut windows = self.windows.clone();
        for held in &self.narrow {
            if let Some(window) = windows.get_mut(held.window as usize) {
                window.is_whole = false;
            }
        }
        windows
    }

    /// Documents with some properties, and their partition.
    pub fn narrow(&self) -> impl Iterator<Item = (&str, Document<'a>)> {
        self.narrow.iter().flat_map(documents)
    }
}

/// What a recording holds, and the container of which it holds documents.
#[derive(Clone, Debug)]
pub struct Recorded {
    ledger: Ledger,
    database: String,
    container: String,
    /// What is to be said of the recording.
    pub notes: Vec<String>,
}

impl Recorded {
    pub fn sampled(&self) -> SampledPages<'_> {
        SampledPages::of(self.ledger.documents(&self.database, &self.container))
    }
}

/// The documents of the one recording that the inputs are; None where they are something else.
pub fn recorded(
    inputs: &Inputs,
    wanted: Option<&str>,
    watch: &Watch,
) -> Result<Option<Recorded>, Error> {
    let mut readable = inputs.readable();
    let (Some(input), None) = (readable.next(), readable.next()) else {
        return Ok(None);
    };
    if !input.open().is_ok_and(|opened| recording::begins(&opened)) {
        return Ok(None);
    }
    watch.begin(&input.shown);
    let refused = |what: &str, next: &str| Error::refused(input.shown.clone(), what, next);
    let (ledger, notes) = recording::whole(input, watch)
        .map_err(|e| refused(&e.what, e.next.as_deref().unwrap_or_default()))?;
    let mut held: Vec<(String, String)> = ledger.sampled().into_keys().collect();
    let names = |held: &[(String, String)]| {
        let names = held.iter().map(|(d, c)| visible(&format!("{d}/{c}")).into_owned());
        names.collect::<Vec<_>>().join(", ")
    };
    let all = names(&held);
    if let Some(wanted) = wanted {
        held.retain(|(database, container)| {
            wanted == container || wanted == format!("{database}/{container}")
        });
    }
    match held.as_slice() {
        [_] => Ok(held.pop().map(|(database, container)| Recorded {
            ledger,
            database,
            container,
            notes,
        })),
        [] if all.is_empty() => Err(refused(
            "this recording has no documents: no sample was taken while it ran",
            "take a sample (4 in the trial view of connect --record FILE), or give documents as JSON",
        )),
        [] => Err(refused(
            &format!("this recording has no documents of that container, but of {all}"),
            "name one of these with --container",
        )),
        _ => Err(refused(
            &format!("this recording holds documents of several containers: {all}"),
            "name one of them with --container, or open it with cosmoscope replay",
        )),
    }
}

fn is_key(place: &str) -> bool {
    place.starts_with(KEY)
}

/// Where a place was read once more, with the same properties, the newer reading counts.
fn forget_older(pages: &mut Vec<(PageName, &Answer)>) {
    let mut begun: BTreeMap<String, Stamp> = BTreeMap::new();
    for (page, answer) in pages.iter().filter(|(page, _)| page.number == 0) {
        let at = begun.entry(page.name()).or_insert(answer.at);
        *at = (*at).max(answer.at);
    }
    let first = |page: &PageName| PageName { number: 0, ..page.clone() };
    pages.retain(|(page, answer)| {
        let newest = begun.get(&first(page).name());
        newest.is_none_or(|at| answer.at >= *at)
    });
}

fn documents<'h, 'a>(held: &'h SamplePage<'a>) -> impl Iterator<Item = (&'h str, Document<'a>)> {
    let entries = pages::entries(&held.answer.body).unwrap_or_default();
    let mut sizes = sizes(&held.answer.body).into_iter();
    entries.into_iter().map(move |text| {
        let bytes = sizes.next();
        let window = held.window;
        (held.range.as_str(), Document { text, bytes, window })
    })
}

fn sizes(body: &[u8]) -> Vec<usize> {
    let read = || {
        let members = read::members(std::str::from_utf8(body).ok()?).ok()??;
        let list = read::elements(read::member(&members, SIZES)?).ok()??;
        Some(list.iter().map_while(|n| n.trim().parse().ok()).collect())
    };
    read().unwrap_or_default()
}

/// What documents weigh: by partition and over all, from those that are whole.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Weights {
    by_range: BTreeMap<String, Sums>,
    all: Sums,
}

#[derive(Clone, Copy, PartialEq, Debug, Default)]
struct Sums {
    count: f64,
    sum: f64,
    squares: f64,
}

/// Fewer whole documents of a partition tell less of it than all of them together.
const ENOUGH: f64 = 20.0;
/// 95 % of a normal distribution lie within so many deviations.
const Z: f64 = 1.96;

impl Sums {
    fn add(&mut self, bytes: f64) {
        self.count += 1.0;
        self.sum += bytes;
        self.squares += bytes * bytes;
    }

    fn mean(&self) -> f64 {
        self.sum / self.count.max(1.0)
    }
}

impl Weights {
    pub fn add(&mut self, range: &str, bytes: usize) {
        let bytes = crate::model::units::real(bytes as u64);
        self.all.add(bytes);
        self.by_range.entry(range.to_owned()).or_default().add(bytes);
    }

    /// The mean of its partition; of all where too few of it are known.
    pub fn of(&self, range: &str) -> usize {
        let own = self.by_range.get(range).filter(|s| s.count >= ENOUGH);
        let mean = own.unwrap_or(&self.all).mean();
        whole_usize(mean.round().max(1.0))
    }

    pub fn is_empty(&self) -> bool {
        self.all.count < 1.0
    }

    /// The mean over all, and how far it may be off with 95 %; none of a single one.
    pub fn mean(&self) -> (f64, Option<f64>) {
        let Sums { count, sum: _, squares } = self.all;
        let mean = self.all.mean();
        let doubt = (count > 1.0).then(|| {
            let variance = (squares - count * mean * mean).max(0.0) / (count - 1.0);
            Z * (variance / count).sqrt()
        });
        (mean, doubt)
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;
    use crate::model::time::Stamp;
    use crate::source::answers::{Inquiry, Kind};

    fn answer(name: &str, second: i64, body: &str) -> Answer {
        Answer {
            at: Stamp::from_seconds(second).unwrap(),
            inquiry: Inquiry::container(Kind::Documents, "d", "c").part(name),
            body: body.as_bytes().into(),
            ru: None,
        }
    }

    #[test]
    fn a_page_is_known_by_its_name() {
        let paths = ["/id", r#"/"a [b]"/c"#].map(|path| Path::parse(path).unwrap());
        for paths in [None, Some(paths.to_vec())] {
            let page =
                PageName { range: "12".to_owned(), place: "0A1B2C3D".to_owned(), number: 7, paths };
            assert_eq!(PageName::parse(&page.name()), Some(page));
        }
        for name in ["", "3", "3/0A", "3/0A/x", "3/0A/1[", "3/0A/1[\"a\"]"] {
            assert_eq!(PageName::parse(name), None, "{name}");
        }
    }

    #[test]
    fn the_newest_choice_counts_and_a_place_that_was_read_whole() {
        let pages = [
            answer("0/A/00000", 1, r#"{"Documents":[{"id":"1"}],"_sizes":[99]}"#),
            answer(r#"0/B/00000["/a"]"#, 2, r#"{"Documents":[{"a":2}]}"#),
            answer(r#"0/B/00000["/b"]"#, 3, r#"{"Documents":[{"b":3}]}"#),
            answer(r#"1/whole/00000["/b"]"#, 3, r#"{"Documents":[{"b":4}]}"#),
            answer("1/whole/00000", 1, r#"{"Documents":[{"id":"5"}]}"#),
            answer(r#"0/key-0A/00000["/b"]"#, 3, r#"{"Documents":[{"b":6}]}"#),
        ];
        let sampled = SampledPages::of(pages.iter());
        let whole: Vec<_> = sampled.whole().collect();
        let text = |text, bytes, window| Document { text, bytes, window };
        assert_eq!(
            whole,
            [
                ("0", text(r#"{"id":"1"}"#, Some(99), 0)),
                ("1", text(r#"{"id":"5"}"#, None, BY_ITSELF))
            ]
        );
        let narrow: Vec<_> = sampled.narrow().collect();
        assert_eq!(
            narrow,
            [("0", text(r#"{"b":3}"#, None, 1)), ("0", text(r#"{"b":6}"#, None, BY_ITSELF))]
        );
        assert_eq!((sampled.partitions, sampled.from_start), (2, 1));
        assert_eq!((sampled.places, sampled.keys), (3, 1));
    }

    #[test]
    fn properties_that_are_chosen_again_are_those_of_the_newer_reading() {
        let pages = [
            answer(r#"0/B/00000["/a"]"#, 1, r#"{"Documents":[{"a":1}]}"#),
            answer(r#"0/B/00001["/a"]"#, 2, r#"{"Documents":[{"a":2}]}"#),
            answer(r#"0/B/00000["/b"]"#, 3, r#"{"Documents":[{"b":1}]}"#),
            answer(r#"0/B/00000["/a"]"#, 4, r#"{"Documents":[{"a":1},{"a":2}]}"#),
            answer(r#"0/B/00001["/a"]"#, 5, r#"{"Documents":[{"a":3}]}"#),
        ];
        let sampled = SampledPages::of(pages.iter());
        let narrow: Vec<&str> = sampled.narrow().map(|(_, one)| one.text).collect();
        assert_eq!(narrow, [r#"{"a":1}"#, r#"{"a":2}"#, r#"{"a":3}"#]);
    }

    #[test]
    fn sizes_are_the_mean_of_the_partition_where_enough_is_known() {
        let mut weights = Weights::default();
        (0..30).for_each(|n| weights.add("0", 90 + n % 2 * 20));
        weights.add("1", 1_000);
        assert_eq!([weights.of("0"), weights.of("1")], [100, 129]);
        let (mean, doubt) = weights.mean();
        assert!((mean - 129.0).abs() < 0.1 && doubt.unwrap() > 10.0);
    }
}
