//! Launcher of `divide_decimals.cu`.

use crate::abi::{Alloc, ColumnDesc};
use crate::elementwise::overflow;
use crate::elementwise::{Operand, OperandGuard};
use crate::launch::Launch;
use crate::{Bits, Result};
use columnade_buffers::{Buffer, Exec};
use std::ffi::c_void;

abi! {
    /// Arguments of `divide_decimals`. Output 1 is a word that is nonzero if a row overflows, output 2 those rows.
    pub struct DivideDecimalsArgs {
        /// A column, or without data the value below.
        pub lhs: ColumnDesc,
        pub rhs: ColumnDesc,
        pub lhs_value: [u64; 2],
        pub rhs_value: [u64; 2],
        pub rows: i64,
        pub power: i32,
        /// 10 to the magnitude of the power, in two factors of at most 38 digits each.
        pub factor: [u64; 2],
        pub more: [u64; 2],
        /// Validity of the result from bit 0; null: all rows are valid.
        pub valid: *const c_void,
        pub alloc: Alloc,
    }
    entry divide_decimals(DivideDecimalsArgs);
}

pub(super) fn divide_decimals(
    lhs: &Operand<'_>,
    rhs: &Operand<'_>,
    power: i32,
    valid: Option<Bits<'_>>,
    len: usize,
    exec: &Exec,
) -> Result<(Buffer, Option<Buffer>)> {
    let entry = entries::divide_decimals(exec.device())?;
    let [lhs, rhs] = OperandGuard::pair(lhs, rhs, exec)?;
    let valid = valid.map(|bits| bits.read(exec)).transpose()?;
    let ((lhs, lhs_value), (rhs, rhs_value)) = (lhs.desc(), rhs.desc());
    let digits = power.unsigned_abs().min(76);
    let factor = |digits: u32| overflow::words(10_i128.pow(digits));
    let mut launch = Launch::new(exec);
    let args = DivideDecimalsArgs {
        lhs,
        rhs,
        lhs_value,
        rhs_value,
        rows: len as i64,
        power,
        factor: factor(digits.min(38)),
        more: factor(digits.saturating_sub(38)),
        valid: valid.as_ref().map_or(std::ptr::null(), |guard| guard.as_ptr().cast()),
        alloc: launch.alloc(),
    };
    // SAFETY: the guards keep both columns and the mask readable, and the launch owns the outputs.
    unsafe { launch.run(entry, &args)? };
    overflow::outputs(&mut launch, len, exec)
}
