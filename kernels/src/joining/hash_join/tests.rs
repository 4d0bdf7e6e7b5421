//! Tests of `hash_join` on every device of the build.

use super::{JoinKind, NullEquality, hash_join, match_ranges, members, partitioned, unique_matches};
use crate::joining::pairs::Pairs;
use crate::keys::test_columns::{Kind, TestColumn};
use crate::keys::{
    HashedRows, KeyColumn, KeyLayout, KeyWidth, NO_TICKET, NullRows, Origin, PackedKey, Packer, RowKeys,
};
use crate::test_values::rows_of;
use crate::tuning::JOIN_PARTITION_ROWS;
use crate::{Error, Storage, Value, View, access};
use columnade_buffers::{Device, Exec};
use columnade_tests::{Nulls, Rng, SIZES};
use std::collections::{HashMap, HashSet};

const KINDS: [JoinKind; 5] =
    [JoinKind::Inner, JoinKind::Left, JoinKind::Semi, JoinKind::Anti, JoinKind::Full];

type Rows = Vec<Option<u64>>;

/// The reference implementation.
fn expected(
    left: &[TestColumn],
    right: &[TestColumn],
    kind: JoinKind,
    nulls: NullEquality,
) -> (Rows, Option<Rows>) {
    let key = |side: &[TestColumn], row: usize| -> Vec<Option<Vec<u8>>> {
        side.iter().map(|column| column.rows[row].clone()).collect()
    };
    let mut rows_of: HashMap<_, Vec<usize>> = HashMap::new();
    for r in 0..right[0].rows.len() {
        rows_of.entry(key(right, r)).or_default().push(r);
    }
    let (mut left_out, mut right_out) = (Vec::new(), Vec::new());
    for l in 0..left[0].rows.len() {
        let key = key(left, l);
        let refused = nulls == NullEquality::Unequal && key.contains(&None);
        let matches = if refused { Vec::new() } else { rows_of.get(&key).cloned().unwrap_or_default() };
        match kind {
            JoinKind::Semi | JoinKind::Anti => {
                if matches.is_empty() == (kind == JoinKind::Anti) {
                    left_out.push(Some(l as u64));
                }
            }
            JoinKind::Left | JoinKind::Full if matches.is_empty() => {
                left_out.push(Some(l as u64));
                right_out.push(None);
            }
            JoinKind::Inner | JoinKind::Left | JoinKind::Full => {
                for r in matches {
                    left_out.push(Some(l as u64));
                    right_out.push(Some(r as u64));
                }
            }
        }
    }
    if kind == JoinKind::Full {
        let found: HashSet<Option<u64>> = right_out.iter().copied().collect();
        for r in (0..right[0].rows.len() as u64).filter(|&r| !found.contains(&Some(r))) {
            left_out.push(None);
            right_out.push(Some(r));
        }
    }
    (left_out, matches!(kind, JoinKind::Inner | JoinKind::Left | JoinKind::Full).then_some(right_out))
}

fn check(left: &[TestColumn], right: &[TestColumn], exec: &Exec, what: &str) {
    fn views(side: &[TestColumn]) -> Vec<View<'_>> {
        side.iter().map(TestColumn::view).collect()
    }
    for kind in KINDS {
        for nulls in [NullEquality::Equal, NullEquality::Unequal] {
            let maps = hash_join(&views(left), &views(right), kind, nulls, exec).unwrap();
            let (left_rows, right_rows) = expected(left, right, kind, nulls);
            let what = format!("{kind:?} {nulls:?} of {what} on {}", exec.device());
            assert_eq!(maps.left.to_vec(exec).unwrap(), left_rows, "left of {what}");
            assert_eq!(maps.right.map(|map| map.to_vec(exec).unwrap()), right_rows, "right of {what}");
        }
    }
    for nulls in [NullEquality::Equal, NullEquality::Unequal] {
        let (rows, _) = expected(left, right, JoinKind::Semi, nulls);
        let rows: HashSet<Option<u64>> = rows.into_iter().collect();
        let bits: Vec<_> =
            (0..left[0].rows.len() as u64).map(|row| Some(Value::Bit(rows.contains(&Some(row))))).collect();
        let found = members(&views(left), &views(right), nulls, exec).unwrap();
        assert_eq!(rows_of(&found, exec), bits, "members, {nulls:?} of {what} on {}", exec.device());
        check_unique_matches(left, right, nulls, exec, what);
        let ranges = match_ranges(&views(left), &views(right), nulls, exec).unwrap();
        for (keep_left, kind) in [(false, JoinKind::Inner), (true, JoinKind::Left)] {
            let pairs = Pairs::new(ranges.clone(), keep_left, exec).unwrap();
            let maps = pairs.write(0, pairs.len(), exec).unwrap();
            let (left_rows, right_rows) = expected(left, right, kind, nulls);
            let what = format!("ranges, {kind:?} {nulls:?} of {what} on {}", exec.device());
            assert_eq!(maps.left.to_vec(exec).unwrap(), left_rows, "left of {what}");
            assert_eq!(maps.right.map(|map| map.to_vec(exec).unwrap()), right_rows, "right of {what}");
        }
    }
}

/// Matches are found where no right key comes twice, on devices of all keys whose types 64 bits hold.
fn check_unique_matches(
    left: &[TestColumn],
    right: &[TestColumn],
    nulls: NullEquality,
    exec: &Exec,
    what: &str,
) {
    let [left_views, right_views] =
        [left, right].map(|side| side.iter().map(TestColumn::view).collect::<Vec<_>>());
    let found = unique_matches(&left_views, &right_views, nulls, exec).unwrap();
    let of_itself = expected(right, right, JoinKind::Inner, nulls).0;
    let is_repeated = of_itself.iter().collect::<HashSet<_>>().len() < of_itself.len();
    let what = format!("matches, {nulls:?} of {what} on {}", exec.device());
    let is_narrow = match left_views.as_slice() {
        // A null that is a key is one value more than 64 bits have.
        [View::Fixed(key)] if exec.device() != Device::Host => match key.storage.width() {
            Some(8) => nulls == NullEquality::Unequal,
            width => width != Some(16),
        },
        _ => false,
    };
    // 64-bit row numbers have no such table.
    if is_narrow && !is_repeated && !left[0].rows.is_empty() && !crate::limits::are_small() {
        assert!(found.is_some(), "{what}");
    }
    if let Some(found) = found {
        assert!(!is_repeated, "{what}");
        let right_rows = expected(left, right, JoinKind::Left, nulls).1;
        assert_eq!(Some(found.to_vec(exec).unwrap()), right_rows, "{what}");
    }
}

/// Sizes of both sides: empty, one row, and one side much smaller.
const SIDES: [(usize, usize); 8] = [(0, 0), (0, 5), (5, 0), (1, 1), (65, 64), (33, 300), (300, 33), (257, 1)];

#[test]
fn hash_join_of_every_type_and_null_pattern_matches_reference() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(31);
        let kinds = Storage::ALL.into_iter().map(Kind::Fixed).chain([Kind::ShortString, Kind::LongString]);
        for (k, kind) in kinds.enumerate() {
            for (j, (n, m)) in SIDES.into_iter().enumerate() {
                let nulls = [Nulls::ALL[(k + j) % 4], Nulls::ALL[(k + j / 4) % 4]];
                let left = [TestColumn::random(kind, n, 3, nulls[0], 40, &mut rng, &exec)];
                let right = [TestColumn::random(kind, m, j % 3, nulls[1], 50, &mut rng, &exec)];
                check(&left, &right, &exec, &format!("{kind:?} {n}x{m} {nulls:?}"));
            }
        }
    }
}

#[test]
fn hash_join_of_several_keys_with_nulls_matches_reference() {
    use Storage::{Bit, F64, I32, I64, I128, U8};
    let combinations: [&[Kind]; 9] = [
        &[Kind::Fixed(U8), Kind::Fixed(Bit)],
        &[Kind::Fixed(I32), Kind::Fixed(I64)],
        &[Kind::ShortString, Kind::Fixed(I128)],
        &[Kind::LongString, Kind::Fixed(F64), Kind::Fixed(I32)],
        // The longest that one word holds, and longer ones.
        &[Kind::Bytes(0)],
        &[Kind::Bytes(7)],
        &[Kind::Bytes(8)],
        &[Kind::Bytes(3), Kind::Bytes(3)],
        &[Kind::Fixed(I32), Kind::Bytes(2)],
    ];
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(32);
        for kinds in combinations {
            let distinct = if kinds.iter().any(|kind| matches!(kind, Kind::Bytes(_))) { 400 } else { 6 };
            for nulls in [Nulls::NoMask, Nulls::Some] {
                for (n, m) in [(200, 150), (40, 200)] {
                    let mut side = |rows| -> Vec<TestColumn> {
                        let column =
                            |&kind| TestColumn::random(kind, rows, 1, nulls, distinct, &mut rng, &exec);
                        kinds.iter().map(column).collect()
                    };
                    let (left, right) = (side(n), side(m));
                    check(&left, &right, &exec, &format!("{kinds:?} {n}x{m} {nulls:?}"));
                }
            }
        }
    }
}

#[test]
fn hash_join_of_integers_of_any_range_matches_reference() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(39);
        for (n, m) in [(90, 4), (5, 60), (1, 0)] {
            for nulls in Nulls::ALL {
                let left = TestColumn::of_ranges(n, nulls, &mut rng, &exec);
                let right = TestColumn::of_ranges(m, Nulls::Some, &mut rng, &exec);
                for ((name, left), (_, right)) in left.iter().zip(&right) {
                    check(left, right, &exec, &format!("{name} {n}x{m} {nulls:?}"));
                }
            }
        }
    }
}

/// More keys than the arguments of a launch hold.
#[test]
fn hash_join_of_many_keys_matches_reference() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(38);
        for (count, nulls) in [(16, Nulls::Some), (17, Nulls::NoMask), (20, Nulls::Some), (33, Nulls::Some)] {
            let mut side = |rows| -> Vec<TestColumn> {
                (0..count)
                    .map(|k| {
                        let kind =
                            [Kind::Fixed(Storage::I64), Kind::LongString, Kind::Fixed(Storage::U8)][k % 3];
                        let distinct = if k == 2 || k + 1 == count { 5 } else { 1 };
                        let nulls = if k == 7 || k + 2 == count { nulls } else { Nulls::NoMask };
                        TestColumn::random(kind, rows, k % 5, nulls, distinct, &mut rng, &exec)
                    })
                    .collect()
            };
            let (left, right) = (side(120), side(70));
            check(&left, &right, &exec, &format!("{count} keys"));
        }
    }
}

#[test]
fn hash_join_of_equal_and_of_distinct_rows_matches_reference() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(33);
        for kind in [Kind::Fixed(Storage::I64), Kind::Fixed(Storage::U32), Kind::LongString] {
            for distinct in [1, 1 << 40] {
                let mut side =
                    |rows| [TestColumn::random(kind, rows, 0, Nulls::NoMask, distinct, &mut rng, &exec)];
                let (left, right) = (side(90), side(70));
                check(&left, &right, &exec, &format!("{kind:?} of {distinct}"));
                check(&left, &left, &exec, &format!("{kind:?} of {distinct} with itself"));
            }
        }
    }
}

#[test]
fn hash_join_of_many_rows_matches_reference() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(34);
        let n = if device == Device::Host { 70_000 } else { SIZES[13] };
        for (m, distinct) in [(40, 64), (300, 1 << 20)] {
            let left =
                [TestColumn::random(Kind::Fixed(Storage::U32), n, 0, Nulls::Some, distinct, &mut rng, &exec)];
            let right =
                [TestColumn::random(Kind::Fixed(Storage::U32), m, 0, Nulls::Some, distinct, &mut rng, &exec)];
            let nulls = NullEquality::Unequal;
            for (left, right) in [(&left, &right), (&right, &left)] {
                for kind in KINDS {
                    let maps = hash_join(&[left[0].view()], &[right[0].view()], kind, nulls, &exec).unwrap();
                    let (left_rows, right_rows) = expected(left, right, kind, nulls);
                    assert_eq!(maps.left.to_vec(&exec).unwrap(), left_rows, "{kind:?} {m} {distinct}");
                    assert_eq!(maps.right.map(|map| map.to_vec(&exec).unwrap()), right_rows, "{kind:?} {m}");
                }
            }
        }
    }
}

#[test]
fn hash_join_of_mismatched_keys_is_an_error() {
    let exec = Exec::host();
    let mut rng = Rng::new(35);
    let mut column =
        |storage, n| TestColumn::random(Kind::Fixed(storage), n, 0, Nulls::NoMask, 2, &mut rng, &exec);
    let (a, b, c) = (column(Storage::I32, 3), column(Storage::I64, 3), column(Storage::I32, 4));
    let join = |left: &[View<'_>], right: &[View<'_>]| {
        hash_join(left, right, JoinKind::Inner, NullEquality::Equal, &exec)
    };
    assert!(matches!(join(&[a.view()], &[b.view()]), Err(Error::TypeMismatch)));
    assert!(matches!(
        join(&[a.view(), c.view()], &[a.view(), a.view()]),
        Err(Error::LengthMismatch { left: 3, right: 4, .. })
    ));
    assert!(matches!(join(&[], &[]), Err(Error::InvalidArgument { .. })));
    assert!(matches!(join(&[a.view()], &[a.view(), a.view()]), Err(Error::InvalidArgument { .. })));
}

/// Right keys for tables of keys without duplicates: in a dense range, far apart, and with one key twice at the end; the
/// key of all ones among them; and one key of many rows.
#[test]
fn hash_join_with_and_without_duplicate_right_keys_matches_reference() {
    type Key = fn(i64) -> i64;
    let keys: [(&str, Key); 5] = [
        ("dense", |k| 1_000_000 - k),
        ("a quarter of a range", |k| 4 * k - 7),
        ("far apart", |k| (k - 1).wrapping_mul(0x1234_5678_9abc_def1)),
        ("few bits", |k| (k - 1) << 55),
        ("of one value", |_| -1),
    ];
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(37);
        for (what, key) in keys {
            for (n, m, twice) in [(2_100, 1_025, false), (1_024, 700, true), (3, 1_500, false)] {
                let mut order: Vec<i64> = (0..m).collect();
                for last in (1..order.len()).rev() {
                    order.swap(last, rng.below(last as u64 + 1) as usize);
                }
                if twice {
                    let again = order[5];
                    order.push(again);
                }
                let right: Vec<i64> = order.iter().map(|&k| key(k)).collect();
                // A third of the left keys match no right row.
                let left: Vec<i64> = (0..n).map(|_| key(rng.below(m as u64 * 3 / 2) as i64)).collect();
                let nulls = [Nulls::NoMask, Nulls::Some][usize::from(twice)];
                let sides = [(left, 2), (right, 0)]
                    .map(|(values, offset)| [TestColumn::of_i64(&values, offset, nulls, &mut rng, &exec)]);
                check(&sides[0], &sides[1], &exec, &format!("{what} {n}x{m}"));
            }
        }
    }
}

/// No right key, which is as a range of none, and left keys that are near its ends.
#[test]
fn hash_join_with_right_keys_that_are_all_null_matches_reference() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(41);
        let left = [0, -1, 1, i64::MIN, i64::MAX, -2, 2, 0];
        let left = [TestColumn::of_i64(&left, 1, Nulls::NoMask, &mut rng, &exec)];
        for m in [1, 70] {
            let right = [TestColumn::of_i64(&vec![0; m], 3, Nulls::All, &mut rng, &exec)];
            check(&left, &right, &exec, &format!("{m} null keys"));
        }
    }
}

/// Keys with one tag in an entry of the hash table: different keys whose hashes have the same lower bits, and keys whose
/// differences to the least one have.
#[test]
fn hash_join_of_keys_with_equal_tags_matches_reference() {
    const FACTOR: u64 = 0xff51_afd7_ed55_8ccd;
    // Newton's method: each step doubles the bits that are right.
    let inverse = (0..6).fold(1_u64, |x, _| x.wrapping_mul(2_u64.wrapping_sub(FACTOR.wrapping_mul(x))));
    assert_eq!(inverse.wrapping_mul(FACTOR), 1);
    let unmixed = |hash: u64| (hash ^ (hash >> 32)).wrapping_mul(inverse);
    let of_hash = |hash: u64| unmixed(unmixed(hash)).cast_signed();
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(43);
        for span in [(1_i64 << 32) - 1, 1 << 32, (1 << 32) + 1, 1 << 40] {
            // Both ends of the range, and keys 2³² apart.
            let mut right: Vec<i64> = vec![0, span, 5, 77];
            let left: Vec<i64> =
                right.iter().flat_map(|&key| [key, key + (1 << 32), key - (1 << 32)]).collect();
            for is_repeated in [false, true] {
                if is_repeated {
                    right.push(77);
                }
                let sides = [(&left, 1), (&right, 0)].map(|(values, offset)| {
                    [TestColumn::of_i64(values, offset, Nulls::NoMask, &mut rng, &exec)]
                });
                check(&sides[0], &sides[1], &exec, &format!("a range of {span}"));
            }
        }
        let keys: Vec<i64> = (0..300).map(|k| of_hash(0x4321_0000_8765_4321 + (k << 32))).collect();
        for is_repeated in [false, true] {
            let mut right: Vec<i64> = keys.iter().copied().step_by(2).collect();
            if is_repeated {
                right.push(keys[10]);
            }
            let sides = [(&keys, 0), (&right, 1)]
                .map(|(values, offset)| [TestColumn::of_i64(values, offset, Nulls::Some, &mut rng, &exec)]);
            check(&sides[0], &sides[1], &exec, "hashes with equal lower bits");
        }
    }
}

/// Of many left rows few have a match: some blocks that write pairs search among more rows than they read.
#[test]
fn hash_join_with_few_matches_matches_reference() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        let mut rng = Rng::new(42);
        let left: Vec<i64> = (0..40_000).map(|row| if row % 9_000 == 5 { row } else { -row }).collect();
        let right: Vec<i64> = (0..40).map(|k| [5, 9_005, 27_005, 36_005, 50_000][k % 5]).collect();
        let sides =
            [left, right].map(|values| [TestColumn::of_i64(&values, 0, Nulls::NoMask, &mut rng, &exec)]);
        for kind in [JoinKind::Inner, JoinKind::Full] {
            let views = sides.each_ref().map(|side| [side[0].view()]);
            let maps = hash_join(&views[0], &views[1], kind, NullEquality::Equal, &exec).unwrap();
            let (left_rows, right_rows) = expected(&sides[0], &sides[1], kind, NullEquality::Equal);
            assert!(maps.left.to_vec(&exec).unwrap() == left_rows, "left of {kind:?} on {device}");
            let right = maps.right.map(|map| map.to_vec(&exec).unwrap());
            assert!(right == right_rows, "right of {kind:?} on {device}");
        }
    }
}

/// The tickets of keys by a map, in the order of first appearance; where all keys are different, their rows.
fn same_tickets(left: &[TestColumn], right: &[TestColumn], built: &[u32], probed: &[u32], what: &str) {
    let mut ticket_of = HashMap::new();
    for (row, &ticket) in built.iter().enumerate() {
        let key: Vec<_> = left.iter().map(|column| column.rows[row].clone()).collect();
        if key.contains(&None) {
            assert_eq!(ticket, NO_TICKET, "row {row} of {what}");
        } else {
            assert_eq!(*ticket_of.entry(key).or_insert(ticket), ticket, "row {row} of {what}");
        }
    }
    let tickets: HashSet<u32> = ticket_of.values().copied().collect();
    assert_eq!(tickets.len(), ticket_of.len(), "keys of {what} have tickets of their own");
    for (row, &ticket) in probed.iter().enumerate() {
        let key: Vec<_> = right.iter().map(|column| column.rows[row].clone()).collect();
        assert_eq!(ticket, ticket_of.get(&key).copied().unwrap_or(NO_TICKET), "probed row {row} of {what}");
    }
}

#[test]
fn tickets_of_partitions_and_blocks_match_reference() {
    let exec = Exec::host();
    let mut rng = Rng::new(38);
    let combinations: [&[Kind]; 4] = [
        &[Kind::Fixed(Storage::I64)],
        &[Kind::Fixed(Storage::I64), Kind::Fixed(Storage::I32)],
        &[Kind::LongString],
        &[Kind::ShortString, Kind::LongString, Kind::Fixed(Storage::F64)],
    ];
    for (k, kinds) in combinations.into_iter().enumerate() {
        // Of two keys each has more rows than a partition mostly has.
        for (n, m, distinct) in [
            (0, 0, 1),
            (1, 0, 9),
            (0, 7, 9),
            (400, 3_000, 2),
            (65, 900, 40),
            (3_000, 2_500, 1 << 40),
            (2_049, 5_000, 300),
        ] {
            for nulls in [Nulls::NoMask, Nulls::Some] {
                let mut side = |rows, offset| -> Vec<TestColumn> {
                    let column =
                        |&kind| TestColumn::random(kind, rows, offset, nulls, distinct, &mut rng, &exec);
                    kinds.iter().map(column).collect()
                };
                let (built, probed) = (side(n, k), side(m, 1));
                for (partitions, block) in [(2, 1_000), (64, 1 << 20), (8, 1_024)] {
                    let partitioning = partitioned::Partitioning { partitions, block };
                    let (bound, tickets) = partition_tickets(&built, &probed, partitioning, &exec);
                    let what = format!("{kinds:?} {n}x{m} of {distinct}, {nulls:?}, {partitioning:?}");
                    assert!(tickets[0].iter().all(|&it| it == NO_TICKET || (it as usize) < bound), "{what}");
                    same_tickets(&built, &probed, &tickets[0], &tickets[1], &what);
                }
            }
        }
    }
}

/// What [`partitioned::number`] returns and writes.
fn partition_tickets(
    built: &[TestColumn],
    probed: &[TestColumn],
    partitioning: partitioned::Partitioning,
    exec: &Exec,
) -> (usize, [Vec<u32>; 2]) {
    let views: Vec<View<'_>> = built.iter().chain(probed).map(TestColumn::view).collect();
    let guards = access(&views, exec).unwrap();
    let columns: Vec<KeyColumn<'_>> = guards.iter().map(KeyColumn::new).collect();
    let (left, right) = columns.split_at(built.len());
    let layout = KeyLayout::measure(left, NullRows::Miss);
    let mut tickets = [vec![7; left[0].rows], vec![7; right[0].rows]];
    let [of_left, of_right] = &mut tickets;
    let packers =
        [Packer::new(&layout, left, Origin::Measured), Packer::new(&layout, right, Origin::Foreign)];
    let bits = layout.bits();
    let bound = match layout.width() {
        KeyWidth::Word => number::<u64, _>(packers, of_left, of_right, bits, partitioning, exec),
        KeyWidth::Double => number::<u128, _>(packers, of_left, of_right, bits, partitioning, exec),
        KeyWidth::Hashed => {
            let rows = [HashedRows::new(left, NullRows::Miss), HashedRows::new(right, NullRows::Miss)];
            number(rows, of_left, of_right, bits, partitioning, exec)
        }
    };
    (bound, tickets)
}

fn number<K: PackedKey, S: RowKeys<K>>(
    [built, probed]: [S; 2],
    of_built: &mut [u32],
    of_probed: &mut [u32],
    bits: u32,
    partitioning: partitioned::Partitioning,
    exec: &Exec,
) -> usize {
    let built = partitioned::Side { source: built, tickets: of_built };
    let probed = partitioned::Side { source: probed, tickets: of_probed };
    partitioned::number(built, probed, bits, partitioning, exec).unwrap()
}

/// More keys than the tables of threads hold, in two partitions.
#[test]
fn partitions_beyond_a_table_match_reference() {
    let exec = Exec::host();
    let mut rng = Rng::new(39);
    let key = |row: i64| row.wrapping_mul(0x1234_5678_9abc_def1);
    let built: Vec<i64> = (0..300_000).map(key).collect();
    let probed: Vec<i64> = (0..1_000).map(|_| key(rng.below(400_000) as i64)).collect();
    let sides =
        [built, probed].map(|values| [TestColumn::of_i64(&values, 0, Nulls::NoMask, &mut rng, &exec)]);
    let partitioning = partitioned::Partitioning { partitions: 2, block: 400 };
    let (bound, [built, probed]) = partition_tickets(&sides[0], &sides[1], partitioning, &exec);
    assert_eq!(bound, 300_000);
    assert!(built.iter().enumerate().all(|(row, &ticket)| ticket as usize == row));
    same_tickets(&sides[0], &sides[1], &built, &probed, "many keys");
}

/// As many rows as are partitioned: keys that are different, that repeat, of strings, and with nulls; the smaller side on
/// the left and on the right.
#[test]
fn hash_join_of_partitioned_sides_matches_reference() {
    let exec = Exec::host();
    let mut rng = Rng::new(40);
    let large = i64::try_from(JOIN_PARTITION_ROWS).unwrap() + 5;
    let key = |row: i64| row.wrapping_mul(0x1234_5678_9abc_def1);
    let shapes: [(&str, i64, i64, i64, Nulls); 3] = [
        ("different", large, large / 2 + 9, i64::MAX, Nulls::NoMask),
        ("repeated", large, large / 2 + 9, 400_000, Nulls::Some),
        ("few on the left", large, 2 * large + 3, large, Nulls::NoMask),
    ];
    for (k, (what, m, n, distinct, nulls)) in shapes.into_iter().enumerate() {
        let right: Vec<i64> = (0..m).map(|row| key(row.wrapping_mul(7_919) % distinct)).collect();
        let left: Vec<i64> = (0..n).map(|_| key(rng.below(m.min(distinct) as u64 * 3 / 2) as i64)).collect();
        let sides = [left, right].map(|values| [TestColumn::of_i64(&values, k, nulls, &mut rng, &exec)]);
        let [left, right] = if what == "few on the left" {
            let [a, b] = sides;
            [b, a]
        } else {
            sides
        };
        // Null keys that match each other would be too many pairs.
        let nulls = if nulls == Nulls::Some { NullEquality::Unequal } else { NullEquality::Equal };
        for kind in KINDS.into_iter().skip(k % 2).step_by(2) {
            let maps = hash_join(&[left[0].view()], &[right[0].view()], kind, nulls, &exec).unwrap();
            let (left_rows, right_rows) = expected(&left, &right, kind, nulls);
            assert!(maps.left.to_vec(&exec).unwrap() == left_rows, "left of {kind:?} of {what}");
            let right = maps.right.map(|map| map.to_vec(&exec).unwrap());
            assert!(right == right_rows, "right of {kind:?} of {what}");
        }
    }
}
