//! Host implementation of `math`, and its inner loops.

use super::MathOp;
use crate::elementwise::lane::Lane;
use crate::elementwise::number::Number;
use crate::elementwise::{Operand, OperandGuard};
use crate::{Error, Result, Storage, morsel};
use columnade_buffers::{Buffer, Exec};

/// A float type. `f32` is computed in `f64`.
pub(crate) trait Float: Number {
    fn widen(self) -> f64;
    fn narrow(value: f64) -> Self;
}

impl Float for f32 {
    #[inline]
    fn widen(self) -> f64 {
        f64::from(self)
    }
    #[inline]
    fn narrow(value: f64) -> Self {
        value as f32
    }
}

impl Float for f64 {
    #[inline]
    fn widen(self) -> f64 {
        self
    }
    #[inline]
    fn narrow(value: f64) -> Self {
        value
    }
}

/// A function of one number. The call takes longer than the pointer to it.
fn unary(op: MathOp) -> Option<fn(f64) -> f64> {
    Some(match op {
        MathOp::Exp => f64::exp,
        MathOp::Expm1 => f64::exp_m1,
        MathOp::Log => f64::ln,
        MathOp::Log1p => f64::ln_1p,
        MathOp::Log2 => f64::log2,
        MathOp::Log10 => f64::log10,
        MathOp::Cbrt => f64::cbrt,
        MathOp::Sin => f64::sin,
        MathOp::Cos => f64::cos,
        MathOp::Tan => f64::tan,
        MathOp::Asin => f64::asin,
        MathOp::Acos => f64::acos,
        MathOp::Atan => f64::atan,
        MathOp::Sinh => f64::sinh,
        MathOp::Cosh => f64::cosh,
        MathOp::Tanh => f64::tanh,
        MathOp::Asinh => asinh,
        MathOp::Acosh => acosh,
        MathOp::Atanh => atanh,
        MathOp::Pow | MathOp::Atan2 => return None,
    })
}

/// From here on a number plus or minus one, in a root, is the number.
const LARGE: f64 = 268_435_456.0;

/// The standard library's loses digits of large and of small numbers.
fn asinh(value: f64) -> f64 {
    let size = value.abs();
    let result = if size >= LARGE {
        size.ln() + std::f64::consts::LN_2
    } else {
        // √(1 + x²) − 1, without the difference.
        let square = size * size;
        (size + square / (1.0 + (1.0 + square).sqrt())).ln_1p()
    };
    result.copysign(value)
}

fn acosh(value: f64) -> f64 {
    if value >= LARGE {
        value.ln() + std::f64::consts::LN_2
    } else if value < 1.0 {
        // Of a large negative number the square is one of a positive number too.
        f64::NAN
    } else {
        let above = value - 1.0;
        (above + (2.0 * above + above * above).sqrt()).ln_1p()
    }
}

fn atanh(value: f64) -> f64 {
    let size = value.abs();
    (0.5 * (2.0 * size / (1.0 - size)).ln_1p()).copysign(value)
}

/// `out[i]` is the function of `lhs[i]` and, of two numbers, `rhs[i]`. Lanes have as many rows as `out`.
pub(crate) fn apply<T: Float>(op: MathOp, lhs: Lane<'_, T>, rhs: Lane<'_, T>, out: &mut [T]) {
    if let Some(function) = unary(op) {
        for (row, out) in out.iter_mut().enumerate() {
            *out = T::narrow(function(lhs.get(row).widen()));
        }
        return;
    }
    let function: fn(f64, f64) -> f64 = if op == MathOp::Pow { f64::powf } else { f64::atan2 };
    for (row, out) in out.iter_mut().enumerate() {
        *out = T::narrow(function(lhs.get(row).widen(), rhs.get(row).widen()));
    }
}

pub(super) fn math(
    op: MathOp,
    lhs: &Operand<'_>,
    rhs: &Operand<'_>,
    len: usize,
    exec: &Exec,
) -> Result<Buffer> {
    let storage = lhs.storage();
    let [lhs, rhs] = OperandGuard::pair(lhs, rhs, exec)?;
    match storage {
        Storage::F32 => floats::<f32>(op, lhs.lane(), rhs.lane(), len, exec),
        Storage::F64 => floats::<f64>(op, lhs.lane(), rhs.lane(), len, exec),
        storage => Err(Error::UnsupportedStorage { storage }),
    }
}

fn floats<T: Float>(
    op: MathOp,
    lhs: Lane<'_, T>,
    rhs: Lane<'_, T>,
    len: usize,
    exec: &Exec,
) -> Result<Buffer> {
    morsel::build_values(len, exec, |rows, out| apply(op, lhs.rows(rows.clone()), rhs.rows(rows), out))
}
