//! Aggregates of windows of rows.

use super::functions::float64_of_number;
use super::window::{IntoKeys, OneKey, RowFunction};
use super::{Expr, Interpolation, Literal, Node, Rank, lit, when};
use columnade_columns::Closed;
use columnade_columns::DType;
use std::fmt;

/// An aggregate of the rows of a window, which moves from row to row.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Rolling {
    /// What is computed.
    pub aggregate: RollingAggregate,
    /// Of which rows.
    pub frame: WindowFrame,
    /// Windows with fewer values are null; `None` for the default of the frame.
    pub min_periods: Option<u64>,
    /// Whether the row is in the middle of its window, and not at its end.
    pub center: bool,
}

/// What is computed of the values of a window that are not null.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum RollingAggregate {
    /// The sum.
    Sum,
    /// The mean.
    Mean,
    /// The least value.
    Min,
    /// The greatest value.
    Max,
    /// The number of values.
    Count,
    /// The variance.
    Var {
        /// Delta degrees of freedom.
        ddof: u32,
    },
    /// The square root of the variance.
    Std {
        /// Delta degrees of freedom.
        ddof: u32,
    },
    /// The skewness, corrected for bias.
    Skew,
    /// The excess kurtosis, corrected for bias.
    Kurt,
    /// The value at a share of the sorted values.
    Quantile {
        /// The share, 0 to 1.
        q: f64,
        /// What stands between two values.
        interpolation: Interpolation,
    },
    /// The first value.
    First,
    /// The last value.
    Last,
    /// The number of distinct values.
    NUnique,
    /// The rank of the last row.
    Rank(Rank),
}

/// The rows of a window.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum WindowFrame {
    /// A number of rows.
    Rows {
        /// How many.
        rows: u64,
        /// Which ends belong to it.
        closed: Closed,
    },
    /// The rows of a span of time before the row, by a column of times.
    Time {
        /// The span in nanoseconds; `None` if it was no duration.
        nanoseconds: Option<i128>,
        /// Which ends belong to it.
        closed: Closed,
    },
    /// All rows up to the row.
    Expanding,
}

/// The window of a rolling aggregate: what [`Expr::rolling_sum`] and its neighbours take. A number is a number of rows.
///
/// ```
/// use columnade_ops::expression::{Closed, RollingWindow, col, hours};
///
/// let three = col("x").rolling_sum(3);
/// let centred = col("x").rolling_mean(RollingWindow::rows(5).min_periods(1).center(true));
/// let of_day = col("x").rolling_max(RollingWindow::time("at", hours(24)).closed(Closed::Both)).over("city");
/// let so_far = col("x").rolling_var(RollingWindow::expanding().min_periods(2));
/// assert_eq!(three.to_string(), "x.rolling_sum(3)");
/// # let _ = (centred, of_day, so_far);
/// ```
///
/// # Source
/// pandas `Series.rolling`, `Series.expanding`.
#[derive(Clone, Debug)]
pub struct RollingWindow {
    frame: WindowFrame,
    min_periods: Option<u64>,
    center: bool,
    by: Option<Expr>,
}

impl RollingWindow {
    /// The row and those before it, `rows` in total. A window of fewer values is null; see [`min_periods`](Self::min_periods).
    pub fn rows(rows: u64) -> Self {
        let frame = WindowFrame::Rows { rows, closed: Closed::Right };
        Self { frame, min_periods: None, center: false, by: None }
    }

    /// The rows up to this one whose time is less than `span` before that of this row. `by` are dates or timestamps that ascend
    /// within each group, `span` is a duration such as [`days(1)`](super::days). A window without values is null.
    ///
    /// # Source
    /// pandas `Series.rolling("1D")`.
    pub fn time(by: impl IntoKeys<OneKey>, span: impl Into<Literal>) -> Self {
        let span = span.into();
        let nanoseconds = if let Literal::Duration(nanoseconds) = span { Some(nanoseconds) } else { None };
        let frame = WindowFrame::Time { nanoseconds, closed: Closed::Right };
        Self { frame, min_periods: None, center: false, by: by.into_keys().pop() }
    }

    /// All rows up to this one. A window without values is null.
    ///
    /// # Source
    /// pandas `Series.expanding`.
    pub fn expanding() -> Self {
        Self { frame: WindowFrame::Expanding, min_periods: None, center: false, by: None }
    }

    /// Windows with fewer values that are not null are null; for counts, with fewer rows. Default: the number of rows of the
    /// window, or 1 for spans of time and all rows up to this one.
    #[must_use]
    pub fn min_periods(self, min_periods: u64) -> Self {
        Self { min_periods: Some(min_periods), ..self }
    }

    /// Whether the row is in the middle of its window; of an even number of rows, the one after the middle. A centred span of
    /// time is half before the time of the row and half after it. Default: false. Windows of all rows so far are not centred:
    /// their functions are an [`InvalidArgument`](columnade_columns::Error::InvalidArgument).
    #[must_use]
    pub fn center(self, center: bool) -> Self {
        Self { center, ..self }
    }

    /// Which ends belong to the window: [`Closed::Right`] by default. A window of `n` rows that is closed on the left has one
    /// more row at its start, and one that is not closed on the right has no last row: of row 5 and `n` 2 the rows 4 and 5
    /// (right), 3 and 4 (left), 3 to 5 (both), 4 (neither). Without the right end of a span of time, rows of the same time are
    /// not in the window. All rows up to a row have the row in any case.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col, Closed, RollingWindow};
    /// let before = RollingWindow::rows(1).closed(Closed::Left);
    /// assert_eq!(show(col("y").rolling_sum(before))?, "<NA> 4 5");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Source
    /// pandas `rolling(closed=…)`.
    #[must_use]
    pub fn closed(self, closed: Closed) -> Self {
        let frame = match self.frame {
            WindowFrame::Rows { rows, .. } => WindowFrame::Rows { rows, closed },
            WindowFrame::Time { nanoseconds, .. } => WindowFrame::Time { nanoseconds, closed },
            WindowFrame::Expanding => WindowFrame::Expanding,
        };
        Self { frame, ..self }
    }
}

impl From<u64> for RollingWindow {
    fn from(rows: u64) -> Self {
        Self::rows(rows)
    }
}

impl RollingAggregate {
    pub(crate) const fn method(self) -> &'static str {
        match self {
            RollingAggregate::Sum => "rolling_sum",
            RollingAggregate::Mean => "rolling_mean",
            RollingAggregate::Min => "rolling_min",
            RollingAggregate::Max => "rolling_max",
            RollingAggregate::Count => "rolling_count",
            RollingAggregate::Var { .. } => "rolling_var",
            RollingAggregate::Std { .. } => "rolling_std",
            RollingAggregate::Skew => "rolling_skew",
            RollingAggregate::Kurt => "rolling_kurt",
            RollingAggregate::Quantile { .. } => "rolling_quantile",
            RollingAggregate::First => "rolling_first",
            RollingAggregate::Last => "rolling_last",
            RollingAggregate::NUnique => "rolling_nunique",
            RollingAggregate::Rank(_) => "rolling_rank",
        }
    }
}

impl fmt::Display for Rolling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let RollingAggregate::Quantile { q, .. } = self.aggregate {
            write!(f, "{q}, ")?;
        }
        if let RollingAggregate::Rank(rank) = self.aggregate
            && rank != Rank::default()
        {
            write!(f, "{rank}, ")?;
        }
        let closed = match self.frame {
            WindowFrame::Rows { rows, closed } => {
                write!(f, "{rows}")?;
                closed
            }
            WindowFrame::Time { nanoseconds: Some(span), closed } => {
                write!(f, "{}", Literal::Duration(span))?;
                closed
            }
            WindowFrame::Time { nanoseconds: None, .. } => return f.write_str("no duration"),
            WindowFrame::Expanding => return f.write_str("expanding"),
        };
        f.write_str(if self.center { ", centred" } else { "" })?;
        f.write_str(match closed {
            Closed::Right => "",
            Closed::Left => ", closed left",
            Closed::Both => ", closed both",
            Closed::Neither => ", closed neither",
        })
    }
}

macro_rules! rolling {
    ($($(#[$doc:meta])* $name:ident => $aggregate:expr;)*) => {
        impl Expr {
            $($(#[$doc])*
            ///
            /// # Errors
            /// The evaluating method: `UnsupportedDType`; `InvalidArgument` for a window of no rows or no time, for more
            /// `min_periods` than rows, and for times that are null or do not ascend.
            pub fn $name(self, window: impl Into<RollingWindow>) -> Expr {
                self.rolling($aggregate, window.into())
            })*
        }
    };
}

rolling! {
    /// The sum of the values of each row's window; null for fewer values than the window's `min_periods`. Nulls are skipped.
    /// Dtypes as [`sum`](Self::sum); integers wrap around. Each window is summed by itself: what leaves it has no effect.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col, RollingWindow};
    /// assert_eq!(show(col("y").rolling_sum(RollingWindow::rows(2)))?, "<NA> 9 5");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Source
    /// pandas `Rolling.sum`.
    rolling_sum => RollingAggregate::Sum;
    /// The mean of the values of each row's window; null for fewer values than its `min_periods`. Dtypes as [`mean`](Self::mean).
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col, RollingWindow};
    /// assert_eq!(show(col("y").rolling_mean(RollingWindow::rows(2)))?, "<NA> 4.5 2.5");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Source
    /// pandas `Rolling.mean`.
    rolling_mean => RollingAggregate::Mean;
    /// The smallest value of each row's window, NaN only of NaNs; null for fewer values than its `min_periods`. Dtypes and order
    /// as [`min`](Self::min): strings, binary values and dictionaries are sorted first.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col, RollingWindow};
    /// assert_eq!(show(col("y").rolling_min(RollingWindow::rows(2)))?, "<NA> 4 0");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Source
    /// pandas `Rolling.min`.
    rolling_min => RollingAggregate::Min;
    /// The largest value of each row's window, as [`rolling_min`](Self::rolling_min).
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col, RollingWindow};
    /// assert_eq!(show(col("y").rolling_max(RollingWindow::rows(2)))?, "<NA> 5 5");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Source
    /// pandas `Rolling.max`.
    rolling_max => RollingAggregate::Max;
    /// The number of values of each row's window that are not null; null for fewer rows than its `min_periods`. `int64`, of
    /// every dtype.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col, RollingWindow};
    /// assert_eq!(show(col("y").rolling_count(RollingWindow::rows(2)))?, "<NA> 2 2");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Source
    /// pandas `Rolling.count`.
    rolling_count => RollingAggregate::Count;
    /// The sample variance of the values of each row's window; null for fewer values than its `min_periods`, or than two.
    /// `float64`.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col, RollingWindow};
    /// assert_eq!(show(col("y").rolling_var(RollingWindow::rows(2)))?, "<NA> 0.5 12.5");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Source
    /// pandas `Rolling.var`.
    rolling_var => RollingAggregate::Var { ddof: 1 };
    /// The square root of [`rolling_var`](Self::rolling_var). Of times a duration, as [`std`](Self::std).
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col, RollingWindow};
    /// assert_eq!(show(col("y").rolling_std(RollingWindow::rows(2)).round(3))?, "<NA> 0.707 3.536");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Source
    /// pandas `Rolling.std`.
    rolling_std => RollingAggregate::Std { ddof: 1 };
    /// The skewness of the values of each row's window, corrected for bias; null for fewer values than its `min_periods`, or than
    /// three, and for equal ones. `float64`. Each window is computed by itself: what leaves it has no effect.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col, RollingWindow};
    /// assert_eq!(show(col("y").rolling_skew(RollingWindow::rows(3)).round(3))?, "<NA> <NA> -1.458");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Source
    /// pandas `Rolling.skew`.
    rolling_skew => RollingAggregate::Skew;
    /// The excess kurtosis of the values of each row's window, as [`rolling_skew`](Self::rolling_skew); null for fewer than four
    /// values.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col, RollingWindow};
    /// assert_eq!(show(col("y").rolling_kurt(RollingWindow::rows(3)))?, "<NA> <NA> <NA>");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Source
    /// pandas `Rolling.kurt`.
    rolling_kurt => RollingAggregate::Kurt;
    /// The median of the values of each row's window; null for fewer values than its `min_periods`. Dtypes as
    /// [`median`](Self::median).
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col, RollingWindow};
    /// assert_eq!(show(col("y").rolling_median(RollingWindow::rows(2)))?, "<NA> 4.5 2.5");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Source
    /// pandas `Rolling.median`.
    rolling_median => RollingAggregate::Quantile { q: 0.5, interpolation: Interpolation::Linear };
    /// The first value of each row's window that is not null; null for fewer values than its `min_periods`. Of every dtype.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col, RollingWindow};
    /// assert_eq!(show(col("y").rolling_first(RollingWindow::rows(2)))?, "<NA> 4 5");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Source
    /// pandas `Rolling.first`.
    rolling_first => RollingAggregate::First;
    /// The last value of each row's window that is not null; null for fewer values than its `min_periods`. Of every dtype.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col, RollingWindow};
    /// assert_eq!(show(col("y").rolling_last(RollingWindow::rows(2)))?, "<NA> 5 0");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Source
    /// pandas `Rolling.last`.
    rolling_last => RollingAggregate::Last;
    /// The number of distinct values of each row's window, nulls not counted; null for fewer values than its `min_periods`. NaNs
    /// are one value, −0.0 is 0.0. `int64`, of every dtype.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col, RollingWindow};
    /// assert_eq!(show(col("word").rolling_nunique(RollingWindow::rows(3).min_periods(1)))?, "1 1 2");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Source
    /// pandas `Rolling.nunique`.
    rolling_nunique => RollingAggregate::NUnique;
}

/// A quarter of what the variance of sums is more than that of differences, of values that spread about as far as each other: of
/// the sum of a large and a small one nothing would be left of the small one.
fn covariance(x: &Expr, y: &Expr, window: &RollingWindow) -> Expr {
    let (x_unit, y_unit) = (unit(x), unit(y));
    let (x, y) = (x.clone() / x_unit.clone(), y.clone() / y_unit.clone());
    let sums = (x.clone() + y.clone()).rolling_var(window.clone());
    let differences = (x - y).rolling_var(window.clone());
    (sums - differences) / 4.0 * x_unit * y_unit
}

/// The power of two that the standard deviation of all values has, so that a quotient by it is exact; 1 without one.
fn unit(x: &Expr) -> Expr {
    let power = lit(2.0).pow(x.clone().std().log2().floor());
    when(power.clone().gt(0.0).and(power.clone().lt(f64::INFINITY))).then(power).otherwise(1.0)
}

impl Expr {
    /// The sample covariance of the pairs of each row's window of which neither is null; null for fewer pairs than its
    /// `min_periods`, or than two. `float64`. Computed of the variances of sums and of differences, so that it does not depend
    /// on how far values are from 0.
    ///
    /// ```
    /// use columnade_ops::expression::col;
    ///
    /// let cov = col("x").rolling_cov(col("y"), 3).over("city");
    /// # let _ = cov;
    /// ```
    ///
    /// # Errors
    /// As [`rolling_var`](Self::rolling_var).
    ///
    /// # Source
    /// pandas `Rolling.cov`.
    pub fn rolling_cov(self, other: impl Into<Expr>, window: impl Into<RollingWindow>) -> Expr {
        let (x, y) = (float64_of_number(self), float64_of_number(other.into()));
        covariance(&x, &y, &window.into())
    }

    /// Pearson's correlation of the pairs of each row's window, as [`rolling_cov`](Self::rolling_cov); null where one of them
    /// is constant.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// let found = col("y").rolling_corr(1 - col("y"), 2);
    /// assert_eq!(show(found.round(3))?, "<NA> -1.0 -1.0");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`rolling_var`](Self::rolling_var).
    ///
    /// # Source
    /// pandas `Rolling.corr`.
    pub fn rolling_corr(self, other: impl Into<Expr>, window: impl Into<RollingWindow>) -> Expr {
        let (x, y, window) = (float64_of_number(self), float64_of_number(other.into()), window.into());
        let of_pairs = |this: &Expr, other: &Expr| {
            let pair = when(other.clone().is_not_null()).then(this.clone()).otherwise(lit(Literal::Null));
            pair.rolling_std(window.clone())
        };
        let scale = of_pairs(&x, &y) * of_pairs(&y, &x);
        let share = covariance(&x, &y, &window) / scale.clone();
        when(scale.eq(0.0)).then(lit(Literal::Null)).otherwise(share)
    }

    /// The variance of the values of each row's window, divided by their number less `ddof`; null for fewer values than its
    /// `min_periods`, or where that is not positive. `float64`.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("y").rolling_var_ddof(0, 2))?, "<NA> 0.25 6.25");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`rolling_var`](Self::rolling_var).
    ///
    /// # Source
    /// pandas `Rolling.var(ddof=…)`.
    pub fn rolling_var_ddof(self, ddof: u32, window: impl Into<RollingWindow>) -> Expr {
        self.rolling(RollingAggregate::Var { ddof }, window.into())
    }

    /// The square root of [`rolling_var_ddof`](Self::rolling_var_ddof). Of times a duration, as [`std`](Self::std).
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("y").rolling_std_ddof(0, 2))?, "<NA> 0.5 2.5");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`rolling_var`](Self::rolling_var).
    ///
    /// # Source
    /// pandas `Rolling.std(ddof=…)`.
    pub fn rolling_std_ddof(self, ddof: u32, window: impl Into<RollingWindow>) -> Expr {
        self.rolling(RollingAggregate::Std { ddof }, window.into())
    }

    /// The standard error of the mean of each row's window: [`rolling_std_ddof`](Self::rolling_std_ddof) divided by the root of
    /// the number of values. Keeps the label.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("y").rolling_sem_ddof(1, 2))?, "<NA> 0.5 2.5");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`rolling_var`](Self::rolling_var), and `UnsupportedDType` for times.
    ///
    /// # Source
    /// pandas `Rolling.sem(ddof=…)`.
    pub fn rolling_sem_ddof(self, ddof: u32, window: impl Into<RollingWindow>) -> Expr {
        let (label, window) = (self.label(), window.into());
        let values = self.clone().rolling_count(window.clone().min_periods(0)).cast(DType::Float64);
        (self.rolling_var_ddof(ddof, window) / values).sqrt().alias(label)
    }

    /// The quantile `q`, 0 to 1, of the values of each row's window, as [`quantile_with`](Self::quantile_with); null for fewer
    /// values than its `min_periods`.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col, Interpolation, RollingWindow};
    /// let found = col("y").rolling_quantile(0.5, Interpolation::Linear, RollingWindow::rows(2));
    /// assert_eq!(show(found)?, "<NA> 4.5 2.5");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for dtypes without quantiles, `InvalidArgument` for a window of no rows or
    /// `min_periods` beyond it, and for `q` outside 0 to 1.
    ///
    /// # Source
    /// pandas `Rolling.quantile`.
    pub fn rolling_quantile(
        self,
        q: f64,
        interpolation: Interpolation,
        window: impl Into<RollingWindow>,
    ) -> Expr {
        self.rolling(RollingAggregate::Quantile { q, interpolation }, window.into())
    }

    /// The rank of the value of the last row of each row's window among the values of the window, from 1: see
    /// [`rank`](Self::rank). Null where that value is, and for fewer values than the window's `min_periods`. Of equal values
    /// `First` gives the rank of the last one; NaN is the greatest value. `int64`, or `float64` for averages and shares.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col, Rank};
    /// assert_eq!(show(col("y").rolling_rank(Rank::default(), 2))?, "<NA> 2.0 1.0");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `NotImplemented` for dense ranks; `InvalidArgument` for a window of no rows or no time, for more
    /// `min_periods` than rows, and for times that are null or do not ascend.
    ///
    /// # Source
    /// pandas `Rolling.rank`.
    pub fn rolling_rank(self, rank: Rank, window: impl Into<RollingWindow>) -> Expr {
        self.rolling(RollingAggregate::Rank(rank), window.into())
    }

    fn rolling(self, aggregate: RollingAggregate, window: RollingWindow) -> Expr {
        let RollingWindow { frame, min_periods, center, by } = window;
        let arguments = std::iter::once(self).chain(by).collect();
        let rolling = Rolling { aggregate, frame, min_periods, center };
        Expr::new(Node::RowFunction(RowFunction::Rolling(rolling), arguments))
    }
}
