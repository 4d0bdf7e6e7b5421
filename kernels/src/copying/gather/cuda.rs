//! Launcher of `gather.cu`.

use super::MapNulls;
use crate::abi::{Alloc, ColumnDesc};
use crate::launch::Launch;
use crate::{ColumnData, Result, RowMap, View, ViewGuard, access};
use columnade_buffers::Exec;
use std::ffi::c_void;

abi! {
    /// Arguments of `gather`.
    pub struct GatherArgs {
        /// Host memory: the columns. Column `c` has outputs `3c` (values or characters), `3c + 1` (mask) and `3c + 2`
        /// (offsets of strings).
        pub columns: *const ColumnDesc,
        pub column_count: i32,
        /// Bytes of an index.
        pub map_width: i32,
        pub map: *const c_void,
        /// Whether indices may be all ones: every column has a mask then.
        pub map_nulls: i32,
        pub rows: i64,
        /// Host memory for the bytes of the strings of each column, written before the entry returns; unused for fixed
        /// width.
        pub string_bytes: *mut i64,
        pub alloc: Alloc,
    }
    entry gather(GatherArgs);
}

pub(super) fn gather(
    sources: &[View<'_>],
    map: &RowMap,
    nulls: MapNulls,
    exec: &Exec,
) -> Result<Vec<ColumnData>> {
    let entry = entries::gather(exec.device())?;
    let guards = access(sources, exec)?;
    let columns: Vec<ColumnDesc> = guards.iter().map(ViewGuard::desc).collect();
    let rows = map.rows.read(exec)?;
    let mut launch = Launch::new(exec);
    let mut string_bytes = vec![0; columns.len()];
    let args = GatherArgs {
        columns: columns.as_ptr(),
        column_count: columns.len() as i32,
        map_width: map.width as i32,
        map: rows.as_ptr().cast(),
        map_nulls: i32::from(nulls == MapNulls::Possible),
        rows: map.len as i64,
        string_bytes: string_bytes.as_mut_ptr(),
        alloc: launch.alloc(),
    };
    // SAFETY: `guards` and `rows` keep the sources and the map readable; `columns` and `string_bytes` outlive the
    // call, which reads and writes them before it returns; the launch owns the outputs.
    unsafe { launch.run(entry, &args)? };
    let column = |(c, (source, bytes)): (usize, (&View<'_>, i64))| {
        launch.column_at(c, source, map.len, bytes as usize)
    };
    sources.iter().zip(string_bytes).enumerate().map(column).collect()
}
