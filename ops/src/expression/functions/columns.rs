//! Functions of whole columns, which are computed before a program runs.

use super::lookup::Lookup;
use super::{LocalTimes, Unmatched};
use crate::cast::dictionary::by_code;
use crate::cast::{CastMode, cast, check_range, decode, kernel_unit};
use crate::expression::col;
use crate::groupby::grouped_rows::{column_of, compute};
use crate::strings::{self, JoinNulls, StringFunction};
use columnade_buffers::Exec;
use columnade_columns::{CategoricalColumn, Column, DType, Error, Result, Scalar, TimeUnit, TimeZone};
use columnade_kernels::copying::filter::row_map;
use columnade_kernels::datetime::extract::TimeUnit as KernelUnit;
use columnade_kernels::datetime::time_format::{self, TimeFormat};
use columnade_kernels::datetime::utc_time::utc_time;
use columnade_kernels::elementwise::binary::{BinaryOp, binary};
use columnade_kernels::hashing::hash_rows::{HashFunction, hash_rows};
use columnade_kernels::{ColumnData, Error as KernelError, FixedData, Value, View};
use std::sync::Arc;

/// A function of whole columns.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ColumnFunction {
    /// The instants of local times.
    Localize(TimeZone, LocalTimes),
    /// The names with these numbers, from 0: a dictionary.
    Names(&'static [&'static str]),
    /// The hashes of rows.
    Hash(HashFunction),
    /// Local times in a format; with a second argument, the instants that they are.
    Format(TimeFormat),
    /// The times of texts in a format, which is `text`.
    Parse { format: TimeFormat, text: String, unmatched: Unmatched },
    /// Values by their keys.
    Lookup(Lookup),
    /// Values, if no row has one that is not known: the second argument says which, the third has what they are made of.
    Known,
}

impl ColumnFunction {
    /// The column of `dtype` that the function makes.
    ///
    /// # Errors
    /// [`Error::AmbiguousTime`] and [`Error::NonexistentTime`]; [`Error::Memory`].
    pub(in crate::expression) fn run(
        &self,
        columns: &[Column],
        dtype: &DType,
        exec: &Exec,
    ) -> Result<Column> {
        let first = columns.first().ok_or(Error::Internal { invariant: "a function has its arguments" })?;
        match self {
            ColumnFunction::Localize(zone, rules) => localize(first, zone, *rules, dtype, exec),
            ColumnFunction::Names(names) => {
                let names = Column::from_values(names.iter().copied(), exec)?;
                CategoricalColumn::new(first, Arc::new(names)).map(Column::Categorical)
            }
            ColumnFunction::Hash(function) => hashed(*function, columns, dtype, exec),
            ColumnFunction::Format(format) => formatted(format, first, columns.get(1), exec),
            ColumnFunction::Parse { format, text, unmatched } => {
                let parse = |strings: &Column| parsed(format, text, *unmatched, strings, dtype, exec);
                if let Column::Categorical(dictionary) = first {
                    return by_code(dictionary, &parse(dictionary.dictionary())?, exec);
                }
                parse(first)
            }
            ColumnFunction::Lookup(table) => table.run(first, exec),
            ColumnFunction::Known => known(columns, exec),
        }
    }
}

/// The first column, unless the second is true somewhere.
fn known(columns: &[Column], exec: &Exec) -> Result<Column> {
    let [made, is_unknown, values] = columns else {
        return Err(Error::Internal { invariant: "values are known or not" });
    };
    let View::Fixed(bits) = is_unknown.view()? else {
        return Err(Error::Internal { invariant: "values are known or not" });
    };
    let rows = row_map(bits.data_bits(), bits.validity_bits(), exec)?;
    if rows.len == 0 {
        return Ok(made.clone());
    }
    let first = column_of(&rows, exec)?.slice(0, 1)?.to_options::<i64>()?.into_iter().flatten().next();
    let row = first.and_then(|row| usize::try_from(row).ok()).unwrap_or(0);
    let reason =
        format!("row {row}: {} is none of the old values, and there is no default", values.get(row)?);
    Err(Error::InvalidArgument { name: "old", reason })
}

/// Dictionaries as their values, so that the hash of a row depends on its values alone.
fn hashed(function: HashFunction, columns: &[Column], dtype: &DType, exec: &Exec) -> Result<Column> {
    let decoded = |column: &Column| {
        if let Column::Categorical(dictionary) = column {
            decode(dictionary, exec)
        } else {
            Ok(column.clone())
        }
    };
    let columns = columns.iter().map(decoded).collect::<Result<Vec<_>>>()?;
    let views = columns.iter().map(Column::view).collect::<Result<Vec<_>>>()?;
    let hashes = hash_rows(function, &views, exec)?;
    Column::from_data(dtype.clone(), ColumnData::Fixed(hashes))
}

fn formatted(format: &TimeFormat, local: &Column, utc: Option<&Column>, exec: &Exec) -> Result<Column> {
    let offsets =
        utc.filter(|_| format.needs_offset()).map(|utc| offsets_of(local, utc, exec)).transpose()?;
    let between = format.between_zone_names();
    let Some(DType::TimestampTz(unit, zone)) = utc.map(Column::dtype).filter(|_| between.len() > 1) else {
        return formatted_without_names(format, local, offsets.as_ref(), exec);
    };
    let utc = utc.ok_or(Error::Internal { invariant: "times of a zone are instants" })?;
    let per_second = unit.per_second();
    let seconds =
        compute(&[("time", &utc.reinterpret(&DType::Int64)?)], col("time").floor_div(per_second), exec)?;
    let names = zone.abbreviations(seconds.to_options::<i64>()?)?;
    let names = Column::from_options(names, exec)?;
    let mut parts = Vec::with_capacity(2 * between.len());
    for (position, format) in between.iter().enumerate() {
        if position > 0 {
            parts.push(names.clone());
        }
        parts.push(formatted_without_names(format, local, offsets.as_ref(), exec)?);
    }
    strings::compute(&StringFunction::Concat(String::new(), JoinNulls::Propagate), &parts, exec)
}

/// The seconds from UTC of local times.
fn offsets_of(local: &Column, utc: &Column, exec: &Exec) -> Result<FixedData> {
    let per_second = Value::I64(local.dtype().unit().map_or(1, TimeUnit::per_second));
    let (local, utc) = (local.reinterpret(&DType::Int64)?, utc.reinterpret(&DType::Int64)?);
    let (local, utc) = (local.view()?.as_fixed()?, utc.view()?.as_fixed()?);
    let difference = binary(BinaryOp::Sub, local.into(), utc.into(), exec)?;
    Ok(binary(BinaryOp::FloorDiv, difference.view().into(), per_second.into(), exec)?)
}

/// Times in a format without names of zones.
fn formatted_without_names(
    format: &TimeFormat,
    local: &Column,
    offsets: Option<&FixedData>,
    exec: &Exec,
) -> Result<Column> {
    let unit = local.dtype().unit().map_or(KernelUnit::Day, kernel_unit);
    let offsets = offsets.map(FixedData::view);
    let text = time_format::format(format, &local.view()?.as_fixed()?, offsets.as_ref(), unit, exec);
    let text = text.map_err(|error| {
        let is_beyond_dates = matches!(error, columnade_kernels::Error::Overflow { .. });
        if is_beyond_dates { Error::Overflow { dtype: DType::Date32 } } else { error.into() }
    })?;
    Column::from_data(DType::Utf8, ColumnData::String(text))
}

fn parsed(
    format: &TimeFormat,
    pattern: &str,
    unmatched: Unmatched,
    strings: &Column,
    dtype: &DType,
    exec: &Exec,
) -> Result<Column> {
    let View::String(view) = strings.view()? else {
        return Err(Error::UnsupportedDType { dtype: strings.dtype() });
    };
    let unit = dtype.unit().map_or(KernelUnit::Day, kernel_unit);
    let found = time_format::parse(format, &view, unit, exec)?;
    if let Some((row, byte)) = found.unmatched
        && unmatched == Unmatched::Raise
    {
        let text = strings.get(row)?.to_string();
        let value = strings.slice(row, 1)?;
        check_range(row, &text, dtype, |coarser| {
            let unit = coarser.unit().map_or(KernelUnit::Day, kernel_unit);
            let View::String(view) = value.view()? else { return Ok(false) };
            Ok(time_format::parse(format, &view, unit, exec)?.unmatched.is_none())
        })?;
        let position = text.bytes().take(byte).filter(|byte| byte & 0xC0 != 0x80).count();
        return Err(Error::UnmatchedFormat { row, text, format: pattern.to_owned(), position });
    }
    let DType::Time(unit) = dtype else {
        return Column::from_data(dtype.clone(), ColumnData::Fixed(found.times));
    };
    // Formats of the clock alone give times of the first day.
    let first_day = Column::from_data(DType::Timestamp(*unit), ColumnData::Fixed(found.times))?;
    cast(&first_day, dtype, CastMode::Checked, exec)
}

/// The first row with a time.
fn first_row_of(times: &Column, time: i64, exec: &Exec) -> Result<usize> {
    let times = times.reinterpret(&DType::Int64)?;
    let is_it = compute(&[("time", &times)], col("time").eq(time), exec)?;
    let row = is_it.to_options::<bool>()?.into_iter().position(|is_it| is_it == Some(true));
    row.ok_or(Error::Internal { invariant: "the time of an error is in a row" })
}

#[expect(clippy::wildcard_enum_match_arm, reason = "other errors pass")]
fn localize(
    local: &Column,
    zone: &TimeZone,
    rules: LocalTimes,
    dtype: &DType,
    exec: &Exec,
) -> Result<Column> {
    let unit = dtype.unit().unwrap_or(TimeUnit::Second);
    let offsets = zone.offsets()?;
    let times = local.view()?.as_fixed()?;
    let times_of = local;
    let done = utc_time(&times, kernel_unit(unit), &offsets, rules.ambiguous, rules.nonexistent, exec);
    let data = done.map_err(|error| match error {
        KernelError::NoInstant { local, is_ambiguous } => {
            let row = match first_row_of(times_of, local, exec) {
                Ok(row) => row,
                Err(error) => return error,
            };
            let (time, zone) = (Scalar::Timestamp(local, unit).to_string(), zone.name().to_owned());
            if is_ambiguous {
                Error::AmbiguousTime { row, time, zone }
            } else {
                Error::NonexistentTime { row, time, zone }
            }
        }
        KernelError::Overflow { .. } => Error::Overflow { dtype: dtype.clone() },
        other => other.into(),
    })?;
    Column::from_data(dtype.clone(), ColumnData::Fixed(data))
}
