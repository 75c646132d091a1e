//! What is known of the chosen container, in lines.

use std::fmt::Write as _;

use ratatui::text::Span;

use super::rows::{Finding, Row, Subject, shown_key};
use super::verdicts;
use crate::analysis::ceiling::Mark;
use crate::analysis::demand::remedies::RemedyEffect;
use crate::analysis::diagnosis::Verdict;
use crate::analysis::diagnosis::card::RemedyLine;
use crate::analysis::findings::Severity;
use crate::analysis::provisioning::WhoseRu;
use crate::analysis::rows::KeyRow;
use crate::model::account::{Account, Setting};
use crate::model::capture::Container;
use crate::model::key::{KeyKind, KeyVersion};
use crate::model::physical::Usage;
use crate::model::units::{
    PHYSICAL_CEILING_KIB, count_text, counted, kib_text, percent_text, sum_of_known,
};
use crate::model::visible::visible;
use crate::report::{gib_a_week, visible_once, wall_text};
use crate::ui::kit::cx::Cx;
use crate::ui::kit::masking::Mask;
use crate::ui::kit::theme::Theme;
use crate::ui::kit::{limit_date, text};

pub(super) type Line = Vec<Span<'static>>;

/// Keys told here; the view of keys has them all.
const KEYS: usize = 10;
const NOTES: usize = 20;
/// Header and statistics are taken at different moments: a twentieth apart is no contradiction.
const USAGE_TOLERANCE: u64 = 20;
/// Percent, growth and wall beside a key.
const FIGURES: usize = 8 + 1 + 7 + 1 + limit_date::COLUMNS as usize;
const NARROWEST_KEY: usize = 12;

struct Page<'t> {
    theme: &'t Theme,
    width: usize,
    lines: Vec<Line>,
}

impl Page<'_> {
    fn heading(&mut self, words: &str) {
        self.lines.push(Line::new());
        self.lines
            .push(vec![Span::styled(words.to_owned(), self.theme.title)]);
    }

    /// What a rule says, and what would help.
    fn verdict(&mut self, verdict: &Verdict, mask: &Mask) {
        self.heading(verdict.rule.name());
        for said in [&verdict.headline, &verdict.detail] {
            if !said.is_empty() {
                self.say(&said.text(|json| shown_key(json, mask)));
            }
        }
        if verdict.severity == Severity::Note {
            return;
        }
        let lines = verdict.remedy_lines();
        let columns = |of: fn(&RemedyLine) -> &str| lines.iter().map(|l| of(l).len()).max();
        let remedy = columns(|line| &line.remedy).unwrap_or(0);
        let throttled = columns(|line| &line.throttled).unwrap_or(0);
        let ru = columns(|line| &line.ru).unwrap_or(0);
        for line in &lines {
            let words = if line.throttled.is_empty() {
                let why = mask.text(&line.why);
                format!("{:remedy$}  {}: {why}", line.remedy, line.verdict())
            } else {
                format!(
                    "{:remedy$}  {:>throttled$}  {:>ru$} RU/s  {:13}  {}",
                    line.remedy,
                    line.throttled,
                    line.ru,
                    line.takes,
                    line.verdict()
                )
            };
            self.row(words.trim_end(), line.effect);
        }
    }

    /// A line that is cut and not wrapped.
    fn row(&mut self, words: &str, effect: RemedyEffect) {
        let style = match effect {
            RemedyEffect::Fixes => self.theme.good,
            _ => self.theme.text,
        };
        self.lines.push(text::coded(words, style, self.theme));
    }

    fn say(&mut self, words: &str) {
        for line in text::wrapped(words, self.width, self.theme.glyphs) {
            self.lines
                .push(text::coded(&line, self.theme.text, self.theme));
        }
    }
}

/// The lines for a width.
pub(super) fn lines(cx: &Cx, row: &Row, width: usize) -> Vec<Line> {
    let theme = &cx.theme;
    let mut page = Page {
        theme,
        width,
        lines: Vec::new(),
    };
    let Some(data) = &cx.data else {
        return page.lines;
    };
    page.say(&row.title);
    // What is wrong follows with its answers; what a rule says of sizes is not said twice.
    let is_told = verdicts::about_size(data, row.number).is_some();
    let is_of_sizes = |f: &&Finding| f.about == Subject::Sizes && !is_told;
    if let Some(sizes) = row.findings.iter().find(is_of_sizes) {
        page.say(&sizes.full);
    }
    for verdict in verdicts::verdicts(data, row.number) {
        page.verdict(verdict, &cx.mask);
    }
    let reported = row.at.and_then(|at| data.report.containers.get(at));
    if let Some(container) = reported {
        // A report of the largest keys over all containers may hold none of this one.
        let listed: Vec<&KeyRow> = if container.keys.is_empty() {
            row.largest.iter().collect()
        } else {
            container.keys.iter().take(KEYS).collect()
        };
        page.heading(&heading(listed.len(), row.keys));
        for key in listed {
            key_line(cx, key, &mut page);
        }
    }
    if let Some(container) = data.capture.container(row.number) {
        page.heading("Container");
        let account = data.capture.account_of(&container.name);
        facts(container, account, row, &mut page);
    }
    if let Some(container) = reported {
        if !container.notes.is_empty() {
            page.heading("Notes");
        }
        for note in container.notes.iter().take(NOTES) {
            page.say(&visible_once(&cx.mask.text(&note.text)));
        }
    }
    page.lines
}

fn heading(listed: usize, all: u64) -> String {
    match listed {
        0 => "No keys".to_owned(),
        n if n as u64 >= all => "Keys".to_owned(),
        1 => format!("The largest of {} keys listed", count_text(all)),
        n => format!("The {n} largest of {} keys listed", count_text(all)),
    }
}

fn facts(container: &Container, account: Option<&Account>, row: &Row, page: &mut Page<'_>) {
    page.say(&match &container.definition {
        None => "partition key: not told by the inputs".to_owned(),
        Some(definition) => {
            // A path names a property, which masking leaves: it tells the design, not whose data it is.
            let paths: Vec<_> = definition.paths.iter().map(|path| visible(path)).collect();
            let kind = match definition.kind {
                KeyKind::Hash => "partition key",
                KeyKind::MultiHash => "hierarchical partition key",
            };
            let version = match definition.version {
                KeyVersion::V1 => "version 1",
                KeyVersion::V2 => "version 2",
            };
            format!("{kind} {} ({version})", paths.join(" > "))
        }
    });
    page.say(&WhoseRu::of(container, account).sentence());
    let settings = account.into_iter().flat_map(Account::settings);
    for setting in settings.filter(|setting| setting.is_about_figures()) {
        // Said above, of the container.
        if setting != Setting::Serverless {
            let (what, so) = setting.words();
            page.say(&format!("{what}: {so}"));
        }
    }
    page.say(&partitions(container));
    page.say(&row.size_words());
    if let Some(usage) = &container.usage {
        page.say(&usage_words(usage, container));
    }
    let newest = row.newest.map_or_else(
        || "newest reading: without a date".to_owned(),
        |at| format!("newest reading {} UTC", at.minute_text()),
    );
    page.say(&newest);
}

/// What the service says in its header of usage, and the statistics where they say otherwise.
fn usage_words(usage: &Usage, container: &Container) -> String {
    let partitions = container.partitions.iter();
    let held = sum_of_known(partitions.map(|p| p.documents));
    let held = held.filter(|_| !container.partitions.is_empty());
    let is_zero = usage.documents == Some(0) && usage.kib.is_none_or(|kib| kib <= 0.0);
    if let Some(held) = held.filter(|held| is_zero && *held > 0) {
        return format!(
            "the service's header of usage is all zeros, which is no figure: the statistics of its partitions count {}",
            count_text(held)
        );
    }
    let documents = usage.documents.map(|n| counted(n, "document", "documents"));
    let size = usage
        .kib
        .map(|kib| format!("{} (if it counts KB, as published)", kib_text(kib)));
    let told: Vec<String> = documents.into_iter().chain(size).collect();
    let mut words = format!("the service's header of usage: {}", told.join(", "));
    if let (Some(header), Some(held)) = (usage.documents, held)
        && header.abs_diff(held) > held / USAGE_TOLERANCE
    {
        let _ = write!(
            words,
            "; the statistics of its partitions count {}",
            count_text(held)
        );
    }
    words
}

fn partitions(container: &Container) -> String {
    let count = container.partitions.len();
    if count == 0 {
        return "physical partitions: not told by the inputs".to_owned();
    }
    let noun = if count == 1 {
        "physical partition"
    } else {
        "physical partitions"
    };
    let largest = container.partitions.iter().filter_map(|p| p.kib);
    match largest.reduce(f64::max) {
        None => format!("{} {noun}", count_text(count as u64)),
        Some(kib) => format!(
            "{} {noun}, the largest {}, {} of 50 GB",
            count_text(count as u64),
            kib_text(kib),
            percent_text(kib / PHYSICAL_CEILING_KIB)
        ),
    }
}

fn key_line(cx: &Cx, key: &KeyRow, page: &mut Page<'_>) {
    let theme = page.theme;
    let as_of = cx.data.as_ref().and_then(|data| data.report.as_of);
    let name = shown_key(key.key.as_deref(), &cx.mask);
    let has_room = page.width >= NARROWEST_KEY + 1 + FIGURES;
    let figures = if has_room { FIGURES } else { 8 };
    let room = page.width.saturating_sub(figures + 1);
    let name = text::shorten(&name, room, theme.glyphs);
    let pad = room.saturating_sub(text::width(&name, theme.glyphs)) + 1;
    let mut line = text::coded(&name, theme.text, theme);
    line.push(Span::raw(" ".repeat(pad)));
    let percent = format!("{:>8}", percent_text(key.share));
    line.push(Span::styled(percent, theme.mark(Mark::of(key.share))));
    if has_room {
        let growth = gib_a_week(key.growth.as_ref());
        let wall = wall_text(&key.wall, as_of);
        let columns = usize::from(limit_date::COLUMNS);
        let wall = limit_date::fitting(&wall, columns, theme.glyphs);
        let rest = format!(" {growth:>7} {wall:>columns$}");
        line.push(Span::styled(rest, theme.dim));
    }
    page.lines.push(line);
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;
    use crate::model::physical::PhysicalPartition;

    fn holding(documents: &[Option<u64>]) -> Container {
        let with = |documents: &Option<u64>| PhysicalPartition {
            documents: *documents,
            ..PhysicalPartition::default()
        };
        Container {
            partitions: documents.iter().map(with).collect(),
            ..Container::default()
        }
    }

    #[test]
    fn a_header_of_usage_is_told_beside_what_statistics_count() {
        let words = |header: &str, documents: &[Option<u64>]| {
            usage_words(&Usage::read(header).unwrap(), &holding(documents))
        };
        let header = "documentsCount=1000;collectionSize=735;";
        let told = "the service's header of usage: 1,000 documents, 735 KiB (if it counts KB, as published)";
        assert_eq!(words(header, &[]), told);
        assert_eq!(words(header, &[Some(500), Some(480)]), told);
        // One partition without a count: nothing to compare with.
        assert_eq!(words(header, &[Some(500), None]), told);
        let other = format!("{told}; the statistics of its partitions count 4,000");
        assert_eq!(words(header, &[Some(500), Some(3500)]), other);
        let zeros = "documentsCount=0;collectionSize=0";
        assert_eq!(
            words(zeros, &[Some(9)]),
            "the service's header of usage is all zeros, which is no figure: the statistics of its partitions count 9"
        );
        assert!(words(zeros, &[Some(0)]).contains("usage: 0 documents, 0 KiB"));
        assert_eq!(
            words("documentsCount=1", &[Some(1)]),
            "the service's header of usage: 1 document"
        );
        assert!(
            words("collectionSize=0", &[Some(1)])
                .ends_with("0 KiB (if it counts KB, as published)")
        );
    }
}
