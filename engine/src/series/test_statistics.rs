//! Statistics with degrees of freedom and counts, and functions of missing values, against naive versions.

use columnade_columns::Scalar;
use columnade_ops::expression::Interpolation;

use super::Series;
use crate::testing::on_every_device;

type Values = Vec<Option<f64>>;

/// None, one and two rows, and 70 with nulls, more than a mask word.
fn inputs() -> Vec<Values> {
    let many = (0..70_i32).map(|row| (row % 7 != 3).then(|| f64::from(row * row % 37) - 4.5));
    vec![vec![], vec![None], vec![Some(3.0)], vec![Some(-0.0), Some(4.0)], many.collect()]
}

fn series(values: &Values) -> Series {
    // A slice of more rows.
    let rows = values.iter().copied().chain([Some(99.0)]);
    let all = Series::new(std::iter::once(None).chain(rows).collect::<Values>()).expect("floats");
    all.slice(1, values.len()).expect("inside")
}

fn count(values: usize) -> f64 {
    f64::from(u32::try_from(values).expect("few values"))
}

fn deviations(values: &[f64], others: &[f64]) -> f64 {
    let mean = |values: &[f64]| values.iter().sum::<f64>() / count(values.len());
    let (left, right) = (mean(values), mean(others));
    values.iter().zip(others).map(|(x, y)| (x - left) * (y - right)).sum()
}

fn assert_near(found: &Scalar, expected: Option<f64>) {
    match (found, expected) {
        (Scalar::Null(_), None) => {}
        (Scalar::Float64(found), Some(expected)) => {
            assert!((found - expected).abs() <= 1e-9 * expected.abs().max(1.0), "{found} is not {expected}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn statistics_divide_by_count_less_ddof() {
    on_every_device(|_| {
        for values in inputs() {
            let valid: Vec<f64> = values.iter().flatten().copied().collect();
            let squares: Vec<f64> = valid.iter().map(|x| x * x).collect();
            let (x, n) = (series(&values), valid.len());
            let y = x.mul(&x).expect("squares");
            for ddof in [0, 1, 2, 70] {
                let left = n.checked_sub(ddof as usize).filter(|left| *left > 0).map(count);
                let var = left.map(|left| deviations(&valid, &valid) / left);
                let cov = left.map(|left| deviations(&valid, &squares) / left);
                let sem = var.map(|var| (var / count(n)).sqrt());
                assert_near(&x.var_ddof(ddof).expect("a variance"), var);
                assert_near(&x.std_ddof(ddof).expect("a deviation"), var.map(f64::sqrt));
                assert_near(&x.sem_ddof(ddof).expect("an error"), sem);
                assert_near(&x.cov_ddof(&y, ddof).expect("a covariance"), cov);
            }
        }
    });
}

#[test]
fn sums_and_products_of_too_few_values_are_null() {
    on_every_device(|_| {
        for values in inputs() {
            let valid: Vec<f64> = values.iter().flatten().copied().collect();
            for min_count in [0, 1, 2, 60, 61] {
                let enough = valid.len() >= min_count;
                let count = min_count as u64;
                let sum = series(&values).sum_min_count(count).expect("a sum");
                assert_near(&sum, enough.then(|| valid.iter().sum()));
                let product = series(&values).product_min_count(count).expect("a product");
                if valid.len() < 3 {
                    assert_near(&product, enough.then(|| valid.iter().product()));
                } else {
                    assert_eq!(matches!(product, Scalar::Null(_)), !enough);
                }
            }
        }
    });
}

#[test]
fn quantiles_are_single_ones_in_order() {
    on_every_device(|_| {
        for values in inputs() {
            let (x, shares) = (series(&values), [0.9, 0.0, 0.5]);
            let found = x.quantiles(shares, Interpolation::Midpoint).expect("quantiles");
            let single = shares.map(|q| x.quantile_with(q, Interpolation::Midpoint).expect("a quantile"));
            assert_eq!(found.to_scalars().expect("values"), single);
            assert!(x.quantiles([], Interpolation::Linear).expect("none").is_empty());
        }
    });
}

#[test]
fn shift_or_fills_rows_without_source() {
    on_every_device(|_| {
        for values in inputs() {
            for n in [0_i64, 1, -1, 3, -3, 70, 71, i64::MIN, i64::MAX] {
                let row = |row: usize| {
                    let source = i128::try_from(row).expect("a row") - i128::from(n);
                    match usize::try_from(source).ok().and_then(|source| values.get(source)) {
                        Some(value) => *value,
                        None => Some(7.0),
                    }
                };
                let found = series(&values).shift_or(n, 7).expect("a shift");
                let expected: Values = (0..values.len()).map(row).collect();
                assert_eq!(found.to_options::<f64>().expect("floats"), expected, "{n}");
            }
        }
    });
}

#[test]
fn interpolation_stops_after_limit() {
    on_every_device(|_| {
        let gaps = [None, Some(0.0), None, None, None, Some(8.0), None, Some(10.0), None];
        for limit in 0..5_usize {
            let found = Series::new(gaps).expect("floats").interpolate_limit(limit as u64).expect("floats");
            let row = |row: usize| {
                let all = [
                    None,
                    Some(0.0),
                    Some(2.0),
                    Some(4.0),
                    Some(6.0),
                    Some(8.0),
                    Some(9.0),
                    Some(10.0),
                    None,
                ];
                let before = (0..=row).rev().find(|row| gaps[*row].is_some());
                all[row].filter(|_| before.is_some_and(|before| row - before <= limit))
            };
            let expected: Values = (0..gaps.len()).map(row).collect();
            assert_eq!(found.to_options::<f64>().expect("floats"), expected, "{limit}");
        }
    });
}

#[test]
fn nan_is_filled_and_null_is_not() {
    on_every_device(|_| {
        let x = Series::new([Some(f64::NAN), None, Some(-0.0)]).expect("floats");
        assert_eq!(
            x.fill_nan(2).expect("floats").to_options::<f64>().expect("floats"),
            [Some(2.0), None, Some(-0.0)]
        );
        assert_eq!(
            x.nan_to_null().expect("floats").to_options::<f64>().expect("floats"),
            [None, None, Some(-0.0)]
        );
        let whole = Series::new([1_i32, 2]).expect("integers");
        assert_eq!(whole.nan_to_null().expect("integers").to_vec::<i32>().expect("integers"), [1, 2]);
    });
}
