//! What can be wrong with tensors.

use crate::{DType, Error, Result};
use columnade_buffers::Device;

/// What is wrong with a tensor that comes in, or stands in the way of one that goes out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TensorFault {
    /// The tensor was moved out before.
    #[error("the tensor is gone: it was taken before")]
    Taken,
    /// A pointer is null that must not be.
    #[error("it is null")]
    Null,
    /// A version of the interface that is not supported.
    #[error("version {major}.{minor} cannot be read")]
    Version {
        /// What stands for the layout.
        major: i64,
        /// What stands for additions.
        minor: i64,
    },
    /// A number that is negative, too large, or does not go with another.
    #[error("{found}: {reason}")]
    Size {
        /// The number.
        found: i64,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// An address, or an offset from one, where no values of that size can be.
    #[error("{found} is outside of memory")]
    Address {
        /// The address or the offset.
        found: u64,
    },
    /// Memory that the device does not have, or that ends before the values do.
    #[error("{address:#x} begins {needed} bytes, of which {device} has {found}: {}", beyond(*found))]
    Unreadable {
        /// Where the values begin.
        address: usize,
        /// How many bytes they need.
        needed: usize,
        /// How many bytes the allocation has from there on; 0 if it is no device memory, or was freed.
        found: usize,
        /// The device.
        device: Device,
    },
    /// Another number of dimensions than can be read.
    #[error("{found} dimensions where at most {most} can be read")]
    Dimensions {
        /// How many there are.
        found: i64,
        /// How many there may be.
        most: i64,
    },
    /// Elements of a type without a dtype.
    #[error("no dtype has elements of the type {name}")]
    ElementType {
        /// The type, as the interface writes it.
        name: String,
    },
    /// A column of a dtype that the interface has no type for.
    #[error("there is no type for {dtype}; {remedy}")]
    DType {
        /// The dtype.
        dtype: DType,
        /// What can be done.
        remedy: &'static str,
    },
    /// A column with nulls.
    #[error(
        "{nulls} nulls, which there is no place for; fill them (fill_null) or drop them (drop_nulls) first"
    )]
    Nulls {
        /// How many.
        nulls: usize,
    },
    /// A frame without columns, which has no type.
    #[error("there are no columns")]
    NoColumns,
    /// A device that this build or machine cannot use, or that the memory cannot go to.
    #[error("memory of device type {device_type}, id {device_id}: {reason}")]
    Device {
        /// The kind of the device.
        device_type: i32,
        /// Which of its kind.
        device_id: i32,
        /// Why not.
        reason: String,
    },
    /// A stream that is invalid, or invalid on the device.
    #[error("{number}: {reason}")]
    Stream {
        /// The number.
        number: i64,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// Memory cannot be shared, and a copy was not allowed.
    #[error("sharing is not possible: {reason}")]
    NeedsCopy {
        /// Why not.
        reason: &'static str,
    },
}

fn beyond(found: usize) -> &'static str {
    match found {
        0 => "it is not in the device's memory",
        _ => "its allocation ends before",
    }
}

/// One of the two interfaces, for its errors.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Interface {
    name: &'static str,
    /// What is written before the names of fields.
    prefix: &'static str,
}

impl Interface {
    pub(crate) const fn new(name: &'static str) -> Self {
        Self { name, prefix: "" }
    }

    /// For the fields of what is within a field.
    pub(crate) const fn within(self, prefix: &'static str) -> Self {
        Self { prefix, ..self }
    }

    /// `fault` as an error of the field called `field`.
    pub(crate) fn error(self, field: impl AsRef<str>, fault: TensorFault) -> Error {
        let field = format!("{}{}", self.prefix, field.as_ref());
        Error::Tensor { interface: self.name, field, fault }
    }

    /// Like [`error`](Self::error), returned.
    pub(crate) fn fail<T>(self, field: impl AsRef<str>, fault: TensorFault) -> Result<T> {
        Err(self.error(field, fault))
    }
}

/// The fault of a dtype that an interface has no type for.
pub(crate) fn unsupported_dtype(dtype: DType) -> TensorFault {
    let remedy = match &dtype {
        DType::Date32
        | DType::Timestamp(_)
        | DType::TimestampTz(..)
        | DType::Duration(_)
        | DType::Time(_) => "reinterpret it as its integers first",
        DType::Decimal { .. } => "cast it to float64 first",
        DType::Dictionary(_) => "export its codes, or cast it to its values first",
        DType::Interval(_) | DType::Struct(_) => "export its parts one by one",
        DType::Bool
        | DType::Int8
        | DType::Int16
        | DType::Int32
        | DType::Int64
        | DType::UInt8
        | DType::UInt16
        | DType::UInt32
        | DType::UInt64
        | DType::Float32
        | DType::Float64
        | DType::Utf8
        | DType::Binary
        | DType::List(_)
        | DType::Null => "use one of Arrow's interfaces",
    };
    TensorFault::DType { dtype, remedy }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The position of each variant: one without an arm does not compile.
    fn position(fault: &TensorFault) -> usize {
        match fault {
            TensorFault::Taken => 0,
            TensorFault::Null => 1,
            TensorFault::Version { .. } => 2,
            TensorFault::Size { .. } => 3,
            TensorFault::Address { .. } => 4,
            TensorFault::Unreadable { .. } => 5,
            TensorFault::Dimensions { .. } => 6,
            TensorFault::ElementType { .. } => 7,
            TensorFault::DType { .. } => 8,
            TensorFault::Nulls { .. } => 9,
            TensorFault::NoColumns => 10,
            TensorFault::Device { .. } => 11,
            TensorFault::Stream { .. } => 12,
            TensorFault::NeedsCopy { .. } => 13,
        }
    }

    #[test]
    fn every_fault_says_what_is_wrong_once() {
        let cases = [
            (TensorFault::Taken, "the tensor is gone: it was taken before"),
            (TensorFault::Null, "it is null"),
            (TensorFault::Version { major: 3, minor: 1 }, "version 3.1 cannot be read"),
            (TensorFault::Size { found: -1, reason: "it is negative" }, "-1: it is negative"),
            (TensorFault::Address { found: 8 }, "8 is outside of memory"),
            (
                TensorFault::Unreadable { address: 0x10, needed: 8, found: 0, device: Device::Sim },
                "0x10 begins 8 bytes, of which sim has 0: it is not in the device's memory",
            ),
            (TensorFault::Dimensions { found: 3, most: 2 }, "3 dimensions where at most 2 can be read"),
            (TensorFault::ElementType { name: "<c8".to_owned() }, "no dtype has elements of the type <c8"),
            (
                unsupported_dtype(DType::Date32),
                "there is no type for date32; reinterpret it as its integers first",
            ),
            (
                TensorFault::Nulls { nulls: 2 },
                "2 nulls, which there is no place for; fill them (fill_null) or drop them (drop_nulls) first",
            ),
            (TensorFault::NoColumns, "there are no columns"),
            (
                TensorFault::Device { device_type: 7, device_id: 0, reason: "it is unknown".to_owned() },
                "memory of device type 7, id 0: it is unknown",
            ),
            (TensorFault::Stream { number: 3, reason: "the host has none" }, "3: the host has none"),
            (TensorFault::NeedsCopy { reason: "there are gaps" }, "sharing is not possible: there are gaps"),
        ];
        let positions: Vec<usize> = cases.iter().map(|(fault, _)| position(fault)).collect();
        assert_eq!(positions, (0..14).collect::<Vec<_>>());
        for (fault, text) in cases {
            assert_eq!(fault.to_string(), text);
            let error = Interface::new("DLPack").within("mask.").error("stream", fault);
            assert_eq!(error.to_string(), format!("DLPack, mask.stream: {text}"));
        }
        for (dtype, remedy) in [
            (DType::decimal_of(5, 2), "cast it to float64 first"),
            (DType::dictionary(DType::Utf8), "export its codes, or cast it to its values first"),
            (DType::structure([("x", DType::Int8)]), "export its parts one by one"),
            (DType::Utf8, "use one of Arrow's interfaces"),
        ] {
            let text = format!("there is no type for {dtype}; {remedy}");
            assert_eq!(unsupported_dtype(dtype).to_string(), text);
        }
    }
}
