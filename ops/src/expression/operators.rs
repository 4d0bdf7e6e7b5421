//! Operators of expressions, with literals on either side.

use super::{Arithmetic, Expr, Literal, Node, lit};
use columnade_columns::Scalar;
use std::ops;

macro_rules! arithmetic {
    ($($trait:ident $method:ident $op:ident),*) => {
        $(
            impl<T: Into<Expr>> ops::$trait<T> for Expr {
                type Output = Expr;
                fn $method(self, other: T) -> Expr {
                    Expr::new(Node::Arithmetic(Arithmetic::$op, self, other.into()))
                }
            }

            impl<T: Into<Expr>> ops::$trait<T> for &Expr {
                type Output = Expr;
                fn $method(self, other: T) -> Expr {
                    self.clone().$method(other)
                }
            }
        )*
    };
}

arithmetic!(Add add Add, Sub sub Subtract, Mul mul Multiply, Div div Divide, Rem rem Modulo);

macro_rules! logic {
    ($($trait:ident $method:ident $by:ident),*) => {
        $(
            impl<T: Into<Expr>> ops::$trait<T> for Expr {
                type Output = Expr;
                fn $method(self, other: T) -> Expr {
                    self.$by(other)
                }
            }

            impl<T: Into<Expr>> ops::$trait<T> for &Expr {
                type Output = Expr;
                fn $method(self, other: T) -> Expr {
                    self.clone().$by(other)
                }
            }
        )*
    };
}

logic!(BitAnd bitand and, BitOr bitor or, BitXor bitxor bit_xor);

macro_rules! unary {
    ($($trait:ident $method:ident $node:ident),*) => {
        $(
            impl ops::$trait for Expr {
                type Output = Expr;
                fn $method(self) -> Expr {
                    Expr::new(Node::$node(self))
                }
            }

            impl ops::$trait for &Expr {
                type Output = Expr;
                fn $method(self) -> Expr {
                    self.clone().$method()
                }
            }
        )*
    };
}

unary!(Not not Not, Neg neg Negate);

/// A literal on the left of an operator: `1 - col("a")`.
///
/// One integer and one floating-point type only: with several, rustc could not infer the type of `1` in
/// `(1 - col("a")).alias("b")`. A variable of another type is written `lit(n) - col("a")`.
macro_rules! literal_on_the_left {
    ($ty:ty: $($trait:ident $method:ident),*) => {
        $(
            impl ops::$trait<Expr> for $ty {
                type Output = Expr;
                fn $method(self, other: Expr) -> Expr {
                    lit(self).$method(other)
                }
            }

            impl ops::$trait<&Expr> for $ty {
                type Output = Expr;
                fn $method(self, other: &Expr) -> Expr {
                    lit(self).$method(other)
                }
            }
        )*
    };
}

macro_rules! numbers_on_the_left {
    ($($ty:ty),*) => {
        $(literal_on_the_left!($ty: Add add, Sub sub, Mul mul, Div div, Rem rem);)*
    };
}

numbers_on_the_left!(i64, f64, Scalar, Literal); // durations among them
literal_on_the_left!(bool: BitAnd bitand, BitOr bitor, BitXor bitxor);
literal_on_the_left!(i64: BitAnd bitand, BitOr bitor, BitXor bitxor);
