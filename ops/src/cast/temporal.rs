//! Casts between dates, timestamps, durations and integers.

use super::{CastMode, finish, fixed, numeric};
use columnade_buffers::Exec;
use columnade_columns::{Column, DType, Error, Result, TimeUnit};
use columnade_kernels::datetime::extract::TimeUnit as KernelUnit;
use columnade_kernels::datetime::local_time::local_time;
use columnade_kernels::elementwise::binary::{BinaryOp, Limit, binary, binary_checked};
use columnade_kernels::elementwise::{Operand, cast};
use columnade_kernels::{Storage, Value};

/// The unit as kernels name it.
pub(crate) const fn kernel_unit(unit: TimeUnit) -> KernelUnit {
    match unit {
        TimeUnit::Second => KernelUnit::Second,
        TimeUnit::Milli => KernelUnit::Milli,
        TimeUnit::Micro => KernelUnit::Micro,
        TimeUnit::Nano => KernelUnit::Nano,
    }
}

/// The local time or date of timestamps with a time zone.
pub(super) fn to_local(column: &Column, to: &DType, mode: CastMode, exec: &Exec) -> Result<Column> {
    let from = column.dtype();
    let DType::TimestampTz(unit, zone) = &from else {
        return Err(Error::UnsupportedDType { dtype: from });
    };
    // In the coarser unit, which holds more times.
    let unit = to.unit().unwrap_or(TimeUnit::Second).min(*unit);
    let coarse = super::cast(column, &DType::TimestampTz(unit, zone.clone()), mode, exec)?;
    let local = local_time(&fixed(&coarse)?, kernel_unit(unit), &*zone.offsets()?, exec)?;
    super::cast(&finish(&DType::Timestamp(unit), local)?, to, mode, exec)
}

const SECONDS_PER_DAY: i64 = 86_400;

pub(super) fn cast(column: &Column, to: &DType, mode: CastMode, exec: &Exec) -> Result<Column> {
    let from = column.dtype();
    match (units_per_day(&from), units_per_day(to)) {
        (Some(old), Some(new)) => between(column, to, old, new, exec),
        (Some(_), None) => {
            let count = if from == DType::Date32 { DType::Int32 } else { DType::Int64 };
            super::cast(&column.reinterpret(&count)?, to, mode, exec)
        }
        _ => {
            let count = if *to == DType::Date32 { DType::Int32 } else { DType::Int64 };
            let counts =
                if from == count { column.clone() } else { numeric::cast(column, &count, mode, exec)? };
            counts.reinterpret(to)
        }
    }
}

/// Units per day of a dtype; `None` if it is not temporal.
fn units_per_day(dtype: &DType) -> Option<i64> {
    if *dtype == DType::Date32 {
        Some(1)
    } else {
        dtype.unit().map(|unit| SECONDS_PER_DAY * unit.per_second())
    }
}

fn between(column: &Column, to: &DType, old: i64, new: i64, exec: &Exec) -> Result<Column> {
    if old == new {
        // Another time zone.
        return column.reinterpret(to);
    }
    let counts = cast::cast(&fixed(column)?, Storage::I64, CastMode::Wrap, exec)?;
    let operand = Operand::Column(counts.view());
    let moved = if new >= old {
        let factor = Operand::Value(Value::I64(new / old));
        binary_checked(BinaryOp::Mul, operand, factor, Limit::Storage, exec)?
    } else {
        binary(BinaryOp::FloorDiv, operand, Operand::Value(Value::I64(old / new)), exec)?
    };
    let storage = to.storage().ok_or_else(|| Error::UnsupportedDType { dtype: to.clone() })?;
    finish(to, cast::cast(&moved.view(), storage, CastMode::Checked, exec)?)
}
