//! One line of a recording: as text, and back.

use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::model::iso::iso;
use crate::model::time::Stamp;
use crate::source::answers::{Inquiry, Observation, Trouble};
use crate::source::json::read::{self, Member};
use crate::source::json::scan::Scanner;

/// What a recording begins with, so that it is known by its content.
pub const MAGIC: &[u8] = b"{\"cosmoscope\":\"recording\",";
/// What this program writes, and the newest it reads.
pub const FORMAT: u32 = 1;
/// The largest answers are pages of logs, cut off by the service at 64 MB.
pub const MAX_LINE_BYTES: usize = 64 << 20;

/// The first line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordingHeader {
    /// As it may be shown.
    pub endpoint: String,
    pub started: Stamp,
    /// Whether names and keys were replaced before they were written.
    pub masked: bool,
}

#[derive(Serialize, Deserialize)]
struct HeaderText {
    cosmoscope: String,
    format: u32,
    product: String,
    endpoint: String,
    started: String,
    masked: bool,
}

#[derive(Serialize)]
struct Head<'a> {
    at: String,
    #[serde(rename = "asked")]
    inquiry: &'a Inquiry,
    #[serde(skip_serializing_if = "Option::is_none")]
    ru: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    trouble: Option<&'a Trouble>,
}

/// What a line says.
#[derive(Clone, PartialEq, Debug)]
pub enum RecordingLine {
    Header(RecordingHeader),
    Seen(Observation),
    /// A round of questions has ended.
    Round(Stamp),
    /// Nothing more was recorded, and why.
    Ended(Stamp, String),
}

/// Why a line cannot be used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unusable {
    /// No JSON object, or not a whole one.
    Broken,
    /// An object that says nothing this program knows.
    Unknown,
    /// A first line of a newer format.
    Newer,
}

impl RecordingHeader {
    pub fn text(&self) -> String {
        let text = HeaderText {
            cosmoscope: "recording".to_owned(),
            format: FORMAT,
            product: env!("CARGO_PKG_VERSION").to_owned(),
            endpoint: self.endpoint.clone(),
            started: self.started.rfc3339(),
            masked: self.masked,
        };
        ended(serde_json::to_string(&text).unwrap_or_default())
    }

    fn read(raw: &str) -> Result<Self, Unusable> {
        // A newer header may have other members: its number is looked at first.
        #[derive(Deserialize)]
        struct Number {
            format: u32,
        }
        let number: Number = serde_json::from_str(raw).map_err(|_| Unusable::Broken)?;
        if number.format > FORMAT {
            return Err(Unusable::Newer);
        }
        let text: HeaderText = serde_json::from_str(raw).map_err(|_| Unusable::Broken)?;
        Ok(Self {
            endpoint: text.endpoint,
            started: iso(text.started.as_bytes()).ok_or(Unusable::Broken)?,
            masked: text.masked,
        })
    }
}

/// The line of something seen. A body that no reader would take as JSON stands as text.
pub fn seen(seen: &Observation) -> String {
    let ru = seen.ru().filter(|ru| ru.is_finite());
    let trouble = match seen {
        Observation::Answer(_) => None,
        Observation::Failure(failure) => Some(&failure.trouble),
    };
    let head = Head { at: seen.at().rfc3339(), inquiry: seen.inquiry(), ru, trouble };
    let head = serde_json::to_string(&head).unwrap_or_default();
    let Observation::Answer(answer) = seen else {
        return ended(head);
    };
    let head = head.strip_suffix('}').unwrap_or(&head);
    if let Ok(body) = std::str::from_utf8(&answer.body) {
        // In JSON a line break stands between tokens only, where a blank says the same.
        let body = body.trim().replace(['\n', '\r'], " ");
        let line = ended(format!("{head},\"body\":{body}}}"));
        if matches!(parse(&line), Ok(RecordingLine::Seen(_))) {
            return line;
        }
    }
    let text = String::from_utf8_lossy(&answer.body);
    let text = serde_json::to_string(&text).unwrap_or_default();
    ended(format!("{head},\"text\":{text}}}"))
}

pub fn round(at: Stamp) -> String {
    ended(json!({"at": at.rfc3339(), "round": 1}).to_string())
}

pub fn last(at: Stamp, why: &str) -> String {
    ended(json!({"at": at.rfc3339(), "ended": why}).to_string())
}

fn ended(mut line: String) -> String {
    line.push('\n');
    line
}

/// What a line says, without its end.
pub fn parse(raw: &str) -> Result<RecordingLine, Unusable> {
    let members = members(raw).ok_or(Unusable::Broken)?;
    let find = |name: &str| read::member(&members, name);
    if find("cosmoscope").and_then(read::text).as_deref() == Some("recording") {
        return RecordingHeader::read(raw).map(RecordingLine::Header);
    }
    let at = find("at").and_then(read::text);
    let at = at.and_then(|at| iso(at.as_bytes()));
    let at = at.ok_or(Unusable::Unknown)?;
    if find("round").is_some() {
        return Ok(RecordingLine::Round(at));
    }
    if let Some(why) = find("ended").and_then(read::text) {
        return Ok(RecordingLine::Ended(at, why));
    }
    let inquiry = find("asked").ok_or(Unusable::Unknown)?;
    let inquiry: Inquiry = serde_json::from_str(inquiry).map_err(|_| Unusable::Unknown)?;
    let ru = find("ru").and_then(read::number).filter(|ru| *ru >= 0.0);
    // An answer may be `null`, so members that are there are looked for, not values.
    let there = |name: &str| members.iter().find(|(n, _)| n == name).map(|(_, raw)| *raw);
    let came = if let Some(body) = there("body") {
        Ok(body.as_bytes().into())
    } else if let Some(text) = find("text").and_then(read::text) {
        Ok(text.as_bytes().into())
    } else {
        let trouble = find("trouble").ok_or(Unusable::Unknown)?;
        Err(serde_json::from_str(trouble).map_err(|_| Unusable::Unknown)?)
    };
    let came = came.map(|body| (body, ru));
    Ok(RecordingLine::Seen(Observation::of(&inquiry, at, came).charged(ru)))
}

/// The members of an object that is the whole line.
fn members(raw: &str) -> Option<Vec<Member<'_>>> {
    let mut scanner = Scanner::of(raw);
    let found = read::members_of(&mut scanner, str::to_owned).ok()??;
    scanner.finish().ok()?;
    Some(found)
}
