//! Lists as runs of items, and items as rows by list.

use crate::copying::nested::Runs;
use crate::copying::{gather_runs, mask_of};
use crate::expression::{Aggregation, Literal, col, lit, when};
use crate::groupby::grouped_rows::{GroupedRows, compute, numbers, starts, validity};
use columnade_buffers::{Buffer, Exec};
use columnade_columns::{BooleanColumn, Column, DType, Error, ListColumn, Result};
use columnade_kernels::bits::combine;
use columnade_kernels::elementwise::cast::{CastMode, cast};
use columnade_kernels::filling::run_numbers::run_numbers;
use columnade_kernels::filling::sequence::sequence;
use columnade_kernels::reduction::reduce::reduce;
use columnade_kernels::reduction::segmented_sum::segmented_sum;
use columnade_kernels::{ColumnData, FixedData, OffsetWidth, RowMap, RowWidth, Storage, Value, View};
use std::sync::Arc;

/// A column of lists, with where each begins and how many items it has.
pub(crate) struct Lists<'a> {
    column: &'a Column,
    list: &'a ListColumn,
    /// All items, also those of no row.
    pub(crate) items: &'a Column,
    /// Where each list begins in `items`, `int64` without nulls.
    pub(crate) starts: Column,
    /// The number of its items, 0 for a null.
    pub(crate) lengths: Column,
}

/// The items of lists without gaps.
pub(crate) struct Items {
    pub(crate) values: Column,
    /// Where each list begins in `values`, `int64` without nulls.
    pub(crate) starts: Column,
    pub(crate) lengths: Column,
}

/// The items of lists as rows of groups, of which each list is one.
pub(crate) struct ItemGroups<'a> {
    pub(crate) rows: GroupedRows<'a>,
}

impl<'a> Lists<'a> {
    /// # Errors
    /// [`Error::UnsupportedDType`] for other dtypes; [`Error::Memory`].
    pub(crate) fn of(column: &'a Column, exec: &Exec) -> Result<Self> {
        let Column::List(list) = column else {
            return Err(Error::UnsupportedDType { dtype: column.dtype() });
        };
        let runs = Runs::of(list, column.offset(), column.size(), exec)?;
        let mask = mask_of(column, exec)?;
        let runs = runs.where_valid(mask.as_ref(), exec)?;
        let of_data = |data| Column::from_data(DType::Int64, ColumnData::Fixed(data));
        let (starts, lengths) = (of_data(runs.starts)?, of_data(runs.lengths)?);
        Ok(Self { column, list, items: list.items(), starts, lengths })
    }

    /// Which lists are valid; `None` for all.
    pub(crate) fn valid(&self) -> Result<Option<Column>> {
        match self.column.mask() {
            Some(_) => validity(self.column, &Exec::new(self.column.device())?),
            None => Ok(None),
        }
    }

    /// Values of fixed width, one a list, null where the list is.
    pub(crate) fn or_null(&self, values: &Column) -> Result<Column> {
        or_null(self.column, values)
    }

    /// The sum of the items of each list, if the kernel sums them as they are.
    pub(crate) fn integer_sums(&self, exec: &Exec) -> Result<Option<Column>> {
        let dtype = self.items.dtype();
        if !dtype.is_integer() {
            return Ok(None);
        }
        let (View::Fixed(items), View::Fixed(starts), View::Fixed(lengths)) =
            (self.items.view()?, self.starts.view()?, self.lengths.view()?)
        else {
            return Ok(None);
        };
        let Some(sums) = segmented_sum(&items, &starts, &lengths, exec)? else { return Ok(None) };
        let dtype = if dtype.is_unsigned_integer() { DType::UInt64 } else { DType::Int64 };
        Column::from_data(dtype, ColumnData::Fixed(sums)).map(Some)
    }

    /// The items without those that belong to no list.
    pub(crate) fn items(&self, exec: &Exec) -> Result<Items> {
        let span = self.list.span()?;
        if self.column.mask().is_none() || total(&self.lengths, exec)? == span.len() {
            // Null lists have no items, so those of the others follow each other.
            let first = i64::try_from(span.start).unwrap_or(0);
            let values = self.items.slice(span.start, span.len())?;
            let starts = if first == 0 && self.column.mask().is_none() {
                self.starts.clone()
            } else {
                starts(&self.lengths, exec)?
            };
            return Ok(Items { values, starts, lengths: self.lengths.clone() });
        }
        let runs = gather_runs(self.items, &self.starts, &self.lengths, exec)?;
        let Column::List(runs) = &runs else {
            return Err(Error::Internal { invariant: "runs are lists" });
        };
        Items::of_lengths(Column::clone(runs.items()), self.lengths.clone(), exec)
    }

    /// Lists without a mask, null where these are.
    pub(crate) fn with_mask(&self, lists: &Column, exec: &Exec) -> Result<Column> {
        masked(lists, mask_of(self.column, exec)?)
    }
}

impl Items {
    /// Items of which the first `lengths[0]` are those of the first list, and so on.
    pub(crate) fn of_lengths(values: Column, lengths: Column, exec: &Exec) -> Result<Self> {
        Ok(Self { values, starts: starts(&lengths, exec)?, lengths })
    }

    /// The same lists of other values of the same number.
    pub(crate) fn with_values(&self, values: Column) -> Self {
        Self { values, starts: self.starts.clone(), lengths: self.lengths.clone() }
    }

    /// The row of each item, `int64`.
    pub(crate) fn row_numbers(&self, exec: &Exec) -> Result<Column> {
        item_rows(&self.starts, self.values.size(), exec)
    }

    /// The items by list.
    ///
    /// # Errors
    /// [`Error::NotImplemented`] for more lists than 32 bits count; [`Error::Memory`].
    pub(crate) fn groups<'a>(&self, exec: &'a Exec) -> Result<ItemGroups<'a>> {
        let lists = self.lengths.size();
        if u32::try_from(lists).is_err() {
            let feature = "a function of the items of more than 4,294,967,295 lists at a time".to_owned();
            return Err(Error::NotImplemented { feature });
        }
        let View::Fixed(starts) = self.starts.view()? else {
            return Err(Error::Internal { invariant: "starts have fixed width" });
        };
        let ids = run_numbers(&starts, self.values.size(), Storage::U32, exec)?;
        let ids = RowMap { rows: ids.data, width: RowWidth::U32, len: self.values.size() };
        let every = sequence(Value::U32(0), Value::U32(1), lists, exec)?;
        let every = RowMap { rows: every.data, width: RowWidth::U32, len: lists };
        Ok(ItemGroups { rows: GroupedRows::of_ids(ids, every, exec) })
    }

    /// The lists, none of them null.
    pub(crate) fn into_lists(self, exec: &Exec) -> Result<Column> {
        let end = i64::try_from(self.values.size()).map_err(|_| Error::Overflow { dtype: DType::Int64 })?;
        let end = Column::from_scalar(&end.into(), 1, exec)?;
        let offsets = Column::concat(&[&self.starts, &end], exec)?;
        let View::Fixed(offsets) = offsets.view()? else {
            return Err(Error::Internal { invariant: "offsets have fixed width" });
        };
        let width = OffsetWidth::for_bytes(self.values.size());
        let storage = match width {
            OffsetWidth::I32 => Storage::I32,
            OffsetWidth::I64 => Storage::I64,
        };
        let offsets: FixedData = cast(&offsets, storage, CastMode::Wrap, exec)?;
        let (items, lists) = (Arc::new(self.values), self.lengths.size());
        ListColumn::new(offsets.data, width, items, None, 0, lists).map(Column::List)
    }
}

impl ItemGroups<'_> {
    /// Whether any of the items of each list is true.
    pub(crate) fn any(&self, items: &Column) -> Result<Column> {
        let found = self.rows.aggregate(Aggregation::Max, items, DType::Bool)?;
        let or_false = when(col("x").is_null()).then(lit(false)).otherwise(col("x"));
        Ok(compute(&[("x", &found)], or_false, self.rows.exec)?.without_mask())
    }
}

/// Values of fixed width, one a list, null where the list is.
pub(crate) fn or_null(lists: &Column, values: &Column) -> Result<Column> {
    let Some(mask) = lists.mask() else { return Ok(values.clone()) };
    let exec = Exec::new(lists.device())?;
    let valid = BooleanColumn::new(mask.clone(), None, lists.offset(), values.size())?;
    let or_null = when(col("valid")).then(col("x")).otherwise(lit(Literal::Null));
    compute(&[("valid", &Column::Boolean(valid)), ("x", values)], or_null, &exec)
}

/// The row of each of `count` items, `int64`, where the items of row `i` begin at `starts[i]`.
pub(crate) fn item_rows(starts: &Column, count: usize, exec: &Exec) -> Result<Column> {
    let View::Fixed(starts) = starts.view()? else {
        return Err(Error::Internal { invariant: "starts have fixed width" });
    };
    let rows = run_numbers(&starts, count, Storage::I64, exec)?;
    Column::from_data(DType::Int64, ColumnData::Fixed(rows))
}

/// The sum of lengths.
pub(crate) fn total(lengths: &Column, exec: &Exec) -> Result<usize> {
    let View::Fixed(lengths) = lengths.view()? else {
        return Err(Error::Internal { invariant: "lengths have fixed width" });
    };
    let sum = reduce(Aggregation::Sum, &lengths, exec)?;
    let sum = sum.data.to_vec::<i64>(exec)?.first().copied().unwrap_or(0);
    usize::try_from(sum).map_err(|_| Error::Overflow { dtype: DType::Int64 })
}

/// Lists without a mask, null where `valid` is false.
pub(crate) fn with_valid(lists: &Column, valid: Option<&Column>, exec: &Exec) -> Result<Column> {
    let Some(valid) = valid else { return Ok(lists.clone()) };
    let View::Fixed(bits) = valid.view()? else {
        return Err(Error::Internal { invariant: "validity is bits" });
    };
    masked(lists, Some(combine::copy(bits.data_bits(), exec)?))
}

fn masked(lists: &Column, mask: Option<Buffer>) -> Result<Column> {
    let (Column::List(list), Some(mask)) = (lists, mask) else { return Ok(lists.clone()) };
    let (offsets, items) = (list.offsets().clone(), Arc::clone(list.items()));
    ListColumn::new(offsets, list.offset_width(), items, Some(mask), lists.offset(), lists.size())
        .map(Column::List)
}

/// 0, 1, 2 … as `int64`, one for each item.
pub(crate) fn item_numbers(items: &Items, exec: &Exec) -> Result<Column> {
    numbers(items.values.size(), exec)
}
