//! Constants of an expression.

use super::decimal_text;
use columnade_columns::Scalar;
use std::fmt;

/// A constant. All but [`Literal::Scalar`] take the dtype of the column they meet when they fit it, and are an
/// error when they do not.
#[derive(Clone, Debug, PartialEq)]
pub enum Literal {
    /// No value.
    Null,
    /// A truth value.
    Bool(bool),
    /// A whole number.
    Int(i128),
    /// A floating-point number.
    Float(f64),
    /// `value` × 10^−`scale`, exactly; takes the least precision that holds it.
    Decimal {
        /// The digits.
        value: i128,
        /// How many of them stand after the point.
        scale: i8,
    },
    /// Text.
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
            Literal::Decimal { value, scale } => f.write_str(&decimal_text::print(*value, *scale)),
            Literal::String(value) => write!(f, "{value:?}"),
            Literal::Scalar(value) => write!(f, "{value}"),
        }
    }
}
