//! Launcher of `exponential_mean.cu`.

use super::Weights;
use crate::abi::{Alloc, ColumnDesc};
use crate::launch::Launch;
use crate::{Fixed, FixedData, Result, Storage, View, ViewGuard};
use columnade_buffers::Exec;

policy! {
    /// Of `exponential_mean.cu`.
    pub struct MeanPolicy {
        /// Neighbouring rows of a thread: a block has 33 KiB of shared memory, and six of them fit a multiprocessor of `sm_90`.
        pub const THREAD_ROWS: i32 = 8;
    }
}

abi! {
    /// Arguments of `exponential_mean`.
    pub struct ExponentialMeanArgs {
        /// Of `F64`.
        pub values: ColumnDesc,
        /// Of `I64`; without data all rows are one range.
        pub starts: ColumnDesc,
        pub decay: f64,
        /// Rows with fewer values up to them are null; at least 1.
        pub least: i64,
        pub ignores_nulls: i32,
        /// Outputs: 0 means, 1 validity.
        pub alloc: Alloc,
    }
    entry exponential_mean(ExponentialMeanArgs);
}

pub(super) fn exponential_mean(
    values: &Fixed<'_>,
    starts: Option<&Fixed<'_>>,
    weights: Weights,
    exec: &Exec,
) -> Result<FixedData> {
    let entry = entries::exponential_mean(exec.device())?;
    let len = values.len;
    let values = View::Fixed(*values);
    let starts = starts.map(|starts| View::Fixed(*starts));
    let values = values.read(exec)?;
    let starts = starts.as_ref().map(|starts| starts.read(exec)).transpose()?;
    let mut launch = Launch::new(exec);
    let args = ExponentialMeanArgs {
        values: values.desc(),
        starts: starts.as_ref().map_or(ColumnDesc::absent(Storage::I64), ViewGuard::desc),
        decay: weights.decay,
        least: i64::try_from(weights.min_values.max(1)).unwrap_or(i64::MAX),
        ignores_nulls: i32::from(weights.ignores_nulls),
        alloc: launch.alloc(),
    };
    // SAFETY: the guards hold the inputs readable, and the outputs are the launch's own.
    unsafe { launch.run(entry, &args)? };
    let validity = launch.output(1)?.slice(0, len.div_ceil(8));
    Ok(FixedData { storage: Storage::F64, len, data: launch.output(0)?, validity: Some(validity) })
}
