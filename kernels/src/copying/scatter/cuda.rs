//! Launcher of `scatter.cu`.

use crate::abi::{Alloc, ColumnDesc};
use crate::launch::Launch;
use crate::{ColumnData, Fixed, Result, RowMap, View, access};
use columnade_buffers::{Buffer, Exec};
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
    /// Arguments of `permute`.
    pub struct PermuteArgs {
        /// Of whole bytes.
        pub source: ColumnDesc,
        /// Each row once.
        pub map: *const c_void,
        /// Bytes of an index.
        pub map_width: i32,
        /// Outputs: 0 the values, 1 the validity, if the source has a mask.
        pub alloc: Alloc,
    }
    entry scatter(ScatterArgs);
    entry permute(PermuteArgs);
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

/// The values, and the mask if there is one.
pub(super) fn permute(source: &Fixed<'_>, map: &RowMap, exec: &Exec) -> Result<(Buffer, Option<Buffer>)> {
    let entry = entries::permute(exec.device())?;
    let (guard, rows) = (View::Fixed(*source).read(exec)?, map.rows.read(exec)?);
    let mut launch = Launch::new(exec);
    let args = PermuteArgs {
        source: guard.desc(),
        map: rows.as_ptr().cast(),
        map_width: map.width as i32,
        alloc: launch.alloc(),
    };
    // SAFETY: the guards keep the inputs readable, and the launch owns the outputs.
    unsafe { launch.run(entry, &args)? };
    let validity = match source.validity {
        Some(_) => Some(launch.output(1)?.slice(0, source.len.div_ceil(8))),
        None => None,
    };
    Ok((launch.output(0)?, validity))
}
