//! The dtype table.

use super::{DType, DictionaryType, TimeUnit};
use columnade_kernels::Storage;

#[test]
fn names_and_storage() {
    let small = DType::Dictionary(Box::new(DictionaryType {
        codes: Storage::I8,
        values: DType::Date32,
        ordered: false,
    }));
    for (dtype, name, storage) in [
        (DType::Bool, "bool", Some(Storage::Bit)),
        (DType::Int8, "int8", Some(Storage::I8)),
        (DType::Int16, "int16", Some(Storage::I16)),
        (DType::Int32, "int32", Some(Storage::I32)),
        (DType::Int64, "int64", Some(Storage::I64)),
        (DType::UInt8, "uint8", Some(Storage::U8)),
        (DType::UInt16, "uint16", Some(Storage::U16)),
        (DType::UInt32, "uint32", Some(Storage::U32)),
        (DType::UInt64, "uint64", Some(Storage::U64)),
        (DType::Float32, "float32", Some(Storage::F32)),
        (DType::Float64, "float64", Some(Storage::F64)),
        (DType::Utf8, "utf8", None),
        (DType::Date32, "date32", Some(Storage::I32)),
        (DType::Timestamp(TimeUnit::Second), "timestamp[s]", Some(Storage::I64)),
        (DType::Timestamp(TimeUnit::Milli), "timestamp[ms]", Some(Storage::I64)),
        (DType::Timestamp(TimeUnit::Micro), "timestamp[us]", Some(Storage::I64)),
        (DType::Timestamp(TimeUnit::Nano), "timestamp[ns]", Some(Storage::I64)),
        (DType::Decimal { precision: 15, scale: 2 }, "decimal(15,2)", Some(Storage::I64)),
        (DType::Decimal { precision: 18, scale: 0 }, "decimal(18,0)", Some(Storage::I64)),
        (DType::Decimal { precision: 19, scale: -2 }, "decimal(19,-2)", Some(Storage::I128)),
        (DType::Decimal { precision: 38, scale: 38 }, "decimal(38,38)", Some(Storage::I128)),
        (DType::dictionary(DType::Utf8), "dictionary<int32, utf8>", Some(Storage::I32)),
        (small, "dictionary<int8, date32>", Some(Storage::I8)),
    ] {
        assert_eq!(dtype.to_string(), name);
        assert_eq!(dtype.storage(), storage, "{name}");
    }
}

#[test]
fn decimals_out_of_range_are_refused() {
    assert_eq!(DType::decimal(15, 2), Ok(DType::Decimal { precision: 15, scale: 2 }));
    for (precision, scale) in [(0, 0), (39, 0), (10, 39), (10, -39)] {
        assert!(DType::decimal(precision, scale).is_err(), "decimal({precision},{scale})");
    }
}

#[test]
fn least_decimals_of_integers() {
    for (dtype, max) in [
        (DType::Int8, i128::from(i8::MIN).abs()),
        (DType::UInt8, i128::from(u8::MAX)),
        (DType::Int16, i128::from(i16::MIN).abs()),
        (DType::UInt16, i128::from(u16::MAX)),
        (DType::Int32, i128::from(i32::MIN).abs()),
        (DType::UInt32, i128::from(u32::MAX)),
        (DType::Int64, i128::from(i64::MIN).abs()),
        (DType::UInt64, i128::from(u64::MAX)),
    ] {
        let digits = max.to_string().len();
        let Some(DType::Decimal { precision, scale: 0 }) = dtype.as_decimal() else {
            panic!("{dtype} has a decimal");
        };
        assert_eq!(usize::from(precision), digits, "{dtype}");
    }
    assert_eq!(DType::Float64.as_decimal(), None);
}
