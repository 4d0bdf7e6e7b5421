//! Functions and methods that build expressions.

use super::{Aggregation, Arithmetic, Comparison, Expr, Literal, Match, Node, Part, decimal_string};
use columnade_columns::{DType, Error, Label, MAX_PRECISION, Result, Scalar};
use std::ops;
use std::sync::Arc;

/// The column with a label: `"a"`, `1998` or `("a", "x")`.
pub fn col(label: impl Into<Label>) -> Expr {
    Expr::new(Node::Column(label.into()))
}

/// A constant. It takes the dtype of the column that it is combined with where its value fits; see [`Literal`].
pub fn lit(value: impl Into<Literal>) -> Expr {
    Expr::new(Node::Literal(value.into()))
}

/// An exact decimal constant such as `"0.06"`, with the smallest precision for its digits.
///
/// # Errors
/// [`Error::Parse`] if the text is not a plain decimal number of at most 38 digits.
pub fn lit_decimal(text: &str) -> Result<Expr> {
    match decimal_string::parse(text) {
        Some((value, scale)) => Ok(lit(Literal::Decimal { value, scale })),
        None => Err(Error::Parse { text: text.to_owned(), dtype: DType::decimal(MAX_PRECISION, 0)? }),
    }
}

/// A date constant such as `"1995-03-15"`.
///
/// # Errors
/// [`Error::Parse`] if the text is not a date of the form year-month-day.
pub fn date(text: &str) -> Result<Expr> {
    Ok(lit(Scalar::parse(&DType::Date32, text)?))
}

/// The number of rows of a group, null or not.
pub fn count_rows() -> Expr {
    Expr::new(Node::CountRows)
}

/// Begins a conditional: `when(a).then(b).otherwise(c)`.
pub fn when(condition: Expr) -> When {
    When { condition, then: None }
}

/// A conditional under construction; see [`when`].
#[derive(Clone, Debug)]
pub struct When {
    condition: Expr,
    then: Option<Expr>,
}

impl When {
    /// The value if the condition is true.
    #[must_use]
    pub fn then(self, value: impl Into<Expr>) -> When {
        When { then: Some(value.into()), ..self }
    }

    /// The value otherwise. Without a [`When::then`], rows where the condition is true are null.
    pub fn otherwise(self, value: impl Into<Expr>) -> Expr {
        let then = self.then.unwrap_or_else(|| lit(Literal::Null));
        Expr::new(Node::When { condition: self.condition, then, otherwise: value.into() })
    }
}

impl<T: Into<Literal>> From<T> for Expr {
    fn from(value: T) -> Self {
        lit(value)
    }
}

impl Expr {
    pub(crate) fn new(node: Node) -> Expr {
        Expr(Arc::new(node))
    }

    fn compare(self, op: Comparison, other: impl Into<Expr>) -> Expr {
        Expr::new(Node::Compare(op, self, other.into()))
    }

    fn part(self, part: Part) -> Expr {
        Expr::new(Node::Part(part, self))
    }

    pub(crate) fn aggregate(self, aggregation: Aggregation) -> Expr {
        Expr::new(Node::Aggregate(aggregation, self))
    }

    /// Whether both sides are equal; null if either is.
    pub fn eq(self, other: impl Into<Expr>) -> Expr {
        self.compare(Comparison::Eq, other)
    }

    /// Whether the sides differ; null if either is null.
    pub fn ne(self, other: impl Into<Expr>) -> Expr {
        self.compare(Comparison::Ne, other)
    }

    /// Whether this side is less; null if either is null.
    pub fn lt(self, other: impl Into<Expr>) -> Expr {
        self.compare(Comparison::Lt, other)
    }

    /// Whether this side is less or equal; null if either is null.
    pub fn le(self, other: impl Into<Expr>) -> Expr {
        self.compare(Comparison::Le, other)
    }

    /// Whether this side is greater; null if either is null.
    pub fn gt(self, other: impl Into<Expr>) -> Expr {
        self.compare(Comparison::Gt, other)
    }

    /// Whether this side is greater or equal; null if either is null.
    pub fn ge(self, other: impl Into<Expr>) -> Expr {
        self.compare(Comparison::Ge, other)
    }

    /// Whether the value is in the closed range.
    pub fn between(self, low: impl Into<Expr>, high: impl Into<Expr>) -> Expr {
        self.clone().ge(low).and(self.le(high))
    }

    /// Whether the value is one of `values`; false for every valid value if there are none, null for a null.
    pub fn is_in<T: Into<Expr>>(self, values: impl IntoIterator<Item = T>) -> Expr {
        let mut tests: Vec<Expr> = values.into_iter().map(|value| self.clone().eq(value)).collect();
        // A balanced tree: thousands of values must not become thousands of levels.
        while tests.len() > 1 {
            let mut pairs = Vec::with_capacity(tests.len().div_ceil(2));
            let mut rest = tests.into_iter();
            while let Some(first) = rest.next() {
                pairs.push(match rest.next() {
                    Some(second) => first.or(second),
                    None => first,
                });
            }
            tests = pairs;
        }
        tests.pop().unwrap_or_else(|| self.is_null().and(lit(Literal::Null)))
    }

    /// Kleene conjunction.
    pub fn and(self, other: impl Into<Expr>) -> Expr {
        Expr::new(Node::And(self, other.into()))
    }

    /// Kleene disjunction.
    pub fn or(self, other: impl Into<Expr>) -> Expr {
        Expr::new(Node::Or(self, other.into()))
    }

    /// Whether the value is null; never null itself.
    pub fn is_null(self) -> Expr {
        Expr::new(Node::IsNull(self))
    }

    /// Whether the value is valid; never null itself.
    pub fn is_not_null(self) -> Expr {
        Expr::new(Node::IsNotNull(self))
    }

    /// The value cast to another dtype.
    pub fn cast(self, dtype: DType) -> Expr {
        Expr::new(Node::Cast(self, dtype))
    }

    /// Quotient rounded down; null if the divisor is zero.
    pub fn floor_div(self, other: impl Into<Expr>) -> Expr {
        Expr::new(Node::Arithmetic(Arithmetic::FloorDivide, self, other.into()))
    }

    /// The year.
    pub fn year(self) -> Expr {
        self.part(Part::Year)
    }

    /// The quarter, 1 to 4.
    pub fn quarter(self) -> Expr {
        self.part(Part::Quarter)
    }

    /// The month, 1 to 12.
    pub fn month(self) -> Expr {
        self.part(Part::Month)
    }

    /// The day of the month, 1 to 31.
    pub fn day(self) -> Expr {
        self.part(Part::Day)
    }

    /// The day of the year, 1 to 366.
    pub fn day_of_year(self) -> Expr {
        self.part(Part::DayOfYear)
    }

    /// The day of the week, Monday = 0.
    pub fn weekday(self) -> Expr {
        self.part(Part::Weekday)
    }

    /// The hour, 0 to 23.
    pub fn hour(self) -> Expr {
        self.part(Part::Hour)
    }

    /// The minute, 0 to 59.
    pub fn minute(self) -> Expr {
        self.part(Part::Minute)
    }

    /// The second, 0 to 59.
    pub fn second(self) -> Expr {
        self.part(Part::Second)
    }

    /// Whether a string starts with `prefix`.
    pub fn starts_with(self, prefix: impl Into<String>) -> Expr {
        Expr::new(Node::Match(Match::Prefix, self, prefix.into()))
    }

    /// Whether a string ends with `suffix`.
    pub fn ends_with(self, suffix: impl Into<String>) -> Expr {
        Expr::new(Node::Match(Match::Suffix, self, suffix.into()))
    }

    /// Whether a string contains `part`.
    pub fn contains(self, part: impl Into<String>) -> Expr {
        Expr::new(Node::Match(Match::Contains, self, part.into()))
    }

    /// Whether the whole string matches a pattern of SQL's `LIKE`: `%` is any number of characters, `_` any
    /// one.
    pub fn like(self, pattern: impl Into<String>) -> Expr {
        Expr::new(Node::Match(Match::Like, self, pattern.into()))
    }

    /// Sum over the rows of a group.
    pub fn sum(self) -> Expr {
        self.aggregate(Aggregation::Sum)
    }

    /// Smallest value of a group.
    pub fn min(self) -> Expr {
        self.aggregate(Aggregation::Min)
    }

    /// Largest value of a group.
    pub fn max(self) -> Expr {
        self.aggregate(Aggregation::Max)
    }

    /// Arithmetic mean of a group.
    pub fn mean(self) -> Expr {
        self.aggregate(Aggregation::Mean)
    }

    /// The number of valid rows of a group.
    pub fn count(self) -> Expr {
        self.aggregate(Aggregation::Count)
    }

    /// The same expression with another label.
    pub fn alias(self, label: impl Into<Label>) -> Expr {
        Expr::new(Node::Alias(self, label.into()))
    }
}

macro_rules! operators {
    ($($trait:ident $method:ident $op:ident),*) => {
        $(impl<T: Into<Expr>> ops::$trait<T> for Expr {
            type Output = Expr;
            fn $method(self, other: T) -> Expr {
                Expr::new(Node::Arithmetic(Arithmetic::$op, self, other.into()))
            }
        })*
    };
}

operators!(Add add Add, Sub sub Subtract, Mul mul Multiply, Div div Divide, Rem rem Modulo);

impl<T: Into<Expr>> ops::BitAnd<T> for Expr {
    type Output = Expr;
    fn bitand(self, other: T) -> Expr {
        self.and(other)
    }
}

impl<T: Into<Expr>> ops::BitOr<T> for Expr {
    type Output = Expr;
    fn bitor(self, other: T) -> Expr {
        self.or(other)
    }
}

impl ops::Not for Expr {
    type Output = Expr;
    fn not(self) -> Expr {
        Expr::new(Node::Not(self))
    }
}

impl ops::Neg for Expr {
    type Output = Expr;
    fn neg(self) -> Expr {
        Expr::new(Node::Negate(self))
    }
}
