//! Comparisons of strings, and searches for the strings of another column.

mod cuda;
pub(crate) mod host;
#[cfg(test)]
mod tests;

use crate::elementwise::compare::CompareOp;
use crate::elementwise::validity;
use crate::{Bits, Error, FixedData, Result, Storage, StringsView, View};
use columnade_buffers::{Device, Exec};

/// Where a string has another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(i32)]
pub enum Search {
    /// At its start.
    StartsWith = 6,
    /// At its end.
    EndsWith,
    /// Anywhere.
    Contains,
}

impl Search {
    /// All of them.
    pub const ALL: [Self; 3] = [Search::StartsWith, Search::EndsWith, Search::Contains];

    /// Whether `string` has `part` there. Every string has the empty one.
    #[inline]
    pub(crate) fn holds(self, string: &[u8], part: &[u8]) -> bool {
        match self {
            Search::StartsWith => string.starts_with(part),
            Search::EndsWith => string.ends_with(part),
            Search::Contains => memchr::memmem::find(string, part).is_some(),
        }
    }
}

/// What is asked of the two strings of a row.
#[derive(Clone, Copy, Debug)]
enum Test {
    Compare(CompareOp),
    Search(Search),
}

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
    test(Test::Compare(op), lhs, rhs, exec)
}

/// Bit `i` of the result is whether `strings[i]` has `parts[i]` at its start, at its end, or anywhere; null if either is null.
///
/// Bytes are compared.
///
/// # Shapes and units
/// Two operands of n rows, or a string for every row → n bits. Offsets may differ in width. Without a column
/// the result has one row.
///
/// # Errors
/// [`Error::LengthMismatch`].
///
/// # Device
/// As [`compare`]. A thread compares a part with each position of its string: time grows with the product of their lengths.
///
/// # Source
/// `cudf/strings/find.hpp` `contains`, `starts_with` and `ends_with` with a column of targets, Polars `Expr.str.contains`.
pub fn search(
    how: Search,
    strings: StringOperand<'_>,
    parts: StringOperand<'_>,
    exec: &Exec,
) -> Result<FixedData> {
    test(Test::Search(how), strings, parts, exec)
}

fn test(test: Test, lhs: StringOperand<'_>, rhs: StringOperand<'_>, exec: &Exec) -> Result<FixedData> {
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
        Device::Host => host::test(test, &lhs, &rhs, len, exec)?,
        _ => cuda::test(test, &lhs, &rhs, len, exec)?,
    };
    let validity = validity::intersect(&[lhs.validity_bits(), rhs.validity_bits()], exec)?;
    Ok(FixedData { storage: Storage::Bit, len, data, validity })
}
