//! Aggregates from row to row.

use super::{Ordered, inverse};
use crate::expression::{Aggregation, Cumulative, Literal, aggregate_dtype, col, lit, when};
use crate::groupby::aggregate_by;
use crate::groupby::grouped_rows::{GroupedRows, column_of, compute, take, validity};
use crate::out_of_core::{Driver, MemoryEstimate, by_position, evict, run_chunks};
use crate::sort::{NullOrder, Order, SortKey, argsort};
use columnade_buffers::Exec;
use columnade_columns::{Column, ColumnAccessor, DType, Error, Result, Scalar};
use columnade_kernels::grouping::group_ids::NullKeys;
use columnade_kernels::scanning::scan::{ScanRange, scan, segmented_scan};
use columnade_kernels::{ColumnData, Storage, View};
use std::cell::RefCell;
use std::collections::HashMap;

/// The aggregate of the rows up to each row, of all groups together.
pub(super) fn running(aggregation: Aggregation, values: &Column, rows: &Ordered<'_>) -> Result<Column> {
    scanned(aggregation, values, None, rows.exec)
}

/// The aggregate of the rows up to each row, in segments that begin where `starts` is true.
#[expect(clippy::wildcard_enum_match_arm, reason = "other errors pass")]
pub(super) fn scanned(
    aggregation: Aggregation,
    values: &Column,
    starts: Option<&Column>,
    exec: &Exec,
) -> Result<Column> {
    let View::Fixed(view) = values.view()? else {
        return Err(Error::UnsupportedDType { dtype: values.dtype() });
    };
    let dtype = aggregate_dtype(aggregation, &values.dtype())?;
    let aggregation = if aggregation == Aggregation::Sum && dtype.is_decimal() {
        Aggregation::SumWide
    } else {
        aggregation
    };
    let data = match starts.map(Column::view).transpose()? {
        Some(View::Fixed(bits)) => {
            segmented_scan(aggregation, ScanRange::Inclusive, &view, bits.data_bits(), exec)
        }
        _ => scan(aggregation, ScanRange::Inclusive, &view, exec),
    };
    let data = data.map_err(|error| match error {
        columnade_kernels::Error::Overflow { .. } => Error::Overflow { dtype: dtype.clone() },
        other => other.into(),
    })?;
    Column::from_data(dtype, ColumnData::Fixed(data))
}

/// The aggregate of all rows up to each row, where a scan of the values is all that it takes.
pub(super) fn of_whole(kind: Cumulative, values: &Column, exec: &Exec) -> Result<Option<Column>> {
    let dtype = values.dtype();
    let aggregation = match kind {
        Cumulative::Sum => Aggregation::Sum,
        Cumulative::Min | Cumulative::Max if is_ordered_by_sorting(&dtype) || dtype.is_float() => {
            return Ok(None);
        }
        Cumulative::Min => Aggregation::Min,
        Cumulative::Max => Aggregation::Max,
        Cumulative::Count | Cumulative::Product => return Ok(None),
    };
    if dtype.is_integer() || dtype.is_float() {
        return in_chunks(aggregation, values, exec).map(Some);
    }
    scanned(aggregation, values, None, exec).map(Some)
}

/// [`scanned`] of numbers that may exceed the budget: each chunk goes on from the last value of the one before.
fn in_chunks(aggregation: Aggregation, values: &Column, exec: &Exec) -> Result<Column> {
    let rows = by_position([values], values.size())?;
    let result = aggregate_dtype(aggregation, &values.dtype())?;
    let bytes = result.storage().map_or(0, Storage::bits).div_ceil(8);
    let plan = Driver::new(exec)
        .plan(rows.rows(), || Ok(MemoryEstimate::new(rows.row_bytes()?, 2 * bytes * rows.rows())))?;
    if plan.len() >= rows.rows() {
        return scanned(aggregation, values, None, exec);
    }
    // By the row that goes on from them: a chunk may be tried again.
    let before: RefCell<HashMap<usize, Scalar>> = RefCell::default();
    let chunks = run_chunks(&rows, None, plan, exec, |chunk, start, exec| {
        let mut found = scanned(aggregation, &chunk.columns()[0], None, exec)?;
        let last = before.borrow().get(&start).cloned();
        if let Some(last) = &last {
            let last = || lit(last.clone());
            let of_both = if aggregation == Aggregation::Sum {
                col("x") + last()
            } else {
                let is_beyond = col("x").gt(last());
                let is_beyond = if aggregation == Aggregation::Min { is_beyond } else { col("x").lt(last()) };
                when(is_beyond).then(last()).otherwise(col("x"))
            };
            found = compute(&[("x", &found)], of_both, exec)?;
        }
        let found = by_position([&found], chunk.rows())?;
        let whole = GroupedRows::new(&[], chunk.rows(), NullKeys::Drop, exec)?;
        let of_chunk = aggregate_by(&col("0").last(), &found, &whole)?.get(0)?;
        let of_chunk = Some(of_chunk).filter(|reached| !matches!(reached, Scalar::Null(_)));
        if let Some(reached) = of_chunk.or(last) {
            before.borrow_mut().insert(start + chunk.rows(), reached);
        }
        evict(&found)?;
        Ok(found)
    })?;
    Ok(ColumnAccessor::assemble(chunks, exec)?.columns()[0].clone())
}

/// The aggregate of the rows of a group up to each row.
pub(super) fn cumulative(kind: Cumulative, values: &Column, rows: &Ordered<'_>) -> Result<Column> {
    if matches!(kind, Cumulative::Min | Cumulative::Max) && is_ordered_by_sorting(&values.dtype()) {
        return extreme_by_order(kind, values, rows);
    }
    let aggregation = match kind {
        Cumulative::Sum => Aggregation::Sum,
        Cumulative::Min => Aggregation::Min,
        Cumulative::Max => Aggregation::Max,
        Cumulative::Count => Aggregation::Count,
        Cumulative::Product => return super::rolling::cumulative_product(values, rows),
    };
    let is_start = || when(col("start").is_null()).then(lit(false)).otherwise(col("row").eq(col("start")));
    let starts = if rows.is_whole { None } else { Some(rows.compute(&[], is_start())?) };
    let values = rows.values(values)?;
    let running = scanned(aggregation, &values, starts.as_ref(), rows.exec)?;
    let is_extreme = matches!(kind, Cumulative::Min | Cumulative::Max);
    if rows.is_whole && !(is_extreme && values.dtype().is_float()) {
        return Ok(running);
    }
    let mut columns = vec![("running", &running)];
    let mut of_row = col("running");
    if values.dtype().is_float() && is_extreme {
        // A row of NaN stays NaN, as a null stays null.
        columns.push(("x", &values));
        of_row = when(col("x").ne(col("x"))).then(col("x")).otherwise(of_row);
    }
    // Rows of no group follow those of the last group.
    let or_null = when(col("start").is_not_null()).then(of_row).otherwise(lit(Literal::Null));
    rows.in_row_order(&rows.compute(&columns, or_null)?)
}

/// Whether values are compared by sorting them: no kernel keeps a running one.
pub(super) fn is_ordered_by_sorting(dtype: &DType) -> bool {
    dtype.logical().is_bytes() || matches!(dtype, DType::Dictionary(_))
}

/// The smallest or largest value up to each row, as the running extreme of the places of the rows in the order of their
/// values.
fn extreme_by_order(kind: Cumulative, values: &Column, rows: &Ordered<'_>) -> Result<Column> {
    let (order, place) = places(values, rows.exec)?;
    let place = cumulative(kind, &place, rows)?;
    take(values, &take(&order, &place, rows.exec)?, rows.exec)
}

/// The rows in the order of their values, nulls last, and the place of each row in it, null where the value is.
pub(super) fn places(values: &Column, exec: &Exec) -> Result<(Column, Column)> {
    let key = SortKey { column: values, order: Order::Ascending, nulls: NullOrder::Last };
    let order = column_of(&argsort(&[key], exec)?, exec)?;
    let place = inverse(&order, exec)?;
    let Some(valid) = validity(values, exec)? else { return Ok((order, place)) };
    let of_valid = when(col("valid")).then(col("place")).otherwise(lit(Literal::Null));
    let place = compute(&[("valid", &valid), ("place", &place)], of_valid, exec)?;
    Ok((order, place))
}

/// The number of valid rows of a group up to each row.
pub(super) fn count(values: &Column, rows: &Ordered<'_>) -> Result<Column> {
    let Some(valid) = validity(values, rows.exec)? else {
        let number = rows.compute(&[], col("row") - col("start") + 1)?;
        return rows.in_row_order(&number);
    };
    let running = running(Aggregation::Sum, &rows.values(&valid)?.without_mask(), rows)?;
    let before = when(col("start").gt(0)).then(col("start") - 1).otherwise(lit(Literal::Null));
    let before = take(&running, &rows.compute(&[], before)?, rows.exec)?;
    let or_zero = when(col("before").is_null()).then(lit(0)).otherwise(col("before"));
    let before = compute(&[("before", &before)], or_zero, rows.exec)?;
    let columns = [("running", &running), ("before", &before)];
    let count =
        when(col("start").is_not_null()).then(col("running") - col("before")).otherwise(lit(Literal::Null));
    rows.in_row_order(&rows.compute(&columns, count)?)
}
