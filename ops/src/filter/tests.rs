//! Filtering rows of every kind of column.

use super::{apply_mask, filter, filter_columns};
use crate::expression::{col, evaluate_mask, lit};
use crate::test_dtypes::{dtypes, scalars};
use crate::test_frames::{assert_lines, frame, limited, lines, moved, peak_of, share_of};
use columnade_buffers::{Device, Exec};
use columnade_columns::{CategoricalColumn, Column, ColumnAccessor, DType, Error, ErrorKind, Scalar};
use columnade_tests::{Nulls, Rng, SIZES};
use std::sync::Arc;

#[test]
fn apply_mask_keeps_rows_that_are_true() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(3);
        for (&n, nulls) in SIZES.iter().flat_map(|n| Nulls::ALL.map(|nulls| (n, nulls))) {
            let offset = n.min(3);
            let numbers: Vec<Option<i64>> =
                (0..n).map(|_| (rng.below(4) > 0).then_some(rng.next().cast_signed())).collect();
            let words: Vec<Option<String>> =
                (0..n).map(|_| (rng.below(4) > 0).then(|| rng.text(5))).collect();
            let codes: Vec<i8> = (0..n).map(|_| i8::try_from(rng.below(3)).unwrap()).collect();
            let valid = nulls.mask(n, &mut rng).unwrap_or(vec![true; n]);
            let mask: Vec<Option<bool>> =
                valid.iter().map(|&valid| valid.then(|| rng.below(2) == 1)).collect();
            let dictionary = Arc::new(Column::from_values(["a", "b", "ß"], &exec).unwrap());
            let category =
                CategoricalColumn::new(&Column::from_slice(&codes, &exec).unwrap(), dictionary).unwrap();
            let columns = ColumnAccessor::from_columns([
                ("number", Column::from_options(numbers, &exec).unwrap()),
                ("word", Column::from_options(words, &exec).unwrap()),
                ("category", Column::Categorical(category)),
            ])
            .unwrap()
            .slice(offset, n - offset)
            .unwrap();
            let mask_column =
                Column::from_options(mask.clone(), &exec).unwrap().slice(offset, n - offset).unwrap();
            let kept = apply_mask(&columns, &mask_column, &exec).unwrap();
            for (label, column) in kept.iter() {
                let source = columns.get(label).unwrap().to_scalars().unwrap();
                let expected: Vec<Scalar> = source
                    .into_iter()
                    .zip(&mask[offset..])
                    .filter(|(_, keep)| **keep == Some(true))
                    .map(|(value, _)| value)
                    .collect();
                assert_eq!(column.to_scalars().unwrap(), expected, "{label} n={n} {nulls:?} {device}");
            }
        }
    }
}

#[test]
fn apply_mask_of_other_dtype_or_length_returns_error() {
    let exec = Exec::host();
    let columns = ColumnAccessor::from_columns([("a", Column::from_vec(vec![1_i64, 2]))]).unwrap();
    let refused = apply_mask(&columns, &Column::from_vec(vec![1_i64, 0]), &exec).unwrap_err();
    assert_eq!(refused, Error::NotBoolean { dtype: DType::Int64 });
    let text = Column::from_values(["true", "false"], &exec).unwrap();
    assert_eq!(apply_mask(&columns, &text, &exec).unwrap_err().kind(), ErrorKind::Type);
    let short = Column::from_values([true], &exec).unwrap();
    assert_eq!(apply_mask(&columns, &short, &exec).unwrap_err().kind(), ErrorKind::Value);
    let mask = Column::from_values([true, false, true], &exec).unwrap();
    assert_eq!(apply_mask(&ColumnAccessor::with_rows(3), &mask, &exec).unwrap().rows(), 2);
}

#[test]
fn apply_mask_of_every_dtype_keeps_rows() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(4);
        for n in [0, 1, 65] {
            let keep: Vec<Option<bool>> =
                (0..n).map(|_| (rng.below(5) > 0).then(|| rng.below(2) == 1)).collect();
            let mask = Column::from_options(keep.clone(), &exec).unwrap();
            let values: Vec<Vec<Scalar>> = dtypes().iter().map(|dtype| scalars(dtype, n, &mut rng)).collect();
            let columns = dtypes().into_iter().zip(&values).map(|(dtype, values)| {
                (dtype.to_string(), Column::from_scalars(&dtype, values, &exec).unwrap())
            });
            let columns = ColumnAccessor::from_columns(columns).unwrap();
            let kept = apply_mask(&columns, &mask, &exec).unwrap();
            for (column, values) in kept.columns().iter().zip(&values) {
                let expected: Vec<Scalar> = values
                    .iter()
                    .zip(&keep)
                    .filter(|(_, keep)| **keep == Some(true))
                    .map(|(value, _)| value.clone())
                    .collect();
                assert_eq!(column.to_scalars().unwrap(), expected, "{} n={n} {device}", column.dtype());
            }
            let nested = columns.select(["list<utf8>"]).unwrap();
            assert_eq!(apply_mask(&nested, &mask, &exec).unwrap().rows(), kept.rows());
        }
    }
}

#[test]
fn filter_columns_keeps_rows_of_chosen_columns() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(8);
        for (n, nulls) in SIZES.into_iter().flat_map(|n| Nulls::ALL.map(|nulls| (n, nulls))) {
            let rows = frame(n, 40, nulls, &mut rng, &exec);
            let windowed = col("u16").ge(col("u16").shift(1));
            for predicate in [col("u16").ge(lit(20)), windowed, lit(true), lit(false)] {
                let expected = filter(&rows, &predicate, &exec).unwrap();
                for labels in [&["word", "u16"][..], &["word"], &[]] {
                    let kept = filter_columns(&rows, labels, &predicate, &exec).unwrap();
                    assert_eq!(kept.labels(), labels, "{device}");
                    assert_eq!(kept.rows(), expected.rows(), "{predicate} n={n} {device}");
                    assert_eq!(
                        lines(&kept),
                        lines(&expected.select(labels).unwrap()),
                        "{predicate} n={n} {device}"
                    );
                }
            }
        }
        let rows = frame(3, 40, Nulls::NoMask, &mut rng, &exec);
        let twice = filter_columns(&rows, &["u16", "u16"], &lit(true), &exec).unwrap_err();
        assert_eq!(twice.kind(), ErrorKind::Value);
        let unknown = filter_columns(&rows, &["tax"], &lit(true), &exec).unwrap_err();
        assert!(matches!(unknown, Error::ColumnNotFound { .. }), "{unknown}");
    }
}

#[test]
fn filter_of_frame_larger_than_budget_stays_within_it() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(31);
        let rows = frame(6_000, 1000, Nulls::Some, &mut rng, &exec);
        let bytes = rows.row_bytes().unwrap();
        for (share, least) in [(1, 1), (2, 500), (4, 900), (8, 0), (8, 60_000)] {
            let predicate = col("u16").ge(lit(least));
            let mask = evaluate_mask(&predicate, &rows, &exec).unwrap();
            let expected = lines(&apply_mask(&rows, &mask, &exec).unwrap());
            let limit = share_of(bytes, share, device);
            let (manager, tight) = limited(&exec, limit);
            let source = moved(&rows, &tight);
            let mask = evaluate_mask(&predicate, &source, &tight).unwrap();
            let (peak, [kept, masked]) = peak_of(&manager, || {
                [filter(&source, &predicate, &tight).unwrap(), apply_mask(&source, &mask, &tight).unwrap()]
            });
            assert!(peak <= limit, "{peak} of {limit}, 1/{share} on {device}");
            assert_lines(&lines(&kept), &expected, &format!("1/{share} on {device}"));
            assert_lines(&lines(&masked), &expected, &format!("1/{share} by a mask on {device}"));
        }
    }
}
