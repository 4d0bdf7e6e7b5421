//! Launcher of `co_moments.cu`.

use super::Shape;
use crate::abi::{Alloc, ColumnDesc};
use crate::launch::Launch;
use crate::{Result, ViewGuard};
use columnade_buffers::{Buffer, Exec};

policy! {
    /// Of `co_moments.cu`.
    pub struct CoMomentPolicy {
        /// Columns of a tile of pairs: a thread for each of 256 pairs.
        pub const TILE_COLUMNS: i32 = 16;
        /// Columns of a side of one launch, whose places are in its arguments.
        pub const PANEL_COLUMNS: i32 = 32;
        /// Rows that a block stages at a time: 17 KiB of shared memory with masks, half of it without.
        pub const STAGE_ROWS: i32 = 32;
        /// As on the host.
        pub const TILE_ROWS: i32 = 256;
    }
}

const _: () = assert!(CoMomentPolicy::TILE_ROWS as usize == super::TILE_ROWS, "the same sums as on the host");

abi! {
    /// Arguments of `co_moments`.
    pub struct CoMomentsArgs {
        /// Host memory: the columns, of `F64`.
        pub columns: *const ColumnDesc,
        pub column_count: i64,
        /// Of `F64`.
        pub centers: ColumnDesc,
        pub rows: i64,
        pub segment_rows: i64,
        pub segments: i64,
        pub is_masked: i32,
        /// Outputs: n, x, y, xx, yy, xy, a row for each pair.
        pub alloc: Alloc,
    }
    entry co_moments(CoMomentsArgs);
}

pub(super) fn co_moments(
    columns: &[ViewGuard<'_>],
    centers: &ViewGuard<'_>,
    shape: Shape,
    exec: &Exec,
) -> Result<[Buffer; 6]> {
    let entry = entries::co_moments(exec.device())?;
    let columns: Vec<ColumnDesc> = columns.iter().map(ViewGuard::desc).collect();
    let mut launch = Launch::new(exec);
    let args = CoMomentsArgs {
        columns: columns.as_ptr(),
        column_count: columns.len() as i64,
        centers: centers.desc(),
        rows: shape.rows as i64,
        segment_rows: shape.segment_rows as i64,
        segments: shape.segments() as i64,
        is_masked: i32::from(shape.is_masked),
        alloc: launch.alloc(),
    };
    // SAFETY: the guards keep the columns and centers readable; `columns` outlives the call, which reads it before it
    // returns; the launch owns the outputs.
    unsafe { launch.run(entry, &args)? };
    let mut output = |slot| launch.output(slot);
    Ok([output(0)?, output(1)?, output(2)?, output(3)?, output(4)?, output(5)?])
}
