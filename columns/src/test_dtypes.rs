//! Values of every dtype for the suites of this crate.

use crate::{
    Closed, Column, DType, DecimalStorage, DictionaryType, IntervalScalar, Scalar, TimeUnit, TimeZone,
};
use columnade_kernels::Storage;
use columnade_tests::{Nulls, Rng};

/// Every kind of dtype, nested ones in each other too.
pub(crate) fn dtypes() -> Vec<DType> {
    let mut dtypes = DType::NUMERIC.to_vec();
    dtypes.extend([DType::Bool, DType::Utf8, DType::Binary, DType::Date32, DType::Null]);
    for unit in TimeUnit::ALL {
        let zone = TimeZone::new("America/New_York").unwrap();
        dtypes.extend([DType::Timestamp(unit), DType::TimestampTz(unit, zone), DType::Duration(unit)]);
        dtypes.push(DType::Time(unit));
    }
    dtypes.extend(
        [(4, 1), (9, 9), (15, 2), (38, 10)]
            .map(|(precision, scale)| DType::decimal(precision, scale).unwrap()),
    );
    for (precision, storage) in [(9, DecimalStorage::Bits32), (15, DecimalStorage::Bits128)] {
        dtypes.push(DType::decimal_stored(precision, 2, storage).unwrap());
    }
    for (codes, ordered) in
        [(Storage::I8, true), (Storage::I16, false), (Storage::I32, false), (Storage::I64, true)]
    {
        dtypes.push(DType::Dictionary(Box::new(DictionaryType { codes, values: DType::Utf8, ordered })));
    }
    for closed in Closed::ALL {
        dtypes.push(DType::interval(DType::Int64, closed));
    }
    dtypes.push(DType::interval(DType::Timestamp(TimeUnit::Nano), Closed::Left));
    let point = DType::structure([("x", DType::Int16), ("a name", DType::Utf8)]);
    let word = DType::dictionary(DType::Utf8);
    dtypes.extend([
        DType::list(DType::Bool),
        DType::list(DType::Utf8),
        DType::list(DType::list(DType::Float64)),
        DType::list(point.clone()),
        DType::list(word.clone()),
        DType::list(DType::Null),
        point.clone(),
        DType::structure([("p", point), ("words", DType::list(word)), ("n", DType::Null)]),
        DType::structure([("span", DType::interval(DType::Float32, Closed::Both))]),
        DType::structure::<String>([]),
    ]);
    dtypes
}

/// `n` scalars of `dtype`, null as `nulls` says; items and fields are null at times.
pub(crate) fn scalars(dtype: &DType, n: usize, nulls: Nulls, rng: &mut Rng) -> Vec<Scalar> {
    let mask = nulls.mask(n, rng).unwrap_or(vec![true; n]);
    mask.iter().map(|&valid| if valid { scalar(dtype, rng) } else { null(dtype) }).collect()
}

/// A null as a column of `dtype` has it: of a dictionary, of its values.
pub(crate) fn null(dtype: &DType) -> Scalar {
    Scalar::Null(dtype.logical().clone())
}

/// A value of `dtype`.
pub(crate) fn scalar(dtype: &DType, rng: &mut Rng) -> Scalar {
    let or_null = |dtype: &DType, rng: &mut Rng| match rng.below(4) {
        0 => null(dtype),
        _ => scalar(dtype, rng),
    };
    let text = match dtype.logical() {
        DType::Bool => (rng.below(2) == 1).to_string(),
        DType::Utf8 => rng.text(if *dtype == DType::Utf8 { 9 } else { 1 }),
        DType::Float32 | DType::Float64 => format!("{}.5", rng.below(1000)),
        DType::Date32 => return Scalar::Date32(i32::try_from(rng.below(40_000)).unwrap() - 20_000),
        DType::Timestamp(unit) => return Scalar::Timestamp(rng.next().cast_signed(), *unit),
        DType::TimestampTz(unit, zone) => {
            return Scalar::TimestampTz(rng.next().cast_signed(), *unit, zone.clone());
        }
        DType::Time(unit) => {
            return Scalar::Time(rng.below(unit.per_day().unsigned_abs()).cast_signed(), *unit);
        }
        DType::Duration(unit) => return Scalar::Duration(rng.next().cast_signed(), *unit),
        DType::Decimal { precision, scale, .. } => {
            let value = i128::from(rng.below(10_u64.pow(u32::from(*precision).min(18)))) - 5;
            return Scalar::Decimal { value, precision: *precision, scale: *scale };
        }
        DType::Binary => {
            let len = usize::try_from(rng.below(7)).unwrap();
            return Scalar::Binary(rng.bytes(len));
        }
        DType::Interval(interval) => {
            let (left, right) = (scalar(&interval.values, rng), scalar(&interval.values, rng));
            return Scalar::Interval(Box::new(IntervalScalar { left, right, closed: interval.closed }));
        }
        DType::List(item) => {
            let values = (0..rng.below(4)).map(|_| or_null(item, rng)).collect();
            return Scalar::List { item: item.clone(), values };
        }
        DType::Struct(fields) => {
            let field = |field: &crate::Field| (field.name.clone(), or_null(&field.dtype, rng));
            return Scalar::Struct(fields.iter().map(field).collect());
        }
        DType::Null => return Scalar::Null(DType::Null),
        _ => rng.below(128).to_string(),
    };
    Scalar::parse(dtype, &text).unwrap()
}

/// Where slices begin, and how long they are: at every bit of a byte, and at both sides of words of 32 and 64 bits.
const PARTS: [(usize, usize); 15] = [
    (1, 1),
    (2, 63),
    (3, 30),
    (4, 32),
    (5, 64),
    (6, 65),
    (7, 57),
    (31, 33),
    (32, 31),
    (33, 66),
    (63, 2),
    (63, 130),
    (64, 65),
    (65, 63),
    (513, 40),
];

/// Whole, nothing, and slices at odd offsets within and beyond one step of slicing.
pub(crate) fn slices(column: &Column) -> Vec<Column> {
    let n = column.size();
    PARTS
        .into_iter()
        .chain([(0, n), (0, 0), (n, 0)])
        .filter(|(offset, len)| offset + len <= n)
        .map(|(offset, len)| column.slice(offset, len).unwrap())
        .collect()
}
