//! Operations that need all rows of equal keys at a time: partition by partition of the hash of the keys.

use super::chunks::{row_numbers, run_chunks};
use super::external_sort::merge_runs;
use super::{Driver, MemoryEstimate, evict, touch};
use crate::partition::{hash_partition, partition_scratch_bytes};
use crate::sort::{NullOrder, Order, SortColumn};
use columnade_buffers::{Exec, with_retry_no_split};
use columnade_columns::{Column, ColumnAccessor, Result};

/// Rows that lie in several parts, one after the other.
pub(crate) type Parts = Vec<ColumnAccessor>;

/// How often partitions that do not fit are partitioned again, by another hash each time. Rows that are together then
/// have one key, or nearly.
const MAX_SEEDS: u64 = 4;
/// The number of each row of the first input, by which the results of the partitions are put in order.
pub(crate) const ROW: &str = "number of the row";
/// Partitions at a time at most. More would have few rows each; a partition that does not fit is partitioned again.
const MAX_PARTITIONS: usize = 64;
/// Of a smaller budget, the smallest hash tables and buffers take too much for chunks of a quarter of it.
const SMALL_BUDGET: usize = 1 << 20;
/// Rows that take the budget are split into parts of fewer bytes than this only for few partitions, for each part is
/// unspilled on its own.
const MIN_PART: usize = 4 << 10;
const FEW_PARTITIONS: usize = 4;

/// What is made of rows before they are partitioned, given the number of the first of them.
pub(super) type Prepare<'a> = &'a dyn Fn(&ColumnAccessor, usize, &Exec) -> Result<ColumnAccessor>;

/// An operation on one or two inputs whose result for all rows is that of the partitions by the hash of its keys, put in
/// the order of the rows of the first input.
pub(crate) trait GraceHash {
    /// Whether there are keys to partition by.
    fn has_keys(&self) -> bool {
        true
    }

    /// The keys of `rows`, which are prepared rows of the input of this number.
    fn keys<'a>(&self, input: usize, rows: &'a ColumnAccessor) -> Result<Vec<&'a Column>>;

    /// The bytes that [`run`](Self::run) takes.
    fn estimate(&self, inputs: &[Parts]) -> Result<usize>;

    /// The bytes of a partition that must fit the budget.
    fn min_bytes(&self, inputs: &[Parts]) -> Result<usize> {
        self.estimate(inputs)
    }

    /// The result for a partition. Where the first input has a column [`ROW`], its rows are prepared, and the result has it
    /// too, with the number of the first row that each of its rows is made of, and is in its order.
    fn run(&self, inputs: &[ColumnAccessor], exec: &Exec) -> Result<ColumnAccessor>;

    /// The result for a partition of which [`min_bytes`](Self::min_bytes) fit but not everything, taken from `inputs`;
    /// `None` for an operation that needs a partition as a whole.
    fn run_in_chunks(&self, _inputs: &mut Vec<Parts>, _driver: Driver<'_>) -> Result<Option<ColumnAccessor>> {
        Ok(None)
    }

    /// What is partitioned of `rows` of the input of this number: a filter and expressions leave less to be moved. A
    /// column [`ROW`] is kept.
    fn prepare(&self, _input: usize, rows: &ColumnAccessor, _exec: &Exec) -> Result<ColumnAccessor> {
        Ok(rows.clone())
    }
}

/// The result of `op` for `inputs`: as a whole where they fit, else of their partitions. Partitions are made such that
/// half of the budget is for what must fit of them, half for the rest and the result; one of which up to three quarters
/// must fit is not partitioned, as that moves every row twice more.
pub(crate) fn run(op: &dyn GraceHash, mut inputs: Vec<Parts>, driver: Driver<'_>) -> Result<ColumnAccessor> {
    let driver = if driver.budget().is_some() { driver.for_work(op.estimate(&inputs)?) } else { driver };
    if let Some(whole) = run_partition(op, &mut inputs, 0, None, driver)? {
        return Ok(whole);
    }
    let mut runs = Vec::new();
    let mut work = divide(op, inputs, 0, driver)?;
    while let Some((mut inputs, seed)) = work.pop() {
        let next = work.last_mut().map(|(inputs, _)| inputs);
        match run_partition(op, &mut inputs, seed, next, driver)? {
            Some(run) => {
                if !work.is_empty() {
                    evict(&run)?;
                }
                runs.push(run);
            }
            None => work.extend(divide(op, inputs, seed, driver)?),
        }
    }
    let position = runs[0].position(ROW)?;
    let order = SortColumn { position, order: Order::Ascending, nulls: NullOrder::Last };
    merge_runs(runs, &[order], driver)?.without([ROW])
}

/// The result for one partition; `None` where it has to be partitioned again. Meanwhile the rows of `next` are prefetched.
fn run_partition(
    op: &dyn GraceHash,
    inputs: &mut Vec<Parts>,
    seed: u64,
    mut next: Option<&mut Vec<Parts>>,
    driver: Driver<'_>,
) -> Result<Option<ColumnAccessor>> {
    let columns: Vec<&Column> = inputs.iter().flatten().flat_map(ColumnAccessor::columns).collect();
    let bytes = if driver.budget().is_some() { op.estimate(inputs)? } else { 0 };
    let whole = driver.attempt_whole(&columns, bytes, |exec| {
        if let Some(next) = &mut next {
            prefetch(next, exec);
        }
        inputs.iter().flatten().for_each(touch);
        op.run(&concat_inputs(inputs, seed, exec)?, exec)
    })?;
    if whole.is_some() {
        return Ok(whole);
    }
    // Without rows of the first input there are none in the result, but its columns are wanted.
    let can_divide = seed < MAX_SEEDS
        && rows_of(&inputs[0]) > 0
        && inputs.last().is_some_and(|parts| rows_of(parts) > 1)
        && op.has_keys();
    if let Some(budget) = driver.budget().filter(|_| can_divide)
        && op.min_bytes(inputs)? > if budget < SMALL_BUDGET { budget / 2 } else { budget / 4 * 3 }
    {
        return Ok(None);
    }
    if let Some(run) = op.run_in_chunks(inputs, driver)? {
        return Ok(Some(run));
    }
    if can_divide {
        return Ok(None);
    }
    with_retry_no_split(driver.exec, |exec| op.run(&concat_inputs(inputs, seed, exec)?, exec)).map(Some)
}

/// The partitions of `inputs`, each with the seed to divide it by again.
fn divide(
    op: &dyn GraceHash,
    inputs: Vec<Parts>,
    seed: u64,
    driver: Driver<'_>,
) -> Result<Vec<(Vec<Parts>, u64)>> {
    let count = match driver.budget() {
        None => partition_count(0, usize::MAX),
        Some(budget) => partition_count(op.min_bytes(&inputs)?.max(op.estimate(&inputs)? / 2), budget / 2),
    };
    let mut partitions: Vec<(Vec<Parts>, u64)> = vec![(Vec::new(), seed + 1); count];
    for (input, parts) in inputs.into_iter().enumerate() {
        let all = rows_of(&parts);
        let prepare = |rows: &ColumnAccessor, start: usize, exec: &Exec| {
            if seed > 0 {
                return Ok(rows.clone());
            }
            if input > 0 {
                return op.prepare(input, rows, exec);
            }
            let mut rows = rows.clone();
            rows.insert(ROW, row_numbers(start, rows.rows(), all, exec)?)?;
            op.prepare(input, &rows, exec)
        };
        let divided = partition_parts(&parts, count, seed, driver, &prepare, &|rows| op.keys(input, rows))?;
        for ((inputs, _), parts) in partitions.iter_mut().zip(divided) {
            inputs.push(parts);
        }
    }
    let rows: usize = partitions.iter().filter_map(|(inputs, _)| inputs.last()).map(rows_of).sum();
    for (inputs, seed) in &mut partitions {
        if inputs.last().is_some_and(|parts| rows_of(parts) == rows) {
            // Rows that one hash does not separate have one key, or nearly.
            *seed = MAX_SEEDS;
        }
    }
    Ok(partitions)
}

/// The rows of all parts.
pub(crate) fn rows_of(parts: &Parts) -> usize {
    parts.iter().map(ColumnAccessor::rows).sum()
}

/// The bytes of the rows of all parts.
pub(crate) fn bytes_of(parts: &Parts) -> Result<usize> {
    parts.iter().map(ColumnAccessor::row_bytes).sum()
}

/// Unspills the rows of all parts in the background, each part in buffers of its own. A failure is left to the
/// partition's own attempt.
fn prefetch(inputs: &mut [Parts], exec: &Exec) {
    for part in inputs.iter_mut().flatten() {
        if let Ok(own) = part.isolate(exec) {
            own.will_need();
            *part = own;
        }
    }
}

/// The rows of each input together; before they are partitioned, an input of one part is that part.
fn concat_inputs(inputs: &[Parts], seed: u64, exec: &Exec) -> Result<Vec<ColumnAccessor>> {
    let together = |parts: &Parts| match &parts[..] {
        [only] if seed == 0 => Ok(only.clone()),
        parts => concat_rows(parts, exec),
    };
    inputs.iter().map(together).collect()
}

/// The rows of all parts on the device, one part after the other.
fn concat_rows(parts: &[ColumnAccessor], exec: &Exec) -> Result<ColumnAccessor> {
    let Some(first) = parts.first() else { return Ok(ColumnAccessor::new()) };
    let mut rows = ColumnAccessor::with_rows(parts.iter().map(ColumnAccessor::rows).sum());
    for label in first.labels() {
        let columns = parts.iter().map(|part| part.get(label)?.isolate(exec)).collect::<Result<Vec<_>>>()?;
        rows.insert(label.clone(), Column::concat(&columns.iter().collect::<Vec<_>>(), exec)?)?;
    }
    Ok(rows)
}

/// Into how many partitions `bytes` bytes go, so that each comes to fit `limit`.
pub(super) fn partition_count(bytes: usize, limit: usize) -> usize {
    // Hashing is not even: partitions are planned a quarter smaller than what fits.
    let count = bytes.saturating_add(bytes / 4).div_ceil(limit.max(1));
    let most = (limit / MIN_PART).clamp(FEW_PARTITIONS, MAX_PARTITIONS);
    count.clamp(2, most).next_power_of_two()
}

/// What `prepare` makes of the rows of all parts, by the hash of their keys, which `keys` gives: for each partition its
/// rows, in order. No more rows are processed at a time than fit the budget, and small parts are partitioned together.
pub(super) fn partition_parts(
    parts: &[ColumnAccessor],
    count: usize,
    seed: u64,
    driver: Driver<'_>,
    prepare: Prepare<'_>,
    keys: &dyn for<'a> Fn(&'a ColumnAccessor) -> Result<Vec<&'a Column>>,
) -> Result<Vec<Parts>> {
    let mut partitions: Vec<Parts> = vec![Parts::new(); count];
    let partitioned = |rows: &ColumnAccessor, start: usize, exec: &Exec| {
        let rows = prepare(rows, start, exec)?;
        let (rows, offsets) = hash_partition(&rows, &keys(&rows)?, count, seed, exec)?;
        evict(&rows)?;
        Ok((rows, offsets))
    };
    let mut start = 0;
    for (parts, bytes) in groups(parts, driver)? {
        let first = start;
        start += parts.iter().map(ColumnAccessor::rows).sum::<usize>();
        if let [_, _, ..] = parts {
            let columns: Vec<&Column> = parts.iter().flat_map(ColumnAccessor::columns).collect();
            let whole = driver.attempt_whole(&columns, bytes, |exec| {
                parts.iter().for_each(touch);
                partitioned(&concat_rows(parts, exec)?, first, exec)
            })?;
            if let Some((rows, offsets)) = whole {
                distribute(&mut partitions, &rows, &offsets)?;
                continue;
            }
        }
        let mut first = first;
        for part in parts {
            let plan = driver.plan(part.rows(), || estimate(part))?;
            let partitioned =
                |rows: &ColumnAccessor, start, exec: &Exec| partitioned(rows, first + start, exec);
            for (rows, offsets) in run_chunks(part, None, plan, driver.exec, partitioned)? {
                distribute(&mut partitions, &rows, &offsets)?;
            }
            first += part.rows();
        }
    }
    Ok(partitions)
}

/// What partitioning a part takes.
fn estimate(part: &ColumnAccessor) -> Result<MemoryEstimate> {
    let input = part.row_bytes()?;
    Ok(MemoryEstimate::new(input, 2 * input + partition_scratch_bytes(part)))
}

/// The parts in groups of neighbours that fit the budget together, or are one part alone, with the bytes that they take;
/// 0: not known.
fn groups<'a>(parts: &'a [ColumnAccessor], driver: Driver<'_>) -> Result<Vec<(&'a [ColumnAccessor], usize)>> {
    // The rows of several parts are copied once more.
    let bytes_of = |part| estimate(part).map(|estimate| estimate.input + estimate.bytes());
    let bytes = match parts {
        [] | [_] => vec![0; parts.len()],
        parts => parts.iter().map(bytes_of).collect::<Result<Vec<usize>>>()?,
    };
    let driver = driver.for_work(bytes.iter().sum());
    let most = driver.budget().unwrap_or_else(|| driver.min_chunk());
    let (mut groups, mut start, mut taken) = (Vec::new(), 0, 0);
    for (at, &bytes) in bytes.iter().enumerate() {
        if at > start && taken + bytes > most {
            groups.push((&parts[start..at], taken));
            (start, taken) = (at, 0);
        }
        taken += bytes;
    }
    groups.push((&parts[start..], taken));
    Ok(groups)
}

/// Adds partitioned rows, the partitions between these offsets, to what the partitions have so far.
fn distribute(partitions: &mut [Parts], rows: &ColumnAccessor, offsets: &[usize]) -> Result<()> {
    for (partition, ends) in partitions.iter_mut().zip(offsets.windows(2)) {
        // An empty partition keeps one part, for its columns.
        if ends[1] > ends[0] || partition.is_empty() {
            if partition.first().is_some_and(|first| first.rows() == 0) {
                partition.clear();
            }
            partition.push(rows.slice(ends[0], ends[1] - ends[0])?);
        }
    }
    Ok(())
}
