//! Launcher of `reduce.cu`.

use crate::abi::{Alloc, ColumnDesc};
use crate::aggregation::Aggregation;
use crate::launch::Launch;
use crate::{Fixed, FixedData, Result, Storage, View};
use columnade_buffers::Exec;

policy! {
    /// Of `reduce.cu`.
    pub struct ReducePolicy {
        /// A tile has at least so many rows: four loads of 16 bytes for each thread, of values of 8 bytes.
        pub const TILE_ROWS: i64 = 8192;
        /// Tiles that one block merges in a few rounds; two waves of 8 blocks on each of 132 multiprocessors.
        pub const MOST_TILES: i64 = 2048;
        /// The aggregations of one launch, which are all different ones.
        pub const MOST_AGGREGATIONS: usize = 6;
    }
}

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
    /// Arguments of `reduce_each`.
    pub struct ReduceEachArgs {
        pub input: ColumnDesc,
        /// The first `count` are sums, means, extremes and numbers of values.
        pub aggregations: [i32; 6],
        /// The `Storage` of each result, which is output `2 k`.
        pub to: [i32; 6],
        /// Whether to write a mask: output `2 k + 1`.
        pub masked: [i32; 6],
        pub count: i32,
        pub alloc: Alloc,
    }
    entry reduce(ReduceArgs);
    entry reduce_each(ReduceEachArgs);
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

/// At most [`ReducePolicy::MOST_AGGREGATIONS`] of the values of `input`, which have at most 8 bytes and are no bits.
pub(super) fn reduce_each(
    aggregations: &[(Aggregation, Storage)],
    input: &Fixed<'_>,
    exec: &Exec,
) -> Result<Vec<FixedData>> {
    let entry = entries::reduce_each(exec.device())?;
    let guard = View::Fixed(*input).read(exec)?;
    let mut launch = Launch::new(exec);
    let mut args = ReduceEachArgs {
        input: guard.desc(),
        aggregations: [0; ReducePolicy::MOST_AGGREGATIONS],
        to: [0; ReducePolicy::MOST_AGGREGATIONS],
        masked: [0; ReducePolicy::MOST_AGGREGATIONS],
        count: aggregations.len() as i32,
        alloc: launch.alloc(),
    };
    for (k, &(aggregation, storage)) in aggregations.iter().enumerate() {
        args.aggregations[k] = aggregation as i32;
        args.to[k] = storage as i32;
        args.masked[k] = i32::from(aggregation.is_null_without_values());
    }
    // SAFETY: the guard holds the input readable, and the outputs are the launch's own.
    unsafe { launch.run(entry, &args)? };
    let results = aggregations.iter().enumerate().map(|(k, &(aggregation, storage))| {
        let data = launch.output(2 * k)?;
        let masked = aggregation.is_null_without_values();
        let validity = if masked { Some(launch.output(2 * k + 1)?) } else { None };
        Ok(FixedData { storage, len: 1, data, validity })
    });
    results.collect()
}
