//! Element-wise operations on series, implemented with expressions.

use columnade_columns::{ColumnAccessor, Label};
use columnade_ops::expression::{Expr, Literal, col, evaluate, lit};

use super::Series;
use crate::alignment::{LabelJoin, filled};
#[cfg(doc)]
use crate::error::Error;
use crate::error::{InOperation, Result};

/// Labels that expressions show for series without a name, or of one name.
const THIS: &str = "self";
const OTHER: &str = "other";

/// The other operand: a series, whose values are those of its labels, or one value for all rows.
#[derive(Clone, Debug)]
pub enum SeriesOperand<'a> {
    /// For each label the value of that label, as [`Series::align`] pairs them.
    Series(&'a Series),
    /// The same value in every row, with the dtype of the series.
    Literal(Literal),
}

impl<'a> From<&'a Series> for SeriesOperand<'a> {
    fn from(series: &'a Series) -> Self {
        SeriesOperand::Series(series)
    }
}

impl<T: Into<Literal>> From<T> for SeriesOperand<'_> {
    fn from(value: T) -> Self {
        SeriesOperand::Literal(value.into())
    }
}

macro_rules! operations {
    ($($(#[$doc:meta])* $name:ident => $make:expr;)*) => {
        impl Series {
            $($(#[$doc])*
            ///
            /// # Errors
            /// [`Error::Operation`] for incompatible dtypes, labels of another kind or number of levels, or when memory runs
            /// out.
            pub fn $name<'a>(&self, other: impl Into<SeriesOperand<'a>>) -> Result<Series> {
                self.combine(stringify!($name), other.into(), $make)
            })*
        }
    };
}

operations! {
    /// Element-wise sum; null where either operand is null. Integers wrap around; [`checked_add`](Series::checked_add) does not.
    /// Strings are joined.
    add => |a, b| a + b;
    /// Element-wise difference; null where either operand is null. Integers wrap around;
    /// [`checked_sub`](Series::checked_sub) does not.
    sub => |a, b| a - b;
    /// Element-wise product; null where either operand is null. Integers wrap around;
    /// [`checked_mul`](Series::checked_mul) does not.
    mul => |a, b| a * b;
    /// Element-wise quotient; `float64` for integers; null where either operand is null.
    div => |a, b| a / b;
    /// Element-wise quotient, rounded down; null where either operand is null or the divisor is zero.
    floor_div => Expr::floor_div;
    /// Element-wise remainder with the sign of the divisor; null where either operand is null or the divisor is zero.
    rem => |a, b| a % b;
    /// Element-wise `==`; null where either operand is null.
    eq => Expr::eq;
    /// Element-wise `!=`; null where either operand is null.
    ne => Expr::ne;
    /// Element-wise `<`; null where either operand is null.
    lt => Expr::lt;
    /// Element-wise `<=`; null where either operand is null.
    le => Expr::le;
    /// Element-wise `>`; null where either operand is null.
    gt => Expr::gt;
    /// Element-wise `>=`; null where either operand is null.
    ge => Expr::ge;
    /// Kleene conjunction of booleans: false if either operand is false, otherwise null if either is null. Of integers, the bits
    /// that both have.
    and => Expr::and;
    /// Kleene disjunction of booleans: true if either operand is true, otherwise null if either is null. Of integers, the bits of
    /// both.
    or => Expr::or;
}

macro_rules! fill_operations {
    ($($(#[$doc:meta])* $name:ident => $make:expr;)*) => {
        impl Series {
            $($(#[$doc])*
            ///
            /// # Errors
            /// Same as [`add`](Series::add), and for a value that the series cannot have.
            pub fn $name(&self, other: &Series, fill_value: impl Into<Literal>) -> Result<Series> {
                let fill = fill_value.into();
                let make = |a, b| {
                    let (a, b) = filled(&a, &b, &fill);
                    ($make)(a, b)
                };
                self.combine(stringify!($name), SeriesOperand::Series(other), make)
            })*
        }
    };
}

fill_operations! {
    /// [`add`](Series::add) with `fill_value` for an operand that is null or not there while the other one is.
    ///
    /// ```
    /// use columnade::Series;
    ///
    /// let (a, b) = (Series::new([Some(1), None, None])?, Series::new([Some(10), Some(20), None, Some(40)])?);
    /// assert_eq!(a.add_with(&b, 0)?.to_options::<i32>()?, [Some(11), Some(20), None, Some(40)]);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Source
    /// pandas `Series.add(fill_value=…)`.
    add_with => |a: Expr, b: Expr| a + b;
    /// [`sub`](Series::sub) with `fill_value`: see [`add_with`](Series::add_with).
    sub_with => |a: Expr, b: Expr| a - b;
    /// [`mul`](Series::mul) with `fill_value`: see [`add_with`](Series::add_with).
    mul_with => |a: Expr, b: Expr| a * b;
    /// [`div`](Series::div) with `fill_value`: see [`add_with`](Series::add_with).
    div_with => |a: Expr, b: Expr| a / b;
    /// [`floor_div`](Series::floor_div) with `fill_value`: see [`add_with`](Series::add_with).
    floor_div_with => Expr::floor_div;
    /// [`rem`](Series::rem) with `fill_value`: see [`add_with`](Series::add_with).
    rem_with => |a: Expr, b: Expr| a % b;
    /// [`pow`](Series::pow) with `fill_value`: see [`add_with`](Series::add_with).
    pow_with => Expr::pow;
    /// [`eq`](Series::eq) with `fill_value`: see [`add_with`](Series::add_with).
    eq_with => Expr::eq;
    /// [`ne`](Series::ne) with `fill_value`: see [`add_with`](Series::add_with).
    ne_with => Expr::ne;
    /// [`lt`](Series::lt) with `fill_value`: see [`add_with`](Series::add_with).
    lt_with => Expr::lt;
    /// [`le`](Series::le) with `fill_value`: see [`add_with`](Series::add_with).
    le_with => Expr::le;
    /// [`gt`](Series::gt) with `fill_value`: see [`add_with`](Series::add_with).
    gt_with => Expr::gt;
    /// [`ge`](Series::ge) with `fill_value`: see [`add_with`](Series::add_with).
    ge_with => Expr::ge;
}

impl Series {
    /// The values of an expression over this series: `s.evaluate(|x| (x.clone() + 1) * x)`. Keeps the name.
    ///
    /// # Errors
    /// [`Error::Operation`] for an expression that does not support the dtype, and when memory runs out.
    pub fn evaluate(&self, make: impl FnOnce(Expr) -> Expr) -> Result<Series> {
        self.evaluated("evaluate", make)
    }

    /// [`evaluate`](Self::evaluate) for the method `operation`, which its errors name.
    pub(crate) fn evaluated(
        &self,
        operation: &'static str,
        make: impl FnOnce(Expr) -> Expr,
    ) -> Result<Series> {
        let label = self.label_in_expressions();
        let columns = ColumnAccessor::from_columns([(label, self.values().clone())]).operation(operation)?;
        self.evaluate_over(operation, &columns, make(col(label)))
    }

    /// [`evaluated`](Self::evaluated), of which errors name the series in place of the expression.
    pub(super) fn computed(
        &self,
        operation: &'static str,
        make: impl FnOnce(Expr) -> Expr,
    ) -> Result<Series> {
        let label = self.label_in_expressions();
        let columns = ColumnAccessor::from_columns([(label, self.values().clone())]).operation(operation)?;
        let made = evaluate(&[make(col(label))], &columns, self.exec());
        let (_, values) =
            made.map_err(|error| self.named(error.without_context())).operation(operation)?.swap_remove(0);
        self.with_values(operation, values)
    }

    /// What expressions call this series: its name, so that errors name it.
    pub(super) fn label_in_expressions(&self) -> &str {
        self.name().as_text().unwrap_or(THIS)
    }

    pub(super) fn combine(
        &self,
        operation: &'static str,
        other: SeriesOperand<'_>,
        make: impl FnOnce(Expr, Expr) -> Expr,
    ) -> Result<Series> {
        self.combine_by(operation, other, LabelJoin::Outer, make)
    }

    /// [`combine`](Self::combine) under the labels that `how` keeps. Of the labels of both, the result has the name that both
    /// have, or none.
    pub(super) fn combine_by(
        &self,
        operation: &'static str,
        other: SeriesOperand<'_>,
        how: LabelJoin,
        make: impl FnOnce(Expr, Expr) -> Expr,
    ) -> Result<Series> {
        let label = self.label_in_expressions();
        match other {
            SeriesOperand::Literal(value) => {
                let columns = ColumnAccessor::from_columns([(label, self.values().clone())]);
                self.evaluate_over(operation, &columns.operation(operation)?, make(col(label), lit(value)))
            }
            SeriesOperand::Series(series) => {
                let (left, right) = self.inner.align_rows(operation, &series.inner, how)?;
                let (left, right) = (Self::from_indexed(left), Self::from_indexed(right));
                let other = match right.label_in_expressions() {
                    THIS => OTHER,
                    name => name,
                };
                let (label, other) = if label == other { (THIS, OTHER) } else { (label, other) };
                let columns = [(label, left.values().clone()), (other, right.values().clone())];
                let columns = ColumnAccessor::from_columns(columns).operation(operation)?;
                let made = left.evaluate_over(operation, &columns, make(col(label), col(other)))?;
                let is_named = how == LabelJoin::Left || self.name() == series.name();
                Ok(if is_named { made } else { made.rename(Label::NULL) })
            }
        }
    }

    fn evaluate_over(&self, operation: &'static str, columns: &ColumnAccessor, expr: Expr) -> Result<Series> {
        // Without the name as an alias, which errors would show.
        let (_, values) = evaluate(&[expr], columns, self.exec()).operation(operation)?.swap_remove(0);
        let accessor = ColumnAccessor::from_columns([(self.name(), values)]).operation(operation)?;
        Ok(Self::from_indexed(self.inner.with_frame(self.inner.frame().with_columns(accessor))))
    }
}
