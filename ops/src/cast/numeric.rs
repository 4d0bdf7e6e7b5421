//! Casts between booleans, integers and floats.

use super::{CastMode, finish, fixed};
use columnade_buffers::Exec;
use columnade_columns::{Column, DType, Error, Result};
use columnade_kernels::elementwise::cast;

pub(super) fn cast(column: &Column, to: &DType, mode: CastMode, exec: &Exec) -> Result<Column> {
    let storage = to.storage().ok_or_else(|| Error::UnsupportedDType { dtype: to.clone() })?;
    finish(to, cast::cast(&fixed(column)?, storage, mode, exec)?)
}
