//! Labels of several levels by the labels of each level.

use columnade_columns::{self as columns, Error as ColumnError};
use columnade_ops::expression::{Literal, col, lit, when};
use columnade_ops::selection::{Step, kept_rows, positions};

use super::lookup::{computed, right_of};
use super::{Index, MultiIndex};
use crate::dataframe::SortOrder;
use crate::error::{InOperation, Result};
use crate::series::Series;

impl MultiIndex {
    /// The labels of each level, once each, in order; those of a dtype without an order as they appear. Without null.
    ///
    /// ```
    /// use columnade::Index;
    ///
    /// let index = Index::from_tuples([("b", 1), ("a", 1), ("b", 2)], ["k", "n"])?;
    /// let index = index.as_multi().expect("two levels");
    /// assert!(index.levels()?[0].equals(&Index::new(["a", "b"])?)?);
    /// assert_eq!(index.codes()?[0].to_vec::<i64>()?, [1, 0, 1]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`](crate::Error::Operation) when memory runs out.
    ///
    /// # Source
    /// pandas `MultiIndex.levels`, which has the labels of rows that were filtered away too.
    pub fn levels(&self) -> Result<Vec<Index>> {
        const OPERATION: &str = "levels";
        let all = Index::Multi(self.clone());
        (0..self.level_count())
            .map(|level| listed(OPERATION, &all.with_levels(OPERATION, &[level])?))
            .collect()
    }

    /// For each level the position of the label of each row among [`levels`](Self::levels), `int64`, null for null.
    ///
    /// # Errors
    /// [`Error::Operation`](crate::Error::Operation) when memory runs out.
    ///
    /// # Source
    /// pandas `MultiIndex.codes`, where missing labels are −1.
    pub fn codes(&self) -> Result<Vec<Series>> {
        const OPERATION: &str = "codes";
        let all = Index::Multi(self.clone());
        let exec = self.0.exec();
        let code = |level: usize| {
            let labels = all.with_levels(OPERATION, &[level])?;
            let maps = listed(OPERATION, &labels)?.joined(OPERATION, &labels, exec)?;
            let codes = || -> columns::Result<_> {
                let found = positions(right_of(&maps)?, exec)?;
                let code = when(col("row").lt(0)).then(lit(Literal::Null)).otherwise(col("row"));
                computed(&[("row", &found)], code, exec)
            };
            Series::unnamed(OPERATION, codes().operation(OPERATION)?, exec.clone())
        };
        (0..self.level_count()).map(code).collect()
    }
}

/// The labels of one level that are not null, once each, in order.
fn listed(operation: &'static str, labels: &Index) -> Result<Index> {
    let exec = labels.exec(operation)?;
    let find = || {
        let labels = labels.distinct(&exec)?;
        let is_valid = computed(&[("x", &labels.columns(&exec)?[0])], col("x").is_not_null(), &exec)?;
        let map = kept_rows(&is_valid, &exec)?;
        let labels = labels.picked(&[Step::Rows { map, distinct: true, ordered: true }], &exec)?;
        match labels.sorting_step(&[0], SortOrder::default(), &exec) {
            Ok(None) | Err(ColumnError::UnsupportedDType { .. }) => Ok(labels),
            Ok(Some(step)) => labels.picked(&[step], &exec),
            Err(error) => Err(error),
        }
    };
    find().operation(operation)
}
