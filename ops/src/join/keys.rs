//! The dtype in which keys of two dtypes are compared.

use crate::cast::cast_values;
use columnade_buffers::Exec;
use columnade_columns::{Column, DType, ErrorKind, MAX_PRECISION, Result, TimeUnit, promote};
use columnade_kernels::elementwise::cast::CastMode;

/// Digits of the greatest `uint64`.
const UINT64_DIGITS: u8 = 20;

/// The dtype that has the values of both key dtypes, so that keys are equal by value; `None` if such keys cannot
/// be joined.
///
/// | left, right | dtype |
/// | --- | --- |
/// | equal but for the widths of decimals | the width of results |
/// | dictionary, and another dictionary or its values | the values |
/// | two integers | as in arithmetic; `uint64` with a signed integer: `decimal(20,0)` |
/// | decimals, or a decimal and an integer | the decimal with all digits of both before and after the point, if they are at most 38 |
/// | `float32` and `float64` | `float64` |
/// | null and another dtype | the other one: a column of nulls has no values of its own |
/// | date and timestamp, timestamps, durations | the finer unit; times beyond its range equal none of it |
/// | timestamps with time zones | the finer unit, in the zone of the left: equal times match |
/// | lists, structs with the same names | those of the dtypes in which their items are compared |
pub fn common_key(left: &DType, right: &DType) -> Option<DType> {
    let (left, right) = (left.logical(), right.logical());
    if left.same_values(right) {
        return Some(left.canonical());
    }
    if left.is_integer() && right.is_integer() {
        let common = promote::common(left, right).ok().filter(DType::is_integer);
        return common.or_else(|| DType::decimal(UINT64_DIGITS, 0).ok());
    }
    match (left, right) {
        (DType::Null, other) | (other, DType::Null) => return Some(other.canonical()),
        (DType::List(_) | DType::Struct(_), _) => return promote::within(left, right, common_key),
        (DType::Float32, DType::Float64) | (DType::Float64, DType::Float32) => return Some(DType::Float64),
        (DType::TimestampTz(a, zone), DType::TimestampTz(b, _)) => {
            return Some(DType::TimestampTz(*a.max(b), zone.clone()));
        }
        _ if is_time(left) && is_time(right) => return promote::common(left, right).ok(),
        _ => {}
    }
    let [(whole, scale), (other_whole, other_scale)] = [places(left)?, places(right)?];
    let scale = scale.max(other_scale);
    let digits = u8::try_from(whole.max(other_whole) + i16::from(scale)).ok()?;
    DType::decimal(digits, scale).ok()
}

/// The digits of a decimal before the point and after it, also of one that an integer is.
fn places(dtype: &DType) -> Option<(i16, i8)> {
    let DType::Decimal { precision, scale, .. } = dtype.as_decimal()? else { return None };
    Some((i16::from(precision) - i16::from(scale), scale))
}

/// Both keys in their [`common_key`]; where it is a unit that times of one of them are beyond the range of, as counts of it.
///
/// # Errors
/// [`Error::Overflow`](columnade_columns::Error::Overflow) for values that are no times;
/// [`Error::Memory`](columnade_columns::Error::Memory).
pub(crate) fn in_common_dtype(
    left: &Column,
    right: &Column,
    common: &DType,
    exec: &Exec,
) -> Result<(Column, Column)> {
    let made = |column: &Column| cast_values(column, common, CastMode::Checked, exec);
    match made(left).and_then(|left| Ok((left, made(right)?))) {
        Err(error) if error.kind() == ErrorKind::Overflow && is_time(common) => {
            let unit = common.unit().unwrap_or(TimeUnit::Second);
            Ok((counts(left, unit, exec)?, counts(right, unit, exec)?))
        }
        other => other,
    }
}

/// The times of a key as counts of a unit that is not coarser, which have more digits than times have.
fn counts(times: &Column, unit: TimeUnit, exec: &Exec) -> Result<Column> {
    let is_date = *times.dtype().logical() == DType::Date32;
    let midnights = DType::Timestamp(TimeUnit::Second);
    let times =
        if is_date { cast_values(times, &midnights, CastMode::Checked, exec)? } else { times.clone() };
    let own = times.dtype().logical().unit().unwrap_or(TimeUnit::Second);
    let scale = i8::try_from((unit.per_second() / own.per_second()).ilog10()).unwrap_or(0);
    let scaled = cast_values(&times, &DType::decimal(MAX_PRECISION, scale)?, CastMode::Checked, exec)?;
    // The digits after the point are those of the unit.
    scaled.reinterpret(&DType::decimal(MAX_PRECISION, 0)?)
}

/// Whether values are dates, instants, times of day or durations.
pub(crate) fn is_time(dtype: &DType) -> bool {
    matches!(
        dtype,
        DType::Date32 | DType::Timestamp(_) | DType::TimestampTz(..) | DType::Duration(_) | DType::Time(_)
    )
}

/// Whether keys of these dtypes have equal hashes where they are equal by value: see
/// [`hash_partition`](crate::partition::hash_partition).
pub(super) fn hash_alike(left: &DType, right: &DType) -> bool {
    let (left, right) = (left.logical(), right.logical());
    let scales = [left, right].map(|dtype| places(dtype).map(|(_, scale)| scale));
    left.same_values(right) || (scales[0].is_some() && scales[0] == scales[1])
}

/// The dtype of a key column of both sides of a join whose rows all have the value of one side, of `own` dtype: the
/// [`common_key`], of times in the unit of `own`, which has all of them.
pub fn key_of_one_side(own: &DType, common: DType) -> DType {
    let own = own.logical();
    match (own, common) {
        (DType::TimestampTz(unit, _), DType::TimestampTz(_, zone)) => DType::TimestampTz(*unit, zone),
        (own, common) if is_time(own) && is_time(&common) => own.clone(),
        (_, common) => common,
    }
}
