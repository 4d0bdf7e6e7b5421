//! The dtypes of results, as functions of the dtypes of the inputs: never of values.

#[cfg(test)]
mod tests;

use crate::{DType, Error, Field, MAX_PRECISION, Result, TimeUnit};
use std::cmp::{max, min};
use std::fmt;

/// Digits after the point that a decimal quotient keeps at least, if the dividend's digits allow it.
const DIVISION_SCALE: i16 = 6;

/// An arithmetic operation of two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Arithmetic {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// Quotient rounded towards minus infinity.
    FloorDivide,
    /// Remainder with the sign of the divisor.
    Modulo,
}

impl Arithmetic {
    /// Every operation.
    pub const ALL: [Arithmetic; 6] = [
        Arithmetic::Add,
        Arithmetic::Subtract,
        Arithmetic::Multiply,
        Arithmetic::Divide,
        Arithmetic::FloorDivide,
        Arithmetic::Modulo,
    ];

    /// The name of the operation.
    pub const fn name(self) -> &'static str {
        match self {
            Arithmetic::Add => "add",
            Arithmetic::Subtract => "subtract",
            Arithmetic::Multiply => "multiply",
            Arithmetic::Divide => "divide",
            Arithmetic::FloorDivide => "floor_divide",
            Arithmetic::Modulo => "modulo",
        }
    }
}

impl fmt::Display for Arithmetic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The dtype that two columns are brought to before they are compared, concatenated or chosen between.
///
/// | left, right | result |
/// | --- | --- |
/// | equal | the same |
/// | equal but for the widths of decimals and dictionary codes, in children too | [`DType::canonical`] |
/// | bool, number | the number |
/// | integers of one sign | the wider |
/// | signed, unsigned | the signed one that holds both; with `uint64`: `float64` |
/// | integer, float | the float that holds the integer's bits: `float32` up to 16 bits, else `float64` |
/// | decimals, or decimal and integer | most integer digits, most digits after the point, as results are stored |
/// | decimal, float | `float64` |
/// | timestamps, or date and timestamp | the finer unit |
/// | timestamps of one time zone; durations; times of day | the finer unit |
/// | null, anything | the other |
/// | lists, structs with the same names | those of the common dtypes of their items: `list<int32>` and `list<null>` are `list<int32>` |
/// | dictionaries of different types, or dictionary and its values | the values |
///
/// # Errors
/// [`Error::DTypeMismatch`] for every other pair, strings and numbers among them; [`Error::Overflow`] when a decimal
/// would need more than 38 digits.
///
/// # Source
/// `result_type` of `NumPy`; decimals as cuDF.
pub fn common(left: &DType, right: &DType) -> Result<DType> {
    use DType::{Bool, Date32, Duration, Float32, Float64, Null, Time, Timestamp, TimestampTz};
    if left == right {
        return Ok(left.clone());
    }
    let mismatch = || Error::DTypeMismatch { left: left.clone(), right: right.clone() };
    match (left, right) {
        (DType::Dictionary(_), _) | (_, DType::Dictionary(_)) => {
            common(left.logical(), right.logical()).map_err(|_| mismatch())
        }
        (Null, other) | (other, Null) => Ok(other.clone()),
        (left, right) if left.same_values(right) => Ok(left.canonical()),
        (Bool, number) | (number, Bool) if number.is_numeric() => Ok(number.clone()),
        (TimestampTz(a, zone), TimestampTz(b, other)) if zone == other => {
            Ok(TimestampTz(max(*a, *b), zone.clone()))
        }
        (Duration(a), Duration(b)) => Ok(Duration(max(*a, *b))),
        (Time(a), Time(b)) => Ok(Time(max(*a, *b))),
        (Date32, Timestamp(unit)) | (Timestamp(unit), Date32) => Ok(Timestamp(*unit)),
        (Timestamp(a), Timestamp(b)) => Ok(Timestamp(max(*a, *b))),
        (Float32 | Float64, Float32 | Float64) => Ok(Float64),
        (float @ (Float32 | Float64), other) | (other, float @ (Float32 | Float64)) => {
            if matches!(other, DType::Int8 | DType::Int16 | DType::UInt8 | DType::UInt16) {
                Ok(float.clone())
            } else if other.is_numeric() {
                Ok(Float64)
            } else {
                Err(mismatch())
            }
        }
        (DType::Decimal { .. }, _) | (_, DType::Decimal { .. }) => {
            let (Some(left), Some(right)) = (digits(left), digits(right)) else { return Err(mismatch()) };
            left.union(right).checked()
        }
        (a, b) if a.is_integer() && b.is_integer() => Ok(common_integer(a, b)),
        (a, b) => {
            let of_items = |a: &DType, b: &DType| match (a, b) {
                // Also a dictionary, of which nulls have no values.
                (Null, other) | (other, Null) => Some(other.clone()),
                (a, b) => common(a, b).ok(),
            };
            within(a, b, of_items).map(|common| common.canonical()).ok_or_else(mismatch)
        }
    }
}

/// The dtype of two lists, or of two structs with the same names, whose items have the dtype that `of_items` gives of theirs;
/// `None` where it gives none, and for other dtypes.
pub fn within(
    left: &DType,
    right: &DType,
    of_items: impl Fn(&DType, &DType) -> Option<DType>,
) -> Option<DType> {
    match (left, right) {
        (DType::List(left), DType::List(right)) => of_items(left, right).map(DType::list),
        (DType::Struct(left), DType::Struct(right)) if left.len() == right.len() => {
            let field = |(left, right): (&Field, &Field)| {
                let dtype = of_items(&left.dtype, &right.dtype)?;
                (left.name == right.name).then(|| Field { name: left.name.clone(), dtype })
            };
            let fields = left.iter().zip(right.iter()).map(field).collect::<Option<Vec<_>>>()?;
            Some(DType::Struct(fields.into()))
        }
        _ => None,
    }
}

fn common_integer(left: &DType, right: &DType) -> DType {
    let bits = |dtype: &DType| dtype.storage().map_or(0, columnade_kernels::Storage::bits);
    if left.is_signed_integer() == right.is_signed_integer() {
        return if bits(left) >= bits(right) { left.clone() } else { right.clone() };
    }
    let (signed, unsigned) = if left.is_signed_integer() { (left, right) } else { (right, left) };
    match max(bits(signed), bits(unsigned) * 2) {
        16 => DType::Int16,
        32 => DType::Int32,
        64 => DType::Int64,
        _ => DType::Float64,
    }
}

/// The dtype of an arithmetic result.
///
/// | operands | `+` `-` | `*` | `/` | floor-divide, modulo |
/// | --- | --- | --- | --- | --- |
/// | integers | [`common`], wraps | [`common`], wraps | `float64` | [`common`]; null for a zero divisor |
/// | one float | [`common`] | [`common`] | [`common`] | [`common`] |
/// | decimals (p₁,s₁), (p₂,s₂); integers count as decimals | most integer digits + 1, most scale | (p₁ + p₂, s₁ + s₂) | see below | (p₁ − s₁ + s₂ + 1, 0); of modulo, integer digits of the divisor and most scale; null for a zero divisor |
/// | decimal and float | `float64` | `float64` | `float64` | `float64` |
/// | bool and number | the number's | the number's | as the number with itself | the number's |
/// | bool and decimal | as `int8` and decimal | as `int8` and decimal | as `int8` and decimal | as `int8` and decimal |
/// | bools | `int64` | `int64` | `float64` | `int64` |
/// | two dates or timestamps | `-`: the duration between them, in the finer unit | none | none | none |
/// | date or timestamp, and duration | a timestamp in the finer unit | none | none | none |
/// | durations | the finer unit | none | `float64` | `int64`; of modulo, the finer unit |
/// | duration and number | none | the duration | duration / number: the duration | as `/`; modulo of integers alone |
/// | time of day, and duration | a time of day in the finer unit | none | none | none |
/// | two times of day | `-`: the duration between them, in the finer unit | none | none | none |
/// | date and time of day | `+`: a timestamp in the unit of the time of day | none | none | none |
///
/// A date counts as a timestamp in seconds; timestamps with a time zone go with those of the same zone.
///
/// Precisions end at 38. A decimal quotient has p₁ − s₁ + s₂ integer digits and max(6, s₁ + p₂ + 1) digits after
/// the point; where that is more than 38, digits after the point go first, down to six. The dividend is rescaled
/// before the division, so that no digit of the quotient is lost.
///
/// # Errors
/// [`Error::UnsupportedDType`] for an operand that is neither number nor bool, and for other operations on time than those
/// above; [`Error::DTypeMismatch`] for timestamps that do not go together; [`Error::Overflow`] when a product's scale
/// passes 38.
pub fn arithmetic(op: Arithmetic, left: &DType, right: &DType) -> Result<DType> {
    let (left, right) = (left.logical(), right.logical());
    let unsupported = |dtype: &DType| Err(Error::UnsupportedDType { dtype: dtype.clone() });
    if let Some((_, _, result)) = time_arithmetic(op, left, right)? {
        return Ok(result);
    }
    if let Some(result) = span_arithmetic(op, left, right) {
        return Ok(result);
    }
    let (left, right) = match (left, right) {
        // As their sum is.
        (DType::Bool, DType::Bool) => (&DType::Int64, &DType::Int64),
        (DType::Bool, number) if number.is_decimal() => (&DType::Int8, number),
        (number, DType::Bool) if number.is_decimal() => (number, &DType::Int8),
        (DType::Bool, number) | (number, DType::Bool) if number.is_numeric() => (number, number),
        (number, other) if number.is_numeric() && other.is_numeric() => (number, other),
        (number, other) => return unsupported(if number.is_numeric() { other } else { number }),
    };
    if left.is_float() || right.is_float() {
        return common(left, right);
    }
    if let (true, Some(l), Some(r)) = (left.is_decimal() || right.is_decimal(), digits(left), digits(right)) {
        return match op {
            Arithmetic::Add | Arithmetic::Subtract => {
                let sum = l.union(r);
                Ok(Digits { integer: sum.integer + 1, ..sum }.capped())
            }
            Arithmetic::Multiply => {
                let product = Digits { integer: l.integer + r.integer, scale: l.scale + r.scale };
                if product.scale > i16::from(MAX_PRECISION) {
                    let dtype = DType::decimal_of(MAX_PRECISION, narrow(product.scale));
                    return Err(Error::Overflow { dtype });
                }
                Ok(product.capped())
            }
            Arithmetic::Divide => Ok(quotient(l, r)),
            // Rounding away from zero may carry into a further digit.
            Arithmetic::FloorDivide => {
                Ok(Digits { integer: max(l.integer + r.scale, 0) + 1, scale: 0 }.capped())
            }
            Arithmetic::Modulo => Ok(Digits { integer: r.integer, scale: max(l.scale, r.scale) }.capped()),
        };
    }
    if op == Arithmetic::Divide { Ok(DType::Float64) } else { common(left, right) }
}

/// The dtypes that the operands of an arithmetic operation on time are brought to, and that of the result: see
/// [`arithmetic`]. `None` when neither operand is a time, or the operation is none on time.
///
/// # Errors
/// [`Error::DTypeMismatch`] for timestamps that do not go together.
pub fn time_arithmetic(op: Arithmetic, left: &DType, right: &DType) -> Result<Option<(DType, DType, DType)>> {
    let point = |dtype: &DType| {
        if *dtype == DType::Date32 {
            Some(DType::Timestamp(TimeUnit::Second))
        } else {
            dtype.is_temporal().then(|| dtype.clone())
        }
    };
    let finer = |a: &DType, b: &DType| max(a.unit(), b.unit()).unwrap_or(TimeUnit::Second);
    let in_unit = |dtype: &DType, unit| {
        if let DType::TimestampTz(_, zone) = dtype {
            DType::TimestampTz(unit, zone.clone())
        } else {
            DType::Timestamp(unit)
        }
    };
    let (plus, minus) = (op == Arithmetic::Add, op == Arithmetic::Subtract);
    Ok(match (point(left), point(right), left, right) {
        // Instants, whatever the zones that show them.
        (Some(a @ DType::TimestampTz(..)), Some(b @ DType::TimestampTz(..)), _, _) if minus => {
            let unit = finer(&a, &b);
            Some((in_unit(&a, unit), in_unit(&b, unit), DType::Duration(unit)))
        }
        (Some(a), Some(b), _, _) if minus => {
            let both = common(&a, &b)?;
            let between = DType::Duration(finer(&both, &both));
            Some((both.clone(), both, between))
        }
        (Some(a), None, _, DType::Duration(_)) if plus || minus => {
            let unit = finer(&a, right);
            Some((in_unit(&a, unit), DType::Duration(unit), in_unit(&a, unit)))
        }
        (None, Some(b), DType::Duration(_), _) if plus => {
            let unit = finer(left, &b);
            Some((DType::Duration(unit), in_unit(&b, unit), in_unit(&b, unit)))
        }
        (None, None, DType::Duration(_), DType::Duration(_)) if plus || minus => {
            let both = DType::Duration(finer(left, right));
            Some((both.clone(), both.clone(), both))
        }
        _ => None,
    })
}

/// The dtype of arithmetic with durations and times of day whose operands are not brought to one dtype: see [`arithmetic`].
/// `None` where there is none.
pub fn span_arithmetic(op: Arithmetic, left: &DType, right: &DType) -> Option<DType> {
    use Arithmetic::{Add, Divide, FloorDivide, Modulo, Multiply, Subtract};
    use DType::{Date32, Duration, Float64, Int64, Time, Timestamp};
    Some(match (op, left, right) {
        (Multiply, Duration(unit), number) | (Multiply, number, Duration(unit)) if number.is_numeric() => {
            Duration(*unit)
        }
        (Divide | FloorDivide, Duration(unit), number) if number.is_numeric() => Duration(*unit),
        (Modulo, Duration(unit), number) if number.is_integer() => Duration(*unit),
        (Divide, Duration(_), Duration(_)) => Float64,
        (FloorDivide, Duration(_), Duration(_)) => Int64,
        (Modulo, Duration(a), Duration(b)) | (Subtract, Time(a), Time(b)) => Duration(max(*a, *b)),
        (Add | Subtract, Time(a), Duration(b)) | (Add, Duration(a), Time(b)) => Time(max(*a, *b)),
        (Add, Date32, Time(unit)) | (Add, Time(unit), Date32) => Timestamp(*unit),
        _ => return None,
    })
}

/// The dtype of a sum: 64 bits of the input's signedness for integers and booleans, the float itself,
/// (38, s) for decimals, the duration itself.
///
/// # Errors
/// [`Error::UnsupportedDType`] for every other dtype.
pub fn sum(dtype: &DType) -> Result<DType> {
    match dtype.logical() {
        DType::Float32 => Ok(DType::Float32),
        DType::Float64 => Ok(DType::Float64),
        DType::Duration(unit) => Ok(DType::Duration(*unit)),
        DType::Decimal { scale, .. } => Ok(DType::decimal_of(MAX_PRECISION, *scale)),
        DType::Bool | DType::Int8 | DType::Int16 | DType::Int32 | DType::Int64 => Ok(DType::Int64),
        DType::UInt8 | DType::UInt16 | DType::UInt32 | DType::UInt64 => Ok(DType::UInt64),
        other @ (DType::Utf8
        | DType::Date32
        | DType::Timestamp(_)
        | DType::Binary
        | DType::TimestampTz(..)
        | DType::Time(_)
        | DType::Dictionary(_)
        | DType::Interval(_)
        | DType::List(_)
        | DType::Struct(_)
        | DType::Null) => Err(Error::UnsupportedDType { dtype: other.clone() }),
    }
}

/// The dtype of a mean: `float64`, for decimals from the exact sum; of dates, timestamps, times of day and durations the same.
///
/// # Errors
/// [`Error::UnsupportedDType`] for other dtypes without sums.
pub fn mean(dtype: &DType) -> Result<DType> {
    let values = dtype.logical();
    if values.is_temporal() || matches!(values, DType::Duration(_) | DType::Time(_)) {
        return Ok(values.clone());
    }
    sum(dtype).map(|_| DType::Float64)
}

/// Digits before and after the point.
#[derive(Clone, Copy)]
struct Digits {
    integer: i16,
    scale: i16,
}

/// The digits of a decimal or integer dtype.
fn digits(dtype: &DType) -> Option<Digits> {
    match dtype.as_decimal() {
        Some(DType::Decimal { precision, scale, .. }) => {
            Some(Digits { integer: i16::from(precision) - i16::from(scale), scale: i16::from(scale) })
        }
        _ => None,
    }
}

impl Digits {
    fn union(self, other: Digits) -> Digits {
        Digits { integer: max(self.integer, other.integer), scale: max(self.scale, other.scale) }
    }

    /// The decimal of these digits, at most 38 of them.
    fn capped(self) -> DType {
        let precision = min(max(self.integer + self.scale, 1), i16::from(MAX_PRECISION));
        DType::decimal_of(u8::try_from(precision).unwrap_or(MAX_PRECISION), narrow(self.scale))
    }

    /// The decimal of these digits, an error when they are more than 38.
    fn checked(self) -> Result<DType> {
        let dtype = self.capped();
        if self.integer + self.scale > i16::from(MAX_PRECISION) {
            return Err(Error::Overflow { dtype });
        }
        Ok(dtype)
    }
}

fn quotient(dividend: Digits, divisor: Digits) -> DType {
    let all = i16::from(MAX_PRECISION);
    let integer = max(dividend.integer + divisor.scale, 0);
    let wanted = max(DIVISION_SCALE, dividend.scale + divisor.integer + divisor.scale + 1);
    let scale = min(wanted, max(all - integer, DIVISION_SCALE));
    Digits { integer, scale }.capped()
}

/// A scale as a dtype holds it: sums of two scales are within ±76.
fn narrow(scale: i16) -> i8 {
    i8::try_from(scale).unwrap_or(if scale < 0 { i8::MIN } else { i8::MAX })
}
