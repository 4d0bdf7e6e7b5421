//! Constants of an expression.

use super::decimal_string;
use columnade_columns::Scalar;
use std::fmt;

/// A constant. All except [`Literal::Scalar`] take the dtype of the column that they are combined with, and
/// are an error if they do not fit in it.
#[derive(Clone, Debug, PartialEq)]
pub enum Literal {
    /// Null.
    Null,
    /// A boolean.
    Bool(bool),
    /// An integer.
    Int(i128),
    /// A floating-point number.
    Float(f64),
    /// `value` × 10^−`scale`, exactly, with the smallest precision for its digits.
    Decimal {
        /// The digits.
        value: i128,
        /// The number of digits after the point.
        scale: i8,
    },
    /// A string.
    String(String),
    /// A value that keeps its dtype.
    Scalar(Scalar),
}

macro_rules! from_integers {
    ($($ty:ty),*) => {
        $(impl From<$ty> for Literal {
            fn from(value: $ty) -> Self { Literal::Int(i128::from(value)) }
        })*
    };
}

from_integers!(i8, i16, i32, i64, i128, u8, u16, u32, u64);

impl From<bool> for Literal {
    fn from(value: bool) -> Self {
        Literal::Bool(value)
    }
}

impl From<f32> for Literal {
    fn from(value: f32) -> Self {
        Literal::Float(f64::from(value))
    }
}

impl From<f64> for Literal {
    fn from(value: f64) -> Self {
        Literal::Float(value)
    }
}

impl From<&str> for Literal {
    fn from(value: &str) -> Self {
        Literal::String(value.to_owned())
    }
}

impl From<String> for Literal {
    fn from(value: String) -> Self {
        Literal::String(value)
    }
}

impl From<Scalar> for Literal {
    fn from(value: Scalar) -> Self {
        Literal::Scalar(value)
    }
}

impl fmt::Display for Literal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Literal::Null => f.write_str("null"),
            Literal::Bool(value) => write!(f, "{value}"),
            Literal::Int(value) => write!(f, "{value}"),
            Literal::Float(value) => write!(f, "{value:?}"),
            Literal::Decimal { value, scale } => f.write_str(&decimal_string::print(*value, *scale)),
            Literal::String(value) => write!(f, "{value:?}"),
            Literal::Scalar(value) => write!(f, "{value}"),
        }
    }
}
