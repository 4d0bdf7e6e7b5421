//! Launcher of `run_rows.cu`.

use crate::abi::{Alloc, ColumnDesc};
use crate::launch::Launch;
use crate::{Fixed, Result, Storage, View, ViewGuard};
use columnade_buffers::{Buffer, Exec};

abi! {
    /// Arguments of `run_rows`: output 0 has a number of `width` bytes for each row.
    pub struct RunRowsArgs {
        /// Where each run begins, of `I64`.
        pub begins: ColumnDesc,
        /// The first source row of each run, of `I64`; without data the numbers of runs are written.
        pub sources: ColumnDesc,
        pub rows: i64,
        pub width: i32,
        pub alloc: Alloc,
    }
    entry run_rows(RunRowsArgs);
}

/// The source row of each row, or without sources its run, in numbers of `width` bytes.
pub(super) fn run_rows(
    begins: &Fixed<'_>,
    sources: Option<&Fixed<'_>>,
    rows: usize,
    width: usize,
    exec: &Exec,
) -> Result<Buffer> {
    let entry = entries::run_rows(exec.device())?;
    let begins = View::Fixed(*begins);
    let sources = sources.map(|sources| View::Fixed(*sources));
    let begins = begins.read(exec)?;
    let sources = sources.as_ref().map(|sources| sources.read(exec)).transpose()?;
    let mut launch = Launch::new(exec);
    let args = RunRowsArgs {
        begins: begins.desc(),
        sources: sources.as_ref().map_or(ColumnDesc::absent(Storage::I64), ViewGuard::desc),
        rows: rows as i64,
        width: width as i32,
        alloc: launch.alloc(),
    };
    // SAFETY: the guards keep the runs readable, and the launch owns the output.
    unsafe { launch.run(entry, &args)? };
    launch.output(0)
}
