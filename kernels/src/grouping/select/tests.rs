//! Selection within groups against sorted values.

use super::{MOST_TOP_ROWS, nth_smallest, top_rows};
use crate::grouping::group_ids::Groups;
use crate::{Element, Error, Fixed, FixedData, RowMap, RowWidth, Storage};
use columnade_buffers::{Buffer, Device, Exec};
use columnade_tests::{Nulls, Rng, pack_bits, unpack_bits};
use std::cmp::Ordering;

/// Values with a mask, from row `offset` of their buffers on.
struct Values<T> {
    rows: Vec<Option<T>>,
    data: Buffer,
    validity: Option<Buffer>,
    offset: usize,
}

impl<T: Element> Values<T> {
    fn new(
        n: usize,
        offset: usize,
        nulls: Nulls,
        rng: &mut Rng,
        exec: &Exec,
        value: impl Fn(u64) -> T,
    ) -> Self {
        let mask = nulls.mask(n + offset, rng);
        let values: Vec<T> = (0..n + offset).map(|_| value(rng.next())).collect();
        let valid = |row: usize| mask.as_ref().is_none_or(|mask| mask[row]);
        Self {
            rows: (offset..n + offset).map(|row| valid(row).then_some(values[row])).collect(),
            data: Buffer::from_slice(&values, exec).unwrap(),
            validity: mask.as_ref().map(|mask| Buffer::from_slice(&pack_bits(mask), exec).unwrap()),
            offset,
        }
    }

    fn view(&self) -> Fixed<'_> {
        Fixed {
            storage: T::STORAGE,
            data: &self.data,
            validity: self.validity.as_ref(),
            offset: self.offset,
            len: self.rows.len(),
        }
    }
}

/// `n` rows of `count` groups, some of none.
fn groups(n: usize, count: u32, rng: &mut Rng, exec: &Exec) -> (Groups, Vec<Option<usize>>) {
    let ids: Vec<u32> = (0..n)
        .map(|_| if rng.below(10) == 0 { u32::MAX } else { rng.below(u64::from(count)) as u32 })
        .collect();
    let of_rows = ids.iter().map(|&id| (id != u32::MAX).then_some(id as usize)).collect();
    let rows = Buffer::from_slice(&ids, exec).unwrap();
    // Nothing here reads first rows but their number.
    let first_rows = RowMap::from_u32(&vec![0; count as usize], exec).unwrap();
    (Groups { ids: RowMap { rows, width: RowWidth::U32, len: n }, first_rows }, of_rows)
}

fn read<T: Element>(column: &FixedData, exec: &Exec) -> Vec<Option<T>> {
    assert_eq!(column.storage, T::STORAGE);
    let values = column.data.slice(0, column.len * size_of::<T>()).to_vec::<T>(exec).unwrap();
    let valid = column.validity.as_ref().map(|v| unpack_bits(&v.to_vec::<u8>(exec).unwrap(), column.len));
    let valid = |row: usize| valid.as_ref().is_none_or(|valid| valid[row]);
    values.into_iter().enumerate().map(|(row, value)| valid(row).then_some(value)).collect()
}

/// The rows of each group with a value, in their order.
fn members<T: Element>(values: &Values<T>, of_rows: &[Option<usize>], count: usize) -> Vec<Vec<(T, usize)>> {
    let mut members = vec![Vec::new(); count];
    for (row, (value, group)) in values.rows.iter().zip(of_rows).enumerate() {
        if let (Some(value), Some(group)) = (value, group) {
            members[*group].push((*value, row));
        }
    }
    members
}

fn check<T: Element>(name: &str, value: impl Fn(u64) -> T + Copy) {
    for device in Device::available() {
        // The last one has several ranges.
        let sizes: &[usize] = if device == Device::Host {
            &[0, 1, 2, 31, 33, 63, 64, 65, 1025, 150_000]
        } else {
            &[0, 1, 33, 300, 5000]
        };
        check_sizes(&format!("{name} on {device}"), sizes, value, &Exec::new(device).unwrap());
    }
}

fn check_sizes<T: Element>(name: &str, sizes: &[usize], value: impl Fn(u64) -> T + Copy, exec: &Exec) {
    let mut rng = Rng::new(91);
    let order = |a: &T, b: &T| a.partial_cmp(b).unwrap_or(Ordering::Equal);
    for &n in sizes {
        for (count, nulls, offset) in
            [(1, Nulls::Some, 0), (7, Nulls::NoMask, 3), (65, Nulls::All, 0), (300, Nulls::Some, 67)]
        {
            let case = format!("{name}: {n} rows, {count} groups, {nulls:?}");
            let values = Values::new(n, offset, nulls, &mut rng, exec, value);
            let (groups, of_rows) = groups(n, count, &mut rng, exec);
            let count = count as usize;
            let members = members(&values, &of_rows, count);
            let sorted: Vec<Vec<T>> = members
                .iter()
                .map(|members| {
                    let mut values: Vec<T> = members.iter().map(|(value, _)| *value).collect();
                    values.sort_by(order);
                    values
                })
                .collect();

            // Positions before, within and after the values; the later one first; and nulls.
            let places: Vec<[Option<i64>; 2]> = sorted
                .iter()
                .map(|values| {
                    let (middle, below) =
                        (values.len() as i64 / 2, rng.below(values.len() as u64 + 2) as i64);
                    // Every other time the next one.
                    let other = if below % 2 == 0 { middle + 1 } else { below - 1 };
                    [Some(middle), (below % 5 != 4).then_some(other)]
                })
                .collect();
            let column = |at: usize| {
                let data: Vec<i64> = places.iter().map(|place| place[at].unwrap_or(0)).collect();
                let valid: Vec<bool> = places.iter().map(|place| place[at].is_some()).collect();
                let data = Buffer::from_slice(&data, exec).unwrap();
                (data, Buffer::from_slice(&pack_bits(&valid), exec).unwrap())
            };
            let columns = [column(0), column(1)];
            let positions = columns.each_ref().map(|(data, validity)| Fixed {
                storage: Storage::I64,
                data,
                validity: Some(validity),
                offset: 0,
                len: count,
            });
            let found = nth_smallest(&groups, &values.view(), &positions, exec).unwrap().unwrap();
            for (at, found) in found.iter().enumerate() {
                let expected: Vec<Option<T>> = sorted
                    .iter()
                    .zip(&places)
                    .map(|(values, places)| values.get(usize::try_from(places[at]?).ok()?).copied())
                    .collect();
                assert_eq!(read::<T>(found, exec), expected, "{case}");
            }

            if exec.device() != Device::Host {
                continue;
            }
            for k in [0, 1, 2, MOST_TOP_ROWS] {
                for largest in [true, false] {
                    let top = top_rows(&groups, &values.view(), k, largest, exec).unwrap().unwrap();
                    let expected: Vec<Vec<usize>> = members
                        .iter()
                        .map(|members| {
                            let mut members = members.clone();
                            members.sort_by(
                                |a, b| {
                                    if largest { order(&b.0, &a.0) } else { order(&a.0, &b.0) }
                                },
                            );
                            members.into_iter().take(k).map(|(_, row)| row).collect()
                        })
                        .collect();
                    let lengths: Vec<_> = expected.iter().map(|rows| Some(rows.len() as i64)).collect();
                    assert_eq!(read::<i64>(&top.lengths, exec), lengths, "top {k} of {case}");
                    let rows: Vec<_> = expected.concat().into_iter().map(|row| Some(row as i64)).collect();
                    assert_eq!(read::<i64>(&top.rows, exec), rows, "top {k} of {case}");
                }
            }
        }
    }
}

#[test]
fn selected_values_equal_those_of_sorted_groups() {
    check("i8", |bits| bits as i8);
    check("i16", |bits| (bits % 5) as i16 - 2);
    check("i32", |bits| bits as i32);
    check("i64", |bits| [i64::MIN, i64::MAX, -1, 0, bits as i64][(bits % 5) as usize]);
    check("u8", |bits| bits as u8);
    check("u16", |bits| bits as u16);
    check("u32", |bits| bits as u32);
    check("u64", |bits| [0, u64::MAX, bits][(bits % 3) as usize]);
    check("f32", |bits| {
        [f32::NEG_INFINITY, f32::MAX, 0.0, -1e-40, (bits >> 40) as f32 - 9e6][(bits % 5) as usize]
    });
    check("f64", |bits| {
        [f64::INFINITY, f64::MIN, 0.0, 5e-324, bits as i32 as f64 / 8.0][(bits % 5) as usize]
    });
}

#[test]
fn ambiguous_values_and_other_types_are_left_to_sorts() {
    for device in Device::available() {
        let (mut rng, exec) = (Rng::new(3), Exec::new(device).unwrap());
        let (groups, _) = groups(100, 3, &mut rng, &exec);
        let position = Values::new(3, 0, Nulls::NoMask, &mut rng, &exec, |_| 1_i64);
        let positions = [position.view()];
        let none = |values: &Fixed<'_>| {
            assert!(nth_smallest(&groups, values, &positions, &exec).unwrap().is_none());
            assert!(top_rows(&groups, values, 2, true, &exec).unwrap().is_none());
        };
        let plain = Nulls::NoMask;
        none(
            &Values::new(100, 0, plain, &mut rng, &exec, |bits| [f64::NAN, 1.0][(bits % 2) as usize]).view(),
        );
        none(
            &Values::new(100, 0, plain, &mut rng, &exec, |bits| [-f64::NAN, 1.0][(bits % 2) as usize]).view(),
        );
        none(&Values::new(100, 0, plain, &mut rng, &exec, |bits| [-0.0, 1.0][(bits % 2) as usize]).view());
        none(
            &Values::new(100, 0, plain, &mut rng, &exec, |bits| [-0.0_f32, 1.0][(bits % 2) as usize]).view(),
        );
        none(
            &Values::new(100, 0, plain, &mut rng, &exec, |bits| [f32::NAN, 1.0][(bits % 2) as usize]).view(),
        );
        none(&Values::new(100, 0, plain, &mut rng, &exec, i128::from).view());
        // A null is no NaN, whatever its bytes.
        let nulls = Values::new(100, 0, Nulls::All, &mut rng, &exec, |_| f64::NAN);
        assert!(nth_smallest(&groups, &nulls.view(), &positions, &exec).unwrap().is_some());

        let values = Values::new(100, 0, plain, &mut rng, &exec, |bits| bits as i32);
        assert!(top_rows(&groups, &values.view(), MOST_TOP_ROWS + 1, true, &exec).unwrap().is_none());
        let is_host = device == Device::Host;
        assert_eq!(top_rows(&groups, &values.view(), 1, true, &exec).unwrap().is_some(), is_host);
        let short = Values::new(99, 0, plain, &mut rng, &exec, |bits| bits as i32);
        let error = top_rows(&groups, &short.view(), 1, true, &exec).unwrap_err();
        assert!(matches!(error, Error::LengthMismatch { left: 100, right: 99 }), "{error}");
        let error = nth_smallest(&groups, &values.view(), &[short.view()], &exec).unwrap_err();
        assert!(matches!(error, Error::UnsupportedStorage { storage: Storage::I32 }), "{error}");
        let error = nth_smallest(&groups, &values.view(), &[values_of_two(&exec).view()], &exec).unwrap_err();
        assert!(matches!(error, Error::LengthMismatch { left: 3, right: 2 }), "{error}");
    }
}

fn values_of_two(exec: &Exec) -> Values<i64> {
    Values::new(2, 0, Nulls::NoMask, &mut Rng::new(1), exec, |_| 0)
}

/// Groups of rows that a warp, a block's memory and no block holds, equal values, and one group of too many rows.
#[test]
fn values_of_large_groups_are_selected_or_left_to_sorts() {
    for device in Device::available().into_iter().filter(|device| *device != Device::Host) {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(92);
        for (sizes, is_selected) in
            [(&[256, 257, 0, 2048, 2049, 40, 3000][..], true), (&[1, 65_537, 1], false)]
        {
            let n: usize = sizes.iter().sum();
            let mut ids: Vec<u32> = Vec::new();
            for (group, &size) in sizes.iter().enumerate() {
                ids.extend(vec![group as u32; size]);
            }
            let values = Values::new(n, 1, Nulls::NoMask, &mut rng, &exec, |bits| {
                [i64::MIN, 7, 7, bits.cast_signed(), bits.cast_signed() >> 50, bits.cast_signed() >> 40]
                    [(bits % 6) as usize]
            });
            let rows = Buffer::from_slice(&ids, &exec).unwrap();
            let first_rows = RowMap::from_u32(&vec![0; sizes.len()], &exec).unwrap();
            let groups = Groups { ids: RowMap { rows, width: RowWidth::U32, len: n }, first_rows };
            let mut places: Vec<Vec<i64>> = [0.0, 0.3, 0.5, 1.0, 0.7]
                .iter()
                .map(|q| sizes.iter().map(|&size| ((size.max(1) - 1) as f64 * q) as i64).collect())
                .collect();
            // Those after the second ones, which have other values: a quantile between two values takes both.
            let next: Vec<i64> = places[1].iter().map(|place| place + 1).collect();
            places.insert(2, next);
            let columns: Vec<Buffer> =
                places.iter().map(|places| Buffer::from_slice(places, &exec).unwrap()).collect();
            let positions: Vec<Fixed<'_>> = columns
                .iter()
                .map(|data| Fixed {
                    storage: Storage::I64,
                    data,
                    validity: None,
                    offset: 0,
                    len: sizes.len(),
                })
                .collect();
            let found = nth_smallest(&groups, &values.view(), &positions, &exec).unwrap();
            assert_eq!(found.is_some(), is_selected, "{device}");
            for (found, places) in found.iter().flatten().zip(&places) {
                let mut start = 0;
                let expected: Vec<Option<i64>> = sizes
                    .iter()
                    .zip(places)
                    .map(|(&size, &place)| {
                        let mut sorted: Vec<i64> =
                            values.rows[start..start + size].iter().flatten().copied().collect();
                        sorted.sort_unstable();
                        start += size;
                        sorted.get(place as usize).copied()
                    })
                    .collect();
                assert_eq!(read::<i64>(found, &exec), expected, "{device}");
            }
        }
    }
}
