//! Launcher of `group_ids.cu`.

use super::{Groups, NullKeys};
use crate::abi::{Alloc, ColumnDesc};
use crate::keys::{MAX_DEVICE_KEYS, MeasuredKeys, device_row_width, many};
use crate::launch::Launch;
use crate::{Error, Result, RowMap, RowWidth, View, ViewGuard, access};
use columnade_buffers::Exec;

policy! {
    /// Of `group_ids.cu`.
    pub struct TilePolicy {
        /// Threads of a block.
        pub const THREADS: i32 = 512;
        /// With small limits.
        pub const SMALL_ROWS: i32 = 700;
        /// The most slots of the table of a block, as many as it has rows: 24 KiB of shared memory. Half of them get keys,
        /// besides at most one a thread. Rows of other keys look for the table of all rows themselves.
        pub const SLOTS: i32 = 2048;
        /// Slots that a row tries.
        pub const PROBES: i32 = 32;
        /// Rows of a thread that are looked for side by side: the loads of all of them are in flight together.
        pub const BATCH: i32 = 4;
        /// Blocks of a multiprocessor: for more, ptxas spills registers.
        pub const BLOCKS: i32 = 2;
    }
}

/// The most rows of a block: the more, the fewer keys of all blocks together.
const MOST_ROWS: usize = 8192;
/// The least: two rows a thread.
const LEAST_ROWS: usize = 1024;
/// Between them a block has so many rows that there are about as many blocks: four for each of 132 multiprocessors.
const WANTED_BLOCKS: usize = 528;

/// The rows of a block, and the slots of its table.
pub(super) fn tile(rows: usize) -> (usize, usize) {
    let mut tile = LEAST_ROWS;
    while tile < MOST_ROWS && tile * WANTED_BLOCKS < rows {
        tile *= 2;
    }
    (tile, tile.min(TilePolicy::SLOTS as usize))
}

abi! {
    /// Arguments of `group_ids`.
    pub struct GroupIdsArgs {
        /// Host memory: the key columns, at most 16.
        pub columns: *const ColumnDesc,
        pub column_count: i32,
        /// Whether nulls are keys.
        pub null_keys: i32,
        pub rows: i64,
        /// Bytes of an index of the first rows, output 1; the ids are output 0.
        pub map_width: i32,
        /// The slots of the table of a block, and its rows.
        pub tile_slots: i32,
        pub tile_rows: i64,
        /// Host memory for the number of groups, written before the entry returns.
        pub groups: *mut i64,
        /// Host memory: a `MeasuredKeys`.
        pub measured: *mut u64,
        pub alloc: Alloc,
    }
    entry group_ids(GroupIdsArgs);
}

pub(super) fn group_ids(
    keys: &[View<'_>],
    nulls: NullKeys,
    measured: &mut MeasuredKeys,
    exec: &Exec,
) -> Result<Groups> {
    if keys.len() > MAX_DEVICE_KEYS {
        let (first, rest) = many::number_first(keys, nulls, exec)?;
        let keys: Vec<View<'_>> =
            std::iter::once(View::Fixed(first.view())).chain(rest.iter().copied()).collect();
        return group_ids(&keys, nulls, &mut MeasuredKeys::none(), exec);
    }
    let entry = entries::group_ids(exec.device())?;
    let guards = access(keys, exec)?;
    let columns: Vec<ColumnDesc> = guards.iter().map(ViewGuard::desc).collect();
    let rows = keys.first().map_or(0, View::len);
    let width = device_row_width(rows);
    let (tile_rows, tile_slots) = tile(rows);
    let mut launch = Launch::new(exec);
    let mut groups = 0;
    let args = GroupIdsArgs {
        columns: columns.as_ptr(),
        column_count: columns.len() as i32,
        null_keys: i32::from(nulls == NullKeys::Group),
        rows: rows as i64,
        map_width: width as i32,
        tile_slots: tile_slots as i32,
        tile_rows: tile_rows as i64,
        groups: &raw mut groups,
        measured: measured.as_mut_ptr(),
        alloc: launch.alloc(),
    };
    // SAFETY: the guards keep the keys readable; `columns`, `groups` and `measured` outlive the call, which reads and
    // writes them before it returns; the launch owns the outputs.
    unsafe { launch.run(entry, &args)? };
    let len = groups as usize;
    if len >= RowMap::NONE_U32 as usize {
        return Err(Error::NotImplemented { feature: "2^32 - 1 groups or more" });
    }
    Ok(Groups {
        ids: RowMap { rows: launch.output(0)?, width: RowWidth::U32, len: rows },
        first_rows: RowMap { rows: launch.output(1)?, width, len },
    })
}
