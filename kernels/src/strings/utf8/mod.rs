//! Bytes as strings, where they are UTF-8.

mod cuda;
mod host;
#[cfg(test)]
mod tests;

use crate::{Result, StringData, StringsView};
use columnade_buffers::{Device, Exec};

/// What [`utf8`] found.
#[derive(Debug)]
pub struct Utf8 {
    /// The strings, null where the bytes are null or not UTF-8; `None` if every row is UTF-8, null ones included, so that the
    /// bytes are strings as they are.
    pub strings: Option<StringData>,
    /// The first row that is valid and not UTF-8.
    pub failed: Option<usize>,
}

/// Rows of bytes as the strings that they encode.
///
/// # Shapes and units
/// input: n rows of any bytes → n rows of UTF-8.
///
/// # Errors
/// [`crate::Error::Memory`].
///
/// # Device
/// One launch of a thread per row, which reads the bytes once, and one synchronisation. If a row is not UTF-8, null or not, the
/// strings are built: two more launches, a scan, and a second synchronisation.
///
/// # Source
/// pyarrow `compute.cast`, Polars `cast`; the Unicode Standard, table 3-7.
pub fn utf8(input: &StringsView<'_>, exec: &Exec) -> Result<Utf8> {
    match exec.device() {
        Device::Host => host::utf8(input, exec),
        Device::Sim | Device::Cuda(_) => cuda::utf8(input, exec),
    }
}
