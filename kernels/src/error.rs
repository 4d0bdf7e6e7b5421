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
    /// A local time is that of no instant of its time zone, or of two.
    #[error("the local time {local} is that of {}", if *is_ambiguous { "two instants" } else { "no instant" })]
    NoInstant {
        /// The local time, in its unit since 1970-01-01 00:00.
        local: i64,
        /// Whether there are two.
        is_ambiguous: bool,
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The position of each variant: one without an arm does not compile.
    fn position(error: &Error) -> usize {
        match error {
            Error::Memory(_) => 0,
            Error::LengthMismatch { .. } => 1,
            Error::TypeMismatch => 2,
            Error::UnsupportedStorage { .. } => 3,
            Error::UnsupportedStrings => 4,
            Error::IndexOutOfBounds { .. } => 5,
            Error::Overflow { .. } => 6,
            Error::StepOverflow { .. } => 7,
            Error::RequestOverflow { .. } => 8,
            Error::InvalidArgument { .. } => 9,
            Error::Internal { .. } => 10,
            Error::NotImplemented { .. } => 11,
            Error::NoInstant { .. } => 12,
        }
    }

    #[test]
    fn every_error_says_what_is_wrong_once() {
        let storage = Storage::I64;
        let memory = columnade_buffers::Error::NotImplemented { feature: "peer copies" };
        let cases = [
            (Error::Memory(memory), "peer copies is not implemented"),
            (Error::LengthMismatch { left: 1, right: 2 }, "inputs have 1 and 2 rows"),
            (Error::TypeMismatch, "inputs have different storage types"),
            (Error::UnsupportedStorage { storage }, "i64 values are not supported"),
            (Error::UnsupportedStrings, "strings are not supported"),
            (Error::IndexOutOfBounds { index: 7, rows: 3 }, "row 7 is out of bounds for 3 rows"),
            (Error::Overflow { storage }, "a value overflows i64"),
            (Error::StepOverflow { step: 1, storage }, "a value of step 1 overflows i64"),
            (Error::RequestOverflow { request: 1, storage }, "the result of request 1 overflows i64"),
            (Error::InvalidArgument { name: "n", reason: "it is negative" }, "n: it is negative"),
            (
                Error::Internal { invariant: "each row has a group" },
                "internal error: each row has a group does not hold; this is a bug in Columnade, please report it at \
                 the project's issue tracker",
            ),
            (Error::NotImplemented { feature: "more than 16 keys" }, "more than 16 keys is not implemented"),
            (Error::NoInstant { local: 7, is_ambiguous: true }, "the local time 7 is that of two instants"),
        ];
        let positions: Vec<usize> = cases.iter().map(|(error, _)| position(error)).collect();
        assert_eq!(positions, (0..13).collect::<Vec<_>>());
        for (error, text) in cases {
            assert_eq!(error.to_string(), text);
        }
    }
}
