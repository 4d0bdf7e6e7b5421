//! Launcher of `search_ranges.cu`.

use super::{Bound, MatchRanges};
use crate::abi::{Alloc, ColumnDesc};
use crate::launch::Launch;
use crate::{Fixed, Result, RowMap, View, access};
use columnade_buffers::Exec;
use std::ffi::c_void;

abi! {
    /// Arguments of `search_ranges`: output 0 the positions.
    pub struct SearchRangesArgs {
        /// Host memory.
        pub needles: *const ColumnDesc,
        /// Host memory.
        pub values: *const ColumnDesc,
        pub starts: *const c_void,
        pub ends: *const c_void,
        /// Null: all values in order.
        pub list: *const c_void,
        pub rows: i64,
        /// 0 lower, 1 upper.
        pub bound: i32,
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
    let entry = entries::search_ranges(exec.device())?;
    let guards = access(&[View::Fixed(*needles), View::Fixed(*values)], exec)?;
    let columns = [guards[0].desc(), guards[1].desc()];
    let (starts, ends) = (ranges.starts.rows.read(exec)?, ranges.ends.rows.read(exec)?);
    let list = ranges.rows.as_ref().map(|rows| rows.rows.read(exec)).transpose()?;
    let mut launch = Launch::new(exec);
    let args = SearchRangesArgs {
        needles: &raw const columns[0],
        values: &raw const columns[1],
        starts: starts.as_ptr().cast(),
        ends: ends.as_ptr().cast(),
        list: list.as_ref().map_or(std::ptr::null(), |list| list.as_ptr().cast()),
        rows: needles.len as i64,
        bound: i32::from(bound == Bound::Upper),
        width: ranges.starts.width as i32,
        alloc: launch.alloc(),
    };
    // SAFETY: the guards keep columns and maps readable; `columns` outlives the call; the launch owns the output.
    unsafe { launch.run(entry, &args)? };
    Ok(RowMap { rows: launch.output(0)?, width: ranges.starts.width, len: needles.len })
}
