//! Functions and methods that build expressions.

use super::node::Depth;
use super::{
    Aggregation, Arithmetic, Comparison, Expr, Function, IntoMembers, Literal, Node, decimal_string,
};
use crate::cast::{CastErrors, CastMode};
use columnade_columns::{DType, Error, Label, MAX_PRECISION, Result, Scalar};
use std::sync::Arc;

/// The column with a label: `"a"`, `1998` or `("a", "x")`.
///
/// Dictionaries are read as their values, decimals in the width of results.
///
/// ```
/// # use columnade_ops::expression::{example::show, col};
/// assert_eq!(show(col("x"))?, "1 <NA> 3");
/// # Ok::<(), columnade_columns::Error>(())
/// ```
///
/// # Errors
/// The evaluating method: an error that names the label and those that there are.
///
/// # Source
/// Polars `col`.
pub fn col(label: impl Into<Label>) -> Expr {
    Expr::new(Node::Column(label.into()))
}

/// A constant. It takes the dtype of the column that it is combined with where its value fits; see [`Literal`].
///
/// A [`DeviceScalar`](columnade_columns::DeviceScalar) keeps its dtype, as a column does. It is not read by the host: its
/// device repeats it in each row, by one launch and without a synchronisation.
///
/// # Source
/// Polars `lit`; cudf/scalar/scalar.hpp.
pub fn lit(value: impl Into<Literal>) -> Expr {
    Expr::new(Node::Literal(value.into()))
}

/// An exact decimal constant such as `"0.06"`, with the smallest precision for its digits.
///
/// ```
/// # use columnade_ops::expression::{example::show, col, lit_decimal};
/// assert_eq!(show(lit_decimal("1.10")? * col("x"))?, "1.10 <NA> 3.30");
/// # Ok::<(), columnade_columns::Error>(())
/// ```
///
/// # Errors
/// [`Error::Parse`] if the text is not a plain decimal number of at most 38 digits.
pub fn lit_decimal(text: &str) -> Result<Expr> {
    match decimal_string::parse(text) {
        Some((value, scale)) => Ok(lit(Literal::Decimal { value, scale })),
        None => Err(Error::Parse { text: text.to_owned(), dtype: DType::decimal(MAX_PRECISION, 0)? }),
    }
}

/// A date constant such as `"1995-03-15"`: `date32`.
///
/// ```
/// # use columnade_ops::expression::{example::show, col, date};
/// assert_eq!(show(col("day").lt(date("1970-01-01")?))?, "false <NA> true");
/// # Ok::<(), columnade_columns::Error>(())
/// ```
///
/// # Errors
/// [`Error::Parse`] if the text is not a date of the form year-month-day.
pub fn date(text: &str) -> Result<Expr> {
    Ok(lit(Scalar::parse(&DType::Date32, text)?))
}

/// The number of rows of a group, null or not, as `int64`. Its label is `len`.
///
/// # Source
/// Polars `len()`, pandas `GroupBy.size()`, SQL `COUNT(*)`.
pub fn len() -> Expr {
    Expr::new(Node::Len)
}

/// Begins a conditional: `when(a).then(b).otherwise(c)`.
///
/// Where the condition is null, `otherwise` is taken. Both values are brought to their common dtype. A value that cannot be
/// computed, such as a number that does not fit its dtype or text that is no number, is an error only in rows that take it.
///
/// ```
/// # use columnade_ops::expression::{example::show, col, lit, when};
/// let size = when(col("x").gt(2)).then(lit(1)).otherwise(0);
/// assert_eq!(show(size)?, "0 0 1");
/// # Ok::<(), columnade_columns::Error>(())
/// ```
///
/// # Errors
/// The evaluating method: `NotBoolean` for a condition that is not boolean; `DTypeMismatch` for values without a common
/// dtype.
///
/// # Source
/// Polars `when`, SQL `CASE WHEN`.
pub fn when(condition: Expr) -> When {
    When { branches: Vec::new(), condition }
}

/// A conditional whose last condition has no value yet; see [`when`].
#[derive(Clone, Debug)]
pub struct When {
    /// The conditions before, with their values.
    branches: Vec<(Expr, Expr)>,
    condition: Expr,
}

/// A conditional with a value for each condition; see [`when`]. As an expression it is null in rows that met none:
///
/// ```
/// # use columnade_ops::expression::{example::show, col, when};
/// assert_eq!(show(when(col("x").gt(2)).then("large").into())?, "<NA> <NA> large");
/// # Ok::<(), columnade_columns::Error>(())
/// ```
#[derive(Clone, Debug)]
#[must_use = "it is an expression"]
pub struct Then {
    branches: Vec<(Expr, Expr)>,
}

impl When {
    /// The value if the condition is true.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col, when};
    /// assert_eq!(show(when(col("x").gt(2)).then(col("y")).otherwise(0))?, "0 0 0");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    pub fn then(self, value: impl Into<Expr>) -> Then {
        let Self { mut branches, condition } = self;
        branches.push((condition, value.into()));
        Then { branches }
    }

    /// The value otherwise. Rows where the condition is true are null, for want of a [`When::then`].
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col, when};
    /// assert_eq!(show(when(col("x").gt(2)).otherwise(col("x")))?, "1 <NA> <NA>");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// Same as [`Then::otherwise`].
    pub fn otherwise(self, value: impl Into<Expr>) -> Expr {
        self.then(Literal::Null).otherwise(value)
    }
}

impl Then {
    /// A further condition, for rows that met none before.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col, when};
    /// let size = when(col("x").gt(2)).then("large").when(col("x").gt(0)).then("small").otherwise("none");
    /// assert_eq!(show(size)?, "small none large");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Source
    /// Polars `when(…).then(…).when(…)`, SQL `case`.
    pub fn when(self, condition: Expr) -> When {
        When { branches: self.branches, condition }
    }

    /// The value of rows that met no condition.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col, when};
    /// assert_eq!(show(when(col("flag")).then("yes").otherwise("no"))?, "yes no no");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `NotBoolean` for a condition of another dtype, `DTypeMismatch` for values without a common
    /// dtype, `UnsupportedDType` for lists and structs.
    pub fn otherwise(self, value: impl Into<Expr>) -> Expr {
        self.branches.into_iter().rev().fold(value.into(), |otherwise, (condition, then)| {
            Expr::new(Node::When { condition, then, otherwise })
        })
    }
}

impl From<Then> for Expr {
    fn from(then: Then) -> Self {
        then.otherwise(Literal::Null)
    }
}

impl From<&Expr> for Expr {
    fn from(expr: &Expr) -> Self {
        expr.clone()
    }
}

impl<T: Into<Literal>> From<T> for Expr {
    fn from(value: T) -> Self {
        lit(value)
    }
}

impl Expr {
    pub(crate) fn new(node: Node) -> Expr {
        let depth = Depth::of(&node);
        Expr(Arc::new(node), depth)
    }

    fn compare(self, op: Comparison, other: impl Into<Expr>) -> Expr {
        Expr::new(Node::Compare(op, self, other.into()))
    }

    pub(crate) fn aggregate(self, aggregation: Aggregation) -> Expr {
        Expr::new(Node::Aggregate(aggregation, self))
    }

    /// Whether both sides are equal.
    ///
    /// Null where either side is null. Numbers and durations are compared by value whatever their dtypes, NaN is
    /// unequal to everything and neither less nor greater, as in pandas; strings by their bytes, `false` before `true`. Returns `bool`.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("x").eq(3))?, "false <NA> true");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `DTypeMismatch` for dtypes without a common dtype, such as strings and numbers.
    ///
    /// # Source
    /// pandas `Series.eq`, Polars `Expr.eq`.
    pub fn eq(self, other: impl Into<Expr>) -> Expr {
        self.compare(Comparison::Eq, other)
    }

    /// Whether the sides differ.
    ///
    /// Null where either side is null. Numbers and durations are compared by value whatever their dtypes, NaN is
    /// unequal to everything and neither less nor greater, as in pandas; strings by their bytes, `false` before `true`. Returns `bool`.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("x").ne(3))?, "true <NA> false");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `DTypeMismatch` for dtypes without a common dtype, such as strings and numbers.
    ///
    /// # Source
    /// pandas `Series.ne`, Polars `Expr.ne`.
    pub fn ne(self, other: impl Into<Expr>) -> Expr {
        self.compare(Comparison::Ne, other)
    }

    /// Whether this side is less.
    ///
    /// Null where either side is null. Numbers and durations are compared by value whatever their dtypes, NaN is
    /// unequal to everything and neither less nor greater, as in pandas; strings by their bytes, `false` before `true`. Returns `bool`.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("x").lt(col("y")))?, "true <NA> false");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `DTypeMismatch` for dtypes without a common dtype, such as strings and numbers.
    ///
    /// # Source
    /// pandas `Series.lt`, Polars `Expr.lt`.
    pub fn lt(self, other: impl Into<Expr>) -> Expr {
        self.compare(Comparison::Lt, other)
    }

    /// Whether this side is less or equal.
    ///
    /// Null where either side is null. Numbers and durations are compared by value whatever their dtypes, NaN is
    /// unequal to everything and neither less nor greater, as in pandas; strings by their bytes, `false` before `true`. Returns `bool`.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("x").le(1))?, "true <NA> false");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `DTypeMismatch` for dtypes without a common dtype, such as strings and numbers.
    ///
    /// # Source
    /// pandas `Series.le`, Polars `Expr.le`.
    pub fn le(self, other: impl Into<Expr>) -> Expr {
        self.compare(Comparison::Le, other)
    }

    /// Whether this side is greater.
    ///
    /// Null where either side is null. Numbers and durations are compared by value whatever their dtypes, NaN is
    /// unequal to everything and neither less nor greater, as in pandas; strings by their bytes, `false` before `true`. Returns `bool`.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("x").gt(1.5))?, "false <NA> true");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `DTypeMismatch` for dtypes without a common dtype, such as strings and numbers.
    ///
    /// # Source
    /// pandas `Series.gt`, Polars `Expr.gt`.
    pub fn gt(self, other: impl Into<Expr>) -> Expr {
        self.compare(Comparison::Gt, other)
    }

    /// Whether this side is greater or equal.
    ///
    /// Null where either side is null. Numbers and durations are compared by value whatever their dtypes, NaN is
    /// unequal to everything and neither less nor greater, as in pandas; strings by their bytes, `false` before `true`. Returns `bool`.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col, date};
    /// assert_eq!(show(col("day").ge(date("2024-01-01")?))?, "true <NA> false");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `DTypeMismatch` for dtypes without a common dtype, such as strings and numbers.
    ///
    /// # Source
    /// pandas `Series.ge`, Polars `Expr.ge`.
    pub fn ge(self, other: impl Into<Expr>) -> Expr {
        self.compare(Comparison::Ge, other)
    }

    /// Whether the value is in the closed range.
    ///
    /// Same as `ge(low)` and `le(high)`: null where the value is null, and where a bound is null unless the other one already
    /// decides. Returns `bool`.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("y").between(1, 4))?, "true false false");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// Same as [`ge`](Self::ge).
    ///
    /// # Source
    /// pandas `Series.between`, Polars `Expr.is_between`.
    pub fn between(self, low: impl Into<Expr>, high: impl Into<Expr>) -> Expr {
        self.clone().ge(low).and(self.le(high))
    }

    /// Whether the value is one of `values`: a list of them, or those of a column.
    ///
    /// False for every valid value if there are none; null where the value is null. Nulls among `values` are ignored, as in
    /// Polars (in SQL they make null of false), and NaN equals NaN. Returns `bool`, and keeps the label. A column may have other
    /// rows than the frame: filtering by it is a semi join, by its negation an anti join.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// # use columnade_buffers::Exec;
    /// # use columnade_columns::Column;
    /// assert_eq!(show(col("word").is_in(["oat", "rye"]))?, "false <NA> true");
    ///
    /// let keys = Column::from_values([3_i64, 8, 0, 5], &Exec::host())?;
    /// assert_eq!(show(col("y").is_in(&keys))?, "false true true");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// Same as [`eq`](Self::eq); for a column those of a join by it: `DTypeMismatch` for dtypes without a common key,
    /// except that whole numbers and floats are compared by value.
    ///
    /// # Device
    /// A comparison for each value of a list. Of a column, integers that lie close together become bits over their range, which
    /// one look-up a row reads in the pass over the rows; others a hash table, which another pass reads. Of a dictionary each value is
    /// looked up once.
    ///
    /// # Source
    /// pandas `Series.isin`, Polars `Expr.is_in`.
    pub fn is_in<Kind>(self, values: impl IntoMembers<Kind>) -> Expr {
        let label = self.label();
        values.contain(self).alias(label)
    }

    /// Kleene conjunction of booleans, as `&`.
    ///
    /// False where either side is false, even if the other is null; otherwise null where either is null. Returns `bool`. Of
    /// integers, the bits that both have: [`bit_and`](Expr::bit_and).
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("flag").and(col("x").gt(1)))?, "false <NA> false");
    /// assert_eq!(show(col("flag") & false)?, "false false false");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `NotBoolean` for an operand that is not boolean, unless both are integers.
    ///
    /// # Source
    /// Polars `Expr.and_`, SQL `AND`.
    pub fn and(self, other: impl Into<Expr>) -> Expr {
        Expr::new(Node::And(self, other.into()))
    }

    /// Kleene disjunction of booleans, as `|`.
    ///
    /// True where either side is true, even if the other is null; otherwise null where either is null. Returns `bool`. Of
    /// integers, the bits of both: [`bit_or`](Expr::bit_or).
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("flag").or(col("x").gt(1)))?, "true <NA> true");
    /// assert_eq!(show(col("flag") | true)?, "true true true");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `NotBoolean` for an operand that is not boolean, unless both are integers.
    ///
    /// # Source
    /// Polars `Expr.or_`, SQL `OR`.
    pub fn or(self, other: impl Into<Expr>) -> Expr {
        Expr::new(Node::Or(self, other.into()))
    }

    /// Whether the value is null.
    ///
    /// Of every dtype; `bool`, never null itself. NaN is not null.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("x").is_null())?, "false true false");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// None of its own: every dtype has nulls.
    ///
    /// # Source
    /// pandas `Series.isna`, Polars `Expr.is_null`.
    pub fn is_null(self) -> Expr {
        Expr::new(Node::IsNull(self))
    }

    /// Whether the value is valid.
    ///
    /// Of every dtype; `bool`, never null itself. NaN is valid.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("x").is_not_null())?, "true false true");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// None of its own: every dtype has nulls.
    ///
    /// # Source
    /// pandas `Series.notna`, Polars `Expr.is_not_null`.
    pub fn is_not_null(self) -> Expr {
        Expr::new(Node::IsNotNull(self))
    }

    /// The value cast to another dtype.
    ///
    /// Nulls stay null, and the null dtype becomes nulls of any other. Of floats the fraction is cut; between units of time a
    /// coarser one rounds down; dictionaries are read as their values. A literal takes the dtype itself. Strings are read and written as `ops::cast` says: dates as ISO 8601,
    /// floats with the fewest digits that are read as the same float.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// # use columnade_columns::DType;
    /// assert_eq!(show(col("x").cast(DType::Float64) / 2)?, "0.5 <NA> 1.5");
    /// assert_eq!(show(col("day").cast(DType::Utf8).str().slice(0, 4).cast(DType::Int32))?, "2024 <NA> 1969");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `Overflow` for a number that an integer dtype does not have, NaN among them, and for a decimal with
    /// too many digits; `Unparsable` for a string that is no such value,
    /// with its row; `UnsupportedDType` or `NotImplemented` for a pair without a cast.
    ///
    /// # Source
    /// pandas `Series.astype`, Polars `Expr.cast`, SQL `CAST`.
    pub fn cast(self, dtype: DType) -> Expr {
        Expr::new(Node::Cast(self, dtype, CastMode::Checked))
    }

    /// [`cast`](Self::cast) without a check of numbers that become integers: for numbers that are known to fit, or that are not
    /// used where they do not.
    pub(crate) fn cast_unchecked(self, dtype: DType) -> Expr {
        Expr::new(Node::Cast(self, dtype, CastMode::Wrap))
    }

    /// The value cast to another dtype; null where the dtype does not have it.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// # use columnade_columns::DType;
    /// assert_eq!(show(col("word").str().replace("tea", "7").try_cast(DType::Int64))?, "7 <NA> <NA>");
    /// assert_eq!(show((col("y") * 50).try_cast(DType::Int8))?, "<NA> <NA> 0");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` or `NotImplemented` for a pair of dtypes without a cast.
    ///
    /// # Source
    /// SQL `TRY_CAST`, Polars `Expr.cast(strict=False)`, pandas `to_numeric(errors="coerce")`.
    pub fn try_cast(self, dtype: DType) -> Expr {
        Expr::new(Node::Function(Function::Cast(dtype, CastErrors::Null), vec![self]))
    }

    /// The quotient, rounded towards minus infinity.
    ///
    /// Null where either side is null, and for integers and decimals where the divisor is zero. Integers and floats: the common
    /// dtype of both sides; decimals: a decimal without digits after the point.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col, lit};
    /// assert_eq!(show(col("y").floor_div(-3))?, "-2 -2 0");
    /// assert_eq!(show(lit(7).floor_div(col("y")))?, "1 1 <NA>");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The evaluating method: `UnsupportedDType` for an operand that is no number, `Overflow` for decimals whose common scale
    /// takes more than 38 digits.
    ///
    /// # Source
    /// pandas `Series.floordiv`, Polars `Expr.floordiv`.
    pub fn floor_div(self, other: impl Into<Expr>) -> Expr {
        Expr::new(Node::Arithmetic(Arithmetic::FloorDivide, self, other.into()))
    }

    /// The sum over the rows of a group.
    ///
    /// Nulls are ignored; 0 if there are no valid values. Signed integers and booleans become `int64`, unsigned ones `uint64`,
    /// decimals of scale s `decimal(38, s)`; floats and durations keep their dtype. Of the dtype null it is 0, `int64`.
    ///
    /// A sum of integers wraps around at 64 bits, as in pandas and Polars. That of a cast to `decimal(38,0)` is exact, or an
    /// error.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("x").sum())?, "4");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The aggregating method: `UnsupportedDType` for other dtypes, strings and timestamps among them.
    ///
    /// # Source
    /// pandas `GroupBy.sum`, Polars `Expr.sum`.
    pub fn sum(self) -> Expr {
        self.aggregate(Aggregation::Sum)
    }

    /// The smallest value of a group.
    ///
    /// Nulls are ignored, NaN is ignored unless all values are NaN; null if there are no valid values. Numbers, booleans,
    /// strings, dictionaries, dates, timestamps and durations keep their dtype. Lists, structs and intervals too: they are
    /// ordered as sort keys, with nulls within them last.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("day").min())?, "1969-12-31");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The aggregating method, when memory runs out.
    ///
    /// # Source
    /// pandas `GroupBy.min`, Polars `Expr.min`.
    pub fn min(self) -> Expr {
        self.aggregate(Aggregation::Min)
    }

    /// The largest value of a group.
    ///
    /// Nulls are ignored, NaN is ignored unless all values are NaN; null if there are no valid values. Numbers, booleans,
    /// strings, dictionaries, dates, timestamps and durations keep their dtype. Lists, structs and intervals too: they are
    /// ordered as sort keys, with nulls within them last.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("x").max())?, "3");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The aggregating method, when memory runs out.
    ///
    /// # Source
    /// pandas `GroupBy.max`, Polars `Expr.max`.
    pub fn max(self) -> Expr {
        self.aggregate(Aggregation::Max)
    }

    /// The arithmetic mean of a group.
    ///
    /// Nulls are ignored; null if there are no valid values. `float64` of numbers, booleans and the dtype null. Of dates, timestamps, times of day
    /// and durations it keeps their dtype: the exact mean in whole units, of dates in days, rounded towards zero.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("x").mean())?, "2.0");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// The aggregating method: `UnsupportedDType` for other dtypes.
    ///
    /// # Source
    /// pandas `GroupBy.mean`, Polars `Expr.mean`.
    pub fn mean(self) -> Expr {
        self.aggregate(Aggregation::Mean)
    }

    /// The number of valid rows of a group.
    ///
    /// Nulls do not count; [`len`] counts them. `int64`, never null.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!(show(col("x").count())?, "2");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// None of its own: it takes every dtype.
    ///
    /// # Source
    /// pandas `GroupBy.count`, Polars `Expr.count`.
    pub fn count(self) -> Expr {
        self.aggregate(Aggregation::Count)
    }

    /// The same expression with another label.
    ///
    /// Without it, a result has the label of the column that it is computed from by an aggregation, a cast or a method
    /// that says so, otherwise the expression as text.
    ///
    /// ```
    /// # use columnade_ops::expression::{example::show, col};
    /// assert_eq!((col("x") + 1).label(), "(x + 1)");
    /// assert_eq!((col("x") + 1).alias("next").label(), "next");
    /// # Ok::<(), columnade_columns::Error>(())
    /// ```
    ///
    /// # Errors
    /// None of its own. A label that comes twice in one frame is `DuplicateLabel` of the evaluating method.
    ///
    /// # Source
    /// pandas `Series.rename`, Polars `Expr.alias`.
    pub fn alias(self, label: impl Into<Label>) -> Expr {
        Expr::new(Node::Alias(self, label.into()))
    }
}
