//! Launcher of `math.cu`.

use super::MathOp;
use crate::Result;
use crate::abi::{Alloc, ColumnDesc};
use crate::elementwise::{Operand, OperandGuard};
use crate::launch::Launch;
use columnade_buffers::{Buffer, Exec};

abi! {
    /// Arguments of `math`.
    pub struct MathArgs {
        /// A column, or without data the value below.
        pub lhs: ColumnDesc,
        pub rhs: ColumnDesc,
        pub lhs_value: [u64; 2],
        pub rhs_value: [u64; 2],
        pub rows: i64,
        /// A `MathOp`.
        pub op: i32,
        pub alloc: Alloc,
    }
    entry math(MathArgs);
}

pub(super) fn math(
    op: MathOp,
    lhs: &Operand<'_>,
    rhs: &Operand<'_>,
    len: usize,
    exec: &Exec,
) -> Result<Buffer> {
    let entry = entries::math(exec.device())?;
    let [lhs, rhs] = OperandGuard::pair(lhs, rhs, exec)?;
    let ((lhs, lhs_value), (rhs, rhs_value)) = (lhs.desc(), rhs.desc());
    let mut launch = Launch::new(exec);
    let args =
        MathArgs { lhs, rhs, lhs_value, rhs_value, rows: len as i64, op: op as i32, alloc: launch.alloc() };
    // SAFETY: the guards keep both columns readable, and the launch owns the output.
    unsafe { launch.run(entry, &args)? };
    launch.output(0)
}
