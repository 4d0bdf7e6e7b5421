//! Launcher of `row_windows.cu`.

use crate::abi::{Alloc, ColumnDesc};
use crate::launch::Launch;
use crate::searching::search_sorted::Ranges;
use crate::{Result, View};
use columnade_buffers::{Buffer, Exec};

abi! {
    /// Arguments of `row_windows`: columns of `I64`.
    pub struct RowWindowsArgs {
        pub starts: ColumnDesc,
        pub ends: ColumnDesc,
        pub before: i64,
        pub after: i64,
        /// Outputs: 0 starts, 1 ends, of `I64`.
        pub alloc: Alloc,
    }
    entry row_windows(RowWindowsArgs);
}

pub(super) fn row_windows(ranges: &Ranges<'_>, before: i64, after: i64, exec: &Exec) -> Result<[Buffer; 2]> {
    let entry = entries::row_windows(exec.device())?;
    let [starts, ends] = [&ranges.starts, &ranges.ends].map(|column| View::Fixed(*column).read(exec));
    let (starts, ends) = (starts?, ends?);
    let mut launch = Launch::new(exec);
    let args =
        RowWindowsArgs { starts: starts.desc(), ends: ends.desc(), before, after, alloc: launch.alloc() };
    // SAFETY: the guards hold the ranges readable, and the outputs are the launch's own.
    unsafe { launch.run(entry, &args)? };
    Ok([launch.output(0)?, launch.output(1)?])
}
