//! Host implementation of `divide_decimals`, and its inner loop.

use crate::bits::BitSlice;
use crate::elementwise::lane::Lane;
use crate::elementwise::wide::divide_decimal;
use crate::elementwise::{Operand, OperandGuard};
use crate::{Bits, Error, Result, Storage, morsel};
use columnade_buffers::{Buffer, Exec};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// `out[i] = lhs[i] · 10^power / rhs[i]`; sets bit `i` of `overflow`, which is clear, if it has more than 38 digits.
pub(crate) fn apply(
    lhs: Lane<'_, i128>,
    rhs: Lane<'_, i128>,
    power: i32,
    out: &mut [i128],
    overflow: &mut [u64],
) {
    for (row, out) in out.iter_mut().enumerate() {
        let quotient = divide_decimal(lhs.get(row), rhs.get(row), power);
        overflow[row / 64] |= u64::from(quotient.is_none()) << (row % 64);
        *out = quotient.unwrap_or(0);
    }
}

pub(super) fn divide_decimals(
    lhs: &Operand<'_>,
    rhs: &Operand<'_>,
    power: i32,
    valid: Option<Bits<'_>>,
    len: usize,
    exec: &Exec,
) -> Result<Buffer> {
    let [lhs, rhs] = OperandGuard::pair(lhs, rhs, exec)?;
    let valid_guard = valid.map(|bits| bits.read(exec)).transpose()?;
    let valid = valid_guard.as_ref().map(|guard| BitSlice::new(guard.as_slice(), 0, len));
    let (lhs, rhs) = (lhs.lane::<i128>(), rhs.lane::<i128>());
    let failed = AtomicBool::new(false);
    let out = morsel::build_values(len, exec, |rows, out: &mut [i128]| {
        let mut overflow = vec![0; out.len().div_ceil(64)];
        apply(lhs.rows(rows.clone()), rhs.rows(rows.clone()), power, out, &mut overflow);
        let valid = |word| valid.map_or(u64::MAX, |valid| valid.word(word));
        if (rows.start / 64..).zip(&overflow).any(|(word, overflow)| overflow & valid(word) != 0) {
            failed.store(true, Relaxed);
        }
    })?;
    if failed.into_inner() { Err(Error::Overflow { storage: Storage::I128 }) } else { Ok(out) }
}
