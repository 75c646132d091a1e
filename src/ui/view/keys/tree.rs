//! Hierarchical keys level by level: which prefixes are open, and the rows that this makes.
//!
//! A level is asked for when its prefix is opened, one at a time; what was there stays until the answer comes.

mod draw;

use std::collections::{BTreeSet, HashMap};

use super::KeysState;
use super::asking::alarmed_place;
use super::layout::KeysPane;
use crate::analysis::ceiling::Ceiling;
use crate::analysis::tree::{Node, Prefix};
use crate::model::key::KeyKind;
use crate::model::logical::KeyId;
use crate::model::units::{count_text, kib_text, percent_text};
use crate::report::limit_name;
use crate::ui::kit::action::Action;
use crate::ui::kit::cx::Cx;
use crate::ui::kit::msg::{Effect, Generation};
use crate::work::data::{Branch, Dataset, Grown};
use crate::work::shared::Shared;

pub use draw::{draw, settle_rows};

/// Prefixes that are open at once: each holds a level of up to `MAX_NODES` rows.
const MOST_OPEN: usize = 40;

/// Whether keys are shown one by one or by their prefixes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ListShape {
    #[default]
    List,
    Tree,
}

/// One row of the tree.
#[derive(Clone, PartialEq, Debug)]
struct Twig {
    depth: usize,
    /// The prefix whose level it stands in.
    under: Option<Prefix>,
    what: TreeEntry,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum TreeEntry {
    /// By its place in the level.
    Node(usize),
    /// Nodes beyond what a level holds.
    Smaller,
    /// Records that name no key.
    Unnamed,
    /// The level was asked for.
    Waiting,
}

#[derive(Debug, Default)]
pub struct KeyTree {
    open: BTreeSet<Prefix>,
    levels: HashMap<Option<Prefix>, Shared<Grown>>,
    requested: Option<(Generation, Option<Prefix>)>,
    twigs: Vec<Twig>,
    /// Counted up with every change of the rows.
    version: u64,
    window: draw::TreeWindow,
}

impl KeyTree {
    /// Whether a level is waited for.
    pub fn is_growing(&self) -> bool {
        self.requested.is_some()
    }

    pub fn len(&self) -> usize {
        self.twigs.len()
    }

    fn node(&self, twig: &Twig) -> Option<&Node> {
        let TreeEntry::Node(at) = twig.what else {
            return None;
        };
        self.levels.get(&twig.under)?.level.nodes.get(at)
    }

    fn is_open(&self, node: &Node) -> bool {
        !node.whole_key && self.open.contains(&node.prefix)
    }

    /// The key of a row, if the row is one and of this data: a level may be older than the list.
    pub fn id(&self, place: usize, data: &Shared<Dataset>) -> Option<KeyId> {
        let twig = self.twigs.get(place)?;
        let TreeEntry::Node(at) = twig.what else {
            return None;
        };
        let grown = self.levels.get(&twig.under)?;
        let is_of_data = grown.of.list.data == *data;
        grown.ids.get(at).copied().flatten().filter(|_| is_of_data)
    }

    /// Makes the rows anew; gives the new place of the row that stood at `place`.
    fn rebuild(&mut self, place: usize) -> usize {
        let held = self.twigs.get(place).cloned();
        let held_prefix = held.as_ref().and_then(|twig| self.node(twig));
        let held_prefix = held_prefix.map(|node| node.prefix.clone());
        let mut twigs = Vec::new();
        // Levels that are still to be walked: prefix, depth, next node.
        let mut walk: Vec<(Option<Prefix>, usize, usize)> = vec![(None, 0, 0)];
        while let Some((under, depth, at)) = walk.pop() {
            let twig = |what| Twig { depth, under: under.clone(), what };
            let Some(grown) = self.levels.get(&under) else {
                twigs.push(twig(TreeEntry::Waiting));
                continue;
            };
            let Some(node) = grown.level.nodes.get(at) else {
                if grown.level.smaller.nodes > 0 {
                    twigs.push(twig(TreeEntry::Smaller));
                }
                if grown.level.unnamed.keys > 0 {
                    twigs.push(twig(TreeEntry::Unnamed));
                }
                continue;
            };
            twigs.push(twig(TreeEntry::Node(at)));
            let below = self.is_open(node).then(|| node.prefix.clone());
            walk.push((under, depth, at + 1));
            if let Some(below) = below {
                walk.push((Some(below), depth + 1, 0));
            }
        }
        self.twigs = twigs;
        self.version += 1;
        let is_held = |twig: &Twig| match &held_prefix {
            Some(prefix) => self.node(twig).is_some_and(|n| n.prefix == *prefix),
            None => false,
        };
        self.twigs.iter().position(is_held).unwrap_or(place)
    }
}

/// What is known of the chosen row where it is not a key of its own.
pub fn prefix_sentence(state: &KeysState, ceiling: Ceiling) -> Option<String> {
    let twig = state.tree.twigs.get(state.cursor.chosen)?;
    let node = state.tree.node(twig)?;
    let keys = if node.keys == 1 { "key" } else { "keys" };
    Some(format!(
        "A prefix of hierarchical keys: at least {} in {} reported {keys} under it. The largest of them holds {}, {} of {}; \
         the limit is that of each full key, and what lies under a prefix may be far more.",
        kib_text(node.kib),
        count_text(node.keys),
        kib_text(node.largest_kib),
        percent_text(ceiling.share(node.largest_kib)),
        limit_name(ceiling),
    ))
}

/// From the list to the tree and back, where keys have levels.
pub fn toggle(state: &mut KeysState, cx: &Cx) -> Vec<Effect> {
    if state.shape == ListShape::Tree {
        state.shape = ListShape::List;
        // They hold the data that they were made of, which may soon be older than what is shown.
        state.tree.levels.clear();
        if let Some(list) = &state.list {
            let place = state.anchor.and_then(|id| list.near_key(id));
            state.cursor.chosen = place.unwrap_or_else(|| alarmed_place(state, list));
        }
        return Vec::new();
    }
    let definition = cx.data.as_ref().and_then(|data| {
        let container = data.capture.container(state.container?)?;
        container.definition.as_ref()
    });
    if definition.is_some_and(|d| d.kind == KeyKind::Hash) {
        return Effect::fail("the key of this container has one level: there is no tree", None);
    }
    state.shape = ListShape::Tree;
    state.cursor.chosen = 0;
    state.tree.rebuild(0);
    Vec::new()
}

/// Asks for the next level that is seen and not there.
pub fn settle(state: &mut KeysState, cx: &Cx) -> Vec<Effect> {
    let Some(list) = state.list.clone().filter(|_| state.shape == ListShape::Tree) else {
        return Vec::new();
    };
    if state.tree.requested.is_some() {
        return Vec::new();
    }
    let tree = &state.tree;
    let is_fresh = |under: &Option<Prefix>| {
        let held = tree.levels.get(under);
        held.is_some_and(|grown| grown.of.list == list)
    };
    let open = tree.open.iter().map(|prefix| Some(prefix.clone()));
    let Some(under) = std::iter::once(None).chain(open).find(|u| !is_fresh(u)) else {
        return Vec::new();
    };
    let generation = cx.turns.next();
    state.tree.requested = Some((generation, under.clone()));
    vec![Effect::Grow(generation, Branch { list, under })]
}

pub fn on_grown(state: &mut KeysState, generation: Generation, grown: Shared<Grown>) {
    let Some((asked, under)) = state.tree.requested.clone() else {
        return;
    };
    if asked != generation {
        return;
    }
    state.tree.requested = None;
    if state.shape == ListShape::List {
        return;
    }
    if let Some(prefix) = under.as_ref().filter(|_| grown.level.nodes.is_empty()) {
        // The filter left nothing under it, or other data has nothing there.
        state.tree.open.remove(prefix);
    }
    state.tree.levels.insert(under, grown);
    state.cursor.chosen = state.tree.rebuild(state.cursor.chosen);
}

pub fn act(state: &mut KeysState, action: Action) -> Vec<Effect> {
    let place = state.cursor.chosen;
    let Some(twig) = state.tree.twigs.get(place).cloned() else {
        return Vec::new();
    };
    let node = state.tree.node(&twig).cloned();
    let is_open = node.as_ref().is_some_and(|node| state.tree.is_open(node));
    match (action, node) {
        (Action::Expand, Some(_)) if is_open => state.cursor.chosen = place + 1,
        (Action::Expand | Action::Enter, Some(node)) if !is_open && !node.whole_key => {
            if state.tree.open.len() >= MOST_OPEN {
                let what = format!("{MOST_OPEN} prefixes are open: collapse one first");
                return Effect::fail(what, None);
            }
            state.tree.open.insert(node.prefix);
        }
        (Action::Enter, Some(node)) if node.whole_key => state.pane = KeysPane::Detail,
        (Action::Collapse | Action::Enter, Some(node)) if is_open => {
            // A level that is closed is not kept: the next opening may be of another list.
            let is_closed =
                |prefix: &Prefix| *prefix == node.prefix || prefix.is_under(&node.prefix);
            state.tree.open.retain(|prefix| !is_closed(prefix));
            state.tree.levels.retain(|under, _| !under.as_ref().is_some_and(is_closed));
        }
        (Action::Collapse, _) => {
            let before = state.tree.twigs.get(..place).unwrap_or_default();
            let parent = before.iter().rposition(|t| t.depth < twig.depth);
            state.cursor.chosen = parent.unwrap_or(place);
        }
        _ => {}
    }
    let chosen = state.cursor.chosen;
    state.cursor.chosen = state.tree.rebuild(chosen);
    Vec::new()
}

#[cfg(test)]
mod tests;
