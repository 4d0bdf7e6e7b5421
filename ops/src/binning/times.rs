//! Rows in bins of time, and their aggregates bin by bin.

use super::fixed;
use crate::cast::{CastMode, cast};
use crate::copying::concat;
use crate::distinct::{Keep, unique};
use crate::expression::{Expr, Literal, col, evaluate, lit, when};
use crate::groupby::grouped_rows::{column_of, compute, numbers, take};
use crate::groupby::{GroupOptions, aggregate};
use crate::missing::{DropHow, drop_nulls};
use crate::sort::{NullOrder, Order, SearchSide, SortKey, argsort, search_sorted};
use columnade_buffers::{Exec, with_retry_no_split};
use columnade_columns::{Column, ColumnAccessor, DType, Error, Levels, Result, Scalar};
use columnade_kernels::ColumnData;
use columnade_kernels::searching::search_sorted::{Ranges, search_sorted as search};

/// The number of the bin of each time, `edges[i]` to `edges[i + 1]` being bin `i`; null for a null, and outside of all bins.
///
/// # Shapes and units
/// times: n dates, timestamps or durations; edges: ascending, in the unit of the times; `right`: a bin has its upper edge,
/// or else its lower one → n rows of `int64`.
///
/// # Errors
/// [`Error::UnsupportedDType`] for what is no time; [`Error::Memory`].
///
/// # Device
/// A binary search in the edges a row.
///
/// # Source
/// pandas `resample`, `cudf/labeling/label_bins.hpp` `label_bins`.
pub fn time_bins(times: &Column, edges: &[i64], right: bool, exec: &Exec) -> Result<Column> {
    check_time(&times.dtype())?;
    with_retry_no_split(exec, |exec| {
        let keys = counts(times, exec)?;
        let edges = Column::from_slice(edges, exec)?;
        let constant = |value: usize| {
            Column::from_scalar(&Scalar::Int64(i64::try_from(value).unwrap_or(i64::MAX)), keys.size(), exec)
        };
        let (starts, ends) = (constant(0)?, constant(edges.size())?);
        let ranges = Ranges { starts: fixed(&starts)?, ends: fixed(&ends)? };
        let side = if right { SearchSide::Left } else { SearchSide::Right };
        let found = search(&fixed(&edges)?, &fixed(&keys)?, &ranges, side, exec)?;
        let found = Column::from_data(DType::Int64, ColumnData::Fixed(found))?.without_mask();
        let bins = i64::try_from(edges.size()).unwrap_or(i64::MAX) - 1;
        let is_in = col("found").gt(0).and(col("found").le(bins)).and(col("key").is_not_null());
        let or_null = when(is_in).then(col("found") - 1).otherwise(lit(Literal::Null));
        compute(&[("found", &found), ("key", &keys)], or_null, exec)
    })
}

fn check_time(dtype: &DType) -> Result<()> {
    if dtype.is_temporal() || matches!(dtype, DType::Duration(_)) {
        return Ok(());
    }
    Err(Error::UnsupportedDType { dtype: dtype.clone() })
}

/// Times in their unit.
fn counts(times: &Column, exec: &Exec) -> Result<Column> {
    if matches!(times.dtype(), DType::Duration(_)) {
        return times.reinterpret(&DType::Int64);
    }
    cast(times, &DType::Int64, CastMode::Wrap, exec)
}

/// [`time_bins`] of which each group has its own: the edges of group `g` are those from `starts[g]` to before `starts[g + 1]`.
/// Bins are numbered on from group to group; null for a null group.
///
/// # Shapes and units
/// times, groups: n rows, groups of `int64`; starts: one more than there are groups → n rows of `int64`.
///
/// # Errors
/// As [`time_bins`].
///
/// # Device
/// A binary search in the edges of its group a row.
///
/// # Source
/// pandas `GroupBy.resample`.
pub fn time_bins_by_group(
    times: &Column,
    groups: &Column,
    edges: &[i64],
    starts: &[i64],
    right: bool,
    exec: &Exec,
) -> Result<Column> {
    check_time(&times.dtype())?;
    // Of a group with edges, bins are one fewer.
    let mut skipped = Vec::with_capacity(starts.len());
    let mut groups_with_edges = 0;
    for bounds in starts.windows(2) {
        skipped.push(groups_with_edges);
        groups_with_edges += i64::from(bounds[1] > bounds[0]);
    }
    with_retry_no_split(exec, |exec| {
        let keys = counts(times, exec)?;
        let edges = Column::from_slice(edges, exec)?;
        let of_row = |values: &[i64]| -> Result<Column> {
            let found = take(&Column::from_slice(values, exec)?, groups, exec)?;
            let or_zero = when(col("x").is_null()).then(lit(0_i64)).otherwise(col("x"));
            Ok(compute(&[("x", &found)], or_zero, exec)?.without_mask())
        };
        let [begins, ends, skipped] =
            [&starts[..skipped.len()], &starts[starts.len().min(1)..], &skipped].map(of_row);
        let (begins, ends, skipped) = (begins?, ends?, skipped?);
        let ranges = Ranges { starts: fixed(&begins)?, ends: fixed(&ends)? };
        let side = if right { SearchSide::Left } else { SearchSide::Right };
        let found = search(&fixed(&edges)?, &fixed(&keys)?, &ranges, side, exec)?;
        let found = Column::from_data(DType::Int64, ColumnData::Fixed(found))?.without_mask();
        let is_there = col("key").is_not_null().and(col("group").is_not_null());
        let is_in = col("found").gt(col("begin")).and(col("found").lt(col("end"))).and(is_there);
        let number = when(is_in).then(col("found") - 1 - col("skipped")).otherwise(lit(Literal::Null));
        let columns = [
            ("found", &found),
            ("key", &keys),
            ("group", groups),
            ("begin", &begins),
            ("end", &ends),
            ("skipped", &skipped),
        ];
        compute(&columns, number, exec)
    })
}

/// One row for each of `bins` bins, in their order: the aggregates of the rows with its number, under their labels. A bin
/// without rows has the aggregates of no rows: a sum of 0, a mean that is null.
///
/// # Shapes and units
/// frame: n rows; numbers: n rows of `int64`, null or below `bins` → `bins` rows.
///
/// # Errors
/// Those of [`aggregate`]: a missing column, a dtype that an aggregate does not have, an overflow of decimals, memory.
///
/// # Device
/// Those of [`aggregate`] of the rows and of no rows, and a gather of `bins` rows.
///
/// # Source
/// pandas `Resampler.agg`.
pub fn aggregate_bins(
    frame: &ColumnAccessor,
    numbers_of_rows: &Column,
    bins: usize,
    aggregates: &[Expr],
    exec: &Exec,
) -> Result<ColumnAccessor> {
    // A column beside those of the frame has a label of one level.
    let mut rows = frame.clone().relevel(Levels::default())?;
    let mut label = "bin".to_owned();
    while rows.contains(&*label) || aggregates.iter().any(|aggregate| aggregate.label() == label.as_str()) {
        label.push('\'');
    }
    rows.insert(label.clone(), numbers_of_rows.clone())?;
    let options = GroupOptions::default();
    let found = aggregate(&rows, None, &[col(&*label)], aggregates, options, exec)?;
    let empty = aggregate(&rows.slice(0, 0)?, None, &[], aggregates, options, exec)?;
    with_retry_no_split(exec, |exec| {
        let observed = found.get(&*label)?;
        let by = |column| SortKey { column, order: Order::Ascending, nulls: NullOrder::Last };
        let order = column_of(&argsort(&[by(observed)], exec)?, exec)?;
        let sorted = take(observed, &order, exec)?;
        let all = numbers(bins, exec)?;
        let [left, right] = [SearchSide::Left, SearchSide::Right]
            .map(|side| search_sorted(&[by(&sorted)], &[&all], side, exec));
        let (left, right) = (left?, right?);
        // The row of no rows comes after the others.
        let last = i64::try_from(sorted.size()).unwrap_or(i64::MAX);
        let place = when(col("right").gt(col("left"))).then(col("left")).otherwise(lit(Literal::Null));
        let place = compute(&[("left", &left), ("right", &right)], place, exec)?;
        let row = take(&order, &place, exec)?;
        let row = compute(
            &[("row", &row)],
            when(col("row").is_null()).then(lit(last)).otherwise(col("row")),
            exec,
        )?
        .without_mask();
        let mut columns = Vec::with_capacity(aggregates.len());
        for (name, of_empty) in empty.labels().iter().zip(empty.columns()) {
            let of_both = concat(&[found.get(name)?, of_empty], exec)?;
            columns.push((name.clone(), take(&of_both, &row, exec)?));
        }
        ColumnAccessor::from_columns(columns)
    })
}

/// Which row a time has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeMatch {
    /// The row of that time.
    Exact,
    /// The last row that is not after it; the row for at most so many times in a row that no row has.
    Before(Option<u64>),
    /// The first row that is not before it, likewise.
    After(Option<u64>),
}

/// The row of each time of `at` among the rows with `times`; null where there is none. Null times have none.
///
/// # Shapes and units
/// times: n rows of a dtype, without duplicates, in any order; at: m rows of that dtype, ascending → m rows of `int64`.
///
/// # Errors
/// [`Error::UnsupportedDType`] and [`Error::DTypeMismatch`] for what has no order; [`Error::Memory`].
///
/// # Device
/// A sort of the times, and two binary searches for each time of `at`.
///
/// # Source
/// pandas `Resampler.asfreq`, `ffill`, `bfill`.
pub fn rows_at_times(times: &Column, at: &Column, how: TimeMatch, exec: &Exec) -> Result<Column> {
    with_retry_no_split(exec, |exec| {
        let by = |column| SortKey { column, order: Order::Ascending, nulls: NullOrder::Last };
        let order = column_of(&argsort(&[by(times)], exec)?, exec)?;
        let sorted = take(times, &order, exec)?;
        let side = |side| search_sorted(&[by(&sorted)], &[at], side, exec);
        let (left, right) = (side(SearchSide::Left)?, side(SearchSide::Right)?);
        let valid = i64::try_from(times.size() - times.null_count(exec)?).unwrap_or(i64::MAX);
        let is_exact = || col("right").gt(col("left"));
        let or_null = |is_there: Expr, row: Expr| when(is_there).then(row).otherwise(lit(Literal::Null));
        let place = match how {
            TimeMatch::Exact => or_null(is_exact(), col("left")),
            TimeMatch::Before(_) => or_null(col("right").gt(0), col("right") - 1),
            TimeMatch::After(_) => or_null(col("left").lt(valid), col("left")),
        };
        let place = compute(&[("left", &left), ("right", &right)], place, exec)?;
        let place = match how {
            TimeMatch::Exact | TimeMatch::Before(None) | TimeMatch::After(None) => place,
            TimeMatch::Before(Some(limit)) | TimeMatch::After(Some(limit)) => {
                let others = when(is_exact()).then(lit(0_i64)).otherwise(lit(1_i64));
                let so_far = others.clone().cum_sum().over("place");
                let distance = if matches!(how, TimeMatch::Before(_)) {
                    so_far
                } else {
                    others.sum().over("place") - so_far + 1
                };
                let is_near = is_exact().or(distance.le(limit));
                let columns = [("left", left), ("right", right), ("place", place)];
                let frame = ColumnAccessor::from_columns(columns)?;
                evaluate(&[or_null(is_near, col("place"))], &frame, exec)?.swap_remove(0).1
            }
        };
        take(&order, &place, exec)
    })
}

/// The times of both columns, each once, ascending, without nulls.
///
/// # Errors
/// [`Error::DTypeMismatch`] for columns of different dtypes; [`Error::Memory`].
///
/// # Source
/// pandas `DatetimeIndex.union`.
pub fn union_of_times(times: &Column, others: &Column, exec: &Exec) -> Result<Column> {
    let both = ColumnAccessor::from_columns([("time", concat(&[times, others], exec)?)])?;
    let both = drop_nulls(&both, both.labels(), DropHow::Any, exec)?;
    let both = unique(&both, both.labels(), Keep::First, exec)?;
    let column = both.get("time")?;
    let by = SortKey { column, order: Order::Ascending, nulls: NullOrder::Last };
    take(column, &column_of(&argsort(&[by], exec)?, exec)?, exec)
}
