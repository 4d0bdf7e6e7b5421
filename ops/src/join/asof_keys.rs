//! The ordered keys of a join with the nearest row.

use super::common_key;
use super::hash_join::typed_nulls;
use super::keys::{in_common_dtype, is_time};
use crate::cast::{CastMode, cast};
use crate::keys::{Numbering, numbered_together};
use crate::sort::{NullOrder, ranks};
use columnade_buffers::{Exec, with_retry_no_split};
use columnade_columns::{CategoricalColumn, Column, DType, Error, Result};
use std::borrow::Cow;

/// The ordered keys of both sides, of one dtype.
pub(super) struct OrderedKeys {
    pub(super) columns: [Column; 2],
    /// The common dtype of keys that have distances: numbers and times. Times that are beyond the range of its unit are counts
    /// of it.
    pub(super) distances: Option<DType>,
}

impl OrderedKeys {
    /// Numbers and times in their common dtype. Booleans and dictionaries are numbers in the order of their values; other
    /// keys stay as they are, for [`searched`].
    pub(super) fn new(left: &Column, right: &Column, exec: &Exec) -> Result<Self> {
        if let Some((left, right)) = typed_nulls(left, right, exec)? {
            return Self::new(&left, &right, exec);
        }
        let mismatch = || Error::DTypeMismatch { left: left.dtype(), right: right.dtype() };
        let common = common_key(&left.dtype(), &right.dtype()).ok_or_else(mismatch)?;
        let without_distances = |columns| Ok(Self { columns, distances: None });
        let (is_left_ordered, is_right_ordered) =
            (has_order_of_categories(left), has_order_of_categories(right));
        if is_left_ordered != is_right_ordered {
            return Err(mismatch());
        }
        if !is_left_ordered && has_distances(&common) {
            let (left, right) = in_common_dtype(left, right, &common, exec)?;
            return Ok(Self { columns: [left, right], distances: Some(common) });
        }
        if let (Column::Categorical(left), Column::Categorical(right)) = (left, right) {
            return with_retry_no_split(exec, |exec| {
                let both = CategoricalColumn::unify(&[left, right], exec)?;
                let rank = |column: &CategoricalColumn| {
                    if column.is_ordered() { Ok(column.codes()) } else { ranks(column, exec) }
                };
                without_distances([rank(&both[0])?, rank(&both[1])?])
            });
        }
        let dtype = if common == DType::Bool { DType::UInt8 } else { common };
        let cast_to = |key: &Column| cast(key, &dtype, CastMode::Checked, exec);
        without_distances([cast_to(left)?, cast_to(right)?])
    }
}

/// Whether values are in the order of the categories of a dictionary.
fn has_order_of_categories(column: &Column) -> bool {
    matches!(column, Column::Categorical(column) if column.is_ordered())
}

/// Whether keys of a dtype have distances, by which a search compares them.
pub(super) fn has_distances(dtype: &DType) -> bool {
    is_time(dtype) || dtype.is_integer() || dtype.is_float() || matches!(dtype, DType::Decimal { .. })
}

/// [`OrderedKeys`] of some rows of both sides as a search compares them: their ranks among all of both if they are no numbers.
pub(super) fn searched<'a>(
    left: &'a Column,
    right: &'a Column,
    exec: &Exec,
) -> Result<(Cow<'a, Column>, Cow<'a, Column>)> {
    if has_distances(&left.dtype()) {
        return Ok((Cow::Borrowed(left), Cow::Borrowed(right)));
    }
    let (left, right) = numbered_together(left, right, Numbering::Order(NullOrder::Last), exec)?;
    Ok((Cow::Owned(left), Cow::Owned(right)))
}
