//! Counts of the rows of ranges: those below a number, and distinct values.

use super::cumulative::scanned;
use super::moved_to;
use super::rank::{Runs, is_new, sort_key, valid_ones};
use super::rolling::fixed;
use crate::copying::concat;
use crate::expression::{Aggregation, Expr, Rank, RankMethod, col, lit, when};
use crate::groupby::grouped_rows::{GroupedRows, column_of, compute, numbers, row_map, take, validity};
use crate::sort::argsort;
use columnade_buffers::Exec;
use columnade_columns::{Column, DType, Error, Result, Scalar};
use columnade_kernels::ColumnData;
use columnade_kernels::searching::search_sorted::{Ranges, SearchSide, search_sorted};

/// Ranges of rows, `int64` without nulls.
#[derive(Clone, Copy)]
pub(super) struct RangesOf<'a> {
    pub(super) starts: &'a Column,
    pub(super) ends: &'a Column,
}

fn int(value: usize) -> Result<i64> {
    i64::try_from(value).map_err(|_| Error::Overflow { dtype: DType::Int64 })
}

/// Of each list of limits, the number of rows of each range whose number is less than the limit of the range.
///
/// `row_numbers` and `limits` are 0 to `most`, `int64` without nulls.
///
/// # Device
/// Of a wavelet matrix of the numbers, one level for each bit of `most`: a scan, a permutation, and two gathers for each list
/// of limits. Of each level the rows with a one are in reverse order at its end, so that their places do not depend on how
/// many there are: nothing is synchronised.
///
/// # Source
/// F. Claude and G. Navarro, "The wavelet matrix" (2012).
pub(super) fn counts_below<const N: usize>(
    row_numbers: &Column,
    most: i64,
    ranges: RangesOf<'_>,
    limits: [&Column; N],
    exec: &Exec,
) -> Result<[Column; N]> {
    let mut counts = Vec::with_capacity(N);
    for limits in limits {
        let none = Column::from_scalar(&Scalar::Int64(0), limits.size(), exec)?;
        let (low, high) = (ranges.starts.clone(), ranges.ends.clone());
        counts.push(CountsBelow { limits, counts: none, low, high });
    }
    let all = int(row_numbers.size())?;
    let rows = numbers(row_numbers.size(), exec)?;
    let mut level = row_numbers.clone();
    let bits = if all == 0 { 0 } else { i64::BITS - most.leading_zeros() };
    for bit in (0..bits).rev() {
        let is_zero = when(has_bit("x", bit)).then(lit(0_i64)).otherwise(lit(1_i64));
        let zeros = scanned(Aggregation::Sum, &compute(&[("x", &level)], is_zero, exec)?, None, exec)?;
        for counts in &mut counts {
            counts.go_below(bit, &zeros, all, exec)?;
        }
        if bit > 0 {
            let columns = [("x", &level), ("row", &rows), ("zeros", &zeros)];
            let from_end = col("zeros") - col("row") + (all - 1);
            let place = when(has_bit("x", bit)).then(from_end).otherwise(col("zeros") - 1);
            level = moved_to(&level, &row_map(&compute(&columns, place, exec)?, exec)?, exec)?;
        }
    }
    let counts: Vec<Column> = counts.into_iter().map(|counts| counts.counts).collect();
    counts.try_into().map_err(|_| Error::Internal { invariant: "each list of limits has counts" })
}

fn has_bit(of: &str, bit: u32) -> Expr {
    col(of).shift_right(i64::from(bit)).bit_and(1).ne(0)
}

/// The rows of each range that have the bits of the limit so far, at a level, and the number of those below it.
struct CountsBelow<'a> {
    limits: &'a Column,
    counts: Column,
    low: Column,
    high: Column,
}

impl CountsBelow<'_> {
    /// To the next level, by the number of rows without the bit up to each of the `rows` of this one.
    fn go_below(&mut self, bit: u32, zeros: &Column, rows: i64, exec: &Exec) -> Result<()> {
        // The zeros before a row: of the first one, which is none, null.
        let before = |row: &Column| -> Result<Column> {
            take(zeros, &compute(&[("row", row)], col("row") - 1, exec)?, exec)
        };
        let (zeros_low, zeros_high) = (before(&self.low)?, before(&self.high)?);
        let or_none = |of: &str| when(col(of).is_null()).then(lit(0_i64)).otherwise(col(of));
        let columns = [
            ("limit", self.limits),
            ("count", &self.counts),
            ("low", &self.low),
            ("high", &self.high),
            ("zeros_low", &zeros_low),
            ("zeros_high", &zeros_high),
        ];
        // The ones before the end of a range are those after its start at the next level.
        let moved = |one: &str, zeros_of_one: &str, zeros: &str| {
            let from_end = or_none(zeros_of_one) - col(one) + rows;
            when(has_bit("limit", bit)).then(from_end).otherwise(or_none(zeros))
        };
        let more = when(has_bit("limit", bit))
            .then(col("count") + or_none("zeros_high") - or_none("zeros_low"))
            .otherwise(col("count"));
        let low = moved("high", "zeros_high", "zeros_low");
        let high = moved("low", "zeros_low", "zeros_high");
        let [counts, low, high] =
            [more, low, high].map(|expr| Ok::<_, Error>(compute(&columns, expr, exec)?.without_mask()));
        (self.counts, self.low, self.high) = (counts?, low?, high?);
        Ok(())
    }
}

/// The number of distinct values of each range, nulls not counted. Neither starts nor ends descend, but for rows at the end
/// whose results do not matter.
///
/// # Device
/// A sort of the values and two binary searches a row. With the number of ranges before which each row is new, the distinct
/// values follow from running sums.
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
    let valid = validity(values, exec)?;
    if let Some(valid) = &valid {
        let columns = [("valid", valid), ("previous", &previous)];
        let or_beyond = when(col("valid")).then(col("previous")).otherwise(lit(n + 1));
        previous = compute(&columns, or_beyond, exec)?.without_mask();
    }
    // As ids of groups, ranges are 32-bit numbers.
    if u32::try_from(values.size()).is_ok_and(|ranges| ranges < u32::MAX) {
        return distinct_by_sums(&previous, valid.as_ref(), ranges, exec);
    }
    distinct_by_levels(&previous, ranges, exec)
}

/// The rows of each range whose `previous` is at most its start: the row of the same value before, counted from 1.
pub(super) fn distinct_by_levels(previous: &Column, ranges: RangesOf<'_>, exec: &Exec) -> Result<Column> {
    let limits = compute(&[("start", ranges.starts)], col("start") + 1, exec)?;
    let [counts] = counts_below(previous, int(previous.size())? + 1, ranges, [&limits], exec)?;
    Ok(counts)
}

/// The same. A row counts from the first range on that ends after it and does not begin before `previous`: rows before the start
/// of a later range do too, and are taken off.
pub(super) fn distinct_by_sums(
    previous: &Column,
    valid: Option<&Column>,
    ranges: RangesOf<'_>,
    exec: &Exec,
) -> Result<Column> {
    let rows = numbers(previous.size(), exec)?;
    let [starts, ends] =
        [ranges.starts, ranges.ends].map(|bounds| scanned(Aggregation::Max, bounds, None, exec));
    let (starts, ends) = (starts?, ends?);
    let [none, all] =
        [0, int(previous.size())?].map(|row| Column::from_scalar(&Scalar::Int64(row), previous.size(), exec));
    let (none, all) = (none?, all?);
    let everywhere = Ranges { starts: fixed(&none)?, ends: fixed(&all)? };
    let first_of = |bounds: &Column, needles: &Column, side| -> Result<Column> {
        let found = search_sorted(&fixed(bounds)?, &fixed(needles)?, &everywhere, side, exec)?;
        Column::from_data(DType::Int64, ColumnData::Fixed(found))
    };
    let by_end = first_of(&ends, &rows, SearchSide::Right)?;
    let by_start = first_of(&starts, previous, SearchSide::Left)?;
    let later = when(col("by_end").gt(col("by_start"))).then(col("by_end")).otherwise(col("by_start"));
    let is_any = later.clone().lt(int(previous.size())?);
    let id = when(is_any).then(later).otherwise(i64::from(u32::MAX)).cast(DType::UInt32);
    let ids = compute(&[("by_end", &by_end), ("by_start", &by_start)], id, exec)?.without_mask();
    let of_ranges =
        GroupedRows::of_ids(row_map(&rows, exec)?, row_map(&rows, exec)?, exec).some_rows(&ids)?;
    let so_far = scanned(Aggregation::Sum, &of_ranges.sizes()?, None, exec)?;
    let before_start = match valid {
        None => starts,
        Some(valid) => {
            let one = when(col("valid")).then(lit(1_i64)).otherwise(lit(0_i64));
            let ones = compute(&[("valid", valid)], one, exec)?.without_mask();
            let valid_so_far = scanned(Aggregation::Sum, &ones, None, exec)?;
            let last = compute(&[("start", &starts)], col("start") - 1, exec)?;
            let found = take(&valid_so_far, &last, exec)?;
            let or_none = when(col("x").is_null()).then(lit(0_i64)).otherwise(col("x"));
            compute(&[("x", &found)], or_none, exec)?.without_mask()
        }
    };
    let columns = [("so_far", &so_far), ("before", &before_start)];
    Ok(compute(&columns, col("so_far") - col("before"), exec)?.without_mask())
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
    let above = compute(&[("x", &place)], col("x") + 1, exec)?;
    let [below, up_to] = counts_below(&places, most, ranges, [&place, &above], exec)?;
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
