//! The line above every view: whose data this is, how large the container is, how old the data is and what is missing.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Span;

use super::frame::origin_text;
use super::{App, Freeze};
use crate::analysis::evidence::InputEvidence;
use crate::analysis::heat::ContainerHeat;
use crate::analysis::overview::Missing;
use crate::analysis::provisioning::RuOwner;
use crate::analysis::rows::{Note, UNKNOWN_CONTAINER};
use crate::model::capture::Container;
use crate::model::physical::Throughput;
use crate::model::time::Stamp;
use crate::model::units::{count_text, counted, figure_text};
use crate::model::visible::visible;
use crate::source::live::target::Side;
use crate::ui::kit::action::Action;
use crate::ui::kit::cx::{Cx, WindowLayout};
use crate::ui::kit::glyphs::Glyphs;
use crate::ui::kit::msg::ViewId;
use crate::ui::kit::text;
use crate::ui::view::{View, overview};
use crate::work::data::{Dataset, Origin, Stage};

/// Columns of a container's name, more of which would push everything else out.
const MOST_NAME_COLUMNS: usize = 32;

/// The input that says what the key is.
const DEFINITION: &str = "key definition";

/// What is left out of a line that is too narrow, in this order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum LeavingOrder {
    Present,
    Source,
    Account,
    Database,
    /// What tells the container from others of its name.
    Telling,
    Partitions,
    Throughput,
    Key,
    Always,
}

/// A piece of the line with what parts it from the one before.
struct Piece {
    worth: LeavingOrder,
    lead: String,
    spans: Vec<Span<'static>>,
}

/// The pieces of the line in their order.
struct Line<'a> {
    app: &'a App,
    pieces: Vec<Piece>,
}

impl Line<'_> {
    fn name(&mut self, worth: LeavingOrder, words: &str, style: Style) {
        let theme = &self.app.cx.theme;
        let lead = format!(" {} ", theme.glyphs.signs().path);
        let words = theme.glyphs.shown(words);
        let spans = text::coded(&words, style, theme);
        self.pieces.push(Piece { worth, lead, spans });
    }

    fn fact(&mut self, worth: LeavingOrder, spans: Vec<Span<'static>>) {
        let lead = format!(" {} ", self.app.cx.theme.glyphs.signs().between);
        self.pieces.push(Piece { worth, lead, spans });
    }

    fn plain(&mut self, worth: LeavingOrder, words: &str) {
        let theme = &self.app.cx.theme;
        let words = theme.glyphs.sentence(words).into_owned();
        self.fact(worth, vec![Span::styled(words, theme.text)]);
    }

    /// Leaves out what there is no room for, the least worth first; a shorter fact may still fit, and then no account.
    fn fit(mut self, width: usize) -> Vec<Span<'static>> {
        use LeavingOrder::{
            Account, Always, Database, Key, Partitions, Present, Source, Telling, Throughput,
        };
        let theme = &self.app.cx.theme;
        let of = |piece: &Piece| piece.spans.iter().map(Span::width).sum::<usize>();
        let lead = |piece: &Piece| text::width(&piece.lead, theme.glyphs);
        let mut kept = vec![Always];
        let mut is_short = false;
        let by_worth = [Key, Throughput, Partitions, Telling, Database, Account, Source, Present];
        for worth in by_worth {
            kept.push(worth);
            let pieces = || self.pieces.iter().filter(|piece| kept.contains(&piece.worth));
            let first = pieces().next().map_or(0, lead);
            let whole: usize = pieces().map(|piece| lead(piece) + of(piece)).sum();
            if whole - first > width || is_short && (worth < Database || worth == Telling) {
                kept.pop();
                is_short |= worth != Telling;
            }
        }
        self.pieces.retain(|piece| kept.contains(&piece.worth));
        let mut out = Vec::new();
        for piece in self.pieces {
            if !out.is_empty() {
                out.push(Span::styled(piece.lead, theme.dim));
            }
            out.extend(piece.spans);
        }
        out
    }
}

/// ```text
/// night ▸ contoso ▸ shop ▸ orders · /tenantId · 4 partitions · 40,000 RU/s · data to 14 Nov 23:59 · RU log ✓ documents – (v)
/// ```
pub fn draw(app: &App, area: Rect, buffer: &mut Buffer) {
    let theme = &app.cx.theme;
    let badges = badges(app);
    let taken: usize = badges.iter().map(Span::width).sum();
    let taken = u16::try_from(taken).unwrap_or(u16::MAX).min(area.width);
    let room = Rect { width: area.width.saturating_sub(taken), ..area };
    let mut line = Line { app, pieces: Vec::new() };
    match &app.cx.data {
        None => line.name(LeavingOrder::Always, &documents_title(app), theme.title),
        Some(data) => pieces(&mut line, data),
    }
    let spans = line.fit(room.width.into());
    text::left(buffer, room, &spans, theme);
    text::right(buffer, area, &badges, theme);
}

/// Without other data the files whose documents are tried.
fn documents_title(app: &App) -> String {
    match app.views.trial.files() {
        [] => "Cosmoscope".to_owned(),
        files => format!("documents {}", origin_text(app, &Origin::Paths(files.to_vec()))),
    }
}

/// The number of the container that the view is about.
pub fn container_of(app: &App) -> Option<u32> {
    let chosen = overview::chosen_container(&app.views.overview);
    let own = match app.cx.view {
        ViewId::Start | ViewId::Lesson => return None,
        ViewId::Overview => None,
        ViewId::Keys => app.views.keys.container,
        ViewId::Heat => app.views.heat.container(),
        ViewId::Trial => app.views.trial.shown_container(),
        ViewId::Forecast => app.views.forecast.container(),
    };
    own.or(chosen)
}

fn pieces(line: &mut Line<'_>, data: &Dataset) {
    let app = line.app;
    let theme = &app.cx.theme;
    let number = container_of(app);
    let container = number.and_then(|number| data.capture.container(number));
    let source = match container {
        Some(_) => LeavingOrder::Source,
        None => LeavingOrder::Always,
    };
    line.name(source, &origin_text(app, &data.origin), theme.dim);
    if let Some(container) = container {
        names(line, data, container);
        size(line, data, number, container);
    }
    if let Some(words) = stage_text(&data.stage).or_else(|| unread_text(data)) {
        line.fact(LeavingOrder::Always, vec![Span::styled(words, theme.warning)]);
    }
    if data.report.notes.iter().any(Note::is_about_dates) {
        let words = ["dates assumed", " (", ":date-order", ")"];
        let styles = [theme.warning, theme.dim, theme.key_hint, theme.dim];
        let spans = words.into_iter().zip(styles).map(|(word, style)| Span::styled(word, style));
        line.fact(LeavingOrder::Always, spans.collect());
    }
    let evidence = number.and_then(|number| data.evidence.get(number as usize));
    if let Some(evidence) = evidence {
        let age = age(&app.cx, evidence.newest);
        if !age.is_empty() {
            line.fact(LeavingOrder::Always, age);
        }
        // Of inputs that were read in part nobody knows what they lack.
        if !matches!(data.stage, Stage::Reading { .. } | Stage::Stopped { .. }) {
            chips(line, data, number, evidence);
        }
    }
}

fn names(line: &mut Line<'_>, data: &Dataset, container: &Container) {
    let theme = &line.app.cx.theme;
    let name = line.app.cx.mask.container(&container.name);
    let same = container.name.identity();
    let all = data.capture.containers.iter().map(|c| c.name.identity());
    let (mut account, mut database) = (LeavingOrder::Account, LeavingOrder::Database);
    for other in all.filter(|other| other.container == same.container) {
        if other.account != same.account {
            account = LeavingOrder::Telling;
        }
        if other.database != same.database {
            database = LeavingOrder::Telling;
        }
    }
    for (part, worth) in [(&name.account, account), (&name.database, database)] {
        if let Some(part) = part {
            line.name(worth, &visible(part), theme.accent);
        }
    }
    let own = name.container.as_deref().unwrap_or(UNKNOWN_CONTAINER);
    let own = text::shorten(&visible(own), MOST_NAME_COLUMNS, theme.glyphs);
    line.name(LeavingOrder::Always, &own, theme.accent);
}

/// The key, how many partitions there are, and the RU/s.
fn size(line: &mut Line<'_>, data: &Dataset, number: Option<u32>, container: &Container) {
    if let Some(definition) = &container.definition {
        let paths = definition.paths.iter().map(|path| visible(path));
        let paths: Vec<_> = paths.collect();
        line.plain(LeavingOrder::Key, &paths.join(" > "));
    }
    let heat = number.and_then(|number| data.heat.container(number));
    if let Some(count) = heat.and_then(ContainerHeat::physical_partitions) {
        let words = counted(count as u64, "partition", "partitions");
        line.plain(LeavingOrder::Partitions, &words);
    }
    let whose = RuOwner::of(container, data.capture.account_of(&container.name));
    let logged = || heat.and_then(|heat| heat.ru_per_second);
    let throughput = match whose {
        RuOwner::Own(Throughput::Manual { ru_per_second }) => Some(ru_per_second),
        RuOwner::NotReported => logged(),
        _ => None,
    };
    let throughput = throughput.map(|ru| format!("{} RU/s", figure_text(ru)));
    if let Some(words) = throughput.or_else(|| whose.short(figure_text)) {
        line.plain(LeavingOrder::Throughput, &words);
    }
}

/// Up to when the data goes and how old that is; of an account when it answered last.
fn age(cx: &Cx, newest: Option<Stamp>) -> Vec<Span<'static>> {
    let (theme, Some(data)) = (&cx.theme, &cx.data) else {
        return Vec::new();
    };
    let is_narrow = cx.layout() == WindowLayout::Compact;
    if let Origin::Live(_) = data.origin {
        let answered = data.watched.as_ref().and_then(|watched| watched.newest);
        let style = match cx.polling.lost {
            Some(_) => theme.stale,
            None => theme.text,
        };
        let words = answered.map(|at| format!("as of {}", at.second_text()));
        return words.into_iter().map(|w| Span::styled(w, style)).collect();
    }
    let Some(newest) = newest else {
        return Vec::new();
    };
    let data_to = if is_narrow { "to" } else { "data to" };
    let whole = format!("{data_to} {}", newest.day_text(cx.year));
    // A scenario was never read: its dates are a part of the story.
    if matches!(data.origin, Origin::Scenario(_)) || cx.now.is_none_or(|now| now < newest) {
        return vec![Span::styled(whole, theme.text)];
    }
    let old = if is_narrow { "" } else { " old" };
    let age = overview::age(Some(newest), cx.now);
    let style = if overview::is_stale(Some(newest), cx.now) { theme.stale } else { theme.text };
    let words = match age.as_str() {
        "now" => whole,
        age => format!("{whole} ({age}{old})"),
    };
    vec![Span::styled(words, style)]
}

/// Missing inputs that are named; more are counted.
fn most_names(layout: WindowLayout) -> usize {
    match layout {
        WindowLayout::Compact => 2,
        WindowLayout::Normal => 3,
        WindowLayout::Wide => usize::MAX,
    }
}

/// Which inputs there are, and which are missing, with the key that says how to get them.
fn chips(line: &mut Line<'_>, data: &Dataset, number: Option<u32>, evidence: &InputEvidence) {
    let app = line.app;
    let theme = &app.cx.theme;
    let signs = theme.glyphs.signs();
    let trial = &app.views.trial;
    let documents = matches!(data.origin, Origin::Scenario(_))
        || trial.has_documents() && [None, number].contains(&trial.shown_container());
    let lacks = |what: Missing| evidence.missing.contains(&what);
    let kinds = [
        ("sizes", !lacks(Missing::Statistics)),
        (DEFINITION, !lacks(Missing::Definition)),
        ("RU log", evidence.ru_log),
        ("metrics", evidence.metrics),
        ("requests", evidence.requests),
        ("documents", documents),
    ];
    // The definition of the key is in the line itself.
    let present = kinds.iter().filter(|(name, there)| *there && *name != DEFINITION);
    let present = present.map(|(name, _)| format!("{name} {}", signs.tick));
    let present = present.collect::<Vec<_>>().join(" ");
    if !present.is_empty() {
        let words = format!("evidence: {present}");
        line.fact(LeavingOrder::Present, vec![Span::styled(words, theme.dim)]);
    }
    let missing = kinds.iter().filter(|(_, there)| !there);
    let missing: Vec<&str> = missing.map(|(name, _)| *name).collect();
    let words = match missing.as_slice() {
        [] => return,
        names if names.len() > most_names(app.cx.layout()) => {
            format!("{} missing", count_text(missing.len() as u64))
        }
        names => {
            // In ASCII the sign is that between facts.
            let none = match theme.glyphs {
                Glyphs::Unicode => format!(" {}", signs.unknown),
                Glyphs::Ascii => ": none".to_owned(),
            };
            let names = names.iter().map(|name| format!("{name}{none}"));
            names.collect::<Vec<_>>().join(" ")
        }
    };
    let way = app.cx.keymap.shown(Action::Sources);
    let way = way.unwrap_or_else(|| ":sources".to_owned());
    let spans = vec![
        Span::styled(words, theme.warning),
        Span::styled(" (", theme.dim),
        Span::styled(way, theme.key_hint),
        Span::styled(")", theme.dim),
    ];
    line.fact(LeavingOrder::Always, spans);
}

/// What is missing of the inputs, if anything is.
fn stage_text(stage: &Stage) -> Option<String> {
    Some(match stage {
        Stage::Whole => return None,
        Stage::Reading { keys_so_far } => {
            format!("{} so far", counted(*keys_so_far, "key", "keys"))
        }
        Stage::Stopped { keys_so_far } => {
            format!("stopped at {}", counted(*keys_so_far, "key", "keys"))
        }
        Stage::Largest { keys_total } => {
            format!("the largest of {}", counted(*keys_total, "key", "keys"))
        }
    })
}

/// How much of an account is read so far.
fn unread_text(data: &Dataset) -> Option<String> {
    let (read, listed) = data.watched.as_ref()?.containers;
    let words = || format!("{} of {} containers read", count_text(read), count_text(listed));
    (read < listed).then(words)
}

/// Whether what is shown was seen on the way through inputs that could not be read to their end.
fn is_incomplete(app: &App) -> bool {
    let data = app.cx.data.as_ref();
    let begun = data.filter(|data| matches!(data.stage, Stage::Reading { .. }));
    let goes_on = |origin: &Origin| app.cx.loading.as_ref().is_some_and(|l| l.origin == *origin);
    begun.is_some_and(|data| !goes_on(&data.origin))
}

/// States that must not be forgotten.
fn badges(app: &App) -> Vec<Span<'static>> {
    let mut words = Vec::new();
    if app.cx.mask.is_on() {
        words.push("masked");
    }
    if is_incomplete(app) {
        words.push("incomplete file");
    }
    if let Some(Origin::Live(target)) = app.cx.data.as_ref().map(|data| &data.origin) {
        if target.side == Side::Emulator {
            words.push("EMULATOR");
        }
        let watched = app.cx.data.as_ref().and_then(|data| data.watched.as_ref());
        let has_gaps = watched.is_some_and(|watched| watched.in_the_way().next().is_some());
        words.push(match app.cx.polling.lost {
            Some(_) => "no answer",
            None if has_gaps => "live, with gaps",
            None => "live",
        });
    }
    match &app.freeze {
        Freeze::Flowing => {}
        Freeze::Held(None) => words.push("frozen"),
        Freeze::Held(Some(_)) => words.push("frozen, newer data waits"),
    }
    let spans = words
        .into_iter()
        .flat_map(|word| [Span::raw(" "), Span::styled(format!(" {word} "), app.cx.theme.badge)]);
    spans.collect()
}

#[cfg(test)]
mod tests {
    use crate::analysis::testing::{GIB, Log};
    use crate::model::capture::AMBIGUOUS_DATES;
    use crate::ui::app::testing::{app_showing, app_with, press, resize};
    use crate::ui::view::testing::{screen, theme_ascii};

    #[test]
    fn what_tells_containers_of_one_name_apart_stays_in_a_narrow_window() {
        let cases = [
            ([["east-prod", "shop"], ["west-prod", "shop"]], "east-prod ▸ orders · "),
            ([["prod", "shop"], ["prod", "shop-archive"]], "shop ▸ orders · "),
            ([["prod", "shop"], ["PROD", "shop"]], "shop ▸ orders · "),
        ];
        for (above, expected) in cases {
            let log = Log::new("a.csv");
            for ([account, database], size) in above.into_iter().zip([9.0, 2.0]) {
                log.weeks([account, database, "orders"], r#"["x"]"#, "", &[size * GIB; 4]);
            }
            let mut app = app_showing(log.capture());
            resize(&mut app, 52, 24);
            let title = &screen(&app)[0];
            assert!(title.starts_with(expected), "{title}");
        }
    }

    #[test]
    fn an_assumed_date_order_stands_above_every_view_with_what_turns_it() {
        for is_assumed in [false, true] {
            let log = Log::new("a.csv");
            log.weeks(["prod", "shop", "orders"], r#"["x"]"#, "", &[GIB; 4]);
            let mut capture = log.capture();
            capture.sources[0].notes.extend(is_assumed.then(|| AMBIGUOUS_DATES.to_owned()));
            let mut app = app_showing(capture);
            for view in ["1", "2", "3", "5"] {
                press(&mut app, view);
                let title = &screen(&app)[0];
                assert_eq!(title.contains("dates assumed (:date-order)"), is_assumed, "{title}");
            }
        }
    }

    #[test]
    fn what_counts_least_goes_first_and_the_container_never() {
        let mut app = app_with("night");
        let title = |app: &crate::ui::app::App| screen(app)[0].trim_end().to_owned();
        for (width, height, expected) in [
            (200, 60, "scenario night ▸ contoso ▸ shop ▸ orders · /tenantId"),
            (80, 24, "shop ▸ orders · /tenantId · 4 partitions · 40,000 RU/s"),
            (44, 24, "shop ▸ orders · /tenantId · to "),
        ] {
            resize(&mut app, width, height);
            assert!(title(&app).starts_with(expected), "{}", title(&app));
            assert!(title(&app).contains("to 29 Jun"), "{}", title(&app));
        }
        resize(&mut app, 200, 60);
        assert!(title(&app).contains("evidence: sizes ✓ RU log ✓ metrics ✓"));
        press(&mut app, "H");
        assert_eq!(title(&app), "scenario night");
    }

    #[test]
    fn names_go_before_partitions_and_no_sign_stands_for_two_things() {
        let log = Log::new("a.csv");
        for account in ["east-prod", "west-prod"] {
            let owner = [account, "shop", "orders"];
            log.facts(owner, &["/tenantId"], &[GIB; 2]);
            log.weeks(owner, r#"["x"]"#, "", &[GIB; 4]);
        }
        let mut app = app_showing(log.capture());
        for (width, database) in [(70, ""), (76, "shop ▸ ")] {
            resize(&mut app, width, 24);
            let title = &screen(&app)[0];
            let facts = format!("{database}orders · /tenantId · 2 partitions · to ");
            assert!(title.starts_with(&facts), "{title}");
        }
        resize(&mut app, 200, 60);
        app.cx.theme = theme_ascii();
        let title = &screen(&app)[0];
        assert!(title.contains("documents: none"), "{title}");
    }
}
