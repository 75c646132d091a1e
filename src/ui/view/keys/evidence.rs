//! Where each number of the chosen row comes from.

use super::by_ru::{self, LoggedRuKey};
use super::detail::ru_text;
use super::window::growth_sentence;
use crate::analysis::detail::{Detail, detail};
use crate::analysis::growth::LimitDate;
use crate::analysis::mask::NameKind;
use crate::model::capture::SourceInfo;
use crate::model::time::Stamp;
use crate::model::units::{count_text, kib_text, percent_text};
use crate::model::visible::visible;
use crate::report::key_text::key_text;
use crate::report::{limit_sentence, visible_once};
use crate::ui::kit::cx::Cx;
use crate::ui::kit::msg::{Effect, OnScreen};
use crate::ui::view::keys::KeysState;
use crate::work::data::Dataset;

/// Lays the evidence of the chosen key over the screen.
pub fn show(state: &KeysState, cx: &Cx) -> Vec<Effect> {
    match paper(state, cx) {
        Some(lines) => OnScreen::Read("evidence", lines).alone(),
        None => Effect::fail("no key is chosen", None),
    }
}

/// A number and below it where it comes from.
struct Lines(Vec<String>);

impl Lines {
    fn say(&mut self, what: &str, value: &str, why: &str) {
        self.0.push(format!("{what}: {value}"));
        self.0.push(format!("    {why}"));
    }
}

fn paper(state: &KeysState, cx: &Cx) -> Option<Vec<String>> {
    let list = state.list.as_ref()?;
    let data = &list.data;
    if let Some(logged) = state.by_ru.get(state.cursor.chosen) {
        let mut lines = Lines(vec![logged.shown(&cx.mask), String::new()]);
        logged_load(data, list.container, logged, &mut lines);
        return Some(lines.0);
    }
    let key = detail(&data.capture, &data.lookups, state.chosen()?)?;
    let json = key.json.as_deref().map(|json| cx.mask.key(json));
    let mut lines = Lines(vec![key_text(json.as_deref()), String::new()]);
    size(cx, data, &key, &mut lines);
    growth(cx, &key, &mut lines);
    place(data, list.container, &key, &mut lines);
    Some(lines.0)
}

fn size(cx: &Cx, data: &Dataset, key: &Detail, lines: &mut Lines) {
    let unnamed = "an input that is no longer listed".to_owned();
    let region = key.regions.first();
    let source = region.and_then(|region| region.source.as_ref());
    let path = source.map_or(unnamed, |source| {
        visible_once(&cx.mask.name(NameKind::File, &source.path)).into_owned()
    });
    let grade = source.map_or("unknown how", SourceInfo::grade_word);
    let at = region.and_then(|region| region.latest_at);
    let at = at.map_or_else(|| "without a time".to_owned(), Stamp::rfc3339);
    let where_largest = match region.and_then(|region| region.name.as_deref()) {
        Some(name) => format!("{}, where the key is largest", visible(name)),
        None => "the region where the key is largest".to_owned(),
    };
    let count = count_text(region.map_or(0, |region| region.readings));
    lines.say(
        "size",
        &kib_text(key.size_kib),
        &format!("{grade}: {path}, {at}; the newest of {count} in {where_largest}; each region holds all of it"),
    );
    lines.say(
        "± error",
        &kib_text(key.band_kib),
        &format!(
            "computed: {}; the service estimates a key in hundredths of its physical partition",
            key.band_from.words()
        ),
    );
    lines.say(
        "share",
        &percent_text(key.share),
        &format!("computed: size / limit; {}", data.report.ceiling.sentence()),
    );
}

/// Of a key without a size.
fn logged_load(data: &Dataset, container: u32, logged: &LoggedRuKey, lines: &mut Lines) {
    lines.say("size", "not reported", by_ru::NO_SIZES);
    let whole = data.lookups.ru.of_container(container);
    say_share(logged.load.share, logged.load.ru, whole.unwrap_or(logged.load.ru), lines);
    let peak = format!("{} RU/s", ru_text(logged.load.peak_ru_per_second));
    let words = format!(
        "logged: the highest step over all operations, in the region where it is highest; {} records",
        count_text(logged.load.records)
    );
    lines.say("peak", &peak, &words);
}

fn say_share(share: f64, ru: f64, whole: f64, lines: &mut Lines) {
    let (ru, whole) = (ru_text(ru), ru_text(whole));
    let words = format!("computed: {ru} of {whole} RU in the logs of the container, all regions");
    lines.say("RU share", &percent_text(share), &words);
}

fn growth(cx: &Cx, key: &Detail, lines: &mut Lines) {
    let basis = &key.growth_basis;
    let span = match (basis.from, basis.to) {
        (Some(from), Some(to)) => format!(" from {} to {}", from.rfc3339(), to.rfc3339()),
        _ => String::new(),
    };
    let rate = key.growth.as_ref().map(growth_sentence);
    lines.say(
        "growth",
        &rate.unwrap_or_else(|| "unknown".to_owned()),
        &format!(
            "computed: least-squares line through {} samples{span} of one region, those since the last change of rate; its \
             bounds are the slopes that the newer half allows within the error",
            count_text(basis.readings)
        ),
    );
    let formula = match &key.limit_date {
        LimitDate::Over if key.share < 1.0 => {
            "403s of its partition: sizes are estimates, these are not"
        }
        LimitDate::Over => "computed: size >= limit",
        LimitDate::Never => "computed: from the growth and from the month or day in the key",
        _ => {
            "computed: newest sample + (limit - size) / growth; earliest and latest from the bounds"
        }
    };
    let sentence = limit_sentence(&key.limit_date, key.growth.is_some(), key.period_end);
    lines.say(cx.ceiling.heading("20 GB on"), &sentence, formula);
}

fn place(data: &Dataset, container: u32, key: &Detail, lines: &mut Lines) {
    let owner = key.owner.as_ref();
    let needs = "needs the hash ranges of the container's physical partitions, or a container read that lists this key";
    lines.say(
        "physical partition",
        &owner.map_or("unknown".into(), |owner| visible(&owner.partition.id)),
        owner.map_or(needs, |owner| owner.how_known.words()),
    );
    match key.ru.zip(key.ru_share).zip(data.lookups.ru.of_container(container)) {
        Some(((ru, share), whole)) => say_share(share, ru, whole, lines),
        None => lines.say(
            "RU share",
            "unknown",
            "needs the diagnostic log PartitionKeyRUConsumption with records that name this key",
        ),
    }
    if let Some(story) = super::detail::story(data, container, key) {
        let width_s = data.heat.container(container).map_or(1, |heat| heat.keys.width_s);
        let busiest = story.over_time.iter().map(|point| point.1).reduce(f64::max);
        lines.say(
            "peak",
            &busiest.map_or_else(|| "unknown".to_owned(), |ru| format!("{} RU/s", ru_text(ru))),
            &format!(
                "logged: the highest of all steps of {width_s} s, over all operations, in the region where it is highest; \
                 {} records",
                count_text(story.records)
            ),
        );
        lines.say(
            "throttled on its partition",
            "429 and 403 of the request log",
            "logged by physical partition, joined by its GUID: the request log names no key",
        );
    }
}
