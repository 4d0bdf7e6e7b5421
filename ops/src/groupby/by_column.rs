//! Aggregates column by column, of rows that do not fit: first the group of each row, then each aggregate of its own
//! columns. Columns are read in chunks, once as a rule and keys twice, and no row is moved.

use super::partitions::PartitionedRows;
use super::{Asked, Query};
use crate::copying::{MapNulls, gather_columns};
use crate::expression::condition::with_nulls;
use crate::expression::{Aggregation, Expr, Node, columns_of, evaluate_rows};
use crate::out_of_core::{CHUNK_ROWS, Driver, each_chunk};
use columnade_buffers::{Device, Exec, RetryableError};
use columnade_columns::{Column, ColumnAccessor, DType, Error, Label, Result};
use columnade_kernels::grouping::aggregate::ChunkedAggregates;
use columnade_kernels::grouping::group_ids::{ChunkedGroupIds, KeyRanges};
use columnade_kernels::{Fixed, RowMap, Storage, View};

/// Shares of the budget: the tables of all groups, the states of aggregates that are computed together, and a chunk.
const TABLE_SHARE: (usize, usize) = (1, 2);
const STATE_SHARE: (usize, usize) = (1, 2);
const CHUNK_SHARE: (usize, usize) = (1, 4);
/// Bytes of a row whose group is found, beside its keys: those that the kernel takes, and the group.
const ROW_BYTES: usize = 48;
/// Groups more than expected, one in so many.
const MARGIN: usize = 8;

/// One aggregate.
struct Aggregate {
    asked: Asked,
    /// `None` for the number of rows.
    argument: Option<Expr>,
    kernel: (Aggregation, Storage),
    /// The bytes of the state of a group.
    state_bytes: usize,
}

/// The rows of a query of which all groups fit.
pub(super) struct ByColumn<'a> {
    query: &'a Query<'a>,
    /// The columns of the keys, each once, and which of them each key is.
    columns: Vec<Label>,
    keys: Vec<usize>,
    aggregates: Vec<Aggregate>,
    /// The groups that are expected at most.
    groups: usize,
    /// Rows of a chunk.
    chunk: usize,
    budget: usize,
    driver: Driver<'a>,
}

fn share(bytes: usize, (part, all): (usize, usize)) -> usize {
    bytes / all * part
}

impl<'a> ByColumn<'a> {
    /// The rows of `query`, which are `partitioned` otherwise; `None` where the groups do not fit, away from the host, with a
    /// filter, and for keys and aggregates that are not computed in chunks.
    pub(super) fn of(
        query: &'a Query<'a>,
        partitioned: &PartitionedRows<'_>,
        driver: Driver<'a>,
    ) -> Result<Option<Self>> {
        let rows = query.frame.rows();
        let Some(budget) = driver.budget() else { return Ok(None) };
        let is_here = driver.exec.device() == Device::Host && query.rows_where.is_none();
        if !is_here || u32::try_from(rows).is_err() {
            return Ok(None);
        }
        let mut aggregates = Vec::with_capacity(query.aggregates.len());
        for expr in query.aggregates {
            let Some(aggregate) = Aggregate::of(expr, query.frame)? else { return Ok(None) };
            aggregates.push(aggregate);
        }
        let (mut columns, mut keys) = (Vec::<Label>::new(), Vec::new());
        for key in partitioned.keys() {
            keys.push(columns.iter().position(|other| other == key).unwrap_or(columns.len()));
            if keys.last() == Some(&columns.len()) {
                columns.push(key.clone());
            }
        }
        let expected = partitioned.expected_groups(rows);
        let groups = (expected + expected / MARGIN + 1).min(rows);
        // Of a column the chunk at hand and the next one are resident.
        let bytes_of = |labels: &[Label]| -> Result<usize> {
            Ok(2 * query.frame.select(labels)?.row_bytes()?.div_ceil(rows.max(1)))
        };
        let mut row_bytes = ROW_BYTES + bytes_of(&columns)?;
        for aggregate in &aggregates {
            let read = columns_of(aggregate.argument.iter());
            row_bytes = row_bytes.max(size_of::<u32>() + 2 * bytes_of(&read)?);
        }
        let chunk = share(budget, CHUNK_SHARE) / row_bytes;
        let largest = aggregates.iter().map(|aggregate| aggregate.state_bytes).max().unwrap_or(0);
        let fits = expected.saturating_mul(largest) <= share(budget, STATE_SHARE)
            && groups.saturating_mul(size_of::<u32>()) <= share(budget, TABLE_SHARE)
            && chunk.saturating_mul(row_bytes) >= driver.min_chunk() / 4;
        if !fits || chunk == 0 {
            return Ok(None);
        }
        let chunk = if chunk < CHUNK_ROWS { chunk } else { chunk / CHUNK_ROWS * CHUNK_ROWS };
        Ok(Some(Self {
            query,
            columns,
            keys,
            aggregates,
            groups,
            chunk: chunk.min(rows.max(1)),
            budget,
            driver,
        }))
    }

    /// The groups; `None` where they do not fit after all, and where an expression has no value: that is left to others, which
    /// know of all rows.
    pub(super) fn aggregate(&self) -> Result<Option<ColumnAccessor>> {
        let ranges =
            self.driver.attempt_whole(&[], share(self.budget, CHUNK_SHARE), |exec| self.ranges(exec))?;
        let Some(ranges) = ranges.flatten() else { return Ok(None) };
        let tables = ranges.bytes(self.query.options.null_keys, self.groups, self.chunk);
        let Some(tables) = tables.filter(|&bytes| {
            bytes.saturating_sub(share(self.budget, CHUNK_SHARE)) <= share(self.budget, TABLE_SHARE)
        }) else {
            return Ok(None);
        };
        let bytes = (tables + self.chunk * size_of::<u32>()).min(self.budget);
        let made = self.driver.attempt_whole(&[], bytes, |exec| {
            match self.groups(&ranges, exec).and_then(|groups| self.values(&groups, exec)) {
                Err(error) if !error.is_out_of_memory() => Ok(None),
                made => made.map(Some),
            }
        })?;
        Ok(made.flatten())
    }

    /// The range of the keys of all rows; `None` for keys that are not grouped in chunks.
    fn ranges(&self, exec: &Exec) -> Result<Option<KeyRanges>> {
        let (mut ranges, mut is_grouped) = (KeyRanges::default(), true);
        each_chunk(&self.query.frame.select(&self.columns)?, self.chunk, exec, |rows| {
            is_grouped = is_grouped && ranges.add(&views(rows.columns())?, exec)?;
            Ok(())
        })?;
        Ok(is_grouped.then_some(ranges))
    }

    /// The group of each row.
    fn groups(&self, ranges: &KeyRanges, exec: &Exec) -> Result<Groups> {
        let none = Error::Internal { invariant: "keys whose tables have a size have tables" };
        let nulls = self.query.options.null_keys;
        let mut numbered = ChunkedGroupIds::new(ranges, nulls, self.groups, self.chunk, exec)?.ok_or(none)?;
        let (mut ids, mut parts) = (Vec::new(), Vec::new());
        each_chunk(&self.query.frame.select(&self.columns)?, self.chunk, exec, |rows| {
            let found = numbered.number(&views(rows.columns())?, exec)?;
            if found.first_rows.len > 0 || parts.is_empty() {
                let keys: Vec<&Column> = rows.columns().iter().collect();
                let part = gather_columns(&keys, &found.first_rows, MapNulls::Never, exec)?;
                part.iter().for_each(Column::done_with);
                parts.push(part);
            }
            ids.push(found.ids);
            Ok(())
        })?;
        let len = numbered.len();
        drop(numbered);
        let mut keys = Vec::with_capacity(self.columns.len());
        for key in 0..self.columns.len() {
            let parts: Vec<&Column> = parts.iter().map(|part| &part[key]).collect();
            let column = Column::concat(&parts, exec)?;
            column.done_with();
            keys.push(column);
        }
        Ok(Groups { keys, ids, len })
    }

    /// The keys and aggregates of the groups.
    fn values(&self, groups: &Groups, exec: &Exec) -> Result<ColumnAccessor> {
        let mut result = ColumnAccessor::with_levels(0, self.query.frame.levels().clone());
        for (expr, &key) in self.query.keys.iter().zip(&self.keys) {
            result.insert(expr.label(), groups.keys[key].clone())?;
        }
        let most = share(self.budget, STATE_SHARE) / groups.len.max(1);
        let mut rest = &self.aggregates[..];
        while let Some((first, others)) = rest.split_first() {
            // As many as fit together.
            let mut bytes = first.state_bytes;
            let fits = |other: &&Aggregate| {
                bytes += other.state_bytes;
                bytes <= most
            };
            let (together, later) = rest.split_at(1 + others.iter().take_while(fits).count());
            for (aggregate, column) in together.iter().zip(self.columns(together, groups, exec)?) {
                result.insert(aggregate.asked.label.clone(), column)?;
            }
            rest = later;
        }
        Ok(result)
    }

    /// Some of the aggregates.
    fn columns(&self, aggregates: &[Aggregate], groups: &Groups, exec: &Exec) -> Result<Vec<Column>> {
        let requests: Vec<_> = aggregates.iter().map(|aggregate| aggregate.kernel).collect();
        let arguments: Vec<Expr> = aggregates.iter().filter_map(|one| one.argument.clone()).collect();
        let mut states = ChunkedAggregates::new(&requests, groups.len, exec)?;
        let mut ids = groups.ids.iter();
        each_chunk(&self.query.frame.select(columns_of(&arguments))?, self.chunk, exec, |rows| {
            let ids = ids.next().ok_or(Error::Internal { invariant: "each chunk has ids" })?;
            let columns = evaluate_rows(&arguments, rows, exec)?;
            let mut columns = columns.iter().map(|(_, column)| column);
            // Counting rows reads no values: the ids stand in for a column.
            let data = &ids.rows;
            let view = Fixed { storage: Storage::U32, data, validity: None, offset: 0, len: ids.len };
            let mut values = Vec::with_capacity(aggregates.len());
            for aggregate in aggregates {
                let column = if aggregate.argument.is_some() { columns.next() } else { None };
                values.push(column.map_or(Ok(View::Fixed(view)), |column| aggregate.view(column))?);
            }
            Ok(states.add(ids, &values, exec)?)
        })?;
        let columns = aggregates.iter().zip(states.finish(exec)?).map(|(aggregate, data)| {
            let column = aggregate.asked.column(data, exec)?;
            column.done_with();
            Ok(column)
        });
        columns.collect()
    }
}

/// The group of each row.
struct Groups {
    /// The keys of each group.
    keys: Vec<Column>,
    /// The groups of the rows of each chunk.
    ids: Vec<RowMap>,
    len: usize,
}

impl Aggregate {
    /// `None` for an aggregate that is not computed in chunks.
    fn of(expr: &Expr, frame: &ColumnAccessor) -> Result<Option<Self>> {
        let asked = Asked::new(expr, frame)?;
        let (argument, storage) = match (expr.unaliased().node(), &asked.argument) {
            (Node::Aggregate(_, argument), Some(typed)) => {
                let argument = with_nulls(argument);
                // A column that expressions widen is not what they give.
                let is_widened = if let Node::Column(label) = argument.unaliased().node() {
                    frame.get(label)?.dtype() != typed.dtype
                } else {
                    false
                };
                let storage = typed.dtype.storage();
                let Some(storage) = storage.filter(|_| !is_widened && !is_dictionary(&typed.dtype)) else {
                    return Ok(None);
                };
                (Some(argument), storage)
            }
            _ => (None, Storage::Bit),
        };
        let kernel = (asked.kernel_aggregation(), storage);
        let state_bytes = ChunkedAggregates::group_bytes(kernel.0, kernel.1)?;
        Ok(Some(Self { asked, argument, kernel, state_bytes }))
    }

    /// The values to be aggregated.
    fn view<'a>(&self, column: &'a Column) -> Result<View<'a>> {
        match column.view()? {
            View::Fixed(fixed) if fixed.storage == self.kernel.1 => Ok(View::Fixed(fixed)),
            View::Fixed(_) | View::String(_) => {
                Err(Error::Internal { invariant: "an expression has values of its dtype" })
            }
        }
    }
}

fn is_dictionary(dtype: &DType) -> bool {
    matches!(dtype, DType::Dictionary(_))
}

fn views(columns: &[Column]) -> Result<Vec<View<'_>>> {
    columns.iter().map(Column::view).collect()
}
