//! Finds the pairs of rows with equal keys.

use super::keys::{common_key, in_common_dtype};
use crate::cast::{CastMode, cast, decode};
use crate::keys::{Numbering, is_compound, numbered_together};
use columnade_buffers::Exec;
use columnade_columns::{CategoricalColumn, Column, DType, Error, Result};
use columnade_kernels::joining::hash_join::{self, JoinKind, JoinMaps, NullEquality};
use columnade_kernels::joining::pairs::MatchRanges;
use columnade_kernels::{ColumnData, RowMap, View};

/// The pairs of rows that are equal in every key, as maps into both sides: in left order, and in right order
/// for each left row. NaNs are equal, −0.0 equals 0.0.
///
/// Keys are compared by value, in the dtype of [`common_key`]: integers of any width and sign, decimals of any
/// precision, times of any unit, also beyond the range of the other one. Categorical keys are compared by code if both
/// sides have one dictionary, after unifying two different dictionaries, and decoded against a plain column. Lists,
/// structs and intervals have one dtype on both sides but for nulls without one; nulls within them are equal.
///
/// # Shapes and units
/// left: at least one column, of n rows each; right: as many, of m rows → as many indices as pairs.
///
/// # Errors
/// [`Error::InvalidArgument`] without keys or for another number of them on each side; [`Error::DTypeMismatch`] for
/// keys without a common dtype, naming the key's position; [`Error::LengthMismatch`]; [`Error::Memory`].
///
/// # Device
/// See [`hash_join::hash_join`].
///
/// # Source
/// cudf/join/join.hpp `inner_join`, `left_join`, `left_semi_join`, `left_anti_join`; pandas `merge`.
pub fn hash_join(
    left: &[&Column],
    right: &[&Column],
    kind: JoinKind,
    nulls: NullEquality,
    exec: &Exec,
) -> Result<JoinMaps> {
    with_views(left, right, exec, |left, right| hash_join::hash_join(left, right, kind, nulls, exec))
}

/// Whether each left row has a match, as `bool` without nulls; keys as in [`hash_join`].
///
/// # Errors
/// As [`hash_join`].
pub(crate) fn members(
    left: &[&Column],
    right: &[&Column],
    nulls: NullEquality,
    exec: &Exec,
) -> Result<Column> {
    let found = with_views(left, right, exec, |left, right| hash_join::members(left, right, nulls, exec))?;
    Column::from_data(DType::Bool, ColumnData::Fixed(found))
}

/// For each left row the range of its matches in a list of right rows; keys as in [`hash_join`].
pub(super) fn match_ranges(
    left: &[&Column],
    right: &[&Column],
    nulls: NullEquality,
    exec: &Exec,
) -> Result<MatchRanges> {
    with_views(left, right, exec, |left, right| hash_join::match_ranges(left, right, nulls, exec))
}

/// The match of each left row, if it is known that no right key comes twice; keys as in [`hash_join`].
pub(super) fn unique_matches(
    left: &[&Column],
    right: &[&Column],
    nulls: NullEquality,
    exec: &Exec,
) -> Result<Option<RowMap>> {
    with_views(left, right, exec, |left, right| hash_join::unique_matches(left, right, nulls, exec))
}

/// What `run` makes of the keys of both sides, converted so that rows are equal exactly if their stored values are.
fn with_views<T>(
    left: &[&Column],
    right: &[&Column],
    exec: &Exec,
    run: impl FnOnce(&[View<'_>], &[View<'_>]) -> columnade_kernels::Result<T>,
) -> Result<T> {
    check_keys(left, right)?;
    let pairs = left
        .iter()
        .zip(right)
        .enumerate()
        .map(|(position, (left, right))| {
            comparable(left, right, exec).map_err(|error| error.in_key(position))
        })
        .collect::<Result<Vec<_>>>()?;
    let views = |side: fn(&(Column, Column)) -> &Column| -> Result<Vec<View<'_>>> {
        let keys = pairs.iter().map(side).enumerate();
        keys.map(|(position, key)| key.view().map_err(|error| error.in_key(position))).collect()
    };
    let (left, right) = (views(|pair| &pair.0)?, views(|pair| &pair.1)?);
    Ok(run(&left, &right)?)
}

/// Checks that both sides have the same number of keys, and that the keys of a side have one length.
fn check_keys(left: &[&Column], right: &[&Column]) -> Result<()> {
    check_key_count(left.len(), right.len())?;
    for side in [left, right] {
        if let Some(other) = side.iter().find(|key| key.size() != side[0].size()) {
            return Err(Error::LengthMismatch { expected: side[0].size(), found: other.size() });
        }
    }
    Ok(())
}

/// Checks that both sides have the same number of keys, at least one.
pub(super) fn check_key_count(left: usize, right: usize) -> Result<()> {
    if left == 0 || left != right {
        let reason = format!("{left} on the left, {right} on the right; at least one, as many on both");
        return Err(Error::InvalidArgument { name: "keys", reason });
    }
    Ok(())
}

/// Both keys where one has nulls of no dtype, which take that of the other one, and lists and structs whose items have other dtypes.
pub(super) fn typed_nulls(left: &Column, right: &Column, exec: &Exec) -> Result<Option<(Column, Column)>> {
    let typed = |nulls: &Column, other: &Column| cast(nulls, &other.dtype(), CastMode::Wrap, exec);
    match (left.dtype() == DType::Null, right.dtype() == DType::Null) {
        (true, false) => Ok(Some((typed(left, right)?, right.clone()))),
        (false, true) => Ok(Some((left.clone(), typed(right, left)?))),
        _ => {
            let (own, other) = (left.dtype(), right.dtype());
            if !is_compound(&own) || own.same_values(&other) {
                return Ok(None);
            }
            let Some(common) = common_key(&own, &other) else { return Ok(None) };
            let made = |column: &Column| cast(column, &common, CastMode::Checked, exec);
            Ok(Some((made(left)?, made(right)?)))
        }
    }
}

/// Both keys, converted so that rows are equal exactly if their stored values are.
pub(crate) fn comparable(left: &Column, right: &Column, exec: &Exec) -> Result<(Column, Column)> {
    let dtypes = (left.dtype(), right.dtype());
    let Some(common) = common_key(&dtypes.0, &dtypes.1) else {
        return Err(Error::DTypeMismatch { left: dtypes.0, right: dtypes.1 });
    };
    if let Some((left, right)) = typed_nulls(left, right, exec)? {
        return comparable(&left, &right, exec);
    }
    if is_compound(&dtypes.0) {
        return numbered_together(left, right, Numbering::Equality, exec);
    }
    if dtypes.0.logical() != dtypes.1.logical() {
        return in_common_dtype(left, right, &common, exec);
    }
    match (left, right) {
        (Column::Categorical(left), Column::Categorical(right)) => {
            let mut unified =
                CategoricalColumn::unify(&[left, right], exec)?.into_iter().map(Column::Categorical);
            match (unified.next(), unified.next()) {
                (Some(left), Some(right)) => Ok((left, right)),
                _ => Err(Error::DTypeMismatch { left: left.codes().dtype(), right: right.codes().dtype() }),
            }
        }
        (Column::Categorical(left), right) => Ok((decode(left, exec)?, right.clone())),
        (left, Column::Categorical(right)) => Ok((left.clone(), decode(right, exec)?)),
        (left, right) => Ok((left.clone(), right.clone())),
    }
}
