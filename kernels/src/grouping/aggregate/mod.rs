//! Aggregates the rows of each group.

mod chunks;
mod cuda;
mod host;
#[cfg(test)]
pub(super) mod tests;

pub use chunks::ChunkedAggregates;

use super::group_ids::Groups;
use crate::aggregation::Aggregation;
use crate::{ColumnData, Error, Result, View};
use columnade_buffers::{Device, Exec};

/// One result a request, each with one row a group.
///
/// ```text
/// ids  0 1 0 none 1      values  5 null 2 9 null      Sum  7 0      Max  5 null      Count  2 0
/// ```
/// Float sums are the same bytes whatever the number of threads: rows belong to ranges fixed by their number and
/// the number of groups, and partial sums are merged in range order. `F32` is summed in `F64`.
///
/// # Shapes and units
/// ids and values: n rows → one row a group. Min, Max and Mean have a mask when their values have one.
///
/// # Errors
/// [`Error::LengthMismatch`]; [`Error::RequestOverflow`] for a sum or a mean of `I128` whose sum has more than 38 digits in a
/// group; [`Error::UnsupportedStorage`] for [`Aggregation::SumWide`] of floats, and for halves of anything but `I128`;
/// [`Error::UnsupportedStrings`] for sums and means of strings.
///
/// # Device
/// Integers: one pass of atomics over n; sums and means of `I128` synchronise once to detect overflow. Floats: a stable sort of the rows by group, then a sum a group.
///
/// # Source
/// cudf/groupby.hpp `groupby::aggregate`, pandas `GroupBy.agg`.
pub fn aggregate(
    groups: &Groups,
    requests: &[(Aggregation, View<'_>)],
    exec: &Exec,
) -> Result<Vec<ColumnData>> {
    for (aggregation, view) in requests {
        if view.len() != groups.ids.len {
            return Err(Error::LengthMismatch { left: groups.ids.len, right: view.len() });
        }
        match (view, aggregation) {
            (
                View::String(_),
                Aggregation::Sum
                | Aggregation::SumWide
                | Aggregation::Mean
                | Aggregation::SumLow
                | Aggregation::SumHigh,
            ) => {
                return Err(Error::UnsupportedStrings);
            }
            (View::Fixed(fixed), _) if aggregation.output(fixed.storage).is_none() => {
                return Err(Error::UnsupportedStorage { storage: fixed.storage });
            }
            _ => {}
        }
    }
    match exec.device() {
        Device::Host => {
            let column = |(position, request): (usize, &(Aggregation, View<'_>))| {
                host::aggregate(groups, *request, exec).map_err(|error| error.of_request(position))
            };
            requests.iter().enumerate().map(column).collect()
        }
        _ => cuda::aggregate(groups, requests, exec),
    }
}
