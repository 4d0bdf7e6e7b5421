//! Aggregates of which some are computed from the rows of groups.

use super::grouped_rows::{GroupedRows, numbers};
use super::plan::{aggregate_label, check, gives_positions, key_label};
use super::statistics::compute_statistic;
use super::statistics::nulls::of_nulls;
use super::whole::aggregate_whole;
use super::{Asked, GroupOptions, group_scratch};
use crate::cast::{CastMode, cast, decode};
use crate::copying::gather_first_rows;
use crate::expression::condition::{evaluate_arguments, split};
use crate::expression::{Aggregation, Expr, Node, col, evaluate_mask_rows};
use crate::filter::apply_mask;
use crate::out_of_core::grace_hash::{self, GraceHash, Parts, ROW, bytes_of, rows_of};
use crate::out_of_core::{ChunkPlan, Driver, MemoryEstimate, OutOfCore};
use columnade_buffers::{Exec, with_retry_no_split};
use columnade_columns::{CategoricalColumn, Column, ColumnAccessor, Error, Label, Result};

/// Sorted rows, their positions and values in between, per row and aggregate.
const BYTES_PER_ROW: usize = 64;

/// Aggregates by keys, all of whose rows are needed at a time.
pub(super) struct GroupedQuery<'a> {
    pub(super) rows_where: Option<&'a Expr>,
    /// The keys, labelled by position.
    pub(super) keys: &'a [Expr],
    pub(super) aggregates: &'a [Expr],
    pub(super) options: GroupOptions,
    /// The column with the positions of the rows, if an aggregate gives some.
    pub(super) numbers: Option<Label>,
}

/// The label of the condition of an aggregate.
fn condition_label(aggregate: usize) -> String {
    format!("condition {aggregate}")
}

fn argument_label(aggregate: usize, argument: usize) -> String {
    format!("argument {aggregate} {argument}")
}

/// The positions of the rows among the arguments.
const NUMBER: &str = "number";

/// Adds the positions of the rows under the label that is returned.
pub(super) fn number_rows(rows: &mut ColumnAccessor, exec: &Exec) -> Result<Label> {
    let mut label = NUMBER.to_owned();
    while rows.contains(&*label) {
        label.push('\'');
    }
    rows.insert(label.clone(), numbers(rows.rows(), exec)?)?;
    Ok(label.into())
}

impl GroupedQuery<'_> {
    /// The keys and aggregates under their labels by position.
    pub(super) fn run(&mut self, rows: &ColumnAccessor, exec: &Exec) -> Result<ColumnAccessor> {
        let mut rows = rows.clone();
        if self.numbers.is_none() && self.aggregates.iter().any(gives_positions) {
            self.numbers = Some(number_rows(&mut rows, exec)?);
        }
        if !self.has_keys()
            && let Some(result) = aggregate_whole(self, &rows, Driver::new(exec))?
        {
            return Ok(result);
        }
        if self.has_keys() && !rows.contains(ROW) {
            return grace_hash::run(&*self, vec![vec![rows]], Driver::new(exec));
        }
        Driver::new(exec).run(&*self, &rows)
    }

    /// How many rows are processed at a time.
    pub(super) fn plan(&self, rows: &ColumnAccessor, driver: Driver<'_>) -> Result<ChunkPlan> {
        driver.plan(rows.rows(), || OutOfCore::estimate(self, rows))
    }

    /// The keys and aggregates of the groups of `rows`, all at a time.
    pub(super) fn of_rows(&self, rows: &ColumnAccessor, exec: &Exec) -> Result<ColumnAccessor> {
        self.groups(&self.arguments(rows, exec)?, exec)
    }

    /// The keys and the arguments of the aggregates, of the rows that take part.
    fn arguments(&self, rows: &ColumnAccessor, exec: &Exec) -> Result<ColumnAccessor> {
        let kept;
        let rows = match self.rows_where {
            Some(predicate) => {
                kept = apply_mask(rows, &evaluate_mask_rows(predicate, rows, exec)?, exec)?;
                &kept
            }
            None => rows,
        };
        let mut exprs: Vec<(Expr, Option<Expr>)> = self.keys.iter().map(|key| (key.clone(), None)).collect();
        for (position, aggregate) in self.aggregates.iter().enumerate() {
            let (values, condition) = split(aggregate);
            let labelled = condition.clone().map(|condition| condition.alias(condition_label(position)));
            exprs.extend(labelled.map(|condition| (condition, None)));
            for (at, argument) in values.children().into_iter().enumerate() {
                exprs.push((argument.clone().alias(argument_label(position, at)), condition.clone()));
            }
        }
        exprs.extend(self.numbers.iter().map(|label| (col(label.clone()).alias(NUMBER), None)));
        exprs.extend(rows.contains(ROW).then(|| (col(ROW), None)));
        let mut result = ColumnAccessor::with_rows(rows.rows());
        for (label, column) in evaluate_arguments(&exprs, rows, exec)? {
            result.insert(label, widened(column, exec)?)?;
        }
        Ok(result)
    }

    /// The keys and aggregates of the groups of `rows`, which are arguments.
    fn groups(&self, rows: &ColumnAccessor, exec: &Exec) -> Result<ColumnAccessor> {
        let key = |position: usize| rows.get(key_label(position));
        let keys = (0..self.keys.len()).map(key).collect::<Result<Vec<_>>>()?;
        let groups = GroupedRows::new(&keys, rows.rows(), self.options.null_keys, exec)?;
        let mut result = ColumnAccessor::with_rows(groups.len());
        for (position, column) in gather_first_rows(&keys, groups.first_rows(), exec)?.into_iter().enumerate()
        {
            result.insert(key_label(position), column)?;
        }
        for (position, aggregate) in self.aggregates.iter().enumerate() {
            let column = self
                .aggregate(position, aggregate, rows, &groups)
                .map_err(|error| error.in_expression(aggregate))?;
            result.insert(aggregate_label(position), column)?;
        }
        if rows.contains(ROW) {
            result
                .insert(ROW, groups.aggregate(Aggregation::Min, rows.get(ROW)?, rows.get(ROW)?.dtype())?)?;
        }
        Ok(result)
    }

    fn aggregate(
        &self,
        position: usize,
        aggregate: &Expr,
        rows: &ColumnAccessor,
        groups: &GroupedRows<'_>,
    ) -> Result<Column> {
        let argument = |at| rows.get(argument_label(position, at)).cloned();
        let arguments = (0..aggregate.children().len()).map(argument).collect::<Result<Vec<_>>>()?;
        let numbers = self.numbers.as_ref().map(|_| rows.get(NUMBER).cloned()).transpose()?;
        let condition = condition_label(position);
        let condition = rows.contains(&*condition).then(|| rows.get(condition)).transpose()?;
        aggregate_where(aggregate, arguments, numbers, condition, groups)
    }
}

/// An aggregate of the rows of a frame by group.
///
/// # Errors
/// Those of the dtypes of its arguments; [`Error::Memory`].
pub(crate) fn aggregate_by(
    aggregate: &Expr,
    rows: &ColumnAccessor,
    groups: &GroupedRows<'_>,
) -> Result<Column> {
    check(aggregate, rows)?;
    let (values, condition) = split(aggregate);
    let arguments = values.children().into_iter().map(|argument| (argument.clone(), condition.clone()));
    let arguments = evaluate_arguments(&arguments.collect::<Vec<_>>(), rows, groups.exec)?;
    let arguments = arguments.into_iter().map(|(_, column)| widened(column, groups.exec));
    let condition =
        condition.map(|condition| evaluate_mask_rows(&condition, rows, groups.exec)).transpose()?;
    // Positions are those in the frame, also of the rows that a condition keeps.
    let numbers = if condition.is_some() && gives_positions(aggregate) {
        Some(numbers(rows.rows(), groups.exec)?)
    } else {
        None
    };
    aggregate_where(aggregate, arguments.collect::<Result<_>>()?, numbers, condition.as_ref(), groups)
}

/// An aggregate of the rows where `condition` is true, if there is one.
fn aggregate_where(
    aggregate: &Expr,
    arguments: Vec<Column>,
    numbers: Option<Column>,
    condition: Option<&Column>,
    groups: &GroupedRows<'_>,
) -> Result<Column> {
    let Some(condition) = condition else {
        return aggregate_arguments(aggregate, &arguments, numbers.as_ref(), groups);
    };
    let has_numbers = numbers.is_some();
    let columns = [groups.id_column()?].into_iter().chain(numbers).chain(arguments);
    let rows = ColumnAccessor::from_columns((0..).map(|label: i64| label.to_string()).zip(columns))?;
    let rows = apply_mask(&rows, condition, groups.exec)?;
    let mut columns = rows.columns().iter().cloned();
    let ids = columns.next().ok_or(Error::Internal { invariant: "the first column has the groups" })?;
    let numbers = if has_numbers { columns.next() } else { None };
    let kept = groups.some_rows(&ids)?;
    aggregate_arguments(aggregate, &columns.collect::<Vec<_>>(), numbers.as_ref(), &kept)
}

/// Decimals in the width of results.
fn widened(column: Column, exec: &Exec) -> Result<Column> {
    let dtype = column.dtype();
    if dtype.is_decimal() { cast(&column, &dtype.canonical(), CastMode::Checked, exec) } else { Ok(column) }
}

fn aggregate_arguments(
    aggregate: &Expr,
    arguments: &[Column],
    numbers: Option<&Column>,
    groups: &GroupedRows<'_>,
) -> Result<Column> {
    if let Some(column) = of_nulls(aggregate, arguments, groups)? {
        return Ok(column);
    }
    match (aggregate.node(), arguments) {
        (Node::Statistic(statistic, _), arguments) => {
            compute_statistic(statistic, arguments, numbers, groups)
        }
        (Node::Aggregate(aggregation, _), [argument]) => {
            let decoded;
            // Of a dictionary of numbers the values are aggregated, and not the codes.
            let argument = if let Column::Categorical(column) = argument
                && is_of_values(*aggregation, column)
            {
                decoded = widened(decode(column, groups.exec)?, groups.exec)?;
                &decoded
            } else {
                argument
            };
            let frame = ColumnAccessor::from_columns([("x", argument.clone())])?;
            Asked::new(&col("x").aggregate(*aggregation), &frame)?.of_groups(argument, groups)
        }
        (Node::Len, _) => groups.sizes(),
        _ => Err(Error::Internal { invariant: "each aggregate of a plan is one" }),
    }
}

/// Whether an aggregate is one of the values of a dictionary: a sum, and an extreme of those that have no order of their own and
/// are no strings.
fn is_of_values(aggregation: Aggregation, column: &CategoricalColumn) -> bool {
    match aggregation {
        Aggregation::Sum
        | Aggregation::SumWide
        | Aggregation::SumLow
        | Aggregation::SumHigh
        | Aggregation::Mean => true,
        Aggregation::Min | Aggregation::Max => {
            !column.is_ordered() && !column.dictionary().dtype().is_bytes()
        }
        Aggregation::Count | Aggregation::Size => false,
    }
}

impl OutOfCore for GroupedQuery<'_> {
    fn estimate(&self, rows: &ColumnAccessor) -> Result<MemoryEstimate> {
        let input = rows.row_bytes()?;
        let between = BYTES_PER_ROW.saturating_mul(rows.rows());
        let scratch = group_scratch(std::slice::from_ref(rows), rows.rows());
        Ok(MemoryEstimate::new(input, 2 * input + between + scratch))
    }

    fn run(&self, rows: &ColumnAccessor, exec: &Exec) -> Result<ColumnAccessor> {
        self.of_rows(rows, exec)
    }

    fn run_chunk(&self, rows: &ColumnAccessor, exec: &Exec) -> Result<ColumnAccessor> {
        self.arguments(rows, exec)
    }

    fn combine(&self, chunks: Vec<ColumnAccessor>, driver: Driver<'_>) -> Result<ColumnAccessor> {
        if self.has_keys() {
            return grace_hash::run(self, vec![chunks], driver);
        }
        with_retry_no_split(driver.exec, |exec| {
            self.groups(&ColumnAccessor::assemble(chunks.clone(), exec)?, exec)
        })
    }
}

impl GraceHash for GroupedQuery<'_> {
    fn has_keys(&self) -> bool {
        !self.keys.is_empty()
    }

    fn prepare(&self, _input: usize, rows: &ColumnAccessor, exec: &Exec) -> Result<ColumnAccessor> {
        self.arguments(rows, exec)
    }

    fn keys<'a>(&self, _input: usize, rows: &'a ColumnAccessor) -> Result<Vec<&'a Column>> {
        (0..self.keys.len()).map(|position| rows.get(key_label(position))).collect()
    }

    fn estimate(&self, inputs: &[Parts]) -> Result<usize> {
        let rows = rows_of(&inputs[0]);
        let between = BYTES_PER_ROW.saturating_mul(rows);
        Ok(4 * bytes_of(&inputs[0])? + between + group_scratch(&inputs[0], rows))
    }

    fn run(&self, inputs: &[ColumnAccessor], exec: &Exec) -> Result<ColumnAccessor> {
        if inputs[0].contains(ROW) {
            return self.groups(&inputs[0], exec);
        }
        self.of_rows(&inputs[0], exec)
    }
}
