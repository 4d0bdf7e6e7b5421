//! What can be wrong with a struct of the interface.

use super::abi::ArrowDeviceType;

/// What is wrong with a struct that came through Arrow's C interface, or stands in the way of one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Violation {
    /// The struct was released or moved out.
    #[error("the {what} is released")]
    Released {
        /// Which struct.
        what: &'static str,
    },
    /// A pointer is null that must not be.
    #[error("the {what} is null")]
    Null {
        /// What it should point to.
        what: &'static str,
    },
    /// Another number of buffers, children or dictionaries than the type has.
    #[error("{found} {what} where the type has {expected}")]
    Count {
        /// What is counted.
        what: &'static str,
        /// How many the type has.
        expected: i64,
        /// How many there are.
        found: i64,
    },
    /// A length, an offset or a null count that is negative or larger than any memory, or that does not go with
    /// another.
    #[error("{what} of {found}: {reason}")]
    Size {
        /// Whose size.
        what: &'static str,
        /// The number.
        found: i64,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// Offsets that are negative, descend, or end beyond what they point into.
    #[error("offset {found} at row {row}, {reason}")]
    Offset {
        /// The row, counted from the start of the buffer.
        row: usize,
        /// The offset there.
        found: i64,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// A string that is not UTF-8.
    #[error("{what} is not UTF-8")]
    Utf8 {
        /// Which string.
        what: String,
    },
    /// A code that is no row of its dictionary.
    #[error("a code is no row of the dictionary of {values} values")]
    Code {
        /// The size of the dictionary.
        values: usize,
    },
    /// An invalid format string.
    #[error("the format {format:?} means nothing")]
    Format {
        /// The format string.
        format: String,
    },
    /// A format without a dtype.
    #[error("columns of the format {format:?} ({name}) are not implemented")]
    Unsupported {
        /// The format string.
        format: String,
        /// Arrow's name for it.
        name: String,
    },
    /// More levels or fields than any real schema has.
    #[error("more than {limit} {what}")]
    TooMany {
        /// What there is too much of.
        what: &'static str,
        /// The most there may be.
        limit: usize,
    },
    /// A device that this build or machine cannot use.
    #[error("memory of device type {device_type}, id {device_id}: {reason}")]
    Device {
        /// The kind of the device.
        device_type: ArrowDeviceType,
        /// Which of its kind.
        device_id: i64,
        /// Why not.
        reason: String,
    },
    /// Memory cannot be shared, and a copy was not allowed.
    #[error("sharing is not possible: {reason}")]
    NeedsCopy {
        /// Why not.
        reason: &'static str,
    },
    /// A producer's callback failed.
    #[error("the producer failed with code {code}: {message}")]
    Producer {
        /// An errno value.
        code: i32,
        /// What the producer states.
        message: String,
    },
    /// Something that the interface has no place for.
    #[error("{reason}")]
    Inexpressible {
        /// What.
        reason: String,
    },
}
