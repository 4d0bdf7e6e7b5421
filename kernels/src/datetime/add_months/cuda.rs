//! Launcher of `add_months.cu`.

use crate::Result;
use crate::abi::{Alloc, ColumnDesc};
use crate::elementwise::{Operand, OperandGuard, overflow};
use crate::launch::Launch;
use columnade_buffers::{Buffer, Exec};
use std::ffi::c_void;

abi! {
    /// Arguments of `add_months`. Output 1 is a word that is nonzero if the day of a valid row overflows, output 2 those
    /// rows.
    pub struct AddMonthsArgs {
        /// A column, or without data the value below.
        pub days: ColumnDesc,
        pub months: ColumnDesc,
        pub days_value: [u64; 2],
        pub months_value: [u64; 2],
        pub rows: i64,
        /// Validity of the result from bit 0; null: all rows are valid.
        pub valid: *const c_void,
        pub alloc: Alloc,
    }
    entry add_months(AddMonthsArgs);
}

pub(super) fn add_months(
    days: &Operand<'_>,
    months: &Operand<'_>,
    validity: Option<&Buffer>,
    len: usize,
    exec: &Exec,
) -> Result<(Buffer, Option<Buffer>)> {
    let entry = entries::add_months(exec.device())?;
    let [days, months] = OperandGuard::pair(days, months, exec)?;
    let valid = validity.map(|buffer| buffer.read(exec)).transpose()?;
    let ((days, days_value), (months, months_value)) = (days.desc(), months.desc());
    let mut launch = Launch::new(exec);
    let args = AddMonthsArgs {
        days,
        months,
        days_value,
        months_value,
        rows: len as i64,
        valid: valid.as_ref().map_or(std::ptr::null(), |guard| guard.as_ptr().cast()),
        alloc: launch.alloc(),
    };
    // SAFETY: the guards keep both columns and the mask readable, and the launch owns the outputs.
    unsafe { launch.run(entry, &args)? };
    overflow::outputs(&mut launch, len, exec)
}
