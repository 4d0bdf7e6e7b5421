//! Casts between dtypes.

mod decimal;
pub(crate) mod dictionary;
mod first_refused;
mod nested;
mod numeric;
mod temporal;
#[cfg(test)]
mod test_nested;
#[cfg(test)]
mod test_refused;
#[cfg(test)]
mod test_text;
#[cfg(test)]
mod tests;
mod text;

pub use columnade_kernels::elementwise::cast::CastMode;
pub use dictionary::decode;
pub(crate) use nested::is_nested;
pub(crate) use temporal::kernel_unit;
pub use text::CastErrors;
pub(crate) use text::{cast_text, cast_with, check_range, in_coarser_units, is_of_text};

use crate::categories::encode;
use columnade_buffers::Exec;
use columnade_columns::{Column, DType, Error, Result};
use columnade_kernels::{ColumnData, Fixed, FixedData, View};
use first_refused::naming_row;
use nested::cast_nested;

/// The values of `column` in another dtype; nulls stay null.
///
/// | from, to | value |
/// | --- | --- |
/// | bool, integer, float | the same number; fractions are truncated; nonzero is true |
/// | integer → decimal; decimal → decimal, integer | the nearest number, rounded half away from zero |
/// | float → decimal | the nearest number, rounded half to even |
/// | decimal → float | the float nearest to the digits, divided by the power of ten |
/// | date, timestamp | the same time; to a coarser unit, rounded down |
/// | timestamp with a time zone → with another | the same time |
/// | timestamp with a time zone → without, date | the local time, the local date |
/// | duration → duration | the same duration; to a coarser unit, rounded down |
/// | integer, float ↔ date, timestamp, duration, time of day | the count of days or units; fractions are truncated |
/// | date, timestamp, duration, time of day → decimal | the count of days or units |
/// | time of day → timestamp | the time on 1970-01-01 |
/// | time of day ↔ duration | the time since midnight, which is less than a day |
/// | bool ↔ decimal | 1 for true; nonzero is true |
/// | null → anything | nulls |
/// | dictionary → its values, and further casts of them | the value of the code |
/// | anything but nested values → dictionary | the same values, in order of first appearance |
/// | anything ↔ string | text, as the values are written |
/// | string ↔ binary | the bytes of the text in UTF-8 |
/// | list → list | the items cast |
/// | struct → struct | the fields cast by name; a field that is missing is null, one that is not asked for is dropped |
/// | anything → the same dtype with other widths of decimals and codes | the same |
///
/// # Errors
/// [`Error::ValueOverflow`] with the first row whose value does not fit: in [`CastMode::Checked`] for all dtypes, in
/// [`CastMode::Wrap`] only for decimals, dates, timestamps and durations, while integers keep their low bits
/// and floats become the nearest integer.
/// [`Error::DTypeMismatch`] for pairs without a cast, among them a timestamp without a time zone to one with,
/// because a local time may be ambiguous; [`Error::InvalidArgument`] for a time zone that is not in the IANA
/// database; [`Error::Unparsable`] for a string that is no such value;
/// [`Error::NotImplemented`] from and to other nested dtypes; [`Error::InvalidArgument`] for an invalid decimal dtype.
///
/// # Device
/// One launch per step, at most three steps; one synchronisation per checked step. Where a value does not fit, its row is
/// searched for by casts of halves of the rows. Strings: as `strings::convert` and
/// `strings::utf8` of the kernels; lists, structs and intervals become strings on the host.
///
/// # Source
/// cudf/unary.hpp `cast`, pandas `astype`, SQL `CAST`.
pub fn cast(column: &Column, to: &DType, mode: CastMode, exec: &Exec) -> Result<Column> {
    naming_row(column, to, |column| cast_values(column, to, mode, exec))
}

/// [`cast`], whose errors name neither row nor value.
///
/// # Errors
/// [`Error::Overflow`] if a value does not fit; the others of [`cast`].
#[expect(clippy::wildcard_enum_match_arm, reason = "other errors pass")]
pub(crate) fn cast_values(column: &Column, to: &DType, mode: CastMode, exec: &Exec) -> Result<Column> {
    to.validate()?;
    let from = column.dtype();
    if from == *to {
        return Ok(column.clone());
    }
    if from.same_values(to) {
        return column.to_layout(to, exec);
    }
    check_zone(&from, to)?;
    if is_nested(&from, to) {
        return cast_nested(column, to, CastErrors::Raise, |values, to| cast(values, to, mode, exec), exec);
    }
    if text::is_of_text(&from, to) {
        return cast_text(column, to, CastErrors::Raise, exec);
    }
    if let DType::Dictionary(dictionary) = to {
        let values = cast_values(column, &dictionary.values, mode, exec)?;
        let encoded = encode(&values, exec)?.with_codes(dictionary.codes)?;
        return Ok(Column::Categorical(if dictionary.ordered { encoded.as_ordered() } else { encoded }));
    }
    if let Column::Categorical(categorical) = column {
        return cast_values(&decode(categorical, exec)?, to, mode, exec);
    }
    if from == DType::Null {
        return Column::full_null(to, column.size(), exec);
    }
    let result = match (Kind::of(&from), Kind::of(to)) {
        (Kind::Other, _) | (_, Kind::Other) => {
            return Err(Error::NotImplemented { feature: format!("cast from {from} to {to}") });
        }
        (Kind::Number, Kind::Number) => numeric::cast(column, to, mode, exec),
        (Kind::Number | Kind::Decimal, Kind::Number | Kind::Decimal) => decimal::cast(column, to, mode, exec),
        (Kind::Zoned, Kind::Local) => temporal::to_local(column, to, mode, exec),
        (Kind::Local | Kind::Zoned, Kind::OfDay) if from != DType::Date32 => {
            temporal::time_of_day(column, to, mode, exec)
        }
        (Kind::OfDay, Kind::Span) => temporal::cast(column, to, mode, exec),
        (Kind::OfDay, Kind::Local) if *to != DType::Date32 => temporal::cast(column, to, mode, exec),
        (Kind::Span, Kind::OfDay) => temporal::cast(column, to, mode, exec).and_then(|times| {
            times.check_times(exec)?;
            Ok(times)
        }),
        (Kind::Number, b) if b.is_time() && from.is_float() => {
            let counts = numeric::cast(column, &DType::Int64, mode, exec);
            counts.and_then(|counts| cast_values(&counts, to, mode, exec))
        }
        (a, Kind::Number | Kind::Decimal) if a.is_time() && (to.is_float() || to.is_decimal()) => {
            temporal::cast(column, &DType::Int64, mode, exec)
                .and_then(|counts| cast_values(&counts, to, mode, exec))
        }
        (a, b) if a == b || a.counts_with(&from, b, to) => temporal::cast(column, to, mode, exec),
        _ => return Err(Error::DTypeMismatch { left: from, right: to.clone() }),
    };
    // The kernel's error has the storage type; the user needs the dtype.
    result.map_err(|error| match error {
        Error::Kernel(columnade_kernels::Error::Overflow { .. }) => Error::Overflow { dtype: to.clone() },
        other => other,
    })
}

/// That the time zone of a dtype is known, if values of it are made of those of a dtype without it. Values that come from elsewhere
/// may have any zone.
///
/// # Errors
/// [`Error::InvalidArgument`].
pub(crate) fn check_zone(from: &DType, to: &DType) -> Result<()> {
    let DType::TimestampTz(_, zone) = to else { return Ok(()) };
    if matches!(from, DType::TimestampTz(_, other) if other == zone) {
        return Ok(());
    }
    zone.offsets().map(drop)
}

/// Classes of dtypes that casts treat alike.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Booleans, integers, floats.
    Number,
    Decimal,
    /// Dates and timestamps without a time zone.
    Local,
    /// Timestamps with one.
    Zoned,
    Span,
    /// Times of day.
    OfDay,
    Other,
}

impl Kind {
    fn of(dtype: &DType) -> Kind {
        match dtype {
            DType::Decimal { .. } => Kind::Decimal,
            DType::Date32 | DType::Timestamp(_) => Kind::Local,
            DType::TimestampTz(..) => Kind::Zoned,
            DType::Duration(_) => Kind::Span,
            DType::Time(_) => Kind::OfDay,
            DType::Bool
            | DType::Int8
            | DType::Int16
            | DType::Int32
            | DType::Int64
            | DType::UInt8
            | DType::UInt16
            | DType::UInt32
            | DType::UInt64
            | DType::Float32
            | DType::Float64 => Kind::Number,
            DType::Utf8
            | DType::Binary
            | DType::Dictionary(_)
            | DType::Interval(_)
            | DType::List(_)
            | DType::Struct(_)
            | DType::Null => Kind::Other,
        }
    }

    /// Whether values are numbers of time units.
    fn is_time(self) -> bool {
        matches!(self, Kind::Local | Kind::Zoned | Kind::Span | Kind::OfDay)
    }

    /// Whether one of the two is an integer and the other one a number of time units.
    fn counts_with(self, from: &DType, other: Kind, to: &DType) -> bool {
        (self.is_time() && to.is_integer()) || (from.is_integer() && other.is_time())
    }
}

/// Whether a cast is one of whole columns, also within expressions: it is checked or made of several steps that no program has.
pub(crate) fn is_by_column(from: &DType, to: &DType) -> bool {
    let is_time = |dtype: &DType| Kind::of(dtype).is_time();
    match (Kind::of(from), Kind::of(to)) {
        (Kind::Number, Kind::Decimal) => from.is_float() || *from == DType::Bool,
        (Kind::Decimal, Kind::Number) => *to == DType::Bool,
        (Kind::Number, Kind::OfDay) => from.is_integer() || from.is_float(),
        (Kind::Number, _) => from.is_float() && is_time(to),
        (_, Kind::Number) => is_time(from) && to.is_float(),
        (_, Kind::Decimal) => is_time(from),
        (Kind::OfDay, Kind::Local) => *to != DType::Date32,
        (Kind::Span, Kind::OfDay) => true,
        _ => false,
    }
}

/// The fixed-width view of a column that is not a string column.
fn fixed(column: &Column) -> Result<Fixed<'_>> {
    match column.view()? {
        View::Fixed(fixed) => Ok(fixed),
        View::String(_) => Err(Error::UnsupportedDType { dtype: column.dtype() }),
    }
}

fn finish(dtype: &DType, data: FixedData) -> Result<Column> {
    Column::from_data(dtype.clone(), ColumnData::Fixed(data))
}
