//! Launcher of `rolling_window.cu`.

use super::{WindowAggregation, Windows};
use crate::abi::{Alloc, ColumnDesc};
use crate::launch::Launch;
use crate::rolling::windows::{BoundsDesc, BoundsGuard};
use crate::{Fixed, FixedData, Result, Storage, View};
use columnade_buffers::Exec;

policy! {
    /// Of `rolling_window.cu`.
    pub struct RollingPolicy {
        /// Of the rows of a tile; its tree takes twice as many. Seven blocks of 256 threads fit a multiprocessor of `sm_90`.
        pub const TILE_BYTES: i32 = 16_384;
        /// The rows of a tile of a kurtosis: 256, which `TILE_BYTES` would make of them, would hold the windows of a block only
        /// if these are single rows. Five blocks of 256 threads fit a multiprocessor.
        pub const KURTOSIS_TILE_ROWS: i32 = 512;
        /// With small limits.
        pub const SMALL_TILE_ROWS: i32 = 16;
    }
}

abi! {
    /// Arguments of `rolling_window`.
    pub struct RollingWindowArgs {
        pub values: ColumnDesc,
        pub bounds: BoundsDesc,
        pub min_values: i64,
        /// A `WindowAggregation`.
        pub aggregation: i32,
        /// Delta degrees of freedom of a variance.
        pub ddof: u32,
        /// Outputs: 0 values, 1 validity; 2 a word that is set if a result of `I128` has more than 38 digits.
        pub alloc: Alloc,
    }
    entry rolling_window(RollingWindowArgs);
}

pub(super) fn rolling_window(
    aggregation: WindowAggregation,
    values: &Fixed<'_>,
    windows: &Windows<'_>,
    len: usize,
    exec: &Exec,
) -> Result<FixedData> {
    let entry = entries::rolling_window(exec.device())?;
    let storage = values.storage;
    let values = View::Fixed(*values).read(exec)?;
    let guard = BoundsGuard::new(&windows.bounds, exec)?;
    let mut launch = Launch::new(exec);
    let (aggregation, ddof) = aggregation.code();
    let args = RollingWindowArgs {
        values: values.desc(),
        bounds: guard.desc(len),
        min_values: i64::try_from(windows.min_values).unwrap_or(i64::MAX),
        aggregation,
        ddof,
        alloc: launch.alloc(),
    };
    // SAFETY: the guards hold the values and the bounds readable, and the outputs are the launch's own.
    unsafe { launch.run(entry, &args)? };
    if storage == Storage::I128 {
        launch.check_flag(2, storage)?;
    }
    let data = launch.output(0)?;
    let validity = launch.output(1)?.slice(0, len.div_ceil(8));
    Ok(FixedData { storage, len, data, validity: Some(validity) })
}
