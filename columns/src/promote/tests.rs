//! Result dtypes, pair by pair.

use super::{Arithmetic, arithmetic, common, mean, sum};
use crate::{DType, Error, TimeUnit, TimeZone};

/// The `result_type` of `NumPy` of every pair of numbers and bool, in the order of `ORDER`.
const ORDER: [&str; 11] = ["?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f4", "f8"];
const NUMPY: [[&str; 11]; 11] = [
    ["?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f4", "f8"],
    ["i1", "i1", "i2", "i4", "i8", "i2", "i4", "i8", "f8", "f4", "f8"],
    ["i2", "i2", "i2", "i4", "i8", "i2", "i4", "i8", "f8", "f4", "f8"],
    ["i4", "i4", "i4", "i4", "i8", "i4", "i4", "i8", "f8", "f8", "f8"],
    ["i8", "i8", "i8", "i8", "i8", "i8", "i8", "i8", "f8", "f8", "f8"],
    ["u1", "i2", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f4", "f8"],
    ["u2", "i4", "i4", "i4", "i8", "u2", "u2", "u4", "u8", "f4", "f8"],
    ["u4", "i8", "i8", "i8", "i8", "u4", "u4", "u4", "u8", "f8", "f8"],
    ["u8", "f8", "f8", "f8", "f8", "u8", "u8", "u8", "u8", "f8", "f8"],
    ["f4", "f4", "f4", "f8", "f8", "f4", "f4", "f8", "f8", "f4", "f8"],
    ["f8", "f8", "f8", "f8", "f8", "f8", "f8", "f8", "f8", "f8", "f8"],
];

fn dtype(code: &str) -> DType {
    match code {
        "?" => DType::Bool,
        "i1" => DType::Int8,
        "i2" => DType::Int16,
        "i4" => DType::Int32,
        "i8" => DType::Int64,
        "u1" => DType::UInt8,
        "u2" => DType::UInt16,
        "u4" => DType::UInt32,
        "u8" => DType::UInt64,
        "f4" => DType::Float32,
        _ => DType::Float64,
    }
}

fn decimal(precision: u8, scale: i8) -> DType {
    DType::decimal(precision, scale).unwrap()
}

#[test]
fn numbers_promote_like_numpy() {
    for (left, row) in ORDER.iter().zip(&NUMPY) {
        for (right, expected) in ORDER.iter().zip(row) {
            let got = common(&dtype(left), &dtype(right));
            assert_eq!(got, Ok(dtype(expected)), "{left} {right}");
        }
    }
}

#[test]
fn machine_number_arithmetic_dtypes() {
    for (left, row) in ORDER.iter().zip(&NUMPY) {
        for (right, expected) in ORDER.iter().zip(row) {
            for op in Arithmetic::ALL {
                let got = arithmetic(op, &dtype(left), &dtype(right));
                if (*left, *right) == ("?", "?") {
                    // NumPy has a conjunction and a disjunction here.
                    let of_ints = if op == Arithmetic::Divide { DType::Float64 } else { DType::Int64 };
                    assert_eq!(got, Ok(of_ints));
                } else if op == Arithmetic::Divide && dtype(expected).is_integer() {
                    assert_eq!(got, Ok(DType::Float64), "{left} / {right}");
                } else {
                    assert_eq!(got, Ok(dtype(expected)), "{left} {op} {right}");
                }
            }
        }
    }
}

#[test]
fn temporal_dtypes_promote_to_finer_unit() {
    for (i, a) in TimeUnit::ALL.into_iter().enumerate() {
        assert_eq!(common(&DType::Date32, &DType::Timestamp(a)), Ok(DType::Timestamp(a)));
        for (k, b) in TimeUnit::ALL.into_iter().enumerate() {
            let finer = TimeUnit::ALL[i.max(k)];
            let got = common(&DType::Timestamp(a), &DType::Timestamp(b));
            assert_eq!(got, Ok(DType::Timestamp(finer)));
            assert_eq!(common(&DType::Time(a), &DType::Time(b)), Ok(DType::Time(finer)));
            for other in [DType::Timestamp(b), DType::Duration(b), DType::Date32] {
                assert!(common(&DType::Time(a), &other).is_err(), "{other}");
            }
        }
    }
}

#[test]
fn strings_and_temporals_do_not_promote_with_numbers() {
    let others = [
        DType::Utf8,
        DType::Date32,
        DType::Timestamp(TimeUnit::Micro),
        DType::Time(TimeUnit::Milli),
        DType::dictionary(DType::Utf8),
    ];
    let numbers = DType::NUMERIC.into_iter().chain([DType::Bool, decimal(15, 2)]);
    for number in numbers {
        for other in &others {
            for (left, right) in [(&number, other), (other, &number)] {
                let mismatch = Error::DTypeMismatch { left: left.clone(), right: right.clone() };
                assert_eq!(common(left, right), Err(mismatch));
                let unsupported = Error::UnsupportedDType { dtype: other.logical().clone() };
                if number != DType::Bool {
                    assert_eq!(arithmetic(Arithmetic::Add, left, right), Err(unsupported), "{left} {right}");
                }
            }
        }
    }
}

#[test]
fn items_of_lists_and_fields_of_structs_take_their_common_dtype() {
    let pair = |x: DType, y: DType| DType::structure([("x", x), ("y", y)]);
    let words = || DType::dictionary(DType::Utf8);
    for (left, right, expected) in [
        (DType::list(DType::Null), DType::list(words()), DType::list(words())),
        (
            DType::list(DType::list(DType::Null)),
            DType::list(DType::Null),
            DType::list(DType::list(DType::Null)),
        ),
        (
            pair(DType::Null, DType::list(DType::Null)),
            pair(DType::Int8, DType::list(DType::Utf8)),
            pair(DType::Int8, DType::list(DType::Utf8)),
        ),
        (
            DType::list(pair(DType::Null, DType::Int8)),
            DType::list(pair(DType::Utf8, DType::Null)),
            DType::list(pair(DType::Utf8, DType::Int8)),
        ),
        (DType::list(DType::Int8), DType::list(DType::Int16), DType::list(DType::Int16)),
        (DType::list(words()), DType::list(DType::Utf8), DType::list(DType::Utf8)),
        (
            pair(DType::Null, DType::list(DType::Timestamp(TimeUnit::Second))),
            pair(DType::Int8, DType::list(DType::Timestamp(TimeUnit::Nano))),
            pair(DType::Int8, DType::list(DType::Timestamp(TimeUnit::Nano))),
        ),
    ] {
        assert_eq!(common(&left, &right), Ok(expected.clone()), "{left} {right}");
        assert_eq!(common(&right, &left), Ok(expected), "{right} {left}");
    }
    for (left, right) in [
        (DType::list(DType::Int8), DType::list(DType::Utf8)),
        (DType::list(DType::Null), DType::Int8),
        (DType::list(DType::Null), pair(DType::Null, DType::Null)),
        (pair(DType::Null, DType::Int8), pair(DType::Int8, DType::Utf8)),
        (pair(DType::Null, DType::Int8), DType::structure([("x", DType::Null), ("z", DType::Int8)])),
        (pair(DType::Null, DType::Null), DType::structure([("x", DType::Null)])),
    ] {
        let mismatch = Error::DTypeMismatch { left: left.clone(), right: right.clone() };
        assert_eq!(common(&left, &right), Err(mismatch), "{left} {right}");
    }
}

#[test]
fn dictionaries_promote_to_value_dtype() {
    let dictionary = DType::dictionary(DType::Utf8);
    assert_eq!(common(&dictionary, &dictionary), Ok(dictionary.clone()));
    assert_eq!(common(&dictionary, &DType::Utf8), Ok(DType::Utf8));
    assert_eq!(common(&DType::Utf8, &dictionary), Ok(DType::Utf8));
    assert!(common(&dictionary, &DType::dictionary(DType::Int32)).is_err());
}

#[test]
fn common_dtype_of_decimal_and_number() {
    for (left, right, expected) in [
        (decimal(15, 2), decimal(10, 4), decimal(17, 4)),
        (decimal(15, 2), DType::Int32, decimal(15, 2)),
        (decimal(5, 2), DType::Int64, decimal(21, 2)),
        (DType::UInt64, decimal(3, 1), decimal(21, 1)),
        (decimal(15, 2), DType::Float32, DType::Float64),
        (decimal(15, 2), DType::Bool, decimal(15, 2)),
        (decimal(5, -2), decimal(3, 1), decimal(8, 1)),
    ] {
        assert_eq!(common(&left, &right), Ok(expected.clone()), "{left} {right}");
        assert_eq!(common(&right, &left), Ok(expected), "{right} {left}");
    }
    assert!(matches!(common(&decimal(38, 0), &decimal(38, 2)), Err(Error::Overflow { .. })));
}

#[test]
fn decimal_arithmetic_dtypes() {
    use Arithmetic::{Add, Divide, FloorDivide, Modulo, Multiply, Subtract};
    for (op, left, right, expected) in [
        (Add, decimal(15, 2), decimal(15, 2), decimal(16, 2)),
        (Subtract, DType::UInt8, decimal(15, 2), decimal(16, 2)),
        (Subtract, decimal(1, 0), decimal(15, 2), decimal(16, 2)),
        (Add, decimal(10, 4), decimal(15, 2), decimal(18, 4)),
        (Add, decimal(38, 2), decimal(38, 2), decimal(38, 2)),
        (Multiply, decimal(15, 2), decimal(16, 2), decimal(31, 4)),
        (Multiply, decimal(31, 4), decimal(16, 2), decimal(38, 6)),
        (Multiply, decimal(15, 2), DType::Int32, decimal(25, 2)),
        (Divide, decimal(15, 2), decimal(15, 2), decimal(33, 18)),
        (Divide, decimal(38, 4), decimal(38, 4), decimal(38, 6)),
        (Divide, decimal(4, 0), decimal(2, 0), decimal(10, 6)),
        (Divide, decimal(38, 2), DType::Int64, decimal(38, 6)),
        (Divide, decimal(15, 2), DType::Float64, DType::Float64),
        (Multiply, decimal(15, 2), DType::Bool, decimal(18, 2)),
        (FloorDivide, decimal(15, 2), decimal(5, 3), decimal(17, 0)),
        (FloorDivide, decimal(38, 0), decimal(38, 38), decimal(38, 0)),
        (FloorDivide, decimal(2, 2), decimal(5, 0), decimal(1, 0)),
        (Modulo, decimal(15, 2), decimal(5, 3), decimal(5, 3)),
        (Modulo, decimal(15, 2), DType::Int8, decimal(5, 2)),
        (Modulo, DType::Int8, decimal(15, 2), decimal(15, 2)),
        (Modulo, decimal(38, 20), decimal(30, 0), decimal(38, 20)),
    ] {
        assert_eq!(arithmetic(op, &left, &right), Ok(expected), "{left} {op} {right}");
    }
    let too_fine = arithmetic(Multiply, &decimal(38, 20), &decimal(38, 19));
    assert!(matches!(too_fine, Err(Error::Overflow { .. })));
}

#[test]
fn every_decimal_result_is_valid_decimal() {
    let scales = [-38_i8, -3, 0, 2, 17, 38];
    for op in Arithmetic::ALL {
        for (p1, p2) in (1..=38).flat_map(|p1| (1..=38).map(move |p2| (p1, p2))) {
            for (s1, s2) in scales.iter().flat_map(|s1| scales.iter().map(move |s2| (*s1, *s2))) {
                match arithmetic(op, &decimal(p1, s1), &decimal(p2, s2)) {
                    Ok(DType::Decimal { precision, .. }) => assert!((1..=38).contains(&precision)),
                    Err(Error::Overflow { .. }) => assert!(op == Arithmetic::Multiply && s1 + s2 > 38),
                    other => panic!("({p1},{s1}) {op} ({p2},{s2}) gave {other:?}"),
                }
            }
        }
    }
}

#[test]
fn aggregate_dtypes() {
    for (input, total) in [
        (DType::Bool, DType::Int64),
        (DType::Int8, DType::Int64),
        (DType::Int64, DType::Int64),
        (DType::UInt8, DType::UInt64),
        (DType::UInt64, DType::UInt64),
        (DType::Float32, DType::Float32),
        (DType::Float64, DType::Float64),
        (decimal(15, 2), decimal(38, 2)),
        (decimal(38, 10), decimal(38, 10)),
    ] {
        assert_eq!(sum(&input), Ok(total));
        assert_eq!(mean(&input), Ok(DType::Float64));
    }
    let no_sums = [DType::Date32, DType::Timestamp(TimeUnit::Nano), DType::Time(TimeUnit::Nano)];
    for input in no_sums.iter().chain(&[DType::Utf8, DType::dictionary(DType::Utf8)]) {
        assert!(matches!(sum(input), Err(Error::UnsupportedDType { .. })), "{input}");
        assert_eq!(mean(input).ok().as_ref(), no_sums.contains(input).then_some(input), "{input}");
    }
}

#[test]
fn temporal_arithmetic_dtypes() {
    use Arithmetic::{Add, Divide, FloorDivide, Modulo, Multiply, Subtract};
    let zoned = |unit, name: &str| DType::TimestampTz(unit, TimeZone::new(name).unwrap());
    let (s, us) = (TimeUnit::Second, TimeUnit::Micro);
    let (point, span) = (DType::Timestamp, DType::Duration);
    for (op, left, right, expected) in [
        (Subtract, point(s), point(us), span(us)),
        (Subtract, DType::Date32, DType::Date32, span(s)),
        (Subtract, DType::Date32, point(us), span(us)),
        (Subtract, zoned(s, "UTC"), zoned(us, "UTC"), span(us)),
        (Subtract, zoned(us, "Europe/Berlin"), zoned(s, "UTC"), span(us)),
        (Subtract, point(us), span(s), point(us)),
        (Add, DType::Date32, span(us), point(us)),
        (Add, span(us), zoned(s, "UTC"), zoned(us, "UTC")),
        (Add, span(s), span(us), span(us)),
        (Subtract, span(us), span(s), span(us)),
        (Multiply, span(s), DType::Int8, span(s)),
        (Multiply, DType::Float32, span(us), span(us)),
        (Divide, span(s), DType::Int64, span(s)),
        (Divide, span(s), decimal(5, 2), span(s)),
        (FloorDivide, span(s), DType::Float64, span(s)),
        (Modulo, span(s), DType::UInt8, span(s)),
        (Divide, span(s), span(us), DType::Float64),
        (FloorDivide, span(us), span(s), DType::Int64),
        (Modulo, span(us), span(s), span(us)),
        (Add, DType::Time(s), span(us), DType::Time(us)),
        (Subtract, DType::Time(us), span(s), DType::Time(us)),
        (Add, span(s), DType::Time(s), DType::Time(s)),
        (Subtract, DType::Time(s), DType::Time(us), span(us)),
        (Add, DType::Date32, DType::Time(s), point(s)),
        (Add, DType::Time(us), DType::Date32, point(us)),
    ] {
        assert_eq!(arithmetic(op, &left, &right), Ok(expected), "{left} {op} {right}");
    }
    for (op, left, right) in [
        (Add, point(s), point(s)),
        (Subtract, span(s), point(s)),
        (Multiply, span(s), span(s)),
        (Multiply, span(s), DType::Bool),
        (Divide, DType::Int64, span(s)),
        (Modulo, span(s), DType::Float64),
        (Subtract, span(s), DType::Time(s)),
        (Add, DType::Time(s), DType::Time(s)),
        (Multiply, DType::Time(s), DType::Int64),
        (Subtract, DType::Date32, DType::Time(s)),
        (Add, point(s), DType::Int64),
        (Add, DType::list(DType::Int8), DType::Int8),
        (Add, DType::Binary, DType::Binary),
    ] {
        let refused = arithmetic(op, &left, &right).unwrap_err();
        assert!(matches!(refused, Error::UnsupportedDType { .. }), "{left} {op} {right}: {refused}");
    }
    for (left, right) in [(zoned(s, "UTC"), point(s)), (DType::Date32, zoned(s, "Europe/Berlin"))] {
        assert!(matches!(arithmetic(Subtract, &left, &right), Err(Error::DTypeMismatch { .. })));
        assert!(matches!(common(&left, &right), Err(Error::DTypeMismatch { .. })));
    }
    let zones = common(&zoned(s, "UTC"), &zoned(s, "Europe/Berlin"));
    assert!(matches!(zones, Err(Error::DTypeMismatch { .. })));
    assert_eq!(common(&span(s), &span(us)), Ok(span(us)));
    assert_eq!(common(&zoned(us, "UTC"), &zoned(s, "UTC")), Ok(zoned(us, "UTC")));
    assert_eq!(common(&DType::Null, &DType::list(DType::Int8)), Ok(DType::list(DType::Int8)));
    assert_eq!(sum(&span(us)), Ok(span(us)));
    assert_eq!(mean(&span(us)), Ok(span(us)));
}
