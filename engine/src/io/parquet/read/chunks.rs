//! The decoding of row groups in parallel: a task for each column chunk that is decoded into its place, and one a row group
//! for the other columns.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use columnade_buffers::{Device, Exec, in_workers};
use columnade_columns::Column;
use columnade_kernels::interrupt::Checkpoint;
use rayon::prelude::*;

use super::direct::{self, Filled, Slot};
use super::plan::{Decoded, Leaf, Plan, RowGroup};
use crate::error::Result;
use crate::io::adopt;
use crate::io::parquet::error::ParquetError;

/// Row groups, decoded.
pub(super) struct Ready {
    /// The columns that were decoded in place, by their positions in the frame; taken from the end.
    direct: Vec<(usize, Result<Vec<Column>>)>,
    /// The others.
    parts: Vec<Decoded>,
    has_parts: bool,
}

enum Task<'a> {
    /// A column chunk.
    Chunk { group: usize, leaf: Leaf<'a>, slot: Slot<'a> },
    /// The other columns of a row group.
    Others { group: usize },
}

enum Outcome {
    Chunk(Option<Filled>),
    Others(Vec<Decoded>),
}

/// Decodes a range of the planned columns of row groups. `report` hears of each row group that is done.
pub(super) fn decode(
    plan: &Plan,
    groups: &[RowGroup],
    range: Range<usize>,
    exec: &Exec,
    report: &(dyn Fn(&RowGroup) + Sync),
) -> Result<Ready> {
    // Of the budget, so that no column is spilled for another. The decoder's arrays take it beside the columns.
    let bytes = groups.iter().map(|group| {
        if range.len() == plan.fields().len() {
            group.decoded_bytes()
        } else {
            range.clone().map(|at| plan.column_bytes(at, group)).fold(0, usize::saturating_add)
        }
    });
    let bytes = bytes.fold(0, usize::saturating_add);
    let reserved = adopt::decoding(bytes, exec);
    let pool = match &reserved {
        Some(reserved) => Some(reserved.exec(exec)),
        None => (exec.device() == Device::Host && exec.budget().is_none()).then(|| exec.clone()),
    };
    let mut columns = direct::columns(plan, groups, range.clone(), pool.as_ref());
    let in_place: Vec<usize> = columns.iter().map(|column| column.at).collect();
    let others: Vec<usize> = range.filter(|at| !in_place.contains(at)).collect();
    // Rows come with other columns, or with none at all.
    let has_parts = !others.is_empty() || in_place.is_empty();

    let open = columns.iter_mut().map(|column| column.open(exec)).collect::<columnade_columns::Result<_>>();
    let mut open: Vec<_> = open.map_err(|source| plan.failure(None, source.into()))?;
    let mut slots: Vec<_> = open.iter_mut().map(|open| open.slots(groups).into_iter()).collect();
    let mut tasks = Vec::new();
    for (at, group) in groups.iter().enumerate() {
        for (slots, &column) in slots.iter_mut().zip(&in_place) {
            if let (Some(slot), Some(leaf)) = (slots.next(), plan.leaf(column, group)) {
                tasks.push(Task::Chunk { group: at, leaf, slot });
            }
        }
        if has_parts {
            tasks.push(Task::Others { group: at });
        }
    }
    let in_group = in_place.len() + usize::from(has_parts);
    let left: Vec<AtomicUsize> = groups.iter().map(|_| AtomicUsize::new(in_group)).collect();
    let checkpoint = Checkpoint::current();
    let run = |task: Task<'_>| {
        checkpoint.check();
        let (at, outcome) = match task {
            Task::Chunk { group, leaf, slot } => {
                let filled =
                    direct::fill(&leaf, slot).map_err(|error| plan.failure(Some(&groups[group]), error))?;
                (group, Outcome::Chunk(filled))
            }
            Task::Others { group } => (group, Outcome::Others(plan.decode(&groups[group], &others)?)),
        };
        if left[at].fetch_sub(1, Ordering::Relaxed) == 1 {
            report(&groups[at]);
        }
        Ok(outcome)
    };
    let outcomes = in_workers(|| tasks.into_par_iter().map(run).collect::<Result<Vec<_>>>())?;
    drop(slots);
    drop(open);
    // The arrays are counted as they become columns.
    drop((pool, reserved));

    let mut filled: Vec<Vec<Option<Filled>>> = columns.iter().map(|_| Vec::new()).collect();
    let (mut parts, mut column) = (Vec::new(), 0);
    for outcome in outcomes {
        match outcome {
            Outcome::Chunk(chunk) => {
                filled[column].push(chunk);
                column = (column + 1) % in_place.len();
            }
            Outcome::Others(decoded) => parts.extend(decoded),
        }
    }
    let mut direct = Vec::with_capacity(in_place.len());
    for (column, filled) in columns.into_iter().zip(filled) {
        let at = column.at;
        let column = match column.column(groups, filled, exec) {
            Ok(Some(column)) => Ok(column),
            Ok(None) => again(plan, groups, at),
            Err(error) => {
                let error = error.in_column(plan.fields()[at].name());
                Err(plan.failure(None, ParquetError::Column(error)))
            }
        };
        direct.push((at, column));
    }
    Ok(Ready { direct, parts, has_parts })
}

/// A column that is not written as it is decoded in place.
fn again(plan: &Plan, groups: &[RowGroup], at: usize) -> Result<Vec<Column>> {
    let checkpoint = Checkpoint::current();
    let decode = |group: &RowGroup| {
        checkpoint.check();
        plan.decode(group, &[at])
    };
    let decoded = in_workers(|| groups.par_iter().map(decode).collect::<Result<Vec<_>>>())?;
    decoded.into_iter().flatten().map(|mut part| plan.column(at, &mut part)).collect()
}

impl Ready {
    /// The rows of the decoded row groups.
    pub(super) fn rows(&self, groups: &[RowGroup]) -> usize {
        if self.has_parts {
            return self.parts.iter().map(Decoded::rows).sum();
        }
        groups.iter().map(RowGroup::rows).sum()
    }

    /// Whether there are columns that were not decoded in place, but to arrays of the decoder.
    pub(super) fn has_parts(&self) -> bool {
        self.has_parts
    }

    /// The parts of a column of the frame, whose columns after it were taken before.
    pub(super) fn take(&mut self, plan: &Plan, at: usize) -> Result<Vec<Column>> {
        match self.direct.pop_if(|(column, _)| *column == at) {
            Some((_, column)) => column,
            None => self.parts.iter_mut().map(|part| plan.column(at, part)).collect(),
        }
    }
}
