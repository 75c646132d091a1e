//! A container in time as pictures: a strip of all partitions, and single moments to go through.

use std::fmt::Write as _;
use std::io::{self, Write};

use super::{TimeLapse, compared, event_text, headline, when};
use crate::analysis::heat::grid::Window;
use crate::analysis::heat::{Aggregate, Measure};
use crate::analysis::simulate::{EventCause, LapseEvent, LapseFrame, PartitionFrame};
use crate::model::time::Stamp;
use crate::model::units::{
    PHYSICAL_CEILING_KIB, as_number, kib_text, percent_text, single, trimmed_text, whole_text,
    whole_usize,
};
use crate::model::visible::{shorten, visible};
use crate::report::Style;
use crate::report::escape::escape;
use crate::report::heat::{HeatMap, MapRow, MapScale, TrackRow, svg_figure, svg_page};

const COLUMNS: usize = 240;
/// Rows of partitions; further ones are left out.
const MOST_ROWS: usize = 200;
const BAR: f64 = 190.0;
const LINE: f64 = 18.0;
const LEFT: f64 = 80.0;
const ID_COLUMNS: usize = 10;
const WIDTH: f64 = 600.0;

/// Names of all partitions that there ever are: those that a split made below the one that was split.
fn lineage(lapse: &TimeLapse) -> Vec<String> {
    let first = lapse.frames.first();
    let mut names: Vec<String> =
        first.iter().flat_map(|frame| frame.partitions.iter().map(|p| p.id.clone())).collect();
    for event in &lapse.events {
        let (EventCause::Children(children), Some(parent)) = (&event.cause, &event.partition)
        else {
            continue;
        };
        let after = names.iter().position(|name| name == parent);
        let after = after.map_or(names.len(), |at| at + 1);
        names.splice(after..after, children.iter().map(|child| child.id.clone()));
    }
    names
}

/// Sizes of partitions against 50 GB, and where they throttle.
fn map(lapse: &TimeLapse) -> Option<HeatMap> {
    let start = lapse.start.map_or(0, Stamp::seconds);
    let span = (start, start.saturating_add(lapse.seconds));
    let mut window = Window::around(span.0, span.1, COLUMNS, 1);
    let last = window.column(span.1.saturating_sub(1));
    window.columns = last.map_or(window.columns, |column| column + 1);
    let row = |id: String| MapRow {
        partitions: vec![id],
        cells: vec![f32::NAN; window.columns],
        throttled: vec![0.0; window.columns],
        p99: None,
    };
    let mut rows: Vec<MapRow> = lineage(lapse).into_iter().take(MOST_ROWS).map(row).collect();
    let mut next = lapse.frames.iter().peekable();
    let mut frame = next.next()?;
    for column in 0..window.columns {
        let end = window.cell(column).1.saturating_sub(start);
        while let Some(later) = next.next_if(|later| later.at_s < end) {
            frame = later;
        }
        for partition in &frame.partitions {
            let of = |row: &&mut MapRow| row.partitions.first() == Some(&partition.id);
            let Some(row) = rows.iter_mut().find(of) else {
                continue;
            };
            if let (Some(cell), Some(kib)) = (row.cells.get_mut(column), partition.kib) {
                *cell = single(kib);
            }
            if let Some(cell) = row.throttled.get_mut(column) {
                *cell = single(partition.throttled_share.unwrap_or(0.0));
            }
        }
    }
    for row in &mut rows {
        row.p99 = percentile_99(&row.cells);
    }
    let scale = MapScale::of(Measure::Storage, &[], 0.0);
    Some(HeatMap {
        track: TrackRow {
            measure: Measure::Storage,
            region: None,
            step_s: window.width_s,
            from: "simulation".to_owned(),
            span: Some(span),
        },
        window,
        rows,
        merged: 1,
        scale,
        together: vec![f32::NAN; window.columns],
        along: Aggregate::Sum,
        throttled_step_s: None,
        silent: 0,
    })
}

fn percentile_99(cells: &[f32]) -> Option<f64> {
    let mut known: Vec<f32> = cells.iter().copied().filter(|cell| !cell.is_nan()).collect();
    known.sort_by(f32::total_cmp);
    let at = whole_usize((as_number(known.len()) * 0.99).floor());
    known.get(at.min(known.len().saturating_sub(1))).map(|cell| f64::from(*cell))
}

/// One picture for all keys.
pub fn svg(lapses: &[TimeLapse], _: usize, _: Style, to: &mut dyn Write) -> io::Result<()> {
    let parts: Vec<(String, Vec<String>, Option<HeatMap>)> = lapses
        .iter()
        .map(|lapse| (compared::title(lapse), vec![headline(lapse)], map(lapse)))
        .collect();
    to.write_all(svg_page("Simulation", &parts).as_bytes())
}

/// The strip, and below it the moments to choose from: the beginning, each event and the end.
pub(super) fn figures(lapse: &TimeLapse, id: usize, top: usize) -> String {
    let mut out = map(lapse).map(|map| svg_figure(&map, id)).unwrap_or_default();
    let moments = moments(lapse, top);
    let _ = writeln!(
        out,
        "<fieldset class=\"lapse\" style=\"grid-template-rows: repeat({}, auto) 1fr\">\n<legend>Moments</legend>",
        moments.len()
    );
    for (number, (frame, events)) in moments.iter().enumerate() {
        let at = format!("at-{id}-{number}");
        let checked = if number == 0 { " checked" } else { "" };
        let mut name: Vec<String> = events.iter().map(|event| event_text(lapse, event)).collect();
        if name.is_empty() {
            name.push(when(lapse, frame.at_s));
        }
        let name = name.iter().map(|line| format!("<bdi>{}</bdi>", escape(line)));
        let _ = writeln!(
            out,
            "<input type=\"radio\" name=\"lapse-{id}\" id=\"{at}\"{checked}><label for=\"{at}\">{}</label>\n\
             <figure>{}</figure>",
            name.collect::<Vec<_>>().join("<br>"),
            picture(lapse, frame)
        );
    }
    out.push_str("</fieldset>\n");
    out
}

/// The first frame, those with what happened since the frame before, and the last. Events of the first second go to the
/// second frame: the first one has no load yet.
fn moments(lapse: &TimeLapse, top: usize) -> Vec<(&LapseFrame, &[LapseEvent])> {
    let mut events = lapse.events.get(..top).unwrap_or(&lapse.events);
    let last = lapse.frames.len().saturating_sub(1);
    let mut moments = Vec::new();
    for (number, frame) in lapse.frames.iter().enumerate() {
        let has_load = number > 0 || number == last;
        let until = events.partition_point(|event| has_load && event.at_s <= frame.at_s);
        let (now, later) = events.split_at(until);
        if !now.is_empty() || number == 0 || number == last {
            moments.push((frame, now));
        }
        events = later;
    }
    moments
}

/// A bar for each partition.
fn picture(lapse: &TimeLapse, frame: &LapseFrame) -> String {
    let count = frame.partitions.len().min(MOST_ROWS);
    let height = trimmed_text(LINE * as_number(count + 2));
    let width = trimmed_text(WIDTH);
    let mut out = format!(
        "<svg width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" font-size=\"12\" fill=\"#1b1f24\">\n\
         <text x=\"8\" y=\"14\" font-weight=\"bold\">{}</text>\n",
        escape(&when(lapse, frame.at_s))
    );
    for (number, partition) in frame.partitions.iter().take(count).enumerate() {
        push_bar(partition, LINE * as_number(number + 1), &mut out);
    }
    out.push_str("</svg>");
    out
}

fn push_bar(partition: &PartitionFrame, top: f64, out: &mut String) {
    let [y, text_y] = [top + 4.0, top + 14.0].map(trimmed_text);
    let share = partition.kib.map_or(0.0, |kib| kib / PHYSICAL_CEILING_KIB);
    let colour = if partition.throttled_share.is_some_and(|share| share > 0.0) {
        "#a50f15"
    } else {
        "#629fcd"
    };
    let [left, bar, filled] = [LEFT, BAR, BAR * share.min(1.0)].map(trimmed_text);
    let mut said: Vec<String> = partition.kib.map(kib_text).into_iter().collect();
    if partition.is_splitting {
        said.push("splits".to_owned());
    }
    let ru = partition.demand.zip(partition.ru_per_second);
    said.extend(ru.map(|(of, most)| format!("{} of {} RU/s", whole_text(of), whole_text(most))));
    let share = partition.throttled_share.filter(|share| *share > 0.0);
    said.extend(share.map(|share| format!("429: {}", percent_text(share))));
    let _ = writeln!(
        out,
        "<text x=\"{}\" y=\"{text_y}\" text-anchor=\"end\">{}</text><rect x=\"{left}\" y=\"{y}\" width=\"{bar}\" height=\"12\" fill=\"#eff6fb\"/><rect x=\"{left}\" y=\"{y}\" width=\"{filled}\" height=\"12\" fill=\"{colour}\"/><text x=\"{}\" y=\"{text_y}\">{}</text>",
        trimmed_text(LEFT - 8.0),
        escape(&shorten(&visible(&partition.id), ID_COLUMNS)),
        trimmed_text(LEFT + BAR + 8.0),
        escape(&said.join(", "))
    );
}
