//! What can go wrong with columns.

use crate::{DType, Label};
use columnade_buffers::RetryableError;
use std::fmt;

/// The result of an operation on columns.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What can go wrong with columns. Variants and fields are interface; texts are not.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Columns that must have one length do not.
    #[error("{op}: expected {expected} rows, found {found}")]
    LengthMismatch {
        /// The operation.
        op: &'static str,
        /// The rows that the others have.
        expected: usize,
        /// The rows found.
        found: usize,
    },
    /// Two dtypes do not go together.
    #[error("{op}: {left} and {right} do not go together; cast one of them")]
    DTypeMismatch {
        /// The operation.
        op: &'static str,
        /// The dtype on the left, or the one expected.
        left: DType,
        /// The dtype on the right, or the one found.
        right: DType,
    },
    /// The operation does not take this dtype.
    #[error("{op} does not take {dtype}")]
    UnsupportedDType {
        /// The operation.
        op: &'static str,
        /// The dtype it was given.
        dtype: DType,
    },
    /// No column has this label.
    #[error("column {label:?} not found; there {}", available_text(available))]
    ColumnNotFound {
        /// The label asked for.
        label: Label,
        /// The labels that there are.
        available: Vec<Label>,
    },
    /// A label is there already, or twice in one request.
    #[error("{op}: column label {label:?} would be there twice")]
    DuplicateLabel {
        /// The operation.
        op: &'static str,
        /// The label.
        label: Label,
    },
    /// The operation takes columns whose labels are text.
    #[error("{op}: the column label {label:?} is not text: rename the column")]
    UnsupportedLabel {
        /// The operation.
        op: &'static str,
        /// The label.
        label: Label,
    },
    /// No level of the labels has this name.
    #[error("{op}: no level of the column labels is called {name:?}; they are called {available:?}")]
    LevelNotFound {
        /// The operation.
        op: &'static str,
        /// The name asked for.
        name: Label,
        /// The names of the levels.
        available: Vec<Option<Label>>,
    },
    /// A position, which may count from the end, lies outside.
    #[error("{op}: position {position} is out of bounds for {len}")]
    PositionOutOfBounds {
        /// The operation.
        op: &'static str,
        /// The position asked for.
        position: isize,
        /// How many there are.
        len: usize,
    },
    /// A row or column position lies outside.
    #[error("{op}: position {index} is out of bounds for {len}")]
    IndexOutOfBounds {
        /// The operation.
        op: &'static str,
        /// The position asked for.
        index: usize,
        /// How many there are.
        len: usize,
    },
    /// Rows lie outside.
    #[error("{op}: {count} rows from row {offset} on, where there are {len}")]
    RowsOutOfBounds {
        /// The operation.
        op: &'static str,
        /// The first row asked for.
        offset: usize,
        /// How many rows were asked for.
        count: usize,
        /// How many there are.
        len: usize,
    },
    /// An argument means nothing.
    #[error("{op}: {name}: {reason}")]
    InvalidArgument {
        /// The operation.
        op: &'static str,
        /// The argument.
        name: &'static str,
        /// What is wrong with it.
        reason: String,
    },
    /// A value does not fit its dtype.
    #[error("{op}: a value does not fit {dtype}")]
    Overflow {
        /// The operation.
        op: &'static str,
        /// The dtype it does not fit.
        dtype: DType,
    },
    /// Text is not a value of a dtype.
    #[error("{text:?} is not a value of {dtype}")]
    Parse {
        /// The text.
        text: String,
        /// The dtype.
        dtype: DType,
    },
    /// An Arrow array or batch cannot become columns, or the reverse.
    #[error("Arrow {}: {reason}", place(field, "array"))]
    Arrow {
        /// The field's name, empty for an array without one.
        field: String,
        /// What is wrong.
        reason: String,
    },
    /// A struct of Arrow's C interface is not what it should be, or cannot be made.
    #[error("Arrow C interface, {}: {violation}", place(field, "the array or schema itself"))]
    ArrowInterface {
        /// Names from the outermost field to the one that is wrong, with dots between; empty for the array itself.
        field: String,
        /// What is wrong.
        violation: crate::arrow::c::Violation,
    },
    /// A tensor of DLPack or the CUDA Array Interface is not what it should be, or cannot be made.
    #[error("{interface}, {field}: {fault}")]
    Tensor {
        /// Which of the two.
        interface: &'static str,
        /// The field that is wrong.
        field: String,
        /// What is wrong.
        fault: crate::TensorFault,
    },
    /// A feature that is not there.
    #[error("{feature} is not implemented")]
    NotImplemented {
        /// What is missing.
        feature: String,
    },
    /// Memory, a device or a stream failed.
    #[error(transparent)]
    Memory(#[from] columnade_buffers::Error),
    /// A kernel reported an error.
    #[error(transparent)]
    Kernel(columnade_kernels::Error),
    /// Where an error happened.
    #[error("{op}, column {column:?}: {source}")]
    Context {
        /// The operation.
        op: &'static str,
        /// The column's label, or the labels of the columns that met.
        column: String,
        /// The error.
        source: Box<Error>,
    },
}

/// A field by its name, or what is meant when it has none.
fn place(field: &str, nameless: &str) -> String {
    if field.is_empty() { nameless.to_owned() } else { format!("field {field:?}") }
}

fn available_text(available: &[Label]) -> String {
    match available {
        [] => "are no columns".to_owned(),
        [one] => format!("is {one:?}"),
        many => {
            format!("are {}", many.iter().map(|label| format!("{label:?}")).collect::<Vec<_>>().join(", "))
        }
    }
}

impl From<columnade_kernels::Error> for Error {
    fn from(error: columnade_kernels::Error) -> Self {
        match error {
            columnade_kernels::Error::Memory(memory) => Error::Memory(memory),
            other => Error::Kernel(other),
        }
    }
}

impl Error {
    /// This error as one of `op` in the column called `column`.
    #[must_use]
    pub fn in_column(self, op: &'static str, column: impl fmt::Display) -> Error {
        Error::Context { op, column: column.to_string(), source: Box::new(self) }
    }

    /// The family of the error, named as the exceptions of pandas.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Error::ColumnNotFound { .. } | Error::LevelNotFound { .. } => ErrorKind::Key,
            Error::DTypeMismatch { .. }
            | Error::UnsupportedDType { .. }
            | Error::UnsupportedLabel { .. }
            | Error::Tensor { fault: crate::TensorFault::DType { .. }, .. } => ErrorKind::Type,
            Error::IndexOutOfBounds { .. }
            | Error::PositionOutOfBounds { .. }
            | Error::RowsOutOfBounds { .. } => ErrorKind::Index,
            Error::ArrowInterface { violation: crate::arrow::c::Violation::Unsupported { .. }, .. } => {
                ErrorKind::NotImplemented
            }
            Error::LengthMismatch { .. }
            | Error::DuplicateLabel { .. }
            | Error::InvalidArgument { .. }
            | Error::Parse { .. }
            | Error::Arrow { .. }
            | Error::ArrowInterface { .. }
            | Error::Tensor { .. } => ErrorKind::Value,
            Error::Overflow { .. } => ErrorKind::Overflow,
            Error::NotImplemented { .. } => ErrorKind::NotImplemented,
            Error::Memory(_) => ErrorKind::Memory,
            Error::Kernel(kernel) => match kernel {
                columnade_kernels::Error::LengthMismatch { .. } => ErrorKind::Value,
                columnade_kernels::Error::UnsupportedStorage { .. } => ErrorKind::Type,
                columnade_kernels::Error::IndexOutOfBounds { .. } => ErrorKind::Index,
                columnade_kernels::Error::Overflow { .. } => ErrorKind::Overflow,
                columnade_kernels::Error::NotImplemented { .. } => ErrorKind::NotImplemented,
                _ => ErrorKind::Memory,
            },
            Error::Context { source, .. } => source.kind(),
        }
    }
}

impl RetryableError for Error {
    fn out_of_memory(&self) -> Option<usize> {
        match self {
            Error::Memory(memory) | Error::Kernel(columnade_kernels::Error::Memory(memory)) => {
                memory.out_of_memory()
            }
            Error::Context { source, .. } => source.out_of_memory(),
            _ => None,
        }
    }
}

/// The family of an error, named as the exceptions of pandas.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A label that is not there.
    Key,
    /// A dtype that does not fit.
    Type,
    /// A value that does not fit.
    Value,
    /// A position out of bounds.
    Index,
    /// A number too large for its dtype.
    Overflow,
    /// Memory or a device.
    Memory,
    /// A file.
    Io,
    /// Something that is not there yet.
    NotImplemented,
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ErrorKind::Key => "KeyError",
            ErrorKind::Type => "TypeError",
            ErrorKind::Value => "ValueError",
            ErrorKind::Index => "IndexError",
            ErrorKind::Overflow => "OverflowError",
            ErrorKind::Memory => "MemoryError",
            ErrorKind::Io => "OSError",
            ErrorKind::NotImplemented => "NotImplementedError",
        })
    }
}
