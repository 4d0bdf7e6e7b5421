//! Launcher of `argsort.cu`.

use super::{NullOrder, Order, SortKey};
use crate::abi::{Alloc, ColumnDesc};
use crate::launch::Launch;
use crate::{Result, RowMap, RowWidth, View, access};
use columnade_buffers::Exec;

policy! {
    /// Of `argsort.cu`.
    pub struct SortPolicy {
        /// From so many rows on, passes that a radix sort saves take longer than waiting for the bits that differ.
        pub const TRIMMED_ROWS: i64 = 32_768;
        /// Blocks that look for them, at most: eight on each of 132 multiprocessors.
        pub const BLOCKS: u32 = 1024;
        /// Keys, or halves of 128 bits, that one launch looks at.
        pub const PARTS: usize = 8;
        /// Fields that one launch packs.
        pub const FIELDS: usize = 8;
        /// Bytes that all strings begin with, at most: the pass that finds them reads so many of each.
        pub const COMMON_BYTES: u32 = 256;
    }
}

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
