//! The dtype in which keys of two dtypes are compared.

use columnade_columns::{DType, promote};

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
/// | decimals of one scale, or a decimal without fraction and an integer | the decimal of most digits |
/// | `float32` and `float64` | `float64` |
/// | date and timestamp, timestamps, durations | the finer unit |
/// | timestamps with time zones | the finer unit, in the zone of the left: equal times match |
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
        (DType::Float32, DType::Float64) | (DType::Float64, DType::Float32) => return Some(DType::Float64),
        (DType::TimestampTz(a, zone), DType::TimestampTz(b, _)) => {
            return Some(DType::TimestampTz(*a.max(b), zone.clone()));
        }
        _ if is_time(left) && is_time(right) => return promote::common(left, right).ok(),
        _ => {}
    }
    match (left.as_decimal()?, right.as_decimal()?) {
        (
            DType::Decimal { precision, scale, .. },
            DType::Decimal { precision: other_precision, scale: other_scale, .. },
        ) if scale == other_scale => DType::decimal(precision.max(other_precision), scale).ok(),
        _ => None,
    }
}

fn is_time(dtype: &DType) -> bool {
    matches!(
        dtype,
        DType::Date32 | DType::Timestamp(_) | DType::TimestampTz(..) | DType::Duration(_) | DType::Time(_)
    )
}

/// Whether keys of these dtypes have equal hashes where they are equal by value: see
/// [`hash_partition`](crate::partition::hash_partition).
pub(super) fn hash_alike(left: &DType, right: &DType) -> bool {
    let (left, right) = (left.logical(), right.logical());
    left.same_values(right) || (left.as_decimal().is_some() && right.as_decimal().is_some())
}
