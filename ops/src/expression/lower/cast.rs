//! Casts that a program computes.

use super::{Lowering, storage};
use crate::expression::typed::{Typed, unit};
use columnade_columns::{DType, Error, Result, TimeUnit};
use columnade_kernels::elementwise::binary::BinaryOp;
use columnade_kernels::expression::{Op, Register};
use columnade_kernels::{Storage, Value};

impl Lowering<'_> {
    pub(super) fn cast(&mut self, arg: &Typed, to: &DType) -> Result<Register> {
        let refused = || Error::NotImplemented {
            feature: format!("a cast from {} to {to} in an expression", arg.dtype),
        };
        match (&arg.dtype, to) {
            (from, to) if plain(from) && plain(to) => {
                let register = self.lower(arg)?;
                Ok(self.store_as(register, storage(to)?))
            }
            (DType::Decimal { .. }, DType::Decimal { scale, .. }) => {
                self.at_scale(arg, (*scale).into(), storage(to)?)
            }
            (from, DType::Decimal { scale, .. }) if from.is_integer() => {
                let register = self.lower(arg)?;
                let wide = self.store_as(register, storage(to)?);
                Ok(self.rescale(wide, (*scale).into(), storage(to)?))
            }
            (DType::Decimal { scale, .. }, to) if to.is_float() => {
                let register = self.lower(arg)?;
                let lhs = self.store_as(register, Storage::F64);
                let rhs = self.value(Value::F64(10f64.powi((*scale).into())));
                let quotient = self.builder.step(Op::Binary { op: BinaryOp::Div, lhs, rhs }, Storage::F64);
                Ok(self.store_as(quotient, storage(to)?))
            }
            (DType::Decimal { .. }, to) if to.is_integer() => {
                let whole = self.at_scale(arg, 0, storage(&arg.dtype)?)?;
                Ok(self.store_as(whole, storage(to)?))
            }
            (DType::Date32, DType::Timestamp(unit)) => {
                let days = self.lower(arg)?;
                let lhs = self.store_as(days, Storage::I64);
                let rhs = self.value(Value::I64(86_400 * unit.per_second()));
                Ok(self.builder.step(Op::Binary { op: BinaryOp::Mul, lhs, rhs }, Storage::I64))
            }
            (DType::Timestamp(_), DType::Timestamp(to)) => {
                let from = unit(&arg.dtype).unwrap_or(TimeUnit::Second).per_second();
                let (op, factor) = if to.per_second() >= from {
                    (BinaryOp::Mul, to.per_second() / from)
                } else {
                    (BinaryOp::FloorDiv, from / to.per_second())
                };
                let lhs = self.lower(arg)?;
                let rhs = self.value(Value::I64(factor));
                Ok(self.builder.step(Op::Binary { op, lhs, rhs }, Storage::I64))
            }
            (DType::Timestamp(unit), DType::Date32) => {
                let lhs = self.lower(arg)?;
                let rhs = self.value(Value::I64(86_400 * unit.per_second()));
                let days = self.builder.step(Op::Binary { op: BinaryOp::FloorDiv, lhs, rhs }, Storage::I64);
                Ok(self.store_as(days, Storage::I32))
            }
            _ => Err(refused()),
        }
    }
}

/// Dtypes whose numbers are their storage.
fn plain(dtype: &DType) -> bool {
    *dtype == DType::Bool || dtype.is_integer() || dtype.is_float()
}
