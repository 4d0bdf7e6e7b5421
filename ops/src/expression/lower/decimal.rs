//! Arithmetic of decimals: precision and scale.

use super::Lowering;
use crate::expression::typed::{Typed, TypedNode};
use crate::expression::{Arithmetic, Comparison};
use columnade_columns::{DType, DecimalStorage, Error, MAX_PRECISION, MAX_PRECISION_64, Result, Scalar};
use columnade_kernels::elementwise::binary::BinaryOp;
use columnade_kernels::expression::{Op, Register};
use columnade_kernels::{Storage, Value};

/// Precision and scale of a decimal dtype.
#[derive(Clone, Copy, Debug)]
struct Digits {
    precision: i32,
    scale: i32,
}

impl Digits {
    fn of(dtype: &DType) -> Result<Self> {
        if let DType::Decimal { precision, scale, .. } = dtype {
            Ok(Self { precision: (*precision).into(), scale: (*scale).into() })
        } else {
            Err(Error::UnsupportedDType { dtype: dtype.clone() })
        }
    }

    /// Digits before the point.
    fn whole(self) -> i32 {
        self.precision - self.scale
    }

    fn storage(self) -> Storage {
        if self.precision <= i32::from(MAX_PRECISION_64) { Storage::I64 } else { Storage::I128 }
    }
}

impl Lowering<'_> {
    pub(super) fn decimal_arithmetic(
        &mut self,
        op: Arithmetic,
        left: &Typed,
        right: &Typed,
        result: &DType,
    ) -> Result<Register> {
        let (l, r, out) = (Digits::of(&left.dtype)?, Digits::of(&right.dtype)?, Digits::of(result)?);
        let storage = out.storage();
        match op {
            Arithmetic::Add | Arithmetic::Subtract => {
                let lhs = self.at_scale(left, out.scale, storage)?;
                let rhs = self.at_scale(right, out.scale, storage)?;
                let op = if op == Arithmetic::Add { BinaryOp::Add } else { BinaryOp::Sub };
                let exact = l.whole().max(r.whole()) + 1 + out.scale <= i32::from(MAX_PRECISION);
                let op = if exact { Op::Binary { op, lhs, rhs } } else { Op::Decimal { op, lhs, rhs } };
                Ok(self.builder.step(op, storage))
            }
            Arithmetic::Multiply => {
                if storage == Storage::I128 && l.storage() == Storage::I64 && r.storage() == Storage::I64 {
                    let lhs = self.at_scale(left, l.scale, Storage::I64)?;
                    let rhs = self.at_scale(right, r.scale, Storage::I64)?;
                    return Ok(self.builder.step(Op::MulWide { lhs, rhs }, storage));
                }
                let lhs = self.at_scale(left, l.scale, storage)?;
                let rhs = self.at_scale(right, r.scale, storage)?;
                let exact =
                    l.precision + r.precision <= i32::from(MAX_PRECISION_64) || storage == Storage::I64;
                let op = BinaryOp::Mul;
                let op = if exact { Op::Binary { op, lhs, rhs } } else { Op::Decimal { op, lhs, rhs } };
                Ok(self.builder.step(op, storage))
            }
            Arithmetic::Divide => {
                let power = out.scale - l.scale + r.scale;
                let lhs = self.at_scale(left, l.scale, Storage::I128)?;
                let rhs = self.at_scale(right, r.scale, Storage::I128)?;
                let quotient = self.builder.step(Op::DivideDecimal { lhs, rhs, power }, Storage::I128);
                Ok(self.store_as(quotient, storage))
            }
            Arithmetic::FloorDivide | Arithmetic::Modulo => {
                // Whole numbers of one scale: quotient and remainder are exact.
                let scale = l.scale.max(r.scale);
                let both = Digits { precision: l.whole().max(r.whole()) + scale, scale }.storage();
                let (lhs, rhs) = (self.at_scale(left, scale, both)?, self.at_scale(right, scale, both)?);
                let op = if op == Arithmetic::Modulo { BinaryOp::Mod } else { BinaryOp::FloorDiv };
                let made = self.builder.step(Op::Binary { op, lhs, rhs }, both);
                Ok(self.store_as(made, storage))
            }
        }
    }

    /// A comparison as that of integers of one scale, or beyond 38 digits of the integers as they are.
    pub(super) fn decimal_compare(
        &mut self,
        op: Comparison,
        left: &Typed,
        right: &Typed,
    ) -> Result<Register> {
        let (l, r) = (Digits::of(&left.dtype)?, Digits::of(&right.dtype)?);
        let scale = l.scale.max(r.scale);
        let precision = l.whole().max(r.whole()) + scale;
        if precision > i32::from(MAX_PRECISION) {
            let lhs = self.at_scale(left, l.scale, Storage::I128)?;
            let rhs = self.at_scale(right, r.scale, Storage::I128)?;
            // A larger power is above every quotient of decimals, as is the largest number.
            let factor = 10_i128.checked_pow(l.scale.abs_diff(r.scale)).unwrap_or(i128::MAX);
            return Ok(self.compare_scaled(op, (lhs, rhs), l.scale > r.scale, factor));
        }
        let storage = Digits { precision, scale }.storage();
        let (lhs, rhs) = (self.at_scale(left, scale, storage)?, self.at_scale(right, scale, storage)?);
        Ok(self.builder.step(Op::Compare { op: super::compare(op), lhs, rhs }, Storage::Bit))
    }

    /// A number rounded to `decimals` digits after the point.
    pub(super) fn round(&mut self, arg: &Typed, decimals: i32, to: &DType) -> Result<Register> {
        if !to.is_decimal() {
            let arg = self.lower(arg)?;
            return Ok(self.builder.step(Op::Round { arg, decimals }, super::storage(to)?));
        }
        let out = Digits::of(to)?;
        let arg = self.at_scale(arg, out.scale, out.storage())?;
        let decimals = decimals.saturating_sub(out.scale);
        Ok(self.builder.step(Op::Round { arg, decimals }, out.storage()))
    }

    /// A decimal in the given storage, as units of 10^−`scale`. Constants are converted at once.
    pub(super) fn at_scale(&mut self, typed: &Typed, scale: i32, storage: Storage) -> Result<Register> {
        let digits = Digits::of(&typed.dtype)?;
        let power = scale - digits.scale;
        if let TypedNode::Constant(Scalar::Decimal { value, .. }) = typed.node
            && let Ok(power) = u32::try_from(power)
            && let Some(value) = 10i128.checked_pow(power).and_then(|factor| value.checked_mul(factor))
        {
            let value = match storage {
                Storage::I32 => i32::try_from(value).ok().map(Value::I32),
                Storage::I64 => i64::try_from(value).ok().map(Value::I64),
                Storage::Bit
                | Storage::I8
                | Storage::I16
                | Storage::I128
                | Storage::U8
                | Storage::U16
                | Storage::U32
                | Storage::U64
                | Storage::F32
                | Storage::F64 => Some(Value::I128(value)),
            };
            if let Some(value) = value {
                return Ok(self.value(value));
            }
        }
        let register = self.lower(typed)?;
        let computed = match self.builder.storage(register) {
            _ if storage == Storage::I128 => storage,
            Some(Storage::I128) => Storage::I128,
            _ => Storage::I64,
        };
        let register = if power == 0 { register } else { self.store_as(register, computed) };
        let register = self.rescale(register, power, computed);
        let register = self.store_as(register, storage);
        let scale = i8::try_from(scale)
            .map_err(|_| Error::Internal { invariant: "the scale of a decimal has 8 bits" })?;
        self.note(&DType::Decimal { precision: MAX_PRECISION, scale, storage: DecimalStorage::Bits128 });
        Ok(register)
    }

    pub(super) fn rescale(&mut self, arg: Register, power: i32, storage: Storage) -> Register {
        if power == 0 { arg } else { self.rescale_to(arg, power, MAX_PRECISION, storage) }
    }

    /// Like [`Lowering::rescale`], with an error for results of more than `digits` digits.
    pub(super) fn rescale_to(&mut self, arg: Register, power: i32, digits: u8, storage: Storage) -> Register {
        self.builder.step(Op::Rescale { arg, power, digits: digits.into() }, storage)
    }

    pub(super) fn store_as(&mut self, arg: Register, storage: Storage) -> Register {
        if self.builder.storage(arg) == Some(storage) {
            arg
        } else {
            self.builder.step(Op::Cast { arg }, storage)
        }
    }
}
