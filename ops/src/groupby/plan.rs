//! Aggregates inside expressions: each is computed once, and the expressions are evaluated over the results.

use super::exact_correlation;
use super::grouped_query::GroupedQuery;
use super::statistics::times::distance;
use super::{Asked, GroupOptions, Query};
use crate::expression::condition::split;
use crate::expression::shared::{Alike, Rewritten, Search, search};
use crate::expression::{Aggregation, Expr, Node, Statistic, boolean, col, evaluate, len, resolve};
use crate::out_of_core::Driver;
use columnade_buffers::Exec;
use columnade_columns::{Column, ColumnAccessor, DType, Error, Label, Levels, Result};
use std::collections::{HashMap, HashSet};

/// The label of a key while groups are formed.
pub(super) fn key_label(position: usize) -> String {
    format!("key {position}")
}

/// The label of an aggregate before the expressions are evaluated.
pub(super) fn aggregate_label(position: usize) -> String {
    format!("aggregate {position}")
}

/// The aggregates of some expressions, and the expressions over them.
pub(super) struct Plan {
    /// The aggregates, each once.
    pub(super) aggregates: Vec<Expr>,
    /// The position of each aggregate by its number.
    positions: HashMap<usize, usize>,
    alike: Alike,
    /// Expressions with columns in place of their aggregates.
    extracted: Rewritten,
    /// What the expressions and their errors call each aggregate.
    labels: Vec<String>,
    /// These labels, and those of the correlations.
    taken: HashSet<String>,
    /// The correlations that are made of aggregates: their labels, and the positions of the aggregates.
    correlations: Vec<(String, Vec<usize>)>,
    /// The expressions with aggregates and keys as columns.
    outputs: Vec<Expr>,
}

impl Plan {
    /// The plan for `exprs` over `frame` by `keys`; `None` if each expression is an aggregate that is accumulated row by
    /// row, for which no plan is needed.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] for an expression without an aggregate, and for a column that is neither in an aggregate
    /// nor a key.
    pub(super) fn new(
        frame: &ColumnAccessor,
        keys: &[Expr],
        exprs: &[Expr],
        exec: &Exec,
    ) -> Result<Option<Self>> {
        let is_direct = |expr: &Expr| {
            let is_aggregate = matches!(expr.unaliased().node(), Node::Aggregate(..) | Node::Len);
            is_aggregate && !needs_rows(expr.unaliased(), frame)
        };
        if exprs.iter().all(is_direct) {
            return Ok(None);
        }
        let mut plan = Self {
            aggregates: Vec::new(),
            positions: HashMap::new(),
            alike: Alike::default(),
            extracted: Rewritten::default(),
            labels: Vec::new(),
            taken: HashSet::new(),
            correlations: Vec::new(),
            outputs: Vec::new(),
        };
        for expr in exprs {
            if !has_aggregate(expr) && !is_constant(expr) {
                let reason = format!(
                    "{expr} is no aggregate: end it with .sum(), .mean(), .count() or another aggregate"
                );
                return Err(Error::InvalidArgument { name: "aggregates", reason });
            }
            let output = plan.extract(expr.unaliased(), keys, frame, exec)?;
            plan.outputs.push(output.alias(expr.label()));
        }
        if plan.aggregates.is_empty() {
            // Without an aggregate there would be no group of all rows.
            plan.position_of(&len(), keys);
        }
        Ok(Some(plan))
    }

    /// The label of an aggregate that no key and no other aggregate has.
    fn free_label(&mut self, expr: &Expr, keys: &[Expr]) -> String {
        let mut label = expr.to_string();
        while self.taken.contains(&label) || (0..keys.len()).any(|key| key_label(key) == label) {
            label.push('\'');
        }
        self.taken.insert(label.clone());
        label
    }

    /// The position of an aggregate, which is added unless it is there.
    fn position_of(&mut self, expr: &Expr, keys: &[Expr]) -> usize {
        // Expressions are equal if they are built alike.
        let number = self.alike.number(expr);
        if let Some(&position) = self.positions.get(&number) {
            return position;
        }
        let label = self.free_label(expr, keys);
        let position = self.aggregates.len();
        self.aggregates.push(expr.clone());
        self.positions.insert(number, position);
        self.labels.push(label);
        position
    }

    /// The expression with columns in place of its aggregates and keys.
    fn extract(&mut self, expr: &Expr, keys: &[Expr], frame: &ColumnAccessor, exec: &Exec) -> Result<Expr> {
        if let Some(extracted) = self.extracted.get(expr) {
            return Ok(extracted);
        }
        let extracted = self.extract_unknown(expr, keys, frame, exec)?;
        self.extracted.insert(expr, &extracted);
        Ok(extracted)
    }

    fn extract_unknown(
        &mut self,
        expr: &Expr,
        keys: &[Expr],
        frame: &ColumnAccessor,
        exec: &Exec,
    ) -> Result<Expr> {
        let node = expr.node();
        if let Node::Aggregate(..) | Node::Statistic(..) | Node::Len = node {
            if let Node::Statistic(statistic, arguments) = node
                && let Some(sums) = exact_correlation::sums(statistic, arguments, frame, exec)?
            {
                let positions: Vec<usize> = sums.iter().map(|sum| self.position_of(sum, keys)).collect();
                let found = self.correlations.iter().find(|(_, others)| *others == positions);
                let label = if let Some((label, _)) = found {
                    label.clone()
                } else {
                    let label = self.free_label(expr, keys);
                    self.correlations.push((label.clone(), positions));
                    label
                };
                return Ok(col(label));
            }
            let position = self.position_of(expr, keys);
            return Ok(col(self.labels[position].clone()));
        }
        if let Node::Column(label) = node {
            return match keys.iter().position(|key| key.label() == *label) {
                Some(position) => Ok(col(key_label(position))),
                None => Err(Error::InvalidArgument {
                    name: "aggregates",
                    reason: format!(
                        "column {label:?} is neither a key nor in an aggregate: end it with .sum(), .first() or \
                         another aggregate"
                    ),
                }),
            };
        }
        if let Node::Alias(aliased, _) = node {
            return self.extract(aliased, keys, frame, exec);
        }
        expr.try_map_children(|child| self.extract(child, keys, frame, exec))
    }

    /// One row a group, as [`aggregate`](super::aggregate) gives it.
    pub(super) fn run(
        &self,
        frame: &ColumnAccessor,
        rows_where: Option<&Expr>,
        keys: &[Expr],
        options: GroupOptions,
        numbers: Option<&Label>,
        exec: &Exec,
    ) -> Result<ColumnAccessor> {
        for aggregate in &self.aggregates {
            check(aggregate, frame)?;
        }
        let labelled: Vec<Expr> =
            (0..).map(key_label).zip(keys).map(|(l, key)| key.clone().alias(l)).collect();
        // Keys and aggregates have labels of one level.
        let rows = frame.clone().relevel(Levels::default())?;
        let groups = if self.aggregates.iter().any(|expr| needs_rows(expr, frame)) {
            let mut query = GroupedQuery {
                rows_where,
                keys: &labelled,
                aggregates: &self.aggregates,
                options,
                numbers: numbers.cloned(),
            };
            query.run(&rows, exec)?
        } else {
            let aggregates = (0..).map(aggregate_label).zip(&self.aggregates);
            let aggregates: Vec<Expr> = aggregates.map(|(label, expr)| expr.clone().alias(label)).collect();
            let query = Query { frame: &rows, rows_where, keys: &labelled, aggregates: &aggregates, options };
            query.run_within(Driver::new(exec))?
        };
        let mut named = ColumnAccessor::with_rows(groups.rows());
        for label in (0..keys.len()).map(key_label) {
            named.insert(label.clone(), groups.get(label)?.clone())?;
        }
        for (position, label) in self.labels.iter().enumerate() {
            named.insert(label.clone(), groups.get(aggregate_label(position))?.clone())?;
        }
        for (label, positions) in &self.correlations {
            let sums = positions.iter().map(|&position| groups.get(aggregate_label(position)));
            let column = exact_correlation::correlation(&sums.collect::<Result<Vec<_>>>()?, exec)?;
            named.insert(label.clone(), column)?;
        }
        let groups = named;
        let mut result = ColumnAccessor::with_levels(groups.rows(), frame.levels().clone());
        for (position, key) in keys.iter().enumerate() {
            result.insert(key.label(), groups.get(key_label(position))?.clone())?;
        }
        for (label, column) in evaluate(&self.outputs, &groups, exec)? {
            result.insert(label, column)?;
        }
        Ok(result)
    }
}

/// Whether an aggregate is computed from the rows of groups: a statistic, a mean of times, and values that no register
/// holds.
fn needs_rows(aggregate: &Expr, frame: &ColumnAccessor) -> bool {
    if let Node::Aggregate(aggregation, argument) = aggregate.node() {
        let values = split(argument).0;
        if matches!(aggregation, Aggregation::Min | Aggregation::Max) && is_ordered(&values, frame) {
            return true;
        }
        // Errors are left to the aggregate itself.
        return resolve(&values, frame).is_ok_and(|typed| {
            let is_mean_of_times = *aggregation == Aggregation::Mean && distance(&typed.dtype).is_some();
            is_mean_of_times || matches!(typed.dtype, DType::Dictionary(_)) || typed.dtype.storage().is_none()
        });
    }
    matches!(aggregate.node(), Node::Statistic(..))
}

/// Whether an expression is a column of ordered categories, of which operands have the values.
fn is_ordered(expr: &Expr, frame: &ColumnAccessor) -> bool {
    let Node::Column(label) = expr.unaliased().node() else { return false };
    let dtype = frame.get(label).map(Column::dtype);
    dtype.is_ok_and(|dtype| matches!(dtype, DType::Dictionary(dictionary) if dictionary.ordered))
}

fn has_aggregate(expr: &Expr) -> bool {
    let is_aggregate =
        |expr: &Expr| matches!(expr.node(), Node::Aggregate(..) | Node::Statistic(..) | Node::Len);
    search(expr, &mut |expr| Search::found(is_aggregate(expr)))
}

/// Whether an expression depends on no row: each group has its value.
fn is_constant(expr: &Expr) -> bool {
    let is_of_rows =
        |expr: &Expr| matches!(expr.node(), Node::Column(_) | Node::RowFunction(..) | Node::Over(..));
    !search(expr, &mut |expr| Search::found(is_of_rows(expr)))
}

/// Whether an aggregate supports the dtypes of its arguments.
pub(super) fn check(aggregate: &Expr, frame: &ColumnAccessor) -> Result<()> {
    let (values, condition) = split(aggregate);
    if let Some(condition) = condition {
        let dtype = boolean(resolve(&condition, frame)?).dtype;
        if dtype != DType::Bool {
            return Err(Error::UnsupportedDType { dtype }.in_expression(&condition));
        }
    }
    let Node::Statistic(statistic, arguments) = values.node() else {
        return Asked::new(&values, frame).map(drop);
    };
    for argument in arguments {
        let dtype = resolve(argument, frame)?.dtype;
        statistic.dtype(&dtype).map_err(|error| {
            // Of several arguments, the one that is wrong.
            let error = if arguments.len() > 1 { error.in_expression(argument) } else { error };
            error.in_expression(aggregate)
        })?;
    }
    Ok(())
}

/// Whether a statistic gives positions of rows.
pub(super) fn gives_positions(aggregate: &Expr) -> bool {
    matches!(aggregate.node(), Node::Statistic(Statistic::ArgMin | Statistic::ArgMax, _))
}

/// Whether a position is in an expression of aggregates.
pub(super) fn has_positions(expr: &Expr) -> bool {
    search(expr, &mut |expr| Search::found(gives_positions(expr)))
}
