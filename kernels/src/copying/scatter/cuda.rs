//! Launcher of `scatter.cu`.

use crate::abi::{Alloc, ColumnDesc};
use crate::launch::Launch;
use crate::{ColumnData, Result, RowMap, View, access};
use columnade_buffers::Exec;
use std::ffi::c_void;

abi! {
    /// Arguments of `scatter`.
    pub struct ScatterArgs {
        pub source: ColumnDesc,
        pub target: ColumnDesc,
        pub map: *const c_void,
        /// Bytes of an index.
        pub map_width: i32,
        /// Host memory for the bytes of the strings, written before the entry returns; unused for fixed width.
        pub string_bytes: *mut i64,
        pub alloc: Alloc,
    }
    entry scatter(ScatterArgs);
}

pub(super) fn scatter(source: &View<'_>, map: &RowMap, target: &View<'_>, exec: &Exec) -> Result<ColumnData> {
    let entry = entries::scatter(exec.device())?;
    let guards = access(&[*source, *target], exec)?;
    let rows = map.rows.read(exec)?;
    let mut launch = Launch::new(exec);
    let mut string_bytes = 0;
    let args = ScatterArgs {
        source: guards[0].desc(),
        target: guards[1].desc(),
        map: rows.as_ptr().cast(),
        map_width: map.width as i32,
        string_bytes: &raw mut string_bytes,
        alloc: launch.alloc(),
    };
    // SAFETY: the guards keep the inputs readable, `string_bytes` outlives the call, and the launch owns the
    // outputs.
    unsafe { launch.run(entry, &args)? };
    launch.column(target, target.len(), string_bytes as usize)
}
