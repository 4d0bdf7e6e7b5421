//! Launcher of `compare.cu`.

use super::CompareOp;
use crate::Result;
use crate::abi::{Alloc, ColumnDesc};
use crate::elementwise::{Operand, OperandGuard};
use crate::launch::Launch;
use columnade_buffers::{Buffer, Exec};

policy! {
    /// Of `compare.cu`.
    pub struct ComparePolicy {
        /// Words of a warp, so that each thread has several loads in flight.
        pub const WORDS: i32 = 4;
    }
}

abi! {
    /// Arguments of `compare`.
    pub struct CompareArgs {
        /// A column, or without data the value below.
        pub lhs: ColumnDesc,
        pub rhs: ColumnDesc,
        pub lhs_value: [u64; 2],
        pub rhs_value: [u64; 2],
        pub rows: i64,
        /// A `CompareOp`.
        pub op: i32,
        pub alloc: Alloc,
    }
    entry compare(CompareArgs);
}

pub(super) fn compare(
    op: CompareOp,
    lhs: &Operand<'_>,
    rhs: &Operand<'_>,
    len: usize,
    exec: &Exec,
) -> Result<Buffer> {
    let entry = entries::compare(exec.device())?;
    let [lhs, rhs] = OperandGuard::pair(lhs, rhs, exec)?;
    let ((lhs, lhs_value), (rhs, rhs_value)) = (lhs.desc(), rhs.desc());
    let mut launch = Launch::new(exec);
    let args = CompareArgs {
        lhs,
        rhs,
        lhs_value,
        rhs_value,
        rows: len as i64,
        op: op as i32,
        alloc: launch.alloc(),
    };
    // SAFETY: the guards keep both columns readable, and the launch owns the output.
    unsafe { launch.run(entry, &args)? };
    Ok(launch.output(0)?.slice(0, len.div_ceil(8)))
}
