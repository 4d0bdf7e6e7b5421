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
use super::header::{self, header};
use super::unpack::Unpacker;
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
                Ok(range) => range,
                Err(LoadError::Memory(_)) => return Ok(None),
                // Shorter than when it was opened.
                Err(LoadError::Io(error)) if error.kind() == ErrorKind::UnexpectedEof => return Ok(None),
                Err(LoadError::Io(error)) => return Err(ParquetError::Io(error)),
            };
            let decoded = match Unpacker::new(self.stored.compression()) {
                Some(unpacker) => self.pages(range.bytes(), unpacker, &mut rows, sink),
                None => self.pages_of_library(range, &mut rows, sink)?,
            };
            if decoded.is_none() || rows.row < rows.all {
                return Ok(None);
            }
        }
        Ok(Some(rows.valid.map(|mut valid| valid.finish())))
    }

    fn pages(
        &self,
        mut bytes: &[u8],
        mut unpacker: Unpacker,
        rows: &mut Rows,
        sink: &mut impl Sink,
    ) -> Option<()> {
        while rows.row < rows.all {
            let header = header(&mut bytes)?;
            let page;
            (page, bytes) = bytes.split_at_checked(header.stored)?;
            let values = header.values;
            match header.kind {
                header::INDEX => {}
                header::DICTIONARY => {
                    let encoding = encoding(header.encoding)?;
                    if !matches!(encoding, Encoding::PLAIN | Encoding::PLAIN_DICTIONARY) {
                        return None;
                    }
                    unpacker.unpack(page, header.plain, |page| sink.dictionary(page, values))?;
                }
                header::DATA => {
                    let encodings = (encoding(header.encoding)?, encoding(header.levels)?);
                    unpacker.unpack(page, header.plain, |page| {
                        rows.add(&self.first_version(page, values, encodings)?, sink)
                    })?;
                }
                header::DATA_V2 => {
                    let (before, length) = (header.repetition_bytes, header.definition_bytes);
                    let (levels, packed) = page.get(before..)?.split_at_checked(length)?;
                    let levels = (self.is_optional && header.nulls > 0).then_some(levels);
                    let encoding = encoding(header.encoding)?;
                    let mut add =
                        |page: &[u8]| rows.add(&Data { rows: values, encoding, levels, values: page }, sink);
                    if header.is_plain {
                        add(packed)?;
                    } else {
                        let plain = header.plain.checked_sub(before.checked_add(length)?)?;
                        unpacker.unpack(packed, plain, add)?;
                    }
                }
                _ => return None,
            }
        }
        Some(())
    }

    /// The pages of a codec that only the library has.
    fn pages_of_library(
        &self,
        range: LoadedRange,
        rows: &mut Rows,
        sink: &mut impl Sink,
    ) -> Result<Option<()>, ParquetError> {
        let mut pages = SerializedPageReader::new(Arc::new(range), self.stored, self.rows, None)
            .map_err(ParquetError::damaged)?;
        while let Some(page) = pages.get_next_page().map_err(ParquetError::damaged)? {
            if self.page_of_library(&page, rows, sink).is_none() {
                return Ok(None);
            }
        }
        Ok(Some(()))
    }

    fn page_of_library(&self, page: &Page, rows: &mut Rows, sink: &mut impl Sink) -> Option<()> {
        let count = usize::try_from(page.num_values()).ok()?;
        let data = match page {
            Page::DictionaryPage { buf, encoding: Encoding::PLAIN | Encoding::PLAIN_DICTIONARY, .. } => {
                return sink.dictionary(buf, count);
            }
            Page::DictionaryPage { .. } => return None,
            Page::DataPage { buf, encoding, def_level_encoding, .. } => {
                self.first_version(buf, count, (*encoding, *def_level_encoding))?
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

    /// A page of the first version, whose levels begin with their length.
    fn first_version<'a>(
        &self,
        page: &'a [u8],
        rows: usize,
        (encoding, of_levels): (Encoding, Encoding),
    ) -> Option<Data<'a>> {
        if !self.is_optional {
            return Some(Data { rows, encoding, levels: None, values: page });
        }
        if of_levels != Encoding::RLE {
            return None;
        }
        let (length, rest) = page.split_first_chunk()?;
        let length = usize::try_from(u32::from_le_bytes(*length)).ok()?;
        let (levels, values) = rest.split_at_checked(length)?;
        Some(Data { rows, encoding, levels: Some(levels), values })
    }
}

/// The encoding of a number in a header, if it is one of those decoded here or that levels may have.
fn encoding(number: i32) -> Option<Encoding> {
    #[expect(deprecated, reason = "pages of old files name this encoding of levels")]
    let packed = Encoding::BIT_PACKED;
    match number {
        0 => Some(Encoding::PLAIN),
        2 => Some(Encoding::PLAIN_DICTIONARY),
        3 => Some(Encoding::RLE),
        4 => Some(packed),
        8 => Some(Encoding::RLE_DICTIONARY),
        _ => None,
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
