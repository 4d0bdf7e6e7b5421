//! How often values occur.

use columnade_columns::{CategoricalColumn, Column, ColumnAccessor, DType, Label, Scalar};
use columnade_ops::copying::concat;
use columnade_ops::expression::{col, len, lit};
use columnade_ops::groupby::{GroupOptions, NullKeys, aggregate};
use columnade_ops::join::NullEquality;
use columnade_ops::sort::{NullOrder, Order, SortColumn, sort_by};
use columnade_ops::{distinct, filter};

use super::{CutOptions, Series};
use crate::dataframe::DataFrame;
#[cfg(doc)]
use crate::error::Error;
use crate::error::{InOperation, Result};
use crate::frame::Frame;

/// How values are counted: by [`Series::value_counts_with`] and [`DataFrame::value_counts_with`].
///
/// # Source
/// pandas `value_counts(normalize=…, sort=…, ascending=…, bins=…, dropna=…)`.
#[expect(clippy::struct_excessive_bools, reason = "each is an option of pandas")]
#[derive(Clone, Debug, PartialEq)]
pub struct ValueCounts {
    pub(crate) normalize: bool,
    pub(crate) dropna: bool,
    pub(crate) sort: bool,
    pub(crate) ascending: bool,
    pub(crate) observed: bool,
    pub(crate) cut: Option<CutOptions>,
}

impl Default for ValueCounts {
    fn default() -> Self {
        Self { normalize: false, dropna: true, sort: true, ascending: false, observed: true, cut: None }
    }
}

impl ValueCounts {
    /// Numbers of rows, the most frequent value first, nulls not counted.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether counts are shares of their total, `float64`, in the column `proportion` instead of `count`. Default: false.
    #[must_use]
    pub fn normalize(self, normalize: bool) -> Self {
        Self { normalize, ..self }
    }

    /// Whether nulls are left out; otherwise they are counted as one value. Default: true.
    #[must_use]
    pub fn dropna(self, dropna: bool) -> Self {
        Self { dropna, ..self }
    }

    /// Whether the values are ordered by their counts; otherwise they come in order of first appearance, and bins in their order.
    /// Default: true.
    #[must_use]
    pub fn sort(self, sort: bool) -> Self {
        Self { sort, ..self }
    }

    /// Whether the least frequent value is first. Default: false.
    #[must_use]
    pub fn ascending(self, ascending: bool) -> Self {
        Self { ascending, ..self }
    }

    /// Whether only categories that occur are counted; otherwise the others follow, with 0. Default: true.
    #[must_use]
    pub fn observed(self, observed: bool) -> Self {
        Self { observed, ..self }
    }

    /// Counts numbers by so many bins of equal width between the smallest and the largest value. All bins are counted, the first has
    /// its lower edge, and nulls are in none.
    #[must_use]
    pub fn bins(self, bins: usize) -> Self {
        Self { cut: Some(CutOptions::bins(bins).include_lowest(true)), observed: false, ..self }
    }
}

impl Series {
    /// How often each value occurs: a frame of the values and the column `count`, as the options say.
    ///
    /// ```
    /// use columnade::{Series, ValueCounts};
    ///
    /// let words = Series::new([Some("b"), None, Some("a"), Some("a")])?.rename("word");
    /// let shares = words.value_counts_with(ValueCounts::new().normalize(true).dropna(false))?;
    /// assert_eq!(shares.column("word")?.to_options::<String>()?[0].as_deref(), Some("a"));
    /// assert_eq!(shares.column("proportion")?.to_vec::<f64>()?, [0.5, 0.25, 0.25]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`] for nested values, for bins of values that are no numbers, for a series that is called as the counts
    /// are, and when memory runs out.
    ///
    /// # Source
    /// pandas `Series.value_counts`, which by default counts categories that do not occur too.
    #[expect(clippy::needless_pass_by_value, reason = "callers build it in place")]
    pub fn value_counts_with(&self, options: ValueCounts) -> Result<DataFrame> {
        const OPERATION: &str = "value_counts_with";
        let exec = self.exec();
        let values = match &options.cut {
            Some(cut) => self.binned_as(OPERATION, cut)?,
            None => self.values().clone(),
        };
        let count = if options.normalize { "proportion" } else { "count" };
        let null_keys =
            if options.dropna || options.cut.is_some() { NullKeys::Drop } else { NullKeys::Group };
        let columns = ColumnAccessor::from_columns([(self.name().clone(), values.clone())]);
        let columns = columns.operation(OPERATION)?;
        let counted = [len().alias(count)];
        let keys = [col(self.name().clone())];
        let mut counts = aggregate(&columns, None, &keys, &counted, GroupOptions { null_keys }, exec)
            .map_err(|error| error.with_key_labels(&[self.name()]))
            .operation(OPERATION)?;
        if let (Column::Categorical(values), false) = (&values, options.observed) {
            counts = self.with_all_categories(values, &counts, count).operation(OPERATION)?;
            if options.cut.is_some() {
                // Bins in their order, of which the sort by counts keeps equal ones.
                counts = sorted(&counts, 0, Order::Ascending, exec).operation(OPERATION)?;
            }
        }
        if options.sort {
            let order = if options.ascending { Order::Ascending } else { Order::Descending };
            counts = sorted(&counts, 1, order, exec).operation(OPERATION)?;
        }
        let frame = DataFrame::from_frame(Frame::new(counts, exec.clone()));
        if !options.normalize {
            return Ok(frame);
        }
        // Of all rows that were counted: nulls are in no bin, but among the rows.
        let total = if options.cut.is_some() || !options.dropna {
            lit(i64::try_from(self.len()).unwrap_or(i64::MAX))
        } else {
            col(count).sum()
        };
        let shares = frame.frame().evaluate(OPERATION, &[(col(count) / total).alias(count)])?;
        let mut columns = frame.frame().accessor().clone();
        for (label, share) in shares {
            columns.set(label, share).operation(OPERATION)?;
        }
        Ok(DataFrame::from_frame(Frame::new(columns, exec.clone())))
    }

    /// The counts with those of categories that do not occur, which are 0, after them.
    fn with_all_categories(
        &self,
        values: &CategoricalColumn,
        counts: &ColumnAccessor,
        count: &str,
    ) -> columnade_columns::Result<ColumnAccessor> {
        let exec = self.exec();
        let categories = all_categories(values, exec)?;
        let all = ColumnAccessor::from_columns([("value", categories)])?;
        let found = distinct::is_in(&all.columns()[0], &counts.columns()[0], NullEquality::Unequal, exec)?;
        let mut with_found = all.clone();
        with_found.insert("found", found)?;
        let others = filter::filter(&with_found, &!col("found"), exec)?;
        let rest = Column::from_scalar(&Scalar::Int64(0), others.rows(), exec)?;
        let name: &Label = self.name();
        ColumnAccessor::from_columns([
            (name.clone(), concat(&[&counts.columns()[0], &others.columns()[0]], exec)?),
            (count.into(), concat(&[&counts.columns()[1], &rest], exec)?),
        ])
    }

    /// The number of values in each bin between two of `edges`, which ascend: a frame of the bins `bin`, named as
    /// [`cut`](Self::cut) names them, and the column `count`. The first bin has its lower edge. Nulls, NaN and values outside of all
    /// bins are not counted.
    ///
    /// ```
    /// use columnade::Series;
    ///
    /// let histogram = Series::new([1, 2, 2, 9])?.hist([0, 2, 5, 10])?;
    /// assert_eq!(histogram.column("count")?.to_vec::<i64>()?, [3, 0, 1]);
    /// assert_eq!(histogram.column("bin")?.get(1)?.to_string(), "(2.0, 5.0]");
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`] for values that are no numbers, for edges that do not ascend or fewer than two, and when memory runs
    /// out.
    ///
    /// # Source
    /// Polars `Series.hist`, `numpy.histogram`.
    pub fn hist(&self, edges: impl Into<super::Edges>) -> Result<DataFrame> {
        const OPERATION: &str = "hist";
        let exec = self.exec();
        let cut = CutOptions::edges(edges).include_lowest(true);
        let values = self.binned_as(OPERATION, &cut)?;
        let Column::Categorical(bins) = &values else {
            return Err(columnade_columns::Error::Internal { invariant: "bins are categories" })
                .operation(OPERATION);
        };
        let counted = self.reduce(OPERATION, |x| x.histogram(cut.edge_values()))?;
        let Scalar::List { values: counts, .. } = counted else {
            return Err(columnade_columns::Error::Internal { invariant: "a histogram is a list" })
                .operation(OPERATION);
        };
        let counts = Column::from_scalars(&DType::Int64, &counts, exec).operation(OPERATION)?;
        let bins = all_categories(bins, exec).operation(OPERATION)?;
        let columns =
            ColumnAccessor::from_columns([("bin", bins), ("count", counts)]).operation(OPERATION)?;
        Ok(DataFrame::from_frame(Frame::new(columns, exec.clone())))
    }
}

/// Each category of a dictionary once, in order.
pub(crate) fn all_categories(
    values: &CategoricalColumn,
    exec: &columnade_buffers::Exec,
) -> columnade_columns::Result<Column> {
    let len = i32::try_from(values.dictionary().size()).unwrap_or(i32::MAX);
    let codes = Column::from_slice(&(0..len).collect::<Vec<_>>(), exec)?;
    let codes = columnade_ops::cast::cast(
        &codes,
        &values.codes().dtype(),
        columnade_ops::cast::CastMode::Wrap,
        exec,
    )?;
    let categories = CategoricalColumn::new(&codes, values.dictionary().clone())?;
    Ok(Column::Categorical(if values.is_ordered() { categories.as_ordered() } else { categories }))
}

fn sorted(
    rows: &ColumnAccessor,
    position: usize,
    order: Order,
    exec: &columnade_buffers::Exec,
) -> columnade_columns::Result<ColumnAccessor> {
    sort_by(rows, &[SortColumn { position, order, nulls: NullOrder::Last }], exec)
}
