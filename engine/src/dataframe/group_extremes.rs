//! Row labels of extremes, and several quantiles, by group.

use columnade_columns::{Column, ColumnAccessor, Label};
use columnade_ops::copying::{concat, take};
use columnade_ops::expression::{Expr, Interpolation, col};
use columnade_ops::selection::range_labels;

use super::DataFrame;
use super::groupby::GroupBy;
#[cfg(doc)]
use crate::error::Error;
use crate::error::{InOperation, Result};
use crate::frame::Frame;
use crate::index::Index;
use crate::index::lookup::computed;
use crate::selection::IntoLabels;

impl GroupBy<'_> {
    /// The label of the first row with the smallest value of each group, for some columns: that of a NaN only where there are no
    /// other values, and null without values. A row for each group, as [`agg`](Self::agg) has.
    ///
    /// ```
    /// use columnade::df;
    ///
    /// let frame = df! { "day" => ["mon", "tue", "wed"], "k" => ["a", "b", "a"], "n" => [3, 1, 2] }?;
    /// let lowest = frame.set_index("day")?.group_by("k").idxmin("n")?;
    /// assert_eq!(lowest.column("n")?.to_vec::<String>()?, ["wed", "tue"]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::MissingColumns`]; [`Error::Operation`] for row labels of several levels, for nested values, and when memory runs
    /// out.
    ///
    /// # Source
    /// pandas `GroupBy.idxmin`, which refuses groups without values.
    pub fn idxmin<A>(&self, columns: impl IntoLabels<A>) -> Result<DataFrame> {
        self.labels_of("idxmin", columns.into_labels(), Expr::arg_min)
    }

    /// The label of the first row with the largest value of each group, for some columns.
    ///
    /// # Errors
    /// Same as [`idxmin`](Self::idxmin).
    ///
    /// # Source
    /// pandas `GroupBy.idxmax`.
    pub fn idxmax<A>(&self, columns: impl IntoLabels<A>) -> Result<DataFrame> {
        self.labels_of("idxmax", columns.into_labels(), Expr::arg_max)
    }

    fn labels_of(
        &self,
        operation: &'static str,
        columns: Vec<Label>,
        position: fn(Expr) -> Expr,
    ) -> Result<DataFrame> {
        let exec = self.all_rows().exec();
        let rows = self.all_rows().index().only_level(operation, exec)?;
        let positions = columns.into_iter().map(|label| position(col(label.clone())).alias(label));
        let made = self.aggregated(operation, &positions.collect::<Vec<_>>())?;
        let groups = made.frame().accessor();
        // Keys that are no row labels are the first columns.
        let keys = if self.is_indexed() { 0 } else { self.keys().len() };
        let mut found = ColumnAccessor::with_levels(groups.rows(), groups.levels().clone());
        for (at, (label, column)) in groups.iter().enumerate() {
            let column = if at < keys { Ok(column.clone()) } else { take(&rows, column, exec) };
            found.insert(label.clone(), column.operation(operation)?).operation(operation)?;
        }
        Ok(made.with_accessor(found))
    }

    /// The quantiles `qs`, each 0 to 1, of some columns: a row for each group and quantile, as `interpolation` says. The quantile
    /// is the last level of the row labels after the keys, or the column `q` after them: see [`as_index`](Self::as_index).
    ///
    /// ```
    /// use columnade::df;
    /// use columnade::expressions::Interpolation;
    ///
    /// let frame = df! { "k" => ["a", "b", "a"], "n" => [1, 5, 3] }?;
    /// let found = frame.group_by("k").as_index(true).quantiles("n", [0.5, 1.0], Interpolation::Linear)?;
    /// assert_eq!(found.column("n")?.to_vec::<f64>()?, [2.0, 3.0, 5.0, 5.0]);
    /// assert_eq!(found.at(("a", 1.0), "n")?, 3.0.into());
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::MissingColumns`]; [`Error::Operation`] for `qs` outside 0 to 1, for a column of a dtype without quantiles, and
    /// when memory runs out.
    ///
    /// # Source
    /// pandas `GroupBy.quantile([…])`.
    pub fn quantiles<A>(
        &self,
        columns: impl IntoLabels<A>,
        qs: impl IntoIterator<Item = f64>,
        interpolation: Interpolation,
    ) -> Result<DataFrame> {
        const OPERATION: &str = "quantiles";
        let (labels, qs) = (columns.into_labels(), qs.into_iter().collect::<Vec<f64>>());
        let keys = self.key_labels();
        let mut prefix = "quantile".to_owned();
        while keys.iter().any(|key| key.as_text().is_some_and(|key| key.starts_with(&prefix))) {
            prefix.push('\'');
        }
        let mut exprs = Vec::with_capacity(labels.len() * qs.len());
        for (at, label) in labels.iter().enumerate() {
            for (place, q) in qs.iter().enumerate() {
                let quantile = col(label.clone()).quantile_with(*q, interpolation);
                exprs.push(quantile.alias(format!("{prefix} {at} {place}")));
            }
        }
        let made = self.clone().as_index(true).aggregated(OPERATION, &exprs)?;
        let exec = made.exec();
        let columns = || -> columnade_columns::Result<_> {
            let count = |count: usize| i64::try_from(count).unwrap_or(i64::MAX);
            let rows = range_labels(0, 1, made.len() * qs.len(), exec)?;
            let row = |place: Expr| -> columnade_columns::Result<Column> {
                Ok(computed(&[("row", &rows)], place, exec)?.without_mask())
            };
            let share = || col("row") % count(qs.len().max(1));
            let group = || col("row").floor_div(count(qs.len().max(1)));
            // The first quantile of each group, then the second of each: rows take one of each.
            let place = row(share() * count(made.len()) + group())?;
            let mut columns = ColumnAccessor::with_rows(rows.size());
            for (at, label) in labels.iter().enumerate() {
                let parts = made.frame().accessor().columns().iter().skip(at * qs.len()).take(qs.len());
                let parts: Vec<&Column> = parts.collect();
                let column = if parts.is_empty() {
                    Column::full_null(&columnade_columns::DType::Float64, 0, exec)?
                } else {
                    take(&concat(&parts, exec)?, &place, exec)?
                };
                columns.insert(label.clone(), column)?;
            }
            let mut levels = Vec::new();
            if !self.keys().is_empty() {
                let group = row(group())?;
                for level in made.index().columns(exec)?.iter() {
                    levels.push(take(level, &group, exec)?);
                }
            }
            levels.push(take(&Column::from_slice(&qs, exec)?, &row(share())?, exec)?);
            Ok((columns, levels))
        };
        let (columns, levels) = columns().operation(OPERATION)?;
        let keys = if self.keys().is_empty() { &[] } else { made.index().names() };
        let share = if self.is_indexed() { Label::NULL } else { "q".into() };
        let names: Vec<Label> = keys.iter().cloned().chain([share]).collect();
        let found = DataFrame::from_frame(Frame::new(columns, exec.clone()));
        let found = found.with_index(&Index::of_owned(&names, levels, exec))?;
        if self.is_indexed() { Ok(found) } else { found.reset_index() }
    }
}
