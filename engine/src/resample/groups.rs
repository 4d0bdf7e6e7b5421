//! Bins of time within groups.

use columnade_columns::{Column, ColumnAccessor, Label, Result as ColumnResult};
use columnade_ops::binning::time_bins_by_group;
use columnade_ops::copying::take;
use columnade_ops::expression::{col, evaluate};
use columnade_ops::groupby::{GroupOptions, aggregate};
use columnade_ops::sort::{NullOrder, Order, SortColumn, sort_by};

use super::bins::check_number;
use super::{Resampled, Resampler, count, times_from, times_of};
use crate::dataframe::{DataFrame, GroupBy, concat};
use crate::error::{InOperation, Result};
use crate::index::Index;
use crate::indexed_frame::IndexedFrame;
use crate::window::of_row_labels;

/// The bins of the rows of groups, one group after the other.
pub(super) struct GroupedBins {
    /// The rows that take part.
    pub(super) rows: IndexedFrame,
    /// The number of the bin of each row.
    pub(super) numbers: Column,
    /// The number of bins of all groups.
    pub(super) count: usize,
    /// The keys of groups and the labels of bins.
    pub(super) index: Index,
}

/// What groups are called, and from when to when their times are.
struct Groups {
    /// The number of the group of each row.
    numbers: Column,
    names: Vec<Label>,
    keys: Vec<Column>,
    ranges: Vec<Option<(i64, i64)>>,
}

impl GroupBy<'_> {
    /// Divides the rows of each group into bins of time, which go from the first time of the group to its last: see
    /// [`DataFrame::resample`]. The results have the rows of one group after the other, in the order of the groups, with the
    /// keys and then the bins as labels; keys are no columns of them.
    ///
    /// ```
    /// use columnade::{DType, TimeUnit, date_range_periods, df};
    ///
    /// let times = date_range_periods(&DType::Timestamp(TimeUnit::Second), "2024-01-01 09:00:00", 4, "1h")?;
    /// let frame = df! { "t" => times, "k" => ["a", "b", "a", "b"], "n" => [1_i64, 2, 3, 4] }?;
    /// let sums = frame.group_by("k").resample("1h").on("t").sum()?;
    /// assert_eq!(sums.column("n")?.to_vec::<i64>()?, [1, 0, 3, 2, 0, 4]);
    /// assert_eq!(sums.index().names(), ["k", "t"]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Device
    /// The first and the last time of each group are read, bins are made on the host; a binary search a row finds its bin.
    /// `asfreq`, `ffill`, `bfill` and `interpolate` work group by group.
    ///
    /// # Source
    /// pandas `GroupBy.resample`.
    pub fn resample(&self, frequency: impl Into<String>) -> Resampler<DataFrame> {
        let groups = Some(self.to_static());
        Resampler { groups, ..Resampler::new(self.all_rows().indexed_frame(), frequency) }
    }
}

impl<F: Resampled> Resampler<F> {
    /// The bins of each group.
    pub(super) fn grouped_bins(&self, operation: &'static str, groups: &GroupBy<'_>) -> Result<GroupedBins> {
        let exec = self.exec();
        let rows = groups.all_taking_part(operation)?.indexed_frame().clone();
        let (times, name) = times_of(operation, &rows, self.on.as_ref())?;
        let found = || -> ColumnResult<_> {
            let all = groups_of(groups, rows.frame().accessor(), &times, exec)?;
            let (mut edges, mut labels) = (Vec::new(), Vec::new());
            let (mut starts, mut of_bins) = (vec![0], Vec::new());
            let mut right = false;
            for (group, range) in (0_i64..).zip(&all.ranges) {
                let bins = self.binning.bins(&times.dtype(), *range)?;
                check_number(i128::try_from(edges.len() + bins.edges.len()).unwrap_or(i128::MAX))?;
                right = bins.right;
                of_bins.extend(std::iter::repeat_n(group, bins.labels.len()));
                labels.extend(bins.labels);
                edges.extend(bins.edges);
                starts.push(i64::try_from(edges.len()).unwrap_or(i64::MAX));
            }
            let numbers = time_bins_by_group(&times, &all.numbers, &edges, &starts, right, exec)?;
            let of_bins = Column::from_slice(&of_bins, exec)?;
            let mut levels = Vec::with_capacity(all.keys.len() + 1);
            for key in &all.keys {
                levels.push(take(key, &of_bins, exec)?);
            }
            levels.push(times_from(&labels, &times.dtype(), exec)?);
            let mut names = all.names;
            names.push(name.clone());
            Ok((numbers, labels.len(), Index::of_owned(&names, levels, exec)))
        };
        let found = found().map_err(|error| error.in_column(of_row_labels(&name)));
        let (numbers, count, index) = found.operation(operation)?;
        Ok(GroupedBins { rows, numbers, count, index })
    }

    /// What `make` makes of the rows of each group, under the keys.
    pub(super) fn by_group(
        &self,
        operation: &'static str,
        groups: &GroupBy<'_>,
        make: impl Fn(&Self) -> Result<F>,
    ) -> Result<F> {
        let exec = self.exec();
        let rows = groups.all_taking_part(operation)?;
        let (times, _) = times_of(operation, rows.indexed_frame(), self.on.as_ref())?;
        let all = groups_of(groups, rows.frame().accessor(), &times, exec).operation(operation)?;
        let hidden = groups.key_labels();
        let shown = |rows: &DataFrame| -> Result<F> {
            let labels: Vec<Label> =
                hidden.iter().filter(|key| rows.columns().contains(key)).cloned().collect();
            let rows = if labels.is_empty() { rows.clone() } else { rows.without(operation, &labels)? };
            make(&Self {
                rows: rows.indexed_frame().clone(),
                binning: self.binning.clone(),
                on: self.on.clone(),
                selected: self.selected.clone(),
                groups: None,
                made: self.made,
            })
        };
        let mut made = Vec::new();
        let mut of_rows = Vec::new();
        for (group, (_, rows)) in (0_i64..).zip(groups.groups()?) {
            let found = DataFrame::from_indexed(shown(&rows)?.rows().clone());
            of_rows.extend(std::iter::repeat_n(group, found.len()));
            made.push(found);
        }
        if made.is_empty() {
            made.push(DataFrame::from_indexed(shown(&rows.slice(0, 0)?)?.rows().clone()));
        }
        let made = concat(&made)?;
        let levels = || -> ColumnResult<_> {
            let of_rows = Column::from_slice(&of_rows, exec)?;
            let mut levels = Vec::with_capacity(all.keys.len() + 1);
            for key in &all.keys {
                levels.push(take(key, &of_rows, exec)?);
            }
            levels.extend_from_slice(&made.index().columns(exec)?);
            Ok(levels)
        };
        let names: Vec<Label> = all.names.iter().chain(made.index().names()).cloned().collect();
        let index = Index::of_owned(&names, levels().operation(operation)?, exec);
        Ok(F::of_rows(IndexedFrame::with_index(made.frame().clone(), index)))
    }
}

/// The groups of rows, in their order.
fn groups_of(
    groups: &GroupBy<'_>,
    rows: &ColumnAccessor,
    times: &Column,
    exec: &columnade_buffers::Exec,
) -> ColumnResult<Groups> {
    let numbers = groups.numbers(rows)?;
    let mut columns = vec![(Label::from("group"), numbers.clone()), (Label::from("time"), times.clone())];
    let mut wanted = vec![col("time").min().alias("first"), col("time").max().alias("last")];
    let mut names = Vec::new();
    for (label, key) in evaluate(groups.keys(), rows, exec)? {
        let column = format!("key {}", names.len());
        wanted.push(col(column.as_str()).first().alias(&*column));
        columns.push((Label::from(column), key));
        names.push(label);
    }
    let columns = ColumnAccessor::from_columns(columns)?;
    let found = aggregate(&columns, None, &[col("group")], &wanted, GroupOptions::default(), exec)?;
    let by = SortColumn { position: 0, order: Order::Ascending, nulls: NullOrder::Last };
    let found = sort_by(&found, &[by], exec)?;
    let ends = |column: usize| -> ColumnResult<Vec<Option<i64>>> {
        Ok(found.columns()[column].to_scalars()?.iter().map(count).collect())
    };
    let ranges = ends(1)?.into_iter().zip(ends(2)?).map(|(first, last)| first.zip(last)).collect();
    Ok(Groups { numbers, names, keys: found.columns()[3..].to_vec(), ranges })
}
