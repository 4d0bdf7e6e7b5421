//! The types of elements as NumPy writes them.

use super::{CUDA_ARRAY, MASK};
use crate::tensor::{Elements, Interface, TensorFault, stored_as, unsupported_dtype};
use crate::{DType, Result, TimeUnit};

/// The type of the elements that a column of `dtype` has.
pub(super) fn typestr_of(dtype: &DType) -> Result<String> {
    let (kind, unit) = match dtype {
        DType::Bool => return Ok("|b1".to_owned()),
        DType::Timestamp(unit) => ('M', Some(unit)),
        DType::Duration(unit) => ('m', Some(unit)),
        DType::Float32 | DType::Float64 => ('f', None),
        DType::Int8 | DType::Int16 | DType::Int32 | DType::Int64 => ('i', None),
        DType::UInt8 | DType::UInt16 | DType::UInt32 | DType::UInt64 => ('u', None),
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
        | DType::Null) => return CUDA_ARRAY.fail("typestr", unsupported_dtype(other.clone())),
    };
    let width = stored_as(dtype).bytes(1);
    let order = if width == 1 { '|' } else { NATIVE };
    let unit = unit.map_or_else(String::new, |unit| format!("[{unit}]"));
    Ok(format!("{order}{kind}{width}{unit}"))
}

/// The mark of the byte order of this machine.
const NATIVE: char = if cfg!(target_endian = "little") { '<' } else { '>' };

/// What elements of a type are here.
pub(super) fn elements_of(typestr: &str) -> Result<Elements> {
    if typestr.strip_prefix([NATIVE, '=']) == Some("f2") {
        return Ok(Elements::HALVES);
    }
    parse(typestr).map(Elements::of).ok_or_else(|| unknown(CUDA_ARRAY, "typestr", typestr))
}

/// The error of a type that is no dtype here.
pub(super) fn unknown(interface: Interface, field: &str, typestr: &str) -> crate::Error {
    interface.error(field, TensorFault::ElementType { name: format!("{typestr:?}") })
}

fn parse(typestr: &str) -> Option<DType> {
    let mut chars = typestr.chars();
    let (order, kind, rest) = (chars.next()?, chars.next()?, chars.as_str());
    let is_native = order == NATIVE || order == '=';
    let is_byte = rest == "1" && matches!(order, '|' | '<' | '>' | '=');
    if !(is_native || is_byte) {
        return None;
    }
    let dtypes = |named: fn(TimeUnit) -> DType| {
        let unit =
            TimeUnit::ALL.into_iter().find(|unit| rest.strip_prefix("8") == Some(&format!("[{unit}]")));
        unit.map(named)
    };
    match kind {
        'b' => (rest == "1").then_some(DType::Bool),
        'M' => dtypes(DType::Timestamp),
        'm' => dtypes(DType::Duration),
        _ => DType::NUMERIC.into_iter().find(|dtype| {
            let is_kind = match kind {
                'i' => dtype.is_signed_integer(),
                'u' => dtype.is_unsigned_integer(),
                'f' => dtype.is_float(),
                _ => false,
            };
            is_kind && rest.parse() == Ok(stored_as(dtype).bytes(1))
        }),
    }
}

/// The dtype of the elements of a mask: `None` for bits.
pub(super) fn mask_dtype_of(typestr: &str) -> Result<Option<DType>> {
    if matches!(typestr, "|t1" | "<t1" | "=t1") {
        return Ok(None);
    }
    let dtype = parse(typestr).filter(|dtype| *dtype == DType::Bool || dtype.is_numeric());
    dtype.map(Some).ok_or_else(|| unknown(MASK, "typestr", typestr))
}
