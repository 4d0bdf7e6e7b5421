//! Decoding of dictionaries.

use columnade_buffers::Exec;
use columnade_columns::{CategoricalColumn, Column, Error, Result};
use columnade_kernels::bits::combine;
use columnade_kernels::copying::gather::{MapNulls, gather};
use columnade_kernels::elementwise::cast::{CastMode, cast};
use columnade_kernels::{Bits, ColumnData, RowMap, RowWidth, Storage, View};

/// The column with each code replaced by its value.
///
/// # Errors
/// [`Error::Memory`].
///
/// # Device
/// A gather from the dictionary; narrow codes are widened first.
///
/// # Source
/// cudf/dictionary/encode.hpp `decode`.
pub fn decode(column: &CategoricalColumn, exec: &Exec) -> Result<Column> {
    by_code(column, column.dictionary(), exec)
}

/// Row `i` of the result is row `code[i]` of `values`, which has as many rows as the dictionary; null if the
/// code is null.
pub(crate) fn by_code(column: &CategoricalColumn, values: &Column, exec: &Exec) -> Result<Column> {
    let codes = column.codes();
    let View::Fixed(fixed) = codes.view()? else {
        return Err(Error::UnsupportedDType { dtype: codes.dtype() });
    };
    if values.is_empty() {
        // Without values every row is null.
        return Column::full_null(&values.dtype(), codes.size(), exec);
    }
    let as_they_are =
        |width: RowWidth| fixed.data.slice(fixed.offset * width.bytes(), fixed.len * width.bytes());
    let (rows, width) = match fixed.storage {
        Storage::I64 => (as_they_are(RowWidth::U64), RowWidth::U64),
        Storage::I32 => (as_they_are(RowWidth::U32), RowWidth::U32),
        Storage::Bit
        | Storage::I8
        | Storage::I16
        | Storage::I128
        | Storage::U8
        | Storage::U16
        | Storage::U32
        | Storage::U64
        | Storage::F32
        | Storage::F64 => (cast(&fixed, Storage::I32, CastMode::Wrap, exec)?.data, RowWidth::U32),
    };
    let map = RowMap { rows, width, len: fixed.len };
    let mask = fixed.validity_bits().map(|bits| combine::copy(bits, exec)).transpose()?;
    let mut data = gather(&values.view()?, &map, MapNulls::Never, exec)?;
    let validity = match &mut data {
        ColumnData::Fixed(data) => &mut data.validity,
        ColumnData::String(data) => &mut data.validity,
    };
    // A dictionary has no nulls, but what is made of its values may be null.
    *validity = match (validity.take(), mask) {
        (Some(of_values), Some(of_codes)) => {
            let bits = |buffer| Bits { buffer, offset: 0, len: fixed.len };
            Some(combine::and(bits(&of_values), bits(&of_codes), exec)?)
        }
        (of_values, of_codes) => of_values.or(of_codes),
    };
    values.with_data(data, exec)
}
