//! Casts that a program computes.

use super::{Lowering, storage};
use crate::cast::kernel_unit;
use crate::expression::typed::Typed;
use columnade_columns::{DType, DecimalStorage, Error, MAX_PRECISION, Result, TimeUnit, TimeZone};
use columnade_kernels::elementwise::binary::BinaryOp;
use columnade_kernels::expression::{Op, Register};
use columnade_kernels::{Storage, Value};

impl Lowering<'_> {
    pub(super) fn cast(&mut self, arg: &Typed, to: &DType) -> Result<Register> {
        let refused = || Error::NotImplemented { feature: format!("a cast from {} to {to}", arg.dtype) };
        match (&arg.dtype, to) {
            (from, to) if plain(from) && plain(to) => {
                let register = self.lower(arg)?;
                Ok(self.store_as(register, storage(to)?))
            }
            // The column's creator guarantees the number of digits.
            (from, DType::Decimal { precision, scale, storage })
                if from.same_values(to) && is_wider(from, *storage) =>
            {
                self.checked(arg, i32::from(*scale), *precision, storage.storage())
            }
            (from, DType::Decimal { scale, .. }) if holds(from, to) && from.is_decimal() => {
                self.at_scale(arg, (*scale).into(), storage(to)?)
            }
            (from, DType::Decimal { scale, .. }) if holds(from, to) => {
                let register = self.lower(arg)?;
                let wide = self.store_as(register, storage(to)?);
                Ok(self.rescale(wide, (*scale).into(), storage(to)?))
            }
            // Values that may not fit are checked row by row.
            (from, DType::Decimal { precision, scale, .. }) if from.as_decimal().is_some() => {
                self.checked(arg, i32::from(*scale), *precision, storage(to)?)
            }
            (DType::Decimal { scale, .. }, to) if to.is_float() => {
                let register = self.lower(arg)?;
                let lhs = self.store_as(register, Storage::F64);
                let rhs = self.value(Value::F64(10f64.powi((*scale).into())));
                let quotient = self.builder.step(Op::Binary { op: BinaryOp::Div, lhs, rhs }, Storage::F64);
                Ok(self.store_as(quotient, storage(to)?))
            }
            (from @ DType::Decimal { .. }, to) if to.is_signed_integer() && fits_integer(from, to) => {
                let whole = self.at_scale(arg, 0, storage(from)?)?;
                Ok(self.store_as(whole, storage(to)?))
            }
            (DType::Decimal { .. }, to) if to.is_integer() => {
                let arg = self.checked(arg, 0, MAX_PRECISION, Storage::I128)?;
                Ok(self.builder.step(Op::CastChecked { arg }, storage(to)?))
            }
            // Units of time as numbers, and numbers as them.
            (from, to)
                if (counts(from) || matches!(from, DType::Time(_))) && to.is_integer()
                    || from.is_integer() && counts(to) =>
            {
                let arg = self.lower(arg)?;
                if storage(from)? == storage(to)? {
                    return Ok(arg);
                }
                Ok(self.builder.step(Op::CastChecked { arg }, storage(to)?))
            }
            (DType::Date32, DType::Timestamp(unit)) => {
                let days = self.lower(arg)?;
                let lhs = self.store_as(days, Storage::I64);
                let rhs = self.value(Value::I64(86_400));
                let seconds = self.builder.step(Op::Binary { op: BinaryOp::Mul, lhs, rhs }, Storage::I64);
                Ok(self.rescale(seconds, power(*unit), Storage::I64))
            }
            (DType::Timestamp(from), DType::Timestamp(to))
            | (DType::TimestampTz(from, _), DType::TimestampTz(to, _))
            | (DType::Duration(from), DType::Duration(to)) => {
                let register = self.lower(arg)?;
                if to >= from {
                    return Ok(self.rescale(register, power(*to) - power(*from), Storage::I64));
                }
                Ok(self.coarsened(register, *from, *to))
            }
            (DType::Time(from), DType::Time(unit) | DType::Duration(unit)) => {
                let stored = storage(to)?;
                let register = self.lower(arg)?;
                let wide = self.store_as(register, Storage::I64);
                Ok(self.in_unit(wide, *from, *unit, stored))
            }
            (DType::Timestamp(from), DType::Time(to)) => {
                let time = self.lower(arg)?;
                self.time_of_day(time, *from, *to)
            }
            (DType::TimestampTz(from, zone), DType::Time(to)) => {
                // In the coarser unit, which holds more times.
                let unit = *from.min(to);
                let local = self.local_time(arg, *from, unit, zone)?;
                self.time_of_day(local, unit, *to)
            }
            (DType::Timestamp(unit), DType::Date32) => {
                let time = self.lower(arg)?;
                Ok(self.day_of(time, *unit))
            }
            (DType::TimestampTz(unit, zone), DType::Date32) => {
                let seconds = self.local_time(arg, *unit, TimeUnit::Second, zone)?;
                Ok(self.day_of(seconds, TimeUnit::Second))
            }
            (DType::TimestampTz(from, zone), DType::Timestamp(to)) => {
                // In the coarser unit, which holds more times.
                let unit = *from.min(to);
                let local = self.local_time(arg, *from, unit, zone)?;
                Ok(self.rescale(local, power(*to) - power(unit), Storage::I64))
            }
            _ => Err(refused()),
        }
    }
}

impl Lowering<'_> {
    /// The local time of a timestamp with a time zone, rounded down to a unit that is not finer than its own.
    pub(super) fn local_time(
        &mut self,
        arg: &Typed,
        from: TimeUnit,
        unit: TimeUnit,
        zone: &TimeZone,
    ) -> Result<Register> {
        let zone = zone.offsets()?;
        let register = self.lower(arg)?;
        let arg = self.coarsened(register, from, unit);
        Ok(self.builder.step(Op::LocalTime { unit: kernel_unit(unit), zone, arg }, Storage::I64))
    }

    /// A count of units in a unit that is not finer, rounded down.
    fn coarsened(&mut self, lhs: Register, from: TimeUnit, to: TimeUnit) -> Register {
        if from == to {
            return lhs;
        }
        let rhs = self.value(Value::I64(from.per_second() / to.per_second()));
        self.builder.step(Op::Binary { op: BinaryOp::FloorDiv, lhs, rhs }, Storage::I64)
    }

    /// A count of units in another unit, rounded down where that is coarser.
    fn in_unit(&mut self, register: Register, from: TimeUnit, to: TimeUnit, storage: Storage) -> Register {
        let count = if to >= from {
            self.rescale(register, power(to) - power(from), Storage::I64)
        } else {
            self.coarsened(register, from, to)
        };
        self.store_as(count, storage)
    }

    /// The time of day of a time without a time zone.
    fn time_of_day(&mut self, lhs: Register, from: TimeUnit, to: TimeUnit) -> Result<Register> {
        let rhs = self.value(Value::I64(from.per_day()));
        let count = self.builder.step(Op::Binary { op: BinaryOp::Mod, lhs, rhs }, Storage::I64);
        let storage = storage(&DType::Time(to))?;
        Ok(self.in_unit(count, from, to, storage))
    }

    /// The day of a time without a time zone, an error for a day of more than 32 bits.
    pub(super) fn day_of(&mut self, lhs: Register, unit: TimeUnit) -> Register {
        let rhs = self.value(Value::I64(86_400 * unit.per_second()));
        let arg = self.builder.step(Op::Binary { op: BinaryOp::FloorDiv, lhs, rhs }, Storage::I64);
        self.builder.step(Op::CastChecked { arg }, Storage::I32)
    }
}

impl Lowering<'_> {
    /// An integer or a decimal as units of 10^−`scale` of at most `digits` digits, an error for more.
    fn checked(&mut self, arg: &Typed, scale: i32, digits: u8, storage: Storage) -> Result<Register> {
        let from = self::digits(&arg.dtype).map_or(0, |(_, scale)| scale);
        let register = self.lower(arg)?;
        let wide = self.store_as(register, Storage::I128);
        let checked = self.rescale_to(wide, scale - from, digits, Storage::I128);
        Ok(self.store_as(checked, storage))
    }
}

/// Dtypes whose storage is the number itself.
fn plain(dtype: &DType) -> bool {
    *dtype == DType::Bool || dtype.is_integer() || dtype.is_float()
}

/// Whether values are a number of units of time.
fn counts(dtype: &DType) -> bool {
    dtype.is_temporal() || matches!(dtype, DType::Duration(_))
}

/// A second is 10 to this power of units. Multiplication by a power of ten is checked, unlike other
/// multiplications.
fn power(unit: TimeUnit) -> i32 {
    unit.per_second().ilog10().cast_signed()
}

/// Digits before and after the point of an integer or decimal dtype.
fn digits(dtype: &DType) -> Option<(i32, i32)> {
    if let DType::Decimal { precision, scale, .. } = dtype.as_decimal()? {
        Some((i32::from(precision) - i32::from(scale), scale.into()))
    } else {
        None
    }
}

/// Whether a decimal is stored in more bits.
fn is_wider(dtype: &DType, than: DecimalStorage) -> bool {
    matches!(dtype, DType::Decimal { storage, .. } if *storage > than)
}

/// Whether every value of `from`, rounded, fits in the decimal `to`.
fn holds(from: &DType, to: &DType) -> bool {
    let (Some((whole, scale)), Some((to_whole, to_scale))) = (digits(from), digits(to)) else { return false };
    // Rounding 9.9 away from zero takes one digit more.
    whole + i32::from(to_scale < scale) <= to_whole
}

/// Whether every value of a decimal, rounded, fits in a signed integer dtype.
fn fits_integer(from: &DType, to: &DType) -> bool {
    let all_digits = match to {
        DType::Int8 => 2,
        DType::Int16 => 4,
        DType::Int32 => 9,
        DType::Bool
        | DType::Int64
        | DType::UInt8
        | DType::UInt16
        | DType::UInt32
        | DType::UInt64
        | DType::Float32
        | DType::Float64
        | DType::Utf8
        | DType::Date32
        | DType::Timestamp(_)
        | DType::Decimal { .. }
        | DType::Binary
        | DType::TimestampTz(..)
        | DType::Duration(_)
        | DType::Time(_)
        | DType::Dictionary(_)
        | DType::Interval(_)
        | DType::List(_)
        | DType::Struct(_)
        | DType::Null => 18,
    };
    digits(from).is_some_and(|(whole, scale)| whole + i32::from(scale > 0) <= all_digits)
}
