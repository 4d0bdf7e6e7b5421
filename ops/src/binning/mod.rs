//! Values sorted into bins, and aggregates of bins.

#[cfg(test)]
mod test_times;
#[cfg(test)]
mod tests;
mod times;

use crate::cast::{CastMode, cast};
use crate::expression::{Literal, col, lit, when};
use crate::groupby::grouped_rows::compute;
use crate::sort::search_sorted::ordered_int64;
use columnade_buffers::{Exec, with_retry_no_split};
use columnade_columns::{Column, DType, Error, Result, Scalar};
use columnade_kernels::searching::search_sorted::{Ranges, SearchSide, search_sorted};
use columnade_kernels::{ColumnData, Fixed, View};
use std::cmp::Ordering;

pub use times::{TimeMatch, aggregate_bins, rows_at_times, time_bins, time_bins_by_group, union_of_times};

/// Which edges belong to a bin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BinEdges {
    /// Whether a bin has its upper edge, or else its lower one.
    pub right: bool,
    /// Whether the first bin has its lower edge too, or without `right` the last bin its upper edge.
    pub include_lowest: bool,
}

/// The number of the bin of each value, `edges[i]` to `edges[i + 1]` being bin `i`; null for a null, for NaN and outside of all
/// bins. Integers are compared with the edges exactly.
///
/// # Shapes and units
/// values: n rows; edges: ascending, not NaN → n rows of `int64`.
///
/// # Errors
/// [`Error::UnsupportedDType`] for values that are neither numbers nor all null; [`Error::InvalidArgument`] for edges that do not ascend, or fewer
/// than two; [`Error::Memory`].
///
/// # Device
/// A binary search in the edges a row, which two bounds of a row are made for.
///
/// # Source
/// `cudf/labeling/label_bins.hpp` `label_bins`, pandas `cut(labels=False)`, `numpy.digitize`.
pub fn bin_numbers(values: &Column, edges: &[f64], closed: BinEdges, exec: &Exec) -> Result<Column> {
    check_edges(edges)?;
    let dtype = values.dtype();
    if dtype == DType::Null {
        return Column::full_null(&DType::Int64, values.size(), exec);
    }
    if !dtype.is_numeric() {
        return Err(Error::UnsupportedDType { dtype });
    }
    with_retry_no_split(exec, |exec| numbers_of_bins(values, edges, closed, exec))
}

/// Whether edges of bins ascend.
///
/// # Errors
/// [`Error::InvalidArgument`].
pub(crate) fn check_edges(edges: &[f64]) -> Result<()> {
    let reason = if edges.len() < 2 {
        format!("{} of them: a bin has two", edges.len())
    } else if let Some((edge, next)) =
        edges.iter().zip(&edges[1..]).find(|(edge, next)| edge.partial_cmp(next).is_none_or(Ordering::is_ge))
    {
        format!("{edge:?} is followed by {next:?}: they must ascend")
    } else {
        return Ok(());
    };
    Err(Error::InvalidArgument { name: "edges", reason })
}

fn fixed(column: &Column) -> Result<Fixed<'_>> {
    match column.view()? {
        View::Fixed(view) => Ok(view),
        View::String(_) => Err(Error::UnsupportedDType { dtype: column.dtype() }),
    }
}

/// Edges as the keys of values are compared with them.
enum Bounds {
    /// In the order of the keys.
    Column(Column),
    /// The least keys that are beyond the edges; `None` beyond the edges that no key is.
    Whole(Vec<Option<i64>>),
}

/// The bounds of integers, whose keys are `int64`: an integer is greater than an edge from the floor of that and 1 on, and at
/// least an edge from the ceiling on.
fn whole_bounds(edges: &[f64], closed: BinEdges, is_unsigned: bool) -> Bounds {
    let first = if is_unsigned { 0 } else { i128::from(i64::MIN) };
    let least = |edge: &f64| {
        #[expect(clippy::cast_possible_truncation, reason = "the cast saturates, as the comparison wants")]
        let least = if closed.right { (edge.floor() as i128).saturating_add(1) } else { edge.ceil() as i128 };
        // Keys of unsigned integers are those less 2⁶³.
        i64::try_from(least.max(first).saturating_add(i128::from(i64::MIN) - first)).ok()
    };
    Bounds::Whole(edges.iter().map(least).collect())
}

fn numbers_of_bins(values: &Column, edges: &[f64], closed: BinEdges, exec: &Exec) -> Result<Column> {
    let dtype = values.dtype();
    let (values, keys, bounds) = if dtype.is_integer() {
        let missing = || Error::Internal { invariant: "integers are ordered as `int64`" };
        let keys = ordered_int64(values, exec)?.ok_or_else(missing)?;
        (values.clone(), keys, whole_bounds(edges, closed, dtype == DType::UInt64))
    } else {
        let floats = cast(values, &DType::Float64, CastMode::Wrap, exec)?;
        // NaN is in no bin.
        let number = when(col("x").eq(col("x"))).then(col("x")).otherwise(lit(Literal::Null));
        let numbers = compute(&[("x", &floats)], number, exec)?;
        let ordered = |column: &Column| {
            ordered_int64(column, exec)?
                .ok_or(Error::Internal { invariant: "floats are ordered as integers" })
        };
        let bounds = ordered(&Column::from_slice(edges, exec)?)?;
        // Edges are compared as `float64` with other floats too.
        (floats, ordered(&numbers)?, Bounds::Column(bounds))
    };
    let side = match bounds {
        Bounds::Column(_) if closed.right => SearchSide::Left,
        Bounds::Column(_) | Bounds::Whole(_) => SearchSide::Right,
    };
    let (bounds, searched) = match bounds {
        Bounds::Column(column) => (column, edges.len()),
        Bounds::Whole(least) => {
            let column = Column::from_slice(
                &least.iter().map(|bound| bound.unwrap_or(i64::MAX)).collect::<Vec<_>>(),
                exec,
            )?;
            (column, least.iter().flatten().count())
        }
    };
    let bins = i64::try_from(edges.len()).unwrap_or(i64::MAX) - 1;
    let constant = |value: i64| Column::from_scalar(&Scalar::Int64(value), keys.size(), exec);
    let (starts, ends) = (constant(0)?, constant(i64::try_from(searched).unwrap_or(i64::MAX))?);
    let ranges = Ranges { starts: fixed(&starts)?, ends: fixed(&ends)? };
    let found = search_sorted(&fixed(&bounds)?, &fixed(&keys)?, &ranges, side, exec)?;
    let found = Column::from_data(DType::Int64, ColumnData::Fixed(found))?;
    let mut number = col("found") - 1;
    if closed.include_lowest {
        let (edge, bin) = if closed.right { (edges[0], 0) } else { (edges[edges.len() - 1], bins - 1) };
        number = when(col("x").eq(edge)).then(lit(bin)).otherwise(number);
    }
    let is_in = col("number").ge(0).and(col("number").lt(bins)).and(col("key").is_not_null());
    let number = compute(&[("found", &found), ("x", &values)], number, exec)?;
    let number = match number.mask() {
        // Of a null there is no comparison with an edge.
        Some(_) => {
            compute(&[("n", &number)], when(col("n").is_null()).then(lit(-1_i64)).otherwise(col("n")), exec)?
        }
        None => number,
    };
    let or_null = when(is_in).then(col("number")).otherwise(lit(Literal::Null));
    compute(&[("number", &number), ("key", &keys)], or_null, exec)
}
