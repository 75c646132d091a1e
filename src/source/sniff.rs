//! What a file is, told from its first bytes and never from its name.

use std::io::Read;
use std::sync::Arc;

use super::decode::{self, Decoding, LineEnds, Packing, TextForm};
use super::delimited::Encoding;
use super::input::OpenInput;

/// Enough for a header of ten thousand columns.
pub const HEAD_BYTES: usize = 256 << 10;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileShape {
    Delimited,
    JsonLines,
    JsonDocument,
    Parquet,
}

/// What the first bytes tell.
#[derive(Clone, Debug)]
pub struct Sniff {
    pub shape: FileShape,
    pub decoding: Decoding,
    pub encoding: Encoding,
    /// The decoded start of the file.
    pub head: Vec<u8>,
    /// Whether the head is the whole file.
    pub complete: bool,
}

/// Why a file is not read: what it is, and what to do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    pub what: String,
    pub next: Option<String>,
}

impl Refusal {
    pub fn new(what: &str, next: &str) -> Self {
        Self { what: what.to_owned(), next: (!next.is_empty()).then(|| next.to_owned()) }
    }
}

/// A file that was opened and then fails.
#[expect(clippy::needless_pass_by_value, reason = "the one argument of map_err")]
pub fn unreadable(e: std::io::Error) -> Refusal {
    Refusal::new(&format!("cannot be read: {}", super::input::reason(&e)), "")
}

/// Where records are of no known kind.
pub const OR_DOCUMENTS: &str =
    "if these are documents: cosmoscope trial FILE or cosmoscope open --documents FILE";
pub const WHAT_TO_EXPORT: &str = "export PartitionKeyStatistics: in the portal run \
    `CDBPartitionKeyStatistics` under Logs and choose Export to CSV, or give the folder of the storage archive";

/// Starts of files that people take for exports.
const FOREIGN: [(&[u8], &str, &str); 7] = [
    (
        b"PK\x03\x04",
        "this is a ZIP archive or an Excel workbook",
        "unpack it, or save the sheet as CSV",
    ),
    (b"\x89PNG", "this is an image", WHAT_TO_EXPORT),
    (b"\xff\xd8\xff", "this is an image", WHAT_TO_EXPORT),
    (b"%PDF", "this is a PDF", WHAT_TO_EXPORT),
    (b"\xd0\xcf\x11\xe0", "this is an old Excel workbook", "save the sheet as CSV"),
    (b"\x28\xb5\x2f\xfd", "this is packed with zstd", "unpack it first (zstd -d)"),
    (b"BZh", "this is packed with bzip2", "unpack it first (bunzip2)"),
];

pub fn sniff(opened: &OpenInput) -> Result<Sniff, Refusal> {
    let mut raw = Vec::new();
    let read = |packing, head: &mut Vec<u8>| -> std::io::Result<()> {
        head.clear();
        let unpacked = decode::unpacked(opened.reader(&Arc::default()), packing);
        unpacked.take(HEAD_BYTES as u64).read_to_end(head).map(|_| ())
    };
    read(Packing::Plain, &mut raw).map_err(unreadable)?;
    if raw.is_empty() {
        return Err(Refusal::new("the file is empty", WHAT_TO_EXPORT));
    }
    if raw.starts_with(b"PAR1") {
        return Ok(Sniff {
            shape: FileShape::Parquet,
            decoding: text_of(&raw),
            encoding: Encoding::Utf8,
            head: raw,
            complete: false,
        });
    }
    if super::recording::is_recording(&raw) {
        return Err(Refusal::new(
            "this is a recording of an account, and here something else is read",
            "cosmoscope replay FILE opens it; report, check and diff read it, too",
        ));
    }
    let mut packing = Packing::Plain;
    if raw.starts_with(b"\x1f\x8b") {
        packing = Packing::Gzip;
        // A damaged packed file is refused as a whole later; here its start is enough.
        if read(packing, &mut raw).is_err() && raw.is_empty() {
            return Err(Refusal::new(
                "the packed file is damaged at its start",
                "download it again",
            ));
        }
        if raw.is_empty() {
            return Err(Refusal::new("the packed file holds nothing", WHAT_TO_EXPORT));
        }
        if raw.starts_with(b"\x1f\x8b") {
            return Err(Refusal::new(
                "this is packed twice with gzip",
                "unpack it once (gunzip) and try again",
            ));
        }
    }
    if let Some((_, what, next)) = FOREIGN.iter().find(|(start, ..)| raw.starts_with(start)) {
        return Err(Refusal::new(what, next));
    }
    let decoding = Decoding { packing, ..text_of(&raw) };
    sniff_text(opened, decoding)
}

fn sniff_text(opened: &OpenInput, mut decoding: Decoding) -> Result<Sniff, Refusal> {
    let mut head = Vec::new();
    // A fault further on belongs to whoever reads the whole.
    let _ = read_head(opened, decoding, &mut head);
    let complete = head.len() < HEAD_BYTES;
    if head.iter().all(u8::is_ascii_whitespace) {
        return Err(Refusal::new("the file holds nothing but blanks", WHAT_TO_EXPORT));
    }
    if is_binary(&head) {
        return Err(Refusal::new("this is not text: not a known format", WHAT_TO_EXPORT));
    }
    let first = head.iter().find(|b| !b.is_ascii_whitespace()).copied();
    let shape = match first {
        Some(b'{' | b'[') => json_shape(&head, complete),
        Some(b'<') => {
            let what =
                "this is a web page or XML, perhaps a sign-in page saved instead of the export";
            return Err(Refusal::new(what, "download the export again while signed in"));
        }
        _ => FileShape::Delimited,
    };
    if shape == FileShape::Delimited && has_lone_return(&head) {
        decoding.line_ends = LineEnds::Returns;
        head.clear();
        read_head(opened, decoding, &mut head).map_err(unreadable)?;
    }
    let complete = head.len() < HEAD_BYTES;
    Ok(Sniff { shape, decoding, encoding: encoding_of(&head, complete), head, complete })
}

fn read_head(opened: &OpenInput, decoding: Decoding, head: &mut Vec<u8>) -> std::io::Result<()> {
    let reader = decode::reader(opened.reader(&Arc::default()), decoding)?;
    reader.take(HEAD_BYTES as u64).read_to_end(head).map(|_| ())
}

/// The encoding by its mark, else by where the zero bytes are.
fn text_of(raw: &[u8]) -> Decoding {
    let (text, mark_bytes) = match raw {
        // Two exports pasted together can begin with two marks.
        [0xEF, 0xBB, 0xBF, 0xEF, 0xBB, 0xBF, ..] => (TextForm::Utf8, 6),
        [0xEF, 0xBB, 0xBF, ..] => (TextForm::Utf8, 3),
        [0xFF, 0xFE, ..] => (TextForm::Utf16Le, 2),
        [0xFE, 0xFF, ..] => (TextForm::Utf16Be, 2),
        [a, 0, b, 0, ..] if *a != 0 && *b != 0 => (TextForm::Utf16Le, 0),
        [0, a, 0, b, ..] if *a != 0 && *b != 0 => (TextForm::Utf16Be, 0),
        _ => (TextForm::Utf8, 0),
    };
    Decoding { packing: Packing::Plain, text, line_ends: LineEnds::Feeds, mark_bytes }
}

/// Text begins without zero bytes to speak of and with few control bytes; what follows further on is for the readers.
fn is_binary(head: &[u8]) -> bool {
    let start = head.get(..512.min(head.len())).unwrap_or(head);
    let odd = start.iter().filter(|b| matches!(b, 0..=8 | 14..=26 | 28..=31)).count();
    let damaged = std::str::from_utf8(start).is_err();
    odd * 10 > start.len() || (damaged && odd * 50 > start.len())
}

/// One record a line, or one document over many lines.
fn json_shape(head: &[u8], complete: bool) -> FileShape {
    let mut lines = head.split(|b| *b == b'\n').map(<[u8]>::trim_ascii).filter(|l| !l.is_empty());
    let first = lines.next().unwrap_or_default();
    let second = lines.next();
    let whole_line = second.is_some() || complete;
    let next_is_record = second.is_none_or(|l| l.starts_with(b"{"));
    let one_line = first.starts_with(b"{")
        && first.len() > 1
        && whole_line
        && (first.ends_with(b"}") || second.is_some());
    if one_line && !is_wrapper(first) && (next_is_record || first.ends_with(b"}")) {
        FileShape::JsonLines
    } else {
        FileShape::JsonDocument
    }
}

/// Whether an object on one line is an answer that holds lists, not a record of a log.
fn is_wrapper(line: &[u8]) -> bool {
    let start = line.get(..512.min(line.len())).unwrap_or(line);
    let has = |name: &str| memchr::memmem::find(start, name.as_bytes()).is_some();
    let record = has("\"records\"")
        || has("\"category\"")
        || has("\"time\"")
        || has("artitionKey\":\"")
        || has("artitionKey\": \"");
    let names = [
        "\"tables\"",
        "\"value\"",
        "\"statistics\"",
        "\"PartitionKeyRanges\"",
        "\"error\"",
        "\"resource\"",
        "\"_rid\"",
        "\"Offers\"",
        "\"Microsoft.DocumentDB/databaseAccounts\"",
    ];
    let answer = names.iter().any(|n| has(n)) || has("\"properties\"") || has("physicalPartition");
    answer && !record
}

/// A carriage return outside quotes that no line feed follows.
fn has_lone_return(head: &[u8]) -> bool {
    let mut quoted = false;
    head.windows(2).any(|pair| {
        if pair[0] == b'"' {
            quoted = !quoted;
        }
        !quoted && pair[0] == b'\r' && pair[1] != b'\n'
    })
}

/// Bytes that are not UTF-8 in a file without any UTF-8 character of several bytes mean the old Western encoding.
fn encoding_of(head: &[u8], complete: bool) -> Encoding {
    let mut rest = head;
    let mut damaged = false;
    loop {
        match std::str::from_utf8(rest) {
            Ok(text) => {
                let utf8 = !text.is_ascii();
                return if damaged && !utf8 { Encoding::Windows1252 } else { Encoding::Utf8 };
            }
            Err(e) => {
                let (good, bad) = rest.split_at(e.valid_up_to());
                if !good.is_ascii() {
                    return Encoding::Utf8;
                }
                let Some(len) = e.error_len() else {
                    // The head ends inside a character; that is no damage unless the file ends there too.
                    return if damaged || complete {
                        Encoding::Windows1252
                    } else {
                        Encoding::Utf8
                    };
                };
                damaged = true;
                rest = bad.get(len..).unwrap_or_default();
            }
        }
    }
}

#[cfg(test)]
mod tests;
