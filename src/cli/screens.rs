//! The commands that open the screens: what was asked for and what the settings say, put together.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use super::live::Connection;
use super::{
    Cli, Connect, MeasureArgument, Open, ReadArguments, live, option_values, plain, reading,
    replay, settings,
};
use crate::analysis::summary;
use crate::config::{self, Config};
use crate::error::{Error, usage};
use crate::source::live::door::Door;
use crate::source::live::target::Pace;
use crate::source::{input, private, scenario};
use crate::tui;
use crate::tui::{Mouse, Start, Surroundings, TYPING_PAUSE, WorkContext};
use crate::ui::app::AppSettings;
use crate::ui::kit::keymap::Keymap;
use crate::ui::kit::msg::ViewId;
use crate::ui::kit::theme::{Paper, THEMES, Theme};
use crate::work::data::Origin;
use crate::work::live::LiveWork as Account;
use crate::work::load::Loader;
use crate::work::recent::Recent;
use crate::work::salt::Salt;
use crate::work::sample::Allowance;

/// A page of text; anything longer is another file.
const MAX_KEYS_BYTES: u64 = 1 << 20;
const HOW_KEYS_LOOK: &str = "`cosmoscope help keys` shows how the file of keys is written";

/// The start screen.
pub fn start(cli: &Cli) -> Result<u8, Error> {
    show(cli, None, &ReadArguments::default(), &MeasureArgument::default(), |_| {})
}

/// Files, read while the screen is there already.
pub fn open(cli: &Cli, c: &Open) -> Result<u8, Error> {
    let queries = c.queries.as_slice();
    let mut named = c.paths.iter().chain(&c.documents).chain(queries);
    if named.any(|path| path.as_os_str() == "-") {
        return Err(usage(
            "the screens take keys from standard input and cannot read data from it",
            "save it to a file and open that",
        ));
    }
    let are_paths = !c.paths.is_empty();
    for named in [c.paths.as_slice(), &c.documents, queries] {
        if !named.is_empty() {
            are_there(named)?;
        }
    }
    let origin = are_paths.then(|| Origin::Paths(c.paths.clone()));
    show(cli, origin, &c.reading, &c.measure, |start| {
        start.settings.documents.clone_from(&c.documents);
        start.settings.queries.clone_from(&c.queries);
    })
}

/// A scenario, or the list of them.
pub fn demo(cli: &Cli, name: Option<&str>) -> Result<u8, Error> {
    let origin = name.map(scenario_named).transpose()?;
    // Who asks for scenarios did not ask for the names of files on this machine.
    show(cli, origin, &ReadArguments::default(), &MeasureArgument::default(), |start| {
        start.work.recent = Recent::Off;
    })
}

/// Whether there is a terminal for screens, or none is needed.
pub fn is_possible(cli: &Cli) -> bool {
    let surroundings = Surroundings::read();
    plain::is_wanted(cli, &surroundings) || tui::is_usable(&surroundings)
}

/// A real account.
pub fn connect(cli: &Cli, c: &Connect) -> Result<u8, Error> {
    let config = settings::load(cli.config.as_deref())?;
    let mut begun = live::live(c, &config)?;
    tui::check(&Surroundings::read()).map_err(without_terminal)?;
    let (given, notes) = live::given(&c.account, &begun.target)?;
    begun.given = given;
    begun.notes.extend(notes);
    for note in &begun.notes {
        let _ = writeln!(std::io::stderr(), "note: {note}");
    }
    live(cli, begun)
}

/// There is no report of an account that nobody has looked at.
fn without_terminal(error: Error) -> Error {
    match error {
        Error::Usage { what, .. } => usage(
            what,
            "without one cosmoscope doctor ACCOUNT shows what is there, and cosmoscope report FILE prints what connect --record FILE wrote",
        ),
        other => other,
    }
}

/// The screens over an account, which is asked as soon as they stand.
fn live(cli: &Cli, live: Connection) -> Result<u8, Error> {
    let pace = Pace { metrics_every: live.every, ..Pace::default() };
    let salt = live.masking.salt()?;
    let records = replay::records(live.record.as_ref(), &live.target, salt.as_deref())?;
    let account = Account::new(Box::new(Door::new(live.given, pace)), pace, records);
    let account = account.map_err(|e| Error::Live {
        what: format!("no thread for the account: {}", input::reason(&e)),
        next: None,
    })?;
    let origin = Origin::Live(Box::new(live.target));
    let surroundings = Surroundings::read();
    let reading = ReadArguments { masking: live.masking, ..ReadArguments::default() };
    let measure = MeasureArgument::default();
    let mut start = begin(cli, Some(origin), &reading, &measure, &surroundings)?;
    start.settings.every_ms = u64::try_from(live.every.as_millis()).ok();
    start.settings.allowance = live.allowance;
    start.work.live = Some(account);
    tui::run(start)
}

pub fn scenario_named(name: &str) -> Result<Origin, Error> {
    scenario::named(name).map(Origin::Scenario)
}

/// A slip in a name is told at once, in the words of the other commands, rather than on a screen.
#[expect(
    clippy::disallowed_methods,
    reason = "whether paths lead anywhere is asked before the terminal is taken"
)]
fn are_there(paths: &[PathBuf]) -> Result<(), Error> {
    let mut next = None;
    let mut refused = Vec::new();
    for path in paths {
        let Err(e) = std::fs::metadata(path) else {
            return Ok(());
        };
        let refusal = input::not_opened(path, &e);
        next = next.or(refusal.next);
        refused.push((input::shown(path), refusal.what));
    }
    Err(Error::Refused { refused, next })
}

/// Runs the screens, or prints what they would show.
pub(super) fn show(
    cli: &Cli,
    origin: Option<Origin>,
    reading: &ReadArguments,
    measure: &MeasureArgument,
    prepare: impl FnOnce(&mut Start),
) -> Result<u8, Error> {
    let surroundings = Surroundings::read();
    let mut start = begin(cli, origin, reading, measure, &surroundings)?;
    prepare(&mut start);
    if plain::is_wanted(cli, &surroundings) {
        return plain::print(start);
    }
    tui::check(&surroundings)?;
    tui::run(start)
}

/// What the screens begin with.
pub fn begin(
    cli: &Cli,
    origin: Option<Origin>,
    reading: &ReadArguments,
    measure: &MeasureArgument,
    surroundings: &Surroundings,
) -> Result<Start, Error> {
    let config = settings::load(cli.config.as_deref())?;
    let filters = reading::filters(reading);
    let summary = summary::SummaryOptions {
        ceiling: option_values::ceiling(measure.ceiling.as_deref(), &config)?,
        as_of: option_values::as_of(measure.as_of.as_deref())?,
        containers: filters.clone(),
        ..summary::SummaryOptions::default()
    };
    let thresholds = settings::thresholds(&config)?;
    let salt = reading.masking.salt()?.map(Salt);
    let (theme_name, theme) = theme(cli.theme.as_deref(), &config, surroundings)?;
    let settings = AppSettings {
        keymap: keymap(cli.config.as_deref())?,
        theme,
        theme_name,
        ceiling: summary.ceiling,
        scenarios: scenario::list(),
        salt: salt.clone(),
        origin,
        lesson: None,
        view: ViewId::Start,
        documents: Vec::new(),
        queries: None,
        every_ms: None,
        allowance: Allowance::default(),
    };
    let import = reading::import_options(reading, &filters, &config)?;
    let recent = private::state_folder().filter(|_| config.recent);
    Ok(Start {
        settings,
        work: WorkContext {
            loader: Loader { import, summary, thresholds, ..Loader::default() },
            live: None,
            typing_pause: TYPING_PAUSE,
            recent: recent.map_or(Recent::Off, Recent::Kept),
            salt,
        },
        mouse: if config.mouse { Mouse::On } else { Mouse::Off },
    })
}

fn theme(
    option: Option<&str>,
    config: &Config,
    surroundings: &Surroundings,
) -> Result<(String, Theme), Error> {
    let wanted_by = option.unwrap_or(&config.theme);
    let name = match (wanted_by, tui::paper(surroundings)) {
        (config::AUTO_THEME, Some(Paper::Light)) => "light",
        (config::AUTO_THEME, _) => "dark",
        (name, _) => name,
    };
    let colours = tui::colours(surroundings, config.colours);
    let theme = Theme::named(name, colours, tui::glyphs(surroundings));
    let theme = theme.ok_or_else(|| {
        let known = THEMES.map(|(name, _)| name);
        Error::unknown("there is no theme", name, &known, |names| {
            format!("the themes are auto, {names}")
        })
    })?;
    Ok((name.to_owned(), theme))
}

/// The built-in keys with the user's own file on top, which lies beside the configuration.
fn keymap(config: Option<&Path>) -> Result<Keymap, Error> {
    let folder = match config {
        Some(named) => named.parent().map(Path::to_owned),
        None => config::folder(),
    };
    let keys = Keymap::built_in();
    let Some(path) = folder.map(|folder| folder.join("keys.toml")) else {
        return Ok(keys);
    };
    match settings::text(&path, MAX_KEYS_BYTES) {
        Ok(None) => Ok(keys),
        Ok(Some(text)) => keys
            .patched(&text)
            .map_err(|why| Error::refused(input::shown(&path), why, HOW_KEYS_LOOK)),
        Err(why) => Err(Error::refused(input::shown(&path), why, HOW_KEYS_LOOK)),
    }
}
