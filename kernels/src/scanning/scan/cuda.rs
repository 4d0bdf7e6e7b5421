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
        /// Whether to write which rows have a result: output 1. Sums and means of `I128` set output 2, a word, if the sum
        /// up to a valid row has more than 38 digits.
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
    if aggregation.may_overflow(input.storage) {
        launch.check_flag(2, Storage::I128)?;
    }
    let data = launch.output(0)?;
    let validity = if started { Some(launch.output(1)?) } else { None };
    Ok(FixedData { storage, len: input.len, data, validity })
}
