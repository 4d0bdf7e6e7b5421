//! Rows at the times of bins.

use columnade_columns::{Column, ColumnAccessor};
use columnade_ops::binning::{TimeMatch, rows_at_times, union_of_times};
use columnade_ops::copying::take;
use columnade_ops::expression::{col, evaluate};
use columnade_ops::join::{NullEquality, duplicate_key};

use super::{Binned, Resampled, Resampler, times_from};
use crate::error::{Error, InOperation, Result};

impl<F: Resampled> Resampler<F> {
    /// The row at the start of each bin, or at its end if bins are closed on the right; nulls without such a row.
    ///
    /// ```
    /// use columnade::{DType, TimeUnit, date_range_periods, df};
    ///
    /// let times = date_range_periods(&DType::Timestamp(TimeUnit::Second), "2024-01-01 00:00:00", 2, "1h")?;
    /// let halves = df! { "t" => times, "n" => [1_i64, 3] }?.resample("30min").on("t");
    /// assert_eq!(halves.asfreq()?.column("n")?.to_options::<i64>()?, [Some(1), None, Some(3)]);
    /// assert_eq!(halves.ffill(None)?.column("n")?.to_vec::<i64>()?, [1, 1, 3]);
    /// assert_eq!(halves.bfill(None)?.column("n")?.to_vec::<i64>()?, [1, 3, 3]);
    /// assert_eq!(halves.interpolate()?.column("n")?.to_vec::<f64>()?, [1.0, 2.0, 3.0]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::DuplicateLabels`] for a time that comes twice; otherwise as [`agg`](Self::agg).
    ///
    /// # Device
    /// A sort of the times, a binary search per bin, and a gather.
    ///
    /// # Source
    /// pandas `Resampler.asfreq`.
    pub fn asfreq(&self) -> Result<F> {
        self.at_times("asfreq", TimeMatch::Exact)
    }

    /// The last row at or before the time of each bin, as [`asfreq`](Self::asfreq) takes it. `limit` is the number of
    /// consecutive bins without a row of their own that are filled; `None` for all.
    ///
    /// # Errors
    /// Same as [`asfreq`](Self::asfreq).
    ///
    /// # Source
    /// pandas `Resampler.ffill`.
    pub fn ffill(&self, limit: Option<u64>) -> Result<F> {
        self.at_times("ffill", TimeMatch::Before(limit))
    }

    /// The first row at or after the time of each bin; `limit` as for [`ffill`](Self::ffill).
    ///
    /// # Errors
    /// Same as [`asfreq`](Self::asfreq).
    ///
    /// # Source
    /// pandas `Resampler.bfill`.
    pub fn bfill(&self, limit: Option<u64>) -> Result<F> {
        self.at_times("bfill", TimeMatch::After(limit))
    }

    /// The rows of [`asfreq`](Self::asfreq), with nulls in numeric columns interpolated linearly between the rows
    /// before and after: see [`Expr::interpolate`](crate::Expr::interpolate). Rows between the bins count as one step
    /// each, as in pandas.
    ///
    /// # Errors
    /// Same as [`asfreq`](Self::asfreq).
    ///
    /// # Source
    /// pandas `Resampler.interpolate(limit_area="inside")`.
    pub fn interpolate(&self) -> Result<F> {
        const OPERATION: &str = "interpolate";
        if let Some(groups) = &self.groups {
            return self.by_group(OPERATION, groups, Self::interpolate);
        }
        let binned = self.with_distinct_times(OPERATION)?;
        let exec = self.exec();
        let made = || -> columnade_columns::Result<_> {
            let grid = times_from(&binned.bins.grid, &binned.times.dtype(), exec)?;
            let all = union_of_times(&binned.times, &grid, exec)?;
            let columns = self.rows_at(&binned.times, &all, TimeMatch::Exact)?;
            let lines = columns.iter().filter(|(_, column)| column.dtype().is_numeric());
            let lines: Vec<_> = lines.map(|(label, _)| col(label).interpolate().alias(label)).collect();
            let lines = evaluate(&lines, &columns, exec)?;
            let rows = rows_at_times(&all, &grid, TimeMatch::Exact, exec)?;
            let mut made = Vec::new();
            for (label, column) in columns.iter() {
                let column = lines.iter().find(|(line, _)| line == label).map_or(column, |(_, line)| line);
                made.push((label.clone(), take(column, &rows, exec)?));
            }
            let columns = with_rows(made, grid.size())?;
            Ok(self.made(columns, self.index_of(&binned, &binned.bins.grid)?))
        };
        made().operation(OPERATION)
    }

    fn with_distinct_times(&self, operation: &'static str) -> Result<Binned> {
        if let Some(selected) = &self.selected {
            self.rows.frame().check_labels(operation, selected)?;
        }
        let binned = self.binned(operation)?;
        match duplicate_key(&[&binned.times], NullEquality::Unequal, self.exec()).operation(operation)? {
            Some(label) => Err(Error::DuplicateLabels { operation, label }),
            None => Ok(binned),
        }
    }

    fn at_times(&self, operation: &'static str, how: TimeMatch) -> Result<F> {
        if let Some(groups) = &self.groups {
            return self.by_group(operation, groups, |rows| rows.at_times(operation, how));
        }
        let binned = self.with_distinct_times(operation)?;
        let made = || -> columnade_columns::Result<_> {
            let grid = times_from(&binned.bins.grid, &binned.times.dtype(), self.exec())?;
            let columns = self.rows_at(&binned.times, &grid, how)?;
            Ok(self.made(columns, self.index_of(&binned, &binned.bins.grid)?))
        };
        made().operation(operation)
    }

    /// The rows of each of some times: all columns but the times.
    fn rows_at(
        &self,
        times: &Column,
        at: &Column,
        how: TimeMatch,
    ) -> columnade_columns::Result<ColumnAccessor> {
        let rows = rows_at_times(times, at, how, self.exec())?;
        let mut columns = Vec::new();
        for (label, column) in self.accessor().iter() {
            let is_selected = self.selected.as_ref().is_none_or(|selected| selected.contains(label));
            if is_selected && Some(label) != self.on.as_ref() {
                columns.push((label.clone(), take(column, &rows, self.exec())?));
            }
        }
        with_rows(columns, at.size())
    }
}

/// Columns of so many rows, also where there are none.
fn with_rows(
    columns: Vec<(columnade_columns::Label, Column)>,
    rows: usize,
) -> columnade_columns::Result<ColumnAccessor> {
    if columns.is_empty() {
        return Ok(ColumnAccessor::with_rows(rows));
    }
    ColumnAccessor::from_columns(columns)
}
