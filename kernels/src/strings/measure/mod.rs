//! Lengths of strings, and positions in them.

mod cuda;
mod host;
#[cfg(test)]
mod tests;

use super::regex::{Pattern, not_on_devices};
use crate::elementwise::validity;
use crate::{FixedData, Result, Storage, StringsView, View};
use columnade_buffers::{Device, Exec};

/// What is measured. A character is a Unicode scalar value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Measure {
    /// The number of characters.
    Characters,
    /// The number of bytes.
    Bytes,
    /// How many characters are before the first occurrence of this; −1 if there is none.
    Find(Box<str>),
    /// How many characters are before the last occurrence of this; −1 if there is none.
    RFind(Box<str>),
    /// How often this occurs, without overlaps. An empty one occurs before each character and at the end.
    Count(Box<str>),
}

impl Measure {
    /// The method of expressions that makes it.
    pub const fn name(&self) -> &'static str {
        match self {
            Measure::Characters => "len",
            Measure::Bytes => "byte_count",
            Measure::Find(_) => "find",
            Measure::RFind(_) => "rfind",
            Measure::Count(_) => "count",
        }
    }
}

/// Row `i` of the result is the `measure` of `input[i]`; null if that is null.
///
/// # Shapes and units
/// input: n rows of UTF-8 → n rows of [`Storage::I64`].
///
/// # Errors
/// [`crate::Error::Memory`].
///
/// # Device
/// One launch of a thread per row, and one for a mask. Does not synchronise, except to search for more than 64 bytes.
///
/// # Source
/// pandas `str.len`, `str.find`; cudf/strings/attributes.hpp `count_characters`, `count_bytes`; cudf/strings/find.hpp
/// `find`.
pub fn measure(measure: &Measure, input: &StringsView<'_>, exec: &Exec) -> Result<FixedData> {
    let data = match exec.device() {
        Device::Host => host::measure(measure, input, exec)?,
        Device::Sim | Device::Cuda(_) => cuda::measure(measure, input, exec)?,
    };
    let validity = validity::intersect(&[View::String(*input).validity_bits()], exec)?;
    Ok(FixedData { storage: Storage::I64, len: input.len, data, validity })
}

/// How often a regular expression matches each string, without overlaps.
///
/// # Shapes and units
/// input: n rows of UTF-8 → n rows of [`Storage::I64`].
///
/// # Errors
/// [`crate::Error::InvalidArgument`] for a row that is not UTF-8; on devices [`crate::Error::NotImplemented`] for a regular
/// expression with a Unicode word boundary, and for one whose automaton has more than 1 MiB; [`crate::Error::Memory`].
///
/// # Device
/// One launch of a thread per row, one synchronisation for rows that are not UTF-8, and one launch for a mask. The regular
/// expression is copied as a table of states.
///
/// # Source
/// pandas `Series.str.count`, cudf/strings/contains.hpp `count_re`.
pub fn count_matches(pattern: &Pattern, input: &StringsView<'_>, exec: &Exec) -> Result<FixedData> {
    let data = match exec.device() {
        Device::Host => host::count_matches(pattern, input, exec)?,
        Device::Sim | Device::Cuda(_) => {
            cuda::count_matches(pattern.ends().map_err(not_on_devices!("count_regex"))?, input, exec)?
        }
    };
    let validity = validity::intersect(&[View::String(*input).validity_bits()], exec)?;
    Ok(FixedData { storage: Storage::I64, len: input.len, data, validity })
}
