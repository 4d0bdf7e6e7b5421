//! Aggregates of rows that do not fit the budget: of pieces of them, and of those together.
//!
//! An aggregate of a piece is one or two states, which are aggregates themselves and are put together by another
//! aggregate: counts by their sum, a mean by the sums of its sums and of its counts. States of one group come in the
//! order of the pieces.

use super::{Asked, GroupOptions, aggregate_rows};
use crate::aggregation::unscaled;
use crate::chunks::{
    ChunkPlan, MAP_BYTES, at_once, at_work, concat_rows, label, leave, parts_of, row_numbers,
};
use crate::expression::{Aggregate, Expr, Node, col, columns_of, count_rows, evaluate_rows};
use crate::merge_sorted::{MergeKey, merge_sorted};
use crate::partition::{Parted, look_ahead, partition_count, partition_parts};
use crate::sort::{NullOrder, Order};
use columnade_buffers::{Exec, with_retry_no_split};
use columnade_columns::{Column, ColumnAccessor, DType, Error, Levels, MAX_PRECISION, Result};
use columnade_kernels::elementwise::Operand;
use columnade_kernels::elementwise::binary::{BinaryOp, binary};
use columnade_kernels::elementwise::cast::{CastMode, cast};
use columnade_kernels::elementwise::compare::{CompareOp, compare};
use columnade_kernels::{ColumnData, FixedData, Storage, Value, View};

/// Partitions that do not fit are partitioned again by another hash, so often at most: what is together then is one
/// group, or nearly.
const MAX_SEEDS: u64 = 4;
/// The states' row numbers: where groups first appear.
const ROW: &str = "row";

/// How much is aggregated at a time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Portion {
    /// Rows.
    pub(super) rows: ChunkPlan,
    /// Bytes of states and what is made of them; `None`: any number.
    pub(super) bytes: Option<usize>,
}

/// [`aggregate`](super::aggregate) of a portion at a time.
pub(super) fn aggregate(
    frame: &ColumnAccessor,
    rows_where: Option<&Expr>,
    keys: &[Expr],
    aggregates: &[Expr],
    options: GroupOptions,
    portion: Portion,
    exec: &Exec,
) -> Result<ColumnAccessor> {
    let states = States::of(frame, keys, aggregates)?;
    let read = frame.select(columns_of(keys.iter().chain(aggregates).chain(rows_where)))?;
    // Keys and states have labels of one level.
    let read = read.relevel(Levels::default())?;
    let chunk_keys: Vec<Expr> =
        keys.iter().enumerate().map(|(at, key)| key.clone().alias(label("key", at))).collect();
    let parts = parts_of(&read, portion.rows, exec, |rows, exec| {
        aggregate_rows(rows, rows_where, &chunk_keys, &states.first, options, exec)
    })?;
    let mut runs = states.put_together(numbered(parts, exec)?, keys.len(), options, portion.bytes, exec)?;
    let groups = if runs.len() == 1 {
        runs.swap_remove(0)
    } else {
        let key = MergeKey { label: ROW, order: Order::Ascending, nulls: NullOrder::Last };
        merge_sorted(runs, &[key], exec)?
    };
    let mut result = ColumnAccessor::with_levels(0, frame.levels().clone());
    for (expr, column) in keys.iter().chain(aggregates).zip(groups.columns()) {
        result.insert(expr.label(), column.clone())?;
    }
    Ok(result)
}

/// The parts with a column of row numbers that go on from part to part.
fn numbered(parts: Parted, exec: &Exec) -> Result<Parted> {
    let mut start = 0;
    parts
        .into_iter()
        .map(|mut part| {
            part.insert(ROW, row_numbers(start, part.rows(), exec)?)?;
            start += part.rows();
            Ok(part)
        })
        .collect()
}

/// What becomes of the aggregates of pieces.
struct States {
    /// The states of a piece.
    first: Vec<Expr>,
    /// The same states of several pieces' states.
    next: Vec<Expr>,
    /// How the states become aggregates, in the order in which those were asked for.
    last: Vec<Finish>,
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
    fn of(frame: &ColumnAccessor, keys: &[Expr], aggregates: &[Expr]) -> Result<Self> {
        let mut labels = ColumnAccessor::with_levels(0, frame.levels().clone());
        let mut states = Self { first: Vec::new(), next: Vec::new(), last: Vec::new() };
        for label in keys.iter().chain(aggregates).map(Expr::label) {
            labels.insert(label, Column::from_vec(Vec::<i64>::new()))?;
        }
        for expr in aggregates {
            let asked = Asked::new(expr, frame)?;
            let finish = match (expr.unaliased().node(), &asked.argument) {
                (Node::Aggregate(what, argument), Some(typed)) => {
                    states.add(*what, argument, &typed.dtype)?
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

    fn add(&mut self, what: Aggregate, argument: &Expr, dtype: &DType) -> Result<Finish> {
        let argument = argument.clone();
        let exact = DType::decimal(MAX_PRECISION, 0)?;
        Ok(match (what, dtype) {
            (Aggregate::Count, _) => Finish::State(self.state(argument.count(), Expr::sum)),
            (Aggregate::Min, _) => Finish::State(self.state(argument.min(), Expr::min)),
            (Aggregate::Max, _) => Finish::State(self.state(argument.max(), Expr::max)),
            // Sums of sums are rounded once, at the end.
            (Aggregate::Sum, DType::Float32) => {
                Finish::Narrow(self.state(argument.cast(DType::Float64).sum(), Expr::sum))
            }
            (Aggregate::Sum, _) => Finish::State(self.state(argument.sum(), Expr::sum)),
            (Aggregate::Mean, dtype) => {
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

    /// The groups of all states, each with its aggregates, as runs that are in the order of [`ROW`].
    fn put_together(
        &self,
        parts: Parted,
        key_count: usize,
        options: GroupOptions,
        room: Option<usize>,
        exec: &Exec,
    ) -> Result<Vec<ColumnAccessor>> {
        let key_labels: Vec<String> = (0..key_count).map(|at| label("key", at)).collect();
        let keys: Vec<Expr> = key_labels.iter().map(|label| col(label.clone())).collect();
        let next: Vec<Expr> = self.next.iter().cloned().chain([col(ROW).min()]).collect();
        let together = |parts: &[ColumnAccessor], exec: &Exec| {
            let states = aggregate_rows(&concat_rows(parts, exec)?, None, &keys, &next, options, exec)?;
            self.finish(&states, &key_labels, exec)
        };

        let mut runs = Vec::new();
        let mut work = vec![(parts, 0)];
        while let Some((parts, seed)) = work.pop() {
            let rows: usize = parts.iter().map(ColumnAccessor::rows).sum();
            let bytes = match room {
                Some(_) => {
                    let states: usize = parts.iter().map(ColumnAccessor::row_bytes).sum::<Result<_>>()?;
                    3 * states + MAP_BYTES * rows
                }
                None => 0,
            };
            let last = seed == MAX_SEEDS || key_count == 0 || rows <= 1;
            if last {
                runs.push(with_retry_no_split(exec, |exec| together(&parts, exec))?);
                continue;
            }
            if room.is_none_or(|room| bytes <= room)
                && let Some(run) = at_once(&parts.iter().collect::<Vec<_>>(), bytes, exec, |exec| {
                    work.iter_mut().last().into_iter().for_each(|(next, _)| look_ahead(next, exec));
                    parts.iter().for_each(at_work);
                    together(&parts, exec)
                })?
            {
                if !work.is_empty() {
                    leave(&run)?;
                }
                runs.push(run);
                continue;
            }
            let count = partition_count(bytes, room.unwrap_or(bytes / 2));
            let partitions = partition_parts(&parts, count, seed, exec, |rows| {
                key_labels.iter().map(|label| rows.get(label)).collect()
            })?;
            drop(parts);
            work.extend(partitions.into_iter().map(|parts| (parts, seed + 1)));
        }
        Ok(runs)
    }

    /// Keys, aggregates and row numbers of groups with their states.
    fn finish(&self, states: &ColumnAccessor, key_labels: &[String], exec: &Exec) -> Result<ColumnAccessor> {
        let state = |position: usize| states.get(label("state", position));
        let mut groups = states.select(key_labels)?;
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
        groups.insert(ROW, states.get(ROW)?.clone())?;
        Ok(groups)
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
