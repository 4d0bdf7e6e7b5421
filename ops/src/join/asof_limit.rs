//! The greatest distance of keys that a tolerance allows.

use crate::cast::in_coarser_units;
use crate::expression::{Expr, Literal, Node, col, evaluate, lit};
use crate::groupby::grouped_rows::compute;
use columnade_buffers::{Buffer, Exec};
use columnade_columns::{Column, ColumnAccessor, DType, Error, MAX_PRECISION, Result, Scalar, TimeUnit};
use columnade_kernels::{ColumnData, Element, FixedData, Storage, Value};

/// Distances that are compared with a tolerance at a time.
const CANDIDATES: u128 = 1024;

/// The greatest distance of keys of a dtype that is not greater than the tolerance, as
/// [`nearest_rows`](columnade_kernels::joining::search_ranges::nearest_rows) takes it; `None` if none is.
///
/// Distances are compared by the expression `distance <= tolerance`, which knows all dtypes, units and scales that go together.
/// It holds up to some distance, which is found by halves.
///
/// # Errors
/// Those of the comparison, naming the tolerance; [`Error::Memory`].
pub(super) fn greatest_within(key: &DType, tolerance: &Expr, exec: &Exec) -> Result<Option<Value>> {
    let named = |error: Error| error.in_expression(tolerance);
    let tolerance = if is_weak(tolerance) {
        tolerance.clone()
    } else {
        let row = ColumnAccessor::with_rows(1);
        let value = evaluate(std::slice::from_ref(tolerance), &row, exec).map_err(named)?;
        lit(value[0].1.get(0)?)
    };
    let distances = Distances::of(key)?;
    let is_within = |codes: &[u128]| distances.are_within(codes, &tolerance).map_err(named);
    let (mut within, mut beyond) = (0, distances.greatest);
    match is_within(&[within, beyond])?[..] {
        [true, true] => return Ok(Some(distances.all())),
        [true, false] => {}
        _ => return Ok(None),
    }
    while beyond - within > 1 {
        let step = (beyond - within).div_ceil(CANDIDATES);
        let next = |code: &u128| code.checked_add(step).filter(|next| *next < beyond);
        let codes: Vec<u128> = std::iter::successors(next(&within), next).collect();
        let count = is_within(&codes)?.into_iter().take_while(|is_within| *is_within).count();
        beyond = codes.get(count).copied().unwrap_or(beyond);
        within = count.checked_sub(1).map_or(within, |last| codes[last]);
    }
    Ok(Some(distances.value(within)))
}

/// As [`greatest_within`], of keys that are counts of the unit of a dtype of times, which may be beyond its range: a tolerance that
/// all distances within that range are within is one of whole coarser units.
pub(super) fn greatest_count_within(unit: &DType, tolerance: &Expr, exec: &Exec) -> Result<Option<Value>> {
    let per_second = |dtype: &DType| i128::from(dtype.unit().map_or(1, TimeUnit::per_second));
    let all = u64::MAX;
    for dtype in std::iter::once(unit.clone()).chain(in_coarser_units(unit).into_iter().rev()) {
        match greatest_within(&dtype, tolerance, exec)? {
            Some(Value::U64(count)) if count < all => {
                let factor = per_second(unit) / per_second(&dtype);
                return Ok(Some(Value::I128(i128::from(count) * factor)));
            }
            None => return Ok(None),
            Some(_) => {}
        }
    }
    Ok(Some(Value::I128(i128::MAX)))
}

/// Whether a tolerance is a constant that takes the dtype of the distances.
fn is_weak(tolerance: &Expr) -> bool {
    matches!(tolerance.node(), Node::Literal(literal) if !matches!(literal, Literal::OneRow(_)))
}

/// How the distances of keys are counted: in their order, from 0.
struct Distances {
    form: Form,
    /// Of the column that they are compared in.
    dtype: DType,
    /// The greatest one of that dtype.
    greatest: u128,
}

#[derive(Clone, Copy)]
enum Form {
    Integer,
    /// The difference of a key and the first one, whose storage is narrow or has 64 bits.
    Time {
        is_narrow: bool,
    },
    Float32,
    Float64,
    /// Whether the keys have 128 bits.
    Decimal {
        is_wide: bool,
    },
}

impl Distances {
    fn of(key: &DType) -> Result<Self> {
        let (form, dtype, greatest) = if key.is_integer() {
            (Form::Integer, DType::UInt64, u64::MAX.into())
        } else if let DType::Decimal { scale, .. } = key {
            let form = Form::Decimal { is_wide: key.storage() == Some(Storage::I128) };
            (form, DType::decimal(MAX_PRECISION, *scale)?, 10_u128.pow(MAX_PRECISION.into()) - 1)
        } else if *key == DType::Float32 {
            (Form::Float32, DType::Float32, f32::INFINITY.to_bits().into())
        } else if *key == DType::Float64 {
            (Form::Float64, DType::Float64, f64::INFINITY.to_bits().into())
        } else {
            let is_narrow = key.storage() == Some(Storage::I32);
            let greatest = if is_narrow { i32::MAX.unsigned_abs().into() } else { i64::MAX.unsigned_abs() };
            (Form::Time { is_narrow }, key.clone(), greatest.into())
        };
        Ok(Self { form, dtype, greatest })
    }

    /// Whether each distance is at most the tolerance.
    fn are_within(&self, codes: &[u128], tolerance: &Expr) -> Result<Vec<bool>> {
        let exec = Exec::host();
        let (distances, zero) = (self.column(codes)?, self.column(&vec![0; codes.len()])?);
        let distance = match self.form {
            Form::Time { .. } => col("key") - col("zero"),
            Form::Integer | Form::Float32 | Form::Float64 | Form::Decimal { .. } => col("key"),
        };
        let columns = [("key", &distances), ("zero", &zero)];
        let found = compute(&columns, distance.le(tolerance.clone()), &exec)?;
        Ok(found.to_scalars()?.into_iter().map(|is| is == Scalar::Bool(true)).collect())
    }

    fn column(&self, codes: &[u128]) -> Result<Column> {
        fn data<T: Element>(codes: &[u128], value: impl Fn(u128) -> T) -> ColumnData {
            let data = Buffer::from_vec(codes.iter().map(|code| value(*code)).collect());
            ColumnData::Fixed(FixedData { storage: T::STORAGE, len: codes.len(), data, validity: None })
        }
        let data = match self.form {
            Form::Integer => data(codes, low_bits),
            Form::Time { is_narrow: true } => data(codes, |code| i32::try_from(code).unwrap_or(i32::MAX)),
            Form::Time { is_narrow: false } => data(codes, |code| i64::try_from(code).unwrap_or(i64::MAX)),
            Form::Float32 => data(codes, single),
            Form::Float64 => data(codes, |code| f64::from_bits(low_bits(code))),
            Form::Decimal { .. } => data(codes, u128::cast_signed),
        };
        Column::from_data(self.dtype.clone(), data)
    }

    fn value(&self, code: u128) -> Value {
        match self.form {
            Form::Integer | Form::Time { .. } | Form::Decimal { is_wide: false } => {
                Value::U64(low_bits(code))
            }
            Form::Float32 => Value::F32(single(code)),
            Form::Float64 => Value::F64(f64::from_bits(low_bits(code))),
            Form::Decimal { is_wide: true } => Value::I128(code.cast_signed()),
        }
    }

    /// The distance that none of two keys is greater than.
    fn all(&self) -> Value {
        match self.form {
            Form::Integer | Form::Time { .. } | Form::Decimal { is_wide: false } => Value::U64(u64::MAX),
            Form::Decimal { is_wide: true } => Value::I128(i128::MAX),
            Form::Float32 | Form::Float64 => self.value(self.greatest),
        }
    }
}

/// A code of at most 64 bits.
fn low_bits(code: u128) -> u64 {
    u64::try_from(code).unwrap_or(u64::MAX)
}

/// A code of at most 32 bits.
fn single(code: u128) -> f32 {
    f32::from_bits(u32::try_from(code).unwrap_or(u32::MAX))
}
