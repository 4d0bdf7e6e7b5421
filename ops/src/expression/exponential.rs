//! Aggregates of all rows so far, of which earlier ones have less weight.

use super::window::RowFunction;
use super::{Expr, Node};
use columnade_columns::{Error, Result};
use std::fmt;

/// An aggregate of the rows up to each row with exponentially falling weights.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Exponential {
    /// What is computed.
    pub aggregate: ExponentialAggregate,
    /// With which weights.
    pub window: ExponentialWindow,
}

/// What is computed of weighted values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum ExponentialAggregate {
    /// The mean.
    Mean,
    /// The variance.
    Var,
    /// The square root of the variance.
    Std,
    /// The covariance of two columns.
    Cov,
    /// Pearson's correlation of two columns.
    Corr,
}

/// How fast weights fall.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
enum Decay {
    Com(f64),
    Span(f64),
    Halflife(f64),
    Alpha(f64),
}

/// The weights of an exponentially weighted aggregate: what [`Expr::ewm_mean`] and its neighbours take. The weight of a row is
/// `1 − alpha` times that of the next one.
///
/// ```
/// use columnade_ops::expression::{ExponentialWindow, col};
///
/// let mean = col("x").ewm_mean(ExponentialWindow::span(9.0).min_periods(3));
/// let of_city = col("x").ewm_std(ExponentialWindow::alpha(0.5).adjust(false)).over("city");
/// assert_eq!(mean.to_string(), "x.ewm_mean(span 9)");
/// # let _ = of_city;
/// ```
///
/// # Source
/// pandas `Series.ewm`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ExponentialWindow {
    decay: Decay,
    adjust: bool,
    ignore_na: bool,
    min_periods: u64,
    bias: bool,
}

impl ExponentialWindow {
    fn new(decay: Decay) -> Self {
        Self { decay, adjust: true, ignore_na: false, min_periods: 1, bias: false }
    }

    /// `alpha` is `1 / (1 + com)`; `com` is 0 or more.
    pub fn com(com: f64) -> Self {
        Self::new(Decay::Com(com))
    }

    /// `alpha` is `2 / (span + 1)`; `span` is 1 or more.
    pub fn span(span: f64) -> Self {
        Self::new(Decay::Span(span))
    }

    /// The weight halves every `halflife` rows, more than 0.
    pub fn halflife(halflife: f64) -> Self {
        Self::new(Decay::Halflife(halflife))
    }

    /// `alpha` itself, more than 0 and at most 1.
    pub fn alpha(alpha: f64) -> Self {
        Self::new(Decay::Alpha(alpha))
    }

    /// Whether a mean is the weighted sum over the sum of weights. Otherwise it is `(1 − alpha) · before + alpha · value`, which
    /// gives the first value more weight. Default: true.
    #[must_use]
    pub fn adjust(self, adjust: bool) -> Self {
        Self { adjust, ..self }
    }

    /// Whether weights fall by valid values only, and not by nulls too. Default: false.
    #[must_use]
    pub fn ignore_na(self, ignore_na: bool) -> Self {
        Self { ignore_na, ..self }
    }

    /// Rows up to which fewer values are valid are null. Default: 1; 0 is the same.
    #[must_use]
    pub fn min_periods(self, min_periods: u64) -> Self {
        Self { min_periods, ..self }
    }

    /// Whether variances are those of the weighted values, and not an estimate of those of a population. Default: false.
    #[must_use]
    pub fn bias(self, bias: bool) -> Self {
        Self { bias, ..self }
    }

    pub(crate) fn is_adjusted(&self) -> bool {
        self.adjust
    }

    pub(crate) fn ignores_nulls(&self) -> bool {
        self.ignore_na
    }

    pub(crate) fn is_biased(&self) -> bool {
        self.bias
    }

    pub(crate) fn least_values(&self) -> u64 {
        self.min_periods.max(1)
    }

    /// The weight of a row less than that of the next one, as a share.
    pub(crate) fn weight(&self) -> Result<f64> {
        let (name, value, is_valid, condition, alpha) = match self.decay {
            Decay::Com(com) => ("com", com, com >= 0.0, "0 or more", 1.0 / (1.0 + com)),
            Decay::Span(span) => ("span", span, span >= 1.0, "1 or more", 2.0 / (span + 1.0)),
            Decay::Halflife(rows) => {
                ("halflife", rows, rows > 0.0, "more than 0", -(-std::f64::consts::LN_2 / rows).exp_m1())
            }
            Decay::Alpha(alpha) => {
                ("alpha", alpha, alpha > 0.0 && alpha <= 1.0, "more than 0, at most 1", alpha)
            }
        };
        if is_valid && value.is_finite() {
            return Ok(alpha);
        }
        Err(Error::InvalidArgument { name, reason: format!("{value} is not {condition}") })
    }
}

impl ExponentialAggregate {
    pub(crate) const fn method(self) -> &'static str {
        match self {
            ExponentialAggregate::Mean => "ewm_mean",
            ExponentialAggregate::Var => "ewm_var",
            ExponentialAggregate::Std => "ewm_std",
            ExponentialAggregate::Cov => "ewm_cov",
            ExponentialAggregate::Corr => "ewm_corr",
        }
    }
}

impl fmt::Display for Exponential {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.window.decay {
            Decay::Com(com) => write!(f, "com {com}"),
            Decay::Span(span) => write!(f, "span {span}"),
            Decay::Halflife(halflife) => write!(f, "halflife {halflife}"),
            Decay::Alpha(alpha) => write!(f, "alpha {alpha}"),
        }
    }
}

impl Expr {
    /// The mean of the values up to each row with exponentially falling weights; of a row that is null or NaN that up to the row
    /// before. Null for fewer values than the window's `min_periods`. NaN counts as null, as in pandas: it would stay in all
    /// later rows. Numbers and booleans → `float64`.
    ///
    /// On a device the same rows give the same bytes, whatever the number of threads; the last bits differ from the host's.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col, ExponentialWindow};
    /// assert_eq!(show(col("y").ewm_mean(ExponentialWindow::alpha(0.5)).round(6))?, "4.0 4.666667 2.0");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for what has no mean; `InvalidArgument` for a `com`, `span`, `halflife` or `alpha`
    /// out of its range.
    ///
    /// # Source
    /// pandas `Series.ewm(…).mean`.
    pub fn ewm_mean(self, window: ExponentialWindow) -> Expr {
        self.exponential(ExponentialAggregate::Mean, window)
    }

    /// The variance of the values up to each row with exponentially falling weights, as [`ewm_mean`](Self::ewm_mean); null for one
    /// value unless it is [biased](ExponentialWindow::bias).
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col, ExponentialWindow};
    /// assert_eq!(show(col("y").ewm_var(ExponentialWindow::alpha(0.5)).round(3))?, "<NA> 0.5 9.5");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for what has no mean; `InvalidArgument` for a `com`, `span`,
    /// `halflife` or `alpha` out of its range.
    ///
    /// # Source
    /// pandas `Series.ewm(…).var`.
    pub fn ewm_var(self, window: ExponentialWindow) -> Expr {
        self.exponential(ExponentialAggregate::Var, window)
    }

    /// The square root of [`ewm_var`](Self::ewm_var).
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col, ExponentialWindow};
    /// assert_eq!(show(col("y").ewm_std(ExponentialWindow::alpha(0.5)).round(3))?, "<NA> 0.707 3.082");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for what has no mean; `InvalidArgument` for a `com`, `span`,
    /// `halflife` or `alpha` out of its range.
    ///
    /// # Source
    /// pandas `Series.ewm(…).std`.
    pub fn ewm_std(self, window: ExponentialWindow) -> Expr {
        self.exponential(ExponentialAggregate::Std, window)
    }

    /// The covariance of two expressions up to each row with exponentially falling weights, as [`ewm_var`](Self::ewm_var), over
    /// the rows where both are neither null nor NaN.
    ///
    /// ```
    /// use columnade_ops::expression::{ExponentialWindow, col};
    ///
    /// let cov = col("x").ewm_cov(col("y"), ExponentialWindow::span(9.0)).over("city");
    /// # let _ = cov;
    /// ```
    ///
    /// # Errors
    /// As [`ewm_mean`](Self::ewm_mean).
    ///
    /// # Source
    /// pandas `Series.ewm(…).cov`.
    pub fn ewm_cov(self, other: impl Into<Expr>, window: ExponentialWindow) -> Expr {
        self.exponential_of_two(ExponentialAggregate::Cov, other.into(), window)
    }

    /// Pearson's correlation of two expressions up to each row with exponentially falling weights, as
    /// [`ewm_cov`](Self::ewm_cov); null for one value and while one of them is constant.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col, ExponentialWindow};
    /// let found = col("y").ewm_corr(1 - col("y"), ExponentialWindow::alpha(0.5));
    /// assert_eq!(show(found.round(3))?, "<NA> -1.0 -1.0");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`ewm_mean`](Self::ewm_mean).
    ///
    /// # Source
    /// pandas `Series.ewm(…).corr`.
    pub fn ewm_corr(self, other: impl Into<Expr>, window: ExponentialWindow) -> Expr {
        self.exponential_of_two(ExponentialAggregate::Corr, other.into(), window)
    }

    fn exponential_of_two(
        self,
        aggregate: ExponentialAggregate,
        other: Expr,
        window: ExponentialWindow,
    ) -> Expr {
        let function = RowFunction::Exponential(Exponential { aggregate, window });
        Expr::new(Node::RowFunction(function, [self, other].into_iter().collect()))
    }

    fn exponential(self, aggregate: ExponentialAggregate, window: ExponentialWindow) -> Expr {
        let function = RowFunction::Exponential(Exponential { aggregate, window });
        Expr::new(Node::RowFunction(function, std::iter::once(self).collect()))
    }
}
