//! How often rows occur.

use columnade_ops::expression::{col, len};

use super::{DataFrame, SortOrder};
use crate::error::{Error, Result};
use crate::series::{Series, ValueCounts};

impl DataFrame {
    /// How often each row occurs, the most frequent one first: a series called `count`, labelled by the values of the columns. Rows
    /// with a null are left out; of equal counts the row that appears first is before the others.
    ///
    /// ```
    /// use columnade::df;
    ///
    /// let frame = df! { "k" => ["a", "b", "b"], "n" => [1, 2, 2] }?;
    /// let counts = frame.value_counts()?;
    /// assert_eq!(counts.to_vec::<i64>()?, [2, 1]);
    /// assert_eq!(counts.at(("b", 2))?, 2_i64.into());
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// Same as [`value_counts_with`](Self::value_counts_with).
    ///
    /// # Source
    /// pandas `DataFrame.value_counts`.
    pub fn value_counts(&self) -> Result<Series> {
        self.counted("value_counts", &ValueCounts::default())
    }

    /// How often each row occurs, as the options say; shares are called `proportion`. Select columns first to count some.
    ///
    /// # Errors
    /// [`Error::Operation`] for a frame without columns, for bins, which are of one column, for nested columns, and when memory
    /// runs out.
    ///
    /// # Device
    /// A group-by of all columns, and a sort of the groups.
    ///
    /// # Source
    /// pandas `DataFrame.value_counts(normalize=…, sort=…, ascending=…, dropna=…)`.
    #[expect(clippy::needless_pass_by_value, reason = "callers build it in place")]
    pub fn value_counts_with(&self, options: ValueCounts) -> Result<Series> {
        self.counted("value_counts_with", &options)
    }

    fn counted(&self, operation: &'static str, options: &ValueCounts) -> Result<Series> {
        if self.columns().is_empty() {
            return Err(Error::argument(operation, "columns", "there are none"));
        }
        if options.cut.is_some() {
            return Err(Error::argument(operation, "bins", "those are of one column"));
        }
        let mut count = "count".to_owned();
        while self.columns().iter().any(|label| *label == *count) {
            count.push('\'');
        }
        let keys: Vec<_> = self.columns().iter().cloned().map(col).collect();
        let groups = self.group_by(keys).dropna(options.dropna).observed(options.observed).as_index(true);
        let counts = groups.aggregated(operation, &[len().alias(count.clone())])?.column(&*count)?;
        let counts = if options.sort {
            let order = if options.ascending { SortOrder::ascending() } else { SortOrder::descending() };
            counts.sorted_as(operation, order)?
        } else {
            counts
        };
        if !options.normalize {
            return Ok(counts.rename("count"));
        }
        Ok(counts.evaluated(operation, |count| count.clone() / count.sum())?.rename("proportion"))
    }
}
