//! Nulls replaced and dropped, in columns of every kind.

use super::{DropHow, drop_nulls, fill_null};
use crate::expression::Literal;
use crate::test_dtypes::{dtypes, scalars};
use crate::test_frames::{assert_lines, frame, limited, lines, moved, peak_of, share_of};
use columnade_buffers::{Device, Exec};
use columnade_columns::{CategoricalColumn, Column, ColumnAccessor, DType, Error, Scalar, TimeUnit};
use columnade_tests::{Nulls, Rng, SIZES};
use std::sync::Arc;

/// The first value that is none of a null, as a literal.
fn some_value(dtype: &DType, rng: &mut Rng) -> Scalar {
    scalars(dtype, 200, rng).into_iter().find(|scalar| !scalar.is_null()).unwrap()
}

#[test]
fn fill_null_of_every_dtype_replaces_nulls() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(11);
        for dtype in dtypes().into_iter().filter(|dtype| *dtype != DType::Null) {
            for n in SIZES {
                let values = scalars(&dtype, n, &mut rng);
                let offset = n.min(5);
                let column = Column::from_scalars(&dtype, &values, &exec).unwrap();
                let column = column.slice(offset, n - offset).unwrap();
                let value = some_value(&dtype, &mut rng);
                let filled = fill_null(&column, &Literal::Scalar(value.clone()), &exec).unwrap();
                let expected: Vec<Scalar> = values[offset..]
                    .iter()
                    .map(|found| if found.is_null() { value.clone() } else { found.clone() })
                    .collect();
                assert_eq!(filled.to_scalars().unwrap(), expected, "{dtype} n={n} {device}");
                assert_eq!(filled.dtype(), dtype, "n={n} {device}");
                assert_eq!(filled.null_count(&exec).unwrap(), 0, "{dtype} n={n} {device}");
            }
        }
    }
}

#[test]
fn fill_null_with_literal_casts_it_to_column_dtype() {
    let exec = Exec::host();
    let filled = |column: &Column, value: Literal| fill_null(column, &value, &exec).unwrap().get(0).unwrap();
    let none = |dtype: &DType| Column::full_null(dtype, 1, &exec).unwrap();
    assert_eq!(filled(&none(&DType::Int8), 7.into()), Scalar::Int8(7));
    assert_eq!(filled(&none(&DType::Float32), 7.into()), Scalar::Float32(7.0));
    assert_eq!(filled(&none(&DType::dictionary(DType::Utf8)), "ß".into()), "ß".into());
    assert_eq!(filled(&none(&DType::Date32), "1970-01-02".into()), Scalar::Date32(1));
    let price = DType::decimal(9, 2).unwrap();
    assert_eq!(filled(&none(&price), 3.into()).to_string(), "3.00");
    assert_eq!(filled(&none(&price), Literal::Decimal { value: -5, scale: 1 }).to_string(), "-0.50");
    assert!(filled(&none(&DType::Utf8), Literal::Null).is_null());
}

/// The value has a place in the order of the categories, or is none of them.
#[test]
fn fill_null_keeps_order_of_categories() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let levels = Column::from_values(["low", "mid", "high"], &exec).unwrap();
        for (dtype, high) in [(DType::Int8, Scalar::Int8(2)), (DType::Int32, Scalar::Int32(2))] {
            let codes = Column::from_scalars(&dtype, &[Scalar::Null(dtype.clone()), high], &exec).unwrap();
            let column = CategoricalColumn::new(&codes, Arc::new(levels.clone())).unwrap().as_ordered();
            let column = Column::Categorical(column);
            for part in [column.clone(), column.slice(0, 1).unwrap()] {
                let filled = fill_null(&part, &"mid".into(), &exec).unwrap();
                assert_eq!(filled.dtype(), column.dtype());
                assert_eq!(filled.to_scalars().unwrap()[0], "mid".into());
                let Column::Categorical(filled) = &filled else { panic!("{:?}", filled.dtype()) };
                assert_eq!(filled.dictionary().to_scalars().unwrap(), levels.to_scalars().unwrap());
            }
            let refused = fill_null(&column, &"none".into(), &exec).unwrap_err().to_string();
            assert!(refused.contains("none is not in the dictionary"), "{refused}");
        }
    }
}

#[test]
fn fill_null_without_nulls_shares_column() {
    let exec = Exec::host();
    let column = Column::from_vec(vec![f64::NAN, -0.0]);
    let filled = fill_null(&column, &1.5.into(), &exec).unwrap();
    assert!(filled.shares_memory(&column));
    assert!(
        fill_null(&column, &"no number".into(), &exec).is_err(),
        "a wrong value is wrong without nulls too"
    );
}

#[test]
fn fill_null_with_value_of_other_dtype_is_an_error() {
    let exec = Exec::host();
    let refused = |dtype: &DType, value: Literal| {
        fill_null(&Column::full_null(dtype, 3, &exec).unwrap(), &value, &exec).unwrap_err()
    };
    let argument = |error: Error| matches!(error, Error::InvalidArgument { .. });
    assert!(argument(refused(&DType::Int8, 128.into())));
    assert!(argument(refused(&DType::Int64, 0.5.into())));
    assert!(argument(refused(&DType::Utf8, 1.into())));
    let price = DType::decimal(4, 2).unwrap();
    let lost = refused(&price, Literal::Decimal { value: 1234, scale: 3 });
    assert!(matches!(lost, Error::DTypeMismatch { .. }), "{lost}");
    assert!(matches!(refused(&price, 100.into()), Error::Overflow { .. }));
    let half = Literal::Scalar(Scalar::Float64(0.5));
    assert!(matches!(refused(&DType::Int32, half), Error::DTypeMismatch { .. }));
    let coarse = Literal::Scalar(Scalar::Timestamp(1, TimeUnit::Second));
    assert!(matches!(refused(&DType::Timestamp(TimeUnit::Milli), coarse), Error::DTypeMismatch { .. }));
    let list = DType::list(DType::Int8);
    assert_eq!(refused(&list, 1.into()), Error::UnsupportedDType { dtype: list });
}

#[test]
fn fill_null_of_a_column_of_nulls_takes_the_dtype_of_the_value() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let nulls = Column::full_null(&DType::Null, 3, &exec).unwrap();
        let filled = |value: Literal| fill_null(&nulls, &value, &exec).unwrap();
        assert_eq!(filled(7.into()).to_options::<i64>().unwrap(), [Some(7); 3], "{device}");
        assert_eq!(filled("é".into()).dtype(), DType::Utf8, "{device}");
        assert_eq!(filled(Literal::Null).dtype(), DType::Null, "{device}");
        assert_eq!(filled(Literal::Null).size(), 3, "{device}");
    }
}

#[test]
fn drop_nulls_of_every_dtype_drops_rows_with_nulls() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(12);
        for n in SIZES {
            let offset = n.min(9);
            let kinds: Vec<DType> = dtypes().into_iter().filter(|dtype| *dtype != DType::Null).collect();
            let columns = kinds.iter().enumerate().map(|(number, dtype)| {
                let values = scalars(dtype, n, &mut rng);
                (i64::try_from(number).unwrap(), Column::from_scalars(dtype, &values, &exec).unwrap())
            });
            let frame = ColumnAccessor::from_columns(columns).unwrap().slice(offset, n - offset).unwrap();
            for labels in [vec![], vec![3_i64], vec![0, 5, 16], vec![19, 20, 13, 14]] {
                for how in
                    [DropHow::Any, DropHow::All, DropHow::Thresh(0), DropHow::Thresh(2), DropHow::Thresh(3)]
                {
                    let kept = drop_nulls(&frame, &labels, how, &exec).unwrap();
                    let of = |accessor: &ColumnAccessor| -> Vec<Vec<Scalar>> {
                        accessor.columns().iter().map(|column| column.to_scalars().unwrap()).collect()
                    };
                    let whole = of(&frame);
                    let is_kept = |row: &usize| {
                        let is_valid = |&&k: &&i64| !whole[usize::try_from(k).unwrap()][*row].is_null();
                        let valid = labels.iter().filter(is_valid).count();
                        match how {
                            DropHow::Any => valid == labels.len(),
                            DropHow::All => valid > 0,
                            DropHow::Thresh(values) => valid >= values,
                        }
                    };
                    let rows: Vec<usize> = (0..n - offset).filter(is_kept).collect();
                    let expected: Vec<Vec<Scalar>> = whole
                        .iter()
                        .map(|column| rows.iter().map(|&row| column[row].clone()).collect())
                        .collect();
                    assert_eq!(of(&kept), expected, "{labels:?} {how:?} n={n} {device}");
                    assert_eq!(kept.rows(), rows.len());
                }
            }
        }
    }
}

#[test]
fn drop_nulls_shares_columns_without_nulls_and_refuses_unknown_label() {
    let exec = Exec::host();
    let frame = ColumnAccessor::from_columns([
        ("n", Column::from_vec(vec![f64::NAN, 1.0])),
        ("none", Column::full_null(&DType::Null, 2, &exec).unwrap()),
    ])
    .unwrap();
    assert!(
        drop_nulls(&frame, ["n"], DropHow::Any, &exec)
            .unwrap()
            .get("n")
            .unwrap()
            .shares_memory(frame.get("n").unwrap())
    );
    assert_eq!(drop_nulls(&frame, ["none"], DropHow::Any, &exec).unwrap().rows(), 0);
    assert!(matches!(drop_nulls(&frame, ["m"], DropHow::Any, &exec), Err(Error::ColumnNotFound { .. })));
}

#[test]
fn fill_null_and_drop_nulls_of_frame_larger_than_budget_stay_within_it() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(13);
        let rows = frame(20_000, 1000, Nulls::Some, &mut rng, &exec);
        let bytes: usize = rows.columns().iter().map(Column::memory_bytes).sum();
        let expected = [drop_nulls(&rows, rows.labels(), DropHow::Any, &exec).unwrap(), filled(&rows, &exec)];
        let limit = share_of(bytes, 2, device);
        let (manager, tight) = limited(&exec, limit);
        let spilled = moved(&rows, &tight);
        let (peak, found) = peak_of(&manager, || {
            [drop_nulls(&spilled, rows.labels(), DropHow::Any, &tight).unwrap(), filled(&spilled, &tight)]
        });
        assert!(peak <= limit, "{peak} of {limit} on {device}");
        for (found, expected) in found.iter().zip(&expected) {
            assert_lines(&lines(found), &lines(expected), &device.to_string());
        }
    }
}

fn filled(rows: &ColumnAccessor, exec: &Exec) -> ColumnAccessor {
    let value = |column: &Column| match column.dtype().logical() {
        DType::Utf8 => Literal::from("ß"),
        DType::Bool => true.into(),
        DType::Date32 => "2000-01-01".into(),
        _ => 7.into(),
    };
    rows.map(rows.rows(), |column| fill_null(column, &value(column), exec)).unwrap()
}
