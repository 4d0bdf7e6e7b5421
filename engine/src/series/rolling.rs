//! Aggregates of windows of a series, which move from row to row.

use columnade_ops::expression::{ExponentialWindow, Expr, Interpolation, Rank, RollingWindow};

use super::Series;
#[cfg(doc)]
use crate::error::Error;
use crate::error::Result;

impl Series {
    /// The sum of the values of each row's window, a number of rows or a [`RollingWindow`]; null for fewer values than its
    /// `min_periods`. See [`Expr::rolling_sum`] for dtypes.
    ///
    /// ```
    /// use columnade::Series;
    /// use columnade::expressions::RollingWindow;
    ///
    /// let series = Series::new([1, 2, 3, 4])?;
    /// assert_eq!(series.rolling_sum(2)?.to_options::<i64>()?, [None, Some(3), Some(5), Some(7)]);
    /// let centred = RollingWindow::rows(3).min_periods(1).center(true);
    /// assert_eq!(series.rolling_sum(centred)?.to_vec::<i64>()?, [3, 6, 9, 7]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`] for a dtype without sums, a window of no rows, a window of times (a frame has these:
    /// [`col`](crate::col)`("x").rolling_sum(…)`), and when memory runs out.
    ///
    /// # Source
    /// pandas `Series.rolling(…).sum`.
    pub fn rolling_sum(&self, window: impl Into<RollingWindow>) -> Result<Series> {
        self.evaluated("rolling_sum", |x| x.rolling_sum(window))
    }

    /// The mean of the values of each row's window; `float64`, and times keep their dtype.
    ///
    /// # Errors
    /// Same as [`rolling_sum`](Self::rolling_sum).
    pub fn rolling_mean(&self, window: impl Into<RollingWindow>) -> Result<Series> {
        self.evaluated("rolling_mean", |x| x.rolling_mean(window))
    }

    /// The smallest value of each row's window.
    ///
    /// # Errors
    /// Same as [`rolling_sum`](Self::rolling_sum).
    pub fn rolling_min(&self, window: impl Into<RollingWindow>) -> Result<Series> {
        self.evaluated("rolling_min", |x| x.rolling_min(window))
    }

    /// The largest value of each row's window.
    ///
    /// # Errors
    /// Same as [`rolling_sum`](Self::rolling_sum).
    pub fn rolling_max(&self, window: impl Into<RollingWindow>) -> Result<Series> {
        self.evaluated("rolling_max", |x| x.rolling_max(window))
    }

    /// The number of values of each row's window that are not null; `int64`.
    ///
    /// # Errors
    /// Same as [`rolling_sum`](Self::rolling_sum).
    pub fn rolling_count(&self, window: impl Into<RollingWindow>) -> Result<Series> {
        self.evaluated("rolling_count", |x| x.rolling_count(window))
    }

    /// The sample variance of the values of each row's window; `float64`.
    ///
    /// # Errors
    /// Same as [`rolling_sum`](Self::rolling_sum).
    pub fn rolling_var(&self, window: impl Into<RollingWindow>) -> Result<Series> {
        self.evaluated("rolling_var", |x| x.rolling_var(window))
    }

    /// The sample standard deviation of the values of each row's window; `float64`.
    ///
    /// # Errors
    /// Same as [`rolling_sum`](Self::rolling_sum).
    pub fn rolling_std(&self, window: impl Into<RollingWindow>) -> Result<Series> {
        self.evaluated("rolling_std", |x| x.rolling_std(window))
    }

    /// The skewness of the values of each row's window, corrected for bias; null for fewer than three values and for equal ones.
    /// `float64`.
    ///
    /// ```
    /// use columnade::Series;
    ///
    /// let skews = Series::new([1.0, 2.0, 6.0, 6.0, 6.0])?.rolling_skew(3)?.round(3)?;
    /// assert_eq!(skews.to_options::<f64>()?, [None, None, Some(1.458), Some(-1.732), None]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// Same as [`rolling_sum`](Self::rolling_sum).
    ///
    /// # Source
    /// pandas `Series.rolling(…).skew`.
    pub fn rolling_skew(&self, window: impl Into<RollingWindow>) -> Result<Series> {
        self.evaluated("rolling_skew", |x| x.rolling_skew(window))
    }

    /// The excess kurtosis of the values of each row's window, corrected for bias; null for fewer than four values and for equal
    /// ones. `float64`.
    ///
    /// # Errors
    /// Same as [`rolling_sum`](Self::rolling_sum).
    ///
    /// # Source
    /// pandas `Series.rolling(…).kurt`.
    pub fn rolling_kurt(&self, window: impl Into<RollingWindow>) -> Result<Series> {
        self.evaluated("rolling_kurt", |x| x.rolling_kurt(window))
    }

    /// The median of the values of each row's window.
    ///
    /// # Errors
    /// Same as [`rolling_sum`](Self::rolling_sum).
    pub fn rolling_median(&self, window: impl Into<RollingWindow>) -> Result<Series> {
        self.evaluated("rolling_median", |x| x.rolling_median(window))
    }

    /// The quantile `q`, 0 to 1, of the values of each row's window.
    ///
    /// # Errors
    /// Same as [`rolling_median`](Self::rolling_median), and for `q` outside 0 to 1.
    pub fn rolling_quantile(
        &self,
        q: f64,
        interpolation: Interpolation,
        window: impl Into<RollingWindow>,
    ) -> Result<Series> {
        self.evaluated("rolling_quantile", |x| x.rolling_quantile(q, interpolation, window))
    }

    /// The first value of each row's window that is not null.
    ///
    /// # Errors
    /// [`Error::Operation`] for a window of no rows, and when memory runs out.
    pub fn rolling_first(&self, window: impl Into<RollingWindow>) -> Result<Series> {
        self.evaluated("rolling_first", |x| x.rolling_first(window))
    }

    /// The last value of each row's window that is not null.
    ///
    /// # Errors
    /// Same as [`rolling_first`](Self::rolling_first).
    pub fn rolling_last(&self, window: impl Into<RollingWindow>) -> Result<Series> {
        self.evaluated("rolling_last", |x| x.rolling_last(window))
    }

    /// The number of distinct values of each row's window, nulls not counted; `int64`.
    ///
    /// ```
    /// use columnade::Series;
    /// use columnade::expressions::Rank;
    ///
    /// let series = Series::new([1, 5, 5, 2])?;
    /// assert_eq!(series.rolling_nunique(2)?.to_options::<i64>()?, [None, Some(2), Some(1), Some(2)]);
    /// assert_eq!(series.rolling_rank(Rank::default(), 2)?.to_options::<f64>()?[1..], [Some(2.0), Some(1.5), Some(1.0)]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// Same as [`rolling_first`](Self::rolling_first).
    ///
    /// # Source
    /// pandas `Series.rolling(…).nunique`.
    pub fn rolling_nunique(&self, window: impl Into<RollingWindow>) -> Result<Series> {
        self.evaluated("rolling_nunique", |x| x.rolling_nunique(window))
    }

    /// The rank of the last value of each row's window among the values of the window; see [`Expr::rolling_rank`].
    ///
    /// # Errors
    /// Same as [`rolling_first`](Self::rolling_first), and for dense ranks, which are not implemented.
    ///
    /// # Source
    /// pandas `Series.rolling(…).rank`.
    pub fn rolling_rank(&self, rank: Rank, window: impl Into<RollingWindow>) -> Result<Series> {
        self.evaluated("rolling_rank", |x| x.rolling_rank(rank, window))
    }

    /// The mean of the values up to each row with exponentially falling weights; see [`Expr::ewm_mean`].
    ///
    /// ```
    /// use columnade::Series;
    /// use columnade::expressions::ExponentialWindow;
    ///
    /// let means = Series::new([4, 8, 2])?.ewm_mean(ExponentialWindow::com(1.0).adjust(false))?;
    /// assert_eq!(means.to_vec::<f64>()?, [4.0, 6.0, 4.0]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Operation`] for a dtype without means, for weights out of range, and when memory runs out.
    ///
    /// # Source
    /// pandas `Series.ewm(…).mean`.
    pub fn ewm_mean(&self, window: ExponentialWindow) -> Result<Series> {
        self.evaluated("ewm_mean", |x| x.ewm_mean(window))
    }

    /// The variance of the values up to each row with exponentially falling weights; see [`Expr::ewm_var`].
    ///
    /// # Errors
    /// Same as [`ewm_mean`](Self::ewm_mean).
    pub fn ewm_var(&self, window: ExponentialWindow) -> Result<Series> {
        self.evaluated("ewm_var", |x| x.ewm_var(window))
    }

    /// The standard deviation of the values up to each row with exponentially falling weights; see [`Expr::ewm_std`].
    ///
    /// # Errors
    /// Same as [`ewm_mean`](Self::ewm_mean).
    pub fn ewm_std(&self, window: ExponentialWindow) -> Result<Series> {
        self.evaluated("ewm_std", |x| x.ewm_std(window))
    }

    /// The product of the values up to each row. Nulls stay null. See [`Expr::cum_product`] for dtypes.
    ///
    /// # Errors
    /// [`Error::Operation`] for a dtype without products, for a product of decimals of more than 38 digits, and when memory
    /// runs out.
    ///
    /// # Source
    /// pandas `Series.cumprod`.
    pub fn cum_product(&self) -> Result<Series> {
        self.evaluated("cum_product", Expr::cum_product)
    }
}
