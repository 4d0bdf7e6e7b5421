//! Finds the pairs of rows with equal keys of two sorted sides.

mod cuda;
mod host;
#[cfg(test)]
mod tests;

use super::hash_join::{JoinKind, JoinMaps};
use crate::{Error, Fixed, Result, Storage};
use columnade_buffers::{Device, Exec};

/// Which rows become pairs.
#[derive(Clone, Copy, Debug)]
struct Kept {
    /// Left rows with a match.
    matched: bool,
    /// Left rows without one.
    left_alone: bool,
    /// Right rows without one.
    right_alone: bool,
}

impl Kept {
    const fn of(kind: JoinKind) -> Self {
        Self {
            matched: !matches!(kind, JoinKind::Anti),
            left_alone: matches!(kind, JoinKind::Left | JoinKind::Anti | JoinKind::Full),
            right_alone: matches!(kind, JoinKind::Full),
        }
    }
}

/// The pairs of rows with equal values of two sides whose values ascend, by merging both. Right values come once, in semi and
/// anti joins also several times; left values may come several times. Pairs come in the order of their values: those of a full join too, other than those of
/// [`hash_join`](super::hash_join::hash_join).
///
/// ```text
/// left  1 3 3 7      right  2 3 9      Inner  left 1 2     right 1 1
///                                      Left   left 0 1 2 3 right none 1 1 none
///                                      Full   left 0 none 1 2 3 none right none 0 1 1 none 2
///                                      Semi   left 1 2     Anti  left 0 3
/// ```
/// The order is not checked: of other values the pairs are not defined. Masks are not looked at.
///
/// # Shapes and units
/// left: n rows of `I64`; right: m rows of `I64` → as many indices as pairs.
///
/// # Errors
/// [`Error::UnsupportedStorage`] for other values; [`Error::Memory`].
///
/// # Device
/// Reads both sides twice, once for a left join, and writes the maps once, in tiles of the merged order; at most four
/// launches, and one synchronisation for the number of pairs, none for a left join.
///
/// # Source
/// `cudf/join/sort_merge_join.hpp`; pandas `Index.join` of monotonic indexes; merge path (Green and others, 2012).
pub fn merge_join(left: &Fixed<'_>, right: &Fixed<'_>, kind: JoinKind, exec: &Exec) -> Result<JoinMaps> {
    for side in [left, right] {
        if side.storage != Storage::I64 {
            return Err(Error::UnsupportedStorage { storage: side.storage });
        }
    }
    match exec.device() {
        Device::Host => host::merge_join(left, right, kind, exec),
        _ => cuda::merge_join(left, right, kind, exec),
    }
}
