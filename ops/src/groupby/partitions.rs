//! Aggregates by partitions of the rows: for rows of so many groups that the states of chunks would take about as much as
//! the rows themselves.

use super::partial::States;
use super::{Query, aggregate_rows, group_scratch};
use crate::expression::{Expr, Node, col};
use crate::filter::filter;
use crate::out_of_core::grace_hash::{self, GraceHash, Parts, ROW, bytes_of, rows_of};
use crate::out_of_core::{Driver, OutOfCore};
use columnade_buffers::{Exec, with_retry_no_split};
use columnade_columns::{Column, ColumnAccessor, Label, Levels, Result};

/// Rows of a sample, in blocks from all over the rows, and no more of all rows than one in so many.
const SAMPLE_ROWS: usize = 1 << 16;
const SAMPLE_BLOCKS: usize = 16;
const SAMPLE_SHARE: usize = 16;

/// The rows of a query, to be partitioned by their keys.
pub(super) struct PartitionedRows<'a> {
    /// Without the predicate, which rows are prepared with.
    query: Query<'a>,
    rows_where: Option<&'a Expr>,
    frame: ColumnAccessor,
    keys: Vec<Label>,
    states: States,
    sample: Sample,
    driver: Driver<'a>,
}

/// What some of the rows tell of all of them.
#[derive(Clone, Copy, Debug, Default)]
struct Sample {
    rows: usize,
    /// Rows that take part.
    kept: usize,
    /// The bytes of those.
    kept_bytes: usize,
    /// The groups of each block, counted in every block that they are in.
    drawn: usize,
    /// The bytes of their states.
    state_bytes: usize,
    /// The groups of all blocks together.
    groups: usize,
}

impl Sample {
    /// The groups that `rows` rows are expected to have. The rows of a group within one block count once, as they may be
    /// neighbours; of n draws from G groups that are as frequent, about n²/2G draw a group again.
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "an estimate"
    )]
    fn expected_groups(&self, rows: usize) -> usize {
        if self.rows == 0 {
            return rows;
        }
        let drawn = self.drawn as f64;
        let draws = rows as f64 * drawn / self.rows as f64;
        let again = self.drawn.saturating_sub(self.groups) as f64;
        if again == 0.0 {
            return draws as usize;
        }
        let groups = drawn * drawn / (2.0 * again);
        (groups * (1.0 - (-draws / groups).exp())) as usize
    }

    /// The bytes of the states of `rows` rows, if they are aggregated in chunks of `chunk` rows.
    fn state_bytes_of(&self, rows: usize, chunk: usize) -> usize {
        let states = self.expected_groups(chunk.min(rows)).saturating_mul(rows.div_ceil(chunk.max(1)));
        share(self.state_bytes, states, self.drawn)
    }

    /// The bytes of those of `rows` rows that take part.
    fn kept_bytes_of(&self, rows: usize) -> usize {
        share(self.kept_bytes, rows, self.rows)
    }
}

/// `part` of `all` parts of `bytes`.
fn share(bytes: usize, part: usize, all: usize) -> usize {
    usize::try_from(bytes as u128 * part as u128 / all.max(1) as u128).unwrap_or(usize::MAX)
}

impl<'a> PartitionedRows<'a> {
    /// The rows of `query`, if partitioning them moves less than aggregating chunks of them. Rows are moved twice; the states
    /// of chunks are partitioned as a rule, which moves them four times.
    ///
    /// `None` also where all rows fit the budget, and where a key is not a column.
    pub(super) fn of(query: &Query<'a>, driver: Driver<'a>) -> Result<Option<Self>> {
        let rows = query.frame.rows();
        let chunk = driver.plan(rows, || query.estimate(query.frame))?.len();
        if chunk >= rows {
            return Ok(None);
        }
        let partitioned = Self::new(query, driver)?;
        Ok(partitioned.filter(|partitioned| {
            let sample = partitioned.sample;
            sample.rows > 0 && sample.state_bytes_of(rows, chunk) > sample.kept_bytes_of(rows) / 2
        }))
    }

    /// `None` where a key is not a column.
    pub(super) fn new(query: &Query<'a>, driver: Driver<'a>) -> Result<Option<Self>> {
        let is_row = |expr: &Expr| expr.label() == ROW;
        if query.frame.contains(ROW) || query.keys.iter().chain(query.aggregates).any(is_row) {
            return Ok(None);
        }
        let column = |key: &Expr| {
            if let Node::Column(label) = key.unaliased().node() { Some(label.clone()) } else { None }
        };
        let keys = query.keys.iter().map(column).collect::<Option<Vec<Label>>>();
        let Some(keys) = keys.filter(|keys| !keys.is_empty()) else { return Ok(None) };
        let &Query { frame, rows_where, keys: key_exprs, aggregates, options } = query;
        let mut this = Self {
            query: Query { frame, rows_where: None, keys: key_exprs, aggregates, options },
            rows_where,
            frame: frame.clone().relevel(Levels::default())?,
            keys,
            states: States::of(query)?,
            sample: Sample::default(),
            driver,
        };
        // An error is left to the aggregation of all rows: the sum of a sample may overflow where that of all does not.
        this.sample = this.take_sample(std::slice::from_ref(&this.frame)).unwrap_or_default();
        Ok(Some(this))
    }

    /// A sample of the rows of all parts.
    fn take_sample(&self, parts: &[ColumnAccessor]) -> Result<Sample> {
        let rows: usize = parts.iter().map(ColumnAccessor::rows).sum();
        let block = SAMPLE_ROWS.min(rows / SAMPLE_SHARE) / SAMPLE_BLOCKS;
        let mut sample = Sample::default();
        let mut states = Vec::with_capacity(SAMPLE_BLOCKS);
        if block == 0 {
            return Ok(sample);
        }
        let stride = rows / SAMPLE_BLOCKS;
        for number in 0..SAMPLE_BLOCKS {
            // Anywhere in its stride: keys may be periodic. The fractional part of multiples of the golden ratio spreads.
            let within = (number as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
            let within = share(stride.saturating_sub(block), usize::try_from(within).unwrap_or(0), 1 << 32);
            let (mut start, mut at) = (number * stride + within, 0);
            while at + 1 < parts.len() && start >= parts[at].rows() {
                start -= parts[at].rows();
                at += 1;
            }
            let part = parts[at].slice(start, block.min(parts[at].rows() - start))?;
            let (kept, groups) = with_retry_no_split(self.driver.exec, |exec| -> Result<_> {
                let rows = part.isolate(exec)?;
                // Partitioned rows are prepared.
                let kept = if rows.contains(ROW) { rows } else { self.prepare(0, &rows, exec)? };
                let groups = self.states.of_chunk(&self.query, &kept, exec)?;
                Ok((kept, groups))
            })?;
            sample.rows += part.rows();
            sample.kept += kept.rows();
            sample.kept_bytes += kept.row_bytes()?;
            sample.drawn += groups.rows();
            sample.state_bytes += groups.row_bytes()?;
            states.push(groups);
        }
        let states = ColumnAccessor::assemble(states, self.driver.exec)?;
        sample.groups =
            with_retry_no_split(self.driver.exec, |exec| self.states.count_groups(&states, exec))?;
        Ok(sample)
    }

    /// The columns that are the keys.
    pub(super) fn keys(&self) -> &[Label] {
        &self.keys
    }

    /// The groups that `rows` rows are expected to have.
    pub(super) fn expected_groups(&self, rows: usize) -> usize {
        self.sample.expected_groups(rows)
    }

    pub(super) fn aggregate(self) -> Result<ColumnAccessor> {
        let groups = grace_hash::run(&self, vec![vec![self.frame.clone()]], self.driver)?;
        let mut result = ColumnAccessor::with_levels(0, self.query.frame.levels().clone());
        for (expr, column) in self.query.keys.iter().chain(self.query.aggregates).zip(groups.columns()) {
            result.insert(expr.label(), column.clone())?;
        }
        Ok(result)
    }
}

impl GraceHash for PartitionedRows<'_> {
    fn prepare(&self, _input: usize, rows: &ColumnAccessor, exec: &Exec) -> Result<ColumnAccessor> {
        let Some(predicate) = self.rows_where else { return Ok(rows.clone()) };
        let kept = filter(rows, predicate, exec)?;
        // Columns of the predicate alone are not needed any more.
        let read = crate::expression::columns_of(self.query.keys.iter().chain(self.query.aggregates));
        kept.select(read.into_iter().chain(rows.contains(ROW).then(|| Label::from(ROW))))
    }

    fn keys<'b>(&self, _input: usize, rows: &'b ColumnAccessor) -> Result<Vec<&'b Column>> {
        self.keys.iter().map(|label| rows.get(label)).collect()
    }

    fn estimate(&self, inputs: &[Parts]) -> Result<usize> {
        let rows = rows_of(&inputs[0]);
        // The groups of a partition are its share of all groups.
        let all = self.frame.rows();
        let groups = share(self.sample.expected_groups(all), rows, all);
        let results = share(self.sample.state_bytes, groups, self.sample.drawn);
        // The parts, the same together, values in between, and the result.
        Ok(3 * bytes_of(&inputs[0])? + results + group_scratch(&inputs[0], groups))
    }

    /// A partition that has few groups after all, since some keys are far more frequent than others, is aggregated in chunks.
    fn min_bytes(&self, inputs: &[Parts]) -> Result<usize> {
        let whole = self.estimate(inputs)?;
        let [first, ..] = &inputs[0][..] else { return Ok(whole) };
        if !first.contains(ROW) {
            return Ok(whole);
        }
        let sample = self.take_sample(&inputs[0]).unwrap_or_default();
        let rows = rows_of(&inputs[0]);
        let states = sample.state_bytes_of(rows, rows.div_ceil(inputs[0].len()));
        Ok(if sample.rows > 0 { whole.min(states.saturating_mul(4)) } else { whole })
    }

    fn run(&self, inputs: &[ColumnAccessor], exec: &Exec) -> Result<ColumnAccessor> {
        let Query { keys, aggregates, options, .. } = self.query;
        let number = inputs[0].contains(ROW).then(|| col(ROW).min());
        let rows_where = self.rows_where.filter(|_| number.is_none());
        let aggregates: Vec<Expr> = aggregates.iter().cloned().chain(number).collect();
        aggregate_rows(&inputs[0], rows_where, keys, &aggregates, options, exec)
    }

    fn run_in_chunks(&self, inputs: &mut Vec<Parts>, driver: Driver<'_>) -> Result<Option<ColumnAccessor>> {
        let [parts] = &inputs[..] else { return Ok(None) };
        if !parts.first().is_some_and(|first| first.contains(ROW)) {
            return Ok(None);
        }
        let mut states = Vec::with_capacity(parts.len());
        for part in parts {
            states.push(with_retry_no_split(driver.exec, |exec| {
                self.states.of_chunk(&self.query, &part.isolate(exec)?, exec)
            })?);
        }
        let states = ColumnAccessor::assemble(states, driver.exec)?;
        with_retry_no_split(driver.exec, |exec| self.states.run(std::slice::from_ref(&states), exec))
            .map(Some)
    }
}

#[cfg(test)]
mod tests {
    use super::Sample;

    #[test]
    fn expected_groups_follow_sample() {
        let sample = |drawn, groups| Sample { rows: 1000, kept: 1000, drawn, groups, ..Sample::default() };
        assert_eq!(sample(1000, 1000).expected_groups(50_000), 50_000, "all distinct");
        assert_eq!(sample(250, 250).expected_groups(50_000), 12_500, "four neighbours are alike");
        assert_eq!(sample(160, 10).expected_groups(50_000) / 10, 8, "each block has the same groups");
        // A tenth of 1000 rows drew one of about 5000 groups again.
        let some = sample(1000, 900).expected_groups(5000);
        assert!((3000..3300).contains(&some), "{some}");
        assert_eq!(Sample::default().expected_groups(10), 10);
    }
}
