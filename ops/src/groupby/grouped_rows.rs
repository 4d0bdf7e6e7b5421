//! Rows and the groups that they belong to.

use crate::copying::gather_column;
use crate::expression::{Aggregation, Expr, col, evaluate_rows, when};
use crate::keys::{Numbering, is_compound, numbered};
use crate::selection::compose_maps;
use crate::sort::{NullOrder, Order, SortKey, argsort};
use columnade_buffers::Exec;
use columnade_columns::{BooleanColumn, Column, ColumnAccessor, DType, Error, Result, Scalar};
use columnade_kernels::copying::gather::{MapNulls, gather};
use columnade_kernels::elementwise::cast::{CastMode, cast};
use columnade_kernels::filling::fill::fill;
use columnade_kernels::filling::run_numbers::run_numbers;
use columnade_kernels::filling::sequence::sequence;
use columnade_kernels::grouping::aggregate::aggregate;
use columnade_kernels::grouping::group_ids::{Groups, NullKeys, group_ids};
use columnade_kernels::grouping::select;
use columnade_kernels::scanning::scan::{ScanRange, scan};
use columnade_kernels::{ColumnData, Fixed, FixedData, RowMap, RowWidth, Storage, StringsView, Value, View};
use std::borrow::Cow;
use std::cell::OnceCell;

/// Rows with the number of the group that each belongs to.
pub(crate) struct GroupedRows<'a> {
    groups: Groups,
    /// All rows are in one group.
    is_whole: bool,
    /// Whether there may be rows of no group, or groups without rows.
    may_be_partial: bool,
    /// Whether there may be groups without rows.
    may_be_empty: bool,
    pub(crate) exec: &'a Exec,
    /// The rows of each group one after the other, in their order.
    sorted: OnceCell<SortedRows>,
}

/// Rows ordered by group.
#[derive(Clone)]
pub(crate) struct SortedRows {
    /// The rows: those of the first group, then those of the second, at the end those of no group.
    pub(crate) map: RowMap,
    /// Where each group begins in `rows`, `int64`.
    pub(crate) starts: Column,
    /// The number of rows of each group, `int64`.
    pub(crate) sizes: Column,
}

impl<'a> GroupedRows<'a> {
    /// The groups of `rows` rows by `keys`; without keys, all of them in one group, which is there without rows too.
    ///
    /// # Errors
    /// [`Error::Memory`].
    pub(crate) fn new(keys: &[&Column], rows: usize, null_keys: NullKeys, exec: &'a Exec) -> Result<Self> {
        let mut may_be_partial = false;
        let groups = if keys.is_empty() {
            let ids = fill(Value::U32(0), rows, exec)?.data;
            let ids = RowMap { rows: ids, width: RowWidth::U32, len: rows };
            Groups { ids, first_rows: RowMap::from_u32(&[0], exec)? }
        } else {
            let mut flat = Vec::with_capacity(keys.len());
            for (position, &key) in keys.iter().enumerate() {
                flat.push(if is_compound(&key.dtype()) {
                    let numbers = numbered(key, Numbering::Equality, exec);
                    Cow::Owned(numbers.map_err(|error| error.in_key(position))?)
                } else {
                    Cow::Borrowed(key)
                });
            }
            let mut views = Vec::with_capacity(keys.len());
            for (position, key) in flat.iter().enumerate() {
                views.push(key.view().map_err(|error| error.in_key(position))?);
            }
            let has_nulls = views.iter().any(|view| view.validity_bits().is_some());
            may_be_partial = null_keys == NullKeys::Drop && has_nulls;
            group_ids(&views, null_keys, exec)?
        };
        let (is_whole, sorted) = (keys.is_empty(), OnceCell::new());
        Ok(Self { groups, is_whole, may_be_partial, may_be_empty: false, exec, sorted })
    }

    /// Some of the rows, in the same groups: `ids` has the group of each.
    pub(crate) fn of_ids(ids: RowMap, groups: RowMap, exec: &'a Exec) -> Self {
        let groups = Groups { ids, first_rows: groups };
        let sorted = OnceCell::new();
        Self { groups, is_whole: false, may_be_partial: true, may_be_empty: true, exec, sorted }
    }

    /// Some of the rows in the same groups; `ids` are theirs in [`id_column`](Self::id_column).
    pub(crate) fn some_rows(&self, ids: &Column) -> Result<GroupedRows<'a>> {
        let data = ids.data().ok_or(Error::Internal { invariant: "ids of groups have fixed width" })?;
        let width = size_of::<u32>();
        let rows = data.slice(ids.offset() * width, ids.size() * width);
        let ids = RowMap { rows, width: RowWidth::U32, len: ids.size() };
        Ok(GroupedRows::of_ids(ids, self.first_rows().clone(), self.exec))
    }

    /// The number of groups.
    pub(crate) fn len(&self) -> usize {
        self.groups.len()
    }

    /// Whether all rows are in one group, so that their order is that of the groups.
    pub(crate) fn is_whole(&self) -> bool {
        self.is_whole
    }

    /// The number of rows.
    pub(crate) fn rows(&self) -> usize {
        self.groups.ids.len
    }

    /// The first row of each group.
    pub(crate) fn first_rows(&self) -> &RowMap {
        &self.groups.first_rows
    }

    /// The group of each row.
    pub(crate) fn ids(&self) -> &RowMap {
        &self.groups.ids
    }

    /// The group of each row as a column, `uint32`; all ones for no group.
    pub(crate) fn id_column(&self) -> Result<Column> {
        let data = self.groups.ids.rows.clone();
        let ids = FixedData { storage: Storage::U32, len: self.rows(), data, validity: None };
        Column::from_data(DType::UInt32, ColumnData::Fixed(ids))
    }

    /// An aggregation of `values` by group, as a column of `dtype`.
    pub(crate) fn aggregate(
        &self,
        aggregation: Aggregation,
        values: &Column,
        dtype: DType,
    ) -> Result<Column> {
        if self.rows() == 0 && aggregation.is_null_without_values() {
            return Column::full_null(&dtype, self.len(), self.exec);
        }
        let view = values.view()?;
        // The kernel leaves out the mask where no value is null, since each of its groups has a row.
        let needs_mask =
            self.may_be_empty && aggregation.is_null_without_values() && view.validity_bits().is_none();
        let valid =
            needs_mask.then(|| fill(Value::Bit(true), view.offset() + view.len(), self.exec)).transpose()?;
        let view = match (view, &valid) {
            (View::Fixed(view), Some(valid)) => View::Fixed(Fixed { validity: Some(&valid.data), ..view }),
            (View::String(view), Some(valid)) => {
                View::String(StringsView { validity: Some(&valid.data), ..view })
            }
            (view, None) => view,
        };
        let mut results = aggregate(&self.groups, &[(aggregation, view)], self.exec)?;
        let data = results.pop().ok_or(Error::Internal { invariant: "each request has a result" })?;
        if let (Column::Categorical(_), DType::Dictionary(_)) = (values, &dtype) {
            return values.with_data(data, self.exec);
        }
        Column::from_data(dtype, data)
    }

    /// The number of valid rows of each group, `int64`.
    pub(crate) fn counts(&self, values: &Column) -> Result<Column> {
        match validity(values, self.exec)? {
            None => self.sizes(),
            Some(valid) => self.aggregate(Aggregation::Sum, &valid, DType::Int64),
        }
    }

    /// The number of rows of each group, `int64`.
    pub(crate) fn sizes(&self) -> Result<Column> {
        self.aggregate(Aggregation::Size, &self.id_column()?, DType::Int64)
    }

    /// The value of each row's group, null for rows of no group.
    pub(crate) fn broadcast(&self, of_groups: &Column) -> Result<Column> {
        gather_column(of_groups, self.ids(), MapNulls::Possible, self.exec)
    }

    /// The positions of the rows, `int64`: 0, 1, 2 …
    pub(crate) fn positions(&self) -> Result<Column> {
        numbers(self.rows(), self.exec)
    }

    /// The values at `positions`, `int64`, of the sorted values of each group, where the kernel selects them.
    pub(crate) fn nth_smallest(&self, values: &Column, positions: &[Column]) -> Result<Option<Vec<Column>>> {
        let Some(view) = ordered_as_stored(values)? else { return Ok(None) };
        let mut views = Vec::with_capacity(positions.len());
        for position in positions {
            let View::Fixed(view) = position.view()? else {
                return Err(Error::UnsupportedDType { dtype: position.dtype() });
            };
            views.push(view);
        }
        let Some(found) = select::nth_smallest(&self.groups, &view, &views, self.exec)? else {
            return Ok(None);
        };
        let columns =
            found.into_iter().map(|data| Column::from_data(values.dtype(), ColumnData::Fixed(data)));
        columns.collect::<Result<Vec<_>>>().map(Some)
    }

    /// The rows of the first `k` values in `order` of each group and their numbers, where the kernel selects them.
    pub(crate) fn top_rows(&self, values: &Column, k: u64, order: Order) -> Result<Option<(Column, Column)>> {
        let (Some(view), Ok(k)) = (ordered_as_stored(values)?, usize::try_from(k)) else { return Ok(None) };
        let largest = order == Order::Descending;
        let Some(top) = select::top_rows(&self.groups, &view, k, largest, self.exec)? else {
            return Ok(None);
        };
        let column = |data| Column::from_data(DType::Int64, ColumnData::Fixed(data));
        Ok(Some((column(top.rows)?, column(top.lengths)?)))
    }

    /// The rows ordered by group.
    pub(crate) fn sorted(&self) -> Result<&SortedRows> {
        if let Some(sorted) = self.sorted.get() {
            return Ok(sorted);
        }
        let sorted = self.sorted_by(&[])?;
        Ok(self.sorted.get_or_init(|| sorted))
    }

    /// The rows ordered by group, and within a group by `keys`; equal ones in their order.
    pub(crate) fn sorted_by(&self, keys: &[SortKey<'_>]) -> Result<SortedRows> {
        if self.is_whole && keys.is_empty() {
            let map = row_map(&numbers(self.rows(), self.exec)?, self.exec)?;
            let [start, size] = [0, i64::try_from(self.rows()).unwrap_or(i64::MAX)]
                .map(|value| Column::from_scalar(&Scalar::Int64(value), 1, self.exec));
            return Ok(SortedRows { map, starts: start?, sizes: size? });
        }
        let ids = self.id_column()?;
        let by_group = SortKey { column: &ids, order: Order::Ascending, nulls: NullOrder::Last };
        let keys: Vec<_> = std::iter::once(by_group).chain(keys.iter().copied()).collect();
        let map = argsort(&keys, self.exec)?;
        if let Some(SortedRows { starts, sizes, .. }) = self.sorted.get() {
            return Ok(SortedRows { map, starts: starts.clone(), sizes: sizes.clone() });
        }
        let sizes = self.sizes()?;
        let starts = starts(&sizes, self.exec)?;
        Ok(SortedRows { map, starts, sizes })
    }

    /// The group of each of the rows ordered by group; no group is no row of a map.
    pub(crate) fn ids_in_order(&self, sorted: &SortedRows) -> Result<RowMap> {
        if self.may_be_partial || self.rows() == 0 {
            return gather_ids(self.ids(), &sorted.map, self.exec);
        }
        // The groups are runs of rows, which are known without a look at each.
        let View::Fixed(starts) = sorted.starts.view()? else {
            return Err(Error::UnsupportedDType { dtype: sorted.starts.dtype() });
        };
        let ids = run_numbers(&starts, self.rows(), Storage::U32, self.exec)?;
        Ok(RowMap { rows: ids.data, width: RowWidth::U32, len: self.rows() })
    }

    /// Whether there may be rows of no group, or groups without rows.
    pub(crate) fn may_be_partial(&self) -> bool {
        self.may_be_partial
    }
}

impl SortedRows {
    /// The values at `positions` of the ordered rows, `int64` with nulls for none.
    pub(crate) fn pick(&self, values: &Column, positions: &Column, exec: &Exec) -> Result<Column> {
        let rows = compose_maps(&self.map, &row_map(positions, exec)?, exec)?;
        gather_column(values, &rows, MapNulls::Possible, exec)
    }

    /// The rows, `int64`.
    pub(crate) fn rows(&self, exec: &Exec) -> Result<Column> {
        column_of(&self.map, exec)
    }
}

/// The stored values of a column whose order is theirs; codes are not in the order of their dictionary.
fn ordered_as_stored(values: &Column) -> Result<Option<Fixed<'_>>> {
    if matches!(values.dtype(), DType::Dictionary(_) | DType::Null) || values.dtype().is_nested() {
        return Ok(None);
    }
    Ok(match values.view()? {
        View::Fixed(view) => Some(view),
        View::String(_) => None,
    })
}

/// Where each group begins, if groups of these sizes follow each other.
pub(crate) fn starts(sizes: &Column, exec: &Exec) -> Result<Column> {
    let View::Fixed(view) = sizes.view()? else {
        return Err(Error::UnsupportedDType { dtype: sizes.dtype() });
    };
    let starts = scan(Aggregation::Sum, ScanRange::Exclusive, &view, exec)?;
    Column::from_data(DType::Int64, ColumnData::Fixed(starts))
}

/// The values at `rows`, `int64` with nulls for none.
pub(crate) fn take(values: &Column, rows: &Column, exec: &Exec) -> Result<Column> {
    gather_column(values, &row_map(rows, exec)?, MapNulls::Possible, exec)
}

/// A column of `int64` row numbers as a row map; a null is no row.
pub(crate) fn row_map(rows: &Column, exec: &Exec) -> Result<RowMap> {
    let rows = match rows.mask() {
        // −1 has all bits set, which is no row in a row map.
        Some(_) => {
            let or_none = when(col("row").is_not_null()).then(col("row")).otherwise(-1);
            compute(&[("row", rows)], or_none, exec)?
        }
        None => rows.clone(),
    };
    let Some(data) = rows.data() else { return Err(Error::UnsupportedDType { dtype: rows.dtype() }) };
    let start = rows.offset() * size_of::<i64>();
    let data = data.slice(start, rows.size() * size_of::<i64>());
    Ok(RowMap { rows: data, width: RowWidth::U64, len: rows.size() })
}

/// A row map as a column, `int64`; no row is null or −1.
pub(crate) fn column_of(map: &RowMap, exec: &Exec) -> Result<Column> {
    let of = |storage| FixedData { storage, len: map.len, data: map.rows.clone(), validity: None };
    let rows = match map.width {
        RowWidth::U32 => cast(&of(Storage::U32).view(), Storage::I64, CastMode::Wrap, exec)?,
        // The same bits.
        RowWidth::U64 => of(Storage::I64),
    };
    Column::from_data(DType::Int64, ColumnData::Fixed(rows))
}

/// 0, 1, 2 … as `int64`.
pub(crate) fn numbers(len: usize, exec: &Exec) -> Result<Column> {
    let numbers = sequence(Value::I64(0), Value::I64(1), len, exec)?;
    Column::from_data(DType::Int64, ColumnData::Fixed(numbers))
}

/// Which rows are valid; `None` for a column whose rows all are.
pub(crate) fn validity(values: &Column, exec: &Exec) -> Result<Option<Column>> {
    if values.dtype() == DType::Null {
        return Column::from_scalar(&Scalar::Bool(false), values.size(), exec).map(Some);
    }
    let Some(mask) = values.mask() else { return Ok(None) };
    let bits = BooleanColumn::new(mask.clone(), None, values.offset(), values.size())?;
    Ok(Some(Column::Boolean(bits)))
}

/// An expression over columns of equal length.
pub(crate) fn compute(columns: &[(&str, &Column)], expr: Expr, exec: &Exec) -> Result<Column> {
    let columns = columns.iter().map(|&(label, column)| (label, column.clone()));
    let frame = ColumnAccessor::from_columns(columns)?;
    let (_, column) = evaluate_rows(&[expr], &frame, exec)?.swap_remove(0);
    Ok(column)
}

/// Row `i` of the result is row `map[i]` of a row map.
pub(crate) fn gather_ids(ids: &RowMap, map: &RowMap, exec: &Exec) -> Result<RowMap> {
    let data = ids.rows.clone();
    let ids = FixedData { storage: Storage::U32, len: ids.len, data, validity: None };
    match gather(&View::Fixed(ids.view()), map, MapNulls::Never, exec)? {
        ColumnData::Fixed(data) => Ok(RowMap { rows: data.data, width: RowWidth::U32, len: map.len }),
        ColumnData::String(_) => Err(Error::Internal { invariant: "ids of groups have fixed width" }),
    }
}
