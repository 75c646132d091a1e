//! Where each number of the chosen row comes from.

use super::window::{growth_sentence, key_shown};
use crate::analysis::growth::Wall;
use crate::analysis::key_row::key_row;
use crate::analysis::mask::Kind;
use crate::app::{App, Overlay};
use crate::model::units::{count_text, kib_text, percent_text};
use crate::report::visible_once;
use crate::view::papers;

/// Lays the evidence of the chosen key over the screen.
pub fn show(app: &mut App) {
    match paper(app) {
        Some(paper) => app.overlay = Some(Overlay::Paper(paper)),
        None => app.fail("there is no key whose numbers could be told", None),
    }
}

fn paper(app: &App) -> Option<papers::State> {
    let list = app.keys.list.as_ref()?;
    let id = app.keys.chosen()?;
    let data = &list.data;
    let found = key_row(&data.capture, &data.lookups, id)?;
    let (row, series) = (&found.row, &found.series);
    let ceiling = data.report.ceiling;
    let mut lines = vec![key_shown(row, &app.mask), String::new()];
    let mut say = |name: &str, value: String, why: String| {
        lines.push(format!("{name}: {value}"));
        lines.push(format!("    {why}"));
    };
    let source = data.capture.sources.get(usize::from(series.source));
    let path = source.map_or_else(
        || "an input that is no longer listed".to_owned(),
        |s| visible_once(&app.mask.name(Kind::File, &s.path)).into_owned(),
    );
    let grade = source
        .and_then(|s| s.grade)
        .map_or("origin not said", |g| g.word());
    let at = row.sampled_at.map_or_else(
        || "without a time".to_owned(),
        |at| format!("at {}", at.rfc3339()),
    );
    let readings = match series.count() {
        1 => "1 reading".to_owned(),
        n => format!("{} readings", count_text(n)),
    };
    say(
        "size",
        kib_text(row.size_kib),
        format!(
            "{grade}, from {path}, {at}: the newest reading in the region where the key is largest, of {readings}"
        ),
    );
    say(
        "may be off by",
        kib_text(row.band_kib),
        "computed: 1 % of the physical partition, for the service estimates in hundredths of it; 50 GiB where its size is \
         not known"
            .to_owned(),
    );
    say(
        "share",
        percent_text(row.share),
        format!("computed: size / ceiling; {}", ceiling.sentence()),
    );
    say(
        "growth",
        row.growth
            .as_ref()
            .map_or_else(|| "not known".to_owned(), growth_sentence),
        format!(
            "computed: least-squares line through {readings} of that region; the bounds are the slopes if every reading were \
             off as far as it may"
        ),
    );
    let wall = match &row.wall {
        Wall::Over => "reached".to_owned(),
        Wall::Date { at, .. } => at.rfc3339(),
        Wall::Never => "none: it does not grow".to_owned(),
        Wall::Unknown => "not known".to_owned(),
    };
    say(
        "wall",
        wall,
        "computed: newest reading + (ceiling - size) / growth; its interval from the bounds of the growth".to_owned(),
    );
    let view = data.capture.sizes.view(id)?;
    let (container, canonical) = (view.container(), view.canonical());
    let owner = data.lookups.places.owner(container, canonical);
    let owner = owner.and_then(|(index, how)| {
        let partition = data.capture.container(container)?.partitions.get(index)?;
        Some((visible_once(&partition.id).into_owned(), how.words()))
    });
    let (value, why) = match owner {
        Some((id, how)) => (id, how.to_owned()),
        None => (
            "not known".to_owned(),
            "needs the physical partitions with their hash ranges, or a container read that lists this key".to_owned(),
        ),
    };
    say("physical partition", value, why);
    let ru = data
        .lookups
        .ru
        .of_key(&data.capture.load, container, canonical);
    let whole = data.lookups.ru.of_container(container).filter(|w| *w > 0.0);
    let (value, why) = match (ru, whole) {
        (Some(ru), Some(whole)) => (
            percent_text(ru / whole),
            format!(
                "computed: {ru:.1} RU of {whole:.1} RU that the logs give for the container, over all regions"
            ),
        ),
        _ => (
            "not known".to_owned(),
            "needs the diagnostic log PartitionKeyRUConsumption with records that name this key"
                .to_owned(),
        ),
    };
    say("RU share", value, why);
    Some(papers::State::new("evidence", lines))
}
