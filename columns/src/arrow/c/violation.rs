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
    #[error("{found} {what}, not {expected}")]
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
    #[error("a code is outside the dictionary, which has {values} values")]
    Code {
        /// The size of the dictionary.
        values: usize,
    },
    /// An invalid format string.
    #[error("the format {format:?} is not one of Arrow's")]
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The position of each variant: one without an arm does not compile.
    fn position(violation: &Violation) -> usize {
        match violation {
            Violation::Released { .. } => 0,
            Violation::Null { .. } => 1,
            Violation::Count { .. } => 2,
            Violation::Size { .. } => 3,
            Violation::Offset { .. } => 4,
            Violation::Utf8 { .. } => 5,
            Violation::Code { .. } => 6,
            Violation::Format { .. } => 7,
            Violation::Unsupported { .. } => 8,
            Violation::TooMany { .. } => 9,
            Violation::Device { .. } => 10,
            Violation::NeedsCopy { .. } => 11,
            Violation::Producer { .. } => 12,
            Violation::Inexpressible { .. } => 13,
        }
    }

    #[test]
    fn every_violation_says_what_is_wrong_once() {
        let cases = [
            (Violation::Released { what: "array" }, "the array is released"),
            (Violation::Null { what: "format" }, "the format is null"),
            (Violation::Count { what: "buffers", expected: 2, found: 3 }, "3 buffers, not 2"),
            (
                Violation::Size { what: "null count", found: -5, reason: "it is negative" },
                "null count of -5: it is negative",
            ),
            (
                Violation::Offset { row: 7, found: -1, reason: "which is negative" },
                "offset -1 at row 7, which is negative",
            ),
            (Violation::Utf8 { what: "row 3".to_owned() }, "row 3 is not UTF-8"),
            (Violation::Code { values: 2 }, "a code is outside the dictionary, which has 2 values"),
            (Violation::Format { format: "q".to_owned() }, "the format \"q\" is not one of Arrow's"),
            (
                Violation::Unsupported { format: "+m".to_owned(), name: "map".to_owned() },
                "columns of the format \"+m\" (map) are not implemented",
            ),
            (Violation::TooMany { what: "children", limit: 9 }, "more than 9 children"),
            (
                Violation::Device {
                    device_type: 8,
                    device_id: 1,
                    reason: "there is no such device".to_owned(),
                },
                "memory of device type 8, id 1: there is no such device",
            ),
            (
                Violation::NeedsCopy { reason: "values are moved" },
                "sharing is not possible: values are moved",
            ),
            (
                Violation::Producer { code: 22, message: "no rows".to_owned() },
                "the producer failed with code 22: no rows",
            ),
            (Violation::Inexpressible { reason: "labels have levels".to_owned() }, "labels have levels"),
        ];
        let positions: Vec<usize> = cases.iter().map(|(violation, _)| position(violation)).collect();
        assert_eq!(positions, (0..14).collect::<Vec<_>>());
        for (violation, text) in cases {
            assert_eq!(violation.to_string(), text);
            let error = crate::Error::ArrowInterface { field: "a.b".to_owned(), violation };
            assert_eq!(error.to_string(), format!("Arrow C interface, field \"a.b\": {text}"));
        }
    }
}
