//! Whether rows are in an order.

use super::{NullOrder, Order, SortKey, argsort};
use crate::expression::{Expr, col, evaluate_rows, lit};
use crate::groupby::grouped_rows::{column_of, compute, numbers};
use columnade_buffers::{Exec, with_retry_no_split};
use columnade_columns::{Column, ColumnAccessor, DType, Error, Result, Scalar};
use columnade_kernels::aggregation::Aggregation;
use columnade_kernels::reduction::reduce::reduce;
use columnade_kernels::{ColumnData, View};

/// Whether the rows are in the order of `keys`, as [`argsort`] orders them: equal neighbours are.
///
/// # Shapes and units
/// keys: at least one, of n rows each → one value. All rows are processed at a time.
///
/// # Errors
/// Those of [`argsort`].
///
/// # Device
/// Each row is compared with the next, and the results are reduced; one synchronisation. Dictionaries, binary values and
/// booleans are sorted.
///
/// # Source
/// `cudf/sorting.hpp` `is_sorted`, pandas `Series.is_monotonic_increasing`, Polars `is_sorted`.
pub fn is_sorted(keys: &[SortKey<'_>], exec: &Exec) -> Result<bool> {
    are_in_order(keys, true, exec)
}

/// Whether the rows are in the order of `keys`, and no row is equal to the one before.
///
/// # Shapes and units
/// As [`is_sorted`].
///
/// # Errors
/// Those of [`argsort`]; [`Error::UnsupportedDType`] for dictionaries, binary values and booleans.
///
/// # Device
/// Each row is compared with the next, and the results are reduced; one synchronisation.
///
/// # Source
/// pandas `Index._is_strictly_monotonic_increasing`.
pub fn is_strictly_sorted(keys: &[SortKey<'_>], exec: &Exec) -> Result<bool> {
    match keys.iter().find(|key| !is_compared(key)) {
        Some(key) => Err(Error::UnsupportedDType { dtype: key.column.dtype() }),
        None => are_in_order(keys, false, exec),
    }
}

/// Whether a row is compared with the next by expressions.
fn is_compared(key: &SortKey<'_>) -> bool {
    let dtype = key.column.dtype();
    dtype.is_numeric() || dtype.is_temporal() || dtype == DType::Utf8
}

fn are_in_order(keys: &[SortKey<'_>], with_equal: bool, exec: &Exec) -> Result<bool> {
    let rows = keys.first().map_or(0, |key| key.column.size());
    let has_other_length = keys.iter().any(|key| key.column.size() != rows);
    if rows < 2 || keys.is_empty() || has_other_length {
        // Errors are those of the sort.
        return argsort(keys, exec).map(|_| true);
    }
    with_retry_no_split(exec, |exec| {
        if !keys.iter().all(is_compared) {
            let order = column_of(&argsort(keys, exec)?, exec)?;
            let moved = [("to", &order), ("from", &numbers(rows, exec)?)];
            return all(&compute(&moved, col("to").eq(col("from")), exec)?, exec);
        }
        let mut neighbours = ColumnAccessor::with_rows(rows - 1);
        let mut in_order: Option<Expr> = None;
        for (position, key) in keys.iter().enumerate().rev() {
            neighbours.insert(format!("{position} a"), key.column.slice(0, rows - 1)?)?;
            neighbours.insert(format!("{position} b"), key.column.slice(1, rows - 1)?)?;
            in_order = Some(step(key, position, in_order.unwrap_or_else(|| lit(with_equal))));
        }
        let expr = in_order.ok_or(Error::Internal { invariant: "a sort has a key" })?;
        let (_, in_order) = evaluate_rows(&[expr], &neighbours, exec)?.swap_remove(0);
        all(&in_order, exec)
    })
}

/// Whether the row `a` is before `b` by a key, or equal and in order by the `next` ones. Never null.
fn step(key: &SortKey<'_>, position: usize, next: Expr) -> Expr {
    let (a, b) = (col(format!("{position} a")), col(format!("{position} b")));
    let is_nan = |x: &Expr| if key.column.dtype().is_float() { x.clone().ne(x.clone()) } else { lit(false) };
    let (small, large) = if key.order == Order::Ascending { (&a, &b) } else { (&b, &a) };
    // NaN is larger than all numbers.
    let mut before = small.clone().lt(large.clone()).or(is_nan(large).and(!is_nan(small)));
    let mut equal = small.clone().eq(large.clone()).or(is_nan(large).and(is_nan(small)));
    if key.column.mask().is_some() {
        let valid = || a.clone().is_not_null().and(b.clone().is_not_null());
        let (null, other) = if key.nulls == NullOrder::First { (&a, &b) } else { (&b, &a) };
        before = valid().and(before).or(null.clone().is_null().and(other.clone().is_not_null()));
        equal = valid().and(equal).or(a.clone().is_null().and(b.clone().is_null()));
    }
    before.or(equal.and(next))
}

/// Whether no row is false.
fn all(values: &Column, exec: &Exec) -> Result<bool> {
    let View::Fixed(bits) = values.view()? else {
        return Err(Error::UnsupportedDType { dtype: values.dtype() });
    };
    let least = reduce(Aggregation::Min, &bits, exec)?;
    Ok(Column::from_data(DType::Bool, ColumnData::Fixed(least))?.get(0)? == Scalar::Bool(true))
}
