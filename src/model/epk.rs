//! Effective partition keys: the place a partition key value has in a container's hash space.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

use super::key::{KeyDefinition, KeyKind, KeyVersion, Part};
use super::murmur;

const UNDEFINED: u8 = 0x00;
const NULL: u8 = 0x01;
const FALSE: u8 = 0x02;
const TRUE: u8 = 0x03;
const NUMBER: u8 = 0x05;
const STRING: u8 = 0x08;
/// Sorts after every component, so a prefix followed by it ends the prefix's range.
const INFINITY: u8 = 0xFF;

/// Version 1 hashes no more of a string than this.
const V1_STRING_UTF16_UNITS: usize = 100;
/// Version 1 writes no more of a string's UTF-8 than this; a longer one gets one byte more and no end mark.
const V1_STRING_BYTES: usize = 100;
/// Version 2 clears the two highest bits of its 128.
pub const HASH_V2_BITS: u32 = 126;
const MAX_HASH_V2: u128 = (1 << HASH_V2_BITS) - 1;
pub const HASH_V2_BYTES: usize = 16;

/// An effective partition key; trailing zero bytes do not count when two are compared.
#[derive(Clone, Debug)]
pub struct Epk(Cow<'static, [u8]>);

impl Epk {
    /// The inclusive start of the whole space.
    pub const MIN: Self = Self(Cow::Borrowed(&[]));
    /// The exclusive end of the whole space.
    pub const MAX: Self = Self(Cow::Borrowed(&[INFINITY]));

    /// Reads hexadecimal text of any even length, in either case.
    pub fn from_hex(text: &str) -> Option<Self> {
        let (pairs, rest) = text.as_bytes().as_chunks::<2>();
        if !rest.is_empty() {
            return None;
        }
        let digit = |byte| u8::try_from(char::from(byte).to_digit(16)?).ok();
        let bytes: Option<Vec<u8>> =
            pairs.iter().map(|&[high, low]| Some(digit(high)? << 4 | digit(low)?)).collect();
        bytes.map(Self::from)
    }

    /// The bytes as found or computed, trailing zeros included.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    fn significant(&self) -> &[u8] {
        let zeros = self.0.iter().rev().take_while(|&&byte| byte == 0).count();
        self.0.get(..self.0.len() - zeros).unwrap_or_default()
    }
}

impl From<Vec<u8>> for Epk {
    fn from(bytes: Vec<u8>) -> Self {
        Self(Cow::Owned(bytes))
    }
}

impl fmt::Display for Epk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02X}"))
    }
}

equal_by_order!(Epk);

impl Ord for Epk {
    fn cmp(&self, other: &Self) -> Ordering {
        self.significant().cmp(other.significant())
    }
}

impl Hash for Epk {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.significant().hash(state);
    }
}

/// The place of a key; `None` if it has more parts than the definition has paths, or a part no key can have.
///
/// Of a hierarchical key with fewer parts than paths this is the start of its [`prefix_range`].
pub fn epk(parts: &[Part], definition: &KeyDefinition) -> Option<Epk> {
    if parts.len() > definition.paths.len() {
        return None;
    }
    if parts.is_empty() {
        return Some(Epk::MIN);
    }
    let version = hash_version(definition);
    // One hash of all parts, or one of each level.
    let together = match definition.kind {
        KeyKind::Hash => parts.len(),
        KeyKind::MultiHash => 1,
    };
    let (mut hashed, mut bytes) = (Vec::new(), Vec::with_capacity(parts.len() * HASH_V2_BYTES));
    for parts in parts.chunks(together) {
        hashed.clear();
        parts.iter().try_for_each(|part| push_hashed(part, version, &mut hashed))?;
        match version {
            KeyVersion::V1 => {
                push_ordered_number(f64::from(murmur::x86_32(&hashed)), &mut bytes);
                for part in parts {
                    push_ordered(part, &mut bytes);
                }
            }
            KeyVersion::V2 => bytes.extend_from_slice(&hash_v2(&hashed).to_be_bytes()),
        }
    }
    Some(bytes.into())
}

/// Where every key that starts with these parts lies: `[min, max)`, or one point (min = max) for a whole key.
///
/// Only hierarchical keys keep a prefix together; part of another key may lie anywhere.
pub fn prefix_range(parts: &[Part], definition: &KeyDefinition) -> Option<(Epk, Epk)> {
    let min = epk(parts, definition)?;
    if parts.len() == definition.paths.len() {
        return Some((min.clone(), min));
    }
    match definition.kind {
        KeyKind::MultiHash => {
            let mut end = min.as_bytes().to_vec();
            end.push(INFINITY);
            Some((min, end.into()))
        }
        KeyKind::Hash => Some((Epk::MIN, Epk::MAX)),
    }
}

/// The `count - 1` inner boundaries of a hash space divided evenly, as the service divides a new container.
pub fn even_boundaries(count: u32, definition: &KeyDefinition) -> Vec<Epk> {
    (1..count)
        .map(|index| match hash_version(definition) {
            KeyVersion::V1 => start_of_hash_v1(u32::MAX / count * index),
            KeyVersion::V2 => {
                (MAX_HASH_V2 / u128::from(count) * u128::from(index)).to_be_bytes().to_vec().into()
            }
        })
        .collect()
}

/// The middle of a range's hash space; `None` if no boundary lies strictly inside.
///
/// In a hierarchical range that holds one value of a level, the next level is halved.
pub fn midpoint(min: &Epk, max: &Epk, definition: &KeyDefinition) -> Option<Epk> {
    let middle = match hash_version(definition) {
        KeyVersion::V1 => {
            let (low, high) = (hash_v1_at(min)?, hash_v1_at(max)?);
            start_of_hash_v1(low + high.checked_sub(low)? / 2)
        }
        KeyVersion::V2 => midpoint_v2(min.as_bytes(), max.as_bytes(), definition)?,
    };
    (*min < middle && middle < *max).then_some(middle)
}

fn hash_version(definition: &KeyDefinition) -> KeyVersion {
    match definition.kind {
        KeyKind::MultiHash => KeyVersion::V2,
        KeyKind::Hash => definition.version,
    }
}

fn hash_v2(bytes: &[u8]) -> u128 {
    masked(murmur::x64_128(bytes))
}

fn masked((first, second): (u64, u64)) -> u128 {
    (u128::from(second) << 64 | u128::from(first)) & MAX_HASH_V2
}

/// Texts that begin alike, each a level of a hierarchical key or a key of one part: their places by version 2, which is what
/// [`epk`] gives, as numbers.
#[derive(Clone, Debug, Default)]
pub struct TextPlaces {
    hashed: murmur::Blocks,
    /// What is not yet hashed of the beginning, and room for what comes behind it.
    bytes: Vec<u8>,
    rest: usize,
}

impl TextPlaces {
    pub fn begin(&mut self, beginning: &str) {
        self.bytes.clear();
        self.bytes.push(STRING);
        self.bytes.extend_from_slice(beginning.as_bytes());
        let (blocks, rest) = self.bytes.as_chunks::<HASH_V2_BYTES>();
        self.hashed = murmur::Blocks::default().and(blocks);
        self.rest = rest.len();
        let hashed = self.bytes.len() - self.rest;
        self.bytes.drain(..hashed);
    }

    /// The place of the text that ends so.
    pub fn of_end(&mut self, end: &str) -> u128 {
        self.bytes.truncate(self.rest);
        self.bytes.extend_from_slice(end.as_bytes());
        self.bytes.push(INFINITY);
        let (blocks, tail) = self.bytes.as_chunks::<HASH_V2_BYTES>();
        masked(self.hashed.and(blocks).done(tail))
    }
}

/// The bytes of one component that enter the hash.
fn push_hashed(part: &Part, version: KeyVersion, out: &mut Vec<u8>) -> Option<()> {
    out.push(kind(part)?);
    match part {
        Part::Number(number) => out.extend_from_slice(&number.value().to_le_bytes()),
        Part::Text(text) => {
            let (text, end) = match version {
                KeyVersion::V1 => (cut_v1(text), 0x00),
                KeyVersion::V2 => (Cow::Borrowed(&**text), 0xFF),
            };
            out.extend_from_slice(text.as_bytes());
            out.push(end);
        }
        _ => {}
    }
    Some(())
}

/// None of what no key can have.
fn kind(part: &Part) -> Option<u8> {
    Some(match part {
        Part::Undefined => UNDEFINED,
        Part::Null => NULL,
        Part::Bool(false) => FALSE,
        Part::Bool(true) => TRUE,
        Part::Number(_) => NUMBER,
        Part::Text(_) => STRING,
        Part::Other(_) => return None,
    })
}

/// The bytes version 1 writes after the hash, so that keys of one hash still sort by value.
fn push_ordered(part: &Part, out: &mut Vec<u8>) {
    match part {
        Part::Number(number) => push_ordered_number(number.value(), out),
        Part::Text(text) => {
            let text = cut_v1(text);
            out.push(STRING);
            // No byte of UTF-8 is 255, so adding one cannot wrap.
            out.extend(text.bytes().take(V1_STRING_BYTES + 1).map(|byte| byte.wrapping_add(1)));
            if text.len() <= V1_STRING_BYTES {
                out.push(0x00);
            }
        }
        _ => out.extend(kind(part)),
    }
}

fn push_ordered_number(value: f64, out: &mut Vec<u8>) {
    let bits = value.to_bits();
    let ordered = if bits >> 63 == 0 { bits ^ (1 << 63) } else { bits.wrapping_neg() };
    let [highest, ..] = ordered.to_be_bytes();
    out.extend_from_slice(&[NUMBER, highest]);
    let mut rest = ordered << 8;
    loop {
        let [group, ..] = rest.to_be_bytes();
        rest <<= 7;
        if rest == 0 {
            out.push(group & 0xFE);
            return;
        }
        out.push(group | 1);
    }
}

/// Where the keys of a hash of version 1 begin: before every one of them, behind those of smaller hashes.
pub fn start_of_hash_v1(hash: u32) -> Epk {
    let mut bytes = Vec::with_capacity(16);
    push_ordered_number(f64::from(hash), &mut bytes);
    bytes.into()
}

/// The hash of version 1 at which a boundary stands; the largest for the end of the space.
pub fn hash_v1_at(boundary: &Epk) -> Option<u32> {
    let Some((&kind, rest)) = boundary.as_bytes().split_first() else {
        return Some(0);
    };
    if kind == INFINITY {
        return Some(u32::MAX);
    }
    if kind != NUMBER {
        return None;
    }
    let (&highest, groups) = rest.split_first()?;
    let mut ordered = u64::from(highest) << 56;
    let mut shift = 49_u32;
    for &group in groups {
        ordered |= u64::from(group >> 1) << shift;
        // The ninth group would lie below the lowest bit of a double.
        if group & 1 == 0 || shift == 0 {
            break;
        }
        shift -= 7;
    }
    let value = f64::from_bits(ordered ^ (1 << 63));
    if !(0.0..=f64::from(u32::MAX)).contains(&value) {
        return None;
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "checked to be within u32 just above"
    )]
    let hash = value as u32;
    Some(hash)
}

/// Where a key or a boundary lies in the hash space, from 0 to 1, by the hash of its first level.
pub fn position(epk: &Epk, version: KeyVersion) -> f64 {
    let leading = match version {
        KeyVersion::V1 => hash_v1_at(epk).unwrap_or(0),
        KeyVersion::V2 => {
            let mut bytes = epk.as_bytes().iter().copied().chain(std::iter::repeat(0));
            let mut leading = || u32::from(bytes.next().unwrap_or(0));
            let leading = (0..4).fold(0, |all: u32, _| all << 8 | leading());
            // Of version 2 the two highest bits are clear.
            leading.min(u32::MAX >> 2).saturating_mul(4)
        }
    };
    f64::from(leading) / f64::from(u32::MAX)
}

fn midpoint_v2(min: &[u8], max: &[u8], definition: &KeyDefinition) -> Option<Epk> {
    let levels = match definition.kind {
        KeyKind::MultiHash => definition.paths.len(),
        KeyKind::Hash => 1,
    };
    let mut prefix = Vec::new();
    let mut below_max = false;
    for level in 0..levels {
        let low = level_v2(min, level);
        let high = if below_max { MAX_HASH_V2 } else { level_v2(max, level) };
        let width = high.checked_sub(low)?;
        if width > 1 {
            prefix.extend_from_slice(&(low + width / 2).to_be_bytes());
            return Some(prefix.into());
        }
        // One value apart, only completions of the lower one are left, and nothing of `max` bounds them any more.
        below_max |= width == 1;
        prefix.extend_from_slice(&low.to_be_bytes());
    }
    None
}

/// One level's hash; missing bytes are zero, and whatever lies beyond the space is its end.
fn level_v2(bytes: &[u8], level: usize) -> u128 {
    let mut block = [0; HASH_V2_BYTES];
    let found = bytes.chunks(HASH_V2_BYTES).nth(level).unwrap_or_default();
    block.iter_mut().zip(found).for_each(|(to, from)| *to = *from);
    u128::from_be_bytes(block).min(MAX_HASH_V2)
}

/// The first 100 UTF-16 units; a surrogate pair cut in two leaves U+FFFD, as in the service.
fn cut_v1(text: &str) -> Cow<'_, str> {
    let mut units = 0;
    for (at, character) in text.char_indices() {
        let next = units + character.len_utf16();
        if next > V1_STRING_UTF16_UNITS {
            let kept = text.get(..at).unwrap_or_default();
            return if units == V1_STRING_UTF16_UNITS {
                kept.into()
            } else {
                format!("{kept}\u{fffd}").into()
            };
        }
        units = next;
    }
    text.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_begin_alike_lie_where_each_by_itself_does() {
        let text: String = "Zürich-0123456789-".repeat(5);
        let definition = KeyDefinition {
            paths: vec![String::new()],
            kind: KeyKind::Hash,
            version: KeyVersion::V2,
        };
        let mut places = TextPlaces::default();
        for cut in text.char_indices().map(|(at, _)| at) {
            let (beginning, rest) = text.split_at(cut);
            places.begin(beginning);
            for end in rest.char_indices().map(|(at, _)| at).chain([rest.len()]) {
                let end = rest.split_at(end).0;
                let whole = Part::Text(format!("{beginning}{end}").into());
                let wanted = epk(&[whole], &definition).map(|epk| epk.to_string());
                let found = format!("{:032X}", places.of_end(end));
                assert_eq!(Some(found), wanted);
            }
        }
    }
}
