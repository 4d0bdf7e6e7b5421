//! Row functions and aggregates by group that give a value for each row.
//!
//! Before an expression is evaluated, its row functions and the aggregates in it are computed as columns, and the
//! expression is evaluated over them.

mod cumulative;
mod exponential;
mod fill;
pub(crate) mod kendall;
mod nulls;
pub(crate) mod products;
mod range_counts;
mod rank;
pub(crate) mod rolling;
mod shift;
#[cfg(test)]
mod test_exponential;
#[cfg(test)]
mod test_interpolate;
#[cfg(test)]
mod test_nested;
#[cfg(test)]
mod test_products;
#[cfg(test)]
mod test_range_counts;
#[cfg(test)]
mod test_rolling;
#[cfg(test)]
mod test_rolling_order;
#[cfg(test)]
mod tests;

use crate::copying::{gather_column, is_nested};
use crate::expression::condition::{is_of_values, null_unless};
use crate::expression::shared::{Alike, Rewritten, Search, search};
use crate::expression::{Cumulative, Expr, Node, RowFunction, col, columns_of, evaluate_rows};
use crate::groupby::NullKeys;
use crate::groupby::aggregate_by;
use crate::groupby::grouped_rows::{GroupedRows, SortedRows, column_of, compute, numbers, row_map, take};
use columnade_buffers::{Exec, with_retry_no_split};
use columnade_columns::{Column, ColumnAccessor, DType, Error, ErrorSubject, Label, Levels, Result, Scalar};
use columnade_kernels::RowMap;
use columnade_kernels::copying::gather::MapNulls;
use columnade_kernels::copying::scatter::permute;
use std::cell::OnceCell;
use std::collections::HashMap;
use std::sync::Arc;

/// The rows that a function is computed within.
#[derive(Clone, Copy, Debug)]
struct Partition<'a> {
    keys: &'a [Expr],
    null_keys: NullKeys,
}

impl Partition<'_> {
    /// All rows together.
    const ALL: Partition<'static> = Partition { keys: &[], null_keys: NullKeys::Drop };

    const fn drops_null_keys(&self) -> bool {
        matches!(self.null_keys, NullKeys::Drop)
    }
}

/// Whether an expression has row functions or aggregates, for which other rows are needed.
pub(crate) fn is_windowed(expr: &Expr) -> bool {
    search(expr, &mut |expr| {
        Search::found(matches!(
            expr.node(),
            Node::RowFunction(..) | Node::Over(..) | Node::Aggregate(..) | Node::Statistic(..) | Node::Len
        ))
    })
}

/// Whether an aggregate in the expression has an argument with row functions or aggregates.
pub(crate) fn has_windowed_argument(expr: &Expr) -> bool {
    search(expr, &mut |expr| {
        let is_aggregate = matches!(expr.node(), Node::Aggregate(..) | Node::Statistic(..));
        Search::found(is_aggregate && expr.children().into_iter().any(is_windowed))
    })
}

/// The expressions without row functions and aggregates, and the frame with their results as columns. An aggregate is that
/// of all rows, for each row. All rows are processed at a time.
///
/// # Errors
/// Those of the functions, with the function as context.
pub(crate) fn materialize(
    exprs: &[Expr],
    frame: &ColumnAccessor,
    exec: &Exec,
) -> Result<(Vec<Expr>, ColumnAccessor)> {
    replaced(exprs, frame, exec, &|windows, expr| windows.replace(expr, Partition::ALL))
}

/// [`materialize`] of the arguments of aggregates, within groups by `keys`. The aggregates themselves stay.
pub(crate) fn materialize_arguments(
    aggregates: &[Expr],
    frame: &ColumnAccessor,
    keys: &[Expr],
    null_keys: NullKeys,
    exec: &Exec,
) -> Result<(Vec<Expr>, ColumnAccessor)> {
    let partition = Partition { keys, null_keys };
    replaced(aggregates, frame, exec, &|windows, expr| windows.replace_arguments(expr, partition))
}

fn replaced(
    exprs: &[Expr],
    frame: &ColumnAccessor,
    exec: &Exec,
    replace: &dyn Fn(&mut Windows<'_>, &Expr) -> Result<Expr>,
) -> Result<(Vec<Expr>, ColumnAccessor)> {
    // Results have labels of one level.
    let frame = frame.clone().relevel(Levels::default())?;
    with_retry_no_split(exec, |exec| {
        let mut windows = Windows {
            rows: frame.clone(),
            computed: Vec::new(),
            alike: Alike::default(),
            replaced: HashMap::new(),
            in_arguments: Rewritten::default(),
            keys_of_both: Vec::new(),
            exec,
        };
        let mut replaced = Vec::with_capacity(exprs.len());
        for expr in exprs {
            replaced.push(replace(&mut windows, expr.unaliased())?.alias(expr.label()));
        }
        Ok((replaced, windows.rows))
    })
}

/// The number of a function, and its partition.
#[derive(Debug, PartialEq, Eq)]
struct Within {
    function: usize,
    keys: Vec<usize>,
    drops_null_keys: bool,
}

/// The rows, with a column for each row function so far.
struct Windows<'a> {
    rows: ColumnAccessor,
    /// The functions that have a column, by their number and those of their keys.
    computed: Vec<(Within, Label)>,
    alike: Alike,
    /// The expressions that have been replaced: for rows of the partition with these keys, or in arguments.
    replaced: HashMap<(*const Expr, bool), Rewritten>,
    in_arguments: Rewritten,
    /// The keys of functions within two partitions, kept since their addresses are in `replaced`.
    keys_of_both: Vec<Arc<[Expr]>>,
    exec: &'a Exec,
}

impl Windows<'_> {
    /// The expression with columns for the functions in it, which are computed within `partition`.
    fn replace(&mut self, expr: &Expr, partition: Partition<'_>) -> Result<Expr> {
        let within = (partition.keys.as_ptr(), partition.drops_null_keys());
        if let Some(known) = self.replaced.get(&within).and_then(|known| known.get(expr)) {
            return Ok(known);
        }
        let replaced = self.replace_unknown(expr, partition)?;
        self.replaced.entry(within).or_default().insert(expr, &replaced);
        Ok(replaced)
    }

    fn replace_unknown(&mut self, expr: &Expr, partition: Partition<'_>) -> Result<Expr> {
        // Not by calls: what has no functions may be deep.
        if !is_windowed(expr) {
            return Ok(expr.clone());
        }
        let node = expr.node();
        if let Node::Over(function, keys, null_keys) = node {
            let inner = Partition { keys, null_keys: *null_keys };
            if partition.keys.is_empty() {
                return self.replace(function, inner);
            }
            return self.replace_within_both(function, partition, inner);
        }
        if let Node::RowFunction(..) | Node::Aggregate(..) | Node::Statistic(..) | Node::Len = node {
            return self.computed(expr, partition);
        }
        self.with_replaced_children(expr, partition)
    }

    /// The function within the groups by the keys of both partitions, null where a key is null of one that drops such rows.
    fn replace_within_both(
        &mut self,
        function: &Expr,
        outer: Partition<'_>,
        inner: Partition<'_>,
    ) -> Result<Expr> {
        let keys: Arc<[Expr]> = outer.keys.iter().chain(inner.keys).cloned().collect();
        // What is replaced is known by the address of the keys.
        self.keys_of_both.push(keys.clone());
        if outer.drops_null_keys() == inner.drops_null_keys() {
            return self.replace(function, Partition { keys: &keys, null_keys: outer.null_keys });
        }
        let replaced = self.replace(function, Partition { keys: &keys, null_keys: NullKeys::Group })?;
        let dropping = if outer.drops_null_keys() { outer } else { inner };
        Ok(match self.in_group(dropping)? {
            Some(in_group) => null_unless(in_group, replaced),
            None => replaced,
        })
    }

    /// Whether no key of a row is null; `None` without keys.
    fn in_group(&mut self, partition: Partition<'_>) -> Result<Option<Expr>> {
        let keys = partition.keys.iter().map(|key| self.replace(key, Partition::ALL));
        let keys = keys.collect::<Result<Vec<_>>>()?;
        Ok(keys.into_iter().map(Expr::is_not_null).reduce(Expr::and))
    }

    fn with_replaced_children(&mut self, expr: &Expr, partition: Partition<'_>) -> Result<Expr> {
        expr.try_map_children(|child| self.replace(child, partition))
    }

    /// The expression with columns for the functions in the arguments of its aggregates.
    fn replace_arguments(&mut self, expr: &Expr, partition: Partition<'_>) -> Result<Expr> {
        if let Some(known) = self.in_arguments.get(expr) {
            return Ok(known);
        }
        let replaced = if let Node::Aggregate(..) | Node::Statistic(..) = expr.node() {
            self.with_replaced_children(expr, partition)?
        } else {
            expr.try_map_children(|child| self.replace_arguments(child, partition))?
        };
        self.in_arguments.insert(expr, &replaced);
        Ok(replaced)
    }

    /// A column with a row function, or with the aggregate of each row's group; made once for equal ones.
    #[expect(clippy::wildcard_enum_match_arm, reason = "other errors pass")]
    fn computed(&mut self, expr: &Expr, partition: Partition<'_>) -> Result<Expr> {
        let within = Within {
            function: self.alike.number(expr),
            keys: partition.keys.iter().map(|key| self.alike.number(key)).collect(),
            drops_null_keys: partition.drops_null_keys(),
        };
        if let Some((_, label)) = self.computed.iter().find(|(other, _)| *other == within) {
            return Ok(col(label.clone()));
        }
        let mut by = Vec::with_capacity(partition.keys.len());
        for key in partition.keys {
            let key = self.replace(key, Partition::ALL)?;
            by.push(self.column(&key)?);
        }
        let inner = self.with_replaced_children(expr, partition)?;
        let column = match self.function(&inner, &by, partition, None) {
            Err(error) if is_of_values(&error) && partition.drops_null_keys() && !by.is_empty() => {
                // Whether it is the error of a row without a group is looked at only now.
                let in_group = self.in_group(partition)?;
                self.function(&inner, &by, partition, in_group.as_ref())
            }
            column => column,
        };
        let column = column.map_err(|error| match error {
            located @ Error::Context { subject: ErrorSubject::Expression(_), .. } => located,
            other => other.in_expression(expr),
        })?;
        // What errors call it.
        let mut label = expr.to_string();
        while self.rows.contains(&*label) {
            label.push('\'');
        }
        self.rows.insert(label.clone(), column)?;
        self.computed.push((within, label.clone().into()));
        Ok(col(label))
    }

    /// A function or an aggregate whose arguments have no functions. `in_group`: the rows whose values count.
    fn function(
        &self,
        expr: &Expr,
        by: &[Column],
        partition: Partition<'_>,
        in_group: Option<&Expr>,
    ) -> Result<Column> {
        let groups = || {
            let by: Vec<&Column> = by.iter().collect();
            GroupedRows::new(&by, self.rows.rows(), partition.null_keys, self.exec)
        };
        let Node::RowFunction(function, arguments) = expr.node() else {
            let groups = groups()?;
            let of_groups = match in_group {
                Some(in_group) => aggregate_by(&expr.clone().filter(in_group.clone()), &self.rows, &groups)?,
                None => aggregate_by(expr, &self.rows, &groups)?,
            };
            return groups.broadcast(&of_groups);
        };
        let of = arguments;
        let has_times = matches!(function, RowFunction::Rolling(_));
        let arguments = arguments.iter().enumerate().map(|(at, argument)| match in_group {
            // No error of values is that of times, which are not null in the rows of groups.
            Some(in_group) if at == 0 || !has_times => {
                self.column(&null_unless(in_group.clone(), argument.clone()))
            }
            _ => self.column(argument),
        });
        let arguments = arguments.collect::<Result<Vec<_>>>()?;
        let of_nulls = nulls::replaced(&arguments, self.exec)?;
        let values = of_nulls.as_deref().unwrap_or(&arguments);
        let column = if by.is_empty() {
            of_whole(*function, values, &Ordered::whole(self.rows.rows(), self.exec))
        } else {
            by_group(*function, values, &groups()?)
        };
        let column = column.map_err(|error| match (function, values, of.as_slice()) {
            (RowFunction::Rolling(_), [values, times], [_, by]) if is_of_times(&error, values, times) => {
                error.in_column(by.label())
            }
            _ => error,
        })?;
        match of_nulls {
            Some(_) => nulls::in_dtype(*function, column, self.exec),
            None => Ok(column),
        }
    }

    fn column(&self, expr: &Expr) -> Result<Column> {
        Ok(evaluate_rows(std::slice::from_ref(expr), &self.rows, self.exec)?.swap_remove(0).1)
    }
}

/// Whether an error of a window of time is about its times.
fn is_of_times(error: &Error, values: &Column, times: &Column) -> bool {
    let is_refused = |dtype: &DType| *dtype == times.dtype() && *dtype != values.dtype();
    matches!(error, Error::InvalidArgument { name: "by", .. })
        || matches!(error, Error::UnsupportedDType { dtype } if is_refused(dtype))
}

/// The function of each row among all rows.
fn of_whole(function: RowFunction, arguments: &[Column], rows: &Ordered<'_>) -> Result<Column> {
    let Some(values) = arguments.first() else { return row_function(function, arguments, rows) };
    let found = match function {
        RowFunction::Shift(n) => shift::of_whole(n, values, rows.exec)?,
        RowFunction::Cumulative(kind) => cumulative::of_whole(kind, values, rows.exec)?,
        RowFunction::Rank(by) => Some(rank::of_whole(by, values, rows.exec)?),
        RowFunction::RowNumber
        | RowFunction::FillForward(_)
        | RowFunction::FillBackward(_)
        | RowFunction::Interpolate
        | RowFunction::Rolling(_)
        | RowFunction::Exponential(_) => None,
    };
    found.map_or_else(|| row_function(function, arguments, rows), Ok)
}

/// The function of each row by group, in the order of the rows.
fn by_group(function: RowFunction, arguments: &[Column], groups: &GroupedRows<'_>) -> Result<Column> {
    match (function, arguments) {
        (RowFunction::Rank(by), [values, ..]) => rank::by_group(by, values, groups),
        _ => row_function(function, arguments, &Ordered::new(groups)?),
    }
}

/// The function of each of the ordered rows, in the order of the rows.
fn row_function(function: RowFunction, arguments: &[Column], ordered: &Ordered<'_>) -> Result<Column> {
    let values =
        || arguments.first().ok_or(Error::Internal { invariant: "the row function has an argument" });
    match function {
        RowFunction::RowNumber => ordered.in_row_order(&ordered.compute(&[], col("row") - col("start") + 1)?),
        RowFunction::Cumulative(Cumulative::Count) => cumulative::count(values()?, ordered),
        RowFunction::Cumulative(kind) => cumulative::cumulative(kind, values()?, ordered),
        RowFunction::Rank(by) => rank::of_whole(by, values()?, ordered.exec),
        RowFunction::Shift(n) => shift::shift(n, values()?, ordered),
        RowFunction::FillForward(limit) => fill::forward(values()?, limit, ordered),
        RowFunction::FillBackward(limit) => fill::backward(values()?, limit, ordered),
        RowFunction::Interpolate => fill::interpolate(values()?, ordered),
        RowFunction::Exponential(by) => exponential::exponential(by, values()?, arguments.get(1), ordered),
        RowFunction::Rolling(by) => rolling::rolling(by, values()?, arguments.get(1), ordered),
    }
}

/// The rows ordered by group, with the bounds of each row's group. What is not needed is not made.
struct Ordered<'a> {
    /// The rows in the order of their groups; without groups, all are in one, and in their order.
    map: OnceCell<RowMap>,
    order: OnceCell<Column>,
    bounds: OnceCell<GroupBounds>,
    positions: OnceCell<Column>,
    rows: usize,
    is_whole: bool,
    exec: &'a Exec,
}

/// The bounds of the group of each ordered row.
struct GroupBounds {
    /// Where it begins; null for rows of no group.
    start: Column,
    /// Where it ends.
    end: Column,
}

impl<'a> Ordered<'a> {
    /// Rows that are all in one group.
    fn whole(rows: usize, exec: &'a Exec) -> Self {
        let (map, order) = (OnceCell::new(), OnceCell::new());
        let (bounds, positions) = (OnceCell::new(), OnceCell::new());
        Self { map, order, bounds, positions, rows, is_whole: true, exec }
    }

    fn new(groups: &GroupedRows<'a>) -> Result<Self> {
        if groups.is_whole() {
            return Ok(Self::whole(groups.rows(), groups.exec));
        }
        Self::of(groups, groups.sorted()?.clone())
    }

    fn of(groups: &GroupedRows<'a>, sorted: SortedRows) -> Result<Self> {
        let exec = groups.exec;
        // Neighbours have one group, so that its bounds are read side by side.
        let ids = groups.ids_in_order(&sorted)?;
        let nulls = if groups.may_be_partial() { MapNulls::Possible } else { MapNulls::Never };
        let bounds = [("start", &sorted.starts), ("size", &sorted.sizes)];
        let ends = compute(&bounds, col("start") + col("size"), exec)?;
        let of_rows = |of_groups| gather_column(of_groups, &ids, nulls, exec);
        let bounds = GroupBounds { start: of_rows(&sorted.starts)?, end: of_rows(&ends)? };
        Ok(Self {
            map: OnceCell::from(sorted.map),
            bounds: OnceCell::from(bounds),
            is_whole: false,
            ..Self::whole(groups.rows(), exec)
        })
    }

    /// The ordered rows, `int64`.
    fn order(&self) -> Result<&Column> {
        made_once(&self.order, || match self.map.get() {
            Some(map) => column_of(map, self.exec),
            None => numbers(self.rows, self.exec),
        })
    }

    /// The ordered rows.
    fn map(&self) -> Result<&RowMap> {
        made_once(&self.map, || row_map(self.order()?, self.exec))
    }

    /// 0, 1, 2 … for the ordered rows.
    fn positions(&self) -> Result<&Column> {
        made_once(&self.positions, || numbers(self.rows, self.exec))
    }

    fn bounds(&self) -> Result<&GroupBounds> {
        made_once(&self.bounds, || {
            let constant = |value| Column::from_scalar(&Scalar::Int64(value), self.rows, self.exec);
            let rows = i64::try_from(self.rows).unwrap_or(i64::MAX);
            Ok(GroupBounds { start: constant(0)?, end: constant(rows)? })
        })
    }

    /// Whether there can be rows of no group.
    fn has_rows_of_no_group(&self) -> Result<bool> {
        Ok(!self.is_whole && self.bounds()?.start.mask().is_some())
    }

    /// The values in the order of the groups.
    fn values(&self, values: &Column) -> Result<Column> {
        if self.is_whole {
            return Ok(values.clone());
        }
        gather_column(values, self.map()?, MapNulls::Never, self.exec)
    }

    /// An expression over the ordered rows: their positions `row`, the bounds `start` and `end` of their groups, and
    /// further columns.
    fn compute(&self, columns: &[(&str, &Column)], expr: Expr) -> Result<Column> {
        let labels = columns_of([&expr]);
        let uses = |name: &str| labels.iter().any(|label| *label == *name);
        let mut of_rows = columns.to_vec();
        if uses("row") {
            of_rows.push(("row", self.positions()?));
        }
        if uses("start") {
            of_rows.push(("start", &self.bounds()?.start));
        }
        if uses("end") {
            of_rows.push(("end", &self.bounds()?.end));
        }
        compute(&of_rows, expr, self.exec)
    }

    /// Ordered values in the order of the rows.
    fn in_row_order(&self, ordered: &Column) -> Result<Column> {
        if self.is_whole {
            return Ok(ordered.clone());
        }
        moved_to(ordered, self.map()?, self.exec)
    }
}

fn made_once<T>(cell: &OnceCell<T>, make: impl FnOnce() -> Result<T>) -> Result<&T> {
    if let Some(made) = cell.get() {
        return Ok(made);
    }
    let made = make()?;
    Ok(cell.get_or_init(|| made))
}

/// The values of ordered rows, in the order of the rows; `order` has the row of each.
fn moved_to(ordered: &Column, order: &RowMap, exec: &Exec) -> Result<Column> {
    if is_nested(ordered) {
        return take(ordered, &places_of(order, exec)?, exec);
    }
    ordered.with_data(permute(&ordered.view()?, order, exec)?, exec)
}

/// Where each row is among the ordered rows.
pub(crate) fn inverse(rows: &Column, exec: &Exec) -> Result<Column> {
    places_of(&row_map(rows, exec)?, exec)
}

fn places_of(map: &RowMap, exec: &Exec) -> Result<Column> {
    let positions = numbers(map.len, exec)?;
    Column::from_data(DType::Int64, permute(&positions.view()?, map, exec)?)
}
