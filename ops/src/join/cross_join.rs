//! Every pair of rows.

use super::Joined;
use crate::copying::{MapNulls, gather_column};
use crate::out_of_core::{Driver, MemoryEstimate, OutOfCore, by_position, with_labels_of};
use columnade_buffers::Error::OutOfMemory;
use columnade_buffers::Exec;
use columnade_columns::{Column, ColumnAccessor, Result};
use columnade_kernels::joining::hash_join::JoinMaps;
use columnade_kernels::joining::pairs::{MatchRanges, Pairs};

/// Bytes of a pair in the maps.
const MAPS: usize = 16;

/// Each left row with every right row, in left and then right order. Pairs that exceed the budget are made for chunks of
/// the left rows.
///
/// # Shapes and units
/// left: n rows; right: m rows → n · m rows.
///
/// # Errors
/// [`Error::Memory`](columnade_columns::Error::Memory), at once for more pairs than the memory of the device holds, unless they
/// may be spilled.
///
/// # Source
/// cudf/join/join.hpp `cross_join`; pandas `merge(how="cross")`.
pub fn cross_join(left: &ColumnAccessor, right: &ColumnAccessor, exec: &Exec) -> Result<Joined> {
    cross_join_with(left, right, Driver::new(exec))
}

pub(super) fn cross_join_with(
    left: &ColumnAccessor,
    right: &ColumnAccessor,
    driver: Driver<'_>,
) -> Result<Joined> {
    let right_rows = by_position(right.columns(), right.rows())?;
    check_memory(pair_bytes(left, right)?, driver)?;
    let pairs = driver.run(&Cross { right: &right_rows }, &by_position(left.columns(), left.rows())?)?;
    let (of_left, of_right) = pairs.columns().split_at(left.len());
    let labelled = |side, columns| with_labels_of(side, columns, pairs.rows());
    Ok(Joined { left: labelled(left, of_left)?, right: Some(labelled(right, of_right)?) })
}

/// Bytes of all pairs.
fn pair_bytes(left: &ColumnAccessor, right: &ColumnAccessor) -> Result<usize> {
    let of_left = left.row_bytes()?.saturating_mul(right.rows());
    Ok(of_left.saturating_add(right.row_bytes()?.saturating_mul(left.rows())))
}

/// Refuses pairs that the device cannot hold before the first is made, where nothing is spilled.
fn check_memory(bytes: usize, driver: Driver<'_>) -> Result<()> {
    let device = driver.exec.device();
    let total = device.memory_info()?.total;
    if driver.budget().is_some() || bytes <= total {
        return Ok(());
    }
    Err(OutOfMemory { device, requested: bytes, free: Some(total), tier_refusal: None }.into())
}

/// Left rows with all right rows.
struct Cross<'a> {
    right: &'a ColumnAccessor,
}

impl OutOfCore for Cross<'_> {
    fn estimate(&self, left: &ColumnAccessor) -> Result<MemoryEstimate> {
        let pairs = left.rows().saturating_mul(self.right.rows());
        let output = pair_bytes(left, self.right)?.saturating_add(pairs.saturating_mul(MAPS));
        Ok(MemoryEstimate { input: left.row_bytes()?, output, fixed_overhead: self.right.row_bytes()? })
    }

    fn shared_input(&self) -> Option<&ColumnAccessor> {
        Some(self.right)
    }

    fn run(&self, left: &ColumnAccessor, exec: &Exec) -> Result<ColumnAccessor> {
        let pairs = Pairs::new(MatchRanges::all(left.rows(), self.right.rows(), exec)?, false, exec)?;
        let JoinMaps { left: left_map, right: right_map } = pairs.write(0, pairs.len(), exec)?;
        let of_left = left.columns().iter().map(|column| (column, &left_map));
        let of_right = self.right.columns().iter().zip(right_map.iter().cycle());
        let columns: Vec<Column> = of_left
            .chain(of_right)
            .map(|(column, map)| gather_column(column, map, MapNulls::Never, exec))
            .collect::<Result<_>>()?;
        by_position(&columns, pairs.len())
    }
}
