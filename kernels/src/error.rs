//! What a kernel can report.

use crate::Storage;

/// The result of a kernel.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error of a kernel; the layers above add column and dtype.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Memory, a device or a stream failed.
    #[error(transparent)]
    Memory(#[from] columnade_buffers::Error),
    /// Two inputs of one operation have different numbers of rows.
    #[error("{op}: inputs have {left} and {right} rows")]
    LengthMismatch {
        /// The operation.
        op: &'static str,
        /// Rows of the first input.
        left: usize,
        /// Rows of the other input.
        right: usize,
    },
    /// Inputs of one operation that must be of one type are of several.
    #[error("{op}: inputs have different storage types")]
    TypeMismatch {
        /// The operation.
        op: &'static str,
    },
    /// The operation does not take this storage type.
    #[error("{op} does not take {storage} values")]
    UnsupportedStorage {
        /// The operation.
        op: &'static str,
        /// The storage type it was given.
        storage: Storage,
    },
    /// A row index lies outside its source.
    #[error("{op}: row {index} is out of bounds for {rows} rows")]
    IndexOutOfBounds {
        /// The operation.
        op: &'static str,
        /// The index found.
        index: u64,
        /// Rows of the source.
        rows: usize,
    },
    /// A value does not fit its result type.
    #[error("{op}: a value overflows {storage}")]
    Overflow {
        /// The operation.
        op: &'static str,
        /// The storage type of the result.
        storage: Storage,
    },
    /// A feature that is not there.
    #[error("{op}: {feature} is not implemented")]
    NotImplemented {
        /// The operation.
        op: &'static str,
        /// What is missing.
        feature: &'static str,
    },
}

impl Error {
    /// The operation that it is an error of, for whoever is called by another name; memory has none.
    pub fn op_mut(&mut self) -> Option<&mut &'static str> {
        match self {
            Error::Memory(_) => None,
            Error::LengthMismatch { op, .. }
            | Error::TypeMismatch { op }
            | Error::UnsupportedStorage { op, .. }
            | Error::IndexOutOfBounds { op, .. }
            | Error::Overflow { op, .. }
            | Error::NotImplemented { op, .. } => Some(op),
        }
    }
}
