//! Finds the pairs of rows with equal keys of two sorted sides.

use super::hash_join::comparable;
use super::{JoinKind, JoinMaps, common_key};
use crate::sort::search_sorted::{fixed, ordered_int64};
use columnade_buffers::{Exec, with_retry_no_split};
use columnade_columns::{Column, DType, Error, Result};
use columnade_kernels::joining::merge_join as kernel;

/// Whether [`merge_join`] takes keys of these dtypes: numbers that are no decimals, and times of one unit.
pub fn is_merged(left: &DType, right: &DType) -> bool {
    let is_plain = |dtype: &DType| !matches!(dtype, DType::Dictionary(_) | DType::Null);
    is_plain(left)
        && is_plain(right)
        && left.unit() == right.unit()
        && common_key(left, right)
            .is_some_and(|common| common.is_integer() || common.is_float() || common.is_temporal())
}

/// The pairs of rows with equal keys of two sides whose keys ascend, by merging both: faster than a
/// [`hash_join`](super::hash_join), and in the order of the keys, those of a full join too. Right keys come once, in semi and anti
/// joins also several times; left keys may come several times. Keys are compared as in [`hash_join`](super::hash_join).
///
/// The order is not checked: of other keys the pairs are not defined. There are no nulls and no NaN.
///
/// # Shapes and units
/// left: n rows; right: m rows → as many indices as pairs.
///
/// # Errors
/// [`Error::DTypeMismatch`] and [`Error::UnsupportedDType`] for dtypes of which [`is_merged`] is false; [`Error::Memory`].
///
/// # Device
/// Other keys than `int64` and timestamps are converted first, in a pass over each side. See
/// [`merge_join`](kernel::merge_join) for the rest.
///
/// # Source
/// `cudf/join/sort_merge_join.hpp`; pandas `Index.join` of monotonic indexes.
pub fn merge_join(left: &Column, right: &Column, kind: JoinKind, exec: &Exec) -> Result<JoinMaps> {
    with_retry_no_split(exec, |exec| {
        let (left, right) = comparable(left, right, exec)?;
        let ordered = |side: &Column| {
            ordered_int64(side, exec)?.ok_or_else(|| Error::UnsupportedDType { dtype: side.dtype() })
        };
        let (left, right) = (ordered(&left)?, ordered(&right)?);
        Ok(kernel::merge_join(&fixed(&left)?, &fixed(&right)?, kind, exec)?)
    })
}
