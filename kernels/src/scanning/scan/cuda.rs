//! Launcher of `scan.cu`.

use super::ScanRange;
use crate::abi::{Alloc, ColumnDesc};
use crate::aggregation::Aggregation;
use crate::launch::Launch;
use crate::{Fixed, FixedData, Result, Storage, View};
use columnade_buffers::Exec;

abi! {
    /// Arguments of `scan`.
    pub struct ScanArgs {
        pub input: ColumnDesc,
        /// An `Aggregation`, but not `Count` or `Size`.
        pub aggregation: i32,
        /// A `ScanRange`.
        pub range: i32,
        /// The `Storage` of the result.
        pub to: i32,
        /// Whether to write which rows have a result: output 1.
        pub started: i32,
        pub alloc: Alloc,
    }
    entry scan(ScanArgs);
}

pub(super) fn scan(
    aggregation: Aggregation,
    range: ScanRange,
    input: &Fixed<'_>,
    storage: Storage,
    exec: &Exec,
) -> Result<FixedData> {
    let entry = entries::scan(exec.device())?;
    let guard = View::Fixed(*input).read(exec)?;
    let started = aggregation.is_null_without_values() && range == ScanRange::Exclusive;
    let mut launch = Launch::new(exec);
    let args = ScanArgs {
        input: guard.desc(),
        aggregation: aggregation as i32,
        range: range as i32,
        to: storage as i32,
        started: i32::from(started),
        alloc: launch.alloc(),
    };
    // SAFETY: the guard holds the input readable, and the outputs are the launch's own.
    unsafe { launch.run(entry, &args)? };
    let data = launch.output(0)?;
    let validity = if started { Some(launch.output(1)?) } else { None };
    Ok(FixedData { storage, len: input.len, data, validity })
}
