//! Launcher of `rolling_quantile.cu`.

use super::{Interpolation, QuantileRows, RollingQuantile, WindowBounds, Windows};
use crate::abi::{Alloc, ColumnDesc};
use crate::keys::device_row_width;
use crate::launch::Launch;
use crate::rolling::windows::{BoundsDesc, BoundsGuard};
use crate::tuning::LaunchPolicy;
use crate::{Fixed, FixedData, Result, RowMap, Storage, View};
use columnade_buffers::Exec;

policy! {
    /// Of `rolling_quantile.cu`.
    pub struct MatrixPolicy {
        /// Rows of a tile whose numbers have up to 4 bytes, which are held twice; half as many of wider ones. With the matrix a
        /// block has 29 KiB of shared memory: seven of them fit a multiprocessor of `sm_90`.
        pub const TILE_ROWS: usize = 2048;
        /// Rows of a thread that makes a level of the matrix of all rows, whose numbers of up to 4 bytes it keeps in registers;
        /// half as many of wider ones.
        pub const LEVEL_ITEMS: i32 = 16;
        /// With small limits.
        pub const SMALL_TILE_ROWS: i32 = 64;
    }
}

abi! {
    /// Arguments of `rolling_quantile`: columns of `I64`.
    pub struct RollingQuantileArgs {
        pub order: ColumnDesc,
        pub bounds: BoundsDesc,
        /// Windows with fewer values are null; at least 1.
        pub least: i64,
        pub q: f64,
        /// Outputs: 0 low, 1 high, 2 place, 3 the validity of all three.
        pub alloc: Alloc,
    }
    /// Arguments of `rolling_quantile_rows`.
    pub struct RollingQuantileRowsArgs {
        /// Numbers of up to 64 bits.
        pub values: ColumnDesc,
        pub bounds: BoundsDesc,
        pub least: i64,
        pub q: f64,
        /// An `Interpolation`.
        pub interpolation: i32,
        /// Bytes of a row.
        pub width: i32,
        /// Host memory: whether some windows are in no tile, so that the outputs are not written; written before the entry
        /// returns.
        pub is_far: *mut i32,
        /// Outputs: 0 low and 1 high rows, all ones for none, 2 share.
        pub alloc: Alloc,
    }
    entry rolling_quantile(RollingQuantileArgs);
    entry rolling_quantile_rows(RollingQuantileRowsArgs);
}

pub(super) fn rolling_quantile(
    order: &Fixed<'_>,
    windows: &Windows<'_>,
    q: f64,
    len: usize,
    exec: &Exec,
) -> Result<RollingQuantile> {
    let entry = entries::rolling_quantile(exec.device())?;
    let order = View::Fixed(*order).read(exec)?;
    let guard = BoundsGuard::new(&windows.bounds, exec)?;
    let mut launch = Launch::new(exec);
    let args = RollingQuantileArgs {
        order: order.desc(),
        bounds: guard.desc(len),
        least: i64::try_from(windows.min_values.max(1)).unwrap_or(i64::MAX),
        q,
        alloc: launch.alloc(),
    };
    // SAFETY: the guards hold the order and the bounds readable, and the outputs are the launch's own.
    unsafe { launch.run(entry, &args)? };
    let [low, high, place] = [launch.output(0)?, launch.output(1)?, launch.output(2)?];
    let validity = launch.output(3)?.slice(0, len.div_ceil(8));
    let column = |storage, data| FixedData { storage, len, data, validity: Some(validity.clone()) };
    Ok(RollingQuantile {
        low: column(Storage::I64, low),
        high: column(Storage::I64, high),
        place: column(Storage::F64, place),
    })
}

pub(super) fn rolling_quantile_rows(
    values: &Fixed<'_>,
    windows: &Windows<'_>,
    q: f64,
    interpolation: Interpolation,
    len: usize,
    exec: &Exec,
) -> Result<Option<QuantileRows>> {
    if let WindowBounds::Around { before, after } = windows.bounds {
        let span = before.saturating_add_signed(after).saturating_add(LaunchPolicy::THREADS as u64);
        if span.min(values.len as u64) > MatrixPolicy::TILE_ROWS as u64 {
            return Ok(None);
        }
    }
    let entry = entries::rolling_quantile_rows(exec.device())?;
    let width = device_row_width(values.len);
    let values = View::Fixed(*values).read(exec)?;
    let guard = BoundsGuard::new(&windows.bounds, exec)?;
    let mut launch = Launch::new(exec);
    let mut is_far = 0;
    let args = RollingQuantileRowsArgs {
        values: values.desc(),
        bounds: guard.desc(len),
        least: i64::try_from(windows.min_values.max(1)).unwrap_or(i64::MAX),
        q,
        interpolation: interpolation as i32,
        width: width as i32,
        is_far: &raw mut is_far,
        alloc: launch.alloc(),
    };
    // SAFETY: the guards hold the values and the bounds readable; `is_far` outlives the call, which writes it before it
    // returns; the outputs are the launch's own.
    unsafe { launch.run(entry, &args)? };
    if is_far != 0 {
        return Ok(None);
    }
    let mut map = |slot| -> Result<RowMap> { Ok(RowMap { rows: launch.output(slot)?, width, len }) };
    let (low, high) = (map(0)?, map(1)?);
    let share = FixedData { storage: Storage::F64, len, data: launch.output(2)?, validity: None };
    Ok(Some(QuantileRows { low, high, share }))
}
