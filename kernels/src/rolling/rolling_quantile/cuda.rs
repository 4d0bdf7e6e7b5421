//! Launcher of `rolling_quantile.cu`.

use super::{RollingQuantile, Windows};
use crate::abi::{Alloc, ColumnDesc};
use crate::launch::Launch;
use crate::rolling::windows::BoundsGuard;
use crate::{Fixed, FixedData, Result, Storage, View};
use columnade_buffers::Exec;

abi! {
    /// Arguments of `rolling_quantile`: columns of `I64`.
    pub struct RollingQuantileArgs {
        pub order: ColumnDesc,
        pub starts: ColumnDesc,
        pub ends: ColumnDesc,
        /// 1: windows around each row, and no columns.
        pub around: i64,
        pub before: i64,
        pub after: i64,
        /// How many windows there are.
        pub windows: i64,
        /// Windows with fewer values are null; at least 1.
        pub least: i64,
        pub q: f64,
        /// Outputs: 0 low, 1 high, 2 place, 3 the validity of all three.
        pub alloc: Alloc,
    }
    entry rolling_quantile(RollingQuantileArgs);
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
    let bounds = guard.desc(len);
    let mut launch = Launch::new(exec);
    let args = RollingQuantileArgs {
        order: order.desc(),
        starts: bounds.starts,
        ends: bounds.ends,
        around: bounds.around,
        before: bounds.before,
        after: bounds.after,
        windows: bounds.windows,
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
