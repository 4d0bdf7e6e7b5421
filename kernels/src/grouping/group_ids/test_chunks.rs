//! Tests of group ids and aggregates of rows that come chunk by chunk.

use super::{ChunkedGroupIds, KeyRanges, NullKeys};
use crate::aggregation::Aggregation;
use crate::grouping::aggregate::ChunkedAggregates;
use crate::grouping::aggregate::tests::{Cell, Values, expected, read, same};
use crate::keys::test_columns::{Kind, TestColumn};
use crate::{ColumnData, Fixed, RowMap, Storage, View};
use columnade_buffers::Exec;
use columnade_tests::{Nulls, Rng};
use std::collections::HashMap;

/// Rows `start .. end` of a column.
fn part(view: View<'_>, start: usize, end: usize) -> View<'_> {
    match view {
        View::Fixed(fixed) => View::Fixed(Fixed { offset: fixed.offset + start, len: end - start, ..fixed }),
        View::String(strings) => View::String(strings),
    }
}

fn chunks(n: usize, len: usize) -> Vec<(usize, usize)> {
    (0..n).step_by(len).map(|start| (start, n.min(start + len))).collect()
}

/// Keys of one chunk.
fn keys_of<'a>(columns: &[View<'a>], (start, end): (usize, usize)) -> Vec<View<'a>> {
    columns.iter().map(|&column| part(column, start, end)).collect()
}

fn ranges_of(columns: &[View<'_>], chunks: &[(usize, usize)], exec: &Exec) -> KeyRanges {
    let mut ranges = KeyRanges::default();
    for &chunk in chunks {
        assert!(ranges.add(&keys_of(columns, chunk), exec).unwrap());
    }
    ranges
}

#[test]
fn ids_of_chunks_match_reference() {
    use Storage::{Bit, F32, F64, I8, I16, I32, I64, I128, U8, U32};
    let exec = Exec::host();
    let mut rng = Rng::new(21);
    let kinds: [&[Storage]; 11] = [
        &[Bit],
        &[I8],
        &[I32],
        &[I64],
        &[U32],
        &[F32],
        &[F64],
        &[I128],
        &[I16, U8],
        &[I32, Bit, I8],
        &[F32, I16],
    ];
    for (k, kinds) in kinds.into_iter().enumerate() {
        for (n, len) in [(0, 10), (1, 10), (64, 31), (3000, 512), (5000, 1200)] {
            let (nulls, distinct) = (Nulls::ALL[k % 4], [3, 300, 1 << 20][n % 3]);
            let mut column = |(k, &kind): (usize, &Storage)| {
                TestColumn::random(Kind::Fixed(kind), n, k * 3, nulls, distinct, &mut rng, &exec)
            };
            let columns: Vec<TestColumn> = kinds.iter().enumerate().map(&mut column).collect();
            let views: Vec<View<'_>> = columns.iter().map(TestColumn::view).collect();
            let chunks = chunks(n, len);
            let ranges = ranges_of(&views, &chunks, &exec);
            for null_keys in [NullKeys::Drop, NullKeys::Group] {
                // Fewer groups than there are: tables grow.
                for groups in [0, n] {
                    let what = format!("{kinds:?} {n} rows by {len}, {nulls:?} {null_keys:?} {groups}");
                    let made = ChunkedGroupIds::new(&ranges, null_keys, groups, len, &exec).unwrap();
                    assert_eq!(made.is_some(), ranges.bytes(null_keys, groups, len).is_some(), "{what}");
                    let Some(mut numbered) = made else {
                        assert!(
                            kinds.iter().any(|&kind| kind == F64 || kind == I128 || kind == I64),
                            "{what}"
                        );
                        continue;
                    };
                    let mut known = HashMap::new();
                    for &(start, end) in &chunks {
                        let found = numbered.number(&keys_of(&views, (start, end)), &exec).unwrap();
                        let mut first_rows = Vec::new();
                        let of_row = |row: usize| {
                            let key: Vec<_> = columns.iter().map(|column| column.rows[row].clone()).collect();
                            if null_keys == NullKeys::Drop && key.contains(&None) {
                                return None;
                            }
                            let next = known.len() as u64;
                            Some(*known.entry(key).or_insert_with(|| {
                                first_rows.push(Some((row - start) as u64));
                                next
                            }))
                        };
                        let ids: Vec<_> = (start..end).map(of_row).collect();
                        assert_eq!(found.ids.to_vec(&exec).unwrap(), ids, "{what} from {start}");
                        assert_eq!(
                            found.first_rows.to_vec(&exec).unwrap(),
                            first_rows,
                            "{what} from {start}"
                        );
                    }
                    assert_eq!(numbered.len(), known.len(), "{what}");
                }
            }
        }
    }
}

/// Keys in an array and in tables, with more groups than a partition has.
#[test]
fn ids_of_many_groups_match_reference() {
    let exec = Exec::host();
    let n = 200_000_u64;
    for spread in [1_u64, 1 << 20] {
        let rows: Vec<i64> = (0..n).map(|row| (row * 7919 % 150_001 * spread).cast_signed() - 9).collect();
        let data = columnade_buffers::Buffer::from_slice(&rows, &exec).unwrap();
        let view = View::Fixed(Fixed {
            storage: Storage::I64,
            data: &data,
            validity: None,
            offset: 0,
            len: rows.len(),
        });
        let chunks = chunks(rows.len(), 70_000);
        let ranges = ranges_of(&[view], &chunks, &exec);
        let mut numbered =
            ChunkedGroupIds::new(&ranges, NullKeys::Drop, 150_000, 70_000, &exec).unwrap().unwrap();
        let mut known = HashMap::new();
        for &(start, end) in &chunks {
            let found = numbered.number(&keys_of(&[view], (start, end)), &exec).unwrap();
            let of_key = |key: &i64| {
                let next = known.len() as u64;
                Some(*known.entry(*key).or_insert(next))
            };
            let ids: Vec<_> = rows[start..end].iter().map(of_key).collect();
            assert!(found.ids.to_vec(&exec).unwrap() == ids, "{spread} from {start}");
        }
        assert_eq!(numbered.len(), known.len());
    }
}

#[test]
fn strings_are_not_grouped_in_chunks() {
    let exec = Exec::host();
    let column = TestColumn::random(Kind::ShortString, 9, 0, Nulls::Some, 3, &mut Rng::new(22), &exec);
    assert!(!KeyRanges::default().add(&[column.view()], &exec).unwrap());
}

#[test]
fn aggregates_of_chunks_match_reference() {
    let exec = Exec::host();
    let mut rng = Rng::new(23);
    for (k, storage) in Storage::ALL.into_iter().enumerate() {
        for (n, groups, len) in
            [(0, 0, 9), (1, 1, 9), (2000, 3, 333), (2500, 700, 512), (3000, 140_000, 1024)]
        {
            let nulls = Nulls::ALL[(k + n) % 4];
            let values = Values::random(storage, n, k % 5, nulls, &mut rng, &exec);
            // One id in ten is of no group.
            let ids: Vec<u32> = (0..n)
                .map(|_| if rng.below(10) == 0 { u32::MAX } else { rng.below(groups as u64) as u32 })
                .collect();
            let requests: Vec<_> = Aggregation::ALL
                .into_iter()
                .filter(|aggregation| aggregation.output(storage).is_some())
                .map(|aggregation| (aggregation, storage))
                .collect();
            let mut chunked = ChunkedAggregates::new(&requests, groups, &exec).unwrap();
            for (start, end) in chunks(n, len) {
                let map = RowMap::from_u32(&ids[start..end], &exec).unwrap();
                let views = vec![part(values.view(), start, end); requests.len()];
                chunked.add(&map, &views, &exec).unwrap();
            }
            let mut members: HashMap<u32, Vec<Option<Cell>>> = HashMap::new();
            for (&id, value) in ids.iter().zip(&values.rows) {
                members.entry(id).or_default().push(*value);
            }
            for (&(aggregation, _), result) in requests.iter().zip(chunked.finish(&exec).unwrap()) {
                let ColumnData::Fixed(result) = result else { panic!("numbers give numbers") };
                assert_eq!((Some(result.storage), result.len), (aggregation.output(storage), groups));
                for (group, got) in read(&result, &exec).into_iter().enumerate() {
                    let members = members.get(&(group as u32)).map_or(&[][..], Vec::as_slice);
                    let expected = expected(aggregation, storage, members);
                    assert!(
                        same(got, expected),
                        "{aggregation:?} of {storage}, n={n} {nulls:?}: group {group} is {got:?}, not {expected:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn chunk_of_other_length_is_length_mismatch() {
    let exec = Exec::host();
    let values = Values::random(Storage::I64, 4, 0, Nulls::NoMask, &mut Rng::new(24), &exec);
    let mut chunked = ChunkedAggregates::new(&[(Aggregation::Sum, Storage::I64)], 1, &exec).unwrap();
    let ids = RowMap::from_u32(&[0, 0, 0], &exec).unwrap();
    let error = chunked.add(&ids, &[values.view()], &exec).unwrap_err();
    assert!(matches!(error, crate::Error::LengthMismatch { left: 3, right: 4 }), "{error}");
    let error = ChunkedAggregates::group_bytes(Aggregation::SumWide, Storage::F64).unwrap_err();
    assert!(matches!(error, crate::Error::UnsupportedStorage { .. }), "{error}");
}
