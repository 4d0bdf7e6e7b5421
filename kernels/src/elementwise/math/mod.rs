//! Exponentials, logarithms, powers, trigonometric and hyperbolic functions of floats.

mod cuda;
pub(crate) mod host;
#[cfg(test)]
mod tests;

use super::operand::{self, Operand};
use super::validity;
use crate::{Error, FixedData, Result};
use columnade_buffers::{Device, Exec};

/// The function. The discriminants are those in `math.cu`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(i32)]
pub enum MathOp {
    /// e to the power of the number.
    Exp = 0,
    /// One less than e to the power of the number, without the loss of digits near zero.
    Expm1 = 1,
    /// The natural logarithm.
    Log = 2,
    /// The natural logarithm of one more, without the loss of digits near zero.
    Log1p = 3,
    /// The logarithm to base 2.
    Log2 = 4,
    /// The logarithm to base 10.
    Log10 = 5,
    /// The cube root.
    Cbrt = 6,
    /// The sine of an angle in radians.
    Sin = 7,
    /// The cosine of an angle in radians.
    Cos = 8,
    /// The tangent of an angle in radians.
    Tan = 9,
    /// The angle with this sine.
    Asin = 10,
    /// The angle with this cosine.
    Acos = 11,
    /// The angle with this tangent.
    Atan = 12,
    /// The hyperbolic sine.
    Sinh = 13,
    /// The hyperbolic cosine.
    Cosh = 14,
    /// The hyperbolic tangent.
    Tanh = 15,
    /// The number with this hyperbolic sine.
    Asinh = 16,
    /// The number with this hyperbolic cosine.
    Acosh = 17,
    /// The number with this hyperbolic tangent.
    Atanh = 18,
    /// The left operand to the power of the right one.
    Pow = 19,
    /// The angle of the point whose y is the left operand and whose x is the right one.
    Atan2 = 20,
}

impl MathOp {
    /// Every function.
    pub const ALL: [MathOp; 21] = [
        MathOp::Exp,
        MathOp::Expm1,
        MathOp::Log,
        MathOp::Log1p,
        MathOp::Log2,
        MathOp::Log10,
        MathOp::Cbrt,
        MathOp::Sin,
        MathOp::Cos,
        MathOp::Tan,
        MathOp::Asin,
        MathOp::Acos,
        MathOp::Atan,
        MathOp::Sinh,
        MathOp::Cosh,
        MathOp::Tanh,
        MathOp::Asinh,
        MathOp::Acosh,
        MathOp::Atanh,
        MathOp::Pow,
        MathOp::Atan2,
    ];

    /// Whether the function reads both operands; the others read the left one.
    pub const fn is_binary(self) -> bool {
        matches!(self, MathOp::Pow | MathOp::Atan2)
    }
}

/// Row `i` of the result is the function of `lhs[i]` and, for a function of two numbers, `rhs[i]`; null if one of them is
/// null. A function of one number ignores `rhs`, which is mostly the same operand.
///
/// IEEE 754 decides what is NaN or infinite. `f32` is computed in `f64` and rounded.
///
/// # Determinism
/// Results repeat on one machine, whatever the number of threads. The host calls the functions of the C library, which are
/// within one unit in the last place (2⁻⁵² of the value). Devices use those of CUDA, within two such units, so the last bits
/// may differ from the host's.
///
/// # Shapes and units
/// Operands of n rows, or a value for every row, of `f32` or `f64` → n rows of that type. Angles are in radians.
///
/// # Errors
/// [`Error::LengthMismatch`]; [`Error::UnsupportedStorage`] for integers and bits, and for operands of different types.
///
/// # Device
/// One launch, and one for a mask. Does not synchronise.
///
/// # Source
/// cudf/unary.hpp `unary_operation`, cudf/binaryop.hpp `POW`, NumPy's ufuncs.
pub fn math(op: MathOp, lhs: Operand<'_>, rhs: Operand<'_>, exec: &Exec) -> Result<FixedData> {
    let rhs = if op.is_binary() { rhs } else { lhs };
    let len = operand::rows(&lhs, &rhs)?;
    let storage = lhs.storage();
    if !storage.is_float() {
        return Err(Error::UnsupportedStorage { storage });
    }
    if lhs.is_null() || rhs.is_null() {
        return validity::all_null(storage, len, exec);
    }
    let data = match exec.device() {
        Device::Host => host::math(op, &lhs, &rhs, len, exec)?,
        _ => cuda::math(op, &lhs, &rhs, len, exec)?,
    };
    Ok(FixedData { storage, len, data, validity: validity::of_operands(&lhs, &rhs, exec)? })
}
