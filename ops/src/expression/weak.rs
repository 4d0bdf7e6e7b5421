//! Weak literals: the dtype that a constant takes beside a column, and comparisons by value.
//!
//! | literal | beside | dtype |
//! | --- | --- | --- |
//! | integer | integer | the column's where the value fits, else as a column of `int64`, or a decimal beyond it |
//! | integer | decimal | the decimal of its digits |
//! | integer | float | the column's where it has the value, else as `int64` |
//! | float | integer, bool | `float64` |
//! | float | decimal | the decimal of its shortest text; `float64` if that has more than 38 digits |
//! | float | float | the column's; `float64` for a number beyond `float32` |
//! | decimal | integer, decimal | the decimal of its digits |
//! | decimal | float | the column's nearest value |
//! | bool | number | as a column of `bool` |
//! | duration | duration, timestamp | the column's unit where that has the value, else the coarsest that has |
//! | duration | time of day; number, of `*` | its own |
//! | duration | date | whole days: the date moves by days; else as a column of the coarsest unit |
//! | string | string, date, timestamp, duration, time of day | the column's |
//! | null | anything, another literal too | the other side's; `null` alone |
//! | anything | null | its own |
//! | number | duration, of `*`, `/`, `//` and `%` | its own |
//!
//! Comparisons of numbers and durations are by value, whatever the column's dtype holds: [`compare`].

use super::typed::{Typed, TypedNode};
use super::{Comparison, Literal, decimal_string};
use columnade_columns::{DType, Error, Field, Result, Scalar, TimeUnit};
use std::sync::Arc;

pub(super) const NANOS_PER_DAY: i128 = 86_400 * 1_000_000_000;

pub(super) fn constant(scalar: Scalar) -> Typed {
    Typed { dtype: scalar.dtype(), node: TypedNode::Constant(scalar) }
}

/// The constant as it is combined with a column of `dtype`.
///
/// # Errors
/// [`Error::InvalidArgument`] for a literal that does not go with the dtype.
pub(super) fn beside(literal: &Literal, dtype: &DType) -> Result<Scalar> {
    let logical = dtype.logical();
    let is_number = logical.is_numeric() || *logical == DType::Bool;
    match literal {
        // A column of nothing but nulls takes the dtype of the literal.
        _ if *logical == DType::Null => standalone(literal),
        Literal::Int(value) if *logical == DType::Float32 && !is_exact_f32(*value) => standalone(literal),
        Literal::Float(value) if *logical == DType::Float32 && !fits_f32(*value) => standalone(literal),
        // The dtype must not depend on whether a float happens to be whole.
        Literal::Float(_) if logical.is_integer() => standalone(literal),
        Literal::Null
        | Literal::Bool(_)
        | Literal::Int(_)
        | Literal::Float(_)
        | Literal::Decimal { .. }
        | Literal::String(_)
        | Literal::Duration(_)
        | Literal::Scalar(_)
        | Literal::OneRow(_) => match fitting(literal, logical)? {
            Some(scalar) => Ok(scalar),
            None if is_number && is_number_literal(literal) => standalone(literal),
            None if is_time(logical) && matches!(literal, Literal::Duration(_)) => standalone(literal),
            None => Err(misfit(literal, dtype)),
        },
    }
}

/// The constant as a value of `dtype`, for operations that keep the dtype of a column.
///
/// # Errors
/// [`Error::InvalidArgument`] if the value does not fit; [`Error::Parse`] for text that is no such value.
pub(crate) fn adopt(literal: &Literal, dtype: &DType) -> Result<Scalar> {
    fitting(literal, dtype.logical())?.ok_or_else(|| misfit(literal, dtype))
}

/// A constant that is not combined with a column.
pub(super) fn standalone(literal: &Literal) -> Result<Scalar> {
    Ok(match literal {
        Literal::Null => Scalar::Null(DType::Null),
        Literal::Bool(value) => Scalar::from(*value),
        Literal::Int(value) => match i64::try_from(*value) {
            Ok(value) => Scalar::from(value),
            Err(_) => Scalar::decimal(*value, 0)?,
        },
        Literal::Float(value) => Scalar::from(*value),
        Literal::Decimal { value, scale } => Scalar::decimal(*value, *scale)?,
        Literal::String(text) => Scalar::from(text.as_str()),
        Literal::Duration(nanos) => {
            let in_unit = |unit| duration(*nanos, unit);
            TimeUnit::ALL
                .into_iter()
                .find_map(in_unit)
                .ok_or(Error::Overflow { dtype: DType::Duration(TimeUnit::Nano) })?
        }
        Literal::Scalar(scalar) => valid(scalar)?,
        Literal::OneRow(scalar) => scalar.to_scalar()?,
    })
}

/// Checks the scalar's dtype: a decimal may have been made with any number of digits.
pub(super) fn valid(scalar: &Scalar) -> Result<Scalar> {
    scalar.dtype().validate()?;
    Ok(scalar.clone())
}

/// The same instant in the zone of `dtype`; `None` unless both have one.
pub(super) fn in_zone(scalar: &Scalar, dtype: &DType) -> Option<Scalar> {
    if let (Scalar::TimestampTz(value, unit, _), DType::TimestampTz(_, zone)) = (scalar, dtype) {
        return Some(Scalar::TimestampTz(*value, *unit, zone.clone()));
    }
    None
}

/// Both sides, where a constant list or struct has the dtype of the other one, if its nulls and empty lists allow it.
pub(super) fn with_one_dtype(left: Typed, right: Typed) -> (Typed, Typed) {
    let left = with_dtype_of(left, &right.dtype);
    let right = with_dtype_of(right, &left.dtype);
    (left, right)
}

fn with_dtype_of(side: Typed, dtype: &DType) -> Typed {
    if let TypedNode::Constant(scalar @ (Scalar::List { .. } | Scalar::Struct(_))) = &side.node
        && side.dtype != *dtype
        && let Some(made) = with_nulls_of(scalar, dtype)
    {
        return Typed { dtype: made.dtype(), node: TypedNode::Constant(made) };
    }
    side
}

/// A list or a struct as a value of `dtype`, where it differs in nulls and empty lists, which have no dtype of their own.
fn with_nulls_of(scalar: &Scalar, dtype: &DType) -> Option<Scalar> {
    match (scalar, dtype) {
        (Scalar::Null(DType::Null), _) => Some(Scalar::Null(dtype.clone())),
        (Scalar::List { values, .. }, DType::List(item)) => {
            let values = values.iter().map(|value| with_nulls_of(value, item)).collect::<Option<_>>()?;
            Some(Scalar::List { item: item.clone(), values })
        }
        (Scalar::Struct(fields), DType::Struct(wanted)) if fields.len() == wanted.len() => {
            let field = |((name, value), wanted): (&(String, Scalar), &Field)| {
                Some((name.clone(), with_nulls_of(value, &wanted.dtype).filter(|_| *name == *wanted.name)?))
            };
            fields.iter().zip(wanted.iter()).map(field).collect::<Option<_>>().map(Scalar::Struct)
        }
        _ => (scalar.dtype() == *dtype).then(|| scalar.clone()),
    }
}

/// The constant as a value of `dtype`, or as a decimal for decimals; `None` if it does not fit.
fn fitting(literal: &Literal, dtype: &DType) -> Result<Option<Scalar>> {
    Ok(match (literal, dtype) {
        (Literal::Scalar(scalar), _) => {
            let made = in_zone(scalar, dtype).or_else(|| with_nulls_of(scalar, dtype));
            Some(valid(&made.unwrap_or_else(|| scalar.clone()))?)
        }
        (Literal::OneRow(scalar), _) => Some(scalar.to_scalar()?),
        (Literal::Null, _) => Some(Scalar::Null(dtype.clone())),
        (Literal::Int(value), DType::Decimal { .. }) => Some(Scalar::decimal(*value, 0)?),
        (Literal::Decimal { value, scale }, DType::Decimal { .. }) => Some(Scalar::decimal(*value, *scale)?),
        (Literal::Float(value), DType::Decimal { .. }) => decimal_string::parse(&value.to_string())
            .and_then(|(value, scale)| Scalar::decimal(value, scale).ok()),
        (Literal::Decimal { value, scale }, _) if dtype.is_integer() => {
            Some(Scalar::decimal(*value, *scale)?)
        }
        (Literal::Decimal { value, scale }, _) if dtype.is_float() => {
            decimal_string::print(*value, *scale).parse().ok().map(|value| float(value, dtype))
        }
        (Literal::Int(value), _) if dtype.is_integer() => integer(*value, dtype),
        (Literal::Float(value), _) if dtype.is_integer() => {
            whole(*value).and_then(|value| integer(value, dtype))
        }
        #[expect(clippy::cast_precision_loss, reason = "callers that need the value itself check it")]
        (Literal::Int(value), _) if dtype.is_float() => Some(float(*value as f64, dtype)),
        (Literal::Float(value), _) if dtype.is_float() => Some(float(*value, dtype)),
        (Literal::Bool(value), DType::Bool) => Some(Scalar::from(*value)),
        (Literal::Duration(nanos), _) if dtype.unit().is_some() && !matches!(dtype, DType::Time(_)) => {
            dtype.unit().and_then(|unit| duration(*nanos, unit))
        }
        (Literal::String(text), DType::Utf8) => Some(Scalar::from(text.as_str())),
        (
            Literal::String(text),
            DType::Date32
            | DType::Timestamp(_)
            | DType::TimestampTz(..)
            | DType::Duration(_)
            | DType::Time(_),
        ) => Some(Scalar::parse(dtype, text)?),
        _ => None,
    })
}

fn misfit(literal: &Literal, dtype: &DType) -> Error {
    let logical = dtype.logical();
    let cure = match literal {
        Literal::String(_) if logical.is_numeric() => "write a number, without quotes",
        Literal::Duration(_) => "durations go with dates, timestamps and durations",
        _ if *logical == DType::Utf8 => "write it in quotes, or cast the column to a number",
        _ if matches!(logical, DType::Duration(_)) => "write a duration such as days(30)",
        _ if matches!(logical, DType::Time(_)) => "write a time of day in quotes, such as \"12:30:00\"",
        _ if logical.is_temporal() => {
            "write a time in quotes, such as \"1995-03-15\", or a duration such as days(30)"
        }
        Literal::Int(_) if logical.is_integer() => "cast the column to a wider integer dtype",
        Literal::Float(_) if logical.is_integer() => "cast the column to float64",
        _ if *logical == DType::Bool => "write true or false",
        Literal::Null
        | Literal::Bool(_)
        | Literal::Int(_)
        | Literal::Float(_)
        | Literal::Decimal { .. }
        | Literal::String(_)
        | Literal::Scalar(_)
        | Literal::OneRow(_) => "cast the column, or give the literal a dtype",
    };
    Error::InvalidArgument { name: "literal", reason: format!("{literal} does not fit {dtype}; {cure}") }
}

const fn is_number_literal(literal: &Literal) -> bool {
    matches!(literal, Literal::Bool(_) | Literal::Int(_) | Literal::Float(_) | Literal::Decimal { .. })
}

const fn is_time(dtype: &DType) -> bool {
    dtype.is_temporal() || matches!(dtype, DType::Duration(_))
}

#[expect(clippy::cast_precision_loss, reason = "the loss is what is tested")]
fn is_exact_f32(value: i128) -> bool {
    whole(f64::from(value as f32)) == Some(value)
}

/// Whether the nearest `float32` of a number is no infinity, or the number itself is one.
#[expect(clippy::cast_possible_truncation, reason = "the loss is what is tested")]
const fn fits_f32(value: f64) -> bool {
    !value.is_finite() || (value as f32).is_finite()
}

/// An integer as a value of an integer dtype; `None` if it does not fit.
fn integer(value: i128, dtype: &DType) -> Option<Scalar> {
    Some(match dtype {
        DType::Int8 => Scalar::Int8(value.try_into().ok()?),
        DType::Int16 => Scalar::Int16(value.try_into().ok()?),
        DType::Int32 => Scalar::Int32(value.try_into().ok()?),
        DType::Int64 => Scalar::Int64(value.try_into().ok()?),
        DType::UInt8 => Scalar::UInt8(value.try_into().ok()?),
        DType::UInt16 => Scalar::UInt16(value.try_into().ok()?),
        DType::UInt32 => Scalar::UInt32(value.try_into().ok()?),
        DType::UInt64 => Scalar::UInt64(value.try_into().ok()?),
        DType::Bool
        | DType::Float32
        | DType::Float64
        | DType::Utf8
        | DType::Date32
        | DType::Timestamp(_)
        | DType::Decimal { .. }
        | DType::Binary
        | DType::TimestampTz(..)
        | DType::Duration(_)
        | DType::Time(_)
        | DType::Dictionary(_)
        | DType::Interval(_)
        | DType::List(_)
        | DType::Struct(_)
        | DType::Null => return None,
    })
}

/// A number as the nearest value of a float dtype.
fn float(value: f64, dtype: &DType) -> Scalar {
    #[expect(clippy::cast_possible_truncation, reason = "a float32 column asks for the nearest float32")]
    if *dtype == DType::Float32 { Scalar::Float32(value as f32) } else { Scalar::Float64(value) }
}

/// A duration in a unit that has it exactly.
fn duration(nanos: i128, unit: TimeUnit) -> Option<Scalar> {
    let per_unit = nanos_per_unit(unit);
    let count = i64::try_from(nanos / per_unit).ok()?;
    (nanos % per_unit == 0).then_some(Scalar::Duration(count, unit))
}

fn nanos_per_unit(unit: TimeUnit) -> i128 {
    1_000_000_000 / i128::from(unit.per_second())
}

/// A float as the integer that it is.
#[expect(clippy::cast_possible_truncation, reason = "a whole number within the range")]
fn whole(value: f64) -> Option<i128> {
    const LIMIT: f64 = 170_141_183_460_469_231_731_687_303_715_884_105_728.0;
    ((-LIMIT..LIMIT).contains(&value) && value.fract() == 0.0).then_some(value as i128)
}

/// Where a constant lies among the values of a dtype.
enum Place {
    /// Below every value.
    Below,
    /// The greatest value that is at most the constant, and whether it equals it.
    At(Scalar, bool),
    /// Above every value.
    Above,
    /// NaN.
    Unordered,
}

/// The comparison of a column of numbers, durations or times with a constant, by value: as if both had unlimited
/// range and digits. It reads the column in its own dtype. A comparison that no value of the dtype decides is
/// a constant, null where the column is null. `None` for other dtypes and literals.
pub(super) fn compare(op: Comparison, column: &Typed, literal: &Literal) -> Option<Typed> {
    use Comparison::{Eq, Ge, Gt, Le, Lt, Ne};
    if column.dtype == DType::Null {
        return Some(constant(Scalar::Null(DType::Bool)));
    }
    let always = |value| Some(constant_where_valid(column, value));
    match place(literal, &column.dtype)? {
        Place::Below => always(matches!(op, Gt | Ge | Ne)),
        Place::Above => always(matches!(op, Lt | Le | Ne)),
        Place::Unordered => always(op == Ne),
        Place::At(_, false) if matches!(op, Eq | Ne) => always(op == Ne),
        Place::At(floor, exact) => {
            let op = match op {
                Lt if !exact => Le,
                Ge if !exact => Gt,
                op @ (Eq | Ne | Lt | Le | Gt | Ge) => op,
            };
            let mut floor = constant(floor);
            floor.dtype = column.dtype.clone();
            let node = TypedNode::Compare(op, Arc::new(column.clone()), Arc::new(floor));
            Some(Typed { dtype: DType::Bool, node })
        }
    }
}

/// What of the values of a dtype equals a constant.
pub(super) enum Equal {
    Value(Scalar),
    Nothing,
}

/// The value of numbers or durations that equals a constant, NaN for NaN; `None` for other dtypes and literals.
pub(super) fn equal(literal: &Literal, dtype: &DType) -> Option<Equal> {
    Some(match place(literal, dtype)? {
        Place::At(value, true) => Equal::Value(value),
        Place::Unordered if dtype.is_float() => Equal::Value(float(f64::NAN, dtype)),
        Place::At(_, false) | Place::Below | Place::Above | Place::Unordered => Equal::Nothing,
    })
}

/// A boolean in every row, null where `column` is.
fn constant_where_valid(column: &Typed, value: bool) -> Typed {
    let is_null = TypedNode::IsNull(Arc::new(column.clone()));
    let node = TypedNode::When {
        condition: Arc::new(Typed { dtype: DType::Bool, node: is_null }),
        then: Arc::new(constant(Scalar::Null(DType::Bool))),
        otherwise: Arc::new(constant(Scalar::Bool(value))),
    };
    Typed { dtype: DType::Bool, node }
}

/// A time in text that dates or timestamps of this dtype do not have: between two of them, or far from all. `None` for text
/// that is one of them, or no time.
fn place_of_time(text: &str, dtype: &DType) -> Option<Place> {
    let per_value = if *dtype == DType::Date32 {
        86_400 * nanos_per_unit(TimeUnit::Second)
    } else if let DType::Timestamp(unit) | DType::TimestampTz(unit, _) = dtype {
        nanos_per_unit(*unit)
    } else {
        return None;
    };
    if Scalar::parse(dtype, text).is_ok() {
        return None;
    }
    let zone = if let DType::TimestampTz(_, zone) = dtype { Some(zone) } else { None };
    let timestamp = |unit: TimeUnit| match zone {
        Some(zone) => DType::TimestampTz(unit, zone.clone()),
        None => DType::Timestamp(unit),
    };
    let nanos = TimeUnit::ALL.into_iter().find_map(|unit| {
        let time = Scalar::parse(&timestamp(unit), text).ok()?;
        if let Scalar::Timestamp(value, unit) | Scalar::TimestampTz(value, unit, _) = time {
            Some(i128::from(value) * nanos_per_unit(unit))
        } else {
            None
        }
    })?;
    let (floor, exact) = (nanos.div_euclid(per_value), nanos.rem_euclid(per_value) == 0);
    Some(among(Some(floor), nanos < 0, exact, |floor| {
        let Some(unit) = dtype.unit() else { return i32::try_from(floor).ok().map(Scalar::Date32) };
        let count = i64::try_from(floor).ok()?;
        Some(match zone {
            Some(zone) => Scalar::TimestampTz(count, unit, zone.clone()),
            None => Scalar::Timestamp(count, unit),
        })
    }))
}

fn place(literal: &Literal, dtype: &DType) -> Option<Place> {
    if let DType::Duration(unit) = dtype {
        let Literal::Duration(nanos) = literal else { return None };
        let per_unit = nanos_per_unit(*unit);
        let (floor, exact) = (nanos.div_euclid(per_unit), nanos.rem_euclid(per_unit) == 0);
        return Some(among(Some(floor), *nanos < 0, exact, |floor| {
            i64::try_from(floor).ok().map(|floor| Scalar::Duration(floor, *unit))
        }));
    }
    if let Literal::String(text) = literal {
        return place_of_time(text, dtype);
    }
    if !is_number_literal(literal) || matches!(literal, Literal::Bool(_)) {
        return None;
    }
    if let Literal::Float(value) = literal
        && value.is_nan()
    {
        return Some(Place::Unordered);
    }
    match dtype {
        DType::Float32 | DType::Float64 => Some(place_among_floats(literal, dtype)),
        DType::Decimal { precision, scale, .. } => {
            let text = match literal {
                Literal::Int(value) => value.to_string(),
                Literal::Decimal { value, scale } => decimal_string::print(*value, *scale),
                Literal::Float(value) if value.is_infinite() => return Some(infinite(*value)),
                Literal::Float(value) => value.to_string(),
                Literal::Null
                | Literal::Bool(_)
                | Literal::String(_)
                | Literal::Duration(_)
                | Literal::Scalar(_)
                | Literal::OneRow(_) => return None,
            };
            let (floor, exact) = floor_at_scale(&text, *scale);
            Some(among(floor, text.starts_with('-'), exact, |value| {
                let fits = value.unsigned_abs() < 10_u128.pow(u32::from(*precision));
                fits.then_some(Scalar::Decimal { value, precision: *precision, scale: *scale })
            }))
        }
        integers @ (DType::Int8
        | DType::Int16
        | DType::Int32
        | DType::Int64
        | DType::UInt8
        | DType::UInt16
        | DType::UInt32
        | DType::UInt64) => {
            let (floor, negative, exact) = match literal {
                Literal::Int(value) => (Some(*value), *value < 0, true),
                Literal::Decimal { value, scale } => {
                    let (floor, exact) = floor_at_scale(&decimal_string::print(*value, *scale), 0);
                    (floor, *value < 0, exact)
                }
                Literal::Float(value) => (whole(value.floor()), *value < 0.0, value.fract() == 0.0),
                Literal::Null
                | Literal::Bool(_)
                | Literal::String(_)
                | Literal::Duration(_)
                | Literal::Scalar(_)
                | Literal::OneRow(_) => return None,
            };
            Some(among(floor, negative, exact, |value| integer(value, integers)))
        }
        DType::Bool
        | DType::Utf8
        | DType::Date32
        | DType::Timestamp(_)
        | DType::Binary
        | DType::TimestampTz(..)
        | DType::Dictionary(_)
        | DType::Interval(_)
        | DType::List(_)
        | DType::Struct(_)
        | DType::Null
        | DType::Duration(_)
        | DType::Time(_) => None,
    }
}

/// The place of a number whose floor among the integers is `floor`; `None`: it does not fit 128 bits.
fn among(
    floor: Option<i128>,
    negative: bool,
    exact: bool,
    scalar: impl FnOnce(i128) -> Option<Scalar>,
) -> Place {
    match floor.and_then(scalar) {
        Some(scalar) => Place::At(scalar, exact),
        None if negative => Place::Below,
        None => Place::Above,
    }
}

const fn infinite(value: f64) -> Place {
    if value > 0.0 { Place::Above } else { Place::Below }
}

/// A float or decimal literal is read as the nearest float of the dtype; an integer is compared by value.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "what the conversions round is compared with the literal"
)]
fn place_among_floats(literal: &Literal, dtype: &DType) -> Place {
    let is_f32 = *dtype == DType::Float32;
    let (nearest, above) = match literal {
        Literal::Int(value) => {
            let nearest = if is_f32 { f64::from(*value as f32) } else { *value as f64 };
            // A float beyond 128 bits is the next power of two.
            (nearest, whole(nearest).map_or(std::cmp::Ordering::Greater, |whole| whole.cmp(value)))
        }
        Literal::Float(value) if is_f32 && !fits_f32(*value) => {
            let above = if *value > 0.0 { std::cmp::Ordering::Greater } else { std::cmp::Ordering::Less };
            (f64::from(*value as f32), above)
        }
        Literal::Float(value) => (*value, std::cmp::Ordering::Equal),
        Literal::Decimal { value, scale } => {
            let text = decimal_string::print(*value, *scale);
            (text.parse().unwrap_or(f64::NAN), std::cmp::Ordering::Equal)
        }
        Literal::Null
        | Literal::Bool(_)
        | Literal::String(_)
        | Literal::Duration(_)
        | Literal::Scalar(_)
        | Literal::OneRow(_) => {
            return Place::Unordered;
        }
    };
    let below = |value: f64| if is_f32 { f64::from((value as f32).next_down()) } else { value.next_down() };
    match above {
        std::cmp::Ordering::Equal => Place::At(float(nearest, dtype), true),
        std::cmp::Ordering::Less => Place::At(float(nearest, dtype), false),
        std::cmp::Ordering::Greater => Place::At(float(below(nearest), dtype), false),
    }
}

/// A decimal number's text as units of 10^−`scale`, rounded down, and whether nothing was lost; `None` if that
/// does not fit 128 bits.
fn floor_at_scale(text: &str, scale: i8) -> (Option<i128>, bool) {
    let (negative, unsigned) = text.strip_prefix('-').map_or((false, text), |rest| (true, rest));
    let (integer, fraction) = unsigned.split_once('.').unwrap_or((unsigned, ""));
    let digits = || integer.bytes().chain(fraction.bytes());
    let kept = integer.len().saturating_add_signed(isize::from(scale));
    let exact = digits().skip(kept).all(|digit| digit == b'0');
    let mut value = 0_i128;
    for digit in digits().chain(std::iter::repeat(b'0')).take(kept) {
        let next = value.checked_mul(10).and_then(|value| value.checked_add(i128::from(digit - b'0')));
        let Some(next) = next else { return (None, exact) };
        value = next;
    }
    (Some(if negative { -value - i128::from(!exact) } else { value }), exact)
}
