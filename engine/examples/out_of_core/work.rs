//! What is done with the frames.

use columnade::{DataFrame, Merge, Result, col};

use crate::data::Tables;
use crate::report::Least;

/// One piece of work.
pub(crate) struct Task {
    pub(crate) name: &'static str,
    pub(crate) run: fn(&Tables) -> Result<DataFrame>,
    /// The frames that it reads.
    reads: fn(&Tables) -> Vec<&DataFrame>,
}

/// Everything that is done, in this order.
pub(crate) const TASKS: [Task; 3] = [
    Task { name: "sort", run: sort, reads: |tables| vec![&tables.facts] },
    Task { name: "group-by", run: group, reads: |tables| vec![&tables.facts] },
    Task { name: "join", run: join, reads: |tables| vec![&tables.facts, &tables.dimensions] },
];

fn sort(tables: &Tables) -> Result<DataFrame> {
    tables.facts.sort_values(["key"])
}

fn group(tables: &Tables) -> Result<DataFrame> {
    tables.facts.group_by(["group"]).agg([
        col("amount").sum().alias("amount"),
        col("weight").sum().alias("weight"),
        col("key").min().alias("least"),
        col("key").count().alias("rows"),
    ])
}

fn join(tables: &Tables) -> Result<DataFrame> {
    tables.facts.merge(&tables.dimensions, &Merge::inner().on("group"))
}

impl Task {
    /// The least that any way of doing this could move: of what it reads, what does not fit beside nothing else has to
    /// come up; of what is left at the end, what does not fit has to be below, where some of it may be already.
    pub(crate) fn least_traffic(
        &self,
        tables: &Tables,
        result: &DataFrame,
        below_before: usize,
        limit: usize,
    ) -> Least {
        let read: usize = (self.reads)(tables).iter().map(|frame| frame.memory_bytes()).sum();
        let inputs = tables.facts.memory_bytes() + tables.dimensions.memory_bytes();
        let live = inputs + result.memory_bytes();
        Least {
            up: read.saturating_sub(limit),
            down: live.saturating_sub(limit).saturating_sub(below_before),
        }
    }
}
