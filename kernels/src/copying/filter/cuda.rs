//! Launcher of `filter.cu`.

use crate::abi::{Alloc, ColumnDesc};
use crate::copying::gather::{MapNulls, gather_columns};
use crate::launch::Launch;
use crate::{Bits, ColumnData, Fixed, FixedData, Result, RowMap, RowWidth, View, ViewGuard, access};
use columnade_buffers::Exec;
use std::ffi::c_void;

policy! {
    /// Of `filter.cu`.
    pub struct FilterPolicy {
        /// Rows of a tile: a word for each lane of a warp.
        pub const TILE_ROWS: i32 = 1024;
    }
}

abi! {
    /// Arguments of `filter`.
    pub struct FilterArgs {
        pub keep: *const c_void,
        /// Null: all bits of `keep` are valid.
        pub validity: *const c_void,
        pub keep_offset: i64,
        pub validity_offset: i64,
        pub rows: i64,
        /// Host memory: fixed-width columns. Column `c` has outputs `2c` (values) and `2c + 1` (mask).
        pub columns: *const ColumnDesc,
        pub column_count: i32,
        /// Bytes of an index of the row map, output `2 * column_count`; 0 for no map.
        pub map_width: i32,
        /// Host memory for the number of kept rows, written before the entry returns.
        pub kept: *mut i64,
        pub alloc: Alloc,
    }
    entry filter(FilterArgs);
}

pub(super) fn filter(
    views: &[View<'_>],
    keep: Bits<'_>,
    keep_validity: Option<Bits<'_>>,
    exec: &Exec,
) -> Result<Vec<ColumnData>> {
    let fixed: Vec<Fixed<'_>> = views.iter().filter_map(|view| view.as_fixed().ok()).collect();
    let (columns, map) = run(&fixed, fixed.len() < views.len(), keep, keep_validity, exec)?;
    if fixed.len() == views.len() {
        return Ok(columns.into_iter().map(ColumnData::Fixed).collect());
    }
    let strings: Vec<View<'_>> =
        views.iter().copied().filter(|view| matches!(view, View::String(_))).collect();
    let mut strings = gather_columns(&strings, &map, MapNulls::Never, exec)?.into_iter();
    let mut columns = columns.into_iter().map(ColumnData::Fixed);
    let column = |view: &View<'_>| match view {
        View::Fixed(_) => columns.next(),
        View::String(_) => strings.next(),
    };
    Ok(views.iter().filter_map(column).collect())
}

pub(super) fn row_map(keep: Bits<'_>, keep_validity: Option<Bits<'_>>, exec: &Exec) -> Result<RowMap> {
    Ok(run(&[], true, keep, keep_validity, exec)?.1)
}

/// The filtered columns, and the row map if requested, otherwise an empty one.
fn run(
    fixed: &[Fixed<'_>],
    map_wanted: bool,
    keep: Bits<'_>,
    keep_validity: Option<Bits<'_>>,
    exec: &Exec,
) -> Result<(Vec<FixedData>, RowMap)> {
    let entry = entries::filter(exec.device())?;
    let views: Vec<View<'_>> = fixed.iter().map(|fixed| View::Fixed(*fixed)).collect();
    let guards = access(&views, exec)?;
    let keep_guard = keep.read(exec)?;
    let validity_guard = keep_validity.map(|bits| bits.read(exec)).transpose()?;
    let columns: Vec<ColumnDesc> = guards.iter().map(ViewGuard::desc).collect();
    let width = RowWidth::for_rows(keep.len);
    let mut launch = Launch::new(exec);
    let mut kept = 0;
    let args = FilterArgs {
        keep: keep_guard.as_ptr().cast(),
        validity: validity_guard.as_ref().map_or(std::ptr::null(), |guard| guard.as_ptr().cast()),
        keep_offset: keep.offset as i64,
        validity_offset: keep_validity.map_or(0, |bits| bits.offset as i64),
        rows: keep.len as i64,
        columns: columns.as_ptr(),
        column_count: columns.len() as i32,
        map_width: if map_wanted { width as i32 } else { 0 },
        kept: &raw mut kept,
        alloc: launch.alloc(),
    };
    // SAFETY: the guards keep the selection and the columns readable; `columns` and `kept` outlive the call,
    // which reads and writes them before it returns; the launch owns the outputs.
    unsafe { launch.run(entry, &args)? };
    let len = kept as usize;
    let mut results = Vec::with_capacity(fixed.len());
    for (c, fixed) in fixed.iter().enumerate() {
        let data = launch.output(2 * c)?;
        let validity = if fixed.validity.is_some() { Some(launch.output(2 * c + 1)?) } else { None };
        results.push(FixedData { storage: fixed.storage, len, data, validity });
    }
    let map = RowMap { rows: launch.output(2 * fixed.len())?, width, len: if map_wanted { len } else { 0 } };
    Ok((results, map))
}
