//! Tests of `search_ranges` on every device of the build.

use super::{Bound, MatchRanges, Neighbor, nearest_rows, search_ranges};
use crate::{Element, Error, Fixed, RowMap, Storage, Value};
use columnade_buffers::{Buffer, Device, Exec};
use columnade_tests::{Rng, pack_bits};
use std::cmp::Ordering;

/// NaN last, −0.0 as 0.0.
fn order<T: Element>(a: &T, b: &T) -> Ordering {
    a.partial_cmp(b).unwrap_or_else(|| a.partial_cmp(a).is_none().cmp(&b.partial_cmp(b).is_none()))
}

fn check<T: Element>(value: impl Fn(u64) -> T, number: impl Fn(T) -> f64 + Copy, limits: [Value; 2]) {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(91);
        for (n, m, is_listed) in
            [(0, 0, true), (5, 0, false), (1, 1, true), (257, 33, false), (300, 1_000, true)]
        {
            let mut values: Vec<T> = (0..m).map(|_| value(rng.below(40))).collect();
            // A row before the first one, so that the columns have an offset.
            let needles: Vec<T> = (0..=n).map(|_| value(rng.below(40))).collect();
            let mut list: Vec<u64> = (0..m as u64).collect();
            if is_listed {
                // Groups of a hundred rows are sorted on their own.
                for group in list.chunks_mut(100) {
                    group.sort_by(|&a, &b| order(&values[a as usize], &values[b as usize]));
                }
            } else {
                values.sort_by(order);
            }
            let ranges: Vec<(u64, u64)> = (0..n)
                .map(|_| {
                    let group = rng.below(usize::div_ceil(m, 100).max(1) as u64) * 100;
                    let len = (m as u64 - group).min(100);
                    let (a, b) = (rng.below(len + 1), rng.below(len + 1));
                    (group + a.min(b), group + a.max(b))
                })
                .collect();
            let map = |rows: Vec<u64>| RowMap::from_u64(&rows, &exec).unwrap();
            let matches = MatchRanges {
                starts: map(ranges.iter().map(|range| range.0).collect()),
                ends: map(ranges.iter().map(|range| range.1).collect()),
                rows: is_listed.then(|| map(list.clone())),
                right_rows: m,
            };
            let (needle_data, value_data) =
                (Buffer::from_slice(&needles, &exec).unwrap(), Buffer::from_slice(&values, &exec).unwrap());
            let column = |data, offset, len| Fixed { storage: T::STORAGE, data, validity: None, offset, len };
            let (needle_column, value_column) = (column(&needle_data, 1, n), column(&value_data, 0, m));
            for bound in [Bound::Lower, Bound::Upper] {
                let found = search_ranges(&needle_column, &value_column, &matches, bound, &exec).unwrap();
                let is_before =
                    |at: &&u64, needle: &T| match order(&values[list[**at as usize] as usize], needle) {
                        Ordering::Less => true,
                        Ordering::Equal => bound == Bound::Upper,
                        Ordering::Greater => false,
                    };
                let expected: Vec<Option<u64>> = ranges
                    .iter()
                    .zip(&needles[1..])
                    .map(|(&(start, end), needle)| {
                        let range: Vec<u64> = (start..end).collect();
                        Some(start + range.iter().filter(|at| is_before(at, needle)).count() as u64)
                    })
                    .collect();
                let what = format!("{:?} {bound:?} {n} in {m} on {device}", T::STORAGE);
                assert_eq!(found.to_vec(&exec).unwrap(), expected, "{what}");
            }
            let bits: Vec<bool> = (0..=n).map(|_| rng.below(5) > 0).collect();
            let mask = Buffer::from_slice(&pack_bits(&bits), &exec).unwrap();
            for needles_of in [needle_column, Fixed { validity: Some(&mask), ..needle_column }] {
                for ranges_of in [None, Some(&matches)].into_iter().filter(|of| of.is_some() || !is_listed) {
                    for (neighbor, limit) in neighbors_and_limits(limits) {
                        let found =
                            nearest_rows(&needles_of, &value_column, ranges_of, neighbor, limit, &exec)
                                .unwrap();
                        let of_row = |row: usize| {
                            let is_valid = needles_of.validity.is_none() || bits[row + 1];
                            let (start, end) = ranges_of.map_or((0, m as u64), |_| ranges[row]);
                            let row_of = |at: u64| if ranges_of.is_some() { list[at as usize] } else { at };
                            let candidates: Vec<T> =
                                (start..end).map(|at| values[row_of(at) as usize]).collect();
                            let found = nearest(&candidates, needles[row + 1], neighbor, limit, number);
                            found.filter(|_| is_valid).map(|at| row_of(start + at as u64))
                        };
                        let expected: Vec<Option<u64>> = (0..n).map(of_row).collect();
                        let what = format!("{:?} {neighbor:?} {limit:?} {n} in {m} on {device}", T::STORAGE);
                        assert_eq!(found.to_vec(&exec).unwrap(), expected, "{what}");
                    }
                }
            }
        }
    }
}

fn neighbors_and_limits(limits: [Value; 2]) -> impl Iterator<Item = (Neighbor, Option<Value>)> {
    let neighbors = [
        Neighbor::Before,
        Neighbor::BeforeOrEqual,
        Neighbor::After,
        Neighbor::AfterOrEqual,
        Neighbor::Nearer,
        Neighbor::NearerOrEqual,
    ];
    let limits = [None, Some(limits[0]), Some(limits[1])];
    neighbors.into_iter().flat_map(move |neighbor| limits.map(|limit| (neighbor, limit)))
}

/// The position of the value that is taken of ascending ones, as `neighbor` is defined.
fn nearest<T: Element>(
    values: &[T],
    needle: T,
    neighbor: Neighbor,
    limit: Option<Value>,
    number: impl Fn(T) -> f64,
) -> Option<usize> {
    let last = |is_wanted: fn(Ordering) -> bool| values.iter().rposition(|v| is_wanted(order(v, &needle)));
    let first = |is_wanted: fn(Ordering) -> bool| values.iter().position(|v| is_wanted(order(v, &needle)));
    let distance = |at: usize| match order(&values[at], &needle) {
        Ordering::Equal => 0.0,
        _ => (number(values[at]) - number(needle)).abs(),
    };
    let nearer = || match (last(Ordering::is_lt), first(Ordering::is_gt)) {
        (Some(before), Some(after)) => Some(if distance(after) < distance(before) { after } else { before }),
        (before, after) => before.or(after),
    };
    let found = match neighbor {
        Neighbor::Before => last(Ordering::is_lt),
        Neighbor::BeforeOrEqual => last(Ordering::is_le),
        Neighbor::After => first(Ordering::is_gt),
        Neighbor::AfterOrEqual => first(Ordering::is_ge),
        Neighbor::Nearer => nearer(),
        Neighbor::NearerOrEqual => last(Ordering::is_eq).or_else(nearer),
    };
    let limit = limit.map(|limit| match limit {
        Value::U64(limit) => limit as f64,
        Value::I128(limit) => limit as f64,
        Value::F32(limit) => f64::from(limit),
        Value::F64(limit) => limit,
        other => panic!("{other:?} is no distance"),
    });
    found.filter(|&at| limit.is_none_or(|limit| distance(at) <= limit))
}

#[test]
fn rows_and_positions_of_every_type_match_definition() {
    let few = [Value::U64(0), Value::U64(3)];
    check(|v| v as i8 - 20, f64::from, few);
    check(|v| if v < 20 { i8::MIN } else { i8::MAX }, f64::from, [Value::U64(254), Value::U64(255)]);
    check(|v| (v as i16 - 20) * 1000, f64::from, [Value::U64(999), Value::U64(2000)]);
    check(|v| if v == 0 { i32::MIN } else { v as i32 }, f64::from, few);
    check(|v| if v == 0 { i64::MAX } else { v as i64 - 20 }, |v| v as f64, few);
    check(
        |v| if v < 20 { i64::MIN } else { i64::MAX },
        |v| v as f64,
        [Value::U64(1 << 63), Value::U64(u64::MAX)],
    );
    check(|v| (v as i128 - 20) << 90, |v| v as f64, [Value::I128(1 << 89), Value::I128(3 << 90)]);
    check(|v| v as u8 * 6, f64::from, [Value::U64(5), Value::U64(12)]);
    check(|v| v as u16, f64::from, few);
    check(|v| if v == 0 { u32::MAX } else { v as u32 }, f64::from, few);
    check(|v| if v == 0 { u64::MAX } else { v }, |v| v as f64, few);
    let single = |v| match v {
        0 => f32::NAN,
        1 => -0.0,
        2 => 0.0,
        3 => f32::NEG_INFINITY,
        v => v as f32 - 20.0,
    };
    check(single, f64::from, [Value::F32(1.5), Value::F32(f32::INFINITY)]);
    let double = |v| match v {
        0 => f64::NAN,
        1 => -0.0,
        2 => 0.0,
        3 => f64::INFINITY,
        v => v as f64 - 20.5,
    };
    check(double, |v| v, [Value::F64(0.0), Value::F64(2.0)]);
}

#[test]
fn search_of_other_types_or_lengths_is_refused() {
    let exec = Exec::host();
    let data = Buffer::from_slice(&[1_i64, 2], &exec).unwrap();
    let column = |storage, len| Fixed { storage, data: &data, validity: None, offset: 0, len };
    let ranges = MatchRanges::all(2, 2, &exec).unwrap();
    let search = |a, b| search_ranges(&a, &b, &ranges, Bound::Lower, &exec).unwrap_err();
    let (longs, shorts) = (column(Storage::I64, 2), column(Storage::I32, 2));
    assert_eq!(search(longs, shorts), Error::TypeMismatch);
    assert_eq!(search(column(Storage::I64, 1), longs), Error::LengthMismatch { left: 1, right: 2 });
    let bits = column(Storage::Bit, 2);
    assert_eq!(search(bits, bits), Error::UnsupportedStorage { storage: Storage::Bit });
    let nearest = nearest_rows(&longs, &longs, None, Neighbor::Before, Some(Value::I64(1)), &exec);
    assert_eq!(nearest.unwrap_err(), Error::TypeMismatch);
}

/// The position of a needle is looked for from that of the one before on.
#[test]
fn ascending_needles_at_any_distance_are_found() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        for (needle_step, value_step) in [(1, 1), (1, 300), (10, 3), (300, 1), (40_000, 1)] {
            let mut rng = Rng::new(needle_step + 17);
            let mut ascending = |n: usize, step: u64| {
                let steps = (0..n).map(|_| rng.below(2 * step + 1) as i64);
                steps.scan(0, |at, step| Some(std::mem::replace(at, *at + step))).collect::<Vec<i64>>()
            };
            let (needles, values) = (ascending(700, needle_step), ascending(9_000, value_step));
            let (needle_data, value_data) =
                (Buffer::from_slice(&needles, &exec).unwrap(), Buffer::from_slice(&values, &exec).unwrap());
            let column = |data, len| Fixed { storage: Storage::I64, data, validity: None, offset: 0, len };
            let (left, right) = (column(&needle_data, needles.len()), column(&value_data, values.len()));
            let found = nearest_rows(&left, &right, None, Neighbor::BeforeOrEqual, None, &exec).unwrap();
            let before = |needle: &i64| values.partition_point(|value| value <= needle).checked_sub(1);
            let expected: Vec<_> = needles.iter().map(|needle| before(needle).map(|at| at as u64)).collect();
            assert_eq!(found.to_vec(&exec).unwrap(), expected, "{needle_step} {value_step} on {device}");
        }
    }
}

/// Ascending needles among about as many values are merged with them, NaN and zeros of both signs too.
#[test]
fn ascending_needles_among_dense_values_match_definition() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        for (needle_step, value_step, least) in [(1, 1, 0), (3, 1, 200), (1, 3, 0), (2, 2, 5_000), (0, 0, 0)]
        {
            let mut rng = Rng::new(needle_step * 7 + value_step);
            let mut ascending = |n: usize, step: u64, least: i64| -> Vec<f64> {
                let steps = (0..n).map(|_| rng.below(step + 1) as i64);
                let numbers = steps.scan(least - 150, |at, step| Some(std::mem::replace(at, *at + step)));
                let signed =
                    |(at, v): (usize, i64)| if v == 0 && at % 2 == 1 { -0.0 } else { v as f64 / 2.0 };
                let count = n - n.min(7);
                numbers.enumerate().map(signed).take(count).chain([f64::NAN; 7]).take(n).collect()
            };
            let (needles, values) = (ascending(300, needle_step, 0), ascending(500, value_step, least));
            let valid: Vec<u64> = vec![0x0123_4567_89ab_cdef; 6];
            let buffers = [&needles, &values].map(|data| Buffer::from_slice(data, &exec).unwrap());
            let mask = Buffer::from_slice(&valid, &exec).unwrap();
            for (neighbor, limit) in neighbors_and_limits([Value::F64(0.0), Value::F64(1.5)]) {
                for validity in [None, Some(&mask)] {
                    let column =
                        |data, len, validity| Fixed { storage: Storage::F64, data, validity, offset: 0, len };
                    let left = column(&buffers[0], needles.len(), validity);
                    let right = column(&buffers[1], values.len(), None);
                    let found = nearest_rows(&left, &right, None, neighbor, limit, &exec).unwrap();
                    let is_valid = |row: usize| validity.is_none() || valid[row / 64] >> (row % 64) & 1 == 1;
                    let expected: Vec<_> = needles
                        .iter()
                        .enumerate()
                        .map(|(row, &needle)| {
                            let at =
                                nearest(&values, needle, neighbor, limit, |v| v).filter(|_| is_valid(row));
                            at.map(|at| at as u64)
                        })
                        .collect();
                    let of = format!("{needle_step} {value_step} {neighbor:?} {limit:?} on {device}");
                    assert_eq!(found.to_vec(&exec).unwrap(), expected, "{of}");
                }
            }
        }
    }
}
