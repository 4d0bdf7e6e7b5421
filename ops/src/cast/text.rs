//! Casts from and to strings.

use super::nested::{cast_nested, is_nested};
use super::{CastMode, cast_values, decode, kernel_unit, naming_row};
use crate::cast::dictionary::by_code;
use columnade_buffers::Exec;
use columnade_columns::{CategoricalColumn, Column, DType, Error, ErrorKind, Result, TimeUnit, TimeZone};
use columnade_kernels::datetime::local_time::local_time;
use columnade_kernels::elementwise::binary::{BinaryOp, binary};
use columnade_kernels::strings::convert::{self, Meaning, ZonedTimes};
use columnade_kernels::{ColumnData, Fixed, FixedData, StringData, Value, View};

/// What a cast gives for a value that the dtype does not have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum CastErrors {
    /// An error, which names the row and the value.
    #[default]
    Raise,
    /// A null.
    Null,
}

/// Whether a cast reads or writes text: strings and binary are the same bytes.
pub(crate) fn is_of_text(from: &DType, to: &DType) -> bool {
    let is_text = |dtype: &DType| *dtype.logical() == DType::Utf8;
    from != to && (is_text(from) || is_text(to)) && !from.same_values(to) && !is_nested(from, to)
}

/// The values of `column` as text, or of text as values of `to`; nulls stay null.
///
/// | from, to | text |
/// | --- | --- |
/// | boolean | `true`, `false`; read in any case |
/// | integer | digits after a sign |
/// | float | the shortest that is read as the same float; read with an exponent, `inf` and `NaN` too |
/// | decimal | all digits; digits beyond the scale are rounded half away from zero |
/// | date | `YYYY-MM-DD` |
/// | timestamp | `YYYY-MM-DD HH:MM:SS.fraction`; read with `T`, without seconds or time, with fewer digits |
/// | timestamp with a time zone | the local time and the offset; read with an offset or `Z` |
/// | duration | `N days HH:MM:SS.fraction` |
/// | time of day | `HH:MM:SS.fraction`; read without seconds, with fewer digits |
/// | dictionary | each value once |
/// | list, struct, interval to text | as tables show them |
///
/// # Errors
/// [`Error::Unparsable`] with the first row whose text is no value of `to`, unless `errors` makes nulls of them;
/// [`Error::NotImplemented`] from text to nested dtypes; [`Error::Memory`].
///
/// # Device
/// As `strings::convert` of the kernels. Lists, structs and intervals are written on the host, value by value.
///
/// # Source
/// pandas `astype`, SQL `CAST` and `TRY_CAST`, Polars `cast(strict=False)`, cudf/strings/convert.
pub(crate) fn cast_text(column: &Column, to: &DType, errors: CastErrors, exec: &Exec) -> Result<Column> {
    to.validate()?;
    if let DType::Dictionary(dictionary) = to {
        let values = cast_with(column, &dictionary.values, errors, exec)?;
        let encoded = CategoricalColumn::encode(&values)?.with_codes(dictionary.codes)?;
        let encoded = if dictionary.ordered { encoded.as_ordered() } else { encoded };
        return Column::Categorical(encoded).to_device(exec);
    }
    if let Column::Categorical(dictionary) = column {
        if to == column.dtype().logical() {
            return decode(dictionary, exec);
        }
        let values = cast_with(dictionary.dictionary(), to, CastErrors::Null, exec)?;
        if errors == CastErrors::Raise && values.null_count(exec)? > 0 {
            // A value that no row has is no error.
            return cast_with(&decode(dictionary, exec)?, to, errors, exec);
        }
        return by_code(dictionary, &values, exec);
    }
    if *to == DType::Utf8 { write(column, exec) } else { read(column, to, errors, exec) }
}

/// How values of a dtype are written; `None` for dtypes without a kernel.
fn meaning(dtype: &DType) -> Option<Meaning> {
    if dtype.is_integer() {
        return dtype.storage().map(Meaning::Integer);
    }
    if dtype.is_float() {
        return dtype.storage().map(Meaning::Float);
    }
    if let DType::Decimal { precision, scale, storage } = dtype {
        return Some(Meaning::Decimal { storage: storage.storage(), precision: *precision, scale: *scale });
    }
    if let DType::Timestamp(unit) = dtype {
        return Some(Meaning::Time { digits: digits_of(*unit) });
    }
    if let DType::TimestampTz(unit, _) = dtype {
        return Some(Meaning::Zoned { digits: digits_of(*unit) });
    }
    if let DType::Duration(unit) = dtype {
        return Some(Meaning::Duration { digits: digits_of(*unit) });
    }
    if let DType::Time(unit) = dtype {
        return Some(Meaning::Clock { digits: digits_of(*unit) });
    }
    if *dtype == DType::Date32 {
        return Some(Meaning::Date);
    }
    (*dtype == DType::Bool).then_some(Meaning::Bool)
}

/// The digits after the second.
fn digits_of(unit: TimeUnit) -> u8 {
    unit.per_second().ilog10().try_into().unwrap_or(0)
}

/// The dtypes of the same kind of times or durations whose units are longer, and ranges larger.
pub(crate) fn in_coarser_units(dtype: &DType) -> Vec<DType> {
    let Some(own) = dtype.unit() else { return Vec::new() };
    let is_coarser = |unit: &TimeUnit| unit.per_second() < own.per_second();
    let with_unit = |unit: TimeUnit| {
        if let DType::TimestampTz(_, zone) = dtype {
            return Some(DType::TimestampTz(unit, zone.clone()));
        }
        if let DType::Duration(_) = dtype {
            return Some(DType::Duration(unit));
        }
        // Times of day have no range to leave.
        matches!(dtype, DType::Timestamp(_)).then_some(DType::Timestamp(unit))
    };
    TimeUnit::ALL.into_iter().filter(is_coarser).filter_map(with_unit).collect()
}

/// Checks that no coarser unit than that of `dtype` has the value of a text which is none of `dtype`, as `is_read` says: it is
/// beyond the range of this one.
///
/// # Errors
/// [`Error::ValueOverflow`]; those of `is_read`.
pub(crate) fn check_range(
    row: usize,
    value: &str,
    dtype: &DType,
    is_read: impl Fn(&DType) -> Result<bool>,
) -> Result<()> {
    for coarser in in_coarser_units(dtype) {
        if is_read(&coarser)? {
            return Err(Error::ValueOverflow { row, value: value.to_owned(), dtype: dtype.clone() });
        }
    }
    Ok(())
}

fn read(column: &Column, to: &DType, errors: CastErrors, exec: &Exec) -> Result<Column> {
    let View::String(strings) = column.view()? else {
        return Err(Error::UnsupportedDType { dtype: column.dtype() });
    };
    let unparsable = |row: usize| {
        let text = column.slice(row, 1)?;
        let value = text.get(0)?.to_string();
        check_range(row, &value, to, |coarser| {
            let (View::String(strings), Some(meaning)) = (text.view()?, meaning(coarser)) else {
                return Ok(false);
            };
            Ok(convert::parse(&strings, meaning, exec)?.failed.is_none())
        })?;
        Err(Error::Unparsable { row, value, dtype: to.clone() })
    };
    if let Some(meaning) = meaning(to) {
        let parsed = convert::parse(&strings, meaning, exec)?;
        return match parsed.failed {
            Some(row) if errors == CastErrors::Raise => unparsable(row),
            _ => Column::from_data(to.clone(), ColumnData::Fixed(parsed.data)),
        };
    }
    Err(Error::NotImplemented { feature: format!("cast from utf8 to {to}") })
}

fn write(column: &Column, exec: &Exec) -> Result<Column> {
    let dtype = column.dtype();
    if dtype == DType::Null {
        return Column::full_null(&DType::Utf8, column.size(), exec);
    }
    if let Some(meaning) = meaning(&dtype) {
        let View::Fixed(fixed) = column.view()? else { return Err(Error::UnsupportedDType { dtype }) };
        let strings = if let DType::TimestampTz(unit, zone) = &dtype {
            write_zoned(&fixed, *unit, zone, exec)?
        } else {
            convert::format(&fixed, meaning, exec)?
        };
        return Column::from_data(DType::Utf8, ColumnData::String(strings));
    }
    let texts = column.to_scalars()?.into_iter().map(|value| (!value.is_null()).then(|| value.to_string()));
    Column::from_options(texts.collect::<Vec<_>>(), exec)
}

/// Instants as local times with their offsets, where the zone is known.
///
/// # Errors
/// [`Error::Overflow`] for a local time of more than 2⁶³ seconds; [`Error::Memory`].
fn write_zoned(instants: &Fixed<'_>, unit: TimeUnit, zone: &TimeZone, exec: &Exec) -> Result<StringData> {
    let unknown = format!("Z[{zone}]");
    let offsets = if let Ok(rules) = zone.offsets() {
        // In seconds, which hold the local time of every finer unit.
        let per_second = Value::I64(unit.per_second());
        let seconds = binary(BinaryOp::FloorDiv, (*instants).into(), per_second.into(), exec)?;
        let local = local_time(&seconds.view(), kernel_unit(TimeUnit::Second), &rules, exec)?;
        Some(binary(BinaryOp::Sub, local.view().into(), seconds.view().into(), exec)?)
    } else {
        None
    };
    let times = ZonedTimes {
        offsets: offsets.as_ref().map(FixedData::view),
        shows_z: zone.fixed_offset().is_some(),
        unknown: &unknown,
    };
    Ok(convert::format_zoned(instants, digits_of(unit), &times, exec)?)
}

/// A cast from any dtype, of which values that `to` does not have are an error or null. Rows that fail are searched for by
/// halves.
///
/// # Errors
/// Those of [`cast`](super::cast) and [`cast_text`].
pub(crate) fn cast_with(column: &Column, to: &DType, errors: CastErrors, exec: &Exec) -> Result<Column> {
    match errors {
        CastErrors::Raise => naming_row(column, to, |column| cast_or_fail(column, to, errors, exec)),
        CastErrors::Null => cast_or_null(column, to, exec),
    }
}

fn cast_or_fail(column: &Column, to: &DType, errors: CastErrors, exec: &Exec) -> Result<Column> {
    if is_nested(&column.dtype(), to) {
        return cast_nested(column, to, errors, |values, to| cast_with(values, to, errors, exec), exec);
    }
    if is_of_text(&column.dtype(), to) {
        return cast_text(column, to, errors, exec);
    }
    cast_values(column, to, CastMode::Checked, exec)
}

fn cast_or_null(column: &Column, to: &DType, exec: &Exec) -> Result<Column> {
    match cast_or_fail(column, to, CastErrors::Null, exec) {
        Err(error) if error.kind() == ErrorKind::Overflow && !column.is_empty() => {
            if column.size() == 1 {
                return Column::full_null(to, 1, exec);
            }
            let half = column.size() / 2;
            let halves = [column.slice(0, half)?, column.slice(half, column.size() - half)?];
            let cast = halves.iter().map(|half| cast_or_null(half, to, exec)).collect::<Result<Vec<_>>>()?;
            Column::assemble(&cast, exec)
        }
        other => other,
    }
}
