//! How the text of a CSV file is to be read.

use std::collections::{HashMap, HashSet};

use arrow_csv::reader::Format;
use columnade_columns::{DType, Error as ColumnError};
use regex::Regex;

use super::records::{first_row, not_utf8};
use crate::io::error::FileError;
use crate::io::text::{
    BadRows, Chunk, EncodingErrors, Quoting, TextCompression, TextEncoding, encoding_of, lines_before,
};

/// A byte that no UTF-8 text has: the quote passed to the library if there is none.
const NO_QUOTE: u8 = 0xFF;

/// What a reader does with a name that a header has more than once.
///
/// # Source
/// pandas `read_csv`, Polars `read_csv`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum DuplicateNames {
    /// An error that names it.
    #[default]
    Error,
    /// Later columns get a number after a point: `a`, `a.1`, `a.2`, as in pandas.
    Point,
    /// Later columns get a number after a word: `a`, `a_duplicated_0`, `a_duplicated_1`, as in Polars.
    Duplicated,
}

impl DuplicateNames {
    /// The names of columns, each once. A number whose name a column has is left out.
    fn applied(self, header: &[String]) -> Result<Vec<String>, FileError> {
        let mut names: Vec<String> = Vec::with_capacity(header.len());
        let (mut taken, mut next) = (HashSet::new(), HashMap::new());
        let all: HashSet<&str> = header.iter().map(String::as_str).collect();
        for name in header {
            if taken.insert(name.clone()) {
                names.push(name.clone());
                continue;
            }
            let number = next.entry(name.as_str()).or_insert(0_usize);
            let made = loop {
                let made = match self {
                    DuplicateNames::Error => {
                        return Err(FileError::DuplicateName { name: name.clone() });
                    }
                    DuplicateNames::Point => format!("{name}.{}", *number + 1),
                    DuplicateNames::Duplicated => format!("{name}_duplicated_{number}"),
                };
                *number += 1;
                if !all.contains(made.as_str()) && taken.insert(made.clone()) {
                    break made;
                }
            };
            names.push(made);
        }
        Ok(names)
    }
}

#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "options that do not depend on each other")]
pub(super) struct Options {
    pub(super) columns: Option<Vec<String>>,
    pub(super) dtypes: Vec<(String, DType)>,
    pub(super) has_header: bool,
    pub(super) names: Option<Vec<String>>,
    pub(super) delimiter: u8,
    pub(super) quote: Option<u8>,
    pub(super) escape: Option<u8>,
    pub(super) nulls: Option<Regex>,
    /// Whether the empty text is among those that were given for null.
    pub(super) has_empty_null: bool,
    /// Whether empty fields without quotes are null in columns of strings.
    pub(super) empty_is_null: bool,
    pub(super) skip_rows: usize,
    pub(super) limit: Option<usize>,
    pub(super) infer_rows: usize,
    pub(super) bad_rows: BadRows,
    /// Whether fields that a row lacks are empty.
    pub(super) pads_short_rows: bool,
    /// `None`: each file tells.
    pub(super) compression: Option<TextCompression>,
    /// The label of the encoding; `None`: UTF-8, or UTF-16 with a byte order mark.
    pub(super) encoding: Option<String>,
    pub(super) encoding_errors: EncodingErrors,
    pub(super) hive_partitions: bool,
    pub(super) duplicate_names: DuplicateNames,
    /// Of tests.
    pub(super) chunk_size: Option<usize>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            columns: None,
            dtypes: Vec::new(),
            has_header: true,
            names: None,
            delimiter: b',',
            quote: Some(b'"'),
            escape: None,
            nulls: None,
            has_empty_null: false,
            empty_is_null: true,
            skip_rows: 0,
            limit: None,
            infer_rows: 10_000,
            bad_rows: BadRows::Error,
            pads_short_rows: false,
            compression: None,
            encoding: None,
            encoding_errors: EncodingErrors::Error,
            hive_partitions: true,
            duplicate_names: DuplicateNames::Error,
            chunk_size: None,
        }
    }
}

impl Options {
    pub(super) fn format(&self) -> Format {
        let mut format = Format::default().with_delimiter(self.delimiter);
        format = format.with_quote(self.quote.unwrap_or(NO_QUOTE));
        if let Some(escape) = self.escape {
            format = format.with_escape(escape);
        }
        match &self.nulls {
            Some(nulls) => format.with_null_regex(nulls.clone()),
            None => format,
        }
    }

    /// The encoding of the text. Labels have been [checked](Self::check).
    pub(super) fn encoding(&self) -> TextEncoding {
        let encoding = self.encoding.as_deref().and_then(|label| encoding_of(label).ok()).flatten();
        TextEncoding { encoding, errors: self.encoding_errors }
    }

    pub(super) fn quoting(&self) -> Option<Quoting> {
        let (delimiter, escape) = (self.delimiter, self.escape);
        self.quote.map(|quote| Quoting { quote, delimiter, escape })
    }

    /// Refuses characters that mean two things, and encodings that there are not.
    pub(super) fn check(&self) -> Result<(), ColumnError> {
        let invalid = |name, reason: String| Err(ColumnError::InvalidArgument { name, reason });
        let special = [Some(self.delimiter), self.quote, self.escape];
        for (name, byte) in ["delimiter", "quote", "escape"].into_iter().zip(special) {
            if let Some(byte) = byte.filter(|byte| !byte.is_ascii() || matches!(byte, b'\n' | b'\r')) {
                return invalid(name, format!("byte {byte} is not an ASCII character within a line"));
            }
        }
        if let Some(Err(reason)) = self.encoding.as_deref().map(encoding_of) {
            return invalid("encoding", reason);
        }
        if self.quote == Some(self.delimiter) || self.escape == Some(self.delimiter) {
            let delimiter = char::from(self.delimiter);
            return invalid("delimiter", format!("{delimiter:?} is also the quote or the escape"));
        }
        Ok(())
    }

    /// Removes what precedes the rows of a file, and returns the names of its columns.
    pub(super) fn start(&self, first: &mut Chunk) -> Result<Vec<String>, FileError> {
        let mut at = if first.bytes.starts_with(&[0xEF, 0xBB, 0xBF]) { 3 } else { 0 };
        let row = first_row(&first.bytes[at..], self);
        let (mut names, after) = row.ok_or(FileError::NoColumns)?.map_err(|field| {
            let line = first.first_line + lines_before(at, &first.bytes);
            FileError::Malformed { line, reason: not_utf8(field) }
        })?;
        if self.has_header {
            // Names that are given replace those of the file.
            if self.names.is_none() {
                names = self.duplicate_names.applied(&names)?;
            }
            at += after;
        } else {
            names = (1..=names.len()).map(|column| format!("column_{column}")).collect();
        }
        first.first_line += lines_before(at, &first.bytes);
        first.bytes.drain(..at);
        Ok(names)
    }
}
