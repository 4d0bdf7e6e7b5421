//! Launcher of `binary.cu`.

use super::{BinaryOp, Limit, bound};
use crate::abi::{Alloc, ColumnDesc};
use crate::elementwise::{Operand, OperandGuard, overflow};
use crate::launch::Launch;
use crate::{Bits, Result};
use columnade_buffers::{Buffer, Exec};
use std::ffi::c_void;

abi! {
    /// Arguments of `binary`.
    pub struct BinaryArgs {
        /// A column, or without data the value below.
        pub lhs: ColumnDesc,
        pub rhs: ColumnDesc,
        pub lhs_value: [u64; 2],
        pub rhs_value: [u64; 2],
        pub rows: i64,
        /// A `BinaryOp`.
        pub op: i32,
        /// Whether to check for overflow: output 1 is a word that is nonzero on overflow, output 2 the rows.
        pub checked: i32,
        /// If checked: the magnitude that results must stay below; 0: the range of the type.
        pub limit: [u64; 2],
        /// If checked: validity of the result from bit 0; null: all rows are valid.
        pub valid: *const c_void,
        pub alloc: Alloc,
    }
    entry binary(BinaryArgs);
}

pub(super) fn binary(
    op: BinaryOp,
    lhs: &Operand<'_>,
    rhs: &Operand<'_>,
    len: usize,
    exec: &Exec,
) -> Result<Buffer> {
    let (data, _) = run(op, [lhs, rhs], None, None, len, exec)?;
    Ok(data)
}

pub(super) fn binary_checked(
    op: BinaryOp,
    lhs: &Operand<'_>,
    rhs: &Operand<'_>,
    limit: Limit,
    valid: Option<Bits<'_>>,
    len: usize,
    exec: &Exec,
) -> Result<(Buffer, Option<Buffer>)> {
    run(op, [lhs, rhs], Some(limit), valid, len, exec)
}

fn run(
    op: BinaryOp,
    operands: [&Operand<'_>; 2],
    limit: Option<Limit>,
    valid: Option<Bits<'_>>,
    len: usize,
    exec: &Exec,
) -> Result<(Buffer, Option<Buffer>)> {
    let entry = entries::binary(exec.device())?;
    let [lhs, rhs] = OperandGuard::pair(operands[0], operands[1], exec)?;
    let valid = valid.map(|bits| bits.read(exec)).transpose()?;
    let ((lhs, lhs_value), (rhs, rhs_value)) = (lhs.desc(), rhs.desc());
    let mut launch = Launch::new(exec);
    let args = BinaryArgs {
        lhs,
        rhs,
        lhs_value,
        rhs_value,
        rows: len as i64,
        op: op as i32,
        checked: i32::from(limit.is_some()),
        limit: overflow::words(limit.and_then(bound).unwrap_or(0)),
        valid: valid.as_ref().map_or(std::ptr::null(), |guard| guard.as_ptr().cast()),
        alloc: launch.alloc(),
    };
    // SAFETY: the guards keep both columns and the mask readable, and the launch owns the outputs.
    unsafe { launch.run(entry, &args)? };
    if limit.is_some() { overflow::outputs(&mut launch, len, exec) } else { Ok((launch.output(0)?, None)) }
}
