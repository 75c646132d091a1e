//! Keys of all containers that the text of the filter finds, below the containers whose names it finds.

use super::{OverviewState, sorting};
use crate::analysis::filter::{Filter, FilterBasis, ParsedFilter, parse, wrong_piece};
use crate::model::logical::KeyId;
use crate::ui::kit::cx::Cx;
use crate::ui::kit::msg::{Effect, Generation, Msg};
use crate::work::find_keys::{KeyHits, KeySearch};
use crate::work::shared::Shared;

/// Why a text that is in no container's name is not searched for among keys, and from which character on.
pub(super) fn problem(state: &OverviewState, text: &str) -> Option<(usize, String)> {
    let is_name = || !sorting::order(&state.rows, text, state.sort).is_empty();
    match parse(text, FilterBasis::default()) {
        ParsedFilter::Complete(_) => None,
        _ if state.compared.is_some() || is_name() => None,
        ParsedFilter::Incomplete(e) | ParsedFilter::Wrong(e) => {
            Some((e.column, wrong_piece(text, &e)))
        }
    }
}

#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct FoundKeys {
    /// What is searched for, until the answer is there.
    asked: Option<Generation>,
    filter: Filter,
    hits: Option<Shared<KeyHits>>,
}

impl FoundKeys {
    /// Searches for what was typed. Of names that are masked a search would give away what they are.
    pub fn ask(&mut self, cx: &Cx, text: &str) -> Vec<Effect> {
        let data = cx.data.as_ref().filter(|_| !cx.mask.is_on());
        let filter = match parse(text, FilterBasis::default()) {
            ParsedFilter::Complete(filter) if !filter.is_empty() => filter,
            _ => Filter::default(),
        };
        if filter == self.filter && data.is_some() {
            return Vec::new();
        }
        self.filter = filter;
        self.asked = None;
        let Some(data) = data.filter(|_| !self.filter.is_empty()) else {
            *self = Self::default();
            return Vec::new();
        };
        let generation = cx.turns.next();
        self.asked = Some(generation);
        let search = KeySearch { data: data.clone(), filter: self.filter.clone() };
        vec![Effect::FindKeys(generation, search)]
    }

    /// Searches other data for the same.
    pub fn ask_again(&mut self, cx: &Cx, text: &str) -> Vec<Effect> {
        *self = Self::default();
        self.ask(cx, text)
    }

    /// Takes the answer to the newest question.
    pub fn answer(&mut self, msg: &Msg) {
        if let Msg::KeysFound(generation, hits) = msg
            && self.asked == Some(*generation)
        {
            self.asked = None;
            self.hits = Some(hits.clone());
        }
    }

    pub fn is_under_way(&self) -> bool {
        self.asked.is_some()
    }

    pub fn hits(&self) -> &[(u32, KeyId)] {
        self.hits.as_ref().map_or(&[], |found| &found.hits)
    }

    pub fn total(&self) -> u64 {
        self.hits.as_ref().map_or(0, |found| found.total)
    }
}
