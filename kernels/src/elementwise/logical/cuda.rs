//! Launcher of `logical.cu`.

use super::LogicalOp;
use crate::abi::{Alloc, ColumnDesc};
use crate::elementwise::{Operand, OperandGuard};
use crate::launch::Launch;
use crate::{FixedData, Result, Storage};
use columnade_buffers::Exec;

abi! {
    /// Arguments of `logical`.
    pub struct LogicalArgs {
        /// A column, or without data the value below.
        pub lhs: ColumnDesc,
        pub rhs: ColumnDesc,
        /// 0, 1, or 2 for null.
        pub lhs_value: i32,
        pub rhs_value: i32,
        pub rows: i64,
        /// A `LogicalOp`.
        pub op: i32,
        /// Whether to write a mask: output 1.
        pub masked: i32,
        pub alloc: Alloc,
    }
    entry logical(LogicalArgs);
}

pub(super) fn logical(
    op: LogicalOp,
    lhs: &Operand<'_>,
    rhs: &Operand<'_>,
    len: usize,
    exec: &Exec,
) -> Result<FixedData> {
    let entry = entries::logical(exec.device())?;
    let masked = [lhs, rhs].iter().any(|side| side.is_null() || side.validity_bits().is_some());
    let guards = OperandGuard::pair(lhs, rhs, exec)?;
    let value = |operand: &Operand<'_>, guard: &OperandGuard<'_>| {
        if operand.is_null() { 2 } else { guard.desc().1[0] as i32 }
    };
    let mut launch = Launch::new(exec);
    let args = LogicalArgs {
        lhs: guards[0].desc().0,
        rhs: guards[1].desc().0,
        lhs_value: value(lhs, &guards[0]),
        rhs_value: value(rhs, &guards[1]),
        rows: len as i64,
        op: op as i32,
        masked: i32::from(masked),
        alloc: launch.alloc(),
    };
    // SAFETY: the guards keep both columns readable, and the launch owns the outputs.
    unsafe { launch.run(entry, &args)? };
    let bytes = len.div_ceil(8);
    let data = launch.output(0)?.slice(0, bytes);
    let validity = if masked { Some(launch.output(1)?.slice(0, bytes)) } else { None };
    Ok(FixedData { storage: Storage::Bit, len, data, validity })
}
