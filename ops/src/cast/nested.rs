//! Casts of lists by item and of structs by field, and between strings and bytes.

use super::decode;
use super::text::CastErrors;
use crate::copying::mask_of;
use crate::lists::Lists;
use columnade_buffers::Exec;
use columnade_columns::{BinaryColumn, Column, DType, Error, Field, Result, StringColumn, StructColumn};
use columnade_kernels::strings::utf8::utf8;
use columnade_kernels::{ColumnData, View};

/// Whether a cast is of lists, of structs or between strings and bytes.
pub(crate) fn is_nested(from: &DType, to: &DType) -> bool {
    let is_one = matches!(
        (from.logical(), to),
        (DType::List(_), DType::List(_))
            | (DType::Struct(_), DType::Struct(_))
            | (DType::Utf8, DType::Binary)
            | (DType::Binary, DType::Utf8)
    );
    is_one && !from.same_values(to)
}

/// A cast for which [`is_nested`] holds. Items and fields go through `cast`, those that no list and no struct has left out.
///
/// A field of `to` that the structs lack is null, one that `to` lacks is dropped.
///
/// # Errors
/// Those of `cast`; [`Error::DTypeMismatch`] for structs without a common field; [`Error::Unparsable`] with the first row
/// that is not UTF-8, unless `errors` makes nulls of them; [`Error::Memory`].
///
/// # Device
/// Strings as bytes, and bytes as strings unless a row is not UTF-8, null ones included, share their buffers.
///
/// # Source
/// Polars `cast`, pyarrow `compute.cast`.
pub(super) fn cast_nested(
    column: &Column,
    to: &DType,
    errors: CastErrors,
    cast: impl Fn(&Column, &DType) -> Result<Column>,
    exec: &Exec,
) -> Result<Column> {
    match (column, to) {
        (Column::Categorical(column), _) => cast(&decode(column, exec)?, to),
        (Column::List(_), DType::List(item)) => {
            let lists = Lists::of(column, exec)?;
            let items = lists.items(exec)?;
            let values = cast(&items.values, item)?;
            lists.with_mask(&items.with_values(values).into_lists(exec)?, exec)
        }
        (Column::Struct(structs), DType::Struct(fields)) => {
            let is_there = |field: &&Field| structs.names().contains(&field.name);
            if !fields.iter().any(|field| is_there(&field)) {
                return Err(Error::DTypeMismatch { left: column.dtype(), right: to.clone() });
            }
            let len = column.size();
            let named = fields.iter().map(|field| {
                let values = if is_there(&field) {
                    cast(&structs.field(&field.name, exec)?, &field.dtype)?
                } else {
                    Column::full_null(&field.dtype, len, exec)?
                };
                Ok((field.name.clone(), values))
            });
            let named = named.collect::<Result<Vec<_>>>()?;
            StructColumn::new(named, mask_of(column, exec)?, 0, len).map(Column::Struct)
        }
        (Column::String(strings), DType::Binary) => {
            let (offsets, bytes) = (strings.offsets().clone(), strings.chars().clone());
            let (mask, width) = (column.mask().cloned(), strings.offset_width());
            BinaryColumn::new(offsets, width, bytes, mask, column.offset(), column.size()).map(Column::Binary)
        }
        (Column::Binary(bytes), DType::Utf8) => as_text(column, bytes, errors, exec),
        _ => Err(Error::DTypeMismatch { left: column.dtype(), right: to.clone() }),
    }
}

/// Bytes as the strings that they encode.
fn as_text(column: &Column, bytes: &BinaryColumn, errors: CastErrors, exec: &Exec) -> Result<Column> {
    let View::String(view) = column.view()? else {
        return Err(Error::UnsupportedDType { dtype: column.dtype() });
    };
    let found = utf8(&view, exec)?;
    if let Some(row) = found.failed
        && errors == CastErrors::Raise
    {
        let value = column.get(row)?.to_string();
        return Err(Error::Unparsable { row, value, dtype: DType::Utf8 });
    }
    if let Some(strings) = found.strings {
        return Column::from_data(DType::Utf8, ColumnData::String(strings));
    }
    let (offsets, mask, width) = (bytes.offsets().clone(), column.mask().cloned(), bytes.offset_width());
    let chars = bytes.bytes().clone();
    StringColumn::new(offsets, width, chars, mask, column.offset(), column.size()).map(Column::String)
}
