//! Columns of every dtype for the suites of this crate.

use columnade_columns::{Closed, DType, DecimalStorage, IntervalScalar, Scalar, TimeUnit, TimeZone};
use columnade_tests::Rng;

/// Each kind of dtype once, nested ones in each other too.
pub(crate) fn dtypes() -> Vec<DType> {
    let zone = TimeZone::new("Europe/Berlin").unwrap();
    let point = DType::structure([("x", DType::Int16), ("label", DType::Utf8)]);
    vec![
        DType::Bool,
        DType::UInt8,
        DType::Int64,
        DType::Float32,
        DType::Float64,
        DType::Utf8,
        DType::Binary,
        DType::Date32,
        DType::Timestamp(TimeUnit::Micro),
        DType::TimestampTz(TimeUnit::Nano, zone),
        DType::Duration(TimeUnit::Milli),
        DType::Time(TimeUnit::Milli),
        DType::Time(TimeUnit::Nano),
        DType::decimal(9, 2).unwrap(),
        DType::decimal_stored(7, 1, DecimalStorage::Bits32).unwrap(),
        DType::decimal_stored(15, 2, DecimalStorage::Bits128).unwrap(),
        DType::decimal(38, 10).unwrap(),
        DType::dictionary(DType::Utf8),
        DType::interval(DType::Int64, Closed::Right),
        DType::interval(DType::Timestamp(TimeUnit::Second), Closed::Neither),
        point.clone(),
        DType::list(DType::Int32),
        DType::list(DType::Utf8),
        DType::list(point.clone()),
        DType::structure([("items", DType::list(DType::list(DType::Bool))), ("point", point)]),
        DType::Null,
    ]
}

/// `n` scalars of `dtype`, a quarter of them null.
pub(crate) fn scalars(dtype: &DType, n: usize, rng: &mut Rng) -> Vec<Scalar> {
    (0..n).map(|_| scalar(dtype, rng)).collect()
}

fn scalar(dtype: &DType, rng: &mut Rng) -> Scalar {
    if rng.below(4) == 0 {
        return Scalar::Null(dtype.logical().clone());
    }
    let small = i64::try_from(rng.below(1000)).unwrap() - 500;
    match dtype.logical() {
        DType::Binary => Scalar::Binary({
            let len = usize::try_from(rng.below(6)).unwrap();
            rng.bytes(len)
        }),
        DType::Utf8 => Scalar::from(rng.text(6)),
        DType::Bool => Scalar::from(rng.below(2) == 1),
        DType::Date32 => Scalar::Date32(i32::try_from(small).unwrap()),
        DType::Timestamp(unit) => Scalar::Timestamp(small << 30, *unit),
        DType::TimestampTz(unit, zone) => Scalar::TimestampTz(small << 30, *unit, zone.clone()),
        DType::Time(unit) => Scalar::Time((small + 500) * 80 * unit.per_second(), *unit),
        DType::Duration(unit) => Scalar::Duration(small, *unit),
        DType::Decimal { precision, scale, .. } => {
            Scalar::Decimal { value: small.into(), precision: *precision, scale: *scale }
        }
        DType::Interval(interval) => {
            let mut end = || match scalar(&interval.values, rng) {
                Scalar::Null(_) => Scalar::parse(&interval.values, "1970-01-01")
                    .or_else(|_| Scalar::parse(&interval.values, "0"))
                    .unwrap(),
                end => end,
            };
            let (left, right) = (end(), end());
            Scalar::Interval(Box::new(IntervalScalar { left, right, closed: interval.closed }))
        }
        DType::List(item) => {
            let len = usize::try_from(rng.below(4)).unwrap();
            Scalar::List { item: item.clone(), values: scalars(item, len, rng) }
        }
        DType::Struct(fields) => Scalar::Struct(
            fields.iter().map(|field| (field.name.clone(), scalar(&field.dtype, rng))).collect(),
        ),
        DType::Null => Scalar::Null(DType::Null),
        number => Scalar::parse(number, &rng.below(100).to_string()).unwrap(),
    }
}
