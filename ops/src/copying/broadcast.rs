//! Columns of one repeated device value.

use super::{MapNulls, RowMap, gather_column};
use columnade_buffers::{Buffer, Exec};
use columnade_columns::{Column, DeviceScalar, Result};
use columnade_kernels::RowWidth;

/// A column of `len` rows of `scalar`, which is not copied to the host.
///
/// # Shapes and units
/// One row of any dtype → `len` rows.
///
/// # Errors
/// [`Error::Memory`](columnade_columns::Error::Memory).
///
/// # Device
/// Like [`gather_column`] with a map of zeros. For a host value see [`Column::from_scalar`].
///
/// # Source
/// `cudf/column/column_factories.hpp`: `make_column_from_scalar`.
pub fn broadcast(scalar: &DeviceScalar, len: usize, exec: &Exec) -> Result<Column> {
    let width = RowWidth::U32;
    let map = RowMap { rows: Buffer::zeroed(len.saturating_mul(width.bytes()), exec)?, width, len };
    gather_column(scalar.column(), &map, MapNulls::Never, exec)
}
