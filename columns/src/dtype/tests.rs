//! The dtype table.

use super::{DType, DecimalStorage, DictionaryType, TimeUnit};
use columnade_kernels::Storage;

#[test]
fn dtypes_have_names_and_storage() {
    let stored = |precision, scale, storage| DType::decimal_stored(precision, scale, storage).unwrap();
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
        (DType::Time(TimeUnit::Second), "time32[s]", Some(Storage::I32)),
        (DType::Time(TimeUnit::Milli), "time32[ms]", Some(Storage::I32)),
        (DType::Time(TimeUnit::Micro), "time64[us]", Some(Storage::I64)),
        (DType::Time(TimeUnit::Nano), "time64[ns]", Some(Storage::I64)),
        (DType::decimal(15, 2).unwrap(), "decimal(15,2)", Some(Storage::I64)),
        (stored(9, 2, DecimalStorage::Bits32), "decimal32(9,2)", Some(Storage::I32)),
        (stored(9, 2, DecimalStorage::Bits64), "decimal(9,2)", Some(Storage::I64)),
        (stored(9, 2, DecimalStorage::Bits128), "decimal128(9,2)", Some(Storage::I128)),
        (DType::decimal(18, 0).unwrap(), "decimal(18,0)", Some(Storage::I64)),
        (DType::decimal(19, -2).unwrap(), "decimal(19,-2)", Some(Storage::I128)),
        (DType::decimal(38, 38).unwrap(), "decimal(38,38)", Some(Storage::I128)),
        (DType::dictionary(DType::Utf8), "dictionary<int32, utf8>", Some(Storage::I32)),
        (small, "dictionary<int8, date32>", Some(Storage::I8)),
    ] {
        assert_eq!(dtype.to_string(), name);
        assert_eq!(dtype.storage(), storage, "{name}");
    }
}

#[test]
fn decimals_out_of_range_are_refused() {
    let storage = DecimalStorage::Bits64;
    assert_eq!(DType::decimal(15, 2), Ok(DType::Decimal { precision: 15, scale: 2, storage }));
    for (precision, scale) in [(0, 0), (39, 0), (10, 39), (10, -39)] {
        assert!(DType::decimal(precision, scale).is_err(), "decimal({precision},{scale})");
    }
    for storage in DecimalStorage::ALL {
        let most = storage.max_precision();
        assert!(DType::decimal_stored(most, 0, storage).is_ok());
        let refused = DType::decimal_stored(most + 1, 0, storage).unwrap_err().to_string();
        assert!(refused.contains(&format!("between 1 and {most}")), "{refused}");
        // The largest number of so many digits is one of the integers, and a digit more is too much.
        let integers = 2_u128.pow(u32::try_from(storage.storage().bits()).unwrap() - 1);
        assert!(10_u128.pow(most.into()) <= integers && integers / 10 < 10_u128.pow(most.into()));
    }
}

#[test]
fn integers_have_minimal_decimal_dtype() {
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
        let Some(DType::Decimal { precision, scale: 0, .. }) = dtype.as_decimal() else {
            panic!("{dtype} has a decimal");
        };
        assert_eq!(usize::from(precision), digits, "{dtype}");
    }
    assert_eq!(DType::Float64.as_decimal(), None);
}

#[test]
fn dtype_names_parse_back() {
    for dtype in crate::test_dtypes::dtypes() {
        assert_eq!(dtype.to_string().parse(), Ok(dtype.clone()), "{dtype}");
        assert_eq!(dtype.validate(), Ok(()));
    }
    for (text, name) in [
        (
            " list < struct<\"a, \\\"b\\\"\" : int8 , c:utf8> > ",
            "list<struct<\"a, \\\"b\\\"\": int8, c: utf8>>",
        ),
        ("timestamp[ns,+02:00]", "timestamp[ns, +02:00]"),
        ("decimal64(9,2)", "decimal(9,2)"),
        ("decimal128( 20, -2 )", "decimal(20,-2)"),
        ("dictionary<int64, utf8>", "dictionary<int64, utf8>"),
        ("dictionary<int8,utf8,ordered>", "dictionary<int8, utf8, ordered>"),
        ("struct<é: null>", "struct<\"é\": null>"),
    ] {
        match text.parse::<DType>() {
            Ok(dtype) => assert_eq!(dtype.to_string(), name),
            // A name that is no word must be in quotes.
            Err(error) => assert!(text.contains('é'), "{error}"),
        }
    }
    let deep = format!("{}int8{}", "list<".repeat(100), ">".repeat(100));
    for text in [
        "",
        "int",
        "int8 int8",
        "list<int8",
        "list<>",
        "struct<a>",
        "struct<a: int8,>",
        "timestamp[us",
        "timestamp[h]",
        "timestamp[us, a b]",
        "decimal(39,2)",
        "decimal32(10,2)",
        "decimal64(19,2)",
        "decimal16(3,2)",
        "decimal(5)",
        "dictionary<uint8, utf8>",
        "interval<int8, open>",
        "struct<\"a: int8>",
        "dictionary<int8, utf8, sorted>",
        "listé",
        deep.as_str(),
    ] {
        let refused = text.parse::<DType>().unwrap_err();
        assert!(matches!(refused, crate::Error::InvalidArgument { .. }), "{text}");
    }
}

#[test]
fn dtype_size_stays_small() {
    assert!(size_of::<DType>() <= 24);
    assert!(size_of::<crate::Scalar>() <= 48);
}
