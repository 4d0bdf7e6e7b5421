//! Errors of kernels.

use crate::Storage;

/// The result of a kernel.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error of a kernel. The layers above add the column and the method that was called.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Memory, a device or a stream failed.
    #[error(transparent)]
    Memory(#[from] columnade_buffers::Error),
    /// Two inputs of one operation have different numbers of rows.
    #[error("inputs have {left} and {right} rows")]
    LengthMismatch {
        /// Rows of the first input.
        left: usize,
        /// Rows of the other input.
        right: usize,
    },
    /// Inputs of one operation that must have one type have several.
    #[error("inputs have different storage types")]
    TypeMismatch,
    /// The storage type is not supported.
    #[error("{storage} values are not supported")]
    UnsupportedStorage {
        /// The storage type of the input.
        storage: Storage,
    },
    /// The operation does not take strings.
    #[error("strings are not supported")]
    UnsupportedStrings,
    /// A row index lies outside its source.
    #[error("row {index} is out of bounds for {rows} rows")]
    IndexOutOfBounds {
        /// The index.
        index: u64,
        /// Rows of the source.
        rows: usize,
    },
    /// A value does not fit in the result type.
    #[error("a value overflows {storage}")]
    Overflow {
        /// The storage type of the result.
        storage: Storage,
    },
    /// A value of a step of an expression's program does not fit its result type.
    #[error("a value of step {step} overflows {storage}")]
    StepOverflow {
        /// The step, by its place in [`Program::steps`](crate::expression::Program::steps).
        step: usize,
        /// The storage type of its result.
        storage: Storage,
    },
    /// A result of an aggregation does not fit its type.
    #[error("the result of request {request} overflows {storage}")]
    RequestOverflow {
        /// The aggregation, by its place among those requested.
        request: usize,
        /// The storage type of the sum.
        storage: Storage,
    },
    /// An argument is invalid.
    #[error("{name}: {reason}")]
    InvalidArgument {
        /// The argument.
        name: &'static str,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// An invariant of this library is broken.
    #[error(
        "internal error: {invariant} does not hold; this is a bug in Columnade, please report it at the project's \
         issue tracker"
    )]
    Internal {
        /// The invariant.
        invariant: &'static str,
    },
    /// A feature that is not implemented.
    #[error("{feature} is not implemented")]
    NotImplemented {
        /// The feature.
        feature: &'static str,
    },
}

impl Error {
    /// An overflow as that of a requested aggregation.
    pub(crate) fn of_request(self, request: usize) -> Self {
        match self {
            Error::Overflow { storage } => Error::RequestOverflow { request, storage },
            other => other,
        }
    }
}
