//! Whether keys are unique.

use super::NullEquality;
use crate::distinct::{Keep, duplicated};
use crate::filter::apply_mask;
use crate::missing::{DropHow, drop_nulls};
use crate::out_of_core::by_position;
use columnade_buffers::Exec;
use columnade_columns::{Column, Result, Scalar};

/// The first key that an earlier row has too; `None` if keys are unique. Keys with a null count only if nulls are equal.
///
/// # Errors
/// [`Error::UnsupportedDType`](columnade_columns::Error::UnsupportedDType) for nested keys;
/// [`Error::Memory`](columnade_columns::Error::Memory).
///
/// # Source
/// pandas `merge(validate=…)`.
pub fn duplicate_key(keys: &[&Column], nulls: NullEquality, exec: &Exec) -> Result<Option<Vec<Scalar>>> {
    let rows = keys.first().map_or(0, |key| key.size());
    let mut keys = by_position(keys.iter().copied(), rows)?;
    if nulls == NullEquality::Unequal {
        keys = drop_nulls(&keys, keys.labels(), DropHow::Any, exec)?;
    }
    let is_repeated = duplicated(&keys, keys.labels(), Keep::First, exec)?;
    let repeated = apply_mask(&keys, &is_repeated, exec)?;
    if repeated.rows() == 0 {
        return Ok(None);
    }
    repeated.columns().iter().map(|key| key.get(0)).collect::<Result<_>>().map(Some)
}
