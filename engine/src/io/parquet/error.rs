//! What can go wrong with a Parquet file.

use std::fmt::Display;

use columnade_columns as columns;
use columnade_columns::{DType, ErrorKind, Label, TimeUnit};
use parquet::errors::ParquetError as Library;

use crate::error::quoted;
use crate::io::error::{column_of, deep};
use crate::io::file::SourceFile;
use crate::io::panics::{self, Panicked};

/// What can go wrong with a Parquet file; [`Error::Parquet`](crate::Error::Parquet) says with which.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ParquetError {
    /// Nothing has this path.
    #[error("there is no such file or folder")]
    NotFound,
    /// A pattern that no file matches.
    #[error("no file matches this pattern")]
    NoMatch,
    /// No path was given.
    #[error("no file was named")]
    NoPath,
    /// A device or a pipe where a file is to be, or a folder where one is to be written.
    #[error("what has this name is not a file, but a folder, a pipe or a device")]
    NotAFile,
    /// A folder that is to be written and has files already.
    #[error("the folder exists and is not empty")]
    FolderNotEmpty,
    /// A folder without a Parquet file.
    #[error("the folder holds no .parquet file")]
    EmptyFolder,
    /// A file of another format.
    #[error("this is not a Parquet file: {reason}")]
    NotParquet {
        /// What tells.
        reason: String,
    },
    /// The beginning of a Parquet file.
    #[error("the file is truncated: {reason}")]
    Truncated {
        /// What tells.
        reason: String,
    },
    /// A Parquet file whose bytes do not decode.
    #[error("the file is damaged{}: {reason}", place(column.as_deref(), *row_group))]
    Damaged {
        /// The column, where it is known.
        column: Option<String>,
        /// The position of the row group in the file, where it is known.
        row_group: Option<usize>,
        /// What the decoder says.
        reason: String,
    },
    /// A Parquet file on which the decoder panicked.
    #[error("the decoder failed{}: {reason}", place(column.as_deref(), *row_group))]
    DecoderFailed {
        /// The column, where it is known.
        column: Option<String>,
        /// The position of the row group in the file, where it is known.
        row_group: Option<usize>,
        /// What the panic says.
        reason: String,
    },
    /// A column of more levels of lists and structs than the Arrow schema of a file may have.
    #[error("{}", deep(column.as_deref(), *limit))]
    TooDeep {
        /// The column, where it is known.
        column: Option<String>,
        /// The most levels.
        limit: usize,
    },
    /// A file without some of the columns that were asked for.
    #[error("the file has no column {}; it has {}", quoted(missing), quoted(available))]
    MissingColumns {
        /// The labels asked for that are not there.
        missing: Vec<Label>,
        /// The labels that are there.
        available: Vec<String>,
    },
    /// A column of a dtype that frames do not have.
    #[error("column {column:?} is {data_type}, which is not supported")]
    UnsupportedType {
        /// The column.
        column: String,
        /// Its Arrow type.
        data_type: String,
    },
    /// A writer of frames that was given none, so that the columns of the file are not known.
    #[error("no frame was written, so the columns of the file are not known; write one without rows")]
    NoColumns,
    /// An ordered dictionary of values that text does not keep or, in structs and lists, that are read back without a dictionary.
    #[error(
        "column {column:?} is an ordered dictionary of values other than text, numbers and dates, whose order Parquet does \
         not keep: that is not supported; write its text, or a dictionary without an order"
    )]
    OrderedDictionary {
        /// The column.
        column: String,
    },
    /// Batches of one file in which an ordered dictionary has its categories in different orders.
    #[error("the categories of column {column:?} are not those of the batches before, or the first of them")]
    OrdersDiffer {
        /// The column.
        column: String,
    },
    /// A column packed by a codec that this build does not have.
    #[error(
        "column {column:?}, row group {row_group}: it is packed with {codec}, which this build does not support"
    )]
    UnsupportedCodec {
        /// The column, with the path to the field in it.
        column: String,
        /// The position of the row group in the file.
        row_group: usize,
        /// The codec, as the format names it.
        codec: String,
    },
    /// A column whose pages have an encoding that is not known.
    #[error(
        "column {column:?}, row group {row_group}: its values are in encoding {encoding}, which is not supported"
    )]
    UnsupportedEncoding {
        /// The column, with the path to the field in it.
        column: String,
        /// The position of the row group in the file.
        row_group: usize,
        /// The number of the encoding in the format.
        encoding: i32,
    },
    /// A file that is to be packed by a codec that this build does not have.
    #[error("this build does not support files that are packed with {codec}")]
    UnsupportedCompression {
        /// The codec.
        codec: String,
    },
    /// A 96-bit timestamp that the unit it is read in does not represent exactly.
    #[error(
        "column {column:?}, row group {row_group}: {value} is not a value of {}; {}", DType::Timestamp(*unit),
        advice(*fits)
    )]
    TimestampDoesNotFit {
        /// The column, with the path to the field in it.
        column: String,
        /// The position of the row group in the file.
        row_group: usize,
        /// The first such value.
        value: String,
        /// The unit.
        unit: TimeUnit,
        /// The finest unit that represents the value.
        fits: Option<TimeUnit>,
    },
    /// A value that the file, which has no such unit, would not represent.
    #[error(
        "column {column:?}: {value} of {dtype} is no value in milliseconds, the coarsest unit of Parquet"
    )]
    ValueDoesNotFit {
        /// The column.
        column: String,
        /// The first such value.
        value: String,
        /// Its dtype, in lists and structs that of the item or the field.
        dtype: String,
    },
    /// The decoded values of a row group did not become a column, as where a decimal has more digits than a dtype.
    #[error("row group {row_group}: {source}")]
    Values {
        /// The position of the row group in the file.
        row_group: usize,
        /// What is wrong, and in which column.
        r#source: Box<columns::Error>,
    },
    /// A column of several files whose dtypes have no common one without a loss.
    #[error("column {column:?} is {found}, and {expected} in a file before it")]
    TypesDiffer {
        /// The column.
        column: String,
        /// The dtype of the files before.
        expected: String,
        /// The dtype in this one.
        found: String,
    },
    /// A frame that was appended to a file, in which a column has another dtype than in those before.
    #[error("column {column:?} is {found}, and {expected} in the frames before it; cast it")]
    AppendedTypeDiffers {
        /// The column.
        column: String,
        /// The dtype of the frames before.
        expected: String,
        /// The dtype in this one.
        found: String,
    },
    /// Files of one table, or batches of one file, whose columns are not of the same dtypes.
    #[error("its columns are {found} where {expected} are expected")]
    SchemaDiffers {
        /// The schema that came first.
        expected: String,
        /// The schema that does not fit it.
        found: String,
    },
    /// The system could not read or write.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// The encoder or decoder refused.
    #[error("{0}")]
    Format(String),
    /// The decoded arrays did not become columns.
    #[error(transparent)]
    Column(#[from] columns::Error),
}

impl ParquetError {
    /// The family of the error, named as the exceptions of pandas.
    pub fn kind(&self) -> ErrorKind {
        match self {
            ParquetError::MissingColumns { .. } => ErrorKind::Key,
            ParquetError::UnsupportedType { .. }
            | ParquetError::TooDeep { .. }
            | ParquetError::UnsupportedCodec { .. }
            | ParquetError::UnsupportedEncoding { .. }
            | ParquetError::UnsupportedCompression { .. }
            | ParquetError::OrderedDictionary { .. } => ErrorKind::NotImplemented,
            ParquetError::NoColumns => ErrorKind::Value,
            ParquetError::SchemaDiffers { .. }
            | ParquetError::TypesDiffer { .. }
            | ParquetError::AppendedTypeDiffers { .. }
            | ParquetError::OrdersDiffer { .. } => ErrorKind::Type,
            ParquetError::TimestampDoesNotFit { .. } | ParquetError::ValueDoesNotFit { .. } => {
                ErrorKind::Overflow
            }
            ParquetError::Column(source) => source.kind(),
            ParquetError::Values { source, .. } => source.kind(),
            ParquetError::Io(error) if error.kind() == std::io::ErrorKind::OutOfMemory => ErrorKind::Memory,
            ParquetError::NotFound
            | ParquetError::NoMatch
            | ParquetError::NoPath
            | ParquetError::NotAFile
            | ParquetError::EmptyFolder
            | ParquetError::FolderNotEmpty
            | ParquetError::NotParquet { .. }
            | ParquetError::Truncated { .. }
            | ParquetError::Damaged { .. }
            | ParquetError::DecoderFailed { .. }
            | ParquetError::Io(_)
            | ParquetError::Format(_) => ErrorKind::Io,
        }
    }

    /// The column that the error is about, where it is about one.
    pub fn column(&self) -> Option<&str> {
        match self {
            ParquetError::Damaged { column, .. }
            | ParquetError::DecoderFailed { column, .. }
            | ParquetError::TooDeep { column, .. } => column.as_deref(),
            ParquetError::UnsupportedType { column, .. }
            | ParquetError::OrderedDictionary { column }
            | ParquetError::OrdersDiffer { column }
            | ParquetError::UnsupportedCodec { column, .. }
            | ParquetError::UnsupportedEncoding { column, .. }
            | ParquetError::TimestampDoesNotFit { column, .. }
            | ParquetError::ValueDoesNotFit { column, .. }
            | ParquetError::AppendedTypeDiffers { column, .. }
            | ParquetError::TypesDiffer { column, .. } => Some(column),
            ParquetError::MissingColumns { missing, .. } => missing.first().and_then(Label::as_text),
            ParquetError::Column(source) => column_of(source),
            ParquetError::Values { source, .. } => column_of(source),
            ParquetError::NotFound
            | ParquetError::NoMatch
            | ParquetError::NoPath
            | ParquetError::NotAFile
            | ParquetError::FolderNotEmpty
            | ParquetError::EmptyFolder
            | ParquetError::NotParquet { .. }
            | ParquetError::Truncated { .. }
            | ParquetError::NoColumns
            | ParquetError::UnsupportedCompression { .. }
            | ParquetError::SchemaDiffers { .. }
            | ParquetError::Io(_)
            | ParquetError::Format(_) => None,
        }
    }

    /// The dtype that a value which is written has, as text.
    pub fn dtype(&self) -> Option<&str> {
        if let ParquetError::ValueDoesNotFit { dtype, .. } = self { Some(dtype) } else { None }
    }

    /// The position in the file of the row group that the error is about, where it is about one.
    pub fn row_group(&self) -> Option<usize> {
        if let ParquetError::Damaged { row_group, .. } | ParquetError::DecoderFailed { row_group, .. } = self
        {
            return *row_group;
        }
        if let ParquetError::TimestampDoesNotFit { row_group, .. }
        | ParquetError::UnsupportedCodec { row_group, .. }
        | ParquetError::UnsupportedEncoding { row_group, .. }
        | ParquetError::Values { row_group, .. } = self
        {
            return Some(*row_group);
        }
        None
    }

    /// What the library says while it decodes `source`, whose ends are those of a Parquet file. It makes text of the
    /// system's errors, which are no fault of the bytes.
    pub(super) fn decoding(source: &SourceFile, error: impl Display) -> Self {
        match source.take_failure() {
            Some(failure) => ParquetError::Io(failure),
            None => ParquetError::damaged(error),
        }
    }

    /// What the library says of bytes that it has.
    pub(super) fn damaged(error: impl Display) -> Self {
        ParquetError::Damaged { column: None, row_group: None, reason: error.to_string() }
    }
}

/// Where in a file something is wrong.
fn place(column: Option<&str>, row_group: Option<usize>) -> String {
    match (column, row_group) {
        (Some(column), Some(group)) => format!(" in column {column:?}, row group {group}"),
        (Some(column), None) => format!(" in column {column:?}"),
        (None, Some(group)) => format!(" in row group {group}"),
        (None, None) => String::new(),
    }
}

/// How a timestamp can be read that the finest unit `fits` represents.
fn advice(fits: Option<TimeUnit>) -> String {
    match fits {
        Some(unit) => format!("read it as {}, with int96_unit", DType::Timestamp(unit)),
        None => "no unit represents it".to_owned(),
    }
}

/// What `work` with the library comes to; a panic, as some bytes bring about, is an error of the file.
pub(super) fn caught<T>(work: impl FnOnce() -> Result<T, ParquetError>) -> Result<T, ParquetError> {
    panics::caught(work).unwrap_or_else(|Panicked(reason)| {
        Err(ParquetError::DecoderFailed { column: None, row_group: None, reason })
    })
}

impl From<Library> for ParquetError {
    #[expect(clippy::wildcard_enum_match_arm, reason = "the enum is another library's")]
    fn from(error: Library) -> Self {
        match error {
            Library::External(source) => match source.downcast::<std::io::Error>() {
                Ok(source) => ParquetError::Io(*source),
                Err(source) => ParquetError::Format(source.to_string()),
            },
            other => ParquetError::Format(other.to_string()),
        }
    }
}
