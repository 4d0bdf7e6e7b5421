//! Launcher of `compare_string.cu`.

use super::{StringOperand, Test, host};
use crate::abi::{Alloc, ColumnDesc};
use crate::launch::Launch;
use crate::strings::literal::{self, Literal};
use crate::{Result, Storage, ViewGuard};
use columnade_buffers::{Buffer, Exec};

abi! {
    /// Arguments of `compare_string`.
    pub struct CompareStringArgs {
        /// A column, or without data the string below.
        pub lhs: ColumnDesc,
        pub rhs: ColumnDesc,
        pub lhs_value: [u64; 8],
        pub rhs_value: [u64; 8],
        pub lhs_far: *const u8,
        pub rhs_far: *const u8,
        pub lhs_bytes: i64,
        pub rhs_bytes: i64,
        pub rows: i64,
        /// A `CompareOp` or a `Search`.
        pub op: i32,
        pub alloc: Alloc,
    }
    entry compare_string(CompareStringArgs);
}

pub(super) fn test(
    test: Test,
    lhs: &StringOperand<'_>,
    rhs: &StringOperand<'_>,
    len: usize,
    exec: &Exec,
) -> Result<Buffer> {
    let entry = entries::compare_string(exec.device())?;
    let guards = host::read(lhs, rhs, exec)?;
    let value = |operand: &StringOperand<'_>| match operand {
        StringOperand::Value(value) => Literal::new(value, exec),
        StringOperand::Column(_) | StringOperand::Null => Literal::new(&[], exec),
    };
    let values = [value(lhs)?, value(rhs)?];
    let far = [values[0].read(exec)?, values[1].read(exec)?];
    let desc = |guard: &Option<ViewGuard<'_>>| {
        guard.as_ref().map_or(ColumnDesc::absent(Storage::U8), ViewGuard::desc)
    };
    let mut launch = Launch::new(exec);
    let args = CompareStringArgs {
        lhs: desc(&guards[0]),
        rhs: desc(&guards[1]),
        lhs_value: values[0].words,
        rhs_value: values[1].words,
        lhs_far: literal::address(far[0].as_ref()),
        rhs_far: literal::address(far[1].as_ref()),
        lhs_bytes: values[0].bytes,
        rhs_bytes: values[1].bytes,
        rows: len as i64,
        op: match test {
            Test::Compare(op) => op as i32,
            Test::Search(how) => how as i32,
        },
        alloc: launch.alloc(),
    };
    // SAFETY: the guards keep both columns and both strings readable, and the launch owns the output.
    unsafe { launch.run(entry, &args)? };
    Ok(launch.output(0)?.slice(0, len.div_ceil(8)))
}
