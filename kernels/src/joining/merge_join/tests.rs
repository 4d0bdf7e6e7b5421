//! Tests of `merge_join` on every device of the build.

use super::{JoinKind, merge_join};
use crate::{Error, Fixed, Storage};
use columnade_buffers::{Buffer, Device, Exec};
use columnade_tests::{Rng, SIZES};

const KINDS: [JoinKind; 5] =
    [JoinKind::Inner, JoinKind::Left, JoinKind::Semi, JoinKind::Anti, JoinKind::Full];

type Row = Option<u64>;

/// The pairs in the order of values, by counting smaller ones.
fn reference(left: &[i64], right: &[i64], kind: JoinKind) -> Vec<(Row, Row)> {
    let of = |row: usize| Some(row as u64);
    let mut pairs = Vec::new();
    for (row, value) in left.iter().enumerate() {
        match (right.binary_search(value), kind) {
            (Ok(_), JoinKind::Anti) | (Err(_), JoinKind::Inner | JoinKind::Semi) => {}
            (Ok(found), _) => pairs.push((*value, of(row), of(found))),
            (Err(_), _) => pairs.push((*value, of(row), None)),
        }
    }
    if kind == JoinKind::Full {
        let alone = right.iter().enumerate().filter(|(_, value)| left.binary_search(value).is_err());
        pairs.extend(alone.map(|(row, value)| (*value, None, of(row))));
    }
    // Stable: left rows of one value stay in their order.
    pairs.sort_by_key(|(value, _, _)| *value);
    pairs.into_iter().map(|(_, left, right)| (left, right)).collect()
}

/// Checks all kinds of the join, of columns that start some rows into their buffers.
fn check(left: &[i64], right: &[i64], what: &str) {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let side = |values: &[i64], offset: usize| {
            let rows: Vec<i64> = std::iter::repeat_n(7, offset).chain(values.iter().copied()).collect();
            Buffer::from_slice(&rows, &exec).unwrap()
        };
        let (left_data, right_data) = (side(left, 3), side(right, 33));
        let column = |data, offset, len| Fixed { storage: Storage::I64, data, validity: None, offset, len };
        let (left_column, right_column) =
            (column(&left_data, 3, left.len()), column(&right_data, 33, right.len()));
        for kind in KINDS {
            let maps = merge_join(&left_column, &right_column, kind, &exec).unwrap();
            let expected = reference(left, right, kind);
            let what = format!("{kind:?} of {what}: {} and {} on {device}", left.len(), right.len());
            let lefts = maps.left.to_vec(&exec).unwrap();
            assert!(lefts.iter().eq(expected.iter().map(|(left, _)| left)), "left rows, {what}");
            assert_eq!(maps.right.is_some(), kind.has_pairs(), "{what}");
            if let Some(rights) = maps.right {
                let rights = rights.to_vec(&exec).unwrap();
                assert!(rights.iter().eq(expected.iter().map(|(_, right)| right)), "right rows, {what}");
            }
        }
    }
}

fn ascending(rng: &mut Rng, len: usize, bound: u64) -> Vec<i64> {
    let mut values: Vec<i64> = (0..len).map(|_| rng.below(bound) as i64 - bound as i64 / 2).collect();
    values.sort_unstable();
    values
}

#[test]
fn pairs_of_every_size_are_those_of_naive_search() {
    let mut rng = Rng::new(81);
    for (k, n) in SIZES.into_iter().enumerate() {
        for m in [SIZES[(k * 5 + 3) % SIZES.len()], n] {
            for bound in [1 + (n + m) as u64 / 2, 1 + 4 * (n + m) as u64] {
                let left = ascending(&mut rng, n, bound);
                let mut right = ascending(&mut rng, m, bound);
                right.dedup();
                check(&left, &right, "random values");
            }
        }
    }
}

#[test]
fn pairs_across_tiles_are_those_of_naive_search() {
    // 2048 values of both sides are a tile of devices, 65536 a morsel of the host.
    for n in [1023, 1024, 1025, 2047, 2048, 2049, 4097] {
        let all: Vec<i64> = (0..n).collect();
        let evens: Vec<i64> = (0..n).map(|x| 2 * x).collect();
        let after: Vec<i64> = (n..2 * n).collect();
        check(&all, &all, "equal sides");
        check(&all, &evens, "every other value");
        check(&evens, &all, "every other value");
        check(&all, &after, "left before right");
        check(&after, &all, "right before left");
        check(&all, &[], "no right rows");
        check(&[], &all, "no left rows");
        check(&vec![5; usize::try_from(n).unwrap()], &[5], "one value on the left");
    }
    let mut rng = Rng::new(82);
    let left = ascending(&mut rng, 90_000, 200_000);
    let mut right = ascending(&mut rng, 70_000, 200_000);
    right.dedup();
    check(&left, &right, "several morsels");
}

#[test]
fn extremes_and_repeated_left_values_are_paired() {
    check(&[i64::MIN, i64::MIN, -1, i64::MAX, i64::MAX], &[i64::MIN, 0, i64::MAX], "extremes");
    check(&[i64::MAX], &[i64::MIN], "extremes");
    check(&[1, 1, 1, 2, 2, 4], &[1, 2, 3], "repeated left values");
}

#[test]
fn other_storage_is_refused() {
    let exec = Exec::host();
    let data = Buffer::from_slice(&[1_i64, 2], &exec).unwrap();
    let column = |storage| Fixed { storage, data: &data, validity: None, offset: 0, len: 1 };
    let refused = merge_join(&column(Storage::I64), &column(Storage::I32), JoinKind::Inner, &exec);
    assert_eq!(refused.unwrap_err(), Error::UnsupportedStorage { storage: Storage::I32 });
}

#[test]
fn repeated_right_values_match_in_semi_and_anti_joins() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let data = |values: &[i64]| Buffer::from_slice(values, &exec).unwrap();
        // Runs across the ends of tiles.
        let right: Vec<i64> = (0..6000).map(|row| row / 1000 * 2).collect();
        let left: Vec<i64> = (0..3000).map(|row| row / 250).collect();
        let (left_data, right_data) = (data(&left), data(&right));
        let column = |data, len| Fixed { storage: Storage::I64, data, validity: None, offset: 0, len };
        for kind in [JoinKind::Semi, JoinKind::Anti] {
            let (left_column, right_column) =
                (column(&left_data, left.len()), column(&right_data, right.len()));
            let maps = merge_join(&left_column, &right_column, kind, &exec).unwrap();
            let found: Vec<u64> = maps.left.to_vec(&exec).unwrap().into_iter().flatten().collect();
            let is_kept = |row: &u64| right.contains(&left[*row as usize]) == (kind == JoinKind::Semi);
            assert_eq!(found, (0..3000).filter(is_kept).collect::<Vec<u64>>(), "{kind:?} on {device}");
        }
    }
}
