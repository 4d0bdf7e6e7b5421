//! Ranks.

use super::rolling::fixed;
use super::{Ordered, moved_to};
use crate::copying::{concat, gather_column};
use crate::expression::{Aggregation, Expr, Literal, Rank, RankMethod, col, lit, when};
use crate::filter::apply_mask;
use crate::groupby::NullKeys;
use crate::groupby::grouped_rows::{GroupedRows, column_of, compute, numbers, row_map, take, validity};
use crate::out_of_core::by_position;
use crate::sort::{NullOrder, Order, SortKey, argsort};
use columnade_buffers::Exec;
use columnade_columns::{Column, DType, Result, Scalar};
use columnade_kernels::copying::gather::MapNulls;
use columnade_kernels::filling::run_numbers::run_numbers;
use columnade_kernels::{ColumnData, Storage};

/// The rank of each value among all.
pub(super) fn of_whole(by: Rank, values: &Column, exec: &Exec) -> Result<Column> {
    let map = argsort(&[sort_key(by, values)], exec)?;
    let order = column_of(&map, exec)?;
    let valid = validity(values, exec)?;
    let runs = Runs::new(values, &order, None, exec)?;
    let ranks = valid_ones(&moved_to(&runs.ranks(by, None, exec)?, &map, exec)?, valid.as_ref(), exec)?;
    if !by.pct {
        return Ok(ranks);
    }
    // A dense rank is a share of the distinct values, as in pandas.
    let most = match by.method {
        RankMethod::Dense => {
            let groups = GroupedRows::new(&[], values.size(), NullKeys::Drop, exec)?;
            groups.broadcast(&groups.aggregate(Aggregation::Max, &ranks, DType::Int64)?)?
        }
        RankMethod::Average | RankMethod::Min | RankMethod::Max | RankMethod::First => {
            let count = values.size() - values.null_count(exec)?;
            let count = Scalar::Int64(i64::try_from(count).unwrap_or(i64::MAX));
            Column::from_scalar(&count, values.size(), exec)?
        }
    };
    share(&ranks, &most, exec)
}

/// The rank of each value in its group.
pub(super) fn by_group(by: Rank, values: &Column, groups: &GroupedRows<'_>) -> Result<Column> {
    let exec = groups.exec;
    let rows = Ordered::of(groups, groups.sorted_by(&[sort_key(by, values)])?)?;
    let runs = Runs::new(values, rows.order()?, Some(&rows), exec)?;
    let ranks = runs.ranks(by, Some(&rows), exec)?;
    let ranks = valid_ones(&rows.in_row_order(&ranks)?, validity(values, exec)?.as_ref(), exec)?;
    if !by.pct {
        return Ok(ranks);
    }
    let most = match by.method {
        RankMethod::Dense => groups.aggregate(Aggregation::Max, &ranks, DType::Int64)?,
        RankMethod::Average | RankMethod::Min | RankMethod::Max | RankMethod::First => {
            groups.counts(values)?
        }
    };
    share(&ranks, &groups.broadcast(&most)?, exec)
}

pub(super) fn sort_key(by: Rank, values: &Column) -> SortKey<'_> {
    let order = if by.descending { Order::Descending } else { Order::Ascending };
    SortKey { column: values, order, nulls: NullOrder::Last }
}

/// The ranks where `valid` is true, null elsewhere.
pub(super) fn valid_ones(ranks: &Column, valid: Option<&Column>, exec: &Exec) -> Result<Column> {
    let Some(valid) = valid else { return Ok(ranks.clone()) };
    let or_null = when(col("valid")).then(col("rank")).otherwise(lit(Literal::Null));
    compute(&[("rank", ranks), ("valid", valid)], or_null, exec)
}

fn share(ranks: &Column, most: &Column, exec: &Exec) -> Result<Column> {
    let share = col("rank").cast(DType::Float64) / col("most").cast(DType::Float64);
    compute(&[("rank", ranks), ("most", most)], share, exec)
}

/// Equal values of a group, which follow each other in the order.
pub(super) struct Runs {
    /// Where each run begins among the ordered rows, `int64`.
    starts: Column,
    /// The number of the run of each ordered row, from 0, `int64`.
    pub(super) of_rows: Column,
}

impl Runs {
    /// Those of all rows in `order`, or of the groups of the ordered `rows`.
    pub(super) fn new(
        values: &Column,
        order: &Column,
        rows: Option<&Ordered<'_>>,
        exec: &Exec,
    ) -> Result<Self> {
        let mut is_new = is_new(values, order, exec)?;
        if let Some(rows) = rows {
            // Rows of no group have no start, so that their rank is null; they are in no run of a group.
            let is_start =
                when(col("start").is_null()).then(lit(true)).otherwise(col("row").eq(col("start")));
            is_new = rows.compute(&[("new", &is_new)], col("new").or(is_start))?.without_mask();
        }
        let rows = by_position([&numbers(order.size(), exec)?], order.size())?;
        let starts = apply_mask(&rows, &is_new, exec)?.columns()[0].clone();
        let of_rows = run_numbers(&fixed(&starts)?, order.size(), Storage::I64, exec)?;
        Ok(Self { starts, of_rows: Column::from_data(DType::Int64, ColumnData::Fixed(of_rows))? })
    }

    /// The rank of each of the ordered rows, whether its value is null or not.
    fn ranks(&self, by: Rank, rows: Option<&Ordered<'_>>, exec: &Exec) -> Result<Column> {
        let group = rows.map(Ordered::bounds).transpose()?.map(|bounds| &bounds.start);
        let ordered = self.of_rows.size();
        if by.method == RankMethod::First {
            return match rows {
                Some(rows) => rows.compute(&[], col("row") - col("start") + 1),
                None => compute(&[("row", &numbers(ordered, exec)?)], col("row") + 1, exec),
            };
        }
        // Of runs, of which there are fewer.
        let mut columns = vec![("first", &self.starts)];
        let before = match (group, by.method) {
            (None, _) => None,
            (Some(group), RankMethod::Dense) => {
                let of_run = take(group, &self.starts, exec)?;
                Some(take(&self.of_rows, &of_run, exec)?)
            }
            (Some(group), _) => Some(take(group, &self.starts, exec)?),
        };
        if let Some(before) = &before {
            columns.push(("before", before));
        }
        let number = numbers(self.starts.size(), exec)?;
        let ends = match by.method {
            RankMethod::Max | RankMethod::Average => Some(self.ends(exec)?),
            RankMethod::Min | RankMethod::Dense | RankMethod::First => None,
        };
        if let Some(ends) = &ends {
            columns.push(("end", ends));
        }
        let after = |place: Expr| if before.is_some() { place - col("before") } else { place };
        let rank = match by.method {
            RankMethod::Max => after(col("end")),
            RankMethod::Average => {
                let first = after(col("first")) + 1;
                first.cast(DType::Float64) + (col("end") - col("first") - 1).cast(DType::Float64) / 2.0
            }
            RankMethod::Dense => {
                columns.push(("number", &number));
                after(col("number")) + 1
            }
            RankMethod::Min | RankMethod::First => after(col("first")) + 1,
        };
        take(&compute(&columns, rank, exec)?, &self.of_rows, exec)
    }

    /// Where each run ends.
    fn ends(&self, exec: &Exec) -> Result<Column> {
        let runs = self.starts.size();
        let all = Scalar::Int64(i64::try_from(self.of_rows.size()).unwrap_or(i64::MAX));
        let all = Column::from_scalar(&all, runs.min(1), exec)?;
        concat(&[&self.starts.slice(runs.min(1), runs - runs.min(1))?, &all], exec)
    }
}

/// Whether each of the ordered rows has another value than the one before; nulls are equal, and so are NaNs.
pub(super) fn is_new(values: &Column, order: &Column, exec: &Exec) -> Result<Column> {
    let rows = order.size();
    let first = Column::from_scalar(&Scalar::Bool(true), rows.min(1), exec)?;
    let Some(pairs) = rows.checked_sub(1) else { return Ok(first) };
    let dtype = values.dtype();
    let is_compared = dtype.is_numeric() || dtype.is_temporal() || dtype == DType::Utf8;
    // Other values by the number of the first equal one.
    let ids = if is_compared {
        None
    } else {
        Some(GroupedRows::new(&[values], values.size(), NullKeys::Group, exec)?.id_column()?)
    };
    let sorted =
        gather_column(ids.as_ref().unwrap_or(values), &row_map(order, exec)?, MapNulls::Never, exec)?;
    let (a, b) = (sorted.slice(0, pairs)?, sorted.slice(1, pairs)?);
    let mut differs = col("a").ne(col("b"));
    if sorted.dtype().is_float() {
        differs = differs.and(col("a").eq(col("a")).or(col("b").eq(col("b"))));
    }
    if sorted.mask().is_some() {
        let is_null = |label: &str| col(label).is_null();
        differs = when(is_null("a").or(is_null("b"))).then(is_null("a").ne(is_null("b"))).otherwise(differs);
    }
    let differs = compute(&[("a", &a), ("b", &b)], differs, exec)?.without_mask();
    concat(&[&first, &differs], exec)
}
