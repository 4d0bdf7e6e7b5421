//! Launcher of `reduce.cu`.

use crate::abi::{Alloc, ColumnDesc};
use crate::aggregation::Aggregation;
use crate::launch::Launch;
use crate::{Fixed, FixedData, Result, Storage, View};
use columnade_buffers::Exec;

abi! {
    /// Arguments of `reduce`.
    pub struct ReduceArgs {
        pub input: ColumnDesc,
        /// An `Aggregation`, but not `Count` or `Size`.
        pub aggregation: i32,
        /// The `Storage` of the result.
        pub to: i32,
        /// Whether to write a mask: output 1. Sums and means of `I128` set output 2, a word, if the sum has more than 38
        /// digits.
        pub masked: i32,
        pub alloc: Alloc,
    }
    entry reduce(ReduceArgs);
}

pub(super) fn reduce(
    aggregation: Aggregation,
    input: &Fixed<'_>,
    storage: Storage,
    exec: &Exec,
) -> Result<FixedData> {
    let entry = entries::reduce(exec.device())?;
    let guard = View::Fixed(*input).read(exec)?;
    let masked = aggregation.is_null_without_values();
    let mut launch = Launch::new(exec);
    let args = ReduceArgs {
        input: guard.desc(),
        aggregation: aggregation as i32,
        to: storage as i32,
        masked: i32::from(masked),
        alloc: launch.alloc(),
    };
    // SAFETY: the guard holds the input readable, and the outputs are the launch's own.
    unsafe { launch.run(entry, &args)? };
    if aggregation.may_overflow(input.storage) {
        launch.check_flag(2, Storage::I128)?;
    }
    let data = launch.output(0)?;
    let validity = if masked { Some(launch.output(1)?) } else { None };
    Ok(FixedData { storage, len: 1, data, validity })
}
