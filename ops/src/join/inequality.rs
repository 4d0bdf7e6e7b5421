//! Ranges of the rows of one side by inequalities between both sides.

use super::PairCondition;
use super::conditional::to_width;
use super::keys::common_key;
use crate::cast::{CastMode, cast};
use crate::expression::{Comparison, Expr, Node, col, columns_of, evaluate_rows, when};
use crate::groupby::grouped_rows::{column_of, compute, row_map};
use crate::sort::{NullOrder, Order, SortKey, argsort};
use columnade_buffers::Exec;
use columnade_columns::{Column, ColumnAccessor, DType, ErrorKind, Label, Result, promote};
use columnade_kernels::joining::pairs::MatchRanges;
use columnade_kernels::joining::search_ranges::{Bound, search_ranges};
use columnade_kernels::{RowWidth, View};

/// The right rows that may match each left row.
pub(super) struct ValueRanges {
    /// A range of the right rows sorted by value.
    pub(super) ranges: MatchRanges,
    /// Whether all of them match, so that the condition need not be evaluated.
    pub(super) is_exact: bool,
    /// Whether they are left rows for each right row.
    pub(super) is_swapped: bool,
}

/// `left op right`, where one side of the join has the columns of `left` and the other one those of `right`.
pub(super) struct Inequality {
    pub(super) left: Expr,
    pub(super) comparison: Comparison,
    pub(super) right: Expr,
}

impl Inequality {
    /// The same inequality for the sides in the other order.
    fn swapped(self) -> Self {
        Self { left: self.right, comparison: self.comparison.flipped(), right: self.left }
    }
}

/// The right rows that inequalities of the condition leave for each left row: those with one right side, which right rows
/// are sorted by and left rows searched in. Where more of them have one left side, as in `lo <= t and t < hi` of times on
/// the left, the left rows for each right row. `None` for a condition without such inequalities.
pub(super) fn inequality_ranges(
    condition: &PairCondition,
    left: &ColumnAccessor,
    right: &ColumnAccessor,
    exec: &Exec,
) -> Result<Option<ValueRanges>> {
    let mut terms = Vec::new();
    conjuncts(&condition.predicate, &mut terms);
    let ordered = |term| inequality(term, left, right).filter(|found| found.comparison != Comparison::Ne);
    let mut found: Vec<Inequality> = terms.iter().filter_map(|&term| ordered(term)).collect();
    let (of_right, of_left) =
        (most_common(&found, |found| &found.right), most_common(&found, |found| &found.left));
    let is_swapped = of_left.0 > of_right.0;
    let (left, right, of_one) = if is_swapped { (right, left, of_left) } else { (left, right, of_right) };
    if is_swapped {
        found = found.into_iter().map(Inequality::swapped).collect();
    }
    let Some(by) = of_one.1 else { return Ok(None) };
    found.retain(|inequality| inequality.right.is_same(&by));
    let values = value_of(&by, right, exec)?;
    let mut bounds: Vec<(Comparison, Column)> = Vec::new();
    let mut dtype = values.dtype();
    for inequality in &found {
        let needles = value_of(&inequality.left, left, exec)?;
        if let Some(common) = search_dtype(&dtype, &needles.dtype()) {
            dtype = common;
            bounds.push((inequality.comparison, needles));
        }
    }
    if bounds.is_empty() {
        return Ok(None);
    }
    let is_exact = bounds.len() == terms.len() && !dtype.is_float();
    let values = cast(&values, &dtype, CastMode::Checked, exec)?;
    let by_value = SortKey { column: &values, order: Order::Ascending, nulls: NullOrder::Last };
    let order = to_width(argsort(&[by_value], exec)?, RowWidth::U64, exec)?;
    // Rows without a value are last.
    let valid = right.rows() - values.null_count(exec)?;
    let mut all = MatchRanges::all(left.rows(), valid, exec)?;
    all.starts = to_width(all.starts, RowWidth::U64, exec)?;
    all.ends = to_width(all.ends, RowWidth::U64, exec)?;
    all.rows = Some(order);
    let (mut start, mut end) = (column_of(&all.starts, exec)?, column_of(&all.ends, exec)?);
    for (comparison, needles) in bounds {
        let needles = cast(&needles, &dtype, CastMode::Checked, exec)?;
        let (View::Fixed(needle_view), View::Fixed(value_view)) = (needles.view()?, values.view()?) else {
            return Ok(None);
        };
        let is_upper = matches!(comparison, Comparison::Lt | Comparison::Ge);
        let bound = if is_upper { Bound::Upper } else { Bound::Lower };
        let found = column_of(&search_ranges(&needle_view, &value_view, &all, bound, exec)?, exec)?;
        let columns = [("start", &start), ("end", &end), ("found", &found), ("needle", &needles)];
        let is_start = matches!(comparison, Comparison::Lt | Comparison::Le);
        let bounded = if is_start {
            when(col("found").gt(col("start"))).then(col("found")).otherwise(col("start"))
        } else {
            when(col("found").lt(col("end"))).then(col("found")).otherwise(col("end"))
        };
        // A null matches nothing.
        let nothing = if is_start { col("end") } else { col("start") };
        let bounded = when(col("needle").is_null()).then(nothing).otherwise(bounded);
        let bounded = compute(&columns, bounded, exec)?.without_mask();
        if is_start { start = bounded } else { end = bounded }
    }
    let not_before = when(col("end").gt(col("start"))).then(col("end")).otherwise(col("start"));
    let end = compute(&[("start", &start), ("end", &end)], not_before, exec)?.without_mask();
    let (starts, ends) = (row_map(&start, exec)?, row_map(&end, exec)?);
    let ranges = MatchRanges { starts, ends, right_rows: right.rows(), ..all };
    Ok(Some(ValueRanges { ranges, is_exact, is_swapped }))
}

/// The terms of a conjunction.
fn conjuncts<'a>(expr: &'a Expr, terms: &mut Vec<&'a Expr>) {
    if let Node::And(a, b) = expr.node() {
        conjuncts(a, terms);
        conjuncts(b, terms);
    } else if let Node::Alias(inner, _) = expr.node() {
        conjuncts(inner, terms);
    } else {
        terms.push(expr);
    }
}

/// The values of both sides that equalities of the condition are of, as keys that equal pairs have: pairs with equal keys need
/// not fulfil the condition, of NaN for one. `None` for a condition without such equalities.
pub(super) fn equal_keys(
    condition: &PairCondition,
    left: &ColumnAccessor,
    right: &ColumnAccessor,
    exec: &Exec,
) -> Result<Option<[Vec<Column>; 2]>> {
    let mut terms = Vec::new();
    conjuncts(&condition.predicate, &mut terms);
    let mut keys = [Vec::new(), Vec::new()];
    let compared = terms.into_iter().filter_map(|term| comparison(term, left, right));
    for equality in compared.filter(|compared| compared.comparison == Comparison::Eq) {
        let values = [value_of(&equality.left, left, exec), value_of(&equality.right, right, exec)];
        let [of_left, of_right] = match values {
            [Ok(of_left), Ok(of_right)] => [of_left, of_right],
            // Whether a value that fails is that of a pair, the condition decides.
            [Err(error), _] | [_, Err(error)] if error.kind() == ErrorKind::Memory => return Err(error),
            _ => continue,
        };
        if common_key(&of_left.dtype(), &of_right.dtype()).is_some() {
            keys[0].push(of_left);
            keys[1].push(of_right);
        }
    }
    Ok(if keys[0].is_empty() { None } else { Some(keys) })
}

/// The inequality of a term, `!=` among them, between columns of the left and of the right.
pub(super) fn inequality(term: &Expr, left: &ColumnAccessor, right: &ColumnAccessor) -> Option<Inequality> {
    comparison(term, left, right).filter(|compared| compared.comparison != Comparison::Eq)
}

/// The comparison of a term between columns of the left and of the right.
fn comparison(term: &Expr, left: &ColumnAccessor, right: &ColumnAccessor) -> Option<Inequality> {
    if let Node::Alias(inner, _) = term.node() {
        return comparison(inner, left, right);
    }
    let Node::Compare(comparison, a, b) = term.node() else { return None };
    let is_of = |expr: &Expr, side: &ColumnAccessor| {
        let labels: Vec<Label> = columns_of([expr]);
        !labels.is_empty() && labels.iter().all(|label| side.contains(label))
    };
    if is_of(a, left) && is_of(b, right) {
        Some(Inequality { left: a.clone(), comparison: *comparison, right: b.clone() })
    } else if is_of(a, right) && is_of(b, left) {
        Some(Inequality { left: b.clone(), comparison: comparison.flipped(), right: a.clone() })
    } else {
        None
    }
}

/// The first of the expressions that most inequalities have on a side, and how many have it.
fn most_common(found: &[Inequality], side: impl Fn(&Inequality) -> &Expr) -> (usize, Option<Expr>) {
    let mut most = (0, None);
    for inequality in found {
        let count = found.iter().filter(|&other| side(other).is_same(side(inequality))).count();
        if count > most.0 {
            most = (count, Some(side(inequality).clone()));
        }
    }
    most
}

pub(super) fn value_of(expr: &Expr, side: &ColumnAccessor, exec: &Exec) -> Result<Column> {
    let (_, column) = evaluate_rows(std::slice::from_ref(expr), side, exec)?.swap_remove(0);
    Ok(column)
}

/// The dtype in which values of two dtypes are in the order that comparisons of them have; `None` for other dtypes.
fn search_dtype(left: &DType, right: &DType) -> Option<DType> {
    let is_ordered = |dtype: &DType| is_exact(dtype) || dtype.is_float();
    if !is_ordered(left) || !is_ordered(right) {
        return None;
    }
    if left.same_values(right) {
        return Some(left.canonical());
    }
    let is_one_kind = (left.is_integer() && right.is_integer()) || (left.is_float() && right.is_float());
    promote::common(left, right).ok().filter(|common| is_one_kind && common.is_float() == left.is_float())
}

/// Whether values are numbers or times that comparisons order as sorts do: floats have NaN.
pub(super) fn is_exact(dtype: &DType) -> bool {
    dtype.is_integer()
        || matches!(
            dtype,
            DType::Decimal { .. }
                | DType::Date32
                | DType::Timestamp(_)
                | DType::TimestampTz(..)
                | DType::Duration(_)
                | DType::Time(_)
        )
}
