//! Launcher of `extract.cu`.

use super::{DatePart, TimeUnit};
use crate::abi::{Alloc, ColumnDesc};
use crate::elementwise::overflow;
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
        /// Whether to check for days beyond those of 32 bits: output 1 is a word that is nonzero if there is one,
        /// output 2 the rows.
        pub checked: i32,
        pub alloc: Alloc,
    }
    entry extract(ExtractArgs);
}

pub(super) fn extract(part: DatePart, input: &Fixed<'_>, unit: TimeUnit, exec: &Exec) -> Result<Buffer> {
    run(part, input, unit, false, exec)?.output(0)
}

pub(super) fn extract_by_row(
    part: DatePart,
    input: &Fixed<'_>,
    unit: TimeUnit,
    exec: &Exec,
) -> Result<(Buffer, Option<Buffer>)> {
    let mut launch = run(part, input, unit, true, exec)?;
    overflow::outputs(&mut launch, input.len, exec)
}

fn run<'e>(
    part: DatePart,
    input: &Fixed<'_>,
    unit: TimeUnit,
    is_checked: bool,
    exec: &'e Exec,
) -> Result<Launch<'e>> {
    let entry = entries::extract(exec.device())?;
    let guard = View::Fixed(*input).read(exec)?;
    let mut launch = Launch::new(exec);
    let args = ExtractArgs {
        input: guard.desc(),
        per_second: unit.per_second(),
        part: part as i32,
        checked: is_checked.into(),
        alloc: launch.alloc(),
    };
    // SAFETY: the guard keeps the input readable, and the launch owns the output.
    unsafe { launch.run(entry, &args)? };
    Ok(launch)
}
