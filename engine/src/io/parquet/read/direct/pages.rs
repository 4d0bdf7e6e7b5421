//! The pages of a column chunk, one after the other: which rows have values, and the encoded values.

use std::io::ErrorKind;
use std::ops::Range;
use std::sync::Arc;

use arrow_buffer::{BooleanBuffer, BooleanBufferBuilder};
use parquet::basic::Encoding;
use parquet::column::page::{Page, PageReader};
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::serialized_reader::SerializedPageReader;

use super::codes;
use crate::io::file::{LoadError, LoadedRange, SourceFile};
use crate::io::parquet::error::ParquetError;

/// Receives the values of pages. Its methods return `None` for what they do not decode.
pub(super) trait Sink {
    /// The values of the dictionary.
    fn dictionary(&mut self, bytes: &[u8], count: usize) -> Option<()>;

    /// The values of the rows in `ranges`, in ascending order, as they are.
    fn plain(&mut self, bytes: &[u8], ranges: impl Iterator<Item = Range<usize>>) -> Option<()>;

    /// The values of the rows in `ranges`, in ascending order, as codes, after a byte with the width of a code in bits.
    fn coded(&mut self, bytes: &[u8], ranges: impl Iterator<Item = Range<usize>>) -> Option<()>;
}

/// A column chunk of a column without nesting.
pub(super) struct ColumnChunk<'a> {
    pub(super) file: &'a SourceFile,
    pub(super) stored: &'a ColumnChunkMetaData,
    pub(super) rows: usize,
    pub(super) is_optional: bool,
}

/// The values of a page, and the levels that say which rows have them.
struct Data<'a> {
    rows: usize,
    encoding: Encoding,
    levels: Option<&'a [u8]>,
    values: &'a [u8],
}

impl ColumnChunk<'_> {
    /// Passes the values of all pages to `sink`. Returns the rows that have values, `Some(None)` for all rows; `None`
    /// if a page is damaged or has an encoding that is not decoded here.
    #[expect(clippy::option_option, reason = "what is not decoded, and what has no nulls")]
    pub(super) fn decode(&self, sink: &mut impl Sink) -> Result<Option<Option<BooleanBuffer>>, ParquetError> {
        let mut rows = Rows { row: 0, all: self.rows, valid: None };
        if self.rows > 0 {
            let (start, length) = self.stored.byte_range();
            // Also if memory ran out: the Arrow decoder needs less.
            let range = match LoadedRange::read(self.file, start, length) {
                Ok(range) => Arc::new(range),
                Err(LoadError::Memory(_)) => return Ok(None),
                // Shorter than when it was opened.
                Err(LoadError::Io(error)) if error.kind() == ErrorKind::UnexpectedEof => return Ok(None),
                Err(LoadError::Io(error)) => return Err(ParquetError::Io(error)),
            };
            let mut pages = SerializedPageReader::new(range, self.stored, self.rows, None)
                .map_err(ParquetError::damaged)?;
            while let Some(page) = pages.get_next_page().map_err(ParquetError::damaged)? {
                if self.page(&page, &mut rows, sink).is_none() {
                    return Ok(None);
                }
            }
        }
        if rows.row < rows.all {
            return Ok(None);
        }
        Ok(Some(rows.valid.map(|mut valid| valid.finish())))
    }

    fn page(&self, page: &Page, rows: &mut Rows, sink: &mut impl Sink) -> Option<()> {
        let count = usize::try_from(page.num_values()).ok()?;
        let data = match page {
            Page::DictionaryPage { buf, encoding: Encoding::PLAIN | Encoding::PLAIN_DICTIONARY, .. } => {
                return sink.dictionary(buf, count);
            }
            Page::DictionaryPage { .. } => return None,
            Page::DataPage { buf, encoding, def_level_encoding, .. } => {
                let (levels, values) = match self.is_optional {
                    true if *def_level_encoding == Encoding::RLE => {
                        let (length, rest) = buf.split_first_chunk()?;
                        let length = usize::try_from(u32::from_le_bytes(*length)).ok()?;
                        let (levels, values) = rest.split_at_checked(length)?;
                        (Some(levels), values)
                    }
                    true => return None,
                    false => (None, &buf[..]),
                };
                Data { rows: count, encoding: *encoding, levels, values }
            }
            Page::DataPageV2 {
                buf, encoding, def_levels_byte_len, rep_levels_byte_len, num_nulls, ..
            } => {
                let before = usize::try_from(*rep_levels_byte_len).ok()?;
                let length = usize::try_from(*def_levels_byte_len).ok()?;
                let (levels, values) = buf.get(before..)?.split_at_checked(length)?;
                let has_nulls = self.is_optional && *num_nulls > 0;
                Data { rows: count, encoding: *encoding, levels: has_nulls.then_some(levels), values }
            }
        };
        rows.add(&data, sink)
    }
}

/// The rows so far.
struct Rows {
    row: usize,
    all: usize,
    /// Which of them have values, from the first null on.
    valid: Option<BooleanBufferBuilder>,
}

impl Rows {
    fn add(&mut self, data: &Data<'_>, sink: &mut impl Sink) -> Option<()> {
        let first = self.row;
        let end = first.checked_add(data.rows).filter(|&end| end <= self.all)?;
        let valid = match data.levels {
            Some(levels) => codes::validity(levels, data.rows)?,
            None => None,
        };
        if let Some(valid) = &valid {
            let ranges = valid.set_slices().map(|(start, end)| first + start..first + end);
            give(data, ranges, sink)?;
            self.valid.get_or_insert_with(|| codes::all_valid(first, self.all)).append_buffer(valid);
        } else {
            give(data, std::iter::once(first..end), sink)?;
            if let Some(valid) = &mut self.valid {
                valid.append_n(data.rows, true);
            }
        }
        self.row = end;
        Some(())
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "the enum is another library's")]
fn give(data: &Data<'_>, ranges: impl Iterator<Item = Range<usize>>, sink: &mut impl Sink) -> Option<()> {
    match data.encoding {
        Encoding::PLAIN => sink.plain(data.values, ranges),
        Encoding::PLAIN_DICTIONARY | Encoding::RLE_DICTIONARY => sink.coded(data.values, ranges),
        _ => None,
    }
}

/// Whether the values of a chunk are as decoded here, as far as its footer says. Levels have encodings, too.
pub(super) fn is_decoded(stored: &ColumnChunkMetaData) -> bool {
    #[expect(deprecated, reason = "page headers of old files name this encoding of levels")]
    let is_known = |encoding: Encoding| {
        matches!(
            encoding,
            Encoding::PLAIN
                | Encoding::PLAIN_DICTIONARY
                | Encoding::RLE_DICTIONARY
                | Encoding::RLE
                | Encoding::BIT_PACKED
        )
    };
    stored.encodings().all(is_known)
}
