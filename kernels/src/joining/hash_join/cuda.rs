//! Launcher of `hash_join.cu`.

use super::{JoinKind, JoinMaps, MatchRanges, NullEquality};
use crate::abi::{Alloc, ColumnDesc};
use crate::grouping::group_ids::NullKeys;
use crate::keys::{MAX_DEVICE_KEYS, device_row_width, many};
use crate::launch::Launch;
use crate::{Error, FixedData, Result, RowMap, RowWidth, Storage, View, ViewGuard, access};
use columnade_buffers::Exec;

abi! {
    /// Arguments of `hash_join`.
    pub struct HashJoinArgs {
        /// Host memory: the key columns of the left side, at most 16.
        pub left: *const ColumnDesc,
        /// Host memory: as many columns of the right side.
        pub right: *const ColumnDesc,
        pub column_count: i32,
        /// 0 inner, 1 left, 2 semi, 3 anti, 4 full, 5 ranges, 6 members, 7 the match of each left row.
        pub kind: i32,
        pub nulls_equal: i32,
        /// Bytes of an index of the outputs: 0 left rows, 1 right rows, or of an inner join 2 and 3, longer than the pairs;
        /// for ranges 0 starts, 1 ends, 2 the list, without which they are of right rows; of matches 1. Of members output
        /// 0 is a bit a left row.
        pub map_width: i32,
        pub left_rows: i64,
        pub right_rows: i64,
        /// Host memory for the number of pairs, written before the entry returns; not for ranges and members. Negative if
        /// it is not known that left rows have one match at most.
        pub pairs: *mut i64,
        pub alloc: Alloc,
    }
    entry hash_join(HashJoinArgs);
}

pub(super) fn hash_join(
    left: &[View<'_>],
    right: &[View<'_>],
    kind: JoinKind,
    nulls: NullEquality,
    exec: &Exec,
) -> Result<JoinMaps> {
    let number = match kind {
        JoinKind::Inner => 0,
        JoinKind::Left => 1,
        JoinKind::Semi => 2,
        JoinKind::Anti => 3,
        JoinKind::Full => 4,
    };
    let (mut launch, width, pairs) = join(left, right, number, nulls, exec)?;
    let pairs = usize::try_from(pairs).unwrap_or(0);
    let mut map = |slot| -> Result<RowMap> {
        let rows = match launch.given_output(slot) {
            Some(rows) => rows,
            None => launch.output(slot + LONG_MAPS)?.slice(0, pairs * width.bytes()),
        };
        Ok(RowMap { rows, width, len: pairs })
    };
    Ok(JoinMaps { left: map(0)?, right: if kind.has_pairs() { Some(map(1)?) } else { None } })
}

/// The maps of an inner join that are longer than its pairs are so many outputs behind those that fit.
const LONG_MAPS: usize = 2;

/// The `kind` of an entry that gives ranges.
const RANGES: i32 = 5;

pub(super) fn match_ranges(
    left: &[View<'_>],
    right: &[View<'_>],
    nulls: NullEquality,
    exec: &Exec,
) -> Result<MatchRanges> {
    let (mut launch, width, _) = join(left, right, RANGES, nulls, exec)?;
    let [left_rows, right_rows] = [left, right].map(|side| side.first().map_or(0, View::len));
    let rows = launch.given_output(2).map(|rows| RowMap { rows, width, len: right_rows });
    let mut map = |slot| Ok::<_, Error>(RowMap { rows: launch.output(slot)?, width, len: left_rows });
    Ok(MatchRanges { starts: map(0)?, ends: map(1)?, rows, right_rows })
}

/// The `kind` of an entry that gives the match of each left row.
const UNIQUE: i32 = 7;

pub(super) fn unique_matches(
    left: &[View<'_>],
    right: &[View<'_>],
    nulls: NullEquality,
    exec: &Exec,
) -> Result<Option<RowMap>> {
    let (mut launch, width, pairs) = join(left, right, UNIQUE, nulls, exec)?;
    let Ok(len) = usize::try_from(pairs) else { return Ok(None) };
    Ok(Some(RowMap { rows: launch.output(1)?, width, len }))
}

/// The `kind` of an entry that gives a bit a left row.
const MEMBERS: i32 = 6;

pub(super) fn members(
    left: &[View<'_>],
    right: &[View<'_>],
    nulls: NullEquality,
    exec: &Exec,
) -> Result<FixedData> {
    let (mut launch, ..) = join(left, right, MEMBERS, nulls, exec)?;
    let len = left.first().map_or(0, View::len);
    let data = launch.output(0)?.slice(0, len.div_ceil(8));
    Ok(FixedData { storage: Storage::Bit, len, data, validity: None })
}

/// The finished call, the width of its outputs and the number of pairs.
fn join<'a>(
    left: &[View<'_>],
    right: &[View<'_>],
    kind: i32,
    nulls: NullEquality,
    exec: &'a Exec,
) -> Result<(Launch<'a>, RowWidth, i64)> {
    if left.len() > MAX_DEVICE_KEYS {
        let null_keys = if nulls == NullEquality::Equal { NullKeys::Group } else { NullKeys::Drop };
        let numbers = many::number_both(left, right, null_keys, exec)?;
        let [left_rows, right_rows] = [left, right].map(|side| side.first().map_or(0, View::len));
        let left = many::keys_of_side(&numbers, 0, left_rows, left);
        let right = many::keys_of_side(&numbers, left_rows, right_rows, right);
        return join(&left, &right, kind, nulls, exec);
    }
    let entry = entries::hash_join(exec.device())?;
    let views: Vec<View<'_>> = left.iter().chain(right).copied().collect();
    let guards = access(&views, exec)?;
    let columns: Vec<ColumnDesc> = guards.iter().map(ViewGuard::desc).collect();
    let (left_columns, right_columns) = columns.split_at(left.len());
    let rows = |side: &[View<'_>]| side.first().map_or(0, View::len);
    let width = device_row_width(rows(left).max(rows(right)));
    let mut launch = Launch::new(exec);
    let mut pairs = 0;
    let args = HashJoinArgs {
        left: left_columns.as_ptr(),
        right: right_columns.as_ptr(),
        column_count: left.len() as i32,
        kind,
        nulls_equal: i32::from(nulls == NullEquality::Equal),
        map_width: width as i32,
        left_rows: rows(left) as i64,
        right_rows: rows(right) as i64,
        pairs: &raw mut pairs,
        alloc: launch.alloc(),
    };
    // SAFETY: the guards keep the keys readable; `columns` and `pairs` outlive the call, which reads and
    // writes them before it returns; the launch owns the outputs.
    unsafe { launch.run(entry, &args)? };
    Ok((launch, width, pairs))
}
