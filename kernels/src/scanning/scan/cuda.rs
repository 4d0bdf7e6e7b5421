//! Launcher of `scan.cu`.

use super::{ScanOp, ScanRange, may_be_empty};
use crate::abi::{Alloc, ColumnDesc};
use crate::launch::Launch;
use crate::{Fixed, Result, Storage, View};
use columnade_buffers::{Buffer, Exec};

abi! {
    /// Arguments of `scan`.
    pub struct ScanArgs {
        pub input: ColumnDesc,
        /// A `ScanOp`, but not its `Count`.
        pub op: i32,
        /// A `ScanRange`.
        pub range: i32,
        /// The `Storage` of the result.
        pub to: i32,
        /// Whether to write where anything stands before a row: output 1.
        pub started: i32,
        pub alloc: Alloc,
    }
    entry scan(ScanArgs);
}

pub(super) fn scan(
    op: ScanOp,
    range: ScanRange,
    input: &Fixed<'_>,
    storage: Storage,
    exec: &Exec,
) -> Result<(Buffer, Option<Buffer>)> {
    let entry = entries::scan(exec.device())?;
    let guard = View::Fixed(*input).read(exec)?;
    let started = may_be_empty(op, range);
    let mut launch = Launch::new(exec);
    let args = ScanArgs {
        input: guard.desc(),
        op: op as i32,
        range: range as i32,
        to: storage as i32,
        started: i32::from(started),
        alloc: launch.alloc(),
    };
    // SAFETY: the guard holds the input readable, and the outputs are the launch's own.
    unsafe { launch.run(entry, &args)? };
    let data = launch.output(0)?;
    let bits = if started { Some(launch.output(1)?) } else { None };
    Ok((data, bits))
}
