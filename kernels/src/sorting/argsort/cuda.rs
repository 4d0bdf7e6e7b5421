//! Launcher of `argsort.cu`.

use super::{NullOrder, Order, SortKey};
use crate::abi::{Alloc, ColumnDesc};
use crate::launch::Launch;
use crate::{Result, RowMap, RowWidth, View, access};
use columnade_buffers::Exec;

abi! {
    /// One key.
    pub struct SortKeyDesc {
        pub column: ColumnDesc,
        /// Whether the largest value comes first.
        pub descending: i32,
        /// Whether nulls come after all values.
        pub nulls_last: i32,
    }
    /// Arguments of `argsort`.
    pub struct ArgsortArgs {
        /// Host memory: the keys, at least one.
        pub keys: *const SortKeyDesc,
        pub key_count: i32,
        /// Bytes of an index of the result, output 0.
        pub row_width: i32,
        pub rows: i64,
        pub alloc: Alloc,
    }
    entry argsort(ArgsortArgs);
}

pub(super) fn argsort(keys: &[SortKey<'_>], rows: usize, exec: &Exec) -> Result<RowMap> {
    let entry = entries::argsort(exec.device())?;
    let views: Vec<View<'_>> = keys.iter().map(|key| key.view).collect();
    let guards = access(&views, exec)?;
    let descs: Vec<SortKeyDesc> = keys
        .iter()
        .zip(&guards)
        .map(|(key, guard)| SortKeyDesc {
            column: guard.desc(),
            descending: i32::from(key.order == Order::Descending),
            nulls_last: i32::from(key.nulls == NullOrder::Last),
        })
        .collect();
    let width = RowWidth::for_rows(rows);
    let mut launch = Launch::new(exec);
    let args = ArgsortArgs {
        keys: descs.as_ptr(),
        key_count: descs.len() as i32,
        row_width: width as i32,
        rows: rows as i64,
        alloc: launch.alloc(),
    };
    // SAFETY: `guards` keep the keys readable, `descs` outlives the call, which reads it before it returns,
    // and the launch owns the output.
    unsafe { launch.run(entry, &args)? };
    Ok(RowMap { rows: launch.output(0)?, width, len: rows })
}
