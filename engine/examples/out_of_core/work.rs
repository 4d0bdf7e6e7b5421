//! What is done with the frames.

use columnade::{DataFrame, Merge, Result, col};

use crate::data::Tables;

/// One task.
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
    /// Bytes of the frames that it reads.
    pub(crate) fn bytes_read(&self, tables: &Tables) -> usize {
        (self.reads)(tables).iter().map(|frame| frame.memory_bytes()).sum()
    }
}
