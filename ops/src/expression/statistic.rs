//! Aggregates that are computed from the rows of groups in several steps.

use super::{Expr, Literal, Node, Rank, lit, when};
use crate::groupby::statistics::times::distance;
use crate::window::products::product_dtype;
use columnade_columns::{DType, Error, Result};
use std::fmt;
use std::sync::Arc;

/// An aggregate that takes more than one pass over the rows of a group. Nulls are skipped unless a variant says otherwise.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Statistic {
    /// The variance: the sum of squared deviations from the mean, divided by the number of values less `ddof`.
    Var {
        /// Delta degrees of freedom.
        ddof: u32,
    },
    /// The square root of the variance.
    Std {
        /// Delta degrees of freedom.
        ddof: u32,
    },
    /// The standard error of the mean: the square root of the variance divided by the number of values.
    Sem {
        /// Delta degrees of freedom.
        ddof: u32,
    },
    /// The skewness, corrected for bias.
    Skew,
    /// The excess kurtosis, corrected for bias.
    Kurt,
    /// The covariance of two columns, over rows where both are valid.
    Cov {
        /// Delta degrees of freedom.
        ddof: u32,
    },
    /// Pearson's correlation of two columns, over rows where both are valid.
    Corr,
    /// Kendall's correlation of two columns, over rows where both are valid.
    Kendall,
    /// Whether a value is true or not zero.
    Any,
    /// Whether all values are true or not zero.
    All,
    /// The number of distinct values.
    NUnique,
    /// The value at a share of the sorted values.
    Quantile {
        /// The share, 0 to 1.
        q: f64,
        /// What stands between two values.
        interpolation: Interpolation,
    },
    /// The values at shares of the sorted values, as a list.
    Quantiles {
        /// The shares, 0 to 1.
        qs: Arc<[f64]>,
        /// What stands between two values.
        interpolation: Interpolation,
    },
    /// The numbers of values in bins, as a list.
    Histogram {
        /// The edges of the bins, ascending.
        edges: Arc<[f64]>,
    },
    /// The product.
    Product,
    /// The most frequent value, the smallest of several.
    Mode,
    /// The first value that is not null.
    First,
    /// The last value that is not null.
    Last,
    /// The row at a position, null or not; counted from the end if negative.
    Nth(i64),
    /// The position in the frame of the first row with the smallest value.
    ArgMin,
    /// The position in the frame of the first row with the largest value.
    ArgMax,
    /// All rows of the group as a list, nulls included.
    Collect,
    /// The distinct values as a list, in order of first appearance.
    CollectUnique,
    /// The largest values as a list, in descending order.
    TopK(u64),
    /// The smallest values as a list, in ascending order.
    BottomK(u64),
}

/// What a quantile is if it lies between two values.
///
/// # Source
/// pandas `Series.quantile`, cudf/types.hpp `interpolation`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Interpolation {
    /// On the straight line between them.
    #[default]
    Linear,
    /// The lower one.
    Lower,
    /// The higher one.
    Higher,
    /// The nearer one; of two equally near ones, the one at an even position.
    Nearest,
    /// Their mean.
    Midpoint,
}

impl Interpolation {
    /// Whether the result is one of the values.
    pub(crate) const fn picks_value(self) -> bool {
        !matches!(self, Interpolation::Linear | Interpolation::Midpoint)
    }

    const fn name(self) -> &'static str {
        match self {
            Interpolation::Linear => "linear",
            Interpolation::Lower => "lower",
            Interpolation::Higher => "higher",
            Interpolation::Nearest => "nearest",
            Interpolation::Midpoint => "midpoint",
        }
    }
}

impl Statistic {
    /// Its name.
    pub const fn name(&self) -> &'static str {
        match self {
            Statistic::Var { .. } => "var",
            Statistic::Std { .. } => "std",
            Statistic::Sem { .. } => "sem",
            Statistic::Skew => "skew",
            Statistic::Kurt => "kurt",
            Statistic::Cov { .. } => "cov",
            Statistic::Corr => "corr",
            Statistic::Kendall => "kendall",
            Statistic::Any => "any",
            Statistic::All => "all",
            Statistic::NUnique => "nunique",
            Statistic::Quantile { .. } => "quantile",
            Statistic::Quantiles { .. } => "quantiles",
            Statistic::Histogram { .. } => "histogram",
            Statistic::Product => "product",
            Statistic::Mode => "mode",
            Statistic::First => "first",
            Statistic::Last => "last",
            Statistic::Nth(_) => "nth",
            Statistic::ArgMin => "arg_min",
            Statistic::ArgMax => "arg_max",
            Statistic::Collect => "collect",
            Statistic::CollectUnique => "collect_unique",
            Statistic::TopK(_) => "top_k",
            Statistic::BottomK(_) => "bottom_k",
        }
    }

    /// The dtype of the result over values of `dtype`.
    ///
    /// # Errors
    /// [`Error::UnsupportedDType`]; [`Error::InvalidArgument`] for a quantile outside 0 to 1.
    pub(crate) fn dtype(&self, dtype: &DType) -> Result<DType> {
        let refused = || Err(Error::UnsupportedDType { dtype: dtype.clone() });
        let values = dtype.logical();
        // Nulls alone are skipped, as among numbers.
        let is_number = values.is_numeric() || matches!(values, DType::Bool | DType::Null);
        match *self {
            Statistic::Product => product_dtype(dtype),
            Statistic::Histogram { ref edges } => {
                crate::binning::check_edges(edges)?;
                if values.is_numeric() || *values == DType::Null {
                    Ok(DType::list(DType::Int64))
                } else {
                    refused()
                }
            }
            Statistic::Quantiles { ref qs, interpolation } => {
                let dtype = if *values == DType::Null { &DType::Float64 } else { dtype };
                // Of no shares too.
                let mut of_one = Statistic::Quantile { q: 0.0, interpolation }.dtype(dtype)?;
                for &q in qs.iter() {
                    of_one = Statistic::Quantile { q, interpolation }.dtype(dtype)?;
                }
                Ok(DType::list(of_one))
            }
            Statistic::Std { .. } | Statistic::Sem { .. } if !is_number => match distance(values) {
                Some(durations) => Ok(durations),
                None => refused(),
            },
            Statistic::Var { .. }
            | Statistic::Std { .. }
            | Statistic::Sem { .. }
            | Statistic::Skew
            | Statistic::Kurt
            | Statistic::Cov { .. }
            | Statistic::Corr => {
                if is_number {
                    Ok(DType::Float64)
                } else {
                    refused()
                }
            }
            Statistic::Any | Statistic::All => {
                if is_number || matches!(values, DType::Duration(_)) {
                    Ok(DType::Bool)
                } else {
                    refused()
                }
            }
            Statistic::Quantile { q, .. } if !(0.0..=1.0).contains(&q) => Err(Error::InvalidArgument {
                name: "q",
                reason: format!("a quantile is between 0 and 1, and not {q}"),
            }),
            Statistic::Quantile { .. } if values.is_nested() => refused(),
            Statistic::Quantile { interpolation, .. } if interpolation.picks_value() => Ok(dtype.clone()),
            Statistic::Quantile { .. } if is_number => Ok(DType::Float64),
            Statistic::Quantile { .. } if distance(values).is_some() => Ok(values.clone()),
            Statistic::Quantile { .. } => refused(),
            Statistic::Kendall => Ok(DType::Float64),
            Statistic::NUnique | Statistic::ArgMin | Statistic::ArgMax => Ok(DType::Int64),
            Statistic::Mode | Statistic::First | Statistic::Last | Statistic::Nth(_) => Ok(dtype.clone()),
            Statistic::Collect | Statistic::CollectUnique | Statistic::TopK(_) | Statistic::BottomK(_) => {
                Ok(DType::list(dtype.clone()))
            }
        }
    }

    /// The expression as text.
    pub(crate) fn fmt(&self, arguments: &[Expr], f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some((first, rest)) = arguments.split_first() else { return f.write_str(self.name()) };
        write!(f, "{first}.{}(", self.name())?;
        match *self {
            Statistic::Quantiles { ref qs, .. } => write!(f, "{qs:?}")?,
            Statistic::Histogram { ref edges } => write!(f, "{edges:?}")?,
            Statistic::Quantile { q, interpolation: Interpolation::Linear } => write!(f, "{q}")?,
            Statistic::Quantile { q, interpolation } => write!(f, "{q}, {}", interpolation.name())?,
            Statistic::Nth(position) => write!(f, "{position}")?,
            Statistic::TopK(k) | Statistic::BottomK(k) => write!(f, "{k}")?,
            Statistic::Var { ddof } | Statistic::Std { ddof } | Statistic::Sem { ddof } if ddof != 1 => {
                write!(f, "ddof={ddof}")?;
            }
            Statistic::Var { .. }
            | Statistic::Std { .. }
            | Statistic::Sem { .. }
            | Statistic::Skew
            | Statistic::Kurt
            | Statistic::Cov { .. }
            | Statistic::Corr
            | Statistic::Kendall
            | Statistic::Any
            | Statistic::All
            | Statistic::NUnique
            | Statistic::Mode
            | Statistic::Product
            | Statistic::First
            | Statistic::Last
            | Statistic::ArgMin
            | Statistic::ArgMax
            | Statistic::Collect
            | Statistic::CollectUnique => {}
        }
        for argument in rest {
            write!(f, "{argument}")?;
        }
        if let Statistic::Cov { ddof } = *self
            && ddof != 1
        {
            write!(f, ", ddof={ddof}")?;
        }
        f.write_str(")")
    }
}

impl Expr {
    pub(super) fn statistic(self, statistic: Statistic) -> Expr {
        Expr::new(Node::Statistic(statistic, vec![self]))
    }

    /// The sample variance of a group, with one degree of freedom less than values; null for fewer than two values.
    /// Nulls are skipped; NaN gives NaN. `float64`.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("x").var())?, "2.0 2.0 2.0");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The aggregating method: `UnsupportedDType` for values that are neither numbers nor booleans.
    ///
    /// # Source
    /// pandas `GroupBy.var`.
    pub fn var(self) -> Expr {
        self.var_ddof(1)
    }

    /// The variance of a group, divided by the number of values less `ddof`; null if that is not positive.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("x").var_ddof(0))?, "1.0 1.0 1.0");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The aggregating method: `UnsupportedDType` for values that are neither numbers nor booleans.
    ///
    /// # Source
    /// pandas `GroupBy.var(ddof)`.
    pub fn var_ddof(self, ddof: u32) -> Expr {
        self.statistic(Statistic::Var { ddof })
    }

    /// The sample standard deviation of a group; null for fewer than two values. `float64`; of dates, timestamps, times of day and
    /// durations a duration of their unit, of dates in seconds, rounded towards zero.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("x").std().round(3))?, "1.414 1.414 1.414");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The aggregating method: `UnsupportedDType` for values that are neither numbers nor booleans.
    ///
    /// # Source
    /// pandas `GroupBy.std`.
    pub fn std(self) -> Expr {
        self.std_ddof(1)
    }

    /// The square root of [`var_ddof`](Self::var_ddof).
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("x").std_ddof(0))?, "1.0 1.0 1.0");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The aggregating method: `UnsupportedDType` for values that are neither numbers nor booleans.
    ///
    /// # Source
    /// pandas `GroupBy.std(ddof)`.
    pub fn std_ddof(self, ddof: u32) -> Expr {
        self.statistic(Statistic::Std { ddof })
    }

    /// The standard error of the mean of a group; null for fewer than two values. `float64`, or a duration as of
    /// [`std`](Self::std).
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("x").sem())?, "1.0 1.0 1.0");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The aggregating method: `UnsupportedDType` for values that are neither numbers nor booleans.
    ///
    /// # Source
    /// pandas `GroupBy.sem`.
    pub fn sem(self) -> Expr {
        self.sem_ddof(1)
    }

    /// The square root of [`var_ddof`](Self::var_ddof) divided by the number of values.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("x").sem_ddof(0).round(3))?, "0.707 0.707 0.707");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The aggregating method: `UnsupportedDType` for values that are neither numbers nor booleans.
    ///
    /// # Source
    /// pandas `GroupBy.sem(ddof)`.
    pub fn sem_ddof(self, ddof: u32) -> Expr {
        self.statistic(Statistic::Sem { ddof })
    }

    /// The skewness of a group, corrected for bias; null for fewer than three values and for equal ones. `float64`.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("y").skew().round(3))?, "-1.458 -1.458 -1.458");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The aggregating method: `UnsupportedDType` for values that are neither numbers nor booleans.
    ///
    /// # Source
    /// pandas `GroupBy.skew`.
    pub fn skew(self) -> Expr {
        self.statistic(Statistic::Skew)
    }

    /// The excess kurtosis of a group, corrected for bias; null for fewer than four values and for equal ones.
    /// `float64`.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("y").kurt())?, "<NA> <NA> <NA>");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The aggregating method: `UnsupportedDType` for values that are neither numbers nor booleans.
    ///
    /// # Source
    /// pandas `Series.kurt`.
    pub fn kurt(self) -> Expr {
        self.statistic(Statistic::Kurt)
    }

    /// The sample covariance of two expressions over the rows of a group where both are valid; null for fewer than two.
    /// `float64`.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("x").cov(col("y")))?, "-4.0 -4.0 -4.0");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The aggregating method: `UnsupportedDType` for values that are neither numbers nor booleans.
    ///
    /// # Source
    /// pandas `Series.cov`.
    pub fn cov(self, other: impl Into<Expr>) -> Expr {
        self.cov_ddof(other, 1)
    }

    /// The covariance of two expressions over the rows of a group where both are valid, divided by the number of these less
    /// `ddof`; null if that is not positive.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("x").cov_ddof(col("y"), 0))?, "-2.0 -2.0 -2.0");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The aggregating method: `UnsupportedDType` for values that are neither numbers nor booleans.
    ///
    /// # Source
    /// pandas `Series.cov(ddof)`.
    pub fn cov_ddof(self, other: impl Into<Expr>, ddof: u32) -> Expr {
        Expr::new(Node::Statistic(Statistic::Cov { ddof }, vec![self, other.into()]))
    }

    /// Pearson's correlation of two expressions over the rows of a group where both are valid; null for fewer than two,
    /// NaN if one of them is constant. `float64`.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("x").corr(col("y")).round(3))?, "-1.0 -1.0 -1.0");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The aggregating method: `UnsupportedDType` for values that are neither numbers nor booleans.
    ///
    /// # Source
    /// pandas `Series.corr`.
    pub fn corr(self, other: impl Into<Expr>) -> Expr {
        Expr::new(Node::Statistic(Statistic::Corr, vec![self, other.into()]))
    }

    /// Spearman's correlation of two expressions: that of their [ranks](Expr::rank) among the rows of a group where both are valid,
    /// equal values sharing the mean of their ranks. Null for fewer than two rows, NaN if one of them is constant; NaN is the
    /// greatest value. `float64`. Keeps the label.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("x").spearman(col("y")).round(3))?, "-1.0 -1.0 -1.0");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// None of its own: every dtype has ranks.
    ///
    /// # Source
    /// pandas `Series.corr(method="spearman")`.
    pub fn spearman(self, other: impl Into<Expr>) -> Expr {
        let (label, other) = (self.label(), other.into());
        let both = self.clone().is_not_null().and(other.clone().is_not_null());
        let ranks = |values: Expr| {
            when(both.clone()).then(values).otherwise(lit(Literal::Null)).rank(Rank::default())
        };
        let (ranks, of_other) = (ranks(self), ranks(other));
        ranks.corr(of_other).alias(label)
    }

    /// Kendall's correlation of two expressions, tau-b: of the pairs of rows of a group where both are valid, those that both
    /// expressions order alike less those that they order otherwise, divided by the geometric mean of the numbers of pairs that
    /// one of them orders. Null for fewer than two rows, NaN if one of them is constant; NaN is the greatest value. `float64`.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("x").kendall(col("y")))?, "-1.0 -1.0 -1.0");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// None of its own: every dtype has an order.
    ///
    /// # Source
    /// pandas `Series.corr(method="kendall")`, `SciPy`'s `kendalltau`.
    pub fn kendall(self, other: impl Into<Expr>) -> Expr {
        Expr::new(Node::Statistic(Statistic::Kendall, vec![self, other.into()]))
    }

    /// Whether a value of a group is true, or not zero; false without values. NaN is not zero.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("flag").any())?, "true true true");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The aggregating method: `UnsupportedDType` for values that are neither numbers nor booleans.
    ///
    /// # Source
    /// pandas `GroupBy.any`.
    pub fn any(self) -> Expr {
        self.statistic(Statistic::Any)
    }

    /// Whether all values of a group are true, or not zero; true without values.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("flag").all())?, "false false false");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The aggregating method: `UnsupportedDType` for values that are neither numbers nor booleans.
    ///
    /// # Source
    /// pandas `GroupBy.all`.
    pub fn all(self) -> Expr {
        self.statistic(Statistic::All)
    }

    /// The number of distinct values of a group, nulls not counted. NaNs are one value, −0.0 is 0.0. `int64`.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("word").nunique())?, "2 2 2");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The aggregating method, when memory runs out.
    ///
    /// # Source
    /// pandas `GroupBy.nunique`.
    pub fn nunique(self) -> Expr {
        self.statistic(Statistic::NUnique)
    }

    /// The median of a group: the middle value, or the mean of the two middle ones; null without values. Numbers give
    /// `float64`, dates, timestamps and durations their own dtype, rounded towards zero. NaN is the largest value.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("x").median())?, "2.0 2.0 2.0");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The aggregating method: `UnsupportedDType` for strings, binary values, lists and structs.
    ///
    /// # Source
    /// pandas `GroupBy.median`.
    pub fn median(self) -> Expr {
        self.quantile(0.5)
    }

    /// The quantile `q`, 0 to 1, of a group, between two values on the line between them; null without values. Dtypes as
    /// [`median`](Self::median).
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("y").quantile(0.75))?, "4.5 4.5 4.5");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The aggregating method: `InvalidArgument` for a quantile outside 0 to 1; `UnsupportedDType` for strings, binary values,
    /// lists and structs.
    ///
    /// # Source
    /// pandas `GroupBy.quantile`.
    pub fn quantile(self, q: f64) -> Expr {
        self.quantile_with(q, Interpolation::Linear)
    }

    /// The quantile `q`, 0 to 1, of a group. If `interpolation` picks a value, any dtype that has an order is possible and
    /// the result has that dtype.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col, Interpolation};
    /// assert_eq!(show(col("y").quantile_with(0.75, Interpolation::Lower))?, "4 4 4");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The aggregating method: `InvalidArgument` for a quantile outside 0 to 1; `UnsupportedDType` for lists and structs, and for
    /// strings and binary values if `interpolation` computes a value.
    ///
    /// # Source
    /// pandas `GroupBy.quantile(interpolation)`.
    pub fn quantile_with(self, q: f64, interpolation: Interpolation) -> Expr {
        self.statistic(Statistic::Quantile { q, interpolation })
    }

    /// The quantiles `qs`, each 0 to 1, of a group as a list in their order, as [`quantile`](Self::quantile).
    /// Without values the list has nulls.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// // Rows of a frame get that of all rows.
    /// assert_eq!(show(col("y").quantiles([0.0, 0.75]))?, "[0.0, 4.5] [0.0, 4.5] [0.0, 4.5]");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The aggregating method: `InvalidArgument` for a quantile outside 0 to 1; `UnsupportedDType` for strings, binary values,
    /// lists and structs.
    ///
    /// # Source
    /// Polars `Expr.quantile([…])`, pandas `Series.quantile([…])`.
    pub fn quantiles(self, qs: impl IntoIterator<Item = f64>) -> Expr {
        self.quantiles_with(qs, Interpolation::Linear)
    }

    /// The quantiles `qs`, each 0 to 1, of a group as a list, as [`quantile_with`](Self::quantile_with).
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col, Interpolation};
    /// assert_eq!(show(col("y").quantiles_with([0.0, 0.75], Interpolation::Higher))?, "[0, 5] [0, 5] [0, 5]");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The aggregating method: `InvalidArgument` for a quantile outside 0 to 1; `UnsupportedDType` for lists and structs, and for
    /// strings and binary values if `interpolation` computes a value.
    ///
    /// # Source
    /// Polars `Expr.quantile([…], interpolation)`.
    pub fn quantiles_with(self, qs: impl IntoIterator<Item = f64>, interpolation: Interpolation) -> Expr {
        self.statistic(Statistic::Quantiles { qs: qs.into_iter().collect(), interpolation })
    }

    /// The number of values of a group in each bin between two of `edges`, which ascend, as a list of `int64`. A bin has its
    /// upper edge, and the first one its lower edge too. Nulls, NaN and values outside of all bins are not counted.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// // Rows of a frame get that of all rows.
    /// assert_eq!(show(col("x").histogram([0.0, 2.0, 9.0]))?, "[1, 1] [1, 1] [1, 1]");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The aggregating method: `UnsupportedDType` for values that are no numbers; `InvalidArgument` for edges that do not ascend,
    /// or fewer than two.
    ///
    /// # Source
    /// Polars `Expr.hist(bins)`, `numpy.histogram`.
    pub fn histogram(self, edges: impl IntoIterator<Item = f64>) -> Expr {
        self.statistic(Statistic::Histogram { edges: edges.into_iter().collect() })
    }

    /// The product over the rows of a group.
    ///
    /// Nulls are ignored; 1 if there are no valid values. Signed integers and booleans become `int64`, unsigned ones `uint64`,
    /// and wrap around; floats keep their dtype; decimals without digits after the point become `decimal(38, 0)`. Others become
    /// decimals of 38 digits, of which 19 are after the point, or as many as the values have: the product is exact or an error.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("x").product())?, "3 3 3");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The aggregating method: `UnsupportedDType` for other dtypes, and `Overflow` for a product of decimals that is not exact in
    /// its dtype, or whose factors have more than 38 digits in all, zeros at their ends not counted.
    ///
    /// # Source
    /// pandas `GroupBy.prod`, Polars `Expr.product`.
    pub fn product(self) -> Expr {
        self.statistic(Statistic::Product)
    }

    /// The sum over the rows of a group, null for fewer than `min_count` values.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("x").sum_min_count(3))?, "<NA> <NA> <NA>");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The aggregating method: `UnsupportedDType` for dtypes without a sum, `Overflow` for a sum of decimals of more than 38 digits.
    ///
    /// # Source
    /// pandas `GroupBy.sum(min_count)`.
    pub fn sum_min_count(self, min_count: u64) -> Expr {
        let sum = self.clone().sum();
        self.at_least(min_count, sum)
    }

    /// The product over the rows of a group, null for fewer than `min_count` values.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("x").product_min_count(2))?, "3 3 3");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The aggregating method: `UnsupportedDType` for dtypes without a product, `Overflow` for a product of decimals of more than
    /// 38 digits.
    ///
    /// # Source
    /// pandas `GroupBy.prod(min_count)`.
    pub fn product_min_count(self, min_count: u64) -> Expr {
        let product = self.clone().product();
        self.at_least(min_count, product)
    }

    fn at_least(self, min_count: u64, aggregate: Expr) -> Expr {
        let label = self.label();
        when(self.count().ge(min_count)).then(aggregate).otherwise(lit(Literal::Null)).alias(label)
    }
}
