//! Values that are made of the one before them.

mod cuda;
mod host;
#[cfg(test)]
mod tests;

use crate::{Error, Fixed, FixedData, Result, Storage};
use columnade_buffers::{Device, Exec};

/// Row `i` of the result is `scale[i] · result[i − 1] + shift[i]`; the first row of a range, `i ≤ starts[i]`, is `shift[i]`.
///
/// ```text
/// scale            1 0.5 0.5 0.5      shift  4 2 0 1      starts  0 0 0 3      result  4 4 2 1
/// ```
///
/// # Shapes and units
/// scale, shift: n rows of `F64`, starts: n rows of `I64`, of which validity is not read → n rows of `F64` without nulls.
///
/// # Errors
/// [`Error::UnsupportedStorage`], [`Error::LengthMismatch`].
///
/// # Device
/// On the host one row after the other. On a device the maps of rows are composed in tiles of fixed size, in one
/// launch, which reads the inputs once: blocks wait for those before them. The last bits of a row may differ from the
/// host's, since maps are composed before they are applied; they are the same in every run. Where the product of scales
/// above 1 is infinite, a value may be infinite or NaN. Does not synchronise.
///
/// # Source
/// G. E. Blelloch, "Prefix sums and their applications" (1990), section 1.4.
pub fn linear_recurrence(
    scale: &Fixed<'_>,
    shift: &Fixed<'_>,
    starts: &Fixed<'_>,
    exec: &Exec,
) -> Result<FixedData> {
    for (column, storage) in [(scale, Storage::F64), (shift, Storage::F64), (starts, Storage::I64)] {
        if column.storage != storage {
            return Err(Error::UnsupportedStorage { storage: column.storage });
        }
        if column.len != scale.len {
            return Err(Error::LengthMismatch { left: scale.len, right: column.len });
        }
    }
    match exec.device() {
        Device::Host => host::linear_recurrence(scale, shift, starts, exec),
        _ => cuda::linear_recurrence(scale, shift, starts, exec),
    }
}
