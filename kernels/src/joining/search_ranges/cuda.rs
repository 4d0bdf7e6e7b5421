//! Launcher of `search_ranges.cu`.

use super::{Bound, MatchRanges, Neighbor, read};
use crate::abi::{Alloc, ColumnDesc};
use crate::launch::Launch;
use crate::{Fixed, Result, RowMap, RowWidth, Value, View, access};
use columnade_buffers::{Exec, ReadGuard};
use std::ffi::c_void;

abi! {
    /// Arguments of `search_ranges`: output 0 the positions, or the rows next to needles.
    pub struct SearchRangesArgs {
        /// Host memory.
        pub needles: *const ColumnDesc,
        /// Host memory.
        pub values: *const ColumnDesc,
        /// Null: each range is all values.
        pub starts: *const c_void,
        pub ends: *const c_void,
        /// Null: all values in order.
        pub list: *const c_void,
        pub rows: i64,
        /// 0 lower, 1 upper.
        pub bound: i32,
        /// 0 the position, 1 the row before it, 2 the row at it, 3 the nearer of the row before it and the first one that is greater;
        /// all ones for none, and for nulls.
        pub take: i32,
        /// The greatest distance of a row that is taken, in the type of distances.
        pub limit_low: u64,
        pub limit_high: u64,
        pub has_limit: i32,
        /// Bytes of a position.
        pub width: i32,
        pub alloc: Alloc,
    }
    entry search_ranges(SearchRangesArgs);
}

pub(super) fn search_ranges(
    needles: &Fixed<'_>,
    values: &Fixed<'_>,
    ranges: &MatchRanges,
    bound: Bound,
    exec: &Exec,
) -> Result<RowMap> {
    search([needles, values], Some(ranges), bound, 0, None, exec)
}

pub(super) fn nearest_rows(
    needles: &Fixed<'_>,
    values: &Fixed<'_>,
    ranges: Option<&MatchRanges>,
    neighbor: Neighbor,
    limit: Option<Value>,
    exec: &Exec,
) -> Result<RowMap> {
    let take = match neighbor {
        Neighbor::Before | Neighbor::BeforeOrEqual => 1,
        Neighbor::After | Neighbor::AfterOrEqual => 2,
        Neighbor::Nearer | Neighbor::NearerOrEqual => 3,
    };
    search([needles, values], ranges, neighbor.bound(), take, limit, exec)
}

fn search(
    [needles, values]: [&Fixed<'_>; 2],
    ranges: Option<&MatchRanges>,
    bound: Bound,
    take: i32,
    limit: Option<Value>,
    exec: &Exec,
) -> Result<RowMap> {
    let entry = entries::search_ranges(exec.device())?;
    let width = ranges.map_or_else(|| RowWidth::for_rows(values.len), |ranges| ranges.starts.width);
    let guards = access(&[View::Fixed(*needles), View::Fixed(*values)], exec)?;
    let columns = [guards[0].desc(), guards[1].desc()];
    let starts = read(ranges.map(|ranges| &ranges.starts), exec)?;
    let ends = read(ranges.map(|ranges| &ranges.ends), exec)?;
    let list = read(ranges.and_then(|ranges| ranges.rows.as_ref()), exec)?;
    let pointer = |guard: &Option<ReadGuard<'_>>| {
        guard.as_ref().map_or(std::ptr::null(), |guard| guard.as_ptr().cast())
    };
    let limit_bytes = limit.map_or(0, |limit| u128::from_le_bytes(limit.to_bytes()));
    let mut launch = Launch::new(exec);
    let args = SearchRangesArgs {
        needles: &raw const columns[0],
        values: &raw const columns[1],
        starts: pointer(&starts),
        ends: pointer(&ends),
        list: pointer(&list),
        rows: needles.len as i64,
        bound: i32::from(bound == Bound::Upper),
        take,
        limit_low: limit_bytes as u64,
        limit_high: (limit_bytes >> 64) as u64,
        has_limit: i32::from(limit.is_some()),
        width: width as i32,
        alloc: launch.alloc(),
    };
    // SAFETY: the guards keep columns and maps readable; `columns` outlives the call; the launch owns the output.
    unsafe { launch.run(entry, &args)? };
    Ok(RowMap { rows: launch.output(0)?, width, len: needles.len })
}
