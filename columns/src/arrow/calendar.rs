//! Calendar intervals, which columns do not have: structs of their parts.

use crate::{Column, DType, Field, Result};
use arrow_schema::IntervalUnit;
use columnade_buffers::Exec;

/// The parts of an interval, in the order of its bytes.
fn parts(unit: IntervalUnit) -> &'static [(&'static str, DType)] {
    match unit {
        IntervalUnit::YearMonth => &[("months", DType::Int32)],
        IntervalUnit::DayTime => &[("days", DType::Int32), ("milliseconds", DType::Int32)],
        IntervalUnit::MonthDayNano => {
            &[("months", DType::Int32), ("days", DType::Int32), ("nanoseconds", DType::Int64)]
        }
    }
}

/// The struct that intervals become.
pub(super) fn dtype(unit: IntervalUnit) -> DType {
    let field = |(name, dtype): &(&str, DType)| Field { name: (*name).to_owned(), dtype: dtype.clone() };
    DType::Struct(parts(unit).iter().map(field).collect())
}

/// The bytes of an interval.
pub(super) fn width(unit: IntervalUnit) -> usize {
    match unit {
        IntervalUnit::YearMonth => 4,
        IntervalUnit::DayTime => 8,
        IntervalUnit::MonthDayNano => 16,
    }
}

/// The parts of whole intervals, columns of the host by their names.
pub(super) fn columns(unit: IntervalUnit, intervals: &[u8]) -> Result<Vec<(String, Column)>> {
    let host = Exec::host();
    let rows = intervals.chunks_exact(width(unit));
    let mut at = 0;
    let mut made = Vec::new();
    for (name, dtype) in parts(unit) {
        let column = if *dtype == DType::Int64 {
            let value = |row: &[u8]| row[at..].first_chunk().map_or(0, |bytes| i64::from_ne_bytes(*bytes));
            Column::from_slice(&rows.clone().map(value).collect::<Vec<_>>(), &host)?
        } else {
            let value = |row: &[u8]| row[at..].first_chunk().map_or(0, |bytes| i32::from_ne_bytes(*bytes));
            Column::from_slice(&rows.clone().map(value).collect::<Vec<_>>(), &host)?
        };
        at += if *dtype == DType::Int64 { 8 } else { 4 };
        made.push(((*name).to_owned(), column));
    }
    Ok(made)
}
