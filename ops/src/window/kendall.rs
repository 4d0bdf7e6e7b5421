//! Kendall's correlation.

use super::cumulative::scanned;
use super::range_counts::{RangesOf, counts_below};
use super::rank::{Runs, sort_key, valid_ones};
use super::{Ordered, moved_to};
use crate::copying::concat;
use crate::expression::{Aggregation, Literal, Rank, col, lit, when};
use crate::groupby::grouped_rows::{GroupedRows, column_of, compute, validity};
use crate::sort::argsort;
use columnade_buffers::Exec;
use columnade_columns::{Column, DType, Error, Result};

/// Kendall's tau-b of two columns by group, over the rows where both are valid: the pairs of rows that both columns order
/// alike less those that they order otherwise, divided by the root of the pairs that the one orders times those that the
/// other does. Null for fewer than two rows.
///
/// # Device
/// Two sorts by group, and the discordant pairs as [`counts_below`] of the rows before each one.
///
/// # Source
/// pandas `Series.corr(method="kendall")`; W. R. Knight, "A computer method for calculating Kendall's tau with ungrouped data"
/// (1966).
pub(crate) fn kendall(x: &Column, y: &Column, groups: &GroupedRows<'_>) -> Result<Column> {
    let exec = groups.exec;
    let (x, y) = (places(x, exec)?, places(y, exec)?);
    let both = || col("x").is_not_null().and(col("y").is_not_null());
    let valid = compute(&[("x", &x), ("y", &y)], both(), exec)?.without_mask();
    let x = valid_ones(&x, Some(&valid), exec)?;
    let y = valid_ones(&y, Some(&valid), exec)?;
    let key = |column| sort_key(Rank::default(), column);

    // By y: the pairs that it orders.
    let by_y = Ordered::of(groups, groups.sorted_by(&[key(&y)])?)?;
    let runs = run_starts(&[&by_y.values(&y)?], &by_y)?;
    let pairs_of_y = by_y.in_row_order(&by_y.compute(&[("run", &runs)], col("run") - col("start"))?)?;

    // By x and y: those that x orders, those that are equal in both, and those in which y descends.
    let rows = Ordered::of(groups, groups.sorted_by(&[key(&x), key(&y)])?)?;
    let (ordered_x, ordered_y) = (rows.values(&x)?, rows.values(&y)?);
    let runs = run_starts(&[&ordered_x], &rows)?;
    let pairs_of_x = rows.compute(&[("run", &runs)], col("run") - col("start"))?;
    let runs = run_starts(&[&ordered_x, &ordered_y], &rows)?;
    let equal = rows.compute(&[("run", &runs)], col("row") - col("run"))?;
    let or_none = |of: &str| when(col(of).is_null()).then(lit(0_i64)).otherwise(col(of));
    let ordered_y = compute(&[("y", &ordered_y)], or_none("y"), exec)?.without_mask();
    let starts = rows.compute(&[], or_none("start"))?.without_mask();
    let most = i64::try_from(y.size()).map_err(|_| Error::Overflow { dtype: DType::Int64 })?;
    let limits = compute(&[("y", &ordered_y)], col("y") + 1, exec)?;
    let ranges = RangesOf { starts: &starts, ends: rows.positions()? };
    let [no_greater] = counts_below(&ordered_y, most, ranges, [&limits], exec)?;
    let columns = [("no_greater", &no_greater)];
    let discordant = rows.compute(&columns, col("row") - col("start") - col("no_greater"))?;

    let sum = |of_rows: &Column| -> Result<Column> {
        groups.aggregate(Aggregation::Sum, &valid_ones(of_rows, Some(&valid), exec)?, DType::Int64)
    };
    let sum_ordered = |ordered: &Column| sum(&rows.in_row_order(ordered)?);
    let (of_x, of_y) = (sum_ordered(&pairs_of_x)?, sum(&pairs_of_y)?);
    let (discordant, equal) = (sum_ordered(&discordant)?, sum_ordered(&equal)?);
    let counts = groups.counts(&x)?;
    let columns =
        [("n", &counts), ("x", &of_x), ("y", &of_y), ("discordant", &discordant), ("equal", &equal)];
    let float = |of: &str| col(of).cast(DType::Float64);
    // Pairs that are equal in one of the columns have no part in it.
    let pairs = (col("n") * (col("n") - 1)).floor_div(2);
    let score = col("x") + col("y") - pairs + col("equal") - col("discordant") * 2;
    let tau = score.cast(DType::Float64) / float("x").sqrt() / float("y").sqrt();
    let tau = compute(&columns, tau, exec)?;
    // Rounding must not pass the ends; NaN stays.
    let within = when(col("tau").gt(1.0))
        .then(lit(1.0))
        .otherwise(when(col("tau").lt(-1.0)).then(lit(-1.0)).otherwise(col("tau")));
    let or_null = when(col("n").lt(2)).then(lit(Literal::Null)).otherwise(within);
    compute(&[("tau", &tau), ("n", &counts)], or_null, exec)
}

/// Equal numbers for equal values, in their order; null for nulls.
fn places(values: &Column, exec: &Exec) -> Result<Column> {
    let map = argsort(&[sort_key(Rank::default(), values)], exec)?;
    let order = column_of(&map, exec)?;
    let places = moved_to(&Runs::new(values, &order, None, exec)?.of_rows, &map, exec)?;
    valid_ones(&places, validity(values, exec)?.as_ref(), exec)
}

/// Where the run of rows with equal numbers of each of the ordered rows begins, within its group.
fn run_starts(ordered: &[&Column], rows: &Ordered<'_>) -> Result<Column> {
    let exec = rows.exec;
    let mut is_new = rows.compute(&[], col("row").eq(col("start")).or(col("start").is_null()))?;
    for &values in ordered {
        let size = values.size();
        let before =
            concat(&[&values.slice(0, size.min(1))?, &values.slice(0, size.saturating_sub(1))?], exec)?;
        let differs = col("new").or(col("x").ne(col("before")));
        is_new = compute(&[("new", &is_new), ("x", values), ("before", &before)], differs, exec)?;
    }
    // Nulls have no part in it.
    let start = when(col("new")).then(col("row")).otherwise(lit(0_i64));
    let starts = rows.compute(&[("new", &is_new)], start)?;
    scanned(Aggregation::Max, &starts, None, exec)
}
