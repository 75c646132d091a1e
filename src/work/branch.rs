//! One level of the tree of hierarchical keys: the question, and the answer that a worker thread makes.

use std::cell::Cell;
use std::collections::HashMap;

use crate::analysis::tree::{Prefix, TreeLevel, level};
use crate::model::logical::KeyId;
use crate::work::arrange::{Arranged, KEYS_PER_ASKING};
use crate::work::shared::Shared;

/// What follows a prefix among the keys of a list.
#[derive(Clone, PartialEq, Debug)]
pub struct Branch {
    pub list: Shared<Arranged>,
    /// None: the first level.
    pub under: Option<Prefix>,
}

/// The answer to a [`Branch`].
#[derive(Debug)]
pub struct Grown {
    pub of: Branch,
    pub level: TreeLevel,
    /// For each node the key that it is, if it is one.
    pub ids: Vec<Option<KeyId>>,
}

impl Branch {
    /// None when `keep_going` said no.
    pub fn grow(&self, keep_going: &dyn Fn() -> bool) -> Option<Grown> {
        let columns = self.list.columns();
        let stopped = Cell::new(false);
        let keys = || {
            let rows = self.list.rows().iter().enumerate();
            let columns = columns.as_ref();
            rows.map_while(|(n, row)| {
                if n.is_multiple_of(KEYS_PER_ASKING) && !keep_going() {
                    stopped.set(true);
                }
                (!stopped.get()).then_some(*row)
            })
            .filter_map(move |row| {
                let columns = columns?;
                let key = columns.key(row)?;
                let view = columns.capture.sizes.view(key.id)?;
                Some((key.id, view.canonical(), key.size_kib))
            })
        };
        let level = level(keys().map(|(_, text, kib)| (text, kib)), self.under.as_ref());
        let whole = level.nodes.iter().zip(0_usize..);
        let whole: HashMap<String, usize> = whole
            .filter(|(node, _)| node.whole_key)
            .map(|(node, at)| (node.prefix.canonical(), at))
            .collect();
        let mut ids = vec![None; level.nodes.len()];
        if !whole.is_empty() {
            for (id, text, _) in keys() {
                if let Some(slot) = whole.get(text).and_then(|at| ids.get_mut(*at)) {
                    *slot = Some(id);
                }
            }
        }
        let of = self.clone();
        (!stopped.get()).then_some(Grown { of, level, ids })
    }
}
