//! Casts of lists by item and of structs by field, and between strings and bytes.

use super::decode;
use super::text::CastErrors;
use crate::copying::mask_of;
use crate::lists::Lists;
use columnade_buffers::{Device, Exec};
use columnade_columns::{BinaryColumn, Column, DType, Error, Field, Result, StringColumn, StructColumn};
use columnade_kernels::OffsetWidth;

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
/// that is not UTF-8, unless `errors` makes nulls of them; [`Error::NotImplemented`] for bytes as strings on devices;
/// [`Error::Memory`].
///
/// # Device
/// Strings as bytes, and bytes as strings unless a row is null or not UTF-8, share their buffers.
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
    if exec.device() != Device::Host {
        let feature = "cast from binary to utf8 on this device".to_owned();
        return Err(Error::NotImplemented { feature });
    }
    let view = column.view()?;
    let guard = view.read(exec)?;
    let position = |offset: i64| usize::try_from(offset).unwrap_or(usize::MAX);
    let offsets: Vec<usize> = match bytes.offset_width() {
        OffsetWidth::I32 => guard.offsets::<i32>().iter().map(|&offset| position(offset.into())).collect(),
        OffsetWidth::I64 => guard.offsets::<i64>().iter().map(|&offset| position(offset)).collect(),
    };
    let all = guard.chars();
    if let Ok(text) = std::str::from_utf8(all)
        && offsets.iter().all(|&offset| text.is_char_boundary(offset))
    {
        let (offsets, mask, width) = (bytes.offsets().clone(), column.mask().cloned(), bytes.offset_width());
        let chars = bytes.bytes().clone();
        return StringColumn::new(offsets, width, chars, mask, column.offset(), column.size())
            .map(Column::String);
    }
    let valid = guard.validity();
    let mut texts = Vec::with_capacity(column.size());
    for (row, ends) in offsets.windows(2).enumerate() {
        if valid.is_some_and(|valid| !valid.get(row)) {
            texts.push(None);
            continue;
        }
        let row_bytes = all.get(ends[0]..ends[1]).unwrap_or_default();
        let text = std::str::from_utf8(row_bytes).ok();
        if text.is_none() && errors == CastErrors::Raise {
            let value = column.get(row)?.to_string();
            return Err(Error::Unparsable { row, value, dtype: DType::Utf8 });
        }
        texts.push(text);
    }
    Column::from_options(texts, exec)
}
