//! Errors of frames and files.

use std::fmt;
use std::path::{Path, PathBuf};

use columnade_columns as columns;
use columnade_columns::{ErrorKind, Label};

use crate::io::{FileError, ParquetError};

/// The result of an operation on frames.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Errors of frames and files. Variants and fields are interface; messages are not.
///
/// `Debug` prints the message too, so that a program whose `main` returns an error ends with a readable one;
/// [`structure`](Self::structure) prints variants and fields. A message has the texts of all causes, which
/// [`source`](std::error::Error::source) therefore does not repeat.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An operation on a frame or a series failed in its columns.
    #[error("{operation}: {source}")]
    Operation {
        /// The method that was called.
        operation: &'static str,
        /// The cause.
        r#source: columns::Error,
    },
    /// Columns that a frame or a file does not have.
    #[error("{operation}: there is no column {}; there is {}", quoted(missing), quoted(available))]
    MissingColumns {
        /// The method that was called.
        operation: &'static str,
        /// The missing labels.
        missing: Vec<Label>,
        /// The existing labels.
        available: Vec<Label>,
    },
    /// Row labels that a frame or a series does not have.
    #[error("{operation}: there is no row label {}{}", keys(missing), more(missing))]
    MissingLabels {
        /// The method that was called.
        operation: &'static str,
        /// The missing labels, the first ten of them: a value for each level.
        missing: Vec<Vec<columns::Scalar>>,
    },
    /// Row labels that must be unique are not.
    #[error("{operation}: row labels must be unique here, but {} comes more than once", values(label))]
    DuplicateLabels {
        /// The method that was called.
        operation: &'static str,
        /// One that comes more than once: a value for each level.
        label: Vec<columns::Scalar>,
    },
    /// Row labels that must be in order are not.
    #[error(
        "{operation}: row labels are in no order and {} is none of them or comes more than once; sort them with sort_index",
        values(label)
    )]
    UnsortedIndex {
        /// The method that was called.
        operation: &'static str,
        /// The bound of a slice.
        label: Vec<columns::Scalar>,
    },
    /// No level of the row labels has this name.
    #[error(
        "{operation}: no level of the row labels is called {level:?}; they are called {}",
        quoted(available)
    )]
    MissingLevel {
        /// The method that was called.
        operation: &'static str,
        /// The name asked for.
        level: Label,
        /// The names of the levels, null for none.
        available: Vec<Label>,
    },
    /// The key columns of a join have incompatible dtypes.
    #[error(
        "{operation}: the key {left_label:?} of the left frame is {left}, the key {right_label:?} of the right frame \
         is {right}; cast one of them"
    )]
    KeyMismatch {
        /// The method that was called.
        operation: &'static str,
        /// The label on the left.
        left_label: Label,
        /// Its dtype.
        left: columns::DType,
        /// The label on the right.
        right_label: Label,
        /// Its dtype.
        right: columns::DType,
    },
    /// A key occurs more often than the options of a join allow.
    #[error(
        "{operation}: the key {} of the {side} frame is not unique: {} occurs more than once",
        quoted(labels),
        values(key)
    )]
    DuplicateKey {
        /// The method that was called.
        operation: &'static str,
        /// `left` or `right`.
        side: &'static str,
        /// The labels of the keys.
        labels: Vec<Label>,
        /// The values of one that occurs more than once.
        key: Vec<columns::Scalar>,
    },
    /// A Parquet file could not be read or written.
    #[error("{operation} {}: {source}", path.display())]
    Parquet {
        /// The function that was called.
        operation: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The cause.
        r#source: ParquetError,
    },
    /// A CSV, JSON or Arrow IPC file could not be read or written.
    #[error("{operation} {}: {source}", path.display())]
    File {
        /// The function that was called.
        operation: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The cause.
        r#source: Box<FileError>,
    },
    /// A device or memory failed outside of an operation on columns.
    #[error(transparent)]
    Device(#[from] columnade_buffers::Error),
    /// A value, literal or dtype is invalid.
    #[error(transparent)]
    Value(columns::Error),
}

impl Error {
    /// The family of the error, named as the exceptions of pandas.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Error::Operation { source, .. } | Error::Value(source) => source.kind(),
            Error::MissingColumns { .. }
            | Error::MissingLabels { .. }
            | Error::MissingLevel { .. }
            | Error::UnsortedIndex { .. } => ErrorKind::Key,
            Error::KeyMismatch { .. } => ErrorKind::Type,
            Error::DuplicateKey { .. } | Error::DuplicateLabels { .. } => ErrorKind::Value,
            Error::Parquet { source, .. } => source.kind(),
            Error::File { source, .. } => source.kind(),
            Error::Device(memory) => memory.into(),
        }
    }

    /// The variant and its fields, for logs.
    ///
    /// ```
    /// let error = columnade::df! { "n" => [1, 2] }?.column("m").unwrap_err();
    /// assert_eq!(format!("{error:?}"), error.to_string());
    /// assert!(format!("{:?}", error.structure()).starts_with("MissingColumns { operation: \"column\""));
    /// # Ok::<(), columnade::Error>(())
    /// ```
    pub fn structure(&self) -> impl fmt::Debug + '_ {
        Structure(self)
    }

    pub(crate) fn parquet(operation: &'static str, path: &Path, source: ParquetError) -> Self {
        Self::Parquet { operation, path: path.to_owned(), source }
    }

    pub(crate) fn file(operation: &'static str, path: impl AsRef<Path>, source: FileError) -> Self {
        Self::File { operation, path: path.as_ref().to_owned(), source: Box::new(source) }
    }

    /// An invalid argument of `operation`.
    pub(crate) fn argument(operation: &'static str, name: &'static str, reason: impl Into<String>) -> Self {
        Self::Operation { operation, source: columns::Error::InvalidArgument { name, reason: reason.into() } }
    }
}

impl From<columns::Error> for Error {
    /// An error of a literal or a scalar, made outside of any frame; memory errors stay what they are.
    #[expect(clippy::wildcard_enum_match_arm, reason = "other errors pass")]
    fn from(error: columns::Error) -> Self {
        match error {
            columns::Error::Memory(memory) => Error::Device(memory),
            other => Error::Value(other),
        }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// An error as `Debug` is derived.
struct Structure<'a>(&'a Error);

impl fmt::Debug for Structure<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Error::Operation { operation, source } => {
                f.debug_struct("Operation").field("operation", operation).field("source", source).finish()
            }
            Error::MissingColumns { operation, missing, available } => f
                .debug_struct("MissingColumns")
                .field("operation", operation)
                .field("missing", missing)
                .field("available", available)
                .finish(),
            Error::MissingLabels { operation, missing } => f
                .debug_struct("MissingLabels")
                .field("operation", operation)
                .field("missing", missing)
                .finish(),
            Error::DuplicateLabels { operation, label } => {
                f.debug_struct("DuplicateLabels").field("operation", operation).field("label", label).finish()
            }
            Error::UnsortedIndex { operation, label } => {
                f.debug_struct("UnsortedIndex").field("operation", operation).field("label", label).finish()
            }
            Error::MissingLevel { operation, level, available } => f
                .debug_struct("MissingLevel")
                .field("operation", operation)
                .field("level", level)
                .field("available", available)
                .finish(),
            Error::KeyMismatch { operation, left_label, left, right_label, right } => f
                .debug_struct("KeyMismatch")
                .field("operation", operation)
                .field("left_label", left_label)
                .field("left", left)
                .field("right_label", right_label)
                .field("right", right)
                .finish(),
            Error::DuplicateKey { operation, side, labels, key } => f
                .debug_struct("DuplicateKey")
                .field("operation", operation)
                .field("side", side)
                .field("labels", labels)
                .field("key", key)
                .finish(),
            Error::Parquet { operation, path, source } => f
                .debug_struct("Parquet")
                .field("operation", operation)
                .field("path", path)
                .field("source", source)
                .finish(),
            Error::File { operation, path, source } => f
                .debug_struct("File")
                .field("operation", operation)
                .field("path", path)
                .field("source", source)
                .finish(),
            Error::Device(error) => f.debug_tuple("Device").field(error).finish(),
            Error::Value(error) => f.debug_tuple("Value").field(error).finish(),
        }
    }
}

/// Says which operation of the engine failed.
pub(crate) trait InOperation<T> {
    /// The error as one of `operation`.
    fn operation(self, operation: &'static str) -> Result<T>;
}

impl<T> InOperation<T> for columns::Result<T> {
    fn operation(self, operation: &'static str) -> Result<T> {
        self.map_err(|source| Error::Operation { operation, source })
    }
}

impl<T> InOperation<T> for columnade_buffers::Result<T> {
    fn operation(self, operation: &'static str) -> Result<T> {
        self.map_err(|memory| Error::Operation { operation, source: columns::Error::Memory(memory) })
    }
}

/// Labels as a list, strings in quotes.
pub(crate) fn quoted(labels: &[impl fmt::Debug]) -> String {
    match labels {
        [] => "none".to_owned(),
        labels => labels.iter().map(|label| format!("{label:?}")).collect::<Vec<_>>().join(", "),
    }
}

/// Labels of rows as a list.
fn keys(labels: &[Vec<columns::Scalar>]) -> String {
    labels.iter().map(|label| values(label)).collect::<Vec<_>>().join(", ")
}

/// What stands for further labels.
fn more(labels: &[Vec<columns::Scalar>]) -> &'static str {
    if labels.len() >= MOST_LABELS { " …" } else { "" }
}

/// The most labels that an error lists.
pub(crate) const MOST_LABELS: usize = 10;

/// The values of a key, in parentheses if there are several.
fn values(key: &[columns::Scalar]) -> String {
    match key {
        [one] => shortened(one),
        several => format!("({})", several.iter().map(shortened).collect::<Vec<_>>().join(", ")),
    }
}

/// The first characters of a value.
fn shortened(value: &columns::Scalar) -> String {
    const MOST: usize = 100;
    let text = value.to_string();
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
