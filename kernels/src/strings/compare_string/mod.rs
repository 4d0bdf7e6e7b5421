//! Comparisons of strings.

mod cuda;
pub(crate) mod host;
#[cfg(test)]
mod tests;

use crate::elementwise::compare::CompareOp;
use crate::elementwise::validity;
use crate::{Bits, Error, FixedData, Result, Storage, StringsView, View};
use columnade_buffers::{Device, Exec};

/// An operand of a string comparison.
#[derive(Clone, Copy, Debug)]
pub enum StringOperand<'a> {
    /// A column, one string per row.
    Column(StringsView<'a>),
    /// The same string in every row, as its bytes.
    Value(&'a [u8]),
    /// Null in every row.
    Null,
}

impl<'a> StringOperand<'a> {
    fn rows(&self) -> Option<usize> {
        match self {
            StringOperand::Column(column) => Some(column.len),
            StringOperand::Value(_) | StringOperand::Null => None,
        }
    }

    fn validity_bits(&self) -> Option<Bits<'a>> {
        match self {
            StringOperand::Column(column) => View::String(*column).validity_bits(),
            StringOperand::Value(_) | StringOperand::Null => None,
        }
    }
}

impl<'a> From<StringsView<'a>> for StringOperand<'a> {
    fn from(column: StringsView<'a>) -> Self {
        StringOperand::Column(column)
    }
}

/// Bit `i` of the result is `lhs[i] op rhs[i]`; null if either is null.
///
/// Strings are ordered by bytes, which for UTF-8 is the order of code points; locales are ignored.
///
/// # Shapes and units
/// Two operands of n rows, or a string for every row → n bits. Offsets may differ in width. Without a column
/// the result has one row.
///
/// # Errors
/// [`Error::LengthMismatch`].
///
/// # Device
/// One launch of a thread per row, and one for a mask. Does not synchronise, except for a value of more than 64 bytes.
///
/// # Source
/// cudf/binaryop.hpp `binary_operation` on strings, pandas `Series.eq` and related methods.
pub fn compare(
    op: CompareOp,
    lhs: StringOperand<'_>,
    rhs: StringOperand<'_>,
    exec: &Exec,
) -> Result<FixedData> {
    let len = match (lhs.rows(), rhs.rows()) {
        (Some(left), Some(right)) if left != right => {
            return Err(Error::LengthMismatch { left, right });
        }
        (rows, others) => rows.or(others).unwrap_or(1),
    };
    if matches!(lhs, StringOperand::Null) || matches!(rhs, StringOperand::Null) {
        return validity::all_null(Storage::Bit, len, exec);
    }
    let data = match exec.device() {
        Device::Host => host::compare(op, &lhs, &rhs, len, exec)?,
        _ => cuda::compare(op, &lhs, &rhs, len, exec)?,
    };
    let validity = validity::intersect(&[lhs.validity_bits(), rhs.validity_bits()], exec)?;
    Ok(FixedData { storage: Storage::Bit, len, data, validity })
}
