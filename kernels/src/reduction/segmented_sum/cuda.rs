//! Launcher of `segmented_sum.cu`.

use crate::abi::{Alloc, ColumnDesc};
use crate::launch::Launch;
use crate::{Error, Fixed, FixedData, Result, Storage, View, access};
use columnade_buffers::Exec;

policy! {
    /// Of `segmented_sum.cu`.
    pub struct SumPolicy {
        /// Values that a warp stages at a time: a block has 16 KiB of shared memory.
        pub const STAGE: i32 = 256;
        /// Rows of a chunk; a longer run is a long one.
        pub const CHUNK_ROWS: i64 = 4096;
        /// With small limits.
        pub const SMALL_CHUNK_ROWS: i64 = 40;
    }
}

abi! {
    /// Arguments of `segmented_sum`: output 0 has a sum of 64 bits for each run.
    pub struct SegmentedSumArgs {
        /// Integers of up to 64 bits.
        pub values: ColumnDesc,
        /// Of `I64`.
        pub starts: ColumnDesc,
        /// Of `I64`.
        pub lengths: ColumnDesc,
        pub alloc: Alloc,
    }
    entry segmented_sum(SegmentedSumArgs);
}

pub(super) fn segmented_sum(
    values: &Fixed<'_>,
    starts: &Fixed<'_>,
    lengths: &Fixed<'_>,
    exec: &Exec,
) -> Result<FixedData> {
    let entry = entries::segmented_sum(exec.device())?;
    let storage = if values.storage.is_signed() { Storage::I64 } else { Storage::U64 };
    let len = starts.len;
    let views = [View::Fixed(*values), View::Fixed(*starts), View::Fixed(*lengths)];
    let guards = access(&views, exec)?;
    let [values, starts, lengths] = guards.as_slice() else {
        return Err(Error::Internal { invariant: "each view has a guard" });
    };
    let mut launch = Launch::new(exec);
    let args = SegmentedSumArgs {
        values: values.desc(),
        starts: starts.desc(),
        lengths: lengths.desc(),
        alloc: launch.alloc(),
    };
    // SAFETY: the guards keep values and runs readable, and the launch owns the output.
    unsafe { launch.run(entry, &args)? };
    Ok(FixedData { storage, len, data: launch.output(0)?, validity: None })
}
