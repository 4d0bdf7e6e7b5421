//! Launcher of `compare_exact.cu`.

use crate::Result;
use crate::abi::{Alloc, ColumnDesc};
use crate::elementwise::compare::CompareOp;
use crate::elementwise::{Operand, OperandGuard, overflow};
use crate::launch::Launch;
use columnade_buffers::{Buffer, Exec};

abi! {
    /// Arguments of `compare_exact`.
    pub struct CompareExactArgs {
        /// A column, or without data the value below.
        pub lhs: ColumnDesc,
        /// Floats, or integers to be multiplied by the factor.
        pub rhs: ColumnDesc,
        pub lhs_value: [u64; 2],
        pub rhs_value: [u64; 2],
        pub factor: [u64; 2],
        pub rows: i64,
        /// A `CompareOp`.
        pub op: i32,
        pub alloc: Alloc,
    }
    entry compare_exact(CompareExactArgs);
}

pub(super) fn compare_exact(
    op: CompareOp,
    lhs: &Operand<'_>,
    rhs: &Operand<'_>,
    factor: i128,
    len: usize,
    exec: &Exec,
) -> Result<Buffer> {
    let entry = entries::compare_exact(exec.device())?;
    let [lhs, rhs] = OperandGuard::pair(lhs, rhs, exec)?;
    let ((lhs, lhs_value), (rhs, rhs_value)) = (lhs.desc(), rhs.desc());
    let mut launch = Launch::new(exec);
    let args = CompareExactArgs {
        lhs,
        rhs,
        lhs_value,
        rhs_value,
        factor: overflow::words(factor),
        rows: len as i64,
        op: op as i32,
        alloc: launch.alloc(),
    };
    // SAFETY: the guards keep both columns readable, and the launch owns the output.
    unsafe { launch.run(entry, &args)? };
    Ok(launch.output(0)?.slice(0, len.div_ceil(8)))
}
