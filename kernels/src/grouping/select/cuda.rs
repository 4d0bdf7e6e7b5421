//! Launcher of `select.cu`.

use super::Groups;
use crate::abi::{Alloc, ColumnDesc};
use crate::launch::Launch;
use crate::{Fixed, FixedData, Result, View, ViewGuard, access};
use columnade_buffers::Exec;
use std::ffi::c_void;

/// The most rows of a group: one block selects in it, and reads them eight times.
const MOST_GROUP_ROWS: usize = 1 << 16;

policy! {
    /// Of `select.cu`.
    pub struct SelectPolicy {
        /// Rows of a group that a warp selects in: 16 KiB of shared memory a block.
        pub const WARP_ROWS: i32 = 256;
        /// Positions of a launch.
        pub const POSITIONS: i32 = 4;
    }
}

abi! {
    /// Arguments of `nth_smallest`.
    pub struct NthSmallestArgs {
        /// The group of each row, `U32`; all ones for none.
        pub ids: *const c_void,
        pub groups: i64,
        /// A storage type of whole bytes, up to 64 bits.
        pub values: ColumnDesc,
        /// Host memory: columns of `I64`, a row for each group.
        pub positions: *const ColumnDesc,
        pub position_count: i32,
        /// Groups of more rows end the work.
        pub most_rows: i64,
        /// Host memory: 1 if all groups have a result, written before the entry returns.
        pub done: *mut i32,
        /// Outputs: of each column of positions the values, then the validity.
        pub alloc: Alloc,
    }
    entry nth_smallest(NthSmallestArgs);
}

/// `None` for values whose order is not that of their bits, and for a group of too many rows.
pub(super) fn nth_smallest(
    groups: &Groups,
    values: &Fixed<'_>,
    positions: &[Fixed<'_>],
    exec: &Exec,
) -> Result<Option<Vec<FixedData>>> {
    let (count, storage) = (groups.len(), values.storage);
    if count == 0 || values.len / count > MOST_GROUP_ROWS {
        return Ok(None);
    }
    let entry = entries::nth_smallest(exec.device())?;
    let views: Vec<View<'_>> =
        std::iter::once(values).chain(positions).map(|view| View::Fixed(*view)).collect();
    let (ids, guards) = (groups.ids.rows.read(exec)?, access(&views, exec)?);
    let columns: Vec<ColumnDesc> = guards.iter().map(ViewGuard::desc).collect();
    let mut launch = Launch::new(exec);
    let mut done = 0;
    let args = NthSmallestArgs {
        ids: ids.as_ptr().cast(),
        groups: count as i64,
        values: columns[0],
        positions: columns[1..].as_ptr(),
        position_count: positions.len() as i32,
        most_rows: MOST_GROUP_ROWS as i64,
        done: &raw mut done,
        alloc: launch.alloc(),
    };
    // SAFETY: the guards hold the ids, the values and the positions readable; `columns` and `done` outlive the call, which
    // reads and writes them before it returns; the launch owns the outputs.
    unsafe { launch.run(entry, &args)? };
    if done == 0 {
        return Ok(None);
    }
    let column = |column: usize| -> Result<FixedData> {
        let data = launch.output(2 * column)?;
        let validity = launch.output(2 * column + 1)?.slice(0, count.div_ceil(8));
        Ok(FixedData { storage, len: count, data, validity: Some(validity) })
    };
    (0..positions.len()).map(column).collect::<Result<Vec<_>>>().map(Some)
}
