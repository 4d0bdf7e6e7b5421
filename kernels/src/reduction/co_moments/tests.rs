//! Tests of `co_moments` on every device of the build.

use super::{CoMoments, co_moments};
use crate::{Error, Fixed, FixedData, Storage};
use columnade_buffers::{Buffer, Device, Exec};
use columnade_tests::{Rng, SIZES};

/// Values with rows before the first, as of a slice.
struct Input {
    rows: Vec<Option<f64>>,
    values: Buffer,
    validity: Option<Buffer>,
}

const OFFSET: usize = 3;

impl Input {
    fn new(rows: Vec<Option<f64>>, has_mask: bool, exec: &Exec) -> Self {
        let before = [Some(f64::NAN), None, Some(7e300)];
        let all: Vec<Option<f64>> = before.into_iter().chain(rows.iter().copied()).collect();
        // What is behind a null is not read as a value.
        let values: Vec<f64> = all.iter().map(|value| value.unwrap_or(f64::NAN)).collect();
        let mut bits = vec![0_u8; all.len().div_ceil(8)];
        for (row, value) in all.iter().enumerate() {
            bits[row / 8] |= u8::from(value.is_some()) << (row % 8);
        }
        let validity = has_mask.then(|| Buffer::from_slice(&bits, exec).unwrap());
        Self { rows, values: Buffer::from_slice(&values, exec).unwrap(), validity }
    }

    fn view(&self) -> Fixed<'_> {
        Fixed {
            storage: Storage::F64,
            data: &self.values,
            validity: self.validity.as_ref(),
            offset: OFFSET,
            len: self.rows.len(),
        }
    }
}

fn numbers(moments: &CoMoments, exec: &Exec) -> [Vec<f64>; 6] {
    let CoMoments { n, x, y, xx, yy, xy } = moments;
    [n, x, y, xx, yy, xy].map(|data: &FixedData| {
        assert!(data.storage == Storage::F64 && data.validity.is_none());
        let values = data.data.to_vec::<f64>(exec).unwrap();
        values[..data.len].to_vec()
    })
}

/// The sums by the definition, and those of the magnitudes of what is added up.
fn expected(inputs: &[Input], centers: &[f64], i: usize, j: usize) -> ([f64; 6], [f64; 6]) {
    let (mut sums, mut magnitudes) = ([0.0; 6], [0.0; 6]);
    for (x, y) in inputs[i].rows.iter().zip(&inputs[j].rows) {
        let (Some(x), Some(y)) = (x, y) else { continue };
        let (x, y) = (x - centers[i], y - centers[j]);
        for (k, term) in [1.0, x, y, x * x, y * y, x * y].into_iter().enumerate() {
            sums[k] += term;
            magnitudes[k] += term.abs();
        }
    }
    (sums, magnitudes)
}

/// Compares all sums with those by the definition, and those of devices with those of the host.
fn check(columns: &[Vec<Option<f64>>], masks: &dyn Fn(usize) -> bool, centers: &[f64], what: &str) {
    let mut of_host: Option<[Vec<f64>; 6]> = None;
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let inputs: Vec<Input> =
            columns.iter().enumerate().map(|(c, rows)| Input::new(rows.clone(), masks(c), &exec)).collect();
        let views: Vec<Fixed<'_>> = inputs.iter().map(Input::view).collect();
        let data = Buffer::from_slice(&[&[f64::NAN], centers].concat(), &exec).unwrap();
        let centers_view =
            Fixed { storage: Storage::F64, data: &data, validity: None, offset: 1, len: centers.len() };
        let found = numbers(&co_moments(&views, &centers_view, &exec).unwrap(), &exec);
        let pairs: Vec<(usize, usize)> =
            (0..columns.len()).flat_map(|i| (0..=i).map(move |j| (i, j))).collect();
        for kind in &found {
            assert_eq!(kind.len(), pairs.len(), "{what} on {device}");
        }
        for (at, &(i, j)) in pairs.iter().enumerate() {
            let (sums, magnitudes) = expected(&inputs, centers, i, j);
            for k in 0..6 {
                let error = (found[k][at] - sums[k]).abs();
                assert!(
                    error <= 1e-13 * magnitudes[k],
                    "sum {k} of columns {i} and {j}, {what} on {device}: {} is not {}",
                    found[k][at],
                    sums[k]
                );
            }
        }
        let host = of_host.get_or_insert_with(|| found.clone());
        for (k, (host, found)) in host.iter().zip(&found).enumerate() {
            let bits = |values: &[f64]| values.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
            assert_eq!(bits(found), bits(host), "bytes of sum {k}, {what} on {device}");
        }
    }
}

fn random(rows: usize, nulls: bool, rng: &mut Rng) -> Vec<Option<f64>> {
    let step = |rng: &mut Rng| f64::from(u32::try_from(rng.below(2_000_001)).unwrap()) / 1e6 - 1.0;
    (0..rows)
        .map(|_| {
            let value = step(rng) * 1e3;
            (!nulls || rng.below(4) > 0).then_some(value)
        })
        .collect()
}

#[test]
fn sums_of_pairs_match_the_definition() {
    let mut rng = Rng::new(11);
    for columns in [0, 1, 2, 3, 5] {
        for rows in SIZES {
            let data: Vec<_> = (0..columns).map(|_| random(rows, false, &mut rng)).collect();
            let centers: Vec<f64> =
                (0..columns).map(|c| f64::from(u32::try_from(c).unwrap()) - 1.5).collect();
            check(&data, &|_| false, &centers, &format!("{columns} columns of {rows} rows"));
            let nulls: Vec<_> = (0..columns).map(|_| random(rows, true, &mut rng)).collect();
            check(&nulls, &|_| true, &centers, &format!("{columns} columns of {rows} rows with nulls"));
        }
    }
}

/// Panels, blocks, tiles and segments, each with one more and one less.
#[test]
fn many_columns_and_rows_match_the_definition() {
    let mut rng = Rng::new(12);
    for (columns, rows) in
        [(7, 300), (8, 255), (9, 256), (16, 257), (17, 40), (33, 70), (64, 33), (67, 600), (3, 9_001)]
    {
        let data: Vec<_> = (0..columns).map(|c| random(rows, c % 3 == 1, &mut rng)).collect();
        let centers = vec![0.25; columns];
        check(
            &data,
            &|c| c % 3 == 1,
            &centers,
            &format!("{columns} columns of {rows} rows, some with nulls"),
        );
        let full: Vec<_> = (0..columns).map(|_| random(rows, false, &mut rng)).collect();
        check(&full, &|_| false, &centers, &format!("{columns} columns of {rows} rows"));
    }
}

#[test]
fn centers_take_the_mean_out_of_values_that_differ_little() {
    let rows = 5_000;
    let column = |phase: usize| -> Vec<Option<f64>> {
        (0..rows)
            .map(|row| Some(1e9 + f64::from(u32::try_from((row * 7 + phase) % 16).unwrap()) / 16.0))
            .collect()
    };
    check(&[column(0), column(5)], &|_| false, &[1e9 + 0.5, 1e9 + 0.5], "far from zero");
}

#[test]
fn null_centers_are_zero() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let input = Input::new(vec![Some(2.0), Some(3.0)], false, &exec);
        let data = Buffer::from_slice(&[f64::NAN], &exec).unwrap();
        let validity = Buffer::from_slice(&[0_u8], &exec).unwrap();
        let centers =
            Fixed { storage: Storage::F64, data: &data, validity: Some(&validity), offset: 0, len: 1 };
        let found = numbers(&co_moments(&[input.view()], &centers, &exec).unwrap(), &exec);
        assert_eq!(found, [[2.0], [5.0], [5.0], [13.0], [13.0], [13.0]], "on {device}");
    }
}

#[test]
fn other_types_and_lengths_are_refused() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let one = Input::new(vec![Some(1.0)], false, &exec);
        let two = Input::new(vec![Some(1.0), None], true, &exec);
        let data = Buffer::from_slice(&[0.0, 0.0], &exec).unwrap();
        let centers = Fixed { storage: Storage::F64, data: &data, validity: None, offset: 0, len: 2 };
        let error = |columns: &[Fixed<'_>]| co_moments(columns, &centers, &exec).unwrap_err();
        assert_eq!(error(&[one.view()]), Error::LengthMismatch { left: 1, right: 2 });
        assert_eq!(error(&[one.view(), two.view()]), Error::LengthMismatch { left: 1, right: 2 });
        let integers = Fixed { storage: Storage::I64, ..one.view() };
        assert_eq!(error(&[one.view(), integers]), Error::UnsupportedStorage { storage: Storage::I64 });
    }
}
