//! Aggregates of chunks of rows, and of those together.
//!
//! An aggregate of a chunk is some states, which are aggregates themselves and are combined by another aggregate:
//! counts by their sum, a mean by the sums of its sums and of its counts. The sum of a chunk may have more digits than that
//! of all rows: sums of 128-bit decimals are kept in two halves. States of one group come in the order of the
//! chunks.

use super::{Asked, GroupOptions, Query, aggregate_rows, group_scratch};
use crate::expression::{Aggregation, Expr, Node, aggregate_dtype, col, evaluate_rows, len};
use crate::out_of_core::Driver;
use crate::out_of_core::grace_hash::{self, GraceHash, Parts, ROW, bytes_of, rows_of};
use columnade_buffers::Exec;
use columnade_columns::{
    Column, ColumnAccessor, DType, DecimalStorage, Error, Levels, MAX_PRECISION, Result,
};
use columnade_kernels::elementwise::Operand;
use columnade_kernels::elementwise::binary::{BinaryOp, Limit, binary, binary_checked};
use columnade_kernels::elementwise::cast::{CastMode, cast};
use columnade_kernels::elementwise::compare::{CompareOp, compare};
use columnade_kernels::{ColumnData, Fixed, FixedData, Storage, Value, View};

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
    /// The aggregates, for errors.
    aggregates: Vec<Expr>,
    key_labels: Vec<String>,
    options: GroupOptions,
}

/// How an aggregate is made of states, which are named by position.
enum Finish {
    /// It is the state.
    State(usize),
    /// The state, a sum in `float64`, as `float32`.
    Narrow(usize),
    /// A sum of decimals of this dtype.
    Exact(ExactSum, DType),
    /// A sum, of decimals of this scale, divided by a count.
    Mean { sum: MeanSum, count: usize, scale: i8 },
}

/// A sum as high · 2⁶⁴ + low.
#[derive(Clone, Copy)]
struct ExactSum {
    low: usize,
    high: usize,
}

/// The sum of a mean.
enum MeanSum {
    Whole(usize),
    Exact(ExactSum, DType),
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
        let mut states = Self {
            first: Vec::new(),
            next: Vec::new(),
            last: Vec::new(),
            aggregates: aggregates.to_vec(),
            key_labels,
            options,
        };
        for expr in aggregates {
            let asked = Asked::new(expr, frame)?;
            let finish = match (expr.unaliased().node(), &asked.argument) {
                (Node::Aggregate(aggregation, argument), Some(typed)) => {
                    states.add(*aggregation, argument, &typed.dtype)?
                }
                _ => Finish::State(states.state(len(), Expr::sum)),
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

    /// Adds the states of an exact sum.
    fn exact(&mut self, argument: &Expr) -> ExactSum {
        let mut half = |aggregation| self.state(argument.clone().aggregate(aggregation), Expr::sum);
        ExactSum { low: half(Aggregation::SumLow), high: half(Aggregation::SumHigh) }
    }

    fn add(&mut self, aggregation: Aggregation, argument: &Expr, dtype: &DType) -> Result<Finish> {
        let argument = argument.clone();
        let exact = DType::decimal(MAX_PRECISION, 0)?;
        Ok(match (aggregation, dtype) {
            (Aggregation::Sum | Aggregation::SumWide, dtype) if is_wide(dtype) => {
                Finish::Exact(self.exact(&argument), aggregate_dtype(aggregation, dtype)?)
            }
            (
                Aggregation::Count
                | Aggregation::Size
                | Aggregation::SumWide
                | Aggregation::SumLow
                | Aggregation::SumHigh,
                _,
            ) => Finish::State(self.state(argument.aggregate(aggregation), Expr::sum)),
            (Aggregation::Min, _) => Finish::State(self.state(argument.min(), Expr::min)),
            (Aggregation::Max, _) => Finish::State(self.state(argument.max(), Expr::max)),
            // Sums of sums are rounded once, at the end.
            (Aggregation::Sum, DType::Float32) => {
                Finish::Narrow(self.state(argument.cast(DType::Float64).sum(), Expr::sum))
            }
            (Aggregation::Sum, _) => Finish::State(self.state(argument.sum(), Expr::sum)),
            (Aggregation::Mean, dtype) => {
                let addend = if *dtype == DType::Float32 {
                    argument.clone().cast(DType::Float64)
                } else if matches!(dtype, DType::Int64 | DType::UInt64) {
                    // The sum of 64-bit integers takes more than 64 bits.
                    argument.clone().cast(exact)
                } else {
                    argument.clone()
                };
                let scale = if let DType::Decimal { scale, .. } = dtype { *scale } else { 0 };
                let sum = if is_wide(dtype) {
                    MeanSum::Exact(self.exact(&addend), aggregate_dtype(Aggregation::Sum, dtype)?)
                } else {
                    MeanSum::Whole(self.state(addend.sum(), Expr::sum))
                };
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
        // Rows that are partitioned already have numbers.
        let number = rows.contains(ROW).then(|| col(ROW).min());
        let first: Vec<Expr> = self.first.iter().cloned().chain(number).collect();
        aggregate_rows(&rows, query.rows_where, &keys, &first, self.options, exec)
    }

    /// The number of groups of states, which may come several times.
    pub(super) fn count_groups(&self, states: &ColumnAccessor, exec: &Exec) -> Result<usize> {
        let keys: Vec<Expr> = self.key_labels.iter().map(|label| col(label.clone())).collect();
        Ok(aggregate_rows(states, None, &keys, &[], self.options, exec)?.rows())
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
    #[expect(clippy::wildcard_enum_match_arm, reason = "other errors pass")]
    fn finish(&self, states: &ColumnAccessor, exec: &Exec) -> Result<ColumnAccessor> {
        let state = |position: usize| states.get(label("state", position));
        let mut groups = states.select(&self.key_labels)?;
        for (position, finish) in self.last.iter().enumerate() {
            let total = |sum: &ExactSum, dtype: &DType| {
                let total = exact_sum(state(sum.low)?, state(sum.high)?, dtype, exec);
                total.map_err(|error| match error {
                    Error::Overflow { .. } => error.in_expression(&self.aggregates[position]),
                    other => other,
                })
            };
            let column = match finish {
                Finish::State(at) => state(*at)?.clone(),
                Finish::Exact(sum, dtype) => total(sum, dtype)?,
                Finish::Narrow(at) => {
                    let narrow = col(label("state", *at)).cast(DType::Float32);
                    evaluate_rows(&[narrow], states, exec)?.swap_remove(0).1
                }
                Finish::Mean { sum: MeanSum::Whole(sum), count, scale } => {
                    mean(state(*sum)?, state(*count)?, *scale, exec)?
                }
                Finish::Mean { sum: MeanSum::Exact(sum, dtype), count, scale } => {
                    mean(&total(sum, dtype)?, state(*count)?, *scale, exec)?
                }
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
    fn has_keys(&self) -> bool {
        !self.key_labels.is_empty()
    }

    fn keys<'a>(&self, _input: usize, rows: &'a ColumnAccessor) -> Result<Vec<&'a Column>> {
        self.key_labels.iter().map(|label| rows.get(label)).collect()
    }

    fn estimate(&self, inputs: &[Parts]) -> Result<usize> {
        let rows = rows_of(&inputs[0]);
        // The parts, the same together, and the result. States of several chunks are of about half as many groups.
        Ok(3 * bytes_of(&inputs[0])? + group_scratch(&inputs[0], rows / 2))
    }

    fn run(&self, inputs: &[ColumnAccessor], exec: &Exec) -> Result<ColumnAccessor> {
        let keys: Vec<Expr> = self.key_labels.iter().map(|label| col(label.clone())).collect();
        let number = inputs[0].contains(ROW).then(|| col(ROW).min());
        let next: Vec<Expr> = self.next.iter().cloned().chain(number).collect();
        self.finish(&aggregate_rows(&inputs[0], None, &keys, &next, self.options, exec)?, exec)
    }
}

/// Whether values are decimals of 128 bits: sums of others fit in 38 digits.
fn is_wide(dtype: &DType) -> bool {
    matches!(dtype, DType::Decimal { storage: DecimalStorage::Bits128, .. })
}

/// The sums high · 2⁶⁴ + low as `dtype`.
#[expect(clippy::wildcard_enum_match_arm, reason = "other errors pass")]
fn exact_sum(low: &Column, high: &Column, dtype: &DType, exec: &Exec) -> Result<Column> {
    let (low, high) = (fixed(low)?, fixed(high)?);
    let word = Operand::Value(Value::I128(1 << 64));
    // Without the carry of the low half, a high half that overflows would be an overflow where the sum is none.
    let carry = binary(BinaryOp::FloorDiv, Operand::Column(low), word, exec)?;
    let rest = binary(BinaryOp::Mod, Operand::Column(low), word, exec)?;
    let high = binary(BinaryOp::Add, Operand::Column(high), Operand::Column(carry.view()), exec)?;
    let checked = |op, lhs: &FixedData, rhs, limit| {
        binary_checked(op, Operand::Column(lhs.view()), rhs, limit, exec).map_err(|error| match error {
            columnade_kernels::Error::Overflow { .. } => Error::Overflow { dtype: dtype.clone() },
            other => other.into(),
        })
    };
    let digits = Limit::Digits(MAX_PRECISION.into());
    let high = checked(BinaryOp::Mul, &high, word, Limit::Storage)?;
    let sums = checked(BinaryOp::Add, &high, Operand::Column(rest.view()), digits)?;
    // Groups have sums even where the masks of divisions say that there may be nulls.
    Column::from_data(dtype.clone(), ColumnData::Fixed(FixedData { validity: None, ..sums }))
}

/// A column of fixed width as kernels take it.
fn fixed(column: &Column) -> Result<Fixed<'_>> {
    match column.view()? {
        View::Fixed(fixed) => Ok(fixed),
        View::String(_) => Err(Error::UnsupportedDType { dtype: column.dtype() }),
    }
}

/// The digits of `sums`, rounded once, divided by `counts` and then by 10^`scale`; null where the count is 0.
fn mean(sums: &Column, counts: &Column, scale: i8, exec: &Exec) -> Result<Column> {
    let float = |column: &Column| -> Result<FixedData> {
        Ok(cast(&fixed(column)?, Storage::F64, CastMode::Wrap, exec)?)
    };
    let (sums, counts) = (float(sums)?, float(counts)?);
    let (sum, count) = (Operand::Column(sums.view()), Operand::Column(counts.view()));
    let mut means = binary(BinaryOp::Div, sum, count, exec)?;
    if scale != 0 {
        means = unscaled(&means.view(), scale, exec)?;
    }
    let some = compare(CompareOp::Ne, count, Operand::Value(Value::F64(0.0)), exec)?;
    let means = FixedData { validity: Some(some.data), ..means };
    Column::from_data(DType::Float64, ColumnData::Fixed(means))
}

/// Means of a decimal's digits as means of its values.
pub(super) fn unscaled(means: &Fixed<'_>, scale: i8, exec: &Exec) -> Result<FixedData> {
    let divisor = Operand::Value(Value::F64(10_f64.powi(scale.into())));
    Ok(binary(BinaryOp::Div, Operand::Column(*means), divisor, exec)?)
}
