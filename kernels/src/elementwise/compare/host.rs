//! Host twin of `compare`, and its loops.

use super::CompareOp;
use crate::elementwise::lane::{Lane, zip_bits};
use crate::elementwise::number::Number;
use crate::elementwise::{Operand, OperandGuard};
use crate::{Result, morsel};
use columnade_buffers::{Buffer, Exec};

/// Bit `i` of `out` is `lhs[i] op rhs[i]` for `rows` rows; the rest of the last word is zero.
pub(crate) fn apply<T: Number>(
    op: CompareOp,
    lhs: Lane<'_, T>,
    rhs: Lane<'_, T>,
    rows: usize,
    out: &mut [u64],
) {
    match op {
        CompareOp::Eq => zip_bits(lhs, rhs, rows, out, |a, b| a == b),
        CompareOp::Ne => zip_bits(lhs, rhs, rows, out, |a, b| a != b),
        CompareOp::Lt => zip_bits(lhs, rhs, rows, out, |a, b| a < b),
        CompareOp::Le => zip_bits(lhs, rhs, rows, out, |a, b| a <= b),
        // Half the loops serve: a > b is b < a.
        CompareOp::Gt => apply(CompareOp::Lt, rhs, lhs, rows, out),
        CompareOp::Ge => apply(CompareOp::Le, rhs, lhs, rows, out),
    }
}

/// Compares 64 rows of bits.
#[inline]
pub(crate) fn apply_word(op: CompareOp, lhs: u64, rhs: u64) -> u64 {
    match op {
        CompareOp::Eq => !(lhs ^ rhs),
        CompareOp::Ne => lhs ^ rhs,
        CompareOp::Lt => !lhs & rhs,
        CompareOp::Le => !lhs | rhs,
        CompareOp::Gt => lhs & !rhs,
        CompareOp::Ge => lhs | !rhs,
    }
}

pub(super) fn compare(
    op: CompareOp,
    lhs: &Operand<'_>,
    rhs: &Operand<'_>,
    len: usize,
    exec: &Exec,
) -> Result<Buffer> {
    let storage = lhs.storage();
    let [lhs, rhs] = OperandGuard::pair(lhs, rhs, exec)?;
    dispatch!(storage, T => {
        let (lhs, rhs) = (lhs.lane::<T>(), rhs.lane::<T>());
        morsel::build_bits(len, exec, |rows, out| {
            apply(op, lhs.rows(rows.clone()), rhs.rows(rows.clone()), rows.len(), out);
        })
    }, bit => {
        let (lhs, rhs) = (lhs.bit_lane(), rhs.bit_lane());
        morsel::build_bits(len, exec, |rows, out| {
            for (word, out) in (rows.start / 64..).zip(out) {
                *out = apply_word(op, lhs.word(word), rhs.word(word));
            }
        })
    })
}
