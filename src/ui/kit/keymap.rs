//! Which chord asks for which action: the built-in table, and a user's file on top of it.

use std::collections::{BTreeMap, HashMap};

use toml::Spanned;
use toml::de::DeTable;

use super::action::{ACTIONS, Action, Context};
use super::input::Chord;
use crate::model::visible::visible;

/// The built-in table, as `assets/keys.toml` gives it.
pub const DEFAULTS: &str = include_str!("../../../assets/keys.toml");

/// Chords by context.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Keymap {
    chords: HashMap<(Context, Chord), Action>,
    /// For help and footer: the chords of an action in the order of the file.
    by_action: BTreeMap<Action, Vec<Chord>>,
}

impl Keymap {
    /// The built-in keys.
    pub fn built_in() -> Self {
        // That the asset parses is a test's matter; a broken build would have no keys but still draw.
        Self::default().patched(DEFAULTS).unwrap_or_default()
    }

    /// This table with a file on top: an action named there has just the chords given there, and a chord given there leaves
    /// the action it had in that context. An error says what is wrong and in which line.
    pub fn patched(mut self, text: &str) -> Result<Self, String> {
        let table = DeTable::parse(text).map_err(|e| at(text, e.span(), e.message()))?;
        let mut given: HashMap<(Context, Chord), Action> = HashMap::new();
        for (name, actions) in table.get_ref() {
            let wrong = |what: &str| at(text, Some(name.span()), what);
            let Some(context) =
                Context::ALL.iter().copied().find(|c| c.name() == name.get_ref().as_ref())
            else {
                return Err(wrong(
                    "there is no such table; they are global, list, keys, heat, trial, replay, prompt",
                ));
            };
            let Some(actions) = actions.get_ref().as_table() else {
                return Err(wrong("expected a table of actions"));
            };
            for (name, chords) in actions {
                let (action, chords) = line(text, context, name, chords)?;
                self.replace(context, action, &chords);
                for chord in chords {
                    let twice = given.insert((context, chord), action);
                    if twice.is_some_and(|other| other != action) {
                        let what = format!("`{chord}` stands for two actions");
                        return Err(at(text, Some(name.span()), &what));
                    }
                }
            }
        }
        Ok(self)
    }

    fn replace(&mut self, context: Context, action: Action, chords: &[Chord]) {
        self.chords.retain(|(held_in, _), held| *held_in != context || *held != action);
        for chord in chords {
            if let Some(before) = self.chords.insert((context, *chord), action)
                && let Some(held) = self.by_action.get_mut(&before)
            {
                held.retain(|c| c != chord);
            }
        }
        self.by_action.insert(action, chords.to_vec());
    }

    /// The action of a chord in the first of the contexts that knows it.
    pub fn action(&self, contexts: &[Context], chord: Chord) -> Option<Action> {
        contexts.iter().find_map(|context| self.chords.get(&(*context, chord)).copied())
    }

    /// The chords of an action.
    pub fn chords(&self, action: Action) -> &[Chord] {
        self.by_action.get(&action).map_or(&[], Vec::as_slice)
    }

    /// The first chord of an action, as a footer shows it.
    pub fn shown(&self, action: Action) -> Option<String> {
        self.chords(action).first().map(|chord| key_cap(*chord))
    }
}

/// A chord as it stands on keyboards rather than in files.
pub fn key_cap(chord: Chord) -> String {
    use super::input::Code;
    let arrow = match chord.code {
        Code::Up => "Up",
        Code::Down => "Down",
        Code::Left => "Left",
        Code::Right => "Right",
        Code::Enter => "Enter",
        Code::Esc => "Esc",
        Code::Tab => "Tab",
        Code::Char(' ') => "Space",
        Code::PageUp => "PgUp",
        Code::PageDown => "PgDn",
        Code::Home => "Home",
        Code::End => "End",
        Code::Backspace => "Backspace",
        Code::Delete => "Delete",
        Code::Insert => "Insert",
        Code::F(number) => &format!("F{number}"),
        _ => return capitals(&chord.to_string()),
    };
    let plain = Chord::plain(chord.code).to_string();
    let whole = chord.to_string();
    let prefix = whole.strip_suffix(plain.as_str()).unwrap_or_default();
    format!("{}{arrow}", capitals(prefix))
}

/// `ctrl-r` is Ctrl-r on screen: the letter stays as it is to be pressed.
fn capitals(text: &str) -> String {
    text.replace("ctrl-", "Ctrl-")
        .replace("alt-", "Alt-")
        .replace("shift-tab", "Shift-Tab")
        .replace("shift-", "Shift-")
}

type Value<'t> = Spanned<toml::de::DeValue<'t>>;

/// One line of a table: an action and its chords.
fn line(
    text: &str,
    context: Context,
    name: &Spanned<std::borrow::Cow<'_, str>>,
    chords: &Value<'_>,
) -> Result<(Action, Vec<Chord>), String> {
    let wrong = |what: String| at(text, Some(name.span()), &what);
    let known = ACTIONS
        .iter()
        .find(|about| about.context == context && about.name == name.get_ref().as_ref());
    let Some(about) = known else {
        return Err(wrong(format!(
            "there is no action `{}` in [{}]",
            visible(name.get_ref()),
            context.name()
        )));
    };
    let Some(list) = chords.get_ref().as_array() else {
        return Err(wrong("expected a list of chords, such as [\"ctrl-r\"]".to_owned()));
    };
    let mut found = Vec::new();
    for chord in list {
        let written = chord.get_ref().as_str().unwrap_or_default();
        let Some(known) = Chord::parse(written) else {
            let what = format!("`{}` is no chord", visible(written));
            return Err(at(text, Some(chord.span()), &what));
        };
        found.push(known);
    }
    Ok((about.action, found))
}

fn at(text: &str, span: Option<std::ops::Range<usize>>, what: &str) -> String {
    let before = span.and_then(|s| text.get(..s.start));
    let line = before.map_or(1, |b| b.matches('\n').count() + 1);
    format!("line {line}: {}", visible(what))
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test may panic")]
mod tests {
    use super::*;
    use crate::ui::kit::action::ActionWords;

    fn chord(text: &str) -> Chord {
        Chord::parse(text).unwrap()
    }

    #[test]
    fn the_built_in_table_names_every_action_and_no_chord_twice() {
        let map = Keymap::default().patched(DEFAULTS).unwrap();
        for about in ACTIONS {
            assert!(map.by_action.contains_key(&about.action), "{}", about.name);
        }
        let global = map.action(&[Context::Keys, Context::List, Context::Global], chord("?"));
        assert_eq!(global, Some(Action::Help));
    }

    #[test]
    fn no_key_of_a_list_hides_one_that_works_everywhere() {
        let map = Keymap::built_in();
        for ((context, chord), action) in &map.chords {
            if matches!(context, Context::List | Context::Keys | Context::Heat) {
                let outer = [Context::Global, Context::List];
                let hidden = map.action(&outer, *chord).filter(|other| other != action);
                assert_eq!(hidden, None, "{chord} of {action:?}");
            }
        }
    }

    #[test]
    fn a_file_patches_the_table() {
        let map = Keymap::built_in();
        let map =
            map.patched("[global]\nquit = [\"ctrl-q\"]\nhelp = [\"q\"]\nmask = []\n").unwrap();
        let global = |text| map.action(&[Context::Global], chord(text));
        assert_eq!(global("ctrl-q"), Some(Action::Quit));
        assert_eq!(global("q"), Some(Action::Help));
        assert_eq!(global("p"), None);
        assert_eq!(global("?"), None);
        assert_eq!(map.chords(Action::Quit), [chord("ctrl-q")]);
        assert_eq!(map.shown(Action::Mask), None);
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        let wrong = |text: &str| Keymap::built_in().patched(text).unwrap_err();
        assert_eq!(
            wrong("[global]\nfly = [\"x\"]\n"),
            "line 2: there is no action `fly` in [global]"
        );
        assert_eq!(wrong("[global]\nquit = [\"quux\"]\n"), "line 2: `quux` is no chord");
        assert!(wrong("[nowhere]\n").starts_with("line 1: there is no such table"));
        assert!(wrong("[global]\nquit = \"x\"\n").starts_with("line 2: expected a list"));
        let twice = "[global]\nquit = [\"x\"]\nhelp = [\"x\"]\n";
        assert!(wrong(twice).ends_with(": `x` stands for two actions"));
        assert!(wrong("[global\n").starts_with("line 1: "));
    }

    #[test]
    fn chords_read_as_on_a_keyboard() {
        let caps = [
            "ctrl-r",
            "shift-tab",
            "page-down",
            "G",
            "space",
            "ctrl-left",
            "f1",
            "shift-f12",
            "delete",
        ]
        .map(|c| key_cap(chord(c)));
        assert_eq!(
            caps,
            ["Ctrl-r", "Shift-Tab", "PgDn", "G", "Space", "Ctrl-Left", "F1", "Shift-F12", "Delete"]
        );
    }

    /// Where an entry of `cosmoscope help keys` holds, as it begins.
    const PLACES: [(&str, Context); 6] = [
        ("in a lesson", Context::Lesson),
        ("among keys: ", Context::Keys),
        ("in the heat map: ", Context::Heat),
        ("on the trial view: ", Context::Trial),
        ("in the forecast: ", Context::Forecast),
        ("in a recording: ", Context::Replay),
    ];

    #[test]
    fn the_topic_has_every_action_with_a_key_and_no_other_key() {
        let topic = include_str!("../../../assets/help/keys.md");
        let map = Keymap::built_in();
        let mut told: Vec<Action> = Vec::new();
        for entry in topic.split("\n`").skip(1) {
            let (keys, does) = entry.split_once("\n    ").unwrap();
            // Of an entry for one view, keys that work everywhere are none.
            let place = PLACES.iter().find(|(begin, _)| does.starts_with(begin));
            let contexts = match place {
                Some((_, inner)) => vec![*inner, Context::List],
                None => vec![Context::Keys, Context::List, Context::Global],
            };
            let arrows = keys.contains("arrows").then_some("Up");
            for cap in keys.split('`').step_by(2).filter(|cap| !cap.is_empty()).chain(arrows) {
                let is_it = |about: &&ActionWords| {
                    let chords = map.chords(about.action).iter();
                    let mut caps = chords.map(|chord| key_cap(*chord));
                    contexts.contains(&about.context) && caps.any(|known| known == cap)
                };
                let found = ACTIONS.iter().filter(is_it).min_by_key(|about| {
                    contexts.iter().position(|context| *context == about.context)
                });
                assert!(found.is_some(), "{cap}: {does}");
                told.extend(found.map(|about| about.action));
            }
        }
        let quoted = topic.split('`').skip(1).step_by(2);
        for name in quoted.filter_map(|text| text.strip_prefix(':')) {
            let name = name.split([' ', '!']).next().unwrap();
            assert!(name.is_empty() || Action::named(name).is_some(), ":{name}");
        }
        let missing = ACTIONS.iter().filter(|about| {
            let has_key = !map.chords(about.action).is_empty();
            has_key && about.context != Context::Prompt && !told.contains(&about.action)
        });
        let missing: Vec<&str> = missing.map(|about| about.name).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }
}
