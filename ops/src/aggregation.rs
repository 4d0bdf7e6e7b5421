//! What columns are aggregated to, and the dtypes of that.

use columnade_buffers::Exec;
use columnade_columns::{DType, Result, promote};
use columnade_kernels::elementwise::Operand;
use columnade_kernels::elementwise::binary::{BinaryOp, binary};
use columnade_kernels::{FixedData, Value};

/// What is made of the values of a column or of a group. Nulls are skipped by all but [`Aggregation::Size`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Aggregation {
    /// The sum, see [`promote::sum`]; 0 without a value.
    Sum,
    /// The least value; null without a value.
    Min,
    /// The greatest value; null without a value.
    Max,
    /// The exact sum divided by the number of values, as `float64`; null without a value.
    Mean,
    /// The number of values, as `int64`.
    Count,
    /// The number of rows, as `int64`.
    Size,
}

impl Aggregation {
    /// Every aggregation.
    pub const ALL: [Aggregation; 6] = [
        Aggregation::Sum,
        Aggregation::Min,
        Aggregation::Max,
        Aggregation::Mean,
        Aggregation::Count,
        Aggregation::Size,
    ];

    /// The dtype of the result for values of `dtype`.
    ///
    /// # Errors
    /// [`Error::UnsupportedDType`](columnade_columns::Error::UnsupportedDType) for sums and means of text and points
    /// in time.
    pub fn dtype(self, dtype: &DType) -> Result<DType> {
        match self {
            Aggregation::Sum => promote::sum(dtype),
            Aggregation::Mean => promote::mean(dtype),
            Aggregation::Min | Aggregation::Max => Ok(dtype.logical().clone()),
            Aggregation::Count | Aggregation::Size => Ok(DType::Int64),
        }
    }

    /// Whether the result depends on what the values are, not only on which are null.
    pub(crate) fn reads_values(self) -> bool {
        !matches!(self, Aggregation::Count | Aggregation::Size)
    }
}

/// Means of a decimal's digits as means of its values.
pub(crate) fn unscaled(means: &FixedData, scale: i8, exec: &Exec) -> Result<FixedData> {
    let divisor = Operand::Value(Value::F64(10_f64.powi(scale.into())));
    Ok(binary(BinaryOp::Div, Operand::Column(means.view()), divisor, exec)?)
}
