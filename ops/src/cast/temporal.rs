//! Casts between dates, timestamps, durations, times of day and integers.

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
    let coarse = super::cast_values(column, &DType::TimestampTz(unit, zone.clone()), mode, exec)?;
    let local = local_time(&fixed(&coarse)?, kernel_unit(unit), &*zone.offsets()?, exec)?;
    super::cast_values(&finish(&DType::Timestamp(unit), local)?, to, mode, exec)
}

/// The time of day of timestamps, in local time if they have a time zone.
pub(super) fn time_of_day(column: &Column, to: &DType, mode: CastMode, exec: &Exec) -> Result<Column> {
    let from = column.dtype();
    if let DType::TimestampTz(unit, _) = from {
        // In the coarser unit, which holds more times.
        let unit = to.unit().unwrap_or(unit).min(unit);
        return time_of_day(
            &super::cast_values(column, &DType::Timestamp(unit), mode, exec)?,
            to,
            mode,
            exec,
        );
    }
    let DType::Timestamp(unit) = from else { return Err(Error::UnsupportedDType { dtype: from }) };
    let day = Operand::Value(Value::I64(unit.per_day()));
    let counts = binary(BinaryOp::Mod, Operand::Column(fixed(column)?), day, exec)?;
    // Less than a day, as the duration since midnight.
    between(&finish(&DType::Duration(unit), counts)?, to, unit.per_day(), unit_of(to).per_day(), exec)
}

fn unit_of(dtype: &DType) -> TimeUnit {
    dtype.unit().unwrap_or(TimeUnit::Second)
}

/// The integers that count a time are stored as they are.
fn count_of(dtype: &DType) -> DType {
    if dtype.storage() == Some(Storage::I32) { DType::Int32 } else { DType::Int64 }
}

const SECONDS_PER_DAY: i64 = 86_400;

pub(super) fn cast(column: &Column, to: &DType, mode: CastMode, exec: &Exec) -> Result<Column> {
    let from = column.dtype();
    match (units_per_day(&from), units_per_day(to)) {
        (Some(old), Some(new)) => between(column, to, old, new, exec),
        (Some(_), None) => super::cast_values(&column.reinterpret(&count_of(&from))?, to, mode, exec),
        _ => {
            let count = count_of(to);
            let counts =
                if from == count { column.clone() } else { numeric::cast(column, &count, mode, exec)? };
            let times = counts.reinterpret(to)?;
            times.check_times(exec)?;
            Ok(times)
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
    if old == new && column.dtype().storage() == to.storage() {
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
