//! Means of decimals.

use columnade_buffers::Exec;
use columnade_columns::Result;
use columnade_kernels::elementwise::Operand;
use columnade_kernels::elementwise::binary::{BinaryOp, binary};
use columnade_kernels::{FixedData, Value};

/// Means of a decimal's digits as means of its values.
pub(crate) fn unscaled(means: &FixedData, scale: i8, exec: &Exec) -> Result<FixedData> {
    let divisor = Operand::Value(Value::F64(10_f64.powi(scale.into())));
    Ok(binary(BinaryOp::Div, Operand::Column(means.view()), divisor, exec)?)
}
