//! Launcher of `scan.cu`.

use super::ScanRange;
use crate::abi::{Alloc, ColumnDesc};
use crate::aggregation::Aggregation;
use crate::launch::Launch;
use crate::{Bits, Fixed, FixedData, Result, Storage, View};
use columnade_buffers::Exec;
use std::ffi::c_void;

policy! {
    /// Of `scan.cu`.
    pub struct ScanRowsPolicy {
        /// Neighbouring rows of a thread: one byte of bits.
        pub const THREAD_ROWS: i32 = 8;
    }
}

abi! {
    /// Arguments of `scan`.
    pub struct ScanArgs {
        pub input: ColumnDesc,
        /// Bits, set where a segment begins; null: all rows are one segment.
        pub starts: *const c_void,
        pub starts_offset: i64,
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
    starts: Option<Bits<'_>>,
    storage: Storage,
    exec: &Exec,
) -> Result<FixedData> {
    let entry = entries::scan(exec.device())?;
    let guard = View::Fixed(*input).read(exec)?;
    let starts_guard = starts.map(|bits| bits.read(exec)).transpose()?;
    let started = aggregation.is_null_without_values() && range == ScanRange::Exclusive;
    let mut launch = Launch::new(exec);
    let args = ScanArgs {
        input: guard.desc(),
        starts: starts_guard.as_ref().map_or(std::ptr::null(), |guard| guard.as_ptr().cast()),
        starts_offset: starts.map_or(0, |bits| bits.offset as i64),
        aggregation: aggregation as i32,
        range: range as i32,
        to: storage as i32,
        started: i32::from(started),
        alloc: launch.alloc(),
    };
    // SAFETY: the guards hold the input and the starts readable, and the outputs are the launch's own.
    unsafe { launch.run(entry, &args)? };
    if aggregation.may_overflow(input.storage) {
        launch.check_flag(2, Storage::I128)?;
    }
    let data = launch.output(0)?;
    let validity = if started { Some(launch.output(1)?) } else { None };
    Ok(FixedData { storage, len: input.len, data, validity })
}
