//! Launcher of `pairs.cu`.

use super::{JoinMaps, MatchRanges, Pairs};
use crate::abi::Alloc;
use crate::launch::Launch;
use crate::{Result, RowMap};
use columnade_buffers::{Buffer, Exec};
use std::ffi::c_void;

abi! {
    /// Arguments of `count_pairs`.
    pub struct CountPairsArgs {
        pub starts: *const c_void,
        pub ends: *const c_void,
        pub rows: i64,
        pub keep_left: i32,
        /// Bytes of an index.
        pub width: i32,
        /// Host memory for the number of pairs, written before the entry returns.
        pub total: *mut i64,
        pub alloc: Alloc,
    }
    /// Arguments of `write_pairs`: output 0 the left rows, output 1 the right rows.
    pub struct WritePairsArgs {
        pub starts: *const c_void,
        pub ends: *const c_void,
        /// The number of pairs before each row.
        pub before: *const i64,
        /// Null: all right rows in order.
        pub list: *const c_void,
        pub rows: i64,
        pub first: i64,
        pub pairs: i64,
        pub width: i32,
        pub alloc: Alloc,
    }
    /// Arguments of `find_runs`: output 0 the starts, output 1 the ends.
    pub struct FindRunsArgs {
        pub sorted: *const c_void,
        pub rows: i64,
        pub values: i64,
        pub width: i32,
        pub alloc: Alloc,
    }
    entry count_pairs(CountPairsArgs);
    entry write_pairs(WritePairsArgs);
    entry find_runs(FindRunsArgs);
}

pub(super) fn count(ranges: &MatchRanges, keep_left: bool, exec: &Exec) -> Result<(Buffer, usize)> {
    let entry = entries::count_pairs(exec.device())?;
    let (starts, ends) = (ranges.starts.rows.read(exec)?, ranges.ends.rows.read(exec)?);
    let mut launch = Launch::new(exec);
    let mut total = 0;
    let args = CountPairsArgs {
        starts: starts.as_ptr().cast(),
        ends: ends.as_ptr().cast(),
        rows: ranges.starts.len as i64,
        keep_left: i32::from(keep_left),
        width: ranges.starts.width as i32,
        total: &raw mut total,
        alloc: launch.alloc(),
    };
    // SAFETY: the guards keep the maps readable; `total` outlives the call, which writes it before it returns; the
    // launch owns the output.
    unsafe { launch.run(entry, &args)? };
    Ok((launch.output(0)?, total as usize))
}

pub(super) fn write(pairs: &Pairs, first: usize, len: usize, exec: &Exec) -> Result<JoinMaps> {
    let entry = entries::write_pairs(exec.device())?;
    let ranges = &pairs.ranges;
    let (starts, ends) = (ranges.starts.rows.read(exec)?, ranges.ends.rows.read(exec)?);
    let before = pairs.before.read(exec)?;
    let list = ranges.rows.as_ref().map(|rows| rows.rows.read(exec)).transpose()?;
    let mut launch = Launch::new(exec);
    let args = WritePairsArgs {
        starts: starts.as_ptr().cast(),
        ends: ends.as_ptr().cast(),
        before: before.as_ptr().cast(),
        list: list.as_ref().map_or(std::ptr::null(), |list| list.as_ptr().cast()),
        rows: ranges.starts.len as i64,
        first: first as i64,
        pairs: len as i64,
        width: ranges.starts.width as i32,
        alloc: launch.alloc(),
    };
    // SAFETY: the guards keep the maps readable; the launch owns the outputs.
    unsafe { launch.run(entry, &args)? };
    let mut map = |slot| -> Result<RowMap> {
        Ok(RowMap { rows: launch.output(slot)?, width: ranges.starts.width, len })
    };
    Ok(JoinMaps { left: map(0)?, right: Some(map(1)?) })
}

pub(super) fn runs(sorted: &RowMap, values: usize, exec: &Exec) -> Result<[RowMap; 2]> {
    let entry = entries::find_runs(exec.device())?;
    let guard = sorted.rows.read(exec)?;
    let mut launch = Launch::new(exec);
    let args = FindRunsArgs {
        sorted: guard.as_ptr().cast(),
        rows: sorted.len as i64,
        values: values as i64,
        width: sorted.width as i32,
        alloc: launch.alloc(),
    };
    // SAFETY: the guard keeps the map readable; the launch owns the outputs.
    unsafe { launch.run(entry, &args)? };
    let mut map = |slot| -> Result<RowMap> {
        Ok(RowMap { rows: launch.output(slot)?, width: sorted.width, len: values })
    };
    Ok([map(0)?, map(1)?])
}
