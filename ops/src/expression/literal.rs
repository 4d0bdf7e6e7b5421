//! Constants of an expression.

use super::{OneRow, decimal_string, weak};
use columnade_columns::calendar::{Date, days_to};
use columnade_columns::{Decimal, DeviceScalar, Scalar, Time, Timedelta, Timestamp};
use std::fmt;

/// A constant. All except [`Literal::Scalar`] and [`Literal::OneRow`] are weak: they take the dtype of the column that they are
/// combined with where the value fits, and else promote with it as a column would.
///
/// - An integer takes an integer or float dtype that has its value; else it is an `int64`, beyond its range a
///   decimal. Beside a decimal it is a decimal of its digits.
/// - A float takes the column's float dtype; it is a `float64` beside integers, and beside a decimal the
///   decimal that its shortest text writes, so that `1.1` is exactly 1.1.
/// - A duration takes the unit of a duration or a timestamp that has its value, else the coarsest unit that
///   has. A date plus or minus whole days is a date; with any other duration it is a timestamp.
/// - Text beside a date, a timestamp or a duration is parsed as one.
///
/// A comparison with a number or a duration is by value and never fails: `int8 < 1000` is true,
/// `uint8 > -1` is true, `int64 > 1.5` is `int64 > 1`; a null is null.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
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
    /// Nanoseconds; see [`days`](super::days) and its neighbours.
    Duration(i128),
    /// A value that keeps its dtype.
    Scalar(Scalar),
    /// A value that keeps its dtype and stays on its device.
    OneRow(OneRow),
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

impl From<&String> for Literal {
    fn from(value: &String) -> Self {
        Literal::String(value.clone())
    }
}

impl From<String> for Literal {
    fn from(value: String) -> Self {
        Literal::String(value)
    }
}

impl From<std::time::Duration> for Literal {
    fn from(value: std::time::Duration) -> Self {
        // At most 2^64 seconds.
        Literal::Duration(i128::try_from(value.as_nanos()).unwrap_or(i128::MAX))
    }
}

impl From<Scalar> for Literal {
    fn from(value: Scalar) -> Self {
        Literal::Scalar(value)
    }
}

impl From<DeviceScalar> for Literal {
    fn from(value: DeviceScalar) -> Self {
        Literal::OneRow(value.into())
    }
}

impl From<Date> for Literal {
    fn from(value: Date) -> Self {
        // No column has a day beyond: as text it is an error that says so.
        match days_to(value).map(i32::try_from) {
            Some(Ok(days)) => Literal::Scalar(Scalar::Date32(days)),
            _ => Literal::String(value.to_string()),
        }
    }
}

impl From<Decimal> for Literal {
    fn from(Decimal { value, scale }: Decimal) -> Self {
        Literal::Decimal { value, scale }
    }
}

impl From<Time> for Literal {
    fn from(value: Time) -> Self {
        Literal::Scalar(value.into())
    }
}

impl From<Timestamp> for Literal {
    fn from(value: Timestamp) -> Self {
        Literal::Scalar(value.into())
    }
}

impl From<Timedelta> for Literal {
    fn from(value: Timedelta) -> Self {
        Literal::Scalar(value.into())
    }
}

macro_rules! from_options {
    ($($ty:ty),*) => {$(
        /// Null for none.
        impl From<Option<$ty>> for Literal {
            fn from(value: Option<$ty>) -> Self {
                value.map_or(Literal::Null, Into::into)
            }
        }
    )*};
}

from_options!(bool, i8, i16, i32, i64, i128, u8, u16, u32, u64, f32, f64, &str, String, Date, Decimal);

impl fmt::Display for Literal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Literal::Null => f.write_str("null"),
            Literal::Bool(value) => write!(f, "{value}"),
            Literal::Int(value) => write!(f, "{value}"),
            Literal::Float(value) => write!(f, "{value:?}"),
            Literal::Decimal { value, scale } => f.write_str(&decimal_string::print(*value, *scale)),
            Literal::String(value) => write!(f, "{value:?}"),
            Literal::Duration(nanos) => match weak::standalone(self) {
                Ok(value) => write!(f, "{value}"),
                Err(_) => write!(f, "{nanos} ns"),
            },
            Literal::Scalar(value) => write!(f, "{value}"),
            Literal::OneRow(value) => write!(f, "{value}"),
        }
    }
}
