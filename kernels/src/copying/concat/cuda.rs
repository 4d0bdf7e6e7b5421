//! Launcher of `concat.cu`.

use crate::abi::{Alloc, ColumnDesc};
use crate::launch::Launch;
use crate::{ColumnData, Result, View, ViewGuard, access};
use columnade_buffers::Exec;

abi! {
    /// Arguments of `concat`.
    pub struct ConcatArgs {
        /// Host memory: the columns, at least one.
        pub columns: *const ColumnDesc,
        pub column_count: i32,
        /// Whether to write a mask: output 1.
        pub masked: i32,
        /// Rows of all columns.
        pub rows: i64,
        /// Host memory for the bytes of the strings, written before the entry returns; unused for fixed width.
        pub string_bytes: *mut i64,
        pub alloc: Alloc,
    }
    entry concat(ConcatArgs);
}

pub(super) fn concat(first: &View<'_>, views: &[View<'_>], exec: &Exec) -> Result<ColumnData> {
    let entry = entries::concat(exec.device())?;
    let guards = access(views, exec)?;
    let columns: Vec<ColumnDesc> = guards.iter().map(ViewGuard::desc).collect();
    let rows = guards.iter().map(ViewGuard::len).sum();
    let masked = views.iter().any(|view| view.validity_bits().is_some());
    let mut launch = Launch::new(exec);
    let mut string_bytes = 0;
    let args = ConcatArgs {
        columns: columns.as_ptr(),
        column_count: columns.len() as i32,
        masked: i32::from(masked),
        rows: rows as i64,
        string_bytes: &raw mut string_bytes,
        alloc: launch.alloc(),
    };
    // SAFETY: `guards` keep the columns readable; `columns` and `string_bytes` outlive the call, which reads
    // and writes them before it returns; the launch owns the outputs.
    unsafe { launch.run(entry, &args)? };
    launch.column(first, rows, string_bytes as usize)
}
