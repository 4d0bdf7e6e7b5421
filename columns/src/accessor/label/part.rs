//! The scalars that labels are made of.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use super::AsLabel;
use crate::{DType, Error, Result, Scalar, TimeUnit};

/// One part of a label: a scalar that owns its string.
pub type LabelPart = LabelPartOf<Arc<str>>;

/// One part of a label whose string is borrowed.
pub type LabelPartRef<'a> = LabelPartOf<&'a str>;

/// One part of a label; `T` holds strings. Named through [`LabelPart`] and [`LabelPartRef`].
///
/// Parts are equal by value: every NaN is one part, and numbers of different kinds are equal when they are the same
/// number.
#[derive(Clone, Copy)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum LabelPartOf<T> {
    /// No value.
    Null,
    /// True or false.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// An integer beyond `i64::MAX`; a smaller one is equal to that of [`Int`](Self::Int).
    UInt(u64),
    /// A floating-point number.
    Float(f64),
    /// Strings.
    String(T),
    /// Days since 1970-01-01.
    Date(i32),
    /// Units since 1970-01-01.
    Timestamp(i64, TimeUnit),
    /// Units of time.
    Duration(i64, TimeUnit),
    /// Units since midnight.
    Time(i64, TimeUnit),
}

/// What parts that are equal have in common.
#[derive(PartialEq, Eq, Hash)]
enum Canonical<'a> {
    Null,
    Whole(i128),
    /// The bits of a number that no integer of 128 bits is; of NaN those of one NaN.
    Fraction(u64),
    String(&'a str),
    Date(i32),
    Since(i128),
    Lasting(i128),
    OfDay(i128),
}

impl<T: AsRef<str>> LabelPartOf<T> {
    /// The part with its string borrowed.
    pub fn as_part(&self) -> LabelPartRef<'_> {
        self.with_text(AsRef::as_ref)
    }

    /// The part with text of its own.
    pub fn to_part(&self) -> LabelPart {
        self.with_text(|text| text.as_ref().into())
    }

    fn with_text<'a, U>(&'a self, own: impl FnOnce(&'a T) -> U) -> LabelPartOf<U> {
        match self {
            Self::Null => LabelPartOf::Null,
            Self::Bool(value) => LabelPartOf::Bool(*value),
            Self::Int(value) => LabelPartOf::Int(*value),
            Self::UInt(value) => LabelPartOf::UInt(*value),
            Self::Float(value) => LabelPartOf::Float(*value),
            Self::String(text) => LabelPartOf::String(own(text)),
            Self::Date(days) => LabelPartOf::Date(*days),
            Self::Timestamp(value, unit) => LabelPartOf::Timestamp(*value, *unit),
            Self::Duration(value, unit) => LabelPartOf::Duration(*value, *unit),
            Self::Time(value, unit) => LabelPartOf::Time(*value, *unit),
        }
    }

    /// The dtype of the part by itself; `None` for null.
    pub fn dtype(&self) -> Option<DType> {
        Some(match self {
            Self::Null => return None,
            Self::Bool(_) => DType::Bool,
            Self::UInt(value) if i64::try_from(*value).is_err() => DType::UInt64,
            Self::Int(_) | Self::UInt(_) => DType::Int64,
            Self::Float(_) => DType::Float64,
            Self::String(_) => DType::Utf8,
            Self::Date(_) => DType::Date32,
            Self::Timestamp(_, unit) => DType::Timestamp(*unit),
            Self::Duration(_, unit) => DType::Duration(*unit),
            Self::Time(_, unit) => DType::Time(*unit),
        })
    }

    /// The part as a value; `None` for null.
    pub fn to_scalar(&self) -> Option<Scalar> {
        Some(match self {
            Self::Null => return None,
            Self::Bool(value) => Scalar::Bool(*value),
            Self::Int(value) => Scalar::Int64(*value),
            Self::UInt(value) => i64::try_from(*value).map_or(Scalar::UInt64(*value), Scalar::Int64),
            Self::Float(value) => Scalar::Float64(*value),
            Self::String(text) => Scalar::Utf8(text.as_ref().to_owned()),
            Self::Date(days) => Scalar::Date32(*days),
            Self::Timestamp(value, unit) => Scalar::Timestamp(*value, *unit),
            Self::Duration(value, unit) => Scalar::Duration(*value, *unit),
            Self::Time(value, unit) => Scalar::Time(*value, *unit),
        })
    }

    fn canonical(&self) -> Canonical<'_> {
        match self {
            Self::Null => Canonical::Null,
            Self::Bool(value) => Canonical::Whole(i128::from(*value)),
            Self::Int(value) => Canonical::Whole(i128::from(*value)),
            Self::UInt(value) => Canonical::Whole(i128::from(*value)),
            Self::Float(value) => whole(*value).map_or_else(
                || Canonical::Fraction(if value.is_nan() { f64::NAN } else { *value }.to_bits()),
                Canonical::Whole,
            ),
            Self::String(text) => Canonical::String(text.as_ref()),
            Self::Date(days) => Canonical::Date(*days),
            Self::Timestamp(value, unit) => Canonical::Since(nanoseconds(*value, *unit)),
            Self::Duration(value, unit) => Canonical::Lasting(nanoseconds(*value, *unit)),
            Self::Time(value, unit) => Canonical::OfDay(nanoseconds(*value, *unit)),
        }
    }
}

/// The integer of 128 bits that a number is.
pub(in crate::accessor) fn whole(value: f64) -> Option<i128> {
    // 2^127, the first number that is too large; its negative is the last that is not.
    const END: f64 = 170_141_183_460_469_231_731_687_303_715_884_105_728.0;
    let fits = value.fract() == 0.0 && (-END..END).contains(&value);
    #[expect(clippy::cast_possible_truncation, reason = "an integer in range")]
    fits.then_some(value as i128)
}

/// A number of units as nanoseconds.
pub(in crate::accessor) fn nanoseconds(value: i64, unit: TimeUnit) -> i128 {
    i128::from(value) * i128::from(TimeUnit::Nano.per_second() / unit.per_second())
}

impl<T: AsRef<str>, U: AsRef<str>> PartialEq<LabelPartOf<U>> for LabelPartOf<T> {
    fn eq(&self, other: &LabelPartOf<U>) -> bool {
        self.canonical() == other.canonical()
    }
}

impl<T: AsRef<str>> Eq for LabelPartOf<T> {}

impl<T: AsRef<str>> Hash for LabelPartOf<T> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.canonical().hash(state);
    }
}

impl<T: AsRef<str>> fmt::Display for LabelPartOf<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::String(text) => f.pad(text.as_ref()),
            other @ (Self::Null
            | Self::Bool(_)
            | Self::Int(_)
            | Self::UInt(_)
            | Self::Float(_)
            | Self::Date(_)
            | Self::Timestamp(..)
            | Self::Duration(..)
            | Self::Time(..)) => f.pad(&format!("{other:?}")),
        }
    }
}

impl<T: AsRef<str>> fmt::Debug for LabelPartOf<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Bool(value) => write!(f, "{value}"),
            Self::Int(value) => write!(f, "{value}"),
            Self::UInt(value) => write!(f, "{value}"),
            Self::Float(value) => write!(f, "{value:?}"),
            Self::String(text) => write!(f, "{:?}", text.as_ref()),
            Self::Date(days) => write!(f, "{}", Scalar::Date32(*days)),
            Self::Timestamp(value, unit) => write!(f, "{}", Scalar::Timestamp(*value, *unit)),
            Self::Duration(value, unit) => write!(f, "{}", Scalar::Duration(*value, *unit)),
            Self::Time(value, unit) => write!(f, "{}", Scalar::Time(*value, *unit)),
        }
    }
}

impl<T: AsRef<str>> AsLabel for LabelPartOf<T> {
    fn depth(&self) -> usize {
        1
    }

    fn part(&self, _level: usize) -> LabelPartRef<'_> {
        self.as_part()
    }
}

macro_rules! scalars {
    ($($ty:ty => |$value:ident| $part:expr;)*) => {
        $(
            impl From<$ty> for LabelPart {
                fn from($value: $ty) -> Self {
                    $part.to_part()
                }
            }

            impl AsLabel for $ty {
                fn depth(&self) -> usize {
                    1
                }

                fn part(&self, _level: usize) -> LabelPartRef<'_> {
                    let $value = self.clone();
                    $part
                }
            }
        )*
    };
}

scalars! {
    bool => |value| LabelPartRef::Bool(value);
    i8 => |value| LabelPartRef::Int(value.into());
    i16 => |value| LabelPartRef::Int(value.into());
    i32 => |value| LabelPartRef::Int(value.into());
    i64 => |value| LabelPartRef::Int(value);
    u8 => |value| LabelPartRef::Int(value.into());
    u16 => |value| LabelPartRef::Int(value.into());
    u32 => |value| LabelPartRef::Int(value.into());
    u64 => |value| i64::try_from(value).map_or(LabelPartRef::UInt(value), LabelPartRef::Int);
    f32 => |value| LabelPartRef::Float(value.into());
    f64 => |value| LabelPartRef::Float(value);
}

impl AsLabel for str {
    fn depth(&self) -> usize {
        1
    }

    fn part(&self, _level: usize) -> LabelPartRef<'_> {
        LabelPartOf::String(self)
    }
}

impl AsLabel for String {
    fn depth(&self) -> usize {
        1
    }

    fn part(&self, _level: usize) -> LabelPartRef<'_> {
        LabelPartOf::String(self)
    }
}

impl From<&str> for LabelPart {
    fn from(text: &str) -> Self {
        Self::String(text.into())
    }
}

impl From<&&str> for LabelPart {
    fn from(text: &&str) -> Self {
        Self::String((*text).into())
    }
}

impl From<String> for LabelPart {
    fn from(text: String) -> Self {
        Self::String(text.into())
    }
}

impl From<&String> for LabelPart {
    fn from(text: &String) -> Self {
        Self::String(text.as_str().into())
    }
}

impl TryFrom<&Scalar> for LabelPart {
    type Error = Error;

    /// The value as a part of a label.
    ///
    /// # Errors
    /// [`Error::UnsupportedDType`] for values that are no labels.
    fn try_from(scalar: &Scalar) -> Result<Self> {
        Ok(match scalar {
            Scalar::Null(_) => Self::Null,
            Scalar::Bool(value) => Self::Bool(*value),
            Scalar::Int8(value) => (*value).into(),
            Scalar::Int16(value) => (*value).into(),
            Scalar::Int32(value) => (*value).into(),
            Scalar::Int64(value) => (*value).into(),
            Scalar::UInt8(value) => (*value).into(),
            Scalar::UInt16(value) => (*value).into(),
            Scalar::UInt32(value) => (*value).into(),
            Scalar::UInt64(value) => (*value).into(),
            Scalar::Float32(value) => (*value).into(),
            Scalar::Float64(value) => (*value).into(),
            Scalar::Utf8(text) => text.into(),
            Scalar::Date32(days) => Self::Date(*days),
            Scalar::Timestamp(value, unit) => Self::Timestamp(*value, *unit),
            Scalar::Duration(value, unit) => Self::Duration(*value, *unit),
            Scalar::Time(value, unit) => Self::Time(*value, *unit),
            other @ (Scalar::Decimal { .. }
            | Scalar::Binary(_)
            | Scalar::TimestampTz(..)
            | Scalar::Interval(_)
            | Scalar::List { .. }
            | Scalar::Struct(_)) => return Err(Error::UnsupportedDType { dtype: other.dtype() }),
        })
    }
}
