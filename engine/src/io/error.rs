//! What can go wrong with a file of text or of the Arrow IPC format.

use std::collections::HashSet;
use std::fmt::Display;
use std::path::PathBuf;

use columnade_columns as columns;
use columnade_columns::{ErrorKind, ErrorSubject, Label};

use super::file::SourceFile;
use super::json::DocumentFault;
use super::merge::MergeFault;
use super::panics::{self, Panicked};
use super::paths::{FoundFile, PathFault, Wanted};
use super::text::{UnknownEncoding, known};
use crate::error::{Error, quoted};

/// What can go wrong with a CSV, JSON or Arrow IPC file; [`Error::File`](crate::Error::File) says with which.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
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
    /// A folder without a file that the reader reads.
    #[error("the folder holds no file whose name ends with {endings}")]
    EmptyFolder {
        /// The endings of names that the reader looks for.
        endings: String,
    },
    /// A file without a line that names or has columns.
    #[error("the file is empty, so it has no columns; name them to read it")]
    NoColumns,
    /// A compressed file whose format this library, or this build of it, does not read or write.
    #[error("files compressed with {compression} are not supported{}", known())]
    UnsupportedCompression {
        /// The format.
        compression: &'static str,
    },
    /// A file of text that begins with the byte order mark of an encoding that this library does not decode.
    #[error(
        "the file is in {encoding}, as its byte order mark says, which is not supported: convert it to UTF-8"
    )]
    UnsupportedEncoding {
        /// The encoding.
        encoding: &'static str,
    },
    /// A header that has a name more than once.
    #[error("the header has the name {name:?} twice; `duplicate_names` can make two of it")]
    DuplicateName {
        /// The name.
        name: String,
    },
    /// A line that is not a row.
    #[error("line {line}: {reason}")]
    Malformed {
        /// The number of the line in the file, from 1.
        line: u64,
        /// What is wrong with it.
        reason: String,
    },
    /// An object of JSON that has a name more than once, of whose values one would be lost.
    #[error("line {line}: an object has the name {name:?} twice{}", within(column, name))]
    RepeatedName {
        /// The number of the line in the file, from 1.
        line: u64,
        /// The column: the name itself, or that of which the object is a value or a part of one.
        column: String,
        /// The name.
        name: String,
    },
    /// A column that a document of JSON has twice, or a row that one of its columns has twice.
    #[error("line {line}: {}", repeated(column, row.as_deref()))]
    RepeatedColumn {
        /// The number of the line in the file, from 1.
        line: u64,
        /// The column.
        column: String,
        /// The label of the row, if that comes twice.
        row: Option<String>,
    },
    /// A field that is no value of its column's dtype.
    #[error("line {line}: {value:?} in column {column:?} is not a value of {dtype}{}", advice(*inferred))]
    InvalidValue {
        /// The number of the line in the file, from 1.
        line: u64,
        /// The column.
        column: String,
        /// The text of the field.
        value: String,
        /// The dtype of the column, as text.
        dtype: String,
        /// Whether the dtype was inferred, not given.
        inferred: bool,
    },
    /// A row of a JSON document that is none of its layout, or has a value that is none of its column.
    #[error("row {row} of the document, {source}")]
    DocumentRow {
        /// The number of the row in the document, from 1.
        row: u64,
        /// What is wrong with it, and the line on which it begins.
        source: Box<FileError>,
    },
    /// A file without some of the columns that were asked for.
    #[error("the file has no column {}; it has {}", quoted(missing), quoted(available))]
    MissingColumns {
        /// The labels asked for that are not there.
        missing: Vec<Label>,
        /// The labels that are there.
        available: Vec<String>,
    },
    /// A column with more distinct values than a dictionary of the dtype that was given has codes.
    #[error("column {column:?} has more distinct values than {dtype} has codes")]
    TooManyCategories {
        /// The column.
        column: String,
        /// The dtype, as text.
        dtype: String,
    },
    /// A date or a time beyond those that text has.
    #[error("column {column:?}: {value} of {dtype} has no text that readers take for it")]
    NoText {
        /// The column.
        column: String,
        /// The value.
        value: String,
        /// Its dtype, in lists and structs that of the item or the field.
        dtype: String,
    },
    /// A column of a dtype that the format, or a frame, does not have.
    #[error("column {column:?} is {data_type}, which is not supported")]
    UnsupportedType {
        /// The column.
        column: String,
        /// Its type.
        data_type: String,
    },
    /// A column whose type, as it was inferred, is too narrow for rows after those that were given already.
    #[error("column {column:?} is {found}, and {expected} in the rows before it; give its dtype")]
    InferredTooNarrow {
        /// The column.
        column: String,
        /// The type of the rows before.
        expected: String,
        /// The type that has the values of both.
        found: String,
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
    /// Frames of one Arrow IPC file in which the categories of an ordered dictionary differ.
    #[error("the categories of column {column:?} are not those of the frames before, or the first of them")]
    CategoriesDiffer {
        /// The column.
        column: String,
    },
    /// Files of one table, or frames of one file, whose columns differ.
    #[error("its columns are {found} where {expected} are expected")]
    SchemaDiffers {
        /// The columns that came first.
        expected: String,
        /// The columns that do not fit them.
        found: String,
    },
    /// A column of more levels of lists and structs than a file may have.
    #[error("{}", deep(column.as_deref(), *limit))]
    TooDeep {
        /// The column, where it is known.
        column: Option<String>,
        /// The most levels.
        limit: usize,
    },
    /// A file whose bytes do not decode.
    #[error("the file is damaged{}: {reason}", .batch.map(|batch| format!(" in batch {batch}")).unwrap_or_default())]
    Damaged {
        /// The position of the batch in a file of Arrow IPC, where it is known.
        batch: Option<usize>,
        /// What the decoder says.
        reason: String,
    },
    /// A file of another format.
    #[error("this is not an Arrow IPC file or stream: {reason}")]
    NotIpc {
        /// What tells.
        reason: String,
    },
    /// Rows without columns, which text does not have.
    #[error("rows without columns have no text, which is not supported; add a column")]
    RowsWithoutColumns,
    /// A file of Feather version 1, which is not the Arrow IPC format.
    #[error(
        "this is a file of Feather version 1, which is not supported: write it again as version 2, the Arrow IPC \
         format, or as Parquet"
    )]
    FeatherV1,
    /// The encoder refused.
    #[error("{0}")]
    Format(String),
    /// The system could not read or write.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// The decoded arrays did not become columns.
    #[error(transparent)]
    Column(#[from] columns::Error),
}

impl FileError {
    /// What memory does not suffice for.
    pub(crate) fn out_of_memory(reason: String) -> Self {
        FileError::Io(std::io::Error::new(std::io::ErrorKind::OutOfMemory, reason))
    }

    /// The family of the error, named as the exceptions of pandas.
    pub fn kind(&self) -> ErrorKind {
        match self {
            FileError::MissingColumns { .. } => ErrorKind::Key,
            FileError::UnsupportedType { .. }
            | FileError::UnsupportedCompression { .. }
            | FileError::UnsupportedEncoding { .. }
            | FileError::RowsWithoutColumns
            | FileError::TooDeep { .. }
            | FileError::FeatherV1 => ErrorKind::NotImplemented,
            FileError::SchemaDiffers { .. }
            | FileError::TypesDiffer { .. }
            | FileError::AppendedTypeDiffers { .. }
            | FileError::CategoriesDiffer { .. }
            | FileError::InferredTooNarrow { .. } => ErrorKind::Type,
            FileError::DuplicateName { .. }
            | FileError::Malformed { .. }
            | FileError::RepeatedName { .. }
            | FileError::RepeatedColumn { .. }
            | FileError::InvalidValue { .. }
            | FileError::NoColumns => ErrorKind::Value,
            FileError::TooManyCategories { .. } | FileError::NoText { .. } => ErrorKind::Overflow,
            FileError::DocumentRow { source, .. } => source.kind(),
            FileError::Column(source) => source.kind(),
            FileError::Io(error) if error.kind() == std::io::ErrorKind::OutOfMemory => ErrorKind::Memory,
            FileError::NotFound
            | FileError::NoMatch
            | FileError::NoPath
            | FileError::NotAFile
            | FileError::EmptyFolder { .. }
            | FileError::Damaged { .. }
            | FileError::NotIpc { .. }
            | FileError::Format(_)
            | FileError::Io(_) => ErrorKind::Io,
        }
    }

    /// The column that the error is about, where it is about one.
    pub fn column(&self) -> Option<&str> {
        match self {
            FileError::InvalidValue { column, .. }
            | FileError::RepeatedName { column, .. }
            | FileError::RepeatedColumn { column, .. }
            | FileError::DuplicateName { name: column }
            | FileError::TooManyCategories { column, .. }
            | FileError::NoText { column, .. }
            | FileError::UnsupportedType { column, .. }
            | FileError::InferredTooNarrow { column, .. }
            | FileError::AppendedTypeDiffers { column, .. }
            | FileError::CategoriesDiffer { column }
            | FileError::TypesDiffer { column, .. } => Some(column),
            FileError::MissingColumns { missing, .. } => missing.first().and_then(Label::as_text),
            FileError::DocumentRow { source, .. } => source.column(),
            FileError::Column(source) => column_of(source),
            FileError::TooDeep { column, .. } => column.as_deref(),
            FileError::NotFound
            | FileError::NoMatch
            | FileError::NoPath
            | FileError::NotAFile
            | FileError::EmptyFolder { .. }
            | FileError::UnsupportedCompression { .. }
            | FileError::UnsupportedEncoding { .. }
            | FileError::RowsWithoutColumns
            | FileError::FeatherV1
            | FileError::SchemaDiffers { .. }
            | FileError::Malformed { .. }
            | FileError::NoColumns
            | FileError::Damaged { .. }
            | FileError::NotIpc { .. }
            | FileError::Format(_)
            | FileError::Io(_) => None,
        }
    }

    /// The dtype that a value is none of, or that has too few values, or of a value that is not written, as text.
    pub fn dtype(&self) -> Option<&str> {
        if let FileError::DocumentRow { source, .. } = self {
            return source.dtype();
        }
        if let FileError::InvalidValue { dtype, .. }
        | FileError::TooManyCategories { dtype, .. }
        | FileError::NoText { dtype, .. } = self
        {
            return Some(dtype);
        }
        None
    }

    /// The number of the line, from 1, that the error is about, where it is about one.
    pub fn line(&self) -> Option<u64> {
        if let FileError::DocumentRow { source, .. } = self {
            return source.line();
        }
        if let FileError::InvalidValue { line, .. }
        | FileError::RepeatedName { line, .. }
        | FileError::RepeatedColumn { line, .. }
        | FileError::Malformed { line, .. } = self
        {
            return Some(*line);
        }
        None
    }

    /// The error, which came from batch number `batch` of a file of Arrow IPC.
    pub(super) fn in_batch(self, batch: usize) -> Self {
        if let FileError::Damaged { batch: None, reason } = self {
            return FileError::Damaged { batch: Some(batch), reason };
        }
        self
    }

    /// What the system says of a file that does not open.
    pub(super) fn opening(error: std::io::Error) -> Self {
        if error.kind() == std::io::ErrorKind::NotFound { FileError::NotFound } else { FileError::Io(error) }
    }

    /// What a decoder says of `source`. It may make text of the system's errors, which are no fault of the bytes.
    pub(super) fn decoding(source: &SourceFile, error: impl Display) -> Self {
        match source.take_failure() {
            Some(failure) => FileError::Io(failure),
            None => FileError::Damaged { batch: None, reason: error.to_string() },
        }
    }

    /// The error of reading text, which a document that is none of its layout is too.
    pub(super) fn reading(source: &SourceFile, error: std::io::Error) -> Self {
        if let Some(unknown) = error.get_ref().and_then(|inner| inner.downcast_ref::<UnknownEncoding>()) {
            return FileError::UnsupportedEncoding { encoding: unknown.name };
        }
        let fault = error.get_ref().and_then(|inner| inner.downcast_ref::<DocumentFault>());
        match fault {
            Some(DocumentFault { line, repeated: Some(repeated), .. }) => {
                let (line, column, row) = (*line, repeated.column.clone(), repeated.row.clone());
                FileError::RepeatedColumn { line, column, row }
            }
            Some(fault) => FileError::Malformed { line: fault.line, reason: fault.to_string() },
            None => FileError::decoding(source, error),
        }
    }
}

/// The column that an error of columns is about.
pub(super) fn column_of(error: &columns::Error) -> Option<&str> {
    if let columns::Error::Context { subject: ErrorSubject::Column(label), .. } = error {
        return Some(label);
    }
    None
}

/// What is nested too deeply.
pub(super) fn deep(column: Option<&str>, limit: usize) -> String {
    let column = column.map_or_else(|| "a column".to_owned(), |column| format!("column {column:?}"));
    format!("{column} is nested deeper than {limit} levels, which is not supported")
}

/// What a document has twice.
fn repeated(column: &str, row: Option<&str>) -> String {
    match row {
        None => format!("the document has the column {column:?} twice"),
        Some(row) => format!("column {column:?} has the row {row:?} twice"),
    }
}

/// The column that an object with a name twice is in.
fn within(column: &str, name: &str) -> String {
    if column == name { String::new() } else { format!(", in column {column:?}") }
}

/// How a value that an inferred type does not have can be read.
fn advice(inferred: bool) -> &'static str {
    if inferred { ", which was inferred from the first rows; give the dtype of the column" } else { "" }
}

/// What `work` with a library comes to; a panic, as some bytes bring about, is an error of the file.
pub(super) fn caught<T>(work: impl FnOnce() -> Result<T, FileError>) -> Result<T, FileError> {
    panics::caught(work).unwrap_or_else(|Panicked(message)| {
        Err(FileError::Damaged { batch: None, reason: format!("the decoder failed: {message}") })
    })
}

/// The first label that comes for the second time.
pub(super) fn twice<S: AsRef<str>>(labels: &[S]) -> Option<&str> {
    let mut before = HashSet::with_capacity(labels.len());
    labels.iter().map(AsRef::as_ref).find(|label| !before.insert(*label))
}

/// Refuses labels that come twice.
pub(super) fn check_unique<S: AsRef<str>>(labels: &[S]) -> Result<(), FileError> {
    twice(labels).map_or(Ok(()), |label| {
        Err(FileError::Column(columns::Error::DuplicateLabel { label: label.into() }))
    })
}

/// Refuses labels that no column has.
pub(super) fn check_known(asked: &[String], available: &[String]) -> Result<(), FileError> {
    let known: HashSet<&String> = available.iter().collect();
    let missing: Vec<_> = asked.iter().filter(|name| !known.contains(name)).map(Into::into).collect();
    if missing.is_empty() {
        return Ok(());
    }
    Err(FileError::MissingColumns { missing, available: available.to_vec() })
}

/// The files that the paths stand for: of a folder those whose names end so, and of its folders `name=value` too if
/// `partitions`.
pub(super) fn expand_all(
    operation: &'static str,
    paths: &[PathBuf],
    endings: &[&str],
    partitions: bool,
) -> crate::error::Result<Vec<FoundFile>> {
    let named = |name: &str| endings.iter().any(|ending| name.ends_with(ending));
    let mut files = Vec::new();
    for path in paths {
        let found = Wanted { files: &named, partitions }.find(path).map_err(|fault| match fault {
            PathFault::NotFound => FileError::NotFound,
            PathFault::NotAFile => FileError::NotAFile,
            PathFault::Empty => FileError::EmptyFolder { endings: endings.join(", ") },
            PathFault::NoMatch => FileError::NoMatch,
            PathFault::Pattern(reason) => FileError::Format(format!("this is no pattern: {reason}")),
            PathFault::Io(error) => FileError::Io(error),
        });
        files.extend(found.map_err(|source| Error::file(operation, path, source))?);
    }
    Ok(files)
}

impl From<MergeFault> for FileError {
    fn from(fault: MergeFault) -> Self {
        match fault {
            MergeFault::Column(error) => FileError::Column(error),
            MergeFault::TypesDiffer { column, expected, found } => {
                FileError::TypesDiffer { column, expected: expected.to_string(), found: found.to_string() }
            }
        }
    }
}
