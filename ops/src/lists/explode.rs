//! Rows of the items of lists.

use super::runs::total;
use crate::copying::gather_column;
use crate::copying::nested::{gather_run_rows, numbers_of};
use crate::expression::col;
use crate::groupby::grouped_rows::{compute, starts};
use crate::out_of_core::late_materialization::scaled;
use crate::out_of_core::{Driver, MemoryEstimate, by_position, evict, run_chunks, whole_or};
use crate::selection::{Picked, Step, fold};
use columnade_buffers::{Device, Exec, with_retry_no_split};
use columnade_columns::{AsLabel, Column, ColumnAccessor, DType, Error, Label, ListColumn, Result};
use columnade_kernels::aggregation::Aggregation;
use columnade_kernels::copying::gather::MapNulls;
use columnade_kernels::elementwise::compare::CompareOp;
use columnade_kernels::expression::{Builder, Op};
use columnade_kernels::reduction::reduce::reduce;
use columnade_kernels::{ColumnData, Fixed, FixedData, Storage, Value, View};
use std::cell::RefCell;
use std::collections::HashMap;
use std::slice;

/// Bytes of a row of the result, beside its values: maps of the other columns and of the items.
const ROW_BYTES: usize = 16;
/// Bytes of a row of the input whose lists are counted: where they begin, their lengths, and the rows before.
const LENGTH_BYTES: usize = 40;

/// A row for each item of the lists in the columns of `labels`, with the values of the other columns repeated. A null or
/// empty list gives one row with a null.
///
/// # Shapes and units
/// columns: n rows of m items → between n and n + m rows, in chunks of rows where they exceed the budget.
///
/// # Errors
/// [`Error::InvalidArgument`] without labels, and for lists of a row with different numbers of items, naming the row;
/// [`Error::ColumnNotFound`]; [`Error::DuplicateLabel`] for a label given twice; [`Error::UnsupportedDType`], with the
/// label, for other dtypes than lists; [`Error::Memory`].
///
/// # Device
/// A scan of the lengths. The row of each row of the result is computed where there are other columns, of which each is
/// gathered, and otherwise when labels are read. Items are gathered where a list is null or empty, and shared else.
///
/// # Source
/// pandas `DataFrame.explode`, Polars `DataFrame.explode(empty_as_null=True)`, cudf/lists/explode.hpp `explode_outer`.
pub fn explode<K: AsLabel>(
    columns: &ColumnAccessor,
    labels: impl IntoIterator<Item = K>,
    exec: &Exec,
) -> Result<ColumnAccessor> {
    Ok(explode_rows(columns, labels, exec)?.columns)
}

/// [`explode`], and the row of the input that each row is of.
///
/// # Errors
/// [`Error::InvalidArgument`] without labels, and for lists of a row with different numbers of items, naming the row;
/// [`Error::ColumnNotFound`]; [`Error::DuplicateLabel`] for a label given twice; [`Error::UnsupportedDType`], with the
/// label, for other dtypes than lists; [`Error::Memory`].
///
/// # Source
/// pandas `DataFrame.explode`, whose rows keep their labels.
pub fn explode_rows<K: AsLabel>(
    columns: &ColumnAccessor,
    labels: impl IntoIterator<Item = K>,
    exec: &Exec,
) -> Result<Picked> {
    let chosen = columns.select(labels)?;
    let whole = |exec: &Exec| exploded(columns, &chosen, exec);
    if Driver::new(exec).budget().is_none() {
        return with_retry_no_split(exec, whole);
    }
    let (begins, len) = rows_of_chunks(&chosen, exec)?;
    let estimate = |rows: &ColumnAccessor| {
        let input = rows.row_bytes()?;
        let all = scaled(rows.rows(), len, columns.rows());
        let output = scaled(input, len, columns.rows()).saturating_add(all.saturating_mul(ROW_BYTES));
        Ok(MemoryEstimate::new(input, output))
    };
    let inputs: Vec<&Column> = columns.columns().iter().collect();
    whole_or(
        &inputs,
        exec,
        || estimate(columns),
        whole,
        |driver| {
            let in_chunk = |rows: &ColumnAccessor, exec: &Exec| {
                Ok(exploded(rows, &rows.select(chosen.labels())?, exec)?.columns)
            };
            let rows = driver.row_by_row(columns, estimate, in_chunk)?;
            Ok(Picked { columns: rows, steps: vec![Step::Repeat { begins: begins.clone(), len }] })
        },
    )
}

/// A column of lists as the runs of items in the rows of the result.
struct Exploded<'a> {
    list: &'a ListColumn,
    runs: ExplodedRuns,
}

type LabelledLists<'a> = Vec<(&'a Label, Exploded<'a>)>;

impl<'a> Exploded<'a> {
    fn of(column: &'a Column, exec: &Exec) -> Result<Self> {
        let Column::List(list) = column else {
            return Err(Error::UnsupportedDType { dtype: column.dtype() });
        };
        Ok(Self { list, runs: ExplodedRuns::of(list, column, exec)? })
    }
}

fn lists_of<'a>(chosen: &'a ColumnAccessor, exec: &Exec) -> Result<LabelledLists<'a>> {
    let labelled = chosen.labels().iter().zip(chosen.columns());
    let lists = labelled.map(|(label, column)| {
        Ok((label, Exploded::of(column, exec).map_err(|error| error.in_column(label))?))
    });
    lists.collect()
}

/// [`rows_of`] in chunks of rows.
fn rows_of_chunks(chosen: &ColumnAccessor, exec: &Exec) -> Result<(Column, usize)> {
    let estimate = || {
        let numbers = LENGTH_BYTES.saturating_mul(chosen.rows());
        Ok(MemoryEstimate::new(chosen.row_bytes()?, numbers))
    };
    let plan = Driver::new(exec).plan(chosen.rows(), estimate)?;
    // The rows before a row that a chunk begins with: a chunk may be tried again.
    let before = RefCell::new(HashMap::from([(0, 0)]));
    let chunks = run_chunks(chosen, None, plan, exec, |chunk, start, exec| {
        let (begins, len) = rows_of(&lists_of(chunk, exec)?, start, exec)?;
        let base = before.borrow().get(&start).copied().unwrap_or_default();
        before.borrow_mut().insert(start + chunk.rows(), base + len);
        let base = i64::try_from(base).map_err(|_| Error::Overflow { dtype: DType::Int64 })?;
        let begins = by_position([&compute(&[("x", &begins)], col("x") + base, exec)?], chunk.rows())?;
        if chunk.rows() < chosen.rows() {
            evict(&begins)?;
        }
        Ok(begins)
    })?;
    let begins = ColumnAccessor::assemble(chunks, exec)?.columns()[0].clone();
    let len = before.borrow().get(&chosen.rows()).copied().unwrap_or_default();
    Ok((begins, len))
}

/// Where the rows of each row begin in the result, and how many rows it has. `start` is the number of the first row.
fn rows_of(lists: &LabelledLists<'_>, start: usize, exec: &Exec) -> Result<(Column, usize)> {
    let Some(((first, first_lists), others)) = lists.split_first() else {
        return Err(Error::InvalidArgument { name: "labels", reason: "there are none".to_owned() });
    };
    let lengths = &first_lists.runs.lengths;
    for (label, other) in others {
        check_lengths((first, lengths), (label, &other.runs.lengths), start, exec)?;
    }
    let begins = starts(lengths, exec)?;
    let rows = match lengths.size().checked_sub(1) {
        Some(last) if exec.device() == Device::Host => {
            let end = number_at(&begins, last, exec)?.saturating_add(number_at(lengths, last, exec)?);
            usize::try_from(end).map_err(|_| Error::Overflow { dtype: DType::Int64 })?
        }
        _ => total(lengths, exec)?,
    };
    Ok((begins, rows))
}

fn exploded(columns: &ColumnAccessor, chosen: &ColumnAccessor, exec: &Exec) -> Result<Picked> {
    let lists = lists_of(chosen, exec)?;
    let (begins, rows) = rows_of(&lists, 0, exec)?;
    let repeats = Step::Repeat { begins: begins.clone(), len: rows };
    // The map is not made for a frame that has no other columns.
    let map =
        if columns.columns().len() > lists.len() { fold(slice::from_ref(&repeats), exec)?.map } else { None };
    let mut result = ColumnAccessor::with_levels(rows, columns.levels().clone());
    for (label, column) in columns.labels().iter().zip(columns.columns()) {
        let exploded = match (lists.iter().find(|(chosen, _)| *chosen == label), &map) {
            (Some((_, lists)), _) => items_of(lists, &begins, rows, exec),
            (None, Some(map)) => gather_column(column, map, MapNulls::Never, exec),
            (None, None) => Err(Error::Internal { invariant: "a map is made for other columns" }),
        };
        result.insert(label.clone(), exploded.map_err(|error| error.in_column(label))?)?;
    }
    let step = map.map_or(repeats, |map| Step::Rows { map, distinct: false, ordered: true });
    Ok(Picked { columns: result, steps: vec![step] })
}

fn check_lengths(
    first: (&Label, &Column),
    other: (&Label, &Column),
    start: usize,
    exec: &Exec,
) -> Result<()> {
    let differ = compute(&[("a", first.1), ("b", other.1)], col("a").ne(col("b")), exec)?;
    let Some(row) = differ.to_options::<bool>()?.into_iter().position(|differs| differs == Some(true)) else {
        return Ok(());
    };
    let (own, others) = (other.1.get(row)?, first.1.get(row)?);
    let reason = format!("row {} has {own} items, and {others} in {:?}", start + row, first.0);
    Err(Error::InvalidArgument { name: "labels", reason }.in_column(other.0))
}

/// The items in the rows of the result, null for lists without items.
fn items_of(exploded: &Exploded<'_>, begins: &Column, rows: usize, exec: &Exec) -> Result<Column> {
    let (items, span) = (exploded.list.items(), exploded.list.span()?);
    if items.is_empty() {
        return Column::full_null(&items.dtype(), rows, exec);
    }
    let sources = &exploded.runs.sources;
    // Each list is a row at least, so without a list of no items the rows are the items.
    if span.len() == rows && exploded.runs.have_items(exec)? {
        return items.slice(span.start, span.len());
    }
    let (View::Fixed(begins), View::Fixed(sources)) = (begins.view()?, sources.view()?) else {
        return Err(Error::Internal { invariant: "numbers have fixed width" });
    };
    gather_run_rows(items, &begins, &sources, rows, MapNulls::Possible, exec)
}

/// The lists of a column as runs of items, of which a null or empty list is one row without an item.
struct ExplodedRuns {
    /// Where the items of each list begin, −1 for a list without items; `int64` without nulls.
    sources: Column,
    /// The rows of the result of each list, at least 1; `int64` without nulls.
    lengths: Column,
}

impl ExplodedRuns {
    fn of(list: &ListColumn, column: &Column, exec: &Exec) -> Result<Self> {
        let (offset, size) = (column.offset(), column.size());
        let mask = column.mask().map(|data| Fixed {
            storage: Storage::Bit,
            data,
            validity: None,
            offset,
            len: size,
        });
        let [sources, lengths] =
            numbers_of(list, offset, size, mask, exec, |builder, start, length, valid| {
                let number = |builder: &mut Builder, value| {
                    builder.step(Op::Constant(Some(Value::I64(value))), Storage::I64)
                };
                let (none, zero, one) = (number(builder, -1), number(builder, 0), number(builder, 1));
                let compare = Op::Compare { op: CompareOp::Gt, lhs: length, rhs: zero };
                let mut has_items = builder.step(compare, Storage::Bit);
                if let Some(valid) = valid {
                    has_items = builder.step(Op::And { lhs: has_items, rhs: valid }, Storage::Bit);
                }
                let mut select = |then, otherwise| {
                    builder.step(Op::Select { condition: has_items, then, otherwise }, Storage::I64)
                };
                [select(start, none), select(length, one)]
            })?;
        let of_data =
            |data| Column::from_data(DType::Int64, ColumnData::Fixed(FixedData { validity: None, ..data }));
        Ok(Self { sources: of_data(sources)?, lengths: of_data(lengths)? })
    }

    /// Whether every list has items.
    fn have_items(&self, exec: &Exec) -> Result<bool> {
        let View::Fixed(sources) = self.sources.view()? else {
            return Err(Error::Internal { invariant: "sources have fixed width" });
        };
        let least = reduce(Aggregation::Min, &sources, exec)?;
        Ok(least.data.to_vec::<i64>(exec)?.first().is_none_or(|&least| least >= 0))
    }
}

/// A number of `int64` without nulls.
fn number_at(numbers: &Column, row: usize, exec: &Exec) -> Result<i64> {
    let View::Fixed(view) = numbers.view()? else {
        return Err(Error::Internal { invariant: "numbers have fixed width" });
    };
    let bytes = size_of::<i64>();
    let number = view.data.slice((view.offset + row) * bytes, bytes).to_vec::<i64>(exec)?;
    number.first().copied().ok_or(Error::Internal { invariant: "there is a number in each row" })
}
