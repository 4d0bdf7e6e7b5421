//! Element-wise operations on series, implemented with expressions.

use columnade_columns::{ColumnAccessor, Error as ColumnError};
use columnade_ops::expression::{Expr, Literal, col, evaluate, lit};

use super::Series;
#[cfg(doc)]
use crate::error::Error;
use crate::error::{InOperation, Result};

/// Labels that expressions show for series without a name, or of one name.
const THIS: &str = "self";
const OTHER: &str = "other";

/// The other operand: a series of the same length, or one value for all rows.
#[derive(Clone, Debug)]
pub enum SeriesOperand<'a> {
    /// Row by row.
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
            /// [`Error::Operation`] for incompatible dtypes, another number of rows, or when memory runs
            /// out.
            pub fn $name<'a>(&self, other: impl Into<SeriesOperand<'a>>) -> Result<Series> {
                self.combine(stringify!($name), other.into(), $make)
            })*
        }
    };
}

operations! {
    /// Element-wise sum; null where either operand is null. Integers wrap around; [`checked_add`](Series::checked_add) does not.
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
    /// Kleene conjunction of booleans: false if either operand is false, otherwise null if either is null.
    and => Expr::and;
    /// Kleene disjunction of booleans: true if either operand is true, otherwise null if either is null.
    or => Expr::or;
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
    pub(super) fn evaluated(
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
        self.name().as_text().filter(|name| !name.is_empty()).unwrap_or(THIS)
    }

    pub(super) fn combine(
        &self,
        operation: &'static str,
        other: SeriesOperand<'_>,
        make: impl FnOnce(Expr, Expr) -> Expr,
    ) -> Result<Series> {
        let label = self.label_in_expressions();
        match other {
            SeriesOperand::Literal(value) => {
                let columns = ColumnAccessor::from_columns([(label, self.values().clone())]);
                self.evaluate_over(operation, &columns.operation(operation)?, make(col(label), lit(value)))
            }
            SeriesOperand::Series(series) => {
                if series.len() != self.len() {
                    let error = ColumnError::LengthMismatch { expected: self.len(), found: series.len() };
                    return Err(series.named(error)).operation(operation);
                }
                let other = match series.label_in_expressions() {
                    THIS => OTHER,
                    name => name,
                };
                let (label, other) = if label == other { (THIS, OTHER) } else { (label, other) };
                let columns = [(label, self.values().clone()), (other, series.values().clone())];
                let columns = ColumnAccessor::from_columns(columns).operation(operation)?;
                self.evaluate_over(operation, &columns, make(col(label), col(other)))
            }
        }
    }

    fn evaluate_over(&self, operation: &'static str, columns: &ColumnAccessor, expr: Expr) -> Result<Series> {
        let made = evaluate(&[expr.alias(self.name())], columns, self.exec()).operation(operation)?;
        let accessor = ColumnAccessor::from_columns(made).operation(operation)?;
        Ok(Self::from_indexed(self.inner.with_frame(self.inner.frame().with_columns(accessor))))
    }
}
