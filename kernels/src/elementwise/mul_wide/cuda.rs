//! Launcher of `mul_wide.cu`.

use crate::Result;
use crate::abi::{Alloc, ColumnDesc};
use crate::elementwise::{Operand, OperandGuard};
use crate::launch::Launch;
use columnade_buffers::{Buffer, Exec};

abi! {
    /// Arguments of `mul_wide`.
    pub struct MulWideArgs {
        /// A column, or without data the value below.
        pub lhs: ColumnDesc,
        pub rhs: ColumnDesc,
        pub lhs_value: [u64; 2],
        pub rhs_value: [u64; 2],
        pub rows: i64,
        pub alloc: Alloc,
    }
    entry mul_wide(MulWideArgs);
}

pub(super) fn mul_wide(lhs: &Operand<'_>, rhs: &Operand<'_>, len: usize, exec: &Exec) -> Result<Buffer> {
    let entry = entries::mul_wide(exec.device())?;
    let [lhs, rhs] = OperandGuard::pair(lhs, rhs, exec)?;
    let ((lhs, lhs_value), (rhs, rhs_value)) = (lhs.desc(), rhs.desc());
    let mut launch = Launch::new(exec);
    let args = MulWideArgs { lhs, rhs, lhs_value, rhs_value, rows: len as i64, alloc: launch.alloc() };
    // SAFETY: the guards keep both columns readable, and the launch owns the output.
    unsafe { launch.run(entry, &args)? };
    launch.output(0)
}
