//! The types of elements and the dtypes of columns.

use super::DLPACK;
use super::abi::DLDataType;
use crate::tensor::{Elements, TensorFault, stored_as, unsupported_dtype};
use crate::{DType, Result};

/// Bits of a byte.
const BYTE: u8 = 8;

/// The type of the elements that a column of `dtype` has.
pub(super) fn type_of(dtype: &DType) -> Result<DLDataType> {
    let code = match dtype {
        DType::Bool => DLDataType::CODE_BOOL,
        DType::Float32 | DType::Float64 => DLDataType::CODE_FLOAT,
        DType::Int8 | DType::Int16 | DType::Int32 | DType::Int64 => DLDataType::CODE_INT,
        DType::UInt8 | DType::UInt16 | DType::UInt32 | DType::UInt64 => DLDataType::CODE_UINT,
        other @ (DType::Utf8
        | DType::Date32
        | DType::Decimal { .. }
        | DType::Binary
        | DType::TimestampTz(..)
        | DType::Time(_)
        | DType::Dictionary(_)
        | DType::Interval(_)
        | DType::List(_)
        | DType::Struct(_)
        | DType::Null
        | DType::Timestamp(_)
        | DType::Duration(_)) => return DLPACK.fail("dtype", unsupported_dtype(other.clone())),
    };
    let bits = u8::try_from(stored_as(dtype).bits()).unwrap_or(BYTE);
    Ok(DLDataType { code, bits, lanes: 1 })
}

/// The dtype of such elements; each lane is one element.
pub(super) fn elements_of(element: DLDataType) -> Result<Elements> {
    let DLDataType { code, bits, lanes } = element;
    let elements = match (code, bits) {
        (DLDataType::CODE_FLOAT, 16) => Elements::HALVES,
        (DLDataType::CODE_INT, 8) => Elements::of(DType::Int8),
        (DLDataType::CODE_INT, 16) => Elements::of(DType::Int16),
        (DLDataType::CODE_INT, 32) => Elements::of(DType::Int32),
        (DLDataType::CODE_INT, 64) => Elements::of(DType::Int64),
        (DLDataType::CODE_UINT, 8) => Elements::of(DType::UInt8),
        (DLDataType::CODE_UINT, 16) => Elements::of(DType::UInt16),
        (DLDataType::CODE_UINT, 32) => Elements::of(DType::UInt32),
        (DLDataType::CODE_UINT, 64) => Elements::of(DType::UInt64),
        (DLDataType::CODE_FLOAT, 32) => Elements::of(DType::Float32),
        (DLDataType::CODE_FLOAT, 64) => Elements::of(DType::Float64),
        (DLDataType::CODE_BOOL, BYTE) => Elements::of(DType::Bool),
        _ => return DLPACK.fail("dtype", TensorFault::ElementType { name: name_of(element) }),
    };
    if lanes == 0 {
        let reason = "an element has at least one lane";
        return DLPACK.fail("dtype.lanes", TensorFault::Size { found: 0, reason });
    }
    Ok(elements)
}

/// The type's name.
fn name_of(DLDataType { code, bits, lanes }: DLDataType) -> String {
    let codes = ["int", "uint", "float", "opaque", "bfloat", "complex", "bool"];
    let lanes = if lanes == 1 { String::new() } else { format!("x{lanes}") };
    match codes.get(usize::from(code)) {
        Some(name) => format!("{name}{bits}{lanes}"),
        None => format!("code {code} of {bits} bits{lanes}"),
    }
}
