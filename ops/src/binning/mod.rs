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

fn numbers_of_bins(values: &Column, edges: &[f64], closed: BinEdges, exec: &Exec) -> Result<Column> {
    let dtype = values.dtype();
    // An integer is greater than an edge if it is greater than its floor, and at least an edge if at least its ceiling.
    let is_whole = dtype.is_integer() && dtype != DType::UInt64;
    let (keys, bounds) = if is_whole {
        #[expect(clippy::cast_possible_truncation, reason = "the cast saturates, as the comparison wants")]
        let bound = |edge: &f64| if closed.right { edge.floor() } else { edge.ceil() } as i64;
        let bounds = Column::from_slice(&edges.iter().map(bound).collect::<Vec<_>>(), exec)?;
        (cast(values, &DType::Int64, CastMode::Wrap, exec)?, bounds)
    } else {
        let floats = cast(values, &DType::Float64, CastMode::Wrap, exec)?;
        // NaN is in no bin.
        let number = when(col("x").eq(col("x"))).then(col("x")).otherwise(lit(Literal::Null));
        let floats = compute(&[("x", &floats)], number, exec)?;
        let ordered = |column: &Column| {
            ordered_int64(column, exec)?
                .ok_or(Error::Internal { invariant: "floats are ordered as integers" })
        };
        (ordered(&floats)?, ordered(&Column::from_slice(edges, exec)?)?)
    };
    let bins = i64::try_from(edges.len()).unwrap_or(i64::MAX) - 1;
    let constant = |value: i64| Column::from_scalar(&Scalar::Int64(value), keys.size(), exec);
    let (starts, ends) = (constant(0)?, constant(bins + 1)?);
    let ranges = Ranges { starts: fixed(&starts)?, ends: fixed(&ends)? };
    let side = if closed.right { SearchSide::Left } else { SearchSide::Right };
    let found = search_sorted(&fixed(&bounds)?, &fixed(&keys)?, &ranges, side, exec)?;
    let found = Column::from_data(DType::Int64, ColumnData::Fixed(found))?;
    let mut number = col("found") - 1;
    if closed.include_lowest {
        let (edge, bin) = if closed.right { (edges[0], 0) } else { (edges[edges.len() - 1], bins - 1) };
        number = when(col("x").eq(edge)).then(lit(bin)).otherwise(number);
    }
    let is_in = col("number").ge(0).and(col("number").lt(bins)).and(col("key").is_not_null());
    let number = compute(&[("found", &found), ("x", values)], number, exec)?;
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
