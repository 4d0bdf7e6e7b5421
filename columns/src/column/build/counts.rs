//! Whole numbers as what they count: days, units of time, digits.

use super::into::IntoColumn;
use crate::column::Column;
use crate::column::fixed::FixedLayout;
use crate::column::layout::check_times;
use crate::{DType, Error, MAX_PRECISION, Result, TimeUnit, TimeZone};
use columnade_buffers::{Device, Exec};
use columnade_kernels::elementwise::cast::{CastMode, cast};
use columnade_kernels::elementwise::rescale::rescale;
use columnade_kernels::{FixedData, Storage, View};

/// Whole numbers, and the dtype that they are counts of: what [`dates`], [`timestamps`], [`durations`], [`times`] and [`decimals`] give.
#[derive(Clone, Debug)]
pub struct Counts<V> {
    values: V,
    dtype: DType,
}

/// Days since 1970-01-01, as `date32`. See [`timestamps`] for what `days` may be; from days of the calendar see
/// [`Date`](crate::calendar::Date), which is a [`ColumnValue`](crate::ColumnValue) itself.
pub fn dates<V: IntoColumn>(days: V) -> Counts<V> {
    Counts { values: days, dtype: DType::Date32 }
}

/// Units since 1970-01-01 as timestamps, without a time zone unless [`in_zone`](Counts::in_zone) gives one.
///
/// The values are those of any integer dtype: a vector of `i64`, whose memory stays where it is on the host, a slice, an
/// array, integers of an iterator by [`from_iter`](crate::from_iter), optional ones, or a column. Integers of other widths are
/// widened.
///
/// ```
/// use columnade_buffers::Exec;
/// use columnade_columns::{IntoColumn, TimeUnit, TimeZone, timestamps};
///
/// let times = timestamps([Some(0_i64), None], TimeUnit::Second).in_zone(TimeZone::utc());
/// let times = times.into_column(&Exec::host())?;
/// assert_eq!(times.dtype().to_string(), "timestamp[s, UTC]");
/// assert_eq!(times.get(0)?.to_string(), "1970-01-01 00:00:00Z");
/// # Ok::<(), columnade_columns::Error>(())
/// ```
///
/// # Errors
/// When the column is made: [`Error::DTypeMismatch`] for values that are no integers, [`Error::Overflow`] for one that does
/// not fit.
pub fn timestamps<V: IntoColumn>(values: V, unit: TimeUnit) -> Counts<V> {
    Counts { values, dtype: DType::Timestamp(unit) }
}

/// Units of time as durations. See [`timestamps`] for what `values` may be.
pub fn durations<V: IntoColumn>(values: V, unit: TimeUnit) -> Counts<V> {
    Counts { values, dtype: DType::Duration(unit) }
}

/// Units since midnight as times of day. See [`timestamps`] for what `values` may be.
///
/// ```
/// use columnade_buffers::Exec;
/// use columnade_columns::{IntoColumn, TimeUnit, times};
///
/// let starts = times([Some(45_296_789), None], TimeUnit::Milli).into_column(&Exec::host())?;
/// assert_eq!(starts.dtype().to_string(), "time32[ms]");
/// assert_eq!(starts.get(0)?.to_string(), "12:34:56.789");
/// assert!(times([86_400], TimeUnit::Second).into_column(&Exec::host()).is_err());
/// # Ok::<(), columnade_columns::Error>(())
/// ```
///
/// # Errors
/// When the column is made: [`Error::DTypeMismatch`] for values that are no integers, [`Error::Overflow`] for one that is
/// negative or not less than a day.
pub fn times<V: IntoColumn>(values: V, unit: TimeUnit) -> Counts<V> {
    Counts { values, dtype: DType::Time(unit) }
}

/// Whole numbers of 10^−`scale` as decimals of `precision` digits: of scale 2, 1999 is 19.99. Besides what [`timestamps`]
/// takes, the values may be `i128`; up to 18 digits the memory of a vector of `i64` stays where it is on the host, beyond
/// that of a vector of `i128`.
///
/// ```
/// use columnade_buffers::Exec;
/// use columnade_columns::{IntoColumn, decimals};
///
/// let prices = decimals(vec![1999_i64, 5], 15, 2).into_column(&Exec::host())?;
/// assert_eq!((prices.get(0)?.to_string(), prices.get(1)?.to_string()), ("19.99".into(), "0.05".into()));
/// assert!(decimals([1000], 3, 0).into_column(&Exec::host()).is_err());
/// # Ok::<(), columnade_columns::Error>(())
/// ```
///
/// # Errors
/// When the column is made: [`Error::DTypeMismatch`] for values that are no whole numbers, [`Error::Overflow`] for one of
/// more digits, [`Error::InvalidArgument`] as [`DType::decimal`].
pub fn decimals<V: IntoColumn>(values: V, precision: u8, scale: i8) -> Counts<V> {
    Counts { values, dtype: DType::decimal_of(precision, scale) }
}

impl<V> Counts<V> {
    /// Timestamps, since 1970-01-01 UTC, shown in a time zone. What is no timestamp has none.
    #[must_use]
    pub fn in_zone(self, zone: TimeZone) -> Self {
        let dtype = if let DType::Timestamp(unit) | DType::TimestampTz(unit, _) = self.dtype {
            DType::TimestampTz(unit, zone)
        } else {
            self.dtype
        };
        Self { dtype, ..self }
    }
}

impl<V: IntoColumn> IntoColumn for Counts<V> {
    fn into_column(self, exec: &Exec) -> Result<Column> {
        self.dtype.validate()?;
        counts(&self.values.into_column(exec)?, &self.dtype, exec)
    }
}

/// Whole numbers as counts of `dtype`, in the same memory where the storage is the same.
#[expect(clippy::wildcard_enum_match_arm, reason = "other errors pass")]
fn counts(values: &Column, dtype: &DType, exec: &Exec) -> Result<Column> {
    let from = values.dtype();
    let mismatch = || Error::DTypeMismatch { left: dtype.clone(), right: from.clone() };
    let is_whole = from.is_integer()
        || dtype.is_decimal() && matches!(from, DType::Decimal { precision: MAX_PRECISION, scale: 0, .. });
    let (true, Some(layout), Some(to)) = (is_whole, values.fixed_layout(), dtype.storage()) else {
        return Err(mismatch());
    };
    let layout = if let DType::Decimal { precision, .. } = *dtype {
        digits(layout, to, precision, exec)
    } else {
        stored_as(layout, to, exec)
    };
    // A kernel knows the storage that a value did not fit, a user the dtype.
    let layout = layout.map_err(|error| match error {
        Error::Kernel(columnade_kernels::Error::Overflow { .. }) => Error::Overflow { dtype: dtype.clone() },
        other => other,
    })?;
    check_times(&layout, dtype, exec)?;
    Column::from_layout(dtype, layout).ok_or_else(mismatch)
}

/// The same numbers in storage that is as wide or wider.
fn stored_as(layout: &FixedLayout, to: Storage, exec: &Exec) -> Result<FixedLayout> {
    if layout.storage == to {
        return Ok(layout.clone());
    }
    converted(layout, cast(&layout.view(), to, CastMode::Checked, exec)?)
}

/// The same numbers, which have no more than `precision` digits.
fn digits(layout: &FixedLayout, to: Storage, precision: u8, exec: &Exec) -> Result<FixedLayout> {
    let wide = match layout.storage {
        Storage::I64 | Storage::I128 => layout.clone(),
        Storage::U64 => stored_as(layout, Storage::I128, exec)?,
        Storage::Bit
        | Storage::I8
        | Storage::I16
        | Storage::I32
        | Storage::U8
        | Storage::U16
        | Storage::U32
        | Storage::F32
        | Storage::F64 => stored_as(layout, Storage::I64, exec)?,
    };
    let limit = 10_u128.pow(precision.into());
    if wide.storage == to && exec.device() == Device::Host {
        let view = View::Fixed(wide.view());
        let guard = view.read(exec)?;
        // Nulls may be anything: where one of them does not fit, rows are checked one by one.
        let fit = match to {
            Storage::I64 => {
                guard.values::<i64>().iter().all(|value| u128::from(value.unsigned_abs()) < limit)
            }
            Storage::Bit
            | Storage::I8
            | Storage::I16
            | Storage::I32
            | Storage::I128
            | Storage::U8
            | Storage::U16
            | Storage::U32
            | Storage::U64
            | Storage::F32
            | Storage::F64 => guard.values::<i128>().iter().all(|value| value.unsigned_abs() < limit),
        };
        if fit {
            drop(guard);
            return Ok(wide);
        }
    }
    converted(layout, rescale(&wide.view(), to, 0, precision.into(), exec)?)
}

/// A kernel's values, null where those of `from` are.
fn converted(from: &FixedLayout, data: FixedData) -> Result<FixedLayout> {
    let layout = FixedLayout::from_data(data)?;
    Ok(match from.rows.known_null_count() {
        Some(nulls) => FixedLayout { rows: layout.rows.with_null_count(nulls), ..layout },
        None => layout,
    })
}
