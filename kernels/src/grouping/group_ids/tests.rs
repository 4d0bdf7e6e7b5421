//! Tests of `group_ids` on every device of the build.

use super::{NullKeys, group_ids, partitioned};
use crate::keys::test_columns::{Kind, TestColumn};
use crate::keys::{HashedRows, KeyColumn, KeyLayout, KeyWidth, NullRows, Origin, Packer};
use crate::{Storage, View, test_columns};
use columnade_buffers::{Device, Exec};
use columnade_tests::{Nulls, Rng, SIZES};
use std::collections::HashMap;

/// The reference implementation.
fn expected(columns: &[TestColumn], nulls: NullKeys) -> (Vec<Option<u64>>, Vec<Option<u64>>) {
    let mut groups = HashMap::new();
    let mut first_rows = Vec::new();
    let ids = (0..columns[0].rows.len())
        .map(|row| {
            let key: Vec<_> = columns.iter().map(|column| column.rows[row].clone()).collect();
            if nulls == NullKeys::Drop && key.contains(&None) {
                return None;
            }
            Some(*groups.entry(key).or_insert_with(|| {
                first_rows.push(Some(row as u64));
                first_rows.len() as u64 - 1
            }))
        })
        .collect();
    (ids, first_rows)
}

fn check(columns: &[TestColumn], exec: &Exec, what: &str) {
    let views: Vec<View<'_>> = columns.iter().map(TestColumn::view).collect();
    for nulls in [NullKeys::Drop, NullKeys::Group] {
        let groups = group_ids(&views, nulls, exec).unwrap();
        let (ids, first_rows) = expected(columns, nulls);
        let what = format!("{what} {nulls:?} on {}", exec.device());
        assert_eq!(groups.first_rows.to_vec(exec).unwrap(), first_rows, "{what}");
        assert_eq!(groups.ids.to_vec(exec).unwrap(), ids, "{what}");
    }
}

fn kinds() -> impl Iterator<Item = Kind> {
    Storage::ALL.into_iter().map(Kind::Fixed).chain([Kind::ShortString, Kind::LongString])
}

#[test]
fn group_ids_of_every_type_size_and_null_pattern_match_reference() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(11);
        for kind in kinds() {
            for (k, &n) in SIZES.iter().enumerate() {
                let (nulls, offset) = (Nulls::ALL[k % 4], [0, 3][k % 2]);
                let columns = [TestColumn::random(kind, n, offset, nulls, 30, &mut rng, &exec)];
                check(&columns, &exec, &format!("{kind:?} n={n} {nulls:?}"));
            }
        }
    }
}

#[test]
fn group_ids_of_several_keys_with_nulls_match_reference() {
    use Storage::{Bit, F32, F64, I32, I64, I128, U8, U16};
    let combinations: [&[Kind]; 12] = [
        &[Kind::Fixed(U8), Kind::Fixed(Bit)],
        &[Kind::Fixed(I32), Kind::Fixed(I64), Kind::Fixed(U16)],
        &[Kind::ShortString, Kind::ShortString],
        &[Kind::Fixed(F32), Kind::Fixed(F64)],
        &[Kind::Fixed(I128), Kind::LongString, Kind::Fixed(I32)],
        &[Kind::Fixed(I64), Kind::Fixed(F64), Kind::ShortString, Kind::Fixed(Bit)],
        // The longest that one word holds, and longer ones.
        &[Kind::Bytes(0)],
        &[Kind::Bytes(7)],
        &[Kind::Bytes(8)],
        &[Kind::Bytes(3), Kind::Bytes(3)],
        &[Kind::Bytes(4), Kind::Bytes(3)],
        &[Kind::Fixed(I32), Kind::Bytes(2), Kind::Fixed(Bit)],
    ];
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(12);
        for kinds in combinations {
            let is_short = matches!(kinds[0], Kind::Bytes(_));
            let distinct = if is_short { 90 } else { 5 };
            for nulls in Nulls::ALL {
                let columns: Vec<_> = kinds
                    .iter()
                    .enumerate()
                    .map(|(k, &kind)| TestColumn::random(kind, 700, k * 5, nulls, distinct, &mut rng, &exec))
                    .collect();
                check(&columns, &exec, &format!("{kinds:?} {nulls:?}"));
            }
        }
    }
}

#[test]
fn group_ids_of_integers_of_any_range_match_reference() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(19);
        for nulls in Nulls::ALL {
            for n in [0, 1, 33, 900] {
                for (name, columns) in TestColumn::of_ranges(n, nulls, &mut rng, &exec) {
                    check(&columns, &exec, &format!("{name} n={n} {nulls:?} {device}"));
                }
            }
        }
    }
}

/// More keys than the arguments of a launch hold.
#[test]
fn group_ids_of_many_keys_match_reference() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(17);
        for count in [16, 17, 31, 40] {
            let columns: Vec<_> = (0..count)
                .map(|k| {
                    let kind =
                        [Kind::Fixed(Storage::I64), Kind::ShortString, Kind::Fixed(Storage::Bit)][k % 3];
                    // Two of the first keys and two of the last have several values, two some nulls.
                    let distinct = if k == 3 || k == 8 || k + 2 >= count { 4 } else { 1 };
                    let nulls = if k == 5 || k + 1 == count { Nulls::Some } else { Nulls::NoMask };
                    TestColumn::random(kind, 700, k, nulls, distinct, &mut rng, &exec)
                })
                .collect();
            check(&columns, &exec, &format!("{count} keys"));
        }
    }
}

/// Keys of few, many and all rows of several tiles.
#[test]
fn group_ids_of_several_tiles_match_reference() {
    for device in Device::available().into_iter().filter(|device| *device != Device::Host) {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(18);
        for (distinct, nulls) in [(3, Nulls::Some), (1500, Nulls::NoMask), (1 << 40, Nulls::Some)] {
            for kind in [Kind::Fixed(Storage::I64), Kind::Fixed(Storage::U32)] {
                let columns = [TestColumn::random(kind, 17_000, 1, nulls, distinct, &mut rng, &exec)];
                check(&columns, &exec, &format!("{kind:?} of {distinct}"));
            }
        }
        // The key that marks empty slots.
        let values: Vec<i64> = (0..300)
            .map(|row| if row % 3 == 0 { 0x9d3c_51e7_a2b8_406f_u64.cast_signed() } else { row % 7 })
            .collect();
        let columns = [TestColumn::of_i64(&values, 1, Nulls::NoMask, &mut rng, &exec)];
        check(&columns, &exec, "the key of empty slots");
    }
}

#[test]
fn group_ids_of_equal_and_of_distinct_rows_match_reference() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(13);
        for kind in
            [Kind::Fixed(Storage::I64), Kind::Fixed(Storage::I128), Kind::ShortString, Kind::LongString]
        {
            for distinct in [1, 1 << 40] {
                let columns = [TestColumn::random(kind, 5000, 0, Nulls::NoMask, distinct, &mut rng, &exec)];
                check(&columns, &exec, &format!("{kind:?} of {distinct}"));
            }
        }
    }
}

#[test]
fn group_ids_of_many_ranges_are_in_order_of_first_appearance() {
    let exec = Exec::host();
    let mut rng = Rng::new(14);
    for (kind, nulls, distinct) in [
        (Kind::Fixed(Storage::I64), Nulls::Some, 50_000),
        (Kind::Fixed(Storage::U32), Nulls::NoMask, 1 << 30),
        (Kind::LongString, Nulls::Some, 20_000),
    ] {
        let columns = [TestColumn::random(kind, 150_000, 1, nulls, distinct, &mut rng, &exec)];
        check(&columns, &exec, &format!("{kind:?}"));
    }
}

#[test]
fn group_ids_of_partitioned_rows_are_in_order_of_first_appearance() {
    let exec = Exec::host();
    let mut rng = Rng::new(15);
    for (kind, distinct) in
        [(Kind::Fixed(Storage::I64), 1 << 40), (Kind::Fixed(Storage::I32), 3), (Kind::LongString, 900)]
    {
        let n = 9000;
        let column = TestColumn::random(kind, n, 1, Nulls::Some, distinct, &mut rng, &exec);
        let view = column.view();
        let guard = view.read(&exec).unwrap();
        let columns = [KeyColumn::new(&guard)];
        let layout = KeyLayout::measure(&columns, NullRows::Miss);
        let mut ids = vec![0; n];
        let first_rows = match layout.width() {
            KeyWidth::Word => {
                let packer = Packer::new(&layout, &columns, Origin::Measured);
                partitioned::number::<u64, _>(packer, layout.bits(), &mut ids, &exec)
            }
            KeyWidth::Double => {
                let packer = Packer::new(&layout, &columns, Origin::Measured);
                partitioned::number::<u128, _>(packer, layout.bits(), &mut ids, &exec)
            }
            KeyWidth::Hashed => {
                partitioned::number(HashedRows::new(&columns, NullRows::Miss), layout.bits(), &mut ids, &exec)
            }
        };
        let (expected_ids, expected_first) = expected(std::slice::from_ref(&column), NullKeys::Drop);
        let ids: Vec<_> = ids.iter().map(|&id| (id != u32::MAX).then_some(u64::from(id))).collect();
        assert_eq!(ids, expected_ids, "{kind:?}");
        assert_eq!(first_rows.unwrap().to_vec(&exec).unwrap(), expected_first, "{kind:?}");
    }
}

#[test]
fn group_ids_of_keys_of_different_lengths_is_length_mismatch() {
    let exec = Exec::host();
    let mut rng = Rng::new(15);
    let [a, b] =
        [3, 4].map(|n| TestColumn::random(Kind::ShortString, n, 0, Nulls::NoMask, 2, &mut rng, &exec));
    assert!(matches!(
        group_ids(&[a.view(), b.view()], NullKeys::Drop, &exec),
        Err(crate::Error::LengthMismatch { left: 3, right: 4, .. })
    ));
    assert!(matches!(
        group_ids(&[], NullKeys::Drop, &exec),
        Err(crate::Error::InvalidArgument { name: "keys", .. })
    ));
}

/// An ascending key for each of `n` rows, of about `each` rows a key, and null for the last `nulls` rows.
fn ascending(n: usize, each: u64, nulls: usize, rng: &mut Rng, exec: &Exec) -> test_columns::TestColumn {
    let mut key = -5_i64;
    let rows = (0..n).map(|_| {
        key += i64::from(rng.below(each) == 0) * (1 + rng.below(3) as i64);
        key.to_le_bytes().to_vec()
    });
    let rows: Vec<Vec<u8>> = rows.collect();
    let valid: Vec<bool> = (0..n).map(|row| row + nulls < n).collect();
    let mask = (nulls > 0).then_some(&valid[..]);
    test_columns::TestColumn::new(test_columns::Kind::Fixed(Storage::I64), &rows, mask, 0, exec)
}

#[test]
fn group_ids_of_ascending_keys_match_reference() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(16);
        for (n, each, nulls) in
            [(4095, 3, 0), (4096, 1, 0), (65_536, 4, 0), (65_537, 900, 0), (140_000, 3, 0), (70_000, 5, 100)]
        {
            let mut column = ascending(n, each, nulls, &mut rng, &exec);
            // In order, and with one row out of order: at a boundary of morsels, within one and at the end.
            for swapped in [None, Some(65_536), Some(n / 2 + 7), Some(n - 1)] {
                if let Some(row) = swapped.filter(|&row| row < n && row > 0) {
                    let mut rows = column.rows.clone();
                    rows[row] = Some((-100_i64).to_le_bytes().to_vec());
                    let bytes: Vec<Vec<u8>> =
                        rows.iter().map(|row| row.clone().unwrap_or(vec![0; 8])).collect();
                    let valid: Vec<bool> = rows.iter().map(Option::is_some).collect();
                    let kind = test_columns::Kind::Fixed(Storage::I64);
                    column = test_columns::TestColumn::new(kind, &bytes, Some(&valid), 0, &exec);
                }
                for null_keys in [NullKeys::Drop, NullKeys::Group] {
                    let groups = group_ids(&[column.view()], null_keys, &exec).unwrap();
                    let mut known = HashMap::new();
                    let mut first_rows = Vec::new();
                    let ids: Vec<Option<u64>> = (0..n)
                        .map(|row| {
                            let key = &column.rows[row];
                            if key.is_none() && null_keys == NullKeys::Drop {
                                return None;
                            }
                            Some(*known.entry(key.clone()).or_insert_with(|| {
                                first_rows.push(Some(row as u64));
                                first_rows.len() as u64 - 1
                            }))
                        })
                        .collect();
                    let what = format!("n={n} each={each} {swapped:?} {null_keys:?} {device}");
                    assert!(groups.first_rows.to_vec(&exec).unwrap() == first_rows, "{what}");
                    assert!(groups.ids.to_vec(&exec).unwrap() == ids, "{what}");
                }
            }
        }
    }
}
