//! Host implementation of `compare_exact`, and its inner loops.

use crate::elementwise::compare::CompareOp;
use crate::elementwise::lane::Lane;
use crate::elementwise::number::Integer;
use crate::elementwise::{Operand, OperandGuard};
use crate::{Error, Result, Storage, morsel};
use columnade_buffers::{Buffer, Exec};
use std::cmp::Ordering;

/// An integer that is compared with floats.
pub(crate) trait Whole: Integer + Into<i128> {
    /// The first power of two above the type.
    const END: f64;
    /// The smallest value.
    const LEAST: f64;
    /// A whole float within the type.
    fn of_float(value: f64) -> Self;
}

impl Whole for i64 {
    const END: f64 = 9_223_372_036_854_775_808.0;
    const LEAST: f64 = -Self::END;
    #[inline]
    fn of_float(value: f64) -> Self {
        value as i64
    }
}

impl Whole for u64 {
    const END: f64 = 18_446_744_073_709_551_616.0;
    const LEAST: f64 = 0.0;
    #[inline]
    fn of_float(value: f64) -> Self {
        value as u64
    }
}

/// The order of an integer and a float; `None` for a NaN.
#[inline]
fn order_of_float<T: Whole>(lhs: T, rhs: f64) -> Option<Ordering> {
    if rhs >= T::END {
        return Some(Ordering::Less);
    }
    if rhs < T::LEAST {
        return Some(Ordering::Greater);
    }
    let whole = rhs.trunc();
    // Of equal whole parts the fraction decides.
    let fraction = 0.0_f64.partial_cmp(&(rhs - whole))?;
    Some(lhs.cmp(&T::of_float(whole)).then(fraction))
}

/// The order of `lhs` and `rhs · factor`.
#[inline]
fn order_of_scaled(lhs: i128, rhs: i128, factor: i128) -> Ordering {
    match rhs.checked_mul(factor) {
        Some(rhs) => lhs.cmp(&rhs),
        // A product beyond 128 bits is beyond every number on its side.
        None => 0.cmp(&rhs),
    }
}

fn fill(rows: usize, out: &mut [u64], holds: impl Fn(usize) -> bool) {
    for (word, first) in out.iter_mut().zip((0..rows).step_by(64)) {
        *word =
            (first..rows.min(first + 64)).fold(0, |word, row| word | u64::from(holds(row)) << (row - first));
    }
}

/// Bit `i` of `out` is `lhs[i] op rhs[i]` for `rows` rows; the rest of the last word is zero.
pub(crate) fn apply_float<T: Whole>(
    op: CompareOp,
    lhs: Lane<'_, T>,
    rhs: Lane<'_, f64>,
    rows: usize,
    out: &mut [u64],
) {
    fill(rows, out, |row| {
        order_of_float(lhs.get(row), rhs.get(row)).map_or(op == CompareOp::Ne, |order| op.holds(order))
    });
}

/// Bit `i` of `out` is `lhs[i] op rhs[i] · factor` for `rows` rows; the rest of the last word is zero.
pub(crate) fn apply_scaled<T: Integer + Into<i128>>(
    op: CompareOp,
    lhs: Lane<'_, T>,
    rhs: Lane<'_, T>,
    factor: i128,
    rows: usize,
    out: &mut [u64],
) {
    fill(rows, out, |row| op.holds(order_of_scaled(lhs.get(row).into(), rhs.get(row).into(), factor)));
}

pub(super) fn compare_exact(
    op: CompareOp,
    lhs: &Operand<'_>,
    rhs: &Operand<'_>,
    factor: i128,
    len: usize,
    exec: &Exec,
) -> Result<Buffer> {
    let storages = (lhs.storage(), rhs.storage());
    let [lhs, rhs] = OperandGuard::pair(lhs, rhs, exec)?;
    macro_rules! build {
        ($lhs:ty, $rhs:ty, |$a:ident, $b:ident, $rows:ident, $out:ident| $apply:expr) => {{
            let (lhs, rhs) = (lhs.lane::<$lhs>(), rhs.lane::<$rhs>());
            morsel::build_bits(len, exec, |range, $out| {
                let ($a, $b, $rows) = (lhs.rows(range.clone()), rhs.rows(range.clone()), range.len());
                $apply;
            })
        }};
    }
    match storages {
        (Storage::I64, Storage::F64) => build!(i64, f64, |a, b, rows, out| apply_float(op, a, b, rows, out)),
        (Storage::U64, Storage::F64) => build!(u64, f64, |a, b, rows, out| apply_float(op, a, b, rows, out)),
        (Storage::I64, Storage::I64) => {
            build!(i64, i64, |a, b, rows, out| apply_scaled(op, a, b, factor, rows, out))
        }
        (Storage::I128, Storage::I128) => {
            build!(i128, i128, |a, b, rows, out| apply_scaled(op, a, b, factor, rows, out))
        }
        (storage, _) => Err(Error::UnsupportedStorage { storage }),
    }
}
