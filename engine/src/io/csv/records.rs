//! The rows of a chunk one by one, to say which of them is wrong.

use std::ops::Range;

use arrow_schema::DataType;
use csv::{ByteRecord, ReaderBuilder};
use memchr::memchr_iter;

use super::Options;
use super::types::{joined, type_of};
use crate::io::text::line_end;

/// Where a row is in its chunk.
#[derive(Clone, Debug)]
pub(super) struct Row {
    bytes: Range<usize>,
    /// The lines before it.
    pub(super) line: u64,
    /// The fields that it lacks, which are empty.
    missing: usize,
}

/// A row that has not one field a column, or no text.
#[derive(Clone, Debug)]
pub(super) struct BadRow {
    /// The lines before it.
    pub(super) line: u64,
    pub(super) reason: String,
}

/// The rows of a chunk.
#[derive(Debug, Default)]
pub(super) struct Records {
    pub(super) good: Vec<Row>,
    pub(super) bad: Vec<BadRow>,
}

impl Records {
    pub(super) fn of(bytes: &[u8], options: &Options, columns: usize) -> Self {
        Self::first(bytes, options, columns, usize::MAX)
    }

    /// The position after the first so many good rows.
    pub(super) fn end_of(bytes: &[u8], options: &Options, columns: usize, rows: usize) -> usize {
        let records = Self::first(bytes, options, columns, rows);
        if records.good.len() < rows {
            bytes.len()
        } else {
            records.good.last().map_or(0, |row| row.bytes.end)
        }
    }

    /// The first so many good rows, and the bad ones among them.
    fn first(bytes: &[u8], options: &Options, columns: usize, rows: usize) -> Self {
        let mut reader = builder(options).from_reader(bytes);
        let (mut records, mut record) = (Self::default(), ByteRecord::new());
        let line_end = line_end(bytes);
        let (mut line, mut counted, mut start) = (0, 0, 0);
        // Reading from memory does not fail.
        while records.good.len() < rows && reader.read_byte_record(&mut record).unwrap_or(false) {
            let end = usize::try_from(reader.position().byte()).unwrap_or(bytes.len()).min(bytes.len());
            let blank = bytes[start..end].iter().take_while(|byte| matches!(byte, b'\n' | b'\r'));
            let text = start + blank.count();
            line += memchr_iter(line_end, &bytes[counted..text]).count() as u64;
            counted = text;
            let missing = if options.pads_short_rows { columns.saturating_sub(record.len()) } else { 0 };
            match fault(&record, columns - missing) {
                None => records.good.push(Row { bytes: start..end, line, missing }),
                Some(reason) => records.bad.push(BadRow { line, reason }),
            }
            start = end;
        }
        records
    }

    /// The text of a range of good rows.
    pub(super) fn bytes(&self, chunk: &[u8], options: &Options, rows: Range<usize>) -> Vec<u8> {
        text_of(self.good[rows].iter(), chunk, options)
    }

    /// The text of some good rows.
    pub(super) fn picked(&self, chunk: &[u8], options: &Options, rows: &[usize]) -> Vec<u8> {
        text_of(rows.iter().map(|&row| &self.good[row]), chunk, options)
    }
}

fn text_of<'a>(rows: impl Iterator<Item = &'a Row>, chunk: &[u8], options: &Options) -> Vec<u8> {
    let mut text = Vec::new();
    for row in rows {
        let bytes = &chunk[row.bytes.clone()];
        if row.missing == 0 {
            text.extend_from_slice(bytes);
            continue;
        }
        let ends = bytes.iter().rev().take_while(|byte| matches!(byte, b'\n' | b'\r')).count();
        text.extend_from_slice(&bytes[..bytes.len() - ends]);
        text.extend(std::iter::repeat_n(options.delimiter, row.missing));
        text.push(b'\n');
    }
    text
}

/// A field of the row that `bytes` are.
pub(super) fn field_of(bytes: &[u8], options: &Options, at: usize) -> String {
    let mut record = ByteRecord::new();
    let mut reader = builder(options).from_reader(bytes);
    let is_there = reader.read_byte_record(&mut record).unwrap_or(false);
    let field = record.get(at).filter(|_| is_there).unwrap_or_default();
    String::from_utf8_lossy(field).into_owned()
}

/// The types of some columns in the first rows, given those that the library's patterns tell, which are too narrow: with blanks
/// around values, for integers that only `uint64` has, infinite numbers, times without seconds. They do not tell instants from
/// local times.
pub(super) fn refined(
    bytes: &[u8],
    options: &Options,
    rows: usize,
    columns: impl Iterator<Item = usize>,
) -> Vec<(usize, DataType)> {
    let mut reader = builder(options).from_reader(bytes);
    let mut record = ByteRecord::new();
    let is_null = |field: &str| match &options.nulls {
        Some(nulls) => nulls.is_match(field),
        None => field.is_empty(),
    };
    let mut found: Vec<(usize, DataType)> = columns.map(|at| (at, DataType::Null)).collect();
    let mut open: Vec<usize> = (0..found.len()).collect();
    let mut left = rows;
    while left > 0 && !open.is_empty() && reader.read_byte_record(&mut record).unwrap_or(false) {
        open.retain(|&place| {
            let (at, so_far) = &mut found[place];
            match record.get(*at).map(std::str::from_utf8) {
                None => {}
                Some(Ok(field)) if is_null(field) => {}
                Some(Ok(field)) => *so_far = joined(so_far, &type_of(field)),
                Some(Err(_)) => *so_far = DataType::Utf8,
            }
            *so_far != DataType::Utf8
        });
        left -= 1;
    }
    found.retain(|(_, found)| *found != DataType::Null);
    found
}

fn fault(record: &ByteRecord, columns: usize) -> Option<String> {
    if record.len() != columns {
        return Some(format!("{} fields where {columns} are expected", record.len()));
    }
    let at = record.iter().position(|field| std::str::from_utf8(field).is_err())?;
    Some(not_utf8(at + 1))
}

/// What is wrong with a field, given its position from 1.
pub(super) fn not_utf8(field: usize) -> String {
    format!("field {field} is not UTF-8; `encoding` reads others, and `encoding_errors` what is none")
}

fn builder(options: &Options) -> ReaderBuilder {
    let mut builder = ReaderBuilder::new();
    builder.has_headers(false).flexible(true).delimiter(options.delimiter).escape(options.escape);
    match options.quote {
        Some(quote) => builder.quote(quote),
        None => builder.quoting(false),
    };
    builder
}

/// The fields of the first row of `bytes`, and the position after it. A field that is not UTF-8 is an error, which names its
/// position from 1.
pub(super) fn first_row(bytes: &[u8], options: &Options) -> Option<Result<(Vec<String>, usize), usize>> {
    let mut reader = builder(options).from_reader(bytes);
    let mut record = ByteRecord::new();
    if !reader.read_byte_record(&mut record).unwrap_or(false) {
        return None;
    }
    let name = |(at, name): (usize, &[u8])| String::from_utf8(name.to_vec()).map_err(|_| at + 1);
    let names = record.iter().enumerate().map(name).collect::<Result<Vec<_>, _>>();
    let after = usize::try_from(reader.position().byte()).unwrap_or(bytes.len()).min(bytes.len());
    Some(names.map(|names| (names, after)))
}
