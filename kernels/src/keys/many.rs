//! More key columns than the `.cu` files take: the first ones are replaced by the numbers of their groups.

use super::MAX_DEVICE_KEYS;
use crate::copying::concat::concat;
use crate::elementwise::Operand;
use crate::elementwise::compare::{CompareOp, compare};
use crate::grouping::group_ids::{NullKeys, group_ids};
use crate::{Fixed, FixedData, Result, RowMap, Storage, Value, View};
use columnade_buffers::Exec;

/// A column of `U32` in place of the first [`MAX_DEVICE_KEYS`] of `keys`, and the other keys. Rows with equal keys have equal
/// numbers; with [`NullKeys::Drop`] the number of a row with a null key is null.
pub(crate) fn number_first<'a, 'b>(
    keys: &'a [View<'b>],
    nulls: NullKeys,
    exec: &Exec,
) -> Result<(FixedData, &'a [View<'b>])> {
    let (first, rest) = keys.split_at(MAX_DEVICE_KEYS.min(keys.len()));
    Ok((numbers(first, nulls, exec)?, rest))
}

/// [`number_first`] of both sides of a join, whose numbers agree: the numbers of the left rows, then of the right ones.
pub(crate) fn number_both(
    left: &[View<'_>],
    right: &[View<'_>],
    nulls: NullKeys,
    exec: &Exec,
) -> Result<FixedData> {
    let pairs = left.iter().zip(right).take(MAX_DEVICE_KEYS);
    let both = pairs.map(|(left, right)| concat(&[*left, *right], exec)).collect::<Result<Vec<_>>>()?;
    let views: Vec<View<'_>> = both.iter().map(|column| column.view()).collect();
    numbers(&views, nulls, exec)
}

/// The keys of one side of a join: `len` of the numbers from `offset` on, and the keys that have none.
pub(crate) fn keys_of_side<'a>(
    numbers: &'a FixedData,
    offset: usize,
    len: usize,
    side: &[View<'a>],
) -> Vec<View<'a>> {
    let numbers = View::Fixed(Fixed { offset, len, ..numbers.view() });
    std::iter::once(numbers).chain(side.iter().skip(MAX_DEVICE_KEYS).copied()).collect()
}

fn numbers(keys: &[View<'_>], nulls: NullKeys, exec: &Exec) -> Result<FixedData> {
    let RowMap { rows: data, len, .. } = group_ids(keys, nulls, exec)?.ids;
    let ids = FixedData { storage: Storage::U32, len, data, validity: None };
    if nulls == NullKeys::Group || keys.iter().all(|key| key.validity_bits().is_none()) {
        return Ok(ids);
    }
    // Rows of no group.
    let none = Operand::Value(Value::U32(RowMap::NONE_U32));
    let has_group = compare(CompareOp::Ne, Operand::Column(ids.view()), none, exec)?;
    Ok(FixedData { validity: Some(has_group.data), ..ids })
}
