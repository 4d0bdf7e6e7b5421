//! Host implementation of `logical`: 64 rows per step.

use super::LogicalOp;
use crate::elementwise::{BitLane, Operand, OperandGuard};
use crate::{FixedData, Result, Storage, morsel};
use columnade_buffers::Exec;

/// Values and validity of 64 rows from those of both sides. Values of null rows are unspecified, in inputs
/// and results.
#[inline]
pub(crate) fn apply_word(op: LogicalOp, lhs: (u64, u64), rhs: (u64, u64)) -> (u64, u64) {
    let ((a, a_valid), (b, b_valid)) = (lhs, rhs);
    match op {
        // A null side counts as true, so that the other side decides. The result is valid if both sides are,
        // or one is false.
        LogicalOp::And => {
            ((a | !a_valid) & (b | !b_valid), (a_valid & b_valid) | (a_valid & !a) | (b_valid & !b))
        }
        LogicalOp::Or => ((a & a_valid) | (b & b_valid), (a_valid & b_valid) | (a_valid & a) | (b_valid & b)),
        LogicalOp::Xor => (a ^ b, a_valid & b_valid),
    }
}

pub(super) fn logical(
    op: LogicalOp,
    lhs: &Operand<'_>,
    rhs: &Operand<'_>,
    len: usize,
    exec: &Exec,
) -> Result<FixedData> {
    let masked = [lhs, rhs].iter().any(|side| side.is_null() || side.validity_bits().is_some());
    let unknown = [lhs.is_null(), rhs.is_null()];
    let guards = OperandGuard::pair(lhs, rhs, exec)?;
    let [lhs, rhs] = &guards;
    let (a, b) = (lhs.bit_lane(), rhs.bit_lane());
    if !masked {
        let data = morsel::build_bits(len, exec, |rows, out| {
            for (word, out) in (rows.start / 64..).zip(out) {
                (*out, _) = apply_word(op, (a.word(word), u64::MAX), (b.word(word), u64::MAX));
            }
        })?;
        return Ok(FixedData { storage: Storage::Bit, len, data, validity: None });
    }
    let valid = |side: usize| {
        if unknown[side] { BitLane::Scalar(false) } else { guards[side].validity_lane() }
    };
    let (a_valid, b_valid) = (valid(0), valid(1));
    let (data, validity) = morsel::build_bit_pairs(len, exec, &|rows, values, validity| {
        for ((word, value), valid) in (rows.start / 64..).zip(values).zip(validity) {
            let (lhs, rhs) = ((a.word(word), a_valid.word(word)), (b.word(word), b_valid.word(word)));
            (*value, *valid) = apply_word(op, lhs, rhs);
        }
    })?;
    Ok(FixedData { storage: Storage::Bit, len, data, validity: Some(validity) })
}
