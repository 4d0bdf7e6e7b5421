//! Numbers of values in bins.

use super::super::grouped_rows::{GroupedRows, column_of, compute, numbers, row_map, take};
use super::collect::lists;
use crate::binning::{BinEdges, bin_numbers};
use crate::expression::{Literal, col, lit, when};
use columnade_columns::{Column, DType, Result, Scalar};
use columnade_kernels::copying::scatter::scatter;
use columnade_kernels::grouping::group_ids::NullKeys;

/// The number of values of each group in each bin, as lists.
pub(super) fn histogram(values: &Column, edges: &[f64], groups: &GroupedRows<'_>) -> Result<Column> {
    let exec = groups.exec;
    let closed = BinEdges { right: true, include_lowest: true };
    let bin = bin_numbers(values, edges, closed, exec)?;
    let bins = edges.len() - 1;
    let len = i64::try_from(bins).unwrap_or(i64::MAX);
    // Each group has as many places as there are bins; a row of no group has the id of all ones.
    let ids = groups.id_column()?;
    let place = when(col("id").eq(u32::MAX))
        .then(lit(Literal::Null))
        .otherwise(col("id").cast(DType::Int64) * len + col("bin"));
    let place = compute(&[("id", &ids), ("bin", &bin)], place, exec)?;
    let blank = Column::from_scalar(&Scalar::Int64(0), groups.len() * bins, exec)?;
    let counted = GroupedRows::new(&[&place], groups.rows(), NullKeys::Drop, exec)?;
    let counts = if counted.len() == 0 {
        blank
    } else {
        let places = take(&place, &column_of(counted.first_rows(), exec)?, exec)?;
        let map = row_map(&places.without_mask(), exec)?;
        let data = scatter(&counted.sizes()?.view()?, &map, &blank.view()?, exec)?;
        Column::from_data(DType::Int64, data)?.without_mask()
    };
    let starts = compute(&[("group", &numbers(groups.len(), exec)?)], col("group") * len, exec)?;
    let lengths = Column::from_scalar(&Scalar::Int64(len), groups.len(), exec)?;
    let places = row_map(&numbers(groups.len() * bins, exec)?, exec)?;
    lists(&counts, &places, &starts, &lengths, exec)
}
