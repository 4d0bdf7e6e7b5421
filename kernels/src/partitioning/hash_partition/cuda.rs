//! Launcher of `hash_partition.cu`.

use super::{Partitions, offsets};
use crate::abi::{Alloc, ColumnDesc};
use crate::keys::device_row_width;
use crate::launch::Launch;
use crate::{Result, RowMap, View, ViewGuard, access};
use columnade_buffers::Exec;

abi! {
    /// Arguments of `hash_partition`.
    pub struct HashPartitionArgs {
        /// Host memory: the key columns.
        pub columns: *const ColumnDesc,
        pub column_count: i32,
        /// Bytes of a row number, output 0.
        pub map_width: i32,
        pub rows: i64,
        pub partitions: i64,
        pub seed: u64,
        /// Host memory for the sizes of the partitions, written before the entry returns.
        pub sizes: *mut u64,
        pub alloc: Alloc,
    }
    entry hash_partition(HashPartitionArgs);
}

pub(super) fn hash_partition(keys: &[View<'_>], count: usize, seed: u64, exec: &Exec) -> Result<Partitions> {
    let entry = entries::hash_partition(exec.device())?;
    let guards = access(keys, exec)?;
    let columns: Vec<ColumnDesc> = guards.iter().map(ViewGuard::desc).collect();
    let rows = keys.first().map_or(0, View::len);
    let width = device_row_width(rows);
    let mut launch = Launch::new(exec);
    let mut sizes = vec![0_u64; count];
    let args = HashPartitionArgs {
        columns: columns.as_ptr(),
        column_count: columns.len() as i32,
        map_width: width as i32,
        rows: rows as i64,
        partitions: count as i64,
        seed,
        sizes: sizes.as_mut_ptr(),
        alloc: launch.alloc(),
    };
    // SAFETY: the guards keep the keys readable; `columns` and `sizes`, which has an element for every
    // partition, outlive the call, which reads and writes them before it returns; the launch owns the output.
    unsafe { launch.run(entry, &args)? };
    let map = RowMap { rows: launch.output(0)?, width, len: rows };
    Ok(Partitions { rows: map, offsets: offsets(sizes.into_iter().map(|size| size as usize)) })
}
