//! What makes documents as long as they are said to be.

use super::document_spec::{Filler, Filling};
use super::documents::push_name;
use super::random::Random;

/// Out of the way of the streams of keys, GUIDs, phases and documents.
const POOL_STREAM: u64 = 4 << 32;
const BASE64: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
/// Places of the pool at which a piece may begin: enough that hardly two documents look alike.
const POOL_STARTS: usize = 16_384;
/// A blank included.
const LONGEST_WORD: usize = 9;
const WORDS: [&str; 24] = [
    "about", "again", "before", "checked", "customer", "delivery", "early", "first", "found",
    "given", "later", "message", "morning", "number", "order", "paper", "quick", "replied", "seen",
    "since", "small", "thanks", "today", "week",
];

/// Text that documents take a piece of: drawing each letter anew would take most of the time.
#[derive(Debug)]
pub(super) struct Pool {
    name: String,
    starts: u64,
    text: String,
}

impl Pool {
    pub fn new(filler: &Filler, longest: u32, seed: u64) -> Self {
        let mut random = Random::new(seed, POOL_STREAM);
        let mut text = String::new();
        let longest = usize::try_from(longest).unwrap_or_default();
        while text.len() < POOL_STARTS + longest + LONGEST_WORD {
            match filler.with {
                Filling::Base64 => text.push(random.pick(BASE64)),
                Filling::Words => {
                    let word = usize::try_from(random.below(WORDS.len() as u64)).ok();
                    text.push_str(word.and_then(|w| WORDS.get(w)).unwrap_or(&""));
                    text.push(' ');
                }
            }
        }
        Self { name: filler.name.clone(), starts: POOL_STARTS as u64, text }
    }

    /// Ends the document, as long as wished or a little longer where its fields already are.
    pub fn fill(&self, target_bytes: u64, out: &mut String, random: &mut Random) {
        push_name(&self.name, out);
        out.push('"');
        let start = usize::try_from(random.below(self.starts)).unwrap_or_default();
        let rest = self.text.get(start..).unwrap_or_default();
        // Words begin whole; in Base64 there is no blank.
        let rest = rest.split_once(' ').map_or(rest, |(_, after)| after);
        let target = usize::try_from(target_bytes).unwrap_or_default();
        let lacking = target.saturating_sub(out.len() + 2);
        out.push_str(rest.get(..lacking).unwrap_or(rest));
        out.push_str("\"}");
    }
}
