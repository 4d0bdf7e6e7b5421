//! One suite for `aggregate` on every device.

use super::aggregate;
use crate::aggregation::Aggregation;
use crate::grouping::group_ids::{Groups, NullKeys, group_ids};
use crate::keys::test_columns::{Kind, TestColumn};
use crate::test_values::{decimal_sum, large_decimals};
use crate::{
    ColumnData, Element, Error, Fixed, FixedData, OffsetWidth, RowMap, Storage, StringData, Value, View,
};
use columnade_buffers::{Buffer, Device, Exec};
use columnade_tests::{Nulls, Rng, SIZES, pack_bits, unpack_bits};
use std::cmp::Ordering;
use std::collections::HashMap;

/// A result, or an exact value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::grouping) enum Cell {
    Int(i128),
    Float(f64),
}

/// A column of values and its naive form.
pub(in crate::grouping) struct Values {
    storage: Storage,
    data: Buffer,
    validity: Option<Buffer>,
    offset: usize,
    pub(in crate::grouping) rows: Vec<Option<Cell>>,
}

impl Values {
    pub(in crate::grouping) fn random(
        storage: Storage,
        n: usize,
        offset: usize,
        nulls: Nulls,
        rng: &mut Rng,
        exec: &Exec,
    ) -> Self {
        let total = offset + n;
        let mask = nulls.mask(total, rng);
        let mut bytes = Vec::new();
        let mut bits = Vec::new();
        let cells: Vec<Cell> = (0..total)
            .map(|_| {
                let raw = rng.next();
                match storage {
                    Storage::Bit => {
                        bits.push(raw & 1 == 1);
                        Cell::Int(i128::from(raw & 1))
                    }
                    // Small multiples of a power of two: every order of addition gives the same sum.
                    Storage::F32 => {
                        let value = [raw as i8 as f32 / 4.0, f32::NAN]
                            [usize::from(raw.is_multiple_of(97) && raw & 256 == 0)];
                        bytes.extend(value.to_le_bytes());
                        Cell::Float(value.into())
                    }
                    Storage::F64 => {
                        let value = raw as i16 as f64 / 8.0;
                        bytes.extend(value.to_le_bytes());
                        Cell::Float(value)
                    }
                    _ => {
                        // No sum of 128-bit integers here has more than 38 digits.
                        let mut wide =
                            ((i128::from(raw as i64) << 64 | i128::from(rng.next())) >> 24).to_le_bytes();
                        let width = storage.width().unwrap();
                        let fill = if storage.is_signed() && wide[width - 1] >= 128 { 255 } else { 0 };
                        wide[width..].fill(fill);
                        bytes.extend(&wide[..width]);
                        Cell::Int(i128::from_le_bytes(wide))
                    }
                }
            })
            .collect();
        if storage == Storage::Bit {
            bytes = pack_bits(&bits);
        }
        let valid = |row: usize| mask.as_ref().is_none_or(|mask| mask[row]);
        Self {
            storage,
            data: Buffer::from_slice(&bytes, exec).unwrap(),
            validity: mask.as_ref().map(|mask| Buffer::from_slice(&pack_bits(mask), exec).unwrap()),
            offset,
            rows: (offset..total).map(|row| valid(row).then_some(cells[row])).collect(),
        }
    }

    pub(in crate::grouping) fn view(&self) -> View<'_> {
        View::Fixed(Fixed {
            storage: self.storage,
            data: &self.data,
            validity: self.validity.as_ref(),
            offset: self.offset,
            len: self.rows.len(),
        })
    }
}

/// The definition.
pub(in crate::grouping) fn expected(
    aggregation: Aggregation,
    storage: Storage,
    rows: &[Option<Cell>],
) -> Option<Cell> {
    let values: Vec<Cell> = rows.iter().copied().flatten().collect();
    let int = |cell: &Cell| match cell {
        Cell::Int(v) => *v,
        Cell::Float(_) => unreachable!(),
    };
    let float = |cell: &Cell| match cell {
        Cell::Float(v) => *v,
        Cell::Int(v) => *v as f64,
    };
    // NaN is further from the end than every number.
    let order = |a: &Cell, b: &Cell, nan: Ordering| match (float(a), float(b)) {
        (a, b) if a.is_nan() && b.is_nan() => Ordering::Equal,
        (a, _) if a.is_nan() => nan,
        (_, b) if b.is_nan() => nan.reverse(),
        (x, y) if storage.is_float() => x.partial_cmp(&y).unwrap(),
        _ => int(a).cmp(&int(b)),
    };
    match aggregation {
        Aggregation::Size => Some(Cell::Int(rows.len() as i128)),
        Aggregation::Count => Some(Cell::Int(values.len() as i128)),
        Aggregation::Min => values.into_iter().min_by(|a, b| order(a, b, Ordering::Greater)),
        Aggregation::Max => values.into_iter().max_by(|a, b| order(a, b, Ordering::Less)),
        Aggregation::Sum if storage.is_float() => Some(Cell::Float(values.iter().map(float).sum())),
        Aggregation::Sum | Aggregation::SumWide => {
            let exact = values.iter().map(int).fold(0_i128, i128::wrapping_add);
            Some(Cell::Int(match aggregation.output(storage) {
                Some(Storage::I64) => i128::from(exact as i64),
                Some(Storage::U64) => i128::from(exact as u64),
                _ => exact,
            }))
        }
        Aggregation::SumLow => Some(Cell::Int(values.iter().map(|v| i128::from(int(v) as u64)).sum())),
        Aggregation::SumHigh => Some(Cell::Int(values.iter().map(|v| int(v) >> 64).sum())),
        Aggregation::Mean if values.is_empty() => None,
        Aggregation::Mean => {
            let sum = if storage.is_float() {
                values.iter().map(float).sum()
            } else {
                values.iter().map(int).fold(0_i128, i128::wrapping_add) as f64
            };
            Some(Cell::Float(sum / values.len() as f64))
        }
    }
}

pub(in crate::grouping) fn read(column: &FixedData, exec: &Exec) -> Vec<Option<Cell>> {
    fn cells<T: Element>(column: &FixedData, exec: &Exec) -> Vec<Cell> {
        let values = column.data.slice(0, column.len * size_of::<T>()).to_vec::<T>(exec).unwrap();
        values
            .into_iter()
            .map(|value| match value.into_value() {
                Value::F32(v) => Cell::Float(v.into()),
                Value::F64(v) => Cell::Float(v),
                value => {
                    let mut bytes = value.to_bytes();
                    let width = T::STORAGE.width().unwrap();
                    let negative = T::STORAGE.is_signed() && bytes[width - 1] >= 128;
                    bytes[width..].fill(if negative { 255 } else { 0 });
                    Cell::Int(i128::from_le_bytes(bytes))
                }
            })
            .collect()
    }
    let values = dispatch!(column.storage, T => cells::<T>(column, exec), bit => {
        unpack_bits(&column.data.to_vec::<u8>(exec).unwrap(), column.len)
            .into_iter()
            .map(|bit| Cell::Int(bit.into()))
            .collect()
    });
    let valid =
        column.validity.as_ref().map(|mask| unpack_bits(&mask.to_vec::<u8>(exec).unwrap(), column.len));
    values
        .into_iter()
        .enumerate()
        .map(|(k, cell)| valid.as_ref().is_none_or(|v| v[k]).then_some(cell))
        .collect()
}

#[expect(clippy::float_cmp, reason = "sums of small multiples are exact")]
pub(in crate::grouping) fn same(a: Option<Cell>, b: Option<Cell>) -> bool {
    match (a, b) {
        (Some(Cell::Float(a)), Some(Cell::Float(b))) => a == b || (a.is_nan() && b.is_nan()),
        (a, b) => a == b,
    }
}

fn check(n: usize, distinct: u64, storage: Storage, nulls: Nulls, offset: usize, rng: &mut Rng, exec: &Exec) {
    let keys = TestColumn::random(Kind::Fixed(Storage::I32), n, 0, Nulls::Some, distinct, rng, exec);
    let groups = group_ids(&[keys.view()], NullKeys::Drop, exec).unwrap();
    let ids = groups.ids.to_vec(exec).unwrap();
    let values = Values::random(storage, n, offset, nulls, rng, exec);
    let requests: Vec<_> = Aggregation::ALL
        .into_iter()
        .filter(|aggregation| aggregation.output(storage).is_some())
        .map(|aggregation| (aggregation, values.view()))
        .collect();
    let mut members: Vec<Vec<Option<Cell>>> = vec![Vec::new(); groups.len()];
    for (id, value) in ids.iter().zip(&values.rows) {
        if let Some(id) = id {
            members[*id as usize].push(*value);
        }
    }
    let results = aggregate(&groups, &requests, exec).unwrap();
    for ((aggregation, _), result) in requests.iter().zip(results) {
        let ColumnData::Fixed(result) = result else { panic!("numbers give numbers") };
        let what = format!("{aggregation:?} of {storage}, n={n} {nulls:?} on {}", exec.device());
        assert_eq!((Some(result.storage), result.len), (aggregation.output(storage), groups.len()), "{what}");
        for (group, (got, members)) in read(&result, exec).into_iter().zip(&members).enumerate() {
            let expected = expected(*aggregation, storage, members);
            assert!(same(got, expected), "{what}: group {group} is {got:?}, not {expected:?}");
        }
    }
}

#[test]
fn every_type_size_and_null_pattern() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(21);
        for storage in Storage::ALL {
            for (k, &n) in SIZES.iter().enumerate() {
                check(n, 9, storage, Nulls::ALL[k % 4], [0, 3][k % 2], &mut rng, &exec);
            }
        }
    }
}

#[test]
fn few_and_many_groups_over_several_ranges() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(22);
        let n = if device == Device::Host { 200_000 } else { 9_000 };
        for storage in [Storage::I8, Storage::I64, Storage::I128, Storage::F64] {
            for (distinct, nulls) in [(1, Nulls::Some), (2000, Nulls::NoMask), (1 << 30, Nulls::Some)] {
                check(n, distinct, storage, nulls, 5, &mut rng, &exec);
            }
        }
    }
}

#[test]
fn sum_of_decimals_of_group_overflows_only_where_its_total_has_more_than_38_digits() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(25);
        let many = if device == Device::Host { 300_000 } else { 9_000 };
        for (n, groups) in [(1, 1), (33, 2), (257, 3), (many, 5), (many, 3000)] {
            for left in [0, 1, 2] {
                let values = large_decimals(n, left, &mut rng);
                // Of every pair both rows are in one group, whatever their places.
                let key = |value: &i128| (value.unsigned_abs() % groups) as i32;
                let keys: Vec<i32> = values.iter().map(key).collect();
                let view =
                    |data, storage| View::Fixed(Fixed { storage, data, validity: None, offset: 0, len: n });
                let buffers =
                    (Buffer::from_slice(&keys, &exec).unwrap(), Buffer::from_slice(&values, &exec).unwrap());
                let ids = group_ids(&[view(&buffers.0, Storage::I32)], NullKeys::Drop, &exec).unwrap();
                let mut order = Vec::new();
                let mut of: HashMap<i32, Vec<i128>> = HashMap::new();
                for (&key, &value) in keys.iter().zip(&values) {
                    if !of.contains_key(&key) {
                        order.push(key);
                    }
                    of.entry(key).or_default().push(value);
                }
                let expected: Option<Vec<i128>> =
                    order.iter().map(|key| decimal_sum(of[key].iter().copied())).collect();
                let input = view(&buffers.1, Storage::I128);
                for aggregation in [Aggregation::Sum, Aggregation::SumWide, Aggregation::Mean] {
                    let what = format!("{aggregation:?}, n={n}, {groups} groups, left={left} on {device}");
                    let found = aggregate(&ids, &[(Aggregation::Count, input), (aggregation, input)], &exec);
                    let Some(sums) = &expected else {
                        let overflow = Error::RequestOverflow { request: 1, storage: Storage::I128 };
                        assert_eq!(found.unwrap_err(), overflow, "{what}");
                        continue;
                    };
                    let ColumnData::Fixed(found) = found.unwrap().swap_remove(1) else { panic!("{what}") };
                    let expected = order.iter().zip(sums).map(|(key, &sum)| match aggregation {
                        Aggregation::Mean => Some(Cell::Float(sum as f64 / of[key].len() as f64)),
                        _ => Some(Cell::Int(sum)),
                    });
                    assert_eq!(read(&found, &exec), expected.collect::<Vec<_>>(), "{what}");
                }
            }
        }
    }
}

#[test]
fn smallest_and_largest_texts() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(24);
        for (kind, nulls) in [(Kind::ShortString, Nulls::NoMask), (Kind::LongString, Nulls::Some)] {
            let keys =
                TestColumn::random(Kind::Fixed(Storage::I32), 900, 0, Nulls::Some, 150, &mut rng, &exec);
            let texts = TestColumn::random(kind, 900, 5, nulls, 60, &mut rng, &exec);
            let groups = group_ids(&[keys.view()], NullKeys::Drop, &exec).unwrap();
            let ids = groups.ids.to_vec(&exec).unwrap();
            let requests =
                [Aggregation::Min, Aggregation::Max].map(|aggregation| (aggregation, texts.view()));
            let results = aggregate(&groups, &requests, &exec).unwrap();
            for ((aggregation, _), result) in requests.iter().zip(results) {
                let ColumnData::String(result) = result else { panic!("texts give texts") };
                let got = read_texts(&result, &exec);
                for (group, got) in got.into_iter().enumerate() {
                    let of_group = |id: &Option<u64>| *id == Some(group as u64);
                    let values = ids
                        .iter()
                        .zip(&texts.rows)
                        .filter(|(id, _)| of_group(id))
                        .filter_map(|(_, text)| text.clone());
                    let expected = if *aggregation == Aggregation::Min { values.min() } else { values.max() };
                    assert_eq!(got, expected, "{aggregation:?} of group {group} of {kind:?} on {device}");
                }
            }
        }
    }
}

fn read_texts(column: &StringData, exec: &Exec) -> Vec<Option<Vec<u8>>> {
    let offsets: Vec<usize> = match column.offset_width {
        OffsetWidth::I32 => {
            column.offsets.to_vec::<i32>(exec).unwrap().into_iter().map(|o| o as usize).collect()
        }
        OffsetWidth::I64 => {
            column.offsets.to_vec::<i64>(exec).unwrap().into_iter().map(|o| o as usize).collect()
        }
    };
    let chars = column.chars.to_vec::<u8>(exec).unwrap();
    let valid =
        column.validity.as_ref().map(|mask| unpack_bits(&mask.to_vec::<u8>(exec).unwrap(), column.len));
    let text = |row: usize| chars[offsets[row]..offsets[row + 1]].to_vec();
    (0..column.len).map(|row| valid.as_ref().is_none_or(|valid| valid[row]).then(|| text(row))).collect()
}

#[test]
fn float_sums_are_the_same_bytes_every_time() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(23);
        let n = if device == Device::Host { 300_000 } else { 9_000 };
        let keys: Vec<i32> = (0..n).map(|_| rng.below(7) as i32).collect();
        let values: Vec<f64> = (0..n).map(|_| rng.unit() - 0.5).collect();
        let (keys, values) =
            (Buffer::from_slice(&keys, &exec).unwrap(), Buffer::from_slice(&values, &exec).unwrap());
        let view = |data, storage| View::Fixed(Fixed { storage, data, validity: None, offset: 0, len: n });
        let groups = group_ids(&[view(&keys, Storage::I32)], NullKeys::Drop, &exec).unwrap();
        let sums = || {
            let results =
                aggregate(&groups, &[(Aggregation::Sum, view(&values, Storage::F64))], &exec).unwrap();
            let ColumnData::Fixed(sums) = &results[0] else { panic!("numbers give numbers") };
            sums.data.to_vec::<u64>(&exec).unwrap()
        };
        let once = sums();
        assert_eq!(once, sums());
        if device == Device::Host {
            let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
            assert_eq!(once, alone.install(sums));
        }
    }
}

#[test]
fn requests_that_make_no_sense_are_refused() {
    let exec = Exec::host();
    let groups = Groups {
        ids: RowMap::from_u32(&[0, 0], &exec).unwrap(),
        first_rows: RowMap::from_u32(&[0], &exec).unwrap(),
    };
    let data = Buffer::from_slice(&[1.0_f64, 2.0, 3.0], &exec).unwrap();
    let view =
        |len| View::Fixed(Fixed { storage: Storage::F64, data: &data, validity: None, offset: 0, len });
    assert!(matches!(
        aggregate(&groups, &[(Aggregation::SumWide, view(2))], &exec),
        Err(Error::UnsupportedStorage { storage: Storage::F64, .. })
    ));
    assert!(matches!(
        aggregate(&groups, &[(Aggregation::Sum, view(3))], &exec),
        Err(Error::LengthMismatch { left: 2, right: 3, .. })
    ));
}

#[test]
fn extremes_order_negative_zero_below_zero_and_skip_nan() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        for (values, least, greatest) in [
            ([0.0, -0.0, 0.0], -0.0, 0.0),
            ([f64::NAN, -1.0, f64::INFINITY], -1.0, f64::INFINITY),
            ([f64::NEG_INFINITY, -f64::NAN, f64::NAN], f64::NEG_INFINITY, f64::NEG_INFINITY),
            ([-f64::NAN, f64::NAN, -f64::NAN], f64::NAN, f64::NAN),
        ] {
            let groups = Groups {
                ids: RowMap::from_u32(&[0, 0, 0], &exec).unwrap(),
                first_rows: RowMap::from_u32(&[0], &exec).unwrap(),
            };
            let data = Buffer::from_slice(&values, &exec).unwrap();
            let view =
                View::Fixed(Fixed { storage: Storage::F64, data: &data, validity: None, offset: 0, len: 3 });
            let extremes =
                aggregate(&groups, &[(Aggregation::Min, view), (Aggregation::Max, view)], &exec).unwrap();
            for (extreme, expected) in extremes.iter().zip([least, greatest]) {
                let ColumnData::Fixed(extreme) = extreme else { panic!("numbers give numbers") };
                assert_eq!(extreme.data.to_vec::<u64>(&exec).unwrap(), [expected.to_bits()], "{device}");
            }
        }
    }
}
