//! Operators of series: what the methods of the same name return.

use std::ops;

use columnade_columns::Scalar;
use columnade_ops::expression::{Expr, Literal};

use super::{Series, SeriesOperand};
use crate::error::Result;

/// `a + b` is `a.add(b)`: of a series and a series or a literal.
macro_rules! binary {
    ($($trait:ident $method:ident $by:ident),*) => {
        $(
            impl<'a, T: Into<SeriesOperand<'a>>> ops::$trait<T> for &Series {
                type Output = Result<Series>;
                fn $method(self, other: T) -> Result<Series> {
                    Series::$by(self, other)
                }
            }

            impl<'a, T: Into<SeriesOperand<'a>>> ops::$trait<T> for Series {
                type Output = Result<Series>;
                fn $method(self, other: T) -> Result<Series> {
                    Series::$by(&self, other)
                }
            }
        )*
    };
}

binary!(Add add add, Sub sub sub, Mul mul mul, Div div div, Rem rem rem);
binary!(BitAnd bitand and, BitOr bitor or, BitXor bitxor bit_xor);

/// `-a`, `!a`.
macro_rules! unary {
    ($($trait:ident $method:ident),*) => {
        $(
            impl ops::$trait for &Series {
                type Output = Result<Series>;
                fn $method(self) -> Result<Series> {
                    self.evaluated(stringify!($method), <Expr as ops::$trait>::$method)
                }
            }

            impl ops::$trait for Series {
                type Output = Result<Series>;
                fn $method(self) -> Result<Series> {
                    ops::$trait::$method(&self)
                }
            }
        )*
    };
}

unary!(Neg neg, Not not);

/// `1 - a`: of a literal and a series. For one integer and one floating-point type, as for expressions.
macro_rules! literal_on_the_left {
    ($($ty:ty),*) => {
        $(literal_on_the_left!(@ $ty: Add add, Sub sub, Mul mul, Div div, Rem rem);)*
    };
    (@ $ty:ty: $($trait:ident $method:ident),*) => {
        $(
            impl ops::$trait<&Series> for $ty {
                type Output = Result<Series>;
                fn $method(self, other: &Series) -> Result<Series> {
                    let make = |series, literal| ops::$trait::$method(literal, series);
                    other.combine(stringify!($method), self.into(), make)
                }
            }

            impl ops::$trait<Series> for $ty {
                type Output = Result<Series>;
                fn $method(self, other: Series) -> Result<Series> {
                    ops::$trait::$method(self, &other)
                }
            }
        )*
    };
}

literal_on_the_left!(i64, f64, Scalar, Literal);
