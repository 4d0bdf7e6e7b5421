//! Matrices of correlations and covariances on every device, against the definition.

use super::{corr, cov, kendall, spearman};
use crate::test_frames::{limited, moved};
use columnade_buffers::{Device, Exec};
use columnade_columns::{Column, ColumnAccessor, DType, Result};
use columnade_tests::{Rng, SIZES};

type Rows = Vec<Option<f64>>;

fn pairs(x: &Rows, y: &Rows) -> Vec<(f64, f64)> {
    x.iter().zip(y).filter_map(|(x, y)| Some(((*x)?, (*y)?))).collect()
}

/// The number of pairs, and the sums of products of the deviations from their means: x with x, y with y, x with y. Equal values
/// have none.
fn products(pairs: &[(f64, f64)]) -> (f64, [f64; 3]) {
    #[expect(clippy::cast_precision_loss, reason = "test sizes")]
    let n = pairs.len() as f64;
    let deviations = |values: Vec<f64>| -> Vec<f64> {
        let first = values.first().copied().unwrap_or(0.0);
        // Of differences from the first value: those of far values are exact.
        let mean = values.iter().map(|value| value - first).sum::<f64>() / n;
        let is_constant = values.windows(2).all(|two| two[0].to_bits() == two[1].to_bits());
        values.iter().map(|value| if is_constant { 0.0 } else { value - first - mean }).collect()
    };
    let x = deviations(pairs.iter().map(|pair| pair.0).collect());
    let y = deviations(pairs.iter().map(|pair| pair.1).collect());
    let sum = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| x * y).sum::<f64>();
    (n, [sum(&x, &x), sum(&y, &y), sum(&x, &y)])
}

/// The covariance and the correlation of a pair, with a scale for the error of the first.
fn expected(x: &Rows, y: &Rows, ddof: f64) -> (Option<f64>, Option<f64>, f64) {
    let (n, [xx, yy, xy]) = products(&pairs(x, y));
    let corr = xy / (xx.sqrt() * yy.sqrt());
    ((n > ddof).then(|| xy / (n - ddof)), (n >= 2.0).then_some(corr), xx.sqrt() * yy.sqrt())
}

fn assert_close(found: Option<f64>, expected: Option<f64>, scale: f64, what: &str) {
    let is_close = match (found, expected) {
        (Some(found), Some(expected)) if expected.is_nan() => found.is_nan(),
        (Some(found), Some(expected)) => (found - expected).abs() <= 1e-12 * scale,
        (found, expected) => found == expected,
    };
    assert!(is_close, "{what}: {found:?} is not {expected:?}");
}

/// Compares the matrices of these columns on every device, whole and in chunks.
fn check(columns: &[Rows], what: &str) {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let made = columns.iter().enumerate().map(|(c, rows)| {
            let column = Column::from_options(rows.clone(), &exec).unwrap();
            (format!("c{c}"), column)
        });
        let frame = ColumnAccessor::from_columns(made).unwrap();
        check_frame(columns, &frame, &exec, &format!("{what} on {device}"));
    }
}

fn check_frame(columns: &[Rows], frame: &ColumnAccessor, exec: &Exec, what: &str) {
    let (corr, cov) = (corr(frame, exec).unwrap(), cov(frame, 1, exec).unwrap());
    assert_eq!((corr.labels(), cov.labels()), (frame.labels(), frame.labels()), "{what}");
    for (i, x) in columns.iter().enumerate() {
        let [corr, cov] = [&corr, &cov].map(|matrix| matrix.columns()[i].to_options::<f64>().unwrap());
        assert_eq!((corr.len(), cov.len()), (columns.len(), columns.len()), "{what}");
        for (j, y) in columns.iter().enumerate() {
            let (of_cov, of_corr, scale) = expected(x, y, 1.0);
            assert_close(cov[j], of_cov, scale, &format!("covariance of {i} and {j}, {what}"));
            assert_close(corr[j], of_corr, 1.0, &format!("correlation of {i} and {j}, {what}"));
        }
    }
}

fn number(rng: &mut Rng) -> f64 {
    f64::from(u32::try_from(rng.below(2_000_001)).unwrap()) / 1e6 - 1.0
}

fn random(rows: usize, nulls: bool, rng: &mut Rng) -> Rows {
    (0..rows)
        .map(|_| {
            let value = number(rng) * 1e3 + 5e3;
            (!nulls || rng.below(4) > 0).then_some(value)
        })
        .collect()
}

#[test]
fn matrices_match_the_definition() {
    let mut rng = Rng::new(331);
    for rows in SIZES {
        let columns: Vec<Rows> = (0..4).map(|c| random(rows, c % 2 == 1, &mut rng)).collect();
        check(&columns, &format!("{rows} rows"));
        let full: Vec<Rows> = (0..3).map(|_| random(rows, false, &mut rng)).collect();
        check(&full, &format!("{rows} rows without nulls"));
    }
    let many: Vec<Rows> = (0..70).map(|c| random(90, c % 9 == 0, &mut rng)).collect();
    check(&many, "70 columns");
}

/// Rows of a pair may lie far from the mean of their columns, be equal where others are not, or have no value that is finite
/// elsewhere.
#[test]
fn pairs_far_from_the_means_of_their_columns_match_the_definition() {
    let mut rng = Rng::new(332);
    let rows = 400;
    let far: Rows = (0..rows)
        .map(|row| Some(if row < 200 { 1e9 + number(&mut rng) } else { number(&mut rng) }))
        .collect();
    let first: Rows = (0..rows).map(|row| (row < 200).then(|| number(&mut rng))).collect();
    let rest: Rows = (0..rows).map(|row| (row >= 200).then(|| number(&mut rng))).collect();
    let steps: Rows = (0..rows).map(|row| Some(if row < 200 { 0.1 } else { 0.7 })).collect();
    let infinite: Rows =
        (0..rows).map(|row| Some(if row == 300 { f64::INFINITY } else { number(&mut rng) })).collect();
    let nan: Rows = (0..rows).map(|row| Some(if row == 10 { f64::NAN } else { number(&mut rng) })).collect();
    check(&[far, first, rest, steps, infinite, nan], "rows apart");
}

#[test]
fn equal_values_have_no_correlation() {
    let rows = 30;
    let tenth: Rows = vec![Some(0.1); rows];
    let varying: Rows =
        (0..rows).map(|row| (row != 4).then(|| f64::from(u32::try_from(row % 7).unwrap()))).collect();
    check(&[tenth.clone(), varying, tenth, vec![None; rows], vec![Some(-0.0); rows]], "constants");
}

#[test]
fn large_and_small_magnitudes_match_the_definition() {
    let mut rng = Rng::new(333);
    let scaled = |scale: f64, rng: &mut Rng| -> Rows { (0..50).map(|_| Some(number(rng) * scale)).collect() };
    let columns: Vec<Rows> =
        [1e120, 1e-120, 1e10, 1.0, 1e-90].into_iter().map(|scale| scaled(scale, &mut rng)).collect();
    check(&columns, "magnitudes");
}

#[test]
fn lines_have_a_correlation_of_one() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let of = |step: i32| Column::from_vec((0..1_000).map(|row| row * step).collect::<Vec<i32>>());
        let frame = ColumnAccessor::from_columns([("a", of(1)), ("b", of(-3)), ("c", of(7))]).unwrap();
        let frame = moved(&frame, &exec);
        let found = corr(&frame, &exec).unwrap();
        assert_eq!(found.get("a").unwrap().to_vec::<f64>().unwrap(), [1.0, -1.0, 1.0], "on {device}");
        assert_eq!(found.get("b").unwrap().to_vec::<f64>().unwrap(), [-1.0, 1.0, -1.0], "on {device}");
    }
}

/// Integers, decimals, booleans and small floats are taken as `float64`, and slices as they are.
#[test]
fn columns_of_other_dtypes_match_the_definition() -> Result<()> {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let rows = 200_usize;
        let values: Vec<Option<f64>> = (0..rows)
            .map(|row| (row % 11 != 3).then(|| f64::from(u32::try_from(row * row % 50).unwrap())))
            .collect();
        let all = Column::from_options(values.clone(), &exec)?;
        let dtypes = [DType::Int8, DType::UInt32, DType::Float32, DType::decimal(9, 2)?, DType::Int64];
        let columns = dtypes.into_iter().enumerate().map(|(c, dtype)| {
            let mode = columnade_kernels::elementwise::cast::CastMode::Checked;
            let column = crate::cast::cast(&all, &dtype, mode, &exec)?.slice(c, rows - 7)?;
            Ok((format!("c{c}"), column))
        });
        let frame = ColumnAccessor::from_columns(columns.collect::<Result<Vec<_>>>()?)?;
        let expected: Vec<Rows> = (0..5).map(|c| values[c..c + rows - 7].to_vec()).collect();
        check_frame(&expected, &frame, &exec, &format!("dtypes on {device}"));
    }
    Ok(())
}

#[test]
fn matrices_under_a_limit_match_the_definition() {
    let mut rng = Rng::new(334);
    let columns: Vec<Rows> = (0..6).map(|c| random(60_000, c % 2 == 1, &mut rng)).collect();
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let made = columns
            .iter()
            .enumerate()
            .map(|(c, rows)| (format!("c{c}"), Column::from_options(rows.clone(), &exec).unwrap()));
        let frame = ColumnAccessor::from_columns(made).unwrap();
        let (_, tight) = limited(&exec, 1 << 20);
        let frame = moved(&frame, &tight);
        check_frame(&columns, &frame, &tight, &format!("under a limit on {device}"));
    }
}

#[test]
fn ranks_are_those_of_the_rows_of_a_pair() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let column = |rows: &[Option<i64>]| Column::from_options(rows.to_vec(), &exec).unwrap();
        let full = ColumnAccessor::from_columns([
            ("a", column(&[Some(1), Some(2), Some(3), Some(4), Some(5)])),
            ("b", column(&[Some(5), Some(6), Some(7), Some(8), Some(7)])),
        ])
        .unwrap();
        // scipy.stats.spearmanr([1, 2, 3, 4, 5], [5, 6, 7, 8, 7]) and kendalltau of the same.
        let of = |matrix: &ColumnAccessor| matrix.get("b").unwrap().to_vec::<f64>().unwrap();
        let (rho, tau) = (of(&spearman(&full, &exec).unwrap()), of(&kendall(&full, &exec).unwrap()));
        assert!(
            (rho[0] - 0.820_782_681_668_123_2).abs() < 1e-15 && (rho[1] - 1.0).abs() < 1e-15,
            "{rho:?} on {device}"
        );
        assert!(
            (tau[0] - 0.737_864_787_372_621_8).abs() < 1e-15 && (tau[1] - 1.0).abs() < 1e-15,
            "{tau:?} on {device}"
        );
        // Without the row whose value is null the ranks are 1, 2, 3 on both sides.
        let some = ColumnAccessor::from_columns([
            ("a", column(&[Some(1), Some(9), Some(2), Some(3)])),
            ("b", column(&[Some(5), None, Some(60), Some(700)])),
        ])
        .unwrap();
        assert_eq!(of(&spearman(&some, &exec).unwrap()), [1.0, 1.0], "on {device}");
    }
}

#[test]
fn texts_are_refused_by_column_and_nothing_has_no_pairs() {
    let exec = Exec::host();
    let frame = ColumnAccessor::from_columns([
        ("n", Column::from_vec(vec![1_i64, 2])),
        ("word", Column::from_values(["a", "b"], &exec).unwrap()),
    ])
    .unwrap();
    for error in [corr(&frame, &exec).unwrap_err(), cov(&frame, 1, &exec).unwrap_err()] {
        assert!(error.to_string().contains("utf8"), "{error}");
        assert!(error.to_string().contains("word"), "{error}");
    }
    let none = corr(&ColumnAccessor::with_rows(3), &exec).unwrap();
    assert!(none.is_empty());
}
