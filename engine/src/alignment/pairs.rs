//! The pairs of rows of equal labels.

use columnade_buffers::Exec;
use columnade_columns::{self as columns, Column};
use columnade_ops::join::{JoinKind, JoinMaps, NullEquality, hash_join, is_merged, merge_join};

use crate::index::Index;

/// Labels, and their levels in dtypes whose values can be compared with those of another side.
#[derive(Clone, Copy)]
pub(crate) struct Side<'a> {
    pub(crate) index: &'a Index,
    pub(crate) levels: &'a [Column],
}

/// The pairs of a join of labels, nulls equal.
pub(crate) struct LabelPairs {
    pub(crate) maps: JoinMaps,
    /// Whether those of a full join are in the order of the labels.
    pub(crate) is_sorted: bool,
    /// Whether the labels of a full join that is sorted come once each.
    pub(crate) is_unique: bool,
}

/// The pairs of rows of equal labels: by merging where both sides ascend and one of them is unique, otherwise by hashing.
/// Whether labels ascend is known, or seen in a pass over them.
pub(crate) fn pairs(
    left: Side<'_>,
    right: Side<'_>,
    kind: JoinKind,
    exec: &Exec,
) -> columns::Result<LabelPairs> {
    if let ([from], [to]) = (left.levels, right.levels)
        && is_merged(&from.dtype(), &to.dtype())
        && left.index.increasing_labels()?
        && right.index.increasing_labels()?
    {
        let right_is_unique = right.index.unique_labels()?;
        if right_is_unique || matches!(kind, JoinKind::Semi | JoinKind::Anti) {
            let is_unique = kind == JoinKind::Full && left.index.unique_labels()?;
            return Ok(LabelPairs { maps: merge_join(from, to, kind, exec)?, is_sorted: true, is_unique });
        }
        if matches!(kind, JoinKind::Inner | JoinKind::Full) && left.index.unique_labels()? {
            let maps = swapped(merge_join(to, from, kind, exec)?)?;
            return Ok(LabelPairs { maps, is_sorted: true, is_unique: false });
        }
    }
    let (lefts, rights): (Vec<_>, Vec<_>) = left.levels.iter().zip(right.levels).unzip();
    let maps = hash_join(&lefts, &rights, kind, NullEquality::Equal, exec)
        .map_err(|error| error.with_key_labels(&left.index.texts_of_levels()))?;
    Ok(LabelPairs { maps, is_sorted: false, is_unique: false })
}

fn swapped(maps: JoinMaps) -> columns::Result<JoinMaps> {
    let right = maps.right.ok_or(columns::Error::Internal { invariant: "the join has right rows" })?;
    Ok(JoinMaps { left: right, right: Some(maps.left) })
}
