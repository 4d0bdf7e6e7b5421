//! Aggregates the rows of each group.

mod cuda;
mod fold;
mod host;
#[cfg(test)]
mod tests;

use super::group_ids::Groups;
use crate::{ColumnData, Error, Result, Storage, View};
use columnade_buffers::{Device, Exec};

/// What is made of the rows of a group. Nulls are skipped by all but [`Aggregation::CountAll`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Aggregation {
    /// The sum, 0 without a value; integers and bits wrap at 64 bits, `I128` at 128.
    Sum,
    /// The sum of integers in 128 bits.
    SumWide,
    /// The smallest value, NaN being the largest there is; null without a value.
    Min,
    /// The largest value, NaN being the largest there is; null without a value.
    Max,
    /// The number of values.
    Count,
    /// The number of rows.
    CountAll,
    /// The exact sum divided by the number of values; null without a value.
    Mean,
}

impl Aggregation {
    /// How results are stored for values of `storage`; `None` when there is no such aggregation.
    pub const fn result(self, storage: Storage) -> Option<Storage> {
        match self {
            Aggregation::Count | Aggregation::CountAll => Some(Storage::I64),
            Aggregation::Mean => Some(Storage::F64),
            Aggregation::Min | Aggregation::Max => Some(storage),
            Aggregation::SumWide if storage.is_integer() => Some(Storage::I128),
            Aggregation::SumWide => None,
            Aggregation::Sum => Some(match storage {
                Storage::I128 | Storage::F32 | Storage::F64 => storage,
                Storage::U8 | Storage::U16 | Storage::U32 | Storage::U64 => Storage::U64,
                Storage::Bit | Storage::I8 | Storage::I16 | Storage::I32 | Storage::I64 => Storage::I64,
            }),
        }
    }
}

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
/// [`Error::LengthMismatch`]; [`Error::UnsupportedStorage`] for [`Aggregation::SumWide`] of floats and bits;
/// [`Error::NotImplemented`] for sums and means of text.
///
/// # Device
/// Integers: one pass of atomics over n. Floats: a stable sort of the rows by group, then a sum a group.
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
            (View::String(_), Aggregation::Sum | Aggregation::SumWide | Aggregation::Mean) => {
                return Err(Error::NotImplemented { feature: "sums and means of text" });
            }
            (View::Fixed(fixed), _) if aggregation.result(fixed.storage).is_none() => {
                return Err(Error::UnsupportedStorage { storage: fixed.storage });
            }
            _ => {}
        }
    }
    match exec.device() {
        Device::Host => requests.iter().map(|request| host::aggregate(groups, *request, exec)).collect(),
        _ => cuda::aggregate(groups, requests, exec),
    }
}
