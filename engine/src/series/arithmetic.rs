//! Row-wise operations of series, through the expressions that frames use.

use columnade_columns::{ColumnAccessor, Error as ColumnError};
use columnade_ops::expression::{Expr, Literal, col, evaluate, lit};

use super::Series;
use crate::error::{Error, InOperation, Result};

/// Labels of the columns that the expressions see.
const THIS: &str = "left";
const OTHER: &str = "right";

/// The other side of an operation: a series of as many rows, or one value for all rows.
#[derive(Clone, Debug)]
pub enum Operand<'a> {
    /// Row by row.
    Series(&'a Series),
    /// The same value in every row; takes the dtype of the series it meets.
    Literal(Literal),
}

impl<'a> From<&'a Series> for Operand<'a> {
    fn from(series: &'a Series) -> Self {
        Operand::Series(series)
    }
}

impl<T: Into<Literal>> From<T> for Operand<'_> {
    fn from(value: T) -> Self {
        Operand::Literal(value.into())
    }
}

macro_rules! operations {
    ($($(#[$doc:meta])* $name:ident => $make:expr;)*) => {
        impl Series {
            $($(#[$doc])*
            ///
            /// # Errors
            /// [`Error::Operation`] for dtypes that do not go together, another number of rows, or memory that runs
            /// out.
            pub fn $name<'a>(&self, other: impl Into<Operand<'a>>) -> Result<Series> {
                self.combine(stringify!($name), other.into(), $make)
            })*
        }
    };
}

operations! {
    /// Sum, row by row; null where either side is.
    add => |a, b| a + b;
    /// Difference, row by row; null where either side is.
    sub => |a, b| a - b;
    /// Product, row by row; null where either side is.
    mul => |a, b| a * b;
    /// Quotient, row by row; of integers as `float64`; null where either side is.
    div => |a, b| a / b;
    /// Quotient rounded down, row by row; null where either side is or the divisor is zero.
    floor_div => Expr::floor_div;
    /// Remainder with the sign of the divisor, row by row; null where either side is or the divisor is zero.
    rem => |a, b| a % b;
    /// Whether the sides are equal, row by row; null where either is.
    eq => Expr::eq;
    /// Whether the sides differ, row by row; null where either is.
    ne => Expr::ne;
    /// Whether this side is less, row by row; null where either is.
    lt => Expr::lt;
    /// Whether this side is less or equal, row by row; null where either is.
    le => Expr::le;
    /// Whether this side is greater, row by row; null where either is.
    gt => Expr::gt;
    /// Whether this side is greater or equal, row by row; null where either is.
    ge => Expr::ge;
}

impl Series {
    /// The values of an expression over this series: `s.evaluate(|x| (x.clone() + 1) * x)`. Keeps the name.
    ///
    /// # Errors
    /// [`Error::Operation`] for an expression that does not fit the dtype, and when memory runs out.
    pub fn evaluate(&self, make: impl FnOnce(Expr) -> Expr) -> Result<Series> {
        let columns = ColumnAccessor::from_columns([(THIS, self.values().clone())]).operation("evaluate")?;
        self.evaluate_over("evaluate", &columns, make(col(THIS)))
    }

    fn combine(
        &self,
        operation: &'static str,
        other: Operand<'_>,
        make: impl FnOnce(Expr, Expr) -> Expr,
    ) -> Result<Series> {
        let mut columns =
            ColumnAccessor::from_columns([(THIS, self.values().clone())]).operation(operation)?;
        let other = match other {
            Operand::Literal(value) => lit(value),
            Operand::Series(series) => {
                if series.len() != self.len() {
                    let source = ColumnError::LengthMismatch { expected: self.len(), found: series.len() };
                    return Err(Error::Operation { operation, source });
                }
                columns.insert(OTHER, series.values().clone()).operation(operation)?;
                col(OTHER)
            }
        };
        self.evaluate_over(operation, &columns, make(col(THIS), other))
    }

    fn evaluate_over(&self, operation: &'static str, columns: &ColumnAccessor, expr: Expr) -> Result<Series> {
        let made = evaluate(&[expr.alias(self.name())], columns, self.exec()).operation(operation)?;
        let accessor = ColumnAccessor::from_columns(made).operation(operation)?;
        Ok(Self::from_indexed(self.inner.with_frame(self.inner.frame().with_columns(accessor))))
    }
}
