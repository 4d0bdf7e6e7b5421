//! Aggregates the rows of each group.

use super::{Groups, NullKeys, group_ids};
use crate::aggregation::{Aggregation, unscaled};
use crate::cast::decode;
use crate::copying::{MapNulls, gather_column};
use columnade_buffers::Exec;
use columnade_columns::{CategoricalColumn, Column, ColumnAccessor, DType, Error, Label, Result};
use columnade_kernels::grouping::aggregate as kernel;
use columnade_kernels::{ColumnData, View};
use std::borrow::Cow;
use std::sync::Arc;

/// An aggregate to be computed.
#[derive(Clone, Debug)]
pub struct Request<'a> {
    /// What the result is called.
    pub label: Label,
    /// What to compute.
    pub aggregation: Aggregation,
    /// Of which values.
    pub values: &'a Column,
}

/// One row a group, in order of first appearance: the keys under their labels, then the aggregates.
///
/// # Shapes and units
/// keys: at least one, of n rows; the values of each request: n rows → one row a group.
///
/// # Errors
/// [`Error::InvalidArgument`] without keys; [`Error::UnsupportedDType`] for sums and means of text and points in
/// time; [`Error::DuplicateLabel`]; [`Error::LengthMismatch`]; [`Error::Memory`]; the last four name the request.
///
/// # Device
/// See [`kernel::aggregate`].
///
/// # Source
/// cudf/groupby.hpp `groupby::aggregate`, pandas `groupby(sort=False).agg`.
pub fn aggregate(
    keys: &ColumnAccessor,
    requests: &[Request<'_>],
    nulls: NullKeys,
    exec: &Exec,
) -> Result<ColumnAccessor> {
    let columns: Vec<&Column> = keys.columns().iter().collect();
    let groups = group_ids(&columns, nulls, exec)?;
    let mut result = ColumnAccessor::with_levels(groups.len(), keys.levels().clone());
    for (label, key) in keys.iter() {
        let column = gather_column(key, &groups.first_rows, MapNulls::Never, exec)
            .map_err(|error| error.in_column(label))?;
        result.insert(label, column)?;
    }
    for (request, column) in requests.iter().zip(aggregate_groups(&groups, requests, exec)?) {
        result.insert(request.label.clone(), column)?;
    }
    Ok(result)
}

fn aggregate_groups(groups: &Groups, requests: &[Request<'_>], exec: &Exec) -> Result<Vec<Column>> {
    let in_request = |request: &Request<'_>, error: Error| error.in_column(&request.label);
    let mut dtypes = Vec::with_capacity(requests.len());
    let mut values = Vec::with_capacity(requests.len());
    for request in requests {
        let (aggregation, column) = (request.aggregation, request.values);
        if column.size() != groups.ids.len {
            let error = Error::LengthMismatch { expected: groups.ids.len, found: column.size() };
            return Err(in_request(request, error));
        }
        dtypes.push(aggregation.dtype(&column.dtype()).map_err(|error| in_request(request, error))?);
        // Codes have no order: least and greatest are those of the values.
        values.push(match column {
            Column::Categorical(column) if orders_codes(aggregation, column) => Cow::Owned(column.codes()),
            Column::Categorical(column) if aggregation.reads_values() => {
                Cow::Owned(decode(column, exec).map_err(|error| in_request(request, error))?)
            }
            other => Cow::Borrowed(other),
        });
    }
    let views: Vec<(kernel::Aggregation, View<'_>)> = requests
        .iter()
        .zip(&values)
        .map(|(request, column)| {
            let view = column.view().map_err(|error| in_request(request, error))?;
            Ok((kernel_aggregation(request.aggregation, &column.dtype()), view))
        })
        .collect::<Result<_>>()?;
    let results = kernel::aggregate(groups, &views, exec)?;
    requests
        .iter()
        .zip(&values)
        .zip(dtypes.into_iter().zip(results))
        .map(|((request, values), (dtype, data))| {
            let data = match (request.aggregation, values.dtype(), data) {
                (Aggregation::Mean, DType::Decimal { scale, .. }, ColumnData::Fixed(means)) => {
                    ColumnData::Fixed(unscaled(&means, scale, exec)?)
                }
                (_, _, data) => data,
            };
            let column = match request.values {
                Column::Categorical(column) if orders_codes(request.aggregation, column) => {
                    let codes = Column::from_data(values.dtype(), data)?;
                    let category = CategoricalColumn::new(&codes, Arc::clone(column.dictionary()))?;
                    decode(&category, exec)
                }
                _ => Column::from_data(dtype, data),
            };
            column.map_err(|error| in_request(request, error))
        })
        .collect()
}

/// Whether the order of the codes is that of the values, so that the least and the greatest are found by code.
fn orders_codes(aggregation: Aggregation, column: &CategoricalColumn) -> bool {
    column.is_ordered() && matches!(aggregation, Aggregation::Min | Aggregation::Max)
}

/// The kernel's aggregation for values of `dtype`.
fn kernel_aggregation(aggregation: Aggregation, dtype: &DType) -> kernel::Aggregation {
    match aggregation {
        Aggregation::Sum if dtype.is_decimal() => kernel::Aggregation::SumWide,
        Aggregation::Sum => kernel::Aggregation::Sum,
        Aggregation::Min => kernel::Aggregation::Min,
        Aggregation::Max => kernel::Aggregation::Max,
        Aggregation::Mean => kernel::Aggregation::Mean,
        Aggregation::Count => kernel::Aggregation::Count,
        Aggregation::Size => kernel::Aggregation::CountAll,
    }
}
