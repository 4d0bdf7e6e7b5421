//! Columns that are gathered once an operation's row maps are known. The operation itself moves only its keys, and each
//! other column is read once and written once.

use super::chunks::{row_numbers, run_chunks};
use super::{Driver, MemoryEstimate, OutOfCore, by_position, evict};
use crate::copying::{MapNulls, concat, gather};
use crate::sort::{NullOrder, Order, SortColumn, sort_by};
use columnade_buffers::{Device, Exec};
use columnade_columns::{Column, ColumnAccessor, DType, Error, Result, Scalar};
use columnade_kernels::elementwise::Operand;
use columnade_kernels::elementwise::binary::{BinaryOp, binary};
use columnade_kernels::{ColumnData, FixedData, RowMap, RowWidth, Storage, Value};
use std::cell::RefCell;
use std::ops::Range;

/// Whether columns are gathered late: of so many rows that row maps have 32 bits, and on the host. Elsewhere the peak of
/// keys and maps beside a column was not measured yet, and whole rows are moved.
pub(crate) fn is_late(rows: usize, driver: Driver<'_>) -> bool {
    driver.exec.device() == Device::Host && rows < 1 << 30
}

/// A row map of 32 bits as a column.
pub(crate) fn map_column(map: &RowMap) -> Result<Column> {
    if map.width != RowWidth::U32 {
        return Err(Error::Internal { invariant: "maps of few rows have 32 bits" });
    }
    let data = FixedData { storage: Storage::U32, len: map.len, data: map.rows.clone(), validity: None };
    Column::from_data(DType::UInt32, ColumnData::Fixed(data))
}

/// The row map in a column.
pub(crate) fn map_of(column: &Column) -> Result<RowMap> {
    let Some(data) = column.data() else {
        return Err(Error::Internal { invariant: "a column of row numbers has data" });
    };
    let bytes = |rows| rows * RowWidth::U32.bytes();
    let rows = data.slice(bytes(column.offset()), bytes(column.size()));
    Ok(RowMap { rows, width: RowWidth::U32, len: column.size() })
}

/// The numbers of a map, moved by `by` rows.
pub(crate) fn moved_map(map: &RowMap, op: BinaryOp, by: usize, exec: &Exec) -> Result<RowMap> {
    if by == 0 {
        return Ok(map.clone());
    }
    let by = u32::try_from(by).map_err(|_| Error::Internal { invariant: "maps of few rows have 32 bits" })?;
    let data = FixedData { storage: Storage::U32, len: map.len, data: map.rows.clone(), validity: None };
    let moved = binary(op, Operand::Column(data.view()), Operand::Value(Value::U32(by)), exec)?;
    Ok(RowMap { rows: moved.data, width: RowWidth::U32, len: map.len })
}

/// The most bytes that can be resident beside chunks that are worth their moves; `None`: any number.
pub(crate) fn most_gathered(driver: Driver<'_>) -> Option<usize> {
    driver.budget().map(|budget| (budget / 4 * 3).min(budget.saturating_sub(driver.min_chunk())))
}

/// Rows `map[i]` of each column of `source`, in any order, where all ones are null if `nulls` allows it. Some columns at a
/// time are resident, chunks of the map are gathered from them.
pub(crate) fn gather_rows(
    source: &ColumnAccessor,
    map: &Column,
    nulls: MapNulls,
    driver: Driver<'_>,
) -> Result<ColumnAccessor> {
    let most = most_gathered(driver).unwrap_or(usize::MAX);
    let rows = by_position([map], map.size())?;
    let (mut gathered, mut group, mut bytes) = (Vec::with_capacity(source.len()), Vec::new(), 0_usize);
    let mut columns = source.columns().iter().peekable();
    while let Some(column) = columns.next() {
        group.push(column);
        bytes = bytes.saturating_add(column.row_bytes()?);
        let next = columns.peek().map(|next| next.row_bytes()).transpose()?;
        if next.is_none_or(|next| bytes.saturating_add(next) > most) {
            let columns = by_position(std::mem::take(&mut group), source.rows())?;
            let part = driver.run(&Gather { source: &columns, bytes, nulls }, &rows)?;
            gathered.extend_from_slice(part.columns());
            bytes = 0;
        }
    }
    by_position(&gathered, map.size())
}

/// [`gather_rows`], but for columns that do not fit by themselves: of those, rows are gathered in the order of the map's numbers,
/// and then sorted into that of the map.
pub(crate) fn gather_or_sort(
    source: &ColumnAccessor,
    map: &Column,
    nulls: MapNulls,
    driver: Driver<'_>,
) -> Result<ColumnAccessor> {
    let most = most_gathered(driver).unwrap_or(usize::MAX);
    let (mut small, mut large, mut is_large) = (Vec::new(), Vec::new(), Vec::new());
    for column in source.columns() {
        is_large.push(column.row_bytes()? > most);
        if is_large.last() == Some(&true) { large.push(column) } else { small.push(column) }
    }
    let small = gather_rows(&by_position(small, source.rows())?, map, nulls, driver)?;
    if large.is_empty() {
        return Ok(small);
    }
    let large = gather_by_sorting(&by_position(large, source.rows())?, map, driver)?;
    let (mut small, mut large) = (small.columns().iter(), large.columns().iter());
    let columns =
        is_large.into_iter().filter_map(|is_large| if is_large { large.next() } else { small.next() });
    by_position(columns, map.size())
}

/// Rows `map[i]` of each column, null for all ones: by the numbers of the map in ascending order, and sorted into its order.
fn gather_by_sorting(source: &ColumnAccessor, map: &Column, driver: Driver<'_>) -> Result<ColumnAccessor> {
    let (all, exec) = (map.size(), driver.exec);
    let ascending = |position| [SortColumn { position, order: Order::Ascending, nulls: NullOrder::Last }];
    let numbered = by_position([map, &row_numbers(0, all, all, exec)?], all)?;
    let sorted = sort_by(&numbered, &ascending(0), exec)?;
    let [numbers, places] = sorted.columns() else {
        return Err(Error::Internal { invariant: "numbers are sorted with their places" });
    };
    // All ones are the greatest number.
    let (mut there, mut end) = (0, all);
    while there < end {
        let middle = there + (end - there) / 2;
        let is_there = numbers.get(middle)? != Scalar::UInt32(RowMap::NONE_U32);
        if is_there { there = middle + 1 } else { end = middle }
    }
    let gathered = gather_ascending(source, &numbers.slice(0, there)?, driver)?;
    let mut rows = by_position([], all)?;
    for column in gathered.columns() {
        let column = if there < all {
            concat(&[column, &Column::full_null(&column.dtype(), all - there, exec)?], exec)?
        } else {
            column.clone()
        };
        rows.insert(rows.len().to_string(), column)?;
    }
    rows.insert(rows.len().to_string(), places.clone())?;
    let rows = sort_by(&rows, &ascending(source.len()), exec)?;
    by_position(rows.columns().iter().take(source.len()), all)
}

/// A gather from columns that are resident.
struct Gather<'a> {
    source: &'a ColumnAccessor,
    bytes: usize,
    nulls: MapNulls,
}

impl OutOfCore for Gather<'_> {
    fn estimate(&self, map: &ColumnAccessor) -> Result<MemoryEstimate> {
        let output = scaled(self.bytes, map.rows(), self.source.rows());
        Ok(MemoryEstimate { input: map.row_bytes()?, output, fixed_overhead: self.bytes })
    }

    fn shared_input(&self) -> Option<&ColumnAccessor> {
        Some(self.source)
    }

    fn run(&self, map: &ColumnAccessor, exec: &Exec) -> Result<ColumnAccessor> {
        gather(self.source, &map_of(&map.columns()[0])?, self.nulls, exec)
    }
}

/// `bytes` of `all` rows for `rows` rows.
pub(crate) fn scaled(bytes: usize, rows: usize, all: usize) -> usize {
    usize::try_from((bytes as u128 * rows as u128).div_ceil(all.max(1) as u128)).unwrap_or(usize::MAX)
}

/// [`gather_rows`] where the numbers of the map ascend and none is missing: the rows of all columns that a chunk of the
/// map takes lie together.
pub(crate) fn gather_ascending(
    source: &ColumnAccessor,
    map: &Column,
    driver: Driver<'_>,
) -> Result<ColumnAccessor> {
    let (maps, all) = (by_position([map], map.size())?, map.size());
    let plan = driver.plan(all, || {
        let output = scaled(source.row_bytes()?, all, source.rows());
        Ok(MemoryEstimate::new(
            maps.row_bytes()? + source.row_bytes()?.max(output),
            maps.row_bytes()? + output,
        ))
    })?;
    let number = |row: usize| -> Result<usize> {
        let number = map_of(&map.slice(row, 1)?)?.rows.to_vec::<u32>(driver.exec)?;
        Ok(number.first().map_or(0, |&number| number as usize))
    };
    let spanned = |start: usize, len: usize| -> Result<Range<usize>> {
        if len == 0 { Ok(0..0) } else { Ok(number(start)?..number(start + len - 1)? + 1) }
    };
    // The rows of the chunk at hand, which may be tried again, and of the next one.
    let kept: RefCell<Vec<(Range<usize>, ColumnAccessor)>> = RefCell::default();
    let resident = |range: Range<usize>, exec: &Exec| -> Result<(Range<usize>, ColumnAccessor)> {
        let found = kept.borrow().iter().find(|(span, _)| *span == range).cloned();
        found.map_or_else(|| Ok((range.clone(), source.slice(range.start, range.len())?.isolate(exec)?)), Ok)
    };
    let parts = run_chunks(&maps, None, plan, driver.exec, |chunk, start, exec| {
        let (range, rows) = resident(spanned(start, chunk.rows())?, exec)?;
        *kept.borrow_mut() = vec![(range.clone(), rows.clone())];
        let next = start + chunk.rows();
        if next < all
            && let Ok(next) = resident(spanned(next, plan.len().min(all - next))?, exec)
        {
            next.1.will_need();
            kept.borrow_mut().push(next);
        }
        let map = moved_map(&map_of(&chunk.columns()[0])?, BinaryOp::Sub, range.start, exec)?;
        let part = gather(&rows, &map, MapNulls::Never, exec)?;
        if chunk.rows() < all {
            evict(&part)?;
        }
        Ok(part)
    })?;
    ColumnAccessor::assemble(parts, driver.exec)
}
