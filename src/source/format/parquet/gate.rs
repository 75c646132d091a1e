//! Stands between a Parquet file and the library that decodes it: what passes cannot make it exhaust memory, and where it
//! panics all the same the file is refused.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, Read};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use parquet::basic::{Compression, Encoding, Type};
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::serialized_reader::SerializedPageReader;

use super::thrift::{self, PageHeader};
use crate::source::decode::Content;
use crate::source::input::OpenInput;

/// Largest page, packed or unpacked; some writers make one page of a whole column of a row group.
const MAX_PAGE_BYTES: usize = 64 << 20;
/// Largest packed page of the old LZ4 forms, which unpack up to 255-fold with no regard to the size they promise.
const MAX_LZ4_PAGE_BYTES: usize = 4 << 20;
/// All pages and dictionaries that the columns of a row group hold at one time.
const MAX_HELD_BYTES: usize = 256 << 20;
/// What a decoded entry of a dictionary takes beside its bytes.
const DICTIONARY_ENTRY_BYTES: usize = 40;
/// Page headers are a few dozen bytes, or some more with statistics about large values.
const HEADER_BYTES: [u64; 2] = [4 << 10, 1 << 20];

thread_local! {
    static DECODING: Cell<bool> = const { Cell::new(false) };
}

/// Whether this thread is inside the decoder, where a panic means a damaged file and ends in a refusal: whoever reports
/// panics can stay silent then.
pub fn is_decoding() -> bool {
    DECODING.get()
}

/// Calls into the library. A fault or a panic there says that the file is damaged.
pub fn guarded<T>(work: impl FnOnce() -> Result<T>) -> Result<T> {
    DECODING.set(true);
    let result = catch_unwind(AssertUnwindSafe(work));
    DECODING.set(false);
    result.unwrap_or_else(|_| Err(damaged("the decoder gave up")))
}

pub fn damaged(what: &str) -> ParquetError {
    ParquetError::General(what.to_owned())
}

/// The file may be sound, but this way of writing it is not read.
pub fn unknown(what: &str) -> ParquetError {
    ParquetError::NYI(what.to_owned())
}

/// The pages of a column chunk: each is looked at before it is unpacked, and again before its values are decoded.
pub struct Pages {
    inner: SerializedPageReader<File>,
    opened: OpenInput,
    codec: Compression,
    physical: Type,
    /// Whether definition levels stand before the values.
    optional: bool,
    /// The place of the next page's header, and the end of the chunk.
    at: u64,
    end: u64,
    page_bytes: usize,
    /// Bytes held by all columns of the row group.
    held_bytes: Arc<AtomicUsize>,
}

impl Pages {
    pub fn new(
        opened: &OpenInput,
        chunk: &ColumnChunkMetaData,
        rows: usize,
        held: &Arc<AtomicUsize>,
    ) -> Result<Self> {
        if let Compression::BROTLI(_) | Compression::LZO = chunk.compression() {
            return Err(unknown("its pages are packed with Brotli or LZO"));
        }
        let starts = [chunk.dictionary_page_offset().unwrap_or(0), chunk.data_page_offset()];
        if starts.iter().any(|at| *at < 0) {
            return Err(damaged("a column starts before the file"));
        }
        let (at, length) = chunk.byte_range();
        let end = at.checked_add(length).filter(|e| *e <= opened.bytes);
        let end = end.ok_or_else(|| damaged("a column ends behind the end of the file"))?;
        let Content::File(file) = &opened.content else {
            return Err(unknown("it is not a file"));
        };
        Ok(Self {
            inner: SerializedPageReader::new(Arc::clone(file), chunk, rows, None)?,
            opened: opened.clone(),
            codec: chunk.compression(),
            physical: chunk.column_type(),
            optional: chunk.column_descr().max_def_level() > 0,
            at,
            end,
            page_bytes: 0,
            held_bytes: Arc::clone(held),
        })
    }

    /// Checks the sizes of the page that comes next.
    fn look_ahead(&mut self) -> Result<()> {
        while self.at < self.end {
            let header = self.header()?;
            if header.unpacked_bytes > MAX_PAGE_BYTES || header.packed_bytes > MAX_PAGE_BYTES {
                return Err(damaged("a page is larger than 64 MiB"));
            }
            let start = self.at + header.header_bytes as u64;
            self.at = start + header.packed_bytes as u64;
            if self.at > self.end {
                return Err(damaged("a page ends behind the end of its column"));
            }
            if !header.is_index {
                return self.check_packed(start, header);
            }
        }
        Ok(())
    }

    fn header(&self) -> Result<PageHeader> {
        for length in HEADER_BYTES {
            let bytes = read(&self.opened, self.at, length)?;
            if let Some(header) = thrift::page_header(&bytes) {
                return Ok(header);
            }
        }
        Err(damaged("the header of a page is broken"))
    }

    /// Some codecs unpack as much as there is, whatever the header promised.
    fn check_packed(&self, start: u64, header: PageHeader) -> Result<()> {
        match self.codec {
            Compression::GZIP(_) => {
                let packed = read(&self.opened, start, header.packed_bytes as u64)?;
                let unpacker = flate2::read::MultiGzDecoder::new(packed.as_slice());
                let most = header.unpacked_bytes as u64;
                // A damaged stream is found when it is unpacked in earnest.
                let n = io::copy(&mut unpacker.take(most + 1), &mut io::sink()).unwrap_or(0);
                if n > most {
                    return Err(damaged("a page is larger than it says"));
                }
            }
            Compression::LZ4 if header.packed_bytes > MAX_LZ4_PAGE_BYTES => {
                return Err(damaged("a page packed with LZ4 is larger than 4 MiB"));
            }
            _ => {}
        }
        Ok(())
    }

    fn check(&mut self, page: &Page) -> Result<()> {
        let (values, bytes) = (page.num_values() as usize, page.buffer().len());
        if let Page::DictionaryPage { .. } = page {
            let least = match self.physical {
                Type::BOOLEAN => 0,
                Type::FIXED_LEN_BYTE_ARRAY => 1,
                Type::INT32 | Type::FLOAT | Type::BYTE_ARRAY => 4,
                Type::INT64 | Type::DOUBLE => 8,
                Type::INT96 => 12,
            };
            if least == 0 || values > bytes / least {
                return Err(damaged("a dictionary has fewer entries than it says"));
            }
            return self.hold(bytes + values * DICTIONARY_ENTRY_BYTES);
        }
        let start = self.values_at(page).filter(|at| *at <= bytes);
        let start = start.ok_or_else(|| damaged("a page is shorter than it says"))?;
        match page.encoding() {
            // Its values can be thousands of times larger than the page, and its counts stand out of reach.
            Encoding::DELTA_BYTE_ARRAY => {
                return Err(unknown("its text is encoded as DELTA_BYTE_ARRAY"));
            }
            Encoding::DELTA_LENGTH_BYTE_ARRAY => {
                let rest = page.buffer().get(start..);
                let count = rest.and_then(thrift::delta_count);
                if count.is_none_or(|n| n > values as u64) {
                    return Err(damaged("a page has fewer values than it says"));
                }
            }
            _ => {}
        }
        let before = std::mem::replace(&mut self.page_bytes, bytes);
        self.held_bytes.fetch_sub(before, Ordering::Relaxed);
        self.hold(bytes)
    }

    fn hold(&self, bytes: usize) -> Result<()> {
        if self.held_bytes.fetch_add(bytes, Ordering::Relaxed) + bytes > MAX_HELD_BYTES {
            return Err(damaged("its pages are too large to be read side by side"));
        }
        Ok(())
    }

    /// Where the values start, behind the levels; a column that is not nested has one level at most, and no repetition levels.
    #[expect(deprecated, reason = "old files still have levels packed this way")]
    fn values_at(&self, page: &Page) -> Option<usize> {
        let small = |n: u32| usize::try_from(n).ok();
        match page {
            Page::DataPageV2 { def_levels_byte_len, rep_levels_byte_len, .. } => {
                small(*def_levels_byte_len)?.checked_add(small(*rep_levels_byte_len)?)
            }
            _ if !self.optional => Some(0),
            // The old way has no length: a bit for each value.
            Page::DataPage { def_level_encoding: Encoding::BIT_PACKED, num_values, .. } => {
                small(num_values.div_ceil(8))
            }
            _ => small(u32::from_le_bytes(*page.buffer().first_chunk()?))?.checked_add(4),
        }
    }
}

pub fn read(opened: &OpenInput, start: u64, length: u64) -> io::Result<Vec<u8>> {
    let reader = opened.reader(&Arc::default()).starting_at(start);
    let mut bytes = Vec::new();
    reader.take(length).read_to_end(&mut bytes)?;
    Ok(bytes)
}

impl Iterator for Pages {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}

impl PageReader for Pages {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        self.look_ahead()?;
        let page = self.inner.get_next_page()?;
        if let Some(page) = &page {
            self.check(page)?;
        }
        Ok(page)
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        self.inner.peek_next_page()
    }

    fn skip_next_page(&mut self) -> Result<()> {
        self.inner.skip_next_page()
    }
}
