//! The strings of lists, joined.

use super::runs::{Items, Lists, item_numbers};
use crate::cast::decode;
use crate::copying::gather_column;
use crate::expression::col;
use crate::filter::apply_mask;
use crate::groupby::grouped_rows::{compute, numbers, row_map, take, validity};
use columnade_buffers::Exec;
use columnade_columns::{Column, ColumnAccessor, DType, Error, Result, Scalar};
use columnade_kernels::copying::gather::MapNulls;
use columnade_kernels::copying::scatter::scatter;
use columnade_kernels::elementwise::cast::{CastMode, cast};
use columnade_kernels::{ColumnData, Fixed, OffsetWidth, Storage, StringData, View};

/// The strings of each list with `separator` between them, nulls left out.
///
/// A separator is put before each item but the first of a list, and all of them become one column of strings: its bytes
/// are those of the result, and every list ends where its last item does.
pub(super) fn join(column: &Column, separator: &str, exec: &Exec) -> Result<Column> {
    let lists = Lists::of(column, exec)?;
    let items = lists.items(exec)?;
    if *items.values.dtype().logical() != DType::Utf8 {
        return Err(Error::UnsupportedDType { dtype: column.dtype() });
    }
    let items = valid_items(items, exec)?;
    let values = if let Column::Categorical(values) = &items.values {
        decode(values, exec)?
    } else {
        items.values.clone()
    };
    let count = values.size();
    // Row `count` is the separator, and row `count + 1` the empty string.
    let extra = Column::from_values([separator, ""], exec)?;
    let texts = Column::concat(&[&values, &extra], exec)?;
    let (none, with) = (i64::try_from(count + 1), i64::try_from(count));
    let (Ok(none), Ok(with)) = (none, with) else { return Err(Error::Overflow { dtype: DType::Int64 }) };
    let before = Column::from_scalar(&Scalar::Int64(with), count, exec)?;
    // Where a list begins is the empty string; lists without items begin where the next one does, or after the last item.
    let space = Column::concat(&[&before, &Column::from_scalar(&Scalar::Int64(with), 1, exec)?], exec)?;
    let nothing = Column::from_scalar(&Scalar::Int64(none), items.starts.size(), exec)?;
    let before = scatter(&nothing.view()?, &row_map(&items.starts, exec)?, &space.view()?, exec)?;
    let before = Column::from_data(DType::Int64, before)?.slice(0, count)?;
    let map = interleaved(&before, &item_numbers(&items, exec)?, exec)?;
    let bytes = gather_column(&texts, &row_map(&map, exec)?, MapNulls::Never, exec)?;
    let Column::String(bytes) = &bytes else {
        return Err(Error::Internal { invariant: "strings are gathered from strings" });
    };
    strings(&Column::String(bytes.clone()), &items, exec).and_then(|joined| {
        let Some(valid) = lists.valid()? else { return Ok(joined) };
        let rows = compute(
            &[("row", &numbers(joined.size(), exec)?), ("valid", &valid)],
            crate::expression::when(col("valid"))
                .then(col("row"))
                .otherwise(crate::expression::lit(crate::expression::Literal::Null)),
            exec,
        )?;
        take(&joined, &rows, exec)
    })
}

/// The items that are not null.
fn valid_items(items: Items, exec: &Exec) -> Result<Items> {
    let Some(valid) = validity(&items.values, exec)? else { return Ok(items) };
    let groups = items.groups(exec)?.rows;
    let rows = ColumnAccessor::from_columns([("id", groups.id_column()?), ("item", items.values.clone())])?;
    let kept = apply_mask(&rows, &valid, exec)?;
    let lengths = groups.some_rows(kept.get("id")?)?.sizes()?;
    Items::of_lengths(kept.get("item")?.without_mask(), lengths, exec)
}

/// The values of both columns in turn.
fn interleaved(first: &Column, second: &Column, exec: &Exec) -> Result<Column> {
    let places = numbers(first.size(), exec)?;
    let both = Column::concat(&[first, second], exec)?;
    let at = |shift: i64| compute(&[("row", &places)], col("row") * 2 + shift, exec);
    let map = Column::concat(&[&at(0)?, &at(1)?], exec)?;
    let data = scatter(&both.view()?, &row_map(&map, exec)?, &both.view()?, exec)?;
    Column::from_data(DType::Int64, data)
}

/// The bytes of `segments`, of which two belong to each item, as one string a list.
fn strings(segments: &Column, items: &Items, exec: &Exec) -> Result<Column> {
    let View::String(view) = segments.view()? else {
        return Err(Error::Internal { invariant: "segments are strings" });
    };
    let storage = match view.offset_width {
        OffsetWidth::I32 => Storage::I32,
        OffsetWidth::I64 => Storage::I64,
    };
    let ends = Fixed { storage, data: view.offsets, validity: None, offset: view.offset, len: view.len + 1 };
    let ends = cast(&ends, Storage::I64, CastMode::Wrap, exec)?;
    let ends = Column::from_data(DType::Int64, ColumnData::Fixed(ends))?;
    let last = i64::try_from(items.values.size()).map_err(|_| Error::Overflow { dtype: DType::Int64 })?;
    let starts = Column::concat(&[&items.starts, &Column::from_scalar(&last.into(), 1, exec)?], exec)?;
    let segments_before = compute(&[("start", &starts)], col("start") * 2, exec)?;
    let offsets = take(&ends, &segments_before, exec)?;
    let View::Fixed(offsets) = offsets.view()? else {
        return Err(Error::Internal { invariant: "offsets have fixed width" });
    };
    let offsets = cast(&Fixed { validity: None, ..offsets }, storage, CastMode::Wrap, exec)?;
    let data = StringData {
        offsets: offsets.data,
        offset_width: view.offset_width,
        chars: view.chars.clone(),
        len: items.starts.size(),
        validity: None,
    };
    Column::from_data(DType::Utf8, ColumnData::String(data))
}
