//! Filters, evaluates, groups and aggregates in one pass.

mod composed;
mod host;
mod slots;
#[cfg(test)]
mod tests;

use super::evaluate::check_inputs;
use super::{Program, Register};
use crate::aggregation::Aggregation;
use crate::grouping::group_ids::NullKeys;
use crate::{ColumnData, Result, View};
use columnade_buffers::{Device, Exec};

/// What to aggregate.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The expressions.
    pub program: &'a Program,
    /// The columns that they read.
    pub inputs: &'a [View<'a>],
    /// The number of rows of every input and key.
    pub rows: usize,
    /// A bit register: only rows where it is true take part.
    pub filter: Option<Register>,
    /// The key columns; none: one group of all rows, even when there are none.
    pub keys: &'a [View<'a>],
    /// What becomes of rows with a null in a key.
    pub null_keys: NullKeys,
    /// What is asked for, each of a register; the register of [`Aggregation::Size`] is not read.
    pub aggregations: &'a [(Aggregation, Register)],
}

/// One row a group, in the order in which the groups first appear.
#[derive(Clone, Debug)]
pub struct Aggregated {
    /// The number of groups.
    pub groups: usize,
    /// The key columns; `None` where each row is a group, whose keys are those of the request.
    pub keys: Option<Vec<ColumnData>>,
    /// One column an aggregation.
    pub values: Vec<ColumnData>,
}

/// Aggregates expressions of the rows that pass a filter, by group.
///
/// Nulls are skipped: the sum of no values is 0, their minimum, maximum and mean are null. Rows with a null key
/// are dropped or form groups, as `null_keys` says.
///
/// # Errors
/// [`crate::Error::LengthMismatch`] when an input has another number of rows; [`crate::Error::StepOverflow`] when
/// an expression overflows in a row that counts, of an aggregated one only among those that the filter keeps;
/// [`crate::Error::RequestOverflow`] for a sum of more than 38 digits; [`crate::Error::Memory`].
///
/// # Device
/// Host, while there are few groups: one parallel pass that reads each column once and writes nothing but the
/// result. Sums of floats are the same bytes for any number of threads: each fixed range of rows has its own
/// partial sums, merged in order. Otherwise expressions, filter, grouping and aggregation run one after another.
///
/// # Source
/// Crystal's tile-wise fusion (arXiv 2003.01178) and the ticketed group-by of "Global Hash Tables Strike Back"
/// (arXiv 2505.04153), for the host's caches; pandas `groupby.agg`.
pub fn aggregate(request: &Request<'_>, exec: &Exec) -> Result<Aggregated> {
    check_inputs(request.program, request.inputs, request.rows)?;
    if exec.device() == Device::Host
        && let Some(aggregated) = host::aggregate(request, exec)?
    {
        return Ok(aggregated);
    }
    composed::aggregate(request, exec)
}
