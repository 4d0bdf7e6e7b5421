//! Aggregates of columns of the dtype null, which no kernel reads.

use super::super::grouped_rows::GroupedRows;
use crate::expression::{Aggregation, Expr, Node, Statistic, aggregate_dtype};
use columnade_columns::{Column, DType, Result, Scalar};

/// The aggregate of `arguments` by group if one of them has no value of any dtype; `None` for what other columns
/// are computed as.
///
/// # Errors
/// Those of the dtype; [`Error::Memory`](columnade_columns::Error::Memory).
pub(in crate::groupby) fn of_nulls(
    aggregate: &Expr,
    arguments: &[Column],
    groups: &GroupedRows<'_>,
) -> Result<Option<Column>> {
    if !arguments.iter().any(|argument| argument.dtype() == DType::Null) {
        return Ok(None);
    }
    let value = if let Node::Aggregate(aggregation, _) = aggregate.node() {
        of_aggregation(*aggregation)?
    } else if let Node::Statistic(statistic, _) = aggregate.node() {
        of_statistic(statistic)?
    } else {
        None
    };
    value.map(|value| Column::from_scalar(&value, groups.len(), groups.exec)).transpose()
}

fn of_aggregation(aggregation: Aggregation) -> Result<Option<Scalar>> {
    match aggregation {
        Aggregation::Sum => Ok(Some(Scalar::Int64(0))),
        Aggregation::Mean | Aggregation::Min | Aggregation::Max => {
            Ok(Some(Scalar::Null(aggregate_dtype(aggregation, &DType::Null)?)))
        }
        Aggregation::Count
        | Aggregation::Size
        | Aggregation::SumWide
        | Aggregation::SumLow
        | Aggregation::SumHigh => Ok(None),
    }
}

fn of_statistic(statistic: &Statistic) -> Result<Option<Scalar>> {
    Ok(Some(match statistic {
        Statistic::Product => Scalar::Int64(1),
        Statistic::NUnique => Scalar::Int64(0),
        Statistic::Any => Scalar::Bool(false),
        Statistic::All => Scalar::Bool(true),
        Statistic::Var { .. }
        | Statistic::Std { .. }
        | Statistic::Sem { .. }
        | Statistic::Skew
        | Statistic::Kurt
        | Statistic::Cov { .. }
        | Statistic::Corr
        | Statistic::Kendall
        | Statistic::Quantile { .. }
        | Statistic::Mode
        | Statistic::First
        | Statistic::Last
        | Statistic::Nth(_)
        | Statistic::ArgMin
        | Statistic::ArgMax => Scalar::Null(statistic.dtype(&DType::Null)?),
        // Lists have the nulls as items; no number is in a bin.
        Statistic::Quantiles { .. }
        | Statistic::Histogram { .. }
        | Statistic::Collect
        | Statistic::CollectUnique
        | Statistic::TopK(_)
        | Statistic::BottomK(_) => return Ok(None),
    }))
}
