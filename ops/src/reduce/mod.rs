//! One value of all rows of a column.

#[cfg(test)]
mod tests;

pub use crate::aggregation::Aggregation;

use crate::aggregation::unscaled;
use crate::cast::decode;
use columnade_buffers::{Buffer, Exec};
use columnade_columns::{CategoricalColumn, Column, DType, Error, Result};
use columnade_kernels::grouping::aggregate::{self, aggregate};
use columnade_kernels::grouping::group_ids::Groups;
use columnade_kernels::reduction::reduce::{self, Reduction};
use columnade_kernels::{ColumnData, RowMap, RowWidth, View};
use std::sync::Arc;

/// One row that stays on the device: the aggregation of all rows of `column`. [`Column::get`] brings it to the host, a
/// [`DeviceScalar`](columnade_columns::DeviceScalar) takes it to other operations.
///
/// The least and greatest of floats leave NaNs out unless there is nothing else; of a categorical column they are
/// values, not codes: by the order of the codes where that is the order of the values.
///
/// # Shapes and units
/// column: n rows → one row of [`Aggregation::dtype`].
///
/// # Errors
/// [`Error::UnsupportedDType`] for sums and means of text and points in time, and for nested columns;
/// [`Error::Memory`].
///
/// # Device
/// Two launches, no synchronisation.
///
/// # Source
/// cudf/reduction.hpp `reduce`, pandas `Series.sum` and its kin.
pub fn reduce(aggregation: Aggregation, column: &Column, exec: &Exec) -> Result<Column> {
    let from = column.dtype();
    let dtype = aggregation.dtype(&from)?;
    if let Column::Categorical(categorical) = column
        && aggregation.reads_values()
    {
        if categorical.is_ordered() && matches!(aggregation, Aggregation::Min | Aggregation::Max) {
            let code = reduce(aggregation, &categorical.codes(), exec)?;
            let category = CategoricalColumn::new(&code, Arc::clone(categorical.dictionary()))?;
            return decode(&category, exec);
        }
        return reduce(aggregation, &decode(categorical, exec)?, exec);
    }
    let reduction = match aggregation {
        Aggregation::Size => return size(column.size(), exec),
        // Decimals of 64 bits are summed in 128.
        Aggregation::Sum if from.is_decimal() => Reduction::SumWide,
        Aggregation::Sum => Reduction::Sum,
        Aggregation::Min => Reduction::Min,
        Aggregation::Max => Reduction::Max,
        Aggregation::Mean => Reduction::Mean,
        Aggregation::Count => Reduction::Count,
    };
    let fixed = match column.view()? {
        View::String(_) => return text(aggregation, column, exec),
        View::Fixed(fixed) => fixed,
    };
    let mut reduced = reduce::reduce(reduction, &fixed, exec)?;
    if let (Aggregation::Mean, DType::Decimal { scale, .. }) = (aggregation, &from) {
        reduced = unscaled(&reduced, *scale, exec)?;
    }
    Column::from_data(dtype, ColumnData::Fixed(reduced))
}

fn size(rows: usize, exec: &Exec) -> Result<Column> {
    let rows = i64::try_from(rows).map_err(|_| Error::Overflow { dtype: DType::Int64 })?;
    Column::from_slice(&[rows], exec)
}

/// Text is reduced as the one group of all rows.
fn text(aggregation: Aggregation, column: &Column, exec: &Exec) -> Result<Column> {
    let kernel = match aggregation {
        Aggregation::Min => aggregate::Aggregation::Min,
        Aggregation::Max => aggregate::Aggregation::Max,
        Aggregation::Count => aggregate::Aggregation::Count,
        Aggregation::Sum | Aggregation::Mean | Aggregation::Size => {
            return Err(Error::UnsupportedDType { dtype: column.dtype() });
        }
    };
    let dtype = aggregation.dtype(&column.dtype())?;
    if column.is_empty() {
        return match aggregation {
            Aggregation::Count => size(0, exec),
            _ => Column::full_null(&dtype, 1, exec),
        };
    }
    let width = RowWidth::U32;
    let rows = Buffer::zeroed(column.size() * width.bytes(), exec)?;
    let groups = Groups {
        ids: RowMap { rows, width, len: column.size() },
        first_rows: RowMap { rows: Buffer::zeroed(width.bytes(), exec)?, width, len: 1 },
    };
    match aggregate(&groups, &[(kernel, column.view()?)], exec)?.pop() {
        Some(data) => Column::from_data(dtype, data),
        None => Err(Error::UnsupportedDType { dtype }),
    }
}
