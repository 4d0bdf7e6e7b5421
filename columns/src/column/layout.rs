//! Conversion between widths of decimals and dictionary codes, and checks of what a storage type does not rule out.

use super::fixed::FixedLayout;
use super::{CategoricalColumn, Column, IntervalColumn, ListColumn, StructColumn};
use crate::{DType, Error, Result, Scalar};
use columnade_buffers::Exec;
use columnade_kernels::aggregation::Aggregation;
use columnade_kernels::elementwise::rescale::rescale;
use columnade_kernels::reduction::reduce::reduce;
use std::sync::Arc;

impl Column {
    /// Checks that times of day are within a day, by the least and the greatest; other dtypes pass. Imports trust the
    /// producer, see [`Validation`](crate::arrow::c::Validation).
    ///
    /// # Errors
    /// [`Error::Overflow`] with the dtype; [`Error::Memory`].
    ///
    /// # Device
    /// Two reductions, of which the results are copied to the host.
    pub fn check_times(&self, exec: &Exec) -> Result<()> {
        self.fixed_layout().map_or(Ok(()), |layout| check_times(layout, &self.dtype(), exec))
    }

    /// The values as `dtype`, which may differ from the column's dtype only in the widths of decimals and dictionary codes,
    /// children included: see [`DType::same_values`]. Buffers that have their width already are shared.
    ///
    /// # Errors
    /// [`Error::DTypeMismatch`] for a dtype of other values; [`Error::Overflow`] for a decimal of more digits than its dtype
    /// says, and for more values in a dictionary than its codes can represent; [`Error::Memory`].
    ///
    /// # Device
    /// One launch and one synchronisation for each decimal column that changes; codes that change go through the host.
    pub fn to_layout(&self, dtype: &DType, exec: &Exec) -> Result<Column> {
        if self.dtype() == *dtype {
            return Ok(self.clone());
        }
        let mismatch = || Error::DTypeMismatch { left: self.dtype(), right: dtype.clone() };
        if !self.dtype().same_values(dtype) {
            return Err(mismatch());
        }
        let child = |column: &Column, dtype: &DType| column.to_layout(dtype, exec).map(Arc::new);
        Ok(match (self, dtype) {
            (Column::Decimal(column), DType::Decimal { .. }) => {
                let layout = with_digits_of(&column.layout, dtype, exec)?;
                Column::from_layout(dtype, layout).ok_or_else(mismatch)?
            }
            (Column::Categorical(column), DType::Dictionary(dictionary)) => {
                let column = column.with_codes(dictionary.codes)?;
                let values = child(&column.dictionary, &dictionary.values)?;
                Column::Categorical(CategoricalColumn { dictionary: values, ..column })
            }
            (Column::Interval(column), DType::Interval(interval)) => {
                let (left, right) =
                    (child(&column.left, &interval.values)?, child(&column.right, &interval.values)?);
                Column::Interval(IntervalColumn { left, right, ..column.clone() })
            }
            (Column::List(column), DType::List(items)) => {
                Column::List(ListColumn { items: child(&column.items, items)?, ..column.clone() })
            }
            (Column::Struct(column), DType::Struct(fields)) => {
                let children = column.children.iter().zip(fields.iter());
                let children =
                    children.map(|(column, field)| child(column, &field.dtype)).collect::<Result<_>>()?;
                Column::Struct(StructColumn { children, ..column.clone() })
            }
            _ => return Err(mismatch()),
        })
    }
}

/// Decimals as `dtype` stores them, each of which has no more digits than it says: else an error. Another dtype than a
/// decimal is as it is.
#[expect(clippy::wildcard_enum_match_arm, reason = "other errors pass")]
pub(crate) fn with_digits_of(layout: &FixedLayout, dtype: &DType, exec: &Exec) -> Result<FixedLayout> {
    let DType::Decimal { precision, storage, .. } = *dtype else { return Ok(layout.clone()) };
    let data = rescale(&layout.view(), storage.storage(), 0, precision.into(), exec);
    FixedLayout::from_data(data.map_err(|error| match error {
        columnade_kernels::Error::Overflow { .. } => Error::Overflow { dtype: dtype.clone() },
        other => other.into(),
    })?)
}

/// Checks that times of day are within a day, by the least and the greatest. Another dtype passes.
///
/// # Errors
/// [`Error::Overflow`] with the dtype; [`Error::Memory`].
pub(crate) fn check_times(layout: &FixedLayout, dtype: &DType, exec: &Exec) -> Result<()> {
    let DType::Time(unit) = *dtype else { return Ok(()) };
    for aggregation in [Aggregation::Min, Aggregation::Max] {
        let extreme = FixedLayout::from_data(reduce(aggregation, &layout.view(), exec)?)?;
        let extreme = Column::from_layout(dtype, extreme)
            .ok_or_else(|| Error::UnsupportedDType { dtype: dtype.clone() })?
            .get(0)?;
        if matches!(extreme, Scalar::Time(value, _) if !(0..unit.per_day()).contains(&value)) {
            return Err(Error::Overflow { dtype: dtype.clone() });
        }
    }
    Ok(())
}
