//! Counts of the rows of ranges: those below a number, and distinct values.

use super::cumulative::scanned;
use super::moved_to;
use super::rank::{Runs, is_new, sort_key, valid_ones};
use crate::copying::concat;
use crate::expression::{Aggregation, Expr, Rank, RankMethod, col, lit, when};
use crate::groupby::grouped_rows::{column_of, compute, numbers, row_map, take, validity};
use crate::sort::argsort;
use columnade_buffers::Exec;
use columnade_columns::{Column, DType, Error, Result, Scalar};

/// Ranges of rows, `int64` without nulls.
#[derive(Clone, Copy)]
pub(super) struct RangesOf<'a> {
    pub(super) starts: &'a Column,
    pub(super) ends: &'a Column,
}

fn int(value: usize) -> Result<i64> {
    i64::try_from(value).map_err(|_| Error::Overflow { dtype: DType::Int64 })
}

/// The number of rows of each range whose number is less than the limit of the range.
///
/// `row_numbers` and `limits` are 0 to `most`, `int64` without nulls.
///
/// # Device
/// Of a wavelet matrix of the numbers, one level for each bit of `most`: a scan, two gathers and a permutation. Synchronises
/// once a level.
///
/// # Source
/// F. Claude and G. Navarro, "The wavelet matrix" (2012).
pub(super) fn counts_below(
    row_numbers: &Column,
    most: i64,
    ranges: RangesOf<'_>,
    limits: &Column,
    exec: &Exec,
) -> Result<Column> {
    let mut counts = Column::from_scalar(&Scalar::Int64(0), limits.size(), exec)?;
    let Some(last) = row_numbers.size().checked_sub(1) else { return Ok(counts) };
    let rows = numbers(row_numbers.size(), exec)?;
    let (mut level, mut low, mut high) = (row_numbers.clone(), ranges.starts.clone(), ranges.ends.clone());
    for bit in (0..i64::BITS - most.leading_zeros()).rev() {
        let has_bit = |of: &str| col(of).shift_right(i64::from(bit)).bit_and(1).ne(0);
        let is_zero = when(has_bit("x")).then(lit(0_i64)).otherwise(lit(1_i64));
        let zeros = scanned(Aggregation::Sum, &compute(&[("x", &level)], is_zero, exec)?, None, exec)?;
        let Scalar::Int64(all) = zeros.get(last)? else {
            return Err(Error::Internal { invariant: "counts of zeros are integers" });
        };
        // The zeros before a row: of the first one, which is none, null.
        let before = |row: &Column| -> Result<Column> {
            take(&zeros, &compute(&[("row", row)], col("row") - 1, exec)?, exec)
        };
        let (zeros_low, zeros_high) = (before(&low)?, before(&high)?);
        let or_none = |of: &str| when(col(of).is_null()).then(lit(0_i64)).otherwise(col(of));
        let columns = [
            ("limit", limits),
            ("count", &counts),
            ("low", &low),
            ("high", &high),
            ("zeros_low", &zeros_low),
            ("zeros_high", &zeros_high),
        ];
        let moved = |row: &str, zeros: &str| {
            when(has_bit("limit")).then(col(row) - or_none(zeros) + all).otherwise(or_none(zeros))
        };
        let more = when(has_bit("limit"))
            .then(col("count") + or_none("zeros_high") - or_none("zeros_low"))
            .otherwise(col("count"));
        let of_level = |expr: Expr| Ok::<_, Error>(compute(&columns, expr, exec)?.without_mask());
        let next = [more, moved("low", "zeros_low"), moved("high", "zeros_high")].map(of_level);
        let [next_counts, next_low, next_high] = next;
        (counts, low, high) = (next_counts?, next_low?, next_high?);
        if bit > 0 {
            // Rows with a zero first, both in their order.
            let columns = [("x", &level), ("row", &rows), ("zeros", &zeros)];
            let place = when(has_bit("x")).then(col("row") - col("zeros") + all).otherwise(col("zeros") - 1);
            level = moved_to(&level, &row_map(&compute(&columns, place, exec)?, exec)?, exec)?;
        }
    }
    Ok(counts)
}

/// The number of distinct values of each range, nulls not counted: of the rows whose value was not in the range before.
pub(super) fn distinct(values: &Column, ranges: RangesOf<'_>, exec: &Exec) -> Result<Column> {
    let n = int(values.size())?;
    let map = argsort(&[sort_key(Rank::default(), values)], exec)?;
    let order = column_of(&map, exec)?;
    let is_new = is_new(values, &order, exec)?;
    let none = Column::from_scalar(&Scalar::Int64(0), values.size().min(1), exec)?;
    let before = concat(&[&none, &order.slice(0, values.size().saturating_sub(1))?], exec)?;
    let previous = when(col("new")).then(lit(0_i64)).otherwise(col("before") + 1);
    let previous = compute(&[("new", &is_new), ("before", &before)], previous, exec)?.without_mask();
    let mut previous = moved_to(&previous, &map, exec)?;
    if let Some(valid) = validity(values, exec)? {
        let columns = [("valid", &valid), ("previous", &previous)];
        let or_beyond = when(col("valid")).then(col("previous")).otherwise(lit(n + 1));
        previous = compute(&columns, or_beyond, exec)?.without_mask();
    }
    let limits = compute(&[("start", ranges.starts)], col("start") + 1, exec)?;
    counts_below(&previous, n + 1, ranges, &limits, exec)
}

/// The rank of the last row of each range in it, null where its value is; `counts` are the values of the ranges.
///
/// # Errors
/// [`Error::NotImplemented`] for dense ranks.
pub(super) fn ranks(
    by: Rank,
    values: &Column,
    ranges: RangesOf<'_>,
    counts: &Column,
    exec: &Exec,
) -> Result<Column> {
    if by.method == RankMethod::Dense {
        return Err(Error::NotImplemented { feature: "dense ranks of windows".to_owned() });
    }
    let ascending = Rank { descending: false, ..by };
    let map = argsort(&[sort_key(ascending, values)], exec)?;
    let order = column_of(&map, exec)?;
    // Nulls come last, so that none of them is below a value.
    let places = moved_to(&Runs::new(values, &order, None, exec)?.of_rows, &map, exec)?;
    let last = when(col("end").gt(col("start"))).then(col("end") - 1).otherwise(lit(-1_i64));
    let last = compute(&[("start", ranges.starts), ("end", ranges.ends)], last, exec)?;
    let place = take(&places, &last, exec)?;
    let or_none = when(col("x").is_null()).then(lit(0_i64)).otherwise(col("x"));
    let place = compute(&[("x", &place)], or_none, exec)?.without_mask();
    let most = int(values.size())?;
    let below = counts_below(&places, most, ranges, &place, exec)?;
    let above = compute(&[("x", &place)], col("x") + 1, exec)?;
    let up_to = counts_below(&places, most, ranges, &above, exec)?;
    let before = if by.descending { col("count") - col("up_to") } else { col("below") };
    let equal = || col("up_to") - col("below");
    let rank = match by.method {
        RankMethod::Min => before + 1,
        // The last row is the last one of the equal values.
        RankMethod::Max | RankMethod::First => before + equal(),
        RankMethod::Average | RankMethod::Dense => {
            before.cast(DType::Float64) + (equal() + 1).cast(DType::Float64) / 2.0
        }
    };
    let rank = if by.pct { rank.cast(DType::Float64) / col("count").cast(DType::Float64) } else { rank };
    let columns = [("below", &below), ("up_to", &up_to), ("count", counts)];
    let ranks = compute(&columns, rank, exec)?;
    // Of a range whose last value is null, or that has no rows, no value is the last one.
    let valid = match validity(values, exec)? {
        Some(valid) => take(&valid.without_mask(), &last, exec)?,
        None => compute(&[("last", &last)], col("last").ge(0), exec)?,
    };
    let is_valid = when(col("valid").is_null()).then(lit(false)).otherwise(col("valid"));
    let valid = compute(&[("valid", &valid)], is_valid, exec)?.without_mask();
    valid_ones(&ranks, Some(&valid), exec)
}
