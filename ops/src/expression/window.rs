//! Functions of rows that depend on other rows, and the groups within which they are computed.

use super::{Exponential, Expr, Literal, Node, Rolling, col, len, lit, when};
use crate::groupby::GroupOptions;
use columnade_columns::{DType, Label};
use std::fmt;

/// A function that gives one value for each row, from the rows of its group in their order.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum RowFunction {
    /// The number of the row in its group, from 1.
    RowNumber,
    /// An aggregate of the rows up to this one.
    Cumulative(Cumulative),
    /// The rank of the value in its group.
    Rank(Rank),
    /// The value this many rows before; after, if negative.
    Shift(i64),
    /// The value, or for a null the last valid one before it, at most this many rows before.
    FillForward(Option<u64>),
    /// The value, or for a null the first valid one after it, at most this many rows after.
    FillBackward(Option<u64>),
    /// The value, or for a null between two values that on the line between them.
    Interpolate,
    /// An aggregate of the rows of a window; by a column of times if it has a second argument.
    Rolling(Rolling),
    /// An aggregate of the rows up to this one with exponentially falling weights; of two columns if it has a second argument.
    Exponential(Exponential),
}

/// What is accumulated from row to row. Null rows stay null and do not enter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Cumulative {
    /// The sum.
    Sum,
    /// The least value.
    Min,
    /// The greatest value.
    Max,
    /// The number of values.
    Count,
    /// The product.
    Product,
}

/// How rows are ranked, from 1. Nulls have no rank.
///
/// # Source
/// pandas `Series.rank`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Rank {
    /// The rank of equal values.
    pub method: RankMethod,
    /// Whether the largest value is first.
    pub descending: bool,
    /// Whether ranks are shares of the number of values.
    pub pct: bool,
}

/// The rank of equal values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum RankMethod {
    /// The mean of their ranks, `float64`.
    #[default]
    Average,
    /// The lowest of their ranks.
    Min,
    /// The highest of their ranks.
    Max,
    /// As `Min`, and ranks follow each other without gaps.
    Dense,
    /// Ranks in the order of the rows.
    First,
}

impl RankMethod {
    /// The name, as pandas has it.
    pub const fn name(self) -> &'static str {
        match self {
            RankMethod::Average => "average",
            RankMethod::Min => "min",
            RankMethod::Max => "max",
            RankMethod::Dense => "dense",
            RankMethod::First => "first",
        }
    }
}

impl Rank {
    /// The dtype of ranks.
    pub(crate) fn dtype(self) -> DType {
        if self.pct || self.method == RankMethod::Average { DType::Float64 } else { DType::Int64 }
    }
}

/// The method, and what is not the default.
impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let method = Some(self.method).filter(|method| *method != RankMethod::Average);
        let descending = self.descending.then_some("descending");
        let options = [method.map(RankMethod::name), descending, self.pct.then_some("pct")];
        for (position, option) in options.into_iter().flatten().enumerate() {
            write!(f, "{}{option}", if position == 0 { "" } else { ", " })?;
        }
        Ok(())
    }
}

impl RowFunction {
    /// The name of the method that builds it.
    pub const fn name(self) -> &'static str {
        match self {
            RowFunction::RowNumber => "row_number",
            RowFunction::Cumulative(Cumulative::Sum) => "cum_sum",
            RowFunction::Cumulative(Cumulative::Min) => "cum_min",
            RowFunction::Cumulative(Cumulative::Max) => "cum_max",
            RowFunction::Cumulative(Cumulative::Count) => "cum_count",
            RowFunction::Cumulative(Cumulative::Product) => "cum_product",
            RowFunction::Rank(_) => "rank",
            RowFunction::Shift(_) => "shift",
            RowFunction::FillForward(_) => "fill_forward",
            RowFunction::FillBackward(_) => "fill_backward",
            RowFunction::Interpolate => "interpolate",
            RowFunction::Rolling(rolling) => rolling.aggregate.method(),
            RowFunction::Exponential(exponential) => exponential.aggregate.method(),
        }
    }

    pub(crate) fn fmt(self, arguments: &[Expr], f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(argument) = arguments.first() {
            write!(f, "{argument}.")?;
        }
        write!(f, "{}(", self.name())?;
        match self {
            RowFunction::Shift(n) => write!(f, "{n}")?,
            RowFunction::Rolling(rolling) => {
                write!(f, "{rolling}")?;
                if let Some(times) = arguments.get(1) {
                    write!(f, ", by {times}")?;
                }
            }
            RowFunction::Exponential(exponential) => write!(f, "{exponential}")?,
            RowFunction::FillForward(Some(limit)) | RowFunction::FillBackward(Some(limit)) => {
                write!(f, "{limit}")?;
            }
            RowFunction::Rank(rank) => write!(f, "{rank}")?,
            RowFunction::RowNumber
            | RowFunction::Cumulative(_)
            | RowFunction::FillForward(_)
            | RowFunction::FillBackward(_)
            | RowFunction::Interpolate => {}
        }
        f.write_str(")")
    }
}

/// A key of [`Expr::over`]: a column by its label, or an expression.
#[derive(Clone, Debug)]
pub struct Key(Expr);

macro_rules! from_labels {
    ($($ty:ty),*) => {
        $(impl From<$ty> for Key {
            fn from(label: $ty) -> Self {
                Self(col(label))
            }
        })*
    };
}

from_labels!(&str, &String, String, &Label, Label);

impl From<Expr> for Key {
    fn from(expr: Expr) -> Self {
        Self(expr)
    }
}

/// One or several keys: what [`Expr::over`] takes. The parameter is inferred.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a key",
    label = "expected a label, an expression, or several of them",
    note = "one key is `\"a\"` or `col(\"a\") % 2`, several are `[\"a\", \"b\"]` or `(\"a\", col(\"b\") % 2)`"
)]
pub trait IntoKeys<Kind> {
    /// The keys, in order.
    fn into_keys(self) -> Vec<Expr>;
}

/// The kind of one key.
#[derive(Clone, Copy, Debug)]
pub struct OneKey;
/// The kind of several keys.
#[derive(Clone, Copy, Debug)]
pub struct ManyKeys;
/// The kind of several keys in a tuple.
#[derive(Clone, Copy, Debug)]
pub struct TupleOfKeys;

impl<K: Into<Key>> IntoKeys<OneKey> for K {
    fn into_keys(self) -> Vec<Expr> {
        vec![self.into().0]
    }
}

impl<K: Into<Key>, I: IntoIterator<Item = K>> IntoKeys<ManyKeys> for I {
    fn into_keys(self) -> Vec<Expr> {
        self.into_iter().map(|key| key.into().0).collect()
    }
}

macro_rules! tuples {
    ($(($($name:ident)*))*) => {
        $(#[diagnostic::do_not_recommend]
        impl<$($name: Into<Key>),*> IntoKeys<TupleOfKeys> for ($($name,)*) {
            fn into_keys(self) -> Vec<Expr> {
                #[expect(non_snake_case, reason = "a value is named as its type")]
                let ($($name,)*) = self;
                vec![$($name.into().0),*]
            }
        })*
    };
}

tuples! { (A) (A B) (A B C) (A B C D) (A B C D E) (A B C D E F) (A B C D E F G) (A B C D E F G H) }

/// The number of each row, from 1; by group with [`over`](Expr::over). `int64`.
///
/// # Source
/// SQL `row_number()`.
pub fn row_number() -> Expr {
    Expr::new(Node::RowFunction(RowFunction::RowNumber, vec![]))
}

impl Expr {
    /// Whether each row of the result depends on the same row of the columns alone: false for aggregates and row functions.
    pub fn is_row_wise(&self) -> bool {
        !crate::window::is_windowed(self)
    }

    fn row_function(self, function: RowFunction) -> Expr {
        Expr::new(Node::RowFunction(function, vec![self]))
    }

    /// Computes the aggregates and row functions in this expression by group: each row has the value of its group, and
    /// the rows keep their order. Rows with a null key are null. Within another `over`, or an aggregate of groups, it is by the keys
    /// of both.
    ///
    /// ```
    /// use columnade_ops::expression::{col, row_number};
    ///
    /// let share = col("price") / col("price").sum().over("city");
    /// let number = row_number().over(["city", "street"]);
    /// let since = (col("n") - col("n").min()).over([col("city"), col("n") % 2]);
    /// assert_eq!(number.to_string(), "row_number().over([city, street])");
    /// # let _ = (share, since);
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `ColumnNotFound` for a key; those of the aggregates and row functions.
    ///
    /// # Source
    /// pandas `GroupBy.transform`, Polars `Expr.over`, SQL `OVER (PARTITION BY …)`.
    pub fn over<Kind>(self, keys: impl IntoKeys<Kind>) -> Expr {
        self.over_with(keys, GroupOptions::default())
    }

    /// [`over`](Self::over) with options: with [`NullKeys::Group`](crate::groupby::NullKeys::Group) rows with a null key form groups, in
    /// which nulls are equal.
    ///
    /// ```
    /// use columnade_ops::expression::col;
    /// use columnade_ops::groupby::{GroupOptions, NullKeys};
    ///
    /// let of_city = col("n").sum().over_with("city", GroupOptions { null_keys: NullKeys::Group });
    /// assert_eq!(of_city.to_string(), "n.sum().over([city], dropna=false)");
    /// ```
    ///
    /// # Errors
    /// As [`over`](Self::over).
    ///
    /// # Source
    /// pandas `groupby(dropna=False).transform`.
    pub fn over_with<Kind>(self, keys: impl IntoKeys<Kind>, options: GroupOptions) -> Expr {
        Expr::new(Node::Over(self, keys.into_keys(), options.null_keys))
    }

    /// The sum of the values up to each row. Nulls stay null. Dtypes as [`sum`](Self::sum).
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("x").cum_sum())?, "1 <NA> 4");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for dtypes without a sum.
    ///
    /// # Source
    /// pandas `cumsum`.
    pub fn cum_sum(self) -> Expr {
        self.row_function(RowFunction::Cumulative(Cumulative::Sum))
    }

    /// The smallest of the values up to each row. Nulls stay null, NaN stays NaN; neither enters.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("y").cum_min())?, "4 4 0");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for lists and structs.
    ///
    /// # Source
    /// pandas `cummin`.
    pub fn cum_min(self) -> Expr {
        self.row_function(RowFunction::Cumulative(Cumulative::Min))
    }

    /// The largest of the values up to each row. Nulls stay null, NaN stays NaN; neither enters.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("x").cum_max())?, "1 <NA> 3");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for lists and structs.
    ///
    /// # Source
    /// pandas `cummax`.
    pub fn cum_max(self) -> Expr {
        self.row_function(RowFunction::Cumulative(Cumulative::Max))
    }

    /// The product of the values up to each row. Nulls stay null. Dtypes as [`product`](Self::product); integers wrap around.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("x").cum_product())?, "1 <NA> 3");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for dtypes without a product.
    ///
    /// # Source
    /// pandas `cumprod`.
    pub fn cum_product(self) -> Expr {
        self.row_function(RowFunction::Cumulative(Cumulative::Product))
    }

    /// The number of valid values up to each row. `int64`; never null.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("x").cum_count())?, "1 1 2");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// None of its own: it takes every dtype.
    ///
    /// # Source
    /// Polars `cum_count`, SQL `count(x) OVER (ROWS UNBOUNDED PRECEDING)`.
    pub fn cum_count(self) -> Expr {
        self.row_function(RowFunction::Cumulative(Cumulative::Count))
    }

    /// The rank of each value, from 1, equal ones by `rank`; null for nulls. `int64`, or `float64` for averages and
    /// shares.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col, Rank};
    /// let rank = col("y").rank(Rank { descending: true, ..Rank::default() });
    /// assert_eq!(show(rank.clone())?, "2.0 1.0 3.0");
    /// assert_eq!(rank.to_string(), "y.rank(descending)");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// None of its own: it takes every dtype.
    ///
    /// # Source
    /// pandas `rank`.
    pub fn rank(self, rank: Rank) -> Expr {
        self.row_function(RowFunction::Rank(rank))
    }

    /// The value `n` rows before, or after if `n` is negative; null if there is no such row.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("y").shift(1))?, "<NA> 4 5");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// None of its own: it takes every dtype.
    ///
    /// # Source
    /// pandas `shift`.
    pub fn shift(self, n: i64) -> Expr {
        self.row_function(RowFunction::Shift(n))
    }

    /// [`shift`](Self::shift), where rows without such a row have `fill`; by group with [`over`](Self::over). Keeps the
    /// label.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("y").shift_or(1, 7))?, "7 4 5");
    /// assert_eq!(show(col("y").shift_or(-2, 7))?, "0 7 7");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `DTypeMismatch` for a fill without a dtype in common with the values.
    ///
    /// # Source
    /// pandas `shift(fill_value=…)`.
    pub fn shift_or(self, n: i64, fill: impl Into<Expr>) -> Expr {
        let label = self.label();
        let is_beyond =
            if n < 0 { (len() - row_number()).lt(n.saturating_neg()) } else { row_number().le(n) };
        when(is_beyond).then(fill).otherwise(self.shift(n)).alias(label)
    }

    /// The difference from the value `n` rows before; null if there is no such row. Keeps the label. Unsigned integers wrap
    /// around: cast them first.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("y").diff(1))?, "<NA> 1 -5");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for values that are not subtracted, such as strings and booleans.
    ///
    /// # Source
    /// pandas `diff`.
    pub fn diff(self, n: i64) -> Expr {
        let label = self.label();
        (self.clone() - self.shift(n)).alias(label)
    }

    /// The change from the value `n` rows before as a share of it; null if there is no such row. Keeps the label.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("y").pct_change(1))?, "<NA> 0.25 -1.0");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for values that are not divided.
    ///
    /// # Source
    /// pandas `pct_change`.
    pub fn pct_change(self, n: i64) -> Expr {
        let label = self.label();
        (self.clone() / self.shift(n) - 1).alias(label)
    }

    /// The values with each null replaced by the last valid value before it, at most `limit` rows before.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("x").fill_forward(None))?, "1 1 3");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// None of its own: it takes every dtype.
    ///
    /// # Source
    /// pandas `ffill`.
    pub fn fill_forward(self, limit: Option<u64>) -> Expr {
        self.row_function(RowFunction::FillForward(limit))
    }

    /// The values with each null replaced by the first valid value after it, at most `limit` rows after.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("x").fill_backward(Some(1)))?, "1 3 3");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// None of its own: it takes every dtype.
    ///
    /// # Source
    /// pandas `bfill`.
    pub fn fill_backward(self, limit: Option<u64>) -> Expr {
        self.row_function(RowFunction::FillBackward(limit))
    }

    /// Numbers with each null between two valid ones replaced by the number on the line between these, by the position of the
    /// rows; by group with [`over`](Self::over). Dates, timestamps, durations and times of day likewise, in whole units, rounded
    /// down.
    ///
    /// `float64`, of `float32` and of times their own dtype. Nulls before the first and after the last number stay: `fill_forward` after it gives what pandas gives by
    /// default. NaN is a number.
    ///
    /// ```
    /// use columnade_buffers::Exec;
    /// use columnade_columns::{Column, ColumnAccessor};
    /// use columnade_ops::expression::{col, evaluate};
    ///
    /// let exec = Exec::host();
    /// let n = Column::from_options([None, Some(2_i64), None, None, Some(8)], &exec)?;
    /// let frame = ColumnAccessor::from_columns([("n", n)])?;
    /// let (_, found) = evaluate(&[col("n").interpolate()], &frame, &exec)?.swap_remove(0);
    /// assert_eq!(found.to_options::<f64>()?, [None, Some(2.0), Some(4.0), Some(6.0), Some(8.0)]);
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for what is neither a number nor a time; `Overflow` for times that are further
    /// apart than 64 bits count.
    ///
    /// # Source
    /// pandas `interpolate(limit_area="inside")`, Polars `interpolate`.
    pub fn interpolate(self) -> Expr {
        self.row_function(RowFunction::Interpolate)
    }

    /// [`interpolate`](Self::interpolate) of at most `limit` nulls after each number; those after them stay. Keeps the label.
    ///
    /// ```
    /// use columnade_buffers::Exec;
    /// use columnade_columns::{Column, ColumnAccessor};
    /// use columnade_ops::expression::{col, evaluate};
    ///
    /// let exec = Exec::host();
    /// let n = Column::from_options([Some(2_i64), None, None, Some(8)], &exec)?;
    /// let frame = ColumnAccessor::from_columns([("n", n)])?;
    /// let (_, found) = evaluate(&[col("n").interpolate_limit(1)], &frame, &exec)?.swap_remove(0);
    /// assert_eq!(found.to_options::<f64>()?, [Some(2.0), Some(4.0), None, Some(8.0)]);
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for what is neither a number nor a time; `Overflow` for times that are further
    /// apart than 64 bits count.
    ///
    /// # Source
    /// pandas `interpolate(limit=…, limit_area="inside")`.
    pub fn interpolate_limit(self, limit: u64) -> Expr {
        let label = self.label();
        let is_near = self.clone().fill_forward(Some(limit)).is_not_null();
        when(is_near).then(self.interpolate()).otherwise(lit(Literal::Null)).alias(label)
    }
}
