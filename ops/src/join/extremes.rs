//! Semi and anti joins with one inequality, by the least and the greatest right value of each key.

use super::hash_join::hash_join;
use super::inequality::{inequality, is_exact, value_of};
use super::{JoinKind, NullEquality, PairCondition};
use crate::copying::{MapNulls, gather_column, gather_first_rows};
use crate::expression::{Aggregation, Comparison, Expr, Node, col, evaluate_mask_rows, lit, when};
use crate::groupby::grouped_rows::GroupedRows;
use columnade_buffers::Exec;
use columnade_columns::{Column, ColumnAccessor, DType, Error, Label, Result};
use columnade_kernels::filling::fill::fill;
use columnade_kernels::grouping::group_ids::NullKeys;
use columnade_kernels::{RowMap, RowWidth, Value};

/// Whether a right row matches each left row: null and false where none does. `None` for conditions other than one
/// inequality between the sides. A right value that differs from `a` is there if the least or the greatest does, one that is
/// larger if the greatest is: no pairs are made, of which a key with many rows on both sides has their product.
///
/// # Device
/// The groups of the right keys, one aggregate or two, and a join with the groups.
pub(super) fn matches_by_extremes(
    condition: &PairCondition,
    [left, right]: [&ColumnAccessor; 2],
    [left_keys, right_keys]: [&[&Column]; 2],
    nulls: NullEquality,
    exec: &Exec,
) -> Result<Option<Column>> {
    let Some(term) = inequality(&condition.predicate, left, right) else { return Ok(None) };
    let values = value_of(&term.right, right, exec)?;
    let dtype = values.dtype();
    if !is_exact(&dtype) && dtype != DType::Utf8 {
        return Ok(None);
    }
    // An invalid condition is an error that names its own operands.
    let mut none = left.slice(0, 0)?;
    for (label, column) in right.iter() {
        none.insert(label.clone(), column.slice(0, 0)?)?;
    }
    evaluate_mask_rows(&condition.predicate, &none, exec)?;
    let groups = GroupedRows::new(right_keys, right.rows(), NullKeys::Group, exec)?;
    let group = group_of_rows(&groups, left.rows(), [left_keys, right_keys], nulls, exec)?;
    let mut rows = left.clone();
    let mut extreme = |aggregation| -> Result<Expr> {
        let of_groups = groups.aggregate(aggregation, &values, dtype.clone())?;
        let label = unused(&rows);
        rows.insert(label.clone(), gather_column(&of_groups, &group, MapNulls::Possible, exec)?)?;
        let extreme = Expr::new(Node::Compare(term.comparison, term.left.clone(), col(label.clone())));
        // A left value that is in no pair may overflow.
        Ok(when(col(label).is_not_null()).then(extreme).otherwise(lit(false)))
    };
    let predicate = match term.comparison {
        Comparison::Lt | Comparison::Le => extreme(Aggregation::Max)?,
        Comparison::Gt | Comparison::Ge => extreme(Aggregation::Min)?,
        Comparison::Ne => extreme(Aggregation::Min)?.or(extreme(Aggregation::Max)?),
        Comparison::Eq => return Ok(None),
    };
    evaluate_mask_rows(&predicate, &rows, exec).map(Some)
}

/// The group of the right rows that have the keys of each left row.
fn group_of_rows(
    groups: &GroupedRows<'_>,
    rows: usize,
    [left_keys, right_keys]: [&[&Column]; 2],
    nulls: NullEquality,
    exec: &Exec,
) -> Result<RowMap> {
    if left_keys.is_empty() {
        return Ok(RowMap { rows: fill(Value::U32(0), rows, exec)?.data, width: RowWidth::U32, len: rows });
    }
    let keys = gather_first_rows(right_keys, groups.first_rows(), exec)?;
    let keys: Vec<&Column> = keys.iter().collect();
    let maps = hash_join(left_keys, &keys, JoinKind::Left, nulls, exec)?;
    maps.right.ok_or(Error::Internal { invariant: "pairs have two rows" })
}

/// A label that no column has.
pub(super) fn unused(rows: &ColumnAccessor) -> Label {
    let mut number = rows.len();
    while rows.contains(number.to_string()) {
        number += 1;
    }
    Label::from(number.to_string())
}
