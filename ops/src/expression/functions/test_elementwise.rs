//! Element-wise functions in expressions, on every device of the build, against known answers and naive versions.

use crate::expression::{
    Expr, HashFunction, Literal, coalesce, col, evaluate, hash_rows, lit, lit_decimal, max_horizontal,
    min_horizontal, when,
};
use columnade_buffers::{Device, Exec};
use columnade_columns::{Column, ColumnAccessor, DType, Error, ErrorKind, Result, Scalar, TimeUnit};
use columnade_tests::{Nulls, Rng, SIZES};

fn frame<const N: usize>(columns: [(&str, Column); N]) -> ColumnAccessor {
    ColumnAccessor::from_columns(columns).unwrap()
}

fn one(expr: &Expr, frame: &ColumnAccessor, exec: &Exec) -> Result<Column> {
    Ok(evaluate(std::slice::from_ref(expr), frame, exec)?.swap_remove(0).1)
}

/// The dtype and the values of an expression, as text.
fn text(expr: &Expr, frame: &ColumnAccessor, exec: &Exec) -> String {
    let column = one(expr, frame, exec).unwrap_or_else(|error| panic!("{error}"));
    let values = column.to_scalars().unwrap();
    let values: Vec<String> = values.iter().map(ToString::to_string).collect();
    format!("{}: {}", column.dtype(), values.join(" "))
}

fn kind(expr: &Expr, frame: &ColumnAccessor, exec: &Exec) -> ErrorKind {
    one(expr, frame, exec).unwrap_err().kind()
}

/// Columns that every test reads: with nulls, NaN, a zero with a sign and extremes.
fn numbers(exec: &Exec) -> ColumnAccessor {
    let floats = [Some(2.25), None, Some(f64::NAN), Some(-0.0), Some(f64::NEG_INFINITY), Some(-1.5)];
    let singles = [Some(2.25_f32), None, Some(f32::NAN), Some(-0.0), Some(f32::NEG_INFINITY), Some(-1.5)];
    frame([
        ("f", Column::from_options(floats, exec).unwrap()),
        ("s", Column::from_options(singles, exec).unwrap()),
        (
            "i",
            Column::from_options([Some(2_i64), None, Some(-3), Some(0), Some(i64::MIN), Some(7)], exec)
                .unwrap(),
        ),
        (
            "b",
            Column::from_options([Some(3_i8), None, Some(-128), Some(0), Some(127), Some(-1)], exec).unwrap(),
        ),
        (
            "u",
            Column::from_options([Some(3_u8), None, Some(255), Some(0), Some(128), Some(1)], exec).unwrap(),
        ),
        (
            "t",
            Column::from_options([Some(true), None, Some(false), Some(true), Some(false), None], exec)
                .unwrap(),
        ),
        ("z", Column::from_options([Some(1_i64), Some(5), None, Some(0), Some(63), Some(-1)], exec).unwrap()),
        ("w", Column::from_options([Some("a"), None, Some("b"), Some(""), Some("é"), None], exec).unwrap()),
    ])
}

#[test]
fn rounding_and_signs_of_numbers_match_numpy() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let frame = numbers(&exec);
        for (expr, expected) in [
            (col("f").floor(), "float64: 2.0 <NA> NaN -0.0 -inf -2.0"),
            (col("f").ceil(), "float64: 3.0 <NA> NaN -0.0 -inf -1.0"),
            (col("s").trunc(), "float32: 2.0 <NA> NaN -0.0 -inf -1.0"),
            (col("i").floor(), "int64: 2 <NA> -3 0 -9223372036854775808 7"),
            (col("f").sign(), "float64: 1.0 <NA> NaN 0.0 -1.0 -1.0"),
            (col("s").sign(), "float32: 1.0 <NA> NaN 0.0 -1.0 -1.0"),
            (col("b").sign(), "int8: 1 <NA> -1 0 1 -1"),
            (col("u").sign(), "uint8: 1 <NA> 1 0 1 1"),
            (col("f").sqrt(), "float64: 1.5 <NA> NaN -0.0 NaN NaN"),
            (col("s").sqrt(), "float32: 1.5 <NA> NaN -0.0 NaN NaN"),
            (col("f").is_nan(), "bool: false <NA> true false false false"),
            (col("f").is_finite(), "bool: true <NA> false true false true"),
            (col("s").is_infinite(), "bool: false <NA> false false true false"),
            (col("i").is_nan(), "bool: false <NA> false false false false"),
            (col("i").is_finite(), "bool: true <NA> true true true true"),
            (col("i").is_infinite(), "bool: false <NA> false false false false"),
            (col("f").clip(-1, 2), "float64: 2.0 <NA> NaN -0.0 -1.0 -1.0"),
            (col("b").clip(0, lit(Literal::Null)), "int8: 3 <NA> 0 0 127 0"),
            (col("i").clip_max(col("z")), "int64: 1 <NA> -3 0 -9223372036854775808 -1"),
        ] {
            assert_eq!(text(&expr, &frame, &exec), expected, "{expr} on {device}");
        }
        assert_eq!(kind(&col("w").floor(), &frame, &exec), ErrorKind::Type);
        assert_eq!(kind(&col("w").sqrt(), &frame, &exec), ErrorKind::Type);
        assert_eq!(kind(&col("t").sign(), &frame, &exec), ErrorKind::Type);
        assert_eq!(kind(&col("w").is_nan(), &frame, &exec), ErrorKind::Type);
        let decimal = col("i").clip(0, 9).cast(DType::decimal(5, 2).unwrap());
        let halves = decimal / 2 - lit_decimal("2.25").unwrap();
        for (expr, expected) in [
            (halves.clone().floor(), "-2 <NA> -3 -3 -3 1"),
            (halves.clone().ceil(), "-1 <NA> -2 -2 -2 2"),
            (halves.clone().trunc(), "-1 <NA> -2 -2 -2 1"),
            (halves.sign(), "-1 <NA> -1 -1 -1 1"),
            (col("i").clip(-1, 1).cast(DType::decimal(1, 0).unwrap()).sign(), "1 <NA> -1 0 -1 1"),
            (lit_decimal("99.99").unwrap().ceil(), "100 100 100 100 100 100"),
            (lit_decimal("-0.05").unwrap().floor(), "-1 -1 -1 -1 -1 -1"),
            (lit_decimal("-0.05").unwrap().trunc(), "0 0 0 0 0 0"),
        ] {
            let found = text(&expr, &frame, &exec);
            assert_eq!(found.split_once(": ").unwrap().1, expected, "{expr} on {device}");
        }
    }
}

#[test]
fn powers_and_logarithms_have_the_dtypes_of_their_operands() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let frame = numbers(&exec);
        for (expr, expected) in [
            (col("i").pow(2), "int64: 4 <NA> 9 0 0 49"),
            (col("b").pow(3), "int8: 27 <NA> 0 0 127 -1"),
            (col("i").pow(col("z")), "int64: 2 <NA> <NA> 1 0 <NA>"),
            (col("u").pow(2_i64), "uint8: 9 <NA> 1 0 0 1"),
            (lit(2).pow(col("z")), "int64: 2 32 <NA> 1 -9223372036854775808 <NA>"),
            (col("f").pow(2), "float64: 5.0625 <NA> NaN 0.0 inf 2.25"),
            (col("s").pow(2), "float32: 5.0625 <NA> NaN 0.0 inf 2.25"),
            (col("f").pow(-1), "float64: 0.4444444444444444 <NA> NaN -inf -0.0 -0.6666666666666666"),
            (col("i").pow(0.5).is_nan(), "bool: false <NA> true false true false"),
            (col("i").pow(0.0), "float64: 1.0 <NA> 1.0 1.0 1.0 1.0"),
            (lit(8).log(2.0) + col("z") - col("z"), "float64: 3.0 3.0 <NA> 3.0 3.0 3.0"),
            (col("i").ln().exp().round(9), "float64: 2.0 <NA> NaN 0.0 NaN 7.0"),
            (col("f").log10().is_nan(), "bool: false <NA> true false true true"),
            (col("t").cast(DType::Int32).log1p().round(6), "float64: 0.693147 <NA> 0.0 0.693147 0.0 <NA>"),
            (lit(1).atan2(col("z")).round(6), "float64: 0.785398 0.197396 <NA> 1.570796 0.015872 2.356194"),
        ] {
            assert_eq!(text(&expr, &frame, &exec), expected, "{expr} on {device}");
        }
        assert_eq!(kind(&col("w").exp(), &frame, &exec), ErrorKind::Type);
        assert_eq!(kind(&col("t").pow(2), &frame, &exec), ErrorKind::Type);
        assert_eq!(one(&col("s").exp(), &frame, &exec).unwrap().dtype(), DType::Float32);
    }
}

#[test]
fn bits_of_integers_and_booleans_match_their_definition() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let frame = numbers(&exec);
        for (expr, expected) in [
            (col("u").bit_and(0x81), "uint8: 1 <NA> 129 0 128 1"),
            (col("b").bit_or(col("i")), "int64: 3 <NA> -3 0 -9223372036854775681 -1"),
            (col("b").bit_xor(-1), "int8: -4 <NA> 127 -1 -128 0"),
            (col("b").bit_not(), "int8: -4 <NA> 127 -1 -128 0"),
            (col("u").bit_not(), "uint8: 252 <NA> 0 255 127 254"),
            (col("t").bit_not(), "bool: false <NA> true false true <NA>"),
            (col("t").bit_and(col("i").gt(0)), "bool: true <NA> false false false <NA>"),
            (col("t").bit_or(col("i").gt(0)), "bool: true <NA> false true false true"),
            (col("t").bit_xor(col("i").gt(0)), "bool: false <NA> false true false <NA>"),
            (col("b").shift_left(1), "int8: 6 <NA> 0 0 -2 -2"),
            (col("b").shift_right(1), "int8: 1 <NA> -64 0 63 -1"),
            (col("u").shift_right(7), "uint8: 0 <NA> 1 0 1 0"),
            (col("b").shift_right(200), "int8: 0 <NA> -1 0 0 -1"),
            (col("i").shift_left(col("z")), "int64: 4 <NA> <NA> 0 0 0"),
            (col("i").shift_right(col("z")), "int64: 1 <NA> <NA> 0 -1 0"),
            (col("u").cast(DType::UInt64).shift_left(56).shift_right(60), "uint64: 0 <NA> 15 0 8 0"),
            (col("u").cast(DType::UInt64).shift_left(-1), "uint64: 0 <NA> 0 0 0 0"),
            (col("u").cast(DType::UInt64).shift_left(1_i64 << 40), "uint64: 0 <NA> 0 0 0 0"),
            (
                col("u").cast(DType::UInt64).shift_left(col("z").cast(DType::Int32)),
                "uint64: 6 <NA> <NA> 0 0 0",
            ),
            (col("b").shift_left(col("u").cast(DType::UInt64)), "int8: 24 <NA> 0 0 0 -2"),
            (col("b").shift_right(col("u").cast(DType::UInt64)), "int8: 0 <NA> -1 0 0 -1"),
        ] {
            assert_eq!(text(&expr, &frame, &exec), expected, "{expr} on {device}");
        }
        for wrong in
            [col("f").bit_and(1), col("w").bit_or("a"), col("f").shift_left(1), col("i").shift_left(1.5)]
        {
            assert_eq!(kind(&wrong, &frame, &exec), ErrorKind::Type, "{wrong}");
        }
    }
}

#[test]
fn null_safe_tests_and_replacements_treat_nulls_as_documented() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let frame = numbers(&exec);
        for (expr, expected) in [
            (col("i").eq_missing(col("z")), "bool: false false false true false false"),
            (col("i").eq_missing(lit(Literal::Null)), "bool: false true false false false false"),
            (col("w").ne_missing("b"), "bool: true true false true true true"),
            (col("w").eq_missing(col("w")), "bool: true true true true true true"),
            (col("f").eq_missing(col("f")), "bool: true true false true true true"),
            (coalesce([col("i"), col("z"), lit(0)]), "int64: 2 5 -3 0 -9223372036854775808 7"),
            (coalesce([col("i"), col("f")]), "float64: 2.0 <NA> -3.0 0.0 -9.223372036854776e18 7.0"),
            (min_horizontal([col("i"), col("z")]), "int64: 1 5 -3 0 -9223372036854775808 -1"),
            (max_horizontal([col("i"), col("z"), lit(1)]), "int64: 2 5 1 1 63 7"),
            (max_horizontal([col("f"), col("i")]), "float64: 2.25 <NA> -3.0 0.0 -9.223372036854776e18 7.0"),
            (min_horizontal([col("t"), col("i").lt(0)]), "bool: false <NA> false false false false"),
            (max_horizontal([col("t"), col("i").lt(0)]), "bool: true <NA> true true true false"),
            (col("i").replace([(2, 20), (7, 0), (2, 99)]), "int64: 20 <NA> -3 0 -9223372036854775808 0"),
            (col("i").replace_or([(2, 0.5)], -1.0), "float64: 0.5 -1.0 -1.0 -1.0 -1.0 -1.0"),
            (col("w").replace_or([("é", 4), ("", 0)], lit(Literal::Null)), "int64: <NA> <NA> <NA> 0 4 <NA>"),
        ] {
            assert_eq!(text(&expr, &frame, &exec), expected, "{expr} on {device}");
        }
        assert_eq!(min_horizontal([col("i"), col("z")]).label(), "i");
        assert_eq!(col("i").replace([(1, 2)]).label(), "i");
        assert_eq!(coalesce([col("i"), col("z")]).label(), "i");
        assert_eq!(kind(&min_horizontal([col("i"), col("w")]), &frame, &exec), ErrorKind::Type);
    }
}

#[test]
fn extremes_of_decimals_and_times_are_exact() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let decimal = |value: i128, precision, scale| Scalar::Decimal { value, precision, scale };
        let wide = DType::decimal(30, 2).unwrap();
        let narrow = DType::decimal(5, 3).unwrap();
        let decimals =
            |dtype: &DType, values: [Scalar; 2]| Column::from_scalars(dtype, &values, &exec).unwrap();
        let unit = DType::Timestamp(TimeUnit::Milli);
        let times = Column::from_options([Some(-1_i64), None], &exec).unwrap().reinterpret(&unit).unwrap();
        let days =
            Column::from_options([Some(0_i32), Some(1)], &exec).unwrap().reinterpret(&DType::Date32).unwrap();
        let frame = frame([
            ("a", decimals(&wide, [decimal(10_i128.pow(20), 30, 2), Scalar::Null(wide.clone())])),
            ("b", decimals(&narrow, [decimal(-12_345, 5, 3), decimal(1, 5, 3)])),
            ("t", times),
            ("d", days),
        ]);
        let found = text(&min_horizontal([col("a"), col("b")]), &frame, &exec);
        assert_eq!(found, "decimal(31,3): -12.345 0.001", "{device}");
        let found = text(&max_horizontal([col("a"), col("b")]), &frame, &exec);
        assert_eq!(found, "decimal(31,3): 1000000000000000000.000 0.001", "{device}");
        let found = text(&max_horizontal([col("t"), col("d")]), &frame, &exec);
        assert_eq!(found, "timestamp[ms]: 1970-01-01 00:00:00.000 1970-01-02 00:00:00.000", "{device}");
    }
}

/// A function of two columns, row by row.
type Naive = fn((Option<i64>, Option<i64>)) -> Option<i64>;

#[test]
fn functions_of_every_size_and_null_pattern_match_naive_version() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(1801);
        let every = if device == Device::Host { 1 } else { 3 };
        for (i, n) in SIZES.into_iter().enumerate().filter(|(i, _)| i % every == 0) {
            let mut column = |nulls: Nulls| -> Vec<Option<i64>> {
                let mask = nulls.mask(n + 3, &mut rng);
                let is_valid = |row: usize| mask.as_ref().is_none_or(|mask| mask[row]);
                (0..n + 3)
                    .map(|row| is_valid(row).then_some(i64::try_from(rng.below(200)).unwrap() - 100))
                    .collect()
            };
            let (a, b) = (column(Nulls::ALL[i % 4]), column(Nulls::ALL[i / 4]));
            let made = |values: &[Option<i64>]| {
                Column::from_options(values.iter().copied(), &exec).unwrap().slice(3, n).unwrap()
            };
            let frame = frame([("a", made(&a)), ("b", made(&b))]);
            let rows = || a[3..].iter().copied().zip(b[3..].iter().copied());
            let cases: [(Expr, Naive); 7] = [
                (col("a").clip(-50, col("b")), |(a, b)| {
                    let lower = a?.max(-50);
                    Some(b.map_or(lower, |b| lower.min(b)))
                }),
                (min_horizontal([col("a"), col("b")]), |(a, b)| a.into_iter().chain(b).min()),
                (max_horizontal([col("a"), col("b")]), |(a, b)| a.into_iter().chain(b).max()),
                (coalesce([col("a"), col("b")]), |(a, b)| a.or(b)),
                (when(col("a").eq_missing(col("b"))).then(1).otherwise(0), |(a, b)| Some(i64::from(a == b))),
                (col("a").pow(col("b")), |(a, b)| {
                    let exponent = u32::try_from(b?).ok();
                    exponent.and_then(|exponent| a.map(|a| a.wrapping_pow(exponent)))
                }),
                (col("a").bit_xor(col("b")).sign(), |(a, b)| Some((a? ^ b?).signum())),
            ];
            for (expr, naive) in cases {
                let expected: Vec<Scalar> =
                    rows().map(|row| naive(row).map_or(Scalar::Null(DType::Int64), Scalar::Int64)).collect();
                let found = one(&expr, &frame, &exec).unwrap().to_scalars().unwrap();
                assert_eq!(found, expected, "{expr} n={n} on {device}");
            }
        }
    }
}

#[test]
fn errors_of_functions_name_the_expression_and_the_dtype() {
    let exec = Exec::host();
    let frame = numbers(&exec);
    for (expr, expected) in [
        (col("w").exp(), "expression w.exp(): dtype utf8 is not supported"),
        (col("w").pow(2.0), "expression w.pow(2.0): "),
        (col("f").shift_left(1), "expression f.shift_left(1): dtype float64 is not supported"),
        (col("t").log(3.0), "expression t.ln(): dtype bool is not supported"),
    ] {
        let error: Error = one(&expr, &frame, &exec).unwrap_err();
        assert!(error.to_string().starts_with(expected), "{error}");
    }
}

#[test]
fn hashes_of_rows_match_spark_and_the_reference() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let words = Column::from_options([Some("abc"), None, Some("")], &exec).unwrap();
        let frame = frame([
            ("n", Column::from_options([Some(42_i64), None, Some(42)], &exec).unwrap()),
            ("i", Column::from_values([42_i32, 42, 0], &exec).unwrap()),
            ("w", words),
        ]);
        // Spark 3: xxhash64(42L) is -6876166290308861218 and hash(42) is 29417773, with the seed 42.
        let found = text(&hash_rows([col("n")], HashFunction::XxHash64(42)), &frame, &exec);
        let spark = (-6_876_166_290_308_861_218_i64).cast_unsigned();
        assert_eq!(found, format!("uint64: {spark} 42 {spark}"), "{device}");
        let found = text(&hash_rows([col("i")], HashFunction::Murmur3(42)), &frame, &exec);
        assert!(found.starts_with("uint32: 29417773 29417773 "), "{found} on {device}");
        // mmh3 5: hash(b"abc", 0).
        let found = text(&hash_rows([col("w")], HashFunction::Murmur3(0)), &frame, &exec);
        assert_eq!(found, "uint32: 3017643002 0 0", "{device}");
        // A null leaves the hash of the columns before.
        let both = one(&hash_rows([col("i"), col("w")], HashFunction::Murmur3(0)), &frame, &exec).unwrap();
        let first = one(&hash_rows([col("i")], HashFunction::Murmur3(0)), &frame, &exec).unwrap();
        assert_eq!(both.get(1).unwrap(), first.get(1).unwrap(), "{device}");
        assert_ne!(both.get(0).unwrap(), first.get(0).unwrap(), "{device}");
        // As part of another expression.
        let parts = hash_rows([col("n"), col("w")], HashFunction::XxHash64(1)) % 8;
        assert!(text(&parts.lt(8), &frame, &exec).ends_with("true true true"), "{device}");
        assert_eq!(kind(&hash_rows::<Expr>([], HashFunction::Murmur3(0)), &frame, &exec), ErrorKind::Value);
    }
}

#[test]
fn a_negative_constant_is_no_exponent_of_integers() {
    let exec = Exec::host();
    let frame = ColumnAccessor::from_columns([
        ("i", Column::from_slice(&[1_i64, 2], &exec).unwrap()),
        ("u", Column::from_slice(&[1_u8, 2], &exec).unwrap()),
        ("x", Column::from_slice(&[1.0_f64, 2.0], &exec).unwrap()),
    ])
    .unwrap();
    for base in ["i", "u"] {
        let refused = evaluate(&[col(base).pow(-1)], &frame, &exec).unwrap_err().to_string();
        assert!(refused.contains("exponent: a negative power of integers"), "{refused}");
    }
    assert!(
        evaluate(&[col("x").pow(-1), col("i").pow(-1.0), col("i").pow(0 - col("i"))], &frame, &exec).is_ok()
    );
    assert!(evaluate(&[col("i").pow(lit(Literal::Null)), col("i").pow(0)], &frame, &exec).is_ok());
}
