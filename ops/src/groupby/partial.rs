//! Aggregates of chunks of rows, and of those together.
//!
//! An aggregate of a chunk is one or two states, which are aggregates themselves and are combined by another aggregate:
//! counts by their sum, a mean by the sums of its sums and of its counts. States of one group come in the order of the
//! chunks.

use super::{Asked, GroupOptions, Query, aggregate_rows};
use crate::expression::{Aggregation, Expr, Node, col, count_rows, evaluate_rows};
use crate::out_of_core::grace_hash::{self, GraceHash, Parts, ROW, bytes_of, rows_of};
use crate::out_of_core::{Driver, scratch_bytes};
use columnade_buffers::Exec;
use columnade_columns::{Column, ColumnAccessor, DType, Error, Levels, MAX_PRECISION, Result};
use columnade_kernels::elementwise::Operand;
use columnade_kernels::elementwise::binary::{BinaryOp, binary};
use columnade_kernels::elementwise::cast::{CastMode, cast};
use columnade_kernels::elementwise::compare::{CompareOp, compare};
use columnade_kernels::{ColumnData, FixedData, Storage, Value, View};

fn label(kind: &str, position: usize) -> String {
    format!("{kind} {position}")
}

/// The states of partial aggregates.
pub(super) struct States {
    /// The states of a chunk.
    first: Vec<Expr>,
    /// The same states of several chunks' states.
    next: Vec<Expr>,
    /// How the states become aggregates, in the order in which those were asked for.
    last: Vec<Finish>,
    key_labels: Vec<String>,
    options: GroupOptions,
}

/// How an aggregate is made of states, which are named by position.
enum Finish {
    /// It is the state.
    State(usize),
    /// The state, a sum in `float64`, as `float32`.
    Narrow(usize),
    /// A sum, of decimals of this scale, divided by a count.
    Mean { sum: usize, count: usize, scale: i8 },
}

impl States {
    /// The states of `aggregates`, which are checked as they are for all rows at a time.
    pub(super) fn of(query: &Query<'_>) -> Result<Self> {
        let &Query { frame, keys, aggregates, options, .. } = query;
        let mut labels = ColumnAccessor::with_levels(0, frame.levels().clone());
        for label in keys.iter().chain(aggregates).map(Expr::label) {
            labels.insert(label, Column::from_vec(Vec::<i64>::new()))?;
        }
        let key_labels = (0..keys.len()).map(|at| label("key", at)).collect();
        let mut states = Self { first: Vec::new(), next: Vec::new(), last: Vec::new(), key_labels, options };
        for expr in aggregates {
            let asked = Asked::new(expr, frame)?;
            let finish = match (expr.unaliased().node(), &asked.argument) {
                (Node::Aggregate(aggregation, argument), Some(typed)) => {
                    states.add(*aggregation, argument, &typed.dtype)?
                }
                _ => Finish::State(states.state(count_rows(), Expr::sum)),
            };
            states.last.push(finish);
        }
        Ok(states)
    }

    /// Adds a state; returns its position.
    fn state(&mut self, first: Expr, next: fn(Expr) -> Expr) -> usize {
        let position = self.first.len();
        let label = label("state", position);
        self.first.push(first.alias(label.clone()));
        self.next.push(next(col(label.clone())).alias(label));
        position
    }

    fn add(&mut self, aggregation: Aggregation, argument: &Expr, dtype: &DType) -> Result<Finish> {
        let argument = argument.clone();
        let exact = DType::decimal(MAX_PRECISION, 0)?;
        Ok(match (aggregation, dtype) {
            (Aggregation::Count | Aggregation::Size | Aggregation::SumWide, _) => {
                Finish::State(self.state(argument.aggregate(aggregation), Expr::sum))
            }
            (Aggregation::Min, _) => Finish::State(self.state(argument.min(), Expr::min)),
            (Aggregation::Max, _) => Finish::State(self.state(argument.max(), Expr::max)),
            // Sums of sums are rounded once, at the end.
            (Aggregation::Sum, DType::Float32) => {
                Finish::Narrow(self.state(argument.cast(DType::Float64).sum(), Expr::sum))
            }
            (Aggregation::Sum, _) => Finish::State(self.state(argument.sum(), Expr::sum)),
            (Aggregation::Mean, dtype) => {
                let addend = match dtype {
                    DType::Float32 => argument.clone().cast(DType::Float64),
                    // The sum of 64-bit integers takes more than 64 bits.
                    DType::Int64 | DType::UInt64 => argument.clone().cast(exact),
                    _ => argument.clone(),
                };
                let scale = if let DType::Decimal { scale, .. } = dtype { *scale } else { 0 };
                let sum = self.state(addend.sum(), Expr::sum);
                let count = self.state(argument.count(), Expr::sum);
                Finish::Mean { sum, count, scale }
            }
        })
    }

    /// The states of a chunk, with its keys.
    pub(super) fn of_chunk(
        &self,
        query: &Query<'_>,
        rows: &ColumnAccessor,
        exec: &Exec,
    ) -> Result<ColumnAccessor> {
        // Keys and states have labels of one level.
        let rows = rows.clone().relevel(Levels::default())?;
        let keys = query.keys.iter().zip(&self.key_labels);
        let keys: Vec<Expr> = keys.map(|(key, label)| key.clone().alias(label.clone())).collect();
        aggregate_rows(&rows, query.rows_where, &keys, &self.first, self.options, exec)
    }

    /// The aggregates of all rows, of the states of chunks in their order.
    pub(super) fn combine(
        &self,
        query: &Query<'_>,
        chunks: Vec<ColumnAccessor>,
        driver: Driver<'_>,
    ) -> Result<ColumnAccessor> {
        let groups = grace_hash::run(self, vec![chunks], driver)?;
        let mut result = ColumnAccessor::with_levels(0, query.frame.levels().clone());
        for (expr, column) in query.keys.iter().chain(query.aggregates).zip(groups.columns()) {
            result.insert(expr.label(), column.clone())?;
        }
        Ok(result)
    }

    /// The keys and aggregates of groups with their states, and their row numbers where there are some.
    fn finish(&self, states: &ColumnAccessor, exec: &Exec) -> Result<ColumnAccessor> {
        let state = |position: usize| states.get(label("state", position));
        let mut groups = states.select(&self.key_labels)?;
        for (position, finish) in self.last.iter().enumerate() {
            let column = match *finish {
                Finish::State(at) => state(at)?.clone(),
                Finish::Narrow(at) => {
                    let narrow = col(label("state", at)).cast(DType::Float32);
                    evaluate_rows(&[narrow], states, exec)?.swap_remove(0).1
                }
                Finish::Mean { sum, count, scale } => mean(state(sum)?, state(count)?, scale, exec)?,
            };
            groups.insert(label("aggregate", position), column)?;
        }
        if states.contains(ROW) {
            groups.insert(ROW, states.get(ROW)?.clone())?;
        }
        Ok(groups)
    }
}

impl GraceHash for States {
    fn keys<'a>(&self, _input: usize, rows: &'a ColumnAccessor) -> Result<Vec<&'a Column>> {
        self.key_labels.iter().map(|label| rows.get(label)).collect()
    }

    fn estimate(&self, inputs: &[Parts]) -> Result<usize> {
        // The parts, the same together, and the result.
        Ok(3 * bytes_of(&inputs[0])? + scratch_bytes(rows_of(&inputs[0])))
    }

    fn run(&self, inputs: &[ColumnAccessor], exec: &Exec) -> Result<ColumnAccessor> {
        let keys: Vec<Expr> = self.key_labels.iter().map(|label| col(label.clone())).collect();
        let number = inputs[0].contains(ROW).then(|| col(ROW).min());
        let next: Vec<Expr> = self.next.iter().cloned().chain(number).collect();
        self.finish(&aggregate_rows(&inputs[0], None, &keys, &next, self.options, exec)?, exec)
    }
}

/// The digits of `sums`, rounded once, divided by `counts` and then by 10^`scale`; null where the count is 0.
fn mean(sums: &Column, counts: &Column, scale: i8, exec: &Exec) -> Result<Column> {
    let float = |column: &Column| -> Result<FixedData> {
        match column.view()? {
            View::Fixed(fixed) => Ok(cast(&fixed, Storage::F64, CastMode::Wrap, exec)?),
            View::String(_) => Err(Error::UnsupportedDType { dtype: column.dtype() }),
        }
    };
    let (sums, counts) = (float(sums)?, float(counts)?);
    let (sum, count) = (Operand::Column(sums.view()), Operand::Column(counts.view()));
    let mut means = binary(BinaryOp::Div, sum, count, exec)?;
    if scale != 0 {
        means = unscaled(&means, scale, exec)?;
    }
    let some = compare(CompareOp::Ne, count, Operand::Value(Value::F64(0.0)), exec)?;
    let means = FixedData { validity: Some(some.data), ..means };
    Column::from_data(DType::Float64, ColumnData::Fixed(means))
}

/// Means of a decimal's digits as means of its values.
pub(super) fn unscaled(means: &FixedData, scale: i8, exec: &Exec) -> Result<FixedData> {
    let divisor = Operand::Value(Value::F64(10_f64.powi(scale.into())));
    Ok(binary(BinaryOp::Div, Operand::Column(means.view()), divisor, exec)?)
}
