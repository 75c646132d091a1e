//! Takes secrets out of every text that leaves: those that are known by value, and what stands where secrets stand.

use std::borrow::Cow;
use std::collections::{HashSet, VecDeque};
use std::fmt::Write as _;
use std::sync::{LazyLock, PoisonError, RwLock};

use azure_core::base64;
use memchr::{memchr2_iter, memmem};

/// What stands in the place of a secret.
pub const REDACTED: &str = "[hidden]";

/// So much of a key or token is hidden wherever it stands, whatever part of it that is; shorter texts stand in innocent
/// words too.
const LEAST_CHARS: usize = 8;
/// The same of what was given as a secret and looks like words or an address, from its beginning on.
const BEGINNING: usize = 16;
/// Keys that one run may be given: one, and the one it was changed for.
const MAX_KEYS: usize = 16;
/// Tokens are renewed about every hour for three services: enough for what is still on its way to a file.
const MAX_TOKENS: usize = 24;

/// Every form of the secrets of this run.
struct KnownSecrets {
    keys: VecDeque<Vec<String>>,
    tokens: VecDeque<Vec<String>>,
    /// All parts of the least length of those that no sentence could hold.
    parts: HashSet<Part, foldhash::fast::RandomState>,
}

type Part = [u8; LEAST_CHARS];

static HELD: LazyLock<RwLock<KnownSecrets>> = LazyLock::new(|| {
    RwLock::new(KnownSecrets {
        keys: VecDeque::new(),
        tokens: VecDeque::new(),
        parts: HashSet::default(),
    })
});

impl KnownSecrets {
    /// After a secret came or went.
    fn gather(&mut self) {
        let secrets = self.keys.iter().chain(&self.tokens);
        let coded = secrets.filter(|forms| forms.first().is_some_and(|raw| is_coded(raw)));
        let forms = coded.flatten();
        self.parts = forms.flat_map(|form| parts(form.as_bytes())).collect();
    }
}

/// Whether it is base64 or a token by its looks: parts of anything else stand in our own sentences.
fn is_coded(secret: &str) -> bool {
    let has = |kind: fn(&u8) -> bool| secret.bytes().any(|b| kind(&b));
    let is_one = |b: u8| b.is_ascii_alphanumeric() || b"+/=-_.~".contains(&b);
    has(u8::is_ascii_uppercase)
        && has(u8::is_ascii_lowercase)
        && has(u8::is_ascii_digit)
        && secret.bytes().all(is_one)
}

/// The parts of the least length, from each place of a text.
fn parts(bytes: &[u8]) -> impl Iterator<Item = Part> {
    let windows = bytes.windows(LEAST_CHARS);
    windows.filter_map(|window| window.try_into().ok())
}

/// Remembers a key or a connection string: from now on it leaves in no form.
pub fn hold(secret: &str) {
    let mut held = HELD.write().unwrap_or_else(PoisonError::into_inner);
    add(&mut held.keys, secret, MAX_KEYS);
    held.gather();
}

/// Remembers a token; the oldest go.
pub fn hold_token(token: &str) {
    let mut held = HELD.write().unwrap_or_else(PoisonError::into_inner);
    add(&mut held.tokens, token, MAX_TOKENS);
    held.gather();
}

fn add(list: &mut VecDeque<Vec<String>>, secret: &str, most: usize) {
    let is_held = list.iter().any(|forms| forms.first().is_some_and(|raw| raw == secret));
    if secret.len() < LEAST_CHARS || is_held {
        return;
    }
    if list.len() >= most {
        list.pop_front();
    }
    list.push_back(forms(secret));
}

/// As it is, as base64 of it, as part of an address in both cases of the digits, and as JSON writes a slash.
fn forms(secret: &str) -> Vec<String> {
    let coded = base64::encode(secret);
    let mut forms = vec![secret.to_owned()];
    for form in [
        coded.trim_end_matches('=').to_owned(),
        in_address(secret, Digits::Capital),
        in_address(secret, Digits::Small),
        in_address(&coded, Digits::Capital),
        in_address(&coded, Digits::Small),
        secret.replace('/', "\\/"),
    ] {
        if !forms.contains(&form) {
            forms.push(form);
        }
    }
    forms
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Digits {
    Capital,
    Small,
}

fn in_address(text: &str, digits: Digits) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~') {
            out.push(char::from(byte));
        } else {
            let _ = match digits {
                Digits::Capital => write!(out, "%{byte:02X}"),
                Digits::Small => write!(out, "%{byte:02x}"),
            };
        }
    }
    out
}

/// The text without any secret that is held or stands where secrets stand.
pub fn scrub(text: &str) -> Cow<'_, str> {
    match scrub_bytes(text.as_bytes()) {
        Cow::Borrowed(_) => text.into(),
        // Secrets are told apart at letters of ASCII: what is left of a text is one.
        Cow::Owned(bytes) => String::from_utf8_lossy(&bytes).into_owned().into(),
    }
}

/// The same for bytes that may be no text.
pub fn scrub_bytes(bytes: &[u8]) -> Cow<'_, [u8]> {
    let spans = spans(bytes);
    if spans.is_empty() {
        return bytes.into();
    }
    let mut out = Vec::with_capacity(bytes.len());
    let mut end = 0;
    for (from, to) in spans {
        out.extend_from_slice(bytes.get(end..from).unwrap_or_default());
        out.extend_from_slice(REDACTED.as_bytes());
        end = to;
    }
    out.extend_from_slice(bytes.get(end..).unwrap_or_default());
    out.into()
}

/// Where secrets stand, in order and apart.
fn spans(bytes: &[u8]) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    {
        let held = HELD.read().unwrap_or_else(PoisonError::into_inner);
        find_parts(bytes, &held, &mut found);
        for form in held.keys.iter().chain(&held.tokens).flatten() {
            find_held(bytes, form.as_bytes(), &mut found);
        }
    }
    for name in NAMES {
        find_named(bytes, name, &mut found);
    }
    find_bearers(bytes, &mut found);
    find_tokens(bytes, &mut found);
    found.sort_unstable();
    let mut apart: Vec<(usize, usize)> = Vec::with_capacity(found.len());
    for (from, to) in found {
        match apart.last_mut() {
            Some(last) if from <= last.1 => last.1 = last.1.max(to),
            _ => apart.push((from, to)),
        }
    }
    apart
}

/// Parts of secrets, one span for those that overlap. They are ASCII: their ends are edges of characters.
fn find_parts(bytes: &[u8], held: &KnownSecrets, found: &mut Vec<(usize, usize)>) {
    if held.parts.is_empty() {
        return;
    }
    for (at, part) in parts(bytes).enumerate() {
        if !held.parts.contains(&part) {
            continue;
        }
        let to = at + LEAST_CHARS;
        match found.last_mut() {
            Some(last) if at <= last.1 => last.1 = to,
            _ => found.push((at, to)),
        }
    }
}

/// A secret or its beginning, as far as it goes.
fn find_held(bytes: &[u8], form: &[u8], found: &mut Vec<(usize, usize)>) {
    let begin = form.get(..BEGINNING).unwrap_or(form);
    for at in memmem::find_iter(bytes, begin) {
        let here = bytes.get(at..).unwrap_or_default();
        let same = here.iter().zip(form).take_while(|(a, b)| a == b).count();
        found.push((at, whole_characters(bytes, at, at + same)));
    }
}

/// A secret may be any text: its cut end is moved to the edge of a character.
fn whole_characters(bytes: &[u8], from: usize, mut to: usize) -> usize {
    while to > from && bytes.get(to).is_some_and(|b| b & 0b1100_0000 == 0b1000_0000) {
        to -= 1;
    }
    to
}

/// What is called so has a secret for its value, as `name=…`, `name: …`, `"name":"…"` or `name%3D…`; small letters.
const NAMES: [&[u8]; 13] = [
    b"sig",
    b"accountkey",
    b"masterkey",
    b"sharedaccesskey",
    b"access_token",
    b"accesstoken",
    b"refresh_token",
    b"id_token",
    b"client_secret",
    b"clientsecret",
    b"client_assertion",
    b"password",
    b"x-identity-header",
];

fn find_named(bytes: &[u8], name: &[u8], found: &mut Vec<(usize, usize)>) {
    let Some(&first) = name.first() else { return };
    for at in memchr2_iter(first, first.to_ascii_uppercase(), bytes) {
        let behind = at + name.len();
        let is_named = bytes.get(at..behind).is_some_and(|here| here.eq_ignore_ascii_case(name));
        // `design=` is no signature; `primaryMasterKey=` and `x-sig=` are what they are called.
        let is_word = name.len() > 3
            || at == 0
            || bytes.get(at - 1).is_some_and(|b| !b.is_ascii_alphanumeric())
            || is_code_before(bytes, at);
        if !is_named || !is_word {
            continue;
        }
        if let Some(from) = value_at(bytes, behind) {
            let to = value_end(bytes, from);
            if to > from {
                found.push((from, to));
            }
        }
    }
}

/// `…%26sig`: the code of an ampersand ends in a digit.
fn is_code_before(bytes: &[u8], at: usize) -> bool {
    at >= 3 && bytes.get(at - 3) == Some(&b'%')
}

/// Where the value begins, if what is behind the name gives it one.
fn value_at(bytes: &[u8], behind: usize) -> Option<usize> {
    let rest = bytes.get(behind..)?;
    let coded = rest.get(..3).is_some_and(|code| code.eq_ignore_ascii_case(b"%3d"));
    if coded {
        return Some(behind + 3);
    }
    let is_json = matches!(rest, [b'"' | b'\'', ..] | [b'\\', b'"', ..]);
    let mut at = usize::from(rest.starts_with(b"\\")) + usize::from(is_json);
    at += blanks(rest.get(at..)?);
    if !matches!(rest.get(at), Some(b'=' | b':')) {
        return None;
    }
    at += 1;
    at += blanks(rest.get(at..)?);
    at += usize::from(matches!(rest.get(at), Some(b'\\')));
    let is_quoted = matches!(rest.get(at), Some(b'"' | b'\''));
    // What JSON does not quote is a number or the like: no secret, and a text in its place would be no JSON.
    (is_quoted || !is_json).then_some(behind + at + usize::from(is_quoted))
}

fn blanks(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|b| matches!(b, b' ' | b'\t')).count()
}

fn value_end(bytes: &[u8], from: usize) -> usize {
    let rest = bytes.get(from..).unwrap_or_default();
    let is_end = |b: &u8| {
        b.is_ascii_whitespace()
            || matches!(
                b,
                b'&' | b';' | b'"' | b'\'' | b'<' | b'>' | b',' | b')' | b'}' | b'\\' | b'`'
            )
    };
    let coded = memmem::find(rest, b"%26").unwrap_or(rest.len());
    let plain = rest.iter().position(is_end).unwrap_or(rest.len());
    from + plain.min(coded)
}

const BEARER: &[u8] = b"bearer";
/// `Bearer authentication` is a sentence; what follows here is a token if it is as long and has a digit.
const LEAST_BEARER: usize = 12;

fn find_bearers(bytes: &[u8], found: &mut Vec<(usize, usize)>) {
    for at in memchr2_iter(b'b', b'B', bytes) {
        let behind = at + BEARER.len();
        let is_word = bytes.get(at..behind).is_some_and(|here| here.eq_ignore_ascii_case(BEARER));
        let rest = bytes.get(behind..).unwrap_or_default();
        let blanks = if rest.starts_with(b"%20") { 3 } else { blanks(rest) };
        if !is_word || blanks == 0 {
            continue;
        }
        let from = behind + blanks;
        let token = bytes.get(from..value_end(bytes, from)).unwrap_or_default();
        if token.len() >= LEAST_BEARER && token.iter().any(u8::is_ascii_digit) {
            found.push((from, from + token.len()));
        }
    }
}

const TOKEN: &[u8] = b"eyJ";
const LEAST_PART: usize = 8;

/// Tokens by their form: three parts of base64 with dots between, the first of which begins as all do.
fn find_tokens(bytes: &[u8], found: &mut Vec<(usize, usize)>) {
    let part = |from: usize| {
        let rest = bytes.get(from..).unwrap_or_default();
        let is_one = |b: &&u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_');
        from + rest.iter().take_while(is_one).count()
    };
    for at in memmem::find_iter(bytes, TOKEN) {
        let first = part(at);
        if first - at < LEAST_PART || bytes.get(first) != Some(&b'.') {
            continue;
        }
        let second = part(first + 1);
        if second - first <= LEAST_PART {
            continue;
        }
        let end = if bytes.get(second) == Some(&b'.') { part(second + 1) } else { second };
        found.push((at, end));
    }
}
