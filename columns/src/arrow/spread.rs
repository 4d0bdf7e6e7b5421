//! Layouts whose rows lie anywhere in their values: list views, run-end encoding, and dictionaries of lists and structs. Their
//! rows are copied.

use crate::{Column, DType, Error, ListColumn, Result};
use arrow_array::types::Decimal256Type;
use arrow_array::{Array, Decimal128Array, PrimitiveArray, make_array};
use arrow_buffer::i256;
use arrow_data::transform::MutableArrayData;
use columnade_buffers::{Device, Exec};
use std::ops::Range;

/// More rows than are made of any memory without looking at how little it is.
const MANY_ROWS: usize = 1 << 26;
/// Rows that an item may become, of so many of them: an array must not fill a machine with what it repeats.
const REPEATS: usize = 1 << 20;
pub(super) const REPEATS_TOO_OFTEN: &str =
    "its values are repeated so often that their rows fill no memory here";

/// Whether `rows` rows are implausibly many for so many values that they repeat.
pub(super) fn repeats_too_often(rows: usize, values: usize) -> bool {
    rows > MANY_ROWS && rows / REPEATS > values
}

/// Lists on the host, of the rows of `items` that each range has; `None` is null. The ranges are within the items.
pub(super) fn lists(items: &Column, rows: &[Option<Range<usize>>]) -> Result<Column> {
    let lengths = || rows.iter().map(|row| row.as_ref().map(Range::len));
    let total = lengths().flatten().fold(0_usize, usize::saturating_add);
    if repeats_too_often(total, items.size()) {
        return Err(Error::Arrow { field: String::new(), reason: REPEATS_TOO_OFTEN.to_owned() });
    }
    let host = on_host(items)?;
    // Views of a list that was never anything else.
    let ends = rows.iter().flatten().try_fold(0, |end, row| (row.start == end).then_some(row.end));
    let items = match ends {
        Some(end) if end == host.size() => host,
        Some(end) => host.head(end)?,
        None => repeated(&host, rows.iter().flatten().cloned(), total)?,
    };
    ListColumn::from_lengths(&items, lengths(), &Exec::host()).map(Column::List)
}

/// Rows `offset .. offset + length` on the host of runs of `values`, each of which ends where `ends` says.
pub(super) fn runs(values: &Column, ends: &[usize], offset: usize, length: usize) -> Result<Column> {
    let first = ends.partition_point(|&end| end <= offset);
    let runs = ends.get(first..).unwrap_or_default().iter().enumerate().scan(offset, |start, (at, &end)| {
        let end = end.min(offset + length);
        let rows = end.saturating_sub(*start);
        *start = end;
        (rows > 0).then_some((first + at, rows))
    });
    let rows = runs.flat_map(|(run, rows)| std::iter::repeat_n(run..run + 1, rows));
    repeated(&on_host(values)?, rows, length)
}

/// The rows of `values` at these positions, which are within it, on the host; `None` is null.
pub(super) fn gathered(values: &Column, rows: &[Option<usize>]) -> Result<Column> {
    if repeats_too_often(rows.len(), values.size()) {
        return Err(Error::Arrow { field: String::new(), reason: REPEATS_TOO_OFTEN.to_owned() });
    }
    let values = on_host(values)?;
    let source = values.to_arrow()?.to_data();
    let mut array =
        MutableArrayData::try_new(vec![&source], true, rows.len()).map_err(|error| failed(&error))?;
    for row in rows {
        match *row {
            Some(at) => array.try_extend(0, at, at + 1).map_err(|error| failed(&error))?,
            None => array.try_extend_nulls(1).map_err(|error| failed(&error))?,
        }
    }
    Column::from_arrow_field(&make_array(array.freeze()), &values.arrow_field(""))
}

fn failed(error: &arrow_schema::ArrowError) -> Error {
    Error::Arrow { field: String::new(), reason: error.to_string() }
}

/// The rows of a column of the host in the ranges, one after the other.
fn repeated(column: &Column, ranges: impl Iterator<Item = Range<usize>>, rows: usize) -> Result<Column> {
    let source = column.to_arrow()?.to_data();
    let mut array = MutableArrayData::try_new(vec![&source], false, rows).map_err(|error| failed(&error))?;
    for range in ranges {
        array.try_extend(0, range.start, range.end).map_err(|error| failed(&error))?;
    }
    Column::from_arrow_field(&make_array(array.freeze()), &column.arrow_field(""))
}

fn on_host(column: &Column) -> Result<Column> {
    match column.device() {
        Device::Host => Ok(column.clone()),
        Device::Sim | Device::Cuda(_) => column.to_device(&Exec::host()),
    }
}

/// Decimals of 256 bits in the 128 of `dtype`.
///
/// # Errors
/// [`Error::Overflow`] for a value with more digits than those hold.
pub(super) fn narrowed(
    dtype: &DType,
    values: impl Iterator<Item = Option<i256>>,
) -> Result<PrimitiveArray<arrow_array::types::Decimal128Type>> {
    let overflow = || Error::Overflow { dtype: dtype.clone() };
    let DType::Decimal { precision, .. } = dtype else { return Err(overflow()) };
    let most = 10_u128.pow(u32::from(*precision));
    let narrow =
        |value: i256| value.to_i128().filter(|value| value.unsigned_abs() < most).ok_or_else(overflow);
    values.map(|value| value.map(narrow).transpose()).collect::<Result<Decimal128Array>>()
}

/// [`narrowed`] of an array.
pub(super) fn narrowed_array(
    dtype: &DType,
    array: &PrimitiveArray<Decimal256Type>,
) -> Result<Decimal128Array> {
    narrowed(dtype, array.iter())
}
