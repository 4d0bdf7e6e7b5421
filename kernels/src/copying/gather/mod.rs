//! Gathers rows by a row map.

mod cuda;
mod host;
mod packed_rows;
mod runs;
mod short_texts;
#[cfg(test)]
mod test_runs;
#[cfg(test)]
mod tests;

use crate::{ColumnData, Error, Result, RowMap, RowWidth, View};
use columnade_buffers::{Device, Exec};

/// Row `i` of the result is row `map[i]` of `source`; an index of all ones gives a null.
///
/// ```text
/// source  a b c d      map  2 0 none 2      result  c a null c
/// ```
/// The result has a mask if the source has one or if `nulls` is [`MapNulls::Possible`].
///
/// # Shapes and units
/// source: n rows of any storage type; map: m indices less than n, or all ones → m rows.
///
/// # Errors
/// [`crate::Error::Memory`]. Indices come from the engine and are checked in debug builds on the host only.
///
/// # Device
/// One launch for data and mask; strings take a scan and one synchronisation for their total size.
///
/// # Source
/// `cudf/copying.hpp` `gather`, pandas `take`.
pub fn gather(source: &View<'_>, map: &RowMap, nulls: MapNulls, exec: &Exec) -> Result<ColumnData> {
    if exec.device() == Device::Host {
        return host::gather(source, map, nulls, exec);
    }
    let gathered = cuda::gather(std::slice::from_ref(source), map, nulls, exec)?.pop();
    gathered.ok_or(Error::Internal { invariant: "as many columns are gathered as there are" })
}

/// [`gather`] of every source, which have one length.
///
/// On the host, the values of a row of several columns are packed side by side first where the map reads rows of large
/// columns at random: a row is then one cache miss. That takes 32 to 128 bytes for each source row, so it is not done
/// under a budget.
///
/// # Errors
/// [`crate::Error::Memory`]. Indices come from the engine and are checked in debug builds on the host only.
///
/// # Device
/// One launch for the values and masks of up to 64 columns, which reads the row map once; strings as [`gather`].
///
/// # Source
/// Research of joins that materialise late: rows are packed when most of them are read.
pub fn gather_columns(
    sources: &[View<'_>],
    map: &RowMap,
    nulls: MapNulls,
    exec: &Exec,
) -> Result<Vec<ColumnData>> {
    if exec.device() != Device::Host {
        return cuda::gather(sources, map, nulls, exec);
    }
    let columns = if map.width == RowWidth::U32 && sources.len() > 1 && exec.budget().is_none() {
        host::gather_packed(sources, map, nulls, packed_rows::Thresholds::DEFAULT, exec)?
    } else {
        sources.iter().map(|_| None).collect()
    };
    let one = |(source, column): (_, Option<ColumnData>)| match column {
        Some(column) => Ok(column),
        None => host::gather(source, map, nulls, exec),
    };
    sources.iter().zip(columns).map(one).collect()
}

/// Whether a row map may contain "no such row".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MapNulls {
    /// Every index is a row of the source.
    Never,
    /// Some indices may be all ones.
    Possible,
}
