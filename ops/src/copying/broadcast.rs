//! Columns of one value that is on the device.

use super::{MapNulls, RowMap, gather_column};
use columnade_buffers::{Buffer, Exec};
use columnade_columns::{Column, DeviceScalar, Result};
use columnade_kernels::RowWidth;

/// A column of `len` rows that all hold `scalar`, which does not come back to the host.
///
/// # Shapes and units
/// One row of any dtype → `len` rows.
///
/// # Errors
/// [`Error::Memory`](columnade_columns::Error::Memory).
///
/// # Device
/// As [`gather_column`], by a map of zeros. For a value of the host see [`Column::from_scalar`].
///
/// # Source
/// `cudf/column/column_factories.hpp`: `make_column_from_scalar`.
pub fn broadcast(scalar: &DeviceScalar, len: usize, exec: &Exec) -> Result<Column> {
    let width = RowWidth::U32;
    let map = RowMap { rows: Buffer::zeroed(len * width.bytes(), exec)?, width, len };
    gather_column(scalar.column(), &map, MapNulls::Never, exec)
}
