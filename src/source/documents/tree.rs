//! The paths a worker knows, as a tree of names: the name that followed another last time is looked for first.

use std::collections::HashMap;

use crate::model::documents::{MAX_PATH_NAMES, Rows};
use crate::model::path::Path;

/// Inside lists and objects that are passed over there are no paths.
pub const NOWHERE: u32 = u32::MAX;
pub const ROOT: u32 = 0;
/// Names without a column that are remembered, so that passing them costs no search.
const MAX_IDLE_NAMES: usize = 4_096;
/// Paths known to one worker beyond which it begins anew: documents whose names are data.
const MAX_KNOWN: usize = 1 << 16;

/// What is done with names that have no column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NameRule {
    /// They get one.
    Add,
    /// There is room for no more: their values are counted.
    Count,
    /// Only some paths were asked for.
    Ignore,
}

impl NameRule {
    /// The column of a path, if it has one or gets one.
    pub fn column(self, rows: &mut Rows, path: &Path) -> Option<u32> {
        let known = rows.columns().find(|(_, p)| *p == path).map(|(n, _)| n);
        match self {
            Self::Add => known.or_else(|| Some(rows.add_column(path.clone()))),
            Self::Count | Self::Ignore => known,
        }
    }
}

#[derive(Debug)]
struct Node {
    /// As it stands in a document: with quotes and colon. None where something in it has to be escaped.
    spelled: Option<Box<[u8]>>,
    /// The document that had it last, and where in its text the value began.
    seen: (u64, usize),
    parent: u32,
    name: Box<str>,
    depth: usize,
    column: Option<u32>,
    /// Whether anything below has a column.
    leads_on: bool,
    children: HashMap<Box<str>, u32, foldhash::fast::FixedState>,
    first_child: u32,
    next: u32,
}

impl Node {
    fn new(name: &str, parent: u32, depth: usize) -> Self {
        Self {
            spelled: (!is_escaped(name)).then(|| format!("\"{name}\":").into_bytes().into()),
            seen: (0, 0),
            parent,
            name: name.into(),
            depth,
            column: None,
            leads_on: false,
            children: HashMap::default(),
            first_child: NOWHERE,
            next: NOWHERE,
        }
    }
}

/// Whether a name cannot stand in a document as it is.
fn is_escaped(name: &str) -> bool {
    name.bytes().any(|b| b < b' ' || matches!(b, b'"' | b'\\'))
}

#[derive(Debug)]
pub struct PathTree {
    nodes: Vec<Node>,
    unlisted: NameRule,
    idle: usize,
}

impl PathTree {
    pub fn new(rows: &Rows, unlisted: NameRule) -> Self {
        let mut tree = Self { nodes: vec![Node::new("", NOWHERE, 0)], unlisted, idle: 0 };
        for (column, path) in rows.columns() {
            tree.add_path(path, column);
        }
        tree
    }

    fn add_path(&mut self, path: &Path, column: u32) {
        let mut at = ROOT;
        for name in path.names() {
            if let Some(node) = self.node_mut(at) {
                node.leads_on = true;
            }
            at = match self.node(at).and_then(|n| n.children.get(name)) {
                Some(child) => *child,
                None => self.push(at, name),
            };
        }
        if let Some(node) = self.node_mut(at) {
            node.column = Some(column);
        }
    }

    /// Between two pieces: what the table decided meanwhile holds from here on.
    pub fn renew(&mut self, rows: &mut Rows) {
        if rows.is_full() && self.unlisted == NameRule::Add {
            *self = Self::new(rows, NameRule::Count);
        } else if self.unlisted == NameRule::Add && rows.known() > MAX_KNOWN {
            rows.forget();
            *self = Self::new(rows, NameRule::Add);
        }
    }

    fn node(&self, at: u32) -> Option<&Node> {
        self.nodes.get(at as usize)
    }

    fn node_mut(&mut self, at: u32) -> Option<&mut Node> {
        self.nodes.get_mut(at as usize)
    }

    fn push(&mut self, parent: u32, name: &str) -> u32 {
        let number = u32::try_from(self.nodes.len()).unwrap_or(NOWHERE);
        let depth = self.node(parent).map_or(0, |n| n.depth) + 1;
        self.nodes.push(Node::new(name, parent, depth));
        if let Some(node) = self.node_mut(parent) {
            node.children.insert(name.into(), number);
        }
        number
    }

    /// The child that is likely to come now: `before` is the one that came last, none at the start of an object.
    pub fn guess(&self, parent: u32, before: u32) -> Option<(u32, &[u8])> {
        let guess = if before == NOWHERE {
            self.node(parent)?.first_child
        } else {
            self.node(before)?.next
        };
        Some((guess, self.node(guess)?.spelled.as_deref()?))
    }

    /// The child of a name, and a memory of what it followed.
    pub fn child(&mut self, parent: u32, before: u32, name: &str) -> u32 {
        let known = match self.node(parent) {
            None => return NOWHERE,
            Some(node) => node.children.get(name).copied(),
        };
        let child = match known {
            Some(child) => child,
            None if self.unlisted != NameRule::Add => {
                if self.idle >= MAX_IDLE_NAMES || name.len() > 256 {
                    return NOWHERE;
                }
                self.idle += 1;
                self.push(parent, name)
            }
            None => self.push(parent, name),
        };
        if before == NOWHERE {
            if let Some(node) = self.node_mut(parent) {
                node.first_child = child;
            }
        } else if let Some(node) = self.node_mut(before) {
            node.next = child;
        }
        child
    }

    /// Remembers where in a document the value of a node begins; gives where another one of the same name began, and the
    /// column of the node.
    pub fn see(&mut self, at: u32, document: u64, offset: usize) -> (Option<usize>, Option<u32>) {
        let Some(node) = self.node_mut(at) else {
            return (None, None);
        };
        let (before, first) = std::mem::replace(&mut node.seen, (document, offset));
        ((before == document).then_some(first), node.column)
    }

    /// A column for a node without one, where every path gets one.
    pub fn new_column(&mut self, at: u32, rows: &mut Rows) -> Option<u32> {
        if self.unlisted != NameRule::Add {
            return None;
        }
        let column = rows.add_column(self.path(at));
        self.node_mut(at)?.column = Some(column);
        Some(column)
    }

    fn path(&self, mut at: u32) -> Path {
        let mut names = Vec::new();
        while let Some(node) = self.node(at).filter(|n| n.parent != NOWHERE) {
            names.push(node.name.clone());
            at = node.parent;
        }
        names.reverse();
        Path(names)
    }

    pub fn counts_unlisted(&self) -> bool {
        self.unlisted == NameRule::Count
    }

    /// Where the properties of an object at a node belong.
    pub fn inside(&self, at: u32) -> Depth {
        match self.node(at) {
            Some(node) if node.depth >= MAX_PATH_NAMES => Depth::TooDeep,
            Some(node) if node.leads_on || self.unlisted != NameRule::Ignore => Depth::Paths,
            _ => Depth::Nothing,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Depth {
    Paths,
    Nothing,
    TooDeep,
}
