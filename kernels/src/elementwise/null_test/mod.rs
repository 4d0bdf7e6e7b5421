//! Tests for null rows.

#[cfg(test)]
mod tests;

use super::validity;
use crate::bits::combine;
use crate::{Bits, FixedData, Result, Storage, View};
use columnade_buffers::{Buffer, Exec};

/// The test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NullTest {
    /// Whether the row is null.
    IsNull,
    /// Whether the row is not null.
    IsValid,
}

/// Bit `i` of the result is whether `input[i]` is null, or is not; the result has no nulls.
///
/// A NaN is not null: see [`super::compare::compare`] of a column with itself.
///
/// # Errors
/// [`crate::Error::Memory`].
///
/// # Device
/// At most one launch: [`NullTest::IsValid`] shares a mask that starts at its buffer's first bit.
///
/// # Source
/// cudf/unary.hpp `is_null`, `is_valid`; pandas `isna`, `notna`.
pub fn null_test(test: NullTest, input: &View<'_>, exec: &Exec) -> Result<FixedData> {
    let len = input.len();
    let Some(mask) = input.validity_bits() else {
        let data = Buffer::zeroed(len.div_ceil(8), exec)?;
        let zeros = Bits { buffer: &data, offset: 0, len };
        let data = if test == NullTest::IsValid { combine::not(zeros, exec)? } else { data };
        return Ok(FixedData { storage: Storage::Bit, len, data, validity: None });
    };
    let data = match test {
        NullTest::IsNull => combine::not(mask, exec)?,
        NullTest::IsValid => validity::share(mask, exec)?,
    };
    Ok(FixedData { storage: Storage::Bit, len, data, validity: None })
}
