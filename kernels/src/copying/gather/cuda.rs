//! Launcher of `gather.cu`.

use super::MapNulls;
use crate::abi::{Alloc, ColumnDesc};
use crate::launch::Launch;
use crate::{ColumnData, Error, FixedData, Result, RowMap, View};
use columnade_buffers::Exec;
use std::ffi::c_void;

abi! {
    /// Arguments of `gather`.
    pub struct GatherArgs {
        pub source: ColumnDesc,
        pub map: *const c_void,
        /// Bytes of an index.
        pub map_width: i32,
        /// Bits of a value.
        pub bits: i32,
        pub rows: i64,
        /// Whether to write a mask: output 1.
        pub masked: i32,
        pub alloc: Alloc,
    }
    entry gather(GatherArgs);
}

pub(super) fn gather(source: &View<'_>, map: &RowMap, nulls: MapNulls, exec: &Exec) -> Result<ColumnData> {
    let View::Fixed(fixed) = source else {
        return Err(Error::NotImplemented { op: "gather", feature: "text on this device" });
    };
    let entry = entries::gather(exec.device())?;
    let guard = source.read(exec)?;
    let rows = map.rows.read(exec)?;
    let masked = fixed.validity.is_some() || nulls == MapNulls::Possible;
    let mut launch = Launch::new("gather", exec);
    let args = GatherArgs {
        source: guard.desc(),
        map: rows.as_ptr().cast(),
        map_width: map.width as i32,
        bits: fixed.storage.bits() as i32,
        rows: map.len as i64,
        masked: i32::from(masked),
        alloc: launch.alloc(),
    };
    // SAFETY: `guard` and `rows` hold the source and the map readable, and the outputs are the launch's own.
    unsafe { launch.run(entry, &args)? };
    Ok(ColumnData::Fixed(FixedData {
        storage: fixed.storage,
        len: map.len,
        data: launch.output(0)?,
        validity: if masked { Some(launch.output(1)?) } else { None },
    }))
}
