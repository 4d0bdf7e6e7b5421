//! Launcher of `group_aggregate.cu`.

use super::GroupAggregates;
use crate::abi::{Alloc, ColumnDesc};
use crate::aggregation::Aggregation;
use crate::grouping::group_ids::NullKeys;
use crate::keys::{MAX_DEVICE_KEYS, MeasuredKeys, device_row_width};
use crate::launch::Launch;
use crate::{ColumnData, FixedData, Result, RowMap, RowWidth, Storage, View, ViewGuard, access};
use columnade_buffers::Exec;

policy! {
    /// Of `group_aggregate.cu`.
    pub struct GroupAggregatePolicy {
        /// Threads of a block.
        pub const BLOCK_THREADS: i32 = 512;
        /// Rows of a thread of which the loads are in flight together.
        pub const ITEMS: i32 = 2;
        /// Rows of a block, at least: each block writes all of its groups. On an H200 a million rows took 1.5 times as long
        /// with four times as many.
        pub const LEAST_RANGE_ROWS: i64 = 4096;
        /// Blocks, at most: the groups of each are merged.
        pub const MOST_RANGES: i64 = 1024;
        /// Slots of the table of a block.
        pub const SLOTS: i32 = 2048;
        /// The most groups of a block: its table is not fuller than five eighths.
        pub const MOST_BLOCK_GROUPS: i32 = 1280;
        /// The most groups of all blocks.
        pub const MOST_GROUPS: i32 = 2048;
        /// Shared memory of a block: devices have 64 KB, and limits must not depend on the device.
        pub const SHARED_BYTES: i64 = 63_488;
        /// If a block has no space for the states of so many groups, the requests are not for this kernel.
        pub const LEAST_BLOCK_GROUPS: i32 = 256;
        /// Requests of a launch.
        pub const MOST_REQUESTS: i32 = 16;
        /// Columns of values of a launch.
        pub const MOST_COLUMNS: i32 = 8;
        /// Groups that a block merges: a byte of a mask.
        pub const MERGED_GROUPS: i32 = 8;
    }
}

abi! {
    /// Arguments of `group_aggregate`.
    pub struct GroupAggregateArgs {
        /// Host memory: the key columns, at most 16.
        pub columns: *const ColumnDesc,
        pub column_count: i32,
        /// Whether nulls are keys.
        pub null_keys: i32,
        pub rows: i64,
        /// Host memory, one of each request: its `Aggregation`, its values, the storage of its result, and whether that has
        /// a mask. Output 0 is the first rows, `u32`; request `r` has outputs `1 + 2r` (values) and `2 + 2r` (mask).
        pub aggregations: *const i32,
        pub values: *const ColumnDesc,
        pub outputs: *const i32,
        pub masked: *const i32,
        pub request_count: i32,
        /// Host memory for the number of groups, written before the entry returns; -1 if this kernel cannot group them.
        pub groups: *mut i64,
        /// Host memory: a `MeasuredKeys`.
        pub measured: *mut u64,
        pub alloc: Alloc,
    }
    entry group_aggregate(GroupAggregateArgs);
}

/// `None` for keys and requests that need the other kernels, and for too many groups.
pub(super) fn group_aggregate(
    keys: &[View<'_>],
    nulls: NullKeys,
    requests: &[(Aggregation, View<'_>)],
    measured: &mut MeasuredKeys,
    exec: &Exec,
) -> Result<Option<GroupAggregates>> {
    let rows = keys.first().map_or(0, View::len);
    let Some(outputs) = requests.iter().map(output).collect::<Option<Vec<Storage>>>() else {
        return Ok(None);
    };
    if rows == 0 || keys.len() > MAX_DEVICE_KEYS || device_row_width(rows) == RowWidth::U64 {
        return Ok(None);
    }
    let entry = entries::group_aggregate(exec.device())?;
    let views: Vec<View<'_>> = keys.iter().copied().chain(requests.iter().map(|(_, view)| *view)).collect();
    let guards = access(&views, exec)?;
    let columns: Vec<ColumnDesc> = guards.iter().map(ViewGuard::desc).collect();
    let (key_columns, values) = columns.split_at(keys.len());
    let aggregations: Vec<i32> = requests.iter().map(|(aggregation, _)| *aggregation as i32).collect();
    let storages: Vec<i32> = outputs.iter().map(|storage| *storage as i32).collect();
    let is_masked = |(aggregation, view): &(Aggregation, View<'_>)| {
        aggregation.is_null_without_values() && view.validity_bits().is_some()
    };
    let masked: Vec<i32> = requests.iter().map(|request| i32::from(is_masked(request))).collect();
    let mut launch = Launch::new(exec);
    let mut groups = 0;
    let args = GroupAggregateArgs {
        columns: key_columns.as_ptr(),
        column_count: keys.len() as i32,
        null_keys: i32::from(nulls == NullKeys::Group),
        rows: rows as i64,
        aggregations: aggregations.as_ptr(),
        values: values.as_ptr(),
        outputs: storages.as_ptr(),
        masked: masked.as_ptr(),
        request_count: requests.len() as i32,
        groups: &raw mut groups,
        measured: measured.as_mut_ptr(),
        alloc: launch.alloc(),
    };
    // SAFETY: the guards keep keys and values readable; the lists, `groups` and `measured` outlive the call, which reads and writes
    // them before it returns; the launch owns the outputs.
    unsafe { launch.run(entry, &args)? };
    let Ok(len) = usize::try_from(groups) else { return Ok(None) };
    let first_rows = RowMap { rows: launch.output(0)?, width: RowWidth::U32, len };
    let mut columns = Vec::with_capacity(requests.len());
    for (r, (storage, masked)) in outputs.into_iter().zip(masked).enumerate() {
        let data = launch.output(1 + 2 * r)?;
        let validity = if masked != 0 { Some(launch.output(2 + 2 * r)?) } else { None };
        columns.push(ColumnData::Fixed(FixedData { storage, len, data, validity }));
    }
    Ok(Some(GroupAggregates { first_rows, values: columns }))
}

/// The storage of the result; `None` for requests of other kernels: strings, but to count them, and 128 bits.
fn output((aggregation, view): &(Aggregation, View<'_>)) -> Option<Storage> {
    if !aggregation.reads_values() {
        return Some(Storage::I64);
    }
    match view {
        View::Fixed(fixed) if fixed.storage != Storage::I128 => aggregation.output(fixed.storage),
        _ => None,
    }
}
