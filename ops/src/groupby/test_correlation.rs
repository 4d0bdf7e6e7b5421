//! Correlations of integers on every device, against the definition in 128-bit integers.

use crate::expression::{col, lit};
use crate::groupby::{GroupOptions, aggregate};
use columnade_buffers::{Device, Exec};
use columnade_columns::{Column, ColumnAccessor, DType, Scalar};
use columnade_tests::{Nulls, Rng};

/// The correlation of the pairs without a null; `None` for less than two.
#[expect(clippy::cast_precision_loss, reason = "rounded once")]
fn expected(pairs: impl Iterator<Item = (Option<i32>, Option<i32>)>) -> Option<f64> {
    let pairs: Vec<(i128, i128)> = pairs.filter_map(|(x, y)| Some((x?.into(), y?.into()))).collect();
    let n = pairs.len() as i128;
    let sum = |value: &dyn Fn(&(i128, i128)) -> i128| pairs.iter().map(value).sum::<i128>();
    let (x, y) = (sum(&|pair| pair.0), sum(&|pair| pair.1));
    let xy = n * sum(&|pair| pair.0 * pair.1) - x * y;
    let (xx, yy) = (n * sum(&|pair| pair.0 * pair.0) - x * x, n * sum(&|pair| pair.1 * pair.1) - y * y);
    (n >= 2).then(|| xy as f64 / ((xx as f64).sqrt() * (yy as f64).sqrt()))
}

fn check(found: &Scalar, expected: Option<f64>, case: &str) {
    match (found, expected) {
        (Scalar::Null(DType::Float64), None) => {}
        (Scalar::Float64(found), Some(expected)) if expected.is_nan() => assert!(found.is_nan(), "{case}"),
        (Scalar::Float64(found), Some(expected)) => {
            assert!((found - expected).abs() <= 1e-12, "{case}: {found} instead of {expected}");
            assert!(found.abs() <= 1.0, "{case}: {found}");
        }
        (found, expected) => panic!("{case}: {found:?} instead of {expected:?}"),
    }
}

#[test]
fn correlations_of_integers_equal_the_definition() {
    let mut rng = Rng::new(161);
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        for n in [0, 1, 2, 3, 31, 32, 33, 63, 64, 65, 700] {
            for nulls in [Nulls::NoMask, Nulls::Some, Nulls::All] {
                // Ends of the range, where squares of floats lose digits; and small numbers.
                for (least, most) in [(-3_i32, 4), (i32::MAX - 3, 4), (i32::MIN, 3), (0, 1)] {
                    let mut column = || -> Vec<Option<i32>> {
                        let mask = nulls.mask(n, &mut rng);
                        let value = |row: usize| {
                            let value = least + i32::try_from(rng.below(most)).unwrap();
                            mask.as_ref().is_none_or(|mask| mask[row]).then_some(value)
                        };
                        (0..n).map(value).collect()
                    };
                    let (x, y) = (column(), column());
                    let keys: Vec<i64> = (0..n).map(|_| i64::try_from(rng.below(5)).unwrap()).collect();
                    let frame = ColumnAccessor::from_columns([
                        ("k", Column::from_options(keys.iter().copied().map(Some), &exec).unwrap()),
                        ("x", Column::from_options(x.clone(), &exec).unwrap()),
                        ("y", Column::from_options(y.clone(), &exec).unwrap()),
                    ])
                    .unwrap();
                    let r = col("x").corr(col("y"));
                    let aggregates = [r.clone().alias("r"), (lit(1.0) - r).alias("rest"), col("x").count()];
                    let options = GroupOptions::default();
                    let groups = aggregate(&frame, None, &[col("k")], &aggregates, options, &exec).unwrap();
                    assert_eq!(groups.labels().len(), 4);
                    let found = groups.get("r").unwrap().to_scalars().unwrap();
                    let mut order = Vec::new();
                    for key in &keys {
                        if !order.contains(key) {
                            order.push(*key);
                        }
                    }
                    assert_eq!(found.len(), order.len());
                    for (key, found) in order.iter().zip(&found) {
                        let pairs = (0..n).filter(|&row| keys[row] == *key).map(|row| (x[row], y[row]));
                        let case = format!("{n} rows, {nulls:?}, from {least} on {device}");
                        check(found, expected(pairs), &case);
                    }
                    let whole = aggregate(&frame, None, &[], &aggregates, options, &exec).unwrap();
                    let found = whole.get("r").unwrap().to_scalars().unwrap();
                    check(&found[0], expected(x.iter().copied().zip(y.iter().copied())), "all rows");
                }
            }
        }
    }
}

#[test]
fn correlations_of_other_integers_and_floats_agree() {
    let exec = Exec::host();
    let x = [3_i64, -5, 8, 100, 7, 7];
    let y = [1_i64, 2, 3, 90, 5, -8];
    let frame = ColumnAccessor::from_columns([
        ("x", Column::from_vec(x.to_vec())),
        ("y", Column::from_vec(y.to_vec())),
    ])
    .unwrap();
    // Of casts to int64, by the rows of groups; of narrow integers, by exact sums.
    let dtypes = [DType::Int64, DType::Int32, DType::Int16, DType::Int8, DType::Float64];
    let r = |dtype: &DType| col("x").cast(dtype.clone()).corr(col("y").cast(dtype.clone()));
    let aggregates: Vec<_> =
        dtypes.iter().enumerate().map(|(at, dtype)| r(dtype).alias(format!("{at}"))).collect();
    let result = aggregate(&frame, None, &[], &aggregates, GroupOptions::default(), &exec).unwrap();
    for column in result.columns() {
        // numpy.corrcoef of the same values.
        check(&column.get(0).unwrap(), Some(0.982_872_988_705_501_8), "dtypes");
    }
}

#[test]
fn correlations_of_small_ranges_are_exact() {
    const ROWS: i32 = 4096;
    let exec = Exec::host();
    let mut rng = Rng::new(162);
    // 4096 · 1023² < 2³² and 4096 · 512 · 1023 < 2³¹: sums of the next widths do not fit in half of a word.
    for (x_width, y_width) in [
        (512, 1023),
        (513, 1023),
        (700, 1023),
        (511, 1024),
        (3, 1024),
        (3, 1400),
        (1, 1),
        (0, 9),
        (3, 524_287),
    ] {
        for (least, is_swapped) in [(-7, false), (i32::MAX - 600_000, true), (i32::MIN, false)] {
            let mut column = |width: i32| -> Vec<Option<i32>> {
                let mut value = |row: i32| match row % 64 {
                    0 => least + i32::try_from(rng.below(u64::try_from(width).unwrap() + 1)).unwrap(),
                    // The sums are near the largest ones.
                    _ => least + width,
                };
                (0..ROWS).map(|row| (row % 1000 != 9).then(|| value(row))).collect()
            };
            let (mut x, mut y) = (column(x_width), column(y_width));
            x[70] = None;
            if is_swapped {
                std::mem::swap(&mut x, &mut y);
            }
            let wide = |values: &[Option<i32>]| {
                let values = values.iter().map(|value| value.map(i64::from));
                Column::from_options(values, &exec).unwrap()
            };
            let frame = ColumnAccessor::from_columns([
                ("k", Column::from_vec(vec![7_i64; x.len()])),
                ("x", Column::from_options(x.clone(), &exec).unwrap()),
                ("y", Column::from_options(y.clone(), &exec).unwrap()),
                ("wide x", wide(&x)),
                ("wide y", wide(&y)),
            ])
            .unwrap();
            let aggregates = [
                col("x").corr(col("y")).alias("r"),
                col("wide x").corr(col("wide y")).alias("wide"),
                col("x").corr(col("wide y")).alias("mixed"),
            ];
            let expected = expected(x.into_iter().zip(y));
            for keys in [&[][..], &[col("k")]] {
                let groups =
                    aggregate(&frame, None, keys, &aggregates, GroupOptions::default(), &exec).unwrap();
                for label in ["r", "wide", "mixed"] {
                    let case = format!("{label} of widths {x_width} and {y_width} from {least}");
                    check(&groups.get(label).unwrap().get(0).unwrap(), expected, &case);
                }
            }
        }
    }
}

#[test]
fn correlations_of_large_integers_of_64_bits_match_the_definition() {
    let exec = Exec::host();
    for large in [i64::from(i32::MAX) + 1, i64::MAX, i64::MIN] {
        let frame = ColumnAccessor::from_columns([
            ("x", Column::from_vec(vec![1_i64, 2, 4, large])),
            ("y", Column::from_vec(vec![3_i64, 1, 2, 9])),
        ])
        .unwrap();
        let r = col("x").corr(col("y"));
        let groups = aggregate(&frame, None, &[], &[r], GroupOptions::default(), &exec).unwrap();
        // With one value that is far from the others, numpy.corrcoef gives ±0.97385168.
        let expected = if large < 0 { -0.973_851_681 } else { 0.973_851_681 };
        let Scalar::Float64(found) = groups.columns()[0].get(0).unwrap() else { panic!("a float") };
        assert!((found - expected).abs() < 1e-8, "{found}");
    }
}
