//! Casts of expressions that were asked for: numbers that do not fit are errors, and the null dtype becomes any other; on every
//! device.

use super::{col, evaluate, lit};
use crate::cast::{CastMode, cast};
use columnade_buffers::{Device, Exec};
use columnade_columns::{Column, ColumnAccessor, DType, DictionaryType, ErrorKind, Result, Scalar, TimeUnit};
use columnade_kernels::Storage;

const NUMBERS: [DType; 10] = [
    DType::Int8,
    DType::Int16,
    DType::Int32,
    DType::Int64,
    DType::UInt8,
    DType::UInt16,
    DType::UInt32,
    DType::UInt64,
    DType::Float32,
    DType::Float64,
];

/// The least and the largest value of an integer dtype.
fn range(dtype: &DType) -> Option<(i128, i128)> {
    let bits = i128::try_from(dtype.storage().unwrap().bytes(8)).unwrap();
    if dtype.is_unsigned_integer() {
        Some((0, (1 << bits) - 1))
    } else if dtype.is_integer() {
        Some((-(1 << (bits - 1)), (1 << (bits - 1)) - 1))
    } else {
        None
    }
}

/// Values at and beyond the ends of every integer dtype that `dtype` has.
fn values(dtype: &DType) -> Vec<f64> {
    let ends = NUMBERS.iter().filter_map(range).flat_map(|(least, most)| [least, most]);
    let around = ends.flat_map(|end| [end - 1, end, end + 1]).chain([0, -1, 77]);
    // As floats, all of which the dtype has exactly.
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        reason = "those that round are left out"
    )]
    let mut values: Vec<f64> = around
        .filter(|value| match range(dtype) {
            Some((least, most)) => {
                (least..=most).contains(value) && (*value as f64) as i128 == *value && *value != 1 << 64
            }
            None => (*value as f32) as i128 == *value,
        })
        .map(|value| value as f64)
        .collect();
    if dtype.is_float() {
        values.extend([-0.75, 127.5, -128.5, 255.75, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.0]);
    }
    values
}

/// What a cast to an integer dtype gives; `None` for a value that it does not have.
#[expect(clippy::cast_possible_truncation, reason = "the fraction is cut")]
fn expected(value: f64, to: &DType) -> Option<i128> {
    let (least, most) = range(to)?;
    (value.is_finite()).then(|| value.trunc() as i128).filter(|whole| (least..=most).contains(whole))
}

#[test]
fn casts_of_numbers_that_do_not_fit_are_errors_and_others_are_cut() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        for from in &NUMBERS {
            for to in NUMBERS.iter().filter(|to| to.is_integer()) {
                let all = values(from);
                let (fit, others): (Vec<f64>, Vec<f64>) =
                    all.into_iter().partition(|&value| expected(value, to).is_some());
                let what = format!("{from} to {to} on {device}");
                // Three rows before the slice do not fit, and neither do nulls.
                let with = |values: &[f64], spare: f64| {
                    let rows = std::iter::repeat_n(spare, 3).chain(values.iter().copied()).chain([spare]);
                    let floats = Column::from_vec_on(rows.collect(), &exec).unwrap();
                    let valid = (0..values.len() + 4).map(|row| Some(row + 1 != values.len() + 4));
                    let frame = ColumnAccessor::from_columns([
                        ("x", cast(&floats, from, CastMode::Wrap, &exec).unwrap()),
                        ("valid", Column::from_options(valid, &exec).unwrap()),
                    ]);
                    let nulls = super::when(col("valid")).then(col("x")).otherwise(super::Literal::Null);
                    let (_, column) = evaluate(&[nulls], &frame.unwrap(), &exec).unwrap().swap_remove(0);
                    ColumnAccessor::from_columns([("x", column.slice(3, values.len() + 1).unwrap())]).unwrap()
                };
                let spare = others.first().copied().unwrap_or(0.0);
                let frame = with(&fit, spare);
                let (_, made) = evaluate(&[col("x").cast(to.clone())], &frame, &exec).unwrap().swap_remove(0);
                assert_eq!(made.dtype(), *to, "{what}");
                let made: Vec<String> = made
                    .to_device(&Exec::host())
                    .unwrap()
                    .to_scalars()
                    .unwrap()
                    .iter()
                    .map(ToString::to_string)
                    .collect();
                let wanted = fit.iter().map(|&value| expected(value, to).unwrap().to_string());
                assert_eq!(made, wanted.chain(["<NA>".to_owned()]).collect::<Vec<_>>(), "{what}");
                for &value in &others {
                    let frame = with(&[1.0, value], 0.0);
                    let error = evaluate(&[col("x").cast(to.clone())], &frame, &exec).unwrap_err();
                    assert_eq!(error.kind(), ErrorKind::Overflow, "{value} {what}");
                    assert!(error.to_string().contains(&format!("x.cast({to})")), "{error}");
                    let expr = col("x").try_cast(to.clone()).is_null();
                    let (_, null) = evaluate(&[expr], &frame, &exec).unwrap().swap_remove(0);
                    assert_eq!(null.to_vec::<bool>().unwrap(), [false, true, true], "{value} {what}");
                }
            }
        }
    }
}

#[test]
fn null_dtype_becomes_nulls_of_every_dtype() {
    let dictionary = DictionaryType { codes: Storage::I8, values: DType::Utf8, ordered: false };
    let others = [
        DType::Bool,
        DType::Utf8,
        DType::Binary,
        DType::Date32,
        DType::Timestamp(TimeUnit::Nano),
        DType::Duration(TimeUnit::Second),
        DType::decimal(20, 3).unwrap(),
        DType::Dictionary(Box::new(dictionary)),
        DType::List(Box::new(DType::Int16)),
        DType::Null,
    ];
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        for rows in [0, 1, 33] {
            let column = Column::full_null(&DType::Null, rows, &exec).unwrap();
            let frame = ColumnAccessor::from_columns([("n", column)]).unwrap();
            for to in NUMBERS.iter().chain(&others) {
                for expr in [col("n").cast(to.clone()), col("n").try_cast(to.clone())] {
                    let (label, made) =
                        evaluate(std::slice::from_ref(&expr), &frame, &exec).unwrap().swap_remove(0);
                    assert_eq!(
                        (label.to_string().as_str(), made.dtype()),
                        ("n", to.clone()),
                        "{expr} on {device}"
                    );
                    let values = made.to_device(&Exec::host()).unwrap().to_scalars().unwrap();
                    assert_eq!(values.len(), rows);
                    assert!(
                        values.iter().all(|value| matches!(value, Scalar::Null(_))),
                        "{expr} on {device}"
                    );
                }
            }
            let sum = (col("n").cast(DType::Int64) + lit(1)).fill_null(7);
            let (_, made) = evaluate(&[sum], &frame, &exec).unwrap().swap_remove(0);
            assert_eq!(made.to_vec::<i64>().unwrap(), vec![7; rows]);
        }
    }
}

#[test]
fn cast_of_floats_to_decimal_rounds_and_refuses_what_does_not_fit() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let x = Column::from_options([Some(1.006), None, Some(-2.5), Some(0.129)], &exec).unwrap();
        let frame = ColumnAccessor::from_columns([("x", x)]).unwrap();
        let cast = |dtype: DType| -> Result<Vec<String>> {
            let (_, column) = evaluate(&[col("x").cast(dtype)], &frame, &exec)?.swap_remove(0);
            Ok(column.to_scalars()?.iter().map(ToString::to_string).collect())
        };
        assert_eq!(
            cast(DType::decimal(10, 2).unwrap()).unwrap(),
            ["1.01", "<NA>", "-2.50", "0.13"],
            "{device}"
        );
        let error = cast(DType::decimal(2, 2).unwrap()).unwrap_err().to_string();
        assert!(error.contains("decimal(2,2)"), "{error}");
    }
}

/// A dictionary of numbers or times cast to its values is no dictionary.
#[test]
fn cast_of_dictionary_to_its_values_decodes_it() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let numbers = Column::from_options([Some(3_i64), None, Some(-1), Some(3)], &exec).unwrap();
        for values in
            [DType::Int64, DType::Int8, DType::Float64, DType::Utf8, DType::Timestamp(TimeUnit::Milli)]
        {
            let plain = cast(&numbers, &values, CastMode::Checked, &exec).unwrap();
            let coded = cast(&plain, &DType::dictionary(values.clone()), CastMode::Checked, &exec).unwrap();
            assert!(matches!(coded.dtype(), DType::Dictionary(_)), "{values} on {device}");
            let frame = ColumnAccessor::from_columns([("a", coded)]).unwrap();
            for expr in [col("a").cast(values.clone()), col("a").try_cast(values.clone())] {
                let found = evaluate(&[expr], &frame, &exec).unwrap().swap_remove(0).1;
                assert_eq!(found.dtype(), values, "{device}");
                assert_eq!(found.to_scalars().unwrap(), plain.to_scalars().unwrap(), "{values} on {device}");
            }
        }
    }
}
