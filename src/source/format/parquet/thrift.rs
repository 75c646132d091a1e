//! Looks over the metadata of a Parquet file before the library parses it: the library trusts counts and nesting that a
//! damaged file can make large enough to exhaust memory or the stack, which nothing can catch.

/// Levels of nesting, of the metadata's own structure and of the columns.
const MAX_DEPTH: usize = 64;
/// Enough for a table of ten thousand columns.
const MAX_SCHEMA_ELEMENTS: usize = 10_000;
/// No row group is described in fewer bytes, so a count beyond this is no count.
const LEAST_ROW_GROUP_BYTES: usize = 8;

/// Kinds of values as the compact protocol numbers them.
mod kind {
    pub const TRUE: u8 = 1;
    pub const FALSE: u8 = 2;
    pub const BYTE: u8 = 3;
    pub const I32: u8 = 5;
    pub const I64: u8 = 6;
    pub const DOUBLE: u8 = 7;
    pub const BINARY: u8 = 8;
    pub const LIST: u8 = 9;
    pub const SET: u8 = 10;
    pub const STRUCT: u8 = 12;
}

/// What the header of a page tells.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PageHeader {
    pub header_bytes: usize,
    pub unpacked_bytes: usize,
    pub packed_bytes: usize,
    /// Index pages hold no values and are passed over.
    pub is_index: bool,
}

const INDEX_PAGE: i64 = 1;

/// Whether the metadata can be parsed without harm. `None` = it cannot.
pub fn check_metadata(bytes: &[u8]) -> Option<()> {
    let mut walk = Walk { bytes, at: 0 };
    walk.fields(|walk, id, found| match (id, found) {
        (1, kind::I32) | (3, kind::I64) => walk.skip(found, 0),
        (2, kind::LIST) => walk.schema(),
        (4, kind::LIST) => walk.row_groups(),
        // The library reads these as what they ought to be, whatever they say they are.
        (1..=4, _) => None,
        _ => walk.skip(found, 0),
    })
}

/// Reads a page header; `None` where the bytes hold no whole one.
pub fn page_header(bytes: &[u8]) -> Option<PageHeader> {
    let mut walk = Walk { bytes, at: 0 };
    let mut known = [None; 3];
    walk.fields(|walk, id, found| {
        let place = usize::try_from(id - 1).ok().and_then(|i| known.get_mut(i));
        match (place, found) {
            (Some(place), kind::I32) => *place = Some(walk.integer()?),
            (Some(_), _) => return None,
            (None, _) => walk.skip(found, 0)?,
        }
        Some(())
    })?;
    let [page_type, unpacked, packed] = known;
    Some(PageHeader {
        header_bytes: walk.at,
        unpacked_bytes: usize::try_from(unpacked?).ok()?,
        packed_bytes: usize::try_from(packed?).ok()?,
        is_index: page_type? == INDEX_PAGE,
    })
}

/// How many numbers a delta-encoded run says to hold.
pub fn delta_count(bytes: &[u8]) -> Option<u64> {
    let mut walk = Walk { bytes, at: 0 };
    let (_block, _parts) = (walk.varint()?, walk.varint()?);
    walk.varint()
}

struct Walk<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Walk<'_> {
    fn byte(&mut self) -> Option<u8> {
        let byte = self.bytes.get(self.at).copied()?;
        self.at += 1;
        Some(byte)
    }

    fn pass(&mut self, n: usize) -> Option<()> {
        let end = self.at.checked_add(n).filter(|e| *e <= self.bytes.len())?;
        self.at = end;
        Some(())
    }

    fn varint(&mut self) -> Option<u64> {
        let mut value = 0_u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f).checked_shl(shift)?;
            if byte & 0x80 == 0 {
                return Some(value);
            }
        }
        None
    }

    /// Zigzag: the lowest bit is the sign.
    fn integer(&mut self) -> Option<i64> {
        let raw = self.varint()?;
        let magnitude = i64::try_from(raw >> 1).ok()?;
        Some(if raw & 1 == 0 { magnitude } else { !magnitude })
    }

    /// Hands over the number and the kind of each field of a struct; `take` moves past its value.
    fn fields(&mut self, mut take: impl FnMut(&mut Self, i64, u8) -> Option<()>) -> Option<()> {
        let mut id = 0_i64;
        loop {
            let head = self.byte()?;
            if head == 0 {
                return Some(());
            }
            let step = i64::from(head >> 4);
            id = if step == 0 { self.integer()? } else { id.checked_add(step)? };
            take(self, id, head & 0x0f)?;
        }
    }

    /// How many elements a list has, and of which kind. Each takes at least a byte.
    fn list(&mut self) -> Option<(usize, u8)> {
        let head = self.byte()?;
        let count = match usize::from(head >> 4) {
            15 => usize::try_from(self.varint()?).ok()?,
            few => few,
        };
        (count <= self.bytes.len() - self.at).then_some((count, head & 0x0f))
    }

    fn skip(&mut self, found: u8, depth: usize) -> Option<()> {
        if depth > MAX_DEPTH {
            return None;
        }
        match found {
            kind::TRUE | kind::FALSE => Some(()),
            kind::BYTE => self.pass(1),
            // 16 bits too.
            4..=kind::I64 => self.varint().map(|_| ()),
            kind::DOUBLE => self.pass(8),
            kind::BINARY => {
                let n = usize::try_from(self.varint()?).ok()?;
                self.pass(n)
            }
            kind::LIST | kind::SET => {
                let (count, of) = self.list()?;
                // No list of truth values belongs here, and its elements would be read in two ways.
                if count > 0 && matches!(of, kind::TRUE | kind::FALSE) {
                    return None;
                }
                (0..count).try_for_each(|_| self.skip(of, depth + 1))
            }
            kind::STRUCT => self.fields(|walk, _, found| walk.skip(found, depth + 1)),
            // The format has no maps and nothing newer.
            _ => None,
        }
    }

    /// The schema is a tree written flat: each element says how many of the next ones are inside it.
    fn schema(&mut self) -> Option<()> {
        let (count, of) = self.list()?;
        if of != kind::STRUCT || count > MAX_SCHEMA_ELEMENTS {
            return None;
        }
        // Elements still to come, by level.
        let mut open: Vec<usize> = Vec::new();
        for _ in 0..count {
            let children = self.schema_element()?;
            if let Some(rest) = open.last_mut() {
                *rest -= 1;
            }
            if children > 0 {
                open.push(children);
            }
            while open.last() == Some(&0) {
                open.pop();
            }
            if open.len() > MAX_DEPTH {
                return None;
            }
        }
        Some(())
    }

    fn schema_element(&mut self) -> Option<usize> {
        let mut children = 0;
        self.fields(|walk, id, found| match (id, found) {
            (5, kind::I32) => {
                children = usize::try_from(walk.integer()?).ok()?;
                Some(())
            }
            (1 | 2 | 3 | 6 | 7 | 8 | 9, kind::I32) | (4, kind::BINARY) => walk.skip(found, 0),
            (10, kind::STRUCT) => walk.logical_type(),
            _ => None,
        })?;
        Some(children)
    }

    fn logical_type(&mut self) -> Option<()> {
        self.fields(|walk, which, found| {
            if found != kind::STRUCT {
                return None;
            }
            walk.fields(|walk, id, found| match (which, id, found) {
                // Decimals tell scale and digits, times whether they are UTC and their unit, integers width and sign.
                (5, 1 | 2, kind::I32)
                | (7 | 8, 1, kind::TRUE | kind::FALSE)
                | (10, 1, kind::BYTE)
                | (10, 2, kind::TRUE | kind::FALSE) => walk.skip(found, 0),
                (7 | 8, 2, kind::STRUCT) => walk.fields(|walk, _, found| match found {
                    kind::STRUCT => walk.fields(|_, _, _| None),
                    _ => None,
                }),
                _ => None,
            })
        })
    }

    fn row_groups(&mut self) -> Option<()> {
        let (count, of) = self.list()?;
        let room = (self.bytes.len() - self.at) / LEAST_ROW_GROUP_BYTES;
        if count > 0 && (of != kind::STRUCT || count > room) {
            return None;
        }
        (0..count).try_for_each(|_| self.skip(of, 0))
    }
}
