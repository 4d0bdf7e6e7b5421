//! Launcher of `gather.cu`.

use super::MapNulls;
use crate::abi::{Alloc, ColumnDesc};
use crate::launch::Launch;
use crate::{ColumnData, Result, RowMap, View};
use columnade_buffers::Exec;
use std::ffi::c_void;

abi! {
    /// Arguments of `gather`.
    pub struct GatherArgs {
        pub source: ColumnDesc,
        pub map: *const c_void,
        /// Bytes of an index.
        pub map_width: i32,
        /// Whether to write a mask: output 1.
        pub masked: i32,
        pub rows: i64,
        /// Host memory for the bytes of the strings, written before the entry returns; unused for fixed width.
        pub string_bytes: *mut i64,
        pub alloc: Alloc,
    }
    entry gather(GatherArgs);
}

pub(super) fn gather(source: &View<'_>, map: &RowMap, nulls: MapNulls, exec: &Exec) -> Result<ColumnData> {
    let entry = entries::gather(exec.device())?;
    let guard = source.read(exec)?;
    let rows = map.rows.read(exec)?;
    let masked = source.validity_bits().is_some() || nulls == MapNulls::Possible;
    let mut launch = Launch::new(exec);
    let mut string_bytes = 0;
    let args = GatherArgs {
        source: guard.desc(),
        map: rows.as_ptr().cast(),
        map_width: map.width as i32,
        masked: i32::from(masked),
        rows: map.len as i64,
        string_bytes: &raw mut string_bytes,
        alloc: launch.alloc(),
    };
    // SAFETY: `guard` and `rows` keep the source and the map readable, `string_bytes` outlives the call, and
    // the launch owns the outputs.
    unsafe { launch.run(entry, &args)? };
    launch.column(source, map.len, string_bytes as usize)
}
