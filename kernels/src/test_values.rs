//! Columns for tests of computations: random values at the limits of their types, and the values of a result.
//! Tests that only move rows use `test_columns`.

use crate::{Element, Fixed, FixedData, Storage, Value};
use columnade_buffers::{Buffer, Exec};
use columnade_tests::{Nulls, Rng, pack_bits, unpack_bits};

/// A column on a device, with its rows on the host.
pub(crate) struct TestColumn {
    storage: Storage,
    offset: usize,
    data: Buffer,
    validity: Option<Buffer>,
    /// The rows after the offset.
    pub(crate) rows: Vec<Option<Value>>,
}

impl TestColumn {
    /// Random rows, `offset` of them before the column; extremes and small values are common.
    pub(crate) fn random(
        storage: Storage,
        n: usize,
        offset: usize,
        nulls: Nulls,
        rng: &mut Rng,
        exec: &Exec,
    ) -> Self {
        let values: Vec<_> = (0..offset + n).map(|_| random_value(storage, rng)).collect();
        Self::new(storage, &values, nulls.mask(offset + n, rng).as_deref(), offset, exec)
    }

    /// The given values and validity; the first `offset` are before the column.
    pub(crate) fn new(
        storage: Storage,
        values: &[Value],
        valid: Option<&[bool]>,
        offset: usize,
        exec: &Exec,
    ) -> Self {
        let bytes = match storage.width() {
            None => pack_bits(&values.iter().map(|v| *v == Value::Bit(true)).collect::<Vec<_>>()),
            Some(width) => values.iter().flat_map(|v| v.to_bytes()[..width].to_vec()).collect(),
        };
        let row = |i: usize| valid.is_none_or(|valid| valid[i]).then(|| values[i]);
        Self {
            storage,
            offset,
            data: Buffer::from_slice(&bytes, exec).unwrap(),
            validity: valid.map(|valid| Buffer::from_slice(&pack_bits(valid), exec).unwrap()),
            rows: (offset..values.len()).map(row).collect(),
        }
    }

    /// The column as kernels take it.
    pub(crate) fn view(&self) -> Fixed<'_> {
        Fixed {
            storage: self.storage,
            data: &self.data,
            validity: self.validity.as_ref(),
            offset: self.offset,
            len: self.rows.len(),
        }
    }
}

/// A random value: one in three is an extreme, one in three is small.
pub(crate) fn random_value(storage: Storage, rng: &mut Rng) -> Value {
    let kind = rng.below(3);
    let raw = u128::from(rng.next()) << 64 | u128::from(rng.next());
    let small = rng.below(9) as i64 - 4;
    macro_rules! integer {
        ($ty:ty) => {
            match kind {
                0 => [<$ty>::MIN, <$ty>::MAX, 0, <$ty>::MAX / 2][rng.below(4) as usize].into_value(),
                1 => (small as $ty).into_value(),
                _ => (raw as $ty).into_value(),
            }
        };
    }
    macro_rules! float {
        ($ty:ty) => {
            match kind {
                0 => [
                    0.0,
                    -0.0,
                    <$ty>::NAN,
                    <$ty>::INFINITY,
                    <$ty>::NEG_INFINITY,
                    <$ty>::MAX,
                    <$ty>::MIN_POSITIVE,
                    1e10,
                ][rng.below(8) as usize]
                    .into_value(),
                1 => (small as $ty / 2.0).into_value(),
                _ => ((rng.unit() as $ty - 0.5) * 1000.0).into_value(),
            }
        };
    }
    match storage {
        Storage::Bit => Value::Bit(raw & 1 == 1),
        Storage::I8 => integer!(i8),
        Storage::I16 => integer!(i16),
        Storage::I32 => integer!(i32),
        Storage::I64 => integer!(i64),
        Storage::I128 => integer!(i128),
        Storage::U8 => integer!(u8),
        Storage::U16 => integer!(u16),
        Storage::U32 => integer!(u32),
        Storage::U64 => integer!(u64),
        Storage::F32 => float!(f32),
        Storage::F64 => float!(f64),
    }
}

/// The rows of a result. Bits past the last row must be zero.
pub(crate) fn rows_of(result: &FixedData, exec: &Exec) -> Vec<Option<Value>> {
    let valid = result.validity.as_ref().map(|mask| bits(mask, result.len, exec));
    let values: Vec<Value> = dispatch!(result.storage,
        T => result.data.to_vec::<T>(exec).unwrap()[..result.len].iter().map(|v| v.into_value()).collect(),
        bit => bits(&result.data, result.len, exec).into_iter().map(Value::Bit).collect());
    values
        .into_iter()
        .enumerate()
        .map(|(i, v)| valid.as_ref().is_none_or(|valid| valid[i]).then_some(v))
        .collect()
}

fn bits(buffer: &Buffer, n: usize, exec: &Exec) -> Vec<bool> {
    let bytes = buffer.to_vec::<u8>(exec).unwrap();
    assert_eq!(bytes.len(), n.div_ceil(8), "a bit string is as long as its rows need");
    unpack_bits(&bytes, n)
}

/// Asserts that both are the same rows; NaNs are equal, zeros of different sign are not.
pub(crate) fn assert_rows(
    found: &[Option<Value>],
    expected: &[Option<Value>],
    context: &dyn std::fmt::Display,
) {
    assert_eq!(found.len(), expected.len(), "{context}: rows");
    for (i, (found, expected)) in found.iter().zip(expected).enumerate() {
        let same = match (found, expected) {
            (Some(Value::F32(a)), Some(Value::F32(b))) if a.is_nan() && b.is_nan() => true,
            (Some(Value::F64(a)), Some(Value::F64(b))) if a.is_nan() && b.is_nan() => true,
            (Some(a), Some(b)) => a.storage() == b.storage() && a.to_bytes() == b.to_bytes(),
            (a, b) => a.is_none() && b.is_none(),
        };
        assert!(same, "{context}: row {i} is {found:?}, not {expected:?}");
    }
}

/// An integer of any type, exactly.
pub(crate) fn as_i128(value: Value) -> i128 {
    match value {
        Value::Bit(v) => i128::from(v),
        Value::I8(v) => v.into(),
        Value::I16(v) => v.into(),
        Value::I32(v) => v.into(),
        Value::I64(v) => v.into(),
        Value::I128(v) => v,
        Value::U8(v) => v.into(),
        Value::U16(v) => v.into(),
        Value::U32(v) => v.into(),
        Value::U64(v) => v.into(),
        Value::F32(_) | Value::F64(_) => panic!("{value:?} is not an integer"),
    }
}

/// The exact sum as a decimal of at most 38 digits, added in two halves of 19 digits; `None` for more.
pub(crate) fn decimal_sum(values: impl IntoIterator<Item = i128>) -> Option<i128> {
    const HALF: i128 = 10_i128.pow(19);
    let (mut high, mut low) = (0_i128, 0_i128);
    for value in values {
        high += value / HALF;
        low += value % HALF;
    }
    high += low / HALF;
    let total = high.checked_mul(HALF)?.checked_add(low % HALF)?;
    (total.unsigned_abs() < 10_u128.pow(38)).then_some(total)
}

/// Decimals of up to 38 digits: every other large one makes up for the one before, so that sums leave 128 bits and come
/// back; `left` of them have no counterpart.
pub(crate) fn large_decimals(n: usize, left: usize, rng: &mut Rng) -> Vec<i128> {
    let mut values = Vec::with_capacity(n);
    let largest = 10_i128.pow(38) - 1;
    while values.len() + 1 < n.saturating_sub(left) {
        let value = largest - i128::from(rng.next() >> 1);
        values.extend([value, -value]);
    }
    values.resize(n.saturating_sub(left).max(values.len()), 0);
    values.resize(n, largest);
    // The positive ones first: every running sum but the last ones is far beyond 38 digits.
    values.sort_unstable_by_key(|value| -value.signum());
    values
}

/// An integer wrapped to a type, or the nearest float.
pub(crate) fn wrap(value: i128, storage: Storage) -> Value {
    dispatch!(storage, T => (value as T).into_value(), bit => Value::Bit(value != 0))
}
