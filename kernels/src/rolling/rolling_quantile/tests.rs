//! `rolling_quantile` against the sorted rows of each window.

use super::super::windows::of_columns;
use super::{Interpolation, WindowBounds, Windows, rolling_quantile, rolling_quantile_rows};
use crate::test_values::{TestColumn, as_i128, rows_of};
use crate::{Error, Storage, Value};
use columnade_buffers::{Device, Exec};
use columnade_tests::{Nulls, Rng, SIZES};

fn order(n: usize, nulls: Nulls, rng: &mut Rng, exec: &Exec) -> TestColumn {
    let mut numbers: Vec<i64> = (0..n as i64).collect();
    for row in (1..n).rev() {
        numbers.swap(row, rng.below(row as u64 + 1) as usize);
    }
    // One row before the column.
    let values: Vec<_> = std::iter::once(7).chain(numbers).map(Value::I64).collect();
    let valid = nulls.mask(n + 1, rng);
    TestColumn::new(Storage::I64, &values, valid.as_deref(), 1, exec)
}

/// Bounds as values at an odd offset.
fn column(bounds: &[(i64, i64)], bound: fn(&(i64, i64)) -> i64, exec: &Exec) -> TestColumn {
    let values: Vec<_> = [(3, 4)].iter().chain(bounds).map(|pair| Value::I64(bound(pair))).collect();
    TestColumn::new(Storage::I64, &values, None, 1, exec)
}

fn check(order: &TestColumn, bounds: &[(i64, i64)], q: f64, min_values: u64, exec: &Exec) {
    let (starts, ends) = (column(bounds, |pair| pair.0, exec), column(bounds, |pair| pair.1, exec));
    check_windows(order, bounds, q, &of_columns(&starts, &ends, min_values), exec);
}

/// Windows, which have these bounds.
fn check_windows(order: &TestColumn, bounds: &[(i64, i64)], q: f64, windows: &Windows<'_>, exec: &Exec) {
    let min_values = windows.min_values;
    let n = order.rows.len();
    let found = rolling_quantile(&order.view(), windows, q, exec).unwrap();
    let [low, high, found_place] = [&found.low, &found.high, &found.place].map(|data| rows_of(data, exec));
    assert_eq!(low.len(), bounds.len());
    for (window, &(start, end)) in bounds.iter().enumerate() {
        let (start, end) = (start.clamp(0, n as i64) as usize, end.clamp(0, n as i64) as usize);
        let mut sorted: Vec<i128> = (start..end).filter_map(|row| order.rows[row]).map(as_i128).collect();
        sorted.sort_unstable();
        let context = format!("n={n} q={q} window {window} {start}..{end} {}", exec.device());
        if sorted.is_empty() || (sorted.len() as u64) < min_values {
            assert_eq!((low[window], high[window], found_place[window]), (None, None, None), "{context}");
            continue;
        }
        let place = (sorted.len() - 1) as f64 * q;
        assert_eq!(low[window].map(as_i128), Some(sorted[place.floor() as usize]), "{context}");
        assert_eq!(high[window].map(as_i128), Some(sorted[place.ceil() as usize]), "{context}");
        assert_eq!(found_place[window], Some(Value::F64(place)), "{context}");
    }
}

#[test]
fn quantiles_of_windows_match_sorted_rows() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(51);
        for (i, n) in SIZES.into_iter().filter(|&n| n < 600).enumerate() {
            let order = order(n, Nulls::ALL[i % 4], &mut rng, &exec);
            let slides = i % 3 != 0;
            let bounds: Vec<(i64, i64)> = (0..n + i % 2)
                .map(|row| {
                    let row = row as i64;
                    if slides {
                        (row - 6, row + 1 + row % 3)
                    } else {
                        (rng.below(n as u64 + 1) as i64, rng.below(n as u64 + 9) as i64)
                    }
                })
                .collect();
            for (q, min_values) in [(0.0, 0), (0.5, 1), (0.3, 3), (1.0, 1)] {
                check(&order, &bounds, q, min_values, &exec);
                let (before, after) = [(4, 0), (0, 3), (6, -1)][i % 3];
                let around: Vec<_> = (0..n as i64).map(|row| (row - before, row + after + 1)).collect();
                let bounds = WindowBounds::Around { before: before.unsigned_abs(), after };
                check_windows(&order, &around, q, &Windows { bounds, min_values }, &exec);
            }
        }
        let one = TestColumn::new(Storage::I64, &[Value::I64(0)], None, 0, &exec);
        let beyond = [(0, 0), (1, 0), (-5, 1), (0, 9), (i64::MIN, i64::MAX), (i64::MAX, i64::MIN)];
        check(&one, &beyond, 0.5, 0, &exec);
    }
}

/// More rows than a tile has, and windows that no tile, some tiles and all tiles have whole.
#[test]
fn quantiles_of_long_and_short_windows_match_sorted_rows() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(52);
        let n = 2500;
        for (nulls, longest) in
            [(Nulls::Some, 40), (Nulls::NoMask, 2500), (Nulls::Some, 2500), (Nulls::NoMask, 900)]
        {
            let order = order(n, nulls, &mut rng, &exec);
            let bounds: Vec<(i64, i64)> = (0..n as i64)
                .map(|row| {
                    // Blocks of short windows between blocks of long ones.
                    let longest = if row / 256 % 3 == 1 { 30 } else { longest };
                    (row + 1 - longest, row + 1 + rng.below(3) as i64)
                })
                .collect();
            check(&order, &bounds, 0.5, 2, &exec);
        }
    }
}

/// Of many tiles of rows few windows, with both numbers next to each other and far apart.
#[test]
fn quantiles_of_some_windows_of_many_rows_match_sorted_rows() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(53);
        for (n, nulls) in [(4_096, Nulls::NoMask), (4_097, Nulls::Some), (20_000, Nulls::Some)] {
            let order = order(n, nulls, &mut rng, &exec);
            let rows = n as u64 + 1;
            let bounds: Vec<(i64, i64)> = (0..70)
                .map(|window| match window % 3 {
                    0 => (0, n as i64 - window),
                    1 => (rng.below(rows) as i64, rng.below(rows) as i64),
                    _ => (window * 50, window * 50 + rng.below(4) as i64),
                })
                .collect();
            for q in [0.5, 0.999] {
                check(&order, &bounds, q, 1, &exec);
            }
        }
    }
}

#[test]
fn quantiles_that_make_no_sense_are_refused() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let column = TestColumn::new(Storage::I64, &[Value::I64(0)], None, 0, &exec);
        let windows = of_columns(&column, &column, 0);
        let error = rolling_quantile(&column.view(), &windows, 1.5, &exec).unwrap_err();
        assert!(matches!(error, Error::InvalidArgument { name: "q", .. }), "{error}");
        let floats = TestColumn::new(Storage::F64, &[Value::F64(0.0)], None, 0, &exec);
        let error = rolling_quantile(&floats.view(), &windows, 0.5, &exec).unwrap_err();
        assert_eq!(error, Error::UnsupportedStorage { storage: Storage::F64 });
    }
}

/// Values of few kinds, so that many are equal, with NaN and zeros of both signs.
fn values(storage: Storage, n: usize, nulls: Nulls, rng: &mut Rng, exec: &Exec) -> TestColumn {
    let value = |rng: &mut Rng| {
        let number = rng.below(9) as i64;
        match storage {
            Storage::F64 if number == 0 => Value::F64(f64::NAN),
            Storage::F64 if number < 3 => Value::F64([0.0, -0.0][number as usize - 1]),
            Storage::F64 => Value::F64(number as f64 / 2.0 - 3.0),
            Storage::I32 => Value::I32(number as i32 - 4),
            _ => Value::U64(u64::MAX - 4 + number as u64 / 2),
        }
    };
    let values: Vec<_> = (0..=n).map(|_| value(rng)).collect();
    let valid = nulls.mask(n + 1, rng);
    TestColumn::new(storage, &values, valid.as_deref(), 1, exec)
}

/// The order of values, of which NaN is the greatest.
fn key(value: Value) -> (bool, f64, i128) {
    match value {
        Value::F64(value) if value.is_nan() => (true, 0.0, 0),
        Value::F64(value) => (false, value + 0.0, 0),
        other => (false, 0.0, as_i128(other)),
    }
}

/// Compares with the sorted values of each window; false if the windows are too long.
fn rows_match(
    values: &TestColumn,
    windows: &Windows<'_>,
    bounds: &[(i64, i64)],
    q: f64,
    exec: &Exec,
) -> bool {
    use Interpolation::{Higher, Linear, Lower, Midpoint, Nearest};
    let n = values.rows.len();
    for interpolation in [Linear, Lower, Higher, Nearest, Midpoint] {
        let found = rolling_quantile_rows(&values.view(), windows, q, interpolation, exec).unwrap();
        let Some(found) = found else { return false };
        let (low, high) = (found.low.to_vec(exec).unwrap(), found.high.to_vec(exec).unwrap());
        let share = rows_of(&found.share, exec);
        assert_eq!((low.len(), high.len(), share.len()), (bounds.len(), bounds.len(), bounds.len()));
        for (window, &(start, end)) in bounds.iter().enumerate() {
            let (start, end) = (start.clamp(0, n as i64) as usize, end.clamp(0, n as i64) as usize);
            let of_row = |row: usize| key(values.rows[row].unwrap());
            let mut sorted: Vec<usize> = (start..end).filter(|&row| values.rows[row].is_some()).collect();
            sorted.sort_by(|&a, &b| of_row(a).partial_cmp(&of_row(b)).unwrap());
            let context =
                format!("n={n} q={q} {interpolation:?} window {window} {start}..{end} {}", exec.device());
            if sorted.is_empty() || (sorted.len() as u64) < windows.min_values {
                assert_eq!((low[window], high[window]), (None, None), "{context}");
                continue;
            }
            let place = (sorted.len() - 1) as f64 * q;
            let (below, above) = (place.floor(), place.ceil());
            let rest = place - below;
            let is_up = rest > 0.5 || (rest >= 0.5 && below as u64 % 2 == 1);
            let nearest = if is_up { above } else { below };
            let (below, above, of_way) = match interpolation {
                Linear => (below, above, place - below),
                Midpoint => (below, above, if above > below { 0.5 } else { 0.0 }),
                Lower => (below, below, 0.0),
                Higher => (above, above, 0.0),
                Nearest => (nearest, nearest, 0.0),
            };
            let row = |place: f64| Some(sorted[place as usize] as u64);
            assert_eq!((low[window], high[window]), (row(below), row(above)), "{context}");
            assert_eq!(share[window], Some(Value::F64(of_way)), "{context}");
        }
    }
    true
}

#[test]
fn rows_of_quantiles_match_sorted_windows() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(53);
        for (i, n) in SIZES.into_iter().filter(|&n| n < 1100).enumerate() {
            let storage = [Storage::F64, Storage::I32, Storage::U64][i % 3];
            let values = values(storage, n, Nulls::ALL[i % 4], &mut rng, &exec);
            let q = [0.5, 0.0, 0.3, 1.0][i % 4];
            let around: Vec<_> = (0..n as i64).map(|row| (row - 20, row + 3)).collect();
            let bounds = WindowBounds::Around { before: 20, after: 2 };
            let windows = Windows { bounds, min_values: i as u64 % 3 };
            let is_small = crate::limits::are_small();
            let is_found = rows_match(&values, &windows, &around, q, &exec);
            assert!(is_found == (device != Device::Host) || is_small, "{n} rows on {device}");
            // Rows of the window before come again, or none does.
            let any: Vec<(i64, i64)> = (0..n)
                .map(|row| {
                    let start = row as i64 + rng.below(9) as i64 - 4;
                    (start, start + rng.below(40) as i64 - 5)
                })
                .collect();
            let (starts, ends) = (column(&any, |pair| pair.0, &exec), column(&any, |pair| pair.1, &exec));
            let is_found = rows_match(&values, &of_columns(&starts, &ends, 2), &any, q, &exec);
            assert!(is_found == (device != Device::Host) || is_small, "{n} rows on {device}");
        }
    }
}

/// Windows as long as a block has space for, and longer ones in one block of several.
#[test]
fn rows_of_quantiles_of_long_windows_match_or_are_left_out() {
    for device in Device::available().into_iter().filter(|device| *device != Device::Host) {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(54);
        let n = 3000;
        let values = values(Storage::F64, n, Nulls::Some, &mut rng, &exec);
        let before = [1700, 2048][usize::from(crate::limits::are_small())];
        let around: Vec<_> = (0..n as i64).map(|row| (row - before, row + 1)).collect();
        let windows = |before| Windows { bounds: WindowBounds::Around { before, after: 0 }, min_values: 1 };
        let is_found = rows_match(&values, &windows(before.unsigned_abs()), &around, 0.4, &exec);
        assert_eq!(is_found, !crate::limits::are_small(), "{device}");
        let found =
            rolling_quantile_rows(&values.view(), &windows(u64::MAX), 0.5, Interpolation::Lower, &exec);
        assert!(found.unwrap().is_none(), "{device}");
        let some_long: Vec<_> =
            (0..n as i64).map(|row| (if row == 2500 { 0 } else { row }, row + 1)).collect();
        let (starts, ends) =
            (column(&some_long, |pair| pair.0, &exec), column(&some_long, |pair| pair.1, &exec));
        assert!(!rows_match(&values, &of_columns(&starts, &ends, 0), &some_long, 0.5, &exec), "{device}");
        let error = rolling_quantile_rows(&values.view(), &windows(1), -0.5, Interpolation::Lower, &exec)
            .unwrap_err();
        assert!(matches!(error, Error::InvalidArgument { name: "q", .. }), "{error}");
    }
}
