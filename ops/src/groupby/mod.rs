//! Aggregates of expressions over the rows of a frame, by group.

mod by_column;
mod compound_keys;
mod exact_correlation;
mod grouped_query;
pub(crate) mod grouped_rows;
mod partial;
mod partitions;
mod plan;
pub(crate) mod statistics;
#[cfg(test)]
mod test_by_column;
#[cfg(test)]
mod test_conditions;
#[cfg(test)]
mod test_correlation;
#[cfg(test)]
mod test_distinct_keys;
#[cfg(test)]
mod test_every_dtype;
#[cfg(test)]
mod test_whole;
#[cfg(test)]
mod tests;
mod whole;

use self::by_column::ByColumn;
pub(crate) use self::grouped_query::aggregate_by;
use self::grouped_query::number_rows;
use self::grouped_rows::{GroupedRows, column_of, numbers};
use self::partial::{States, unscaled};
use self::partitions::PartitionedRows;
use self::plan::{Plan, has_positions};
pub(crate) use self::statistics::pearson;
use crate::copying::gather_first_rows;
use crate::expression::branches::{Guarded, Matters, guarded, with_guards};
use crate::expression::condition::{is_of_values, with_nulls};
use crate::expression::{
    Aggregation, Expr, Lowered, Node, Typed, aggregate_dtype, boolean, columns_of, evaluate, evaluate_rows,
    evaluate_rows_where, resolve,
};
use crate::filter::filter;
use crate::out_of_core::{Driver, MemoryEstimate, OutOfCore, device_of};
use crate::sort::{NullOrder, Order, SortKey, argsort};
use crate::window::{has_windowed_argument, inverse, is_windowed, materialize, materialize_arguments};
use columnade_buffers::{Exec, with_retry_no_split};
use columnade_columns::{Column, ColumnAccessor, DType, Error, Label, Levels, Result};
use columnade_kernels::expression::aggregate::{Request, aggregate as run};
use columnade_kernels::grouping::group_ids;
pub use columnade_kernels::grouping::group_ids::NullKeys;
use columnade_kernels::{ColumnData, View};

/// How groups are formed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GroupOptions {
    /// What becomes of rows with a null in a key.
    pub null_keys: NullKeys,
}

impl Default for GroupOptions {
    /// Rows with a null key are dropped, as in pandas.
    fn default() -> Self {
        Self { null_keys: NullKeys::Drop }
    }
}

/// One row a group, in order of first appearance: the keys, then the aggregates under their labels.
///
/// `rows_where` keeps rows out without materialising the others; expressions are computed while the rows are read. Row
/// functions and aggregates in the argument of an aggregate are those of the rows of its group that take part:
/// `(x - x.mean()).sum()`.
/// Without keys there is one group, also of no rows.
///
/// Rows that do not fit the budget are aggregated in chunks, and the aggregates of the chunks are combined; where the
/// groups do not fit either, by partitions of them. If a sample says that the chunks would have nearly as many groups as
/// rows, the group of each row is found first and each aggregate is computed of its own columns, on the host and where one state
/// for each group fits; else the rows are partitioned. The result is the same, to the byte, but for sums and means of floats: those
/// are sums of partial sums of the chunks in their order, so that their last bits depend on the budget, and on nothing
/// else.
///
/// # Errors
/// Those of [`evaluate`], where an overflow counts only in rows that `rows_where` keeps and that belong to a group;
/// [`Error::Overflow`] for the sum of decimals of more than 38 digits, and for the mean of such a sum; [`Error::InvalidArgument`] when an item of `aggregates` is no
/// aggregate; [`Error::DuplicateLabel`].
///
/// # Device
/// See [`columnade_kernels::expression::aggregate`].
///
/// # Source
/// pandas `groupby(sort=False).agg`, cudf/groupby.hpp `aggregate`.
pub fn aggregate(
    frame: &ColumnAccessor,
    rows_where: Option<&Expr>,
    keys: &[Expr],
    aggregates: &[Expr],
    options: GroupOptions,
    exec: &Exec,
) -> Result<ColumnAccessor> {
    match aggregate_numbered(frame, rows_where, keys, aggregates, options, None, exec) {
        Err(error) if is_of_values(&error) && drops_rows(keys, options.null_keys) => {
            // Whether it is the error of a row without a group is looked at only now.
            let with_keys = keys.iter().map(|key| key.unaliased().clone().is_not_null());
            let rows_where = rows_where.cloned().into_iter().chain(with_keys).reduce(Expr::and);
            aggregate_numbered(frame, rows_where.as_ref(), keys, aggregates, options, None, exec)
        }
        groups => groups,
    }
}

/// Whether rows may be left out because of their keys, which do not depend on other rows.
fn drops_rows(keys: &[Expr], null_keys: NullKeys) -> bool {
    null_keys == NullKeys::Drop && !keys.is_empty() && !keys.iter().any(is_windowed)
}

/// The number of the group of each row, `int64`, from 0: in order of first appearance, or of the keys, nulls last. Null for rows of
/// no group.
///
/// # Shapes and units
/// frame: n rows → n numbers.
///
/// # Errors
/// Those of [`evaluate`] for the keys; [`Error::UnsupportedDType`] for keys without an order, if sorted;
/// [`Error::Memory`].
///
/// # Source
/// pandas `GroupBy.ngroup`.
pub fn group_numbers(
    frame: &ColumnAccessor,
    keys: &[Expr],
    options: GroupOptions,
    is_sorted: bool,
    exec: &Exec,
) -> Result<Column> {
    let keys = evaluate(keys, frame, exec)?;
    with_retry_no_split(exec, |exec| {
        let by: Vec<&Column> = keys.iter().map(|(_, column)| column).collect();
        let labels: Vec<&Label> = keys.iter().map(|(label, _)| label).collect();
        let groups = GroupedRows::new(&by, frame.rows(), options.null_keys, exec)
            .map_err(|error| error.with_key_labels(&labels))?;
        if !is_sorted || by.is_empty() {
            return groups.broadcast(&numbers(groups.len(), exec)?);
        }
        let distinct = gather_first_rows(&by, groups.first_rows(), exec)?;
        let ascending = |column| SortKey { column, order: Order::Ascending, nulls: NullOrder::Last };
        let order = argsort(&distinct.iter().map(ascending).collect::<Vec<_>>(), exec)
            .map_err(|error| error.with_key_labels(&labels))?;
        groups.broadcast(&inverse(&column_of(&order, exec)?, exec)?)
    })
}

/// [`aggregate`], where a column of the frame may have the positions of the rows that aggregates give.
fn aggregate_numbered(
    frame: &ColumnAccessor,
    rows_where: Option<&Expr>,
    keys: &[Expr],
    aggregates: &[Expr],
    options: GroupOptions,
    numbers: Option<&Label>,
    exec: &Exec,
) -> Result<ColumnAccessor> {
    keys.iter().chain(aggregates).chain(rows_where).try_for_each(Expr::check_levels)?;
    let read = columns_of(keys.iter().chain(aggregates).chain(rows_where));
    let read = frame.select(read.iter().chain(numbers))?;
    let is_windowed_row = keys.iter().any(is_windowed) || aggregates.iter().any(has_windowed_argument);
    let is_filtered_first = rows_where.is_some_and(|predicate| is_windowed_row || is_windowed(predicate));
    if is_filtered_first && numbers.is_none() && aggregates.iter().any(has_positions) {
        // Positions are those in the frame: the filter keeps their numbers.
        let levels = read.levels().clone();
        let mut rows = read.relevel(Levels::default())?;
        let label = number_rows(&mut rows, exec)?;
        let result = aggregate_numbered(&rows, rows_where, keys, aggregates, options, Some(&label), exec)?;
        return if is_windowed_row { Ok(result) } else { result.relevel(levels) };
    }
    if let Some(predicate) = rows_where.filter(|predicate| is_windowed(predicate)) {
        let rows = filter(&read, predicate, exec)?;
        return aggregate_numbered(&rows, None, keys, aggregates, options, numbers, exec);
    }
    if is_windowed_row {
        // Row functions are those of the rows that take part; in an aggregate, of the rows of its group.
        let rows = match rows_where {
            Some(predicate) => filter(&read, predicate, exec)?,
            None => read,
        };
        let (keys, rows) = materialize(keys, &rows, exec)?;
        let (aggregates, rows) = materialize_arguments(aggregates, &rows, &keys, options.null_keys, exec)?;
        return aggregate_numbered(&rows, None, &keys, &aggregates, options, numbers, exec);
    }
    if let Some(result) =
        compound_keys::aggregate_by_numbers(&read, rows_where, keys, aggregates, options, exec)?
    {
        return Ok(result);
    }
    if let Some(plan) = Plan::new(&read, keys, aggregates, exec)? {
        return plan.run(&read, rows_where, keys, options, numbers, exec);
    }
    Query { frame: &read, rows_where, keys, aggregates, options }.run_within(Driver::new(exec))
}

/// Whether rows are sorted for extremes of the values.
fn is_sorted_for(values: &Column) -> bool {
    matches!(values, Column::Categorical(_)) || values.dtype().is_nested()
}

/// Bytes that grouping takes for the rows of all parts, if those have so many groups.
fn group_scratch(parts: &[ColumnAccessor], groups: usize) -> usize {
    let rows = parts.iter().map(ColumnAccessor::rows).sum();
    group_ids::scratch_bytes(rows, groups, device_of(parts))
}

/// The arguments of [`aggregate`].
struct Query<'a> {
    frame: &'a ColumnAccessor,
    rows_where: Option<&'a Expr>,
    keys: &'a [Expr],
    aggregates: &'a [Expr],
    options: GroupOptions,
}

impl Query<'_> {
    fn run_within(&self, driver: Driver<'_>) -> Result<ColumnAccessor> {
        let Some(rows) = PartitionedRows::of(self, driver)? else { return driver.run(self, self.frame) };
        if let Some(by_column) = ByColumn::of(self, &rows, driver)?
            && let Some(groups) = by_column.aggregate()?
        {
            return Ok(groups);
        }
        rows.aggregate()
    }
}

/// Rows of a group within a chunk, for the estimate: where groups are smaller, rows are partitioned.
const ROWS_PER_GROUP: usize = 4;

impl OutOfCore for Query<'_> {
    fn estimate(&self, rows: &ColumnAccessor) -> Result<MemoryEstimate> {
        // As much again for values in between.
        let input = rows.row_bytes()?;
        let scratch = group_scratch(std::slice::from_ref(rows), rows.rows() / ROWS_PER_GROUP);
        Ok(MemoryEstimate::new(input, input + scratch))
    }

    fn run(&self, rows: &ColumnAccessor, exec: &Exec) -> Result<ColumnAccessor> {
        aggregate_rows(rows, self.rows_where, self.keys, self.aggregates, self.options, exec)
    }

    fn run_chunk(&self, rows: &ColumnAccessor, exec: &Exec) -> Result<ColumnAccessor> {
        States::of(self)?.of_chunk(self, rows, exec)
    }

    fn combine(&self, chunks: Vec<ColumnAccessor>, driver: Driver<'_>) -> Result<ColumnAccessor> {
        States::of(self)?.combine(self, chunks, driver)
    }
}

/// [`aggregate`] of all rows at a time.
fn aggregate_rows(
    frame: &ColumnAccessor,
    rows_where: Option<&Expr>,
    keys: &[Expr],
    aggregates: &[Expr],
    options: GroupOptions,
    exec: &Exec,
) -> Result<ColumnAccessor> {
    let keys = evaluate_keys(keys, rows_where, frame, exec)?;
    let asked = aggregates.iter().map(|expr| Asked::new(expr, frame)).collect::<Result<Vec<_>>>()?;
    let predicate = rows_where.map(|predicate| resolve(predicate, frame).map(boolean)).transpose()?;
    if let (Some(expr), Some(predicate)) = (rows_where, &predicate)
        && predicate.dtype != DType::Bool
    {
        return Err(Error::NotBoolean { dtype: predicate.dtype.clone() }.in_expression(expr));
    }
    let aggregated = |guards| {
        let asked = asked.iter().map(|asked| asked.guarded(predicate.as_ref(), guards));
        let asked = asked.collect::<Result<Vec<_>>>()?;
        let predicate = predicate
            .clone()
            .map(|predicate| guarded(predicate, None, Matters::Truth, guards))
            .transpose()?;
        let rows_where = rows_where.zip(predicate.as_ref());
        aggregate_asked(frame, rows_where, &keys, aggregates, asked, options.null_keys, exec)
    };
    let all = || asked.iter().filter_map(|asked| asked.argument.as_ref()).chain(&predicate).collect();
    with_guards(all, aggregated)
}

#[expect(clippy::wildcard_enum_match_arm, reason = "other errors pass")]
fn aggregate_asked(
    frame: &ColumnAccessor,
    rows_where: Option<(&Expr, &Typed)>,
    keys: &[(Label, Column)],
    aggregates: &[Expr],
    asked: Vec<Asked>,
    null_keys: NullKeys,
    exec: &Exec,
) -> Result<ColumnAccessor> {
    let arguments = aggregates.iter().zip(&asked);
    let arguments = arguments.filter_map(|(expr, asked)| Some((expr, asked.argument.as_ref()?)));
    let computed: Vec<_> = rows_where.into_iter().chain(arguments).collect();
    let lowered = Lowered::new(&computed, frame, exec)?;
    let mut registers = lowered.outputs.iter().copied();
    let filter = if rows_where.is_some() { registers.next() } else { None };
    let mut aggregations = Vec::with_capacity(asked.len());
    for asked in &asked {
        let register = match asked.argument {
            Some(_) => {
                registers.next().ok_or(Error::Internal { invariant: "every argument has a register" })?
            }
            // The number of rows reads no register.
            None => 0,
        };
        aggregations.push((asked.kernel_aggregation(), register));
    }
    let key_views: Vec<View<'_>> = keys
        .iter()
        .map(|(label, column)| column.view().map_err(|error| error.in_column(label.clone())))
        .collect::<Result<_>>()?;
    let request = Request {
        program: &lowered.program,
        inputs: &lowered.views()?,
        rows: frame.rows(),
        filter,
        keys: &key_views,
        null_keys,
        aggregations: &aggregations,
    };
    let done = run(&request, exec).map_err(|error| match error {
        columnade_kernels::Error::RequestOverflow { request, .. } => {
            asked[request].overflow(&aggregates[request])
        }
        other => lowered.locate(other, frame.rows(), filter, exec),
    })?;

    let mut result = ColumnAccessor::with_levels(0, frame.levels().clone());
    let mut made = done.keys.map(Vec::into_iter);
    for (label, column) in keys {
        let key = match &mut made {
            Some(made) => {
                let data = made.next().ok_or(Error::Internal { invariant: "each key has a column" })?;
                column.with_data(data, exec)?
            }
            None => column.shallow_copy(exec)?,
        };
        result.insert(label.clone(), key)?;
    }
    for (asked, data) in asked.into_iter().zip(done.values) {
        let column = asked.column(data, exec).map_err(|error| error.in_column(&asked.label))?;
        result.insert(asked.label, column)?;
    }
    Ok(result)
}

/// The keys of the rows. Whether they fail in rows that are dropped only is looked at when they fail.
fn evaluate_keys(
    keys: &[Expr],
    rows_where: Option<&Expr>,
    frame: &ColumnAccessor,
    exec: &Exec,
) -> Result<Vec<(Label, Column)>> {
    match (evaluate_rows(keys, frame, exec), rows_where) {
        (Err(error), Some(_)) if is_of_values(&error) => evaluate_rows_where(keys, rows_where, frame, exec),
        (keys, _) => keys,
    }
}

/// One aggregate that was asked for.
struct Asked {
    label: Label,
    aggregation: Aggregation,
    /// What it aggregates; `None` for the number of rows.
    argument: Option<Typed>,
    dtype: DType,
}

impl Asked {
    fn new(expr: &Expr, frame: &ColumnAccessor) -> Result<Self> {
        let (label, node) = (expr.label(), expr.unaliased().node());
        if let Node::Len = node {
            return Ok(Self { label, aggregation: Aggregation::Size, argument: None, dtype: DType::Int64 });
        }
        let Node::Aggregate(aggregation, argument) = node else {
            return Err(Error::InvalidArgument {
                name: "aggregates",
                reason: format!(
                    "{expr} is no aggregate: end it with .sum(), .mean(), .count() or another aggregate"
                ),
            });
        };
        let argument = resolve(&with_nulls(argument), frame)?;
        let dtype = aggregate_dtype(*aggregation, &argument.dtype).map_err(|e| e.in_expression(expr))?;
        Ok(Self { label, aggregation: *aggregation, argument: Some(argument), dtype })
    }

    /// Its argument fails only in rows that take part.
    fn guarded(&self, filter: Option<&Typed>, guards: Guarded) -> Result<Self> {
        let argument =
            self.argument.clone().map(|argument| guarded(argument, filter, Matters::Values, guards));
        let (label, dtype) = (self.label.clone(), self.dtype.clone());
        Ok(Self { label, aggregation: self.aggregation, argument: argument.transpose()?, dtype })
    }

    /// The aggregation of the stored values: decimals of 64 bits are summed in 128.
    fn kernel_aggregation(&self) -> Aggregation {
        let decimal = self.argument.as_ref().is_some_and(|argument| argument.dtype.is_decimal());
        if decimal && self.aggregation == Aggregation::Sum { Aggregation::SumWide } else { self.aggregation }
    }

    /// The error for a sum that is larger than its dtype.
    fn overflow(&self, expr: &Expr) -> Error {
        let sum = self.argument.as_ref().map(|argument| aggregate_dtype(Aggregation::Sum, &argument.dtype));
        match sum {
            Some(Ok(dtype)) => Error::Overflow { dtype }.in_expression(expr),
            Some(Err(error)) => error,
            None => Error::Internal { invariant: "counting rows sums nothing" },
        }
    }

    /// The aggregate of `values` by group.
    fn of_groups(&self, values: &Column, groups: &GroupedRows<'_>) -> Result<Column> {
        match (self.aggregation, values) {
            (Aggregation::Count, _) => return groups.counts(values),
            // The order of a dictionary's values is not that of their codes, and nested values have that of sort keys.
            (Aggregation::Min, _) if is_sorted_for(values) => {
                return statistics::position::extreme(values, Order::Ascending, groups);
            }
            (Aggregation::Max, _) if is_sorted_for(values) => {
                return statistics::position::extreme(values, Order::Descending, groups);
            }
            (Aggregation::Mean, _) if statistics::times::distance(&self.dtype).is_some() => {
                return statistics::times::mean(values, groups);
            }
            _ => {}
        }
        let scale = if let DType::Decimal { scale, .. } = values.dtype()
            && self.aggregation == Aggregation::Mean
        {
            scale
        } else {
            0
        };
        let sum = aggregate_dtype(Aggregation::Sum, &values.dtype());
        let means = groups.aggregate(self.kernel_aggregation(), values, self.dtype.clone());
        let means = means.map_err(|error| match (error, sum) {
            (Error::Kernel(columnade_kernels::Error::RequestOverflow { .. }), Ok(dtype)) => {
                Error::Overflow { dtype }
            }
            (error, _) => error,
        })?;
        let View::Fixed(view) = means.view()? else { return Ok(means) };
        if scale == 0 {
            return Ok(means);
        }
        let exec = groups.exec;
        Column::from_data(DType::Float64, ColumnData::Fixed(unscaled(&view, scale, exec)?))
    }

    /// The column of the result; the mean of a decimal is still to be divided by its scale.
    fn column(&self, data: ColumnData, exec: &Exec) -> Result<Column> {
        let scale = match self.argument.as_ref().map(|argument| &argument.dtype) {
            Some(DType::Decimal { scale, .. }) if self.aggregation == Aggregation::Mean => *scale,
            _ => return Column::from_data(self.dtype.clone(), data),
        };
        let ColumnData::Fixed(means) = data else {
            return Err(Error::Internal { invariant: "means have fixed width" });
        };
        Column::from_data(DType::Float64, ColumnData::Fixed(unscaled(&means.view(), scale, exec)?))
    }
}
