//! Partitions rows by a hash of their keys.

use crate::cast::decode;
use crate::copying::{MapNulls, gather};
use crate::out_of_core::device_of;
use columnade_buffers::Exec;
use columnade_columns::{Column, ColumnAccessor, Error, Result};
use columnade_kernels::View;
use columnade_kernels::partitioning::hash_partition::{hash_partition as kernel, scratch_bytes};
use std::borrow::Cow;

/// Returns the rows of partition 0, then those of partition 1, …, and the offset of each of the `count`
/// partitions, with the number of rows at the end. Rows that are equal in every key are in one partition;
/// each partition is in row order. NaNs are equal, −0.0 equals 0.0, nulls are equal; a categorical key is
/// partitioned by its values.
///
/// The partition of a key depends only on its values, `count` and `seed`, so both sides of a join are
/// partitioned alike. Integers and decimals of one scale are partitioned alike whatever their widths and signs.
///
/// # Shapes and units
/// columns and keys: n rows each → n rows, `count + 1` offsets.
///
/// # Errors
/// [`Error::InvalidArgument`] without keys, and for 0 partitions or more than 65,536;
/// [`Error::UnsupportedDType`] for nested keys; [`Error::LengthMismatch`]; [`Error::Memory`].
///
/// # Device
/// See [`columnade_kernels::partitioning::hash_partition`].
///
/// # Source
/// cudf/partitioning.hpp `hash_partition`.
pub fn hash_partition(
    columns: &ColumnAccessor,
    keys: &[&Column],
    count: usize,
    seed: u64,
    exec: &Exec,
) -> Result<(ColumnAccessor, Vec<usize>)> {
    if keys.is_empty() {
        let reason = "there are none, so all rows are equal".to_owned();
        return Err(Error::InvalidArgument { name: "keys", reason });
    }
    if let Some(key) = keys.iter().find(|key| key.size() != columns.rows()) {
        return Err(Error::LengthMismatch { expected: columns.rows(), found: key.size() });
    }
    let values = keys
        .iter()
        .map(|&key| {
            if let Column::Categorical(column) = key {
                decode(column, exec).map(Cow::Owned)
            } else {
                Ok(Cow::Borrowed(key))
            }
        })
        .collect::<Result<Vec<_>>>()?;
    let views: Vec<View<'_>> = values.iter().map(|key| key.view()).collect::<Result<_>>()?;
    let partitions = kernel(&views, count, seed, exec)?;
    drop(views);
    drop(values);
    Ok((gather(columns, &partitions.rows, MapNulls::Never, exec)?, partitions.offsets))
}

/// Bytes that partitioning these rows takes in addition to them and the result.
pub(crate) fn partition_scratch_bytes(rows: &ColumnAccessor) -> usize {
    scratch_bytes(rows.rows(), device_of(std::slice::from_ref(rows)))
}
