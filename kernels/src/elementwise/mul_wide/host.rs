//! Host implementation of `mul_wide`, and its inner loop.

use crate::elementwise::lane::{Lane, zip};
use crate::elementwise::{Operand, OperandGuard};
use crate::{Result, morsel};
use columnade_buffers::{Buffer, Exec};

/// `out[i] = lhs[i] * rhs[i]`.
pub(crate) fn apply(lhs: Lane<'_, i64>, rhs: Lane<'_, i64>, out: &mut [i128]) {
    zip(lhs, rhs, out, |a, b| i128::from(a) * i128::from(b));
}

pub(super) fn mul_wide(lhs: &Operand<'_>, rhs: &Operand<'_>, len: usize, exec: &Exec) -> Result<Buffer> {
    let [lhs, rhs] = OperandGuard::pair(lhs, rhs, exec)?;
    let (lhs, rhs) = (lhs.lane(), rhs.lane());
    morsel::build_values(len, exec, |rows, out| apply(lhs.rows(rows.clone()), rhs.rows(rows), out))
}
