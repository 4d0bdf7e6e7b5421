//! Launcher of `extract.cu`.

use super::{DatePart, TimeUnit};
use crate::abi::{Alloc, ColumnDesc};
use crate::launch::Launch;
use crate::{Fixed, Result, View};
use columnade_buffers::{Buffer, Exec};

abi! {
    /// Arguments of `extract`.
    pub struct ExtractArgs {
        pub input: ColumnDesc,
        /// Units per second; 0 if the input counts days.
        pub per_second: i64,
        /// A `DatePart`.
        pub part: i32,
        pub alloc: Alloc,
    }
    entry extract(ExtractArgs);
}

pub(super) fn extract(part: DatePart, input: &Fixed<'_>, unit: TimeUnit, exec: &Exec) -> Result<Buffer> {
    let entry = entries::extract(exec.device())?;
    let guard = View::Fixed(*input).read(exec)?;
    let mut launch = Launch::new(exec);
    let args = ExtractArgs {
        input: guard.desc(),
        per_second: unit.per_second(),
        part: part as i32,
        alloc: launch.alloc(),
    };
    // SAFETY: the guard keeps the input readable, and the launch owns the output.
    unsafe { launch.run(entry, &args)? };
    launch.output(0)
}
