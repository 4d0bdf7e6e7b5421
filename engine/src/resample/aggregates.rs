//! Aggregates of bins.

use columnade_columns::{ColumnAccessor, DType, Label, LabelPart};
use columnade_ops::binning::aggregate_bins;
use columnade_ops::expression::{Expr, Interpolation, col, len};

use super::{Resampled, Resampler};
use crate::dataframe::{DataFrame, GroupBy};
#[cfg(doc)]
use crate::error::Error;
use crate::error::{InOperation, Result};
use crate::frame::Frame;
use crate::index::Index;
use crate::indexed_frame::IndexedFrame;
use crate::selection::IntoExprs;
use crate::series::Series;

/// Which columns an aggregate is computed of where none are selected.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Of {
    Numbers,
    /// Numbers and durations, which are added too.
    Sums,
    All,
}

macro_rules! aggregates {
    ($($(#[$doc:meta])* $name:ident => $of:expr, $make:expr;)*) => {
        impl<F: Resampled> Resampler<F> {
            $($(#[$doc])*
            ///
            /// # Errors
            /// Same as [`agg`](Self::agg).
            pub fn $name(&self) -> Result<F> {
                self.each_column(stringify!($name), $of, $make)
            })*
        }
    };
}

aggregates! {
    /// The sum of each column of numbers or durations in each bin; 0 in a bin without rows. Dtypes as [`Expr::sum`].
    ///
    /// # Source
    /// pandas `Resampler.sum`.
    sum => Of::Sums, Expr::sum;
    /// The mean of each column of numbers or durations in each bin.
    ///
    /// # Source
    /// pandas `Resampler.mean`.
    mean => Of::Sums, Expr::mean;
    /// The median of each column of numbers or durations in each bin.
    ///
    /// # Source
    /// pandas `Resampler.median`.
    median => Of::Sums, Expr::median;
    /// The sample standard deviation of each column of numbers or durations in each bin.
    ///
    /// # Source
    /// pandas `Resampler.std`.
    std => Of::Sums, Expr::std;
    /// The sample variance of each column of numbers in each bin.
    ///
    /// # Source
    /// pandas `Resampler.var`.
    var => Of::Numbers, Expr::var;
    /// The standard error of the mean of each column of numbers or durations in each bin.
    ///
    /// # Source
    /// pandas `Resampler.sem`.
    sem => Of::Sums, Expr::sem;
    /// The product of each column of numbers in each bin; 1 in a bin without rows. Dtypes as [`Expr::product`].
    ///
    /// # Source
    /// pandas `Resampler.prod`.
    product => Of::Numbers, Expr::product;
    /// The smallest value of each column in each bin.
    ///
    /// # Source
    /// pandas `Resampler.min`.
    min => Of::All, Expr::min;
    /// The largest value of each column in each bin.
    ///
    /// # Source
    /// pandas `Resampler.max`.
    max => Of::All, Expr::max;
    /// The number of values of each column in each bin that are not null.
    ///
    /// # Source
    /// pandas `Resampler.count`.
    count => Of::All, Expr::count;
    /// The first value of each column in each bin that is not null, in the order of the rows.
    ///
    /// # Source
    /// pandas `Resampler.first`.
    first => Of::All, Expr::first;
    /// The last value of each column in each bin that is not null, in the order of the rows.
    ///
    /// # Source
    /// pandas `Resampler.last`.
    last => Of::All, Expr::last;
    /// The number of distinct values of each column in each bin that are not null.
    ///
    /// # Source
    /// pandas `Resampler.nunique`.
    nunique => Of::All, Expr::nunique;
}

impl<F: Resampled> Resampler<F> {
    /// Aggregates of each bin, under their labels: [`col`]`("x").sum()`, and expressions over aggregates. A bin without rows has
    /// the aggregates of no rows: a sum of 0, a mean that is null.
    ///
    /// # Errors
    /// [`Error::MissingColumns`]; [`Error::Operation`] for a frequency that is none, with its position, or is no multiple of
    /// the unit of the times; for times that are neither dates nor timestamps; for more than 2^27 bins; for an expression that
    /// is no aggregate or does not support the dtypes; and when memory runs out.
    ///
    /// # Device
    /// The first and the last time are read, bins are made on the host; a binary search a row finds its bin.
    ///
    /// # Source
    /// pandas `Resampler.agg`.
    pub fn agg<A>(&self, aggregates: impl IntoExprs<A>) -> Result<DataFrame> {
        let (columns, index) = self.aggregated("agg", &aggregates.into_exprs())?;
        let frame = Frame::new(columns, self.exec().clone());
        Ok(DataFrame::from_indexed(IndexedFrame::with_index(frame, index)))
    }

    /// The quantile `q`, 0 to 1, of each column of numbers or durations in each bin.
    ///
    /// # Errors
    /// Same as [`agg`](Self::agg), and for `q` outside 0 to 1.
    ///
    /// # Source
    /// pandas `Resampler.quantile`.
    pub fn quantile(&self, q: f64, interpolation: Interpolation) -> Result<F> {
        self.each_column("quantile", Of::Sums, |x| x.quantile_with(q, interpolation))
    }

    /// The number of rows of each bin, `int64`.
    ///
    /// # Errors
    /// Same as [`agg`](Self::agg).
    ///
    /// # Source
    /// pandas `Resampler.size`.
    pub fn size(&self) -> Result<Series> {
        const OPERATION: &str = "size";
        let (columns, index) = self.aggregated(OPERATION, &[len().alias(Label::NULL)])?;
        let frame = Frame::new(columns, self.exec().clone());
        Ok(Series::from_indexed(IndexedFrame::with_index(frame, index)))
    }

    /// The first, the largest, the smallest and the last value in each bin: columns `open`, `high`, `low` and `close`. Those of a
    /// frame have labels of two levels, of which the first is the column's.
    ///
    /// ```
    /// use columnade::{DType, TimeUnit, date_range_periods, df};
    ///
    /// let times = date_range_periods(&DType::Timestamp(TimeUnit::Second), "2024-01-01 00:00:00", 3, "20min")?;
    /// let bars = df! { "t" => times, "price" => [3.0, 5.0, 4.0] }?.resample("1h").on("t").ohlc()?;
    /// assert_eq!(bars.column(("price", "close"))?.to_vec::<f64>()?, [4.0]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// Same as [`agg`](Self::agg).
    ///
    /// # Source
    /// pandas `Resampler.ohlc`.
    pub fn ohlc(&self) -> Result<DataFrame> {
        const OPERATION: &str = "ohlc";
        let (mut exprs, mut labels) = (Vec::new(), Vec::new());
        for label in self.columns_for(OPERATION, Of::Numbers)? {
            let x = || col(&label);
            for (name, aggregate) in
                [("open", x().first()), ("high", x().max()), ("low", x().min()), ("close", x().last())]
            {
                exprs.push(aggregate.alias(exprs.len().to_string()));
                labels.push(if F::IS_FRAME {
                    let parts = label.parts().iter().cloned().chain([LabelPart::from(name)]);
                    Label::from_parts(parts).operation(OPERATION)?
                } else {
                    Label::from(name)
                });
            }
        }
        let (columns, index) = self.aggregated(OPERATION, &exprs)?;
        let columns = ColumnAccessor::from_columns(labels.into_iter().zip(columns.columns().iter().cloned()));
        let frame = Frame::new(columns.operation(OPERATION)?, self.exec().clone());
        Ok(DataFrame::from_indexed(IndexedFrame::with_index(frame, index)))
    }

    /// The columns that an aggregate is computed of.
    fn columns_for(&self, operation: &'static str, of: Of) -> Result<Vec<Label>> {
        if let Some(selected) = &self.selected {
            self.rows.frame().check_labels(operation, selected)?;
            return Ok(selected.clone());
        }
        let is_chosen = |dtype: &DType| match of {
            Of::All => true,
            Of::Sums if matches!(dtype, DType::Duration(_)) => true,
            Of::Sums | Of::Numbers => dtype.is_numeric() || *dtype == DType::Bool,
        };
        let keys: Vec<Label> = self.groups.iter().flat_map(GroupBy::key_labels).collect();
        let columns = self.accessor().iter();
        // A series says what is wrong with its dtype.
        Ok(columns
            .filter(|(label, column)| {
                let is_key = Some(*label) == self.on.as_ref() || keys.contains(label);
                !is_key && (!F::IS_FRAME || is_chosen(&column.dtype()))
            })
            .map(|(label, _)| label.clone())
            .collect())
    }

    fn each_column(&self, operation: &'static str, of: Of, make: impl Fn(Expr) -> Expr) -> Result<F> {
        let labels = self.columns_for(operation, of)?;
        let exprs: Vec<Expr> = labels.iter().map(|label| make(col(label)).alias(label)).collect();
        let (columns, index) = self.aggregated(operation, &exprs)?;
        Ok(self.made(columns, index))
    }

    fn aggregated(&self, operation: &'static str, exprs: &[Expr]) -> Result<(ColumnAccessor, Index)> {
        let (columns, index) = self.aggregated_columns(operation, exprs)?;
        // Without columns the bins are still rows.
        let is_empty = columns.is_empty();
        Ok((if is_empty { ColumnAccessor::with_rows(index.len()) } else { columns }, index))
    }

    fn aggregated_columns(&self, operation: &'static str, exprs: &[Expr]) -> Result<(ColumnAccessor, Index)> {
        self.rows.frame().check_expressions(operation, exprs)?;
        if let Some(groups) = &self.groups {
            let bins = self.grouped_bins(operation, groups)?;
            let accessor = bins.rows.frame().accessor();
            let columns = aggregate_bins(accessor, &bins.numbers, bins.count, exprs, self.exec());
            let columns = columns.and_then(|columns| self.releveled(columns)).operation(operation)?;
            return Ok((columns, bins.index));
        }
        let binned = self.binned(operation)?;
        let found = || -> columnade_columns::Result<_> {
            let numbers = binned.numbers(self.exec())?;
            let bins = binned.bins.labels.len();
            let columns = aggregate_bins(self.accessor(), &numbers, bins, exprs, self.exec())?;
            let index = self.index_of(&binned, &binned.bins.labels)?;
            Ok((self.releveled(columns)?, index))
        };
        found().operation(operation)
    }

    /// The columns with the levels of the rows, if their labels have as many.
    fn releveled(&self, columns: ColumnAccessor) -> columnade_columns::Result<ColumnAccessor> {
        let levels = self.accessor().levels().clone();
        let is_deep = columns.labels().iter().all(|label| label.parts().len() == levels.count());
        if is_deep { columns.relevel(levels) } else { Ok(columns) }
    }
}
